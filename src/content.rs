//! Content: reads, checks and resolves what editors write.
//!
//! [`resolve`] turns the files of `content/` into a [`Site`]. Its passes are the lines of the function:
//!
//! 1. `site.yaml` is read and validated against its schema; the engine's settings are taken from it.
//! 2. The keys of entries are read, collection by collection. They may refer to the site.
//! 3. The outlines of pages are read. Files that make several pages are given the entries to make them from, and the
//!    routes of all pages follow.
//! 4. Every entry and every page without a valid marker in the cache is validated against its JSON Schema, and its
//!    Markdown is rendered. Pages may refer to the site and to collections. Any other file is read when its document is
//!    needed.
//!
//! Entries and pages are processed in chunks. A chunk without changes comes from the cache as one.
//!
//! Nothing here knows templates or reads files from the disk.

pub mod address;
pub mod assets;
pub mod blank;
pub mod calls;
mod check;
pub mod code;
pub mod collections;
pub mod connections;
mod consequences;
mod documents;
pub mod entries;
pub mod fold;
mod front_matter;
pub mod hosting;
pub mod inferred;
mod made;
pub mod markdown;
pub mod outline;
mod outlines;
pub mod page_source;
mod parsed;
pub mod placeholder;
pub mod plan;
pub mod quotes;
mod read;
mod reference;
pub mod schedule;
pub mod schema;
mod scope;
pub mod secrets;
pub mod settings;
mod site_file;
pub mod svg;
pub mod terms;
mod usage;
mod uses;
pub mod yaml;
mod yaml_lost;
mod yaml_words;

use crate::cache::{Cache, Digested, Key, Persistent};
use crate::diagnostics::{Checked, Diagnostic, Place, Problem, Severity, Span};
use crate::observe::Work;
use crate::parallel;
use crate::paths::{Format, OutputPath, Route, SourcePath};
use crate::profile::{Profile, Trace};
use crate::sources::{Digest, Source, SourceKind, Sources};
use crate::templates::Templates;
use crate::templates::scan::scan;
use crate::tools::Tools;
use address::Addresses;
use assets::Assets;
use check::drop_repeated;
use collections::{Collection, Entry, EntryChunk, Found, keys_of};
use consequences::{drop_consequences, drop_repeated_lacks};
pub use documents::Document;
use documents::{Documents, SharedInputs, Validators};
use entries::Entries;
use made::Makers;
use outline::Outline;
pub use outlines::Order;
use page_source::PAGES_AS_COLLECTION;
use plan::{ChunkOutlines, Made, PageFile};
pub use read::{is_document, keys_of_file};
use schedule::{Schedule, State};
use schema::{Schema, Schemas};
use serde::{Deserialize, Serialize};
use settings::Settings;
pub use site_file::locales;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, PoisonError};
use yaml::Node;

/// The file that every site has.
pub const SITE_FILE: &str = "content/site.yaml";
/// The route of the 404 page.
pub const NOT_FOUND: &str = "/404";
/// The folder of pages.
const PAGES: &str = "content/pages";
/// The template of a page without a `template` key.
pub const DEFAULT_TEMPLATE: &str = "pages/page.html";

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
    /// The pages that make one page each, as entries of a collection. Empty if no page lists them.
    pub listed_pages: Collection,
    /// Files of `content/assets`.
    pub assets: Assets,
    /// Files of `content/public`, published unchanged.
    pub public: Vec<(OutputPath, SourcePath, Source)>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// The components that its Markdown calls, also in what is left out.
    pub components: BTreeSet<String>,
    /// Digests of what pages may depend on besides their own files.
    pub digests: Digests,
    documents: Documents,
    /// The files of pages and entries, of which documents are read when they are needed.
    texts: Sources,
    /// Whether documents carry marks of where they were written.
    trace: Option<Trace>,
}

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
    /// The components that their texts call.
    pub components: BTreeSet<String>,
    /// The digest of everything that their documents depend on.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of them.
    pub listing: Digest,
    /// The places of those that have a feed.
    with_feed: Vec<usize>,
}

/// Digests of what pages may depend on besides their own files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Digests {
    /// All of `content/` but pages and collections, the routes, and the options of the build.
    pub shared: Digest,
    /// The keys of all entries.
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
    /// Its `language` as written, or that of its entry.
    pub language: Option<String>,
    /// Whether its `noindex` key, or that of its entry, keeps search engines away.
    pub is_hidden: bool,
    /// What it was made from besides its file.
    pub made: Option<Arc<Made>>,
    /// The keys that the engine acts on.
    pub outline: Arc<Outline>,
    /// The components that its text calls, or that of its entry.
    pub components: BTreeSet<String>,
    /// The digest of everything that its document depends on.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of it.
    pub listing: Digest,
}

/// Marks a page or an entry, under its key, as free of problems.
///
/// It is apart from the page as rendered, which depends on more. An edit of a template renders all pages again and validates
/// none, and what is wrong with content is reported beside what is wrong with styles and islands, before a page is rendered.
#[derive(Debug, Serialize, Deserialize)]
struct ValidMarker;

impl Persistent for ValidMarker {}

/// Resolves content. See the module for its passes.
pub fn resolve(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Site> {
    let (cache, observer) = (tools.cache(), tools.observer());
    let _work = Work::on(observer, "content");
    let mut diagnostics = Vec::new();
    let schemas = Schemas::of(sources, cache, &mut diagnostics);
    let scan = scan(&Templates::of(sources), cache);
    diagnostics.extend(usage::unused_schemas(sources, &scan, &schemas));
    let assets = Assets::of(sources, cache, &mut diagnostics);
    diagnostics.extend(svg::check(sources, cache));
    diagnostics.extend(assets::check_public(sources, cache));
    diagnostics.extend(secrets::check(sources, cache));

    // 1. site.yaml
    let before = diagnostics.len();
    let (data, settings) = site_file::read(sources, &schemas, profile.destination(), cache, &mut diagnostics);
    let is_site_wrong = diagnostics[before..].iter().any(|each| each.severity != Severity::Warning);

    // 2. collections
    let mut schedule = Schedule::default();
    let site_digest = sources.get(&SourcePath::new(SITE_FILE)).map(|source| source.digest).unwrap_or_default();
    let site = Digested::new(&data, site_digest);
    let entries = Entries { visibility: profile.visibility(), site, is_site_wrong };
    let Found { collections, mut unread } = entries.all(sources, cache, &mut schedule, &mut diagnostics);
    if is_site_wrong {
        unread.insert("site".to_owned());
    }

    // 3. outlines
    let mut page_chunks = outlines::find(sources, cache, &mut diagnostics);
    let found = page_chunks.iter().map(|chunk| chunk.outlines.clone()).collect::<Vec<_>>();
    let files: Vec<&PageFile> = found.iter().flat_map(|outlines| &outlines.sources).collect();
    let listed_pages = match files.iter().any(|file| lists_pages(file)) {
        true => pages_as_collection(Entries { is_site_wrong: false, ..entries }, &collections, &page_chunks, cache),
        false => Collection::default(),
    };
    let makers = Makers { collections: &collections, pages: &listed_pages, schemas: &schemas, cache };
    page_chunks.extend(makers.all(&files, &mut diagnostics));
    let order = Order::of(&page_chunks, profile.visibility(), cache, &mut diagnostics);
    schedule.add(&order.schedule);
    let mut digests = Digests {
        shared: shared_digest(sources, profile, &order, &unread),
        collections: collections_digest(&collections),
        ..Digests::default()
    };

    // 4. entries and pages
    let shared = SharedInputs {
        data: &data,
        collections: Some(&collections),
        pages: &listed_pages,
        unread: Some(&unread),
        addresses: addresses_of(&settings, &assets, &order.routes),
        language: &settings.language,
        highlight: settings.highlight,
        trace: profile.trace.as_ref(),
    };
    let entry_schema = Schema::built_in(schema::ENTRY, cache);
    let page_schema = Schema::built_in(schema::PAGE, cache);
    let schema_of_files = Schema::built_in(&schema::of_file(), cache);
    observer.expect_pages(order.places.len());
    let documents = Documents::default();
    let reading = Reading {
        sources,
        shared,
        digests,
        entry_schema: &entry_schema,
        page_schemas: [&page_schema, &schema_of_files],
        schemas: &schemas,
        documents: &documents,
        tools,
    };
    diagnostics.extend(reading.collections(&collections));
    let read: Vec<(Arc<Chunk>, Vec<Diagnostic>)> =
        parallel::map_numbers(page_chunks.len(), |number| reading.chunk(&page_chunks[number], &order.shown[number]));
    let mut pages = Pages { chunks: Vec::with_capacity(read.len()), order };
    let mut listings = Key::of("pages");
    for (chunk, problems) in read {
        listings.add(chunk.listing);
        pages.chunks.push(chunk);
        diagnostics.extend(problems);
    }
    digests.pages = listings.done();
    drop_repeated(&mut diagnostics);

    let with_placeholders = found.iter().flat_map(|outlines| &outlines.with_placeholders);
    let entries = || collections.values().flat_map(|collection| collection.chunks());
    let with_placeholders = with_placeholders.chain(entries().flat_map(|chunk| &chunk.with_placeholders));
    // Nobody sees a draft.
    let drafts = schedule.hidden.iter().filter(|hidden| hidden.state == State::Draft);
    let drafts: HashSet<&SourcePath> = drafts.map(|hidden| &hidden.path).collect();
    let with_placeholders = with_placeholders.filter(|path| !drafts.contains(path));
    diagnostics.extend(placeholder::find(sources, profile.base_url.is_some(), with_placeholders));
    // A misspelt reference also leaves the collection it means unused.
    if diagnostics.iter().all(|each| each.severity == Severity::Warning) {
        diagnostics.extend(usage::unused(&scan, &collections, &schedule, &found));
    }
    let outlines = found.iter().flat_map(|outlines| outlines.iter());
    let outlines = outlines.chain(entries().flat_map(|chunk| &chunk.entries).map(|entry| &*entry.outline));
    let components = outlines.flat_map(|outline| &outline.uses.components).cloned().collect();
    drop_repeated_lacks(&mut diagnostics);
    drop_consequences(&mut diagnostics, sources);
    let public = public_files(sources);
    let (texts, trace) = (sources.only(&[SourceKind::Page, SourceKind::Entry]), profile.trace.clone());
    let site = Site {
        settings,
        data,
        pages,
        collections,
        listed_pages,
        assets,
        public,
        schedule,
        components,
        digests,
        documents,
        texts,
        trace,
    };
    Checked::new(site, diagnostics)
}

/// Returns what is wrong with `site.yaml` alone.
pub fn check_site(sources: &Sources, profile: &Profile) -> Vec<Diagnostic> {
    let (cache, mut diagnostics) = (Cache::default(), Vec::new());
    let schemas = Schemas::of(sources, &cache, &mut diagnostics);
    site_file::read(sources, &schemas, profile.destination(), &cache, &mut diagnostics);
    diagnostics
}

/// Says which files there are besides pages where a page without a title looks like another one.
fn name_formats(mut diagnostic: Diagnostic, route: &Route) -> Diagnostic {
    let last = route.as_str().rsplit('/').next().unwrap_or_default();
    if let Problem::MissingKey { key, purpose } = &mut *diagnostic.problem
        && key == "title"
        && route.format().is_html()
        && let Some((_, extension)) = last.rsplit_once('.')
    {
        let known = Format::extensions().map(|known| format!("`.{known}`")).collect::<Vec<_>>().join(", ");
        *purpose = Some(format!("`.{extension}` makes a page, which needs one; other files are {known}"));
    }
    diagnostic
}

/// Whether a file lists pages.
fn lists_pages(file: &PageFile) -> bool {
    let source = file.outline.source.as_ref();
    let list = source.and_then(|source| source.list.as_ref());
    list.is_some_and(|list| list.collection.as_deref() == Some(PAGES_AS_COLLECTION))
}

/// Returns the pages of files that make one page each as entries of a collection.
fn pages_as_collection(
    reading: Entries,
    collections: &BTreeMap<String, Collection>,
    chunks: &[ChunkOutlines],
    cache: &Cache,
) -> Collection {
    let chunks = chunks.iter().map(|chunk| Arc::new(reading.of_pages(chunk, collections))).collect();
    // Two pages may have files of the same name.
    Collection::of(chunks, cache, &mut Vec::new())
}

/// Returns what addresses in Markdown are resolved against.
fn addresses_of<'a>(
    settings: &'a Settings,
    assets: &'a Assets,
    routes: &'a BTreeMap<SourcePath, Route>,
) -> Addresses<'a> {
    Addresses { base_path: &settings.base_path, assets, routes, pictures: &settings.pictures }
}

/// The inputs for reading entries and pages.
struct Reading<'a> {
    sources: &'a Sources,
    shared: SharedInputs<'a>,
    digests: Digests,
    entry_schema: &'a Schema,
    /// The engine's schemas of a page and of a page that makes another file than HTML.
    page_schemas: [&'a Schema; 2],
    schemas: &'a Schemas,
    documents: &'a Documents,
    tools: &'a dyn Tools,
}

impl Reading<'_> {
    /// Reads the entries that have no valid marker, and returns their problems.
    fn collections(&self, collections: &BTreeMap<String, Collection>) -> Vec<Diagnostic> {
        if self.shared.trace.is_some() {
            return Vec::new();
        }
        let chunks = collections
            .iter()
            .flat_map(|(name, collection)| collection.chunks().iter().map(move |chunk| (name.as_str(), chunk)));
        let chunks: Vec<(&str, &Arc<EntryChunk>)> = chunks.collect();
        parallel::flat_map(&chunks, |(name, chunk)| self.entries(name, chunk))
    }

    fn entries(&self, name: &str, chunk: &EntryChunk) -> Vec<Diagnostic> {
        let cache = self.tools.cache();
        let key = Key::of("valid entries").with(self.digests.shared).with(chunk.files).with(chunk.keys).done();
        if cache.get::<ValidMarker>(&key).is_some() {
            return Vec::new();
        }
        let marker = |entry: &Entry| {
            Key::of("valid entry").with(self.digests.shared).with(entry.source.as_str()).with(entry.digest).done()
        };
        let own = self.schemas.get(name);
        let validators = Validators { built_in: self.entry_schema, engine_keys: self.entry_schema.keys(), own };
        let shown = |entry: &&Entry| matches!(entry.state, State::Shown | State::Expired(_));
        let entries: Vec<&Entry> = chunk.entries.iter().filter(shown).collect();
        let problems: Vec<Diagnostic> = parallel::flat_map(&entries, |entry| {
            let marker = marker(entry);
            if cache.get_saved::<ValidMarker>(&marker).is_some() {
                return Vec::new();
            }
            let mut problems = Vec::new();
            let file = self.sources.get_key_value(&entry.source);
            let parsed = file.and_then(|file| read::parsed(file, entry.outline.data(), &mut problems));
            if let Some(parsed) = parsed {
                let (document, reported) = self.shared.read_entry(parsed, Some(&validators));
                problems.extend(reported);
                self.documents.keep(entry.source.as_str(), Arc::new(document));
            }
            if problems.is_empty() {
                cache.store_saved(marker, Arc::new(ValidMarker));
            }
            problems
        });
        if problems.is_empty() {
            cache.store_group(key, Arc::new(ValidMarker), chunk.entries.iter().map(marker).collect());
        }
        problems
    }

    /// Reads the pages of a chunk that are shown and have no valid marker, and returns their problems.
    fn chunk(&self, chunk_outlines: &ChunkOutlines, shown: &[usize]) -> (Arc<Chunk>, Vec<Diagnostic>) {
        let Reading { shared, digests, tools, .. } = self;
        let cache = tools.cache();
        let outlines = &chunk_outlines.outlines.pages;
        let mut key = Key::of("chunk").with(digests.shared).with(chunk_outlines.digest);
        if let Some(collections) = shared.collections {
            let outlines = outlines.iter().filter_map(|page| page.outline.as_ref());
            outlines.for_each(|outline| key.add(keys_of(&outline.uses, collections)));
        }
        let key = key.done();
        if let Some(chunk) = cache.get::<Chunk>(&key) {
            return (chunk, Vec::new());
        }
        let read = parallel::map(shown, |place| {
            let page = shared.page(&chunk_outlines.outlines.pages[*place], digests.shared);
            // Pages that are rendered once more to find a mistake's place have been validated already.
            let is_valid = shared.trace.is_some() || cache.get_saved::<ValidMarker>(&page.key).is_some();
            let problems = if is_valid { Vec::new() } else { self.page(&page, chunk_outlines) };
            (page, problems)
        });
        let (pages, problems): (Vec<Page>, Vec<Vec<Diagnostic>>) = read.into_iter().unzip();
        let problems: Vec<Diagnostic> = problems.into_iter().flatten().collect();
        let mut listing = Key::of("listings");
        pages.iter().for_each(|page| listing.add(page.listing));
        let templates = pages.iter().map(|page| page.template.clone()).collect();
        let components = pages.iter().flat_map(|page| &page.components).cloned().collect();
        let has_feed = |page: &Page| page.made.as_ref().is_some_and(|made| !made.feed.is_empty());
        let with_feed = (0..pages.len()).filter(|place| has_feed(&pages[*place])).collect();
        let chunk = Arc::new(Chunk { key, listing: listing.done(), pages, templates, components, with_feed });
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
        let keys = keys.or_else(|| page.outline.data());
        let file = self.sources.get_key_value(&page.source);
        if let Some(parsed) = file.and_then(|file| read::parsed(file, keys, &mut problems)) {
            let own = self.schemas.get(page.template.trim_end_matches(".html"));
            let makes_html = page.route.format().is_html() && Format::of(&page.template).is_html();
            let built_in = self.page_schemas[usize::from(!makes_html)];
            let validators = Validators { built_in, engine_keys: built_in.keys(), own };
            let (document, reported) = self.shared.read(parsed, Some(&validators), page.made.as_deref());
            problems.extend(reported.into_iter().map(|each| name_formats(each, &page.route)));
            self.documents.keep(page.route.as_str(), Arc::new(document));
        }
        if problems.is_empty() {
            self.tools.cache().store_saved(page.key, Arc::new(ValidMarker));
        }
        problems
    }
}

impl Page {
    /// Adds this page to a diagnostic of what was rendered for it.
    pub fn named_in(&self, diagnostic: Diagnostic) -> Diagnostic {
        Made::name_page(diagnostic, self.made.as_deref(), &self.route, &self.source)
    }

    /// Whether lists of all pages have it: the 404 page and files other than HTML are in none.
    pub fn is_listed(&self) -> bool {
        self.route.as_str() != NOT_FOUND && self.route.format().is_html()
    }

    /// Whether search engines are kept away: by its `noindex` key, and always from the 404 page.
    pub fn noindex(&self) -> bool {
        self.route.as_str() == NOT_FOUND || self.is_hidden
    }
}

impl Pages {
    /// Returns the pages in the order of their routes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Returns the pages that have a feed, in the order of their routes, each with what it was made from.
    pub fn with_feed(&self) -> Vec<(&Page, &Made)> {
        let pages = self.chunks.iter().flat_map(|chunk| chunk.with_feed.iter().map(|place| &chunk.pages[*place]));
        let mut pages: Vec<(&Page, &Made)> = pages.filter_map(|page| Some((page, &**page.made.as_ref()?))).collect();
        pages.sort_unstable_by(|(a, _), (b, _)| a.route.cmp(&b.route));
        pages
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.order.places.len()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the page at a route.
    pub fn at(&self, route: &str) -> Option<&Page> {
        self.order.numbers.get(route).map(|number| self.get(*number))
    }

    /// Returns the value of the page at a route among those of all pages, in the order of their routes.
    pub fn value_at<'v, T>(&self, values: &'v [T], route: &str) -> Option<&'v T> {
        self.order.numbers.get(route).and_then(|number| values.get(*number))
    }

    fn get(&self, number: usize) -> &Page {
        let (chunk, place) = self.order.places[number];
        &self.chunks[chunk].pages[place]
    }

    /// Returns the pages above a route, from the home page down. A part of the route without a page is left out.
    pub fn ancestors<'p>(&'p self, route: &'p Route) -> impl Iterator<Item = &'p Page> {
        let route = route.as_str();
        let above = route.match_indices('/').map(|(at, _)| if at == 0 { "/" } else { &route[..at] });
        above.filter(move |above| *above != route).filter_map(|above| self.at(above))
    }

    /// Returns the pages in chunks, which are in the order of their files.
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }

    /// Returns the pages in the order of their routes, each with a value. `values` returns those of a chunk, in the order of
    /// its pages.
    pub fn with_values<'v, C, T: 'v>(
        &'v self,
        chunks: &'v [C],
        values: impl Fn(&'v C) -> Option<&'v [T]>,
    ) -> impl Iterator<Item = (&'v Page, Option<&'v T>)> {
        let places = self.order.places.iter();
        places.map(move |(chunk, place)| {
            (&self.chunks[*chunk].pages[*place], values(&chunks[*chunk]).and_then(|values| values.get(*place)))
        })
    }

    /// Groups a value of each page, in the order of their routes, by chunks.
    pub fn by_chunk<T>(&self, values: impl IntoIterator<Item = T>) -> Vec<Vec<T>> {
        let empty = |chunk: &Arc<Chunk>| chunk.pages.iter().map(|_| None).collect();
        let mut grouped: Vec<Vec<Option<T>>> = self.chunks.iter().map(empty).collect();
        for ((chunk, place), value) in self.order.places.iter().zip(values) {
            grouped[*chunk][*place] = Some(value);
        }
        grouped.into_iter().map(|values| values.into_iter().flatten().collect()).collect()
    }

    /// Returns the order of the pages.
    pub fn order(&self) -> &Arc<Order> {
        &self.order
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

/// Returns the digest of what every page may depend on: the options of the build, `site.yaml`, schemas, assets, public
/// files and routes.
fn shared_digest(sources: &Sources, profile: &Profile, order: &Order, unread: &BTreeSet<String>) -> Digest {
    // The day is left out: the routes, and for entries their collections, depend on what is shown that day.
    let read = sources.only(&[SourceKind::Settings, SourceKind::Schema, SourceKind::Asset, SourceKind::Public]);
    let mut key = Key::of("shared inputs").with_all(&(profile.of_any_day(), read));
    // References to entries that could not be read are not reported, and references to missing entries are.
    unread.iter().for_each(|entry| key.add(entry));
    key.with(order.digest).done()
}

/// The files of `content/` that are neither pages nor entries.
const OUTSIDE_DOCUMENTS: &[SourceKind] =
    &[SourceKind::Settings, SourceKind::Schema, SourceKind::Asset, SourceKind::Public, SourceKind::Stray];

/// Returns the digest of the keys of all entries.
fn collections_digest(collections: &BTreeMap<String, Collection>) -> Digest {
    let mut key = Key::of("collections");
    for (name, collection) in collections {
        key.add(name);
        key.add(collection.keys);
    }
    key.done()
}

fn public_files(sources: &Sources) -> Vec<(OutputPath, SourcePath, Source)> {
    let files = sources.of(SourceKind::Public);
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
        let read = |page| site.document(page);
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
