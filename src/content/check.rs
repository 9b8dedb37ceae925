//! Validates files of content against schemas, and reports each mistake once.

use super::address::joined;
use super::parsed::ParsedDocument;
use super::schema::{Schema, Text};
use super::yaml::Value;
use super::{SITE_FILE, yaml};
use crate::diagnostics::{Diagnostic, Place, Problem, Severity, Span, code, message};
use crate::paths::SourcePath;
use crate::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// Validates a file against the engine's schema and against the site's own, if it has one.
pub fn validate(
    parsed: &ParsedDocument,
    built_in: &Schema,
    engine_keys: &[&str],
    own: Option<&Schema>,
) -> Vec<Diagnostic> {
    let mut diagnostics = check(parsed, built_in, &[]);
    let reserved = reserved(parsed);
    diagnostics.extend(reserved.iter().map(|(key, span)| {
        Diagnostic::error(Problem::ReservedKey { key: (*key).to_owned() }, Place::new(parsed.path, *span))
    }));
    let passed_over: Vec<&str> = engine_keys.iter().copied().chain(reserved.iter().map(|(key, _)| *key)).collect();
    let rest = own.map_or_else(|| ambiguous(parsed), |schema| check(parsed, schema, &passed_over));
    let rest = rest.into_iter().chain(misspelt(parsed, built_in, own));
    // A value of the wrong type is reported once, with the fix for its type.
    for each in rest {
        let may_repeat = matches!(*each.problem, Problem::YamlAmbiguous { .. } | Problem::UnknownKey { .. });
        if !may_repeat || diagnostics.iter().all(|other| other.place != each.place) {
            diagnostics.push(each);
        }
    }
    diagnostics
}

/// Reports keys that are keys of the engine but for a slip. Any other key may be for a template.
pub fn misspelt(parsed: &ParsedDocument, built_in: &Schema, own: Option<&Schema>) -> Vec<Diagnostic> {
    let engine_keys = built_in.keys();
    let own = own.map(Schema::keys).unwrap_or_default();
    let is_strange = |name: &str| !engine_keys.contains(&name) && !own.contains(&name);
    let strangers = parsed.data.entries().iter().filter(|(key, _)| is_strange(&key.name));
    let reported = strangers.filter_map(|(key, value)| {
        let is_free = |meant: &str| parsed.data.get(meant).is_none();
        // A short key or another ending may be another word, and is none if the value is as the engine wants it.
        let is_near =
            |meant: &str| is_near(&key.name, meant) && is_free(meant) && built_in.is_made_for(&[meant], value);
        let is_meant = |meant: &&&str| is_slip(&key.name, meant) || is_near(meant);
        let is_of_settings = || {
            let settings = built_in.keys_of(SETTINGS).contains(&key.name.as_str());
            settings && built_in.is_made_for(&[SETTINGS, &key.name], value)
        };
        let meant = engine_keys.iter().find(is_meant).map(|meant| (*meant).to_owned());
        let meant = meant.or_else(|| is_of_settings().then(|| format!("{SETTINGS}.{}", key.name)));
        // Jekyll's word for the opposite.
        let hides = key.name == "published" && matches!(value.value, Value::Bool(_)) && engine_keys.contains(&"draft");
        let nearest = Some(meant.or_else(|| hides.then(|| "draft".to_owned()))?);
        let problem = Problem::UnknownKey { key: key.name.clone(), nearest, known: Vec::new() };
        Some(Diagnostic::error(problem, Place::new(parsed.path, key.span)))
    });
    reported.collect()
}

/// Whether a word is a key with one letter too many or too few, or with two that changed places.
fn is_near(word: &str, key: &str) -> bool {
    const SHORT: usize = 4;
    let has_other_letter = word.len() == key.len() && sorted(word) != sorted(key);
    // `fee` and `one` are words.
    let is_word = key.len() <= SHORT && word.strip_suffix('s') != Some(key);
    strsim::osa_distance(word, key) == 1 && !has_other_letter && !is_word
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

/// The key of `site.yaml` that has the choices of the engine.
const SETTINGS: &str = "settings";

/// Whether a word is a key with other capital letters, or a long key that was mistyped: with a letter too many or too few inside, with two that changed places,
/// or with another sign between its words. Another ending or another letter may be another word: `languages`, `undated`.
fn is_slip(word: &str, key: &str) -> bool {
    const LONG: usize = 7;
    let plain = |text: &str| text.replace(['-', '_'], "").to_ascii_lowercase();
    let ends = |text: &str| (text.chars().next(), text.chars().next_back());
    let has_other_letter = || word.len() == key.len() && sorted(word) != sorted(key);
    // French for language.
    let is_word = word == "langage";
    word != key
        && (word.eq_ignore_ascii_case(key)
            || key.len() >= LONG
                && !is_word
                && (plain(word) == plain(key)
                    || ends(word) == ends(key) && strsim::osa_distance(word, key) == 1 && !has_other_letter()))
}

/// Returns the keys of a file that the engine sets for templates, whatever is written there.
fn reserved<'d>(parsed: &'d ParsedDocument) -> Vec<(&'d str, Span)> {
    let is_page = parsed.path.below("content/pages").is_some();
    let is_set = |key: &str| match key {
        "route" => true,
        "source" | "url" | "ancestors" | "previous" | "next" => is_page,
        "slug" | "expired" => !is_page,
        // A file without a body may use these two for itself.
        "content" | "toc" => parsed.body.is_some(),
        _ => false,
    };
    let entries = parsed.data.entries().iter().map(|(key, _)| (key.name.as_str(), key.span));
    entries.filter(|(key, _)| is_set(key)).collect()
}

/// Reports values of a file without a schema that YAML reads differently from how they are written. A schema defines
/// the type, and is the better judge.
pub fn ambiguous(parsed: &ParsedDocument) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    yaml::ambiguous(parsed.path, parsed.text, &parsed.data, &mut diagnostics);
    diagnostics
}

/// Drops repeated diagnostics: a site's own schema and the built-in one may both require a key.
pub fn drop_repeated(diagnostics: &mut Vec<Diagnostic>) {
    // What one page of many is wrong about is not what another is.
    let mut seen: BTreeSet<(Place, &'static str, String, Option<String>)> = BTreeSet::new();
    diagnostics.retain(|each| {
        let Some(place) = &each.place else { return true };
        seen.insert((place.clone(), code(&each.problem), message(&each.problem), each.page.clone()))
    });
}

/// Reports everything in a file that a schema does not allow.
pub fn check(parsed: &ParsedDocument, schema: &Schema, passed_over: &[&str]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    schema.check(&parsed.data, &Text { path: parsed.path, text: parsed.text }, passed_over, &mut diagnostics);
    diagnostics
}

/// Drops all but one report of a key that a file lacks: once it is added, it is there for everything that reads it.
pub fn drop_repeated_lacks(diagnostics: &mut Vec<Diagnostic>) {
    let lack = |each: &Diagnostic| {
        let (rank, key) = match &*each.problem {
            Problem::MissingKey { key, .. } => (0, key),
            Problem::AddressKey { key, found: None } => (1, key),
            Problem::NeededKey { key, .. } => (2, key),
            _ => return None,
        };
        Some(((each.place.as_ref()?.path.clone(), key.clone()), rank))
    };
    let mut kept: BTreeMap<(SourcePath, String), (usize, usize)> = BTreeMap::new();
    for (at, each) in diagnostics.iter().enumerate() {
        let Some((lacking, rank)) = lack(each) else { continue };
        let best = kept.entry(lacking).or_insert((rank, at));
        *best = (rank, at).min(*best);
    }
    let mut at = 0;
    diagnostics.retain(|each| {
        at += 1;
        // Several items of a list may lack the same key.
        lack(each).is_none_or(|(lacking, rank)| rank == 0 || kept[&lacking] == (rank, at - 1))
    });
}

/// Drops diagnostics of references to entries with mistakes of their own, which are reported there.
///
/// Files that are there have no address while the file with their pages is wrong, and a misspelt key is missing too.
pub fn drop_consequences(diagnostics: &mut Vec<Diagnostic>, sources: &Sources) {
    let misspelt = |each: &Diagnostic| match &*each.problem {
        Problem::UnknownKey { nearest, .. } => Some((each.place.clone()?, nearest.clone()?)),
        _ => None,
    };
    let misspelt: BTreeSet<(Place, String)> = diagnostics.iter().filter_map(misspelt).collect();
    let meant: BTreeSet<String> = misspelt.iter().map(|(_, key)| format!("entry.{key}")).collect();
    let is_in_pages = |each: &Diagnostic| {
        let place = each.place.as_ref().filter(|_| each.severity != Severity::Warning);
        place.is_some_and(|place| place.path.below("content/pages").is_some())
    };
    let is_link = |each: &Diagnostic| matches!(*each.problem, Problem::BrokenFile { .. });
    let is_page_wrong = diagnostics.iter().any(|each| is_in_pages(each) && !is_link(each));
    let is_there = |from: &SourcePath, target: &str| {
        let path = target.split(['#', '?']).next().unwrap_or_default();
        joined(from, path).is_some_and(|file| sources.get(&SourcePath::new(file)).is_some())
    };
    diagnostics.retain(|each| match (&*each.problem, &each.place) {
        (Problem::UnknownReference { reference, .. }, _) => !meant.contains(reference),
        (Problem::NeededKey { key, .. }, Some(place)) => !misspelt.contains(&(place.clone(), key.clone())),
        (Problem::BrokenFile { target, .. }, Some(place)) => !(is_page_wrong && is_there(&place.path, target)),
        _ => true,
    });
    let reference = |each: &Diagnostic| match &*each.problem {
        Problem::UnknownReference { reference, .. }
        | Problem::NestedReference { reference }
        | Problem::BadReference { reference }
        | Problem::NoText { reference, .. } => Some(reference.clone()),
        _ => None,
    };
    let wrong: BTreeSet<String> = diagnostics
        .iter()
        .filter(|each| each.severity != Severity::Warning && reference(each).is_none())
        .filter_map(|each| {
            let (folder, _) = each.place.as_ref()?.path.below("content")?.split_once('/')?;
            Some(format!("{folder}.{}", each.place.as_ref()?.path.stem()))
        })
        .collect();
    // A value with an unresolved reference is not checked any further.
    let unfilled: BTreeSet<Place> =
        diagnostics.iter().filter(|each| reference(each).is_some()).filter_map(|each| each.place.clone()).collect();
    diagnostics
        .retain(|each| reference(each).is_some() || each.place.as_ref().is_none_or(|place| !unfilled.contains(place)));
    let site = |each: &Diagnostic| each.place.as_ref().is_some_and(|place| place.path.as_str() == SITE_FILE);
    let is_site_wrong =
        diagnostics.iter().any(|each| site(each) && each.severity != Severity::Warning && reference(each).is_none());
    diagnostics.retain(|each| match reference(each) {
        Some(path) if is_site_wrong && path.split('.').next() == Some("site") => false,
        Some(path) => !wrong.contains(&path.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")),
        None => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_keys_are_told_from_other_words() {
        for (word, key) in
            [("drafts", "draft"), ("drat", "draft"), ("expire", "expires"), ("feeds", "feed"), ("gones", "gone")]
        {
            assert!(is_near(word, key), "{word}");
        }
        for (word, key) in [("fee", "feed"), ("seed", "feed"), ("one", "gone"), ("done", "gone"), ("lits", "list")] {
            assert!(!is_near(word, key), "{word}");
        }
    }

    #[test]
    fn slips_in_long_keys_are_told_from_other_words() {
        for (word, key) in [
            ("descripton", "description"),
            ("tempalte", "template"),
            ("no_index", "noindex"),
            ("forEach", "for_each"),
            ("publlish", "publish"),
            ("Draft", "draft"),
            ("DRAFT", "draft"),
        ] {
            assert!(is_slip(word, key), "{word}");
        }
        for (word, key) in [
            ("template", "template"),
            ("languages", "language"),
            ("undated", "updated"),
            ("expire", "expires"),
            ("lits", "list"),
            ("langage", "language"),
            ("depiction", "description"),
        ] {
            assert!(!is_slip(word, key), "{word}");
        }
    }
}
