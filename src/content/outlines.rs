//! Finds the pages of a site: their outlines, chunk by chunk, and the order of their routes.
//!
//! What a build has to know of every page, changed or not, is cached for complete chunks of files, and the order for
//! all of them, so that a change of one page does not go through all ten thousand.

use super::assets::FOLDER;
use super::outline::Outline;
use super::read::{is_document, read_file};
use super::schedule::{Schedule, State};
use super::yaml::Node;
use super::{PAGES, is_of_pages};
use crate::cache::{Cache, Key};
use crate::diagnostics::{Diagnostic, Place, Problem};
use crate::paths::{Route, SourcePath};
use crate::profile::Profile;
use crate::sources::{Chunk, Digest, Source, Sources};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

/// A page file.
#[derive(Debug)]
pub struct Outlined {
    /// The route it would have.
    pub route: Route,
    /// The file.
    pub path: SourcePath,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its outline, if its keys could be read.
    pub outline: Option<Arc<Outline>>,
}

/// The pages of a chunk of files.
#[derive(Debug)]
pub struct Outlines {
    /// The pages in the order of their paths.
    pub pages: Vec<Outlined>,
    /// Files that may contain an example domain.
    pub with_placeholders: Vec<SourcePath>,
    /// Files that may have references.
    pub referring: Vec<SourcePath>,
    /// The digest of everything that the order of pages depends on.
    structure: Digest,
}

/// The outlines of a chunk of files.
pub struct ChunkOutlines<'s> {
    /// The files.
    pub files: &'s Chunk,
    /// Their outlines.
    pub outlines: Arc<Outlines>,
    /// The keys of pages whose files had to be read for their outlines. Whoever reads the page takes them.
    pub data: Mutex<HashMap<SourcePath, Node>>,
}

/// The pages that are shown on the day of the build, by their routes.
#[derive(Debug, Default)]
pub struct Order {
    /// The pages of each chunk that are shown.
    pub shown: Vec<Vec<usize>>,
    /// In the order of routes, the chunk of a page and its index among the shown pages of that chunk.
    pub places: Vec<(usize, usize)>,
    /// The number of a page in that order, by its route.
    pub numbers: HashMap<Route, usize>,
    /// Routes by source file, also of pages that are left out.
    pub routes: Arc<BTreeMap<SourcePath, Route>>,
    /// Routes that are left out, and why.
    pub hidden: BTreeMap<Route, State>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// The digest of the routes, shown and left out.
    pub digest: Digest,
}

/// Finds the outlines of all pages.
pub fn find<'s>(sources: &'s Sources, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> Vec<ChunkOutlines<'s>> {
    let chunks: Vec<&Chunk> =
        sources.chunks().iter().map(|chunk| &**chunk).filter(|chunk| is_of_pages(chunk)).collect();
    let read: Vec<_> = chunks.into_par_iter().map(|chunk| outlines(sources, chunk, cache)).collect();
    let reported = read.into_iter().map(|(chunk, mut problems)| {
        diagnostics.append(&mut problems);
        chunk
    });
    reported.collect()
}

fn outlines<'s>(sources: &'s Sources, files: &'s Chunk, cache: &Cache) -> (ChunkOutlines<'s>, Vec<Diagnostic>) {
    let key = Key::of("outlines").with(files.digest).done();
    if let Some(outlines) = cache.get::<Outlines>(&key) {
        return (ChunkOutlines { files, outlines, data: Mutex::default() }, Vec::new());
    }
    let read: Vec<_> = files.files().par_iter().map(|(path, source)| outlined(sources, path, source, cache)).collect();
    let mut outlines = Outlines {
        pages: Vec::with_capacity(read.len()),
        with_placeholders: Vec::new(),
        referring: Vec::new(),
        structure: Digest::default(),
    };
    let (mut parts, mut data, mut diagnostics) = (Vec::new(), HashMap::new(), Vec::new());
    let mut structure = Key::of("structure");
    for ((path, source), Read { page, keys, mut problems }) in files.files().iter().zip(read) {
        diagnostics.append(&mut problems);
        let outline = page.as_ref().and_then(|page| page.outline.as_deref());
        if outline.is_none_or(|outline| outline.has_placeholders) {
            outlines.with_placeholders.push(path.clone());
        }
        if outline.is_none_or(|outline| outline.refers) {
            outlines.referring.push(path.clone());
        }
        structure.add(path.as_str());
        structure.add(format!("{:?}", outline.map(|outline| outline.dates)));
        parts.push(outline_key(path, source));
        data.extend(keys.map(|keys| (path.clone(), keys)));
        outlines.pages.extend(page);
    }
    outlines.structure = structure.done();
    let outlines = Arc::new(outlines);
    if diagnostics.is_empty() {
        cache.store_group(key, outlines.clone(), parts);
    }
    (ChunkOutlines { files, outlines, data: Mutex::new(data) }, diagnostics)
}

/// The result of reading a page file for its outline.
struct Read {
    page: Option<Outlined>,
    keys: Option<Node>,
    problems: Vec<Diagnostic>,
}

fn outlined(sources: &Sources, path: &SourcePath, source: &Source, cache: &Cache) -> Read {
    let refused =
        |problem| Read { page: None, keys: None, problems: vec![Diagnostic::error(problem, Place::file(path))] };
    let below = path.below(PAGES).unwrap_or_default();
    if !is_document(path) {
        let is_yml = path.extension() == Some("yml");
        let expected = if is_yml { "a name that ends in `.yaml`" } else { "a `.yaml` or `.md` file" };
        return refused(Problem::UnexpectedFile { expected });
    }
    let route = Route::of_page(below.rsplit_once('.').map_or(below, |(stem, _)| stem));
    if !is_servable(&route) {
        return refused(Problem::BadRoute { route: route.to_string() });
    }
    if is_of_assets(&route) {
        return refused(Problem::ReservedRoute { route: route.to_string() });
    }
    let page = |outline| Some(Outlined { route, path: path.clone(), digest: source.digest, outline });
    let key = outline_key(path, source);
    if let Some(outline) = cache.get_saved(&key) {
        return Read { page: page(Some(outline)), keys: None, problems: Vec::new() };
    }
    let mut problems = Vec::new();
    let Some(draft) = read_file(sources, path, &mut problems) else {
        return Read { page: page(None), keys: None, problems };
    };
    let outline = Arc::new(Outline::of(&draft));
    // A page with a problem is not cached, so that every build reports it.
    if !problems.is_empty() {
        return Read { page: page(Some(outline)), keys: None, problems };
    }
    cache.store_saved(key, outline.clone());
    Read { page: page(Some(outline)), keys: Some(draft.data), problems }
}

fn outline_key(path: &SourcePath, source: &Source) -> Digest {
    Key::of("outline").with(path.extension().unwrap_or_default()).with(source.digest).done()
}

/// The position of a page: the number of its chunk, and its index there.
type At = (usize, usize);

/// Sorts all pages by their routes. The first of several pages with the same route gets it; the others are returned
/// separately, each with that one.
fn by_route(chunks: &[ChunkOutlines]) -> (Vec<At>, BTreeMap<At, At>) {
    let route = |(chunk, place): At| &chunks[chunk].outlines.pages[place].route;
    let places = |number: usize| (0..chunks[number].outlines.pages.len()).map(move |place| (number, place));
    let mut sorted: Vec<At> = (0..chunks.len()).flat_map(places).collect();
    sorted.par_sort_unstable_by(|a, b| route(*a).cmp(route(*b)).then(a.cmp(b)));
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

impl Order {
    /// Sorts the pages, and reports those with the same route.
    pub fn of(
        chunks: &[ChunkOutlines],
        profile: &Profile,
        cache: &Cache,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Arc<Self> {
        let mut key = Key::of("order").with(profile.today.to_string()).with([u8::from(profile.drafts)]);
        chunks.iter().for_each(|chunk| key.add(chunk.outlines.structure));
        let key = key.done();
        if let Some(order) = cache.get::<Order>(&key) {
            return order;
        }
        let before = diagnostics.len();
        let page = |(chunk, place): At| &chunks[chunk].outlines.pages[place];
        let (sorted, seconds) = by_route(chunks);
        for (second, first) in &seconds {
            let (page, other) = (page(*second), page(*first).path.to_string());
            let problem = Problem::DuplicateRoute { route: page.route.to_string(), other };
            diagnostics.push(Diagnostic::error(problem, Place::file(&page.path)));
        }
        let mut order = Order::default();
        let mut routes = Vec::with_capacity(sorted.len());
        for (number, chunk) in chunks.iter().enumerate() {
            let mut here = Vec::with_capacity(chunk.outlines.pages.len());
            for (place, page) in chunk.outlines.pages.iter().enumerate() {
                let Some(outline) = page.outline.as_ref().filter(|_| !seconds.contains_key(&(number, place))) else {
                    continue;
                };
                match order.schedule.note(&page.path, &outline.dates, profile) {
                    State::Shown => here.push(place),
                    state => {
                        order.hidden.insert(page.route.clone(), state);
                    }
                }
                routes.push((page.path.clone(), page.route.clone()));
            }
            order.shown.push(here);
        }
        let shown = |at: At| Some((at, (at.0, order.shown[at.0].binary_search(&at.1).ok()?)));
        let (shown, places): (Vec<At>, Vec<At>) = sorted.into_iter().filter_map(shown).unzip();
        let (numbers, (digest, routes)) = rayon::join(
            || shown.iter().enumerate().map(|(number, at)| (page(*at).route.clone(), number)).collect(),
            || {
                let mut digest = Key::of("routes");
                for (path, route) in &routes {
                    digest.add(path.as_str());
                    digest.add(route.as_str());
                }
                for (route, state) in &order.hidden {
                    digest.add(route.as_str());
                    digest.add(format!("{state:?}"));
                }
                (digest.done(), BTreeMap::from_iter(routes))
            },
        );
        let order = Order { numbers, places, digest, routes: Arc::new(routes), ..order };
        let order = Arc::new(order);
        if diagnostics.len() == before {
            cache.store(key, order.clone());
        }
        order
    }
}

/// Whether a route is the folder of assets, or below it: files there keep their bytes under the same name.
fn is_of_assets(route: &Route) -> bool {
    route.as_str().strip_prefix(FOLDER).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether every measured host serves a route as written: lower case, since S3 and Linux distinguish case and Windows
/// and macOS checkouts do not; no characters that need escapes; no hidden folders, which GitHub Pages and nginx
/// snippets leave out.
fn is_servable(route: &Route) -> bool {
    route.is_home()
        || route.as_str()[1..].split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~'))
        })
}
