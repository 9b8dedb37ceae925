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
mod check;
mod composed;
pub mod derived;
mod direction;
mod element;
mod facts;
pub mod feed_files;
mod feeds;
mod files;
mod glyphs;
pub mod gone;
mod host_folders;
pub mod hosts;
mod languages;
mod markup;
mod mistakes;
mod named;
mod outputs;
mod placed;
mod policy;
mod references;
mod sealed;
mod sections;
mod sitemap;
pub mod snapshot;
mod unlinked;
mod unused;

use budgets::PageBudgets;
use check::{CheckedPage, check};
use derived::{Derived, Pictures};
pub use files::file_names;
use files::{NOT_FOUND_FILE, SiteFiles};
use host_folders::HostFolders;
use hosts::Rules;
use mistakes::PageMistake;
use named::{NamedFiles, Others, name_files};
use parking_lot::Mutex;
use placed::placed;
use references::{Suggestions, Targets};
use sealed::{Fresh, Sealed, Shelves, seal_page};
use sections::Sections;
use serde::{Deserialize, Serialize};
use sitegen_content as content;
use sitegen_content::language_hosts::LanguageHost;
use sitegen_content::schedule::Schedule;
use sitegen_content::settings::Settings;
use sitegen_core::cache::Digested;
use sitegen_core::diagnostics::{Checked, Diagnostic, HostProblem, Place, Problem};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{OutputPath, Route, media_type};
use sitegen_core::shelf::FilePart;
use sitegen_core::sources::{Body, Digest, Fingerprint, LargeFile, Source, digest};
use sitegen_core::tools::scratch;
use sitegen_islands::Cost;
use sitegen_pages::{self as pages, Inputs, NOT_FOUND, Originals, Page, PageSummary, Pages, Part};
use sitegen_search as search;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use unlinked::Unlinked;
use unused::unused_connections;
use url::Url;

/// The finished site: every file by its path.
#[derive(Clone, Debug, Default)]
pub struct Artifacts {
    files: SiteFiles,
    /// What is known of the site besides its files.
    pub site: SiteSummary,
    /// What each island costs.
    pub costs: Vec<Cost>,
    /// The errors that `suppressions.json` suppresses, for logs that name them. A site from a snapshot has none.
    pub suppressed: Vec<Diagnostic>,
}

/// What is known of a finished site besides its files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SiteSummary {
    /// The digest of the styles and islands in it, which depend on packages as well as on sources.
    pub bundles: Digest,
    /// The path of the site on its host: empty, or like `/docs`.
    pub base_path: String,
    /// The number of pages.
    pub pages: usize,
    /// The number of errors that `suppressions.json` suppresses.
    pub suppressed: usize,
    /// What was left out.
    pub schedule: Schedule,
    /// The islands that pages have, each with the values of `hydrate` by which they are called.
    pub calls: BTreeSet<(String, String)>,
    /// The rules for the host.
    pub rules: Rules,
    /// Those for the hosts of languages that have one of their own.
    pub rules_of_languages: Vec<Rules>,
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
        /// The complete file.
        bytes: Arc<[u8]>,
        /// Their digest, so that nothing is hashed twice.
        digest: Option<Digest>,
    },
    /// A finished page that did not fit into memory.
    Away {
        /// Its bytes.
        part: FilePart,
        /// Their digest.
        digest: Digest,
        /// Their fingerprint.
        fingerprint: Fingerprint,
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
            Body::Text(text) => Content::Bytes { bytes: text.clone().into(), digest: Some(source.digest) },
            Body::Bytes(bytes) => Content::Bytes { bytes: bytes.clone(), digest: Some(source.digest) },
            Body::Large(file) => Content::Large(file.clone()),
            Body::Away(away) => Content::Bytes { bytes: away.text().into(), digest: Some(source.digest) },
        }
    }

    /// Returns the bytes, if they are in memory.
    pub fn bytes(&self) -> Option<&Arc<[u8]>> {
        match self {
            Content::Bytes { bytes, .. } => Some(bytes),
            Content::Away { .. }
            | Content::Large(_)
            | Content::Deferred(_)
            | Content::Index(_)
            | Content::Kept { .. } => None,
        }
    }

    /// Returns the bytes of what this build has made, from memory or from where they were put for want of room.
    pub fn made(&self) -> Option<Arc<[u8]>> {
        match self {
            Content::Bytes { bytes, .. } => Some(bytes.clone()),
            Content::Away { part, .. } => Some(part.read().ok()?.into()),
            Content::Large(_) | Content::Deferred(_) | Content::Index(_) | Content::Kept { .. } => None,
        }
    }

    /// Returns the bytes or the large file that has them. `None` if only the output folder has them, or nobody yet.
    pub fn body(&self) -> Option<Body> {
        match self {
            Content::Bytes { .. } | Content::Away { .. } => self.made().map(Body::Bytes),
            Content::Large(file) => Some(Body::Large(file.clone())),
            Content::Index(index) => index.entry().cloned().map(Body::Bytes),
            Content::Deferred(_) | Content::Kept { .. } => None,
        }
    }

    /// Returns the size in bytes; zero for a file that was not made yet.
    pub fn len(&self) -> u64 {
        match self {
            Content::Bytes { bytes, .. } => bytes.len() as u64,
            Content::Away { part, .. } => part.len(),
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
            Content::Bytes { digest: Some(digest), .. }
            | Content::Away { digest, .. }
            | Content::Kept { digest, .. } => *digest,
            Content::Large(file) => file.digest,
            Content::Deferred(derived) => *derived.key(),
            Content::Index(index) => index.digest(),
            Content::Bytes { bytes, digest: None } => digest(bytes),
        }
    }
}

impl Artifacts {
    /// Returns every file in the order of its path, for publishing.
    pub fn contents(&self) -> impl Iterator<Item = (&OutputPath, &Content)> {
        self.files.iter()
    }

    /// Returns the headers that the site's host sends with a file, by name and value: the policy of `site.yaml` and how
    /// long browsers may cache the file. The server itself adds `Content-Type`, `ETag` and the like. The page for
    /// unknown paths, `404.html`, has the same headers. Empty for a host that takes no rules.
    ///
    /// `Strict-Transport-Security` is among them for a site whose `url` is https; browsers ignore it in responses over
    /// plain http (RFC 6797, 8.1).
    pub fn headers(&self, path: &OutputPath) -> Vec<(String, String)> {
        self.site.rules.headers(path)
    }

    /// Returns the same files for the host and below the path that a site's settings name.
    pub fn hosted(self, settings: &Settings) -> Self {
        let (rules, rules_of_languages) = (Rules::new(settings), Rules::of_languages(settings));
        let site = SiteSummary { rules, rules_of_languages, base_path: settings.base_path.clone(), ..self.site };
        Artifacts { site, ..self }
    }

    /// Returns the same files with the rules of a language that has a host of its own, by the number of those.
    pub fn on_host_of(&self, number: usize) -> Option<Self> {
        let rules = self.site.rules_of_languages.get(number)?.clone();
        Some(Artifacts { site: SiteSummary { rules, ..self.site.clone() }, ..self.clone() })
    }

    /// Returns status and `Location` for a path that the site's host redirects. `path` is what follows the base path in
    /// the address, without query: `/old`, with or without a slash at the end. The location has the base path in it;
    /// the query of the request is kept unless the location has one (see the files of each host).
    ///
    /// `None` for a host that cannot redirect: there the site has redirect pages at these paths.
    pub fn redirect(&self, path: &str) -> Option<(u16, String)> {
        self.site.rules.redirect(path)
    }

    /// Whether the host reads a file and visitors do not get it: a server answers 404 for it.
    pub fn is_private(&self, path: &OutputPath) -> bool {
        self.site.rules.is_private(path.as_str())
    }

    /// Returns the address of a file on its host: `/docs/a.png` of `a.png` where the site is below `/docs`.
    pub fn address(&self, path: &OutputPath) -> String {
        match &*self.site.rules.folder() {
            "" => format!("{}/{path}", self.site.base_path),
            _ => format!("/{path}"),
        }
    }

    /// Returns every file whose bytes are in memory, in the order of its path, with its media type. Unless the site
    /// comes from a snapshot, that is every file but those that stay on the disk, of a site that fits into memory.
    pub fn iter(&self) -> impl Iterator<Item = (&OutputPath, &Arc<[u8]>, &'static str)> {
        self.files.iter().filter_map(|(path, content)| Some((path, content.bytes()?, media_type(path.as_str()))))
    }

    /// Creates a site of the given files, without pages.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let content = |bytes: &[u8]| Content::Bytes { bytes: Arc::from(bytes), digest: None };
        Artifacts::new(files.into_iter().map(|(path, bytes)| (OutputPath::new(path), content(bytes))))
    }

    /// Creates a site of files with this content, without pages.
    pub fn new(files: impl IntoIterator<Item = (OutputPath, Content)>) -> Self {
        Artifacts { files: SiteFiles::without_pages(files.into_iter().collect()), ..Artifacts::default() }
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
        let path = match &*self.site.rules.folder() {
            "" => path,
            folder => path.strip_prefix(folder)?.strip_prefix('/')?,
        };
        let all = search::is_index(path).then(|| self.files.others());
        all.into_iter().flatten().find_map(|(_, content)| match content {
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

/// Seals the site. See the module for its passes.
pub fn seal(inputs: Inputs, pages: Pages) -> Checked<Artifacts> {
    let Inputs { site, islands, tools, .. } = inputs;
    let _work = Work::on(tools.observer(), "seal");
    let Pages { all: pages, chunks, bundles } = pages;
    // 1. facts, 2. policies
    let (pages, mut sealed, others) = match seal_pages(inputs, pages) {
        Ok(sealed) => sealed,
        Err(diagnostics) => return Checked::failed(diagnostics),
    };
    // 3. files
    let NamedFiles { mut naming, faults, mut diagnostics } = name_files(inputs, &pages, &sealed, others);
    let calls = sealed.iter().flat_map(|page| &page.summary.islands).cloned().collect();

    // 4. mistakes
    let (mut checked, mistakes_of_site, over) = check_pages(inputs, &pages, &sealed, naming.files(), &faults);
    diagnostics.extend(mistakes_of_site);
    let with_links = |(sealed, (_, links)): (&mut Sealed, &mut CheckedPage)| sealed.linking_to(std::mem::take(links));
    let summaries = parallel::map_owned(sealed.iter_mut().zip(&mut checked).collect(), with_links);
    drop(sealed);
    let mistakes: Vec<Vec<PageMistake>> = checked.into_iter().map(|(mistakes, _)| mistakes).collect();
    let Ok(unlinked) = tools.cache().query(&Unlinked::new(site, &summaries));
    diagnostics.extend(unlinked.iter().cloned());
    let is_valid = |page: &Page, mistakes: &[PageMistake]| {
        mistakes.is_empty() && page.source.is_some() && !over.contains_key(&page.route)
    };
    store_valid(inputs, &pages, &chunks, summaries.into_iter().zip(&mistakes), is_valid);
    diagnostics.extend(placed(inputs, &pages, mistakes, naming.files()));
    diagnostics.extend(over.into_values().flatten());

    // 5. host
    let rules = Rules::new(&site.settings);
    let taken: BTreeSet<Option<Place>> =
        diagnostics.iter().filter(|diagnostic| is_taken(diagnostic)).map(|taken| taken.place.clone()).collect();
    // The file of a redirect from where something is would be a second mistake.
    let folders = HostFolders::of(site, naming.files());
    let of_languages = Rules::of_languages(&site.settings);
    let hosts_of_languages = site.settings.hosts.others().iter().map(Some);
    let all: Vec<(Option<&LanguageHost>, &Rules)> =
        [(None, &rules)].into_iter().chain(hosts_of_languages.zip(&of_languages)).collect();
    for (host, rules) in &all {
        let problems = hosts::add(rules, site, *host, &folders, &mut naming);
        diagnostics.extend(problems.into_iter().filter(|each| !taken.contains(&each.place)));
    }
    let files = match &*rules.folder() {
        _ if !of_languages.is_empty() => hosts::apart(&folders, naming.files(), &all),
        "" => naming.done(),
        folder => naming.done().below(folder, |path| path == NOT_FOUND_FILE || rules.is_private(path)),
    };
    let site = SiteSummary { calls, ..summary_of(site, &pages, (rules, of_languages), bundles) };
    Checked::new(Artifacts { files, site, costs: islands.costs.clone(), suppressed: Vec::new() }, diagnostics)
}

/// What was made of a [`Part`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartBuilt {
    /// The pages of the part.
    pub pages: usize,
    /// The pages of the site.
    pub all_pages: usize,
    /// The files of the part that are made from others, such as copies of pictures.
    pub files: usize,
    /// Those of the site.
    pub all_files: usize,
}

/// Renders the pages of a part, and makes its share of the files that the pages of the whole site ask for, all through the cache
/// that machines share. What is wrong with finished pages and with pictures is reported by the build that publishes them.
pub fn make_part(inputs: Inputs, part: Part) -> Checked<PartBuilt> {
    let Inputs { site, sources, tools, .. } = inputs;
    let has_files = Pictures::new(site, sources, tools.cache()).makes_files();
    let chunks = site.pages.chunks();
    let of_part = chunks.iter().skip(part.number).step_by(part.count);
    let mut built = PartBuilt {
        pages: of_part.map(|chunk| chunk.pages.len()).sum(),
        all_pages: chunks.iter().map(|chunk| chunk.pages.len()).sum(),
        ..PartBuilt::default()
    };
    pages::render_part(inputs, part, has_files).then(|pages| {
        if has_files {
            let (_, sealed, others) = match seal_pages(inputs, pages.all) {
                Ok(sealed) => sealed,
                Err(diagnostics) => return Checked::failed(diagnostics),
            };
            let derived = named::derived_files(inputs, &sealed, &others);
            built.all_files = derived.len();
            let share = derived::share(derived, part);
            built.files = share.len();
            derived::make(share, tools);
        }
        Checked::new(built, Vec::new())
    })
}

/// Returns the full address of the home page, without a slash at the end.
fn base_of(settings: &Settings) -> String {
    format!("{}{}", settings.origin, settings.base_path)
}

/// Checks every page against the rest of the site. What is wrong with the site as a whole comes with it, and by their routes the
/// pages for which visitors download too much.
fn check_pages(
    inputs: Inputs,
    pages: &[Page],
    sealed: &[Sealed],
    files: &SiteFiles,
    faults: &BTreeMap<String, Problem>,
) -> (Vec<CheckedPage>, Vec<Diagnostic>, BTreeMap<Route, Vec<Diagnostic>>) {
    let Inputs { site, tools, .. } = inputs;
    let base = base_of(&site.settings);
    let targets = Targets {
        url: Url::parse(&base).ok(),
        base,
        site,
        sealed,
        files,
        faults,
        unshowable: site.assets.iter().filter_map(|asset| Some((asset.file.as_str(), asset.unshowable()?))).collect(),
        feeds: feed_files::addresses(site),
        suggestions: Suggestions::default(),
    };
    let checking = Work::on(tools.observer(), "references");
    // React's development build is several times as large, and no visitor gets it.
    let budgets = (!inputs.profile.development).then(|| PageBudgets::new(inputs, files));
    let all_over = Mutex::new(BTreeMap::new());
    let check_one = |number: usize| {
        let (page, sealed) = (&pages[number], &sealed[number]);
        let report = |over: Vec<Diagnostic>| all_over.lock().insert(page.route.clone(), over);
        let fresh = match sealed.fresh.as_ref().map(Fresh::facts) {
            None => return CheckedPage::default(),
            Some(Err(error)) => {
                report(vec![scratch::failure("read", &error)]);
                return CheckedPage::default();
            }
            Some(Ok(fresh)) => fresh,
        };
        let over = budgets.as_ref().and_then(|budgets| budgets.check(page, sealed, &fresh)).unwrap_or_default();
        if !over.is_empty() {
            report(over);
        }
        check(page, &fresh.0, &site.settings, &targets)
    };
    let checked: Vec<CheckedPage> = parallel::map_numbers(pages.len(), check_one);
    let over = all_over.into_inner();
    drop(checking);
    let mut diagnostics = hosts::redirect_mistakes(site, &targets);
    let rules = Rules::new(&site.settings);
    diagnostics.extend(hosts::redirected_paths(site, &rules, files));
    diagnostics.extend(languages::hidden_not_found(site, &rules));
    // The address of a page with a mistake may be misspelt.
    if !checked.iter().any(|(mistakes, _)| mistakes.iter().any(PageMistake::is_error)) {
        diagnostics.extend(unused_connections(inputs, sealed));
    }
    (checked, diagnostics, over)
}

/// Returns what is known of the finished site, but for the calls of islands.
fn summary_of(
    site: &content::Site,
    pages: &[Page],
    (rules, rules_of_languages): (Rules, Vec<Rules>),
    bundles: Digest,
) -> SiteSummary {
    let settings = &site.settings;
    let is_counted = |page: &&Page| page.route.as_str() != NOT_FOUND && page.route.format().is_html();
    let is_list = |page: &&content::Page| {
        let list = page.made.as_ref().and_then(|made| made.list.as_ref());
        list.is_some_and(|list| list.number == 1) && page.route.format().is_html()
    };
    let base = base_of(settings);
    let other_host =
        settings.other_host.clone().map(|own| OtherHost { address: base.clone(), own, staging: settings.staging });
    SiteSummary {
        bundles,
        base_path: settings.base_path.clone(),
        pages: pages.iter().filter(is_counted).count(),
        suppressed: 0,
        schedule: site.schedule.clone(),
        calls: BTreeSet::new(),
        rules,
        rules_of_languages,
        left_out: site.pages.hidden().keys().map(ToString::to_string).collect(),
        lists: site.pages.iter().filter(is_list).map(|page| page.route.to_string()).collect(),
        in_feeds: feed_files::named(site),
        base,
        other_host,
    }
}

/// Whether a redirect begins where something is.
fn is_taken(diagnostic: &Diagnostic) -> bool {
    matches!(*diagnostic.problem, Problem::Host(HostProblem::RedirectTaken { .. }))
}

/// Reads the facts of all pages and gives each its policy. What other files are made of comes with them.
fn seal_pages(inputs: Inputs, mut pages: Vec<Page>) -> Result<(Vec<Page>, Vec<Sealed>, Others), Vec<Diagnostic>> {
    let Inputs { site, styles, tools, .. } = inputs;
    let observer = tools.observer();
    let meta = hosts::meta(&site.settings);
    let base = base_of(&site.settings);
    let pictures = Pictures::new(site, inputs.sources, tools.cache());
    let css = styles.below(&site.settings.base_path);
    let shelves = Shelves { facts: tools.shelf(), pages: tools.shelf() };
    let originals = Originals::of(inputs);
    let with = (&pictures, &shelves, originals.as_ref());
    let seal_all = |pages: &mut Vec<Page>| {
        let seal = |page: &mut Page| seal_page(page, site, (styles, &css), &base, &meta, with, observer);
        let sealed: io::Result<Vec<Sealed>> = parallel::map_mut(pages, seal).into_iter().collect();
        sealed.map_err(|error| vec![scratch::failure("read", &error)])
    };
    // A page that lists all others takes one thread as long as the sitemap takes another.
    let ((sitemap, (feeds, of_feeds)), all_sealed) =
        parallel::join(|| (sitemap::files(site, tools.cache()), feed_files::files(inputs)), || seal_all(&mut pages));
    let mut sealed = all_sealed?;
    // A page that links to a section that is gone has to be rendered, to find the line that wrote the link.
    let anchors: Vec<Digest> = sealed.iter().map(|page| page.summary.anchors).collect();
    let sealed_pages = Digested::by(&sealed[..], anchors);
    let files = sections::optional_files(site, &feeds, &sealed);
    let sections = Sections { site: Digested::new(site, site.pages.digest()), sealed: sealed_pages, files };
    let stale = tools.cache().query(&sections).err().unwrap_or_default();
    let stale: BTreeSet<Route> = stale.into_iter().map(|number| pages[number].route.clone()).collect();
    if !stale.is_empty() {
        let Checked { value, diagnostics } = pages::render_uncached(inputs, &stale);
        let Some(mut anew) = value else { return Err(diagnostics) };
        let numbers: BTreeMap<Route, usize> =
            pages.iter().enumerate().map(|(number, page)| (page.route.clone(), number)).collect();
        let sealed_anew = seal_all(&mut anew.all)?;
        for (page, fresh) in anew.all.into_iter().zip(sealed_anew) {
            let Some(number) = numbers.get(&page.route) else { continue };
            (pages[*number], sealed[*number]) = (page, fresh);
        }
    }
    Ok((pages, sealed, Others { pictures, sitemap, feeds, of_feeds }))
}

/// Stores the new pages that are valid, by the summaries and mistakes of all, and the new chunks of which all pages are.
fn store_valid<'m>(
    inputs: Inputs,
    pages: &[Page],
    chunks: &[Digest],
    summaries: impl Iterator<Item = (Arc<PageSummary>, &'m Vec<PageMistake>)>,
    is_valid: impl Fn(&Page, &[PageMistake]) -> bool,
) {
    let cache = inputs.tools.cache();
    let valid = pages.iter().zip(summaries).map(|(page, (summary, mistakes))| {
        let is_known = page.summary.is_some();
        let is_valid = is_known || is_valid(page, mistakes);
        let key = page.key.filter(|_| is_valid && !is_known);
        key.inspect(|key| cache.store_saved(*key, summary.clone()));
        is_valid.then_some(summary)
    });
    let valid: Vec<Option<Arc<PageSummary>>> = valid.collect();
    let grouped = inputs.site.pages.by_chunk(pages.iter().zip(valid));
    for (key, chunk) in chunks.iter().zip(grouped) {
        let (pages, valid): (Vec<&Page>, Vec<Option<Arc<PageSummary>>>) = chunk.into_iter().unzip();
        // A page has a key if its chunk was not in the cache.
        let parts: Vec<Digest> = pages.into_iter().filter_map(|page| page.key).collect();
        let valid = valid.into_iter().collect::<Option<Vec<_>>>().filter(|_| !parts.is_empty());
        if let Some(valid) = valid {
            cache.store_group(*key, Arc::new(valid), parts);
        }
    }
}
