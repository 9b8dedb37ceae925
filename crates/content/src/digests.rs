//! Digests of what pages may depend on besides their own files.

use super::collections::Collection;
use super::languages::Languages;
use super::outlines::Order;
use super::page_names::PageNames;
use sitegen_core::cache::digest_of;
use sitegen_core::profile::Profile;
use sitegen_core::sources::{Digest, SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Digests of what pages may depend on besides their own files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Digests {
    /// All of `content/` but pages and collections, the routes, and the options of the build.
    pub shared: Digest,
    /// The keys of all entries.
    pub collections: Digest,
    /// What lists of pages can show.
    pub pages: Digest,
}

/// Returns the digest of what every page may depend on: the options of the build, `site.yaml`, schemas, assets, public
/// files and routes.
pub fn shared_digest(
    sources: &Sources,
    profile: &Profile,
    order: &Order,
    unread: &BTreeSet<String>,
    names: &PageNames,
    languages: (&Languages, usize),
) -> Digest {
    // The day is left out: the routes, and for entries their collections, depend on what is shown that day.
    let read = sources.only(&[SourceKind::Settings, SourceKind::Schema, SourceKind::Asset, SourceKind::Public]);
    // References to entries that could not be read are not reported, and references to missing entries are.
    digest_of(&(profile.of_any_day(), read, unread, names, languages, order.digest))
}

/// Returns the digest of the keys of all entries.
pub fn collections_digest(collections: &BTreeMap<String, Collection>) -> Digest {
    digest_of(&collections.iter().map(|(name, collection)| (name, collection.keys)).collect::<Vec<_>>())
}
