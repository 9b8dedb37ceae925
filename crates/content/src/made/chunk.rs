//! Pages that a file makes, in chunks.

use super::super::plan::{Made, Outlined, Outlines, PageFile, structure};
use super::super::schedule::State;
use sitegen_core::cache::Key;
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
        let mut digest = Key::of("made chunk").with(file.path.as_str()).with(file.digest);
        for page in &pages {
            digest.add(page.route.as_str());
            if let Some(made) = &page.made {
                digest.add(made.digest);
                // Another entry before them changes the numbers of entries that are otherwise as before.
                let numbers = made.list.as_ref().map(|list| &list.entries);
                let Made { number, previous, next, feed, .. } = &**made;
                digest.add(format!("{number:?} {previous:?} {next:?} {numbers:?} {feed:?}"));
            }
            digest.add(format!("{:?}", page.hidden));
        }
        let structure = structure(&pages);
        let outlines = Arc::new(Outlines { pages, structure, ..Outlines::default() });
        MadeChunk { outlines, digest: digest.done(), entries }
    }
}

/// A page that a file makes.
pub fn page(file: &PageFile, route: Route, made: Made, hidden: Option<State>) -> Outlined {
    let PageFile { path, digest, outline, .. } = file;
    let (path, digest, outline) = (path.clone(), *digest, Some(outline.clone()));
    Outlined { route, path, digest, outline, made: Some(Arc::new(made)), hidden }
}
