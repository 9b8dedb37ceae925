//! Which diagnostics keep a site from being published: `settings.checks` and `suppressions.json`.
//!
//! No stage stops at a diagnostic whose severity a site may set. Once all stages have run, [`judge`] gives each its severity,
//! and leaves out those that are suppressed.

use super::site_file;
use super::suppressions::{Applied, Suppressions};
use sitegen_core::cache::Cache;
use sitegen_core::diagnostics::{
    AccessibilityProblem, AssetProblem, Checked, Diagnostic, LinkProblem, Problem, Severity, TemplateProblem,
    UnusedProblem,
};
use sitegen_core::sources::Sources;
use std::collections::BTreeSet;

/// Decides which diagnostics are reported, with which severity, and whether the value may be published. Returns also those
/// that are suppressed.
pub fn judge<T>(made: Checked<T>, sources: &Sources, cache: &Cache) -> (Checked<T>, Vec<Diagnostic>) {
    let diagnostics = weighed(made.diagnostics, sources, cache);
    let (suppressions, mut problems) = Suppressions::read(sources);
    if !problems.is_empty() {
        // What is suppressed is not known, and would be reported in a crowd.
        problems.extend(diagnostics.into_iter().filter(Diagnostic::stops));
        return (Checked::failed(problems), Vec::new());
    }
    let is_stopped = diagnostics.iter().any(Diagnostic::stops);
    if made.value.is_none() && !is_stopped {
        // The page cannot be rendered with this error.
        return (Checked::failed(diagnostics), Vec::new());
    }
    let Applied { reported: mut diagnostics, suppressed, fewer } = suppressions.apply(diagnostics);
    // A stage that did not run has found nothing.
    if made.value.is_some() {
        diagnostics.extend(fewer);
    }
    drop_consequences(&mut diagnostics);
    let is_valid = diagnostics.iter().all(|each| each.severity == Severity::Warning);
    (Checked { value: made.value.filter(|_| is_valid), diagnostics }, suppressed)
}

/// Gives diagnostics that are found once a site is complete the severities that it sets.
pub fn weigh(diagnostics: Vec<Diagnostic>, sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
    match diagnostics.is_empty() {
        true => diagnostics,
        false => site_file::checks(sources, cache).apply(diagnostics),
    }
}

/// Gives diagnostics the severities that the site sets, and drops the links without text that the template of a page makes of its
/// headings without text, as in a table of contents.
fn weighed(diagnostics: Vec<Diagnostic>, sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
    let mut diagnostics = site_file::checks(sources, cache).apply(diagnostics);
    let file = |each: &Diagnostic| {
        let is_empty = matches!(*each.problem, Problem::Accessibility(AccessibilityProblem::EmptyText { .. }));
        each.place.as_ref().filter(|_| is_empty).map(|place| place.path.as_str().to_owned())
    };
    let empty: BTreeSet<String> = diagnostics.iter().filter_map(file).collect();
    diagnostics.retain(|each| {
        let page = file(each).and_then(|file| each.page.as_ref().filter(|page| **page != file));
        page.is_none_or(|page| !empty.contains(page))
    });
    diagnostics
}

/// Drops what only follows from an error that stops no stage: what a misspelt name means is unused, and a template does not
/// find it.
fn drop_consequences(diagnostics: &mut Vec<Diagnostic>) {
    let has = |is_cause: fn(&Problem) -> bool| {
        let errors = diagnostics.iter().filter(|each| each.severity != Severity::Warning);
        errors.into_iter().any(|each| is_cause(&each.problem))
    };
    let names_no_file = has(|problem| {
        matches!(
            problem,
            Problem::Asset(AssetProblem::UnknownAsset { .. }) | Problem::Link(LinkProblem::BrokenFile { .. })
        )
    });
    let is_misspelt =
        has(|problem| matches!(problem, Problem::Unused(UnusedProblem::UnusedCollection { nearest: Some(_), .. })));
    diagnostics.retain(|each| match &*each.problem {
        Problem::Unused(UnusedProblem::UnusedFile { .. }) => !names_no_file,
        Problem::Template(TemplateProblem::TemplateFailed { .. }) => !is_misspelt,
        _ => true,
    });
}

/// Returns all errors that can be suppressed, or, where another one is left, that one.
pub fn suppressible<T>(made: Checked<T>, sources: &Sources, cache: &Cache) -> Result<Suppressions, Vec<Diagnostic>> {
    let diagnostics = weighed(made.diagnostics, sources, cache);
    if made.value.is_some() {
        return Ok(Suppressions::of(diagnostics.iter()));
    }
    let is_stopped = diagnostics.iter().any(Diagnostic::stops);
    let is_error = |each: &Diagnostic| each.severity != Severity::Warning;
    Err(diagnostics.into_iter().filter(|each| if is_stopped { each.stops() } else { is_error(each) }).collect())
}
