//! Sites of Jekyll. The rules of addresses are those of <https://jekyllrb.com/docs/permalinks/>.

mod kramdown;
mod languages;
mod liquid;
mod permalinks;
mod zones;

use super::data::{self, Map, Syntax, Value};
use super::keys::Keys;
use super::old::{self, Old};
use super::site::{Body, Collection, Dialect, Language, List, Site, Taxonomy, Text};
use jiff::civil::Date;
use languages::{Languages, Plugin};
use permalinks::{Document, Style};
use std::collections::{BTreeMap, BTreeSet};

/// Reads a site.
pub fn read(old: &Old, today: Date) -> Result<Site, String> {
    let (path, text) = old
        .first(&["_config.yml", "_config.yaml", "_config.toml"])
        .ok_or_else(|| "there is no _config.yml".to_owned())?;
    let syntax = Syntax::of(path).unwrap_or(Syntax::Yaml);
    let config = data::parse_map(text, syntax).map_err(|reason| format!("{path}: {reason}"))?;
    let mut site = Site { generator: "Jekyll", today, ..Site::default() };
    let host = data::text(&config, "url").unwrap_or_default();
    let base = data::text(&config, "baseurl").unwrap_or_default().trim_matches('/').to_owned();
    super::set_url(&mut site, &format!("{}/{base}", host.trim_end_matches('/')));
    site.name = data::word(&config, "title").or_else(|| data::word(&config, "name"));
    site.description = data::word(&config, "description");
    site.language =
        data::text(&config, "lang").or_else(|| data::text(&config, "locale")).map(|tag| tag.replace('_', "-"));
    site.dialect = Dialect { has_heading_attributes: true, ..Dialect::default() };
    let languages = Languages::read(&config, old);
    let mut reader = Reader { old, config, languages, site, found: Vec::new() };
    reader.find();
    reader.join_languages();
    reader.read_menu();
    Ok(reader.finish())
}

/// A text before its body is read.
#[derive(Clone, Default)]
struct Found<'o> {
    source: &'o str,
    /// The name of its language, if that is not the language of the site.
    language: Option<String>,
    /// The file of the text that it translates.
    original: Option<&'o str>,
    keys: Map,
    body: &'o str,
    address: String,
    collection: Option<String>,
    is_draft: bool,
    /// Whether it is a post, or in a collection.
    is_document: bool,
}

/// A text in its language.
struct Named<'o> {
    /// The name of its page in all languages: the address without a language, or what `page_id` says.
    id: String,
    /// The address without a language.
    plain: String,
    /// The languages that alone have it, if it says so.
    only: Vec<String>,
    text: Found<'o>,
}

/// Returns each page of the Multiple Languages Plugin once for each language that has it.
fn in_each_language<'o>(languages: &Languages, texts: Vec<Found<'o>>) -> Vec<Found<'o>> {
    let mut all = Vec::with_capacity(texts.len() * 2);
    for text in texts {
        if text.language.is_some() {
            all.push(text);
            continue;
        }
        let only = text.keys.get("languages").map(data::words).unwrap_or_default();
        let is_alone = languages.is_excluded(text.source) || text.address == "/404.html";
        for name in languages.all().filter(|name| only.is_empty() || only.iter().any(|own| own == name)) {
            let own = ["-", "_"].iter().find_map(|sign| data::text(&text.keys, &format!("permalink{sign}{name}")));
            let address = own.and_then(|own| super::address::cleaned(&permalinks::page_template(own)).ok());
            let address = address.unwrap_or_else(|| text.address.clone());
            if name == languages.main {
                all.push(Found { address, ..text.clone() });
            } else if !is_alone {
                all.push(Found { address, language: Some(name.to_owned()), ..text.clone() });
            }
        }
    }
    all
}

struct Reader<'o> {
    old: &'o Old,
    config: Map,
    languages: Option<Languages>,
    site: Site,
    found: Vec<Found<'o>>,
}

/// The files of `_data` with the links at the top, as themes name them.
const MENUS: [&str; 3] = ["navigation", "nav", "menu"];

/// Returns the title that Jekyll makes of the name of a document.
fn titled(source: &str) -> String {
    let stem = old::stem(source);
    let is_dated = stem.get(..10).is_some_and(|day| super::keys::day(day).is_some());
    let name = stem.get(11..).filter(|_| is_dated).unwrap_or(stem);
    let word = |word: &str| {
        let mut letters = word.chars();
        let rest = |letters: std::str::Chars| letters.as_str().to_lowercase();
        letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + &rest(letters))
    };
    name.split('-').map(word).collect::<Vec<_>>().join(" ")
}

/// Files at the top that are for the people who work on a site.
const FOR_WORK: [&str; 14] = [
    "gemfile",
    "gemfile.lock",
    "rakefile",
    "package.json",
    "package-lock.json",
    "yarn.lock",
    "license",
    "license.md",
    "license.txt",
    "readme.md",
    "contributing.md",
    "changelog.md",
    "code_of_conduct.md",
    "makefile",
];

impl<'o> Reader<'o> {
    fn is_excluded(&self, path: &str) -> bool {
        let lower = path.to_lowercase();
        let named = |key: &str| self.config.get(key).map(data::words).unwrap_or_default();
        let matches = |pattern: &String| {
            let pattern = pattern.trim_matches('/').trim_end_matches("/**").trim_end_matches("/*");
            path == pattern || path.starts_with(&format!("{pattern}/"))
        };
        let is_hidden = path.split('/').any(|part| part.starts_with(['.', '_', '#']) || part.ends_with('~'));
        if named("include").iter().any(matches) {
            return false;
        }
        let vendored = ["node_modules/", "vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"];
        is_hidden
            || FOR_WORK.contains(&lower.as_str())
            || lower.ends_with(".gemspec")
            || vendored.iter().any(|folder| path.starts_with(folder))
            || named("exclude").iter().any(matches)
    }

    fn find(&mut self) {
        let old = self.old;
        let folder = data::text(&self.config, "collections_dir").unwrap_or_default().trim_matches('/').to_owned();
        let in_folder = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let collections: Vec<(String, bool)> = match self.config.get("collections") {
            Some(Value::Object(map)) => {
                let output = |value: &Value| value.as_object().is_some_and(|map| data::is_true(map, "output"));
                map.iter().map(|(name, value)| (name.clone(), output(value))).collect()
            }
            Some(other) => data::words(other).into_iter().map(|name| (name, false)).collect(),
            None => Vec::new(),
        };
        for path in old.paths() {
            let own = self.languages.as_ref().and_then(|languages| languages.post(path));
            if let Some((language, below)) = own.map(|(language, below)| (language.to_owned(), below)) {
                let parts: Vec<&str> = below.split('/').collect();
                let at = parts.iter().position(|part| *part == "_posts").unwrap_or(0);
                let count = self.found.len();
                self.read_post(path, &parts, at);
                self.found[count..].iter_mut().for_each(|found| found.language = Some(language.clone()));
                continue;
            }
            let parts: Vec<&str> = path.split('/').collect();
            let posts = parts[..parts.len() - 1].iter().position(|part| *part == "_posts" || *part == "_drafts");
            if let Some(at) = posts.filter(|at| !parts[..*at].iter().any(|part| part.starts_with(['_', '.']))) {
                if !self.is_excluded(&parts[..at].join("/")) || at == 0 {
                    self.read_post(path, &parts, at);
                }
                continue;
            }
            let own =
                collections.iter().find(|(name, _)| path.starts_with(&format!("{}/", in_folder(&format!("_{name}")))));
            if let Some((name, is_output)) = own {
                let below = &path[in_folder(&format!("_{name}")).len() + 1..];
                self.read_document(path, below, name, *is_output);
            } else if !self.is_excluded(path) {
                self.read_page(path);
            }
        }
    }

    /// Returns the keys of a text, with those that the configuration gives it.
    fn front(&mut self, path: &'o str, kind: &str) -> Option<(Map, &'o str)> {
        let mut document = self.site.read(self.old, path)?;
        // A text of which nobody knows whether it was published is not.
        if document.keys.len() == 1 && document.keys.get("draft").is_some_and(|draft| draft == true) {
            document.keys.insert("published".to_owned(), false.into());
        }
        let mut keys = Map::new();
        let defaults = self.config.get("defaults").and_then(Value::as_array).cloned().unwrap_or_default();
        for default in defaults.iter().filter_map(Value::as_object) {
            let scope = data::map(default, "scope");
            let text = |key: &str| {
                scope.and_then(|scope| data::text(scope, key)).unwrap_or_default().trim_matches('/').to_owned()
            };
            let (folder, of) = (text("path"), text("type"));
            let is_of_kind = of.is_empty() || of == kind || of.trim_end_matches('s') == kind.trim_end_matches('s');
            let is_below = folder.is_empty() || path == folder || path.starts_with(&format!("{folder}/"));
            if is_of_kind && is_below && !folder.contains('*') {
                keys.extend(data::map(default, "values").cloned().unwrap_or_default());
            }
        }
        keys.extend(document.keys);
        Some((keys, document.body))
    }

    fn read_post(&mut self, path: &'o str, parts: &[&str], at: usize) {
        if !old::is_markdown(path) && old::extension(path) != "html" {
            if self.old.text(path).is_some_and(|text| text.starts_with("---")) {
                self.site.left(path, "texts in this format are not read: convert it to Markdown");
            }
            return;
        }
        let is_draft = parts[at] == "_drafts";
        let stem = old::stem(path);
        let dated = stem.get(..10).filter(|day| super::keys::day(day).is_some()).zip(stem.get(11..));
        let Some((mut keys, body)) = self.front(path, "posts") else { return };
        match dated {
            Some((day, _)) if !keys.contains_key("date") => drop(keys.insert("date".into(), day.into())),
            Some(_) => {}
            None if is_draft => {}
            None => {
                return self.site.fault(path, "its name has no date, so Jekyll left it out; so did the import");
            }
        }
        self.localize(path, &mut keys);
        let is_draft = is_draft || data::is_false(&keys, "published");
        // What has no date yet has no address of a post either.
        if dated.is_none() && !keys.contains_key("date") {
            let address = format!("/drafts/{}", slug::slugify(stem));
            self.found.push(Found { source: path, keys, body, address, is_draft, ..Found::default() });
            return;
        }
        let name = dated.map_or(stem, |(_, name)| name);
        let folders: Vec<String> = parts[..at].iter().map(|part| (*part).to_owned()).collect();
        let document = Document { kind: "posts", path: name.to_owned(), folders, keys: &keys };
        let style =
            data::text(&keys, "permalink").or(data::text(&self.config, "permalink")).unwrap_or("date").to_owned();
        let address = self.address(path, &permalinks::post_template(&style), &document);
        // The folders of a post are categories of it.
        let mut categories = document.folders;
        if !categories.is_empty() {
            let one = keys.shift_remove("category");
            categories.extend(permalinks::split_words(keys.get("categories"), one.as_ref()));
            keys.insert("categories".into(), categories.into());
        }
        self.found.push(Found {
            source: path,
            keys,
            body,
            address,
            collection: Some("posts".into()),
            is_draft,
            is_document: true,
            ..Found::default()
        });
    }

    fn read_document(&mut self, path: &'o str, below: &str, name: &str, is_output: bool) {
        let is_text = old::is_markdown(path) || old::extension(path) == "html";
        if !is_output {
            if is_text {
                let message = format!("the collection `{name}` has no pages (`output` is not set); it was left out");
                self.site.left(path, message);
            }
            return;
        }
        if !is_text {
            self.site.public.insert(format!("{name}/{below}"), path.to_owned());
            return;
        }
        let Some((mut keys, body)) = self.front(path, name) else { return };
        self.localize(path, &mut keys);
        let stem = below.rsplit_once('.').map_or(below, |(stem, _)| stem);
        let site_style = data::text(&self.config, "permalink").unwrap_or("date");
        let own = data::map(&self.config, "collections").and_then(|all| data::map(all, name));
        let own = own.and_then(|own| data::text(own, "permalink"));
        let template = data::text(&keys, "permalink").or(own).map(permalinks::post_template);
        let template = template.unwrap_or_else(|| format!("/:collection/:path{}", Style::of(site_style).suffix()));
        let document = Document { kind: name, path: stem.to_owned(), folders: Vec::new(), keys: &keys };
        let address = self.address(path, &template, &document);
        let is_draft = data::is_false(&keys, "published");
        let is_dated = keys.get("date").is_some();
        let collection = Some(name.to_owned()).filter(|_| is_dated);
        let found = Found { source: path, keys, body, address, collection, is_draft, ..Found::default() };
        self.found.push(Found { is_document: true, ..found });
    }

    fn read_page(&mut self, path: &'o str) {
        let has_front_matter = self.old.text(path).is_some_and(|text| text.starts_with("---"));
        let extension = old::extension(path);
        if !has_front_matter {
            self.site.public.insert(path.to_owned(), path.to_owned());
            return;
        }
        if !old::is_markdown(path) && !["html", "htm"].contains(&extension.as_str()) {
            match extension.as_str() {
                "xml" => {}
                _ => self.site.left(path, "a file that Jekyll filled in; write it as a template"),
            }
            return;
        }
        let Some((keys, body)) = self.front(path, "pages") else { return };
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let style = Style::of(data::text(&self.config, "permalink").unwrap_or("date"));
        let template = match data::text(&keys, "permalink") {
            Some(own) => permalinks::page_template(own),
            None if old::name(stem) == "index" => "/:path/".to_owned(),
            None if stem == "404" => "/404.html".to_owned(),
            None => format!("/:path/:basename{}", style.suffix()),
        };
        let document = Document { kind: "pages", path: stem.to_owned(), folders: Vec::new(), keys: &keys };
        let address = self.address(path, &template, &document);
        let is_draft = data::is_false(&keys, "published");
        self.found.push(Found { source: path, keys, body, address, is_draft, ..Found::default() });
    }

    fn address(&mut self, path: &str, template: &str, document: &Document) -> String {
        let address = super::address::cleaned(&permalinks::filled(template, document));
        self.site.kept(path, address, || format!("/{}", slug::slugify(old::stem(path))))
    }

    /// Writes the date of a post or of an entry in the time zone of the site, by which its address is made.
    fn localize(&mut self, path: &str, keys: &mut Map) {
        let date = data::text(keys, "date").filter(|date| super::keys::date(date).is_some_and(|date| date.len() > 10));
        let Some((date, zone)) = date.zip(data::text(&self.config, "timezone")) else { return };
        match zones::local(date, zone) {
            Some(local) => drop(keys.insert("date".into(), local.into())),
            None => {
                let message =
                    format!("its day may be another in the time zone of the site, `{zone}`, and so its old address");
                self.site.left(path, message);
            }
        }
    }

    /// The links at the top, where themes have them: `_data/navigation.yml`, `header_pages`, `nav_links`.
    fn read_menu(&mut self) {
        let main = self.languages.as_ref().map(|languages| languages.main.clone());
        self.site.menu = main.map(|name| self.menu(&format!("_data/{name}"))).unwrap_or_default();
        if self.site.menu.is_empty() {
            let main = self.languages.as_ref().map_or("", |languages| languages.main.as_str());
            self.site.menu = self.menu_in(main);
        }
        if self.site.menu.is_empty() {
            self.make_menu();
        }
    }

    /// Links to the pages at the top, with their titles in each language.
    fn make_menu(&mut self) {
        let pages = self.found.iter().filter(|found| found.collection.is_none() && found.language.is_none());
        let pages = pages.filter(|found| {
            let is_shown = found.address != "/" && found.address != "/404.html";
            is_shown && !found.source.contains('/') && old::is_markdown(found.source)
        });
        let titled = pages.filter_map(|found| Some((self.title(found)?, found))).take(8);
        let titled: Vec<(String, &Found)> = titled.collect();
        let menus = self.site.languages.iter().map(|language| {
            let translation = |of: &Found| {
                let is_its = |found: &&Found| {
                    let name = found.language.as_deref().map(languages::tag);
                    found.original == Some(of.source) && name.as_ref() == Some(&language.tag)
                };
                self.found.iter().find(is_its).and_then(|found| self.title(found))
            };
            let links = titled.iter().map(|(title, found)| {
                let own = translation(found).unwrap_or_else(|| title.clone());
                (own, found.address.clone())
            });
            links.collect::<Vec<(String, String)>>()
        });
        let menus: Vec<Vec<(String, String)>> = menus.collect();
        self.site.menu = titled.into_iter().map(|(title, found)| (title, found.address.clone())).collect();
        for (language, menu) in self.site.languages.iter_mut().zip(menus) {
            if menu != self.site.menu {
                language.menu = menu;
            }
        }
    }

    /// Returns the title of a text.
    fn title(&self, found: &Found) -> Option<String> {
        data::word(&found.keys, "title").map(|title| self.worded(found, title))
    }

    /// Returns the links at the top in a language of the Multiple Languages Plugin, whose words may be texts of `_i18n`.
    fn menu_in(&self, language: &str) -> Vec<(String, String)> {
        let languages = self.languages.as_ref().filter(|languages| languages.plugin == Plugin::MultipleLanguages);
        let label = |text: &str| Some(languages?.label(language, text)?.to_owned());
        self.menu("_data").into_iter().map(|(text, address)| (label(&text).unwrap_or(text), address)).collect()
    }

    /// Returns the words and the addresses of the links in a folder of data.
    fn menu(&self, folder: &str) -> Vec<(String, String)> {
        let mut paths = MENUS.iter().flat_map(|name| ["yml", "yaml"].map(|kind| format!("{folder}/{name}.{kind}")));
        let value = paths.find_map(|path| self.old.text(&path));
        let value = value.and_then(|text| data::parse(text, Syntax::Yaml).ok());
        let list = match &value {
            Some(Value::Array(items)) => items.clone(),
            Some(Value::Object(map)) => map.values().find_map(Value::as_array).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let link = |item: &Map| {
            let name = data::word(item, "title").or_else(|| data::word(item, "name"));
            let address = ["url", "link", "path", "href"].iter().find_map(|key| data::text(item, key));
            name.zip(address.map(str::to_owned))
        };
        list.iter().filter_map(Value::as_object).filter_map(link).collect()
    }

    /// Gives each text its language, the address in it, and the text that it translates.
    fn join_languages(&mut self) {
        let Some(languages) = self.languages.take() else { return };
        let mut texts = std::mem::take(&mut self.found);
        match languages.plugin {
            Plugin::Polyglot => {
                for text in texts.iter().filter(|text| languages.is_excluded(text.source)) {
                    let message =
                        "`exclude_from_localization`: the page was there in one language, and now all of them show it";
                    self.site.left(text.source, message);
                }
            }
            Plugin::MultipleLanguages => texts = in_each_language(&languages, texts),
        }
        let named: Vec<Named> = texts.into_iter().filter_map(|text| self.named(&languages, text)).collect();
        // The original of each page, and the languages that it is written in.
        let mut originals: BTreeMap<String, &str> = BTreeMap::new();
        let mut of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for Named { id, text, .. } in &named {
            if text.language.is_none() {
                originals.entry(id.clone()).or_insert(text.source);
            }
            let name = text.language.as_ref().unwrap_or(&languages.main);
            of.entry(id.clone()).or_default().insert(name.clone());
        }
        let mut redirected = BTreeSet::new();
        for Named { id, plain, only, mut text } in named {
            if let Some(name) = &text.language {
                text.original = originals.get(&id).copied();
                // Without an original, Polyglot shows the first text in every language.
                let is_shown = languages.plugin == Plugin::Polyglot && text.original.is_none();
                if is_shown && redirected.insert(id.clone()) {
                    let shown = languages.all().filter(|other| *other != name && !of[&id].contains(*other));
                    let shown = shown.filter(|other| only.is_empty() || only.iter().any(|own| own == other));
                    let from = shown.map(|other| languages.address(other, &plain));
                    self.site.redirects.extend(from.map(|from| (from, text.address.clone())));
                }
            }
            self.found.push(text);
        }
        self.join_collections();
        self.languages = Some(languages);
        self.describe_languages();
    }

    /// Returns a text with its language, its address in that and the name of its page in all languages. Lists one whose language the
    /// site does not have.
    fn named(&mut self, languages: &Languages, mut text: Found<'o>) -> Option<Named<'o>> {
        let name = match (languages.plugin, &text.language) {
            (_, Some(name)) => name.clone(),
            (Plugin::Polyglot, None) => languages.of(text.source, &text.keys),
            (Plugin::MultipleLanguages, None) => languages.main.clone(),
        };
        if !languages.all().any(|known| known == name) {
            let message = format!("its language `{name}` is not one of the site, so the text was left out");
            self.site.left(text.source, message);
            return None;
        }
        let plain = languages.without_language(&text.address);
        let id = match languages.plugin {
            Plugin::Polyglot => data::word(&text.keys, "page_id").unwrap_or_else(|| plain.clone()),
            Plugin::MultipleLanguages => languages.post(text.source).map_or(text.source, |(_, below)| below).to_owned(),
        };
        let only = text.keys.get("lang-exclusive").map(data::words).unwrap_or_default();
        let is_everywhere = only.is_empty() || languages.all().all(|name| only.iter().any(|own| own == name));
        if name == languages.main && !is_everywhere {
            let message = "`lang-exclusive`: the page was left out of some languages, and now they show the original";
            self.site.left(text.source, message);
        }
        text.address = languages.address(&name, &plain);
        text.language = Some(name).filter(|name| *name != languages.main);
        Some(Named { id, plain, only, text })
    }

    /// Gives an entry the collection of its original.
    fn join_collections(&mut self) {
        let mains = self.found.iter().filter(|text| text.language.is_none());
        let collections: BTreeMap<&str, Option<String>> =
            mains.map(|text| (text.source, text.collection.clone())).collect();
        for text in &mut self.found {
            if let Some(collection) = text.original.and_then(|original| collections.get(original)) {
                text.collection.clone_from(collection);
            }
        }
    }

    /// Says of the site which languages it has.
    fn describe_languages(&mut self) {
        let Some(languages) = &self.languages else { return };
        self.site.language = Some(languages::tag(&languages.main));
        self.site.has_fallbacks = languages.plugin == Plugin::Polyglot;
        self.site.labels = languages.labels(&languages.main);
        for name in &languages.others {
            let tag = languages::tag(name);
            if tag.to_lowercase() != *name {
                let message = format!("addresses below `/{name}/` are below `/{}/` now", tag.to_lowercase());
                self.site.left("_config.yml", message);
            }
            let menu = match languages.plugin {
                Plugin::Polyglot => self.menu(&format!("_data/{name}")),
                Plugin::MultipleLanguages => self.menu_in(name),
            };
            let labels = languages.labels(name);
            self.site.languages.push(Language { name: tag.clone(), tag, labels, menu, title: None });
        }
        if data::is_true(&self.config, "default_locale_in_subfolder") {
            let message =
                "`default_locale_in_subfolder`: pages are at the top now; `language_prefix: all` puts them below";
            self.site.left("_config.yml", message);
        }
    }

    fn finish(mut self) -> Site {
        let style = data::text(&self.config, "permalink").unwrap_or("date").to_owned();
        let found = std::mem::take(&mut self.found);
        if found.iter().any(|each| each.collection.as_deref() == Some("posts")) {
            self.site.collections.insert("posts".into(), Collection { pattern: permalinks::pattern(&style) });
        }
        for each in &found {
            if let Some(name) = each.collection.as_ref().filter(|name| *name != "posts") {
                let pattern = format!("{}/[slug]", super::address::file_name(name));
                self.site.collections.entry(name.clone()).or_insert(Collection { pattern });
            }
        }
        let is_own = |each: &&Found| each.language.is_none() || each.original != Some(each.source);
        let files = self.site.public.iter().map(|(path, source)| (source.clone(), format!("/{path}")));
        let texts = found.iter().filter(is_own).map(|each| (each.source.to_owned(), each.address.clone()));
        let addresses: BTreeMap<String, String> = files.chain(texts).collect();
        let mains = found.iter().filter(|each| each.language.is_none());
        let namespaces: BTreeMap<String, String> =
            mains.filter_map(|each| Some((data::word(&each.keys, "namespace")?, each.address.clone()))).collect();
        let mut terms: [BTreeMap<String, String>; 2] = Default::default();
        let kramdown = data::map(&self.config, "kramdown");
        let has_engine =
            kramdown.is_none_or(|kramdown| kramdown.get("math_engine").is_none_or(|engine| !engine.is_null()));
        self.site.dialect.has_math =
            has_engine && found.iter().any(|each| old::is_markdown(each.source) && kramdown::has_formula(each.body));
        self.note_settings();
        for each in &found {
            let text = self.text(each, &addresses, &namespaces);
            if text.language.is_none() && text.collection.as_deref() == Some("posts") && !self.site.is_hidden(&text) {
                for (number, key) in ["tags", "categories"].into_iter().enumerate() {
                    let words = text.keys.get(key).map(data::words).unwrap_or_default();
                    terms[number].extend(words.into_iter().map(|word| (word, String::new())));
                }
            }
            self.site.texts.push(text);
        }
        self.make_home();
        self.make_archives(terms);
        self.site
    }

    /// Lists the settings and the data of the old site that are not in the new one.
    fn note_settings(&mut self) {
        const READ: [&str; 34] = [
            "url",
            "baseurl",
            "title",
            "name",
            "description",
            "lang",
            "locale",
            "permalink",
            "collections",
            "collections_dir",
            "defaults",
            "include",
            "exclude",
            "plugins",
            "gems",
            "theme",
            "remote_theme",
            "feed",
            "paginate",
            "paginate_path",
            "jekyll-archives",
            "languages",
            "default_lang",
            "lang_from_path",
            "exclude_from_localization",
            "exclude_from_localizations",
            "default_locale_in_subfolder",
            "timezone",
            "markdown",
            "kramdown",
            "future",
            "show_drafts",
            "highlighter",
            "whitelist",
        ];
        self.site.left_keys("_config.yml", "*settings", &self.config, &READ);
        for (path, rest) in self.old.below("_data") {
            let is_menu = !rest.contains('/') && MENUS.contains(&old::stem(rest));
            if !is_menu && self.languages.is_none() {
                self.site.left(path, "data of templates was left out: write it as a collection, or into site.yaml");
            }
        }
    }

    /// A feed of the old site: its address and its format.
    fn feeds(&self) -> Vec<(String, &'static str)> {
        let plugins: Vec<String> =
            ["plugins", "gems"].iter().filter_map(|key| self.config.get(*key)).flat_map(data::words).collect();
        let mut feeds = Vec::new();
        for (path, _) in self.old.below("").filter(|(path, _)| !path.contains('/') && old::extension(path) == "xml") {
            let text = self.old.text(path).unwrap_or_default();
            match () {
                () if text.contains("<rss") => feeds.push((format!("/{path}"), "rss")),
                () if text.contains("<feed") => feeds.push((format!("/{path}"), "atom")),
                () => {}
            }
        }
        let is_minima = data::text(&self.config, "theme") == Some("minima");
        if feeds.is_empty() && (is_minima || plugins.iter().any(|plugin| plugin == "jekyll-feed")) {
            let path = data::map(&self.config, "feed").and_then(|feed| data::text(feed, "path")).unwrap_or("feed.xml");
            feeds.push((format!("/{}", path.trim_start_matches('/')), "atom"));
        }
        feeds
    }

    fn make_home(&mut self) {
        if !self.site.collections.contains_key("posts") {
            return;
        }
        let per_page = self.config.get("paginate").and_then(Value::as_u64);
        let list =
            List { collection: Some("posts".into()), section: None, per_page, feeds: self.feeds(), ..List::default() };
        let home = self.site.texts.iter_mut().find(|text| text.address == "/" || text.address == "/index.html");
        match home {
            Some(home) => home.list = Some(list),
            None => {
                let title = self.site.name.clone();
                self.site.texts.push(Text { address: "/".into(), title, list: Some(list), ..Text::default() });
            }
        }
        let Some(per_page) = per_page.filter(|per_page| *per_page > 0) else { return };
        let shown = |text: &&Text| text.collection.as_deref() == Some("posts") && !self.site.is_hidden(text);
        let pages = (self.site.texts.iter().filter(shown).count() as u64).div_ceil(per_page);
        let path = data::text(&self.config, "paginate_path").unwrap_or("/page:num/").to_owned();
        for number in 2..=pages {
            let (from, to) = (path.replace(":num", &number.to_string()), format!("/page/{number}"));
            if super::address::route(&from) != to {
                self.site.redirects.push((from, to));
            }
        }
    }

    /// Pages of tags and categories, if a plugin made them.
    fn make_archives(&mut self, terms: [BTreeMap<String, String>; 2]) {
        let Some(archives) = data::map(&self.config, "jekyll-archives").cloned() else { return };
        let enabled = archives.get("enabled").map(data::words).unwrap_or_default();
        for (key, names) in ["tags", "categories"].into_iter().zip(terms) {
            let singular = if key == "tags" { "tag" } else { "category" };
            let is_on = enabled.iter().any(|name| name == key || name == "all");
            let pattern =
                data::map(&archives, "permalinks").and_then(|map| data::text(map, singular)).unwrap_or("/:type/:name/");
            let pattern = pattern.replace(":type", singular);
            if !is_on || names.is_empty() || !pattern.contains(":name") {
                continue;
            }
            let folder = pattern.split(":name").next().unwrap_or_default().to_owned();
            let of = |name: &String| pattern.replace(":name", &permalinks::slug(name));
            self.site.taxonomies.push(Taxonomy {
                key: key.to_owned(),
                collection: "posts".to_owned(),
                address: folder,
                title: if key == "tags" { "Tags" } else { "Categories" }.to_owned(),
                terms: names.keys().map(|name| (name.clone(), of(name))).collect(),
                ..Taxonomy::default()
            });
        }
    }

    fn text(
        &mut self,
        found: &Found,
        addresses: &BTreeMap<String, String>,
        namespaces: &BTreeMap<String, String>,
    ) -> Text {
        let mut keys = self.keys(found);
        let named = || Some(titled(found.source)).filter(|title| found.is_document && !title.is_empty());
        let title = keys.take_word(&["title"]).or_else(named).map(|title| self.worded(found, title));
        let order = keys.take(&["nav_order", "order", "weight"]).and_then(|order| order.as_i64());
        let aliases = keys.take_words(&["redirect_from", "alias", "aliases"]);
        let aliases =
            aliases.into_iter().map(|alias| if alias.starts_with('/') { alias } else { format!("/{alias}") }).collect();
        if let Some(to) = keys.take_word(&["redirect_to"]) {
            self.site.redirects.push((found.address.clone(), to));
        }
        let body = self.body(found, addresses, namespaces);
        let is_list = ["site.posts", "paginator.posts"].iter().any(|posts| found.body.contains(posts));
        let is_translation = found.original.is_some();
        let is_list = is_list && self.site.collections.contains_key("posts") && !is_translation;
        // A page that a plugin makes once for each language has one file.
        let source = match found.original == Some(found.source) {
            true => format!("{} ({})", found.source, self.language_of(found)),
            false => found.source.to_owned(),
        };
        Text {
            source,
            language: found.language.as_deref().map(languages::tag),
            original: found.original.map(str::to_owned),
            address: found.address.clone(),
            collection: found.collection.clone(),
            title,
            keys: keys.finish(),
            aliases,
            body,
            order,
            list: is_list.then(|| List { collection: Some("posts".into()), ..List::default() }),
            ..Text::default()
        }
    }

    /// Translates the keys of a text that are there for lists and for the page.
    fn keys(&self, found: &Found) -> Keys {
        let mut keys = Keys::new(found.keys.clone());
        if let Some(description) = keys.take_word(&["description", "excerpt"]) {
            keys.set("description", self.worded(found, description));
        }
        if let Some(languages) = &self.languages {
            let alike = found.keys.keys().map(String::as_str).filter(|key| key.starts_with("permalink"));
            let of_plugin: &[&str] = match languages.plugin {
                Plugin::Polyglot => &["lang", "page_id", "lang-exclusive", "rendered_lang"],
                Plugin::MultipleLanguages => &["lang", "namespace", "languages"],
            };
            alike.chain(of_plugin.iter().copied()).for_each(|key| drop(keys.take(&[key])));
        }
        let date = keys.set_date(&["date"], "date", false);
        let is_later = date.is_some_and(|date| date > self.site.today) && !data::is_true(&self.config, "future");
        if let Some(date) = date.filter(|_| is_later && found.is_document) {
            keys.set("publish", date.to_string());
        }
        keys.set_date(&["last_modified_at", "updated", "modified"], "updated", true);
        for (names, key) in [(["tags", "tag"], "tags"), (["categories", "category"], "categories")] {
            let words = permalinks::split_words(found.keys.get(names[0]), found.keys.get(names[1]));
            let _ = keys.take(&[names[0]]);
            let _ = keys.take(&[names[1]]);
            if !words.is_empty() {
                keys.set(key, words);
            }
        }
        for dropped in ["layout", "permalink", "published", "slug", "render_with_liquid", "excerpt_separator"] {
            let _ = keys.take(&[dropped]);
        }
        if found.is_draft {
            keys.set("draft", true);
        }
        keys
    }

    fn body(&self, found: &Found, addresses: &BTreeMap<String, String>, namespaces: &BTreeMap<String, String>) -> Body {
        let languages = self.languages.as_ref().filter(|languages| languages.plugin == Plugin::MultipleLanguages);
        let language = self.language_of(found);
        let body = liquid::with_files(found.body, &|tag, name| match tag {
            "include_relative" => self.old.text(&old::join(old::folder(found.source), name)?),
            "tf" | "translate_file" => languages?.file(name, language, self.old),
            _ => None,
        });
        let is_html = !old::is_markdown(found.source);
        let body = if is_html { super::html_text(&body) } else { body };
        let context = liquid::Context {
            config: &self.config,
            page: &found.keys,
            address: &found.address,
            addresses,
            is_html,
            has_formulas: self.site.dialect.has_math,
            languages: self.languages.as_ref(),
            namespaces,
        };
        liquid::body(&body, &context)
    }

    /// Returns the name of the language of a text.
    fn language_of<'f>(&'f self, found: &'f Found) -> &'f str {
        let main = self.languages.as_ref().map_or("", |languages| languages.main.as_str());
        found.language.as_deref().unwrap_or(main)
    }

    /// Returns the words of a key, which may name a text of `_i18n`.
    fn worded(&self, found: &Found, text: String) -> String {
        let languages = self.languages.as_ref().filter(|languages| languages.plugin == Plugin::MultipleLanguages);
        let Some(languages) = languages else { return text };
        let language = found.language.as_deref().unwrap_or(&languages.main);
        languages.label(language, &text).map_or(text.clone(), str::to_owned)
    }
}
