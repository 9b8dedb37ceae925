//! Finds text that was meant as a heading, a table or bold, and is none of them in CommonMark.

use super::Writer;
use sitegen_core::diagnostics::{Literal, MarkdownProblem, Span};

impl Writer<'_> {
    /// Warns of a text outside of code that looks like markup.
    pub(super) fn warn_of_literal(&mut self, span: Span) {
        let text = &*self.marked.text;
        let found = match text.as_bytes().get(span.start) {
            Some(b'#') => heading(text, span.start),
            Some(b'|' | b'-' | b':') if self.table.is_empty() => table(text, span.start),
            _ => None,
        };
        // The parser gives each sign of a pair by itself.
        self.asterisks.extend_from_slice(self.marked.signs.pairs(span));
        if let Some((literal, span)) = found {
            self.report(MarkdownProblem::MarkdownLiteral(literal), span);
        }
    }

    /// Warns of asterisks in the block that ends, which were meant to make something bold. A single `**` after a word may
    /// lead to a note, and several before words may belong to names, as in `**kwargs`.
    pub(super) fn warn_of_asterisks(&mut self) {
        let asterisks = std::mem::take(&mut self.asterisks);
        let text = &*self.marked.text;
        let kind = |at: usize| Asterisks::at(text, at);
        let is_meant = match asterisks.as_slice() {
            [] => return,
            [only] => kind(*only) == Asterisks::Open && !text[..*only].ends_with(['(', '[']),
            all => all.windows(2).any(|pair| match (kind(pair[0]), kind(pair[1])) {
                (Asterisks::Close, _) | (_, Asterisks::Open) => false,
                (Asterisks::Apart, end) => end == Asterisks::Close,
                _ => true,
            }),
        };
        if is_meant {
            self.report(MarkdownProblem::MarkdownLiteral(Literal::Bold), Span::at(asterisks[0], 2));
        }
    }
}

type Found = Option<(Literal, Span)>;

/// Returns where the line of an offset begins, if nothing but the signs of quotations and lists stands before the offset.
fn line_start(text: &str, at: usize) -> Option<usize> {
    const LONGEST: usize = 200;
    let before = text[..at].bytes().rev().take(LONGEST).take_while(|byte| *byte != b'\n');
    let mut length = 0;
    for byte in before {
        // A sign directly before the offset belongs to it.
        let is_sign = if length == 0 { b" \t>".contains(&byte) } else { b" \t>-*+.)0123456789".contains(&byte) };
        if !is_sign {
            return None;
        }
        length += 1;
    }
    (length < LONGEST).then(|| at - length)
}

/// Returns the rest of a line from an offset.
fn rest_of_line(text: &str, at: usize) -> &str {
    text[at..].lines().next().unwrap_or_default().trim_end()
}

/// Finds `##Heading`. A single `#` may begin a tag or a number.
fn heading(text: &str, at: usize) -> Found {
    let signs = text[at..].bytes().take_while(|byte| *byte == b'#').count();
    let is_word = text[at + signs..].starts_with(char::is_alphanumeric);
    let is_heading = (2..=6).contains(&signs) && is_word && line_start(text, at).is_some();
    is_heading.then(|| (Literal::Heading, Span::at(at, rest_of_line(text, at).len())))
}

/// Finds the row of dashes between the head and the body of a table.
fn table(text: &str, at: usize) -> Found {
    let end_of_head = line_start(text, at)?.checked_sub(1)?;
    let row = rest_of_line(text, at);
    let is_row = row.contains('|') && row.contains("--") && row.chars().all(|sign| "|-: \t".contains(sign));
    let head = text[..end_of_head].rfind('\n').map_or(0, |end| end + 1);
    let head = text[head..end_of_head].trim_end();
    // Art made of signs has no head.
    let is_head = head.contains('|') && head.contains(char::is_alphanumeric);
    let literal = || Literal::Table { columns: columns(head), dashes: columns(row) };
    (is_row && is_head).then(|| (literal(), Span::at(at, row.len())))
}

fn columns(row: &str) -> usize {
    let row = row.trim_matches([' ', '\t', '>']);
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(row);
    row.replace("\\|", "").matches('|').count() + 1
}

/// What two asterisks may have been meant for.
#[derive(Clone, Copy, PartialEq)]
enum Asterisks {
    /// `**word`
    Open,
    /// `word**`
    Close,
    /// `2 ** 3`
    Apart,
    /// Between a word and a punctuation mark, or between two words.
    Between,
}

impl Asterisks {
    fn at(text: &str, at: usize) -> Self {
        let (before, after) = (text[..at].chars().next_back(), text[at + 2..].chars().next());
        let is_blank = |letter: Option<char>| letter.is_none_or(|letter| letter.is_whitespace() || letter == '|');
        let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let is_mark = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_punctuation());
        match () {
            () if is_blank(before) && is_blank(after) => Asterisks::Apart,
            () if is_word(after) && (is_blank(before) || matches!(before, Some('(' | '['))) => Asterisks::Open,
            () if is_word(before) && (is_blank(after) || is_mark(after)) => Asterisks::Close,
            () => Asterisks::Between,
        }
    }
}
