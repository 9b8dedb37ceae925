//! Splits the text of a template into Tera's code and the HTML around it.

use sitegen_core::diagnostics::Span;

/// The kind of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{{ … }}`
    Expression,
    /// `{% … %}`
    Tag,
    /// `{# … #}`
    Comment,
}

/// A token of code in a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'t> {
    /// A name or a keyword.
    Word(&'t str),
    /// Any other character that is not white space and not in quotes.
    Sign(char),
    /// A text in quotes, with them, or a number.
    Value(&'t str),
}

/// A piece of code, which ends with the text if it is not closed.
#[derive(Debug)]
pub struct Code<'t> {
    /// Which delimiters it has.
    pub kind: Kind,
    /// Where it is, with its delimiters.
    pub span: Span,
    /// Its tokens and their offsets. A comment has none.
    pub tokens: Vec<(Token<'t>, usize)>,
}

/// Returns the code of a template in order. What is between `{% raw %}` and `{% endraw %}` is text.
pub fn codes(text: &str) -> Vec<Code<'_>> {
    let mut codes = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find('{').map(|at| from + at) {
        let Some(code) = code_at(text, start) else {
            from = start + 1;
            continue;
        };
        from = code.span.end;
        if code.kind == Kind::Tag && matches!(code.tokens.first(), Some((Token::Word("raw"), _))) {
            from = end_of_raw(text, from);
        }
        codes.push(code);
    }
    codes
}

/// Returns what the tags of a kind name, as `{% component card(title) %}` names `card`. Such names may contain `-` and `.`.
pub fn named<'t>(text: &'t str, tag: &str) -> Vec<&'t str> {
    named_in(text, &codes(text), tag).collect()
}

/// Returns what the tags of a kind name in the code of a template. See [`named`].
pub fn named_in<'t>(text: &'t str, codes: &[Code], tag: &str) -> impl Iterator<Item = &'t str> {
    codes.iter().filter_map(move |code| match code.tokens.as_slice() {
        [(Token::Word(word), _), (_, at), ..] if code.kind == Kind::Tag && *word == tag => Some(name_at(text, *at)),
        _ => None,
    })
}

/// Returns the components that the code of a template calls, as `<card title="A" />`. At worst it finds too many.
pub fn called<'t>(text: &'t str, codes: &[Code]) -> impl Iterator<Item = &'t str> {
    let pairs = codes.iter().flat_map(|code| code.tokens.windows(2));
    pairs.filter_map(move |pair| match pair {
        [(Token::Sign('<'), _), (Token::Word(_), at)] => Some(name_at(text, *at)),
        _ => None,
    })
}

/// Returns the name of a component or a block at an offset.
pub fn name_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && !"_-.".contains(letter));
    &rest[..end.unwrap_or(rest.len())]
}

/// Returns the length of the code at the start of a text; 0 if there is none.
pub fn code_length(text: &str) -> usize {
    code_at(text, 0).map_or(0, |code| code.span.end)
}

fn code_at(text: &str, start: usize) -> Option<Code<'_>> {
    let (kind, close) = match text.get(start..start + 2)? {
        "{{" => (Kind::Expression, "}}"),
        "{%" => (Kind::Tag, "%}"),
        "{#" => {
            let end = text[start..].find("#}").map_or(text.len(), |at| start + at + 2);
            return Some(Code { kind: Kind::Comment, span: Span { start, end }, tokens: Vec::new() });
        }
        _ => return None,
    };
    let (tokens, end) = tokens(text, start + 2, close);
    Some(Code { kind, span: Span { start, end }, tokens })
}

/// Returns the offset of the `{% endraw %}` that comes next, or the end of the text.
fn end_of_raw(text: &str, from: usize) -> usize {
    let mut tags = text[from..].match_indices("{%").map(|(at, _)| from + at);
    let is_end = |at: &usize| text[at + 2..].trim_start_matches('-').trim_start().starts_with("endraw");
    tags.find(is_end).unwrap_or(text.len())
}

/// Returns the tokens up to the closing delimiter, and the offset after it.
fn tokens<'t>(text: &'t str, mut at: usize, end: &str) -> (Vec<(Token<'t>, usize)>, usize) {
    let mut tokens = Vec::new();
    let mut depth = 0usize;
    while let Some(letter) = text[at..].chars().next() {
        // A map may end in `}` just before the code does.
        if depth == 0 && text[at..].starts_with(end) {
            return (tokens, at + end.len());
        }
        let rest = &text[at..];
        let length = match letter {
            '"' | '\'' | '`' => {
                let mut is_escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, next)| {
                    let closes = *next == letter && !is_escaped;
                    is_escaped = *next == '\\' && !is_escaped;
                    closes
                });
                let length = close.map_or(rest.len(), |(at, _)| at + 1);
                tokens.push((Token::Value(&rest[..length]), at));
                length
            }
            letter if letter.is_alphabetic() || letter == '_' => {
                let word = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
                tokens.push((Token::Word(&rest[..word]), at));
                word
            }
            letter if letter.is_ascii_digit() => {
                let length = rest.find(|next: char| !next.is_alphanumeric() && next != '.').unwrap_or(rest.len());
                tokens.push((Token::Value(&rest[..length]), at));
                length
            }
            // `{%-` trims white space and is not code.
            '-' if tokens.is_empty() => 1,
            letter => {
                match letter {
                    '{' => depth += 1,
                    '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if !letter.is_whitespace() {
                    tokens.push((Token::Sign(letter), at));
                }
                letter.len_utf8()
            }
        };
        at += length;
    }
    (tokens, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        codes(text).iter().map(|code| &text[code.span.start..code.span.end]).collect()
    }

    #[test]
    fn code_ends_outside_of_quotes_and_maps() {
        assert_eq!(
            shown("a {{ b }} {%- if \"%}\" -%} { {# {{ c }} #}"),
            ["{{ b }}", "{%- if \"%}\" -%}", "{# {{ c }} #}"]
        );
        assert_eq!(shown("{{ {\"a\": {\"b\": 1}}}}c"), ["{{ {\"a\": {\"b\": 1}}}}"]);
        assert_eq!(shown("{{ '\\'}}' }}"), ["{{ '\\'}}' }}"]);
        assert_eq!(shown("{{ open"), ["{{ open"]);
        assert_eq!((code_length("{{ a }}b"), code_length("b{{ a }}"), code_length("{ä")), (7, 0, 0));
    }

    #[test]
    fn tags_name_components_and_blocks() {
        let text = "{%- component a.b-c(x) %}{%component d() %}{% block e %}{% raw %}{% component f() %}{% endraw %}component g";
        assert_eq!(named(text, "component"), ["a.b-c", "d"]);
        assert_eq!(named(text, "block"), ["e"]);
    }

    #[test]
    fn calls_name_components() {
        let text = "{{ <cards.note-b a={1} /> }}{% <card> %}{{ '<x />' }}{% </card> %}{# <y /> #}{% raw %}{{ <z /> }}{% endraw %}";
        assert_eq!(called(text, &codes(text)).collect::<Vec<_>>(), ["cards.note-b", "card"]);
    }

    #[test]
    fn raw_blocks_are_text() {
        assert_eq!(shown("{% raw %}{{ a }}endraw{%- endraw %}{{ b }}"), ["{% raw %}", "{%- endraw %}", "{{ b }}"]);
        assert_eq!(shown("{% raw %}{{ a }}"), ["{% raw %}"]);
    }
}
