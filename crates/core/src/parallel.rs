//! Work on all processors: the same for each item, with the results in the order of the items.
//!
//! The iterators of rayon do this too, but each use of one compiles a dozen functions for its own types, a tenth of the
//! program. Here the part that shares out the work is compiled once.

use parking_lot::Mutex;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

/// The largest number of items that one thread takes at a time. Left to itself, rayon hands out hundreds, and the last
/// thread works on alone: a tenth of a build in which nothing has changed.
pub const AT_A_TIME: usize = 32;

/// Returns what `work` makes of each item.
pub fn map<'i, T: Sync, R: Send>(items: &'i [T], work: impl Fn(&'i T) -> R + Sync) -> Vec<R> {
    let part = part(items.len());
    one_each(items.len(), part, items.chunks(part), |items| items.iter().map(&work))
}

/// Like [`map`], for work of which one item may take seconds: no thread takes a second item while another waits for one.
pub fn map_slow<'i, T: Sync, R: Send>(items: &'i [T], work: impl Fn(&'i T) -> R + Sync) -> Vec<R> {
    one_each(items.len(), 1, items.iter(), |item| [work(item)])
}

/// Like [`map`], and may change the items.
pub fn map_mut<'i, T: Send, R: Send>(items: &'i mut [T], work: impl Fn(&'i mut T) -> R + Sync) -> Vec<R> {
    let (count, part) = (items.len(), part(items.len()));
    one_each(count, part, items.chunks_mut(part), |items| items.iter_mut().map(&work))
}

/// Returns all that `work` makes of the items, one after the other: any number for an item, or an `Option`.
pub fn flat_map<'i, T: Sync, I: IntoIterator<Item: Send>>(
    items: &'i [T],
    work: impl Fn(&'i T) -> I + Sync,
) -> Vec<I::Item> {
    in_parts(items.chunks(part(items.len())), |items| items.iter().flat_map(&work).collect())
}

/// Like [`flat_map`] with the numbers below `count`, for what has several lists or no slice.
pub fn flat_map_numbers<I: IntoIterator<Item: Send>>(count: usize, work: impl Fn(usize) -> I + Sync) -> Vec<I::Item> {
    in_parts(ranges(count), |numbers| numbers.flat_map(&work).collect())
}

/// Like [`map`] with the numbers below `count`.
pub fn map_numbers<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    one_each(count, part(count), ranges(count), |numbers| numbers.map(&work))
}

/// Like [`flat_map`], and may change the items.
pub fn flat_map_mut<'i, T: Send, I: IntoIterator<Item: Send>>(
    items: &'i mut [T],
    work: impl Fn(&'i mut T) -> I + Sync,
) -> Vec<I::Item> {
    let part = part(items.len());
    in_parts(items.chunks_mut(part), |items| items.iter_mut().flat_map(&work).collect())
}

/// Like [`map`], and takes the items.
pub fn map_owned<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let (count, part) = (items.len(), part(items.len()));
    one_each(count, part, items.chunks_mut(part), |items| items.iter_mut().filter_map(Option::take).map(&work))
}

/// Does `work` for each item until one fails. Others may have been begun by then.
pub fn try_each<T: Sync, E: Send>(items: &[T], work: impl Fn(&T) -> Result<(), E> + Sync) -> Result<(), E> {
    let failed = Mutex::new(None);
    let part = part(items.len());
    each(items.len().div_ceil(part), &|number| {
        if failed.lock().is_some() {
            return;
        }
        if let Err(error) = items.chunks(part).nth(number).into_iter().flatten().try_for_each(&work) {
            *failed.lock() = Some(error);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Sorts items. Those that compare as equal come in any order.
pub fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    items.par_sort_unstable_by(compare);
}

/// Does two things side by side, and returns both results.
pub fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut one, mut other) = (Some(one), Some(other));
    let (mut of_one, mut of_other) = (None, None);
    join_both(&mut || of_one = one.take().map(|one| one()), &mut || of_other = other.take().map(|other| other()));
    match (of_one, of_other) {
        (Some(of_one), Some(of_other)) => (of_one, of_other),
        _ => unreachable!("rayon calls both, and a panic in one ends this function"),
    }
}

fn join_both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

/// Does something with each number below `count`.
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    match count {
        // Others have nothing to take.
        1 => work(0),
        _ => (0..count).into_par_iter().with_max_len(1).for_each(work),
    }
}

/// Returns how many items one thread takes at a time: fewer where there are few, so that all threads end together.
fn part(count: usize) -> usize {
    (count / (16 * rayon::current_num_threads())).clamp(1, AT_A_TIME)
}

fn ranges(count: usize) -> impl Iterator<Item = Range<usize>> {
    let part = part(count);
    (0..count).step_by(part).map(move |begin| begin..count.min(begin + part))
}

/// Returns the one result of each of `count` items, of which each part has `size`. It is put where it stays: as a list for each
/// part and then one of all, the results for a hundred thousand pages were in memory twice.
fn one_each<P: Send, R: Send, I: IntoIterator<Item = R>>(
    count: usize,
    size: usize,
    parts: impl Iterator<Item = P>,
    work: impl Fn(P) -> I + Sync,
) -> Vec<R> {
    let mut all: Vec<Option<R>> = std::iter::repeat_with(|| None).take(count).collect();
    let parts: Vec<_> = parts.zip(all.chunks_mut(size)).map(|part| Mutex::new(Some(part))).collect();
    each(parts.len(), &|number| {
        let part = parts[number].lock().take();
        if let Some((items, places)) = part {
            places.iter_mut().zip(work(items)).for_each(|(place, result)| *place = Some(result));
        }
    });
    drop(parts);
    // The standard library does this in place.
    all.into_iter().flatten().collect()
}

fn in_parts<P: Send, R: Send>(parts: impl Iterator<Item = P>, work: impl Fn(P) -> Vec<R> + Sync) -> Vec<R> {
    let parts: Vec<Mutex<(Option<P>, Vec<R>)>> = parts.map(|part| Mutex::new((Some(part), Vec::new()))).collect();
    each(parts.len(), &|number| {
        let mut part = parts[number].lock();
        if let Some(items) = part.0.take() {
            part.1 = work(items);
        }
    });
    let done = |part: Mutex<(Option<P>, Vec<R>)>| part.into_inner().1;
    let results: Vec<Vec<R>> = parts.into_iter().map(done).collect();
    let mut all = Vec::with_capacity(results.iter().map(Vec::len).sum());
    results.into_iter().for_each(|some| all.extend(some));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in [0, 1, 2, 31, 32, 33, 1000, 12_345] {
            let items: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
            let even: Vec<usize> = items.iter().copied().filter(|item| item % 2 == 0).collect();
            assert_eq!(map(&items, |item| item * 2), doubled);
            assert_eq!(map_slow(&items, |item| item * 2), doubled);
            assert_eq!(map_numbers(count, |number| number * 2), doubled);
            assert_eq!(map_owned(items.iter().map(usize::to_string).collect(), |item| item), {
                items.iter().map(usize::to_string).collect::<Vec<_>>()
            });
            assert_eq!(flat_map(&items, |item| (item % 2 == 0).then_some(*item)), even);
            assert_eq!(flat_map_numbers(count, |number| [number; 3]).len(), 3 * count);
            let mut changed = items.clone();
            let changes = flat_map_mut(&mut changed, |item| {
                *item *= 2;
                (*item % 4 == 0).then_some(*item / 2)
            });
            assert_eq!((&changed, changes), (&doubled, even));
            let taken = map_mut(&mut changed, std::mem::take);
            assert!(taken == doubled && changed.iter().all(|item| *item == 0));
            let mut sorted: Vec<usize> = items.iter().rev().copied().collect();
            sort_by(&mut sorted, Ord::cmp);
            assert_eq!(sorted, items);
        }
    }

    #[test]
    fn an_item_that_fails_stops_the_others() {
        let items: Vec<usize> = (0..100_000).collect();
        let done = AtomicUsize::new(0);
        let work = |item: &usize| {
            done.fetch_add(1, Relaxed);
            if *item == 100 { Err(*item) } else { Ok(()) }
        };
        assert_eq!(try_each(&items, work), Err(100));
        assert!(done.load(Relaxed) < items.len());
        assert_eq!(try_each(&items[..100], work), Ok(()));
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let panics = |work: &(dyn Fn() + std::panic::RefUnwindSafe)| std::panic::catch_unwind(work).is_err();
        assert!(panics(&|| drop::<Vec<()>>(map(&[0; 1000], |_| panic!("expected")))));
        assert!(panics(&|| assert_eq!(join(|| 1, || -> i32 { panic!("expected") }), (1, 2))));
        assert_eq!(join(|| 1, || "two"), (1, "two"));
    }
}
