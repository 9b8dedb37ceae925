//! Decides what is shown on a day: drafts, and content with a first or a last day.

use super::yaml::{Node, Value};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sitegen_core::diagnostics::{Diagnostic, Place, SchemaProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Visibility;
use std::collections::BTreeSet;

/// The state of a file on the day of the build, from its `draft`, `publish` and `expires` keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum State {
    /// It is shown.
    Shown,
    /// It is a draft.
    Draft,
    /// Its first day is in the future.
    Waiting(Date),
    /// Its last day has passed.
    Expired(Date),
}

/// The keys of a file that decide when it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dates {
    /// Whether it is a draft.
    pub draft: bool,
    /// The first day on which it is shown.
    pub publish: Option<Date>,
    /// The last day on which it is shown.
    pub expires: Option<Date>,
}

impl Dates {
    /// Reads the dates of a file. The schema reports invalid ones.
    pub fn of(data: &Node) -> Self {
        let date = |key: &str| data.get(key)?.text()?.parse::<Date>().ok();
        let draft = data.get("draft").is_some_and(|node| node.value == Value::Bool(true));
        Dates { draft, publish: date("publish"), expires: date("expires") }
    }

    /// Returns the state on the day of the build. `--drafts` shows drafts and what is still to come.
    pub fn shown(&self, visibility: Visibility) -> State {
        match self.state(visibility) {
            State::Draft | State::Waiting(_) if visibility.drafts => State::Shown,
            state => state,
        }
    }

    fn state(&self, visibility: Visibility) -> State {
        match (self.publish, self.expires) {
            _ if self.draft => State::Draft,
            (Some(first), _) if first > visibility.today => State::Waiting(first),
            (_, Some(last)) if last < visibility.today => State::Expired(last),
            _ => State::Shown,
        }
    }
}

/// A file that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// The file.
    pub path: SourcePath,
    /// Why it is left out: never [`State::Shown`].
    pub state: State,
}

/// What a build leaves out, and the next day on which that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// Files that are left out.
    pub hidden: Vec<Hidden>,
    /// The first day with another result.
    pub next_change: Option<Date>,
}

impl Schedule {
    /// Forgets what several languages have noted of one file, but for the first.
    pub fn drop_repeated(&mut self) {
        let mut noted = BTreeSet::new();
        self.hidden.retain(|hidden| noted.insert(hidden.path.clone()));
    }

    /// Adds what another schedule leaves out.
    pub fn add(&mut self, other: &Schedule) {
        self.hidden.extend_from_slice(&other.hidden);
        self.next_change = self.next_change.into_iter().chain(other.next_change).min();
    }

    /// Adds a file, and returns its state on the day of the build.
    pub fn note(&mut self, path: &SourcePath, dates: &Dates, visibility: Visibility) -> State {
        let Dates { publish, expires, .. } = *dates;
        // `expires` is the last day something is shown, as people write it on a notice; it changes the day after.
        let gone = expires.and_then(|last| last.tomorrow().ok());
        let coming = [publish, gone].into_iter().flatten().filter(|day| *day > visibility.today);
        self.next_change = coming.chain(self.next_change).min();
        let state = dates.state(visibility);
        if matches!(state, State::Expired(_)) || state != State::Shown && !visibility.drafts {
            self.hidden.push(Hidden { path: path.clone(), state });
        }
        dates.shown(visibility)
    }
}

/// Reports a last day before the first: such a file would never be shown.
pub fn reversed(path: &SourcePath, data: &Node) -> Option<Diagnostic> {
    let Dates { publish: Some(publish), expires: Some(expires), .. } = Dates::of(data) else { return None };
    let problem = SchemaProblem::DatesReversed { publish: publish.to_string(), expires: expires.to_string() };
    let span = data.get("expires")?.span;
    (expires < publish).then(|| Diagnostic::new(problem, Place::new(path, span)))
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;

    fn state(text: &str, today: &str, drafts: bool) -> (State, Option<String>) {
        let path = SourcePath::new("a.yaml");
        let visibility = Visibility { today: today.parse().unwrap(), drafts };
        let mut schedule = Schedule::default();
        let data = yaml::parse(&path, text, 0).unwrap();
        let state = schedule.note(&path, &Dates::of(&data), visibility);
        (state, schedule.next_change.map(|date| date.to_string()))
    }

    #[test]
    fn content_is_shown_from_its_first_to_its_last_day() {
        let text = "publish: 2026-12-01\nexpires: \"2026-12-24\"\n";
        let first: Date = "2026-12-01".parse().unwrap();
        let last: Date = "2026-12-24".parse().unwrap();
        assert_eq!(state(text, "2026-11-30", false), (State::Waiting(first), Some("2026-12-01".into())));
        assert_eq!(state(text, "2026-12-01", false), (State::Shown, Some("2026-12-25".into())));
        assert_eq!(state(text, "2026-12-24", false), (State::Shown, Some("2026-12-25".into())));
        assert_eq!(state(text, "2026-12-25", false), (State::Expired(last), None));
    }

    #[test]
    fn drafts_are_shown_when_asked_for_and_expired_content_is_not() {
        assert_eq!(state("draft: true\n", "2026-01-01", false).0, State::Draft);
        assert_eq!(state("draft: true\n", "2026-01-01", true).0, State::Shown);
        assert_eq!(state("publish: 2027-01-01\n", "2026-01-01", true).0, State::Shown);
        assert!(matches!(state("expires: 2025-01-01\n", "2026-01-01", true).0, State::Expired(_)));
    }
}
