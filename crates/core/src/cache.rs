//! The results of earlier builds, by the digest of everything they were made from.
//!
//! A pure function whose result is stored under the digest of its arguments need not run again. Time stamps play no
//! part, so a warm build gives the same bytes as a clean one. [`Persistent`] values are saved between processes as one
//! file; everything else lasts as long as the process, which makes the development server quick. Most results are those of
//! a [`Query`], whose key follows from its inputs; the key of any other is the [`digest_of`] what it is made from.
//!
//! The cache keeps only what was used since the last eviction, so it follows the size of the site and does not grow. What a
//! query asks of others is recorded, and kept as long as its result is used: a chunk of pages stands for each of them.

mod audit;
mod query;

pub use audit::Asked;
pub use query::{Aside, Digested, Query, digest_of};

use crate::parallel;
use crate::sources::{Digest, Fingerprint, fingerprint};
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// See [`name_engine`].
static ENGINE: OnceLock<&str> = OnceLock::new();

/// Names the code of the whole engine, with which every key and every saved cache begins: another version may give other
/// results. It counts if it comes before the first key. A program without a name is one that saves nothing, such as a test.
pub fn name_engine(name: &'static str) {
    let _ = ENGINE.set(name);
}

fn engine() -> &'static str {
    ENGINE.get_or_init(|| "")
}

/// Pages are looked up from several threads at once; with a single lock they would wait for each other.
const SHARDS: usize = 16;
/// Eviction looks at every entry. It runs after this many new entries, or after a fraction of all.
const EVICT_AFTER: usize = 64;
const EVICT_FRACTION: usize = 8;

/// A value that is saved between processes.
pub trait Persistent: Serialize + DeserializeOwned + Any + Send + Sync {}

/// The result of a query that only finds mistakes, if there are none.
impl Persistent for () {}

/// Maps by digest. A digest is as good as random, so its first bytes serve as the hash. With the standard library's
/// hash, lookups took a fifth of the time that the cache costs a build in which nothing has changed.
type ByDigest<T> = HashMap<Digest, T, BuildHasherDefault<FirstBytes>>;

/// See [`ByDigest`].
#[derive(Default)]
struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn write(&mut self, bytes: &[u8]) {
        // The standard library writes the number of bytes first, then the bytes.
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The results of this process and of earlier ones.
#[derive(Default)]
pub struct Cache {
    results: Arc<Results>,
    /// The keys that a query asks for, while it runs.
    asked: Option<Mutex<Vec<Digest>>>,
    /// Whether a query runs once more, to be compared with the result that the cache has.
    is_comparison: bool,
}

#[derive(Default)]
struct Results {
    shards: [Mutex<ByDigest<Entry>>; SHARDS],
    saved: Saved,
    /// Entries stored since the last eviction.
    fresh: AtomicUsize,
    audit: audit::Audit,
}

/// Encodes a value as the bytes that are saved between processes. `None` if it is of another type.
type Encode = fn(&(dyn Any + Send + Sync)) -> Option<Vec<u8>>;

struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    /// How to save it, if it is saved.
    encode: Option<Encode>,
    /// Whether an earlier process saved it.
    is_from_disk: bool,
    is_used: bool,
    /// Keys of the results that it stands for.
    parts: Vec<Digest>,
}

/// The cache of an earlier process, not yet decoded.
#[derive(Default)]
struct Saved {
    bytes: Vec<u8>,
    places: ByDigest<Range<usize>>,
}

fn encode<T: Persistent>(value: &(dyn Any + Send + Sync)) -> Option<Vec<u8>> {
    postcard::to_stdvec(value.downcast_ref::<T>()?).ok()
}

impl Cache {
    /// Reads what [`save`](Cache::save) gave. Anything else, damaged or of another version, gives an empty cache.
    pub fn load(bytes: Vec<u8>) -> Self {
        let results = Results { saved: Saved::read(bytes).unwrap_or_default(), ..Results::default() };
        Cache { results: Arc::new(results), ..Cache::default() }
    }

    /// Returns the result stored under a key by this process.
    pub fn get<T: Any + Send + Sync>(&self, key: &Digest) -> Option<Arc<T>> {
        let mut shard = self.shard(key);
        let entry = shard.get_mut(key)?;
        entry.is_used = true;
        entry.value.clone().downcast().ok()
    }

    /// Returns the result stored under a key by this process or an earlier one.
    pub fn get_saved<T: Persistent>(&self, key: &Digest) -> Option<Arc<T>> {
        if let Some(value) = self.get(key) {
            return Some(value);
        }
        let saved = &self.results.saved;
        let bytes = &saved.bytes[saved.places.get(key)?.clone()];
        let value = Arc::new(postcard::from_bytes::<T>(bytes).ok()?);
        self.insert(*key, Entry { is_from_disk: true, ..Entry::of(value.clone(), Some(encode::<T>), Vec::new()) });
        Some(value)
    }

    /// Stores a result for this process.
    pub fn store<T: Any + Send + Sync>(&self, key: Digest, value: Arc<T>) {
        self.store_group(key, value, Vec::new());
    }

    /// Stores a result for this process, and keeps those under `parts` as long as this one is used: whoever gets it
    /// does not ask for them, and needs them when one of them changes.
    pub fn store_group<T: Any + Send + Sync>(&self, key: Digest, value: Arc<T>, parts: Vec<Digest>) {
        self.insert(key, Entry::of(value, None, parts));
    }

    /// Stores a result for this process and for later ones.
    pub fn store_saved<T: Persistent>(&self, key: Digest, value: Arc<T>) {
        self.insert(key, Entry::of(value, Some(encode::<T>), Vec::new()));
    }

    /// Keeps the result of a query that is not asked for in this build, and may be in the next one.
    pub fn keep(&self, query: &impl Query) {
        self.mark_used(&query.key());
    }

    /// Marks a result as used, if there is one. Returns the keys that it stands for, unless they are marked already.
    fn mark_used(&self, key: &Digest) -> Vec<Digest> {
        let mut shard = self.shard(key);
        let Some(entry) = shard.get_mut(key) else { return Vec::new() };
        if std::mem::replace(&mut entry.is_used, true) { Vec::new() } else { entry.parts.clone() }
    }

    /// Drops every entry that was neither read nor stored since the last eviction. Runs once enough new entries have
    /// come.
    pub fn evict_unused(&self) {
        let Results { shards, fresh: count, .. } = &*self.results;
        let all: usize = shards.iter().map(|shard| lock(shard).len()).sum();
        let fresh = count.load(Ordering::Relaxed);
        if fresh < EVICT_AFTER.max(all / EVICT_FRACTION) {
            return;
        }
        count.store(0, Ordering::Relaxed);
        let used = |entry: &Entry| if entry.is_used { entry.parts.clone() } else { Vec::new() };
        let mut parts: Vec<Digest> =
            shards.iter().flat_map(|shard| lock(shard).values().flat_map(used).collect::<Vec<_>>()).collect();
        while let Some(part) = parts.pop() {
            parts.extend(self.mark_used(&part));
        }
        for shard in shards {
            lock(shard).retain(|_, entry| std::mem::take(&mut entry.is_used));
        }
    }

    /// Returns everything that later processes may use, in the order of its keys.
    ///
    /// The format: the fingerprint of all that follows, the engine's version, and for each result its key, its length
    /// as four bytes and its value.
    pub fn save(&self) -> Vec<u8> {
        let mut results = Vec::new();
        for shard in &self.results.shards {
            let shard = lock(shard);
            results.extend(shard.iter().filter_map(|(key, entry)| {
                let bytes = self.results.saved.places.get(key).filter(|_| entry.is_from_disk);
                let value = match bytes {
                    Some(place) => Cow::Borrowed(&self.results.saved.bytes[place.clone()]),
                    None => Cow::Owned((entry.encode?)(&*entry.value)?),
                };
                Some((*key, value))
            }));
        }
        parallel::sort_by(&mut results, |(a, _), (b, _)| a.cmp(b));
        let size: usize = results.iter().map(|(_, value)| value.len() + 36).sum();
        let mut bytes = Vec::with_capacity(size_of::<Fingerprint>() + engine().len() + size);
        bytes.extend_from_slice(&Fingerprint::default().to_le_bytes());
        bytes.extend_from_slice(engine().as_bytes());
        for (key, value) in results {
            let Ok(length) = u32::try_from(value.len()) else { continue };
            bytes.extend_from_slice(&key);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&value);
        }
        let (checksum, rest) = bytes.split_at_mut(size_of::<Fingerprint>());
        checksum.copy_from_slice(&fingerprint(rest).to_le_bytes());
        bytes
    }

    /// Whether [`save`](Cache::save) would give what this cache was loaded from: every loaded result was used, and
    /// nothing was added.
    pub fn is_saved(&self) -> bool {
        let mut from_disk = 0;
        let is_new = |entry: &Entry| entry.encode.is_some() && !entry.is_from_disk;
        for shard in &self.results.shards {
            let shard = lock(shard);
            if shard.values().any(is_new) {
                return false;
            }
            from_disk += shard.values().filter(|entry| entry.is_from_disk).count();
        }
        from_disk == self.results.saved.places.len() && !self.results.saved.bytes.is_empty()
    }

    fn insert(&self, key: Digest, entry: Entry) {
        // A result from disk was read just now.
        if !entry.is_from_disk {
            self.results.fresh.fetch_add(1, Ordering::Relaxed);
        }
        self.shard(&key).insert(key, entry);
    }

    fn shard(&self, key: &Digest) -> MutexGuard<'_, ByDigest<Entry>> {
        // The hash takes the first bytes. A shard is chosen by another one, since it would be the same for all keys of
        // a shard.
        lock(&self.results.shards[usize::from(key[31]) % SHARDS])
    }
}

impl Entry {
    fn of(value: Arc<dyn Any + Send + Sync>, encode: Option<Encode>, parts: Vec<Digest>) -> Self {
        Entry { value, encode, is_from_disk: false, is_used: true, parts }
    }
}

impl Saved {
    fn read(bytes: Vec<u8>) -> Option<Self> {
        let (expected, rest) = bytes.split_first_chunk()?;
        if fingerprint(rest).to_le_bytes() != *expected || !rest.starts_with(engine().as_bytes()) {
            return None;
        }
        let mut places = ByDigest::default();
        let mut at = expected.len() + engine().len();
        while at < bytes.len() {
            let key: Digest = bytes.get(at..at + 32)?.try_into().ok()?;
            let length = u32::from_le_bytes(bytes.get(at + 32..at + 36)?.try_into().ok()?) as usize;
            at += 36;
            bytes.get(at..at + length)?;
            places.insert(key, at..at + length);
            at += length;
        }
        Some(Saved { bytes, places })
    }
}

/// A thread that panicked while it held the lock has left nothing half-done: every change is one call of the map.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Persistent for String {}

    #[test]
    fn saved_results_are_read_and_damaged_ones_are_not() {
        let cache = Cache::default();
        let (saved, passing) = (digest_of(&"saved"), digest_of(&"passing"));
        cache.store_saved(saved, Arc::new("text".to_owned()));
        cache.store(passing, Arc::new(1u8));
        let bytes = cache.save();
        let later = Cache::load(bytes.clone());
        assert_eq!(later.get_saved::<String>(&saved).as_deref().map(String::as_str), Some("text"));
        assert!(later.get::<u8>(&passing).is_none());
        assert!(later.is_saved() && later.save() == bytes);
        later.store_saved(digest_of(&"more"), Arc::new("text".to_owned()));
        assert!(!later.is_saved() && !Cache::load(bytes.clone()).is_saved());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Cache::load(damaged).get_saved::<String>(&saved).is_none(), "byte {at}");
            assert!(Cache::load(bytes[..at].to_vec()).get_saved::<String>(&saved).is_none(), "cut at {at}");
        }
    }

    /// Stores enough other entries to trigger an eviction.
    fn trigger_eviction(cache: &Cache, round: usize) {
        for number in 0..EVICT_AFTER {
            cache.store(digest_of(&("other", round, number)), Arc::new(()));
        }
        cache.evict_unused();
    }

    #[test]
    fn unused_results_are_evicted() {
        let cache = Cache::default();
        let [used, unused, group, part] = ["used", "unused", "group", "part"].map(|kind| digest_of(&kind));
        cache.store(used, Arc::new(1u8));
        cache.store(unused, Arc::new(2u8));
        cache.store_saved(part, Arc::new("part".to_owned()));
        cache.store_group(group, Arc::new(3u8), vec![part]);
        trigger_eviction(&cache, 0);
        assert!(cache.get::<u8>(&used).is_some());
        assert!(cache.get::<u8>(&group).is_some());
        trigger_eviction(&cache, 1);
        assert!(cache.get::<u8>(&used).is_some() && cache.get::<u8>(&unused).is_none());
        assert!(cache.get::<String>(&part).is_some() && cache.get::<u8>(&group).is_some());
        trigger_eviction(&cache, 2);
        trigger_eviction(&cache, 3);
        assert!(cache.get::<String>(&part).is_none() && cache.get::<u8>(&group).is_none());
    }

    #[test]
    fn the_cache_does_not_grow() {
        let cache = Cache::default();
        for round in 0..100 {
            trigger_eviction(&cache, round);
        }
        let all: usize = cache.results.shards.iter().map(|shard| lock(shard).len()).sum();
        assert!(all <= 2 * EVICT_AFTER, "{all}");
    }
}
