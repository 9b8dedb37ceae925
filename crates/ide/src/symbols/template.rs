//! What templates name.

use super::content::{addresses, component};
use super::sheet::{self, classes};
use super::{Callable, KeyOwner, Occurrence, Symbol};
use crate::Analysis;
use crate::variables::{KEYWORDS, LISTED};
use sitegen_content::calls;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;
use sitegen_templates::TEMPLATES;
use sitegen_templates::callables::{FILTERS, FUNCTIONS, TESTS};
use sitegen_templates::lexer::{Code, Kind, Token, codes, name_at};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Returns everything that a template names.
pub fn occurrences(analysis: &Analysis, path: &SourcePath, text: &str) -> Vec<Occurrence> {
    let mut all = classes(text, "class=").all;
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
    let codes = codes(text);
    // Links of HTML, but for those that code is a part of.
    let in_code = |at: usize| codes.iter().any(|code| code.span.start <= at && at < code.span.end);
    for (value, at) in addresses(text).filter(|(value, at)| !value.contains('{') && !in_code(*at)) {
        all.extend(analysis.named(path, value, at));
    }
    let mut reader = Reader::of(analysis, path, text, MOST_CALLS);
    for code in &codes {
        reader.read(code);
    }
    all.extend(reader.all);
    all
}

/// Through how many components that call each other the arguments of one are followed.
const MOST_CALLS: usize = 3;

/// Returns what the keys of the arguments of a component are, by all its calls.
fn arguments_of(analysis: &Analysis, name: &str, calls_left: usize) -> BTreeMap<String, Keys> {
    let mut all: BTreeMap<String, Keys> = BTreeMap::new();
    let mut add = |argument: String, keys: Keys| {
        let known = all.entry(argument).or_insert_with(|| keys.clone());
        if *known != keys {
            *known = Keys::Unknown;
        }
    };
    for (path, source) in analysis.sources.of_all(&[SourceKind::Template, SourceKind::Page, SourceKind::Entry]) {
        let Some(text) = source.text() else { continue };
        if !text.match_indices('<').any(|(at, _)| component(name_at(text, at + 1)) == name) {
            continue;
        }
        if SourceKind::of(path) == SourceKind::Template {
            let mut reader = Reader::of(analysis, path, text, calls_left.saturating_sub(1));
            codes(text).iter().for_each(|code| reader.read(code));
            let calls = reader.calls.into_iter().filter(|(called, ..)| called == name);
            calls.for_each(|(_, argument, keys)| add(argument, keys));
            continue;
        }
        let tags = calls::all(text).filter_map(|(_, tag)| tag?.ok()).filter(|tag| component(tag.component) == name);
        for (argument, value, _) in tags.flat_map(|tag| tag.arguments) {
            add(argument.to_owned(), keys_of(value));
        }
    }
    all
}

/// Returns what the keys of a value are that content gives to a component.
fn keys_of(value: calls::Written) -> Keys {
    let calls::Written::Path(path) = value else { return Keys::Fixed };
    let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
    match &path.split('.').collect::<Vec<_>>()[..] {
        ["site", keys @ ..] => Keys::Of(KeyOwner::Site, owned(keys)),
        ["entry" | "page" | "term" | "list", ..] => Keys::Unknown,
        [collection, _, keys @ ..] => Keys::Of(KeyOwner::Entries((*collection).to_owned()), owned(keys)),
        _ => Keys::Unknown,
    }
}

/// What the keys of a value are. A list has those of its items.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Keys {
    /// Keys of content: of what, and the keys down to the value.
    Of(KeyOwner, Vec<String>),
    /// `collections`: its keys are those that have lists of entries.
    Collections,
    /// `entries`: as before, but with entries by their names.
    Entries,
    /// The entries of a collection by their names.
    Named(String),
    /// `list`.
    List,
    /// Keys that the engine gives, or none.
    Fixed,
    /// Not known: an argument of a component, or what a template gets that includes it.
    Unknown,
}

/// A variable of a template.
#[derive(Clone)]
struct Variable {
    symbol: Symbol,
    keys: Keys,
}

/// The variables of a part of a template: of the file, a loop or a component. Those of a component are all that it sees.
struct Scope<'t> {
    is_component: bool,
    names: BTreeMap<&'t str, Variable>,
}

/// A comprehension: `[each.name for each in page.loaves if each.grams > 400]`, by the numbers of its tokens.
struct Comprehension<'t> {
    open: usize,
    close: usize,
    /// Where its `for` is.
    at: usize,
    /// The list.
    list: Range<usize>,
    names: Vec<(&'t str, Variable)>,
}

/// A path of a variable, with the filters after it.
struct Path {
    /// The number of its last token.
    end: usize,
    keys: Keys,
    named: Vec<Occurrence>,
    /// The numbers of the tokens that are known by it.
    tokens: Vec<usize>,
}

type Tokens<'c, 't> = &'c [(Token<'t>, usize)];

/// Filters that give what they get, or a part of it with the same keys.
const KEEPING: [&str; 10] =
    ["default", "first", "group_by", "last", "nth", "reverse", "safe", "sort", "unique", "values"];

/// Reads the code of a template in its order.
struct Reader<'a, 't> {
    analysis: &'a Analysis<'a>,
    path: &'a SourcePath,
    text: &'t str,
    page: Keys,
    entry: Keys,
    scopes: Vec<Scope<'t>>,
    all: Vec<Occurrence>,
    /// What components get: the component, the argument and what the keys of its value are.
    calls: Vec<(String, String, Keys)>,
    /// Through how many components arguments are followed.
    calls_left: usize,
}

impl<'a, 't> Reader<'a, 't> {
    /// What the variables have keys of that every template has: `page` those of the pages that it renders, `entry` those of the
    /// only collection that these are made from.
    fn of(analysis: &'a Analysis, path: &'a SourcePath, text: &'t str, calls_left: usize) -> Self {
        let (mut page, mut entry) = (Keys::Unknown, Keys::Unknown);
        if let (Some(site), Some(name)) = (analysis.site, analysis.renders(path)) {
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            page = Keys::Of(KeyOwner::Pages(stem.to_owned()), Vec::new());
            entry = match &analysis.made_of(path, site.main())[..] {
                [collection] if collection == LISTED => any_page(),
                [collection] => Keys::Of(KeyOwner::Entries(collection.clone()), Vec::new()),
                _ => Keys::Unknown,
            };
        }
        let file = Scope { is_component: false, names: BTreeMap::new() };
        let (scopes, all, calls) = (vec![file], Vec::new(), Vec::new());
        Reader { analysis, path, text, page, entry, scopes, all, calls, calls_left }
    }

    fn read(&mut self, code: &Code<'t>) {
        let tokens = &code.tokens[..];
        let tag = word(tokens.first()).filter(|_| code.kind == Kind::Tag);
        let name = tokens.get(1).map(|(_, at)| (name_at(self.text, *at), *at)).filter(|(name, _)| !name.is_empty());
        match (tag, name) {
            (Some(tag @ ("block" | "endblock")), Some((name, at))) => {
                let symbol = Symbol::Block(name.to_owned());
                self.all.push(Occurrence { span: Span::at(at, name.len()), symbol, declares: tag == "block" });
            }
            (Some("component"), Some((name, at))) => {
                self.all.push(Occurrence::declared(Span::at(at, name.len()), Symbol::Component(component(name))));
                self.scopes.push(Scope { is_component: true, names: BTreeMap::new() });
                self.arguments(name, &tokens[1..]);
            }
            (Some("endcomponent"), _) => {
                if let Some((name, at)) = name {
                    self.all.push(Occurrence::used(Span::at(at, name.len()), Symbol::Component(component(name))));
                }
                if let Some(own) = self.scopes.iter().rposition(|scope| scope.is_component) {
                    self.scopes.truncate(own);
                }
            }
            (Some("extends" | "include"), _) => {
                if let Some((name, at)) = quoted(tokens.get(1)) {
                    let symbol = Symbol::Template(SourcePath::new(format!("{TEMPLATES}/{name}")));
                    self.all.push(Occurrence::used(Span::at(at, name.len()), symbol));
                }
            }
            (Some("for"), _) => {
                let Some(list) = tokens.iter().position(|(token, _)| *token == Token::Word("in")) else { return };
                let keys = self.expression(&tokens[list + 1..]);
                self.scopes.push(Scope { is_component: false, names: BTreeMap::new() });
                for (name, variable) in self.loop_variables(&tokens[1..list], &keys) {
                    self.declare(name, variable);
                }
            }
            (Some("endfor"), _) => {
                if self.scopes.len() > 1 && self.scopes.last().is_some_and(|scope| !scope.is_component) {
                    self.scopes.pop();
                }
            }
            (Some(tag @ ("set" | "set_global")), _) => {
                let Some((Token::Word(name), at)) = tokens.get(1) else { return };
                let is_value = sign(tokens.get(2)) == Some('=');
                let keys = if is_value { self.expression(&tokens[3..]) } else { Keys::Fixed };
                let scope = if tag == "set" { self.scopes.len() - 1 } else { self.own_scope() };
                // One that is set again is the same.
                let before = self.scopes[scope].names.get(name).map(|variable| variable.symbol.clone());
                let symbol = before.unwrap_or_else(|| Symbol::Variable(self.path.clone(), *at, (*name).to_owned()));
                self.all.push(Occurrence::declared(Span::at(*at, name.len()), symbol.clone()));
                self.scopes[scope].names.insert(name, Variable { symbol, keys });
            }
            _ => {
                self.expression(tokens);
            }
        }
    }

    /// The number of the scope of the file, or of the component that is open.
    fn own_scope(&self) -> usize {
        self.scopes.iter().rposition(|scope| scope.is_component).unwrap_or(0)
    }

    fn declare(&mut self, name: &'t str, variable: Variable) {
        if let Symbol::Variable(_, at, _) = &variable.symbol {
            self.all.push(Occurrence::declared(Span::at(*at, name.len()), variable.symbol.clone()));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, variable);
        }
    }

    /// Returns the variables before `in`: one for the items, or one for the keys and one for the values.
    fn loop_variables(&self, tokens: Tokens<'_, 't>, list: &Keys) -> Vec<(&'t str, Variable)> {
        let names: Vec<(&'t str, usize)> =
            tokens.iter().filter_map(|token| Some((word(Some(token))?, token.1))).collect();
        let count = names.len();
        let item = match list {
            Keys::Named(collection) => Keys::Of(KeyOwner::Entries(collection.clone()), Vec::new()),
            Keys::Collections | Keys::Entries => Keys::Unknown,
            other => other.clone(),
        };
        let of = |(number, (name, at)): (usize, (&'t str, usize))| {
            let keys = if number + 1 < count { Keys::Fixed } else { item.clone() };
            (name, Variable { symbol: Symbol::Variable(self.path.clone(), at, name.to_owned()), keys })
        };
        names.into_iter().enumerate().map(of).collect()
    }

    /// The arguments that a component declares: names before a colon or a value. What has an `@` comes from around the call.
    fn arguments(&mut self, name: &str, tokens: Tokens<'_, 't>) {
        let mut depth = 0usize;
        let given = match self.calls_left {
            0 => BTreeMap::new(),
            left => arguments_of(self.analysis, &component(name), left),
        };
        for (index, (token, at)) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|index| sign(tokens.get(index)));
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Token::Word(argument) if depth == 1 && matches!(before, Some('(' | ',')) => {
                    let symbol = Symbol::Argument(component(name), (*argument).to_owned());
                    self.all.push(Occurrence::declared(Span::at(*at, argument.len()), symbol.clone()));
                    let keys = given.get(*argument).cloned().unwrap_or(Keys::Unknown);
                    self.declare(argument, Variable { symbol, keys });
                }
                _ => {}
            }
        }
    }

    /// Returns the variable of a name at a token.
    fn variable(&self, name: &str, index: usize, around: &[Comprehension]) -> Option<Variable> {
        let of_comprehension = around.iter().rev().find_map(|each| {
            let is_inside = each.open < index && index < each.close && !each.list.contains(&index);
            let found = each.names.iter().find(|(other, _)| is_inside && *other == name);
            found.map(|(_, variable)| variable.clone())
        });
        of_comprehension.or_else(|| {
            let seen = &self.scopes[self.own_scope()..];
            seen.iter().rev().find_map(|scope| scope.names.get(name).cloned())
        })
    }

    /// Finds the comprehensions of an expression, outer ones first.
    fn comprehensions(&self, tokens: Tokens<'_, 't>) -> Vec<Comprehension<'t>> {
        let mut all: Vec<Comprehension> = Vec::new();
        for (open, (token, _)) in tokens.iter().enumerate() {
            if !matches!(token, Token::Sign('[' | '{')) {
                continue;
            }
            let close = closing(tokens, open);
            let (mut depth, mut at, mut from, mut end) = (0usize, None, None, close);
            for (index, (token, _)) in tokens.iter().enumerate().take(close).skip(open + 1) {
                match token {
                    Token::Sign('(' | '[' | '{') => depth += 1,
                    Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                    Token::Word("for") if depth == 0 && at.is_none() => at = Some(index),
                    Token::Word("in") if depth == 0 && at.is_some() && from.is_none() => from = Some(index + 1),
                    Token::Word("if") if depth == 0 && from.is_some() && end == close => end = index,
                    _ => {}
                }
            }
            let (Some(at), Some(from)) = (at, from) else { continue };
            let list = self.value(tokens, from..end, &all);
            let names = self.loop_variables(&tokens[at + 1..from - 1], &list);
            all.push(Comprehension { open, close, at, list: from..end, names });
        }
        all
    }

    /// Returns what the keys of some tokens are, if they are one value.
    fn value(&self, tokens: Tokens<'_, 't>, range: Range<usize>, around: &[Comprehension<'t>]) -> Keys {
        let first = range.start;
        let (end, keys) = match tokens.get(first) {
            Some((Token::Word(name), _)) if sign(tokens.get(first + 1)) == Some('(') => {
                let close = closing(tokens, first + 1);
                // The entries are of the collection of the one that they are related to.
                let entry = tokens[first..close].iter().position(|(token, _)| *token == Token::Word("entry"));
                let keys = match (*name, entry) {
                    ("related", Some(at)) => self.path(tokens, first + at + 2, around).keys,
                    ("related", None) => Keys::Unknown,
                    _ => Keys::Fixed,
                };
                self.filtered(tokens, close, keys)
            }
            Some((Token::Word(_), _)) => {
                let path = self.path(tokens, first, around);
                (path.end, path.keys)
            }
            Some((Token::Sign('['), _)) => match around.iter().find(|each| each.open == first) {
                Some(own) => {
                    let item = self.path(tokens, first + 1, around);
                    let is_all = item.end + 1 == own.at;
                    let keys = if is_all { item.keys } else { Keys::Unknown };
                    self.filtered(tokens, own.close, keys)
                }
                None => (first, Keys::Unknown),
            },
            Some((Token::Value(_), _)) if first + 1 == range.end => (first, Keys::Fixed),
            _ => (first, Keys::Unknown),
        };
        if end + 1 == range.end { keys } else { Keys::Unknown }
    }

    fn filtered(&self, tokens: Tokens<'_, 't>, end: usize, keys: Keys) -> (usize, Keys) {
        let mut path = Path { end, keys, named: Vec::new(), tokens: Vec::new() };
        self.filters(tokens, &mut path);
        (path.end, path.keys)
    }

    /// Reads a path of a variable, such as `entry.author["name"]`, with the filters after it.
    fn path(&self, tokens: Tokens<'_, 't>, start: usize, around: &[Comprehension<'t>]) -> Path {
        let mut path = Path { end: start, keys: Keys::Unknown, named: Vec::new(), tokens: vec![start] };
        let Some((Token::Word(root), at)) = tokens.get(start) else { return path };
        match self.variable(root, start, around) {
            Some(variable) => {
                path.named.push(Occurrence::used(Span::at(*at, root.len()), variable.symbol));
                path.keys = variable.keys;
            }
            None => {
                path.keys = match *root {
                    "site" => Keys::Of(KeyOwner::Site, Vec::new()),
                    "page" => self.page.clone(),
                    LISTED => any_page(),
                    "entry" => self.entry.clone(),
                    "entries" => Keys::Entries,
                    "collections" => Keys::Collections,
                    "list" => Keys::List,
                    "term" | "loop" | "languages" => Keys::Fixed,
                    _ => Keys::Unknown,
                }
            }
        }
        loop {
            let mut dot = path.end + 1;
            if sign(tokens.get(dot)) == Some('?') {
                dot += 1;
            }
            match (sign(tokens.get(dot)), tokens.get(dot + 1)) {
                (Some('.'), Some((Token::Word(name), at))) => {
                    self.step(&mut path, name, *at);
                    path.end = dot + 1;
                    path.tokens.push(dot + 1);
                }
                // `pictures.0.path`: a number with what follows it is one token.
                (Some('.'), Some((Token::Value(value), at))) => {
                    let mut from = at + value.split('.').next().map_or(0, str::len);
                    for name in value.split('.').skip(1) {
                        self.step(&mut path, name, from + 1);
                        from += 1 + name.len();
                    }
                    path.end = dot + 1;
                }
                (Some('['), Some(inside)) => {
                    let close = closing(tokens, dot);
                    match quoted(Some(inside)).filter(|_| close == dot + 2) {
                        Some((name, at)) => {
                            self.step(&mut path, name, at);
                            path.tokens.push(dot + 1);
                        }
                        // An entry by a name that only the page has; otherwise an item of a list.
                        None => {
                            path.keys = match path.keys {
                                Keys::Named(collection) => Keys::Of(KeyOwner::Entries(collection), Vec::new()),
                                Keys::Collections | Keys::Entries => Keys::Unknown,
                                other => other,
                            }
                        }
                    }
                    path.end = close;
                }
                _ => break,
            }
        }
        self.filters(tokens, &mut path);
        path
    }

    /// Reads the filters after a value.
    fn filters(&self, tokens: Tokens<'_, 't>, path: &mut Path) {
        while sign(tokens.get(path.end + 1)) == Some('|')
            && let Some(name) = word(tokens.get(path.end + 2))
        {
            let open = path.end + 3;
            let has_arguments = sign(tokens.get(open)) == Some('(');
            let close = if has_arguments { closing(tokens, open) } else { path.end + 2 };
            let argument = |wanted: &str| {
                let at = (open..close)
                    .find(|at| word(tokens.get(*at)) == Some(wanted) && sign(tokens.get(at + 1)) == Some('='))?;
                Some((at + 2, quoted(tokens.get(at + 2))?))
            };
            let mut keys = if KEEPING.contains(&name) { path.keys.clone() } else { Keys::Fixed };
            let of_key = match name {
                "sort" | "group_by" => argument("attribute"),
                "get" => argument("key"),
                _ => None,
            };
            if let Some((token, (value, mut at))) = of_key {
                let before = path.keys.clone();
                for part in value.split('.') {
                    self.step(path, part, at);
                    at += part.len() + 1;
                }
                path.tokens.push(token);
                if name == "get" {
                    keys = path.keys.clone();
                }
                path.keys = before;
            } else if name == "get" {
                keys = Keys::Unknown;
            }
            // `page.menu | default(value=site.menu)` may be the other.
            let is_path = |at: usize| matches!(tokens.get(at + 1), Some((Token::Word(_), _)));
            let of_other = (open..close).any(|at| sign(tokens.get(at)) == Some('=') && is_path(at));
            if name == "pairs" || name == "default" && of_other {
                keys = Keys::Unknown;
            }
            path.keys = keys;
            path.end = close;
        }
    }

    /// Goes from a value to that of a key.
    fn step(&self, path: &mut Path, name: &str, at: usize) {
        let span = Span::at(at, name.len());
        let mut used = |symbol| path.named.push(Occurrence::used(span, symbol));
        let entries = |name: &str| match name {
            LISTED => any_page(),
            _ => Keys::Of(KeyOwner::Entries(name.to_owned()), Vec::new()),
        };
        let keys = match &path.keys {
            Keys::Of(owner, above) => {
                let keys: Vec<String> = above.iter().cloned().chain([name.to_owned()]).collect();
                used(Symbol::Key(owner.clone(), keys.clone()));
                match (owner, name) {
                    (KeyOwner::Pages(_), "previous" | "next") if above.is_empty() => Keys::Unknown,
                    (KeyOwner::Pages(_), "ancestors") if above.is_empty() => any_page(),
                    (
                        KeyOwner::Pages(_) | KeyOwner::AnyPages | KeyOwner::Entries(_),
                        "toc" | "translations" | "feed",
                    ) if above.is_empty() => Keys::Fixed,
                    _ => Keys::Of(owner.clone(), keys),
                }
            }
            Keys::Collections => {
                used(Symbol::Collection(name.to_owned()));
                entries(name)
            }
            Keys::Entries => {
                used(Symbol::Collection(name.to_owned()));
                Keys::Named(name.to_owned())
            }
            Keys::Named(collection) => {
                used(Symbol::Entry(collection.clone(), name.to_owned()));
                entries(collection)
            }
            Keys::List => {
                if name == "entries" {
                    self.entry.clone()
                } else {
                    Keys::Fixed
                }
            }
            Keys::Fixed => Keys::Fixed,
            Keys::Unknown => {
                used(Symbol::Key(KeyOwner::Unknown, vec![name.to_owned()]));
                Keys::Unknown
            }
        };
        path.keys = keys;
    }

    /// Reads an expression, and returns what the keys of its value are.
    fn expression(&mut self, tokens: Tokens<'_, 't>) -> Keys {
        let around = self.comprehensions(tokens);
        let declared: Vec<(&'t str, Variable)> = around.iter().flat_map(|each| each.names.clone()).collect();
        let mut known: BTreeSet<usize> = BTreeSet::new();
        for each in &around {
            known.extend(each.at..each.list.start);
        }
        for (name, variable) in declared {
            if let Symbol::Variable(_, at, _) = &variable.symbol {
                self.all.push(Occurrence::declared(Span::at(*at, name.len()), variable.symbol));
            }
        }
        // The calls around a token, for the arguments in them.
        let mut calls: Vec<Option<&str>> = Vec::new();
        // The component whose tag is open.
        let mut tag: Option<String> = None;
        for (index, (token, at)) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|index| tokens.get(index));
            let next = tokens.get(index + 1);
            match token {
                Token::Sign('(') => calls.push(word(before)),
                Token::Sign(')') => drop(calls.pop()),
                Token::Sign('>') => tag = None,
                Token::Word(name) => {
                    let callable = |kind: Callable| Symbol::Callable(kind, (*name).to_owned());
                    let span = Span::at(*at, name.len());
                    let is_argument = sign(next) == Some('=') && sign(tokens.get(index + 2)) != Some('=');
                    if begins_tag(tokens, index) {
                        let name = name_at(self.text, *at);
                        self.all.push(Occurrence::used(Span::at(*at, name.len()), Symbol::Component(component(name))));
                        tag = Some(component(name));
                    } else if is_argument && (!calls.is_empty() || tag.is_some()) {
                        if let Some(tag) = tag.as_ref().filter(|_| calls.is_empty()) {
                            let is_code = sign(tokens.get(index + 2)) == Some('{');
                            let value = || self.value(tokens, index + 3..closing(tokens, index + 2), &around);
                            let keys = if is_code { value() } else { Keys::Fixed };
                            self.calls.push((tag.clone(), (*name).to_owned(), keys));
                            self.all.push(Occurrence::used(span, Symbol::Argument(tag.clone(), (*name).to_owned())));
                        }
                    } else if sign(before) == Some('|') && FILTERS.iter().any(|filter| filter.name == *name) {
                        self.all.push(Occurrence::used(span, callable(Callable::Filter)));
                    } else if is_tested(tokens, index) && TESTS.iter().any(|test| test.name == *name) {
                        self.all.push(Occurrence::used(span, callable(Callable::Test)));
                    } else if sign(next) == Some('(') && FUNCTIONS.iter().any(|function| function.name == *name) {
                        self.all.push(Occurrence::used(span, callable(Callable::Function)));
                    } else if known.contains(&index) {
                    } else if sign(before) == Some('.') {
                        // A key of what a call returns, or of a value in parentheses.
                        self.all.push(Occurrence::used(span, Symbol::Key(KeyOwner::Unknown, vec![(*name).to_owned()])));
                    } else if !KEYWORDS.contains(name) && sign(next) != Some('(') {
                        let path = self.path(tokens, index, &around);
                        self.all.extend(path.named);
                        known.extend(path.tokens);
                    }
                }
                Token::Value(_) => {
                    if let Some((value, at)) = quoted(Some(&(*token, *at))).filter(|_| !known.contains(&index)) {
                        let argument =
                            (sign(before) == Some('=')).then(|| word(tokens.get(index.wrapping_sub(2)))).flatten();
                        let call = calls.last().copied().flatten();
                        let named = self.key_in_quotes(tokens, index, (call, argument), (value, at), &around);
                        match named {
                            Some(named) => self.all.push(named),
                            None if (call, argument) == (Some("url"), Some("path")) => {
                                self.all.extend(self.analysis.named(self.path, value, at));
                            }
                            None => self.all.extend(in_quotes(self.analysis, (call, argument), value, at)),
                        }
                    }
                }
                Token::Sign(_) => {}
            }
        }
        self.value(tokens, 0..tokens.len(), &around)
    }

    /// A key that a text in quotes names, for a filter of a value that is no path or for a function.
    fn key_in_quotes(
        &self,
        tokens: Tokens<'_, 't>,
        index: usize,
        (call, argument): (Option<&str>, Option<&str>),
        (value, at): (&str, usize),
        around: &[Comprehension<'t>],
    ) -> Option<Occurrence> {
        let open = tokens[..index].iter().rposition(|(token, _)| *token == Token::Sign('('))?;
        let of = |wanted: &str| {
            let inside = open + 1..closing(tokens, open);
            inside.clone().find(|at| word(tokens.get(*at)) == Some(wanted) && sign(tokens.get(at + 1)) == Some('='))
        };
        let keys = match (call?, argument?) {
            ("sort" | "group_by", "attribute") => Keys::Unknown,
            ("related", "by") => of("entry").map_or(Keys::Unknown, |at| self.path(tokens, at + 2, around).keys),
            ("terms", "key") => match of("collection").and_then(|at| quoted(tokens.get(at + 2))) {
                Some((collection, _)) => Keys::Of(KeyOwner::Entries(collection.to_owned()), Vec::new()),
                None => Keys::Unknown,
            },
            _ => return None,
        };
        let mut path = Path { end: index, keys, named: Vec::new(), tokens: Vec::new() };
        self.step(&mut path, value, at);
        path.named.pop()
    }
}

/// The keys of a page of any template.
fn any_page() -> Keys {
    Keys::Of(KeyOwner::AnyPages, Vec::new())
}

/// Returns the number of the token that closes a bracket, or that of the last token.
fn closing(tokens: &[(Token, usize)], open: usize) -> usize {
    let mut depth = 0usize;
    for (index, (token, _)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index;
                }
            }
            _ => {}
        }
    }
    tokens.len().saturating_sub(1).max(open)
}

/// Whether the word at an index is the name of a component in a tag, `<card` or `</card`, and not the right side of a comparison.
fn begins_tag(tokens: &[(Token, usize)], index: usize) -> bool {
    let at = |back: usize| index.checked_sub(back).and_then(|index| tokens.get(index));
    let back = match (sign(at(1)), sign(at(2))) {
        (Some('<'), _) => 2,
        (Some('/'), Some('<')) => 3,
        _ => return false,
    };
    match at(back) {
        None | Some((Token::Sign('(' | '[' | '{' | '=' | ','), _)) => true,
        Some((Token::Word(word), _)) => KEYWORDS.contains(word),
        _ => false,
    }
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

/// Whether the word at an index follows `is` or `is not`.
fn is_tested(tokens: &[(Token, usize)], index: usize) -> bool {
    let before = |back: usize| index.checked_sub(back).and_then(|index| word(tokens.get(index)));
    before(1) == Some("is") || before(1) == Some("not") && before(2) == Some("is")
}

/// What a text in quotes names, by the call and the argument that it is in.
fn in_quotes(
    analysis: &Analysis,
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
        ("island", "component") => used(Symbol::Island(value.to_owned())),
        ("social_picture", "template") => used(Symbol::Template(SourcePath::new(format!("{TEMPLATES}/{value}")))),
        ("terms", "collection") => used(Symbol::Collection(value.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::sources::Sources;

    /// Returns the keys that templates name, as `owner.key`, and the variables, each with the place that declares it.
    fn named(files: &[(&str, &str)]) -> Vec<String> {
        let sources = Sources::from_files(files.iter().copied());
        let analysis = Analysis { sources: &sources, site: None, is_complete: true };
        let (path, text) = files[0];
        let all = analysis.occurrences(&SourcePath::new(path));
        let shown = all.iter().filter_map(|each| match &each.symbol {
            Symbol::Key(owner, keys) => {
                let owner = match owner {
                    KeyOwner::Site => "site",
                    KeyOwner::Entries(name) | KeyOwner::Pages(name) => name,
                    KeyOwner::AnyPages => "pages",
                    KeyOwner::Unknown => "?",
                };
                Some(format!("{owner}.{}", keys.join(".")))
            }
            Symbol::Variable(_, at, name) => {
                let sign = if each.declares { "!" } else { "" };
                assert_eq!(&text[each.span.start..each.span.end], name);
                Some(format!("{name}{sign}@{at}"))
            }
            Symbol::Argument(_, name) => Some(format!("{name}{}", if each.declares { "!" } else { "" })),
            _ => None,
        });
        shown.collect()
    }

    #[test]
    fn a_key_is_of_what_its_variable_stands_for() {
        for (text, expected) in [
            ("{{ site.hours.open }}", &["site.hours", "site.hours.open"][..]),
            ("{{ page.lead }}", &["?.lead"]),
            (
                "{% for m in collections.team %}{{ m.kind }}{% endfor %}{{ m.kind }}",
                &["m!@7", "m@7", "team.kind", "?.kind"],
            ),
            ("{% set m = collections.team | first %}{{ m.kind }}", &["m!@7", "m@7", "team.kind"]),
            ("{% set m = entries.team.anna %}{{ m[\"kind\"] }}", &["m!@7", "m@7", "team.kind"]),
            ("{{ [e.kind for e in collections.team if e.old] }}", &["e@15", "team.kind", "e!@15", "e@15", "team.old"]),
            ("{{ collections.team | sort(attribute=\"name.last\") }}", &["team.name", "team.name.last"]),
            ("{{ related(entry=x) | sort(attribute=\"kind\") }}", &["?.kind"]),
            ("{{ terms(collection=\"news\", key=\"tags\") }}", &["news.tags"]),
            (
                "{% for k, g in collections.team | group_by(attribute=\"kind\") %}{% for x in g %}{{ x.a }}{% endfor %}{% endfor %}",
                &["k!@7", "g!@10", "team.kind", "x!@70", "g@10", "x@70", "team.a"],
            ),
            ("{{ loop.index }}{{ picture_info(path=\"a\").width }}", &["?.width"]),
            ("{% for p in pages %}{{ p.lead.text }}{% endfor %}", &["p!@7", "p@7", "pages.lead", "pages.lead.text"]),
            ("{{ site.links.0.label }}", &["site.links", "site.links.label"]),
            ("{% if a < site.b %}{% endif %}", &["site.b"]),
        ] {
            assert_eq!(named(&[("templates/a.html", text)]), expected, "{text}");
        }
    }

    #[test]
    fn an_argument_is_what_calls_give() {
        let card = "{% component card(post, loud: bool = false, tags = [1, 2]) %}{{ post.kind }}{% if loud %}{% endif %}{% endcomponent card %}";
        let one = "{% for p in collections.news %}{{ <card post={p} loud={true} /> }}{% endfor %}";
        let file = ("templates/components/card.html", card);
        let arguments = ["post!", "loud!", "tags!", "post"];
        let all = |key: &str| arguments.iter().copied().chain([key, "loud"]).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(named(&[file, ("templates/a.html", one)]), all("news.kind"));
        let other = ("templates/b.html", "{{ <card post={site.about} /> }}");
        assert_eq!(named(&[file, ("templates/a.html", one), other]), all("?.kind"));
        let markdown = ("content/pages/a.md", "---\ntitle: A\n---\n\n{{ <card post={news.open} /> }}\n");
        assert_eq!(named(&[file, ("templates/a.html", one), markdown]), all("news.kind"));
    }
}
