//! Finds entries that name an entry of another collection which does not exist, as `entries.team[entry.author]` reads it.

use super::{AT_MOST, Trial};
use crate::convert::entry_of;
use crate::{Inputs, Templates};
use sitegen_content::collections::{Collection, Entry, collection_of};
use sitegen_content::terms::{values, word};
use sitegen_core::diagnostics::{Diagnostic, Place, Position, Span, TemplateProblem, meant};
use sitegen_core::paths::SourcePath;
use sitegen_templates::Template;
use sitegen_templates::lexer::{Token, codes};
use std::collections::BTreeSet;
use tera::Value;
use tera::value::Key;

/// A place where a template looks an entry up by a key of another one.
#[derive(Debug, PartialEq)]
struct Lookup<'t> {
    /// The collection in which it looks.
    collection: &'t str,
    /// The key that has the name.
    key: &'t str,
    at: usize,
}

/// Returns the mistakes of entries whose names of other entries make the page fail.
pub fn find(inputs: Inputs, trial: &Trial) -> Vec<Diagnostic> {
    let Inputs { sources, view, .. } = inputs;
    let templates = Templates::of(sources);
    if let Some(hidden) = hidden(inputs, trial, &templates) {
        return vec![hidden];
    }
    for Template { path, text, .. } in templates.iter().filter(|each| each.text.contains("entries")) {
        for lookup in lookups(text) {
            let Some(collection) = view.collections.get(lookup.collection) else { continue };
            let is_missing = |entry: &&Entry| !missing(entry, lookup.key, |name| collection.number(name)).is_empty();
            let entries = shown(inputs, trial);
            let wrong: Vec<&Entry> = entries.into_iter().filter(is_missing).collect();
            let names: BTreeSet<String> = wrong
                .iter()
                .flat_map(|entry| missing(entry, lookup.key, |name| collection.number(name)))
                .map(|(name, _)| name)
                .collect();
            if names.is_empty() || !is_cause(inputs, trial, lookup.collection, &names) {
                continue;
            }
            // Other pages fail for the same reason, and a failure of a template is reported once.
            let mut all: Vec<&Entry> = wrong;
            let others = all.iter().filter_map(|entry| of(inputs, &entry.source)).collect::<BTreeSet<&str>>();
            let others = others.into_iter().filter_map(|name| view.collections.get(name)).flat_map(|all| all.iter());
            let known: BTreeSet<SourcePath> = all.iter().map(|entry| entry.name()).collect();
            all.extend(others.filter(is_missing).filter(|entry| !known.contains(&entry.name())));
            let by = format!("{path}:{}", Position::of(text, Span::at(lookup.at, 1)).map_or(1, |at| at.line));
            let reports = all.into_iter().take(AT_MOST).flat_map(|entry| {
                let names = missing(entry, lookup.key, |name| collection.number(name));
                let report = |(name, span): (String, Span)| {
                    let problem = unknown(inputs, (lookup.collection, collection), name, by.clone());
                    trial.page.named_in(Diagnostic::new(problem, Place::new(&entry.source, span)))
                };
                names.into_iter().map(report).collect::<Vec<_>>()
            });
            return reports.collect();
        }
    }
    Vec::new()
}

/// Returns what to say of a name that is of no entry of a collection.
fn unknown(inputs: Inputs, (name_of_all, all): (&str, &Collection), name: String, by: String) -> TemplateProblem {
    let collection = name_of_all.to_owned();
    let of_site = inputs.site.main().collections.get(name_of_all);
    if of_site.is_some_and(|of_site| of_site.number(&name).is_some()) {
        return TemplateProblem::HiddenEntry { name, collection, by, language: inputs.view.language.tag.clone() };
    }
    let nearest = meant(&name, all.iter().map(|entry| entry.slug.as_str()));
    TemplateProblem::UnknownEntry { name, collection, by, nearest }
}

/// Whether the page no longer fails alike with these entries in a collection.
fn is_cause(inputs: Inputs, trial: &Trial, collection: &str, names: &BTreeSet<String>) -> bool {
    let Some(all) = trial.root("entries") else { return false };
    let of = |name: &str| all.as_map()?.get(&Key::from(name.to_owned()))?.as_map().cloned();
    let Some(mut entries) = of(collection) else { return false };
    // A language may hide all of them.
    let of_site = || {
        let entry = inputs.site.main().collections.get(collection)?.nth(0)?;
        Some(Value::from(entry_of(entry, &inputs.site.settings, (inputs.site.pages.order(), 0))))
    };
    let Some(any) = entries.values().next().cloned().or_else(of_site) else { return false };
    entries.extend(names.iter().map(|name| (Key::from(name.clone()), any.clone())));
    let mut all = all.as_map().cloned().unwrap_or_default();
    all.insert(Key::from(collection.to_owned()), Value::from(entries));
    !trial.fails("entries", Value::from(all))
}

/// Returns the mistake of a template that names an entry which the language of the page hides, as `entries.team.ida`.
fn hidden(inputs: Inputs, trial: &Trial, templates: &Templates) -> Option<Diagnostic> {
    for Template { path, text, .. } in templates.iter().filter(|each| each.text.contains("entries")) {
        for (collection, name, at) in named(text) {
            let is_missing = inputs.view.collections.get(collection).is_some_and(|all| all.number(name).is_none());
            let is_cause = || is_cause(inputs, trial, collection, &BTreeSet::from([name.to_owned()]));
            let of_site = inputs.site.main().collections.get(collection);
            if is_missing && of_site.is_some_and(|all| all.number(name).is_some()) && is_cause() {
                let (collection, name) = (collection.to_owned(), name.to_owned());
                let (by, language) = ("the template".to_owned(), inputs.view.language.tag.clone());
                let place = Place::new(path, Span::at(at, name.len()));
                let problem = TemplateProblem::HiddenEntry { name, collection, by, language };
                return Some(trial.page.named_in(Diagnostic::new(problem, place)));
            }
        }
    }
    None
}

/// Returns the entries that a template names, each with its collection and the offset of its name.
fn named(text: &str) -> Vec<(&str, &str, usize)> {
    let mut found = Vec::new();
    for code in codes(text) {
        let roots = code.tokens.iter().enumerate().filter(|(_, token)| token.0 == Token::Word("entries"));
        for (at, _) in roots {
            let is_root = at == 0 || code.tokens[at - 1].0 != Token::Sign('.');
            if let (
                true,
                [(Token::Sign('.'), _), (Token::Word(all), _), (Token::Sign('.'), _), (Token::Word(name), at), ..],
            ) = (is_root, &code.tokens[at + 1..])
            {
                found.push((*all, *name, *at));
            }
        }
    }
    found
}

/// Returns the entries that a page is made from: its own, its neighbours, and those that it lists. The page of a file
/// alone may show any.
fn shown<'a>(inputs: Inputs<'a>, trial: &Trial) -> Vec<&'a Entry> {
    let view = inputs.view;
    let Some(made) = &trial.page.made else {
        return view.collections.values().flat_map(|collection| collection.iter()).collect();
    };
    let own = [made.number, made.previous, made.next].into_iter().flatten().map(|number| (&made.collection, number));
    let listed = made.list.iter().flat_map(|list| list.entries.iter().map(|number| (&list.collection, *number)));
    own.chain(listed).filter_map(|(collection, number)| view.collection(collection)?.nth(number)).collect()
}

/// Returns the collection of a file.
fn of<'a>(inputs: Inputs<'a>, file: &SourcePath) -> Option<&'a str> {
    inputs.view.collections.get_key_value(collection_of(file)?).map(|(name, _)| name.as_str())
}

/// Returns the names in a key of an entry that are of no entry, with their places.
fn missing(entry: &Entry, key: &str, number: impl Fn(&str) -> Option<usize>) -> Vec<(String, Span)> {
    let Some(node) = entry.data.get(key) else { return Vec::new() };
    let names = values(node).into_iter().filter_map(|value| Some((word(value)?.into_owned(), value.span)));
    names.filter(|(name, _)| number(name).is_none()).collect()
}

/// Returns the places of a template that look up an entry by a key: `entries.team[post.author]`, or
/// `entries.team[author]` where `author` is an item of a key or stands for it.
fn lookups(text: &str) -> Vec<Lookup<'_>> {
    let codes = codes(text);
    let mut found = Vec::new();
    // What `{% for author in post.authors %}` and `{% set author = post.author %}` stand for.
    let meaning = |name: &str| {
        codes.iter().find_map(|code| match code.tokens.as_slice() {
            [(Token::Word("for"), _), (Token::Word(own), _), (Token::Word("in"), _), path @ ..]
            | [(Token::Word("set"), _), (Token::Word(own), _), (Token::Sign('='), _), path @ ..]
                if *own == name =>
            {
                last(path)
            }
            _ => None,
        })
    };
    for code in &codes {
        for (at, token) in code.tokens.iter().enumerate() {
            if token.0 != Token::Word("entries") || at > 0 && code.tokens[at - 1].0 == Token::Sign('.') {
                continue;
            }
            let (collection, rest) = match &code.tokens[at + 1..] {
                [(Token::Sign('.'), _), (Token::Word(name), _), (Token::Sign('['), _), rest @ ..] => (*name, rest),
                [
                    (Token::Sign('['), _),
                    (Token::Value(name), _),
                    (Token::Sign(']'), _),
                    (Token::Sign('['), _),
                    rest @ ..,
                ] => (name.trim_matches(['"', '\'', '`']), rest),
                _ => continue,
            };
            let key = match rest {
                [(Token::Word(name), _), (Token::Sign(']'), _), ..] => meaning(name),
                _ => last(rest),
            };
            found.extend(key.map(|key| Lookup { collection, key, at: token.1 }));
        }
    }
    found
}

/// Returns the last name of the path at the start of some tokens.
fn last<'t>(tokens: &[(Token<'t>, usize)]) -> Option<&'t str> {
    let is_path = |token: &&(Token, usize)| matches!(token.0, Token::Word(_) | Token::Sign('.'));
    let path = tokens.iter().take_while(is_path).last()?;
    match path.0 {
        Token::Word(name) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_are_found_with_the_key_they_read() {
        let found = |text| lookups(text).into_iter().map(|each| (each.collection, each.key)).collect::<Vec<_>>();
        assert_eq!(found("{{ entries.team[entry.author].name }}"), [("team", "author")]);
        assert_eq!(found("{% set a = entries[\"team\"][post.by] %}"), [("team", "by")]);
        let each = "{% for one in post.authors %}{{ entries.team[one].name }}{% endfor %}";
        assert_eq!(found(each), [("team", "authors")]);
        assert_eq!(found("{{ list.entries[0].author }}{{ entries.team.ida }}{{ entries.team[x] }}"), []);
    }
}
