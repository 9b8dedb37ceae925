//! The configuration of Decap CMS and of Sveltia CMS, which reads the same format and knows more: translations beside their
//! originals, lists at the top of a file, and empty values that are left out.

use super::Backend;
use crate::content::editable::{Contents, Editable, File, Folder, Group, Layout, Shape, optional};
use crate::content::fields::{Field, FieldKind, Limits, TextForm};
use crate::content::syntax::Syntax;
use serde_json::{Map, Value as Json, json};

/// Which of the two reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Decap CMS.
    Decap,
    /// Sveltia CMS.
    Sveltia,
}

/// Writes the configuration, and adds what cannot be edited to `left_out`.
pub fn configuration(editable: &Editable, program: Program, backend: &Backend, left_out: &mut Vec<String>) -> Json {
    let has_translations = program == Program::Sveltia && matches!(editable.layout, Layout::Beside | Layout::Folders);
    let writer = Writer { program, editable, has_translations };
    let mut config = Map::new();
    config.insert(
        "backend".to_owned(),
        json!({ "name": "github", "repo": backend.repository, "branch": backend.branch }),
    );
    if let Some(url) = &editable.url {
        config.insert("site_url".to_owned(), json!(url));
    }
    config.insert("media_folder".to_owned(), json!("content/assets"));
    config.insert("public_folder".to_owned(), json!(""));
    // It does not know the addresses of pages.
    config.insert("show_preview_links".to_owned(), json!(false));
    // Names of files are addresses.
    config.insert("slug".to_owned(), json!({ "encoding": "ascii", "clean_accents": true }));
    if has_translations {
        config.insert("i18n".to_owned(), writer.languages());
    }
    if program == Program::Sveltia {
        config.insert("output".to_owned(), json!({ "omit_empty_optional_fields": true }));
    }
    let collections: Vec<Json> =
        editable.groups.iter().filter_map(|group| writer.collection(group, left_out)).collect();
    config.insert("collections".to_owned(), collections.into());
    Json::Object(config)
}

struct Writer<'e> {
    program: Program,
    editable: &'e Editable,
    /// Whether the program edits translations with their originals.
    has_translations: bool,
}

impl Writer<'_> {
    fn languages(&self) -> Json {
        let tags: Vec<&str> = self.editable.languages.iter().map(|language| language.tag.as_str()).collect();
        let structure = if self.editable.layout == Layout::Folders { "multiple_folders" } else { "multiple_files" };
        json!({
            "structure": structure,
            "locales": tags,
            "default_locale": tags[0],
            // A translation has only what differs, and is made when somebody writes one.
            "initial_locales": "default",
            "omit_default_locale_from_file_path": true,
        })
    }

    fn collection(&self, group: &Group, left_out: &mut Vec<String>) -> Option<Json> {
        match &group.contents {
            Contents::Folder(folder) => self.folder(group, folder),
            Contents::Files(files) => self.files(group, files, left_out),
        }
    }

    fn folder(&self, group: &Group, folder: &Folder) -> Option<Json> {
        if self.has_translations && folder.language > 0 {
            return None;
        }
        let mut collection = Map::new();
        let mut set = |key: &str, value: Json| drop(collection.insert(key.to_owned(), value));
        set("name", json!(group.name));
        set("label", json!(group.label));
        set("folder", json!(folder.path));
        set("create", json!(true));
        set("extension", json!(folder.extension));
        set("format", json!(format(folder.syntax, folder.extension == "md")));
        set("identifier_field", json!(folder.named_by));
        set("slug", json!("{{slug}}"));
        if folder.is_bundled {
            set("path", json!("{{slug}}/index"));
            // Files lie beside their text.
            set("media_folder", json!(""));
            set("public_folder", json!(""));
        } else if self.program == Program::Sveltia {
            // That of the whole site would begin with a slash.
            set("media_folder", json!("/content/assets"));
            set("public_folder", json!(""));
        }
        if !folder.excluded.is_empty() {
            set("filter", self.filter(folder.template.as_deref()));
        }
        if self.has_translations {
            set("i18n", json!(true));
        }
        let mut fields = self.fields(&self.shown(&folder.fields, folder.language));
        if let Some(template) = &folder.template {
            fields.push(json!({ "name": "template", "widget": "hidden", "default": template }));
        } else if !folder.excluded.is_empty() && self.program == Program::Sveltia {
            // What a filter names has to be a field.
            fields.push(json!({ "name": "template", "widget": "hidden" }));
        }
        if folder.extension == "md" {
            fields.push(self.text_below());
        }
        set("fields", fields.into());
        Some(Json::Object(collection))
    }

    /// Returns what lets files through that name a template, or none.
    fn filter(&self, template: Option<&str>) -> Json {
        match template {
            Some(template) => json!({ "field": "template", "value": template }),
            None if self.program == Program::Sveltia => json!({ "field": "template", "value": null }),
            // Decap compares what a file lacks with what the filter lacks.
            None => json!({ "field": "template" }),
        }
    }

    fn files(&self, group: &Group, files: &[File], left_out: &mut Vec<String>) -> Option<Json> {
        let mut written = Vec::new();
        for file in files {
            let is_known = match file.shape {
                Shape::Keys | Shape::KeysAndText => true,
                Shape::List => {
                    self.program == Program::Sveltia && !self.has_translations && file.syntax != Syntax::Toml
                }
                Shape::Table | Shape::Map => false,
            };
            if !is_known {
                left_out.push(format!("{}: {}", file.path.as_str(), reason(file.shape)));
            } else if self.has_translations
                && file.language > 0
                && files.iter().any(|other| other.path.as_str() == file.path.key().as_str())
            {
                // It is edited with its original.
            } else {
                written.push(self.file(file));
            }
        }
        let collection = json!({ "name": group.name, "label": group.label, "files": written });
        let mut collection = collection.as_object().cloned().unwrap_or_default();
        if self.has_translations {
            collection.insert("i18n".to_owned(), json!(true));
        }
        (!written_is_empty(&collection)).then_some(Json::Object(collection))
    }

    fn file(&self, file: &File) -> Json {
        let mut written = Map::new();
        let mut set = |key: &str, value: Json| drop(written.insert(key.to_owned(), value));
        let is_translated = self.has_translations && file.language == 0;
        let path = match is_translated {
            true => self.with_locale(file.path.as_str()),
            false => file.path.as_str().to_owned(),
        };
        set("name", json!(file.name));
        set("label", json!(file.label));
        set("file", json!(path));
        if self.program == Program::Sveltia {
            set("format", json!(format(file.syntax, file.shape == Shape::KeysAndText)));
            set("media_folder", json!("/content/assets"));
            set("public_folder", json!(""));
        }
        if is_translated {
            set("i18n", json!(true));
        }
        let mut fields = match file.shape {
            Shape::List => vec![json!({
                "name": "entries", "label": file.label, "widget": "list", "root": true, "fields": self.fields(&file.fields),
            })],
            _ => self.fields(&file.fields),
        };
        if file.shape == Shape::KeysAndText {
            fields.push(self.text_below());
        }
        set("fields", fields.into());
        Json::Object(written)
    }

    /// Puts the place of a language into a path.
    fn with_locale(&self, path: &str) -> String {
        let folder = path.match_indices('/').nth(1).filter(|_| self.editable.layout == Layout::Folders);
        match folder {
            Some((end, _)) => format!("{}/{{{{locale}}}}{}", &path[..end], &path[end..]),
            None => {
                let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
                format!("{stem}.{{{{locale}}}}.{extension}")
            }
        }
    }

    /// Returns the fields as they are asked for. Where translations lie among their originals and look like these, no field can be
    /// required: a translation has only what differs.
    fn shown(&self, fields: &[Field], language: usize) -> Vec<Field> {
        let has_both = matches!(self.editable.layout, Layout::Beside | Layout::Mixed) && !self.has_translations;
        if has_both && language == 0 { optional(fields) } else { fields.to_vec() }
    }

    /// The Markdown below the keys, as it is written: the editors for formatted text write calls of components, references and tables
    /// in another way than they read them.
    fn text_below(&self) -> Json {
        let mut field =
            json!({ "name": "body", "label": "Text", "widget": "markdown", "modes": ["raw"], "required": false });
        if self.has_translations {
            field["i18n"] = json!(true);
        }
        field
    }

    fn fields(&self, fields: &[Field]) -> Vec<Json> {
        fields.iter().filter_map(|field| self.field(field, false)).collect()
    }

    fn field(&self, field: &Field, is_in_list: bool) -> Option<Json> {
        let mut written = Map::new();
        let mut set = |key: &str, value: Json| drop(written.insert(key.to_owned(), value));
        set("name", json!(field.name));
        set("label", json!(field.label));
        set("widget", json!(widget(&field.kind)));
        let is_switch = field.kind == FieldKind::Boolean;
        match (field.is_required && !is_switch, self.has_translations && field.is_text && !is_in_list) {
            (true, true) => set("required", json!([self.editable.languages[0].tag])),
            (is_required, _) => set("required", json!(is_required)),
        }
        if let Some(hint) = &field.hint {
            set("hint", json!(hint));
        }
        if let Some(default) = &field.default {
            set("default", default.clone());
        }
        if self.has_translations && field.is_text {
            set("i18n", json!(true));
        } else if self.has_translations && is_in_list {
            // A translated list replaces that of the original as a whole.
            set("i18n", json!("duplicate"));
        }
        for (key, value) in self.details(field, is_in_list)? {
            set(key, value);
        }
        Some(Json::Object(written))
    }

    /// Returns what a field has because of its kind. `None` if the program has no such field.
    fn details(&self, field: &Field, is_in_list: bool) -> Option<Vec<(&'static str, Json)>> {
        let mut details = Vec::new();
        match &field.kind {
            FieldKind::Text { form, length, pattern } => {
                let is_sveltia = self.program == Program::Sveltia;
                if let Some(kind) = kind_of_text(*form).filter(|_| is_sveltia) {
                    details.push(("type", json!(kind)));
                }
                if is_sveltia {
                    details.extend(length.least.map(|least| ("minlength", json!(least))));
                    details.extend(length.most.map(|most| ("maxlength", json!(most))));
                }
                let length = if is_sveltia { Limits::default() } else { *length };
                details.extend(pattern_of(pattern.as_deref(), length).map(|pattern| ("pattern", pattern)));
            }
            FieldKind::Number { is_whole, minimum, maximum } => {
                details.push(("value_type", json!(if *is_whole { "int" } else { "float" })));
                details.extend(minimum.clone().map(|minimum| ("min", minimum)));
                details.extend(maximum.clone().map(|maximum| ("max", maximum)));
                if !is_whole {
                    details.push(("step", json!(0.01)));
                }
            }
            FieldKind::Date => match self.program {
                Program::Sveltia => details.extend([("type", json!("date")), ("format", json!("YYYY-MM-DD"))]),
                Program::Decap => details.extend([
                    ("format", json!("YYYY-MM-DD")),
                    ("date_format", json!("YYYY-MM-DD")),
                    ("time_format", json!(false)),
                    // Otherwise a new file has the day on which it is made.
                    ("default", json!("")),
                ]),
            },
            FieldKind::Choice { options, list } => {
                let shown = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let is_named = options.iter().any(|(label, value)| shown(value) != **label);
                let option = |(label, value): &(String, Json)| match is_named {
                    true => json!({ "label": label, "value": value }),
                    false => value.clone(),
                };
                details.push(("options", options.iter().map(option).collect()));
                details.extend(several(*list));
            }
            FieldKind::Reference { collection, list } => {
                let title = self.title_key(collection)?;
                details.extend([
                    ("collection", json!(collection)),
                    ("value_field", json!("{{slug}}")),
                    ("display_fields", json!([title])),
                    ("search_fields", json!([title])),
                ]);
                details.extend(several(*list));
            }
            FieldKind::Asset { folder, .. } if !folder.is_empty() && self.program == Program::Decap => {
                details.extend([
                    ("media_folder", json!(format!("/content/assets/{folder}"))),
                    ("public_folder", json!(folder)),
                ])
            }
            FieldKind::List { item, limits } => {
                details.extend(counts(*limits));
                match &item.kind {
                    FieldKind::Object(fields) => details.push(("fields", self.in_list(fields).into())),
                    _ => details.push(("field", self.field(item, true)?)),
                }
            }
            FieldKind::Object(fields) => {
                details.push(("collapsed", json!(!field.is_required)));
                let fields = if is_in_list { self.in_list(fields) } else { self.fields(fields) };
                details.push(("fields", fields.into()));
            }
            FieldKind::Pairs if self.program == Program::Decap => return None,
            FieldKind::Pairs | FieldKind::Boolean | FieldKind::Asset { .. } => {}
        }
        Some(details)
    }

    fn in_list(&self, fields: &[Field]) -> Vec<Json> {
        fields.iter().filter_map(|field| self.field(field, true)).collect()
    }

    /// Returns the key by which people recognize the entries of a collection. `None` if the collection is no folder.
    fn title_key(&self, collection: &str) -> Option<&str> {
        let group = self.editable.groups.iter().find(|group| group.name == collection)?;
        match &group.contents {
            Contents::Folder(folder) => Some(&folder.named_by),
            Contents::Files(_) => None,
        }
    }
}

fn written_is_empty(collection: &Map<String, Json>) -> bool {
    collection.get("files").and_then(Json::as_array).is_none_or(Vec::is_empty)
}

/// Returns why a file cannot be edited.
pub fn reason(shape: Shape) -> &'static str {
    match shape {
        Shape::List => "a list without a name",
        Shape::Table => "a table",
        Shape::Map => "a map from slug to entry",
        Shape::Keys | Shape::KeysAndText => "a file of this format",
    }
}

/// Returns the name of the format of a file, which Pages CMS has from here.
pub fn format(syntax: Syntax, has_text: bool) -> &'static str {
    match (syntax, has_text) {
        (Syntax::Toml, true) => "toml-frontmatter",
        (Syntax::Json, true) => "json-frontmatter",
        (_, true) => "yaml-frontmatter",
        (Syntax::Toml, false) => "toml",
        (Syntax::Json, false) => "json",
        (_, false) => "yaml",
    }
}

fn widget(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Text { form: TextForm::Paragraph, .. } => "text",
        FieldKind::Text { .. } => "string",
        FieldKind::Number { .. } => "number",
        FieldKind::Boolean => "boolean",
        FieldKind::Date => "datetime",
        FieldKind::Choice { .. } => "select",
        FieldKind::Reference { .. } => "relation",
        FieldKind::Asset { is_picture: true, .. } => "image",
        FieldKind::Asset { is_picture: false, .. } => "file",
        FieldKind::List { .. } => "list",
        FieldKind::Object(_) => "object",
        FieldKind::Pairs => "keyvalue",
    }
}

fn kind_of_text(form: TextForm) -> Option<&'static str> {
    match form {
        TextForm::Address => Some("url"),
        TextForm::Email => Some("email"),
        TextForm::Line | TextForm::Paragraph => None,
    }
}

/// Returns the expression that a text has to match, and the message for those that do not.
fn pattern_of(pattern: Option<&str>, length: Limits) -> Option<Json> {
    match (pattern, length) {
        (Some(pattern), _) => Some(json!([pattern, format!("This must match {pattern}")])),
        (None, Limits { most: Some(most), .. }) => {
            // Lines end within a text too.
            Some(json!([format!("^[\\s\\S]{{0,{most}}}$"), format!("This must have at most {most} characters")]))
        }
        _ => None,
    }
}

fn several(list: Option<Limits>) -> Vec<(&'static str, Json)> {
    let Some(limits) = list else { return Vec::new() };
    let mut details = vec![("multiple", json!(true))];
    details.extend(counts(limits));
    details
}

fn counts(limits: Limits) -> Vec<(&'static str, Json)> {
    let least = limits.least.map(|least| ("min", json!(least)));
    let most = limits.most.map(|most| ("max", json!(most)));
    least.into_iter().chain(most).collect()
}
