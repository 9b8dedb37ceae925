//! Reads and validates the entries and pages of which the cache does not know that they are valid.
//!
//! That is apart from the page as rendered, which depends on more. An edit of a template renders pages again and validates
//! none, and what is wrong with content is reported beside what is wrong with styles and islands, before a page is rendered.

use super::collections::{Collection, Entry, EntryChunk, keys_of};
use super::digests::Digests;
use super::documents::{Documents, SharedInputs, Validators};
use super::languages::Language;
use super::plan::{ChunkOutlines, Made, Outlined};
use super::schedule::State;
use super::schema::{Schema, Schemas};
use super::scope::Scope;
use super::site::{Chunk, Page};
use super::yaml::{Node, Value};
use super::{DEFAULT_TEMPLATE, read};
use sitegen_core::cache::{Aside, Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{Diagnostic, Problem, SchemaProblem, Span};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{Format, Route, SourcePath};
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
    pub documents: Aside<&'a Documents>,
    /// The cache, and the observer.
    pub tools: &'a dyn Tools,
}

impl Reading<'_> {
    /// Reads the entries that may have problems, and returns these.
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

    fn entries(&self, collection: &str, chunk: &EntryChunk) -> Vec<Diagnostic> {
        let chunk = Digested::by(chunk, (chunk.files, chunk.keys));
        let entries = ValidEntries { reading: self.digested(), collection, chunk };
        self.tools.cache().query(&entries).err().unwrap_or_default()
    }

    /// Reads the pages of a chunk that are shown and may have problems, and returns these.
    pub fn chunk(&self, outlines: &ChunkOutlines, shown: &[usize]) -> (Arc<Chunk>, Vec<Diagnostic>) {
        let all = outlines.outlines.pages.iter().filter_map(|page| page.outline.as_ref());
        let keys =
            self.shared.collections.map(|all_of| all.map(|page| keys_of(&page.uses, all_of)).collect::<Vec<_>>());
        let outlines = Digested::by((outlines, shown), (outlines.digest, keys));
        let (query, mut problems) = (PagesOfChunk { reading: self.digested(), outlines }, Vec::new());
        (self.tools.cache().query_despite(&query, &mut problems), problems)
    }

    fn digested(&self) -> Digested<&Self> {
        Digested::new(self, self.digests.shared)
    }
}

/// Whether the entries of a chunk that are shown are valid.
#[derive(Hash)]
struct ValidEntries<'a> {
    /// Of this, what any page may depend on.
    reading: Digested<&'a Reading<'a>>,
    collection: &'a str,
    /// Of this, its files and the state of its entries.
    chunk: Digested<&'a EntryChunk>,
}

impl Query for ValidEntries<'_> {
    const KIND: &'static str = "valid entries";
    type Output = ();
    type Refused = Vec<Diagnostic>;

    fn run(&self, cache: &Cache) -> Result<(), Vec<Diagnostic>> {
        let ValidEntries { reading, collection, chunk } = *self;
        let shown = |entry: &&Entry| matches!(entry.state, State::Shown | State::Expired(_));
        let entries: Vec<&Entry> = chunk.entries.iter().filter(shown).collect();
        let problems: Vec<Diagnostic> = parallel::flat_map(&entries, |entry| {
            let entry = Digested::by(*entry, (entry.name().as_str(), entry.digest));
            cache.query_saved(&ValidEntry { reading, collection, entry }).err().unwrap_or_default()
        });
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}

/// Whether an entry is valid.
#[derive(Hash)]
struct ValidEntry<'a> {
    /// Of this, what any page may depend on.
    reading: Digested<&'a Reading<'a>>,
    collection: &'a str,
    /// Of this, its name and its keys.
    entry: Digested<&'a Entry>,
}

impl Query for ValidEntry<'_> {
    const KIND: &'static str = "valid entry";
    type Output = ();
    type Refused = Vec<Diagnostic>;

    fn run(&self, cache: &Cache) -> Result<(), Vec<Diagnostic>> {
        let Reading { sources, shared, entry_schema: built_in, schemas, documents, .. } = **self.reading;
        let mut problems = Vec::new();
        let file = sources.here(&self.entry.source);
        let file = file.as_ref().map(|(path, source)| (*path, &**source));
        if let Some(parsed) = file.and_then(|file| read::parsed(file, self.entry.outline.data(), &mut problems)) {
            let validators = Validators { built_in, engine_keys: built_in.keys(), own: schemas.get(self.collection) };
            let (document, reported) = shared.read_entry(parsed, Some(&validators));
            problems.extend(reported);
            if let Some(documents) = documents.open(cache) {
                documents.keep(self.entry.name().as_str(), Arc::new(document));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}

/// The pages of a chunk that are shown. They are valid.
#[derive(Hash)]
struct PagesOfChunk<'a> {
    /// Of this, what any page may depend on.
    reading: Digested<&'a Reading<'a>>,
    /// The outlines, and the places of those pages, which follow from the routes. Of these, what the pages are made from, and
    /// the keys of the entries to which each refers.
    outlines: Digested<(&'a ChunkOutlines, &'a [usize])>,
}

impl Query for PagesOfChunk<'_> {
    const KIND: &'static str = "pages of a chunk";
    type Output = Chunk;
    type Refused = (Chunk, Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<Chunk, (Chunk, Vec<Diagnostic>)> {
        let (reading, (outlines, shown)) = (*self.reading, *self.outlines);
        let read = parallel::map(shown, |place| {
            let page = page_of(&reading.shared, &outlines.outlines.pages[*place], reading.digests.shared);
            let valid = ValidPage { page: Digested::new((&page, outlines, reading), page.key) };
            // Pages that are rendered once more to find a mistake's place have been validated already.
            let is_traced = reading.shared.trace.is_some();
            let problems = if is_traced { None } else { cache.query_saved(&valid).err() };
            (page, problems.unwrap_or_default())
        });
        let (pages, problems): (Vec<Page>, Vec<Vec<Diagnostic>>) = read.into_iter().unzip();
        let problems: Vec<Diagnostic> = problems.into_iter().flatten().collect();
        let listing = digest_of(&pages.iter().map(|page| page.listing).collect::<Vec<_>>());
        let templates = pages.iter().map(|page| page.template.clone()).collect();
        let components = pages.iter().flat_map(|page| &page.components).cloned().collect();
        let has_feed = |page: &Page| page.made.as_ref().is_some_and(|made| !made.feed.is_empty());
        let with_feed = (0..pages.len()).filter(|place| has_feed(&pages[*place])).collect();
        let view = reading.shared.view;
        let chunk = Chunk { key: self.key(), listing, pages, templates, components, view, with_feed };
        if problems.is_empty() { Ok(chunk) } else { Err((chunk, problems)) }
    }
}

/// Whether a page is valid.
#[derive(Hash)]
struct ValidPage<'a> {
    /// Of these, what the `key` of the page covers.
    page: Digested<(&'a Page, &'a ChunkOutlines, &'a Reading<'a>)>,
}

impl Query for ValidPage<'_> {
    const KIND: &'static str = "valid page";
    type Output = ();
    type Refused = Vec<Diagnostic>;

    fn run(&self, cache: &Cache) -> Result<(), Vec<Diagnostic>> {
        let (page, outlines, reading) = *self.page;
        let _work = Work::on_page(reading.tools.observer(), "read a page", page.source.as_str());
        let mut problems = Vec::new();
        let keys = outlines.data.lock().remove(&page.source).or_else(|| page.outline.data());
        let file = reading.sources.here(&page.source);
        let file = file.as_ref().map(|(path, source)| (*path, &**source));
        if let Some(parsed) = file.and_then(|file| read::parsed(file, keys, &mut problems)) {
            let own = reading.schemas.get(page.template.trim_end_matches(".html"));
            let makes_html = page.route.format().is_html() && Format::of(&page.template).is_html();
            let built_in = reading.page_schemas[usize::from(!makes_html)];
            let validators = Validators { built_in, engine_keys: built_in.keys(), own };
            let (document, reported) = reading.shared.read(parsed, Some(&validators), page.made.as_deref());
            problems.extend(reported.into_iter().map(|each| name_formats(each, &page.route)));
            if let Some(documents) = reading.documents.open(cache) {
                documents.keep(page.route.as_str(), Arc::new(document));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
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
    let key = |own: Digest, entry: Option<Digest>| digest_of(&(shared, path, route, own, named, shows, entry));
    let own = made.as_ref().filter(|_| outline.refers).map(|made| inputs.named(made)).unwrap_or_default();
    let filled = |text: &Option<Box<str>>| {
        let mut node = Node { value: Value::Text(text.as_deref()?.to_owned()), span: Span::default() };
        // References that cannot be filled are reported where the page is read.
        Scope { own: &own, ..inputs.scope() }.fill(path, &mut node, &mut Vec::new());
        node.text().map(Box::from)
    };
    let mut components = outline.uses.components.clone();
    components.extend(entry.iter().flat_map(|entry| &entry.outline.uses.components).cloned());
    let of_entry = |key: &str| entry?.data.get(key)?.text().map(Box::from);
    Page {
        route: route.clone(),
        source: path.clone(),
        template: of_entry("template")
            .or_else(|| filled(&outline.template))
            .map_or_else(|| DEFAULT_TEMPLATE.to_owned(), String::from),
        title: if inputs.language.has_others { filled(&outline.title) } else { None },
        updated: of_entry("updated").or_else(|| filled(&outline.updated)),
        language: of_entry("language")
            .or_else(|| outline.language.clone())
            .or_else(|| inputs.language.has_others.then(|| inputs.language.tag.as_str().into())),
        view: inputs.view,
        is_fallback: inputs.view > 0 && is_original(inputs.language, path, (made.as_deref(), entry), outline.has_words),
        is_hidden: outline.noindex || entry.is_some_and(|entry| entry.outline.noindex),
        key: key(*digest, entry.map(|entry| entry.digest)),
        listing: key(outline.keys, None),
        components,
        made: made.clone(),
        outline,
    }
}

/// Whether a page shows an original: its own text, or that of its entry. What makes pages of terms may have no words of its own.
fn is_original(
    language: &Language,
    path: &SourcePath,
    (made, entry): (Option<&Made>, Option<&Entry>),
    has_words: bool,
) -> bool {
    match made {
        Some(Made { entry: Some(source), .. }) => {
            !entry.map_or_else(|| language.has(source), |entry| language.has_entry(entry))
        }
        Some(Made { term: Some(_), .. }) if !has_words => false,
        _ => !language.has(path),
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
