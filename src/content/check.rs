//! Holds files of content against schemas, and tells each mistake once.

use super::read::Draft;
use super::schema::{Schema, Text};
use super::yaml;
use crate::diagnostics::{Diagnostic, Place, Problem, Severity, code, message};
use std::collections::BTreeSet;

/// Holds a file against the engine's schema and against the site's own, if it has one.
pub fn hold(draft: &Draft, built_in: &Schema, engine_keys: &[&str], own: Option<&Schema>) -> Vec<Diagnostic> {
    let mut found = check(draft, built_in, &[]);
    let rest = own.map_or_else(|| ambiguous(draft), |schema| check(draft, schema, engine_keys));
    // A value of the wrong type is told once, with the fix for its type.
    for each in rest {
        let is_ambiguous = matches!(*each.problem, Problem::YamlAmbiguous { .. });
        if !is_ambiguous || found.iter().all(|known| known.place != each.place) {
            found.push(each);
        }
    }
    found
}

/// Values of a file without a schema that YAML reads differently from how they are written. A schema says which type
/// it wants, and is the better judge.
pub fn ambiguous(draft: &Draft) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    yaml::ambiguous(draft.path, draft.text, &draft.data, &mut found);
    found
}

/// A site's own schema and the built-in one may both ask for a key; an editor is told once.
pub fn drop_repeated(found: &mut Vec<Diagnostic>) {
    let mut seen: BTreeSet<(Place, &'static str, String)> = BTreeSet::new();
    found.retain(|each| {
        let Some(place) = &each.place else { return true };
        seen.insert((place.clone(), code(&each.problem), message(&each.problem)))
    });
}

/// Everything in a file that a schema does not allow.
pub fn check(draft: &Draft, schema: &Schema, passed_over: &[&str]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    schema.check(&draft.data, &Text { path: draft.path, text: draft.text }, passed_over, &mut found);
    found
}

/// What refers to an entry with a mistake of its own may fail for that mistake. It is told where it was made.
pub fn drop_consequences(found: &mut Vec<Diagnostic>) {
    let reference = |each: &Diagnostic| match &*each.problem {
        Problem::UnknownReference { reference, .. }
        | Problem::BadReference { reference }
        | Problem::NoText { reference, .. } => Some(reference.clone()),
        _ => None,
    };
    let wrong: BTreeSet<String> = found
        .iter()
        .filter(|each| each.severity != Severity::Warning && reference(each).is_none())
        .filter_map(|each| {
            let (folder, _) = each.place.as_ref()?.path.below("content")?.split_once('/')?;
            Some(format!("{folder}.{}", each.place.as_ref()?.path.stem()))
        })
        .collect();
    found.retain(|each| match reference(each) {
        Some(path) => !wrong.contains(&path.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")),
        None => true,
    });
}
