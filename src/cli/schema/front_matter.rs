//! `frontmatter.json`, the configuration of Front Matter CMS, which edits files in Visual Studio Code.

use super::decap::reason;
use crate::content::editable::{Contents, Editable, File, Folder, Group, Layout, Shape};
use crate::content::fields::{Field, FieldKind, TextForm};
use crate::content::syntax::Syntax;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the configuration, and adds what cannot be edited to `left_out`. `slugs` has those of each collection.
pub fn configuration(
    editable: &Editable,
    slugs: &BTreeMap<String, BTreeSet<String>>,
    left_out: &mut Vec<String>,
) -> Json {
    let mut writer = Writer::new(editable, slugs);
    for group in &editable.groups {
        writer.group(group, left_out);
    }
    let Writer { page_folders, content_types, data_files, data_folders, .. } = writer;
    let mut config = Map::new();
    let mut set = |key: &str, value: Json| drop(config.insert(key.to_owned(), value));
    set("$schema", json!("https://frontmatter.codes/frontmatter.schema.json"));
    set("frontMatter.framework.id", json!("other"));
    set("frontMatter.content.publicFolder", json!("content/assets"));
    // The name of a file is an address, without the day on which it was made.
    set("frontMatter.templates.prefix", json!(""));
    set("frontMatter.taxonomy.dateFormat", json!("yyyy-MM-dd"));
    set("frontMatter.content.pageFolders", page_folders.into());
    set("frontMatter.taxonomy.contentTypes", content_types.into());
    set("frontMatter.data.files", data_files.into());
    set("frontMatter.data.folders", data_folders.into());
    Json::Object(config)
}

struct Writer<'e> {
    editable: &'e Editable,
    slugs: &'e BTreeMap<String, BTreeSet<String>>,
    page_folders: Vec<Json>,
    content_types: Vec<Json>,
    data_files: Vec<Json>,
    data_folders: Vec<Json>,
}

impl<'e> Writer<'e> {
    fn new(editable: &'e Editable, slugs: &'e BTreeMap<String, BTreeSet<String>>) -> Self {
        let (page_folders, content_types, data_files, data_folders) = Default::default();
        Self { editable, slugs, page_folders, content_types, data_files, data_folders }
    }

    fn group(&mut self, group: &Group, left_out: &mut Vec<String>) {
        match &group.contents {
            Contents::Folder(folder) => self.folder(group, folder, left_out),
            Contents::Files(files) => {
                for file in files {
                    self.file(group, file, left_out);
                }
                self.folders_of_texts(group, files);
            }
        }
    }

    /// Adds the folders of Markdown files that have different keys. The program knows one kind of file for each folder: it has the
    /// keys that all of them have, and the others are edited in the text.
    fn folders_of_texts(&mut self, group: &Group, files: &[File]) {
        let texts: Vec<&File> = files.iter().filter(|file| file.shape == Shape::KeysAndText).collect();
        let Some(first) = texts.first() else { return };
        let has = |file: &File, field: &Field| {
            file.fields.iter().any(|other| other.name == field.name && other.kind == field.kind)
        };
        let common = first.fields.iter().filter(|field| texts.iter().all(|file| has(file, field)));
        let fields: Vec<Field> = common.cloned().collect();
        let kind = json!({ "name": group.name, "clearEmpty": true, "fields": self.fields(&fields) });
        let folders: BTreeSet<String> = texts.iter().map(|file| folder_of(file)).collect();
        let is_known = |folder: &String| {
            let is_it = |group: &Group| matches!(&group.contents, Contents::Folder(known) if known.path == *folder);
            self.editable.groups.iter().any(is_it)
        };
        let folders: Vec<String> = folders.into_iter().filter(|folder| !is_known(folder)).collect();
        if folders.is_empty() {
            return;
        }
        self.content_types.push(kind);
        for folder in folders {
            let title = format!("{}: {}", group.label, folder.trim_start_matches("content/"));
            self.page_folders.push(json!({
                "title": title,
                "path": format!("[[workspace]]/{folder}"),
                "excludeSubdir": true,
                "disableCreation": true,
                "contentTypes": [group.name],
            }));
        }
    }

    fn folder(&mut self, group: &Group, folder: &Folder, left_out: &mut Vec<String>) {
        let in_folders = self.editable.layout == Layout::Folders;
        if in_folders && folder.language > 0 {
            return;
        }
        if folder.extension == "md" {
            let mut fields = self.fields(&folder.fields);
            if let Some(template) = &folder.template {
                fields.push(json!({ "type": "string", "name": "template", "title": "Template", "default": template, "hidden": true }));
            }
            let mut content_type = json!({ "name": group.name, "clearEmpty": true, "fields": fields });
            if folder.is_bundled {
                content_type["pageBundle"] = json!(true);
            }
            self.content_types.push(content_type);
            let mut entry = json!({
                "title": group.label,
                "path": format!("[[workspace]]/{}", folder.path),
                "excludeSubdir": !folder.is_bundled && !in_folders,
                "filePrefix": "",
                "contentTypes": [group.name],
            });
            if in_folders {
                let locales = self.editable.languages.iter().enumerate().map(|(number, language)| {
                    let path = if number == 0 { "" } else { &language.tag };
                    json!({ "title": language.name, "locale": language.tag, "path": path })
                });
                entry["defaultLocale"] = json!(self.editable.languages[0].tag);
                entry["locales"] = locales.collect();
            }
            self.page_folders.push(entry);
            return;
        }
        let Some(kind) = file_type(folder.syntax) else {
            left_out.push(format!("{}: TOML", folder.path));
            return;
        };
        self.data_folders.push(json!({
            "id": group.name,
            "path": format!("[[workspace]]/{}", folder.path),
            "labelField": folder.named_by,
            "singleEntry": true,
            "enableFileCreation": true,
            "fileType": kind,
            "schema": self.schema(&group.label, &folder.fields),
        }));
    }

    fn file(&mut self, group: &Group, file: &File, left_out: &mut Vec<String>) {
        match (file.shape, file_type(file.syntax)) {
            // With its folder.
            (Shape::KeysAndText, _) => {}
            (Shape::Keys | Shape::List, Some(kind)) => {
                let named_by = file.fields.first().map_or("name", |field| &field.name);
                self.data_files.push(json!({
                    "id": format!("{}-{}", group.name, file.name),
                    "title": if group.label == file.label { file.label.clone() } else { format!("{}: {}", group.label, file.label) },
                    "file": format!("[[workspace]]/{}", file.path.as_str()),
                    "fileType": kind,
                    "labelField": named_by,
                    "singleEntry": file.shape == Shape::Keys,
                    "schema": self.schema(&file.label, &file.fields),
                }));
            }
            (Shape::Keys | Shape::List, None) => left_out.push(format!("{}: TOML", file.path.as_str())),
            (shape, _) => left_out.push(format!("{}: {}", file.path.as_str(), reason(shape))),
        }
    }

    fn fields(&self, fields: &[Field]) -> Vec<Json> {
        fields.iter().filter_map(|field| self.field(field)).collect()
    }

    fn field(&self, field: &Field) -> Option<Json> {
        let mut written = Map::new();
        let mut set = |key: &str, value: Json| drop(written.insert(key.to_owned(), value));
        set("title", json!(field.label));
        set("name", json!(field.name));
        set("type", json!(kind_of(&field.kind)?));
        if field.is_required && field.kind != FieldKind::Boolean {
            set("required", json!(true));
        }
        if let Some(hint) = &field.hint {
            set("description", json!(hint));
        }
        if let Some(default) = &field.default {
            set("default", default.clone());
        }
        match &field.kind {
            FieldKind::Text { form: TextForm::Line | TextForm::Address | TextForm::Email, .. } => {
                set("single", json!(true))
            }
            FieldKind::Number { is_whole, minimum, maximum } => {
                let mut options = Map::new();
                options.insert("isDecimal".to_owned(), json!(!is_whole));
                options.extend(minimum.clone().map(|minimum| ("min".to_owned(), minimum)));
                options.extend(maximum.clone().map(|maximum| ("max".to_owned(), maximum)));
                set("numberOptions", options.into());
            }
            FieldKind::Date => set("dateFormat", json!("yyyy-MM-dd")),
            FieldKind::Choice { options, list } => {
                let choices = options.iter().map(|(label, value)| match value.as_str() {
                    Some(value) if value != label => json!({ "id": value, "title": label }),
                    _ => json!(label),
                });
                set("choices", choices.collect());
                set("multiple", json!(list.is_some()));
            }
            FieldKind::Reference { collection, list } => {
                set("choices", json!(self.slugs.get(collection)?));
                set("multiple", json!(list.is_some()));
            }
            FieldKind::Asset { .. } => set("single", json!(true)),
            FieldKind::Object(fields) => set("fields", self.fields(fields).into()),
            _ => {}
        }
        Some(Json::Object(written))
    }

    /// Returns the JSON Schema by which data files are edited.
    fn schema(&self, title: &str, fields: &[Field]) -> Json {
        let properties: Map<String, Json> =
            fields.iter().map(|field| (field.name.clone(), self.property(field))).collect();
        let required: Vec<&str> =
            fields.iter().filter(|field| field.is_required).map(|field| field.name.as_str()).collect();
        json!({ "title": title, "type": "object", "required": required, "properties": properties })
    }

    fn property(&self, field: &Field) -> Json {
        let several =
            |item: Json, is_list: bool| if is_list { json!({ "type": "array", "items": item }) } else { item };
        let mut property = match &field.kind {
            FieldKind::Text { length, pattern, .. } => {
                let mut text = json!({ "type": "string" });
                let limits = [("minLength", length.least.map(Json::from)), ("maxLength", length.most.map(Json::from))];
                let pattern = ("pattern", pattern.as_ref().map(|pattern| json!(pattern)));
                for (key, value) in limits.into_iter().chain([pattern]) {
                    if let Some(value) = value {
                        text[key] = value;
                    }
                }
                text
            }
            FieldKind::Number { is_whole, .. } => json!({ "type": if *is_whole { "integer" } else { "number" } }),
            FieldKind::Boolean => json!({ "type": "boolean" }),
            FieldKind::Date | FieldKind::Asset { .. } => json!({ "type": "string" }),
            FieldKind::Choice { options, list } => {
                let kind = match &options[0].1 {
                    Json::Number(_) => "number",
                    _ => "string",
                };
                let values: Vec<&Json> = options.iter().map(|(_, value)| value).collect();
                several(json!({ "type": kind, "enum": values }), list.is_some())
            }
            FieldKind::Reference { collection, list } => {
                let slugs = self.slugs.get(collection).filter(|slugs| !slugs.is_empty());
                let text = slugs
                    .map_or_else(|| json!({ "type": "string" }), |slugs| json!({ "type": "string", "enum": slugs }));
                several(text, list.is_some())
            }
            FieldKind::List { item, .. } => several(self.property(item), true),
            FieldKind::Object(fields) => self.schema(&field.label, fields),
            FieldKind::Pairs => json!({ "type": "object", "properties": {} }),
        };
        property["title"] = json!(field.label);
        if let Some(hint) = &field.hint {
            property["description"] = json!(hint);
        }
        property
    }
}

fn folder_of(file: &File) -> String {
    file.path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

/// Returns the type of a field. `None` if keys of that kind are edited in the text of the file.
fn kind_of(kind: &FieldKind) -> Option<&'static str> {
    match kind {
        // The path of a picture that is chosen would begin with a slash.
        FieldKind::Text { .. } | FieldKind::Asset { .. } => Some("string"),
        FieldKind::Number { .. } => Some("number"),
        FieldKind::Boolean => Some("boolean"),
        FieldKind::Date => Some("datetime"),
        // A choice is written as a text.
        FieldKind::Choice { options, .. } => options.iter().all(|(_, value)| value.is_string()).then_some("choice"),
        FieldKind::Reference { .. } => Some("choice"),
        FieldKind::List { item, .. } => matches!(item.kind, FieldKind::Text { .. }).then_some("list"),
        FieldKind::Object(_) => Some("fields"),
        FieldKind::Pairs => None,
    }
}

/// Returns the name of the format of a data file.
fn file_type(syntax: Syntax) -> Option<&'static str> {
    match syntax {
        Syntax::Yaml => Some("yaml"),
        Syntax::Json => Some("json"),
        Syntax::Toml | Syntax::Csv => None,
    }
}
