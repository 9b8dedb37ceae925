//! What the files of content name.

use super::{Callable, KeyOwner, Occurrence, Symbol};
use crate::Analysis;
use crate::value::template_of;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use sitegen_content::collections::{collection_of, slug_of};
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Node, Value};
use sitegen_content::{DEFAULT_TEMPLATE, calls, front_matter};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::{SourcePath, joined};
use sitegen_core::sources::{SCHEMA, SourceKind};
use sitegen_edit::File;
use sitegen_edit::tree::{Part, Route};
use std::collections::BTreeMap;

/// Returns everything that a page, an entry or `site.yaml` names.
pub fn occurrences(analysis: &Analysis, path: &SourcePath, text: &str) -> Vec<Occurrence> {
    let mut all = Vec::new();
    if let Some(file) = File::of(path, text) {
        keys(analysis, path, text, &file, &mut all);
    }
    let owners: Owners = analysis.made_by(path).map(|owner| ("entry", owner)).into_iter().collect();
    for (reference, tag) in calls::all(text) {
        match tag {
            Some(Ok(tag)) => {
                let at = offset_in(text, tag.component);
                all.push(Occurrence::used(
                    Span::at(at, tag.component.len()),
                    Symbol::Component(component(tag.component)),
                ));
                for (name, _, _) in &tag.arguments {
                    let symbol = Symbol::Argument(component(tag.component), (*name).to_owned());
                    all.push(Occurrence::used(Span::at(offset_in(text, name), name.len()), symbol));
                }
            }
            Some(Err(_)) => {}
            None => {
                let at = offset_in(text, reference.path);
                all.extend(path_names(analysis, path, reference.path, at, &owners));
            }
        }
    }
    if path.extension() == Some("md")
        && let Ok(parts) = front_matter::split(path, text)
    {
        links(analysis, path, parts.body, parts.body_start, &mut all);
    }
    all
}

/// Returns the name of a component as calls and declarations have it: `-` and `_` are the same.
pub fn component(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns where a part of a text begins.
pub fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// Returns what the file has keys for.
pub fn owner(path: &SourcePath, text: &str) -> Option<KeyOwner> {
    match SourceKind::of(path) {
        SourceKind::Settings => Some(KeyOwner::Site),
        SourceKind::Page => {
            let template = template_of(text).unwrap_or_else(|| DEFAULT_TEMPLATE.to_owned());
            Some(KeyOwner::Pages(template.rsplit_once('.').map_or(template.as_str(), |(name, _)| name).to_owned()))
        }
        SourceKind::Entry => Some(KeyOwner::Entries(collection_of(&path.key())?.to_owned())),
        _ => None,
    }
}

/// The keys of a file, and the values that name something.
fn keys(analysis: &Analysis, path: &SourcePath, text: &str, file: &File, all: &mut Vec<Occurrence>) {
    let Some(owner) = owner(path, text) else { return };
    let is_list = SourceKind::is_list(&path.key());
    file.root().each(&mut Route::new(), &mut |item, route, part| {
        let Some(scalar) = item.scalar() else { return };
        let written = text.get(item.span.start..item.span.end).unwrap_or_default();
        let quote = usize::from(written.starts_with(['"', '\'']));
        let Some(inner) = written.get(quote..written.len().saturating_sub(quote)) else { return };
        if inner != scalar.text {
            return;
        }
        let span = Span::at(item.span.start + quote, inner.len());
        let names = names_on(file, route);
        match part {
            Part::Key => {
                // The first step of a list is to one of its entries.
                let names = if is_list && matches!(owner, KeyOwner::Entries(_)) && is_entry_key(file) {
                    names.get(1..).unwrap_or_default().to_vec()
                } else {
                    names
                };
                if !names.is_empty() {
                    all.push(Occurrence::used(span, Symbol::Key(owner.clone(), names)));
                }
            }
            Part::Value => all.extend(named_by(analysis, path, &names, inner, span.start)),
        }
    });
}

/// Whether the entries of a list have their names as keys.
fn is_entry_key(file: &File) -> bool {
    !file.root().entries().is_empty()
}

fn names_on(file: &File, route: &[usize]) -> Vec<String> {
    let mut names = Vec::new();
    let mut item = file.root();
    for index in route {
        if let Some((key, _)) = item.entries().get(*index) {
            names.extend(key.scalar().map(|key| key.text.clone()));
        }
        let Some(next) = item.child(*index) else { break };
        item = next;
    }
    names
}

/// Returns what a value names: a template, a collection, a page or an asset.
fn named_by(analysis: &Analysis, path: &SourcePath, keys: &[String], value: &str, at: usize) -> Option<Occurrence> {
    let last = keys.last().map(String::as_str);
    let is_page = SourceKind::of(path) == SourceKind::Page;
    match last {
        Some("template") if is_page && keys.len() == 1 => {
            let file = SourcePath::new(format!("templates/{value}"));
            return Some(Occurrence::used(Span::at(at, value.len()), Symbol::Template(file)));
        }
        Some("for_each" | "collection") if is_page => {
            let name = value.split('.').next()?;
            return Some(Occurrence::used(Span::at(at, name.len()), Symbol::Collection(name.to_owned())));
        }
        _ => {}
    }
    // Addresses that a page has itself, or had before.
    if matches!(keys.first().map(String::as_str), Some("aliases" | "path")) {
        return None;
    }
    // A text with spaces is a sentence.
    if value.is_empty() || value.contains(char::is_whitespace) || value.len() > 400 {
        return None;
    }
    let is_address = value.starts_with('/') || value.contains('.');
    if !is_address {
        return None;
    }
    let (symbol, length) = analysis.target(path, value)?;
    Some(Occurrence::used(Span::at(at, length), symbol))
}

/// The extensions of Markdown that may have links in them.
fn options() -> Options {
    Options::all()
        - Options::ENABLE_SMART_PUNCTUATION
        - Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        - Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// The links and pictures of a body, which begins at an offset of the file.
fn links(analysis: &Analysis, path: &SourcePath, body: &str, start: usize, all: &mut Vec<Occurrence>) {
    for (event, range) in Parser::new_ext(body, options()).into_offset_iter() {
        let (Event::Start(Tag::Link { dest_url, .. }) | Event::Start(Tag::Image { dest_url, .. })) = event else {
            continue;
        };
        let Some(at) = body.get(range.clone()).and_then(|text| text.rfind(&*dest_url)) else { continue };
        if let Some((symbol, length)) = analysis.target(path, &dest_url) {
            all.push(Occurrence::used(Span::at(start + range.start + at, length), symbol));
        }
    }
}

/// A heading of Markdown.
pub struct Heading {
    /// Its bytes in the file.
    pub span: Span,
    /// Its level: 1 to 6.
    pub level: u8,
    /// Its text without its markup.
    pub title: String,
    /// Its id, if the text says one: `{#id}`.
    pub id: Option<String>,
}

/// Returns the headings of a file in the order of its text.
pub fn headings(path: &SourcePath, text: &str) -> Vec<Heading> {
    if path.extension() != Some("md") {
        return Vec::new();
    }
    let (body, start) = front_matter::split(path, text).map_or((text, 0), |parts| (parts.body, parts.body_start));
    let mut all: Vec<Heading> = Vec::new();
    let mut is_in = false;
    for (event, range) in Parser::new_ext(body, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                is_in = true;
                let length = body[range.clone()].trim_end().len();
                let span = Span::at(start + range.start, length);
                let id = id.map(|id| id.to_string());
                all.push(Heading { span, level: level as u8, title: String::new(), id });
            }
            Event::End(TagEnd::Heading(_)) => is_in = false,
            Event::Text(part) | Event::Code(part) if is_in => {
                if let Some(last) = all.last_mut() {
                    last.title.push_str(&part);
                }
            }
            _ => {}
        }
    }
    all
}

impl Analysis<'_> {
    /// Returns what an address in a file leads to inside the site, and how many of its bytes name that.
    pub fn target(&self, from: &SourcePath, address: &str) -> Option<(Symbol, usize)> {
        let length = address.find(['#', '?']).unwrap_or(address.len());
        let (path, rest) = address.split_at(length);
        if path.is_empty() {
            let id = rest.strip_prefix('#')?;
            return Some((Symbol::Section(from.clone(), id.to_owned()), address.len()));
        }
        if path.contains("://") || path.starts_with("//") || path.starts_with("mailto:") {
            return None;
        }
        let site = self.site?;
        let view = self.view_of(from)?;
        if path.starts_with('/') {
            let order = site.pages.order();
            let route = order.own_path_in(path, view.number).unwrap_or_else(|| path.to_owned());
            let page = site.pages.at(&route).or_else(|| site.pages.at(path))?;
            return Some((self.of_page(page), length));
        }
        let file = joined(from.key().as_str(), path).map(SourcePath::new);
        if let Some(file) = file.filter(|file| self.sources.get(file).is_some()) {
            match SourceKind::of(&file) {
                SourceKind::Page => return Some((Symbol::Page(file), length)),
                SourceKind::Entry => {
                    let collection = collection_of(&file)?.to_owned();
                    return Some((Symbol::Entry(collection, slug_of(&file).to_owned()), length));
                }
                SourceKind::Asset => return Some((Symbol::Asset(file), length)),
                _ => {}
            }
        }
        let path = path.trim_start_matches("./");
        let asset = view.assets.beside(from, path).or_else(|| view.assets.linked(path))?;
        Some((Symbol::Asset(asset.source.clone()), length))
    }

    /// Returns what `entry` has keys of in a file that makes a page of each entry.
    fn made_by(&self, path: &SourcePath) -> Option<KeyOwner> {
        let page = self.site?.pages.iter().filter(|_| path.as_str().contains('[')).find(|page| page.source == *path)?;
        Some(KeyOwner::Entries(page.made.as_ref()?.collection.clone()))
    }

    /// Returns the page, or the entry that it is about.
    fn of_page(&self, page: &sitegen_content::Page) -> Symbol {
        let entry = page.made.as_ref().and_then(|made| {
            let view = self.site?.view(page);
            let entry = view.collection(&made.collection)?.nth(made.number?)?;
            Some(Symbol::Entry(made.collection.clone(), entry.slug.clone()))
        });
        entry.unwrap_or_else(|| Symbol::Page(page.source.key()))
    }
}

/// What variables have keys of, by their names.
pub type Owners<'t> = BTreeMap<&'t str, KeyOwner>;

/// Returns what the parts of a path such as `site.team.size` name. It begins at an offset of the file.
pub fn path_names(analysis: &Analysis, from: &SourcePath, path: &str, at: usize, owners: &Owners) -> Vec<Occurrence> {
    let mut parts = Vec::new();
    let mut start = at;
    for part in path.split('.') {
        parts.push((part, Span::at(start, part.len())));
        start += part.len() + 1;
    }
    let mut all = Vec::new();
    let mut rest = &parts[..];
    if rest.first().is_some_and(|(name, _)| *name == "entries") {
        rest = &rest[1..];
    }
    let Some(((root, span), keys)) = rest.split_first() else { return all };
    let mut add_keys = |owner: KeyOwner, keys: &[(&str, Span)]| {
        let mut names: Vec<String> = Vec::new();
        for (name, span) in keys {
            names.push((*name).to_owned());
            all.push(Occurrence::used(*span, Symbol::Key(owner.clone(), names.clone())));
        }
    };
    match *root {
        "site" => add_keys(KeyOwner::Site, keys),
        root if owners.contains_key(root) => add_keys(owners[root].clone(), keys),
        "page" | "entry" | "term" | "list" | "loop" => {}
        collection => {
            let view = analysis.view_of(from);
            if view.is_some_and(|view| view.collection(collection).is_some())
                && let Some(((slug, slug_span), keys)) = keys.split_first()
            {
                add_keys(KeyOwner::Entries(collection.to_owned()), keys);
                all.push(Occurrence::used(*span, Symbol::Collection(collection.to_owned())));
                all.push(Occurrence::used(*slug_span, Symbol::Entry(collection.to_owned(), (*slug).to_owned())));
            }
        }
    }
    all
}

/// Returns the keys that a schema describes.
pub fn of_schema(path: &SourcePath, text: &str) -> Vec<Occurrence> {
    let name = path.below(crate::schemas::SCHEMAS).and_then(|name| name.strip_suffix(SCHEMA));
    let owner = match name {
        Some("site") => KeyOwner::Site,
        Some(page) if page.starts_with("pages/") => KeyOwner::Pages(page.to_owned()),
        Some(collection) => KeyOwner::Entries(collection.to_owned()),
        None => return Vec::new(),
    };
    let mut all = Vec::new();
    if let Some(root) = Syntax::Json.parse(path, text, 0, &mut Vec::new()) {
        properties(&root, &owner, text, &mut Vec::new(), &mut all);
    }
    all
}

fn properties(part: &Node, owner: &KeyOwner, text: &str, above: &mut Vec<String>, all: &mut Vec<Occurrence>) {
    let inner = |span: Span| {
        let quote = usize::from(text.get(span.start..span.end).is_some_and(|written| written.starts_with('"')));
        Span { start: span.start + quote, end: span.end - quote }
    };
    for (key, value) in part.entries() {
        match (key.name.as_str(), &value.value) {
            ("properties", Value::Map(keys)) => {
                for (key, value) in keys {
                    above.push(key.name.clone());
                    all.push(Occurrence::declared(inner(key.span), Symbol::Key(owner.clone(), above.clone())));
                    properties(value, owner, text, above, all);
                    above.pop();
                }
            }
            ("required", Value::List(items)) => {
                for item in items {
                    let Value::Text(name) = &item.value else { continue };
                    let names = above.iter().chain([name]).cloned().collect();
                    all.push(Occurrence::used(inner(item.span), Symbol::Key(owner.clone(), names)));
                }
            }
            ("items" | "if" | "then" | "else", _) => properties(value, owner, text, above, all),
            ("allOf" | "anyOf" | "oneOf", Value::List(items)) => {
                items.iter().for_each(|item| properties(item, owner, text, above, all));
            }
            _ => {}
        }
    }
}

/// The kind of what a template calls, by the word in documentation.
impl Callable {
    /// Returns its name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Callable::Filter => "filter",
            Callable::Function => "function",
            Callable::Test => "test",
        }
    }
}
