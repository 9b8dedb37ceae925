//! Sites of Starlight: <https://starlight.astro.build/guides/pages/>. Nothing of the site is run: of its configuration only texts
//! are read.

use super::address;
use super::data::{self, Map, Value};
use super::js;
use super::keys::Keys;
use super::mdx;
use super::old::{self, Old};
use super::site::{Body, Dialect, Finding, Item, Language, Site, Text};
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
    let locales = locales(&own);
    let default = data::text(&own, "defaultLocale").map(str::to_owned);
    site.language =
        locales.iter().find(|(folder, _)| folder == "root").map(|(_, tag)| tag.clone()).or_else(|| default.clone());
    site.language = site.language.filter(|language| language != "root");
    let title_in = |language: &str| match own.get("title") {
        Some(Value::Object(titles)) => data::word(titles, language),
        _ => None,
    };
    site.name = data::word(&own, "title").or_else(|| title_in(site.language.as_deref().unwrap_or("en")));
    let (default, labels) = (default.filter(|own| own != "root"), labels(&own));
    let mut order: BTreeMap<String, (Option<i64>, String, String)> = BTreeMap::new();
    for (source, rest) in old
        .below(DOCS)
        .filter(|(source, rest)| old::is_markdown(source) && !rest.split('/').any(|part| part.starts_with('_')))
    {
        let Some(text) = old.text(source) else {
            site.findings.push((source.to_owned(), 0, Finding::left("this text is not UTF-8, or too large")));
            continue;
        };
        let document = site.document(source, text);
        let address = page_address(rest, data::text(&document.keys, "slug"), suffix).unwrap_or_else(|reason| {
            site.findings.push((source.to_owned(), 0, Finding::left(format!("its address cannot be kept: {reason}"))));
            format!("/{}{suffix}", slug::slugify(rest))
        });
        for (key, message) in LEFT_KEYS {
            if document.keys.contains_key(key) {
                site.left(source, message);
            }
        }
        let mut text = text_of(source, document, address, old);
        let folder = rest.split('/').next().unwrap_or_default();
        let of_folder = locales.iter().find(|(own, _)| own == folder && rest.contains('/'));
        let main = locales.iter().find(|(folder, _)| folder == "root").map_or_else(|| default.clone(), |_| None);
        if let Some((folder, tag)) = of_folder.filter(|(folder, _)| main.as_ref() != Some(folder)) {
            // The folder is a part of the addresses.
            let tag = if tag.eq_ignore_ascii_case(folder) { tag } else { folder };
            let above = main.as_ref().map_or(String::new(), |main| format!("{main}/"));
            let path = format!("{DOCS}/{above}{}", &rest[folder.len() + 1..]);
            let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
            let original = ["md", "mdx", "markdown"].map(|end| format!("{stem}.{end}")).into_iter();
            text.original = original.into_iter().find(|path| old.text(path).is_some());
            if !site.languages.iter().any(|known| known.tag == *tag) {
                let name = labels.get(folder).cloned().unwrap_or_else(|| tag.clone());
                site.languages.push(Language { tag: tag.clone(), name, title: title_in(tag), ..Language::default() });
            }
            text.language = Some(tag.clone());
        } else if text.order != Some(i64::MIN) && text.address != "/404.html" {
            let title = text.keys.shift_remove(SIDEBAR_LABEL).and_then(|label| data::word_of(&label));
            let title = title.or(text.title.clone()).unwrap_or_else(|| old::stem(rest).to_owned());
            order.insert(address::route(&text.address), (text.order, title, text.address.clone()));
        }
        text.keys.shift_remove(SIDEBAR_LABEL);
        text.order = text.order.filter(|order| *order != i64::MIN);
        site.texts.push(text);
    }
    let mut items = Vec::new();
    match own.get("sidebar").and_then(Value::as_array) {
        Some(sidebar) => {
            let above = default.map_or(String::new(), |main| format!("/{main}"));
            Sidebar { order: &order, above, site: &mut site, items: &mut items }.push(sidebar, 0);
        }
        None => push_items("", &order, 0, &mut items),
    }
    site.sidebar = items;
    for (source, _) in old.below(DOCS).filter(|(source, _)| old::extension(source) == "mdoc") {
        site.left(source, "a text of Markdoc was left out: convert it to Markdown");
    }
    for (source, _) in old.below("src/content/i18n") {
        site.left(source, "words of the theme were left out: write them into `labels` of site.yaml");
    }
    for (from, to) in data::map(&config, "redirects").into_iter().flatten() {
        let to = data::word_of(to).or_else(|| data::text(to.as_object()?, "destination").map(str::to_owned));
        match to.filter(|_| !from.contains('[')) {
            Some(to) => site.redirects.push((from.clone(), to)),
            None => site.left("astro.config", format!("the redirect from `{from}` was left out")),
        }
    }
    note_settings(&mut site, &config, &own);
    for (path, rest) in old.below("public") {
        site.public.insert(rest.to_owned(), path.to_owned());
    }
    for (path, _) in old.below("src/pages") {
        site.findings.push((path.to_owned(), 0, Finding::left("a page in Astro: write it as a page with a template")));
    }
    Ok(site)
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
    let names = |map: &Map, read: &[&str]| {
        let left = map.keys().filter(|key| !read.contains(&key.as_str())).map(|key| format!("`{key}`"));
        left.collect::<Vec<_>>().join(", ")
    };
    for (names, what) in [
        (names(config, &["site", "base", "trailingSlash", "integrations", "redirects"]), "settings that were left out"),
        (
            names(own, &["title", "description", "defaultLocale", "locales", "sidebar"]),
            "settings of `starlight` that were left out",
        ),
    ] {
        if !names.is_empty() {
            site.left("astro.config", format!("{what}: {names}"));
        }
    }
    let integrations = config.get("integrations").and_then(Value::as_array).into_iter().flatten();
    for name in integrations.filter_map(|call| call.get(js::CALLED)?.as_str()).filter(|name| *name != "starlight") {
        site.left("astro.config", format!("the integration `{name}` was left out"));
    }
}

/// The languages of the configuration: their folders and tags. `locales: { fr: { label: "…", lang: "fr" } }`.
fn locales(own: &Map) -> Vec<(String, String)> {
    let locales = data::map(own, "locales").into_iter().flatten();
    let tag = |(folder, of): (&String, &Value)| {
        let tag = of.as_object().and_then(|of| data::word(of, "lang")).unwrap_or_else(|| folder.clone());
        (folder.clone(), tag)
    };
    locales.map(tag).collect()
}

/// What the languages of the configuration are called, by their folders.
fn labels(own: &Map) -> BTreeMap<String, String> {
    let locales = data::map(own, "locales").into_iter().flatten();
    locales.filter_map(|(folder, of)| Some((folder.clone(), data::word(of.as_object()?, "label")?))).collect()
}

/// The sidebar of the configuration, while it is read.
struct Sidebar<'s> {
    order: &'s BTreeMap<String, (Option<i64>, String, String)>,
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

fn push_items(
    above: &str,
    order: &BTreeMap<String, (Option<i64>, String, String)>,
    level: usize,
    items: &mut Vec<Item>,
) {
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
        assert_eq!(
            locales(&js::object(config, &["locales"])),
            [("root".into(), "en".into()), ("pt-br".into(), "pt-BR".into())]
        );
    }
}
