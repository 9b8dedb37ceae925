//! Maps paths to files as each host does, and gives the redirects that hosts make by themselves.
//!
//! | Host | Source |
//! |---|---|
//! | Netlify | measured by github.com/slorber/trailing-slash-guide, "Pretty Urls on", which is how a site is set at first |
//! | Cloudflare Pages | the host's own code as wrangler runs it: @cloudflare/pages-shared, asset-server/handler.ts |
//! | Vercel | the host's own code: @vercel/routing-utils, src/superstatic.ts, with the `vercel.json` of a build |
//! | nginx, Caddy | the `try_files` of the files that a build writes |
//! | GitHub Pages | measured by github.com/slorber/trailing-slash-guide |
//!
//! `tests/real-hosts` compares all of this with the hosts' own programs.

use crate::artifacts::Artifacts;
use crate::artifacts::hosts::Rules;
use crate::profile::Host;

/// What a host does with a path.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// It sends this file.
    File(String),
    /// It redirects to another path, with this status. The query is kept.
    Redirect(u16, String),
    /// It sends the 404 page.
    Nothing,
}

/// Returns what a host does before it applies the site's redirects. `path` begins with a slash, its escapes are
/// replaced.
pub fn before_redirects(rules: &Rules, path: &str) -> Option<Target> {
    if rules.host != Host::Vercel || path == "/" {
        return None;
    }
    // `cleanUrls` comes before `trailingSlash`, and neither checks whether the file exists.
    if rules.is_file_alone {
        let clean = rules.clean(path.trim_end_matches('/'));
        if clean != path.trim_end_matches('/') {
            return Some(Target::Redirect(308, clean.to_owned()));
        }
    }
    path.strip_suffix('/').map(|path| Target::Redirect(308, path.to_owned()))
}

/// Returns what a host does with a path of the output folder that the site does not redirect.
pub fn find(artifacts: &Artifacts, path: &str) -> Target {
    let has = |name: &str| artifacts.has(name) && !artifacts.rules.is_private(name);
    let name = &path[1..];
    let index =
        format!("{}index.html", if name.is_empty() || name.ends_with('/') { name.into() } else { format!("{name}/") });
    let bare = name.trim_end_matches('/');
    let html = format!("{bare}.html");
    let is_folder = name.is_empty() || name.ends_with('/');
    let file = |name: &str| Target::File(name.to_owned());
    match artifacts.rules.host {
        Host::None | Host::GithubPages => match is_folder {
            true if has(&index) => file(&index),
            true => Target::Nothing,
            false if has(name) => file(name),
            false if has(&html) => file(&html),
            false if has(&index) => Target::Redirect(301, format!("{path}/")),
            false => Target::Nothing,
        },
        Host::Netlify => match is_folder {
            true if !bare.is_empty() && has(&html) => Target::Redirect(301, format!("/{bare}")),
            true if has(&index) => file(&index),
            true => Target::Nothing,
            false if has(name) => file(name),
            false if has(&html) => file(&html),
            false if has(&index) => Target::Redirect(301, format!("{path}/")),
            false => Target::Nothing,
        },
        Host::CloudflarePages => cloudflare(&has, path),
        Host::Vercel => match artifacts.rules.is_file_alone {
            true if name.is_empty() => file("index.html"),
            true if has(&html) => file(&html),
            true if has(name) && !name.ends_with(".html") => file(name),
            true if has(&index) => file(&index),
            true => Target::Nothing,
            false if has(name) => file(name),
            false if has(&index) => file(&index),
            false => Target::Nothing,
        },
        // `/404` is the 404 page, and has its status.
        Host::Nginx | Host::Caddy if matches!(name, "404" | "404.html") => Target::Nothing,
        Host::Nginx | Host::Caddy => match is_folder {
            true if has(&index) => file(&index),
            true => Target::Nothing,
            false if has(&html) => file(&html),
            false if has(name) => file(name),
            false if has(&index) => file(&index),
            false => Target::Nothing,
        },
    }
}

/// Each page has one address, and all others redirect to it: with a slash for `careers/index.html`, else without.
fn cloudflare(has: &dyn Fn(&str) -> bool, path: &str) -> Target {
    let lead = |to: &str| Target::Redirect(308, to.to_owned());
    let exists = |path: &str| has(&path[1..]);
    if let Some(bare) = path.strip_suffix('/') {
        let page = format!("{}.html", path.trim_end_matches('/'));
        return match path.strip_suffix("/index/") {
            _ if exists(&format!("{path}index.html")) => Target::File(format!("{path}index.html")[1..].to_owned()),
            Some(folder) => lead(&format!("{folder}/")),
            None if page.len() > "/.html".len() && exists(&page) => lead(bare),
            None => Target::Nothing,
        };
    }
    if exists(path) {
        return match path.strip_suffix(".html") {
            Some(page) => match page.strip_suffix("/index") {
                Some(folder) => lead(&format!("{folder}/")),
                None if exists(page) => Target::File(path[1..].to_owned()),
                None => lead(page),
            },
            None => Target::File(path[1..].to_owned()),
        };
    }
    match path.strip_suffix("/index") {
        Some(folder) => lead(&format!("{folder}/")),
        None if exists(&format!("{path}.html")) => Target::File(format!("{path}.html")[1..].to_owned()),
        None if exists(&format!("{path}/index.html")) => lead(&format!("{path}/")),
        None => Target::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each host does with `/file`, `/file/`, `/file.html`, `/folder`, `/folder/`, `/folder/index.html`, `/both`,
    /// `/both/`, `/both.html` and `/both/index.html`: the columns of the guide, `=` for the page itself.
    #[test]
    fn hosts_do_what_was_measured() {
        let paths = [
            "/file",
            "/file/",
            "/file.html",
            "/folder",
            "/folder/",
            "/folder/index.html",
            "/both",
            "/both/",
            "/both.html",
            "/both/index.html",
        ];
        for (host, is_file_alone, expected) in [
            (Host::GithubPages, false, "= 404 = /folder/ = = = = = ="),
            (Host::Netlify, false, "= /file = /folder/ = = = /both = ="),
            (Host::Vercel, false, "404 /file = = /folder = = /both = ="),
            (Host::Vercel, true, "= /file /file = /folder /folder = /both /both /both"),
            (Host::CloudflarePages, false, "= /file /file /folder/ = /folder/ = = /both /both/"),
            (Host::Nginx, false, "= 404 = = = = = = = ="),
        ] {
            let files = ["index.html", "404.html", "file.html", "folder/index.html", "both.html", "both/index.html"];
            let mut artifacts = Artifacts::from_files(files.map(|name| (name, &b"x"[..])));
            artifacts.rules = Rules { host, is_file_alone, ..Rules::default() };
            let done =
                paths.map(|path| match before_redirects(&artifacts.rules, path).unwrap_or(find(&artifacts, path)) {
                    Target::File(_) => "=".to_owned(),
                    Target::Redirect(_, to) => to,
                    Target::Nothing => "404".to_owned(),
                });
            assert_eq!(done.join(" "), expected, "{}", host.name());
        }
    }
}
