//! Completions in templates.

use super::{Completion, CompletionKind, markdown, sheet};
use crate::Analysis;
use crate::functions::documentation;
use crate::symbols::{Callable as CallableKind, Symbol};
use crate::variables::{GLOBAL, KEYWORDS, Key, Known};
use crate::word_before;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_templates::callables::{Callable, FILTERS, FUNCTIONS, TESTS};
use sitegen_templates::{TEMPLATES, Templates};

/// The tags of the template language, each with the text that a new one has.
const TAGS: [(&str, &str); 12] = [
    ("extends", "extends \"$0\" %}"),
    ("block", "block $0 %}{% endblock %}"),
    ("include", "include \"$0\" %}"),
    ("if", "if $0 %}{% endif %}"),
    ("elif", "elif $0 %}"),
    ("else", "else %}"),
    ("for", "for $1 in $0 %}{% endfor %}"),
    ("set", "set $1 = $0 %}"),
    ("filter", "filter $0 %}{% endfilter %}"),
    ("raw", "raw %}$0{% endraw %}"),
    ("component", "component $1($0) %}{% endcomponent $1 %}"),
    ("break", "break %}"),
];

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns what can be written at an offset of a template.
pub fn complete(analysis: &Analysis, path: &SourcePath, text: &str, offset: usize) -> Vec<Completion> {
    match code_around(text, offset) {
        Some(start) => in_code(analysis, path, text, start, offset),
        None => in_html(analysis, path, text, offset),
    }
}

/// Returns where the code begins that an offset is in.
fn code_around(text: &str, offset: usize) -> Option<usize> {
    // No code is longer: a brace that nothing closes would make the rest of the file one.
    let mut from = offset.saturating_sub(10_000);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = &text[from..offset];
    let open = ["{{", "{%"].iter().filter_map(|sign| before.rfind(sign)).max()?;
    let rest = &before[open..];
    let is_closed =
        rest[2..].contains("}}") && rest.starts_with("{{") || rest[2..].contains("%}") && rest.starts_with("{%");
    let is_comment = before.rfind("{#").is_some_and(|at| !before[at..].contains("#}"));
    (!is_closed && !is_comment).then_some(from + open)
}

/// What an expression has around an offset.
#[derive(Default)]
struct Around<'t> {
    /// The function or filter whose parentheses are open.
    call: Option<&'t str>,
    /// The argument whose value is being written.
    argument: Option<&'t str>,
    /// Where the text in quotes begins that is being written.
    quote: Option<usize>,
    /// Whether what is open innermost is a call.
    in_arguments: bool,
}

/// Reads an expression up to the offset.
fn around(code: &str, start: usize) -> Around<'_> {
    let mut open: Vec<(char, Option<&str>)> = Vec::new();
    let (mut quote, mut argument, mut word): (Option<(char, usize)>, Option<&str>, Option<&str>) = (None, None, None);
    let mut last_word = 0..0;
    for (at, letter) in code.char_indices() {
        match quote {
            Some((end, _)) if end == letter => quote = None,
            Some(_) => {}
            None => match letter {
                '"' | '\'' | '`' => quote = Some((letter, start + at + 1)),
                '(' | '[' | '{' => {
                    open.push((letter, word.filter(|_| letter == '(')));
                    argument = None;
                }
                ')' | ']' | '}' => {
                    open.pop();
                    argument = None;
                }
                ',' => argument = None,
                '=' => argument = word,
                _ => {}
            },
        }
        if quote.is_none() {
            if is_part(letter) {
                last_word = if last_word.end == at {
                    last_word.start..at + letter.len_utf8()
                } else {
                    at..at + letter.len_utf8()
                };
                word = code.get(last_word.clone());
            } else if !letter.is_whitespace() {
                word = None;
            }
        }
    }
    let call = open.iter().rev().find_map(|(bracket, call)| (*bracket == '(').then_some(*call)).flatten();
    let in_arguments = open.last().is_some_and(|(bracket, call)| *bracket == '(' && call.is_some());
    Around { call, argument, quote: quote.map(|(_, at)| at), in_arguments }
}

fn in_code(analysis: &Analysis, path: &SourcePath, text: &str, start: usize, offset: usize) -> Vec<Completion> {
    let code = &text[start + 2..offset];
    let is_tag = text[start..].starts_with("{%");
    let trimmed = code.trim_start_matches('-').trim_start();
    if trimmed.starts_with('<') {
        return markdown::component_tag(analysis, trimmed, offset, if is_tag { "> %}" } else { "/> }}" });
    }
    let around = around(code, start + 2);
    let typed = word_before(text, offset, is_part);
    if let Some(quote) = around.quote {
        return in_quotes(analysis, path, &around, trimmed, Span { start: quote, end: offset }, text);
    }
    if is_tag {
        let end = if text[offset..].trim_start().starts_with("%}") { Some("") } else { None };
        if trimmed.chars().all(is_part) {
            let tags = TAGS.iter().map(|(name, snippet)| {
                let snippet = match end {
                    Some(_) => snippet.split(" %}").next().unwrap_or(snippet),
                    None => snippet,
                };
                Completion::new(*name, CompletionKind::Keyword, typed).snippet(snippet.to_owned())
            });
            let ends = KEYWORDS.iter().filter(|word| word.starts_with("end"));
            return tags
                .chain(ends.map(|word| Completion::new(*word, CompletionKind::Keyword, typed).rank(2)))
                .collect();
        }
        if let Some(rest) =
            trimmed.strip_prefix("block ").filter(|rest| rest.chars().all(|letter| is_part(letter) || letter == '-'))
        {
            let typed = Span { start: offset - rest.len(), end: offset };
            return blocks(analysis, text, typed);
        }
    }
    let before = text[..typed.start].trim_end();
    if before.ends_with('|') {
        return callables(FILTERS, CallableKind::Filter, typed);
    }
    if before.ends_with(" is") || before.ends_with(" is not") {
        return callables(TESTS, CallableKind::Test, typed);
    }
    if text[..typed.start].ends_with('.') {
        let way = word_before(text, typed.start - 1, |letter| is_part(letter) || letter == '.' || letter == '-');
        let names: Vec<&str> = text[way.start..way.end].split('.').collect();
        return keys(analysis.known(path, text, start, &names), typed);
    }
    let mut all = Vec::new();
    if around.in_arguments && around.argument.is_none() {
        all.extend(arguments(around.call, code, typed));
    }
    if around.in_arguments && around.argument.is_none() && !all.is_empty() {
        return all;
    }
    let declared = analysis.declared(text, start).into_iter();
    all.extend(
        declared.map(|(name, detail)| Completion::new(name, CompletionKind::Variable, typed).detail(detail).rank(0)),
    );
    all.extend(GLOBAL.iter().map(|(name, text)| {
        Completion::new(*name, CompletionKind::Variable, typed).documentation((*text).to_owned()).rank(1)
    }));
    all.extend(callables(FUNCTIONS, CallableKind::Function, typed));
    all
}

fn keys(known: Known, typed: Span) -> Vec<Completion> {
    let complete = |(name, key): (String, Key)| {
        Completion::new(name, CompletionKind::Variable, typed).detail(key.example).documentation(key.description)
    };
    known.keys.into_iter().map(complete).collect()
}

/// Returns the path of what is before a filter: `collections.news` of `for each in collections.news | reverse |`.
fn filtered(before: &str) -> Vec<&str> {
    let mut parts = before.trim_end().trim_end_matches('|').rsplit('|').peekable();
    while let Some(part) = parts.next() {
        let part = part.trim();
        let is_filter = part.split('(').next().is_some_and(|name| name.trim().chars().all(is_part));
        if parts.peek().is_some() && is_filter {
            continue;
        }
        let way = word_before(part, part.len(), |letter| is_part(letter) || letter == '.' || letter == '-');
        return part[way.start..way.end].split('.').collect();
    }
    Vec::new()
}

fn callables(all: &'static [Callable], kind: CallableKind, typed: Span) -> Vec<Completion> {
    let complete = |callable: &Callable| {
        let arguments = callable.arguments.join(", ");
        let text = match (kind, callable.arguments.is_empty()) {
            (CallableKind::Function, true) => format!("{}()$0", callable.name),
            (CallableKind::Function, false) => format!("{}($0)", callable.name),
            (_, true) => callable.name.to_owned(),
            // Few filters need their arguments; those of tests do.
            (CallableKind::Test, false) => format!("{}({}=$0)", callable.name, callable.arguments[0]),
            (_, false) => callable.name.to_owned(),
        };
        Completion::new(callable.name, CompletionKind::Function, typed)
            .detail(arguments)
            .documentation(documentation(kind, callable.name))
            .snippet(text)
            .rank(2)
    };
    all.iter().map(complete).collect()
}

fn arguments(call: Option<&str>, code: &str, typed: Span) -> Vec<Completion> {
    let Some(call) = call else { return Vec::new() };
    let Some(callable) = FUNCTIONS.iter().chain(FILTERS).chain(TESTS).find(|each| each.name == call) else {
        return Vec::new();
    };
    let open = code.rfind(&format!("{call}(")).map_or("", |at| &code[at..]);
    let is_new = |name: &&&str| !open.contains(&format!("{name}="));
    let complete =
        |name: &&str| Completion::new(*name, CompletionKind::Argument, typed).text(format!("{name}=")).rank(0);
    callable.arguments.iter().filter(is_new).map(complete).collect()
}

/// Returns the blocks of the template that this one extends, without those that it has.
fn blocks(analysis: &Analysis, text: &str, typed: Span) -> Vec<Completion> {
    let mut all = Vec::new();
    let mut parent = parent_of(text);
    let mut seen = 0;
    while let Some(file) = parent.take().filter(|_| seen < 10) {
        seen += 1;
        let Some(of_parent) = analysis.sources.text(&file) else { break };
        let declared = analysis.occurrences(&file).into_iter().filter(|each| each.declares);
        for each in declared {
            if let Symbol::Block(name) = each.symbol
                && !text.contains(&format!("block {name} "))
            {
                all.push(Completion::new(name, CompletionKind::Component, typed).detail(file.to_string()));
            }
        }
        parent = parent_of(of_parent);
    }
    all
}

fn parent_of(text: &str) -> Option<SourcePath> {
    let at = text.find("{% extends").or_else(|| text.find("{%- extends"))?;
    let name = text[at..].split('"').nth(1)?;
    Some(SourcePath::new(format!("{TEMPLATES}/{name}")))
}

/// What a text in quotes may be, by the call and the argument that it is in.
fn in_quotes(
    analysis: &Analysis,
    path: &SourcePath,
    around: &Around,
    code: &str,
    typed: Span,
    text: &str,
) -> Vec<Completion> {
    let written = &text[typed.start..typed.end];
    let templates = |is_wanted: fn(&str) -> bool| {
        let all = Templates::of(analysis.sources);
        let names: Vec<String> = all.all().map(|file| file.name.to_owned()).filter(|name| is_wanted(name)).collect();
        names.into_iter().map(|name| Completion::new(name, CompletionKind::File, typed)).collect::<Vec<_>>()
    };
    match (around.call, around.argument) {
        (None, _) if code.starts_with("extends") => {
            templates(|name| name.ends_with(".html") && !name.starts_with("components/"))
        }
        (None, _) if code.starts_with("include") => templates(|name| !name.starts_with("components/")),
        (Some("social_picture"), Some("template")) => templates(|name| name.ends_with(".svg")),
        (Some("picture" | "picture_info" | "picture_url" | "inline_svg" | "favicons"), Some("path")) => {
            markdown::assets(analysis, &SourcePath::new("content/site.yaml"), typed, true)
        }
        (Some("asset"), Some("path")) => {
            markdown::assets(analysis, &SourcePath::new("content/site.yaml"), typed, false)
        }
        (Some("url"), Some("path")) => match written.split_once('#') {
            Some((address, _)) => markdown::sections(analysis, path, address, typed),
            None => markdown::pages(analysis, path, if written.is_empty() { "/" } else { written }, typed),
        },
        (Some("island"), Some("component")) => {
            let islands = analysis.islands().map(|(name, file)| (name.to_owned(), file.to_string()));
            islands.map(|(name, file)| Completion::new(name, CompletionKind::Component, typed).detail(file)).collect()
        }
        (Some("island"), Some("hydrate")) => {
            let words = sitegen_core::diagnostics::HYDRATIONS;
            words.iter().map(|word| Completion::new(*word, CompletionKind::Value, typed)).collect()
        }
        // The keys of `props={"…": …}`.
        (Some("island"), None) => {
            let name = code.split("component=\"").nth(1).and_then(|rest| rest.split('"').next());
            let props = name.map(|name| analysis.props(name)).unwrap_or_default();
            props
                .into_iter()
                .map(|(name, kind)| Completion::new(name, CompletionKind::Argument, typed).detail(kind))
                .collect()
        }
        (Some("terms"), Some("collection")) => {
            let names = analysis.site.into_iter().flat_map(|site| site.main().collections.keys());
            names.map(|name| Completion::new(name, CompletionKind::Value, typed)).collect()
        }
        (Some(call @ ("sort" | "group_by" | "get")), Some("attribute" | "key")) => {
            let start = text[..typed.start].rfind("{{").max(text[..typed.start].rfind("{%")).unwrap_or(0);
            let before = code.rfind(&format!("{call}(")).map_or("", |at| &code[..at]);
            let known = analysis.known(path, text, start, &filtered(before));
            let known = if call == "get" { known } else { known.items() };
            let known = match written.rsplit_once('.') {
                Some((above, _)) => known.at(&above.split('.').collect::<Vec<_>>()),
                None => known,
            };
            let start = typed.start + written.rfind('.').map_or(0, |dot| dot + 1);
            keys(known, Span { start, end: typed.end })
        }
        (Some("terms" | "related"), Some("key" | "by")) => {
            let collections = analysis.site.into_iter().flat_map(|site| site.main().collections.values());
            let names = collections.flat_map(|all| all.keys().into_iter().map(str::to_owned).collect::<Vec<_>>());
            names.map(|name| Completion::new(name, CompletionKind::Value, typed)).collect()
        }
        _ => Vec::new(),
    }
}

/// Completes classes and custom properties in the HTML around code.
fn in_html(analysis: &Analysis, path: &SourcePath, text: &str, offset: usize) -> Vec<Completion> {
    let tag = text[..offset].rfind(['<', '>']).filter(|at| text[*at..].starts_with('<'));
    let before = &text[tag.unwrap_or(offset)..offset];
    let in_attribute = |name: &str| {
        let at = before.rfind(name)? + name.len();
        let quote = before[at..].chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        (!before[at + 1..].contains(quote)).then_some(())
    };
    let typed = word_before(text, offset, |letter| is_part(letter) || letter == '-');
    let line = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    if let Some(written) = markdown::attribute(&text[line..offset], "href").filter(|written| written.starts_with('/')) {
        return markdown::address(analysis, path, Span { start: offset - written.len(), end: offset }, written);
    }
    if in_attribute("class=").is_some() {
        return sheet::classes(analysis, typed);
    }
    let is_style = text[..offset].rfind("<style").is_some_and(|at| !text[at..offset].contains("</style"));
    if (is_style || in_attribute("style=").is_some())
        && (text[typed.start..offset].starts_with("--") || text[..typed.start].ends_with("var("))
    {
        return sheet::properties(analysis, typed);
    }
    Vec::new()
}
