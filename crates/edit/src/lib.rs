//! The writer: replaces one value of a file by its bytes, and leaves every other byte as it is.
//!
//! An [`Edit`] is some bytes and the text for them. An edit of a value is found in passes:
//!
//! 1. The file is read as a [tree] in which every value has its exact bytes.
//! 2. The new value is written as the old one was: in the same kind of quotes, as a block, or without quotes. Where
//!    that is not possible, in quotes.
//! 3. The edited file is read again. Its tree must be the old one in all but the value, and the engine's own parser must read the
//!    meant value, and every other as before.
//!
//! Without an edit that passes, there is a [`Refusal`]: a file is never changed on a guess. Comments, quotes, the order of keys,
//! line ends and byte order marks are bytes like others, so nothing needs to know about them.
//!
//! Nothing here reads files from the disk or writes them.

pub mod blocks;
pub mod close;
pub mod insert;
mod lists;
pub mod merge;
mod read;
mod remove;
pub mod repairs;
pub mod tree;
mod write;

use sitegen_content::front_matter;
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use std::cell::OnceCell;
use tree::{Data, Item, Scalar, Style, same_values};
use write::Around;

/// Bytes of a file, and the text in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; none where text is inserted.
    pub span: Span,
    /// The text to write there.
    pub text: String,
}

impl Edit {
    /// Returns the edited text of a file.
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.span.start], self.text, &text[self.span.end..])
    }
}

/// Why there is no edit. It completes the sentence "this cannot be edited: …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

const NOT_THERE: Refusal = Refusal("there is no such value");
const REPEATED: Refusal = Refusal("the value has a name (`&name`), and is repeated elsewhere in the file");
const NOT_SINGLE: Refusal = Refusal("it is not a single value");
const UNWRITABLE: Refusal = Refusal("the format has no way to write this here without changing other values");

/// A file of content with keys and values, whose values can be edited.
pub struct File<'t> {
    path: &'t SourcePath,
    text: &'t str,
    syntax: Syntax,
    /// The bytes with keys and values: all, or those of the front matter.
    keys: Span,
    root: Item,
    /// See [`File::meaning`]. Most files are read for their places alone.
    meaning: OnceCell<Option<Node>>,
}

impl<'t> File<'t> {
    /// Reads a file. `None` if it is not one with keys and values, or cannot be read at all.
    pub fn of(path: &'t SourcePath, text: &'t str) -> Option<Self> {
        let (syntax, keys) = match path.extension()? {
            "md" => {
                let parts = front_matter::split(path, text).ok()?;
                (parts.syntax, Span::at(parts.front_matter_start, parts.front_matter.len()))
            }
            "yaml" | "toml" | "json" | "csv" => (Syntax::of(path, text), Span { start: 0, end: text.len() }),
            _ => return None,
        };
        let root = root_of(path, syntax, text, keys)?;
        Some(File { path, text, syntax, keys, root, meaning: OnceCell::new() })
    }

    /// Returns the tree.
    pub fn root(&self) -> &Item {
        &self.root
    }

    /// Returns what the engine's own parser reads. `None` if it reports something, and for tables.
    pub fn meaning(&self) -> Option<&Node> {
        self.meaning.get_or_init(|| meaning_of(self.path, self.syntax, self.text, self.keys)).as_ref()
    }

    /// Returns what a single value means that is written so: of a plain one a number, a text or another.
    pub fn meant(&self, scalar: &Scalar) -> Value {
        match scalar.style == Style::Plain && scalar.tag.is_none() {
            true => plain_value(self.syntax, &scalar.text),
            false => Value::Text(scalar.text.clone()),
        }
    }

    /// Replaces a single value.
    pub fn replace(&self, route: &[usize], value: &Value) -> Result<Edit, Refusal> {
        self.replace_by(route, value, |old, around| write::candidates(self.syntax, value, old, around))
    }

    /// Replaces a single value by a number that is written as it is spelled: `2.90`.
    pub fn replace_number(&self, route: &[usize], spelling: &str) -> Result<Edit, Refusal> {
        self.replace_by(route, &plain_value(self.syntax, spelling), |_, _| vec![spelling.to_owned()])
    }

    fn replace_by(
        &self,
        route: &[usize],
        value: &Value,
        candidates: impl FnOnce(&Scalar, Around) -> Vec<String>,
    ) -> Result<Edit, Refusal> {
        let item = self.root.at(route).ok_or(NOT_THERE)?;
        let old = item.scalar().cloned().or(is_alias(item).then(plain)).ok_or(NOT_SINGLE)?;
        if self.is_repeated(route) {
            return Err(REPEATED);
        }
        let mut expected = self.root.clone();
        expected.at_mut(route).ok_or(NOT_THERE)?.data = Data::Any;
        let meaning = self.meaning().map(|node| edited(node, &self.names(route), &|_| Some(value.clone())));
        let around = self.around(route, item, false);
        for text in candidates(&old, around) {
            let edit = self.placed(item, text);
            let is_meant = |new: &Item| new.at(route).is_some_and(|item| is_written(item, value));
            if self.is_sound(&edit, &expected, &meaning, is_meant) {
                return Ok(edit);
            }
        }
        Err(UNWRITABLE)
    }

    /// Gives the entry at a route another key.
    pub fn rename(&self, route: &[usize], name: &str) -> Result<Edit, Refusal> {
        let (last, above) = route.split_last().ok_or(NOT_THERE)?;
        let map = self.root.at(above).ok_or(NOT_THERE)?;
        let (key, _) = map.entries().get(*last).ok_or(NOT_THERE)?;
        let old = key.scalar().ok_or(NOT_SINGLE)?;
        if self.is_repeated(above) || key.is_repeated {
            return Err(REPEATED);
        }
        let has_name = |(key, _): &(Item, Item)| key.scalar().is_some_and(|key| key.text == name);
        if map.entries().iter().any(has_name) {
            return Err(Refusal("there is a key of that name"));
        }
        let mut expected = self.root.clone();
        if let Some(Data::Map { entries, .. }) = expected.at_mut(above).map(|map| &mut map.data) {
            entries[*last].0.data = Data::Any;
        }
        let meaning = self.meaning().map(|node| renamed(node, &self.names(route), name));
        let value = Value::Text(name.to_owned());
        for text in write::candidates(self.syntax, &value, old, self.around(route, key, true)) {
            let edit = Edit { span: key.span, text };
            let is_meant = |new: &Item| {
                let key = new.at(above).and_then(|map| map.entries().get(*last)).map(|(key, _)| key);
                key.and_then(Item::scalar).is_some_and(|key| key.text == name)
            };
            if self.is_sound(&edit, &expected, &meaning, is_meant) {
                return Ok(edit);
            }
        }
        Err(UNWRITABLE)
    }

    /// Checks a small edit within a single value: `old` in it is replaced by `new`. The rest of its bytes stays.
    pub fn replace_within(&self, route: &[usize], old: &str, new: &str) -> Result<Edit, Refusal> {
        let item = self.root.at(route).ok_or(NOT_THERE)?;
        let scalar = item.scalar().ok_or(NOT_SINGLE)?;
        if once(&scalar.text, old).is_none() {
            return Err(Refusal("the text is there more than once"));
        }
        let value = Value::Text(scalar.text.replacen(old, new, 1));
        let mut expected = self.root.clone();
        expected.at_mut(route).ok_or(NOT_THERE)?.data = Data::Any;
        let meaning = self.meaning().map(|node| edited(node, &self.names(route), &|_| Some(value.clone())));
        let written = &self.text[item.span.start..item.span.end];
        if let Some(at) = once(written, old).filter(|_| !self.is_repeated(route)) {
            let edit = Edit { span: Span::at(item.span.start + at, old.len()), text: new.to_owned() };
            if self.is_sound(&edit, &expected, &meaning, |root| {
                root.at(route).is_some_and(|item| is_written(item, &value))
            }) {
                return Ok(edit);
            }
        }
        self.replace(route, &value)
    }

    /// Whether a file is what is expected once it is edited.
    fn is_sound(&self, edit: &Edit, expected: &Item, meaning: &Option<Node>, is_meant: impl Fn(&Item) -> bool) -> bool {
        let text = edit.apply(self.text);
        let keys = match self.path.extension() {
            // The body must begin where it began.
            Some("md") => match front_matter::split(self.path, &text) {
                Ok(parts) if self.text[self.keys.end..].ends_with(parts.body) && parts.body == self.body() => {
                    Span::at(parts.front_matter_start, parts.front_matter.len())
                }
                _ => return false,
            },
            _ => Span { start: 0, end: text.len() },
        };
        let Some(root) = root_of(self.path, self.syntax, &text, keys) else { return false };
        let is_read = match meaning {
            None => true,
            Some(meaning) => {
                let read = meaning_of(self.path, self.syntax, &text, keys);
                read.is_some_and(|read| same_values(&read, meaning))
            }
        };
        is_read && root.equals(expected) && is_meant(&root)
    }

    fn body(&self) -> &str {
        front_matter::split(self.path, self.text).map_or("", |parts| parts.body)
    }

    /// Whether a change at a route would change something elsewhere.
    fn is_repeated(&self, route: &[usize]) -> bool {
        (0..=route.len()).any(|length| self.root.at(&route[..length]).is_some_and(|item| item.is_repeated))
    }

    /// Returns the route in the words of the engine's parser: the names of keys, and the numbers of items.
    fn names(&self, route: &[usize]) -> Vec<String> {
        let mut item = Some(&self.root);
        let names = route.iter().map(|index| {
            let entry = item.and_then(|item| item.entries().get(*index));
            item = item.and_then(|item| item.child(*index));
            let name = entry.and_then(|(key, _)| key.scalar()).map(|key| key.text.clone());
            name.unwrap_or_else(|| index.to_string())
        });
        names.collect()
    }

    fn around(&self, route: &[usize], item: &Item, is_key: bool) -> Around<'_> {
        let mut above = (0..route.len()).filter_map(|length| self.root.at(&route[..length]));
        let is_flow =
            above.any(|item| matches!(item.data, Data::List { is_flow: true, .. } | Data::Map { is_flow: true, .. }));
        let line_end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let rows = (self.syntax == Syntax::Csv).then(|| sitegen_content::csv::Rows::of(self.text).ok()).flatten();
        let separator = rows.map_or(b',', |rows| rows.separator);
        Around { is_flow, is_key, line_end, separator, written: &self.text[item.span.start..item.span.end] }
    }

    /// Puts the text of a value in the place of another.
    fn placed(&self, item: &Item, text: String) -> Edit {
        let (span, style) = (item.span, item.scalar().map_or(Style::Plain, |scalar| scalar.style));
        match style {
            Style::Empty if self.syntax == Syntax::Yaml => Edit { span, text: format!(" {text}") },
            // Empty lines after a block count only where its header says so.
            Style::Literal | Style::Folded => {
                let written = &self.text[span.start..span.end];
                let is_kept = |text: &str| text.lines().next().is_some_and(|header| header.contains('+'));
                let is_block = text.starts_with(['|', '>']);
                let body = written.trim_end_matches([' ', '\t', '\r', '\n']);
                let end = match is_block && (is_kept(written) || is_kept(&text)) {
                    true => span.end,
                    false => self.line_after(span.start + body.len()).min(span.end),
                };
                let last = self.text[span.start..end].rfind(|letter| !"\r\n".contains(letter));
                let line_end = &self.text[last.map_or(end, |last| span.start + last)..end];
                let line_end = line_end.find(['\r', '\n']).map_or("", |at| &line_end[at..]);
                let text = match is_block {
                    // A file may end without one.
                    true if line_end.is_empty() => text.trim_end_matches(['\r', '\n']).to_owned(),
                    true => text,
                    false => format!("{text}{line_end}"),
                };
                Edit { span: Span { start: span.start, end }, text }
            }
            _ => Edit { span, text },
        }
    }

    /// Returns the start of the line after the one that has a byte, or the end of the keys.
    fn line_after(&self, at: usize) -> usize {
        self.text[at..self.keys.end].find('\n').map_or(self.keys.end, |newline| at + newline + 1)
    }
}

/// Returns what a format reads in a single value without quotes.
pub fn plain_value(syntax: Syntax, text: &str) -> Value {
    let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    let read = match syntax {
        // A cell has no type of its own.
        Syntax::Csv if is_number(text) => text.parse().ok().map(Value::Integer).or(text.parse().ok().map(Value::Float)),
        Syntax::Csv => text.parse().ok().map(Value::Bool),
        _ => {
            let key = match syntax {
                Syntax::Yaml => "x: ",
                Syntax::Toml => "x = ",
                _ => "",
            };
            let mut diagnostics = Vec::new();
            let node = syntax.parse_any(&SourcePath::new("value"), &format!("{key}{text}"), 0, &mut diagnostics);
            node.filter(|_| diagnostics.is_empty())
                .and_then(|node| if key.is_empty() { Some(node.value) } else { Some(node.get("x")?.value.clone()) })
        }
    };
    // A comment behind a number is a part of the text.
    let is_word = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-._".contains(letter));
    let is_single = |value: &Value| match value {
        Value::List(_) | Value::Map(_) => false,
        Value::Text(_) => true,
        _ => is_word || text == "~",
    };
    read.filter(is_single).unwrap_or_else(|| Value::Text(text.to_owned()))
}

fn is_alias(item: &Item) -> bool {
    matches!(item.data, Data::Alias(_))
}

fn plain() -> Scalar {
    Scalar { text: String::new(), style: Style::Plain, tag: None, indent: 0 }
}

/// Whether what was written is the meant value, as far as the tree shows it.
fn is_written(item: &Item, value: &Value) -> bool {
    let Some(scalar) = item.scalar() else { return false };
    match value {
        Value::Text(text) => scalar.text == *text,
        _ => scalar.style == Style::Plain,
    }
}

/// Returns where a text is in another, if it is there once.
pub fn once(text: &str, part: &str) -> Option<usize> {
    let mut all = text.match_indices(part);
    let first = all.next().filter(|_| !part.is_empty())?;
    all.next().is_none().then_some(first.0)
}

fn root_of(path: &SourcePath, syntax: Syntax, text: &str, keys: Span) -> Option<Item> {
    let part = &text[keys.start..keys.end];
    let mut root = match syntax {
        Syntax::Yaml => read::yaml(part)?,
        Syntax::Csv => read::csv(part)?,
        Syntax::Toml | Syntax::Json => {
            let mut diagnostics = Vec::new();
            let node = syntax.parse_any(path, part, 0, &mut diagnostics)?;
            // Of a repeated key the parser returns the first alone.
            return diagnostics.is_empty().then(|| {
                let mut root = read::node(&node, part);
                read::shift(&mut root, keys.start);
                root
            });
        }
    };
    read::shift(&mut root, keys.start);
    Some(root)
}

fn meaning_of(path: &SourcePath, syntax: Syntax, text: &str, keys: Span) -> Option<Node> {
    if syntax == Syntax::Csv {
        return None;
    }
    let mut diagnostics = Vec::new();
    let node = syntax.parse_any(path, &text[keys.start..keys.end], keys.start, &mut diagnostics);
    node.filter(|_| diagnostics.is_empty())
}

/// Returns a tree with another value at a place, or with none there if the function gives none.
fn edited(node: &Node, names: &[String], change: &dyn Fn(&Value) -> Option<Value>) -> Node {
    let mut node = node.clone();
    match (&mut node.value, names.split_first()) {
        (value, None) => {
            if let Some(new) = change(value) {
                *value = new;
            }
        }
        (Value::List(items), Some((name, rest))) => {
            if let Some(item) = name.parse().ok().and_then(|index: usize| items.get_mut(index)) {
                *item = edited(item, rest, change);
            }
        }
        (Value::Map(entries), Some((name, rest))) => {
            if let Some((_, value)) = entries.iter_mut().find(|(key, _)| key.name == *name) {
                *value = edited(value, rest, change);
            }
        }
        _ => {}
    }
    node
}

fn renamed(node: &Node, names: &[String], name: &str) -> Node {
    let Some((last, above)) = names.split_last() else { return node.clone() };
    edited(node, above, &|old| match old {
        Value::Map(entries) => {
            let rename = |(key, value): &(Key, Node)| {
                let name = if key.name == *last { name.to_owned() } else { key.name.clone() };
                (Key { name, span: key.span }, value.clone())
            };
            Some(Value::Map(entries.iter().map(rename).collect()))
        }
        _ => None,
    })
}
