//! What files and values are called, and what values stand for.

use super::Moment;
use super::targets::{Name, route};
use crate::content::languages::Languages;
use crate::content::yaml::{Node, Value};
use crate::edit::File;
use crate::edit::tree::Item;
use crate::ide::data::Step;
use crate::ide::schemas::{FileSchemas, Part};
use crate::paths::SourcePath;
use crate::sources::{SourceKind, Sources};
use crate::tools::Tools as _;

/// Returns the file of a picture that a value names.
pub fn asset_of(text: &SourcePath, name: &str, sources: &Sources) -> Option<SourcePath> {
    let beside = text.as_str().rsplit_once('/').map(|(folder, _)| SourcePath::new(format!("{folder}/{name}")));
    let named = [Some(SourcePath::new(format!("content/assets/{name}"))), beside, Some(SourcePath::new(name))];
    named.into_iter().flatten().find(|path| SourceKind::of(path) == SourceKind::Asset && sources.get(path).is_some())
}

/// Returns what a file is called: its title, or its name.
pub fn title_of(path: &SourcePath, text: &str) -> String {
    let file = File::of(path, text);
    let value = |key: &str| {
        let entries = file.as_ref()?.root().entries();
        let (_, value) = entries.iter().find(|(name, _)| name.scalar().is_some_and(|name| name.text == key))?;
        value.scalar().map(|scalar| scalar.text.clone()).filter(|text| !text.is_empty() && !text.contains("{{"))
    };
    if SourceKind::of(path) == SourceKind::Settings {
        return "the site".to_owned();
    }
    let name = || match path.stem() {
        "index" => path.as_str().rsplit('/').nth(1).unwrap_or("index").to_owned(),
        stem => stem.to_owned(),
    };
    value("title").or_else(|| value("name")).unwrap_or_else(|| spoken(&name()))
}

/// Returns what the original has in the place of a value that its translation lacks.
pub fn of_original(path: &SourcePath, names: &[Name], sources: &Sources, moment: &Moment) -> Option<String> {
    let languages = Languages::of(sources, moment.session.tools().cache());
    let kinds = [SourceKind::Page, SourceKind::Entry, SourceKind::Settings];
    let translates = |original: &SourcePath| {
        languages.all().iter().skip(1).any(|language| language.translation_of(original) == *path)
    };
    let (original, source) = sources.of_all(&kinds).find(|(original, _)| translates(original))?;
    let file = File::of(original, source.text()?)?;
    let item = file.root().at(&route(&file, names)?)?;
    item.scalar().map(|scalar| scalar.text.clone())
}

/// Returns a value with its references filled in. `None` for one that has none.
pub fn filled(path: &SourcePath, file: Option<&File>, names: &[Name], moment: &Moment) -> Option<String> {
    let file = file?;
    let item = file.root().at(&route(file, names)?)?;
    let scalar = item.scalar().filter(|scalar| scalar.text.contains("{{"))?;
    let site = moment.site?;
    let find = |node: &Node| text_at(node, item.span.start);
    let of_views = site.views.iter().flat_map(|view| view.keys()).filter(|(other, _)| *other == path);
    let text = of_views.into_iter().find_map(|(_, node)| find(node)).or_else(|| {
        let page = site.pages.iter().find(|page| page.source == *path)?;
        find(&site.keys(page))
    });
    text.filter(|text| *text != scalar.text)
}

fn text_at(node: &Node, offset: usize) -> Option<String> {
    match &node.value {
        Value::Text(text) if node.span.start == offset => Some(text.clone()),
        Value::List(items) => items.iter().find_map(|item| text_at(item, offset)),
        Value::Map(entries) => entries.iter().find_map(|(_, item)| text_at(item, offset)),
        _ => None,
    }
}

/// Returns a key as people say it: `max_guests` is `Max guests`.
pub fn spoken(key: &str) -> String {
    let words = key.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// Returns what a value is called in a sentence: `price of Harbour`, `address of “Careers”`, `lead in hero of Home`. `word` is what
/// its schema calls it, and `title` is that of the file.
pub fn called(file: Option<&File>, names: &[Name], word: Option<&str>, title: &str) -> String {
    let keys: Vec<&str> = names
        .iter()
        .filter_map(|name| match name {
            Name::Key(key) => Some(key.as_str()),
            Name::Number(_) => None,
        })
        .collect();
    let key = keys.last().copied().unwrap_or("item");
    let word = word.map_or_else(|| plain(key), lower);
    // The nearest item of a list around it, if it is not the item itself.
    let item = names.iter().rposition(|name| matches!(name, Name::Number(_))).filter(|at| at + 1 < names.len());
    if let Some(at) = item {
        let above = names[..at].iter().rev().find_map(|name| match name {
            Name::Key(key) => Some(spoken(key).to_lowercase()),
            Name::Number(_) => None,
        });
        let titled = file.and_then(|file| file.root().at(&route(file, &names[..=at])?)).and_then(title_of_item);
        return match (titled, above) {
            (Some((own, text)), _) if own != key => format!("{word} of “{text}”"),
            (_, Some(list)) => format!("{word} in {list} of {title}"),
            (_, None) => format!("{word} of {title}"),
        };
    }
    match keys.len().checked_sub(2).and_then(|above| keys.get(above)) {
        Some(above) => format!("{word} in {} of {title}", spoken(above).to_lowercase()),
        None => format!("{word} of {title}"),
    }
}

/// Returns the key that an item of a list is called by, and its text.
fn title_of_item(item: &Item) -> Option<(&str, &str)> {
    let text = |wanted: &str| {
        let (key, value) = item.entries().iter().find(|(key, _)| key.scalar().is_some_and(|key| key.text == wanted))?;
        let text = value.scalar()?.text.trim();
        (!text.is_empty() && text.chars().count() <= 40 && !text.contains("{{"))
            .then_some((key.scalar()?.text.as_str(), text))
    };
    ["title", "name", "label", "text", "heading"].into_iter().find_map(text)
}

/// Returns a word that everybody knows for a key that programmers use.
pub fn plain(key: &str) -> String {
    match key {
        "path" | "href" | "url" | "permalink" => "address".to_owned(),
        "alt" => "picture description".to_owned(),
        "src" | "img" => "picture".to_owned(),
        _ => spoken(key).to_lowercase(),
    }
}

/// Returns a text that begins with a small letter, if it is no abbreviation.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let is_word = text.chars().nth(1).is_none_or(|second| !second.is_uppercase());
    let first = letters.next().filter(|_| is_word);
    first.map_or_else(|| text.to_owned(), |first| first.to_lowercase().collect::<String>() + letters.as_str())
}

/// Returns what the schemas of a file say of a value.
pub fn parts_of<'s>(schemas: &'s FileSchemas, path: &SourcePath, names: &[Name]) -> Vec<Part<'s>> {
    let step = |name: &Name| match name {
        Name::Key(key) => Step::Key(key.clone()),
        Name::Number(_) => Step::Item,
    };
    let mut way: Vec<Step> = names.iter().map(step).collect();
    // The schema of a list of entries describes one of them.
    if SourceKind::is_list(&path.key()) && !way.is_empty() {
        way.remove(0);
    }
    schemas.parts(&way)
}

/// Returns the key that describes a picture beside the value that names it: `alt` or `photo_alt`, if it is written or the schema
/// knows it.
pub fn description_beside(path: &SourcePath, text: &str, names: &[Name], sources: &Sources) -> Option<Vec<Name>> {
    let file = File::of(path, text)?;
    let schemas = FileSchemas::of(path, text, sources);
    let (last, above) = names.split_last()?;
    let Name::Key(last) = last else { return None };
    let known = parts_of(&schemas, path, above);
    let is_known = |name: &str| known.iter().any(|part| part.properties().any(|(key, _)| key == name));
    let beside = ["alt".to_owned(), format!("{last}_alt"), format!("{last}Alt")].into_iter();
    let all = beside.map(|name| (is_known(&name), [above, &[Name::Key(name)]].concat()));
    all.into_iter().find(|(is_known, names)| *is_known || route(&file, names).is_some()).map(|(_, names)| names)
}

/// Returns the tag of the language of a file.
pub fn language_of(path: &SourcePath, moment: &Moment) -> String {
    let Some(site) = moment.site else { return String::new() };
    let of_file = site.views.iter().skip(1).find(|view| view.language.has(path));
    of_file.unwrap_or_else(|| site.main()).language.tag.clone()
}
