//! Validates content against JSON Schemas (2020-12) and finds the key or value of the file that is wrong.

mod violation;

use super::web_address::is_absolute;
use super::yaml::{Node, Value};
use jsonschema::Validator;
use serde_json::Value as Json;
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{Diagnostic, FileProblem, MOST, Place, SchemaProblem, Span, YamlProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{JoinedText, SCHEMA, SourceKind, Sources};
use std::collections::BTreeMap;
use std::sync::Arc;
use violation::Violation;

/// The schema of `site.yaml`: what the engine reads from it.
pub const SITE: &str = include_str!("site.schema.json");
/// The schema of every page: the keys that the engine reads.
pub const PAGE: &str = include_str!("page.schema.json");

/// Returns the schema of a page that makes another file than HTML. Such a file needs no title.
pub fn of_file() -> String {
    PAGE.replacen("\"required\": [\"title\"],", "", 1)
}

/// The schema of every entry of a collection: the keys that the engine reads.
pub const ENTRY: &str = include_str!("entry.schema.json");

/// The schema of the description beside a picture.
pub const PICTURE: &str = include_str!("picture.schema.json");

/// A compiled schema and its text, which messages quote.
#[derive(Debug)]
pub struct Schema {
    /// Its file. None for one of the engine.
    path: Option<SourcePath>,
    json: Json,
    validator: Validator,
}

/// The schemas of a project by what they validate: `site`, `platforms`, `pages/home`.
#[derive(Default)]
pub struct Schemas(BTreeMap<String, Arc<Schema>>);

/// A file whose positions are needed, with its text.
pub struct Text<'a> {
    /// From the root of the project.
    pub path: &'a SourcePath,
    /// The whole file: positions are offsets in it.
    pub text: JoinedText<'a>,
}

impl Schema {
    /// Returns a schema that is part of the engine, compiled once per process.
    pub fn built_in(text: &str, cache: &Cache) -> Arc<Self> {
        cache
            .query(&Compiled { path: None, text })
            .unwrap_or_else(|(detail, _)| panic!("a schema of the engine: {detail}"))
    }

    /// Reports everything in `node` that the schema does not allow, at the key or value itself.
    ///
    /// `passed_over` are top-level keys that are checked elsewhere.
    pub fn check(&self, node: &Node, file: &Text, passed_over: &[&str], diagnostics: &mut Vec<Diagnostic>) {
        let mut instance = node.to_json();
        drop_empty(&mut instance);
        for error in self.validator.iter_errors(&instance) {
            for (problem, span) in Violation::new(self, &error, node, file, passed_over).problems() {
                let diagnostic = Diagnostic::new(problem, Place::new(file.path, span));
                // Two rules of a schema may report the same key.
                if !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
            if diagnostics.len() > MOST {
                break;
            }
        }
    }

    /// Returns the schema itself.
    pub fn json(&self) -> &Json {
        &self.json
    }

    /// Returns the top-level keys that the schema names.
    pub fn keys(&self) -> Vec<&str> {
        properties(Some(&self.json))
    }

    /// Whether the schema allows a value at a path of keys, and the value is telling: one of a few words, a date, `true` or
    /// `false`, or a list or map with something in it. Any other text fits many keys.
    pub fn is_made_for(&self, path: &[&str], value: &Node) -> bool {
        let Some(schema) = self.property(path) else { return false };
        let names_choices = schema.get("enum").is_some() || schema.get("format").is_some_and(|format| format == "date");
        let is_telling = match &value.value {
            Value::Bool(_) => true,
            Value::List(items) => !items.is_empty(),
            Value::Map(entries) => !entries.is_empty(),
            Value::Text(_) => names_choices,
            _ => false,
        };
        let instance = path.iter().rfold(value.to_json(), |value, key| serde_json::json!({ *key: value }));
        let depth = path.len();
        is_telling
            && self.validator.iter_errors(&instance).all(|error| {
                // Other keys may be required beside it.
                error.instance_path().to_string().matches('/').count() < depth
            })
    }

    fn property(&self, path: &[&str]) -> Option<&Json> {
        path.iter().try_fold(&self.json, |schema, key| schema.get("properties")?.get(key))
    }

    /// Reads the schema in a file, compiled once per process. What is wrong with it is reported there.
    pub fn of_file(
        sources: &Sources,
        path: &SourcePath,
        cache: &Cache,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Arc<Self>> {
        let mut report = |detail: String, span: Span| {
            diagnostics.push(Diagnostic::new(SchemaProblem::BadSchema { detail }, Place::new(path, span)));
        };
        let Some(text) = sources.text(path) else {
            diagnostics.push(Diagnostic::new(YamlProblem::NotUtf8, Place::file(path)));
            return None;
        };
        cache.query(&Compiled { path: Some(path), text }).map_err(|(detail, span)| report(detail, span)).ok()
    }
}

impl Schemas {
    /// Compiles every `content/schemas/**.schema.json`.
    pub fn of(sources: &Sources, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut schemas = BTreeMap::new();
        for (path, _) in sources.of(SourceKind::Schema) {
            let Some(name) = path.below("content/schemas").and_then(|name| name.strip_suffix(SCHEMA)) else {
                let problem = FileProblem::UnexpectedFile { expected: "a name that ends in `.schema.json`" };
                diagnostics.push(Diagnostic::new(problem, Place::file(path)));
                continue;
            };
            let compiled = Schema::of_file(sources, path, cache, diagnostics);
            schemas.extend(compiled.map(|schema| (name.to_owned(), schema)));
        }
        Schemas(schemas)
    }

    /// Returns the names of the schemas.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the schema with a name, if the project has one.
    pub fn get(&self, name: &str) -> Option<&Schema> {
        self.0.get(name).map(Arc::as_ref)
    }
}

/// The schema of a text, compiled once per process: compiling takes longer than validating a page.
#[derive(Hash)]
struct Compiled<'a> {
    path: Option<&'a SourcePath>,
    text: &'a str,
}

impl Query for Compiled<'_> {
    const KIND: &'static str = "schema";
    type Output = Schema;
    /// What is wrong with the schema, and where.
    type Refused = (String, Span);

    fn run(&self, _: &Cache) -> Result<Schema, (String, Span)> {
        let json: Json = serde_json::from_str(self.text).map_err(|error| {
            let lines = self.text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let line: usize = lines.map(str::len).sum();
            let detail = error.to_string();
            let detail = detail.split(" at line ").next().unwrap_or(&detail).to_owned();
            (detail, Span::at((line + error.column().saturating_sub(1)).min(self.text.len()), 1))
        })?;
        if Expansion::of(&json) > MOST_EXPANDED {
            let detail =
                format!("its references expand to more than {MOST_EXPANDED} parts; refer to each part fewer times");
            return Err((detail, Span::at(self.text.find("\"$ref\"").unwrap_or_default(), "\"$ref\"".len())));
        }
        let validator = compile(&json).map_err(|detail| (detail, Span::at(0, 1)))?;
        Ok(Schema { path: self.path.cloned(), json, validator })
    }
}

/// The most parts that a schema may have when each reference is replaced by what it refers to. The validator does that,
/// and references that double at each step would take all time and memory.
const MOST_EXPANDED: u64 = 20_000;
/// How deep a schema may be nested, including what its references refer to.
const MOST_DEEP: usize = 400;

/// Counts the parts of a schema with all references replaced, each part once.
struct Expansion<'a> {
    root: &'a Json,
    /// The parts of each reference. One that is being counted has 0: it leads back to itself.
    counted: BTreeMap<&'a str, u64>,
}

impl<'a> Expansion<'a> {
    fn of(root: &'a Json) -> u64 {
        Self { root, counted: BTreeMap::new() }.count(root, 0)
    }

    fn count(&mut self, part: &'a Json, depth: usize) -> u64 {
        if depth > MOST_DEEP {
            return u64::MAX;
        }
        match part {
            Json::Array(items) => {
                items.iter().fold(1, |sum: u64, item| sum.saturating_add(self.count(item, depth + 1)))
            }
            Json::Object(map) => map.iter().fold(1, |sum: u64, (key, value)| {
                let parts = match (key.as_str(), value) {
                    ("$ref" | "$dynamicRef", Json::String(name)) => self.referred(name, depth + 1),
                    // What nothing refers to is not compiled.
                    ("$defs" | "definitions", _) => 0,
                    _ => self.count(value, depth + 1),
                };
                sum.saturating_add(parts)
            }),
            _ => 0,
        }
    }

    fn referred(&mut self, name: &'a str, depth: usize) -> u64 {
        if let Some(parts) = self.counted.get(name) {
            return *parts;
        }
        self.counted.insert(name, 0);
        let parts = target(self.root, name).map_or(0, |part| self.count(part, depth));
        self.counted.insert(name, parts);
        parts
    }
}

/// Returns the part of a schema that a reference names by its path, its anchor or its `$id`.
pub fn target<'a>(root: &'a Json, name: &str) -> Option<&'a Json> {
    let name = percent_encoding::percent_decode_str(name).decode_utf8().ok()?;
    let (file, fragment) = name.split_once('#').unwrap_or((&name, ""));
    let base = if file.is_empty() { root } else { named(root, &["$id"], file)? };
    match fragment {
        "" => Some(base),
        path if path.starts_with('/') => base.pointer(path),
        anchor => named(base, &["$anchor", "$dynamicAnchor"], anchor),
    }
}

fn named<'a>(part: &'a Json, keys: &[&str], name: &str) -> Option<&'a Json> {
    let is_named = |key: &&str| part.get(*key).and_then(Json::as_str) == Some(name);
    match part {
        Json::Object(_) if keys.iter().any(is_named) => Some(part),
        Json::Object(map) => map.values().find_map(|value| named(value, keys, name)),
        Json::Array(items) => items.iter().find_map(|item| named(item, keys, name)),
        _ => None,
    }
}

/// Compiles a schema that refers to nothing outside itself: a build reads no network and no other files.
pub(super) fn compile(json: &Json) -> Result<Validator, String> {
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        // Browsers also take letters of other scripts, as in `https://bücher.example` (URL Standard).
        .with_format("uri", is_absolute)
        .offline()
        .build(json)
        .map_err(|error| error.to_string())
}

/// Removes the keys whose value is `""`: editors empty a field rather than delete its line.
fn drop_empty(json: &mut Json) {
    match json {
        Json::Object(map) => {
            map.retain(|_, value| value.as_str() != Some(""));
            map.values_mut().for_each(drop_empty);
        }
        Json::Array(items) => items.iter_mut().for_each(drop_empty),
        _ => {}
    }
}

fn properties(schema: Option<&Json>) -> Vec<&str> {
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    properties.map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;
    use sitegen_core::diagnostics::code;

    fn check(schema: &str, text: &str) -> Vec<(&'static str, String)> {
        let path = SourcePath::new("content/a.yaml");
        let node = yaml::parse(&path, text, 0).unwrap();
        let mut diagnostics = Vec::new();
        Schema::built_in(schema, &Cache::default()).check(
            &node,
            &Text { path: &path, text: text.into() },
            &["engine"],
            &mut diagnostics,
        );
        diagnostics
            .iter()
            .map(|each| {
                let span = each.place.as_ref().unwrap().span.unwrap();
                (code(&each.problem), text[span.start..span.end].to_owned())
            })
            .collect()
    }

    const SCHEMA: &str = r#"{
        "type": "object", "additionalProperties": false, "required": ["name"],
        "properties": {
            "name": { "type": "string", "description": "The name." },
            "link": { "type": "string", "format": "uri" },
            "state": { "enum": ["live", "development"] },
            "list": { "type": "array", "minItems": 2, "items": {
                "type": "object", "additionalProperties": false, "properties": { "label": { "type": "string" } } } }
        },
        "if": { "properties": { "state": { "const": "live" } }, "required": ["state"] },
        "else": { "properties": { "link": false } }
    }"#;

    #[test]
    fn mistakes_are_placed_at_the_key_or_the_value() {
        let text = "nmae: A\nengine: 1\nlink: nowhere\nstate: life\nlist:\n  - label: 1.10\n    lable: x\n";
        let diagnostics = check(SCHEMA, text);
        for expected in [
            ("unknown-key", "nmae"),
            ("bad-format", "nowhere"),
            ("not-a-choice", "life"),
            ("forbidden-key", "link"),
            ("wrong-type", "1.10"),
            ("unknown-key", "lable"),
            ("wrong-length", "list"),
        ] {
            assert!(diagnostics.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {diagnostics:?}");
        }
        assert_eq!(diagnostics.len(), 7, "{diagnostics:?}");
    }

    #[test]
    fn an_empty_text_counts_as_absent() {
        assert_eq!(check(SCHEMA, "name: A\nlink: \"\"\n"), []);
        assert_eq!(check(SCHEMA, "name: \"\"\n"), [("empty-key", "name".to_owned())]);
    }

    #[test]
    fn an_invalid_schema_is_reported_in_its_file() {
        let sources = Sources::from_files([
            ("content/schemas/a.schema.json", "{ \"type\": }"),
            ("content/schemas/b.schema.json", "{ \"type\": \"sting\" }"),
            ("content/schemas/c.json", "{}"),
        ]);
        let mut diagnostics = Vec::new();
        Schemas::of(&sources, &Cache::default(), &mut diagnostics);
        let codes: Vec<_> = diagnostics.iter().map(|each| code(&each.problem)).collect();
        assert_eq!(codes, ["bad-schema", "bad-schema", "unexpected-file"]);
    }

    #[test]
    fn references_that_double_at_each_step_are_refused() {
        for kind in ["allOf", "anyOf"] {
            let step = |i| {
                format!(
                    "\"a{i}\": {{ \"{kind}\": [{{ \"$ref\": \"#/$defs/a{0}\" }}, {{ \"$ref\": \"#/$defs/a{0}\" }}] }}",
                    i + 1
                )
            };
            let schema = |depth: usize| {
                let steps: Vec<_> = (0..depth).map(step).collect();
                let steps = steps.join(",\n");
                format!(
                    "{{ \"$defs\": {{ {steps}, \"a{depth}\": {{}} }}, \"properties\": {{ \"q\": {{ \"$ref\": \"#/$defs/a0\" }} }} }}"
                )
            };
            for (depth, count) in [(4, 0), (60, 1)] {
                let sources = Sources::from_files([("content/schemas/a.schema.json", schema(depth))]);
                let mut diagnostics = Vec::new();
                Schemas::of(&sources, &Cache::default(), &mut diagnostics);
                assert_eq!(diagnostics.len(), count, "{kind} {depth}");
            }
        }
        let tree = r##"{ "properties": { "left": { "$ref": "#" }, "right": { "$ref": "#" } } }"##;
        assert!(Expansion::of(&serde_json::from_str(tree).unwrap()) < 50);
    }
}
