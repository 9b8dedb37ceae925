//! Chooses between quotation marks, apostrophes and marks of inches and feet for `"` and `'`.

use super::Writer;
use super::marks::Brackets;
use crate::quotes::Side;
use sitegen_core::diagnostics::Span;

/// Which quotation marks of a paragraph, heading, item or cell are open.
#[derive(Default)]
pub(super) struct OpenQuotes {
    double: bool,
    single: bool,
}

/// A `"` or `'` between the characters beside it.
#[derive(Clone, Copy)]
struct Mark {
    before: Option<char>,
    after: Option<char>,
    /// What follows that.
    next: Option<char>,
    /// Those around references, whose values may be words or numbers.
    brackets: Brackets,
}

impl Mark {
    /// The mark at a span of a text.
    fn at(text: &str, span: Span, brackets: Brackets) -> Self {
        let mut rest = text[span.end..].chars();
        Mark { before: text[..span.start].chars().next_back(), after: rest.next(), next: rest.next(), brackets }
    }

    /// Whether something other than white space and punctuation follows.
    fn is_before_word(self) -> bool {
        self.after.is_some_and(|after| after.is_alphanumeric() || after == self.brackets.open)
    }

    /// The rule of CommonMark 0.31.2 for a "left-flanking delimiter run".
    fn can_open(self) -> bool {
        let is_at_word = self.after.is_some_and(|after| !after.is_whitespace());
        is_at_word && self.before.is_none_or(|before| before.is_whitespace() || self.is_punctuation(before))
    }

    /// The rule of CommonMark 0.31.2 for a "right-flanking delimiter run".
    fn can_close(self) -> bool {
        let is_at_word = self.before.is_some_and(|before| !before.is_whitespace());
        is_at_word && self.after.is_none_or(|after| after.is_whitespace() || self.is_punctuation(after))
    }

    /// Whether it may stand for inches, feet, minutes or seconds, as in `27"`, `6'2"` and `26'N`.
    fn may_be_unit(self) -> bool {
        let is_direction = matches!(self.after, Some('N' | 'E' | 'S' | 'W' | 'O'))
            && !self.next.is_some_and(|next| next.is_alphanumeric() || next == self.brackets.open);
        self.is_after_digit() && (!self.is_before_word() || self.is_before_digit() || is_direction)
    }

    fn is_after_digit(self) -> bool {
        self.before.is_some_and(char::is_numeric)
    }

    /// Whether it stands between two numbers, as in `8"x10"` and `8'x10'`.
    fn is_between_numbers(self) -> bool {
        self.is_after_digit() && matches!(self.after, Some('x' | 'X')) && self.next.is_some_and(char::is_numeric)
    }

    fn is_before_digit(self) -> bool {
        self.after.is_some_and(char::is_numeric)
    }

    /// Whether a character is punctuation or a symbol: here it is enough that it is no part of a word.
    fn is_punctuation(self, letter: char) -> bool {
        !letter.is_alphanumeric()
            && !letter.is_whitespace()
            && letter != self.brackets.open
            && letter != self.brackets.close
    }
}

impl Writer<'_> {
    /// Returns the quotation mark of the text's language for a `"` or `'` that the parser has replaced by an English
    /// mark, or the mark as it was written where it is one of inches or feet. An apostrophe stays what the parser made.
    pub(super) fn quote(&mut self, text: &str, span: Span) -> Option<&'static str> {
        let parsed = &*self.marked.text;
        let written = match (text, parsed.get(span.start..span.end)?) {
            ("“" | "”", "\"") => "\"",
            ("‘" | "’", "'") => "'",
            _ => return None,
        };
        let mark = Mark::at(parsed, span, self.marked.brackets);
        if written == "'" {
            self.single(text, mark, &parsed[span.end..])
        } else {
            self.double(mark, &parsed[span.end..])
        }
    }

    fn double(&mut self, mark: Mark, rest: &str) -> Option<&'static str> {
        if mark.is_between_numbers() {
            return Some("\"");
        }
        let is_open = &mut self.open_quotes.double;
        // What follows a digit begins no quotation, and what closes none is no quotation mark, as in `5m"`.
        let closes_nothing = !*is_open && !mark.can_open() && (mark.can_close() || mark.is_after_digit());
        // The value of a reference may be a number.
        let may_be_unit = mark.is_after_digit() || mark.before == Some(mark.brackets.close) && !mark.is_before_word();
        let is_within = || mark.is_before_word() && mark.is_after_digit() || closes_later(rest, '"', mark.brackets);
        if closes_nothing || may_be_unit && (!*is_open || is_within()) {
            return Some("\"");
        }
        let side = if *is_open && mark.can_close() { Side::Close } else { Side::Open };
        *is_open = side == Side::Open && (*is_open || mark.can_open());
        Some(self.quotes.double(side))
    }

    fn single(&mut self, text: &str, mark: Mark, rest: &str) -> Option<&'static str> {
        if mark.is_between_numbers() {
            return Some("'");
        }
        let is_open = &mut self.open_quotes.single;
        if mark.may_be_unit() && (!*is_open || mark.is_before_digit() || closes_later(rest, '\'', mark.brackets)) {
            return Some("'");
        }
        if text == "‘" {
            *is_open = true;
            return Some(self.quotes.single(Side::Open));
        }
        // The parser returns an apostrophe like a closing mark. Only the latter has no letter after it.
        let is_end = *is_open && !mark.is_before_word();
        *is_open &= !is_end;
        is_end.then(|| self.quotes.single(Side::Close))
    }
}

/// Whether the next mark that can only open or only close a quotation, in the same paragraph, closes one.
///
/// Of the marks that ask this, each is answered by the next one: together they read a text once.
fn closes_later(rest: &str, quote: char, brackets: Brackets) -> bool {
    let mut from = 0;
    for (start, _) in rest.match_indices(quote) {
        if rest[from..start].contains("\n\n") {
            return false;
        }
        from = start + 1;
        let mark = Mark::at(rest, Span { start, end: from }, brackets);
        if mark.can_open() != mark.can_close() {
            return mark.can_close();
        }
    }
    false
}
