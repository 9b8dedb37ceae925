//! Writes raw HTML.

use super::active::is_active_tag;
use super::harmless::{self, Tags};
use super::{Context, Writer};
use crate::address::scheme_of;
use crate::dialect::Headings;
use pulldown_cmark_escape::escape_html;
use sitegen_core::diagnostics::{
    Diagnostic, LinkProblem, Literal, Lost, MarkdownProblem, Place, Problem, ReferenceProblem, Span,
};
use sitegen_core::html::{Quoted, Token, tokens, with_addresses, with_attributes};
use std::borrow::Cow;
use std::cell::RefCell;

/// A block of HTML as the parser returns it: line by line, without the signs of a list or a quotation around it.
#[derive(Default)]
pub(super) struct HtmlBlock {
    pub(super) html: String,
    /// For each line where it begins in `html` and in the parsed text.
    pub(super) lines: Vec<(usize, usize)>,
}

/// Elements in which signs of Markdown are code.
const CODE: [&str; 7] = ["pre", "code", "kbd", "samp", "textarea", "script", "style"];

/// Finds `**bold**` or `[a link](to)` in a line of a text.
fn markdown_in(text: &str) -> Option<Span> {
    let is_inside = |inside: &str| {
        let is_tight = !inside.starts_with(char::is_whitespace) && !inside.ends_with(char::is_whitespace);
        is_tight && !inside.is_empty() && !inside.contains('\n')
    };
    let bold = text.split_once("**").and_then(|(before, rest)| {
        let (inside, _) = rest.split_once("**").filter(|(inside, _)| is_inside(inside))?;
        Some(Span::at(before.len(), inside.len() + 4))
    });
    let link = || {
        let (before, rest) = text.split_once("](")?;
        let open = before.rfind('[').filter(|open| is_inside(&before[open + 1..]))?;
        let (inside, _) = rest.split_once(')').filter(|(inside, _)| is_inside(inside) && !inside.contains(' '))?;
        Some(Span { start: open, end: before.len() + inside.len() + 3 })
    };
    bold.or_else(link)
}

impl HtmlBlock {
    /// Maps an offset in the block to the parsed text.
    fn place(&self, offset: usize) -> usize {
        let line = self.lines[..self.lines.partition_point(|(start, _)| *start <= offset)].last();
        line.map_or(0, |(start, place)| place + offset - start)
    }
}

impl Writer<'_> {
    /// Writes a piece of raw HTML, with references filled in where a value stays a value: in text and in quoted
    /// attributes.
    pub(super) fn write_html(&mut self, block: &HtmlBlock) {
        self.has_html = true;
        let (html, marked) = (block.html.as_str(), self.marked);
        self.warn_of_markdown(block);
        let mut tokens = tokens(html);
        let mut from = 0;
        while let Some(token) = tokens.next() {
            let end = tokens.offset();
            let start = match &token {
                Token::Text(text) => end - text.len(),
                Token::Start(tag) => tag.start,
                Token::End(_) => from + html[from..end].rfind("</").unwrap_or(0),
            };
            // Comments are for editors, where a site does not allow all of HTML.
            if self.context.raw_html {
                self.out.push_str(&marked.as_written(&html[from..start]));
            }
            let piece = &html[start..end];
            if self.context.trace.is_some() && !matches!(token, Token::Text(_)) {
                self.trace(Span::at(block.place(start), 0));
            }
            // In a link no bare address is another one.
            match token {
                Token::End(name) if name.eq_ignore_ascii_case("a") => self.links = self.links.saturating_sub(1),
                Token::Start(tag) if tag.name.eq_ignore_ascii_case("a") => self.links += 1,
                _ => {}
            }
            match token {
                Token::End(name) => {
                    let piece = self.with_level(piece, name);
                    self.out.push_str(&marked.as_written(&piece));
                }
                Token::Start(tag) => {
                    let piece = self.with_level(piece, tag.name);
                    let piece = self.with_published_addresses(&piece, Span::at(block.place(start), end - start));
                    let mut quoted = Quoted::of(&piece);
                    self.write_filled(&piece, |offset| quoted.is_at(offset));
                }
                Token::Text(_) => self.write_filled(piece, |_| true),
            }
            from = end;
        }
        if self.context.raw_html {
            self.out.push_str(&marked.as_written(&html[from..]));
        }
    }

    /// Warns of the first Markdown in a block of HTML, outside of code.
    fn warn_of_markdown(&mut self, block: &HtmlBlock) {
        // Most blocks have none.
        if !["**", "]("].iter().any(|sign| memchr::memmem::find(block.html.as_bytes(), sign.as_bytes()).is_some()) {
            return;
        }
        let mut tokens = tokens(&block.html);
        let mut code = 0_usize;
        let is_code = |name: &str| CODE.iter().any(|code| code.eq_ignore_ascii_case(name));
        while let Some(token) = tokens.next() {
            match token {
                Token::Start(tag) if is_code(tag.name) => code += 1,
                Token::End(name) if is_code(name) => code = code.saturating_sub(1),
                Token::Text(text) if code == 0 => {
                    if let Some(found) = markdown_in(text) {
                        let at = block.place(tokens.offset() - text.len() + found.start);
                        let span = Span::at(at, found.end - found.start);
                        return self.report(MarkdownProblem::MarkdownLiteral(Literal::InHtml), span);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the tag of a heading with its level one below, where the headings of texts are.
    fn with_level<'t>(&self, tag: &'t str, name: &str) -> Cow<'t, str> {
        let level = match name.as_bytes() {
            [b'h' | b'H', level @ b'1'..=b'6'] if self.context.dialect.headings == Headings::Shift => *level,
            _ => return Cow::Borrowed(tag),
        };
        Cow::Owned(tag.replacen(char::from(level), &char::from((level + 1).min(b'6')).to_string(), 1))
    }

    /// Returns a tag in which the names of files beside the text and of pages are their addresses, as in Markdown. A link to a file
    /// that does not exist is reported.
    fn with_published_addresses<'t>(&mut self, tag: &'t str, span: Span) -> Cow<'t, str> {
        if !tag.contains('=') {
            return Cow::Borrowed(tag);
        }
        let Context { path, addresses, .. } = *self.context;
        let is_relative = |address: &str| {
            let is_value = address.contains(self.marked.brackets.open);
            !is_value && !address.is_empty() && !address.starts_with(['/', '#', '?']) && scheme_of(address).is_none()
        };
        const EMPTY: &str = "href=\"\"";
        // What is no file is reported in the finished page.
        let file = |address: &str| is_relative(address).then(|| addresses.image(path, address).ok()).flatten();
        let broken = RefCell::new(Vec::new());
        let page = |address: &str| match addresses.link(path, address) {
            Ok(published) => Some(published),
            Err(problem @ Problem::Link(LinkProblem::BrokenFile { .. })) => {
                broken.borrow_mut().push((problem, address.to_owned()));
                Some(String::new())
            }
            Err(_) => None,
        };
        let tag = with_attributes(tag, |name, value| match name {
            "src" | "poster" => file(value),
            "srcset" => with_addresses(value, file),
            "href" if is_relative(value) => page(value),
            _ => None,
        });
        let broken = broken.into_inner();
        if broken.is_empty() {
            return Cow::Owned(tag);
        }
        broken.into_iter().for_each(|(problem, address)| self.report_address(problem, &address, span));
        // As of a broken link in Markdown, nothing is left of it that is a mistake too.
        let is_own = |at: &usize| tag[..*at].ends_with(char::is_whitespace);
        let at = tag.match_indices(EMPTY).map(|(at, _)| at).find(is_own);
        Cow::Owned(at.map_or_else(|| tag.clone(), |at| format!("{}{}", &tag[..at], &tag[at + EMPTY.len()..])))
    }

    /// Writes a piece of HTML with its references filled in as text. `is_value` says whether one is allowed at an
    /// offset.
    pub(super) fn write_filled(&mut self, piece: &str, mut is_value: impl FnMut(usize) -> bool) {
        let marked = self.marked;
        let filled = marked.unmark(piece, |mark, offset, out| {
            let Some(value) = self.value(mark) else { return };
            if is_value(offset) {
                // Writing to a String cannot fail.
                escape_html(&mut *out, &value).unwrap_or_default();
            } else {
                let place = Place::new(self.context.path, mark.span.shifted(self.context.offset));
                self.keep(Diagnostic::new(ReferenceProblem::ReferenceInTag, place));
            }
        });
        // `\{{` is an escape for two braces.
        if filled.contains("\\{{") {
            self.out.push_str(&filled.replace("\\{{", "{{"));
        } else {
            self.out.push_str(&filled);
        }
    }

    /// Ends a block of HTML. Where HTML is not allowed, comments are left out, and anything else is refused.
    pub(super) fn finish_block(&mut self, block: &HtmlBlock, span: Span) {
        if self.context.raw_html {
            return self.write_html(block);
        }
        let html = block.html.as_str();
        match harmless::first_refused(html) {
            Tags::Harmless => return self.write_html(block),
            Tags::Refused(tag) => {
                let source = self.marked.source(Span::at(block.place(tag.start), tag.end - tag.start));
                let html = &self.marked.body[source.start..source.end];
                let html = html.lines().next().unwrap_or_default().to_owned();
                let is_active = is_active_tag(&html);
                let span = Span::at(block.place(tag.start), tag.end - tag.start);
                return self.report(MarkdownProblem::RawHtml { html, is_active }, span);
            }
            Tags::None => {}
        }
        let mut tokens = tokens(html);
        let mut from = 0;
        while let Some(token) = tokens.next() {
            let end = tokens.offset();
            let is_blank = matches!(token, Token::Text(text) if text.trim().is_empty());
            if !is_blank {
                let start = match token {
                    Token::Text(text) => end - text.trim_start().len(),
                    Token::Start(tag) => tag.start,
                    Token::End(_) => from,
                };
                let lost = Span::at(block.place(start), html[start..end].trim_end().len());
                return self.report(MarkdownProblem::LostText(Lost::BesideComment), lost);
            }
            from = end;
        }
        if tokens.ends_in_comment() {
            self.report(MarkdownProblem::LostText(Lost::InOpenComment { end: "-->" }), Span::at(span.start, 4));
        }
    }

    pub(super) fn inline_html(&mut self, html: &str, span: Span) {
        if self.context.raw_html {
            return self.write_html(&HtmlBlock { html: html.to_owned(), lines: vec![(0, span.start)] });
        }
        if html.starts_with("<!--") {
            return;
        }
        if matches!(harmless::first_refused(html), Tags::Harmless) {
            return self.write_html(&HtmlBlock { html: html.to_owned(), lines: vec![(0, span.start)] });
        }
        let name = html.trim_start_matches(['<', '/']);
        let name = name.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned();
        if html.starts_with("</") && self.refused.contains(&name) {
            return;
        }
        self.refused.insert(name);
        let html = self.marked.as_written(html).into_owned();
        let is_active = is_active_tag(&html);
        self.report(MarkdownProblem::RawHtml { html, is_active }, span);
    }
}
