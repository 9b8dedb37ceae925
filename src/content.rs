//! Content: what editors write, read and understood.
//!
//! [`resolve`] turns the files of `content/` into a [`Site`]. Its passes, which are the lines of the function:
//!
//! 1. `site.yaml` is read and held against its schema; the engine's settings are taken from it.
//! 2. Collections are read: references like `{{ site.email }}` are filled in, each entry is held against its JSON
//!    Schema, Markdown is rendered. They may name the site.
//! 3. The outlines of pages are read, and their routes follow from them.
//! 4. Every page that is not known to be sound is read like an entry; it may name the site and collections. A page
//!    that is known is read when somebody asks for its document.
//!
//! Pages are looked at in the chunks that their files come in. A chunk in which nothing has changed is known as a whole.
//!
//! Nothing here knows templates, and nothing here reads files.

pub mod address;
pub mod assets;
mod check;
mod front_matter;
pub mod hosting;
pub mod inferred;
pub mod markdown;
pub mod outline;
mod outlines;
pub mod placeholder;
pub mod quotes;
mod read;
mod reference;
pub mod schedule;
pub mod schema;
pub mod settings;
pub mod svg;
mod usage;
pub mod yaml;
mod yaml_words;

use crate::cache::{Key, Persistent};
use crate::diagnostics::{Checked, Diagnostic, Place, Severity, Span};
use crate::observe::Work;
use crate::paths::{OutputPath, Route, SourcePath};
use crate::profile::Profile;
use crate::sources::{Chunk as Files, Digest, Source, Sources};
use crate::tools::Tools;
use address::Addresses;
use assets::Assets;
use check::{drop_consequences, drop_repeated, validate};
use markdown::{Context, Rendered};
use outline::Outline;
use outlines::{ChunkOutlines, Order, Outlined};
use quotes::Quotes;
use rayon::prelude::*;
use read::{ParsedDocument, is_document};
use reference::Scope;
use schedule::{Schedule, State};
use schema::{Schema, Schemas};
use serde::{Deserialize, Serialize};
use settings::Settings;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use yaml::Node;

/// The file that every site has.
pub const SITE_FILE: &str = "content/site.yaml";
/// The route of the page for unknown paths.
pub const NOT_FOUND: &str = "/404";
/// The folder of pages.
const PAGES: &str = "content/pages";
/// Folders of `content/` that are no collections.
const RESERVED: [&str; 4] = ["pages", "assets", "schemas", "public"];
/// The template of a page that names none.
const DEFAULT_TEMPLATE: &str = "pages/page.html";

/// Everything that content says.
#[derive(Debug)]
pub struct Site {
    /// What the engine reads from `site.yaml`.
    pub settings: Settings,
    /// All of `site.yaml`.
    pub data: Node,
    /// The pages in the order of their routes.
    pub pages: Pages,
    /// The entries of each collection, by `order` and then by slug.
    pub collections: BTreeMap<String, Collection>,
    /// Files of `content/assets`.
    pub assets: Assets,
    /// Files of `content/public`, published as they are.
    pub public: Vec<(OutputPath, SourcePath, Source)>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// Digests of what pages can be made of besides their own files.
    pub digests: Digests,
    documents: Documents,
}

/// Pages that were read in this build and not handed over yet, in parts so that threads do not wait for each other.
#[derive(Debug, Default)]
struct Documents([Mutex<HashMap<SourcePath, Arc<Document>>>; 16]);

/// The pages of a site, shared with other builds as far as they are the same.
#[derive(Debug)]
pub struct Pages {
    chunks: Vec<Arc<Chunk>>,
    order: Arc<Order>,
}

/// Pages whose files lie beside each other.
#[derive(Debug)]
pub struct Chunk {
    /// The pages in the order of their files.
    pub pages: Vec<Page>,
    /// The templates that draw them.
    pub templates: BTreeSet<String>,
    /// The digest of everything that their documents are made of.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of them.
    pub listing: Digest,
}

/// Digests of what pages can be made of besides their own files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Digests {
    /// All of `content/` but pages and collections, the routes, and the choices of the build.
    pub shared: Digest,
    /// The collections.
    pub collections: Digest,
    /// What lists of pages can show.
    pub pages: Digest,
}

/// A page.
#[derive(Debug)]
pub struct Page {
    /// Where it answers.
    pub route: Route,
    /// Its file.
    pub source: SourcePath,
    /// The template that draws it.
    pub template: String,
    /// The day it was changed last, as its `updated` says.
    pub updated: Option<String>,
    /// What its keys say to the engine.
    pub outline: Arc<Outline>,
    /// The digest of everything its document is made of.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of it.
    pub listing: Digest,
}

/// The entries of a collection, by `order` and then by slug.
#[derive(Debug, Default)]
pub struct Collection {
    entries: Vec<Entry>,
    by_slug: BTreeMap<String, usize>,
}

/// An entry of a collection.
#[derive(Debug)]
pub struct Entry {
    /// Its file name without extension.
    pub slug: String,
    /// Its file, keys and body.
    pub document: Document,
}

/// A file of content.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub source: SourcePath,
    /// Its keys.
    pub data: Node,
    /// Its body, if it is Markdown.
    pub body: Option<Rendered>,
    /// Whether its last day has passed.
    pub is_expired: bool,
}

/// Says of a file, under its key, that nothing is wrong with it.
#[derive(Serialize, Deserialize)]
struct ValidMarker;

impl Persistent for ValidMarker {}

/// Reads content. See the module for its passes.
pub fn resolve(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Site> {
    let (cache, observer) = (tools.cache(), tools.observer());
    let _work = Work::on(observer, "content");
    let mut diagnostics = Vec::new();
    let schemas = Schemas::of(sources, cache, &mut diagnostics);
    diagnostics.extend(usage::unused_schemas(sources, &schemas));
    let assets = Assets::of(sources);
    diagnostics.extend(svg::check(sources, cache));

    // 1. site.yaml
    let before = diagnostics.len();
    let (data, settings) = read::site(sources, &schemas, profile, cache, &mut diagnostics);
    let is_site_wrong = diagnostics[before..].iter().any(|each| each.severity != Severity::Warning);

    // 2. collections
    let mut schedule = Schedule::default();
    let drafts = read::collections(sources, profile, cache, &mut schedule, &mut diagnostics);
    let page_outlines = outlines::find(sources, cache, &mut diagnostics);
    let order = Order::of(&page_outlines, profile, cache, &mut diagnostics);
    schedule.add(&order.schedule);
    let mut unread = unread_entries(sources, &drafts, &schedule);
    if is_site_wrong {
        unread.insert("site".to_owned());
    }
    let addresses = Addresses { base_path: &settings.base_path, assets: &assets, routes: &order.routes };
    let language = settings.language.as_str();
    let shared = SharedInputs {
        data: &data,
        collections: None,
        unread: Some(&unread),
        addresses,
        language,
        trace: profile.trace,
    };
    let schema = Schema::built_in(schema::ENTRY, cache);
    let mut collections = BTreeMap::new();
    for (name, drafts) in drafts {
        let validators = Validators { built_in: &schema, engine_keys: schema.keys(), own: schemas.get(&name) };
        let read: Vec<_> = drafts.into_par_iter().map(|parsed| shared.read(parsed, Some(&validators))).collect();
        let (documents, problems): (Vec<_>, Vec<_>) = read.into_iter().unzip();
        diagnostics.extend(problems.into_iter().flatten());
        collections.insert(name, Collection::of(documents));
    }

    // 3. outlines
    let shared = SharedInputs { collections: Some(&collections), ..shared };
    let mut digests = Digests {
        shared: shared_digest(sources, profile, &order),
        collections: collections_digest(sources, &collections, &unread),
        ..Digests::default()
    };

    // 4. pages
    let schema = Schema::built_in(schema::PAGE, cache);
    observer.expect_pages(order.places.len());
    let documents = Documents::default();
    let reading =
        Reading { sources, shared, digests, schema: &schema, schemas: &schemas, documents: &documents, tools };
    let read: Vec<(Arc<Chunk>, Vec<Diagnostic>)> =
        page_outlines.par_iter().zip(&order.shown).map(|(chunk, shown)| reading.chunk(chunk, shown)).collect();
    let mut pages = Pages { chunks: Vec::with_capacity(read.len()), order };
    let mut listings = Key::of("pages");
    for (chunk, problems) in read {
        listings.add(chunk.listing);
        pages.chunks.push(chunk);
        diagnostics.extend(problems);
    }
    digests.pages = listings.done();
    drop_repeated(&mut diagnostics);

    let with_placeholders = page_outlines.iter().flat_map(|chunk| &chunk.outlines.with_placeholders);
    diagnostics.extend(placeholder::find(sources, profile.base_url.is_some(), with_placeholders));
    // A reference that is misspelt also leaves the collection it means unused.
    if diagnostics.iter().all(|each| each.severity == Severity::Warning) {
        let referring: Vec<&SourcePath> = page_outlines.iter().flat_map(|chunk| &chunk.outlines.referring).collect();
        diagnostics.extend(usage::unused(sources, &collections, &schedule, &referring));
    }
    drop_consequences(&mut diagnostics);
    let public = public_files(sources);
    let site = Site { settings, data, pages, collections, assets, public, schedule, digests, documents };
    Checked::new(site, diagnostics)
}

/// What pages are read with.
struct Reading<'a> {
    sources: &'a Sources,
    shared: SharedInputs<'a>,
    digests: Digests,
    schema: &'a Schema,
    schemas: &'a Schemas,
    documents: &'a Documents,
    tools: &'a dyn Tools,
}

impl Reading<'_> {
    /// Reads the pages of a chunk that are shown and not known to be sound, and gives what is wrong with them.
    fn chunk(&self, diagnostics: &ChunkOutlines, shown: &[usize]) -> (Arc<Chunk>, Vec<Diagnostic>) {
        let Reading { shared, digests, tools, .. } = self;
        let cache = tools.cache();
        let collections =
            if diagnostics.outlines.referring.is_empty() { Digest::default() } else { digests.collections };
        let key = Key::of("chunk").with(digests.shared).with(diagnostics.files.digest).with(collections).done();
        if let Some(chunk) = cache.get::<Chunk>(&key) {
            return (chunk, Vec::new());
        }
        let read = shown.par_iter().map(|place| {
            let page = shared.page(&diagnostics.outlines.pages[*place], digests);
            // Pages that are drawn once more to find a mistake's place have been held against everything already.
            let is_known = shared.trace || cache.get_saved::<ValidMarker>(&page.key).is_some();
            let problems = if is_known { Vec::new() } else { self.page(&page, diagnostics) };
            (page, problems)
        });
        let (pages, problems): (Vec<Page>, Vec<Vec<Diagnostic>>) = read.unzip();
        let problems: Vec<Diagnostic> = problems.into_iter().flatten().collect();
        let mut listing = Key::of("listings");
        pages.iter().for_each(|page| listing.add(page.listing));
        let templates = pages.iter().map(|page| page.template.clone()).collect();
        let chunk = Arc::new(Chunk { key, listing: listing.done(), pages, templates });
        if problems.is_empty() {
            cache.store_group(key, chunk.clone(), chunk.pages.iter().map(|page| page.key).collect());
        }
        (chunk, problems)
    }

    /// Reads a page, and gives what is wrong with it.
    fn page(&self, page: &Page, diagnostics: &ChunkOutlines) -> Vec<Diagnostic> {
        let _work = Work::on_page(self.tools.observer(), "read a page", page.source.as_str());
        let mut problems = Vec::new();
        let keys = diagnostics.data.lock().unwrap_or_else(PoisonError::into_inner).remove(&page.source);
        if let Some(parsed) = read::parsed(self.sources, &page.source, keys, &mut problems) {
            let own = self.schemas.get(page.template.trim_end_matches(".html"));
            let validators = Validators { built_in: self.schema, engine_keys: self.schema.keys(), own };
            let (document, reported) = self.shared.read(parsed, Some(&validators));
            problems.extend(reported);
            self.documents.keep(Arc::new(document));
        }
        if problems.is_empty() {
            self.tools.cache().store_saved(page.key, Arc::new(ValidMarker));
        }
        problems
    }
}

/// What a file is read with.
#[derive(Clone, Copy)]
struct SharedInputs<'a> {
    data: &'a Node,
    collections: Option<&'a BTreeMap<String, Collection>>,
    unread: Option<&'a BTreeSet<String>>,
    addresses: Addresses<'a>,
    /// The language of a file that names none.
    language: &'a str,
    trace: bool,
}

/// What a file is held against.
struct Validators<'a> {
    built_in: &'a Schema,
    engine_keys: Vec<&'a str>,
    own: Option<&'a Schema>,
}

impl SharedInputs<'_> {
    fn scope(&self) -> Scope<'_> {
        Scope { site: Some(self.data), collections: self.collections, unread: self.unread }
    }

    /// A file with its references filled in and its body rendered, and what is wrong with it.
    fn read(&self, mut parsed: ParsedDocument, validators: Option<&Validators>) -> (Document, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        self.scope().fill(parsed.path, &mut parsed.data, &mut diagnostics);
        if let Some(Validators { built_in, engine_keys, own }) = validators {
            diagnostics.extend(validate(&parsed, built_in, engine_keys, *own));
        }
        let body = parsed.body.map(|(body, offset)| {
            let raw_html = parsed.data.get("raw_html").is_some_and(|node| node.value == yaml::Value::Bool(true));
            let (scope, addresses) = (self.scope(), &self.addresses);
            let language = parsed.data.get("language").and_then(Node::text).filter(|tag| !tag.is_empty());
            let quotes = Quotes::of(language.unwrap_or(self.language));
            let context = Context { path: parsed.path, offset, raw_html, scope, addresses, quotes, trace: self.trace };
            markdown::render(body, &context, &mut diagnostics)
        });
        let source = parsed.path.clone();
        (Document { source, data: parsed.data, body, is_expired: parsed.is_expired }, diagnostics)
    }

    fn page(&self, outlined: &Outlined, digests: &Digests) -> Page {
        let Outlined { route, path, digest, outline } = outlined;
        // Pages without an outline are not shown.
        let outline = outline.clone().unwrap_or_default();
        let collections = if outline.refers { digests.collections } else { Digest::default() };
        let key = |kind: &str, own: Digest| {
            Key::of(kind).with(digests.shared).with(path.as_str()).with(own).with(collections).done()
        };
        let filled = |text: &Option<String>| {
            let mut node = Node { value: yaml::Value::Text(text.clone()?), span: Span::default() };
            // What cannot be filled in is told where the page is read.
            self.scope().fill(path, &mut node, &mut Vec::new());
            node.text().map(str::to_owned)
        };
        Page {
            route: route.clone(),
            source: path.clone(),
            template: filled(&outline.template).unwrap_or_else(|| DEFAULT_TEMPLATE.to_owned()),
            updated: filled(&outline.updated),
            key: key("page", *digest),
            listing: key("listing", outline.keys),
            outline,
        }
    }
}

impl Page {
    /// Whether search engines are kept away: as it says, and always from the page for unknown paths.
    pub fn noindex(&self) -> bool {
        self.route.as_str() == NOT_FOUND || self.outline.noindex
    }
}

impl Pages {
    /// The pages in the order of their routes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// The pages in the order of their routes, on several threads.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = &Page> {
        (0..self.len()).into_par_iter().map(|number| self.get(number))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The page of a number, which is less than [`Pages::len`].
    pub fn get(&self, number: usize) -> &Page {
        let (chunk, place) = self.order.places[number];
        &self.chunks[chunk].pages[place]
    }

    /// The number of the page that answers at a route.
    pub fn number(&self, route: &str) -> Option<usize> {
        self.order.numbers.get(route).copied()
    }

    /// The pages in chunks, which are in the order of their files.
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }

    /// For each page in the order of routes, the number of its chunk and its place there.
    pub fn places(&self) -> &[(usize, usize)] {
        &self.order.places
    }

    /// Routes by the file they come from, also of pages that are left out on this day.
    pub fn routes(&self) -> &Arc<BTreeMap<SourcePath, Route>> {
        &self.order.routes
    }

    /// Routes that are left out on this day, with the reason.
    pub fn hidden(&self) -> &BTreeMap<Route, State> {
        &self.order.hidden
    }

    /// The digest of the routes, of pages that are shown and that are left out.
    pub fn digest(&self) -> Digest {
        self.order.digest
    }
}

impl Site {
    /// The keys and the body of a page.
    pub fn document(&self, page: &Page, sources: &Sources, profile: &Profile) -> Arc<Document> {
        let known = self.documents.part(&page.source).get(&page.source).cloned();
        known.unwrap_or_else(|| {
            let document = Arc::new(self.read_again(page, sources, profile));
            self.documents.keep(document.clone());
            document
        })
    }

    /// As [`Site::document`], for the last one to ask: of ten thousand pages, only those that are being drawn are there
    /// as documents and as HTML. Who asks later has the page read again.
    pub fn take_document(&self, page: &Page, sources: &Sources, profile: &Profile) -> Arc<Document> {
        let known = self.documents.part(&page.source).remove(&page.source);
        known.unwrap_or_else(|| Arc::new(self.read_again(page, sources, profile)))
    }

    /// The keys of a page, for which its body need not be read.
    pub fn keys(&self, page: &Page, sources: &Sources, profile: &Profile) -> Node {
        if let Some(document) = self.documents.part(&page.source).get(&page.source) {
            return document.data.clone();
        }
        let Some(mut data) = page.outline.data() else { return self.document(page, sources, profile).data.clone() };
        let scope = Scope { site: Some(&self.data), collections: Some(&self.collections), unread: None };
        // What cannot be filled in was told when the page was read.
        scope.fill(&page.source, &mut data, &mut Vec::new());
        data
    }

    fn read_again(&self, page: &Page, sources: &Sources, profile: &Profile) -> Document {
        let base_path = &self.settings.base_path;
        let addresses = Addresses { base_path, assets: &self.assets, routes: self.pages.routes() };
        let (collections, trace) = (Some(&self.collections), profile.trace);
        let language = self.settings.language.as_str();
        let shared = SharedInputs { data: &self.data, collections, unread: None, addresses, language, trace };
        let parsed = read::parsed(sources, &page.source, page.outline.data(), &mut Vec::new());
        // A page of a site was read before, from the same bytes.
        parsed.map(|parsed| shared.read(parsed, None).0).unwrap_or_else(|| Document::empty(&page.source))
    }
}

impl Documents {
    fn keep(&self, document: Arc<Document>) {
        self.part(&document.source).insert(document.source.clone(), document);
    }

    fn part(&self, path: &SourcePath) -> MutexGuard<'_, HashMap<SourcePath, Arc<Document>>> {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        // A thread that panicked while it held the lock has left nothing half-done: every change is one call of the map.
        self.0[hasher.finish() as usize % self.0.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Document {
    fn empty(source: &SourcePath) -> Self {
        let data = Node { value: yaml::Value::Map(Vec::new()), span: Span::default() };
        Document { source: source.clone(), data, body: None, is_expired: false }
    }
}

impl Collection {
    fn of(documents: Vec<Document>) -> Self {
        let mut entries: Vec<Entry> =
            documents.into_iter().map(|document| Entry { slug: document.source.stem().to_owned(), document }).collect();
        entries.sort_by_cached_key(|entry| (order_of(&entry.document.data), entry.slug.clone()));
        let by_slug = entries.iter().enumerate().map(|(index, entry)| (entry.slug.clone(), index)).collect();
        Collection { entries, by_slug }
    }

    /// The entry with a slug.
    pub fn get(&self, slug: &str) -> Option<&Entry> {
        self.by_slug.get(slug).map(|index| &self.entries[*index])
    }
}

impl Deref for Collection {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.entries
    }
}

impl<'a> IntoIterator for &'a Collection {
    type Item = &'a Entry;
    type IntoIter = std::slice::Iter<'a, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

/// The digest of what every page may be made of: the choices of the build, `site.yaml`, schemas, assets, public files
/// and routes.
fn shared_digest(sources: &Sources, profile: &Profile, order: &Order) -> Digest {
    // What is shown on the day of the build is said by the routes, and for entries by their collections.
    let Profile { base_url, host, development, drafts, today: _, staging, trace } = profile;
    let mut key = Key::of("basis").with(format!("{base_url:?} {host:?} {development} {drafts} {staging} {trace}"));
    let site_file = SourcePath::new(SITE_FILE);
    let shared = ["content/assets", "content/public", "content/schemas"];
    let shared = shared.iter().flat_map(|folder| sources.below(folder));
    for (path, source) in sources.get_key_value(&site_file).into_iter().chain(shared) {
        key.add(path.as_str());
        key.add(source.digest);
    }
    key.with(order.digest).done()
}

/// Whether a chunk holds pages.
fn is_of_pages(files: &Files) -> bool {
    files.files().first().is_some_and(|(path, _)| path.below(PAGES).is_some())
}

/// The files of `content/` that are no pages.
fn outside_pages(sources: &Sources) -> impl Iterator<Item = (&SourcePath, &Source)> {
    let files = sources.chunks().iter().filter(|files| !is_of_pages(files)).flat_map(|files| files.files());
    files.map(|(path, source)| (path, source)).filter(|(path, _)| path.below("content").is_some())
}

/// The digest of the collections. Entries that could not be read are part of it, since references to them are passed over
/// and references to entries that do not exist are not.
fn collections_digest(
    sources: &Sources,
    collections: &BTreeMap<String, Collection>,
    unread: &BTreeSet<String>,
) -> Digest {
    let mut key = Key::of("collections");
    for (name, entries) in collections {
        key.add(name);
        for Entry { document, .. } in entries {
            key.add(document.source.as_str());
            key.add(sources.get(&document.source).map(|source| source.digest).unwrap_or_default());
            key.add([u8::from(document.is_expired)]);
        }
    }
    unread.iter().for_each(|entry| key.add(entry));
    key.done()
}

/// Entries whose files have mistakes of their own, as `collection.slug`. What refers to them is not told as well.
fn unread_entries(
    sources: &Sources,
    collections: &BTreeMap<String, Vec<ParsedDocument>>,
    schedule: &Schedule,
) -> BTreeSet<String> {
    let read: BTreeSet<&SourcePath> = collections.values().flatten().map(|parsed| parsed.path).collect();
    let hidden: BTreeSet<&SourcePath> = schedule.hidden.iter().map(|hidden| &hidden.path).collect();
    let named = outside_pages(sources).filter_map(|(path, _)| {
        let (folder, _) = path.below("content")?.split_once('/')?;
        let is_unread = !RESERVED.contains(&folder) && is_document(path) && !read.contains(path);
        (is_unread && !hidden.contains(path)).then(|| format!("{folder}.{}", path.stem()))
    });
    named.collect()
}

fn order_of(data: &Node) -> i64 {
    match data.get("order").map(|node| &node.value) {
        Some(yaml::Value::Integer(order)) => *order,
        _ => i64::MAX,
    }
}

fn public_files(sources: &Sources) -> Vec<(OutputPath, SourcePath, Source)> {
    let files = sources.below("content/public");
    files
        .filter_map(|(path, source)| {
            Some((OutputPath::new(path.below("content/public")?), path.clone(), source.clone()))
        })
        .collect()
}

/// The place of a page's `template:` key, or the file where it has none.
pub fn template_place(document: &Document) -> Place {
    let span: Option<Span> = document.data.get("template").map(|node| node.span);
    Place { path: document.source.clone(), span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;
    use crate::tools::DiskTools;
    use std::path::Path;

    const SITE: &str = "url: https://www.a.test\nlanguage: en\nname: A\nemail: a@a.test\n";

    fn resolved(files: &[(&str, &str)]) -> Checked<Site> {
        let all = files.iter().copied().chain([(SITE_FILE, SITE)]);
        resolve(&Sources::from_files(all), &Profile::default(), &DiskTools::of(Path::new(".")))
    }

    fn codes(checked: &Checked<Site>) -> Vec<(&'static str, &str)> {
        checked
            .diagnostics
            .iter()
            .map(|each| (code(&each.problem), each.place.as_ref().map_or("", |at| at.path.as_str())))
            .collect()
    }

    #[test]
    fn pages_and_collections_come_from_folders() {
        let checked = resolved(&[
            ("content/pages/index.yaml", "title: Home\nlead: \"{{ site.name }} and {{ platforms.b.name }}\"\n"),
            ("content/pages/about.md", "---\ntitle: About\n---\nWe are {{ site.name }}.\n"),
            ("content/pages/secret.md", "---\ntitle: Secret\ndraft: true\n---\n"),
            ("content/platforms/b.yaml", "name: B\norder: 1\n"),
            ("content/platforms/a.yaml", "name: A\norder: 2\n"),
        ]);
        let site = checked.value.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        assert_eq!(site.pages.iter().map(|page| page.route.as_str()).collect::<Vec<_>>(), ["/", "/about"]);
        let document = |page: &'static str| site.pages.iter().find(|each| each.route.as_str() == page).unwrap();
        let read = |page| site.document(page, &Sources::default(), &Profile::default());
        let (home, about) = (read(document("/")), read(document("/about")));
        assert_eq!(home.data.get("lead").unwrap().text(), Some("A and B"));
        assert_eq!(about.body.as_ref().unwrap().html, "<p>We are A.</p>\n");
        assert_eq!(
            site.collections["platforms"].iter().map(|entry| entry.slug.as_str()).collect::<Vec<_>>(),
            ["b", "a"]
        );
    }

    #[test]
    fn every_mistake_of_a_run_is_reported_once() {
        let checked = resolved(&[
            ("content/notes.txt", ""),
            ("content/pages/a.yaml", "titel: A\n"),
            ("content/pages/b.md", "---\ntitle: B\n---\n"),
            ("content/pages/b/index.md", "---\ntitle: B\n---\n"),
            ("content/pages/C d.md", "---\ntitle: C\n---\n"),
            ("content/platforms/x.yaml", "name: [\n"),
            ("content/schemas/pages/page.schema.json", r#"{"required": ["title"]}"#),
        ]);
        assert!(checked.value.is_none());
        let mut codes = codes(&checked);
        codes.sort();
        assert_eq!(
            codes,
            [
                ("bad-route", "content/pages/C d.md"),
                ("duplicate-route", "content/pages/b/index.md"),
                ("unexpected-file", "content/notes.txt"),
                ("unknown-key", "content/pages/a.yaml"),
                ("yaml-syntax", "content/platforms/x.yaml"),
            ]
        );
    }
}
