//! The keys `path` and `aliases` of pages and entries: at which address a page is, and at which it was.

use super::yaml::{Node, Value};
use serde::{Deserialize, Serialize};
use sitegen_core::diagnostics::Span;

/// Keys that only translations have: what the text is called in its address, and which version of the original it translates.
pub const OF_TRANSLATIONS: [&str; 2] = ["slug", "translates"];

/// Keys of an original that say nothing of its translations.
pub const OF_ONE_TEXT: [&str; 3] = ["aliases", "language", "translates"];

/// The keys `path` and `aliases`. Values of a wrong type count as absent; the schema reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressKeys {
    /// The address that the page keeps exactly.
    pub path: Option<Written>,
    /// What the page is called in its address, if it is a translation.
    pub slug: Option<Written>,
    /// Addresses that lead to the page.
    pub aliases: Vec<Written>,
    /// Where the key `aliases` is written.
    pub aliases_key: Span,
}

/// An address, and where it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The address.
    pub text: String,
    /// Its place in the file.
    pub span: Span,
}

impl AddressKeys {
    /// Reads the keys. Returns `None` for a file that has neither.
    pub fn of(data: &Node) -> Option<Box<Self>> {
        let written = |node: &Node| {
            let text = node.text().filter(|text| !text.is_empty())?.to_owned();
            Some(Written { text, span: node.span })
        };
        let path = data.get("path").and_then(written);
        let slug = data.get("slug").and_then(written);
        let aliases = data.entries().iter().find(|(key, _)| key.name == "aliases");
        let (aliases_key, aliases) = match aliases {
            Some((key, node)) => match &node.value {
                Value::List(items) => (key.span, items.iter().filter_map(written).collect()),
                _ => (key.span, written(node).into_iter().collect()),
            },
            None => (Span::default(), Vec::new()),
        };
        let has_any = path.is_some() || slug.is_some() || !aliases.is_empty();
        has_any.then(|| Box::new(AddressKeys { path, slug, aliases, aliases_key }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use sitegen_core::paths::SourcePath;

    #[test]
    fn one_alias_may_stand_alone() {
        let read = |text: &str| AddressKeys::of(&yaml::parse(&SourcePath::new("a.yaml"), text, 0).unwrap());
        let texts = |text: &str| {
            let keys = read(text).unwrap_or_default();
            (keys.path.map(|path| path.text), keys.aliases.into_iter().map(|alias| alias.text).collect::<Vec<_>>())
        };
        assert_eq!(texts("aliases: /old\n"), (None, vec!["/old".to_owned()]));
        assert_eq!(
            texts("path: /A.html\naliases: [/a, 5, /b]\n"),
            (Some("/A.html".to_owned()), vec!["/a".to_owned(), "/b".to_owned()])
        );
        assert_eq!(read("title: A\npath: [a]\naliases: {}\n"), None);
    }
}
