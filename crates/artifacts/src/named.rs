//! Names the files of the site: pages by their routes, assets by their digests.

use super::Content;
use super::derived::{self, Derived, Pictures};
use super::feed_files::FeedFile;
use super::files::Naming;
use super::sealed::{ICON, Sealed};
use super::sitemap;
use super::unused::unused_modules;
use sitegen_content as content;
use sitegen_core::diagnostics::{AssetProblem, Diagnostic, Place, Problem};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_pages::{self as pages, Inputs, Page};
use sitegen_search as search;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What files other than pages are made of.
pub struct Others<'a> {
    /// The assets by the names that pages have of them.
    pub pictures: Pictures<'a>,
    /// The sitemap, `robots.txt` and the like.
    pub sitemap: Arc<Vec<(Cow<'static, str>, Content)>>,
    /// With the file of the list of each.
    pub feeds: Vec<FeedFile>,
    /// What is wrong with feeds.
    pub of_feeds: Vec<Diagnostic>,
}

/// The files with their names.
pub struct NamedFiles<'p> {
    /// All files but those for the host.
    pub naming: Naming<'p>,
    /// Why files could not be made that pages name, by their names.
    pub faults: BTreeMap<String, Problem>,
    /// What is wrong with names, feeds and assets.
    pub diagnostics: Vec<Diagnostic>,
}

/// Names all files but those for the host, and makes those that pages ask for by their names.
pub fn name_files<'p>(inputs: Inputs, pages: &'p [Page], sealed: &[Sealed], others: Others) -> NamedFiles<'p> {
    let Inputs { site, styles, islands, tools, .. } = inputs;
    let Others { pictures, sitemap, feeds, of_feeds } = others;
    let contents = parallel::map(sealed, Sealed::content);
    let mut naming = Naming::new(site, pages, contents, tools.cache());
    let bytes = |bytes: &Arc<[u8]>| Content::Bytes { bytes: bytes.clone(), digest: None };
    // A picture that a page names is reported there.
    let broken = site.assets.iter().filter_map(|asset| Some((asset.broken()?, &asset.source)));
    let broken: Vec<Diagnostic> =
        broken.map(|(problem, source)| Diagnostic::new(problem, Place::file(source))).collect();
    let requested = pictures_of(inputs, &pictures, sealed, &feeds);
    let (derived, uses) = pictures.derived(&requested);
    let derived = derived::make(derived, tools);
    let icon = derived.files.iter().find(|(path, _)| path.ends_with(".ico")).map(|(_, content)| content.clone());
    for (path, content) in derived.files {
        naming.add(&path, content, None);
    }
    let mut positions = Vec::new();
    // Nobody could find any other, and it may be of a page that is not published yet.
    for asset in site.assets.iter() {
        let is_published = uses.named.contains(asset.file.as_str()) || styles.used.contains(&asset.source);
        if let Some(source) = inputs.sources.get(&asset.source).filter(|_| is_published) {
            naming.add(&asset.file, Content::of(source), Some(&asset.source));
            if let Some(Ok(header)) =
                asset.header().filter(|header| matches!(header, Ok(header) if header.has_position))
            {
                let problem = AssetProblem::PicturePosition { is_copied: !header.is_animated };
                let place = Place::file(&asset.source);
                positions.push(Diagnostic::new(problem, place));
            }
        }
    }
    for (path, file) in &styles.files {
        naming.add(path, bytes(file), None);
    }
    let unused = unused_modules(islands, sealed);
    for (path, file) in islands.files.iter().filter(|(path, _)| !unused.contains(path.as_str())) {
        naming.add(path, bytes(&sitegen_islands::below(file, &site.settings.base_path)), None);
    }
    for (path, source, file) in &site.public {
        naming.add(path.as_str(), Content::of(file), Some(source));
    }
    if let Some(icon) = icon {
        naming.add_made(ICON, icon);
    }
    for (path, text, source) in feeds {
        naming.add(&path, Content::Bytes { bytes: Arc::from(text.into_bytes()), digest: None }, Some(&source));
    }
    for (name, content) in sitemap.iter() {
        match site.settings.staging && name == sitemap::ROBOTS {
            // What the site's own file lets search engines see does not apply to this address.
            true => naming.put(name, content.clone()),
            false => naming.add_default(name, content.clone()),
        }
    }
    if site.settings.options.search {
        let _work = Work::on(tools.observer(), "search");
        let mut add = |path: &str, bytes: &Arc<[u8]>| {
            naming.add(path, Content::Bytes { bytes: bytes.clone(), digest: None }, None);
        };
        add(&search::script_path(), &Arc::from(search::SCRIPT.as_bytes()));
        let (later, now): (Vec<_>, Vec<_>) =
            searched_pages(site, pages, sealed).into_iter().partition(|_| tools.defers());
        for searched in now {
            searched.index(tools.cache()).iter().for_each(|(path, file)| add(path, file));
        }
        for searched in later {
            let path = search::index_path(&searched.name);
            naming.add(&path, Content::Index(Arc::new(searched.later(tools.cache()))), None);
        }
    }
    naming.find_folders();
    let mut diagnostics = naming.diagnostics();
    diagnostics.extend(of_feeds);
    diagnostics.extend(broken);
    diagnostics.extend(positions);
    let is_used = |file: &str| uses.named.contains(file) || uses.copied.contains(file);
    diagnostics.extend(pages::unused_assets(inputs, is_used));
    NamedFiles { naming, faults: derived.faults, diagnostics }
}

/// Returns the files that have to be made from others, by their names.
pub fn derived_files(inputs: Inputs, sealed: &[Sealed], others: &Others) -> BTreeMap<String, Derived> {
    others.pictures.derived(&pictures_of(inputs, &others.pictures, sealed, &others.feeds)).0
}

/// Returns the assets, and copies of pictures, that anything in the site names.
fn pictures_of(inputs: Inputs, pictures: &Pictures, sealed: &[Sealed], feeds: &[FeedFile]) -> BTreeSet<String> {
    let of_pages: BTreeSet<&String> = sealed.iter().flat_map(|page| &page.summary.pictures).collect();
    let mut names: BTreeSet<String> = of_pages.into_iter().cloned().collect();
    for (_, text, _) in feeds {
        names.extend(pictures.named_in(text, None));
    }
    for (_, file) in inputs.islands.files.iter().chain(&inputs.styles.files) {
        if let Ok(text) = std::str::from_utf8(file) {
            names.extend(pictures.named_in(text, None));
        }
    }
    names.extend(pictures.named_in(&inputs.styles.css, None));
    // Redirects and headers may lead to a file, and so may what is published unchanged.
    for view in &inputs.site.views {
        view.data.each_text(&mut |text| names.extend(pictures.named_in(text, None)));
    }
    for (_, _, file) in &inputs.site.public {
        names.extend(file.text().map(|text| pictures.named_in(text, None)).into_iter().flatten());
    }
    names
}

/// Returns the pages that visitors can search, for each index.
fn searched_pages(site: &content::Site, pages: &[Page], sealed: &[Sealed]) -> Vec<search::Pages> {
    let settings = &site.settings;
    // The index is on all hosts.
    let address = |route: &str| match settings.hosts.is_one() {
        true => content::address::inside(&settings.base_path, route),
        false => settings.absolute(route),
    };
    let name = |language: &str| search::index_name(language, site.views.iter().map(|view| view.language.tag.as_str()));
    let mut indexes = BTreeMap::from([(name(&site.settings.language), Vec::new())]);
    for (page, sealed) in pages.iter().zip(sealed) {
        let Some(text) = &sealed.summary.search else { continue };
        let searched = indexes.entry(name(&text.language)).or_default();
        searched.push((address(page.route.as_str()), text.clone()));
    }
    let mut all = Vec::new();
    for (name, mut pages) in indexes {
        pages.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        all.push(search::Pages { name, pages });
    }
    all
}
