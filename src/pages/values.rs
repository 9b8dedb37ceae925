//! Converts content to the values that templates see.

use super::Inputs;
use super::uses::Uses;
use crate::cache;
use crate::content::assets::Asset;
use crate::content::markdown::Rendered;
use crate::content::settings::Settings;
use crate::content::yaml::{Node, Value};
use crate::content::{Chunk, Document, Page};
use crate::sources::Digest;
use rayon::prelude::*;
use std::sync::Arc;
use tera::value::Key;
use tera::{Context, Map};

/// Adds the values that all pages share to the engine, once: `site`, and if used `collections`, `entries` and `pages`.
pub fn share(context: &mut Context, inputs: Inputs, uses: Uses) {
    let site = inputs.site;
    context.insert_value("site", value(&site.data));
    if uses.collections {
        let mut collections = Map::new();
        let mut entries = Map::new();
        for (name, documents) in &site.collections {
            let values: Vec<(String, tera::Value)> =
                documents.iter().map(|entry| (entry.slug.clone(), document(&entry.document, &entry.slug))).collect();
            let list: Vec<tera::Value> = values.iter().map(|(_, value)| value.clone()).collect();
            let by_slug: Map = values.into_iter().map(|(slug, value)| (Key::from(slug), value)).collect();
            collections.insert(Key::from(name.clone()), tera::Value::from(list));
            entries.insert(Key::from(name.clone()), tera::Value::from(by_slug));
        }
        context.insert_value("collections", tera::Value::from(collections));
        context.insert_value("entries", tera::Value::from(entries));
    }
    if uses.pages {
        let chunks: Vec<Arc<Vec<tera::Value>>> =
            site.pages.chunks().par_iter().map(|chunk| listings(chunk, inputs)).collect();
        let numbers = (0..site.pages.len()).filter(|number| site.pages.get(*number).route.as_str() != super::NOT_FOUND);
        let pages = numbers.map(|number| {
            let (chunk, place) = site.pages.places()[number];
            chunks[chunk][place].clone()
        });
        context.insert_value("pages", tera::Value::from(pages.collect::<Vec<_>>()));
    }
}

/// Returns the key of a chunk's listings.
pub fn listing_key(chunk: &Chunk) -> Digest {
    cache::Key::of("listings").with(chunk.listing).done()
}

/// Returns the pages of a chunk as lists of pages show them. A list of ten thousand pages is rendered again when one of
/// them changes, so its items are cached as long as the process lasts.
fn listings(chunk: &Chunk, inputs: Inputs) -> Arc<Vec<tera::Value>> {
    let Inputs { sources, profile, site, tools, .. } = inputs;
    let key = listing_key(chunk);
    if let Some(listings) = tools.cache().get(&key) {
        return listings;
    }
    let listing = |page: &Page| {
        if let Some(listing) = tools.cache().get::<tera::Value>(&page.listing) {
            return (*listing).clone();
        }
        let listing = tera::Value::from(summary(page, &site.keys(page, sources, profile), &site.settings));
        tools.cache().store(page.listing, Arc::new(listing.clone()));
        listing
    };
    let listings: Arc<Vec<tera::Value>> = Arc::new(chunk.pages.par_iter().map(listing).collect());
    tools.cache().store_group(key, listings.clone(), chunk.pages.iter().map(|page| page.listing).collect());
    listings
}

/// Returns the value of `page`.
pub fn page(page: &Page, document: &Document, settings: &Settings) -> tera::Value {
    let mut map = summary(page, &document.data, settings);
    insert_body(&mut map, document.body.as_ref());
    // The page for unknown paths is hidden from search engines, whatever its front matter says.
    if page.route.as_str() == super::NOT_FOUND {
        map.insert(Key::from("noindex"), tera::Value::from(true));
    }
    tera::Value::from(map)
}

/// Returns the absolute address of a route.
pub fn absolute(settings: &Settings, path: &str) -> String {
    format!("{}{}", settings.origin, crate::content::address::inside(&settings.base_path, path))
}

/// Returns a page without its body, as lists of pages show it.
fn summary(page: &Page, keys: &Node, settings: &Settings) -> Map {
    let mut map = entries(keys);
    let mut set = |key: &'static str, value: &str| {
        map.insert(Key::from(key), text(value));
    };
    set("route", page.route.as_str());
    set("url", &absolute(settings, page.route.as_str()));
    set("source", page.source.as_str());
    if !map.contains_key(&Key::from("language")) {
        map.insert(Key::from("language"), text(&settings.language));
    }
    map
}

fn document(document: &Document, slug: &str) -> tera::Value {
    let mut map = entries(&document.data);
    map.insert(Key::from("slug"), text(slug));
    map.insert(Key::from("expired"), tera::Value::from(document.is_expired));
    insert_body(&mut map, document.body.as_ref());
    tera::Value::from(map)
}

fn insert_body(map: &mut Map, body: Option<&Rendered>) {
    let Some(body) = body else { return };
    map.insert(Key::from("content"), tera::Value::safe_string(&body.html));
    let headings = body.headings.iter().map(|heading| {
        let mut map = Map::new();
        map.insert(Key::from("level"), tera::Value::from(u64::from(heading.level)));
        map.insert(Key::from("id"), text(&heading.id));
        map.insert(Key::from("title"), text(&heading.title));
        tera::Value::from(map)
    });
    map.insert(Key::from("toc"), tera::Value::from(headings.collect::<Vec<_>>()));
}

fn entries(node: &Node) -> Map {
    // A key whose text is empty counts as absent, as in schemas.
    let present = node.entries().iter().filter(|(_, node)| node.text() != Some(""));
    present.map(|(key, node)| (Key::from(key.name.clone()), value(node))).collect()
}

fn value(node: &Node) -> tera::Value {
    match &node.value {
        Value::Null => tera::Value::none(),
        Value::Bool(value) => tera::Value::from(*value),
        Value::Integer(value) => tera::Value::from(*value),
        Value::Float(value) => tera::Value::from(*value),
        Value::Text(value) => text(value),
        Value::List(items) => tera::Value::from(items.iter().map(value).collect::<Vec<_>>()),
        Value::Map(_) => tera::Value::from(entries(node)),
    }
}

fn text(text: &str) -> tera::Value {
    tera::Value::normal_string(text)
}

/// Returns the bytes of an asset as text, if they are UTF-8.
pub fn asset_text(asset: &Asset) -> Option<&str> {
    std::str::from_utf8(asset.body.bytes()?).ok()
}
