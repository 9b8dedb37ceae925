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
use crate::shelf::FilePart;
use crate::sources::{Digest, Fingerprint};
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, BufRead, Cursor, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use twox_hash::XxHash3_128;

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
    /// Few have any: the map has a place for each of up to twice as many entries as there are.
    parts: Option<Box<Parts>>,
}

/// Keys of the results that another one stands for.
struct Parts(Box<[Digest]>);

/// The cache of an earlier process, not yet decoded.
#[derive(Default)]
struct Saved {
    bytes: SavedBytes,
    /// The first bytes of each key, and where its result begins, in the order of the keys, which is also that of the results.
    places: Vec<(u64, u64)>,
}

/// The bytes of a saved cache.
enum SavedBytes {
    /// In memory.
    Here(Vec<u8>),
    /// In a file, of which one result is read at a time.
    Away(FilePart),
}

impl Default for SavedBytes {
    fn default() -> Self {
        SavedBytes::Here(Vec::new())
    }
}

/// The size up to which a saved cache is read into memory: that of some fifty thousand pages. Each result is then a look into
/// memory, and otherwise a call of the system.
const MOST_IN_MEMORY: u64 = 32 << 20;

fn encode<T: Persistent>(value: &(dyn Any + Send + Sync)) -> Option<Vec<u8>> {
    postcard::to_stdvec(value.downcast_ref::<T>()?).ok()
}

impl Cache {
    /// Reads what [`save`](Cache::save) gave. Anything else, damaged or of another version, gives an empty cache.
    pub fn load(bytes: Vec<u8>) -> Self {
        Cache::of(Saved::read(SavedBytes::Here(bytes)))
    }

    /// Reads the file of a saved cache, as [`load`](Cache::load) does. Of a large one only the places of the results are in
    /// memory.
    pub fn load_file(file: FilePart) -> Self {
        match file.len() {
            ..=MOST_IN_MEMORY => Cache::load(file.read().unwrap_or_default()),
            _ => Cache::of(Saved::read(SavedBytes::Away(file))),
        }
    }

    fn of(saved: Option<Saved>) -> Self {
        let results = Results { saved: saved.unwrap_or_default(), ..Results::default() };
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
        let bytes = self.results.saved.get(key)?;
        let value = Arc::new(postcard::from_bytes::<T>(&bytes).ok()?);
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
    fn mark_used(&self, key: &Digest) -> Box<[Digest]> {
        let mut shard = self.shard(key);
        let Some(entry) = shard.get_mut(key) else { return Box::default() };
        if std::mem::replace(&mut entry.is_used, true) { Box::default() } else { entry.parts() }
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
        let used = |entry: &Entry| if entry.is_used { entry.parts() } else { Box::default() };
        let mut parts: Vec<Digest> =
            shards.iter().flat_map(|shard| lock(shard).values().flat_map(used).collect::<Vec<_>>()).collect();
        while let Some(part) = parts.pop() {
            parts.extend(self.mark_used(&part));
        }
        for shard in shards {
            lock(shard).retain(|_, entry| std::mem::take(&mut entry.is_used));
        }
    }

    /// Returns everything that later processes may use. See [`save_to`](Cache::save_to).
    pub fn save(&self) -> Vec<u8> {
        let mut saved = Cursor::new(Vec::new());
        // Writing to memory does not fail.
        let _ = self.save_to(&mut saved);
        saved.into_inner()
    }

    /// Writes everything that later processes may use, in the order of its keys: one result after the other, so that not all
    /// are in memory as they are and as they are written.
    ///
    /// The format: the fingerprint of all that follows, the engine's version, and for each result its key, its length
    /// as four bytes and its value.
    pub fn save_to(&self, out: &mut (impl Write + Seek)) -> io::Result<()> {
        let mut keys = Vec::new();
        for shard in &self.results.shards {
            let shard = lock(shard);
            keys.extend(shard.iter().filter(|(_, entry)| entry.encode.is_some()).map(|(key, _)| *key));
        }
        parallel::sort_by(&mut keys, Ord::cmp);
        out.write_all(&Fingerprint::default().to_le_bytes())?;
        let mut hash = XxHash3_128::new();
        let mut block = engine().as_bytes().to_vec();
        for key in keys {
            let Some(value) = self.encoded(&key) else { continue };
            let Ok(length) = u32::try_from(value.len()) else { continue };
            block.extend_from_slice(&key);
            block.extend_from_slice(&length.to_le_bytes());
            block.extend_from_slice(&value);
            if block.len() >= BLOCK {
                hash.write(&block);
                out.write_all(&block)?;
                block.clear();
            }
        }
        hash.write(&block);
        out.write_all(&block)?;
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&hash.finish_128().to_le_bytes())
    }

    /// Returns the result stored under a key as it is saved.
    fn encoded(&self, key: &Digest) -> Option<Cow<'_, [u8]>> {
        let (encode, value) = {
            let shard = self.shard(key);
            let entry = shard.get(key)?;
            if entry.is_from_disk
                && let Some(bytes) = self.results.saved.get(key)
            {
                return Some(bytes);
            }
            (entry.encode?, entry.value.clone())
        };
        Some(Cow::Owned(encode(&*value)?))
    }

    /// Drops what only this process can use. What a command does after its build needs none of it.
    pub fn drop_passing(&self) {
        for shard in &self.results.shards {
            let mut shard = lock(shard);
            shard.retain(|_, entry| entry.encode.is_some());
            shard.shrink_to_fit();
        }
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
        let parts = if parts.is_empty() { None } else { Some(Box::new(Parts(parts.into()))) };
        Entry { value, encode, is_from_disk: false, is_used: true, parts }
    }

    fn parts(&self) -> Box<[Digest]> {
        self.parts.as_ref().map(|parts| parts.0.clone()).unwrap_or_default()
    }
}

/// The bytes that are written at a time.
const BLOCK: usize = 256 * 1024;

/// The number of bytes of a result before its value: its key and the length of the value.
const HEAD: u64 = 36;

impl SavedBytes {
    fn is_empty(&self) -> bool {
        match self {
            SavedBytes::Here(bytes) => bytes.is_empty(),
            SavedBytes::Away(file) => file.is_empty(),
        }
    }

    /// Returns `len` bytes, the first of which is number `at`.
    fn get(&self, at: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        match self {
            SavedBytes::Here(bytes) => {
                let at = usize::try_from(at).ok()?;
                bytes.get(at..at.checked_add(len)?).map(Cow::Borrowed)
            }
            SavedBytes::Away(file) => file.read_from(at, len).ok().map(Cow::Owned),
        }
    }
}

impl Saved {
    fn read(bytes: SavedBytes) -> Option<Self> {
        let places = match &bytes {
            SavedBytes::Here(bytes) => places(&mut &bytes[..]),
            SavedBytes::Away(file) => places(&mut file.reader()),
        };
        Some(Saved { places: places.ok()??, bytes })
    }

    /// Returns the saved result of a key.
    fn get(&self, key: &Digest) -> Option<Cow<'_, [u8]>> {
        let first = first_of(key);
        let from = self.places.partition_point(|(other, _)| *other < first);
        let same = self.places[from..].iter().take_while(|(other, _)| *other == first);
        same.map(|(_, at)| *at).find_map(|at| {
            let head = self.bytes.get(at, HEAD as usize)?;
            let (found, length) = head.split_first_chunk::<32>()?;
            let length = u32::from_le_bytes(length.try_into().ok()?);
            if found == key { self.bytes.get(at + HEAD, length as usize) } else { None }
        })
    }
}

/// Returns the beginning of a key as a number that compares as the key does.
fn first_of(key: &Digest) -> u64 {
    key.first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
}

/// Returns the places of the results in a saved cache. `None` if it is another version's, or damaged.
fn places(bytes: &mut impl BufRead) -> io::Result<Option<Vec<(u64, u64)>>> {
    let mut expected = Fingerprint::default().to_le_bytes();
    bytes.read_exact(&mut expected)?;
    let mut rest = Fingerprinted { bytes, hash: XxHash3_128::new() };
    let mut version = vec![0; engine().len()];
    rest.read_exact(&mut version)?;
    if version != engine().as_bytes() {
        return Ok(None);
    }
    let mut places = Vec::new();
    let mut at = (expected.len() + version.len()) as u64;
    let mut head = [0; HEAD as usize];
    while !rest.bytes.fill_buf()?.is_empty() {
        rest.read_exact(&mut head)?;
        let Some((key, length)) = head.split_first_chunk::<32>() else { return Ok(None) };
        let length = length.try_into().map_or(0, u32::from_le_bytes);
        places.push((first_of(key), at));
        rest.skip(u64::from(length))?;
        at += HEAD + u64::from(length);
    }
    let is_whole = rest.hash.finish_128().to_le_bytes() == expected;
    Ok(is_whole.then_some(places).filter(|places| places.is_sorted()))
}

/// Bytes whose fingerprint is computed while they are read.
struct Fingerprinted<'a, B> {
    bytes: &'a mut B,
    hash: XxHash3_128,
}

impl<B: BufRead> Fingerprinted<'_, B> {
    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        self.bytes.read_exact(buffer)?;
        self.hash.write(buffer);
        Ok(())
    }

    fn skip(&mut self, mut count: u64) -> io::Result<()> {
        while count > 0 {
            let block = self.bytes.fill_buf()?;
            let len = block.len().min(usize::try_from(count).unwrap_or(usize::MAX));
            if len == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.hash.write(&block[..len]);
            self.bytes.consume(len);
            count -= len as u64;
        }
        Ok(())
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

    #[test]
    fn a_large_saved_cache_is_read_one_result_at_a_time() {
        let cache = Cache::default();
        let key = |number: usize| digest_of(&("large", number));
        let text = |number: usize| "text ".repeat(number * 37 % 20_000);
        (0..100).for_each(|number| cache.store_saved(key(number), Arc::new(text(number))));
        let bytes = cache.save();
        assert!(bytes.len() > 2 * BLOCK);
        let in_file = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(bytes).unwrap();
            Cache::of(Saved::read(SavedBytes::Away(FilePart::whole(file).unwrap())))
        };
        let later = in_file(&bytes);
        for number in (0..100).rev() {
            assert_eq!(*later.get_saved::<String>(&key(number)).unwrap(), text(number));
        }
        assert!(later.get_saved::<String>(&key(100)).is_none());
        assert!(later.is_saved() && later.save() == bytes);
        later.drop_passing();
        assert!(later.is_saved() && later.save() == bytes);
        for at in [0, 20, 60, BLOCK, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(in_file(&damaged).get_saved::<String>(&key(1)).is_none(), "byte {at}");
            assert!(in_file(&bytes[..at]).get_saved::<String>(&key(1)).is_none(), "cut at {at}");
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
