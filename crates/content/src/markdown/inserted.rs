//! Inserts what stands in the place of marks: values, and calls of components.

use super::Writer;
use super::marks::{Mark, Meaning};
use crate::blocks::MOST_DEPTH;
use crate::calls;
use crate::calls::{Argument, Call, Kind, Written};
use crate::yaml::Value;
use sitegen_core::diagnostics::{Diagnostic, MarkdownProblem, Place, Problem, Span};
use std::borrow::Cow;

/// Enclose the number of a call and what it does, where a component is inserted in the HTML, until the text is complete.
const CALL_OPEN: char = '\u{e006}';
/// See [`CALL_OPEN`].
const CALL_CLOSE: char = '\u{e007}';

impl Writer<'_> {
    /// Replaces the references of a text by their values. A call has no value.
    pub(super) fn filled<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let marked = self.marked;
        // An address that is reported already is not reported for being empty too.
        marked.unmark(text, |mark, _, out| out.push_str(&self.value(mark).unwrap_or_else(|| "/".to_owned())))
    }

    /// Replaces the references of a text by their values, and puts marks in the places of components.
    pub(super) fn filled_with_calls<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let marked = self.marked;
        marked.unmark(text, |mark, _, out| match &mark.meaning {
            Meaning::Call(Err(mistake)) => {
                self.refused_calls += 1;
                self.report_call(&mistake.detail, mistake.span);
            }
            Meaning::Call(Ok(tag)) => self.call(tag, mark.span, out),
            Meaning::Reference(_) | Meaning::Comment | Meaning::Shield => {
                out.push_str(&self.value(mark).unwrap_or_default())
            }
        })
    }

    /// Returns the value of a reference, or reports it.
    pub(super) fn value(&mut self, mark: &Mark) -> Option<String> {
        let context = self.context;
        let value = match &mark.meaning {
            Meaning::Reference(reference) => context.scope.resolve(reference),
            Meaning::Comment | Meaning::Shield => Ok(String::new()),
            Meaning::Call(_) => {
                let detail = "it cannot be used in an address, a title or a tag".to_owned();
                Err(MarkdownProblem::ComponentCall { detail }.into())
            }
        };
        let report = |problem: Problem| {
            self.keep(Diagnostic::new(problem, Place::new(context.path, mark.span.shifted(context.offset))));
        };
        value.map_err(report).ok()
    }

    /// Reports a mistake in a call. `span` is in the body.
    pub(super) fn report_call(&mut self, detail: &str, span: Span) {
        let problem = MarkdownProblem::ComponentCall { detail: detail.to_owned() };
        self.keep(Diagnostic::new(problem, Place::new(self.context.path, span.shifted(self.context.offset))));
    }

    /// Marks the place of a component, or where the text inside it begins or ends.
    pub(super) fn call(&mut self, tag: &calls::Tag, span: Span, out: &mut String) {
        let is_pair = tag.kind != Kind::Alone;
        if is_pair && self.paragraph.is_none() {
            return self.report_call("a tag around text must be on its own line, between two empty lines", span);
        }
        if tag.kind == Kind::Close {
            // It may end a call that is reported.
            let is_of_last = |(number, _): &(usize, usize)| self.calls[*number].component == tag.component;
            if self.refused_calls > 0 && !self.open.last().is_some_and(is_of_last) {
                self.refused_calls -= 1;
                return;
            }
            let Some((number, depth)) = self.open.pop() else {
                return self.report_call(&format!("`{}` has no opening tag here", tag.component), span);
            };
            if self.calls[number].component != tag.component {
                let detail = format!("`{}` is still open; close it first", self.calls[number].component);
                return self.report_call(&detail, span);
            }
            if depth != self.depth {
                let detail = format!("`{}` is opened in another list item or quotation", tag.component);
                return self.report_call(&detail, span);
            }
            self.pairs.push(span);
            out.push_str(&format!("{CALL_OPEN}{number}/{CALL_CLOSE}"));
            return;
        }
        let place = |span: Span| Place::new(self.context.path, span.shifted(self.context.offset));
        let mut arguments = Vec::new();
        let mut unknown = Vec::new();
        for (name, written, span) in &tag.arguments {
            let value = match written {
                Written::Literal(value) => {
                    let mut value = value.clone();
                    self.context.addresses.assets.name_value(self.context.path, &mut value);
                    Ok(value)
                }
                Written::Path(path) => self.context.scope.node(path).map(|node| match node {
                    Some(node) => node.value.clone(),
                    None => Value::Text((*path).to_owned()),
                }),
            };
            match value {
                Ok(value) => arguments.push(Argument { name: (*name).to_owned(), value, place: place(*span) }),
                Err(problem) => unknown.push(Diagnostic::new(problem, place(*span))),
            }
        }
        let number = self.calls.len();
        self.calls.push(Call {
            component: tag.component.to_owned(),
            arguments,
            range: 0..0,
            has_body: is_pair,
            place: place(span),
        });
        if is_pair {
            self.pairs.push(span);
            if self.open.len() == MOST_DEPTH {
                self.report_call(&format!("it is in {MOST_DEPTH} others, and none can be in more"), span);
            }
            self.open.push((number, self.depth));
        }
        self.diagnostics.extend(unknown);
        out.push_str(&format!("{CALL_OPEN}{number}{CALL_CLOSE}"));
    }

    /// Ends a paragraph. One that has components only gets no `<p>`: they bring elements of their own.
    pub(super) fn finish_paragraph(&mut self, span: Span) {
        let start = self.paragraph.take().unwrap_or_default();
        let pairs = std::mem::take(&mut self.pairs);
        let text = self.out.get(start + "<p>".len()..).unwrap_or_default();
        // A value may be a line end too.
        if text.is_empty() || text.bytes().all(|byte| byte == b'\n') && self.marked.has_only_comments(span) {
            return self.out.truncate(start);
        }
        if self.calls.is_empty() || !text.starts_with(CALL_OPEN) {
            self.out.push_str("</p>\n");
        } else if without_calls(text).trim().is_empty() {
            let calls = text.to_owned();
            self.out.truncate(start);
            self.out.push_str(&calls);
            self.out.push('\n');
            // Several tags may stand below each other.
            return;
        } else {
            self.out.push_str("</p>\n");
        }
        for span in pairs {
            self.report_call("a tag around text must be on its own line, between two empty lines", span);
        }
    }

    /// Takes the marks of calls out of the HTML, and notes where they were.
    pub(super) fn locate_calls(&mut self) -> String {
        let mut html = String::with_capacity(self.out.len());
        let mut marks = 0;
        let mut rest = self.out.as_str();
        while let Some(open) = rest.find(CALL_OPEN) {
            html.push_str(&rest[..open]);
            let after = &rest[open + CALL_OPEN.len_utf8()..];
            let (mark, tail) = after.split_once(CALL_CLOSE).unwrap_or((after, ""));
            let (number, is_end) = mark.strip_suffix('/').map_or((mark, false), |number| (number, true));
            if let Some(call) = number.parse().ok().and_then(|number: usize| self.calls.get_mut(number)) {
                call.range.end = html.len();
                if !is_end {
                    call.range.start = html.len();
                }
            }
            marks += 1;
            rest = tail;
        }
        html.push_str(rest);
        // Every mark was written once, unless a text has these characters itself.
        let expected: usize = self.calls.iter().map(|call| 1 + usize::from(call.has_body)).sum();
        if marks != expected && !self.diagnostics.iter().any(Diagnostic::stops) {
            let detail = "the text has a character that is reserved for calls (U+E006)";
            self.report_call(detail, Span::at(0, self.marked.body.len()));
        }
        // The footnotes are at the end of the HTML. Where two begin at one place, they stay in order.
        self.calls.sort_by_key(|call| call.range.start);
        html
    }
}

/// Returns a text without the marks of calls.
pub(super) fn without_calls(text: &str) -> Cow<'_, str> {
    // Each text of a page comes by here. The first byte of the mark is in hardly any.
    let first = CALL_OPEN.encode_utf8(&mut [0; 4]).as_bytes()[0];
    if memchr::memchr(first, text.as_bytes()).is_none() || !text.contains(CALL_OPEN) {
        return Cow::Borrowed(text);
    }
    let parts = text.split(CALL_OPEN).enumerate();
    let outside = parts.map(|(at, part)| match part.split_once(CALL_CLOSE) {
        Some((_, rest)) if at > 0 => rest,
        _ => part,
    });
    Cow::Owned(outside.collect())
}
