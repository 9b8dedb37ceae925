//! A cache that several machines share. What is in it was made by the same version of the program from the same inputs.

use super::Tools;
use crate::sources::Digest;
use std::time::Duration;

/// A cache outside of the project. Its entries are authentic: a forged, cut or foreign one is not there. No method fails; a
/// cache that does not answer has nothing.
pub trait SharedCache: Send + Sync {
    /// Begins to fetch entries, in this order, so that they are there when they are asked for.
    fn prefetch(&self, keys: &[Digest]);

    /// Waits until all of these entries were fetched or are known to be missing, at most this long.
    fn wait_for(&self, keys: &[Digest], patience: Duration);

    /// Returns an entry, and waits for it at most this long.
    fn get(&self, key: &Digest, patience: Duration) -> Option<Vec<u8>>;

    /// Drops what was fetched and nobody has asked for.
    fn forget(&self);

    /// Begins to send an entry.
    fn put(&self, key: &Digest, bytes: Vec<u8>);

    /// Whether this build is made to fill it: what this machine has made before is sent too.
    fn is_filled(&self) -> bool;
}

/// Returns what is cached here under a key, or else in the shared cache. `patience` is the time that making it takes.
pub fn cached(tools: &dyn Tools, key: &Digest, patience: Duration) -> Option<Vec<u8>> {
    if let Some(bytes) = tools.cached(key) {
        send_known(tools, key, patience, || Some(bytes.clone()));
        return Some(bytes);
    }
    let bytes = tools.shared()?.get(key, patience)?;
    tools.store_cached(key, &bytes);
    Some(bytes)
}

/// Sends what was cached here before, if the shared cache is to be filled and lacks it.
pub fn send_known(tools: &dyn Tools, key: &Digest, patience: Duration, bytes: impl FnOnce() -> Option<Vec<u8>>) {
    if let Some(shared) = tools.shared().filter(|shared| shared.is_filled())
        && shared.get(key, patience).is_none()
        && let Some(bytes) = bytes()
    {
        shared.put(key, bytes);
    }
}

/// Caches bytes here and in the shared cache.
pub fn store(tools: &dyn Tools, key: &Digest, bytes: &[u8]) {
    tools.store_cached(key, bytes);
    if let Some(shared) = tools.shared() {
        shared.put(key, bytes.to_vec());
    }
}
