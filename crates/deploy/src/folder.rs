//! A folder of this machine as a target.

use super::record::FOLDER;
use super::store::{Control, Failure, Step, Store};
use sitegen_core::sources::{Digest, large};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder. Files are written to a temporary one and renamed, so that each is complete at every moment.
pub struct FolderStore {
    root: PathBuf,
    /// The output folder.
    output: PathBuf,
    unique: u64,
    next: AtomicU64,
}

impl FolderStore {
    /// Deploys files of `output` to the folder `root`, which is created if it is missing.
    pub fn new(root: PathBuf, output: PathBuf) -> Self {
        FolderStore { root, output, unique: unique(), next: AtomicU64::new(0) }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns a path that no other file has, in a folder that is there.
    fn temporary(&self) -> io::Result<PathBuf> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let hidden = self.root.join(FOLDER);
        if number == 0 {
            create_folders(&hidden.join("tmp"))?;
            // A web server of another user has no business in there.
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let _ = fs::set_permissions(&hidden, fs::Permissions::from_mode(0o700));
            }
        }
        Ok(hidden.join("tmp").join(format!("{}-{number}", self.unique)))
    }

    /// Creates the folder of a file, and returns the path of a temporary one that it will be.
    fn prepared(&self, path: &Path) -> io::Result<PathBuf> {
        path.parent().map_or(Ok(()), create_folders)?;
        self.temporary()
    }

    /// Creates a temporary file with these bytes, and the folder of the file that it will be.
    fn written(&self, path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
        let temporary = self.prepared(path)?;
        create_whole(&temporary, bytes)?;
        Ok(temporary)
    }

    /// Puts a file of the output folder in place of what may be there.
    fn send(&self, path: &str, wanted: &Digest) -> Result<(), Failure> {
        let to = self.at(path);
        let cannot = |error: io::Error| cannot("write", &to, &error);
        let temporary = self.prepared(&to).map_err(cannot)?;
        copy_output(&self.output, path, wanted, &temporary)?;
        replace(&temporary, &to).map_err(cannot)
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let to = self.at(path);
        let put = self.written(&to, bytes).and_then(|temporary| replace(&temporary, &to));
        put.map_err(|error| cannot("write", &to, &error))
    }

    fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let (from, to) = (self.at(from), self.at(to));
        let copied = to.parent().map_or(Ok(()), create_folders).and_then(|()| {
            let temporary = self.temporary()?;
            // A link takes no space: a file is replaced, and never written to.
            if fs::hard_link(&from, &temporary).is_err() {
                create_whole(&temporary, fs::File::open(&from)?)?;
            }
            replace(&temporary, &to)?;
            // Where both are links to one file, renaming does nothing (rename(2)).
            match fs::remove_file(&temporary) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        });
        copied.map_err(|error| cannot("copy", &from, &error))
    }

    fn remove(&self, path: &str) -> Result<(), Failure> {
        let file = self.at(path);
        // A folder of this name has taken its place, or a file that of its folder.
        let is_gone = |error: &io::Error| {
            matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
                || fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_dir())
        };
        match fs::remove_file(&file) {
            Err(error) if !is_gone(&error) => return Err(cannot("delete", &file, &error)),
            _ => {}
        }
        // Folders that are empty now go too; the system keeps the others.
        let mut folder = Path::new(path).parent();
        while let Some(name) = folder.filter(|name| !name.as_os_str().is_empty()) {
            if name.starts_with(FOLDER) || fs::remove_dir(self.root.join(name)).is_err() {
                break;
            }
            folder = name.parent();
        }
        Ok(())
    }

    /// Returns the files at a path, which are several if it is that of a folder.
    fn files_at(&self, path: &str, seen: &mut BTreeMap<String, Option<Digest>>) {
        let file = self.at(path);
        let Ok(metadata) = fs::symlink_metadata(&file) else { return };
        if !metadata.is_dir() {
            seen.insert(path.to_owned(), fs::File::open(&file).and_then(large::digest_of).ok());
            return;
        }
        match fs::read_dir(&file) {
            Ok(entries) => entries
                .flatten()
                .for_each(|entry| self.files_at(&format!("{path}/{}", entry.file_name().to_string_lossy()), seen)),
            Err(_) => drop(seen.insert(path.to_owned(), None)),
        }
    }
}

/// Creates a file with these bytes, which must not be there: an older one may be a link to a file that visitors get. Leaves none if
/// that fails.
fn create_whole(path: &Path, mut bytes: impl Read) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    let written = io::copy(&mut bytes, &mut file).and_then(|_| add_mode(path, 0o644)).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(path)))
}

/// Moves a file in place of another one, or of an empty folder.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::IsADirectory && fs::remove_dir(to).is_ok() => fs::rename(from, to),
        renamed => renamed,
    }
}

/// Creates a folder, and those above it. Everybody may read them, as the files: the server may run as another user.
fn create_folders(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    folder.parent().map_or(Ok(()), create_folders)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(io::Error::new(ErrorKind::NotADirectory, format!("{} is not a folder", folder.display())))
        }
        created => created.and_then(|()| add_mode(folder, 0o755)),
    }
}

/// Allows what `mode` does, beside what is allowed already.
pub fn add_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let own = fs::metadata(path)?.permissions().mode();
        // File systems without modes refuse this.
        if own | mode != own {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(own | mode));
        }
    }
    let _ = (path, mode);
    Ok(())
}

/// Returns a number that names of temporary files begin with: another one for each deploy, on every machine.
pub fn unique() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(std::process::id())
}

fn cannot(action: &str, path: &Path, error: &io::Error) -> Failure {
    let what = format!("cannot {action} {}: {error}", path.display());
    match path.ancestors().find(|above| above.ends_with(FOLDER)).and_then(Path::parent) {
        Some(root) if error.kind() == ErrorKind::PermissionDenied => {
            Failure::with_help(what, one_user(&root.display().to_string()))
        }
        _ => Failure::new(what),
    }
}

/// What to do where somebody else has deployed.
pub fn one_user(root: &str) -> String {
    format!("only the user who has deployed there may read {FOLDER} in {root}: deploy as that user")
}

/// Copies a file of the output folder, which must have a digest, to one that is not there. It may be a film: it is never in memory.
pub fn copy_output(output: &Path, path: &str, wanted: &Digest, to: &Path) -> Result<(), Failure> {
    let file = output.join(path);
    let source = fs::File::open(&file).map_err(|error| cannot("read", &file, &error))?;
    let copied = create_whole(to, source).and_then(|()| large::digest_of(fs::File::open(to)?));
    match copied {
        Ok(copied) if copied == *wanted => Ok(()),
        copied => {
            let _ = fs::remove_file(to);
            Err(copied.map_or_else(|error| cannot("write", to, &error), |_| changed(&file)))
        }
    }
}

/// The failure of a file of the output folder that is not the one that was checked.
pub fn changed(file: &Path) -> Failure {
    Failure::with_help(
        format!("{} has changed while the site was deployed", file.display()),
        "run `sitegen build` again, and then `sitegen deploy`",
    )
}

impl Store for FolderStore {
    fn names(&self, folder: &str) -> Result<Vec<String>, Failure> {
        let folder = self.at(folder);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| cannot("read", &folder, &error))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| cannot("read", &folder, &error))?;
            if entry.file_type().is_ok_and(|kind| !kind.is_dir())
                && let Ok(name) = entry.file_name().into_string()
            {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let file = self.at(path);
        match fs::read(&file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot("read", &file, &error)),
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.put(path, bytes)
    }

    fn create(&self, path: &str, bytes: &[u8]) -> Result<bool, Failure> {
        let to = self.at(path);
        let temporary = self.written(&to, bytes).map_err(|error| cannot("write", &to, &error))?;
        let linked = fs::hard_link(&temporary, &to);
        let _ = fs::remove_file(&temporary);
        let created = match linked {
            // A file system without links: the file may be cut off, if the machine stops just now.
            Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::PermissionDenied) => {
                create_whole(&to, bytes)
            }
            linked => linked,
        };
        match created {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(cannot("write", &to, &error)),
        }
    }

    fn look(&self, paths: &[&str]) -> Result<BTreeMap<String, Option<Digest>>, Failure> {
        let mut seen = BTreeMap::new();
        paths.iter().for_each(|path| self.files_at(path, &mut seen));
        Ok(seen)
    }

    fn run(&self, steps: &[Step], control: &Control) -> Result<(), Failure> {
        for step in steps {
            control.check()?;
            match step {
                Step::Put { path, digest } => self.send(path, digest)?,
                Step::Copy { from, to } => self.copy(from, to)?,
                Step::Remove { path } => self.remove(path)?,
            }
            (control.done)(step);
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use sitegen_core::sources::digest;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn store() -> (tempfile::TempDir, FolderStore) {
        let folder = tempfile::tempdir().unwrap();
        let [root, output] = ["www", "dist"].map(|name| folder.path().join(name));
        (folder, FolderStore::new(root, output))
    }

    fn temporaries(store: &FolderStore) -> usize {
        fs::read_dir(store.at(".sitegen-deploys/tmp")).unwrap().count()
    }

    #[test]
    fn a_leftover_of_an_earlier_deploy_is_never_written_to() {
        let (folder, mut store) = store();
        store.put("index.html", b"old").unwrap();
        // As a deploy with the same name leaves it that is killed before it renames its copy.
        store.next = AtomicU64::new(5);
        let left = store.temporary().unwrap();
        fs::hard_link(store.at("index.html"), &left).unwrap();
        store.next = AtomicU64::new(5);
        assert!(store.put("index.html", b"new").is_err());
        assert_eq!(fs::read(store.at("index.html")).unwrap(), b"old");
        let other = FolderStore::new(folder.path().join("www"), folder.path().join("dist"));
        assert_ne!(store.unique, other.unique);
        other.put("index.html", b"new").unwrap();
        assert_eq!(
            (fs::read(other.at("index.html")).unwrap(), fs::read(&left).unwrap()),
            (b"new".to_vec(), b"old".to_vec())
        );
    }

    #[test]
    fn a_file_that_is_sent_is_the_one_that_was_checked() {
        let (_folder, store) = store();
        fs::create_dir_all(store.output.join("media")).unwrap();
        // Several reads of a copy.
        let film: Vec<u8> = (0..3 << 20).map(|at: u32| (at >> 3) as u8).collect();
        fs::write(store.output.join("media/film.mp4"), &film).unwrap();
        let failure = store.send("media/film.mp4", &digest(b"another")).unwrap_err();
        assert!(failure.what.ends_with("has changed while the site was deployed"), "{failure:?}");
        assert!(!store.at("media/film.mp4").exists() && temporaries(&store) == 0);
        store.send("media/film.mp4", &digest(&film)).unwrap();
        assert!(fs::read(store.at("media/film.mp4")).unwrap() == film && temporaries(&store) == 0);
        let seen = store.look(&["media/film.mp4"]).unwrap();
        assert_eq!(seen["media/film.mp4"], Some(digest(&film)));
    }

    #[test]
    fn who_cannot_read_the_records_of_deploys_learns_whose_they_are() {
        let denied = io::Error::from(ErrorKind::PermissionDenied);
        let help = |path: &str| cannot("read", Path::new(path), &denied).help;
        let expected =
            "only the user who has deployed there may read .sitegen-deploys in /srv/www: deploy as that user";
        for path in ["/srv/www/.sitegen-deploys", "/srv/www/.sitegen-deploys/1.json"] {
            assert_eq!(help(path).as_deref(), Some(expected));
        }
        assert_eq!(help("/srv/www/index.html"), None);
    }

    #[test]
    fn a_file_is_created_whole_or_not_at_all() {
        let (_folder, store) = store();
        assert_eq!(store.create("x/1.json", b"one"), Ok(true));
        assert_eq!(store.create("x/1.json", b"two"), Ok(false));
        assert_eq!(store.read("x/1.json").unwrap().unwrap(), b"one");
        assert_eq!(temporaries(&store), 0);
        // What is in the way of its folder is the reason that is reported.
        let failure = store.create("x/1.json/2.json", b"two").unwrap_err();
        assert!(failure.what.ends_with("1.json is not a folder") && temporaries(&store) == 0, "{failure:?}");
    }

    #[test]
    fn everybody_may_read_what_is_published() {
        let (_folder, store) = store();
        store.put("a/b.html", b"page").unwrap();
        let mode = |path: &str| fs::metadata(store.at(path)).unwrap().permissions().mode();
        assert_eq!((mode("a") & 0o755, mode("a/b.html") & 0o644, mode(FOLDER) & 0o777), (0o755, 0o644, 0o700));
        fs::set_permissions(store.at("a/b.html"), fs::Permissions::from_mode(0o600)).unwrap();
        add_mode(&store.at("a/b.html"), 0o644).unwrap();
        assert_eq!(mode("a/b.html") & 0o777, 0o644);
    }

    #[test]
    fn a_file_and_a_folder_take_the_place_of_each_other() {
        let (_folder, store) = store();
        store.put("download/list/all.txt", b"list").unwrap();
        fs::write(store.at("download/mine.txt"), "mine").unwrap();
        symlink("mine.txt", store.at("download/link")).unwrap();
        let seen = store.look(&["download", "download/list/all.txt/x", "other"]).unwrap();
        let seen: Vec<&str> = seen.keys().map(String::as_str).collect();
        assert_eq!(seen, ["download/link", "download/list/all.txt", "download/mine.txt"]);
        store.remove("download/list/all.txt").unwrap();
        store.remove("download/link").unwrap();
        assert!(store.put("download", b"file").is_err());
        store.remove("download/mine.txt").unwrap();
        store.put("download", b"file").unwrap();
        store.remove("download/list/all.txt").unwrap();
        fs::remove_file(store.at("download")).unwrap();
        fs::create_dir(store.at("download")).unwrap();
        store.put("download", b"file").unwrap();
        store.remove("download").unwrap();
        store.put("download/list.txt", b"list").unwrap();
        store.remove("download").unwrap();
        assert!(store.at("download/list.txt").exists());
    }
}
