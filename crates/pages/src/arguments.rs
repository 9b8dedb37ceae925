//! Checks templates for what Tera ignores or reports late: unknown arguments of filters, and tags that are never
//! closed, which it notices only at the end of the file.

use sitegen_core::diagnostics::{Diagnostic, Place, Span, TemplateProblem, nearest};
use sitegen_core::paths::SourcePath;
use sitegen_templates::callables;
use sitegen_templates::lexer::{Code, Kind, Token, codes};

/// Reports unknown arguments of filters and tests: Tera ignores a misspelt one.
pub fn unknown(path: &SourcePath, text: &str) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for code in codes(text) {
        let tokens = &code.tokens;
        for (index, pair) in tokens.windows(2).enumerate() {
            let after = |back: usize, token: Token| index >= back && tokens[index - back].0 == token;
            let (Token::Word(name), Token::Sign('(')) = (pair[0].0, pair[1].0) else { continue };
            let is_test = after(1, Token::Word("is")) || after(2, Token::Word("is")) && after(1, Token::Word("not"));
            let is_filter = after(1, Token::Sign('|')) || code.kind == Kind::Tag && after(1, Token::Word("filter"));
            if !is_test && !is_filter {
                continue;
            }
            let Some(names) = argument_names(name) else { continue };
            for (argument, at) in arguments(&tokens[index + 2..]) {
                if !names.contains(&argument) {
                    let help = match (nearest(argument, names.iter().copied()), names) {
                        (Some(meant), _) => format!("; did you mean `{meant}`?"),
                        (None, []) => "; it takes none".to_owned(),
                        (None, names) => format!("; its arguments are `{}`", names.join("`, `")),
                    };
                    let detail = format!("`{name}` has no argument `{argument}`{help}");
                    let place = Place::new(path, Span::at(at, argument.len()));
                    diagnostics.push(Diagnostic::new(TemplateProblem::TemplateSyntax { detail }, place));
                }
            }
        }
    }
    diagnostics
}

/// Reports `__tera_context`, which has another order in every build.
pub fn context(path: &SourcePath, text: &str) -> Vec<Diagnostic> {
    const NAME: &str = "__tera_context";
    let codes = codes(text);
    let code = codes.iter().filter(|code| code.kind != Kind::Comment).flat_map(|code| &code.tokens);
    let named = code.filter(|(token, _)| *token == Token::Word(NAME));
    let report = |(_, at): &(Token, usize)| {
        let detail =
            format!("the order of `{NAME}` would differ between builds; write `page | json`, or another value");
        let place = Place::new(path, Span::at(*at, NAME.len()));
        Diagnostic::new(TemplateProblem::TemplateSyntax { detail }, place)
    };
    named.map(report).collect()
}

/// Reports an argument without a name in the call before a place where a template does not parse: Tera expects a name.
pub fn unnamed(path: &SourcePath, text: &str, error: usize) -> Option<Diagnostic> {
    const KEYWORDS: [&str; 9] = ["if", "elif", "and", "or", "not", "in", "for", "set", "component"];
    let codes = codes(text);
    let code = codes.iter().find(|code| code.span.start <= error && error <= code.span.end)?;
    let tokens = &code.tokens;
    if matches!(tokens.first(), Some((Token::Word("component"), _))) {
        return None;
    }
    let mut calls = tokens.windows(2).enumerate().filter_map(|(at, pair)| match (pair[0].0, pair[1].0) {
        (Token::Word(name), Token::Sign('(')) if !KEYWORDS.contains(&name) => Some((name, at + 2)),
        _ => None,
    });
    let (name, at, (from, to)) = calls.find_map(|(name, at)| {
        let found = first_unnamed(&tokens[at..]).filter(|(from, _)| *from <= error)?;
        Some((name, at, found))
    })?;
    let value = text.get(from..to.unwrap_or(code.span.end))?.trim();
    let is_first = tokens.get(at).is_some_and(|(_, start)| *start == from);
    let of_filter = argument_names(name).and_then(|names| names.first().copied());
    let of_function = callables::function(name).and_then(|function| function.arguments.first().copied());
    let is_filter = at >= 3 && matches!(tokens[at - 3].0, Token::Sign('|') | Token::Word("is" | "not" | "filter"));
    let first = if is_filter { of_filter } else { of_function.or(of_filter) };
    let help = match first.filter(|_| is_first) {
        Some(first) => format!("write `{name}({first}={value})`"),
        None => format!("write this one like `name={value}`"),
    };
    let detail = format!("the arguments of `{name}` must be named: {help}");
    Some(Diagnostic::new(TemplateProblem::TemplateSyntax { detail }, Place::new(path, Span::at(from, value.len()))))
}

/// Returns the names of the arguments of a filter or a test, in the order in which others write them.
pub fn argument_names(name: &str) -> Option<&'static [&'static str]> {
    callables::filter_or_test(name).map(|callable| callable.arguments)
}

/// Returns where the first argument without a name begins and ends, of tokens after an opening bracket.
fn first_unnamed(tokens: &[(Token, usize)]) -> Option<(usize, Option<usize>)> {
    let mut depth = 0;
    let mut start = None;
    let mut is_at_start = true;
    for (at, (token, offset)) in tokens.iter().enumerate() {
        let is_end = depth == 0 && matches!(token, Token::Sign(',' | ')'));
        if let (true, Some(start)) = (is_end, start) {
            return Some((start, Some(*offset)));
        }
        let sign = |ahead: usize| tokens.get(at + ahead).map(|(token, _)| *token);
        let is_named =
            matches!(token, Token::Word(_)) && sign(1) == Some(Token::Sign('=')) && sign(2) != Some(Token::Sign('='));
        if depth == 0 && is_at_start && !is_end && !is_named {
            start = Some(*offset);
        }
        is_at_start = depth == 0 && *token == Token::Sign(',');
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return None,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    start.map(|start| (start, None))
}

/// Returns the names before `=` up to the closing bracket, without those of calls inside.
fn arguments<'t>(tokens: &[(Token<'t>, usize)]) -> Vec<(&'t str, usize)> {
    let mut depth = 0;
    let mut names = Vec::new();
    for (index, (token, at)) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => break,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Word(name) if depth == 0 => {
                let is_first = index == 0 || tokens[index - 1].0 == Token::Sign(',');
                let sign = |ahead: usize| tokens.get(index + ahead).map(|(token, _)| *token);
                if is_first && sign(1) == Some(Token::Sign('=')) && sign(2) != Some(Token::Sign('=')) {
                    names.push((*name, *at));
                }
            }
            _ => {}
        }
    }
    names
}

/// Reports the tag that is opened and not closed, the innermost one if there are several.
pub fn unclosed(path: &SourcePath, text: &str) -> Option<Diagnostic> {
    let mut open: Vec<(&str, Span)> = Vec::new();
    let report = |(tag, span): (&str, Span)| {
        Diagnostic::new(TemplateProblem::TemplateUnclosed { tag: tag.to_owned() }, Place::new(path, span))
    };
    for code in &codes(text) {
        let Err(ended) = follow(&mut open, code) else { continue };
        // The end of an outer tag: an inner one was left open.
        let is_outer = open.iter().any(|(tag, _)| *tag == ended);
        return open.last().filter(|_| is_outer).copied().map(report);
    }
    open.last().copied().map(report)
}

/// Adds a tag that code opens to those that are open, or removes the one that it ends.
///
/// # Errors
///
/// Returns the name of the tag that the code ends, if that is not the innermost one.
pub fn follow<'t>(open: &mut Vec<(&'t str, Span)>, code: &Code<'t>) -> Result<(), &'t str> {
    let (Kind::Tag, Some((Token::Word(word), _))) = (code.kind, code.tokens.first()) else { return Ok(()) };
    match *word {
        "if" | "for" | "block" | "filter" | "component" => open.push((word, code.span)),
        // `{% set a = 1 %}` needs no end, `{% set a %}` does.
        "set" | "set_global" if !code.tokens.iter().any(|(token, _)| *token == Token::Sign('=')) => {
            open.push(("set", code.span));
        }
        word => {
            let Some(ended) = word.strip_prefix("end").filter(|ended| !ended.is_empty()) else { return Ok(()) };
            let ended = if ended == "set_global" { "set" } else { ended };
            if open.last().is_none_or(|(last, _)| *last != ended) {
                return Err(ended);
            }
            open.pop();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::message;

    fn said(text: &str) -> Vec<String> {
        let diagnostics = unknown(&SourcePath::new("templates/a.html"), text);
        let shown = diagnostics.iter().map(|each| {
            let span = each.place.as_ref().unwrap().span.unwrap();
            format!("{}: {}", &text[span.start..span.end], message(&each.problem))
        });
        shown.collect()
    }

    #[test]
    fn arguments_that_a_filter_does_not_know_are_reported() {
        assert_eq!(
            said("{{ a | truncate(lenght=3) }}{% if b is starting_with(pet=\"x\") %}{% endif %}"),
            [
                "lenght: `truncate` has no argument `lenght`; did you mean `length`?",
                "pet: `starting_with` has no argument `pet`; did you mean `pat`?"
            ]
        );
        assert_eq!(said("{{ a|json(pretty=true) }}"), ["pretty: `json` has no argument `pretty`; it takes none"]);
        assert_eq!(
            said("{% filter replace(from=\"a\", too=\"b\") %}{% endfilter %}"),
            ["too: `replace` has no argument `too`; did you mean `to`?"]
        );
    }

    #[test]
    fn an_argument_without_a_name_is_reported_with_it() {
        let said = |text: &str| {
            let (error, text) = (text.find('^')?, text.replacen('^', "", 1));
            let found = unnamed(&SourcePath::new("templates/a.html"), &text, error)?;
            Some(message(&found.problem))
        };
        let named = |name: &str, help: &str| Some(format!("the arguments of `{name}` must be named: {help}"));
        // The caret stands where Tera finds the error.
        assert_eq!(said("{{ picture(^\"a.jpg\") }}"), named("picture", "write `picture(path=\"a.jpg\")`"));
        assert_eq!(said("{{ picture(page^.hero, alt=\"\") }}"), named("picture", "write `picture(path=page.hero)`"));
        assert_eq!(said("{{ a | truncate(^20) }}"), named("truncate", "write `truncate(length=20)`"));
        assert_eq!(said("{% if a is containing(^\"b\") %}"), named("containing", "write `containing(pat=\"b\")`"));
        assert_eq!(said("{{ url(path=b(^[1, 2]), true) }}"), named("b", "write this one like `name=[1, 2]`"));
        assert_eq!(said("{{ url(path=\"/\", true^) }}"), named("url", "write this one like `name=true`"));
        for other in ["{{ picture(path=\"a.jpg\" ^ alt=\"\") }}", "{% if (a or b) ^ %}", "{{ url() ^ }}"] {
            assert_eq!(said(other), None, "{other}");
        }
    }

    #[test]
    fn lookalikes_of_arguments_are_ignored() {
        for valid in [
            "{{ a | truncate(length=3, end=\"(x=1)\") }}",
            "{{ a | default(value={\"b\": c(d=1)}) | upper }}",
            "{# {{ a | truncate(x=1) }} #}{% raw %}{{ a | truncate(x=1) }}{% endraw %}",
            "{{ \"a | truncate(x=1)\" }} | truncate(x=1)",
            "{{ ours | filter_of_somebody(x=1) }}",
        ] {
            assert_eq!(said(valid), Vec::<String>::new(), "{valid}");
        }
    }

    #[test]
    fn the_innermost_unclosed_tag_is_reported() {
        let open = |text: &str| {
            let diagnostics = unclosed(&SourcePath::new("templates/a.html"), text)?;
            let span = diagnostics.place?.span?;
            Some(text[span.start..span.end].to_owned())
        };
        assert_eq!(open("{% for a in b %}{% if a %}x{% endfor %}").as_deref(), Some("{% if a %}"));
        assert_eq!(open("{%- block a -%}{% if a %}{% else %}{% endif %}").as_deref(), Some("{%- block a -%}"));
        assert_eq!(open("{% set a = 1 %}{% set b %}x{% endset %}{% if a == {\"%}\": 1} %}{% endif %}"), None);
        assert_eq!(open("{% endif %}{% if a %}"), None);
    }
}
