//! A project that is checked again and again: its files on the disk, some of them replaced by texts that nobody has saved yet.
//!
//! The server of `sitegen serve` and the language server are its clients. Nothing here writes a file.
//!
//! What a client does is short, under its own lock: it [reads](Session::read) what changed on the disk or
//! [replaces](Session::replace) a text, and takes what is [pending](Session::pending). The check itself needs no session.

use crate::Built;
use crate::artifacts::Artifacts;
use crate::build_keeping;
use crate::content::languages::Languages;
use crate::content::{self, Site};
use crate::diagnostics::{Checked, Diagnostic, LinkProblem, Problem, Severity};
use crate::islands;
use crate::paths::SourcePath;
use crate::profile::Profile;
use crate::sources::{self, SourceKind, Sources};
use crate::tools::{DiskTools, Tools};
use crate::watch::{Change, PACKAGES};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// See the module.
pub struct Session {
    /// The project's folder, absolute: it may be moved away and come back while this process is in it.
    root: PathBuf,
    tools: Arc<DiskTools>,
    mode: Mode,
    find: FindTools,
    /// The files on the disk; `None` when they could not be read completely.
    disk: Option<Sources>,
    /// What was wrong when the disk was read.
    unread: Vec<Diagnostic>,
    /// The bytes that replace those on the disk; nothing stands for no file.
    replaced: BTreeMap<SourcePath, Option<Arc<[u8]>>>,
    /// The files with the replaced texts, if they were asked for since the last change.
    current: Option<Sources>,
    /// The same with the languages of their paths known.
    marked: Option<(Sources, Languages)>,
    /// What changed since the last check.
    differing: BTreeSet<SourcePath>,
    /// Whether packages came or went since the last check.
    has_packages: bool,
    /// Whether there was no check yet.
    is_new: bool,
}

/// Finds the tools of a project.
pub type FindTools = fn(&Path) -> DiskTools;

/// What a session is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Pages are shown: everything in them is compiled, or an error says why not.
    Serve,
    /// Texts are checked. Where islands cannot be compiled, everything else is checked.
    Edit {
        /// Whether programs of the project may run.
        with_programs: bool,
    },
}

/// How often files with errors are left out.
const MOST_ROUNDS: usize = 4;

/// What is to be checked.
pub struct Pending {
    /// The files; `None` when they could not be read completely.
    pub sources: Option<Sources>,
    /// Which of them differ from those of the last check.
    pub differing: BTreeSet<SourcePath>,
    /// What was wrong when the disk was read.
    pub unread: Vec<Diagnostic>,
    /// The tools, with the results of earlier checks.
    pub tools: Arc<DiskTools>,
}

/// What a check gives.
pub struct Outcome {
    /// The content, unless it has errors.
    pub site: Option<Site>,
    /// The finished site, unless there are errors.
    pub artifacts: Option<Artifacts>,
    /// Everything that is wrong, also what was wrong when the disk was read.
    pub diagnostics: Vec<Diagnostic>,
}

fn tools_of(root: &Path, mode: Mode, find: FindTools) -> Arc<DiskTools> {
    // What is made from pictures is made when it is asked for.
    let tools = find(root).deferring();
    let compiles = match mode {
        Mode::Serve => true,
        Mode::Edit { with_programs } => with_programs && tools.esbuild().is_some(),
    };
    Arc::new(if compiles { tools } else { tools.without_islands() })
}

impl Session {
    /// Creates a session of the project in a folder, of which nothing is read yet.
    pub fn of(root: &Path, mode: Mode, find: FindTools) -> Self {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        Session {
            tools: tools_of(&root, mode, find),
            root,
            mode,
            find,
            disk: None,
            unread: Vec::new(),
            replaced: BTreeMap::new(),
            current: None,
            marked: None,
            differing: BTreeSet::new(),
            has_packages: false,
            is_new: true,
        }
    }

    /// Returns the tools of the last check.
    pub fn tools(&self) -> &Arc<DiskTools> {
        &self.tools
    }

    /// Reads what changed on the disk.
    pub fn read(&mut self, change: &Change) {
        let root = &self.root;
        let renewed = match (change, &mut self.disk) {
            (Change::Paths(paths), Some(disk)) => sources::refresh(disk, root, paths),
            _ => None,
        };
        match renewed {
            Some(paths) => self.differing.extend(paths),
            None => {
                let Checked { value, diagnostics } = sources::read_onto(&self.tools.shelf(), root);
                if let Some(disk) = &value {
                    self.differing.extend(disk.differing(self.disk.as_ref().unwrap_or(&Sources::default())));
                }
                (self.disk, self.unread) = (value, diagnostics);
            }
        }
        self.current = None;
        // Installing or removing packages changes the tools and the bundles.
        let is_package = |path: &str| path.starts_with(PACKAGES) || path.starts_with("package");
        self.has_packages |= match change {
            Change::Paths(paths) => paths.iter().any(|path| is_package(path)),
            Change::Everything { with_packages } => {
                *with_packages || self.differing.iter().any(|path| is_package(path.as_str()))
            }
        };
    }

    /// Whether a file that was just read is empty.
    pub fn has_emptied(&self) -> bool {
        let is_empty =
            |path| self.disk.as_ref().and_then(|disk| disk.get(path)).is_some_and(|file| file.body.is_empty());
        self.differing.iter().any(is_empty)
    }

    /// Replaces the bytes of a file, which need not be on the disk, or takes the file away. What is there changes nothing until it
    /// is [restored](Session::restore).
    pub fn replace(&mut self, path: SourcePath, bytes: Option<Arc<[u8]>>) {
        self.differing.insert(path.clone());
        self.replaced.insert(path, bytes);
        self.current = None;
    }

    /// Returns to the text of a file on the disk.
    pub fn restore(&mut self, path: &SourcePath) {
        if self.replaced.remove(path).is_some() {
            self.differing.insert(path.clone());
            self.current = None;
        }
    }

    /// Returns to the disk with every file.
    pub fn restore_all(&mut self) {
        let paths: Vec<SourcePath> = self.replaced.keys().cloned().collect();
        paths.iter().for_each(|path| self.restore(path));
    }

    /// Returns the files with the replaced texts; `None` when they could not be read completely.
    pub fn sources(&mut self) -> Option<&Sources> {
        if self.current.is_none() {
            let disk = self.disk.clone()?;
            let with = |sources: Sources, (path, bytes): (&SourcePath, &Option<Arc<[u8]>>)| match bytes {
                Some(bytes) => sources.with(path, bytes),
                None => sources.without(path),
            };
            self.current = Some(self.replaced.iter().fold(disk, with));
            self.marked = None;
        }
        self.current.as_ref()
    }

    /// Returns the [files](Session::sources) with the languages of their paths known, and the languages of the site.
    pub fn marked(&mut self) -> Option<&(Sources, Languages)> {
        let sources = self.sources()?.clone();
        if self.marked.is_none() {
            let languages = Languages::of(&sources, self.tools.cache());
            self.marked = Some((languages.marked(&sources), languages));
        }
        self.marked.as_ref()
    }

    /// Returns what is to be checked; `None` if no file has changed since it was last asked for.
    pub fn pending(&mut self) -> Option<Pending> {
        let (differing, unread) = (std::mem::take(&mut self.differing), std::mem::take(&mut self.unread));
        let has_packages = std::mem::take(&mut self.has_packages);
        if !has_packages && differing.is_empty() && unread.is_empty() && !self.is_new {
            return None;
        }
        self.is_new = false;
        // Files of packages are not watched. They are checked again whenever the islands may change, and not for each
        // edit of a text.
        let is_text = |path: &SourcePath| path.below("content").is_some() || path.below("templates").is_some();
        let may_differ = !differing.iter().all(is_text);
        // New tools know nothing of earlier checks: an editor gets them when packages come, and not with each letter.
        let looks_again = self.mode == Mode::Serve && self.tools.esbuild().is_none();
        if has_packages || may_differ && looks_again {
            self.tools = tools_of(&self.root, self.mode, self.find);
        } else if may_differ {
            self.tools.forget_packages();
        }
        Some(Pending { sources: self.sources().cloned(), differing, unread, tools: self.tools.clone() })
    }
}

impl Pending {
    /// Checks the site.
    pub fn check(&self, profile: &Profile) -> Outcome {
        let built = match &self.sources {
            // Run on one of the worker threads, as `build` is.
            Some(sources) => rayon::scope(|_| build_keeping(sources, profile, &*self.tools)),
            None => Built { site: None, artifacts: Checked::failed(Vec::new()) },
        };
        let Built { site, artifacts: Checked { value, diagnostics } } = built;
        // A build with errors stops early and does not ask for the rest of the site, which must stay in the cache.
        if value.is_some() {
            self.tools.cache().evict_unused();
        }
        let mut diagnostics: Vec<Diagnostic> = self.unread.iter().cloned().chain(diagnostics).collect();
        let has_all = !self.leaves_islands_out();
        if !has_all {
            diagnostics.retain(|each| !may_be_of_islands(&each.problem));
        }
        Outcome { site, artifacts: value.filter(|_| has_all), diagnostics }
    }

    /// Resolves the content without the files that have errors. `None` if nothing can be known without them.
    pub fn resolve_rest(&self, diagnostics: &[Diagnostic], profile: &Profile) -> Option<Site> {
        let mut sources = self.sources.clone()?;
        let languages = Languages::of(&sources, self.tools.cache());
        let mut wrong = diagnostics.to_vec();
        // What refers to a file that is left out is left out next.
        for _ in 0..MOST_ROUNDS {
            let paths = wrong.iter().filter(|each| each.severity != Severity::Warning);
            let paths = paths.filter_map(|each| Some(each.place.as_ref()?.path.clone()));
            let may_be_left_out = |path: &SourcePath| {
                let kind = SourceKind::of(path);
                matches!(kind, SourceKind::Page | SourceKind::Entry | SourceKind::Asset | SourceKind::Schema)
            };
            let without: BTreeSet<SourcePath> =
                paths.filter(|path| may_be_left_out(path) && sources.get(path).is_some()).collect();
            if without.is_empty() {
                return None;
            }
            sources = without.iter().fold(sources, |sources, path| sources.without(path));
            let resolved = content::resolve(&languages.joined(&sources), profile, &*self.tools);
            if resolved.value.is_some() {
                return resolved.value;
            }
            wrong = resolved.diagnostics;
        }
        None
    }

    /// Whether pages have nothing in the places of their islands.
    pub fn leaves_islands_out(&self) -> bool {
        let has_islands = self.sources.as_ref().is_some_and(|sources| islands::names(sources).next().is_some());
        has_islands && !self.tools.compiles_islands()
    }
}

/// Whether a problem may only be there because the markup of islands is missing.
fn may_be_of_islands(problem: &Problem) -> bool {
    use Problem::{Accessibility, Budget, Connection, Island, Link, Markup, Policy, Unused};
    match problem {
        Link(problem) => matches!(problem, LinkProblem::BrokenSection { .. }),
        Accessibility(_) | Budget(_) | Connection(_) | Island(_) | Markup(_) | Policy(_) | Unused(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn a_replaced_text_is_checked_and_the_disk_stays() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("content/site.yaml", "url: https://www.a.test\nlanguage: en\nname: A\n");
        write("content/pages/index.md", "---\ntitle: A\n---\nText.\n");
        let page = "<!doctype html><html lang=en><head><title>{{ page.title }}</title></head><body><main><h1>A</h1>\
                    {{ page.content }}</main></body></html>";
        write("templates/pages/page.html", page);
        let mut session = Session::of(folder.path(), Mode::Edit { with_programs: false }, DiskTools::of);
        session.read(&Change::Everything { with_packages: false });
        let codes = |session: &mut Session| {
            let outcome = session.pending().map(|pending| pending.check(&Profile::default()));
            outcome.map(|outcome| {
                let codes = outcome.diagnostics.iter().map(|each| code(&each.problem)).collect::<Vec<_>>();
                (codes, outcome.artifacts.is_some(), outcome.site.is_some())
            })
        };
        assert_eq!(codes(&mut session), Some((vec![], true, true)));
        assert_eq!(codes(&mut session), None);
        let index = SourcePath::new("content/pages/index.md");
        session.replace(index.clone(), Some(b"---\ntitel: A\n---\n"[..].into()));
        assert_eq!(codes(&mut session), Some((vec!["unknown-key"], false, false)));
        // A change on the disk is not seen below the replaced text.
        write("content/pages/index.md", "---\n- broken\n---\n");
        session.read(&Change::Paths(["content/pages/index.md".to_owned()].into()));
        assert_eq!(codes(&mut session), Some((vec!["unknown-key"], false, false)));
        session.restore(&index);
        assert!(codes(&mut session).is_some_and(|(codes, ..)| !codes.is_empty() && codes != ["unknown-key"]));
    }
}
