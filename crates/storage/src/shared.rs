//! Fetches and sends entries of a shared cache while a build goes on.
//!
//! Some threads make the requests: first what somebody waits for, then what was announced, then what is to be sent. A cache that
//! fails three times in a row, or does not let us in, is not asked again in this build. Of one that only refuses what is sent to it,
//! such as one that may be read only, entries are still read.

use crate::Failure;
use crate::address::Address;
use crate::entry::{Key, LARGEST};
use crate::transport::{Stored, Transport, TransportError, Variable};
use parking_lot::{Condvar, Mutex};
use sitegen_core::sources::Digest;
use sitegen_core::tools::shared::SharedCache;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How many failures in a row are the last ones.
const FAILURES: usize = 3;

/// How many bytes wait to be asked for before nothing more is fetched in advance.
const MOST_FETCHED: usize = 64 << 20;

/// How many bytes wait to be sent before the build waits too.
const MOST_UNSENT: usize = 256 << 20;

/// How many bytes an entry has at most of which several are read at once. Nearly all have fewer; of larger ones, one is read after
/// the other: whether it is authentic is seen only when all of it is here.
const MOST_AT_ONCE: usize = 8 << 20;

/// A cache that is in use.
pub struct Shared {
    queue: Arc<Queue>,
    workers: Vec<JoinHandle<()>>,
    /// Whether the build is made for it.
    is_filled: bool,
}

/// What has been done with a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Entries that were used.
    pub read: usize,
    /// Entries that were sent.
    pub sent: usize,
    /// Entries that are not authentic.
    pub refused: usize,
    /// Why the cache was given up.
    pub failure: Option<String>,
    /// Why nothing more was sent to it.
    pub unwritable: Option<String>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Something can be done, or was done.
    changed: Condvar,
    /// Who has it reads a large entry.
    large: Mutex<()>,
}

#[derive(Default)]
struct State {
    /// What somebody waits for.
    urgent: VecDeque<Digest>,
    /// What was announced.
    announced: VecDeque<Digest>,
    fetches: HashMap<Digest, Fetch>,
    /// The bytes of fetches that are done.
    fetched: usize,
    to_send: VecDeque<Digest>,
    /// What is not sent yet, with that on its way.
    unsent: HashMap<Digest, Arc<[u8]>>,
    unsent_bytes: usize,
    /// How many requests in a row have failed that read.
    failed_reads: usize,
    /// The same of those that send.
    failed_writes: usize,
    /// How many requests have ended.
    answered: usize,
    is_closing: bool,
    traffic: Traffic,
}

/// An entry that is fetched.
enum Fetch {
    /// Nobody has begun.
    Waiting,
    /// Somebody has begun.
    Begun,
    /// It is here, or not in the cache.
    Done(Option<Vec<u8>>),
}

/// What a thread does next.
enum Job {
    Fetch(Digest),
    Send(Digest, Arc<[u8]>),
}

impl State {
    fn is_down(&self) -> bool {
        self.traffic.failure.is_some()
    }

    /// Takes the next job. `None` if there is none now.
    fn take(&mut self) -> Option<Job> {
        let urgent = self.urgent.pop_front();
        let announced = || if self.fetched < MOST_FETCHED { self.announced.pop_front() } else { None };
        let mut next = urgent.or_else(announced);
        while let Some(key) = next {
            // It may have been announced, and then become urgent.
            if let Some(fetch @ Fetch::Waiting) = self.fetches.get_mut(&key) {
                *fetch = Fetch::Begun;
                return Some(Job::Fetch(key));
            }
            next = self.urgent.pop_front().or_else(|| self.announced.pop_front());
        }
        let key = self.to_send.pop_front()?;
        Some(Job::Send(key, self.unsent.get(&key)?.clone()))
    }

    /// Notes how a request that reads ended.
    fn note_read<T>(&mut self, result: &Result<T, TransportError>) {
        self.answered += 1;
        if let Some(reason) = last_failure(result, &mut self.failed_reads) {
            self.give_up(reason);
        }
    }

    /// Notes how a request that sends ended.
    fn note_write(&mut self, result: &Result<(), TransportError>) {
        self.answered += 1;
        if let Some(reason) = last_failure(result, &mut self.failed_writes) {
            self.traffic.unwritable.get_or_insert(reason);
            self.send_nothing();
        }
    }

    fn send_nothing(&mut self) {
        self.to_send.clear();
        self.unsent.clear();
        self.unsent_bytes = 0;
    }

    fn give_up(&mut self, reason: String) {
        self.traffic.failure.get_or_insert(reason);
        self.urgent.clear();
        self.announced.clear();
        self.fetches.clear();
        self.fetched = 0;
        self.send_nothing();
    }
}

/// Counts failures in a row. Returns the reason of one after which no more requests of its kind are made.
fn last_failure<T>(result: &Result<T, TransportError>, failures: &mut usize) -> Option<String> {
    let Err(error) = result else {
        *failures = 0;
        return None;
    };
    *failures += 1;
    (error.is_final || *failures >= FAILURES).then(|| error.reason.clone())
}

impl Shared {
    /// Opens a cache. Fails if the address or the credentials cannot be right;
    /// a server that does not answer is noticed later.
    pub fn open(address: &Address, key: &Key, variable: Arc<Variable>) -> Result<Self, Failure> {
        let queue = Arc::new(Queue::default());
        // What is wrong with the address is reported at once.
        drop(address.open(&*variable)?);
        let worker = |_| {
            let (queue, address, key, variable) = (queue.clone(), address.clone(), key.clone(), variable.clone());
            thread::spawn(move || match address.open(&*variable) {
                Ok(transport) => queue.work(&*transport, &key),
                Err(failure) => {
                    queue.state.lock().give_up(failure.what);
                    queue.changed.notify_all();
                }
            })
        };
        let workers = (0..address.requests_at_once()).map(worker).collect();
        Ok(Shared { queue, workers, is_filled: false })
    }

    /// Returns the same cache for a build that is made to fill it.
    pub fn to_fill(mut self) -> Self {
        self.is_filled = true;
        self
    }

    /// Waits until everything is sent, and returns what was done. A cache that answers no request for as long as `patience` is given
    /// up.
    pub fn finish(&self, patience: Duration) -> Traffic {
        let mut state = self.queue.state.lock();
        while !state.unsent.is_empty() && !state.is_down() {
            let answered = state.answered;
            let deadline = Instant::now() + patience;
            while state.answered == answered && !state.unsent.is_empty() && !state.is_down() {
                if self.queue.changed.wait_until(&mut state, deadline).timed_out() && state.answered == answered {
                    state.give_up(format!("no answer for {} seconds", patience.as_secs()));
                }
            }
        }
        state.traffic.clone()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.queue.state.lock().is_closing = true;
        self.queue.changed.notify_all();
        for worker in self.workers.drain(..) {
            // One that waits for an answer ends with the process.
            if worker.is_finished() {
                let _ = worker.join();
            }
        }
    }
}

impl Queue {
    /// Fetches an entry. Returns whether there is one, and its bytes if it is authentic.
    fn fetch(
        &self,
        transport: &dyn Transport,
        key: &Key,
        name: &str,
    ) -> (Result<bool, TransportError>, Option<Vec<u8>>) {
        let open = |stored| match stored {
            Some(Stored::Bytes(entry)) => (Ok(true), key.open(name, &entry)),
            Some(Stored::Larger) => (Ok(true), None),
            None => (Ok(false), None),
        };
        match transport.get(name, MOST_AT_ONCE) {
            Ok(Some(Stored::Larger)) => {
                let _alone = self.large.lock();
                transport.get(name, LARGEST + LARGEST / 128).map_or_else(|error| (Err(error), None), open)
            }
            stored => stored.map_or_else(|error| (Err(error), None), open),
        }
    }

    /// Makes requests until the cache is closed or given up.
    fn work(&self, transport: &dyn Transport, key: &Key) {
        let mut state = self.state.lock();
        while !state.is_closing && !state.is_down() {
            let Some(job) = state.take() else {
                self.changed.wait(&mut state);
                continue;
            };
            drop(state);
            state = match job {
                Job::Fetch(digest) => {
                    let (result, bytes) = self.fetch(transport, key, &key.name(&digest));
                    let is_refused = matches!(result, Ok(true)) && bytes.is_none();
                    let mut state = self.state.lock();
                    state.note_read(&result);
                    if !state.is_down() {
                        state.traffic.refused += usize::from(is_refused);
                        // Nobody may want it any more.
                        if let Some(fetch) = state.fetches.get_mut(&digest) {
                            let size = bytes.as_ref().map_or(0, Vec::len);
                            *fetch = Fetch::Done(bytes);
                            state.fetched += size;
                        }
                    }
                    state
                }
                Job::Send(digest, bytes) => {
                    let name = key.name(&digest);
                    let result = transport.put(&name, &key.seal(&name, &bytes));
                    let mut state = self.state.lock();
                    state.note_write(&result);
                    state.traffic.sent += usize::from(result.is_ok());
                    if state.unsent.remove(&digest).is_some() {
                        state.unsent_bytes -= bytes.len();
                    }
                    state
                }
            };
            self.changed.notify_all();
        }
    }
}

impl SharedCache for Shared {
    fn prefetch(&self, keys: &[Digest]) {
        let mut state = self.queue.state.lock();
        if state.is_down() {
            return;
        }
        for key in keys {
            if state.fetches.contains_key(key) {
                continue;
            }
            // What is sent before somebody asks for it is not here any more.
            let unsent = state.unsent.get(key).map(|bytes| bytes.to_vec());
            state.fetched += unsent.as_ref().map_or(0, Vec::len);
            if unsent.is_none() {
                state.announced.push_back(*key);
            }
            state.fetches.insert(*key, unsent.map_or(Fetch::Waiting, |bytes| Fetch::Done(Some(bytes))));
        }
        self.queue.changed.notify_all();
    }

    fn wait_for(&self, keys: &[Digest], patience: Duration) {
        let deadline = Instant::now() + patience;
        let mut state = self.queue.state.lock();
        let is_open = |fetch: Option<&Fetch>| matches!(fetch, Some(Fetch::Waiting | Fetch::Begun));
        let mut keys = keys.iter();
        let mut next = keys.next();
        while let Some(key) = next {
            if state.is_down() || !is_open(state.fetches.get(key)) {
                next = keys.next();
                continue;
            }
            // Nothing more is fetched in advance until somebody takes what is here.
            if state.fetched >= MOST_FETCHED || self.queue.changed.wait_until(&mut state, deadline).timed_out() {
                return;
            }
        }
    }

    fn get(&self, key: &Digest, patience: Duration) -> Option<Vec<u8>> {
        let deadline = Instant::now() + patience;
        let mut state = self.queue.state.lock();
        loop {
            if let Some(bytes) = state.unsent.get(key) {
                return Some(bytes.to_vec());
            }
            if state.is_down() {
                return None;
            }
            match state.fetches.get(key) {
                Some(Fetch::Done(_)) => {
                    let Some(Fetch::Done(bytes)) = state.fetches.remove(key) else { return None };
                    state.fetched -= bytes.as_ref().map_or(0, Vec::len);
                    state.traffic.read += usize::from(bytes.is_some());
                    self.queue.changed.notify_all();
                    return bytes;
                }
                Some(Fetch::Begun) => {}
                Some(Fetch::Waiting) | None if patience.is_zero() => return None,
                Some(Fetch::Waiting) | None => {
                    state.fetches.insert(*key, Fetch::Waiting);
                    if !state.urgent.contains(key) {
                        state.urgent.push_back(*key);
                        self.queue.changed.notify_all();
                    }
                }
            }
            if patience.is_zero() || self.queue.changed.wait_until(&mut state, deadline).timed_out() {
                return None;
            }
        }
    }

    fn forget(&self) {
        let mut state = self.queue.state.lock();
        state.urgent.clear();
        state.announced.clear();
        state.fetches.clear();
        state.fetched = 0;
    }

    fn put(&self, key: &Digest, bytes: Vec<u8>) {
        if bytes.len() > LARGEST {
            return;
        }
        let mut state = self.queue.state.lock();
        while state.unsent_bytes > MOST_UNSENT && !state.is_down() {
            self.queue.changed.wait(&mut state);
        }
        if state.is_down() || state.traffic.unwritable.is_some() || state.unsent.contains_key(key) {
            return;
        }
        // What is still on its way from the cache was made meanwhile.
        if let Some(Fetch::Done(Some(late))) = state.fetches.remove(key) {
            state.fetched -= late.len();
        }
        state.unsent_bytes += bytes.len();
        state.unsent.insert(*key, Arc::from(bytes));
        state.to_send.push_back(*key);
        self.queue.changed.notify_all();
    }

    fn is_filled(&self) -> bool {
        self.is_filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";
    const LONG: Duration = Duration::from_secs(20);

    fn shared(folder: &Path) -> Shared {
        let address = Address::parse(&folder.to_string_lossy()).unwrap();
        let nothing: Arc<Variable> = Arc::new(|_: &str| None);
        Shared::open(&address, &Key::of(SECRET).unwrap(), nothing).unwrap()
    }

    #[test]
    fn what_one_machine_has_sent_another_reads() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (shared(folder.path()), shared(folder.path()));
        let keys: Vec<Digest> = (0..50).map(|number| [number; 32]).collect();
        for key in &keys {
            one.put(key, vec![key[0]; 1000]);
            assert_eq!(one.get(key, LONG).as_deref(), Some(&[key[0]; 1000][..]), "sent or not");
        }
        assert_eq!(one.finish(LONG), Traffic { sent: 50, ..one.finish(LONG) });
        other.prefetch(&keys[..40]);
        for key in keys.iter().rev() {
            assert_eq!(other.get(key, LONG), Some(vec![key[0]; 1000]));
        }
        assert_eq!(other.get(&[99; 32], LONG), None);
        assert_eq!(other.finish(LONG), Traffic { read: 50, ..Traffic::default() });
    }

    #[test]
    fn what_nobody_waits_for_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let one = shared(folder.path());
        assert_eq!(one.get(&[1; 32], Duration::ZERO), None);
        one.prefetch(&[[2; 32]]);
        one.forget();
        assert_eq!(one.get(&[2; 32], LONG), None);
    }

    #[test]
    fn a_changed_entry_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (shared(folder.path()), shared(folder.path()));
        one.put(&[7; 32], b"page".to_vec());
        one.finish(LONG);
        let name = Key::of(SECRET).unwrap().name(&[7; 32]);
        let path = folder.path().join(&name[..2]).join(name);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(other.get(&[7; 32], LONG), None);
        assert_eq!(other.finish(LONG), Traffic { refused: 1, ..Traffic::default() });
    }

    #[test]
    fn a_large_entry_is_read_and_one_that_nobody_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (shared(folder.path()), shared(folder.path()));
        // It cannot be compressed.
        let mut number = 1_u64;
        let noise = std::iter::repeat_with(|| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 56) as u8
        });
        let large: Vec<u8> = noise.take(MOST_AT_ONCE + 1).collect();
        one.put(&[1; 32], large.clone());
        one.finish(LONG);
        assert!(other.get(&[1; 32], LONG) == Some(large));
        let path = |digest| {
            let name = Key::of(SECRET).unwrap().name(&digest);
            folder.path().join(&name[..2]).join(name)
        };
        fs::create_dir_all(path([2; 32]).parent().unwrap()).unwrap();
        fs::File::create(path([2; 32])).unwrap().set_len(LARGEST as u64 * 12).unwrap();
        assert_eq!(other.get(&[2; 32], LONG), None);
        assert_eq!(other.finish(LONG), Traffic { read: 1, refused: 1, ..Traffic::default() });
    }

    #[test]
    fn a_cache_that_may_only_be_read_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (shared(folder.path()), shared(folder.path()));
        one.put(&[1; 32], b"page".to_vec());
        one.put(&[2; 32], b"picture".to_vec());
        one.finish(LONG);
        // A file in the place of a folder refuses every write, whoever writes.
        let key = Key::of(SECRET).unwrap();
        let refused: Vec<Digest> = (10..20).map(|number| [number; 32]).collect();
        for digest in &refused {
            let name = key.name(digest);
            let _ = fs::write(folder.path().join(&name[..2]), "");
        }
        assert_eq!(other.get(&[1; 32], LONG).as_deref(), Some(&b"page"[..]));
        for digest in &refused {
            other.put(digest, vec![0; 10]);
        }
        let traffic = other.finish(LONG);
        assert!(traffic.failure.is_none() && traffic.unwritable.is_some(), "{traffic:?}");
        assert_eq!(other.get(&[2; 32], LONG).as_deref(), Some(&b"picture"[..]));
        assert_eq!(other.finish(LONG).read, 2);
        // Nothing is kept for a cache that takes nothing.
        other.put(&[21; 32], vec![0; 10]);
        assert_eq!(other.get(&[21; 32], LONG), None);
    }

    #[test]
    fn a_cache_that_fails_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let one = shared(folder.path());
        // A folder in the place of an entry cannot be read.
        let key = Key::of(SECRET).unwrap();
        let keys: Vec<Digest> = (0..9).map(|number| [number; 32]).collect();
        for digest in &keys {
            let name = key.name(digest);
            fs::create_dir_all(folder.path().join(&name[..2]).join(name).join("x")).unwrap();
        }
        for digest in &keys {
            assert_eq!(one.get(digest, LONG), None);
        }
        assert!(one.finish(LONG).failure.is_some());
        // Nothing is kept for a cache that is not asked again, and nobody waits for it.
        one.put(&[1; 32], vec![0; 10]);
        assert_eq!(one.get(&[1; 32], LONG), None);
    }
}
