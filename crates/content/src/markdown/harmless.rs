//! HTML that every text may have: elements and attributes that show something, and can do nothing else, in tags and places in
//! which every browser reads them alike.
//!
//! The lists follow the HTML Standard's index of elements. An element is here unless it runs scripts, loads another document,
//! changes the head of the page, sends a form, takes input, opens a dialog, or is a landmark of the page's layout. What has no
//! entry in the standard, such as custom elements, does what some script says.

use sitegen_core::html::{Token, is_void, tokens};
use std::ops::Range;

/// Elements, by the sections of the HTML Standard: 4.3 to 4.9, 4.10 (what shows a number), 4.11 (what opens by itself), 16.2
/// (obsolete, but shown).
const ELEMENTS: &[&[&str]] = &[
    &["article", "aside", "section", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "address"],
    &["p", "hr", "pre", "blockquote", "ol", "ul", "li", "dl", "dt", "dd", "figure", "figcaption", "div"],
    &["a", "em", "strong", "small", "s", "cite", "q", "dfn", "abbr", "ruby", "rt", "rp", "data", "time", "code", "var"],
    &["samp", "kbd", "sub", "sup", "i", "b", "u", "mark", "bdi", "bdo", "span", "br", "wbr", "ins", "del"],
    &["picture", "source", "img", "video", "audio", "track", "map", "area"],
    TABLES,
    &["progress", "meter", "details", "summary"],
    &["acronym", "big", "center", "dir", "font", "rb", "rtc", "strike", "tt"],
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
                let is_known = is_element(tag.name) && tag.attributes().all(|each| is_attribute(each.name));
                (tag.start, is_known && is_open_tag(&html[tag.start..end]))
            }
            Token::End(name) => {
                let start = html[..end].rfind("</").unwrap_or(0);
                let after = html[start..end].get(2 + name.len()..).unwrap_or_default();
                (start, is_element(name) && after.trim() == ">")
            }
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

/// Whether an element cannot be in a label, as the text of a task is: a label has phrasing content alone, and no other element that
/// can have a label (HTML Standard, 4.10.4).
fn is_not_for_labels(name: &str) -> bool {
    ELEMENTS[..2].iter().chain([&TABLES, &OTHERS]).any(|names| names.contains(&name))
}

/// The elements of tables.
const TABLES: &[&str] = &["table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th"];

/// Other elements that are no phrasing content, or that can have a label.
const OTHERS: &[&str] = &["details", "summary", "center", "dir", "progress", "meter"];

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

/// Whether a tag is one by the grammar of CommonMark (0.31.2, 6.6 "open tag"), names no attribute twice, and ends with `/` only
/// where an element has no end tag.
fn is_open_tag(tag: &str) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.');
    let name_of = |text: &str| text.find(|letter| !is_name(letter)).unwrap_or(text.len());
    let Some(rest) = tag.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return false };
    let (name, mut rest) = rest.split_at(name_of(rest));
    let mut names: Vec<String> = Vec::new();
    loop {
        let attribute_at = rest.trim_start();
        if matches!(attribute_at, "" | "/") {
            return attribute_at.is_empty() || is_void(&name.to_ascii_lowercase());
        }
        let (attribute, after) = attribute_at.split_at(name_of(attribute_at));
        let is_repeated = names.iter().any(|name| name.eq_ignore_ascii_case(attribute));
        if attribute_at.len() == rest.len() || attribute.is_empty() || is_repeated {
            return false;
        }
        names.push(attribute.to_owned());
        rest = after;
        let Some(value) = rest.trim_start().strip_prefix('=').map(str::trim_start) else { continue };
        let end = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].find(quote).map(|end| end + 2),
            _ => value.find(|letter: char| letter.is_whitespace() || "\"'=<>`".contains(letter)).or(Some(value.len())),
        };
        let Some(end) = end.filter(|end| *end > 0) else { return false };
        rest = &value[end..];
    }
}

/// The number of open elements from which places are no longer checked.
const MOST_OPEN: usize = 500;

/// The elements in which text and other elements than their own parts are moved out of the table by browsers.
const OF_TABLES: [&str; 6] = ["table", "thead", "tbody", "tfoot", "tr", "colgroup"];

/// Returns the elements in which an element must be, if it cannot be anywhere (HTML Standard, "contexts in which this element
/// can be used").
fn parents(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "td" | "th" => &["tr"],
        "tr" => &["table", "thead", "tbody", "tfoot"],
        "caption" | "colgroup" | "thead" | "tbody" | "tfoot" => &["table"],
        "col" => &["colgroup"],
        "li" => &["ul", "ol", "dir"],
        "dt" | "dd" => &["dl", "div"],
        "summary" => &["details"],
        "figcaption" => &["figure"],
        "source" => &["picture", "video", "audio"],
        "track" => &["video", "audio"],
        "rt" | "rp" | "rb" | "rtc" => &["ruby"],
        _ => return None,
    })
}

/// Whether the start tag of an element ends an open one whose end tag may be left out (HTML Standard, "optional tags").
fn ends(name: &str, open: &str) -> bool {
    let is_of_row = |open: &str| matches!(open, "td" | "th" | "tr");
    match name {
        "li" => open == "li",
        "dt" | "dd" => matches!(open, "dt" | "dd"),
        "td" | "th" => matches!(open, "td" | "th"),
        "tr" => is_of_row(open),
        "thead" | "tbody" | "tfoot" => {
            is_of_row(open) || matches!(open, "thead" | "tbody" | "tfoot" | "caption" | "colgroup")
        }
        "rt" | "rp" | "rb" | "rtc" => matches!(open, "rt" | "rp" | "rb" | "rtc"),
        _ => false,
    }
}

/// Returns the first element in the HTML of a text that browsers move elsewhere, by its name, and what is wrong. Elements may be
/// those of Markdown too: a link in an `<a>`.
pub(super) fn misplaced(html: &str) -> Option<(String, String)> {
    let mut open: Vec<String> = Vec::new();
    for token in tokens(html) {
        let around = open.last().map_or("", String::as_str);
        match token {
            Token::Text(text) if !text.trim().is_empty() && OF_TABLES.contains(&around) => {
                return Some((around.to_owned(), format!("text in `<{around}>` must be inside a cell")));
            }
            Token::Text(_) => {}
            Token::End(name) => {
                let at = open.iter().rposition(|open| open.eq_ignore_ascii_case(name));
                open.truncate(at.unwrap_or(open.len()));
            }
            Token::Start(tag) => {
                let name = tag.name.to_ascii_lowercase();
                while open.last().is_some_and(|open| ends(&name, open)) {
                    open.pop();
                }
                if let Some(detail) = misplacement(&name, &open) {
                    return Some((name, detail));
                }
                if !is_void(&name) {
                    open.push(name);
                }
                // Each tag is compared with all that are open. Nobody writes that many.
                if open.len() > MOST_OPEN {
                    return None;
                }
            }
        }
    }
    None
}

/// Says what is wrong with an element inside open ones.
fn misplacement(name: &str, open: &[String]) -> Option<String> {
    let around = open.last().map_or("", String::as_str);
    let is_heading = |name: &str| matches!(name.as_bytes(), [b'h', b'1'..=b'6']);
    match parents(name) {
        Some(allowed) if !allowed.contains(&around) => {
            Some(format!("`<{name}>` must be directly inside `<{}>`", allowed.join(">` or `<")))
        }
        None if OF_TABLES.contains(&around) => Some(format!("`<{name}>` in `<{around}>` must be inside a cell")),
        _ if name == "a" && open.iter().any(|open| open == "a") => {
            Some("a link cannot be inside another link".to_owned())
        }
        _ if is_not_for_labels(name) && open.iter().any(|open| open == "label") => {
            Some(format!("`<{name}>` cannot be in the text of a task; write it in a paragraph of its own"))
        }
        _ if is_heading(name) && is_heading(around) => Some("a heading cannot be inside another heading".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_commonmark_reads_them() {
        for tag in ["<b>", "<br/>", "<img src=\"/a\" alt=''>", "<p\n align = center  >", "<details open>"] {
            assert!(matches!(first_refused(tag), Tags::Harmless), "{tag}");
        }
        for tag in
            ["<p <b>", "<p/>", "<p a=1 A=2>", "<p a='1'b>", "<p a=>", "<p a=\"<\"\">", "</p x>", "<p =a>", "<b/ a>"]
        {
            assert!(!matches!(first_refused(tag), Tags::Harmless), "{tag}");
        }
    }

    #[test]
    fn elements_stand_where_browsers_leave_them() {
        for html in [
            "<table><tr><td>a<td>b<tr><th>c</table>",
            "<table><caption>a</caption><colgroup><col></colgroup><tbody><tr><td><b>a</b></td></tr></tbody></table>",
            "<ul><li>a<li><a href=\"/\">b</a></ul><a href=\"/\">c</a>",
            "<details><summary>a</summary><h2>b</h2></details>",
            "<ul><li><label><input type=\"checkbox\"> <em>a <b>b</b></em></label><p>c</li></ul>",
        ] {
            assert_eq!(misplaced(html), None, "{html}");
        }
        for (html, name) in [
            ("<td>a</td>", "td"),
            ("<table>a</table>", "table"),
            ("<table><tr><b>a</b></tr></table>", "b"),
            ("<li>a</li>", "li"),
            ("<a href=\"/\">a <b><a href=\"/\">b</a></b></a>", "a"),
            ("<h1><h2>a</h2></h1>", "h2"),
            ("<li><label><input type=\"checkbox\"> <em>a <p> b</em></label></li>", "li"),
            ("<ul><li><label><input type=\"checkbox\"> <em>a <p> b</em></label></li></ul>", "p"),
            ("<ul><li><label><input type=\"checkbox\"> <meter value=1></meter></label></li></ul>", "meter"),
            ("<source src=\"/a\">", "source"),
        ] {
            assert_eq!(misplaced(html).map(|(name, _)| name).as_deref(), Some(name), "{html}");
        }
    }
}
