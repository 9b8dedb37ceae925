//! What a variable of a template is, by the pages that the template renders: the keys that they really have.

use crate::Analysis;
use crate::schemas::SCHEMAS;
use crate::value::shown;
use sitegen_content::yaml::{Key as YamlKey, Node, Value};
use sitegen_content::{DEFAULT_TEMPLATE, View};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SCHEMA, SourceKind};
use sitegen_templates::TEMPLATES;
use sitegen_templates::keys::given;
use sitegen_templates::lexer::{Code, Kind, Token, codes, name_at};
use std::collections::BTreeMap;

/// How many pages or items a value is read from. All have much the same keys.
const MOST: usize = 40;

/// The name that stands for all pages where a collection is named.
pub(crate) const LISTED: &str = sitegen_content::page_source::PAGES_AS_COLLECTION;

/// What is known of a variable.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Its keys, each with what it is.
    pub keys: BTreeMap<String, Key>,
    /// Its items, if it is a list.
    samples: Vec<Node>,
}

/// What is known of a key.
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// A value that it has somewhere, on one line.
    pub example: Option<String>,
    /// What the schema or the engine says of it.
    pub description: Option<String>,
}

impl Known {
    fn of(samples: Vec<Node>) -> Self {
        let mut keys: BTreeMap<String, Key> = BTreeMap::new();
        for sample in &samples {
            for (key, value) in sample.entries() {
                let known = keys.entry(key.name.clone()).or_default();
                known.example.get_or_insert_with(|| shown(value));
            }
        }
        Known { keys, samples }
    }

    /// Returns what is known of the value at some keys below it.
    pub fn at(self, names: &[&str]) -> Known {
        names.iter().fold(self, |known, name| match name.parse::<usize>() {
            Ok(_) => known.items(),
            Err(_) => known.child(name),
        })
    }

    fn with(mut self, names: &[&str]) -> Self {
        for name in names {
            self.keys.entry((*name).to_owned()).or_default();
        }
        self
    }

    /// Whether there is nothing to choose from.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds keys of what the engine gives, which no content has, below a key.
    fn with_engine(mut self) -> Self {
        let list = |names: &[&str]| Value::List(vec![node(keyed(names.iter().map(|name| (*name, empty()))))]);
        let given =
            [("toc", list(&["level", "id", "title"])), ("translations", list(&TRANSLATION)), ("feed", keyed([]))];
        self.samples.push(node(keyed(given)));
        self
    }

    fn child(&self, key: &str) -> Known {
        Known::of(self.samples.iter().filter_map(|sample| sample.get(key)).take(MOST).cloned().collect())
    }

    /// Returns what is known of its items, if it is a list.
    pub fn items(&self) -> Known {
        Known::of(self.samples.iter().flat_map(|sample| sample.items()).take(MOST).cloned().collect())
    }
}

/// The keys of each of `page.translations`.
const TRANSLATION: [&str; 8] = ["language", "name", "direction", "title", "route", "url", "is_fallback", "current"];

fn node(value: Value) -> Node {
    Node { value, span: Span::default() }
}

fn keyed<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    let entry = |(name, value): (&str, Value)| (YamlKey { name: name.to_owned(), span: Span::default() }, node(value));
    Value::Map(entries.into_iter().map(entry).collect())
}

/// A value of which nothing is known.
fn empty() -> Value {
    Value::Text(String::new())
}

/// The variables that a template has beside those that it declares.
pub const GLOBAL: [(&str, &str); 10] = [
    ("page", "The page that is rendered: its keys, `route`, `url`, `content`, `toc`."),
    ("site", "What `content/site.yaml` says, in the language of the page."),
    ("collections", "The entries of each collection as a list: `collections.news`."),
    ("entries", "The entries of each collection by their names: `entries.news.opening`."),
    ("pages", "All pages of the site as a list."),
    ("entry", "The entry that a page with `for_each` is made from."),
    ("list", "The part of a list that the page shows: `list.entries`, `list.next`, `list.previous`."),
    ("term", "The value that a page with `for_each: news.tags` is made from."),
    ("languages", "The languages of the site: `language`, `name`, `direction`, `url`."),
    ("loop", "In `for`: `index`, `index0`, `first`, `last`."),
];

/// The words of the template language.
pub const KEYWORDS: [&str; 30] = [
    "extends",
    "block",
    "endblock",
    "include",
    "set",
    "endset",
    "set_global",
    "if",
    "elif",
    "else",
    "endif",
    "for",
    "in",
    "endfor",
    "break",
    "continue",
    "filter",
    "endfilter",
    "raw",
    "endraw",
    "component",
    "endcomponent",
    "and",
    "or",
    "not",
    "is",
    "true",
    "false",
    "none",
    "import",
];

/// What a variable stands for.
pub(crate) enum Meaning<'t> {
    /// The value of an expression.
    Value(Vec<&'t str>),
    /// An item of a list.
    Item(Vec<&'t str>),
    /// An argument of a component.
    Argument,
}

impl<'a> Analysis<'a> {
    /// Returns the variables that a template declares before an offset, with what they stand for.
    pub fn declared<'t>(&self, text: &'t str, offset: usize) -> Vec<(&'t str, String)> {
        let before = codes(text).into_iter().filter(|code| code.span.start < offset);
        let described = |(name, meaning): (&'t str, Meaning)| {
            let detail = match meaning {
                Meaning::Value(path) => path.join("."),
                Meaning::Item(path) => format!("each of {}", path.join(".")),
                Meaning::Argument => "argument".to_owned(),
            };
            (name, detail)
        };
        let own = codes(text).into_iter().filter(|code| code.span.start <= offset && offset <= code.span.end);
        let own: Vec<(&str, Meaning)> = own.flat_map(|code| comprehended(&code)).collect();
        let mut all: Vec<(&str, String)> =
            before.flat_map(|code| declarations(&code)).chain(own).map(described).collect();
        all.reverse();
        all.sort_by_key(|(name, _)| *name);
        all.dedup_by_key(|(name, _)| *name);
        all
    }

    /// Returns what is known of the value at a path in a template, at an offset.
    pub fn known(&self, path: &SourcePath, text: &str, offset: usize, names: &[&str]) -> Known {
        let all = codes(text);
        let own = all.iter().find(|code| code.span.start <= offset && offset <= code.span.end);
        let inner = own.map(comprehended).unwrap_or_default();
        let before: Vec<Code> = codes(text).into_iter().filter(|code| code.span.start < offset).collect();
        self.value_in(path, (&before, &inner), names, 0)
    }

    /// Returns what is known of a value in code that has comprehensions.
    fn value_in(
        &self,
        path: &SourcePath,
        (before, inner): (&[Code], &[(&str, Meaning)]),
        names: &[&str],
        depth: usize,
    ) -> Known {
        let list = inner.iter().find_map(|(name, meaning)| match meaning {
            Meaning::Item(list) if names.first() == Some(name) => Some(list),
            _ => None,
        });
        match list.filter(|_| depth < 8) {
            Some(list) => self.value_in(path, (before, inner), list, depth + 1).items().at(&names[1..]),
            None => self.value_of(path, before, names, depth),
        }
    }

    fn value_of(&self, path: &SourcePath, before: &[Code], names: &[&str], depth: usize) -> Known {
        let Some((first, rest)) = names.split_first() else { return Known::default() };
        if depth > 8 {
            return Known::default();
        }
        let declared = before.iter().enumerate().rev().find_map(|(number, code)| {
            let meaning = declarations(code).into_iter().find(|(name, _)| name == first)?.1;
            Some((number, meaning))
        });
        let (mut known, mut used) = match declared {
            Some((number, Meaning::Value(value))) => (self.value_of(path, &before[..number], &value, depth + 1), 0),
            Some((number, Meaning::Item(list))) => {
                (self.value_of(path, &before[..number], &list, depth + 1).items(), 0)
            }
            Some((number, Meaning::Argument)) if !["page", "site", "languages"].contains(first) => {
                let component = match before[number].tokens.get(1) {
                    Some((Token::Word(name), _)) => name.replace('-', "_"),
                    _ => String::new(),
                };
                (self.given_to(&component, first, depth + 1), 0)
            }
            _ => self.global(path, first, rest),
        };
        if let ("related()", [_, ..]) = (*first, rest) {
            let entry = self.value_of(path, before, rest, depth + 1);
            let list = node(Value::List(entry.samples.clone()));
            (known, used) = (Known { keys: BTreeMap::new(), samples: vec![list] }, rest.len());
        }
        known.at(&rest[used..])
    }

    /// Returns what is known of an argument of a component, by the calls of it in templates.
    fn given_to(&self, component: &str, argument: &str, depth: usize) -> Known {
        let mut samples = Vec::new();
        let mut keys: BTreeMap<String, Key> = BTreeMap::new();
        for (path, source) in self.sources.of(SourceKind::Template) {
            let Some(text) = source.text().filter(|text| text.contains(&format!("{argument}={{"))) else { continue };
            let all = codes(text);
            for (number, code) in all.iter().enumerate() {
                let words: Vec<Token> = code.tokens.iter().map(|(token, _)| *token).collect();
                let is_call = words.windows(2).zip(&code.tokens[1.min(code.tokens.len())..]).any(|(pair, (_, at))| {
                    pair[0] == Token::Sign('<') && name_at(text, *at).replace('-', "_") == component
                });
                let value = words.windows(3).position(|three| {
                    matches!(three, [Token::Word(name), Token::Sign('='), Token::Sign('{')] if *name == argument)
                });
                let Some(value) = value.filter(|_| is_call) else { continue };
                let known = self.value_of(path, &all[..number], &path_of(&words[value + 3..]), depth);
                keys.extend(known.keys);
                samples.extend(known.samples);
                if samples.len() >= MOST {
                    return Known { keys, samples };
                }
            }
        }
        Known { keys, samples }
    }

    /// Returns what is known of a variable that every template has, and how many of the names after it are part of that.
    fn global(&self, path: &SourcePath, name: &str, rest: &[&str]) -> (Known, usize) {
        let Some(site) = self.site else { return (Known::default(), 0) };
        let view = site.main();
        let entries = |collection: &str| -> Vec<Node> {
            let all = view.collection(collection).into_iter().flat_map(|all| all.iter().take(MOST));
            all.map(|entry| entry.data.clone()).collect()
        };
        let of_collections = || {
            let names: Vec<&str> = view.collections.keys().map(String::as_str).collect();
            Known::default().with(&names)
        };
        let known = match (name, rest) {
            ("site", _) => Known::of(vec![view.data.clone()]),
            ("page", _) => self.pages_of(path).with(given("page")).with_engine(),
            ("pages", _) => {
                let list = node(Value::List(self.samples_of(None)));
                Known { keys: BTreeMap::new(), samples: vec![list] }
            }
            ("languages", _) => list_of(&["language", "name", "direction", "url"]),
            ("terms()", _) => list_of(given("term")),
            ("picture_info()", _) => Known::default().with(&["width", "height", "alt", "credit", "licence"]),
            ("entry", _) => {
                let samples = self.made_of(path, view).iter().flat_map(|name| entries(name)).take(MOST).collect();
                Known::of(samples).with(given("entry")).with_engine()
            }
            ("list", ["entries", ..]) => {
                let samples = self.made_of(path, view).iter().flat_map(|name| entries(name)).take(MOST).collect();
                Known::of(vec![node(keyed([("entries", Value::List(samples))]))])
            }
            ("list", _) => Known::default().with(given("list")),
            ("term", _) => Known::default().with(given("term")),
            ("loop", _) => Known::default().with(&["index", "index0", "first", "last"]),
            ("collections" | "entries", []) => of_collections(),
            ("collections", [collection, ..]) => {
                let list = Node { value: Value::List(entries(collection)), span: Default::default() };
                Known { keys: BTreeMap::new(), samples: vec![list] }
            }
            ("entries", [collection]) => {
                let slugs = view.collection(collection).into_iter().flat_map(|all| all.iter().take(1_000));
                let mut known = Known::default();
                for entry in slugs {
                    let example = entry.data.get("title").or_else(|| entry.data.get("name")).map(shown);
                    known.keys.insert(entry.slug.clone(), Key { example, description: None });
                }
                known
            }
            ("entries", [collection, slug, ..]) => {
                let entry = view.collection(collection).and_then(|all| all.get(slug));
                Known::of(entry.map(|entry| entry.data.clone()).into_iter().collect()).with(given("entry"))
            }
            _ => Known::default(),
        };
        let used = match name {
            "collections" => rest.len().min(1),
            "entries" => rest.len().min(2),
            _ => 0,
        };
        (known, used)
    }

    /// Returns the collections of which a template renders the entries or lists of them.
    pub(crate) fn made_of(&self, path: &SourcePath, view: &View) -> Vec<String> {
        let Some(site) = self.site else { return Vec::new() };
        let template = self.renders(path);
        let pages = site.pages.iter().filter(|page| template.as_deref().is_none_or(|name| page.template == name));
        let mut names: Vec<String> =
            pages.filter_map(|page| page.made.as_ref()).map(|made| made.collection.clone()).take(1_000).collect();
        names.sort();
        names.dedup();
        names.retain(|name| view.collection(name).is_some());
        names
    }

    /// Returns the name of a template of pages. Components and templates that others extend have none: they get any page.
    pub(crate) fn renders(&self, path: &SourcePath) -> Option<String> {
        let name = path.below(TEMPLATES)?;
        let site = self.site?;
        site.pages.chunks().iter().any(|chunk| chunk.templates.contains(name)).then(|| name.to_owned())
    }

    /// Returns the keys of some pages, of all or of those that a template renders.
    fn samples_of(&self, template: Option<&str>) -> Vec<Node> {
        let Some(site) = self.site else { return Vec::new() };
        let is_of = |page: &&sitegen_content::Page| template.is_none_or(|name| page.template == name);
        let pages = site.pages.iter().filter(|page| page.view == 0).filter(is_of).take(MOST);
        pages.map(|page| site.keys(page)).collect()
    }

    fn pages_of(&self, path: &SourcePath) -> Known {
        if self.site.is_none() {
            return Known::default();
        }
        let template = self.renders(path);
        let mut known = Known::of(self.samples_of(template.as_deref()));
        // A key that no page has yet, but that the schema describes.
        let name = template.unwrap_or_else(|| DEFAULT_TEMPLATE.to_owned());
        let name = name.rsplit_once('.').map_or(name.as_str(), |(name, _)| name);
        let schema = SourcePath::new(format!("{SCHEMAS}/{name}{SCHEMA}"));
        let json = self.sources.text(&schema).and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
        let properties = json.as_ref().and_then(|json| json.get("properties")?.as_object());
        for (key, value) in properties.into_iter().flatten() {
            let described = value.get("description").and_then(serde_json::Value::as_str).map(str::to_owned);
            known.keys.entry(key.clone()).or_default().description = described;
        }
        known
    }
}

/// Returns the variables that a piece of code declares.
pub(crate) fn declarations<'t>(code: &Code<'t>) -> Vec<(&'t str, Meaning<'t>)> {
    if code.kind != Kind::Tag {
        return Vec::new();
    }
    let words: Vec<Token<'t>> = code.tokens.iter().map(|(token, _)| *token).collect();
    match words.as_slice() {
        [Token::Word("set" | "set_global"), Token::Word(name), Token::Sign('='), rest @ ..] => {
            vec![(name, Meaning::Value(path_of(rest)))]
        }
        [Token::Word("for"), Token::Word(name), Token::Word("in"), rest @ ..] => {
            vec![(name, Meaning::Item(path_of(rest)))]
        }
        [Token::Word("for"), Token::Word(key), Token::Sign(','), Token::Word(value), Token::Word("in"), rest @ ..] => {
            vec![(key, Meaning::Value(Vec::new())), (value, Meaning::Item(path_of(rest)))]
        }
        [Token::Word("component"), Token::Word(_), rest @ ..] => {
            let before = std::iter::once(&Token::Sign(' ')).chain(rest);
            let arguments = before.zip(rest).filter_map(|(before, token)| match (before, token) {
                (Token::Sign('(' | ',' | '@'), Token::Word(name)) => Some((*name, Meaning::Argument)),
                _ => None,
            });
            arguments.collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the variables of the comprehensions in a piece of code: `[each.name for each in page.loaves]`.
fn comprehended<'t>(code: &Code<'t>) -> Vec<(&'t str, Meaning<'t>)> {
    let words: Vec<Token<'t>> = code.tokens.iter().map(|(token, _)| *token).collect();
    // The `for` of a tag is its first word.
    let inner = usize::from(code.kind == Kind::Tag)..words.len();
    let declared = inner.filter_map(|at| match &words[at..] {
        [Token::Word("for"), Token::Word(name), Token::Word("in"), rest @ ..]
        | [Token::Word("for"), Token::Word(_), Token::Sign(','), Token::Word(name), Token::Word("in"), rest @ ..] => {
            Some((*name, Meaning::Item(path_of(rest))))
        }
        _ => None,
    });
    declared.collect()
}

fn list_of(names: &[&str]) -> Known {
    let item = node(keyed(names.iter().map(|name| (*name, empty()))));
    Known { keys: BTreeMap::new(), samples: vec![node(Value::List(vec![item]))] }
}

/// Returns the path at the start of an expression: `page.loaves | sort(…)` is one, a sum has none. That of a call begins with its name:
/// of `terms(…)` with `terms()`, and of `related(entry=page.entry)` this and the path of the entry.
fn path_of<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let mut names = Vec::new();
    if let [Token::Word(call), Token::Sign('('), rest @ ..] = tokens {
        let name =
            ["terms()", "related()", "picture_info()"].into_iter().find(|name| name.strip_suffix("()") == Some(*call));
        names.extend(name);
        let entry = rest.windows(2).position(|pair| pair == [Token::Word("entry"), Token::Sign('=')]);
        if let (Some("related()"), Some(at)) = (name, entry) {
            names.extend(path_of(&rest[at + 2..]));
        }
        return names;
    }
    let mut rest = tokens;
    while let [Token::Word(name) | Token::Value(name), after @ ..] = rest {
        names.push(*name);
        match after {
            [Token::Sign('.'), after @ ..] => rest = after,
            _ => break,
        }
    }
    names
}
