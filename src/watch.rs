//! Watches files: reports what changed in a project as soon as it is complete.
//!
//! Watching only triggers builds; nothing here decides what a change means. [`Watch::wait`] sleeps until the system
//! reports an event (there is no polling), and returns the paths to read again.
//!
//! # What editors do
//!
//! How long to wait after an event follows from how programs save files; `batch` decides it:
//!
//! - A file that is written in place is truncated first (most editors, `>` of a shell). At that moment it is empty, so
//!   `batch` waits for the writer to close it, and then acts at once.
//! - A file that is written under another name and renamed (Vim, Emacs, JetBrains, `sed -i`) is complete once it is
//!   renamed.
//! - Vim moves the old file away before it writes the new one: a vanished file gets a moment to come back.
//! - A formatter, a checkout or a synchroniser writes many files: while one event follows another, they are collected.
//!
//! # What is watched
//!
//! The source folders with everything in them, and the project's folder itself without its subfolders, for the package
//! files and for folders that come and go; of `node_modules`, the lists that package managers write at the end. What a
//! build writes (`.sitegen/`, `dist/`) is ignored, so a build cannot cause another. A new folder is watched before it is
//! read, so a file that appears in between is either read or reported. Where symbolic links lead elsewhere, the target's
//! folder is watched too, and every change reads everything again, since one file then has several names.

mod batch;

use crate::diagnostics::{Diagnostic, ToolProblem};
use crate::sources::{FOLDERS, is_input};
use batch::{Batch, FileEvent};
use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What to read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Files, or folders with everything in them, relative to the project's folder.
    Paths(BTreeSet<String>),
    /// The whole project: events were lost, a source folder came or went, or links lead through it.
    Everything {
        /// Whether packages may have come or gone.
        with_packages: bool,
    },
}

/// The folder that contains the tools of a build. When it appears, a build may find others.
pub const PACKAGES: &str = "node_modules";

/// What npm, pnpm and Yarn write into that folder once they have installed packages.
const LISTS_OF_PACKAGES: [&str; 4] = [".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml"];

/// Whether a path, relative to the project, is the folder of packages or a list in it.
fn is_of_packages(inside: &Path) -> bool {
    let mut parts = inside.iter();
    let is_folder = parts.next().is_some_and(|first| first == PACKAGES);
    let name = parts.next();
    let is_list = |name: &OsStr| LISTS_OF_PACKAGES.iter().any(|list| name == *list);
    is_folder && name.is_none_or(|name| is_list(name) && parts.next().is_none())
}

/// Watches a project.
pub struct Watch {
    root: PathBuf,
    events: Receiver<notify::Result<Event>>,
    /// Replaced when folders come and go.
    watcher: RecommendedWatcher,
    /// Absolute paths that symbolic links of the sources lead to.
    targets: BTreeSet<PathBuf>,
    /// How often in a row events were lost.
    losses: u32,
}

impl Watch {
    /// Starts watching the project in `root`. Every later change is reported.
    pub fn of(root: &Path) -> Result<Self, Diagnostic> {
        let root = root.canonicalize().or_else(|_| std::path::absolute(root)).map_err(|error| failed(root, &error))?;
        let (watcher, events) = listen().map_err(|error| failed(&root, &error))?;
        let mut watch = Watch { root, events, watcher, targets: BTreeSet::new(), losses: 0 };
        watch.attach()?;
        Ok(watch)
    }

    /// Waits for the next change. Fails if watching fails: most often by the system's limit of watched folders.
    pub fn wait(&mut self) -> Result<Change, Diagnostic> {
        loop {
            if let Some(change) = self.wait_until(None)? {
                return Ok(change);
            }
        }
    }

    /// Returns the next change, if it begins within `patience`.
    pub fn wait_within(&mut self, patience: Duration) -> Result<Option<Change>, Diagnostic> {
        self.wait_until(Some(Instant::now() + patience))
    }

    fn wait_until(&mut self, deadline: Option<Instant>) -> Result<Option<Change>, Diagnostic> {
        loop {
            let Some(batch) = self.collect(deadline)? else { return Ok(None) };
            if batch.is_lost {
                // Reading every file causes events too, which may again be too many: each retry waits longer.
                std::thread::sleep(Duration::from_millis(50) * 2u32.pow(self.losses.min(6)) / 2);
                self.losses += 1;
                self.attach()?;
                return Ok(Some(Change::Everything { with_packages: true }));
            }
            self.losses = 0;
            let with_packages = batch.paths().any(|path| match path.strip_prefix(&self.root) {
                Ok(inside) => is_of_packages(inside) || inside.as_os_str().is_empty(),
                Err(_) => self.root.starts_with(path),
            });
            let everything = Ok(Some(Change::Everything { with_packages }));
            if batch.paths().any(|path| self.is_mount(path)) {
                self.attach()?;
                return everything;
            }
            let (mut changed, mut are_files) = (BTreeSet::new(), true);
            for path in batch.paths() {
                let Ok(inside) = path.strip_prefix(&self.root) else { continue };
                let is_packages = is_of_packages(inside);
                if !is_packages && !is_input(inside) {
                    continue;
                }
                let metadata = std::fs::symlink_metadata(path);
                if metadata.as_ref().is_ok_and(|metadata| metadata.is_symlink()) && !is_packages {
                    self.attach()?;
                    return everything;
                }
                let is_folder = metadata.as_ref().is_ok_and(|metadata| metadata.is_dir());
                are_files &= metadata.is_ok() && !is_folder;
                if is_packages && path.is_dir() {
                    self.add(path, RecursiveMode::NonRecursive)?;
                } else if is_folder {
                    // `notify` watches a new folder only after its event; files created in between would be missed.
                    self.add(path, RecursiveMode::Recursive)?;
                    if links_below(path).next().is_some() {
                        self.attach()?;
                        return everything;
                    }
                }
                match inside.to_str() {
                    Some(inside) => changed.insert(inside.replace('\\', "/")),
                    // Reading everything reports the invalid name.
                    None => return everything,
                };
            }
            match changed.is_empty() {
                true => continue,
                // A folder that has two names is watched under one of them, which may be the one that is gone.
                false if !self.targets.is_empty() => {
                    if !are_files {
                        self.attach()?;
                    }
                    return everything;
                }
                false => return Ok(Some(Change::Paths(changed))),
            }
        }
    }

    /// Collects events until the files are complete. Returns `None` if there was none by the deadline.
    fn collect(&self, deadline: Option<Instant>) -> Result<Option<Batch>, Diagnostic> {
        let gone = || failed(&self.root, &"the watcher has ended");
        let mut batch = Batch::default();
        let first = match deadline {
            None => self.events.recv().map_err(|_| gone())?,
            Some(deadline) => match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            },
        };
        self.take(&mut batch, first);
        loop {
            while let Ok(event) = self.events.try_recv() {
                self.take(&mut batch, event);
            }
            let Some(patience) = batch.patience(Instant::now()) else { return Ok(Some(batch)) };
            match self.events.recv_timeout(patience) {
                Ok(event) => self.take(&mut batch, event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }

    fn take(&self, batch: &mut Batch, event: notify::Result<Event>) {
        let now = Instant::now();
        let is_meant = |path: &Path| {
            self.is_mount(path)
                || path.strip_prefix(&self.root).is_ok_and(|inside| is_of_packages(inside) || is_input(inside))
        };
        let Ok(event) = event else {
            batch.is_lost = true;
            return;
        };
        if event.need_rescan() {
            batch.is_lost = true;
            return;
        }
        if let (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), [from, to]) = (event.kind, &event.paths[..]) {
            // A backup (`page.md` becomes `page.md~`) announces the new file; any other move is complete.
            if is_meant(to) {
                batch.add(from, FileEvent::MovedAway, now);
                batch.add(to, FileEvent::Complete, now);
            }
            return;
        }
        let Some(change) = event_of(event.kind) else { return };
        for path in event.paths.iter().filter(|path| is_meant(path)) {
            batch.add(path, change, now);
        }
    }

    /// Whether a path that comes or goes changes what has to be watched.
    fn is_mount(&self, path: &Path) -> bool {
        self.root.starts_with(path)
            || self.targets.contains(path)
            || path.parent() == Some(&self.root)
                && path.file_name().is_some_and(|name| FOLDERS.iter().any(|folder| name == *folder))
    }

    /// Watches everything that exists now, from scratch.
    fn attach(&mut self) -> Result<(), Diagnostic> {
        loop {
            let (watcher, events) = listen().map_err(|error| failed(&self.root, &error))?;
            (self.watcher, self.events) = (watcher, events);
            self.targets.clear();
            let root = self.root.clone();
            if !root.is_dir() {
                // Until the project comes back, watch the nearest folder above it.
                let above =
                    root.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("/")).to_owned();
                self.add(&above, RecursiveMode::NonRecursive)?;
                let next = root.ancestors().take_while(|folder| *folder != above).last();
                if next.is_some_and(Path::exists) {
                    continue;
                }
                return Ok(());
            }
            self.add(&root, RecursiveMode::NonRecursive)?;
            if root.join(PACKAGES).is_dir() {
                self.add(&root.join(PACKAGES), RecursiveMode::NonRecursive)?;
            }
            for folder in FOLDERS.map(|folder| root.join(folder)) {
                if folder.is_dir() {
                    self.add(&folder, RecursiveMode::Recursive)?;
                }
                let own = std::fs::symlink_metadata(&folder).is_ok_and(|metadata| metadata.is_symlink());
                let links: Vec<PathBuf> = own.then(|| folder.clone()).into_iter().chain(links_below(&folder)).collect();
                self.targets.extend(links.iter().flat_map(|link| targets_of(link)));
            }
            let watched: Vec<PathBuf> = FOLDERS.map(|folder| root.join(folder)).into();
            for folder in self.targets.iter().filter_map(|target| target.parent()).collect::<BTreeSet<_>>() {
                if folder.is_dir() && folder != root && !watched.iter().any(|above| folder.starts_with(above)) {
                    add(&mut self.watcher, folder, RecursiveMode::NonRecursive)?;
                }
            }
            // A folder that vanished meanwhile is not watched; the one above it has reported the event.
            return Ok(());
        }
    }

    fn add(&mut self, path: &Path, mode: RecursiveMode) -> Result<(), Diagnostic> {
        add(&mut self.watcher, path, mode)
    }
}

fn add(watcher: &mut RecommendedWatcher, path: &Path, mode: RecursiveMode) -> Result<(), Diagnostic> {
    match watcher.watch(path, mode) {
        Ok(()) => Ok(()),
        // It vanished meanwhile; an event follows.
        Err(_) if !path.exists() => Ok(()),
        // `notify` stops at a folder below that vanished meanwhile or may not be read, and leaves the rest unwatched. Reading
        // reports one that may not be read, and its parent reports when it may.
        Err(error) if is_of_one_folder(&error) && mode == RecursiveMode::Recursive => {
            let below = walkdir::WalkDir::new(path).follow_links(true).into_iter().flatten();
            let mut folders = below.filter(|entry| entry.file_type().is_dir());
            folders.try_for_each(|folder| match watcher.watch(folder.path(), RecursiveMode::NonRecursive) {
                Err(error) if !is_of_one_folder(&error) => Err(refused(folder.path(), &error)),
                _ => Ok(()),
            })
        }
        Err(error) => Err(refused(path, &error)),
    }
}

fn refused(path: &Path, error: &notify::Error) -> Diagnostic {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            failed(path, &"the system cannot watch more folders; raise the limit `fs.inotify.max_user_watches`")
        }
        _ => failed(path, error),
    }
}

/// Whether a folder could not be watched because it is gone or may not be read.
fn is_of_one_folder(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied),
        _ => false,
    }
}

/// Returns a watcher of nothing yet, and the receiver of its events.
fn listen() -> notify::Result<(RecommendedWatcher, Receiver<notify::Result<Event>>)> {
    let (sender, events): (Sender<notify::Result<Event>>, _) = channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // Our own reading opens files, a thousand times in a build of a thousand pages.
        if event.as_ref().is_ok_and(|event| event_of(event.kind).is_none() && !event.need_rescan()) {
            return;
        }
        let _ = sender.send(event);
    })?;
    Ok((watcher, events))
}

/// Returns what an event means for its path. Opening and reading mean nothing.
fn event_of(kind: EventKind) -> Option<FileEvent> {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(FileEvent::Closed),
        EventKind::Access(_) => None,
        EventKind::Create(CreateKind::Folder) => Some(FileEvent::Complete),
        EventKind::Create(_) => Some(FileEvent::Created),
        EventKind::Remove(RemoveKind::Folder | RemoveKind::File | RemoveKind::Any | RemoveKind::Other) => {
            Some(FileEvent::Gone)
        }
        EventKind::Modify(ModifyKind::Name(RenameMode::From)) => Some(FileEvent::Gone),
        EventKind::Modify(ModifyKind::Name(_)) => Some(FileEvent::Complete),
        EventKind::Modify(ModifyKind::Metadata(_)) => Some(FileEvent::Touched),
        // Only Linux reports that a writer is done; elsewhere a pause has to do.
        _ => Some(FileEvent::Written),
    }
}

/// Returns the symbolic links in a folder and the folders in it, also dangling ones.
fn links_below(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let walk = walkdir::WalkDir::new(folder).follow_links(true).into_iter();
    walk.filter_map(|entry| match entry {
        Ok(entry) => (entry.depth() > 0 && entry.path_is_symlink()).then(|| entry.into_path()),
        Err(error) => {
            let path = error.path()?.to_path_buf();
            std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()).then_some(path)
        }
    })
}

/// Returns where a link leads: the path it names, and the final path.
fn targets_of(link: &Path) -> Vec<PathBuf> {
    let named = std::fs::read_link(link).ok().and_then(|target| {
        let target = link.parent()?.join(target);
        // `..` is resolved where possible; a missing target keeps its name.
        let parent = target.parent()?.canonicalize().ok()?;
        Some(parent.join(target.file_name()?))
    });
    named.into_iter().chain(link.canonicalize().ok()).collect()
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Diagnostic {
    let (path, detail) = (path.display().to_string(), error.to_string());
    Diagnostic::failure(ToolProblem::Io { action: "watch", path, detail })
}
