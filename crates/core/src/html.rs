//! Reads final HTML in one pass over the bytes of a page, without building a tree.
//!
//! It follows the tokenizer of the WHATWG HTML Standard (chapter 13.2.5) for everything that a rendered page can have:
//! tags with their attributes, comments, raw text (`script`, `style`) and escapable raw text (`title`, `textarea`).

use memchr::{memchr, memchr_iter, memchr2_iter, memmem};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Whether an element has no content and no end tag: the void elements of the HTML Standard (13.1.2), and the obsolete
/// `param`, which parsers treat alike.
pub fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// A token of a page.
#[derive(Debug, PartialEq)]
pub enum Token<'a> {
    /// A start tag.
    Start(Tag<'a>),
    /// An end tag, by its name.
    End(&'a str),
    /// Text between tags, or everything inside a `script`, `style`, `title` or `textarea`.
    Text(&'a str),
}

/// A start tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tag<'a> {
    /// Its name as written.
    pub name: &'a str,
    /// The text between the name and `>`.
    pub rest: &'a str,
    /// The offset of `<` in the page.
    pub start: usize,
    /// The offset of the byte after `>`.
    pub end: usize,
}

/// An attribute of a start tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute<'a> {
    /// Its name as written.
    pub name: &'a str,
    /// Its value with character references replaced.
    pub value: Cow<'a, str>,
}

impl<'a> Tag<'a> {
    /// Whether this is an element with that name.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns its name in lower case, which is how names are nearly always written.
    pub fn lower_name(&self) -> Cow<'a, str> {
        lower(self.name)
    }

    /// Returns the attributes in the order they are written.
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes { rest: self.rest }
    }

    /// Where in the page an attribute stands, from its name to the end of its value, and that value. The first of its name
    /// counts, as in browsers.
    pub fn spot(&self, name: &str) -> Option<(Range<usize>, Cow<'a, str>)> {
        let mut attributes = self.attributes();
        let attribute = attributes.find(|attribute| attribute.name.eq_ignore_ascii_case(name))?;
        let length = self.rest.len() - attributes.rest.len();
        let begin = attribute.name.as_ptr().addr() - self.rest.as_ptr().addr();
        let rest = self.start + 1 + self.name.len();
        // Space after a value without quotes, or after a name alone, belongs to nothing.
        let end = begin + self.rest[begin..length].trim_end_matches(|letter: char| letter.is_ascii_whitespace()).len();
        Some((rest + begin..rest + end, attribute.value))
    }

    /// Returns the value of an attribute. The first one of that name counts, as in browsers.
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes().find(|attribute| attribute.name.eq_ignore_ascii_case(name)).map(|attribute| attribute.value)
    }
}

/// Returns a name in lower case.
pub fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// Returns the value of an attribute among those of a tag. The first one of that name counts, as in browsers.
pub fn value_of<'v>(attributes: &'v [Attribute], name: &str) -> Option<&'v str> {
    let attribute = attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name));
    attribute.map(|attribute| &*attribute.value)
}

/// An iterator over the attributes of a tag.
pub struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let text = trimmed(self.rest, is_space_or_slash);
        if text.is_empty() {
            return None;
        }
        // A name may begin with `=`.
        let ends = |byte: &u8| is_space_or_slash(*byte) || *byte == b'=';
        let name_end = text.bytes().skip(1).position(|byte| ends(&byte)).map_or(text.len(), |at| at + 1);
        let name = &text[..name_end];
        let after = trimmed(&text[name_end..], is_space);
        let Some(value) = after.strip_prefix('=') else {
            self.rest = after;
            return Some(Attribute { name, value: Cow::Borrowed("") });
        };
        let value = trimmed(value, is_space);
        let (value, rest) = match value.as_bytes().first() {
            Some(quote @ (b'"' | b'\'')) => {
                let inner = &value[1..];
                let end = memchr(*quote, inner.as_bytes()).unwrap_or(inner.len());
                (&inner[..end], inner.get(end + 1..).unwrap_or(""))
            }
            _ => value.split_at(value.bytes().position(is_space).unwrap_or(value.len())),
        };
        self.rest = rest;
        Some(Attribute { name, value: decode(value) })
    }
}

// Everything that delimits names and values is ASCII, so the code compares bytes instead of characters.

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

fn is_space_or_slash(byte: u8) -> bool {
    is_space(byte) || byte == b'/'
}

/// Removes leading bytes for which `is` holds.
fn trimmed(text: &str, is: fn(u8) -> bool) -> &str {
    &text[text.bytes().position(|byte| !is(byte)).unwrap_or(text.len())..]
}

/// Returns the tokens of a page.
pub fn tokens(html: &str) -> Tokens<'_> {
    Tokens { html, at: 0, raw: None, ends_in_comment: false }
}

impl Tokens<'_> {
    /// Returns the offset where the last returned token ends.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Whether the rest of the text is a comment that is never closed.
    pub fn ends_in_comment(&self) -> bool {
        self.ends_in_comment
    }
}

/// An iterator over the tokens of a page.
pub struct Tokens<'a> {
    html: &'a str,
    at: usize,
    /// The element whose raw text comes next.
    raw: Option<&'a str>,
    ends_in_comment: bool,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(name) = self.raw.take() {
            let end = self.at + raw_end(&self.html[self.at..], name);
            let text = &self.html[self.at..end];
            self.at = end;
            if !text.is_empty() {
                return Some(Token::Text(text));
            }
        }
        loop {
            let rest = &self.html[self.at..];
            if rest.is_empty() {
                return None;
            }
            // Most tokens begin where another ends.
            let open = if rest.starts_with('<') { Some(0) } else { memchr(b'<', rest.as_bytes()) };
            let Some(open) = open else {
                self.at = self.html.len();
                return Some(Token::Text(rest));
            };
            let next = rest.as_bytes().get(open + 1).copied().unwrap_or(b' ');
            let is_markup = next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?');
            if open > 0 || !is_markup {
                // A lone `<` is text, up to the next one.
                let end = if is_markup {
                    open
                } else {
                    memchr(b'<', &rest.as_bytes()[open + 1..]).map_or(rest.len(), |at| open + 1 + at)
                };
                self.at += end;
                return Some(Token::Text(&rest[..end]));
            }
            match next {
                b'!' | b'?' => {
                    let length = comment_length(rest);
                    let comment = &rest[..length];
                    self.ends_in_comment = comment.starts_with("<!--") && !is_closed_comment(comment);
                    self.at += length;
                }
                // Without a letter after it, `</` begins a comment that ends with the next `>`.
                b'/' if !rest.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic) => {
                    self.at += memchr(b'>', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
                }
                b'/' => {
                    let (name, length) = tag_lengths(&rest[2..]);
                    self.at += 2 + length;
                    return Some(Token::End(&rest[2..2 + name]));
                }
                _ => {
                    let (name, length) = tag_lengths(&rest[1..]);
                    let (name, attributes) = rest[1..=length].split_at(name);
                    let attributes = attributes.strip_suffix('>').unwrap_or(attributes);
                    let end = 1 + length;
                    let tag = Tag { name, rest: attributes, start: self.at, end: self.at + end };
                    self.at += end;
                    // Most tags have other lengths than these.
                    if matches!(name.len(), 5 | 6 | 8)
                        && ["script", "style", "title", "textarea", "iframe"]
                            .iter()
                            .any(|raw| name.eq_ignore_ascii_case(raw))
                    {
                        self.raw = Some(name);
                    }
                    return Some(Token::Start(tag));
                }
            }
        }
    }
}

/// Returns the text of HTML as a reader sees it: without tags, comments, scripts and styles, with character references
/// replaced. White space stays as it is.
pub fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut is_code = false;
    for token in tokens(html) {
        match token {
            Token::Start(tag) => is_code = tag.is("script") || tag.is("style"),
            Token::End(_) => is_code = false,
            Token::Text(part) if !is_code => text.push_str(&htmlize::unescape(part)),
            Token::Text(_) => {}
        }
    }
    text
}

/// Returns the length of an element's raw text: up to its end tag.
fn raw_end(text: &str, name: &str) -> usize {
    if name.eq_ignore_ascii_case("script") {
        return script_end(text);
    }
    let mut ends = memmem::find_iter(text.as_bytes(), b"</");
    ends.find(|at| is_tag(&text[at + 2..], name)).unwrap_or(text.len())
}

/// Whether a text begins with this name of a tag.
fn is_tag(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        && text.as_bytes().get(name.len()).is_some_and(|byte| is_space_or_slash(*byte) || *byte == b'>')
}

/// Returns the length of a script: up to its end tag. After `<!--` and `<script`, an end tag ends only what that began, until
/// `-->` (HTML Standard, 13.2.5.20 and following, "script data escaped").
fn script_end(text: &str) -> usize {
    /// Where the first dash of the `<!--` is, and whether `<script` has followed.
    enum Escaped {
        No,
        Since { dash: usize, twice: bool },
    }
    let mut escaped = Escaped::No;
    for at in memchr2_iter(b'<', b'>', text.as_bytes()) {
        let rest = &text[at..];
        escaped = match escaped {
            Escaped::Since { dash, .. } if rest.starts_with('>') && text[..at].ends_with("--") && dash + 2 <= at => {
                Escaped::No
            }
            Escaped::No if rest.starts_with("<!--") => Escaped::Since { dash: at + 2, twice: false },
            Escaped::Since { dash, twice: true } if rest.starts_with("</") && is_tag(&rest[2..], "script") => {
                Escaped::Since { dash, twice: false }
            }
            Escaped::No | Escaped::Since { twice: false, .. }
                if rest.starts_with("</") && is_tag(&rest[2..], "script") =>
            {
                return at;
            }
            Escaped::Since { dash, twice: false } if rest.starts_with('<') && is_tag(&rest[1..], "script") => {
                Escaped::Since { dash, twice: true }
            }
            other => other,
        };
    }
    text.len()
}

/// Whether a text that is one comment also has its end.
fn is_closed_comment(comment: &str) -> bool {
    ["-->", "--!>"].iter().any(|end| comment.ends_with(end)) || comment == "<!-->"
}

/// Returns the length of a comment, a doctype or a processing instruction, which browsers read as a comment.
fn comment_length(text: &str) -> usize {
    let Some(inner) = text.strip_prefix("<!--") else {
        return text.find('>').map_or(text.len(), |at| at + 1);
    };
    // `<!-->` and `<!--->` are complete comments.
    for short in [">", "->"] {
        if inner.starts_with(short) {
            return 4 + short.len();
        }
    }
    // `-->` and `--!>`. Searching for each separately would read the rest of the page again for every comment.
    let bytes = inner.as_bytes();
    let is_end = |at: &usize| bytes[..*at].ends_with(b"--") || bytes[..*at].ends_with(b"--!");
    let end = memchr_iter(b'>', bytes).find(is_end);
    4 + end.map_or(inner.len(), |at| at + 1)
}

/// The state of the tokenizer in a start tag (HTML Standard 13.2.5.8 and following).
#[derive(Clone, Copy)]
enum At {
    TagName,
    Between,
    Name,
    AfterName,
    BeforeValue,
    Bare,
    Quoted(u8),
}

impl At {
    /// Returns the state after a byte; `None` after the `>` that ends the tag. A `>` inside a quoted value ends
    /// nothing, and a quote opens a value only where one can begin: after the `=` that follows an attribute's name.
    fn after(self, byte: u8) -> Option<At> {
        let is_space = is_space(byte);
        let on_space = |next: At| if is_space { next } else { self };
        Some(match (self, byte) {
            (At::Quoted(quote), _) if byte == quote => At::Between,
            (At::Quoted(_), _) => self,
            (_, b'>') => return None,
            (At::BeforeValue, b'"' | b'\'') => At::Quoted(byte),
            (At::BeforeValue, _) if is_space => self,
            (At::BeforeValue, _) => At::Bare,
            (At::Bare, _) => on_space(At::Between),
            (At::TagName | At::Name | At::AfterName | At::Between, b'/') => At::Between,
            (At::TagName, _) => on_space(At::Between),
            (At::Between, _) => {
                if is_space {
                    self
                } else {
                    At::Name
                }
            }
            (At::Name | At::AfterName, b'=') => At::BeforeValue,
            (At::Name, _) => on_space(At::AfterName),
            (At::AfterName, _) => {
                if is_space {
                    self
                } else {
                    At::Name
                }
            }
        })
    }
}

/// Returns the length of the name with which a text begins, and of the rest of its tag with it, `>` included.
fn tag_lengths(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let ends = |byte: &u8| is_space_or_slash(*byte) || *byte == b'>';
    let name = bytes.iter().position(ends).unwrap_or(bytes.len());
    let (mut state, mut at) = (At::TagName, name);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match state.after(*byte) {
            // Most bytes of a tag are those of its values.
            Some(next @ At::Quoted(quote)) => {
                state = next;
                at += memchr(quote, &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            Some(next) => state = next,
            None => return (name, at),
        }
    }
    (name, bytes.len())
}

/// Reports which offsets in a start tag are inside a quoted value. Offsets must be asked for in ascending order.
pub struct Quoted<'a> {
    tag: &'a str,
    at: usize,
    state: At,
}

impl<'a> Quoted<'a> {
    /// Begins at the start of a tag.
    pub fn of(tag: &'a str) -> Self {
        Quoted { tag, at: 1, state: At::TagName }
    }

    /// Whether the byte at an offset is inside a quoted value.
    pub fn is_at(&mut self, offset: usize) -> bool {
        for byte in &self.tag.as_bytes()[self.at.min(offset)..offset] {
            self.state = self.state.after(*byte).unwrap_or(self.state);
        }
        self.at = self.at.max(offset);
        matches!(self.state, At::Quoted(_))
    }
}

/// Whether the value of an attribute, named in lower case, is one address, on whatever element it stands (HTML Standard,
/// "Attributes", and 16.2, "non-conforming features").
pub fn is_address(name: &str) -> bool {
    matches!(name, "action" | "background" | "cite" | "data" | "formaction" | "href" | "longdesc" | "poster" | "src")
}

/// Returns HTML with other values for attributes, where `new` gives one for a name in lower case and a value. Everything else
/// stays as it is.
pub fn with_attributes(html: &str, new: impl Fn(&str, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut from = 0;
    for token in tokens(html) {
        let Token::Start(tag) = token else { continue };
        let mut changes = Vec::new();
        let mut seen: BTreeSet<Cow<str>> = BTreeSet::new();
        for attribute in tag.attributes() {
            let name = lower(attribute.name);
            // Browsers take the first attribute of a name.
            if !seen.insert(name.clone()) {
                continue;
            }
            if let Some((new, (range, _))) = new(&name, &attribute.value).zip(tag.spot(&name)) {
                changes.push((range, name, new));
            }
        }
        for (range, name, new) in changes {
            out.push_str(&html[from..range.start]);
            out.push_str(&name);
            out.push_str("=\"");
            // Writing to a String cannot fail.
            let _ = pulldown_cmark_escape::escape_html(&mut out, &new);
            out.push('"');
            from = range.end;
        }
    }
    out.push_str(&html[from..]);
    out
}

/// Returns a `srcset` with other addresses, where `new` gives one. `None` if all stay.
pub fn with_addresses(list: &str, new: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut from = 0;
    for address in srcset(list) {
        let start = address.as_ptr().addr() - list.as_ptr().addr();
        if let Some(new) = new(address) {
            out.push_str(&list[from..start]);
            out.push_str(&new);
            from = start + address.len();
        }
    }
    (from > 0).then(|| out + &list[from..])
}

/// Returns the addresses of a `srcset`, which may contain commas (HTML Standard 4.8.4.3.5, "parse a srcset attribute").
pub fn srcset(value: &str) -> impl Iterator<Item = &str> {
    candidates(value).map(|(address, _)| address)
}

/// Returns the addresses of a `srcset`, each with its descriptor: `480w`, `2x` or nothing.
pub fn candidates(value: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let text = trimmed(rest, |byte| is_space(byte) || byte == b',');
        if text.is_empty() {
            return None;
        }
        let (address, after) = text.split_at(text.bytes().position(is_space).unwrap_or(text.len()));
        let bare = address.trim_end_matches(',');
        if bare.len() < address.len() {
            // Skip the comma after an address without a descriptor.
            rest = after;
            return Some((bare, ""));
        }
        let mut depth = 0usize;
        let end = after.bytes().position(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            byte == b',' && depth == 0
        });
        let (descriptor, following) = after.split_at(end.unwrap_or(after.len()));
        rest = following;
        Some((address, descriptor.trim()))
    })
}

/// Replaces character references as browsers do in an attribute (HTML Standard, 13.2.5.72): also the names without `;`.
pub fn decode(text: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(html: &str) -> Vec<String> {
        tokens(html)
            .map(|token| match token {
                Token::Start(tag) => {
                    let attributes: Vec<String> =
                        tag.attributes().map(|each| format!("{}={}", each.name, each.value)).collect();
                    format!("<{} {}>", tag.name, attributes.join(","))
                }
                Token::End(name) => format!("</{name}>"),
                Token::Text(text) => text.to_owned(),
            })
            .collect()
    }

    #[test]
    fn character_references_are_read_as_browsers_read_them() {
        for (text, value) in [
            ("a&amp;b&copy;&NotEqualTilde;&#x41;", "a&b©\u{2242}\u{338}A"),
            // In an attribute a name without `;` stands for itself before a letter, a digit or `=`.
            ("?a=1&copy=2&lt", "?a=1&copy=2<"),
            ("&#128;&#0;&unknown;", "€\u{fffd}&unknown;"),
            ("java&Tab;script&colon;", "java\tscript:"),
        ] {
            assert_eq!(decode(text), value, "{text}");
        }
    }

    #[test]
    fn tags_attributes_and_text_are_distinguished() {
        assert_eq!(
            names("<!doctype html><p class=\"a > b\" hidden data-x='1'>a < b<br/></p >"),
            ["<p class=a > b,hidden=,data-x=1>", "a < b", "<br >", "</p>"]
        );
        assert_eq!(names("<a href=/x/y title = \"&quot;&#60;&#x3E;&amp;amp;\">"), ["<a href=/x/y,title=\"<>&amp;>"]);
    }

    #[test]
    fn raw_text_ends_only_with_its_own_end_tag() {
        assert_eq!(
            names("<script>if (a</b/.test(x)) '</scripty>'</SCRIPT><title><b></title>"),
            ["<script >", "if (a</b/.test(x)) '</scripty>'", "</SCRIPT>", "<title >", "<b>", "</title>"]
        );
    }

    #[test]
    fn a_script_in_a_comment_of_a_script_needs_an_end_of_its_own() {
        let page = "<script>var a = '<!--<script>';</script>b</script>c<script>'<!-->'</script>d";
        let read = names(page);
        assert_eq!(read[1], "var a = '<!--<script>';</script>b");
        assert_eq!(read[2..], ["</script>", "c", "<script >", "'<!-->'", "</script>", "d"]);
    }

    #[test]
    fn comments_hide_what_is_in_them() {
        assert_eq!(names("<!--<p>-->a<!-->b<!--->c<!-- --!>d"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_comment_that_is_never_closed_takes_the_rest() {
        for (html, is_open) in
            [("a<!-- b", true), ("<!--", true), ("<!-- b -->c", false), ("<!-->", false), ("<!-- --!>", false)]
        {
            let mut tokens = tokens(html);
            while tokens.next().is_some() {}
            assert_eq!(tokens.ends_in_comment(), is_open, "{html}");
        }
    }

    #[test]
    fn a_comma_in_an_address_of_a_srcset_is_part_of_it() {
        let read = |value: &'static str| srcset(value).collect::<Vec<_>>();
        assert_eq!(read("w_100,h_50/a.jpg 1x, b.jpg 2x"), ["w_100,h_50/a.jpg", "b.jpg"]);
        assert_eq!(read(" a.jpg,\tb.jpg 2x,,c.jpg"), ["a.jpg", "b.jpg", "c.jpg"]);
        assert_eq!(read("a.jpg calc(1,2) 3w, b.jpg, "), ["a.jpg", "b.jpg"]);
        assert_eq!(read("data:image/gif;base64,R0lGOD 1x"), ["data:image/gif;base64,R0lGOD"]);
        assert_eq!(read(" , "), Vec::<&str>::new());
    }

    #[test]
    fn a_place_in_a_tag_is_in_quotes_or_not() {
        let tag = "<a href=\"x y\" title='z' id=w>";
        let mut quoted = Quoted::of(tag);
        for (part, is_quoted) in [("x y", true), ("y\"", true), ("title", false), ("z'", true), ("w>", false)] {
            assert_eq!(quoted.is_at(tag.find(part).unwrap()), is_quoted, "{part}");
        }
    }

    #[test]
    fn broken_markup_ends_without_harm() {
        for broken in ["<", "<a", "<a b=\"", "<!--", "</", "<script>", "<a =x>", "é<é"] {
            let _ = names(broken);
        }
    }
}
