//! Outlines: what a build needs to know of every page, changed or not.

use super::address_keys::{AddressKeys, Written};
use super::page_source::PageSource;
use super::parsed::ParsedDocument;
use super::read::read_with;
use super::schedule::Dates;
use super::uses::Uses;
use super::yaml::{Node, Value};
use memchr::memchr2_iter;
use serde::{Deserialize, Serialize};
use sitegen_core::cache::{Aside, Cache, Digested, Persistent, Query, digest_of};
use sitegen_core::diagnostics::{Diagnostic, Place, Problem, Span};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{Digest, JoinedText, Source};
use std::cell::Cell;
use std::sync::Arc;

/// The keys of a page that the engine acts on before it renders the page. They depend on the bytes of its file alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Its `template`, as written.
    pub template: Option<Box<str>>,
    /// Its `title`, as written.
    pub title: Option<Box<str>>,
    /// Its `updated`, as written.
    pub updated: Option<Box<str>>,
    /// Its `language`, as written.
    pub language: Option<Box<str>>,
    /// Whether search engines are kept away.
    pub noindex: bool,
    /// When it is shown.
    pub dates: Dates,
    /// The digest of its keys: of the front matter, or of a YAML file as a whole.
    pub keys: Digest,
    /// Whether it has references like `{{ site.email }}`.
    pub refers: bool,
    /// Whether its title or its Markdown has words of its own, beside references. Noted of what makes several pages.
    pub has_words: bool,
    /// What it uses of other files.
    pub uses: Uses,
    /// Whether it may contain something that must not go live.
    pub has_placeholders: bool,
    /// What makes several pages of it.
    pub source: Option<Box<PageSource>>,
    /// At which address its page is, and at which it was.
    pub address: Option<Box<AddressKeys>>,
    /// Its keys as `postcard` encodes them. Decoding takes a tenth of the time of parsing, and only rendered pages need
    /// it.
    packed: Box<[u8]>,
}

impl Persistent for Outline {}

impl Outline {
    /// Creates the outline of a file.
    pub fn of(draft: &ParsedDocument) -> Self {
        let text = |key: &str| draft.data.get(key).and_then(Node::text).map(Box::from);
        let source = PageSource::of(&draft.data).map(Box::new);
        let refers = draft.shown().any(|own| {
            let bytes = own.as_bytes();
            memchr2_iter(b'{', b'}', bytes).any(|at| bytes.get(at + 1) == Some(&bytes[at]))
        });
        Outline {
            template: text("template"),
            title: text("title"),
            updated: text("updated"),
            language: text("language"),
            noindex: draft.data.get("noindex").is_some_and(|node| node.value == Value::Bool(true)),
            dates: Dates::of(&draft.data),
            keys: draft.keys_digest(),
            refers,
            has_words: source.is_some() && draft.has_words(),
            uses: Uses::of(draft),
            has_placeholders: super::placeholder::may_be_in(draft.text.own),
            source,
            address: AddressKeys::of(&draft.data),
            packed: postcard::to_stdvec(&draft.data).unwrap_or_default().into(),
        }
    }

    /// Creates the outline of one of several entries in a file, whose text is `text`.
    pub fn of_item(data: &Node, text: JoinedText) -> Self {
        let key = |key: &str| data.get(key).and_then(Node::text).map(Box::from);
        let (mut refers, mut has_placeholders) = (false, false);
        data.each_text(&mut |text| {
            refers |= text.contains("{{") || text.contains("}}");
            has_placeholders |= super::placeholder::may_be_in(text);
        });
        let packed = postcard::to_stdvec(data).unwrap_or_default();
        // Validation reads how numbers are written, which their values do not say.
        let mut written = Vec::new();
        numbers(data, &mut |span| written.push(text.get(span.start..span.end).unwrap_or_default()));
        let keys = digest_of(&(&packed, written));
        Outline {
            template: key("template"),
            title: key("title"),
            updated: key("updated"),
            language: key("language"),
            noindex: data.get("noindex").is_some_and(|node| node.value == Value::Bool(true)),
            dates: Dates::of(data),
            keys,
            refers,
            has_words: false,
            uses: Uses::of_keys(data),
            has_placeholders,
            source: None,
            address: AddressKeys::of(data),
            packed: packed.into(),
        }
    }

    /// Returns its key `path`.
    pub fn own_path(&self) -> Option<&Written> {
        self.address.as_ref()?.path.as_ref()
    }

    /// Returns what a translation calls itself in its address.
    pub fn slug(&self) -> Option<&Written> {
        self.address.as_ref()?.slug.as_ref()
    }

    /// Returns its keys, as written.
    pub fn data(&self) -> Option<Node> {
        postcard::from_bytes(&self.packed).ok()
    }
}

/// Calls a function with the place of each number.
fn numbers(node: &Node, add: &mut impl FnMut(Span)) {
    match &node.value {
        Value::Integer(_) | Value::Float(_) => add(node.span),
        Value::List(items) => items.iter().for_each(|item| numbers(item, add)),
        Value::Map(entries) => entries.iter().for_each(|(_, value)| numbers(value, add)),
        _ => {}
    }
}

/// The result of reading a file for its outline.
pub struct Read<T> {
    /// What is known of it.
    pub page: Option<T>,
    /// Its keys, if they had to be parsed.
    pub keys: Option<Node>,
    /// What is wrong with it.
    pub problems: Vec<Diagnostic>,
}

impl<T> Default for Read<T> {
    fn default() -> Self {
        Read { page: None, keys: None, problems: Vec::new() }
    }
}

impl<T> Read<T> {
    /// The result for a file that cannot be read.
    pub fn refused(problem: impl Into<Problem>, path: &SourcePath) -> Self {
        Read { page: None, keys: None, problems: vec![Diagnostic::new(problem, Place::file(path))] }
    }
}

/// Reads the outline of a page or an entry.
pub fn outlined_file(path: &SourcePath, source: &Source, cache: &Cache) -> Read<Arc<Outline>> {
    let file = Digested::by((path, source), (path.extension(), source.digest));
    let query = OutlineOf { file, keys: Aside::default() };
    let (page, problems) = match cache.query_saved(&query) {
        Ok(outline) => (Some(outline), Vec::new()),
        Err((outline, problems)) => (outline.map(Arc::new), problems),
    };
    Read { page, keys: query.keys.0.take(), problems }
}

#[derive(Hash)]
struct OutlineOf<'a> {
    /// Of this, the extension and the bytes.
    file: Digested<(&'a SourcePath, &'a Source)>,
    /// The keys of the file, if they were parsed.
    keys: Aside<Cell<Option<Node>>>,
}

impl Query for OutlineOf<'_> {
    const KIND: &'static str = "outline";
    type Output = Outline;
    /// What can be read of a file with mistakes, and the mistakes.
    type Refused = (Option<Outline>, Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<Outline, (Option<Outline>, Vec<Diagnostic>)> {
        let mut problems = Vec::new();
        let (path, source) = *self.file;
        let source = &*source.here();
        // Each of its translations reads the keys of an original, which are parsed once.
        let original = || {
            let Read { page, keys, .. } = outlined_file(path, source.original.as_ref()?, cache);
            keys.or_else(|| page?.data())
        };
        let outline = read_with((path, source), original, &mut problems).map(|draft| {
            let outline = Outline::of(&draft);
            if let Some(keys) = self.keys.open(cache) {
                keys.set(Some(draft.data));
            }
            outline
        });
        match outline {
            Some(outline) if problems.is_empty() => Ok(outline),
            outline => Err((outline, problems)),
        }
    }
}
