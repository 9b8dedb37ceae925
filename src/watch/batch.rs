//! Groups events that belong together, and decides how long to wait for the rest.
//!
//! A complete change of one file is acted on at once: `batch` waits only for what is known to come.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What happened to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEvent {
    /// A file was created; its writer has it open, or will rename it.
    Created,
    /// A file was written to.
    Written,
    /// A written file was closed.
    Closed,
    /// A file or a folder appeared in one step.
    Complete,
    /// Its permissions or times changed.
    Touched,
    /// It was removed.
    Gone,
    /// It was renamed.
    MovedAway,
}

/// Until a writer closes a file. Editors do so within a millisecond; a program that keeps a log open never does.
const WRITING: Duration = Duration::from_millis(20);
/// Until a removed file comes back: Vim writes it again, with a flush to the disk before and after.
const COMING_BACK: Duration = Duration::from_millis(50);
/// Until a new file is renamed to the one it replaces.
const RENAMING: Duration = Duration::from_millis(10);
/// Until another file follows, when more than one changed.
const MORE: Duration = Duration::from_millis(2);
/// For everything together: a file that never settles is built as it is, and again later.
const IN_ALL: Duration = Duration::from_millis(250);

#[derive(Clone, Copy)]
struct State {
    /// Until when more events are expected for this path.
    settled: Option<Instant>,
    is_gone: bool,
    /// Whether it was created since the batch began, where nothing was before.
    is_new: bool,
}

/// Events that are handled together.
#[derive(Default)]
pub struct Batch {
    /// Whether events were lost, so that anything may have changed.
    pub is_lost: bool,
    states: BTreeMap<PathBuf, State>,
    /// Files that came and went. Nothing more is expected for them; but if the previous batch had the same path, it may have
    /// been read while this batch's file was there.
    passed: BTreeSet<PathBuf>,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Batch {
    /// Adds an event.
    pub fn add(&mut self, path: &Path, event: FileEvent, now: Instant) {
        self.first.get_or_insert(now);
        self.last = Some(now);
        let was = self.states.get(path).copied().unwrap_or(State { settled: None, is_gone: false, is_new: false });
        let settles = |wait: Duration| Some(now + wait);
        let state = match event {
            FileEvent::Created => {
                State { settled: settles(WRITING), is_gone: false, is_new: was.is_new || !was.is_gone }
            }
            FileEvent::Written => State { settled: settles(WRITING), is_gone: false, ..was },
            FileEvent::Closed if was.is_new => State { settled: settles(RENAMING), ..was },
            FileEvent::Closed => State { settled: None, ..was },
            FileEvent::Complete => State { settled: None, is_gone: false, is_new: false },
            FileEvent::Touched => was,
            FileEvent::Gone => State { settled: settles(COMING_BACK), is_gone: true, ..was },
            // The new text of a file, written under another name that did not exist before.
            FileEvent::MovedAway if was.is_new => {
                self.states.remove(path);
                self.passed.insert(path.to_path_buf());
                return;
            }
            FileEvent::MovedAway => State { settled: None, is_gone: true, is_new: false },
        };
        self.states.insert(path.to_path_buf(), state);
    }

    /// Returns how long to wait for the rest; `None` if the batch is complete.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        if self.is_lost || self.states.is_empty() {
            return None;
        }
        let settled = self.states.values().filter_map(|state| state.settled).max();
        let quiet = (self.states.len() > 1).then(|| self.last.map(|last| last + MORE)).flatten();
        let until = settled.max(quiet)?.min(self.first? + IN_ALL);
        // A timeout of zero would make a loop that never sleeps.
        until.checked_duration_since(now).filter(|rest| !rest.is_zero())
    }

    /// Returns the paths that changed.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.states.keys().chain(&self.passed).map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how long a batch waits after the last of these events, which all come at once.
    fn patience(events: &[(&str, FileEvent)]) -> Option<Duration> {
        let now = Instant::now();
        let mut batch = Batch::default();
        for (path, event) in events {
            batch.add(Path::new(path), *event, now);
        }
        batch.patience(now)
    }

    #[test]
    fn a_complete_file_is_not_waited_for() {
        assert_eq!(
            patience(&[("a.md", FileEvent::Written), ("a.md", FileEvent::Written), ("a.md", FileEvent::Closed)]),
            None
        );
        assert_eq!(patience(&[("a.md", FileEvent::Complete)]), None);
        assert_eq!(patience(&[("a.md", FileEvent::Touched)]), None);
    }

    #[test]
    fn a_writer_that_is_not_done_is_waited_for() {
        assert_eq!(patience(&[("a.md", FileEvent::Written)]), Some(WRITING));
        let closed_by_one_of_two =
            [("a.md", FileEvent::Written), ("a.md", FileEvent::Closed), ("a.md", FileEvent::Written)];
        assert_eq!(patience(&closed_by_one_of_two), Some(WRITING));
    }

    #[test]
    fn an_atomic_save_is_complete_with_the_renaming() {
        let renamed = [
            ("a.tmp", FileEvent::Created),
            ("a.tmp", FileEvent::Written),
            ("a.tmp", FileEvent::Closed),
            ("a.tmp", FileEvent::Gone),
            ("a.md", FileEvent::Complete),
            ("a.tmp", FileEvent::MovedAway),
            ("a.md", FileEvent::Complete),
        ];
        assert_eq!(patience(&renamed), None);
        assert_eq!(patience(&renamed[..3]), Some(RENAMING));
        assert_eq!(
            patience(&[("a.md", FileEvent::Gone), ("a.md", FileEvent::MovedAway), ("b.md", FileEvent::Complete)]),
            Some(MORE)
        );
    }

    #[test]
    fn a_file_that_came_and_went_is_read_again() {
        let now = Instant::now();
        let mut batch = Batch::default();
        for event in [FileEvent::Created, FileEvent::Closed, FileEvent::MovedAway] {
            batch.add(Path::new("a.tmp"), event, now);
        }
        batch.add(Path::new("a.md"), FileEvent::Complete, now);
        assert_eq!(batch.patience(now), None, "nothing more is expected");
        assert_eq!(batch.paths().collect::<BTreeSet<_>>(), BTreeSet::from([Path::new("a.md"), Path::new("a.tmp")]));
    }

    #[test]
    fn vim_may_move_the_old_file_away_before_it_writes_the_new_one() {
        let steps = [
            ("a.md", FileEvent::Gone),
            ("a.md", FileEvent::Created),
            ("a.md", FileEvent::Written),
            ("a.md", FileEvent::Closed),
        ];
        assert_eq!(patience(&steps[..1]), Some(COMING_BACK));
        assert_eq!(patience(&steps), None);
    }

    #[test]
    fn a_file_that_never_settles_is_reported_in_the_end() {
        let start = Instant::now();
        let mut batch = Batch::default();
        let mut now = start;
        while batch.patience(now).is_some() || now == start {
            batch.add(Path::new("a.log"), FileEvent::Written, now);
            now += Duration::from_millis(1);
            assert!(now < start + 2 * IN_ALL, "it waits for ever");
        }
        assert!(now >= start + IN_ALL);
    }
}
