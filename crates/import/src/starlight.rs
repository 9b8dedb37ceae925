//! Sites of Starlight: <https://starlight.astro.build/guides/pages/>. Nothing of the site is run: of its configuration only texts
//! are read.

use super::address;
use super::data::{self, Value};
use super::docusaurus::setting;
use super::keys::Keys;
use super::mdx;
use super::old::{self, Old};
use super::site::{Body, Dialect, Finding, Item, Language, Site, Text};
use std::collections::BTreeMap;

const DOCS: &str = "src/content/docs";

/// Reads a site.
pub fn read(old: &Old) -> Result<Site, String> {
    let names = ["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts"];
    let config = old.first(&names).map_or("", |(_, text)| text);
    if old.below(DOCS).next().is_none() {
        return Err(format!("there is no folder {DOCS}"));
    }
    let mut site = Site { generator: "Starlight", ..Site::default() };
    let base = setting(config, "base").unwrap_or_default();
    super::set_url(
        &mut site,
        &format!("{}/{}", setting(config, "site").unwrap_or_default().trim_end_matches('/'), base.trim_matches('/')),
    );
    let own = config.find("starlight(").map_or(config, |at| &config[at..]);
    site.name = setting(own, "title");
    site.description = setting(own, "description");
    site.dialect = Dialect { has_heading_attributes: false, ..Dialect::default() };
    site.markdown.insert("containers".into(), true.into());
    let locales = locales(own);
    site.language = locales
        .iter()
        .find(|(folder, _)| folder == "root")
        .map(|(_, tag)| tag.clone())
        .or_else(|| setting(own, "defaultLocale"));
    site.language = site.language.filter(|language| language != "root");
    let (default, labels) = (setting(own, "defaultLocale").filter(|own| own != "root"), labels(own));
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
        let address = page_address(rest, data::text(&document.keys, "slug")).unwrap_or_else(|reason| {
            site.findings.push((source.to_owned(), 0, Finding::left(format!("its address cannot be kept: {reason}"))));
            format!("/{}/", slug::slugify(rest))
        });
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
                site.languages.push(Language { tag: tag.clone(), name, ..Language::default() });
            }
            text.language = Some(tag.clone());
        } else if text.order != Some(i64::MIN) && text.address != "/404.html" {
            let title = text.title.clone().unwrap_or_else(|| old::stem(rest).to_owned());
            order.insert(address::route(&text.address), (text.order, title, text.address.clone()));
        }
        text.order = text.order.filter(|order| *order != i64::MIN);
        site.texts.push(text);
    }
    let mut items = Vec::new();
    push_items("", &order, 0, &mut items);
    site.sidebar = items;
    for (path, rest) in old.below("public") {
        site.public.insert(rest.to_owned(), path.to_owned());
    }
    for (path, _) in old.below("src/pages") {
        site.findings.push((path.to_owned(), 0, Finding::left("a page in Astro: write it as a page with a template")));
    }
    Ok(site)
}

/// The languages of the configuration: their folders and tags. `locales: { fr: { label: "…", lang: "fr" } }`.
fn locales(config: &str) -> Vec<(String, String)> {
    let Some(at) = config.find("locales:") else { return Vec::new() };
    let rest = &config[at + 8..];
    let mut found = Vec::new();
    let mut depth = 0;
    let mut word = String::new();
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => {
                if depth == 1 {
                    let inside = rest[at..].split('}').next().unwrap_or_default();
                    let name = word.trim().trim_end_matches(':').trim().trim_matches(['"', '\'']).to_owned();
                    found.push((name.clone(), setting(inside, "lang").unwrap_or(name)));
                }
                depth += 1;
                word.clear();
            }
            '}' => {
                depth -= 1;
                word.clear();
                if depth == 0 {
                    break;
                }
            }
            ',' => word.clear(),
            letter => word.push(letter),
        }
    }
    found
}

/// What the languages of the configuration are called, by their folders.
fn labels(config: &str) -> BTreeMap<String, String> {
    let names = locales(config).into_iter().filter_map(|(folder, _)| {
        let at = config.find("locales:")?;
        let quoted = [format!("{folder}:"), format!("'{folder}':"), format!("\"{folder}\":")];
        let at = quoted.iter().find_map(|key| Some(at + config[at..].find(key.as_str())?))?;
        let inside = config[at..].split('}').next().unwrap_or_default();
        Some((folder, setting(inside, "label")?))
    });
    names.collect()
}

/// The address of a text: each part in lower case, with hyphens for spaces, as `github-slugger` writes it.
fn page_address(path: &str, slug: Option<&str>) -> Result<String, String> {
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
    Ok(if cleaned == "/" { cleaned } else { format!("{}/", cleaned.trim_end_matches('/')) })
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
            assert_eq!(page_address(path, slug).unwrap(), expected, "{path}");
        }
        let config = "starlight({ title: 'A', locales: { root: { label: 'English', lang: 'en' }, 'pt-br': { label: 'P', lang: 'pt-BR' } } })";
        assert_eq!(locales(config), [("root".into(), "en".into()), ("pt-br".into(), "pt-BR".into())]);
    }
}
