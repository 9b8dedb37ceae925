//! What is known of a page once it is sealed.

use serde::{Deserialize, Serialize};
use sitegen_content::connections::Kind;
use sitegen_core::cache::Persistent;
use sitegen_core::shelf::Stored;
use sitegen_core::sources::{Digest, Fingerprint};
use sitegen_search as search;
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
    pub ids: Vec<String>,
    /// The digest of these, and of the sections in `links`.
    pub anchors: Digest,
    /// What it links to. Empty until its references are checked.
    pub links: Links,
    /// Its islands, each with a value of `hydrate` by which it is called.
    pub islands: Vec<(String, String)>,
    /// The declared connections that it uses, by name.
    pub connections: Vec<(String, Kind)>,
    /// The assets and copies of pictures that it names.
    pub pictures: Vec<String>,
    /// What the search knows of it, if the site has one.
    pub search: Option<Arc<search::Page>>,
    /// The finished page, if this process rendered it.
    #[serde(skip)]
    pub bytes: Option<Stored>,
}

/// What a page links to, as far as the rest of the site has to know.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Links {
    /// Sections of other pages: a route and an id each. Feeds and the icon: a path and nothing.
    pub sections: Vec<(String, String)>,
    /// Pages of entries and feeds, by short names of their addresses.
    pub entries: Vec<u64>,
    /// The digest of these names.
    pub digest: Digest,
}

impl Persistent for PageSummary {}

impl PageSummary {
    /// Whether an element of the page has this id.
    pub fn has_id(&self, id: &str) -> bool {
        self.ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok()
    }
}
