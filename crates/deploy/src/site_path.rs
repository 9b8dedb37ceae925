//! Paths of the files of a site. Those of a target are in manifests that anybody may have written who can write there, and files of
//! this name are deleted, replaced, and named in commands for other programs.

use sitegen_core::diagnostics::is_unprintable;
use sitegen_core::paths::{DEPLOYS, RESERVED};
use std::borrow::Borrow;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

/// How many bytes a path has at most: as many as the name of an object may have in object storage.
const LONGEST: usize = 1024;

/// The path of a file of a site relative to its root: one that a build can have written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SitePath(String);

impl SitePath {
    /// Reads a path, or says what is wrong with it, after `it`.
    pub fn parse(path: &str) -> Result<Self, &'static str> {
        let first = path.split('/').next().unwrap_or_default();
        let is_reserved = |name: &str| first.eq_ignore_ascii_case(name);
        if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            Err("has an empty part or dots as a part")
        } else if path.contains(is_unprintable) {
            Err("has a character that cannot be printed")
        } else if path.contains('\\') {
            Err("has a `\\`, which some systems take for a `/`")
        } else if path.len() > LONGEST {
            Err("has more than 1024 bytes")
        } else if is_reserved(DEPLOYS) || RESERVED.into_iter().any(is_reserved) {
            Err("is in a folder that is no part of a site")
        } else {
            Ok(SitePath(path.to_owned()))
        }
    }
}

impl Deref for SitePath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for SitePath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Display for SitePath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::SitePath;

    #[test]
    fn only_what_a_build_can_write_is_a_path_of_a_site() {
        for path in
            ["index.html", "-e.txt", "a b/*?[x] \"#!$'`;&.html", "größe/日本.txt", ".well-known/x", ".nojekyll", "a..b"]
        {
            assert_eq!(&*SitePath::parse(path).unwrap(), path);
        }
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a//b",
            "a/",
            "./a",
            "a\n!touch x",
            "a\r",
            "a\0",
            "a\u{1b}[2J",
            "a\u{2028}b",
            "..\\x",
            ".sitegen-deploys",
            ".sitegen-deploys/1.json",
            ".SiteGen-deploys/1.json",
            ".git/config",
            ".sitegen-publish/x",
        ] {
            assert!(SitePath::parse(path).is_err(), "{path:?}");
        }
        assert!(SitePath::parse(&"a".repeat(1024)).is_ok() && SitePath::parse(&"a".repeat(1025)).is_err());
    }
}
