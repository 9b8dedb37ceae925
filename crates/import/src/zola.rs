//! Sites of Zola: <https://www.getzola.org/documentation/content/overview/> for addresses, `…/content/shortcodes/` for shortcodes.

use super::address;
use super::components::{Arg, Call, Tag, identifier};
use super::data::{self, Map, Syntax, Value};
use super::glob;
use super::keys::Keys;
use super::old::{self, Old};
use super::site::{
    Body, Collection, Dialect, HIDDEN_FILE, Ids, Item, Language, List, Site, Slot, Taxonomy, Text, UNDATED, cleaned,
};
use std::collections::{BTreeMap, BTreeSet};

/// Reads a site.
pub fn read(old: &Old) -> Result<Site, String> {
    let (path, text) = old.first(&["config.toml", "zola.toml"]).ok_or_else(|| "there is no config.toml".to_owned())?;
    let config = data::parse_map(text, Syntax::Toml).map_err(|reason| format!("{path}: {reason}"))?;
    let mut site = Site { generator: "Zola", ..Site::default() };
    super::set_url(&mut site, data::text(&config, "base_url").unwrap_or_default());
    site.name = data::word(&config, "title");
    site.description = data::word(&config, "description");
    site.language = Some(data::text(&config, "default_language").unwrap_or("en").to_owned());
    site.dialect = Dialect { has_heading_attributes: true, ids: Ids::Ascii, ..Dialect::default() };
    let markdown = data::map(&config, "markdown");
    if markdown.is_some_and(|markdown| data::is_true(markdown, "render_emoji")) {
        site.markdown.insert("emoji".into(), true.into());
    }
    let languages = data::map(&config, "languages").map(|map| map.keys().cloned().collect()).unwrap_or_default();
    let mut reader = Reader {
        old,
        config,
        site,
        languages,
        hidden: BTreeSet::new(),
        shown: BTreeSet::new(),
        found: Vec::new(),
        translations: Vec::new(),
    };
    reader.read_content();
    reader.note_settings();
    Ok(reader.finish())
}

struct Found<'o> {
    source: &'o str,
    /// The path of its folder, or of the text itself, below `content`.
    path: String,
    is_section: bool,
    keys: Map,
    body: &'o str,
    address: String,
}

struct Reader<'o> {
    old: &'o Old,
    config: Map,
    site: Site,
    languages: BTreeSet<String>,
    /// Folders whose files are not published, because their page is not.
    hidden: BTreeSet<String>,
    /// Folders with a page that is published, in one language at least.
    shown: BTreeSet<String>,
    found: Vec<Found<'o>>,
    /// Texts in other languages, each with the name of its language.
    translations: Vec<(String, Found<'o>)>,
}

/// Makes a part of an address as Zola does by default (`slugify.paths = "on"`).
fn slugged(config: &Map, text: &str) -> String {
    match data::map(config, "slugify").and_then(|map| data::text(map, "paths")) {
        Some("off") => text.to_owned(),
        Some("safe") => text.trim().replace(['<', '>', ':', '"', '/', '\\', '|', '?', '*', '#', '\n', ' '], "_"),
        _ => slug::slugify(text),
    }
}

/// Returns the address of a page. A date before its name is left out.
fn page_address(config: &Map, path: &str, keys: &Map) -> Result<String, String> {
    if let Some(own) = data::text(keys, "path") {
        let cleaned = address::cleaned(own)?;
        return Ok(format!("{}/", cleaned.trim_end_matches('/')));
    }
    let name = old::name(path);
    let name = match data::text(keys, "slug") {
        Some(slug) => slugged(config, slug),
        None => slugged(config, undated(name).1),
    };
    let folders: Vec<String> =
        old::folder(path).split('/').filter(|part| !part.is_empty()).map(|part| slugged(config, part)).collect();
    address::cleaned(&format!("/{}/{name}/", folders.join("/")))
}

/// Splits `2024-03-09-salt` into its date and its name.
fn undated(name: &str) -> (Option<&str>, &str) {
    let day = name.get(..10).filter(|day| super::keys::day(day).is_some());
    let rest = name
        .get(10..)
        .and_then(|rest| rest.strip_prefix(['-', '_']).or_else(|| rest.find('_').map(|at| &rest[at + 1..])));
    match (day, rest) {
        (Some(day), Some(rest)) if !rest.is_empty() => (Some(day), rest.trim_start()),
        _ => (None, name),
    }
}

impl<'o> Reader<'o> {
    /// Returns the files of content with their paths below, but for those that the configuration ignores.
    fn content(&self) -> Vec<(&'o str, &'o str)> {
        let ignored = self.config.get("ignored_content").map(data::words).unwrap_or_default();
        // A `*` stands for folders too.
        let ignored: Vec<String> =
            ignored.iter().map(|pattern| pattern.replace("**", "*").replace('*', "**")).collect();
        let is_of = |path: &str| {
            let is_meant = |pattern: &String| glob::is_within(pattern, path) || glob::matches(pattern, old::name(path));
            ignored.iter().any(is_meant)
        };
        self.old.below("content").filter(|(source, rest)| !is_of(rest) && !is_of(source)).collect()
    }

    /// Whether a file is beside a page that is not published, or in a folder beside one.
    fn is_beside_hidden(&self, folder: &str) -> bool {
        let is_hidden = |folder: &str| self.hidden.contains(folder) && !self.shown.contains(folder);
        let is_page = |folder: &str| self.old.has(&format!("content/{folder}/index.md"));
        let mut above = folder.match_indices('/').map(|(at, _)| &folder[..at]);
        is_hidden(folder) || above.any(|folder| is_hidden(folder) && is_page(folder))
    }

    fn read_content(&mut self) {
        let old = self.old;
        let content = self.content();
        let bundles: BTreeSet<&str> = content
            .iter()
            .filter(|(_, rest)| old::name(rest) == "index.md")
            .map(|(_, rest)| old::folder(rest))
            .collect();
        let mut sections: BTreeMap<String, String> = BTreeMap::new();
        for (source, rest) in content.iter().copied().filter(|(source, _)| old::extension(source) == "md") {
            let stem = old::stem(rest);
            let named = stem.rsplit_once('.').filter(|(_, language)| self.languages.contains(*language));
            let (stem, language) = named.map_or((stem, None), |(stem, language)| (stem, Some(language)));
            let language = language.filter(|language| Some(*language) != self.site.language.as_deref());
            let folder = old::folder(rest);
            if stem != "index"
                && bundles.iter().any(|bundle| {
                    !bundle.is_empty() && (folder == *bundle || folder.starts_with(&format!("{bundle}/")))
                })
            {
                continue;
            }
            let Some(document) = self.site.read(old, source) else { continue };
            let is_section = stem == "_index";
            let path = match stem {
                "_index" | "index" => folder.to_owned(),
                _ if folder.is_empty() => stem.to_owned(),
                _ => format!("{folder}/{stem}"),
            };
            let is_unrendered = data::is_false(&document.keys, "render");
            if matches!(stem, "index" | "_index") {
                let is_hidden = is_unrendered || data::is_true(&document.keys, "draft");
                let of = if is_hidden { &mut self.hidden } else { &mut self.shown };
                of.insert(folder.to_owned());
            }
            if is_unrendered {
                self.site.left(source, "it has no page of its own (`render = false`)");
                continue;
            }
            let address = match is_section {
                true => data::text(&document.keys, "path")
                    .map_or_else(|| section_address(&self.config, &path), address::cleaned),
                false => page_address(&self.config, &path, &document.keys),
            };
            let address = self.site.kept(source, address, || format!("/{}/", slug::slugify(&path)));
            // An address that a text gives itself has no language before it.
            let has_own = document.keys.contains_key("path");
            let prefix = language.filter(|_| !has_own).map(|language| format!("/{language}")).unwrap_or_default();
            let found = Found {
                source,
                path,
                is_section,
                keys: document.keys,
                body: document.body,
                address: format!("{prefix}{address}"),
            };
            match language {
                Some(language) => self.translations.push((language.to_owned(), found)),
                None => {
                    sections.insert(found.path.clone(), found.address.clone());
                    self.found.push(found);
                }
            }
        }
        self.read_files(&sections);
    }

    fn read_files(&mut self, pages: &BTreeMap<String, String>) {
        let theme = data::text(&self.config, "theme").map(|theme| format!("themes/{theme}/static"));
        for folder in std::iter::once("static".to_owned()).chain(theme) {
            for (source, rest) in self.old.below(&folder) {
                self.site.public.entry(rest.to_owned()).or_insert_with(|| source.to_owned());
            }
        }
        for (source, rest) in self.content().into_iter().filter(|(source, _)| old::extension(source) != "md") {
            let folder = old::folder(rest);
            if self.is_beside_hidden(folder) {
                self.site.left(source, HIDDEN_FILE);
                continue;
            }
            // What is in a folder of a page is below the address of the page.
            let mut above = folder;
            while !above.is_empty() && !pages.contains_key(above) {
                above = old::folder(above);
            }
            let address = pages.get(above).map_or(above, |address| address.trim_matches('/'));
            let below = rest[above.len()..].trim_start_matches('/');
            let path = if address.is_empty() { below.to_owned() } else { format!("{address}/{below}") };
            self.site.public.entry(path).or_insert_with(|| source.to_owned());
        }
    }

    fn finish(mut self) -> Site {
        let found = std::mem::take(&mut self.found);
        let all = found.iter().chain(self.translations.iter().map(|(_, found)| found));
        let addresses: BTreeMap<String, String> =
            all.map(|each| (each.source.trim_start_matches("content/").to_owned(), each.address.clone())).collect();
        let blogs = self.blogs(&found);
        let folder_of = |each: &Found| old::folder(&each.path).to_owned();
        for section in &blogs {
            let base = section_address(&self.config, section).unwrap_or_default();
            let pattern = format!("{}/[slug]", base.trim_matches('/'));
            let pattern = pattern.trim_start_matches('/').to_owned();
            self.site.collections.insert(collection_name(section), Collection { pattern });
        }
        let taxonomies: Vec<Map> = self
            .config
            .get("taxonomies")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|each| each.as_object().cloned())
            .collect();
        let names: Vec<String> = taxonomies
            .iter()
            .filter_map(|each| data::word(each, "name"))
            .filter(|name| identifier(name) == *name)
            .collect();
        let mut terms: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut tagged: BTreeMap<String, usize> = BTreeMap::new();
        for each in &found {
            let mut text = self.text(each, &names, &addresses);
            // A section that leads elsewhere has no page.
            if each.is_section && data::text(&each.keys, "redirect_to").is_some() {
                continue;
            }
            let is_entry = !each.is_section && blogs.contains(&folder_of(each)) && text.keys.contains_key("date");
            if is_entry {
                let collection = collection_name(&folder_of(each));
                for key in names.iter().filter(|_| !self.site.is_hidden(&text)) {
                    let words = text.keys.get(key).map(data::words).unwrap_or_default();
                    *tagged.entry(collection.clone()).or_default() += words.len();
                    terms.entry(key.clone()).or_default().extend(words.into_iter().map(|word| (word, String::new())));
                }
                text.collection = Some(collection);
            } else if each.is_section {
                text.list = self.list(each, &blogs);
            } else if blogs.contains(&folder_of(each)) && !self.site.is_hidden(&text) {
                self.site.left(each.source, UNDATED);
            }
            self.site.texts.push(text);
        }
        self.add_translations(&found, &blogs, &names, &addresses);
        self.make_taxonomies(&taxonomies, &terms, tagged);
        self.make_homes(&blogs);
        self.site.sidebar = sidebar(&self.site.texts, blogs.is_empty());
        for (list, path) in self.site.texts.iter_mut().filter_map(|text| {
            let own = found.iter().find(|each| each.source == text.source)?;
            Some((text.list.as_mut()?, data::text(&own.keys, "paginate_path")?))
        }) {
            list.page_path = Some(path.trim_matches('/').to_owned());
        }
        self.site.redirect_pages("page");
        self.site
    }

    /// Adds the pages of terms. `tagged` has the number of terms that entries of each collection have.
    fn make_taxonomies(
        &mut self,
        taxonomies: &[Map],
        terms: &BTreeMap<String, BTreeMap<String, String>>,
        tagged: BTreeMap<String, usize>,
    ) {
        let collection = tagged.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name).unwrap_or_default();
        for (taxonomy, key) in taxonomies.iter().filter_map(|each| Some((each, data::word(each, "name")?))) {
            let folder = format!("/{}/", slugged(&self.config, &key));
            let title = format!("{}{}", key[..1].to_uppercase(), &key[1..]);
            let of = |name: &str| format!("{folder}{}/", slug::slugify(name));
            if let Some(names) = terms.get(&key).filter(|names| !names.is_empty()) {
                self.site.taxonomies.push(Taxonomy {
                    key: key.clone(),
                    collection: collection.clone(),
                    address: folder.clone(),
                    title: title.clone(),
                    terms: names.keys().map(|name| (name.clone(), of(name))).collect(),
                    translated: self.translated_terms(&key, &of),
                    per_page: taxonomy.get("paginate_by").and_then(Value::as_u64),
                    feeds: match data::is_true(taxonomy, "feed") {
                        true => self.feed_names().into_iter().map(|name| (name.clone(), format_of(&name))).collect(),
                        false => Vec::new(),
                    },
                });
            }
            if data::is_true(taxonomy, "feed") {
                let pages =
                    self.site.texts.iter().filter(|text| text.collection.is_none() && !self.site.is_hidden(text));
                let words = pages.filter_map(|text| text.keys.get(&key)).flat_map(data::words);
                let feeds: Vec<_> = words.flat_map(|word| self.feeds_at(&of(&word))).map(|(feed, _)| feed).collect();
                self.site.made.extend(feeds);
            }
            self.site.push_terms(&key, (&folder, &title), of, |term, _| term.to_owned());
        }
    }

    /// Returns the terms of entries in other languages by these, each with its address.
    fn translated_terms(&self, key: &str, of: &dyn Fn(&str) -> String) -> BTreeMap<String, BTreeMap<String, String>> {
        let mut all: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let entries = self.site.texts.iter().filter(|text| text.collection.is_some() && !self.site.is_hidden(text));
        for (language, text) in entries.filter_map(|text| Some((text.language.as_ref()?, text))) {
            let words = text.keys.get(key).map(data::words).unwrap_or_default();
            let terms = words.into_iter().map(|word| (word.clone(), format!("/{language}{}", of(&word))));
            all.entry(language.clone()).or_default().extend(terms);
        }
        all
    }

    /// Adds a home page in each language, and notes the addresses of feeds that Zola makes without a text.
    fn make_homes(&mut self, blogs: &BTreeSet<String>) {
        let has_feeds = |map: &Map| ["generate_feeds", "generate_feed"].iter().any(|key| data::is_true(map, key));
        let is_at = |text: &Text, language: Option<&String>, address: &str| {
            text.language.as_ref() == language && text.address == address
        };
        let title = self.site.name.clone();
        if !self.site.texts.iter().any(|text| is_at(text, None, "/")) {
            let list = blogs.first().map(|section| self.blog_list(section, None, "/"));
            self.site.texts.push(Text { address: "/".into(), title: title.clone(), list, ..Text::default() });
        }
        let original = self.site.texts.iter().find(|text| is_at(text, None, "/")).map(|text| text.source.clone());
        let original = original.filter(|source| !source.is_empty());
        let mut homes = Vec::new();
        for language in &self.site.languages {
            let address = format!("/{}/", language.tag);
            if !self.site.texts.iter().any(|text| is_at(text, Some(&language.tag), &address)) {
                let title = language.title.clone().or_else(|| title.clone());
                let (original, language) = (original.clone(), Some(language.tag.clone()));
                homes.push(Text { address, title, original, language, ..Text::default() });
            }
        }
        self.site.texts.extend(homes);
        let said = |tag: &str| data::map(&self.config, "languages").and_then(|all| data::map(all, tag));
        let of_languages = self.site.languages.iter().map(|own| (format!("/{}/", own.tag), said(&own.tag)));
        let feeds = std::iter::once(("/".to_owned(), Some(&self.config))).chain(of_languages);
        let feeds = feeds.filter(|(_, said)| said.is_some_and(has_feeds));
        let made = feeds.flat_map(|(address, _)| self.feeds_at(&address)).map(|(feed, _)| feed);
        let made = made.collect::<Vec<_>>();
        self.site.made.extend(made);
    }

    /// Adds the texts in other languages, each beside that with the same path.
    fn add_translations(
        &mut self,
        found: &[Found],
        blogs: &BTreeSet<String>,
        taxonomies: &[String],
        addresses: &BTreeMap<String, String>,
    ) {
        for (language, each) in std::mem::take(&mut self.translations) {
            let mut text = self.text(&each, taxonomies, addresses);
            let original = found.iter().find(|own| own.path == each.path && own.is_section == each.is_section);
            text.original = original.map(|own| own.source.to_owned());
            let original =
                text.original.as_ref().and_then(|source| self.site.texts.iter().find(|own| own.source == *source));
            text.collection = match original {
                Some(original) => original.collection.clone(),
                None => {
                    let folder = old::folder(&each.path);
                    let is_entry = !each.is_section && blogs.contains(folder) && text.keys.contains_key("date");
                    is_entry.then(|| collection_name(folder))
                }
            };
            if !self.site.languages.iter().any(|known| known.tag == language) {
                let said = data::map(&self.config, "languages").and_then(|all| data::map(all, &language));
                let title = said.and_then(|said| data::word(said, "title"));
                self.site.languages.push(Language {
                    tag: language.clone(),
                    name: language.clone(),
                    title,
                    ..Language::default()
                });
            }
            text.language = Some(language);
            self.site.texts.push(text);
        }
    }

    /// Sections whose pages all have dates.
    fn blogs(&self, found: &[Found]) -> BTreeSet<String> {
        let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let is_named = |name: &str| {
            let own = found.iter().find(|each| each.is_section && each.path == name);
            let is_by_date = own.is_some_and(|own| data::text(&own.keys, "sort_by") == Some("date"));
            is_by_date || ["post", "posts", "blog", "news", "articles"].contains(&name)
        };
        // A draft that has no date yet makes no difference.
        for each in found.iter().filter(|each| !each.is_section && !data::is_true(&each.keys, "draft")) {
            let is_dated = each.keys.contains_key("date") || undated(old::name(&each.path)).0.is_some();
            let counts = sections.entry(old::folder(&each.path)).or_default();
            counts.0 += 1;
            counts.1 += usize::from(is_dated);
        }
        sections
            .into_iter()
            .filter(|(name, (all, dated))| *dated > 0 && (dated * 5 >= all * 4 || is_named(name) && dated * 2 >= *all))
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    fn list(&self, section: &Found, blogs: &BTreeSet<String>) -> Option<List> {
        let per_page = section.keys.get("paginate_by").and_then(Value::as_u64).filter(|number| *number > 0);
        if blogs.contains(&section.path) {
            let mut list = self.blog_list(&section.path, per_page, &section.address);
            if ["generate_feeds", "generate_feed"].iter().any(|key| data::is_true(&section.keys, key)) {
                list.feeds = self.feeds_at(&section.address);
            }
            return Some(list);
        }
        // A home page shows the blog, if there is one.
        if section.path.is_empty() && !blogs.is_empty() {
            return blogs.first().map(|blog| self.blog_list(blog, per_page, "/"));
        }
        Some(List { collection: None, section: None, per_page, feeds: Vec::new(), ..List::default() })
    }

    /// The names of the files of feeds.
    fn feed_names(&self) -> Vec<String> {
        let names = ["feed_filenames", "feed_filename"].iter().find_map(|key| self.config.get(*key)).map(data::words);
        names.unwrap_or_else(|| vec!["atom.xml".to_owned()])
    }

    /// The feeds of a list.
    fn feeds_at(&self, address: &str) -> Vec<(String, &'static str)> {
        let base = address::route(address);
        let feed = |name: String| (format!("{}/{name}", base.trim_end_matches('/')), format_of(&name));
        self.feed_names().into_iter().map(feed).collect()
    }

    /// Lists the settings of the old site that are not in the new one.
    fn note_settings(&mut self) {
        const READ: [&str; 17] = [
            "ignored_content",
            "base_url",
            "title",
            "description",
            "default_language",
            "languages",
            "taxonomies",
            "generate_feeds",
            "generate_feed",
            "feed_filenames",
            "feed_filename",
            "theme",
            "slugify",
            "markdown",
            "extra",
            "translations",
            "search",
        ];
        let part = |name: &str| data::map(&self.config, name).cloned().unwrap_or_default();
        let anchors = data::text(&part("slugify"), "anchors").filter(|anchors| *anchors != "on").map(str::to_owned);
        let has_words = self.config.contains_key("translations");
        for (map, what, read) in [
            (&self.config, "settings", READ.as_slice()),
            (&part("markdown"), "settings of `[markdown]`", &["render_emoji", "highlight_code"]),
            (&part("extra"), "*keys of `[extra]`", &[]),
        ] {
            self.site.left_keys("config.toml", what, map, read);
        }
        if let Some(anchors) = anchors {
            let message = format!("`slugify.anchors` is `{anchors}`: ids of headings are those of `on`, in ASCII, now");
            self.site.left("config.toml", message);
        }
        if has_words {
            self.site.left("config.toml", "`[translations]` were left out: write them into `labels` of site.yaml");
        }
    }

    fn blog_list(&self, section: &str, per_page: Option<u64>, address: &str) -> List {
        let is_on = ["generate_feeds", "generate_feed"].iter().any(|key| data::is_true(&self.config, key));
        let is_home = address::route(address) == "/";
        let feeds = if is_on && is_home { self.feeds_at(address) } else { Vec::new() };
        List { collection: Some(collection_name(section)), section: None, per_page, feeds, ..List::default() }
    }

    fn text(&mut self, found: &Found, taxonomies: &[String], addresses: &BTreeMap<String, String>) -> Text {
        let mut front = found.keys.clone();
        let of_taxonomies =
            front.shift_remove("taxonomies").and_then(|value| value.as_object().cloned()).unwrap_or_default();
        for (key, value) in of_taxonomies {
            front.insert(key, value);
        }
        let mut keys = Keys::new(front);
        let title = keys.take_word(&["title"]);
        keys.set_word(&["description"], "description");
        if keys.set_date(&["date"], "date", false).is_none()
            && let (Some(day), _) = undated(old::name(&found.path))
            && let Some(day) = super::keys::date(day)
        {
            keys.set("date", day);
        }
        keys.set_date(&["updated"], "updated", true);
        if keys.take_bool(&["draft"]) == Some(true) {
            keys.set("draft", true);
        }
        for key in taxonomies {
            keys.set_words(&[key], key);
        }
        let order = keys.take(&["weight"]).and_then(|order| order.as_i64());
        let aliases = keys
            .take_words(&["aliases"])
            .into_iter()
            .map(|alias| format!("/{}", alias.trim_start_matches('/')))
            .collect();
        if let Some(to) = keys.take_word(&["redirect_to"]) {
            let is_inside = !to.contains("://") && !to.starts_with('/');
            let to = if is_inside { format!("/{to}") } else { to };
            self.site.redirects.push((found.address.clone(), to));
        }
        for dropped in [
            "slug",
            "path",
            "template",
            "sort_by",
            "paginate_by",
            "paginate_path",
            "page_template",
            "insert_anchor_links",
            "render",
            "generate_feeds",
            "generate_feed",
            "paginate_reversed",
            "authors_list",
        ] {
            let _ = keys.take(&[dropped]);
        }
        if keys.take_bool(&["in_search_index"]) == Some(false) {
            self.site.left(found.source, "`in_search_index` was left out: the search finds the page");
        }
        if keys.take_bool(&["transparent"]) == Some(true) {
            self.site.left(found.source, "`transparent` was left out: the section above does not list these pages");
        }
        self.site.left_mark(found.source, found.body, &["<!--more-->", "<!-- more -->"]);
        let folder = old::folder(found.source);
        let is_bundle = matches!(old::name(found.source), "index.md" | "_index.md");
        let is_page = !found.is_section;
        let files = self
            .old
            .below(folder)
            .filter(|(source, rest)| is_bundle && !old::is_markdown(source) && (is_page || !rest.contains('/')));
        let files = files.map(|(source, rest)| (rest.to_owned(), source.to_owned())).collect();
        Text {
            source: found.source.to_owned(),
            address: found.address.clone(),
            title,
            keys: keys.finish(),
            aliases,
            body: body(found.body, addresses),
            files,
            order,
            ..Text::default()
        }
    }
}

fn format_of(name: &str) -> &'static str {
    if name.contains("rss") { "rss" } else { "atom" }
}

fn section_address(config: &Map, path: &str) -> Result<String, String> {
    let parts: Vec<String> =
        path.split('/').filter(|part| !part.is_empty()).map(|part| slugged(config, part)).collect();
    address::cleaned(&if parts.is_empty() { "/".to_owned() } else { format!("/{}/", parts.join("/")) })
}

fn collection_name(section: &str) -> String {
    if section.is_empty() { "posts".to_owned() } else { address::file_name(&section.replace('/', "-")) }
}

/// The order of a documentation: all pages by their addresses.
fn sidebar(texts: &[Text], is_documentation: bool) -> Vec<Item> {
    if !is_documentation {
        return Vec::new();
    }
    let mut pages: Vec<(&Text, String)> = texts
        .iter()
        .filter(|text| text.address != "/" && text.language.is_none())
        .map(|text| (text, address::route(&text.address)))
        .collect();
    pages.sort_by_key(|(text, route)| (old::folder(route).to_owned(), text.order.is_none(), text.order, route.clone()));
    let mut items = Vec::new();
    push_below("", &pages, 0, &mut items);
    items
}

fn push_below(above: &str, pages: &[(&Text, String)], level: usize, items: &mut Vec<Item>) {
    for (text, route) in pages.iter().filter(|(_, route)| old::folder(route) == above) {
        let title = text.title.clone().unwrap_or_else(|| old::name(route).to_owned());
        items.push(Item { title, address: Some(text.address.clone()), level });
        if level < 12 {
            push_below(route, pages, level + 1, items);
        }
    }
}

/// Translates shortcodes: `{{ name(a="b") }}`, and `{% name(a="b") %}` … `{% end %}`. Links to `@/file.md` become addresses.
fn body(text: &str, addresses: &BTreeMap<String, String>) -> Body {
    let text = linked(&cleaned(text).replace("<!-- more -->", "").replace("<!--more-->", ""), addresses);
    let mut body = Body::default();
    let mut out = String::new();
    let mut open: Vec<String> = Vec::new();
    let (mut at, mut has_ends) = (0, [true, true]);
    while let Some(found) = text[at..].find('{').map(|found| at + found) {
        out.push_str(&text[at..found]);
        let rest = &text[found..];
        let kind = usize::from(rest.starts_with("{%"));
        let closing = if kind == 1 { "%}" } else { "}}" };
        at = found + 1;
        if !rest.starts_with("{{") && kind == 0 {
            out.push('{');
            continue;
        }
        // The `%` of `{%}` is one sign.
        let end = Some(()).filter(|()| has_ends[kind]).and_then(|()| Some(2 + rest[2..].find(closing)?));
        has_ends[kind] = end.is_some();
        let Some(end) = end else {
            out.push('{');
            continue;
        };
        let original = &rest[..end + 2];
        let inside = rest[2..end].trim();
        if let Some(literal) = inside.strip_prefix("/*").and_then(|inside| inside.strip_suffix("*/")) {
            let literal = format!("{{{}{}{}", if kind == 1 { '%' } else { '{' }, literal, closing);
            out.push_str(&body.mark(
                Slot::Text(literal.replace("{{", "\\{\\{").replace("}}", "\\}\\}")),
                &literal,
                None,
            ));
            at = found + original.len();
            continue;
        }
        let mut call = |name: &str, args, tag, origin: String| {
            body.mark(Slot::Call(Call { name: identifier(name), args, tag, origin }), original, None)
        };
        if kind == 1 && inside == "end" {
            if let Some(name) = open.pop() {
                let mark = call(&name, Vec::new(), Tag::Close, format!("the shortcode `{name}`"));
                out.push_str(&format!("\n\n{mark}\n\n"));
                at = found + original.len();
                continue;
            }
        } else if let Some((name, args)) = shortcode(inside) {
            let tag = if kind == 1 { Tag::Open } else { Tag::Alone };
            let mark = call(&name, args, tag, format!("the shortcode `{name}`"));
            out.push_str(&if kind == 1 { format!("\n\n{mark}\n\n") } else { mark });
            if kind == 1 {
                open.push(name);
            }
            at = found + original.len();
            continue;
        }
        out.push('{');
    }
    out.push_str(&text[at..]);
    body.text = out;
    body
}

/// Reads `name(a="b", c=1, d=[1, 2])`.
fn shortcode(inside: &str) -> Option<(String, Vec<(String, Arg)>)> {
    let (name, rest) = inside.split_once('(')?;
    let name = name.trim();
    let is_name = |letter: char| letter.is_alphanumeric() || "-_/:.".contains(letter);
    let arguments = rest.trim_end().strip_suffix(')')?;
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let mut args: Vec<(String, Arg)> = Vec::new();
    let mut rest = arguments.trim();
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| "\"'`".contains(*quote));
        let (word, after) = match quote {
            Some(quote) => after[1..].split_once(quote)?,
            None if after.starts_with('[') => after.split_at(after.find(']').map_or(after.len(), |end| end + 1)),
            None => after.split_at(after.find(',').unwrap_or(after.len())),
        };
        let word = word.trim();
        let arg = match word {
            word if quote.is_some() => Arg::Text(word.to_owned()),
            "true" | "false" => Arg::Bool(word == "true"),
            word if word.parse::<f64>().is_ok() => Arg::Number(word.to_owned()),
            word if word.starts_with('[') => {
                let items = word.trim_matches(['[', ']']).split(',').map(str::trim).filter(|item| !item.is_empty());
                let items: Vec<&str> = items.collect();
                let texts = || items.iter().map(|item| item.trim_matches(['"', '\'']).to_owned()).collect();
                match items.iter().all(|item| item.parse::<f64>().is_ok()) && !items.is_empty() {
                    true => Arg::Numbers(items.iter().map(|item| (*item).to_owned()).collect()),
                    false => Arg::List(texts()),
                }
            }
            word => Arg::Text(word.to_owned()),
        };
        args.push((identifier(key.trim()), arg));
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
    Some((name.to_owned(), args))
}

fn linked(text: &str, addresses: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("(@/") {
        out.push_str(&rest[..=at]);
        rest = &rest[at + 3..];
        let end = rest.find([')', '#', ' ']).unwrap_or(rest.len());
        out.push_str(
            &addresses
                .get(&rest[..end])
                .map_or_else(|| format!("/{}", &rest[..end]), |address| address.replace(' ', "%20")),
        );
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// From <https://www.getzola.org/documentation/content/page/> and `…/content/section/`.
    #[test]
    fn addresses_are_those_of_zola() {
        let config = Map::new();
        for (path, keys, expected) in [
            ("about", json!({}), "/about/"),
            ("blog/2024-03-09-Why Salt", json!({}), "/blog/why-salt/"),
            ("blog/2024-03-09_salt", json!({}), "/blog/salt/"),
            ("blog/Über", json!({}), "/blog/uber/"),
            ("blog/a", json!({ "slug": "My Slug" }), "/blog/my-slug/"),
            ("blog/a", json!({ "path": "x/y" }), "/x/y/"),
        ] {
            assert_eq!(page_address(&config, path, keys.as_object().unwrap()).unwrap(), expected);
        }
        assert_eq!(section_address(&config, "a/B c").unwrap(), "/a/b-c/");
        assert!(page_address(&config, "a", json!({ "path": "../x" }).as_object().unwrap()).is_err());
    }

    #[test]
    fn shortcodes_are_read_with_their_arguments() {
        let (name, args) = shortcode("youtube(id=\"a,b\", autoplay=true, w=3, l=[\"x\", \"y\"], n=[1, 2])").unwrap();
        let expected = [
            ("id", Arg::Text("a,b".into())),
            ("autoplay", Arg::Bool(true)),
            ("w", Arg::Number("3".into())),
            ("l", Arg::List(vec!["x".into(), "y".into()])),
            ("n", Arg::Numbers(vec!["1".into(), "2".into()])),
        ];
        assert_eq!((name.as_str(), args), ("youtube", expected.map(|(name, arg)| (name.to_owned(), arg)).to_vec()));
        assert_eq!(shortcode("site.title"), None);
        for piece in ["{{ a(", "{% a() %}", "{% end %}", "{{/*", "(@/"] {
            body(&piece.repeat(1_000), &BTreeMap::new());
        }
    }
}
