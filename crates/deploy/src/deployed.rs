//! What deploys have left in a folder beside the files of its site: for `sitegen verify`, which reads such a folder later.

use super::folder::FolderStore;
use super::record::{Base, FOLDER, Files, files_of, manifest_file, manifest_name};
use super::store::Store as _;
use sitegen_core::sources::large;
use sitegen_publish::manifest::read_digest;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that sites were deployed to.
pub struct DeployedFolder {
    root: PathBuf,
    /// The files of the sites that the last deploy knows.
    sites: Vec<Files>,
}

impl DeployedFolder {
    /// Reads what the last deploy to a folder says. `None` if there is none that can be read: then nothing in the folder is of deploys.
    pub fn read(root: &Path) -> Option<Self> {
        let store = FolderStore::new(root.to_path_buf(), root.to_path_buf());
        let base = Base::read(&store).ok().filter(|base| base.last.is_some())?;
        let site = |name: &&String| {
            let text = store.read(&manifest_file(name)).ok().flatten()?;
            files_of(&text).ok().filter(|_| manifest_name(&text) == **name)
        };
        let sites = base.manifests().iter().filter_map(site).collect();
        Some(DeployedFolder { root: root.to_path_buf(), sites })
    }

    /// Returns the manifest of the site that the last complete deploy has put there.
    pub fn manifest(root: &Path) -> Option<PathBuf> {
        let store = FolderStore::new(root.to_path_buf(), root.to_path_buf());
        let base = Base::read(&store).ok()?;
        Some(root.join(manifest_file(&base.current?)))
    }

    /// Whether a file is one that deploys keep: one that a deploy writes for itself, or one of an earlier site, unchanged, which stays
    /// for visitors who have a page of that site open.
    pub fn keeps(&self, path: &str) -> bool {
        match path.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')) {
            Some(inner) => is_of_deploys(inner),
            None => {
                let mut wanted = self.sites.iter().filter_map(|files| files.get(path)).peekable();
                // Opening a pipe would wait for its writer.
                let file = self.root.join(path);
                let is_file = fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file());
                let there = || large::digest_of(fs::File::open(&file).ok()?).ok();
                wanted.peek().is_some() && is_file && there().is_some_and(|there| wanted.any(|wanted| *wanted == there))
            }
        }
    }
}

/// Whether a deploy writes a file of this name in its folder. See [`record`](super::record).
fn is_of_deploys(inner: &str) -> bool {
    let is_digest = |name: &str| read_digest(name).is_some();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match inner.split_once('/') {
        Some(("files", name)) => is_digest(name),
        Some(("manifests", name)) => name.strip_suffix(".json").is_some_and(is_digest),
        // What was being written when a deploy was killed: two numbers, or what rsync adds to a name.
        Some(("tmp", name)) => match name.strip_prefix('.') {
            Some(name) => name
                .rsplit_once('.')
                .is_some_and(|(_, added)| added.len() == 6 && added.bytes().all(|byte| byte.is_ascii_alphanumeric())),
            None => name.split_once('-').is_some_and(|(deploy, file)| is_number(deploy) && is_number(file)),
        },
        Some(_) => false,
        None => inner
            .split_once('.')
            .is_some_and(|(number, kind)| is_number(number) && ["json", "alive", "done", "clean"].contains(&kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_deploys;

    #[test]
    fn the_names_that_deploys_write_are_known() {
        let digest = "0123456789abcdef".repeat(4);
        for inner in ["12.json", "1.alive", "1.done", "1.clean", "tmp/3022-0", "tmp/.index.html.aB3xYz"] {
            assert!(is_of_deploys(inner), "{inner}");
        }
        assert!(is_of_deploys(&format!("files/{digest}")) && is_of_deploys(&format!("manifests/{digest}.json")));
        for inner in [
            "",
            "12",
            ".json",
            "x.json",
            "1.php",
            "1.json.php",
            "files/x",
            "tmp/x",
            "tmp/1-",
            "tmp/1-2.php",
            "tmp/.shell.php",
            "tmp/a/1-2",
            "manifests/x.json",
            "other/1.json",
        ] {
            assert!(!is_of_deploys(inner), "{inner}");
        }
        assert!(!is_of_deploys(&format!("files/{digest}.php")) && !is_of_deploys(&format!("files/x/{digest}")));
        assert!(!is_of_deploys(&format!("manifests/{digest}")));
    }
}
