//! Knows which files of an output folder earlier builds have written. All others are foreign, and never removed.

use super::manifest;
use super::metadata::is_of_system;
use super::output;
use super::previous::Records;
use super::scan::{FileState, Scan};
use super::tree::Tree;
use sitegen_core::paths::MANIFEST;
use std::collections::BTreeSet;
use std::path::Path;

/// The files that earlier builds have written.
pub enum WrittenFiles {
    /// An earlier build has written the site that is published now, or the folder is empty.
    Site,
    /// Earlier builds have written files at these paths.
    Listed(BTreeSet<String>),
    /// There is no manifest and no record.
    Unknown,
    /// There is a manifest of ours that cannot be read, and no record.
    Damaged,
}

impl WrittenFiles {
    /// Reads the project's record of a folder without a manifest, or the manifest of a folder that is
    /// [not](WrittenFiles::is_site) that of the site. What content publishes as `manifest.json` is no record.
    pub fn before(out: &Path, records: Option<&Records>) -> Self {
        let manifest = || manifest::names(out).map(|paths| with(paths, MANIFEST));
        let listed = records.and_then(Records::names).or_else(manifest);
        match listed {
            Some(listed) => WrittenFiles::Listed(listed),
            None if manifest::is_damaged(out) => WrittenFiles::Damaged,
            None => WrittenFiles::Unknown,
        }
    }

    /// Whether an earlier build has written this very site, or nothing is there.
    pub fn is_site(out: &Path, tree: &Tree) -> bool {
        output::is_empty(out) || manifest::is_that_of(out, tree)
    }

    /// Returns why files are not known to be those of a build. A folder with files of the site is likely one of a build that has lost
    /// its list.
    pub fn reason(&self, scan: &Scan, records: Option<&Records>, no_manifest: bool) -> &'static str {
        let is_ours = || scan.states.iter().any(FileState::is_same) || records.is_some_and(Records::has_previous);
        match self {
            WrittenFiles::Damaged => {
                "its `manifest.json`, which lists what earlier builds wrote, is damaged, so any file in it may be yours"
            }
            WrittenFiles::Unknown if no_manifest && is_ours() => {
                "the list of what earlier builds wrote, which `.sitegen` keeps, is missing, so any file in it may be yours"
            }
            WrittenFiles::Unknown if is_ours() => {
                "its `manifest.json`, which lists what earlier builds wrote, is missing or not one that a build wrote, so any \
                 file in it may be yours"
            }
            _ => "it contains files that no earlier build wrote",
        }
    }

    /// Returns the paths of files that no earlier build has written, in order. In a folder of ours, a file with the
    /// bytes that the new site wants at its path is not foreign: nothing can be lost.
    pub fn foreign(&self, tree: &Tree, scan: &Scan) -> Vec<String> {
        let at = |is_meant: fn(&FileState) -> bool| {
            let files = tree.files.iter().zip(&scan.states).filter(move |(_, state)| is_meant(state));
            files.map(|(file, _)| file.path.as_str())
        };
        let extra = scan.extra_files.iter().map(String::as_str);
        let mut foreign: Vec<String> = match self {
            WrittenFiles::Site => extra.map(str::to_owned).collect(),
            WrittenFiles::Listed(listed) => {
                let existing = extra.chain(at(|state| *state == FileState::Changed));
                existing.filter(|path| !listed.contains(*path)).map(str::to_owned).collect()
            }
            WrittenFiles::Unknown | WrittenFiles::Damaged => {
                extra.chain(at(|state| *state != FileState::Missing)).map(str::to_owned).collect()
            }
        };
        foreign.retain(|path| !is_of_system(path));
        foreign.sort_unstable();
        foreign
    }
}

fn with(mut paths: BTreeSet<String>, path: &str) -> BTreeSet<String> {
    paths.insert(path.to_owned());
    paths
}
