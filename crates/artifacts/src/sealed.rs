//! Pages with their policies, and what the rest of the site needs to know of them.

use super::composed::with_composed_names;
use super::derived::Pictures;
use super::facts::Facts;
use super::feed_files::is_feed;
use super::{Content, glyphs, outputs, policy};
use sitegen_content as content;
use sitegen_content::settings::Settings;
use sitegen_core::cache::digest_of;
use sitegen_core::observe::{Observer, Work};
use sitegen_core::paths::{Format, Route, SourcePath};
use sitegen_core::shelf::{FilePart, Shelf, Stored};
use sitegen_core::sources::{digest, fingerprint};
use sitegen_pages::{Links, Originals, Page, PageSummary, Texts};
use sitegen_search as search;
use sitegen_styles::Styles;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Where browsers and programs look for an icon that no page names to them.
pub const ICON: &str = "favicon.ico";

/// Whether a path, with a slash before it, is that of a feed or of the icon. Whether there is one does not follow from what
/// the pages depend on that link to it.
pub fn is_optional(path: &str) -> bool {
    is_feed(path) || path.strip_prefix('/') == Some(ICON)
}

/// What the references of a page lead to, while they are checked. See [`Links`].
#[derive(Default)]
pub struct Linked {
    /// See [`Links::sections`].
    pub sections: BTreeSet<(String, String)>,
    /// See [`Links::entries`].
    pub entries: BTreeSet<u64>,
}

impl From<Linked> for Links {
    fn from(linked: Linked) -> Self {
        // A tree of one link takes ten times as much memory, and these are kept of all pages.
        let sections = linked.sections.iter().map(|(route, id)| (route.as_str(), id.as_str()));
        Links::new(sections, Vec::from_iter(linked.entries))
    }
}

impl Linked {
    /// Adds what another part of the page links to.
    pub fn extend(&mut self, mut other: Linked) {
        // Moves all of them at once where there are none yet.
        self.sections.append(&mut other.sections);
        self.entries.append(&mut other.entries);
    }
}

/// The rule for pages that search engines must not see.
pub const NOINDEX: &str = "\n<meta name=\"robots\" content=\"noindex\">";

/// A finished page.
pub struct Sealed {
    /// What the rest of the site needs to know of it.
    pub summary: Arc<PageSummary>,
    /// Its facts, if it was rendered in this build. Any other was checked in an earlier one.
    pub fresh: Option<Fresh>,
}

/// The facts of a page and where the policy is in it, until its references are checked.
pub enum Fresh {
    /// In memory.
    Here(Box<(Facts, Range<usize>)>),
    /// As `postcard` encodes them.
    Away(FilePart),
}

/// The places of what sealing gives.
pub struct Shelves {
    /// For facts.
    pub facts: Shelf,
    /// For finished pages.
    pub pages: Shelf,
}

impl Fresh {
    fn on(shelf: &Shelf, facts: Facts, policy: Range<usize>) -> Self {
        let fresh = (facts, policy);
        let encode = || postcard::to_stdvec(&fresh).ok().and_then(|bytes| shelf.write(&bytes));
        // Nearly all pages are without mistakes; these have more in them than can be encoded.
        let stays = !fresh.0.mistakes.is_empty() || shelf.has_room(fresh.0.size());
        let part = if stays { None } else { encode() };
        part.map_or_else(|| Fresh::Here(Box::new(fresh)), Fresh::Away)
    }

    /// Returns the facts, and where the policy is. Fails if the disk does.
    pub fn facts(&self) -> io::Result<Cow<'_, (Facts, Range<usize>)>> {
        match self {
            Fresh::Here(fresh) => Ok(Cow::Borrowed(fresh)),
            Fresh::Away(part) => postcard::from_bytes(&part.read()?).map(Cow::Owned).map_err(io::Error::other),
        }
    }
}

impl Sealed {
    /// Returns the file of the page, for publishing.
    pub fn content(&self) -> Content {
        let PageSummary { digest, fingerprint, len, ref bytes, .. } = *self.summary;
        match bytes {
            Some(Stored::Here(bytes)) => Content::Bytes { bytes: bytes.clone(), digest: Some(digest) },
            Some(Stored::Away(part)) => Content::Away { part: part.clone(), digest, fingerprint },
            None => Content::Kept { digest, fingerprint, len },
        }
    }

    /// Returns the summary with what the page links to, and forgets the facts. The summary of an earlier build has its links.
    pub fn linking_to(&mut self, links: Links) -> Arc<PageSummary> {
        let fresh = self.fresh.take();
        if let Some(summary) = Arc::get_mut(&mut self.summary).filter(|_| fresh.is_some()) {
            summary.anchors = digest_of(&(&summary.ids, links.sections().collect::<Vec<_>>()));
            summary.links = links;
        }
        self.summary.clone()
    }
}

/// Reads the facts of a page and inserts its policy. The HTML without the policy is dropped, so only the page being
/// sealed is in memory twice. Fails if the disk does.
pub fn seal_page(
    page: &mut Page,
    site: &content::Site,
    (styles, css): (&Styles, &str),
    base: &str,
    meta: &str,
    (pictures, shelves, originals): (&Pictures, &Shelves, Option<&Originals>),
    observer: &dyn Observer,
) -> io::Result<Sealed> {
    let settings = &site.settings;
    if let Some(summary) = page.summary.clone() {
        observer.page_is_done();
        return Ok(Sealed { summary, fresh: None });
    }
    let _work = Work::on_page(observer, "seal a page", page.source.as_ref().map_or("404", SourcePath::as_str));
    let mut html = page.html.take()?;
    let (mut facts, (bytes, policy)) = match page.route.format() {
        Format::Html => {
            let originals = originals.and_then(|originals| originals.of_page(page.route.as_str()));
            let read = |html: &str| Facts::read_with(html, &settings.connections, originals.as_ref());
            let mut facts = read(&html);
            if facts.is_decomposed {
                html = with_composed_names(&html);
                facts = read(&html);
            }
            facts.has_search &= settings.options.search;
            facts.check_styles(&html, styles, css);
            if let Some(fonts) = &styles.fonts {
                let language = facts.language.as_ref().map_or("", |(_, language)| language);
                facts.mistakes.extend(glyphs::missing(&html, language, fonts));
            }
            // The template may say it itself, and more than that.
            let is_kept_out = !settings.staging && !facts.has_robots && is_left_out(site, &page.route);
            let more = if is_kept_out { format!("{meta}{NOINDEX}") } else { meta.to_owned() };
            let host = settings.hosts.of_path(page.route.as_str()).map(|(host, _)| host);
            let origin = host.map_or(settings.origin.as_str(), |host| &host.origin);
            let sealed = with_policy(&html, &facts, settings, origin, &more);
            (facts, sealed)
        }
        format => {
            let bytes = Arc::from(outputs::finish(format, &html).as_bytes());
            (outputs::facts(format, &html, base), (bytes, 0..0))
        }
    };
    let is_searched = settings.options.search && page.route.format().is_html();
    let ids: Texts = std::mem::take(&mut facts.ids).iter().map(String::as_str).collect();
    let summary = PageSummary {
        digest: digest(&bytes),
        fingerprint: fingerprint(&bytes),
        len: bytes.len() as u64,
        anchors: digest_of(&ids),
        ids,
        links: Links::default(),
        islands: facts.islands.iter().cloned().collect(),
        connections: facts.connections.iter().cloned().collect(),
        pictures: pictures.named_in(&html, Some(&facts)).into(),
        search: is_searched.then(|| Arc::new(search::Page::read(&html, is_left_out(site, &page.route)))),
        bytes: Some(shelves.pages.put(bytes)),
    };
    observer.page_is_done();
    let fresh = Some(Fresh::on(&shelves.facts, facts, policy));
    Ok(Sealed { summary: Arc::new(summary), fresh })
}

/// Whether a page is not searched: search engines are kept away from it too. The engine's own 404 page is not
/// among the pages of the site.
pub fn is_left_out(site: &content::Site, route: &Route) -> bool {
    site.pages.at(route.as_str()).is_none_or(content::Page::noindex)
}

/// Returns the page with its policy, and with what else a `<meta>` must say for this host, and where these are in it. A page
/// without a head cannot have one, which is an error of its own.
/// `origin` is the host of the page.
pub fn with_policy(
    html: &str,
    facts: &Facts,
    settings: &Settings,
    origin: &str,
    more: &str,
) -> (Arc<[u8]>, Range<usize>) {
    let at = facts.policy_at.unwrap_or(0);
    let policy = policy::policy(facts, origin, &settings.connections);
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{more}");
    // Filled in place: joining the parts first would copy every page once more.
    let mut page: Arc<[u8]> = std::iter::repeat_n(0, html.len() + meta.len()).collect();
    let target = Arc::get_mut(&mut page).expect("nobody else knows of it yet");
    target[..at].copy_from_slice(&html.as_bytes()[..at]);
    target[at..at + meta.len()].copy_from_slice(meta.as_bytes());
    target[at + meta.len()..].copy_from_slice(&html.as_bytes()[at..]);
    (page, at..at + meta.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_content::connections::Connections;

    /// Returns facts that have everything in them that is checked later.
    fn facts() -> Facts {
        let html = "<!doctype html><html lang=de><head><meta charset=utf-8><title>a</title>\
             <link rel=canonical href=https://a.test/><link rel=alternate hreflang=en href=https://a.test/en>\
             <style>a { background: url(/b.png) }</style></head><body><main><h1 id=a>a</h1>\
             <picture><source media='(min-width: 600px)' srcset='/c.webp 480w, /d.webp 800w' sizes='(min-width: 9px) 50vw, 720px'>\
             <img src=/e.png alt=e></picture><a href='/x#y'>x</a>\
             <div data-island=A data-modules=/a.js>a</div></main></body></html>";
        let mut facts = Facts::read(html, &Connections::default());
        facts.mistakes.clear();
        facts
    }

    #[test]
    fn facts_that_do_not_fit_into_memory_come_back_with_what_is_checked() {
        let shelf = Shelf::in_folder(std::env::temp_dir());
        assert!(matches!(Fresh::on(&shelf, facts(), 3..8), Fresh::Here(_)));
        while shelf.has_room(1 << 8) {}
        let fresh = Fresh::on(&shelf, facts(), 3..8);
        assert!(matches!(fresh, Fresh::Away(_)));
        let (here, away) = (facts(), fresh.facts().unwrap());
        let (away, policy) = &*away;
        assert_eq!((&away.references, policy), (&here.references, &(3..8)));
        assert!(here.references.len() > 6 && !here.offers.is_empty() && !here.alternates.is_empty());
        assert_eq!((&away.pictures, &away.offers, &away.media), (&here.pictures, &here.offers, &here.media));
        assert_eq!(
            (&away.language, &away.canonical, &away.hreflangs),
            (&here.language, &here.canonical, &here.hreflangs)
        );
        assert_eq!((&away.alternates, &away.languages), (&here.alternates, &here.languages));
        assert_eq!((&away.styles, &away.styles_at, &away.islands), (&here.styles, &here.styles_at, &here.islands));
        assert_eq!((away.policy_at, away.has_robots), (here.policy_at, here.has_robots));
    }

    #[test]
    fn facts_with_mistakes_stay_in_memory() {
        let shelf = Shelf::in_folder(std::env::temp_dir());
        while shelf.has_room(1 << 8) {}
        let wrong = Facts::read("<p onclick=x>a</p>", &Connections::default());
        let count = wrong.mistakes.len();
        let fresh = Fresh::on(&shelf, wrong, 0..0);
        assert!(count > 0 && fresh.facts().unwrap().0.mistakes.len() == count);
    }
}
