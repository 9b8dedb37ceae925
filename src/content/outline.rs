//! Outlines: what a build needs to know of every page, changed or not.

use super::parsed::ParsedDocument;
use super::schedule::Dates;
use super::yaml::{Node, Value};
use crate::cache::Persistent;
use crate::sources::{Digest, digest};
use serde::{Deserialize, Serialize};

/// The keys of a page that the engine acts on before it renders the page. They depend on the bytes of its file alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Its `template`, as written.
    pub template: Option<String>,
    /// Its `updated`, as written.
    pub updated: Option<String>,
    /// Its `language`, as written.
    pub language: Option<String>,
    /// Whether search engines are kept away.
    pub noindex: bool,
    /// When it is shown.
    pub dates: Dates,
    /// The digest of its keys: of the front matter, or of a YAML file as a whole.
    pub keys: Digest,
    /// Whether it has references like `{{ site.email }}`.
    pub refers: bool,
    /// Whether it may contain an example domain.
    pub has_placeholders: bool,
    /// Its keys as `postcard` encodes them. Decoding takes a tenth of the time of parsing, and only rendered pages need
    /// it.
    packed: Vec<u8>,
}

impl Persistent for Outline {}

impl Outline {
    /// Creates the outline of a file.
    pub fn of(draft: &ParsedDocument) -> Self {
        let text = |key: &str| draft.data.get(key).and_then(Node::text).map(str::to_owned);
        let keys = draft.body.map_or(draft.text, |(_, start)| &draft.text[..start]);
        Outline {
            template: text("template"),
            updated: text("updated"),
            language: text("language"),
            noindex: draft.data.get("noindex").is_some_and(|node| node.value == Value::Bool(true)),
            dates: Dates::of(&draft.data),
            keys: digest(keys.as_bytes()),
            refers: draft.text.contains("{{") || draft.text.contains("}}"),
            has_placeholders: draft.text.contains(super::placeholder::DOMAIN),
            packed: postcard::to_stdvec(&draft.data).unwrap_or_default(),
        }
    }

    /// Returns its keys, as written.
    pub fn data(&self) -> Option<Node> {
        postcard::from_bytes(&self.packed).ok()
    }
}
