//! Converts single values of content to values of templates.

use sitegen_content::Order;
use sitegen_content::assets::Asset;
use sitegen_content::collections::Entry;
use sitegen_content::languages::Language;
use sitegen_content::settings::Settings;
use sitegen_content::yaml::{Key as YamlKey, Node, Value};
use tera::Map;
use tera::value::Key;

/// Returns the keys of a mapping that have a value.
pub fn present(keys: &[(YamlKey, Node)]) -> Map {
    // A key whose text is empty counts as absent, as in schemas.
    let present = keys.iter().filter(|(_, node)| node.text() != Some(""));
    present.map(|(key, node)| (Key::from(key.name.clone()), of(&node.value))).collect()
}

/// Returns a value of content as templates see it.
pub fn of(value: &Value) -> tera::Value {
    match value {
        Value::Null => tera::Value::none(),
        Value::Bool(value) => tera::Value::from(*value),
        Value::Integer(value) => tera::Value::from(*value),
        Value::Float(value) => tera::Value::from(*value),
        Value::Text(value) => text(value),
        Value::List(items) => tera::Value::from(items.iter().map(|node| of(&node.value)).collect::<Vec<_>>()),
        Value::Map(keys) => tera::Value::from(present(keys)),
    }
}

/// Returns a text, which is escaped in pages.
pub fn text(text: &str) -> tera::Value {
    tera::Value::normal_string(text)
}

/// Returns a number.
pub fn number(number: usize) -> tera::Value {
    tera::Value::from(number as u64)
}

/// Returns the keys of a mapping.
pub fn entries(node: &Node) -> Map {
    present(node.entries())
}

/// Returns an entry without its body, with the address of its page if it has one.
pub fn entry_of(entry: &Entry, settings: &Settings, (order, view): (&Order, usize)) -> Map {
    let mut map = entries(&entry.data);
    if let Some(language) = order.fallback(view, entry) {
        let own = entry.outline.language.as_deref().filter(|tag| !tag.is_empty() && !tag.contains("{{"));
        let language = language_named(own.unwrap_or(&language.tag), order);
        map.insert(Key::from("fallback"), tera::Value::from(language));
    }
    map.insert(Key::from("slug"), text(&entry.slug));
    map.insert(Key::from("expired"), tera::Value::from(entry.is_expired()));
    // The page of an expired entry is left out.
    let route = order.routes_of(view).get(&entry.name().key()).filter(|route| !order.hidden.contains_key(*route));
    if let Some(route) = route {
        map.insert(Key::from("route"), text(route.as_str()));
        // An entry may have an address of its own under this name, such as that of a product elsewhere.
        if !map.contains_key(&Key::from("url")) {
            map.insert(Key::from("url"), text(&absolute(settings, route.as_str())));
        }
    }
    map
}

/// Returns a language as templates see it.
pub fn language_of(language: &Language) -> Map {
    let mut map = Map::new();
    map.insert(Key::from("language"), text(&language.tag));
    map.insert(Key::from("name"), text(&language.name));
    map.insert(Key::from("direction"), text(language.direction()));
    map
}

/// Returns a language by its tag, which need not be one of the site's.
pub fn language_named(tag: &str, order: &Order) -> Map {
    let of_site = order.languages.all().iter().find(|language| language.tag.eq_ignore_ascii_case(tag));
    of_site.map_or_else(|| language_of(&Language::other(tag)), language_of)
}

/// Returns the absolute address of a route.
pub fn absolute(settings: &Settings, path: &str) -> String {
    settings.absolute(path)
}

/// Returns the bytes of an asset as text, if they are UTF-8.
pub fn asset_text(asset: &Asset) -> Option<&str> {
    asset.body.text()
}
