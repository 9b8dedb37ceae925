//! What the parser leaves in plain text: bare addresses, emoji, `==marked==` words, and signs of extensions that are off.
//!
//! The parser returns a line of text in pieces. They are put together again, because an address may have signs in it at which
//! the parser splits.

use super::Writer;
use super::autolink;
use crate::blocks::doubled;
use crate::dialect::{ALERTS, AUTOLINKS, EMOJI, Extension, MARK, MATH, SUBSCRIPT, SUPERSCRIPT, WIKI_LINKS};
use memchr::{memchr, memmem};
use pulldown_cmark::{CowStr, Event};
use sitegen_core::diagnostics::{MarkdownProblem, Span};

/// Pieces of text that follow each other, with their places.
pub(super) type Run<'t> = Vec<(CowStr<'t>, Span)>;

/// A part of a text that is not written as it is.
enum Part<'a> {
    /// A word that the text explains.
    Abbreviation {
        meaning: &'a str,
    },
    Link {
        scheme: &'static str,
    },
    Emoji(&'static str),
    /// Two `=`.
    Mark,
    /// `~2~` or `^2^` in a word, by its element: the parser reads only those around words.
    Shifted(&'static str),
}

/// A `==` that may begin marked text.
pub(super) struct OpenMark {
    /// Where the `==` is in the text that is parsed, and in the output.
    at: usize,
    out: usize,
    /// How many inline elements are open.
    depth: usize,
}

impl<'a> Writer<'a> {
    /// Writes a run of text and empties it. What lies between two pieces is part of an address.
    pub(super) fn write_run(&mut self, run: &mut Run) {
        let (Some(start), Some(end)) = (run.first().map(|(_, span)| span.start), run.last().map(|(_, span)| span.end))
        else {
            return;
        };
        // What is escaped is known by the sign before it, which is in no piece.
        let line = Span { start: start - usize::from(self.marked.text[..start].ends_with('\\')), end };
        let has_parts = self.marked.abbreviations.is_some() || self.marked.signs.has_parts(line);
        let parts = if has_parts && self.image.is_none() { self.parts(line) } else { Vec::new() };
        let mut parts = parts.into_iter().peekable();
        for (text, span) in run.drain(..) {
            let mut from = span.start.max(self.written);
            while let Some((at, _)) = parts.peek()
                && at.start < span.end
            {
                let at = *at;
                self.write_piece(&text, span, Span { start: from, end: at.start });
                from = at.end;
                if let Some((at, part)) = parts.next() {
                    self.write_part(&part, at);
                }
                // A part may end in a later piece.
                if from >= span.end {
                    break;
                }
            }
            let from = from.max(self.written);
            self.written = self.written.max(from);
            self.write_piece(&text, span, Span { start: from, end: span.end });
        }
    }

    /// Whether something is part of a bare address that begins in a run of text.
    pub(super) fn is_in_address(&mut self, run: &Run, span: Span) -> bool {
        let Some(start) = run.first().map(|(_, first)| first.start) else { return false };
        // The end of what began before the text is no part of it.
        if span.start < start {
            return false;
        }
        if !self.context.dialect.has(AUTOLINKS) || self.links > 0 || self.image.is_some() {
            return false;
        }
        let text = &*self.marked.text;
        // No address has white space.
        if matches!(text.as_bytes()[start..span.start].last(), Some(b' ' | b'\n')) {
            return false;
        }
        // The address is searched once for everything in it.
        if self.address.is_none_or(|(begin, end)| begin != start || end < span.start) {
            if !autolink::may_be_in(&text[start..span.start]) {
                return false;
            }
            let line_end = memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |at| start + at);
            let links = autolink::all(&text[start..line_end]);
            let around = links.iter().map(|(link, _)| link.shifted(start)).find(|link| link.end > span.start);
            self.address =
                Some((start, around.filter(|link| link.start < span.start).map_or(span.start, |link| link.end)));
        }
        self.address.is_some_and(|(_, end)| span.end <= end)
    }

    /// Writes a part of a piece of text, or all of it.
    fn write_piece(&mut self, text: &CowStr, span: Span, part: Span) {
        if part.start >= part.end || part.start >= span.end {
            return;
        }
        let inner = text.get(part.start - span.start..part.end - span.start).filter(|_| part != span);
        if self.image.is_none() {
            return self.write_plain(inner.unwrap_or(text), part);
        }
        let text = inner.map_or_else(|| text.clone(), CowStr::Borrowed);
        self.write(Event::Text(text), part);
    }

    fn write_part(&mut self, part: &Part, span: Span) {
        self.written = span.end;
        let marked = self.marked;
        let written = &marked.text[span.start..span.end];
        match part {
            Part::Abbreviation { meaning } => {
                self.trace(span);
                self.collect(written);
                self.out.push_str("<abbr");
                if !meaning.is_empty() {
                    self.out.push_str(" title=\"");
                    self.attribute(meaning);
                    self.out.push('"');
                }
                self.out.push('>');
                self.escape(written);
                self.out.push_str("</abbr>");
            }
            Part::Link { scheme } => {
                let shown = autolink::unescaped(written);
                let address = format!("{scheme}{shown}");
                let address = self.filled(&address).into_owned();
                self.trace(span);
                self.open_link(&address, &CowStr::Borrowed(""), span);
                let shown = self.filled(&shown).into_owned();
                self.collect(&shown);
                self.escape(&shown);
                self.out.push_str("</a>");
            }
            Part::Emoji(emoji) => {
                self.collect_as(emoji, written);
                self.out.push_str(emoji);
            }
            Part::Mark => self.write_mark(span),
            Part::Shifted(element) => {
                let inner = self.filled(&written[1..written.len() - 1]).into_owned();
                self.trace(span);
                self.collect(&inner);
                self.block(element);
                self.escape(&inner);
                self.out.push_str(&format!("</{element}>"));
            }
        }
    }

    /// Returns the parts of a line of text that are not written as they are, and warns of what extensions that are off mean.
    fn parts(&mut self, line: Span) -> Vec<(Span, Part<'a>)> {
        let marked = self.marked;
        let text = &marked.text[line.start..line.end];
        let bytes = text.as_bytes();
        let mut parts = Vec::new();
        if self.context.dialect.has(AUTOLINKS) && self.links == 0 {
            let links = autolink::all(text);
            parts.extend(links.into_iter().map(|(span, scheme)| (span.shifted(line.start), Part::Link { scheme })));
        }
        if let Some(abbreviations) = &marked.abbreviations {
            let words = abbreviations.all(text);
            parts.extend(words.map(|(span, meaning)| (span.shifted(line.start), Part::Abbreviation { meaning })));
        }
        if memchr(b':', bytes).is_some() {
            self.find_emoji(text, line.start, &mut parts);
        }
        let signs = doubled(b'=', bytes).map(|at| Span::at(line.start + at, 2));
        parts.extend(signs.filter(|span| self.is_mark(*span)).map(|span| (span, Part::Mark)));
        for (sign, extension, element) in [(b'~', SUBSCRIPT, "sub"), (b'^', SUPERSCRIPT, "sup")] {
            if memchr(sign, bytes).is_some() && self.context.dialect.has(extension) {
                let shifted = shifted(text, sign).into_iter();
                parts.extend(shifted.map(|span| (span.shifted(line.start), Part::Shifted(element))));
            }
        }
        if memchr::memchr3(b'$', b'[', b'^', bytes).is_some() || memchr(b'~', bytes).is_some() {
            self.warn_of_extensions(text, line.start);
        }
        if memchr::memchr3(b'{', b'+', b'|', bytes).is_some() || text.starts_with(['!', '?']) {
            self.warn_of_foreign_syntax(text, line.start);
        }
        parts.sort_by_key(|(span, _)| span.start);
        // Of two that overlap the first is meant: an address may contain `==`.
        let mut end = 0;
        parts.retain(|(span, _)| {
            let is_apart = span.start >= end;
            end = end.max(if is_apart { span.end } else { end });
            is_apart
        });
        parts
    }

    /// Finds names of emoji between colons, as GitHub and Slack write them.
    fn find_emoji(&mut self, text: &str, offset: usize, parts: &mut Vec<(Span, Part<'a>)>) {
        let dialect = self.context.dialect;
        if !dialect.has(EMOJI) && !dialect.is_undecided(EMOJI) {
            return;
        }
        let mut colons = memchr::memchr_iter(b':', text.as_bytes()).peekable();
        while let Some(start) = colons.next() {
            let Some(end) = colons.peek().copied() else { return };
            let name = &text[start + 1..end];
            // `10:30:00` and `a:b:c` are no emoji.
            let before = self.marked.text[..offset + start].chars().next_back();
            let is_apart = before.is_none_or(|before| !before.is_alphanumeric() && before != '\\');
            let emoji = emojis::get_by_shortcode(name).filter(|_| is_apart && !name.is_empty());
            let Some(emoji) = emoji else { continue };
            let span = Span { start, end: end + 1 }.shifted(offset);
            if dialect.has(EMOJI) {
                parts.push((span, Part::Emoji(emoji.as_str())));
            } else {
                self.warn_of_extension(EMOJI, span);
            }
            colons.next();
        }
    }

    /// Whether two `=` stand beside a word on one side only, and there are no more than two.
    fn is_mark(&self, span: Span) -> bool {
        let text = &*self.marked.text;
        let (before, after) = (text[..span.start].chars().next_back(), text[span.end..].chars().next());
        let is_word = |letter: Option<char>| letter.is_some_and(|letter| !letter.is_whitespace() && letter != '=');
        let is_apart = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '=');
        before != Some('\\') && (is_word(after) && is_apart(before) || is_word(before) && is_apart(after))
    }

    /// Writes `==`. Where one before it began marked text, that text is marked now.
    fn write_mark(&mut self, span: Span) {
        let dialect = self.context.dialect;
        let text = &*self.marked.text;
        let can_close = text[..span.start].chars().next_back().is_some_and(|before| !before.is_whitespace());
        let open = self.open_mark.take().filter(|open| open.depth == self.inlines && can_close);
        match open {
            Some(open) if dialect.has(MARK) => {
                let trace = self.context.trace.map(|trace| {
                    let offset = self.marked.source(Span::at(open.at, 2)).start + self.context.offset;
                    trace.mark(self.context.path.as_str(), offset)
                });
                let inner = self.out.split_off(open.out);
                let inner = inner.strip_prefix("==").unwrap_or(&inner);
                self.out.push_str(&format!("{}<mark>{inner}</mark>", trace.unwrap_or_default()));
            }
            Some(open) => {
                self.write(Event::Text(CowStr::Borrowed("==")), span);
                if dialect.is_undecided(MARK) {
                    self.warn_of_extension(MARK, Span { start: open.at, end: span.end });
                }
            }
            None => {
                let can_open = text[span.end..].starts_with(|after: char| !after.is_whitespace());
                self.open_mark =
                    can_open.then_some(OpenMark { at: span.start, out: self.out.len(), depth: self.inlines });
                self.write(Event::Text(CowStr::Borrowed("==")), span);
            }
        }
    }

    /// Warns of formulas, wiki links, superscript and kinds of alerts that are written as they are.
    fn warn_of_extensions(&mut self, text: &str, offset: usize) {
        let dialect = self.context.dialect;
        if dialect.has(MATH)
            && let Some(span) = formula(text)
        {
            // The parser takes `$x^{2$` for text.
            let detail = "its braces are not balanced".to_owned();
            self.report(MarkdownProblem::Formula { detail }, span.shifted(offset));
        } else if dialect.has(MATH)
            && let Some(span) = open_formula(text, self.out.ends_with('\n') || self.out.ends_with('>'))
        {
            let detail = "`$$` begins it, and no other `$$` ends it in the same paragraph".to_owned();
            self.report(MarkdownProblem::Formula { detail }, span.shifted(offset));
        }
        let meant = [
            (MATH, formula(text)),
            (WIKI_LINKS, wiki_link(text)),
            (SUPERSCRIPT, raised(text, b'^')),
            (SUBSCRIPT, raised(text, b'~')),
        ];
        for (extension, span) in meant {
            if let Some(span) = span.filter(|_| dialect.is_undecided(extension)) {
                self.warn_of_extension(extension, span.shifted(offset));
            }
        }
        let kind = text.strip_prefix("[!").and_then(|rest| rest.split_once(']')).map(|(kind, _)| kind);
        let is_kind = |kind: &&str| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphabetic());
        if let Some(kind) = kind.filter(is_kind)
            && self.quotation == Some(self.out.len())
            && dialect.has(ALERTS)
        {
            self.report(MarkdownProblem::UnknownAlert { kind: kind.to_owned() }, Span::at(offset, kind.len() + 3));
        }
    }

    /// Warns once in a text of an extension that is off and seems to be meant.
    pub(super) fn warn_of_extension(&mut self, extension: Extension, span: Span) {
        self.warn_in_body(extension, self.marked.source(span));
    }

    /// The same for a span of the body.
    pub(super) fn warn_in_body(&mut self, extension: Extension, span: Span) {
        if self.warned.insert(extension.key) {
            let written = self.marked.body[span.start..span.end].to_owned();
            self.report_in_body(MarkdownProblem::MarkdownExtension { key: extension.key, written }, span);
        }
    }
}

/// Finds `$…$` with signs of a formula in it. A price has none.
fn formula(text: &str) -> Option<Span> {
    let mut from = 0;
    loop {
        let start = from + memchr(b'$', &text.as_bytes()[from..])?;
        let signs = text[start..].bytes().take_while(|byte| *byte == b'$').count();
        let inner = &text[start + signs..];
        from = start + signs;
        if text[..start].ends_with('\\') {
            continue;
        }
        let length = memchr::memchr_iter(b'$', inner.as_bytes()).find(|at| !inner[..*at].ends_with('\\'))?;
        let formula = &inner[..length];
        let is_near = !formula.starts_with(' ') && !formula.ends_with(' ') && !formula.is_empty();
        if is_near && formula.contains(['\\', '^', '_']) {
            return Some(Span { start, end: start + 2 * signs + length });
        }
    }
}

/// Finds `$$` at the beginning of a line, or before signs of a formula.
fn open_formula(text: &str, begins_line: bool) -> Option<Span> {
    let start = memmem::find(text.as_bytes(), b"$$")?;
    let rest = &text[start + 2..];
    let is_first = begins_line && text[..start].trim().is_empty();
    let is_meant =
        !rest.starts_with('$') && !text[..start].ends_with('\\') && (is_first || rest.contains(['\\', '^', '_']));
    is_meant.then_some(Span::at(start, 2))
}

/// Finds text without white space between two signs.
fn shifted(text: &str, sign: u8) -> Vec<Span> {
    let mut signs = memchr::memchr_iter(sign, text.as_bytes()).peekable();
    let mut found = Vec::new();
    while let Some(start) = signs.next() {
        let Some(end) = signs.peek().copied() else { break };
        let inner = &text[start + 1..end];
        if !inner.is_empty() && !inner.contains(char::is_whitespace) && !text[..start].ends_with('\\') {
            found.push(Span { start, end: end + 1 });
            signs.next();
        }
    }
    found
}

/// Finds `[[…]]`.
fn wiki_link(text: &str) -> Option<Span> {
    let start = memmem::find(text.as_bytes(), b"[[")?;
    let length = memmem::find(&text.as_bytes()[start..], b"]]")? + 2;
    let inner = &text[start + 2..start + length - 2];
    let is_link = inner.contains(char::is_alphabetic) && !inner.contains('[') && !text[..start].ends_with('\\');
    is_link.then(|| {
        let is_picture = text[..start].ends_with('!');
        Span { start: start - usize::from(is_picture), end: start + length }
    })
}

/// Finds a short `^…^` or `~…~` after a letter or digit.
fn raised(text: &str, sign: u8) -> Option<Span> {
    let start = memchr(sign, text.as_bytes())?;
    let length = memchr(sign, &text.as_bytes()[start + 1..])?;
    let inner = &text[start + 1..start + 1 + length];
    let is_meant = text[..start].ends_with(char::is_alphanumeric)
        && (1..=4).contains(&length)
        && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_meant.then(|| Span::at(start, length + 2))
}
