//! Finds folders of content that nothing uses, such as one whose name is misspelt.

use super::Collection;
use super::schedule::Schedule;
use crate::diagnostics::{Diagnostic, Place, Problem, nearest};
use crate::paths::SourcePath;
use crate::sources::Sources;
use std::collections::BTreeMap;

/// Collections that no template and no reference names. A folder whose name is misspelt is found here.
///
/// `names_nothing` says of which files it is known that they have no references.
pub fn unused(
    sources: &Sources,
    collections: &BTreeMap<String, Collection>,
    schedule: &Schedule,
    names_nothing: impl Fn(&SourcePath) -> bool,
) -> Vec<Diagnostic> {
    let texts = || {
        let texts = sources.iter().filter(|(path, _)| matches!(path.extension(), Some("html" | "md" | "yaml")));
        texts.filter(|(path, _)| !names_nothing(path))
    };
    let names = |name: &str| {
        let uses =
            [format!("collections.{name}"), format!("entries.{name}"), format!("{{{{ {name}."), format!("{{{{{name}.")];
        let quoted = [format!("collections[\"{name}\"]"), format!("entries[\"{name}\"]")];
        texts().any(|(path, _)| {
            let text = sources.text(path).unwrap_or_default();
            uses.iter().any(|each| is_named(text, each)) || quoted.iter().any(|each| text.contains(each.as_str()))
        })
    };
    // A template that goes through all collections uses them all.
    let goes_through = |(path, _): (&SourcePath, _)| {
        let text = sources.text(path).unwrap_or_default();
        ["in collections", "in entries", "collections[", "entries["]
            .iter()
            .any(|each| text.match_indices(each).any(|(at, _)| !text[at + each.len()..].starts_with(['.', '"'])))
    };
    if sources.below("templates").any(goes_through) {
        return Vec::new();
    }
    let called = called_collections(sources);
    let mut found = Vec::new();
    for (name, collection) in collections {
        let hidden = schedule.hidden.iter().map(|hidden| &hidden.path);
        let file = collection
            .iter()
            .map(|entry| entry.document.source.clone())
            .min()
            .or_else(|| hidden.clone().find(|path| path.below(&format!("content/{name}")).is_some()).cloned());
        if let Some(file) = file.filter(|_| !names(name)) {
            let missing = called.iter().map(String::as_str).filter(|called| !collections.contains_key(*called));
            let nearest = nearest(name, missing).map(str::to_owned);
            let problem = Problem::UnusedCollection { name: name.clone(), nearest };
            found.push(Diagnostic::error(problem, Place::file(&file)));
        }
    }
    found
}

/// The collections that templates name.
fn called_collections(sources: &Sources) -> Vec<String> {
    let mut called = Vec::new();
    for (path, _) in sources.below("templates") {
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

/// Whether a text has a word, and not only a longer one that begins with it.
fn is_named(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        word.ends_with('.')
            || !text[at + word.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}
