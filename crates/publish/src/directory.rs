//! Open folders, whose entries are reached by name alone.
//!
//! A site of ten thousand pages is ten thousand folders with a file each. With full paths, the system walks down from
//! the root for each of them, and checks twice what it is; open folders save a tenth of a build in which nothing has
//! changed. Systems other than Linux use paths.

use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::fs::File;

/// An open folder.
pub struct Directory {
    #[cfg(target_os = "linux")]
    file: File,
    #[cfg(not(target_os = "linux"))]
    path: std::path::PathBuf,
}

/// An entry of a folder.
pub struct Entry {
    pub name: OsString,
    pub kind: EntryKind,
    /// Its inode, where the folder lists one: some file systems, such as overlays, list another one than the file
    /// itself has.
    pub inode: Option<u64>,
}

/// The kind of an entry, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Folder,
    File,
    /// A link, a pipe or the like.
    Other,
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Directory, Entry, EntryKind};
    use crate::metadata::{FOLDER_MODE, other_mode};
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, mkdirat, renameat, statat, unlinkat};
    use sitegen_core::sources::open_no_atime;
    use std::cell::Cell;
    use std::ffi::OsStr;
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    /// The buffer for the names of a folder; most folders need a single call.
    const NAMES: usize = 32 * 1024;

    thread_local! {
        static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }

    fn kind_of(kind: FileType) -> EntryKind {
        match kind {
            FileType::Directory => EntryKind::Folder,
            FileType::RegularFile => EntryKind::File,
            _ => EntryKind::Other,
        }
    }

    impl Directory {
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Directory { file: open_no_atime(CWD, path, OFlags::DIRECTORY)? })
        }

        pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
            Ok(Directory { file: open_no_atime(&self.file, name, OFlags::DIRECTORY | OFlags::NOFOLLOW)? })
        }

        pub fn file(&self, name: &OsStr) -> io::Result<File> {
            // Opening a pipe in the place of the file would block.
            open_no_atime(&self.file, name, OFlags::NOFOLLOW | OFlags::NONBLOCK)
        }

        pub fn metadata(&self) -> io::Result<Metadata> {
            self.file.metadata()
        }

        /// Creates a folder with the mode that published folders have.
        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            mkdirat(&self.file, name, Mode::from_raw_mode(FOLDER_MODE))?;
            let created = self.folder(name)?.file;
            // Restore what the umask has removed.
            if let Some(mode) = other_mode(&created.metadata()?, FOLDER_MODE) {
                let _ = created.set_permissions(Permissions::from_mode(mode));
            }
            Ok(())
        }

        /// Moves a file into this folder in one step. A file or a link with its new name is replaced.
        pub fn take(&self, from: &Directory, old: &OsStr, new: &OsStr) -> io::Result<()> {
            Ok(renameat(&from.file, old, &self.file, new)?)
        }

        /// Removes a file or a link.
        pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.file, name, AtFlags::empty())?)
        }

        /// Removes an empty folder.
        pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.file, name, AtFlags::REMOVEDIR)?)
        }

        pub fn entries(&self) -> io::Result<Vec<Entry>> {
            let mut buffer = BUFFER.take();
            buffer.reserve(NAMES);
            let mut entries = Vec::new();
            let mut names = RawDir::new(&self.file, buffer.spare_capacity_mut());
            while let Some(entry) = names.next() {
                let entry = entry?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                let kind = match entry.file_type() {
                    // Some file systems do not list the kind.
                    FileType::Unknown => {
                        let status = statat(&self.file, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
                        kind_of(FileType::from_raw_mode(status.st_mode))
                    }
                    kind => kind_of(kind),
                };
                entries.push(Entry { name: name.to_owned(), kind, inode: Some(entry.ino()) });
            }
            BUFFER.set(buffer);
            Ok(entries)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Directory, Entry, EntryKind};
    use crate::metadata::{FOLDER_MODE, set_mode};
    use std::ffi::OsStr;
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::Path;

    impl Directory {
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Directory { path: path.to_path_buf() })
        }

        pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
            let path = self.path.join(name);
            if fs::symlink_metadata(&path)?.is_dir() {
                Directory::open(&path)
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        pub fn file(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.path.join(name))
        }

        pub fn metadata(&self) -> io::Result<Metadata> {
            fs::metadata(&self.path)
        }

        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            let path = self.path.join(name);
            fs::create_dir(&path)?;
            let _ = set_mode(&path, FOLDER_MODE);
            Ok(())
        }

        pub fn take(&self, from: &Directory, old: &OsStr, new: &OsStr) -> io::Result<()> {
            fs::rename(from.path.join(old), self.path.join(new))
        }

        pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_dir(self.path.join(name))
        }

        pub fn entries(&self) -> io::Result<Vec<Entry>> {
            let entries = fs::read_dir(&self.path)?.map(|entry| {
                let entry = entry?;
                let kind = entry.file_type()?;
                let kind = match (kind.is_dir(), kind.is_file()) {
                    (true, _) => EntryKind::Folder,
                    (_, true) => EntryKind::File,
                    _ => EntryKind::Other,
                };
                Ok(Entry { name: entry.file_name(), kind, inode: None })
            });
            entries.collect()
        }
    }
}
