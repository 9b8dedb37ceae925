//! Pages that a file makes, in chunks.

use super::super::plan::{Made, Outlined, Outlines, PageFile, structure};
use super::super::schedule::State;
use sitegen_core::cache::digest_of;
use sitegen_core::paths::Route;
use sitegen_core::sources::Digest;
use std::sync::Arc;

/// The pages that one file makes from the entries of one chunk, or some others.
#[derive(Debug)]
pub struct MadeChunk {
    /// The pages.
    pub outlines: Arc<Outlines>,
    /// The digest of what they are made from, but for the bodies of entries.
    pub digest: Digest,
    /// The chunk of entries that the pages are about: a collection and a number.
    pub entries: Option<(String, usize)>,
}

impl MadeChunk {
    /// A chunk of the pages that a file makes.
    pub fn of(file: &PageFile, pages: Vec<Outlined>, entries: Option<(String, usize)>) -> Self {
        let of_pages = pages.iter().map(|page| {
            // Another entry before them changes the numbers of entries that are otherwise as before.
            let numbers =
                page.made.as_deref().map(|made| (made.number, made.previous, made.next, &made.list, &made.feed));
            (&page.route, page.made.as_ref().map(|made| made.digest), numbers, page.hidden)
        });
        let digest = digest_of(&(&file.path, file.digest, of_pages.collect::<Vec<_>>()));
        let structure = structure(&pages);
        let outlines = Arc::new(Outlines { pages, structure, ..Outlines::default() });
        MadeChunk { outlines, digest, entries }
    }
}

/// A page that a file makes.
pub fn page(file: &PageFile, route: Route, made: Made, hidden: Option<State>) -> Outlined {
    let PageFile { path, digest, outline, .. } = file;
    let (path, digest, outline) = (path.clone(), *digest, Some(outline.clone()));
    Outlined { route, path, digest, outline, made: Some(Arc::new(made)), hidden }
}
