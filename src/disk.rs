//! Replaces files of the project: each at once and whole, or not at all.
//!
//! A path is walked once, from open folder to open folder, and no link is followed on the way. Everything after that is done by name
//! in the folder that was found. Other processes that write in the same folder with these functions wait; programs that know nothing
//! of that are noticed, as what they have written is not what was read.

mod folder;

use crate::paths::SourcePath;
use folder::{Folder, keep_owner};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The byte order mark that editors on Windows write before a text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// What the names have between that of a file and some random letters, under which its next content is written.
const STAGED: &str = ".sitegen-fix-";

/// A file on the disk whose text is that of a source.
pub struct Original {
    place: Place,
    bytes: Vec<u8>,
    /// What stands before the text, and is no part of it.
    mark: &'static [u8],
}

impl Original {
    /// Reads the file of a source, whose text is given. An error says why it cannot be replaced.
    pub fn of(root: &Path, source: &SourcePath, text: &str) -> Result<Self, String> {
        let place = Place::of(root, source.as_str(), false)?;
        let (bytes, _) = place.read()?;
        if std::str::from_utf8(&bytes).is_err() {
            return Err("it is not UTF-8; save it as UTF-8 first".to_owned());
        }
        let mark = match bytes.strip_prefix(text.as_bytes()) {
            Some([]) => &MARK[..0],
            _ if bytes.strip_prefix(MARK) == Some(text.as_bytes()) => MARK,
            _ => return Err(changed()),
        };
        Ok(Original { place, bytes, mark })
    }

    /// Whether it has a text.
    pub fn has(&self, text: &str) -> bool {
        self.bytes.strip_prefix(self.mark) == Some(text.as_bytes())
    }

    /// Writes another text. Until that is complete, the file is as before: its new content comes under another name in the same
    /// folder, and takes the name of the file at once.
    pub fn replace(&self, text: &str) -> Result<(), String> {
        let _lock = self.place.lock();
        let (now, metadata) = self.place.read()?;
        if now != self.bytes {
            return Err(changed());
        }
        self.place.replace(&self.bytes, &[self.mark, text.as_bytes()], &metadata, None)
    }
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
    let Some(before) = before else {
        return after.map_or(Ok(()), |after| Place::of(root, source.as_str(), true)?.create(after));
    };
    let place = Place::of(root, source.as_str(), false)?;
    let _lock = place.lock();
    let (bytes, metadata) = place.read()?;
    let mark = match bytes.strip_suffix(before) {
        Some(mark) if mark.is_empty() || mark == MARK => mark,
        _ => return Err(changed()),
    };
    let kept = Place::of(root, kept, true)?;
    match after {
        Some(after) => place.replace(&bytes, &[mark, after], &metadata, Some(&kept)),
        None => place.remove(&bytes, &kept),
    }
}

/// Writes a file that does not exist, below the project's folder: complete or not at all. An error says why it cannot be written.
pub fn create(root: &Path, source: &SourcePath, text: &str) -> Result<(), String> {
    Place::of(root, source.as_str(), true)?.create(text.as_bytes())
}

/// Writes a file below a folder that only this user can read. One with its name is replaced.
pub fn write_private(root: &Path, relative: &str, bytes: &[u8]) -> Result<(), String> {
    let place = Place::of(root, relative, true)?;
    let write = || -> io::Result<()> {
        match place.folder.remove(&place.name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => place.folder.create(&place.name, true)?.write_all(bytes),
        }
    };
    write().map_err(|error| format!("{relative} cannot be written: {}", words(&error)))
}

/// A file, which need not be there: its name in an open folder.
struct Place {
    folder: Folder,
    name: OsString,
}

/// The lock of a folder, as long as it lasts.
struct Lock<'f>(&'f Folder);

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.0.unlock();
    }
}

impl Place {
    /// Finds a path below a folder in which nothing is a link.
    fn of(root: &Path, relative: &str, makes_folders: bool) -> Result<Self, String> {
        let parts: Vec<&str> = relative.split('/').collect();
        if parts.iter().any(|part| part.is_empty() || *part == "." || *part == ".." || part.contains('\0')) {
            return Err("its path leads out of the project".to_owned());
        }
        let (name, folders) = parts.split_last().unwrap_or((&"", &[]));
        let mut folder = Folder::open(root).map_err(|error| words(&error))?;
        for part in folders.iter().map(OsStr::new) {
            let opened = match folder.folder(part) {
                Err(error) if makes_folders && error.kind() == io::ErrorKind::NotFound => {
                    match folder.make_folder(part) {
                        // Somebody else may have made it meanwhile.
                        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                        _ => folder.folder(part),
                    }
                }
                opened => opened,
            };
            folder = opened.map_err(|error| match folder.is_link(part) {
                // Whoever reads through a link may not know what else has that file.
                true => "a folder of its path is a symbolic link".to_owned(),
                false => words(&error),
            })?;
        }
        Ok(Place { folder, name: OsString::from(name) })
    }

    /// Lets no other process write in the folder that asks for it as this one does. Removes what interrupted ones have left there.
    fn lock(&self) -> Option<Lock<'_>> {
        let is_locked = self.folder.lock();
        let lock = is_locked.then(|| Lock(&self.folder));
        // Without a lock, such a file may be that of a process which is at work.
        if is_locked {
            let is_staged =
                |name: &&OsString| name.to_str().is_some_and(|name| name.starts_with('.') && name.contains(STAGED));
            for name in self.folder.names().iter().filter(is_staged) {
                let _ = self.folder.remove(name);
            }
        }
        lock
    }

    /// Reads the file. An error says why it cannot be replaced.
    fn read(&self) -> Result<(Vec<u8>, Metadata), String> {
        let mut file = self.folder.file(&self.name).map_err(|error| match self.folder.is_link(&self.name) {
            true => "it is a symbolic link".to_owned(),
            false => words(&error),
        })?;
        let metadata = file.metadata().map_err(|error| words(&error))?;
        if !metadata.is_file() {
            return Err("it is not a file".to_owned());
        }
        if metadata.permissions().readonly() {
            return Err("it is read-only".to_owned());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| words(&error))?;
        Ok((bytes, metadata))
    }

    /// Whether a file in the folder has these bytes.
    fn has(&self, name: &OsStr, bytes: &[u8]) -> bool {
        let mut now = Vec::new();
        let read = self.folder.file(name).and_then(|mut file| file.read_to_end(&mut now));
        read.is_ok() && now == bytes
    }

    /// Writes a file beside it, and returns its name: hidden, so that no build reads what an interrupted process has left, and
    /// unlike that of any other process.
    fn stage(&self, parts: &[&[u8]], like: Option<&Metadata>) -> Result<OsString, String> {
        let mut random = [0u8; 8];
        getrandom::fill(&mut random).map_err(|error| error.to_string())?;
        let mut name = OsString::from(".");
        name.push(&self.name);
        name.push(STAGED);
        name.push(format!("{:016x}", u64::from_ne_bytes(random)));
        let write = |file: &mut File| -> io::Result<()> {
            for part in parts {
                file.write_all(part)?;
            }
            if let Some(like) = like {
                keep_owner(file, like);
                file.set_permissions(like.permissions())?;
            }
            file.sync_all()
        };
        let mut file = self.folder.create(&name, false).map_err(|error| words(&error))?;
        match write(&mut file) {
            Ok(()) => Ok(name),
            Err(error) => {
                let _ = self.folder.remove(&name);
                Err(words(&error))
            }
        }
    }

    fn create(&self, bytes: &[u8]) -> Result<(), String> {
        let _lock = self.lock();
        let staged = self.stage(&[bytes], None)?;
        // A link fails where somebody has made the file meanwhile.
        let linked = self.folder.link(&staged, &self.folder, &self.name);
        let _ = self.folder.remove(&staged);
        linked.map_err(|error| words(&error))
    }

    /// Replaces the file, which has these bytes. `kept` gets what it was.
    ///
    /// The two are exchanged in one step where the system can, and what was displaced is read after that: a file that somebody has
    /// saved in the last moment comes back.
    fn replace(&self, before: &[u8], after: &[&[u8]], like: &Metadata, kept: Option<&Place>) -> Result<(), String> {
        let staged = self.stage(after, Some(like))?;
        let refused = |reason: String| {
            let _ = self.folder.remove(&staged);
            Err(reason)
        };
        // As late as possible: an editor may have saved it meanwhile.
        if !self.has(&self.name, before) {
            return refused(changed());
        }
        match self.folder.exchange(&staged, &self.name) {
            Ok(true) => {}
            Ok(false) => {
                let link = |kept: &Place| self.folder.link(&self.name, &kept.folder, &kept.name);
                let is_kept = kept.map_or(Ok(()), |kept| link(kept).or_else(|_| kept.write(before)));
                let replaced = is_kept.map_err(not_kept).and_then(|()| {
                    self.folder.rename(&staged, &self.folder, &self.name).map_err(|error| words(&error))
                });
                return replaced.or_else(refused);
            }
            Err(error) => return refused(words(&error)),
        }
        // From here on the staged name is that of what was displaced.
        let is_kept = match self.has(&staged, before) {
            true => kept.map_or(Ok(()), |kept| self.keep(&staged, before, kept)),
            false => Err(changed()),
        };
        let Err(reason) = is_kept else {
            // It is there no more if it was moved.
            let _ = self.folder.remove(&staged);
            return Ok(());
        };
        match self.folder.exchange(&staged, &self.name) {
            Ok(_) => refused(reason),
            // Its only copy stays.
            Err(_) => Err(format!("{reason}; what was saved before is in {}", staged.display())),
        }
    }

    /// Removes the file, which has these bytes. `kept` gets it.
    fn remove(&self, before: &[u8], kept: &Place) -> Result<(), String> {
        // Under another name first: what somebody has saved in the last moment is there too.
        let staged = self.stage(&[], None)?;
        self.folder.rename(&self.name, &self.folder, &staged).map_err(|error| words(&error))?;
        let removed = match self.has(&staged, before) {
            true => self.keep(&staged, before, kept),
            false => Err(changed()),
        };
        // Fails where somebody has made the file again meanwhile: then both stay.
        if let Err(reason) = &removed
            && self.folder.link(&staged, &self.folder, &self.name).is_err()
        {
            return Err(format!("{reason}; what was saved before is in {}", staged.display()));
        }
        let _ = self.folder.remove(&staged);
        removed
    }

    /// Moves a displaced file to where it is kept, or copies it there: that may be another file system.
    fn keep(&self, displaced: &OsStr, bytes: &[u8], kept: &Place) -> Result<(), String> {
        // A program that still has the file open writes there.
        self.folder.rename(displaced, &kept.folder, &kept.name).or_else(|_| kept.write(bytes)).map_err(not_kept)
    }

    /// Writes the file, which is not there, without more ado.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.folder.create(&self.name, false)?;
        file.write_all(bytes)?;
        file.sync_all()
    }
}

fn changed() -> String {
    "it has changed since it was read".to_owned()
}

fn not_kept(error: io::Error) -> String {
    format!("its text of now cannot be kept in .sitegen ({})", words(&error))
}

/// The system's answer without its number.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

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

    #[test]
    #[cfg(unix)]
    fn what_an_interrupted_process_has_left_is_removed() {
        let (folder, path, source) = file("a: 1\n");
        let left = path.with_file_name(".b.yaml.sitegen-fix-0123456789abcdef");
        fs::write(&left, "half").unwrap();
        Original::of(folder.path(), &source, "a: 1\n").unwrap().replace("a: 2\n").unwrap();
        assert!(!left.exists() && path.exists());
    }

    /// Two servers of one project, each with a change of its own.
    #[test]
    fn writers_in_one_folder_do_not_take_the_text_of_each_other() {
        let (folder, path, source) = file("0");
        let (root, source) = (folder.path(), &source);
        let saved: Vec<usize> = std::thread::scope(|scope| {
            let write = |writer: usize| {
                move || {
                    let write = |number: usize| {
                        let before = fs::read(root.join("content/a.yaml")).unwrap();
                        let after = format!("{} {writer}.{number}", String::from_utf8(before.clone()).unwrap());
                        let kept = format!(".sitegen/edits/{writer}-{number}/a.yaml");
                        change(root, source, Some(&before), Some(after.as_bytes()), &kept).is_ok()
                    };
                    (0..150).filter(|number| write(*number)).count()
                }
            };
            let writers: Vec<_> = (0..3).map(|writer| scope.spawn(write(writer))).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        let text = fs::read_to_string(&path).unwrap();
        for (writer, saved) in saved.into_iter().enumerate() {
            let there = text.split(' ').filter(|word| word.starts_with(&format!("{writer}."))).count();
            assert_eq!(there, saved, "what was saved is in the file, and nothing else: {text}");
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_becomes_a_link_is_not_followed() {
        let (folder, path, source) = file("a: 1\n");
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("a.yaml"), "a: 1\n").unwrap();
        let original = Original::of(folder.path(), &source, "a: 1\n").unwrap();
        let moved = folder.path().join("moved");
        fs::rename(path.parent().unwrap(), &moved).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("content")).unwrap();
        let _ = original.replace("a: 2\n");
        assert_eq!(fs::read_to_string(outside.path().join("a.yaml")).unwrap(), "a: 1\n");
        let refused = change(folder.path(), &source, Some(b"a: 1\n"), Some(b"a: 3\n"), ".sitegen/edits/1/a.yaml");
        assert_eq!(refused, Err("a folder of its path is a symbolic link".to_owned()));
        assert_eq!(fs::read_to_string(outside.path().join("a.yaml")).unwrap(), "a: 1\n");
    }

    /// A folder in the place of the kept file stands for every reason why it cannot be moved or written there.
    #[test]
    fn a_file_whose_text_cannot_be_kept_stays() {
        let (folder, path, source) = file("a: 1\n");
        let kept = ".sitegen/edits/1/a.yaml";
        fs::create_dir_all(folder.path().join(kept).join("full")).unwrap();
        for after in [Some(&b"a: 2\n"[..]), None] {
            let refused = change(folder.path(), &source, Some(b"a: 1\n"), after, kept);
            assert!(refused.is_err_and(|reason| reason.contains("cannot be kept")));
            assert_eq!(fs::read_to_string(&path).unwrap(), "a: 1\n");
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    #[cfg(unix)]
    fn a_private_file_is_for_its_user_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let (folder, path, _) = file("a: 1\n");
        for _ in 0..2 {
            write_private(folder.path(), "content/a.yaml", b"secret").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink(folder.path().join("other"), &path).unwrap();
        }
        assert!(!folder.path().join("other").exists());
    }

    /// Memory is another file system than that of temporary files on most machines; where it is not, this shows less.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_text_is_kept_on_another_file_system() {
        let (folder, path, source) = file("a: 1\n");
        let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
        let kept = Place::of(memory.path(), "kept.yaml", true).unwrap();
        let place = Place::of(folder.path(), source.as_str(), false).unwrap();
        let (bytes, metadata) = place.read().unwrap();
        assert_eq!(place.replace(&bytes, &[b"a: 2\n"], &metadata, Some(&kept)), Ok(()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a: 2\n");
        assert_eq!(fs::read_to_string(memory.path().join("kept.yaml")).unwrap(), "a: 1\n");
        let again = Place::of(memory.path(), "again.yaml", true).unwrap();
        assert_eq!(place.remove(b"a: 2\n", &again), Ok(()));
        assert!(!path.exists());
        assert_eq!(fs::read_to_string(memory.path().join("again.yaml")).unwrap(), "a: 2\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0, "nothing else is left");
    }
}
