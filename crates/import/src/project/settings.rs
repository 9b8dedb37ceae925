//! Writes `site.yaml`, and the feeds of lists.

use super::super::NewFile;
use super::super::address;
use super::super::data::{self, Map, Value};
use super::super::site::{Finding, Item, Language, Site};
use super::Project;
use super::places::{Place, original};

/// Returns the key `feed` for feeds at their old addresses.
pub fn feed(feeds: &[(String, &'static str)]) -> Value {
    let formats: Vec<Value> = feeds.iter().map(|(_, format)| (*format).into()).collect();
    let paths: Map = feeds
        .iter()
        .filter(|(path, _)| [".xml", ".json", ".atom", ".rss"].iter().any(|end| path.ends_with(end)))
        .map(|(path, format)| ((*format).to_owned(), path.clone().into()))
        .collect();
    serde_json::json!({ "formats": formats, "path": paths })
}

/// Writes `content/site.yaml`, and `content/site.de.yaml` for each other language.
pub fn write(project: &mut Project, site: &Site, places: &[Place]) {
    let links = Links { site, places };
    let mut keys = names(project, site);
    keys.insert("settings".into(), Value::Object(settings(project, site)));
    let route = |address: &str| links.route(address);
    for (text, address) in &site.menu {
        if menu_item(text, address, &route).is_none() {
            let finding = Finding::left(format!("`{text}` of the menu was left out: there is no page at `{address}`"));
            project.report.findings.push(("content/site.yaml".into(), 0, finding));
        }
    }
    let menu: Vec<Value> = site.menu.iter().filter_map(|(text, address)| menu_item(text, address, &route)).collect();
    if !menu.is_empty() {
        keys.insert("menu".into(), Value::Array(menu));
    }
    if !site.labels.is_empty() {
        keys.insert("labels".into(), Value::Object(site.labels.clone()));
    }
    if !site.sidebar.is_empty() {
        keys.insert("sidebar".into(), Value::Array(sidebar(&site.sidebar, &route)));
    }
    if !project.redirects.is_empty() {
        let all = project.redirects.iter().map(|(from, to)| serde_json::json!({ "from": from, "to": to }));
        keys.insert("redirects".into(), all.collect());
    }
    project.files.insert("content/site.yaml".into(), NewFile::Text(data::yaml(&keys)));
    for language in &site.languages {
        let keys = keys_of_language(language, &links);
        if !keys.is_empty() {
            project.files.insert(format!("content/site.{}.yaml", language.tag), NewFile::Text(data::yaml(&keys)));
        }
    }
}

/// Returns the keys that say what the site is, and in which languages.
fn names(project: &mut Project, site: &Site) -> Map {
    let mut keys = Map::new();
    let origin = site.origin.clone().unwrap_or_else(|| "https://www.example.com".to_owned());
    if site.origin.is_none() {
        let why = match site.is_example {
            true => "the old site has an address of an example",
            false => "the old site does not say where it is published",
        };
        project.report.steps.push(format!("Set `url` in content/site.yaml: {why}."));
    }
    keys.insert("url".into(), format!("{origin}{}", site.base_path.trim_end_matches('/')).into());
    keys.insert("language".into(), site.language.clone().unwrap_or_else(|| "en".to_owned()).into());
    if !site.languages.is_empty() {
        let languages =
            site.languages.iter().map(|language| (language.tag.clone(), serde_json::json!({ "name": language.name })));
        keys.insert("languages".into(), Value::Object(languages.collect()));
    }
    if site.languages.iter().any(|language| language.name == language.tag) {
        let step = "Write the names of the languages into content/site.yaml: the old site does not say all of them.";
        project.report.steps.push(step.into());
    }
    keys.insert("name".into(), site.name.clone().unwrap_or_else(|| "Untitled".to_owned()).into());
    if let Some(description) = &site.description {
        keys.insert("description".into(), description.clone().into());
    }
    keys
}

/// Returns `settings`.
fn settings(project: &Project, site: &Site) -> Map {
    let mut settings = Map::new();
    settings.insert("routes".into(), super::layout(site).into());
    if !site.languages.is_empty() && !site.has_fallbacks {
        settings.insert("untranslated".into(), "hide".into());
    }
    if site.has_prefix {
        settings.insert("language_prefix".into(), "all".into());
    }
    settings.insert("markdown".into(), Value::Object(markdown(site)));
    if !project.origins.is_empty() {
        let mut connections = Map::new();
        for origin in &project.origins {
            let host = origin.trim_start_matches("https://");
            let name = super::super::components::identifier(&host.replace(['.', ':', '-'], "_"));
            let why = format!("Pictures in texts are loaded from {host}.");
            connections.insert(name, serde_json::json!({ "origin": origin, "for": "image", "why": why }));
        }
        settings.insert("connections".into(), Value::Object(connections));
    }
    settings
}

/// Returns the keys of a language that differ from those of the site.
fn keys_of_language(language: &Language, links: &Links) -> Map {
    let site = links.site;
    let title = language.title.clone().filter(|title| Some(title) != site.name.as_ref());
    let mut keys: Map = title.into_iter().map(|title| ("name".to_owned(), title.into())).collect();
    // With a tag before every address, a page that a language lacks has none in it.
    let is_hiding = site.has_prefix && !site.has_fallbacks;
    let own = if language.menu.is_empty() && is_hiding { &site.menu } else { &language.menu };
    let own = own
        .iter()
        .filter(|(_, address)| !is_hiding || is_outside(address) || links.is_translated(&language.tag, address));
    let original = |address: &str| links.original(&language.tag, address);
    let menu: Vec<Value> = own.filter_map(|(text, address)| menu_item(text, address, &original)).collect();
    if !menu.is_empty() || is_hiding && !site.menu.is_empty() {
        keys.insert("menu".into(), Value::Array(menu));
    }
    if !language.labels.is_empty() {
        keys.insert("labels".into(), Value::Object(language.labels.clone()));
    }
    keys
}

/// Finds what addresses of the old site lead to.
struct Links<'s> {
    site: &'s Site,
    places: &'s [Place],
}

impl Links<'_> {
    /// Returns the address of a page or of a list of terms.
    fn route(&self, address: &str) -> Option<String> {
        let site = self.site;
        let route = address::lookup(address::parts(address).0, &site.base_path)?;
        if route == "/404" {
            return None;
        }
        let number = site.texts.iter().position(|text| address::route(&text.address) == route);
        let number = number.filter(|number| !site.is_hidden(&site.texts[*number]));
        let terms = || {
            let found =
                site.taxonomies.iter().find(|each| !each.terms.is_empty() && address::route(&each.address) == route);
            found.map(|taxonomy| taxonomy.address.clone())
        };
        number.map(|number| self.places[number].link.clone()).filter(|address| !address.is_empty()).or_else(terms)
    }

    /// Returns the address of the original of a page: a menu in another language names the originals, so that its links follow the
    /// language of the page.
    fn original(&self, language: &str, address: &str) -> Option<String> {
        let site = self.site;
        let route = address::lookup(address::parts(address).0, &site.base_path)?;
        let own = [format!("/{}{}", language.to_lowercase(), route.trim_end_matches('/')), route];
        let number =
            own.iter().find_map(|route| site.texts.iter().position(|text| address::route(&text.address) == *route))?;
        let text = &site.texts[number];
        let number = text.language.as_ref().and_then(|tag| original(site, tag, text)).unwrap_or(number);
        Some(self.places[number].link.clone()).filter(|link| !link.is_empty())
    }

    /// Whether a language has a page of its own.
    fn is_translated(&self, language: &str, address: &str) -> bool {
        let link = self.original(language, address);
        let original = self.places.iter().find(|place| Some(&place.link) == link.as_ref());
        let own = original.map(|place| format!("{}{language}.md", place.path.trim_end_matches("md")));
        self.places.iter().any(|place| Some(&place.path) == own.as_ref())
    }
}

/// Returns `settings.markdown`: what the old generator reads, and no more.
fn markdown(site: &Site) -> Map {
    let mut markdown = Map::new();
    markdown.insert("raw_html".into(), true.into());
    for off in ["comments", "containers", "emoji", "mark", "math", "subscript", "superscript", "wiki_links"] {
        markdown.insert(off.into(), false.into());
    }
    if site.dialect.ids == super::super::site::Ids::GitHub {
        markdown.insert("ids".into(), "github".into());
    }
    if site.dialect.has_math {
        markdown.insert("math".into(), true.into());
    }
    markdown.extend(site.markdown.clone());
    markdown
}

fn menu_item(text: &str, address: &str, routes: &dyn Fn(&str) -> Option<String>) -> Option<Value> {
    let path = if is_outside(address) { address.to_owned() } else { routes(address)? };
    Some(serde_json::json!({ "text": text, "path": path }))
}

fn is_outside(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

/// The number of links from which a page shows only those of its own part.
const LONG: usize = 150;

fn sidebar(items: &[Item], routes: &dyn Fn(&str) -> Option<String>) -> Vec<Value> {
    let mut all = Vec::new();
    let mut within: Option<String> = None;
    for (number, item) in items.iter().enumerate() {
        let outside = item.address.clone().filter(|address| is_outside(address));
        let path = outside.or_else(|| item.address.as_deref().and_then(routes));
        if item.address.is_some() && path.is_none() {
            continue;
        }
        let mut map = Map::new();
        map.insert("text".into(), item.title.clone().into());
        if let Some(path) = &path {
            map.insert("path".into(), path.clone().into());
        }
        map.insert("level".into(), item.level.min(4).into());
        if item.level == 0 {
            let next =
                items[number + 1..].iter().take_while(|item| item.level > 0).find_map(|item| item.address.as_deref());
            let first = next.and_then(routes).map(|route| super::super::old::folder(&route).to_owned());
            within =
                path.as_deref().map(address::route).or(first).filter(|route| route.len() > 1 && route.starts_with('/'));
        } else if let Some(within) = within.as_ref().filter(|_| items.len() > LONG) {
            map.insert("within".into(), within.clone().into());
        }
        all.push(Value::Object(map));
    }
    all
}
