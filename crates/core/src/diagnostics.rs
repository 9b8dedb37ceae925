//! Diagnostics: what is wrong, where, and what to do about it.
//!
//! A [`Diagnostic`] is data: a [`Problem`] with its facts and the [`Place`] it was found at. It becomes English only
//! when it is printed: `problem` has the facts and the sentences of each, `human` formats them for a terminal.

mod explain;
mod formats;
mod human;
mod manual;
mod meant;
mod nearest;
mod position;
mod printable;
mod problem;
mod repair;
mod saved;

pub use explain::{explained, explanation, families};
pub use formats::{JSON_SCHEMA, github, json_line, sarif, short};
pub use human::{print, print_brief, summary};
pub use manual::{Manual, VARIABLE as MANUAL_VARIABLE, linked};
pub use meant::{Meant, meant, meant_path};
pub use nearest::{Words, nearest, nearest_path};
pub use position::{Position, boundary};
pub use printable::{is_unprintable, printable, printable_name};
pub use problem::{
    AccessibilityProblem, AddressProblem, AssetProblem, BudgetProblem, CheckProblem, CollectionProblem,
    ConnectionProblem, DataProblem, Description, FeedProblem, FileProblem, HYDRATIONS, HostProblem, ImportProblem,
    IslandProblem, LanguageProblem, LinkProblem, Literal, Lost, MarkdownProblem, MarkupProblem, NAMED, PluralProblem,
    PolicyProblem, Problem, ReferenceProblem, SchemaProblem, StyleProblem, TemplateProblem, TextLacks, ToolProblem,
    UnknownEsbuild, UnusedProblem, YamlProblem, adjustable, code, is_adjustable, label, message,
};
pub use repair::{Certainty, Change, Proposal, Repair};
pub use saved::SavedWarning;

use crate::paths::SourcePath;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A range of bytes in a file: `start` is the first byte, `end` the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset of the byte after the last.
    pub end: usize,
}

impl Span {
    /// Creates a span of `length` bytes that begins at `start`.
    pub fn at(start: usize, length: usize) -> Self {
        Span { start, end: start + length }
    }

    /// Returns the same range in a file in which this text begins at `offset`.
    pub fn shifted(self, offset: usize) -> Self {
        Span { start: self.start + offset, end: self.end + offset }
    }
}

/// A file, or a range of bytes in it. Without a span the place is the complete file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// From the root of the project, with `/`.
    pub path: SourcePath,
    /// The bytes in it.
    pub span: Option<Span>,
}

impl Place {
    /// Creates a place from a range of bytes.
    pub fn new(path: &SourcePath, span: Span) -> Self {
        Place { path: path.clone(), span: Some(span) }
    }

    /// Creates a place for a complete file.
    pub fn file(path: &SourcePath) -> Self {
        Place { path: path.clone(), span: None }
    }
}

/// The severity of a diagnostic. It decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The site is published all the same.
    Warning,
    /// The site has a mistake; nothing is published.
    Error,
    /// The tool could not do its work, independent of the site.
    Failure,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What is wrong, with the facts that the message needs.
    pub problem: Box<Problem>,
    /// Where. Failures of the tool have no place.
    pub place: Option<Place>,
    /// The page that was rendered: its content file, the entry that it is about, or its address where a file makes several
    /// pages without an entry each.
    pub page: Option<String>,
    /// As the problem has it, or as `site.yaml` sets it for its code.
    pub severity: Severity,
}

impl Diagnostic {
    /// Creates a diagnostic at a place, with the severity of its problem.
    pub fn new(problem: impl Into<Problem>, place: Place) -> Self {
        let problem = problem.into();
        Diagnostic { severity: problem.describe().severity, problem: Box::new(problem), place: Some(place), page: None }
    }

    /// Creates a failure of the tool itself.
    pub fn failure(problem: impl Into<Problem>) -> Self {
        Diagnostic { problem: Box::new(problem.into()), place: None, page: None, severity: Severity::Failure }
    }

    /// Whether a stage with this diagnostic gives no value. One whose severity the site may set stops no stage: whether the site
    /// is published with it is decided when everything is known.
    pub fn stops(&self) -> bool {
        self.severity != Severity::Warning && !is_adjustable(code(&self.problem))
    }

    /// Adds the page that was rendered.
    pub fn while_making(mut self, page: impl ToString) -> Self {
        self.page = Some(page.to_string());
        self
    }
}

/// The result of a stage: a value unless there are errors, and every diagnostic.
#[derive(Debug)]
pub struct Checked<T> {
    /// The value; `None` if the stage found an error that [stops](Diagnostic::stops) it.
    pub value: Option<T>,
    /// All diagnostics, also warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// The number of diagnostics that are reported for one file. Each reads the file to find its line and column: with
/// more, a file of a megabyte that is wrong everywhere would take minutes.
pub const MOST: usize = 100;

/// The number of diagnostics of a file that a stage keeps where a site may suppress them: their number has to be known.
pub const MOST_SUPPRESSED: usize = 1_000;

/// Whether a stage that keeps some diagnostics of a file keeps another one. There is always room for those that no site can suppress:
/// what is suppressed hides none of them.
pub fn is_kept(kept: usize, problem: &Problem) -> bool {
    let most = if is_adjustable(code(problem)) { MOST_SUPPRESSED } else { MOST_SUPPRESSED + MOST };
    kept <= most
}

/// Drops diagnostics that would be printed like an earlier one.
pub fn distinct(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut printed = BTreeSet::new();
    diagnostics.retain(|each| {
        let Diagnostic { problem, place, page, severity } = each;
        printed.insert((place.clone(), *severity, code(problem), message(problem), page.clone()))
    });
    diagnostics
}

/// Limits the diagnostics of each file to [`MOST`]. Errors are kept before warnings, and the first before the last; a
/// file that has more is reported as such. Stages may stop after `MOST + 1` diagnostics of a file that no site can suppress, and keep
/// others by [`is_kept`].
pub fn limited(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if diagnostics.len() <= MOST {
        return diagnostics;
    }
    let mut order: Vec<usize> = (0..diagnostics.len()).collect();
    order.sort_unstable_by_key(|index| (Reverse(diagnostics[*index].severity), &diagnostics[*index].place, *index));
    let mut counts: BTreeMap<&SourcePath, (usize, Severity)> = BTreeMap::new();
    let mut is_kept = vec![true; diagnostics.len()];
    for index in order {
        let each = &diagnostics[index];
        let Some(place) = &each.place else { continue };
        // The highest severity comes first.
        let (count, _) = counts.entry(&place.path).or_insert((0, each.severity));
        *count += 1;
        is_kept[index] = *count <= MOST;
    }
    let more = counts.into_iter().filter(|(_, (count, _))| *count > MOST).map(|(path, (_, severity))| Diagnostic {
        severity,
        ..Diagnostic::new(FileProblem::MoreInFile { reported: MOST }, Place::file(path))
    });
    let more: Vec<Diagnostic> = more.collect();
    let mut is_kept = is_kept.into_iter();
    diagnostics.into_iter().filter(|_| is_kept.next() == Some(true)).chain(more).collect()
}

impl<T> Checked<T> {
    /// Creates a result. The value is kept unless a diagnostic [stops](Diagnostic::stops) the stage.
    pub fn new(value: T, diagnostics: Vec<Diagnostic>) -> Self {
        let is_stopped = diagnostics.iter().any(Diagnostic::stops);
        Checked { value: (!is_stopped).then_some(value), diagnostics }
    }

    /// Creates a result without a value.
    pub fn failed(diagnostics: Vec<Diagnostic>) -> Self {
        Checked { value: None, diagnostics }
    }

    /// Passes the value to the next stage, which does not run without one. Keeps the diagnostics of both.
    pub fn then<U>(mut self, next: impl FnOnce(T) -> Checked<U>) -> Checked<U> {
        match self.value {
            None => Checked { value: None, diagnostics: self.diagnostics },
            Some(value) => {
                let mut result = next(value);
                self.diagnostics.append(&mut result.diagnostics);
                Checked { value: result.value, diagnostics: self.diagnostics }
            }
        }
    }

    /// Joins two independent stages: both values, or none, and the diagnostics of both.
    pub fn and<U>(mut self, mut other: Checked<U>) -> Checked<(T, U)> {
        self.diagnostics.append(&mut other.diagnostics);
        Checked { value: self.value.zip(other.value), diagnostics: self.diagnostics }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_wrong_everywhere_is_reported_a_hundred_times() {
        let [wrong, other] = ["content/a.yaml", "content/b.yaml"].map(SourcePath::new);
        let error = |path: &SourcePath, at| {
            Diagnostic::new(YamlProblem::FrontMatterUnclosed { fence: "---" }, Place::new(path, Span::at(at, 1)))
        };
        let warning = |at| Diagnostic { severity: Severity::Warning, ..error(&wrong, at) };
        let diagnostics =
            (0..50).map(warning).chain((0..150).rev().map(|at| error(&wrong, at))).chain([error(&other, 7)]);
        let diagnostics = limited(diagnostics.collect());
        let of = |path: &SourcePath| {
            diagnostics.iter().filter(|each| each.place.as_ref().unwrap().path == *path).collect::<Vec<_>>()
        };
        assert_eq!((of(&wrong).len(), of(&other).len()), (MOST + 1, 1));
        assert_eq!(diagnostics[0], error(&wrong, 99));
        let last = diagnostics.last().unwrap();
        assert_eq!(
            (&*last.problem, last.severity),
            (&FileProblem::MoreInFile { reported: MOST }.into(), Severity::Error)
        );
        assert_eq!(limited(vec![error(&wrong, 1); MOST]).len(), MOST);
    }

    #[test]
    fn a_stage_with_errors_stops_the_next_and_keeps_both_lists() {
        let place = Place::file(&SourcePath::new("a"));
        let error = || Diagnostic::new(YamlProblem::FrontMatterUnclosed { fence: "---" }, place.clone());
        let failed = Checked::new(1, vec![error()]).then(|_| -> Checked<()> { unreachable!() });
        assert!(failed.value.is_none());
        let both = Checked::new(1, vec![error()]).and(Checked::new(2, vec![error()]));
        assert_eq!((both.value, both.diagnostics.len()), (None, 2));
    }
}
