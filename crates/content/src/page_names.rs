//! The names by which `[[wiki links]]` find pages: of files, with or without their folders, and titles.

use super::outlines::FileRoutes;
use sitegen_core::diagnostics::{MarkdownProblem, Problem, meant};
use sitegen_core::paths::{Route, SourcePath, caseless};
use std::collections::BTreeMap;

/// The files of pages and entries by name. Empty in a site without wiki links.
#[derive(Debug, Default, Hash)]
pub struct PageNames {
    /// By the last part of their paths, without regard to case. As in Obsidian, the name of a file comes before a title.
    files: BTreeMap<String, Vec<SourcePath>>,
    titles: BTreeMap<String, Vec<SourcePath>>,
}

impl PageNames {
    /// Collects the names of files, each with its title if it has one.
    pub fn of(files: impl Iterator<Item = (SourcePath, Option<String>)>) -> Self {
        let mut names = PageNames::default();
        for (path, title) in files {
            let stem = stem(path.as_str());
            let name = match stem.rsplit_once('/') {
                // `news/index.md` is the page of its folder.
                Some((folder, "index")) => folder.rsplit('/').next().unwrap_or(folder),
                Some((_, name)) => name,
                None => stem,
            };
            names.files.entry(caseless(name)).or_default().push(path.clone());
            if stem.ends_with("/index") && name != "index" {
                names.files.entry("index".to_owned()).or_default().push(path.clone());
            }
            if let Some(title) = title {
                names.titles.entry(caseless(title.trim())).or_default().push(path);
            }
        }
        names
    }

    /// Returns the route of the page that `[[name]]` means.
    pub fn route<'r>(&self, name: &str, routes: &'r FileRoutes) -> Result<&'r Route, Problem> {
        let wanted = caseless(stem(name.trim().trim_start_matches('/')));
        let last = wanted.rsplit('/').next().unwrap_or(&wanted);
        let is_meant = |path: &&SourcePath| {
            let path = caseless(stem(path.as_str()));
            // As in Obsidian, `[[index]]` is the one that is in no folder.
            if wanted == "index" {
                return path == HOME;
            }
            let is_meant = |path: &str| path == wanted || path.ends_with(&format!("/{wanted}"));
            is_meant(&path) || path.strip_suffix("/index").is_some_and(is_meant)
        };
        let mut found: Vec<&SourcePath> = self.files.get(last).into_iter().flatten().filter(is_meant).collect();
        if found.is_empty() {
            found = self.titles.get(&caseless(name.trim())).into_iter().flatten().collect();
        }
        let found: Vec<_> = found.into_iter().filter_map(|path| Some((path, routes.get(path)?))).collect();
        match found.as_slice() {
            [(_, route)] => Ok(route),
            [] => {
                let names = self.files.keys().chain(self.titles.keys()).map(String::as_str);
                let nearest = meant(&wanted, names);
                Err(MarkdownProblem::WikiLink { name: name.to_owned(), nearest, files: Vec::new() }.into())
            }
            several => {
                let files = several.iter().map(|(path, _)| path.to_string()).collect();
                Err(MarkdownProblem::WikiLink { name: name.to_owned(), nearest: None, files }.into())
            }
        }
    }
}

/// The file of the home page, without its extension.
const HOME: &str = "content/pages/index";

/// Returns a path without the extension of a document.
fn stem(path: &str) -> &str {
    path.strip_suffix(".md").or_else(|| path.strip_suffix(".yaml")).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::Meant;

    #[test]
    fn a_page_has_the_name_of_its_file_or_its_title() {
        let files = [
            ("content/pages/index.md", Some("Home")),
            ("content/pages/Opening Hours.md", None),
            ("content/pages/news/index.yaml", Some("All news")),
            ("content/news/harvest.md", Some("The Größe of it")),
            ("content/team/harvest.md", None),
        ];
        let routes = files.map(|(path, _)| (SourcePath::new(path), Route::of_page(&stem(path)["content/".len()..])));
        let routes = FileRoutes::from_iter(routes);
        let files = files.map(|(path, title)| (SourcePath::new(path), title.map(str::to_owned)));
        let names = PageNames::of(files.into_iter());
        let address = |name: &str| names.route(name, &routes).map(|route| route.to_string());
        let found = |name: &str, route: &str| assert_eq!(address(name), Ok(format!("/{route}")), "{name}");
        found("opening hours", "pages/Opening Hours");
        found("Opening Hours.md", "pages/Opening Hours");
        found("News", "pages/news");
        found("news/index", "pages/news");
        found("index", "pages");
        found("news/harvest", "news/harvest");
        found("the grösse of it", "news/harvest");
        let problem = |nearest: Option<Meant>, files: &[&str], name: &str| {
            let files = files.iter().map(|file| (*file).to_owned()).collect();
            Err(MarkdownProblem::WikiLink { name: name.to_owned(), nearest, files }.into())
        };
        assert_eq!(
            address("harvest"),
            problem(None, &["content/news/harvest.md", "content/team/harvest.md"], "harvest")
        );
        assert_eq!(address("harvset"), problem(Some(Meant::certain("harvest")), &[], "harvset"));
    }
}
