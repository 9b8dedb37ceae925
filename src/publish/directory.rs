//! Folders that are open, so that what lies in them is reached by its name alone.
//!
//! A site of ten thousand pages is ten thousand folders with a file each. Reached by their whole paths, the system walks
//! down from the root for every one of them, and asks twice what it is; open folders save a tenth of a build in which
//! nothing has changed. Elsewhere than on Linux, folders are reached by their paths.

use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::fs::File;

/// A folder that is open.
pub struct Directory {
    #[cfg(target_os = "linux")]
    file: File,
    #[cfg(not(target_os = "linux"))]
    path: std::path::PathBuf,
}

/// What lies in a folder.
pub struct Entry {
    /// Its name.
    pub name: OsString,
    /// What it is.
    pub kind: Kind,
    /// Its inode, where the folder tells: on some file systems, such as overlays, another one than the file itself says.
    pub inode: Option<u64>,
}

/// What an entry is, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A file.
    File,
    /// A link, a pipe or the like.
    Other,
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Directory, Entry, Kind};
    use crate::publish::scan::{FOLDER_MODE, other_mode};
    use crate::sources::open_no_atime;
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, mkdirat, renameat, statat, unlinkat};
    use std::cell::Cell;
    use std::ffi::OsStr;
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    /// Room for the names of a large folder; most need one call for all they hold.
    const NAMES: usize = 32 * 1024;

    thread_local! {
        static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }

    fn kind_of(kind: FileType) -> Kind {
        match kind {
            FileType::Directory => Kind::Folder,
            FileType::RegularFile => Kind::File,
            _ => Kind::Other,
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
            // A pipe in the place of the file would be waited for.
            open_no_atime(&self.file, name, OFlags::NOFOLLOW | OFlags::NONBLOCK)
        }

        pub fn metadata(&self) -> io::Result<Metadata> {
            self.file.metadata()
        }

        /// Makes a folder of a name, with the mode that published folders have.
        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            mkdirat(&self.file, name, Mode::from_raw_mode(FOLDER_MODE))?;
            let made = self.folder(name)?.file;
            // What the umask has taken away.
            if let Some(mode) = other_mode(&made.metadata()?, FOLDER_MODE) {
                let _ = made.set_permissions(Permissions::from_mode(mode));
            }
            Ok(())
        }

        /// Moves a file in, in one step. A file or a link of its new name is replaced.
        pub fn take(&self, from: &Directory, old: &OsStr, new: &OsStr) -> io::Result<()> {
            Ok(renameat(&from.file, old, &self.file, new)?)
        }

        /// Removes a file or a link.
        pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.file, name, AtFlags::empty())?)
        }

        /// Removes a folder in which nothing is.
        pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.file, name, AtFlags::REMOVEDIR)?)
        }

        pub fn entries(&self) -> io::Result<Vec<Entry>> {
            let mut room = ROOM.take();
            room.reserve(NAMES);
            let mut entries = Vec::new();
            let mut names = RawDir::new(&self.file, room.spare_capacity_mut());
            while let Some(entry) = names.next() {
                let entry = entry?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                let kind = match entry.file_type() {
                    // Some file systems do not say.
                    FileType::Unknown => {
                        let found = statat(&self.file, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
                        kind_of(FileType::from_raw_mode(found.st_mode))
                    }
                    kind => kind_of(kind),
                };
                entries.push(Entry { name: name.to_owned(), kind, inode: Some(entry.ino()) });
            }
            ROOM.set(room);
            Ok(entries)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Directory, Entry, Kind};
    use crate::publish::scan::{FOLDER_MODE, set_mode};
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
                    (true, _) => Kind::Folder,
                    (_, true) => Kind::File,
                    _ => Kind::Other,
                };
                Ok(Entry { name: entry.file_name(), kind, inode: None })
            });
            entries.collect()
        }
    }
}
