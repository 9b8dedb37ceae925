//! Infers a JSON Schema from the entries of a collection, for a person to read and complete.

use super::collections::collection_of;
use super::read::{entries_of_file, is_document};
use super::schema::ENTRY;
use super::yaml::{Key, Node, Value};
use serde_json::{Map, Value as Json, json};
use sitegen_core::diagnostics::{Checked, Diagnostic, Place, SchemaProblem, Severity, nearest};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{Source, SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the collections that have entries.
pub fn collections(sources: &Sources) -> BTreeSet<String> {
    let files = sources.of(SourceKind::Entry).map(|(path, _)| path);
    let folders = files.filter_map(|path| {
        let folder = collection_of(path)?;
        let is_entry = path.below(&format!("content/{folder}")).is_some_and(|file| !file.contains('/'));
        (is_document(path) && is_entry || SourceKind::is_list(path)).then(|| folder.to_owned())
    });
    folders.collect()
}

/// Returns the schema of a collection. A key that looks like a misspelling of a key that other entries have is left out
/// and reported as a warning.
pub fn schema(sources: &Sources, collection: &str) -> Checked<Json> {
    let mut diagnostics = Vec::new();
    let parsed: Vec<_> =
        files_of(sources, collection).flat_map(|file| entries_of_file(file, &mut diagnostics)).collect();
    let engine: Json = serde_json::from_str(ENTRY).unwrap_or_default();
    let engine_keys = engine["properties"].as_object().cloned().unwrap_or_default();
    let entries: Vec<(&SourcePath, &Node)> = parsed.iter().map(|(path, data)| (*path, data)).collect();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Entry of {collection}"),
    });
    if let (Some(schema), Json::Object(object)) =
        (schema.as_object_mut(), object(&entries, &engine_keys, &mut diagnostics))
    {
        schema.extend(object);
    }
    Checked::new(schema, diagnostics)
}

/// Returns the schema of some mappings, each with its file, without the keys that are passed over. Misspelt keys are left out.
pub fn keys(nodes: &[(&SourcePath, &Node)], passed_over: &Map<String, Json>) -> Json {
    object(nodes, passed_over, &mut Vec::new())
}

/// Returns the files that the entries of a collection are in.
pub fn files_of<'s>(sources: &'s Sources, collection: &str) -> impl Iterator<Item = (&'s SourcePath, &'s Source)> {
    let files = sources.of(SourceKind::Entry).filter(|(path, _)| is_document(path) || SourceKind::is_list(path));
    files.filter(move |(path, _)| collection_of(path) == Some(collection))
}

/// Returns the schema of mappings, each with its file.
fn object(nodes: &[(&SourcePath, &Node)], passed_over: &Map<String, Json>, diagnostics: &mut Vec<Diagnostic>) -> Json {
    let mut order: Vec<&str> = Vec::new();
    let mut uses: BTreeMap<&str, Vec<(&SourcePath, &Key, &Node)>> = BTreeMap::new();
    for (path, node) in nodes {
        for (key, value) in node.entries() {
            // An empty text counts as absent.
            if passed_over.contains_key(&key.name) || value.value == Value::Null || value.text() == Some("") {
                continue;
            }
            let uses = uses.entry(&key.name).or_default();
            if uses.is_empty() {
                order.push(&key.name);
            }
            uses.push((path, key, value));
        }
    }
    let slips = slips(nodes, &uses);
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    for name in order.iter().filter(|name| !slips.contains_key(*name)) {
        let values: Vec<(&SourcePath, &Node)> = uses[name].iter().map(|(path, _, node)| (*path, *node)).collect();
        let misspelt: usize = slips.iter().filter(|(_, meant)| *meant == name).map(|(slip, _)| uses[slip].len()).sum();
        if values.len() + misspelt == nodes.len() {
            required.push(name);
        }
        let mut property = json!({ "title": title(name) });
        if let (Some(property), Json::Object(shape)) = (property.as_object_mut(), shape(&values, diagnostics)) {
            property.extend(shape);
        }
        properties.insert((*name).to_owned(), property);
    }
    for (slip, meant) in &slips {
        for (path, key, _) in &uses[slip] {
            let names = properties.keys().cloned().collect();
            let problem = SchemaProblem::UnknownKey {
                key: (*slip).to_owned(),
                nearest: Some((*meant).into()),
                known: names,
                schema: None,
            };
            let diagnostic = Diagnostic::new(problem, Place::new(path, key.span));
            diagnostics.push(Diagnostic { severity: Severity::Warning, ..diagnostic });
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// Finds keys of few mappings that are nearly the same as a key of more, which those few do not have.
fn slips<'n>(
    nodes: &[(&SourcePath, &Node)],
    uses: &BTreeMap<&'n str, Vec<(&SourcePath, &'n Key, &'n Node)>>,
) -> BTreeMap<&'n str, &'n str> {
    let is_slip = |name: &str, other: &str| {
        let (few, many) = (uses[name].len(), uses[other].len());
        let has_both = || nodes.iter().any(|(_, node)| node.get(name).is_some() && node.get(other).is_some());
        few * 2 <= many && !has_both()
    };
    let meant = uses.keys().filter_map(|name| {
        let others = uses.keys().copied().filter(|other| other != name && is_slip(name, other));
        Some((*name, nearest(name, others)?))
    });
    meant.collect()
}

/// Returns what values have in common.
fn shape(values: &[(&SourcePath, &Node)], diagnostics: &mut Vec<Diagnostic>) -> Json {
    let kind = |node: &Node| match node.value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Integer(_) => "integer",
        Value::Float(_) => "number",
        Value::Text(_) => "string",
        Value::List(_) => "array",
        Value::Map(_) => "object",
    };
    let mut kinds: BTreeSet<&str> = values.iter().map(|(_, node)| kind(node)).collect();
    if kinds.contains("number") {
        kinds.remove("integer");
    }
    let only = (kinds.len() == 1).then(|| kinds.iter().next().copied()).flatten();
    match only {
        Some("string") => match format(values) {
            Some(format) => json!({ "type": "string", "format": format }),
            None => json!({ "type": "string" }),
        },
        Some("array") => {
            let items = values.iter().flat_map(|(path, node)| match &node.value {
                Value::List(items) => items.iter().map(|item| (*path, item)).collect(),
                _ => Vec::new(),
            });
            let items: Vec<(&SourcePath, &Node)> = items.collect();
            if items.is_empty() {
                json!({ "type": "array" })
            } else {
                json!({ "type": "array", "items": shape(&items, diagnostics) })
            }
        }
        Some("object") => object(values, &Map::new(), diagnostics),
        Some(kind) => json!({ "type": kind }),
        None => json!({ "type": kinds }),
    }
}

/// Returns the format that all texts have.
fn format(values: &[(&SourcePath, &Node)]) -> Option<&'static str> {
    let all = |is: &dyn Fn(&str) -> bool| values.iter().all(|(_, node)| node.text().is_some_and(is));
    let is_date = |text: &str| text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
    let is_address = |text: &str| text.starts_with("https://") && !text.contains(char::is_whitespace);
    let is_email = |text: &str| {
        let parts = text.split_once('@');
        parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.')) && !text.contains([' ', '{', ':'])
    };
    match () {
        () if all(&is_date) => Some("date"),
        () if all(&is_address) => Some("uri"),
        () if all(&is_email) => Some("email"),
        () => None,
    }
}

/// Turns `tasting_notes` into `Tasting notes`.
pub(super) fn title(key: &str) -> String {
    let words = key.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Schema, Text};
    use crate::yaml;
    use sitegen_core::cache::Cache;

    const BEERS: [(&str, &str); 4] = [
        (
            "content/beers/ipa.yaml",
            "name: IPA\nabv: 6\ntrats: [dry]\nsince: 2020-05-01\nhops: [{ name: Citra, grams: 40 }]\n",
        ),
        ("content/beers/alt.yaml", "name: Alt\nabv: 4.8\ntraits: [malty]\nsince: 2019-03-01\nhops: []\norder: 2\n"),
        (
            "content/beers/bock.md",
            "---\nname: Bock\nabv: 7\ntraits: [strong, sweet]\nsince: 2021-01-01\nnote: Lent only\n---\nText\n",
        ),
        (
            "content/beers/pils.yaml",
            "name: Pils\nabv: 5\ntraits: []\nsince: 2018-01-01\nhops: [{ name: Saaz }]\nnote: \"\"\n",
        ),
    ];

    #[test]
    fn a_schema_describes_what_entries_have_in_common() {
        let sources = Sources::from_files(BEERS);
        assert_eq!(collections(&sources).into_iter().collect::<Vec<_>>(), ["beers"]);
        let checked = schema(&sources, "beers");
        let schema = checked.value.unwrap();
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.keys().collect::<Vec<_>>(), ["name", "abv", "traits", "since", "hops", "note"]);
        assert_eq!(schema["required"], json!(["name", "abv", "traits", "since"]));
        assert_eq!(properties["since"], json!({ "title": "Since", "type": "string", "format": "date" }));
        assert_eq!(properties["abv"]["type"], "number");
        assert_eq!(properties["traits"]["items"], json!({ "type": "string" }));
        assert_eq!(properties["hops"]["items"]["required"], json!(["name"]));
        let doubts: Vec<_> = checked
            .diagnostics
            .iter()
            .map(|each| (each.severity, sitegen_core::diagnostics::message(&each.problem)))
            .collect();
        assert_eq!(doubts, [(Severity::Warning, "unknown key `trats`".to_owned())]);
    }

    #[test]
    fn the_schema_accepts_the_entries_it_was_made_of_and_finds_the_slip() {
        let sources = Sources::from_files(BEERS);
        let schema = schema(&sources, "beers").value.unwrap().to_string();
        let schema = Schema::built_in(&schema, &Cache::default());
        for (name, text) in BEERS.into_iter().filter(|(name, _)| name.ends_with(".yaml")) {
            let path = SourcePath::new(name);
            let node = yaml::parse(&path, text, 0).unwrap();
            let mut diagnostics = Vec::new();
            schema.check(&node, &Text { path: &path, text: text.into() }, &["order"], &mut diagnostics);
            assert_eq!(diagnostics.len(), usize::from(name.contains("ipa")), "{name}: {diagnostics:?}");
        }
    }
}
