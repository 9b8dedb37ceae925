//! Physical directions in the styles that components of islands write: `style={{ marginLeft: 4 }}`.

use super::physical::{self, Physical};
use sitegen_core::diagnostics::{Span, StyleProblem};

/// What begins the styles of an element in JSX, as an object that is written there.
const BEGIN: &str = "style={{";

/// Returns the physical directions in the styles of a script. A value that is computed is not known.
pub fn physical(script: &str) -> Vec<Physical> {
    let objects = script.match_indices(BEGIN).map(|(at, _)| at + BEGIN.len());
    objects.flat_map(|start| physical::without_pairs(of_object(script, start))).collect()
}

/// Reads an object from behind its brace on.
fn of_object(script: &str, start: usize) -> Vec<Physical> {
    let mut found = Vec::new();
    for (from, to) in entries(script, start) {
        let Some(colon) = script[from..to].find(':').map(|at| from + at) else { continue };
        let (name, name_at) = word(script, from, colon);
        let (value, value_at) = word(script, colon + 1, to);
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_meant = script[to..].trim_start_matches([',', ' ']).starts_with("/* physical");
        if !is_name || value.is_empty() || is_meant {
            continue;
        }
        let property = kebab(name);
        // The value stands by itself, so that its span is one of this text.
        let Some(mut physical) = physical::read(value, &property, Span::default(), Span::at(0, value.len())) else {
            continue;
        };
        match &mut physical.problem {
            StyleProblem::PhysicalDirection { written, logical, .. } if *written == property => {
                (*written, *logical) = (name.to_owned(), camel(logical));
                physical.span = name_at;
            }
            StyleProblem::PhysicalDirection { .. } => {
                let Span { start, end } = physical.span;
                physical.span = Span { start: value_at.start + start, end: value_at.start + end };
            }
            _ => physical.span = name_at,
        }
        found.push(physical);
    }
    found
}

/// Returns where the entries of an object begin and end.
fn entries(script: &str, start: usize) -> Vec<(usize, usize)> {
    let (mut entries, mut from, mut depth, mut quote) = (Vec::new(), start, 0, None);
    let mut bytes = script.bytes().enumerate().skip(start);
    while let Some((at, byte)) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => drop(bytes.next()),
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'{' | b'(' | b'[') => depth += 1,
            (None, b'}') if depth == 0 => {
                entries.push((from, at));
                break;
            }
            (None, b'}' | b')' | b']') => depth -= 1,
            (None, b',') if depth == 0 => {
                entries.push((from, at));
                from = at + 1;
            }
            _ => {}
        }
    }
    entries
}

/// Returns a name, a number or the text of a string without spaces and quotation marks around it, and its place. Empty for anything
/// else.
fn word(script: &str, from: usize, to: usize) -> (&str, Span) {
    let text = &script[from..to];
    let trimmed = text.trim();
    let at = from + text.len() - text.trim_start().len();
    let quoted = ['"', '\''].iter().find_map(|mark| trimmed.strip_prefix(*mark)?.strip_suffix(*mark));
    match quoted {
        Some(inner) if !inner.contains(['\\', '"', '\'']) => (inner, Span::at(at + 1, inner.len())),
        None if trimmed.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')) => {
            (trimmed, Span::at(at, trimmed.len()))
        }
        _ => ("", Span::at(at, 0)),
    }
}

/// Returns the name of a property in CSS: `margin-left` of `marginLeft`.
fn kebab(name: &str) -> String {
    name.chars().fold(String::with_capacity(name.len() + 4), |mut kebab, letter| {
        if letter.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
        kebab
    })
}

/// Returns the name of a property in scripts.
fn camel(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut camel, part| {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
        camel
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(script: &str) -> Vec<String> {
        let text = |each: Physical| match each.problem {
            StyleProblem::PhysicalDirection { written, logical, .. } => {
                assert_eq!(&script[each.span.start..each.span.end], written);
                format!("{written} {logical}")
            }
            problem => format!("{} {problem:?}", &script[each.span.start..each.span.end]),
        };
        physical(script).into_iter().map(text).collect()
    }

    #[test]
    fn sides_in_styles_of_components_are_found() {
        for (script, expected) in [
            ("<p style={{ marginLeft: 4, color: \"red\" }}>", &["marginLeft marginInlineStart"][..]),
            ("<p style={{ color, textAlign: 'right' }}>", &["right end"]),
            (
                "<p style={{ borderTopLeftRadius: 3 }} /> <i style={{float:\"left\"}}>",
                &["borderTopLeftRadius borderStartStartRadius", "left inline-start"],
            ),
            ("<p style={{ 'float': \"left\", ...more({ left: 1 }) }}>", &["left inline-start"]),
            ("<p style={{ marginLeft: 4, marginRight: 4 }}>", &[]),
            ("<p style={{ left: \"50%\", textAlign: align, paddingLeft: width(\"}\", 1) }}>", &[]),
            ("<p style={{ marginLeft: 4, /* physical: the light */ top: 0 }}>", &[]),
            ("const marginLeft = { marginLeft: 4 }; <p style={css}>", &[]),
            ("<p style={{", &[]),
            ("<p style={{ marginLeft", &[]),
            ("<p style={{ \"ä\": 'ö', left: \"\\\"\" }}>", &[]),
        ] {
            assert_eq!(reported(script), expected, "{script}");
        }
        let four = reported("<p style={{ margin: \"1px 2px 3px 4px\" }}>");
        assert!(four.len() == 1 && four[0].starts_with("margin Physical"), "{four:?}");
    }
}
