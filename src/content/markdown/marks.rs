//! Short marks in place of references and calls, so that values are inserted after parsing.

use crate::content::{calls, reference};
use crate::diagnostics::Span;
use std::borrow::Cow;

/// Enclose the number of a reference in text that is parsed as Markdown. Both are private-use characters: the parser
/// takes them for letters, so a value can neither break a link nor become markup.
pub(super) const OPEN: char = '\u{e000}';
pub(super) const CLOSE: char = '\u{e001}';

/// A `{{ … }}`, or a tag of a call.
pub(super) struct Mark<'a> {
    pub(super) reference: reference::Reference<'a>,
    pub(super) call: Option<Result<calls::Tag<'a>, calls::Mistake>>,
    /// The offset of the mark in the text that is parsed.
    pub(super) at: usize,
}

/// A body in which every `{{ … }}` is a short mark, so that values are inserted after parsing.
pub(super) struct Marked<'a> {
    pub(super) body: &'a str,
    pub(super) text: Cow<'a, str>,
    pub(super) marks: Vec<Mark<'a>>,
}

impl<'a> Marked<'a> {
    pub(super) fn new(body: &'a str) -> Self {
        if !body.contains("{{") && !body.contains("{%") {
            return Marked { body, text: Cow::Borrowed(body), marks: Vec::new() };
        }
        let mut text = String::with_capacity(body.len());
        let mut marks = Vec::new();
        let mut from = 0;
        for (reference, call) in calls::all(body) {
            text.push_str(&body[from..reference.span.start]);
            let at = text.len();
            text.push_str(&format!("{OPEN}{}{CLOSE}", marks.len()));
            from = reference.span.end;
            marks.push(Mark { reference, call, at });
        }
        text.push_str(&body[from..]);
        Marked { body, text: Cow::Owned(text), marks }
    }

    /// Maps a range of the parsed text to the body.
    pub(super) fn source(&self, span: Span) -> Span {
        let back = |offset: usize| {
            // The last mark before it: text after the mark has the same distance from it as in the body.
            let before = self.marks.partition_point(|mark| mark.at < offset);
            let Some(index) = before.checked_sub(1) else { return offset };
            let Mark { reference, at, .. } = &self.marks[index];
            let after = at + mark_length(index);
            if offset < after { reference.span.start } else { reference.span.end + (offset - after) }
        };
        let (start, end) = (back(span.start), back(span.end).min(self.body.len()));
        Span { start: start.min(end), end }
    }

    /// Replaces every mark in a text that the parser returned.
    ///
    /// `put` gets the mark's meaning, its offset in `text`, and the output.
    pub(super) fn unmark<'t>(&self, text: &'t str, mut put: impl FnMut(&Mark<'a>, usize, &mut String)) -> Cow<'t, str> {
        if self.marks.is_empty() || !text.contains(OPEN) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + 32);
        let mut rest = text;
        while let Some(open) = rest.find(OPEN) {
            out.push_str(&rest[..open]);
            let after = &rest[open + OPEN.len_utf8()..];
            let mark = after
                .split_once(CLOSE)
                .and_then(|(number, tail)| Some((self.marks.get(number.parse::<usize>().ok()?)?, tail)));
            match mark {
                Some((mark, tail)) => {
                    put(mark, text.len() - rest.len() + open, &mut out);
                    rest = tail;
                }
                // The glyph of a font of icons, written in the text.
                None => {
                    out.push(OPEN);
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// Returns the text as it was written, for code.
    pub(super) fn as_written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.unmark(text, |mark, _, out| {
            out.push_str(&self.body[mark.reference.span.start..mark.reference.span.end]);
        })
    }
}

fn mark_length(index: usize) -> usize {
    OPEN.len_utf8() + CLOSE.len_utf8() + index.checked_ilog10().map_or(1, |digits| digits as usize + 1)
}
