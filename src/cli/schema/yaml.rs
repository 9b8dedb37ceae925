//! Prints a configuration as YAML that people read and change: in blocks, with quotes only where a text needs them.

use serde_json::Value as Json;
use std::fmt::Write as _;

/// Prints a mapping.
pub fn print(value: &Json) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

fn block(value: &Json, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Json::Object(entries) => {
            for (key, value) in entries {
                let _ = write!(out, "{indent}{}:", text(key));
                after(value, depth + 1, out);
            }
        }
        Json::Array(items) => {
            for item in items {
                if is_block(item) {
                    // The first line of a block stands beside the dash.
                    let start = out.len();
                    block(item, depth + 1, out);
                    out.replace_range(start..start + indent.len() + 2, &format!("{indent}- "));
                } else {
                    let _ = writeln!(out, "{indent}- {}", inline(item));
                }
            }
        }
        value => {
            let _ = writeln!(out, "{indent}{}", inline(value));
        }
    }
}

fn after(value: &Json, depth: usize, out: &mut String) {
    if is_block(value) {
        out.push('\n');
        block(value, depth, out);
    } else {
        let _ = writeln!(out, " {}", inline(value));
    }
}

fn is_block(value: &Json) -> bool {
    match value {
        Json::Object(entries) => !entries.is_empty(),
        Json::Array(items) => items.iter().any(|item| item.is_object() || item.is_array()) || is_long(items),
        _ => false,
    }
}

/// Whether texts are too long to be read in one line.
fn is_long(items: &[Json]) -> bool {
    items.iter().map(|item| item.to_string().len() + 2).sum::<usize>() > 80
}

fn inline(value: &Json) -> String {
    match value {
        Json::String(string) => text(string),
        Json::Array(items) => {
            // In brackets, a comma ends a text.
            let items = items.iter().map(|item| match item.as_str() {
                Some(string) if string.contains(',') => item.to_string(),
                _ => inline(item),
            });
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

/// Writes a text without quotes if no reader of YAML 1.1 or 1.2 takes it for anything else, and otherwise as JSON, which is YAML.
fn text(text: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_inside = |letter: char| is_word(letter) || " ./()-,'`".contains(letter);
    let starts = text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    let has_meaning = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(text));
    if starts && text.chars().all(is_inside) && !text.ends_with(' ') && !has_meaning {
        return text.to_owned();
    }
    Json::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::yaml;
    use crate::paths::SourcePath;
    use serde_json::json;

    #[test]
    fn what_is_printed_is_read_again() {
        let texts = [
            "",
            " ",
            "a",
            "true",
            "No",
            "12",
            "1e3",
            "a: b",
            "a #b",
            "- a",
            "it's",
            "`a`",
            "{{slug}}",
            "2026-12-01",
            "a\nb",
            "\u{85}",
            "ä ö",
            "a, b",
            "null",
            "~",
            "@a",
            "%a",
            "a\\b",
            "\"",
            "*a",
            "&a",
            "!a",
            "|",
            ">",
            "?",
            "=",
            "<<",
            "[a",
            "a]",
            "😀",
        ];
        let value = json!({
            "texts": &texts[..],
            "each": texts.iter().map(|text| json!({ "key": text, "more": { "a": [text] } })).collect::<Vec<_>>(),
            "keys": texts.iter().enumerate().map(|(number, text)| (format!("{text}{number}"), json!(text))).collect::<serde_json::Map<_, _>>(),
            "others": [1, 1.5, true, null, [], {}, [[1, 2], [{ "a": {} }]]],
        });
        let text = print(&value);
        let path = SourcePath::new("a.yaml");
        let node = yaml::parse(&path, &text, 0).unwrap_or_else(|problem| panic!("{problem:?}\n{text}"));
        assert_eq!(node.to_json(), value, "{text}");
    }

    #[test]
    fn texts_have_quotes_only_where_they_need_them() {
        let value = json!({ "label": "News", "hint": "It's `short`, or so", "slug": "{{slug}}", "list": ["a", "b, c"], "of": [{ "a": 1, "b": 2 }] });
        let text = "label: News\nhint: It's `short`, or so\nslug: \"{{slug}}\"\nlist: [a, \"b, c\"]\nof:\n  - a: 1\n    b: 2\n";
        assert_eq!(print(&value), text);
    }
}
