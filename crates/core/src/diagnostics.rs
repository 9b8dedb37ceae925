//! Diagnostics: what is wrong, where, and what to do about it.
//!
//! A [`Diagnostic`] is data: a [`Problem`] with its facts and the [`Place`] it was found at. It becomes English only
//! when it is printed: `problem` has the facts and the sentences of each, `human` formats them for a terminal.

mod explain;
mod formats;
mod human;
mod manual;
mod meant;
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
use std::borrow::Cow;
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

/// The number of candidates that are compared: with more pages, a broken link takes no longer.
const CANDIDATES: usize = 20_000;
/// The most of them that are compared letter by letter: those whose letters differ least.
const COMPARED: usize = 200;

/// Returns the candidate that an editor most likely meant, if one is near enough.
///
/// Near means at most a third of the letters changed, at least one, with neighbouring letters swapped counting once; or
/// a candidate that begins with the word. Of two that are as near, the one with the same letters.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &mut candidates.into_iter())
}

fn nearest_of<'a>(word: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let limit = ((word.chars().count() + 1) / 3).max(1);
    let length = word.chars().count();
    let bag = Letters::of(&word);
    // Every letter more or less is an edit, so few candidates need be compared letter by letter.
    let least = |candidate: &str| match candidate {
        _ if candidate == word => 0,
        _ if word.len() >= 4 && candidate.starts_with(&word) => limit,
        _ if candidate.chars().count().abs_diff(length) > limit => usize::MAX,
        _ => bag.edits_to(&Letters::of(candidate)),
    };
    let mut near: Vec<(usize, Cow<str>, &str)> = candidates
        .take(CANDIDATES)
        .map(|candidate| (lower(candidate), candidate))
        .map(|(lower, candidate)| (least(&lower), lower, candidate))
        .filter(|(edits, ..)| *edits <= limit)
        .collect();
    if near.len() > COMPARED {
        near.select_nth_unstable_by(COMPARED, |one, other| (one.0, one.2).cmp(&(other.0, other.2)));
        near.truncate(COMPARED);
    }
    let distance = |candidate: &str| match word.len() >= 4 && candidate.starts_with(&word) && candidate != word {
        true => limit,
        false => strsim::osa_distance(&word, candidate),
    };
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let own = letters(&word);
    near.iter()
        .map(|(_, lower, candidate)| (distance(lower), *candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, candidate)| (*distance, letters(candidate) != own, *candidate))
        .map(|(_, candidate)| candidate)
}

fn lower(word: &str) -> Cow<'_, str> {
    match word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    }
}

/// How often each letter is in a word. Letters that have the same place here count as one.
struct Letters([u8; 32]);

impl Letters {
    fn of(word: &str) -> Self {
        let mut counts = [0_u8; 32];
        for letter in word.chars() {
            let count = &mut counts[letter as usize % 32];
            *count = count.saturating_add(1);
        }
        Letters(counts)
    }

    /// Returns the least number of edits that lead to another word: one adds a letter, takes one away, or does both.
    fn edits_to(&self, other: &Letters) -> usize {
        let pairs = self.0.iter().zip(other.0);
        let (more, less) = pairs.fold((0, 0), |(more, less), (own, other)| {
            (more + usize::from(own.saturating_sub(other)), less + usize::from(other.saturating_sub(*own)))
        });
        more.max(less)
    }
}

/// Returns the path of the file that an editor most likely meant: the same name in another folder, a similar name, one that
/// has all of this name in it, or a similar path.
pub fn nearest_path<'a>(path: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 4;
    let split = |path: &'a str| path.rsplit_once('/').unwrap_or(("", path));
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_lowercase();
    let stem_of = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let candidates: Vec<&str> = candidates.into_iter().take(CANDIDATES).collect();
    let names: Vec<String> = candidates.iter().map(|candidate| split(candidate).1.to_lowercase()).collect();
    let similar = || {
        let similar = nearest(&name, names.iter().map(String::as_str))?;
        names.iter().position(|other| other == similar)
    };
    let stem = stem_of(&name);
    let longer = || {
        let longer = (0..names.len()).filter(|at| stem.len() >= SHORTEST && stem_of(&names[*at]).contains(&stem));
        longer.min_by_key(|at| names[*at].len())
    };
    let found = names.iter().position(|other| *other == name).or_else(similar).or_else(longer);
    // With the folder that both have, any two short names are alike.
    let elsewhere = || candidates.iter().copied().filter(|candidate| split(candidate).0 != folder);
    found.map(|at| candidates[at]).or_else(|| nearest(path, elsewhere()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_bound_the_distance_of_words() {
        let words = [
            "",
            "a",
            "title",
            "tittle",
            "titel",
            "/news/2025",
            "/news/2026",
            "Straße",
            "n12",
            "m34",
            "äöü",
            "aaaaaaaa",
        ];
        for (one, other) in words.iter().flat_map(|one| words.iter().map(move |other| (one, other))) {
            let edits = Letters::of(one).edits_to(&Letters::of(other));
            assert!(edits <= strsim::osa_distance(one, other), "{one} {other} {edits}");
        }
        assert_eq!(Letters::of("bread").edits_to(&Letters::of("table")), 2);
    }

    #[test]
    fn the_file_that_was_meant_is_suggested() {
        let files = ["photos/brick-oven.jpg", "photos/team.jpg", "logo.svg", "menu.pdf"];
        let meant = |path| nearest_path(path, files);
        assert_eq!(meant("photos/tema.jpg"), Some("photos/team.jpg"));
        assert_eq!(meant("Team.jpg"), Some("photos/team.jpg"));
        assert_eq!(meant("art/pictures/logos.svg"), Some("logo.svg"));
        assert_eq!(meant("photos/oven.jpg"), Some("photos/brick-oven.jpg"));
        assert_eq!(meant("en.jpg"), None);
        assert_eq!(meant("photos/harbour.jpg"), None);
    }

    #[test]
    fn the_nearest_word_is_suggested_and_a_far_one_is_not() {
        let keys = ["title", "template", "description"];
        assert_eq!(nearest("tittle", keys), Some("title"));
        assert_eq!(nearest("descripton", keys), Some("description"));
        assert_eq!(nearest("desc", keys), Some("description"));
        assert_eq!(nearest("colour", keys), None);
        // Two letters are swapped more often than one is left over.
        assert_eq!(nearest("rsut", ["rst", "rust"]), Some("rust"));
    }

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
