//! Short marks in place of references and calls, so that values are inserted after parsing.

use crate::{calls, reference};
use sitegen_core::diagnostics::Span;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The characters that enclose the number of a reference in text that is parsed as Markdown. Both are for private use: the
/// parser takes them for letters, so a value can neither break a link nor become markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Brackets {
    pub(super) open: char,
    pub(super) close: char,
}

impl Brackets {
    /// Those that stand for themselves in a text without references.
    const FIRST: Self = Brackets { open: '\u{e000}', close: '\u{e001}' };

    /// Returns the first two characters for private use that a text has neither as they are, as glyphs of icon fonts, nor as
    /// character references, which the parser decodes.
    fn unused_in(text: &str) -> Self {
        let written = text.chars().filter(|letter| is_private(u32::from(*letter))).map(u32::from);
        let used: BTreeSet<u32> = written.chain(text.split("&#").skip(1).filter_map(number)).collect();
        let is_free = |(open, close): &(char, char)| ![*open, *close].iter().any(|one| used.contains(&u32::from(*one)));
        let mut pairs = PRIVATE.into_iter().flat_map(|range| range.clone().zip(range.skip(1)));
        pairs.find(is_free).map_or(Self::FIRST, |(open, close)| Brackets { open, close })
    }
}

/// The areas for private use (Unicode 17, 23.5).
const PRIVATE: [RangeInclusive<char>; 3] =
    ['\u{e000}'..='\u{f8ff}', '\u{f0000}'..='\u{ffffd}', '\u{100000}'..='\u{10fffd}'];

fn is_private(point: u32) -> bool {
    PRIVATE.iter().any(|range| (u32::from(*range.start())..=u32::from(*range.end())).contains(&point))
}

/// Reads the number of a character reference, after its `&#`.
fn number(text: &str) -> Option<u32> {
    let hexadecimal = text.strip_prefix(['x', 'X']);
    let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
    let end = digits.find(|letter: char| !letter.is_digit(radix)).unwrap_or(digits.len());
    u32::from_str_radix(&digits[..end], radix).ok()
}

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
    pub(super) brackets: Brackets,
}

impl<'a> Marked<'a> {
    pub(super) fn new(body: &'a str) -> Self {
        if !body.contains("{{") && !body.contains("{%") {
            return Marked { body, text: Cow::Borrowed(body), marks: Vec::new(), brackets: Brackets::FIRST };
        }
        let brackets = Brackets::unused_in(body);
        let Brackets { open, close } = brackets;
        let mut text = String::with_capacity(body.len());
        let mut marks = Vec::new();
        let mut from = 0;
        for (reference, call) in calls::all(body) {
            text.push_str(&body[from..reference.span.start]);
            let at = text.len();
            text.push_str(&format!("{open}{}{close}", marks.len()));
            from = reference.span.end;
            marks.push(Mark { reference, call, at });
        }
        text.push_str(&body[from..]);
        Marked { body, text: Cow::Owned(text), marks, brackets }
    }

    /// Maps a range of the parsed text to the body.
    pub(super) fn source(&self, span: Span) -> Span {
        let back = |offset: usize| {
            // The last mark before it: text after the mark has the same distance from it as in the body.
            let before = self.marks.partition_point(|mark| mark.at < offset);
            let Some(index) = before.checked_sub(1) else { return offset };
            let Mark { reference, at, .. } = &self.marks[index];
            let after = at + self.length(index);
            if offset < after { reference.span.start } else { reference.span.end + (offset - after) }
        };
        let (start, end) = (back(span.start), back(span.end).min(self.body.len()));
        Span { start: start.min(end), end }
    }

    /// Replaces every mark in a text that the parser returned.
    ///
    /// `put` gets the mark's meaning, its offset in `text`, and the output.
    pub(super) fn unmark<'t>(&self, text: &'t str, mut put: impl FnMut(&Mark<'a>, usize, &mut String)) -> Cow<'t, str> {
        let Brackets { open, close } = self.brackets;
        if self.marks.is_empty() || !text.contains(open) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + 32);
        let mut rest = text;
        while let Some(at) = rest.find(open) {
            out.push_str(&rest[..at]);
            let after = &rest[at + open.len_utf8()..];
            let mark = after
                .split_once(close)
                .and_then(|(number, tail)| Some((self.marks.get(number.parse::<usize>().ok()?)?, tail)));
            // Nothing else of the text has these characters.
            let Some((mark, tail)) = mark else {
                rest = after;
                continue;
            };
            put(mark, text.len() - rest.len() + at, &mut out);
            rest = tail;
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

    /// Returns the length of a mark in bytes.
    fn length(&self, index: usize) -> usize {
        let Brackets { open, close } = self.brackets;
        open.len_utf8() + close.len_utf8() + index.checked_ilog10().map_or(1, |digits| digits as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_has_the_characters_around_numbers() {
        let open = |text: &str| u32::from(Brackets::unused_in(text).open);
        assert_eq!(open("x"), 0xe000);
        assert_eq!(open("\u{e000}"), 0xe001);
        assert_eq!(open("\u{e001}"), 0xe002);
        assert_eq!(open("&#xE000;&#57347; &#x0e001 &# &#x &#99999999999;"), 0xe004);
        let all: String = PRIVATE[0].clone().collect();
        assert_eq!(open(&all), 0xf_0000);
    }
}
