//! Finds folders and schemas of content that nothing uses, such as misspelt ones.

use super::collections::{Collection, collection_of, file_named};
use super::outline::Outline;
use super::plan::Outlines;
use super::schedule::Schedule;
use super::schema::Schemas;
use sitegen_core::diagnostics::{Diagnostic, Place, UnusedProblem, nearest};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SourceKind, Sources};
use sitegen_templates::scan::Scan;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns collections that no template and no page names, such as misspelt folders.
pub fn unused(
    scan: &Scan,
    collections: &BTreeMap<String, Collection>,
    schedule: &Schedule,
    pages: &[Arc<Outlines>],
) -> Vec<Diagnostic> {
    // A template that goes through all collections uses them all.
    let called = &scan.uses.collections;
    if called.all {
        return Vec::new();
    }
    let names = |outline: &Outline, name: &str| {
        outline.source.as_ref().is_some_and(|source| source.names(name)) || outline.uses.has_collection(name)
    };
    let outlines = || pages.iter().flat_map(|outlines| outlines.iter());
    let is_used = |name: &String| called.contains(name) || outlines().any(|outline| names(outline, name));
    let mut diagnostics = Vec::new();
    for (name, collection) in collections.iter().filter(|(name, _)| !is_used(name)) {
        let hidden = schedule.hidden.iter().map(|hidden| &hidden.path);
        let file = collection
            .iter()
            .map(|entry| entry.source.clone())
            .min()
            .or_else(|| hidden.map(file_named).find(|path| collection_of(path) == Some(name.as_str())));
        if let Some(file) = file {
            let missing = called.named.iter().map(String::as_str).filter(|called| !collections.contains_key(*called));
            let nearest = nearest(name, missing).map(str::to_owned);
            let problem = UnusedProblem::UnusedCollection { name: name.clone(), nearest };
            diagnostics.push(Diagnostic::new(problem, Place::file(&file)));
        }
    }
    diagnostics
}

/// Reports schemas whose name is none of a collection, of a template or of `site`: they would validate nothing.
pub fn unused_schemas(sources: &Sources, scan: &Scan, schemas: &Schemas) -> Vec<Diagnostic> {
    if schemas.names().next().is_none() {
        return Vec::new();
    }
    let first_files = sources.chunks_of(SourceKind::Entry).iter().filter_map(|chunk| chunk.files().first());
    let folders = first_files.filter_map(|(path, _)| collection_of(path));
    let templates = sources
        .of(SourceKind::Template)
        .filter_map(|(path, _)| path.below("templates"))
        .map(|name| name.trim_end_matches(".html"));
    let called = scan.uses.collections.named.iter().map(String::as_str);
    let names: BTreeSet<&str> = folders.chain(templates).chain(called).chain(["site", "pages/page"]).collect();
    let unused = schemas.names().filter(|name| !names.contains(name)).map(|name| {
        let free = names.iter().copied().filter(|name| schemas.get(name).is_none());
        // The author may have left out the folder.
        let page = format!("pages/{name}");
        let nearest = names.get(page.as_str()).copied().or_else(|| nearest(name, free)).map(str::to_owned);
        let path = SourcePath::new(format!("content/schemas/{name}.schema.json"));
        Diagnostic::new(UnusedProblem::UnusedSchema { nearest }, Place::file(&path))
    });
    unused.collect()
}
