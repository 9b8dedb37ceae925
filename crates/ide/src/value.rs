//! The values of content that code and references name by a path such as `site.email`.

use crate::Analysis;
use sitegen_content::collections::Entry;
use sitegen_content::yaml::{Node, Value};
use sitegen_content::{DEFAULT_TEMPLATE, View};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;

/// Returns what a page says at its key `template`. The text may be broken elsewhere.
pub fn template_of(text: &str) -> Option<String> {
    let lines = text.lines().take(200);
    let written = lines.filter_map(|line| line.trim_start().strip_prefix("template")).find_map(|rest| {
        let rest = rest.trim_start_matches('"').trim_start();
        rest.strip_prefix([':', '='])
    })?;
    let written = written.split(" #").next()?.trim().trim_end_matches(',').trim_matches(['"', '\'']);
    (!written.is_empty()).then(|| written.to_owned())
}

/// Returns the template of the page in a file. A translation has that of its original, if it says none itself.
pub fn template_in(sources: &Sources, path: &SourcePath, text: &str) -> String {
    let original = || {
        let key = path.key();
        let beside = || {
            let folder = key.as_str().rsplit_once('/').map_or("content", |(folder, _)| folder).to_owned();
            let is_other = |other: &SourcePath| other.key() == key && other != path;
            let mut others = sources.below(&folder).filter(|(other, _)| is_other(other));
            others.find_map(|(_, source)| template_of(source.text()?))
        };
        sources.text(&key).map_or_else(beside, template_of)
    };
    let of_original = || path.has_language().then(original).flatten();
    template_of(text).or_else(of_original).unwrap_or_else(|| DEFAULT_TEMPLATE.to_owned())
}

/// A value of content: where it is written, and what it is.
pub struct Found<'a> {
    /// The file.
    pub file: &'a SourcePath,
    /// Its keys from the root of the file, or of the entry in it.
    pub keys: Vec<String>,
    /// The value. Its place is that of the value in the file.
    pub node: &'a Node,
    /// The entry that has it.
    pub entry: Option<&'a Entry>,
}

impl<'a> Analysis<'a> {
    /// Returns what the language of a file shows.
    pub fn view_of(&self, path: &SourcePath) -> Option<&'a View> {
        let site = self.site?;
        let of_file = site.views.iter().skip(1).find(|view| view.language.has(path));
        Some(of_file.unwrap_or_else(|| site.main()))
    }

    /// Returns the value that a path names: `site.email`, `platforms.food.name`, or in a template `entries.platforms.food.name`.
    pub fn value(&self, from: &SourcePath, path: &[&str]) -> Option<Found<'a>> {
        let view = self.view_of(from)?;
        let (first, rest) = path.split_first()?;
        let down = |node: &'a Node, keys: &[&str]| keys.iter().try_fold(node, |node, key| node.get(key));
        let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
        match *first {
            "site" => {
                let node = down(&view.data, rest)?;
                Some(Found { file: &view.site_file, keys: owned(rest), node, entry: None })
            }
            "entries" => self.value(from, rest).filter(|_| rest.first() != Some(&"site")),
            collection => {
                let (slug, keys) = rest.split_first()?;
                let entry = view.collection(collection)?.get(slug)?;
                let node = down(&entry.data, keys)?;
                Some(Found { file: &entry.source, keys: owned(keys), node, entry: Some(entry) })
            }
        }
    }
}

/// Returns a value as it is shown beside a name: on one line, and not all of a long one.
pub fn shown(node: &Node) -> String {
    let cut = |text: &str, most: usize| {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(most) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line,
        }
    };
    match &node.value {
        Value::Text(text) => cut(text, 60),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Null => "nothing".to_owned(),
        Value::List(items) => format!("list of {}", items.len()),
        Value::Map(entries) => {
            let keys: Vec<&str> = entries.iter().map(|(key, _)| key.name.as_str()).take(6).collect();
            format!("{{ {} }}", cut(&keys.join(", "), 60))
        }
    }
}
