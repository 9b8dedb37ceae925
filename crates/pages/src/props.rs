//! Checks the props of islands against the schema beside the component: `islands/Signup.schema.json` of `Signup.tsx`.
//!
//! Props come from a template, and most of what is in them from YAML. A mistake is reported where the YAML has it, so it is
//! found by its path: `text.consent` of the props is `text.consent` of a file, whatever stands before it there.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sitegen_content::schema::{Schema, Text};
use sitegen_content::yaml::{Key, Node, Value};
use sitegen_content::{Document, View};
use sitegen_core::cache::Cache;
use sitegen_core::diagnostics::{Diagnostic, IslandProblem, Place, Problem, Span, label, message};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SCHEMA, SourceKind, Sources};
use sitegen_islands::{self as islands, Islands};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The schemas of islands, by the names of these.
pub type Schemas = BTreeMap<String, Arc<Schema>>;

/// Reads the schemas of a site's islands. One that delivers forms has the engine's, unless the project has another.
pub fn schemas(sources: &Sources, islands: &Islands, cache: &Cache) -> Result<Schemas, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut schemas = Schemas::new();
    for (path, _) in sources.of(SourceKind::Props) {
        let name = path.below("islands").and_then(|name| name.strip_suffix(SCHEMA));
        if let Some(name) = name.filter(|name| islands.modules.contains_key(*name)) {
            let schema = Schema::of_file(sources, path, cache, &mut diagnostics);
            schemas.extend(schema.map(|schema| (name.to_owned(), schema)));
        }
    }
    for name in islands.plain.iter().filter(|name| delivers(sources, name)) {
        schemas.entry(name.clone()).or_insert_with(|| Schema::built_in(islands::DELIVER_SCHEMA, cache));
    }
    if diagnostics.is_empty() { Ok(schemas) } else { Err(diagnostics) }
}

/// Whether an island is the engine's script that delivers forms, and nothing else. A project that has its own knows what
/// that needs.
fn delivers(sources: &Sources, name: &str) -> bool {
    let text = sources.text(&islands::file_of(sources, name)).unwrap_or_default();
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code: String = code.chars().filter(|letter| !letter.is_whitespace() && *letter != ';').collect();
    sources.get(&SourcePath::new("islands/runtime/deliver.ts")).is_none()
        && code.replace('\'', "\"") == "export{mount}from\"./runtime/deliver\""
}

/// Where a mistake is in props.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// The keys that lead there.
    path: Vec<String>,
    /// What is there.
    value: Json,
    /// Whether the key is wrong, and not its value.
    is_key: bool,
}

/// Returns the first thing in the props of an island that its schema does not allow, and where it is.
pub fn check(component: &str, props: &Json, schema: &Schema) -> Option<(Problem, Spot)> {
    let mut written = Written { text: String::new(), spots: Vec::new() };
    let node = written.node(props, &mut Vec::new());
    let mut diagnostics = Vec::new();
    let path = SourcePath::new("props");
    schema.check(&node, &Text { path: &path, text: written.text.as_str().into() }, &[], &mut diagnostics);
    let first = diagnostics.into_iter().next()?;
    let (detail, fix) = (message(&first.problem), label(&first.problem));
    let span = first.place.and_then(|place| place.span).unwrap_or_default();
    let spot = written.spots.into_iter().find(|(own, ..)| *own == span);
    let spot = spot.map_or(Spot { path: Vec::new(), value: Json::Null, is_key: false }, |(_, spot)| spot);
    // The keys of the island itself are written in the template, and may be anything in YAML.
    Some((IslandProblem::IslandProps { component: component.to_owned(), detail, fix }.into(), spot))
}

/// Props as a file in which every key and value has a place.
struct Written {
    text: String,
    spots: Vec<(Span, Spot)>,
}

impl Written {
    fn node(&mut self, json: &Json, path: &mut Vec<String>) -> Node {
        let start = self.text.len();
        let value = match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(number) => Value::Integer(number),
                None => Value::Float(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => {
                self.text.push('[');
                let item = |(number, item): (usize, &Json)| {
                    path.push(number.to_string());
                    let node = self.node(item, path);
                    path.pop();
                    self.text.push(',');
                    node
                };
                Value::List(items.iter().enumerate().map(item).collect())
            }
            Json::Object(map) => {
                self.text.push('{');
                let entry = |(name, value): (&String, &Json)| {
                    path.push(name.clone());
                    let from = self.text.len();
                    self.text.push_str(name);
                    let span = Span { start: from, end: self.text.len() };
                    self.spots.push((span, Spot { path: path.clone(), value: value.clone(), is_key: true }));
                    self.text.push_str(": ");
                    let node = self.node(value, path);
                    path.pop();
                    self.text.push('\n');
                    (Key { name: name.clone(), span }, node)
                };
                Value::Map(map.iter().map(entry).collect())
            }
        };
        if !matches!(json, Json::Array(_) | Json::Object(_)) {
            match json.as_str() {
                Some(text) => self.text.push_str(text),
                None => self.text.push_str(&json.to_string()),
            }
        }
        let span = Span { start, end: self.text.len() };
        self.spots.push((span, Spot { path: path.clone(), value: json.clone(), is_key: false }));
        Node { value, span }
    }
}

/// Returns the place in content that a spot in props most probably comes from: the same keys with the same value. `None`
/// for what a template has written itself.
pub fn place(view: &View, page: &Document, spot: &Spot) -> Option<Place> {
    let documents = [(&page.source, &page.data)].into_iter().chain(view.keys());
    let mut best: Option<(usize, Place)> = None;
    for (path, data) in documents {
        find(data, &mut Vec::new(), spot, &mut |score, span| {
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, Place::new(path, span)));
            }
        });
    }
    best.map(|(_, place)| place)
}

fn find(node: &Node, path: &mut Vec<String>, spot: &Spot, found: &mut impl FnMut(usize, Span)) {
    let mut visit = |name: String, key: Option<Span>, child: &Node, path: &mut Vec<String>| {
        path.push(name);
        let same = path.iter().rev().zip(spot.path.iter().rev()).take_while(|(one, other)| one == other).count();
        if same > 0 && child.to_json() == spot.value {
            found(same, key.filter(|_| spot.is_key).unwrap_or(child.span));
        }
        find(child, path, spot, found);
        path.pop();
    };
    match &node.value {
        Value::Map(entries) => {
            entries.iter().for_each(|(key, child)| visit(key.name.clone(), Some(key.span), child, path));
        }
        Value::List(items) => {
            items.iter().enumerate().for_each(|(number, child)| visit(number.to_string(), None, child, path));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sitegen_core::diagnostics::code;

    const SCHEMA: &str = r#"{
        "type": "object", "additionalProperties": false, "required": ["text"],
        "properties": {
            "text": {
                "type": "object", "additionalProperties": false, "required": ["consent"],
                "properties": { "consent": { "type": "string" }, "send": { "type": "string" } }
            },
            "seconds": { "type": "integer" },
            "list": { "type": "array", "items": { "type": "string" } }
        }
    }"#;

    fn checked(props: Json) -> Option<(String, Vec<String>, bool)> {
        let schema = Schema::built_in(SCHEMA, &Cache::default());
        let (problem, spot) = check("Signup", &props, &schema)?;
        assert_eq!(code(&problem), "island-props");
        Some((message(&problem), spot.path, spot.is_key))
    }

    #[test]
    fn a_mistake_has_the_path_of_what_is_wrong() {
        assert_eq!(checked(json!({ "text": { "consent": "Yes" }, "seconds": 3, "list": ["a"] })), None);
        for (props, said, path, is_key) in [
            (json!({ "text": { "consnet": "Yes" } }), "consnet", vec!["text", "consnet"], true),
            (json!({ "text": { "consent": "Yes" }, "secs": 3 }), "secs", vec!["secs"], true),
            (json!({ "text": { "consent": "Yes" }, "seconds": "3" }), "number", vec!["seconds"], false),
            (json!({ "text": { "consent": "Yes" }, "list": ["a", 1] }), "text", vec!["list", "1"], false),
            (json!({ "text": { "send": "Send" } }), "consent", vec!["text"], true),
        ] {
            let (message, found, key) = checked(props.clone()).unwrap_or_else(|| panic!("{props}"));
            assert!(message.contains("`Signup`") && message.contains(said), "{message}");
            assert_eq!((found, key), (path.into_iter().map(str::to_owned).collect(), is_key), "{props}: {message}");
        }
    }
}
