//! Finds folders and schemas of content that nothing uses, such as misspelt ones.

use super::collections::{Collection, collection_of};
use super::plan::PageFile;
use super::schedule::Schedule;
use super::schema::Schemas;
use crate::diagnostics::{Diagnostic, Place, Problem, nearest};
use crate::paths::SourcePath;
use crate::sources::{SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Returns collections that no template and no reference names, such as misspelt folders.
///
/// `referring` are the files of content that may have references, `files` those that make pages of collections.
pub fn unused(
    sources: &Sources,
    collections: &BTreeMap<String, Collection>,
    schedule: &Schedule,
    referring: &[&SourcePath],
    files: &[&PageFile],
) -> Vec<Diagnostic> {
    let texts = || {
        let templates = sources.of(SourceKind::Template).map(|(path, _)| path);
        let texts = templates.chain(referring.iter().copied());
        texts.filter(|path| {
            matches!(path.extension(), Some("html" | "md" | "yaml" | "xml" | "json" | "txt" | "webmanifest" | "ics"))
        })
    };
    let names = |name: &str| {
        let uses =
            [format!("collections.{name}"), format!("entries.{name}"), format!("{{{{ {name}."), format!("{{{{{name}.")];
        if files.iter().any(|file| file.outline.source.as_ref().is_some_and(|source| source.names(name))) {
            return true;
        }
        let quoted = [format!("collections[\"{name}\"]"), format!("entries[\"{name}\"]")];
        texts().any(|path| {
            let text = sources.text(path).unwrap_or_default();
            uses.iter().any(|each| is_named(text, each)) || quoted.iter().any(|each| text.contains(each.as_str()))
        })
    };
    // A template that loops over all collections uses them all.
    let goes_through = |(path, _): (&SourcePath, _)| {
        let text = sources.text(path).unwrap_or_default();
        ["in collections", "in entries", "collections[", "entries["]
            .iter()
            .any(|each| text.match_indices(each).any(|(at, _)| !text[at + each.len()..].starts_with(['.', '"'])))
    };
    if sources.of(SourceKind::Template).any(goes_through) {
        return Vec::new();
    }
    let mut diagnostics = Vec::new();
    for (name, collection) in collections.iter().filter(|(name, _)| !names(name)) {
        let hidden = schedule.hidden.iter().map(|hidden| &hidden.path);
        let file = collection
            .iter()
            .map(|entry| entry.source.clone())
            .min()
            .or_else(|| hidden.clone().find(|path| path.below(&format!("content/{name}")).is_some()).cloned());
        if let Some(file) = file {
            let called = called_collections(sources);
            let missing = called.iter().map(String::as_str).filter(|called| !collections.contains_key(*called));
            let nearest = nearest(name, missing).map(str::to_owned);
            let problem = Problem::UnusedCollection { name: name.clone(), nearest };
            diagnostics.push(Diagnostic::error(problem, Place::file(&file)));
        }
    }
    diagnostics
}

/// Reports schemas whose name is none of a collection, of a template or of `site`: they would validate nothing.
pub fn unused_schemas(sources: &Sources, schemas: &Schemas) -> Vec<Diagnostic> {
    if schemas.names().next().is_none() {
        return Vec::new();
    }
    let first_files = sources.chunks_of(SourceKind::Entry).iter().filter_map(|chunk| chunk.files().first());
    let folders = first_files.filter_map(|(path, _)| collection_of(path));
    let templates = sources
        .of(SourceKind::Template)
        .filter_map(|(path, _)| path.below("templates"))
        .map(|name| name.trim_end_matches(".html"));
    let called = called_collections(sources);
    let names: BTreeSet<&str> =
        folders.chain(templates).chain(called.iter().map(String::as_str)).chain(["site", "pages/page"]).collect();
    let unused = schemas.names().filter(|name| !names.contains(name)).map(|name| {
        let free = names.iter().copied().filter(|name| schemas.get(name).is_none());
        // The author may have left out the folder.
        let page = format!("pages/{name}");
        let nearest = names.get(page.as_str()).copied().or_else(|| nearest(name, free)).map(str::to_owned);
        let path = SourcePath::new(format!("content/schemas/{name}.schema.json"));
        Diagnostic::error(Problem::UnusedSchema { nearest }, Place::file(&path))
    });
    unused.collect()
}

/// Returns the collections that templates name.
fn called_collections(sources: &Sources) -> Vec<String> {
    let mut called = Vec::new();
    for (path, _) in sources.of(SourceKind::Template) {
        let text = sources.text(path).unwrap_or_default();
        for prefix in ["collections.", "entries."] {
            for (at, _) in text.match_indices(prefix) {
                let name =
                    text[at + prefix.len()..].chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_');
                called.push(name.collect());
            }
        }
    }
    called
}

/// Whether a text contains a word, and not only a longer one that begins with it.
fn is_named(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        word.ends_with('.')
            || !text[at + word.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}
