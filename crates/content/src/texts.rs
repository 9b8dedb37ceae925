//! The texts of a file that a translation has in its language: values of keys, and the blocks of its Markdown.
//!
//! Which values are texts is decided for each by the first of these that says so:
//!
//! 1. The engine: of the keys that it reads itself, `title`, `description`, `name`, `alt`, `credit`, `licence` and the title of a
//!    feed are texts, and no others.
//! 2. `"translate": true` or `false` in the site's schema of the value.
//! 3. The schema: a value with `format`, `pattern`, `enum` or `const` is none.
//! 4. Its form: a text has a letter beside its references, and is no address, date, name of a file or, outside of `site.yaml`, one
//!    word in lower case, which names something.
//!
//! Values that group entries, such as tags with pages of their own, are no texts: they are in addresses, and `term_names` names them.
//!
//! A mapping of plural forms (`one`, `other`, …), one of which has `{count}`, is one text.

use super::lists;
use super::options::{TEXTS_OF_SETTINGS, leads_to_text};
use super::outline::outlined_file;
use super::page_source::PAGES_AS_COLLECTION;
use super::plurals;
use super::read::read_text;
use super::schema::{ENTRY, PAGE, PICTURE, SITE, Schema, Schemas};
use super::words::{has_words, is_text};
use super::yaml::{Node, Value};
use super::{DEFAULT_TEMPLATE, collections};
use memchr::memmem;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value as Json;
use sitegen_core::cache::Cache;
use sitegen_core::diagnostics::Span;
use sitegen_core::html::{self, Token};
use sitegen_core::parallel;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SourceKind, Sources};
use std::collections::BTreeSet;
use std::fmt;

/// The categories of plural forms (Unicode Technical Standard 35, part 3, "Language Plural Rules").
pub const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// A text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Which text of the file it is.
    pub place: TextPlace,
    /// What it says.
    pub content: Content,
    /// Where it is written, in the file.
    pub span: Span,
    /// What a schema says of it.
    pub purpose: Option<String>,
}

/// A place of a text that does not change when others are added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextPlace {
    /// A value: the name of its entry, if the file has all of a collection, and the keys and numbers of items that lead to it.
    Key {
        /// The slug of its entry.
        entry: Option<String>,
        /// Its keys.
        keys: Vec<String>,
    },
    /// A block of the Markdown, by the number of its line.
    Block {
        /// Counted from 1.
        line: usize,
    },
}

/// What a text says.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A value.
    Plain(String),
    /// Forms by their category, in the order of [`CATEGORIES`].
    Plural(Vec<(String, String)>),
    /// A block of Markdown as it is written.
    Block(String),
}

/// `hero.title`, `ada: role`, `line 12`.
impl fmt::Display for TextPlace {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TextPlace::Key { entry: Some(entry), keys } => write!(out, "{entry}: {}", keys.join(".")),
            TextPlace::Key { entry: None, keys } => out.write_str(&keys.join(".")),
            TextPlace::Block { line } => write!(out, "line {line}"),
        }
    }
}

/// A block at the top of a Markdown text.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkdownBlock {
    /// Its bytes in the text, without the line end after it.
    pub span: Span,
    /// What kind of block it is, as a word: `heading 2`, `paragraph`.
    pub kind: String,
}

/// What is translated of a file.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// In the order of the file.
    pub all: Vec<Text>,
    /// The keys and values: of each entry, if the file has all of a collection.
    pub data: Vec<(Option<String>, Node)>,
    /// The Markdown, and its offset in the file.
    pub body: Option<(String, usize)>,
}

/// The schemas that say which values are texts.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Those of the site.
    pub schemas: &'a Schemas,
    /// The keys of entries whose values are no texts.
    pub terms: &'a TermKeys,
    /// The cache, which has those of the engine.
    pub cache: &'a Cache,
}

/// The keys of entries whose values have pages (`for_each: news.tags`), each with its collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TermKeys(BTreeSet<(String, String)>);

impl TermKeys {
    /// Reads them from the files of pages.
    pub fn of(sources: &Sources, cache: &Cache) -> Self {
        let files: Vec<_> = sources.of(SourceKind::Page).collect();
        let keys = parallel::map(&files, |(path, source)| {
            let text = source.here();
            memmem::find(text.text()?.as_bytes(), b"for_each")?;
            let outline = outlined_file(path, source, cache).page?;
            let each = outline.source.as_ref()?.for_each.as_ref()?;
            Some((each.collection.clone(), each.key.clone()?))
        });
        TermKeys(keys.into_iter().flatten().collect())
    }

    /// Returns those of a file.
    fn of_file(&self, path: &SourcePath, kind: SourceKind) -> Vec<&str> {
        let collection = match kind {
            SourceKind::Entry => collections::collection_of(path).unwrap_or_default(),
            SourceKind::Page => PAGES_AS_COLLECTION,
            _ => return Vec::new(),
        };
        self.0.iter().filter(|(name, _)| name == collection).map(|(_, key)| key.as_str()).collect()
    }
}

impl Rules<'_> {
    /// Returns the texts of a file that is not a translation. What is wrong with it is reported elsewhere.
    pub fn texts(&self, path: &SourcePath, text: &str) -> Texts {
        let (key, kind) = (path.key(), SourceKind::of(&path.key()));
        let mut texts = Texts::default();
        if SourceKind::is_list(&key) {
            let items = lists::parse(path, text, &Default::default(), &mut Vec::new());
            texts.data = items.into_iter().map(|item| (Some(item.slug), item.data)).collect();
        } else if let Some(parsed) = read_text(&key, text, &mut Vec::new()) {
            texts.body = parsed.body.map(|(body, start)| (body.to_owned(), start));
            texts.data.push((None, parsed.data));
        }
        let terms = &self.terms.of_file(&key, kind)[..];
        for (entry, data) in &texts.data {
            let engine = Schema::built_in(engine_schema(kind), self.cache);
            let own = self.schemas.get(&own_schema(&key, kind, data)).map(Schema::json);
            let mut finder = Finder { entry, kind, terms, engine: engine.json(), found: &mut texts.all };
            let schemas: Vec<Part> = [own].into_iter().flatten().map(|schema| Part { root: schema, schema }).collect();
            finder.map(data, &expanded(schemas), &mut Vec::new());
        }
        if let Some((body, start)) = &texts.body {
            let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
            for block in blocks(body).into_iter().filter(|block| block.kind != "code" && block.kind != "rule") {
                let content = &body[block.span.start..block.span.end];
                if !has_words(content) || block.kind == "HTML" && !has_words_beside_tags(content) {
                    continue;
                }
                let span = block.span.shifted(*start);
                let line = ends.partition_point(|end| *end < span.start) + 1;
                let content = Content::Block(content.to_owned());
                texts.all.push(Text { place: TextPlace::Block { line }, content, span, purpose: None });
            }
        }
        texts
    }
}

fn engine_schema(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Settings => SITE,
        SourceKind::Asset => PICTURE,
        SourceKind::Entry => ENTRY,
        _ => PAGE,
    }
}

/// Returns the name of the site's schema of a file.
fn own_schema(path: &SourcePath, kind: SourceKind, data: &Node) -> String {
    match kind {
        SourceKind::Settings => "site".to_owned(),
        SourceKind::Entry => collections::collection_of(path).unwrap_or_default().to_owned(),
        SourceKind::Page => {
            let template = data.get("template").and_then(Node::text).unwrap_or(DEFAULT_TEMPLATE);
            template.rsplit_once('.').map_or(template, |(name, _)| name).to_owned()
        }
        _ => String::new(),
    }
}

/// Keys of the engine that are texts.
const TEXTS_OF_ENGINE: [&str; 6] = ["title", "description", "name", "alt", "credit", "licence"];

/// Keys of the engine with names that no schema of it has, because a translation or a list alone has them.
const NO_TEXTS: [&str; 3] = ["slug", "translates", "languages"];

/// A part of a schema, with the whole one, which its references name.
#[derive(Clone, Copy)]
struct Part<'s> {
    root: &'s Json,
    schema: &'s Json,
}

/// The most parts of a schema that are looked at for one value.
const MOST_PARTS: usize = 64;

/// Returns parts of a schema with what they refer to and the alternatives in them.
fn expanded(mut parts: Vec<Part>) -> Vec<Part> {
    let mut at = 0;
    while at < parts.len() && parts.len() < MOST_PARTS {
        let Part { root, schema } = parts[at];
        let referred = schema.get("$ref").and_then(Json::as_str).and_then(|name| root.pointer(name.strip_prefix('#')?));
        let alternatives = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name)?.as_array());
        let more: Vec<&Json> = referred.into_iter().chain(alternatives.flatten()).collect();
        parts.extend(more.into_iter().map(|schema| Part { root, schema }));
        at += 1;
    }
    parts.truncate(MOST_PARTS);
    parts
}

struct Finder<'f> {
    entry: &'f Option<String>,
    kind: SourceKind,
    /// The keys whose values are no texts.
    terms: &'f [&'f str],
    engine: &'f Json,
    found: &'f mut Vec<Text>,
}

impl Finder<'_> {
    fn map(&mut self, node: &Node, schemas: &[Part], keys: &mut Vec<String>) {
        for (key, value) in node.entries() {
            keys.push(key.name.clone());
            let parts = schemas.iter().filter_map(|part| {
                let schema = part.schema.get("properties").and_then(|all| all.get(&key.name));
                Some(Part { schema: schema.or_else(|| part.schema.get("additionalProperties"))?, ..*part })
            });
            self.value(value, &expanded(parts.collect()), keys);
            keys.pop();
        }
    }

    fn value(&mut self, node: &Node, schemas: &[Part], keys: &mut Vec<String>) {
        let of_engine = self.of_engine(keys);
        let is_term = || self.terms.contains(&&*keys.join("."));
        if of_engine == Some(false) || !self.terms.is_empty() && is_term() {
            return;
        }
        match &node.value {
            Value::Text(text) if self.is_text(text, of_engine, schemas) => {
                self.add(node, Content::Plain(text.clone()), schemas, keys);
            }
            Value::List(items) => {
                for (number, item) in items.iter().enumerate() {
                    keys.push(number.to_string());
                    let parts =
                        schemas.iter().filter_map(|part| Some(Part { schema: part.schema.get("items")?, ..*part }));
                    self.value(item, &expanded(parts.collect()), keys);
                    keys.pop();
                }
            }
            Value::Map(entries) => match plural_forms(node).filter(|_| !is_of_search(keys, entries)) {
                Some(forms) => self.add(node, Content::Plural(forms), schemas, keys),
                None => self.map(node, schemas, keys),
            },
            _ => {}
        }
    }

    /// Whether a value of the engine's keys is a text. `None` for keys that the site has itself, and for mappings with such texts.
    fn of_engine(&self, keys: &[String]) -> Option<bool> {
        let names: Vec<&str> = keys.iter().map(String::as_str).collect();
        match names[..] {
            ["feed"] => return None,
            ["feed", "title"] => return Some(true),
            ["feed", ..] => return Some(false),
            ["term_names"] | ["term_names", _] if self.kind == SourceKind::Settings => return None,
            ["term_names", ..] if self.kind == SourceKind::Settings => return Some(true),
            ["settings", ..] if self.kind == SourceKind::Settings => {
                let is_text = TEXTS_OF_SETTINGS.iter().any(|text| text.len() == names.len());
                return if !leads_to_text(&names) { Some(false) } else { is_text.then_some(true) };
            }
            _ => {}
        }
        let first = *names.first()?;
        if NO_TEXTS.contains(&first) {
            return Some(false);
        }
        self.engine.get("properties")?.get(first)?;
        Some(TEXTS_OF_ENGINE.contains(&first))
    }

    fn is_text(&self, text: &str, of_engine: Option<bool>, schemas: &[Part]) -> bool {
        let flags = schemas.iter().find_map(|part| part.schema.get("translate")?.as_bool());
        let names = ["format", "pattern", "enum", "const"];
        let is_restricted = || schemas.iter().any(|part| names.iter().any(|name| part.schema.get(name).is_some()));
        let may_be_word = self.kind == SourceKind::Settings || of_engine == Some(true);
        match flags {
            Some(flag) => flag && !text.trim().is_empty(),
            None if of_engine.is_none() && is_restricted() => false,
            None => is_text(text, may_be_word),
        }
    }

    fn add(&mut self, node: &Node, content: Content, schemas: &[Part], keys: &[String]) {
        let word = |part: &Part| {
            let name = |key: &str| part.schema.get(key).and_then(Json::as_str);
            name("description").or(name("title")).map(str::to_owned)
        };
        let purpose = schemas.iter().find_map(word).or_else(|| {
            let path = keys.join("/properties/");
            word(&Part { root: self.engine, schema: self.engine.pointer(&format!("/properties/{path}"))? })
        });
        let place = TextPlace::Key { entry: self.entry.clone(), keys: keys.to_vec() };
        self.found.push(Text { place, content, span: node.span, purpose });
    }
}

/// Whether a mapping has texts of the search, each for itself.
fn is_of_search(keys: &[String], entries: &[(super::yaml::Key, Node)]) -> bool {
    keys.last().is_some_and(|key| plurals::are_of_search(key, entries))
}

/// Returns the forms of a text in the plural, if a mapping has nothing else.
pub fn plural_forms(node: &Node) -> Option<Vec<(String, String)>> {
    let entries = node.entries();
    let has_count = entries.iter().any(|(_, value)| value.text().is_some_and(|text| text.contains("{count}")));
    let is_form = |(key, value): &(super::yaml::Key, Node)| {
        CATEGORIES.contains(&key.name.as_str()) && matches!(value.value, Value::Text(_))
    };
    if !has_count || !entries.iter().all(is_form) {
        return None;
    }
    let form = |name: &&str| Some(((*name).to_owned(), node.get(name)?.text()?.to_owned()));
    Some(CATEGORIES.iter().filter_map(form).collect())
}

/// Whether HTML has words for visitors: between tags, or in an attribute that is read.
fn has_words_beside_tags(html: &str) -> bool {
    html::tokens(html).any(|token| match token {
        Token::Text(text) => has_words(text),
        Token::Start(tag) => {
            let mut attributes = tag.attributes();
            attributes.any(|attribute| {
                let is_read = ["alt", "title", "aria-label", "placeholder"].contains(&&*html::lower(attribute.name));
                is_read && has_words(&attribute.value)
            })
        }
        Token::End(_) => false,
    })
}

/// The extensions of Markdown that make other blocks.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_DEFINITION_LIST);

/// Returns the events of a Markdown text.
pub(super) fn events(body: &str) -> impl Iterator<Item = (Event<'_>, std::ops::Range<usize>)> {
    Parser::new_ext(body, OPTIONS).into_offset_iter()
}

/// Returns the blocks of a Markdown text.
pub fn blocks(body: &str) -> Vec<MarkdownBlock> {
    let mut blocks: Vec<MarkdownBlock> = Vec::new();
    let mut depth = 0usize;
    for (event, range) in events(body) {
        if depth == 0 {
            let kind = match &event {
                Event::Start(Tag::Heading { level, .. }) => format!("heading {}", *level as usize),
                Event::Start(Tag::CodeBlock(_)) => "code".to_owned(),
                Event::Start(Tag::List(_)) => "list".to_owned(),
                Event::Start(Tag::Table(_)) => "table".to_owned(),
                Event::Start(Tag::BlockQuote(_)) => "quotation".to_owned(),
                Event::Start(Tag::HtmlBlock) => "HTML".to_owned(),
                Event::Rule => "rule".to_owned(),
                _ => "paragraph".to_owned(),
            };
            let written = body[range.clone()].trim_end_matches(['\r', '\n', ' ', '\t']);
            let span = Span { start: range.start, end: range.start + written.len() };
            // Text beside a block belongs to it.
            match blocks.last_mut().filter(|last| last.span.end > span.start) {
                Some(last) => last.span.end = last.span.end.max(span.end),
                None => blocks.push(MarkdownBlock { span, kind }),
            }
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str, schema: Option<(&str, &str)>) -> Vec<String> {
        let cache = Cache::default();
        let file = schema.map(|(name, text)| (format!("content/schemas/{name}.schema.json"), text));
        let sources = sitegen_core::sources::Sources::from_files(file);
        let schemas = Schemas::of(&sources, &cache, &mut Vec::new());
        let terms = TermKeys([("news".to_owned(), "tags".to_owned())].into());
        let texts = Rules { schemas: &schemas, terms: &terms, cache: &cache }.texts(&SourcePath::new(path), text);
        texts.all.iter().map(|text| text.place.to_string()).collect()
    }

    #[test]
    fn the_form_of_a_value_says_whether_it_is_a_text() {
        for text in [
            "Read more",
            "Brot",
            "read more",
            "z. B.",
            "日本",
            "Ja/Nein",
            "{{ site.name }} bakes",
            "FAQ",
            "on the {day}",
        ] {
            assert!(is_text(text, false), "{text}");
        }
        for text in [
            "",
            " ",
            "12",
            "1,50 €",
            "/about",
            "#top",
            "https://www.site.test/a",
            "mailto:a@b.test",
            "a@b.test",
            "harbour.jpg",
            "photos/harbour.jpg",
            "Harbour.JPG",
            "2026-05-04",
            "2026-05-04T10:00:00Z",
            "{{ site.email }}",
            "bread",
            "rye-bread",
            "pages/home.html",
            "{{ <video id=\"x1\" /> }}",
            "#ff0000",
            "@x",
            "10px",
        ] {
            assert!(!is_text(text, false), "{text}");
        }
        assert!(is_text("by", true) && !is_text("/by", true));
    }

    #[test]
    fn keys_of_the_engine_and_schemas_decide_first() {
        let page = "---\ntitle: bread\ntemplate: Some thing\naliases: [Old page]\nhero: { text: More bread, icon: star, kind: Wide one }\n\
                    list: { collection: News }\nfeed: { title: All news, content: full }\n---\nText.\n\n```\ncode\n```\n\n{{ site.a }}\n\n## End\n";
        assert_eq!(
            names("content/pages/a.md", page, None),
            ["title", "hero.text", "hero.kind", "feed.title", "line 9", "line 17"]
        );
        let schema = r##"{ "properties": { "hero": { "$ref": "#/$defs/hero" } }, "$defs": { "hero": { "properties": {
            "icon": { "translate": true }, "text": { "translate": false }, "kind": { "enum": ["Wide one"] } } } } }"##;
        let own = Some(("pages/page", schema));
        let page = page.replace("template: Some thing\n", "");
        assert_eq!(names("content/pages/a.md", &page, own), ["title", "hero.icon", "feed.title", "line 8", "line 16"]);
    }

    #[test]
    fn values_with_pages_are_no_texts() {
        let html = "---\ntitle: A\n---\n<div>\n\nText.\n\n</div>\n\n<!-- a comment -->\n\n<p>Words</p>\n\n<img alt=\"A loaf\" src=a>\n";
        assert_eq!(names("content/pages/a.md", html, None), ["title", "line 6", "line 12", "line 14"]);
        let news = "---\ntitle: Opening\ntags: [Our House, Bread]\nfacts: [Our House]\n---\n";
        assert_eq!(names("content/news/a.md", news, None), ["title", "facts.0"]);
        assert_eq!(names("content/other/a.md", news, None), ["title", "tags.0", "tags.1", "facts.0"]);
    }

    #[test]
    fn each_kind_of_file_has_texts() {
        let site = "url: https://www.site.test\nlanguage: en\nname: bakery\nlabels: { by: by, posts: { one: \"{count} post\", other: \"{count} posts\" } }\nsettings: { host: Some thing }\n";
        assert_eq!(names("content/site.yaml", site, None), ["name", "labels.by", "labels.posts"]);
        assert_eq!(names("content/assets/a.jpg.yaml", "alt: x\nfocus: top right\n", None), ["alt"]);
        let team = "- slug: ada\n  role: Baker and more\n- name: Bo\n  facts: [Has a dog]\n";
        assert_eq!(names("content/team.yaml", team, None), ["ada: role", "bo: name", "bo: facts.0"]);
    }
}
