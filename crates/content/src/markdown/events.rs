//! Writes what the parser reports, event by event.

use super::html::HtmlBlock;
use super::inserted::without_calls;
use super::math::Display;
use super::punctuation::OpenQuotes;
use super::{Heading, OpenHeading, Writer};
use crate::assets::Asset;
use crate::dialect::Headings;
use crate::heading_ids;
use crate::svg;
use crate::web_address::with_ascii_host;
use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd};
use pulldown_cmark_escape::escape_href;
use sitegen_core::diagnostics::{AccessibilityProblem, Lost, MarkdownProblem, MarkupProblem, ReferenceProblem, Span};

/// The beginning of a link that leads nowhere: "a placeholder for where a link might otherwise have been placed" (HTML, 4.5.1).
/// Where the problem is suppressed, visitors read its text and get no broken link.
pub(super) const NO_LINK: &str = "<a>";

impl Writer<'_> {
    pub(super) fn write(&mut self, event: Event, span: Span) {
        let event = match event {
            Event::Text(text) if self.code.is_none() => match self.quote(&text, span) {
                Some(quote) => Event::Text(CowStr::Borrowed(quote)),
                None => Event::Text(text),
            },
            event => event,
        };
        if self.block.is_some() {
            return self.write_in_block(event, span);
        }
        if self.image.is_some() && event != Event::End(TagEnd::Image) {
            return self.write_in_image(&event);
        }
        let marked = self.marked;
        if let (Event::Text(text), Some((_, code))) = (&event, &mut self.code) {
            return code.push_str(&marked.as_written(text));
        }
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.finish(tag, span),
            Event::Text(text) => self.write_text(&text, span),
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
            Event::TaskListMarker(is_checked) => self.open_task(is_checked, span),
            Event::InlineMath(formula) => self.write_formula(&formula, Display::Inline, span),
            Event::DisplayMath(formula) => self.write_formula(&formula, Display::Block, span),
        }
    }

    /// Collects the open block of HTML, which is written at its end.
    fn write_in_block(&mut self, event: Event, span: Span) {
        match event {
            Event::Html(html) | Event::Text(html) => {
                if let Some(block) = &mut self.block {
                    block.lines.push((block.html.len(), span.start));
                    block.html.push_str(&html);
                }
            }
            Event::End(TagEnd::HtmlBlock) => {
                if let Some(block) = self.block.take() {
                    self.finish_block(&block, span);
                }
            }
            _ => {}
        }
    }

    /// Adds to the text of the open image. Nothing else counts in it.
    fn write_in_image(&mut self, event: &Event) {
        let text = match event {
            Event::Text(text) | Event::Code(text) => self.filled(text).into_owned(),
            Event::SoftBreak | Event::HardBreak => " ".to_owned(),
            _ => return,
        };
        if let Some((_, _, alternative)) = &mut self.image {
            alternative.push_str(&text);
        }
    }

    /// Writes text outside of code, HTML and images.
    pub(super) fn write_plain(&mut self, text: &str, span: Span) {
        let quote = self.quote(text, span);
        self.write_text(quote.unwrap_or(text), span);
    }

    fn write_text(&mut self, text: &str, span: Span) {
        // The parser returns brackets as texts of their own. The text after a closing one shows a link that it refused, most
        // often for a space in its address.
        if self.out.as_bytes().last() == Some(&b']') && looks_like_address(text, self.marked.brackets.open) {
            self.report(MarkdownProblem::MarkdownLink, span);
        }
        self.warn_of_literal(span);
        if !self.marked.marks.is_empty() && text.contains('<') {
            self.report_bracketed(span);
        }
        // `\{{ … }}` is an escape for two braces as text.
        if self.marked.signs.has_closing_brace && text.len() > 1 {
            let closed = text.matches("}}").count();
            let escaped = self.escaped.min(closed);
            self.escaped -= escaped;
            if closed > escaped {
                self.report(ReferenceProblem::UnopenedReference, span);
            }
        }
        if text.as_bytes().first() == Some(&b'^') && text.len() > 1 && self.out.ends_with('[') {
            self.report(MarkdownProblem::MissingDefinition { label: text.to_owned() }, span);
        }
        // Copied only where there is a reference to fill in.
        let filled = self.filled_with_calls(text);
        if self.collects() {
            let text = without_calls(&filled);
            match self.marked.text.get(span.start..span.end) {
                // The parser returns a dash.
                Some(dashes) if dashes.len() > 1 && dashes.bytes().all(|byte| byte == b'-') => {
                    self.collect_as(&text, dashes);
                }
                _ => self.collect(&text),
            }
        }
        self.escape(&filled);
    }

    /// Counts what begins with a tag, and ends what its beginning ends.
    fn enter(&mut self, tag: &Tag, span: Span) {
        let is_inline = is_inline(&tag.to_end());
        if is_inline {
            self.inlines += 1;
        } else if self.task.is_some() && !matches!(tag, Tag::Paragraph) {
            self.close_task();
        }
        self.links += usize::from(matches!(tag, Tag::Link { .. }));
        self.depth +=
            usize::from(matches!(tag, Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)));
        // The tag of a heading is written at its end, with its id; that of an image too, with its text.
        let is_written_later =
            matches!(tag, Tag::Heading { .. } | Tag::Image { .. } | Tag::FootnoteDefinition(_) | Tag::HtmlBlock);
        if !is_written_later {
            self.trace(span);
        }
        if !is_inline {
            self.open_quotes = OpenQuotes::default();
            self.open_mark = None;
        }
    }

    pub(super) fn start(&mut self, tag: Tag, span: Span) {
        self.enter(&tag, span);
        match tag {
            Tag::Paragraph => {
                let begins_quotation = self.quotation == Some(self.out.len());
                self.paragraph = Some(self.out.len());
                self.block("p");
                self.quotation = begins_quotation.then_some(self.out.len());
            }
            Tag::Heading { id, classes, attrs, .. } => {
                let (id, classes) = (id.map(|id| id.to_string()), classes.join(" "));
                if id.is_some() || !classes.is_empty() || !attrs.is_empty() {
                    self.check_attributes(span);
                }
                let (title, written) = Default::default();
                self.heading = Some(OpenHeading { out: self.out.len(), id, classes, title, written });
            }
            Tag::BlockQuote(Some(kind)) => self.open_alert(kind),
            Tag::BlockQuote(None) => {
                self.out.push_str("<blockquote>\n");
                self.quotation = Some(self.out.len());
            }
            Tag::DefinitionList => self.out.push_str("<dl>\n"),
            Tag::DefinitionListTitle => self.block("dt"),
            Tag::DefinitionListDefinition => self.block("dd"),
            Tag::CodeBlock(CodeBlockKind::Fenced(words)) => {
                self.code = Some((self.marked.as_written(&words).into_owned(), String::new()));
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => self.code = Some(Default::default()),
            Tag::HtmlBlock => self.block = Some(HtmlBlock::default()),
            Tag::List(None) => self.out.push_str("<ul>\n"),
            Tag::List(Some(1)) => self.out.push_str("<ol>\n"),
            Tag::List(Some(start)) => self.out.push_str(&format!("<ol start=\"{start}\">\n")),
            Tag::Item => {
                self.block("li");
                self.item = self.out.len();
            }
            Tag::FootnoteDefinition(name) => {
                self.footnote.push((name.to_string(), std::mem::take(&mut self.out)));
            }
            Tag::Table(alignments) => self.open_table(alignments),
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
            Tag::TableCell => self.open_cell(),
            Tag::Emphasis => self.block("em"),
            Tag::Strong => self.block("strong"),
            Tag::Strikethrough => self.block("del"),
            Tag::Superscript => self.block("sup"),
            Tag::Subscript => self.block("sub"),
            Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. } => self.open_wiki_link(&dest_url, span),
            Tag::Link { link_type, dest_url, title, .. } => {
                let mut address = self.filled(&dest_url).into_owned();
                // `<info@example.com>`
                if link_type == LinkType::Email {
                    address.insert_str(0, "mailto:");
                }
                self.open_link(&address, &title, span);
            }
            Tag::Image { dest_url, title, link_type, .. } => {
                self.is_wiki_image = matches!(link_type, LinkType::WikiLink { .. });
                self.open_image(&dest_url, title.to_string(), span);
            }
            _ => {}
        }
    }

    /// Reports a word in the braces after a heading that is neither an id nor a class, and so would be missing.
    fn check_attributes(&mut self, span: Span) {
        let text = self.marked.text[span.start..span.end].trim_end();
        // The line below a heading is no text of it.
        let text = text.trim_end_matches(['=', '-', ' ', '\t', '>', '\r', '\n']);
        let Some(word) = heading_ids::attribute_words(text).find(|word| !heading_ids::is_id_or_class(word)) else {
            return;
        };
        let detail = format!(
            "`{word}` is neither an id nor a class, like those of `{{#pay .wide}}`; write `\\{{` for a brace that is text"
        );
        self.report(MarkupProblem::Markup { detail }, span);
    }

    fn open_table(&mut self, alignments: Vec<Alignment>) {
        self.table = alignments;
        // For `overflow-x: auto`. Browsers make scrollable elements focusable themselves, and only if they scroll.
        self.out.push_str("<div class=\"table\"");
        self.wrapper = self.out.len();
        self.out.push_str("><table>\n");
    }

    fn open_cell(&mut self) {
        let alignment = self.table.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        if self.in_head {
            self.columns.push(String::new());
        }
        self.out.push_str(if self.in_head { "<th scope=\"col\"" } else { "<td" });
        self.out.push_str(match alignment {
            Alignment::None => ">",
            Alignment::Left => " class=\"align-start\">",
            Alignment::Center => " class=\"align-center\">",
            Alignment::Right => " class=\"align-end\">",
        });
    }

    /// Notes an image, which is written at its end, with its text.
    fn open_image(&mut self, written: &CowStr, title: String, span: Span) {
        let address = self.filled(written).into_owned();
        let addresses = self.context.addresses;
        let picture = addresses.picture(self.context.path, &address);
        let header = match picture.and_then(Asset::header) {
            Some(Err(problem)) => {
                self.report_address(problem, &address, span);
                None
            }
            header => header.and_then(Result::ok),
        };
        self.picture = picture.zip(header);
        self.svg = addresses.svg(self.context.path, &address);
        let published = addresses.image(self.context.path, &address).unwrap_or_else(|problem| {
            self.report_address(problem, &address, span);
            String::new()
        });
        self.image = Some((published, title, String::new()));
    }

    /// Writes an address between the quotation marks of an attribute.
    fn push_address(&mut self, address: &str) {
        let (host, rest) = with_ascii_host(address);
        self.out.push_str(&host);
        // Writing to a String cannot fail.
        let _ = escape_href(&mut self.out, rest);
    }

    pub(super) fn open_link(&mut self, written: &str, title: &CowStr, span: Span) {
        match self.context.addresses.link(self.context.path, written) {
            Ok(address) => self.open_resolved(&address, title),
            Err(problem) => {
                self.report_address(problem, written, span);
                self.out.push_str(NO_LINK);
            }
        }
    }

    /// Writes the beginning of a link to an address as it is published.
    pub(super) fn open_resolved(&mut self, address: &str, title: &CowStr) {
        self.out.push_str("<a href=\"");
        self.push_address(address);
        self.title(title);
        self.out.push_str("\">");
    }

    pub(super) fn finish(&mut self, tag: TagEnd, span: Span) {
        self.inlines -= usize::from(is_inline(&tag));
        // HTML may have an end tag too many.
        self.links = self.links.saturating_sub(usize::from(tag == TagEnd::Link));
        if self.task.is_some() && matches!(tag, TagEnd::Paragraph | TagEnd::Item) {
            self.close_task();
        }
        self.depth -= usize::from(matches!(
            tag,
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition
        ));
        if !is_inline(&tag) {
            self.warn_of_asterisks();
        }
        match tag {
            TagEnd::Paragraph if self.is_toc(span) => self.place_toc(),
            TagEnd::Paragraph => self.finish_paragraph(span),
            TagEnd::Heading(level) => self.finish_heading(level, span),
            TagEnd::BlockQuote(Some(_)) => self.out.push_str("</div>\n"),
            TagEnd::BlockQuote(None) => self.out.push_str("</blockquote>\n"),
            TagEnd::DefinitionList => self.out.push_str("</dl>\n"),
            TagEnd::DefinitionListTitle => self.out.push_str("</dt>\n"),
            TagEnd::DefinitionListDefinition => self.out.push_str("</dd>\n"),
            TagEnd::Superscript => self.out.push_str("</sup>"),
            TagEnd::Subscript => self.out.push_str("</sub>"),
            TagEnd::CodeBlock => {
                let (words, code) = self.code.take().unwrap_or_default();
                self.write_code(&words, &code, span);
            }
            TagEnd::List(true) => self.out.push_str("</ol>\n"),
            TagEnd::List(false) => self.out.push_str("</ul>\n"),
            TagEnd::Item => self.out.push_str("</li>\n"),
            TagEnd::FootnoteDefinition => self.finish_footnote(span),
            TagEnd::Table => {
                self.table.clear();
                self.out.push_str("</tbody></table></div>\n");
            }
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
            TagEnd::Image => self.finish_image(span),
            _ => {}
        }
    }

    fn finish_heading(&mut self, level: HeadingLevel, span: Span) {
        let Some(OpenHeading { out: start, id, classes, title, written }) = self.heading.take() else { return };
        let dialect = self.context.dialect;
        let level = (level as u8 + u8::from(dialect.headings == Headings::Shift)).min(6);
        if title.trim().is_empty() && self.out[start..].trim().is_empty() {
            self.report(AccessibilityProblem::EmptyText { element: format!("h{level}") }, span);
        }
        let inner = self.out.split_off(start);
        self.trace(span);
        let id = match id {
            // One that is given twice is reported in the finished page: under another name no link would lead to it.
            Some(id) => {
                self.slugs.entry(id.clone()).or_default();
                id
            }
            None => self.unique(dialect.ids.of(&title, &written)),
        };
        let digit = char::from(b'0' + level);
        self.out.push_str("<h");
        self.out.push(digit);
        self.out.push_str(" id=\"");
        self.attribute(&id);
        if !classes.is_empty() {
            self.out.push_str("\" class=\"");
            self.attribute(&classes);
        }
        self.out.push_str("\">");
        self.out.push_str(&inner);
        self.out.push_str("</h");
        self.out.push(digit);
        self.out.push_str(">\n");
        self.above = Some(id.clone());
        self.headings.push(Heading { level, id, title });
    }

    fn finish_footnote(&mut self, span: Span) {
        let Some((name, before)) = self.footnote.pop() else { return };
        let body = std::mem::replace(&mut self.out, before);
        if self.defined.contains_key(&name) {
            self.report(MarkdownProblem::LostText(Lost::RepeatedFootnote { label: name }), span);
        } else {
            self.defined.insert(name.clone(), span);
            self.footnotes.insert(name, body);
        }
    }

    fn finish_image(&mut self, span: Span) {
        let Some((address, title, mut alternative)) = self.image.take() else { return };
        // Of `![[map.png]]`, `![[map.png|300]]` and `![[map.png|300x200]]` nothing is a text.
        let mut width = None;
        if std::mem::take(&mut self.is_wiki_image) {
            let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let size = alternative.rsplit('|').next().filter(|size| size.split('x').all(is_number)).map(str::to_owned);
            if let Some(size) = size {
                width = size.split('x').next().and_then(|width| width.parse::<u32>().ok());
                let text = alternative.len() - size.len();
                alternative.truncate(text.saturating_sub("|".len()));
            }
            let is_text = alternative.contains(char::is_alphabetic)
                && !self.marked.text[span.start..span.end].contains(&format!("[{alternative}]]"));
            alternative.retain(|_| is_text);
        }
        self.trace(span);
        let (picture, svg) = (self.picture.take(), self.svg.take());
        let described = |asset: &Asset| asset.description.as_ref().and_then(|description| description.alt.clone());
        if let Some(asset) = picture.map(|(asset, _)| asset).or(svg)
            && alternative.trim().is_empty()
            && described(asset).is_none()
        {
            self.report(AccessibilityProblem::PictureWithoutText { path: asset.path().to_owned() }, span);
        }
        if let Some((asset, header)) = picture {
            return self.write_picture(asset, header, &title, alternative);
        }
        let alternative = match alternative.is_empty() {
            true => svg.and_then(described).unwrap_or_default(),
            false => alternative,
        };
        // What a browser shows in the place of a picture that it does not get.
        if address.is_empty() {
            return self.escape(&alternative);
        }
        self.out.push_str("<img src=\"");
        self.push_address(&address);
        self.out.push_str("\" alt=\"");
        self.attribute(&alternative);
        self.title(&title);
        self.out.push('"');
        let text = svg.and_then(|asset| asset.body.text());
        if let Some((own_width, own_height)) = text.and_then(svg::size) {
            let (width, height) = match width {
                Some(width) => {
                    let height = f64::from(own_height) * f64::from(width) / f64::from(own_width.max(1));
                    (width, height.round() as u32)
                }
                None => (own_width, own_height),
            };
            self.out.push_str(&format!(" width=\"{width}\" height=\"{height}\""));
        }
        self.out.push_str(" loading=\"lazy\" decoding=\"async\">");
    }

    /// Writes a title after the value of another attribute, whose quotation mark is open.
    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            let title = self.filled(title).into_owned();
            self.out.push_str("\" title=\"");
            self.attribute(&title);
        }
    }
}

/// Whether an element is part of a line of text.
fn is_inline(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
    )
}

/// Whether the text after a `]` was meant as a link's address: `(…)` at once, or after a space and looking like one.
/// `reference` begins one in braces.
fn looks_like_address(text: &str, reference: char) -> bool {
    if text.starts_with('(') {
        return true;
    }
    let Some(inner) = text.strip_prefix(" (") else { return false };
    let inner = inner.split(')').next().unwrap_or(inner);
    let names_file = || {
        let extension = inner.rsplit_once('.').map_or("", |(_, extension)| extension);
        ["md", "html", "pdf", "png", "jpg", "jpeg", "svg", "webp", "avif", "zip"].contains(&extension)
    };
    !inner.contains(' ')
        && (inner.contains([':', '/', '#', '@', reference]) || inner.starts_with("www.") || names_file())
}
