//! What a host serves, and the proof that it is whole.
//!
//! [`seal`] reads the facts of every page from its final bytes, once. The policy, the check of references and the
//! sitemap follow from those facts, so they cannot disagree with the page.
//!
//! 1. Facts are read.
//! 2. Each page gets its policy.
//! 3. Files are named: pages by their routes, assets by their digests.
//! 4. Everything that a page refers to is looked for among them.

mod facts;
mod html;
mod policy;
mod references;
mod sitemap;

use crate::content::Site;
use crate::content::settings::RouteFiles;
use crate::diagnostics::{Checked, Diagnostic, Place, Problem};
use crate::islands::Islands;
use crate::pages::{NOT_FOUND, Page};
use crate::paths::{OutputPath, Route, SourcePath, media_type};
use crate::sources::Sources;
use crate::styles::Styles;
use facts::Facts;
use rayon::prelude::*;
use references::Targets;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The finished site: every file by its path.
#[derive(Clone, Debug, Default)]
pub struct Artifacts {
    files: BTreeMap<OutputPath, Arc<[u8]>>,
    /// How many pages there are.
    pub pages: usize,
}

impl Artifacts {
    /// Every file in the order of its path, with its bytes and media type.
    pub fn iter(&self) -> impl Iterator<Item = (&OutputPath, &Arc<[u8]>, &'static str)> {
        self.files.iter().map(|(path, bytes)| (path, bytes, media_type(path.as_str())))
    }

    /// A site of the given files, without pages.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (OutputPath::new(path), Arc::from(bytes))).collect();
        Artifacts { files, pages: 0 }
    }

    /// The bytes of one file.
    pub fn get(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.files.get(&OutputPath::new(path))
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Makes the finished site. See the module for its passes.
pub fn seal(
    sources: &Sources,
    site: &Site,
    styles: &Styles,
    islands: &Islands,
    pages: Vec<Page>,
) -> Checked<Artifacts> {
    // 1. facts
    let facts: Vec<Facts> = pages.par_iter().map(|page| Facts::of(&page.html)).collect();

    // 2. policies
    let mut found = Vec::new();
    let sealed: Vec<Result<Arc<[u8]>, Vec<Diagnostic>>> =
        pages.par_iter().zip(&facts).map(|(page, facts)| with_policy(page, facts)).collect();

    // 3. files
    let mut files = Files { files: BTreeMap::new(), found: Vec::new() };
    for (page, bytes) in pages.iter().zip(sealed) {
        match bytes {
            Ok(bytes) => {
                for name in file_names(&page.route, site.settings.routes) {
                    files.add(&name, bytes.clone(), page.source.as_ref());
                }
            }
            Err(mut problems) => found.append(&mut problems),
        }
    }
    for asset in site.assets.iter() {
        files.add(&asset.url, asset.bytes.clone(), Some(&asset.source));
    }
    for (path, bytes) in styles.files.iter().chain(&islands.files) {
        files.add(path, bytes.clone(), None);
    }
    for (path, source, bytes) in &site.public {
        files.add(path.as_str(), bytes.clone(), Some(source));
    }
    for (name, text) in sitemap::files(site, &pages) {
        files.add_default(name, text);
    }
    found.append(&mut files.found);
    let files = files.files;

    // 4. references
    let targets = Targets {
        pages: pages.iter().map(|page| page.route.as_str()).zip(&facts).collect(),
        files: files.keys().map(|path| format!("/{path}")).collect(),
    };
    found.extend(references::check(sources, site, &pages, &facts, &targets));
    let count = pages.iter().filter(|page| page.route.as_str() != NOT_FOUND).count();
    Checked::new(Artifacts { files, pages: count }, found)
}

/// Puts the policy into a page, or tells what in the page no policy can allow.
fn with_policy(page: &Page, facts: &Facts) -> Result<Arc<[u8]>, Vec<Diagnostic>> {
    let site_file = SourcePath::new(crate::content::SITE_FILE);
    let place = || Place::file(page.source.as_ref().unwrap_or(&site_file));
    if !facts.blocked.is_empty() {
        let told = facts.blocked.iter().map(|what| Diagnostic::error(Problem::Policy { what: what.clone() }, place()));
        return Err(told.collect());
    }
    let Some(at) = facts.policy_at else {
        let detail = "the page has no `<head>`, so it can carry no security policy".into();
        return Err(vec![Diagnostic::error(Problem::Markup { detail }, place())]);
    };
    let policy = policy::policy(facts);
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let mut html = String::with_capacity(page.html.len() + meta.len());
    html.push_str(&page.html[..at]);
    html.push_str(&meta);
    html.push_str(&page.html[at..]);
    Ok(Arc::from(html.into_bytes()))
}

/// The files that a route is written as.
pub fn file_names(route: &Route, files: RouteFiles) -> Vec<String> {
    let path = &route.as_str()[1..];
    if route.is_home() {
        return vec!["index.html".to_owned()];
    }
    // Every host looks for this very name (GitHub Pages, Netlify, Cloudflare Pages, Vercel).
    if route.as_str() == NOT_FOUND {
        return vec!["404.html".to_owned()];
    }
    let (file, folder) = (format!("{path}.html"), format!("{path}/index.html"));
    match files {
        RouteFiles::Both => vec![file, folder],
        RouteFiles::File => vec![file],
        RouteFiles::Directory => vec![folder],
    }
}

/// Files as they are named, and the names that are taken twice.
struct Files {
    files: BTreeMap<OutputPath, Arc<[u8]>>,
    found: Vec<Diagnostic>,
}

impl Files {
    fn add(&mut self, path: &str, bytes: Arc<[u8]>, source: Option<&SourcePath>) {
        let path = OutputPath::new(path.trim_start_matches('/'));
        // Bundlers and assets may make the same file of the same bytes.
        if self.files.get(&path).is_some_and(|other| **other != *bytes) {
            let problem = Problem::DuplicateOutput { path: path.to_string() };
            self.found.push(match source {
                Some(source) => Diagnostic::error(problem, Place::file(source)),
                None => Diagnostic::failure(problem),
            });
            return;
        }
        self.files.insert(path, bytes);
    }

    /// Adds a file unless the site brings its own.
    fn add_default(&mut self, path: &str, text: String) {
        self.files.entry(OutputPath::new(path)).or_insert_with(|| Arc::from(text.into_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_written_as_the_setting_says() {
        let careers = Route::of_page("careers");
        assert_eq!(file_names(&careers, RouteFiles::Both), ["careers.html", "careers/index.html"]);
        assert_eq!(file_names(&careers, RouteFiles::File), ["careers.html"]);
        assert_eq!(file_names(&careers, RouteFiles::Directory), ["careers/index.html"]);
        assert_eq!(file_names(&Route::home(), RouteFiles::File), ["index.html"]);
        assert_eq!(file_names(&Route::of_page("404"), RouteFiles::Both), ["404.html"]);
    }
}
