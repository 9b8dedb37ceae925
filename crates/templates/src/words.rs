//! The words that templates have in their code, which are the keys of content that they may read.

use super::lexer::{Code, Kind, Token};
use super::uses::{is_in_filter, is_key, is_of_collection};
use std::collections::BTreeSet;

/// The words in the code of all templates.
#[derive(Debug, Default)]
pub struct Words {
    words: BTreeSet<String>,
    reads_all: bool,
}

impl Words {
    /// Returns the words of some templates.
    pub fn of<'a>(codes: impl IntoIterator<Item = &'a Code<'a>>) -> Self {
        let mut words = Words::default();
        for code in codes.into_iter().filter(|code| code.kind != Kind::Comment) {
            let tokens: Vec<Token> = code.tokens.iter().map(|(token, _)| *token).collect();
            for (at, token) in tokens.iter().enumerate() {
                match token {
                    Token::Word(word) => _ = words.words.insert((*word).to_owned()),
                    Token::Value(text) => words.words.extend(parts(text).map(str::to_owned)),
                    Token::Sign(_) => {}
                }
                words.reads_all |= reads_all(&tokens[..at], token, &tokens[at + 1..]);
            }
        }
        words
    }

    /// Whether a word is among them.
    pub fn contains(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Whether a template may read keys that it does not name.
    pub fn reads_all(&self) -> bool {
        self.reads_all
    }
}

/// Filters that give all keys of a map.
const GIVE_ALL: [&str; 6] = ["json", "json_encode", "keys", "pairs", "str", "values"];

/// Whether code reads keys without naming them: `entry[key]`, `page | json`, `for key, value in page`, `{...page}`.
fn reads_all(before: &[Token], token: &Token, after: &[Token]) -> bool {
    match token {
        Token::Sign('[') => is_key(before, after) && !is_of_collection(before),
        Token::Sign('|') => {
            matches!(after.first(), Some(Token::Word(filter)) if GIVE_ALL.contains(filter)) && ends_whole(before)
        }
        Token::Sign('.') if matches!(after, [Token::Sign('.'), Token::Sign('.'), ..]) => is_in_map(before),
        Token::Word("attribute" | "key") if is_in_filter(before) => {
            !matches!(after, [Token::Sign('='), Token::Value(_), Token::Sign(')' | ','), ..])
        }
        Token::Sign(',') if matches!(before, [Token::Word("for"), Token::Word(_)]) => match after {
            [Token::Word(_), Token::Word("in"), list @ ..] => {
                let end = list.iter().position(|token| *token == Token::Sign('|')).unwrap_or(list.len());
                ends_whole(&list[..end])
            }
            _ => false,
        },
        // An argument of a function that writes what it is given.
        Token::Sign('=') if matches!(before.last(), Some(Token::Word("data" | "props"))) => {
            let end = after.iter().position(|token| matches!(token, Token::Sign(',' | ')'))).unwrap_or(after.len());
            matches!(after.first(), Some(Token::Word("collections" | "entries" | "entry" | "page" | "pages" | "site")))
                && ends_whole(&after[..end])
        }
        Token::Word("page" | "entry" | "site") => before.is_empty() && after.is_empty(),
        _ => false,
    }
}

/// Whether the value at the end of some code may be all of a page, an entry or `site`, or have such a value in it.
fn ends_whole(code: &[Token]) -> bool {
    let mut rest = code;
    let mut is_path = false;
    loop {
        match rest {
            [.., Token::Value(_)] => return false,
            [before @ .., Token::Word(_), Token::Sign('['), Token::Value(_), Token::Sign(']')] => {
                is_path = true;
                rest = &rest[..before.len() + 1];
            }
            [before @ .., Token::Sign('.'), Token::Word(_)] => {
                is_path = true;
                rest = before;
            }
            // A filter gives a part of what it gets, or another order of it.
            [before @ .., Token::Sign('|'), Token::Word(_)] => rest = before,
            // What is listed is whole, and so may be what a template has named.
            [.., Token::Word(root)] => {
                return !is_path || ["collections", "entries", "list", "pages"].contains(root);
            }
            [.., Token::Sign(')' | ']' | '}')] => {
                let Some(open) = opening(rest) else { return true };
                let inner = &rest[open + 1..rest.len() - 1];
                match &rest[..open] {
                    [before @ .., Token::Sign('|'), Token::Word(_)] => rest = before,
                    // Other functions give texts.
                    [.., Token::Word(function)] if rest[open] == Token::Sign('(') => return *function == "related",
                    _ => return parts_of(inner).any(ends_whole),
                }
            }
            _ => return true,
        }
    }
}

/// Returns where the bracket opens that closes at the end of some code.
fn opening(code: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    code.iter().rposition(|token| {
        match token {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// Returns the parts between the commas of some code, also those within brackets.
fn parts_of<'c, 't>(code: &'c [Token<'t>]) -> impl Iterator<Item = &'c [Token<'t>]> {
    code.split(|token| *token == Token::Sign(',')).filter(|part| !part.is_empty())
}

/// Whether the innermost bracket that is open at the end of some code is that of a map.
fn is_in_map(code: &[Token]) -> bool {
    let mut depth = 0;
    for token in code.iter().rev() {
        match token {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') if depth > 0 => depth -= 1,
            Token::Sign(open @ ('(' | '[' | '{')) => return *open == '{',
            _ => {}
        }
    }
    false
}

/// Returns the words of a text: names without the signs between them.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !is_of_name(letter)).filter(|part| !part.is_empty())
}

/// Whether a letter can stand in a name.
pub fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::super::lexer::codes;
    use super::*;

    fn reads_all(text: &str) -> bool {
        Words::of(&codes(text)).reads_all
    }

    #[test]
    fn code_that_reads_keys_without_naming_them_is_found() {
        for text in [
            "{{ page }}",
            "{{ page[name] }}",
            "{{ entry | json }}",
            "{{ collections.team | json }}",
            "{{ entries.team.kim | pairs | length }}",
            "{{ entries.team[\"kim\"] | json | safe }}",
            "{{ (collections.team | first) | str }}",
            "{{ [entries.team.kim] | json }}",
            "{{ collections.team | sort(attribute=\"a\") | json }}",
            "{{ {\"a\": page.title, \"b\": entry} | json }}",
            "{{ pages[0] | json }}",
            "{{ {...entry, \"a\": 1} | json }}",
            "{{ json_ld(data={\"a\": 1, ...entry}) }}",
            "{{ json_ld(data=page) }}",
            "{{ island(component=\"A\", props=entries.team.kim) }}",
            "{{ loaves | sort(attribute=page.by) }}",
            "{{ loaves | sort(attribute=\"pri\" ~ \"ce\") }}",
            "{% for key, value in page %}{% endfor %}",
            "{% for key, value in entries.team.kim %}{% endfor %}",
            "{% for key, value in {...e} %}{% endfor %}",
        ] {
            assert!(reads_all(text), "{text}");
        }
        for text in [
            "{{ page.title | json }}",
            "{{ url(path=\"/\") | json }}",
            "{{ [each.url, each.title, 1] | json }}",
            "{{ page.title | upper | truncate(length=3) | json }}",
            "{{ entry.sizes[0] | json }}",
            "{{ page[\"title\"] }}",
            "{{ entries.team[entry.author].name }}",
            "{% for key, value in entry.sizes %}{% endfor %}",
            "{{ loaves | sort(attribute=\"price.net\") }}",
            "{{ [...a, page] | length }}",
            "{{ json_ld(data={\"a\": page.title}) }}",
            "{{ <card entry={entry} /> }}",
            "{{ island(component=\"A\", props=page.props) }}",
            "{% set a = page %}{{ a.title }}",
        ] {
            assert!(!reads_all(text), "{text}");
        }
    }

    #[test]
    fn words_of_code_are_names_and_parts_of_texts() {
        let words = Words::of(&codes("{{ page.lead }}{# page.no #}{{ a | sort(attribute=\"price.net\") }} text")).words;
        let expected = ["a", "attribute", "lead", "net", "page", "price", "sort"];
        assert_eq!(words.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
