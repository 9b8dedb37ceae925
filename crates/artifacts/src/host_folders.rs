//! The files of each host, where languages have hosts of their own.
//!
//! While files are named, those of such a language are below its tag, as its routes are: `de/about.html`. In the end each host gets a
//! folder of the output that is a complete site (`hosts/apart.rs`): `en/` with the files of the language of the site and of all languages without a
//! host, and `de/` with the pages of that language, its own sitemap and rules for the host, and a copy of every file that pages of
//! all languages may need.

use super::files::{NOT_FOUND_FILE, SiteFiles};
use super::{feed_files, sitemap};
use sitegen_content::language_hosts::LanguageHost;
use sitegen_content::settings::Settings;
use sitegen_content::{NOT_FOUND, Site};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Which files a host has.
pub struct HostFolders<'s> {
    settings: &'s Settings,
    /// Files that every host has.
    shared: BTreeSet<String>,
}

impl<'s> HostFolders<'s> {
    /// Finds the files that every host has: all but pages and what is made from pages.
    pub fn of(site: &'s Site, files: &SiteFiles) -> Self {
        let (settings, feeds) = (&site.settings, feed_files::addresses(site));
        let mut shared = BTreeSet::new();
        if !settings.hosts.is_one() {
            // The 404 page of the engine has no links.
            shared.extend(site.pages.at(NOT_FOUND).is_none().then(|| NOT_FOUND_FILE.to_owned()));
            let others = files.others().map(|(path, _)| path.as_str());
            let is_shared = |path: &&str| {
                let address = format!("/{path}");
                settings.hosts.of_path(&address).is_none() && !feeds.contains(&address) && !sitemap::is_of_host(path)
            };
            shared.extend(others.filter(is_shared).map(str::to_owned));
        }
        HostFolders { settings, shared }
    }

    /// Whether every host has a file.
    pub fn is_shared(&self, path: &str) -> bool {
        self.shared.contains(path)
    }

    /// Returns what a file is called on a host, if that has it. `None` is the host of the site.
    pub fn name_on<'p>(&self, host: Option<&LanguageHost>, path: &'p str) -> Option<Cow<'p, str>> {
        let hosts = &self.settings.hosts;
        if hosts.is_one() {
            return Some(Cow::Borrowed(path));
        }
        let of = hosts.others().iter().find_map(|host| Some((host, path.strip_prefix(host.prefix.as_str())?)));
        match (of.filter(|(_, rest)| rest.starts_with('/') || *rest == ".html"), host) {
            (None, None) => Some(Cow::Borrowed(path)),
            (None, Some(_)) => self.shared.contains(path).then_some(Cow::Borrowed(path)),
            (Some((own, rest)), Some(host)) if own == host => Some(Cow::Borrowed(match rest {
                ".html" => "index.html",
                // Hosts look for the 404 page in the folder that they serve.
                "/404/index.html" => NOT_FOUND_FILE,
                rest => &rest[1..],
            })),
            (Some(_), _) => None,
        }
    }
}
