//! Colours CSS.
//!
//! The syntax of `two-face` knows no rules in rules, no cascade layers and no container queries, and takes what is in them for
//! something else.

use super::classes::Class;

/// Where in a stylesheet the text is, line by line.
#[derive(Default)]
pub struct Css {
    place: Place,
    is_in_comment: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// Where a rule or a declaration begins.
    #[default]
    Start,
    AtRule,
    Selector,
    /// In the name of a declaration.
    Name,
    Value,
}

/// Words of the conditions of at-rules.
const CONDITIONS: [&str; 7] = ["and", "from", "not", "only", "or", "selector", "to"];

impl Css {
    /// Returns the pieces of a line, each with its class.
    pub fn pieces<'t>(&mut self, line: &'t str) -> Vec<(&'t str, Option<Class>)> {
        let mut pieces = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (length, class) = self.piece(rest);
            let (piece, after) = rest.split_at(length);
            pieces.push((piece, class));
            rest = after;
        }
        pieces
    }

    /// Returns the length of the first piece of a text, and its class.
    fn piece(&mut self, text: &str) -> (usize, Option<Class>) {
        let first = text.chars().next().unwrap_or_default();
        if self.is_in_comment || text.starts_with("/*") {
            let begin = if self.is_in_comment { 0 } else { 2 };
            let end = text[begin..].find("*/").map(|end| begin + end + 2);
            self.is_in_comment = end.is_none();
            return (end.unwrap_or(text.len()), Some(Class::Comment));
        }
        if first.is_whitespace() {
            return (first.len_utf8(), None);
        }
        if matches!(first, '{' | '}' | ';') {
            self.place = Place::Start;
            return (1, None);
        }
        if self.place == Place::Start {
            self.place = begin(text);
        }
        if matches!(first, '"' | '\'') {
            return (quoted(text), Some(Class::String));
        }
        match self.place {
            Place::Selector => in_selector(text),
            Place::Name if first == ':' => {
                self.place = Place::Value;
                (1, None)
            }
            Place::Name => (name(text).max(first.len_utf8()), Some(Class::Property)),
            Place::AtRule => match word(text) {
                (length, Some(Class::Constant)) if text[length..].starts_with(':') => (length, Some(Class::Property)),
                (length, Some(Class::Constant)) if CONDITIONS.contains(&&text[..length]) => {
                    (length, Some(Class::Keyword))
                }
                (length, class) => (length, class.filter(|class| *class != Class::Constant)),
            },
            Place::Start | Place::Value => word(text),
        }
    }
}

/// Returns what begins with a text: up to its first brace or semicolon, or to the end of the line, it is a rule or a declaration.
fn begin(text: &str) -> Place {
    if text.starts_with('@') {
        return Place::AtRule;
    }
    let name = name(text);
    let is_named = name > 0 && text[name..].trim_start().starts_with(':');
    match text.find(['{', '}', ';']).map(|end| text.as_bytes()[end]) {
        Some(b'{') => Place::Selector,
        None if is_named && !text[name..].starts_with(": ") && text[name..].trim() != ":" => Place::Selector,
        _ if is_named => Place::Name,
        _ => Place::Selector,
    }
}

/// Returns the length of the name at the begin of a text.
fn name(text: &str) -> usize {
    let is_of_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '\\') || !sign.is_ascii();
    text.find(|sign| !is_of_name(sign)).unwrap_or(text.len())
}

/// Returns the length of a text in quotes, or of all of it if they are not closed in this line.
fn quoted(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn in_selector(text: &str) -> (usize, Option<Class>) {
    let first = text.chars().next().unwrap_or_default();
    let signs = match first {
        '.' | '#' | '[' => 1,
        ':' => 1 + usize::from(text[1..].starts_with(':')),
        _ => 0,
    };
    let length = signs + name(&text[signs..]);
    match signs {
        0 if first.is_ascii_digit() => word(text),
        0 if length == 0 => (first.len_utf8(), None),
        0 => (length, Some(Class::Tag)),
        _ => (length, (length > signs).then_some(Class::Attribute)),
    }
}

/// Returns the first word of a value.
fn word(text: &str) -> (usize, Option<Class>) {
    let first = text.chars().next().unwrap_or_default();
    let sign = usize::from(matches!(first, '+' | '-' | '.' | '#' | '@' | '!'));
    let length = sign + name(&text[sign..]);
    let is_number = text[sign..].trim_start_matches('.').starts_with(|next: char| next.is_ascii_digit());
    match first {
        '@' | '!' => (length, Some(Class::Keyword)),
        '#' => (length, Some(Class::Number)),
        _ if text.starts_with("--") => (name(text), Some(Class::Property)),
        _ if is_number => {
            let is_of_number = |next: char| next.is_alphanumeric() || matches!(next, '.' | '%');
            let end = text[sign..].find(|next| !is_of_number(next));
            (end.map_or(text.len(), |end| sign + end), Some(Class::Number))
        }
        _ if text.starts_with("url(") && !text[4..].starts_with(['"', '\'']) => {
            (text.find(')').map_or(text.len(), |end| end + 1), Some(Class::String))
        }
        _ if name(text) == 0 => (first.len_utf8(), None),
        _ if text[length..].starts_with('(') => (length, Some(Class::Function)),
        _ => (name(text), Some(Class::Constant)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes pieces that have a class with the first letters of it: `col:red`.
    fn shown(lines: &str) -> String {
        let mut css = Css::default();
        let line = |line: &str| -> String {
            let pieces = css.pieces(line);
            assert_eq!(pieces.iter().map(|(piece, _)| *piece).collect::<String>(), line);
            let shown = |(piece, class): (&str, Option<Class>)| {
                class.map_or(piece.to_owned(), |class| format!("{}:{piece}", &class.name()[3..6]))
            };
            pieces.into_iter().map(shown).collect()
        };
        lines.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn rules_in_rules_are_rules() {
        assert_eq!(
            shown("@layer base {\n  .a > li:hover::before, [data-x=\"y\"]:not(#b) { color-scheme: light dark }\n}"),
            "key:@layer base {\n  att:.a > tag:liatt::hoveratt:::before, att:[data-x=str:\"y\"]att::not(att:#b) \
             { pro:color-scheme: con:light con:dark }\n}"
        );
        assert_eq!(
            shown("a:hover,\nb {\n  gap: 1.5rem -2px;\n  & p { x: y }\n}\n50% { top: 0 }"),
            "tag:aatt::hover,\ntag:b {\n  pro:gap: num:1.5rem num:-2px;\n  & tag:p { pro:x: con:y }\n}\nnum:50% \
             { pro:top: num:0 }"
        );
    }

    #[test]
    fn conditions_and_values_are_known() {
        assert_eq!(
            shown("@media (min-width: 40rem) and (width < 3em) { }\n@import \"x.css\" layer(base);"),
            "key:@media (pro:min-width: num:40rem) key:and (width < num:3em) { }\nkey:@import str:\"x.css\" fun:layer(base);"
        );
        assert_eq!(
            shown("a { --x: light-dark(#fff, var(--y)) !important; src: url(a;b) format('{'),\n  x; }"),
            "tag:a { pro:--x: fun:light-dark(num:#fff, fun:var(pro:--y)) key:!important; pro:src: str:url(a;b) \
             fun:format(str:'{'),\n  con:x; }"
        );
    }

    #[test]
    fn anything_is_divided_into_pieces() {
        assert_eq!(shown("/* a\n b */ c"), "com:/* a\ncom: b */ tag:c");
        for odd in
            ["", "::", "[", "a:", "a: -", "@", "# . !", "\"", "ä { ö: 'ü\\", "a { url(", "--", "a{b:c}d", "}}", "/*"]
        {
            shown(odd);
        }
    }
}
