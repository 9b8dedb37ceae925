//! What the schemas of a file say of a key: those of the engine and those of the project.

use crate::data::Step;
use crate::value::template_in;
use serde_json::Value as Json;
use sitegen_content::schema::{self, target};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SCHEMA, SourceKind, Sources};

/// The folder of a project's schemas.
pub const SCHEMAS: &str = "content/schemas";

/// The schemas of a file.
pub struct FileSchemas {
    /// Each with the file that it is written in. Those of the engine are in none.
    all: Vec<(Option<SourcePath>, Json)>,
}

/// A part of a schema, with the schema it is in.
#[derive(Clone, Copy)]
pub struct Part<'s> {
    /// The file of the schema.
    pub file: Option<&'s SourcePath>,
    root: &'s Json,
    /// The part itself.
    pub json: &'s Json,
}

/// How many parts of a schema are followed. One that refers to itself would be followed for ever.
const MOST: usize = 2_000;

impl FileSchemas {
    /// Returns the schemas of a file of content.
    pub fn of(path: &SourcePath, text: &str, sources: &Sources) -> Self {
        let key = path.key();
        let folder = key.below("content").and_then(|path| path.split_once('/')).map(|(folder, _)| folder);
        let (engine, own) = match SourceKind::of(path) {
            SourceKind::Settings => (schema::SITE.to_owned(), Some("site".to_owned())),
            SourceKind::Page => {
                let template = template_in(sources, path, text);
                (schema::PAGE.to_owned(), template.rsplit_once('.').map(|(name, _)| name.to_owned()))
            }
            SourceKind::Entry => {
                let list = || key.below("content").and_then(|name| name.split('.').next());
                (schema::ENTRY.to_owned(), folder.or_else(list).map(str::to_owned))
            }
            SourceKind::Asset => (schema::PICTURE.to_owned(), None),
            _ => return FileSchemas { all: Vec::new() },
        };
        let mut all: Vec<(Option<SourcePath>, Json)> = Vec::new();
        // What a project says of its keys comes before what the engine says of all.
        if let Some(name) = own {
            let file = SourcePath::new(format!("{SCHEMAS}/{name}{SCHEMA}"));
            let json = sources.text(&file).and_then(|text| serde_json::from_str(text).ok());
            all.extend(json.map(|json| (Some(file), json)));
        }
        all.extend(serde_json::from_str(&engine).map(|json| (None, json)));
        FileSchemas { all }
    }

    /// Returns every part that describes the value at a way.
    pub fn parts(&self, way: &[Step]) -> Vec<Part<'_>> {
        let mut parts: Vec<Part> = Vec::new();
        for (file, json) in &self.all {
            parts.extend(Part { file: file.as_ref(), root: json, json }.alternatives());
        }
        for step in way {
            let below = parts.iter().flat_map(|part| part.below(step));
            parts = below.flat_map(Part::alternatives).take(MOST).collect();
        }
        parts
    }
}

impl<'s> Part<'s> {
    /// Returns the part and everything that it consists of: what it refers to and its alternatives.
    fn alternatives(self) -> Vec<Part<'s>> {
        let mut all = vec![self];
        let mut at = 0;
        while at < all.len() && all.len() < MOST {
            let part = all[at];
            at += 1;
            let referred = part.json.get("$ref").and_then(Json::as_str).and_then(|name| target(part.root, name));
            let lists = ["allOf", "anyOf", "oneOf"].iter().filter_map(|key| part.json.get(key)?.as_array()).flatten();
            let conditions = ["then", "else"].iter().filter_map(|key| part.json.get(key));
            for json in referred.into_iter().chain(lists).chain(conditions) {
                if !all.iter().any(|other| std::ptr::eq(other.json, json)) {
                    all.push(Part { json, ..part });
                }
            }
        }
        all
    }

    fn below(&self, step: &Step) -> Vec<Part<'s>> {
        let part = |json| Part { json, ..*self };
        match step {
            Step::Key(key) => {
                let named = self.json.get("properties").and_then(|all| all.get(key));
                match named {
                    Some(json) => vec![part(json)],
                    None => {
                        let patterns = self.json.get("patternProperties").and_then(Json::as_object);
                        let patterns = patterns.into_iter().flat_map(|all| all.values());
                        let others = self.json.get("additionalProperties").filter(|json| json.is_object());
                        patterns.chain(others).map(part).collect()
                    }
                }
            }
            Step::Item => {
                let items = self.json.get("items").filter(|json| json.is_object());
                let first = self.json.get("prefixItems").and_then(Json::as_array).into_iter().flatten();
                items.into_iter().chain(first).map(part).collect()
            }
        }
    }

    /// Returns the keys that the part names, each with what it says of the value.
    pub fn properties(&self) -> impl Iterator<Item = (&'s str, Part<'s>)> {
        let properties = self.json.get("properties").and_then(Json::as_object);
        let (file, root) = (self.file, self.root);
        properties.into_iter().flatten().map(move |(key, json)| (key.as_str(), Part { file, root, json }))
    }

    /// Whether it requires a key.
    pub fn requires(&self, key: &str) -> bool {
        let required = self.json.get("required").and_then(Json::as_array);
        required.is_some_and(|all| all.iter().any(|each| each.as_str() == Some(key)))
    }

    /// Returns the first text of it or of its alternatives at a key such as `description`.
    pub fn text(self, key: &str) -> Option<&'s str> {
        self.alternatives().into_iter().find_map(|part| part.json.get(key)?.as_str())
    }

    /// Returns the values that it allows, if it allows only some.
    pub fn choices(self) -> Vec<&'s Json> {
        let choices = |part: Part<'s>| {
            let listed = part.json.get("enum").and_then(Json::as_array).into_iter().flatten();
            listed.chain(part.json.get("const")).collect::<Vec<_>>()
        };
        self.alternatives().into_iter().flat_map(choices).collect()
    }

    /// Whether it allows a type of JSON, as it says itself.
    pub fn allows(self, name: &str) -> bool {
        self.alternatives().iter().any(|part| match part.json.get("type") {
            Some(Json::String(only)) => only == name,
            Some(Json::Array(all)) => all.iter().any(|each| each.as_str() == Some(name)),
            _ => false,
        })
    }

    /// Returns the types of its values in a few words: `text`, `list`, `true or false`.
    pub fn types(self) -> String {
        let words = [
            ("string", "text"),
            ("integer", "whole number"),
            ("number", "number"),
            ("boolean", "true or false"),
            ("array", "list"),
            ("object", "map"),
        ];
        let date = self.text("format") == Some("date");
        let named = words.iter().filter(|(name, _)| self.allows(name));
        named.map(|(name, word)| if date && *name == "string" { "date" } else { word }).collect::<Vec<_>>().join(" or ")
    }
}
