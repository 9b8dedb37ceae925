//! Decides what a deploy changes, and in which order. Nothing here reads or writes anything.
//!
//! A page may be got at any moment, and its files right after it. So a file is there before the first page that needs it, and as
//! long as one may be got that does.

use super::record::{Files, old_content};
use super::site_path::SitePath;
use super::store::Step;
use sitegen_core::sources::Digest;
use std::collections::BTreeSet;
use std::ops::Bound;

/// What a file is to visitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A file with a hash in its name: the name always stands for the same content.
    Hashed,
    /// A file that pages may need, and that may change.
    File,
    /// A page.
    Page,
    /// A feed, a sitemap or a file for the host: it names pages.
    List,
}

/// What is known of a target before a deploy.
#[derive(Clone, Debug, Default)]
pub struct Known<'a> {
    /// The files of the site that was complete last.
    pub current: Option<&'a Files>,
    /// Those of deploys that were cut off since.
    pub uncertain: Vec<&'a Files>,
    /// The paths of old contents that are kept.
    pub kept: BTreeSet<String>,
    /// Whether every file is sent, whatever the manifests say.
    pub is_doubted: bool,
    /// Whether a file cannot be beside a folder with its name.
    pub has_folders: bool,
}

impl Known<'_> {
    /// Returns the digests that the file at a path may have. `None` stands for no file.
    fn possible(&self, path: &str) -> BTreeSet<Option<Digest>> {
        let current = self.current.and_then(|files| files.get(path)).copied();
        let uncertain = self.uncertain.iter().filter_map(|files| files.get(path)).map(|digest| Some(*digest));
        // Such a deploy may have made room.
        let is_cleared = self.has_folders && self.uncertain.iter().any(|files| !in_the_way(path, files).is_empty());
        [current].into_iter().chain(uncertain).chain(is_cleared.then_some(None)).collect()
    }

    /// Whether the file at a path certainly has a digest.
    pub fn has(&self, path: &str, digest: &Digest) -> bool {
        !self.is_doubted && self.possible(path) == BTreeSet::from([Some(*digest)])
    }

    /// Whether the file at a path may have a digest, and may have another one.
    pub fn may_have(&self, path: &str, digest: &Digest) -> bool {
        let possible = self.possible(path);
        possible.len() > 1 && possible.contains(&Some(*digest))
    }
}

/// Where the content of changed files comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the output folder.
    Output,
    /// From old contents that the target keeps.
    Kept,
}

/// Changes that may be made in any order, after all of those before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What it is, for people.
    pub name: &'static str,
    /// The changes.
    pub steps: Vec<Step>,
}

/// Returns the phases that publish a site, and no empty ones. `keeps` says whether old contents are kept for a rollback, `is_there`
/// which files need no change although the manifests do not say so.
pub fn publishing(
    wanted: &Files,
    known: &Known,
    role: &dyn Fn(&str) -> Role,
    origin: Origin,
    keeps: bool,
    is_there: &dyn Fn(&str) -> bool,
) -> Vec<Phase> {
    let mut phases = vec![
        Phase { name: "keep old content", steps: Vec::new() },
        Phase { name: "files with a hash in their names", steps: Vec::new() },
        Phase { name: "new files", steps: Vec::new() },
        Phase { name: "changed files", steps: Vec::new() },
        Phase { name: "new pages", steps: Vec::new() },
        Phase { name: "changed pages", steps: Vec::new() },
        Phase { name: "lists of pages", steps: Vec::new() },
    ];
    if keeps {
        let empty = Files::new();
        let copies = replaced(known.current.unwrap_or(&empty), wanted, role);
        let missing = copies.into_iter().filter(|(_, digest)| !known.kept.contains(&old_content(digest)));
        phases[0].steps =
            missing.map(|(path, digest)| Step::Copy { from: path.to_string(), to: old_content(&digest) }).collect();
        // Two files of the same content have one copy.
        phases[0].steps.sort_by(|a, b| a.path().cmp(b.path()));
        phases[0].steps.dedup_by(|a, b| a.path() == b.path());
    }
    for (path, digest) in wanted.iter().filter(|(path, digest)| !known.has(path, digest) && !is_there(path)) {
        let is_new = !known.possible(path).iter().any(Option::is_some);
        let phase = match (role(path), is_new) {
            (Role::Hashed, _) => 1,
            (Role::File | Role::List, true) => 2,
            (Role::File, false) => 3,
            (Role::Page, true) => 4,
            (Role::Page, false) => 5,
            (Role::List, false) => 6,
        };
        phases[phase].steps.push(match origin {
            Origin::Output => Step::Put { path: path.to_string(), digest: *digest },
            Origin::Kept => Step::Copy { from: old_content(digest), to: path.to_string() },
        });
    }
    phases.retain(|phase| !phase.steps.is_empty());
    phases
}

/// Returns the files of a site that are in a folder.
pub fn inside<'a>(folder: &str, files: &'a Files) -> impl Iterator<Item = &'a SitePath> + use<'a> {
    let start = format!("{folder}/");
    let from = files.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded));
    from.map(|(path, _)| path).take_while(move |path| path.starts_with(&start))
}

/// Returns the files of a site that cannot be beside a file: those where its folder would be, and those in a folder of its name.
fn in_the_way<'a>(path: &str, files: &'a Files) -> Vec<&'a SitePath> {
    let above = path.match_indices('/').filter_map(|(at, _)| Some(files.get_key_value(&path[..at])?.0));
    above.chain(inside(path, files)).collect()
}

/// Adds phases before others that delete what is in the way of their files. `there` are the files of all sites that may be there.
pub fn with_room(phases: Vec<Phase>, there: &[&Files]) -> Vec<Phase> {
    let mut all = Vec::new();
    let mut deleted = BTreeSet::new();
    for phase in phases {
        let ways = phase.steps.iter().flat_map(|step| there.iter().flat_map(|files| in_the_way(step.path(), files)));
        let ways: BTreeSet<&SitePath> = ways.filter(|path| deleted.insert((*path).clone())).collect();
        if !ways.is_empty() {
            let steps = ways.into_iter().map(|path| Step::Remove { path: path.to_string() }).collect();
            all.push(Phase { name: "delete what is in the way", steps });
        }
        all.push(phase);
    }
    all
}

/// Returns the files of a site that another one replaces or lacks, and whose names do not stand for their content.
pub fn replaced(before: &Files, after: &Files, role: &dyn Fn(&str) -> Role) -> Vec<(SitePath, Digest)> {
    let is_replaced =
        |(path, digest): &(&SitePath, &Digest)| role(path) != Role::Hashed && after.get(*path) != Some(*digest);
    before.iter().filter(is_replaced).map(|(path, digest)| (path.clone(), *digest)).collect()
}

/// Returns the phases that delete what a published site does not need. `outdated` are the files of all sites before it, `recent`
/// those of the sites of which visitors may still have pages.
pub fn cleaning(wanted: &Files, outdated: &[&Files], recent: &[&Files], role: &dyn Fn(&str) -> Role) -> Vec<Phase> {
    let is_recent = |path: &str| role(path) == Role::Hashed && recent.iter().any(|files| files.contains_key(path));
    let paths: BTreeSet<&SitePath> = outdated.iter().flat_map(|files| files.keys()).collect();
    let paths = paths.into_iter().filter(|path| !wanted.contains_key(*path) && !is_recent(path));
    let (pages, others): (Vec<&SitePath>, Vec<&SitePath>) = paths.partition(|path| role(path) == Role::Page);
    let phase = |name, paths: Vec<&SitePath>| Phase {
        name,
        steps: paths.into_iter().map(|path| Step::Remove { path: path.to_string() }).collect(),
    };
    // A page that is there may need any of the files.
    let phases = [phase("delete pages", pages), phase("delete files", others)];
    phases.into_iter().filter(|phase| !phase.steps.is_empty()).collect()
}
