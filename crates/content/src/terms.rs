//! Terms: the values of a key that group entries, such as tags.

use super::fold::folded;
use super::yaml::{Node, Value};
use parking_lot::RwLock;
use sitegen_core::paths::composed;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, OnceLock};

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
    /// Another term that has the same address.
    pub clash: Option<String>,
}

/// The terms of a key.
#[derive(Debug, Default)]
pub struct Terms {
    /// The terms, in the order of their slugs. Of those with the same slug, the most frequent comes first.
    pub all: Vec<Arc<Term>>,
    /// The numbers of entries with a value from which no address can be made.
    pub without_address: Vec<usize>,
    related: Related,
}

/// What [`Terms::related`] has found. It follows from the terms.
#[derive(Default)]
struct Related {
    /// The places of the terms of each entry that has any.
    by_entry: OnceLock<HashMap<usize, Vec<u32>>>,
    found: RwLock<Found>,
}

impl Debug for Related {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str("Related")
    }
}

/// Numbers of entries by the places of the terms that they share and a limit.
type Found = HashMap<(Vec<u32>, usize), Arc<Vec<usize>>>;

impl Terms {
    /// Returns the numbers of the entries that share terms with one: at most so many, those with most of them first.
    ///
    /// On a site that calls this on the page of each entry, entries with the same terms are compared with the others once.
    pub fn related(&self, own: usize, limit: usize) -> Vec<usize> {
        let Some(shared) = self.by_entry().get(&own) else { return Vec::new() };
        let key = (shared.clone(), limit);
        let known = self.related.found.read().get(&key).cloned();
        let nearest = known.unwrap_or_else(|| {
            // The entry itself is among them.
            let nearest = Arc::new(self.sharing(shared, limit.saturating_add(1)));
            self.related.found.write().insert(key, nearest.clone());
            nearest
        });
        nearest.iter().copied().filter(|number| *number != own).take(limit).collect()
    }

    /// The entries with some of these terms: those with most of them, and of those the first.
    fn sharing(&self, terms: &[u32], limit: usize) -> Vec<usize> {
        let entries = || terms.iter().flat_map(|term| &self.all[*term as usize].entries);
        let mut counts = vec![0u32; entries().max().map_or(0, |last| last + 1)];
        entries().for_each(|number| counts[*number] += 1);
        let mut numbers: Vec<usize> = (0..counts.len()).filter(|number| counts[*number] > 0).collect();
        let rank = |number: &usize| (Reverse(counts[*number]), *number);
        if limit < numbers.len() {
            numbers.select_nth_unstable_by_key(limit, rank);
            numbers.truncate(limit);
        }
        numbers.sort_unstable_by_key(rank);
        numbers
    }

    fn by_entry(&self) -> &HashMap<usize, Vec<u32>> {
        self.related.by_entry.get_or_init(|| {
            let mut terms: HashMap<usize, Vec<u32>> = HashMap::new();
            for (at, term) in (0..).zip(&self.all) {
                term.entries.iter().for_each(|number| terms.entry(*number).or_default().push(at));
            }
            terms
        })
    }
}

/// Groups values of a key by their terms. Each value comes with the number of its entry. Values that differ in letter case,
/// accents, spaces or hyphens only are one term, called as most entries call it.
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
    type Spellings = Vec<(String, Vec<usize>)>;
    let mut by_slug: BTreeMap<String, BTreeMap<String, Spellings>> = BTreeMap::new();
    for (name, entries) in by_name {
        by_slug
            .entry(slug::slugify(composed(&name)))
            .or_default()
            .entry(spelling(&name))
            .or_default()
            .push((name, entries));
    }
    for (_, entries) in by_slug.remove("").unwrap_or_default().into_values().flatten() {
        without_address.extend(entries);
    }
    without_address.sort_unstable();
    without_address.dedup();
    let term = |slug: &str, mut names: Spellings| {
        // The most frequent first, and of names as frequent as each other the first by letters.
        names.sort_unstable_by(|(a, of_a), (b, of_b)| of_b.len().cmp(&of_a.len()).then_with(|| a.cmp(b)));
        let spellings = names.len();
        let mut entries: Vec<usize> = names.iter().flat_map(|(_, entries)| entries).copied().collect();
        entries.sort_unstable();
        // An entry may name a term twice.
        entries.dedup();
        let name = names.into_iter().next().map(|(name, _)| name).unwrap_or_default();
        Term { key: key.to_owned(), name, slug: slug.to_owned(), entries, spellings, clash: None }
    };
    let mut all = Vec::with_capacity(by_slug.len());
    for (slug, names) in by_slug {
        let mut same: Vec<Term> = names.into_values().map(|names| term(&slug, names)).collect();
        same.sort_unstable_by(|a, b| b.entries.len().cmp(&a.entries.len()).then_with(|| a.name.cmp(&b.name)));
        let first = same[0].name.clone();
        same.iter_mut().skip(1).for_each(|term| term.clash = Some(first.clone()));
        all.extend(same.into_iter().map(Arc::new));
    }
    Terms { all, without_address, ..Terms::default() }
}

impl Term {
    /// Returns what the term is called: what `term_names` in `site.yaml` says, or else the value as entries write it. `site` has the keys
    /// of that file in a language.
    pub fn name_in<'s>(&'s self, site: &'s Node, collection: &str) -> &'s str {
        let names = site.get("term_names").and_then(|all| all.get(&format!("{collection}.{}", self.key)));
        let named =
            names.into_iter().flat_map(Node::entries).find(|(name, _)| spelling(&name.name) == spelling(&self.name));
        named.and_then(|(_, value)| value.text()).filter(|name| !name.is_empty()).unwrap_or(&self.name)
    }
}

/// Returns what is the same in all spellings of a term: its letters and signs without case and accents.
pub fn spelling(name: &str) -> String {
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, '-' | '_' | '.' | ',' | '\'' | '’');
    let folded = folded(name);
    folded.split(is_between).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns text or a number as text.
pub fn word(node: &Node) -> Option<Cow<'_, str>> {
    match &node.value {
        Value::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(composed),
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

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::Span;

    #[test]
    fn spellings_of_a_word_are_one_term_and_other_signs_make_another() {
        let names = ["C", "C++", "c", "C#", "C", "Craft beer", "craft-beer", "Café", "cafe", "C++"];
        let node = |name: &str| Node { value: Value::Text(name.to_owned()), span: Span::default() };
        let terms = group("tags", names.iter().enumerate().map(|(number, name)| (number, Cow::Owned(node(name)))));
        let read: Vec<(&str, &str, usize, Option<&str>)> =
            terms.all.iter().map(|term| (&*term.slug, &*term.name, term.spellings, term.clash.as_deref())).collect();
        assert_eq!(
            read,
            [
                ("c", "C", 2, None),
                ("c", "C++", 1, Some("C")),
                ("c", "C#", 1, Some("C")),
                ("cafe", "Café", 2, None),
                ("craft-beer", "Craft beer", 2, None),
            ]
        );
    }
}
