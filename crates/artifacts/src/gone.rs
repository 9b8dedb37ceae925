//! Finds addresses that were published before and are gone: links from elsewhere, bookmarks and search results still
//! lead there.

use super::feed_files::Named as EntryInFeed;
use super::files::NOT_FOUND_FILE;
use super::hosts::{RedirectRule, Rules};
use super::sitemap::ROBOTS;
use super::{Artifacts, Content, hosts};
use sitegen_content::SITE_FILE;
use sitegen_content::assets::FOLDER;
use sitegen_content::collections::slug_of;
use sitegen_content::languages::prefixed;
use sitegen_core::diagnostics::{AddressProblem, Diagnostic, FeedProblem, MOST, Place, nearest};
use sitegen_core::html;
use sitegen_core::parallel;
use sitegen_core::paths::{Format, OutputPath, SourcePath, percent_decoded};
use sitegen_core::sources::{Digest, SourceKind, Sources};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Reports pages, feeds and other files that pages make of an earlier publication, given the paths of its files, that the
/// site no longer has, that it does not redirect, and that `gone` does not name. Pages that are left out today, such as
/// expired ones, count as named, and so do further pages of a list that has become shorter.
///
/// `digest` gives the digest that a file had.
pub fn check(
    artifacts: &Artifacts,
    published: &BTreeSet<String>,
    digest: impl Fn(&str) -> Option<Digest>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for rules in all_rules(artifacts) {
        let site = EarlierAddresses { artifacts, rules, folder: folder(rules) };
        diagnostics.extend(gone_addresses(&site, published));
        diagnostics.extend(renamed_entries(&site, published, &digest));
    }
    diagnostics
}

/// Returns the rules of all hosts.
fn all_rules(artifacts: &Artifacts) -> impl Iterator<Item = &Rules> {
    [&artifacts.site.rules].into_iter().chain(&artifacts.site.rules_of_languages)
}

/// What a host has at the addresses of earlier sites.
struct EarlierAddresses<'a> {
    artifacts: &'a Artifacts,
    rules: &'a Rules,
    /// See [`folder`].
    folder: String,
}

impl EarlierAddresses<'_> {
    fn of_file(&self, file: &str) -> Option<String> {
        address(&self.folder, file)
    }

    /// Returns the path of the site that is at an address of the host.
    fn route(&self, address: &str) -> String {
        match self.artifacts.site.rules.root == self.rules.root {
            true => address.to_owned(),
            false => prefixed(&self.rules.root, address).into_owned(),
        }
    }

    fn is_there(&self, address: &str) -> bool {
        let page = address.trim_start_matches('/');
        let names = [page.to_owned(), format!("{page}.html"), format!("{page}/index.html")];
        address == "/" || names.iter().any(|name| self.artifacts.has(&format!("{}{name}", self.folder)))
    }

    fn is_left_out(&self, address: &str) -> bool {
        let address = self.route(address);
        let is_at = |hidden: &String| {
            let bare = hidden.trim_end_matches('/');
            hidden == &address || bare.strip_suffix(".html").unwrap_or(bare) == address
        };
        self.artifacts.site.left_out.iter().any(is_at)
    }

    fn redirect(&self, address: &str) -> Option<&RedirectRule> {
        self.rules.redirects.iter().find(|redirect| leads_from(&redirect.from, address))
    }

    fn is_gone(&self, address: &str) -> bool {
        self.rules.gone.iter().any(|gone| leads_from(gone, address))
    }

    /// Whether the settings or a schedule say what became of an address.
    fn is_explained(&self, address: &str) -> bool {
        let is_list = |address: &str| self.artifacts.site.lists.contains(&self.route(address));
        self.is_left_out(address)
            || self.is_gone(address)
            || self.redirect(address).is_some()
            || list_of(address).is_some_and(|list| is_list(list) || self.is_left_out(list) || self.is_gone(list))
            || feed_of(address).is_some_and(|list| self.is_left_out(list))
    }

    /// Returns where the list of a further page is now.
    fn list(&self, address: &str) -> Option<String> {
        let list = list_of(address)?;
        match self.redirect(list) {
            Some(redirect) => {
                let path = redirect.location.strip_prefix(&self.artifacts.site.base_path)?;
                Some(percent_decoded(path).into_owned())
            }
            None => self.is_there(list).then(|| list.to_owned()),
        }
    }
}

/// Whether a rule is for an address. A page that had `.html` in its address may be named by that.
fn leads_from(rule: &str, address: &str) -> bool {
    rule.strip_suffix(".html").unwrap_or(rule) == address || rule == address
}

/// Reports the addresses at which nothing is any more.
fn gone_addresses(site: &EarlierAddresses, published: &BTreeSet<String>) -> Vec<Diagnostic> {
    let before: BTreeSet<String> = published.iter().filter_map(|file| site.of_file(file)).collect();
    let is_lost = |address: &&String| !site.is_there(address) && !site.is_explained(address);
    let lost: BTreeSet<&String> = before.iter().filter(is_lost).collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let routes: Vec<String> = site.artifacts.files.iter().filter_map(|(path, _)| site.of_file(path.as_str())).collect();
    let new: BTreeSet<&String> = routes.iter().filter(|route| !before.contains(*route)).collect();
    let is_single = lost.len() == 1;
    let report = |address: &String| {
        let to = site.list(address).or_else(|| successor(address, &routes, &new, is_single));
        let to = to.map(|to| site.route(&to));
        let problem = AddressProblem::GoneAddress { address: site.route(address), to };
        Diagnostic::new(problem, Place::file(&SourcePath::new(SITE_FILE)))
    };
    lost.into_iter().take(MOST).map(report).collect()
}

/// Returns the address that has probably taken the place of one that is gone. `new` are those of `routes` that were not
/// published before; `is_single` tells whether no other address is gone.
fn successor(address: &str, routes: &[String], new: &BTreeSet<&String>, is_single: bool) -> Option<String> {
    // A page takes the place of a page, and a file that of one with the same extension.
    let is_alike = |route: &&String| Format::extension(route) == Format::extension(address);
    // A page that moved often keeps the last part of its address. One that was renamed is the only new one.
    let new = || new.iter().copied().filter(is_alike);
    let moved = || new().find(|route| split(route).1 == split(address).1).cloned();
    let renamed = || new().next().filter(|_| is_single && new().count() == 1).cloned();
    // With the folder that both have, any two short addresses are alike.
    let (folder, name) = split(address);
    let beside = || {
        let beside = routes.iter().filter(is_alike).map(|route| split(route)).filter(|(other, _)| *other == folder);
        nearest(name, beside.map(|(_, name)| name)).map(|name| format!("{folder}/{name}"))
    };
    let similar = || nearest(address, routes.iter().filter(is_alike).map(String::as_str)).map(str::to_owned);
    moved().or_else(renamed).or_else(beside).or_else(|| parent(address, routes)).or_else(similar)
}

/// Reports the entries of feeds whose pages have moved: feed readers take an entry with another name for a new one (RFC 4287,
/// 4.2.6).
fn renamed_entries(
    site: &EarlierAddresses,
    published: &BTreeSet<String>,
    digest: impl Fn(&str) -> Option<Digest>,
) -> Vec<Diagnostic> {
    let summary = &site.artifacts.site;
    let was_page = |address: &String| {
        let file = published.iter().find(|file| site.of_file(file).as_ref() == Some(address));
        // Without a host that redirects, a file does, and that was there before if it is the same.
        let is_other = |file: &str| match site.artifacts.files.get(file) {
            Some(content) => digest(file) != Some(content.digest()),
            None => true,
        };
        file.is_some_and(|file| is_other(file))
    };
    let report = |entry: &EntryInFeed| {
        let address = format!("{}{}", summary.base_path, entry.route);
        let leads_there = |redirect: &&RedirectRule| {
            percent_decoded(&redirect.location).trim_end_matches('/') == address.trim_end_matches('/')
        };
        let mut redirects = site.rules.redirects.iter().filter(leads_there);
        let moved = redirects.find(|redirect| was_page(&redirect.from))?;
        let problem = FeedProblem::FeedName { old: format!("{}{}", summary.base, moved.from) };
        Some(Diagnostic::new(problem, Place::file(&entry.source)))
    };
    summary.in_feeds.iter().filter_map(report).collect()
}

/// Returns the folder of the pages in the output, with a slash at its end.
fn folder(rules: &Rules) -> String {
    match &*rules.folder() {
        "" => String::new(),
        folder => format!("{folder}/"),
    }
}

/// Returns the address of a page by its file, or of a file that programs ask for again and again: XML, JSON and calendars,
/// which lists and pages make. Files with a digest in their names are not among them, and neither are those that the engine
/// writes anew for every host. Texts are no files to link to: most prove to a service who owns the site, and come and go.
fn address(folder: &str, file: &str) -> Option<String> {
    let page = file.strip_prefix(folder).filter(|page| *page != NOT_FOUND_FILE)?;
    if let Some(extension) = Format::extension(page) {
        if !["ics", "json", "xml"].contains(&extension) {
            return None;
        }
        let is_of_engine = page == ROBOTS
            || page.starts_with("sitemap") && page.ends_with(".xml")
            || page.strip_prefix(&FOLDER[1..]).is_some_and(|rest| rest.starts_with('/'))
            || hosts::is_for_hosts(page);
        return (!is_of_engine).then(|| format!("/{page}"));
    }
    let page = page.strip_suffix(".html")?;
    let page = page.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(page);
    Some(format!("/{}", page.trim_end_matches('/')))
}

/// Returns the folder of an address, and its last part.
fn split(address: &str) -> (&str, &str) {
    address.rsplit_once('/').unwrap_or(("", address))
}

/// Returns the address of the list that a page continues: `/news` of `/news/page/2`.
fn list_of(address: &str) -> Option<&str> {
    let (list, number) = address.rsplit_once("/page/")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(if list.is_empty() { "/" } else { list })
}

/// Returns the address of the list that a feed is of.
fn feed_of(address: &str) -> Option<&str> {
    let list = address.strip_suffix("/feed.xml").or_else(|| address.strip_suffix("/feed.json"))?;
    Some(if list.is_empty() { "/" } else { list })
}

/// Returns the nearest page that a page was below, other than the home page.
fn parent(address: &str, routes: &[String]) -> Option<String> {
    let mut parents = address.match_indices('/').rev().map(|(slash, _)| &address[..slash]);
    let is_page = Format::extension(address).is_none();
    parents.find(|parent| is_page && routes.iter().any(|route| route == parent)).map(str::to_owned)
}

/// The number of changed pages whose sections are compared. A build that changes more has another template, and what is
/// wrong with that shows in these.
const COMPARED: usize = 1000;

/// Warns of pages that have changed and lack headings of the last publication: links from elsewhere that name one lead
/// to the top of the page now. Nobody knows who links to a heading, so each counts.
///
/// `published` gives the text of a page as it was published.
pub fn sections(
    artifacts: &Artifacts,
    sources: &Sources,
    published: impl Fn(&str) -> Option<String> + Sync,
) -> Vec<Diagnostic> {
    let folder = folder(&artifacts.site.rules);
    let page = |(path, content): (&OutputPath, &Content)| {
        let route = address(&folder, path.as_str()).filter(|route| Format::extension(route).is_none())?;
        // Pages from the cache are as they were.
        let is_made = matches!(content, Content::Bytes { .. } | Content::Away { .. });
        is_made.then(|| (route, path.as_str().to_owned(), content.clone()))
    };
    let mut pages: Vec<_> = artifacts.files.iter().filter_map(page).collect();
    // A page may be there as two files.
    pages.sort_by(|a, b| a.0.cmp(&b.0));
    pages.dedup_by(|a, b| a.0 == b.0);
    pages.truncate(COMPARED);
    let compare = |(address, file, content): (String, String, Content)| {
        let bytes = content.made()?;
        let old = published(&file).filter(|old| old.as_bytes() != &*bytes)?;
        let new = std::str::from_utf8(&bytes).ok()?;
        let kept: BTreeSet<String> = ids(new, |_| true).collect();
        let sections: Vec<String> = ids(&old, is_heading).filter(|id| !kept.contains(id)).collect();
        let first = sections.first()?;
        let nearest =
            nearest(first, ids(new, is_heading).collect::<Vec<_>>().iter().map(String::as_str)).map(str::to_owned);
        let place = Place::file(&source(sources, &address));
        let problem = AddressProblem::GoneSection { address, sections, nearest };
        Some(Diagnostic::new(problem, place))
    };
    parallel::map_owned(pages, compare).into_iter().flatten().collect()
}

fn is_heading(tag: &str) -> bool {
    matches!(tag.as_bytes(), [b'h' | b'H', b'1'..=b'6'])
}

/// Returns the ids of some elements of a page, by their names.
fn ids(html: &str, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    html::tokens(html).filter_map(move |token| match token {
        html::Token::Start(tag) if is_wanted(tag.name) => tag.get("id").map(Cow::into_owned),
        _ => None,
    })
}

/// Returns the file that probably makes the page at an address, or else `site.yaml`.
fn source(sources: &Sources, address: &str) -> SourcePath {
    let name = address.trim_start_matches('/');
    let last = name.rsplit('/').next().unwrap_or_default();
    let makes_page = |path: &SourcePath| {
        let page = path.below("content/pages").and_then(|page| page.rsplit_once('.')).map(|(page, _)| page);
        page.is_some_and(|page| {
            page == name || page.strip_suffix("index").is_some_and(|rest| rest.trim_end_matches('/') == name)
        })
    };
    let mut pages = sources.of(SourceKind::Page).map(|(path, _)| path);
    let mut entries = sources.of(SourceKind::Entry).map(|(path, _)| path).filter(|path| slug_of(path) == last);
    let entry = || entries.next().filter(|_| !last.is_empty());
    pages.find(|path| makes_page(path)).or_else(entry).cloned().unwrap_or_else(|| SourcePath::new(SITE_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteSummary;
    use crate::hosts::Rules;
    use sitegen_core::diagnostics::{Problem, Severity};

    #[test]
    fn headings_that_are_gone_from_a_page_are_reported() {
        let old = "<h1 id=\"top\">A</h1><h2 id=\"prices\">B</h2><h2 id=\"hours\">C</h2><p id=\"note\"></p>";
        let new = "<h1 id=\"top\">A</h1><h2 id=\"price\">B</h2><section id=\"hours\"></section>";
        let site = Artifacts::from_files([("beer/index.html", new.as_bytes()), ("beer.html", new.as_bytes())]);
        let sources = Sources::from_files([("content/pages/beer.md", "")]);
        let reported = sections(&site, &sources, |_| Some(old.to_owned()));
        let [only] = &reported[..] else { panic!("{reported:?}") };
        let sections_gone = AddressProblem::GoneSection {
            address: "/beer".into(),
            sections: vec!["prices".into()],
            nearest: Some("price".into()),
        };
        assert_eq!((&*only.problem, only.severity), (&sections_gone.into(), Severity::Warning));
        assert_eq!(only.place.as_ref().unwrap().path.as_str(), "content/pages/beer.md");
        assert_eq!(sections(&site, &sources, |_| Some(new.to_owned())), []);
        assert_eq!(sections(&site, &sources, |_| None), []);
    }

    #[test]
    fn addresses_that_nothing_takes_the_place_of_are_reported() {
        let files = ["index.html", "404.html", "a.html", "a/index.html", "new/b/index.html", "feed.xml"];
        let redirect = RedirectRule { number: 0, from: "/moved".into(), location: "/a".into(), status: 301 };
        let rules = Rules { redirects: vec![redirect], gone: vec!["/gone".into()], ..Rules::default() };
        let left_out = ["/expired", "/news/tags/mill"].map(str::to_owned).to_vec();
        let summary = SiteSummary { rules, left_out, lists: vec!["/a".into()], ..Default::default() };
        let site = Artifacts { site: summary, ..Artifacts::from_files(files.map(|name| (name, &b""[..]))) };
        let published = |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let lost = |names: &[&str]| -> Vec<(String, Option<String>)> {
            let reported = check(&site, &published(names), |_| None).into_iter().map(|each| match *each.problem {
                Problem::Address(AddressProblem::GoneAddress { address, to }) => (address, to),
                other => panic!("{other:?}"),
            });
            reported.collect()
        };
        let kept = ["index.html", "404.html", "a/index.html", "moved.html", "gone/index.html", "expired.html", "x.css"];
        assert_eq!(lost(&kept), []);
        let of_lists = ["a/page/2.html", "a/page/10/index.html", "news/tags/mill/page/2.html", "gone/page/2.html"];
        assert_eq!(lost(&of_lists), []);
        let of_engine =
            ["owner.txt", "sitemap.xml", "sitemap-2.xml", "robots.txt", "vercel.json", "assets/a.0123456789ab.json"];
        assert_eq!(lost(&of_engine), []);
        assert_eq!(lost(&["feed.xml", "news/tags/mill/feed.xml", "expired/feed.json"]), []);
        assert_eq!(lost(&["a/feed.json"]), [("/a/feed.json".to_owned(), None)]);
        assert_eq!(lost(&["s.json"]), [("/s.json".to_owned(), None)]);
        // A page that is there and lists nothing any more, and one that is redirected.
        assert_eq!(lost(&["new/b/page/2.html"]), [("/new/b/page/2".to_owned(), Some("/new/b".to_owned()))]);
        assert_eq!(lost(&["moved/page/2.html"]), [("/moved/page/2".to_owned(), Some("/a".to_owned()))]);
        // Nothing moves to a page that was there before; what it was below is nearer.
        let tag = ["index.html", "new/b/index.html", "a.html", "a/tags/b.html"];
        assert_eq!(lost(&tag), [("/a/tags/b".to_owned(), Some("/a".to_owned()))]);
        assert_eq!(lost(&["old/b.html", "old/b/index.html"]), [("/old/b".to_owned(), Some("/new/b".to_owned()))]);
        assert_eq!(lost(&["zzzzzzzz.html"]), [("/zzzzzzzz".to_owned(), None)]);
        let renamed = ["index.html", "new/b/index.html", "zzzzzzzz.html"];
        assert_eq!(lost(&renamed), [("/zzzzzzzz".to_owned(), Some("/a".to_owned()))]);
    }
}
