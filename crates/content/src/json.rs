//! Parses JSON (RFC 8259) into a tree in which every key and value has its position.
//!
//! The structure is read here, for the positions and for messages that name the usual mistakes; `serde_json` reads texts and
//! numbers.

use super::limits::{Failure, MAX_DEPTH, MAX_NODES, Repeated, too_many};
use super::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::{DataProblem, MOST, Problem, Span};
use std::collections::BTreeSet;

/// Parses a text. A repeated key is returned, and the first one counts.
pub fn parse(text: &str) -> Result<(Node, Repeated), Failure> {
    let mut reader = Reader { text, at: 0, nodes: 0, repeated: Vec::new() };
    reader.at = text.len() - text.trim_start_matches('\u{feff}').len();
    let node = reader.value(0)?;
    reader.skip_space();
    match reader.at < text.len() {
        true => Err(reader.error("nothing may follow the value that the file consists of")),
        false => Ok((node, reader.repeated)),
    }
}

/// Returns the end of the object that a text begins with, by its brackets. `None` if it is never closed.
pub fn end_of_object(text: &str) -> Option<usize> {
    let (mut depth, mut is_text, mut is_escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => depth += 1,
            b'}' | b']' if !is_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    nodes: usize,
    repeated: Repeated,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Node, Failure> {
        self.skip_space();
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err((too_many(depth), Span::at(self.at, 1)));
        }
        let start = self.at;
        let value = match self.next() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'\'') => return Err(self.error("a text is in double quotes, `\"`")),
            Some(b'/' | b'#') => return Err(self.error("JSON has no comments")),
            Some(b',' | b'}' | b']') => return Err(self.error("a value is missing before this")),
            Some(_) => self.word()?,
            None => return Err(self.error("the file ends where a value is expected")),
        };
        Ok(Node { value, span: Span { start, end: self.at } })
    }

    fn object(&mut self, depth: usize) -> Result<Value, Failure> {
        let open = self.at;
        self.at += 1;
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut names = BTreeSet::new();
        loop {
            self.skip_space();
            match self.next() {
                Some(b'}') if entries.is_empty() => break,
                Some(b'"') => {}
                Some(b'}') => return Err(self.error("no comma may stand after the last value")),
                Some(b'/' | b'#') => return Err(self.error("JSON has no comments")),
                Some(_) => return Err(self.error("a key is in double quotes: `\"key\": \"value\"`")),
                None => return Err(self.unclosed(open, '}')),
            }
            let start = self.at;
            let name = self.string()?;
            let span = Span { start, end: self.at };
            self.skip_space();
            if self.next() != Some(b':') {
                return Err(self.error("a colon must stand between a key and its value"));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            match names.insert(name.clone()) {
                true => entries.push((Key { name, span }, value)),
                // No more are reported.
                false if self.repeated.len() > MOST => {}
                false => self.repeated.push((name, span)),
            }
            self.skip_space();
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                Some(_) => return Err(self.error("a comma must stand between two values")),
                None => return Err(self.unclosed(open, '}')),
            }
        }
        self.at += 1;
        Ok(Value::Map(entries))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Failure> {
        let open = self.at;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.next() {
                Some(b']') if items.is_empty() => break,
                Some(b']') => return Err(self.error("no comma may stand after the last value")),
                None => return Err(self.unclosed(open, ']')),
                Some(_) => items.push(self.value(depth + 1)?),
            }
            self.skip_space();
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                Some(_) => return Err(self.error("a comma must stand between two values")),
                None => return Err(self.unclosed(open, ']')),
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    fn string(&mut self) -> Result<String, Failure> {
        let start = self.at;
        let mut is_escaped = false;
        let end = self.text.as_bytes()[start + 1..].iter().position(|byte| match byte {
            _ if is_escaped => {
                is_escaped = false;
                false
            }
            b'\\' => {
                is_escaped = true;
                false
            }
            byte => *byte == b'"',
        });
        let Some(end) = end.map(|end| start + 1 + end) else { return Err(self.unclosed(start, '"')) };
        let span = Span { start, end: end + 1 };
        if let Some(at) = self.text[start..end].find(['\n', '\r']) {
            let detail = "a text ends on the line that it begins on; a line break in it is written as `\\n`";
            return Err((syntax(detail), Span { start, end: start + at }));
        }
        self.at = end + 1;
        serde_json::from_str(&self.text[start..self.at]).map_err(|_| {
            (
                syntax("this text has a character or an escape that JSON does not know; a `\\` is written as `\\\\`"),
                span,
            )
        })
    }

    fn number(&mut self) -> Result<Value, Failure> {
        let start = self.at;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
        self.at += self.text.as_bytes()[start..].iter().take_while(|byte| is_part(byte)).count();
        let (written, span) = (&self.text[start..self.at], Span { start, end: self.at });
        let number: Option<serde_json::Number> = serde_json::from_str(written).ok();
        let value = number.and_then(|number| match number.as_i64() {
            Some(integer) => Some(Value::Integer(integer)),
            None => number.as_f64().map(Value::Float),
        });
        value.ok_or_else(|| (syntax("this is not a number; a text is in double quotes"), span))
    }

    fn word(&mut self) -> Result<Value, Failure> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let value = match &rest[..length] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            word => {
                let width = if word.is_empty() { rest.chars().next().map_or(0, char::len_utf8) } else { length };
                return Err((syntax("a text is in double quotes, `\"`"), Span::at(start, width)));
            }
        };
        self.at += length;
        Ok(value)
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        let space = self.text.as_bytes()[self.at..].iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.at += space;
    }

    /// Returns an error at what comes next, or at the last character if nothing does.
    fn error(&self, detail: &str) -> Failure {
        let start = self.at.min(self.text.trim_end().len());
        (syntax(detail), Span::at(start, self.text[start..].chars().next().map_or(0, char::len_utf8)))
    }

    fn unclosed(&self, open: usize, end: char) -> Failure {
        let what = if end == '"' { "this quote is never closed" } else { "this bracket is never closed" };
        (syntax(what), Span::at(open, 1))
    }
}

fn syntax(detail: &str) -> Box<Problem> {
    Box::new(DataProblem::DataSyntax { format: "JSON", detail: detail.to_owned() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::YamlProblem;

    #[test]
    fn keys_and_values_have_their_bytes() {
        let text = "\u{feff}{ \"title\": \"Ä \\\"b\\u00e4\", \"list\": [1, -2.5e1, true, null], \"big\": 18446744073709551615 }\n";
        let (root, repeated) = parse(text).unwrap();
        let slice = |span: Span| &text[span.start..span.end];
        assert!(repeated.is_empty());
        assert_eq!(slice(root.entries()[0].0.span), "\"title\"");
        assert_eq!(root.get("title").unwrap().text(), Some("Ä \"bä"));
        assert_eq!(slice(root.get("title").unwrap().span), "\"Ä \\\"b\\u00e4\"");
        let values: Vec<&Value> = root.get("list").unwrap().items().iter().map(|node| &node.value).collect();
        assert_eq!(values, [&Value::Integer(1), &Value::Float(-25.0), &Value::Bool(true), &Value::Null]);
        assert_eq!(root.get("big").unwrap().value, Value::Float(18446744073709551615.0));
    }

    /// Every text is read as `serde_json` reads it, or refused as it is.
    #[test]
    fn texts_are_read_or_refused_as_by_another_parser() {
        for text in [
            "{}",
            "[]",
            "[[]]",
            "{\"a\":{}}",
            "1",
            "\"\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "01",
            "-",
            "1.",
            ".5",
            "1e5",
            "1e999",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "[1 2]",
            "{\"a\" 1}",
            "{\"a\":}",
            "nul",
            "truee",
            "\"a",
            "\"\t\"",
            "\"a\nb\"",
            "[",
            "{",
            "{\"a\":1",
            "// x\n1",
            "1 2",
            "",
            " ",
            "\"\\q\"",
            "+1",
            "NaN",
            "[,]",
            "{,}",
            "\"\u{7f}\"",
            "é",
            "0x10",
            "-0",
        ] {
            let expected: Option<serde_json::Value> = serde_json::from_str(text).ok();
            assert_eq!(parse(text).ok().map(|(node, _)| node.to_json()), expected, "{text}");
        }
    }

    #[test]
    fn a_repeated_key_is_returned_and_the_first_counts() {
        let (root, repeated) = parse("{\"a\":1,\"b\":2,\"a\":3}").unwrap();
        assert_eq!(root.get("a").unwrap().value, Value::Integer(1));
        assert_eq!(repeated, [("a".to_owned(), Span::at(13, 3))]);
    }

    #[test]
    fn an_object_ends_at_its_bracket() {
        assert_eq!(end_of_object("{\"a\": \"}\\\"}\", \"b\": [{}]}\ntext }"), Some(24));
        assert_eq!(end_of_object("{\"a\": \"}"), None);
    }

    #[test]
    fn hostile_input_is_refused_at_once() {
        let is_too_large = |text: &str| {
            parse(text).is_err_and(|(problem, _)| matches!(*problem, Problem::Yaml(YamlProblem::YamlTooLarge { .. })))
        };
        for text in ["[".repeat(1_000_000), "{\"a\":".repeat(500_000)] {
            assert!(is_too_large(&text));
        }
        assert!(is_too_large(&format!("[{}1]", "1,".repeat(300_000))));
    }
}
