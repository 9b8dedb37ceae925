//! Puts an old site into a project: where each text goes, what its addresses become, and every file that is written.

mod links;
mod places;
mod settings;

use super::address;
use super::components::Arg;
use super::data::{self, Map, Value};
use super::markdown::{self, Outline};
use super::old::{self, Old};
use super::report::{Report, counted};
use super::site::{Body, Finding, Language, Link, List, Resolver as _, Site, Taxonomy, Text};
use super::starter::{self, Look};
use super::{Imported, NewFile};
use links::{Linker, Table};
use places::{Place, own_address, untagged};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is written, while it is collected.
#[derive(Default)]
pub struct Project {
    files: BTreeMap<String, NewFile>,
    report: Report,
    /// Redirects of `site.yaml`, by where they begin.
    redirects: BTreeMap<String, String>,
    /// Origins from which texts show pictures.
    origins: BTreeSet<String>,
    /// Keys of the old site that stay, by the schema that lists them.
    keys: BTreeMap<String, BTreeSet<String>>,
    /// Whether headings that became titles have ids.
    has_title_ids: bool,
}

/// Writes a project.
pub fn write(mut site: Site, old: &Old) -> Imported {
    let mut project = Project::default();
    project.report.generator = site.generator;
    project.report.findings.append(&mut site.findings);
    for text in &mut site.texts {
        let of =
            site.taxonomies.iter().find(|taxonomy| address::route(&taxonomy.address) == address::route(&text.address));
        if let Some(taxonomy) = of.filter(|taxonomy| !taxonomy.terms.is_empty()) {
            text.list = None;
            text.keys.insert("template".into(), starter::terms_template(&taxonomy.key).into());
        }
    }
    // A translation has its place beside its original.
    site.texts.sort_by_key(|text| text.language.is_some());
    spell_terms(&mut site, &mut project.report);
    drop_pages_of_terms(&mut site, &mut project.report);
    // 1. Where everything goes.
    project.move_public(&mut site, old);
    let places = places::of(&mut site, &mut project.report);
    note_components(&mut site, &places);
    site.texts.iter_mut().for_each(|text| markdown::set_calls_apart(&mut text.body));
    // 2. What addresses lead to.
    let outlines: Vec<Outline> =
        site.texts.iter().map(|text| markdown::outline(&text.body, text.title.as_deref(), site.dialect)).collect();
    let table = Table::of(&site, &places, &outlines, old);
    // 3. Every text.
    for (number, _) in places.iter().enumerate().filter(|(_, place)| !place.path.is_empty()) {
        project.write_text(&site, (number, &places), &outlines[number], &table);
    }
    // 4. What is around them.
    project.write_collections(&site, &places);
    project.write_public(&site);
    project.write_redirects(&site, &table);
    settings::write(&mut project, &site, &places);
    project.write_look(&site);
    project.write_schemas();
    project.report.addresses = addresses(&site);
    project.count(&site, &places);
    Imported { files: project.files, report: project.report }
}

/// Returns the addresses at which the old site published pages and feeds.
fn addresses(site: &Site) -> BTreeSet<String> {
    let mut own = BTreeSet::new();
    let mut all = site.made.clone();
    for text in site.texts.iter().filter(|text| !site.is_hidden(text)) {
        let of_language = if text.language.is_none() { &mut own } else { &mut all };
        of_language.insert(text.address.clone());
        of_language.extend(text.list.iter().flat_map(|list| &list.feeds).map(|(feed, _)| feed.clone()));
    }
    for taxonomy in site.taxonomies.iter().filter(|taxonomy| !taxonomy.terms.is_empty()) {
        own.insert(taxonomy.address.clone());
        let add = |term: &String, of_language: &mut BTreeSet<String>| {
            let feed = |(name, _): &(String, _)| format!("{}/{name}", address::route(term));
            of_language.extend(taxonomy.feeds.iter().map(feed));
            of_language.insert(term.clone());
        };
        taxonomy.terms.values().for_each(|term| add(term, &mut own));
        taxonomy.translated.values().flat_map(BTreeMap::values).for_each(|term| add(term, &mut all));
    }
    let language = site.language.as_ref().filter(|_| site.has_prefix);
    let prefix = language.map(|language| format!("/{}", language.to_lowercase())).unwrap_or_default();
    all.extend(own.into_iter().map(|address| format!("{prefix}{address}")));
    all
}

/// Writes terms in words that differ from others only in their signs, such as `C++` from `C`.
fn spell_terms(site: &mut Site, report: &mut Report) {
    for taxonomy in &mut site.taxonomies {
        let mut by_slug: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for term in taxonomy.terms.keys() {
            by_slug.entry(slug::slugify(term)).or_default().push(term.clone());
        }
        let is_same = |a: &str, b: &str| {
            let plain =
                |text: &str| text.chars().filter(|letter| !" -_".contains(*letter)).collect::<String>().to_lowercase();
            plain(a) == plain(b)
        };
        let clashing = by_slug.into_values().filter(|names| names.iter().any(|name| !is_same(name, &names[0])));
        for name in clashing.flatten() {
            let words = name.replace('+', " plus").replace('#', " sharp").replace('.', "dot ");
            if words == name {
                continue;
            }
            let finding =
                Finding::changed(format!("the term `{name}` is `{words}` now: both words would have one address"));
            report.findings.push((taxonomy.key.clone(), 0, finding));
            for terms in std::iter::once(&mut taxonomy.terms).chain(taxonomy.translated.values_mut()) {
                if let Some(address) = terms.remove(&name) {
                    terms.insert(words.clone(), address);
                }
            }
            for text in site.texts.iter_mut().filter(|text| text.collection.as_ref() == Some(&taxonomy.collection)) {
                if let Some(Value::Array(own)) = text.keys.get_mut(&taxonomy.key) {
                    own.iter_mut().filter(|own| **own == *name).for_each(|own| *own = words.clone().into());
                }
            }
        }
    }
}

/// Leaves out texts with the addresses of terms, which have pages that no text is part of.
fn drop_pages_of_terms(site: &mut Site, report: &mut Report) {
    let routes: BTreeSet<String> = site
        .taxonomies
        .iter()
        .flat_map(|taxonomy| taxonomy.terms.keys().map(|term| address::route(&term_address(taxonomy, term))))
        .collect();
    site.texts.retain(|text| {
        let is_of_term = routes.contains(&address::route(&text.address));
        if is_of_term && !text.source.is_empty() {
            let finding = Finding::left("the page of a term lists its entries, and has no text of its own");
            report.findings.push((text.source.clone(), 0, finding));
        }
        !is_of_term
    });
}

fn note_components(site: &mut Site, places: &[Place]) {
    let mut components = std::mem::take(&mut site.components);
    for (text, place) in site.texts.iter().zip(places) {
        components.note(text.body.calls(), &place.path);
    }
    site.components = components;
}

/// The folder of the engine's own files.
const ASSETS: &str = "assets/";

impl Project {
    /// Gives files new addresses where the old ones cannot be kept.
    fn move_public(&mut self, site: &mut Site, old: &Old) {
        let mut public = BTreeMap::new();
        let mut folded = BTreeSet::new();
        let mut below_assets = 0;
        for (path, from) in std::mem::take(&mut site.public) {
            let Ok(clean) = address::cleaned(&path) else {
                let finding = Finding::left(format!("the file cannot be published at `{path}`"));
                self.report.findings.push((from, 0, finding));
                continue;
            };
            let path = clean.trim_start_matches('/').to_owned();
            // The build lists its files there.
            if path == "manifest.json" || path == "sitemap.xml" {
                let finding = Finding::left(format!("the build writes `/{path}` itself, so this file was left out"));
                self.report.findings.push((from, 0, finding));
                continue;
            }
            if !old.is_safe_picture(&from) {
                let finding = Finding::fault("this SVG has scripts or HTML in it; it was left out");
                self.report.findings.push((from, 0, finding));
                continue;
            }
            if !folded.insert(path.to_lowercase()) {
                let finding =
                    Finding::fault("another file has this name but for the case of its letters; it was left out");
                self.report.findings.push((from, 0, finding));
                continue;
            }
            below_assets += usize::from(path.starts_with(ASSETS));
            public.insert(path, from);
        }
        if below_assets > 0 {
            let message = format!(
                "{below_assets} files below `/assets/` keep their addresses; a host for which the build writes rules takes none \
                 there, because browsers cache that folder for a year: move them before you set `settings.host`"
            );
            self.report.findings.push(("content/public/assets".to_owned(), 0, Finding::changed(message)));
        }
        site.public = public;
    }

    /// Writes a text with its keys.
    fn write_text(&mut self, site: &Site, (number, places): (usize, &[Place]), outline: &Outline, table: &Table) {
        let (text, place) = (&site.texts[number], &places[number]);
        let mut linker = Linker::new(site, table, number, place);
        let body = with_pictures(&text.body, &mut linker);
        let body = markdown::translate(&body, outline, site.dialect, &site.components, &mut linker);
        let Linker { copies, origins, .. } = linker;
        for (to, from) in copies {
            self.files.insert(to, NewFile::Copy(from));
        }
        self.origins.extend(origins);
        let mut keys = Map::new();
        let title = text.title.clone().or(outline.title.as_ref().map(|(_, title, _)| title.clone()));
        let title = title.unwrap_or_else(|| old::stem(&text.source).replace(['-', '_'], " "));
        let mut title = if title.trim().is_empty() { "Untitled".to_owned() } else { title };
        if text.collection.is_some() && title.contains("{{") {
            // The page of the entry refers to it, and no text that is referred to can have them.
            title = title.replace("{{", "{ {").replace("}}", "} }");
            let finding = Finding::changed("there are spaces between the braces in the title now");
            self.report.findings.push((text.source.clone(), 0, finding));
        }
        keys.insert("title".into(), title.into());
        let title_id = outline.title.as_ref().map(|(_, _, id)| id.as_str()).filter(|id| !id.is_empty());
        let original = text.original.as_ref().and_then(|source| site.texts.iter().find(|text| text.source == *source));
        let is_own =
            |(key, value): &(&String, &Value)| original.is_none_or(|original| original.keys.get(*key) != Some(value));
        keys.extend(text.keys.iter().filter(is_own).map(|(key, value)| (key.clone(), value.clone())));
        // A translation has the terms of its original, unless it says that it has none.
        let has = |text: &Text, key: &str| text.keys.contains_key(key);
        let terms = site.taxonomies.iter().map(|taxonomy| &taxonomy.key).filter(|key| !has(text, key));
        for key in terms.filter(|key| text.collection.is_some() && original.is_some_and(|own| has(own, key))) {
            keys.insert(key.clone(), Value::Array(Vec::new()));
        }
        if let Some(id) = title_id {
            keys.insert("title_id".into(), id.into());
            self.has_title_ids = true;
        }
        place.keys.iter().for_each(|(key, value)| drop(keys.insert(key.clone(), value.clone())));
        if let Some(list) = &text.list {
            self.write_list(site, text, list, &mut keys);
        }
        let schema = place.schema(text);
        self.keys.entry(schema).or_default().extend(text.keys.keys().cloned());
        // A translation has the name of its original, and may have a text where that has none.
        let stem = place.path.trim_end_matches("md");
        let is_translation = |(other, at): (&Text, &Place)| {
            let rest = other.language.as_ref().and_then(|tag| at.path.strip_prefix(stem)?.strip_prefix(tag.as_str()));
            rest == Some(".md") && !is_made(other)
        };
        let is_translated = || text.language.is_none() && site.texts.iter().zip(places).any(is_translation);
        // A page that shows nothing but a list, of an original with a text.
        let is_bare = body.text.trim().is_empty() && is_made(text);
        let is_beside_text = || self.files.contains_key(&original_path(text, &place.path));
        let has_text = !is_bare || is_translated() || is_beside_text();
        let body_text = if is_bare && is_beside_text() { "<!-- no text -->" } else { body.text.trim_end() };
        let path = if has_text { place.path.clone() } else { place.path.replace(".md", ".yaml") };
        let front = data::yaml(&keys);
        let (start, file) = match has_text {
            true => (front.lines().count() + 2, format!("---\n{front}---\n{body_text}\n")),
            false => (0, front),
        };
        for (line, finding) in body.findings {
            let was = if text.source.is_empty() { String::new() } else { format!(" (was {})", text.source) };
            self.report.findings.push((format!("{path}{was}"), start + line, finding));
        }
        self.files.insert(path, NewFile::Text(file));
    }

    /// Writes the keys of a list.
    fn write_list(&mut self, site: &Site, text: &Text, list: &List, keys: &mut Map) {
        let mut map = Map::new();
        let route = address::route(&text.address);
        let is_dated = match &list.collection {
            Some(name) => {
                map.insert("collection".into(), name.clone().into());
                if let Some(section) = &list.section {
                    map.insert("where".into(), serde_json::json!({ "section": section }));
                }
                let mut entries = site.texts.iter().filter(|text| text.collection.as_ref() == Some(name));
                entries.all(|entry| entry.keys.contains_key("date"))
            }
            None => {
                map.insert("collection".into(), "pages".into());
                let own = address::route(own_address(text));
                map.insert("where".into(), serde_json::json!({ "parent": own }));
                false
            }
        };
        map.insert("sort".into(), if is_dated { "-date" } else { "order" }.into());
        if let Some(per_page) = list.per_page.filter(|per_page| *per_page > 0) {
            map.insert("per_page".into(), per_page.into());
        }
        keys.insert("template".into(), "pages/list.html".into());
        keys.insert("list".into(), Value::Object(map));
        if !list.feeds.is_empty() && is_dated {
            // The engine puts the language before the address, as with the key `path`.
            let own = |path: &str| text.language.as_ref().map_or(path, |tag| untagged(tag, path)).to_owned();
            let feeds: Vec<_> = list.feeds.iter().map(|(path, format)| (own(path), *format)).collect();
            keys.insert("feed".into(), settings::feed(&feeds));
        } else if !list.feeds.is_empty() {
            let finding = Finding::left("its feed was left out: entries of a feed need dates");
            self.report.findings.push((route, 0, finding));
        }
    }

    /// Writes the files that make pages of entries and of terms.
    fn write_collections(&mut self, site: &Site, places: &[Place]) {
        for (name, collection) in &site.collections {
            let entries = || site.texts.iter().filter(|text| text.collection.as_ref() == Some(name));
            if entries().next().is_none() {
                continue;
            }
            let mut keys = Map::new();
            keys.insert("for_each".into(), name.clone().into());
            let suffix = suffix_of(site, name);
            if !suffix.is_empty() {
                keys.insert("path".into(), format!("/{}{suffix}", collection.pattern).into());
            }
            keys.insert("title".into(), "{{ entry.title }}".into());
            if entries().all(|entry| entry.keys.contains_key("description")) {
                keys.insert("description".into(), "{{ entry.description }}".into());
            }
            keys.insert("template".into(), "pages/entry.html".into());
            self.write_made(&collection.pattern, &keys);
        }
        for taxonomy in site.taxonomies.iter().filter(|taxonomy| !taxonomy.terms.is_empty()) {
            self.write_taxonomy(site, taxonomy, places);
            self.redirect_terms(taxonomy);
        }
    }

    /// Writes the pages of terms, and the page that lists all of them.
    fn write_taxonomy(&mut self, site: &Site, taxonomy: &Taxonomy, places: &[Place]) {
        let folder = address::route(&taxonomy.address);
        let mut keys = Map::new();
        keys.insert("for_each".into(), format!("{}.{}", taxonomy.collection, taxonomy.key).into());
        let suffix = taxonomy.terms.values().next().map_or("/", |address| address::suffix(address));
        if !suffix.is_empty() {
            keys.insert("path".into(), format!("{}/[term]{suffix}", folder.trim_end_matches('/')).into());
        }
        keys.insert("title".into(), "{{ term.name }}".into());
        keys.insert("template".into(), "pages/list.html".into());
        let mut entries = site.texts.iter().filter(|text| text.collection.as_ref() == Some(&taxonomy.collection));
        let is_dated = entries.all(|entry| entry.keys.contains_key("date"));
        let mut list = Map::new();
        list.insert("sort".into(), if is_dated { "-date" } else { "title" }.into());
        if let Some(per_page) = taxonomy.per_page {
            list.insert("per_page".into(), per_page.into());
        }
        keys.insert("list".into(), Value::Object(list));
        if is_dated && !taxonomy.feeds.is_empty() {
            keys.insert("feed".into(), settings::feed(&taxonomy.feeds));
        }
        self.write_made(&format!("{}/[term]", folder.trim_start_matches('/')), &keys);
        let own = places.iter().find(|place| place.route == folder).map(|place| place.path.clone());
        let index = own.unwrap_or_else(|| {
            let mut keys = Map::new();
            keys.insert("title".into(), taxonomy.title.clone().into());
            keys.insert("template".into(), starter::terms_template(&taxonomy.key).into());
            keys.extend(address::exact(&taxonomy.address).map(|path| ("path".to_owned(), path.into())));
            let path = format!("content/pages{folder}/index.yaml");
            self.files.insert(path.clone(), NewFile::Text(data::yaml(&keys)));
            path
        });
        // Where pages without a translation are hidden, this one has one in each language with terms.
        let stem = index.rsplit_once('.').map_or(index.as_str(), |(stem, _)| stem);
        let title = Map::from_iter([("title".to_owned(), taxonomy.title.clone().into())]);
        for Language { tag, .. } in site.languages.iter().filter(|_| !site.has_fallbacks) {
            let has_terms = |text: &Text| {
                text.language.as_ref() == Some(tag)
                    && text.collection.as_ref() == Some(&taxonomy.collection)
                    && text.keys.contains_key(&taxonomy.key)
            };
            let has_own = places.iter().any(|place| place.path.starts_with(&format!("{stem}.{tag}.")));
            if !has_own && site.texts.iter().any(has_terms) {
                self.files.insert(format!("{stem}.{tag}.yaml"), NewFile::Text(data::yaml(&title)));
            }
        }
    }

    /// Redirects the old addresses of terms to the new ones.
    fn redirect_terms(&mut self, taxonomy: &Taxonomy) {
        let own = taxonomy.terms.iter().map(|(term, old)| (String::new(), term, old));
        let translated = taxonomy.translated.iter().flat_map(|(tag, terms)| {
            terms.iter().map(move |(term, old)| (format!("/{}", tag.to_lowercase()), term, old))
        });
        let all: Vec<(&String, String)> = own
            .chain(translated)
            .map(|(prefix, term, old)| (old, format!("{prefix}{}", term_address(taxonomy, term))))
            .collect();
        let taken: BTreeSet<String> = all.iter().map(|(_, new)| address::route(new).to_lowercase()).collect();
        for (old, new) in all {
            let from = address::route(old);
            let is_sign = |letter: char| letter.is_alphanumeric() || "-_.~/".contains(letter);
            if from == address::route(&new) {
                continue;
            }
            // Another term may be there now, or have been there too.
            let is_free = !taken.contains(&from.to_lowercase()) && !self.redirects.contains_key(&from);
            if is_free && from.chars().all(is_sign) && !from.contains("/.") {
                self.redirects.insert(from, new.clone());
                self.report.moved.push((old.clone(), new));
            } else {
                self.report.lost.push((old.clone(), new));
            }
        }
    }

    fn write_made(&mut self, pattern: &str, keys: &Map) {
        let yaml = data::yaml(keys).replace("\\\\{{", "{{");
        self.files.insert(format!("content/pages/{pattern}.yaml"), NewFile::Text(yaml));
    }

    fn write_public(&mut self, site: &Site) {
        for (path, from) in &site.public {
            self.files.insert(format!("content/public/{path}"), NewFile::Copy(from.clone()));
        }
    }

    /// Collects the redirects of the old site, without those that the compiler would refuse.
    fn write_redirects(&mut self, site: &Site, table: &Table) {
        for (from, to) in &site.redirects {
            let is_inside = to.starts_with('/') && !to.starts_with("//");
            let target = match is_inside {
                true => {
                    let (path, rest) = address::parts(to);
                    let found = address::lookup(path, &site.base_path).and_then(|route| table.target(&route));
                    found.map(|route| format!("{route}{rest}"))
                }
                false if to.starts_with("https://") || to.starts_with("http://") => Some(to.clone()),
                false => None,
            };
            let from_route = address::cleaned(from).map(|from| address::route(&from));
            match (from_route, target) {
                (Ok(from), Some(to)) if !table.is_taken(&from) && from != to => {
                    self.redirects.entry(from).or_insert(to);
                }
                (Ok(from), Some(_)) if table.is_taken(&from) => {}
                (Err(reason), _) => {
                    let finding = Finding::left(format!("the alias `{from}` was left out: {reason}"));
                    self.report.findings.push(("redirects".into(), 0, finding));
                }
                _ => {
                    let finding = Finding::fault(format!("the redirect from `{from}` leads nowhere: `{to}`"));
                    self.report.findings.push(("redirects".into(), 0, finding));
                }
            }
        }
    }

    fn write_look(&mut self, site: &Site) {
        let icons = ["favicon.ico", "favicon.svg", "favicon.png"];
        let icons =
            icons.iter().filter(|icon| site.public.contains_key(**icon)).map(|icon| format!("/{icon}")).collect();
        let taxonomies: Vec<_> = site.taxonomies.iter().filter(|each| !each.terms.is_empty()).cloned().collect();
        let look = Look {
            taxonomies: &taxonomies,
            has_sidebar: !site.sidebar.is_empty(),
            icons,
            has_links: site.texts.iter().any(|text| text.keys.contains_key("links")),
            has_lists: site.texts.iter().any(|text| text.list.is_some()) || !taxonomies.is_empty(),
            has_entries: site.texts.iter().any(|text| text.collection.is_some()),
            has_title_ids: self.has_title_ids,
            has_languages: !site.languages.is_empty(),
            has_math: site.dialect.has_math,
        };
        self.files.extend(starter::files(&look).into_iter().map(|(path, text)| (path, NewFile::Text(text))));
        self.files.extend(site.components.files().map(|(path, text)| (path, NewFile::Text(text))));
        for stub in site.components.stubs() {
            let args = stub.args.iter().map(|arg| format!("`{arg}`")).collect::<Vec<_>>().join(", ");
            let args = if args.is_empty() { String::new() } else { format!(" ({args})") };
            let state = if stub.is_complete { "" } else { "to be written" };
            let row = format!("| `{}`{args} | {} | {} | {} | {state} |", stub.name, stub.origin, stub.uses, stub.first);
            self.report.components.push(row);
        }
    }

    /// Lists the keys of the old site that no template reads yet, so that the compiler knows them.
    fn write_schemas(&mut self) {
        for (name, keys) in &self.keys {
            let known = ["title", "description", "date", "draft", "order", "updated", "publish", "expires", "noindex"];
            let kept: Map = keys
                .iter()
                .filter(|key| !known.contains(&key.as_str()))
                .map(|key| (key.clone(), serde_json::json!({ "description": "A key of the old site." })))
                .collect();
            if kept.is_empty() {
                continue;
            }
            let schema = serde_json::json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": kept,
            });
            let text = serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n";
            self.files.insert(format!("content/schemas/{name}.schema.json"), NewFile::Text(text));
        }
    }

    fn count(&mut self, site: &Site, places: &[Place]) {
        let written = || site.texts.iter().zip(places).filter(|(_, place)| !place.path.is_empty());
        self.report.texts = written().filter(|(text, _)| !text.source.is_empty()).count();
        for name in site.collections.keys() {
            let count = written().filter(|(text, _)| text.collection.as_ref() == Some(name)).count();
            if count > 0 {
                self.report.counts.push(format!("{} in `content/{name}`", counted(count, "entry", "entries")));
            }
        }
        let pages = || written().filter(|(text, _)| text.collection.is_none());
        let made = pages().filter(|(text, _)| text.source.is_empty()).count();
        let made = match made {
            0 => String::new(),
            made => format!(", {made} of which the old generator made without a text"),
        };
        self.report.counts.push(format!("{} in `content/pages`{made}", counted(pages().count(), "page", "pages")));
        let copies = |below: &str| self.files.keys().filter(|path| path.starts_with(below)).count();
        let (public, assets) = (copies("content/public/"), copies("content/assets/"));
        for language in &site.languages {
            let count = written().filter(|(text, _)| text.language.as_ref() == Some(&language.tag)).count();
            self.report.counts.push(format!("{} in `{}` among these", counted(count, "text", "texts"), language.tag));
        }
        if public > 0 {
            let files = counted(public, "file", "files");
            self.report.counts.push(format!("{files} in `content/public`, at the old addresses"));
        }
        if assets > 0 {
            self.report.counts.push(format!("{} in `content/assets`, for pages", counted(assets, "file", "files")));
        }
        if !self.redirects.is_empty() {
            let redirects = counted(self.redirects.len(), "redirect", "redirects");
            self.report.counts.push(format!("{redirects} from old addresses"));
        }
        self.report
            .steps
            .push("Look at `templates/` and `templates/styles/main.css`: they replace the old layout.".into());
        if self.report.components.iter().any(|row| row.contains("to be written")) {
            self.report.steps.push("Write the components that show nothing yet.".into());
        }
    }
}

/// Returns a body in which calls of `figure` name pictures of the new site.
fn with_pictures(body: &Body, linker: &mut Linker) -> Body {
    let mut body = body.clone();
    body.rewrite_calls(|call| {
        let number = call.args.iter().position(|(name, _)| call.name == "figure" && name == "src")?;
        let Arg::Text(source) = &call.args[number].1 else { return None };
        match linker.picture(source, false) {
            Link::Keep => None,
            Link::To(to) => {
                call.args[number].1 = Arg::Text(to);
                None
            }
            Link::Changed(to, finding) => {
                call.args[number].1 = Arg::Text(to);
                Some(finding)
            }
            Link::Gone(finding) => {
                call.args.remove(number);
                Some(finding)
            }
        }
    });
    body
}

/// Returns the path of the original with a text that is beside a translation.
fn original_path(text: &Text, path: &str) -> String {
    text.language.as_ref().map_or_else(String::new, |tag| path.replace(&format!(".{tag}.md"), ".md"))
}

/// Whether a text shows something without a body: a list, links or terms.
pub fn is_made(text: &Text) -> bool {
    text.list.is_some() || text.keys.contains_key("template") || text.source.is_empty() && text.language.is_some()
}

/// Returns how the addresses of most entries of a collection end.
pub fn suffix_of(site: &Site, collection: &str) -> &'static str {
    let entries = site.texts.iter().filter(|text| text.collection.as_deref() == Some(collection));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    entries.for_each(|text| *counts.entry(address::suffix(&text.address)).or_default() += 1);
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map_or("", |(suffix, _)| suffix);
    ["/", ".html"].into_iter().find(|suffix| *suffix == most).unwrap_or_default()
}

/// Returns the address of a term in the new site.
pub fn term_address(taxonomy: &Taxonomy, term: &str) -> String {
    let suffix = taxonomy.terms.values().next().map_or("/", |address| address::suffix(address));
    format!("{}/{}{suffix}", address::route(&taxonomy.address).trim_end_matches('/'), slug::slugify(term))
}

/// Returns how pages are written that do not say it themselves: in both ways, where the old site had both.
pub fn layout(site: &Site) -> &'static str {
    let own = site.texts.iter().map(|text| text.address.as_str()).filter(|address| *address != "/");
    let aliases = site.texts.iter().flat_map(|text| text.aliases.iter().map(String::as_str));
    let all = own.chain(aliases).chain(site.redirects.iter().map(|(from, _)| from.as_str()));
    let ends: BTreeSet<&str> = all.filter(|address| *address != "/404.html").map(address::suffix).collect();
    match (ends.contains("/"), ends.len()) {
        (_, 0) | (true, 1) => "directory",
        (true, _) => "both",
        (false, _) => "file",
    }
}
