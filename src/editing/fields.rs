//! Values of a file as fields of a form: by what the schemas say, and by what is written.

use super::names::{
    asset_of, called, description_beside, filled, language_of, of_original, parts_of, plain, spoken, title_of,
};
use super::requests::Change;
use super::targets::{Name, Spot, Target, Targets, route};
use super::{Moment, Refused, refused};
use crate::content::assets::Asset;
use crate::content::syntax::Syntax;
use crate::content::yaml::{Key, Node, Value};
use crate::content::{Site, front_matter};
use crate::diagnostics::{Position, Span};
use crate::edit::tree::{Data, Item, Scalar, Style};
use crate::edit::{File, blocks, plain_value};
use crate::ide::schemas::{FileSchemas, Part};
use crate::paths::SourcePath;
use crate::sources::{SourceKind, Sources};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// How deep lists and groups are shown.
const DEEPEST: usize = 8;
/// A text with more letters gets a field of several lines.
const LONG: usize = 120;

/// A file that is shown.
struct Shown<'a> {
    path: &'a SourcePath,
    text: Arc<str>,
    file: Option<&'a File<'a>>,
    schemas: &'a FileSchemas,
    sources: &'a Sources,
    /// What its values are called after: `Harbour`.
    title: &'a str,
    /// The tag of its language.
    language: &'a str,
}

/// Returns the field of a target.
pub fn field(target: &Target, moment: &mut Moment, targets: &mut Targets) -> Result<Json, Refused> {
    let sources = moment.session.sources().cloned().unwrap_or_default();
    match &target.spot {
        Spot::Block { span } => {
            // Somebody may have changed the file since the page was shown, perhaps so that it cannot be shown any more.
            let now = sources.text(&target.path).filter(|now| **now != *target.base);
            let carried = now.and_then(|now| Some((now, blocks::carried(&target.path, &target.base, *span, now)?)));
            Ok(match carried {
                Some((now, span)) => {
                    let now = Target { base: Arc::from(now), spot: Spot::Block { span }, ..target.clone() };
                    markdown(&now, span, targets)
                }
                None => markdown(target, *span, targets),
            })
        }
        Spot::Whole | Spot::Body => {
            // As above: what is opened is the text of now.
            let base = sources.text(&target.path).map_or_else(|| target.base.clone(), Arc::from);
            let now = Target { base, ..target.clone() };
            Ok(match target.spot {
                Spot::Body => body(&now, targets),
                _ => markdown(&now, Span { start: 0, end: now.base.len() }, targets),
            })
        }
        Spot::Translated { original, text, span } => {
            let spot = Spot::Block { span: *span };
            let original = Target { path: original.clone(), base: text.clone(), spot, label: target.label.clone() };
            let mut json = markdown(&original, *span, targets);
            json["id"] = json!(targets.add(target.clone()));
            json["where"] = json!(target.path.as_str());
            json["hint"] = json!(note_of_original(&target.path, moment));
            Ok(json)
        }
        Spot::New { .. } => Err(refused(400, "There is nothing to open here.")),
        Spot::Value { names } => show(&target.path, &sources, &language_of(&target.path, moment), |shown| {
            let mut json = shown.field(names, targets, 0);
            if json["editor"] == "picture" {
                shown.describe_picture(names, &mut json, moment, targets);
            }
            let original =
                json["value"].is_null().then(|| of_original(&target.path, names, &sources, moment)).flatten();
            if let Some(original) = &original {
                let hint = json["hint"].as_str().unwrap_or_default();
                json["hint"] = json!(format!("{} {hint}", note_of_original(&target.path, moment)).trim_end());
                let name = json["name"].as_str().unwrap_or_default().to_owned();
                // The key may be unknown to schemas.
                if ["raw", "text"].contains(&json["editor"].as_str().unwrap_or_default())
                    && shown.is_picture(original, &name, &[])
                {
                    json["editor"] = json!("picture");
                }
                if json["editor"] == "picture"
                    && let Some(asset) = asset_of(&target.path, original, &sources)
                {
                    json["preview"] = json!(preview(&asset, moment));
                }
            }
            json["shown"] = json!(filled(&target.path, shown.file, names, moment).or(original));
            Ok(json)
        }),
    }
}

/// Says whose text is shown where a translation lacks one, and where a text goes that is written now.
fn note_of_original(path: &SourcePath, moment: &Moment) -> String {
    let Some(site) = moment.site else { return String::new() };
    let kinds = [SourceKind::Page, SourceKind::Entry, SourceKind::Settings];
    let mut originals = moment.sources.of_all(&kinds);
    let mut others = site.views.iter().skip(1);
    let own = originals
        .find_map(|(original, _)| others.clone().find(|view| view.language.translation_of(original) == *path))
        .or_else(|| others.find(|view| view.language.has(path)));
    let own = own.map_or_else(|| path.to_string(), |view| view.language.name.clone());
    let original = &site.main().language.name;
    format!(
        "This is the original ({original}), shown because there is no text in {own}. What you write here is the text in {own}; the \
         original stays as it is."
    )
}

/// Calls a function with a file as it is now.
fn show<R>(path: &SourcePath, sources: &Sources, language: &str, with: impl FnOnce(&Shown) -> R) -> R {
    let text: Arc<str> = Arc::from(sources.text(path).unwrap_or_default());
    let (file, schemas) = (File::of(path, &text), FileSchemas::of(path, &text, sources));
    let title = if SourceKind::of(path) == SourceKind::Asset { path.name().to_owned() } else { title_of(path, &text) };
    let (text, file) = (text.clone(), file.as_ref());
    with(&Shown { path, text, file, schemas: &schemas, sources, title: &title, language })
}

/// Returns the form of all keys of a file.
pub fn form(target: &Target, moment: &mut Moment, targets: &mut Targets) -> Result<Json, Refused> {
    let Spot::Value { names } = &target.spot else { return Err(refused(400, "This is no file.")) };
    let sources = moment.session.sources().cloned().unwrap_or_default();
    show(&target.path, &sources, &language_of(&target.path, moment), |shown| {
        let mut fields = shown.fields(names, targets, 0);
        let draft = fields.iter().position(|field| field["name"] == "draft").map(|at| fields.remove(at));
        let has_body = names.is_empty() && target.path.extension() == Some("md");
        let whole = Target {
            base: shown.text.clone(),
            spot: Spot::Body,
            label: format!("text of {}", shown.title),
            path: target.path.clone(),
        };
        Ok(json!({
            "title": shown.title,
            "file": target.path.as_str(),
            "fields": fields,
            "draft": draft,
            "body": has_body.then(|| body(&whole, targets)),
        }))
    })
}

/// Returns a change whose number is spelled as it can be: without a schema, YAML allows no spelling that would be lost.
pub fn spelled(change: &Change, target: &Target, moment: &mut Moment) -> Change {
    let (Some(number), Spot::Value { names }) = (&change.number, &target.spot) else { return change.clone() };
    let sources = moment.session.sources().cloned().unwrap_or_default();
    let schemas = FileSchemas::of(&target.path, &target.base, &sources);
    let parts = parts_of(&schemas, &target.path, names);
    let is_typed = parts.iter().any(|part| part.allows("number") || part.allows("integer"));
    let syntax = Syntax::of(&target.path, &target.base);
    let number = match plain_value(syntax, number) {
        Value::Integer(value) if syntax == Syntax::Yaml && !is_typed => value.to_string(),
        Value::Float(value) if syntax == Syntax::Yaml && !is_typed => value.to_string(),
        _ => number.clone(),
    };
    Change { number: Some(number), ..change.clone() }
}

/// Returns the pictures of the site.
pub fn pictures(moment: &mut Moment) -> Json {
    let Some(site) = moment.site else { return json!({ "all": [] }) };
    let is_picture = |name: &str| SUFFIXES.iter().any(|suffix| name.to_ascii_lowercase().ends_with(suffix));
    let all = site.assets.iter().filter(|asset| is_picture(asset.path())).map(|asset| {
        let header = asset.header().and_then(Result::ok);
        json!({
            "name": asset.path(), "preview": preview(&asset.source, moment),
            "width": header.map(|header| header.width), "height": header.map(|header| header.height),
        })
    });
    json!({ "all": all.collect::<Vec<_>>() })
}

const SUFFIXES: [&str; 7] = [".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif", ".svg"];

/// Returns the address at which the source of a picture is shown, by the digest of its bytes.
fn preview(path: &SourcePath, moment: &Moment) -> Option<String> {
    let asset = moment.site?.assets.iter().find(|asset| asset.source == *path)?;
    Some(format!("{PICTURE}{}", hex(&asset.digest)))
}

/// Where the sources of pictures are shown.
pub const PICTURE: &str = "/.sitegen/edit/picture/";

/// Returns the picture with a digest, and its name.
pub fn picture_of<'s>(digest: &str, site: &'s Site) -> Option<&'s Asset> {
    site.assets.iter().find(|asset| hex(&asset.digest) == digest)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn markdown(target: &Target, span: Span, targets: &mut Targets) -> Json {
    let text = target.base[span.start..span.end].trim_end_matches(['\r', '\n']).to_owned();
    let line = Position::of(&target.base, span).map_or(1, |at| at.line);
    json!({
        "id": targets.add(target.clone()), "name": "body", "label": target.label, "editor": "markdown", "required": true,
        "where": format!("{}:{line}", target.path), "hint": null, "value": text, "shown": null,
    })
}

fn body(target: &Target, targets: &mut Targets) -> Json {
    let start = front_matter::split(&target.path, &target.base).map_or(0, |parts| parts.body_start);
    markdown(&Target { spot: Spot::Body, ..target.clone() }, Span { start, end: target.base.len() }, targets)
}

impl Shown<'_> {
    fn item(&self, names: &[Name]) -> Option<&Item> {
        let file = self.file?;
        file.root().at(&route(file, names)?)
    }

    fn parts(&self, names: &[Name]) -> Vec<Part<'_>> {
        parts_of(self.schemas, self.path, names)
    }
}

impl Shown<'_> {
    /// Returns the fields of a mapping: those that are written, and those that its schema knows.
    fn fields(&self, names: &[Name], targets: &mut Targets, depth: usize) -> Vec<Json> {
        let item = self.item(names);
        let below = |key: &str| names.iter().cloned().chain([Name::Key(key.to_owned())]).collect::<Vec<Name>>();
        if let Some(Data::List { items, .. }) = item.map(|item| &item.data) {
            let items = 0..items.len();
            return items
                .map(|number| self.field(&[names, &[Name::Number(number)]].concat(), targets, depth))
                .collect();
        }
        let written: Vec<String> = item
            .map(Item::entries)
            .unwrap_or_default()
            .iter()
            .filter_map(|(key, _)| Some(key.scalar()?.text.clone()))
            .collect();
        let parts = self.parts(names);
        let known = parts.iter().flat_map(Part::properties).map(|(name, _)| name.to_owned());
        let mut all = written;
        for name in known {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all.iter().map(|name| self.field(&below(name), targets, depth)).collect()
    }

    fn field(&self, names: &[Name], targets: &mut Targets, depth: usize) -> Json {
        let item = self.item(names);
        let parts = self.parts(names);
        let text = |key: &str| parts.iter().find_map(|part| part.text(key));
        let name = names.iter().rev().find_map(|name| match name {
            Name::Key(key) => Some(key.as_str()),
            Name::Number(_) => None,
        });
        let name = name.unwrap_or("item");
        let titled = text("title");
        let label = titled.map_or_else(|| spoken(&plain(name)), str::to_owned);
        let line = item.and_then(|item| Position::of(&self.text, item.span)).map(|at| at.line);
        let (last, above) = names.split_last().map_or((None, names), |(last, above)| (Some(last), above));
        let required = match last {
            Some(Name::Key(key)) => self.parts(above).iter().any(|part| part.requires(key)),
            _ => false,
        };
        let editor = self.editor(item, &parts, name);
        let mut json = json!({
            "id": targets.add(self.target(names, titled)),
            "name": name, "label": label, "required": required, "editor": editor,
            "where": line.map_or_else(|| self.path.to_string(), |line| format!("{}:{line}", self.path)), "value": self.value(item, editor), "shown": null,
            "language": self.language, "direction": direction(item),
        });
        let choices: Vec<&Json> = parts.iter().flat_map(|part| part.choices()).collect();
        if editor == "choice" {
            json["choices"] = json!(choices);
        }
        for (key, wanted) in [
            ("minimum", "minimum"),
            ("maximum", "maximum"),
            ("multipleOf", "step"),
            ("minLength", "minLength"),
            ("maxLength", "maxLength"),
        ] {
            if let Some(limit) = parts.iter().find_map(|part| part.json.get(key)) {
                json[wanted] = limit.clone();
            }
        }
        let limits = [("minimum", "At least", ""), ("maximum", "At most", ""), ("maxLength", "At most", " characters")];
        let limits = limits.iter().filter(|(key, ..)| !json[*key].is_null());
        let limits = limits.map(|(key, most, what)| format!("{most} {}{what}.", json[*key]));
        let hint: Vec<String> = text("description").map(str::to_owned).into_iter().chain(limits).collect();
        json["hint"] = json!((!hint.is_empty()).then(|| hint.join(" ")));
        if depth < DEEPEST {
            match editor {
                "group" => json["fields"] = Json::Array(self.fields(names, targets, depth + 1)),
                "list" => self.add_items(names, item, &mut json, targets, depth),
                _ => {}
            }
        }
        json
    }

    fn add_items(&self, names: &[Name], item: Option<&Item>, json: &mut Json, targets: &mut Targets, depth: usize) {
        let count = match item.map(|item| &item.data) {
            Some(Data::List { items, .. }) => items.len(),
            _ => 0,
        };
        let items = (0..count).map(|number| {
            let field = self.field(&[names, &[Name::Number(number)]].concat(), targets, depth + 1);
            json!({ "id": field["id"], "title": item_title(&field, number), "field": field })
        });
        let items: Vec<Json> = items.collect();
        // An item that is not there yet has the fields that its schema knows, or those of the first.
        let mut blank = self.field(&[names, &[Name::Number(count)]].concat(), targets, depth + 1);
        if blank["editor"] == "raw"
            && let Some(first) = items.first()
        {
            blank = first["field"].clone();
        }
        json["items"] = Json::Array(items);
        json["canAdd"] = json!(blank["editor"] != "raw");
        json["item"] = emptied(&blank);
    }

    fn target(&self, names: &[Name], titled: Option<&str>) -> Target {
        let label = called(self.file, names, titled, self.title);
        Target { path: self.path.clone(), base: self.text.clone(), spot: Spot::Value { names: names.to_vec() }, label }
    }

    /// Returns what a value is edited with.
    fn editor(&self, item: Option<&Item>, parts: &[Part], name: &str) -> &'static str {
        let allows = |kind: &str| parts.iter().any(|part| part.allows(kind));
        match item.map(|item| &item.data) {
            Some(Data::List { .. }) => return "list",
            Some(Data::Map { .. }) => return "group",
            Some(Data::Alias(_)) => return "raw",
            _ => {}
        }
        let meant = self.meant(item);
        let scalar = meant.as_ref().map(|(scalar, _)| *scalar);
        let text = scalar.map_or("", |scalar| scalar.text.as_str());
        let is_bool = matches!(meant, Some((_, Value::Bool(_))));
        let is_number = matches!(meant, Some((_, Value::Integer(_) | Value::Float(_))));
        let is_date = parts.iter().any(|part| part.text("format") == Some("date"))
            || parts.is_empty() && text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
        let most = parts.iter().find_map(|part| part.json.get("maxLength")?.as_u64());
        if parts.iter().any(|part| !part.choices().is_empty()) {
            "choice"
        } else if allows("boolean") || is_bool {
            "switch"
        } else if is_date {
            "date"
        } else if self.is_picture(text, name, parts) {
            "picture"
        } else if (allows("integer") || allows("number")) && !allows("string") || parts.is_empty() && is_number {
            "number"
        } else if scalar.is_none() && allows("array") {
            "list"
        } else if scalar.is_none() && allows("object") {
            "group"
        } else if text.contains('\n') || text.chars().count() > LONG || most.is_some_and(|most| most > LONG as u64) {
            "long"
        } else if scalar.is_some() || allows("string") {
            "text"
        } else {
            "raw"
        }
    }

    /// Returns a single value that is written, and what it means. One that means nothing is none.
    fn meant<'i>(&self, item: Option<&'i Item>) -> Option<(&'i Scalar, Value)> {
        let scalar = item.and_then(Item::scalar).filter(|scalar| scalar.style != Style::Empty)?;
        let meant = self.file?.meant(scalar);
        (meant != Value::Null).then_some((scalar, meant))
    }

    /// Returns a value as an editor shows it: a number as it is spelled.
    fn value(&self, item: Option<&Item>, editor: &str) -> Json {
        let Some((scalar, meant)) = self.meant(item) else { return Json::Null };
        match (editor, meant) {
            ("switch", meant) => json!(meant == Value::Bool(true)),
            ("choice", meant) => Node { value: meant, span: Span::default() }.to_json(),
            _ => json!(scalar.text),
        }
    }

    fn is_picture(&self, text: &str, name: &str, parts: &[Part]) -> bool {
        let is_name = |name: &str| SUFFIXES.iter().any(|suffix| name.to_ascii_lowercase().ends_with(suffix));
        if text.is_empty() {
            let named = ["image", "picture", "photo", "logo", "cover", "portrait"];
            return named.iter().any(|each| name.ends_with(each)) && parts.iter().any(|part| part.allows("string"));
        }
        is_name(text) && !text.contains("://") && asset_of(self.path, text, self.sources).is_some()
    }

    /// Adds the preview of a picture, and the field of its description: the key `alt` beside it, or that of the file beside the
    /// picture.
    fn describe_picture(&self, names: &[Name], json: &mut Json, moment: &Moment, targets: &mut Targets) {
        let Some(text) = json["value"].as_str().map(str::to_owned) else { return };
        let Some(asset) = asset_of(self.path, &text, self.sources) else { return };
        json["preview"] = json!(preview(&asset, moment));
        if let Some(names) = description_beside(self.path, &self.text, names, self.sources) {
            json["alt"] = self.field(&names, targets, DEEPEST);
            return;
        }
        let path = SourcePath::new(format!("{asset}.yaml"));
        json["alt"] = show(&path, self.sources, self.language, |shown| {
            shown.field(&[Name::Key("alt".to_owned())], targets, DEEPEST)
        });
    }
}

/// Returns the direction of the letters of a text.
fn direction(item: Option<&Item>) -> &'static str {
    let text = item.and_then(Item::scalar).map_or("", |scalar| scalar.text.as_str());
    let is_right_to_left =
        |letter: char| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
    if text.chars().find(|letter| letter.is_alphabetic()).is_some_and(is_right_to_left) { "rtl" } else { "ltr" }
}

/// Returns what an item of a list is called: the first text in it.
fn item_title(field: &Json, number: usize) -> String {
    let text = |field: &Json| field["value"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let of_fields = || field["fields"].as_array().into_iter().flatten().find_map(text);
    text(field).or_else(of_fields).unwrap_or_else(|| format!("{}", number + 1))
}

/// Returns a field without what is written in it, and without the number of a value: there is none yet.
fn emptied(field: &Json) -> Json {
    let mut field = field.clone();
    field["value"] = Json::Null;
    field["shown"] = Json::Null;
    for key in ["id", "items", "alt", "preview"] {
        field.as_object_mut().map(|map| map.remove(key));
    }
    if let Some(fields) = field["fields"].as_array() {
        field["fields"] = fields.iter().map(emptied).collect();
    }
    field
}

/// Returns a value of JSON as content has it.
pub fn value_of(json: &Json) -> Value {
    let node = |json: &Json| Node { value: value_of(json), span: Span::default() };
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap_or_default()), Value::Integer)
        }
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(node).collect()),
        Json::Object(map) => Value::Map(
            written(map)
                .map(|(name, value)| (Key { name: name.clone(), span: Span::default() }, node(value)))
                .collect(),
        ),
    }
}

/// Returns the keys of a new item that have a value.
fn written(map: &Map<String, Json>) -> impl Iterator<Item = (&String, &Json)> {
    map.iter().filter(|(_, value)| !value.is_null())
}
