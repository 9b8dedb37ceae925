//! Validates content against JSON Schemas (2020-12) and finds the key or value of the file that is wrong.

use super::checks;
use super::syntax::Syntax;
use super::yaml::{Node, Value};
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value as Json;
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{
    Diagnostic, FileProblem, MOST, Place, Problem, SchemaProblem, Span, YamlProblem, meant,
};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SCHEMA, SourceKind, Sources};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    pub text: &'a str,
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
        let mut reported = Vec::new();
        for error in self.validator.iter_errors(&instance) {
            self.report(&error, node, file, passed_over, &mut reported);
            // Two rules of a schema may report the same key.
            for each in reported.drain(..) {
                if !diagnostics.contains(&each) {
                    diagnostics.push(each);
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

    fn report(
        &self,
        error: &ValidationError,
        root: &Node,
        file: &Text,
        passed_over: &[&str],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let pointer = error.instance_path().to_string();
        let steps: Vec<String> = pointer.split('/').skip(1).map(unescape).collect();
        let schema_path = error.schema_path().to_string();
        let parent = schema_path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let schema = self.json.pointer(parent);
        let description = |schema: Option<&Json>| Some(schema?.get("description")?.as_str()?.to_owned());
        let (node, key) = locate(root, &steps);
        let value = || node.text().map_or_else(|| error.instance().to_string(), str::to_owned);
        let mut report = |problem: Problem, span: Span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(file.path, span)));
        };
        match error.kind() {
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                for name in unexpected.iter().take(MOST + 1) {
                    if steps.is_empty() && passed_over.contains(&name.as_str()) {
                        continue;
                    }
                    match after_comma(node, name, file.text) {
                        Some(Split::First { written, span })
                            if written.replacen(',', ".", 1).parse::<f64>().is_ok() =>
                        {
                            let fix = Some(format!("`{}`, with a decimal point", written.replacen(',', ".", 1)));
                            let (expected, found) = ("a number".to_owned(), "two with a comma between them");
                            report(SchemaProblem::WrongType { expected, found, fix, code: None }.into(), span);
                            continue;
                        }
                        Some(Split::First { written, span }) => {
                            let reason = "a value in braces that contains `,`".to_owned();
                            report(YamlProblem::YamlQuotes { written, reason }.into(), span);
                            continue;
                        }
                        Some(Split::Later) => continue,
                        None => {}
                    }
                    let names = properties(schema);
                    let span = key_span(node, name).unwrap_or(node.span);
                    let nearest = meant(name, names.iter().copied().filter(|name| node.get(name).is_none()));
                    let known = names.into_iter().map(str::to_owned).collect();
                    report(
                        SchemaProblem::UnknownKey { key: name.clone(), nearest, known, schema: self.path.clone() }
                            .into(),
                        span,
                    );
                }
            }
            Kind::Required { property } => {
                let name = property.as_str().unwrap_or_default().to_owned();
                let names = properties(schema);
                // A misspelt key is missing too, and is reported once.
                let strangers = node.entries().iter().map(|(key, _)| key.name.as_str());
                let strangers = strangers.filter(|key| !names.contains(key) && !passed_over.contains(key));
                if let Some(key) = meant(&name, strangers) {
                    let span = key_span(node, &key).unwrap_or(node.span);
                    let known = names.into_iter().map(str::to_owned).collect();
                    report(
                        SchemaProblem::UnknownKey {
                            nearest: Some(key.within(name)),
                            key: key.word,
                            known,
                            schema: self.path.clone(),
                        }
                        .into(),
                        span,
                    );
                    return;
                }
                if let Some(span) = key_span(node, &name) {
                    report(SchemaProblem::EmptyKey { key: name }.into(), span);
                    return;
                }
                let of_key = schema.and_then(|schema| schema.get("properties")?.get(&name));
                let purpose = description(of_key);
                let is_item = steps.last().is_some_and(|step| step.parse::<usize>().is_ok());
                let span = start_of(node, key.filter(|_| !is_item), file.text);
                report(SchemaProblem::MissingKey { key: name, purpose }.into(), span);
            }
            Kind::Type { kind } => {
                let syntax = Syntax::of(file.path, file.text);
                let expected = type_name(kind, syntax);
                let plain = matches!(node.value, Value::Bool(_) | Value::Integer(_) | Value::Float(_));
                let written = &file.text[node.span.start..node.span.end];
                let fix = match (expected.as_str(), &node.value) {
                    ("text", _) if plain => Some(format!("`\"{written}\"`, in quotes")),
                    // As YAML reads it again: `"6.20"` is no whole number, and `6.20` is 6.2.
                    ("a whole number", Value::Text(text)) => {
                        text.parse::<i64>().ok().map(|number| format!("`{number}`, without quotes"))
                    }
                    ("a number", Value::Text(text)) => {
                        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                        number.map(|number| format!("`{number}`, without quotes"))
                    }
                    ("`true` or `false`", Value::Text(text)) => match text.to_lowercase().as_str() {
                        "yes" | "on" | "y" | "true" => Some("`true`".to_owned()),
                        "no" | "off" | "n" | "false" => Some("`false`".to_owned()),
                        _ => None,
                    },
                    ("a list", Value::Text(text)) if !text.contains('\n') && syntax != Syntax::Yaml => {
                        Some(format!("`[{}]`", Json::from(text.as_str())))
                    }
                    ("a list", Value::Text(text)) if !text.contains('\n') => {
                        Some(format!("`[{text}]`, or lines that begin with `- `"))
                    }
                    _ if expected.ends_with(syntax.mapping()) => keys_of(&expected, &properties(schema)),
                    _ => None,
                };
                // What is written in backticks, if it is the only way to write the value.
                let exact = fix.as_deref().and_then(|fix| fix.strip_prefix('`')?.split_once('`'));
                let exact = exact.filter(|(_, more)| ["", ", in quotes", ", without quotes"].contains(more));
                let code = exact
                    .filter(|_| expected != syntax.mapping())
                    .map(|(code, _)| (written.to_owned(), code.to_owned()));
                report(SchemaProblem::WrongType { expected, found: syntax.kind(node), fix, code }.into(), node.span);
            }
            Kind::Enum { options } => {
                let choices: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
                let value = value();
                let nearest = meant(&value, choices.iter().map(String::as_str));
                report(SchemaProblem::NotAChoice { value, choices, nearest }.into(), node.span);
            }
            // Names that an enumeration of `propertyNames` does not have.
            Kind::PropertyNames { error } => {
                let name = plain(error.instance());
                let span = key_span(node, &name).unwrap_or(node.span);
                let known: Vec<String> = match error.kind() {
                    Kind::Enum { options } => options.as_array().into_iter().flatten().map(plain).collect(),
                    _ => Vec::new(),
                };
                if let Some(problem) = checks::refused(&name, true).filter(|_| pointer == checks::POINTER) {
                    return report(problem, span);
                }
                let nearest = meant(&name, known.iter().map(String::as_str));
                report(SchemaProblem::UnknownKey { key: name, nearest, known, schema: self.path.clone() }.into(), span);
            }
            Kind::Constant { expected_value } => {
                let choices = vec![plain(expected_value)];
                report(SchemaProblem::NotAChoice { value: value(), choices, nearest: None }.into(), node.span);
            }
            Kind::MinLength { limit } => report(length(node, "characters", "at least", *limit), node.span),
            Kind::MaxLength { limit } => report(length(node, "characters", "at most", *limit), node.span),
            Kind::MinItems { limit } => report(length(node, "items", "at least", *limit), key.unwrap_or(node.span)),
            Kind::MaxItems { limit } => report(length(node, "items", "at most", *limit), key.unwrap_or(node.span)),
            Kind::Minimum { limit } => {
                report(SchemaProblem::Range { value: value(), limit: format!("at least {limit}") }.into(), node.span);
            }
            Kind::Maximum { limit } => {
                report(SchemaProblem::Range { value: value(), limit: format!("at most {limit}") }.into(), node.span);
            }
            Kind::Format { format } => {
                report(SchemaProblem::BadFormat { value: value(), format: format.clone() }.into(), node.span);
            }
            Kind::Pattern { pattern } => {
                let purpose = description(schema);
                report(
                    SchemaProblem::BadPattern { value: value(), pattern: pattern.clone(), purpose }.into(),
                    node.span,
                );
            }
            // `properties: { url: false }` and `{ not: {} }` forbid a key, given others.
            Kind::FalseSchema | Kind::Not { .. } => {
                let name = steps.last().cloned().unwrap_or_default();
                let reason = description(schema).or_else(|| description(self.json.pointer(&schema_path)));
                report(SchemaProblem::ForbiddenKey { key: name, reason }.into(), key.unwrap_or(node.span));
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                // The alternative with the fewest errors is what the editor had in mind.
                match context.iter().min_by_key(|errors| errors.len()).filter(|errors| !errors.is_empty()) {
                    Some(errors) => {
                        errors.iter().for_each(|error| self.report(error, root, file, passed_over, diagnostics))
                    }
                    None => report(SchemaProblem::SchemaRule { detail: error.to_string() }.into(), node.span),
                }
            }
            Kind::UniqueItems => {
                report(
                    SchemaProblem::SchemaRule { detail: "a list must not contain the same item twice".into() }.into(),
                    node.span,
                );
            }
            Kind::ExclusiveMinimum { limit } => {
                report(SchemaProblem::Range { value: value(), limit: format!("more than {limit}") }.into(), node.span);
            }
            Kind::ExclusiveMaximum { limit } => {
                report(SchemaProblem::Range { value: value(), limit: format!("less than {limit}") }.into(), node.span);
            }
            Kind::MultipleOf { multiple_of } => {
                report(
                    SchemaProblem::Range { value: value(), limit: format!("a multiple of {multiple_of}") }.into(),
                    node.span,
                );
            }
            _ => report(SchemaProblem::SchemaRule { detail: error.to_string() }.into(), node.span),
        }
    }
}

impl Schema {
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
fn target<'a>(root: &'a Json, name: &str) -> Option<&'a Json> {
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
        .offline()
        .build(json)
        .map_err(|error| error.to_string())
}

/// A key that is the part of a value behind a comma: `{ label: Rye, spelt or wheat? }`.
enum Split {
    /// The first such part, with the value as it was meant.
    First { written: String, span: Span },
    /// A part behind another comma.
    Later,
}

/// Finds a value in braces that a comma has cut into a value and keys without values.
fn after_comma(node: &Node, key: &str, text: &str) -> Option<Split> {
    let entries = node.entries();
    let at = entries.iter().position(|(each, _)| each.name == key)?;
    let is_part = |at: usize| {
        let (key, value) = &entries[at];
        let follows = text.get(key.span.end..).unwrap_or_default().trim_start();
        value.value == Value::Null && follows.starts_with([',', '}'])
    };
    let is_in_braces = text.get(node.span.start..)?.starts_with('{');
    let first = (1..=at).rev().take_while(|at| is_part(*at)).last().filter(|_| is_in_braces)?;
    if first < at {
        return Some(Split::Later);
    }
    let end = (at..entries.len()).take_while(|at| is_part(*at)).last().map(|last| entries[last].0.span.end)?;
    let start = entries[first - 1].1.span.start;
    let written = text.get(start..end).filter(|written| !written.starts_with(['"', '\'', '[', '{']))?;
    Some(Split::First { written: written.to_owned(), span: Span { start, end } })
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

/// Returns the node at the end of a path, and the span of its key.
fn locate<'n>(root: &'n Node, steps: &[String]) -> (&'n Node, Option<Span>) {
    let mut node = root;
    let mut key = None;
    for step in steps {
        let next = match &node.value {
            Value::List(items) => step.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => {
                key = key_span(node, step).or(key);
                node.get(step)
            }
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    (node, key)
}

fn key_span(node: &Node, name: &str) -> Option<Span> {
    node.entries().iter().find(|(key, _)| key.name == name).map(|(key, _)| key.span)
}

/// Returns where an editor looks for a mapping: its key, its own first key, or its first line. The keys of a row are in
/// another one.
fn start_of(node: &Node, key: Option<Span>, text: &str) -> Span {
    let is_row = |first: &Span| first.end < node.span.start;
    let first = node.entries().first().map(|(key, _)| key.span).filter(|first| !is_row(first));
    key.or(first).unwrap_or_else(|| Span::at(node.span.start.min(text.len()), 0))
}

fn length(node: &Node, unit: &'static str, bound: &str, limit: u64) -> Problem {
    let count = match &node.value {
        Value::List(items) => items.len(),
        _ => node.text().map_or(0, |text| text.chars().count()),
    };
    SchemaProblem::Length { found: count, unit, limit: format!("{bound} {limit}") }.into()
}

fn properties(schema: Option<&Json>) -> Vec<&str> {
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    properties.map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// Returns what to write for a mapping, with the keys that it may have. The message with many of them would be as long as the
/// schema.
fn keys_of(expected: &str, names: &[&str]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, rest) = names.split_last().filter(|_| names.len() <= 8)?;
    let rest = if rest.is_empty() { String::new() } else { format!("{} or ", rest.join(", ")) };
    Some(format!("{expected} with {rest}{last}"))
}

fn plain(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

fn type_name(kind: &TypeKind, syntax: Syntax) -> String {
    let name = |json: &str| match json {
        "string" => "text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "`true` or `false`",
        "array" => "a list",
        "object" => syntax.mapping(),
        _ => "nothing",
    };
    match kind {
        TypeKind::Single(kind) => name(&kind.to_string()).to_owned(),
        TypeKind::Multiple(kinds) => kinds.iter().map(|kind| name(&kind.to_string())).collect::<Vec<_>>().join(" or "),
    }
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
            &Text { path: &path, text },
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
