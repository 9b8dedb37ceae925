//! A folder of this machine as a target.

use super::record::FOLDER;
use super::store::{Control, Failure, Step, Store};
use sitegen_core::sources::{Digest, digest};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder. Files are written to a temporary one and renamed, so that each is complete at every moment.
pub struct FolderStore {
    root: PathBuf,
    /// The output folder.
    output: PathBuf,
    next: AtomicU64,
}

impl FolderStore {
    /// Deploys files of `output` to the folder `root`, which is created if it is missing.
    pub fn new(root: PathBuf, output: PathBuf) -> Self {
        FolderStore { root, output, next: AtomicU64::new(0) }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns the path of a file that is not there yet, in a folder that is.
    fn temporary(&self) -> io::Result<PathBuf> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let hidden = self.root.join(FOLDER);
        if number == 0 {
            fs::create_dir_all(hidden.join("tmp"))?;
            // A web server of another user has no business in there.
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let _ = fs::set_permissions(&hidden, fs::Permissions::from_mode(0o700));
            }
        }
        Ok(hidden.join("tmp").join(format!("{}-{number}", std::process::id())))
    }

    /// Creates a temporary file with these bytes, and the folder of the file that it will be.
    fn written(&self, path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = self.temporary()?;
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(temporary)
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let to = self.at(path);
        let put = self.written(&to, bytes).and_then(|temporary| fs::rename(temporary, &to));
        put.map_err(|error| cannot("write", &to, &error))
    }

    fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let (from, to) = (self.at(from), self.at(to));
        let copied = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
            let temporary = self.temporary()?;
            // A link takes no space: a file is replaced, and never written to.
            if fs::hard_link(&from, &temporary).is_err() {
                fs::copy(&from, &temporary)?;
            }
            fs::rename(&temporary, &to)?;
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
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot("delete", &file, &error)),
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
}

fn cannot(action: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot {action} {}: {error}", path.display()))
}

/// Reads a file of the output folder, which must have a digest.
pub fn read_output(output: &Path, path: &str, wanted: &Digest) -> Result<Vec<u8>, Failure> {
    let file = output.join(path);
    let bytes = fs::read(&file).map_err(|error| cannot("read", &file, &error))?;
    if digest(&bytes) == *wanted { Ok(bytes) } else { Err(changed(&file)) }
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
        let created = self.written(&to, bytes).and_then(|temporary| {
            let linked = fs::hard_link(&temporary, &to);
            fs::remove_file(&temporary)?;
            linked
        });
        match created {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            // A file system without links: the file may be cut off, if the machine stops just now.
            Err(_) => match fs::File::create_new(&to).and_then(|mut file| file.write_all(bytes)) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(cannot("write", &to, &error)),
            },
        }
    }

    fn look(&self, paths: &[&str]) -> Result<BTreeMap<String, Option<Digest>>, Failure> {
        let mut seen = BTreeMap::new();
        for path in paths {
            if fs::symlink_metadata(self.at(path)).is_ok() {
                seen.insert((*path).to_owned(), fs::read(self.at(path)).ok().map(|bytes| digest(&bytes)));
            }
        }
        Ok(seen)
    }

    fn run(&self, steps: &[Step], control: &Control) -> Result<(), Failure> {
        for step in steps {
            control.check()?;
            match step {
                Step::Put { path, digest } => self.put(path, &read_output(&self.output, path, digest)?)?,
                Step::Copy { from, to } => self.copy(from, to)?,
                Step::Remove { path } => self.remove(path)?,
            }
            (control.done)(step);
        }
        Ok(())
    }
}
