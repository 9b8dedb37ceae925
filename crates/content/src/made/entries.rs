//! Pages that each show one entry.

use super::super::collections::{Entry, EntryChunk};
use super::super::languages::prefixed;
use super::super::page_source::{fill, parts};
use super::super::plan::{Made, Outlined, PageFile, pattern_of, placed_at};
use super::super::schedule::State;
use super::super::terms::word;
use super::super::yaml::{Node, Value};
use super::chunk::{MadeChunk, page};
use sitegen_core::cache::{Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{AddressProblem, Diagnostic, Place};
use sitegen_core::paths::Format;
use sitegen_core::sources::Digest;

/// The pages that a file makes about the entries of a chunk.
///
/// Their numbers and neighbours are given, so that a change of one entry leaves the pages of other chunks as they are.
#[derive(Hash)]
pub struct PagesOfEntries<'a> {
    /// The file with `for_each`, by its path and bytes.
    pub file: Digested<&'a PageFile>,
    /// The name of the collection.
    pub collection: &'a str,
    /// The number of the chunk in it.
    pub number: usize,
    /// The chunk, by the keys of its entries.
    pub entries: Digested<&'a EntryChunk>,
    /// Those that are shown or have expired.
    pub shown: Vec<EntryPlace>,
}

/// Where an entry stands.
#[derive(Hash)]
pub struct EntryPlace {
    /// Its place in the chunk.
    pub in_chunk: usize,
    /// Its number in the collection.
    pub number: usize,
    /// The entry before it, in the order of the page that lists the collection: its number, and the digest of its keys.
    pub previous: Option<(usize, Digest)>,
    /// The entry after it.
    pub next: Option<(usize, Digest)>,
}

impl Query for PagesOfEntries<'_> {
    const KIND: &'static str = "pages of entries";
    type Output = MadeChunk;
    type Refused = (MadeChunk, Vec<Diagnostic>);

    fn run(&self, _: &Cache) -> Result<MadeChunk, (MadeChunk, Vec<Diagnostic>)> {
        let mut diagnostics = Vec::new();
        let mut pages = Vec::with_capacity(self.entries.entries.len());
        for place in &self.shown {
            let entry = &self.entries.entries[place.in_chunk];
            let made = Made {
                collection: self.collection.to_owned(),
                number: Some(place.number),
                entry: Some(entry.source.clone()),
                name: Some(entry.name()),
                previous: place.previous.map(|(number, _)| number),
                next: place.next.map(|(number, _)| number),
                digest: digest(entry, [place.previous, place.next]),
                ..Made::default()
            };
            pages.extend(self.page(entry, made, &mut diagnostics));
        }
        for entry in &self.entries.entries {
            if matches!(entry.state, State::Draft | State::Waiting(_)) {
                let digest = digest(entry, [None, None]);
                let made =
                    Made { entry: Some(entry.source.clone()), name: Some(entry.name()), digest, ..Made::default() };
                pages.extend(self.page(entry, made, &mut diagnostics));
            }
        }
        let chunk = MadeChunk::of(&self.file, pages, Some((self.collection.to_owned(), self.number)));
        if diagnostics.is_empty() { Ok(chunk) } else { Err((chunk, diagnostics)) }
    }
}

/// Returns the digest of the keys of an entry and of its neighbours.
fn digest(entry: &Entry, neighbours: [Option<(usize, Digest)>; 2]) -> Digest {
    digest_of(&(entry.keys, neighbours.map(|neighbour| neighbour.map(|(_, keys)| keys))))
}

impl PagesOfEntries<'_> {
    fn page(&self, entry: &Entry, made: Made, diagnostics: &mut Vec<Diagnostic>) -> Option<Outlined> {
        let hidden = (entry.state != State::Shown).then_some(entry.state);
        // That of files in other formats follows from their names: an entry may have a page and a calendar.
        let format = Format::of(&self.file.pattern);
        if let Some(own) = entry.outline.own_path().filter(|own| Format::of(&own.text) == format) {
            let placed = pattern_of(own).map(|path| placed_at(&prefixed(&self.file.prefix, path)));
            let problem = match placed {
                Ok((route, None)) => return Some(page(&self.file, route, made, hidden)),
                Ok((_, Some(problem))) | Err(problem) => problem,
            };
            let place = Place::new(&entry.source, own.span);
            diagnostics.push(Diagnostic::new(problem, place).while_making(&self.file.path));
            return None;
        }
        let mut wrong = None;
        let path = fill(&parts(&self.file.pattern)?, |name| {
            if name == "slug" {
                let translated = entry.outline.slug().filter(|_| entry.source.has_language());
                return Some(translated.map_or(&entry.slug, |slug| &slug.text).clone());
            }
            let value = entry.value(name).and_then(|node| in_address(&node));
            if value.is_none() {
                wrong = Some(name.to_owned());
            }
            value
        });
        let (route, refused) = match (path, wrong) {
            (Some(path), None) => placed_at(&path),
            (_, name) => {
                let mut name = name.unwrap_or_default();
                let mut found = entry.value(&name);
                // These come from the date where they are no keys.
                if found.is_none() && ["year", "month", "day"].contains(&name.as_str()) {
                    name = "date".to_owned();
                    found = entry.value(&name);
                }
                let place = found.as_ref().map_or_else(|| entry.place(), |node| Place::new(&entry.source, node.span));
                let found = found.as_deref().filter(|node| node.value != Value::Null).map(Node::kind);
                let problem = AddressProblem::AddressKey { key: name, found };
                diagnostics.push(Diagnostic::new(problem, place).while_making(&self.file.path));
                return None;
            }
        };
        if let Some(problem) = refused {
            diagnostics.push(Diagnostic::new(problem, entry.place()).while_making(&self.file.path));
            return None;
        }
        Some(page(&self.file, route, made, hidden))
    }
}

/// Returns a value as a part of an address, if it is a word or a number.
fn in_address(node: &Node) -> Option<String> {
    let slug = slug::slugify(word(node)?);
    (!slug.is_empty()).then_some(slug)
}
