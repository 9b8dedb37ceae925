//! Converts content to the values that templates see.

use super::convert::{absolute, entries, entry_of, language_named, language_of, number, of, text};
use super::{Inputs, components};
use serde::Serialize;
use sitegen_content::collections::{Collection, Entry};
use sitegen_content::languages::Language;
use sitegen_content::markdown::{self, Rendered};
use sitegen_content::plan::Made;
use sitegen_content::yaml::Node;
use sitegen_content::{Chunk, Document, Page, Site, View};
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::Diagnostic;
use sitegen_core::parallel;
use sitegen_locale::direction::direction;
use sitegen_templates::uses::Uses;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use tera::value::Key;
use tera::{Context, Map, Tera};

/// The entries of a collection as lists and by their slugs.
struct Shared {
    list: tera::Value,
    by_slug: tera::Value,
}

/// The collections that pages read, without bodies and as far as any page reads them with bodies.
///
/// Which of the two a page sees follows from its own template: in a build with a cache, other pages may not be rendered.
#[derive(Default)]
pub struct Collections {
    plain: BTreeMap<String, Shared>,
    with_bodies: BTreeMap<String, Shared>,
}

impl Collections {
    /// Returns `collections` and `entries` for a page whose template can read bodies of some. Others see what all share.
    pub fn for_page(&self, uses: &Uses) -> Context {
        let mut context = Context::new();
        let has_bodies = |name: &String| uses.reads_values(name) && uses.with_bodies.contains(name);
        if self.with_bodies.keys().any(has_bodies) {
            let seen = |(name, plain)| {
                let with_bodies = self.with_bodies.get(name).filter(|_| has_bodies(name));
                (name, with_bodies.unwrap_or(plain))
            };
            insert(&mut context, self.plain.iter().map(seen));
        }
        context
    }
}

/// Adds the values `collections` and `entries`.
fn insert<'a>(context: &mut Context, shared: impl Iterator<Item = (&'a String, &'a Shared)>) {
    let (mut collections, mut entries) = (Map::new(), Map::new());
    for (name, Shared { list, by_slug }) in shared {
        collections.insert(Key::from(name.clone()), list.clone());
        entries.insert(Key::from(name.clone()), by_slug.clone());
    }
    context.insert_value("collections", tera::Value::from(collections));
    context.insert_value("entries", tera::Value::from(entries));
}

/// Adds the values that all pages share to the engine, once: `site`, and as far as used `pages`, and `collections` and `entries`
/// without bodies. Returns these with their bodies as well.
pub fn share(engine: &mut Tera, inputs: Inputs, uses: &Uses) -> Result<Collections, Vec<Diagnostic>> {
    let Inputs { site, view, .. } = inputs;
    engine.global_context().insert_value("site", of(&view.data.value));
    let mut shared = Collections::default();
    for (name, collection) in &view.collections {
        // Messages list the names that there are, which may not depend on the pages that are rendered.
        let unread = Shared { list: tera::Value::none(), by_slug: tera::Value::none() };
        let is_read = uses.reads_values(name);
        let value = if is_read { share_collection(engine, inputs, (name, collection), false)? } else { unread };
        shared.plain.insert(name.clone(), value);
    }
    insert(engine.global_context(), shared.plain.iter());
    // A text may call a component that reads collections itself, which have no bodies for it.
    for (name, collection) in view.collections.iter().filter(|(name, _)| uses.reads_values(name)) {
        if uses.with_bodies.contains(name) {
            shared.with_bodies.insert(name.clone(), share_collection(engine, inputs, (name, collection), true)?);
        }
    }
    let languages = site.views.iter().map(|view| {
        let mut map = language_of(&view.language);
        map.insert(Key::from("route"), text(&view_home(view)));
        tera::Value::from(map)
    });
    engine.global_context().insert_value("languages", tera::Value::from(languages.collect::<Vec<_>>()));
    engine.global_context().insert_value("pages", tera::Value::none());
    if uses.pages {
        let chunks: Vec<Arc<Vec<tera::Value>>> = parallel::map(site.pages.chunks(), |chunk| {
            let Ok(listed) = inputs.tools.cache().query(&Listings::of(chunk, inputs));
            listed
        });
        let listed = site.pages.with_values(&chunks, |chunk| Some(&chunk[..]));
        let pages = listed
            .filter(|(page, _)| page.is_listed() && page.view == view.number)
            .filter_map(|(_, value)| value.cloned());
        engine.global_context().insert_value("pages", tera::Value::from(pages.collect::<Vec<_>>()));
    }
    Ok(shared)
}

fn share_collection(
    engine: &Tera,
    inputs: Inputs,
    (name, collection): (&str, &Collection),
    with_bodies: bool,
) -> Result<Shared, Vec<Diagnostic>> {
    let numbers: Vec<usize> = (0..collection.len()).collect();
    let list = listed((inputs, engine, &Context::new()), name, &numbers, with_bodies)?;
    let by_slug = collection.iter().zip(&list).map(|(entry, value)| (Key::from(entry.slug.clone()), value.clone()));
    Ok(Shared { by_slug: tera::Value::from(by_slug.collect::<Map>()), list: tera::Value::from(list) })
}

/// The pages of a chunk as lists of pages show them. A list of ten thousand pages is rendered again when one of them
/// changes, so its items are cached as long as the process lasts.
#[derive(Hash)]
struct Listings<'a> {
    /// Of this, what the `listing` of each page covers.
    pages: Digested<(&'a [Page], Inputs<'a>)>,
}

/// A page as lists of pages show it.
#[derive(Hash)]
struct Listing<'a> {
    /// Of this, what its `listing` covers.
    page: Digested<(&'a Page, Inputs<'a>)>,
}

impl<'a> Listings<'a> {
    fn of(chunk: &'a Chunk, inputs: Inputs<'a>) -> Self {
        Listings { pages: Digested::new((&chunk.pages[..], inputs), chunk.listing) }
    }
}

impl Query for Listings<'_> {
    const KIND: &'static str = "listed pages";
    type Output = Vec<tera::Value>;
    type Refused = Infallible;

    fn run(&self, cache: &Cache) -> Result<Vec<tera::Value>, Infallible> {
        let (pages, inputs) = *self.pages;
        Ok(parallel::map(pages, |page| {
            let Ok(value) = cache.query(&Listing { page: Digested::new((page, inputs), page.listing) });
            (*value).clone()
        }))
    }
}

impl Query for Listing<'_> {
    const KIND: &'static str = "listed page";
    type Output = tera::Value;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<tera::Value, Infallible> {
        let (page, Inputs { site, .. }) = *self.page;
        Ok(tera::Value::from(summary(page, &site.keys(page), site)))
    }
}

/// Keeps the listings of all pages in the cache: they are looked up only while a list is rendered, and have to be there then.
pub fn keep_listings(inputs: Inputs) {
    let chunks = inputs.site.pages.chunks();
    chunks.iter().for_each(|chunk| inputs.tools.cache().keep(&Listings::of(chunk, inputs)));
}

/// Returns entries of a collection as templates see them in lists. They come with their bodies where a template can
/// read these.
pub fn listed(
    (inputs, engine, around): (Inputs, &Tera, &Context),
    collection: &str,
    numbers: &[usize],
    with_bodies: bool,
) -> Result<Vec<tera::Value>, Vec<Diagnostic>> {
    let Inputs { site, view, .. } = inputs;
    let Some(collection) = view.collection(collection) else { return Ok(Vec::new()) };
    let value = |number: &usize| {
        let entry = collection.nth(*number)?;
        let body = if with_bodies { site.take_body(view, entry) } else { None };
        let with_body = with_body(entry_keys(entry, inputs), body.as_ref(), (inputs, engine, around));
        Some(with_body.map(tera::Value::from))
    };
    match numbers.len() {
        // One page lists a few entries, and pages are rendered on every thread already.
        0..parallel::AT_A_TIME => numbers.iter().filter_map(value).collect(),
        _ => parallel::flat_map(numbers, value).into_iter().collect(),
    }
}

/// Returns an entry without its body.
fn entry_keys(entry: &Entry, inputs: Inputs) -> Map {
    entry_of(entry, &inputs.site.settings, (inputs.site.pages.order(), inputs.view.number))
}

/// Adds what a page is about to the values of its template: `entry`, `term` and `list`.
pub fn about(
    context: &mut Context,
    made: &Made,
    (inputs, engine, around): (Inputs, &Tera, &Context),
    with_bodies: bool,
) -> Result<(), Vec<Diagnostic>> {
    let Inputs { site, view, .. } = inputs;
    if let Some(entry) = made.number.and_then(|number| view.collection(&made.collection)?.nth(number)) {
        let body = site.take_body(view, entry);
        let entry = with_body(entry_keys(entry, inputs), body.as_ref(), (inputs, engine, around))?;
        context.insert_value("entry", tera::Value::from(entry));
    }
    if let Some(term) = &made.term {
        let mut map = Map::new();
        map.insert(Key::from("name"), text(term.name_in(&view.data, &made.collection)));
        map.insert(Key::from("slug"), text(&term.slug));
        map.insert(Key::from("count"), number(term.entries.len()));
        context.insert_value("term", tera::Value::from(map));
    }
    if let Some(list) = &made.list {
        let address = |page: usize| text(list.address(page).as_str());
        let optional = |page: Option<usize>| page.map_or_else(tera::Value::none, address);
        let pages = (1..=list.count).map(|page| {
            let mut map = Map::new();
            map.insert(Key::from("number"), number(page));
            map.insert(Key::from("route"), address(page));
            map.insert(Key::from("current"), tera::Value::from(page == list.number));
            tera::Value::from(map)
        });
        let mut map = Map::new();
        let entries = listed((inputs, engine, around), &list.collection, &list.entries, with_bodies)?;
        map.insert(Key::from("entries"), tera::Value::from(entries));
        map.insert(Key::from("number"), number(list.number));
        map.insert(Key::from("count"), number(list.count));
        map.insert(Key::from("total"), number(list.total));
        map.insert(Key::from("first"), address(1));
        map.insert(Key::from("last"), address(list.count));
        map.insert(Key::from("previous"), optional(list.number.checked_sub(1).filter(|page| *page > 0)));
        map.insert(Key::from("next"), optional((list.number < list.count).then_some(list.number + 1)));
        map.insert(Key::from("pages"), tera::Value::from(pages.collect::<Vec<_>>()));
        context.insert_value("list", tera::Value::from(map));
    }
    Ok(())
}

/// Returns the value of `page` with the body of its entry, if it has none of its own.
pub fn with_body_of_entry(page: tera::Value, entry: Option<&tera::Value>) -> tera::Value {
    let (Some(page_map), Some(entry)) = (page.as_map(), entry.and_then(tera::Value::as_map)) else { return page };
    if page_map.contains_key(&Key::from("content")) {
        return page;
    }
    let mut map = page_map.clone();
    for name in ["content", "toc"] {
        map.extend(entry.get(&Key::from(name)).map(|value| (Key::from(name), value.clone())));
    }
    tera::Value::from(map)
}

/// Returns the value of `page`.
pub fn page(
    page: &Page,
    document: &Document,
    (inputs, engine, around): (Inputs, &Tera, &Context),
    uses: &Uses,
) -> Result<tera::Value, Vec<Diagnostic>> {
    let site = inputs.site;
    let keys = summary(page, &document.data, site);
    let mut map = with_body(keys, document.body.as_ref(), (inputs, engine, around))?;
    if let Some(made) = &page.made {
        let collection = inputs.view.collection(&made.collection);
        let neighbour = |number: Option<usize>| {
            let entry = collection?.nth(number?)?;
            Some(tera::Value::from(entry_keys(entry, inputs)))
        };
        if let Some(language) = page.language.as_deref().filter(|tag| !tag.contains("{{")) {
            map.insert(Key::from("language"), text(language));
        }
        let feed = page.outline.source.as_ref().and_then(|source| source.feed.as_ref());
        match (made.list.as_ref().filter(|_| made.has_feed), feed) {
            (Some(list), Some(feed)) => {
                let title = feed.title.as_deref().map(text).or_else(|| map.get(&Key::from("title")).cloned());
                let mut addresses = Map::new();
                for (format, address) in feed.addresses(&list.first, &inputs.view.language.prefix) {
                    addresses.insert(Key::from(format.name()), text(&address));
                }
                addresses.insert(Key::from("title"), title.unwrap_or_else(tera::Value::none));
                map.insert(Key::from("feed"), tera::Value::from(addresses));
            }
            // A feed of nothing is no file.
            (None, Some(_)) => drop(map.shift_remove(&Key::from("feed"))),
            // A translation takes the feed away so.
            (_, None) if map.get(&Key::from("feed")).and_then(tera::Value::as_bool) == Some(false) => {
                map.shift_remove(&Key::from("feed"));
            }
            _ => {}
        }
        if made.number.is_some() {
            map.insert(Key::from("previous"), neighbour(made.previous).unwrap_or_else(tera::Value::none));
            map.insert(Key::from("next"), neighbour(made.next).unwrap_or_else(tera::Value::none));
        }
    }
    if site.views.len() > 1 {
        in_languages(&mut map, page, inputs, uses);
    }
    if uses.ancestors {
        let keys = |page: &Page| summary(page, &site.keys(page), site);
        let ancestors = site.pages.ancestors(page).map(|page| tera::Value::from(keys(page)));
        map.insert(Key::from("ancestors"), tera::Value::from(ancestors.collect::<Vec<_>>()));
    }
    // The 404 page is hidden from search engines, whatever its front matter says.
    if page.is_not_found() {
        map.insert(Key::from("noindex"), tera::Value::from(true));
    }
    Ok(tera::Value::from(map))
}

/// Returns the route of the home page of a language.
fn view_home(view: &View) -> String {
    view.language.prefixed("/").into_owned()
}

/// A page in one of the languages, as `page.translations` has it.
#[derive(Serialize)]
struct Translation<'a> {
    language: &'a str,
    name: &'a str,
    direction: &'a str,
    title: Option<&'a str>,
    route: &'a str,
    url: &'a str,
    is_fallback: bool,
    current: bool,
}

/// Adds what a page is in other languages to its keys: `translations`, if its template can read it, and `fallback` if it shows an
/// original.
fn in_languages(map: &mut Map, page: &Page, inputs: Inputs, uses: &Uses) {
    let site = inputs.site;
    let fallback = site.fallback_language(page).map(|tag| tera::Value::from(language_named(tag, site.pages.order())));
    map.insert(Key::from("fallback"), fallback.unwrap_or_else(tera::Value::none));
    if !uses.translations {
        return;
    }
    let home = |view| site.pages.at(&view_home(view)).map(|page| (view, page));
    let translation = |(view, other): (&View, &Page)| {
        let Language { tag: language, name, .. } = &view.language;
        // Ten thousand pages have some of each of these keys: written so, they are put into a map once.
        tera::Value::from_serializable(&Translation {
            language,
            name,
            direction: view.language.direction(),
            title: other.title.as_deref(),
            route: other.route.as_str(),
            url: &absolute(&site.settings, other.route.as_str()),
            is_fallback: other.is_fallback,
            current: other.view == page.view,
        })
    };
    // Nothing links to a 404 page.
    let translations: Vec<tera::Value> = match page.is_not_found() {
        true => site.views.iter().filter_map(home).map(translation).collect(),
        false => site.translations(page.route.as_str()).map(translation).collect(),
    };
    map.insert(Key::from("translations"), tera::Value::from(translations));
}

/// Returns a page without its body, as lists of pages show it.
fn summary(page: &Page, keys: &Node, site: &Site) -> Map {
    let settings = &site.settings;
    let mut map = entries(keys);
    // Search engines shall know a text that has no translation by the address of the original.
    let is_fallback = page.is_fallback && !page.is_not_found();
    let original = is_fallback.then(|| site.translations(page.route.as_str()).next()).flatten();
    let known = original.map_or(page, |(_, original)| original);
    let mut set = |key: &'static str, value: &str| {
        map.insert(Key::from(key), text(value));
    };
    set("route", page.route.as_str());
    set("url", &absolute(settings, known.route.as_str()));
    set("source", page.source.as_str());
    if let Some(tag) = site.fallback_language(page) {
        map.insert(Key::from("fallback"), tera::Value::from(language_named(tag, site.pages.order())));
    }
    if !map.contains_key(&Key::from("language")) {
        map.insert(Key::from("language"), text(page.language.as_deref().unwrap_or(&settings.language)));
    }
    let language = map.get(&Key::from("language")).and_then(tera::Value::as_str).unwrap_or_default();
    let direction = direction(language);
    if !map.contains_key(&Key::from("direction")) {
        map.insert(Key::from("direction"), text(direction));
    }
    map
}

/// A heading, as `page.toc` has it.
#[derive(Serialize)]
struct Section<'a> {
    level: u64,
    id: &'a str,
    title: &'a str,
}

/// Adds a body to the keys of a page or an entry.
fn with_body(
    mut map: Map,
    body: Option<&Rendered>,
    (inputs, engine, around): (Inputs, &Tera, &Context),
) -> Result<Map, Vec<Diagnostic>> {
    let Some(body) = body else { return Ok(map) };
    let language = map.get(&Key::from("language")).and_then(tera::Value::as_str);
    let html = components::insert((engine, around), inputs, body, language)?;
    map.insert(Key::from("content"), tera::Value::safe_string(&html));
    let headings = body.headings.iter().map(|heading| {
        let markdown::Heading { level, id, title } = heading;
        tera::Value::from_serializable(&Section { level: u64::from(*level), id, title })
    });
    map.insert(Key::from("toc"), tera::Value::from(headings.collect::<Vec<_>>()));
    Ok(map)
}
