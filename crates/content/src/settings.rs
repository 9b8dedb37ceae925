//! The part of `site.yaml` that the engine acts on, and what follows from it for one destination.

use super::connections::Connections;
use super::hosting::Hosting;
use super::language_hosts::LanguageHosts;
use super::options::{Options, SiteKeys};
use super::typed;
pub use super::web_address::split_base_url;
use super::yaml::Node;
use sitegen_core::diagnostics::{AddressProblem, Diagnostic, Place};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Destination;
use url::Url;

/// The checked settings of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The scheme and host of the site's address, without a slash at the end: `https://www.example.com`.
    pub origin: String,
    /// The path of the site on that host: empty, or like `/docs`.
    pub base_path: String,
    /// The host of the site, and those of languages that have one of their own.
    pub hosts: LanguageHosts,
    /// The host's name in `url`, if the site is built for another one.
    pub other_host: Option<String>,
    /// Whether search engines must not see the site.
    pub staging: bool,
    /// The language of the texts, a BCP 47 tag.
    pub language: String,
    /// The name of the site.
    pub name: String,
    /// What pages may talk to.
    pub connections: Connections,
    /// What the host is asked to do.
    pub hosting: Hosting,
    /// What the site chooses under the key `settings`.
    pub options: Options,
}

impl Settings {
    /// Returns the absolute address of a path of the site.
    pub fn absolute(&self, path: &str) -> String {
        self.hosts.absolute(path)
    }

    /// Reads the settings from `site.yaml`. A default replaces a wrong one, so that the mistakes of other files are
    /// reported in the same run; nothing is published then.
    pub fn of(path: &SourcePath, data: &Node, destination: Destination, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut keys: SiteKeys = typed::read(data);
        let url = destination.base_url.unwrap_or(&keys.url.value);
        let (origin, base_path) = split_base_url(url).unwrap_or_else(|| {
            let problem = AddressProblem::BadBaseUrl { value: url.to_owned() };
            diagnostics.push(Diagnostic::new(problem, Place::new(path, keys.url.span)));
            ("https://www.example.com".to_owned(), String::new())
        });
        let own = split_base_url(&keys.url.value).map(|(own, _)| host_name(&own));
        let other_host = own.filter(|own| !own.eq_ignore_ascii_case(&host_name(&origin)));
        let connections = Connections::of(path, &keys.settings.connections, &origin, diagnostics);
        let hosting = Hosting::of(path, &keys, destination, origin.starts_with("https:"), &connections, diagnostics);
        let hosts = match destination.one_host {
            true => LanguageHosts::new(&origin, &base_path),
            false => LanguageHosts::of(&keys, (&origin, &base_path), |problem, span| {
                diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
            }),
        };
        keys.settings.pictures.correct(|problem, span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        });
        keys.settings.deploy.check(|problem, span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        });
        let SiteKeys { language, name, settings: options, .. } = keys;
        let staging = destination.staging;
        Settings { origin, base_path, hosts, other_host, staging, language, name, connections, hosting, options }
    }
}

/// Returns the name of the host in an origin: `www.example.com` of `https://www.example.com:8443`. Empty if it is none.
pub fn host_name(origin: &str) -> String {
    Url::parse(origin).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_host_has_no_port() {
        for (origin, name) in [
            ("https://www.a.example", "www.a.example"),
            ("http://127.0.0.1:8000", "127.0.0.1"),
            ("http://[::1]:8000", "[::1]"),
        ] {
            assert_eq!(host_name(origin), name);
        }
    }

    #[test]
    fn a_base_url_has_a_host_and_perhaps_a_path() {
        let split = |url| split_base_url(url).map(|(origin, path)| format!("{origin} {path}"));
        assert_eq!(split("https://a.example").as_deref(), Some("https://a.example "));
        assert_eq!(split("https://WWW.Bücher.example:443/A").as_deref(), Some("https://www.xn--bcher-kva.example /A"));
        assert_eq!(split("http://127.0.0.1:8000/docs/").as_deref(), Some("http://127.0.0.1:8000 /docs"));
        for wrong in [
            "a.example",
            "https://x..example",
            "https://-x.example",
            "https://x-.example",
            "https://",
            "ftp://a",
            "https://a b",
            "https://a/?q",
            "https://a/../b",
            "https://a//b",
            "https:///a",
            "https://me@a",
            "https://a#b",
            "https:a",
            "https://a/%41",
            "https://a\\b",
            " https://a",
            "https://a:99999",
        ] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }
}
