//! Outlines: what a build needs to know of every page, changed or not.

use super::page_source::PageSource;
use super::parsed::ParsedDocument;
use super::read::read_file;
use super::reference;
use super::schedule::Dates;
use super::yaml::{Node, Value};
use crate::cache::{Cache, Key, Persistent};
use crate::diagnostics::{Diagnostic, Place, Problem};
use crate::paths::SourcePath;
use crate::sources::{Digest, Source, digest};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The keys of a page that the engine acts on before it renders the page. They depend on the bytes of its file alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Whether a reference may name something else than `site` and what the page is made from: an entry of any
    /// collection.
    pub refers_to_entries: bool,
    /// Whether it may contain something that must not go live.
    pub has_placeholders: bool,
    /// What makes several pages of it.
    pub source: Option<Box<PageSource>>,
    /// Its keys as `postcard` encodes them. Decoding takes a tenth of the time of parsing, and only rendered pages need
    /// it.
    packed: Vec<u8>,
}

impl Persistent for Outline {}

impl Outline {
    /// Creates the outline of a file.
    pub fn of(draft: &ParsedDocument) -> Self {
        let text = |key: &str| draft.data.get(key).and_then(Node::text).map(str::to_owned);
        let source = PageSource::of(&draft.data).map(Box::new);
        let has = |text: &str| memmem::find(draft.text.as_bytes(), text.as_bytes()).is_some();
        let refers = has("{{") || has("}}");
        let keys = draft.body.map_or(draft.text, |(_, start)| &draft.text[..start]);
        Outline {
            template: text("template"),
            updated: text("updated"),
            language: text("language"),
            noindex: draft.data.get("noindex").is_some_and(|node| node.value == Value::Bool(true)),
            dates: Dates::of(&draft.data),
            keys: digest(keys.as_bytes()),
            refers,
            refers_to_entries: refers && refers_to_entries(draft.text, source.as_deref()),
            has_placeholders: super::placeholder::may_be_in(draft.text),
            source,
            packed: postcard::to_stdvec(&draft.data).unwrap_or_default(),
        }
    }

    /// Returns its keys, as written.
    pub fn data(&self) -> Option<Node> {
        postcard::from_bytes(&self.packed).ok()
    }
}

/// Whether a file has references to anything else than `site` and, in a file that makes pages, what they are made from. In
/// doubt, as with escapes of YAML and calls of components, it has.
fn refers_to_entries(text: &str, source: Option<&PageSource>) -> bool {
    let each = source.and_then(|source| source.for_each.as_ref());
    let is_own = |root: &str| match root {
        "site" => true,
        "entry" => each.is_some_and(|each| each.key.is_none()),
        "term" => each.is_some_and(|each| each.key.is_some()),
        "list" => source.is_some_and(|source| source.list.is_some()),
        _ => false,
    };
    let mut closed = 0;
    let refers = reference::find(text).any(|reference| {
        closed += 1;
        !reference.is_closed || !is_own(reference.path.split('.').next().unwrap_or_default())
    });
    refers || text.matches("}}").count() != closed
}

/// The result of reading a file for its outline.
pub struct Read<T> {
    /// What is known of it.
    pub page: Option<T>,
    /// Its keys, if they had to be parsed.
    pub keys: Option<Node>,
    /// What is wrong with it.
    pub problems: Vec<Diagnostic>,
}

impl<T> Read<T> {
    /// The result for a file that cannot be read.
    pub fn refused(problem: Problem, path: &SourcePath) -> Self {
        Read { page: None, keys: None, problems: vec![Diagnostic::error(problem, Place::file(path))] }
    }
}

/// Reads the outline of a page or an entry.
pub fn outlined_file(path: &SourcePath, source: &Source, cache: &Cache) -> Read<Arc<Outline>> {
    let key = outline_key(path, source.digest);
    if let Some(outline) = cache.get_saved(&key) {
        return Read { page: Some(outline), keys: None, problems: Vec::new() };
    }
    let mut problems = Vec::new();
    let Some(draft) = read_file((path, source), &mut problems) else {
        return Read { page: None, keys: None, problems };
    };
    let outline = Arc::new(Outline::of(&draft));
    // A file with a problem is not cached, so that every build reports it.
    if problems.is_empty() {
        cache.store_saved(key, outline.clone());
    }
    Read { page: Some(outline), keys: Some(draft.data), problems }
}

/// Returns the key of a file's outline.
pub fn outline_key(path: &SourcePath, digest: Digest) -> Digest {
    Key::of("outline").with(path.extension().unwrap_or_default()).with(digest).done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::page_source::ForEach;

    #[test]
    fn references_to_other_entries_are_distinguished_from_those_to_the_own_one() {
        let each = |key: Option<&str>| PageSource {
            for_each: Some(ForEach {
                collection: "news".to_owned(),
                key: key.map(str::to_owned),
                span: Default::default(),
            }),
            ..PageSource::default()
        };
        let (entries, terms) = (each(None), each(Some("tags")));
        assert!(!refers_to_entries("title: \"{{ entry.title }} at {{ site.name }}\"", Some(&entries)));
        assert!(!refers_to_entries("title: \"{{ term.name }}\"", Some(&terms)));
        for (text, source) in [
            ("{{ team.ida.name }}", Some(&entries)),
            ("{{ entry.title }}", Some(&terms)),
            ("{{ entry.title }}", None),
            ("{{ list.number }}", Some(&entries)),
            ("{{ entry.title", Some(&entries)),
            ("\\x7b\\x7b team.ida.name }}", Some(&entries)),
            ("{{ <card of=\"ida\" /> }}", Some(&entries)),
        ] {
            assert!(refers_to_entries(text, source), "{text}");
        }
        assert!(!refers_to_entries("plain", None));
    }
}
