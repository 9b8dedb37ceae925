//! Finds the pages of a site: their outlines, chunk by chunk, and the order of their routes.
//!
//! What a build has to know of every page, changed or not, is cached for complete chunks of files, and the order for
//! all of them, so that a change of one page does not go through all ten thousand.

use super::PAGES;
use super::address_keys::Written;
use super::collections::file_named;
use super::outline::{Outline, Read, outlined_file};
use super::page_source;
use super::plan::{ChunkOutlines, Outlined, Outlines, PageFile, pattern_of, placed_at, structure};
use super::read::is_document;
use super::schedule::{Schedule, State};
use super::yaml::Node;
use parking_lot::Mutex;
use sitegen_core::cache::{Aside, Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{AddressProblem, Diagnostic, FileProblem, Place};
use sitegen_core::parallel;
use sitegen_core::paths::{Route, SourcePath};
use sitegen_core::profile::Visibility;
use sitegen_core::sources::{Chunk, Digest, Source, SourceKind, Sources};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The pages that are shown on the day of the build, by their routes.
#[derive(Debug, Default)]
pub struct Order {
    /// The pages of each chunk that are shown.
    pub(super) shown: Vec<Vec<usize>>,
    /// In the order of routes, the chunk of a page and its index among the shown pages of that chunk.
    pub(super) places: Vec<(usize, usize)>,
    /// The number of a page in that order, by its route.
    pub(super) numbers: HashMap<Route, usize>,
    /// Routes by source file, also of pages that are left out.
    pub routes: Arc<BTreeMap<SourcePath, Route>>,
    /// Routes that are left out, and why.
    pub hidden: BTreeMap<Route, State>,
    /// The routes of terms: a collection, a key and a slug.
    pub terms: BTreeMap<(String, String, String), Route>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// The digest of the routes, shown and left out.
    pub digest: Digest,
}

/// Finds the outlines of all pages.
pub fn find(sources: &Sources, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> Vec<ChunkOutlines> {
    let read = parallel::map(sources.chunks_of(SourceKind::Page), |chunk| outlines(chunk, cache));
    let reported = read.into_iter().map(|(chunk, mut problems)| {
        diagnostics.append(&mut problems);
        chunk
    });
    reported.collect()
}

fn outlines(files: &Chunk, cache: &Cache) -> (ChunkOutlines, Vec<Diagnostic>) {
    let (query, mut diagnostics) = (OutlinesOfFiles { files, data: Aside::default() }, Vec::new());
    let outlines = cache.query_despite(&query, &mut diagnostics);
    (ChunkOutlines { digest: files.digest, outlines, data: query.data.0 }, diagnostics)
}

#[derive(Hash)]
struct OutlinesOfFiles<'a> {
    files: &'a Chunk,
    /// The keys of files that were parsed.
    data: Aside<Mutex<HashMap<SourcePath, Node>>>,
}

impl Query for OutlinesOfFiles<'_> {
    const KIND: &'static str = "outlines";
    type Output = Outlines;
    type Refused = (Outlines, Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<Outlines, (Outlines, Vec<Diagnostic>)> {
        let read = parallel::map(self.files.files(), |(path, source)| outlined(path, source, cache));
        let mut outlines = Outlines { pages: Vec::with_capacity(read.len()), ..Outlines::default() };
        let (mut data, mut diagnostics) = (HashMap::new(), Vec::new());
        for ((path, _), Read { page, keys, mut problems }) in self.files.files().iter().zip(read) {
            diagnostics.append(&mut problems);
            let outline = page.as_ref().and_then(PageOrSource::outline);
            if outline.is_none_or(|outline| outline.has_placeholders) {
                outlines.with_placeholders.push(path.clone());
            }
            match page {
                Some(PageOrSource::Page(page)) => {
                    data.extend(keys.map(|keys| (path.clone(), keys)));
                    outlines.pages.push(page);
                }
                Some(PageOrSource::Source(source)) => outlines.sources.push(source),
                None => {}
            }
        }
        if let Some(parsed) = self.data.open(cache) {
            *parsed.lock() = data;
        }
        // Links lead to files that make several pages too.
        let files: Vec<&SourcePath> = outlines.sources.iter().map(|source| &source.path).collect();
        outlines.structure = digest_of(&(structure(&outlines.pages), files));
        if diagnostics.is_empty() { Ok(outlines) } else { Err((outlines, diagnostics)) }
    }
}

/// A file of `content/pages`.
enum PageOrSource {
    /// It makes one page.
    Page(Outlined),
    /// It makes several.
    Source(PageFile),
}

impl PageOrSource {
    fn outline(&self) -> Option<&Outline> {
        match self {
            PageOrSource::Page(page) => page.outline.as_deref(),
            PageOrSource::Source(source) => Some(&source.outline),
        }
    }
}

fn outlined(path: &SourcePath, source: &Source, cache: &Cache) -> Read<PageOrSource> {
    let below = path.below(PAGES).unwrap_or_default();
    if !is_document(path) {
        let is_yml = path.extension() == Some("yml");
        let expected = if is_yml { "a name that ends in `.yaml`" } else { "a `.md`, `.yaml`, `.toml` or `.json` file" };
        return Read::refused(FileProblem::UnexpectedFile { expected }, path);
    }
    let Read { page: outline, keys, problems } = outlined_file(path, source, cache);
    let own = outline.as_ref().and_then(|outline| outline.own_path());
    let refused = |problem, own: Option<&Written>| match own {
        Some(own) => Read { problems: vec![Diagnostic::new(problem, Place::new(path, own.span))], ..Read::default() },
        None => Read::refused(problem, path),
    };
    let pattern = match own.map(pattern_of) {
        None => below.rsplit_once('.').map_or(below, |(stem, _)| stem),
        Some(Ok(pattern)) => pattern,
        Some(Err(problem)) => return refused(problem, own),
    };
    let has_variables = page_source::has_variables(pattern);
    let (route, wrong) = placed_at(pattern);
    if !has_variables && let Some(problem) = wrong {
        return refused(problem, own);
    }
    let pattern = pattern.to_owned();
    let digest = source.digest;
    let page = match outline {
        Some(outline) if has_variables || outline.source.is_some() => {
            Some(PageOrSource::Source(PageFile { pattern, path: path.clone(), digest, outline }))
        }
        _ if has_variables => None,
        outline => {
            Some(PageOrSource::Page(Outlined { route, path: path.clone(), digest, outline, made: None, hidden: None }))
        }
    };
    Read { page, keys, problems }
}

/// The position of a page: the number of its chunk, and its index there.
type At = (usize, usize);

/// Sorts all pages by their routes. The first of several pages with the same route gets it; the others are returned
/// separately, each with that one.
fn by_route(chunks: &[ChunkOutlines]) -> (Vec<At>, BTreeMap<At, At>) {
    let route = |(chunk, place): At| &chunks[chunk].outlines.pages[place].route;
    let places = |number: usize| (0..chunks[number].outlines.pages.len()).map(move |place| (number, place));
    let mut sorted: Vec<At> = (0..chunks.len()).flat_map(places).collect();
    parallel::sort_by(&mut sorted, |a, b| route(*a).cmp(route(*b)).then(a.cmp(b)));
    let mut seconds = BTreeMap::new();
    sorted.dedup_by(|second, first| {
        let is_taken = route(*second) == route(*first);
        if is_taken {
            seconds.insert(*second, *first);
        }
        is_taken
    });
    (sorted, seconds)
}

/// Returns pages with routes that some host takes for that of another page, or that need its file, each with that page. Only the
/// key `path` makes such routes.
fn similar(chunks: &[ChunkOutlines], sorted: &[At]) -> Vec<(At, At)> {
    let route = |(chunk, place): At| &chunks[chunk].outlines.pages[place].route;
    let (unusual, usual): (Vec<At>, Vec<At>) = sorted.iter().partition(|at| route(**at).is_unusual());
    if unusual.is_empty() {
        return Vec::new();
    }
    let mut taken: HashMap<String, At> = usual.into_iter().map(|at| (route(at).alike(), at)).collect();
    let first = |at: At| match taken.entry(route(at).alike()) {
        Entry::Occupied(first) => Some((at, *first.get())),
        Entry::Vacant(free) => {
            free.insert(at);
            None
        }
    };
    unusual.into_iter().filter_map(first).collect()
}

impl Order {
    /// Sorts the pages, and reports those with the same route.
    pub fn of(
        chunks: &[ChunkOutlines],
        visibility: Visibility,
        cache: &Cache,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Arc<Self> {
        let structures: Vec<Digest> = chunks.iter().map(|chunk| chunk.outlines.structure).collect();
        cache.query_despite(&Ordered { chunks: Digested::by(chunks, structures), visibility }, diagnostics)
    }
}

#[derive(Hash)]
struct Ordered<'a> {
    /// Of these, the paths of files, and of each page what [`Outlined::placed`] returns.
    chunks: Digested<&'a [ChunkOutlines]>,
    visibility: Visibility,
}

impl Query for Ordered<'_> {
    const KIND: &'static str = "order";
    type Output = Order;
    type Refused = (Order, Vec<Diagnostic>);

    fn run(&self, _: &Cache) -> Result<Order, (Order, Vec<Diagnostic>)> {
        let (chunks, visibility) = (*self.chunks, self.visibility);
        let mut diagnostics = Vec::new();
        let page = |(chunk, place): At| chunks[chunk].outlines.pages[place].placed();
        let (sorted, seconds) = by_route(chunks);
        for (second, first) in &seconds {
            // The entry decides the address of a page that was made from one.
            let (page, other) = (page(*second), page(*first));
            let other = other.entry.unwrap_or(other.path).to_string();
            let problem = AddressProblem::DuplicateRoute { route: page.route.to_string(), other };
            diagnostics.push(Diagnostic::new(problem, Place::file(&file_named(page.entry.unwrap_or(page.path)))));
        }
        for (second, first) in similar(chunks, &sorted) {
            let own = chunks[second.0].outlines.pages[second.1].outline.as_ref().and_then(|outline| outline.own_path());
            let (page, other) = (page(second), page(first));
            let place = match (page.entry, own) {
                (None, Some(own)) => Place::new(page.path, own.span),
                (entry, _) => Place::file(&file_named(entry.unwrap_or(page.path))),
            };
            let (route, taken) = (page.route.to_string(), other.route.to_string());
            let other = other.entry.unwrap_or(other.path).to_string();
            diagnostics.push(Diagnostic::new(AddressProblem::SimilarRoute { route, taken, other }, place));
        }
        let mut order = Order::default();
        let mut routes = Vec::with_capacity(sorted.len());
        let mut files = Vec::new();
        // Also of files whose pages cannot be made: a link to one is no second mistake.
        let sources = chunks.iter().flat_map(|chunk| &chunk.outlines.sources);
        let alone = sources.filter(|source| !page_source::has_variables(&source.pattern));
        routes.extend(alone.map(|source| (source.path.clone(), placed_at(&source.pattern).0)));
        let mut noted: HashSet<&SourcePath> = HashSet::new();
        for (number, chunk) in chunks.iter().enumerate() {
            let mut here = Vec::with_capacity(chunk.outlines.pages.len());
            for (place, page) in chunk.outlines.pages.iter().map(Outlined::placed).enumerate() {
                let Some(dates) = page.dates.filter(|_| !seconds.contains_key(&(number, place))) else { continue };
                // A file that makes several pages is noted once; entries that are left out were noted where they were read.
                let is_noted = page.is_made && !noted.insert(page.path);
                let state = match is_noted {
                    true => dates.shown(visibility),
                    false => order.schedule.note(page.path, &dates, visibility),
                };
                match page.hidden.unwrap_or(state) {
                    State::Shown => here.push(place),
                    state => {
                        order.hidden.insert(page.route.clone(), state);
                    }
                }
                // Links lead to the file of a page, or of an entry; of a list, they lead to its first page.
                routes.extend(page.is_first.then(|| (page.path.clone(), page.route.clone())));
                let is_html = page.route.format().is_html();
                if let (true, Some((collection, key, slug)), Some(1)) = (is_html, page.term, page.number) {
                    let term = (collection.to_owned(), key.to_owned(), slug.to_owned());
                    order.terms.entry(term).or_insert_with(|| page.route.clone());
                }
                let entry = page.entry.map(|entry| (entry.clone(), page.route.clone()));
                if is_html { routes.extend(entry) } else { files.extend(entry) }
            }
            order.shown.push(here);
        }
        // Links lead to the file of an entry only if the entry has no page.
        routes.append(&mut files);
        let shown = |at: At| Some((at, (at.0, order.shown[at.0].binary_search(&at.1).ok()?)));
        let (shown, places): (Vec<At>, Vec<At>) = sorted.into_iter().filter_map(shown).unzip();
        let (numbers, (digest, routes)) = parallel::join(
            || shown.iter().enumerate().map(|(number, at)| (page(*at).route.clone(), number)).collect(),
            || {
                // Pages of terms and further pages of lists are no page of a file alone.
                let all: Vec<&Route> = shown.iter().map(|at| page(*at).route).collect();
                let digest = digest_of(&(&routes, all, &order.hidden, &order.terms));
                // Of several pages of an entry, links lead to that of the first file.
                (digest, BTreeMap::from_iter(routes.into_iter().rev()))
            },
        );
        let order = Order { numbers, places, digest, routes: Arc::new(routes), ..order };
        if diagnostics.is_empty() { Ok(order) } else { Err((order, diagnostics)) }
    }
}
