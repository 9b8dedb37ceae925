//! What follows from the values of single keys in all entries of a collection: their order by some, and the terms of one. An
//! edit of another key leaves it as it is.

use super::super::collections::{Collection, EntryChunk};
use super::super::fold::{date_of, folded};
use super::super::page_source::Sort;
use super::super::terms::{Terms, group};
use super::super::yaml::{Node, Value};
use jiff::Timestamp;
use sitegen_core::cache::{Cache, Digested, Query, digest_of};
use sitegen_core::sources::Digest;
use sitegen_locale::order::Order;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::sync::Arc;

/// All entries of a collection in an order.
#[derive(Debug)]
pub struct Sorted {
    /// The numbers of the entries, expired ones too.
    pub order: Vec<usize>,
    /// The place of each entry in it.
    pub ranks: Vec<usize>,
    /// For each key that they are sorted by, the numbers of the entries without it.
    pub lacking: Vec<Vec<usize>>,
    /// For each key, the entries whose value is of another kind than most, and that kind.
    pub odd: Vec<Option<Odd>>,
}

/// Entries whose values cannot be compared with most of the others.
#[derive(Debug, PartialEq, Eq)]
pub struct Odd {
    /// The numbers of the entries.
    pub numbers: Vec<usize>,
    /// What the others are: `dates` or `numbers`.
    pub most: &'static str,
}

/// Returns the entries of a collection, sorted. Their texts are in the order of a language.
pub fn sorted(collection: &Collection, by: &[Sort], language: &str, cache: &Cache) -> Arc<Sorted> {
    let keys = by.iter().map(|sort| sort.key.as_str());
    let Ok(sorted) = cache.query(&SortedBy { collection: with_values(collection, keys, cache), by, language });
    sorted
}

/// Returns the terms of a key in the entries of a collection.
pub fn terms(collection: &Collection, key: &str, cache: &Cache) -> Arc<Terms> {
    collection.terms_by(key, || {
        let Ok(terms) = cache.query(&TermsOf { collection: with_values(collection, [key], cache), key });
        terms
    })
}

#[derive(Hash)]
struct SortedBy<'a> {
    collection: Digested<&'a Collection>,
    by: &'a [Sort],
    language: &'a str,
}

impl Query for SortedBy<'_> {
    const KIND: &'static str = "sorted entries";
    type Output = Sorted;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Sorted, Infallible> {
        let mut order: Vec<usize> = (0..self.collection.len()).collect();
        sort(&self.collection, &mut order, self.by, self.language);
        let mut ranks = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, number)| ranks[*number] = rank);
        let lacking = self.by.iter().map(|sort| {
            let entries = self.collection.iter().enumerate();
            entries.filter(|(_, entry)| entry.value(&sort.key).is_none()).map(|(number, _)| number).collect()
        });
        let odd = self.by.iter().map(|sort| odd(&self.collection, &sort.key)).collect();
        Ok(Sorted { ranks, lacking: lacking.collect(), odd, order })
    }
}

#[derive(Hash)]
struct TermsOf<'a> {
    collection: Digested<&'a Collection>,
    key: &'a str,
}

impl Query for TermsOf<'_> {
    const KIND: &'static str = "terms";
    type Output = Terms;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Terms, Infallible> {
        let shown = self.collection.iter().enumerate().filter(|(_, entry)| !entry.is_expired());
        Ok(group(self.key, shown.filter_map(|(number, entry)| Some((number, entry.value(self.key)?)))))
    }
}

/// A collection of which nothing is read but the places of its entries and the values of some keys.
fn with_values<'c, 'k>(
    collection: &'c Collection,
    keys: impl IntoIterator<Item = &'k str>,
    cache: &Cache,
) -> Digested<&'c Collection> {
    let mut parts = vec![collection.places];
    for key in keys {
        parts.extend(collection.chunks().iter().map(|chunk| {
            let Ok(digest) = cache.query(&Values { chunk: Digested::new(&**chunk, chunk.keys), key });
            *digest
        }));
    }
    Digested::by(collection, parts)
}

/// The values of a key in the entries of a chunk.
#[derive(Hash)]
struct Values<'a> {
    chunk: Digested<&'a EntryChunk>,
    key: &'a str,
}

impl Query for Values<'_> {
    const KIND: &'static str = "values of a key";
    type Output = Digest;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Digest, Infallible> {
        Ok(digest_of(&self.chunk.entries.iter().map(|entry| entry.value(self.key)).collect::<Vec<_>>()))
    }
}

/// Sorts entries. Those that are equal keep their order; those without a key come last.
fn sort(collection: &Collection, numbers: &mut [usize], by: &[Sort], language: &str) {
    let language = Order::of(language);
    for Sort { key, is_descending } in by.iter().rev() {
        let node = |number: &usize| collection.nth(*number).and_then(|entry| entry.value(key));
        let nodes: Vec<Option<Cow<Node>>> = numbers.iter().map(node).collect();
        let values = nodes.iter().map(|node| SortValue::of(node.as_deref(), language));
        let mut keyed: Vec<(SortValue, usize)> = values.zip(numbers.iter().copied()).collect();
        keyed.sort_by(|(a, _), (b, _)| match (a, b) {
            (SortValue::Absent, _) | (_, SortValue::Absent) => a.cmp(b, language),
            _ if *is_descending => b.cmp(a, language),
            _ => a.cmp(b, language),
        });
        numbers.iter_mut().zip(keyed).for_each(|(place, (_, number))| *place = number);
    }
}

/// Finds the entries whose value of a key cannot be compared with the others, which are dates or numbers. Among texts, as titles are,
/// there may be numbers and dates. But beside dates, what speaks of a date was meant as one.
fn odd(collection: &Collection, key: &str) -> Option<Odd> {
    let is_date = key.to_ascii_lowercase().ends_with("date");
    let mut numbers: [Vec<usize>; 4] = Default::default();
    let mut meant_as_dates = Vec::new();
    for (number, entry) in collection.iter().enumerate() {
        // An empty value sorts with the entries that lack the key.
        if let Some(node) = entry.value(key).filter(|node| node.value != Value::Null) {
            let value = SortValue::of(Some(&*node), None);
            if !matches!(value, SortValue::Moment(..)) && (is_date || value.speaks_of_date()) {
                meant_as_dates.push(number);
            }
            numbers[usize::from(value.kind())].push(number);
        }
    }
    let count: usize = numbers.iter().map(Vec::len).sum();
    let are_most = |kind: usize| numbers[kind].len() * 2 > count;
    let others = |kind: usize| {
        numbers.iter().enumerate().filter(|(other, _)| *other != kind).flat_map(|(_, of)| of).copied().collect()
    };
    let has_dates = !numbers[1].is_empty();
    let (most, mut numbers): (_, Vec<usize>) = match () {
        () if are_most(1) => ("dates", others(1)),
        () if are_most(0) && !(is_date && has_dates) => ("numbers", others(0)),
        () if has_dates => ("dates", meant_as_dates),
        () => return None,
    };
    numbers.sort_unstable();
    (!numbers.is_empty()).then_some(Odd { numbers, most })
}

/// A value as lists sort it: numbers by size, dates by their moments, texts as the language orders them or else by their letters
/// whatever their case and accents, other values as absent.
#[derive(PartialEq)]
enum SortValue<'a> {
    Number(f64),
    /// A day or a moment, and as written.
    Moment(Timestamp, &'a str),
    /// Folded, unless the language has an order of its own, and as written.
    Text(Cow<'a, str>, &'a str),
    Absent,
}

impl<'a> SortValue<'a> {
    fn of(node: Option<&'a Node>, language: Option<Order>) -> Self {
        match node.map(|node| &node.value) {
            Some(Value::Integer(number)) => SortValue::Number(*number as f64),
            Some(Value::Float(number)) => SortValue::Number(*number),
            Some(Value::Bool(value)) => SortValue::Number(f64::from(u8::from(*value))),
            Some(Value::Text(text)) => match date_of(text) {
                Some(moment) => SortValue::Moment(moment, text),
                None if language.is_some() => SortValue::Text(Cow::Borrowed(text), text),
                None => SortValue::Text(folded(text), text),
            },
            _ => SortValue::Absent,
        }
    }

    /// Whether a text or a number has a year in it, and hardly more than a date: `2 January 2011`, `2011-01`, `20260601`.
    fn speaks_of_date(&self) -> bool {
        let text = match self {
            SortValue::Text(_, text) => Cow::Borrowed(*text),
            SortValue::Number(number) => Cow::Owned(number.to_string()),
            SortValue::Moment(..) | SortValue::Absent => return false,
        };
        let has_year = |digits: &str| matches!(digits.len(), 4 | 8) && digits.starts_with(['1', '2']);
        let has_day = text.starts_with(|letter: char| letter.is_ascii_digit())
            && text.bytes().filter(u8::is_ascii_digit).count() > 4;
        let mut numbers = text.split(|letter: char| !letter.is_ascii_digit());
        has_day && text.split_whitespace().count() <= 3 && numbers.any(has_year)
    }

    fn kind(&self) -> u8 {
        match self {
            SortValue::Number(_) => 0,
            SortValue::Moment(..) => 1,
            SortValue::Text(..) => 2,
            SortValue::Absent => 3,
        }
    }

    fn cmp(&self, other: &Self, language: Option<Order>) -> Ordering {
        use SortValue::{Moment, Number, Text};
        match (self, other) {
            (Number(a), Number(b)) => a.total_cmp(b),
            (Moment(a, c), Moment(b, d)) => a.cmp(b).then_with(|| c.cmp(d)),
            (Text(a, c), Text(b, d)) => {
                language.map_or_else(|| a.cmp(b), |language| language.compare(a, b)).then_with(|| c.cmp(d))
            }
            (a, b) => a.kind().cmp(&b.kind()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::schema::Schemas;
    use super::*;
    use crate::assets::Assets;
    use crate::entries::Entries;
    use crate::schedule::Schedule;
    use sitegen_core::diagnostics::Span;
    use sitegen_core::profile::Visibility;
    use sitegen_core::sources::Sources;

    /// A collection of some chunks, in which one entry has these keys.
    fn news(cache: &Cache, keys: &str) -> Collection {
        let file = |number: usize| {
            let keys = if number == 150 {
                keys.to_owned()
            } else {
                format!("title: A\ntags: [beer]\ndate: 2026-01-{}\n", number % 20 + 10)
            };
            (format!("content/news/{number}.yaml"), keys)
        };
        collection(cache, (0..200).map(file))
    }

    /// The collection `news` with these files.
    fn collection(cache: &Cache, files: impl Iterator<Item = (String, String)>) -> Collection {
        let sources = Sources::from_files(files);
        let site = Node { value: Value::Map(Vec::new()), span: Span::default() };
        let visibility = Visibility { today: jiff::civil::date(2026, 3, 1), drafts: false };
        let assets = Assets::default();
        let beside = Digested::new(&assets, Digest::default());
        let reading = Entries {
            visibility,
            site: Digested::new(&site, Digest::default()),
            beside,
            hides: false,
            is_site_wrong: false,
        };
        reading
            .all(&sources, &Schemas::default(), cache, &mut Schedule::default(), &mut Vec::new())
            .collections
            .remove("news")
            .unwrap()
    }

    #[test]
    fn dates_sort_by_moments_and_texts_whatever_their_case_and_accents() {
        let sorted = |texts: &[&'static str], language: &str| {
            let language = Order::of(language);
            let nodes = texts.iter().map(|text| Node { value: Value::Text((*text).to_owned()), span: Span::default() });
            let nodes: Vec<Node> = nodes.collect();
            let mut values: Vec<(SortValue, &str)> =
                nodes.iter().map(|node| SortValue::of(Some(node), language)).zip(texts.iter().copied()).collect();
            values.sort_by(|(a, _), (b, _)| a.cmp(b, language));
            values.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        let names = ["Zoe", "Émile", "emil", "Äbel", "Abel", "E\u{301}mile 2"];
        assert_eq!(sorted(&names, "en"), ["Abel", "Äbel", "emil", "Émile", "E\u{301}mile 2", "Zoe"]);
        assert_eq!(sorted(&names, "sv"), ["Abel", "emil", "Émile", "E\u{301}mile 2", "Zoe", "Äbel"]);
        let moments = ["2026-05-04T23:00-05:00", "soon", "2026-05-05T01:00+02:00", "2026-05-05", "2026-02-30"];
        assert_eq!(
            sorted(&moments, "sv"),
            ["2026-05-05T01:00+02:00", "2026-05-05", "2026-05-04T23:00-05:00", "2026-02-30", "soon"]
        );
    }

    #[test]
    fn values_beside_dates_that_were_meant_as_dates_are_odd() {
        let odd = |key: &str, values: &[&str]| {
            let file = |(number, value): (usize, &&str)| {
                (format!("content/news/{number}.yaml"), format!("title: A\n{key}: {value}\n"))
            };
            let news = collection(&Cache::default(), values.iter().enumerate().map(file));
            odd(&news, key).map(|odd| (odd.numbers, odd.most))
        };
        let dates = |numbers: &[usize]| Some((numbers.to_vec(), "dates"));
        for text in ["2 January 2011", "2011-01", "2026-06-01 10:00 CET", "2026-02-30"] {
            for key in ["date", "day", "updateDate"] {
                assert_eq!(odd(key, &[text, "2026-06-01"]), dates(&[0]), "{key}: {text}");
                assert_eq!(odd(key, &["2026-06-01", text, text, text]), dates(&[1, 2, 3]), "{key}: {text}");
            }
        }
        assert_eq!(odd("date", &["soon", "2026-06-01"]), dates(&[0]));
        assert_eq!(odd("date", &["20260601", "20260602", "2026-06-01"]), dates(&[0, 1]));
        assert_eq!(odd("day", &["20260601", "2026-06-01"]), dates(&[0]));
        assert_eq!(odd("date", &["2011", "2012", "2026-06-01"]), dates(&[0, 1]));
        assert_eq!(odd("year", &["2011", "2012", "2026-06-01"]), Some((vec![2], "numbers")));
        for titles in
            [&["Bread", "2026-06-01"][..], &["24 loaves", "2026-06-01", "Bread of 2011"], &["2 January 2011", "soon"]]
        {
            assert_eq!(odd("title", titles), None, "{titles:?}");
        }
    }

    #[test]
    fn only_an_edit_of_their_keys_changes_the_order_and_the_terms() {
        let cache = Cache::default();
        let by = [Sort { key: "date".to_owned(), is_descending: true }];
        let of = |keys: &str| {
            let news = news(&cache, keys);
            (sorted(&news, &by, "en", &cache), terms(&news, "tags", &cache))
        };
        let (order, tags) = of("title: A\ntags: [beer]\ndate: 2026-02-01\n");
        assert_eq!((tags.all.len(), order.lacking.len()), (1, 1));
        for (keys, same_order, same_terms) in [
            // Longer, so that the other keys stand elsewhere.
            ("# A comment\ntitle: Another\ntags: [ beer ]\ndate: \"2026-02-01\"\n", true, true),
            ("title: A\ntags: [beer]\ndate: 2026-01-01\n", false, true),
            ("title: A\ntags: [beer]\n", false, true),
            ("title: A\ntags: [Beer]\ndate: 2026-02-01\n", true, false),
            ("title: A\ntags: beer\ndate: 2026-02-01\n", true, false),
            ("title: A\ntags: [beer]\ndate: 2026-02-01\nexpires: 2020-01-01\n", false, false),
            ("title: A\ntags: [beer]\ndate: 2026-02-01\norder: 1\n", false, false),
        ] {
            let (other_order, other_tags) = of(keys);
            assert_eq!(Arc::ptr_eq(&order, &other_order), same_order, "order: {keys}");
            assert_eq!(Arc::ptr_eq(&tags, &other_tags), same_terms, "terms: {keys}");
        }
    }
}
