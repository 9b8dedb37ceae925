//! Short marks in place of references, calls and comments, so that values are inserted after parsing.

use super::abbreviations::Abbreviations;
use super::misread::{self, Misread, Shield};
use super::signs::Signs;
use crate::blocks::{self, Block, BlockKind};
use crate::dialect::{ABBREVIATIONS, COMMENTS, CONTAINERS, Dialect};
use crate::{calls, reference};
use memchr::memmem;
use sitegen_core::diagnostics::Span;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter::Peekable;
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
        // In UTF-8 they begin with one of four bytes, which few texts have.
        let has = |signs: &[u8]| memmem::find(text.as_bytes(), signs).is_some();
        let may_have = memchr::memchr2(0xee, 0xef, text.as_bytes()).is_some()
            || memchr::memchr2(0xf3, 0xf4, text.as_bytes()).is_some();
        if !may_have && !has(b"&#") {
            return Self::FIRST;
        }
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

/// What stands in the body where the parsed text has a mark.
pub(super) struct Mark<'a> {
    pub(super) meaning: Meaning<'a>,
    /// Its bytes in the body.
    pub(super) span: Span,
    /// The bytes of the body that the mark, and the empty lines around the mark of a container, replace.
    replaced: Span,
    /// The bytes in the text that is parsed.
    parsed: Span,
}

/// What a mark stands for.
pub(super) enum Meaning<'a> {
    /// `{{ site.email }}`
    Reference(reference::Reference<'a>),
    /// A tag of a call, or the first or last line of a container.
    Call(Result<calls::Tag<'a>, calls::Mistake>),
    /// Text that is not published.
    Comment,
    /// What keeps the parser from reading a sign as markup. It has no number in the text.
    Shield,
}

/// A body in which every `{{ … }}` is a short mark, so that values are inserted after parsing.
pub(super) struct Marked<'a> {
    pub(super) body: &'a str,
    pub(super) text: Cow<'a, str>,
    pub(super) marks: Vec<Mark<'a>>,
    pub(super) brackets: Brackets,
    /// The first line of a container, where containers are text.
    pub(super) container: Option<Span>,
    /// Where a comment begins that has no end.
    pub(super) open_comment: Option<Span>,
    /// What abbreviations stand for.
    pub(super) abbreviations: Option<Abbreviations<'a>>,
    /// Where the text that is parsed has signs of what is not written as it stands.
    pub(super) signs: Signs,
}

impl<'a> Marked<'a> {
    pub(super) fn new(body: &'a str, dialect: &Dialect) -> Self {
        let mut blocks = blocks::all(body);
        let is_container = |block: &Block| matches!(block.kind, BlockKind::Container(_));
        let container = blocks.iter().find(|block| is_container(block)).map(|block| block.span);
        let container = container.filter(|_| !dialect.has(CONTAINERS));
        blocks.retain(|block| {
            dialect.has(match block.kind {
                BlockKind::Container(_) => CONTAINERS,
                BlockKind::Comment { .. } => COMMENTS,
                BlockKind::Abbreviation { .. } => ABBREVIATIONS,
            })
        });
        let open_comment = blocks.iter().find(|block| block.kind == BlockKind::Comment { is_closed: false });
        let open_comment = open_comment.map(|block| Span::at(block.span.start, "%%".len()));
        let abbreviations = Abbreviations::of(&blocks);
        let misread = misread::all(body, dialect);
        let begins = |at: usize| matches!(body.as_bytes().get(at + 1), Some(b'{' | b'%'));
        if blocks.is_empty() && misread.is_empty() && !memchr::memchr_iter(b'{', body.as_bytes()).any(begins) {
            let (text, brackets, signs) = (Cow::Borrowed(body), Brackets::FIRST, Signs::of(body));
            let marks = Vec::new();
            return Marked { body, text, marks, brackets, container, open_comment, abbreviations, signs };
        }
        let brackets = Brackets::unused_in(body);
        let (text, signs, marks) = (Cow::Borrowed(""), Signs::of(""), Vec::new());
        let mut marked = Marked { body, text, marks, brackets, container, open_comment, abbreviations, signs };
        let mut text = String::with_capacity(body.len());
        let mut blocks = blocks.into_iter().peekable();
        let mut misread = misread.into_iter().peekable();
        for (reference, call) in calls::all(body) {
            marked.push_before(reference.span.start, &mut blocks, &mut misread, &mut text);
            // A comment may contain references.
            if marked.end() <= reference.span.start {
                let span = reference.span;
                let meaning = call.map_or(Meaning::Reference(reference), Meaning::Call);
                marked.push(meaning, span, span, ["", ""], &mut text);
            }
        }
        marked.push_before(body.len(), &mut blocks, &mut misread, &mut text);
        text.push_str(&body[marked.end()..]);
        marked.signs = Signs::of(&text);
        marked.text = Cow::Owned(text);
        marked
    }

    /// Returns where the last mark ends in the body.
    fn end(&self) -> usize {
        self.marks.last().map_or(0, |mark| mark.replaced.end)
    }

    /// Pushes the blocks and the misread signs that begin at an offset or before it.
    fn push_before(
        &mut self,
        end: usize,
        blocks: &mut Peekable<impl Iterator<Item = Block<'a>>>,
        misread: &mut Peekable<impl Iterator<Item = Misread>>,
        text: &mut String,
    ) {
        loop {
            let start = blocks.peek().map(|block| block.span.start).filter(|start| *start <= end);
            if let Some(sign) = misread.next_if(|sign| sign.at <= end && start.is_none_or(|start| sign.at < start)) {
                self.push_shield(sign, text);
            } else if let Some(block) = blocks.next_if(|_| start.is_some()) {
                self.push_block(block, text);
            } else {
                return;
            }
        }
    }

    fn push_shield(&mut self, Misread { at, shield }: Misread, text: &mut String) {
        if at < self.end() {
            return;
        }
        text.push_str(&self.body[self.end()..at]);
        let Brackets { open, close } = self.brackets;
        let (written, length) = shield.written(open, close);
        let parsed = Span::at(text.len(), written.len());
        text.push_str(&written);
        let span = Span::at(at, length);
        self.marks.push(Mark { meaning: Meaning::Shield, span, replaced: span, parsed });
    }

    fn push_block(&mut self, block: Block<'a>, text: &mut String) {
        let Block { kind, span, prefix } = block;
        if span.start - prefix.len() < self.end() {
            return;
        }
        match kind {
            BlockKind::Comment { .. } | BlockKind::Abbreviation { .. } => {
                self.push(Meaning::Comment, span, span, ["", ""], text)
            }
            BlockKind::Container(tag) => {
                // A tag stands between empty lines: those of a quotation have its sign.
                let empty = prefix.trim_end();
                let replaced = Span { start: span.start - prefix.len(), end: span.end };
                let around = [format!("{empty}\n{prefix}"), format!("\n{empty}")];
                self.push(Meaning::Call(tag), span, replaced, [&around[0], &around[1]], text);
            }
        }
    }

    fn push(&mut self, meaning: Meaning<'a>, span: Span, replaced: Span, around: [&str; 2], text: &mut String) {
        text.push_str(&self.body[self.end()..replaced.start]);
        let start = text.len();
        let Brackets { open, close } = self.brackets;
        text.push_str(&format!("{}{open}{}{close}{}", around[0], self.marks.len(), around[1]));
        self.marks.push(Mark { meaning, span, replaced, parsed: Span { start, end: text.len() } });
    }

    /// Maps a range of the parsed text to the body.
    pub(super) fn source(&self, span: Span) -> Span {
        let back = |offset: usize| {
            // The last mark before it: text after the mark has the same distance from it as in the body.
            let before = self.marks.partition_point(|mark| mark.parsed.start < offset);
            let Some(index) = before.checked_sub(1) else { return offset };
            let Mark { span, replaced, parsed, .. } = &self.marks[index];
            if offset < parsed.end { span.start } else { replaced.end + (offset - parsed.end) }
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
            // Nothing else of the text has these characters.
            let Some((inner, tail)) = after.split_once(close) else {
                rest = after;
                continue;
            };
            if let Some(meant) = Shield::meant(inner) {
                out.push_str(meant);
            } else if let Some(mark) = inner.parse().ok().and_then(|number: usize| self.marks.get(number)) {
                put(mark, text.len() - rest.len() + at, &mut out);
            }
            rest = tail;
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// Whether a part of the parsed text has nothing but comments and white space.
    pub(super) fn has_only_comments(&self, span: Span) -> bool {
        let rest = self.unmark(&self.text[span.start..span.end], |mark, _, out| {
            if !matches!(mark.meaning, Meaning::Comment) {
                out.push('x');
            }
        });
        rest.trim().is_empty()
    }

    /// Returns the text as it was written, for code.
    pub(super) fn as_written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.unmark(text, |mark, _, out| {
            out.push_str(&self.body[mark.span.start..mark.span.end]);
        })
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
