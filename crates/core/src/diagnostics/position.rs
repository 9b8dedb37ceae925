//! Converts bytes to the lines and columns that editors show.

use super::Span;
use memchr::memchr_iter;

/// A range of a text in lines and columns, all from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line of the first character.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// The line of the last character.
    pub end_line: usize,
    /// The column after the last character.
    pub end_column: usize,
    /// The offset of the first byte of the first line.
    pub line_start: usize,
}

impl Position {
    /// Returns the position of a span. `None` if the span is not in the text.
    pub fn of(text: &str, span: Span) -> Option<Self> {
        let start = span.start.min(text.len());
        let end = span.end.clamp(start, text.len());
        let (line, column, line_start) = point(text, start)?;
        let (end_line, end_column, _) = point(text, end)?;
        Some(Position { line, column, end_line, end_column, line_start })
    }
}

/// Returns an offset, or the begin of the character that it is in; the end of the text for one after that.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

fn point(text: &str, offset: usize) -> Option<(usize, usize, usize)> {
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = &before[line_start..];
    // A byte-order mark takes no column in any editor.
    let column = line.chars().count() - line.matches('\u{feff}').count() + 1;
    Some((memchr_iter(b'\n', before.as_bytes()).count() + 1, column, line_start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_a_byte_order_mark_counts_none() {
        let text = "\u{feff}ä: b\nc: d\n";
        let at = |start, end| {
            Position::of(text, Span { start, end }).map(|at| (at.line, at.column, at.end_line, at.end_column))
        };
        assert_eq!(at(7, 8), Some((1, 4, 1, 5)));
        assert_eq!(at(9, 13), Some((2, 1, 2, 5)));
        assert_eq!(at(4, 5), None, "inside a character");
    }
}
