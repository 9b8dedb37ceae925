//! File events: what changed in a project, told as soon as it is whole.
//!
//! Watching is building again; nothing here decides what a change means. [`Watch::wait`] sleeps until the system reports
//! something (there is no polling), and gives the paths to read anew.
//!
//! # What editors do
//!
//! How long an event is waited for follows from how programs save files, and is the business of [`batch`]:
//!
//! - A file that is written in place is truncated first (most editors, `>` of a shell). Read at that moment it is empty,
//!   so the writer's close is waited for, and acted on at once.
//! - A file that is written beside and renamed (Vim, Emacs, JetBrains, `sed -i`) is whole the moment it is renamed.
//! - Vim moves the old file away before it writes the new one: a file that is gone gets a moment to come back.
//! - A formatter, a checkout or a synchroniser writes many files: while one event follows another, they are collected.
//!
//! # What is watched
//!
//! The folders of sources with all that is in them, and the project's folder itself without what is in it, for the
//! package files and for folders that come and go. What a build writes (`.sitegen/`, `dist/`) is not looked at, so a
//! build cannot cause another. A folder that appears is watched before it is read, and what appeared in between is
//! therefore either read or told. Where symbolic links lead elsewhere, the folder their target lies in is watched too,
//! and everything is read anew after a change, since one file then has several names.

mod batch;

use crate::diagnostics::{Diagnostic, Problem};
use crate::sources::{FOLDERS, is_input};
use batch::{Batch, FileEvent};
use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What is to be read anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Files, or folders with all that is in them, relative to the project's folder.
    Paths(BTreeSet<String>),
    /// The project as a whole: events were lost, a folder of sources came or went, or links lead through it.
    Everything,
}

/// The folder whose appearance means that a build finds other tools.
pub const PACKAGES: &str = "node_modules";

/// Watches a project.
pub struct Watch {
    root: PathBuf,
    events: Receiver<notify::Result<Event>>,
    /// Dropped and made anew when folders come and go.
    watcher: RecommendedWatcher,
    /// Where symbolic links of the sources lead, in whole paths.
    targets: BTreeSet<PathBuf>,
    /// How often in a row events were lost.
    losses: u32,
}

impl Watch {
    /// Begins to watch the project in `root`. What changes from now on is told.
    pub fn of(root: &Path) -> Result<Self, Diagnostic> {
        let root = root.canonicalize().or_else(|_| std::path::absolute(root)).map_err(|error| failed(root, &error))?;
        let (watcher, events) = listen().map_err(|error| failed(&root, &error))?;
        let mut watch = Watch { root, events, watcher, targets: BTreeSet::new(), losses: 0 };
        watch.attach()?;
        Ok(watch)
    }

    /// Waits for the next change. An error is one of watching itself: the system's limit of watched folders, most often.
    pub fn wait(&mut self) -> Result<Change, Diagnostic> {
        loop {
            if let Some(change) = self.wait_until(None)? {
                return Ok(change);
            }
        }
    }

    /// The next change, if it begins to come soon.
    pub fn wait_within(&mut self, patience: Duration) -> Result<Option<Change>, Diagnostic> {
        self.wait_until(Some(Instant::now() + patience))
    }

    fn wait_until(&mut self, deadline: Option<Instant>) -> Result<Option<Change>, Diagnostic> {
        loop {
            let Some(batch) = self.collect(deadline)? else { return Ok(None) };
            if batch.is_lost {
                // Reading every file makes events of its own, which may be too many again: later and later is tried.
                std::thread::sleep(Duration::from_millis(50) * 2u32.pow(self.losses.min(6)) / 2);
                self.losses += 1;
                self.attach()?;
                return Ok(Some(Change::Everything));
            }
            self.losses = 0;
            if batch.paths().any(|path| self.is_mount(path)) {
                self.attach()?;
                return Ok(Some(Change::Everything));
            }
            let mut changed = BTreeSet::new();
            for path in batch.paths() {
                let Ok(inside) = path.strip_prefix(&self.root) else { continue };
                let is_packages = inside == Path::new(PACKAGES);
                if !is_packages && !is_input(inside) {
                    continue;
                }
                let metadata = std::fs::symlink_metadata(path);
                if metadata.as_ref().is_ok_and(|metadata| metadata.is_symlink()) && !is_packages {
                    self.attach()?;
                    return Ok(Some(Change::Everything));
                }
                if metadata.is_ok_and(|metadata| metadata.is_dir()) && !is_packages {
                    // What `notify` does by itself comes after its event, and what is made in between would be missed.
                    self.add(path, RecursiveMode::Recursive)?;
                    if links_below(path).next().is_some() {
                        self.attach()?;
                        return Ok(Some(Change::Everything));
                    }
                }
                match inside.to_str() {
                    Some(inside) => changed.insert(inside.replace('\\', "/")),
                    // Reading everything tells that such a name cannot be.
                    None => return Ok(Some(Change::Everything)),
                };
            }
            match changed.is_empty() {
                true => continue,
                false if !self.targets.is_empty() => return Ok(Some(Change::Everything)),
                false => return Ok(Some(Change::Paths(changed))),
            }
        }
    }

    /// Events until they make whole files; nothing if none has come by the deadline.
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
                || path.strip_prefix(&self.root).is_ok_and(|inside| inside == Path::new(PACKAGES) || is_input(inside))
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

    /// Whether the coming or going of a path changes what there is to be watched.
    fn is_mount(&self, path: &Path) -> bool {
        self.root.starts_with(path)
            || self.targets.contains(path)
            || path.parent() == Some(&self.root)
                && path.file_name().is_some_and(|name| FOLDERS.iter().any(|folder| name == *folder))
    }

    /// Watches everything there is now, from the beginning.
    fn attach(&mut self) -> Result<(), Diagnostic> {
        loop {
            let (watcher, events) = listen().map_err(|error| failed(&self.root, &error))?;
            (self.watcher, self.events) = (watcher, events);
            self.targets.clear();
            let root = self.root.clone();
            if !root.is_dir() {
                // Until the project comes back, the nearest folder above it is watched.
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
                if folder.is_dir() && folder != root && !watched.iter().any(|known| folder.starts_with(known)) {
                    add(&mut self.watcher, folder, RecursiveMode::NonRecursive)?;
                }
            }
            // What vanished while it was being watched is watched no more; the folder above it told.
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
        // It went in the meantime, of which there is an event.
        Err(_) if !path.exists() => Ok(()),
        Err(error) if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) => {
            Err(failed(path, &"the system watches no more folders; raise the limit `fs.inotify.max_user_watches`"))
        }
        Err(error) => Err(failed(path, &error)),
    }
}

/// A watcher of nothing yet, and where its events arrive.
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

/// What an event says of its path. Opening and reading say nothing.
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
        // Only Linux tells that a writer is done; elsewhere a pause has to do.
        _ => Some(FileEvent::Written),
    }
}

/// Symbolic links in a folder and in the folders in it, those that lead nowhere too.
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

/// Where a link leads: the place it names, and the place that is in the end.
fn targets_of(link: &Path) -> Vec<PathBuf> {
    let named = std::fs::read_link(link).ok().and_then(|target| {
        let whole = link.parent()?.join(target);
        // `..` is resolved where that is possible; a target that is gone keeps its name.
        let parent = whole.parent()?.canonicalize().ok()?;
        Some(parent.join(whole.file_name()?))
    });
    named.into_iter().chain(link.canonicalize().ok()).collect()
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Diagnostic {
    let (path, detail) = (path.display().to_string(), error.to_string());
    Diagnostic::failure(Problem::Io { action: "watch", path, detail })
}
