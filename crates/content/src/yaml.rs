//! Parses YAML into a tree in which every key and value has its position.

use super::limits::{MAX_DEPTH, MAX_NODES, too_large};
use super::yaml_words as words;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{DuplicateKeyPolicy, Location, MergeKeyPolicy, NonFiniteFloatPolicy, Spanned};
use sitegen_core::diagnostics::{Diagnostic, MOST, Place, Problem, Span, YamlProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::JoinedText;
use std::fmt;
use std::hash::{Hash, Hasher};

const MAX_ALIASES: usize = 1_000;

/// A value and where it is written, in bytes.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub span: Span,
}

/// The values of YAML's JSON schema (YAML 1.2, chapter 10.2).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`, no other words.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping in the order it was written.
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Key {
    /// Without quotes.
    pub name: String,
    /// Where it was written.
    pub span: Span,
}

/// The places where values were written do not count.
impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.value).hash(state);
        match &self.value {
            Value::Null => {}
            Value::Bool(value) => value.hash(state),
            Value::Integer(number) => number.hash(state),
            Value::Float(number) => number.to_bits().hash(state),
            Value::Text(text) => text.hash(state),
            Value::List(items) => items.hash(state),
            Value::Map(entries) => {
                entries.len().hash(state);
                entries.iter().for_each(|(key, value)| (&key.name, value).hash(state));
            }
        }
    }
}

impl Node {
    /// Returns the items of a list, or none.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the value of a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(name, _)| name.name == key).map(|(_, node)| node)
    }

    /// Returns the keys and values of a mapping; for any other value it is empty.
    pub fn entries(&self) -> &[(Key, Node)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the text, if this is text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Calls a function with each text in it. The names of keys are no texts.
    pub fn each_text<'n>(&'n self, add: &mut impl FnMut(&'n str)) {
        match &self.value {
            Value::Text(text) => add(text),
            Value::List(items) => items.iter().for_each(|item| item.each_text(add)),
            Value::Map(entries) => entries.iter().for_each(|(_, value)| value.each_text(add)),
            _ => {}
        }
    }

    /// Replaces the text of a key that a mapping has.
    pub fn set_text(&mut self, key: &str, text: &str) {
        let Value::Map(entries) = &mut self.value else { return };
        if let Some((_, node)) = entries.iter_mut().find(|(name, _)| name.name == key) {
            node.value = Value::Text(text.to_owned());
        }
    }

    /// Calls a function with the place of each key and value in it.
    pub fn each_span(&mut self, change: &mut impl FnMut(&mut Span)) {
        change(&mut self.span);
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.each_span(change)),
            Value::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
                change(&mut key.span);
                value.each_span(change);
            }),
            _ => {}
        }
    }

    /// Returns the type in words an editor knows.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "`key: value` lines",
        }
    }

    /// Returns the value as JSON. A float that JSON cannot represent becomes `null`.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Integer(value) => (*value).into(),
            Value::Float(value) => (*value).into(),
            Value::Text(value) => value.as_str().into(),
            Value::List(items) => items.iter().map(Node::to_json).collect(),
            Value::Map(entries) => entries
                .iter()
                .map(|(key, node)| (key.name.clone(), node.to_json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

/// Parses a mapping from `text`, which begins at byte `offset` of the file. An empty text is an empty mapping.
pub fn parse(path: &SourcePath, text: &str, offset: usize) -> Result<Node, Diagnostic> {
    mapping(path, text, offset, parse_root(path, text, offset)?)
}

fn mapping(path: &SourcePath, text: &str, offset: usize, node: Node) -> Result<Node, Diagnostic> {
    let problem = || YamlProblem::NotAMapping { expected: "`key: value` lines", found: node.kind() };
    match node.value {
        Value::Map(_) => Ok(node),
        Value::Text(_) => {
            let (problem, span) = words::first_line(text)
                .map_or_else(|| (problem(), node.span), |(problem, span)| (problem, span.shifted(offset)));
            Err(Diagnostic::new(problem, Place::new(path, span)))
        }
        _ => Err(Diagnostic::new(problem(), Place::new(path, node.span))),
    }
}

fn parse_root(path: &SourcePath, text: &str, offset: usize) -> Result<Node, Diagnostic> {
    let error = |problem, span: Span| Diagnostic::new(problem, Place::new(path, span.shifted(offset)));
    if let Some(problem) = too_large(text) {
        return Err(error(problem, Span::default()));
    }
    if let Some(tab) = tab_in_indentation(text) {
        return Err(error(YamlProblem::YamlTab.into(), Span::at(tab, 1)));
    }
    let root: Spanned<Raw> =
        serde_yaml::from_str_with_options(text, options(DuplicateKeyPolicy::Error)).map_err(|failure| {
            let failure = failure.without_snippet();
            let at = failure.location().map_or(Span::default(), |location| span_of(text, location));
            let (problem, at) = problem_of(failure, text, at);
            error(problem.into(), at)
        })?;
    let node = root.value.into_node(span_of(text, root.referenced), text, offset);
    match node.value {
        Value::Null => Ok(Node { value: Value::Map(Vec::new()), span: node.span }),
        _ => Ok(node),
    }
}

/// Parses like [`parse`], and continues after repeated keys: each is reported, and the first one counts.
pub fn parse_all(path: &SourcePath, text: &str, offset: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    let node = parse_any(path, text, offset, diagnostics)?;
    mapping(path, text, offset, node).map_err(|problem| diagnostics.push(problem)).ok()
}

/// Parses like [`parse_all`], and takes a list as well as a mapping.
pub fn parse_any(path: &SourcePath, text: &str, offset: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    let first = match parse_root(path, text, offset) {
        Ok(node) => return Some(node),
        Err(first) => first,
    };
    // For a mapping that is merged into another, the lenient parser would return valid keys twice.
    if !matches!(*first.problem, Problem::Yaml(YamlProblem::DuplicateKey { .. })) || text.contains("<<") {
        diagnostics.push(first);
        return None;
    }
    let lenient = options(DuplicateKeyPolicy::LastWins);
    let Ok(root) = serde_yaml::from_str_with_options::<Spanned<Raw>>(text, lenient) else {
        diagnostics.push(first);
        return None;
    };
    let mut node = root.value.into_node(span_of(text, root.referenced), text, offset);
    let before = diagnostics.len();
    keep_first(path, &mut node, diagnostics);
    if diagnostics.len() > before {
        return Some(node);
    }
    diagnostics.push(first);
    None
}

/// Removes repeated keys, and reports them.
fn keep_first(path: &SourcePath, node: &mut Node, diagnostics: &mut Vec<Diagnostic>) {
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| keep_first(path, item, diagnostics)),
        Value::Map(entries) => {
            let mut seen = std::collections::BTreeSet::new();
            entries.retain(|(key, _)| {
                let is_fresh = seen.insert(key.name.clone());
                if !is_fresh {
                    let problem = YamlProblem::DuplicateKey { key: key.name.clone() };
                    diagnostics.push(Diagnostic::new(problem, Place::new(path, key.span)));
                }
                is_fresh
            });
            entries.iter_mut().for_each(|(_, item)| keep_first(path, item, diagnostics));
        }
        _ => {}
    }
}

/// Reports every plain value of a tree that other programs, or a template, show differently from how it is written.
pub fn ambiguous(path: &SourcePath, text: JoinedText, node: &Node, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.len() > MOST {
        return;
    }
    let written = text.get(node.span.start..node.span.end).unwrap_or_default();
    // A value that is repeated, or has a type, is written elsewhere or in another way.
    if written.starts_with(['*', '"', '\'']) && !matches!(node.value, Value::List(_) | Value::Map(_)) {
        return;
    }
    let read_as = match &node.value {
        Value::Integer(number) if number.to_string() != written => Some(format!("the number {number}")),
        Value::Float(number) if number.to_string() != written => Some(format!("the number {number}")),
        // YAML 1.1, which many programs still use, has more words for these (yaml.org/type/bool.html).
        Value::Text(word) if word == written => match word.to_ascii_lowercase().as_str() {
            "yes" | "on" | "y" => Some("`true` in many programs".to_owned()),
            "no" | "off" | "n" => Some("`false` in many programs".to_owned()),
            _ => None,
        },
        _ => None,
    };
    if let Some(read_as) = read_as {
        let problem = YamlProblem::YamlAmbiguous { written: written.to_owned(), read_as };
        diagnostics.push(Diagnostic::new(problem, Place::new(path, node.span)));
    }
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| ambiguous(path, text, item, diagnostics)),
        Value::Map(entries) => entries.iter().for_each(|(_, item)| ambiguous(path, text, item, diagnostics)),
        _ => {}
    }
}

fn options(duplicate_keys: DuplicateKeyPolicy) -> serde_yaml::Options {
    serde_yaml::options! {
        duplicate_keys: duplicate_keys,
        budget: serde_yaml::budget! {
            max_nodes: MAX_NODES,
            max_depth: MAX_DEPTH,
            max_aliases: MAX_ALIASES,
        },
        merge_keys: MergeKeyPolicy::Merge,
        alias_limits: serde_yaml::alias_limits! { max_total_replayed_events: MAX_NODES },
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    }
}

/// Finds a tab in the indentation; the parser's own message speaks of tokens.
fn tab_in_indentation(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        // A blank line, or one that continues a block text, may contain tabs; YAML defines where, and a tab before a
        // `key:` or a `- item` is never right.
        let rest = &line[indentation..];
        let structural = rest.starts_with("- ")
            || rest.split_once(':').is_some_and(|(key, value)| {
                !key.is_empty() && !key.contains(' ') && value.starts_with([' ', '\n', '\r'])
            });
        if let Some(tab) = line[..indentation].find('\t')
            && structural
        {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

fn problem_of(failure: &serde_yaml::Error, text: &str, at: Span) -> (YamlProblem, Span) {
    use serde_yaml::Error;
    let problem = match failure {
        Error::DuplicateMappingKey { key, .. } => YamlProblem::DuplicateKey { key: key.clone().unwrap_or_default() },
        Error::Budget { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            YamlProblem::YamlTooLarge { detail: words::limit(&first_line(failure), MAX_DEPTH, MAX_NODES) }
        }
        // An error inside an alias is reported as what it is.
        Error::AliasError { error, .. } => return problem_of(error, text, at),
        Error::MultipleDocuments { .. } => {
            YamlProblem::YamlSyntax { detail: "a second document begins here, but a file has only one".into() }
        }
        _ => return words::diagnose(text, &first_line(failure), at.start, failure_in),
    };
    (problem, at)
}

/// Returns where the parser gives up in a text.
pub fn failure_in(text: &str) -> Option<usize> {
    let read = serde_yaml::from_str_with_options::<Spanned<Raw>>(text, options(DuplicateKeyPolicy::LastWins));
    let failure = read.err()?;
    Some(failure.without_snippet().location().map_or(text.len(), |location| span_of(text, location).start))
}

/// Returns the parser's sentence without the position, which the place has already.
fn first_line(failure: &serde_yaml::Error) -> String {
    let text = failure.to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let line = line.split_once(": ").filter(|(head, _)| head.starts_with("line ")).map_or(line, |(_, rest)| rest);
    line.split(" at line ").next().unwrap_or(line).trim().to_owned()
}

/// Converts a position to bytes. The parser gives bytes for what it has read, and lines and columns for errors.
fn span_of(text: &str, location: Location) -> Span {
    if let (Some(start), Some(length)) = (location.span().byte_offset(), location.span().byte_len()) {
        let start = (start as usize).min(text.len());
        return Span { start, end: (start + length as usize).min(text.len()) };
    }
    let line_start = match location.line() {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line as usize - 2).map_or(text.len(), |(at, _)| at + 1),
    };
    let column = (location.column() as usize).saturating_sub(1);
    let within = text[line_start..].char_indices().nth(column).map_or(0, |(at, _)| at);
    let at = line_start + within;
    Span::at(at, text[at..].chars().next().map_or(0, char::len_utf8))
}

/// A value as the parser returns it, before spans become bytes of the file.
enum Raw {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl Raw {
    fn into_node(self, span: Span, text: &str, offset: usize) -> Node {
        let nested = |item: Spanned<Raw>| item.value.into_node(span_of(text, item.referenced), text, offset);
        let value = match self {
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Integer(value) => Value::Integer(value),
            Raw::Float(value) => Value::Float(value),
            Raw::Text(value) => Value::Text(value),
            Raw::List(items) => Value::List(items.into_iter().map(nested).collect()),
            Raw::Map(entries) => Value::Map(
                entries
                    .into_iter()
                    .map(|(key, node)| {
                        let span = span_of(text, key.referenced).shifted(offset);
                        (Key { name: key.value, span }, nested(node))
                    })
                    .collect(),
            ),
        };
        Node { value, span: span.shifted(offset) }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(i64::try_from(value).map_or(Raw::Float(value as f64), Raw::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::code;

    fn read(text: &str) -> Result<Node, Diagnostic> {
        parse(&SourcePath::new("a.yaml"), text, 0)
    }

    fn fails(text: &str) -> (&'static str, Option<Span>) {
        let error = read(text).unwrap_err();
        (code(&error.problem), error.place.unwrap().span)
    }

    #[test]
    fn keys_and_values_know_their_bytes() {
        for prefix in ["", "\u{feff}", "# ein Kommentar: ä\r\n"] {
            let text = format!("{prefix}title: Ä b\r\nlist:\r\n  - one\r\n  - name: two\r\n");
            let root = read(&text).unwrap();
            let slice = |span: Span| &text[span.start..span.end];
            assert_eq!(slice(root.entries()[0].0.span), "title");
            assert_eq!(slice(root.get("title").unwrap().span), "Ä b");
            let Value::List(items) = &root.get("list").unwrap().value else { panic!() };
            assert_eq!(slice(items[0].span), "one");
            assert_eq!(slice(items[1].entries()[0].0.span), "name");
        }
    }

    #[test]
    fn only_true_and_false_are_booleans() {
        let root = read("a: true\nb: NO\nc: on\nd: 1.10\ne: 7\nf:\n").unwrap();
        assert_eq!(root.get("a").unwrap().value, Value::Bool(true));
        assert_eq!(root.get("b").unwrap().value, Value::Text("NO".into()));
        assert_eq!(root.get("c").unwrap().value, Value::Text("on".into()));
        assert_eq!(root.get("d").unwrap().value, Value::Float(1.1));
        assert_eq!(root.get("e").unwrap().value, Value::Integer(7));
        assert_eq!(root.get("f").unwrap().value, Value::Null);
    }

    #[test]
    fn mistakes_are_distinguished_and_placed() {
        assert_eq!(fails("a: 1\nnull: 2\n").0, "yaml-key");
        assert_eq!(fails("a: 1\n: 2\n").0, "yaml-key");
        assert_eq!(fails("a: 1\na: 2\n"), ("duplicate-key", Some(Span::at(5, 1))));
        assert_eq!(fails("a:\n\tb: 1\n"), ("yaml-tab", Some(Span::at(3, 1))));
        assert_eq!(fails("a: [1, 2\nb: 3\n").0, "yaml-syntax");
        assert_eq!(fails("- a\n- b\n").0, "not-a-mapping");
        assert_eq!(fails("a: 1\n---\nb: 2\n").0, "yaml-syntax");
    }

    #[test]
    fn hostile_input_is_refused_at_once() {
        assert!(read(&format!("a: {}", "[".repeat(100_000))).is_err());
        let mut bomb = String::from("a: &a [x,x,x,x,x,x,x,x,x,x]\n");
        for level in b'b'..b'k' {
            let (name, below) = (level as char, (level - 1) as char);
            bomb.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{below}"); 10].join(",")));
        }
        assert_eq!(fails(&bomb).0, "yaml-too-large");
    }
}
