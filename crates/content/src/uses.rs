//! What a file of content uses of others, which decides what its pages depend on.

use super::blocks;
use super::calls::{self, Written};
use super::parsed::ParsedDocument;
use super::reference;
use super::yaml::Node;
use memchr::memchr;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a file of content uses of others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// The entries to which it refers: a collection and a slug each. What a page is made from is among them, as `entry` and a
    /// key.
    pub entries: BTreeSet<(String, String)>,
    /// The components that its Markdown calls.
    pub components: BTreeSet<String>,
}

impl Uses {
    /// Returns what a file uses in its keys and its Markdown.
    pub fn of(document: &ParsedDocument) -> Self {
        let mut uses = Uses::of_keys(&document.data);
        let containers = document.body.iter().flat_map(|(body, _)| blocks::components(body));
        uses.components.extend(containers.map(str::to_owned));
        for (reference, tag) in document.body.iter().flat_map(|(body, _)| calls::all(body)) {
            match tag {
                None => uses.add(reference.path),
                Some(Ok(tag)) => {
                    uses.components.insert(tag.component.to_owned());
                    for (_, value, _) in &tag.arguments {
                        if let Written::Path(path) = value {
                            uses.add(path);
                        }
                    }
                }
                // It is reported, and calls nothing.
                Some(Err(_)) => {}
            }
        }
        uses
    }

    /// Returns what keys use.
    pub fn of_keys(data: &Node) -> Self {
        let mut uses = Uses::default();
        data.each_text(&mut |text| {
            if memchr(b'{', text.as_bytes()).is_some() {
                reference::find(text).for_each(|reference| uses.add(reference.path));
            }
        });
        uses
    }

    /// Whether it refers to entries of a collection.
    pub fn has_collection(&self, name: &str) -> bool {
        self.entries.iter().any(|(collection, _)| collection == name)
    }

    fn add(&mut self, path: &str) {
        let mut parts = path.split('.');
        let (root, part) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if root != "site" {
            self.entries.insert((root.to_owned(), part.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read_file;
    use super::*;
    use sitegen_core::paths::SourcePath;
    use sitegen_core::sources::Sources;

    fn uses(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
        let sources = Sources::from_files([(name, text)]);
        let file = sources.get_key_value(&SourcePath::new(name)).unwrap();
        let Uses { entries, components } = Uses::of(&read_file(file, &mut Vec::new()).unwrap());
        let entries = entries.into_iter().map(|(collection, slug)| format!("{collection}.{slug}"));
        (entries.collect(), components.into_iter().collect())
    }

    #[test]
    fn references_in_keys_and_in_markdown_name_entries() {
        let yaml = |text| uses("content/pages/a.yaml", text).0;
        assert_eq!(yaml("title: \"{{ team.ida.name }} at {{ site.name }}\"\n"), ["team.ida"]);
        assert_eq!(yaml("title: \"\\x7b\\x7b team.ida.name \\x7d\\x7d\"\n"), ["team.ida"]);
        assert_eq!(yaml("a:\n  - b: >-\n      {{ entry.title }}\n"), ["entry.title"]);
        let markdown = |text: &str| uses("content/pages/a.md", &format!("---\ntitle: A\n---\n{text}\n")).0;
        assert_eq!(markdown("{{ team.ida.name }} \\{{ team.kim.name }}"), ["team.ida"]);
        assert_eq!(markdown("{{ team.ida.name"), ["team.ida"]);
        assert!(markdown("plain").is_empty());
    }

    #[test]
    fn calls_name_components_and_in_their_arguments_entries() {
        let text = "---\ntitle: A\n---\n{{ <card of=\"ida\" /> }}\n{% <cards.note by={team.ida.name}> %}\na\n{% </cards.note> %}\n";
        let (entries, components) = uses("content/pages/a.md", text);
        assert_eq!(entries, ["team.ida"]);
        assert_eq!(components, ["card", "cards.note"]);
    }
}
