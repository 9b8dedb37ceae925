//! The configuration of a site of Hugo.

use super::super::data::{self, Map, Syntax, Value};
use super::super::old::{self, Old};
use super::super::site::{Finding, Site};
use std::collections::BTreeSet;

/// What of the configuration matters.
#[derive(Debug, Default)]
pub struct Config {
    /// The folder of texts.
    pub content: String,
    /// The folders of files that are published as they are, the first before others.
    pub statics: Vec<String>,
    /// Patterns of addresses by section, for pages and for sections.
    pub permalinks: Vec<(String, String)>,
    /// The same for sections.
    pub section_permalinks: Vec<(String, String)>,
    /// Taxonomies: the name of one term, and the key.
    pub taxonomies: Vec<(String, String)>,
    /// Whether addresses are `/a.html`.
    pub is_ugly: bool,
    /// Whether addresses are in lower case.
    pub is_lower: bool,
    /// Whether accents are removed.
    pub is_plain: bool,
    /// Entries on a page of a list, if the layouts paginate.
    pub per_page: Option<u64>,
    /// Whether there are RSS feeds.
    pub has_feeds: bool,
    /// The language that is imported, and all of them.
    pub language: String,
    /// All languages, if there are several.
    pub languages: BTreeSet<String>,
    /// What is said of each.
    pub of_languages: Map,
    /// The folders with the texts of one language each, besides that of the site.
    pub folders: Vec<(String, String)>,
    /// The sections of the home page.
    pub main_sections: Vec<String>,
    /// Parameters of the site.
    pub params: Map,
    /// Everything, with keys in lower case.
    pub all: Map,
}

impl Config {
    /// Reads the files of the configuration.
    pub fn read(old: &Old, site: &mut Site) -> Result<Self, String> {
        let mut all = Map::new();
        let mut is_found = false;
        for name in ["config", "hugo"] {
            for folder in ["", "config/_default/", "config/production/"] {
                for extension in ["yaml", "yml", "json", "toml"] {
                    let path = format!("{folder}{name}.{extension}");
                    let Some(text) = old.text(&path) else { continue };
                    is_found = true;
                    merge(&mut all, lowered(read_map(&path, text)?));
                }
            }
        }
        // Each other file of the folder is one key.
        for folder in ["config/_default", "config/production"] {
            for (path, rest) in old.below(folder).filter(|(_, rest)| !rest.contains('/')) {
                let name = old::stem(rest).to_lowercase();
                let (Some(text), Some(_)) = (old.text(path), Syntax::of(path)) else { continue };
                if name == "hugo" || name == "config" {
                    continue;
                }
                is_found = true;
                let name = name.split('.').next().unwrap_or_default().to_owned();
                let inner = lowered(read_map(path, text)?);
                match all.get_mut(&name) {
                    Some(Value::Object(map)) => merge(map, inner),
                    _ => drop(all.insert(name, Value::Object(inner))),
                }
            }
        }
        if !is_found {
            return Err("there is no hugo.toml, hugo.yaml, hugo.json, config.* or config/_default".to_owned());
        }
        let mut config = Self { is_lower: true, has_feeds: true, ..Self::default() };
        config.read_languages(&mut all, site);
        config.read_all(&all, old);
        config.folders = config.folders_of_languages();
        config.all = all;
        Ok(config)
    }

    fn read_languages(&mut self, all: &mut Map, site: &mut Site) {
        self.language = data::text(all, "defaultcontentlanguage").unwrap_or("en").to_lowercase();
        let Some(Value::Object(languages)) = all.get("languages").cloned() else { return };
        self.languages = languages.keys().map(|name| name.to_lowercase()).collect();
        if let Some(Value::Object(own)) = languages.get(&self.language) {
            merge(all, own.clone());
        }
        self.of_languages = languages.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        if data::is_true(all, "defaultcontentlanguageinsubdir") {
            site.findings.push((
                "hugo".into(),
                0,
                Finding::left("`defaultContentLanguageInSubdir`: pages are at the top now"),
            ));
        }
    }

    fn read_all(&mut self, all: &Map, old: &Old) {
        let folder = |path: &str| path.trim_start_matches("./").trim_matches('/').to_owned();
        self.content = folder(data::text(all, "contentdir").unwrap_or("content"));
        let mounts = data::map(all, "module").and_then(|module| module.get("mounts")).and_then(Value::as_array);
        for mount in mounts.into_iter().flatten().filter_map(Value::as_object) {
            let lang = data::text(mount, "lang").is_none_or(|lang| lang.eq_ignore_ascii_case(&self.language));
            let source = data::text(mount, "source").map(folder).filter(|source| old.below(source).next().is_some());
            if let (Some("content"), Some(source), true) = (data::text(mount, "target"), source, lang) {
                self.content = source;
            }
        }
        self.statics = all.get("staticdir").map(data::words).unwrap_or_else(|| vec!["static".to_owned()]);
        self.statics.iter_mut().for_each(|path| *path = folder(path));
        let themes = all.get("theme").map(data::words).unwrap_or_default();
        self.statics.extend(themes.iter().map(|theme| format!("themes/{}/static", folder(theme))));
        self.params = data::map(all, "params").cloned().unwrap_or_default();
        self.is_ugly = data::is_true(all, "uglyurls");
        self.is_lower = !data::is_true(all, "disablepathtolower");
        self.is_plain = data::is_true(all, "removepathaccents");
        for (key, value) in data::map(all, "permalinks").into_iter().flatten() {
            match (key.as_str(), value) {
                ("page", Value::Object(map)) => self.permalinks.extend(patterns(map)),
                ("section", Value::Object(map)) => self.section_permalinks.extend(patterns(map)),
                (_, Value::String(pattern)) => self.permalinks.push((key.clone(), pattern.clone())),
                _ => {}
            }
        }
        let default = || vec![("tag".to_owned(), "tags".to_owned()), ("category".to_owned(), "categories".to_owned())];
        self.taxonomies = match data::map(all, "taxonomies") {
            Some(map) => patterns(map).collect(),
            None => default(),
        };
        let disabled = all.get("disablekinds").map(data::words).unwrap_or_default();
        let is_off = |name: &str| disabled.iter().any(|kind| kind.eq_ignore_ascii_case(name));
        if is_off("taxonomy") || is_off("term") {
            self.taxonomies.clear();
        }
        self.taxonomies.retain(|(_, key)| super::super::components::identifier(key) == *key);
        self.has_feeds = !is_off("rss");
        let pager = data::map(all, "pagination").and_then(|map| map.get("pagersize")).or_else(|| all.get("paginate"));
        let size = pager.and_then(Value::as_u64).unwrap_or(10);
        let uses_pager = |(path, _): (&str, &str)| old.text(path).is_some_and(|text| text.contains(".Paginat"));
        let layouts =
            std::iter::once("layouts".to_owned()).chain(themes.iter().map(|theme| format!("themes/{theme}/layouts")));
        let layouts: Vec<String> = layouts.collect();
        // A theme that is not in the folder most likely paginates, as most do.
        let is_unknown = !themes.is_empty()
            && themes.iter().all(|theme| old.below(&format!("themes/{theme}/layouts")).next().is_none());
        let paginates = is_unknown || layouts.iter().any(|folder| old.below(folder).any(uses_pager));
        self.per_page = Some(size).filter(|_| paginates);
        let main = all.get("mainsections").or_else(|| self.params.get("mainsections"));
        self.main_sections = main.map(data::words).unwrap_or_default();
    }

    fn folders_of_languages(&self) -> Vec<(String, String)> {
        let others = self.of_languages.iter().filter(|(name, _)| **name != self.language);
        let folders = others.filter_map(|(name, value)| {
            let folder = data::text(value.as_object()?, "contentdir")?;
            Some((name.clone(), folder.trim_start_matches("./").trim_matches('/').to_owned()))
        });
        folders.filter(|(_, folder)| *folder != self.content).collect()
    }

    /// Writes what the new site takes from it.
    pub fn describe(&self, site: &mut Site) {
        let url = data::text(&self.all, "baseurl").unwrap_or_default();
        super::super::set_url(site, url);
        let locale = data::text(&self.all, "locale").or_else(|| data::text(&self.all, "languagecode"));
        site.language = Some(locale.unwrap_or(&self.language).replace('_', "-"));
        site.name = data::word(&self.all, "title");
        site.description = data::word(&self.params, "description").or_else(|| data::word(&self.params, "subtitle"));
        let menus = data::map(&self.all, "menus").or_else(|| data::map(&self.all, "menu"));
        let mut items: Vec<(i64, String, String)> = Vec::new();
        for item in menus.and_then(|menus| menus.get("main")).and_then(Value::as_array).into_iter().flatten() {
            let Some(item) = item.as_object() else { continue };
            let address = data::text(item, "url").or_else(|| data::text(item, "pageref"));
            let name = data::word(item, "name")
                .or_else(|| data::word(item, "title"))
                .or_else(|| data::word(item, "identifier"));
            let weight = item.get("weight").and_then(Value::as_i64).unwrap_or(0);
            if let (Some(name), Some(address)) = (name, address) {
                let is_outside = address.contains("://");
                let address =
                    if is_outside || address.starts_with('/') { address.to_owned() } else { format!("/{address}") };
                items.push((weight, name, address));
            }
        }
        items.sort_by_key(|(weight, _, _)| (*weight == 0, *weight));
        site.menu = items.into_iter().map(|(_, name, address)| (name, address)).collect();
        if data::is_true(&self.all, "enableemoji") {
            site.markdown.insert("emoji".into(), true.into());
        }
    }
}

fn patterns(map: &Map) -> impl Iterator<Item = (String, String)> + '_ {
    map.iter().filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
}

fn read_map(path: &str, text: &str) -> Result<Map, String> {
    let syntax = Syntax::of(path).unwrap_or(Syntax::Toml);
    data::parse_map(text, syntax).map_err(|reason| format!("{path}: {reason}"))
}

/// Puts the keys of a map and of the maps in it into lower case: Hugo does not distinguish them.
fn lowered(map: Map) -> Map {
    let value = |value: Value| match value {
        Value::Object(map) => Value::Object(lowered(map)),
        Value::Array(items) => {
            let item = |item| if let Value::Object(map) = item { Value::Object(lowered(map)) } else { item };
            items.into_iter().map(item).collect()
        }
        other => other,
    };
    map.into_iter().map(|(key, inner)| (key.to_lowercase(), value(inner))).collect()
}

/// Puts the keys of the second map into the first, and those of maps in it into those.
fn merge(into: &mut Map, from: Map) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(value)) => merge(inner, value),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}
