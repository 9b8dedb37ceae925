//! What a project folder knows of the deploys of its site: the file `.sitegen/deploys.json`.

use super::store::Failure;
use rustix::fs::{FlockOperation, flock};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use serde::{Deserialize, Serialize};
use sitegen_core::tools::write_atomically;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a deploy waits for another one of the same project folder.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);

/// The last deploy to a target that a project folder knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownDeploy {
    /// Its number. 0 if none is known.
    pub deploy: u64,
    /// The id of the last claim that was made from this folder.
    pub claim: String,
    /// The id of a claim that was about to be made from this folder.
    #[serde(default)]
    pub attempt: String,
}

impl KnownDeploy {
    /// Whether a claim was made from this folder.
    pub fn is_own(&self, id: &str) -> bool {
        [&self.claim, &self.attempt].iter().any(|own| *own == id)
    }
}

/// The file, which no other process changes meanwhile.
pub struct KnownDeploys {
    path: PathBuf,
    _lock: File,
}

impl KnownDeploys {
    /// Opens the file of a project. Fails if a deploy from this folder is going on.
    pub fn open(project: &Path) -> Result<Self, Failure> {
        let folder = project.join(".sitegen");
        let path = folder.join("deploys.json");
        let lock = folder.join("deploys.lock");
        let cannot = |error: std::io::Error| Failure::new(format!("cannot write {}: {error}", lock.display()));
        fs::create_dir_all(&folder).map_err(cannot)?;
        let file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(cannot)?;
        // Programs that a deploy starts may go on for a moment after it was killed. They keep the lock.
        fcntl_setfd(&file, FdFlags::empty()).map_err(|error| cannot(error.into()))?;
        let begin = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(KnownDeploys { path, _lock: file }),
                Err(Errno::WOULDBLOCK) if begin.elapsed() < PATIENCE => std::thread::sleep(POLL),
                Err(Errno::WOULDBLOCK) => {
                    return Err(Failure::with_help(
                        "another `sitegen deploy` of this project folder is going on",
                        "wait until it has ended",
                    ));
                }
                Err(error) => return Err(cannot(error.into())),
            }
        }
    }

    /// Returns what is known of a target with any of these names. A file that cannot be read knows nothing.
    pub fn of(&self, names: &[&str]) -> KnownDeploy {
        let mut all = self.all();
        names.iter().find_map(|name| all.remove(*name)).unwrap_or_default()
    }

    /// Notes what is known of a target.
    pub fn set(&self, target: &str, known: KnownDeploy) -> Result<(), Failure> {
        let mut all = self.all();
        all.insert(target.to_owned(), known);
        let text = serde_json::to_vec_pretty(&all).unwrap_or_default();
        write_atomically(&self.path, &text)
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", self.path.display())))
    }

    fn all(&self) -> BTreeMap<String, KnownDeploy> {
        fs::read(&self.path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }
}
