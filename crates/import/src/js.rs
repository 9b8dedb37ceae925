//! Reads what is written as data in configurations that are programs: objects, lists, texts, numbers, `true` and `false`. Nothing
//! is run; what only a program knows is `null`.

use super::data::{Map, Value};

/// The deepest object that is read.
const DEEPEST: usize = 60;

/// The key of the name of a function that is called where a value is: `{ "()": "starlight", "arguments": [ … ] }`.
pub const CALLED: &str = "()";

/// Returns the object of a program that has the most of some keys: what it exports, or gives to `defineConfig`.
pub fn object(program: &str, keys: &[&str]) -> Map {
    let mut reader = Reader { text: program, at: 0, depth: 0 };
    let mut best = Map::new();
    let count = |map: &Map| (keys.iter().filter(|key| map.contains_key(**key)).count(), map.len());
    while reader.at < program.len() {
        let before = program[..reader.at].trim_end();
        reader.skip_blank();
        // Other braces are those of functions, and of `import`.
        let is_value = before.ends_with(['=', '(']) || before.ends_with("default") || before.ends_with("return");
        match reader.next() {
            Some(b'{') if is_value => {
                let found = reader.object();
                if count(&found) > count(&best) {
                    best = found;
                }
            }
            Some(b'\'' | b'"' | b'`') => drop(reader.string()),
            Some(byte) => reader.at += if byte.is_ascii() { 1 } else { reader.letter() },
            None => break,
        }
    }
    best
}

/// Returns a program without its comments.
pub fn uncommented(program: &str) -> String {
    let mut reader = Reader { text: program, at: 0, depth: 0 };
    let mut out = String::with_capacity(program.len());
    while reader.at < program.len() {
        let start = reader.at;
        if reader.comment() {
            out.push(' ');
            continue;
        }
        match reader.next() {
            Some(b'\'' | b'"' | b'`') => drop(reader.string()),
            Some(_) => reader.at += reader.letter(),
            None => break,
        }
        out.push_str(&program[start..reader.at]);
    }
    out
}

/// Returns the arguments of the calls of a function anywhere in a value.
pub fn calls<'v>(value: &'v Value, name: &str) -> Vec<&'v [Value]> {
    match value {
        Value::Array(items) => items.iter().flat_map(|item| calls(item, name)).collect(),
        Value::Object(map) => {
            let own = map.get(CALLED).filter(|own| *own == name).and_then(|_| map.get("arguments")?.as_array());
            own.map(Vec::as_slice).into_iter().chain(map.values().flat_map(|value| calls(value, name))).collect()
        }
        _ => Vec::new(),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The bytes of the letter at the place.
    fn letter(&self) -> usize {
        self.rest().chars().next().map_or(0, char::len_utf8)
    }

    /// Passes a comment, if there is one.
    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let end = match () {
            () if rest.starts_with("//") => rest.find('\n'),
            () if rest.starts_with("/*") => rest.find("*/").map(|end| end + 2),
            () => return false,
        };
        self.at += end.unwrap_or(rest.len());
        true
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.comment() {
                return;
            }
        }
    }

    /// Reads a text in quotes. `None` is one that a program puts together.
    fn string(&mut self) -> Option<String> {
        let quote = self.next()?;
        self.at += 1;
        let (mut out, mut is_known) = (String::new(), true);
        while let Some(letter) = self.rest().chars().next() {
            self.at += letter.len_utf8();
            match letter {
                '\\' => {
                    let escaped = self.rest().chars().next()?;
                    self.at += escaped.len_utf8();
                    match escaped {
                        'n' => out.push('\n'),
                        't' => out.push('\t'),
                        '\n' => {}
                        other => out.push(other),
                    }
                }
                letter if letter == char::from(quote) => return Some(out).filter(|_| is_known),
                '$' if quote == b'`' && self.next() == Some(b'{') => is_known = false,
                // A quotation mark that nothing closes is none.
                '\n' if quote != b'`' => return None,
                letter => out.push(letter),
            }
        }
        None
    }

    /// Reads a name with dots in it.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || "_$.".contains(letter);
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn value(&mut self) -> Value {
        self.skip_blank();
        if self.depth > DEEPEST {
            self.skip_expression();
            return Value::Null;
        }
        let value = match self.next() {
            Some(b'\'' | b'"' | b'`') => self.string().map_or(Value::Null, Value::String),
            Some(b'{') => Value::Object(self.object()),
            Some(b'[') => Value::Array(self.list(b']')),
            Some(byte) if byte.is_ascii_digit() || byte == b'-' => {
                self.at += 1;
                let start = self.at - 1;
                self.word();
                self.text[start..self.at].parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
            }
            Some(byte) if byte.is_ascii_alphabetic() || b"_$".contains(&byte) => match self.word() {
                "true" => true.into(),
                "false" => false.into(),
                name => {
                    self.skip_blank();
                    match self.next() {
                        Some(b'(') => {
                            let arguments = Value::Array(self.list(b')'));
                            Value::Object(Map::from_iter([
                                (CALLED.to_owned(), name.into()),
                                ("arguments".to_owned(), arguments),
                            ]))
                        }
                        _ => Value::Null,
                    }
                }
            },
            _ => Value::Null,
        };
        self.skip_blank();
        let rest = self.rest();
        let is_end = rest.is_empty() || rest.starts_with([',', '}', ']', ')', ';']);
        let is_typed = rest.starts_with("as ") || rest.starts_with("satisfies ");
        if is_end {
            return value;
        }
        // What stands in for a variable that is not set.
        if value.is_null() && (rest.starts_with("||") || rest.starts_with("??")) {
            self.at += 2;
            self.depth += 1;
            let value = self.value();
            self.depth -= 1;
            return value;
        }
        self.skip_expression();
        if is_typed { value } else { Value::Null }
    }

    fn list(&mut self, end: u8) -> Vec<Value> {
        self.at += 1;
        self.depth += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            match self.next() {
                None => break,
                Some(byte) if byte == end => {
                    self.at += 1;
                    break;
                }
                Some(b',') => self.at += 1,
                Some(b'}' | b']' | b')') => break,
                Some(_) => {
                    let start = self.at;
                    items.push(self.value());
                    if self.at == start {
                        self.at += self.letter();
                    }
                }
            }
        }
        self.depth -= 1;
        items
    }

    fn object(&mut self) -> Map {
        self.at += 1;
        self.depth += 1;
        let mut map = Map::new();
        loop {
            self.skip_blank();
            let start = self.at;
            let key = match self.next() {
                None => break,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b']' | b')') => break,
                Some(b',' | b';') => {
                    self.at += 1;
                    continue;
                }
                Some(b'\'' | b'"') => self.string(),
                Some(_) if self.rest().starts_with("...") => None,
                Some(_) => Some(self.word().to_owned()).filter(|word| !word.is_empty()),
            };
            self.skip_blank();
            match key {
                Some(key) if self.next() == Some(b':') => {
                    self.at += 1;
                    let value = self.value();
                    map.entry(key).or_insert(value);
                }
                _ => self.skip_expression(),
            }
            if self.at == start {
                self.at += self.letter();
            }
        }
        self.depth -= 1;
        map
    }

    /// Passes what only a program knows, up to the sign that ends it.
    fn skip_expression(&mut self) {
        let mut open = 0_usize;
        loop {
            self.skip_blank();
            match self.next() {
                None => return,
                Some(b',' | b';') if open == 0 => return,
                Some(b'}' | b']' | b')') if open == 0 => return,
                Some(b'}' | b']' | b')') => open -= 1,
                Some(b'{' | b'[' | b'(') => open += 1,
                Some(b'\'' | b'"' | b'`') => {
                    self.string();
                    continue;
                }
                Some(_) => {}
            }
            self.at += self.letter();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn data_is_read_and_comments_and_code_are_not() {
        let program = "import x from 'y';\n// const config = { url: 'https://wrong' };\n/* { url: 'no' } */\n\
            const config: Config = {\n  // url: 'https://wrong',\n  title: process.env.T || 'Real',\n  url: 'https://a.test', // b: 1\n\
            'baseUrl': \"/docs/\", n: -2, on: true, off: false, list: ['a', b, `c`, `${d}`],\n  make() { return { url: 1 }; },\n\
            call: plugin({ a: 'it\\'s' }), fn: (x) => ({ y: x }), inner: { a: 1 } satisfies X, ...rest, short,\n};\nexport default config;";
        let expected = json!({
            "title": "Real", "url": "https://a.test", "baseUrl": "/docs/", "n": -2, "on": true, "off": false,
            "list": ["a", null, "c", null], "call": { "()": "plugin", "arguments": [{ "a": "it's" }] }, "fn": null,
            "inner": { "a": 1 },
        });
        assert_eq!(Value::Object(object(program, &["url", "title"])), expected);
        assert_eq!(uncommented("a // b\n'// c' /* d */ e"), "a  \n'// c'   e");
        let nested =
            object("export default defineConfig({ integrations: [starlight({ title: 'A' })] })", &["integrations"]);
        assert_eq!(calls(&Value::Object(nested), "starlight"), [[json!({ "title": "A" })]]);
    }

    #[test]
    fn any_program_is_read() {
        for piece in ["{", "[", "(", "}", "a: ", "a: {", "'", "`${", "//", "/*", "é:", "{a:[", "...", "a(", "{ x", "{}"]
        {
            object(&piece.repeat(5_000), &["a"]);
            uncommented(&piece.repeat(5_000));
        }
    }
}
