//! An open folder, whose entries are reached by name alone: whoever exchanges a folder of a path for a link, after the path was
//! checked, changes nothing of where a file is written. Systems other than Unix use paths.

#[cfg(unix)]
pub use unix::Folder;

#[cfg(not(unix))]
pub use paths::Folder;

#[cfg(unix)]
mod unix {
    use rustix::fs::{
        AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags, RenameFlags, flock, linkat, mkdirat, openat,
        renameat, renameat_with, statat, unlinkat,
    };
    use rustix::io::Errno;
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    pub struct Folder(OwnedFd);

    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    impl Folder {
        /// Opens the folder at a path, whose links are followed.
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Folder(openat(CWD, path, FOLDER, Mode::empty())?))
        }

        /// Opens a folder in it, which is no link.
        pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
            Ok(Folder(openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?))
        }

        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
        }

        /// Opens a file in it to read it. A link is refused.
        pub fn file(&self, name: &OsStr) -> io::Result<File> {
            // Opening a pipe in the place of the file would block.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            Ok(File::from(openat(&self.0, name, flags, Mode::empty())?))
        }

        /// Creates a file in it that is not there, perhaps for this user alone.
        pub fn create(&self, name: &OsStr, is_private: bool) -> io::Result<File> {
            let mode = if is_private { 0o600 } else { 0o666 };
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok(File::from(openat(&self.0, name, flags, Mode::from_raw_mode(mode))?))
        }

        pub fn is_link(&self, name: &OsStr) -> bool {
            let status = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW);
            status.is_ok_and(|status| FileType::from_raw_mode(status.st_mode as _) == FileType::Symlink)
        }

        /// Exchanges two files in it in one step. Returns whether the system can.
        pub fn exchange(&self, one: &OsStr, two: &OsStr) -> io::Result<bool> {
            match renameat_with(&self.0, one, &self.0, two, RenameFlags::EXCHANGE) {
                Ok(()) => Ok(true),
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }

        pub fn rename(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
            Ok(renameat(&self.0, name, &to.0, new)?)
        }

        /// Gives a file another name, which must be free. It keeps its own.
        pub fn link(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
            Ok(linkat(&self.0, name, &to.0, new, AtFlags::empty())?)
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.0, name, AtFlags::empty())?)
        }

        /// Waits until no other process has the folder locked. Returns whether the file system can lock.
        pub fn lock(&self) -> bool {
            flock(&self.0, FlockOperation::LockExclusive).is_ok()
        }

        pub fn unlock(&self) {
            let _ = flock(&self.0, FlockOperation::Unlock);
        }

        /// Returns the names in it.
        pub fn names(&self) -> Vec<OsString> {
            let entries = Dir::read_from(&self.0).into_iter().flatten().filter_map(Result::ok);
            entries.map(|entry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned()).collect()
        }
    }

    /// Gives a file the owner of another, where this process may do so: in a container it is often another user.
    pub fn keep_owner(file: &File, like: &Metadata) {
        use std::os::unix::fs::MetadataExt as _;
        let _ = std::os::unix::fs::fchown(file, Some(like.uid()), Some(like.gid()));
    }
}

#[cfg(unix)]
pub use unix::keep_owner;

#[cfg(not(unix))]
mod paths {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};

    pub struct Folder(PathBuf);

    impl Folder {
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Folder(path.to_owned()))
        }

        pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
            let path = self.0.join(name);
            match fs::symlink_metadata(&path)?.is_dir() {
                true => Ok(Folder(path)),
                false => Err(io::ErrorKind::NotADirectory.into()),
            }
        }

        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            fs::create_dir(self.0.join(name))
        }

        pub fn file(&self, name: &OsStr) -> io::Result<File> {
            match self.is_link(name) {
                true => Err(io::ErrorKind::InvalidInput.into()),
                false => File::open(self.0.join(name)),
            }
        }

        pub fn create(&self, name: &OsStr, _: bool) -> io::Result<File> {
            OpenOptions::new().write(true).create_new(true).open(self.0.join(name))
        }

        pub fn is_link(&self, name: &OsStr) -> bool {
            self.0.join(name).is_symlink()
        }

        pub fn exchange(&self, _: &OsStr, _: &OsStr) -> io::Result<bool> {
            Ok(false)
        }

        pub fn rename(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(name), to.0.join(new))
        }

        pub fn link(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
            fs::hard_link(self.0.join(name), to.0.join(new))
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }

        pub fn lock(&self) -> bool {
            false
        }

        pub fn unlock(&self) {}

        pub fn names(&self) -> Vec<OsString> {
            Vec::new()
        }
    }

    pub fn keep_owner(_: &File, _: &Metadata) {}
}

#[cfg(not(unix))]
pub use paths::keep_owner;
