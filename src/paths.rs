//! Source paths, output paths and routes.
//!
//! All three use `/` on every system and never start at the root of a file system, so that the same project gives the
//! same bytes wherever it is checked out.

use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// The path of an input file relative to the project's root, for example `content/site.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourcePath(Arc<str>);

/// The path of a published file relative to the output folder, for example `careers/index.html`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OutputPath(Arc<str>);

/// The address of a page: `/` or `/careers`, never with a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Route(Arc<str>);

impl SourcePath {
    /// Creates a path from a relative one that uses `/`.
    pub fn new(path: impl AsRef<str>) -> Self {
        SourcePath(Arc::from(path.as_ref()))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last part without its extension: `trails` of `content/platforms/trails.yaml`.
    pub fn stem(&self) -> &str {
        let name = self.name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the last part: `trails.yaml`.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns what follows the last dot of the last part, in its original case.
    pub fn extension(&self) -> Option<&str> {
        self.name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// Returns the part of the path below a folder, if it is in that folder.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.0.strip_prefix(folder)?.strip_prefix('/')
    }
}

impl OutputPath {
    /// Creates a path from a relative one that uses `/`.
    pub fn new(path: impl AsRef<str>) -> Self {
        OutputPath(Arc::from(path.as_ref()))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Lets maps by path be searched with a `&str`. It is equal, ordered and hashed as its text is.
impl Borrow<str> for OutputPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// As for [`OutputPath`].
impl Borrow<str> for Route {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Route {
    /// Returns the route of the home page, `/`.
    pub fn home() -> Self {
        Route(Arc::from("/"))
    }

    /// Returns the route of a page file from its path below `content/pages` without extension: `index` is `/`,
    /// `a/index` is `/a`, `a/b` is `/a/b`.
    pub fn of_page(path: &str) -> Self {
        let path = match path.strip_suffix("index") {
            Some("") => "",
            Some(rest) if rest.ends_with('/') => rest.trim_end_matches('/'),
            _ => path,
        };
        Route(Arc::from(format!("/{path}")))
    }

    /// Returns the route as text, starting with `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the home page.
    pub fn is_home(&self) -> bool {
        &*self.0 == "/"
    }
}

/// Returns the MIME type that hosts send for a file name, by its extension.
///
/// Text types carry no charset: pages declare theirs in `<meta charset>`, and hosts add one of their own.
pub fn media_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "html" => "text/html",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" | "map" => "application/json",
        "xml" => "application/xml",
        "txt" => "text/plain",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "mp3" => "audio/mpeg",
        "zip" => "application/zip",
        "pdf" => "application/pdf",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

macro_rules! display_as_text {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )*};
}
display_as_text!(SourcePath, OutputPath, Route);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_files_stand_for_their_folder() {
        for (file, route) in [
            ("index", "/"),
            ("careers", "/careers"),
            ("blog/index", "/blog"),
            ("blog/first-post", "/blog/first-post"),
            ("reindex", "/reindex"),
        ] {
            assert_eq!(Route::of_page(file).as_str(), route);
        }
    }

    #[test]
    fn a_file_is_below_its_folder_only() {
        let path = SourcePath::new("content/pages/about.md");
        assert_eq!(path.below("content/pages"), Some("about.md"));
        assert_eq!(path.below("content/page"), None);
        assert_eq!(path.stem(), "about");
    }
}
