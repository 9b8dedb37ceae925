//! The fields of a form in which people edit keys: what a JSON Schema says of each key, in the terms that content managers have in
//! common.
//!
//! Two things no schema says are read from the values that exist: a text that is the slug of an entry wherever it has a value refers
//! to that collection, and one that is the path of a file below `content/assets` names an asset.

use super::blank::resolved;
use super::inferred::title;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// A key that people can edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key.
    pub name: String,
    /// What the key is called in a form.
    pub label: String,
    /// What the key is for.
    pub hint: Option<String>,
    /// Whether the schema requires it.
    pub is_required: bool,
    /// The value that the schema gives as its default.
    pub default: Option<Json>,
    /// Whether its value is a text that translations have in their language, or has such texts in it.
    pub is_text: bool,
    /// What its values are.
    pub kind: FieldKind,
}

/// What the values of a field are.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A text.
    Text {
        /// What it is a text of.
        form: TextForm,
        /// The fewest and the most characters.
        length: Limits,
        /// A regular expression that it matches.
        pattern: Option<String>,
    },
    /// A number.
    Number {
        /// Whether it has no decimals.
        is_whole: bool,
        /// The least value.
        minimum: Option<Json>,
        /// The greatest value.
        maximum: Option<Json>,
    },
    /// `true` or `false`.
    Boolean,
    /// A day, like `2026-12-01`.
    Date,
    /// One of a few values, or a list of them.
    Choice {
        /// The values with their names.
        options: Vec<(String, Json)>,
        /// For a list, the fewest and the most values.
        list: Option<Limits>,
    },
    /// The slug of an entry, or a list of slugs.
    Reference {
        /// The collection of the entry.
        collection: String,
        /// For a list, the fewest and the most slugs.
        list: Option<Limits>,
    },
    /// The path of a file below `content/assets`.
    Asset {
        /// The folder below `content/assets` that has all files which are named so far. Empty if they are in several.
        folder: String,
        /// Whether all of them are pictures.
        is_picture: bool,
    },
    /// A list.
    List {
        /// What is in it. Its name is `item`.
        item: Box<Field>,
        /// The fewest and the most items.
        limits: Limits,
    },
    /// A mapping with known keys.
    Object(Vec<Field>),
    /// A mapping from any keys to texts.
    Pairs,
}

/// What a text is a text of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// One line.
    Line,
    /// Several sentences or lines.
    Paragraph,
    /// An address, like `https://www.example.com`.
    Address,
    /// An e-mail address.
    Email,
}

/// The least and the greatest number of characters or items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// At least so many.
    pub least: Option<u64>,
    /// At most so many.
    pub most: Option<u64>,
}

/// What values of a project may name.
#[derive(Debug, Default)]
pub struct Targets {
    /// The slugs of all entries, by collection.
    pub slugs: BTreeMap<String, BTreeSet<String>>,
    /// The paths of all assets below `content/assets`.
    pub assets: BTreeSet<String>,
}

/// The most characters of a text that is shown in one line.
const LINE: usize = 100;
/// How deep fields are nested at most: a schema may refer to itself.
const MOST_DEEP: usize = 8;

/// Makes fields of the keys of a schema.
pub struct FieldReader<'a> {
    /// The whole schema, which `$ref` refers to.
    pub root: &'a Json,
    /// What values may name.
    pub targets: &'a Targets,
    /// The keys for which no form has a field, with the keys around them: `hero.buttons`.
    pub left_out: Vec<String>,
    path: Vec<String>,
}

impl<'a> FieldReader<'a> {
    /// Creates one for a schema.
    pub fn new(root: &'a Json, targets: &'a Targets) -> Self {
        Self { root, targets, left_out: Vec::new(), path: Vec::new() }
    }

    /// Returns the fields of all keys that a schema of mappings names. `values` are the mappings that exist.
    pub fn fields(&mut self, schema: &Json, values: &[&Json]) -> Vec<Field> {
        let schema = resolved(schema, self.root);
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let mut fields = Vec::new();
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            // `false` forbids a key.
            if part == &Json::Bool(false) {
                continue;
            }
            let of_key: Vec<&Json> =
                values.iter().filter_map(|value| value.get(name)).filter(|value| is_set(value)).collect();
            self.path.push(name.clone());
            match self.field(name, part, &of_key) {
                Some(field) => fields.push(Field { is_required: required.contains(&name.as_str()), ..field }),
                None => self.left_out.push(self.path.join(".")),
            }
            self.path.pop();
        }
        fields
    }

    fn field(&mut self, name: &str, schema: &Json, values: &[&Json]) -> Option<Field> {
        if self.path.len() > MOST_DEEP {
            return None;
        }
        let schema = resolved(schema, self.root);
        let kind = self.kind(name, &schema, values)?;
        let translate = schema["translate"].as_bool();
        Some(Field {
            name: name.to_owned(),
            label: schema["title"].as_str().map_or_else(|| title(name), str::to_owned),
            hint: schema["description"].as_str().map(str::to_owned),
            is_required: false,
            default: schema.get("default").cloned(),
            is_text: translate.unwrap_or_else(|| has_text(&kind, values)),
            kind,
        })
    }

    fn kind(&mut self, name: &str, schema: &Json, values: &[&Json]) -> Option<FieldKind> {
        if let Some(options) = options(schema) {
            return Some(FieldKind::Choice { options, list: None });
        }
        match type_of(schema, values)? {
            "string" => Some(self.text(name, schema, values)),
            "integer" | "number" => Some(FieldKind::Number {
                is_whole: type_of(schema, values) == Some("integer"),
                minimum: ["minimum", "exclusiveMinimum"].iter().find_map(|key| schema.get(key)).cloned(),
                maximum: ["maximum", "exclusiveMaximum"].iter().find_map(|key| schema.get(key)).cloned(),
            }),
            "boolean" => Some(FieldKind::Boolean),
            "array" => self.list(name, schema, values),
            "object" if schema["properties"].is_object() => {
                let fields = self.fields(schema, values);
                (!fields.is_empty()).then_some(FieldKind::Object(fields))
            }
            "object" if type_of(&schema["additionalProperties"], &[]) == Some("string") => Some(FieldKind::Pairs),
            _ => None,
        }
    }

    fn text(&self, name: &str, schema: &Json, values: &[&Json]) -> FieldKind {
        if schema["format"] == "date" {
            return FieldKind::Date;
        }
        let texts: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
        if schema.get("format").is_none() {
            if let Some(collection) = self.collection(name, schema, &texts) {
                return FieldKind::Reference { collection, list: None };
            }
            if let Some(asset) = self.asset(&texts) {
                return asset;
            }
        }
        let length = limits(schema, "minLength", "maxLength");
        let is_long = length.most.is_some_and(|most| most > LINE as u64 + 20)
            || texts.iter().any(|text| text.contains('\n') || text.chars().count() > LINE);
        let form = match schema["format"].as_str() {
            Some("uri") => TextForm::Address,
            Some("email") => TextForm::Email,
            _ if is_long => TextForm::Paragraph,
            _ => TextForm::Line,
        };
        FieldKind::Text { form, length, pattern: schema["pattern"].as_str().map(str::to_owned) }
    }

    fn list(&mut self, name: &str, schema: &Json, values: &[&Json]) -> Option<FieldKind> {
        let limits = limits(schema, "minItems", "maxItems");
        let items: Vec<&Json> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
        self.path.push("item".to_owned());
        let item = self.field(name, &schema["items"], &items);
        self.path.pop();
        let item = item?;
        Some(match item.kind {
            FieldKind::Choice { options, .. } => FieldKind::Choice { options, list: Some(limits) },
            FieldKind::Reference { collection, .. } => FieldKind::Reference { collection, list: Some(limits) },
            // No form has lists in lists.
            FieldKind::List { .. } => return None,
            _ => {
                let label = if schema["items"]["title"].is_string() { item.label } else { "Item".to_owned() };
                FieldKind::List {
                    item: Box::new(Field { name: "item".to_owned(), label, is_required: true, ..item }),
                    limits,
                }
            }
        })
    }

    /// Returns the collection whose entries all texts name, if they can hardly do so by chance: the texts differ, or the key or what
    /// the schema says of it names the collection.
    fn collection(&self, name: &str, schema: &Json, texts: &[&str]) -> Option<String> {
        let distinct: BTreeSet<&&str> = texts.iter().collect();
        let description = schema["description"].as_str().unwrap_or_default();
        let fits = |(collection, slugs): &(&String, &BTreeSet<String>)| {
            let is_named = description.contains(&format!("content/{collection}/"))
                || !texts.is_empty()
                    && [name, &format!("{name}s"), &format!("{name}es")].contains(&collection.as_str());
            (distinct.len() > 1 || is_named) && texts.iter().all(|text| slugs.contains(*text))
        };
        let mut fitting = self.targets.slugs.iter().filter(fits);
        let first = fitting.next()?;
        fitting.next().is_none().then(|| first.0.clone())
    }

    fn asset(&self, texts: &[&str]) -> Option<FieldKind> {
        if texts.is_empty() || !texts.iter().all(|text| self.targets.assets.contains(*text)) {
            return None;
        }
        let folder = |text: &str| text.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let folders: BTreeSet<String> = texts.iter().map(|text| folder(text)).collect();
        let is_picture = |text: &&str| {
            let extension = text.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
            ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"].contains(&extension.as_str())
        };
        Some(FieldKind::Asset {
            folder: if folders.len() == 1 { folders.into_iter().next().unwrap_or_default() } else { String::new() },
            is_picture: texts.iter().all(is_picture),
        })
    }
}

/// Whether a value counts: editors empty a field rather than delete its line.
fn is_set(value: &Json) -> bool {
    !value.is_null() && value.as_str() != Some("")
}

/// Returns the values that a schema allows, if they are a few, with their names.
fn options(schema: &Json) -> Option<Vec<(String, Json)>> {
    let name = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let is_scalar = |value: &Json| !value.is_array() && !value.is_object() && !value.is_null();
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<&Json> = values.iter().filter(|value| is_scalar(value)).collect();
        // `true` and `false` are a switch.
        return (!values.is_empty() && !values.iter().all(|value| value.is_boolean()))
            .then(|| values.into_iter().map(|value| (name(value), value.clone())).collect());
    }
    let alternatives = ["oneOf", "anyOf"].iter().find_map(|key| schema[key].as_array())?;
    let option = |alternative: &Json| {
        let value = alternative.get("const").filter(|value| is_scalar(value))?;
        Some((alternative["title"].as_str().map_or_else(|| name(value), str::to_owned), value.clone()))
    };
    alternatives.iter().map(option).collect()
}

/// Returns the type of the values that a schema allows. If it allows several, the type of those that exist.
fn type_of<'s>(schema: &'s Json, values: &[&Json]) -> Option<&'s str> {
    if let Some(name) = schema["type"].as_str() {
        return Some(name);
    }
    if schema["properties"].is_object() {
        return Some("object");
    }
    if schema["enum"].as_array().is_some_and(|values| values.iter().all(Json::is_boolean)) {
        return Some("boolean");
    }
    let of_value = |value: &Json| match value {
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        _ => "object",
    };
    let kinds: BTreeSet<&str> = values.iter().map(|value| of_value(value)).collect();
    let allowed = schema["type"].as_array().map(|all| all.iter().filter_map(Json::as_str).collect::<Vec<_>>());
    match allowed {
        Some(allowed) => {
            let allowed: Vec<&str> = allowed.into_iter().filter(|name| *name != "null").collect();
            match allowed[..] {
                [only] => Some(only),
                _ => allowed.into_iter().find(|name| kinds.len() == 1 && kinds.contains(name)),
            }
        }
        None => match kinds.into_iter().collect::<Vec<_>>()[..] {
            [only] => ["boolean", "number", "integer", "string"].into_iter().find(|name| *name == only),
            _ => None,
        },
    }
}

fn limits(schema: &Json, least: &str, most: &str) -> Limits {
    Limits { least: schema[least].as_u64(), most: schema[most].as_u64() }
}

/// Whether values are texts for translators, see [`super::texts`].
fn has_text(kind: &FieldKind, values: &[&Json]) -> bool {
    // One word in lower case names something.
    let is_name = |value: &&Json| {
        value.as_str().is_some_and(|text| !text.chars().any(|letter| letter.is_uppercase() || letter.is_whitespace()))
    };
    match kind {
        FieldKind::Text { form: TextForm::Line | TextForm::Paragraph, pattern: None, .. } => {
            values.is_empty() || !values.iter().all(is_name)
        }
        FieldKind::List { item, .. } => item.is_text,
        FieldKind::Object(fields) => fields.iter().any(|field| field.is_text),
        FieldKind::Pairs => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn targets() -> Targets {
        let slugs = |all: &[&str]| all.iter().map(|slug| (*slug).to_owned()).collect();
        Targets {
            slugs: BTreeMap::from([("team".to_owned(), slugs(&["ada", "bo"])), ("news".to_owned(), slugs(&["first"]))]),
            assets: slugs(&["photos/a.jpg", "photos/b.jpg", "plan.pdf"]),
        }
    }

    fn read(schema: &Json, values: &[Json]) -> (Vec<Field>, Vec<String>) {
        let targets = targets();
        let mut reader = FieldReader::new(schema, &targets);
        let fields = reader.fields(schema, &values.iter().collect::<Vec<_>>());
        (fields, reader.left_out)
    }

    #[test]
    fn a_schema_gives_a_field_for_each_key() {
        let schema = json!({
            "required": ["title"],
            "properties": {
                "title": { "type": "string", "maxLength": 60, "description": "The heading." },
                "text": { "type": "string", "maxLength": 400 },
                "state": { "enum": ["open", "closed"] },
                "pay": { "oneOf": [{ "const": 1, "title": "Low" }, { "const": 2, "title": "High" }] },
                "day": { "type": "string", "format": "date" },
                "price": { "type": ["number", "null"], "minimum": 0 },
                "tags": { "type": "array", "items": { "enum": ["a", "b"] }, "minItems": 1 },
                "facts": { "type": "array", "items": { "$ref": "#/$defs/fact" } },
                "names": { "type": "object", "additionalProperties": { "type": "string" } },
                "gone": false,
                "either": { "type": ["string", "array"] },
            },
            "$defs": { "fact": { "type": "object", "properties": { "label": { "type": "string" } } } },
        });
        let (fields, left_out) = read(&schema, &[]);
        assert_eq!(left_out, ["either"]);
        let kinds: Vec<(&str, &FieldKind)> = fields.iter().map(|field| (field.name.as_str(), &field.kind)).collect();
        assert_eq!(kinds.len(), 9, "{kinds:?}");
        assert!(fields[0].is_required && fields[0].is_text && fields[0].hint.as_deref() == Some("The heading."));
        assert!(matches!(
            kinds[0].1,
            FieldKind::Text { form: TextForm::Line, length: Limits { most: Some(60), .. }, .. }
        ));
        assert!(matches!(kinds[1].1, FieldKind::Text { form: TextForm::Paragraph, .. }));
        assert!(matches!(kinds[2].1, FieldKind::Choice { list: None, .. }));
        let FieldKind::Choice { options, .. } = kinds[3].1 else { panic!("{kinds:?}") };
        assert_eq!(options[1], ("High".to_owned(), json!(2)));
        assert_eq!(kinds[4].1, &FieldKind::Date);
        assert!(matches!(kinds[5].1, FieldKind::Number { is_whole: false, minimum: Some(_), .. }));
        assert!(matches!(kinds[6].1, FieldKind::Choice { list: Some(Limits { least: Some(1), .. }), .. }));
        let FieldKind::List { item, .. } = kinds[7].1 else { panic!("{kinds:?}") };
        assert!(matches!(&item.kind, FieldKind::Object(fields) if fields[0].name == "label"));
        assert_eq!(kinds[8].1, &FieldKind::Pairs);
    }

    #[test]
    fn values_say_what_texts_refer_to() {
        let schema = json!({ "properties": {
            "author": { "type": "string" },
            "editor": { "type": "string" },
            "new": { "type": "string", "description": "The name of a file in `content/news/`." },
            "photos": { "type": "array", "items": { "type": "string" } },
            "plan": { "type": "string" },
            "word": { "type": "string" },
        } });
        let values = [
            json!({ "author": "ada", "photos": ["photos/a.jpg"], "plan": "plan.pdf", "word": "oven", "editor": "ada" }),
            json!({ "author": "bo", "photos": ["photos/b.jpg"], "plan": "", "editor": "Cy" }),
        ];
        let (fields, _) = read(&schema, &values);
        let reference = |collection: &str| FieldKind::Reference { collection: collection.to_owned(), list: None };
        assert_eq!(fields[0].kind, reference("team"));
        assert!(matches!(fields[1].kind, FieldKind::Text { .. }));
        assert_eq!(fields[2].kind, reference("news"));
        let FieldKind::List { item, .. } = &fields[3].kind else { panic!("{fields:?}") };
        assert_eq!(item.kind, FieldKind::Asset { folder: "photos".to_owned(), is_picture: true });
        assert_eq!(fields[4].kind, FieldKind::Asset { folder: String::new(), is_picture: false });
        // One word in lower case is a name.
        assert!(!fields[5].is_text && fields[1].is_text);
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({ "properties": { "menu": { "$ref": "#/$defs/item" } }, "$defs": {
            "item": { "type": "object", "properties": { "label": { "type": "string" }, "sub": { "$ref": "#/$defs/item" } } }
        } });
        let (fields, left_out) = read(&schema, &[]);
        assert_eq!(fields.len(), 1);
        assert!(!left_out.is_empty());
    }
}
