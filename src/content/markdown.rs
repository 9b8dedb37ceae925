//! Renders Markdown to HTML: CommonMark with tables, footnotes, heading ids and smart punctuation.
//!
//! The parser's own HTML writer is not used: it aligns table cells with `style=` attributes, which a page's policy
//! blocks, and lets raw HTML and `javascript:` links through.

use super::address::{Addresses, scheme_of};
use super::assets::Asset;
use super::calls::{self, Argument, Call, Kind, Written};
use super::code::{Info, Mistake};
use super::quotes::{Quotes, Side};
use super::reference::{self, Scope};
use super::yaml::Value;
use crate::diagnostics::{Diagnostic, Lost, MOST, Place, Problem, Severity, Span};
use crate::html::{Quoted, Token, tokens};
use crate::paths::SourcePath;
use crate::pictures::{self, Header, Picture, Wanted};
use crate::profile::Trace;
use pulldown_cmark::{Alignment, BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use pulldown_cmark_escape::{escape_href, escape_html, escape_html_body_text};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A rendered body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rendered {
    /// The HTML.
    pub html: String,
    /// Its headings in order.
    pub headings: Vec<Heading>,
    /// The components that it calls, in the order in which they begin in the HTML.
    pub calls: Vec<Call>,
}

/// A heading of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The id for links.
    pub id: String,
    /// Its text without markup.
    pub title: String,
}

/// The inputs for rendering a body.
pub struct Context<'a> {
    /// Its file.
    pub path: &'a SourcePath,
    /// Its offset in that file.
    pub offset: usize,
    /// Whether raw HTML is allowed.
    pub raw_html: bool,
    /// The values that `{{ … }}` may name.
    pub scope: Scope<'a>,
    /// What links and images are resolved against.
    pub addresses: &'a Addresses<'a>,
    /// The quotation marks of the text's language.
    pub quotes: Quotes,
    /// Whether code blocks are coloured, and the words after their fences read.
    pub highlight: bool,
    /// Whether each tag gets a mark before it that shows where it was written.
    pub trace: Option<&'a Trace>,
}

/// Renders a body, and reports its problems.
pub fn render(body: &str, context: &Context, diagnostics: &mut Vec<Diagnostic>) -> Rendered {
    let marked = Marked::new(body);
    let mut undefined = Vec::new();
    let mut note_undefined = |link: BrokenLink| {
        // `[text]` alone is also written for other reasons; with a label or a `^` it is meant as a reference.
        let is_meant = !matches!(link.link_type, LinkType::Shortcut | LinkType::ShortcutUnknown)
            || link.reference.starts_with('^');
        if is_meant {
            undefined.push((link.reference.to_string(), Span { start: link.span.start, end: link.span.end }));
        }
        None
    };
    let parser =
        Parser::new_with_broken_link_callback(&marked.text, options(), Some(&mut note_undefined)).into_offset_iter();
    let mut writer = Writer {
        context,
        marked: &marked,
        diagnostics,
        out: WRITING.take(),
        headings: Vec::new(),
        slugs: HashMap::new(),
        table: Vec::new(),
        column: 0,
        escaped: body.matches("\\{{").count(),
        in_head: false,
        columns: Vec::new(),
        wrapper: 0,
        above: None,
        code: None,
        image: None,
        picture: None,
        size: None,
        heading: None,
        footnotes: BTreeMap::new(),
        defined: BTreeMap::new(),
        footnote: Vec::new(),
        order: Vec::new(),
        block: None,
        refused: BTreeSet::new(),
        cells_end: 0,
        is_single_open: false,
        numbers: HashMap::new(),
        calls: Vec::new(),
        open: Vec::new(),
        depth: 0,
        paragraph: None,
        pairs: Vec::new(),
    };
    for (event, range) in parser {
        writer.write(event, Span { start: range.start, end: range.end });
    }
    for (label, span) in undefined.into_iter().take(MOST + 1) {
        writer.report(Problem::MissingDefinition { label }, span);
    }
    let rendered = writer.end();
    if context.raw_html {
        report_active(&rendered.html, body, context, diagnostics);
    }
    rendered
}

/// Elements that run script, style or redirect the page, embed another page, or change what else it may load. They are
/// for templates, whose authors decide what a page does; authors of texts decide what it says. In the last four a
/// browser reads tags by other rules than elsewhere, or by rules that depend on whether scripts are on, so no check
/// would be reliable.
const ACTIVE: [&str; 15] = [
    "script", "style", "link", "meta", "base", "object", "embed", "iframe", "frame", "frameset", "template", "svg",
    "math", "title", "noscript",
];

/// Reports raw HTML of a text that only templates and islands may have. It searches the rendered HTML, where tags can
/// be distinguished from text, and reports where the body has the name.
fn report_active(html: &str, body: &str, context: &Context, diagnostics: &mut Vec<Diagnostic>) {
    let lower = body.to_ascii_lowercase();
    // Where the search for the next tag of a name begins. A name without another match is not searched again.
    let mut next: HashMap<String, usize> = HashMap::new();
    let mut tokens = tokens(html);
    for token in tokens.by_ref() {
        let Token::Start(tag) = token else { continue };
        let name = tag.name.to_ascii_lowercase();
        let is_active = |attribute: &str, value: &str| {
            // SVG and MathML have links of their own, and animations that change them (SVG 2, 16 and SVG Animations).
            let is_address =
                attribute.ends_with("href") || matches!(attribute, "values" | "to" | "from" | "by" | "action");
            attribute == "srcdoc"
                || attribute == "attributename" && (value.trim().ends_with("href") || value.trim().starts_with("on"))
                || is_address && value.split([';', ',']).any(is_script)
        };
        let attribute = tag.attributes().find(|each| is_active(&each.name.to_ascii_lowercase(), &each.value));
        let part = match attribute {
            _ if ACTIVE.contains(&name.as_str()) => format!("`<{name}>`"),
            Some(attribute) => format!("the attribute `{}` on `<{name}>`", attribute.name),
            None => continue,
        };
        let opening = format!("<{name}");
        if diagnostics.len() > MOST {
            return;
        }
        let from = next.entry(name).or_insert(0);
        let at = lower[*from..].find(&opening).map_or(0, |at| *from + at);
        *from = (at + opening.len()).min(lower.len());
        let span = Span::at(at, opening.len().min(body.len() - at));
        let problem = Problem::ActiveHtml { part };
        diagnostics.push(Diagnostic::error(problem, Place::new(context.path, span.shifted(context.offset))));
    }
    if tokens.ends_in_comment() {
        // The rest of the template after the text would be lost too.
        let span = Span::at(body.rfind("<!--").unwrap_or(0), 4.min(body.len()));
        let problem = Problem::LostText(Lost::InOpenComment);
        diagnostics.push(Diagnostic::error(problem, Place::new(context.path, span.shifted(context.offset))));
    }
}

fn is_script(address: &str) -> bool {
    matches!(scheme_of(address).as_deref(), Some("javascript" | "vbscript" | "data"))
}

/// Returns the HTML of a short text without the paragraph around it.
pub fn without_paragraph(html: &str) -> &str {
    let trimmed = html.trim_end();
    match trimmed.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>")) {
        Some(inner) if !inner.contains("<p>") => inner,
        _ => trimmed,
    }
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_SMART_PUNCTUATION
        | Options::ENABLE_HEADING_ATTRIBUTES
}

/// Enclose the number of a reference in text that is parsed as Markdown. Both are private-use characters: the parser
/// takes them for letters, so a value can neither break a link nor become markup.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

/// Enclose the number of a call and what it does, where a component is inserted in the HTML, until the text is complete.
const CALL_OPEN: char = '\u{e006}';
/// See [`CALL_OPEN`].
const CALL_CLOSE: char = '\u{e007}';

/// A `{{ … }}`, or a tag of a call.
struct Mark<'a> {
    reference: reference::Reference<'a>,
    call: Option<Result<calls::Tag<'a>, calls::Mistake>>,
    /// The offset of the mark in the text that is parsed.
    at: usize,
}

/// A body in which every `{{ … }}` is a short mark, so that values are inserted after parsing.
struct Marked<'a> {
    body: &'a str,
    text: Cow<'a, str>,
    marks: Vec<Mark<'a>>,
}

impl<'a> Marked<'a> {
    fn new(body: &'a str) -> Self {
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
    fn source(&self, span: Span) -> Span {
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
    fn unmark<'t>(&self, text: &'t str, mut put: impl FnMut(&Mark<'a>, usize, &mut String)) -> Cow<'t, str> {
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
                None => rest = after,
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// Returns the text as it was written, for code.
    fn as_written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.unmark(text, |mark, _, out| {
            out.push_str(&self.body[mark.reference.span.start..mark.reference.span.end]);
        })
    }
}

fn mark_length(index: usize) -> usize {
    OPEN.len_utf8() + CLOSE.len_utf8() + index.checked_ilog10().map_or(1, |digits| digits as usize + 1)
}

struct Writer<'a> {
    context: &'a Context<'a>,
    marked: &'a Marked<'a>,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: String,
    headings: Vec<Heading>,
    slugs: HashMap<String, usize>,
    table: Vec<Alignment>,
    column: usize,
    /// How many `\{{` are still to be closed.
    escaped: usize,
    in_head: bool,
    /// The texts of the table's header cells.
    columns: Vec<String>,
    /// Where the attributes of the table's wrapper go in `out`.
    wrapper: usize,
    /// The id of the last heading, until a table is named by it.
    above: Option<String>,
    /// The words after the fence of the current code block, and its text so far.
    code: Option<(String, String)>,
    /// The address, title and text so far of the current image.
    image: Option<(String, String, String)>,
    /// The same image, if it is a picture that can be scaled.
    picture: Option<(&'a Asset, &'a Header)>,
    /// The width and height of the SVG that the image is.
    size: Option<(u32, u32)>,
    /// Where the current heading begins in `out`, its explicit id, and its text so far.
    heading: Option<(usize, Option<String>, String)>,
    /// Bodies of footnotes by name, and where each is defined.
    footnotes: BTreeMap<String, String>,
    defined: BTreeMap<String, Span>,
    /// The open footnotes, nested, each with what was written before it.
    footnote: Vec<(String, String)>,
    /// Names of footnotes in the order of their references.
    order: Vec<String>,
    /// The current block of HTML.
    block: Option<HtmlBlock>,
    /// Names of the elements whose start tags were refused. Their end tags are not reported as well.
    refused: BTreeSet<String>,
    /// The end of the last cell that belongs to the table.
    cells_end: usize,
    /// Whether a single quotation mark is open.
    is_single_open: bool,
    /// The numbers of footnotes that have references.
    numbers: HashMap<String, usize>,
    /// The calls so far. Their ranges are known at the end.
    calls: Vec<Call>,
    /// The calls whose body is open, and the depth at which each begins.
    open: Vec<(usize, usize)>,
    /// The number of lists, items, quotations and footnotes around the current place.
    depth: usize,
    /// Where the current paragraph begins in `out`.
    paragraph: Option<usize>,
    /// The tags of pairs in the current paragraph.
    pairs: Vec<Span>,
}

/// A block of HTML as the parser returns it: line by line, without the signs of a list or a quotation around it.
#[derive(Default)]
struct HtmlBlock {
    html: String,
    /// For each line where it begins in `html` and in the parsed text.
    lines: Vec<(usize, usize)>,
}

impl HtmlBlock {
    /// Maps an offset in the block to the parsed text.
    fn place(&self, offset: usize) -> usize {
        let line = self.lines[..self.lines.partition_point(|(start, _)| *start <= offset)].last();
        line.map_or(0, |(start, place)| place + offset - start)
    }
}

impl Writer<'_> {
    /// Reports an address at its own bytes in a link or an image, where they can be found.
    fn report_address(&mut self, problem: Problem, address: &str, span: Span) {
        if self.diagnostics.len() > MOST {
            return;
        }
        let source = self.marked.source(span);
        let text = &self.marked.body[source.start..source.end];
        match text.rfind(address).filter(|_| !address.is_empty()) {
            Some(at) => {
                let place = Span::at(source.start + at + self.context.offset, address.len());
                self.diagnostics.push(Diagnostic::error(problem, Place::new(self.context.path, place)));
            }
            None => self.report(problem, span),
        }
    }

    fn report(&mut self, problem: Problem, span: Span) {
        if self.diagnostics.len() > MOST {
            return;
        }
        let mut span = self.marked.source(span);
        let text = &self.marked.body[span.start..span.end];
        span.end = span.start + text.trim_end().len();
        self.diagnostics
            .push(Diagnostic::error(problem, Place::new(self.context.path, span.shifted(self.context.offset))));
    }

    /// Writes a picture in the sizes and formats of the site. Without a text of its own it has that of its description.
    fn write_picture(&mut self, asset: &Asset, header: &Header, title: &str, alternative: String) {
        let description = asset.description.as_deref();
        let described = description.and_then(|description| description.alt.clone()).filter(|_| alternative.is_empty());
        let alt = described.unwrap_or(alternative);
        let title = (!title.is_empty()).then(|| self.filled(title).into_owned());
        let Addresses { base_path, pictures, .. } = self.context.addresses;
        let wanted = Wanted { title, ..pictures.wanted(alt, description.and_then(|description| description.focus)) };
        let picture = Picture { path: asset.path(), digest: &asset.digest, header, url: &asset.url };
        self.out.push_str(&pictures::markup(picture, &wanted, &[], base_path));
    }

    /// Writes a code block.
    fn write_code(&mut self, words: &str, code: &str, span: Span) {
        if words.is_empty() || !self.context.highlight {
            self.out.push_str("<pre><code");
            if let Some(language) = words.split([' ', ',']).next().filter(|language| !language.is_empty()) {
                self.out.push_str(" class=\"language-");
                self.attribute(language);
                self.out.push('"');
            }
            self.out.push('>');
            self.escape(code);
            self.out.push_str("</code></pre>\n");
            return;
        }
        let (info, mistakes) = Info::of(words);
        for Mistake { problem, span: at } in mistakes {
            self.warn_of_code(problem, words.get(at.start..at.end).unwrap_or_default(), span);
        }
        for (problem, word) in info.write(code, &mut self.out) {
            self.warn_of_code(problem, &word, span);
        }
    }

    /// Warns of a word in the first line of a code block.
    fn warn_of_code(&mut self, problem: Problem, word: &str, block: Span) {
        if self.diagnostics.len() > MOST {
            return;
        }
        let source = self.marked.source(block);
        let first = self.marked.body[source.start..source.end].lines().next().unwrap_or_default();
        let span = match first.find(word).filter(|_| !word.is_empty()) {
            Some(at) => Span::at(source.start + at, word.len()),
            None => Span::at(source.start, first.len()),
        };
        let place = Place::new(self.context.path, span.shifted(self.context.offset));
        let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::error(problem, place) };
        self.diagnostics.push(warning);
    }

    /// Writes a mark of where the next tag comes from.
    fn trace(&mut self, span: Span) {
        if let Some(trace) = self.context.trace {
            let offset = self.marked.source(span).start + self.context.offset;
            self.out.push_str(&trace.mark(self.context.path.as_str(), offset));
        }
    }

    /// Replaces the references of a text by their values. A call has no value.
    fn filled<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let marked = self.marked;
        // An address that is reported already is not reported for being empty too.
        marked.unmark(text, |mark, _, out| out.push_str(&self.value(mark).unwrap_or_else(|| "/".to_owned())))
    }

    /// Replaces the references of a text by their values, and puts marks in the places of components.
    fn filled_with_calls<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let marked = self.marked;
        marked.unmark(text, |mark, _, out| match &mark.call {
            None => out.push_str(&self.value(mark).unwrap_or_default()),
            Some(Err(mistake)) => self.report_call(&mistake.detail, mistake.span),
            Some(Ok(tag)) => self.call(tag, mark.reference.span, out),
        })
    }

    /// Returns the value of a reference, or reports it.
    fn value(&mut self, mark: &Mark) -> Option<String> {
        let context = self.context;
        let value = match mark.call {
            None => context.scope.resolve(&mark.reference),
            Some(_) => Err(Problem::ComponentCall {
                detail: "it cannot stand in an address, in a title or in a tag".to_owned(),
            }),
        };
        let report = |problem| {
            if self.diagnostics.len() <= MOST {
                let place = Place::new(context.path, mark.reference.span.shifted(context.offset));
                self.diagnostics.push(Diagnostic::error(problem, place));
            }
        };
        value.map_err(report).ok()
    }

    /// Reports a mistake in a call. `span` is in the body.
    fn report_call(&mut self, detail: &str, span: Span) {
        if self.diagnostics.len() <= MOST {
            let problem = Problem::ComponentCall { detail: detail.to_owned() };
            let place = Place::new(self.context.path, span.shifted(self.context.offset));
            self.diagnostics.push(Diagnostic::error(problem, place));
        }
    }

    /// Marks the place of a component, or where the text inside it begins or ends.
    fn call(&mut self, tag: &calls::Tag, span: Span, out: &mut String) {
        let is_pair = tag.kind != Kind::Alone;
        if is_pair && self.paragraph.is_none() {
            return self.report_call("a tag around text stands on a line of its own, between two empty lines", span);
        }
        if tag.kind == Kind::Close {
            let Some((number, depth)) = self.open.pop() else {
                return self.report_call(&format!("nothing opens `{}` here", tag.component), span);
            };
            if self.calls[number].component != tag.component {
                let detail = format!("`{}` is still open; close it before", self.calls[number].component);
                return self.report_call(&detail, span);
            }
            if depth != self.depth {
                let detail = format!("`{}` opens in another list item or quotation", tag.component);
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
                Written::Literal(value) => Ok(value.clone()),
                Written::Path(path) => self.context.scope.node(path).map(|node| match node {
                    Some(node) => node.value.clone(),
                    None => Value::Text((*path).to_owned()),
                }),
            };
            match value {
                Ok(value) => arguments.push(Argument { name: (*name).to_owned(), value, place: place(*span) }),
                Err(problem) => unknown.push(Diagnostic::error(problem, place(*span))),
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
            self.open.push((number, self.depth));
        }
        self.diagnostics.extend(unknown);
        out.push_str(&format!("{CALL_OPEN}{number}{CALL_CLOSE}"));
    }

    /// Ends a paragraph. One that has components only gets no `<p>`: they bring elements of their own.
    fn finish_paragraph(&mut self) {
        let start = self.paragraph.take().unwrap_or_default();
        let pairs = std::mem::take(&mut self.pairs);
        let text = self.out.get(start + "<p>".len()..).unwrap_or_default();
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
            self.report_call("a tag around text stands on a line of its own, between two empty lines", span);
        }
    }

    fn escape(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = escape_html_body_text(&mut self.out, text);
    }

    fn attribute(&mut self, text: &str) {
        let _ = escape_html(&mut self.out, text);
    }

    /// Adds to the text of the current heading or header cell.
    fn collect(&mut self, text: &str) {
        if let Some((_, _, title)) = &mut self.heading {
            title.push_str(text);
        } else if let Some(column) = self.columns.last_mut().filter(|_| self.in_head) {
            column.push_str(text);
        }
    }

    fn block(&mut self, tag: &str) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// Writes a piece of raw HTML, with references filled in where a value stays a value: in text and in quoted
    /// attributes.
    fn write_html(&mut self, block: &HtmlBlock) {
        let (html, marked) = (block.html.as_str(), self.marked);
        let mut tokens = tokens(html);
        let mut from = 0;
        while let Some(token) = tokens.next() {
            let end = tokens.offset();
            let start = match &token {
                Token::Text(text) => end - text.len(),
                Token::Start(tag) => tag.start,
                Token::End(_) => from + html[from..end].rfind("</").unwrap_or(0),
            };
            // Comments and end tags stay as they are written.
            self.out.push_str(&marked.as_written(&html[from..start]));
            let piece = &html[start..end];
            if self.context.trace.is_some() && !matches!(token, Token::Text(_)) {
                self.trace(Span::at(block.place(start), 0));
            }
            match token {
                Token::End(_) => self.out.push_str(&marked.as_written(piece)),
                Token::Start(_) => {
                    let mut quoted = Quoted::of(piece);
                    self.write_filled(piece, |offset| quoted.is_at(offset));
                }
                Token::Text(_) => self.write_filled(piece, |_| true),
            }
            from = end;
        }
        self.out.push_str(&marked.as_written(&html[from..]));
    }

    /// Writes a piece of HTML with its references filled in as text. `is_value` says whether one is allowed at an
    /// offset.
    fn write_filled(&mut self, piece: &str, mut is_value: impl FnMut(usize) -> bool) {
        let marked = self.marked;
        let filled = marked.unmark(piece, |mark, offset, out| {
            let Some(value) = self.value(mark) else { return };
            if is_value(offset) {
                // Writing to a String cannot fail.
                escape_html(&mut *out, &value).unwrap_or_default();
            } else if self.diagnostics.len() <= MOST {
                let place = Place::new(self.context.path, mark.reference.span.shifted(self.context.offset));
                self.diagnostics.push(Diagnostic::error(Problem::ReferenceInTag, place));
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
    fn finish_block(&mut self, block: &HtmlBlock, span: Span) {
        if self.context.raw_html {
            return self.write_html(block);
        }
        let html = block.html.as_str();
        if !html.trim_start().starts_with("<!--") {
            let source = self.marked.source(span);
            let html = self.marked.body[source.start..source.end].trim().lines().next().unwrap_or_default().to_owned();
            return self.report(Problem::RawHtml { html }, span);
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
                return self.report(Problem::LostText(Lost::BesideComment), lost);
            }
            from = end;
        }
        if tokens.ends_in_comment() {
            self.report(Problem::LostText(Lost::InOpenComment), Span::at(span.start, 4));
        }
    }

    /// Returns the quotation mark of the text's language for a `"` or `'` that the parser has replaced by an English
    /// mark.
    fn quote(&mut self, text: &str, span: Span) -> Option<&'static str> {
        let is_single = match text {
            "“" | "”" => false,
            "‘" | "’" => true,
            _ => return None,
        };
        let parsed = &self.marked.text;
        if !matches!(parsed.get(span.start..span.end), Some("\"" | "'")) {
            return None;
        }
        let quotes = self.context.quotes;
        match text {
            "“" => Some(quotes.double(Side::Open)),
            "”" => Some(quotes.double(Side::Close)),
            "‘" => {
                self.is_single_open = true;
                Some(quotes.single(Side::Open))
            }
            // The parser returns an apostrophe like a closing mark. Only the latter has no letter after it.
            _ => {
                let next = parsed[span.end..].chars().next();
                let is_end = is_single
                    && self.is_single_open
                    && !next.is_some_and(|next| next.is_alphanumeric() || next == OPEN);
                self.is_single_open &= !is_end;
                is_end.then(|| quotes.single(Side::Close))
            }
        }
    }

    fn write(&mut self, event: Event, span: Span) {
        let event = match event {
            Event::Text(text) if self.code.is_none() => match self.quote(&text, span) {
                Some(quote) => Event::Text(CowStr::Borrowed(quote)),
                None => Event::Text(text),
            },
            event => event,
        };
        if let Some(block) = &mut self.block {
            match event {
                Event::Html(html) | Event::Text(html) => {
                    block.lines.push((block.html.len(), span.start));
                    block.html.push_str(&html);
                }
                Event::End(TagEnd::HtmlBlock) => {
                    if let Some(block) = self.block.take() {
                        self.finish_block(&block, span);
                    }
                }
                _ => {}
            }
            return;
        }
        if let Some((_, _, alternative)) = &mut self.image {
            // Inside an image only its text counts.
            match &event {
                Event::Text(text) | Event::Code(text) => {
                    let text = text.to_string();
                    let filled = self.filled(&text).into_owned();
                    if let Some((_, _, alternative)) = &mut self.image {
                        alternative.push_str(&filled);
                    }
                    return;
                }
                Event::SoftBreak | Event::HardBreak => return alternative.push(' '),
                Event::End(TagEnd::Image) => {}
                _ => return,
            }
        }
        let marked = self.marked;
        if let (Event::Text(text), Some((_, code))) = (&event, &mut self.code) {
            return code.push_str(&marked.as_written(text));
        }
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.finish(tag, span),
            Event::Text(text) => {
                // The parser returns brackets as texts of their own. The text after a closing one shows a link that it
                // refused, most often for a space in its address.
                if self.out.ends_with(']') && looks_like_address(&text) {
                    self.report(Problem::MarkdownLink, span);
                }
                // `\{{ … }}` is an escape for two braces as text.
                if text.contains('}') {
                    let closed = text.matches("}}").count();
                    let escaped = self.escaped.min(closed);
                    self.escaped -= escaped;
                    if closed > escaped {
                        self.report(Problem::UnopenedReference, span);
                    }
                }
                if text.starts_with('^') && text.len() > 1 && self.out.ends_with('[') {
                    self.report(Problem::MissingDefinition { label: text.to_string() }, span);
                }
                // Copied only where there is a reference to fill in.
                let filled = if self.marked.marks.is_empty() {
                    Cow::Borrowed(&*text)
                } else {
                    Cow::Owned(self.filled_with_calls(&text).into_owned())
                };
                self.collect(&without_calls(&filled));
                self.escape(&filled);
            }
            Event::Code(text) => {
                let text = self.marked.as_written(&text).into_owned();
                self.collect(&text);
                self.out.push_str("<code>");
                self.escape(&text);
                self.out.push_str("</code>");
            }
            Event::Html(html) => self.write_html(&HtmlBlock { html: html.to_string(), lines: vec![(0, span.start)] }),
            Event::InlineHtml(html) => self.inline_html(&html, span),
            Event::FootnoteReference(name) => self.footnote_reference(&name),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>\n"),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn inline_html(&mut self, html: &str, span: Span) {
        if self.context.raw_html {
            return self.write_html(&HtmlBlock { html: html.to_owned(), lines: vec![(0, span.start)] });
        }
        if html.starts_with("<!--") {
            return;
        }
        let name = html.trim_start_matches(['<', '/']);
        let name = name.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned();
        if html.starts_with("</") && self.refused.contains(&name) {
            return;
        }
        self.refused.insert(name);
        let html = self.marked.as_written(html).into_owned();
        self.report(Problem::RawHtml { html }, span);
    }

    fn start(&mut self, tag: Tag, span: Span) {
        self.depth +=
            usize::from(matches!(tag, Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)));
        // The tag of a heading is written at its end, with its id; that of an image too, with its text.
        let is_written_later =
            matches!(tag, Tag::Heading { .. } | Tag::Image { .. } | Tag::FootnoteDefinition(_) | Tag::HtmlBlock);
        if !is_written_later {
            self.trace(span);
        }
        match tag {
            Tag::Paragraph => {
                self.paragraph = Some(self.out.len());
                self.block("p");
            }
            Tag::Heading { id, classes, attrs, .. } => {
                if !attrs.is_empty() || !classes.is_empty() {
                    let detail = "only an id may follow a heading, like `{#pay}`".into();
                    self.report(Problem::Markup { detail }, span);
                }
                self.heading = Some((self.out.len(), id.map(|id| id.to_string()), String::new()));
            }
            Tag::BlockQuote(_) => self.out.push_str("<blockquote>\n"),
            Tag::CodeBlock(CodeBlockKind::Fenced(words)) => {
                self.code = Some((self.marked.as_written(&words).into_owned(), String::new()));
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => self.code = Some(Default::default()),
            Tag::HtmlBlock => self.block = Some(HtmlBlock::default()),
            Tag::List(None) => self.out.push_str("<ul>\n"),
            Tag::List(Some(1)) => self.out.push_str("<ol>\n"),
            Tag::List(Some(start)) => self.out.push_str(&format!("<ol start=\"{start}\">\n")),
            Tag::Item => self.block("li"),
            Tag::FootnoteDefinition(name) => {
                self.footnote.push((name.to_string(), std::mem::take(&mut self.out)));
            }
            Tag::Table(alignments) => {
                self.table = alignments;
                // For `overflow-x: auto`. Browsers make scrollable elements focusable themselves, and only if they
                // scroll.
                self.out.push_str("<div class=\"table\"");
                self.wrapper = self.out.len();
                self.out.push_str("><table>\n");
            }
            Tag::TableHead => {
                self.in_head = true;
                self.columns.clear();
                self.column = 0;
                self.out.push_str("<thead><tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.out.push_str("<tr>");
            }
            Tag::TableCell => {
                let alignment = self.table.get(self.column).copied().unwrap_or(Alignment::None);
                self.column += 1;
                if self.in_head {
                    self.columns.push(String::new());
                }
                let class = match alignment {
                    Alignment::None => "",
                    Alignment::Left => " class=\"align-start\"",
                    Alignment::Center => " class=\"align-center\"",
                    Alignment::Right => " class=\"align-end\"",
                };
                let cell = if self.in_head { "<th scope=\"col\"" } else { "<td" };
                self.out.push_str(cell);
                self.out.push_str(class);
                self.out.push('>');
            }
            Tag::Emphasis => self.block("em"),
            Tag::Strong => self.block("strong"),
            Tag::Strikethrough => self.block("del"),
            Tag::Link { link_type, dest_url, title, .. } => {
                let mut address = self.filled(&dest_url).into_owned();
                // `<info@example.com>`
                if link_type == LinkType::Email {
                    address.insert_str(0, "mailto:");
                }
                self.open_link(&address, &title, span);
            }
            Tag::Image { dest_url, title, .. } => {
                let address = self.filled(&dest_url).into_owned();
                let picture = self.context.addresses.picture(&address);
                let header = match picture.and_then(Asset::header) {
                    Some(Err(problem)) => {
                        self.report_address(problem, &address, span);
                        None
                    }
                    header => header.and_then(Result::ok),
                };
                self.picture = picture.zip(header);
                self.size = self.context.addresses.svg(&address).and_then(super::svg::size);
                let address = self.context.addresses.image(&address).unwrap_or_else(|problem| {
                    self.report_address(problem, &address, span);
                    String::new()
                });
                self.image = Some((address, title.to_string(), String::new()));
            }
            _ => {}
        }
    }

    /// Names the table for assistive technology: the first table below a heading by that heading, others by their
    /// columns.
    fn name_table(&mut self) {
        let columns: Vec<&str> =
            self.columns.iter().map(|column| column.trim()).filter(|text| !text.is_empty()).collect();
        let (attribute, name) = match self.above.take() {
            Some(heading) => ("aria-labelledby", heading),
            None if columns.is_empty() => return,
            None => ("aria-label", columns.join(", ")),
        };
        let table = self.out.split_off(self.wrapper);
        self.out.push_str(&format!(" role=\"region\" {attribute}=\""));
        self.attribute(&name);
        self.out.push('"');
        self.out.push_str(&table);
    }

    fn open_link(&mut self, written: &str, title: &CowStr, span: Span) {
        let address = self.context.addresses.link(self.context.path, written).unwrap_or_else(|problem| {
            self.report_address(problem, written, span);
            String::new()
        });
        self.out.push_str("<a href=\"");
        let _ = escape_href(&mut self.out, &address);
        if !title.is_empty() {
            let title = self.filled(title).into_owned();
            self.out.push_str("\" title=\"");
            self.attribute(&title);
        }
        self.out.push_str("\">");
    }

    fn finish(&mut self, tag: TagEnd, span: Span) {
        self.depth -= usize::from(matches!(
            tag,
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition
        ));
        match tag {
            TagEnd::Paragraph => self.finish_paragraph(),
            TagEnd::Heading(level) => {
                let Some((start, explicit, title)) = self.heading.take() else { return };
                if title.trim().is_empty() && self.out[start..].trim().is_empty() {
                    self.report(Problem::EmptyText { element: format!("h{}", level as u8) }, span);
                }
                let inner = self.out.split_off(start);
                self.trace(span);
                let level = level as u8;
                let id = self.unique(explicit.unwrap_or_else(|| slug(&title)));
                self.out.push_str(&format!("<h{level} id=\""));
                self.attribute(&id);
                self.out.push_str(&format!("\">{inner}</h{level}>\n"));
                self.above = Some(id.clone());
                self.headings.push(Heading { level, id, title });
            }
            TagEnd::BlockQuote(_) => self.out.push_str("</blockquote>\n"),
            TagEnd::CodeBlock => {
                let (words, code) = self.code.take().unwrap_or_default();
                self.write_code(&words, &code, span);
            }
            TagEnd::List(true) => self.out.push_str("</ol>\n"),
            TagEnd::List(false) => self.out.push_str("</ul>\n"),
            TagEnd::Item => self.out.push_str("</li>\n"),
            TagEnd::FootnoteDefinition => {
                if let Some((name, before)) = self.footnote.pop() {
                    let body = std::mem::replace(&mut self.out, before);
                    if self.defined.contains_key(&name) {
                        self.report(Problem::LostText(Lost::RepeatedFootnote { label: name }), span);
                    } else {
                        self.defined.insert(name.clone(), span);
                        self.footnotes.insert(name, body);
                    }
                }
            }
            TagEnd::Table => self.out.push_str("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.finish_row(span);
                self.in_head = false;
                self.name_table();
                self.out.push_str("</tr></thead><tbody>\n");
            }
            TagEnd::TableRow => {
                self.finish_row(span);
                self.out.push_str("</tr>\n");
            }
            TagEnd::TableCell => {
                self.cells_end = span.end;
                self.out.push_str(if self.in_head { "</th>" } else { "</td>" });
            }
            TagEnd::Emphasis => self.out.push_str("</em>"),
            TagEnd::Strong => self.out.push_str("</strong>"),
            TagEnd::Strikethrough => self.out.push_str("</del>"),
            TagEnd::Link => self.out.push_str("</a>"),
            TagEnd::Image => {
                let Some((address, title, alternative)) = self.image.take() else { return };
                self.trace(span);
                if let Some((asset, header)) = self.picture.take() {
                    return self.write_picture(asset, header, &title, alternative);
                }
                self.out.push_str("<img src=\"");
                let _ = escape_href(&mut self.out, &address);
                self.out.push_str("\" alt=\"");
                self.attribute(&alternative);
                if !title.is_empty() {
                    let title = self.filled(&title).into_owned();
                    self.out.push_str("\" title=\"");
                    self.attribute(&title);
                }
                self.out.push('"');
                if let Some((width, height)) = self.size.take() {
                    self.out.push_str(&format!(" width=\"{width}\" height=\"{height}\""));
                }
                self.out.push_str(" loading=\"lazy\" decoding=\"async\">");
            }
            _ => {}
        }
    }

    /// Reports the cells of a row that exceed the table's columns.
    fn finish_row(&mut self, row: Span) {
        let Some(rest) = self.marked.text.get(self.cells_end..row.end) else { return };
        let is_filler = |letter: char| letter == '|' || letter.is_whitespace();
        let lost = rest.trim_matches(is_filler);
        if !lost.is_empty() {
            let start = self.cells_end + rest.len() - rest.trim_start_matches(is_filler).len();
            self.report(Problem::LostText(Lost::ExtraCell), Span::at(start, lost.len()));
        }
    }

    fn footnote_reference(&mut self, name: &str) {
        let first_number = self.numbers.get(name).copied();
        let number = first_number.unwrap_or(self.order.len() + 1);
        // A note with two references links back to the first one only, so that ids stay unique.
        let mut id = String::new();
        if first_number.is_none() {
            self.order.push(name.to_owned());
            self.numbers.insert(name.to_owned(), number);
            id = format!(" id=\"note-{number}-back\"");
        }
        self.out.push_str(&format!("<sup><a href=\"#note-{number}\"{id} role=\"doc-noteref\">{number}</a></sup>"));
    }

    /// Returns an id that no heading of this body has yet.
    fn unique(&mut self, slug: String) -> String {
        let slug = if slug.is_empty() { "section".to_owned() } else { slug };
        let mut count = *self.slugs.get(&slug).unwrap_or(&0);
        let mut id = slug.clone();
        while self.slugs.contains_key(&id) {
            count += 1;
            id = format!("{slug}-{count}");
        }
        self.slugs.insert(slug, count);
        self.slugs.insert(id.clone(), 0);
        id
    }

    fn end(mut self) -> Rendered {
        let used: BTreeSet<&String> = self.order.iter().collect();
        let unused = self.defined.iter().filter(|(name, _)| !used.contains(name));
        let unused: Vec<(String, Span)> = unused.map(|(name, at)| (name.clone(), *at)).collect();
        for (label, span) in unused {
            self.report(Problem::LostText(Lost::UnusedFootnote { label }), span);
        }
        if !self.order.is_empty() {
            self.out.push_str("<section class=\"footnotes\" role=\"doc-endnotes\">\n<ol>\n");
            for (index, name) in self.order.iter().enumerate() {
                let number = index + 1;
                let body = self.footnotes.get(name).map(String::as_str).unwrap_or_default().trim_end();
                let back = format!(" <a href=\"#note-{number}-back\" role=\"doc-backlink\">↩ {number}</a>");
                let body = match body.strip_suffix("</p>") {
                    Some(body) => format!("{body}{back}</p>"),
                    None => format!("{body}{back}"),
                };
                self.out.push_str(&format!("<li id=\"note-{number}\">{body}</li>\n"));
            }
            self.out.push_str("</ol>\n</section>\n");
        }
        for (number, _) in std::mem::take(&mut self.open) {
            let Call { component, place, .. } = &self.calls[number];
            let problem = Problem::ComponentCall { detail: format!("`{component}` is not closed") };
            self.diagnostics.push(Diagnostic::error(problem, place.clone()));
        }
        let html = match self.calls.is_empty() {
            true => self.out.as_str().to_owned(),
            false => self.locate_calls(),
        };
        self.out.clear();
        WRITING.set(self.out);
        Rendered { html, headings: self.headings, calls: self.calls }
    }

    /// Takes the marks of calls out of the HTML, and notes where they were.
    fn locate_calls(&mut self) -> String {
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
        if marks != expected && self.diagnostics.iter().all(|each| each.severity == Severity::Warning) {
            let detail = "the text has a character that is reserved for calls (U+E006)";
            self.report_call(detail, Span::at(0, self.marked.body.len()));
        }
        // The footnotes are at the end of the HTML. Where two begin at one place, they stay in order.
        self.calls.sort_by_key(|call| call.range.start);
        html
    }
}

/// Returns a text without the marks of calls.
fn without_calls(text: &str) -> Cow<'_, str> {
    if !text.contains(CALL_OPEN) {
        return Cow::Borrowed(text);
    }
    let parts = text.split(CALL_OPEN).enumerate();
    let outside = parts.map(|(at, part)| match part.split_once(CALL_CLOSE) {
        Some((_, rest)) if at > 0 => rest,
        _ => part,
    });
    Cow::Owned(outside.collect())
}

thread_local! {
    /// The buffer that a thread writes texts into. Each text is then stored in exactly its size: until pages are
    /// rendered, the texts of all of them are in memory at once.
    static WRITING: Cell<String> = const { Cell::new(String::new()) };
}

/// Whether the text after a `]` was meant as a link's address: `(…)` at once, or after a space and looking like one.
fn looks_like_address(text: &str) -> bool {
    if text.starts_with('(') {
        return true;
    }
    let Some(inner) = text.strip_prefix(" (") else { return false };
    let inner = inner.split(')').next().unwrap_or(inner);
    !inner.contains(' ') && inner.contains([':', '/', '#', '@', OPEN])
}

/// Returns the id of a heading: its letters and digits in lower case, with one `-` for everything else between them.
pub fn slug(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for letter in title.chars() {
        if letter.is_alphanumeric() {
            slug.extend(letter.to_lowercase());
        } else if !matches!(letter, '’' | '\'') && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::super::assets::Assets;
    use super::super::settings::Pictures;
    use super::super::yaml;
    use super::*;
    use crate::cache::Cache;
    use crate::diagnostics::code;
    use crate::sources::Sources;

    fn check(body: &str, raw_html: bool) -> (Rendered, Vec<Diagnostic>) {
        check_in("en", body, raw_html)
    }

    fn check_in(language: &str, body: &str, raw_html: bool) -> (Rendered, Vec<Diagnostic>) {
        let site = yaml::parse(&SourcePath::new("s"), "email: a@b.example\nevil: '<b>*x*'\n", 0).unwrap();
        let assets = {
            let picture = include_bytes!("../../tests/sites/base-path/content/assets/oven.png");
            let sources = Sources::from_files([("content/assets/map.png", picture)]);
            Assets::of(&sources, &Cache::default(), &mut Vec::new())
        };
        let pictures = Pictures::default();
        let routes =
            BTreeMap::from([(SourcePath::new("content/pages/about.md"), crate::paths::Route::of_page("about"))]);
        let addresses = Addresses { base_path: "/docs", assets: &assets, routes: &routes, pictures: &pictures };
        let path = SourcePath::new("content/pages/a.md");
        let scope = Scope { site: Some(&site), ..Scope::default() };
        let context = Context {
            path: &path,
            offset: 100,
            raw_html,
            scope,
            addresses: &addresses,
            quotes: Quotes::of(language),
            highlight: true,
            trace: None,
        };
        let mut diagnostics = Vec::new();
        (render(body, &context, &mut diagnostics), diagnostics)
    }

    fn html(body: &str) -> String {
        let (rendered, diagnostics) = check(body, false);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        rendered.html
    }

    #[test]
    fn headings_get_ids_that_stay_unique() {
        let (rendered, _) = check("# Pay & *Terms*\n\n## Pay\n\n## Pay\n\n## Own {#mine}\n", false);
        let ids: Vec<&str> = rendered.headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["pay-terms", "pay", "pay-1", "mine"]);
        assert_eq!(rendered.headings[0].title, "Pay & Terms");
        assert!(rendered.html.starts_with("<h1 id=\"pay-terms\">Pay &amp; <em>Terms</em></h1>"), "{}", rendered.html);
    }

    #[test]
    fn tables_carry_no_style_attributes() {
        let table = html("| a | b |\n|---|--:|\n| 1 | 2 |\n");
        assert!(table.contains("<th scope=\"col\" class=\"align-end\">b</th>"), "{table}");
        assert!(table.contains("<td>1</td><td class=\"align-end\">2</td>") && !table.contains("style"), "{table}");
    }

    #[test]
    fn a_table_is_a_region_named_by_its_heading_or_its_columns() {
        let table = "| Day & *hour* | `\"x\"` | |\n|---|---|---|\n| 1 | 2 | 3 |\n\n";
        let page = html(&format!("{table}## Hours\n\n{table}{table}| |\n|---|\n| 1 |\n"));
        let wrappers: Vec<&str> = page.lines().filter(|line| line.contains("<div")).collect();
        let columns = "<div class=\"table\" role=\"region\" aria-label=\"Day &amp; hour, &quot;x&quot;\"><table>";
        let heading = "<div class=\"table\" role=\"region\" aria-labelledby=\"hours\"><table>";
        assert_eq!(wrappers, [columns, heading, columns, "<div class=\"table\"><table>"]);
    }

    #[test]
    fn values_are_text_wherever_they_stand_and_code_stays_as_written() {
        assert_eq!(
            html("Write to [{{ site.email }}](mailto:{{ site.email }}).\n"),
            "<p>Write to <a href=\"mailto:a@b.example\">a@b.example</a>.</p>\n"
        );
        assert_eq!(html("{{ site.evil }}\n"), "<p>&lt;b&gt;*x*</p>\n");
        assert_eq!(html("`{{ site.nope }}`\n"), "<p><code>{{ site.nope }}</code></p>\n");
    }

    #[test]
    fn an_unknown_reference_is_marked_where_it_was_written() {
        let body = "{{ site.email }} and {{ site.emial }}\n";
        let (_, diagnostics) = check(body, false);
        let span = diagnostics[0].place.as_ref().unwrap().span.unwrap();
        assert_eq!(&body[span.start - 100..span.end - 100], "{{ site.emial }}");
    }

    #[test]
    fn raw_html_is_refused_unless_the_page_allows_it() {
        for body in ["A <b>bold</b> word\n", "<div>\nblock\n</div>\n", "{{ site.email }} <i>x</i>\n"] {
            let (_, diagnostics) = check(body, false);
            assert_eq!(diagnostics.iter().map(|each| code(&each.problem)).collect::<Vec<_>>(), ["raw-html"], "{body}");
            let span = diagnostics[0].place.as_ref().unwrap().span.unwrap();
            assert!(body[span.start - 100..].starts_with('<'), "{body}");
        }
        assert!(check("A <b>bold</b> word\n", true).0.html.contains("<b>bold</b>"));
        assert_eq!(html("<!-- a note to editors -->\n\nText\n"), "<p>Text</p>\n");
    }

    #[test]
    fn addresses_are_resolved_and_hostile_ones_refused() {
        assert!(html("[a](/careers)").contains("href=\"/docs/careers\""));
        assert!(html("[a](about.md#team)").contains("href=\"/docs/about#team\""));
        assert!(html("![A map](map.png)").contains("<img src=\"/docs/assets/map-"));
        let (_, diagnostics) = check("[a](javascript:alert(1)) ![b](mpa.png)", false);
        let codes: Vec<_> = diagnostics.iter().map(|each| code(&each.problem)).collect();
        assert_eq!(codes, ["unsafe-address", "unknown-asset"]);
    }

    #[test]
    fn no_text_can_be_taken_for_the_mark_of_a_call() {
        for body in ["\u{e006}0\u{e007} {{ <a /> }}", "{{ <a /> }} \u{e006}0/\u{e007}", "{{ <a /> }} \u{e006}"] {
            let (_, diagnostics) = check(body, false);
            assert_eq!(diagnostics.iter().map(|each| code(&each.problem)).collect::<Vec<_>>(), ["component-call"]);
        }
        let (rendered, diagnostics) = check("\u{e006}0\u{e007}\n", false);
        assert!(diagnostics.is_empty() && rendered.calls.is_empty());
        assert_eq!(rendered.html, "<p>\u{e006}0\u{e007}</p>\n");
    }

    #[test]
    fn footnotes_are_numbered_in_the_order_of_their_references() {
        let notes = html("One[^b] two[^a] one[^b].\n\n[^a]: Second.\n[^b]: First.\n");
        assert!(notes.contains("<li id=\"note-1\"><p>First. <a href=\"#note-1-back\""), "{notes}");
        assert_eq!(notes.matches("id=\"note-1-back\"").count(), 1, "{notes}");
    }

    fn codes(body: &str, raw_html: bool) -> Vec<(&'static str, String)> {
        let (_, diagnostics) = check(body, raw_html);
        let marked = |each: &Diagnostic| {
            let span = each.place.as_ref().unwrap().span.unwrap();
            body[span.start - 100..span.end - 100].to_owned()
        };
        diagnostics.iter().map(|each| (code(&each.problem), marked(each))).collect()
    }

    #[test]
    fn no_text_is_lost_silently() {
        let lost = |text: &str| vec![("lost-text", text.to_owned())];
        for (body, text) in [
            ("<!-- note -->Prices start at 5.\n", "Prices start at 5."),
            ("<!-- a\nb --> Prices\n", "Prices"),
            ("> <!-- a\n> b --> Prices\n", "Prices"),
            ("<!--> shown -->\n", "shown -->"),
            ("Text\n\n<!-- never closed\n\nPrices\n", "<!--"),
            ("a[^n]\n\n[^n]: One.\n\n[^n]: Two.\n", "[^n]: Two."),
            ("a\n\n[^n]: One.\n", "[^n]: One."),
            ("| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |\n", "3 | 4"),
        ] {
            assert_eq!(codes(body, false), lost(text), "{body}");
        }
        assert_eq!(codes("<div>\n<!-- open\n\ntext\n", true), lost("<!--"));
        assert_eq!(codes("a </b> c\n", false), [("raw-html", "</b>".to_owned())]);
        for kept in ["<!-- a --> <!-- b -->\n", "<!-- a\n\nb -->\n\nText\n", "| a | b |\n|---|---|\n| 1 |\n"] {
            assert_eq!(codes(kept, false), [], "{kept}");
        }
        let notes = html("a[^n]\n\n[^n]: One.[^m]\n\n    [^m]: Two.\n");
        assert!(notes.contains("One.") && notes.contains("Two."), "{notes}");
    }

    #[test]
    fn references_in_html_are_filled_in_and_checked() {
        let filled = |body: &str| {
            let (rendered, diagnostics) = check(body, true);
            assert!(diagnostics.is_empty(), "{body}: {diagnostics:?}");
            rendered.html
        };
        assert_eq!(
            filled("<p>\n<a\n href=\"mailto:{{ site.email }}\">{{ site.evil }}</a></p>\n"),
            "<p>\n<a\n href=\"mailto:a@b.example\">&lt;b&gt;*x*</a></p>\n"
        );
        assert_eq!(filled("A <b title='{{ site.evil }}'>b</b>\n"), "<p>A <b title='&lt;b&gt;*x*'>b</b></p>\n");
        assert_eq!(
            filled("<!-- {{ site.nope }} -->\n<p>\\{{ x }}</p>\n"),
            "<!-- {{ site.nope }} -->\n<p>{{ x }}</p>\n"
        );
        for (body, code, text) in [
            ("<a href=\"mailto:{{ site.emial }}\">x</a>\n", "unknown-reference", "{{ site.emial }}"),
            ("<p>\n{{ site.emial }}\n</p>\n", "unknown-reference", "{{ site.emial }}"),
            ("A <b id={{ site.email }}>x</b>\n", "bad-reference", "{{ site.email }}"),
            ("<p {{ site.email }}>x</p>\n", "bad-reference", "{{ site.email }}"),
            ("<p>{{ site.email\n</p>\n", "bad-reference", "{{ site.email"),
        ] {
            assert_eq!(codes(body, true), [(code, text.to_owned())], "{body}");
        }
    }

    #[test]
    fn an_address_for_mail_between_angle_brackets_is_a_link() {
        assert_eq!(html("<info@firm.test>\n"), "<p><a href=\"mailto:info@firm.test\">info@firm.test</a></p>\n");
    }

    #[test]
    fn quotation_marks_are_those_of_the_language() {
        let written = "\"Ja\", 'nein', geht's, '90 und \"*so*\".\n";
        for (language, expected) in [
            ("en", "“Ja”, ‘nein’, geht’s, ’90 und “<em>so</em>”."),
            ("de", "„Ja“, ‚nein‘, geht’s, ’90 und „<em>so</em>“."),
            ("de-AT", "„Ja“, ‚nein‘, geht’s, ’90 und „<em>so</em>“."),
            ("fr", "«\u{a0}Ja\u{a0}», «\u{a0}nein\u{a0}», geht’s, ’90 und «\u{a0}<em>so</em>\u{a0}»."),
            ("fr-CH", "«Ja», ‹nein›, geht’s, ’90 und «<em>so</em>»."),
            ("pl", "„Ja”, «nein», geht’s, ’90 und „<em>so</em>”."),
            ("cs", "„Ja“, ‚nein‘, geht’s, ’90 und „<em>so</em>“."),
            ("it", "«Ja», “nein”, geht’s, ’90 und «<em>so</em>»."),
            ("sv", "”Ja”, ’nein’, geht’s, ’90 und ”<em>so</em>”."),
            ("fi", "”Ja”, ’nein’, geht’s, ’90 und ”<em>so</em>”."),
            ("pt-BR", "“Ja”, ‘nein’, geht’s, ’90 und “<em>so</em>”."),
            ("pt-PT", "«Ja», “nein”, geht’s, ’90 und «<em>so</em>»."),
        ] {
            let (rendered, _) = check_in(language, written, false);
            assert_eq!(rendered.html, format!("<p>{expected}</p>\n"), "{language}");
        }
        // A curly quotation mark that somebody has written stays.
        assert_eq!(check_in("de", "“x” &ldquo;y&rdquo;\n", false).0.html, "<p>“x” “y”</p>\n");
        assert!(check_in("de", "![a \"b\"](map.png)\n", false).0.html.contains("alt=\"a „b“\""));
    }
}
