//! Puts islands into pages.
//!
//! A template's `island(…)` call leaves a mark with the component, its props and when to hydrate. After all pages are
//! drawn the marks are collected, every distinct call is rendered, and the marks are replaced. So a template function
//! renders nothing and locks nothing, and equal calls on many pages cost one rendering.

use super::{Html, Inputs, Page};
use crate::content::address::inside;
use crate::diagnostics::Diagnostic;
use crate::islands::{Call, prerender};
use pulldown_cmark_escape::escape_html;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Enclose a mark. Both are private-use characters, which content cannot bring in.
pub const MARKS: [char; 2] = ['\u{e002}', '\u{e003}'];

/// The first byte of each in UTF-8.
pub const MARKS_BEGIN_WITH: u8 = 0xee;

/// Separates the parts of a mark: the component, when to hydrate, the props.
const PART: char = '\u{1f}';

/// The mark of an island's place.
pub fn mark(component: &str, hydrate: &str, props: &str) -> String {
    format!("{}{component}{PART}{hydrate}{PART}{props}{}", MARKS[0], MARKS[1])
}

/// Replaces the marks of all pages.
pub fn put_in(inputs: Inputs, pages: &mut [Page], found: &mut Vec<Diagnostic>) {
    let Inputs { sources, islands, tools, .. } = inputs;
    let base_path = &inputs.site.settings.base_path;
    let drawn = pages.par_iter_mut().filter_map(|page| match &mut page.html {
        Html::Drawn(html) => Some((&page.source, html)),
        Html::Proven(_) => None,
    });
    let has_mark = |html: &str| memchr::memchr(MARKS_BEGIN_WITH, html.as_bytes()).is_some() && html.contains(MARKS[0]);
    let mut drawn: Vec<_> = drawn.filter(|(_, html)| has_mark(html)).collect();
    let calls: BTreeSet<Call> = drawn.iter().flat_map(|(_, html)| places(html)).map(|place| place.call).collect();
    if calls.is_empty() {
        return;
    }
    let rendered = prerender(sources, islands, calls, tools);
    for (source, page) in &mut drawn {
        let mut html = String::with_capacity(page.len() * 2);
        let mut from = 0;
        let mut preloads: Vec<&str> = Vec::new();
        for place in places(page) {
            html.push_str(&page[from..place.start]);
            from = place.end;
            match &rendered[&place.call] {
                Ok(inner) => {
                    let modules = &islands.modules[&place.call.component];
                    if place.hydrate == "load" {
                        preloads.extend(modules.iter().map(String::as_str));
                    }
                    write(&mut html, &place, modules, base_path, inner);
                }
                Err(problem) => {
                    let problem = match source {
                        Some(source) => problem.clone().while_making(source),
                        None => problem.clone(),
                    };
                    if !found.iter().any(|known| known.place == problem.place && known.problem == problem.problem) {
                        found.push(problem);
                    }
                }
            }
        }
        if from == 0 {
            continue;
        }
        html.push_str(&page[from..]);
        preloads.sort_unstable();
        preloads.dedup();
        **page = with_scripts(html, &preloads, base_path, &islands.loader);
    }
}

/// A mark in a page.
struct Place<'a> {
    start: usize,
    end: usize,
    hydrate: &'a str,
    call: Call,
}

fn places(html: &str) -> impl Iterator<Item = Place<'_>> {
    let mut from = 0;
    let mut count = 0;
    std::iter::from_fn(move || {
        let start = from + html[from..].find(MARKS[0])?;
        let inner = start + MARKS[0].len_utf8();
        let close = inner + html[inner..].find(MARKS[1])?;
        from = close + MARKS[1].len_utf8();
        let mut parts = html[inner..close].splitn(3, PART);
        let (component, hydrate, props) = (parts.next()?, parts.next()?, parts.next()?);
        let prefix = format!("i{count}-");
        count += 1;
        let call = Call { component: component.to_owned(), props: props.to_owned(), prefix };
        Some(Place { start, end: from, hydrate, call })
    })
}

fn write(html: &mut String, place: &Place, modules: &[String], base_path: &str, inner: &str) {
    let modules: Vec<String> = modules.iter().map(|module| inside(base_path, module)).collect();
    let attributes = [
        ("data-island", place.call.component.as_str()),
        ("data-hydrate", place.hydrate),
        ("data-prefix", &place.call.prefix),
        ("data-modules", &modules.join(" ")),
        ("data-props", &place.call.props),
    ];
    html.push_str("<div");
    for (name, value) in attributes {
        html.push(' ');
        html.push_str(name);
        html.push_str("=\"");
        // Writing to a String cannot fail.
        let _ = escape_html(&mut *html, value);
        html.push('"');
    }
    html.push('>');
    html.push_str(inner);
    html.push_str("</div>");
}

/// Adds the loader at the end of the body, and to the head what islands need at once.
fn with_scripts(mut html: String, preloads: &[&str], base_path: &str, loader: &str) -> String {
    let script = format!("<script type=\"module\">{loader}</script>\n");
    let end = html.rfind("</body>").unwrap_or(html.len());
    html.insert_str(end, &script);
    if !preloads.is_empty()
        && let Some(end) = html.find("</head>")
    {
        let links: String = preloads
            .iter()
            .map(|module| format!("<link rel=\"modulepreload\" href=\"{}\">\n", inside(base_path, module)))
            .collect();
        html.insert_str(end, &links);
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_with_their_parts_and_numbered() {
        let html = format!("a{}b{}c", mark("Form", "load", "{\"a\":1}"), mark("Form", "idle", "{}"));
        let found: Vec<_> = places(&html).map(|place| (place.hydrate.to_owned(), place.call)).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].0.as_str(), found[0].1.prefix.as_str(), found[0].1.props.as_str()),
            ("load", "i0-", "{\"a\":1}")
        );
        assert_eq!((found[1].0.as_str(), found[1].1.prefix.as_str()), ("idle", "i1-"));
    }

    #[test]
    fn props_never_leave_their_attribute() {
        let html = mark("Form", "load", "{\"a\":\"\\\"><script>\"}");
        let place = places(&html).next().unwrap();
        let mut out = String::new();
        write(&mut out, &place, &["/assets/a.js".to_owned()], "/docs", "<p>x</p>");
        assert!(out.contains("data-modules=\"/docs/assets/a.js\"") && !out.contains("<script>"), "{out}");
    }
}
