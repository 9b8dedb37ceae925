//! Sites of Hugo. The rules of addresses are those of <https://gohugo.io/content-management/urls/> and
//! <https://gohugo.io/content-management/organization/>.

mod cascade;
mod config;
mod permalinks;
mod shortcodes;

use super::address;
use super::data::{self, Document, Map, Value};
use super::keys::Keys;
use super::old::{self, Old};
use super::site::{Collection, Dialect, HIDDEN_FILE, Item, Language, List, Site, Taxonomy, Text, UNDATED};
use cascade::Cascades;
use config::Config;
use jiff::civil::Date;
use permalinks::{Page, sanitized};
use std::collections::{BTreeMap, BTreeSet};

/// Reads a site.
pub fn read(old: &Old, today: Date) -> Result<Site, String> {
    let mut site = Site { generator: "Hugo", today, ..Site::default() };
    let config = Config::read(old, &mut site)?;
    site.dialect = Dialect { has_heading_attributes: true, ..Dialect::default() };
    config.describe(&mut site);
    let menu = config.menu(&mut site);
    let bundles = bundles(old, &config.content);
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
fn bundles(old: &Old, content: &str) -> BTreeSet<String> {
    let index = |path: &str| old::stem(path) == "index" && (old::is_markdown(path) || old::extension(path) == "html");
    let all = old.below(content).filter(|(_, rest)| rest.contains('/') && index(rest));
    all.map(|(_, rest)| old::folder(rest).to_owned()).collect()
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
}

/// A text with its path below its folder of content, and its language if that is not the one of the site.
type Unplaced<'o> = (&'o str, String, Document<'o>, Option<String>);

/// Whether a file is a text in a format that the import does not read. Hugo never publishes it as it is.
fn is_other_text(path: &str) -> bool {
    ["org", "adoc", "asciidoc", "ad", "rst", "pandoc", "pdc"].contains(&old::extension(path).as_str())
}

struct Reader<'o> {
    old: &'o Old,
    config: &'o Config,
    site: Site,
    bundles: BTreeSet<String>,
    /// The items of the main menu with their weights.
    menu: Vec<(i64, String, String)>,
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
        let mut documents = self.read_folder(&config.content, None, &config.folders);
        for (language, folder) in &config.folders {
            self.bundles.extend(bundles(self.old, folder));
            documents.extend(self.read_folder(folder, Some(language), &[]));
        }
        let mut cascades = Cascades::new(config.all.get("cascade"));
        for (path, document, language) in
            documents.iter().map(|(_, path, document, language)| (path, document, language))
        {
            if old::name(path) == "_index" {
                cascades.add(old::folder(path), language.as_deref(), &document.keys);
            }
        }
        for (source, path, mut document, language) in documents {
            if language.as_ref().is_some_and(|language| config.disabled.contains(language)) {
                self.left(source, "its language is disabled, so the text was left out");
                continue;
            }
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

    /// Reads the texts of a folder, which has one language or those that the names of files say. `others` are those of other
    /// languages. Returns each with its path below the folder, without language and extension, and its language.
    fn read_folder(
        &mut self,
        content: &'o str,
        of_folder: Option<&str>,
        others: &[(String, String)],
    ) -> Vec<Unplaced<'o>> {
        let old = self.old;
        let mut documents = Vec::new();
        for (source, rest) in old.below(content) {
            if others
                .iter()
                .any(|(_, folder)| source.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/')))
            {
                continue;
            }
            let bundle = self.bundles.iter().find(|folder| rest.starts_with(&format!("{folder}/")));
            let is_text = old::is_markdown(source) || old::extension(source) == "html";
            let is_index =
                bundle.is_some_and(|folder| old::folder(rest) == *folder && old::stem(rest).starts_with("index"));
            if !is_text || bundle.is_some() && !is_index {
                if is_other_text(source) {
                    self.left(source, "texts in this format are not read: convert it to Markdown");
                }
                continue;
            }
            let stem = old::stem(source);
            let (name, language) =
                stem.rsplit_once('.').map_or((stem, None), |(name, language)| (name, Some(language)));
            let language = language.filter(|language| self.config.languages.contains(*language));
            let name = if language.is_some() { name } else { stem };
            let language = language.or(of_folder).filter(|language| *language != self.config.language);
            let folder = old::folder(rest);
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
        if is_never("list") {
            self.left(source, "`build.list`: lists show the page now");
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
        let found = Found { source, path, kind, keys, body, is_html, address, title };
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
        let old = self.old;
        for folder in &self.config.statics {
            for (source, rest) in old.below(folder) {
                self.site.public.entry(rest.to_owned()).or_insert_with(|| source.to_owned());
            }
        }
        let sections: BTreeMap<&str, &str> = self
            .texts
            .iter()
            .filter(|text| text.kind != Page::Single)
            .map(|text| (text.path.as_str(), text.address.as_str()))
            .collect();
        for (source, rest) in old.below(&self.config.content) {
            if old::is_markdown(source) || old::extension(source) == "html" || is_other_text(source) {
                continue;
            }
            if self.is_beside_hidden(source) {
                self.site.left(source, HIDDEN_FILE);
                continue;
            }
            let mut folder = old::folder(rest);
            let address = loop {
                match sections.get(folder) {
                    Some(address) => {
                        break address
                            .trim_end_matches("index.html")
                            .trim_end_matches(".html")
                            .trim_matches('/')
                            .to_owned();
                    }
                    None if folder.is_empty() => break String::new(),
                    None => folder = old::folder(folder),
                }
            };
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
            });
        }
        self.texts.sort_by(|a, b| (&a.path, a.kind, a.source).cmp(&(&b.path, b.kind, b.source)));
    }

    /// Returns the sections whose pages are a blog: all have dates, and no section is below.
    fn blogs(&self) -> BTreeSet<String> {
        let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut nested = BTreeSet::new();
        for text in &self.texts {
            let Some((section, _)) = text.path.split_once('/') else { continue };
            match text.kind {
                Page::Section => {
                    nested.insert(section);
                }
                // A draft that has no date yet makes no difference.
                _ if data::is_true(&text.keys, "draft") => {}
                Page::Single | Page::Bundle => {
                    let is_dated = Keys::new(text.keys.clone())
                        .set_date(&["date", "publishdate", "pubdate"], "date", false)
                        .is_some();
                    let counts = sections.entry(section).or_default();
                    counts.0 += 1;
                    counts.1 += usize::from(is_dated);
                }
            }
        }
        let is_blog = |(name, (all, dated)): &(&str, (usize, usize))| {
            let is_main = self.config.main_sections.iter().any(|main| main == name);
            let is_named = ["post", "posts", "blog", "news", "articles"].contains(name) || is_main;
            (dated * 5 >= all * 4 || is_named && dated * 2 >= *all)
                && *dated > 0
                && (!nested.contains(name) || is_named)
                && (is_named || !data_heavy(self.old, &self.config.content, name))
        };
        sections.into_iter().filter(is_blog).map(|(name, _)| name.to_owned()).collect()
    }

    fn finish(mut self) -> Site {
        let blogs = self.blogs();
        let refs: BTreeMap<String, String> =
            self.texts.iter().map(|text| (text.path.to_lowercase(), text.address.clone())).collect();
        let with_terms = |section: &str| {
            let mut texts = self.texts.iter().filter(|text| text.path.starts_with(&format!("{section}/")));
            texts.any(|text| {
                self.config.taxonomies.iter().any(|(_, key)| text.keys.keys().any(|own| own.eq_ignore_ascii_case(key)))
            })
        };
        let merged = blogs.iter().filter(|section| with_terms(section)).count() > 1;
        let collection_of = |section: &str| if merged { "posts".to_owned() } else { address::file_name(section) };
        for section in &blogs {
            let pattern = permalinks::pattern(self.config, section, merged);
            self.site.collections.entry(collection_of(section)).or_insert(Collection { pattern });
        }
        let found = std::mem::take(&mut self.texts);
        let originals: BTreeMap<(String, Page), String> =
            found.iter().map(|text| ((text.path.clone(), text.kind), text.source.to_owned())).collect();
        let mut terms: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut tagged = String::new();
        for each in found {
            let section = each.path.split('/').next().unwrap_or_default().to_owned();
            let is_entry = each.kind != Page::Section && each.path.contains('/') && blogs.contains(&section);
            let mut text = self.text(&each, &refs);
            let is_entry = is_entry && text.keys.contains_key("date");
            if is_entry {
                let name = collection_of(&section);
                if text.order.is_some_and(|weight| weight != 0) {
                    self.left(each.source, "`weight` was left out: the list is sorted by dates");
                }
                if merged {
                    text.keys.insert("section".into(), section.clone().into());
                }
                for (_, key) in &self.config.taxonomies {
                    let words = text.keys.get(key).map(data::words).unwrap_or_default();
                    let is_shown = !self.site.is_hidden(&text);
                    if !words.is_empty() && is_shown {
                        tagged.clone_from(&name);
                    }
                    let names = words.into_iter().filter(|_| is_shown);
                    terms.entry(key.clone()).or_default().extend(names.map(|name| (name, String::new())));
                }
                text.collection = Some(name);
            } else if each.kind != Page::Section && blogs.contains(&section) {
                self.left(each.source, UNDATED);
            } else if each.kind == Page::Section {
                text.list = self.list(&each, &blogs, merged, &collection_of);
            }
            self.site.texts.push(text);
        }
        let of_section = |section: &str| blogs.contains(section).then(|| collection_of(section));
        self.add_translations(&originals, &refs, &of_section);
        self.make_taxonomies(terms, &tagged);
        for (_, key) in &self.config.taxonomies {
            let (index, of) = self.terms_at(key);
            self.site.push_terms(key, (&index, &permalinks::titled(key)), of, |term, _| term.to_owned());
        }
        self.site.sidebar = self.sidebar(&blogs);
        self.site.redirect_pages(&self.config.page_path);
        self.menu.sort_by(|(a, first, _), (b, second, _)| (*a == 0, a, first).cmp(&(*b == 0, b, second)));
        // An item may name a page by its file.
        let routes: BTreeSet<String> = self.site.texts.iter().map(|text| address::route(&text.address)).collect();
        let named = |address: String| {
            let text = refs.get(&address.trim_matches('/').to_lowercase());
            text.filter(|_| !routes.contains(&address::route(&address))).cloned().unwrap_or(address)
        };
        self.site.menu = self.menu.into_iter().map(|(_, words, address)| (words, named(address))).collect();
        self.site
    }

    /// Adds the texts in other languages, each beside that with the same path. `collection_of` returns that of a section.
    fn add_translations(
        &mut self,
        originals: &BTreeMap<(String, Page), String>,
        refs: &BTreeMap<String, String>,
        collection_of: &dyn Fn(&str) -> Option<String>,
    ) {
        for (language, each) in std::mem::take(&mut self.translations) {
            let mut text = self.text(&each, refs);
            text.original = originals.get(&(each.path.clone(), each.kind)).filter(|source| !source.is_empty()).cloned();
            let original =
                text.original.as_ref().and_then(|source| self.site.texts.iter().find(|own| own.source == *source));
            let section = each.path.split_once('/').map_or("", |(section, _)| section);
            text.collection = match original {
                Some(original) => original.collection.clone(),
                None if each.kind == Page::Section || !text.keys.contains_key("date") => None,
                None => collection_of(section),
            };
            self.name_language(&language);
            text.language = Some(language);
            self.site.texts.push(text);
        }
        self.make_lists_of_languages();
    }

    fn name_language(&mut self, language: &str) {
        if self.site.languages.iter().any(|known| known.tag == language) {
            return;
        }
        let said = self.config.of_languages.get(language).and_then(|said| said.as_object());
        let word = |key: &str| said.and_then(|said| data::word(said, key));
        let name = word("languagename").or_else(|| word("label")).unwrap_or_else(|| language.to_owned());
        let (tag, title) = (language.to_owned(), word("title"));
        self.site.languages.push(Language { tag, name, title, ..Language::default() });
    }

    /// Adds the lists of other languages: every language has a home page, and the sections of which it has texts.
    fn make_lists_of_languages(&mut self) {
        let is_list = |text: &&Text| text.language.is_none() && (text.address == "/" || text.list.is_some());
        let lists: Vec<(String, String, Option<String>, Option<List>)> = self
            .site
            .texts
            .iter()
            .filter(is_list)
            .map(|text| (text.address.clone(), text.source.clone(), text.title.clone(), text.list.clone()))
            .collect();
        let mut made = Vec::new();
        for language in &self.site.languages {
            for (below, source, title, list) in &lists {
                let (address, is_home) = (format!("/{}{below}", language.tag), below == "/");
                let mut own = self.site.texts.iter().filter(|text| text.language.as_ref() == Some(&language.tag));
                let of = list.as_ref().and_then(|list| list.collection.as_ref());
                let is_in =
                    |text: &Text| text.address.starts_with(&address) || of.is_some() && text.collection.as_ref() == of;
                let is_wanted = is_home || own.clone().any(is_in);
                if !is_wanted || own.any(|text| text.address == address) {
                    continue;
                }
                let list = list.clone().map(|list| List { feeds: Vec::new(), ..list });
                let own_title = language.title.clone().filter(|_| is_home);
                let title = own_title.or_else(|| title.clone()).or_else(|| self.site.name.clone());
                let original = Some(source.clone()).filter(|source| !source.is_empty());
                let language = Some(language.tag.clone());
                made.push(Text { address, title, list, original, language, ..Text::default() });
            }
        }
        self.site.texts.extend(made);
    }

    /// What a section lists.
    fn list(
        &self,
        text: &Found,
        blogs: &BTreeSet<String>,
        merged: bool,
        name: &dyn Fn(&str) -> String,
    ) -> Option<List> {
        let section = match text.path.as_str() {
            "" => {
                let main = self.config.main_sections.iter().find(|section| blogs.contains(*section));
                main.or_else(|| blogs.iter().find(|name| ["posts", "post", "blog"].contains(&name.as_str())))
                    .or(blogs.first())?
            }
            path if blogs.contains(path) => path,
            path if blogs.contains(path.split('/').next().unwrap_or_default()) => return None,
            _ => "",
        };
        let base = address::route(&text.address);
        let feeds = vec![(format!("{}/{}", base.trim_end_matches('/'), self.config.feed_name), "rss")];
        let kind = if text.path.is_empty() { "home" } else { "section" };
        Some(List {
            collection: Some(name(section)).filter(|_| !section.is_empty()),
            section: Some(section.to_owned()).filter(|section| merged && !section.is_empty() && !text.path.is_empty()),
            per_page: self.config.per_page.filter(|_| !section.is_empty()),
            feeds: if self.config.has_feed(kind) { feeds } else { Vec::new() },
            ..List::default()
        })
    }

    /// Returns the address of the page of all terms of a key, and what returns that of a term.
    fn terms_at(&self, key: &str) -> (String, impl Fn(&str) -> String + use<>) {
        let is_lower = self.config.is_lower;
        let folder = format!("/{}/", sanitized(key, is_lower));
        let (end, start) = (if self.config.is_ugly { ".html" } else { "/" }, folder.clone());
        (folder, move |name: &str| format!("{start}{}{end}", sanitized(name, is_lower)))
    }

    fn make_taxonomies(&mut self, terms: BTreeMap<String, BTreeMap<String, String>>, collection: &str) {
        for (_, key) in &self.config.taxonomies {
            let Some(names) = terms.get(key).filter(|names| !names.is_empty()) else { continue };
            let (folder, of) = self.terms_at(key);
            self.site.taxonomies.push(Taxonomy {
                key: key.clone(),
                collection: collection.to_owned(),
                address: folder.clone(),
                title: permalinks::titled(key),
                terms: names.keys().map(|name| (name.clone(), of(name))).collect(),
                per_page: self.config.per_page,
                feeds: match self.config.has_feed("term") {
                    true => vec![(self.config.feed_name.clone(), "rss")],
                    false => Vec::new(),
                },
            });
            if self.config.has_feed("taxonomy") {
                let feed = format!("{folder}{}", self.config.feed_name);
                self.site.left("hugo", format!("the feed of all terms was left out: `{feed}`"));
            }
        }
    }

    /// The order of a documentation: the sections that are no blogs, by weight.
    fn sidebar(&self, blogs: &BTreeSet<String>) -> Vec<Item> {
        let is_shown = |text: &&Text| {
            text.collection.is_none() && text.language.is_none() && text.address != "/" && !self.site.is_hidden(text)
        };
        let pages: Vec<&Text> = self.site.texts.iter().filter(is_shown).collect();
        // A blog with a page about its author needs none.
        let has_tree = pages.iter().any(|text| address::route(&text.address).matches('/').count() > 1);
        if !has_tree || !blogs.is_empty() && pages.len() < 10 {
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

/// Whether a section is more a list of things than a blog: its texts have weights.
fn data_heavy(old: &Old, content: &str, section: &str) -> bool {
    let folder = format!("{content}/{section}");
    let texts: Vec<&str> =
        old.below(&folder).filter(|(path, _)| old::is_markdown(path)).filter_map(|(path, _)| old.text(path)).collect();
    let weighted =
        texts.iter().filter(|text| text.lines().take(30).any(|line| line.trim_start().starts_with("weight"))).count();
    weighted * 2 > texts.len()
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
