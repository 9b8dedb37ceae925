//! Keys that a section gives the pages below it (<https://gohugo.io/configuration/cascade/>).

use super::super::data::{self, Map, Value};
use super::super::glob::matches;
use super::super::old;

/// The keys that pages get from above.
#[derive(Default)]
pub struct Cascades {
    all: Vec<Cascade>,
}

struct Cascade {
    /// The folder below that of content, and the language of its section if that is not the one of the site.
    folder: String,
    language: Option<String>,
    /// The pages that are meant: `path`, `kind`, `lang`, `environment`.
    target: Map,
    keys: Map,
}

impl Cascades {
    /// Begins with those of the configuration.
    pub fn new(config: Option<&Value>) -> Self {
        let mut cascades = Self::default();
        cascades.push("", None, config);
        cascades
    }

    /// Adds those of the text of a section.
    pub fn add(&mut self, folder: &str, language: Option<&str>, keys: &Map) {
        let own = keys.iter().find(|(key, _)| key.eq_ignore_ascii_case("cascade"));
        self.push(folder, language, own.map(|(_, value)| value));
    }

    fn push(&mut self, folder: &str, language: Option<&str>, value: Option<&Value>) {
        let maps: Vec<&Map> = match value {
            Some(Value::Object(map)) => vec![map],
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_object).collect(),
            _ => Vec::new(),
        };
        for map in maps {
            let mut keys = map.clone();
            let targets = ["target", "_target"].map(|key| keys.shift_remove(key));
            let target = targets.into_iter().flatten().find_map(|value| value.as_object().cloned()).unwrap_or_default();
            // Custom keys are at the top of a text, or below `params`.
            if let Some(Value::Object(params)) = keys.shift_remove("params") {
                for (key, value) in params {
                    keys.entry(key).or_insert(value);
                }
            }
            let (folder, language) = (folder.to_owned(), language.map(str::to_owned));
            self.all.push(Cascade { folder, language, target, keys });
        }
    }

    /// Gives a text the keys that it does not have. Those of the nearest section are before others. `path` is without the
    /// extension and below the folder of content, and `language` none for the language of the site, which is `own`.
    pub fn apply(&self, path: &str, own: &str, language: Option<&str>, keys: &mut Map) {
        let (folder, name) = (old::folder(path), old::name(path));
        let kind = match name {
            "_index" if folder.is_empty() => "home",
            "_index" => "section",
            _ => "page",
        };
        let address = if matches!(name, "_index" | "index") { format!("/{folder}") } else { format!("/{path}") };
        let is_below = |cascade: &&Cascade| {
            let rest = folder.strip_prefix(&cascade.folder);
            let is_in = cascade.folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            let is_language =
                cascade.language.as_deref() == language || cascade.folder.is_empty() && cascade.language.is_none();
            is_in && is_language && is_meant(&cascade.target, &address, kind, own)
        };
        let mut meant: Vec<&Cascade> = self.all.iter().filter(is_below).collect();
        meant.sort_by_key(|cascade| std::cmp::Reverse(cascade.folder.len()));
        for (key, value) in meant.into_iter().flat_map(|cascade| &cascade.keys) {
            if !keys.keys().any(|own| own.eq_ignore_ascii_case(key)) {
                keys.insert(key.clone(), value.clone());
            }
        }
    }
}

fn is_meant(target: &Map, address: &str, kind: &str, language: &str) -> bool {
    target.iter().all(|(key, value)| {
        let Some(pattern) = data::word_of(value) else { return true };
        match key.to_ascii_lowercase().as_str() {
            "path" => matches(&pattern.to_lowercase(), &address.to_lowercase()),
            "kind" => matches(&pattern, kind),
            "lang" => matches(&pattern, language),
            "environment" => matches(&pattern, "production"),
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_gets_what_the_nearest_section_says_and_keeps_its_own() {
        let mut cascades = Cascades::new(Some(&json!([{ "author": "Config", "_target": { "kind": "page" } }])));
        cascades.add(
            "a",
            None,
            json!({ "cascade": { "author": "A", "build": { "render": "never" } } }).as_object().unwrap(),
        );
        cascades.add("a", Some("de"), json!({ "Cascade": { "author": "DE" } }).as_object().unwrap());
        let of = |path: &str, language: Option<&str>, keys: Value| {
            let mut keys = keys.as_object().unwrap().clone();
            cascades.apply(path, language.unwrap_or("en"), language, &mut keys);
            Value::Object(keys)
        };
        assert_eq!(of("b/x", None, json!({})), json!({ "author": "Config" }));
        assert_eq!(of("b/_index", None, json!({})), json!({}));
        assert_eq!(
            of("a/x", None, json!({ "Author": "Own" })),
            json!({ "Author": "Own", "build": { "render": "never" } })
        );
        assert_eq!(of("a/_index", None, json!({})), json!({ "author": "A", "build": { "render": "never" } }));
        assert_eq!(of("a/x", Some("de"), json!({})), json!({ "author": "DE" }));
    }
}
