//! Documents: files of content with their references filled in and their Markdown rendered.

use super::check;
use super::collections::{Collection, Entry};
use super::dialect::Dialect;
use super::languages::Language;
use super::markdown::{self, Context, Rendered};
use super::parsed::ParsedDocument;
use super::plan::Made;
use super::plurals;
use super::reference;
use super::schema::Schema;
use super::scope::Scope;
use super::yaml::{self, Key as YamlKey, Node, Value};
use crate::address::Addresses;
use parking_lot::{Mutex, MutexGuard};
use sitegen_core::diagnostics::{Diagnostic, Place, Position, Problem, ReferenceProblem, SchemaProblem, Span};
use sitegen_core::paths::{Route, SourcePath};
use sitegen_core::profile::Trace;
use sitegen_core::shelf::{FilePart, Shelf};
use sitegen_core::sources::JoinedText;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A file of content, or a page that was made from one.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub source: SourcePath,
    /// Its keys, with references filled in.
    pub data: Node,
    /// Its body, if it is Markdown.
    pub body: Option<Rendered>,
}

impl Document {
    /// Returns a document without keys.
    pub fn empty(source: &SourcePath) -> Self {
        Document {
            source: source.clone(),
            data: Node { value: Value::Map(Vec::new()), span: Span::default() },
            body: None,
        }
    }

    /// Returns about how much memory it takes: the text of its body, and for its keys and the rest as much as most have.
    fn size(&self) -> usize {
        1024 + self.body.as_ref().map_or(0, |body| body.html.len())
    }
}

/// Documents that were read in this build and not taken yet, by the route of a page or the path of an entry, in parts
/// so that threads do not wait for each other.
#[derive(Debug, Default)]
pub struct Documents {
    parts: [Mutex<HashMap<String, Kept>>; 16],
    /// Has what is more than fits into memory.
    shelf: Arc<Shelf>,
}

/// A document that was read.
#[derive(Clone, Debug)]
enum Kept {
    /// In memory.
    Here(Arc<Document>),
    /// Its keys and its body as `postcard` encodes them.
    Away(SourcePath, FilePart),
}

impl Kept {
    /// Returns the document. `None` if its file cannot be read: then the page has to be read again.
    fn document(self) -> Option<Arc<Document>> {
        let (source, part) = match self {
            Kept::Here(document) => return Some(document),
            Kept::Away(source, part) => (source, part),
        };
        let (data, body) = postcard::from_bytes(&part.read().ok()?).ok()?;
        Some(Arc::new(Document { source, data, body }))
    }
}

impl Documents {
    /// Returns no documents, with a place for those that do not fit into memory.
    pub fn on(shelf: Arc<Shelf>) -> Self {
        Documents { shelf, ..Documents::default() }
    }

    /// Keeps a document until it is taken.
    pub fn keep(&self, name: &str, document: Arc<Document>) {
        let kept = if self.shelf.has_room(document.size()) { None } else { self.put_away(&document) };
        self.part(name).insert(name.to_owned(), kept.unwrap_or(Kept::Here(document)));
    }

    fn put_away(&self, document: &Document) -> Option<Kept> {
        let bytes = postcard::to_stdvec(&(&document.data, &document.body)).ok()?;
        Some(Kept::Away(document.source.clone(), self.shelf.write(&bytes)?))
    }

    /// Returns a document.
    pub fn get(&self, name: &str) -> Option<Arc<Document>> {
        let kept = self.part(name).get(name).cloned();
        kept.and_then(Kept::document)
    }

    /// Returns a document and forgets it.
    pub fn take(&self, name: &str) -> Option<Arc<Document>> {
        let kept = {
            let mut part = self.part(name);
            let kept = part.remove(name);
            if part.is_empty() {
                *part = HashMap::new();
            }
            kept
        };
        kept.and_then(Kept::document)
    }

    fn part(&self, name: &str) -> MutexGuard<'_, HashMap<String, Kept>> {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        // A thread that panicked while it held the lock has left nothing half-done: every change is one call of the map.
        self.parts[hasher.finish() as usize % self.parts.len()].lock()
    }
}

/// The inputs for reading any file.
#[derive(Clone, Copy)]
pub struct SharedInputs<'a> {
    /// `site.yaml`.
    pub data: &'a Node,
    /// The collections, once their keys are read.
    pub collections: Option<&'a BTreeMap<String, Collection>>,
    /// Pages as a collection.
    pub pages: &'a Collection,
    /// Entries that could not be read.
    pub unread: Option<&'a BTreeSet<String>>,
    /// What addresses in Markdown are resolved against.
    pub addresses: Addresses<'a>,
    /// The language of a file without a `language` key.
    pub language: &'a Language,
    /// The number of that language.
    pub view: usize,
    /// The language of the site, in which originals are.
    pub original_language: &'a str,
    /// Whether code blocks are coloured.
    pub highlight: bool,
    /// Which extensions of Markdown are read.
    pub dialect: &'a Dialect,
    /// Whether the output carries marks of where it was written.
    pub trace: Option<&'a Trace>,
}

/// What a file is validated against.
pub struct Validators<'a> {
    /// The engine's schema.
    pub built_in: &'a Schema,
    /// The keys in it.
    pub engine_keys: Vec<&'a str>,
    /// The site's schema.
    pub own: Option<&'a Schema>,
}

impl<'a> SharedInputs<'a> {
    /// Fills in a file's references, renders its body and returns its problems. `made` is what a made page is about.
    pub fn read(
        &self,
        mut parsed: ParsedDocument,
        validators: Option<&Validators>,
        made: Option<&Made>,
    ) -> (Document, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let own = made.map(|made| self.named(made)).unwrap_or_default();
        let scope = Scope { own: &own, ..self.scope() };
        scope.fill(parsed.path, &mut parsed.data, &mut diagnostics);
        let language = self.language_of(parsed.path, &parsed.data).to_owned();
        let language = language.as_str();
        if let Some(Validators { built_in, engine_keys, own }) = validators {
            diagnostics.extend(check::validate(&parsed, built_in, engine_keys, *own));
            diagnostics.extend(plurals::check(parsed.path, &parsed.data, language, parsed.text.original_at()));
        }
        self.addresses.assets.name_beside(parsed.path, &mut parsed.data);
        // The text of an original is in its language, whatever language shows it.
        let language = if parsed.has_body_of_original() { self.original_language } else { language };
        let body = parsed.body.map(|(body, offset)| {
            let raw_html = parsed.data.get("raw_html").is_some_and(|node| node.value == yaml::Value::Bool(true));
            let addresses = &self.addresses;
            let context = Context {
                path: parsed.path,
                offset,
                raw_html: raw_html || self.dialect.raw_html,
                scope,
                addresses,
                language,
                highlight: self.highlight,
                dialect: self.dialect,
                trace: self.trace,
            };
            markdown::render(body, &context, &mut diagnostics)
        });
        if let Some(made) = made {
            // What a text is wrong about besides is a consequence of a reference in it that cannot be filled in.
            let is_unfilled = |each: &Diagnostic| {
                matches!(
                    *each.problem,
                    Problem::Reference(ReferenceProblem::NoText { .. })
                        | Problem::Reference(ReferenceProblem::UnknownReference { .. })
                )
            };
            let unfilled: BTreeSet<Place> =
                diagnostics.iter().filter(|each| is_unfilled(each)).filter_map(|each| each.place.clone()).collect();
            diagnostics
                .retain(|each| is_unfilled(each) || each.place.as_ref().is_none_or(|place| !unfilled.contains(place)));
            let page = (parsed.path, parsed.text, &parsed.data);
            diagnostics = diagnostics.into_iter().map(|each| self.blame(each, made, page)).collect();
        }
        (Document { source: parsed.path.clone(), data: parsed.data, body }, diagnostics)
    }

    /// Reads an entry. See [`SharedInputs::read`].
    pub fn read_entry(&self, parsed: ParsedDocument, validators: Option<&Validators>) -> (Document, Vec<Diagnostic>) {
        // Entries may refer to the site alone: entries that refer to each other could go in circles.
        SharedInputs { collections: None, ..*self }.read(parsed, validators, None)
    }

    /// Returns the language of a file with these keys: a file without a translation is in that of the site.
    fn language_of<'n>(&self, path: &SourcePath, data: &'n Node) -> &'n str
    where
        'a: 'n,
    {
        let own = data.get("language").and_then(Node::text).filter(|tag| !tag.is_empty());
        let is_original = self.view > 0 && !self.language.has(path);
        own.unwrap_or(if is_original { self.original_language } else { &self.language.tag })
    }

    /// Returns what references may name.
    pub fn scope(&self) -> Scope<'a> {
        Scope { site: Some(self.data), collections: self.collections, unread: self.unread, own: &[] }
    }

    /// Returns a collection, or the pages as one.
    pub fn collection(&self, name: &str) -> Option<&'a Collection> {
        find_collection(self.collections?, self.pages, name)
    }

    /// Returns the entry that a page was made from.
    pub fn entry(&self, made: &Made) -> Option<&'a Entry> {
        self.collection(&made.collection)?.nth(made.number?)
    }

    /// Returns the values that the texts of a made page may name.
    pub fn named(&self, made: &Made) -> Vec<(&'static str, Node)> {
        let mut named = Vec::new();
        if let Some(entry) = self.entry(made) {
            let mut data = entry.data.clone();
            if let Value::Map(keys) = &mut data.value {
                keys.push(key("slug", Value::Text(entry.slug.clone())));
            }
            named.push(("entry", data));
        }
        let number = |number: usize| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        if let Some(term) = &made.term {
            let keys = vec![
                key("name", Value::Text(term.name_in(self.data, &made.collection).to_owned())),
                key("slug", Value::Text(term.slug.clone())),
                key("count", number(term.entries.len())),
            ];
            named.push(("term", Node { value: Value::Map(keys), span: Span::default() }));
        }
        if let Some(list) = &made.list {
            let keys = vec![
                key("number", number(list.number)),
                key("count", number(list.count)),
                key("total", number(list.total)),
            ];
            named.push(("list", Node { value: Value::Map(keys), span: Span::default() }));
        }
        named
    }

    /// Moves a mistake in a text of a made page to the key of the entry that the text consists of, and names the entry or the
    /// address of the page if the text has more in it. A page comes as its file, with the text and the keys in it.
    fn blame(&self, diagnostic: Diagnostic, made: &Made, page: (&SourcePath, JoinedText, &Node)) -> Diagnostic {
        let (path, text, data) = page;
        let Some(span) = diagnostic.place.as_ref().filter(|place| place.path == *path).and_then(|place| place.span)
        else {
            return diagnostic;
        };
        let entry = self.entry(made);
        if let (Problem::Reference(ReferenceProblem::UnknownReference { reference, .. }), Some(entry)) =
            (&*diagnostic.problem, entry)
        {
            let Some(wanted) = reference.strip_prefix("entry.") else { return diagnostic };
            // A key that no entry of the collection has is the page's mistake.
            let collection = self.collection(&made.collection);
            if !collection.is_some_and(|all| all.iter().any(|other| other.value(wanted).is_some())) {
                return diagnostic;
            }
            let (text, at) = text.at(span.start);
            let span = Span { start: span.start - at, end: span.end.saturating_sub(at) };
            let line = Position::of(text, span).map_or(1, |at| at.line);
            return entry.lacks(wanted, format!("{path}:{line}"));
        }
        let is_there = |(key, node): &&(YamlKey, Node)| key.span == span || node.span == span;
        let Some((_, node)) = data.entries().iter().find(is_there) else { return diagnostic };
        let written = text.get(node.span.start..node.span.end).unwrap_or_default();
        let names_own = |reference: reference::Reference| {
            let root = reference.path.split('.').next().unwrap_or_default();
            ["entry", "term", "list"].contains(&root)
        };
        if !reference::find(written).any(names_own) {
            return diagnostic;
        }
        let whole =
            written.trim_matches(['"', '\'']).trim().strip_prefix("{{").and_then(|text| text.strip_suffix("}}"));
        // A text with something that is no text in it is wrong as well, and for the same reason.
        let named = match &*diagnostic.problem {
            Problem::Reference(ReferenceProblem::NoText { reference, .. }) => Some(reference.as_str()),
            _ => whole.map(str::trim),
        };
        let key = named.and_then(|path| path.strip_prefix("entry.")).map(str::to_owned);
        let value = key.zip(entry).and_then(|(key, entry)| Some((entry.value(&key)?, key, entry)));
        let Some((value, key, entry)) = value else {
            let list = made.list.as_ref();
            let route = list.map_or_else(Route::home, |list| list.address(list.number));
            return Made::name_page(diagnostic, Some(made), &route, path);
        };
        let problem = match *diagnostic.problem {
            Problem::Schema(SchemaProblem::EmptyKey { .. }) => SchemaProblem::EmptyKey { key }.into(),
            Problem::Reference(ReferenceProblem::NoText { .. }) if value.value == Value::Null => {
                SchemaProblem::EmptyKey { key }.into()
            }
            Problem::Reference(ReferenceProblem::NoText { found, .. }) => {
                SchemaProblem::WrongType { expected: "text or a number".to_owned(), found, fix: None, code: None }
                    .into()
            }
            other => other,
        };
        let place = Place::new(&entry.source, value.span);
        Diagnostic { severity: diagnostic.severity, ..Diagnostic::new(problem, place) }.while_making(path)
    }
}

fn key(name: &str, value: Value) -> (YamlKey, Node) {
    (YamlKey { name: name.to_owned(), span: Span::default() }, Node { value, span: Span::default() })
}

/// Returns a collection, or the pages as one.
pub fn find_collection<'c>(
    collections: &'c BTreeMap<String, Collection>,
    pages: &'c Collection,
    name: &str,
) -> Option<&'c Collection> {
    if name == super::page_source::PAGES_AS_COLLECTION { Some(pages) } else { collections.get(name) }
}

#[cfg(test)]
mod tests {
    use super::super::calls::{Argument, Call};
    use super::super::markdown::Heading;
    use super::*;

    #[test]
    fn documents_that_do_not_fit_into_memory_come_back_as_they_were() {
        let source = SourcePath::new("content/pages/a.md");
        let place = Place::new(&source, Span { start: 3, end: 8 });
        let text = |text: &str| Value::Text(text.to_owned());
        let node = |value: Value| Node { value, span: Span { start: 1, end: 2 } };
        let list = vec![node(Value::Integer(-7)), node(Value::Float(0.5)), node(Value::Null), node(Value::Bool(true))];
        let data = node(Value::Map(vec![key("title", text("Bread")), key("all", Value::List(list))]));
        let argument = Argument { name: "id".to_owned(), value: text("tour"), place: place.clone() };
        let call = Call {
            component: "video".to_owned(),
            arguments: vec![argument],
            range: 3..12,
            has_body: true,
            place: place.clone(),
        };
        let heading = Heading { level: 2, id: "b".to_owned(), title: "B & C".to_owned() };
        let body = Rendered { html: "<p>Bröd</p>".to_owned(), headings: vec![heading], calls: vec![call] };
        let shelf = Shelf::in_folder(std::env::temp_dir());
        while shelf.has_room(1 << 10) {}
        let documents = Documents::on(Arc::new(shelf));
        for body in [Some(body), None] {
            let document = Document { source: source.clone(), data: data.clone(), body };
            let shown = format!("{document:?}");
            documents.keep("/a", Arc::new(document));
            assert!(matches!(documents.part("/a").get("/a"), Some(Kept::Away(..))));
            assert_eq!(format!("{:?}", documents.get("/a").unwrap()), shown);
            assert_eq!(format!("{:?}", documents.take("/a").unwrap()), shown);
            assert!(documents.take("/a").is_none());
        }
    }
}
