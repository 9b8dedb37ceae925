//! Results whose keys follow from their inputs.

use super::{Cache, Encode, Entry, Persistent, encode, engine};
use crate::sources::Digest;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// A computation whose result the cache keeps.
///
/// Its fields are its inputs: [`run`](Query::run) sees nothing else, and the derived [`Hash`] puts each of them into the
/// key. So whoever adds an input cannot forget the key. `tests/it/architecture.rs` finds a query that hashes by hand, and
/// one with the name of another.
pub trait Query: Hash {
    /// Begins its keys. No other result has it.
    const KIND: &'static str;
    /// What `run` computes and the cache keeps.
    type Output: Any + Debug + Send + Sync;
    /// What `run` gives if the result may not be kept: diagnostics, say, which every build has to report.
    type Refused;

    /// Computes the result. The cache is for the queries that it needs itself: it records them.
    fn run(&self, cache: &Cache) -> Result<Self::Output, Self::Refused>;

    /// Returns the key of the result.
    fn key(&self) -> Digest
    where
        Self: Sized,
    {
        digest_of(&(Self::KIND, self))
    }
}

/// An input that is in the key by its digest, because it is large or many things at once.
#[derive(Clone, Copy)]
pub struct Digested<T> {
    value: T,
    digest: Digest,
}

impl<T> Digested<T> {
    /// An input whose digest is known.
    pub fn new(value: T, digest: Digest) -> Self {
        Digested { value, digest }
    }

    /// An input of which the computation reads these parts, and no others.
    pub fn by(value: T, parts: impl Hash) -> Self {
        Digested { value, digest: digest_of(&parts) }
    }
}

impl<T> Hash for Digested<T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(&self.digest);
    }
}

impl<T> Deref for Digested<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Where a query puts what it reads on the way and a later stage may use. It is no input, and a result that comes from the
/// cache puts nothing there.
#[derive(Clone, Copy, Default)]
pub struct Aside<T>(pub T);

impl<T> Aside<T> {
    /// Returns the place. `None` if the query runs for a comparison only.
    pub fn open(&self, cache: &Cache) -> Option<&T> {
        (!cache.is_comparison).then_some(&self.0)
    }
}

impl<T> Hash for Aside<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Cache {
    /// Returns the result of a query, computed at most once in this process.
    pub fn query<Q: Query>(&self, query: &Q) -> Result<Arc<Q::Output>, Q::Refused> {
        self.answer(query, Cache::get, None)
    }

    /// Returns the result of a query, computed at most once for all builds of a project.
    pub fn query_saved<Q: Query<Output: Persistent>>(&self, query: &Q) -> Result<Arc<Q::Output>, Q::Refused> {
        self.answer(query, Cache::get_saved, Some(encode::<Q::Output>))
    }

    /// Returns the result of a query that gives one in spite of mistakes, and adds these to a list.
    pub fn query_despite<Q, M>(&self, query: &Q, mistakes: &mut Vec<M>) -> Arc<Q::Output>
    where
        Q: Query<Refused = (<Q as Query>::Output, Vec<M>)>,
    {
        self.query(query).unwrap_or_else(|(result, made)| {
            mistakes.extend(made);
            Arc::new(result)
        })
    }

    fn answer<Q: Query>(
        &self,
        query: &Q,
        get: impl FnOnce(&Cache, &Digest) -> Option<Arc<Q::Output>>,
        encode: Option<Encode>,
    ) -> Result<Arc<Q::Output>, Q::Refused> {
        let key = query.key();
        if let Some(asked) = &self.asked {
            asked.lock().push(key);
        }
        let cached = get(self, &key);
        if cfg!(debug_assertions) {
            self.compare(query, key, cached.as_deref());
        }
        if let Some(result) = cached {
            return Ok(result);
        }
        let asked = Some(Mutex::default());
        let recording = Cache { results: self.results.clone(), asked, is_comparison: self.is_comparison };
        let result = Arc::new(query.run(&recording)?);
        let asked = recording.asked.map(Mutex::into_inner).unwrap_or_default();
        self.insert(key, Entry::of(result.clone(), encode, asked));
        Ok(result)
    }
}

/// Returns the digest of everything that a value hashes, and of the engine's version. With a derived `Hash`, no two values that
/// differ have the same: each text ends, and each list and variant begins, with something that no other has at that place.
pub fn digest_of(value: &(impl Hash + ?Sized)) -> Digest {
    // A build of ten thousand pages computes forty thousand digests.
    static BEGUN: LazyLock<Sha256> = LazyLock::new(|| {
        let mut begun = Writer(Sha256::new());
        engine().hash(&mut begun);
        begun.0
    });
    let mut writer = Writer(BEGUN.clone());
    value.hash(&mut writer);
    writer.0.finalize().into()
}

struct Writer(Sha256);

impl Hasher for Writer {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// A digest is longer: nobody asks for this.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::convert::Infallible;

    #[derive(Clone, Hash)]
    struct Greeting<'a> {
        name: &'a str,
        words: Vec<&'a str>,
        number: Option<u8>,
        large: Digested<&'a str>,
        runs: Runs<'a>,
    }

    /// Counts runs. No input: all are equal.
    #[derive(Clone, Copy)]
    struct Runs<'a>(&'a Cell<usize>);

    impl Hash for Runs<'_> {
        fn hash<H: Hasher>(&self, _: &mut H) {}
    }

    impl Query for Greeting<'_> {
        const KIND: &'static str = "greeting";
        type Output = String;
        type Refused = usize;

        fn run(&self, _: &Cache) -> Result<String, usize> {
            self.runs.0.set(self.runs.0.get() + 1);
            let text = format!("{} {:?} {:?} {}", self.name, self.words, self.number, *self.large);
            if self.name.is_empty() { Err(text.len()) } else { Ok(text) }
        }
    }

    #[test]
    fn parts_of_a_key_never_run_together() {
        let lists = |lists: &[&[&str]]| digest_of(lists);
        let keys = [
            digest_of(&("a", "bc")),
            digest_of(&("ab", "c")),
            digest_of(&("a", "b", "c")),
            digest_of(&("a", "bc", "")),
            digest_of(&("a", Some("bc"))),
            lists(&[&["a"], &["bc"]]),
            lists(&[&["a", "bc"], &[]]),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[index + 1..].contains(key));
        }
    }

    #[test]
    fn every_input_is_in_the_key() {
        let runs = Cell::new(0);
        let first = Greeting {
            name: "ab",
            words: vec!["c", "d"],
            number: None,
            large: Digested::by("text", ("text", 1)),
            runs: Runs(&runs),
        };
        let others = [
            Greeting { name: "a", ..first.clone() },
            Greeting { name: "abc", words: vec!["d"], ..first.clone() },
            Greeting { words: vec!["cd"], ..first.clone() },
            Greeting { words: vec!["c", "d", ""], ..first.clone() },
            Greeting { number: Some(0), ..first.clone() },
            Greeting { large: Digested::by("text", ("text", 2)), ..first.clone() },
            Greeting { large: Digested::by("text", ("tex", "t", 1)), ..first.clone() },
        ];
        let cache = Cache::default();
        for (number, query) in std::iter::once(&first).chain(&others).enumerate() {
            let fresh = cache.query(query).unwrap();
            assert_eq!(runs.get(), number + 1);
            assert!(Arc::ptr_eq(&fresh, &cache.query_saved(query).unwrap()) && runs.get() == number + 1);
        }
    }

    #[test]
    fn what_is_refused_is_asked_for_again() {
        let runs = Cell::new(0);
        let large = Digested::new("", Digest::default());
        let query = Greeting { name: "", words: Vec::new(), number: None, large, runs: Runs(&runs) };
        let cache = Cache::default();
        assert_eq!((cache.query(&query), cache.query_saved(&query)), (Err(9), Err(9)));
        assert_eq!(runs.get(), 2);
    }

    #[derive(Hash)]
    struct Length<'a>(&'a str);

    impl Query for Length<'_> {
        const KIND: &'static str = "length";
        type Output = String;
        type Refused = Infallible;

        fn run(&self, cache: &Cache) -> Result<String, Infallible> {
            let runs = Cell::new(0);
            let large = Digested::new("", Digest::default());
            let inner = Greeting { name: self.0, words: Vec::new(), number: None, large, runs: Runs(&runs) };
            Ok(cache.query(&inner).map_or(0, |text| text.len()).to_string())
        }
    }

    #[test]
    fn a_query_may_ask_others_and_later_processes_have_what_is_saved() {
        let cache = Cache::default();
        let Ok(length) = cache.query_saved(&Length("ab"));
        assert_eq!(*length, "11");
        let later = Cache::load(cache.save());
        assert!(later.get_saved::<String>(&Length("ab").key()).is_some());
        assert!(later.get_saved::<String>(&Length("abc").key()).is_none());
    }
}
