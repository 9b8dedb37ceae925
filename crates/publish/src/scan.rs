//! Compares a folder with the files that it must hold, by reading all of them.

use super::directory::{Directory, Entry, EntryKind};
use super::manifest::{Manifest, read_digest};
use super::metadata::{FILE_MODE, FOLDER_MODE, Identity, KEPT, identity, is_of_system, other_mode, set_mode};
use super::tree::{Folder, SiteFile, Tree};
use sitegen_core::parallel;
use sitegen_core::paths::MANIFEST;
use sitegen_core::sources::{digest, fingerprint, is_backup, large};
use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The state of a file in the folder, compared with the wanted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// There is no file.
    Missing,
    /// There is something else.
    Changed,
    /// The file has the wanted bytes. Systems without inodes give it no identity.
    Same(Option<Identity>),
}

impl FileState {
    /// Whether the file has the wanted bytes.
    pub fn is_same(&self) -> bool {
        matches!(self, FileState::Same(_))
    }
}

/// The result of comparing a folder.
#[derive(Debug, Default)]
pub struct Scan {
    /// The state of every wanted file, in order.
    pub states: Vec<FileState>,
    /// Paths of files that are not wanted.
    pub extra_files: Vec<String>,
    /// Paths of folders that are not wanted, and whose files are listed above.
    pub extra_folders: Vec<String>,
    /// Files and folders with another mode than published ones have, and the mode they should have.
    pub modes: Vec<(PathBuf, u32)>,
}

/// Below this number of files, the thread that lists their folder compares them too.
const FEW: usize = 8;

/// The result for a folder and everything below it.
#[derive(Default)]
struct ScanPart {
    states: Vec<(usize, FileState)>,
    extra_files: Vec<String>,
    extra_folders: Vec<String>,
    /// [Backups](is_backup) of editors and folders of [systems](is_of_system) in wanted folders. They stay where they are: they may
    /// be all that is left of somebody's work.
    kept: Vec<String>,
    modes: Vec<(PathBuf, u32)>,
}

impl ScanPart {
    fn merge(mut self, other: ScanPart) -> Self {
        self.states.extend(other.states);
        self.extra_files.extend(other.extra_files);
        self.extra_folders.extend(other.extra_folders);
        self.kept.extend(other.kept);
        self.modes.extend(other.modes);
        self
    }
}

impl Scan {
    /// Reads a folder. A missing one is empty.
    pub fn read(root: &Path, tree: &Tree) -> io::Result<Self> {
        Scan::compare(root, tree, true)
    }

    /// Reads a folder that will be exchanged for another: the modes of folders in it do not matter any more, and
    /// reading them is a system call for each.
    pub fn read_old(root: &Path, tree: &Tree) -> io::Result<Self> {
        Scan::compare(root, tree, false)
    }

    fn compare(root: &Path, tree: &Tree, asks_modes: bool) -> io::Result<Self> {
        let mut states = vec![FileState::Missing; tree.files.len()];
        if fs::symlink_metadata(root).is_err() {
            return Ok(Scan { states, ..Scan::default() });
        }
        let part =
            Walk { root, tree, asks_modes, compares: true }.folder(&Directory::open(root)?, "", Some(&tree.root))?;
        for (index, state) in part.states {
            states[index] = state;
        }
        let ScanPart { extra_files, extra_folders, modes, .. } = part;
        Ok(Scan { states, extra_files, extra_folders, modes })
    }

    /// Returns what of a folder is not to be lost with it: backups, folders of systems, and what this scan of it has not seen. Nothing
    /// but names is read.
    pub fn left(&self, root: &Path, tree: &Tree) -> io::Result<Vec<String>> {
        let walk = Walk { root, tree, asks_modes: false, compares: false };
        let part = walk.folder(&Directory::open(root)?, "", Some(&tree.root))?;
        let is_new = |(index, _): &(usize, FileState)| self.states[*index] == FileState::Missing;
        let wanted = part.states.into_iter().filter(is_new).map(|(index, _)| tree.files[index].path.clone());
        let seen: HashSet<&str> = self.extra_files.iter().map(String::as_str).collect();
        let extra = part.extra_files.into_iter().filter(|path| !seen.contains(path.as_str()) && !is_of_system(path));
        Ok(wanted.chain(extra).chain(part.kept).collect())
    }

    /// Gives kept files the mode that everything published has. Where that fails the mode stays, as on file systems
    /// without modes.
    pub fn repair_modes(&self) {
        for (path, mode) in &self.modes {
            let _ = set_mode(path, *mode);
        }
    }

    /// Whether the folder holds exactly what is wanted.
    pub fn is_exact(&self) -> bool {
        self.extra_files.is_empty() && self.extra_folders.is_empty() && self.states.iter().all(FileState::is_same)
    }
}

/// A walk through a folder and everything in it.
struct Walk<'a> {
    root: &'a Path,
    tree: &'a Tree,
    /// Whether the modes of folders are read.
    asks_modes: bool,
    /// Whether files are read.
    compares: bool,
}

impl Walk<'_> {
    /// Whether an entry at the top is [kept](KEPT) and no part of the site.
    fn is_kept(&self, name: Option<&str>) -> bool {
        let is_wanted = |name: &str| {
            let root = &self.tree.root;
            self.tree.file(root, name).is_some() || root.folder(name).is_some()
        };
        name.is_some_and(|name| KEPT.contains(&name) && !is_wanted(name))
    }

    /// Compares a folder with the wanted one. `prefix` is its path below the root, with a slash at the end.
    fn folder(&self, directory: &Directory, prefix: &str, wanted: Option<&Folder>) -> io::Result<ScanPart> {
        let mut part = ScanPart::default();
        let mut inner = Vec::new();
        if wanted.is_none() {
            part.extra_folders.push(prefix.trim_end_matches('/').to_owned());
        }
        if self.asks_modes {
            let mode = other_mode(&directory.metadata()?, FOLDER_MODE);
            part.modes.extend(mode.map(|mode| (self.root.join(prefix), mode)));
        }
        for Entry { name, kind, .. } in directory.entries()? {
            let text = name.to_str();
            if prefix.is_empty() && self.is_kept(text) {
                continue;
            }
            if kind == EntryKind::Folder {
                let is_unwanted = |folder: &Folder| text.is_some_and(|name| folder.folder(name).is_none());
                match wanted.is_some_and(is_unwanted) && text.is_some_and(is_of_system) {
                    true => part.kept.push(format!("{prefix}{}", name.to_string_lossy())),
                    false => inner.push(name),
                }
                continue;
            }
            match wanted.zip(text).and_then(|(folder, name)| self.tree.file(folder, name)) {
                Some(index) if kind == EntryKind::File => part.states.push((index, FileState::Missing)),
                Some(index) => part.states.push((index, FileState::Changed)),
                None if wanted.is_some() && text.is_some_and(is_backup) => {
                    part.kept.push(format!("{prefix}{}", name.to_string_lossy()));
                }
                None => part.extra_files.push(format!("{prefix}{}", name.to_string_lossy())),
            }
        }
        let compare_one = |(index, state): &mut (usize, FileState)| {
            if *state != FileState::Missing {
                return None;
            }
            let file = &self.tree.files[*index];
            let mode;
            (*state, mode) = compare(|| directory.file(file.name().as_ref()), file);
            mode.map(|mode| (self.root.join(prefix).join(file.name()), mode))
        };
        // Most folders of a site have one file, which is not worth another thread.
        let modes: Vec<(PathBuf, u32)> = match part.states.len() {
            _ if !self.compares => Vec::new(),
            ..FEW => part.states.iter_mut().filter_map(compare_one).collect(),
            _ => parallel::flat_map_mut(&mut part.states, compare_one),
        };
        part.modes.extend(modes);
        if inner.is_empty() {
            return Ok(part);
        }
        let walk = |name: &OsString| {
            let wanted = wanted.zip(name.to_str()).and_then(|(folder, name)| folder.folder(name));
            self.folder(&directory.folder(name)?, &format!("{prefix}{}/", name.to_string_lossy()), wanted)
        };
        parallel::map(&inner, walk).into_iter().try_fold(part, |part, other| Ok(part.merge(other?)))
    }
}

thread_local! {
    /// The buffer that a thread reads files into. Allocating one for each of ten thousand files would ask the system
    /// each time.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Up to this size in bytes a file is read at once. Larger ones are read in parts, so that memory use does not grow
/// with them.
const READ_AT_ONCE: u64 = 1 << 20;

/// Returns the state of an existing file, and the mode it should have if it has another.
fn compare(open: impl Fn() -> io::Result<fs::File>, wanted: &SiteFile) -> (FileState, Option<u32>) {
    let read = || -> io::Result<Option<fs::Metadata>> {
        let mut file = open()?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || wanted.len.is_some_and(|len| metadata.len() != len) {
            return Ok(None);
        }
        let is_same = |bytes: &[u8]| match (&wanted.bytes, wanted.fingerprint) {
            (Some(expected), _) => **expected == *bytes,
            (None, Some(expected)) => fingerprint(bytes) == expected,
            (None, None) => digest(bytes) == wanted.digest,
        };
        if metadata.len() > READ_AT_ONCE {
            let is_same = match (&wanted.bytes, wanted.fingerprint) {
                (Some(expected), _) => large::equals(file, expected)?,
                (None, Some(expected)) => large::fingerprint_of(file)? == expected,
                (None, None) => large::digest_of(file)? == wanted.digest,
            };
            return Ok(is_same.then_some(metadata));
        }
        let same = BUFFER.with_borrow_mut(|buffer| {
            // One byte more than there should be: a shorter read shows that the file ends here.
            let length = metadata.len() as usize;
            buffer.resize(buffer.len().max(length + 1), 0);
            if file.read(&mut buffer[..=length])? == length {
                return Ok(is_same(&buffer[..length]));
            }
            let mut bytes = Vec::new();
            open()?.read_to_end(&mut bytes)?;
            io::Result::Ok(is_same(&bytes))
        })?;
        Ok(same.then_some(metadata))
    };
    match read().ok().flatten() {
        Some(metadata) => (FileState::Same(identity(&metadata)), other_mode(&metadata, FILE_MODE)),
        None => (FileState::Changed, None),
    }
}

/// How a file of a published folder differs from its manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// It is missing.
    Missing,
    /// It has other bytes.
    Changed,
    /// The manifest does not list it.
    Extra,
}

/// Compares a folder with its manifest, and returns every file that differs, in the order of their paths.
pub fn differences(folder: &Path, manifest: &Manifest) -> io::Result<Vec<(String, Difference)>> {
    let wanted = manifest.files.iter().map(|(path, digest)| SiteFile {
        path: path.clone(),
        // An invalid digest becomes the default one, which no file has.
        digest: read_digest(digest).unwrap_or_default(),
        fingerprint: None,
        len: None,
        bytes: None,
        away: None,
        large: None,
    });
    let clash = |path| io::Error::other(format!("the manifest names {path} as a file and as a folder"));
    let tree = Tree::build(wanted.collect()).map_err(clash)?;
    let part = Scan::read(folder, &tree)?;
    let mut differences: Vec<(String, Difference)> = part
        .extra_files
        .into_iter()
        .filter(|path| path != MANIFEST && !is_of_system(path))
        .map(|path| (path, Difference::Extra))
        .collect();
    for (file, state) in tree.files.iter().zip(&part.states) {
        match state {
            FileState::Missing => differences.push((file.path.clone(), Difference::Missing)),
            FileState::Changed => differences.push((file.path.clone(), Difference::Changed)),
            FileState::Same(_) => {}
        }
    }
    differences.sort_unstable();
    Ok(differences)
}
