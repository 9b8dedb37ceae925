//! Which files of an output folder earlier builds have written. All others are foreign, and never removed.

use super::manifest::{self, MANIFEST};
use super::place;
use super::previous::Records;
use super::scan::{Scan, State};
use super::tree::Tree;
use std::collections::BTreeSet;
use std::path::Path;

/// What is known of the files in an output folder.
pub enum Written {
    /// An earlier build has written the site that is to be published now, or nothing lies in the folder.
    Site,
    /// Earlier builds have written files at these paths.
    Named(BTreeSet<String>),
    /// Nothing is known.
    Unknown,
}

impl Written {
    /// What the manifest of a folder says that is [not](Written::is_site) that of the site, or the project's record of a
    /// folder without one.
    pub fn before(out: &Path, records: Option<&Records>) -> Self {
        let record = || records.and_then(Records::names);
        let named = manifest::names(out).map(|named| with(named, MANIFEST)).or_else(record);
        named.map_or(Written::Unknown, Written::Named)
    }

    /// Whether an earlier build has written this very site, or nothing is there.
    pub fn is_site(out: &Path, tree: &Tree) -> bool {
        place::is_empty(out) || manifest::is_that_of(out, tree)
    }

    /// The paths of files that were found and that no earlier build has written, in their order. A file that holds what
    /// the new site wants there is nothing that could be lost, once the folder is known as one of ours.
    pub fn foreign(&self, tree: &Tree, scan: &Scan) -> Vec<String> {
        let at = |is_meant: fn(&State) -> bool| {
            let found = tree.files.iter().zip(&scan.states).filter(move |(_, state)| is_meant(state));
            found.map(|(file, _)| file.path.as_str())
        };
        let extra = scan.extra_files.iter().map(String::as_str);
        let mut foreign: Vec<String> = match self {
            Written::Site => extra.map(str::to_owned).collect(),
            Written::Named(named) => {
                let found = extra.chain(at(|state| *state == State::Changed));
                found.filter(|path| !named.contains(*path)).map(str::to_owned).collect()
            }
            Written::Unknown => extra.chain(at(|state| *state != State::Missing)).map(str::to_owned).collect(),
        };
        foreign.sort();
        foreign
    }
}

fn with(mut named: BTreeSet<String>, path: &str) -> BTreeSet<String> {
    named.insert(path.to_owned());
    named
}
