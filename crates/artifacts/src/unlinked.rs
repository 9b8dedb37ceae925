//! Warnings of entries and feeds that no page links to.

use super::references::name_of;
use sitegen_content as content;
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::{Diagnostic, FeedProblem, LinkProblem, MOST, Place};
use sitegen_pages::PageSummary;
use std::collections::{BTreeSet, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

/// Warnings of entries whose pages no other page links to: only a feed or the sitemap leads visitors there. And of feeds that
/// none links to.
#[derive(Hash)]
pub struct Unlinked<'a> {
    /// Of this, what lists of pages can show.
    site: Digested<&'a content::Site>,
    /// Of these, the links to pages of entries.
    pages: Digested<&'a [Arc<PageSummary>]>,
}

impl<'a> Unlinked<'a> {
    /// Collects the links to pages of entries.
    pub fn new(site: &'a content::Site, pages: &'a [Arc<PageSummary>]) -> Self {
        let links: Vec<&[u64]> = pages.iter().map(|page| &*page.links.entries).collect();
        Unlinked { site: Digested::new(site, site.digest()), pages: Digested::by(pages, links) }
    }
}

impl Query for Unlinked<'_> {
    const KIND: &'static str = "entries and feeds without links";
    type Output = Vec<Diagnostic>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Vec<Diagnostic>, Infallible> {
        let is_made = |page: &&content::Page| page.made.as_ref().is_some_and(|made| made.number.is_some());
        let pages = &self.site.pages;
        if !pages.iter().any(|page| is_made(&page)) && pages.with_feed().is_empty() {
            return Ok(Vec::new());
        }
        let linked: HashSet<u64> = self.pages.iter().flat_map(|page| &*page.links.entries).copied().collect();
        let wrong = pages.iter().filter(is_made).filter(|page| {
            let is_meant = page.noindex() || !page.route.format().is_html();
            !is_meant && !linked.contains(&name_of(page.route.as_str()))
        });
        let warning = |page: &content::Page| {
            let entry = page.made.as_ref()?.entry.as_ref()?;
            let problem = LinkProblem::UnlinkedPage { route: page.route.to_string() };
            Some(Diagnostic::new(problem, Place::file(entry)))
        };
        Ok(wrong.filter_map(warning).take(MOST).chain(unlinked_feeds(&self.site, &linked)).collect())
    }
}

/// Warns of lists with a feed that no page links to. Of a file that makes several lists, the first is named.
fn unlinked_feeds(site: &content::Site, linked: &HashSet<u64>) -> Vec<Diagnostic> {
    let mut warned = BTreeSet::new();
    let mut diagnostics = Vec::new();
    for (page, _) in site.pages.with_feed() {
        let Some(feed) = page.outline.source.as_ref().and_then(|source| source.feed.as_ref()) else { continue };
        let prefix = &site.view(page).language.prefix;
        let mut addresses = feed.addresses(&page.route, prefix);
        let is_linked = feed.addresses(&page.route, prefix).any(|(_, address)| linked.contains(&name_of(&address)));
        if warned.contains(&page.source) || is_linked {
            continue;
        }
        warned.insert(&page.source);
        let Some((format, address)) = addresses.next() else { continue };
        let place = Place::new(&page.source, feed.span);
        let problem = FeedProblem::UnlinkedFeed { address, media_type: format.media_type(), name: format.name() };
        diagnostics.push(Diagnostic::new(problem, place));
    }
    diagnostics
}
