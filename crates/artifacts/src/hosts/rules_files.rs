//! Netlify and Cloudflare Pages: `_headers` and `_redirects`, which both read from the output folder and do not serve.
//!
//! Sources: docs.netlify.com/manage/routing/headers, docs.netlify.com/manage/routing/redirects,
//! developers.cloudflare.com/pages/configuration/headers, developers.cloudflare.com/pages/configuration/redirects.

use super::{Cause, Compiled, FOLDER, Limit, MANIFEST, Rules};
use std::collections::BTreeSet;

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

/// Writes the files for Netlify.
///
/// Its rule for a folder also applies to missing files, which visitors' browsers would then cache for a year. So each
/// file with a digest in its name has a rule of its own, if a rule can name it.
pub fn netlify(rules: &Rules, paths: &BTreeSet<String>, hashed: &[String]) -> Compiled {
    let hashed = hashed.iter().map(String::as_str).filter(|path| is_writable(path));
    let (headers, _) = headers(rules, &[], paths, hashed);
    let mut redirects = String::new();
    for redirect in &rules.redirects {
        // Netlify treats a path with and without a slash at its end alike.
        redirects.push_str(&format!("{} {} {}\n", rules.inside(&redirect.from), redirect.location, redirect.status));
    }
    redirects.push_str(&format!("/{MANIFEST} /404.html 404!\n"));
    Compiled { files: vec![("_headers".into(), headers), ("_redirects".into(), redirects)], ..Compiled::default() }
}

/// Whether a rule for a path means this path and no other: `*` and `:name` stand for others, a space ends the path in
/// redirects, and whether other characters are compared encoded is not documented.
pub fn is_writable(path: &str) -> bool {
    path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte))
}

/// Writes the files for Cloudflare Pages, and reports where they exceed its limits.
pub fn cloudflare(rules: &Rules, paths: &BTreeSet<String>) -> Compiled {
    // Without removing it, every other site may read every file.
    let is_own = rules.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(ALLOW_ORIGIN));
    let detached: &[&str] = if is_own { &[] } else { &[ALLOW_ORIGIN] };
    // A missing file gets `no-store` here, whatever the rules set for the folder.
    let (headers, count) = headers(rules, detached, paths, [&*format!("{FOLDER}/*")].into_iter());
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
        over(format!("characters for the header `{name}`"), length, MAX_LINE, "make it shorter", Cause::Header(number));
    }
    let mut redirects = String::new();
    let mut lines = 0;
    for (number, redirect) in rules.redirects.iter().enumerate() {
        for slash in ["", "/"] {
            let line = format!("{}{slash} {} {}", rules.inside(&redirect.from), redirect.location, redirect.status);
            lines += 1;
            if slash == "/" || line.len() >= MAX_REDIRECT_LINE {
                let what = "characters for a redirect".to_owned();
                over(what, line.len(), MAX_REDIRECT_LINE, "make it shorter", Cause::Redirect(number));
            }
            redirects.push_str(&line);
            redirects.push('\n');
        }
    }
    let advice = "remove some: each takes two lines, with and without `/` at its end";
    over("lines of redirects".into(), lines, MAX_REDIRECTS, advice, Cause::Redirect(MAX_REDIRECTS / 2));
    if lines > 0 {
        files.push(("_redirects".to_owned(), redirects));
    }
    Compiled { files, limits, ..Compiled::default() }
}

/// Returns the text of `_headers`, and its number of rules. No path gets the same header from two of them. `detached`
/// are headers that the host must not add by itself, `paths` those of pages, `hashed` those of files with a digest in
/// their names.
fn headers<'a>(
    rules: &Rules,
    detached: &[&str],
    paths: &BTreeSet<String>,
    hashed: impl Iterator<Item = &'a str>,
) -> (String, usize) {
    let mut text = String::from("# Made by sitegen from content/site.yaml.\n");
    let mut count = 0;
    let mut rule = |path: &str, detached: &[&str], headers: &[(&str, &str)]| {
        if headers.is_empty() && detached.is_empty() {
            return;
        }
        count += 1;
        text.push_str(&format!("{path}\n"));
        for name in detached {
            text.push_str(&format!("  ! {name}\n"));
        }
        for (name, value) in headers {
            text.push_str(&format!("  {name}: {value}\n"));
        }
    };
    let everywhere: Vec<(&str, &str)> =
        rules.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    rule("/*", detached, &everywhere);
    hashed.for_each(|path| rule(&rules.inside(path), &[], &[("Cache-Control", &rules.hashed)]));
    // Both hosts have browsers ask each time (`public, max-age=0, must-revalidate`) for files without a rule. Anything
    // else needs a rule for each path, since a rule for all would also apply to the folder above.
    if !rules.pages_by_default {
        paths.iter().for_each(|path| rule(&rules.inside(path), &[], &[("Cache-Control", &rules.pages)]));
    }
    (text, count)
}
