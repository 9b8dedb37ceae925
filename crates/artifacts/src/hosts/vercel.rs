//! Vercel: `vercel.json` and `.vercelignore`, which it reads from the folder that is deployed.
//!
//! Sources: vercel.com/docs/project-configuration; the limits are those of the schema in vercel/vercel,
//! packages/routing-utils/src/schemas.ts; for paths the host's own code, @vercel/routing-utils,
//! src/superstatic.ts, with the `vercel.json` of a build. Patterns have no named part: only then values are used literally.

use super::spec::{HostSpec, PublishedFiles, Served, Target};
use super::{Cause, CompiledRules, FOLDER, Limit, MANIFEST, RedirectRule, Rules, both_forms};
use serde_json::{Value, json};

const MAX_REDIRECTS: usize = 2_048;
const MAX_HEADER_RULES: usize = 2_048;
/// The length of a pattern in characters.
const MAX_SOURCE: usize = 4_096;

pub struct Vercel;

impl HostSpec for Vercel {
    /// Its rule for a folder also applies to missing files, which visitors' browsers would then cache for a year. So the
    /// patterns name each file that has a digest in its name.
    fn compile(&self, rules: &Rules, site: &PublishedFiles) -> CompiledRules {
        compile(rules, &(site.hashed)())
    }

    fn is_private(&self, path: &str) -> bool {
        ["vercel.json", ".vercelignore", MANIFEST].contains(&path)
    }

    /// It sends both queries, the location's first
    /// (vercel.com/guides/how-do-i-perform-vercel-redirects-based-on-query-strings).
    fn added_query(&self, query: &str) -> String {
        query.strip_prefix('?').filter(|query| !query.is_empty()).map_or(String::new(), |query| format!("&{query}"))
    }

    /// `$1` stands for a part of the request, and `:name` and `(name)` before the section are names of such parts: a file with
    /// unknown ones is refused (@vercel/routing-utils, src/index.ts, `checkPatternSyntax`).
    fn special(&self) -> &'static str {
        "$:()"
    }

    fn special_in_section(&self) -> &'static str {
        "$"
    }

    fn before_redirects(&self, rules: &Rules, path: &str) -> Option<Target> {
        if path == "/" {
            return None;
        }
        // `cleanUrls` comes before `trailingSlash`, and neither checks whether the file exists.
        if rules.is_file_alone {
            let clean = clean(path.trim_end_matches('/'));
            if clean != path.trim_end_matches('/') {
                return Some(Target::Redirect(308, clean.to_owned()));
            }
        }
        path.strip_suffix('/').map(|path| Target::Redirect(308, path.to_owned()))
    }

    fn finds_not_found_of_languages(&self) -> bool {
        false
    }

    fn find(&self, files: &Served) -> Target {
        let (name, html, index) = (files.name(), files.html(), files.index());
        match files.is_file_alone {
            true if name.is_empty() => Target::file("index.html"),
            true if files.has(&html) => Target::File(html),
            true if files.has(name) && !name.ends_with(".html") => Target::file(name),
            true if files.has(&index) => Target::File(index),
            true => Target::Nothing,
            false if files.has(name) => Target::file(name),
            false if files.has(&index) => Target::File(index),
            false => Target::Nothing,
        }
    }
}

fn compile(rules: &Rules, hashed: &[String]) -> CompiledRules {
    let header = |name: &str, value: &str| json!({ "key": name, "value": value });
    let everywhere: Vec<Value> = rules.headers.iter().map(|(name, value)| header(name, value)).collect();
    let mut headers = Vec::new();
    if !everywhere.is_empty() {
        headers.push(json!({ "source": "/(.*)", "headers": everywhere }));
    }
    for source in patterns(&rules.inside(&format!("{FOLDER}/")), hashed) {
        headers.push(json!({ "source": source, "headers": [header("Cache-Control", &rules.hashed)] }));
    }
    // By default it sends `public, max-age=0, must-revalidate`.
    if !rules.pages_by_default {
        let others = format!("/((?!{}/).*)", pattern(&rules.inside(FOLDER)[1..]));
        headers.push(json!({ "source": others, "headers": [header("Cache-Control", &rules.pages)] }));
    }
    let sources = |redirect: &RedirectRule| {
        both_forms(&rules.inside(if rules.is_file_alone { clean(&redirect.from) } else { &redirect.from }))
    };
    let sources = rules
        .redirects
        .iter()
        .flat_map(|redirect| sources(redirect).into_iter().map(move |source| (redirect.number, redirect, source)));
    let (numbers, redirects): (Vec<usize>, Vec<Value>) = sources
        .map(|(number, redirect, source)| {
            let destination = &redirect.location;
            (number, json!({ "source": source, "destination": destination, "statusCode": redirect.status }))
        })
        .unzip();
    let mut limits = Vec::new();
    if headers.len() > MAX_HEADER_RULES {
        limits.push(Limit {
            host: "Vercel",
            what: "header rules".to_owned(),
            found: headers.len(),
            limit: MAX_HEADER_RULES,
            advice: "publish fewer files below `content/assets/`",
            cause: Cause::Caching,
        });
    }
    if redirects.len() > MAX_REDIRECTS {
        limits.push(Limit {
            host: "Vercel",
            what: "redirects".to_owned(),
            found: redirects.len(),
            limit: MAX_REDIRECTS,
            advice: "remove some",
            cause: Cause::Redirect(numbers[MAX_REDIRECTS]),
        });
    }
    let config = json!({
        "$schema": "https://openapi.vercel.sh/vercel.json",
        // `/careers` is served from `careers.html` only with this; from `careers/index.html` without it too.
        "cleanUrls": rules.is_file_alone,
        "trailingSlash": false,
        "headers": headers,
        "redirects": redirects,
    });
    let ignored = format!("{MANIFEST}\n");
    let files = vec![("vercel.json".into(), format!("{config:#}\n")), (".vercelignore".into(), ignored)];
    CompiledRules { files, limits, ..CompiledRules::default() }
}

/// Returns the path without what Vercel removes, with `cleanUrls`, before it looks for redirects
/// (@vercel/routing-utils, src/superstatic.ts, `convertCleanUrls`).
fn clean(path: &str) -> &str {
    let path = path.strip_suffix(".html").unwrap_or(path);
    match path.strip_suffix("/index") {
        Some("") => "/",
        Some(folder) => folder,
        None => path,
    }
}

/// Returns patterns for files of a folder, each within the length limit.
fn patterns(folder: &str, files: &[String]) -> Vec<String> {
    let start = FOLDER.len() + 1;
    let limit = MAX_SOURCE - folder.len() - "()".len();
    let mut patterns: Vec<String> = Vec::new();
    for file in files.iter().map(|path| pattern(&path[start..])) {
        match patterns.last_mut().filter(|last| last.len() + "|".len() + file.len() <= limit) {
            Some(last) => *last = format!("{last}|{file}"),
            None => patterns.push(file),
        }
    }
    patterns.iter().map(|files| format!("{}({files})", literal(folder))).collect()
}

/// Returns a path as a regular expression that matches it alone.
fn pattern(path: &str) -> String {
    escaped(path, r".*+?^${}()|[]\")
}

/// Escapes a path outside the groups of a pattern, where fewer characters are special (path-to-regexp 6, `lexer`).
fn literal(path: &str) -> String {
    escaped(path, r"*+?{}():\")
}

fn escaped(path: &str, signs: &str) -> String {
    path.chars().flat_map(|sign| signs.contains(sign).then_some('\\').into_iter().chain([sign])).collect()
}
