//! Finds addresses that were published before and are gone: links from elsewhere, bookmarks and search results still
//! lead there.

use super::Artifacts;
use super::feed_files::Named;
use super::files::NOT_FOUND_FILE;
use crate::content::SITE_FILE;
use crate::diagnostics::{Diagnostic, MOST, Place, Problem, Severity, nearest};
use crate::paths::SourcePath;
use crate::sources::Digest;
use std::collections::BTreeSet;

/// Reports pages of an earlier publication, given the paths of its files, that the site no longer has, that it does not
/// redirect, and that `gone` does not name. Pages that are left out today, such as expired ones, count as named.
///
/// `digest` gives the digest that a file had.
pub fn check(
    artifacts: &Artifacts,
    published: &BTreeSet<String>,
    digest: impl Fn(&str) -> Option<Digest>,
) -> Vec<Diagnostic> {
    let folder = match artifacts.rules.folder() {
        "" => String::new(),
        folder => format!("{folder}/"),
    };
    let address = |file: &str| {
        let page = file.strip_prefix(&folder).filter(|page| *page != NOT_FOUND_FILE)?.strip_suffix(".html")?;
        let page = page.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(page);
        Some(format!("/{}", page.trim_end_matches('/')))
    };
    let is_there = |address: &str| {
        let page = address.trim_start_matches('/');
        let names = [page.to_owned(), format!("{page}.html"), format!("{page}/index.html")];
        address == "/" || names.iter().any(|name| artifacts.has(&format!("{folder}{name}")))
    };
    let is_named = |address: &String| {
        artifacts.left_out.contains(address)
            || artifacts.rules.gone.contains(address)
            || artifacts.rules.redirects.iter().any(|redirect| redirect.from == *address)
    };
    let lost: BTreeSet<String> = published
        .iter()
        .filter_map(|file| address(file))
        .filter(|address| !is_there(address) && !is_named(address))
        .collect();
    let routes: Vec<String> = if lost.is_empty() {
        Vec::new()
    } else {
        artifacts.files.iter().filter_map(|(path, _)| address(path.as_str())).collect()
    };
    let reported = lost.into_iter().take(MOST).map(|address| {
        // A page that moved often keeps the last part of its address.
        let last = |address: &str| address.rsplit('/').next().unwrap_or_default().to_owned();
        let moved = routes.iter().find(|route| last(route) == last(&address)).cloned();
        let to = moved.or_else(|| nearest(&address, routes.iter().map(String::as_str)).map(str::to_owned));
        Diagnostic::error(Problem::GoneAddress { address, to }, Place::file(&SourcePath::new(SITE_FILE)))
    });
    let mut diagnostics: Vec<Diagnostic> = reported.collect();
    // Readers of feeds take an entry with another name for a new one (RFC 4287, 4.2.6).
    let moved = |named: &&Named| {
        let own = format!("{}{}", artifacts.base_path, named.route);
        let mut redirects =
            artifacts.rules.redirects.iter().filter(|redirect| redirect.location.trim_end_matches('/') == own);
        let was_page = |from: &String| {
            let file = published.iter().find(|file| address(file).as_ref() == Some(from));
            // Without a host that redirects, a file does, and that was there before if it is the same.
            file.is_some_and(|file| artifacts.files.get(file).is_none_or(|own| digest(file) != Some(own.digest())))
        };
        redirects.find(|redirect| was_page(&redirect.from)).map(|old| old.from.clone())
    };
    diagnostics.extend(artifacts.in_feeds.iter().filter_map(|named| {
        let old = format!("{}{}", artifacts.base, moved(&named)?);
        let problem = Problem::FeedName { old };
        Some(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(problem, Place::file(&named.source)) })
    }));
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifacts::hosts::{RedirectRule, Rules};

    #[test]
    fn addresses_that_nothing_takes_the_place_of_are_reported() {
        let files = ["index.html", "404.html", "a.html", "a/index.html", "new/b/index.html", "feed.xml"];
        let redirect = RedirectRule { from: "/moved".into(), location: "/a".into(), status: 301 };
        let rules = Rules { redirects: vec![redirect], gone: vec!["/gone".into()], ..Rules::default() };
        let site = Artifacts::from_files(files.map(|name| (name, &b""[..])));
        let site = Artifacts { rules, left_out: vec!["/expired".into()], ..site };
        let published = |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let lost = |names: &[&str]| -> Vec<(String, Option<String>)> {
            let reported = check(&site, &published(names), |_| None).into_iter().map(|each| match *each.problem {
                Problem::GoneAddress { address, to } => (address, to),
                other => panic!("{other:?}"),
            });
            reported.collect()
        };
        let kept = ["index.html", "404.html", "a/index.html", "moved.html", "gone/index.html", "expired.html", "x.css"];
        assert_eq!(lost(&kept), []);
        assert_eq!(lost(&["old/b.html", "old/b/index.html"]), [("/old/b".to_owned(), Some("/new/b".to_owned()))]);
        assert_eq!(lost(&["zzzzzzzz.html"]), [("/zzzzzzzz".to_owned(), None)]);
    }
}
