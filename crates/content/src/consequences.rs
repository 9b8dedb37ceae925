//! Drops diagnostics that only follow from another mistake, so that each mistake is reported once.

use super::SITE_FILE;
use super::collections::{REST, slug_of};
use super::read::is_document;
use sitegen_core::diagnostics::{
    AddressProblem, Diagnostic, LinkProblem, Place, Problem, ReferenceProblem, SchemaProblem, Severity, TemplateProblem,
};
use sitegen_core::paths::{SourcePath, joined};
use sitegen_core::sources::{SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Drops all but one report of a key that a file lacks: once it is added, it is there for everything that reads it.
pub fn drop_repeated_lacks(diagnostics: &mut Vec<Diagnostic>) {
    let lack = |each: &Diagnostic| {
        let (rank, key) = match &*each.problem {
            Problem::Schema(SchemaProblem::MissingKey { key, .. }) => (0, key),
            Problem::Address(AddressProblem::AddressKey { key, found: None }) => (1, key),
            Problem::Template(TemplateProblem::NeededKey { key, .. }) => (2, key),
            _ => return None,
        };
        Some(((each.place.as_ref()?.path.clone(), key.clone()), rank))
    };
    let mut kept: BTreeMap<(SourcePath, String), (usize, usize)> = BTreeMap::new();
    for (at, each) in diagnostics.iter().enumerate() {
        let Some((lacking, rank)) = lack(each) else { continue };
        let best = kept.entry(lacking).or_insert((rank, at));
        *best = (rank, at).min(*best);
    }
    let mut at = 0;
    diagnostics.retain(|each| {
        at += 1;
        // Several items of a list may lack the same key.
        lack(each).is_none_or(|(lacking, rank)| rank == 0 || kept[&lacking] == (rank, at - 1))
    });
}

/// Drops diagnostics of references to entries with mistakes of their own, which are reported there.
///
/// Entries have no address while the file that makes their pages is wrong, and a misspelt key is missing too.
pub fn drop_consequences(diagnostics: &mut Vec<Diagnostic>, sources: &Sources) {
    let misspelt = |each: &Diagnostic| match &*each.problem {
        Problem::Schema(SchemaProblem::UnknownKey { nearest, .. }) => {
            Some((each.place.clone()?, nearest.clone()?.word))
        }
        _ => None,
    };
    let misspelt: BTreeSet<(Place, String)> = diagnostics.iter().filter_map(misspelt).collect();
    let is_entry = |path: &SourcePath| path.as_str() != SITE_FILE && path.below("content/pages").is_none();
    let of_entries = misspelt.iter().filter(|(place, _)| is_entry(&place.path));
    let meant: BTreeSet<String> = of_entries.map(|(_, key)| format!("entry.{key}")).collect();
    let is_link = |each: &Diagnostic| matches!(*each.problem, Problem::Link(LinkProblem::BrokenFile { .. }));
    let wrong_files: BTreeSet<SourcePath> = diagnostics
        .iter()
        .filter(|each| each.severity != Severity::Warning && !is_link(each))
        .filter_map(|each| Some(each.place.as_ref()?.path.clone()))
        .collect();
    // A file may have many errors, and is searched once.
    let is_page_wrong = wrong_files
        .iter()
        .filter(|path| path.below("content/pages").is_some())
        .any(|path| sources.text(path).is_some_and(|text| text.contains("for_each")));
    let is_there = |from: &SourcePath, target: &str| {
        let path = target.split(['#', '?']).next().unwrap_or_default();
        let file = joined(from.as_str(), path).map(SourcePath::new)?;
        (is_document(&file) && sources.get(&file).is_some()).then_some(file)
    };
    diagnostics.retain(|each| match (&*each.problem, &each.place) {
        (Problem::Reference(ReferenceProblem::UnknownReference { reference, .. }), _) => !meant.contains(reference),
        (Problem::Template(TemplateProblem::NeededKey { key, .. }), Some(place)) => {
            !misspelt.contains(&(place.clone(), key.clone()))
        }
        (Problem::Link(LinkProblem::BrokenFile { target, .. }), Some(place)) => {
            !is_there(&place.path, target).is_some_and(|file| is_page_wrong || wrong_files.contains(&file))
        }
        _ => true,
    });
    let reference = |each: &Diagnostic| match &*each.problem {
        Problem::Reference(ReferenceProblem::UnknownReference { reference, .. })
        | Problem::Reference(ReferenceProblem::NestedReference { reference })
        | Problem::Reference(ReferenceProblem::BadReference { reference })
        | Problem::Reference(ReferenceProblem::NoText { reference, .. }) => Some(reference.clone()),
        _ => None,
    };
    let wrong: BTreeSet<String> = diagnostics
        .iter()
        .filter(|each| each.severity != Severity::Warning && reference(each).is_none())
        .filter_map(|each| {
            let path = &each.place.as_ref()?.path;
            if SourceKind::is_list(path) {
                return Some(format!("{}.{REST}", path.stem()));
            }
            let (folder, _) = path.below("content")?.split_once('/')?;
            Some(format!("{folder}.{}", slug_of(path)))
        })
        .collect();
    // A value with an unresolved reference is not checked any further.
    let unfilled: BTreeSet<Place> =
        diagnostics.iter().filter(|each| reference(each).is_some()).filter_map(|each| each.place.clone()).collect();
    diagnostics
        .retain(|each| reference(each).is_some() || each.place.as_ref().is_none_or(|place| !unfilled.contains(place)));
    let site = |each: &Diagnostic| each.place.as_ref().is_some_and(|place| place.path.as_str() == SITE_FILE);
    let is_site_wrong =
        diagnostics.iter().any(|each| site(each) && each.severity != Severity::Warning && reference(each).is_none());
    diagnostics.retain(|each| match reference(each) {
        Some(path) if is_site_wrong && path.split('.').next() == Some("site") => false,
        Some(path) => {
            let root = path.split('.').next().unwrap_or_default();
            !wrong.contains(&path.splitn(3, '.').take(2).collect::<Vec<_>>().join("."))
                && !wrong.contains(&format!("{root}.{REST}"))
        }
        None => true,
    });
}
