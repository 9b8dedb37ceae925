//! Terms: the values of a key that group entries, such as tags.

use super::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

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
}

/// Groups values of a key by their terms, in the order of their slugs. Each value comes with the number of its entry.
/// Values that differ in letter case or accents only are one term, called as most entries call it.
pub fn group<'n>(key: &str, all: impl Iterator<Item = (usize, Cow<'n, Node>)>) -> Vec<Term> {
    let mut by_slug: BTreeMap<String, (BTreeMap<String, usize>, Vec<usize>)> = BTreeMap::new();
    for (number, node) in all {
        for name in values(&node).into_iter().filter_map(word) {
            let (names, entries) = by_slug.entry(slug::slugify(&name)).or_default();
            *names.entry(name).or_default() += 1;
            // An entry may name a term twice.
            if entries.last() != Some(&number) {
                entries.push(number);
            }
        }
    }
    let terms = by_slug.into_iter().filter(|(slug, _)| !slug.is_empty()).map(|(slug, (names, entries))| {
        // Of names as frequent as each other, the first by letters.
        let usual = names.into_iter().rev().max_by_key(|(_, count)| *count);
        Term { key: key.to_owned(), name: usual.map(|(name, _)| name).unwrap_or_default(), slug, entries }
    });
    terms.collect()
}

/// Returns a text or a number as text.
pub fn word(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Integer(number) => Some(number.to_string()),
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
