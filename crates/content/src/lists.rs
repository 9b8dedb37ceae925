//! Reads files with all entries of a collection: `content/team.yaml`, `content/prices.csv`.
//!
//! Such a file has a list of entries, or a map from slugs to entries. A list may also be the only value of the file, under any
//! key: TOML has no other way to write one.

use super::address_keys::OF_ONE_TEXT;
use super::overlay::{merged, moved_by};
use super::schedule::{self, Dates};
use super::syntax::Syntax;
use super::table::{self, Columns};
use super::yaml::{Node, Value};
use super::yaml_lost;
use sitegen_core::diagnostics::{CollectionProblem, DataProblem, Diagnostic, MOST, Place, Problem, Span, YamlProblem};
use sitegen_core::paths::{SourcePath, composed};
use sitegen_core::sources::Source;
use std::collections::HashMap;

/// An entry in such a file.
#[derive(Debug)]
pub struct Item {
    /// Its name in the collection.
    pub slug: String,
    /// Where that is written.
    pub span: Span,
    /// The line of it, counted from 1.
    pub line: usize,
    /// Its keys.
    pub data: Node,
    /// Whether it is that of the original, because the translation does not have it or does not show it yet.
    pub is_original: bool,
    /// When the translation shows it, if it does not yet.
    pub later: Option<Dates>,
}

/// Parses a file. A translation has the entries of its original, each with the keys that it lacks, and then its own. One that it does
/// not show yet, as `is_shown` says of its keys, is that of the original.
pub fn parse_file(
    path: &SourcePath,
    source: &Source,
    columns: &Columns,
    is_shown: &dyn Fn(&Dates) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Item> {
    let Some(text) = source.joined() else { return Vec::new() };
    let of_translation = text.original.map(|_| columns.of_translation());
    let mut items = parse(path, text.own, of_translation.as_ref().unwrap_or(columns), diagnostics);
    let (Some(original), Some(at)) = (text.original, text.original_at()) else { return items };
    if Syntax::of(path, text.own) == Syntax::Csv {
        items.iter_mut().for_each(|item| without_empty(&mut item.data));
    }
    let mut all = Vec::new();
    // What is wrong with it is reported where it is read for its own language.
    for item in parse(&path.key(), original, columns, &mut Vec::new()) {
        let own = items.iter().position(|own| composed(&own.slug) == composed(&item.slug));
        let own = own.map(|own| items.remove(own)).map(|own| (Dates::of(&own.data), own));
        let mut data = moved_by(item.data, at);
        let is_translated = own.as_ref().is_some_and(|(dates, _)| is_shown(dates));
        if let Value::Map(keys) = &mut data.value {
            let is_of_original = |key: &str| OF_ONE_TEXT.contains(&key) && (is_translated || key != "language");
            keys.retain(|(key, _)| !is_of_original(&key.name));
        }
        all.push(match own {
            Some((_, own)) if is_translated => Item { slug: item.slug, data: merged(own.data, data), ..own },
            own => {
                let span = Span { start: item.span.start + at, end: item.span.end + at };
                Item { span, data, is_original: true, later: own.map(|(dates, _)| dates), ..item }
            }
        });
    }
    all.extend(items);
    all
}

/// Drops the empty cells of a translated table, which has a cell for every column of every row: they are those of the original.
pub fn without_empty(data: &mut Node) {
    if let Value::Map(entries) = &mut data.value {
        entries.retain(|(_, value)| value.text().is_none_or(|text| !text.trim().is_empty()));
    }
}

/// Parses a text. Entries with mistakes in their names are left out and reported.
pub fn parse(path: &SourcePath, text: &str, columns: &Columns, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    let syntax = Syntax::of(path, text);
    let root = match syntax {
        Syntax::Csv => table::parse(path, text, columns, diagnostics),
        _ => syntax.parse_any(path, text, 0, diagnostics),
    };
    let Some(mut root) = root else { return Vec::new() };
    if syntax == Syntax::Yaml {
        yaml_lost::lost(path, text, &mut root, diagnostics);
    }
    let named = match named(root) {
        Ok(named) => named,
        Err((found, span)) => {
            diagnostics.push(Diagnostic::new(DataProblem::NotEntries { found }, Place::new(path, span)));
            return Vec::new();
        }
    };
    let mut taken: HashMap<String, usize> = HashMap::new();
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let mut items = Vec::with_capacity(named.len());
    for (key, data) in named {
        // Nothing of this file will be published.
        if diagnostics.len() > MOST {
            break;
        }
        let mut report = |problem: Problem, span: Span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        };
        if !matches!(data.value, Value::Map(_)) {
            report(YamlProblem::NotAMapping { expected: syntax.mapping(), found: data.kind() }.into(), data.span);
            continue;
        }
        // In a translation, `slug` is what the entry is called in its address.
        let Some((slug, span)) = key.clone().filter(|_| path.has_language()).or_else(|| slug_of(&data, key)) else {
            report(
                DataProblem::NoSlug.into(),
                Span { end: data.span.end.min(first_line(text, data.span.start)), ..data.span },
            );
            continue;
        };
        let line = ends.partition_point(|end| *end < span.start) + 1;
        if let Some(other) = taken.insert(composed(&slug).into_owned(), line) {
            report(CollectionProblem::DuplicateEntry { slug, other: format!("{path}:{other}") }.into(), span);
            continue;
        }
        diagnostics.extend(schedule::reversed(path, &data));
        items.push(Item { slug, span, line, data, is_original: false, later: None });
    }
    items
}

/// The name of an entry, and where it is written.
type Name = (String, Span);
/// An entry, with its name if it is in a map.
type Named = (Option<Name>, Node);

/// Returns the entries of a file, with their names if it is a map. Of other files, what they have instead, and where.
fn named(root: Node) -> Result<Vec<Named>, (&'static str, Span)> {
    let (kind, span) = (root.kind(), root.span);
    match root.value {
        Value::List(items) => Ok(items.into_iter().map(|item| (None, item)).collect()),
        Value::Map(mut entries) => {
            let is_list = |(_, value): &(_, Node)| matches!(value.value, Value::List(_));
            if entries.len() == 1 && entries.iter().all(is_list) {
                let items = entries.pop().map(|(_, list)| list.value);
                let Some(Value::List(items)) = items else { return Ok(Vec::new()) };
                return Ok(items.into_iter().map(|item| (None, item)).collect());
            }
            // Values of one thing rather than entries.
            if let Some((key, _)) =
                entries.iter().find(|(_, value)| !matches!(value.value, Value::Map(_) | Value::Null))
            {
                return Err(("a key with a single value", key.span));
            }
            let entry = |(key, mut value): (super::yaml::Key, Node)| {
                if value.value == Value::Null {
                    value.value = Value::Map(Vec::new());
                }
                (Some((key.name, key.span)), value)
            };
            Ok(entries.into_iter().map(entry).collect())
        }
        _ => Err((kind, span)),
    }
}

/// Returns the name of an entry: its `slug` as it is written, or else its key in a map, or else one made of `id`, `name` or
/// `title`.
fn slug_of(data: &Node, key: Option<Name>) -> Option<Name> {
    let text = |key: &str| {
        let node = data.get(key)?;
        let text = match &node.value {
            Value::Text(text) => text.trim().to_owned(),
            Value::Integer(number) => number.to_string(),
            _ => return None,
        };
        Some((text, node.span)).filter(|(text, _)| !text.is_empty())
    };
    let made =
        |key: &str| text(key).map(|(text, span)| (slug::slugify(text), span)).filter(|(slug, _)| !slug.is_empty());
    text("slug").or(key).or_else(|| ["id", "name", "title"].into_iter().find_map(made))
}

fn first_line(text: &str, start: usize) -> usize {
    text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::code;

    fn read(name: &str, text: &str) -> (Vec<String>, Vec<(&'static str, String)>) {
        let mut diagnostics = Vec::new();
        let items = parse(&SourcePath::new(name), text, &Columns::default(), &mut diagnostics);
        let written = |each: &Diagnostic| {
            let span = each.place.as_ref().unwrap().span.unwrap();
            (code(&each.problem), text[span.start..span.end].to_owned())
        };
        (
            items.into_iter().map(|item| format!("{}:{}", item.slug, item.line)).collect(),
            diagnostics.iter().map(written).collect(),
        )
    }

    #[test]
    fn each_format_has_lists_and_maps() {
        let expected = ["ada:1", "bo-x:2"].map(str::to_owned).to_vec();
        for (name, text) in [
            ("content/a.yaml", "- slug: ada\n- name: Bö X\n"),
            ("content/a.json", "[{ \"slug\": \"ada\" },\n{ \"id\": \"Bo x\" }]"),
            ("content/a.json", "{ \"ada\": {},\n\"bo-x\": { \"name\": \"B\" } }"),
            ("content/a.toml", "ada = {}\nbo-x = { name = 'B' }\n"),
        ] {
            assert_eq!(read(name, text), (expected.clone(), Vec::new()), "{text}");
        }
        assert_eq!(read("content/a.toml", "[[people]]\nname = 'Ada'\n[[people]]\nid = 7\n").0, ["ada:2", "7:4"]);
        assert_eq!(read("content/a.csv", "name;id\nAda;\nBo;b\n").0, ["ada:2", "b:3"]);
        assert_eq!(read("content/a.yaml", "ada:\nbo:\n  name: B\n").0, ["ada:1", "bo:2"]);
        assert_eq!(read("content/a.yaml", "").0, [""; 0]);
    }

    #[test]
    fn mistakes_are_placed() {
        let codes = |name, text| read(name, text).1;
        assert_eq!(codes("content/a.yaml", "- name: A\n- name: a\n"), [("duplicate-entry", "a".to_owned())]);
        assert_eq!(
            codes("content/a.json", "[{ \"a\": 1 },\n 7]").iter().map(|each| each.0).collect::<Vec<_>>(),
            ["no-slug", "not-a-mapping"]
        );
        assert_eq!(codes("content/a.yaml", "name: A\n"), [("not-entries", "name".to_owned())]);
        assert_eq!(codes("content/a.csv", "price\n1\n"), [("no-slug", "1".to_owned())]);
    }
}
