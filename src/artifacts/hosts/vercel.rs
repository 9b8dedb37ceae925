//! Vercel: `vercel.json` and `.vercelignore`, which it reads from the folder that is deployed.
//!
//! Sources: vercel.com/docs/project-configuration; the limits are those of the schema in vercel/vercel,
//! packages/routing-utils/src/schemas.ts. A pattern has no named part, since only then values are taken as they are.

use super::{Cause, Compiled, FOLDER, Limit, MANIFEST, Rules};
use serde_json::{Value, json};

const MAX_REDIRECTS: usize = 2_048;
const MAX_HEADER_RULES: usize = 2_048;
/// Characters of a pattern.
const MAX_SOURCE: usize = 4_096;

/// The files for Vercel.
///
/// Its rule for a folder also counts for what is missing there, which visitors' browsers would not ask for again in a
/// year. So the patterns name each file that has a digest in its name.
pub fn compile(rules: &Rules, hashed: &[String]) -> Compiled {
    let header = |name: &str, value: &str| json!({ "key": name, "value": value });
    let everywhere: Vec<Value> = rules.headers.iter().map(|(name, value)| header(name, value)).collect();
    let mut headers = Vec::new();
    if !everywhere.is_empty() {
        headers.push(json!({ "source": "/(.*)", "headers": everywhere }));
    }
    for source in patterns(&rules.inside(&format!("{FOLDER}/")), hashed) {
        headers.push(json!({ "source": source, "headers": [header("Cache-Control", &rules.hashed)] }));
    }
    // By itself it says `public, max-age=0, must-revalidate`.
    if !rules.pages_by_default {
        let others = format!("/((?!{}/).*)", pattern(&rules.inside(FOLDER)[1..]));
        headers.push(json!({ "source": others, "headers": [header("Cache-Control", &rules.pages)] }));
    }
    let redirects: Vec<Value> = rules
        .redirects
        .iter()
        .map(|moved| {
            let from = rules.inside(if rules.is_file_alone { clean(&moved.from) } else { &moved.from });
            json!({ "source": from, "destination": moved.location, "statusCode": moved.status })
        })
        .collect();
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
            cause: Cause::Redirect(MAX_REDIRECTS),
        });
    }
    let config = json!({
        "$schema": "https://openapi.vercel.sh/vercel.json",
        // `/careers` answers from `careers.html` only with this; from `careers/index.html` it does without.
        "cleanUrls": rules.is_file_alone,
        "trailingSlash": false,
        "headers": headers,
        "redirects": redirects,
    });
    let ignored = format!("{MANIFEST}\n");
    let files = vec![("vercel.json".into(), format!("{config:#}\n")), (".vercelignore".into(), ignored)];
    Compiled { files, limits, ..Compiled::default() }
}

/// The path without what Vercel takes from it, with `cleanUrls`, before it looks for redirects
/// (@vercel/routing-utils, src/superstatic.ts, `convertCleanUrls`).
pub fn clean(path: &str) -> &str {
    let path = path.strip_suffix(".html").unwrap_or(path);
    match path.strip_suffix("/index") {
        Some("") => "/",
        Some(folder) => folder,
        None => path,
    }
}

/// Patterns for files of a folder, each no longer than one may be.
fn patterns(folder: &str, files: &[String]) -> Vec<String> {
    let start = FOLDER.len() + 1;
    let room = MAX_SOURCE - folder.len() - "()".len();
    let mut patterns: Vec<String> = Vec::new();
    for file in files.iter().map(|path| pattern(&path[start..])) {
        match patterns.last_mut().filter(|last| last.len() + "|".len() + file.len() <= room) {
            Some(last) => *last = format!("{last}|{file}"),
            None => patterns.push(file),
        }
    }
    patterns.iter().map(|files| format!("{}({files})", literal(folder))).collect()
}

/// A path as a regular expression that matches it alone.
fn pattern(path: &str) -> String {
    escaped(path, r".*+?^${}()|[]\")
}

/// A path outside of the groups of a pattern, where fewer signs mean something (path-to-regexp 6, `lexer`).
fn literal(path: &str) -> String {
    escaped(path, r"*+?{}():\")
}

fn escaped(path: &str, signs: &str) -> String {
    path.chars().flat_map(|sign| signs.contains(sign).then_some('\\').into_iter().chain([sign])).collect()
}
