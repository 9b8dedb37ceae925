//! Finds the pages of a site: their outlines, chunk by chunk, and the order of their routes.
//!
//! What a build has to know of every page, changed or not, is cached for complete chunks of files, and the order for
//! all of them, so that a change of one page does not go through all ten thousand.

use super::address_keys::Written;
use super::collections::{self, file_named};
use super::language_hosts::LanguageHosts;
use super::languages::{Language, Languages, prefixed};
use super::outline::{Outline, Read, outlined_file};
use super::page_source;
use super::plan::{ChunkOutlines, Outlined, Outlines, PageFile, Placed, pattern_of, placed_at, structure};
use super::read::is_document;
use super::schedule::{Schedule, State};
use super::translations::Translations;
use super::yaml::Node;
use super::{NOT_FOUND, PAGES};
use memchr::memchr2;
use parking_lot::Mutex;
use sitegen_core::cache::{Aside, Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{AddressProblem, Diagnostic, FileProblem, Place, Problem, SchemaProblem};
use sitegen_core::parallel;
use sitegen_core::paths::{Route, SourcePath};
use sitegen_core::profile::Visibility;
use sitegen_core::sources::{Chunk, Digest, Source, SourceKind, Sources};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, LazyLock};

/// The pages that are shown on the day of the build, by their routes.
#[derive(Debug, Default)]
pub struct Order {
    /// The pages of each chunk that are shown.
    pub(super) shown: Vec<Vec<usize>>,
    /// In the order of routes, the chunk of a page and its index among the shown pages of that chunk.
    pub(super) places: Vec<(usize, usize)>,
    /// The number of a page in that order, by its route.
    pub(super) numbers: HashMap<Route, usize>,
    /// For each language its routes by source file, also of pages that are left out. Files of one language have theirs in all.
    pub routes: Vec<Arc<FileRoutes>>,
    /// The languages of the site.
    pub languages: Languages,
    /// Pages that say the same in different languages. Empty for a site with one language.
    pub translations: Translations,
    /// Routes that are left out, and why.
    pub hidden: BTreeMap<Route, State>,
    /// The routes of terms: a language, a collection, a key and a slug.
    pub terms: BTreeMap<(usize, String, String, String), Route>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// The digest of the routes, shown and left out.
    pub digest: Digest,
}

/// Routes by source file.
#[derive(Debug, Default)]
pub struct FileRoutes {
    /// By the paths of files without their languages.
    by_key: BTreeMap<SourcePath, Route>,
    /// The files with a language in their paths. One leads to the page in the language of the text.
    named: Arc<BTreeSet<SourcePath>>,
}

impl FileRoutes {
    /// Returns the route of the page that links to a file lead to. The path may be as it is written in a link, with or without the
    /// name of a language.
    pub fn get(&self, path: &SourcePath) -> Option<&Route> {
        self.by_key.get(path).or_else(|| self.by_key.get(&self.named.get(path)?.key()))
    }

    /// Returns all files.
    pub fn files(&self) -> impl Iterator<Item = &SourcePath> {
        self.by_key.keys().chain(self.named.iter())
    }
}

impl FromIterator<(SourcePath, Route)> for FileRoutes {
    fn from_iter<T: IntoIterator<Item = (SourcePath, Route)>>(routes: T) -> Self {
        FileRoutes { by_key: routes.into_iter().collect(), named: Arc::default() }
    }
}

/// Finds the outlines of all pages that a language has. `number` is that of the language.
pub fn find(
    sources: &Sources,
    (number, language): (usize, &Language),
    cache: &Cache,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ChunkOutlines> {
    let names = folder_names(sources, cache);
    let placing = Placing { language, is_own: number == 0, names: &names };
    let read = parallel::map(sources.chunks_of(SourceKind::Page), |chunk| outlines(chunk, placing, number, cache));
    let reported = read.into_iter().map(|(chunk, mut problems)| {
        diagnostics.append(&mut problems);
        chunk
    });
    reported.collect()
}

fn outlines(files: &Chunk, placing: Placing, view: usize, cache: &Cache) -> (ChunkOutlines, Vec<Diagnostic>) {
    let (query, mut diagnostics) = (OutlinesOfFiles { files, placing, data: Aside::default() }, Vec::new());
    let outlines = cache.query_despite(&query, &mut diagnostics);
    (ChunkOutlines { digest: files.digest, view, outlines, data: query.data.0 }, diagnostics)
}

/// What decides the addresses of pages besides the paths of their files.
#[derive(Clone, Copy, Hash)]
struct Placing<'a> {
    language: &'a Language,
    /// Whether it is that of the site.
    is_own: bool,
    /// What folders of pages are called in this language, by their paths.
    names: &'a BTreeMap<String, String>,
}

impl Placing<'_> {
    /// Returns the path that a page has below `content/pages`, without extension, in its language. `slug` is what a translation calls
    /// itself there.
    fn pattern(&self, path: &str, slug: Option<&str>) -> String {
        let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
        let mut parts: Vec<&str> = Vec::new();
        for (end, _) in folders.into_iter().flat_map(|folders| folders.match_indices('/').chain([(folders.len(), "")]))
        {
            let folder = &path[..end];
            let own = folder.rsplit('/').next().unwrap_or(folder);
            parts.push(self.names.get(folder).map_or(own, String::as_str));
        }
        parts.push(slug.filter(|_| name != "index").unwrap_or(name));
        prefixed(self.prefix(path), &parts.join("/")).into_owned()
    }

    /// Returns the first part of the address of a page, by its path below `content/pages`. The 404 page is for all languages, and
    /// programs look for some files where the site begins.
    fn prefix(&self, path: &str) -> &str {
        let is_of_site = path == &NOT_FOUND[1..]
            || path.starts_with(".well-known/")
            || !path.contains('/') && path.ends_with(".txt");
        if self.is_own && is_of_site { "" } else { &self.language.prefix }
    }
}

/// Returns what translations call the folders of pages: each by the key `slug` of its `index`.
fn folder_names(sources: &Sources, cache: &Cache) -> BTreeMap<String, String> {
    let files = sources.of(SourceKind::Page).filter(|(path, _)| path.has_language() && path.stem() == "index");
    let named = files.filter_map(|(path, source)| {
        let key = path.key();
        let (folder, _) = key.below(PAGES)?.rsplit_once('/')?;
        let outline = outlined_file(path, source, cache).page?;
        Some((folder.to_owned(), outline.slug()?.text.clone()))
    });
    named.collect()
}

#[derive(Hash)]
struct OutlinesOfFiles<'a> {
    files: &'a Chunk,
    placing: Placing<'a>,
    /// The keys of files that were parsed.
    data: Aside<Mutex<HashMap<SourcePath, Node>>>,
}

impl Query for OutlinesOfFiles<'_> {
    const KIND: &'static str = "outlines";
    type Output = Outlines;
    type Refused = (Outlines, Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<Outlines, (Outlines, Vec<Diagnostic>)> {
        let read = parallel::map(self.files.files(), |(path, source)| outlined(path, source, self.placing, cache));
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

fn outlined(path: &SourcePath, source: &Source, placing: Placing, cache: &Cache) -> Read<PageOrSource> {
    let key = path.key();
    let below = key.below(PAGES).unwrap_or_default();
    if !is_document(path) {
        let is_yml = path.extension() == Some("yml");
        let expected = if is_yml { "a name that ends in `.yaml`" } else { "a `.md`, `.yaml`, `.toml` or `.json` file" };
        return Read::refused(FileProblem::UnexpectedFile { expected }, path);
    }
    let Read { page: outline, keys, problems } = outlined_file(path, source, cache);
    let own = outline.as_ref().and_then(|outline| outline.own_path());
    let refused = |problem: Problem, own: Option<&Written>| match own {
        Some(own) => Read { problems: vec![Diagnostic::new(problem, Place::new(path, own.span))], ..Read::default() },
        None => Read::refused(problem, path),
    };
    let slug = outline.as_ref().and_then(|outline| outline.slug()).filter(|_| placing.language.has(path));
    let below = below.rsplit_once('.').map_or(below, |(stem, _)| stem);
    let pattern = match own.map(pattern_of) {
        None => placing.pattern(below, slug.map(|slug| slug.text.as_str())),
        Some(Ok(pattern)) => prefixed(placing.prefix(below), pattern).into_owned(),
        Some(Err(problem)) => return refused(problem.into(), own),
    };
    let has_variables = page_source::has_variables(&pattern);
    // One that the original has too may be a key of the site's own.
    let written =
        slug.filter(|slug| source.joined().and_then(|text| text.original_at()).is_none_or(|at| slug.span.end <= at));
    let is_variable = || !has_variables && page_source::has_variables(&placing.pattern(below, None));
    if let Some(written) = written.filter(|_| own.is_some() || is_variable()) {
        let reason = match own {
            Some(_) => "the address is the whole one of `path`; write `path` into the translation instead",
            None => "the name of this file is a variable, so that each of its pages has an address of its own",
        };
        let (key, reason) = ("slug".to_owned(), Some(reason.to_owned()));
        return refused(SchemaProblem::ForbiddenKey { key, reason }.into(), Some(written));
    }
    let (route, wrong) = placed_at(&pattern);
    if !has_variables && let Some(problem) = wrong {
        let problem = match (problem, slug) {
            (AddressProblem::BadRoute { route }, Some(_)) => AddressProblem::BadPath { path: route },
            (problem, _) => problem,
        };
        return refused(problem.into(), own.or(slug));
    }
    let digest = source.digest;
    let page = match outline {
        Some(outline) if has_variables || outline.source.is_some() => Some(PageOrSource::Source(PageFile {
            pattern,
            prefix: placing.prefix(below).to_owned(),
            path: path.clone(),
            digest,
            outline,
        })),
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

/// Sorts routes by the language that has them, the later before the earlier. A file that a language lacks leads to the page of
/// another one, and a translation that is named leads to the page in the language of the text.
fn by_language(routes: impl Iterator<Item = (usize, SourcePath, Route)>) -> Vec<Arc<FileRoutes>> {
    let mut all: Vec<Vec<(SourcePath, Route)>> = vec![Vec::new()];
    let mut named = Vec::new();
    for (view, path, route) in routes {
        if all.len() <= view {
            all.resize_with(view + 1, Vec::new);
        }
        all[view].push((path.key(), route));
        named.extend(path.has_language().then_some(path));
    }
    let named: Arc<BTreeSet<SourcePath>> = Arc::new(named.into_iter().collect());
    let in_language = |view: usize| {
        // A map gets the last of several routes of a file: that of the language, or else that of the first which has the file.
        let others = (0..all.len()).rev().filter(|other| *other != view);
        let routes = others.chain([view]).flat_map(|view| all[view].iter().cloned());
        Arc::new(FileRoutes { by_key: routes.collect(), named: named.clone() })
    };
    parallel::map_numbers(all.len(), in_language)
}

impl Order {
    /// Returns a path as that of the page which says the same in a language. It may have a slash at its end, a query and a fragment.
    pub fn path_in(&self, path: &str, view: usize) -> Option<String> {
        match self.page_at(path) {
            (Some(number), rest) => self.in_language(number, rest, view),
            // A page that the other language has alone.
            (None, _) => {
                let own = self.languages.all()[view].prefixed(path);
                self.page_at(&own).0.map(|_| own.into_owned())
            }
        }
    }

    /// Returns a path of the site's language as that of the page which says the same in another one. A path in another language is
    /// meant as it is.
    pub fn own_path_in(&self, path: &str, view: usize) -> Option<String> {
        if view == 0 && !self.has_prefix() {
            return None;
        }
        let (Some(number), rest) = self.page_at(path) else { return self.path_in(path, view) };
        let first = *self.translations.of_page(number).first()?;
        if first != Some(number) {
            return None;
        }
        // Where all languages have a prefix, a path without one still leads to the original.
        let original = || Some([self.translations.route(number)?.as_str(), rest].concat());
        self.in_language(number, rest, view).or_else(|| original().filter(|_| self.has_prefix()))
    }

    /// Returns the number of the page that a path leads to, and what follows its route there: a slash at its end, which hosts have
    /// for pages in folders, a query and a fragment.
    fn page_at<'p>(&self, path: &'p str) -> (Option<usize>, &'p str) {
        let (route, rest) = path.split_at(memchr2(b'#', b'?', path.as_bytes()).unwrap_or(path.len()));
        let trimmed = route.strip_suffix('/').filter(|route| !route.is_empty());
        match trimmed.and_then(|route| Some((route, self.number_of(route)?))) {
            Some((route, number)) => (Some(number), &path[route.len()..]),
            None => (self.number_of(route), rest),
        }
    }

    /// Returns the path of the page that says the same as a page in a language, with what follows its route.
    fn in_language(&self, number: usize, rest: &str, view: usize) -> Option<String> {
        let translation = (*self.translations.of_page(number).get(view)?)?;
        let route = self.translations.route(translation)?.as_str();
        let rest = if route.ends_with('/') { rest.strip_prefix('/').unwrap_or(rest) } else { rest };
        Some([route, rest].concat())
    }

    /// Returns for each language the number of the page that says the same as the one at a route. Empty for a site with one language.
    pub fn translations_of(&self, route: &str) -> &[Option<usize>] {
        self.numbers.get(route).map_or(&[], |number| self.translations.of_page(*number))
    }

    /// Returns the pages that `hreflang` names beside the page at a route, each with the number of its language; without one for the
    /// first of them, which stands for all other languages. `is_indexed` says whether search engines may find a page.
    pub fn alternates(&self, route: &str, is_indexed: impl Fn(usize) -> bool) -> Vec<(Option<usize>, usize)> {
        let Some(number) = self.numbers.get(route).filter(|number| is_indexed(**number)) else { return Vec::new() };
        let pages = self.translations.of_page(*number).iter().enumerate();
        let pages = pages.filter_map(|(language, page)| Some((Some(language), (*page)?)));
        let mut all: Vec<(Option<usize>, usize)> = pages.filter(|(_, page)| is_indexed(*page)).collect();
        match all[..] {
            [] | [_] => Vec::new(),
            [(_, first), ..] => {
                all.push((None, first));
                all
            }
        }
    }

    /// Whether the addresses of the site's language begin with its tag too.
    fn has_prefix(&self) -> bool {
        self.languages.all().first().is_some_and(|own| !own.prefix.is_empty())
    }

    /// Returns the number of the page at a path. Where all languages have a prefix, a path without one is of the site's language.
    fn number_of(&self, path: &str) -> Option<usize> {
        let own = || self.numbers.get(&*self.languages.all().first()?.prefixed(path));
        self.numbers.get(path).or_else(|| own().filter(|_| self.has_prefix())).copied()
    }

    /// Whether a path, which may have a query and a fragment, is that of a page.
    pub fn has_page(&self, path: &str) -> bool {
        self.numbers.contains_key(&path[..path.find(['#', '?']).unwrap_or(path.len())])
    }

    /// Returns the address of a path of the site as a page of a language has it. A file that is no page is on every host.
    pub fn address(&self, hosts: &LanguageHosts, path: &str, view: usize) -> String {
        match self.languages.all().get(view) {
            _ if hosts.is_one() => hosts.below(path),
            Some(language) if self.has_page(path) || hosts.of_path(path).is_some() => {
                hosts.address(path, &language.prefix)
            }
            _ => hosts.below(path),
        }
    }

    /// Returns the language in which an entry is, if another one shows it for want of a translation.
    pub fn fallback(&self, view: usize, entry: &collections::Entry) -> Option<&Language> {
        let all = self.languages.all();
        (view > 0 && !all[view].has_entry(entry)).then(|| &all[0])
    }

    /// Returns the routes of a language by source file.
    pub fn routes_of(&self, view: usize) -> &Arc<FileRoutes> {
        static NONE: LazyLock<Arc<FileRoutes>> = LazyLock::new(Default::default);
        self.routes.get(view).or(self.routes.first()).unwrap_or(&NONE)
    }

    /// Sorts the pages, and reports those with the same route.
    pub fn of(
        chunks: &[ChunkOutlines],
        visibility: Visibility,
        languages: &Languages,
        cache: &Cache,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Arc<Self> {
        let structures: Vec<(usize, Digest)> =
            chunks.iter().map(|chunk| (chunk.view, chunk.outlines.structure)).collect();
        cache.query_despite(&Ordered { chunks: Digested::by(chunks, structures), visibility, languages }, diagnostics)
    }
}

impl Order {
    /// Notes which pages are shown, and adds the routes that links to their files lead to. Returns those of entries whose pages are no
    /// HTML. `seconds` are pages whose route another one has.
    fn note_pages(
        &mut self,
        chunks: &[ChunkOutlines],
        visibility: Visibility,
        seconds: &BTreeMap<At, At>,
        routes: &mut Vec<(usize, SourcePath, Route)>,
    ) -> Vec<(usize, SourcePath, Route)> {
        let mut files = Vec::new();
        let mut noted: HashSet<&SourcePath> = HashSet::new();
        for (number, chunk) in chunks.iter().enumerate() {
            let mut here = Vec::with_capacity(chunk.outlines.pages.len());
            for (place, page) in chunk.outlines.pages.iter().map(Outlined::placed).enumerate() {
                let Some(dates) = page.dates.filter(|_| !seconds.contains_key(&(number, place))) else { continue };
                // A file that makes several pages is noted once; entries that are left out were noted where they were read.
                let is_noted = page.is_made && !noted.insert(page.path);
                let state = match is_noted {
                    true => dates.shown(visibility),
                    false => self.schedule.note(page.path, &dates, visibility),
                };
                match page.hidden.unwrap_or(state) {
                    State::Shown => here.push(place),
                    state => {
                        self.hidden.insert(page.route.clone(), state);
                    }
                }
                // Links lead to the file of a page, or of an entry; of a list, they lead to its first page.
                routes.extend(page.is_first.then(|| (chunk.view, page.path.clone(), page.route.clone())));
                let is_html = page.route.format().is_html();
                if let (true, Some((collection, key, slug)), Some(1)) = (is_html, page.term, page.number) {
                    let term = (chunk.view, collection.to_owned(), key.to_owned(), slug.to_owned());
                    self.terms.entry(term).or_insert_with(|| page.route.clone());
                }
                let entry = page.entry.map(|entry| (chunk.view, entry.clone(), page.route.clone()));
                if is_html { routes.extend(entry) } else { files.extend(entry) }
            }
            self.shown.push(here);
        }
        files
    }
}

/// Reports pages whose route another page has, or one that looks the same.
fn taken(chunks: &[ChunkOutlines], sorted: &[At], seconds: &BTreeMap<At, At>) -> Vec<Diagnostic> {
    let page = |(chunk, place): At| chunks[chunk].outlines.pages[place].placed();
    // The entry decides the address of a page that was made from one.
    let place = |page: &Placed, own: Option<&Written>| match (page.entry, own) {
        (None, Some(own)) => Place::new(page.path, own.span),
        (entry, _) => Place::file(&file_named(entry.unwrap_or(page.path))),
    };
    let name = |page: &Placed| page.entry.unwrap_or(page.path).to_string();
    let outline = |(chunk, place): At| chunks[chunk].outlines.pages[place].outline.as_ref();
    let same = seconds.iter().map(|(second, first)| {
        let own = outline(*second).and_then(|outline| outline.own_path().or(outline.slug()));
        let (page, other) = (page(*second), page(*first));
        let problem = AddressProblem::DuplicateRoute { route: page.route.to_string(), other: name(&other) };
        Diagnostic::new(problem, place(&page, own))
    });
    let similar = similar(chunks, sorted).into_iter().map(|(second, first)| {
        let own = outline(second).and_then(|outline| outline.own_path());
        let (page, other) = (page(second), page(first));
        let (route, taken) = (page.route.to_string(), other.route.to_string());
        let problem = AddressProblem::SimilarRoute { route, taken, other: name(&other) };
        Diagnostic::new(problem, place(&page, own))
    });
    same.chain(similar).collect()
}

#[derive(Hash)]
struct Ordered<'a> {
    /// Of these, the paths of files, and of each page what [`Outlined::placed`] returns.
    chunks: Digested<&'a [ChunkOutlines]>,
    visibility: Visibility,
    languages: &'a Languages,
}

impl Query for Ordered<'_> {
    const KIND: &'static str = "order";
    type Output = Order;
    type Refused = (Order, Vec<Diagnostic>);

    fn run(&self, _: &Cache) -> Result<Order, (Order, Vec<Diagnostic>)> {
        let (chunks, visibility) = (*self.chunks, self.visibility);
        let page = |(chunk, place): At| chunks[chunk].outlines.pages[place].placed();
        let (sorted, seconds) = by_route(chunks);
        let diagnostics = taken(chunks, &sorted, &seconds);
        let mut order = Order::default();
        let mut routes = Vec::with_capacity(sorted.len());
        // Also of files whose pages cannot be made: a link to one is no second mistake.
        let sources = chunks.iter().flat_map(|chunk| chunk.outlines.sources.iter().map(|source| (chunk.view, source)));
        let alone = sources.filter(|(_, source)| !page_source::has_variables(&source.pattern));
        routes.extend(alone.map(|(view, source)| (view, source.path.clone(), placed_at(&source.pattern).0)));
        let mut files = order.note_pages(chunks, visibility, &seconds, &mut routes);
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
                (digest, by_language(routes.into_iter().rev()))
            },
        );
        let views = shown.iter().map(|at| (chunks[at.0].view, page(*at)));
        let translations =
            if routes.len() > 1 { Translations::of(views, routes.len()) } else { Translations::default() };
        let languages = self.languages.clone();
        let order = Order { numbers, places, digest, routes, languages, translations, ..order };
        if diagnostics.is_empty() { Ok(order) } else { Err((order, diagnostics)) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::languages::Untranslated;
    use super::super::options::{LanguageKeys, LanguagePrefix};
    use super::super::plan::Placed;
    use super::super::site_file::DeclaredLanguages;
    use super::super::typed::{Entries, Spanned};
    use super::*;
    use sitegen_core::diagnostics::Span;

    fn path(name: &str) -> SourcePath {
        let path = SourcePath::new(name);
        name.find(".de.").map_or_else(|| path.clone(), |at| path.in_language(at..at + 3))
    }

    /// Returns the order of pages in English and German, each with its file and its route, in the order of these.
    fn order(pages: &[(&str, &str)]) -> Order {
        let german = Spanned { value: "de".to_owned(), span: Span::default() };
        let languages = Entries(vec![(german, LanguageKeys::default())]);
        let pages: Vec<(SourcePath, Route)> =
            pages.iter().map(|(file, route)| (path(file), Route::exact(route))).collect();
        let placed = pages.iter().map(|(path, route)| {
            let placed = Placed {
                path,
                route,
                dates: None,
                hidden: None,
                entry: None,
                term: None,
                number: None,
                is_made: false,
                is_first: true,
            };
            (usize::from(path.has_language()), placed)
        });
        Order {
            numbers: pages.iter().enumerate().map(|(number, (_, route))| (route.clone(), number)).collect(),
            translations: Translations::of(placed, 2),
            languages: Languages::new(&DeclaredLanguages {
                own: "en".to_owned(),
                others: languages,
                untranslated: Untranslated::Fallback,
                prefix: LanguagePrefix::Others,
            }),
            ..Order::default()
        }
    }

    #[test]
    fn paths_lead_to_the_page_in_another_language() {
        let order = order(&[
            ("content/pages/index.md", "/"),
            ("content/pages/about.md", "/about"),
            ("content/pages/index.de.md", "/de"),
            ("content/pages/impressum.de.md", "/de/impressum"),
            ("content/pages/rust.de.md", "/de/rost/"),
            ("content/pages/about.de.md", "/de/ueber-uns"),
            ("content/pages/rust.md", "/rust.html"),
        ]);
        for (path, own, other) in [
            ("/", "/de", "/de"),
            ("/about", "/de/ueber-uns", "/de/ueber-uns"),
            ("/about/", "/de/ueber-uns/", "/de/ueber-uns/"),
            ("/about/?a#b/", "/de/ueber-uns/?a#b/", "/de/ueber-uns/?a#b/"),
            ("/rust.html#a", "/de/rost/#a", "/de/rost/#a"),
            // A page that one language has alone.
            ("/impressum/", "/de/impressum/", "/de/impressum/"),
            // Those that name the language already.
            ("/de/ueber-uns/", "", "/de/ueber-uns/"),
            ("/de/rost/", "", "/de/rost/"),
            ("/nowhere/", "", ""),
        ] {
            assert_eq!(order.own_path_in(path, 1).unwrap_or_default(), own, "{path}");
            assert_eq!(order.path_in(path, 1).unwrap_or_default(), other, "{path}");
        }
        assert_eq!(order.path_in("/de/ueber-uns/#a", 0).as_deref(), Some("/about/#a"));
        assert_eq!(order.own_path_in("/about", 0), None);
    }

    #[test]
    fn alternates_are_pages_that_search_engines_may_find() {
        let files = [("content/pages/a.md", "/a"), ("content/pages/a.de.md", "/de/a"), ("content/pages/b.md", "/b")];
        let order = order(&files);
        assert_eq!(order.alternates("/de/a", |_| true), [(Some(0), 0), (Some(1), 1), (None, 0)]);
        assert_eq!(order.alternates("/de/a", |number| number != 1), []);
        assert_eq!(order.alternates("/a", |number| number != 1), []);
        assert_eq!(order.alternates("/b", |_| true), []);
    }

    #[test]
    fn a_file_leads_to_the_page_in_the_language_of_the_text() {
        let route = |view, file, route| (view, path(file), Route::exact(route));
        let routes = by_language(
            [
                route(0, "content/pages/a.md", "/a"),
                route(0, "content/pages/b.md", "/b"),
                route(1, "content/pages/a.de.md", "/de/a"),
                route(1, "content/pages/c.de.md", "/de/c"),
                route(0, "content/pages/a.md", "/later"),
            ]
            .into_iter(),
        );
        let found =
            |view: usize, file: &str| routes[view].get(&SourcePath::new(file)).map_or("", |route| route.as_str());
        for (file, english, german) in [
            ("content/pages/a.md", "/later", "/de/a"),
            ("content/pages/a.de.md", "/later", "/de/a"),
            ("content/pages/b.md", "/b", "/b"),
            ("content/pages/b.de.md", "", ""),
            ("content/pages/c.md", "/de/c", "/de/c"),
            ("content/pages/c.de.md", "/de/c", "/de/c"),
        ] {
            assert_eq!((found(0, file), found(1, file)), (english, german), "{file}");
        }
    }
}
