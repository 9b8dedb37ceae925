//! Signs that the parser would read as markup, and that are text: a `:` at the beginning of a line that defines nothing, braces at
//! the end of a heading that give it neither an id nor classes, and dollar signs of prices.

use crate::dialect::{DEFINITION_LISTS, Dialect, MATH};
use crate::heading_ids::text_in_braces;
use memchr::{memchr, memchr_iter, memrchr};
use std::collections::HashMap;

/// A sign that the parser must not read as markup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Misread {
    /// Where it is.
    pub(super) at: usize,
    /// What the parser gets.
    pub(super) shield: Shield,
}

/// What the parser gets so that it does not read a sign as markup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shield {
    /// Brackets with nothing in them, before the sign.
    Before,
    /// Brackets in the place of a dollar sign. They have no number: in a label they are the same each time.
    Dollar,
}

impl Shield {
    /// What is between the brackets, and what it stands for.
    const DOLLAR: (&str, &str) = ("d", "$");

    /// Returns the text that the parser gets, and how many bytes of the sign it replaces.
    pub(super) fn written(self, open: char, close: char) -> (String, usize) {
        match self {
            Shield::Before => (format!("{open}{close}"), 0),
            Shield::Dollar => (format!("{open}{}{close}", Self::DOLLAR.0), Self::DOLLAR.1.len()),
        }
    }

    /// Returns what the text between brackets stands for, if it is no number.
    pub(super) fn meant(inner: &str) -> Option<&'static str> {
        match inner {
            "" => Some(""),
            inner if inner == Self::DOLLAR.0 => Some(Self::DOLLAR.1),
            _ => None,
        }
    }
}

/// Returns the signs of a text that the parser would misread, in order.
pub(super) fn all(text: &str, dialect: &Dialect) -> Vec<Misread> {
    let mut misread = Vec::new();
    if dialect.has(DEFINITION_LISTS) {
        colons(text, &mut misread);
    }
    braces(text, &mut misread);
    if dialect.has(MATH) && memchr(b'$', text.as_bytes()).is_some() {
        dollars(text, &mut misread);
    }
    misread.sort_by_key(|each| each.at);
    misread
}

fn is_prefix(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>')
}

/// Finds colons at the beginning of a line without white space after them. The parser takes each for that of a definition.
fn colons(text: &str, misread: &mut Vec<Misread>) {
    let bytes = text.as_bytes();
    for at in memchr_iter(b':', bytes) {
        let is_followed = bytes.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace());
        let is_first = || bytes[..at].iter().rev().find(|byte| !is_prefix(**byte)).is_none_or(|byte| *byte == b'\n');
        // The dashes below the head of a table.
        let is_row = || {
            let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
            bytes.get(at + 1) == Some(&b'-') && bytes[at..end].iter().all(|byte| b"|:- \t\r".contains(byte))
        };
        if is_followed && is_first() && !is_row() {
            misread.push(Misread { at, shield: Shield::Before });
        }
    }
}

/// Finds braces at the end of headings that have neither an id nor a class in them. The parser takes them out of the text.
fn braces(text: &str, misread: &mut Vec<Misread>) {
    let bytes = text.as_bytes();
    for at in memchr_iter(b'}', bytes) {
        let rest = bytes[at + 1..].iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        let line_end = rest.map_or(bytes.len(), |rest| at + 1 + rest);
        if bytes.get(line_end).is_some_and(|byte| *byte != b'\n') {
            continue;
        }
        let line_start = memrchr(b'\n', &bytes[..at]).map_or(0, |start| start + 1);
        let line = &text[line_start..=at];
        let is_heading = || {
            let content = line.trim_start_matches(|sign: char| " \t>-*+.)".contains(sign) || sign.is_ascii_digit());
            content.starts_with('#') || is_underlined(text.get(line_end + 1..).unwrap_or_default())
        };
        if text_in_braces(line).is_some() && is_heading() {
            misread.push(Misread { at: at + 1, shield: Shield::Before });
        }
    }
}

/// Whether a text begins with a line that makes a heading of the one before it.
fn is_underlined(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|sign: char| " \t>".contains(sign));
    let sign = rest.chars().next().filter(|sign| matches!(sign, '=' | '-'));
    sign.is_some_and(|sign| {
        let after = rest.trim_start_matches(sign).trim_start_matches([' ', '\t', '\r']);
        after.is_empty() || after.starts_with('\n')
    })
}

/// A dollar sign that no backslash stands before, and the number of the braces that it is in.
struct Dollar {
    at: usize,
    braces: usize,
}

/// Finds dollar signs that begin no formula, in each block.
fn dollars(text: &str, misread: &mut Vec<Misread>) {
    let mut from = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if begins_block(line) {
            dollars_of_block(text, start..from, misread);
            start = from;
        }
        from += line.len();
    }
    dollars_of_block(text, start..from, misread);
}

/// Whether no formula goes on from the line before.
fn begins_block(line: &str) -> bool {
    let content = line.trim_start_matches([' ', '\t', '>']).trim_end();
    let after_digits = content.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let is_number = after_digits.len() < content.len() && after_digits.starts_with([')', '.']);
    let is_item = content.starts_with(['-', '*', '+']) && content[1..].starts_with([' ', '\t']);
    content.is_empty() || is_item || content.starts_with('#') || is_number && after_digits[1..].starts_with([' ', '\t'])
}

fn dollars_of_block(text: &str, block: std::ops::Range<usize>, misread: &mut Vec<Misread>) {
    let dollars = dollars_in(text, block);
    let next = next_in_braces(&dollars);
    let is_double = |index: usize| {
        dollars.get(index + 1).zip(dollars.get(index)).is_some_and(|(second, first)| second.at == first.at + 1)
    };
    let mut index = 0;
    while let Some(Dollar { at, .. }) = dollars.get(index) {
        if is_double(index) {
            let end = next[index + 1].filter(|end| is_double(*end));
            index = end.unwrap_or(index) + 2;
        } else if let Some(end) = next[index] {
            let is_formula = is_formula(text, *at, dollars[end].at);
            if !is_formula {
                misread.push(Misread { at: *at, shield: Shield::Dollar });
            }
            index = if is_formula { end + 1 } else { index + 1 };
        } else {
            // `$x^{2$` is reported as a formula: its end is none of another one.
            let inner = dollars.get(index + 1).map_or("", |end| &text[at + 1..end.at]);
            index += if inner.contains(['\\', '^', '_']) { 2 } else { 1 };
        }
    }
}

fn dollars_in(text: &str, block: std::ops::Range<usize>) -> Vec<Dollar> {
    let bytes = &text.as_bytes()[..block.end];
    let mut dollars = Vec::new();
    let mut open = vec![0];
    let mut braces = 0;
    let mut at = block.start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'$' => dollars.push(Dollar { at, braces: open.last().copied().unwrap_or_default() }),
            b'{' => {
                braces += 1;
                open.push(braces);
            }
            b'}' => {
                open.pop();
                // After a brace too many everything is in others.
                if open.is_empty() {
                    braces += 1;
                    open.push(braces);
                }
            }
            _ => {}
        }
        at += 1;
    }
    dollars
}

/// Returns for each dollar sign the next one in the same braces.
fn next_in_braces(dollars: &[Dollar]) -> Vec<Option<usize>> {
    let mut last = HashMap::new();
    let mut next: Vec<Option<usize>> =
        dollars.iter().enumerate().rev().map(|(index, dollar)| last.insert(dollar.braces, index)).collect();
    next.reverse();
    next
}

/// Whether two dollar signs enclose a formula: as in Pandoc, there is no white space inside of them, and no digit after the second.
/// In addition prices such as `US$5` and variables such as `$HOME/$USER` are text.
fn is_formula(text: &str, start: usize, end: usize) -> bool {
    let (inner, before) = (&text[start + 1..end], text[..start].chars().next_back());
    let (first, last) = (inner.chars().next(), inner.chars().next_back());
    let after = text[end + 1..].chars().next();
    let is_near = [first, last].iter().all(|letter| letter.is_some_and(|letter| !letter.is_whitespace()));
    let is_number = first.is_some_and(|first| first.is_ascii_digit());
    let is_price = is_number && before.is_some_and(|before| before.is_ascii_alphabetic());
    let may_end = match after {
        Some('0'..='9') => false,
        // The `$n$th` time.
        Some('a'..='z' | 'A'..='Z') => {
            !is_number && last.is_some_and(|last| last.is_alphanumeric() || ")]}'|`".contains(last))
        }
        _ => true,
    };
    is_near && !is_price && may_end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, shield: Shield) -> Vec<usize> {
        let node = crate::yaml::parse(&sitegen_core::paths::SourcePath::new("s"), "math: true\n", 0).unwrap();
        let all = all(text, &crate::typed::read(&node));
        all.iter().filter(|each| each.shield == shield).map(|each| each.at).collect()
    }

    #[test]
    fn a_definition_has_a_space_after_its_colon() {
        for (text, at) in [("a\n:b\n", 2), ("> a\n>\n> :::b\n", 8), ("  :b", 2), ("a\n:-) b\n", 2)] {
            assert_eq!(found(text, Shield::Before), [at], "{text}");
        }
        for text in ["a\n: b\n", "a\n:\tb\n", "a\n:\n", "a :b\n", "|a|b|\n:-|-:\n", "- :b\n"] {
            assert_eq!(found(text, Shield::Before), [] as [usize; 0], "{text}");
        }
    }

    #[test]
    fn braces_of_a_heading_have_an_id_or_a_class() {
        for text in ["# a {x}", "# a \\{#x}", "# a x^{2}", "> - ## a {1 2} \r", "a {}\n===\n", "a {b}\n> --", "# {.}"] {
            let at = text.find('}').unwrap() + 1;
            assert_eq!(found(text, Shield::Before), [at], "{text}");
        }
        for text in
            ["# a {#x}", "# a {.x a=b}", "# {#x y}", "# a{: #x }", "a {#x}\n===\n", "a {b}\n", "# a {b} c", "# }"]
        {
            assert_eq!(found(text, Shield::Before), [] as [usize; 0], "{text}");
        }
    }

    #[test]
    fn prices_and_variables_are_no_formulas() {
        for text in [
            "$5/$10",
            "US$20–US$30",
            "$10-$20",
            "It costs $5,$6.",
            "$20,000 and USD$30,000",
            "$HOME/$USER",
            "A$20 is 15 US$.",
            "$5 to A$AP",
            "$ a$",
            "$a $ b",
        ] {
            let dollars = found(text, Shield::Dollar);
            assert!(dollars.iter().any(|at| Some(*at) == text.find('$')) || text.starts_with("$ "), "{text}");
        }
        for text in [
            "$x$",
            "the $n$th, $(n+1)$th, 3$\\sigma$ and 10$^{-3}$",
            "$`a+b`$",
            "$$x$$ $$\na\n$$",
            "$\\text{for $x$}$",
            "\\$5 and \\$6",
            "公式$x$是",
            "$x^{2$ and",
            "- a $x\n- $y$",
        ] {
            assert_eq!(found(text, Shield::Dollar), [] as [usize; 0], "{text}");
        }
    }
}
