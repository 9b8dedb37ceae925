//! Positions of the protocol: lines, and in a line either bytes or units of UTF-16 (Language Server Protocol 3.17, "Position").

use crate::diagnostics::Span;
use serde_json::{Value, json};

/// How a column is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// In bytes, where the editor knows that.
    Utf8,
    /// In units of UTF-16, as every editor does.
    Utf16,
}

/// The lines of a text.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text.
    pub fn of(text: &'t str, encoding: Encoding) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // A carriage return alone ends a line too.
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at + 1);
            }
        }
        Lines { text, starts, encoding }
    }

    /// Returns the offset of a position. One outside of the text is moved into it.
    pub fn offset(&self, position: &Value) -> usize {
        let number = |key: &str| position.get(key).and_then(Value::as_u64).unwrap_or(0) as usize;
        let (line, column) = (number("line"), number("character"));
        let Some(start) = self.starts.get(line).copied() else { return self.text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let written = self.text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, letter) in written.char_indices() {
            if units >= column {
                return start + at;
            }
            units += self.units(letter);
        }
        start + written.len()
    }

    fn units(&self, letter: char) -> usize {
        match self.encoding {
            Encoding::Utf8 => letter.len_utf8(),
            Encoding::Utf16 => letter.len_utf16(),
        }
    }

    /// Returns the line and the column of an offset.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        (line, column)
    }

    /// Returns the position of an offset.
    pub fn position(&self, offset: usize) -> Value {
        let (line, character) = self.line_and_column(offset);
        json!({ "line": line, "character": character })
    }

    /// Returns the range of some bytes.
    pub fn range(&self, span: Span) -> Value {
        json!({ "start": self.position(span.start), "end": self.position(span.end) })
    }

    /// Returns the bytes of a range.
    pub fn span(&self, range: &Value) -> Span {
        let at = |key: &str| range.get(key).map_or(0, |position| self.offset(position));
        let (start, end) = (at("start"), at("end"));
        Span { start: start.min(end), end: start.max(end) }
    }

    /// Returns the bytes of the first line.
    pub fn first(&self) -> Span {
        let end = self.starts.get(1).copied().unwrap_or(self.text.len());
        Span { start: 0, end: self.text[..end].trim_end().len() }
    }
}

/// Returns a text after the changes of an editor, each of the text that the one before it left.
pub fn edited(text: &str, changes: &[Value], encoding: Encoding) -> String {
    let mut text = text.to_owned();
    for change in changes {
        let new = change.get("text").and_then(Value::as_str).unwrap_or_default();
        match change.get("range") {
            Some(range) => {
                let span = Lines::of(&text, encoding).span(range);
                text.replace_range(span.start..span.end, new);
            }
            None => text = new.to_owned(),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_agree() {
        let text = "a\n𝄞é\r\nb\rc";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::of(text, encoding);
            for (offset, _) in text.char_indices().filter(|(_, letter)| !matches!(letter, '\r' | '\n')) {
                assert_eq!(lines.offset(&lines.position(offset)), offset, "{encoding:?} {offset}");
            }
        }
        let lines = Lines::of(text, Encoding::Utf16);
        assert_eq!(lines.position(6), json!({ "line": 1, "character": 2 }));
        assert_eq!(Lines::of(text, Encoding::Utf8).position(6), json!({ "line": 1, "character": 4 }));
        assert_eq!(lines.position(text.len()), json!({ "line": 3, "character": 1 }));
        // Outside of a line and of the text.
        assert_eq!(lines.offset(&json!({ "line": 0, "character": 9 })), 1);
        assert_eq!(lines.offset(&json!({ "line": 9, "character": 9 })), text.len());
        assert_eq!(lines.offset(&json!({})), 0);
        // In the middle of a character.
        assert_eq!(lines.offset(&json!({ "line": 1, "character": 1 })), 6);
    }
}
