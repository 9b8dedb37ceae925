//! Validates files of content against schemas, and reports each mistake once.

use super::address_keys::OF_TRANSLATIONS;
use super::parsed::ParsedDocument;
use super::schema::{Schema, Text};
use super::syntax::Syntax;
use super::yaml::{self, Node, Value};
use sitegen_core::diagnostics::{
    Diagnostic, Meant, Place, Problem, SchemaProblem, Span, YamlProblem, code, meant, message,
};
use sitegen_core::sources::SourceKind;
use std::collections::BTreeSet;

/// Validates a file against the engine's schema and against the site's own, if it has one.
pub fn validate(
    parsed: &ParsedDocument,
    built_in: &Schema,
    engine_keys: &[&str],
    own: Option<&Schema>,
) -> Vec<Diagnostic> {
    let mut diagnostics = check(parsed, built_in, &[]);
    let mut reserved = reserved(parsed);
    // A name of another generator for a key of the engine is the better advice.
    reserved.retain(|(key, _)| {
        let meant = parsed.data.get(key).and_then(|value| key_of_others(key, value));
        meant.is_none_or(|meant| parsed.data.get(meant).is_some() || own.is_some_and(|own| own.keys().contains(key)))
    });
    diagnostics.extend(reserved.iter().map(|(key, span)| {
        Diagnostic::new(SchemaProblem::ReservedKey { key: (*key).to_owned() }, Place::new(parsed.path, *span))
    }));
    let passed_over = engine_keys.iter().copied().chain(reserved.iter().map(|(key, _)| *key));
    // The name of an entry in a list.
    let passed_over = passed_over.chain(SourceKind::is_list(parsed.path).then_some("slug"));
    let of_translations = OF_TRANSLATIONS.into_iter().filter(|_| parsed.path.has_language());
    let passed_over: Vec<&str> = passed_over.chain(of_translations).collect();
    let rest = own.map_or_else(|| ambiguous(parsed, &[]), |schema| check(parsed, schema, &passed_over));
    // The engine's key is the better advice where a schema allows no others.
    let rest = misspelt(parsed, built_in, own).into_iter().chain(rest);
    // A value of the wrong type is reported once, with the fix for its type.
    for each in rest {
        let may_repeat = matches!(
            *each.problem,
            Problem::Yaml(YamlProblem::YamlAmbiguous { .. }) | Problem::Schema(SchemaProblem::UnknownKey { .. })
        );
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
    // Content managers write keys of their own, such as `_template` and `_schema`.
    let is_strange = |name: &str| !engine_keys.contains(&name) && !own.contains(&name) && !name.starts_with('_');
    let settings = parsed.data.get(SETTINGS);
    let strangers = parsed.data.entries().iter().filter(|(key, _)| is_strange(&key.name));
    let reported = strangers.filter_map(|(key, value)| {
        let is_free = |meant: &str| parsed.data.get(meant).is_none();
        // A short key, or one with another ending, may be a word of the site. It is not if its value is one for the engine.
        let is_near =
            |meant: &str| is_near(&key.name, meant) && is_free(meant) && built_in.is_made_for(&[meant], value);
        let is_meant = |meant: &&&str| is_slip(&key.name, meant) || is_near(meant);
        // Headers and flags may well be of the site.
        let is_of_settings = || {
            let is_free = || settings.is_none_or(|settings| settings.get(&key.name).is_none());
            let is_telling = !matches!(value.value, Value::Bool(_)) && key.name != "headers";
            is_telling && built_in.is_made_for(&[SETTINGS, &key.name], value) && is_free()
        };
        let found = engine_keys.iter().find(is_meant).map(|meant| Meant::from(*meant));
        let certain = || meant(&key.name, engine_keys.iter().copied());
        let found = found.map(|found| certain().filter(|certain| certain.word == found.word).unwrap_or(found));
        let found = found.or_else(|| is_of_settings().then(|| format!("{SETTINGS}.{}", key.name).into()));
        // Jekyll's word for a draft.
        let is_draft = key.name == "published" && value.value == Value::Bool(false);
        let hides = is_draft && engine_keys.contains(&"draft") && is_free("draft");
        let of_others = key_of_others(&key.name, value).filter(|meant| engine_keys.contains(meant) && is_free(meant));
        let found = found.or_else(|| of_others.map(Meant::certain));
        let nearest = Some(found.or_else(|| hides.then(|| Meant::certain("draft: true")))?);
        let problem = SchemaProblem::UnknownKey { key: key.name.clone(), nearest, known: Vec::new(), schema: None };
        Some(Diagnostic::new(problem, Place::new(parsed.path, key.span)))
    });
    reported.collect()
}

/// Returns the key for what other generators say of the address of a page with this key and value: a path of the site. Another
/// value may be one for templates.
fn key_of_others(key: &str, value: &Node) -> Option<&'static str> {
    let is_path = |node: &Node| node.text().is_some_and(|text| text.starts_with('/') && !text.starts_with("//"));
    match (key, &value.value) {
        ("redirect_from" | "redirects_from" | "alias", Value::List(items)) => {
            (!items.is_empty() && items.iter().all(is_path)).then_some("aliases")
        }
        ("redirect_from" | "redirects_from" | "alias", _) => is_path(value).then_some("aliases"),
        ("permalink" | "url", _) => is_path(value).then_some("path"),
        _ => None,
    }
}

/// Whether a word is a key with one letter too many or too few, with two that changed places, or with other capital letters.
fn is_near(word: &str, key: &str) -> bool {
    const SHORT: usize = 4;
    let has_other_letter = || word.len() == key.len() && sorted(word) != sorted(key);
    // `fee` and `one` are words.
    let is_word = key.len() <= SHORT && word.strip_suffix('s') != Some(key);
    let is_slip = || is_one_away(word, key) && !has_other_letter() && !is_word;
    word != key && word.eq_ignore_ascii_case(key) || is_slip()
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

/// The key of `site.yaml` that has the choices of the engine.
const SETTINGS: &str = "settings";

/// Whether a word is a long key that was mistyped: with a letter too many or too few inside, with two that changed places,
/// or with another sign between its words. Another ending or another letter may be another word: `languages`, `undated`.
fn is_slip(word: &str, key: &str) -> bool {
    const LONG: usize = 7;
    let ends = |text: &str| (text.chars().next(), text.chars().next_back());
    let has_other_letter = || word.len() == key.len() && sorted(word) != sorted(key);
    // French for language.
    let is_word = word == "langage";
    key.len() >= LONG
        && word != key
        && !is_word
        && (letters(word).eq(letters(key)) || ends(word) == ends(key) && is_one_away(word, key) && !has_other_letter())
}

/// Returns the letters of a key without the signs between its words, in lower case.
fn letters(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(|sign| !"-_".contains(*sign)).map(|sign| sign.to_ascii_lowercase())
}

/// Whether a word has one letter more or less than a key, another letter, or two that changed places.
fn is_one_away(word: &str, key: &str) -> bool {
    // Such a word begins or ends like the key, if it has three letters. Each key of each file is compared with all keys of
    // the engine, and few are as similar as that.
    let begins_alike = || word.chars().next() == key.chars().next();
    let ends_alike = || word.chars().next_back() == key.chars().next_back();
    (key.len() < 3 || begins_alike() || ends_alike()) && strsim::osa_distance(word, key) == 1
}

/// Returns the keys of a file that the engine sets for templates, whatever is written there.
fn reserved<'d>(parsed: &'d ParsedDocument) -> Vec<(&'d str, Span)> {
    let is_page = parsed.path.below("content/pages").is_some();
    let is_set = |key: &str| match key {
        "route" => true,
        "source" | "url" | "ancestors" | "previous" | "next" => is_page,
        "slug" => !is_page && !SourceKind::is_list(parsed.path) && !parsed.path.has_language(),
        "expired" => !is_page,
        // A file without a body may use these two for itself.
        "content" | "toc" => parsed.body.is_some(),
        _ => false,
    };
    let entries = parsed.data.entries().iter().map(|(key, _)| (key.name.as_str(), key.span));
    entries.filter(|(key, _)| is_set(key)).collect()
}

/// Reports values of a file without a schema that YAML reads differently from how they are written. A schema defines
/// the type, and is the better judge, as it is of the keys that are `passed_over`. Other formats have quotes around texts.
pub fn ambiguous(parsed: &ParsedDocument, passed_over: &[&str]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if Syntax::of(parsed.path, parsed.text.own) != Syntax::Yaml {
        return diagnostics;
    }
    for (_, value) in parsed.data.entries().iter().filter(|(key, _)| !passed_over.contains(&key.name.as_str())) {
        yaml::ambiguous(parsed.path, parsed.text, value, &mut diagnostics);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_keys_are_distinguished_from_other_words() {
        for (word, key) in [
            ("drafts", "draft"),
            ("DRAFT", "draft"),
            ("drat", "draft"),
            ("expire", "expires"),
            ("feeds", "feed"),
            ("gones", "gone"),
        ] {
            assert!(is_near(word, key), "{word}");
        }
        for (word, key) in [("fee", "feed"), ("seed", "feed"), ("one", "gone"), ("done", "gone"), ("lits", "list")] {
            assert!(!is_near(word, key), "{word}");
        }
    }

    #[test]
    fn slips_in_long_keys_are_distinguished_from_other_words() {
        for (word, key) in [
            ("descripton", "description"),
            ("tempalte", "template"),
            ("no_index", "noindex"),
            ("forEach", "for_each"),
            ("publlish", "publish"),
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
