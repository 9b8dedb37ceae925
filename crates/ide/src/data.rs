//! Which key or value of a YAML, TOML or JSON text an offset is in. The text is being written, so it may be broken: only what
//! stands before the offset is read, line by line, and by the indentation rather than by a parser.

use sitegen_content::front_matter;
use sitegen_content::syntax::Syntax;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;

/// A step on the way from the root of a file to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list.
    Item,
}

/// What is written at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The way to the mapping that has the key, or to the list that has the value.
    pub above: Vec<Step>,
    /// The part of an entry that the offset is in.
    pub part: Part,
    /// The word that is being written: from its first byte to the offset.
    pub typed: Span,
}

/// A part of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The key, or a line on which one may be written.
    Key,
    /// The value of a key. An item of a list has none.
    Value(Option<String>),
}

/// Returns the format of the keys of a file and the bytes that have them: all, or those of its front matter, whose end may not be
/// written yet. `None` for Markdown without front matter.
pub fn keys_of(path: &SourcePath, text: &str) -> Option<(Syntax, Span)> {
    if path.extension() != Some("md") {
        return Some((Syntax::of(path, text), Span { start: 0, end: text.len() }));
    }
    match front_matter::split(path, text) {
        Ok(parts) => Some((parts.syntax, Span::at(parts.front_matter_start, parts.front_matter.len()))),
        Err(_) if text.starts_with("---") => {
            let start = text.find('\n').map_or(text.len(), |at| at + 1);
            Some((Syntax::Yaml, Span { start, end: text.len() }))
        }
        Err(_) => None,
    }
}

/// Returns what is written at an offset of a file, if its keys are there. The way in a list of entries begins in one of them.
pub fn in_file(path: &SourcePath, text: &str, offset: usize) -> Option<Written> {
    let (syntax, keys) = keys_of(path, text)?;
    let mut written = at(syntax, text.get(keys.start..keys.end)?, offset.checked_sub(keys.start)?)?;
    written.typed = written.typed.shifted(keys.start);
    if SourceKind::is_list(&path.key()) && !written.above.is_empty() {
        // `[[team]]` and `{ "team": [` name the list before its items.
        let is_named = matches!(written.above[..], [Step::Key(_), Step::Item, ..]);
        written.above.drain(..if is_named { 2 } else { 1 });
    }
    Some(written)
}

/// Returns what is written at an offset of a text of keys and values. `None` in comments and in texts of several lines.
fn at(syntax: Syntax, text: &str, offset: usize) -> Option<Written> {
    let before = text.get(..offset)?;
    match syntax {
        Syntax::Yaml => yaml(before),
        Syntax::Toml => toml(before),
        Syntax::Json => json(before),
        Syntax::Csv => None,
    }
}

/// What a line of YAML has.
struct Line<'t> {
    /// The columns of its `- `, from left to right.
    dashes: Vec<usize>,
    /// The column of what follows them.
    column: usize,
    /// The key before a colon, and what stands after that.
    key: Option<(&'t str, &'t str)>,
}

impl<'t> Line<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let mut at = line.len() - line.trim_start_matches(' ').len();
        let mut dashes = Vec::new();
        while let Some(rest) = line[at..].strip_prefix('-')
            && (rest.is_empty() || rest.starts_with(' '))
        {
            dashes.push(at);
            at += 1 + (rest.len() - rest.trim_start_matches(' ').len());
        }
        let rest = &line[at..];
        let is_empty = rest.is_empty() || rest.starts_with('#');
        (!is_empty || !dashes.is_empty()).then(|| Line { dashes, column: at, key: key_of(rest) })
    }
}

/// Splits `key: value` at the colon.
fn key_of(rest: &str) -> Option<(&str, &str)> {
    let (key, value) = match rest.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = rest[1..].find(quote)? + 1;
            (&rest[1..end], rest[end + 1..].trim_start().strip_prefix(':')?)
        }
        _ => {
            let colon = rest.match_indices(':').map(|(at, _)| at);
            let at =
                colon.into_iter().find(|at| rest[at + 1..].is_empty() || rest[at + 1..].starts_with([' ', '\t']))?;
            (rest[..at].trim_end(), &rest[at + 1..])
        }
    };
    Some((key, value.trim_start()))
}

fn yaml(before: &str) -> Option<Written> {
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let current = &before[start..];
    if current.trim_start().starts_with('#') {
        return None;
    }
    let mut line = Line::of(current).unwrap_or(Line { dashes: Vec::new(), column: current.len(), key: None });
    // A key that is complete, with what was written of the value.
    let own = line.key.take().map(|(key, _)| key.to_owned());
    let mut above = Vec::new();
    let Line { dashes, column, .. } = &line;
    // The column that the keys around the value are left of, and whether the last step was a list, whose items may stand
    // below the key itself.
    let (mut want, mut is_item) = (*column, false);
    for dash in dashes.iter().rev() {
        above.push(Step::Item);
        (want, is_item) = (*dash, true);
    }
    for text in before[..start].lines().rev() {
        if want == 0 && !is_item {
            break;
        }
        let Some(line) = Line::of(text) else { continue };
        let is_key_above = line.key.is_some() && (line.column < want || is_item && line.column == want);
        let opens = line.dashes.iter().rev().filter(|dash| **dash < want && line.column >= want).copied();
        let opens: Vec<usize> = opens.collect();
        if is_key_above {
            let (key, value) = line.key.unwrap_or_default();
            // The lines of a text are no keys.
            if value.starts_with(['|', '>']) {
                return None;
            }
            // A key with a value on its line has no others below it.
            if value.is_empty() || value.starts_with(['#', '&', '!']) {
                above.push(Step::Key(key.to_owned()));
            } else {
                continue;
            }
            (want, is_item) = (line.column, false);
            for dash in line.dashes.iter().rev() {
                above.push(Step::Item);
                (want, is_item) = (*dash, true);
            }
        } else if line.dashes.first().is_some_and(|dash| *dash < want) && line.column == want {
            for dash in opens {
                above.push(Step::Item);
                (want, is_item) = (dash, true);
            }
        }
    }
    above.reverse();
    let content = start + column.min(&current.len());
    let rest = &before[content..];
    if has_comment(rest) {
        return None;
    }
    // A value is what follows the spaces after the colon, with those at its end.
    let value_start = match key_of(rest) {
        Some((_, value)) => before.len() - value.len(),
        None => content,
    };
    let written = &before[value_start..];
    if written.starts_with(['{', '[']) {
        if let Some(key) = own {
            above.push(Step::Key(key));
        }
        return flow(above, written, value_start);
    }
    let quote = usize::from(written.starts_with(['"', '\'']));
    let typed = Span { start: (value_start + quote).min(before.len()), end: before.len() };
    let part = match own {
        Some(key) => Part::Value(Some(key)),
        None if above.last() == Some(&Step::Item) && dashes.last().is_some() => {
            // What stands after a dash may become a key or a value: the schema decides.
            Part::Value(None)
        }
        None => Part::Key,
    };
    Some(Written { above, part, typed })
}

/// Whether a line has a comment at its end.
fn has_comment(line: &str) -> bool {
    let mut quote = None;
    let mut last = ' ';
    for letter in line.chars() {
        match (quote, letter) {
            (None, '#') if last == ' ' => return true,
            (None, '"' | '\'') if last == ' ' || last == '[' || last == '{' => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
        last = letter;
    }
    false
}

/// Reads `{ key: value, … }` and `[ … ]` up to its end, which is the offset.
fn flow(mut above: Vec<Step>, text: &str, start: usize) -> Option<Written> {
    // Of each bracket that is open: the key before it is on the way.
    let mut open: Vec<(char, Option<String>)> = Vec::new();
    let (mut word, mut key) = (0, None::<String>);
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(end), _) if end == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if text[word..at].trim().is_empty() => quote = Some(letter),
            (None, '{' | '[') => {
                open.push((letter, key.take()));
                word = at + 1;
            }
            (None, '}' | ']') => {
                open.pop();
                (word, key) = (at + 1, None);
            }
            (None, ':') if open.last().is_some_and(|(bracket, _)| *bracket == '{') => {
                key = Some(text[word..at].trim().trim_matches(['"', '\'']).to_owned());
                word = at + 1;
            }
            (None, ',') => (word, key) = (at + 1, None),
            _ => {}
        }
    }
    let mut is_map = None;
    for (number, (bracket, name)) in open.iter().enumerate() {
        // The way to the first is known.
        if number > 0 {
            above.extend(name.clone().map(Step::Key));
        }
        if *bracket == '[' {
            above.push(Step::Item);
        }
        is_map = Some(*bracket == '{');
    }
    let written = &text[word..];
    let lead = written.len() - written.trim_start_matches([' ', '\t', '\n', '\r']).len();
    let quote = usize::from(written[lead..].starts_with(['"', '\'']));
    let typed = Span { start: start + word + lead + quote, end: start + text.len() };
    let part = match (is_map?, key) {
        (true, None) => Part::Key,
        (_, key) => Part::Value(key),
    };
    Some(Written { above, part, typed })
}

fn json(before: &str) -> Option<Written> {
    let start = before.find('{')?;
    flow(Vec::new(), &before[start..], start)
}

fn toml(before: &str) -> Option<Written> {
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let (head, current) = (&before[..start], &before[start..]);
    if has_comment(current) || head.matches("\"\"\"").count() % 2 == 1 || head.matches("'''").count() % 2 == 1 {
        return None;
    }
    let table = head.lines().rev().map(str::trim).find(|line| line.starts_with('[') && line.ends_with(']'));
    let mut above: Vec<Step> = Vec::new();
    if let Some(table) = table {
        let is_list = table.starts_with("[[");
        above.extend(table.trim_matches(['[', ']']).split('.').map(|key| Step::Key(unquoted(key))));
        above.extend(is_list.then_some(Step::Item));
    }
    if current.trim_start().starts_with('[') {
        return None;
    }
    let Some((key, value)) = current.split_once('=') else {
        let typed = current.trim_start();
        let from = typed.rfind('.').map_or(0, |at| at + 1);
        above.extend(typed[..from].split('.').filter(|key| !key.is_empty()).map(|key| Step::Key(unquoted(key))));
        let typed = Span { start: before.len() - typed.len() + from, end: before.len() };
        return Some(Written { above, part: Part::Key, typed });
    };
    let mut keys: Vec<String> = key.split('.').map(unquoted).collect();
    let key = keys.pop();
    above.extend(keys.into_iter().map(Step::Key));
    let written = value.trim_start();
    let value_start = before.len() - written.len();
    if written.starts_with(['{', '[']) {
        above.extend(key.map(Step::Key));
        // TOML writes `=` in a map where YAML has a colon.
        return flow(above, &written.replace('=', ":"), value_start);
    }
    let quote = usize::from(written.starts_with(['"', '\'']));
    Some(Written { above, part: Part::Value(key), typed: Span { start: value_start + quote, end: before.len() } })
}

fn unquoted(key: &str) -> String {
    key.trim().trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the way, the part and the word at the `|` of a text.
    fn read(syntax: Syntax, text: &str) -> Option<(String, String, String)> {
        let offset = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let Written { above, part, typed } = at(syntax, &text, offset)?;
        let way = above.iter().map(|step| match step {
            Step::Key(key) => format!("{key}."),
            Step::Item => "[].".to_owned(),
        });
        let part = match part {
            Part::Key => "key".to_owned(),
            Part::Value(key) => format!("value of {}", key.unwrap_or_else(|| "an item".to_owned())),
        };
        Some((way.collect(), part, text[typed.start..typed.end].to_owned()))
    }

    #[test]
    fn a_place_in_yaml_is_found_by_its_indentation() {
        for (text, way, part, typed) in [
            ("ti|", "", "key", "ti"),
            ("title: A\nde|", "", "key", "de"),
            ("title: |", "", "value of title", ""),
            ("title: He|", "", "value of title", "He"),
            ("title: \"He|", "", "value of title", "He"),
            ("title: Über |", "", "value of title", "Über "),
            ("kind: wheat |", "", "value of kind", "wheat "),
            ("a:\n  kind: é ö  |", "a.", "value of kind", "é ö  "),
            ("- kind: ü |", "[].", "value of kind", "ü "),
            ("settings:\n  host: net|", "settings.", "value of host", "net"),
            ("settings:\n  # a comment\n\n  ho|", "settings.", "key", "ho"),
            ("settings:\n  pictures:\n    widths: 1\n  ho|", "settings.", "key", "ho"),
            ("links:\n  - label: A\n    to|", "links.[].", "key", "to"),
            ("links:\n- label: A\n  to|", "links.[].", "key", "to"),
            ("links:\n- label: A\n- to|", "links.[].", "value of an item", "to"),
            ("links:\n  - label: A\n    more:\n      - x: 1\n        y|", "links.[].more.[].", "key", "y"),
            ("a: 1\nlinks:\n  - label: A\n    href: /ab|", "links.[].", "value of href", "/ab"),
            ("list: { collection: ne|", "list.", "value of collection", "ne"),
            ("list: { collection: news, so|", "list.", "key", "so"),
            ("tags: [rye, wh|", "tags.[].", "value of an item", "wh"),
            ("a:\n  tags: [rye, { x: 1, y|", "a.tags.[].", "key", "y"),
            ("\"a b\":\n  c|", "a b.", "key", "c"),
        ] {
            let expected = Some((way.to_owned(), part.to_owned(), typed.to_owned()));
            assert_eq!(read(Syntax::Yaml, text), expected, "{text}");
        }
        for text in ["text: >\n  words |", "title: A # and |", "# x|"] {
            assert_eq!(read(Syntax::Yaml, text.trim_end_matches(' ')), None, "{text}");
        }
    }

    #[test]
    fn a_place_in_toml_and_json_is_found() {
        for (text, way, part, typed) in [
            ("ti|", "", "key", "ti"),
            ("[list]\nso|", "list.", "key", "so"),
            ("[[links]]\nlabel = \"A|", "links.[].", "value of label", "A"),
            ("list = { collection = \"ne|", "list.", "value of collection", "ne"),
            ("a.b|", "a.", "key", "b"),
        ] {
            let expected = Some((way.to_owned(), part.to_owned(), typed.to_owned()));
            assert_eq!(read(Syntax::Toml, text), expected, "{text}");
        }
        for (text, way, part, typed) in [
            ("{ \"ti|", "", "key", "ti"),
            ("{ \"list\": { \"collection\": \"ne|", "list.", "value of collection", "ne"),
            ("{ \"a\": [1, { \"b\": [\"x|", "a.[].b.[].", "value of an item", "x"),
            ("{ \"a\": { \"b\": 1 }, \"c|", "", "key", "c"),
        ] {
            let expected = Some((way.to_owned(), part.to_owned(), typed.to_owned()));
            assert_eq!(read(Syntax::Json, text), expected, "{text}");
        }
    }
}
