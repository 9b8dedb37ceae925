//! Reads YAML, TOML and JSON of other generators into one form, and writes YAML.

pub use serde_json::{Map as JsonMap, Value};

/// Keys in the order in which they are written.
pub type Map = JsonMap<String, Value>;

/// A format of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

impl Syntax {
    /// Returns the format of a file by its name.
    pub fn of(path: &str) -> Option<Self> {
        match super::old::extension(path).as_str() {
            "yaml" | "yml" => Some(Syntax::Yaml),
            "toml" => Some(Syntax::Toml),
            "json" => Some(Syntax::Json),
            _ => None,
        }
    }
}

/// Reads data. The error is a line for people.
pub fn parse(text: &str, syntax: Syntax) -> Result<Value, String> {
    let one_line = |error: &dyn std::fmt::Display| {
        let text = error.to_string();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    };
    match syntax {
        Syntax::Json => serde_json::from_str(text).map_err(|error| one_line(&error)),
        Syntax::Toml => text.parse::<toml::Table>().map(|table| of_toml(toml::Value::Table(table))).map_err(|error| {
            let at = error.span().map_or(0, |span| text.get(..span.start).map_or(0, |before| before.lines().count()));
            format!("line {}: {}", at.max(1), error.message())
        }),
        Syntax::Yaml if text.trim().is_empty() => Ok(Value::Object(Map::new())),
        Syntax::Yaml => {
            // `no`, `on` and `y` are words: the readers of Hugo, Docusaurus and Starlight take them for nothing else.
            let options = serde_yaml::options! {
                duplicate_keys: serde_yaml::DuplicateKeyPolicy::LastWins,
                strict_booleans: true,
            };
            serde_yaml::from_str_with_options(text, options).map_err(|error| one_line(&error))
        }
    }
}

/// Reads data that is a map.
pub fn parse_map(text: &str, syntax: Syntax) -> Result<Map, String> {
    match parse(text, syntax)? {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        _ => Err("this is no map of keys".to_owned()),
    }
}

fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(is) => is.into(),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(of_toml).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (key, of_toml(value))).collect())
        }
    }
}

/// A text and the keys before it.
#[derive(Debug)]
pub struct Document<'t> {
    pub keys: Map,
    /// The text after them.
    pub body: &'t str,
}

/// Front matter that cannot be read.
#[derive(Debug)]
pub struct Unreadable<'t> {
    /// A line for people.
    pub reason: String,
    /// The text after it, as far as it is known where that begins.
    pub body: &'t str,
}

/// Takes front matter off a text: YAML between `---`, TOML between `+++`, or a JSON object.
pub fn split(text: &str) -> Result<Document<'_>, Unreadable<'_>> {
    let fenced = |fence: &str| -> Option<(&str, &str)> {
        let rest = text.strip_prefix(fence)?;
        let first = rest.split_inclusive('\n').next()?;
        first.trim().is_empty().then_some(())?;
        let rest = &rest[first.len()..];
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim_end() == fence {
                return Some((&rest[..at], &rest[at + line.len()..]));
            }
            at += line.len();
        }
        None
    };
    let found = fenced("---").map(|parts| (parts, Syntax::Yaml)).or(fenced("+++").map(|parts| (parts, Syntax::Toml)));
    if let Some(((front, body), syntax)) = found {
        let keys = parse_map(front, syntax).map_err(|reason| Unreadable { reason, body })?;
        return Ok(Document { keys, body });
    }
    if ["---", "+++"].iter().any(|fence| text.lines().next().is_some_and(|line| line.trim_end() == *fence)) {
        return Err(Unreadable { reason: "it has no end".to_owned(), body: text });
    }
    // Hugo ends JSON front matter at the brace that closes it.
    if text.starts_with('{') && !text.starts_with("{{") && !text.starts_with("{%") {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let is_json = || {
            let (name, _) =
                text[1..].trim_start().strip_prefix('"')?.split_once('"').map(|(name, rest)| (rest, name))?;
            name.trim_start().strip_prefix(':')
        };
        match values.next() {
            Some(Ok(Value::Object(keys))) => {
                let body = &text[values.byte_offset()..];
                return Ok(Document { keys, body });
            }
            Some(Err(error)) if is_json().is_some() => {
                return Err(Unreadable { reason: error.to_string(), body: "" });
            }
            _ => {}
        }
    }
    Ok(Document { keys: Map::new(), body: text })
}

/// Writes a map as YAML in blocks.
pub fn yaml(map: &Map) -> String {
    let mut out = String::new();
    write_map(map, 0, &mut out);
    out
}

fn write_map(map: &Map, indent: usize, out: &mut String) {
    for (key, value) in map {
        let space = " ".repeat(indent);
        out.push_str(&format!("{space}{}:", scalar(&Value::String(key.clone()))));
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                out.push('\n');
                write_map(inner, indent + 2, out);
            }
            Value::Array(items) if !is_short(items) => {
                out.push('\n');
                items.iter().for_each(|item| out.push_str(&format!("{space}  - {}\n", flow(item))));
            }
            other => out.push_str(&format!(" {}\n", flow(other))),
        }
    }
}

/// Whether a list fits into a line.
fn is_short(items: &[Value]) -> bool {
    let is_plain = items.iter().all(|item| !item.is_object() && !item.is_array());
    is_plain && items.iter().map(|item| scalar(item).len() + 2).sum::<usize>() < 90
}

/// Writes a value in one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let pair =
                |(key, value): (&String, &Value)| format!("{}: {}", scalar(&Value::String(key.clone())), flow(value));
            format!("{{ {} }}", map.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        other => scalar(other),
    }
}

/// Writes a text, number, `true`, `false` or `null`. Texts without quotes are those that no reader of YAML takes for anything
/// else, in a flow collection either.
fn scalar(value: &Value) -> String {
    let Value::String(text) = value else { return value.to_string() };
    let is_word = |letter: char| letter.is_alphanumeric() || " .-_/".contains(letter) || letter == '\'';
    let begins = text.starts_with(|letter: char| letter.is_alphabetic() || letter == '/');
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    let is_reserved = reserved.contains(&text.to_lowercase().as_str());
    if begins && !text.ends_with(' ') && text.chars().all(is_word) && !is_reserved && !text.contains("  ") {
        return text.clone();
    }
    let mut quoted = serde_json::Value::from(text.as_str()).to_string();
    // JSON leaves some characters that YAML does not allow or that end lines there.
    for letter in ['\u{7f}', '\u{85}', '\u{2028}', '\u{2029}', '\u{feff}'] {
        quoted = quoted.replace(letter, &format!("\\u{:04x}", letter as u32));
    }
    quoted.replace("{{", "\\\\{{")
}

/// Returns a text of a map.
pub fn text<'m>(map: &'m Map, key: &str) -> Option<&'m str> {
    map.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Returns a value of a map as a text: also a number, as people write titles such as `2024`.
pub fn word(map: &Map, key: &str) -> Option<String> {
    word_of(map.get(key)?)
}

/// Returns a value as a text, if it is one, a number, `true` or `false`.
pub fn word_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        // `007` is 7, and so are its readers in all generators.
        Value::Number(number) => Some(number.to_string().trim_end_matches(".0").to_owned()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    }
}

/// Returns the texts of a list, or the one text that stands for it.
pub fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(word_of).collect(),
        other => word_of(other).into_iter().collect(),
    }
}

/// Returns a map of a map.
pub fn map<'m>(map: &'m Map, key: &str) -> Option<&'m Map> {
    map.get(key)?.as_object()
}

/// Reads `true` or `false`, also in the words of old readers of YAML: what such a word hides stays hidden.
pub fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is) => Some(*is),
        Value::String(word) => match word.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" | "t" | "1" => Some(true),
            "false" | "no" | "off" | "n" | "f" | "0" => Some(false),
            _ => None,
        },
        Value::Number(number) => match number.as_i64() {
            Some(number @ (0 | 1)) => Some(number == 1),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a key is `true`.
pub fn is_true(map: &Map, key: &str) -> bool {
    map.get(key).and_then(truth) == Some(true)
}

/// Whether a key is `false`.
pub fn is_false(map: &Map, key: &str) -> bool {
    map.get(key).and_then(truth) == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_of_all_three_syntaxes_is_taken_off() {
        for text in ["---\ntitle: A\n---\nB", "+++\ntitle = 'A'\n+++\nB", "{ \"title\": \"A\" }\nB"] {
            let document = split(text).unwrap();
            assert_eq!((text_of(&document.keys), document.body.trim()), ("A", "B"), "{text}");
        }
        assert_eq!(split("# Title\n---\nx").unwrap().keys, Map::new());
        assert!(split("---\na: [\n---\n").is_err());
        assert!(split(&format!("---\na: {}\n---\n", "[".repeat(100_000))).is_err());
        assert!(split(&format!("+++\na = {}\n+++\n", "[".repeat(100_000))).is_err());
        for text in [&"{\"a\":".repeat(100_000), "{\n  \"a\": x\n}\n", "+++\na = 1\n", "---\na: 1\n"] {
            assert!(split(text).is_err(), "what cannot be read is no text that somebody may publish");
        }
        for text in ["{\"b\"} {c}", "{% x %}", "-- \na\n"] {
            assert_eq!(split(text).unwrap().body, text);
        }
    }

    #[test]
    fn words_of_yaml_stay_words() {
        let keys = parse_map("title: No\ntags: [no, On, 007, y, true]\ndraft: yes\n", Syntax::Yaml).unwrap();
        assert_eq!(word(&keys, "title").as_deref(), Some("No"));
        assert_eq!(words(&keys["tags"]), ["no", "On", "7", "y", "true"]);
        assert!(is_true(&keys, "draft"), "a draft stays one");
    }

    fn text_of(map: &Map) -> &str {
        text(map, "title").unwrap()
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let value = serde_json::json!({
            "title": "A: b # c", "no": "no", "number": "1.10", "braces": "a {{ b }}", "list": ["a, b", 3, true, "x"],
            "deep": { "a b": { "c": null, "d": [] }, "menu": [{ "text": "A", "path": "/a" }] }, "lines": "a\nb\u{2028}",
            "empty": "", "quote": "it's \"x\"", "dash": "- a", "date": "2020-01-01", "tilde": "~", "star": "*a",
        });
        let written = yaml(value.as_object().unwrap());
        let mut read = parse(&written, Syntax::Yaml).unwrap();
        // The engine reads a backslash before braces as such.
        read["braces"] = "a {{ b }}".into();
        assert_eq!(read, value, "{written}");
    }
}
