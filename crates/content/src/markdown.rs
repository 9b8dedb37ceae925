//! Renders Markdown to HTML: CommonMark with tables, footnotes, heading ids and smart punctuation.
//!
//! The parser's own HTML writer is not used: it aligns table cells with `style=` attributes, which a page's policy
//! blocks, and lets raw HTML and `javascript:` links through.

mod abbreviations;
mod active;
mod autolink;
mod events;
mod extensions;
mod foreign;
mod harmless;
mod html;
mod inserted;
mod literal;
mod marks;
mod math;
mod misread;
mod parts;
mod punctuation;
mod signs;
mod texts;

use super::address::Addresses;
use super::assets::Asset;
use super::blocks;
use super::calls::Call;
use super::dialect::Dialect;

use super::quotes::Quotes;
use super::scope::Scope;
use active::report_active;
use extensions::OpenTask;
use html::HtmlBlock;
use marks::Marked;
pub use math::STYLESHEET as MATH_STYLESHEET;
use memchr::memchr_iter;
use pulldown_cmark::{Alignment, BrokenLink, Event, LinkType, Parser, Tag, TagEnd};
use pulldown_cmark_escape::{escape_html, escape_html_body_text};
use punctuation::OpenQuotes;
use sitegen_core::diagnostics::{
    Diagnostic, Lost, MOST, MOST_SUPPRESSED, MarkdownProblem, Place, Problem, Severity, Span, is_kept,
};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Trace;
use sitegen_pictures::Header;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use texts::{OpenMark, Run};

/// A rendered body.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Rendered {
    /// The HTML.
    pub html: String,
    /// Its headings in order.
    pub headings: Vec<Heading>,
    /// The components that it calls, in the order in which they begin in the HTML.
    pub calls: Vec<Call>,
}

/// A heading of a body.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
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
    /// The offset of its first byte in that file.
    pub offset: usize,
    /// Whether raw HTML is allowed.
    pub raw_html: bool,
    /// The values that `{{ … }}` may name.
    pub scope: Scope<'a>,
    /// What links and images are resolved against.
    pub addresses: &'a Addresses<'a>,
    /// The language of the text, a BCP 47 tag.
    pub language: &'a str,
    /// Whether code blocks are coloured, and the words after their fences read.
    pub highlight: bool,
    /// Which extensions of Markdown are read.
    pub dialect: &'a Dialect,
    /// Whether each tag gets a mark before it that shows where it was written.
    pub trace: Option<&'a Trace>,
}

/// Renders a body, and reports its problems.
pub fn render(body: &str, context: &Context, diagnostics: &mut Vec<Diagnostic>) -> Rendered {
    if let Some(span) = blocks::too_deep(body) {
        let place = Place::new(context.path, span.shifted(context.offset));
        diagnostics.push(Diagnostic::new(MarkdownProblem::MarkdownDepth { most: blocks::MOST_DEPTH }, place));
        return Rendered::default();
    }
    let marked = Marked::new(body, context.dialect);
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
    let mut parser =
        Parser::new_with_broken_link_callback(&marked.text, context.dialect.options(), Some(&mut note_undefined))
            .into_offset_iter();
    let mut writer = Writer::new(body, context, &marked, diagnostics);
    if let Some(span) = writer.marked.container {
        writer.warn_of_container(span);
    }
    writer.warn_of_import();
    if let Some(span) = writer.marked.open_comment {
        writer.report_in_body(MarkdownProblem::LostText(Lost::InOpenComment { end: "%%" }), span);
    }
    let mut used = BTreeSet::new();
    let mut run = Run::new();
    while let Some((event, range)) = parser.next() {
        let definition = match &event {
            Event::Start(Tag::Link { id, .. } | Tag::Image { id, .. }) => parser.reference_definitions().get(id),
            _ => None,
        };
        let definition = definition.map(|found| Span { start: found.span.start, end: found.span.end });
        used.extend(definition.map(|definition| definition.start));
        let span = Span { start: range.start, end: range.end };
        match event {
            Event::Text(text) if writer.code.is_none() && writer.block.is_none() => run.push((text, span)),
            // GitHub looks for addresses first: `https://a.test/__init__.py` has nothing bold.
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough)
                if writer.is_in_address(&run, span) => {}
            event => {
                writer.write_run(&mut run);
                writer.definition = definition;
                writer.write(event, span);
                writer.definition = None;
            }
        }
    }
    let definitions = parser.reference_definitions().iter().filter(|(_, each)| !used.contains(&each.span.start));
    let mut unused: Vec<(String, Span)> = definitions
        .map(|(label, each)| (label.to_owned(), Span { start: each.span.start, end: each.span.end }))
        .collect();
    unused.sort_by_key(|(_, span)| span.start);
    for (label, span) in unused.into_iter().take(MOST + 1) {
        writer.report(MarkdownProblem::LostText(Lost::UnusedDefinition { label }), span);
    }
    for (label, span) in undefined.into_iter().take(MOST_SUPPRESSED + 1) {
        writer.report(MarkdownProblem::MissingDefinition { label }, span);
    }
    let warnings = std::mem::take(&mut writer.warnings);
    let (has_html, formulas) = (writer.has_html, writer.formulas);
    let rendered = writer.end();
    if has_html {
        report_active(&rendered.html, formulas, body, context, diagnostics);
    }
    diagnostics.extend(warnings);
    rendered
}

/// Returns the HTML of a short text without the paragraph around it.
pub fn without_paragraph(html: &str) -> &str {
    let trimmed = html.trim_end();
    match trimmed.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>")) {
        Some(inner) if !inner.contains("<p>") => inner,
        _ => trimmed,
    }
}

/// A heading whose end is not reached.
struct OpenHeading {
    /// Where it begins in the output.
    out: usize,
    /// The id that is written after it.
    id: Option<String>,
    /// The classes that are written after it.
    classes: String,
    /// Its text so far.
    title: String,
    /// The same before its punctuation is made typographic and its emoji are put in, as other programs make ids of it.
    written: String,
}

struct Writer<'a> {
    context: &'a Context<'a>,
    marked: &'a Marked<'a>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Apart from the errors, of which only so many are reported.
    warnings: Vec<Diagnostic>,
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
    /// How many tables are named by their columns, by that name.
    names: BTreeMap<String, usize>,
    /// The words after the fence of the current code block, and its text so far.
    code: Option<(String, String)>,
    /// The address, title and text so far of the current image.
    image: Option<(String, String, String)>,
    /// The same image, if it is a picture that can be scaled.
    picture: Option<(&'a Asset, &'a Header)>,
    /// The SVG that the image is.
    svg: Option<&'a Asset>,
    heading: Option<OpenHeading>,
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
    /// The quotation marks of the language.
    quotes: Quotes,
    open_quotes: OpenQuotes,
    /// The numbers of footnotes that have references.
    numbers: HashMap<String, usize>,
    /// The calls so far. Their ranges are known at the end.
    calls: Vec<Call>,
    /// The calls whose body is open, and the depth at which each begins.
    open: Vec<(usize, usize)>,
    /// How many calls are refused whose end is not found yet.
    refused_calls: usize,
    /// The number of lists, items, quotations and footnotes around the current place.
    depth: usize,
    /// Where two asterisks in the current block are text.
    asterisks: Vec<usize>,
    /// Where the current paragraph begins in `out`.
    paragraph: Option<usize>,
    /// The tags of pairs in the current paragraph.
    pairs: Vec<Span>,
    /// How many inline elements of Markdown are open.
    inlines: usize,
    /// Where the address of the current link or image is, if it is in a definition.
    definition: Option<Span>,
    /// How many links are open, those of HTML included.
    links: usize,
    /// The end of what is written of the parsed text, where a part exceeds a piece of text.
    written: usize,
    /// Where the last run of text that has an address begins, and the end of that address.
    address: Option<(usize, usize)>,
    /// A `==` that may begin marked text.
    open_mark: Option<OpenMark>,
    /// The extensions that are off and that a warning has named.
    warned: BTreeSet<&'static str>,
    /// Where the content of the current quotation begins in `out`.
    quotation: Option<usize>,
    /// Where the content of the last item begins in `out`.
    item: usize,
    /// The label of a task whose text is not complete.
    task: Option<OpenTask>,
    /// Whether the current image is written like `![[map.png]]`.
    is_wiki_image: bool,
    /// Where the table of contents goes in `out`.
    toc: Option<usize>,
    /// Whether HTML of the text is in `out`.
    has_html: bool,
    /// How many formulas are in `out`.
    formulas: usize,
}

impl<'a> Writer<'a> {
    fn new(body: &str, context: &'a Context<'a>, marked: &'a Marked<'a>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Writer {
            context,
            marked,
            diagnostics,
            warnings: Vec::new(),
            out: WRITING.take(),
            headings: Vec::new(),
            slugs: HashMap::new(),
            table: Vec::new(),
            column: 0,
            escaped: memchr_iter(b'\\', body.as_bytes()).filter(|at| body[at + 1..].starts_with("{{")).count(),
            in_head: false,
            columns: Vec::new(),
            wrapper: 0,
            above: None,
            names: BTreeMap::new(),
            code: None,
            image: None,
            picture: None,
            svg: None,
            heading: None,
            footnotes: BTreeMap::new(),
            defined: BTreeMap::new(),
            footnote: Vec::new(),
            order: Vec::new(),
            block: None,
            refused: BTreeSet::new(),
            cells_end: 0,
            quotes: Quotes::of(context.language),
            open_quotes: OpenQuotes::default(),
            numbers: HashMap::new(),
            calls: Vec::new(),
            open: Vec::new(),
            refused_calls: 0,
            depth: 0,
            asterisks: Vec::new(),
            paragraph: None,
            pairs: Vec::new(),
            inlines: 0,
            definition: None,
            links: 0,
            written: 0,
            address: None,
            open_mark: None,
            warned: BTreeSet::new(),
            quotation: None,
            item: 0,
            task: None,
            is_wiki_image: false,
            toc: None,
            has_html: false,
            formulas: 0,
        }
    }

    /// Reports an address at its own bytes in a link or an image, or in the definition of its label, where they can be found.
    fn report_address(&mut self, problem: impl Into<Problem>, address: &str, span: Span) {
        let problem = problem.into();
        if !is_kept(self.diagnostics.len(), &problem) {
            return;
        }
        let span = self.definition.unwrap_or(span);
        let source = self.marked.source(span);
        let text = &self.marked.body[source.start..source.end];
        match text.rfind(address).filter(|_| !address.is_empty()) {
            Some(at) => {
                let place = Span::at(source.start + at + self.context.offset, address.len());
                self.diagnostics.push(Diagnostic::new(problem, Place::new(self.context.path, place)));
            }
            None => self.report(problem, span),
        }
    }

    /// Reports `<{{ site.email }}>` in a text: when a reference is filled in, Markdown has looked for links already.
    fn report_bracketed(&mut self, span: Span) {
        let source = self.marked.source(span);
        let body = self.marked.body;
        let begins = body[source.start..source.end].match_indices('<').map(|(at, _)| source.start + at);
        // An escaped one is meant.
        let begins = begins.filter(|at| body[at + 1..].starts_with("{{") && !body[..*at].ends_with('\\'));
        for begin in begins {
            // A reference is shorter than this, and many may follow each other.
            let rest = &body.as_bytes()[begin..body.len().min(begin + 200)];
            let end = memchr::memmem::find(rest, b"}}").filter(|end| rest.get(end + 2) == Some(&b'>'));
            let Some(end) = end.filter(|end| !rest[..*end].contains(&b'\n')) else { continue };
            let place = Span::at(begin, end + 3).shifted(self.context.offset);
            self.keep(Diagnostic::new(MarkdownProblem::MarkdownLink, Place::new(self.context.path, place)));
        }
    }

    fn report(&mut self, problem: impl Into<Problem>, span: Span) {
        self.report_in_body(problem, self.marked.source(span));
    }

    fn report_in_body(&mut self, problem: impl Into<Problem>, mut span: Span) {
        let text = &self.marked.body[span.start..span.end];
        span.end = span.start + text.trim_end().len();
        let place = Place::new(self.context.path, span.shifted(self.context.offset));
        let diagnostic = Diagnostic::new(problem, place);
        match diagnostic.severity {
            Severity::Warning if self.warnings.len() <= MOST => self.warnings.push(diagnostic),
            Severity::Warning => {}
            _ => self.keep(diagnostic),
        }
    }

    /// Keeps an error, unless there are too many.
    fn keep(&mut self, diagnostic: Diagnostic) {
        if is_kept(self.diagnostics.len(), &diagnostic.problem) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Writes a mark of where the next tag comes from.
    fn trace(&mut self, span: Span) {
        if let Some(trace) = self.context.trace {
            let offset = self.marked.source(span).start + self.context.offset;
            self.out.push_str(&trace.mark(self.context.path.as_str(), offset));
        }
    }

    fn escape(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = escape_html_body_text(&mut self.out, text);
    }

    fn attribute(&mut self, text: &str) {
        let _ = escape_html(&mut self.out, text);
    }

    /// Whether texts belong to a heading or to a header cell.
    fn collects(&self) -> bool {
        self.heading.is_some() || self.in_head
    }

    /// Adds to the text of the current heading or header cell.
    fn collect(&mut self, text: &str) {
        self.collect_as(text, text);
    }

    /// Adds to the text of the current heading or header cell what was `written` in another way.
    fn collect_as(&mut self, text: &str, written: &str) {
        if let Some(heading) = &mut self.heading {
            heading.title.push_str(text);
            heading.written.push_str(written);
        } else if let Some(column) = self.columns.last_mut().filter(|_| self.in_head) {
            column.push_str(text);
        }
    }

    fn block(&mut self, tag: &str) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
    }

    fn end(mut self) -> Rendered {
        self.write_toc();
        let used: BTreeSet<&String> = self.order.iter().collect();
        let unused = self.defined.iter().filter(|(name, _)| !used.contains(name));
        let unused: Vec<(String, Span)> = unused.map(|(name, at)| (name.clone(), *at)).collect();
        for (label, span) in unused {
            self.report(MarkdownProblem::LostText(Lost::UnusedFootnote { label }), span);
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
            let problem = MarkdownProblem::ComponentCall { detail: format!("`{component}` is not closed") };
            self.keep(Diagnostic::new(problem, place.clone()));
        }
        let html = match self.calls.is_empty() {
            true => self.out.as_str().to_owned(),
            false => self.locate_calls(),
        };
        self.out.clear();
        WRITING.set(self.out);
        Rendered { html, headings: self.headings, calls: self.calls }
    }
}

thread_local! {
    /// The buffer that a thread writes texts into. Each text is then stored in exactly its size: until pages are
    /// rendered, the texts of all of them are in memory at once.
    static WRITING: Cell<String> = const { Cell::new(String::new()) };
}

#[cfg(test)]
mod tests {
    use super::super::assets::Assets;
    use super::super::language_hosts::LanguageHosts;
    use super::super::options::Pictures;
    use super::super::outlines::FileRoutes;
    use super::super::page_names::PageNames;
    use super::super::typed;
    use super::super::yaml;
    use super::*;
    use sitegen_core::cache::Cache;
    use sitegen_core::diagnostics::code;
    use sitegen_core::sources::Sources;

    fn check(body: &str, raw_html: bool) -> (Rendered, Vec<Diagnostic>) {
        check_in("en", body, raw_html)
    }

    fn check_in(language: &str, body: &str, raw_html: bool) -> (Rendered, Vec<Diagnostic>) {
        check_as(&Dialect::default(), language, body, raw_html)
    }

    fn check_as(dialect: &Dialect, language: &str, body: &str, raw_html: bool) -> (Rendered, Vec<Diagnostic>) {
        let site = yaml::parse(&SourcePath::new("s"), "email: a@b.example\nevil: '<b>*x*'\n", 0).unwrap();
        let assets = {
            let picture = include_bytes!("../../../tests/sites/base-path/content/assets/oven.png");
            let sources = Sources::from_files([("content/assets/map.png", picture)]);
            Assets::of(&sources, &Cache::default(), &mut Vec::new())
        };
        let pictures = Pictures::default();
        let about = (SourcePath::new("content/pages/about.md"), sitegen_core::paths::Route::of_page("about"));
        let routes = FileRoutes::from_iter([about]);
        let names = PageNames::default();
        let hosts = LanguageHosts::new("https://www.a.test", "/docs");
        let addresses = Addresses {
            base_path: "/docs",
            hosts: &hosts,
            assets: &assets,
            routes: &routes,
            pictures: &pictures,
            names: &names,
            order: &Default::default(),
            view: 0,
        };
        let path = SourcePath::new("content/pages/a.md");
        let scope = Scope { site: Some(&site), ..Scope::default() };
        let context = Context {
            path: &path,
            offset: 100,
            raw_html,
            scope,
            addresses: &addresses,
            language,
            highlight: true,
            dialect,
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
        let (rendered, _) =
            check("# Pay & *Terms*\n\n## Pay\n\n## Pay\n\n## Own {#mine}\n\n## Mine\n\n## B {#mine}\n", false);
        let ids: Vec<&str> = rendered.headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["pay-terms", "pay", "pay-1", "mine", "mine-1", "mine"]);
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
        // No two regions of a text have the same name.
        let second = columns.replace("\"><table>", " (2)\"><table>");
        assert_eq!(wrappers, [columns, heading, &second, "<div class=\"table\"><table>"]);
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
        for body in ["A <form>bold</form> word\n", "<main>\nblock\n</main>\n", "{{ site.email }} <my-x>x</my-x>\n"] {
            let (_, diagnostics) = check(body, false);
            assert_eq!(diagnostics.iter().map(|each| code(&each.problem)).collect::<Vec<_>>(), ["raw-html"], "{body}");
            let span = diagnostics[0].place.as_ref().unwrap().span.unwrap();
            assert!(body[span.start - 100..].starts_with('<'), "{body}");
        }
        assert!(check("A <x-b>bold</x-b> word\n", true).0.html.contains("<x-b>bold</x-b>"));
        assert_eq!(html("<!-- a note to editors -->\n\nText\n"), "<p>Text</p>\n");
    }

    #[test]
    fn html_that_only_shows_something_is_allowed_everywhere() {
        for (body, expected) in [
            ("Press <kbd>Ctrl</kbd>, H<sub>2</sub>O\n", "<p>Press <kbd>Ctrl</kbd>, H<sub>2</sub>O</p>\n"),
            (
                "<details open>\n<summary>More</summary>\n\n*Text*\n\n</details>\n",
                "<details open>\n<summary>More</summary>\n<p><em>Text</em></p>\n</details>\n",
            ),
            (
                "<p align=\"center\">\n<!-- secret --><b>{{ site.email }}</b></p>\n",
                "<p align=\"center\">\n<b>a@b.example</b></p>\n",
            ),
        ] {
            assert_eq!(html(body), expected);
        }
        for (body, text) in [
            ("<div>\n<b>x</b> <form></form>\n</div>\n", "<form>"),
            ("<p is=\"x\">\n", "<p is=\"x\">"),
            ("a <b onclick=\"x()\">c</b>\n", "<b onclick=\"x()\">"),
            ("<script>x()</script>\n", "<script>"),
            ("<?php x ?>\n", "<?php x ?>"),
            ("<!DOCTYPE html>\n", "<!DOCTYPE html>"),
        ] {
            assert_eq!(codes(body, false)[0], ("raw-html", text.to_owned()), "{body}");
        }
        let body = "<a href=\"/\">x</a>\n\n<a href=\"javascript:x()\">y</a>\n";
        let (_, diagnostics) = check(body, false);
        let span = diagnostics[0].place.as_ref().unwrap().span.unwrap();
        assert_eq!((code(&diagnostics[0].problem), span.start - 100), ("active-html", body.rfind("<a").unwrap()));
    }

    #[test]
    fn addresses_are_resolved_and_hostile_ones_refused() {
        assert!(html("[a](/careers)").contains("href=\"/docs/careers\""));
        assert!(html("[a](about.md#team)").contains("href=\"/docs/about#team\""));
        assert!(html("![A map](map.png)").contains("<img src=\"/docs/assets/map-"));
        let published =
            html("<video poster=map.png src='/x'></video><img srcset=\"map.png 1x, nope.png 2x\" alt=\"\">\n");
        assert!(
            published.contains("<video poster=\"/docs/assets/map-") && published.contains("src='/x'"),
            "{published}"
        );
        assert!(
            published.contains("<img srcset=\"/docs/assets/map-") && published.contains(", nope.png 2x"),
            "{published}"
        );
        assert_eq!(html("<a href=\"about.md#team\">a</a>\n"), "<p><a href=\"/docs/about#team\">a</a></p>\n");
        let (_, diagnostics) = check("[a](javascript:alert(1)) ![b](mpa.png)", false);
        let codes: Vec<_> = diagnostics.iter().map(|each| code(&each.problem)).collect();
        assert_eq!(codes, ["unsafe-address", "unknown-asset"]);
    }

    #[test]
    fn no_text_can_be_taken_for_the_mark_of_a_reference() {
        let (with, without) = ("{{ site.email }}", "");
        for glyphs in
            ["\u{e000}0\u{e001}", "&#xe000;0&#xe001;", "\u{e000}&#57345;0&#xE002;", "\u{f8ff}\u{f0000}0\u{f0001}"]
        {
            let [with, without] = [with, without].map(|reference| html(&format!("Icon {glyphs}x{reference}")));
            assert_eq!(with.replacen("a@b.example", "", 1), without, "{glyphs}");
        }
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
            ("Text\n\n%% never closed\n\nPrices\n", "%%"),
            ("Text\n\n<!-- never closed\n\nPrices\n", "<!--"),
            ("a[^n]\n\n[^n]: One.\n\n[^n]: Two.\n", "[^n]: Two."),
            ("a\n\n[^n]: One.\n", "[^n]: One."),
            ("| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |\n", "3 | 4"),
        ] {
            assert_eq!(codes(body, false), lost(text), "{body}");
        }
        assert_eq!(codes("<div>\n<!-- open\n\ntext\n", true), lost("<!--"));
        assert_eq!(codes("a </form> c\n", false), [("raw-html", "</form>".to_owned())]);
        for kept in ["<!-- a --> <!-- b -->\n", "<!-- a\n\nb -->\n\nText\n", "| a | b |\n|---|---|\n| 1 |\n"] {
            assert_eq!(codes(kept, false), [], "{kept}");
        }
        let notes = html("a[^n]\n\n[^n]: One.[^m]\n\n    [^m]: Two.\n");
        assert!(notes.contains("One.") && notes.contains("Two."), "{notes}");
    }

    #[test]
    fn broken_addresses_are_reported_where_they_are_written() {
        let body = "[x][l] and nope.md, <a href=\"no.md\">y</a>\n\n[l]: nope.md\n";
        let (rendered, diagnostics) = check(body, false);
        let place = |each: &Diagnostic| (code(&each.problem), each.place.as_ref().unwrap().span.unwrap().start - 100);
        let places: Vec<_> = diagnostics.iter().map(place).collect();
        let expected = [body.rfind("nope.md").unwrap(), body.find("no.md").unwrap()];
        assert_eq!(places, expected.map(|at| ("broken-file", at)));
        assert_eq!(rendered.html, "<p><a>x</a> and nope.md, <a >y</a></p>\n");
        assert_eq!(codes("<IMG SRC=/a.png ALT=a /><BR/>\n", false), []);
    }

    #[test]
    fn markdown_in_a_block_of_html_is_reported() {
        for (body, expected) in [
            ("<div>\na **b** c **d**\n</div>\n", Some("**b**")),
            ("> <details>\n> <summary>x</summary>\n> see [a](/b)\n> </details>\n", Some("[a](/b)")),
            ("<div>\n\na **b**\n\n</div>\n", None),
            ("<div><code>a **b** c</code> 2 ** 3 ** 4</div>\n", None),
            ("<pre>\n**a**\n</pre>\n", None),
            ("a <b>**b**</b>\n", None),
            ("<p>a[1](2 or 3)</p>\n", None),
        ] {
            let found = codes(body, false);
            let found: Vec<(&str, &str)> = found.iter().map(|(code, text)| (*code, text.as_str())).collect();
            assert_eq!(
                found,
                expected.map(|text| ("markdown-literal", text)).into_iter().collect::<Vec<_>>(),
                "{body}"
            );
        }
    }

    #[test]
    fn text_that_looks_like_markup_is_reported_once() {
        for (body, text) in [
            ("##Hours\n", "##Hours"),
            ("> - ###Hours\n", "###Hours"),
            ("| a | b |\n|---|\n| 1 | 2 |\n", "|---|"),
            ("a | b\n---|---|---\n", "---|---|---"),
            ("- a | b\n--|--\n", "--|--"),
            ("Words ** bold** more\n", "**"),
            ("Words **bold ** more\n", "**"),
            ("- **never closed\n", "**"),
            ("**Price:**5\n", "**"),
            ("これは**「強調」**です。\n", "**"),
        ] {
            assert_eq!(codes(body, false), [("markdown-literal", text.to_owned())], "{body}");
        }
        for meant in [
            "Take #1 and `##this` and \\##that, not A##B.\n",
            "    ##code\n",
            "a | b\n--|--\n1 | 2\n-- | --\n",
            "-- | --\n",
            "Price** (with tax) and 2 ** 3 ** 4\n",
            "f(**kwargs) and **args\n",
            "**bold**, __bold__ and \\*\\*text\\*\\*\n",
            "\\** bold**\n",
        ] {
            assert_eq!(codes(meant, false), [], "{meant}");
        }
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

    fn with(settings: &str, body: &str) -> (String, Vec<(&'static str, String)>) {
        let node = yaml::parse(&SourcePath::new("s"), settings, 0).unwrap();
        let (rendered, diagnostics) = check_as(&typed::read(&node), "en", body, false);
        let marked = |each: &Diagnostic| {
            let span = each.place.as_ref().unwrap().span.unwrap();
            (code(&each.problem), body[span.start - 100..span.end - 100].to_owned())
        };
        (rendered.html, diagnostics.iter().map(marked).collect())
    }

    #[test]
    fn extensions_that_nobody_uses_by_chance_are_on() {
        for (body, expected) in [
            (
                "- [ ] a *b*\n  - [x] c\n",
                "<ul>\n<li class=\"task-list-item\"><label><input type=\"checkbox\" disabled> a <em>b</em></label><ul>\n\
                 <li class=\"task-list-item\"><label><input type=\"checkbox\" disabled checked> c</label></li>\n</ul>\n</li>\n</ul>\n",
            ),
            (
                "- [x] a\n\n  b\n",
                "<ul>\n<li class=\"task-list-item\"><p><label><input type=\"checkbox\" disabled checked> a</label></p>\n<p>b</p>\n</li>\n</ul>\n",
            ),
            (
                "> [!WARNING]\n> Hot.\n",
                "<div class=\"markdown-alert markdown-alert-warning\">\n<p class=\"markdown-alert-title\">Warning</p>\n<p>Hot.</p>\n</div>\n",
            ),
            ("Term\n: One\n", "<dl>\n<dt>Term</dt>\n<dd>One</dd>\n</dl>\n"),
            (
                "Out now.\n\n:-) fine\n:b\n\n> a\n> :c\n",
                "<p>Out now.</p>\n<p>:-) fine\n:b</p>\n<blockquote>\n<p>a\n:c</p>\n</blockquote>\n",
            ),
            ("a\n```\n:b\n# c {d}\n```\n", "<p>a</p>\n<pre><code>:b\n# c {d}\n</code></pre>\n"),
            (
                "See https://a.test/x_y--z?b=1&amp;c=*2*, \"www.b.test\" or a@b.test.\n",
                "<p>See <a href=\"https://a.test/x_y--z?b=1&amp;c=\">https://a.test/x_y--z?b=1&amp;c=</a><em>2</em>, \
                 “<a href=\"http://www.b.test\">www.b.test</a>” or <a href=\"mailto:a@b.test\">a@b.test</a>.</p>\n",
            ),
            (
                "<a href=\"/x\">https://a.test</a> www.b.test\n",
                "<p><a href=\"/x\">https://a.test</a> <a href=\"http://www.b.test\">www.b.test</a></p>\n",
            ),
            ("[a https://a.test](https://b.test)\n", "<p><a href=\"https://b.test\">a https://a.test</a></p>\n"),
            (
                "`https://a.test` <https://b.test>\n",
                "<p><code>https://a.test</code> <a href=\"https://b.test\">https://b.test</a></p>\n",
            ),
            (
                "a %%secret *x*%% b `%%c%%`\n\n%%\nsecret {{ nope\n\n- x\n%%\n\n%% only %%\n",
                "<p>a  b <code>%%c%%</code></p>\n",
            ),
            (
                "HTML, HTMLs, `HTML` and *HTML* of [HTML](/x) and the W3C.\n*[HTML]: Text \"&\" <links>\n*[the W3C]:\n\n*[HTML]: other\n*[CSS]: x\n",
                "<p><abbr title=\"Text &quot;&amp;&quot; &lt;links&gt;\">HTML</abbr>, HTMLs, <code>HTML</code> and \
                 <em><abbr title=\"Text &quot;&amp;&quot; &lt;links&gt;\">HTML</abbr></em> of <a href=\"/docs/x\">\
                 <abbr title=\"Text &quot;&amp;&quot; &lt;links&gt;\">HTML</abbr></a> and <abbr>the W3C</abbr>.\n\n</p>\n",
            ),
            ("## The HTML\n\n*[HTML]: x\n", "<h2 id=\"the-html\">The <abbr title=\"x\">HTML</abbr></h2>\n"),
            ("# A {#x .y .z}\n", "<h1 id=\"x\" class=\"y z\">A</h1>\n"),
            ("# A {5}\n", "<h1 id=\"a-5\">A {5}</h1>\n"),
            ("GET /users/{*id*}\n===\n", "<h1 id=\"get-users-id\">GET /users/{<em>id</em>}</h1>\n"),
            (
                "# \\d{3} of {{ site.email }} \\{#x}\n",
                "<h1 id=\"d-3-of-a-b-example-x\">\\d{3} of a@b.example {#x}</h1>\n",
            ),
            ("%%secret\nmore%% a\n\n%% b\n\nc %%\n\nd\n", "<p> a</p>\n<p>d</p>\n"),
            (
                "[TOC]\n\n## A *b*\n\n### C\n\n## D\n",
                "<ul class=\"toc\">\n<li><a href=\"#a-b\">A b</a>\n<ul>\n<li><a href=\"#c\">C</a></li>\n</ul>\n</li>\n<li><a href=\"#d\">D</a></li>\n</ul>\n\
                 <h2 id=\"a-b\">A <em>b</em></h2>\n<h3 id=\"c\">C</h3>\n<h2 id=\"d\">D</h2>\n",
            ),
        ] {
            assert_eq!(html(body), expected, "{body}");
        }
        let off = "abbreviations: false\nalerts: false\nautolinks: false\ncomments: false\ndefinition_lists: false\ntask_lists: false\ntoc: false\n";
        for body in ["- [ ] a\n", "> [!NOTE]\n> a\n", "A\n: b\n", "https://a.test\n", "%%a%%\n", "[TOC]\n"] {
            let (html, diagnostics) = with(off, body);
            assert!(!["<label", "<div", "<dl", "<a ", "toc"].iter().any(|tag| html.contains(tag)), "{html}");
            assert!(html.contains(['[', ':', '%']) && diagnostics.is_empty(), "{html} {diagnostics:?}");
        }
    }

    #[test]
    fn extensions_that_change_plain_text_are_off_and_the_first_use_is_named() {
        let warned = |body: &str| with("{}\n", body).1;
        for (body, text) in [
            ("a ==b *c*== d ==e==\n", "==b *c*=="),
            ("a $x^2$ and $y_1$\n", "$x^2$"),
            ("$$\\frac{a}{b}$$\n", "$$\\frac{a}{b}$$"),
            ("see [[Page|text]]\n", "[[Page|text]]"),
            ("![[map.png]]\n", "![[map.png]]"),
            ("a :smile: :heart:\n", ":smile:"),
            ("x^2^\n", "^2^"),
            (":::note\ntext\n:::\n", ":::note"),
            ("> [!info] x\n> y\n", "[!info]"),
            ("> [!TIP]- x\n> y\n", "[!TIP]"),
            ("H~2~O and ~this~\n", "~2~"),
            ("import A from 'a'\n\n`{: .b}` {x}\n", "import A from 'a'"),
            ("a\n{: .b}\n\n{: .c}\n", "{: .b}"),
            ("a\n\n!!! note\n    b\n", "!!! note"),
        ] {
            assert_eq!(warned(body), [("markdown-extension", text.to_owned())], "{body}");
        }
        for plain in [
            "it costs $5 and $6, or $7_a\n",
            "if a == b and c == d\n",
            "a==b and c==d\n",
            "x^2 + y^2\n",
            "10:30:00 and a:smile:b\n",
            "[[1]](https://a.test) [[2]] \\[[a]]\n",
            "a :nope: b\n",
            "`==a==` `$x^2$` `:smile:`\n",
            "> a [!info]\n",
        ] {
            assert_eq!(warned(plain), [], "{plain}");
        }
        let off = "containers: false\nemoji: false\nmark: false\nmath: false\nsuperscript: false\nwiki_links: false\n";
        let (html, diagnostics) = with(off, "==a== $x^2$ [[P]] :smile: x^2^\n");
        assert_eq!((html.as_str(), diagnostics), ("<p>==a== $x^2$ [[P]] :smile: x^2^</p>\n", vec![]));
    }

    #[test]
    fn extensions_are_read_where_they_are_on() {
        for (settings, body, expected) in [
            ("mark: true", "==a *b*== *c ==d* e==\n", "<p><mark>a <em>b</em></mark> <em>c ==d</em> e==</p>\n"),
            ("emoji: true", ":white_check_mark: [:tada:](/x)\n", "<p>✅ <a href=\"/docs/x\">🎉</a></p>\n"),
            ("subscript: true", "H~2~O ~~x~~\n", "<p>H<sub>2</sub>O <del>x</del></p>\n"),
            ("superscript: true", "x^2^\n", "<p>x<sup>2</sup></p>\n"),
            ("math: true", "a $x$\n", "<p>a <math><mi>x</mi></math></p>\n"),
            (
                "math: true",
                "$5/$10 of [$5](/$a/$b) `$5/$10`\n",
                "<p>$5/$10 of <a href=\"/docs/$a/$b\">$5</a> <code>$5/$10</code></p>\n",
            ),
            (
                "math: true",
                "$`a`$, <b title=\"$1,$2\">x</b>\n",
                "<p><math><mi>a</mi></math>, <b title=\"$1,$2\">x</b></p>\n",
            ),
            ("math: true", "US$5 and [$x][$5,$6]\n\n[$5,$6]: /y\n", "<p>US$5 and <a href=\"/docs/y\">$x</a></p>\n"),
            ("math: true", "\\$\\$ and \\$x_1$\n", "<p>$$ and $x_1$</p>\n"),
            ("math: true", "*a*\\$\\$x^2\\$\\$, $5 or \\$6\n", "<p><em>a</em>$$x^2$$, $5 or $6</p>\n"),
            ("wiki_links: true", "\\[[A]]\n", "<p>[[A]]</p>\n"),
            ("emoji: true", ":tada: \\:tada:\n", "<p>🎉 :tada:</p>\n"),
            ("math: true", "```math\nx\n```\n", "<math display=\"block\"><mi>x</mi></math>\n"),
            ("headings: shift", "<h1 class=\"h1\">A</h1>\n\n<H6>B</H6>\n", "<h2 class=\"h1\">A</h2>\n<H6>B</H6>\n"),
            ("headings: shift", "# A\n\n###### B\n", "<h2 id=\"a\">A</h2>\n<h6 id=\"b\">B</h6>\n"),
            ("ids: github", "# A – b_c & D!\n", "<h1 id=\"a--b_c--d\">A – b_c &amp; D!</h1>\n"),
            ("ids: github", "# --flag -- \"b\"...\n", "<h1 id=\"--flag----b\">–flag – “b”…</h1>\n"),
        ] {
            assert_eq!(with(settings, body), (expected.to_owned(), vec![]), "{body}");
        }
        let (html, diagnostics) = with("languages: { go-tmpl: html }", "```go-tmpl\n<b>\n```\n");
        assert!(html.contains("language-go-tmpl") && html.contains("hl-") && diagnostics.is_empty(), "{html}");
        assert_eq!(with("math: true", "a $x + \\foo$ b\n").1, [("formula", "\\foo".to_owned())]);
        assert_eq!(with("math: true", "a $\\pi r^{2$ b, or $c$\n").1, [("formula", "$\\pi r^{2$".to_owned())]);
        assert_eq!(with("math: true", "a\n$$\nx^2\n\nb\n").1, [("formula", "$$".to_owned())]);
        let table = "| a |\n|---|\n| [[Nope\\|y]] |\n";
        assert_eq!(with("wiki_links: true", table).1, [("wiki-link", "Nope".to_owned())]);
        assert_eq!(with("wiki_links: true", "a [[Nope#x|y]] b\n").1, [("wiki-link", "Nope".to_owned())]);
    }

    #[test]
    fn braces_after_a_heading_have_ids_and_classes_alone() {
        for body in ["# a {#x y}\n", "# a {#x .z key=value}\n", "a {#x y}\n---\n"] {
            assert_eq!(codes(body, false)[0].0, "markup", "{body}");
        }
        assert_eq!(codes("# a {: #x }\n", false), []);
    }

    #[test]
    fn containers_call_components() {
        let (rendered, diagnostics) = {
            let node = yaml::parse(&SourcePath::new("s"), "containers: true", 0).unwrap();
            let body = "Before\n:::note[Hi {{ site.email }}]\nA *b*\n:::\nAfter\n\n> - x\n>   :::tip\n>   y\n>   :::\n";
            check_as(&typed::read(&node), "en", body, false)
        };
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let calls: Vec<_> =
            rendered.calls.iter().map(|call| (call.component.as_str(), &rendered.html[call.range.clone()])).collect();
        assert_eq!(calls, [("note", "\n<p>A <em>b</em></p>\n"), ("tip", "\n<p>y</p>\n")]);
        assert!(rendered.html.starts_with("<p>Before</p>\n") && rendered.html.contains("<p>After</p>"));
        assert_eq!(with("containers: true", ":::note\ntext\n").1, [("component-call", ":::note".to_owned())]);
        let refused = ":::tip\n:::note{.x}\n:::\n:::\n";
        assert_eq!(with("containers: true", refused).1, [("component-call", "{.x}".to_owned())]);
        let nested = |count: usize| format!("{}{}", ":::a\n".repeat(count), ":::\n".repeat(count));
        assert_eq!(with("containers: true", &nested(100)).1, []);
        assert_eq!(with("containers: true", &nested(200)).1, [("component-call", ":::a".to_owned())]);
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

    #[test]
    fn marks_of_inches_and_feet_stay_and_turn_no_quotation_mark_round() {
        for (written, html) in [
            ("A 27\" screen, \"new\".", "A 27\" screen, “new”."),
            ("\"A 27\" screen\" and \"more\"", "“A 27\" screen” and “more”"),
            ("He is 6'2\" and \"tall\".", "He is 6'2\" and “tall”."),
            ("6' by 4', 'x'", "6' by 4', ‘x’"),
            ("'a 6' board' and 'b'", "‘a 6' board’ and ‘b’"),
            ("\"in 1980\" and \"in 5\"", "“in 1980” and “in 5”"),
            ("'in 1980' and 'in 5'", "‘in 1980’ and ‘in 5’"),
            ("24\"/27\" (5\") 3½\"", "24\"/27\" (5\") 3½\""),
            ("the 1980's and the '90s", "the 1980’s and the ’90s"),
            ("40° 26' 46\" N", "40° 26' 46\" N"),
            ("40°26'46\"N 3°42'W, \"new\"", "40°26'46\"N 3°42'W, “new”"),
            ("\"at 40°26'46\"N\" and 'at 3°42'W'", "“at 40°26'46\"N” and ‘at 3°42'W’"),
            ("3' 5m\" and \"new\" or \"5m\"", "3' 5m\" and “new” or “5m”"),
            ("1980's \"a\"", "1980’s “a”"),
            ("12\"x8\" and \"new\"", "12\"x8\" and “new”"),
            ("\"an 8\"X10\" photo\" or 'a 6'x4' board'", "“an 8\"X10\" photo” or ‘a 6'x4' board’"),
            ("\"1\"1\"1\" and \"x\"", "“1\"1\"1” and “x”"),
            ("{{ site.email }}' house, {{ site.email }}'s", "a@b.example’ house, a@b.example’s"),
            ("{{ site.email }}\" and \"{{ site.email }}\"", "a@b.example\" and “a@b.example”"),
            ("\"open\n\nThen 5\" wide", "“open</p>\n<p>Then 5\" wide"),
        ] {
            assert_eq!(check_in("en", written, false).0.html, format!("<p>{html}</p>\n"), "{written}");
        }
    }
}
