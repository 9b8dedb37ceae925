//! The format of `_headers`, which Netlify and Cloudflare Pages share.

use super::Rules;
use std::collections::BTreeSet;

/// Returns the text of `_headers`, and its number of rules. No path gets the same header from two of them. `detached`
/// are headers that the host must not add by itself, `paths` those of pages, `hashed` those of files with a digest in
/// their names.
pub fn headers<'a>(
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
