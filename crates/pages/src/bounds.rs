//! Bounds what templates do: the turns of their loops, the parts that they include, and the size of their values.
//!
//! Tera runs a template to its end, and values that double in a loop, or loops in each other, have none in sight. So the values that
//! are assigned and looped over go through a [filter](keep) that counts, in the text that Tera gets: `{% for a in (b)|__kept %}`.
//! [`written`] finds the places of errors in the text as it was written.

use sitegen_core::diagnostics::Span;
use sitegen_templates::lexer::{Code, Kind, Token, codes};
use std::borrow::Cow;
use std::cell::Cell;
use tera::{Error, Kwargs, State, Tera, TeraResult, Value};

const CLOSE: &str = ")|__kept";
/// What counts an included template, under a name that no template has.
const COUNT: &str = "set __part = 0|__part";
/// As how many turns of a loop an included template counts.
const PART: usize = 10;

/// The most items that the loops of a page go through, and parts that it includes: some seconds of work.
const MOST_TURNS: usize = 5_000_000;
/// The most bytes of a text, and items of a list, that a template assigns. A page has 64 MB at most.
const MOST_BYTES: usize = 16 << 20;
const MOST_ITEMS: usize = 1 << 20;

thread_local! {
    /// The turns of the page that this thread renders.
    static TURNS: Cell<usize> = const { Cell::new(0) };
}

/// Begins to count for a page.
pub fn begin() {
    TURNS.set(0);
}

/// Registers the filters.
pub fn register(engine: &mut Tera) {
    engine.register_filter("__kept", |value: Value, _: Kwargs, _: &State| keep(value));
    engine.register_filter("__part", |value: Value, _: Kwargs, _: &State| count(PART).map(|()| value));
}

/// Counts turns of loops.
fn count(turns: usize) -> TeraResult<()> {
    TURNS.set(TURNS.get().saturating_add(turns));
    match TURNS.get() > MOST_TURNS {
        true => Err(Error::message("the loops of this page go through more than 5 million items")),
        false => Ok(()),
    }
}

/// Counts a value that is assigned or looped over, and returns it.
fn keep(value: Value) -> TeraResult<Value> {
    let (items, bytes) = match value.as_str() {
        Some(text) => (0, text.len()),
        None => (value.len().unwrap_or(0), 0),
    };
    count(items)?;
    match () {
        () if bytes > MOST_BYTES => Err(Error::message(format!("this text has more than {} MB", MOST_BYTES >> 20))),
        () if items > MOST_ITEMS => Err(Error::message("this list has more than a million items")),
        () => Ok(value),
    }
}

/// What is put into a template.
enum Put {
    /// Around an expression.
    Around(Span),
    /// Before a tag, which trims white space as that does.
    Before { at: usize, trims: bool },
}

/// Returns a template as Tera gets it.
pub fn bounded(text: &str) -> Cow<'_, str> {
    let pieces = pieces(text);
    if pieces.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16 * pieces.len());
    let mut from = 0;
    for (at, piece, _) in pieces {
        out.push_str(&text[from..at]);
        out.push_str(&piece);
        from = at;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// Maps a span of [what Tera gets](bounded) to the template as it was written. The filter has the place of its expression.
pub fn written(text: &str, span: Span) -> Span {
    let pieces = pieces(text);
    let map = |offset: usize| {
        let mut shift = 0;
        for (at, piece, expression) in &pieces {
            if offset < at + shift {
                break;
            }
            if offset < at + shift + piece.len() {
                return Err(*expression);
            }
            shift += piece.len();
        }
        Ok(offset - shift)
    };
    match (map(span.start), map(span.end)) {
        (Ok(start), Ok(end)) => Span { start, end },
        (Ok(start), Err(within)) => Span { start, end: within.end.max(start) },
        (Err(within), Ok(end)) if end > within.end => Span { start: within.start, end },
        (Err(within), _) => within,
    }
}

/// Returns what is put into a template, in order: where, what, and the span that it is about.
fn pieces(text: &str) -> Vec<(usize, Cow<'static, str>, Span)> {
    let mut pieces = Vec::new();
    for code in codes(text) {
        for put in puts(text, &code) {
            match put {
                Put::Around(span) => {
                    pieces.push((span.start, Cow::Borrowed("("), span));
                    pieces.push((span.end, Cow::Borrowed(CLOSE), span));
                }
                Put::Before { at, trims } => {
                    let tag = if trims { format!("{{%- {COUNT} -%}}") } else { format!("{{% {COUNT} %}}") };
                    pieces.push((at, Cow::Owned(tag), code.span));
                }
            }
        }
    }
    // One expression may be in another.
    pieces.sort_by_key(|(at, ..)| *at);
    pieces
}

fn puts(text: &str, code: &Code) -> Vec<Put> {
    let written = &text[code.span.start..code.span.end];
    if code.kind == Kind::Comment || !written.ends_with("}}") && !written.ends_with("%}") {
        return Vec::new();
    }
    // A dash at the end trims white space.
    let trimmed = written.ends_with("-%}") || written.ends_with("-}}");
    let tokens = &code.tokens[..code.tokens.len() - usize::from(trimmed && !code.tokens.is_empty())];
    let mut puts = Vec::new();
    match tokens {
        [(Token::Word("set" | "set_global"), _), (Token::Word(_), _), (Token::Sign('='), _), value @ ..] => {
            puts.extend(around(value).map(Put::Around));
        }
        [(Token::Word("include"), _), ..] if code.kind == Kind::Tag => {
            puts.push(Put::Before { at: code.span.start, trims: written.starts_with("{%-") });
        }
        _ => {}
    }
    let loops = tokens.iter().enumerate().filter(|(_, (token, _))| *token == Token::Word("for"));
    puts.extend(loops.filter_map(|(index, _)| {
        let rest = &tokens[index + 1..];
        let container = rest.iter().take(4).position(|(token, _)| *token == Token::Word("in"))? + 1;
        around(container_of(&rest[container..])).map(Put::Around)
    }));
    puts
}

/// Returns the tokens of what a loop goes through: those up to the condition or the bracket that ends a comprehension.
fn container_of<'a, 't>(tokens: &'a [(Token<'t>, usize)]) -> &'a [(Token<'t>, usize)] {
    let mut depth = 0usize;
    let end = tokens.iter().position(|(token, _)| match token {
        Token::Sign('(' | '[' | '{') => {
            depth += 1;
            false
        }
        Token::Sign(')' | ']' | '}') if depth == 0 => true,
        Token::Sign(')' | ']' | '}') => {
            depth -= 1;
            false
        }
        Token::Word("if") => depth == 0,
        _ => false,
    });
    &tokens[..end.unwrap_or(tokens.len())]
}

/// Returns the span of an expression, if there is one.
fn around(tokens: &[(Token, usize)]) -> Option<Span> {
    let ((_, start), (last, at)) = tokens.first().zip(tokens.last())?;
    let length = match last {
        Token::Word(text) | Token::Value(text) => text.len(),
        Token::Sign(sign) => sign.len_utf8(),
    };
    Some(Span { start: *start, end: at + length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_assigned_and_looped_over_is_counted() {
        for (text, expected) in [
            ("{{ a }} b", "{{ a }} b"),
            ("{% set a = b ~ c %}", "{% set a = (b ~ c)|__kept %}"),
            ("{%- set_global a = [...b, ...b] -%}", "{%- set_global a = ([...b, ...b])|__kept -%}"),
            ("{% set a %}{{ b }}{% endset %}", "{% set a %}{{ b }}{% endset %}"),
            ("{% for a in b.c | d(e=1) %}x{% endfor %}", "{% for a in (b.c | d(e=1))|__kept %}x{% endfor %}"),
            ("{% for a, b in c -%}", "{% for a, b in (c)|__kept -%}"),
            ("{{ [a for a in b if a.c] | d }}", "{{ [a for a in (b)|__kept if a.c] | d }}"),
            ("{% set a = [b for b in c] %}", "{% set a = ([b for b in (c)|__kept])|__kept %}"),
            ("{%- include 'a' %}", "{%- set __part = 0|__part -%}{%- include 'a' %}"),
            ("{# b #}{% include 'a' %}", "{# b #}{% set __part = 0|__part %}{% include 'a' %}"),
            (
                "{% raw %}{% set a = b %}{% endraw %}{# {% set a = b %} #}",
                "{% raw %}{% set a = b %}{% endraw %}{# {% set a = b %} #}",
            ),
            ("{% set a = %}{% for a in %}{% set a = b", "{% set a = %}{% for a in %}{% set a = b"),
        ] {
            assert_eq!(bounded(text), expected);
        }
    }

    #[test]
    fn places_are_those_of_the_text_as_it_was_written() {
        let text = "{% set a = b %}{{ c.d }}";
        let given = bounded(text);
        let of = |part: &str| {
            let span = written(text, Span::at(given.find(part).unwrap(), part.len()));
            &text[span.start..span.end]
        };
        for (part, expected) in [("c.d", "c.d"), ("__kept", "b"), ("b", "b"), ("set a", "set a"), ("(b)|__kept", "b")] {
            assert_eq!(of(part), expected, "{part}");
        }
    }

    #[test]
    fn values_and_loops_without_an_end_are_refused() {
        begin();
        assert!(keep(Value::from("x".repeat(MOST_BYTES))).is_ok());
        assert!(keep(Value::from("x".repeat(MOST_BYTES + 1))).is_err());
        let list = Value::from(vec![Value::from(1); MOST_ITEMS]);
        let turns = (0..20).take_while(|_| keep(list.clone()).is_ok()).count();
        assert_eq!(turns, MOST_TURNS / MOST_ITEMS);
        begin();
        assert!(keep(list).is_ok());
    }
}
