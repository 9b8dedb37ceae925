//! Content: reads, checks and resolves what editors write.
//!
//! [`resolve`] turns the files of `content/` into a [`Site`]. Its passes are the lines of the function:
//!
//! 1. `site.yaml` is read and validated against its schema; the engine's settings are taken from it.
//! 2. Collections are read: references like `{{ site.email }}` are filled in, each entry is validated against its JSON
//!    Schema, Markdown is rendered. They may refer to the site.
//! 3. The outlines of pages are read, and their routes follow from them.
//! 4. Every page without a valid marker in the cache is read like an entry; it may refer to the site and collections.
//!    Any other page is read when its document is needed.
//!
//! Pages are processed in the chunks of their files. A chunk without changes comes from the cache as one.
//!
//! Nothing here knows templates or reads files from the disk.

pub mod address;
pub mod assets;
mod check;
mod front_matter;
pub mod hosting;
pub mod inferred;
pub mod markdown;
pub mod outline;
mod outlines;
mod parsed;
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
use parsed::ParsedDocument;
use quotes::Quotes;
use rayon::prelude::*;
use read::is_document;
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
/// Folders of `content/` that are not collections.
const RESERVED: [&str; 4] = ["pages", "assets", "schemas", "public"];
/// The template of a page without a `template` key.
const DEFAULT_TEMPLATE: &str = "pages/page.html";

/// The resolved content of a site.
#[derive(Debug)]
pub struct Site {
    /// The settings that the engine reads from `site.yaml`.
    pub settings: Settings,
    /// All of `site.yaml`.
    pub data: Node,
    /// The pages in the order of their routes.
    pub pages: Pages,
    /// The entries of each collection, by `order` and then by slug.
    pub collections: BTreeMap<String, Collection>,
    /// Files of `content/assets`.
    pub assets: Assets,
    /// Files of `content/public`, published unchanged.
    pub public: Vec<(OutputPath, SourcePath, Source)>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// Digests of what pages may depend on besides their own files.
    pub digests: Digests,
    documents: Documents,
}

/// Pages that were read in this build and not taken yet, in shards so that threads do not wait for each other.
#[derive(Debug, Default)]
struct Documents([Mutex<HashMap<SourcePath, Arc<Document>>>; 16]);

/// The pages of a site, shared with other builds as far as they are equal.
#[derive(Debug)]
pub struct Pages {
    chunks: Vec<Arc<Chunk>>,
    order: Arc<Order>,
}

/// Pages whose files are neighbours.
#[derive(Debug)]
pub struct Chunk {
    /// The pages in the order of their files.
    pub pages: Vec<Page>,
    /// The templates that render them.
    pub templates: BTreeSet<String>,
    /// The digest of everything that their documents depend on.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of them.
    pub listing: Digest,
}

/// Digests of what pages may depend on besides their own files.
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
    /// Its route.
    pub route: Route,
    /// Its file.
    pub source: SourcePath,
    /// The template that renders it.
    pub template: String,
    /// The day of its last change, from its `updated` key.
    pub updated: Option<String>,
    /// The keys that the engine acts on.
    pub outline: Arc<Outline>,
    /// The digest of everything that its document depends on.
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

/// Marks a page, under its key, as free of problems.
#[derive(Serialize, Deserialize)]
struct ValidMarker;

impl Persistent for ValidMarker {}

/// Resolves content. See the module for its passes.
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
    // A misspelt reference also leaves the collection it means unused.
    if diagnostics.iter().all(|each| each.severity == Severity::Warning) {
        let referring: Vec<&SourcePath> = page_outlines.iter().flat_map(|chunk| &chunk.outlines.referring).collect();
        diagnostics.extend(usage::unused(sources, &collections, &schedule, &referring));
    }
    drop_consequences(&mut diagnostics);
    let public = public_files(sources);
    let site = Site { settings, data, pages, collections, assets, public, schedule, digests, documents };
    Checked::new(site, diagnostics)
}

/// The inputs for reading pages.
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
    /// Reads the pages of a chunk that are shown and have no valid marker, and returns their problems.
    fn chunk(&self, chunk_outlines: &ChunkOutlines, shown: &[usize]) -> (Arc<Chunk>, Vec<Diagnostic>) {
        let Reading { shared, digests, tools, .. } = self;
        let cache = tools.cache();
        let collections =
            if chunk_outlines.outlines.referring.is_empty() { Digest::default() } else { digests.collections };
        let key = Key::of("chunk").with(digests.shared).with(chunk_outlines.files.digest).with(collections).done();
        if let Some(chunk) = cache.get::<Chunk>(&key) {
            return (chunk, Vec::new());
        }
        let read = shown.par_iter().map(|place| {
            let page = shared.page(&chunk_outlines.outlines.pages[*place], digests);
            // Pages that are rendered once more to find a mistake's place have been validated already.
            let is_valid = shared.trace || cache.get_saved::<ValidMarker>(&page.key).is_some();
            let problems = if is_valid { Vec::new() } else { self.page(&page, chunk_outlines) };
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

    /// Reads a page, and returns its problems.
    fn page(&self, page: &Page, chunk_outlines: &ChunkOutlines) -> Vec<Diagnostic> {
        let _work = Work::on_page(self.tools.observer(), "read a page", page.source.as_str());
        let mut problems = Vec::new();
        let keys = chunk_outlines.data.lock().unwrap_or_else(PoisonError::into_inner).remove(&page.source);
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

/// The inputs for reading any file.
#[derive(Clone, Copy)]
struct SharedInputs<'a> {
    data: &'a Node,
    collections: Option<&'a BTreeMap<String, Collection>>,
    unread: Option<&'a BTreeSet<String>>,
    addresses: Addresses<'a>,
    /// The language of a file without a `language` key.
    language: &'a str,
    trace: bool,
}

/// What a file is validated against.
struct Validators<'a> {
    built_in: &'a Schema,
    engine_keys: Vec<&'a str>,
    own: Option<&'a Schema>,
}

impl SharedInputs<'_> {
    fn scope(&self) -> Scope<'_> {
        Scope { site: Some(self.data), collections: self.collections, unread: self.unread }
    }

    /// Fills in a file's references, renders its body and returns its problems.
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
            // References that cannot be filled are reported where the page is read.
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
    /// Whether search engines are kept away: by its `noindex` key, and always from the page for unknown paths.
    pub fn noindex(&self) -> bool {
        self.route.as_str() == NOT_FOUND || self.outline.noindex
    }
}

impl Pages {
    /// Returns the pages in the order of their routes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Returns the pages in the order of their routes, on several threads.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = &Page> {
        (0..self.len()).into_par_iter().map(|number| self.get(number))
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.order.places.len()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the page with a number, which is less than [`Pages::len`].
    pub fn get(&self, number: usize) -> &Page {
        let (chunk, place) = self.order.places[number];
        &self.chunks[chunk].pages[place]
    }

    /// Returns the number of the page at a route.
    pub fn number(&self, route: &str) -> Option<usize> {
        self.order.numbers.get(route).copied()
    }

    /// Returns the pages in chunks, which are in the order of their files.
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }

    /// Returns for each page, in the order of routes, the number of its chunk and its index there.
    pub fn places(&self) -> &[(usize, usize)] {
        &self.order.places
    }

    /// Returns routes by source file, also of pages that are left out today.
    pub fn routes(&self) -> &Arc<BTreeMap<SourcePath, Route>> {
        &self.order.routes
    }

    /// Returns the routes that are left out today, with the reason.
    pub fn hidden(&self) -> &BTreeMap<Route, State> {
        &self.order.hidden
    }

    /// Returns the digest of the routes, of pages that are shown or left out.
    pub fn digest(&self) -> Digest {
        self.order.digest
    }
}

impl Site {
    /// Returns the keys and the body of a page.
    pub fn document(&self, page: &Page, sources: &Sources, profile: &Profile) -> Arc<Document> {
        let read = self.documents.part(&page.source).get(&page.source).cloned();
        read.unwrap_or_else(|| {
            let document = Arc::new(self.read_again(page, sources, profile));
            self.documents.keep(document.clone());
            document
        })
    }

    /// Returns a page's document and forgets it: of ten thousand pages, only those that are being rendered are in
    /// memory as documents and as HTML. A later call reads the page again.
    pub fn take_document(&self, page: &Page, sources: &Sources, profile: &Profile) -> Arc<Document> {
        let read = self.documents.part(&page.source).remove(&page.source);
        read.unwrap_or_else(|| Arc::new(self.read_again(page, sources, profile)))
    }

    /// Returns the keys of a page, without reading its body.
    pub fn keys(&self, page: &Page, sources: &Sources, profile: &Profile) -> Node {
        if let Some(document) = self.documents.part(&page.source).get(&page.source) {
            return document.data.clone();
        }
        let Some(mut data) = page.outline.data() else { return self.document(page, sources, profile).data.clone() };
        let scope = Scope { site: Some(&self.data), collections: Some(&self.collections), unread: None };
        // References that cannot be filled were reported when the page was read.
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

    /// Returns the entry with a slug.
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

/// Returns the digest of what every page may depend on: the choices of the build, `site.yaml`, schemas, assets, public
/// files and routes.
fn shared_digest(sources: &Sources, profile: &Profile, order: &Order) -> Digest {
    // The day is left out: the routes, and for entries their collections, depend on what is shown that day.
    let mut key = Key::of("basis").with(profile.choices_of_any_day());
    let site_file = SourcePath::new(SITE_FILE);
    let shared = ["content/assets", "content/public", "content/schemas"];
    let shared = shared.iter().flat_map(|folder| sources.below(folder));
    for (path, source) in sources.get_key_value(&site_file).into_iter().chain(shared) {
        key.add(path.as_str());
        key.add(source.digest);
    }
    key.with(order.digest).done()
}

/// Whether a chunk contains pages.
fn is_of_pages(files: &Files) -> bool {
    files.files().first().is_some_and(|(path, _)| path.below(PAGES).is_some())
}

/// Returns the files of `content/` that are not pages.
fn outside_pages(sources: &Sources) -> impl Iterator<Item = (&SourcePath, &Source)> {
    let files = sources.chunks().iter().filter(|files| !is_of_pages(files)).flat_map(|files| files.files());
    files.map(|(path, source)| (path, source)).filter(|(path, _)| path.below("content").is_some())
}

/// Returns the digest of the collections. It covers entries that could not be read, since references to them are not
/// reported and references to missing entries are.
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

/// Returns entries whose files have mistakes, as `collection.slug`. References to them are not reported as well.
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

/// Returns the place of a page's `template:` key, or the file if it has none.
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
