//! Finds the mistake behind an error of the YAML parser.
//!
//! The parser reports where it could not go on, in its own terms. An editor's mistake is often further up: a quote that
//! is not closed, a value that needs quotes. The line shows which.

use crate::diagnostics::{Problem, Span};

/// Returns the problem and its place behind the parser's `detail` at byte `at` of `text`.
pub fn diagnose(text: &str, detail: &str, at: usize) -> (Problem, Span) {
    let at = floor(text, at.min(text.len()));
    let line = Line::at(text, at);
    if let Some((value, span)) = line.value().filter(|(value, _)| needs_quotes(value)) {
        // Only the value in which the parser gave up; a `*` further up may be a valid alias.
        let is_meant = at >= span.start || detail.contains("anchor") || value.starts_with("{{");
        if is_meant {
            return (Problem::YamlQuotes { written: value.to_owned(), reason: reason(value) }, span);
        }
    }
    if detail.contains("after single-quoted") || detail.contains("after double-quoted") {
        let detail = if detail.contains("single-quoted") {
            "the text ends at this quote; write `''` for an apostrophe, or put the text in double quotes"
        } else {
            "the text ends at this quote; write `\\\"` for a quote in it"
        };
        return (syntax(detail), character(text, floor(text, at.saturating_sub(1))));
    }
    if let Some(found) = line.in_braces(at) {
        return found;
    }
    if let Some((open, start)) = unclosed(&text[..at]).or_else(|| unclosed(text)) {
        let detail = match open {
            '[' => "the list that begins with `[` is never closed with `]`",
            '{' => "the mapping that begins with `{` is never closed with `}`",
            _ => "the quote that begins here is never closed",
        };
        return (syntax(detail), Span::at(start, 1));
    }
    if detail.contains("expected string scalar") || detail.contains("expected string key") {
        return (Problem::YamlKey, character(text, at));
    }
    let is_indentation =
        ["block collection", "block mapping", "block sequence", "indentation", "expected '-'", "expected ',' or ']'"];
    let above = text[..line.start].lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let above = Line::at(above, 0);
    // A key below one that has a value already.
    let is_deeper = detail.contains("mapping values") && above.value().is_some() && line.indent > above.indent;
    if is_deeper || is_indentation.iter().any(|each| detail.contains(each)) && line.indent > 0 {
        let spaces = |count: usize| format!("{count} space{}", if count == 1 { "" } else { "s" });
        let detail =
            format!("this line is indented by {}, the line above by {}", spaces(line.indent), spaces(above.indent));
        return (
            Problem::YamlSyntax { detail },
            Span::at(line.start + line.indent, line.text.trim_end_matches(BLANK).len().saturating_sub(line.indent)),
        );
    }
    if detail.contains("could not find expected ':'") || detail.contains("simple key") {
        return (syntax("a line needs the form `key: value`, with a colon and a space"), line.span());
    }
    (syntax(detail), character(text, at))
}

/// Rewrites the parser's sentence about a limit without its own terms.
pub fn limit(detail: &str, depth: usize, nodes: usize) -> String {
    if detail.contains("epth") || detail.contains("nest") {
        format!("it nests lists or mappings more than {depth} levels deep")
    } else if detail.contains("alias") || detail.contains("replay") {
        format!("its aliases (like `*name`) expand to more than {nodes} values")
    } else {
        format!("it has more than {nodes} values")
    }
}

fn syntax(detail: &str) -> Problem {
    Problem::YamlSyntax { detail: detail.to_owned() }
}

/// YAML's white space. Unicode has more, and a line of that is text.
const BLANK: [char; 3] = [' ', '\t', '\r'];

/// A line of a text.
struct Line<'a> {
    text: &'a str,
    start: usize,
    indent: usize,
}

impl<'a> Line<'a> {
    fn at(text: &'a str, at: usize) -> Self {
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        Line { text: line, start, indent: line.len() - line.trim_start_matches(BLANK).len() }
    }

    fn span(&self) -> Span {
        Span {
            start: self.start + self.indent,
            end: self.start + self.text.trim_end_matches(BLANK).len().max(self.indent),
        }
    }

    /// Finds the value with a `: ` in a map in braces in which the parser gave up: `{ label: Loaf: which? }`. It gives up at
    /// that colon, or where it expects a comma.
    fn in_braces(&self, at: usize) -> Option<(Problem, Span)> {
        let open = self.text.find('{')?;
        let close = self.text.rfind('}').filter(|close| self.start + open < at && at <= self.start + close)?;
        let mut from = open + 1;
        for part in self.text[from..close].split_inclusive(',') {
            let (start, part) = (from, part.trim_end_matches(','));
            from += part.len() + 1;
            let Some((_, value)) = part.split_once(": ") else { continue };
            let (start, value) = (self.start + start + part.len() - value.trim_start().len(), value.trim());
            let Some((words, _)) = value.split_once(": ").filter(|_| !value.starts_with(['"', '\'', '[', '{'])) else {
                continue;
            };
            let span = Span::at(start, value.len());
            let reason = reason(value);
            return Some(match words.rsplit_once(' ') {
                None => (Problem::YamlQuotes { written: value.to_owned(), reason }, span),
                Some((_, key)) => {
                    let detail = format!("{reason} must be in quotes; or is a comma missing before `{key}`?");
                    (syntax(&detail), span)
                }
            });
        }
        None
    }

    /// Returns what follows `key: ` or `- `, without a comment.
    fn value(&self) -> Option<(&'a str, Span)> {
        let mut at = self.indent;
        let rest = self.text[at..].trim_start_matches("- ");
        at = self.text.len() - rest.len();
        if let Some(colon) = rest.find(": ")
            && rest[..colon].chars().all(|letter| letter.is_alphanumeric() || "_-. ".contains(letter))
        {
            at += colon + 2;
        } else if at == self.indent {
            return None;
        }
        let value = &self.text[at..];
        let lead = value.len() - value.trim_start().len();
        let value = value.trim();
        let value = value.split(" #").next().unwrap_or(value).trim_end();
        (!value.is_empty()).then(|| (value, Span::at(self.start + at + lead, value.len())))
    }
}

/// Whether a plain value needs quotes (YAML 1.2.2, 5.3 "indicator characters" and 7.3.3 "plain style").
fn needs_quotes(value: &str) -> bool {
    if value.starts_with(['"', '\'']) {
        return false;
    }
    value.contains(": ") && !value.starts_with(['[', '{'])
        || value.ends_with(':')
        || value.starts_with("{{")
        || value.starts_with(['@', '`', '%', '*', '&', '!'])
}

/// Says which kind of value this is, of those that need quotes.
pub fn reason(value: &str) -> String {
    match value.chars().next() {
        Some('{') => "a value that begins with `{{`".to_owned(),
        Some(first @ ('@' | '`' | '%' | '*' | '&' | '!')) => format!("a value that begins with `{first}`"),
        _ if value.ends_with(':') => "a value that ends with `:`".to_owned(),
        _ => "a value that contains `: `".to_owned(),
    }
}

/// Returns the quote, `[` or `{` that a text leaves open, and its offset. Quotes count at the beginning of a value
/// only, because texts contain apostrophes.
fn unclosed(text: &str) -> Option<(char, usize)> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let mut begins = true;
    let mut skip = false;
    for (at, letter) in text.char_indices() {
        if skip {
            skip = false;
            continue;
        }
        if let Some((kind, _)) = quote {
            match letter {
                '\\' if kind == '"' => skip = true,
                letter if letter == kind => quote = None,
                _ => {}
            }
            continue;
        }
        match letter {
            '"' | '\'' if begins => quote = Some((letter, at)),
            '[' | '{' if begins || !open.is_empty() => open.push((letter, at)),
            ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
        begins = matches!(letter, '[' | '{' | ',')
            || letter == ' ' && (begins || text[..at].ends_with([':', '-', ',']))
            || letter == '\n' && !open.is_empty();
    }
    quote.or(open.first().copied())
}

/// Returns the span of the one character at an offset.
fn character(text: &str, at: usize) -> Span {
    Span::at(at, text[at..].chars().next().map_or(0, char::len_utf8))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{label, message};

    fn said(text: &str, detail: &str, at: usize) -> (String, String) {
        let (problem, span) = diagnose(text, detail, at);
        let label = label(&problem).map_or(String::new(), |label| format!(" | {label}"));
        (format!("{}{label}", message(&problem)), text[span.start..span.end].to_owned())
    }

    #[test]
    fn values_that_need_quotes_are_shown_with_them() {
        let (text, marked) = said("title: Bread: the basics\n", "mapping values are not allowed", 12);
        assert_eq!(text, "a value that contains `: ` must be in quotes | write `\"Bread: the basics\"`");
        assert_eq!(marked, "Bread: the basics");
        assert_eq!(said("a: 1\nlead: *rye*\n", "unknown anchor", 11).1, "*rye*");
        assert_eq!(said("- @b # c\n", "unexpected character", 2).1, "@b");
    }

    #[test]
    fn a_colon_in_braces_needs_quotes_or_a_comma() {
        let text = "fields:\n  - { name: loaf, label: Loaf: which?, required: true }\n";
        let (said_of_it, marked) = said(text, "did not find expected ',' or '}'", text.find(": which").unwrap());
        assert!(said_of_it.ends_with("write `\"Loaf: which?\"`") && marked == "Loaf: which?", "{said_of_it} {marked}");
        let text = "a: { name: loaf label: x }\n";
        let (said_of_it, _) = said(text, "did not find expected ',' or '}'", text.find(": x").unwrap());
        assert!(said_of_it.ends_with("or is a comma missing before `label`?"), "{said_of_it}");
        let text = "a: { name: \"x: y\", b: 1\nc: 2\n";
        assert!(said(text, "did not find expected ',' or '}'", text.len() - 3).0.contains("never closed"));
    }

    #[test]
    fn unclosed_values_are_reported_where_they_open() {
        assert_eq!(said("a: \"open\nb: it's\n", "invalid indentation", 9).1, "\"");
        let (text, marked) = said("a: [1, 2\nb: 3\n", "illegal placement", 10);
        assert!(text.contains("never closed with `]`") && marked == "[", "{text} {marked}");
    }

    #[test]
    fn indentation_is_reported_in_spaces() {
        let (text, _) = said("a: 1\n b: 2\n", "mapping values are not allowed in this context", 7);
        assert_eq!(text, "this is not valid YAML: this line is indented by 1 space, the line above by 0 spaces");
        let (text, _) = said("a:\n    b: 1\n   c: 2\n", "while parsing a block collection", 14);
        assert_eq!(text, "this is not valid YAML: this line is indented by 3 spaces, the line above by 4 spaces");
    }
}
