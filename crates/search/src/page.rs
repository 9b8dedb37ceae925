//! The sections of a page, read from its final HTML.

use serde::{Deserialize, Serialize};
use sitegen_core::cache::digest_of;
use sitegen_core::html::{Tag, Token, is_void, lower, tokens, value_of};
use sitegen_core::sources::Digest;
use std::hash::{Hash, Hasher};

/// What the search knows of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The tag of its language, as the page writes it: `en-GB`.
    pub language: String,
    /// Its first `<h1>`, or else its `<title>`.
    pub title: String,
    /// Whether it comes after pages that say the same.
    pub is_low: bool,
    /// Its sections in order. None if the page is not searched.
    pub sections: Vec<Section>,
    /// The digest of all of it.
    pub digest: Digest,
}

/// What is computed of a page follows from its digest.
impl Hash for Page {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

/// A heading with an id and the text up to the next one. The first section of a page has neither.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Section {
    /// The id of its heading, or nothing for the begin of the page.
    pub id: String,
    /// The text of its heading.
    pub heading: String,
    /// Its text, with single spaces.
    pub text: String,
}

/// Elements whose text is no text of the page.
const LEFT_OUT: [&str; 18] = [
    "nav", "aside", "footer", "script", "style", "template", "noscript", "svg", "iframe", "object", "button", "select",
    "textarea", "datalist", "dialog", "canvas", "audio", "video",
];

/// Elements in a line of text: they separate no words.
const INLINE: [&str; 28] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label",
    "mark", "q", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "wbr",
];

/// Where text goes.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Title,
    PageHeading,
    Heading,
    Text,
}

impl Page {
    /// Reads a page. `is_left_out` says that the site keeps it from search engines; such a page has a language only.
    ///
    /// Only the text of `<main>` counts, or of the body without its `<header>` if there is no `<main>`. Left out are
    /// navigation, asides, footers, what is hidden, and elements with `data-search="off"`. With `data-search="low"` on the element
    /// whose text counts, the page comes after others.
    pub fn read(html: &str, is_left_out: bool) -> Self {
        let mut reader = SectionReader {
            page: Page { sections: vec![Section::default()], ..Page::default() },
            has_main: html.contains("<main"),
            is_searched: !is_left_out,
            ..SectionReader::default()
        };
        for token in tokens(html) {
            match token {
                Token::Start(tag) => reader.start(&tag),
                Token::End(name) => reader.end(&lower(name)),
                Token::Text(text) if reader.left_out.is_none() => reader.push(&htmlize::unescape(text)),
                Token::Text(_) => {}
            }
        }
        reader.finish()
    }
}

/// Reads a page tag by tag.
#[derive(Default)]
struct SectionReader {
    page: Page,
    title: String,
    page_heading: String,
    /// Where text goes, unless an element around it is left out.
    target: Option<Target>,
    /// The element that is left out: its name, and how many of that name are open.
    left_out: Option<(String, usize)>,
    has_main: bool,
    is_in_main: bool,
    is_searched: bool,
}

impl SectionReader {
    fn start(&mut self, tag: &Tag) {
        let name = tag.lower_name();
        if let Some((open, depth)) = &mut self.left_out {
            *depth += usize::from(*open == *name);
            return;
        }
        let attributes: Vec<_> = tag.attributes().collect();
        let get = |name: &str| value_of(&attributes, name);
        let is_left_out = || {
            get("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
                || get("aria-hidden").is_some_and(|value| value == "true")
                || get("data-search").is_some_and(|value| value == "off")
                || LEFT_OUT.contains(&&*name)
                || !self.has_main && name == "header"
                || get(super::ATTRIBUTE).is_some()
        };
        if !is_void(&name) && is_left_out() {
            self.left_out = Some((name.into_owned(), 1));
            return;
        }
        match &*name {
            "html" => self.page.language = get("lang").unwrap_or_default().to_owned(),
            "meta" if get("name").is_some_and(|name| name.eq_ignore_ascii_case("robots")) => {
                self.is_searched &= !get("content").unwrap_or_default().to_ascii_lowercase().contains("noindex");
            }
            "title" if self.title.is_empty() => self.target = Some(Target::Title),
            "body" if self.has_main => {}
            "body" | "main" => {
                (self.is_in_main, self.target) = (true, Some(Target::Text));
                self.page.is_low = get("data-search").is_some_and(|value| value == "low");
            }
            "h1" if self.is_in_main && self.page_heading.is_empty() => self.target = Some(Target::PageHeading),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.is_in_main => {
                if let Some(id) = get("id").filter(|id| !id.is_empty()) {
                    self.page.sections.push(Section { id: id.to_owned(), ..Section::default() });
                    self.target = Some(Target::Heading);
                }
            }
            _ => {}
        }
        self.separate(&name);
    }

    fn end(&mut self, name: &str) {
        if let Some((open, depth)) = &mut self.left_out {
            if open == name {
                *depth -= 1;
                if *depth == 0 {
                    self.left_out = None;
                }
            }
            return;
        }
        match name {
            "title" if self.target == Some(Target::Title) => self.target = None,
            "main" => (self.is_in_main, self.target) = (false, None),
            "body" => self.target = None,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.is_in_main => self.target = Some(Target::Text),
            _ => {}
        }
        self.separate(name);
    }

    /// Separates the words before a tag from those after it, unless it is in a line of text.
    fn separate(&mut self, name: &str) {
        if !INLINE.contains(&name) {
            self.push(" ");
        }
    }

    fn push(&mut self, text: &str) {
        match (self.target, self.page.sections.last_mut()) {
            (Some(Target::Title), _) => self.title.push_str(text),
            (Some(Target::PageHeading), _) => self.page_heading.push_str(text),
            (Some(Target::Heading), Some(section)) => section.heading.push_str(text),
            (Some(Target::Text), Some(section)) => section.text.push_str(text),
            _ => {}
        }
    }

    fn finish(self) -> Page {
        let SectionReader { mut page, title, page_heading, is_searched, .. } = self;
        page.title = clean(if page_heading.trim().is_empty() { &title } else { &page_heading });
        for section in &mut page.sections {
            section.heading = clean(section.heading.trim_end().trim_end_matches(['#', '¶', '§']));
            section.text = clean(&section.text);
        }
        if !is_searched {
            page.sections.clear();
        }
        page.digest = digest_of(&(&page.language, &page.title, page.is_low, &page.sections));
        page
    }
}

/// Returns a text with single spaces between words.
fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(word);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(html: &str) -> Vec<[String; 3]> {
        Page::read(html, false).sections.into_iter().map(|each| [each.id, each.heading, each.text]).collect()
    }

    #[test]
    fn a_page_has_the_sections_of_its_main_part() {
        let page = Page::read(
            "<html lang=\"en-GB\"><head><title>Rye | Bakery</title></head><body><header>Top</header><nav>All</nav><main>\
             <h1>Rye &amp; oats</h1><p>One<br>two, t<b>hr</b>ee.</p><nav>In</nav><aside>Beside</aside>\
             <h2 id=\"flour\">Flour <a href=\"#flour\">#</a></h2><ul><li>Dark</li><li>Light</li></ul><h3>No id</h3>\
             <div data-search=\"off\"><div>Not</div> this</div><p hidden>Nor</p><pre><code>a\n  b</code></pre></main>\
             <footer>End</footer></body></html>",
            false,
        );
        assert_eq!((page.language.as_str(), page.title.as_str()), ("en-GB", "Rye & oats"));
        let sections: Vec<_> = page.sections.iter().map(|each| [each.id.as_str(), &each.heading, &each.text]).collect();
        assert_eq!(sections, [["", "", "One two, three."], ["flour", "Flour", "Dark Light No id a b"]]);
    }

    #[test]
    fn a_page_may_come_after_others() {
        let is_low = |html: &str| Page::read(html, false).is_low;
        assert!(is_low("<body><main data-search=low>Text</main>") && is_low("<body data-search=low>Text"));
        assert!(!is_low("<body><main>Text</main>") && !is_low("<body data-search=low><main>Text</main>"));
        assert!(!is_low("<main><p data-search=low>Text</p></main>"));
    }

    #[test]
    fn a_page_without_main_has_its_body() {
        let html = "<title>T</title><body><header>No</header><h2 id=a>A</h2>Text<footer>No</footer></body>";
        assert_eq!(sections(html)[1..], [["a", "A", "Text"].map(str::to_owned)]);
        assert_eq!(Page::read(html, false).title, "T");
    }

    #[test]
    fn a_page_that_is_kept_from_search_engines_is_not_searched() {
        let html = "<html lang=de><meta name=robots content=\"NoIndex, nofollow\"><main>Text</main>";
        assert_eq!((sections(html).len(), Page::read(html, false).language.as_str()), (0, "de"));
        assert!(Page::read("<main>Text</main>", true).sections.is_empty());
    }
}
