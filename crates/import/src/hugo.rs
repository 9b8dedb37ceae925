//! Sites of Hugo. The rules of addresses are those of <https://gohugo.io/content-management/urls/> and
//! <https://gohugo.io/content-management/organization/>.

mod cascade;
mod config;
mod mounts;
mod permalinks;
mod shortcodes;

use super::address;
use super::data::{self, Document, Map, Value};
use super::keys::Keys;
use super::old::{self, Old};
use super::site::{Collection, Dialect, HIDDEN_FILE, Item, List, Site, Taxonomy, Text, UNDATED};
use cascade::Cascades;
use config::{Config, MenuItem};
use jiff::civil::Date;
use mounts::Mount;
use permalinks::Page;
use std::collections::{BTreeMap, BTreeSet};

/// Reads a site.
pub fn read(old: &Old, today: Date) -> Result<Site, String> {
    let mut site = Site { generator: "Hugo", today, ..Site::default() };
    let config = Config::read(old, &mut site)?;
    site.dialect = Dialect { has_heading_attributes: true, ..Dialect::default() };
    config.describe(&mut site);
    let menu = config.menu(&mut site);
    let bundles = bundles(old, &config);
    let mut reader = Reader {
        old,
        config: &config,
        site,
        bundles,
        menu,
        hidden: BTreeSet::new(),
        shown: BTreeSet::new(),
        texts: Vec::new(),
        translations: Vec::new(),
    };
    reader.read_content();
    reader.read_static();
    reader.note_files();
    reader.make_sections();
    Ok(reader.finish())
}

/// Returns the folders that are leaf bundles: those with an `index.md`.
fn bundles(old: &Old, config: &Config) -> BTreeSet<String> {
    let index = |path: &str| {
        let stem = old::stem(path);
        let name = config.language_of(stem).map_or(stem, |(name, _)| name);
        name == "index" && (old::is_markdown(path) || old::extension(path) == "html")
    };
    let all = config.contents.iter().flat_map(|mount| mount.files(old));
    all.filter(|(_, path)| path.contains('/') && index(path)).map(|(_, path)| old::folder(&path).to_owned()).collect()
}

/// A text before its body is read.
struct Found<'o> {
    source: &'o str,
    /// The path below the folder of content, without language and extension: `posts/salt`.
    path: String,
    kind: Page,
    keys: Map,
    body: &'o str,
    is_html: bool,
    address: String,
    title: Option<String>,
    /// Whether no list shows it.
    is_unlisted: bool,
}

/// The sections that are blogs, and whether they are one collection.
struct Blogs {
    sections: BTreeSet<String>,
    are_merged: bool,
}

impl Blogs {
    /// Returns the collection of a section.
    fn collection(&self, section: &str) -> String {
        if self.are_merged { "posts".to_owned() } else { address::file_name(section) }
    }

    fn has(&self, section: &str) -> bool {
        self.sections.contains(section)
    }
}

/// The terms of entries by the key and the language, none for that of the site.
type Terms = BTreeMap<(String, Option<String>), BTreeSet<String>>;

/// A text with its path below its folder of content, and its language if that is not the one of the site.
type Unplaced<'o> = (&'o str, String, Document<'o>, Option<String>);

/// What is said of a text, or of a file beside one.
const DISABLED: &str = "its language is disabled, so the text was left out";

/// Whether a file is a text in a format that the import does not read. Hugo never publishes it as it is.
fn is_other_text(path: &str) -> bool {
    ["org", "adoc", "asciidoc", "ad", "rst", "pandoc", "pdc", "gotmpl"].contains(&old::extension(path).as_str())
}

struct Reader<'o> {
    old: &'o Old,
    config: &'o Config,
    site: Site,
    bundles: BTreeSet<String>,
    /// The items of the main menu with their weights.
    menu: Vec<MenuItem>,
    /// Folders whose files are not published, because their text is not: those of bundles, and those of sections without the
    /// folders below.
    hidden: BTreeSet<(String, Page)>,
    /// The same of texts that are published, in one language at least.
    shown: BTreeSet<(String, Page)>,
    texts: Vec<Found<'o>>,
    /// Texts in other languages, each with the name of its language.
    translations: Vec<(String, Found<'o>)>,
}

impl<'o> Reader<'o> {
    fn left(&mut self, file: &str, message: impl Into<String>) {
        self.site.left(file, message);
    }

    fn read_content(&mut self) {
        let config = self.config;
        let documents: Vec<Unplaced<'o>> = config.contents.iter().flat_map(|mount| self.read_folder(mount)).collect();
        let mut cascades = Cascades::new(config.all.get("cascade"));
        for (path, document, language) in
            documents.iter().map(|(_, path, document, language)| (path, document, language))
        {
            if old::name(path) == "_index" {
                cascades.add(old::folder(path), language.as_deref(), &document.keys);
            }
        }
        for (source, path, mut document, language) in documents {
            cascades.apply(
                &path,
                language.as_deref().unwrap_or(&config.language),
                language.as_deref(),
                &mut document.keys,
            );
            self.set_date(&path, &mut document.keys);
            self.read_text(source, path, document, language.as_deref());
        }
    }

    /// Takes the date of a text from where the configuration says: other keys, or the name of its file.
    fn set_date(&self, path: &str, keys: &mut Map) {
        let own = |keys: &Map, name: &str| keys.keys().find(|key| key.eq_ignore_ascii_case(name)).cloned();
        let name = if old::name(path) == "index" { old::name(old::folder(path)) } else { old::name(path) };
        for from in &self.config.dates {
            match from.as_str() {
                ":default" | "date" if own(keys, "date").is_some() => return,
                ":filename" => {
                    let dated = name.get(..10).filter(|day| super::keys::day(day).is_some());
                    let Some((day, rest)) = dated.zip(name.get(10..)) else { continue };
                    own(keys, "date").into_iter().for_each(|key| drop(keys.shift_remove(&key)));
                    keys.insert("date".to_owned(), day.into());
                    let rest = rest.trim_start_matches(['-', '_']);
                    if own(keys, "slug").is_none() && !rest.is_empty() {
                        keys.insert("slug".to_owned(), rest.into());
                    }
                    return;
                }
                other if !other.starts_with(':') => {
                    let value = own(keys, other).and_then(|key| data::word(keys, &key));
                    let Some(value) = value.filter(|value| super::keys::day(value).is_some()) else { continue };
                    own(keys, "date").into_iter().for_each(|key| drop(keys.shift_remove(&key)));
                    keys.insert("date".to_owned(), value.into());
                    return;
                }
                _ => {}
            }
        }
    }

    /// Reads the texts of a folder, which has one language or those that the names of files say. Returns each with its path below
    /// the folder of content, without language and extension, and its language.
    fn read_folder(&mut self, mount: &'o Mount) -> Vec<Unplaced<'o>> {
        let (old, config) = (self.old, self.config);
        let mut documents = Vec::new();
        for (source, rest) in mount.files(old).filter(|(source, _)| config.is_in(mount, source)) {
            let bundle = self.bundles.iter().find(|folder| rest.starts_with(&format!("{folder}/")));
            let is_text = old::is_markdown(source) || old::extension(source) == "html";
            let is_index =
                bundle.is_some_and(|folder| old::folder(&rest) == *folder && old::stem(&rest).starts_with("index"));
            if !is_text || bundle.is_some() && !is_index {
                if is_other_text(source) {
                    self.left(source, "texts in this format are not read: convert it to Markdown");
                }
                continue;
            }
            let stem = old::stem(&rest);
            let (name, language) =
                config.language_of(stem).map_or((stem, None), |(name, language)| (name, Some(language)));
            if language.is_some_and(|language| config.disabled.contains(language)) {
                self.left(source, DISABLED);
                continue;
            }
            let language = language.or(mount.language.as_deref()).filter(|language| *language != config.language);
            let folder = old::folder(&rest);
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            let Some(document) = self.site.read(old, source) else { continue };
            documents.push((source, path, document, language.map(str::to_owned)));
        }
        documents
    }

    fn read_text(&mut self, source: &'o str, path: String, document: Document<'o>, language: Option<&str>) {
        let Document { keys, body, .. } = document;
        let build = data::map(&keys, "build").or(data::map(&keys, "_build"));
        let is_never =
            |key| build.and_then(|build| build.get(key)).is_some_and(|value| value == "never" || value == false);
        let name = old::name(&path);
        let kind = match name {
            "_index" => Page::Section,
            "index" if path.contains('/') => Page::Bundle,
            "index" => Page::Section,
            _ => Page::Single,
        };
        if kind != Page::Single {
            let is_hidden = is_never("render") || data::is_true(&keys, "headless") || self.is_hidden(&keys);
            let of = if is_hidden { &mut self.hidden } else { &mut self.shown };
            of.insert((old::folder(source).to_owned(), kind));
        }
        if data::is_true(&keys, "headless") || is_never("render") {
            self.left(source, "the page was never rendered by Hugo (`headless` or `render: never`), and was left out");
            return;
        }
        let is_unlisted = is_never("list");
        if is_unlisted {
            self.left(source, "`build.list`: no list shows the page, but the sitemap and the search do now");
        }
        let path = match kind {
            Page::Single => path,
            Page::Section | Page::Bundle => old::folder(&path).to_owned(),
        };
        let title = data::word(&keys, "title");
        let address = permalinks::address(self.config, &path, kind, &keys);
        let address = self.site.kept(source, address, || {
            permalinks::address(self.config, &path, kind, &Map::new()).unwrap_or_else(|_| "/".to_owned())
        });
        let is_html = old::extension(source) == "html";
        let found = Found { source, path, kind, keys, body, is_html, address, title, is_unlisted };
        match language {
            None => self.texts.push(found),
            Some(language) => {
                // The language of the site has none before its addresses, and all others have theirs.
                let address = format!("/{language}{}", found.address);
                self.translations.push((language.to_owned(), Found { address, ..found }));
            }
        }
    }

    /// Files that keep their addresses: of `static`, and those in bundles.
    fn read_static(&mut self) {
        let (old, config) = (self.old, self.config);
        for mount in &config.statics {
            for (source, path) in mount.files(old) {
                self.site.public.entry(path).or_insert_with(|| source.to_owned());
            }
        }
        for mount in &config.contents {
            self.read_files(mount);
        }
    }

    /// Files beside the texts of a folder.
    fn read_files(&mut self, mount: &Mount) {
        let (old, config) = (self.old, self.config);
        let own = self.texts.iter().filter(|_| mount.language.is_none());
        let translated = self.translations.iter().filter(|(language, _)| Some(language) == mount.language.as_ref());
        let texts = own.chain(translated.map(|(_, text)| text)).filter(|text| text.kind != Page::Single);
        let sections: BTreeMap<String, String> = texts.map(|text| (text.path.clone(), text.address.clone())).collect();
        for (source, rest) in mount.files(old).filter(|(source, _)| config.is_in(mount, source)) {
            let language = config.language_of(old::stem(&rest)).map(|(_, language)| language);
            if old::is_markdown(source) || old::extension(source) == "html" || is_other_text(source) {
                continue;
            }
            if language.is_some_and(|language| config.disabled.contains(language)) {
                self.site.left(source, DISABLED);
                continue;
            }
            if self.is_beside_hidden(source) {
                self.site.left(source, HIDDEN_FILE);
                continue;
            }
            let mut folder = old::folder(&rest);
            let address = loop {
                match sections.get(folder) {
                    Some(address) => break address.trim_end_matches("index.html").trim_end_matches(".html"),
                    None if folder.is_empty() => break mount.language.as_deref().unwrap_or_default(),
                    None => folder = old::folder(folder),
                }
            };
            let address = address.trim_matches('/');
            let below = rest[folder.len()..].trim_start_matches('/');
            let path = if address.is_empty() { below.to_owned() } else { format!("{address}/{below}") };
            self.site.public.entry(path).or_insert_with(|| source.to_owned());
        }
    }

    /// Whether Hugo does not publish a text with these keys: a draft, or one of another day.
    fn is_hidden(&self, keys: &Map) -> bool {
        let mut keys = Keys::new(keys.clone());
        self.set_dates(&mut keys);
        super::keys::is_hidden(&keys.finish(), self.site.today)
    }

    /// Translates the keys that say when a text is shown.
    fn set_dates(&self, keys: &mut Keys) {
        const PUBLISHED: [&str; 3] = ["publishdate", "pubdate", "published"];
        let published = keys.take_word(&PUBLISHED).filter(|text| super::keys::day(text.trim()).is_some());
        let date = keys.set_date(&["date"], "date", false);
        if let Some(text) = published.as_ref().filter(|_| date.is_none()) {
            keys.set("date", super::keys::date(text).unwrap_or_default());
        }
        let published = published.and_then(|text| super::keys::day(text.trim()));
        // Without a date of its own, Hugo publishes a text on that of the text.
        let first = published.or(date.filter(|date| *date > self.site.today));
        if let Some(first) = first.filter(|first| !(self.config.has_future && *first > self.site.today)) {
            keys.set("publish", first.to_string());
        }
        keys.set_date(&["lastmod", "modified"], "updated", true);
        let expires = keys.take_word(&["expirydate", "unpublishdate"]);
        let expires = expires.and_then(|text| super::keys::day(text.trim()));
        if let Some(day) = expires.filter(|day| !(self.config.has_expired && *day <= self.site.today)) {
            keys.set("expires", day.to_string());
        }
        if keys.take_bool(&["draft"]) == Some(true) && !self.config.has_drafts {
            keys.set("draft", true);
        }
    }

    /// Whether a file belongs to a text that is not published.
    fn is_beside_hidden(&self, source: &str) -> bool {
        let mut folder = old::folder(source);
        let is_here = |kind, folder: &str| {
            let own = (folder.to_owned(), kind);
            self.hidden.contains(&own) && !self.shown.contains(&own)
        };
        if is_here(Page::Section, folder) {
            return true;
        }
        loop {
            if is_here(Page::Bundle, folder) {
                return true;
            }
            if folder.is_empty() {
                return false;
            }
            folder = old::folder(folder);
        }
    }

    /// Lists the files that only templates read.
    fn note_files(&mut self) {
        for (folder, message) in [
            ("data", "data of templates was left out: write it as a collection, or into site.yaml"),
            ("i18n", "words of templates were left out: write them into `labels` of site.yaml"),
        ] {
            for (source, _) in self.old.below(folder) {
                self.site.left(source, message);
            }
        }
        let count = self.old.below("assets").count();
        if count > 0 {
            self.left(
                "assets",
                format!("{count} files for Hugo Pipes were left out, but for the pictures that texts show"),
            );
        }
    }

    /// Adds the sections for which there is no `_index.md`: the folders at the top, and the home page.
    fn make_sections(&mut self) {
        let have: BTreeSet<String> =
            self.texts.iter().filter(|text| text.kind == Page::Section).map(|text| text.path.clone()).collect();
        let mut wanted: BTreeSet<String> = self
            .texts
            .iter()
            .filter(|text| text.kind != Page::Section || text.path.contains('/'))
            .filter_map(|text| text.path.split_once('/').map(|(first, _)| first.to_owned()))
            .collect();
        wanted.insert(String::new());
        for path in wanted.into_iter().filter(|path| !have.contains(path)) {
            let Ok(address) = permalinks::address(self.config, &path, Page::Section, &Map::new()) else { continue };
            let title =
                if path.is_empty() { self.site.name.clone().unwrap_or_default() } else { permalinks::titled(&path) };
            let title = Some(title).filter(|title| !title.is_empty());
            self.texts.push(Found {
                source: "",
                path,
                kind: Page::Section,
                keys: Map::new(),
                body: "",
                is_html: false,
                address,
                title,
                is_unlisted: false,
            });
        }
        self.texts.sort_by(|a, b| (&a.path, a.kind, a.source).cmp(&(&b.path, b.kind, b.source)));
    }

    /// Returns the sections whose pages are a blog: most have dates, and no section is below.
    fn blogs(&self) -> Blogs {
        #[derive(Default)]
        struct Count {
            all: usize,
            dated: usize,
            weighted: usize,
            has_terms: bool,
        }
        let has = |text: &Found, key: &str| text.keys.keys().any(|own| own.eq_ignore_ascii_case(key));
        let mut sections: BTreeMap<&str, Count> = BTreeMap::new();
        let mut nested = BTreeSet::new();
        for text in self.texts.iter().chain(self.translations.iter().map(|(_, text)| text)) {
            let Some((section, _)) = text.path.split_once('/') else { continue };
            if text.kind == Page::Section {
                nested.insert(section);
                continue;
            }
            let keys = ["date", "publishdate", "pubdate"];
            let is_dated = Keys::new(text.keys.clone()).set_date(&keys, "date", false).is_some();
            // A draft gets its date when it is published.
            if !is_dated && self.is_hidden(&text.keys) {
                continue;
            }
            let count = sections.entry(section).or_default();
            count.all += 1;
            count.dated += usize::from(is_dated);
            count.weighted += usize::from(has(text, "weight"));
            count.has_terms |= self.config.taxonomies.iter().any(|(_, key)| has(text, key));
        }
        let is_blog = |(name, count): &(&str, Count)| {
            let is_main = self.config.main_sections.iter().any(|main| main == name);
            let is_named = ["post", "posts", "blog", "news", "articles"].contains(name) || is_main;
            // Texts with weights are more a list of things than a blog.
            count.dated * 2 >= count.all
                && count.dated > 0
                && (is_named || !nested.contains(name) && count.weighted * 2 <= count.all)
        };
        let blogs: Vec<(&str, Count)> = sections.into_iter().filter(is_blog).collect();
        Blogs {
            are_merged: blogs.iter().filter(|(_, count)| count.has_terms).count() > 1,
            sections: blogs.into_iter().map(|(name, _)| name.to_owned()).collect(),
        }
    }

    fn finish(mut self) -> Site {
        let blogs = self.blogs();
        let refs: BTreeMap<String, String> =
            self.texts.iter().map(|text| (text.path.to_lowercase(), text.address.clone())).collect();
        for section in &blogs.sections {
            let pattern = permalinks::pattern(self.config, section, blogs.are_merged);
            self.site.collections.entry(blogs.collection(section)).or_insert(Collection { pattern });
        }
        self.note_made();
        let found = std::mem::take(&mut self.texts);
        let originals: BTreeMap<(String, Page), String> =
            found.iter().map(|text| ((text.path.clone(), text.kind), text.source.to_owned())).collect();
        let mut terms = Terms::new();
        for each in found {
            let mut text = self.text(&each, &refs);
            if each.kind == Page::Section {
                text.list = self.list(&each, &blogs);
            } else {
                self.make_entry(&mut text, &each, &blogs, &mut terms);
            }
            self.site.texts.push(text);
        }
        self.add_translations(&originals, &refs, &blogs, &mut terms);
        self.make_taxonomies(terms, &blogs);
        let config = self.config;
        for (_, key) in &config.taxonomies {
            let (index, title) = (permalinks::taxonomy(config, key), permalinks::titled(key));
            let of = |name: &str| permalinks::term(config, key, name);
            self.site.push_terms(key, (&index, &title), of, |term, _| term.to_owned());
        }
        self.site.sidebar = self.sidebar(&blogs);
        self.site.redirect_pages(&self.config.page_path);
        self.make_menus(&refs);
        self.site
    }

    /// Makes a text of a blog an entry, if it has a date.
    fn make_entry(&mut self, text: &mut Text, each: &Found, blogs: &Blogs, terms: &mut Terms) {
        let section = each.path.split_once('/').map_or("", |(section, _)| section);
        let is_shown = !self.site.is_hidden(text);
        let is_dated = text.keys.contains_key("date");
        if !blogs.has(section) || !is_dated || each.is_unlisted {
            if blogs.has(section) && !is_dated && is_shown {
                self.left(each.source, UNDATED);
            }
            return;
        }
        if text.order.is_some_and(|weight| weight != 0) {
            self.left(each.source, "`weight` was left out: the list is sorted by dates");
        }
        if blogs.are_merged {
            text.keys.insert("section".into(), section.into());
        }
        for (_, key) in self.config.taxonomies.iter().filter(|_| is_shown) {
            let words = text.keys.get(key).map(data::words).unwrap_or_default();
            terms.entry((key.clone(), text.language.clone())).or_default().extend(words);
        }
        text.collection = Some(blogs.collection(section));
    }

    /// Notes the addresses of feeds, lists and terms that Hugo makes of the texts.
    fn note_made(&mut self) {
        let config = self.config;
        let prefix = if self.site.has_prefix { format!("/{}", config.language) } else { String::new() };
        let own = self.texts.iter().map(|text| (prefix.clone(), format!("{prefix}{}", text.address), text));
        let translated =
            self.translations.iter().map(|(language, text)| (format!("/{language}"), text.address.clone(), text));
        let all: Vec<(String, String, &Found)> = own.chain(translated).collect();
        let sections = all.iter().filter(|(_, _, text)| text.kind == Page::Section);
        let sections: BTreeSet<(&str, &str)> =
            sections.map(|(prefix, _, text)| (prefix.as_str(), text.path.as_str())).collect();
        let (mut made, mut pages) = (BTreeSet::new(), BTreeSet::new());
        for (prefix, address, text) in all.iter().filter(|(_, _, text)| !self.is_hidden(&text.keys)) {
            let mut add = |address: &str, kind: &str| {
                let route = address::route(address);
                if config.has_feed(kind) {
                    made.insert(format!("{}/{}", route.trim_end_matches('/'), config.feed_name));
                }
                made.insert(address.to_owned());
            };
            if text.kind == Page::Section {
                add(address, if text.path.is_empty() { "home" } else { "section" });
            } else if let Some((section, _)) = text.path.split_once('/')
                && !sections.contains(&(prefix.as_str(), section))
                && let Ok(address) = permalinks::address(config, section, Page::Section, &Map::new())
            {
                add(&format!("{prefix}{address}"), "section");
            }
            for (_, key) in &config.taxonomies {
                let mut keys = Keys::new(text.keys.clone());
                for word in keys.take_words(&[key]) {
                    add(&format!("{prefix}{}", permalinks::term(config, key, &word)), "term");
                    pages.insert(format!("{prefix}{}", permalinks::taxonomy(config, key)));
                }
            }
        }
        self.site.made.extend(made.into_iter().chain(pages));
    }

    /// Adds the texts in other languages, each beside that with the same path.
    fn add_translations(
        &mut self,
        originals: &BTreeMap<(String, Page), String>,
        refs: &BTreeMap<String, String>,
        blogs: &Blogs,
        terms: &mut Terms,
    ) {
        let others = self.config.of_languages.keys();
        let others = others.filter(|tag| **tag != self.config.language && !self.config.disabled.contains(*tag));
        self.site.languages = others.map(|tag| self.config.language(tag)).collect();
        let mut sections: BTreeSet<(String, String)> =
            self.site.languages.iter().map(|language| (language.tag.clone(), String::new())).collect();
        let mut have = BTreeSet::new();
        for (language, each) in std::mem::take(&mut self.translations) {
            let mut text = self.text(&each, refs);
            text.language = Some(language.clone());
            let original = originals.get(&(each.path.clone(), each.kind));
            text.original = original.filter(|source| !source.is_empty()).cloned();
            let own = self.site.texts.iter().find(|own| text.original.as_ref() == Some(&own.source));
            if let Some(date) = own.filter(|own| own.collection.is_some()).and_then(|own| own.keys.get("date")) {
                text.keys.entry("date").or_insert_with(|| date.clone());
            }
            let is_page = own.is_some_and(|own| own.collection.is_none());
            if each.kind == Page::Section {
                have.insert((language, each.path.clone()));
                text.list = if original.is_none() { self.list(&each, blogs) } else { None };
            } else {
                if let Some((section, _)) = each.path.split_once('/').filter(|_| !self.site.is_hidden(&text)) {
                    sections.insert((language, section.to_owned()));
                }
                if !is_page {
                    self.make_entry(&mut text, &each, blogs, terms);
                }
            }
            self.site.texts.push(text);
        }
        for (language, path) in sections.difference(&have) {
            self.make_section(language, path, originals, blogs);
        }
    }

    /// Adds the page of a section in a language that has no text for it.
    fn make_section(
        &mut self,
        language: &str,
        path: &str,
        originals: &BTreeMap<(String, Page), String>,
        blogs: &Blogs,
    ) {
        let Ok(address) = permalinks::address(self.config, path, Page::Section, &Map::new()) else { return };
        let original = originals.get(&(path.to_owned(), Page::Section));
        let home = || {
            let own = self.site.languages.iter().find(|own| own.tag == language).and_then(|own| own.title.clone());
            own.or_else(|| self.site.name.clone())
        };
        let title = if path.is_empty() { home() } else { Some(permalinks::titled(path)) };
        let found = Found {
            source: "",
            path: path.to_owned(),
            kind: Page::Section,
            keys: Map::new(),
            body: "",
            is_html: false,
            address: format!("/{language}{address}"),
            title,
            is_unlisted: false,
        };
        self.site.texts.push(Text {
            address: found.address.clone(),
            title: found.title.clone(),
            list: if original.is_none() { self.list(&found, blogs) } else { None },
            original: original.filter(|source| !source.is_empty()).cloned(),
            language: Some(language.to_owned()),
            ..Text::default()
        });
    }

    /// What a section lists.
    fn list(&self, text: &Found, blogs: &Blogs) -> Option<List> {
        let section = match text.path.as_str() {
            "" => {
                let main = self.config.main_sections.iter().find(|section| blogs.has(section));
                let named = || blogs.sections.iter().find(|name| ["posts", "post", "blog"].contains(&name.as_str()));
                main.or_else(named).or(blogs.sections.first())?
            }
            path if blogs.has(path) => path,
            path if blogs.has(path.split('/').next().unwrap_or_default()) => return None,
            _ => "",
        };
        let base = address::route(&text.address);
        let feeds = vec![(format!("{}/{}", base.trim_end_matches('/'), self.config.feed_name), "rss")];
        let kind = if text.path.is_empty() { "home" } else { "section" };
        let is_part = blogs.are_merged && !section.is_empty() && !text.path.is_empty();
        Some(List {
            collection: Some(blogs.collection(section)).filter(|_| !section.is_empty()),
            section: Some(section.to_owned()).filter(|_| is_part),
            per_page: self.config.per_page.filter(|_| !section.is_empty()),
            feeds: if self.config.has_feed(kind) { feeds } else { Vec::new() },
            ..List::default()
        })
    }

    fn make_taxonomies(&mut self, terms: Terms, blogs: &Blogs) {
        let config = self.config;
        for (_, key) in &config.taxonomies {
            let of = |language: &Option<String>, names: &BTreeSet<String>| {
                let prefix = language.as_ref().map(|language| format!("/{language}")).unwrap_or_default();
                let address = |name: &String| format!("{prefix}{}", permalinks::term(config, key, name));
                names.iter().map(|name| (name.clone(), address(name))).collect::<BTreeMap<_, _>>()
            };
            let own = terms.iter().filter(|((own, _), names)| own == key && !names.is_empty());
            let mut own: BTreeMap<Option<String>, _> =
                own.map(|((_, language), names)| (language.clone(), of(language, names))).collect();
            let Some(names) = own.remove(&None) else { continue };
            let is_tagged = |text: &&Text| text.collection.is_some() && text.keys.contains_key(key);
            let tagged = self.site.texts.iter().filter(is_tagged).find_map(|text| text.collection.clone());
            self.site.taxonomies.push(Taxonomy {
                key: key.clone(),
                collection: tagged.unwrap_or_else(|| blogs.collection("posts")),
                address: permalinks::taxonomy(config, key),
                title: permalinks::titled(key),
                terms: names,
                translated: own.into_iter().filter_map(|(language, names)| Some((language?, names))).collect(),
                per_page: config.per_page,
                feeds: match config.has_feed("term") {
                    true => vec![(config.feed_name.clone(), "rss")],
                    false => Vec::new(),
                },
            });
            if config.has_feed("taxonomy") {
                let feed = format!("{}{}", permalinks::taxonomy(config, key), config.feed_name);
                self.site.left("hugo", format!("the feed of all terms was left out: `{feed}`"));
            }
        }
    }

    /// Sorts the menus, and gives items that name a file its address.
    fn make_menus(&mut self, refs: &BTreeMap<String, String>) {
        let routes: BTreeSet<String> = self.site.texts.iter().map(|text| address::route(&text.address)).collect();
        let named = |address: String| {
            let text = refs.get(&address.trim_matches('/').to_lowercase());
            text.filter(|_| !routes.contains(&address::route(&address))).cloned().unwrap_or(address)
        };
        let sorted = |mut items: Vec<MenuItem>| {
            items.sort_by(|(a, first, _), (b, second, _)| (*a == 0, a, first).cmp(&(*b == 0, b, second)));
            items.into_iter().map(|(_, words, address)| (words, named(address))).collect::<Vec<_>>()
        };
        self.site.menu = sorted(std::mem::take(&mut self.menu));
        for number in 0..self.site.languages.len() {
            let tag = self.site.languages[number].tag.clone();
            let menu = self.config.menu_of(&tag, &mut self.site);
            self.site.languages[number].menu = sorted(menu);
        }
    }

    /// The order of a documentation: the sections that are no blogs, by weight.
    fn sidebar(&self, blogs: &Blogs) -> Vec<Item> {
        let is_shown = |text: &&Text| {
            let is_page = text.collection.is_none() && text.language.is_none() && text.address != "/";
            is_page && !text.is_unlisted && !self.site.is_hidden(text)
        };
        let pages: Vec<&Text> = self.site.texts.iter().filter(is_shown).collect();
        // A blog with a page about its author needs none.
        let has_tree = pages.iter().any(|text| address::route(&text.address).matches('/').count() > 1);
        if !has_tree || !blogs.sections.is_empty() && pages.len() < 10 {
            return Vec::new();
        }
        let mut items = Vec::new();
        push_children("", &pages, 0, &mut items);
        items
    }

    fn text(&mut self, found: &Found, refs: &BTreeMap<String, String>) -> Text {
        let mut keys = Keys::new(found.keys.clone());
        let title = keys.take_word(&["title"]).or(found.title.clone());
        let _ = keys.take_word(&["linktitle"]);
        keys.set_word(&["description"], "description");
        self.set_dates(&mut keys);
        for (_, key) in &self.config.taxonomies {
            keys.set_words(&[key], key);
        }
        let weight = keys.take(&["weight"]).and_then(|weight| weight.as_i64());
        let aliases = keys.take_words(&["aliases"]);
        for dropped in ["slug", "url", "build", "_build", "cascade"] {
            let _ = keys.take(&[dropped]);
        }
        for (key, message) in [
            ("layout", "`layout` was left out: name a template with `template`"),
            ("type", "`type` was left out: name a template with `template`"),
            ("markup", "`markup` was left out: the text is read as Markdown"),
            ("outputs", "`outputs` were left out: the page is HTML"),
        ] {
            if keys.take(&[key]).is_some() && !found.source.is_empty() {
                self.site.left(found.source, message);
            }
        }
        for key in ["menu", "menus"] {
            self.note_menu(key, &mut keys, found, title.as_deref());
        }
        keys.set_word(&["summary"], "summary");
        let aliases = aliases.into_iter().map(|alias| permalinks::alias(&alias, &found.address)).collect();
        self.site.left_mark(found.source, found.body, &["<!--more-->", "<!-- more -->"]);
        let text = if found.is_html { super::html_text(found.body) } else { found.body.to_owned() };
        let mut body = shortcodes::body(
            &text,
            &shortcodes::Context {
                refs,
                params: &self.config.params,
                folder: old::folder(&found.path),
                path: &found.path,
                formulas: self.config.formulas.filter(|_| !found.is_html),
                has_attributes: self.config.has_attributes && !found.is_html,
            },
        );
        body.omits_html = !found.is_html && !self.config.has_html;

        let files = if found.kind == Page::Single { Vec::new() } else { self.beside(found) };
        Text {
            source: found.source.to_owned(),
            address: found.address.clone(),
            title,
            keys: keys.finish(),
            aliases,
            body,
            files,
            order: weight,
            is_unlisted: found.is_unlisted,
            ..Text::default()
        }
    }

    /// Takes a key that has another place here. The menu of a page is one of the site.
    fn note_menu(&mut self, key: &str, keys: &mut Keys, found: &Found, title: Option<&str>) {
        let Some(value) = keys.take(&[key]) else { return };
        let names: Vec<String> = match &value {
            data::Value::Object(menus) => menus.keys().cloned().collect(),
            other => data::words(other),
        };
        if names.iter().any(|name| name == "main") {
            let inner = value.get("main").and_then(|main| main.as_object());
            let words = inner.and_then(|main| data::word(main, "name")).or(title.map(str::to_owned));
            let weight = inner.and_then(|main| main.get("weight")).and_then(Value::as_i64).unwrap_or(0);
            self.menu.extend(words.map(|words| (weight, words, found.address.clone())));
        }
    }

    /// Files in the folder of a bundle.
    fn beside(&self, found: &Found) -> Vec<(String, String)> {
        let folder = old::folder(found.source);
        if found.source.is_empty() {
            return Vec::new();
        }
        let is_leaf = found.kind == Page::Bundle;
        let files = self
            .old
            .below(folder)
            .filter(|(source, rest)| !old::is_markdown(source) && (is_leaf || !rest.contains('/')));
        files.map(|(source, rest)| (rest.to_owned(), source.to_owned())).collect()
    }
}

fn push_children(above: &str, pages: &[&Text], level: usize, items: &mut Vec<Item>) {
    let mut children: Vec<(&&Text, String)> = pages
        .iter()
        .map(|text| (text, address::route(&text.address)))
        .filter(|(_, route)| old::folder(route) == above)
        .collect();
    children.sort_by_key(|(text, route)| (text.order.is_none(), text.order, text.title.clone(), route.clone()));
    for (text, route) in children {
        let title = text.title.clone().unwrap_or_else(|| permalinks::titled(old::name(&route)));
        items.push(Item { title, address: Some(text.address.clone()), level });
        if level < 12 {
            push_children(&route, pages, level + 1, items);
        }
    }
}
