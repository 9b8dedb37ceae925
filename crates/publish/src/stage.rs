//! Stages a site in a folder, from scratch or from what an earlier one has left there.

use super::directory::{Directory, Entry, EntryKind};
use super::is_stopped;
use super::metadata::{FILE_MODE, FOLDER_MODE, identity, other_mode, set_mode};
use super::scan::FileState;
use super::tree::{Folder, SiteFile, Tree};
use parking_lot::Mutex;
use sitegen_core::parallel::{self, AT_A_TIME};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The site to stage, and the state of what is already published.
pub struct Stage<'a> {
    pub tree: &'a Tree,
    /// The state of every file in the output folder.
    pub states: &'a [FileState],
    pub out: &'a Path,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl Stage<'_> {
    /// Makes `folder` hold exactly the site. An existing entry is kept only if it is the very file that was found right
    /// in the output folder.
    pub fn fill(&self, folder: &Path) -> io::Result<()> {
        let there = match make_folder(folder, &mut None) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Some(Directory::open(folder)?),
            created => created.map(|()| None)?,
        };
        self.folder(&self.tree.root, folder, self.out, there.as_ref())
    }

    /// Fills a folder. `there` is the existing folder, if there is one.
    fn folder(&self, folder: &Folder, path: &Path, published: &Path, there: Option<&Directory>) -> io::Result<()> {
        is_stopped(self.stop)?;
        let (files, folders) = match there {
            Some(directory) => self.keep(folder, path, directory)?,
            None => Default::default(),
        };
        let lacking: Vec<usize> =
            folder.files.iter().copied().filter(|index| files.binary_search(index).is_err()).collect();
        parallel::try_each(&lacking, |index| {
            let file = &self.tree.files[*index];
            self.place(file, &self.states[*index], &path.join(file.name()), &published.join(file.name()))
        })?;
        if folder.folders.is_empty() {
            return Ok(());
        }
        let is_there = |name: &str| folders.binary_search(&name).is_ok();
        let fill = |(name, inner): &(String, Folder)| {
            let there = there.filter(|_| is_there(name)).map(|there| there.folder(OsStr::new(name))).transpose()?;
            self.folder(inner, &path.join(name), &published.join(name), there.as_ref())
        };
        // The system creates one subfolder of a folder at a time: this thread creates them, while the others fill the
        // ones it has created and do not wait for each other.
        let failed = Mutex::new(Ok(()));
        // What the first folder lacks, all lack. Checking each is a fiftieth of a clean build.
        let mut lacks = None;
        rayon::scope(|scope| {
            for some in folder.folders.chunks(AT_A_TIME) {
                is_stopped(self.stop)?;
                for (name, _) in some.iter().filter(|(name, _)| !is_there(name)) {
                    make_folder(&path.join(name), &mut lacks)?;
                }
                scope.spawn(|_| {
                    if let Err(error) = some.iter().try_for_each(fill) {
                        *failed.lock() = Err(error);
                    }
                });
            }
            io::Result::Ok(())
        })?;
        failed.into_inner()
    }

    /// Removes everything from a folder that does not belong there, and returns the files and folders that do, sorted.
    fn keep<'f>(
        &self,
        folder: &'f Folder,
        path: &Path,
        directory: &Directory,
    ) -> io::Result<(Vec<usize>, Vec<&'f str>)> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        let metadata = directory.metadata()?;
        if let Some(mode) = other_mode(&metadata, FOLDER_MODE) {
            set_mode(path, mode)?;
        }
        let device = identity(&metadata).map(|(device, _)| device);
        for Entry { name, kind, inode } in directory.entries()? {
            let there = || path.join(&name);
            let text = name.to_str();
            if kind == EntryKind::Folder {
                match text.and_then(|name| folder.entry(name)) {
                    Some((name, _)) => folders.push(name.as_str()),
                    None => fs::remove_dir_all(there())?,
                }
                continue;
            }
            // The folder lists the inode of each entry; where it gives another one, the file itself is asked.
            let is_published = |published| {
                device.zip(inode) == Some(published)
                    || fs::symlink_metadata(there()).is_ok_and(|metadata| identity(&metadata) == Some(published))
            };
            let index = text.and_then(|name| self.tree.file(folder, name)).filter(|index| match &self.states[*index] {
                FileState::Same(Some(published)) => kind == EntryKind::File && is_published(*published),
                _ => false,
            });
            match index {
                Some(index) => files.push(index),
                None => fs::remove_file(there())?,
            }
        }
        files.sort_unstable();
        folders.sort_unstable();
        Ok((files, folders))
    }

    /// Adds a missing file: a link to the published one if that has the right bytes, or a new one.
    fn place(&self, file: &SiteFile, state: &FileState, new: &Path, published: &Path) -> io::Result<()> {
        is_stopped(self.stop)?;
        if !state.is_same() {
            return write_file(new, file, self.stop).map(drop);
        }
        if fs::hard_link(published, new).is_ok() {
            return Ok(());
        }
        // Where links cannot be made, such as on FAT or between owners, the file is copied with its time.
        let copy = match file.is_kept() {
            false => write_file(new, file, self.stop)?,
            true => {
                let copy = create(new)?;
                copy_to(&fs::File::open(published)?, &copy, true, self.stop)?;
                copy
            }
        };
        copy.set_modified(fs::metadata(published)?.modified()?)
    }
}

/// Creates a folder. `lacks` caches which mode a sibling had to be given.
fn make_folder(path: &Path, lacks: &mut Option<Option<u32>>) -> io::Result<()> {
    fs::create_dir(path)?;
    let mode = match *lacks {
        Some(mode) => mode,
        None => *lacks.insert(other_mode(&fs::metadata(path)?, FOLDER_MODE)),
    };
    // A file system without modes fails.
    mode.map_or(Ok(()), |mode| set_mode(path, mode).or(Ok(())))
}

/// Writes a new file, from memory or as a copy of the file that has its bytes. A copy with other bytes than the digest
/// says is an error: that file was changed after it was read.
pub fn write_file(path: &Path, content: &SiteFile, stop: &AtomicBool) -> io::Result<fs::File> {
    let mut file = create(path)?;
    match (&content.bytes, &content.away, &content.large) {
        (Some(bytes), ..) => file.write_all(bytes)?,
        (None, Some(part), _) => file.write_all(&part.read()?)?,
        (None, None, Some(large)) => {
            copy_to(&large.open()?, &file, large.skip == 0, stop)?;
            if !large.is_in(fs::File::open(path)?)? {
                return Err(large.changed());
            }
        }
        (None, None, None) => return Err(io::Error::other("a file to be kept is gone")),
    }
    Ok(file)
}

/// Writes bytes to a new file.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<fs::File> {
    let mut file = create(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// How many bytes are copied before `stop` is checked.
const AT_A_GO: u64 = 64 << 20;

/// Copies a file. The system does it: it shares the blocks of both where the file system can (Btrfs, XFS), and
/// otherwise copies the bytes inside the kernel (`FICLONE`, ioctl_ficlone(2); `copy_file_range(2)` by the standard
/// library). A file of which only the end is copied shares nothing.
fn copy_to(mut from: &fs::File, mut to: &fs::File, is_complete: bool, stop: &AtomicBool) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if is_complete && rustix::fs::ioctl_ficlone(to, from).is_ok() {
        return Ok(());
    }
    while io::copy(&mut io::Read::take(&mut from, AT_A_GO), &mut to)? > 0 {
        is_stopped(stop)?;
    }
    Ok(())
}

/// Creates a new file, and never writes through a link to a file that others share.
fn create(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE_MODE);
    let file = options.open(path)?;
    if let Some(mode) = other_mode(&file.metadata()?, FILE_MODE) {
        let _ = set_mode(path, mode);
    }
    Ok(file)
}
