//! What a host serves, and the proof that it is whole.
//!
//! [`seal`] reads the facts of every page from its final bytes, once. The policy, the check of references and the
//! sitemap follow from those facts, so they cannot disagree with the page.
//!
//! 1. Facts are read.
//! 2. Each page gets its policy.
//! 3. Files are named: pages by their routes, assets by their digests.
//! 4. What is wrong with a page, and what it refers to that is not there, is told at the line that wrote it.
//! 5. The host is told what to send and what to redirect.

mod budgets;
mod facts;
mod files;
pub mod hosts;
mod markup;
mod policy;
mod references;
mod sitemap;

use crate::AT_A_TIME;
use crate::cache::Cache;
use crate::content::address::percent_decoded;
use crate::content::schedule::Schedule;
use crate::content::settings::Settings;
use crate::content::{self, SITE_FILE, Site};
use crate::diagnostics::{Checked, Diagnostic, MOST, Place, Problem, Severity, code};
use crate::observe::{Observer, Work};
use crate::pages::{self, CachedChunk, CachedPage, Html, Inputs, NOT_FOUND, Page, Pages};
use crate::paths::{OutputPath, Route, SourcePath, media_type};
use crate::sources::{Body, Digest, Fingerprint, LargeFile, Source, digest, fingerprint};
use facts::{Facts, Mistake, Reference, Spot};
pub use files::file_names;
use files::{Files, NOT_FOUND_FILE, Naming};
use hosts::Rules;
use rayon::prelude::*;
use references::Targets;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The finished site: every file by its path.
#[derive(Clone, Debug, Default)]
pub struct Artifacts {
    pub(crate) files: Files,
    /// The digest of the styles and islands in it, which are made of packages as well as of sources.
    pub bundles: Digest,
    /// Where the site begins on its host: empty, or like `/docs`.
    pub base_path: String,
    /// How many pages there are.
    pub pages: usize,
    /// What was left out.
    pub schedule: Schedule,
    /// What the host is told.
    pub rules: Rules,
    /// Where the site is built for, if that is another host than `url` names.
    pub elsewhere: Option<Elsewhere>,
}

/// A site that is built for another host than its `url` names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// The address it is built for.
    pub address: String,
    /// The host that `url` names.
    pub own: String,
    /// Whether search engines are kept out.
    pub staging: bool,
}

/// What a file of the site holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// Its bytes, and their digest where it is known already.
    Bytes {
        /// The bytes.
        bytes: Arc<[u8]>,
        /// Their digest, so that nothing is hashed twice.
        digest: Option<Digest>,
    },
    /// What a file on the disk holds.
    Large(Arc<LargeFile>),
    /// What was published before and has not changed: the bytes lie in the output folder alone.
    Kept {
        /// Their digest.
        digest: Digest,
        /// Their fingerprint.
        fingerprint: Fingerprint,
        /// How many there are.
        len: u64,
    },
}

impl Content {
    /// What a file of the sources holds.
    pub fn of(source: &Source) -> Self {
        match &source.body {
            Body::Bytes(bytes) => Content::Bytes { bytes: bytes.clone(), digest: Some(source.digest) },
            Body::Large(file) => Content::Large(file.clone()),
        }
    }

    /// The bytes, if they are in memory.
    pub fn bytes(&self) -> Option<&Arc<[u8]>> {
        match self {
            Content::Bytes { bytes, .. } => Some(bytes),
            Content::Large(_) | Content::Kept { .. } => None,
        }
    }

    /// The bytes or the file that has them, if either is at hand.
    pub fn body(&self) -> Option<Body> {
        match self {
            Content::Bytes { bytes, .. } => Some(Body::Bytes(bytes.clone())),
            Content::Large(file) => Some(Body::Large(file.clone())),
            Content::Kept { .. } => None,
        }
    }

    /// The size in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Content::Bytes { bytes, .. } => bytes.len() as u64,
            Content::Large(file) => file.len,
            Content::Kept { len, .. } => *len,
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// SHA-256 of the bytes.
    pub fn digest(&self) -> Digest {
        match self {
            Content::Bytes { digest: Some(digest), .. } | Content::Kept { digest, .. } => *digest,
            Content::Large(file) => file.digest,
            Content::Bytes { bytes, digest: None } => digest(bytes),
        }
    }
}

impl Artifacts {
    /// Every file in the order of its path, as it is handed to publishing.
    pub fn contents(&self) -> impl Iterator<Item = (&OutputPath, Content)> {
        self.files.iter().map(|(path, content)| (path, content.clone()))
    }

    /// The headers that the site's host sends with a file, by name and value: the policy of `site.yaml` and how long
    /// browsers may keep the file. The server itself adds `Content-Type`, `ETag` and the like. The same headers go with
    /// the page for unknown paths, which is `404.html`. None, if the host is one that a site cannot tell.
    ///
    /// `Strict-Transport-Security` is among them for a site whose `url` is https; browsers pass it over in what they
    /// get by plain http (RFC 6797, 8.1).
    pub fn headers(&self, path: &OutputPath) -> Vec<(String, String)> {
        self.rules.headers(path)
    }

    /// The same files on the host and below the path that a site's settings name.
    pub fn hosted(self, settings: &Settings) -> Self {
        Artifacts { rules: Rules::of(settings), base_path: settings.base_path.clone(), ..self }
    }

    /// Status and `Location` for a path that the site's host redirects. `path` is what follows the base path in the
    /// address, without query: `/old`, with or without a slash at the end. The location has the base path in it; the
    /// query of the request goes along unless the location has one (see the files of each host).
    ///
    /// Nothing for a host that cannot redirect: there the site has pages at these paths, which lead on.
    pub fn redirect(&self, path: &str) -> Option<(u16, String)> {
        self.rules.redirect(path)
    }

    /// Whether a file is one that the host reads and visitors do not get: a server answers 404 for it.
    pub fn is_private(&self, path: &OutputPath) -> bool {
        self.rules.is_private(path.as_str())
    }

    /// The address of a file on its host: `/docs/a.png` of `a.png` where the site lies below `/docs`.
    pub fn address(&self, path: &OutputPath) -> String {
        match self.rules.folder() {
            "" => format!("{}/{path}", self.base_path),
            _ => format!("/{path}"),
        }
    }

    /// Every file whose bytes are in memory, in the order of its path, with its media type. Without memory of an earlier
    /// process that is every file but those that stay on the disk.
    pub fn iter(&self) -> impl Iterator<Item = (&OutputPath, &Arc<[u8]>, &'static str)> {
        self.files.iter().filter_map(|(path, content)| Some((path, content.bytes()?, media_type(path.as_str()))))
    }

    /// A site of the given files, without pages.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let content = |bytes: &[u8]| Content::Bytes { bytes: Arc::from(bytes), digest: None };
        Artifacts::of(files.into_iter().map(|(path, bytes)| (OutputPath::new(path), content(bytes))))
    }

    /// A site of files that hold this, without pages.
    pub fn of(files: impl IntoIterator<Item = (OutputPath, Content)>) -> Self {
        Artifacts { files: Files::of(files.into_iter().collect()), ..Artifacts::default() }
    }

    /// The bytes of one file, if they are at hand.
    pub fn get(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.files.get(path)?.bytes()
    }

    /// What one file holds and the digest of it, if it is at hand.
    pub fn file(&self, path: &str) -> Option<(Body, Digest)> {
        let content = self.files.get(path)?;
        Some((content.body()?, content.digest()))
    }

    /// Whether there is a file at a path.
    pub fn has(&self, path: &str) -> bool {
        self.files.get(path).is_some()
    }

    /// The files that came, went or hold other bytes than in an earlier site, in the order of their paths.
    pub fn differing<'a>(&'a self, old: &'a Artifacts) -> Vec<&'a OutputPath> {
        self.files.differing(&old.files)
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Makes the finished site. See the module for its passes.
pub fn seal(inputs: Inputs, pages: Pages) -> Checked<Artifacts> {
    let Inputs { site, styles, islands, tools, .. } = inputs;
    let observer = tools.observer();
    let _work = Work::on(observer, "seal");
    // 1. facts, 2. policies
    let meta = hosts::meta(&site.settings);
    let Pages { all: pages, chunks, bundles } = pages;
    // A page that lists all others is read by one thread for as long as the sitemap takes another.
    let (sitemap, (pages, sealed)) = rayon::join(
        || sitemap::files(site),
        || {
            let pages = pages.into_par_iter().with_max_len(AT_A_TIME);
            pages
                .map(|page| seal_page(page, &site.settings.origin, &meta, observer))
                .unzip::<_, _, Vec<Page>, Vec<Sealed>>()
        },
    );

    // 3. files
    let contents = sealed.iter().map(Sealed::content).collect();
    let mut naming = Naming::of(site, &pages, contents, tools.cache());
    let bytes = |bytes: &Arc<[u8]>| Content::Bytes { bytes: bytes.clone(), digest: None };
    for asset in site.assets.iter() {
        if let Some(source) = inputs.sources.get(&asset.source) {
            naming.add(&asset.file, Content::of(source), Some(&asset.source));
        }
    }
    for (path, file) in styles.files.iter().chain(&islands.files) {
        naming.add(path, bytes(file), None);
    }
    for (path, source, file) in &site.public {
        naming.add(path.as_str(), Content::of(file), Some(source));
    }
    for (name, text) in sitemap {
        match site.settings.staging && name == sitemap::ROBOTS {
            // What the site's own lets search engines see is not meant for this address.
            true => naming.put(name, text),
            false => naming.add_default(name, text),
        }
    }
    naming.find_folders();
    let mut diagnostics = naming.diagnostics();

    // 4. mistakes
    let targets = Targets {
        base: format!("{}{}", site.settings.origin, site.settings.base_path),
        site,
        sealed: &sealed,
        files: naming.files(),
        suggested: Mutex::default(),
    };
    let checking = Work::on(observer, "references");
    let both = pages.par_iter().zip(&sealed).with_max_len(AT_A_TIME);
    let checked: Vec<(Vec<Mistake>, Sections)> =
        both.map(|(page, sealed)| check(page, sealed, &site.settings, &targets)).collect();
    drop(checking);
    // A page that links to a section that is gone has to be drawn, to tell the line that wrote the link. What was drawn
    // before has lost its HTML by now.
    let is_stale = |page: &Page, mistakes: &[Mistake]| matches!(page.html, Html::Cached(_)) && !mistakes.is_empty();
    if pages.iter().zip(&checked).any(|(page, (mistakes, _))| is_stale(page, mistakes)) {
        let is_wanted =
            |page: &Page, mistakes: &[Mistake]| matches!(page.html, Html::Rendered(_)) || !mistakes.is_empty();
        let wanted = pages.iter().zip(&checked).filter(|(page, (mistakes, _))| is_wanted(page, mistakes));
        let wanted: BTreeSet<Route> = wanted.map(|(page, _)| page.route.clone()).collect();
        return pages::render_uncached(inputs, &wanted).then(|anew| {
            let mut anew: BTreeMap<Route, Page> = anew.all.into_iter().map(|page| (page.route.clone(), page)).collect();
            let all = pages.iter().map(|page| anew.remove(&page.route).unwrap_or_else(|| page.clone())).collect();
            seal(inputs, Pages { all, chunks, bundles })
        });
    }
    diagnostics.extend(hosts::redirect_mistakes(site, &targets));
    // React's development build is several times as large, and no visitor gets it.
    let over: BTreeMap<SourcePath, Vec<Diagnostic>> = if inputs.profile.development {
        BTreeMap::new()
    } else {
        over_budget(site, &pages, &sealed, naming.files(), tools.cache())
    };
    let is_complete = |page: &Page, mistakes: &[Mistake]| {
        mistakes.is_empty() && page.source.as_ref().is_some_and(|source| !over.contains_key(source))
    };
    type Read = (Vec<Mistake>, Sections);
    let prove = |(page, (sealed, (mistakes, sections))): (&Page, (Sealed, Read))| match sealed {
        Sealed::Cached(cached) => (Some(cached), mistakes),
        Sealed::Fresh(fresh) if is_complete(page, &mistakes) => {
            let cached = Arc::new(fresh.cached(sections));
            page.key.inspect(|key| tools.cache().store_saved(*key, cached.clone()));
            (Some(cached), mistakes)
        }
        Sealed::Fresh(_) => (None, mistakes),
    };
    let (cached, mistakes) = pages.par_iter().zip(sealed.into_par_iter().zip(checked)).map(prove).unzip();
    store_chunks(inputs, &pages, &chunks, cached);
    diagnostics.extend(placed(inputs, &pages, mistakes));
    diagnostics.extend(over.into_values().flatten());

    // 5. host
    let rules = Rules::of(&site.settings);
    diagnostics.extend(hosts::add(&rules, site, &mut naming));
    let files = match rules.folder() {
        "" => naming.done(),
        folder => naming.done().below(folder, |path| path == NOT_FOUND_FILE || rules.is_private(path)),
    };
    let count = pages.iter().filter(|page| page.route.as_str() != NOT_FOUND).count();
    let (base_path, schedule) = (site.settings.base_path.clone(), site.schedule.clone());
    let elsewhere = site.settings.elsewhere.clone().map(|own| Elsewhere {
        address: format!("{}{base_path}", site.settings.origin),
        own,
        staging: site.settings.staging,
    });
    Checked::new(Artifacts { files, bundles, base_path, pages: count, schedule, rules, elsewhere }, diagnostics)
}

/// Keeps the chunks of which every page is whole, as far as they are new.
fn store_chunks(inputs: Inputs, pages: &[Page], keys: &[Digest], mut cached: Vec<Option<Arc<CachedPage>>>) {
    let site = inputs.site;
    let numbers = || site.pages.places().iter().enumerate();
    let mut chunks: Vec<Option<(CachedChunk, Vec<Digest>)>> = keys.iter().map(|_| None).collect();
    // The key of a page is known if memory did not hold its chunk.
    for (_, (chunk, _)) in numbers().filter(|(number, _)| pages[*number].key.is_some()) {
        chunks[*chunk].get_or_insert_with(|| (CachedChunk(Vec::new()), Vec::new()));
    }
    // Numbers follow routes, and places files.
    let mut members: Vec<(usize, usize, usize)> = numbers()
        .filter(|(_, (chunk, _))| chunks[*chunk].is_some())
        .map(|(number, (chunk, place))| (*chunk, *place, number))
        .collect();
    members.sort_unstable();
    for (chunk, _, number) in members {
        match (cached[number].take(), &mut chunks[chunk]) {
            (Some(cached), Some((known, parts))) => {
                known.0.push(cached);
                parts.extend(pages[number].key);
            }
            _ => chunks[chunk] = None,
        }
    }
    for (key, chunk) in keys.iter().zip(chunks) {
        if let Some((chunk, parts)) = chunk {
            inputs.tools.cache().store_group(*key, Arc::new(chunk), parts);
        }
    }
}

/// A finished page.
pub enum Sealed {
    /// It was made just now.
    Fresh(Box<Fresh>),
    /// It is the same as in an earlier build.
    Cached(Arc<CachedPage>),
}

/// A page that was made just now.
pub struct Fresh {
    /// What was read from it.
    pub facts: Facts,
    /// The page, policy included.
    pub bytes: Arc<[u8]>,
    /// Their digest.
    pub digest: Digest,
}

impl Fresh {
    fn cached(self, sections: Sections) -> CachedPage {
        CachedPage {
            digest: self.digest,
            fingerprint: fingerprint(&self.bytes),
            len: self.bytes.len() as u64,
            ids: self.facts.ids.into_iter().collect(),
            sections: sections.into_iter().collect(),
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

    fn has_id(&self, id: &str) -> bool {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.ids.contains(id),
            Sealed::Cached(cached) => cached.ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok(),
        }
    }

    fn ids(&self) -> Vec<&str> {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.ids.iter().map(String::as_str).collect(),
            Sealed::Cached(cached) => cached.ids.iter().map(String::as_str).collect(),
        }
    }
}

/// Reads the facts of a page and puts its policy in. The HTML without the policy is dropped: at any time only one page
/// in hand is there twice.
fn seal_page(mut page: Page, origin: &str, meta: &str, observer: &dyn Observer) -> (Page, Sealed) {
    let sealed = match &mut page.html {
        Html::Cached(cached) => Sealed::Cached(cached.clone()),
        Html::Rendered(html) => {
            let _work = Work::on_page(observer, "seal a page", page.source.as_ref().map_or("404", SourcePath::as_str));
            let facts = Facts::of(html);
            let bytes = with_policy(html, &facts, origin, meta);
            *html = String::new();
            let digest = digest(&bytes);
            Sealed::Fresh(Box::new(Fresh { facts, bytes, digest }))
        }
    };
    observer.page_is_done();
    (page, sealed)
}

/// References that one thread checks at a time; most pages have fewer.
const REFERENCES: usize = 512;

/// The sections of other pages that a page links to: a route and an id each.
pub type Sections = BTreeSet<(String, String)>;

/// Everything that is wrong with a page, given the rest of the site, and the sections it links to.
///
/// A page that is proven was made of the same files and routes as now. Only sections can be gone since.
fn check(page: &Page, sealed: &Sealed, settings: &Settings, targets: &Targets) -> (Vec<Mistake>, Sections) {
    let mut sections = Sections::new();
    let facts = match sealed {
        Sealed::Fresh(fresh) => &fresh.facts,
        Sealed::Cached(cached) => {
            let is_gone = |(route, id): &&(String, String)| !targets.has_section(route, id);
            let gone = cached.sections.iter().filter(is_gone).map(|(route, id)| Mistake {
                problem: Problem::BrokenSection { target: format!("{route}#{id}"), page: String::new(), nearest: None },
                spot: None,
            });
            return (gone.collect(), sections);
        }
    };
    let own = facts.mistakes.iter().map(|each| Mistake { problem: each.problem.clone(), spot: each.spot.clone() });
    // A page that lists all others has as many references as they are.
    let check = |references: &[Reference]| {
        let mut sections = Sections::new();
        let broken = references.iter().filter_map(|reference| {
            let problem = references::check(reference, page, settings, targets, &mut sections)?;
            Some(Mistake { problem, spot: Some(reference.spot()) })
        });
        (broken.take(MOST + 1).collect::<Vec<_>>(), sections)
    };
    let mut broken = Vec::new();
    for some in facts.references.chunks(REFERENCES * 16) {
        // Nothing is published, and no more is reported of the page.
        if broken.len() > MOST {
            break;
        }
        for (mistakes, named) in some.par_chunks(REFERENCES).map(check).collect::<Vec<_>>() {
            broken.extend(mistakes);
            sections.extend(named);
        }
    }
    let other_language = other_language(page, facts, targets);
    broken.truncate(MOST + 1);
    let headless = facts.policy_at.is_none().then_some(Mistake { problem: Problem::MissingHead, spot: None });
    (own.chain(broken).chain(headless).chain(other_language).collect(), sections)
}

/// A page whose `<html>` says another language than its key: its text would be read aloud, hyphenated and quoted by the
/// rules of two.
fn other_language(page: &Page, facts: &Facts, targets: &Targets) -> Option<Mistake> {
    let outline = &targets.site.pages.get(targets.site.pages.number(page.route.as_str())?).outline;
    // A reference is filled in later, and a page without the key has the language of the site, as its template says.
    let language = outline.language.as_deref().filter(|tag| !tag.is_empty() && !tag.contains("{{"))?;
    let (tag, written) = facts.language.as_ref()?;
    let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    if primary(language) == primary(written) {
        return None;
    }
    let problem = Problem::OtherLanguage { language: language.to_owned(), written: written.clone() };
    let attribute = Some(("lang".to_owned(), None));
    Some(Mistake { problem, spot: Some(Spot { tag: *tag, attribute, island: None }) })
}

/// How many mistakes are followed to the line that made them. Each takes a look at the template and the content: a site of
/// ten thousand pages with a mistake in each would take minutes. The rest are reported at their pages.
const MOST_PLACED: usize = 2_000;

/// Mistakes as diagnostics at the lines that made them. One that a template puts into many pages is told once.
fn placed(inputs: Inputs, pages: &[Page], mistakes: Vec<Vec<Mistake>>) -> Vec<Diagnostic> {
    if mistakes.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let is_traced = |mistakes: &[Mistake]| mistakes.iter().any(|mistake| severity(&mistake.problem) == Severity::Error);
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
        let known = OnceCell::new();
        for Mistake { problem, spot } in mistakes {
            looked_for += 1;
            let spot = spot.filter(|_| looked_for <= MOST_PLACED);
            let own = documents.get(&page.route).copied();
            let site_file = SourcePath::new(SITE_FILE);
            let whole = Place::file(page.source.as_ref().unwrap_or(&site_file));
            let template = own.map(|own| &own.template);
            let places = match (&spot, &problem) {
                (Some(Spot { island: Some(island), attribute, .. }), _) => {
                    let value = attribute.as_ref().and_then(|(_, value)| value.as_deref());
                    Some(vec![pages::trace::in_island(inputs.sources, island, value)])
                }
                // What a page lacks as a whole, its template lacks.
                (None, Problem::MissingHead | Problem::MissingTitle) => {
                    template.map(|name| vec![Place::file(&SourcePath::new(format!("templates/{name}")))])
                }
                _ => spot.as_ref().and_then(|spot| {
                    let origin = traces.0.get(&page.route)?.get(spot.tag)?;
                    let attribute = spot.attribute.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
                    let own = own?;
                    let document = known.get_or_init(|| inputs.site.document(own, inputs.sources, inputs.profile));
                    Some(pages::trace::places(inputs.sources, inputs.site, document, origin, attribute))
                }),
            };
            for place in places.unwrap_or_else(|| vec![whole]) {
                let is_new = match severity(&problem) {
                    Severity::Error => reported.insert((place.clone(), code(&problem).to_owned())),
                    // A page can have several, of which each names another thing.
                    _ => reported.insert((place.clone(), format!("{problem:?}"))),
                };
                if is_new {
                    let elsewhere = page.source.as_ref().filter(|source| **source != place.path);
                    let severity = severity(&problem);
                    let diagnostic = Diagnostic { severity, ..Diagnostic::error(problem.clone(), place) };
                    diagnostics.push(match elsewhere {
                        Some(source) => diagnostic.while_making(source),
                        None => diagnostic,
                    });
                }
            }
        }
    }
    diagnostics
}

/// What keeps a page from being published, and what does not.
fn severity(problem: &Problem) -> Severity {
    match problem {
        Problem::JobWithoutPlace { .. } => Severity::Warning,
        _ => Severity::Error,
    }
}

/// Pages for which visitors download more than `site.yaml` allows, by their files.
fn over_budget(
    site: &Site,
    pages: &[Page],
    sealed: &[Sealed],
    files: &Files,
    cache: &Cache,
) -> BTreeMap<SourcePath, Vec<Diagnostic>> {
    let sizes = budgets::Sizes::of(cache);
    let file = |address: &str| {
        let path = address.strip_prefix(site.settings.base_path.as_str())?.trim_start_matches('/');
        let path = percent_decoded(path.split(['?', '#']).next().unwrap_or(path));
        files.get(&path).cloned()
    };
    // The engine's own page for unknown paths is not the site's to make smaller, and a proven page is under its budget.
    let reported = pages.par_iter().zip(sealed).filter_map(|(page, sealed)| {
        let (Some(source), Sealed::Fresh(fresh)) = (&page.source, sealed) else { return None };
        let over = budgets::check(&site.settings.budgets, &fresh.bytes, &fresh.facts, &file, &sizes);
        let reported =
            over.into_iter().map(|problem| Diagnostic::error(problem, Place::file(source))).collect::<Vec<_>>();
        (!reported.is_empty()).then(|| (source.clone(), reported))
    });
    reported.collect()
}

/// The page with its policy, and with what else a `<meta>` must say for this host. A page without a head can carry
/// none, which is an error of its own.
fn with_policy(html: &str, facts: &Facts, origin: &str, more: &str) -> Arc<[u8]> {
    let at = facts.policy_at.unwrap_or(0);
    let policy = policy::policy(facts, origin);
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{more}");
    // Filled in place: joining the parts first would copy every page once more.
    let mut page: Arc<[u8]> = std::iter::repeat_n(0, html.len() + meta.len()).collect();
    let room = Arc::get_mut(&mut page).expect("nobody else knows of it yet");
    room[..at].copy_from_slice(&html.as_bytes()[..at]);
    room[at..at + meta.len()].copy_from_slice(meta.as_bytes());
    room[at + meta.len()..].copy_from_slice(&html.as_bytes()[at..]);
    page
}
