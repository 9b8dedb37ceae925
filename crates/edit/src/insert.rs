//! Adds a key to a mapping of a file, after its last one.

use super::tree::{Data, Item, Style};
use super::write::{self, Around};
use super::{Edit, File, NOT_THERE, REPEATED, Refusal, UNWRITABLE, edited, meaning_of, plain, root_of};
use sitegen_content::front_matter;
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;

/// Adds a key to a file that may have none yet.
pub fn first_or_next(path: &SourcePath, text: &str, name: &str, value: &Value) -> Result<Edit, Refusal> {
    let file = File::of(path, text);
    let is_mapping = |file: &File| matches!(file.root().data, Data::Map { .. });
    match file.filter(is_mapping) {
        Some(file) => file.insert(&[], name, value),
        None => first(path, text, name, value),
    }
}

/// Adds the only key of a file of YAML or TOML.
fn first(path: &SourcePath, text: &str, name: &str, value: &Value) -> Result<Edit, Refusal> {
    let (syntax, keys) = match path.extension() {
        Some("md") => {
            let parts = front_matter::split(path, text).map_err(|_| UNWRITABLE)?;
            (parts.syntax, Span::at(parts.front_matter_start, parts.front_matter.len()))
        }
        _ => (Syntax::of(path, text), Span { start: 0, end: text.len() }),
    };
    let is_comment = |line: &str| {
        let line = line.trim_start_matches('\u{feff}').trim();
        line.is_empty() || line.starts_with('#')
    };
    if !matches!(syntax, Syntax::Yaml | Syntax::Toml) || !text[keys.start..keys.end].lines().all(is_comment) {
        return Err(UNWRITABLE);
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let before = &text[..keys.end];
    let begins_line = before.is_empty() || before.ends_with('\n') || before == "\u{feff}";
    for entry in entries(syntax, name, value, "", line_end, false) {
        let between = if begins_line { "" } else { line_end };
        let line_end = if entry.ends_with('\n') { "" } else { line_end };
        let edit = Edit { span: Span { start: keys.end, end: keys.end }, text: format!("{between}{entry}{line_end}") };
        let new = edit.apply(text);
        let keys = Span { start: keys.start, end: keys.end + edit.text.len() };
        let body = front_matter::split(path, &new).map(|parts| parts.body_start);
        let is_whole = path.extension() != Some("md")
            || body.is_ok_and(|start| new[start..] == text[text.len() - (new.len() - start)..]);
        let read = meaning_of(path, syntax, &new, keys);
        if is_whole && read.is_some_and(|read| read.entries().len() == 1 && is_same(read.get(name), value)) {
            return Ok(edit);
        }
    }
    Err(UNWRITABLE)
}

fn is_same(node: Option<&Node>, value: &Value) -> bool {
    let expected = Node { value: value.clone(), span: Span::default() };
    node.is_some_and(|node| super::tree::same_values(node, &expected))
}

impl File<'_> {
    /// Adds a key to the mapping at a route, after its last one. The value may be a text, a list or a mapping.
    pub fn insert(&self, route: &[usize], name: &str, value: &Value) -> Result<Edit, Refusal> {
        let map = self.root.at(route).ok_or(NOT_THERE)?;
        let Data::Map { entries: known, is_flow } = &map.data else { return Err(Refusal("it is not a mapping")) };
        if self.is_repeated(route) || map.is_repeated {
            return Err(REPEATED);
        }
        if known.iter().any(|(key, _)| key.scalar().is_some_and(|key| key.text == name)) {
            return Err(Refusal("there is a key of that name"));
        }
        let Some(meaning) = self.meaning() else { return Err(Refusal("the file has mistakes")) };
        let added = (
            Key { name: name.to_owned(), span: Span::default() },
            Node { value: value.clone(), span: Span::default() },
        );
        let meaning = edited(meaning, &self.names(route), &|old| match old {
            Value::Map(entries) => Some(Value::Map(entries.iter().cloned().chain([added.clone()]).collect())),
            _ => None,
        });
        let is_in_brackets = self.syntax == Syntax::Json || *is_flow || self.is_in_brackets(route);
        let line_end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let place = self.place(known, map, is_in_brackets, line_end)?;
        for entry in entries(self.syntax, name, value, &place.indent, line_end, is_in_brackets) {
            let edit = Edit { span: Span { start: place.at, end: place.at }, text: place.around(&entry) };
            if self.is_added(&edit, route, &meaning) {
                return Ok(edit);
            }
        }
        Err(UNWRITABLE)
    }

    fn is_in_brackets(&self, route: &[usize]) -> bool {
        let is_flow =
            |item: &Item| matches!(item.data, Data::Map { is_flow: true, .. } | Data::List { is_flow: true, .. });
        (0..route.len()).any(|length| self.root.at(&route[..length]).is_some_and(is_flow))
    }

    /// Whether a file has what it had, and a further key.
    fn is_added(&self, edit: &Edit, route: &[usize], meaning: &Node) -> bool {
        let text = edit.apply(self.text);
        let keys = match self.path.extension() {
            Some("md") => match front_matter::split(self.path, &text) {
                Ok(parts) if parts.body == self.body() => Span::at(parts.front_matter_start, parts.front_matter.len()),
                _ => return false,
            },
            _ => Span { start: 0, end: text.len() },
        };
        let Some(mut root) = root_of(self.path, self.syntax, &text, keys) else { return false };
        let is_read = meaning_of(self.path, self.syntax, &text, keys)
            .is_some_and(|read| super::tree::same_values(&read, meaning));
        match root.at_mut(route).map(|map| &mut map.data) {
            // TOML has its tables after other keys.
            Some(Data::Map { entries, .. }) => {
                let own: Vec<&str> = self.root.at(route).map_or(Vec::new(), |map| {
                    map.entries().iter().filter_map(|(key, _)| Some(key.scalar()?.text.as_str())).collect()
                });
                let is_new =
                    |(key, _): &(Item, Item)| key.scalar().is_some_and(|key| !own.contains(&key.text.as_str()));
                let Some(at) = entries.iter().position(is_new) else { return false };
                entries.remove(at);
            }
            _ => return false,
        }
        is_read && root.equals(&self.root)
    }

    /// Finds where an entry is added to a mapping, and what is written around it.
    fn place(
        &self,
        known: &[(Item, Item)],
        map: &Item,
        is_in_brackets: bool,
        line_end: &'static str,
    ) -> Result<InsertionPoint, Refusal> {
        let point = |at, before: String, after: &'static str, indent: &str| {
            Ok(InsertionPoint { at, before, after, indent: indent.to_owned() })
        };
        let Some((first, _)) = known.first() else {
            return match is_in_brackets {
                true => point(map.span.start + 1, String::new(), "", ""),
                false => Err(UNWRITABLE),
            };
        };
        let line = self.text[..first.span.start].rfind('\n').map_or(self.keys.start, |newline| newline + 1);
        let before = self.text[line..first.span.start].trim_start_matches('\u{feff}');
        // An item of a list may begin with the key.
        let indent: String = before.chars().map(|letter| if letter == '-' { ' ' } else { letter }).collect();
        let is_blank = indent.trim().is_empty();
        // Tables of TOML come after all other keys.
        let is_line = |(_, value): &&(Item, Item)| self.syntax != Syntax::Toml || !is_table(value, self.text);
        let Some((key, value)) = known.iter().rfind(is_line) else {
            return if is_in_brackets { Err(UNWRITABLE) } else { point(line, String::new(), line_end, &indent) };
        };
        let end = end_of(value).max(key.span.end);
        if is_in_brackets {
            let between = if is_blank { format!(",{line_end}{indent}") } else { ", ".to_owned() };
            return point(end, between, "", &indent);
        }
        if !is_blank {
            return Err(UNWRITABLE);
        }
        // A block of text ends with its line.
        let at = if self.text[..end].ends_with('\n') { end } else { self.line_after(end) };
        match self.text[..at].ends_with('\n') {
            true => point(at, indent.clone(), line_end, &indent),
            false => point(at, format!("{line_end}{indent}"), "", &indent),
        }
    }
}

/// Where an entry is added.
struct InsertionPoint {
    at: usize,
    before: String,
    after: &'static str,
    /// What stands before the keys of the mapping.
    indent: String,
}

impl InsertionPoint {
    fn around(&self, entry: &str) -> String {
        // A block of text brings the end of its line.
        let after = if entry.ends_with('\n') { "" } else { self.after };
        format!("{}{entry}{after}", self.before)
    }
}

/// Whether a value of TOML is a table with lines of its own.
fn is_table(value: &Item, text: &str) -> bool {
    match &value.data {
        Data::Map { .. } => !text[value.span.start..].starts_with('{'),
        Data::List { items, .. } => items.iter().any(|item| is_table(item, text)),
        _ => false,
    }
}

/// Returns where the last value in a value ends.
pub fn end_of(item: &Item) -> usize {
    match &item.data {
        Data::Map { entries, is_flow: false } => entries.last().map_or(item.span.end, |(_, value)| end_of(value)),
        Data::List { items, is_flow: false } => items.last().map_or(item.span.end, end_of),
        _ => item.span.end,
    }
}

/// Returns ways to write a key with its value, without what stands before its line.
fn entries(
    syntax: Syntax,
    name: &str,
    value: &Value,
    indent: &str,
    line_end: &'static str,
    is_in_brackets: bool,
) -> Vec<String> {
    let around = |is_key| Around { is_flow: is_in_brackets, is_key, line_end, separator: b',', written: "" };
    let keys = write::candidates(syntax, &Value::Text(name.to_owned()), &plain(), around(true));
    let sign = if syntax == Syntax::Toml { " =" } else { ":" };
    let values = match value {
        Value::List(_) | Value::Map(_) => match syntax {
            Syntax::Yaml if !is_in_brackets => yaml_lines(value, indent, line_end).into_iter().collect(),
            Syntax::Toml => toml_inline(value).map(|text| format!(" {text}")).into_iter().collect(),
            _ => vec![format!(" {}", to_json(value))],
        },
        Value::Text(text) if text.contains('\n') && syntax == Syntax::Yaml && !is_in_brackets => {
            yaml_text(text, indent, line_end)
        }
        value => {
            write::candidates(syntax, value, &plain(), around(false)).iter().map(|text| format!(" {text}")).collect()
        }
    };
    keys.iter().flat_map(|key| values.iter().map(move |value| format!("{key}{sign}{value}"))).collect()
}

/// Returns ways to write an item of a list of YAML in lines of its own, behind a dash.
pub(crate) fn item_lines(value: &Value, indent: &str, line_end: &'static str) -> Vec<String> {
    let list = Value::List(vec![Node { value: value.clone(), span: Span::default() }]);
    // The lines of a list below a key stand two spaces further in.
    let written = yaml_lines(&list, indent, line_end);
    let lines = written.and_then(|lines| {
        let lines = lines.strip_prefix(line_end)?.split_inclusive('\n');
        let moved: Option<String> = lines
            .map(|line| match line.trim().is_empty() {
                true => Some(line),
                false => Some(&line[..indent.len()]).filter(|start| *start == indent).and(line.get(indent.len() + 2..)),
            })
            .map(|rest| {
                rest.map(|rest| if rest.trim().is_empty() { rest.to_owned() } else { format!("{indent}{rest}") })
            })
            .collect();
        moved
    });
    lines.map(|lines| lines.strip_suffix(line_end).map_or(lines.clone(), str::to_owned)).into_iter().collect()
}

/// Writes a text of several lines as a block, or else in quotes.
fn yaml_text(text: &str, indent: &str, line_end: &'static str) -> Vec<String> {
    let old = super::tree::Scalar { text: String::new(), style: Style::Literal, tag: None, indent: indent.len() + 2 };
    let around = Around { is_flow: false, is_key: false, line_end, separator: b',', written: "|" };
    let all = write::candidates(Syntax::Yaml, &Value::Text(text.to_owned()), &old, around);
    all.into_iter().map(|text| format!(" {text}")).collect()
}

/// Writes a list or a mapping of YAML in lines after its key. `None` for one that cannot be written so.
fn yaml_lines(value: &Value, indent: &str, line_end: &'static str) -> Option<String> {
    let inner = format!("{indent}  ");
    let scalar = |value: &Value, indent: &str| -> Option<String> {
        match value {
            Value::Text(text) if text.contains('\n') => yaml_text(text, indent, line_end).into_iter().next(),
            Value::List(items) if items.is_empty() => Some(" []".to_owned()),
            Value::Map(entries) if entries.is_empty() => Some(" {}".to_owned()),
            Value::List(_) | Value::Map(_) => yaml_lines(value, indent, line_end),
            value => {
                let around = Around { is_flow: false, is_key: false, line_end, separator: b',', written: "" };
                let text = write::candidates(Syntax::Yaml, value, &plain(), around).into_iter().next()?;
                Some(format!(" {text}"))
            }
        }
    };
    let mut text = line_end.to_owned();
    let mut push = |line: String| {
        text.push_str(&line);
        if !line.ends_with('\n') {
            text.push_str(line_end);
        }
    };
    match value {
        Value::Map(entries) => {
            for (key, node) in entries {
                let around = Around { is_flow: false, is_key: true, line_end, separator: b',', written: "" };
                let key = write::candidates(Syntax::Yaml, &Value::Text(key.name.clone()), &plain(), around);
                push(format!("{inner}{}:{}", key.first()?, scalar(&node.value, &inner)?));
            }
        }
        Value::List(items) => {
            for item in items {
                match &item.value {
                    // The first key stands beside the dash.
                    Value::Map(entries) if !entries.is_empty() => {
                        let written = yaml_lines(&item.value, &inner, line_end)?;
                        let lines = written.strip_prefix(line_end)?.trim_start_matches(' ');
                        push(format!("{inner}- {lines}"));
                    }
                    value => push(format!("{inner}-{}", scalar(value, &inner)?)),
                }
            }
        }
        _ => return None,
    }
    Some(text)
}

pub(crate) fn toml_inline(value: &Value) -> Option<String> {
    Some(match value {
        Value::Map(entries) => {
            let entries: Option<Vec<String>> = entries
                .iter()
                .map(|(key, node)| Some(format!("{} = {}", write::json(&key.name), toml_inline(&node.value)?)))
                .collect();
            format!("{{ {} }}", entries?.join(", "))
        }
        Value::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| toml_inline(&item.value)).collect();
            format!("[{}]", items?.join(", "))
        }
        value => {
            let around = Around { is_flow: false, is_key: false, line_end: "\n", separator: b',', written: "" };
            let old = super::tree::Scalar { style: Style::Double, ..plain() };
            write::candidates(Syntax::Toml, value, &old, around).into_iter().next()?
        }
    })
}

pub(crate) fn to_json(value: &Value) -> String {
    Node { value: value.clone(), span: Span::default() }.to_json().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(path: &str, text: &str, route: &[usize], name: &str, value: Value) -> String {
        let path = SourcePath::new(path);
        let edit = match route {
            [] => first_or_next(&path, text, name, &value),
            route => File::of(&path, text).unwrap().insert(route, name, &value),
        };
        edit.map_or_else(|refusal| refusal.0.to_owned(), |edit| edit.apply(text))
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn map(entries: &[(&str, Value)]) -> Value {
        let entry = |(name, value): &(&str, Value)| {
            let key = Key { name: (*name).to_owned(), span: Span::default() };
            (key, Node { value: value.clone(), span: Span::default() })
        };
        Value::Map(entries.iter().map(entry).collect())
    }

    #[test]
    fn a_key_comes_after_the_others_in_each_format() {
        for (path, before, name, value, after) in [
            ("a.yaml", "a: b # c\n# end\n", "x", text("day"), "a: b # c\nx: day\n# end\n"),
            ("a.yaml", "", "x", text("day"), "x: day\n"),
            ("a.yaml", "# only\n", "x", text("a: b"), "# only\nx: \"a: b\"\n"),
            ("a.yaml", "", "x", map(&[("a", text("b"))]), "x:\n  a: b\n"),
            ("a.yaml", "a: b", "x", text("day"), "a: b\nx: day"),
            ("a.yaml", "a: |\r\n  b\r\n", "x", text("day"), "a: |\r\n  b\r\nx: day\r\n"),
            ("a.yaml", "a: b\n", "x", text("one\ntwo\n"), "a: b\nx: |\n  one\n  two\n"),
            ("a.yaml", "{ a: b }\n", "x", text("y, z"), "{ a: b, x: \"y, z\" }\n"),
            ("a.md", "---\na: b\n---\nBody\n", "x", text("day"), "---\na: b\nx: day\n---\nBody\n"),
            ("a.md", "---\n---\nBody\n", "x", text("day"), "---\nx: day\n---\nBody\n"),
            (
                "a.md",
                "+++\na = 1\n[b]\nc = 2\n+++\nBody\n",
                "x",
                text("day"),
                "+++\na = 1\nx = \"day\"\n[b]\nc = 2\n+++\nBody\n",
            ),
            ("a.json", "{\n  \"a\": \"b\"\n}\n", "x", text("day"), "{\n  \"a\": \"b\",\n  \"x\": \"day\"\n}\n"),
            ("a.json", "{}\n", "x", text("day"), "{\"x\": \"day\"}\n"),
        ] {
            assert_eq!(inserted(path, before, &[], name, value), after, "{before}");
        }
    }

    #[test]
    fn lists_and_mappings_are_written_as_the_format_does() {
        let value = map(&[
            ("one", text("{count} Text")),
            ("deep", map(&[("a", text("b"))])),
            (
                "list",
                Value::List(vec![Node { value: map(&[("a", text("b")), ("c", text("d\ne"))]), span: Span::default() }]),
            ),
        ]);
        assert_eq!(
            inserted("a.yaml", "a:\n  b: c\n", &[0], "x", value.clone()),
            "a:\n  b: c\n  x:\n    one: \"{count} Text\"\n    deep:\n      a: b\n    list:\n      - a: b\n        c: |-\n          d\n          e\n"
        );
        assert_eq!(
            inserted("a.toml", "a = 1\n", &[], "x", value),
            "a = 1\nx = { \"one\" = \"{count} Text\", \"deep\" = { \"a\" = \"b\" }, \"list\" = [{ \"a\" = \"b\", \"c\" = \"d\\ne\" }] }\n"
        );
        assert_eq!(inserted("a.yaml", "a: b\n", &[], "a", text("x")), "there is a key of that name");
    }
}
