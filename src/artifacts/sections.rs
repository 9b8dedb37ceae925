//! Which pages of the cache link to a section that is gone.

use super::references::has_section;
use super::sealed::Sealed;
use crate::AT_A_TIME;
use crate::cache::{Cache, Digested, Query};
use crate::content::{self};
use rayon::prelude::*;

/// Whether every section is there that a cached page links to. Nothing else that these pages depend on can have changed
/// since they were rendered.
#[derive(Hash)]
pub struct Sections<'a> {
    /// Of this, the routes.
    pub site: Digested<&'a content::Site>,
    /// Of these, the ids, and the sections that they link to.
    pub sealed: Digested<&'a [Sealed]>,
}

impl Query for Sections<'_> {
    const KIND: &'static str = "sections";
    type Output = ();
    /// The numbers of the pages that link to a section that is gone.
    type Refused = Vec<usize>;

    fn run(&self, _: &Cache) -> Result<(), Vec<usize>> {
        let is_gone = |(route, id): &(String, String)| !has_section(&self.site, &self.sealed, route, id);
        let pages = self.sealed.par_iter().enumerate().with_min_len(AT_A_TIME);
        let stale = pages.filter(|(_, sealed)| match sealed {
            Sealed::Cached(cached) => cached.sections.iter().any(is_gone),
            Sealed::Fresh(_) => false,
        });
        let stale: Vec<usize> = stale.map(|(number, _)| number).collect();
        if stale.is_empty() { Ok(()) } else { Err(stale) }
    }
}
