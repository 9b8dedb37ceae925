//! Calls of components in Markdown, written as in templates: `{{ <video id="abc" /> }}`, and `{% <note kind="tip"> %}`
//! … `{% </note> %}` around text.
//!
//! An argument is a text in quotes, or in braces a number, `true`, `false`, a list of these, or the path of a value such
//! as `site.email`. There is nothing else: no sums, no filters, no conditions.

use super::reference::{self, Reference};
use super::yaml::Value;
use sitegen_core::diagnostics::{Place, Span};
use std::ops::Range;

/// A call in a rendered body.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Call {
    /// The name of the component.
    pub component: String,
    /// Its arguments in the order in which they are written.
    pub arguments: Vec<Argument>,
    /// The part of the HTML that is the body of the component. Empty where the component is inserted, for one without a
    /// body.
    pub range: Range<usize>,
    /// Whether it has a body.
    pub has_body: bool,
    /// The tag of the call in its file.
    pub place: Place,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value: a text, a number, a truth value or a list of these.
    pub value: Value,
    /// Where it is written, in the file.
    pub place: Place,
}

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `{{ <name /> }}`
    Alone,
    /// `{% <name> %}`
    Open,
    /// `{% </name> %}`
    Close,
}

/// A tag of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag<'t> {
    /// What it does.
    pub kind: Kind,
    /// The name of the component.
    pub component: &'t str,
    /// The arguments: name, value, and the bytes of both in the text.
    pub arguments: Vec<(&'t str, Written<'t>, Span)>,
}

/// The value of an argument as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Written<'t> {
    /// A value.
    Literal(Value),
    /// The path of a value, such as `site.email`.
    Path(&'t str),
}

/// What is wrong with a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// What is wrong, in words.
    pub detail: String,
    /// Where.
    pub span: Span,
}

/// Reads the tag of a call at `start`, which is the offset of a `{`, and returns it with the offset of its end. `None`
/// if there is something else.
pub fn read(text: &str, start: usize) -> Option<(Result<Tag<'_>, Mistake>, usize)> {
    let rest = &text[start..];
    let closing = match () {
        () if rest.starts_with("{{") => "}}",
        () if rest.starts_with("{%") => "%}",
        () => return None,
    };
    let mut reader = Reader { text, at: start + 2 };
    reader.skip_space();
    if !reader.take("<") {
        return None;
    }
    let tag = reader.tag(closing);
    let end = match &tag {
        Ok(_) => reader.at,
        // What is skipped after a mistake: the rest of the tag, or of the line. Whichever comes first, so that no part
        // of a long line is searched twice.
        Err(_) => {
            let bytes = text.as_bytes();
            let is_closing = |at: usize| bytes[at..].starts_with(closing.as_bytes());
            let mut ends = memchr::memchr2_iter(closing.as_bytes()[0], b'\n', &bytes[start..]).map(|at| start + at);
            let end = ends.find(|at| bytes[*at] == b'\n' || is_closing(*at)).unwrap_or(text.len());
            if end < text.len() && is_closing(end) { end + closing.len() } else { end }
        }
    };
    Some((tag, end))
}

/// Returns the references and tags of calls in a text, in order. A backslash before a reference makes it plain text.
pub fn all(text: &str) -> impl Iterator<Item = (Reference<'_>, Option<Result<Tag<'_>, Mistake>>)> {
    let mut from = 0;
    let mut braces = memchr::memchr_iter(b'{', text.as_bytes());
    std::iter::from_fn(move || {
        loop {
            let start = braces.next()?;
            if start < from {
                continue;
            }
            let (reference, tag) = match read(text, start) {
                Some((tag, end)) => {
                    (Reference { path: &text[start..end], span: Span { start, end }, is_closed: true }, Some(tag))
                }
                None if text[start..].starts_with("{{") => (reference::at(text, start), None),
                None => continue,
            };
            from = reference.span.end;
            if !text[..start].ends_with('\\') {
                return Some((reference, tag));
            }
        }
    })
}

/// Reads `name="value"` and `name={value}` until the end of a span.
pub fn attributes(text: &str, span: Span) -> Result<Vec<(&str, Written<'_>, Span)>, Mistake> {
    let mut reader = Reader { text: &text[..span.end], at: span.start };
    let arguments = reader.arguments(false)?;
    if reader.rest().is_empty() { Ok(arguments) } else { reader.mistake(ATTRIBUTE, reader.at) }
}

const ATTRIBUTE: &str = "write arguments like `title=\"Our brewery\"`";

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space. A line that is empty ends a paragraph, so no tag goes on after one.
    fn skip_space(&mut self) {
        let mut lines = 0;
        for byte in self.rest().bytes() {
            match byte {
                b'\n' if lines == 1 => return,
                b'\n' => lines += 1,
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn take(&mut self, expected: &str) -> bool {
        let is_there = self.rest().starts_with(expected);
        if is_there {
            self.at += expected.len();
        }
        is_there
    }

    fn name(&mut self) -> &'t str {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
        let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn mistake<T>(&self, detail: &str, from: usize) -> Result<T, Mistake> {
        let length = self.text[from..].chars().next().map_or(0, char::len_utf8);
        let end = self.at.max(from + length);
        Err(Mistake { detail: detail.to_owned(), span: Span { start: from, end } })
    }

    fn tag(&mut self, closing: &str) -> Result<Tag<'t>, Mistake> {
        let is_pair = closing == "%}";
        let is_end = is_pair && self.take("/");
        let from = self.at;
        let component = self.name();
        if component.is_empty() {
            return self.mistake("a component name must follow `<`", from);
        }
        let arguments = self.arguments(is_end)?;
        let from = self.at;
        let ending = if is_pair { ">" } else { "/>" };
        let is_closed = self.take(ending) && {
            self.skip_space();
            self.take(closing)
        };
        if !is_closed {
            let other = match is_pair {
                true => format!("the tag ends with `> {closing}`"),
                false => format!("the tag ends with `/> {closing}`; one around text is `{{% <{component}> %}}`"),
            };
            return self.mistake(&other, from.min(self.text.len()));
        }
        let kind = match (is_pair, is_end) {
            (false, _) => Kind::Alone,
            (true, false) => Kind::Open,
            (true, true) => Kind::Close,
        };
        Ok(Tag { kind, component, arguments })
    }

    /// Reads the arguments of a tag.
    fn arguments(&mut self, is_end: bool) -> Result<Vec<(&'t str, Written<'t>, Span)>, Mistake> {
        let mut arguments: Vec<(&str, Written, Span)> = Vec::new();
        loop {
            self.skip_space();
            let from = self.at;
            if self.rest().starts_with(['/', '>', '}', '%']) || self.rest().is_empty() {
                return Ok(arguments);
            }
            let name = self.name();
            if name.is_empty() {
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                return self.mistake(ATTRIBUTE, from);
            }
            if is_end {
                return self.mistake("a closing tag cannot have arguments", from);
            }
            if arguments.iter().any(|(other, ..)| *other == name) {
                return self.mistake(&format!("the argument `{name}` is given twice"), from);
            }
            self.skip_space();
            if !self.take("=") {
                return self.mistake(&format!("write the value of `{name}`, like `{name}={{true}}`"), from);
            }
            self.skip_space();
            let value = self.argument(name)?;
            arguments.push((name, value, Span { start: from, end: self.at }));
        }
    }

    fn argument(&mut self, name: &str) -> Result<Written<'t>, Mistake> {
        let from = self.at;
        if self.rest().starts_with(['"', '\'']) {
            return self.quoted().map(Written::Literal);
        }
        if !self.take("{") {
            self.name();
            let written = &self.text[from..self.at];
            return self.mistake(&format!("write `{name}=\"{written}\"`, or a number as `{name}={{3}}`"), from);
        }
        self.skip_space();
        let value = self.value()?;
        self.skip_space();
        if !self.take("}") {
            let from = self.at;
            return self.mistake("write one value in braces: a number, `true`, `false`, a list or a path", from);
        }
        Ok(value)
    }

    fn value(&mut self) -> Result<Written<'t>, Mistake> {
        let from = self.at;
        if self.rest().starts_with(['"', '\'']) {
            return self.quoted().map(Written::Literal);
        }
        if self.take("[") {
            return self.list().map(Written::Literal);
        }
        let sign = if self.take("-") { "-" } else { "" };
        let word = self.name();
        let literal = match word {
            "true" if sign.is_empty() => Some(Value::Bool(true)),
            "false" if sign.is_empty() => Some(Value::Bool(false)),
            _ if word.starts_with(|letter: char| letter.is_ascii_digit()) => {
                let number = &self.text[from..self.at];
                let whole = number.parse().ok().map(Value::Integer);
                // `1e400` is a number that no page can show.
                whole.or_else(|| number.parse().ok().filter(|float: &f64| float.is_finite()).map(Value::Float))
            }
            _ if !word.is_empty() && sign.is_empty() => return Ok(Written::Path(word)),
            _ => None,
        };
        match literal {
            Some(literal) => Ok(Written::Literal(literal)),
            None => self.mistake("write one value in braces: a number, `true`, `false`, a list or a path", from),
        }
    }

    fn list(&mut self) -> Result<Value, Mistake> {
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.take("]") {
                return Ok(Value::List(items));
            }
            let from = self.at;
            match self.value()? {
                Written::Literal(Value::List(_)) | Written::Path(_) => {
                    return self.mistake("a list has texts, numbers, `true` and `false`", from);
                }
                Written::Literal(value) => {
                    items.push(super::yaml::Node { value, span: Span { start: from, end: self.at } });
                }
            }
            self.skip_space();
            if !self.take(",") && !self.rest().starts_with(']') {
                let from = self.at;
                return self.mistake("the items of a list are separated by commas, and `]` ends it", from);
            }
        }
    }

    /// Reads a text in quotes. A backslash stands before a quote or a backslash that belongs to it.
    fn quoted(&mut self) -> Result<Value, Mistake> {
        let from = self.at;
        let quote = self.rest().chars().next().unwrap_or('"');
        let mut value = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if letter == quote => {
                    self.at += at + letter.len_utf8();
                    return Ok(Value::Text(value));
                }
                '\n' => break,
                '\\' => match letters.next() {
                    Some((_, escaped @ ('"' | '\'' | '\\'))) => value.push(escaped),
                    Some((_, other)) => value.extend(['\\', other]),
                    None => break,
                },
                letter => value.push(letter),
            }
        }
        self.mistake("the text in quotes does not end on its line", from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Tag<'_> {
        let (tag, end) = read(text, 0).expect("a tag of a call");
        assert_eq!(end, text.len(), "{text}");
        tag.unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"))
    }

    #[test]
    fn arguments_are_values_and_nothing_more() {
        let read =
            tag(r#"{{ <video id="a }} \"b\"" start={-3} wide={true} tags={["x", 2]} by={site.name} r={0.5} /> }}"#);
        assert_eq!((read.kind, read.component), (Kind::Alone, "video"));
        let values: Vec<_> = read.arguments.iter().map(|(name, value, _)| (*name, value)).collect();
        let literal = Written::Literal;
        assert_eq!(values[0], ("id", &literal(Value::Text("a }} \"b\"".into()))));
        assert_eq!(values[1], ("start", &literal(Value::Integer(-3))));
        assert_eq!(values[2], ("wide", &literal(Value::Bool(true))));
        let ("tags", Written::Literal(Value::List(items))) = values[3] else { panic!("{values:?}") };
        let items: Vec<&Value> = items.iter().map(|item| &item.value).collect();
        assert_eq!(items, [&Value::Text("x".into()), &Value::Integer(2)]);
        assert_eq!(values[4], ("by", &Written::Path("site.name")));
        assert_eq!(values[5], ("r", &literal(Value::Float(0.5))));
    }

    #[test]
    fn a_pair_is_two_tags_and_a_tag_may_go_over_lines() {
        assert_eq!(tag("{% <note\n   kind=\"tip\"\n> %}").kind, Kind::Open);
        let Tag { kind, component, arguments } = tag("{% </cards.note> %}");
        assert_eq!((kind, component, arguments.len()), (Kind::Close, "cards.note", 0));
    }

    #[test]
    fn other_braces_are_no_call() {
        for text in ["{{ site.email }}", "{% raw %}", "{x}", "{{}}", "{{ a < b }}"] {
            assert_eq!(read(text, 0), None, "{text}");
        }
    }

    #[test]
    fn each_mistake_is_marked_where_it_is() {
        for (text, marked, end) in [
            ("{{ <video id=\"a\" }} b", "}", 19),
            ("{{ <video id=\"a /> }} b", "\"", 21),
            ("{{ <video id=3 /> }} b", "3", 20),
            ("{{ <video wide /> }} b", "wide ", 20),
            ("{{ <video n={1 + 2} /> }} b", "+", 25),
            ("{{ <video n={a | b} /> }} b", "|", 25),
            ("{{ <video n={1} n={2} /> }} b", "n", 27),
            ("{{ </video> }} b", "/", 14),
            ("{{ < /> }} b", " ", 10),
            ("{% <note> b\nc", "> ", 11),
            ("{% </note a=\"b\"> %} b", "a", 19),
            ("{{ <video n={[1, [2]]} /> }} b", "[2]", 28),
            ("{{ <video n={[1 2]} /> }} b", "2", 25),
            ("{{ <video n={1e400} /> }} b", "1e400", 25),
            ("{{ <video ", "", 10),
        ] {
            let (tag, at) = read(text, 0).unwrap();
            let mistake = tag.unwrap_err();
            assert_eq!((&text[mistake.span.start..mistake.span.end], at), (marked, end), "{text}: {mistake:?}");
        }
    }
}
