//! Holds every address of the finished site against what the site has.

use super::facts::{Facts, Purpose, Reference};
use crate::content::Site;
use crate::content::address::scheme_of;
use crate::diagnostics::{Diagnostic, Place, Problem, Span, nearest};
use crate::pages::{NOT_FOUND, Page};
use crate::paths::SourcePath;
use crate::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};

/// What the finished site has.
pub struct Targets<'a> {
    /// Ids by route.
    pub pages: BTreeMap<&'a str, &'a Facts>,
    /// Published files by their path from the site's root, with a slash before it.
    pub files: BTreeSet<String>,
}

/// Every reference of every page that leads nowhere. The same one on many pages is told once.
pub fn check(sources: &Sources, site: &Site, pages: &[Page], facts: &[Facts], targets: &Targets) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut told = BTreeSet::new();
    for (page, facts) in pages.iter().zip(facts) {
        for reference in &facts.references {
            let Some(problem) = problem_of(reference, page, site, targets) else { continue };
            let place = place_of(sources, page, &reference.address, site);
            if told.insert((place.clone(), reference.address.clone())) {
                let mut told = Diagnostic::error(problem, place);
                told.page =
                    page.source.clone().filter(|source| told.place.as_ref().is_some_and(|at| at.path != *source));
                found.push(told);
            }
        }
    }
    found
}

fn problem_of(reference: &Reference, page: &Page, site: &Site, targets: &Targets) -> Option<Problem> {
    let settings = &site.settings;
    let address = reference.address.as_str();
    let base = format!("{}{}", settings.origin, settings.base_path);
    let inside = match address.strip_prefix(&base).filter(|rest| rest.is_empty() || rest.starts_with(['/', '#', '?'])) {
        Some(rest) => rest,
        None if scheme_of(address).is_some() || address.starts_with("//") => return None,
        None if address.starts_with('/') => {
            // Another path of the same host is somebody else's.
            let rest = address.strip_prefix(settings.base_path.as_str())?;
            (rest.is_empty() || rest.starts_with(['/', '#', '?'])).then_some(rest)?
        }
        None => address,
    };
    let (inside, fragment) = inside.split_once('#').map_or((inside, None), |(path, fragment)| (path, Some(fragment)));
    let path = inside.split('?').next().unwrap_or_default();
    let path = match path {
        "" => page.route.as_str().to_owned(),
        path if path.starts_with('/') => path.to_owned(),
        // Addresses without a slash at their begin are relative to the page's folder.
        path => {
            let folder = page.route.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{folder}/{path}")
        }
    };
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
    let broken = |kind: &'static str, nearest: Option<&str>| {
        let nearest = nearest.map(str::to_owned);
        Some(Problem::BrokenReference { target: address.to_owned(), kind, nearest })
    };
    let Some(facts) = targets.pages.get(path).filter(|_| path != NOT_FOUND || page.route.as_str() == NOT_FOUND) else {
        if targets.files.contains(path) {
            return None;
        }
        return match reference.purpose {
            Purpose::Link | Purpose::Meta => broken("page", nearest(path, targets.pages.keys().copied())),
            _ => broken("file", nearest(path, targets.files.iter().map(String::as_str))),
        };
    };
    let fragment = fragment.filter(|fragment| !fragment.is_empty() && *fragment != "top")?;
    let fragment = percent_decoded(fragment);
    if facts.ids.contains(&fragment) {
        return None;
    }
    let nearest = nearest(&fragment, facts.ids.iter().map(String::as_str)).map(|id| {
        let page = if inside.is_empty() { String::new() } else { inside.to_owned() };
        format!("{page}#{id}")
    });
    broken("section", nearest.as_deref())
}

/// Where an address was written: in the page's own file, in a template, or in other content.
fn place_of(sources: &Sources, page: &Page, address: &str, site: &Site) -> Place {
    let inside = address.strip_prefix(site.settings.origin.as_str()).unwrap_or(address);
    let inside = inside.strip_prefix(site.settings.base_path.as_str()).unwrap_or(inside);
    let own = page.source.iter().cloned();
    let templates = sources.below("templates").map(|(path, _)| path.clone());
    let content = sources.below("content").map(|(path, _)| path.clone());
    let wanted = if inside.is_empty() { address } else { inside };
    for path in own.chain(templates).chain(content) {
        let Some(text) = sources.text(&path) else { continue };
        // A path may be the beginning of a longer one.
        let written = text.match_indices(wanted).find(|(at, _)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + wanted.len()..].chars().next();
            let goes_on =
                |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || "-_/#".contains(letter));
            !goes_on(before) && !goes_on(after)
        });
        if let Some((at, _)) = written {
            return Place::new(&path, Span::at(at, wanted.len()));
        }
    }
    Place::file(page.source.as_ref().unwrap_or(&SourcePath::new(crate::content::SITE_FILE)))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
