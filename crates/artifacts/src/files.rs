//! Names the files of a site, and reports names that are taken twice.
//!
//! Pages are most of the files, and their names depend on routes alone. They are sorted once for all builds with the
//! same routes, and a page's file is found by the page's number.

use super::Content;
use sitegen_content::Site;
use sitegen_content::options::RouteFiles;
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::{Diagnostic, FileProblem, Place};
use sitegen_core::parallel;
use sitegen_core::paths::{OutputPath, Route, SourcePath, caseless};
use sitegen_pages::{NOT_FOUND, Page};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

/// The file of the 404 page. Every host looks for this name (GitHub Pages, Netlify, Cloudflare Pages,
/// Vercel).
pub const NOT_FOUND_FILE: &str = "404.html";

/// The longest name of a file or a folder in bytes (on Linux and macOS; Windows allows as many characters).
const MAX_NAME: usize = 255;

/// Reports a path with a part that is longer than file systems allow.
fn too_long(path: &str) -> Option<FileProblem> {
    let is_long = path.len() > MAX_NAME && path.split('/').any(|part| part.len() > MAX_NAME);
    is_long.then(|| FileProblem::LongName { path: path.to_owned() })
}

/// Returns the files that a route is published as.
pub fn file_names(route: &Route, files: RouteFiles) -> Vec<String> {
    let path = &route.as_str()[1..];
    if route.is_home() {
        return vec!["index.html".to_owned()];
    }
    if !route.format().is_html() {
        return vec![path.to_owned()];
    }
    if route.as_str() == NOT_FOUND {
        return vec![NOT_FOUND_FILE.to_owned()];
    }
    // An address that a page keeps exactly is that of one file.
    match path.strip_suffix('/') {
        Some(folder) => return vec![format!("{folder}/index.html")],
        None if route.is_of_one_file() => return vec![path.to_owned()],
        None => {}
    }
    let (file, folder) = (format!("{path}.html"), format!("{path}/index.html"));
    match files {
        RouteFiles::Both => vec![file, folder],
        RouteFiles::File => vec![file],
        RouteFiles::Directory => vec![folder],
    }
}

/// The file names of a site's pages.
#[derive(Debug, Default)]
pub struct FileNames {
    /// Names in order, with the page's number.
    by_name: Vec<(OutputPath, usize)>,
    /// Of names that are not in lower case, the place in `by_name`, by the name [without letter case](caseless).
    by_caseless: BTreeMap<String, usize>,
    /// Names that two pages have, with the number of the second.
    case_collisions: Vec<(OutputPath, usize)>,
    /// Names below the name of another page's file, and that name.
    below: Vec<(OutputPath, OutputPath)>,
}

impl FileNames {
    fn of_pages(site: &Site, pages: &[Page], cache: &Cache) -> Arc<Self> {
        let files: RouteFiles = site.settings.options.routes;
        let has_own = site.pages.at(NOT_FOUND).is_some();
        let routes: Vec<&Route> = pages.iter().map(|page| &page.route).collect();
        // The built-in 404 page is not among the pages of the site.
        let routes = Digested::by(&routes[..], (site.pages.digest(), has_own));
        let Ok(names) = cache.query(&FileNamesOfPages { routes, files });
        names
    }

    /// Sorts names, each with the number of its page.
    fn in_order(mut by_name: Vec<(OutputPath, usize)>) -> Self {
        parallel::sort_by(&mut by_name, Ord::cmp);
        let mut case_collisions = Vec::new();
        by_name.dedup_by(|(name, number), (before, _)| {
            let collides = name == before;
            if collides {
                case_collisions.push((name.clone(), *number));
            }
            collides
        });
        let cased = by_name.iter().enumerate().filter(|(_, (name, _))| {
            // Routes from the names of files are in lower case.
            name.as_str().bytes().any(|byte| byte.is_ascii_uppercase())
        });
        let by_caseless = cased.map(|(place, (name, _))| (caseless(name.as_str()), place)).collect();
        let names = FileNames { by_name, by_caseless, case_collisions, below: Vec::new() };
        let below = parallel::flat_map(&names.by_name, |(name, _)| {
            let key = if names.by_caseless.is_empty() {
                Cow::Borrowed(name.as_str())
            } else {
                caseless(name.as_str()).into()
            };
            let files = key.match_indices('/').filter_map(|(slash, _)| names.find_caseless(&key[..slash]));
            files.map(|(file, _)| (name.clone(), file.clone())).collect::<Vec<_>>()
        });
        FileNames { below, ..names }
    }

    fn find(&self, name: &str) -> Option<(&OutputPath, usize)> {
        let place = self.by_name.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        let (name, number) = &self.by_name[place];
        Some((name, *number))
    }

    /// Finds a name that file systems take for one without letter case.
    fn find_caseless(&self, key: &str) -> Option<(&OutputPath, usize)> {
        self.find(key).or_else(|| {
            let (name, number) = &self.by_name[*self.by_caseless.get(key)?];
            Some((name, *number))
        })
    }

    /// Returns the first name in a folder, which is named without letter case.
    fn first_below(&self, folder: &str) -> Option<&OutputPath> {
        let from = format!("{folder}/");
        let cased = self.by_caseless.range(from.clone()..).next().filter(|(key, _)| key.starts_with(&from));
        if let Some((_, place)) = cased {
            return Some(&self.by_name[*place].0);
        }
        let (name, _) = self.by_name.get(self.by_name.partition_point(|(name, _)| name.as_str() < from.as_str()))?;
        name.as_str().starts_with(&from).then_some(name)
    }
}

#[derive(Hash)]
struct FileNamesOfPages<'a> {
    routes: Digested<&'a [&'a Route]>,
    files: RouteFiles,
}

impl Query for FileNamesOfPages<'_> {
    const KIND: &'static str = "names";
    type Output = FileNames;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<FileNames, Infallible> {
        let numbered = parallel::flat_map_numbers(self.routes.len(), |number| {
            let names = file_names(self.routes[number], self.files);
            names.into_iter().map(move |name| (OutputPath::new(name), number))
        });
        Ok(FileNames::in_order(numbered))
    }
}

/// Every file of a site.
#[derive(Clone, Debug, Default)]
pub struct SiteFiles {
    names: Arc<FileNames>,
    /// The content of each page, by its number.
    pages: Vec<Content>,
    others: BTreeMap<OutputPath, Content>,
}

impl SiteFiles {
    /// Returns the files that are no pages.
    pub fn others(&self) -> impl Iterator<Item = (&OutputPath, &Content)> {
        self.others.iter()
    }

    /// Creates files that are not pages.
    pub fn without_pages(others: BTreeMap<OutputPath, Content>) -> Self {
        SiteFiles { others, ..SiteFiles::default() }
    }

    /// Moves the files into a folder, but for those that `stays` names.
    pub fn below(&self, folder: &str, stays: impl Fn(&str) -> bool) -> Self {
        let relocated = |(path, content): (&OutputPath, &Content)| match stays(path.as_str()) {
            true => (path.clone(), content.clone()),
            false => (OutputPath::new(format!("{folder}/{path}")), content.clone()),
        };
        SiteFiles::without_pages(self.iter().map(relocated).collect())
    }

    /// Returns the content of the file at a path.
    pub fn get(&self, path: &str) -> Option<&Content> {
        self.others.get(path).or_else(|| Some(&self.pages[self.names.find(path)?.1]))
    }

    /// Whether a file is a page.
    pub fn is_page(&self, path: &str) -> bool {
        !self.others.contains_key(path) && self.names.find(path).is_some()
    }

    /// Returns every file in the order of its path.
    pub fn iter(&self) -> impl Iterator<Item = (&OutputPath, &Content)> {
        let mut pages = self.names.by_name.iter().map(|(name, number)| (name, &self.pages[*number])).peekable();
        let mut others = self.others.iter().peekable();
        std::iter::from_fn(move || match (pages.peek(), others.peek()) {
            (Some((page, _)), Some((other, _))) if page > other => others.next(),
            (None, _) => others.next(),
            _ => pages.next(),
        })
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.names.by_name.len() + self.others.len()
    }

    /// Returns the files that came, went or changed since `old`, in the order of their paths.
    pub fn differing<'a>(&'a self, old: &'a SiteFiles) -> Vec<&'a OutputPath> {
        let is_same = |one: &Content, other: &Content| match (one.bytes(), other.bytes()) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one == other,
            _ => one.digest() == other.digest(),
        };
        // Pages with the same names are compared by index, without looking at names.
        let has_same_names = Arc::ptr_eq(&self.names, &old.names);
        let mut paths: BTreeSet<&OutputPath> = BTreeSet::new();
        if has_same_names {
            let pairs = self.names.by_name.iter();
            let differs = |number: &usize| !is_same(&self.pages[*number], &old.pages[*number]);
            paths.extend(pairs.filter(|(_, number)| differs(number)).map(|(name, _)| name));
        }
        let side = |files: &'a SiteFiles| -> Box<dyn Iterator<Item = (&'a OutputPath, &'a Content)> + 'a> {
            if has_same_names { Box::new(files.others.iter()) } else { Box::new(files.iter()) }
        };
        let lacks = |files: &SiteFiles, path: &OutputPath, content: &Content| {
            files.get(path.as_str()).is_none_or(|other| !is_same(other, content))
        };
        paths.extend(side(self).filter(|(path, content)| lacks(old, path, content)).map(|(path, _)| path));
        paths.extend(side(old).filter(|(path, content)| lacks(self, path, content)).map(|(path, _)| path));
        paths.into_iter().collect()
    }
}

/// Collects files while they are named.
pub struct Naming<'a> {
    files: SiteFiles,
    pages: &'a [Page],
    /// Files that are not pages, by their path without letter case: the path, and the file of content it comes from.
    taken: BTreeMap<String, (OutputPath, Option<SourcePath>)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Naming<'a> {
    /// Begins with the pages and their content.
    pub fn new(site: &Site, pages: &'a [Page], contents: Vec<Content>, cache: &Cache) -> Self {
        let names = FileNames::of_pages(site, pages, cache);
        let files = SiteFiles { names: names.clone(), pages: contents, others: BTreeMap::new() };
        let mut naming = Naming { files, pages, taken: BTreeMap::new(), diagnostics: Vec::new() };
        for (name, number) in &names.case_collisions {
            let first = names.find(name.as_str()).map_or(*number, |(_, first)| first);
            if naming.files.pages[first].digest() != naming.files.pages[*number].digest() {
                let other = pages[first].file().map(SourcePath::to_string);
                let problem = FileProblem::DuplicateOutput { path: name.to_string(), other };
                naming.report(problem, pages[*number].file());
            }
        }
        naming
    }

    /// Adds a file.
    pub fn add(&mut self, path: &str, content: Content, source: Option<&SourcePath>) {
        let path = OutputPath::new(path.trim_start_matches('/'));
        let key = caseless(path.as_str());
        if let Some((taken, other)) = self.at(&key) {
            let other = other.map(SourcePath::to_string);
            let problem = if *taken != path {
                FileProblem::OutputCase { path: path.to_string(), taken: taken.to_string(), other }
            } else if self.files.get(path.as_str()).is_some_and(|other| other.digest() != content.digest()) {
                FileProblem::DuplicateOutput { path: path.to_string(), other }
            } else {
                // Bundlers and assets may publish the same file with the same bytes.
                return;
            };
            self.report(problem, source);
            return;
        }
        self.taken.insert(key, (path.clone(), source.cloned()));
        self.files.others.insert(path, content);
    }

    /// Adds a file unless the site has its own.
    pub fn add_default(&mut self, path: &str, content: Content) {
        if let Some((taken, Some(source))) = self.taken.get(path).filter(|(taken, _)| taken.as_str() != path).cloned() {
            let problem = FileProblem::OutputCase { path: taken.to_string(), taken: path.to_owned(), other: None };
            self.report(problem, Some(&source));
        }
        if self.files.get(path).is_none() {
            self.put(path, content);
        }
    }

    /// Adds a file that was made from others, unless the site has its own.
    pub fn add_made(&mut self, path: &str, content: Content) {
        if self.at(&caseless(path)).is_none() {
            self.add(path, content, None);
        }
    }

    /// Adds a file, and replaces the site's own.
    pub fn put(&mut self, path: &str, content: Content) {
        self.taken.entry(caseless(path)).or_insert_with(|| (OutputPath::new(path), None));
        self.files.others.insert(OutputPath::new(path), content);
    }

    /// Adds a file that the site's settings require. Returns what prevents it, and the file of content that does, if
    /// there is one.
    pub fn claim(&mut self, path: &str, text: String) -> Option<(FileProblem, Option<SourcePath>)> {
        let content = Content::Bytes { bytes: Arc::from(text.into_bytes()), digest: None };
        let key = caseless(path);
        let other = |path: &OutputPath, source: Option<&SourcePath>| {
            let name = source.map_or_else(|| format!("the file {path} of this build"), SourcePath::to_string);
            (Some(name), source.cloned())
        };
        // Hosts distinguish `/Careers` from `/careers`, and some sites need a redirect from one to the other.
        if let Some((taken, source)) = self.at(&key).filter(|(taken, _)| taken.as_str() == path) {
            let is_same = self.files.get(taken.as_str()).is_some_and(|other| other.digest() == content.digest());
            let (other, source) = other(taken, source);
            // Two redirects may be served by the same file, as those of `/old` and `/old.html`.
            return (!is_same).then(|| (FileProblem::DuplicateOutput { path: path.to_owned(), other }, source));
        }
        let above = key.match_indices('/').find_map(|(slash, _)| self.at(&key[..slash]));
        if let Some((file, source)) = above {
            let (other, source) = other(file, source);
            return Some((FileProblem::FolderIsFile { path: path.to_owned(), file: file.to_string(), other }, source));
        }
        let folder = format!("{key}/");
        let below = self
            .taken
            .range(folder.clone()..)
            .next()
            .filter(|(key, _)| key.starts_with(&folder))
            .map(|(_, (path, source))| (path, source.as_ref()));
        if let Some((file, source)) = below.or_else(|| Some((self.files.names.first_below(&key)?, None))) {
            let (other, source) = other(file, source);
            return Some((FileProblem::FileAndFolder { path: path.to_owned(), other }, source));
        }
        if let Some(problem) = too_long(path) {
            return Some((problem, None));
        }
        self.taken.entry(key).or_insert_with(|| (OutputPath::new(path), None));
        self.files.others.insert(OutputPath::new(path), content);
        None
    }

    /// Reports files at paths that others need as a folder, each once, and those that no file system can name.
    pub fn find_folders(&mut self) {
        let long = self.files.iter().filter_map(|(path, _)| Some((path, too_long(path.as_str())?)));
        let long: Vec<(FileProblem, Option<SourcePath>)> = long
            .map(|(path, problem)| (problem, self.at(&caseless(path.as_str())).and_then(|(_, source)| source).cloned()))
            .collect();
        long.into_iter().for_each(|(problem, source)| self.report(problem, source.as_ref()));
        let names = &self.files.names;
        let mut pairs: Vec<(OutputPath, OutputPath)> = names.below.clone();
        for (key, (path, _)) in &self.taken {
            let files = key.match_indices('/').filter_map(|(slash, _)| self.at(&key[..slash]));
            pairs.extend(files.map(|(file, _)| (path.clone(), file.clone())));
            pairs.extend(names.first_below(key).map(|page| (page.clone(), path.clone())));
        }
        pairs.sort();
        let mut reported: BTreeMap<SourcePath, FileProblem> = BTreeMap::new();
        for (path, file) in pairs {
            let source_of = |path: &OutputPath| self.at(&caseless(path.as_str())).and_then(|(_, source)| source);
            let Some(source) = source_of(&file) else {
                // The file is one of the engine's own, such as `robots.txt`.
                if let Some(source) = source_of(&path) {
                    let (path, file) = (path.to_string(), file.to_string());
                    let other = Some("a file that every site has".to_owned());
                    reported.entry(source.clone()).or_insert(FileProblem::FolderIsFile { path, file, other });
                }
                continue;
            };
            reported.entry(source.clone()).or_insert_with(|| FileProblem::FileAndFolder {
                path: file.to_string(),
                other: source_of(&path).map(SourcePath::to_string),
            });
        }
        reported.into_iter().for_each(|(source, problem)| self.report(problem, Some(&source)));
    }

    /// Returns the files named so far.
    pub fn files(&self) -> &SiteFiles {
        &self.files
    }

    /// Returns the problems of names.
    pub fn diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    /// Returns the files.
    pub fn done(self) -> SiteFiles {
        self.files
    }

    /// Returns the file at a path without letter case, and the file of content it comes from.
    fn at(&self, key: &str) -> Option<(&OutputPath, Option<&SourcePath>)> {
        let other = self.taken.get(key).map(|(path, source)| (path, source.as_ref()));
        other.or_else(|| {
            let (name, number) = self.files.names.find_caseless(key)?;
            Some((name, self.pages[number].file()))
        })
    }

    fn report(&mut self, problem: FileProblem, source: Option<&SourcePath>) {
        self.diagnostics.push(match source {
            Some(source) => Diagnostic::new(problem, Place::file(source)),
            None => Diagnostic::failure(problem),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicting_names_are_reported() {
        let named = ["b.html", "a.html/c.html", "a.html", "b.html", "a.html-x/d.html"].into_iter().enumerate();
        let names = FileNames::in_order(named.map(|(number, name)| (OutputPath::new(name), number)).collect());
        assert_eq!(names.find("b.html").unwrap().1, 0);
        assert_eq!(names.case_collisions, [(OutputPath::new("b.html"), 3)]);
        assert_eq!(names.below, [(OutputPath::new("a.html/c.html"), OutputPath::new("a.html"))]);
        assert_eq!(names.first_below("a.html").unwrap().as_str(), "a.html/c.html");
        assert!(names.first_below("b.html").is_none() && names.find("c.html").is_none());
        let named = ["A.html/c.html", "a.html", "Rust.html"].into_iter().enumerate();
        let names = FileNames::in_order(named.map(|(number, name)| (OutputPath::new(name), number)).collect());
        assert_eq!(names.below, [(OutputPath::new("A.html/c.html"), OutputPath::new("a.html"))]);
        assert_eq!(names.find_caseless("rust.html").unwrap().0.as_str(), "Rust.html");
        assert_eq!(names.first_below("a.html").unwrap().as_str(), "A.html/c.html");
    }

    #[test]
    fn differences_are_reported_whether_or_not_the_pages_have_the_same_names() {
        let content = |text: &str| Content::Bytes { bytes: Arc::from(text.as_bytes()), digest: None };
        let named = |names: &[&str]| {
            let numbered = names.iter().enumerate().map(|(number, name)| (OutputPath::new(name), number));
            Arc::new(FileNames::in_order(numbered.collect()))
        };
        let site = |names: &Arc<FileNames>, pages: &[&str], others: &[(&str, &str)]| SiteFiles {
            names: names.clone(),
            pages: pages.iter().map(|text| content(text)).collect(),
            others: others.iter().map(|(path, text)| (OutputPath::new(path), content(text))).collect(),
        };
        let (two, one) = (named(&["a.html", "b.html"]), named(&["b.html"]));
        let old = site(&two, &["a", "b"], &[("c.css", "c"), ("d.css", "d")]);
        let reported = |new: &SiteFiles| new.differing(&old).into_iter().map(OutputPath::to_string).collect::<Vec<_>>();
        assert!(reported(&site(&two, &["a", "b"], &[("c.css", "c"), ("d.css", "d")])).is_empty());
        assert_eq!(
            reported(&site(&two, &["a", "B"], &[("c.css", "C"), ("e.css", "e")])),
            ["b.html", "c.css", "d.css", "e.css"]
        );
        assert_eq!(reported(&site(&one, &["b"], &[("c.css", "c"), ("d.css", "d")])), ["a.html"]);
    }

    #[test]
    fn a_route_is_published_as_the_setting_says() {
        let careers = Route::of_page("careers");
        assert_eq!(file_names(&careers, RouteFiles::Both), ["careers.html", "careers/index.html"]);
        assert_eq!(file_names(&careers, RouteFiles::File), ["careers.html"]);
        assert_eq!(file_names(&careers, RouteFiles::Directory), ["careers/index.html"]);
        assert_eq!(file_names(&Route::of_page("news/feed.xml"), RouteFiles::Both), ["news/feed.xml"]);
        assert_eq!(file_names(&Route::home(), RouteFiles::File), ["index.html"]);
        for files in [RouteFiles::Both, RouteFiles::File, RouteFiles::Directory] {
            assert_eq!(file_names(&Route::exact("/2015/Rust-1.0.html"), files), ["2015/Rust-1.0.html"]);
            assert_eq!(file_names(&Route::exact("/2015/rust/"), files), ["2015/rust/index.html"]);
        }
        assert_eq!(file_names(&Route::exact("/Rust"), RouteFiles::Both), ["Rust.html", "Rust/index.html"]);
        assert_eq!(file_names(&Route::of_page("404"), RouteFiles::Both), ["404.html"]);
    }
}
