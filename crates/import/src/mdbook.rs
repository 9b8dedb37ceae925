//! Books of mdBook: <https://rust-lang.github.io/mdBook/format/summary.html>, `…/mdbook.html` for includes, and
//! `…/configuration/renderers.html` for the rest.

use super::data::{self, Map, Syntax};
use super::old::{self, Old};
use super::prose::{Dollars, Formulas};
use super::site::{Body, Dialect, Finding, Item, Site, Text, cleaned};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::collections::BTreeSet;

/// Reads a book.
pub fn read(old: &Old) -> Result<Site, String> {
    let config = match old.text("book.toml") {
        Some(text) => data::parse_map(text, Syntax::Toml).map_err(|reason| format!("book.toml: {reason}"))?,
        None => Map::new(),
    };
    let empty = Map::new();
    let book = data::map(&config, "book").unwrap_or(&empty);
    let source = data::text(book, "src").unwrap_or("src").trim_matches('/').to_owned();
    let folder = if old.has(&format!("{source}/SUMMARY.md")) { source } else { String::new() };
    let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let summary = old.text(&path("SUMMARY.md")).ok_or_else(|| format!("there is no {}", path("SUMMARY.md")))?;
    let html = data::map(&config, "output").and_then(|output| data::map(output, "html")).unwrap_or(&empty);
    let mut site = Site { generator: "mdBook", ..Site::default() };
    let host = data::text(html, "cname").map(|host| format!("https://{host}")).unwrap_or_default();
    super::set_url(&mut site, &format!("{host}{}", data::text(html, "site-url").unwrap_or_default()));
    site.name = data::word(book, "title");
    site.description = data::word(book, "description");
    site.language = data::text(book, "language").map(str::to_owned);
    let has_math = data::is_true(html, "mathjax-support");
    site.dialect = Dialect { has_heading_attributes: true, is_titled_by_heading: true, has_math, ..Dialect::default() };
    let chapters = chapters(summary);
    let mut taken = BTreeSet::new();
    for (title, file, level) in chapters {
        let Some(file) = file.and_then(|file| old::join("", &file)) else {
            site.sidebar.push(Item { title, address: None, level });
            continue;
        };
        let address = address(&file);
        site.sidebar.push(Item { title: title.clone(), address: Some(address.clone()), level });
        if taken.insert(file.clone()) {
            chapter(&mut site, old, &path(&file), address, title);
        }
    }
    home(&mut site);
    if let Some(text) = old.text(&path("404.md")) {
        let body = included(text, &path("404.md"), old, &mut site);
        site.texts.push(Text {
            source: path("404.md"),
            address: "/404.html".into(),
            body: Body::plain(&body),
            ..Text::default()
        });
    }
    for (source, rest) in old.below(&folder).filter(|(source, _)| !old::is_markdown(source)) {
        let is_of_book =
            folder.is_empty() && (rest == "book.toml" || rest.starts_with("book/") || rest.starts_with("theme/"));
        if !is_of_book && !rest.starts_with('.') {
            site.public.insert(rest.to_owned(), source.to_owned());
        }
    }
    for (from, to) in data::map(html, "redirect").into_iter().flatten() {
        if let Some(to) = to.as_str() {
            let is_outside = to.contains("://");
            let to = if is_outside { to.to_owned() } else { super::address::resolved(from, to).unwrap_or_default() };
            site.redirects.push((from.clone(), to));
        }
    }
    note_preprocessors(&mut site, &config);
    note_files(&mut site, old, &folder, html);
    Ok(site)
}

/// Returns the chapters of a summary: title, file and depth. A title without a file is that of a part, or of a draft.
fn chapters(summary: &str) -> Vec<(String, Option<String>, usize)> {
    let mut chapters = Vec::new();
    let (mut depth, mut link, mut words, mut is_heading) = (0_usize, None, String::new(), None);
    let summary = if super::markdown::is_too_deep(summary) { "" } else { summary };
    for event in Parser::new(summary) {
        match event {
            Event::Start(Tag::List(_)) => depth += 1,
            Event::End(TagEnd::List(_)) => depth -= 1,
            Event::Start(Tag::Heading { level, .. }) => (is_heading, words) = (Some(level as usize), String::new()),
            Event::End(TagEnd::Heading(_)) => {
                // The first heading is that of the summary.
                let is_first = chapters.is_empty() && words.trim().eq_ignore_ascii_case("summary");
                if is_heading == Some(1) && !is_first && !words.trim().is_empty() {
                    chapters.push((words.trim().to_owned(), None, 0));
                }
                is_heading = None;
            }
            Event::Start(Tag::Link { dest_url, .. }) => (link, words) = (Some(dest_url.into_string()), String::new()),
            Event::End(TagEnd::Link) => {
                let file = link.take().unwrap_or_default();
                let file = percent_encoding::percent_decode_str(&file).decode_utf8_lossy().into_owned();
                let file = file.trim_start_matches("./").to_owned();
                let title =
                    Some(words.trim().to_owned()).filter(|title| !title.is_empty()).unwrap_or_else(|| file.clone());
                chapters.push((title, Some(file).filter(|file| !file.is_empty()), depth.saturating_sub(1)));
            }
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak => words.push(' '),
            _ => {}
        }
    }
    // A summary without the heading "Summary" may begin with the title of the book.
    if chapters.first().is_some_and(|(_, file, _)| file.is_none()) && chapters.len() > 1 && chapters[1].1.is_none() {
        chapters.remove(0);
    }
    chapters
}

/// The address of a chapter: `README.md` is the index of its folder.
fn address(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let (folder, name) = (old::folder(stem), old::name(stem));
    let name = if name.eq_ignore_ascii_case("readme") { "index" } else { name };
    match (folder, name) {
        ("", "index") => "/".to_owned(),
        (folder, "index") => format!("/{folder}/"),
        ("", name) => format!("/{name}.html"),
        (folder, name) => format!("/{folder}/{name}.html"),
    }
}

fn chapter(site: &mut Site, old: &Old, path: &str, address: String, title: String) {
    let Some(text) = old.text(path) else {
        let message = if old.has(path) {
            "the chapter is not UTF-8, or too large"
        } else {
            "SUMMARY.md names this file, which does not exist"
        };
        site.findings.push((path.to_owned(), 0, Finding::fault(message)));
        return;
    };
    let text = included(text, path, old, site);
    let mut body = Body::plain(&text);
    body.text = without_hidden_lines(&body.text);
    if site.dialect.has_math {
        body.text = FORMULAS.rewrite(&body.text);
    }
    let has_heading =
        body.text.trim_start().starts_with("# ") || super::markdown::outline(&body, None, site.dialect).title.is_some();
    let title = Some(title).filter(|_| !has_heading);
    site.texts.push(Text { source: path.to_owned(), address, title, body, ..Text::default() });
}

/// Formulas as mdBook gives them to MathJax, whose backslashes Markdown would take.
const FORMULAS: Formulas = Formulas { signs: [("\\\\(", "\\\\)"), ("\\\\[", "\\\\]")], dollars: Dollars::Doubled };

/// The first chapter is the home page too, if the book has none.
fn home(site: &mut Site) {
    if site.texts.iter().any(|text| text.address == "/") {
        return;
    }
    let Some(first) = site.texts.first() else { return };
    let title = first.title.clone();
    let home =
        Text { source: first.source.clone(), address: "/".into(), title, body: first.body.clone(), ..Text::default() };
    site.texts.insert(0, home);
}

fn note_preprocessors(site: &mut Site, config: &Map) {
    for name in data::map(config, "preprocessor").into_iter().flat_map(Map::keys) {
        if !["links", "index"].contains(&name.as_str()) {
            let finding =
                Finding::left(format!("the preprocessor `{name}` was not run: what it wrote is not in the texts"));
            site.findings.push(("book.toml".into(), 0, finding));
        }
    }
}

/// Lists the texts that no summary names, and the settings of the old site that are not in the new one.
fn note_files(site: &mut Site, old: &Old, folder: &str, html: &Map) {
    let names: BTreeSet<String> = site.texts.iter().map(|text| text.source.clone()).collect();
    for (source, rest) in old.below(folder).filter(|(source, _)| old::is_markdown(source)) {
        let is_named = names.contains(source) || rest == "SUMMARY.md" || folder.is_empty() && rest.starts_with("book/");
        if !is_named {
            site.left(source, "SUMMARY.md does not name this text, so it is no page of its own");
        }
    }
    let read = ["site-url", "redirect", "mathjax-support", "cname"];
    site.left_keys("book.toml", "settings of `[output.html]`", html, &read);
}

/// The most bytes between the braces of a call, with the first of them.
const LONGEST: usize = 500;

/// Replaces `{{#include file}}` and its relatives, up to ten files deep.
fn included(text: &str, path: &str, old: &Old, site: &mut Site) -> String {
    let mut left = 2_000_000;
    expand(text, path, old, site, 10, &mut left)
}

fn expand(text: &str, path: &str, old: &Old, site: &mut Site, depth: usize, left: &mut usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let (mut line, mut counted) = (1, 0);
    while let Some(at) = rest.find("{{#") {
        out.push_str(&rest[..at]);
        let here = text.len() - rest.len() + at;
        line += text[counted..here].matches('\n').count();
        counted = here;
        if out.ends_with('\\') {
            out.push_str("{{#");
            rest = &rest[at + 3..];
            continue;
        }
        let near = &rest[at..rest.floor_char_boundary(at + LONGEST)];
        let Some(end) = near.find("}}") else {
            out.push_str("{{#");
            rest = &rest[at + 3..];
            continue;
        };
        let inside = &rest[at + 3..at + end];
        rest = &rest[at + end + 2..];
        let (name, argument) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        let argument = argument.trim();
        match name {
            "title" => {}
            "include" | "rustdoc_include" | "playground" | "playpen" => {
                let (file, range) =
                    argument.split_once(':').map_or((argument, None), |(file, range)| (file, Some(range)));
                let file = file.split_whitespace().next().unwrap_or_default();
                let found = old::join(old::folder(path), file).and_then(|file| Some((old.text(&file)?, file)));
                match found {
                    Some((inner, file)) if depth > 0 && inner.len() < *left => {
                        *left -= inner.len();
                        let inner = cleaned(inner);
                        let inner = part(&inner, range);
                        let inner = expand(&inner, &file, old, site, depth - 1, left);
                        match name.starts_with("play") {
                            true => out.push_str(&format!("```rust\n{}\n```", inner.trim_end())),
                            false => out.push_str(inner.trim_end_matches('\n')),
                        }
                    }
                    Some(_) => {
                        let finding = Finding::left(format!(
                            "`{{{{#{name}}}}}` was left out: files include each other too often"
                        ));
                        site.findings.push((path.to_owned(), line, finding));
                    }
                    None => {
                        let finding =
                            Finding::fault(format!("`{{{{#{name}}}}}` names a file that does not exist: `{file}`"));
                        site.findings.push((path.to_owned(), line, finding));
                    }
                }
            }
            other => {
                let finding = Finding::left(format!("`{{{{#{other}}}}}` of a preprocessor was left out"));
                site.findings.push((path.to_owned(), line, finding));
            }
        }
    }
    out + rest
}

/// Returns the part of a file that a range or an anchor names. Lines with anchors are left out in any case.
fn part(text: &str, range: Option<&str>) -> String {
    let is_anchor = |line: &str| line.contains("ANCHOR:") || line.contains("ANCHOR_END:");
    let lines: Vec<&str> = text.lines().collect();
    let Some(range) = range else {
        return lines.into_iter().filter(|line| !is_anchor(line)).collect::<Vec<_>>().join("\n");
    };
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let mut parts = range.splitn(3, ':');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let (from, to) = match (first, second) {
        ("", Some(to)) => (1, number(to).unwrap_or(lines.len())),
        (from, Some(to)) => match number(from) {
            Some(from) => (from, number(to).unwrap_or(lines.len())),
            None => return anchored(&lines, from),
        },
        (from, None) => match number(from) {
            Some(from) => (from, from),
            None => return anchored(&lines, from),
        },
    };
    let from = from.clamp(1, lines.len() + 1) - 1;
    let to = to.clamp(from, lines.len());
    lines[from..to].iter().filter(|line| !is_anchor(line)).copied().collect::<Vec<_>>().join("\n")
}

fn anchored(lines: &[&str], name: &str) -> String {
    let ends_with = |line: &str, mark: &str| {
        line.split_once(mark).is_some_and(|(_, rest)| rest.split_whitespace().next() == Some(name))
    };
    let mut inside = false;
    let mut kept = Vec::new();
    for line in lines {
        if ends_with(line, "ANCHOR_END:") {
            inside = false;
        } else if ends_with(line, "ANCHOR:") {
            inside = true;
        } else if inside && !line.contains("ANCHOR:") && !line.contains("ANCHOR_END:") {
            kept.push(*line);
        }
    }
    kept.join("\n")
}

/// Removes the lines of Rust that mdBook hides: those that begin with `# `.
fn without_hidden_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<(String, bool)> = None;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        match &fence {
            Some((closing, _)) if trimmed.trim_end() == closing => fence = None,
            Some((_, true)) => {
                let content = trimmed.trim_end();
                if content == "#" || content.starts_with("# ") {
                    continue;
                }
                if trimmed.starts_with("##") {
                    out.push_str(&line.replacen("##", "#", 1));
                    continue;
                }
            }
            Some(_) => {}
            None if trimmed.starts_with("```") => {
                let ticks: String = trimmed.chars().take_while(|letter| *letter == '`').collect();
                let info = trimmed[ticks.len()..].trim();
                let language = info.split([',', ' ']).next().unwrap_or_default();
                fence = Some((ticks, language == "rust"));
            }
            None => {}
        }
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::old::OldFile;
    use std::collections::BTreeMap;

    /// From <https://rust-lang.github.io/mdBook/format/summary.html> and the preprocessor `index`.
    #[test]
    fn addresses_are_those_of_mdbook() {
        for (file, expected) in [
            ("intro.md", "/intro.html"),
            ("README.md", "/"),
            ("guide/README.md", "/guide/"),
            ("guide/Install.md", "/guide/Install.html"),
        ] {
            assert_eq!(address(file), expected);
        }
        let summary = "# Summary\n\n[Intro](intro.md)\n\n# Part\n\n- [A](a.md)\n  - [B](a/b.md)\n- [Draft]()\n";
        let found: Vec<_> =
            chapters(summary).into_iter().map(|(title, file, level)| (title, file.is_some(), level)).collect();
        let expected = [("Intro", true, 0), ("Part", false, 0), ("A", true, 0), ("B", true, 1), ("Draft", false, 0)];
        assert_eq!(found, expected.map(|(title, is, level)| (title.to_owned(), is, level)));
    }

    #[test]
    fn files_are_included_by_lines_and_anchors_and_never_from_outside() {
        let code = "a\n// ANCHOR: x\nb\n// ANCHOR_END: x\nc\n";
        let files = BTreeMap::from([
            ("src/a.rs".to_owned(), OldFile::Text(code.to_owned())),
            ("src/loop.md".to_owned(), OldFile::Text("{{#include loop.md}}{{#include loop.md}}".to_owned())),
        ]);
        let old = Old::new(files);
        for (text, expected, findings) in [
            ("{{#include a.rs}}", "a\nb\nc", 0),
            ("{{#include a.rs:1}}", "a", 0),
            ("{{#include a.rs::3}}", "a\nb", 0),
            ("{{#include a.rs:5:}}", "c", 0),
            ("{{#rustdoc_include a.rs:x}}", "b", 0),
            ("\\{{#include a.rs}}", "\\{{#include a.rs}}", 0),
            ("{{#include ../../etc/passwd}}", "", 1),
            ("{{#title A}}x", "x", 0),
        ] {
            let mut site = Site::default();
            assert_eq!(
                (included(text, "src/b.md", &old, &mut site).as_str(), site.findings.len()),
                (expected, findings),
                "{text}"
            );
        }
        let mut site = Site::default();
        included("{{#include loop.md}}", "src/b.md", &old, &mut site);
        assert!(!site.findings.is_empty());
        assert_eq!(without_hidden_lines("```rust\n# use a;\nb\n## c\n```\n# d\n"), "```rust\nb\n# c\n```\n# d\n");
    }
}
