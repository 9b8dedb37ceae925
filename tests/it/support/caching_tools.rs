//! Tools that run esbuild once and cache its results and those of the prerenderer in memory, so that a test can build a
//! site a thousand times.

use sitegen::cache::Cache;
use sitegen::diagnostics::Diagnostic;
use sitegen::sources::Digest;
use sitegen::tools::{Bundled, Bundling, DiskTools, Files, Tools};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

/// See the module.
pub struct CachingTools {
    disk: DiskTools,
    bundles: Mutex<HashMap<String, Bundled>>,
    results: Mutex<HashMap<Digest, Vec<u8>>>,
    cache: Cache,
}

impl CachingTools {
    /// Creates the tools of the project in `root`.
    pub fn of(root: &Path) -> Self {
        CachingTools {
            disk: DiskTools::of(root),
            bundles: Mutex::default(),
            results: Mutex::default(),
            cache: Cache::default(),
        }
    }
}

impl Tools for CachingTools {
    /// Tests that use this never change a stylesheet, a script or an asset, so its options identify a run.
    fn bundle(&self, bundling: &Bundling, files: &Files) -> Result<Bundled, Diagnostic> {
        let key = format!("{:?} {:?} {:?}", bundling.written, bundling.entries, bundling.options);
        let mut bundles = self.bundles.lock().unwrap();
        if let Some(bundled) = bundles.get(&key) {
            return Ok(bundled.clone());
        }
        let bundled = self.disk.bundle(bundling, files)?;
        bundles.insert(key, bundled.clone());
        Ok(bundled)
    }

    fn package_digest(&self, path: &str) -> Option<Digest> {
        self.disk.package_digest(path)
    }

    fn package(&self, name: &str) -> Option<String> {
        self.disk.package(name)
    }

    fn cached(&self, key: &Digest) -> Option<Vec<u8>> {
        self.results.lock().unwrap().get(key).cloned()
    }

    fn store_cached(&self, key: &Digest, bytes: &[u8]) {
        self.results.lock().unwrap().insert(*key, bytes.to_vec());
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }
}
