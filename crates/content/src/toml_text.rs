//! Parses TOML into a tree in which every key and value has its position.

use super::limits::{Failure, MAX_DEPTH, MAX_NODES, Repeated, too_many};
use super::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::{DataProblem, MOST, Problem, Span};
use std::borrow::Cow;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// Parses a text.
///
/// TOML allows no key twice, and its parser continues after one: each is returned, and the first one counts.
pub fn parse(text: &str) -> Result<(Node, Repeated), Failure> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut repeated = Vec::new();
    for error in errors.iter().take(MOST + 1) {
        let span = span_of(error, text);
        match error.message() {
            "duplicate key" => repeated.push((name_of(&text[span.start..span.end]), span)),
            message => return Err((problem_of(message, &text[span.start..]), span)),
        }
    }
    let mut nodes = 0;
    let span = table.span();
    let value = map(table.into_inner(), 0, &mut nodes)?;
    Ok((Node { value, span: Span { start: span.start, end: span.end } }, repeated))
}

fn map(table: DeTable, depth: usize, nodes: &mut usize) -> Result<Value, Failure> {
    let entry = |(key, value): (Spanned<_>, Spanned<DeValue>)| {
        let span = Span { start: key.span().start, end: key.span().end };
        let name: Cow<str> = key.into_inner();
        Ok((Key { name: name.into_owned(), span }, node(value, depth + 1, nodes)?))
    };
    table.into_iter().map(entry).collect::<Result<Vec<_>, Failure>>().map(Value::Map)
}

fn node(value: Spanned<DeValue>, depth: usize, nodes: &mut usize) -> Result<Node, Failure> {
    let span = Span { start: value.span().start, end: value.span().end };
    *nodes += 1;
    if depth > MAX_DEPTH || *nodes > MAX_NODES {
        return Err((too_many(depth), span));
    }
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Boolean(value) => Value::Bool(value),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            // As in TOML itself, which wants an error for a number that cannot be represented without loss.
            Err(_) => return Err((syntax("this whole number has more than 64 bits; put it in quotes"), span)),
        },
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(value) if value.is_finite() => Value::Float(value),
            // As YAML does, which has these two as well.
            _ => Value::Text(number.as_str().to_owned()),
        },
        DeValue::Datetime(time) => Value::Text(time.to_string()),
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| node(item, depth + 1, nodes));
            Value::List(items.collect::<Result<_, Failure>>()?)
        }
        DeValue::Table(table) => map(table, depth, nodes)?,
    };
    Ok(Node { value, span })
}

fn span_of(error: &Error, text: &str) -> Span {
    let span = error.span().unwrap_or(text.len()..text.len());
    let start = floor(text, span.start);
    let end = floor(text, span.end.max(start));
    let width = text[start..].chars().next().filter(|letter| !letter.is_control()).map_or(0, char::len_utf8);
    Span { start, end: end.max(start + width) }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns a key without its quotes.
fn name_of(written: &str) -> String {
    written.trim_matches(['"', '\'']).to_owned()
}

/// Returns what a message of the parser means. `rest` is the text from the place of the error.
fn problem_of(message: &str, rest: &str) -> Box<Problem> {
    let (what, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let detail = match what {
        "recursion limit" => return too_many(usize::MAX),
        what if what.starts_with("cannot recurse further") => return too_many(usize::MAX),
        "string values must be quoted" if rest.trim_start_matches([' ', '\t']).starts_with(['\n', '\r']) => {
            "the key has no value".to_owned()
        }
        "string values must be quoted" => "a text must be in quotes".to_owned(),
        "key with no value" => "a key is followed by `=` and a value, as in `title = \"Bread\"`".to_owned(),
        what if expected.starts_with('`') && !expected.contains(',') => format!("{what}: {expected} is expected here"),
        what => what.to_owned(),
    };
    syntax(&detail)
}

fn syntax(detail: &str) -> Box<Problem> {
    Box::new(DataProblem::DataSyntax { format: "TOML", detail: detail.to_owned() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::YamlProblem;

    #[test]
    fn keys_and_values_have_their_bytes() {
        let text = "# ä\r\ntitle = \"Ä \\u00e4\"\r\n\"a b\" = 1_000\r\nx.y = 0x1f\r\n[[team]]\r\nborn = 1979-05-27\r\nat = 1979-05-27 07:32:00Z\r\n";
        let (root, repeated) = parse(text).unwrap();
        assert!(repeated.is_empty());
        let slice = |span: Span| &text[span.start..span.end];
        assert_eq!(root.get("title").unwrap().text(), Some("Ä ä"));
        assert_eq!(slice(root.get("title").unwrap().span), "\"Ä \\u00e4\"");
        assert_eq!(slice(root.entries()[1].0.span), "\"a b\"");
        assert_eq!(root.get("a b").unwrap().value, Value::Integer(1000));
        assert_eq!(root.get("x").unwrap().get("y").unwrap().value, Value::Integer(31));
        let member = &root.get("team").unwrap().items()[0];
        assert_eq!(member.get("born").unwrap().text(), Some("1979-05-27"));
        assert_eq!(member.get("at").unwrap().text(), Some("1979-05-27T07:32:00Z"));
        assert_eq!(slice(member.get("born").unwrap().span), "1979-05-27");
    }

    #[test]
    fn mistakes_are_named_at_their_place() {
        let fails = |text: &str| {
            let (problem, span) = parse(text).unwrap_err();
            let Problem::Data(DataProblem::DataSyntax { detail, .. }) = *problem else { panic!("{problem:?}") };
            (detail, text[span.start..span.end].to_owned())
        };
        assert_eq!(fails("a = yes\n"), ("a text must be in quotes".into(), "yes".into()));
        assert_eq!(fails("a = \n").0, "the key has no value");
        assert!(fails("title: x\n").0.starts_with("a key is followed by `=`"));
        assert_eq!(fails("n = 99999999999999999999\n").1, "99999999999999999999");
        let (root, repeated) = parse("a = 1\nb = 2\na = 3\n\"a\" = 4\n").unwrap();
        assert_eq!(root.get("a").unwrap().value, Value::Integer(1));
        assert_eq!(
            repeated.iter().map(|(key, span)| (key.as_str(), span.start)).collect::<Vec<_>>(),
            [("a", 12), ("a", 18)]
        );
    }

    #[test]
    fn hostile_input_is_refused_at_once() {
        for text in [
            format!("a = {}", "[".repeat(500_000)),
            format!("a = {}", "{a=".repeat(300_000)),
            format!("{}a = 1", "a.".repeat(300_000)),
            (0..210_000).map(|number| format!("a{number}=1\n")).collect(),
        ] {
            let problem = parse(&text).unwrap_err().0;
            assert!(matches!(*problem, Problem::Yaml(YamlProblem::YamlTooLarge { .. })), "{problem:?} {}", &text[..20]);
        }
    }
}
