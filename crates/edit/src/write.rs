//! Writes a single value in a format, in the way that another one was written where that is possible.
//!
//! Each function returns candidates, the best first. Which of them is right is not decided here: the file is read again with
//! each until one gives what is meant.

use super::tree::{Scalar, Style};
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::Value;

/// What surrounds a value.
#[derive(Clone, Copy, Debug)]
pub struct Around<'t> {
    /// Whether it is in brackets of YAML.
    pub is_flow: bool,
    /// Whether it is a key.
    pub is_key: bool,
    /// How lines of the file end.
    pub line_end: &'t str,
    /// What separates the cells of a table.
    pub separator: u8,
    /// A value of YAML as it is written, with its header if it is a block.
    pub written: &'t str,
}

/// Returns ways to write a value of a format in place of another.
pub fn candidates(syntax: Syntax, value: &Value, old: &Scalar, around: Around) -> Vec<String> {
    let text = match value {
        Value::Text(text) => text,
        Value::Null if syntax == Syntax::Toml => return Vec::new(),
        Value::Null => return vec!["null".to_owned()],
        Value::Bool(value) => return vec![value.to_string()],
        Value::Integer(number) => return vec![number.to_string()],
        Value::Float(number) => return vec![number.to_string(), format!("{number:?}")],
        Value::List(_) | Value::Map(_) => return Vec::new(),
    };
    match syntax {
        Syntax::Yaml => yaml(text, old, around),
        Syntax::Json => vec![json(text)],
        Syntax::Toml => toml(text, old.style, around),
        Syntax::Csv => csv(text, old.style, around),
    }
}

fn yaml(text: &str, old: &Scalar, around: Around) -> Vec<String> {
    let mut all = Vec::new();
    let is_line = !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) && !text.chars().any(char::is_control);
    let plain = (is_line && is_plain(text, around)).then(|| text.to_owned());
    let single = is_line.then(|| format!("'{}'", text.replace('\'', "''")));
    let double = quoted(text);
    match old.style {
        Style::Single => all.extend(single),
        Style::Double => {}
        Style::Literal => all.extend(block('|', text, old, around)),
        Style::Folded => {
            all.extend(block('>', text, old, around));
            all.extend(block('|', text, old, around));
        }
        _ => {
            all.extend(plain);
            // As messages propose it.
            all.extend(single.filter(|_| text.contains(['"', '\\'])));
        }
    }
    all.push(double);
    all
}

/// Writes a text in double quotes, with the escapes that YAML and TOML have in common (YAML 1.2.2, section 5.7; TOML 1.0, "String").
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{85}' | '\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                out.push_str(&format!("\\u{:04X}", u32::from(letter)));
            }
            letter if letter.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Whether YAML reads a text without quotes as this text, and other programs do too (YAML 1.2.2, section 7.3.3, and the words and
/// numbers of YAML 1.1).
fn is_plain(text: &str, around: Around) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let mut rest = text.chars().skip(1);
    let begins = match first {
        '-' | '?' | ':' => rest.next().is_some_and(|next| !next.is_whitespace() && !",[]{}".contains(next)),
        '.' => rest.next().is_some_and(|next| !next.is_ascii_digit() && next != '.' && !text.starts_with(".inf")),
        first => !",[]{}#&*!|>'\"%@`~=<+".contains(first) && !first.is_ascii_digit() || is_day(text),
    };
    let has_end = text.contains(": ") || text.contains(" #") || text.contains(":\t") || text.contains("\t#");
    let in_brackets = (around.is_flow || around.is_key) && text.contains([',', '[', ']', '{', '}', ':']);
    let is_word = |word: &str| {
        ["true", "false", "null", "yes", "no", "on", "off", "y", "n", ".nan", ".inf"].contains(&word)
            || word.starts_with("-.")
            || word.starts_with('-') && word.chars().nth(1).is_some_and(|next| next.is_ascii_digit())
    };
    let is_bare = !text.starts_with(char::is_whitespace) && !text.ends_with(char::is_whitespace);
    begins && is_bare && !has_end && !text.ends_with(':') && !in_brackets && !is_word(&text.to_ascii_lowercase())
}

/// `2026-05-04`, which is a text for the engine, with or without quotes.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &&str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(&parts[..], [year, month, day] if is_number(year, 4) && is_number(month, 2) && is_number(day, 2))
}

/// Writes a block of text of YAML after its header (YAML 1.2.2, section 8.1), with the comment of the old header.
fn block(sign: char, text: &str, old: &Scalar, around: Around) -> Option<String> {
    let header = around.written.lines().next()?;
    let indicator: String =
        header.chars().skip(1).take_while(|letter| letter.is_ascii_digit() || "+-".contains(*letter)).collect();
    let after = &header[1 + indicator.len()..];
    let digits: String = indicator.chars().filter(char::is_ascii_digit).collect();
    let body = text.trim_end_matches('\n');
    let ends = text.len() - body.len();
    // What no line of a block can have, or what would be read as indentation.
    if body.is_empty() || digits.is_empty() && body.starts_with([' ', '\n']) || text.contains(['\r', '\u{feff}']) {
        return None;
    }
    let chomp = match ends {
        0 => "-",
        1 => "",
        _ => "+",
    };
    let indent = " ".repeat(old.indent);
    let lines = body.split('\n').map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") });
    let between = if sign == '>' { around.line_end.repeat(2) } else { around.line_end.to_owned() };
    let lines: Vec<String> = lines.collect();
    let tail = around.line_end.repeat(ends.max(1));
    Some(format!("{sign}{digits}{chomp}{}{}{}{tail}", after.trim_end(), around.line_end, lines.join(&between)))
}

/// Writes a text of JSON.
pub fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn toml(text: &str, old: Style, around: Around) -> Vec<String> {
    let is_line = !text.chars().any(|letter| letter.is_control() && letter != '\t');
    let bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let mut all = Vec::new();
    if around.is_key {
        all.extend((old == Style::Plain && !text.is_empty() && text.chars().all(bare)).then(|| text.to_owned()));
    } else if old == Style::Plain {
        // A date is a text of the engine, and is written without quotes.
        all.push(text.to_owned());
    }
    all.extend((old == Style::Single && is_line && !text.contains('\'')).then(|| format!("'{text}'")));
    let is_lines = !text.chars().any(|letter| letter.is_control() && !"\t\n".contains(letter));
    if old == Style::Triple && is_lines {
        let quote = around.written.get(..3).unwrap_or("\"\"\"");
        let escaped = match quote {
            "'''" if text.contains("'''") || text.ends_with('\'') => None,
            "'''" => Some(text.to_owned()),
            _ => Some(text.replace('\\', "\\\\").replace('"', "\\\"")),
        };
        let first = if text.contains('\n') { around.line_end } else { "" };
        all.extend(escaped.map(|text| format!("{quote}{first}{}{quote}", text.replace('\n', around.line_end))));
    }
    all.push(quoted(text));
    all
}

fn csv(text: &str, old: Style, around: Around) -> Vec<String> {
    let needs_quotes = text.contains(['"', '\n', '\r']) || text.as_bytes().contains(&around.separator);
    let quoted = format!("\"{}\"", text.replace('"', "\"\""));
    let mut all = Vec::new();
    if old != Style::Double && !needs_quotes {
        all.push(text.to_owned());
    }
    all.push(quoted);
    all
}
