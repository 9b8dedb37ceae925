//! What earlier builds came to, by the digest of everything it was made from.
//!
//! A pure function whose result lies here under the digest of its arguments need not run again. Time stamps play no
//! part, so a warm build cannot be told from a cold one. Values that are [`Persistent`] between processes are saved as
//! one file; everything else lasts as long as the process, which is what makes the development server quick.
//!
//! Only what was used since it was tidied last is kept, so that memory follows the site and does not grow. A result that
//! stands for others, as a chunk of pages does for each of them, keeps those as long as it is used itself.

use crate::sources::{Digest, Fingerprint, fingerprint};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use std::any::Any;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Begins every key and every saved memory: another version of the engine may come to other results.
const ENGINE: &str = concat!("sitegen ", env!("CARGO_PKG_VERSION"), " ", env!("SITEGEN_ENGINE"));
/// Pages are looked up from several threads at once; one lock for all would make them wait for each other.
const SHARDS: usize = 16;
/// Tidying looks at everything that is remembered. It waits until so many results were kept, or a fraction of all.
const TIDIED_AFTER: usize = 64;
const TIDIED_FRACTION: usize = 8;

/// A value that is kept between processes.
pub trait Persistent: Serialize + DeserializeOwned + Any + Send + Sync {}

/// Maps by digest. A digest is as good as random, so that its first bytes are hash enough: with the hash of the standard
/// library, looking up was a fifth of what memory costs a build in which nothing has changed.
type ByDigest<T> = HashMap<Digest, T, BuildHasherDefault<FirstBytes>>;

/// See [`ByDigest`].
#[derive(Default)]
struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn write(&mut self, bytes: &[u8]) {
        // The number of bytes comes first, and then they do.
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What is remembered.
#[derive(Default)]
pub struct Cache {
    shards: [Mutex<ByDigest<Entry>>; SHARDS],
    saved: Saved,
    /// Results that were kept since it was tidied last.
    fresh: AtomicUsize,
}

/// Writes a value as the bytes that are kept between processes. Nothing if it is of another type.
type Encode = fn(&(dyn Any + Send + Sync)) -> Option<Vec<u8>>;

struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    /// How to save it, if it is to be.
    encode: Option<Encode>,
    /// Whether it was recalled from what an earlier process saved.
    is_from_disk: bool,
    is_used: bool,
    /// Keys of the results that it stands for.
    parts: Vec<Digest>,
}

/// What an earlier process saved, not yet decoded.
#[derive(Default)]
struct Saved {
    bytes: Vec<u8>,
    places: ByDigest<Range<usize>>,
}

/// A key in the making: everything that a result depends on is put into it.
pub struct Key(Sha256);

impl Key {
    /// Begins the key of a kind of result. Kinds never share keys.
    pub fn of(kind: &str) -> Self {
        // Every key begins with the engine, and a build of ten thousand pages makes forty thousand keys.
        static BEGUN: LazyLock<Sha256> = LazyLock::new(|| Key(Sha256::new()).with(ENGINE).0);
        Key(BEGUN.clone()).with(kind)
    }

    /// Adds something. Its length is part of the key, so that two parts never run together.
    pub fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        self.add(part);
        self
    }

    /// Adds something.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The key.
    pub fn done(self) -> Digest {
        self.0.finalize().into()
    }
}

fn encode<T: Persistent>(value: &(dyn Any + Send + Sync)) -> Option<Vec<u8>> {
    postcard::to_stdvec(value.downcast_ref::<T>()?).ok()
}

impl Cache {
    /// What was [saved](Memory::save). Anything else, damaged or of another version, is an empty memory.
    pub fn load(bytes: Vec<u8>) -> Self {
        Cache { saved: Saved::read(bytes).unwrap_or_default(), ..Cache::default() }
    }

    /// The result under a key that lasts as long as the process.
    pub fn get<T: Any + Send + Sync>(&self, key: &Digest) -> Option<Arc<T>> {
        let mut shard = self.shard(key);
        let entry = shard.get_mut(key)?;
        entry.is_used = true;
        entry.value.clone().downcast().ok()
    }

    /// The result under a key, of this process or of an earlier one.
    pub fn get_saved<T: Persistent>(&self, key: &Digest) -> Option<Arc<T>> {
        if let Some(value) = self.get(key) {
            return Some(value);
        }
        let bytes = &self.saved.bytes[self.saved.places.get(key)?.clone()];
        let value = Arc::new(postcard::from_bytes::<T>(bytes).ok()?);
        self.insert(*key, Entry { is_from_disk: true, ..Entry::of(value.clone(), Some(encode::<T>)) });
        Some(value)
    }

    /// Keeps a result for this process.
    pub fn store<T: Any + Send + Sync>(&self, key: Digest, value: Arc<T>) {
        self.insert(key, Entry::of(value, None));
    }

    /// Keeps a result for this process, and those under `parts` as long as this one is used: who recalls it does not ask
    /// for them, and needs them when one of them changes.
    pub fn store_group<T: Any + Send + Sync>(&self, key: Digest, value: Arc<T>, parts: Vec<Digest>) {
        self.insert(key, Entry { parts, ..Entry::of(value, None) });
    }

    /// Keeps a result for this process and for later ones.
    pub fn store_saved<T: Persistent>(&self, key: Digest, value: Arc<T>) {
        self.insert(key, Entry::of(value, Some(encode::<T>)));
    }

    /// Says that a result, if there is one, would be asked for again.
    pub fn touch(&self, key: &Digest) {
        if let Some(entry) = self.shard(key).get_mut(key) {
            entry.is_used = true;
        }
    }

    /// Drops what no build has asked for or kept since this was done last. It is done once enough has been kept since.
    pub fn evict_unused(&self) {
        let all: usize = self.shards.iter().map(|shard| lock(shard).len()).sum();
        let fresh = self.fresh.load(Ordering::Relaxed);
        if fresh < TIDIED_AFTER.max(all / TIDIED_FRACTION) {
            return;
        }
        self.fresh.store(0, Ordering::Relaxed);
        let used = |entry: &Entry| if entry.is_used { entry.parts.clone() } else { Vec::new() };
        let parts: Vec<Digest> =
            self.shards.iter().flat_map(|shard| lock(shard).values().flat_map(used).collect::<Vec<_>>()).collect();
        parts.iter().for_each(|part| self.touch(part));
        for shard in &self.shards {
            lock(shard).retain(|_, entry| std::mem::take(&mut entry.is_used));
        }
    }

    /// Everything that is to be known by later processes, in the order of its keys.
    ///
    /// The fingerprint of all that follows, the engine's version, and then for each result its key, its length as four
    /// bytes and the value.
    pub fn save(&self) -> Vec<u8> {
        let mut results = Vec::new();
        for shard in &self.shards {
            let shard = lock(shard);
            results.extend(shard.iter().filter_map(|(key, entry)| {
                let known = self.saved.places.get(key).filter(|_| entry.is_from_disk);
                let value = match known {
                    Some(place) => Cow::Borrowed(&self.saved.bytes[place.clone()]),
                    None => Cow::Owned((entry.encode?)(&*entry.value)?),
                };
                Some((*key, value))
            }));
        }
        results.par_sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let size: usize = results.iter().map(|(_, value)| value.len() + 36).sum();
        let mut bytes = Vec::with_capacity(size_of::<Fingerprint>() + ENGINE.len() + size);
        bytes.extend_from_slice(&Fingerprint::default().to_le_bytes());
        bytes.extend_from_slice(ENGINE.as_bytes());
        for (key, value) in results {
            let Ok(length) = u32::try_from(value.len()) else { continue };
            bytes.extend_from_slice(&key);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&value);
        }
        let (whole, rest) = bytes.split_at_mut(size_of::<Fingerprint>());
        whole.copy_from_slice(&fingerprint(rest).to_le_bytes());
        bytes
    }

    /// Whether what is to be saved is what this memory was loaded from: all of it was asked for, and nothing else is
    /// known.
    pub fn is_saved(&self) -> bool {
        let mut from_disk = 0;
        let is_new = |entry: &Entry| entry.encode.is_some() && !entry.is_from_disk;
        for shard in &self.shards {
            let shard = lock(shard);
            if shard.values().any(is_new) {
                return false;
            }
            from_disk += shard.values().filter(|entry| entry.is_from_disk).count();
        }
        from_disk == self.saved.places.len() && !self.saved.bytes.is_empty()
    }

    fn insert(&self, key: Digest, entry: Entry) {
        // What is recalled was asked for just now.
        if !entry.is_from_disk {
            self.fresh.fetch_add(1, Ordering::Relaxed);
        }
        self.shard(&key).insert(key, entry);
    }

    fn shard(&self, key: &Digest) -> MutexGuard<'_, ByDigest<Entry>> {
        // Another byte than those that are the hash, which would else be alike within a shard.
        lock(&self.shards[usize::from(key[31]) % SHARDS])
    }
}

impl Entry {
    fn of(value: Arc<dyn Any + Send + Sync>, encode: Option<Encode>) -> Self {
        Entry { value, encode, is_from_disk: false, is_used: true, parts: Vec::new() }
    }
}

impl Saved {
    fn read(bytes: Vec<u8>) -> Option<Self> {
        let (known, rest) = bytes.split_first_chunk()?;
        if fingerprint(rest).to_le_bytes() != *known || !rest.starts_with(ENGINE.as_bytes()) {
            return None;
        }
        let mut places = ByDigest::default();
        let mut at = known.len() + ENGINE.len();
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
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Persistent for String {}

    #[test]
    fn parts_of_a_key_never_run_together() {
        let keys = [
            Key::of("a").with("bc").done(),
            Key::of("ab").with("c").done(),
            Key::of("a").with("b").with("c").done(),
            Key::of("a").with("bc").with("").done(),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[index + 1..].contains(key));
        }
    }

    #[test]
    fn what_is_saved_is_read_later_and_what_is_damaged_is_not() {
        let cache = Cache::default();
        let (saved, passing) = (Key::of("saved").done(), Key::of("passing").done());
        cache.store_saved(saved, Arc::new("text".to_owned()));
        cache.store(passing, Arc::new(1u8));
        let bytes = cache.save();
        let later = Cache::load(bytes.clone());
        assert_eq!(later.get_saved::<String>(&saved).as_deref().map(String::as_str), Some("text"));
        assert!(later.get::<u8>(&passing).is_none());
        assert!(later.is_saved() && later.save() == bytes);
        later.store_saved(Key::of("more").done(), Arc::new("text".to_owned()));
        assert!(!later.is_saved() && !Cache::load(bytes.clone()).is_saved());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Cache::load(damaged).get_saved::<String>(&saved).is_none(), "byte {at}");
            assert!(Cache::load(bytes[..at].to_vec()).get_saved::<String>(&saved).is_none(), "cut at {at}");
        }
    }

    /// Keeps so much else that it is time to tidy.
    fn tidy(cache: &Cache, round: usize) {
        for number in 0..TIDIED_AFTER {
            cache.store(Key::of("other").with(format!("{round} {number}")).done(), Arc::new(()));
        }
        cache.evict_unused();
    }

    #[test]
    fn what_no_build_asks_for_is_evicted() {
        let cache = Cache::default();
        let [used, unused, whole, part] = ["used", "unused", "whole", "part"].map(|kind| Key::of(kind).done());
        cache.store(used, Arc::new(1u8));
        cache.store(unused, Arc::new(2u8));
        cache.store_saved(part, Arc::new("part".to_owned()));
        cache.store_group(whole, Arc::new(3u8), vec![part]);
        tidy(&cache, 0);
        assert!(cache.get::<u8>(&used).is_some());
        cache.touch(&whole);
        tidy(&cache, 1);
        assert!(cache.get::<u8>(&used).is_some() && cache.get::<u8>(&unused).is_none());
        assert!(cache.get::<String>(&part).is_some() && cache.get::<u8>(&whole).is_some());
        tidy(&cache, 2);
        tidy(&cache, 3);
        assert!(cache.get::<String>(&part).is_none() && cache.get::<u8>(&whole).is_none());
    }

    #[test]
    fn the_cache_does_not_grow() {
        let cache = Cache::default();
        for round in 0..100 {
            tidy(&cache, round);
        }
        let all: usize = cache.shards.iter().map(|shard| lock(shard).len()).sum();
        assert!(all <= 2 * TIDIED_AFTER, "{all}");
    }
}
