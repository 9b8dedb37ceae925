//! What a host serves, and the proof that it is whole.
//!
//! [`seal`] reads the facts of every page from its final bytes, once. The policy, the check of references and the
//! sitemap follow from those facts, so they cannot disagree with the page.
//!
//! 1. Facts are read.
//! 2. Each page gets its policy.
//! 3. Files are named: pages by their routes, assets by their digests.
//! 4. What is wrong with a page, and what it refers to that is not there, is told at the line that wrote it.

mod budgets;
mod facts;
mod markup;
mod policy;
mod references;
mod sitemap;

use crate::content::schedule::Schedule;
use crate::content::settings::{RouteFiles, Settings};
use crate::content::{Document, SITE_FILE, Site};
use crate::diagnostics::{Checked, Diagnostic, Place, Problem, code};
use crate::pages::{self, Inputs, NOT_FOUND, Page};
use crate::paths::{OutputPath, Route, SourcePath, media_type};
use facts::{Facts, Mistake, Spot};
use rayon::prelude::*;
use references::Targets;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The finished site: every file by its path.
#[derive(Clone, Debug, Default)]
pub struct Artifacts {
    files: BTreeMap<OutputPath, Arc<[u8]>>,
    /// How many pages there are.
    pub pages: usize,
    /// What was left out.
    pub schedule: Schedule,
}

impl Artifacts {
    /// Every file in the order of its path, with its bytes and media type.
    pub fn iter(&self) -> impl Iterator<Item = (&OutputPath, &Arc<[u8]>, &'static str)> {
        self.files.iter().map(|(path, bytes)| (path, bytes, media_type(path.as_str())))
    }

    /// A site of the given files, without pages.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (OutputPath::new(path), Arc::from(bytes))).collect();
        Artifacts { files, pages: 0, schedule: Schedule::default() }
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
pub fn seal(inputs: Inputs, pages: Vec<Page>) -> Checked<Artifacts> {
    let Inputs { site, styles, islands, .. } = inputs;
    // 1. facts
    let facts: Vec<Facts> = pages.par_iter().map(|page| Facts::of(&page.html)).collect();

    // 2. policies
    let sealed: Vec<Arc<[u8]>> = pages.par_iter().zip(&facts).map(|(page, facts)| with_policy(page, facts)).collect();

    // 3. files
    let mut files = Files { files: BTreeMap::new(), found: Vec::new() };
    for (page, bytes) in pages.iter().zip(sealed) {
        for name in file_names(&page.route, site.settings.routes) {
            files.add(&name, bytes.clone(), page.source.as_ref());
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
    let Files { files, mut found } = files;

    // 4. mistakes
    let targets = Targets {
        pages: pages.iter().map(|page| page.route.as_str()).zip(&facts).collect(),
        files: files.keys().map(|path| format!("/{path}")).collect(),
        hidden: &site.hidden,
    };
    let mistakes: Vec<Vec<Mistake>> =
        pages.par_iter().zip(&facts).map(|(page, facts)| mistakes(page, facts, &site.settings, &targets)).collect();
    found.extend(placed(inputs, &pages, mistakes));
    // React's development build is several times as large, and no visitor gets it.
    if !inputs.profile.development {
        found.extend(over_budget(site, &pages, &facts, &files));
    }
    let count = pages.iter().filter(|page| page.route.as_str() != NOT_FOUND).count();
    Checked::new(Artifacts { files, pages: count, schedule: site.schedule.clone() }, found)
}

/// Everything that is wrong with a page, given the rest of the site.
fn mistakes(page: &Page, facts: &Facts, settings: &Settings, targets: &Targets) -> Vec<Mistake> {
    let own = facts.mistakes.iter().map(|each| Mistake { problem: each.problem.clone(), spot: each.spot.clone() });
    let broken = facts.references.iter().filter_map(|reference| {
        let problem = references::check(reference, page, settings, targets)?;
        Some(Mistake { problem, spot: Some(reference.spot.clone()) })
    });
    let headless = facts.policy_at.is_none().then_some(Mistake { problem: Problem::MissingHead, spot: None });
    own.chain(broken).chain(headless).collect()
}

/// Mistakes as diagnostics at the lines that made them. One that a template puts into many pages is told once.
fn placed(inputs: Inputs, pages: &[Page], mistakes: Vec<Vec<Mistake>>) -> Vec<Diagnostic> {
    let wrong: BTreeSet<&Route> =
        pages.iter().zip(&mistakes).filter(|(_, mistakes)| !mistakes.is_empty()).map(|(page, _)| &page.route).collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    let traces = pages::trace(inputs, |route| wrong.contains(route));
    let documents: BTreeMap<&Route, &Document> =
        inputs.site.pages.iter().map(|page| (&page.route, &page.document)).collect();
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for (page, mistakes) in pages.iter().zip(mistakes) {
        for Mistake { problem, spot } in mistakes {
            let document = documents.get(&page.route);
            let site_file = SourcePath::new(SITE_FILE);
            let whole = Place::file(page.source.as_ref().unwrap_or(&site_file));
            let template =
                inputs.site.pages.iter().find(|known| known.route == page.route).map(|known| &known.template);
            let places = match (&spot, &problem) {
                (Some(Spot { island: Some(island), attribute, .. }), _) => {
                    let value = attribute.as_ref().and_then(|(_, value)| value.as_deref());
                    Some(vec![pages::trace::in_island(inputs.sources, island, value)])
                }
                // What a page lacks as a whole, its template lacks.
                (None, Problem::MissingHead | Problem::MissingTitle) => {
                    template.map(|name| vec![Place::file(&SourcePath::new(format!("templates/{name}")))])
                }
                _ => spot.as_ref().and_then(|spot| {
                    let origin = traces.0.get(&page.route)?.get(spot.tag)?;
                    let attribute = spot.attribute.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
                    Some(pages::trace::places(inputs.sources, inputs.site, document?, origin, attribute))
                }),
            };
            for place in places.unwrap_or_else(|| vec![whole]) {
                if told.insert((place.clone(), code(&problem))) {
                    let elsewhere = page.source.as_ref().filter(|source| **source != place.path);
                    let diagnostic = Diagnostic::error(problem.clone(), place);
                    found.push(match elsewhere {
                        Some(source) => diagnostic.while_making(source),
                        None => diagnostic,
                    });
                }
            }
        }
    }
    found
}

/// Pages for which visitors download more than `site.yaml` allows.
fn over_budget(
    site: &Site,
    pages: &[Page],
    facts: &[Facts],
    files: &BTreeMap<OutputPath, Arc<[u8]>>,
) -> Vec<Diagnostic> {
    let sizes = budgets::Sizes::default();
    let file = |address: &str| {
        let path = address.strip_prefix(site.settings.base_path.as_str())?.trim_start_matches('/');
        files.get(&OutputPath::new(path)).cloned()
    };
    // The engine's own page for unknown paths is not the site's to make smaller.
    let own = pages.par_iter().zip(facts).filter(|(page, _)| page.source.is_some());
    let told = own.flat_map_iter(|(page, facts)| {
        let html = file(&format!("{}/{}", site.settings.base_path, file_names(&page.route, site.settings.routes)[0]));
        let over = budgets::check(&site.settings.budgets, &html.unwrap_or_default(), facts, &file, &sizes);
        let site_file = SourcePath::new(SITE_FILE);
        let source = page.source.clone().unwrap_or(site_file);
        over.into_iter().map(move |problem| Diagnostic::error(problem, Place::file(&source)))
    });
    told.collect()
}

/// The page with its policy. A page without a head can carry none, which is an error of its own.
fn with_policy(page: &Page, facts: &Facts) -> Arc<[u8]> {
    let at = facts.policy_at.unwrap_or(0);
    let meta = format!("\n<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", policy::policy(facts));
    let mut html = String::with_capacity(page.html.len() + meta.len());
    html.push_str(&page.html[..at]);
    html.push_str(&meta);
    html.push_str(&page.html[at..]);
    Arc::from(html.into_bytes())
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
