//! Builds the artifacts: every file that a host serves, verified.
//!
//! [`seal`] reads the facts of every page from its final bytes, once. The policy, the check of references and the
//! sitemap follow from these facts, so they cannot disagree with the page.
//!
//! 1. Facts are read.
//! 2. Each page gets its policy.
//! 3. Files are named: pages by their routes, assets by their digests.
//! 4. Mistakes in pages and broken references are reported at the line that wrote them.
//! 5. The rules for the host are written: which headers to send and what to redirect.

mod budgets;
pub mod derived;
mod facts;
pub mod feed_files;
mod feeds;
mod files;
pub mod gone;
pub mod hosts;
mod markup;
mod mistakes;
mod outputs;
mod policy;
mod references;
mod sitemap;

use crate::AT_A_TIME;
use crate::cache::{Cache, Digested, Key, Query};
use crate::content::connections::{Connection, Kind};
use crate::content::schedule::Schedule;
use crate::content::settings::Settings;
use crate::content::{self, SITE_FILE};
use crate::diagnostics::{Checked, Diagnostic, MOST, Place, Problem, Severity, code};
use crate::islands::{Cost, Islands};
use crate::observe::{Observer, Work};
use crate::pages::{self, CachedChunk, CachedPage, Html, ISLANDS_STYLE, Inputs, NEVER, NOT_FOUND, Page, Pages};
use crate::paths::percent_decoded;
use crate::paths::{Format, OutputPath, Route, SourcePath, media_type};
use crate::search;
use crate::sources::{Body, Digest, Fingerprint, LargeFile, Source, SourceKind, digest, fingerprint};
use crate::styles::Styles;
use derived::{Derived, Pictures};
use facts::{Facts, Reference};
use feed_files::FEED_FILES;
pub use files::file_names;
use files::{Files, NOT_FOUND_FILE, Naming};
use hosts::{NOINDEX, Rules};
use mistakes::{Location, Mistake};
use rayon::prelude::*;
use references::{Linked, Targets, has_section, name_of};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// The finished site: every file by its path.
#[derive(Clone, Debug, Default)]
pub struct Artifacts {
    pub(crate) files: Files,
    /// The digest of the styles and islands in it, which depend on packages as well as on sources.
    pub bundles: Digest,
    /// The path of the site on its host: empty, or like `/docs`.
    pub base_path: String,
    /// The number of pages.
    pub pages: usize,
    /// What was left out.
    pub schedule: Schedule,
    /// What each island costs.
    pub costs: Vec<Cost>,
    /// The islands that pages have, each with the values of `hydrate` by which they are called.
    pub calls: BTreeSet<(String, String)>,
    /// The rules for the host.
    pub rules: Rules,
    /// Addresses at which a page may have been that is left out today.
    pub left_out: Vec<String>,
    /// The addresses of lists: of their first pages.
    pub lists: Vec<String>,
    /// The entries of feeds that are named by the addresses of their pages.
    pub in_feeds: Vec<feed_files::Named>,
    /// The address of the home page, without a slash at the end.
    pub base: String,
    /// Where the site is built for, if `url` names another host.
    pub other_host: Option<OtherHost>,
}

/// A site that is built for another host than its `url` names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherHost {
    /// The address it is built for.
    pub address: String,
    /// The host that `url` names.
    pub own: String,
    /// Whether search engines are kept out.
    pub staging: bool,
}

/// The content of a file of the site.
#[derive(Clone, Debug)]
pub enum Content {
    /// Bytes, and their digest where it is known already.
    Bytes {
        /// The bytes.
        bytes: Arc<[u8]>,
        /// Their digest, so that nothing is hashed twice.
        digest: Option<Digest>,
    },
    /// A file on the disk.
    Large(Arc<LargeFile>),
    /// A file that is made when a browser asks for it.
    Deferred(Arc<Derived>),
    /// The entry of an index that is made when a browser asks for it.
    Index(Arc<search::Later>),
    /// Bytes that were published before and have not changed: they are in the output folder alone.
    Kept {
        /// Their digest.
        digest: Digest,
        /// Their fingerprint.
        fingerprint: Fingerprint,
        /// Their number.
        len: u64,
    },
}

impl Content {
    /// Returns the content of a source file.
    pub fn of(source: &Source) -> Self {
        match &source.body {
            Body::Bytes(bytes) => Content::Bytes { bytes: bytes.clone(), digest: Some(source.digest) },
            Body::Large(file) => Content::Large(file.clone()),
        }
    }

    /// Returns the bytes, if they are in memory.
    pub fn bytes(&self) -> Option<&Arc<[u8]>> {
        match self {
            Content::Bytes { bytes, .. } => Some(bytes),
            Content::Large(_) | Content::Deferred(_) | Content::Index(_) | Content::Kept { .. } => None,
        }
    }

    /// Returns the bytes or the large file that has them. `None` if only the output folder has them, or nobody yet.
    pub fn body(&self) -> Option<Body> {
        match self {
            Content::Bytes { bytes, .. } => Some(Body::Bytes(bytes.clone())),
            Content::Large(file) => Some(Body::Large(file.clone())),
            Content::Index(index) => index.entry().cloned().map(Body::Bytes),
            Content::Deferred(_) | Content::Kept { .. } => None,
        }
    }

    /// Returns the size in bytes; zero for a file that was not made yet.
    pub fn len(&self) -> u64 {
        match self {
            Content::Bytes { bytes, .. } => bytes.len() as u64,
            Content::Large(file) => file.len,
            Content::Kept { len, .. } => *len,
            Content::Deferred(_) | Content::Index(_) => 0,
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the SHA-256 of the bytes, or what identifies a file that was not made yet.
    pub fn digest(&self) -> Digest {
        match self {
            Content::Bytes { digest: Some(digest), .. } | Content::Kept { digest, .. } => *digest,
            Content::Large(file) => file.digest,
            Content::Deferred(derived) => *derived.key(),
            Content::Index(index) => index.digest(),
            Content::Bytes { bytes, digest: None } => digest(bytes),
        }
    }
}

impl Artifacts {
    /// Returns every file in the order of its path, for publishing.
    pub fn contents(&self) -> impl Iterator<Item = (&OutputPath, Content)> {
        self.files.iter().map(|(path, content)| (path, content.clone()))
    }

    /// Returns the headers that the site's host sends with a file, by name and value: the policy of `site.yaml` and how
    /// long browsers may cache the file. The server itself adds `Content-Type`, `ETag` and the like. The page for
    /// unknown paths, `404.html`, has the same headers. Empty for a host that takes no rules.
    ///
    /// `Strict-Transport-Security` is among them for a site whose `url` is https; browsers ignore it in responses over
    /// plain http (RFC 6797, 8.1).
    pub fn headers(&self, path: &OutputPath) -> Vec<(String, String)> {
        self.rules.headers(path)
    }

    /// Returns the same files for the host and below the path that a site's settings name.
    pub fn hosted(self, settings: &Settings) -> Self {
        Artifacts { rules: Rules::of(settings), base_path: settings.base_path.clone(), ..self }
    }

    /// Returns status and `Location` for a path that the site's host redirects. `path` is what follows the base path in
    /// the address, without query: `/old`, with or without a slash at the end. The location has the base path in it;
    /// the query of the request is kept unless the location has one (see the files of each host).
    ///
    /// `None` for a host that cannot redirect: there the site has redirect pages at these paths.
    pub fn redirect(&self, path: &str) -> Option<(u16, String)> {
        self.rules.redirect(path)
    }

    /// Whether the host reads a file and visitors do not get it: a server answers 404 for it.
    pub fn is_private(&self, path: &OutputPath) -> bool {
        self.rules.is_private(path.as_str())
    }

    /// Returns the address of a file on its host: `/docs/a.png` of `a.png` where the site is below `/docs`.
    pub fn address(&self, path: &OutputPath) -> String {
        match self.rules.folder() {
            "" => format!("{}/{path}", self.base_path),
            _ => format!("/{path}"),
        }
    }

    /// Returns every file whose bytes are in memory, in the order of its path, with its media type. Unless the site
    /// comes from a snapshot, that is every file but those that stay on the disk.
    pub fn iter(&self) -> impl Iterator<Item = (&OutputPath, &Arc<[u8]>, &'static str)> {
        self.files.iter().filter_map(|(path, content)| Some((path, content.bytes()?, media_type(path.as_str()))))
    }

    /// Creates a site of the given files, without pages.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let content = |bytes: &[u8]| Content::Bytes { bytes: Arc::from(bytes), digest: None };
        Artifacts::of(files.into_iter().map(|(path, bytes)| (OutputPath::new(path), content(bytes))))
    }

    /// Creates a site of files with this content, without pages.
    pub fn of(files: impl IntoIterator<Item = (OutputPath, Content)>) -> Self {
        Artifacts { files: Files::of(files.into_iter().collect()), ..Artifacts::default() }
    }

    /// Returns the bytes of a file, if they are in memory.
    pub fn get(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.files.get(path)?.bytes()
    }

    /// Returns the content of a file and its digest, unless only the output folder has it.
    pub fn file(&self, path: &str) -> Option<(Body, Digest)> {
        match self.files.get(path) {
            Some(content) => Some((content.body()?, content.digest())),
            None => self.of_index(path).map(|bytes| (Body::Bytes(bytes.clone()), digest(bytes))),
        }
    }

    /// Returns a file of an index that is made when a browser asks for it.
    fn of_index(&self, path: &str) -> Option<&Arc<[u8]>> {
        let path = match self.rules.folder() {
            "" => path,
            folder => path.strip_prefix(folder)?.strip_prefix('/')?,
        };
        let all = search::is_index(path).then(|| self.files.others());
        all.into_iter().flatten().find_map(|content| match content {
            Content::Index(index) => index.file(path),
            _ => None,
        })
    }

    /// Returns a file that is made when it is asked for.
    pub fn deferred(&self, path: &str) -> Option<&Arc<Derived>> {
        match self.files.get(path)? {
            Content::Deferred(derived) => Some(derived),
            _ => None,
        }
    }

    /// Whether there is a file at a path.
    pub fn has(&self, path: &str) -> bool {
        self.files.get(path).is_some() || self.of_index(path).is_some()
    }

    /// Returns the files that came, went or changed since an earlier site, in the order of their paths.
    pub fn differing<'a>(&'a self, old: &'a Artifacts) -> Vec<&'a OutputPath> {
        self.files.differing(&old.files)
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where browsers and programs look for an icon that no page names to them.
const ICON: &str = "favicon.ico";

/// Seals the site. See the module for its passes.
pub fn seal(inputs: Inputs, pages: Pages) -> Checked<Artifacts> {
    let Inputs { site, styles, islands, tools, .. } = inputs;
    let observer = tools.observer();
    let _work = Work::on(observer, "seal");
    // 1. facts, 2. policies
    let meta = hosts::meta(&site.settings);
    let base = format!("{}{}", site.settings.origin, site.settings.base_path);
    let Pages { all: pages, chunks, bundles } = pages;
    let pictures = Pictures::of(site, inputs.sources, tools.cache());
    let css = styles.below(&site.settings.base_path);
    let seal_pages = |pages: Vec<Page>| {
        let pages = pages.into_par_iter().with_max_len(AT_A_TIME);
        let seal = |page| seal_page(page, site, (styles, &css), &base, &meta, &pictures, observer);
        pages.map(seal).unzip::<_, _, Vec<Page>, Vec<Sealed>>()
    };
    // A page that lists all others takes one thread as long as the sitemap takes another.
    let ((sitemap, (feeds, of_feeds)), (mut pages, mut sealed)) =
        rayon::join(|| (sitemap::files(site, tools.cache()), feed_files::files(inputs)), || seal_pages(pages));
    // A page that links to a section that is gone has to be rendered, to find the line that wrote the link.
    let anchors: Vec<Digest> = sealed.par_iter().map(Sealed::anchors).collect();
    let sealed_pages = Digested::by(&sealed[..], anchors);
    let sections = Sections { site: Digested::new(site, site.pages.digest()), sealed: sealed_pages };
    let stale = tools.cache().query(&sections).err().unwrap_or_default();
    let stale: BTreeSet<Route> = stale.into_iter().map(|number| pages[number].route.clone()).collect();
    if !stale.is_empty() {
        let Checked { value, diagnostics } = pages::render_uncached(inputs, &stale);
        let Some(anew) = value else { return Checked::failed(diagnostics) };
        let numbers: BTreeMap<Route, usize> =
            pages.iter().enumerate().map(|(number, page)| (page.route.clone(), number)).collect();
        let (anew, sealed_anew) = seal_pages(anew.all);
        for (page, fresh) in anew.into_iter().zip(sealed_anew) {
            let Some(number) = numbers.get(&page.route) else { continue };
            (pages[*number], sealed[*number]) = (page, fresh);
        }
    }

    // 3. files
    let contents = sealed.par_iter().map(Sealed::content).collect();
    let mut naming = Naming::of(site, &pages, contents, tools.cache());
    let bytes = |bytes: &Arc<[u8]>| Content::Bytes { bytes: bytes.clone(), digest: None };
    // A picture that a page names is reported there.
    let broken = site.assets.iter().filter_map(|asset| Some((asset.broken()?, &asset.source)));
    let broken: Vec<Diagnostic> =
        broken.map(|(problem, source)| Diagnostic::error(problem, Place::file(source))).collect();
    let named = pictures_of(inputs, &pictures, &sealed, &feeds);
    let (derived, uses) = pictures.derived(&named);
    let made = derived::make(derived, tools);
    let icon = made.files.iter().find(|(path, _)| path.ends_with(".ico")).map(|(_, content)| content.clone());
    for (path, content) in made.files {
        naming.add(&path, content, None);
    }
    let mut positions = Vec::new();
    // Nobody could find any other, and it may be of a page that is not published yet.
    for asset in site.assets.iter() {
        let is_shown = uses.named.contains(asset.file.as_str()) || styles.used.contains(&asset.source);
        if let Some(source) = inputs.sources.get(&asset.source).filter(|_| is_shown) {
            naming.add(&asset.file, Content::of(source), Some(&asset.source));
            if let Some(Ok(header)) =
                asset.header().filter(|header| matches!(header, Ok(header) if header.has_position))
            {
                let problem = Problem::PicturePosition { is_copied: !header.is_animated };
                let place = Place::file(&asset.source);
                positions.push(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(problem, place) });
            }
        }
    }
    for (path, file) in &styles.files {
        naming.add(path, bytes(file), None);
    }
    let unused = unused_modules(islands, &sealed);
    let calls: BTreeSet<(String, String)> = sealed.iter().flat_map(Sealed::islands).cloned().collect();
    for (path, file) in islands.files.iter().filter(|(path, _)| !unused.contains(path.as_str())) {
        naming.add(path, bytes(&crate::islands::below(file, &site.settings.base_path)), None);
    }
    for (path, source, file) in &site.public {
        naming.add(path.as_str(), Content::of(file), Some(source));
    }
    if let Some(icon) = icon {
        naming.add_made(ICON, icon);
    }
    for (path, text, source) in feeds {
        naming.add(&path, Content::Bytes { bytes: Arc::from(text.into_bytes()), digest: None }, Some(&source));
    }
    for (name, content) in sitemap.iter() {
        match site.settings.staging && name == sitemap::ROBOTS {
            // What the site's own file lets search engines see does not apply to this address.
            true => naming.put(name, content.clone()),
            false => naming.add_default(name, content.clone()),
        }
    }
    if site.settings.search {
        let _work = Work::on(observer, "search");
        let mut add = |path: &str, bytes: &Arc<[u8]>| {
            naming.add(path, Content::Bytes { bytes: bytes.clone(), digest: None }, None);
        };
        add(&search::script_path(), &Arc::from(search::SCRIPT.as_bytes()));
        let (later, now): (Vec<_>, Vec<_>) =
            searched_pages(site, &pages, &sealed).into_iter().partition(|_| tools.defers());
        for searched in now {
            searched.index(tools.cache()).iter().for_each(|(path, file)| add(path, file));
        }
        for searched in later {
            let path = search::index_path(&searched.language);
            naming.add(&path, Content::Index(Arc::new(searched.later(tools.cache()))), None);
        }
    }
    naming.find_folders();
    let mut diagnostics = naming.diagnostics();
    diagnostics.extend(of_feeds);
    diagnostics.extend(broken);
    diagnostics.extend(positions);
    let is_used = |file: &str| uses.named.contains(file) || uses.copied.contains(file);
    diagnostics.extend(pages::unused_assets(inputs, is_used));

    // 4. mistakes
    let targets = Targets {
        base,
        site,
        sealed: &sealed,
        files: naming.files(),
        faults: &made.faults,
        unshowable: site.assets.iter().filter_map(|asset| Some((asset.file.as_str(), asset.unshowable()?))).collect(),
        suggested: Mutex::default(),
    };
    let checking = Work::on(observer, "references");
    let both = pages.par_iter().zip(&sealed).with_max_len(AT_A_TIME);
    let checked: Vec<Read> = both.map(|(page, sealed)| check(page, sealed, &site.settings, &targets)).collect();
    drop(checking);
    diagnostics.extend(hosts::redirect_mistakes(site, &targets));
    // The address of a page with a mistake may be misspelt.
    let is_error = |mistake: &Mistake| severity(&mistake.problem) == Severity::Error;
    if !checked.iter().any(|(mistakes, _)| mistakes.iter().any(is_error)) {
        diagnostics.extend(unused_connections(inputs, &sealed));
    }
    // React's development build is several times as large, and no visitor gets it.
    let over: BTreeMap<Route, Vec<Diagnostic>> =
        if inputs.profile.development { BTreeMap::new() } else { over_budget(inputs, &pages, &sealed, naming.files()) };
    let is_complete = |page: &Page, mistakes: &[Mistake]| {
        mistakes.is_empty() && page.source.is_some() && !over.contains_key(&page.route)
    };
    let Ok(unlinked) = tools.cache().query(&Unlinked::of(site, &sealed, &checked));
    diagnostics.extend(unlinked.iter().cloned());
    diagnostics.extend(unlinked_feeds(site, &sealed, &checked));
    let prove = |(page, (sealed, (mistakes, linked))): (&Page, (Sealed, Read))| match sealed {
        Sealed::Cached(cached) => (Some(cached), mistakes),
        Sealed::Fresh(fresh) if is_complete(page, &mistakes) => {
            let cached = Arc::new(fresh.cached(linked));
            page.key.inspect(|key| tools.cache().store_saved(*key, cached.clone()));
            (Some(cached), mistakes)
        }
        Sealed::Fresh(_) => (None, mistakes),
    };
    let (cached, mistakes) = pages.par_iter().zip(sealed.into_par_iter().zip(checked)).map(prove).unzip();
    store_chunks(inputs, &pages, &chunks, cached);
    diagnostics.extend(placed(inputs, &pages, mistakes, naming.files()));
    diagnostics.extend(over.into_values().flatten());

    // 5. host
    let rules = Rules::of(&site.settings);
    diagnostics.extend(hosts::add(&rules, site, &mut naming));
    let files = match rules.folder() {
        "" => naming.done(),
        folder => naming.done().below(folder, |path| path == NOT_FOUND_FILE || rules.is_private(path)),
    };
    let is_counted = |page: &&Page| page.route.as_str() != NOT_FOUND && page.route.format().is_html();
    let count = pages.iter().filter(is_counted).count();
    let (base_path, schedule) = (site.settings.base_path.clone(), site.schedule.clone());
    let other_host = site.settings.other_host.clone().map(|own| OtherHost {
        address: format!("{}{base_path}", site.settings.origin),
        own,
        staging: site.settings.staging,
    });
    let costs = islands.costs.clone();
    let left_out = site.pages.hidden().keys().map(ToString::to_string).collect();
    let is_list = |page: &&content::Page| {
        let list = page.made.as_ref().and_then(|made| made.list.as_ref());
        list.is_some_and(|list| list.number == 1) && page.route.format().is_html()
    };
    let lists = site.pages.iter().filter(is_list).map(|page| page.route.to_string()).collect();
    let in_feeds = feed_files::named(site);
    let base = format!("{}{base_path}", site.settings.origin);
    let artifacts = Artifacts {
        files,
        bundles,
        base_path,
        pages: count,
        schedule,
        costs,
        calls,
        rules,
        left_out,
        lists,
        in_feeds,
        base,
        other_host,
    };
    Checked::new(artifacts, diagnostics)
}

/// Whether every section is there that a cached page links to. Nothing else that these pages depend on can have changed
/// since they were rendered.
#[derive(Hash)]
struct Sections<'a> {
    /// Of this, the routes.
    site: Digested<&'a content::Site>,
    /// Of these, the ids, and the sections that they link to.
    sealed: Digested<&'a [Sealed]>,
}

impl Query for Sections<'_> {
    const KIND: &'static str = "sections";
    type Output = ();
    /// The numbers of the pages that link to a section that is gone.
    type Refused = Vec<usize>;

    fn run(&self, _: &Cache) -> Result<(), Vec<usize>> {
        let is_gone = |(route, id): &(String, String)| !has_section(&self.site, &self.sealed, route, id);
        let pages = self.sealed.par_iter().enumerate().with_min_len(AT_A_TIME);
        let stale = pages.filter(|(_, sealed)| match sealed {
            Sealed::Cached(cached) => cached.sections.iter().any(is_gone),
            Sealed::Fresh(_) => false,
        });
        let stale: Vec<usize> = stale.map(|(number, _)| number).collect();
        if stale.is_empty() { Ok(()) } else { Err(stale) }
    }
}

/// Returns the digest of the ids of a page, and of the sections of others that it links to.
fn anchors(ids: &BTreeSet<String>, sections: &BTreeSet<(String, String)>) -> Digest {
    let mut key = Key::of("anchors").with(ids.len().to_le_bytes());
    ids.iter().for_each(|id| key.add(id));
    for (route, id) in sections {
        key.add(route);
        key.add(id);
    }
    key.done()
}

/// Returns the modules that only islands need which no page brings to life: nothing would ever load them.
fn unused_modules<'i>(islands: &'i Islands, sealed: &[Sealed]) -> BTreeSet<&'i str> {
    let calls = sealed.par_iter().flat_map_iter(Sealed::islands);
    let used: BTreeSet<&String> = calls.filter(|(_, hydrate)| hydrate != NEVER).map(|(name, _)| name).collect();
    let modules = |is_used: bool| {
        let islands = islands.modules.iter().filter(move |(name, _)| used.contains(name) == is_used);
        islands.flat_map(|(_, modules)| modules).map(String::as_str).collect::<BTreeSet<_>>()
    };
    let needed = modules.clone()(true);
    &modules(false) - &needed
}

/// Warns of declared connections that no page uses. A page that is left out today may use any that its file or a template
/// can name.
fn unused_connections(inputs: Inputs, sealed: &[Sealed]) -> Vec<Diagnostic> {
    let Inputs { sources, site, .. } = inputs;
    let connections = &site.settings.connections;
    let is_named = |connection: &Connection| {
        let words = [Some(connection.name.as_str()), connection.origin.as_deref()];
        let files = sources.of_all(&[SourceKind::Page, SourceKind::Template]);
        let mut texts = files.filter_map(|(path, _)| sources.text(path));
        texts.any(|text| words.into_iter().flatten().any(|word| text.contains(word)))
    };
    let mut diagnostics = Vec::new();
    for connection in connections.iter() {
        let is_excused = || !site.pages.hidden().is_empty() && is_named(connection);
        for (kind, span) in &connection.kinds {
            let used = (connection.name.clone(), *kind);
            if sealed.iter().any(|page| page.uses(&used)) || is_excused() {
                continue;
            }
            let problem = Problem::UnusedConnection { name: connection.name.clone(), kind: kind.name().to_owned() };
            let place = Place::new(&SourcePath::new(SITE_FILE), *span);
            diagnostics.push(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(problem, place) });
        }
    }
    diagnostics
}

/// What is wrong with a page, and what it links to.
type Read = (Vec<Mistake>, Linked);

/// Warnings of entries whose pages no other page links to: only a feed or the sitemap leads visitors there.
#[derive(Hash)]
struct Unlinked<'a> {
    /// Of this, what lists of pages can show.
    site: Digested<&'a content::Site>,
    /// Of these, the links to pages of entries.
    pages: Digested<(&'a [Sealed], &'a [Read])>,
}

impl<'a> Unlinked<'a> {
    fn of(site: &'a content::Site, sealed: &'a [Sealed], checked: &'a [Read]) -> Self {
        let links = |(sealed, (_, linked)): (&Sealed, &Read)| match sealed {
            Sealed::Fresh(_) => links(&linked.entries),
            Sealed::Cached(cached) => cached.links,
        };
        let links: Vec<Digest> = sealed.par_iter().zip(checked).map(links).collect();
        Unlinked {
            site: Digested::by(site, (site.digests.shared, site.digests.pages)),
            pages: Digested::by((sealed, checked), links),
        }
    }
}

impl Query for Unlinked<'_> {
    const KIND: &'static str = "entries without links";
    type Output = Vec<Diagnostic>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Vec<Diagnostic>, Infallible> {
        let is_made = |page: &&content::Page| page.made.as_ref().is_some_and(|made| made.number.is_some());
        let pages = &self.site.pages;
        if !pages.iter().any(|page| is_made(&page)) {
            return Ok(Vec::new());
        }
        let (sealed, checked) = *self.pages;
        let of_fresh = checked.iter().flat_map(|(_, linked)| &linked.entries);
        let of_cached = sealed.iter().flat_map(|sealed| match sealed {
            Sealed::Cached(cached) => &cached.entries[..],
            Sealed::Fresh(_) => &[],
        });
        let linked: HashSet<u64> = of_fresh.chain(of_cached).copied().collect();
        let wrong = pages.iter().filter(is_made).filter(|page| {
            let is_meant = page.noindex() || !page.route.format().is_html();
            !is_meant && !linked.contains(&name_of(page.route.as_str()))
        });
        let warning = |page: &content::Page| {
            let entry = page.made.as_ref()?.entry.as_ref()?;
            let problem = Problem::UnlinkedPage { route: page.route.to_string() };
            Some(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(problem, Place::file(entry)) })
        };
        Ok(wrong.filter_map(warning).take(MOST).collect())
    }
}

/// Warns of lists with a feed that no page links to. Of a file that makes several lists, the first is named.
fn unlinked_feeds(site: &content::Site, sealed: &[Sealed], checked: &[Read]) -> Vec<Diagnostic> {
    let mut warned = BTreeSet::new();
    let mut diagnostics = Vec::new();
    for (page, _) in site.pages.with_feed() {
        let Some(feed) = page.outline.source.as_ref().and_then(|source| source.feed.as_ref()) else { continue };
        let list = page.route.as_str().trim_end_matches('/');
        let addresses = FEED_FILES.map(|name| format!("{list}/{name}"));
        let names = [name_of(&addresses[0]), name_of(&addresses[1])];
        let is_linked = |(sealed, (_, linked)): (&Sealed, &Read)| match sealed {
            Sealed::Fresh(_) => names.iter().any(|name| linked.entries.contains(name)),
            Sealed::Cached(cached) => names.iter().any(|name| cached.entries.binary_search(name).is_ok()),
        };
        if warned.contains(&page.source) || sealed.par_iter().zip(checked).any(is_linked) {
            continue;
        }
        warned.insert(&page.source);
        let [address, _] = addresses;
        let place = Place::new(&page.source, feed.span);
        let problem = Problem::UnlinkedFeed { address };
        diagnostics.push(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(problem, place) });
    }
    diagnostics
}

/// Returns the digest of the pages of entries that a page links to.
fn links<'e>(entries: impl IntoIterator<Item = &'e u64>) -> Digest {
    let mut key = Key::of("links");
    entries.into_iter().for_each(|entry| key.add(entry.to_le_bytes()));
    key.done()
}

/// Returns the assets, and copies of pictures, that anything in the site names.
fn pictures_of(
    inputs: Inputs,
    pictures: &Pictures,
    sealed: &[Sealed],
    feeds: &[feed_files::FeedFile],
) -> BTreeSet<String> {
    let mut named: BTreeSet<String> = sealed.par_iter().flat_map_iter(Sealed::pictures).cloned().collect();
    for (_, text, _) in feeds {
        named.extend(pictures.named_in(text, None));
    }
    for (_, file) in inputs.islands.files.iter().chain(&inputs.styles.files) {
        if let Ok(text) = std::str::from_utf8(file) {
            named.extend(pictures.named_in(text, None));
        }
    }
    named.extend(pictures.named_in(&inputs.styles.css, None));
    // Redirects and headers may lead to a file, and so may what is published unchanged.
    named.extend(
        inputs
            .sources
            .text(&SourcePath::new(SITE_FILE))
            .map(|text| pictures.named_in(text, None))
            .into_iter()
            .flatten(),
    );
    for (_, _, file) in &inputs.site.public {
        named.extend(file.text().map(|text| pictures.named_in(text, None)).into_iter().flatten());
    }
    named
}

/// Stores the new chunks whose pages are all valid.
fn store_chunks(inputs: Inputs, pages: &[Page], keys: &[Digest], cached: Vec<Option<Arc<CachedPage>>>) {
    let grouped = inputs.site.pages.by_chunk(pages.iter().zip(cached));
    for (key, chunk) in keys.iter().zip(grouped) {
        let (pages, cached): (Vec<&Page>, Vec<Option<Arc<CachedPage>>>) = chunk.into_iter().unzip();
        // A page has a key if its chunk was not in the cache.
        let parts: Vec<Digest> = pages.into_iter().filter_map(|page| page.key).collect();
        let cached = cached.into_iter().collect::<Option<Vec<_>>>().filter(|_| !parts.is_empty());
        if let Some(cached) = cached {
            inputs.tools.cache().store_group(*key, Arc::new(CachedChunk(cached)), parts);
        }
    }
}

/// A finished page.
pub enum Sealed {
    /// It was rendered in this build.
    Fresh(Box<Fresh>),
    /// It is the same as in an earlier build.
    Cached(Arc<CachedPage>),
}

/// A page that was rendered in this build.
pub struct Fresh {
    /// The facts read from it.
    pub facts: Facts,
    /// The bytes of the page, policy included.
    pub bytes: Arc<[u8]>,
    /// Where the policy is in them.
    policy: Range<usize>,
    /// Their digest.
    pub digest: Digest,
    /// The assets and copies of pictures that it names.
    pub pictures: Vec<String>,
    /// What the search knows of it, if the site has one.
    pub search: Option<Arc<search::Page>>,
}

impl Fresh {
    fn cached(self, linked: Linked) -> CachedPage {
        let anchors = anchors(&self.facts.ids, &linked.sections);
        CachedPage {
            anchors,
            digest: self.digest,
            fingerprint: fingerprint(&self.bytes),
            len: self.bytes.len() as u64,
            ids: self.facts.ids.into_iter().collect(),
            sections: linked.sections.into_iter().collect(),
            links: links(&linked.entries),
            entries: linked.entries.into_iter().collect(),
            islands: self.facts.islands.into_iter().collect(),
            connections: self.facts.connections.into_iter().collect(),
            pictures: self.pictures,
            search: self.search,
            bytes: Some(self.bytes),
        }
    }
}

impl Sealed {
    fn content(&self) -> Content {
        match self {
            Sealed::Fresh(fresh) => Content::Bytes { bytes: fresh.bytes.clone(), digest: Some(fresh.digest) },
            Sealed::Cached(cached) => match &cached.bytes {
                Some(bytes) => Content::Bytes { bytes: bytes.clone(), digest: Some(cached.digest) },
                None => {
                    let CachedPage { digest, fingerprint, len, .. } = **cached;
                    Content::Kept { digest, fingerprint, len }
                }
            },
        }
    }

    /// Whether the page uses a connection for a purpose.
    fn uses(&self, used: &(String, Kind)) -> bool {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.connections.contains(used),
            Sealed::Cached(cached) => cached.connections.contains(used),
        }
    }

    fn islands(&self) -> Box<dyn Iterator<Item = &(String, String)> + '_> {
        match self {
            Sealed::Fresh(fresh) => Box::new(fresh.facts.islands.iter()),
            Sealed::Cached(cached) => Box::new(cached.islands.iter()),
        }
    }

    fn search(&self) -> Option<&Arc<search::Page>> {
        match self {
            Sealed::Fresh(fresh) => fresh.search.as_ref(),
            Sealed::Cached(cached) => cached.search.as_ref(),
        }
    }

    /// Returns the assets and copies of pictures that the page names.
    fn pictures(&self) -> &[String] {
        match self {
            Sealed::Fresh(fresh) => &fresh.pictures,
            Sealed::Cached(cached) => &cached.pictures,
        }
    }

    /// Returns the digest of what decides whether cached pages link to sections that are there. The links of a fresh page
    /// are checked for themselves.
    fn anchors(&self) -> Digest {
        match self {
            Sealed::Fresh(fresh) => anchors(&fresh.facts.ids, &BTreeSet::new()),
            Sealed::Cached(cached) => cached.anchors,
        }
    }

    fn has_id(&self, id: &str) -> bool {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.ids.contains(id),
            Sealed::Cached(cached) => cached.ids.binary_search_by(|own| own.as_str().cmp(id)).is_ok(),
        }
    }

    fn ids(&self) -> Vec<&str> {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.ids.iter().map(String::as_str).collect(),
            Sealed::Cached(cached) => cached.ids.iter().map(String::as_str).collect(),
        }
    }
}

/// Reads the facts of a page and inserts its policy. The HTML without the policy is dropped, so only the page being
/// sealed is in memory twice.
fn seal_page(
    mut page: Page,
    site: &content::Site,
    (styles, css): (&Styles, &str),
    base: &str,
    meta: &str,
    pictures: &Pictures,
    observer: &dyn Observer,
) -> (Page, Sealed) {
    let settings = &site.settings;
    let sealed = match &mut page.html {
        Html::Cached(cached) => Sealed::Cached(cached.clone()),
        Html::Rendered(html) => {
            let _work = Work::on_page(observer, "seal a page", page.source.as_ref().map_or("404", SourcePath::as_str));
            let (facts, (bytes, policy)) = match page.route.format() {
                Format::Html => {
                    let mut facts = Facts::of(html, &settings.connections);
                    facts.has_search &= settings.search;
                    facts.check_styles(html, styles, css);
                    // The template may say it itself, and more than that.
                    let is_kept_out = !settings.staging && !facts.has_robots && is_left_out(site, &page.route);
                    let more = if is_kept_out { format!("{meta}{NOINDEX}") } else { meta.to_owned() };
                    let sealed = with_policy(html, &facts, settings, &more);
                    (facts, sealed)
                }
                format => {
                    let bytes = Arc::from(outputs::finish(format, html).as_bytes());
                    (outputs::facts(format, html, base), (bytes, 0..0))
                }
            };
            let pictures = pictures.named_in(html, Some(&facts));
            let is_searched = settings.search && page.route.format().is_html();
            let search = is_searched.then(|| Arc::new(search::Page::of(html, is_left_out(site, &page.route))));
            *html = String::new();
            let digest = digest(&bytes);
            Sealed::Fresh(Box::new(Fresh { facts, bytes, policy, digest, pictures, search }))
        }
    };
    observer.page_is_done();
    (page, sealed)
}

/// Whether a page is not searched: search engines are kept away from it too. The engine's own page for unknown paths is not
/// among the pages of the site.
fn is_left_out(site: &content::Site, route: &Route) -> bool {
    site.pages.number(route.as_str()).is_none_or(|number| site.pages.get(number).noindex())
}

/// Returns the pages that visitors can search, for each language that pages have.
fn searched_pages(site: &content::Site, pages: &[Page], sealed: &[Sealed]) -> Vec<search::Pages> {
    let base_path = &site.settings.base_path;
    let mut languages = BTreeMap::from([(search::primary(&site.settings.language), Vec::new())]);
    for (page, sealed) in pages.iter().zip(sealed) {
        let Some(found) = sealed.search() else { continue };
        let searched = languages.entry(found.language.clone()).or_default();
        searched.push((content::address::inside(base_path, page.route.as_str()), found.clone()));
    }
    let mut all = Vec::new();
    for (language, mut pages) in languages {
        pages.sort_by(|(one, _), (other, _)| one.cmp(other));
        all.push(search::Pages { language, pages });
    }
    all
}

/// The number of references that one thread checks at a time; most pages have fewer.
const REFERENCES: usize = 512;

/// Returns everything that is wrong with a page, given the rest of the site, and what it links to.
///
/// A page from the cache was checked against the same files and routes as now, and knows what it links to.
fn check(page: &Page, sealed: &Sealed, settings: &Settings, targets: &Targets) -> Read {
    let mut linked = Linked::default();
    let facts = match sealed {
        Sealed::Fresh(fresh) => &fresh.facts,
        Sealed::Cached(_) => return (Vec::new(), linked),
    };
    let own =
        facts.mistakes.iter().map(|each| Mistake { problem: each.problem.clone(), location: each.location.clone() });
    // A page that lists all others has one reference for each of them.
    let check = |references: &[Reference]| {
        let mut linked = Linked::default();
        let broken = references.iter().filter_map(|reference| {
            let problem = references::check(reference, page, settings, targets, &mut linked)?;
            Some(Mistake { problem, location: Some(reference.location()) })
        });
        (broken.take(MOST + 1).collect::<Vec<_>>(), linked)
    };
    let mut broken = Vec::new();
    for some in facts.references.chunks(REFERENCES * 16) {
        // Nothing will be published, and no more is reported for the page.
        if broken.len() > MOST {
            break;
        }
        for (mistakes, named) in some.par_chunks(REFERENCES).map(check).collect::<Vec<_>>() {
            broken.extend(mistakes);
            linked.extend(named);
        }
    }
    let other_language = other_language(page, facts, targets);
    broken.truncate(MOST + 1);
    let is_headless = facts.policy_at.is_none() && page.route.format().is_html();
    let headless = is_headless.then_some(Mistake { problem: Problem::MissingHead, location: None });
    (own.chain(broken).chain(headless).chain(other_language).collect(), linked)
}

/// Reports a page whose `<html>` has another language than its `language` key: its text would be read aloud, hyphenated
/// and quoted by the rules of two languages.
fn other_language(page: &Page, facts: &Facts, targets: &Targets) -> Option<Mistake> {
    let own = targets.site.pages.get(targets.site.pages.number(page.route.as_str())?);
    // A reference is filled in later, and a page without the key has the language of the site, from its template.
    let language = own.language.as_deref().filter(|tag| !tag.is_empty() && !tag.contains("{{"))?;
    let (tag, written) = facts.language.as_ref()?;
    let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    if primary(language) == primary(written) {
        return None;
    }
    let problem = Problem::OtherLanguage { language: language.to_owned(), written: written.clone() };
    let attribute = Some(("lang".to_owned(), None));
    Some(Mistake { problem, location: Some(Location { tag: *tag, attribute, text: None, island: None }) })
}

/// The number of mistakes that are traced to the line that made them. Each reads the template and the content: a site
/// of ten thousand pages with a mistake in each would take minutes. The rest are reported at their pages.
const MOST_PLACED: usize = 2_000;

/// Turns mistakes into diagnostics at the lines that made them. One that a template puts into many pages is reported
/// once.
fn placed(inputs: Inputs, pages: &[Page], mistakes: Vec<Vec<Mistake>>, files: &Files) -> Vec<Diagnostic> {
    if mistakes.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    // A warning about a page as a whole has no line.
    let has_line = |mistake: &Mistake| severity(&mistake.problem) == Severity::Error || mistake.location.is_some();
    let is_traced = |mistakes: &[Mistake]| mistakes.iter().any(has_line);
    let wrong: BTreeSet<&Route> =
        pages.iter().zip(&mistakes).filter(|(_, mistakes)| is_traced(mistakes)).map(|(page, _)| &page.route).collect();
    let traces = match wrong.is_empty() {
        true => pages::trace::Traces::default(),
        false => pages::trace(inputs, |route| wrong.contains(route)),
    };
    let documents: BTreeMap<&Route, &content::Page> =
        inputs.site.pages.iter().map(|page| (&page.route, page)).collect();
    let mut reported = BTreeSet::new();
    let mut diagnostics = Vec::new();
    let mut looked_for = 0;
    for (page, mistakes) in pages.iter().zip(mistakes) {
        let document = OnceCell::new();
        for Mistake { problem, location } in mistakes {
            looked_for += 1;
            let location = location.filter(|_| looked_for <= MOST_PLACED);
            let own = documents.get(&page.route).copied();
            let site_file = SourcePath::new(SITE_FILE);
            let page_place = Place::file(page.file().unwrap_or(&site_file));
            let template = own.map(|own| &own.template);
            let places = match (&location, &problem) {
                (Some(Location { island: Some(island), .. }), Problem::HeadElement { element, .. }) => {
                    Some(vec![pages::trace::tag_in_island(inputs.sources, island, element)])
                }
                (Some(Location { island: Some(island), attribute, .. }), _) => {
                    let value = attribute.as_ref().and_then(|(_, value)| value.as_deref());
                    Some(vec![pages::trace::in_island(inputs.sources, island, value)])
                }
                (Some(Location { attribute: Some((name, Some(address))), .. }), _) if name == ISLANDS_STYLE => {
                    let found = pages::trace::in_styles_of_islands(inputs, address);
                    Some(found).filter(|found| !found.is_empty())
                }
                (Some(location), _) if !page.route.format().is_html() => own.map(|own| {
                    let traced = traces.files.get(&page.route).filter(|traced| {
                        let published = files.get(&page.route.as_str()[1..]).map(Content::len);
                        published == Some(outputs::finish(page.route.format(), &traced.text).len() as u64)
                    });
                    let document = document.get_or_init(|| inputs.site.document(own, inputs.sources, inputs.profile));
                    let value = location.attribute.as_ref().and_then(|(_, value)| value.as_deref());
                    vec![pages::trace::in_file(inputs, document, &own.template, traced, location.tag, value)]
                }),
                // What a page lacks as a whole, its template lacks.
                (None, Problem::MissingHead | Problem::MissingTitle) => {
                    template.map(|name| vec![Place::file(&SourcePath::new(format!("templates/{name}")))])
                }
                _ => location.as_ref().and_then(|location| {
                    let origin = traces.pages.get(&page.route)?.get(location.tag)?;
                    let attribute = location.attribute.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
                    let own = own?;
                    let document = document.get_or_init(|| inputs.site.document(own, inputs.sources, inputs.profile));
                    let text = location.text.as_ref().map(|(text, span)| (&text[..span.end], *span));
                    let place = || pages::trace::in_text(inputs.sources, origin, text?);
                    let places = || pages::trace::places(inputs.sources, inputs.site, document, origin, attribute);
                    Some(place().map_or_else(places, |place| vec![place]))
                }),
            };
            for place in places.unwrap_or_else(|| vec![page_place]) {
                let is_new = match severity(&problem) {
                    Severity::Error => reported.insert((place.clone(), code(&problem).to_owned())),
                    // A page can have several, each naming something else.
                    _ => reported.insert((place.clone(), format!("{problem:?}"))),
                };
                if is_new {
                    let severity = severity(&problem);
                    let diagnostic = Diagnostic { severity, ..Diagnostic::error(problem.clone(), place) };
                    diagnostics.push(page.named_in(diagnostic));
                }
            }
        }
    }
    diagnostics
}

/// Decides whether a mistake keeps a page from being published.
fn severity(problem: &Problem) -> Severity {
    match problem {
        Problem::JobWithoutPlace { .. } | Problem::SmallPicture { .. } | Problem::UnsizedImage => Severity::Warning,
        _ => Severity::Error,
    }
}

/// Reports pages for which visitors download more than `site.yaml` allows, by their routes.
fn over_budget(inputs: Inputs, pages: &[Page], sealed: &[Sealed], files: &Files) -> BTreeMap<Route, Vec<Diagnostic>> {
    let Inputs { site, islands, tools, .. } = inputs;
    let base_path = site.settings.base_path.as_str();
    let sizes = budgets::Sizes::of(tools.cache());
    let path = |address: &str| {
        let path = address.strip_prefix(base_path)?.trim_start_matches('/');
        Some(percent_decoded(path.split(['?', '#']).next().unwrap_or(path)).into_owned())
    };
    let file = |address: &str| files.get(&path(address)?).cloned();
    let packages = |address: &str| {
        let of_module = address.strip_prefix(base_path).and_then(|path| islands.packages.get(path));
        let of_script = || file(address).map(|content| (address.to_owned(), content.len() as usize));
        of_module.cloned().unwrap_or_else(|| of_script().into_iter().collect())
    };
    // The engine's own page for unknown paths is not the site's to reduce, and a cached page is within its budget.
    let reported = pages.par_iter().zip(sealed).filter_map(|(page, sealed)| {
        let (Some(own), Sealed::Fresh(fresh)) = (page.file(), sealed) else { return None };
        if !page.route.format().is_html() {
            return None;
        }
        let html = (&*fresh.bytes, fresh.policy.clone());
        let over = budgets::check(&site.settings.budgets, html, &fresh.facts, &file, &packages, &sizes);
        let at_file = |problem| page.named_in(Diagnostic::error(problem, Place::file(own)));
        let reported: Vec<Diagnostic> = over.into_iter().map(at_file).collect();
        (!reported.is_empty()).then(|| (page.route.clone(), reported))
    });
    reported.collect()
}

/// Returns the page with its policy, and with what else a `<meta>` must say for this host, and where these are in it. A page
/// without a head cannot have one, which is an error of its own.
fn with_policy(html: &str, facts: &Facts, settings: &Settings, more: &str) -> (Arc<[u8]>, Range<usize>) {
    let at = facts.policy_at.unwrap_or(0);
    let policy = policy::policy(facts, &settings.origin, &settings.connections);
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{more}");
    // Filled in place: joining the parts first would copy every page once more.
    let mut page: Arc<[u8]> = std::iter::repeat_n(0, html.len() + meta.len()).collect();
    let target = Arc::get_mut(&mut page).expect("nobody else knows of it yet");
    target[..at].copy_from_slice(&html.as_bytes()[..at]);
    target[at..at + meta.len()].copy_from_slice(meta.as_bytes());
    target[at + meta.len()..].copy_from_slice(&html.as_bytes()[at..]);
    (page, at..at + meta.len())
}
