//! What a target knows of its deploys. All of it is in the folder [`FOLDER`] of the target:
//!
//! | File | What it is |
//! |---|---|
//! | `12.json` | the claim of deploy 12: a [`Record`]. It can be created once only, and never changes |
//! | `12.alive` | written again and again while deploy 12 is going on |
//! | `12.done` | the site of deploy 12 is complete |
//! | `12.clean` | what it no longer needs is deleted |
//! | `manifests/DIGEST.json` | the manifest with this SHA-256 |
//! | `files/DIGEST` | the old content of a file, for a rollback |
//! | `tmp/` | files that are being written, where the target needs that |
//!
//! The claim with the highest number says everything: it repeats what is still of interest of the claims before it.

use super::site_path::SitePath;
use super::store::{Failure, Store};
use serde::{Deserialize, Serialize};
use sitegen_core::diagnostics::is_unprintable;
pub use sitegen_core::paths::DEPLOYS as FOLDER;
use sitegen_core::sources::{Digest, digest};
use sitegen_publish::manifest::{hexadecimal, read_digest};
use std::collections::{BTreeMap, BTreeSet};

const GENERATOR: &str = "sitegen";
const FORMAT: u32 = 1;
/// How many bytes the texts of a claim have at most that are no digests.
const LONGEST_TEXT: usize = 200;

/// The digests of the files of a site, by their paths.
pub type Files = BTreeMap<SitePath, Digest>;

/// The claim of a deploy. Manifests are named by their SHA-256 in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    generator: String,
    format: u32,
    /// The number of the deploy.
    pub deploy: u64,
    /// A text that no other claim has.
    pub id: String,
    /// When it began, for people.
    pub begun: String,
    /// The site that it publishes.
    pub manifest: String,
    /// The site that was complete before.
    pub current: Option<String>,
    /// The site that was complete before that one.
    pub previous: Option<String>,
    /// Whether the old content of `previous` is kept, beside that of `current`.
    pub has_previous: bool,
    /// Whether this deploy keeps the old content of `current`.
    pub keeps: bool,
    /// Sites of deploys that were cut off since `current` was complete: some of their files may be there.
    #[serde(default)]
    pub uncertain: Vec<String>,
    /// Sites of which files may still be there that no newer one needs.
    #[serde(default)]
    pub leftovers: Vec<String>,
    /// Whether pages of these may still be there too, because the deploy before was cut off while it deleted them.
    #[serde(default)]
    pub has_old_pages: bool,
}

/// What a new deploy finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The number of the last claim, or 0.
    pub number: u64,
    /// The last claim.
    pub last: Option<Record>,
    /// Whether its deploy is complete.
    pub is_done: bool,
    /// Whether there is nothing that it should still delete.
    pub is_clean: bool,
    /// As in [`Record`], seen from the next deploy.
    pub current: Option<String>,
    /// The same.
    pub previous: Option<String>,
    /// Whether the old content of `previous` is kept.
    pub has_previous: bool,
    /// The same as in [`Record`].
    pub uncertain: Vec<String>,
    /// The same.
    pub leftovers: Vec<String>,
    /// The same.
    pub has_old_pages: bool,
}

/// Returns the path of a file of a deploy, such as its claim: `json`, `alive`, `done`, `clean`.
pub fn file_of(deploy: u64, kind: &str) -> String {
    format!("{FOLDER}/{deploy}.{kind}")
}

/// Returns the path of the old content with this digest.
pub fn old_content(digest: &Digest) -> String {
    format!("{FOLDER}/files/{}", hexadecimal(digest))
}

/// Returns the path of a manifest.
pub fn manifest_file(name: &str) -> String {
    format!("{FOLDER}/manifests/{name}.json")
}

/// Returns the name of a manifest by its text.
pub fn manifest_name(text: &[u8]) -> String {
    hexadecimal(&digest(text))
}

impl Record {
    /// The claim of the next deploy after `base`.
    pub fn after(base: &Base, id: String, begun: String, manifest: String, keeps: bool) -> Self {
        Record {
            generator: GENERATOR.to_owned(),
            format: FORMAT,
            deploy: base.number + 1,
            id,
            begun,
            manifest,
            current: base.current.clone(),
            previous: base.previous.clone(),
            has_previous: base.has_previous,
            keeps,
            uncertain: base.uncertain.clone(),
            leftovers: base.leftovers.clone(),
            has_old_pages: base.has_old_pages,
        }
    }

    /// Returns the text of the file.
    pub fn text(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Returns the site before this one, once it is complete, and whether its old content is kept. A deploy of the same site again
    /// does not change that.
    pub fn before(&self) -> (Option<&String>, bool) {
        match self.current.as_ref() == Some(&self.manifest) {
            true => (self.previous.as_ref(), self.has_previous && self.keeps),
            false => (self.current.as_ref(), self.keeps && self.current.is_some()),
        }
    }

    /// Returns the sites whose files this deploy deletes, once it is complete, as far as no other needs them.
    pub fn outdated(&self) -> impl Iterator<Item = &String> {
        self.current.iter().chain(&self.previous).chain(&self.uncertain).chain(&self.leftovers)
    }

    /// Returns the sites of which visitors may still have pages: files with a hash in their names stay for them.
    pub fn recent(&self) -> impl Iterator<Item = &String> {
        let leftovers = self.leftovers.iter().filter(|_| self.has_old_pages);
        self.before().0.into_iter().chain(&self.uncertain).chain(leftovers)
    }
}

impl Base {
    /// Reads what is known at a target.
    pub fn read(store: &dyn Store) -> Result<Self, Failure> {
        let names = store.names(FOLDER)?;
        let Some(last) = last_claim(&names) else { return Ok(Base::default()) };
        for number in claims(&names) {
            let path = file_of(number, "json");
            let bytes = store.read(&path)?.ok_or_else(|| Failure::new(format!("{path} has gone meanwhile")))?;
            // A claim that was cut off while it was made: its deploy has changed nothing.
            if bytes.is_empty() {
                continue;
            }
            let record: Option<Record> = serde_json::from_slice(&bytes).ok();
            let record = record.filter(|record| record.is_known() && record.deploy == number).ok_or_else(|| {
                Failure::with_help(
                    format!("{path} is no claim that this version of sitegen can read"),
                    "use the newest version of sitegen that has deployed there",
                )
            })?;
            let has = |kind: &str| names.contains(&format!("{number}.{kind}"));
            return Ok(Base { number: last, ..Base::after(record, has("done"), has("clean")) });
        }
        Ok(Base { number: last, is_done: true, is_clean: true, ..Base::default() })
    }

    /// What the deploy after this one finds.
    pub fn after(record: Record, is_done: bool, is_clean: bool) -> Self {
        let before = Base { number: record.deploy, is_done, is_clean, ..Base::default() };
        if !is_done {
            let uncertain: BTreeSet<&String> = record.uncertain.iter().chain([&record.manifest]).collect();
            return Base {
                current: record.current.clone(),
                previous: record.previous.clone(),
                has_previous: record.has_previous,
                uncertain: uncertain.into_iter().cloned().collect(),
                leftovers: record.leftovers.clone(),
                has_old_pages: record.has_old_pages,
                last: Some(record),
                ..before
            };
        }
        let (previous, has_previous) = record.before();
        let previous = previous.cloned();
        let leftovers: BTreeSet<String> = match is_clean {
            true => record.recent().filter(|name| Some(*name) != previous.as_ref()).cloned().collect(),
            false => record.outdated().filter(|name| **name != record.manifest).cloned().collect(),
        };
        Base {
            current: Some(record.manifest.clone()),
            previous,
            has_previous,
            leftovers: leftovers.into_iter().collect(),
            has_old_pages: !is_clean,
            last: Some(record),
            ..before
        }
    }

    /// Returns the names of all manifests that name files which may be there.
    pub fn manifests(&self) -> BTreeSet<&String> {
        self.current.iter().chain(&self.previous).chain(&self.uncertain).chain(&self.leftovers).collect()
    }
}

impl Record {
    fn is_known(&self) -> bool {
        // Anybody may have written it who can write there: paths are made of the names of manifests, and the others are printed.
        let names = [&self.manifest].into_iter().chain(self.outdated());
        let is_printable = |text: &String| text.len() <= LONGEST_TEXT && !text.contains(is_unprintable);
        self.generator == GENERATOR
            && self.format == FORMAT
            && names.into_iter().all(|name| read_digest(name).is_some_and(|digest| hexadecimal(&digest) == *name))
            && [&self.begun, &self.id].into_iter().all(is_printable)
    }
}

/// Returns the numbers of claims, the last one first.
fn claims(names: &[String]) -> impl Iterator<Item = u64> {
    // There is a number after each.
    let number = |name: &String| {
        let number = name.strip_suffix(".json")?.parse().ok().filter(|number| *number < u64::MAX)?;
        (*name == format!("{number}.json")).then_some(number)
    };
    names.iter().filter_map(number).collect::<BTreeSet<u64>>().into_iter().rev()
}

/// Returns the highest number of a claim.
pub fn last_claim(names: &[String]) -> Option<u64> {
    claims(names).next()
}

/// Reads the files of a manifest. Fails if sitegen did not write it, or if no build can have written one of its paths.
pub fn files_of(text: &[u8]) -> Result<Files, ManifestFault> {
    #[derive(Deserialize)]
    struct Manifest {
        generator: String,
        files: BTreeMap<String, String>,
    }
    let manifest = serde_json::from_slice::<Manifest>(text).ok();
    let manifest = manifest.filter(|manifest| manifest.generator == GENERATOR).ok_or(ManifestFault::Damaged)?;
    let file = |(path, digest): (String, String)| {
        let digest = read_digest(&digest).ok_or(ManifestFault::Damaged)?;
        match SitePath::parse(&path) {
            Ok(path) => Ok((path, digest)),
            Err(reason) => Err(ManifestFault::Path { path, reason }),
        }
    };
    manifest.files.into_iter().map(file).collect()
}

/// Why a text is no manifest of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestFault {
    /// It is no manifest of sitegen.
    Damaged,
    /// One of its paths is none of a site.
    Path {
        /// The path.
        path: String,
        /// What is wrong with it, after `it`.
        reason: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(manifest: &str) -> Record {
        Record::after(&Base::default(), "id".to_owned(), "today".to_owned(), manifest.to_owned(), true)
    }

    #[test]
    fn a_claim_of_a_target_names_manifests_by_their_digests_only() {
        let digest = "0123456789abcdef".repeat(4);
        let known = record(&digest);
        assert!(known.is_known());
        for wrong in ["", "../x", "x\n!touch x", &digest[1..], &digest.to_uppercase(), &format!("+{}", &digest[1..])] {
            assert!(!record(wrong).is_known(), "{wrong:?}");
            let wrong = Some(wrong.to_owned());
            assert!(!Record { current: wrong.clone(), ..known.clone() }.is_known());
            assert!(!Record { previous: wrong.clone(), ..known.clone() }.is_known());
            assert!(!Record { uncertain: wrong.iter().cloned().collect(), ..known.clone() }.is_known());
            assert!(!Record { leftovers: wrong.into_iter().collect(), ..known.clone() }.is_known());
        }
        assert!(!Record { begun: "\u{1b}[2J".to_owned(), ..known.clone() }.is_known());
        assert!(!Record { id: "x".repeat(201), ..known }.is_known());
    }

    #[test]
    fn only_names_that_deploys_write_are_claims() {
        let last = |names: &[&str]| last_claim(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(last(&["1.json", "12.json", "12.done", "0099.json", "+99.json", "x.json"]), Some(12));
        assert_eq!(last(&["18446744073709551615.json"]), None);
        assert_eq!(last(&[]), None);
    }

    #[test]
    fn a_manifest_with_a_path_of_no_site_is_not_read() {
        let text = |path: &str| {
            sitegen_publish::manifest::text(0, [("index.html", [1; 32]), (path, [2; 32])].into_iter()).into_bytes()
        };
        assert_eq!(files_of(&text("a \"b\"/-c.html")).map(|files| files.len()), Ok(2));
        for path in ["a\n!touch x", "../x", "/x", "a\\b", ".sitegen-deploys/1.json"] {
            assert!(matches!(files_of(&text(path)), Err(ManifestFault::Path { path: named, .. }) if named == path));
        }
        assert_eq!(files_of(b"{}"), Err(ManifestFault::Damaged));
    }
}
