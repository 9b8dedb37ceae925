//! The sections of a page, read from its final HTML.

use serde::{Deserialize, Serialize};
use sitegen_core::cache::digest_of;
use sitegen_core::html::{Token, is_void, tokens, value_of};
use sitegen_core::sources::Digest;
use std::hash::{Hash, Hasher};

/// What the search knows of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The primary tag of its language: `en`.
    pub language: String,
    /// Its first `<h1>`, or else its `<title>`.
    pub title: String,
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
    /// navigation, asides, footers, what is hidden, and elements with `data-search="off"`.
    pub fn of(html: &str, is_left_out: bool) -> Self {
        let has_main = html.contains("<main");
        let mut page = Page { sections: vec![Section::default()], ..Page::default() };
        let (mut title, mut page_heading) = (String::new(), String::new());
        // Where text goes, unless an element around it is left out: its name, and how many of that name are open.
        let mut target: Option<Target> = None;
        let mut is_in_main = false;
        let mut left_out: Option<(String, usize)> = None;
        let mut is_searched = !is_left_out;
        for token in tokens(html) {
            match token {
                Token::Start(tag) => {
                    let name = tag.lower_name();
                    if let Some((open, depth)) = &mut left_out {
                        *depth += usize::from(*open == *name);
                        continue;
                    }
                    let attributes: Vec<_> = tag.attributes().collect();
                    let get = |name: &str| value_of(&attributes, name);
                    let is_void = is_void(&name);
                    let is_hidden = get("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
                        || get("aria-hidden").is_some_and(|value| value == "true")
                        || get("data-search").is_some_and(|value| value == "off");
                    if !is_void
                        && (is_hidden
                            || LEFT_OUT.contains(&&*name)
                            || !has_main && name == "header"
                            || get(super::ATTRIBUTE).is_some())
                    {
                        left_out = Some((name.into_owned(), 1));
                        continue;
                    }
                    match &*name {
                        "html" => page.language = super::primary(get("lang").unwrap_or_default()),
                        "meta" if get("name").is_some_and(|name| name.eq_ignore_ascii_case("robots")) => {
                            is_searched &= !get("content").unwrap_or_default().to_ascii_lowercase().contains("noindex");
                        }
                        "title" if title.is_empty() => target = Some(Target::Title),
                        "body" if !has_main => (is_in_main, target) = (true, Some(Target::Text)),
                        "main" => (is_in_main, target) = (true, Some(Target::Text)),
                        "h1" if is_in_main && page_heading.is_empty() => target = Some(Target::PageHeading),
                        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if is_in_main => {
                            if let Some(id) = get("id").filter(|id| !id.is_empty()) {
                                page.sections.push(Section { id: id.to_owned(), ..Section::default() });
                                target = Some(Target::Heading);
                            }
                        }
                        _ => {}
                    }
                    if !INLINE.contains(&&*name) {
                        page.push(" ", target, &mut title, &mut page_heading);
                    }
                }
                Token::End(name) => {
                    let name = name.to_ascii_lowercase();
                    if let Some((open, depth)) = &mut left_out {
                        if *open == name {
                            *depth -= 1;
                            if *depth == 0 {
                                left_out = None;
                            }
                        }
                        continue;
                    }
                    match &*name {
                        "title" if target == Some(Target::Title) => target = None,
                        "main" => (is_in_main, target) = (false, None),
                        "body" => target = None,
                        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if is_in_main => target = Some(Target::Text),
                        _ => {}
                    }
                    if !INLINE.contains(&&*name) {
                        page.push(" ", target, &mut title, &mut page_heading);
                    }
                }
                Token::Text(text) if left_out.is_none() => {
                    page.push(&htmlize::unescape(text), target, &mut title, &mut page_heading);
                }
                Token::Text(_) => {}
            }
        }
        page.title = clean(if page_heading.trim().is_empty() { &title } else { &page_heading });
        for section in &mut page.sections {
            section.heading = clean(section.heading.trim_end().trim_end_matches(['#', '¶', '§']));
            section.text = clean(&section.text);
        }
        if !is_searched {
            page.sections.clear();
        }
        page.digest = digest_of(&(&page.language, &page.title, &page.sections));
        page
    }

    fn push(&mut self, text: &str, target: Option<Target>, title: &mut String, page_heading: &mut String) {
        match (target, self.sections.last_mut()) {
            (Some(Target::Title), _) => title.push_str(text),
            (Some(Target::PageHeading), _) => page_heading.push_str(text),
            (Some(Target::Heading), Some(section)) => section.heading.push_str(text),
            (Some(Target::Text), Some(section)) => section.text.push_str(text),
            _ => {}
        }
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
        Page::of(html, false).sections.into_iter().map(|each| [each.id, each.heading, each.text]).collect()
    }

    #[test]
    fn a_page_has_the_sections_of_its_main_part() {
        let page = Page::of(
            "<html lang=\"en-GB\"><head><title>Rye | Bakery</title></head><body><header>Top</header><nav>All</nav><main>\
             <h1>Rye &amp; oats</h1><p>One<br>two, t<b>hr</b>ee.</p><nav>In</nav><aside>Beside</aside>\
             <h2 id=\"flour\">Flour <a href=\"#flour\">#</a></h2><ul><li>Dark</li><li>Light</li></ul><h3>No id</h3>\
             <div data-search=\"off\"><div>Not</div> this</div><p hidden>Nor</p><pre><code>a\n  b</code></pre></main>\
             <footer>End</footer></body></html>",
            false,
        );
        assert_eq!((page.language.as_str(), page.title.as_str()), ("en", "Rye & oats"));
        let sections: Vec<_> = page.sections.iter().map(|each| [each.id.as_str(), &each.heading, &each.text]).collect();
        assert_eq!(sections, [["", "", "One two, three."], ["flour", "Flour", "Dark Light No id a b"]]);
    }

    #[test]
    fn a_page_without_main_has_its_body() {
        let html = "<title>T</title><body><header>No</header><h2 id=a>A</h2>Text<footer>No</footer></body>";
        assert_eq!(sections(html)[1..], [["a", "A", "Text"].map(str::to_owned)]);
        assert_eq!(Page::of(html, false).title, "T");
    }

    #[test]
    fn a_page_that_is_kept_from_search_engines_is_not_searched() {
        let html = "<html lang=de><meta name=robots content=\"NoIndex, nofollow\"><main>Text</main>";
        assert_eq!((sections(html).len(), Page::of(html, false).language.as_str()), (0, "de"));
        assert!(Page::of("<main>Text</main>", true).sections.is_empty());
    }
}
