//! The tools of a site without islands, which needs no program.

use sitegen::cache::Cache;
use sitegen::diagnostics::Diagnostic;
use sitegen::sources::Digest;
use sitegen::tools::{Bundled, Bundling, Files, Tools};

/// Has a cache that lasts as long as itself, and nothing else.
#[derive(Default)]
pub struct NoTools(Cache);

impl Tools for NoTools {
    fn bundle(&self, _: &Bundling, _: &Files) -> Result<Bundled, Diagnostic> {
        Ok(Bundled::default())
    }

    fn package_digest(&self, _: &str) -> Option<Digest> {
        None
    }

    fn package(&self, _: &str) -> Option<String> {
        None
    }

    fn cached(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn store_cached(&self, _: &Digest, _: &[u8]) {}

    fn cache(&self) -> &Cache {
        &self.0
    }
}
