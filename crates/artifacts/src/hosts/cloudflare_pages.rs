//! Cloudflare Pages: [`_headers` and `_redirects`](super::rules_files), which it reads from the output folder and does not
//! serve. Both have limits.
//!
//! Sources: developers.cloudflare.com/pages/configuration/headers, developers.cloudflare.com/pages/configuration/redirects;
//! for paths the host's own code as wrangler runs it: @cloudflare/pages-shared, asset-server/handler.ts.

use super::rules_files::headers;
use super::spec::{HostSpec, PublishedFiles, Served, Target};
use super::{Cause, CompiledRules, FOLDER, Limit, Rules};
use sitegen_core::paths::in_ascii;

/// The number of rules in `_headers` that Cloudflare Pages accepts; it ignores those after them.
const MAX_RULES: usize = 100;
/// The length in characters of a line in `_headers` that Cloudflare Pages accepts; it ignores a longer one.
const MAX_LINE: usize = 2_000;
/// The number of redirects without wildcards that Cloudflare Pages accepts.
const MAX_REDIRECTS: usize = 2_000;
/// The length in characters of a line in `_redirects` that Cloudflare Pages accepts.
const MAX_REDIRECT_LINE: usize = 1_000;
const CLOUDFLARE: &str = "Cloudflare Pages";
/// The header that Cloudflare Pages sends with every file, with the value `*`.
const ALLOW_ORIGIN: &str = "Access-Control-Allow-Origin";

pub struct CloudflarePages;

impl HostSpec for CloudflarePages {
    fn compile(&self, rules: &Rules, site: &PublishedFiles) -> CompiledRules {
        // Without removing it, every other site may read every file.
        let is_own = rules.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(ALLOW_ORIGIN));
        let detached: &[&str] = if is_own { &[] } else { &[ALLOW_ORIGIN] };
        // A missing file gets `no-store` here, whatever the rules set for the folder.
        let (headers, count) = headers(rules, detached, &(site.addresses)(), [&*format!("{FOLDER}/*")].into_iter());
        let mut files = vec![("_headers".to_owned(), headers)];
        let mut limits = Vec::new();
        let mut over = |what: String, found: usize, limit: usize, advice: &'static str, cause: Cause| {
            if found > limit {
                limits.push(Limit { host: CLOUDFLARE, what, found, limit, advice, cause });
            }
        };
        let advice = "remove it: every page and file then needs its own rule";
        over("header rules".into(), count, MAX_RULES, advice, Cause::Caching);
        for (number, (name, value)) in rules.headers.iter().enumerate() {
            // The host counts the line without the spaces around it.
            let length = name.len() + ": ".len() + value.len();
            over(
                format!("characters for the header `{name}`"),
                length,
                MAX_LINE,
                "make it shorter",
                Cause::Header(number),
            );
        }
        let mut redirects = String::new();
        let mut lines = 0;
        for redirect in &rules.redirects {
            // It compares paths as the URL Standard writes them (metadata-generator/validateURL.ts, `extractPathname`).
            let from = rules.inside(&redirect.from);
            let from = in_ascii(&from);
            for slash in ["", "/"] {
                let line = format!("{from}{slash} {} {}", redirect.location, redirect.status);
                lines += 1;
                if slash == "/" || line.len() >= MAX_REDIRECT_LINE {
                    let what = "characters for a redirect".to_owned();
                    over(what, line.len(), MAX_REDIRECT_LINE, "make it shorter", Cause::Redirect(redirect.number));
                }
                redirects.push_str(&line);
                redirects.push('\n');
            }
        }
        let advice = "remove some: each takes two lines, with and without `/` at its end";
        let first_over = rules.redirects.get(MAX_REDIRECTS / 2).map_or(0, |redirect| redirect.number);
        over("lines of redirects".into(), lines, MAX_REDIRECTS, advice, Cause::Redirect(first_over));
        if lines > 0 {
            files.push(("_redirects".to_owned(), redirects));
        }
        CompiledRules { files, limits, ..CompiledRules::default() }
    }

    /// It has no rule to withhold a file, so that the list of published files is public.
    fn is_private(&self, path: &str) -> bool {
        ["_headers", "_redirects"].contains(&path)
    }

    /// Whatever the rules set for the path (asset-server/handler.ts, `notFound`).
    fn caching_of_unknown<'r>(&self, _rules: &'r Rules) -> &'r str {
        "no-store"
    }

    fn find(&self, files: &Served) -> Target {
        found(files.has, files.path)
    }
}

/// Each page has one address, and all others redirect to it: with a slash for `careers/index.html`, else without.
fn found(has: &dyn Fn(&str) -> bool, path: &str) -> Target {
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
