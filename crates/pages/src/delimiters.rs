//! Finds delimiters of code that are missing or broken: a tag without `%}`, `{ %` with a space.
//!
//! A parser that misses the end of a tag goes on reading HTML as code, and gives up somewhere in it. So the end is added
//! where it may have been meant, and what then parses further was missing it.

use sitegen_core::diagnostics::{Diagnostic, Place, Span, TemplateProblem};
use sitegen_core::paths::SourcePath;
use sitegen_templates::lexer::{Code, Kind, Token, codes};
use std::ops::Range;

/// The most places where an end is tried: each parses the template.
const TRIED: usize = 40;

const OPEN: [&str; 3] = ["{{", "{%", "{#"];
const CLOSE: [&str; 3] = ["}}", "%}", "#}"];

/// Reports code without its end, in which a template does not parse at byte `error`. `parse` returns the byte at which
/// another text does not parse.
pub fn missing_end(
    path: &SourcePath,
    text: &str,
    error: usize,
    parse: impl Fn(&str) -> Option<usize>,
) -> Option<Diagnostic> {
    let code = codes(text).into_iter().find(|code| code.span.start <= error && error <= code.span.end)?;
    let (name, close) = match code.kind {
        Kind::Expression => ("`{{`", "}}"),
        Kind::Tag => ("this tag", "%}"),
        Kind::Comment => ("this comment", "#}"),
    };
    if let Some(diagnostic) = nested(path, text, &code) {
        return Some(diagnostic);
    }
    let inner = code.span.start + 2;
    let rest = &text[inner..];
    let closed = CLOSE.iter().filter_map(|close| rest.find(close)).min();
    // It was to end before the last code that begins before this one is closed.
    let limit = closed.map_or(Some(rest.len()), |at| OPEN.iter().filter_map(|open| rest[..at].rfind(open)).max())?;
    let is_end = |at: &usize| rest[*at..].starts_with(['\n', '<', '>', '"']) || starts_code(&rest[*at..]);
    let ends = rest[..limit].char_indices().map(|(at, _)| at).filter(is_end).chain([limit]);
    let end = ends.take(TRIED).map(|end| inner + rest[..end].trim_end().len()).find(|end| {
        let fixed = format!("{} {close}{}", &text[..*end], &text[*end..]);
        parse(&fixed).is_none_or(|at| at > end + close.len())
    })?;
    let detail = format!("{name} is never closed: add `{close}`");
    Some(syntax(path, detail, code.span.start..end))
}

fn starts_code(text: &str) -> bool {
    OPEN.iter().any(|open| text.starts_with(open))
}

/// Finds `{{ a {{ b }} }}`.
fn nested(path: &SourcePath, text: &str, code: &Code) -> Option<Diagnostic> {
    let inner = code.span.start + 2;
    let line = text[inner..].lines().next().unwrap_or_default();
    let start = line.find("{{").filter(|start| !line[..*start].contains("}}"))?;
    let end = start + line[start..].find("}}")? + 2;
    // A map as the argument of a component: `data={{"key": value}}`.
    if line[start + 2..].trim_start().starts_with(['"', '\'']) {
        return None;
    }
    let close = if code.kind == Kind::Expression { "}}" } else { "%}" };
    let is_nested = line[end..].find(close).is_some_and(|close| !line[end..end + close].contains('{'));
    let value = line[start + 2..end - 2].trim();
    let detail = format!("code inside braces needs no further braces: write `{value}`");
    is_nested.then(|| syntax(path, detail, inner + start..inner + end))
}

/// Says what stands before an `extends` at byte `at`, which has to come first.
pub fn before_extends(path: &SourcePath, text: &str, at: usize) -> Option<Diagnostic> {
    let mut from = 0;
    for code in codes(text) {
        let gap = &text[from..code.span.start];
        let start = from + gap.len() - gap.trim_start().len();
        let is_text = !gap.trim().is_empty();
        let is_extends = code.span.start <= at && at <= code.span.end;
        if is_text || code.kind != Kind::Comment && !is_extends {
            let end = if is_text { from + gap.trim_end().len() } else { code.span.end };
            let end = start + text[start..end].lines().next().map_or(0, str::len);
            let detail = "`extends` must come first in a template: remove what is before it";
            return Some(spaced(path, &text[start..end], start).unwrap_or_else(|| syntax(path, detail, start..end)));
        }
        from = code.span.end;
        if is_extends {
            break;
        }
    }
    None
}

/// Reports delimiters in the text of an HTML or SVG template, which visitors would read: `{ item.name }}`.
pub fn broken(path: &SourcePath, text: &str) -> Vec<Diagnostic> {
    if ![".html", ".htm", ".svg", ".xml"].iter().any(|end| path.as_str().ends_with(end)) {
        return Vec::new();
    }
    let mut diagnostics = Vec::new();
    // Styles and scripts have braces of their own.
    let mut is_other = false;
    for gap in gaps(text) {
        let mut at = gap.start;
        for line in text[gap].split_inclusive('\n') {
            for part in line.split_inclusive('>') {
                let lower = part.to_ascii_lowercase();
                let has = |tags: [&str; 2]| tags.iter().any(|tag| lower.contains(tag));
                if !is_other {
                    diagnostics.extend(spaced(path, part, at).or_else(|| unopened(path, part, at)));
                }
                is_other = (is_other || has(["<style", "<script"])) && !has(["</style", "</script"]);
                at += part.len();
            }
        }
    }
    diagnostics
}

/// The texts between code, without those of `{% raw %}`.
fn gaps(text: &str) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let (mut from, mut is_raw) = (0, false);
    for code in codes(text) {
        if !is_raw {
            gaps.push(from..code.span.start);
        }
        is_raw = code.kind == Kind::Tag && matches!(code.tokens.first(), Some((Token::Word("raw"), _)));
        from = code.span.end;
    }
    if !is_raw {
        gaps.push(from..text.len());
    }
    gaps
}

/// Finds `{ % … %}`, `{ # … #}` and `{ { … }}` in a text that begins at byte `start`.
fn spaced(path: &SourcePath, text: &str, start: usize) -> Option<Diagnostic> {
    for (at, _) in text.match_indices('{') {
        let rest = text[at + 1..].trim_start_matches(' ');
        let (open, close) = match rest.chars().next() {
            Some('%') => ("{%", "%}"),
            Some('#') => ("{#", "#}"),
            Some('{') => ("{{", "}}"),
            _ => continue,
        };
        let end = text.len() - rest.len() + 1;
        if end > at + 2 && rest.contains(close) {
            return Some(syntax(path, format!("write `{open}` without a space"), start + at..start + end));
        }
    }
    None
}

/// Finds `{ item.name }}` and `endif %}` in a text that begins at byte `start`.
fn unopened(path: &SourcePath, text: &str, start: usize) -> Option<Diagnostic> {
    for (close, open) in [("%}", "{%"), ("#}", "{#")] {
        let Some(at) = text.find(close) else { continue };
        if text[..at].ends_with([' ', '-']) {
            let detail = format!("`{close}` has no opening `{open}`: add it where this begins");
            return Some(syntax(path, detail, start + at..start + at + 2));
        }
    }
    let end = text.find("}}")?;
    let at = text[..end].rfind('{')?;
    let value = text[at + 1..end].trim();
    let is_code = value.starts_with(|letter: char| letter.is_alphabetic() || "_<".contains(letter));
    if !is_code || value.contains([':', ';', '{', '}']) {
        return None;
    }
    Some(syntax(path, format!("write `{{{{ {value} }}}}`"), start + at..start + end + 2))
}

fn syntax(path: &SourcePath, detail: impl Into<String>, span: Range<usize>) -> Diagnostic {
    let place = Place::new(path, Span { start: span.start, end: span.end });
    Diagnostic::new(TemplateProblem::TemplateSyntax { detail: detail.into() }, place)
}

#[cfg(test)]
mod tests {
    use super::super::engine::load;
    use sitegen_core::cache::Cache;
    use sitegen_core::diagnostics::message;
    use sitegen_core::sources::Sources;
    use sitegen_templates::Templates;

    /// The marked texts and the messages of the mistakes in a template.
    fn said(text: &str) -> Vec<String> {
        let sources = Sources::from_files([("templates/base.html", ""), ("templates/a.html", text)]);
        let diagnostics = load(&Templates::of(&sources), None, &Cache::default()).err().unwrap_or_default();
        let shown = diagnostics.iter().map(|each| {
            let span = each.place.as_ref().unwrap().span.unwrap();
            format!("{} | {}", &text[span.start..span.end], message(&each.problem))
        });
        shown.collect()
    }

    #[test]
    fn code_without_its_end_is_reported_where_it_begins() {
        for (text, expected) in [
            (
                "<ul>\n{%- for entry in entries\n<li>\n<h2><a href=\"{{ url(path=entry.route) }}\">{{ entry.title }}</a></h2>\n{% endfor %}",
                "{%- for entry in entries | this tag is never closed: add `%}`",
            ),
            (
                "{% for item in list.pages\n<a href=\"{{ item.route }}\"{% if item.current %} class=\"a\"{% endif %}>don't</a>{% endfor %}",
                "{% for item in list.pages | this tag is never closed: add `%}`",
            ),
            ("{% block main\n{{ page.content }}\n{% endblock %}", "{% block main | this tag is never closed: add `%}`"),
            ("{% if a %}\n<p>{% endif\n</p>", "{% endif | this tag is never closed: add `%}`"),
            ("{% if a %}{% endif", "{% endif | this tag is never closed: add `%}`"),
            ("<p>{{ a.b</p>\n<p>{{ c }}</p>", "{{ a.b | `{{` is never closed: add `}}`"),
            ("<a href=\"{{ url(path=a)\"{% if b %} c{% endif %}>", "{{ url(path=a) | `{{` is never closed: add `}}`"),
            ("{# A note.\n<p>{{ a }}</p>", "{# A note. | this comment is never closed: add `#}`"),
            ("<p>{{ a {{ b }} }}</p>", "{{ b }} | code inside braces needs no further braces: write `b`"),
            ("{{ a | round(precision={{ 2 }}) }}", "{{ 2 }} | code inside braces needs no further braces: write `2`"),
            (
                "{% if {{ a.b }} == 1 %}{% endif %}",
                "{{ a.b }} | code inside braces needs no further braces: write `a.b`",
            ),
            ("{ # note #}{% extends \"base.html\" %}", "{ # | write `{#` without a space"),
            (
                "<!doctype html>\n{# b #}{% extends \"base.html\" %}",
                "<!doctype html> | `extends` must come first in a template: remove what is before it",
            ),
            (
                "{# b #}\n{% set a = 1 %}\n{% extends \"base.html\" %}",
                "{% set a = 1 %} | `extends` must come first in a template: remove what is before it",
            ),
        ] {
            assert_eq!(said(text), [expected], "{text}");
        }
    }

    #[test]
    fn code_with_its_end_and_another_mistake_keeps_its_message() {
        for (text, expected) in [
            ("{{ a \"b\" }}{{ c }}", "\"b\" | found a text where `}}` is expected"),
            ("{% set x = a\n  b %}{{ c }}", "b | found a name where `%}` is expected"),
            ("{{ f(a={\"b\": 1}, c=[1 2]) }}\n{{ d }}", "2 | found a number where `,` is expected"),
        ] {
            assert_eq!(said(text), [expected], "{text}");
        }
    }

    #[test]
    fn broken_delimiters_in_a_text_are_reported() {
        for (text, expected) in [
            ("<p>{ page.title }}</p>", "{ page.title }} | write `{{ page.title }}`"),
            ("<a href=\"{page.url }}\">", "{page.url }} | write `{{ page.url }}`"),
            ("<p>{ % if a %}b</p>", "{ % | write `{%` without a space"),
            ("{ { a }}", "{ { | write `{{` without a space"),
            ("<p>\nendif %}", "%} | `%}` has no opening `{%`: add it where this begins"),
            ("note #}", "#} | `#}` has no opening `{#`: add it where this begins"),
        ] {
            assert_eq!(said(text), [expected], "{text}");
        }
    }

    #[test]
    fn braces_of_other_languages_are_texts() {
        for text in [
            "<style>@media print { #a { b: c } d {e }}</style><p>{a} and 100%}</p>",
            "<script type=\"application/ld+json\">{ \"a\": { \"b\": {{ 1 }} }}</script>",
            "<p data-a='{\"b\": {\"c\": 1}}'>{% raw %}{ a }} %} { % b %}{% endraw %}</p>",
            "{{ {\"a\": {\"b\": 1} } | json }} }} {# { % a %} #}",
        ] {
            assert_eq!(said(text), [""; 0], "{text}");
        }
    }
}
