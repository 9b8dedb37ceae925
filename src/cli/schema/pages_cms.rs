//! The configuration of Pages CMS.

use super::decap::{format, reason};
use crate::content::editable::{Contents, Editable, File, Folder, Group, Layout, Shape, optional};
use crate::content::fields::{Field, FieldKind, Limits, TextForm};
use crate::content::syntax::Syntax;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the configuration, and adds what cannot be edited to `left_out`. `slugs` has those of each collection: Pages CMS refers to
/// entries by the names of their files, with `.md`.
pub fn configuration(
    editable: &Editable,
    slugs: &BTreeMap<String, BTreeSet<String>>,
    left_out: &mut Vec<String>,
) -> Json {
    let mut writer = Writer { editable, slugs, folders: BTreeSet::new() };
    let content: Vec<Json> = editable.groups.iter().flat_map(|group| writer.group(group, left_out)).collect();
    let mut media = vec![json!({ "name": "assets", "label": "Assets", "input": "content/assets", "output": "/" })];
    for folder in &writer.folders {
        media.push(json!({ "name": name_of_media(folder), "label": folder, "input": format!("content/assets/{folder}"), "output": folder }));
    }
    json!({
        "media": media,
        "content": content,
        // Keys that forms do not have stay in their files.
        "settings": { "content": { "merge": true } },
    })
}

struct Writer<'e> {
    editable: &'e Editable,
    slugs: &'e BTreeMap<String, BTreeSet<String>>,
    /// Folders of assets that fields choose from.
    folders: BTreeSet<String>,
}

/// The kind of a field, its options, and what stands beside these.
type Details = (&'static str, Map<String, Json>, Vec<(&'static str, Json)>);

impl Writer<'_> {
    fn group(&mut self, group: &Group, left_out: &mut Vec<String>) -> Option<Json> {
        match &group.contents {
            Contents::Folder(folder) => Some(self.folder(group, folder)),
            Contents::Files(files) => {
                let known = |file: &&File| {
                    let is_known =
                        file.shape != Shape::Map && (file.shape != Shape::List || file.syntax != Syntax::Toml);
                    if !is_known {
                        left_out.push(format!("{}: {}", file.path.as_str(), reason(file.shape)));
                    }
                    is_known
                };
                let files: Vec<&File> = files.iter().filter(known).collect();
                match files[..] {
                    [] => None,
                    [only] => Some(self.file(&group.name, &group.label, only)),
                    _ => {
                        let prefix = &group.name;
                        let items: Vec<Json> = files
                            .into_iter()
                            .map(|file| self.file(&format!("{prefix}-{}", file.name), &file.label, file))
                            .collect();
                        let name = format!("{prefix}-files");
                        Some(json!({ "name": name, "label": group.label, "type": "group", "items": items }))
                    }
                }
            }
        }
    }

    fn folder(&mut self, group: &Group, folder: &Folder) -> Json {
        let mut content = Map::new();
        let mut set = |key: &str, value: Json| drop(content.insert(key.to_owned(), value));
        set("name", json!(group.name));
        set("label", json!(group.label));
        set("type", json!("collection"));
        set("path", json!(folder.path));
        set("format", json!(format(folder.syntax, folder.extension == "md")));
        if folder.is_bundled {
            set("filename", json!("{primary}/index.md"));
            set("subfolders", json!(true));
        } else {
            set("filename", json!(format!("{{primary}}.{}", folder.extension)));
            set("subfolders", json!(false));
        }
        if !folder.excluded.is_empty() {
            set("exclude", json!(folder.excluded));
        }
        set("view", json!({ "primary": folder.named_by, "fields": [folder.named_by] }));
        // Translations lie among their originals, and have only what differs. A switch would be off in each that is saved.
        let is_mixed = matches!(self.editable.layout, Layout::Beside | Layout::Mixed);
        let mut fields = if is_mixed { optional(&folder.fields) } else { folder.fields.clone() };
        fields.retain(|field| !is_mixed || field.kind != FieldKind::Boolean);
        let mut fields = self.fields(&fields);
        if let Some(template) = &folder.template {
            fields.push(json!({ "name": "template", "type": "string", "hidden": true, "default": template }));
        }
        if folder.extension == "md" {
            fields.push(text_below());
        }
        set("fields", fields.into());
        Json::Object(content)
    }

    fn file(&mut self, name: &str, label: &str, file: &File) -> Json {
        let mut content = Map::new();
        let mut set = |key: &str, value: Json| drop(content.insert(key.to_owned(), value));
        set("name", json!(name));
        set("label", json!(label));
        set("type", json!("file"));
        set("path", json!(file.path.as_str()));
        if file.shape == Shape::Table {
            set("format", json!("datagrid"));
            return Json::Object(content);
        }
        set("format", json!(format(file.syntax, file.shape == Shape::KeysAndText)));
        if file.shape == Shape::List {
            set("list", json!(true));
        }
        let mut fields = self.fields(&file.fields);
        if file.shape == Shape::KeysAndText {
            fields.push(text_below());
        }
        set("fields", fields.into());
        Json::Object(content)
    }

    fn fields(&mut self, fields: &[Field]) -> Vec<Json> {
        fields.iter().filter_map(|field| self.field(field)).collect()
    }

    fn field(&mut self, field: &Field) -> Option<Json> {
        // Names of keys that it does not accept are edited in the file.
        if !field.name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_') {
            return None;
        }
        let mut written = Map::new();
        let (kind, options, more) = self.details(field)?;
        let mut set = |key: &str, value: Json| drop(written.insert(key.to_owned(), value));
        set("name", json!(field.name));
        set("label", json!(field.label));
        set("type", json!(kind));
        if field.is_required && field.kind != FieldKind::Boolean {
            set("required", json!(true));
        }
        if let Some(hint) = &field.hint {
            set("description", json!(hint));
        }
        match &field.default {
            Some(default) => set("default", default.clone()),
            // Otherwise it is today, also in files that exist.
            None if field.kind == FieldKind::Date => set("default", json!("")),
            None => {}
        }
        if !options.is_empty() {
            set("options", Json::Object(options));
        }
        for (key, value) in more {
            set(key, value);
        }
        Some(Json::Object(written))
    }

    /// Returns the type of a field, its options, and what else it has. `None` if there is no such field.
    fn details(&mut self, field: &Field) -> Option<Details> {
        let mut options = Map::new();
        let mut more = Vec::new();
        let mut option = |key: &str, value: Option<Json>| {
            if let Some(value) = value {
                options.insert(key.to_owned(), value);
            }
        };
        let kind = match &field.kind {
            FieldKind::Text { form, length, pattern } => {
                option("minlength", length.least.map(|least| json!(least)));
                option("maxlength", length.most.map(|most| json!(most)));
                more.extend(pattern.as_ref().map(|pattern| ("pattern", json!(pattern))));
                if *form == TextForm::Paragraph { "text" } else { "string" }
            }
            FieldKind::Number { minimum, maximum, .. } => {
                option("min", minimum.clone());
                option("max", maximum.clone());
                "number"
            }
            FieldKind::Boolean => "boolean",
            FieldKind::Date => "date",
            // A choice is written as a text.
            FieldKind::Choice { options: choices, list } if choices.iter().all(|(_, value)| value.is_string()) => {
                let values = choices.iter().map(|(label, value)| json!({ "label": label, "value": value }));
                option("values", Some(values.collect()));
                several(*list, &mut option);
                "select"
            }
            FieldKind::Choice { list: None, .. } => "number",
            FieldKind::Choice { .. } => return None,
            FieldKind::Reference { collection, list } => {
                option("values", Some(json!(self.slugs.get(collection)?)));
                several(*list, &mut option);
                "select"
            }
            FieldKind::Asset { folder, is_picture } if !folder.is_empty() => {
                self.folders.insert(folder.clone());
                option("media", Some(json!(name_of_media(folder))));
                if *is_picture { "image" } else { "file" }
            }
            // The path of a file that is chosen would begin with a slash.
            FieldKind::Asset { .. } => "string",
            FieldKind::List { item, limits } => {
                let mut list = Map::new();
                list.insert("collapsible".to_owned(), json!(true));
                list.extend(limits.least.map(|least| ("min".to_owned(), json!(least))));
                list.extend(limits.most.map(|most| ("max".to_owned(), json!(most))));
                let (kind, of_item, of_list) = self.details(item)?;
                more.extend(of_list);
                more.push(("list", Json::Object(list)));
                return Some((kind, of_item, more));
            }
            FieldKind::Object(fields) => {
                more.push(("fields", self.fields(fields).into()));
                "object"
            }
            FieldKind::Pairs => return None,
        };
        Some((kind, options, more))
    }
}

fn several(list: Option<Limits>, option: &mut impl FnMut(&str, Option<Json>)) {
    if let Some(limits) = list {
        option("multiple", Some(json!(true)));
        option("min", limits.least.map(|least| json!(least)));
        option("max", limits.most.map(|most| json!(most)));
    }
}

/// The Markdown below the keys, as it is written: the editor for formatted text does not know calls of components and references.
fn text_below() -> Json {
    json!({ "name": "body", "label": "Text", "type": "code", "options": { "language": "markdown" } })
}

fn name_of_media(folder: &str) -> String {
    let name = folder.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    format!("assets-{}", name.collect::<String>())
}
