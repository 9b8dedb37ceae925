//! Which pages of the cache link to a section, or to a file that the build makes, that is gone.

use super::references::has_section;
use super::sealed::Sealed;
use crate::cache::{Cache, Digested, Query};
use crate::content::{self};
use crate::parallel;
use std::collections::BTreeSet;

/// Whether every section and file is there that a cached page links to, as far as no key of the page depends on it. Nothing
/// else that these pages depend on can have changed since they were rendered.
#[derive(Hash)]
pub struct Sections<'a> {
    /// Of this, the routes.
    pub site: Digested<&'a content::Site>,
    /// Of these, the ids, and the sections that they link to.
    pub sealed: Digested<&'a [Sealed]>,
    /// The paths of feeds and of the icon, with a slash before them.
    pub files: BTreeSet<String>,
}

impl Query for Sections<'_> {
    const KIND: &'static str = "sections";
    type Output = ();
    /// The numbers of the pages that link to a section that is gone.
    type Refused = Vec<usize>;

    fn run(&self, _: &Cache) -> Result<(), Vec<usize>> {
        let is_gone = |(route, id): &(String, String)| match id.as_str() {
            "" => !self.files.contains(route),
            id => !has_section(&self.site, &self.sealed, route, id),
        };
        let is_stale = |number: usize| match &self.sealed[number] {
            Sealed::Cached(cached) => cached.sections.iter().any(is_gone),
            Sealed::Fresh(_) => false,
        };
        let stale = parallel::flat_map_numbers(self.sealed.len(), |number| is_stale(number).then_some(number));
        if stale.is_empty() { Ok(()) } else { Err(stale) }
    }
}
