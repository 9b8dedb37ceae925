//! Reads a file as a [tree](super::tree) with exact places.
//!
//! The parsers are those that the engine reads content with; of YAML it is the one beneath, since only its events have the bytes
//! of every value.

use super::tree::{Data, Item, Scalar, Style};
use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use sitegen_content::csv::Rows;
use sitegen_content::yaml::{Node, Value};
use sitegen_core::diagnostics::Span;
use std::collections::BTreeSet;

/// Deeper trees are refused by the engine's own parser.
const MAX_DEPTH: usize = 64;

/// Reads YAML. `None` for what is no YAML, and for a text with more than one document.
pub fn yaml(text: &str) -> Option<Item> {
    let mut events = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let range = span.byte_range()?;
        events.push((event, Span { start: range.start, end: range.end }, span.indent));
    }
    let repeated: BTreeSet<usize> = events.iter().filter_map(|(event, ..)| event.alias_id()).collect();
    let documents = events.iter().filter(|(event, ..)| matches!(event, Event::DocumentStart(..))).count();
    let is_node = |(event, ..): &(Event, Span, Option<usize>)| event.is_node();
    let first = events.iter().position(is_node)?;
    let mut reader = YamlReader { text, events: &events, next: first, repeated };
    (documents == 1).then(|| reader.node(0)).flatten()
}

struct YamlReader<'e, 't> {
    text: &'t str,
    events: &'e [(Event<'t>, Span, Option<usize>)],
    next: usize,
    repeated: BTreeSet<usize>,
}

impl YamlReader<'_, '_> {
    fn node(&mut self, depth: usize) -> Option<Item> {
        let (event, span, indent) = self.events.get(self.next)?;
        self.next += 1;
        if depth > MAX_DEPTH {
            return None;
        }
        let is_repeated = event.anchor_id().is_some_and(|anchor| self.repeated.contains(&anchor));
        let tag = event.tag().map(|tag| tag.original());
        match event {
            Event::Scalar(text, style, ..) => {
                let (span, style) = self.scalar(*span, *style)?;
                let indent = indent.unwrap_or_default();
                let scalar = Scalar { text: text.clone().into_owned(), style, tag, indent };
                Some(Item { span, data: Data::Scalar(scalar), is_repeated })
            }
            Event::Alias(_) => {
                let name = self.text.get(span.start..span.end)?.to_owned();
                Some(Item { span: *span, data: Data::Alias(name), is_repeated })
            }
            Event::SequenceStart(style, ..) => {
                let (start, is_flow) = (span.start, *style == StructureStyle::Flow);
                let mut items = Vec::new();
                while !matches!(self.events.get(self.next)?.0, Event::SequenceEnd) {
                    items.push(self.node(depth + 1)?);
                }
                let last = items.last().map(|item: &Item| item.span.end);
                let span = Span { start, end: self.end(is_flow, last) };
                Some(Item { span, data: Data::List { items, is_flow }, is_repeated })
            }
            Event::MappingStart(style, ..) => {
                let (start, is_flow) = (span.start, *style == StructureStyle::Flow);
                let mut entries = Vec::new();
                while !matches!(self.events.get(self.next)?.0, Event::MappingEnd) {
                    let key = self.node(depth + 1)?;
                    let mut value = self.node(depth + 1)?;
                    self.place_empty(&key, &mut value);
                    entries.push((key, value));
                }
                let last = entries.last().map(|(key, value): &(Item, Item)| value.span.end.max(key.span.end));
                let span = Span { start, end: self.end(is_flow, last) };
                Some(Item { span, data: Data::Map { entries, is_flow }, is_repeated })
            }
            _ => None,
        }
    }

    /// Consumes the event that ends a list or mapping, and returns where it ends: at its bracket, or after the last value.
    fn end(&mut self, is_flow: bool, last: Option<usize>) -> usize {
        let end = self.events[self.next].1;
        self.next += 1;
        if is_flow { end.end } else { last.unwrap_or(end.start) }
    }

    /// The event of a block of text begins after its first indentation, and ends after the empty lines that follow.
    fn scalar(&self, span: Span, style: ScalarStyle) -> Option<(Span, Style)> {
        let style = match style {
            ScalarStyle::Plain if span.start == span.end => Style::Empty,
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::Single,
            ScalarStyle::DoubleQuoted => Style::Double,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        if !matches!(style, Style::Literal | Style::Folded) {
            return Some((span, style));
        }
        let mut end = self.text[..span.start].rfind('\n')? + 1;
        loop {
            let start = self.text[..end.checked_sub(1)?].rfind('\n').map_or(0, |newline| newline + 1);
            let line = &self.text[start..end];
            if !line.trim().is_empty() {
                let code = line.find(" #").map_or(line, |comment| &line[..comment]).trim_end();
                let header = code.rfind(['|', '>'])?;
                return Some((Span { start: start + header, end: span.end }, style));
            }
            end = start;
        }
    }

    /// The event of an empty value is before the colon of its key.
    fn place_empty(&self, key: &Item, value: &mut Item) {
        if !value.scalar().is_some_and(|scalar| scalar.style == Style::Empty && scalar.tag.is_none()) {
            return;
        }
        let after = &self.text[key.span.end..];
        let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
        // A value that has a name is written after the name.
        let is_alone = |rest: &str| !rest.trim_start_matches([' ', '\t']).starts_with(['&', '!']);
        if after[blank..].strip_prefix(':').is_some_and(is_alone) {
            let at = key.span.end + blank + 1;
            value.span = Span { start: at, end: at };
        }
    }
}

/// Reads the tree of a parser whose places are exact.
pub fn node(node: &Node, text: &str) -> Item {
    let written = text.get(node.span.start..node.span.end).unwrap_or_default();
    let is_flow = written.starts_with(['[', '{']);
    let data = match &node.value {
        Value::List(items) => Data::List { items: items.iter().map(|item| self::node(item, text)).collect(), is_flow },
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| {
                let style = style_of(text.get(key.span.start..key.span.end).unwrap_or_default());
                (single(key.span, key.name.clone(), style), self::node(value, text))
            });
            Data::Map { entries: entries.collect(), is_flow }
        }
        Value::Text(value) if style_of(written) != Style::Plain => {
            return single(node.span, value.clone(), style_of(written));
        }
        _ => return single(node.span, written.to_owned(), Style::Plain),
    };
    Item { span: node.span, data, is_repeated: false }
}

/// Reads a table: a list of rows, each a list of cells.
pub fn csv(text: &str) -> Option<Item> {
    let mut rows = Vec::new();
    for row in Rows::of(text).ok()? {
        let row = row.ok()?;
        let cell = |cell: &sitegen_content::csv::Cell| {
            let style = match &text[cell.span.start..cell.span.end] {
                "" => Style::Empty,
                written => style_of(written),
            };
            single(cell.span, cell.text.clone().into_owned(), if style == Style::Single { Style::Plain } else { style })
        };
        let items = row.cells.iter().map(cell).collect();
        rows.push(Item { span: row.span(), data: Data::List { items, is_flow: false }, is_repeated: false });
    }
    let span = Span { start: 0, end: text.len() };
    Some(Item { span, data: Data::List { items: rows, is_flow: false }, is_repeated: false })
}

fn single(span: Span, text: String, style: Style) -> Item {
    let scalar = Scalar { text, style, tag: None, indent: 0 };
    Item { span, data: Data::Scalar(scalar), is_repeated: false }
}

fn style_of(written: &str) -> Style {
    match written.as_bytes() {
        [b'"', b'"', b'"', ..] | [b'\'', b'\'', b'\'', ..] => Style::Triple,
        [b'"', ..] => Style::Double,
        [b'\'', ..] => Style::Single,
        _ => Style::Plain,
    }
}

/// Moves all places of a tree to those of a file in which its text begins at an offset.
pub fn shift(item: &mut Item, offset: usize) {
    item.span = item.span.shifted(offset);
    match &mut item.data {
        Data::List { items, .. } => items.iter_mut().for_each(|item| shift(item, offset)),
        Data::Map { entries, .. } => entries.iter_mut().for_each(|(key, value)| {
            shift(key, offset);
            shift(value, offset);
        }),
        _ => {}
    }
}
