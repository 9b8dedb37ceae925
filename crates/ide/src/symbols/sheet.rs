//! Classes and custom properties in stylesheets and in the styles of templates.

use super::{Occurrence, Symbol};
use sitegen_core::diagnostics::Span;

/// Returns the classes and custom properties of a stylesheet that begins at an offset of its file.
pub fn occurrences(text: &str, offset: usize) -> Vec<Occurrence> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    // Whether a selector is being read rather than declarations: what comes before `{`.
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes[at..].starts_with(b"/*") => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            quote @ (b'"' | b'\'') => {
                let end = bytes[at + 1..].iter().position(|byte| *byte == quote || *byte == b'\n');
                at = end.map_or(bytes.len(), |end| at + 1 + end + 1);
            }
            b'-' if bytes[at..].starts_with(b"--") && (at == 0 || !is_name(bytes[at - 1])) => {
                let end = name_end(text, at);
                let declares = text[end..].trim_start().starts_with(':');
                let symbol = Symbol::Property(text[at..end].to_owned());
                let span = Span { start: offset + at, end: offset + end };
                all.push(Occurrence { span, symbol, declares });
                at = end.max(at + 2);
            }
            b'.' if bytes.get(at + 1).is_some_and(|next| is_name(*next) && !next.is_ascii_digit()) => {
                let end = name_end(text, at + 1);
                if in_selector(text, end) {
                    let span = Span { start: offset + at + 1, end: offset + end };
                    all.push(Occurrence::declared(span, Symbol::Class(text[at + 1..end].to_owned())));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    all
}

/// Whether what follows is the rest of a selector: a block is next, not the end of a declaration. A long rest is no selector.
pub fn in_selector(text: &str, from: usize) -> bool {
    let rest = &text.as_bytes()[from..text.len().min(from + 2_000)];
    rest.iter().find(|byte| matches!(byte, b'{' | b';' | b'}')) == Some(&b'{')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

fn name_end(text: &str, from: usize) -> usize {
    text.as_bytes()[from..].iter().position(|byte| !is_name(*byte)).map_or(text.len(), |end| from + end)
}

/// Returns the classes that the attributes `class` of a text name.
pub fn classes(text: &str) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices("class=") {
        let from = at + "class=".len();
        let Some(quote) = text[from..].chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { continue };
        let Some(length) = text[from + 1..].find(quote) else { continue };
        let mut start = from + 1;
        let value = &text[start..start + length];
        let mut is_code = false;
        for word in value.split_inclusive(|letter: char| letter.is_ascii_whitespace()) {
            let name = word.trim_end();
            is_code |= name.contains("{{") || name.contains("{%");
            // A name that code is a part of is not known.
            if !is_code && !name.is_empty() && name.bytes().all(is_name) {
                all.push(Occurrence::used(Span::at(start, name.len()), Symbol::Class(name.to_owned())));
            }
            let last = ["{{", "{%", "}}", "%}"].iter().filter_map(|sign| Some((name.rfind(sign)?, sign))).max();
            is_code = last.map_or(is_code, |(_, sign)| sign.starts_with('{'));
            start += word.len();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_properties_are_read_from_sheets_and_attributes() {
        let names = |all: Vec<Occurrence>, text: &str| -> Vec<String> {
            let name = |each: &Occurrence| {
                format!("{}{}", &text[each.span.start..each.span.end], if each.declares { "!" } else { "" })
            };
            all.iter().map(name).collect()
        };
        let css = "/* .no */ :root { --gap: .5rem; }\n.card, .card--wide:hover > a { margin: var(--gap) 1.5em; background: url(\"a.b\") }";
        assert_eq!(names(occurrences(css, 0), css), ["--gap!", "card!", "card--wide!", "--gap"]);
        let html = "<p class=\"lead {% if x %}wide{% endif %} card\"><i class='b'>";
        assert_eq!(names(classes(html), html), ["lead", "card", "b"]);
    }
}
