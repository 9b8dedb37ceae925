//! The configuration of a site of Hugo.

use super::super::data::{self, Map, Syntax, Value};
use super::super::old::{self, Old};
use super::super::prose::{Dollars, Formulas};
use super::super::site::{Ids, Language, Site};
use super::mounts::{self, Mount};
use regex::Regex;
use std::collections::BTreeSet;

/// What of the configuration matters.
#[derive(Debug, Default)]
pub struct Config {
    /// The folders of texts, and of files that are published as they are, the first before others.
    pub contents: Vec<Mount>,
    pub statics: Vec<Mount>,
    /// Patterns of addresses by section, for pages and for sections.
    pub permalinks: Vec<(String, String)>,
    /// The same for sections.
    pub section_permalinks: Vec<(String, String)>,
    /// The same for terms, and for the pages of all terms, by the key.
    pub term_permalinks: Vec<(String, String)>,
    pub taxonomy_permalinks: Vec<(String, String)>,
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
    /// The name of a feed, and the part of an address that further pages of a list have.
    pub feed_name: String,
    pub page_path: String,
    /// Whether texts may have HTML.
    pub has_html: bool,
    /// How texts write formulas, if they do.
    pub formulas: Option<Formulas>,
    /// Whether `{.class #id}` below a paragraph gives it attributes.
    pub has_attributes: bool,
    /// Whether drafts, texts of the future and those that have expired are published.
    pub has_drafts: bool,
    pub has_future: bool,
    pub has_expired: bool,
    /// Patterns of files of content that are no part of the site.
    pub ignored: Vec<Regex>,
    /// Where the date of a text comes from, in lower case: keys, `:filename`, `:default`.
    pub dates: Vec<String>,
    /// The language that is imported, and all of them.
    pub language: String,
    /// All languages, if there are several.
    pub languages: BTreeSet<String>,
    /// What is said of each.
    pub of_languages: Map,
    /// Languages that are not published, and the folders of their texts.
    pub disabled: BTreeSet<String>,
    pub disabled_folders: Vec<String>,
    /// The sections of the home page.
    pub main_sections: Vec<String>,
    /// Parameters of the site.
    pub params: Map,
    /// Everything, with keys in lower case.
    pub all: Map,
}

/// The weight, the words and the address of an item of a menu.
pub type MenuItem = (i64, String, String);

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
        config.find_contents(&all, old, site);
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
        let names = all.get("disablelanguages").map(data::words).unwrap_or_default();
        let is_disabled = |(name, value): &(&String, &Value)| {
            value.as_object().is_some_and(|said| data::is_true(said, "disabled"))
                || names.iter().any(|own| own.eq_ignore_ascii_case(name))
        };
        self.disabled = languages.iter().filter(is_disabled).map(|(name, _)| name.to_lowercase()).collect();
        self.disabled.remove(&self.language);
        self.of_languages = languages.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        if data::is_true(all, "defaultcontentlanguageinsubdir") {
            site.has_prefix = true;
        }
    }

    fn read_all(&mut self, all: &Map, old: &Old) {
        self.statics = Mount::of(all, "static");
        if self.statics.is_empty() {
            let folders = all.get("staticdir").map(data::words).unwrap_or_else(|| vec!["static".to_owned()]);
            self.statics = folders.iter().map(|folder| Mount::new(folder, None)).collect();
        }
        let themes = all.get("theme").map(data::words).unwrap_or_default();
        let of_theme = |theme: &String| Mount::new(&format!("themes/{}/static", mounts::trimmed(theme)), None);
        self.statics.extend(themes.iter().map(of_theme));
        self.params = data::map(all, "params").cloned().unwrap_or_default();
        self.is_ugly = data::is_true(all, "uglyurls");
        self.is_lower = !data::is_true(all, "disablepathtolower");
        self.is_plain = data::is_true(all, "removepathaccents");
        for (key, value) in data::map(all, "permalinks").into_iter().flatten() {
            match (key.as_str(), value) {
                ("page", Value::Object(map)) => self.permalinks.extend(patterns(map)),
                ("section", Value::Object(map)) => self.section_permalinks.extend(patterns(map)),
                ("term", Value::Object(map)) => self.term_permalinks.extend(patterns(map)),
                ("taxonomy", Value::Object(map)) => self.taxonomy_permalinks.extend(patterns(map)),
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
        let rss = data::map(all, "outputformats").and_then(|formats| data::map(formats, "rss"));
        let name = rss.and_then(|rss| data::text(rss, "basename")).unwrap_or("index");
        self.feed_name = format!("{name}.xml");
        let path = data::map(all, "pagination").and_then(|map| data::text(map, "path"));
        let path = path.or_else(|| data::text(all, "paginatepath")).unwrap_or("page");
        self.page_path = path.trim_matches('/').to_owned();
        let goldmark = data::map(all, "markup").and_then(|markup| data::map(markup, "goldmark"));
        let part = |name: &str| goldmark.and_then(|goldmark| data::map(goldmark, name));
        self.has_html = part("renderer").is_some_and(|renderer| data::is_true(renderer, "unsafe"));
        let passthrough = part("extensions").and_then(|extensions| data::map(extensions, "passthrough"));
        self.formulas = passthrough.filter(|passthrough| data::is_true(passthrough, "enable")).map(|passthrough| {
            let inline =
                data::map(passthrough, "delimiters").and_then(|map| map.get("inline")).and_then(Value::as_array);
            let has_dollar = inline.into_iter().flatten().any(|pair| pair.get(0).is_some_and(|open| open == "$"));
            let dollars = if has_dollar { Dollars::Formulas } else { Dollars::Doubled };
            Formulas { signs: [("\\(", "\\)"), ("\\[", "\\]")], dollars }
        });
        let attribute = part("parser").and_then(|parser| data::map(parser, "attribute"));
        self.has_attributes = attribute.is_some_and(|attribute| data::is_true(attribute, "block"));
        [self.has_drafts, self.has_future, self.has_expired] =
            ["builddrafts", "buildfuture", "buildexpired"].map(|key| data::is_true(all, key));
        let dates = data::map(all, "frontmatter").and_then(|front| front.get("date")).map(data::words);
        self.dates = dates.unwrap_or_default().into_iter().map(|name| name.to_lowercase()).collect();
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

    /// Finds the folders of texts: those that are mounted, or that of the site and those of languages.
    fn find_contents(&mut self, all: &Map, old: &Old, site: &mut Site) {
        let folder_of = |value: &Value| data::text(value.as_object()?, "contentdir").map(mounts::trimmed);
        let of_languages = || self.of_languages.iter().filter_map(|(name, value)| Some((name, folder_of(value)?)));
        for regex in all.get("ignorefiles").map(data::words).unwrap_or_default() {
            match Regex::new(&regex) {
                Ok(regex) => self.ignored.push(regex),
                Err(_) => site.left(
                    "hugo",
                    format!("`ignoreFiles`: `{regex}` was not read, so files that it ignores are imported"),
                ),
            }
        }
        self.contents = Mount::of(all, "content");
        if self.contents.is_empty() {
            let own = Mount::new(data::text(all, "contentdir").unwrap_or("content"), None);
            let others = of_languages().filter(|(name, folder)| **name != self.language && *folder != own.source);
            let others = others.map(|(name, folder)| Mount::new(&folder, Some(name))).collect::<Vec<_>>();
            self.contents = std::iter::once(own).chain(others).collect();
        }
        for mount in &mut self.contents {
            mount.language = mount.language.take().filter(|language| *language != self.language);
            if !mount.source.is_empty() && mount.files(old).next().is_none() && mount.source != "content" {
                site.left("hugo", format!("the folder `{}` has no texts that were read", mount.source));
            }
        }
        let is_disabled = |mount: &&Mount| mount.language.as_ref().is_some_and(|own| self.disabled.contains(own));
        let folders = self.contents.iter().filter(is_disabled).map(|mount| mount.source.clone());
        self.disabled_folders = folders.collect();
        self.contents.retain(|mount| !is_disabled(&mount));
        for folder in &self.disabled_folders {
            site.left(folder, "the language of this folder is disabled, so its texts were left out");
        }
        let imports = data::map(all, "module").and_then(|module| module.get("imports")).and_then(Value::as_array);
        for import in imports.into_iter().flatten().filter_map(Value::as_object) {
            let path = data::text(import, "path").unwrap_or_default();
            site.left("hugo", format!("the module `{path}` was left out, with the texts and files that it has"));
        }
    }

    /// Whether a file is in a folder of texts and not ignored, and not of another language or of one that is disabled.
    pub fn is_in(&self, mount: &Mount, source: &str) -> bool {
        let name = old::name(source);
        let is_ignored = name.starts_with(['.', '#']) || name.ends_with('~');
        if is_ignored || self.ignored.iter().any(|regex| regex.is_match(source)) {
            return false;
        }
        let is_below = |folder: &str| source.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let others = self.contents.iter().filter(|other| other.language.is_some() && other.source != mount.source);
        !others.map(|other| &other.source).chain(&self.disabled_folders).any(|folder| is_below(folder))
    }

    /// The language that the name of a file says: `salt.de.md`.
    pub fn language_of<'n>(&self, stem: &'n str) -> Option<(&'n str, &'n str)> {
        stem.rsplit_once('.').filter(|(_, language)| self.languages.contains(*language))
    }

    /// Writes what the new site takes from it.
    pub fn describe(&self, site: &mut Site) {
        let url = data::text(&self.all, "baseurl").unwrap_or_default();
        super::super::set_url(site, url);
        let locale = data::text(&self.all, "locale").or_else(|| data::text(&self.all, "languagecode"));
        // It may be a part of addresses.
        let locale = locale.filter(|_| !site.has_prefix).unwrap_or(&self.language);
        site.language = Some(locale.replace('_', "-"));
        site.name = data::word(&self.all, "title");
        site.description = data::word(&self.params, "description").or_else(|| data::word(&self.params, "subtitle"));
        if data::is_true(&self.all, "enableemoji") {
            site.markdown.insert("emoji".into(), true.into());
        }
        self.describe_markup(site);
        self.note_settings(site);
        self.note_languages(site);
    }

    /// Returns the items of the main menu, each with its weight.
    pub fn menu(&self, site: &mut Site) -> Vec<MenuItem> {
        Self::items_of(&self.all, site)
    }

    /// Returns the items of the main menu of a language, if it has one of its own.
    pub fn menu_of(&self, language: &str, site: &mut Site) -> Vec<MenuItem> {
        let own = self.of_languages.get(language).and_then(Value::as_object);
        own.map(|own| Self::items_of(own, site)).unwrap_or_default()
    }

    fn items_of(map: &Map, site: &mut Site) -> Vec<MenuItem> {
        let menus = data::map(map, "menus").or_else(|| data::map(map, "menu"));
        for name in menus.into_iter().flat_map(Map::keys).filter(|name| *name != "main") {
            site.left("hugo", format!("the menu `{name}` was left out: write it into site.yaml and the templates"));
        }
        for parent in main_menu(menus).filter_map(|item| data::word(item, "parent")) {
            site.left("hugo", format!("an item of the menu was below `{parent}`, and is beside it now"));
        }
        main_menu(menus).filter_map(menu_item).collect()
    }

    /// Returns what is known of a language besides that of the site.
    pub fn language(&self, tag: &str) -> Language {
        let said = self.of_languages.get(tag).and_then(Value::as_object);
        let word = |key: &str| said.and_then(|said| data::word(said, key));
        let name = word("languagename").or_else(|| word("label")).unwrap_or_else(|| tag.to_owned());
        Language { tag: tag.to_owned(), name, title: word("title"), ..Language::default() }
    }

    /// Lists the settings of languages that are not in the new site.
    fn note_languages(&self, site: &mut Site) {
        const READ: [&str; 12] = [
            "languagename",
            "label",
            "title",
            "weight",
            "disabled",
            "contentdir",
            "menus",
            "menu",
            "languagedirection",
            "direction",
            "languagecode",
            "locale",
        ];
        let others =
            self.of_languages.iter().filter(|(name, _)| **name != self.language && !self.disabled.contains(*name));
        for (name, said) in others {
            let keys = said.as_object().into_iter().flat_map(Map::keys).filter(|key| !READ.contains(&key.as_str()));
            let left = keys.map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            if !left.is_empty() {
                site.left("hugo", format!("settings of the language `{name}` that were left out: {left}"));
            }
        }
    }

    /// Turns on what texts use beyond CommonMark.
    fn describe_markup(&self, site: &mut Site) {
        let goldmark = data::map(&self.all, "markup").and_then(|markup| data::map(markup, "goldmark"));
        let Some(goldmark) = goldmark else { return };
        let extensions = data::map(goldmark, "extensions");
        let extension = |name: &str| extensions.and_then(|extensions| data::map(extensions, name));
        let extras = extension("extras");
        let is_on = |name: &str| {
            extras.and_then(|extras| data::map(extras, name)).is_some_and(|extra| data::is_true(extra, "enable"))
        };
        for name in ["mark", "subscript", "superscript"].into_iter().filter(|name| is_on(name)) {
            site.markdown.insert(name.into(), true.into());
        }
        if is_on("insert") {
            site.left("hugo", "`++text++` is not underlined: write `<ins>text</ins>`");
        }
        site.dialect.has_math = self.formulas.is_some();
        let kind = data::map(goldmark, "parser").and_then(|parser| data::text(parser, "autoheadingidtype"));
        match kind {
            Some("github-ascii") => site.dialect.ids = Ids::GitHubAscii,
            Some("blackfriday") => site.dialect.ids = Ids::Blackfriday,
            _ => {}
        }
        if self
            .all
            .get("markup")
            .and_then(|markup| markup.get("defaultmarkdownhandler"))
            .is_some_and(|own| own != "goldmark")
        {
            site.left("hugo", "`defaultMarkdownHandler`: texts are read as those of Goldmark");
        }
    }

    /// Lists the settings of the old site that are not in the new one.
    fn note_settings(&self, site: &mut Site) {
        const READ: [&str; 39] = [
            "baseurl",
            "title",
            "languagecode",
            "locale",
            "defaultcontentlanguage",
            "defaultcontentlanguageinsubdir",
            "languages",
            "contentdir",
            "staticdir",
            "theme",
            "themesdir",
            "params",
            "uglyurls",
            "disablepathtolower",
            "removepathaccents",
            "permalinks",
            "taxonomies",
            "disablekinds",
            "pagination",
            "paginate",
            "paginatepath",
            "mainsections",
            "menus",
            "menu",
            "enableemoji",
            "markup",
            "builddrafts",
            "buildfuture",
            "buildexpired",
            "frontmatter",
            "cascade",
            "outputformats",
            "outputs",
            "enablerobotstxt",
            "archetypedir",
            "publishdir",
            "module",
            "disablelanguages",
            "ignorefiles",
        ];
        // Those of its language are among them.
        const OF_LANGUAGES: [&str; 5] = ["languagename", "label", "weight", "languagedirection", "direction"];
        site.left_keys("hugo", "settings", &self.all, &[READ.as_slice(), &OF_LANGUAGES].concat());
        site.left_keys("hugo", "*`params`", &self.params, &["description", "subtitle", "mainsections"]);
        for (kind, formats) in data::map(&self.all, "outputs").into_iter().flatten() {
            let other = data::words(formats)
                .into_iter()
                .filter(|format| !["html", "rss"].contains(&format.to_lowercase().as_str()));
            let other = other.collect::<Vec<_>>().join(", ");
            if !other.is_empty() {
                site.left("hugo", format!("`outputs` of `{kind}` were left out: {other}"));
            }
        }
        let dates = self.dates.iter().filter(|name| [":git", ":filemodtime"].contains(&name.as_str()));
        for name in dates {
            site.left("hugo", format!("`frontmatter.date`: `{name}` is not read"));
        }
    }

    /// Whether pages of a kind have a feed: `home`, `section`, `taxonomy` or `term`.
    pub fn has_feed(&self, kind: &str) -> bool {
        let outputs = data::map(&self.all, "outputs").and_then(|outputs| outputs.get(kind)).map(data::words);
        self.has_feeds && outputs.is_none_or(|own| own.iter().any(|format| format.eq_ignore_ascii_case("rss")))
    }
}

fn main_menu(menus: Option<&Map>) -> impl Iterator<Item = &Map> {
    let main = menus.and_then(|menus| menus.get("main")).and_then(Value::as_array);
    main.into_iter().flatten().filter_map(Value::as_object)
}

/// Reads an item of a menu: its weight, its words and its address.
fn menu_item(item: &Map) -> Option<MenuItem> {
    let address = data::text(item, "url").or_else(|| data::text(item, "pageref"))?;
    let name = ["name", "title", "identifier"].iter().find_map(|key| data::word(item, key))?;
    let weight = item.get("weight").and_then(Value::as_i64).unwrap_or(0);
    let is_full = address.contains("://") || address.starts_with('/');
    Some((weight, name, if is_full { address.to_owned() } else { format!("/{address}") }))
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
