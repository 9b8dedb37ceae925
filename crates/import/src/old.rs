//! The files of the old site, and paths among them.

use std::collections::BTreeMap;

/// A file of the old site.
#[derive(Clone, Debug)]
pub enum OldFile {
    /// A file in UTF-8.
    Text(String),
    /// A file in which nothing is read: a picture, a download, or a text in another encoding.
    Binary,
}

/// The files of the old site by their paths with `/`, none of which leads out of it.
#[derive(Clone, Debug, Default)]
pub struct Old {
    files: BTreeMap<String, OldFile>,
}

impl Old {
    /// Takes files by their paths. Lines that end with carriage returns alone, as on old Macs, get the line ends of today.
    pub fn new(mut files: BTreeMap<String, OldFile>) -> Self {
        for file in files.values_mut() {
            if let OldFile::Text(text) = file
                && text.contains('\r')
                && !text.contains('\n')
            {
                *text = text.replace('\r', "\n");
            }
        }
        Self { files }
    }

    /// Returns the text of a file, if it exists and is one.
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.files.get(path)? {
            OldFile::Text(text) => Some(text.strip_prefix('\u{feff}').unwrap_or(text)),
            OldFile::Binary => None,
        }
    }

    /// Whether there is a file.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether a file is none of those SVGs that run scripts or have HTML in them, which the compiler refuses.
    pub fn is_safe_picture(&self, path: &str) -> bool {
        let Some(text) = Some(path).filter(|path| extension(path) == "svg").and_then(|path| self.text(path)) else {
            return true;
        };
        let lower = text.to_ascii_lowercase();
        let words = ["<script", "<foreignobject", "javascript:", "<!entity", "<iframe", "<handler", "<set", "<animate"];
        let is_handler = lower.match_indices(" on").any(|(at, _)| {
            let name = &lower[at + 1..];
            let end = name.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(name.len());
            end > 2 && name[end..].trim_start().starts_with('=')
        });
        !is_handler && !words.iter().any(|word| lower.contains(word))
    }

    /// Returns the paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the paths of the files below a folder, each with its path there.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let length = start.len();
        let files = self.files.range(start.clone()..).map(|(path, _)| path.as_str());
        files.take_while(move |path| path.starts_with(&start)).map(move |path| (path, &path[length..]))
    }

    /// Returns the first of some files that exists, with its text.
    pub fn first<'a>(&'a self, names: &[&'a str]) -> Option<(&'a str, &'a str)> {
        names.iter().find_map(|name| Some((*name, self.text(name)?)))
    }
}

/// Returns the folder that a path is in: empty at the top.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last part of a path.
pub fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the last part of a path without its extension.
pub fn stem(path: &str) -> &str {
    let name = name(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

/// Returns the extension of a path in lower case, or nothing.
pub fn extension(path: &str) -> String {
    let name = name(path);
    name.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_ascii_lowercase())
}

/// Resolves a path in a folder. `None` if it leaves the old site.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the path that leads from one folder to a file.
pub fn relative(folder: &str, file: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = file.split('/').collect();
    let common = from.iter().zip(&to[..to.len() - 1]).take_while(|(a, b)| a == b).count();
    let mut parts = vec![".."; from.len() - common];
    parts.extend(&to[common..]);
    parts.join("/")
}

/// Whether a file is a picture that the engine can show.
pub fn is_picture(path: &str) -> bool {
    matches!(extension(path).as_str(), "jpg" | "jpeg" | "png" | "gif" | "webp" | "svg")
}

/// Whether a file is a text in Markdown.
pub fn is_markdown(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "markdown" | "mdx" | "mdown" | "mkd" | "mkdown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_site() {
        assert_eq!(join("a/b", "../c.md").as_deref(), Some("a/c.md"));
        assert_eq!(join("a", "../../etc/passwd"), None);
        assert_eq!(relative("content/posts", "content/pages/a.md"), "../pages/a.md");
        assert_eq!(relative("content/posts", "content/posts/a.md"), "a.md");
        let old = Old::new([("a.md".to_owned(), OldFile::Text("---\ra: b\r---\r".to_owned()))].into());
        assert_eq!(old.text("a.md"), Some("---\na: b\n---\n"));
        assert_eq!((stem("a/b.c.md"), stem(".x"), extension("A.JPG").as_str()), ("b.c", ".x", "jpg"));
    }
}
