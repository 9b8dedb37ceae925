//! What is known of a page once it is sealed.

use serde::{Deserialize, Serialize};
use sitegen_content::connections::Kind;
use sitegen_core::cache::Persistent;
use sitegen_core::shelf::Stored;
use sitegen_core::sources::{Digest, Fingerprint};
use sitegen_search as search;
use std::cmp::Ordering;
use std::sync::Arc;

/// A sealed page, with everything that the rest of the site needs to know of it. The cache keeps those of valid pages.
#[derive(Debug, Serialize, Deserialize)]
pub struct PageSummary {
    /// SHA-256 of the finished page, policy included.
    pub digest: Digest,
    /// Its fingerprint, which publishing compares.
    pub fingerprint: Fingerprint,
    /// Its size in bytes.
    pub len: u64,
    /// The ids that links can name, in order.
    pub ids: Texts,
    /// The digest of these, and of the sections in `links`.
    pub anchors: Digest,
    /// What it links to. Empty until its references are checked.
    pub links: Links,
    /// Its islands, each with a value of `hydrate` by which it is called.
    pub islands: Box<[(String, String)]>,
    /// The declared connections that it uses, by name.
    pub connections: Box<[(String, Kind)]>,
    /// The assets and copies of pictures that it names.
    pub pictures: Box<[String]>,
    /// What the search knows of it, if the site has one.
    pub search: Option<Arc<search::Page>>,
    /// The finished page, if this process rendered it.
    #[serde(skip)]
    pub bytes: Option<Stored>,
}

/// What a page links to, as far as the rest of the site has to know.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Links {
    /// Sections of other pages: a route and then an id each. Feeds and the icon: a path and nothing.
    sections: Texts,
    /// Pages of entries and feeds, by short names of their addresses.
    pub entries: Box<[u64]>,
}

/// Short texts in two pieces of memory, however many they are. Those of all pages stay in memory, where a list of a page's texts
/// would take twice as much.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Texts {
    joined: Box<str>,
    /// The offset in bytes where each ends.
    ends: Box<[u32]>,
}

impl Persistent for PageSummary {}

impl PageSummary {
    /// Whether an element of the page has this id.
    pub fn has_id(&self, id: &str) -> bool {
        self.ids.has(id)
    }
}

impl Links {
    /// Creates the links of a page from sections of other pages, each with its route, and the names of pages.
    pub fn new<'t>(sections: impl IntoIterator<Item = (&'t str, &'t str)>, entries: impl Into<Box<[u64]>>) -> Self {
        let sections = sections.into_iter().flat_map(|(route, id)| [route, id]).collect();
        Links { sections, entries: entries.into() }
    }

    /// Returns the sections of other pages: a route and an id each. Feeds and the icon: a path and nothing.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut texts = self.sections.iter();
        std::iter::from_fn(move || Some((texts.next()?, texts.next()?)))
    }
}

impl Texts {
    /// Returns them in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|number| self.at(number))
    }

    fn at(&self, number: usize) -> &str {
        let end = |number: usize| self.ends.get(number).map_or(0, |end| *end as usize);
        let begin = number.checked_sub(1).map_or(0, end);
        self.joined.get(begin..end(number)).unwrap_or_default()
    }

    /// Whether a text is among them, which are in order.
    fn has(&self, text: &str) -> bool {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.at(middle).cmp(text) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return true,
            }
        }
        false
    }
}

impl<'t> FromIterator<&'t str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Self {
        let (mut joined, mut ends) = (String::new(), Vec::new());
        for text in texts {
            joined.push_str(text);
            // No page is larger.
            ends.push(u32::try_from(joined.len()).unwrap_or(u32::MAX));
        }
        Texts { joined: joined.into(), ends: ends.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_as_they_were_put_in() {
        for texts in [&[][..], &[""], &["", "a", ""], &["über", "", "東京\0", "a\nb"]] {
            let put: Texts = texts.iter().copied().collect();
            assert_eq!(put.iter().collect::<Vec<_>>(), texts);
        }
        let sorted: Vec<String> = (10..60).map(|number| format!("id-{number}")).collect();
        let put: Texts = sorted.iter().map(String::as_str).collect();
        assert!(sorted.iter().all(|text| put.has(text)));
        assert!(["", "id-", "id-09", "id-5", "id-600", "z"].iter().all(|text| !put.has(text)));
        let links = Links::new([("/a", "b"), ("/feed.xml", "")], [7]);
        assert_eq!(links.sections().collect::<Vec<_>>(), [("/a", "b"), ("/feed.xml", "")]);
    }
}
