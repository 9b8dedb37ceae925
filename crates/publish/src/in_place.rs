//! Publishes in place: the output folder stays, and its files are replaced one by one.
//!
//! 1. Every new or changed file is written into a folder within the output, and so is a journal: which file goes where,
//!    and which are removed. All of it is on the disk before the journal gets its name. Until then no published file
//!    changes.
//! 2. The journal is carried out. Each file is moved by a rename: hashed assets and other new files first, then changed
//!    files, then the manifest. Removed files go last.
//! 3. Everything is synced before the journal is removed.
//!
//! A build that finds a journal carries it out again from the beginning: steps that are done already are skipped.

use super::directory::Directory;
use super::disk::Disk;
use super::is_stopped;
use super::metadata::{KEPT, set_mode};
use super::scan::{FileState, Scan};
use super::stage::{write_file, write_new};
use super::tree::{SiteFile, Tree};
use serde::{Deserialize, Serialize};
use sitegen_core::parallel;
use sitegen_core::paths::MANIFEST;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The folder within the output.
pub const AREA: &str = ".sitegen-publish";
const JOURNAL: &str = "journal.json";
const GENERATOR: &str = "sitegen";
/// Files below it have a digest in their names: nothing refers to a new one before the new pages do.
const HASHED: &str = "assets/";
/// The mode of the folder: no server may show what is in it.
const PRIVATE: u32 = 0o700;

/// Why publishing in place failed.
pub enum InPlaceError {
    /// No published file was changed.
    Before(io::Error),
    /// Some files were replaced, and the journal is there for the next build.
    Within(io::Error),
}

/// Makes the output folder hold exactly the site. `scan` is its [state](Scan::read), without foreign files.
pub fn publish(out: &Path, tree: &Tree, scan: &Scan, stop: &AtomicBool) -> Result<(), InPlaceError> {
    let area = out.join(AREA);
    // 1. stage the new files and the journal
    let staged = Disk::open(out).and_then(|disk| {
        fs::create_dir(&area)?;
        let _ = set_mode(&area, PRIVATE);
        let journal = Journal::stage(&area, tree, scan, stop)?;
        disk.sync()?;
        journal.write(&area)?;
        disk.sync()?;
        Ok((disk, journal))
    });
    let (disk, journal) = match staged {
        Ok(staged) => staged,
        Err(error) => {
            // A full disk needs every byte that was taken.
            let _ = fs::remove_dir_all(&area);
            return Err(InPlaceError::Before(error));
        }
    };
    // 2. carry out the journal
    journal.carry_out(out).map_err(InPlaceError::Within)?;
    // 3. sync and clean up
    disk.sync().and_then(|()| fs::remove_dir_all(&area)).map_err(InPlaceError::Within)
}

/// Completes what a killed build has left, or clears it away if nothing was replaced yet. Returns whether there was
/// something to complete.
pub fn recover(out: &Path) -> io::Result<bool> {
    let area = out.join(AREA);
    if !is_begun(out) {
        return Ok(false);
    }
    let journal = Journal::read(&area);
    if let Some(journal) = &journal {
        let disk = Disk::open(out)?;
        journal.carry_out(out)?;
        disk.sync()?;
    }
    fs::remove_dir_all(area)?;
    Ok(journal.is_some())
}

/// Whether a publication in place has begun and not ended.
pub fn is_begun(out: &Path) -> bool {
    fs::symlink_metadata(out.join(AREA)).is_ok_and(|metadata| metadata.is_dir())
}

/// The steps that follow once everything is staged.
#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    generator: String,
    /// The path of every new file in the order in which they are moved. Each is staged under its number.
    moves: Vec<String>,
    /// The paths of files to remove.
    removals: Vec<String>,
    /// The paths of folders to remove if they are empty, inner ones first.
    folders: Vec<String>,
}

impl Journal {
    /// Stages the new files.
    fn stage(area: &Path, tree: &Tree, scan: &Scan, stop: &AtomicBool) -> io::Result<Self> {
        let mut moves: Vec<(u8, &SiteFile)> = tree
            .files
            .iter()
            .zip(&scan.states)
            .filter(|(_, state)| !state.is_same())
            .map(|(file, state)| match state {
                _ if file.path.starts_with(HASHED) => (0, file),
                _ if file.path == MANIFEST => (3, file),
                FileState::Missing => (1, file),
                _ => (2, file),
            })
            .collect();
        // A stable sort keeps the order of paths within each kind.
        moves.sort_by_key(|(kind, _)| *kind);
        let numbered: Vec<(usize, &SiteFile)> = moves.iter().map(|(_, file)| *file).enumerate().collect();
        parallel::try_each(&numbered, |(number, file)| {
            is_stopped(stop)?;
            write_file(&area.join(number.to_string()), file, stop).map(drop)
        })?;
        is_stopped(stop)?;
        let mut folders = scan.extra_folders.clone();
        folders.sort_unstable_by(|a, b| b.cmp(a));
        let mut removals = scan.extra_files.clone();
        removals.sort_unstable();
        let moves = moves.into_iter().map(|(_, file)| file.path.clone()).collect();
        Ok(Journal { generator: GENERATOR.to_owned(), moves, removals, folders })
    }

    /// Writes the journal. It gets its name once it is complete and on the disk.
    fn write(&self, area: &Path) -> io::Result<()> {
        let part = area.join("journal.part");
        let file = write_new(&part, &serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(part, area.join(JOURNAL))
    }

    /// Reads the journal in a folder, if there is one that a build can have written.
    fn read(area: &Path) -> Option<Self> {
        let path = area.join(JOURNAL);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        let journal: Journal = serde_json::from_slice(&is_file.then(|| fs::read(path).ok()).flatten()?).ok()?;
        let mut paths = journal.moves.iter().chain(&journal.removals).chain(&journal.folders);
        (journal.generator == GENERATOR && paths.all(|path| is_inside(path))).then_some(journal)
    }

    /// Carries out the journal. Steps that are done already are skipped.
    fn carry_out(&self, out: &Path) -> io::Result<()> {
        self.carry_out_moves(out)?;
        self.carry_out_removals(out)
    }

    fn carry_out_moves(&self, out: &Path) -> io::Result<()> {
        let mut folders = Folders { root: Directory::open(out)?, open: Vec::new() };
        let area = folders.root.folder(AREA.as_ref())?;
        let gone: BTreeSet<&str> = self.removals.iter().map(String::as_str).collect();
        for (number, path) in self.moves.iter().enumerate() {
            let number = number.to_string();
            let take = |folders: &mut Folders| {
                let folder = folders.enter(path, Some(&gone))?;
                match folder.take(&area, number.as_ref(), name(path)) {
                    // It was moved already.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    taken => taken,
                }
            };
            let taken = match take(&mut folders) {
                Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                    self.clear(&mut folders, path);
                    take(&mut folders)
                }
                taken => taken,
            };
            taken.map_err(|error| at(path, &error))?;
        }
        Ok(())
    }

    fn carry_out_removals(&self, out: &Path) -> io::Result<()> {
        let mut folders = Folders { root: Directory::open(out)?, open: Vec::new() };
        for path in &self.removals {
            match folders.remove(path) {
                // It is gone, or a file or a folder of the new site is there now.
                Err(error) if !is_done_already(&error) => return Err(at(path, &error)),
                _ => {}
            }
        }
        self.folders.iter().for_each(|folder| folders.remove_folder(folder));
        Ok(())
    }

    /// Removes a folder of the old site where the new one has a file.
    fn clear(&self, folders: &mut Folders, path: &str) {
        let is_in_it = |other: &&String| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        self.removals.iter().filter(is_in_it).for_each(|file| drop(folders.remove(file)));
        self.folders.iter().filter(is_in_it).for_each(|folder| folders.remove_folder(folder));
        folders.remove_folder(path);
    }
}

/// Folders of the output, reached without following links: somebody who may write to the output, and nowhere else, may
/// have changed the journal and the files beside it since.
struct Folders {
    root: Directory,
    /// The folders of the last path, from the outside in.
    open: Vec<(String, Directory)>,
}

impl Folders {
    /// Opens the folder of a file. With a set of removed files, a missing folder is created, and such a file at its
    /// path is removed first.
    fn enter(&mut self, path: &str, gone: Option<&BTreeSet<&str>>) -> io::Result<&Directory> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        let common = self.open.iter().zip(&parts).take_while(|((name, _), part)| name == *part).count();
        self.open.truncate(common);
        for depth in common..parts.len() {
            let (here, part) = (self.here(), OsStr::new(parts[depth]));
            let inner = match (here.folder(part), gone) {
                (Err(error), Some(gone)) => {
                    if error.kind() != io::ErrorKind::NotFound {
                        if !gone.contains(parts[..=depth].join("/").as_str()) {
                            return Err(error);
                        }
                        here.remove_file(part)?;
                    }
                    here.make_folder(part)?;
                    here.folder(part)?
                }
                (inner, _) => inner?,
            };
            self.open.push((parts[depth].to_owned(), inner));
        }
        Ok(self.here())
    }

    fn here(&self) -> &Directory {
        self.open.last().map_or(&self.root, |(_, folder)| folder)
    }

    fn remove(&mut self, path: &str) -> io::Result<()> {
        self.enter(path, None)?.remove_file(name(path))
    }

    /// A folder that is not empty, or a mount point, stays.
    fn remove_folder(&mut self, path: &str) {
        if let Ok(folder) = self.enter(path, None) {
            let _ = folder.remove_folder(name(path));
        }
    }
}

fn name(path: &str) -> &OsStr {
    OsStr::new(path.rsplit('/').next().unwrap_or(path))
}

/// Whether a path leads to something in the output that a build may have written.
fn is_inside(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    path.split('/').all(|part| !["", ".", ".."].contains(&part) && !part.contains(['\\', '\0']))
        && !KEPT.contains(&first)
        && first != AREA
}

fn is_done_already(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory)
}

fn at(path: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let mut files: Vec<SiteFile> =
            files.iter().map(|(path, text)| SiteFile::new(path, Arc::from(text.as_bytes()))).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Tree::build(files).unwrap()
    }

    fn files(out: &Path) -> BTreeMap<String, String> {
        let walk = walkdir::WalkDir::new(out).into_iter().map(Result::unwrap).filter(|entry| entry.depth() > 0);
        let named = walk.map(|entry| {
            let path = entry.path().strip_prefix(out).unwrap().to_str().unwrap().to_owned();
            (path, fs::read_to_string(entry.path()).unwrap_or_default())
        });
        named.collect()
    }

    fn stage(out: &Path, tree: &Tree) -> Journal {
        let scan = Scan::read(out, tree).unwrap();
        fs::create_dir(out.join(AREA)).unwrap();
        Journal::stage(&out.join(AREA), tree, &scan, &AtomicBool::new(false)).unwrap()
    }

    fn copy_of(journal: &Journal) -> Journal {
        let Journal { generator, moves, removals, folders } = journal;
        Journal {
            generator: generator.clone(),
            moves: moves.clone(),
            removals: removals.clone(),
            folders: folders.clone(),
        }
    }

    fn publish_to(out: &Path, tree: &Tree) {
        let scan = Scan::read(out, tree).unwrap();
        assert!(publish(out, tree, &scan, &AtomicBool::new(false)).is_ok());
    }

    /// Sites that have files where the other has folders, and the other way round.
    const SITES: [&[(&str, &str)]; 2] = [
        &[
            ("a/b.html", "b0"),
            ("assets/x-1.css", "x1"),
            ("file", "f"),
            ("folder/deep/1", "1"),
            ("folder/deep/2", "2"),
            ("manifest.json", "0"),
            ("only/here/0", "0"),
            ("page.html", "0"),
        ],
        &[
            ("a/b.html", "b1"),
            ("assets/x-2.css", "x2"),
            ("file/inner/3", "3"),
            ("folder", "now a file"),
            ("manifest.json", "1"),
            ("new/4", "4"),
            ("page.html", "1"),
        ],
    ];

    #[test]
    fn a_journal_moves_assets_first_and_the_manifest_last() {
        let folder = tempfile::tempdir().unwrap();
        publish_to(folder.path(), &tree(SITES[0]));
        let journal = stage(folder.path(), &tree(SITES[1]));
        let moves = ["assets/x-2.css", "file/inner/3", "folder", "new/4", "a/b.html", "page.html", "manifest.json"];
        assert_eq!(journal.moves, moves);
        assert_eq!(journal.removals, ["assets/x-1.css", "file", "folder/deep/1", "folder/deep/2", "only/here/0"]);
        assert_eq!(journal.folders, ["only/here", "only", "folder/deep", "folder"]);
    }

    #[test]
    fn a_killed_build_is_completed_by_the_next_one() {
        let mut stops = 0;
        for (from, to) in [(0, 1), (1, 0)] {
            let (old, new) = (tree(SITES[from]), tree(SITES[to]));
            let expected = tempfile::tempdir().unwrap();
            publish_to(expected.path(), &new);
            for step in 0usize.. {
                let folder = tempfile::tempdir().unwrap();
                let out = folder.path();
                publish_to(out, &old);
                let before = files(out);
                let journal = stage(out, &new);
                if step == 0 {
                    // Without a journal nothing has begun.
                    fs::write(out.join(AREA).join("journal.part"), "{").unwrap();
                    assert!(!recover(out).unwrap() && files(out) == before);
                    continue;
                }
                journal.write(&out.join(AREA)).unwrap();
                let (moved, removed) = (step - 1, (step - 1).saturating_sub(journal.moves.len()));
                let part = |all: &[String], count: usize| all[..count.min(all.len())].to_vec();
                let begun = Journal { moves: part(&journal.moves, moved), ..copy_of(&journal) };
                begun.carry_out_moves(out).unwrap();
                if removed > 0 {
                    let begun = Journal { removals: part(&journal.removals, removed), ..copy_of(&journal) };
                    begun.carry_out_removals(out).unwrap();
                }
                assert!(recover(out).unwrap());
                assert_eq!(files(out), files(expected.path()), "killed after step {step}");
                stops += 1;
                if removed > journal.removals.len() {
                    break;
                }
            }
        }
        assert!(stops > 20, "{stops}");
    }

    #[test]
    fn a_journal_changes_nothing_outside_the_output() {
        let folder = tempfile::tempdir().unwrap();
        let (out, elsewhere) = (folder.path().join("out"), folder.path().join("elsewhere"));
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("kept"), "kept").unwrap();
        let journal = |moves: &[&str], removals: &[&str]| {
            let owned = |paths: &[&str]| paths.iter().map(|path| path.to_string()).collect();
            let journal = Journal {
                generator: GENERATOR.to_owned(),
                moves: owned(moves),
                removals: owned(removals),
                folders: owned(&["link"]),
            };
            let _ = fs::remove_dir_all(&out);
            fs::create_dir_all(out.join(AREA)).unwrap();
            fs::create_dir(out.join(".git")).unwrap();
            fs::write(out.join(".git/HEAD"), "kept").unwrap();
            std::os::unix::fs::symlink(&elsewhere, out.join("link")).unwrap();
            fs::write(out.join(AREA).join("0"), "x").unwrap();
            journal.write(&out.join(AREA)).unwrap();
        };
        // Through a link: writing fails, and nothing is removed.
        journal(&["link/kept"], &[]);
        assert!(recover(&out).is_err());
        journal(&[], &["link/kept"]);
        assert!(recover(&out).unwrap());
        for path in ["../elsewhere/kept", "/etc/x", "a//b", ".", ".git/HEAD", ".sitegen-publish/0", "a\\b"] {
            journal(&[path], &[]);
            assert!(!recover(&out).unwrap(), "{path}");
            journal(&[], &[path]);
            assert!(!recover(&out).unwrap(), "{path}");
            assert_eq!(fs::read_to_string(out.join(".git/HEAD")).unwrap(), "kept");
        }
        assert_eq!(files(&elsewhere), BTreeMap::from([("kept".to_owned(), "kept".to_owned())]));
    }
}
