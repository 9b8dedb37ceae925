//! Writes the first version of a page or an entry: every required key with a value that its schemas allow, and what the
//! key is for as a comment.

use super::DEFAULT_TEMPLATE;
use super::inferred;
use super::inferred::files_of;
use super::read::{entries_of_file, is_document, read_file};
use super::schema::{ENTRY, PAGE, compile};
use jiff::civil::Date;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value as Json, json};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;
use std::collections::BTreeSet;

/// What stands where an editor has to write a text. It is a warning until then.
const TEXT: &str = super::placeholder::UNWRITTEN;

/// The width of comments.
const WIDTH: usize = 100;

/// The most rounds in which a value may turn out to need further keys.
const ROUNDS: usize = 16;

/// A new file.
#[derive(Debug, PartialEq, Eq)]
pub struct Blank {
    /// YAML, for a Markdown file as front matter.
    pub text: String,
    /// The keys whose values the schema does not allow, because no valid value could be found.
    pub open: Vec<String>,
}

/// Writes an entry of a collection. `title` is its name in words. Without a schema, the keys are those that all other
/// entries have.
pub fn entry(sources: &Sources, path: &SourcePath, title: &str, today: Date) -> Blank {
    let collection = path.as_str().split('/').nth(1).unwrap_or_default();
    let (schema, link) = match own_schema(sources, path, collection) {
        Some((schema, link)) => (schema, Some(link)),
        None => (inferred::schema(sources, collection).value.unwrap_or_default(), None),
    };
    let neighbours = of_entries(sources, collection);
    let maker = Maker { root: &schema, title, today, depth: 0 };
    let mut keys = maker.object(&schema, &neighbours);
    let is_open = link.is_none() || schema.get("additionalProperties") != Some(&Json::Bool(false));
    if keys.is_empty() && (is_open || !schema["properties"]["title"].is_null()) {
        keys.insert("title".to_owned(), title.into());
    }
    let what = "entry";
    written(File { path, what, keys, schema: &schema, engine: &parsed(ENTRY), link })
}

/// Writes a page that `template` renders: a file of `templates/`, or the default.
pub fn page(sources: &Sources, path: &SourcePath, template: Option<&str>, title: &str, today: Date) -> Blank {
    let name = template.unwrap_or(DEFAULT_TEMPLATE);
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let (schema, link) = match own_schema(sources, path, name) {
        Some((schema, link)) => (schema, Some(link)),
        None => (json!({}), None),
    };
    let template_of = |page: &Json| page["template"].as_str().unwrap_or(DEFAULT_TEMPLATE).to_owned();
    let mut neighbours = neighbours(sources, "content/pages");
    neighbours.retain(|page| template_of(page) == template.unwrap_or(DEFAULT_TEMPLATE));
    let maker = Maker { root: &schema, title, today, depth: 0 };
    let mut keys = Map::new();
    keys.insert("title".to_owned(), title.into());
    keys.insert("description".to_owned(), TEXT.into());
    if let Some(template) = template.filter(|template| *template != DEFAULT_TEMPLATE) {
        keys.insert("template".to_owned(), template.into());
    }
    keys.extend(maker.object(&schema, &neighbours));
    let what = "page";
    written(File { path, what, keys, schema: &schema, engine: &parsed(PAGE), link })
}

fn parsed(schema: &str) -> Json {
    serde_json::from_str(schema).unwrap_or_default()
}

/// Returns the schema of the site with a name, and its path as the file names it.
fn own_schema(sources: &Sources, path: &SourcePath, name: &str) -> Option<(Json, String)> {
    let file = format!("schemas/{name}.schema.json");
    let schema = serde_json::from_str(sources.text(&SourcePath::new(format!("content/{file}")))?).ok()?;
    let up = "../".repeat(path.as_str().split('/').count().saturating_sub(2));
    Some((schema, format!("{up}{file}")))
}

/// Returns the keys of all entries of a collection.
fn of_entries(sources: &Sources, collection: &str) -> Vec<Json> {
    let entries = files_of(sources, collection).flat_map(|file| entries_of_file(file, &mut Vec::new()));
    entries.map(|(_, data)| data.to_json()).collect()
}

/// Returns the keys of all files in a folder and below.
fn neighbours(sources: &Sources, folder: &str) -> Vec<Json> {
    let files = sources.below(folder).filter(|(path, _)| is_document(path));
    files.filter_map(|file| Some(read_file(file, &mut Vec::new())?.data.to_json())).collect()
}

/// Makes values that a schema allows.
struct Maker<'a> {
    /// The whole schema, which `$ref` refers to.
    root: &'a Json,
    title: &'a str,
    today: Date,
    /// The number of values around this one: a schema may ask for itself.
    depth: usize,
}

impl Maker<'_> {
    /// Returns a mapping with the required keys, in the order of the schema. What is required because of other values is
    /// found by validating.
    fn object(&self, schema: &Json, neighbours: &[Json]) -> Map<String, Json> {
        let schema = &resolved(schema, self.root);
        let validator = self.validator(schema).filter(|_| self.depth < ROUNDS);
        let Some(validator) = validator else { return Map::new() };
        let mut keys = Map::new();
        for _ in 0..ROUNDS {
            let value = Json::Object(keys.clone());
            let missing: Vec<String> = validator.iter_errors(&value).flat_map(|error| required(&error)).collect();
            if missing.iter().all(|key| keys.contains_key(key)) {
                break;
            }
            for key in missing {
                let values: Vec<Json> = neighbours.iter().filter_map(|each| each.get(&key).cloned()).collect();
                let made = self.value(&key, &schema["properties"][&key], &values);
                keys.insert(key, made);
            }
        }
        // What is wrong because of other keys is taken from another file.
        for key in errors_at(&validator, &Json::Object(keys.clone())) {
            let Some(made) = keys.get(&key).cloned() else { continue };
            let fits = neighbours.iter().filter_map(|each| each.get(&key)).any(|value| {
                keys.insert(key.clone(), value.clone());
                !errors_at(&validator, &Json::Object(keys.clone())).contains(&key)
            });
            if !fits {
                keys.insert(key, made);
            }
        }
        let order: Vec<&String> = schema["properties"].as_object().into_iter().flat_map(Map::keys).collect();
        let mut sorted: Vec<(String, Json)> = keys.into_iter().collect();
        sorted.sort_by_key(|(key, _)| order.iter().position(|name| *name == key).unwrap_or(usize::MAX));
        sorted.into_iter().collect()
    }

    /// Returns the first candidate that the schema of a key allows, or the first of all.
    fn value(&self, key: &str, schema: &Json, neighbours: &[Json]) -> Json {
        let schema = &resolved(schema, self.root);
        let candidates = self.candidates(key, schema, neighbours);
        let validator = self.validator(schema);
        let is_valid = |value: &&Json| validator.as_ref().is_none_or(|validator| validator.is_valid(value));
        candidates.iter().find(is_valid).or(candidates.first()).cloned().unwrap_or_default()
    }

    fn candidates(&self, key: &str, schema: &Json, neighbours: &[Json]) -> Vec<Json> {
        let mut all: Vec<Json> = ["const", "default"].iter().filter_map(|name| schema.get(name).cloned()).collect();
        all.extend(["examples", "enum"].iter().filter_map(|name| schema[name].get(0).cloned()));
        let count = |name: &str| schema[name].as_u64().and_then(|count| usize::try_from(count).ok());
        let kind = match &schema["type"] {
            Json::Array(kinds) => kinds.first().and_then(Json::as_str),
            kind => kind.as_str(),
        };
        let is_object = schema.get("properties").is_some();
        match kind.unwrap_or(if is_object { "object" } else { "string" }) {
            // The title is that of the file, and not of its parts.
            "object" => {
                all.push(Maker { title: TEXT, depth: self.depth + 1, ..*self }.object(schema, neighbours).into())
            }
            "array" => {
                // A list of many hundreds is none that somebody writes.
                let count = count("minItems").unwrap_or(0).min(100);
                let items = (1..=count).map(|number| match self.value("", &schema["items"], &[]) {
                    Json::String(text) if text == TEXT && count > 1 => format!("{text} {number}").into(),
                    item => item,
                });
                all.push(items.collect());
            }
            "boolean" => all.push(false.into()),
            kind @ ("integer" | "number") => {
                let last = neighbours.iter().filter_map(Json::as_i64).max();
                all.extend(last.filter(|_| key == "order").map(|last| json!(last + 1)));
                all.push(json!(0));
                all.extend(["minimum", "maximum"].iter().filter_map(|name| schema.get(name).cloned()));
                let above = schema["exclusiveMinimum"].as_i64().map(|limit| json!(limit + 1));
                all.extend(above.into_iter().chain(schema.get("multipleOf").cloned()));
                all.retain(|value| kind == "number" || !value.is_f64());
            }
            "null" => all.push(Json::Null),
            _ => {
                all.extend(schema["format"].as_str().and_then(|format| self.of_format(format)).map(Json::from));
                let is_title = ["title", "name", "heading", "headline"].contains(&key);
                let (least, most) = (count("minLength").unwrap_or(0), count("maxLength").unwrap_or(usize::MAX));
                all.extend(is_title.then(|| fitted(self.title, least, most).into()));
                // What is one word everywhere is the name of something, such as a picture or another entry.
                let is_word = |value: &Json| value.as_str().is_some_and(|text| !text.contains(char::is_whitespace));
                if neighbours.len() > 1 && neighbours.iter().all(is_word) {
                    all.extend(neighbours.iter().take(1).cloned());
                }
                if let Some(pattern) = schema["pattern"].as_str() {
                    all.extend(neighbours.iter().cloned());
                    all.extend(shortest(pattern).map(Json::from));
                }
                all.push(fitted(TEXT, least, most).into());
            }
        }
        for name in ["anyOf", "oneOf"] {
            let choices = schema[name].as_array().into_iter().flatten();
            all.extend(choices.map(|choice| self.value(key, choice, neighbours)));
        }
        all.extend(neighbours.iter().cloned());
        all
    }

    /// Returns a value of a format (JSON Schema 2020-12, 7.3).
    fn of_format(&self, format: &str) -> Option<String> {
        Some(match format {
            "date" => self.today.to_string(),
            "date-time" => format!("{}T12:00:00Z", self.today),
            "time" => "12:00:00Z".to_owned(),
            "duration" => "P1D".to_owned(),
            "email" | "idn-email" => "name@example.com".to_owned(),
            "hostname" | "idn-hostname" => "www.example.com".to_owned(),
            "uri" | "iri" => "https://www.example.com/".to_owned(),
            "uri-reference" | "iri-reference" => "/".to_owned(),
            _ => return None,
        })
    }

    /// Compiles a part of the schema.
    fn validator(&self, schema: &Json) -> Option<Validator> {
        let mut schema = schema.clone();
        for name in ["$defs", "definitions"] {
            if let (Some(part), Some(all)) = (schema.as_object_mut(), self.root.get(name)) {
                part.insert(name.to_owned(), all.clone());
            }
        }
        compile(&schema).ok()
    }
}

/// Follows `$ref` and joins `allOf`.
pub(super) fn resolved(schema: &Json, root: &Json) -> Json {
    resolved_at(schema, root, 0)
}

fn resolved_at(schema: &Json, root: &Json, depth: usize) -> Json {
    let mut schema = schema.clone();
    for _ in 0..ROUNDS {
        let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#')) else { break };
        schema = root.pointer(name).cloned().unwrap_or_default();
    }
    let parts = schema.get("allOf").and_then(Json::as_array).cloned();
    for part in parts.into_iter().flatten() {
        let part = if depth < ROUNDS { resolved_at(&part, root, depth + 1) } else { Json::Null };
        let Json::Object(part) = part else { continue };
        for (name, value) in part {
            match (&mut schema[&name], value) {
                (Json::Object(own), Json::Object(more)) => own.extend(more),
                (own @ Json::Null, more) => *own = more,
                _ => {}
            }
        }
    }
    schema
}

/// Returns the keys that a mapping lacks. Of alternatives, those of the one that lacks the fewest.
fn required(error: &ValidationError) -> Vec<String> {
    if !error.instance_path().to_string().is_empty() {
        return Vec::new();
    }
    match error.kind() {
        Kind::Required { property } => property.as_str().map(str::to_owned).into_iter().collect(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let best = context.iter().min_by_key(|errors| errors.len());
            best.into_iter().flatten().flat_map(required).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the keys of a mapping that it lacks or whose values are wrong.
fn errors_at(validator: &Validator, value: &Json) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for error in validator.iter_errors(value) {
        let path = error.instance_path().to_string();
        keys.extend(path.split('/').nth(1).map(str::to_owned).into_iter().chain(required(&error)));
    }
    keys
}

/// Cuts or repeats a text.
fn fitted(text: &str, least: usize, most: usize) -> String {
    let mut fitted = text.to_owned();
    while fitted.chars().count() < least.min(10_000) {
        fitted.push_str(&format!(". {text}"));
    }
    fitted.chars().take(most).collect::<String>().trim_end().to_owned()
}

/// Returns a short text that a pattern matches.
fn shortest(pattern: &str) -> Option<String> {
    fn write(hir: &Hir, text: &mut String) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(Class::Unicode(class)) => {
                let has =
                    |letter: &char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(letter));
                let letter = ['a', 'A', '1'].into_iter().find(has);
                text.extend(letter.or_else(|| Some(class.ranges().first()?.start())));
            }
            HirKind::Class(Class::Bytes(class)) => {
                text.extend(class.ranges().first().map(|range| char::from(range.start())));
            }
            HirKind::Repetition(repetition) => {
                (0..repetition.min.min(1_000)).for_each(|_| write(&repetition.sub, text))
            }
            HirKind::Capture(capture) => write(&capture.sub, text),
            HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, text)),
            HirKind::Alternation(choices) => choices.iter().take(1).for_each(|choice| write(choice, text)),
        }
    }
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&hir, &mut text);
    Some(text)
}

/// What a file is written from.
struct File<'a> {
    path: &'a SourcePath,
    what: &'a str,
    keys: Map<String, Json>,
    schema: &'a Json,
    engine: &'a Json,
    link: Option<String>,
}

fn written(file: File) -> Blank {
    let File { path, what, keys, schema, engine, link } = file;
    let describe = |key: &str| {
        let of = |schema: &Json| schema["properties"][key]["description"].as_str().map(str::to_owned);
        of(schema).or_else(|| of(engine))
    };
    let is_markdown = path.extension() == Some("md");
    let mut text = String::new();
    if is_markdown {
        text.push_str("---\n");
    }
    if let Some(link) = link {
        text.push_str(&format!("# yaml-language-server: $schema={link}\n"));
    }
    for (key, value) in &keys {
        let of_key = resolved(&schema["properties"][key], schema);
        write_key((key, value), describe(key).as_deref(), (&of_key, schema), 0, &mut text);
    }
    let names = schema["properties"].as_object().into_iter().flat_map(Map::keys);
    let others: Vec<&String> = names.filter(|key| !keys.contains_key(*key) && *key != "draft").collect();
    if !others.is_empty() {
        text.push_str("# Keys that you may add:\n");
    }
    for key in others {
        let purpose = describe(key).map(|purpose| format!(": {purpose}")).unwrap_or_default();
        write_comment(&format!("- {key}{purpose}"), 0, &mut text);
    }
    // On one line: whoever removes it leaves no comment without its key.
    text.push_str(&format!(
        "draft: true # A draft is left out of the site. Remove this line once the {what} is ready.\n"
    ));
    if is_markdown {
        text.push_str(&format!("---\n{TEXT}.\n"));
    }
    let instance: Map<String, Json> = keys
        .into_iter()
        .filter(|(key, _)| engine["properties"][key].is_null() || !schema["properties"][key].is_null())
        .collect();
    let open = compile(schema).map(|validator| errors_at(&validator, &Json::Object(instance))).unwrap_or_default();
    Blank { text, open: open.into_iter().collect() }
}

/// Writes a key with its value as YAML, which JSON is too (YAML 1.2.2, 1.2). `schema` is that of the value, and all of it.
fn write_key(
    (key, value): (&str, &Json),
    purpose: Option<&str>,
    (schema, root): (&Json, &Json),
    indent: usize,
    out: &mut String,
) {
    let space = " ".repeat(indent);
    purpose.iter().for_each(|purpose| write_comment(purpose, indent, out));
    out.push_str(&format!("{space}{}:", scalar(&key.into())));
    match value {
        Json::Object(keys) if !keys.is_empty() => {
            out.push('\n');
            for (key, value) in keys {
                let written = &schema["properties"][key];
                let inner = resolved(written, root);
                let purpose = written["description"].as_str().or(inner["description"].as_str());
                write_key((key, value), purpose, (&inner, root), indent + 2, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            out.push('\n');
            items.iter().for_each(|item| out.push_str(&format!("{space}  - {}\n", scalar(item))));
        }
        value => out.push_str(&format!(" {}\n", scalar(value))),
    }
}

/// Returns a value on one line. A text is without quotes where YAML reads it as that text, and so is a date.
fn scalar(value: &Json) -> String {
    let Json::String(text) = value else { return value.to_string() };
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_plain = text.chars().all(|letter| letter.is_alphanumeric() || " ,./_-".contains(letter))
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with(' ')
        && !words.contains(&text.to_lowercase().as_str());
    if is_plain || text.parse::<Date>().is_ok_and(|date| date.to_string() == *text) {
        text.clone()
    } else {
        value.to_string()
    }
}

/// Writes a comment in lines.
fn write_comment(text: &str, indent: usize, out: &mut String) {
    let start = format!("{}#", " ".repeat(indent));
    let mut line = start.clone();
    for word in text.split_whitespace() {
        if line.len() > start.len() && line.len() + 1 + word.len() > WIDTH {
            out.push_str(&format!("{line}\n"));
            line = if text.starts_with("- ") { format!("{start}  ") } else { start.clone() };
        }
        line.push_str(&format!(" {word}"));
    }
    out.push_str(&format!("{line}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date::constant(2026, 3, 4);

    fn new_entry(files: &[(&str, &str)]) -> Blank {
        let sources = Sources::from_files(files.iter().copied());
        entry(&sources, &SourcePath::new("content/news/second-well.md"), "Second well", TODAY)
    }

    #[test]
    fn an_entry_has_every_required_key_with_a_valid_value() {
        let schema = r##"{
            "type": "object", "additionalProperties": false, "required": ["title", "date", "kind", "tags", "author", "icon", "order"],
            "$defs": { "person": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "description": "Who." } } } },
            "properties": {
                "title": { "type": "string", "minLength": 1, "description": "The heading." },
                "kind": { "enum": ["event", "note"] },
                "place": { "type": "string", "minLength": 30 },
                "date": { "type": "string", "format": "date" },
                "tags": { "type": "array", "minItems": 2, "uniqueItems": true, "items": { "type": "string" } },
                "author": { "$ref": "#/$defs/person" },
                "icon": { "type": "string", "pattern": "^[a-z]+\\.svg$" },
                "code": { "type": "string", "pattern": "^(Q[1-4] )?[0-9]{4}$" },
                "order": { "type": "integer", "minimum": 0 },
                "featured": { "type": "boolean", "description": "Whether the home page shows it." }
            },
            "if": { "properties": { "kind": { "const": "event" } } }, "then": { "required": ["place", "code"] }
        }"##;
        let other = "---\ntitle: First\nicon: well.svg\norder: 6\n---\n";
        let blank = new_entry(&[("content/schemas/news.schema.json", schema), ("content/news/first.md", other)]);
        assert_eq!(blank.open, Vec::<String>::new(), "{}", blank.text);
        let expected = "---\n\
            # yaml-language-server: $schema=../schemas/news.schema.json\n\
            # The heading.\n\
            title: Second well\n\
            kind: event\n\
            place: To be written. To be written. To be written\n\
            date: 2026-03-04\n\
            tags:\n  - To be written 1\n  - To be written 2\n\
            author:\n  # Who.\n  name: To be written\n\
            icon: well.svg\n\
            code: \"1111\"\n\
            # Entries with a lower number come first.\n\
            order: 7\n\
            # Keys that you may add:\n\
            # - featured: Whether the home page shows it.\n\
            draft: true # A draft is left out of the site. Remove this line once the entry is ready.\n\
            ---\nTo be written.\n";
        assert_eq!(blank.text, expected);
    }

    #[test]
    fn an_entry_without_a_schema_has_the_keys_of_all_others() {
        let first = "---\ntitle: First\ndate: 2026-01-01\nteaser: Yes\n---\n";
        let second = "---\ntitle: Second\ndate: 2026-01-02\n---\n";
        let blank = new_entry(&[("content/news/a.md", first), ("content/news/b.md", second)]);
        assert!(blank.text.starts_with("---\ntitle: Second well\ndate: 2026-03-04\n"), "{}", blank.text);
        assert!(new_entry(&[]).text.starts_with("---\ntitle: Second well\ndraft: true # A draft"));
    }

    #[test]
    fn a_schema_that_asks_for_itself_ends() {
        let schema = r##"{ "required": ["title", "next", "all"], "properties": { "title": { "type": "string" },
            "next": { "$ref": "#" }, "all": { "$ref": "#/$defs/all" } },
            "$defs": { "all": { "allOf": [{ "$ref": "#/$defs/all" }] } } }"##;
        assert!(new_entry(&[("content/schemas/news.schema.json", schema)]).text.contains("title: Second well"));
    }

    #[test]
    fn a_value_that_cannot_be_found_is_named() {
        let schema = r#"{ "required": ["title", "isbn"], "properties": { "title": { "type": "string" },
            "isbn": { "type": "string", "pattern": "^(?=x)y$" } } }"#;
        assert_eq!(new_entry(&[("content/schemas/news.schema.json", schema)]).open, ["isbn"]);
    }

    #[test]
    fn a_value_that_depends_on_others_is_that_of_another_entry() {
        let schema = r#"{ "required": ["title", "kind", "data"], "properties": { "title": { "type": "string" },
            "kind": { "enum": ["a"] }, "data": { "type": "object" } },
            "if": { "properties": { "kind": { "const": "a" } } }, "then": { "properties": { "data": { "minProperties": 1 } } } }"#;
        let other = "title: First\nkind: a\ndata: { text: x }\n";
        let blank = new_entry(&[("content/schemas/news.schema.json", schema), ("content/news/a.yaml", other)]);
        assert!(blank.open.is_empty() && blank.text.contains("\ndata:\n  text: x\n"), "{blank:?}");
    }

    #[test]
    fn a_text_is_the_same_text_in_yaml() {
        for text in ["Yes", "1.10", "2026-01-01", "a: b", "a # b", "- a", "Über uns", "it's", "a\nb", "null", "", "x "]
        {
            let yaml = format!("key: {}\n", scalar(&text.into()));
            let node = crate::yaml::parse(&SourcePath::new("a.yaml"), &yaml, 0).unwrap();
            assert_eq!(node.get("key").and_then(|node| node.text()), Some(text), "{yaml}");
        }
    }
}
