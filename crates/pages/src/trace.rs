//! Finds where a tag of a finished page was written: which line of which template or Markdown file.
//!
//! This runs only when a page has a mistake. The page is rendered again from the same content with marks in it: every
//! template gets one before each tag and each `{{ … }}` of its text, every Markdown body one before each tag it writes.
//! Marks are text between tags, so the tags of both renderings correspond one to one, and the last mark before a tag
//! shows where it was written.

use super::Inputs;
use sitegen_content::address::inside;
use sitegen_content::calls;
use sitegen_content::yaml::{Node, Value};
use sitegen_content::{Document, Site, View};
use sitegen_core::diagnostics::{Place, Span};
use sitegen_core::paths::{Format, Route, SourcePath};
use sitegen_core::profile::Trace;
use sitegen_core::sources::{SourceKind, Sources};
use sitegen_templates::TEMPLATES;
use sitegen_templates::lexer::{Kind, Token, code_length, codes, named};
use std::collections::BTreeMap;

/// Where the parts of the traced pages were written.
#[derive(Debug, Default)]
pub struct Traces {
    /// For each page of HTML where its tags were written.
    pub pages: BTreeMap<Route, Vec<Origin>>,
    /// The pages of other formats.
    pub files: BTreeMap<Route, Traced>,
}

/// A page that is no HTML, with the marks taken out.
#[derive(Debug, Default)]
pub struct Traced {
    /// What was rendered.
    pub text: String,
    /// The marks in their order: an offset in the text, and a file with an offset in it.
    marks: Vec<(usize, SourcePath, usize)>,
}

impl Traced {
    /// Takes the marks out of a text.
    pub fn of(marks: &Trace, marked: &str) -> Self {
        let mut traced = Traced::default();
        for (place, text) in marks.parts(marked) {
            if let Some((path, offset)) = place {
                traced.marks.push((traced.text.len(), SourcePath::new(path), offset));
            }
            traced.text.push_str(text);
        }
        traced
    }

    /// Returns the last mark before an offset, and how far behind it the offset is.
    fn before(&self, offset: usize) -> Option<(&SourcePath, usize, usize)> {
        let behind = self.marks.partition_point(|(at, ..)| *at <= offset);
        let (at, path, start) = self.marks.get(behind.checked_sub(1)?)?;
        Some((path, *start, offset - at))
    }
}

/// Returns where an offset of a page that is no HTML was written: in its template, or the value in content that is there.
///
/// Without a trace, which a template can make impossible (a filter that cuts a text counts the marks in it), the place is
/// the first text of the template or of content that is the value, or the template.
pub fn in_file(
    inputs: Inputs,
    page: &Document,
    template: &str,
    traced: Option<&Traced>,
    offset: usize,
    value: Option<&str>,
) -> Place {
    let Inputs { sources, site, view, .. } = inputs;
    let own = SourcePath::new(format!("{TEMPLATES}/{template}"));
    let wanted: Vec<String> = value.map(|value| vec![value.to_owned(), shortened(site, value)]).unwrap_or_default();
    let quoted = |path: &SourcePath| {
        let text = sources.text(path)?;
        let ends = [('"', '"'), ('\'', '\''), ('>', '<')];
        wanted.iter().filter(|value| value.len() > 1).find_map(|value| {
            let find = |(open, close)| Some(text.find(&format!("{open}{value}{close}"))? + 1);
            Some(Place::new(path, Span::at(ends.into_iter().find_map(find)?, value.len())))
        })
    };
    let wanted_texts: Vec<&str> = wanted.iter().map(String::as_str).filter(|value| value.len() > 1).collect();
    let in_values = || in_content(view, page, &wanted_texts).into_iter().next();
    let Some((path, start, behind)) = traced.and_then(|traced| traced.before(offset)) else {
        return quoted(&own).or_else(in_values).unwrap_or_else(|| Place::file(&own));
    };
    let (text, base) = sources.text_at(path, start).unwrap_or_default();
    let written = text.get(start - base..).unwrap_or_default();
    if path.below(TEMPLATES).is_none() {
        let in_text = || shifted(in_markdown(site, path, text, (start - base).min(text.len()), None), base);
        return in_values().unwrap_or_else(in_text);
    }
    // What is written in the template stands there letter by letter, up to the next code.
    let literal = codes(text).into_iter().find(|code| code.span.end > start).map_or(text.len(), |code| code.span.start);
    if start + behind < literal {
        let length = value.map_or(1, str::len).min(literal - start - behind);
        return Place::new(path, Span::at(start + behind, length));
    }
    let code = start + written.find('{').unwrap_or(0).max(literal.saturating_sub(start));
    let span = Span::at(code.min(text.len()), code_length(text.get(code..).unwrap_or_default()).max(1));
    let in_code = wanted.iter().find_map(|value| {
        let at = text.get(span.start..span.end)?.find(&format!("\"{value}\""))?;
        Some(Place::new(path, Span::at(span.start + at + 1, value.len())))
    });
    in_code.or_else(in_values).unwrap_or_else(|| Place::new(path, span))
}

/// Where one tag was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The template, content or island that has the tag.
    pub path: SourcePath,
    /// The offset of the tag in it, or of the `{{ … }}` that wrote it.
    pub offset: usize,
    /// Whether the tag itself is there. If not, something at that offset wrote it.
    pub is_exact: bool,
}

/// Decodes the last mark of a text. Also returns whether the text ends with it.
pub fn last_mark(marks: &Trace, text: &str) -> Option<(SourcePath, usize, bool)> {
    let (place, after) = marks.parts(text).last()?;
    let (path, offset) = place?;
    Some((SourcePath::new(path), offset, after.is_empty()))
}

/// Returns a template's text with marks in it. It renders the same tags.
pub fn marked(marks: &Trace, path: &SourcePath, text: &str) -> String {
    if !Format::of(path.name()).is_html() {
        return marked_file(marks, path, text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut from = 0;
    let mut quote = None;
    let mut in_tag = false;
    let mut raw: Option<String> = None;
    let mut codes = codes(text).into_iter().peekable();
    while from < text.len() {
        let rest = &text[from..];
        if let Some(code) = codes.next_if(|code| code.span.start == from) {
            if code.kind == Kind::Expression && !in_tag && raw.is_none() {
                out.push_str(&marks.mark(path.as_str(), from));
            }
            out.push_str(&text[from..code.span.end]);
            from = code.span.end;
            continue;
        }
        let letter = rest.chars().next().unwrap_or(' ');
        if let Some(name) = &raw {
            let is_end = rest.get(..name.len() + 2).is_some_and(|end| end.eq_ignore_ascii_case(&format!("</{name}")));
            if is_end {
                raw = None;
                in_tag = true;
                out.push_str(&marks.mark(path.as_str(), from));
            }
        } else if in_tag {
            match (quote, letter) {
                (Some(open), close) if open == close => quote = None,
                (None, '"' | '\'') => quote = Some(letter),
                (None, '>') => {
                    in_tag = false;
                    raw = raw_element(&text[..from]);
                }
                _ => {}
            }
        } else if letter == '<' {
            let next = rest[1..].chars().next().unwrap_or(' ');
            if let Some(comment) = rest.strip_prefix("<!--") {
                let length = comment.find("-->").map_or(rest.len(), |at| at + 7);
                out.push_str(&rest[..length]);
                from += length;
                while codes.next_if(|code| code.span.start < from).is_some() {}
                continue;
            }
            // An expression may give the name of the element: `<{{ heading }}>`.
            let is_named_by_code = rest[1..].starts_with("{{");
            if next.is_ascii_alphabetic() || next == '/' || is_named_by_code {
                out.push_str(&marks.mark(path.as_str(), from));
            }
            in_tag = next.is_ascii_alphabetic() || matches!(next, '/' | '!') || is_named_by_code;
        }
        out.push(letter);
        from += letter.len_utf8();
    }
    out
}

/// Returns a template that makes no HTML with a mark before each `{{ … }}` and behind each code. It renders the same but for
/// the marks: none is set where a code trims the white space beside it, nor in front of `extends`.
fn marked_file(marks: &Trace, path: &SourcePath, text: &str) -> String {
    let codes = codes(text);
    let extends =
        |code: &sitegen_templates::lexer::Code| matches!(code.tokens.first(), Some((Token::Word("extends"), _)));
    let is_child = codes.iter().any(extends);
    let mut out = String::with_capacity(text.len() * 2);
    let mut from = 0;
    if !is_child {
        out.push_str(&marks.mark(path.as_str(), 0));
    }
    for code in codes {
        let written = &text[code.span.start..code.span.end];
        out.push_str(&text[from..code.span.start]);
        if code.kind == Kind::Expression && !written.starts_with("{{-") {
            out.push_str(&marks.mark(path.as_str(), code.span.start));
        }
        out.push_str(written);
        from = code.span.end;
        let trims = written.get(..written.len() - 2).is_some_and(|start| start.ends_with('-'));
        if !trims && (!is_child || code.kind == Kind::Expression) {
            out.push_str(&marks.mark(path.as_str(), from));
        }
    }
    out.push_str(&text[from..]);
    out
}

/// Returns the element whose start tag ends here, if its content is raw text.
fn raw_element(before: &str) -> Option<String> {
    let tag = &before[before.rfind('<')? + 1..];
    let name: String = tag.chars().take_while(|letter| letter.is_ascii_alphanumeric()).collect();
    let is_raw = ["script", "style", "title", "textarea"].iter().any(|raw| name.eq_ignore_ascii_case(raw));
    (is_raw && !before.ends_with('/')).then_some(name)
}

/// Returns the place of a value that an island renders: in its file, or in one of the parts that it imports.
pub fn in_island(sources: &Sources, island: &str, value: Option<&str>) -> Place {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return first_in_island(sources, island, |_| None);
    };
    first_in_island(sources, island, |text| quoted(text, value))
}

/// Returns the place of a value in a text, between quotation marks or as an address in CSS.
fn quoted(text: &str, value: &str) -> Option<Span> {
    let marks = [('"', '"'), ('\'', '\''), ('(', ')')];
    let at = marks.into_iter().find_map(|(open, close)| text.find(&format!("{open}{value}{close}")))?;
    Some(Span::at(at + 1, value.len()))
}

/// Returns the places of an address in the stylesheets that islands import: in a file of the project, or at the
/// import of the package that has it. Nothing if none of them has it.
pub fn in_styles_of_islands(inputs: Inputs, address: &str) -> Vec<Place> {
    let Inputs { sources, tools, .. } = inputs;
    let base_path = &inputs.site.settings.base_path;
    let has_it = |css: &str| css.replace(sitegen_islands::BASE, base_path).contains(address);
    let islands = inputs.islands.styles.iter().filter(|(_, css)| has_it(css)).map(|(name, _)| name);
    let place = |name: &str| {
        let own = sources.of(SourceKind::Island).filter(|(path, _)| path.extension() == Some("css"));
        let mut own = own.filter_map(|(path, _)| Some(Place::new(path, quoted(sources.text(path)?, address)?)));
        if let Some(place) = own.next() {
            return place;
        }
        let prerenderer = inputs.islands.prerenderers.get(name);
        let mut imports = prerenderer.iter().flat_map(|prerenderer| prerenderer.imports.iter());
        let import = imports.find_map(|(importer, imports)| {
            let importer = SourcePath::new(importer);
            let text = sources.text(&importer).filter(|_| importer.below("islands").is_some())?;
            let has_it = |path: &str| {
                tools.package_file(path).is_some_and(|css| memchr::memmem::find(&css, address.as_bytes()).is_some())
            };
            let (_, written) = imports.iter().find(|(path, _)| path.ends_with(".css") && has_it(path))?;
            Some(Place::new(&importer, quoted(text, written)?))
        });
        import.unwrap_or_else(|| Place::file(&sitegen_islands::file_of(sources, name)))
    };
    let mut places: Vec<Place> = islands.map(|name| place(name)).collect();
    places.dedup();
    places
}

/// Returns the place of the first tag of a name that an island, or one of its parts, has.
pub fn tag_in_island(sources: &Sources, island: &str, name: &str) -> Place {
    let tag = format!("<{name}");
    let is_end = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || "-_.".contains(letter));
    first_in_island(sources, island, |text| {
        let (at, _) = text.match_indices(&tag).find(|(at, _)| is_end(&text[at + tag.len()..]))?;
        Some(Span::at(at, tag.len()))
    })
}

/// Returns the first place that is found in the file of an island or else in another script.
fn first_in_island(sources: &Sources, island: &str, find: impl Fn(&str) -> Option<Span>) -> Place {
    let own = sitegen_islands::file_of(sources, island);
    let parts = sources.of(SourceKind::Island).map(|(path, _)| path.clone());
    let mut files = std::iter::once(own.clone()).chain(parts);
    let place = files.find_map(|path| Some(Place::new(&path, find(sources.text(&path)?)?)));
    place.unwrap_or(Place::file(&own))
}

/// Returns the places of a tag or of one of its attributes, as close as possible to what an editor wrote.
///
/// `page` is the file of the page. For an attribute that a template fills from content, the place is the value in that
/// content; if several files have the same value, all of them.
pub fn places(inputs: Inputs, page: &Document, origin: &Origin, attribute: Option<(&str, Option<&str>)>) -> Vec<Place> {
    let Inputs { sources, site, view, .. } = inputs;
    let (text, base) = sources.text_at(&origin.path, origin.offset).unwrap_or_default();
    let start = (origin.offset - base).min(text.len());
    let rest = &text[start..];
    if origin.path.below(TEMPLATES).is_none() {
        return vec![shifted(in_markdown(site, &origin.path, text, start, attribute), base)];
    }
    if !origin.is_exact {
        return vec![Place::new(&origin.path, Span::at(start, code_length(rest).max(1)))];
    }
    let tag = &rest[..tag_length(rest)];
    if tag.starts_with("</") {
        return vec![Place::new(&origin.path, Span::at(start, tag.len()))];
    }
    let name_length = 1 + tag[1..].find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(tag.len() - 1);
    let Some((name, value)) = attribute else {
        return vec![Place::new(&origin.path, Span::at(start, name_length))];
    };
    let Some((at, written)) = attribute_value(tag, name) else {
        return vec![Place::new(&origin.path, Span::at(start, name_length))];
    };
    let span = Span::at(start + at, written.len());
    // An attribute that must be removed is marked by its name; of others the value has to change.
    if value.is_none() {
        let lower = tag[..at].to_ascii_lowercase();
        let begin = lower.rfind(name).unwrap_or(at);
        return vec![Place::new(&origin.path, Span::at(start + begin, name.len()))];
    }
    let value = value.unwrap_or_default();
    if !written.contains("{{") && !written.contains("{%") {
        // In a list of addresses, as in `srcset`, the one that is meant.
        let starts = std::iter::once(0).chain(written.match_indices(',').map(|(comma, _)| comma + 1));
        let mut within = starts.filter_map(|start| {
            let part = &written[start..];
            let at = start + part.len() - part.trim_start().len();
            let after = written[at..].strip_prefix(value)?;
            (after.is_empty() || after.starts_with([' ', ',', '\n', '\t'])).then_some(at)
        });
        let span = within.next_back().map_or(span, |within| Span::at(span.start + within, value.len()));
        return vec![Place::new(&origin.path, span)];
    }
    let short = shortened(site, value);
    // A path written directly in the template, as in `url(path="/careers")`, is the editor's own.
    for wanted in [value, short.as_str()] {
        if let Some(within) = written.find(&format!("\"{wanted}\"")) {
            return vec![Place::new(&origin.path, Span::at(start + at + within + 1, wanted.len()))];
        }
    }
    let mut places = in_content(view, page, &[value, &short]);
    if places.is_empty() {
        places.push(Place::new(&origin.path, span));
    }
    places
}

/// Returns the same place in a text that begins at an offset of its file.
fn shifted(place: Place, base: usize) -> Place {
    Place { span: place.span.map(|span| span.shifted(base)), ..place }
}

/// Returns the component that Markdown calls in a paragraph, and the tag of the call, if it made a tag in that paragraph.
pub fn call_in_paragraph(sources: &Sources, tag: &Origin, paragraph: &Origin) -> Option<(String, Place)> {
    let is_written = |origin: &Origin| origin.path.below(TEMPLATES).is_none();
    if is_written(tag) || !is_written(paragraph) {
        return None;
    }
    let components = named(sources.text(&tag.path)?, "component");
    let (text, base) = sources.text_at(&paragraph.path, paragraph.offset)?;
    let written = text.get(paragraph.offset - base..)?;
    let mut calls = calls::all(written).filter_map(|(written, call)| Some((written.span, call?.ok()?.component)));
    let (span, component) = calls.find(|(_, component)| components.contains(component))?;
    let span = Span { start: paragraph.offset + span.start, end: paragraph.offset + span.end };
    Some((component.to_owned(), Place::new(&paragraph.path, span)))
}

/// Returns the place of a part of an element's text, if the file has the text up to its end letter by letter.
pub fn in_text(sources: &Sources, origin: &Origin, (before, span): (&str, Span)) -> Option<Place> {
    let (text, base) = sources.text_at(&origin.path, origin.offset)?;
    let rest = text.get(origin.offset - base..)?;
    let rest = if origin.is_exact { rest } else { &rest[rest.find("<style")?..] };
    let length = tag_length(rest);
    let start = base + text.len() - rest.len() + length;
    rest[length..]
        .starts_with(before)
        .then(|| Place::new(&origin.path, Span { start: start + span.start, end: start + span.end }))
}

/// Returns the length of the start tag at the start of a template's text. Template code in it may contain a `>`.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let construct = code_length(&text[at..]);
        if construct > 0 {
            at += construct;
            continue;
        }
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '>') => return at + 1,
            _ => {}
        }
        at += letter.len_utf8();
    }
    text.len()
}

/// Returns offset and text of an attribute's value in a tag of a template.
fn attribute_value<'t>(tag: &'t str, name: &str) -> Option<(usize, &'t str)> {
    let lower = tag.to_ascii_lowercase();
    for (at, _) in lower.match_indices(name) {
        let before = tag[..at].chars().next_back()?;
        let after = &tag[at + name.len()..];
        let value = after.trim_start().strip_prefix('=').map(str::trim_start);
        let (Some(value), true) = (value, before.is_whitespace()) else { continue };
        let offset = tag.len() - value.len();
        return match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let mut end = 1;
                while end < value.len() && !value[end..].starts_with(quote) {
                    let construct = code_length(&value[end..]);
                    end +=
                        if construct > 0 { construct } else { value[end..].chars().next().map_or(1, char::len_utf8) };
                }
                Some((offset + 1, &value[1..end.min(value.len())]))
            }
            _ => {
                let end = value.find([' ', '>', '\n', '\t']).unwrap_or(value.len());
                Some((offset, &value[..end]))
            }
        };
    }
    None
}

fn in_markdown(
    site: &Site,
    path: &SourcePath,
    text: &str,
    start: usize,
    attribute: Option<(&str, Option<&str>)>,
) -> Place {
    let line = text[start..].lines().next().unwrap_or_default().trim_end().len();
    if let Some((_, Some(value))) = attribute {
        // `[text](address)`: the text may contain the same words.
        let inline =
            text[start..].find("](").map(|at| start + at + 2).filter(|_| text[start..].starts_with(['[', '!']));
        if let Some(begin) = inline {
            let length = text[begin..].find([')', ' ', '\n']).unwrap_or(0);
            return Place::new(path, Span::at(begin, length));
        }
        let short = shortened(site, value);
        for wanted in [value, short.as_str(), short.trim_start_matches('/')] {
            // Reference links have their address further down, so the search covers the rest of the file.
            if let Some(at) = text[start..].find(wanted).filter(|_| !wanted.is_empty()) {
                return Place::new(path, Span::at(start + at, wanted.len()));
            }
        }
    }
    if let Some((name, None)) = attribute
        && let Some(at) = text[start..].to_ascii_lowercase().find(&format!("{name}="))
    {
        return Place::new(path, Span::at(start + at, name.len()));
    }
    let first = text[start..].chars().next().map_or(0, char::len_utf8);
    Place::new(path, Span::at(start, line.max(first)))
}

/// Returns the YAML values that equal one of these: in the page, in collections and in `site.yaml`.
pub fn in_content(view: &View, page: &Document, wanted: &[&str]) -> Vec<Place> {
    let documents = [(&page.source, &page.data)].into_iter().chain(view.keys());
    let mut places = Vec::new();
    for (path, data) in documents {
        find_values(path, data, wanted, &mut places);
    }
    places
}

fn find_values(path: &SourcePath, node: &Node, wanted: &[&str], places: &mut Vec<Place>) {
    match &node.value {
        Value::Text(text) if wanted.contains(&text.as_str()) => places.push(Place::new(path, node.span)),
        Value::List(items) => items.iter().for_each(|item| find_values(path, item, wanted, places)),
        Value::Map(entries) => entries.iter().for_each(|(_, item)| find_values(path, item, wanted, places)),
        _ => {}
    }
}

/// Returns an address as editors write it: without the site's origin and base path.
fn shortened(site: &Site, value: &str) -> String {
    let value = value.strip_prefix(site.settings.origin.as_str()).unwrap_or(value);
    let base = inside(&site.settings.base_path, "");
    value.strip_prefix(base.as_str()).unwrap_or(value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows each mark of a text as `[offset]`.
    fn shown(text: &str) -> String {
        let marks = Trace::of(&[1, 2]);
        let marked = marked(&marks, &SourcePath::new("t"), text);
        let shown = |(place, text): (Option<(&str, usize)>, &str)| match place {
            Some((_, offset)) => format!("[{offset}]{text}"),
            None => text.to_owned(),
        };
        marks.parts(&marked).map(shown).collect()
    }

    #[test]
    fn tags_and_expressions_of_text_are_marked_and_nothing_else() {
        assert_eq!(shown("<p class=\"{{ a }}\">{{ b }}</p>"), "[0]<p class=\"{{ a }}\">[19]{{ b }}[26]</p>");
        assert_eq!(shown("{# <p> #}{% if \"<p>\" %}<br>{% endif %}"), "{# <p> #}{% if \"<p>\" %}[23]<br>{% endif %}");
        assert_eq!(shown("{% raw %}{{ <p> }}{% endraw %}<b>"), "{% raw %}{{ [12]<p> }}{% endraw %}[30]<b>");
        assert_eq!(shown("<!-- {{ a }} -->{{ b }}"), "<!-- {{ a }} -->[16]{{ b }}");
        assert_eq!(shown("<title>{{ t }}</title><b>"), "[0]<title>{{ t }}[14]</title>[22]<b>");
        assert_eq!(shown("<{{ h }} id=a>{{ t }}</{{ h }}>"), "[0]<{{ h }} id=a>[14]{{ t }}[21]</{{ h }}>");
        assert_eq!(shown("<!-- <p> --><a href='>'>x</a>"), "<!-- <p> -->[12]<a href='>'>x[25]</a>");
    }

    #[test]
    fn the_last_mark_is_read_with_its_place() {
        let (marks, others) = (Trace::of(&[1, 2]), Trace::of(&[1, 3]));
        let text = format!("a{}b{} ", marks.mark("x.html", 7), marks.mark("y:z.md", 12));
        assert_eq!(last_mark(&marks, &text), Some((SourcePath::new("y:z.md"), 12, false)));
        assert_eq!(last_mark(&others, &text), None);
        assert_eq!(last_mark(&marks, &format!("{}{}", marks.mark("x", 7), others.mark("y", 8))).unwrap().1, 7);
        assert_eq!(last_mark(&marks, "a"), None);
    }

    #[test]
    fn an_attribute_is_found_in_a_template_tag() {
        let tag = "<a data-href=\"x\" href=\"{{ url(path=\"/a\") }}\" id='b'>";
        assert_eq!(attribute_value(tag, "href"), Some((23, "{{ url(path=\"/a\") }}")));
        assert_eq!(attribute_value(tag, "id").unwrap().1, "b");
        assert_eq!(attribute_value(tag, "class"), None);
    }
}
