//! The previous tree, and what a project records of an output folder between two builds.
//!
//! For each output folder the project's `.sitegen/outputs` has a folder, named by a digest of the output's path:
//!
//! - `path`: that path. When it no longer exists, the next build removes the folder.
//! - `previous`: the previous tree, see [publishing](super).
//! - `record.json`: for a site without a manifest the manifest it would have, which identifies its folder.

use super::holders::Holders;
use super::manifest::{hexadecimal, names_in, text};
use super::metadata::device;
use super::scan::Scan;
use super::stage::Stage;
use super::tree::Tree;
use sitegen_core::sources::digest;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const OUTPUTS: &str = ".sitegen/outputs";
const PREVIOUS: &str = "previous";

/// Returns the path of a staging sibling: `.dist.sitegen-1234` beside `dist`.
pub fn sibling(out: &Path, suffix: &str) -> PathBuf {
    let name = out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!(".{name}.sitegen-{suffix}"))
}

/// Removes stale files of killed builds. The lock is held, so none of them is in use.
pub fn clear_stale_files(out: &Path) {
    let prefix = sibling(out, "");
    let (Some(parent), Some(prefix)) = (out.parent(), prefix.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let suffix = name.to_str().and_then(|name| name.strip_prefix(prefix));
        let is_ours = |suffix: &str| suffix == "old" || suffix.bytes().all(|byte| byte.is_ascii_digit());
        if suffix.is_some_and(is_ours) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns the folder in which a project records an output folder.
pub fn folder_of_records(project: &Path, out: &Path) -> io::Result<PathBuf> {
    let name = hexadecimal(&digest(out.as_os_str().as_encoded_bytes())[..8]);
    Ok(project.canonicalize()?.join(OUTPUTS).join(name))
}

/// The name of the record of a site that is published without a manifest.
pub const RECORD: &str = "record.json";

/// What a project records of an output folder.
pub struct Records {
    folder: PathBuf,
    out: PathBuf,
    /// Locked while the folder is in use.
    _lock: fs::File,
}

impl Records {
    /// Opens the records of an output folder. Where they cannot be written there are none, and publishing does without.
    pub fn open(project: Option<&Path>, out: &Path) -> Option<Self> {
        let folder = folder_of_records(project?, out).ok()?;
        fs::create_dir_all(&folder).ok()?;
        // Records are not used through a link, which may lead out of the project.
        folder.canonicalize().ok().filter(|real| *real == folder)?;
        let lock = fs::File::open(&folder).ok()?;
        lock.lock().ok()?;
        let path = out.as_os_str().as_encoded_bytes();
        if fs::read(folder.join("path")).is_ok_and(|recorded| recorded == path)
            || fs::write(folder.join("path"), path).is_ok()
        {
            return Some(Records { folder, out: out.to_path_buf(), _lock: lock });
        }
        None
    }

    /// Whether a site was exchanged for an earlier one here.
    pub fn has_previous(&self) -> bool {
        self.folder.join(PREVIOUS).is_dir()
    }

    /// Returns the paths of the files that our site without a manifest had.
    pub fn names(&self) -> Option<BTreeSet<String>> {
        names_in(&self.folder.join(RECORD))
    }

    /// Records which files the folder has now or is about to have.
    pub fn write(&self, tree: &Tree, scan: &Scan) -> io::Result<()> {
        let files = tree.files.iter().map(|file| (file.path.as_str(), file.digest));
        let extra = scan.extra_files.iter().map(|path| (path.as_str(), [0; 32]));
        self.replace(&text(0, files.chain(extra)))
    }

    /// Cleans up after publishing: removes records of the old site and of missing folders.
    pub fn settle(&self, tree: &Tree, no_manifest: bool) {
        let _ = match no_manifest {
            true => self.replace(&text(0, tree.files.iter().map(|file| (file.path.as_str(), file.digest)))),
            false => fs::remove_file(self.folder.join(RECORD)),
        };
        for entry in self.folder.parent().into_iter().flat_map(fs::read_dir).flatten().flatten() {
            let other = entry.path();
            let Ok(path) = fs::read_to_string(other.join("path")) else { continue };
            let is_free = || fs::File::open(&other).is_ok_and(|lock| lock.try_lock().is_ok());
            if other != self.folder && fs::symlink_metadata(path).is_err() && is_free() {
                let _ = fs::remove_dir_all(other);
            }
        }
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        let part = self.folder.join("record.part");
        fs::write(&part, text)?;
        fs::rename(part, self.folder.join(RECORD))
    }

    /// Returns the previous tree, unless it is on another file system than the output or in use.
    fn previous(&self, holders: &Holders) -> Option<PathBuf> {
        let here = fs::metadata(&self.folder).ok()?;
        let there = fs::metadata(self.out.parent()?).ok()?;
        let previous = self.folder.join(PREVIOUS);
        (device(&here)? == device(&there)? && !holders.contains(&previous)).then_some(previous)
    }
}

/// A folder to stage in.
pub enum Staging {
    /// The previous tree.
    Previous(PathBuf),
    /// A sibling of the output folder.
    Sibling(PathBuf),
}

impl Staging {
    /// Returns where to stage, the best choice first.
    pub fn candidates(records: Option<&Records>, out: &Path, holders: &Holders) -> Vec<Self> {
        let previous = records.and_then(|records| records.previous(holders)).map(Staging::Previous);
        let sibling = Staging::Sibling(sibling(out, &std::process::id().to_string()));
        previous.into_iter().chain([sibling]).collect()
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        match self {
            Staging::Previous(path) | Staging::Sibling(path) => path,
        }
    }

    /// Stages the site. A previous tree that is not a usable folder is replaced by an empty one.
    pub fn fill(&self, stage: &Stage) -> io::Result<()> {
        let Staging::Previous(path) = self else { return stage.fill(self.path()) };
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir()) {
            fs::remove_file(path)?;
        }
        stage.fill(path)
    }

    /// Ends a publication: the old site is now in this folder.
    pub fn finish(&self) {
        if let Staging::Sibling(path) = self {
            // The next build clears what cannot be removed.
            let _ = fs::remove_dir_all(path);
        }
    }

    /// Cleans up after a failure. A full disk needs every byte that was taken.
    pub fn discard(&self) {
        let _ = fs::remove_dir_all(self.path());
    }
}
