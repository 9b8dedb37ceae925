//! Loads Tera's templates, and turns its errors into diagnostics.

use super::kwargs::type_name;
use super::mistakes::Mistake;
use super::{arguments, bounds, delimiters, functions, idioms, props, social, trace};
use sitegen_content::{Document, Page, svg};
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{
    AssetProblem, ConnectionProblem, Diagnostic, IslandProblem, MarkdownProblem, Place, Position, Problem, Span,
    TemplateProblem, YamlProblem, nearest,
};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Trace;
use sitegen_core::sources::Sources;
use sitegen_templates::callables;
use sitegen_templates::lexer::named;
use sitegen_templates::{TEMPLATES, Templates};
use std::borrow::Cow;
use std::sync::Arc;
use tera::{Error, ErrorKind, ReportError, Tera};

/// Loads every template. Its functions and filters are [stubs](functions::stub): a build replaces them.
pub fn load(templates: &Templates, traced: Option<&Trace>, cache: &Cache) -> Result<Arc<Tera>, Vec<Diagnostic>> {
    cache.query(&Loaded { templates, traced })
}

/// Reports the mistakes in templates, also in those that no page that is to be rendered uses.
pub fn check(templates: &Templates, cache: &Cache) -> Result<(), Vec<Diagnostic>> {
    cache.query_saved(&ValidTemplates { templates }).map(|_| ())
}

#[derive(Hash)]
struct ValidTemplates<'a> {
    templates: &'a Templates,
}

impl Query for ValidTemplates<'_> {
    const KIND: &'static str = "valid templates";
    type Output = ();
    type Refused = Vec<Diagnostic>;

    fn run(&self, cache: &Cache) -> Result<(), Vec<Diagnostic>> {
        load(self.templates, None, cache).map(|_| ())
    }
}

#[derive(Hash)]
struct Loaded<'a> {
    templates: &'a Templates,
    traced: Option<&'a Trace>,
}

impl Query for Loaded<'_> {
    const KIND: &'static str = "engine";
    type Output = Tera;
    type Refused = Vec<Diagnostic>;

    fn run(&self, _: &Cache) -> Result<Tera, Vec<Diagnostic>> {
        parsed(self.templates, self.traced)
    }
}

fn parsed(files: &Templates, traced: Option<&Trace>) -> Result<Tera, Vec<Diagnostic>> {
    let not_utf8 = files.not_utf8().map(|path| Diagnostic::new(YamlProblem::NotUtf8, Place::file(path)));
    let mut diagnostics: Vec<Diagnostic> = not_utf8.collect();
    let marked = files.iter().map(|each| {
        let marked = traced.map(|marks| Cow::Owned(trace::marked(marks, each.path, each.text)));
        (each.name, marked.unwrap_or(Cow::Borrowed(each.text)))
    });
    let templates: Vec<(&str, Cow<str>)> = marked.collect();
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    if traced.is_none() {
        let texts = || templates.iter().map(|(name, text)| (path_of(name, ""), text));
        diagnostics = texts().flat_map(|(path, text)| arguments::unknown(&path, text)).collect();
        diagnostics.extend(texts().flat_map(|(path, text)| delimiters::broken(&path, text)));
        diagnostics.extend(texts().flat_map(|(path, text)| arguments::context(&path, text)));
    }
    let mut engine = empty();
    if engine.add_raw_templates(templates.iter().map(|(name, text)| (*name, bounds::bounded(text)))).is_ok() {
        return if diagnostics.is_empty() { Ok(engine) } else { Err(diagnostics) };
    }
    // Errors have their places in the texts as they are written.
    let mut engine = empty();
    let Err(error) = engine.add_raw_templates(templates.iter().map(|(name, text)| (*name, text.as_ref()))) else {
        return if diagnostics.is_empty() { Ok(engine) } else { Err(diagnostics) };
    };
    let misused = std::mem::take(&mut diagnostics);

    // The engine stops at the first template that does not parse. Parsing each by itself finds them all.
    for (name, text) in &templates {
        if let Err(error) = parsed_alone(name, text)
            && let ErrorKind::SyntaxError(report) = error.kind()
        {
            let (path, at) = (path_of(report.filename(), name), report.span().range.start);
            let is_extends = report.message().starts_with("`extends` needs");
            let reported = is_extends.then(|| delimiters::before_extends(&path, text, at)).flatten();
            let reported = reported
                .or_else(|| delimiters::missing_end(&path, text, at, |text| syntax_error(name, text)))
                .or_else(|| unclosed(report, name, text))
                .or_else(|| idioms::foreign(&path, text, at))
                .or_else(|| arguments::unnamed(&path, text, at));
            let reported = reported.unwrap_or_else(|| at_report(report, name, text));
            if !misused.contains(&reported) {
                diagnostics.push(reported);
            }
        }
    }
    if diagnostics.is_empty() && !matches!(error.kind(), ErrorKind::SyntaxError(_)) {
        diagnostics = unknown_names(&error, files);
    }
    diagnostics.extend(misused);
    Err(diagnostics)
}

/// Returns an engine without templates.
fn empty() -> Tera {
    let mut engine = Tera::new();
    // What templates of XML and SVG insert is escaped as in HTML, which is right for both.
    engine.autoescape_on([".html", ".htm", ".xml", ".svg"]);
    functions::stub(&mut engine);
    engine
}

/// Parses a template by itself. What other templates define is unknown then.
fn parsed_alone(name: &str, text: &str) -> Result<(), Error> {
    let mut engine = Tera::new();
    functions::stub(&mut engine);
    engine.add_raw_template(name, text)
}

/// Returns the byte at which a text does not parse.
fn syntax_error(name: &str, text: &str) -> Option<usize> {
    match parsed_alone(name, text).err()?.kind() {
        ErrorKind::SyntaxError(report) => Some(report.span().range.start),
        _ => None,
    }
}

/// Loads the templates of link previews, if there may be any: without marks, which would be texts in a picture.
pub fn load_previews(templates: &Templates, cache: &Cache) -> Result<Option<Tera>, Vec<Diagnostic>> {
    let may_ask = social::may_ask_for_previews(templates);
    may_ask.then(|| Ok(Tera::clone(&*load(templates, None, cache)?))).transpose()
}

/// An error of the template engine for a page, and its place.
#[derive(Debug)]
pub struct Failure {
    /// The template that failed.
    pub template: SourcePath,
    /// The span in it.
    pub span: Span,
    /// The engine's message, as reported.
    pub detail: String,
    /// The key that a mapping does not have, if that is why.
    pub absent: Option<Absent>,
}

/// A key that a template reads and that a mapping does not have.
#[derive(Debug)]
pub struct Absent {
    pub name: String,
    /// The keys that the mapping has, sorted.
    pub known: Vec<String>,
}

impl Failure {
    /// Reads an error of rendering, and the mistake that it is about. Others have no place in a template.
    pub fn of(error: &Error, mistake: Option<&Mistake>, sources: &Sources) -> Option<Self> {
        let ErrorKind::RenderingError(report) = error.kind() else { return None };
        let template = path_of(report.filename(), "");
        let absent = not_defined(report.message()).filter(|(kind, ..)| *kind == "Field");
        let absent = absent.map(|(_, name, known)| {
            let mut known: Vec<String> = known.into_iter().map(str::to_owned).collect();
            known.sort_unstable();
            Absent { name: name.to_owned(), known }
        });
        let detail = match mistake.map(|mistake| &mistake.problem) {
            Some(Problem::Template(TemplateProblem::TemplateFailed { detail })) => detail.clone(),
            _ => sentence(report.message()),
        };
        let span = place_of(report, &template, sources);
        Some(Failure { template, span, detail, absent })
    }

    /// Whether another failure is the same but for the index of an item in its list.
    pub fn is_like(&self, other: &Failure) -> bool {
        let kind = |detail: &str| detail.replace(|letter: char| letter.is_ascii_digit(), "");
        self.template == other.template && self.span == other.span && kind(&self.detail) == kind(&other.detail)
    }
}

/// Returns the diagnostic of a template that failed while it rendered a page, at the mistake of a function, if that is why.
pub fn failed(
    error: &Error,
    mistake: Option<Mistake>,
    page: &Page,
    document: &Document,
    inputs: super::Inputs,
) -> Diagnostic {
    let super::Inputs { sources, .. } = inputs;
    let template = page.template.as_str();
    let reported = match error.kind() {
        ErrorKind::RenderingError(report) | ErrorKind::SyntaxError(report) => {
            let path = path_of(report.filename(), template);
            let span = place_of(report, &path, sources);
            let here = Place::new(&path, span);
            match mistake.map(|Mistake { problem, content }| (problem, content)) {
                // An SVG is fixed in its own file; a text in the content that contains it.
                Some((problem @ Problem::Asset(AssetProblem::UnsafeSvg { .. }), Some(file))) => {
                    let path = SourcePath::new(file);
                    let span =
                        sources.text(&path).and_then(|text| svg::for_page(text).err()).map(|refusal| refusal.span);
                    Diagnostic::new(problem, Place { path, span })
                }
                // So is a key of props.
                Some((problem @ Problem::Island(IslandProblem::IslandProps { .. }), Some(spot))) => {
                    let spot: Option<props::Spot> = serde_json::from_str(&spot).ok();
                    let place = spot.and_then(|spot| props::place(inputs.view, document, &spot));
                    Diagnostic::new(problem, place.unwrap_or(here))
                }
                Some((problem, content)) => {
                    let name = match (&problem, content) {
                        (
                            Problem::Asset(AssetProblem::UnknownAsset { path: name, .. })
                            | Problem::Asset(AssetProblem::BadPicture { path: name, .. })
                            | Problem::Connection(ConnectionProblem::UnknownConnection { name, .. })
                            | Problem::Island(IslandProblem::UnknownIsland { name, .. })
                            | Problem::Island(IslandProblem::UnknownHydration { value: name })
                            | Problem::Markdown(MarkdownProblem::UnsafeAddress { address: name }),
                            None,
                        ) => Some(name.clone()),
                        (_, content) => content,
                    };
                    let name = name.filter(|name| !name.is_empty());
                    let written = name.as_ref().and_then(|name| literal(sources.text(&path)?, span, name));
                    // What is not written in the template comes from content.
                    let name = name.filter(|_| written.is_none());
                    let here = written.map_or(here, |span| Place::new(&path, span));
                    let places =
                        name.map(|name| trace::in_content(inputs.view, document, &[&name])).unwrap_or_default();
                    match (problem, places.into_iter().next()) {
                        // A path may be right where it stands, and only not for this.
                        (Problem::Template(TemplateProblem::TemplateFailed { detail }), Some(place)) => {
                            let by = line_in(&path, sources.text(&path).unwrap_or_default(), span);
                            Diagnostic::new(unusable(&by, &detail), place)
                        }
                        (problem, place) => Diagnostic::new(problem, place.unwrap_or(here)),
                    }
                }
                None => Diagnostic::new(TemplateProblem::TemplateFailed { detail: sentence(report.message()) }, here),
            }
        }
        other => {
            let problem = TemplateProblem::TemplateFailed { detail: sentence(&other.to_string()) };
            Diagnostic::new(problem, Place::file(&path_of("", template)))
        }
    };
    page.named_in(reported)
}

/// Returns a template with the line of a span in it, like `templates/pages/page.html:12`.
pub fn line_in(template: &SourcePath, text: &str, span: Span) -> String {
    format!("{template}:{}", Position::of(text, span).map_or(1, |at| at.line))
}

/// Returns the problem of a value in content that a template cannot use, at that line.
pub fn unusable(by: &str, detail: &str) -> Problem {
    TemplateProblem::TemplateFailed { detail: format!("{by} cannot use this value: {detail}") }.into()
}

/// Returns the span of a text that is written in quotes within a part of a template, with the quotes.
fn literal(template: &str, within: Span, name: &str) -> Option<Span> {
    let part = template.get(within.start..within.end)?;
    let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{name}{quote}"));
    let found = quoted.iter().find_map(|quoted| Some((part.find(quoted.as_str())?, quoted.len())));
    found.map(|(at, length)| Span::at(within.start + at, length))
}

/// Returns the diagnostic of a component that failed where a text calls it.
pub fn failed_call(error: &Error, call: &Place, sources: &Sources) -> Diagnostic {
    let ErrorKind::RenderingError(report) = error.kind() else {
        let detail = sentence(&error.to_string());
        return Diagnostic::new(MarkdownProblem::ComponentCall { detail }, call.clone());
    };
    match Mistake::take(error) {
        // A file or an address that is wrong is named by an argument, as a rule.
        Some(mistake) => Diagnostic::new(mistake.problem, call.clone()),
        None => {
            let path = path_of(report.filename(), "");
            let here = Place::new(&path, place_of(report, &path, sources));
            let problem = TemplateProblem::TemplateFailed { detail: sentence(report.message()) };
            Diagnostic::new(problem, here).while_making(&call.path)
        }
    }
}

/// Reports the tag behind an error at the end of the file or at the end of another tag.
fn unclosed(report: &ReportError, name: &str, text: &str) -> Option<Diagnostic> {
    let at = text.get(report.span().range.start..).unwrap_or_default();
    let at_end = at.trim_start_matches(['{', '%', '-', ' ']);
    let is_late = report.message().contains("end of input")
        || ["end", "else", "elif"].iter().any(|word| at_end.starts_with(word));
    if is_late { arguments::unclosed(&path_of(report.filename(), name), text) } else { None }
}

fn at_report(report: &ReportError, template: &str, text: &str) -> Diagnostic {
    let problem = TemplateProblem::TemplateSyntax { detail: sentence(report.message()) };
    let mut span = span_of(report);
    if span.start == span.end {
        span.end += text.get(span.start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    Diagnostic::new(problem, Place::new(&path_of(report.filename(), template), span))
}

/// Reads the engine's list of unknown names, which is available as text only:
///
/// ```text
/// error: Unknown filter `nope`
///  --> pages/home.html:1:11
///   |
/// ```
fn unknown_names(error: &Error, templates: &Templates) -> Vec<Diagnostic> {
    let text = error.to_string();
    let mut diagnostics = Vec::new();
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
            let start = templates.text(&path).map_or(0, |text| {
                let line = sitegen_core::bundle::line_start(text, number);
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
            let problem = TemplateProblem::TemplateSyntax { detail: with_nearest(said, templates) };
            diagnostics.extend(place.take().map(|place| Diagnostic::new(problem, place)));
            message = None;
        }
    }
    if diagnostics.is_empty() {
        let (path, detail) = match error.kind() {
            ErrorKind::MissingParent { current, parent } => {
                let meant = nearest(parent, templates.all().map(|file| file.name))
                    .map_or(String::new(), |name| format!("; did you mean `{name}`?"));
                (current.clone(), format!("it extends `{parent}`, which does not exist{meant}"))
            }
            ErrorKind::CircularExtend { tpl, .. } => {
                (tpl.clone(), "it extends itself through other templates".to_owned())
            }
            ErrorKind::CircularInclude { tpl, .. } => {
                (tpl.clone(), "it includes itself through other templates".to_owned())
            }
            other => (String::new(), other.to_string()),
        };
        let problem = TemplateProblem::TemplateSyntax { detail };
        let file = if path.is_empty() { SourcePath::new(TEMPLATES) } else { path_of(&path, "") };
        let named = templates.text(&file).and_then(|text| {
            let at = text.find("extends")?;
            let open = at + text[at..].find(['"', '\''])? + 1;
            Some(Span::at(open, text[open..].find(['"', '\''])?))
        });
        let place = named.map_or_else(|| Place::file(&file), |span| Place::new(&file, span));
        diagnostics.push(Diagnostic::new(problem, place));
    }
    diagnostics
}

fn path_of(name: &str, template: &str) -> SourcePath {
    SourcePath::new(format!("{TEMPLATES}/{}", if name.is_empty() { template } else { name }))
}

/// Returns the place of an error of rendering in the template as it is written.
fn place_of(report: &ReportError, path: &SourcePath, sources: &Sources) -> Span {
    let span = span_of(report);
    sources.text(path).map_or(span, |text| bounds::written(text, span))
}

fn span_of(report: &ReportError) -> Span {
    Span { start: report.span().range.start, end: report.span().range.end }
}

/// Adds the name that was probably meant to a message: `Unknown filter `uppr``.
fn with_nearest(said: &str, templates: &Templates) -> String {
    let name = said.split('`').nth(1).unwrap_or_default();
    let defined =
        |tag: &str| -> Vec<String> { templates.texts().flat_map(|text| named(text, tag)).map(str::to_owned).collect() };
    let names: Vec<String> = match said.split('`').next().unwrap_or_default().trim() {
        "Unknown filter" => callables::FILTERS.iter().map(|callable| callable.name.to_owned()).collect(),
        "Unknown function" => callables::FUNCTIONS.iter().map(|callable| callable.name.to_owned()).collect(),
        "Unknown test" => callables::TESTS.iter().map(|callable| callable.name.to_owned()).collect(),
        "Unknown component" => defined("component"),
        "Unknown template" => templates.all().map(|file| file.name.to_owned()).collect(),
        "Block" => defined("block"),
        _ => Vec::new(),
    };
    let is_callable = ["Unknown filter", "Unknown function", "Unknown test"].iter().any(|kind| said.starts_with(kind));
    if let Some((_, instead)) = idioms::INSTEAD.iter().find(|(old, _)| *old == name && is_callable) {
        return format!("{}; {instead}", sentence(said));
    }
    let others = names.iter().map(String::as_str).filter(|other| *other != name);
    let meant = nearest(name, others).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    format!("{}{meant}", sentence(said))
}

/// Lowers the first letter: the engine's sentences begin with a capital letter; ours follow a colon.
fn sentence(text: &str) -> String {
    let text = &plain(text);
    let mut letters = text.chars();
    // An acronym keeps its capitals.
    let is_acronym = text.chars().nth(1).is_some_and(char::is_uppercase);
    match letters.next() {
        Some(first) if !is_acronym => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

/// Rewrites the engine's messages without the names of Rust's types.
fn plain(text: &str) -> String {
    let rewritten = about_arguments(text).or_else(|| about_values(text)).or_else(|| about_syntax(text));
    rewritten.unwrap_or_else(|| {
        text.replace("Unknown tag", "there is no such tag")
            .replace("unexpected end of raw block", "`{% raw %}` is never closed; add `{% endraw %}` where it ends")
            .replace("converted to an int", "read as a whole number")
            .replace("converted to a float", "read as a number")
            .replace("Unexpected end of input", "the file ends in the middle of a tag or of `{{ … }}`")
    })
}

/// The parts of a text in backticks, one at each call. There is none after the last.
fn in_backticks<'t>(text: &'t str) -> impl FnMut() -> &'t str {
    let mut parts = text.split('`');
    move || (parts.next(), parts.next()).1.unwrap_or_default()
}

/// Rewrites messages about the arguments of functions and components.
fn about_arguments(text: &str) -> Option<String> {
    let mut quoted = in_backticks(text);
    if text.starts_with("Missing keyword argument") {
        return Some(format!("the argument `{}` is missing", quoted()));
    }
    if text.starts_with("Argument `") && text.contains("missing") {
        let (name, kind) = (quoted(), type_name(quoted()));
        return Some(format!("the argument `{name}` is missing; the component expects {kind}"));
    }
    if text.starts_with("Component argument `") {
        let (name, actual, expected) = (quoted(), type_name(quoted()), type_name(quoted()));
        return Some(format!("the argument `{name}` is {actual}, but the component expects {expected}"));
    }
    if !text.starts_with("Unknown argument(s)") {
        return None;
    }
    let (unknown, known) = text.split_once(" in component call").unwrap_or((text, ""));
    let names = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let (unknown, known) = (names(unknown), names(known));
    let first = unknown.first().map_or("", String::as_str);
    let meant = match (nearest(first, known.iter().map(String::as_str)), known.is_empty()) {
        (Some(meant), _) => format!("; did you mean `{meant}`?"),
        (None, true) => "; it takes none".to_owned(),
        (None, false) => format!("; it has `{}`", known.join("`, `")),
    };
    Some(format!("the component has no argument `{first}`{meant}"))
}

/// Rewrites messages about values and their types.
fn about_values(text: &str) -> Option<String> {
    let mut quoted = in_backticks(text);
    if text.starts_with("Invalid type for the value") {
        let (expected, actual) = (type_name(quoted()), type_name(quoted()));
        return Some(format!("expected {expected}, found {actual}"));
    }
    if text.starts_with("Value `") && text.contains("out of range") {
        let value = quoted();
        return Some(format!("`{value}` is out of range here; expected {}", type_name(quoted())));
    }
    if let Some(rest) = text.strip_prefix("Value of type ") {
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let rest = rest.replace("an int", "a whole number").replace("float", "number");
        return Some(format!("{} {rest}", type_name(kind)));
    }
    if let Some((_, rest)) = text.split_once(" (a ").filter(|_| text.starts_with("Value at index")) {
        let path = rest.split_once("path: ").map_or("", |(_, path)| path);
        let index = text["Value at index ".len()..].split(' ').next().and_then(|text| text.parse::<usize>().ok());
        return Some(format!("item {} of the list has no `{path}`", index.map_or(0, |index| index + 1)));
    }
    if let Some(rest) = text.strip_prefix("Map does not have a key ") {
        let key = rest.split(" and no default").next().unwrap_or(rest);
        return Some(format!("there is no key `{key}`, and no `default` is given"));
    }
    if let Some(rest) = text.strip_prefix("This filter can only be used on a number, received ") {
        return Some(format!("expected a number, found {}", type_name(rest.trim_matches(['`', '.']))));
    }
    // Both a page and an entry have these two keys; what a template has made itself has not.
    if text.starts_with("Field `content` is not defined") && text.contains("title") {
        return Some("there is no text `content` here: only a file that ends in `.md` has one, not `.yaml`".to_owned());
    }
    if text.starts_with("`+` requires both operands to be numbers") {
        quoted();
        let (left, right) = (type_name(quoted()), type_name(quoted()));
        return Some(format!("`+` adds numbers, but these are {left} and {right}; use `~` to join text"));
    }
    let (kind, name, known) = not_defined(text)?;
    Some(undefined(name, kind == "Variable", &known))
}

/// Rewrites the message about a token that may not stand where it does.
fn about_syntax(text: &str) -> Option<String> {
    let (actual, expected) = text.strip_prefix("Found ")?.split_once(" but expected ")?;
    let kind = |token: &str| match token {
        "identifier" => "a name".to_owned(),
        "string" => "a text".to_owned(),
        "integer" | "float" => "a number".to_owned(),
        _ if token.starts_with("one of: integer, float") => "a value".to_owned(),
        _ if token.contains([' ', '`']) => token.to_owned(),
        _ => format!("`{token}`"),
    };
    Some(format!("found {} where {} is expected", kind(actual), kind(expected.strip_suffix('.').unwrap_or(expected))))
}

/// Reads the engine's message about a name that is not defined: its kind, the name, and those there are.
fn not_defined(text: &str) -> Option<(&str, &str, Vec<&str>)> {
    let (name, known) = text.split_once(" is not defined. Available ")?;
    let mut parts = name.split('`');
    let (kind, name) = (parts.next()?.trim_end(), parts.next()?);
    Some((kind, name, known.split_once(": ").map_or("", |(_, names)| names).split(", ").collect()))
}

/// Says that a name is not defined, with the one that was probably meant, or those there are.
fn undefined(name: &str, is_variable: bool, known: &[&str]) -> String {
    const SHOWN: usize = 12;
    // A function, without the brackets.
    if is_variable && callables::function(name).is_some() {
        return format!("`{name}` is a function: write `{name}()`");
    }
    if let Some(meant) = nearest(name, known.iter().copied()) {
        return format!("`{name}` is not defined; did you mean `{meant}`?");
    }
    let more = if known.len() > SHOWN { " and more" } else { "" };
    let known = known[..known.len().min(SHOWN)].join("`, `");
    format!("`{name}` is not defined; available: `{known}`{more}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::message;

    fn mistakes(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let sources = Sources::from_files(files.iter().copied());
        let diagnostics = load(&Templates::of(&sources), None, &Cache::default()).err().unwrap_or_default();
        let shown = diagnostics.iter().map(|each| {
            let place = each.place.as_ref().unwrap();
            let text = sources.text(&place.path).unwrap_or_default();
            let marked = place.span.map_or("", |span| &text[span.start..span.end]);
            (format!("{} {marked}", place.path), message(&each.problem))
        });
        shown.collect()
    }

    #[test]
    fn a_page_of_yaml_has_no_text() {
        let page = "Field `content` is not defined. Available fields: description, language, route, title, url";
        assert!(sentence(page).ends_with("only a file that ends in `.md` has one, not `.yaml`"), "{}", sentence(page));
        let other = "Field `content` is not defined. Available fields: label, path";
        assert_eq!(sentence(other), "`content` is not defined; available: `label`, `path`");
    }

    #[test]
    fn every_template_that_does_not_parse_is_reported() {
        let diagnostics = mistakes(&[
            ("templates/a.html", "{% if %}"),
            ("templates/b.html", "{% extends \"base.html\" %}{{ }}"),
            ("templates/c.html", "fine"),
        ]);
        assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
        assert!(
            diagnostics[0].0.starts_with("templates/a.html") && diagnostics[1].0.starts_with("templates/b.html"),
            "{diagnostics:?}"
        );
    }

    #[test]
    fn every_unknown_name_is_reported_at_its_place() {
        let diagnostics = mistakes(&[
            ("templates/a.html", "ä {{ x | nope }}\n{{ nothing() }}"),
            ("templates/b.html", "{{ <card /> }}"),
        ]);
        let places: Vec<_> = diagnostics.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(
            places,
            ["templates/a.html nope", "templates/a.html nothing()", "templates/b.html <card />"],
            "{diagnostics:?}"
        );
    }

    #[test]
    fn the_context_of_the_engine_has_no_order() {
        let of = |text: &str| mistakes(&[("templates/a.html", text)]);
        let diagnostics = of("{# __tera_context #}__tera_context {{ __tera_context | safe }}");
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert_eq!(diagnostics[0].0, "templates/a.html __tera_context");
        assert_eq!(of("{{ page | json }}"), []);
    }

    #[test]
    fn a_missing_parent_is_reported_with_its_name() {
        let diagnostics = mistakes(&[("templates/a.html", "{% extends \"bse.html\" %}")]);
        assert!(diagnostics[0].1.contains("`bse.html`"), "{diagnostics:?}");
    }
}
