//! Resolves the addresses that editors write into those in published pages.

use super::assets::{Asset, Assets};
use super::language_hosts::LanguageHosts;
use super::options::Pictures;
use super::outlines::{FileRoutes, Order};
use super::page_names::PageNames;
pub use super::web_address::scheme_of;
use sitegen_core::diagnostics::{AssetProblem, LinkProblem, MarkdownProblem, Meant, PolicyProblem, Problem, meant};
use sitegen_core::paths::{PUBLIC, SCHEMES, SourcePath, joined, media_type};

/// What addresses in content are resolved against.
#[derive(Clone, Copy)]
pub struct Addresses<'a> {
    /// The path of the site on its host: empty, or like `/docs`.
    pub base_path: &'a str,
    /// The hosts of the site.
    pub hosts: &'a LanguageHosts,
    /// Files of `content/assets`.
    pub assets: &'a Assets,
    /// How pictures in Markdown are shown.
    pub pictures: &'a Pictures,
    /// Routes by page file, also of pages that are left out today.
    pub routes: &'a FileRoutes,
    /// By what wiki links find pages.
    pub names: &'a PageNames,
    /// The pages of all languages, and the number of the one that the text is in.
    pub order: &'a Order,
    /// See above.
    pub view: usize,
}

impl Addresses<'_> {
    /// Returns the address of a link written in the file `from`.
    ///
    /// `/route` gets the base path, `other.md` becomes the route of that page, `leaflet.pdf` the published asset.
    pub fn link(&self, from: &SourcePath, address: &str) -> Result<String, Problem> {
        if let Some(scheme) = scheme_of(address) {
            return if SCHEMES.contains(&scheme.as_str()) {
                Ok(address.to_owned())
            } else {
                Err(MarkdownProblem::UnsafeAddress { address: address.to_owned() }.into())
            };
        }
        if address.is_empty() {
            return Err(LinkProblem::BadAddress { address: String::new() }.into());
        }
        if address.starts_with(['#', '?']) || address.starts_with("//") {
            return Ok(address.to_owned());
        }
        if address.starts_with('/') {
            let path = self.order.own_path_in(address, self.view);
            return Ok(self.page(path.as_deref().unwrap_or(address)));
        }
        let (path, rest) = address.split_at(address.find(['#', '?']).unwrap_or(address.len()));
        // A translation may be in a folder of its language, and have the links of its original.
        let key = &from.key();
        let page = |from: &SourcePath| self.routes.get(&SourcePath::new(joined(from.as_str(), path)?));
        if let Some(route) = page(from).or_else(|| page(key)) {
            return Ok(format!("{}{rest}", self.page(route.as_str())));
        }
        if let Some(asset) = self.assets.beside(from, path).or_else(|| self.assets.linked(path)) {
            return Ok(format!("{}{rest}", inside(self.base_path, &asset.url)));
        }
        // A name with an extension is a file: of a page in the same folder, or of an asset.
        let broken = |nearest: String| {
            let nearest = Some(Meant::certain(nearest));
            Err(LinkProblem::BrokenFile { target: address.to_owned(), nearest }.into())
        };
        match path.rsplit('/').next().and_then(|name| name.rsplit_once('.')) {
            _ if path.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) => {
                broken(format!("https://{address}"))
            }
            Some((name, _)) if name.contains('@') && !path.contains('/') && !is_file(path) => {
                broken(format!("mailto:{address}"))
            }
            Some((_, "md" | "yaml" | "toml")) => {
                let folder = key.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
                let siblings = self.routes.files().filter_map(|page| page.below(folder));
                Err(LinkProblem::BrokenFile { target: address.to_owned(), nearest: meant(path, siblings) }.into())
            }
            Some((_, extension)) => {
                // Others publish a page under the name of its file.
                let sources = || ["md", "yaml"].map(|own| format!("{}{own}", path.trim_end_matches(extension)));
                let is_page = |name: &String| {
                    joined(key.as_str(), name).is_some_and(|file| self.routes.get(&SourcePath::new(file)).is_some())
                };
                if let Some(name) = sources().into_iter().find(is_page).filter(|_| extension.starts_with("htm")) {
                    return broken(format!("{name}{rest}"));
                }
                let Problem::Asset(AssetProblem::UnknownAsset { nearest, .. }) = self.assets.unknown_near(from, path)
                else {
                    return Ok(address.to_owned());
                };
                // A file of `content/public` has its own name as its address.
                let nearest = nearest.map(|nearest| match nearest.strip_prefix(PUBLIC) {
                    Some(address) => Meant::certain(address),
                    None => nearest,
                });
                Err(LinkProblem::BrokenFile { target: address.to_owned(), nearest }.into())
            }
            None => Ok(address.to_owned()),
        }
    }

    /// Returns the address of the page that `[[name]]` means.
    pub fn page_named(&self, name: &str) -> Result<String, Problem> {
        Ok(self.page(self.names.route(name, self.routes)?.as_str()))
    }

    /// Returns the address of a path of the site.
    fn page(&self, path: &str) -> String {
        self.order.address(self.hosts, path, self.view)
    }

    /// Returns the address of an image in the file `from`: a file beside that or of `content/assets`, or an `https:` URL.
    pub fn image(&self, from: &SourcePath, address: &str) -> Result<String, Problem> {
        match scheme_of(address).as_deref() {
            Some("https") => return Ok(address.to_owned()),
            Some("http") => return Err(PolicyProblem::MixedContent { address: address.to_owned() }.into()),
            Some(_) => return Err(MarkdownProblem::UnsafeAddress { address: address.to_owned() }.into()),
            None => {}
        }
        match self.asset(from, address) {
            (_, Some(asset)) => Ok(inside(self.base_path, &asset.url)),
            (path, None) => Err(self.assets.unknown_near(from, path)),
        }
    }

    /// Returns the asset that an address without a scheme names as an image, and its path.
    fn asset<'p>(&self, from: &SourcePath, address: &'p str) -> (&'p str, Option<&Asset>) {
        if let Some(beside) = self.assets.beside(from, address) {
            return (address, Some(beside));
        }
        let path = address.trim_start_matches("./").trim_start_matches('/');
        let path = path.strip_prefix("assets/").unwrap_or(path);
        (path, self.assets.linked(path))
    }

    /// Returns the SVG that an address names, if it names one.
    pub fn svg(&self, from: &SourcePath, address: &str) -> Option<&Asset> {
        if scheme_of(address).is_some() {
            return None;
        }
        self.asset(from, address).1.filter(|asset| asset.path().to_ascii_lowercase().ends_with(".svg"))
    }

    /// Returns the asset that an address names, if it has the name of a picture that can be scaled.
    pub fn picture(&self, from: &SourcePath, address: &str) -> Option<&Asset> {
        if scheme_of(address).is_some() {
            return None;
        }
        self.asset(from, address).1.filter(|asset| asset.picture.is_some())
    }
}

/// Whether a name ends as that of a file, and not as that of a host.
fn is_file(name: &str) -> bool {
    let kind = media_type(name);
    let is_host = |end: &str| end.bytes().all(|byte| byte.is_ascii_alphabetic());
    let kinds = ["image/", "audio/", "video/", "font/", "application/pdf", "application/zip"];
    !name.rsplit('.').next().is_some_and(is_host) || kinds.iter().any(|of| kind.starts_with(of))
}

/// Returns a path from the site's root as a path from the host's root.
pub fn inside(base_path: &str, path: &str) -> String {
    let mut full = String::with_capacity(base_path.len() + path.len());
    push_inside(&mut full, base_path, path);
    full
}

/// Appends such a path to a text.
pub fn push_inside(text: &mut String, base_path: &str, path: &str) {
    text.push_str(base_path);
    text.push_str(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_read_as_browsers_read_them() {
        for hostile in ["javascript:a", " JavaScript:a", "java\tscript:a", "\u{1}javascript:a", "data:text/html,a"] {
            let scheme = scheme_of(hostile).unwrap();
            assert!(!SCHEMES.contains(&scheme.as_str()), "{hostile}");
        }
        assert_eq!(scheme_of("careers#a:b"), None);
        assert_eq!(scheme_of("/a:b"), None);
    }
}
