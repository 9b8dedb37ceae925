//! Completions in pages, entries and `site.yaml`.

use super::{Completion, CompletionKind, markdown};
use crate::Analysis;
use crate::data::{self, Part, Step};
use crate::schemas::FileSchemas;
use crate::symbols::KeyOwner;
use crate::value::shown;
use crate::word_before;
use serde_json::Value as Json;
use sitegen_content::front_matter;
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::Value;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;
use sitegen_templates::TEMPLATES;

/// Returns what can be written at an offset of a file of content.
pub fn complete(analysis: &Analysis, path: &SourcePath, text: &str, offset: usize) -> Vec<Completion> {
    if let Some(completions) = reference(analysis, path, text, offset) {
        return completions;
    }
    let is_body = |parts: front_matter::Parts| offset >= parts.body_start;
    let is_markdown = path.extension() == Some("md");
    let keys = data::keys_of(path, text);
    let Some((syntax, keys)) = keys.filter(|_| !is_markdown || !front_matter::split(path, text).is_ok_and(is_body))
    else {
        return markdown::complete(analysis, path, text, offset);
    };
    let Some(written) = data::in_file(path, text, offset).filter(|_| offset <= keys.end) else { return Vec::new() };
    let schemas = FileSchemas::of(path, text, analysis.sources);
    match &written.part {
        Part::Key if is_of_list(path, &written.above, "where") => {
            let text = if syntax == Syntax::Yaml { ": " } else { "" };
            analysis
                .listed_keys(path)
                .into_iter()
                .map(|key| Completion::new(&key, CompletionKind::Key, written.typed).text(format!("{key}{text}")))
                .collect()
        }
        Part::Key => {
            keys_of(&schemas, &written, syntax, present(&text[keys.start..keys.end], offset - keys.start, syntax))
        }
        Part::Value(key) => {
            let mut way = written.above.clone();
            way.extend(key.clone().map(Step::Key));
            let mut all = values(analysis, path, &schemas, &way, written.typed, text);
            if key.is_none() {
                all.extend(keys_of(&schemas, &written, syntax, Vec::new()));
            }
            all
        }
    }
}

/// Whether a way leads to a key of the list that a page has.
fn is_of_list(path: &SourcePath, way: &[Step], name: &str) -> bool {
    let key = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
    let is_list = |way: &[Step]| matches!(way, [list, last, ..] if key(list, "list") && key(last, name));
    SourceKind::of(path) == SourceKind::Page && is_list(way)
}

/// The keys of the mapping around an offset: those of lines with the same indentation, above and below, up to one with less.
fn present(text: &str, offset: usize, syntax: Syntax) -> Vec<String> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let own = indent(&text[start..end]).max(indent(&text[start..offset]));
    let name = |line: &str| {
        let sign = if syntax == Syntax::Toml { '=' } else { ':' };
        line.split_once(sign).map(|(key, _)| key.trim_matches([' ', '-', '"', '\'', '{', ',']).to_owned())
    };
    let is_near = |line: &&str| line.trim().is_empty() || indent(line) >= own;
    let above = text[..start].lines().rev().take_while(is_near);
    let below = text[end..].lines().skip(1).take_while(is_near);
    above.chain(below).filter(|line| indent(line) == own).filter_map(name).collect()
}

fn keys_of(schemas: &FileSchemas, written: &data::Written, syntax: Syntax, present: Vec<String>) -> Vec<Completion> {
    let parts = schemas.parts(&written.above);
    let mut all: Vec<Completion> = Vec::new();
    for part in &parts {
        for (key, value) in part.properties() {
            if present.iter().any(|other| other == key) || all.iter().any(|other| other.label == key) {
                continue;
            }
            // `false` forbids a key in some cases.
            if value.json.as_bool() == Some(false) {
                continue;
            }
            let is_required = parts.iter().any(|part| part.requires(key));
            let detail = [value.types(), if is_required { "required".to_owned() } else { String::new() }];
            let detail = detail.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(", ");
            let completion = Completion::new(key, CompletionKind::Key, written.typed)
                .detail(detail)
                .documentation(value.text("description").map(str::to_owned))
                .rank(u8::from(!is_required));
            all.push(completion.snippet(key_text(key, value, syntax)));
        }
    }
    all
}

/// Returns a key with the start of its value. `$` has a meaning in snippets.
fn key_text(key: &str, value: crate::schemas::Part, syntax: Syntax) -> String {
    let key = key.replace('$', "\\$");
    match syntax {
        Syntax::Toml => format!("{key} = $0"),
        Syntax::Json => format!("{key}\": $0"),
        _ if value.allows("object") && !value.allows("string") && !value.allows("boolean") => format!("{key}:\n  $0"),
        _ if value.allows("array") && !value.allows("string") && !value.allows("boolean") => format!("{key}:\n  - $0"),
        _ => format!("{key}: $0"),
    }
}

fn values(
    analysis: &Analysis,
    path: &SourcePath,
    schemas: &FileSchemas,
    way: &[Step],
    typed: Span,
    text: &str,
) -> Vec<Completion> {
    let mut all = Vec::new();
    for part in schemas.parts(way) {
        for choice in part.choices() {
            let label = choice.as_str().map_or_else(|| choice.to_string(), str::to_owned);
            let description = part.text("description").map(str::to_owned);
            all.push(Completion::new(label, CompletionKind::Value, typed).documentation(description).rank(0));
        }
        if part.json.get("type").and_then(Json::as_str) == Some("boolean") {
            all.extend(["true", "false"].map(|word| Completion::new(word, CompletionKind::Value, typed).rank(0)));
        }
    }
    let last = way.iter().rev().find_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::Item => None,
    });
    let is_page = SourceKind::of(path) == SourceKind::Page;
    if is_of_list(path, way, "sort") {
        let keys = analysis.listed_keys(path).into_iter();
        all.extend(keys.map(|key| Completion::new(key, CompletionKind::Value, typed).rank(0)));
    }
    match last {
        Some("template") if is_page => {
            let files = analysis.sources.of(SourceKind::Template).map(|(path, _)| path);
            let pages = files.filter_map(|path| path.below(TEMPLATES)).filter(|name| name.starts_with("pages/"));
            all.extend(pages.map(|name| Completion::new(name, CompletionKind::File, typed).rank(0)));
        }
        Some("for_each" | "collection") if is_page => {
            let collections = analysis.site.into_iter().flat_map(|site| &site.main().collections);
            all.extend(collections.map(|(name, entries)| {
                let detail = format!("{} entries", entries.len());
                Completion::new(name, CompletionKind::Value, typed).detail(detail).rank(0)
            }));
        }
        _ => {}
    }
    let written = text.get(typed.start..typed.end).unwrap_or_default();
    if written.starts_with('/') {
        all.extend(markdown::pages(analysis, path, written, typed));
    } else if written.is_empty() || !written.contains(' ') {
        let is_address =
            |key: &str| ["picture", "image", "logo", "photo", "file", "icon", "path", "src"].contains(&key);
        let others = || analysis.others(path, way);
        let takes_assets = last.is_some_and(is_address) || others().any(|value| analysis.is_asset(path, &value));
        if takes_assets {
            all.extend(markdown::assets(analysis, path, typed, false));
        }
        if others().any(|value| value.starts_with('/')) && written.is_empty() {
            all.extend(markdown::pages(analysis, path, "/", typed));
        }
    }
    all
}

impl Analysis<'_> {
    /// Returns the keys of the entries that a page lists.
    fn listed_keys(&self, path: &SourcePath) -> Vec<String> {
        let Some(view) = self.view_of(path) else { return Vec::new() };
        let text = self.sources.text(path).unwrap_or_default();
        let named = text.lines().flat_map(|line| line.split(['{', ','])).find_map(|part| {
            let part = part.trim();
            part.strip_prefix("collection:").or_else(|| part.strip_prefix("for_each:"))
        });
        let name = named.map(|name| name.trim().trim_matches(['"', '\'']));
        let name = name.and_then(|name| name.split(['.', ' ', '}']).next()).unwrap_or_default();
        let keys = view.collection(name).map(|all| all.keys().into_iter().map(str::to_owned).collect());
        keys.unwrap_or_default()
    }

    /// Returns what other files of the same kind have at a way: the values of a few entries or pages.
    fn others(&self, path: &SourcePath, way: &[Step]) -> impl Iterator<Item = String> {
        let names: Vec<&str> = way
            .iter()
            .filter_map(|step| match step {
                Step::Key(key) => Some(key.as_str()),
                Step::Item => None,
            })
            .collect();
        let collection = sitegen_content::collections::collection_of(path);
        let entries = self.site.and_then(|site| site.main().collection(collection?));
        let entries = entries.into_iter().flat_map(|all| all.iter().take(8));
        let values = entries.filter_map(|entry| {
            let mut node = &entry.data;
            for name in &names {
                node = node.items().first().unwrap_or(node).get(name)?;
            }
            node.text().map(str::to_owned)
        });
        values.collect::<Vec<_>>().into_iter()
    }

    fn is_asset(&self, path: &SourcePath, value: &str) -> bool {
        value.contains('.')
            && self.site.is_some_and(|site| {
                let assets = &site.main().assets;
                assets.beside(path, value).or_else(|| assets.linked(value)).is_some()
            })
    }
}

/// Completes `{{ site.em`. `None` outside of references.
fn reference(analysis: &Analysis, path: &SourcePath, text: &str, offset: usize) -> Option<Vec<Completion>> {
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let open = text[line..offset].rfind("{{").map(|at| line + at + 2)?;
    let inside = &text[open..offset];
    if inside.contains("}}") {
        return None;
    }
    let written = inside.trim_start();
    if written.starts_with('<') {
        return Some(markdown::component_tag(analysis, written, offset, "/>"));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let typed = word_before(text, offset, is_part);
    let start = offset - written.len();
    let mut names: Vec<&str> = text[start..typed.start].split('.').collect();
    names.pop();
    let end = if text[offset..].trim_start_matches(is_part).trim_start().starts_with("}}") { "" } else { " }}" };
    let made = analysis.made_by(path);
    if let (["entry"], Some(KeyOwner::Entries(name))) = (&names[..], made) {
        let view = analysis.view_of(path)?;
        let entries = view.collection(&name).into_iter().flat_map(|all| all.iter().take(40));
        let keys = entries.flat_map(|entry| entry.data.entries()).map(|(key, value)| {
            let text = format!("{}{end}", key.name);
            Completion::new(&key.name, CompletionKind::Variable, typed).detail(shown(value)).text(text)
        });
        return Some(keys.collect());
    }
    let view = analysis.view_of(path)?;
    if names.is_empty() {
        let space = if inside.starts_with(' ') { "" } else { " " };
        let site = Completion::new("site", CompletionKind::Variable, typed).detail("content/site.yaml".to_owned());
        let is_entry = SourceKind::of(path) != SourceKind::Page;
        let collections = view.collections.keys().filter(|_| !is_entry);
        let collections = collections.map(|name| Completion::new(name, CompletionKind::Variable, typed).rank(2));
        let made = ["entry", "term", "list"].into_iter().filter(|_| path.as_str().contains('['));
        let made = made.map(|name| Completion::new(name, CompletionKind::Variable, typed));
        let all = [site].into_iter().chain(collections).chain(made);
        return Some(all.map(|each| Completion { text: format!("{space}{}", each.label), ..each }).collect());
    }
    if let [collection] = names[..]
        && collection != "site"
    {
        let entries = view.collection(collection).into_iter().flat_map(|all| all.iter());
        let entry = |entry: &sitegen_content::collections::Entry| {
            let title = entry.data.get("title").or_else(|| entry.data.get("name")).map(shown);
            Completion::new(&entry.slug, CompletionKind::Page, typed).detail(title)
        };
        return Some(entries.map(entry).collect());
    }
    let found = analysis.value(path, &names)?;
    let keys = found.node.entries().iter().map(|(key, value)| {
        // A reference stands for a single value.
        let is_single = !matches!(value.value, Value::Map(_) | Value::List(_));
        let text = if is_single { format!("{}{end}", key.name) } else { key.name.clone() };
        Completion::new(&key.name, CompletionKind::Variable, typed).detail(shown(value)).text(text).rank(if is_single {
            0
        } else {
            1
        })
    });
    Some(keys.collect())
}
