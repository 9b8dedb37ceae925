//! Reads and validates the entries and pages that have no valid marker in the cache.
//!
//! The marker is apart from the page as rendered, which depends on more. An edit of a template renders pages again and validates
//! none, and what is wrong with content is reported beside what is wrong with styles and islands, before a page is rendered.

use super::collections::{Collection, Entry, EntryChunk, keys_of};
use super::digests::Digests;
use super::documents::{Documents, SharedInputs, Validators};
use super::plan::{ChunkOutlines, Outlined};
use super::schedule::State;
use super::schema::{Schema, Schemas};
use super::scope::Scope;
use super::site::{Chunk, Page};
use super::yaml::{Node, Value};
use super::{DEFAULT_TEMPLATE, read};
use sitegen_core::cache::{Key, ValidMarker};
use sitegen_core::diagnostics::{Diagnostic, Problem, SchemaProblem, Span};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{Format, Route};
use sitegen_core::sources::{Digest, Sources};
use sitegen_core::tools::Tools;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The inputs for reading entries and pages.
pub struct Reading<'a> {
    /// The files.
    pub sources: &'a Sources,
    /// What is needed to read any file.
    pub shared: SharedInputs<'a>,
    /// What any page may depend on.
    pub digests: Digests,
    /// The engine's schema of an entry.
    pub entry_schema: &'a Schema,
    /// The engine's schemas of a page and of a page that makes another file than HTML.
    pub page_schemas: [&'a Schema; 2],
    /// The site's schemas.
    pub schemas: &'a Schemas,
    /// Gets what is read.
    pub documents: &'a Documents,
    /// The cache, and the observer.
    pub tools: &'a dyn Tools,
}

impl Reading<'_> {
    /// Reads the entries that have no valid marker, and returns their problems.
    pub fn collections(&self, collections: &BTreeMap<String, Collection>) -> Vec<Diagnostic> {
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
            Key::of("valid entry").with(self.digests.shared).with(entry.name().as_str()).with(entry.digest).done()
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
                self.documents.keep(entry.name().as_str(), Arc::new(document));
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
    pub fn chunk(&self, chunk_outlines: &ChunkOutlines, shown: &[usize]) -> (Arc<Chunk>, Vec<Diagnostic>) {
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
            let page = page_of(shared, &chunk_outlines.outlines.pages[*place], digests.shared);
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
        let keys = chunk_outlines.data.lock().remove(&page.source);
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

/// Returns a page, with the digests of what it depends on.
fn page_of(inputs: &SharedInputs, outlined: &Outlined, shared: Digest) -> Page {
    let Outlined { route, path, digest, outline, made, .. } = outlined;
    // Pages without an outline are not shown.
    let outline = outline.clone().unwrap_or_default();
    let named = inputs.collections.map(|all| keys_of(&outline.uses, all)).unwrap_or_default();
    let entry = made.as_ref().and_then(|made| inputs.entry(made));
    let shows = made.as_ref().map(|made| made.digest).unwrap_or_default();
    let key = |kind: &str, own: Digest, entry: Option<Digest>| {
        let key = Key::of(kind).with(shared).with(path.as_str()).with(route.as_str()).with(own).with(named);
        key.with(shows).with(entry.unwrap_or_default()).done()
    };
    let own = made.as_ref().filter(|_| outline.refers).map(|made| inputs.named(made)).unwrap_or_default();
    let filled = |text: &Option<String>| {
        let mut node = Node { value: Value::Text(text.clone()?), span: Span::default() };
        // References that cannot be filled are reported where the page is read.
        Scope { own: &own, ..inputs.scope() }.fill(path, &mut node, &mut Vec::new());
        node.text().map(str::to_owned)
    };
    let mut components = outline.uses.components.clone();
    components.extend(entry.iter().flat_map(|entry| &entry.outline.uses.components).cloned());
    let of_entry = |key: &str| entry?.data.get(key)?.text().map(str::to_owned);
    Page {
        route: route.clone(),
        source: path.clone(),
        template: of_entry("template")
            .or_else(|| filled(&outline.template))
            .unwrap_or_else(|| DEFAULT_TEMPLATE.to_owned()),
        updated: of_entry("updated").or_else(|| filled(&outline.updated)),
        language: of_entry("language").or_else(|| outline.language.clone()),
        is_hidden: outline.noindex || entry.is_some_and(|entry| entry.outline.noindex),
        key: key("read page", *digest, entry.map(|entry| entry.digest)),
        listing: key("listing", outline.keys, None),
        components,
        made: made.clone(),
        outline,
    }
}

/// Says which files there are besides pages where a page without a title looks like another one.
fn name_formats(mut diagnostic: Diagnostic, route: &Route) -> Diagnostic {
    let last = route.as_str().rsplit('/').next().unwrap_or_default();
    if let Problem::Schema(SchemaProblem::MissingKey { key, purpose }) = &mut *diagnostic.problem
        && key == "title"
        && route.format().is_html()
        && let Some((_, extension)) = last.rsplit_once('.')
    {
        let known = Format::extensions().map(|known| format!("`.{known}`")).collect::<Vec<_>>().join(", ");
        *purpose = Some(format!("`.{extension}` makes an HTML page, which needs this key; other formats are {known}"));
    }
    diagnostic
}
