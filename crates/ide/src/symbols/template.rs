//! What templates name.

use super::content::{Owners, component, offset_in, path_names};
use super::sheet::{self, classes};
use super::{Callable, KeyOwner, Occurrence, Symbol};
use crate::Analysis;
use crate::variables::{Meaning, declarations};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_templates::TEMPLATES;
use sitegen_templates::callables::{FILTERS, FUNCTIONS, TESTS};
use sitegen_templates::lexer::{Code, Kind, Token, codes, name_at};

/// Returns everything that a template names.
pub fn occurrences(analysis: &Analysis, path: &SourcePath, text: &str) -> Vec<Occurrence> {
    let mut all = classes(text);
    for (open, close) in [("<style", "</style")] {
        for (at, _) in text.match_indices(open) {
            let Some(from) = text[at..].find('>').map(|end| at + end + 1) else { continue };
            let end = text[from..].find(close).map_or(text.len(), |end| from + end);
            all.extend(sheet::occurrences(&text[from..end], from));
        }
    }
    for (at, _) in text.match_indices("style=\"") {
        let from = at + "style=\"".len();
        let end = text[from..].find('"').map_or(text.len(), |end| from + end);
        all.extend(sheet::occurrences(&text[from..end], from));
    }
    let mut owners = owners_in(analysis, path);
    let codes = codes(text);
    for code in &codes {
        for (name, meaning) in declarations(code) {
            let owner = match &meaning {
                Meaning::Item(list) => match list[..] {
                    ["collections", collection] => Some(KeyOwner::Entries(collection.to_owned())),
                    ["list", "entries"] => owners.get("entry").cloned(),
                    _ => None,
                },
                Meaning::Value(value) => match value[..] {
                    ["entries", collection, _] => Some(KeyOwner::Entries(collection.to_owned())),
                    [other] => owners.get(other).cloned(),
                    _ => None,
                },
                Meaning::Argument if ["page", "entry"].contains(&name) => continue,
                Meaning::Argument => None,
            };
            match owner {
                Some(owner) => owners.insert(name, owner),
                None => owners.remove(name),
            };
        }
        of_code(analysis, path, text, code, &owners, &mut all);
    }
    all
}

/// Returns what the variables have keys of that every template has: `page` those of the pages that it renders, `entry` those of the
/// only collection that these are made from.
fn owners_in<'t>(analysis: &Analysis, path: &SourcePath) -> Owners<'t> {
    let mut owners = Owners::new();
    let Some(site) = analysis.site else { return owners };
    if let Some(name) = analysis.renders(path) {
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        owners.insert("page", KeyOwner::Pages(stem.to_owned()));
        if let [collection] = &analysis.made_of(path, site.main())[..] {
            owners.insert("entry", KeyOwner::Entries(collection.clone()));
        }
    }
    owners
}

fn word<'t>(token: Option<&(Token<'t>, usize)>) -> Option<&'t str> {
    match token {
        Some((Token::Word(word), _)) => Some(word),
        _ => None,
    }
}

fn sign(token: Option<&(Token, usize)>) -> Option<char> {
    match token {
        Some((Token::Sign(sign), _)) => Some(*sign),
        _ => None,
    }
}

/// Returns a text in quotes, without them. That of one that is not closed yet ends with the code.
fn quoted<'t>(token: Option<&(Token<'t>, usize)>) -> Option<(&'t str, usize)> {
    let Some((Token::Value(value), at)) = token else { return None };
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inner = &value[1..];
    Some((inner.strip_suffix(quote).unwrap_or(inner), at + 1))
}

fn of_code(
    analysis: &Analysis,
    path: &SourcePath,
    text: &str,
    code: &Code,
    owners: &Owners,
    all: &mut Vec<Occurrence>,
) {
    let tokens = &code.tokens;
    if code.kind == Kind::Tag
        && let (Some(tag), Some((_, at))) = (word(tokens.first()), tokens.get(1))
    {
        let name = name_at(text, *at);
        let span = Span::at(*at, name.len());
        match tag {
            "block" | "endblock" if !name.is_empty() => {
                let symbol = Symbol::Block(name.to_owned());
                all.push(Occurrence { span, symbol, declares: tag == "block" });
            }
            "component" | "endcomponent" if !name.is_empty() => {
                let symbol = Symbol::Component(component(name));
                all.push(Occurrence { span, symbol, declares: tag == "component" });
                if tag == "component" {
                    arguments(text, name, &tokens[1..], all);
                }
                return;
            }
            "extends" | "include" => {
                if let Some((name, at)) = quoted(tokens.get(1)) {
                    let symbol = Symbol::Template(SourcePath::new(format!("{TEMPLATES}/{name}")));
                    all.push(Occurrence::used(Span::at(at, name.len()), symbol));
                }
            }
            _ => {}
        }
    }
    let mut index = 0;
    // The calls around a token, for the arguments in them.
    let mut calls: Vec<Option<&str>> = Vec::new();
    // The component whose tag is open.
    let mut tag: Option<String> = None;
    while index < tokens.len() {
        let (token, at) = &tokens[index];
        let before = index.checked_sub(1).and_then(|index| tokens.get(index));
        let next = tokens.get(index + 1);
        match token {
            Token::Sign('(') => calls.push(word(before)),
            Token::Sign(')') => drop(calls.pop()),
            Token::Sign('>') => tag = None,
            Token::Word(name) => {
                let is_of_tag = sign(before) == Some('<')
                    || sign(before) == Some('/') && sign(tokens.get(index.wrapping_sub(2))) == Some('<');
                let callable = |kind: Callable| Symbol::Callable(kind, (*name).to_owned());
                let span = Span::at(*at, name.len());
                if is_of_tag {
                    let name = name_at(text, *at);
                    all.push(Occurrence::used(Span::at(*at, name.len()), Symbol::Component(component(name))));
                    tag = Some(component(name));
                } else if sign(next) == Some('=') && sign(tokens.get(index + 2)) != Some('=') && calls.is_empty() {
                    if let Some(tag) = &tag {
                        all.push(Occurrence::used(span, Symbol::Argument(tag.clone(), (*name).to_owned())));
                    }
                } else if sign(before) == Some('|') && FILTERS.iter().any(|filter| filter.name == *name) {
                    all.push(Occurrence::used(span, callable(Callable::Filter)));
                } else if is_tested(tokens, index) && TESTS.iter().any(|test| test.name == *name) {
                    all.push(Occurrence::used(span, callable(Callable::Test)));
                } else if sign(next) == Some('(') && FUNCTIONS.iter().any(|function| function.name == *name) {
                    all.push(Occurrence::used(span, callable(Callable::Function)));
                } else if sign(before) != Some('.') {
                    // A path: `site.email`.
                    let mut end = index;
                    while sign(tokens.get(end + 1)) == Some('.') && word(tokens.get(end + 2)).is_some() {
                        end += 2;
                    }
                    if let (true, Some((Token::Word(last), last_at))) = (end > index, tokens.get(end)) {
                        let written = &text[*at..last_at + last.len()];
                        if !written.contains(char::is_whitespace) {
                            all.extend(path_names(analysis, path, written, *at, owners));
                        }
                        index = end;
                        // `entries.news["we-open"]`
                        if let (Some(collection), Some('[')) =
                            (written.strip_prefix("entries."), sign(tokens.get(end + 1)))
                            && let Some((slug, at)) = quoted(tokens.get(end + 2))
                        {
                            let symbol = Symbol::Entry(collection.to_owned(), slug.to_owned());
                            all.push(Occurrence::used(Span::at(at, slug.len()), symbol));
                        }
                    }
                }
            }
            Token::Value(_) => {
                if let Some((value, at)) = quoted(Some(&(*token, *at))) {
                    let argument =
                        (sign(before) == Some('=')).then(|| word(tokens.get(index.wrapping_sub(2)))).flatten();
                    let call = calls.last().copied().flatten();
                    all.extend(in_quotes(analysis, path, (call, argument), value, at));
                }
            }
            Token::Sign(_) => {}
        }
        index += 1;
    }
}

/// Whether the word at an index follows `is` or `is not`.
fn is_tested(tokens: &[(Token, usize)], index: usize) -> bool {
    let before = |back: usize| index.checked_sub(back).and_then(|index| word(tokens.get(index)));
    before(1) == Some("is") || before(1) == Some("not") && before(2) == Some("is")
}

/// The arguments that a component declares: names before a colon, or of values that it gets from the page.
fn arguments(text: &str, name: &str, tokens: &[(Token, usize)], all: &mut Vec<Occurrence>) {
    for (index, (token, at)) in tokens.iter().enumerate() {
        let Token::Word(argument) = token else { continue };
        let before = index.checked_sub(1).and_then(|index| sign(tokens.get(index)));
        if matches!(before, Some('(' | ',')) && offset_in(text, argument) == *at {
            let symbol = Symbol::Argument(component(name), (*argument).to_owned());
            all.push(Occurrence::declared(Span::at(*at, argument.len()), symbol));
        }
    }
}

/// What a text in quotes names, by the call and the argument that it is in.
fn in_quotes(
    analysis: &Analysis,
    path: &SourcePath,
    (call, argument): (Option<&str>, Option<&str>),
    value: &str,
    at: usize,
) -> Option<Occurrence> {
    let used = |symbol| Some(Occurrence::used(Span::at(at, value.len()), symbol));
    match (call?, argument?) {
        ("asset" | "picture" | "picture_info" | "picture_url" | "inline_svg" | "favicons", "path") => {
            let asset = analysis.site?.main().assets.get(value)?;
            used(Symbol::Asset(asset.source.clone()))
        }
        ("url", "path") => {
            let (symbol, length) = analysis.target(path, value)?;
            Some(Occurrence::used(Span::at(at, length), symbol))
        }
        ("island", "component") => used(Symbol::Island(value.to_owned())),
        ("social_picture", "template") => used(Symbol::Template(SourcePath::new(format!("{TEMPLATES}/{value}")))),
        ("terms", "collection") => used(Symbol::Collection(value.to_owned())),
        _ => None,
    }
}
