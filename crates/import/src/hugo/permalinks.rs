//! The addresses that Hugo gives pages.

use super::super::address;
use super::super::data::{self, Map};
use super::super::keys;
use super::super::old;
use super::config::Config;

/// The kinds of pages with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Page {
    /// `_index.md`: the page of a folder.
    Section,
    /// `index.md` with files beside it.
    Bundle,
    /// Any other text.
    Single,
}

/// Makes a part of an address of a text, as Hugo's `urlize` does: spaces are hyphens, and letters, digits and a few signs stay.
pub fn sanitized(text: &str, is_lower: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut has_space = false;
    for letter in text.trim().chars() {
        let is_kept = letter.is_alphanumeric() || "._-/+~#@".contains(letter) || is_mark(letter);
        if is_kept {
            if has_space && !out.is_empty() {
                out.push('-');
            }
            has_space = false;
            out.push(letter);
        } else if letter.is_whitespace() && !out.ends_with('-') {
            has_space = true;
        }
    }
    let out = out.replace('#', "");
    if is_lower { out.to_lowercase() } else { out }
}

/// Whether a character is an accent or a vowel sign.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e4e}')
}

/// Makes a title of the name of a folder, as Hugo does for sections without one.
pub fn titled(path: &str) -> String {
    let words = old::name(path).replace(['-', '_'], " ");
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    words.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the address of a page with a path below the folder of content.
pub fn address(config: &Config, path: &str, kind: Page, front: &Map) -> Result<String, String> {
    let lower: Map = front.iter().map(|(key, value)| (key.to_lowercase(), value.clone())).collect();
    if let Some(url) = data::text(&lower, "url") {
        let url = url.split_once("://").map_or(url, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        let url = if url.contains(':') { expanded(config, url, path, &lower) } else { url.to_owned() };
        let cleaned = address::cleaned(&url)?;
        let has_extension = old::name(&cleaned).contains('.');
        return Ok(if has_extension || cleaned.ends_with('/') { cleaned } else { format!("{cleaned}/") });
    }
    let section = path.split('/').next().unwrap_or_default();
    let patterns = if kind == Page::Section { &config.section_permalinks } else { &config.permalinks };
    let is_below = kind == Page::Section || path.contains('/');
    let pattern = patterns.iter().find(|(own, _)| own.trim_matches('/').eq_ignore_ascii_case(section) && is_below);
    // Pages at the top are in no section, for which the pattern of `/` stands.
    let pattern = pattern.or_else(|| patterns.iter().find(|(own, _)| own == "/" && !is_below));
    let made = match pattern {
        Some((_, pattern)) => expanded(config, pattern, path, &lower),
        None => {
            let folder = old::folder(path);
            let name = match (kind, data::word(&lower, "slug")) {
                (Page::Section, Some(slug)) if !path.is_empty() => slug,
                (Page::Single | Page::Bundle, Some(slug)) => slug,
                _ => old::name(path).to_owned(),
            };
            format!("{}/{}", sanitized(folder, config.is_lower), sanitized(&name, config.is_lower))
        }
    };
    let made = if config.is_plain { without_accents(&made) } else { made };
    let cleaned = address::cleaned(&made)?;
    let cleaned = cleaned.trim_end_matches('/');
    Ok(match kind {
        _ if cleaned.is_empty() => "/".to_owned(),
        Page::Single | Page::Bundle if config.is_ugly => format!("{cleaned}.html"),
        _ => format!("{cleaned}/"),
    })
}

/// Returns the address of the page of a term.
pub fn term(config: &Config, key: &str, name: &str) -> String {
    let below = format!("{}/{}", sanitized(key, config.is_lower), sanitized(name, config.is_lower));
    let front = Map::from_iter([("title".to_owned(), name.into())]);
    let pattern = config.term_permalinks.iter().find(|(own, _)| own == key);
    let made = pattern.map(|(_, pattern)| expanded(config, pattern, &below, &front)).unwrap_or(below);
    let made = format!("/{}", made.trim_matches('/'));
    if config.is_ugly { format!("{made}.html") } else { format!("{made}/") }
}

/// Returns the address of the page of all terms.
pub fn taxonomy(config: &Config, key: &str) -> String {
    let pattern = config.taxonomy_permalinks.iter().find(|(own, _)| own == key);
    let made = pattern.map(|(_, pattern)| expanded(config, pattern, key, &Map::new()));
    let made = made.and_then(|made| address::cleaned(&made).ok());
    let made = made.unwrap_or_else(|| sanitized(key, config.is_lower));
    format!("/{}/", made.trim_matches('/'))
}

fn without_accents(text: &str) -> String {
    text.split('/')
        .map(|part| if part.is_ascii() { part.to_owned() } else { slug::slugify(part) })
        .collect::<Vec<_>>()
        .join("/")
}

/// Replaces the tokens of a pattern (<https://gohugo.io/configuration/permalinks/#tokens>).
fn expanded(config: &Config, pattern: &str, path: &str, front: &Map) -> String {
    let date = data::text(front, "date").or_else(|| data::text(front, "publishdate")).and_then(keys::day);
    let folder = old::folder(path);
    let name = old::name(path);
    let base = sanitized(name, config.is_lower);
    let title = data::word(front, "title").map_or(base.clone(), |title| sanitized(&title, config.is_lower));
    let slug = data::word(front, "slug").map(|slug| sanitized(&slug, config.is_lower));
    let day = |format: &str| date.map_or(String::new(), |date| date.strftime(format).to_string());
    let sections: Vec<String> =
        folder.split('/').filter(|part| !part.is_empty()).map(|part| sanitized(part, config.is_lower)).collect();
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(':') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        rest = after;
        let value = match token {
            "year" => day("%Y"),
            "month" => day("%m"),
            "monthname" => day("%B").to_lowercase(),
            "day" => day("%d"),
            "yearday" => day("%-j"),
            "section" | "sectionslug" => sections.first().cloned().unwrap_or_default(),
            "sections" | "sectionslugs" => {
                let (range, after) = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
                    Some((range, after)) => (range, after),
                    None => ("", rest),
                };
                rest = after;
                sliced(&sections, range).join("/")
            }
            "title" => title.clone(),
            "slug" => slug.clone().unwrap_or_else(|| title.clone()),
            "filename" | "contentbasename" => base.clone(),
            "slugorfilename" | "slugorcontentbasename" => slug.clone().unwrap_or_else(|| base.clone()),
            other => format!(":{other}"),
        };
        out.push_str(&value);
    }
    out + rest
}

/// The part of a list that `[1:3]`, `[0]` or `[last]` names.
fn sliced(sections: &[String], range: &str) -> Vec<String> {
    let number = |text: &str, default: usize| match text {
        "" => default,
        "last" => sections.len().saturating_sub(1),
        text => text.parse().unwrap_or(default).min(sections.len()),
    };
    match range.split_once(':') {
        Some((from, to)) => {
            let (from, to) = (number(from, 0), number(to, sections.len()));
            sections.get(from..to).map(<[String]>::to_vec).unwrap_or_default()
        }
        None if range.is_empty() => sections.to_vec(),
        None => sections.get(number(range, 0)).cloned().into_iter().collect(),
    }
}

/// Returns the path of the page file that makes most of these addresses.
pub fn pattern(config: &Config, section: &str, is_merged: bool) -> String {
    if is_merged {
        return "[section]/[slug]".to_owned();
    }
    let own = config.permalinks.iter().find(|(own, _)| own.trim_matches('/').eq_ignore_ascii_case(section));
    let pattern = own.map(|(_, pattern)| {
        let mut pattern = pattern.trim_matches('/').to_owned();
        for (token, variable) in [
            (":year", "[year]"),
            (":monthname", "[slug]"),
            (":month", "[month]"),
            (":day", "[day]"),
            (":sections", section),
            (":section", section),
            (":slugorcontentbasename", "[slug]"),
            (":slugorfilename", "[slug]"),
            (":contentbasename", "[slug]"),
            (":filename", "[slug]"),
            (":slug", "[slug]"),
            (":title", "[slug]"),
        ] {
            pattern = pattern.replace(token, variable);
        }
        pattern.trim_end_matches(".html").to_owned()
    });
    let is_possible = |pattern: &String| {
        let plain =
            ["[year]", "[month]", "[day]", "[slug]"].iter().fold(pattern.clone(), |text, each| text.replace(each, "x"));
        pattern.matches("[slug]").count() == 1 && address::is_plain(&format!("/{plain}"))
    };
    let default = || {
        format!(
            "{}/[slug]",
            address::plain(&format!("/{}", sanitized(section, config.is_lower))).trim_start_matches('/')
        )
    };
    pattern.filter(is_possible).unwrap_or_else(default)
}

/// Returns the address that an alias stands for: relative ones are beside the page.
pub fn alias(alias: &str, page: &str) -> String {
    if alias.starts_with('/') {
        return alias.to_owned();
    }
    let above = old::folder(page.trim_end_matches('/'));
    old::join(above, alias).map_or(alias.to_owned(), |path| format!("/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(config: &Config, path: &str, kind: Page, front: serde_json::Value) -> String {
        address(config, path, kind, front.as_object().unwrap()).unwrap()
    }

    /// From <https://gohugo.io/content-management/organization/>, <https://gohugo.io/content-management/urls/> and
    /// <https://gohugo.io/configuration/permalinks/>, and tried with Hugo 0.168.
    #[test]
    fn addresses_are_those_of_hugo() {
        let plain = Config { is_lower: true, ..Config::default() };
        for (path, kind, front, expected) in [
            ("about", Page::Single, json!({}), "/about/"),
            ("posts", Page::Section, json!({}), "/posts/"),
            ("", Page::Section, json!({}), "/"),
            ("posts/My First Post", Page::Single, json!({}), "/posts/my-first-post/"),
            ("posts/Day 1 & 2", Page::Single, json!({}), "/posts/day-1-2/"),
            ("posts/a/b", Page::Bundle, json!({}), "/posts/a/b/"),
            ("posts/a", Page::Single, json!({ "slug": "My Slug" }), "/posts/my-slug/"),
            ("posts/a", Page::Single, json!({ "url": "/x/y" }), "/x/y/"),
            ("posts/a", Page::Single, json!({ "URL": "x/y.html" }), "/x/y.html"),
            ("posts/café", Page::Single, json!({}), "/posts/café/"),
        ] {
            assert_eq!(of(&plain, path, kind, front), expected, "{path}");
        }
        let permalinks = vec![("posts".to_owned(), "/:year/:month/:day/:slug/".to_owned())];
        let dated = Config { is_lower: true, permalinks, ..Config::default() };
        let front = json!({ "date": "2024-03-09T10:00:00Z", "title": "Salt & Time: Why?" });
        assert_eq!(of(&dated, "posts/a", Page::Single, front), "/2024/03/09/salt-time-why/");
        assert_eq!(of(&dated, "posts", Page::Section, json!({})), "/posts/");
        let permalinks = vec![("docs".to_owned(), "/:sections[1:]/:contentbasename/".to_owned())];
        let sliced = Config { is_lower: true, permalinks, ..Config::default() };
        assert_eq!(of(&sliced, "docs/a/b/c", Page::Single, json!({})), "/a/b/c/");
        let ugly = Config { is_lower: true, is_ugly: true, ..Config::default() };
        assert_eq!(of(&ugly, "posts/a", Page::Single, json!({})), "/posts/a.html");
        assert_eq!(of(&ugly, "posts", Page::Section, json!({})), "/posts/");
    }

    #[test]
    fn an_address_that_leads_out_of_the_site_is_refused() {
        let config = Config::default();
        let front = json!({ "url": "../../etc/passwd" });
        assert!(address(&config, "posts/a", Page::Single, front.as_object().unwrap()).is_err());
    }
}
