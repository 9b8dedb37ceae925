//! Classes and custom properties in stylesheets and in the styles of templates.

use super::{Occurrence, Symbol};
use sitegen_core::diagnostics::Span;
use sitegen_templates::lexer::{Kind, Token, codes};

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

/// The classes that a text names.
#[derive(Default)]
pub struct Classes {
    /// The complete names.
    pub all: Vec<Occurrence>,
    /// Beginnings and ends of names, of which code makes the rest.
    pub parts: Vec<Span>,
}

/// A part of the value of an attribute.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Text(Span),
    /// `{{ … }}`
    Expression,
    /// `{% … %}`, and whether what stands before it and after it is never there together.
    Tag {
        parts: bool,
    },
}

/// Returns the classes that the attributes of a text name: `class=`, or in islands `className=`.
pub fn classes(text: &str, attribute: &str) -> Classes {
    let mut found = Classes::default();
    let codes = if text.contains("{{") || text.contains("{%") { codes(text) } else { Vec::new() };
    for (at, _) in text.match_indices(attribute) {
        let from = at + attribute.len();
        let Some(quote) = text[from..].chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { continue };
        let mut pieces = Vec::new();
        let (mut start, mut is_closed) = (from + 1, false);
        let mut inside = codes[codes.partition_point(|code| code.span.start < start)..].iter();
        while !is_closed {
            let code = inside.next();
            let until = code.map_or(text.len(), |code| code.span.start);
            let end = text[start..until].find(quote).map(|end| start + end);
            is_closed = end.is_some();
            pieces.push(Piece::Text(Span { start, end: end.unwrap_or(until) }));
            let Some(code) = code.filter(|_| !is_closed) else { break };
            start = code.span.end;
            match (code.kind, code.tokens.first()) {
                (Kind::Expression, _) => pieces.push(Piece::Expression),
                (Kind::Tag, Some((Token::Word("else" | "elif"), _))) => pieces.push(Piece::Tag { parts: true }),
                _ => pieces.push(Piece::Tag { parts: false }),
            }
        }
        if is_closed {
            of_attribute(text, &pieces, &mut found);
        }
    }
    found
}

fn of_attribute(text: &str, pieces: &[Piece], found: &mut Classes) {
    let touches = |piece: &Piece, is_after: bool| match piece {
        Piece::Text(span) if span.start == span.end => None,
        Piece::Text(span) => {
            let text = &text[span.start..span.end];
            Some(if is_after { !text.starts_with(char::is_whitespace) } else { !text.ends_with(char::is_whitespace) })
        }
        Piece::Expression => Some(true),
        Piece::Tag { parts } => parts.then_some(false),
    };
    for (number, piece) in pieces.iter().enumerate() {
        let Piece::Text(span) = piece else { continue };
        let mut start = span.start;
        for word in text[span.start..span.end].split_inclusive(|letter: char| letter.is_ascii_whitespace()) {
            let name = word.trim_end();
            let own = Span::at(start, name.len());
            start += word.len();
            let goes_on =
                own.end == span.end && pieces[number + 1..].iter().find_map(|next| touches(next, true)) == Some(true);
            let began = own.start == span.start
                && pieces[..number].iter().rev().find_map(|before| touches(before, false)) == Some(true);
            if name.is_empty() || !name.bytes().all(is_name) {
                continue;
            }
            match goes_on || began {
                true => found.parts.push(own),
                false => found.all.push(Occurrence::used(own, Symbol::Class(name.to_owned()))),
            }
        }
    }
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
        for (html, all, parts) in [
            (
                "<p class=\"lead {% if x %}wide{% endif %} card\"><i class='b'>",
                &["lead", "wide", "card", "b"][..],
                &[][..],
            ),
            ("<p class=\"price{% if loud %} price--loud{% endif %}\">", &["price", "price--loud"], &[]),
            ("<p class=\"{% if a == \"b\" %}c{% else %}d{% endif %}\">", &["c", "d"], &[]),
            ("<p class=\"btn{% if big %}-big{% endif %} x-{{ y }} z\">", &["z"], &["btn", "-big", "x-"]),
            ("<p class=\"open", &[], &[]),
            ("<p class=\"card\">{{ a }}", &["card"], &[]),
        ] {
            let found = classes(html, "class=");
            assert_eq!(names(found.all, html), all, "{html}");
            let found: Vec<&str> = found.parts.iter().map(|span| &html[span.start..span.end]).collect();
            assert_eq!(found, parts, "{html}");
        }
    }
}
