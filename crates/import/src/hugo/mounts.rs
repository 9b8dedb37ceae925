//! Folders that Hugo puts into those of its own (<https://gohugo.io/configuration/module/#mounts>).

use super::super::data::{self, Map, Value};
use super::super::glob::matches;
use super::super::old::Old;

/// A folder, or a single file, that stands for one of Hugo's.
#[derive(Clone, Debug, Default)]
pub struct Mount {
    /// Its path in the old site.
    pub source: String,
    /// Where its files are below the folder of Hugo, without slashes around it.
    pub target: String,
    /// The language of its texts, if names of files do not say it.
    pub language: Option<String>,
    /// Patterns of the files that are meant, if not all are, and of those that are not.
    included: Vec<String>,
    excluded: Vec<String>,
}

impl Mount {
    /// A folder that stands for the whole folder of Hugo.
    pub fn new(source: &str, language: Option<&str>) -> Self {
        Self { source: trimmed(source), language: language.map(str::to_owned), ..Self::default() }
    }

    /// Reads the mounts of a configuration that stand for a folder of Hugo, or for one in it.
    pub fn of(config: &Map, folder: &str) -> Vec<Self> {
        let mounts = data::map(config, "module").and_then(|module| module.get("mounts")).and_then(Value::as_array);
        let read = |mount: &Map| {
            let target = trimmed(data::text(mount, "target")?);
            let target = target.strip_prefix(folder).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            let patterns = |key: &str| mount.get(key).map(data::words).unwrap_or_default();
            let (excluded, files): (Vec<String>, _) =
                patterns("files").into_iter().partition(|pattern| pattern.starts_with('!'));
            let excluded = excluded.iter().map(|pattern| pattern[1..].trim_start().to_owned());
            Some(Self {
                source: trimmed(data::text(mount, "source")?),
                target: target.trim_start_matches('/').to_owned(),
                language: data::text(mount, "lang").map(str::to_lowercase),
                included: [patterns("includefiles"), files].concat(),
                excluded: excluded.chain(patterns("excludefiles")).collect(),
            })
        };
        mounts.into_iter().flatten().filter_map(Value::as_object).filter_map(read).collect()
    }

    /// Returns the files, each with its path below the folder of Hugo.
    pub fn files<'o>(&'o self, old: &'o Old) -> impl Iterator<Item = (&'o str, String)> {
        let own = old.has(&self.source).then(|| (self.source.as_str(), self.target.clone()));
        let below = old.below(&self.source).filter(|(_, rest)| self.is_meant(rest)).map(|(source, rest)| {
            let path = if self.target.is_empty() { rest.to_owned() } else { format!("{}/{rest}", self.target) };
            (source, path)
        });
        own.into_iter().chain(below)
    }

    fn is_meant(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let is_of = |pattern: &String| {
            let pattern = pattern.to_lowercase();
            matches(pattern.trim_start_matches('/'), &path)
        };
        (self.included.is_empty() || self.included.iter().any(is_of)) && !self.excluded.iter().any(is_of)
    }
}

/// Returns the path of a folder as the paths of files begin.
pub fn trimmed(path: &str) -> String {
    path.trim_start_matches("./").trim_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::super::OldFile;
    use super::*;
    use serde_json::json;

    #[test]
    fn mounts_are_folders_below_those_of_hugo_without_what_they_exclude() {
        let mounts = json!({ "module": { "mounts": [
            { "source": "texts", "target": "content" },
            { "source": "./extra/", "target": "content/news", "lang": "DE", "excludefiles": ["private/**"] },
            { "source": "README.md", "target": "content/about.md" },
            { "source": "own", "target": "contents", "files": ["**.md", "! secret.md"] },
            { "source": "docs", "target": "content/docs", "files": ["**.md", "! secret.md"] },
        ] } });
        let paths = ["texts/a.md", "extra/b.md", "extra/private/c.md", "README.md", "own/d.md", "docs/e.md"];
        let paths = paths.into_iter().chain(["docs/e.png", "docs/secret.md"]);
        let old = Old::new(paths.map(|path| (path.to_owned(), OldFile::Binary)).collect());
        let mounts = Mount::of(mounts.as_object().unwrap(), "content");
        let files = mounts.iter().flat_map(|mount| mount.files(&old)).collect::<Vec<_>>();
        let expected = [
            ("texts/a.md", "a.md"),
            ("extra/b.md", "news/b.md"),
            ("README.md", "about.md"),
            ("docs/e.md", "docs/e.md"),
        ];
        assert_eq!(files, expected.map(|(source, path)| (source, path.to_owned())));
        assert_eq!(mounts[1].language.as_deref(), Some("de"));
    }
}
