//! What the files of content name.

use super::{Callable, KeyOwner, Occurrence, Symbol};
use crate::Analysis;
use crate::value::template_in;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use sitegen_content::collections::{collection_of, slug_of};
use sitegen_content::heading_ids::text_in_braces;
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Node, Value};
use sitegen_content::{calls, front_matter};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::{SourcePath, joined};
use sitegen_core::sources::{SCHEMA, SourceKind};
use sitegen_edit::File;
use sitegen_edit::tree::{Item, Part, Route};
use std::collections::BTreeMap;
use std::ops::Range;

/// Whether there may be code in a text, in which `{{ … }}` is text.
fn may_have_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3(b'`', b'~', b'\t', bytes).is_some() || memchr::memmem::find(bytes, b"    ").is_some()
}

/// Returns everything that a page, an entry or `site.yaml` names. Where a key is wanted, what cannot name that is not read: thousands
/// of files may have its word.
pub fn occurrences(analysis: &Analysis, path: &SourcePath, text: &str, wanted: Option<&Symbol>) -> Vec<Occurrence> {
    let mut all = Vec::new();
    let key = match wanted {
        Some(Symbol::Key(owner, keys)) => Some((owner, keys.last().map_or("", String::as_str))),
        _ => None,
    };
    let is_calling = |part: &str| key.is_none_or(|(_, word)| part.contains(word));
    let mut calls = calls::all(text).filter(|(reference, _)| is_calling(reference.path)).peekable();
    let has_calls = key.is_none() || calls.peek().is_some();
    let has_keys = key.is_none_or(|(wanted, _)| may_have(analysis, path, text, wanted));
    // Where `{{ … }}` is text: in code of Markdown and in comments.
    let mut plain: Vec<Range<usize>> = Vec::new();
    let is_comment = |line: &str| line.trim_start().starts_with('#') && line.contains("{{");
    if (has_keys || has_calls && text.lines().any(is_comment))
        && let Some(file) = File::of(path, text)
    {
        if has_keys {
            keys(analysis, path, text, (&file, key.map(|(_, word)| word)), &mut all);
        }
        if path.extension() != Some("csv") {
            plain.extend(comments(text, &file));
        }
    }
    if has_calls
        && path.extension() == Some("md")
        && let Ok(parts) = front_matter::split(path, text)
        && (key.is_none() || may_have_code(parts.body))
    {
        links(analysis, path, parts.body, parts.body_start, &mut all, &mut plain);
    }
    let owners: Owners = analysis.made_by(path).map(|owner| ("entry", owner)).into_iter().collect();
    let is_read = |at: usize| !plain.iter().any(|range| range.contains(&at));
    for (reference, tag) in calls.filter(|(reference, _)| is_read(reference.span.start)) {
        match tag {
            Some(Ok(tag)) => {
                let at = offset_in(text, tag.component);
                all.push(Occurrence::used(
                    Span::at(at, tag.component.len()),
                    Symbol::Component(component(tag.component)),
                ));
                for (name, value, _) in &tag.arguments {
                    let symbol = Symbol::Argument(component(tag.component), (*name).to_owned());
                    all.push(Occurrence::used(Span::at(offset_in(text, name), name.len()), symbol));
                    if let calls::Written::Path(value) = value {
                        all.extend(path_names(analysis, path, value, offset_in(text, value), &owners));
                    }
                }
            }
            Some(Err(_)) => {}
            None => {
                let at = offset_in(text, reference.path);
                all.extend(path_names(analysis, path, reference.path, at, &owners));
            }
        }
    }
    all
}

/// Whether the keys of a file may name one of an owner. Pages name keys of the entries that they list.
fn may_have(analysis: &Analysis, path: &SourcePath, text: &str, wanted: &KeyOwner) -> bool {
    let own = owner(analysis, path, text);
    let is_page = matches!(own, Some(KeyOwner::Pages(_)));
    let lists = || *wanted != KeyOwner::Site && (text.contains("collection") || text.contains("for_each"));
    own.as_ref() == Some(wanted) || is_page && (*wanted == KeyOwner::AnyPages || lists())
}

/// Returns the comments between the keys of a file: lines of YAML and TOML that are in no value.
fn comments(text: &str, file: &File) -> Vec<Range<usize>> {
    let mut values: Vec<Span> = Vec::new();
    file.root().each(&mut Route::new(), &mut |item, _, part| values.extend((part == Part::Value).then_some(item.span)));
    let Some(end) = values.iter().map(|span| span.end).max() else { return Vec::new() };
    let mut at = 0;
    let mut all = Vec::new();
    for line in text[..end.min(text.len())].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let is_of_value = |span: &Span| span.start < range.end && span.end > range.start;
        if line.trim_start().starts_with('#') && line.contains("{{") && !values.iter().any(is_of_value) {
            all.push(range);
        }
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
pub fn owner(analysis: &Analysis, path: &SourcePath, text: &str) -> Option<KeyOwner> {
    match SourceKind::of(path) {
        SourceKind::Settings => Some(KeyOwner::Site),
        SourceKind::Page => {
            let template = template_in(analysis.sources, path, text);
            Some(KeyOwner::Pages(template.rsplit_once('.').map_or(template.as_str(), |(name, _)| name).to_owned()))
        }
        SourceKind::Entry => Some(KeyOwner::Entries(collection_of(&path.key())?.to_owned())),
        _ => None,
    }
}

/// Returns the collection whose entries a page lists, or that it is made from. `None` for all pages.
fn listed(file: &File) -> Option<Option<String>> {
    let root = file.root();
    let value = |entries: &[(Item, Item)], name: &str| {
        let found = entries.iter().find(|(key, _)| key.scalar().is_some_and(|key| key.text == name));
        found.map(|(_, value)| value.clone())
    };
    let made = value(root.entries(), "for_each").and_then(|value| Some(value.scalar()?.text.clone()));
    let of_list = || value(value(root.entries(), "list")?.entries(), "collection");
    let named = made.or_else(|| of_list().and_then(|value| Some(value.scalar()?.text.clone())))?;
    let name = named.split('.').next().unwrap_or_default().to_owned();
    Some((name != "pages").then_some(name))
}

/// The keys of a file, and the values that name something. Where one key is wanted, those that have its word.
fn keys(
    analysis: &Analysis,
    path: &SourcePath,
    text: &str,
    (file, wanted): (&File, Option<&str>),
    all: &mut Vec<Occurrence>,
) {
    let Some(owner) = owner(analysis, path, text) else { return };
    if path.extension() == Some("csv") {
        return columns(text, &owner, all);
    }
    let is_list = SourceKind::is_list(&path.key());
    let is_page = matches!(owner, KeyOwner::Pages(_));
    // What the keys are of by which a page lists entries.
    let of_list = || match listed(file) {
        Some(Some(collection)) => KeyOwner::Entries(collection),
        Some(None) => KeyOwner::AnyPages,
        None => KeyOwner::Unknown,
    };
    file.root().each(&mut Route::new(), &mut |item, route, part| {
        let Some(scalar) = item.scalar() else { return };
        let written = text.get(item.span.start..item.span.end).unwrap_or_default();
        if wanted.is_some_and(|word| !written.contains(word)) {
            return;
        }
        if part == Part::Value && written.contains("](") {
            all.extend(inline_links(analysis, path, written, item.span.start));
        }
        if part == Part::Value {
            let links = addresses(written).filter(|(value, _)| !value.contains('{'));
            all.extend(links.flat_map(|(value, at)| analysis.named(path, value, item.span.start + at)));
        }
        let quote = usize::from(written.starts_with(['"', '\'']));
        let Some(inner) = written.get(quote..written.len().saturating_sub(quote)) else { return };
        if inner != scalar.text {
            return;
        }
        let span = Span::at(item.span.start + quote, inner.len());
        let names = names_on(file, route);
        let by_names: Vec<&str> = names.iter().map(String::as_str).collect();
        match (part, &by_names[..]) {
            (Part::Key, ["list", "where", keys @ ..]) if is_page && !keys.is_empty() => {
                let keys = keys.iter().flat_map(|key| key.split('.')).map(str::to_owned).collect();
                all.push(Occurrence::used(span, Symbol::Key(of_list(), keys)));
            }
            (Part::Key, _) => {
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
            (Part::Value, ["list", "sort"]) if is_page => {
                let keys = inner.trim_start_matches('-');
                all.extend(key_path(&of_list(), keys, span.end - keys.len()));
            }
            (Part::Value, ["for_each"]) if is_page => {
                let name = inner.split('.').next().unwrap_or_default();
                let symbol = Symbol::Collection(name.to_owned());
                all.push(Occurrence::used(Span::at(span.start, name.len()), symbol));
                if let Some(keys) = inner.get(name.len() + 1..) {
                    all.extend(key_path(&of_list(), keys, span.start + name.len() + 1));
                }
            }
            // `/[year]/[slug].html`
            (Part::Value, ["path"]) if is_page => {
                for (at, rest) in inner.match_indices('[').map(|(at, _)| (at + 1, &inner[at + 1..])) {
                    let name = rest.split(']').next().unwrap_or_default();
                    all.extend(key_path(&of_list(), name, span.start + at));
                }
            }
            (Part::Value, _) => all.extend(named_by(analysis, path, &names, inner, span.start)),
        }
    });
}

/// Returns what the parts of the path of a key name, such as `author.name`.
fn key_path(owner: &KeyOwner, keys: &str, at: usize) -> Vec<Occurrence> {
    let mut names: Vec<String> = Vec::new();
    let mut start = at;
    let mut all = Vec::new();
    for part in keys.split('.').filter(|_| !keys.is_empty()) {
        names.push(part.to_owned());
        let of_part = if *owner == KeyOwner::Unknown { vec![part.to_owned()] } else { names.clone() };
        all.push(Occurrence::used(Span::at(start, part.len()), Symbol::Key(owner.clone(), of_part)));
        start += part.len() + 1;
    }
    all
}

/// The names of the columns of a spreadsheet, which are keys.
fn columns(text: &str, owner: &KeyOwner, all: &mut Vec<Occurrence>) {
    let text = text.strip_prefix('\u{feff}').map_or((text, 0), |rest| (rest, text.len() - rest.len()));
    let (text, start) = text;
    let line = text.lines().next().unwrap_or_default();
    let separator = [';', '\t'].into_iter().find(|sign| line.contains(*sign)).unwrap_or(',');
    let mut at = start;
    for cell in line.split(separator) {
        let name = cell.trim().trim_matches('"');
        if !name.is_empty() {
            let span = Span::at(at + offset_in(cell, name), name.len());
            let names = name.split('.').map(str::to_owned).collect();
            all.push(Occurrence::used(span, Symbol::Key(owner.clone(), names)));
        }
        at += cell.len() + separator.len_utf8();
    }
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
fn named_by(analysis: &Analysis, path: &SourcePath, keys: &[String], value: &str, at: usize) -> Vec<Occurrence> {
    let last = keys.last().map(String::as_str);
    let is_page = SourceKind::of(path) == SourceKind::Page;
    match last {
        Some("template") if is_page && keys.len() == 1 => {
            let file = SourcePath::new(format!("templates/{value}"));
            return vec![Occurrence::used(Span::at(at, value.len()), Symbol::Template(file))];
        }
        Some("collection") if is_page => {
            return vec![Occurrence::used(Span::at(at, value.len()), Symbol::Collection(value.to_owned()))];
        }
        _ => {}
    }
    // Addresses that a page has itself, or had before.
    if matches!(keys.first().map(String::as_str), Some("aliases" | "path")) {
        return Vec::new();
    }
    // A text with spaces is a sentence.
    if value.is_empty() || value.contains(char::is_whitespace) || value.len() > 400 {
        return Vec::new();
    }
    let is_address = value.starts_with('/') || value.contains('.');
    if is_address { analysis.named(path, value, at) } else { Vec::new() }
}

/// The extensions of Markdown that may have links in them.
fn options() -> Options {
    Options::all()
        - Options::ENABLE_SMART_PUNCTUATION
        - Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        - Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// The links and pictures of a body, which begins at an offset of the file, and the parts of it that are code.
fn links(
    analysis: &Analysis,
    path: &SourcePath,
    body: &str,
    start: usize,
    all: &mut Vec<Occurrence>,
    code: &mut Vec<Range<usize>>,
) {
    // A paragraph with neither has nothing to find.
    if memchr::memchr3(b'[', b'<', b'`', body.as_bytes()).is_none() && !body.contains("{{") {
        return;
    }
    let parser = Parser::new_ext(body, options());
    for (_, definition) in parser.reference_definitions().iter() {
        // `[a]: /about "title"`
        let written = &body[definition.span.clone()];
        let Some(at) = written.find("]:").map(|colon| colon + 2) else { continue };
        let Some(found) = written[at..].find(&*definition.dest) else { continue };
        all.extend(analysis.named(path, &definition.dest, start + definition.span.start + at + found));
    }
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(
                Tag::Link { dest_url, link_type: LinkType::Inline, .. }
                | Tag::Image { dest_url, link_type: LinkType::Inline, .. },
            ) => {
                let written = &body[range.clone()];
                // A title may have the same address in it.
                let opens = written.match_indices("](").map(|(at, _)| at + 2).filter_map(|at| {
                    let lead =
                        written[at..].len() - written[at..].trim_start_matches([' ', '\n', '\r', '\t', '<']).len();
                    written[at + lead..].starts_with(&*dest_url).then_some(at + lead)
                });
                if let Some(at) = opens.last().filter(|_| !dest_url.is_empty()) {
                    all.extend(analysis.named(path, &dest_url, start + range.start + at));
                }
            }
            Event::Start(Tag::Link { dest_url, link_type: LinkType::Autolink, .. }) => {
                all.extend(analysis.named(path, &dest_url, start + range.start + 1));
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                for (value, at) in addresses(&body[range.clone()]).filter(|(value, _)| !value.contains('{')) {
                    all.extend(analysis.named(path, value, start + range.start + at));
                }
            }
            Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => {
                code.push(start + range.start..start + range.end);
            }
            _ => {}
        }
    }
}

/// Returns what the links in a text of Markdown name that is the value of a key.
fn inline_links(analysis: &Analysis, path: &SourcePath, text: &str, start: usize) -> Vec<Occurrence> {
    let opens = text.match_indices("](").map(|(at, _)| at + 2);
    let link = |at: usize| {
        let end = text[at..].find([')', ' ', '\n']).map_or(text.len(), |end| at + end);
        analysis.named(path, &text[at..end], start + at)
    };
    opens.flat_map(link).collect()
}

/// Returns the addresses in the attributes of HTML, with their offsets.
pub fn addresses(text: &str) -> impl Iterator<Item = (&str, usize)> {
    ["href=", "src=", "action=", "poster="].into_iter().flat_map(move |name| {
        text.match_indices(name).filter_map(move |(at, _)| {
            let from = at + name.len();
            let quote = text[from..].chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let value = &text[from + 1..];
            Some((&value[..value.find(quote)?], from + 1))
        })
    })
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
            Event::End(TagEnd::Heading(_)) => {
                is_in = false;
                // The parser takes every brace at the end for attributes.
                if let Some((last, braces)) = all.last_mut().zip(text_in_braces(&body[range])) {
                    last.title.push_str(braces);
                }
            }
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
    /// Returns what an address names that is written at an offset of a file: a page and a section of it, or a file.
    pub fn named(&self, from: &SourcePath, address: &str, at: usize) -> Vec<Occurrence> {
        let Some((symbol, span)) = self.target(from, address) else { return Vec::new() };
        let section = address.find('#').filter(|hash| *hash >= span.end).and_then(|hash| {
            let file = match &symbol {
                Symbol::Page(file) => file.clone(),
                Symbol::Entry(..) => self.file_of(&symbol)?.key(),
                _ => return None,
            };
            let id = address.get(hash + 1..).filter(|id| !id.is_empty())?;
            Some(Occurrence::used(Span::at(at + hash, id.len() + 1), Symbol::Section(file, id.to_owned())))
        });
        [Occurrence::used(span.shifted(at), symbol)].into_iter().chain(section).collect()
    }

    /// Returns what an address in a file leads to inside the site, and the bytes of it that name that.
    pub fn target(&self, from: &SourcePath, address: &str) -> Option<(Symbol, Span)> {
        let length = address.find(['#', '?']).unwrap_or(address.len());
        let (path, rest) = address.split_at(length);
        if path.is_empty() {
            let id = rest.strip_prefix('#').filter(|id| !id.is_empty())?;
            return Some((Symbol::Section(from.key(), id.to_owned()), Span::at(0, address.len())));
        }
        let site = self.site?;
        // A page at its address on the site, also as `/about/`.
        let at = |path: &str| {
            let trimmed = path.strip_suffix('/').filter(|path| !path.is_empty());
            let named = |path: &str| site.pages.at(path).map(|page| self.of_page(page));
            named(path).map(|page| (page, path.len())).or_else(|| {
                let path = trimmed?;
                Some((named(path)?, path.len()))
            })
        };
        if path.contains("://") || path.starts_with("//") || path.starts_with("mailto:") {
            let url = format!("{}{}", site.settings.origin, site.settings.base_path);
            let own = path.strip_prefix(&url).filter(|own| own.starts_with('/'))?;
            let (page, length) = at(own)?;
            return Some((page, Span::at(url.len(), length)));
        }
        let view = self.view_of(from)?;
        if path.starts_with('/') {
            let own = site.pages.order().own_path_in(path, view.number);
            let own = own.and_then(|route| Some((at(&route)?.0, path.strip_suffix('/').unwrap_or(path).len().max(1))));
            let (page, length) = own.or_else(|| at(path))?;
            return Some((page, Span::at(0, length)));
        }
        let whole = Span::at(0, length);
        let file = joined(from.key().as_str(), path).map(SourcePath::new);
        if let Some(file) = file.and_then(|file| self.known_file(&file)) {
            match SourceKind::of(&file) {
                SourceKind::Page => return Some((Symbol::Page(file.key()), whole)),
                SourceKind::Entry => {
                    let key = file.key();
                    let collection = collection_of(&key)?.to_owned();
                    return Some((Symbol::Entry(collection, slug_of(&key).to_owned()), whole));
                }
                SourceKind::Asset => return Some((Symbol::Asset(file), whole)),
                _ => {}
            }
        }
        let path = path.trim_start_matches("./");
        let asset = view.assets.beside(from, path).or_else(|| view.assets.linked(path))?;
        Some((Symbol::Asset(asset.source.clone()), whole))
    }

    /// Returns the file of a path as the project has it, with the part known that names its language.
    pub fn known_file(&self, path: &SourcePath) -> Option<SourcePath> {
        self.sources.get_key_value(path).map(|(path, _)| path.clone())
    }

    /// Returns the file that a language shows for one: of the text in the language of `from`, or else any.
    pub fn shown_in(&self, from: &SourcePath, file: &SourcePath) -> Option<SourcePath> {
        let language = self.view_of(from).map(|view| &view.language);
        let own = || {
            let part = from.language()?;
            let folder = file.as_str().rsplit_once('/').map_or("content", |(folder, _)| folder);
            let beside = || self.sources.below(folder).map(|(path, _)| path);
            let is_own = |path: &&SourcePath| path.key() == file.key() && path.language() == Some(part);
            beside().find(is_own).cloned().or_else(|| self.known_file(&language?.translation_of(file)))
        };
        own().or_else(|| self.known_file(file)).or_else(|| {
            let pages = self.site.into_iter().flat_map(|site| site.pages.iter());
            pages.map(|page| &page.source).find(|source| source.key() == file.key()).cloned()
        })
    }

    /// Returns what `entry` has keys of in a file that makes a page of each entry.
    pub(crate) fn made_by(&self, path: &SourcePath) -> Option<KeyOwner> {
        if !path.as_str().contains('[') {
            return None;
        }
        let page = self.site?.pages.iter().find(|page| page.source == *path)?;
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
