//! Items of lists: adds, moves and removes one; and removes a key.

use super::insert::{end_of, item_lines};
use super::tree::{Data, Item, same_values};
use super::write::{self, Around};
use super::{Edit, File, NOT_THERE, REPEATED, Refusal, UNWRITABLE, edited, meaning_of, plain};
use sitegen_content::front_matter;
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Node, Value};
use sitegen_core::diagnostics::Span;

const NO_LIST: Refusal = Refusal("it is not a list");
const WRONG: Refusal = Refusal("the file has mistakes");

impl File<'_> {
    /// Adds an item to the list at a route, before the item that has this number, or after the last one.
    pub fn add_item(&self, route: &[usize], at: usize, value: &Value) -> Result<Edit, Refusal> {
        let (items, is_flow) = self.list(route)?;
        let at = at.min(items.len());
        let meaning = self.changed_list(route, |nodes| {
            nodes.insert(at, Node { value: value.clone(), span: Span::default() });
            Some(())
        })?;
        let line_end = self.line_end();
        let edits: Vec<Edit> = if is_flow || self.syntax == Syntax::Json {
            let written = self.in_brackets(value);
            let list = self.root.at(route).ok_or(NOT_THERE)?.span;
            let insert = |at, text| Edit { span: Span::at(at, 0), text };
            let add = |text: String| match (items.get(at), items.last()) {
                (Some(next), _) => insert(next.span.start, format!("{text}{}", self.separator(items))),
                (None, Some(last)) => insert(last.span.end, format!("{}{text}", self.separator(items))),
                (None, None) => insert(list.start + 1, text),
            };
            written.into_iter().map(add).collect()
        } else {
            let parts = self.parts_of_list(items)?;
            let dash = self.text[parts[0].item.start..].find('-').ok_or(UNWRITABLE)? + parts[0].item.start;
            let indent = &self.text[self.line_start(dash)..dash];
            if !indent.trim_start_matches('\u{feff}').trim().is_empty() {
                return Err(UNWRITABLE);
            }
            let lines = item_lines(value, indent, line_end);
            let place = parts.get(at).map_or(parts[parts.len() - 1].item.end, |part| part.item.start);
            let before = if self.text[..place].ends_with('\n') || place == 0 { "" } else { line_end };
            let end = if before.is_empty() { line_end } else { "" };
            let written = |lines: String| {
                let end = if lines.ends_with('\n') { "" } else { end };
                Edit { span: Span::at(place, 0), text: format!("{before}{lines}{end}") }
            };
            lines.into_iter().map(written).collect()
        };
        edits.into_iter().find(|edit| self.has_meaning(edit, &meaning)).ok_or(UNWRITABLE)
    }

    /// Removes an item of the list at a route. Comments above it stay.
    pub fn remove_item(&self, route: &[usize], number: usize) -> Result<Edit, Refusal> {
        let (items, is_flow) = self.list(route)?;
        let item = items.get(number).ok_or(NOT_THERE)?;
        let meaning = self.changed_list(route, |nodes| (number < nodes.len()).then(|| drop(nodes.remove(number))))?;
        let span = if is_flow || self.syntax == Syntax::Json {
            match (items.get(number + 1), number.checked_sub(1).and_then(|before| items.get(before))) {
                (Some(next), _) => Span { start: item.span.start, end: next.span.start },
                (None, Some(before)) => Span { start: before.span.end, end: item.span.end },
                (None, None) => item.span,
            }
        } else if items.len() == 1 {
            // Nothing at all in the place of a list would be no list.
            let span = Span { start: self.parts_of_list(items)?[0].item.start, end: end_of(item) };
            let start = self.text[..span.start].trim_end_matches([' ', '\n', '\r']).len();
            let edit = Edit { span: Span { start, end: span.end }, text: " []".to_owned() };
            return if self.has_meaning(&edit, &meaning) { Ok(edit) } else { Err(UNWRITABLE) };
        } else {
            self.parts_of_list(items)?[number].item
        };
        let edit = Edit { span, text: String::new() };
        if self.has_meaning(&edit, &meaning) { Ok(edit) } else { Err(UNWRITABLE) }
    }

    /// Moves an item of the list at a route to another place, with the comments above it.
    pub fn move_item(&self, route: &[usize], from: usize, to: usize) -> Result<Edit, Refusal> {
        let (items, is_flow) = self.list(route)?;
        if from >= items.len() || to >= items.len() {
            return Err(NOT_THERE);
        }
        let meaning = self.changed_list(route, |nodes| {
            let node = (from < nodes.len()).then(|| nodes.remove(from))?;
            (to <= nodes.len()).then(|| nodes.insert(to, node))
        })?;
        let mut order: Vec<usize> = (0..items.len()).collect();
        let moved = order.remove(from);
        order.insert(to, moved);
        let edit = if is_flow || self.syntax == Syntax::Json {
            // What stands between items stays where it is.
            let text = order.iter().enumerate().map(|(place, number)| {
                let next = items.get(place + 1).map_or(items[place].span.end, |next| next.span.start);
                let item = items[*number].span;
                [&self.text[item.start..item.end], &self.text[items[place].span.end..next]].concat()
            });
            let span = Span { start: items[0].span.start, end: items[items.len() - 1].span.end };
            Edit { span, text: text.collect() }
        } else {
            let parts = self.parts_of_list(items)?;
            let span = Span { start: parts[0].start, end: parts[parts.len() - 1].item.end };
            let line_end = self.line_end();
            let ends_with_line = self.text[..span.end].ends_with('\n');
            let mut text = String::new();
            for number in order {
                let part = &self.text[parts[number].start..parts[number].item.end];
                text.push_str(part);
                if !part.ends_with('\n') {
                    text.push_str(line_end);
                }
            }
            if !ends_with_line {
                text.truncate(text.len() - line_end.len());
            }
            Edit { span, text }
        };
        if self.has_meaning(&edit, &meaning) { Ok(edit) } else { Err(UNWRITABLE) }
    }

    /// Removes a key with its value. Comments above it stay.
    pub fn remove_key(&self, route: &[usize]) -> Result<Edit, Refusal> {
        let (last, above) = route.split_last().ok_or(NOT_THERE)?;
        let map = self.root.at(above).ok_or(NOT_THERE)?;
        let Data::Map { entries, is_flow } = &map.data else { return Err(NOT_THERE) };
        let (key, value) = entries.get(*last).ok_or(NOT_THERE)?;
        if self.is_repeated(route) || key.is_repeated {
            return Err(REPEATED);
        }
        let meaning = self.meaning().ok_or(WRONG)?;
        let name = &key.scalar().ok_or(NOT_THERE)?.text;
        let meaning = edited(meaning, &self.names(above), &|old| match old {
            Value::Map(entries) => {
                Some(Value::Map(entries.iter().filter(|(key, _)| key.name != *name).cloned().collect()))
            }
            _ => None,
        });
        let end = end_of(value).max(key.span.end);
        let is_in_brackets = *is_flow || self.syntax == Syntax::Json;
        let span = match (entries.get(last + 1), last.checked_sub(1).and_then(|before| entries.get(before))) {
            _ if !is_in_brackets => {
                let line = self.line_start(key.span.start);
                let before = self.text[line..key.span.start].trim_start_matches('\u{feff}');
                // The first key of an item stands beside the dash, and the next one takes its place.
                match (before.trim().is_empty(), entries.get(last + 1)) {
                    (true, _) => Span { start: line.max(self.keys.start), end: self.line_end_after(end) },
                    (false, Some((next, _))) => Span { start: key.span.start, end: next.span.start },
                    (false, None) => return Err(UNWRITABLE),
                }
            }
            (Some((next, _)), _) => Span { start: key.span.start, end: next.span.start },
            (None, Some((_, before))) => Span { start: end_of(before), end },
            (None, None) => Span { start: key.span.start, end },
        };
        let edit = Edit { span, text: String::new() };
        if self.has_meaning(&edit, &meaning) { Ok(edit) } else { Err(UNWRITABLE) }
    }

    fn list(&self, route: &[usize]) -> Result<(&[Item], bool), Refusal> {
        let Data::List { items, is_flow } = &self.root.at(route).ok_or(NOT_THERE)?.data else { return Err(NO_LIST) };
        match self.is_repeated(route) || items.iter().any(|item| item.is_repeated) {
            true => Err(REPEATED),
            false => Ok((items, *is_flow)),
        }
    }

    /// Returns what the file shall mean once a list of it is changed.
    fn changed_list(&self, route: &[usize], change: impl Fn(&mut Vec<Node>) -> Option<()>) -> Result<Node, Refusal> {
        let meaning = self.meaning().ok_or(WRONG)?;
        Ok(edited(meaning, &self.names(route), &|old| match old {
            Value::List(items) => {
                let mut items = items.clone();
                change(&mut items).map(|()| Value::List(items))
            }
            _ => None,
        }))
    }

    /// Whether the engine reads the edited file as it is meant, and its body is what it was.
    fn has_meaning(&self, edit: &Edit, meaning: &Node) -> bool {
        let text = edit.apply(self.text);
        let keys = match self.path.extension() {
            Some("md") => match front_matter::split(self.path, &text) {
                Ok(parts) if parts.body == self.body() => Span::at(parts.front_matter_start, parts.front_matter.len()),
                _ => return false,
            },
            _ => Span { start: 0, end: text.len() },
        };
        meaning_of(self.path, self.syntax, &text, keys).is_some_and(|read| same_values(&read, meaning))
    }

    /// Returns the lines of each item of a list that is not in brackets.
    fn parts_of_list(&self, items: &[Item]) -> Result<Vec<ItemLines>, Refusal> {
        if self.syntax != Syntax::Yaml || items.is_empty() {
            return Err(UNWRITABLE);
        }
        let mut parts: Vec<ItemLines> = Vec::new();
        for item in items {
            let dash = self.text[self.keys.start..item.span.start].rfind('-').ok_or(UNWRITABLE)? + self.keys.start;
            let start = self.line_start(dash).max(self.keys.start);
            let end = self.line_end_after(end_of(item).max(dash + 1));
            let comments =
                parts.last().map_or_else(|| self.comments_above(start), |before: &ItemLines| before.item.end);
            if comments > start || end <= start {
                return Err(UNWRITABLE);
            }
            parts.push(ItemLines { start: comments, item: Span { start, end } });
        }
        Ok(parts)
    }

    /// Returns where the lines with comments begin that stand directly above a line.
    fn comments_above(&self, line: usize) -> usize {
        let mut start = line;
        while start > self.keys.start {
            let above = self.line_start(start - 1).max(self.keys.start);
            if !self.text[above..start].trim_start().starts_with('#') {
                break;
            }
            start = above;
        }
        start
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// Returns the end of the line in which a value ends. A block of text ends with its line, or with what indents the next one.
    fn line_end_after(&self, end: usize) -> usize {
        let text = self.text[..end].trim_end_matches([' ', '\t']);
        if text.ends_with('\n') { text.len() } else { self.line_after(end) }
    }

    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Returns what stands between the items of a list in brackets.
    fn separator<'t>(&'t self, items: &[Item]) -> &'t str {
        match items {
            [first, second, ..] => &self.text[first.span.end..second.span.start],
            _ => ", ",
        }
    }

    fn in_brackets(&self, value: &Value) -> Vec<String> {
        let around = Around { is_flow: true, is_key: false, line_end: self.line_end(), separator: b',', written: "" };
        match (value, self.syntax) {
            (Value::List(_) | Value::Map(_), Syntax::Toml) => super::insert::toml_inline(value).into_iter().collect(),
            (Value::List(_) | Value::Map(_), _) => vec![super::insert::to_json(value)],
            _ => write::candidates(self.syntax, value, &plain(), around),
        }
    }
}

/// The lines of an item.
#[derive(Clone, Copy)]
struct ItemLines {
    /// Where the comments above it begin.
    start: usize,
    /// Its lines, with their ends.
    item: Span,
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::paths::SourcePath;

    fn applied(path: &str, text: &str, edit: impl Fn(&File) -> Result<Edit, Refusal>) -> String {
        let path = SourcePath::new(path);
        let file = File::of(&path, text).unwrap();
        edit(&file).map_or_else(|refusal| refusal.0.to_owned(), |edit| edit.apply(text))
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn items_move_with_their_comments() {
        let list = "k:\n  # one\n  - a # first\n  # two\n  - n: b\n    m: |\n      x\n  - c\nz: 1\n";
        for (from, to, expected) in [
            (0, 1, "k:\n  # two\n  - n: b\n    m: |\n      x\n  # one\n  - a # first\n  - c\nz: 1\n"),
            (2, 0, "k:\n  - c\n  # one\n  - a # first\n  # two\n  - n: b\n    m: |\n      x\nz: 1\n"),
            (1, 1, list),
            (3, 0, NOT_THERE.0),
        ] {
            assert_eq!(applied("a.yaml", list, |file| file.move_item(&[0], from, to)), expected, "{from} {to}");
        }
        assert_eq!(applied("a.yaml", "k:\n- a\n- b", |file| file.move_item(&[0], 0, 1)), "k:\n- b\n- a");
        assert_eq!(applied("a.yaml", "k: [a,  b, c]\n", |file| file.move_item(&[0], 0, 2)), "k: [b,  c, a]\n");
        assert_eq!(applied("a.toml", "k = [1, 2]\n", |file| file.move_item(&[0], 1, 0)), "k = [2, 1]\n");
        let json = "{\n  \"k\": [\n    1,\n    2\n  ]\n}\n";
        assert_eq!(applied("a.json", json, |file| file.move_item(&[0], 0, 1)), json.replace("1,\n    2", "2,\n    1"));
    }

    #[test]
    fn items_are_added_and_removed() {
        let map = Value::Map(vec![
            (
                sitegen_content::yaml::Key { name: "name".into(), span: Span::default() },
                Node { value: text("x: y"), span: Span::default() },
            ),
            (
                sitegen_content::yaml::Key { name: "m".into(), span: Span::default() },
                Node { value: Value::Integer(2), span: Span::default() },
            ),
        ]);
        for (path, before, at, value, expected) in [
            ("a.yaml", "k:\n  - a\n  - b\n", 1, text("c"), "k:\n  - a\n  - c\n  - b\n"),
            ("a.yaml", "k:\n  - a\n  - b", 9, text("c"), "k:\n  - a\n  - b\n  - c"),
            ("a.yaml", "k:\r\n- a\r\nz: 1\r\n", 1, map.clone(), "k:\r\n- a\r\n- name: \"x: y\"\r\n  m: 2\r\nz: 1\r\n"),
            ("a.yaml", "k: []\n", 0, text("c"), "k: [c]\n"),
            ("a.yaml", "k: [a]\n", 1, text("c, d"), "k: [a, \"c, d\"]\n"),
            ("a.md", "---\nk:\n- a\n---\nText\n", 0, text("b"), "---\nk:\n- b\n- a\n---\nText\n"),
            ("a.toml", "k = [\"a\"]\n", 1, map.clone(), "k = [\"a\", { \"name\" = \"x: y\", \"m\" = 2 }]\n"),
            ("a.json", "{\"k\": [1, 2]}", 2, Value::Integer(3), "{\"k\": [1, 2, 3]}"),
        ] {
            assert_eq!(applied(path, before, |file| file.add_item(&[0], at, &value)), expected, "{before}");
        }
        for (path, before, number, expected) in [
            ("a.yaml", "k:\n  - a\n  # of b\n  - b\n  - c\n", 1, "k:\n  - a\n  # of b\n  - c\n"),
            ("a.yaml", "k:\n  - n: a\n    m: 1\n  - b\nz: 2\n", 0, "k:\n  - b\nz: 2\n"),
            ("a.yaml", "k:\n  - a\nz: 1\n", 0, "k: []\nz: 1\n"),
            ("a.yaml", "k: [a, b, c]\n", 2, "k: [a, b]\n"),
            ("a.yaml", "k: [a]\n", 0, "k: []\n"),
            ("a.json", "{\"k\": [1, 2]}", 0, "{\"k\": [2]}"),
        ] {
            assert_eq!(applied(path, before, |file| file.remove_item(&[0], number)), expected, "{before}");
        }
    }

    #[test]
    fn keys_are_removed_with_their_values() {
        for (path, before, route, expected) in [
            ("a.yaml", "a: 1\n# of b\nb: |\n  x\n\nc: 2\n", &[1][..], "a: 1\n# of b\nc: 2\n"),
            ("a.yaml", "k:\n  - a: 1\n    b: 2\n", &[0, 0, 0], "k:\n  - b: 2\n"),
            ("a.yaml", "{a: 1, b: 2}\n", &[1], "{a: 1}\n"),
            ("a.yaml", "a: &x 1\nb: *x\n", &[0], REPEATED.0),
            ("a.json", "{\"a\": 1, \"b\": 2}", &[0], "{\"b\": 2}"),
            ("a.md", "---\na: 1\nb: 2\n---\n", &[0], "---\nb: 2\n---\n"),
        ] {
            assert_eq!(applied(path, before, |file| file.remove_key(route)), expected, "{before}");
        }
    }
}
