//! The code of templates and the references of content, for colours.

use crate::Analysis;
use crate::symbols::{Callable, Symbol};
use crate::variables::KEYWORDS;
use sitegen_content::calls;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;
use sitegen_templates::lexer::{Kind, Token as Word, codes};
use std::collections::BTreeMap;

/// A word with a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes. They are on one line.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A word of the template language.
    Keyword,
    /// A variable.
    Variable,
    /// A key of one.
    Property,
    /// A filter, a function or a test.
    Function,
    /// A component.
    Class,
    /// The name of an argument.
    Parameter,
    /// A text in quotes.
    String,
    /// A number.
    Number,
    /// A comment.
    Comment,
}

impl Analysis<'_> {
    /// Returns the words of code and references in a file, in the order of its text.
    pub fn tokens(&self, path: &SourcePath) -> Vec<Token> {
        let Some(text) = self.sources.text(path) else { return Vec::new() };
        let mut all = match SourceKind::of(path) {
            SourceKind::Template => self.template_tokens(path, text),
            SourceKind::Settings | SourceKind::Page | SourceKind::Entry => of_content(text),
            _ => Vec::new(),
        };
        all.retain(|token| token.span.start < token.span.end);
        all.sort_by_key(|token| token.span.start);
        // No two words overlap.
        let mut end = 0;
        all.retain(|token| {
            let is_after = token.span.start >= end;
            end = end.max(token.span.end);
            is_after
        });
        all
    }

    fn template_tokens(&self, path: &SourcePath, text: &str) -> Vec<Token> {
        let named: BTreeMap<usize, TokenKind> = self
            .occurrences(path)
            .into_iter()
            .filter_map(|each| {
                let kind = match each.symbol {
                    Symbol::Callable(Callable::Filter | Callable::Function | Callable::Test, _) => TokenKind::Function,
                    Symbol::Component(_) => TokenKind::Class,
                    Symbol::Argument(..) => TokenKind::Parameter,
                    _ => return None,
                };
                Some((each.span.start, kind))
            })
            .collect();
        let mut all = Vec::new();
        for code in codes(text) {
            if code.kind == Kind::Comment {
                all.extend(lines(text, code.span).map(|span| Token { span, kind: TokenKind::Comment }));
                continue;
            }
            for (index, (token, at)) in code.tokens.iter().enumerate() {
                let before = index.checked_sub(1).map(|index| code.tokens[index].0);
                let next = code.tokens.get(index + 1).map(|(token, _)| *token);
                let (word, kind) = match token {
                    Word::Word(word) => {
                        let kind = match named.get(at) {
                            Some(kind) => *kind,
                            None if before == Some(Word::Sign('.')) => TokenKind::Property,
                            None if KEYWORDS.contains(word) => TokenKind::Keyword,
                            None if next == Some(Word::Sign('=')) && index > 0 => TokenKind::Parameter,
                            None => TokenKind::Variable,
                        };
                        (*word, kind)
                    }
                    Word::Value(value) if value.starts_with(|letter: char| letter.is_ascii_digit()) => {
                        (*value, TokenKind::Number)
                    }
                    Word::Value(value) => (*value, TokenKind::String),
                    Word::Sign(_) => continue,
                };
                all.extend(lines(text, Span::at(*at, word.len())).map(|span| Token { span, kind }));
            }
        }
        all
    }
}

fn of_content(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    for (reference, tag) in calls::all(text) {
        match tag {
            Some(Ok(tag)) => {
                let token = |part: &str, kind| Token {
                    span: Span::at(crate::symbols::offset_in(text, part), part.len()),
                    kind,
                };
                all.push(token(tag.component, TokenKind::Class));
                all.extend(tag.arguments.iter().map(|(name, _, _)| token(name, TokenKind::Parameter)));
            }
            Some(Err(_)) => {}
            None => {
                let mut start = crate::symbols::offset_in(text, reference.path);
                for (number, part) in reference.path.split('.').enumerate() {
                    let kind = if number == 0 { TokenKind::Variable } else { TokenKind::Property };
                    all.push(Token { span: Span::at(start, part.len()), kind });
                    start += part.len() + 1;
                }
            }
        }
    }
    all
}

/// Returns the parts of some bytes that are on one line each.
fn lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut start = span.start;
    let part = text.get(span.start..span.end).unwrap_or_default();
    part.split_inclusive('\n').map(move |line| {
        let length = line.trim_end_matches(['\n', '\r']).len();
        let span = Span::at(start, length);
        start += line.len();
        span
    })
}
