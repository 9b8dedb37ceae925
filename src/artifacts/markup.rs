//! Mistakes in markup that a machine can know: names that assistive technology needs, the order of headings, tags that
//! do not match. The rules are those of WCAG 2.2 and of the WHATWG HTML Standard, named at each.

use super::facts::{Mistake, Spot};
use crate::diagnostics::Problem;
use crate::html::{Tag, decode};
use std::collections::BTreeSet;

/// Elements without content (HTML Standard 13.1.2).
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param"];
/// Elements whose end tag may be left out (HTML Standard 13.1.2.4).
const OPTIONAL_END: [&str; 18] = [
    "html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup", "caption", "thead",
    "tbody", "tfoot", "tr", "td",
];
/// Attributes that name ids of the same page.
const ID_LISTS: [&str; 5] = ["for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"];

/// What has been seen of a page so far.
#[derive(Default)]
pub struct Markup {
    open: Vec<Open>,
    heading: u8,
    h1: usize,
    main: usize,
    has_title: bool,
    title: Option<usize>,
    has_html: bool,
    /// Form fields that have no name of their own, with the id a label may know them by.
    unnamed: Vec<(Spot, String, Option<String>)>,
    labelled: BTreeSet<String>,
    named_ids: Vec<(Spot, String)>,
}

/// An element that is open.
struct Open {
    name: String,
    tag: usize,
    /// Whether something in it gives a name to a link, a button or a heading.
    has_text: bool,
    is_hidden: bool,
    /// The island that begins here.
    island: Option<String>,
}

impl Markup {
    /// The island in whose markup the page is.
    pub fn island(&self) -> Option<&str> {
        self.open.iter().rev().find_map(|open| open.island.as_deref())
    }

    fn spot(&self, tag: usize) -> Spot {
        Spot { tag, attribute: None, island: self.island().map(str::to_owned) }
    }

    /// A start tag, by its number in the page.
    pub fn start(&mut self, tag: &Tag, number: usize, mistakes: &mut Vec<Mistake>) {
        let name = tag.name.to_ascii_lowercase();
        let here = self.spot(number);
        let mut tell = |problem: Problem| mistakes.push(Mistake { problem, spot: Some(here.clone()) });
        let has = |attribute: &str| tag.get(attribute).is_some_and(|value| !value.trim().is_empty());
        let is_named = has("aria-label") || has("aria-labelledby") || has("title");
        // The HTML parser ends these by itself when the next of them begins (HTML Standard 13.2.6.4.7).
        let siblings: &[&str] = match name.as_str() {
            "li" => &["li"],
            "dt" | "dd" => &["dt", "dd"],
            "tr" => &["tr", "td", "th"],
            "td" | "th" => &["td", "th"],
            "option" => &["option"],
            "tbody" | "tfoot" => &["thead", "tbody", "tr", "td", "th"],
            "body" => &["head"],
            _ => &[],
        };
        while self.open.last().is_some_and(|open| siblings.contains(&open.name.as_str())) {
            self.open.pop();
        }
        match name.as_str() {
            // In a drawing these hold tags that browsers read.
            "style" | "script" if self.in_svg() => {
                tell(Problem::Markup { detail: format!("a `<{name}>` inside `<svg>` is not allowed") });
            }
            "html" => {
                self.has_html = true;
                // WCAG 3.1.1
                if !has("lang") {
                    tell(Problem::MissingLang);
                }
            }
            "title" if !self.open.iter().any(|open| open.name == "svg") => {
                self.has_title = true;
                self.title = Some(number);
            }
            "main" => {
                self.main += 1;
                if self.main > 1 && tag.get("hidden").is_none() {
                    tell(Problem::Repeated { element: "main" });
                }
            }
            // WCAG 1.1.1; `alt=""` is right for decoration.
            "img" | "area" if tag.get("alt").is_none() && (name == "img" || has("href")) && !is_named => {
                tell(Problem::MissingAlt { element: name.clone() });
            }
            "img" if tag.get("src").is_none() && tag.get("srcset").is_none() => {
                tell(Problem::Markup { detail: "this `<img>` has no `src`".into() });
            }
            "input" | "select" | "textarea" => {
                let kind = tag.get("type").unwrap_or_default().to_ascii_lowercase();
                let needs_label =
                    name != "input" || !matches!(kind.as_str(), "hidden" | "submit" | "reset" | "button" | "image");
                if kind == "image" && tag.get("alt").is_none_or(|alt| alt.trim().is_empty()) {
                    tell(Problem::MissingAlt { element: name.clone() });
                }
                // WCAG 1.3.1 and 4.1.2
                if needs_label && !is_named && !self.open.iter().any(|open| open.name == "label") {
                    let field = tag.get("name").unwrap_or_default().into_owned();
                    self.unnamed.push((here.clone(), field, tag.get("id").map(|id| id.into_owned())));
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.as_bytes()[1] - b'0';
                if level == 1 {
                    self.h1 += 1;
                    if self.h1 > 1 {
                        tell(Problem::Repeated { element: "h1" });
                    }
                }
                // WCAG 1.3.1, as axe-core's rule `heading-order` reads it.
                if level > self.heading + 1 {
                    tell(Problem::HeadingSkip { level, previous: self.heading });
                }
                self.heading = level;
            }
            _ => {}
        }
        for attribute in tag.attributes() {
            let key = attribute.name.to_ascii_lowercase();
            if !ID_LISTS.contains(&key.as_str()) || (key == "for" && name != "label") {
                continue;
            }
            for id in attribute.value.split_ascii_whitespace() {
                if key == "for" {
                    self.labelled.insert(id.to_owned());
                }
                let attribute = Some((key.clone(), Some(id.to_owned())));
                self.named_ids.push((Spot { attribute, ..here.clone() }, id.to_owned()));
            }
        }
        let gives_text = is_named || (name == "img" && has("alt")) || (name == "input" && has("value"));
        if gives_text {
            self.give_text();
        }
        let is_closed = VOID.contains(&name.as_str()) || self.in_svg() && tag.rest.trim_end().ends_with('/');
        if !is_closed {
            let is_hidden = tag.get("aria-hidden").as_deref() == Some("true") || tag.get("hidden").is_some();
            let island = tag.get("data-island").map(|name| name.into_owned());
            self.open.push(Open { name, tag: number, has_text: is_named, is_hidden, island });
        }
    }

    /// Text between tags.
    pub fn text(&mut self, text: &str) {
        if decode(text).trim().is_empty() {
            return;
        }
        if self.open.last().is_some_and(|open| open.name == "title") {
            self.title = None;
        }
        self.give_text();
    }

    /// An end tag.
    pub fn end(&mut self, name: &str, number: usize, mistakes: &mut Vec<Mistake>) {
        let name = name.to_ascii_lowercase();
        if !self.open.iter().any(|open| open.name == name) {
            // `</p>` alone is an empty paragraph and `</br>` a line break; both are slips too.
            let spot = Some(self.spot(number));
            mistakes.push(Mistake { problem: Problem::StrayEnd { element: name }, spot });
            return;
        }
        while let Some(open) = self.open.pop() {
            let spot = self.spot(open.tag);
            // WCAG 2.4.4 and 4.1.2; an empty heading is nothing to navigate by.
            let needs_text = matches!(open.name.as_str(), "a" | "button" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
            if needs_text && !open.has_text && !open.is_hidden {
                let problem = Problem::EmptyText { element: open.name.clone() };
                mistakes.push(Mistake { problem, spot: Some(spot.clone()) });
            }
            if open.name == name {
                return;
            }
            if !OPTIONAL_END.contains(&open.name.as_str()) && open.name != "th" {
                mistakes.push(Mistake { problem: Problem::Unclosed { element: open.name }, spot: Some(spot) });
            }
        }
    }

    /// The end of the page.
    pub fn finish(mut self, ids: &BTreeSet<String>, mistakes: &mut Vec<Mistake>) {
        for open in std::mem::take(&mut self.open) {
            if !OPTIONAL_END.contains(&open.name.as_str()) {
                let spot = Some(Spot { tag: open.tag, ..Spot::default() });
                mistakes.push(Mistake { problem: Problem::Unclosed { element: open.name }, spot });
            }
        }
        for (spot, field, id) in &self.unnamed {
            if !id.as_ref().is_some_and(|id| self.labelled.contains(id)) {
                let problem = Problem::MissingLabel { field: field.clone() };
                mistakes.push(Mistake { problem, spot: Some(spot.clone()) });
            }
        }
        for (spot, id) in self.named_ids {
            if !ids.contains(&id) {
                let attribute = spot.attribute.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
                mistakes.push(Mistake { problem: Problem::UnknownId { attribute, id }, spot: Some(spot) });
            }
        }
        // WCAG 2.4.2
        if self.has_html && (!self.has_title || self.title.is_some()) {
            let spot = self.title.map(|tag| Spot { tag, ..Spot::default() });
            mistakes.push(Mistake { problem: Problem::MissingTitle, spot });
        }
    }

    /// Text that is not hidden names every link, button and heading around it.
    fn give_text(&mut self) {
        for open in self.open.iter_mut().rev() {
            if open.is_hidden {
                return;
            }
            open.has_text = true;
        }
    }

    fn in_svg(&self) -> bool {
        self.open.iter().any(|open| open.name == "svg" || open.name == "math")
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use crate::diagnostics::code;

    fn codes(body: &str) -> Vec<&'static str> {
        let page = format!("<!doctype html><html lang=en><head><title>T</title></head><body>{body}</body></html>");
        Facts::of(&page).mistakes.iter().map(|each| code(&each.problem)).collect()
    }

    #[test]
    fn sound_markup_has_no_mistakes() {
        for sound in [
            "<main><h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2></main>",
            "<ul><li>a<li>b</ul><p>one<table><tr><td>x<td>y<tr><th>z</table>",
            "<img src=/a alt=\"\"><a href=/><img src=/a alt=Home></a>",
            "<label for=a>A</label><input id=a><label>B <textarea></textarea></label><input aria-label=C><input type=hidden>",
            "<button aria-label=Close><svg viewBox='0 0 1 1'><path d='M0 0'/></svg></button>",
            "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
        ] {
            assert_eq!(codes(sound), Vec::<&str>::new(), "{sound}");
        }
    }

    #[test]
    fn each_mistake_is_found() {
        for (broken, code) in [
            ("<img src=/a>", "missing-alt"),
            ("<input name=a>", "missing-label"),
            ("<label for=b>B</label><input id=a>", "missing-label"),
            ("<p id=a></p><p id=a></p>", "duplicate-id"),
            ("<h1>A</h1><h3>B</h3>", "heading-skip"),
            ("<h1>A</h1><h1>B</h1>", "repeated-element"),
            ("<main></main><main></main>", "repeated-element"),
            ("<a href=/></a>", "empty-text"),
            ("<button> &nbsp; </button>", "empty-text"),
            ("<a href=/><svg aria-hidden=true><title>x</title></svg></a>", "empty-text"),
            ("<div><span></div>", "unclosed-tag"),
            ("<div></div></div>", "stray-end-tag"),
            ("<input aria-label=a aria-describedby=nope>", "unknown-id"),
        ] {
            assert!(codes(broken).contains(&code), "{broken}: {:?}", codes(broken));
        }
        let bare: Vec<_> =
            Facts::of("<html><head></head></html>").mistakes.iter().map(|each| code(&each.problem)).collect();
        assert_eq!(bare, ["missing-lang", "missing-title"]);
        let empty: Vec<_> = Facts::of("<html lang=en><title> </title></html>")
            .mistakes
            .iter()
            .map(|each| code(&each.problem))
            .collect();
        assert_eq!(empty, ["missing-title"]);
    }
}
