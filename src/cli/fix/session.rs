//! Tries repairs in memory: applies them to the sources, checks the whole site, and keeps those that helped.
//!
//! A repair helped if the diagnostic that proposed it is gone and no new one has come, or a warning in place of an error. What
//! counts as new depends on what the check
//! before has seen: a stage with an error stops the next one, so a site with fewer errors is checked further, and may show what
//! was hidden before. On a line that was edited, everything new counts; but where that has a certain repair itself, as the value of
//! a misspelt key may, both are tried together.

use crate::diagnostics::{
    Certainty, Checked, DataProblem, Diagnostic, FileProblem, Place, Position, Problem, Repair, Severity, Span,
    YamlProblem, code, message,
};
use crate::edit::Edit;
use crate::edit::repairs::Repairs;
use crate::paths::SourcePath;
use crate::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// How often repairs are looked for: each time may bring up others. More rounds than stages find nothing.
const ROUNDS: usize = 12;

/// A check of the whole site: its diagnostics, and whether it was checked to the end.
pub type Check<'c> = &'c dyn Fn(&Sources) -> Checked<()>;

/// What is the same of a diagnostic wherever its file has moved it: the file, the code, the message and the text of the line.
type Key = (Option<SourcePath>, &'static str, String, String);

/// A repair that is tried, with the diagnostic that proposed it.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The repair; its place is in the text at the beginning of its round.
    pub repair: Repair,
    /// The code of the diagnostic.
    pub code: &'static str,
    /// The line of the repair when it was tried, from 1.
    pub line: usize,
    key: Key,
    /// Whether it takes away an error.
    is_of_error: bool,
    /// Whether nothing of its file could be read because of it, also not the rest of its line.
    is_unread: bool,
}

impl Fix {
    fn path(&self) -> &SourcePath {
        &self.repair.place.path
    }

    fn span(&self) -> Span {
        self.repair.place.span.unwrap_or_default()
    }

    fn is_same(&self, other: &Fix) -> bool {
        (&self.key, &self.repair.title, self.line) == (&other.key, &other.repair.title, other.line)
    }
}

/// The state of a site while it is repaired.
pub struct Session<'c> {
    /// The sources with every repair that helped.
    pub sources: Sources,
    /// The last check of them.
    pub checked: Checked<()>,
    /// The repairs that helped, in the order in which they were tried.
    pub fixed: Vec<Fix>,
    /// The repairs that did not, and were taken back.
    pub refused: Vec<Fix>,
    check: Check<'c>,
}

/// The repairs of a round, and those of them that are in the sources.
struct Round {
    /// The sources without any of them.
    start: Sources,
    kept: Vec<Fix>,
}

impl<'c> Session<'c> {
    /// Checks the site as it is.
    pub fn begin(sources: Sources, check: Check<'c>) -> Self {
        let checked = check(&sources);
        Session { sources, checked, fixed: Vec::new(), refused: Vec::new(), check }
    }

    /// Applies every certain repair that helps, until nothing more is certain. `is_writable` says of which files the text can be
    /// replaced.
    pub fn run(&mut self, is_writable: &dyn Fn(&SourcePath) -> bool) {
        for _ in 0..ROUNDS {
            self.refused.clear();
            let mut tried = proposed(&self.checked.diagnostics, &self.sources);
            tried.retain(|fix| is_writable(fix.path()));
            let before = self.fixed.len();
            let mut round = Round { start: self.sources.clone(), kept: Vec::new() };
            self.settle(&mut round, tried);
            self.fixed.append(&mut round.kept);
            for refused in std::mem::take(&mut self.refused) {
                // Those that were kept meanwhile may have moved it.
                let again =
                    proposed(&self.checked.diagnostics, &self.sources).into_iter().find(|fix| fix.is_same(&refused));
                if !again.is_some_and(|fix| self.try_with_consequences(fix, is_writable)) {
                    self.refused.push(refused);
                }
            }
            if self.fixed.len() == before {
                break;
            }
        }
    }

    /// Keeps those of some repairs that help. They are tried together, and in halves where that fails.
    fn settle(&mut self, round: &mut Round, tried: Vec<Fix>) {
        if tried.is_empty() {
            return;
        }
        let all: Vec<Fix> = round.kept.iter().chain(&tried).cloned().collect();
        let sources = applied(&round.start, &all);
        let checked = (self.check)(&sources);
        let lines = edited_lines(round, &tried, &sources);
        if self.harm(&tried, &lines, &sources, &checked).is_some_and(|harm| harm.is_empty()) {
            (self.sources, self.checked) = (sources, checked);
            round.kept = all;
        } else if tried.len() == 1 {
            self.refused.extend(tried);
        } else {
            let mut first = tried;
            let second = first.split_off(first.len() / 2);
            self.settle(round, first);
            self.settle(round, second);
        }
    }

    /// Tries a repair together with the certain repairs of what is new because of it. Returns whether they were kept.
    fn try_with_consequences(&mut self, fix: Fix, is_writable: &dyn Fn(&SourcePath) -> bool) -> bool {
        const STEPS: usize = 3;
        let own = [fix.clone()];
        let mut tried = vec![fix];
        let (mut sources, mut lines, mut all) = (self.sources.clone(), BTreeSet::new(), Vec::new());
        for _ in 0..STEPS {
            let round = Round { start: sources.clone(), kept: Vec::new() };
            sources = applied(&sources, &tried);
            lines.extend(edited_lines(&round, &tried, &sources));
            all.append(&mut tried);
            let checked = (self.check)(&sources);
            let Some(harm) = self.harm(&own, &lines, &sources, &checked) else { return false };
            if harm.is_empty() {
                (self.sources, self.checked) = (sources, checked);
                self.fixed.append(&mut all);
                return true;
            }
            let harm: Vec<Diagnostic> = harm.into_iter().cloned().collect();
            tried = proposed(&harm, &sources);
            if tried.len() < harm.len() || tried.iter().any(|fix| !is_writable(fix.path())) {
                return false;
            }
        }
        false
    }

    /// Returns the new diagnostics that came of some repairs. `None` if a diagnostic that one of them is for is still there.
    fn harm<'d>(
        &self,
        tried: &[Fix],
        lines: &BTreeSet<(SourcePath, usize)>,
        sources: &Sources,
        checked: &'d Checked<()>,
    ) -> Option<Vec<&'d Diagnostic>> {
        let (old, new) = (counts(&self.checked.diagnostics, &self.sources), counts(&checked.diagnostics, sources));
        let mut repaired: BTreeMap<Key, usize> = BTreeMap::new();
        for fix in tried {
            let any = without_line(&fix.key);
            if any != fix.key {
                *repaired.entry(fix.key.clone()).or_default() += 1;
            }
            *repaired.entry(any).or_default() += 1;
        }
        let count = |counts: &BTreeMap<Key, usize>, key: &Key| counts.get(key).copied().unwrap_or_default();
        let has_grown = |key: &Key| count(&new, key) + count(&repaired, key) > count(&old, key);
        if tried.iter().any(|fix| has_grown(&fix.key)) {
            return None;
        }
        // What else is on an edited line has the same words as before, and what has moved to another line is not the same.
        let is_new = |each: &Diagnostic| {
            let key = key_of(each, sources);
            count(&new, &key) > count(&old, &key) && has_grown(&without_line(&key))
        };
        let hidden = Hidden::of(&self.checked, checked.diagnostics.iter().filter(|each| !is_new(each)));
        let are_of_errors = tried.iter().all(|fix| fix.is_of_error);
        let is_harm = |each: &&Diagnostic| {
            // What of an unread line was hidden too.
            let path = each.place.as_ref().map(|place| &place.path);
            let was_unread = || tried.iter().any(|fix| fix.is_unread && Some(fix.path()) == path);
            let is_of_line = is_on(each, lines, sources) && (is_unreadable(&each.problem) || !was_unread());
            let is_progress = are_of_errors && each.severity == Severity::Warning;
            is_new(each) && !is_progress && (is_of_line || !hidden.may_have(each))
        };
        Some(checked.diagnostics.iter().filter(is_harm).collect())
    }
}

/// What an earlier check may not have seen.
struct Hidden {
    /// Everything of a later stage.
    is_all: bool,
    /// Everything in these files, which have no errors left.
    files: BTreeSet<SourcePath>,
}

impl Hidden {
    /// `left`: what a check had reported and the next one reports again.
    fn of<'d>(old: &Checked<()>, left: impl Iterator<Item = &'d Diagnostic>) -> Self {
        let is_error = |each: &&Diagnostic| each.severity != Severity::Warning;
        let path = |each: &Diagnostic| Some(each.place.as_ref()?.path.clone());
        let left: Vec<&Diagnostic> = left.filter(is_error).collect();
        let files_left: BTreeSet<SourcePath> = left.iter().filter_map(|each| path(each)).collect();
        // Of a file with many problems, only the first are reported.
        let has_more = |each: &&Diagnostic| matches!(*each.problem, Problem::File(FileProblem::MoreInFile { .. }));
        let more = old.diagnostics.iter().filter(has_more).filter_map(path);
        let was_complete = old.value.is_some();
        let had_errors = old.diagnostics.iter().filter(is_error).filter(|_| !was_complete).filter_map(path);
        let files = had_errors.filter(|path| !files_left.contains(path)).chain(more).collect();
        Hidden { is_all: !was_complete && left.is_empty(), files }
    }

    fn may_have(&self, diagnostic: &Diagnostic) -> bool {
        let is_in = |path: &SourcePath| self.files.contains(path);
        let page = diagnostic.page.as_ref().map(SourcePath::new);
        self.is_all
            || diagnostic.place.as_ref().is_some_and(|place| is_in(&place.path))
            || page.is_some_and(|page| is_in(&page))
    }
}

/// Returns the certain repairs that some diagnostics propose, without those that overlap an earlier one in the same file.
fn proposed(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Fix> {
    let mut repairs = Repairs::of(sources);
    let fix = |each: &Diagnostic| {
        let repair = repairs.find(each).filter(|repair| repair.certainty == Certainty::Certain)?;
        let line = Position::of(sources.text(&repair.place.path)?, repair.place.span?)?.line;
        Some(Fix {
            line,
            code: code(&each.problem),
            key: key_of(each, sources),
            is_of_error: each.severity != Severity::Warning,
            is_unread: is_unreadable(&each.problem),
            repair,
        })
    };
    let mut all: Vec<Fix> = diagnostics.iter().filter_map(fix).collect();
    all.sort_by(|one, two| (one.path(), one.span()).cmp(&(two.path(), two.span())));
    let mut kept: Vec<Fix> = Vec::new();
    for fix in all {
        let is_free = kept.last().is_none_or(|last| {
            let (last_span, span) = (last.span(), fix.span());
            last.path() != fix.path() || last_span.end < span.start || last_span.end == span.start && last_span != span
        });
        if is_free {
            kept.push(fix);
        }
    }
    kept
}

/// Returns sources with some repairs, none of which overlaps another.
fn applied(sources: &Sources, fixes: &[Fix]) -> Sources {
    let mut files: BTreeMap<&SourcePath, Vec<&Fix>> = BTreeMap::new();
    fixes.iter().for_each(|fix| files.entry(fix.path()).or_default().push(fix));
    files.into_iter().fold(sources.clone(), |sources, (path, mut fixes)| {
        fixes.sort_by_key(|fix| fix.span());
        let text = sources.text(path).unwrap_or_default().to_owned();
        // From the end, so that places before stay what they are.
        let text = fixes
            .iter()
            .rev()
            .fold(text, |text, fix| Edit { span: fix.span(), text: fix.repair.replacement.clone() }.apply(&text));
        sources.with(path, text.as_bytes())
    })
}

/// Returns the lines that some repairs have edited, by file, with their numbers in the new text.
fn edited_lines(round: &Round, tried: &[Fix], sources: &Sources) -> BTreeSet<(SourcePath, usize)> {
    let all: Vec<&Fix> = round.kept.iter().chain(tried).collect();
    let mut lines = BTreeSet::new();
    for fix in tried {
        let before = all.iter().filter(|other| other.path() == fix.path() && other.span() < fix.span());
        let moved: isize = before
            .map(|other| other.repair.replacement.len() as isize - (other.span().end - other.span().start) as isize)
            .sum();
        let start = fix.span().start.saturating_add_signed(moved);
        let span = Span::at(start, fix.repair.replacement.len());
        if let Some(at) = sources.text(fix.path()).and_then(|text| Position::of(text, span)) {
            lines.extend((at.line..=at.end_line).map(|line| (fix.path().clone(), line)));
        }
    }
    lines
}

/// Whether a diagnostic is on one of some lines.
fn is_on(diagnostic: &Diagnostic, lines: &BTreeSet<(SourcePath, usize)>, sources: &Sources) -> bool {
    let Some(Place { path, span: Some(span) }) = &diagnostic.place else { return false };
    let at = sources.text(path).and_then(|text| Position::of(text, *span));
    at.is_some_and(|at| lines.contains(&(path.clone(), at.line)))
}

/// Whether a problem keeps a whole file from being read.
fn is_unreadable(problem: &Problem) -> bool {
    use YamlProblem::{YamlQuotes, YamlSyntax, YamlTab};
    matches!(
        problem,
        Problem::Yaml(YamlQuotes { .. } | YamlSyntax { .. } | YamlTab) | Problem::Data(DataProblem::DataSyntax { .. })
    )
}

fn key_of(diagnostic: &Diagnostic, sources: &Sources) -> Key {
    let place = diagnostic.place.as_ref();
    let line = place.and_then(|Place { path, span }| {
        let text = sources.text(path)?;
        text[Position::of(text, (*span)?)?.line_start..].lines().next()
    });
    let path = place.map(|place| place.path.clone());
    (path, code(&diagnostic.problem), message(&diagnostic.problem), line.unwrap_or_default().to_owned())
}

/// Returns the key of the same message on any line.
fn without_line((path, code, message, _): &Key) -> Key {
    (path.clone(), code, message.clone(), String::new())
}

/// Counts diagnostics by their keys, and by their keys without the line.
fn counts(diagnostics: &[Diagnostic], sources: &Sources) -> BTreeMap<Key, usize> {
    let mut counts = BTreeMap::new();
    for each in diagnostics {
        let key = key_of(each, sources);
        let any = without_line(&key);
        if any != key {
            *counts.entry(key).or_default() += 1;
        }
        *counts.entry(any).or_default() += 1;
    }
    counts
}
