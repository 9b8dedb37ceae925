//! Replaces files of the project: each at once and whole, or not at all.

use crate::paths::SourcePath;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The byte order mark that editors on Windows write before a text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A file on the disk whose text is that of a source.
pub struct Original {
    path: PathBuf,
    bytes: Vec<u8>,
    /// What stands before the text, and is no part of it.
    mark: &'static [u8],
}

impl Original {
    /// Reads the file of a source, whose text is given. An error says why it cannot be replaced.
    pub fn of(root: &Path, source: &SourcePath, text: &str) -> Result<Self, String> {
        let mut path = root.to_path_buf();
        for part in source.as_str().split('/') {
            if part.is_empty() || part == "." || part == ".." {
                return Err("its path leads out of the project".to_owned());
            }
            path.push(part);
            // Whoever reads through a link may not know what else has that file.
            if path.is_symlink() {
                let link = if path == root.join(source.as_str()) { "it" } else { "a folder of its path" };
                return Err(format!("{link} is a symbolic link"));
            }
        }
        let metadata = fs::metadata(&path).map_err(|error| words(&error))?;
        if !metadata.is_file() {
            return Err("it is not a file".to_owned());
        }
        if metadata.permissions().readonly() {
            return Err("it is read-only".to_owned());
        }
        let bytes = fs::read(&path).map_err(|error| words(&error))?;
        if std::str::from_utf8(&bytes).is_err() {
            return Err("it is not UTF-8; save it as UTF-8 first".to_owned());
        }
        let mark = match bytes.strip_prefix(text.as_bytes()) {
            Some([]) => &MARK[..0],
            _ if bytes.strip_prefix(MARK) == Some(text.as_bytes()) => MARK,
            _ => return Err("it has changed since it was read".to_owned()),
        };
        Ok(Original { path, bytes, mark })
    }

    /// Whether it has a text.
    pub fn has(&self, text: &str) -> bool {
        self.bytes.strip_prefix(self.mark) == Some(text.as_bytes())
    }

    /// Writes another text. Until that is complete, the file is as before: its new content comes under another name in the same
    /// folder, and takes the name of the file at once.
    pub fn replace(&self, text: &str) -> Result<(), String> {
        let staged = hidden(&self.path);
        let written = self.write(&staged, text);
        if written.is_err() {
            let _ = fs::remove_file(&staged);
        }
        written
    }

    fn write(&self, staged: &Path, text: &str) -> Result<(), String> {
        match fs::remove_file(staged) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(words(&error)),
            _ => {}
        }
        let write = || -> io::Result<()> {
            let metadata = fs::metadata(&self.path)?;
            let mut file: File = OpenOptions::new().write(true).create_new(true).open(staged)?;
            file.write_all(self.mark)?;
            file.write_all(text.as_bytes())?;
            keep_owner(staged, &metadata);
            file.set_permissions(metadata.permissions())?;
            file.sync_all()
        };
        write().map_err(|error| words(&error))?;
        put(staged, &self.path, &self.bytes, None)
    }
}

/// Gives a staged file the name of another that has these bytes. `kept` gets the other one, and without it that is removed.
///
/// The two are exchanged in one step where the system can, and what was displaced is read after that: a file that somebody has
/// saved in the last moment comes back.
fn put(staged: &Path, path: &Path, before: &[u8], kept: Option<&Path>) -> Result<(), String> {
    let changed = || "it has changed since it was read".to_owned();
    // As late as possible: an editor may have saved it meanwhile.
    let now = fs::read(path).map_err(|error| words(&error))?;
    if now != before || path.is_symlink() {
        return Err(changed());
    }
    if !exchanged(staged, path).map_err(|error| words(&error))? {
        if let Some(kept) = kept {
            fs::hard_link(path, kept).or_else(|_| fs::copy(path, kept).map(drop)).map_err(|error| words(&error))?;
        }
        return fs::rename(staged, path).map_err(|error| words(&error));
    }
    let displaced = fs::read(staged);
    if staged.is_symlink() || !displaced.is_ok_and(|displaced| displaced == before) {
        exchanged(staged, path).map_err(|error| words(&error))?;
        return Err(changed());
    }
    match kept {
        // A program that still has the file open writes there.
        Some(kept) => fs::rename(staged, kept).map_err(|error| words(&error)),
        None => fs::remove_file(staged).map_err(|error| words(&error)),
    }
}

/// Exchanges two files in one step. Returns whether the system can.
#[cfg(unix)]
fn exchanged(one: &Path, two: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, two, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn exchanged(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Changes a file below the project's folder from some bytes to others; nothing stands for no file. What it was is kept at a path
/// below the folder. An error says why it is not changed.
pub fn change(
    root: &Path,
    source: &SourcePath,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    kept: &str,
) -> Result<(), String> {
    let path = inside(root, source.as_str())?;
    let Some(before) = before else {
        return after.map_or(Ok(()), |after| create_bytes(&path, after)).map_err(|error| words(&error));
    };
    let kept = inside(root, kept)?;
    if let Some(folder) = kept.parent() {
        fs::create_dir_all(folder).map_err(|error| words(&error))?;
    }
    let metadata = fs::symlink_metadata(&path).map_err(|error| words(&error))?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.permissions().readonly() {
        return Err("it is read-only".to_owned());
    }
    let bytes = fs::read(&path).map_err(|error| words(&error))?;
    let mark = match bytes.strip_suffix(before) {
        Some(mark) if mark.is_empty() || mark == MARK => mark,
        _ => return Err("it has changed since it was read".to_owned()),
    };
    let Some(after) = after else { return fs::rename(&path, &kept).map_err(|error| words(&error)) };
    let staged = hidden(&path);
    let write = || -> io::Result<()> {
        let _ = fs::remove_file(&staged);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&staged)?;
        file.write_all(mark)?;
        file.write_all(after)?;
        keep_owner(&staged, &metadata);
        file.set_permissions(metadata.permissions())?;
        file.sync_all()
    };
    let written = write().map_err(|error| words(&error)).and_then(|()| put(&staged, &path, &bytes, Some(&kept)));
    if written.is_err() {
        let _ = fs::remove_file(&staged);
    }
    written
}

/// Returns a path below a folder in which nothing is a link.
fn inside(root: &Path, relative: &str) -> Result<PathBuf, String> {
    let mut path = root.to_path_buf();
    for part in relative.split('/') {
        if part.is_empty() || part == "." || part == ".." {
            return Err("its path leads out of the project".to_owned());
        }
        path.push(part);
        if path.is_symlink() {
            return Err("a symbolic link is in its place".to_owned());
        }
    }
    Ok(path)
}

/// Returns the name under which the next content of a file is written. It is hidden, so that no build reads what an interrupted
/// one left.
fn hidden(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".sitegen-fix");
    path.with_file_name(name)
}

fn create_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let staged = hidden(path);
    let _ = fs::remove_file(&staged);
    let mut file = OpenOptions::new().write(true).create_new(true).open(&staged)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    // A link fails where somebody has made the file meanwhile.
    let linked = fs::hard_link(&staged, path);
    fs::remove_file(&staged)?;
    linked
}

/// Writes a file that does not exist, below the project's folder: complete or not at all. An error says why it cannot be written.
pub fn create(root: &Path, source: &SourcePath, text: &str) -> Result<(), String> {
    create_bytes(&inside(root, source.as_str())?, text.as_bytes()).map_err(|error| words(&error))
}

/// Gives a file the owner of another, where this process may do so: in a container it is often another user.
#[cfg(unix)]
fn keep_owner(staged: &Path, metadata: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt as _;
    let _ = std::os::unix::fs::chown(staged, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

/// The system's answer without its number.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf, SourcePath) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("content/a.yaml");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        (folder, path, SourcePath::new("content/a.yaml"))
    }

    #[test]
    fn a_file_gets_its_new_text_and_keeps_its_mark() {
        let (folder, path, source) = file("\u{feff}a: 1\n");
        Original::of(folder.path(), &source, "a: 1\n").unwrap().replace("a: 2\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "\u{feff}a: 2\n");
        Original::of(folder.path(), &source, "\u{feff}a: 2\n").unwrap().replace("\u{feff}a: 3\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "\u{feff}a: 3\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_that_somebody_saved_meanwhile_stays() {
        let (folder, path, source) = file("a: 1\n");
        let original = Original::of(folder.path(), &source, "a: 1\n").unwrap();
        fs::write(&path, "a: mine\n").unwrap();
        assert_eq!(original.replace("a: 2\n"), Err("it has changed since it was read".to_owned()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: mine\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert!(Original::of(folder.path(), &source, "a: 1\n").is_err());
    }

    #[test]
    fn paths_that_lead_out_of_the_project_are_refused() {
        let (folder, path, _) = file("a: 1\n");
        for outside in ["../a.yaml", "content/../../a.yaml", "/content/a.yaml"] {
            assert!(Original::of(folder.path(), &SourcePath::new(outside), "a: 1\n").is_err(), "{outside}");
        }
        fs::write(&path, b"a: caf\xe9\n").unwrap();
        let refused = Original::of(folder.path(), &SourcePath::new("content/a.yaml"), "a: café\n").err();
        assert_eq!(refused.as_deref(), Some("it is not UTF-8; save it as UTF-8 first"));
    }
}
