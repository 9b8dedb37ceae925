//! Indexes that are made when a browser asks for them.

use super::index::{Document, File, index};
use super::page::Page;
use sitegen_core::cache::{Cache, digest_of};
use sitegen_core::sources::Digest;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The pages of one language, from which an index is made.
#[derive(Hash)]
pub struct Pages {
    /// The name of the index, see [`index_name`](super::index_name).
    pub name: String,
    /// The address of each page and what it says, in the order of addresses.
    pub pages: Vec<(String, Arc<Page>)>,
}

impl Pages {
    /// Makes the index, the entry last.
    pub fn index(&self, cache: &Cache) -> Arc<Vec<File>> {
        let documents = self.pages.iter().map(|(address, page)| Document { address: address.clone(), page });
        index(&self.name, &documents.collect::<Vec<_>>(), cache)
    }

    /// Puts the index off until somebody asks for one of its files. An edit then costs no index.
    pub fn later(self, cache: &Cache) -> Later {
        let digest = digest_of(&self);
        // Whoever asks has no cache of a build. The index has its own, which the builds of a server share.
        let own = digest_of("search cache");
        let cache = cache.get(&own).unwrap_or_else(|| {
            let new = Arc::new(Cache::default());
            cache.store(own, new.clone());
            new
        });
        Later { digest, pages: self, cache, files: OnceLock::new() }
    }
}

/// An index that is made once, when somebody asks for it.
pub struct Later {
    digest: Digest,
    pages: Pages,
    cache: Arc<Cache>,
    files: OnceLock<Arc<Vec<File>>>,
}

impl Later {
    /// What identifies it before it is made.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns its entry.
    pub fn entry(&self) -> Option<&Arc<[u8]>> {
        self.files().last().map(|(_, bytes)| bytes)
    }

    /// Returns one of its other files, by the path from the site's root.
    pub fn file(&self, path: &str) -> Option<&Arc<[u8]>> {
        let mut files = self.files().iter();
        files.find(|(own, _)| own.trim_start_matches('/') == path).map(|(_, bytes)| bytes)
    }

    fn files(&self) -> &[File] {
        self.files.get_or_init(|| {
            let files = self.pages.index(&self.cache);
            self.cache.evict_unused();
            files
        })
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "the index of {} pages", self.pages.pages.len())
    }
}
