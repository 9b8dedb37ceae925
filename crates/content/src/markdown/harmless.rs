//! HTML that every text may have: elements and attributes that show something, and can do nothing else.
//!
//! The lists follow the HTML Standard's index of elements. An element is here unless it runs scripts, loads another document,
//! changes the head of the page, sends a form, takes input, opens a dialog, or is a landmark of the page's layout. What has no
//! entry in the standard, such as custom elements, does what some script says.

use sitegen_core::html::{Token, tokens};
use std::ops::Range;

/// Elements, by the sections of the HTML Standard: 4.3 to 4.9, 4.10 (what shows a number), 4.11 (what opens by itself), 16.2
/// (obsolete, but shown).
const ELEMENTS: &[&[&str]] = &[
    &["article", "aside", "section", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "address"],
    &["p", "hr", "pre", "blockquote", "ol", "ul", "li", "dl", "dt", "dd", "figure", "figcaption", "div"],
    &["a", "em", "strong", "small", "s", "cite", "q", "dfn", "abbr", "ruby", "rt", "rp", "data", "time", "code", "var"],
    &["samp", "kbd", "sub", "sup", "i", "b", "u", "mark", "bdi", "bdo", "span", "br", "wbr", "ins", "del"],
    &["picture", "source", "img", "video", "audio", "track", "map", "area"],
    &["table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th"],
    &["progress", "meter", "details", "summary"],
    &["acronym", "big", "center", "dir", "font", "nobr", "rb", "rtc", "strike", "tt"],
];

/// What the tags of a piece of HTML need.
pub(super) enum Tags {
    /// There are none.
    None,
    /// Every text may have them.
    Harmless,
    /// The bytes of the first tag that only some texts may have.
    Refused(Range<usize>),
}

/// Returns what the tags of a piece of HTML need.
pub(super) fn first_refused(html: &str) -> Tags {
    let mut tokens = tokens(html);
    let mut tags = Tags::None;
    while let Some(token) = tokens.next() {
        let end = tokens.offset();
        let (start, is_harmless) = match token {
            Token::Text(_) => continue,
            Token::Start(tag) => {
                (tag.start, is_element(tag.name) && tag.attributes().all(|each| is_attribute(each.name)))
            }
            Token::End(name) => (html[..end].rfind("</").unwrap_or(0), is_element(name)),
        };
        if !is_harmless {
            return Tags::Refused(start..end);
        }
        tags = Tags::Harmless;
    }
    // A `<` that begins no tag is text in Markdown, but a processing instruction or a declaration is not.
    match (&tags, html.trim_start()) {
        (Tags::None, text) if text.starts_with('<') && !text.starts_with("<!--") => Tags::Refused(0..html.len()),
        _ => tags,
    }
}

fn is_element(name: &str) -> bool {
    ELEMENTS.iter().any(|names| names.iter().any(|element| element.eq_ignore_ascii_case(name)))
}

/// Whether an attribute does nothing but show. Handlers of events, styles and addresses are checked in every finished page.
fn is_attribute(name: &str) -> bool {
    // `is` makes a custom element, `ping` sends a message, the others call what belongs to another element or a script.
    const ACTING: [&str; 9] =
        ["is", "ping", "slot", "part", "popover", "contenteditable", "autofocus", "accesskey", "attributionsrc"];
    !ACTING.iter().any(|acting| acting.eq_ignore_ascii_case(name)) && !name.to_ascii_lowercase().starts_with("on")
}
