//! Pages with their policies, and what the rest of the site needs to know of them.

use super::composed::with_composed_names;
use super::derived::Pictures;
use super::facts::Facts;
use super::feed_files::is_feed;
use super::{Content, outputs, policy};
use sitegen_content as content;
use sitegen_content::connections::Kind;
use sitegen_content::settings::Settings;
use sitegen_core::cache::Key;
use sitegen_core::observe::{Observer, Work};
use sitegen_core::paths::{Format, Route, SourcePath};
use sitegen_core::sources::{Digest, digest, fingerprint};
use sitegen_pages::{CachedPage, Html, Page};
use sitegen_search as search;
use sitegen_styles::Styles;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Where browsers and programs look for an icon that no page names to them.
pub const ICON: &str = "favicon.ico";

/// Whether a path, with a slash before it, is that of a feed or of the icon. Whether there is one does not follow from what
/// the pages depend on that link to it.
pub fn is_optional(path: &str) -> bool {
    is_feed(path) || path.strip_prefix('/') == Some(ICON)
}

/// What a page links to, as far as the rest of the site has to know.
#[derive(Default)]
pub struct Linked {
    /// Sections of other pages: a route and an id each. Feeds and the icon: a path and nothing.
    pub sections: BTreeSet<(String, String)>,
    /// Pages of entries and feeds, by their `name_of`.
    pub entries: BTreeSet<u64>,
}

impl Linked {
    /// Adds what another part of the page links to.
    pub fn extend(&mut self, other: Linked) {
        self.sections.extend(other.sections);
        self.entries.extend(other.entries);
    }
}

/// The rule for pages that search engines must not see.
pub const NOINDEX: &str = "\n<meta name=\"robots\" content=\"noindex\">";

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
    pub policy: Range<usize>,
    /// Their digest.
    pub digest: Digest,
    /// The assets and copies of pictures that it names.
    pub pictures: Vec<String>,
    /// What the search knows of it, if the site has one.
    pub search: Option<Arc<search::Page>>,
}

impl Fresh {
    /// Returns what the cache keeps of the page.
    pub fn cached(self, linked: Linked) -> CachedPage {
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
    /// Returns the file of the page, for publishing.
    pub fn content(&self) -> Content {
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
    pub fn uses(&self, used: &(String, Kind)) -> bool {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.connections.contains(used),
            Sealed::Cached(cached) => cached.connections.contains(used),
        }
    }

    /// Returns the islands that the page loads, each with its `hydrate`.
    pub fn islands(&self) -> Box<dyn Iterator<Item = &(String, String)> + '_> {
        match self {
            Sealed::Fresh(fresh) => Box::new(fresh.facts.islands.iter()),
            Sealed::Cached(cached) => Box::new(cached.islands.iter()),
        }
    }

    /// Returns what the search knows of the page.
    pub fn search(&self) -> Option<&Arc<search::Page>> {
        match self {
            Sealed::Fresh(fresh) => fresh.search.as_ref(),
            Sealed::Cached(cached) => cached.search.as_ref(),
        }
    }

    /// Returns the assets and copies of pictures that the page names.
    pub fn pictures(&self) -> &[String] {
        match self {
            Sealed::Fresh(fresh) => &fresh.pictures,
            Sealed::Cached(cached) => &cached.pictures,
        }
    }

    /// Returns the digest of what decides whether cached pages link to sections that are there. The links of a fresh page
    /// are checked for themselves.
    pub fn anchors(&self) -> Digest {
        match self {
            Sealed::Fresh(fresh) => anchors(&fresh.facts.ids, &BTreeSet::new()),
            Sealed::Cached(cached) => cached.anchors,
        }
    }

    /// Whether an element of the page has this id.
    pub fn has_id(&self, id: &str) -> bool {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.ids.contains(id),
            Sealed::Cached(cached) => cached.ids.binary_search_by(|own| own.as_str().cmp(id)).is_ok(),
        }
    }

    /// Returns the ids of its elements.
    pub fn ids(&self) -> Vec<&str> {
        match self {
            Sealed::Fresh(fresh) => fresh.facts.ids.iter().map(String::as_str).collect(),
            Sealed::Cached(cached) => cached.ids.iter().map(String::as_str).collect(),
        }
    }
}

/// Reads the facts of a page and inserts its policy. The HTML without the policy is dropped, so only the page being
/// sealed is in memory twice.
pub fn seal_page(
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
                    if facts.is_decomposed {
                        *html = with_composed_names(html);
                        facts = Facts::of(html, &settings.connections);
                    }
                    facts.has_search &= settings.options.search;
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
            let is_searched = settings.options.search && page.route.format().is_html();
            let search = is_searched.then(|| Arc::new(search::Page::of(html, is_left_out(site, &page.route))));
            *html = String::new();
            let digest = digest(&bytes);
            Sealed::Fresh(Box::new(Fresh { facts, bytes, policy, digest, pictures, search }))
        }
    };
    observer.page_is_done();
    (page, sealed)
}

/// Whether a page is not searched: search engines are kept away from it too. The engine's own 404 page is not
/// among the pages of the site.
pub fn is_left_out(site: &content::Site, route: &Route) -> bool {
    site.pages.at(route.as_str()).is_none_or(content::Page::noindex)
}

/// Returns the page with its policy, and with what else a `<meta>` must say for this host, and where these are in it. A page
/// without a head cannot have one, which is an error of its own.
pub fn with_policy(html: &str, facts: &Facts, settings: &Settings, more: &str) -> (Arc<[u8]>, Range<usize>) {
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

/// Returns the digest of the ids of a page, and of the sections of others that it links to.
pub fn anchors(ids: &BTreeSet<String>, sections: &BTreeSet<(String, String)>) -> Digest {
    let mut key = Key::of("anchors").with(ids.len().to_le_bytes());
    ids.iter().for_each(|id| key.add(id));
    for (route, id) in sections {
        key.add(route);
        key.add(id);
    }
    key.done()
}

/// Returns the digest of the pages of entries that a page links to.
pub fn links<'e>(entries: impl IntoIterator<Item = &'e u64>) -> Digest {
    let mut key = Key::of("links");
    entries.into_iter().for_each(|entry| key.add(entry.to_le_bytes()));
    key.done()
}
