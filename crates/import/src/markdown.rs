//! What all dialects of Markdown have in common: headings below the title of the page, links, pictures, HTML, code.
//!
//! The text is read by a parser of Markdown, and only the bytes that change are replaced.

use super::components::Components;
use super::html::{self, Html};
use super::prose;
use super::site::{Body, Dialect, Finding, Ids, Link, MARK, Resolver, Slot};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is known of a text before its links are translated.
#[derive(Debug, Default)]
pub struct Outline {
    /// The heading at the beginning of the text that is the title of its page: its bytes, its text and its id.
    pub title: Option<(Range<usize>, String, String)>,
    /// Ids of headings and of HTML.
    pub ids: BTreeSet<String>,
}

/// A text that is translated.
#[derive(Debug, Default)]
pub struct Translated {
    pub text: String,
    /// Findings with their lines in the text.
    pub findings: Vec<(usize, Finding)>,
}

#[derive(Default)]
struct Edit {
    range: Range<usize>,
    new: String,
    finding: Option<Finding>,
    /// Further findings at the same place.
    more: Vec<Finding>,
    /// Whether it is HTML, in which no component can be called.
    is_html: bool,
}

impl Edit {
    /// Writes something else.
    fn new(range: Range<usize>, new: impl Into<String>, finding: Option<Finding>) -> Self {
        Edit { range, new: new.into(), finding, ..Edit::default() }
    }
}

fn options(dialect: Dialect) -> Options {
    let mut options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    options |= Options::ENABLE_TASKLISTS | Options::ENABLE_DEFINITION_LIST;
    options.set(Options::ENABLE_HEADING_ATTRIBUTES, dialect.has_heading_attributes);
    options.set(Options::ENABLE_MATH, dialect.has_math);
    options
}

/// A heading of a text.
struct Heading {
    range: Range<usize>,
    inner: Range<usize>,
    level: usize,
    text: String,
    id: String,
    /// Whether its id is made of its text.
    is_made: bool,
    is_nested: bool,
    is_first: bool,
}

fn level_of(level: HeadingLevel) -> usize {
    level as usize
}

/// Returns the headings of a text, in order, and the ids of its HTML.
fn headings(text: &str, dialect: Dialect, html_ids: &mut BTreeSet<String>) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let (mut depth, mut open, mut has_content) = (0_usize, false, false);
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for (event, range) in Parser::new_ext(text, options(dialect)).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                open = true;
                let id = id.map_or(String::new(), CowStr::into_string);
                let inner = range.end..range.start;
                let is_nested = depth > 0;
                let is_first = !has_content;
                headings.push(Heading {
                    range,
                    inner,
                    level: level_of(level),
                    text: String::new(),
                    is_made: id.is_empty(),
                    id,
                    is_nested,
                    is_first,
                });
            }
            Event::End(TagEnd::Heading(_)) => {
                open = false;
                has_content = true;
                if let Some(last) = headings.last_mut().filter(|last| last.id.is_empty()) {
                    last.id = id_of(last.text.trim(), dialect.ids);
                    let count = used.entry(last.id.clone()).or_default();
                    *count += 1;
                    if *count > 1 {
                        last.id = format!("{}-{}", last.id, *count - 1);
                    }
                }
            }
            event if open => {
                let Some(last) = headings.last_mut() else { continue };
                last.inner = last.inner.start.min(range.start)..last.inner.end.max(range.end);
                match event {
                    Event::Text(part) | Event::Code(part) | Event::InlineMath(part) => last.text.push_str(&part),
                    Event::SoftBreak | Event::HardBreak => last.text.push(' '),
                    Event::InlineHtml(part) => html_ids.extend(html::ids(&part)),
                    _ => {}
                }
            }
            Event::Start(tag) => {
                has_content |= !matches!(tag, Tag::HtmlBlock);
                depth += usize::from(matches!(tag, Tag::Item | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_)));
            }
            Event::End(tag) => {
                depth -= usize::from(matches!(tag, TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition));
            }
            Event::Html(part) | Event::InlineHtml(part) => html_ids.extend(html::ids(&part)),
            _ => {}
        }
    }
    headings
}

/// Makes the id of a heading.
fn id_of(text: &str, ids: Ids) -> String {
    match ids {
        Ids::GitHub => github_id(text, |letter| letter.is_alphanumeric()),
        Ids::Ascii => slug::slugify(text),
        Ids::GitHubAscii => {
            let id = github_id(&text.chars().map(without_accent).collect::<String>(), |letter| {
                letter.is_ascii_alphanumeric()
            });
            if id.is_empty() { "heading".to_owned() } else { id }
        }
        Ids::Blackfriday => {
            let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join("-").to_lowercase()
        }
    }
}

fn github_id(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let kept = text.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter => Some(letter).filter(|letter| is_kept(*letter) || "_-".contains(*letter)),
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns a Latin letter without its accent. One that is more than a letter with an accent, such as `ß`, stays.
fn without_accent(letter: char) -> char {
    let is_letter = ('\u{c0}'..='\u{17e}').contains(&letter) || ('\u{1cd}'..='\u{233}').contains(&letter);
    // Those have no form without it in Unicode.
    let plain = slug::slugify(letter.to_string());
    match plain.as_bytes() {
        [plain] if is_letter && !"ÆÐØÞßæðøþĐđĦħıĸŁłŊŋŒœŦŧſ".contains(letter) => {
            char::from(*plain)
        }
        _ => letter,
    }
}

/// Makes the id of a heading as the engine does by default.
fn words_id(text: &str) -> String {
    let mut id = String::new();
    for letter in text.chars() {
        match letter {
            letter if letter.is_alphanumeric() => id.extend(letter.to_lowercase()),
            '’' | '\'' => {}
            _ if !id.is_empty() && !id.ends_with('-') => id.push('-'),
            _ => {}
        }
    }
    id.trim_end_matches('-').to_owned()
}

/// The most signs of quotations and lists in a line. The compiler reads no text with more, and parsers take long for it.
const MOST_DEPTH: usize = 100;

/// Whether a line of a text begins with very many signs of quotations and lists.
pub fn is_too_deep(text: &str) -> bool {
    let is_sign = |letter: char| letter.is_ascii_digit() || letter.is_whitespace() || ">-*+.)".contains(letter);
    text.lines().filter(|line| line.len() > MOST_DEPTH).any(|line| {
        let signs = &line[..line.find(|letter| !is_sign(letter)).unwrap_or(line.len())];
        signs.split_whitespace().map(|word| word.matches('>').count().max(1)).sum::<usize>() > MOST_DEPTH
    })
}

/// Puts empty lines between lines of HTML and calls of components that have a line of their own: HTML calls none.
pub fn set_calls_apart(body: &mut Body) {
    if body.calls().next().is_none() {
        return;
    }
    let is_call = |line: &str| {
        let slot = body.slot(line.trim());
        slot.is_some_and(|((slot, ..), length)| matches!(slot, Slot::Call(_)) && length == line.trim().len())
    };
    let is_html = |line: &str| line.trim().starts_with('<') && line.trim().ends_with('>');
    let text = prose::outside_code(&body.text, |prose| {
        let mut out = String::with_capacity(prose.len());
        let mut last = "";
        for line in prose.split_inclusive('\n') {
            if is_call(line) && is_html(last) || is_html(line) && is_call(last) {
                out.push('\n');
            }
            out.push_str(line);
            last = line;
        }
        out
    });
    body.text = text;
}

/// Reads what is needed before links can be translated. `title` is that of the keys.
pub fn outline(body: &Body, title: Option<&str>, dialect: Dialect) -> Outline {
    let text = body.text.as_str();
    if is_too_deep(text) {
        return Outline::default();
    }
    let mut ids = BTreeSet::new();
    let headings = headings(text, dialect, &mut ids);
    let is_title = |heading: &&Heading| {
        let words = body.original(heading.text.trim());
        let is_same = title.is_some_and(|title| title.trim().eq_ignore_ascii_case(words.trim()));
        let is_free = title.is_none() && dialect.is_titled_by_heading;
        heading.level == 1 && heading.is_first && !heading.is_nested && !words.trim().is_empty() && (is_same || is_free)
    };
    let title = headings.first().filter(is_title);
    let title = title.map(|heading| (heading.range.clone(), body.original(heading.text.trim()), heading.id.clone()));
    if body.omits_html {
        ids.clear();
    }
    ids.extend(headings.into_iter().map(|heading| heading.id));
    Outline { title, ids }
}

/// Translates a text.
pub fn translate(
    body: &Body,
    outline: &Outline,
    dialect: Dialect,
    components: &Components,
    resolver: &mut dyn Resolver,
) -> Translated {
    let text = body.text.as_str();
    if is_too_deep(text) {
        let message = "a line begins with more than 100 signs of quotations and lists; the text was left as it is";
        return Translated { text: body.original(text), findings: vec![(1, Finding::fault(message))] };
    }
    let mut undefined: Vec<Range<usize>> = Vec::new();
    let mut note_undefined = |link: pulldown_cmark::BrokenLink| {
        if !matches!(link.link_type, LinkType::Shortcut | LinkType::ShortcutUnknown) {
            undefined.push(link.span);
        }
        None
    };
    let parser = Parser::new_with_broken_link_callback(text, options(dialect), Some(&mut note_undefined));
    let spans = parser.reference_definitions().iter();
    let spans = spans.map(|(label, definition)| (label.to_lowercase(), definition.span.clone())).collect();
    let mut translator = Translator {
        text,
        edits: heading_edits(text, outline, dialect),
        html: Html { resolver, skipped: None, findings: Vec::new() },
        omits_html: body.omits_html,
        spans,
        definitions: BTreeSet::new(),
        literal: Vec::new(),
        html_ranges: Vec::new(),
        links: Vec::new(),
        open: Vec::new(),
        block: None,
    };
    for (event, range) in parser.into_offset_iter() {
        translator.translate(event, range);
    }
    translator.end_block();
    let Translator { mut edits, mut literal, mut html_ranges, mut links, .. } = translator;
    literal.sort_by_key(|range| range.start);
    html_ranges.sort_by_key(|range| range.start);
    edits.extend(brace_edits(text, &literal, &html_ranges));
    links.extend(literal.iter().chain(&html_ranges).cloned());
    links.sort_by_key(|range| range.start);
    edits.extend(bracket_edits(text, &links, &undefined));
    assemble(body, edits, &literal, components)
}

/// Translates a text event by event.
struct Translator<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    html: Html<'a>,
    omits_html: bool,
    /// Where the references of links are defined, by their labels in lower case.
    spans: BTreeMap<String, Range<usize>>,
    /// The definitions that are translated.
    definitions: BTreeSet<usize>,
    /// Code and formulas.
    literal: Vec<Range<usize>>,
    html_ranges: Vec<Range<usize>>,
    /// Links and pictures.
    links: Vec<Range<usize>>,
    /// The open links and pictures: where each begins, and the end of what is in it so far.
    open: Vec<(usize, usize)>,
    /// The lines so far of a block of HTML, which are one piece.
    block: Option<Range<usize>>,
}

impl Translator<'_> {
    fn translate(&mut self, event: Event, range: Range<usize>) {
        if !matches!(event, Event::Html(_)) {
            self.end_block();
        }
        if let Some((_, end)) = self.open.last_mut()
            && !matches!(event, Event::End(_))
        {
            *end = range.end.max(*end);
        }
        match event {
            Event::Html(_) => {
                let start = self.block.as_ref().map_or(range.start, |block| block.start);
                self.block = Some(start..range.end);
            }
            Event::InlineHtml(_) => self.html(range),
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => self.literal.push(range),
            Event::Start(Tag::CodeBlock(kind)) => {
                if let CodeBlockKind::Fenced(info) = kind {
                    self.edits.extend(info_edit(self.text, &range, &info));
                }
                self.literal.push(range);
            }
            Event::Start(Tag::Link { .. }) => self.open.push((range.start, range.start + 1)),
            Event::Start(Tag::Image { .. }) => self.open.push((range.start, range.start + 2)),
            Event::End(TagEnd::Link | TagEnd::Image) => self.link(range),
            _ => {}
        }
    }

    fn end_block(&mut self) {
        if let Some(block) = self.block.take() {
            self.html(block);
        }
    }

    fn html(&mut self, range: Range<usize>) {
        if self.omits_html {
            let finding = Finding::left("HTML was left out, as the old site left it out (`unsafe` is not set)");
            self.edits.push(Edit::new(range.clone(), String::new(), Some(finding)));
            self.html_ranges.push(range);
            return;
        }
        self.edits.push(html_edit(self.text, &range, &mut self.html));
        self.html_ranges.push(range);
    }

    fn link(&mut self, range: Range<usize>) {
        let Some((start, end)) = self.open.pop() else { return };
        if let Some((_, outer)) = self.open.last_mut() {
            *outer = range.end.max(*outer);
        }
        let is_picture = self.text[start..].starts_with('!');
        self.links.push(range.clone());
        let place = Place { text: self.text, range, inner: start + 1 + usize::from(is_picture)..end, is_picture };
        self.edits.extend(place.edits(&self.spans, &mut self.definitions, self.html.resolver));
    }
}

fn html_edit(text: &str, range: &Range<usize>, html: &mut Html) -> Edit {
    let new = html.rewrite(&text[range.clone()]);
    let mut more = std::mem::take(&mut html.findings);
    let mut seen = BTreeSet::new();
    more.retain(|finding| seen.insert(finding.message.clone()));
    Edit { range: range.clone(), new, finding: None, more, is_html: true }
}

/// Puts headings below the title of the page, without gaps.
fn heading_edits(text: &str, outline: &Outline, dialect: Dialect) -> Vec<Edit> {
    let headings = headings(text, dialect, &mut BTreeSet::new());
    let title = outline.title.as_ref().map(|(range, _, _)| range.clone());
    let is_title = |heading: &Heading| title.as_ref().is_some_and(|title| *title == heading.range);
    let top = headings.iter().filter(|heading| !is_title(heading)).map(|heading| heading.level).min();
    let shift = usize::from(top == Some(1));
    let (mut edits, mut last) = (Vec::new(), 1);
    for heading in headings {
        if is_title(&heading) {
            edits.push(Edit::new(heading.range, String::new(), None));
            continue;
        }
        edits.extend(attribute_edit(text, &heading, dialect));
        // The engine would make another id of such a text.
        let made = id_of(heading.text.trim(), dialect.ids);
        if heading.is_made
            && dialect.ids != Ids::GitHub
            && made != words_id(&heading.text)
            && !heading.id.is_empty()
            && !text[heading.range.clone()].lines().next().unwrap_or_default().trim_end().ends_with('#')
        {
            let end = heading.inner.end;
            edits.push(Edit::new(end..end, format!(" {{#{}}}", heading.id), None));
        }
        let wanted = (heading.level + shift).min(6);
        let level = wanted.min(last + 1);
        last = level;
        let gap = "a heading skips a level; it is one level below the heading before it now";
        let finding = Some(Finding::fault(gap)).filter(|_| level != wanted);
        if level == heading.level {
            continue;
        }
        let source = &text[heading.range.clone()];
        let hashes = source.bytes().take_while(|byte| *byte == b'#').count();
        if hashes > 0 {
            let range = heading.range.start..heading.range.start + hashes;
            edits.push(Edit::new(range, "#".repeat(level), finding));
        } else if heading.inner.start < heading.inner.end {
            // A heading that is underlined. What is in it keeps its own edits.
            let before = heading.range.start..heading.inner.start;
            edits.push(Edit::new(before, format!("{} ", "#".repeat(level)), finding));
            let inner = &text[heading.inner.clone()];
            for (at, _) in inner.match_indices('\n') {
                let at = heading.inner.start + at;
                edits.push(Edit::new(at..at + 1, " ".to_owned(), None));
            }
            let rest = &text[heading.inner.end..heading.range.end];
            let attributes = rest.lines().next().unwrap_or_default().trim_end();
            let start = heading.inner.end + attributes.len();
            let end = if rest.ends_with('\n') { heading.range.end - 1 } else { heading.range.end };
            edits.push(Edit::new(start..end.max(start), String::new(), None));
        }
    }
    edits
}

/// Writes braces at the end of a heading as text where they are no id and no classes, and leaves out other attributes.
fn attribute_edit(text: &str, heading: &Heading, dialect: Dialect) -> Option<Edit> {
    let line = text[heading.range.clone()].lines().next()?.trim_end();
    let open = line.rfind('{').filter(|_| line.ends_with('}'))?;
    let inside = line[open + 1..line.len() - 1].trim();
    let is_part = |part: &str| part.len() > 1 && part.starts_with(['#', '.']) && !part.contains(':');
    let is_text = inside.is_empty() || !inside.split_whitespace().all(is_part);
    let at = heading.range.start + open;
    let is_alone = is_text && !line[..open].ends_with(['{', '\\', '`']);
    let end = heading.range.start + line.len();
    let (kept, others): (Vec<&str>, Vec<&str>) = inside.split_whitespace().partition(|part| is_part(part));
    let is_sign = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let is_attribute =
        |part: &&str| part.split_once('=').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_sign));
    if dialect.has_heading_attributes && is_alone && !others.is_empty() && others.iter().all(is_attribute) {
        let left = others.join(" ").replace('`', "");
        let finding = Finding::left(format!("attributes of a heading were left out: `{left}`"));
        let kept = if kept.is_empty() { String::new() } else { format!("{{{}}}", kept.join(" ")) };
        return Some(Edit::new(at..end, kept, Some(finding)));
    }
    is_alone.then(|| Edit::new(at..end, format!("&#123;{inside}&#125;"), None))
}

/// Writes what follows the fence of a code block as the engine reads it.
fn info_edit(text: &str, range: &Range<usize>, info: &str) -> Option<Edit> {
    let line_end = text[range.start..].find('\n').map_or(text.len(), |end| range.start + end);
    let line = &text[range.start..line_end];
    let fence = line.chars().next()?;
    let start = range.start + line.find(|letter| letter != fence)?;
    let new = translated_info(info.trim());
    let old = text[start..line_end].trim();
    (new != old).then(|| Edit::new(start..line_end, new, None))
}

/// Translates `rust,ignore`, `js {1,3} showLineNumbers`, `go {linenos=table,hl_lines=[2]}` and `{.python .numberLines}`.
fn translated_info(info: &str) -> String {
    let end = info.find(|letter: char| letter.is_whitespace() || ",{:".contains(letter)).unwrap_or(info.len());
    let (language, options) = info.split_at(end);
    let mut language = language.to_owned();
    if language.is_empty()
        && let Some(class) = options.trim_start_matches(['{', ' ']).strip_prefix('.')
    {
        language = class.split([' ', '}', ',']).next().unwrap_or_default().to_owned();
    }
    let is_lines = |inside: &str| {
        !inside.is_empty() && inside.chars().all(|letter| letter.is_ascii_digit() || ",- ".contains(letter))
    };
    let mut kept = Vec::new();
    for quote in ['"', '\''] {
        let title = options.split_once(&format!("title={quote}")).and_then(|(_, rest)| rest.split_once(quote));
        kept.extend(title.filter(|(title, _)| !title.contains('"')).map(|(title, _)| format!("title=\"{title}\"")));
    }
    let name = options.split([',', ' ', '{', '}']).find_map(|option| option.strip_prefix("name="));
    kept.extend(
        name.filter(|name| !name.is_empty() && !name.contains(['"', '\''])).map(|name| format!("title=\"{name}\"")),
    );
    kept.extend(highlighted(options));
    let mut others = options.replace("showLineNumbers=false", "").replace("showLineNumbers={false}", "");
    for name in ["ins", "del"] {
        let lines = options.split_once(&format!("{name}={{")).and_then(|(_, rest)| rest.split_once('}'));
        let Some((inside, _)) = lines.filter(|(inside, _)| is_lines(inside)) else { continue };
        let part = format!("{name}={{{inside}}}");
        others = others.replace(&part, "");
        kept.push(part.replace(' ', ""));
    }
    let of_diff =
        options.split_once("lang=\"").and_then(|(_, rest)| rest.split_once('"')).filter(|_| language == "diff");
    kept.extend(of_diff.map(|(name, _)| format!("lang=\"{name}\"")));
    let options = others.as_str();
    let lines = options.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(inside, _)| inside);
    kept.extend(lines.filter(|inside| is_lines(inside)).map(|inside| format!("{{{}}}", inside.replace(' ', ""))));
    if ["showLineNumbers", "linenos=table", "linenos=true", "linenos=inline", "linenos,", "numberLines"]
        .iter()
        .any(|option| options.contains(option))
        || options.trim_end_matches('}').ends_with("linenos")
    {
        kept.push("linenos".to_owned());
    }
    // Without a language, the first option would be taken for it.
    if language.is_empty() && kept.is_empty() {
        return String::new();
    }
    let language = if language.is_empty() { "text".to_owned() } else { language };
    std::iter::once(language).chain(kept).collect::<Vec<_>>().join(" ")
}

/// Returns the lines that `hl_lines=[8,"15-17"]` of Hugo and `hl_lines=8 15-17` of Zola highlight.
fn highlighted(options: &str) -> Option<String> {
    let rest = options.split_once("hl_lines=")?.1;
    let is_sign = |letter: char| letter.is_ascii_digit() || "-, []\"'".contains(letter);
    let rest = &rest[..rest.find(|letter| !is_sign(letter)).unwrap_or(rest.len())];
    let parts = rest.split(|letter: char| !letter.is_ascii_digit() && letter != '-');
    let parts: Vec<&str> = parts.map(|part| part.trim_matches('-')).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(",")))
}

/// Writes braces outside of code so that the engine reads them as text.
fn brace_edits(text: &str, literal: &[Range<usize>], html: &[Range<usize>]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut literal, mut html) = (literal.iter().peekable(), html.iter().peekable());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = text[at..].find(['{', '}']).map(|found| at + found) {
        while literal.next_if(|range| range.end <= found).is_some() {}
        while html.next_if(|range| range.end <= found).is_some() {}
        let inside = literal.peek().or(html.peek()).is_some_and(|range| range.contains(&found))
            || html.peek().is_some_and(|range| range.contains(&found));
        let brace = bytes[found];
        let run = bytes[found..].iter().take_while(|byte| **byte == brace).count();
        at = found + run;
        let is_tag =
            run == 1 && brace == b'{' && text[at..].starts_with('%') && text[at + 1..].trim_start().starts_with('<');
        if !inside && (run > 1 || is_tag) {
            let is_escaped = text[..found].ends_with('\\');
            let new = if brace == b'{' { "\\{" } else { "\\}" }.repeat(run);
            let new = if is_escaped { new[1..].to_owned() } else { new };
            edits.push(Edit::new(found..at, new, None));
        }
    }
    edits
}

/// Writes brackets that look like those of links, and are none, so that they are text in any case. `links` is what is one, code or
/// HTML, by its start; `undefined` are links whose addresses are nowhere.
fn bracket_edits(text: &str, links: &[Range<usize>], undefined: &[Range<usize>]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut all = links.iter().peekable();
    let mut end = 0;
    // Where the last paragraph begins and the last bracket opens before `seen`.
    let (mut seen, mut paragraph, mut bracket) = (0, 0, None);
    for (at, _) in text.match_indices("](") {
        while let Some(range) = all.next_if(|range| range.start <= at) {
            end = end.max(range.end);
        }
        let between = &text[seen..at];
        paragraph = between.rfind("\n\n").map_or(paragraph, |found| seen + found);
        bracket = between.rfind('[').map(|found| seen + found).or(bracket);
        seen = at;
        if at < end || text[..at].ends_with('\\') || bracket.is_none_or(|bracket| bracket < paragraph) {
            continue;
        }
        let finding =
            Finding::fault("this looks like a link, but Markdown does not read it as one; it is written as text");
        edits.push(Edit::new(at + 1..at + 1, " ", Some(finding)));
    }
    for span in undefined.iter().filter(|span| text.get((*span).clone()).is_some()) {
        let source = &text[span.clone()];
        // The span may end before the second pair of brackets.
        let middle = match source.rfind("][") {
            Some(middle) => span.start + middle,
            None if source.ends_with(']') && text[span.end..].starts_with('[') => span.end - 1,
            None => continue,
        };
        let finding = Finding::fault(format!("`{source}` is not defined in this file; it is written as text"));
        edits.push(Edit::new(middle..middle + 2, "\\]\\[", Some(finding)));
    }
    edits
}

/// A link or picture in a text.
struct Place<'t> {
    text: &'t str,
    range: Range<usize>,
    /// The part between the brackets.
    inner: Range<usize>,
    is_picture: bool,
}

impl Place<'_> {
    fn edits(
        &self,
        definitions: &BTreeMap<String, Range<usize>>,
        done: &mut BTreeSet<usize>,
        resolver: &mut dyn Resolver,
    ) -> Vec<Edit> {
        let rest = &self.text[self.inner.end..self.range.end];
        if let Some(found) = rest.find("](").filter(|at| rest[..*at].trim().is_empty()) {
            let start = self.inner.end + found + 2;
            let Some(target) = destination(self.text, start, self.range.end) else { return Vec::new() };
            return self.replaced(&target, start - 2, resolver);
        }
        // `[words][label]`, `[label][]` and `[label]`.
        let words = &self.text[self.inner.clone()];
        let label =
            rest.split_once("][").and_then(|(_, label)| label.strip_suffix(']')).filter(|label| !label.is_empty());
        let label = label.unwrap_or(words).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let Some(span) = definitions.get(&label) else { return Vec::new() };
        let line = &self.text[span.clone()];
        let Some(colon) = line.find("]:") else { return Vec::new() };
        let after = span.start + colon + 2;
        let skipped = self.text[after..span.end].len() - self.text[after..span.end].trim_start().len();
        let Some(target) = destination(self.text, after + skipped, span.end) else { return Vec::new() };
        let address = unescaped(&self.text[target.clone()]);
        let link = if self.is_picture { resolver.picture(&address, false) } else { resolver.link(&address, false) };
        match link {
            Link::Keep => Vec::new(),
            Link::To(_) | Link::Changed(..) if !done.insert(span.start) => Vec::new(),
            Link::To(to) => vec![Edit::new(target, written(&to), None)],
            Link::Changed(to, finding) => vec![Edit::new(target, written(&to), Some(finding))],
            Link::Gone(finding) => self.without_link(self.inner.end, finding),
        }
    }

    fn replaced(&self, target: &Range<usize>, words_end: usize, resolver: &mut dyn Resolver) -> Vec<Edit> {
        let address = unescaped(&self.text[target.clone()]);
        let link = if self.is_picture { resolver.picture(&address, false) } else { resolver.link(&address, false) };
        match link {
            Link::Keep => Vec::new(),
            Link::To(to) => vec![Edit::new(target.clone(), written(&to), None)],
            Link::Changed(to, finding) => {
                vec![Edit::new(target.clone(), written(&to), Some(finding))]
            }
            Link::Gone(finding) => self.without_link(words_end, finding),
        }
    }

    /// Leaves the words alone.
    fn without_link(&self, words_end: usize, finding: Finding) -> Vec<Edit> {
        let before = self.range.start..self.inner.start;
        let after = words_end.max(self.inner.start)..self.range.end;
        vec![Edit::new(before, String::new(), Some(finding)), Edit::new(after, String::new(), None)]
    }
}

/// Returns the bytes of the address at a place, without angle brackets around it.
fn destination(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let rest = &text[start..end];
    let skipped = rest.len() - rest.trim_start().len();
    let (start, rest) = (start + skipped, rest.trim_start());
    if rest.starts_with('<') {
        let close = rest.find('>')?;
        return Some(start..start + close + 1);
    }
    let mut depth = 0_i32;
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' if depth == 0 => return Some(start..start + at),
            ')' => depth -= 1,
            letter if letter.is_whitespace() => return Some(start..start + at),
            _ => {}
        }
    }
    Some(start..end)
}

fn unescaped(address: &str) -> String {
    let address = address.strip_prefix('<').and_then(|address| address.strip_suffix('>')).unwrap_or(address);
    let mut out = String::with_capacity(address.len());
    let mut letters = address.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {}
            _ => out.push(letter),
        }
    }
    out.replace("&amp;", "&")
}

/// Writes an address in Markdown.
fn written(address: &str) -> String {
    let is_plain = !address.is_empty() && !address.contains([' ', '(', ')', '<', '>', '\\']);
    if is_plain { address.to_owned() } else { format!("<{}>", address.replace('<', "%3C").replace('>', "%3E")) }
}

/// Applies edits, puts calls in the place of marks, and finds the lines of findings.
fn assemble(body: &Body, mut edits: Vec<Edit>, literal: &[Range<usize>], components: &Components) -> Translated {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let text = body.text.as_str();
    let mut writer =
        Writer { body, components, out: String::with_capacity(text.len()), found: Vec::new(), is_html: false };
    let mut at = 0;
    let mut literal = literal.iter().peekable();
    let mut write_plain = |writer: &mut Writer, from: usize, to: usize| {
        let mut at = from;
        while at < to {
            while literal.next_if(|range| range.end <= at).is_some() {}
            match literal.peek() {
                Some(range) if range.start <= at => {
                    let end = range.end.min(to);
                    writer.write_code(&text[at..end]);
                    at = end;
                }
                Some(range) if range.start < to => {
                    writer.write(&text[at..range.start]);
                    at = range.start;
                }
                _ => {
                    writer.write(&text[at..to]);
                    at = to;
                }
            }
        }
    };
    for edit in edits {
        if edit.range.start < at {
            continue;
        }
        write_plain(&mut writer, at, edit.range.start);
        let at_start = writer.out.len();
        writer.found.extend(edit.finding.into_iter().chain(edit.more).map(|finding| (at_start, finding)));
        writer.is_html = edit.is_html;
        writer.write(&edit.new);
        writer.is_html = false;
        at = edit.range.end;
    }
    write_plain(&mut writer, at, text.len());
    let (mut findings, mut line, mut from) = (Vec::new(), 1, 0);
    for (offset, finding) in writer.found {
        line += writer.out[from..offset].matches('\n').count();
        from = offset;
        findings.push((line, finding));
    }
    Translated { text: writer.out, findings }
}

/// Writes text in which marks become calls.
struct Writer<'b> {
    body: &'b Body,
    components: &'b Components,
    out: String,
    found: Vec<(usize, Finding)>,
    /// Whether HTML is written.
    is_html: bool,
}

impl Writer<'_> {
    /// Writes code as it was. Some generators called what is written in it too.
    fn write_code(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(MARK.0) {
            rest = &rest[at..];
            let slot = self.body.slot(rest);
            if let Some(((Slot::Call(call), ..), _)) = slot {
                let finding = Finding::left(format!("{} in code was left as it is written", call.origin));
                self.found.push((self.out.len(), finding));
            }
            rest = &rest[slot.map_or(MARK.0.len_utf8(), |(_, length)| length)..];
        }
        self.out.push_str(&self.body.original(text));
    }

    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(MARK.0) {
            self.out.push_str(&rest[..at]);
            rest = &rest[at..];
            let Some(((slot, _, finding), length)) = self.body.slot(rest) else {
                rest = &rest[MARK.0.len_utf8()..];
                continue;
            };
            self.found.extend(finding.clone().map(|finding| (self.out.len(), finding)));
            match slot {
                Slot::Call(call) if self.is_html => {
                    let finding =
                        Finding::left(format!("{} in HTML was left out: HTML calls no components", call.origin));
                    self.found.push((self.out.len(), finding));
                }
                Slot::Call(call) => self.out.push_str(&self.components.written(call)),
                Slot::Text(text) => self.out.push_str(text),
            }
            rest = &rest[length..];
        }
        self.out.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table;

    impl Resolver for Table {
        fn link(&mut self, address: &str, _: bool) -> Link {
            match address {
                "a" => Link::To("/new".to_owned()),
                "gone" => Link::Gone(Finding::fault("gone")),
                _ => Link::Keep,
            }
        }

        fn picture(&mut self, address: &str, is_html: bool) -> Link {
            self.link(address, is_html)
        }
    }

    fn translated(text: &str) -> (String, Vec<usize>) {
        let body = Body::plain(text);
        let dialect = Dialect { has_heading_attributes: true, ..Dialect::default() };
        let outline = outline(&body, Some("Title"), dialect);
        let made = translate(&body, &outline, dialect, &Components::default(), &mut Table);
        (made.text, made.findings.into_iter().map(|(line, _)| line).collect())
    }

    #[test]
    fn only_what_must_change_changes() {
        for (text, expected) in [
            ("# Title\n\nx\n\n## A\n", "\nx\n\n## A\n"),
            ("# A\n\n### B\n\n# C {#c}\n", "## A\n\n### B\n\n## C {#c}\n"),
            ("Title two\n===\n\nSub *a*\n---\n\nx\n", "## Title two\n\n### Sub *a*\n\nx\n"),
            ("## A\n\n#### B\n", "## A\n\n### B\n"),
            ("## A {#a .b c=\"d\"}\n", "## A {#a .b}\n"),
            ("## A {b}\n", "## A &#123;b&#125;\n"),
            ("[x](a) [y](gone) [z](b \"t\")", "[x](/new) y [z](b \"t\")"),
            ("[x][l] [l]\n\n[l]: a \"t\"\n", "[x][l] [l]\n\n[l]: /new \"t\"\n"),
            ("[*x*][l]\n\n[l]: gone\n", "*x*\n\n[l]: gone\n"),
            ("![](a) [![p](a)](a)", "![](/new) [![p](/new)](/new)"),
            ("{{ x }} `{{ x }}` \\{{ y }}", "\\{\\{ x \\}\\} `{{ x }}` \\{\\{ y \\}\\}"),
            ("```rust,ignore\n{{ x }}\n```\n", "```rust\n{{ x }}\n```\n"),
            ("```go {linenos=table,hl_lines=[8,\"15-17\"]}\nx\n```\n", "```go {8,15-17} linenos\nx\n```\n"),
            ("```rust,linenos,hl_lines=1 3,name=a.rs\nx\n```\n", "```rust title=\"a.rs\" {1,3} linenos\nx\n```\n"),
            ("```js {1,3} title=\"a.js\" showLineNumbers\nx\n```\n", "```js title=\"a.js\" {1,3} linenos\nx\n```\n"),
            ("```js ins={2} del={1, 3} {4} showLineNumbers=false\nx\n```\n", "```js ins={2} del={1,3} {4}\nx\n```\n"),
            ("```diff lang=\"js\"\nx\n```\n", "```diff lang=\"js\"\nx\n```\n"),
            ("<p style=\"x\"><a href=\"a\">{{ x }}</a>\n", "<p><a href=\"/new\">&#123;&#123; x &#125;&#125;</a>\n"),
        ] {
            assert_eq!(translated(text).0, expected, "{text}");
        }
    }

    #[test]
    fn calls_stand_apart_from_html() {
        let call = |name: &str| super::super::components::Call {
            name: name.to_owned(),
            args: Vec::new(),
            tag: super::super::components::Tag::Alone,
            origin: String::new(),
        };
        let mut body = Body::default();
        let [a, b] = ["a", "b"].map(|name| body.mark(Slot::Call(call(name)), name, None));
        body.text = format!("<img>\n{a}\n<div>\nx {b}\n</div>\n{a}\n\n```\n<p>\n{b}\n```\n");
        set_calls_apart(&mut body);
        assert_eq!(body.text, format!("<img>\n\n{a}\n\n<div>\nx {b}\n</div>\n\n{a}\n\n```\n<p>\n{b}\n```\n"));
    }

    #[test]
    fn ids_are_those_of_the_old_generator() {
        for (text, ids, expected) in [
            ("Über uns: A & b_c", Ids::GitHub, "über-uns-a--b_c"),
            ("Über uns: A & b_c", Ids::Ascii, "uber-uns-a-b-c"),
            // By `sanitizeAnchorName` of Hugo.
            ("Über uns: A & b_c", Ids::GitHubAscii, "uber-uns-a--b_c"),
            ("Straße 中文", Ids::GitHubAscii, "strae-"),
            ("中文", Ids::GitHubAscii, "heading"),
            ("Über uns: A & b_c", Ids::Blackfriday, "über-uns-a-b-c"),
        ] {
            assert_eq!(id_of(text, ids), expected, "{text} {ids:?}");
        }
    }

    #[test]
    fn findings_have_the_line_of_what_was_found() {
        assert_eq!(translated("a\n\n[x](gone)\n\n<b style='x'>b</b>\n").1, [3, 5]);
    }

    #[test]
    fn any_text_is_translated_without_a_panic() {
        for text in [
            "[",
            "](",
            "[a]: <",
            "![[x](gone)](gone)",
            "- # a\n  ===\n",
            "{{{{",
            "<a",
            "```",
            "> ## a\nb\n---",
            "é\n=\n",
        ] {
            for times in [1, 50] {
                translated(&text.repeat(times));
                translated(&format!("{text}\n").repeat(times));
            }
        }
    }
}
