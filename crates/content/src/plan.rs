//! What is known of pages before they are read: a route each, and what they are made from.

use super::NOT_FOUND;
use super::address_keys::Written;
use super::assets::FOLDER;
use super::outline::Outline;
use super::schedule::{Dates, State};
use super::terms::Term;
use super::yaml::Node;
use parking_lot::Mutex;
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{AddressProblem, Diagnostic};
use sitegen_core::paths::{Route, SourcePath, composed, is_mark, is_of_address};
use sitegen_core::sources::Digest;
use std::collections::HashMap;
use std::sync::Arc;

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
    /// What the page was made from besides its file.
    pub made: Option<Arc<Made>>,
    /// Why it is left out, if its entry is.
    pub hidden: Option<State>,
}

/// A file that makes several pages.
#[derive(Debug)]
pub struct PageFile {
    /// Its path below `content/pages`, without extension, or what its key `path` says, which begins with a slash.
    pub pattern: String,
    /// The first part of the addresses in its language, which the pattern begins with. Empty for that of the site.
    pub prefix: String,
    /// The file.
    pub path: SourcePath,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its outline.
    pub outline: Arc<Outline>,
}

/// The pages of a chunk of files, or those that a file makes.
#[derive(Debug, Default)]
pub struct Outlines {
    /// The pages in the order of their paths.
    pub pages: Vec<Outlined>,
    /// Files that make several pages, which are in chunks of their own.
    pub sources: Vec<PageFile>,
    /// Files that may contain an example domain.
    pub with_placeholders: Vec<SourcePath>,
    /// The digest of everything that the order of pages depends on.
    pub structure: Digest,
}

impl Outlines {
    /// Returns the outlines of its pages and files, as far as they could be read.
    pub fn iter(&self) -> impl Iterator<Item = &Outline> {
        let pages = self.pages.iter().filter_map(|page| page.outline.as_deref());
        pages.chain(self.sources.iter().map(|file| &*file.outline))
    }
}

/// The outlines of a chunk of pages.
pub struct ChunkOutlines {
    /// The digest of what the pages are made from: of their files, and of the entries they show.
    pub digest: Digest,
    /// The number of the language that has them.
    pub view: usize,
    /// Their outlines.
    pub outlines: Arc<Outlines>,
    /// The keys of pages whose files had to be read for their outlines. Whoever reads the page takes them.
    pub data: Mutex<HashMap<SourcePath, Node>>,
}

/// What a page was made from besides its file.
#[derive(Debug, Default)]
pub struct Made {
    /// The collection that the numbers below are of.
    pub collection: String,
    /// The number of its entry in the collection.
    pub number: Option<usize>,
    /// The file of its entry, also of one that is left out.
    pub entry: Option<SourcePath>,
    /// What that entry is [called](super::collections::Entry::name): a file may have several.
    pub name: Option<SourcePath>,
    /// The entry before it, in the order of the page that lists the collection.
    pub previous: Option<usize>,
    /// The entry after it.
    pub next: Option<usize>,
    /// Its term.
    pub term: Option<Arc<Term>>,
    /// What it lists.
    pub list: Option<ListPage>,
    /// The numbers of the entries in the feed of the list, on its first page.
    pub feed: Vec<usize>,
    /// Whether the list has a feed, on all of its pages.
    pub has_feed: bool,
    /// The digest of the keys of everything that it shows.
    pub digest: Digest,
}

/// The part of a list that one page shows.
#[derive(Debug, Hash)]
pub struct ListPage {
    /// The collection, or `pages`.
    pub collection: String,
    /// The numbers of the entries in the collection.
    pub entries: Vec<usize>,
    /// The number of the page, from 1.
    pub number: usize,
    /// How many pages the list has.
    pub count: usize,
    /// How many entries it has.
    pub total: usize,
    /// The address of its first page.
    pub first: Route,
}

impl Made {
    /// Adds to a diagnostic the page that was made when it showed, as far as its place does not say so: the entry that the
    /// page is about, the address of a page of a term or of a further part of a list, or else the page's file.
    pub fn name_page(diagnostic: Diagnostic, made: Option<&Made>, route: &Route, source: &SourcePath) -> Diagnostic {
        let place = diagnostic.place.as_ref().map(|place| place.path.as_str());
        let own = match made {
            Some(Made { entry: Some(entry), .. }) => entry.as_str(),
            Some(made) if !made.is_first() => route.as_str(),
            _ => source.as_str(),
        };
        let name = [own, source.as_str()].into_iter().find(|name| Some(*name) != place);
        match name.map(str::to_owned) {
            Some(name) => diagnostic.while_making(name),
            None => diagnostic,
        }
    }

    /// Whether it is the page that links to its file lead to.
    pub fn is_first(&self) -> bool {
        self.entry.is_none() && self.term.is_none() && self.list.as_ref().is_none_or(|list| list.number == 1)
    }
}

impl ListPage {
    /// Returns the address of a page of the list.
    pub fn address(&self, number: usize) -> Route {
        match (number, self.first.as_str()) {
            (1, _) => self.first.clone(),
            (_, "/") => Route::of_page(&format!("page/{number}")),
            (_, first) if self.first.is_unusual() => {
                let (first, end) = match first.strip_suffix('/') {
                    Some(first) => (first, "/"),
                    None => first.strip_suffix(".html").map_or((first, ""), |first| (first, ".html")),
                };
                Route::exact(&format!("{first}/page/{number}{end}"))
            }
            (_, first) => Route::of_page(&format!("{}/page/{number}", &first[1..])),
        }
    }
}

/// What the order of pages depends on of one of them.
#[derive(Hash)]
pub struct Placed<'a> {
    /// The file.
    pub path: &'a SourcePath,
    /// The route.
    pub route: &'a Route,
    /// When the page is shown. `None` for a file with mistakes.
    pub dates: Option<Dates>,
    /// Why it is left out, if its entry is.
    pub hidden: Option<State>,
    /// The file of its entry.
    pub entry: Option<&'a SourcePath>,
    /// Its term: the collection, the key and the slug.
    pub term: Option<(&'a str, &'a str, &'a str)>,
    /// The number of the page in its list.
    pub number: Option<usize>,
    /// Whether its file makes several pages.
    pub is_made: bool,
    /// Whether links to its file lead to it.
    pub is_first: bool,
}

impl Outlined {
    /// Returns what the order of pages depends on.
    pub fn placed(&self) -> Placed<'_> {
        let Outlined { route, path, digest: _, outline, made, hidden } = self;
        let made = made.as_deref();
        let of_made = made.and_then(|made| Some((made, made.term.as_ref()?)));
        Placed {
            path,
            route,
            dates: outline.as_ref().map(|outline| outline.dates),
            hidden: *hidden,
            entry: made.and_then(|made| made.name.as_ref()),
            term: of_made.map(|(made, term)| (made.collection.as_str(), term.key.as_str(), term.slug.as_str())),
            number: made.and_then(|made| Some(made.list.as_ref()?.number)),
            is_made: made.is_some(),
            is_first: made.is_none_or(Made::is_first),
        }
    }
}

/// Returns the digest of everything that the order of some pages depends on.
pub fn structure(pages: &[Outlined]) -> Digest {
    digest_of(&pages.iter().map(Outlined::placed).collect::<Vec<_>>())
}

/// Returns the route of a page, and what is wrong with it, if anything.
///
/// `pattern` is the path of its file below `content/pages` without extension, or what a key `path` says, each with the values of
/// its variables. Only the latter begins with a slash, and may have what names of files must not: capital letters, a slash at its
/// end, `.html`.
pub fn placed_at(pattern: &str) -> (Route, Option<AddressProblem>) {
    let is_exact = pattern.starts_with('/');
    let pattern = composed(pattern);
    let route = if is_exact { Route::exact(&pattern) } else { Route::of_page(&pattern) };
    let problem = if is_of_assets(&route) {
        Some(AddressProblem::ReservedRoute { route: route.to_string() })
    } else if is_exact && (!is_servable(route.as_str(), true) || is_of_unknown_page(&route)) {
        Some(AddressProblem::BadPath { path: route.to_string() })
    } else if !is_exact && !is_servable(route.as_str(), false) {
        Some(AddressProblem::BadRoute { route: route.to_string() })
    } else {
        None
    };
    (route, problem)
}

/// Returns the pattern of a key `path`, or what is wrong with it: it begins with a slash.
pub fn pattern_of(path: &Written) -> Result<&str, AddressProblem> {
    match path.text.starts_with('/') {
        true => Ok(&path.text),
        false => Err(AddressProblem::BadPath { path: path.text.clone() }),
    }
}

/// Whether a route is the folder of assets, or below it: files there keep their bytes under the same name. Some systems ignore
/// case.
fn is_of_assets(route: &Route) -> bool {
    let start = route.as_str().get(..FOLDER.len()).is_some_and(|start| start.eq_ignore_ascii_case(FOLDER));
    start && route.as_str()[FOLDER.len()..].bytes().next().is_none_or(|byte| byte == b'/')
}

/// Whether a route is another spelling of that of the 404 page, which every site has as one file.
fn is_of_unknown_page(route: &Route) -> bool {
    route.as_str() != NOT_FOUND && route.alike() == NOT_FOUND
}

/// Whether every measured host serves a route: lower case, since S3 and Linux distinguish case and Windows and macOS checkouts
/// do not; no signs that need escapes; no hidden folders, which GitHub Pages and nginx snippets leave out. One that is written
/// with a key of its own may have capital letters and a slash at its end.
fn is_servable(route: &str, is_exact: bool) -> bool {
    let path = if is_exact { route.strip_suffix('/').unwrap_or(route) } else { route };
    let is_sign = |sign: char| is_of_address(sign) && (is_exact || !sign.is_uppercase());
    // A mark at the beginning would stand on the slash.
    let is_begin = |first: char| first != '.' && !is_mark(first);
    let is_part = |part: &str| part.starts_with(is_begin) && part.chars().all(is_sign);
    matches!(route, "/") || !path.is_empty() && path.split('/').skip(1).all(is_part)
}
