//! What a deploy needs of the place that it deploys to.

use sitegen_core::sources::Digest;
pub use sitegen_storage::Failure;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A change of one file of a target. Each is done completely or not at all, and may be done twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sends a file of the output folder, in place of what may be there.
    Put {
        /// The path, the same on both sides.
        path: String,
        /// The digest that the file must have.
        digest: Digest,
    },
    /// Copies a file within the target, in place of what may be there.
    Copy {
        /// The file that is there.
        from: String,
        /// The new file.
        to: String,
    },
    /// Deletes a file, if it is there.
    Remove {
        /// The path.
        path: String,
    },
}

impl Step {
    /// Returns the path of the file that is changed.
    pub fn path(&self) -> &str {
        match self {
            Step::Put { path, .. } | Step::Remove { path } | Step::Copy { to: path, .. } => path,
        }
    }
}

/// What a running deploy reports and is asked while it changes files.
pub struct Control<'a> {
    /// Set when the deploy must change nothing more.
    pub stop: &'a AtomicBool,
    /// Called after each step.
    pub done: &'a (dyn Fn(&Step) + Sync),
}

impl Control<'_> {
    /// Fails if the deploy must change nothing more.
    pub fn check(&self) -> Result<(), Failure> {
        if self.stop.load(Ordering::SeqCst) { Err(Failure::new("it was stopped")) } else { Ok(()) }
    }
}

/// A place that a site is deployed to. Paths have `/` and are relative to its root. Its methods may be called from two threads.
pub trait Store: Sync {
    /// Returns the names of the files that are directly in a folder. A missing folder has none.
    fn names(&self, folder: &str) -> Result<Vec<String>, Failure>;

    /// Returns the bytes of a small file, if it is there.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure>;

    /// Writes a small file, in place of what may be there.
    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure>;

    /// Writes a small file if there is none. Returns whether there was none: of several that try at the same time, one gets `true`.
    fn create(&self, path: &str, bytes: &[u8]) -> Result<bool, Failure>;

    /// Whether a file cannot be beside a folder with its name.
    fn has_folders(&self) -> bool {
        true
    }

    /// Returns which of these files are there, with their digests if the target knows them. If there is a folder instead, it returns
    /// what is in that.
    fn look(&self, paths: &[&str]) -> Result<BTreeMap<String, Option<Digest>>, Failure>;

    /// Makes changes, in any order or at the same time. Fails with the first that fails for good; others may be done then.
    fn run(&self, steps: &[Step], control: &Control) -> Result<(), Failure>;
}
