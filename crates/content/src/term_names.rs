//! Checks the names of terms in `site.yaml`: `term_names: { news.tags: { cpp: C++ } }` names a key of a collection, and values that
//! entries have under it.

use super::collections::{Collection, Entry};
use super::schema::Schemas;
use super::site::View;
use super::terms::{spelling, values, word};
use super::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::{Diagnostic, Meant, Place, SchemaProblem, Span, UnusedProblem, meant};
use sitegen_core::sources::Sources;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What to write instead of a value that no entry has.
const ABOUT_VALUES: &str = "the keys here are values of entries, and no entry has this one";

/// Reports keys of `term_names` that no entry has (an error), and values that no entry has (a warning), in all languages.
pub fn misspelt(views: &[View], schemas: &Schemas, sources: &Sources) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for view in views {
        let Some(names) = view.data.get("term_names") else { continue };
        // What a translation does not have is that of the original, whose places lie behind its text.
        let end = sources.text(&view.site_file).map_or(0, str::len);
        let is_of_file = |key: &Key| view.number == 0 || key.span.start < end;
        for (key, values) in names.entries() {
            match named(&key.name, views, schemas) {
                Named::Unknown if is_of_file(key) => {
                    let problem = unknown(&key.name, views);
                    diagnostics.push(Diagnostic::new(problem, Place::new(&view.site_file, key.span)));
                }
                Named::Key { collection, key } => {
                    let own = values.entries().iter().map(|(name, _)| name).filter(|name| is_of_file(name));
                    let problems = unused_values(own, collection, key, views);
                    let place = |span| Place::new(&view.site_file, span);
                    diagnostics.extend(problems.map(|(problem, span)| Diagnostic::new(problem, place(span))));
                }
                Named::Unknown | Named::Unclear => {}
            }
        }
    }
    diagnostics
}

/// What a key of `term_names` is.
enum Named<'n> {
    /// A key that entries of a collection have.
    Key { collection: &'n str, key: &'n str },
    /// A key that the schema has and no entry, or of a collection without entries.
    Unclear,
    /// A slip.
    Unknown,
}

fn named<'n>(name: &'n str, views: &[View], schemas: &Schemas) -> Named<'n> {
    let Some((collection, key)) = name.split_once('.') else { return Named::Unknown };
    let first = key.split('.').next().unwrap_or(key);
    if entries(collection, views).any(|entry| entry.value(key).is_some()) {
        Named::Key { collection, key }
    } else if schemas.get(collection).is_some_and(|schema| schema.keys().contains(&first)) {
        Named::Unclear
    } else {
        let exists = views.iter().any(|view| view.collection(collection).is_some());
        if exists && entries(collection, views).next().is_none() { Named::Unclear } else { Named::Unknown }
    }
}

/// Returns the entries of a collection in all languages, with those that are left out today.
fn entries<'v>(collection: &str, views: &'v [View]) -> impl Iterator<Item = &'v Entry> {
    let collections = views.iter().filter_map(move |view| view.collection(collection));
    collections.flat_map(Collection::chunks).flat_map(|chunk| &chunk.entries)
}

/// Returns the mistake in a key that no entry has. Only the part that is wrong is compared: the key, if the collection exists.
fn unknown(name: &str, views: &[View]) -> SchemaProblem {
    let collections: BTreeSet<&str> =
        views.iter().flat_map(|view| view.collections.keys()).map(String::as_str).collect();
    let keys_of = |collection: &str, is_wanted: &dyn Fn(&Node) -> bool| -> BTreeSet<&str> {
        let keys = entries(collection, views).flat_map(|entry| entry.data.entries());
        keys.filter(|(_, value)| is_wanted(value)).map(|(key, _)| key.name.as_str()).collect()
    };
    let is_list = |node: &Node| matches!(node.value, Value::List(_));
    let lists: Vec<(&str, &str)> = collections
        .iter()
        .flat_map(|collection| keys_of(collection, &is_list).into_iter().map(|key| (*collection, key)))
        .collect();
    let nearest = match name.split_once('.') {
        None => {
            let mut fitting = lists.iter().filter(|(collection, key)| [*collection, *key].contains(&name));
            let only = fitting.next().filter(|_| fitting.next().is_none());
            only.map(|(collection, key)| Meant::from(format!("{collection}.{key}")))
        }
        Some((collection, key)) if collections.contains(collection) => {
            let of_lists = lists.iter().filter(|(other, _)| *other == collection).map(|(_, key)| *key);
            let found = meant(key, of_lists).or_else(|| meant(key, keys_of(collection, &|_| true)));
            found.map(|found| found.within(format!("{collection}.{found}")))
        }
        Some((collection, key)) => {
            let has_key = |other: &&str| keys_of(other, &|_| true).contains(key);
            let found = meant(collection, collections.iter().copied().filter(has_key));
            found.map(|found| found.within(format!("{found}.{key}")))
        }
    };
    let known = lists.iter().map(|(collection, key)| format!("{collection}.{key}")).collect();
    SchemaProblem::UnknownKey { key: name.to_owned(), nearest, known, schema: None }
}

/// Returns the values that no entry has.
fn unused_values<'n>(
    names: impl Iterator<Item = &'n Key>,
    collection: &str,
    key: &str,
    views: &[View],
) -> impl Iterator<Item = (UnusedProblem, Span)> {
    let nodes: Vec<_> = entries(collection, views).filter_map(|entry| entry.value(key)).collect();
    let words = nodes.iter().flat_map(|node: &Cow<Node>| values(node)).filter_map(word);
    let used: BTreeSet<String> = words.map(Cow::into_owned).collect();
    let spellings: BTreeSet<String> = used.iter().map(|name| spelling(name)).collect();
    names.filter(move |name| !spellings.contains(&spelling(&name.name))).map(move |name| {
        let renamed = meant(&name.name, used.iter().map(String::as_str));
        let instead = renamed.is_none().then_some(ABOUT_VALUES);
        let problem = UnusedProblem::UnusedKey { key: name.name.clone(), files: 1, instead, renamed };
        (problem, name.span)
    })
}
