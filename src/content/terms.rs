//! Terms: the values of a key that group entries, such as tags.

use super::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A value of a key that several entries may share, such as a tag.
#[derive(Debug, PartialEq, Eq)]
pub struct Term {
    /// The key of the entries.
    pub key: String,
    /// The value as written, by most entries.
    pub name: String,
    /// The value in addresses.
    pub slug: String,
    /// The numbers of its entries in the collection, without expired ones.
    pub entries: Vec<usize>,
    /// In how many ways entries write it.
    pub spellings: usize,
}

/// The terms of a key.
#[derive(Debug, Default)]
pub struct Terms {
    /// The terms, in the order of their slugs.
    pub all: Vec<Arc<Term>>,
    /// The numbers of entries with a value from which no address can be made.
    pub without_address: Vec<usize>,
}

/// Groups values of a key by their terms. Each value comes with the number of its entry. Values that differ in letter case or
/// accents only are one term, called as most entries call it.
pub fn group<'n>(key: &str, all: impl Iterator<Item = (usize, Cow<'n, Node>)>) -> Terms {
    let mut without_address = Vec::new();
    // Many entries share few names.
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, node) in all {
        for value in values(&node) {
            match word(value) {
                Some(name) => match by_name.get_mut(&*name) {
                    Some(entries) => entries.push(number),
                    None => _ = by_name.insert(name.into_owned(), vec![number]),
                },
                // An empty text counts as absent.
                None if matches!(value.value, Value::Null | Value::Text(_)) => {}
                None => without_address.push(number),
            }
        }
    }
    let mut by_slug: BTreeMap<String, Vec<(String, Vec<usize>)>> = BTreeMap::new();
    for (name, entries) in by_name {
        by_slug.entry(slug::slugify(&name)).or_default().push((name, entries));
    }
    for (_, entries) in by_slug.remove("").unwrap_or_default() {
        without_address.extend(entries);
    }
    without_address.sort_unstable();
    without_address.dedup();
    let terms = by_slug.into_iter().map(|(slug, mut names)| {
        // The most frequent first, and of names as frequent as each other the first by letters.
        names.sort_unstable_by(|(a, of_a), (b, of_b)| of_b.len().cmp(&of_a.len()).then_with(|| a.cmp(b)));
        let spellings = names.len();
        let mut entries: Vec<usize> = names.iter().flat_map(|(_, entries)| entries).copied().collect();
        entries.sort_unstable();
        // An entry may name a term twice.
        entries.dedup();
        let name = names.into_iter().next().map(|(name, _)| name).unwrap_or_default();
        Arc::new(Term { key: key.to_owned(), name, slug, entries, spellings })
    });
    Terms { all: terms.collect(), without_address }
}

/// Returns a text or a number as text.
pub fn word(node: &Node) -> Option<Cow<'_, str>> {
    match &node.value {
        Value::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(Cow::Borrowed),
        Value::Integer(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

/// Returns the values of a list, or the value itself.
pub fn values(node: &Node) -> Vec<&Node> {
    match &node.value {
        Value::List(items) => items.iter().collect(),
        _ => vec![node],
    }
}
