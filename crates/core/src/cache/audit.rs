//! In tests, the results of the cache are compared with what their queries give at that moment. Without debug
//! assertions nothing is compared.
//!
//! A derived `Hash` puts every field of a [`Query`] into its key, but a [`Digested`](super::Digested) input is in it by
//! those parts alone that its query is said to read. Whether that is true shows when a result comes from the cache although
//! its query would give another one now.

use super::{Cache, Query};
use crate::sources::Digest;
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};

/// Whether results are compared, and what was asked of the cache meanwhile.
#[derive(Default)]
pub(super) struct Audit(Mutex<(bool, BTreeMap<&'static str, Asked>)>);

/// How often a kind of query was asked.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Its keys: one for each of the different inputs.
    pub keys: BTreeSet<Digest>,
    /// How many of its results came from the cache, and equalled fresh ones.
    pub compared: usize,
}

impl Cache {
    /// From now on, compares each result that a query has in the cache with a fresh one, and panics at one that differs; or
    /// no longer does. Without debug assertions it does nothing.
    pub fn audit(&self, is_on: bool) {
        self.results.audit.0.lock().0 = is_on;
    }

    /// Returns what was asked while results were compared, by the kinds of queries.
    pub fn audited(&self) -> BTreeMap<&'static str, Asked> {
        self.results.audit.0.lock().1.clone()
    }

    /// Compares a result that the cache has, if there is one, with a fresh one.
    pub(super) fn compare<Q: Query>(&self, query: &Q, key: Digest, cached: Option<&Q::Output>) {
        let with = |change: &dyn Fn(&mut Asked)| {
            let (is_on, asked) = &mut *self.results.audit.0.lock();
            if *is_on {
                change(asked.entry(Q::KIND).or_default());
            }
            *is_on
        };
        let is_wanted = with(&|asked| {
            asked.keys.insert(key);
        });
        let Some(cached) = cached.filter(|_| is_wanted) else { return };
        let comparison = Cache { results: self.results.clone(), asked: None, is_comparison: true };
        let run = || match query.run(&comparison) {
            Ok(fresh) => format!("{fresh:?}"),
            Err(_) => panic!("{}: the cache has a result of a query that would be refused now", Q::KIND),
        };
        let (cached, fresh) = (format!("{cached:?}"), run());
        // A hash map shows its keys in another order each time, and only of few keys does that happen to be the same.
        let has_hash_map = || (0..AGAIN).any(|_| run() != fresh);
        let is_same = cached == fresh || words(&cached) == words(&fresh) && has_hash_map();
        assert!(is_same, "{}: the cache has\n{cached}\nand a fresh result is\n{fresh}", Q::KIND);
        with(&|asked| asked.compared += 1);
    }
}

/// How often a fresh result is made again. Two keys come in the more likely of their two orders in 56 % of all maps, so that
/// twenty results in a row were the same once in a hundred thousand comparisons. All but a few end at the second.
const AGAIN: usize = 1000;

/// Returns the parts of a shown value, sorted.
fn words(shown: &str) -> Vec<&str> {
    let mut words: Vec<&str> = shown.split([',', '{', '}']).map(str::trim).collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::super::Digested;
    use super::*;
    use std::convert::Infallible;

    #[derive(Hash)]
    struct Length<'a> {
        /// In the key by its first letter.
        text: Digested<&'a str>,
    }

    impl<'a> Length<'a> {
        fn of(text: &'a str) -> Self {
            Length { text: Digested::by(text, &text[..1]) }
        }
    }

    impl Query for Length<'_> {
        const KIND: &'static str = "length by the first letter";
        type Output = usize;
        type Refused = Infallible;

        fn run(&self, _: &Cache) -> Result<usize, Infallible> {
            Ok(self.text.len())
        }
    }

    #[test]
    fn results_that_fresh_ones_equal_are_counted() {
        let cache = Cache::default();
        for text in ["before", "be"] {
            assert!(cache.query(&Length::of(text)).is_ok_and(|length| *length == 6), "not compared without an audit");
        }
        cache.audit(true);
        for text in ["before", "before", "other"] {
            assert!(cache.query(&Length::of(text)).is_ok());
        }
        let asked = &cache.audited()["length by the first letter"];
        assert_eq!((asked.keys.len(), asked.compared), (2, 2));
    }

    #[test]
    #[should_panic(expected = "the cache has\n6\nand a fresh result is\n2")]
    fn an_input_that_the_key_lacks_is_noticed() {
        let cache = Cache::default();
        cache.audit(true);
        for text in ["before", "be"] {
            let _ = cache.query(&Length::of(text));
        }
    }
}
