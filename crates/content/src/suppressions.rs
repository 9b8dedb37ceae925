//! `suppressions.json`: the errors with which a site is published all the same, by file and code, with their number.
//!
//! The format is that of ESLint's bulk suppressions, so that tools which show them can be used.

use super::checks::refused;
use super::json;
use super::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::{
    CheckProblem, Diagnostic, Place, Problem, Severity, Span, YamlProblem, code, explained, is_adjustable,
};
use sitegen_core::paths::{SUPPRESSIONS, SourcePath};
use sitegen_core::sources::Sources;
use std::collections::BTreeMap;

/// The errors that are suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressions(BTreeMap<(String, &'static str), Number>);

/// How many errors of a code are suppressed in a file, and where that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Number {
    count: usize,
    span: Span,
}

/// What is left of diagnostics.
pub struct Applied {
    /// Those that are not suppressed, and those of more errors than are suppressed.
    pub reported: Vec<Diagnostic>,
    /// Those that are.
    pub suppressed: Vec<Diagnostic>,
    /// Warnings of numbers that are too high. They mean something only if every stage has run.
    pub fewer: Vec<Diagnostic>,
}

impl Suppressions {
    /// Reads the file of a project, with everything that is wrong with it. Without a file, nothing is suppressed.
    pub fn read(sources: &Sources) -> (Self, Vec<Diagnostic>) {
        let (path, mut suppressions) = (SourcePath::new(SUPPRESSIONS), Suppressions::default());
        let Some(source) = sources.get(&path) else { return (suppressions, Vec::new()) };
        let Some(text) = source.text() else {
            return (suppressions, vec![Diagnostic::new(YamlProblem::NotUtf8, Place::file(&path))]);
        };
        let mut diagnostics = Vec::new();
        let mut report = |problem: Problem, span| diagnostics.push(Diagnostic::new(problem, Place::new(&path, span)));
        match json::parse(text) {
            Err((problem, span)) => report(*problem, span),
            Ok((node, repeated)) => {
                repeated.into_iter().for_each(|(key, span)| report(YamlProblem::DuplicateKey { key }.into(), span));
                suppressions.fill(&node, &mut report);
            }
        }
        (suppressions, diagnostics)
    }

    fn fill(&mut self, node: &Node, report: &mut impl FnMut(Problem, Span)) {
        let expected = "a map from the path of a file to the codes that are suppressed in it";
        for (file, codes) in map(node, expected, report) {
            let expected = "a map from a code to how many of its errors are suppressed, like `{ \"count\": 2 }`";
            for (name, number) in map(codes, expected, report) {
                let known = explained().find(|known| *known == name.name);
                if let Some(problem) = refused(&name.name, false) {
                    report(problem, name.span);
                    continue;
                }
                let entries = map(number, expected, report);
                let Some((_, count)) = entries.iter().find(|(key, _)| key.name == "count") else {
                    if matches!(number.value, Value::Map(_)) {
                        let found = "a map without `count`";
                        report(CheckProblem::BadSuppression { found, expected }.into(), number.span);
                    }
                    continue;
                };
                match (known, &count.value) {
                    (Some(code), Value::Integer(1..)) => {
                        let number = Number { count: integer(&count.value), span: count.span };
                        self.0.insert((file.name.clone(), code), number);
                    }
                    _ => {
                        let found = if matches!(count.value, Value::Integer(_)) { "0 or less" } else { count.kind() };
                        let expected = "an integer greater than 0";
                        report(CheckProblem::BadSuppression { found, expected }.into(), count.span);
                    }
                }
            }
        }
    }

    /// Counts diagnostics.
    pub fn of<'d>(diagnostics: impl Iterator<Item = &'d Diagnostic>) -> Self {
        let mut suppressions = Suppressions::default();
        for each in diagnostics {
            let Some(key) = key(each) else { continue };
            suppressions.0.entry(key).or_default().count += 1;
        }
        suppressions
    }

    /// Leaves out the diagnostics that are suppressed. Of a kind of which a file has more, all are reported: nothing says which is
    /// new.
    pub fn apply(&self, diagnostics: Vec<Diagnostic>) -> Applied {
        if self.0.is_empty() {
            return Applied { reported: diagnostics, suppressed: Vec::new(), fewer: Vec::new() };
        }
        let found = Suppressions::of(diagnostics.iter());
        let at = |span| Place::new(&SourcePath::new(SUPPRESSIONS), span);
        let (mut more, mut fewer) = (Vec::new(), Vec::new());
        for ((file, code), Number { count, span }) in &self.0 {
            let key = (file.clone(), *code);
            let now = found.0.get(&key).map_or(0, |number| number.count);
            let (file, code) = key;
            if now > *count {
                let problem = CheckProblem::MoreThanSuppressed { file, code, found: now, suppressed: *count };
                more.push(Diagnostic::new(problem, at(*span)));
            } else if now < *count {
                let problem = CheckProblem::FewerThanSuppressed { file, code, found: now, suppressed: *count };
                fewer.push(Diagnostic::new(problem, at(*span)));
            }
        }
        let is_suppressed = |each: &Diagnostic| {
            let Some(key) = key(each) else { return false };
            let number = self.0.get(&key).zip(found.0.get(&key));
            number.is_some_and(|(suppressed, found)| found.count <= suppressed.count)
        };
        let (suppressed, mut reported): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(is_suppressed);
        reported.extend(more);
        Applied { reported, suppressed, fewer }
    }

    /// Returns these without what is no longer found.
    pub fn pruned(&self, found: &Suppressions) -> Self {
        let both = self.0.iter().filter_map(|(key, number)| {
            let count = number.count.min(found.0.get(key)?.count);
            Some((key.clone(), Number { count, ..*number }))
        });
        Suppressions(both.collect())
    }

    /// Returns the number of errors.
    pub fn len(&self) -> usize {
        self.0.values().map(|number| number.count).sum()
    }

    /// Whether nothing is suppressed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of files that have errors.
    pub fn files(&self) -> usize {
        let mut files: Vec<&str> = self.0.keys().map(|(file, _)| file.as_str()).collect();
        files.dedup();
        files.len()
    }

    /// Returns the text of the file: files and codes in alphabetical order.
    pub fn text(&self) -> String {
        let mut files: BTreeMap<&str, BTreeMap<&str, serde_json::Value>> = BTreeMap::new();
        for ((file, code), number) in &self.0 {
            files.entry(file).or_default().insert(code, serde_json::json!({ "count": number.count }));
        }
        // A map of texts and numbers can always be written.
        serde_json::to_string_pretty(&files).unwrap_or_default() + "\n"
    }
}

/// Returns the file and the code of an error that can be suppressed.
fn key(diagnostic: &Diagnostic) -> Option<(String, &'static str)> {
    let place = diagnostic.place.as_ref().filter(|_| diagnostic.severity != Severity::Warning)?;
    let code = code(&diagnostic.problem);
    is_adjustable(code).then(|| (place.path.as_str().to_owned(), code))
}

fn map<'n>(node: &'n Node, expected: &'static str, report: &mut impl FnMut(Problem, Span)) -> &'n [(Key, Node)] {
    match &node.value {
        Value::Map(entries) => entries,
        _ => {
            report(CheckProblem::BadSuppression { found: node.kind(), expected }.into(), node.span);
            &[]
        }
    }
}

fn integer(value: &Value) -> usize {
    match value {
        Value::Integer(number) => usize::try_from(*number).unwrap_or(usize::MAX),
        _ => 0,
    }
}
