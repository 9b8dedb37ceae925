//! The hosts of languages that have one of their own: `languages.de.url` in `site.yaml`.
//!
//! A route begins with the tag of such a language as that of any other does, `/de/about`, so that it is the same everywhere in the
//! engine. What differs is the address that a route has: `https://www.firm.de/about`, or `/about` in a page of that host.

use super::options::SiteKeys;
use super::web_address::split_base_url;
use sitegen_core::diagnostics::{LanguageProblem, Problem, Span};
use sitegen_core::paths::in_ascii;
use std::borrow::Cow;

/// A language with a host of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LanguageHost {
    /// The first part of the routes of the language, and the folder of the output for the host.
    pub prefix: String,
    /// The scheme and the name of the host, without a slash at the end.
    pub origin: String,
}

/// The hosts of a site: that of `url`, and those of languages. The path of the site is the same on all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LanguageHosts {
    /// The scheme and the name of the host of the site.
    origin: String,
    /// The path of the site on each: empty, or like `/docs`.
    base_path: String,
    others: Vec<LanguageHost>,
}

impl LanguageHosts {
    /// Returns that of the site alone.
    pub fn new(origin: &str, base_path: &str) -> Self {
        LanguageHosts { origin: origin.to_owned(), base_path: base_path.to_owned(), others: Vec::new() }
    }

    /// Reads those of languages from `site.yaml`. `site` is the origin and the path of the site.
    pub(super) fn of(keys: &SiteKeys, site: (&str, &str), mut report: impl FnMut(Problem, Span)) -> Self {
        let mut hosts: Vec<LanguageHost> = Vec::new();
        for (tag, language) in &keys.languages.0 {
            let Some(url) = &language.url else { continue };
            let is_own = tag.value.eq_ignore_ascii_case(&keys.language);
            let taken = |origin: &str| origin == site.0 || hosts.iter().any(|host| host.origin == origin);
            let reason = match split_base_url(&url.value) {
                _ if is_own => Some("the address of the language of the site is that of the site, `url`".to_owned()),
                None => Some("write it like `https://www.firm.de`".to_owned()),
                Some((origin, _)) if taken(&origin) => Some(
                    "another language has this host; leave `url` out for a language that is on the host of the site"
                        .to_owned(),
                ),
                Some((_, path)) if path != site.1 => Some(match site.1 {
                    "" => "write the host alone, without a path; `url` has none either".to_owned(),
                    path => format!("write the path `{path}` behind the host; `url` has it too"),
                }),
                Some((origin, _)) => {
                    hosts.push(LanguageHost { prefix: tag.value.to_ascii_lowercase(), origin });
                    None
                }
            };
            if let Some(reason) = reason {
                report(LanguageProblem::LanguageUrl { value: url.value.clone(), reason }.into(), url.span);
            }
        }
        LanguageHosts { others: hosts, ..LanguageHosts::new(site.0, site.1) }
    }

    /// Returns those of languages.
    pub fn others(&self) -> &[LanguageHost] {
        &self.others
    }

    /// Whether all languages are on the host of the site.
    pub fn is_one(&self) -> bool {
        self.others.is_empty()
    }

    /// Returns the host of the language with a prefix, if it has one of its own.
    pub fn with_prefix(&self, prefix: &str) -> Option<&LanguageHost> {
        self.others.iter().find(|host| host.prefix == prefix)
    }

    /// Returns the host of its own that a path of the site is on, and the path there. The path may have a query and a fragment.
    pub fn of_path<'p>(&self, path: &'p str) -> Option<(&LanguageHost, Cow<'p, str>)> {
        self.others.iter().find_map(|host| {
            let rest = path.strip_prefix('/')?.strip_prefix(host.prefix.as_str())?;
            let is_below = rest.is_empty() || rest.starts_with(['/', '#', '?']);
            let path = if rest.starts_with('/') { Cow::Borrowed(rest) } else { Cow::Owned(format!("/{rest}")) };
            is_below.then_some((host, path))
        })
    }

    /// Returns a path of a host with that of the site before it.
    pub fn below(&self, path: &str) -> String {
        [&*self.base_path, path].concat()
    }

    /// Returns the absolute address of a path of the site. Letters outside ASCII are encoded, since not everything that reads
    /// sitemaps and feeds encodes them as browsers do (<https://www.sitemaps.org/protocol.html>, "Entity escaping").
    pub fn absolute(&self, path: &str) -> String {
        let path = &*in_ascii(path);
        match self.of_path(path) {
            Some((host, path)) => [&*host.origin, &*self.base_path, &*path].concat(),
            None => [&*self.origin, &*self.base_path, path].concat(),
        }
    }

    /// Returns the address of a route as a page of a language has it: absolute if it is on another host. `prefix` is that of the
    /// language.
    pub fn address(&self, route: &str, prefix: &str) -> String {
        if self.is_one() {
            return self.below(route);
        }
        let own = self.with_prefix(prefix);
        match self.of_path(route) {
            Some((host, path)) if own == Some(host) => self.below(&path),
            None if own.is_none() => self.below(route),
            _ => self.absolute(route),
        }
    }
}
