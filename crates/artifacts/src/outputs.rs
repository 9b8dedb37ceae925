//! Pages that are no HTML: XML, JSON, plain text and calendars. Checks that they are well-formed, and reads their
//! addresses.
//!
//! A location in such a file is the offset of a byte in [`Location::tag`].

use super::facts::{Facts, Purpose, Reference};
use super::mistakes::{Location, PageMistake};
use sitegen_core::diagnostics::{MOST, TemplateProblem, boundary};
use sitegen_core::paths::Format;
use std::borrow::Cow;

mod calendar;

/// What reads as an address when it begins with `/`: attributes and elements of XML, keys of JSON.
const ADDRESSES: &[&str] =
    &["action", "href", "icon", "image", "link", "loc", "scope", "src", "start_url", "uri", "url"];

/// What names something and need not lead anywhere, even if it looks like an address.
const NAMES: &[&str] = &["@id", "guid", "id", "uid"];

/// Returns a rendered file as it is published. Lines of calendars get the ends and the length that RFC 5545 asks for.
pub fn finish(format: Format, text: &str) -> Cow<'_, str> {
    match format {
        Format::Calendar => Cow::Owned(calendar::finish(text)),
        _ => Cow::Borrowed(text),
    }
}

/// Reads the facts of a rendered file. `base` is the full address of the site.
pub fn facts(format: Format, text: &str, base: &str) -> Facts {
    let texts = match format {
        Format::Html => Ok(Vec::new()),
        Format::Xml => xml(text),
        Format::Json => json(text),
        Format::Text => plain(text).map(|()| Vec::new()),
        Format::Calendar => plain(text).and_then(|()| calendar::check(text)),
    };
    let mut facts = Facts::default();
    match texts {
        Ok(values) => {
            let is_own = |value: &TextValue| {
                let below = value.text.strip_prefix(base);
                let is_whole = below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '#', '?']));
                let is_path = value.text.starts_with('/') && !value.text.starts_with("//");
                is_whole && !NAMES.contains(&value.name.as_str()) || is_path && ADDRESSES.contains(&value.name.as_str())
            };
            facts.references = values.into_iter().filter(is_own).map(TextValue::reference).collect();
        }
        Err(OutputError { at, detail }) => {
            let (start, end) = line_at(text, at);
            let excerpt = text[start..end].trim();
            let excerpt: String = excerpt.chars().filter(|letter| !letter.is_control()).take(60).collect();
            let problem = TemplateProblem::MalformedFile { format: format.name(), detail, line: excerpt };
            facts.mistakes.push(PageMistake::new(problem, Some(Location { tag: at, ..Location::default() })));
        }
    }
    facts.references.truncate(MOST * 1000);
    facts
}

/// Why a file is not well-formed.
#[derive(Debug, PartialEq, Eq)]
struct OutputError {
    /// The offset of the cause.
    at: usize,
    /// What is wrong, as a part of a sentence.
    detail: String,
}

/// A text in a file that may be an address.
struct TextValue {
    /// The offset of its first byte in the file.
    at: usize,
    /// The attribute, element, key or property that has it.
    name: String,
    /// With character references or escapes replaced.
    text: String,
}

impl TextValue {
    fn reference(self) -> Reference {
        let attribute = Some(Cow::Owned(self.name));
        Reference { address: self.text, purpose: Purpose::Link, tag: self.at, attribute, island: None }
    }
}

/// Returns the start and the end of the line around an offset.
fn line_at(text: &str, at: usize) -> (usize, usize) {
    let at = boundary(text, at);
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    (start, text[at..].find('\n').map_or(text.len(), |end| at + end))
}

/// Returns the offset of a line and a column, both counted from 1, the column in characters.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text[start..].char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| start + at)
}

/// Reads XML (XML 1.0, Namespaces in XML 1.0) without a document type.
fn xml(text: &str) -> Result<Vec<TextValue>, OutputError> {
    let document = roxmltree::Document::parse(text).map_err(|error| {
        let place = error.pos();
        let said = error.to_string();
        let detail = said.split(" at ").next().unwrap_or(&said).replace('\'', "`");
        let detail = if text.trim().is_empty() { "it is empty".to_owned() } else { detail };
        OutputError { at: offset(text, place.row as usize, place.col as usize), detail }
    })?;
    let mut values = Vec::new();
    for node in document.descendants() {
        for attribute in node.attributes() {
            let (name, text) = (attribute.name().to_owned(), attribute.value().trim().to_owned());
            values.push(TextValue { at: attribute.range_value().start, name, text });
        }
        if let Some(text) = node.text().filter(|_| node.is_text()) {
            let name = node.parent().map_or("", |parent| parent.tag_name().name()).to_owned();
            let at = node.range().start + text.len() - text.trim_start().len();
            values.push(TextValue { at, name, text: text.trim().to_owned() });
        }
    }
    Ok(values)
}

/// Reads JSON (RFC 8259).
fn json(text: &str) -> Result<Vec<TextValue>, OutputError> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| {
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or(&said);
        let detail = match said {
            _ if text.trim().is_empty() => "it is empty".to_owned(),
            "EOF while parsing a string" => "a string has no closing quotation mark".to_owned(),
            _ if said.starts_with("EOF") => "it ends too early".to_owned(),
            "trailing characters" => "there is extra content after its end".to_owned(),
            "trailing comma" => "there is a trailing comma".to_owned(),
            "expected value" => "a value is missing".to_owned(),
            "key must be a string" => {
                "a key in quotation marks is missing, perhaps because of an extra comma".to_owned()
            }
            _ if said.starts_with("control character") => {
                "a string contains a line break or another control character".to_owned()
            }
            said => match said.strip_prefix("expected ") {
                Some(expected) => format!("{expected} is missing"),
                None => said.to_owned(),
            },
        };
        // Its columns count bytes.
        let start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        OutputError { at: (start + error.column().saturating_sub(1)).min(text.len()), detail }
    })?;
    let mut values = Vec::new();
    let mut key: Option<String> = None;
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'"', &text.as_bytes()[at..]).map(|quote| at + quote) {
        let mut end = open + 1;
        while !matches!(text.as_bytes().get(end), Some(b'"') | None) {
            end += if text.as_bytes()[end] == b'\\' { 2 } else { 1 };
        }
        at = (end + 1).min(text.len());
        let Ok(string) = serde_json::from_str::<String>(&text[open..at]) else { break };
        match text[at..].trim_start().starts_with(':') {
            true => key = Some(string),
            // A list has its items under the key before it.
            false => values.push(TextValue { at: open + 1, name: key.clone().unwrap_or_default(), text: string }),
        }
    }
    Ok(values)
}

/// Checks a text for characters that have no place in one.
fn plain(text: &str) -> Result<(), OutputError> {
    let is_wrong = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    match text.char_indices().find(|(_, letter)| is_wrong(*letter)) {
        None => Ok(()),
        Some((at, letter)) => {
            Err(OutputError { at, detail: format!("it contains the control character U+{:04X}", u32::from(letter)) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::Problem;

    const BASE: &str = "https://www.a.test/docs";

    fn addresses(format: Format, text: &str) -> Vec<String> {
        let facts = facts(format, text, BASE);
        assert!(facts.mistakes.is_empty(), "{:?}", facts.mistakes);
        facts
            .references
            .iter()
            .map(|reference| {
                assert!(text[reference.tag..].starts_with(&reference.address), "{reference:?}");
                reference.address.clone()
            })
            .collect()
    }

    fn wrong(format: Format, text: &str) -> String {
        let facts = facts(format, text, BASE);
        let [
            PageMistake {
                problem: Problem::Template(TemplateProblem::MalformedFile { detail, .. }),
                location: Some(location),
            },
        ] = &facts.mistakes[..]
        else {
            panic!("{text}: {:?}", facts.mistakes)
        };
        format!("{}: {detail}", location.tag)
    }

    #[test]
    fn addresses_of_the_site_are_found_in_xml() {
        let text = "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:x=\"https://www.a.test/docs/x\">\
                    <id>https://www.a.test/docs/id</id><link href=\"https://www.a.test/docs/a#b\"/>\
                    <loc> /docs/c </loc><p title=\"/d\">/e https://www.a.test/docs/f</p><link href=\"https://b.test/g\"/>\
                    <logo>https://www.a.test/docs</logo><p>https://www.a.test/docsx</p></feed>";
        assert_eq!(addresses(Format::Xml, text), ["https://www.a.test/docs/a#b", "/docs/c", "https://www.a.test/docs"]);
    }

    #[test]
    fn addresses_of_the_site_are_found_in_json() {
        let text = r#"{"start_url": "/docs/", "icons": [{"src": "/docs/i.png", "sizes": "/1"}], "title": "/x",
            "id": "https://www.a.test/docs/id", "@graph": ["https://www.a.test/docs/y", "q \" https://www.a.test/docs/z"]}"#;
        assert_eq!(addresses(Format::Json, text), ["/docs/", "/docs/i.png", "https://www.a.test/docs/y"]);
    }

    #[test]
    fn what_is_not_well_formed_is_reported_where_it_breaks() {
        for (format, text, expected) in [
            (
                Format::Json,
                "{\"a\": \"é\",}",
                "11: a key in quotation marks is missing, perhaps because of an extra comma",
            ),
            (Format::Json, "{\n\"a\": He}", "7: a value is missing"),
            (Format::Json, "{\"a\": \"x\ny\"}", "7: a string contains a line break or another control character"),
            (Format::Json, " ", "0: it is empty"),
            (Format::Json, "{}{}", "2: there is extra content after its end"),
            (Format::Text, "a\u{7}", "1: it contains the control character U+0007"),
        ] {
            assert_eq!(wrong(format, text), expected, "{text}");
        }
        for text in
            ["", "<a>", "<a></b>", "<a>&nbsp;</a>", "<a>\u{1}</a>", "<!DOCTYPE a><a/>", "<a/><b/>", "<x:a/>", "a & b"]
        {
            assert!(!wrong(Format::Xml, text).is_empty());
        }
        assert!(
            wrong(Format::Xml, "<a>\n  <b>ü</c>\n</a>").starts_with("11: "),
            "{}",
            wrong(Format::Xml, "<a>\n  <b>ü</c>\n</a>")
        );
    }
}
