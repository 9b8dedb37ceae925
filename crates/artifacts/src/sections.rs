//! Which pages of the cache link to a section, or to a file that the build makes, that is gone.

use super::feed_files::FeedFile;
use super::references::has_section;
use super::sealed::{ICON, Sealed, is_optional};
use sitegen_content::{self as content, Site};
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::parallel;
use std::collections::BTreeSet;

/// Whether every section and file is there that a cached page links to, as far as no key of the page depends on it. Nothing
/// else that these pages depend on can have changed since they were rendered.
#[derive(Hash)]
pub struct Sections<'a> {
    /// Of this, the routes.
    pub site: Digested<&'a content::Site>,
    /// Of these, the ids, and the sections that they link to.
    pub sealed: Digested<&'a [Sealed]>,
    /// The [`optional_files`].
    pub files: BTreeSet<String>,
}

/// Returns the paths of feeds and of the icon, as far as there are any, with a slash before them.
pub fn optional_files(site: &Site, feeds: &[FeedFile], sealed: &[Sealed]) -> BTreeSet<String> {
    let public = site.public.iter().map(|(path, ..)| format!("/{path}")).filter(|path| is_optional(path));
    let feeds = feeds.iter().map(|(path, ..)| format!("/{path}"));
    // An icon that a page names is published at that path too.
    let has_icon = sealed.iter().any(|page| page.summary.pictures.iter().any(|name| name.ends_with(".ico")));
    public.chain(feeds).chain(has_icon.then(|| format!("/{ICON}"))).collect()
}

impl Query for Sections<'_> {
    const KIND: &'static str = "sections";
    type Output = ();
    /// The numbers of the pages that link to a section that is gone.
    type Refused = Vec<usize>;

    fn run(&self, _: &Cache) -> Result<(), Vec<usize>> {
        let is_gone = |(route, id): (&str, &str)| match id {
            "" => !self.files.contains(route),
            id => !has_section(&self.site, &self.sealed, route, id),
        };
        // Of a fresh page, they are not known yet.
        let is_stale = |number: usize| self.sealed[number].summary.links.sections().any(is_gone);
        let stale = parallel::flat_map_numbers(self.sealed.len(), |number| is_stale(number).then_some(number));
        if stale.is_empty() { Ok(()) } else { Err(stale) }
    }
}
