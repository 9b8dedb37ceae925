//! Checks a stylesheet for what its printer does not know: names, values, places, and blocks that are never closed.
//!
//! Follows the grammar of CSS Syntax 3 with nesting, over the tokens of `cssparser`. A value is wrong only where no
//! browser can accept it: an unknown unit, a word that no syntax of the property has, a length without its unit.

use super::fonts::{Face, FontFacts, is_for_all, is_of_language};
use super::names::{NAMES, is_prefixed};
use super::physical::{self, Physical};
use cssparser::{Parser, ParserInput, Token};
use lightningcss::properties::{Property, PropertyId};
use lightningcss::stylesheet::ParserOptions;
use sitegen_core::diagnostics::{MOST, Meant, Span, StyleProblem, meant};

/// The depth of nested blocks. Nothing that a person writes comes near, and each uses stack space.
const DEPTH: usize = 48;
/// The longest selector that a nested rule may stand for, and the length of all in a stylesheet, in bytes. Browsers that do not know nesting
/// get each selector with that of the rule around it in the place of each `&`, so that its length doubles with every level of
/// `a, b { … }`.
const SELECTOR: usize = 64 << 10;
const SELECTORS: usize = 4 << 20;
/// What a media query may have outside of its conditions: words of its grammar, and media (Media Queries 5, 2.3), of which
/// browsers still read the older ones.
const MEDIA: [&str; 15] = [
    "all",
    "and",
    "aural",
    "braille",
    "embossed",
    "handheld",
    "not",
    "only",
    "or",
    "print",
    "projection",
    "screen",
    "speech",
    "tty",
    "tv",
];

/// The facts of a stylesheet that concern other files and the rest of the site.
#[derive(Debug, Default)]
pub struct StylesheetFacts {
    /// What is wrong.
    pub problems: Vec<(StyleProblem, Span)>,
    /// Addresses of `@import`.
    pub imports: Vec<(String, Span)>,
    /// Addresses of `url()` and `image-set()`.
    pub urls: Vec<(String, Span)>,
    /// Custom properties that it sets.
    pub defined: Vec<String>,
    /// Custom properties that it uses without a fallback.
    pub used: Vec<(String, Span)>,
    /// Directions that do not turn with the language.
    pub physical: Vec<Physical>,
    /// What it says of fonts.
    pub fonts: FontFacts,
    /// The nested rule whose selector, or with whose selector all of them, would be too long without nesting.
    pub multiplied: Option<(StyleProblem, Span)>,
}

/// Reads a stylesheet.
pub fn read(text: &str) -> StylesheetFacts {
    let mut input = ParserInput::new(text);
    let mut parser = Parser::new(&mut input);
    let mut pass = Pass { text, ..Pass::default() };
    pass.body(&mut parser, &BlockContent::Rules);
    pass.report_unclosed();
    pass.facts.problems.sort_by_key(|(_, span)| *span);
    pass.facts.physical.sort_by_key(|each| each.span);
    pass.facts
}

/// What a block may contain.
#[derive(Clone)]
enum BlockContent {
    /// Rules only: the file, and groups such as `@media`.
    Rules,
    /// Declarations and rules. An at-rule may have declarations of its own.
    Declarations(Option<String>),
    /// Anything.
    Opaque,
}

#[derive(Default)]
struct Pass<'a> {
    text: &'a str,
    facts: StylesheetFacts,
    depth: usize,
    /// Where blocks open and close.
    closed: Vec<(usize, usize)>,
    unclosed: Vec<usize>,
    /// How many of the open rules are for one direction alone: `[dir="rtl"]`, `:dir(ltr)`.
    directed: usize,
    /// Whether the rule that is read is for the whole page.
    is_for_all: bool,
    /// Whether it is for one language.
    is_of_language: bool,
    /// The length of the selector of the rule around, without nesting, and of all so far.
    selector: usize,
    selectors: usize,
    /// The `@font-face` that is read.
    face: Option<Face>,
    /// The physical directions of the rule that is read.
    physical: Vec<Physical>,
    /// For each depth where the last look ahead ended, and whether at a block. Words before that lead to the same.
    ahead: Vec<(usize, bool)>,
}

/// The parts of a value.
#[derive(Default)]
struct PropertyValue {
    words: Vec<(String, Span)>,
    /// Numbers without a unit, except zero.
    numbers: Vec<Span>,
    /// Whether there are functions, which may return anything, or strings.
    has_more: bool,
    is_empty: bool,
}

impl Pass<'_> {
    fn report(&mut self, problem: StyleProblem, span: Span) {
        self.facts.problems.push((problem, span));
    }

    /// Returns the name that was meant, for a problem that is printed: most of many are not.
    fn suggest<'n>(&self, word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<Meant> {
        if self.facts.problems.len() > MOST { None } else { meant(word, names) }
    }

    fn report_syntax(&mut self, detail: impl Into<String>, fix: &'static str, span: Span) {
        self.report(StyleProblem::CssSyntax { detail: detail.into(), fix: Some(fix) }, span);
    }

    /// Returns the next token with its span. Skips comments.
    fn next<'i>(&mut self, parser: &mut Parser<'i, '_>) -> Option<(Token<'i>, Span)> {
        loop {
            let start = parser.position().byte_index();
            let token = parser.next_including_whitespace_and_comments().ok()?.clone();
            let span = Span { start, end: parser.position().byte_index() };
            match token {
                Token::WhiteSpace(_) => {}
                Token::Comment(_) => {
                    let comment = &self.text[span.start..span.end];
                    if comment.len() < 4 || !comment.ends_with("*/") {
                        let is_new = self.facts.problems.iter().all(|(_, other)| other.start != start);
                        if is_new {
                            self.report_syntax("this comment is never closed", "add `*/`", Span::at(start, 2));
                        }
                    }
                }
                token => return Some((token, span)),
            }
        }
    }

    /// Reads the block that the last token has opened, and records whether it is closed.
    fn block<'i>(
        &mut self,
        parser: &mut Parser<'i, '_>,
        open: Span,
        read: impl FnOnce(&mut Self, &mut Parser<'i, '_>),
    ) {
        // The bracket is the last byte of its token: `{`, or `(` after the name of a function.
        let open = open.end - 1;
        if self.depth == DEPTH {
            let is_new = !self.facts.problems.iter().any(
                |(problem, _)| matches!(problem, StyleProblem::CssSyntax { detail, .. } if detail.starts_with("blocks")),
            );
            if is_new {
                self.report_syntax("blocks are nested too deeply here", "write fewer levels", Span::at(open, 1));
            }
            return;
        }
        self.depth += 1;
        let mut inner = 0;
        let _ = parser.parse_nested_block::<_, (), ()>(|parser| {
            read(self, parser);
            while self.next(parser).is_some() {}
            inner = parser.position().byte_index();
            Ok(())
        });
        self.depth -= 1;
        match parser.position().byte_index() {
            end if end > inner => self.closed.push((open, inner)),
            _ => self.unclosed.push(open),
        }
    }

    fn body(&mut self, parser: &mut Parser, body: &BlockContent) {
        let outer = std::mem::take(&mut self.physical);
        self.items(parser, body);
        let own = std::mem::replace(&mut self.physical, outer);
        self.facts.physical.extend(physical::without_pairs(own));
    }

    fn items(&mut self, parser: &mut Parser, body: &BlockContent) {
        loop {
            let state = parser.state();
            let Some((token, span)) = self.next(parser) else { return };
            match token {
                Token::Semicolon if matches!(body, BlockContent::Rules) => {
                    let fix = "remove it; browsers would drop the rule after it";
                    self.report_syntax("this `;` is between two rules", fix, span);
                }
                Token::Semicolon | Token::CDO | Token::CDC => {}
                Token::AtKeyword(name) => self.at_rule(parser, &name, span, body),
                Token::CloseCurlyBracket => self.report_syntax("this `}` has no `{` before it", "remove it", span),
                Token::Ident(name) if matches!(body, BlockContent::Declarations(_)) => {
                    let after = parser.state();
                    let is_declaration = matches!(self.next(parser), Some((Token::Colon, _)))
                        && (name.starts_with("--") || !self.leads_to_block(parser, &name));
                    parser.reset(if is_declaration { &after } else { &state });
                    if is_declaration {
                        self.declaration(parser, &name, span, body);
                    } else {
                        self.rule(parser);
                    }
                }
                _ if matches!(body, BlockContent::Opaque) => self.pass_over(parser, token, span),
                _ => {
                    parser.reset(&state);
                    self.rule(parser);
                }
            }
        }
    }

    /// Whether the text after a word and a colon is a rule with a pseudo-class, as in `a:hover { … }`.
    fn leads_to_block(&mut self, parser: &mut Parser, name: &str) -> bool {
        let start = parser.position().byte_index();
        let is_apart = self.text[start..].starts_with(char::is_whitespace);
        // A block in a value is a mistake in the line before: `color: red` without its `;`.
        let is_property = is_apart && NAMES.has_property(&name.to_ascii_lowercase(), None);
        if self.ahead.len() <= self.depth {
            self.ahead.resize(self.depth + 1, (0, false));
        }
        if start >= self.ahead[self.depth].0 {
            let is_block = loop {
                match parser.next() {
                    Ok(Token::Semicolon) | Err(_) => break false,
                    Ok(Token::CurlyBracketBlock) => break true,
                    Ok(_) => {}
                }
            };
            self.ahead[self.depth] = (parser.position().byte_index(), is_block);
        }
        self.ahead[self.depth].1 && !is_property
    }

    fn rule(&mut self, parser: &mut Parser) {
        let mut first: Option<Span> = None;
        while let Some((token, span)) = self.next(parser) {
            let first = *first.get_or_insert(span);
            match token {
                Token::CurlyBracketBlock => {
                    let selector = &self.text[first.start..span.start];
                    let is_directed = is_of_one_direction(selector);
                    let outer = std::mem::replace(&mut self.is_for_all, is_for_all(selector));
                    let is_of_language = self.is_of_language || is_of_language(selector);
                    let outer_language = std::mem::replace(&mut self.is_of_language, is_of_language);
                    let around = self.selector;
                    self.selector = unnested(selector, around);
                    self.add_selector(around, first);
                    self.directed += usize::from(is_directed);
                    self.block(parser, span, |pass, parser| pass.body(parser, &BlockContent::Declarations(None)));
                    self.directed -= usize::from(is_directed);
                    (self.is_for_all, self.is_of_language, self.selector) = (outer, outer_language, around);
                    return;
                }
                Token::Semicolon => {
                    let fix = "write `property: value;`, or a rule with `{ … }`";
                    let span = Span { start: first.start, end: span.start };
                    return self.report_syntax("this is neither a declaration nor a rule", fix, self.trimmed(span));
                }
                other => self.pass_over(parser, other, span),
            }
        }
        if let Some(first) = first {
            let fix = "write `property: value;`, or a rule with `{ … }`";
            let is_unclosed = self.unclosed.last().is_some_and(|open| *open >= first.start);
            if !is_unclosed {
                self.report_syntax("this is neither a declaration nor a rule", fix, first);
            }
        }
    }

    /// Counts the selector of the rule that begins, which is in another one if `around` is its length.
    fn add_selector(&mut self, around: usize, at: Span) {
        if around == 0 {
            return;
        }
        self.selectors = self.selectors.saturating_add(self.selector);
        if self.facts.multiplied.is_none() && (self.selector > SELECTOR || self.selectors > SELECTORS) {
            let detail = "nested rules multiply their selectors here to more than browsers should load".to_owned();
            let fix = Some("nest fewer levels, or fewer selectors with commas in each other");
            self.facts.multiplied = Some((StyleProblem::CssSyntax { detail, fix }, self.trimmed(at)));
        }
    }

    fn trimmed(&self, span: Span) -> Span {
        let text = self.text[span.start..span.end].lines().next().unwrap_or_default().trim_end();
        Span::at(span.start, text.len())
    }

    /// Skips a token, except for brackets and strings.
    fn pass_over(&mut self, parser: &mut Parser, token: Token, span: Span) {
        match token {
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => self
                .block(parser, span, |pass, parser| {
                    while let Some((token, span)) = pass.next(parser) {
                        pass.pass_over(parser, token, span);
                    }
                }),
            _ => self.check_token(&token, span),
        }
    }

    /// Reports tokens that are wrong anywhere.
    fn check_token(&mut self, token: &Token, span: Span) {
        match token {
            Token::BadString(_) => {
                let span = self.trimmed(span);
                self.report_syntax(
                    "the quotes of this string are never closed",
                    "add the closing quote",
                    Span::at(span.start, 1),
                );
            }
            Token::BadUrl(_) => {
                self.report_syntax("this address is not closed correctly", "put it in quotes", Span::at(span.start, 4));
            }
            Token::CloseParenthesis => self.report_syntax("this `)` has no `(` before it", "remove it", span),
            Token::CloseSquareBracket => self.report_syntax("this `]` has no `[` before it", "remove it", span),
            Token::CloseCurlyBracket => self.report_syntax("this `}` has no `{` before it", "remove it", span),
            _ => {}
        }
    }

    fn at_rule(&mut self, parser: &mut Parser, name: &str, at: Span, outer: &BlockContent) {
        let name = name.to_ascii_lowercase();
        if !NAMES.has_at_rule(&name) {
            let nearest = self.suggest(&name, NAMES.at_rules()).map(|name| name.within(format!("@{name}")));
            self.report(StyleProblem::UnknownAtRule { name: name.clone(), nearest }, at);
        }
        if name == "namespace" {
            let fix = "write the selectors without it";
            self.report_syntax("`@namespace` has no effect once all stylesheets are bundled", fix, at);
        }
        let mut is_first = true;
        while let Some((token, span)) = self.next(parser) {
            match (name.as_str(), &token) {
                (_, Token::Semicolon) => return,
                (_, Token::CurlyBracketBlock) => {
                    let body = body_of(&name, outer);
                    // Within a rule, its block is printed with the selector of the rule.
                    self.add_selector(self.selector, at);
                    self.face = (name == "font-face").then(Face::default);
                    self.block(parser, span, |pass, parser| pass.body(parser, &body));
                    return self.facts.fonts.faces.extend(self.face.take());
                }
                ("import", Token::QuotedString(address)) if is_first => {
                    self.facts.imports.push((address.to_string(), Span { start: span.start + 1, end: span.end - 1 }));
                }
                ("import", Token::UnquotedUrl(address)) if is_first => {
                    let span = self.address(span, address);
                    self.facts.imports.push((address.to_string(), span));
                }
                ("import", Token::Function(function)) if is_first && function.eq_ignore_ascii_case("url") => {
                    self.block(parser, span, |pass, parser| {
                        if let Some((Token::QuotedString(address), span)) = pass.next(parser) {
                            let span = Span { start: span.start + 1, end: span.end - 1 };
                            pass.facts.imports.push((address.to_string(), span));
                        }
                    });
                }
                ("property", Token::Ident(property)) => self.facts.defined.push(property.to_string()),
                // The parameters of a function are custom properties in its body.
                ("function", Token::Function(_)) => self.block(parser, span, |pass, parser| {
                    while let Some((token, span)) = pass.next(parser) {
                        if let Token::Ident(parameter) = &token {
                            pass.facts.defined.push(parameter.to_string());
                        }
                        pass.pass_over(parser, token, span);
                    }
                }),
                // `style(…)` and `scroll-state(…)` ask for something else.
                ("media" | "container", Token::ParenthesisBlock) => {
                    self.block(parser, span, |pass, parser| pass.condition(parser, Some(&name)));
                }
                ("media" | "container", Token::Function(_)) => {
                    self.block(parser, span, |pass, parser| pass.condition(parser, None));
                }
                ("media", Token::Ident(word)) => self.media(word, span),
                _ => self.pass_over(parser, token, span),
            }
            is_first = false;
        }
    }

    /// Checks a word of a media query outside of its conditions.
    fn media(&mut self, word: &str, span: Span) {
        let lower = word.to_ascii_lowercase();
        if !MEDIA.contains(&&*lower) {
            let detail = format!("`{word}` is not a media type");
            let fix = self.suggest(&lower, MEDIA).map(|nearest| format!("did you mean `{nearest}`?"));
            self.report(StyleProblem::CssValue { detail, fix }, span);
        }
    }

    /// Checks the lengths in the condition of a media or container query, and what it asks for if `rule` names the at-rule.
    fn condition(&mut self, parser: &mut Parser, rule: Option<&str>) {
        let mut is_value = false;
        while let Some((token, span)) = self.next(parser) {
            match token {
                Token::Dimension { unit, .. } => self.unit(&unit, span),
                Token::ParenthesisBlock => self.block(parser, span, |pass, parser| pass.condition(parser, rule)),
                Token::Function(_) => self.block(parser, span, |pass, parser| pass.condition(parser, None)),
                Token::Colon => is_value = true,
                Token::Ident(word) if !is_value => {
                    let lower = word.to_ascii_lowercase();
                    let is_known = ["and", "or", "not"].contains(&&*lower)
                        || rule.is_none_or(|rule| NAMES.has_feature(rule, &lower));
                    if let Some(rule) = rule.filter(|_| !is_known) {
                        let all: Vec<String> = NAMES.features(rule).collect();
                        let nearest = self.suggest(&lower, all.iter().map(String::as_str));
                        let fix = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
                        let detail = format!("`@{rule}` does not support `{word}`");
                        self.report(StyleProblem::CssValue { detail, fix }, span);
                    }
                }
                token => self.check_token(&token, span),
            }
        }
    }

    fn declaration(&mut self, parser: &mut Parser, name: &str, at: Span, body: &BlockContent) {
        let rule = if let BlockContent::Declarations(rule) = body { rule.as_deref() } else { None };
        let is_custom = name.starts_with("--");
        if is_custom {
            self.facts.defined.push(name.to_owned());
        }
        let property = name.to_ascii_lowercase();
        let is_known = is_custom || NAMES.has_property(&property, rule);
        if !is_known {
            let nearest = self.suggest(&property, NAMES.properties(rule));
            self.report(StyleProblem::UnknownProperty { name: name.to_owned(), nearest }, at);
        }
        // The colon.
        let start = self.next(parser).map_or(at.end, |(_, span)| span.end);
        let before = self.facts.problems.len();
        // To the tokenizer, the end of `U+0000-00FF` is a number with a unit.
        let is_checked = is_known && !is_custom && property != "unicode-range";
        let mut value = PropertyValue { is_empty: true, ..PropertyValue::default() };
        let mut end = start;
        let mut is_important = false;
        while let Some((token, span)) = self.next(parser) {
            match token {
                Token::Semicolon => break,
                Token::Delim('!') => is_important = true,
                // `!important`, and what else a custom property may have.
                Token::Ident(_) if is_important => continue,
                Token::Colon if is_checked && !value.has_more => {
                    if let Some((_, span)) = value.words.pop().filter(|(_, word)| word.end == span.start) {
                        let fix = "end the line before with `;`";
                        self.report_syntax("a `;` is missing before this", fix, span);
                    }
                }
                token => {
                    value.is_empty = false;
                    self.part(parser, token, span, &mut value, is_checked, "");
                }
            }
            end = if is_important { end } else { span.end.max(parser.position().byte_index()) };
        }
        self.font(&property, name, &self.text[start..end]);
        if is_checked && rule.is_none() && self.directed == 0 && !self.is_meant_physical(end) {
            let found = physical::read(self.text, &property, at, Span { start, end });
            self.physical.extend(found);
        }
        if is_checked && self.facts.problems.len() == before {
            self.value(&property, start, end, value, at, rule);
        }
    }

    fn url(&mut self, address: String, span: Span) {
        if let Some(face) = &mut self.face {
            face.addresses.push(address.clone());
        }
        self.facts.urls.push((address, span));
    }

    /// Reads what a declaration says of fonts.
    fn font(&mut self, property: &str, name: &str, value: &str) {
        if let Some(face) = &mut self.face {
            face.read(property, value);
            return;
        }
        let is_font = matches!(property, "font" | "font-family");
        if self.is_of_language && is_font {
            self.facts.fonts.of_languages.push(value.to_owned());
        }
        if self.is_of_language && name.starts_with("--") {
            self.facts.fonts.custom_of_languages.push((name.to_owned(), value.trim().to_owned()));
        } else if name.starts_with("--") {
            self.facts.fonts.custom.entry(name.to_owned()).or_insert_with(|| value.trim().to_owned());
        } else if self.is_for_all && is_font {
            self.facts.fonts.base.push(value.to_owned());
        }
    }

    /// Whether a comment beside the declaration that ends here says that its direction is meant as it is: `/* physical */`.
    fn is_meant_physical(&self, end: usize) -> bool {
        let comment = self.text[end..].trim_start_matches([' ', '\t', ';']).strip_prefix("/*");
        comment.is_some_and(|comment| comment.trim_start_matches(' ').starts_with("physical"))
    }

    /// Reads one part of a value. `function` is the name of the function around it.
    fn part(
        &mut self,
        parser: &mut Parser,
        token: Token,
        span: Span,
        value: &mut PropertyValue,
        is_checked: bool,
        function: &str,
    ) {
        match token {
            Token::Ident(word) => value.words.push((word.to_string(), span)),
            Token::Number { value: number, .. } if number != 0.0 => value.numbers.push(span),
            Token::Dimension { unit, .. } if is_checked => self.unit(&unit, span),
            Token::Hash(digits) | Token::IDHash(digits) if is_checked => {
                let is_color =
                    matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                if !is_color {
                    let detail = format!("`#{digits}` is not a colour");
                    let fix = Some("write three or six hex digits (0 to 9 and a to f)".to_owned());
                    self.report(StyleProblem::CssValue { detail, fix }, span);
                }
            }
            Token::QuotedString(address) => {
                value.has_more = true;
                if matches!(function, "url" | "image-set" | "-webkit-image-set") {
                    let span = Span { start: span.start + 1, end: span.end.saturating_sub(1).max(span.start + 1) };
                    self.url(address.to_string(), span);
                }
            }
            Token::UnquotedUrl(address) => {
                value.has_more = true;
                let span = self.address(span, &address);
                self.url(address.to_string(), span);
            }
            Token::Function(name) => {
                value.has_more = true;
                let written = name;
                let name = written.to_ascii_lowercase();
                if is_checked && !NAMES.has_function(&name) {
                    let nearest = self.suggest(&name, NAMES.functions());
                    let detail = format!("no browser supports the function `{written}()`");
                    let fix = nearest.map(|nearest| format!("did you mean `{nearest}()`?"));
                    self.report(StyleProblem::CssValue { detail, fix }, Span::at(span.start, written.len()));
                }
                self.block(parser, span, |pass, parser| match name.as_str() {
                    "var" => pass.variable(parser),
                    _ => {
                        let mut inner = PropertyValue::default();
                        while let Some((token, span)) = pass.next(parser) {
                            pass.part(parser, token, span, &mut inner, is_checked && name != "type", &name);
                        }
                    }
                });
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                value.has_more = true;
                self.block(parser, span, |pass, parser| {
                    let mut inner = PropertyValue::default();
                    while let Some((token, span)) = pass.next(parser) {
                        pass.part(parser, token, span, &mut inner, is_checked, function);
                    }
                });
            }
            token => self.check_token(&token, span),
        }
    }

    fn variable(&mut self, parser: &mut Parser) {
        let Some((Token::Ident(name), span)) = self.next(parser) else { return };
        match self.next(parser) {
            Some((Token::Comma, _)) => {
                let mut value = PropertyValue::default();
                while let Some((token, span)) = self.next(parser) {
                    self.part(parser, token, span, &mut value, false, "var");
                }
            }
            _ if name.starts_with("--") => self.facts.used.push((name.to_string(), span)),
            _ => {
                let detail = format!("`{name}` is not a custom property");
                self.report(StyleProblem::CssValue { detail, fix: Some(format!("write `--{name}`")) }, span);
            }
        }
    }

    fn unit(&mut self, unit: &str, span: Span) {
        let unit = unit.to_ascii_lowercase();
        if !NAMES.has_unit(&unit) {
            let written = &self.text[span.start..span.end];
            let number = written.strip_suffix(unit.as_str()).unwrap_or_default();
            let nearest = self.suggest(&unit, NAMES.units()).filter(|_| !number.is_empty());
            let fix = nearest.map(|nearest| format!("did you mean `{number}{nearest}`?"));
            let detail = format!("no browser supports the unit of `{written}`");
            self.report(StyleProblem::CssValue { detail, fix }, span);
        }
    }

    /// Checks the complete value of a known property.
    fn value(&mut self, property: &str, start: usize, end: usize, value: PropertyValue, at: Span, rule: Option<&str>) {
        if value.is_empty {
            return self.report_syntax(format!("`{property}` has no value"), "write one, or remove the line", at);
        }
        // Descriptors of at-rules take other values than properties with the same names.
        if rule.is_some() || is_prefixed(property) {
            return;
        }
        let before = self.facts.problems.len();
        let keywords = NAMES.keywords(property);
        if let Some(keywords) = keywords.filter(|_| !value.has_more || value.words.len() == 1) {
            for (word, span) in &value.words {
                let lower = word.to_ascii_lowercase();
                if !lower.starts_with('-') && !keywords.contains(&lower.as_str()) {
                    let nearest = self.suggest(&lower, keywords.iter().copied());
                    let detail = format!("`{word}` is not a valid value of `{property}`");
                    let fix = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
                    self.report(StyleProblem::CssValue { detail, fix }, *span);
                }
            }
        }
        if !NAMES.takes_numbers(property) {
            for span in value.numbers {
                let number = &self.text[span.start..span.end];
                let detail = format!("`{number}` has no unit");
                self.report(StyleProblem::CssValue { detail, fix: Some(format!("add one, as in `{number}px`")) }, span);
            }
        }
        if value.words.is_empty() && !value.has_more && self.facts.problems.len() == before {
            let text = self.text[start..end].trim();
            let parsed = Property::parse_string(PropertyId::from(property), text, ParserOptions::default());
            if matches!(parsed, Ok(Property::Unparsed(_))) {
                let start = start + self.text[start..end].len() - self.text[start..end].trim_start().len();
                let detail = format!("`{text}` is not a valid value of `{property}`");
                self.report(StyleProblem::CssValue { detail, fix: None }, Span::at(start, text.len()));
            }
        }
    }

    /// Returns the span of the address in `url(…)`.
    fn address(&self, span: Span, address: &str) -> Span {
        let written = &self.text[span.start..span.end];
        let at = written.find(address).filter(|_| !address.is_empty());
        at.map_or(span, |at| Span::at(span.start + at, address.len()))
    }

    /// Reports the brackets that are never closed, where they open.
    fn report_unclosed(&mut self) {
        let unclosed = std::mem::take(&mut self.unclosed);
        let bracket = |at: usize| self.text.as_bytes()[at];
        // An open parenthesis swallows everything after it, so that no block around it is closed.
        let mut opens: Vec<usize> = match unclosed.iter().find(|at| bracket(**at) != b'{') {
            Some(at) => vec![*at],
            None => unclosed,
        };
        // If an inner block took the `}` of the one that lacks it, the indentation of the lines differs.
        let indent = |at: usize| {
            let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
            let text = &self.text[line..];
            (line, text.len() - text.trim_start_matches([' ', '\t']).len())
        };
        if let [open] = opens[..] {
            let inside = self.closed.iter().filter(|(start, _)| *start > open && bracket(*start) == b'{');
            let shifted = inside.filter(|(start, end)| {
                let ((from, outer), (to, inner)) = (indent(*start), indent(*end));
                from != to && to + inner == *end && inner < outer
            });
            if let Some((start, _)) = shifted.min_by_key(|(start, _)| std::cmp::Reverse(*start)) {
                opens = vec![*start];
            }
        }
        for open in opens {
            let (written, close) = match bracket(open) {
                b'{' => ("{", "add `}` where the block ends"),
                b'[' => ("[", "add `]`"),
                _ => ("(", "add `)`"),
            };
            // Everything after it was read wrongly.
            self.facts.problems.retain(|(_, span)| span.start < open);
            self.report_syntax(format!("this `{written}` is never closed"), close, Span::at(open, 1));
        }
    }
}

/// Returns the length of a list of selectors without nesting, in a rule with a selector of the length `around`, which stands in the place
/// of each `&`, and before a selector without one.
fn unnested(selectors: &str, around: usize) -> usize {
    let (mut copies, mut of_one, mut depth) = (0_usize, 0_usize, 0_usize);
    for byte in selectors.bytes() {
        match byte {
            b'&' => of_one += 1,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => copies += std::mem::take(&mut of_one).max(1),
            _ => {}
        }
    }
    copies.saturating_add(of_one.max(1)).saturating_mul(around).saturating_add(selectors.len())
}

/// Whether a selector is for one direction alone.
fn is_of_one_direction(selector: &str) -> bool {
    let selector = selector.to_ascii_lowercase();
    selector.contains("[dir") || selector.contains(":dir(")
}

/// Returns what the block of an at-rule may contain.
fn body_of(name: &str, outer: &BlockContent) -> BlockContent {
    let base = if is_prefixed(name) { name[1..].split_once('-').map_or(name, |(_, base)| base) } else { name };
    match base {
        "media" | "supports" | "container" | "layer" | "document" => outer.clone(),
        "scope" | "starting-style" | "position-try" | "keyframes" => BlockContent::Declarations(None),
        "page"
        | "font-face"
        | "property"
        | "counter-style"
        | "font-palette-values"
        | "color-profile"
        | "view-transition"
        | "function" => BlockContent::Declarations(Some(base.to_owned())),
        // The boxes in the margins of a page.
        _ if ["top-", "bottom-", "left-", "right-"].iter().any(|side| base.starts_with(side)) => {
            BlockContent::Declarations(None)
        }
        _ => BlockContent::Opaque,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_multiply_with_commas_and_with_each_parent_selector() {
        for (selectors, copies) in [
            (".a", 1),
            ("&:hover", 1),
            (".a, .b", 2),
            ("& &, .b", 3),
            (":is(.a, .b) [title=\",\"], &", 2),
            ("& + & + &", 3),
        ] {
            assert_eq!(unnested(selectors, 100), 100 * copies + selectors.len(), "{selectors}");
        }
    }

    #[test]
    fn only_rules_that_multiply_are_refused() {
        let nested = |rule: &str, levels: usize| format!("{}color: red{}", rule.repeat(levels), "}".repeat(levels));
        let is_refused = |css: &str| read(css).multiplied.is_some();
        for css in [nested(".a, .b {", 20), nested("& & {", 20), format!(".a {{ {} }}", nested(".a, .b, .c, .d {", 10))]
        {
            assert!(is_refused(&css), "{css}");
        }
        let blocks = "@media print { color: red }".repeat(50);
        for css in [nested(".a {", 40), nested(".a, .b, .c {", 6), format!(".a {{ {blocks} }}")] {
            assert!(!is_refused(&css), "{css}");
        }
        let long = format!("{} {{ {} }}", ".a, ".repeat(20_000) + ".b", ".c { color: red } ".repeat(100));
        assert!(is_refused(&long));
        assert!(!is_refused(&format!("{} {{ color: red }}", ".a, ".repeat(20_000) + ".b")));
    }
}
