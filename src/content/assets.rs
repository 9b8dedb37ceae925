//! Files of `content/assets`, published under names that carry the digest of their content.

use crate::diagnostics::{Problem, nearest};
use crate::paths::SourcePath;
use crate::paths::{percent_decoded, percent_encoded};
use crate::sources::{Body, Digest, Sources};
use std::collections::BTreeMap;

/// The folder of published assets, from the site's root.
pub const FOLDER: &str = "/assets";

/// An asset.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The file it comes from.
    pub source: SourcePath,
    /// The file it is published as, from the site's root: `/assets/my logo-1a2b3c4d.svg`.
    pub file: String,
    /// The address of that file from the site's root: `/assets/my%20logo-1a2b3c4d.svg`.
    pub url: String,
    /// Its content.
    pub body: Body,
}

/// All assets by their path below `content/assets`.
#[derive(Clone, Debug, Default)]
pub struct Assets(BTreeMap<String, Asset>);

impl Assets {
    /// Collects the assets of a project.
    pub fn of(sources: &Sources) -> Self {
        let assets = sources.below("content/assets").filter_map(|(path, file)| {
            let name = path.below("content/assets")?;
            let published = format!("{FOLDER}/{}", hashed_name(name, &file.digest));
            let url = percent_encoded(&published).into_owned();
            Some((name.to_owned(), Asset { source: path.clone(), file: published, url, body: file.body.clone() }))
        });
        Assets(assets.collect())
    }

    /// Returns the asset at a path below `content/assets`.
    pub fn get(&self, path: &str) -> Option<&Asset> {
        self.0.get(path)
    }

    /// Returns the asset at a path in a link, where characters may be percent-encoded.
    pub fn linked(&self, path: &str) -> Option<&Asset> {
        self.get(path).or_else(|| self.get(&percent_decoded(path)))
    }

    /// Returns all assets in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Asset> {
        self.0.values()
    }

    /// Returns the problem of a path without an asset.
    pub fn unknown(&self, path: &str) -> Problem {
        let nearest = nearest(path, self.0.keys().map(String::as_str)).map(str::to_owned);
        Problem::UnknownAsset { path: path.to_owned(), nearest }
    }
}

/// Adds the first eight hexadecimal digits of its digest to `brand/logo.svg`: `brand/logo-1a2b3c4d.svg`. Browsers may
/// cache such a name forever.
pub fn hashed_name(name: &str, digest: &Digest) -> String {
    let hash: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[file..].rfind('.') {
        Some(dot) if dot > 0 => format!("{}-{hash}{}", &name[..file + dot], &name[file + dot..]),
        _ => format!("{name}-{hash}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_stands_before_the_extension() {
        let digest = [0xab; 32];
        assert_eq!(hashed_name("brand/logo.svg", &digest), "brand/logo-abababab.svg");
        assert_eq!(hashed_name("a.b/LICENSE", &digest), "a.b/LICENSE-abababab");
    }
}
