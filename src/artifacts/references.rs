//! Holds every address of the finished site against what the site has.

use super::facts::{Facts, Purpose, Reference};
use crate::content::address::{SCHEMES, scheme_of};
use crate::content::schedule::State;
use crate::content::settings::Settings;
use crate::diagnostics::{Problem, nearest};
use crate::pages::{NOT_FOUND, Page};
use crate::paths::Route;
use std::collections::{BTreeMap, BTreeSet};

/// What the finished site has.
pub struct Targets<'a> {
    /// Ids by route.
    pub pages: BTreeMap<&'a str, &'a Facts>,
    /// Published files by their path from the site's root, with a slash before it.
    pub files: BTreeSet<String>,
    /// Routes that are left out on this day.
    pub hidden: &'a BTreeMap<Route, State>,
}

/// What is wrong with a reference of a page, if anything is.
pub fn check(reference: &Reference, page: &Page, settings: &Settings, targets: &Targets) -> Option<Problem> {
    let address = reference.address.as_str();
    let base = format!("{}{}", settings.origin, settings.base_path);
    let own = address.strip_prefix(&base).filter(|rest| rest.is_empty() || rest.starts_with(['/', '#', '?']));
    let inside = match own {
        Some(rest) => rest,
        None if scheme_of(address).is_some() || address.starts_with("//") => return outside(reference),
        None if address.starts_with('/') => {
            let below = address.strip_prefix(settings.base_path.as_str());
            match below.filter(|rest| rest.is_empty() || rest.starts_with(['/', '#', '?'])) {
                Some(rest) => rest,
                None => {
                    // Another path of the same host is somebody else's, unless it is one of ours without the base.
                    let path = address.split(['#', '?']).next().unwrap_or(address);
                    let is_ours = targets.pages.contains_key(path) || targets.files.contains(path);
                    let (target, base_path) = (address.to_owned(), settings.base_path.clone());
                    return is_ours.then_some(Problem::OutsideBase { target, base_path });
                }
            }
        }
        None => address,
    };
    let (path, fragment) = inside.split_once('#').map_or((inside, None), |(path, fragment)| (path, Some(fragment)));
    let path = path.split('?').next().unwrap_or_default();
    let path = match path {
        "" => page.route.as_str().to_owned(),
        path if path.starts_with('/') => percent_decoded(path),
        // Hosts answer at `/careers` or at `/careers/`, and browsers resolve such an address differently for each.
        path => {
            let folder = page.route.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
            let absolute = format!("{folder}/{}", path.trim_start_matches("./"));
            let exists = targets.pages.contains_key(absolute.as_str()) || targets.files.contains(&absolute);
            return Some(Problem::RelativeLink { target: address.to_owned(), absolute: exists.then_some(absolute) });
        }
    };
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
    let target = address.to_owned();
    let owned = |nearest: Option<&str>| nearest.map(str::to_owned);
    let Some(facts) = targets.pages.get(path).filter(|_| path != NOT_FOUND || page.route.as_str() == NOT_FOUND) else {
        if targets.files.contains(path) {
            return None;
        }
        if let Some(state) = targets.hidden.iter().find(|(route, _)| route.as_str() == path).map(|(_, state)| state) {
            let reason = match state {
                State::Waiting(first) => format!("its first day is {first}"),
                State::Expired(last) => format!("its last day was {last}"),
                State::Draft | State::Shown => "it is a draft".to_owned(),
            };
            return Some(Problem::Hidden { target, reason });
        }
        let is_page = !reference.purpose.is_loaded() && !path.rsplit('/').next().unwrap_or_default().contains('.');
        return Some(if is_page {
            Problem::BrokenLink {
                target,
                nearest: owned(nearest(path, targets.pages.keys().copied().filter(|route| *route != NOT_FOUND))),
            }
        } else {
            Problem::BrokenFile { target, nearest: owned(nearest(path, targets.files.iter().map(String::as_str))) }
        });
    };
    // Browsers scroll to the top for these two (HTML Standard 7.4.6.4).
    let fragment = fragment.filter(|fragment| !fragment.is_empty() && !fragment.eq_ignore_ascii_case("top"))?;
    let fragment = percent_decoded(fragment);
    if facts.ids.contains(&fragment) {
        return None;
    }
    let nearest = nearest(&fragment, facts.ids.iter().map(String::as_str))
        .map(|id| format!("{}#{id}", &inside[..inside.find('#').unwrap_or(0)]));
    let page = if path == page.route.as_str() { "this page".to_owned() } else { format!("`{path}`") };
    Some(Problem::BrokenSection { target, page, nearest })
}

/// Addresses of other sites are held against their form only; a build asks nobody.
fn outside(reference: &Reference) -> Option<Problem> {
    let address = &reference.address;
    let scheme = scheme_of(address).unwrap_or_else(|| "https".to_owned());
    if reference.purpose == Purpose::Link && !SCHEMES.contains(&scheme.as_str()) {
        return Some(Problem::UnsafeAddress { address: address.clone() });
    }
    if reference.purpose.is_loaded() && !matches!(scheme.as_str(), "https" | "http" | "data") {
        return Some(Problem::UnsafeAddress { address: address.clone() });
    }
    if !matches!(scheme.as_str(), "https" | "http") {
        let is_empty = address.len() <= scheme.len() + 1;
        return is_empty.then(|| Problem::BadAddress { address: address.clone() });
    }
    let rest = address.strip_prefix("//").or_else(|| address.get(scheme.len() + 1..)?.strip_prefix("//"));
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default()).unwrap_or_default();
    // A user's name before the host would be no source of a policy; browsers drop what is none.
    let name = host;
    let is_host = !name.is_empty()
        && !name.starts_with('.')
        && !name.contains("..")
        && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '-' | ':' | '[' | ']' | '_'));
    if !is_host || address.contains(char::is_whitespace) {
        return Some(Problem::BadAddress { address: address.clone() });
    }
    let is_mixed = scheme == "http" && reference.purpose.is_loaded();
    is_mixed.then(|| Problem::MixedContent { address: address.clone() })
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
