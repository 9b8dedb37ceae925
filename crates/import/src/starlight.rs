//! Sites of Starlight: <https://starlight.astro.build/guides/pages/>. Nothing of the site is run: of its configuration only texts
//! are read.

use super::address;
use super::data::{self, Map, Value};
use super::js;
use super::keys::Keys;
use super::mdx;
use super::old::{self, Old};
use super::site::{Body, Dialect, Item, Language, Site, Text};
use std::collections::BTreeMap;

const DOCS: &str = "src/content/docs";

/// Reads a site.
pub fn read(old: &Old) -> Result<Site, String> {
    let names = ["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts"];
    let program = old.first(&names).map_or("", |(_, text)| text);
    if old.below(DOCS).next().is_none() {
        return Err(format!("there is no folder {DOCS}"));
    }
    let config = js::object(program, &["site", "base", "integrations", "redirects", "trailingSlash"]);
    let text = |key: &str| data::text(&config, key).unwrap_or_default();
    let mut site = Site { generator: "Starlight", ..Site::default() };
    super::set_url(&mut site, &format!("{}/{}", text("site").trim_end_matches('/'), text("base").trim_matches('/')));
    let integrations = config.get("integrations").cloned().unwrap_or_default();
    let own = js::calls(&integrations, "starlight");
    let own = own.first().and_then(|arguments| arguments.first()?.as_object()).cloned().unwrap_or_default();
    site.description = data::word(&own, "description");
    let has_math = js::uncommented(program).contains("remark-math");
    site.dialect = Dialect { has_heading_attributes: false, has_math, ..Dialect::default() };
    site.markdown.insert("containers".into(), true.into());
    let suffix = if text("trailingSlash") == "never" { "" } else { "/" };
    let locales = Locales::of(&own);
    site.language = locales.language();
    site.name = data::word(&own, "title").or_else(|| title_in(&own, site.language.as_deref().unwrap_or("en")));
    // Each language has all pages, also one without any text of its own.
    let others = locales.all.iter().filter(|(folder, _)| *folder != "root" && locales.main() != Some(folder));
    site.languages.extend(others.map(|(folder, locale)| {
        let (tag, name) = (locale.tag_of(folder), locale.label.clone().unwrap_or_else(|| locale.tag.clone()));
        Language { title: title_in(&own, &tag), tag, name, ..Language::default() }
    }));
    let above = locales.main().map_or(String::new(), |main| format!("/{main}"));
    let mut reader = Reader { old, site, locales, suffix, order: Order::new() };
    reader.read_texts();
    reader.add_fallbacks();
    let Reader { mut site, order, .. } = reader;
    let mut items = Vec::new();
    match own.get("sidebar").and_then(Value::as_array) {
        Some(sidebar) => Sidebar { order: &order, above, site: &mut site, items: &mut items }.push(sidebar, 0),
        None => push_items("", &order, 0, &mut items),
    }
    site.sidebar = items;
    read_files(old, &config, &mut site);
    note_settings(&mut site, &config, &own);
    Ok(site)
}

/// Reads what is no text: redirects and files, and lists what is left out.
fn read_files(old: &Old, config: &Map, site: &mut Site) {
    for (source, _) in old.below(DOCS).filter(|(source, _)| old::extension(source) == "mdoc") {
        site.left(source, "a text of Markdoc was left out: convert it to Markdown");
    }
    for (source, _) in old.below("src/content/i18n") {
        site.left(source, "words of the theme were left out: write them into `labels` of site.yaml");
    }
    for (from, to) in data::map(config, "redirects").into_iter().flatten() {
        let to = data::word_of(to).or_else(|| data::text(to.as_object()?, "destination").map(str::to_owned));
        match to.filter(|_| !from.contains('[')) {
            Some(to) => site.redirects.push((from.clone(), to)),
            None => site.left("astro.config", format!("the redirect from `{from}` was left out")),
        }
    }
    for (path, rest) in old.below("public") {
        site.public.insert(rest.to_owned(), path.to_owned());
    }
    for (path, _) in old.below("src/pages") {
        site.left(path, "a page in Astro: write it as a page with a template");
    }
}

/// Texts by their routes: the place among their neighbours, the words of the link and the address.
type Order = BTreeMap<String, (Option<i64>, String, String)>;

/// The title of the site in a language.
fn title_in(own: &Map, language: &str) -> Option<String> {
    data::word(own.get("title")?.as_object()?, language)
}

struct Reader<'o> {
    old: &'o Old,
    site: Site,
    locales: Locales,
    /// The end of addresses.
    suffix: &'static str,
    order: Order,
}

impl Reader<'_> {
    fn read_texts(&mut self) {
        let old = self.old;
        let is_shown = |rest: &str| old::is_markdown(rest) && !rest.split('/').any(|part| part.starts_with('_'));
        for (source, rest) in old.below(DOCS).filter(|(_, rest)| is_shown(rest)) {
            let Some(document) = self.site.read(old, source) else { continue };
            let address = page_address(rest, data::text(&document.keys, "slug"), self.suffix);
            let other = || format!("/{}{}", slug::slugify(rest), self.suffix);
            let address = self.site.kept(source, address, other);
            for (key, message) in LEFT_KEYS {
                if document.keys.contains_key(key) {
                    self.site.left(source, message);
                }
            }
            let mut text = text_of(source, document, address, old);
            let label = text.keys.shift_remove(SIDEBAR_LABEL).and_then(|label| data::word_of(&label));
            if !self.is_translation(rest, &mut text) && text.order != Some(i64::MIN) && text.address != "/404.html" {
                let title = label.or(text.title.clone()).unwrap_or_else(|| old::stem(rest).to_owned());
                self.order.insert(address::route(&text.address), (text.order, title, text.address.clone()));
            }
            text.order = text.order.filter(|order| *order != i64::MIN);
            self.site.texts.push(text);
        }
    }

    /// Gives a text in the folder of another language that language and its original.
    fn is_translation(&self, rest: &str, text: &mut Text) -> bool {
        let main = self.locales.main();
        let Some((folder, below)) = rest.split_once('/') else { return false };
        let Some((folder, locale)) = self.locales.all.get_key_value(folder) else { return false };
        if main == Some(folder) {
            return false;
        }
        let above = main.map_or(String::new(), |main| format!("{main}/"));
        let path = format!("{DOCS}/{above}{below}");
        let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
        let originals = ["md", "mdx", "markdown"].map(|end| format!("{stem}.{end}"));
        text.original = originals.into_iter().find(|path| self.old.text(path).is_some());
        text.language = Some(locale.tag_of(folder));
        true
    }

    /// Shows pages without a translation in the original, unless that is below `/en/`: then their addresses would be `/de/en/`.
    fn add_fallbacks(&mut self) {
        let Some(main) = self.locales.main() else { return self.site.has_fallbacks = true };
        let others = self.locales.all.keys().filter(|folder| *folder != "root" && *folder != main);
        let own = self.site.texts.iter().filter(|text| text.language.is_none() && !self.site.is_hidden(text));
        let below: Vec<&str> = own.filter_map(|text| text.address.strip_prefix(&format!("/{main}/"))).collect();
        let made: Vec<String> =
            others.flat_map(|folder| below.iter().map(move |rest| format!("/{folder}/{rest}"))).collect();
        self.site.made.extend(made);
    }
}

/// The words of the link to a text in the sidebar, while they are on their way there.
const SIDEBAR_LABEL: &str = "sidebar label";

/// Keys of texts that are left out.
const LEFT_KEYS: [(&str, &str); 3] = [
    ("hero", "`hero` is a key that no template shows yet"),
    ("banner", "`banner` was left out: write it into the text, or into a template"),
    ("head", "`head` was left out: write it into a template"),
];

/// Lists the settings of the old site that are not in the new one.
fn note_settings(site: &mut Site, config: &Map, own: &Map) {
    let read = ["site", "base", "trailingSlash", "integrations", "redirects"];
    site.left_keys("astro.config", "settings", config, &read);
    let read = ["title", "description", "defaultLocale", "locales", "sidebar"];
    site.left_keys("astro.config", "settings of `starlight`", own, &read);
    let integrations = config.get("integrations").and_then(Value::as_array).into_iter().flatten();
    for name in integrations.filter_map(|call| call.get(js::CALLED)?.as_str()).filter(|name| *name != "starlight") {
        site.left("astro.config", format!("the integration `{name}` was left out"));
    }
}

/// A language of the configuration: `fr: { label: "…", lang: "fr" }`.
#[derive(Debug, PartialEq)]
struct Locale {
    tag: String,
    label: Option<String>,
}

impl Locale {
    /// Returns the tag of the language of a folder, which is a part of the addresses.
    fn tag_of(&self, folder: &str) -> String {
        if self.tag.eq_ignore_ascii_case(folder) { self.tag.clone() } else { folder.to_owned() }
    }
}

/// The languages of the configuration.
struct Locales {
    /// By their folders. That of the folder `root` has none.
    all: BTreeMap<String, Locale>,
    /// The folder of the language of the site.
    default: Option<String>,
}

impl Locales {
    fn of(own: &Map) -> Self {
        let locale = |(folder, of): (&String, &Value)| {
            let word = |key: &str| of.as_object().and_then(|of| data::word(of, key));
            (folder.clone(), Locale { tag: word("lang").unwrap_or_else(|| folder.clone()), label: word("label") })
        };
        let all = data::map(own, "locales").into_iter().flatten().map(locale).collect();
        Self { all, default: data::text(own, "defaultLocale").map(str::to_owned) }
    }

    /// Returns the language of the site.
    fn language(&self) -> Option<String> {
        let root = self.all.get("root").map(|locale| locale.tag.clone());
        root.or_else(|| self.default.clone()).filter(|language| language != "root")
    }

    /// Returns the folder of the language of the site, if its texts are not beside those of others.
    fn main(&self) -> Option<&String> {
        self.default.as_ref().filter(|default| *default != "root" && !self.all.contains_key("root"))
    }
}

/// The sidebar of the configuration, while it is read.
struct Sidebar<'s> {
    order: &'s Order,
    /// What is before the addresses in the language of the site: nothing, or `/en`.
    above: String,
    site: &'s mut Site,
    items: &'s mut Vec<Item>,
}

impl Sidebar<'_> {
    fn push(&mut self, items: &[Value], level: usize) {
        for item in items.iter().filter(|_| level < 12) {
            let (slug, map) = match item {
                Value::String(slug) => (Some(slug.as_str()), Map::new()),
                Value::Object(map) => (data::text(map, "slug"), map.clone()),
                _ => (None, Map::new()),
            };
            let label = data::word(&map, "label");
            let link = data::text(&map, "link").map(str::to_owned);
            let inside = map.get("items").and_then(Value::as_array);
            let generated = data::map(&map, "autogenerate").and_then(|of| data::text(of, "directory"));
            match (slug, link, inside, generated) {
                (Some(slug), ..) => {
                    let slug = slug.trim_matches('/');
                    let slug = slug.strip_suffix("/index").unwrap_or(if slug == "index" { "" } else { slug });
                    let route = address::route(&format!("{}/{slug}", self.above));
                    match self.order.get(&route) {
                        Some((_, title, address)) => {
                            let title = label.unwrap_or_else(|| title.clone());
                            self.items.push(Item { title, address: Some(address.clone()), level });
                        }
                        None => {
                            let message = format!("the sidebar names a text that is not published: `{slug}`");
                            self.site.fault("astro.config", message);
                        }
                    }
                }
                (None, Some(link), ..) => {
                    self.items.push(Item { title: label.unwrap_or_else(|| link.clone()), address: Some(link), level });
                }
                (None, None, Some(inside), _) => {
                    self.items.push(Item { title: label.unwrap_or_default(), address: None, level });
                    self.push(inside, level + 1);
                }
                (None, None, None, Some(folder)) => {
                    self.items.push(Item { title: label.unwrap_or_default(), address: None, level });
                    let folder = format!("{}/{}", self.above, folder.trim_matches('/'));
                    push_items(&folder, self.order, level + 1, self.items);
                }
                _ => self.site.left("astro.config", "an item of the sidebar was left out: only a program knows it"),
            }
        }
    }
}

/// The address of a text: each part in lower case, with hyphens for spaces, as `github-slugger` writes it.
fn page_address(path: &str, slug: Option<&str>, suffix: &str) -> Result<String, String> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let made: String = match slug {
        Some(slug) => slug.to_owned(),
        None => {
            let part = |part: &str| {
                let letters = part.to_lowercase();
                letters
                    .chars()
                    .filter(|letter| letter.is_alphanumeric() || "-_ ".contains(*letter))
                    .map(|letter| if letter == ' ' { '-' } else { letter })
                    .collect::<String>()
            };
            stem.split('/').map(part).collect::<Vec<_>>().join("/")
        }
    };
    let made = match made.as_str() {
        "index" => String::new(),
        "404" => return Ok("/404.html".to_owned()),
        other => other.strip_suffix("/index").unwrap_or(other).to_owned(),
    };
    let cleaned = address::cleaned(&made)?;
    Ok(if cleaned == "/" { cleaned } else { format!("{}{suffix}", cleaned.trim_end_matches('/')) })
}

fn text_of(source: &str, document: data::Document, address: String, old: &Old) -> Text {
    let mut keys = Keys::new(document.keys);
    let title = keys.take_word(&["title"]);
    keys.set_word(&["description"], "description");
    keys.set_date(&["lastUpdated"], "updated", true);
    if keys.take_bool(&["draft"]) == Some(true) {
        keys.set("draft", true);
    }
    let sidebar = keys.take(&["sidebar"]);
    let value = |key: &str| sidebar.as_ref().and_then(|sidebar| sidebar.get(key));
    let is_hidden = value("hidden") == Some(&Value::Bool(true));
    if let Some(label) = value("label").and_then(data::word_of) {
        keys.set(SIDEBAR_LABEL, label);
    }
    let order = if is_hidden {
        Some(i64::MIN)
    } else {
        value("order").and_then(Value::as_f64).map(|order| (order * 10.0) as i64)
    };
    for dropped in ["slug", "template", "tableOfContents", "editUrl", "pagefind", "prev", "next", "banner", "head"] {
        let _ = keys.take(&[dropped]);
    }
    let body = match old::extension(source).as_str() {
        "mdx" => mdx::body(document.body, source, old),
        _ => {
            let mut body = Body::plain(document.body);
            mdx::containers(&mut body);
            body
        }
    };
    Text { source: source.to_owned(), address, title, keys: keys.finish(), body, order, ..Text::default() }
}

fn push_items(above: &str, order: &Order, level: usize, items: &mut Vec<Item>) {
    // The names of what is directly below: pages, and folders without one.
    let start = format!("{above}/");
    let below = order.keys().filter_map(|route| route.strip_prefix(&start)).filter(|rest| !rest.is_empty());
    let mut names: Vec<&str> = below.map(|rest| rest.split('/').next().unwrap_or_default()).collect();
    names.dedup();
    let item = |name: &str| order.get(&format!("{start}{name}"));
    names.sort_by_key(|name| {
        let position = item(name).and_then(|(position, _, _)| *position);
        (position.is_none(), position, name.to_string())
    });
    names.dedup();
    for name in names {
        let route = format!("{start}{name}");
        let (title, address) = match item(name) {
            Some((_, title, address)) => (title.clone(), Some(address.clone())),
            None => (name.replace('-', " "), None),
        };
        items.push(Item { title, address, level });
        if level < 12 {
            push_items(&route, order, level + 1, items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From <https://starlight.astro.build/guides/pages/> and the content layer of Astro.
    #[test]
    fn addresses_are_those_of_starlight() {
        for (path, slug, expected) in [
            ("index.mdx", None, "/"),
            ("guides/Getting Started.md", None, "/guides/getting-started/"),
            ("guides/index.md", None, "/guides/"),
            ("a.b.md", None, "/ab/"),
            ("x.md", Some("other/place"), "/other/place/"),
            ("404.md", None, "/404.html"),
        ] {
            assert_eq!(page_address(path, slug, "/").unwrap(), expected, "{path}");
        }
        assert_eq!(page_address("guides/a.md", None, "").unwrap(), "/guides/a");
        let config = "export default starlight({ title: 'A', locales: { root: { label: 'English', lang: 'en' }, 'pt-br': { label: 'P', lang: 'pt-BR' } } })";
        let locales = Locales::of(&js::object(config, &["locales"]));
        let locale = |tag: &str, label: &str| Locale { tag: tag.to_owned(), label: Some(label.to_owned()) };
        let expected = [("root".to_owned(), locale("en", "English")), ("pt-br".to_owned(), locale("pt-BR", "P"))];
        assert_eq!(locales.all, expected.into());
        assert_eq!((locales.language().as_deref(), locales.main()), (Some("en"), None));
    }
}
