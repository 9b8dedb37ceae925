//! Markdown to HTML: CommonMark with tables, footnotes, heading ids and smart punctuation.
//!
//! The HTML is written here rather than by the parser's own writer, because that one aligns table cells with `style=`
//! attributes, which a page's policy blocks, and lets raw HTML and `javascript:` links through.

use super::address::{Addresses, scheme_of};
use super::reference::{self, Scope};
use crate::diagnostics::{Diagnostic, Place, Problem, Span};
use crate::html::{Token, tokens};
use crate::paths::SourcePath;
use pulldown_cmark::{Alignment, BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use pulldown_cmark_escape::{escape_href, escape_html, escape_html_body_text};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// A rendered body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rendered {
    /// The HTML.
    pub html: String,
    /// Its headings in order.
    pub headings: Vec<Heading>,
}

/// A heading of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The id that links can name.
    pub id: String,
    /// Its text without markup.
    pub title: String,
}

/// What a body is rendered with.
pub struct Context<'a> {
    /// The file it stands in.
    pub path: &'a SourcePath,
    /// Where in that file it begins.
    pub offset: usize,
    /// Whether raw HTML is let through.
    pub raw_html: bool,
    /// What `{{ … }}` may name.
    pub scope: Scope<'a>,
    /// What links and images are resolved against.
    pub addresses: &'a Addresses<'a>,
    /// Whether each tag has a mark before it that tells where it was written.
    pub trace: bool,
}

/// Renders a body, and tells what is wrong with it.
pub fn render(body: &str, context: &Context, found: &mut Vec<Diagnostic>) -> Rendered {
    let marked = Marked::new(body);
    let mut undefined = Vec::new();
    let mut note_undefined = |link: BrokenLink| {
        // `[text]` alone is what people also write for other reasons; with a label or a `^` it is meant as a reference.
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
        found,
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
        code: false,
        image: None,
        heading: None,
        footnotes: BTreeMap::new(),
        footnote: None,
        order: Vec::new(),
    };
    for (event, range) in parser {
        writer.write(event, Span { start: range.start, end: range.end });
    }
    for (label, span) in undefined {
        writer.report(Problem::MissingDefinition { label }, span);
    }
    let rendered = writer.end();
    if context.raw_html {
        tell_active(&rendered.html, body, context, found);
    }
    rendered
}

/// Elements that run script, style or redirect the page, or say what else it may load. That is for templates: their
/// authors are trusted with what a page does, those of texts with what it says. In the last four a browser reads tags by
/// other rules than elsewhere, or by rules that depend on whether scripts are on, so no check could vouch for them.
const ACTIVE: [&str; 12] =
    ["script", "style", "link", "meta", "base", "object", "embed", "template", "svg", "math", "title", "noscript"];

/// Tells what a text's own HTML brings that only templates and islands may bring. It is looked for in what was rendered,
/// where tags can be told from text; and told where the body has its name.
fn tell_active(html: &str, body: &str, context: &Context, found: &mut Vec<Diagnostic>) {
    let lower = body.to_ascii_lowercase();
    let mut from = 0;
    for token in tokens(html) {
        let Token::Start(tag) = token else { continue };
        let name = tag.name.to_ascii_lowercase();
        let is_active = |attribute: &str, value: &str| {
            // SVG and MathML have links of their own, and animations that rewrite them (SVG 2, 16 and SVG Animations).
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
        let at = lower[from..].find(&opening).map_or(0, |at| from + at);
        from = (at + opening.len()).min(lower.len());
        let span = Span::at(at, opening.len().min(body.len() - at));
        let problem = Problem::ActiveHtml { part };
        found.push(Diagnostic::error(problem, Place::new(context.path, span.shifted(context.offset))));
    }
}

fn is_script(address: &str) -> bool {
    matches!(scheme_of(address).as_deref(), Some("javascript" | "vbscript" | "data"))
}

/// Renders a short text of a YAML value, without the paragraph around it.
pub fn render_inline(text: &str, context: &Context, found: &mut Vec<Diagnostic>) -> String {
    let html = render(text, context, found).html;
    let trimmed = html.trim_end();
    match trimmed.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>")) {
        Some(inner) if !inner.contains("<p>") => inner.to_owned(),
        _ => trimmed.to_owned(),
    }
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_SMART_PUNCTUATION
        | Options::ENABLE_HEADING_ATTRIBUTES
}

/// Encloses the number of a reference in text that is parsed as Markdown. Both are private-use characters: they are
/// letters to the parser, so a value can neither break a link nor become markup.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

/// Enclose a mark that tells where the tag after it was written: `path:offset`.
pub const TRACE_OPEN: char = '\u{e004}';
/// See [`TRACE_OPEN`].
pub const TRACE_CLOSE: char = '\u{e005}';

/// A body in which every `{{ … }}` is a short mark, so that values are put in after parsing.
struct Marked<'a> {
    body: &'a str,
    text: Cow<'a, str>,
    /// The references, and where their marks stand in `text`.
    references: Vec<(reference::Reference<'a>, usize)>,
}

impl<'a> Marked<'a> {
    fn new(body: &'a str) -> Self {
        if !body.contains("{{") {
            return Marked { body, text: Cow::Borrowed(body), references: Vec::new() };
        }
        let mut text = String::with_capacity(body.len());
        let mut references = Vec::new();
        let mut from = 0;
        for reference in reference::find(body) {
            text.push_str(&body[from..reference.span.start]);
            let at = text.len();
            text.push_str(&format!("{OPEN}{}{CLOSE}", references.len()));
            from = reference.span.end;
            references.push((reference, at));
        }
        text.push_str(&body[from..]);
        Marked { body, text: Cow::Owned(text), references }
    }

    /// The range of the body that a range of the parsed text stands for.
    fn source(&self, span: Span) -> Span {
        let back = |offset: usize| {
            let mut shift = 0isize;
            for (index, (reference, at)) in self.references.iter().enumerate() {
                let mark = mark_length(index);
                if *at >= offset {
                    break;
                }
                if offset < at + mark {
                    return reference.span.start;
                }
                shift += (reference.span.end - reference.span.start) as isize - mark as isize;
            }
            (offset as isize + shift) as usize
        };
        let (start, end) = (back(span.start), back(span.end).min(self.body.len()));
        Span { start: start.min(end), end }
    }

    /// Puts something in the place of every mark in a text the parser gave.
    fn unmark<'t>(&self, text: &'t str, mut put: impl FnMut(&reference::Reference<'a>, &mut String)) -> Cow<'t, str> {
        if self.references.is_empty() || !text.contains(OPEN) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + 32);
        let mut rest = text;
        while let Some(open) = rest.find(OPEN) {
            out.push_str(&rest[..open]);
            let after = &rest[open + OPEN.len_utf8()..];
            let reference = after
                .split_once(CLOSE)
                .and_then(|(number, tail)| Some((self.references.get(number.parse::<usize>().ok()?)?, tail)));
            match reference {
                Some(((reference, _), tail)) => {
                    put(reference, &mut out);
                    rest = tail;
                }
                None => rest = after,
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// The text as it was written, for code.
    fn as_written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.unmark(text, |reference, out| out.push_str(&self.body[reference.span.start..reference.span.end]))
    }
}

fn mark_length(index: usize) -> usize {
    OPEN.len_utf8() + CLOSE.len_utf8() + index.checked_ilog10().map_or(1, |digits| digits as usize + 1)
}

struct Writer<'a> {
    context: &'a Context<'a>,
    marked: &'a Marked<'a>,
    found: &'a mut Vec<Diagnostic>,
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
    /// The id of the last heading, until it has named a table.
    above: Option<String>,
    code: bool,
    /// Address, title and the text so far of the image that is being read.
    image: Option<(String, String, String)>,
    /// Where the heading that is being read begins in `out`, the id it asks for, and its text so far.
    heading: Option<(usize, Option<String>, String)>,
    /// Bodies of footnotes by name, and the footnote that is being read with what was written before it.
    footnotes: BTreeMap<String, String>,
    footnote: Option<(String, String)>,
    /// Names of footnotes in the order they are referred to.
    order: Vec<String>,
}

impl Writer<'_> {
    /// Reports an address at its own bytes in a link or an image, where they can be found.
    fn report_address(&mut self, problem: Problem, address: &str, span: Span) {
        let source = self.marked.source(span);
        let text = &self.marked.body[source.start..source.end];
        match text.rfind(address).filter(|_| !address.is_empty()) {
            Some(at) => {
                let place = Span::at(source.start + at + self.context.offset, address.len());
                self.found.push(Diagnostic::error(problem, Place::new(self.context.path, place)));
            }
            None => self.report(problem, span),
        }
    }

    fn report(&mut self, problem: Problem, span: Span) {
        let mut span = self.marked.source(span);
        let text = &self.marked.body[span.start..span.end];
        span.end = span.start + text.trim_end().len();
        self.found.push(Diagnostic::error(problem, Place::new(self.context.path, span.shifted(self.context.offset))));
    }

    /// Leaves a mark of where the next tag comes from.
    fn trace(&mut self, span: Span) {
        if self.context.trace {
            let offset = self.marked.source(span).start + self.context.offset;
            self.out.push_str(&format!("{TRACE_OPEN}{}:{offset}{TRACE_CLOSE}", self.context.path));
        }
    }

    /// A text with its references replaced by their values.
    fn filled<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let (context, found) = (self.context, &mut *self.found);
        self.marked.unmark(text, |reference, out| match context.scope.resolve(reference) {
            Ok(value) => out.push_str(&value),
            Err(problem) => {
                let place = Place::new(context.path, reference.span.shifted(context.offset));
                found.push(Diagnostic::error(problem, place));
            }
        })
    }

    fn escape(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = escape_html_body_text(&mut self.out, text);
    }

    fn attribute(&mut self, text: &str) {
        let _ = escape_html(&mut self.out, text);
    }

    /// Adds to the text of the heading or the header cell that is being read.
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

    fn write(&mut self, event: Event, span: Span) {
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
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.finish(tag, span),
            Event::Text(text) if self.code => {
                let text = self.marked.as_written(&text).into_owned();
                self.escape(&text);
            }
            Event::Text(text) => {
                // The parser gives brackets as texts of their own. What follows a closing one tells of a link it refused,
                // most often for a space in its address.
                if self.out.ends_with(']') && looks_like_address(&text) {
                    self.report(Problem::MarkdownLink, span);
                }
                // `\{{ … }}` is how two braces are written as text.
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
                let filled = if self.marked.references.is_empty() {
                    Cow::Borrowed(&*text)
                } else {
                    Cow::Owned(self.filled(&text).into_owned())
                };
                self.collect(&filled);
                self.escape(&filled);
            }
            Event::Code(text) => {
                let text = self.marked.as_written(&text).into_owned();
                self.collect(&text);
                self.out.push_str("<code>");
                self.escape(&text);
                self.out.push_str("</code>");
            }
            Event::Html(html) => {
                let html = self.marked.as_written(&html).into_owned();
                if self.context.raw_html {
                    self.trace(span);
                    self.out.push_str(&html);
                }
            }
            Event::InlineHtml(html) => {
                let html = self.marked.as_written(&html).into_owned();
                if self.context.raw_html {
                    self.trace(span);
                    self.out.push_str(&html);
                } else if !html.starts_with("</") && !html.starts_with("<!--") {
                    self.report(Problem::RawHtml { html }, span);
                }
            }
            Event::FootnoteReference(name) => self.footnote_reference(&name),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>\n"),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag, span: Span) {
        // The tag of a heading is written at its end, with its id; that of an image too, with its text.
        let is_written_later = matches!(tag, Tag::Heading { .. } | Tag::Image { .. } | Tag::FootnoteDefinition(_));
        if !is_written_later {
            self.trace(span);
        }
        match tag {
            Tag::Paragraph => self.block("p"),
            Tag::Heading { id, classes, attrs, .. } => {
                if !attrs.is_empty() || !classes.is_empty() {
                    let detail = "only an id may follow a heading, like `{#pay}`".into();
                    self.report(Problem::Markup { detail }, span);
                }
                self.heading = Some((self.out.len(), id.map(|id| id.to_string()), String::new()));
            }
            Tag::BlockQuote(_) => self.out.push_str("<blockquote>\n"),
            Tag::CodeBlock(kind) => {
                self.code = true;
                match kind {
                    CodeBlockKind::Fenced(info) if !info.is_empty() => {
                        let language = info.split([' ', ',']).next().unwrap_or_default().to_owned();
                        self.out.push_str("<pre><code class=\"language-");
                        self.attribute(&language);
                        self.out.push_str("\">");
                    }
                    _ => self.out.push_str("<pre><code>"),
                }
            }
            Tag::HtmlBlock => {
                let source = self.marked.source(span);
                let html = self.marked.body[source.start..source.end].trim().to_owned();
                if !self.context.raw_html && !html.starts_with("<!--") {
                    let html = html.lines().next().unwrap_or_default().to_owned();
                    self.report(Problem::RawHtml { html }, span);
                }
            }
            Tag::List(None) => self.out.push_str("<ul>\n"),
            Tag::List(Some(1)) => self.out.push_str("<ol>\n"),
            Tag::List(Some(start)) => self.out.push_str(&format!("<ol start=\"{start}\">\n")),
            Tag::Item => self.block("li"),
            Tag::FootnoteDefinition(name) => {
                self.footnote = Some((name.to_string(), std::mem::take(&mut self.out)));
            }
            Tag::Table(alignments) => {
                self.table = alignments;
                // For `overflow-x: auto`. Browsers put what scrolls into the tab order themselves, and only if it scrolls.
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
            Tag::Link { dest_url, title, .. } => {
                let address = self.filled(&dest_url).into_owned();
                self.open_link(&address, &title, span);
            }
            Tag::Image { dest_url, title, .. } => {
                let address = self.filled(&dest_url).into_owned();
                let address = self.context.addresses.image(&address).unwrap_or_else(|problem| {
                    self.report_address(problem, &address, span);
                    String::new()
                });
                self.image = Some((address, title.to_string(), String::new()));
            }
            _ => {}
        }
    }

    /// Names the table for assistive technology: by the heading above the first table below it, else by its columns.
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
        match tag {
            TagEnd::Paragraph => self.out.push_str("</p>\n"),
            TagEnd::Heading(level) => {
                let Some((start, asked, title)) = self.heading.take() else { return };
                if title.trim().is_empty() && self.out[start..].trim().is_empty() {
                    self.report(Problem::EmptyText { element: format!("h{}", level as u8) }, span);
                }
                let inner = self.out.split_off(start);
                self.trace(span);
                let level = level as u8;
                let id = self.unique(asked.unwrap_or_else(|| slug(&title)));
                self.out.push_str(&format!("<h{level} id=\""));
                self.attribute(&id);
                self.out.push_str(&format!("\">{inner}</h{level}>\n"));
                self.above = Some(id.clone());
                self.headings.push(Heading { level, id, title });
            }
            TagEnd::BlockQuote(_) => self.out.push_str("</blockquote>\n"),
            TagEnd::CodeBlock => {
                self.code = false;
                self.out.push_str("</code></pre>\n");
            }
            TagEnd::List(true) => self.out.push_str("</ol>\n"),
            TagEnd::List(false) => self.out.push_str("</ul>\n"),
            TagEnd::Item => self.out.push_str("</li>\n"),
            TagEnd::FootnoteDefinition => {
                if let Some((name, before)) = self.footnote.take() {
                    let body = std::mem::replace(&mut self.out, before);
                    self.footnotes.insert(name, body);
                }
            }
            TagEnd::Table => self.out.push_str("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.in_head = false;
                self.name_table();
                self.out.push_str("</tr></thead><tbody>\n");
            }
            TagEnd::TableRow => self.out.push_str("</tr>\n"),
            TagEnd::TableCell => self.out.push_str(if self.in_head { "</th>" } else { "</td>" }),
            TagEnd::Emphasis => self.out.push_str("</em>"),
            TagEnd::Strong => self.out.push_str("</strong>"),
            TagEnd::Strikethrough => self.out.push_str("</del>"),
            TagEnd::Link => self.out.push_str("</a>"),
            TagEnd::Image => {
                let Some((address, title, alternative)) = self.image.take() else { return };
                self.trace(span);
                self.out.push_str("<img src=\"");
                let _ = escape_href(&mut self.out, &address);
                self.out.push_str("\" alt=\"");
                self.attribute(&alternative);
                if !title.is_empty() {
                    let title = self.filled(&title).into_owned();
                    self.out.push_str("\" title=\"");
                    self.attribute(&title);
                }
                self.out.push_str("\" loading=\"lazy\" decoding=\"async\">");
            }
            _ => {}
        }
    }

    fn footnote_reference(&mut self, name: &str) {
        let known = self.order.iter().position(|known| known == name);
        let number = known.unwrap_or(self.order.len()) + 1;
        // A note that is referred to twice leads back to the first place only, so that ids stay unique.
        let mut id = String::new();
        if known.is_none() {
            self.order.push(name.to_owned());
            id = format!(" id=\"note-{number}-back\"");
        }
        self.out.push_str(&format!("<sup><a href=\"#note-{number}\"{id} role=\"doc-noteref\">{number}</a></sup>"));
    }

    /// An id that no heading of this body has yet.
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
        let html = self.out.as_str().to_owned();
        self.out.clear();
        WRITING.set(self.out);
        Rendered { html, headings: self.headings }
    }
}

thread_local! {
    /// What a thread writes texts into, so that each is kept in as many bytes as it has: until pages are drawn, the texts of
    /// all of them are there at once.
    static WRITING: Cell<String> = const { Cell::new(String::new()) };
}

/// Whether what follows a `]` was meant as a link's address: `(…)` at once, or after a space and with the look of one.
fn looks_like_address(text: &str) -> bool {
    if text.starts_with('(') {
        return true;
    }
    let Some(inner) = text.strip_prefix(" (") else { return false };
    let inner = inner.split(')').next().unwrap_or(inner);
    !inner.contains(' ') && inner.contains([':', '/', '#', '@', OPEN])
}

/// The id of a heading: its letters and digits in lower case, with one `-` for all else between them.
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
    use super::super::yaml;
    use super::*;
    use crate::diagnostics::code;
    use crate::sources::Sources;

    fn check(body: &str, raw_html: bool) -> (Rendered, Vec<Diagnostic>) {
        let site = yaml::parse(&SourcePath::new("s"), "email: a@b.example\nevil: '<b>*x*'\n", 0).unwrap();
        let assets = Assets::of(&Sources::from_files([("content/assets/map.png", b"x")]));
        let routes =
            BTreeMap::from([(SourcePath::new("content/pages/about.md"), crate::paths::Route::of_page("about"))]);
        let addresses = Addresses { base_path: "/docs", assets: &assets, routes: &routes };
        let path = SourcePath::new("content/pages/a.md");
        let scope = Scope { site: Some(&site), ..Scope::default() };
        let context = Context { path: &path, offset: 100, raw_html, scope, addresses: &addresses, trace: false };
        let mut found = Vec::new();
        (render(body, &context, &mut found), found)
    }

    fn html(body: &str) -> String {
        let (rendered, found) = check(body, false);
        assert!(found.is_empty(), "{found:?}");
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
        let (_, found) = check(body, false);
        let span = found[0].place.as_ref().unwrap().span.unwrap();
        assert_eq!(&body[span.start - 100..span.end - 100], "{{ site.emial }}");
    }

    #[test]
    fn raw_html_is_refused_unless_the_page_allows_it() {
        for body in ["A <b>bold</b> word\n", "<div>\nblock\n</div>\n", "{{ site.email }} <i>x</i>\n"] {
            let (_, found) = check(body, false);
            assert_eq!(found.iter().map(|each| code(&each.problem)).collect::<Vec<_>>(), ["raw-html"], "{body}");
            let span = found[0].place.as_ref().unwrap().span.unwrap();
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
        let (_, found) = check("[a](javascript:alert(1)) ![b](mpa.png)", false);
        let codes: Vec<_> = found.iter().map(|each| code(&each.problem)).collect();
        assert_eq!(codes, ["unsafe-address", "unknown-asset"]);
    }

    #[test]
    fn footnotes_are_numbered_in_the_order_of_their_references() {
        let notes = html("One[^b] two[^a] one[^b].\n\n[^a]: Second.\n[^b]: First.\n");
        assert!(notes.contains("<li id=\"note-1\"><p>First. <a href=\"#note-1-back\""), "{notes}");
        assert_eq!(notes.matches("id=\"note-1-back\"").count(), 1, "{notes}");
    }
}
