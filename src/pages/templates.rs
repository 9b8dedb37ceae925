//! Tera's templates, and its errors as diagnostics.

use super::trace;
use crate::diagnostics::{Diagnostic, Place, Problem, Span};
use crate::paths::SourcePath;
use crate::sources::Sources;
use std::borrow::Cow;
use tera::{Error, ErrorKind, ReportError, Tera};

/// The folder of templates.
pub const FOLDER: &str = "templates";

/// Reads every template. `prepare` registers functions and filters, which templates are checked against.
pub fn load(sources: &Sources, is_traced: bool, prepare: impl Fn(&mut Tera)) -> Result<Tera, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut templates = Vec::new();
    for (path, _) in sources.below(FOLDER).filter(|(path, _)| path.extension() == Some("html")) {
        match (path.below(FOLDER), sources.text(path)) {
            (Some(name), Some(text)) if is_traced => templates.push((name, Cow::Owned(trace::marked(path, text)))),
            (Some(name), Some(text)) => templates.push((name, Cow::Borrowed(text))),
            _ => found.push(Diagnostic::error(Problem::NotUtf8, Place::file(path))),
        }
    }
    if !found.is_empty() {
        return Err(found);
    }
    let mut engine = Tera::new();
    prepare(&mut engine);
    let Err(error) = engine.add_raw_templates(templates.iter().map(|(name, text)| (*name, text.as_ref()))) else {
        return Ok(engine);
    };

    // The engine stops at the first template that does not parse. Each is tried by itself to find them all.
    for (name, text) in &templates {
        let mut alone = Tera::new();
        prepare(&mut alone);
        if let Err(error) = alone.add_raw_template(name, text)
            && let ErrorKind::SyntaxError(report) = error.kind()
        {
            found.push(at_report(report, name));
        }
    }
    if found.is_empty() {
        found = unknown_names(&error, sources);
    }
    Err(found)
}

/// The diagnostic of a template that failed while it drew a page.
pub fn failed(error: &Error, template: &str, page: &SourcePath) -> Diagnostic {
    let told = match error.kind() {
        ErrorKind::RenderingError(report) | ErrorKind::SyntaxError(report) => {
            let path = path_of(report.filename(), template);
            let problem = super::functions::recover(report.message())
                .unwrap_or_else(|| Problem::TemplateFailed { detail: sentence(report.message()) });
            Diagnostic::error(problem, Place::new(&path, span_of(report)))
        }
        other => {
            let problem = Problem::TemplateFailed { detail: sentence(&other.to_string()) };
            Diagnostic::error(problem, Place::file(&path_of("", template)))
        }
    };
    told.while_making(page)
}

fn at_report(report: &ReportError, template: &str) -> Diagnostic {
    let problem = Problem::TemplateSyntax { detail: sentence(report.message()) };
    Diagnostic::error(problem, Place::new(&path_of(report.filename(), template), span_of(report)))
}

/// Reads the engine's list of unknown names, which it gives as text only:
///
/// ```text
/// error: Unknown filter `nope`
///  --> pages/home.html:1:11
///   |
/// ```
fn unknown_names(error: &Error, sources: &Sources) -> Vec<Diagnostic> {
    let text = error.to_string();
    let mut found = Vec::new();
    let mut message = None;
    let mut place: Option<Place> = None;
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("error: ") {
            message = Some(said);
        } else if let Some(at) = line.trim_start().strip_prefix("--> ") {
            let mut parts = at.rsplitn(3, ':');
            let column: usize = parts.next().and_then(|text| text.parse().ok()).unwrap_or(1);
            let number: usize = parts.next().and_then(|text| text.parse().ok()).unwrap_or(1);
            let path = path_of(parts.next().unwrap_or_default(), "");
            let start = sources.text(&path).map_or(0, |text| {
                let line = crate::bundle::line_start(text, number);
                line + text[line..].chars().take(column - 1).map(char::len_utf8).sum::<usize>()
            });
            place = Some(Place::new(&path, Span::at(start, 1)));
        } else if let (Some(said), Some(at)) = (message, &mut place)
            && let Some(carets) =
                line.trim_start().strip_prefix('|').map(str::trim).filter(|text| text.starts_with('^'))
        {
            if let Some(span) = &mut at.span {
                span.end = span.start + carets.len();
            }
            let problem = Problem::TemplateSyntax { detail: sentence(said) };
            found.extend(place.take().map(|place| Diagnostic::error(problem, place)));
            message = None;
        }
    }
    if found.is_empty() {
        let (path, detail) = match error.kind() {
            ErrorKind::MissingParent { current, parent } => {
                (current.clone(), format!("it extends `{parent}`, which does not exist"))
            }
            ErrorKind::CircularExtend { tpl, .. } => (tpl.clone(), "it extends itself, by way of others".to_owned()),
            ErrorKind::CircularInclude { tpl, .. } => (tpl.clone(), "it includes itself, by way of others".to_owned()),
            other => (String::new(), other.to_string()),
        };
        let problem = Problem::TemplateSyntax { detail };
        let place = if path.is_empty() { SourcePath::new(FOLDER) } else { path_of(&path, "") };
        found.push(Diagnostic::error(problem, Place::file(&place)));
    }
    found
}

fn path_of(name: &str, template: &str) -> SourcePath {
    SourcePath::new(format!("{FOLDER}/{}", if name.is_empty() { template } else { name }))
}

fn span_of(report: &ReportError) -> Span {
    Span { start: report.span().range.start, end: report.span().range.end }
}

/// The engine's sentences begin with a capital letter; ours go on after a colon.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::message;

    fn mistakes(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let sources = Sources::from_files(files.iter().copied());
        let found = load(&sources, false, |_| {}).err().unwrap_or_default();
        let shown = found.iter().map(|each| {
            let place = each.place.as_ref().unwrap();
            let text = sources.text(&place.path).unwrap_or_default();
            let marked = place.span.map_or("", |span| &text[span.start..span.end]);
            (format!("{} {marked}", place.path), message(&each.problem))
        });
        shown.collect()
    }

    #[test]
    fn every_template_that_does_not_parse_is_told() {
        let found = mistakes(&[
            ("templates/a.html", "{% if %}"),
            ("templates/b.html", "{% extends \"base.html\" %}{{ }}"),
            ("templates/c.html", "fine"),
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0.starts_with("templates/a.html") && found[1].0.starts_with("templates/b.html"), "{found:?}");
    }

    #[test]
    fn every_unknown_name_is_marked_where_it_stands() {
        let found = mistakes(&[
            ("templates/a.html", "ä {{ x | nope }}\n{{ nothing() }}"),
            ("templates/b.html", "{{ <card /> }}"),
        ]);
        let places: Vec<_> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(
            places,
            ["templates/a.html nope", "templates/a.html nothing()", "templates/b.html <card />"],
            "{found:?}"
        );
    }

    #[test]
    fn a_missing_parent_is_told_with_its_name() {
        let found = mistakes(&[("templates/a.html", "{% extends \"bse.html\" %}")]);
        assert!(found[0].1.contains("`bse.html`"), "{found:?}");
    }
}
