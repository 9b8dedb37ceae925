//! Publishing: the finished site is written beside the output folder and put in its place in one step.
//!
//! 1. The output folder is looked at: one that holds something else than a site of ours is left alone.
//! 2. Every file is written to a staging folder beside it. A file that has not changed is linked to the published one,
//!    so that it keeps its modification time and tools like `rsync` pass it over.
//! 3. The two folders are exchanged in one step, and the old one is removed.
//!
//! Whatever happens in between, the output folder holds the old site or the new one.

use crate::artifacts::Artifacts;
use crate::diagnostics::{Diagnostic, Problem};
use crate::sources::digest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Names every file with its SHA-256, and marks the folder as one that may be replaced.
pub const MANIFEST: &str = "manifest.json";
const GENERATOR: &str = "sitegen";

/// What publishing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// Files in the site.
    pub files: usize,
    /// Files whose bytes changed.
    pub changed: usize,
    /// Bytes in the site.
    pub bytes: u64,
}

/// Publishes a site to the folder `out`.
pub fn publish(artifacts: &Artifacts, out: &Path) -> Result<Published, Diagnostic> {
    let failed = |action: &'static str, error: io::Error| {
        let (path, detail) = (out.display().to_string(), error.to_string());
        Diagnostic::failure(Problem::Io { action, path, detail })
    };
    let named = out;
    let out = absolute(named).map_err(|error| failed("find", error))?;
    refuse_foreign(&out, named)?;
    let parent = out.parent().unwrap_or(&out).to_path_buf();
    fs::create_dir_all(&parent).map_err(|error| failed("publish to", error))?;

    // Held until the end: a second build waits, and what it finds left over is nobody's.
    let lock = fs::File::open(&parent).map_err(|error| failed("publish to", error))?;
    lock.lock().map_err(|error| failed("publish to", error))?;
    clear_leavings(&out);

    let staging = beside(&out, &std::process::id().to_string());
    let published = stage(artifacts, &out, &staging).and_then(|published| {
        exchange(&staging, &out)?;
        Ok(published)
    });
    let removed = fs::remove_dir_all(&staging);
    match published {
        Err(error) => Err(failed("publish to", error)),
        Ok(_) if removed.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::NotFound) => {
            // The new site is in place; the next build clears what could not be removed.
            published.map_err(|error| failed("publish to", error))
        }
        Ok(published) => Ok(published),
    }
}

/// Refuses to replace what is not ours.
fn refuse_foreign(out: &Path, named: &Path) -> Result<(), Diagnostic> {
    let refused =
        |reason| Err(Diagnostic::failure(Problem::ForeignOutput { path: named.display().to_string(), reason }));
    let Ok(metadata) = fs::symlink_metadata(out) else { return Ok(()) };
    if metadata.file_type().is_symlink() {
        return refused("it is a symbolic link");
    }
    if !metadata.is_dir() {
        return refused("it is a file");
    }
    let is_empty = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
    let manifest = fs::read(out.join(MANIFEST)).unwrap_or_default();
    let ours = serde_json::from_slice::<serde_json::Value>(&manifest).is_ok_and(|json| json["generator"] == GENERATOR);
    if is_empty || ours { Ok(()) } else { refused("it holds files that sitegen did not make") }
}

fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    // The parent may be reached through links; the folder itself may not be one.
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(parent)), Some(name)) => Ok(parent.join(name)),
        _ => Ok(path),
    }
}

/// `.dist.sitegen-1234` beside `dist`.
fn beside(out: &Path, suffix: &str) -> PathBuf {
    let name = out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!(".{name}.sitegen-{suffix}"))
}

/// Removes what builds that were killed have left. The lock is held, so none of it is in use.
fn clear_leavings(out: &Path) {
    let prefix = beside(out, "");
    let (Some(parent), Some(prefix)) = (out.parent(), prefix.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn stage(artifacts: &Artifacts, out: &Path, staging: &Path) -> io::Result<Published> {
    fs::create_dir(staging)?;
    let mut published = Published::default();
    let mut manifest = serde_json::Map::new();
    for (path, bytes, _) in artifacts.iter() {
        published.bytes += bytes.len() as u64;
        published.files += 1;
        let hash: String = digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        manifest.insert(path.to_string(), hash.into());
        if !place(staging, out, path.as_str(), bytes)? {
            published.changed += 1;
        }
    }
    let manifest = serde_json::json!({ "generator": GENERATOR, "files": manifest });
    place(staging, out, MANIFEST, format!("{manifest:#}\n").as_bytes())?;
    Ok(published)
}

/// Puts a file into the staging folder. Whether the published one could be kept is given back.
fn place(staging: &Path, out: &Path, path: &str, bytes: &[u8]) -> io::Result<bool> {
    let (new, old) = (staging.join(path), out.join(path));
    if let Some(folder) = new.parent() {
        fs::create_dir_all(folder)?;
    }
    let unchanged = fs::symlink_metadata(&old).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64)
        && fs::read(&old).is_ok_and(|known| known == bytes);
    // Where links cannot be made, such as on FAT, the file is written again.
    if unchanged && fs::hard_link(&old, &new).is_ok() {
        return Ok(true);
    }
    fs::write(&new, bytes)?;
    Ok(false)
}

/// Puts the staging folder in the place of the output folder, which ends up where the staging folder was.
fn exchange(staging: &Path, out: &Path) -> io::Result<()> {
    if fs::symlink_metadata(out).is_err() {
        return fs::rename(staging, out);
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, staging, CWD, out, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            // Some file systems, such as older NFS, cannot exchange.
            Err(error) if error == rustix::io::Errno::INVAL || error == rustix::io::Errno::NOSYS => {}
            Err(error) => return Err(error.into()),
        }
    }
    let aside = beside(out, "old");
    fs::rename(out, &aside)?;
    if let Err(error) = fs::rename(staging, out) {
        fs::rename(&aside, out)?;
        return Err(error);
    }
    fs::rename(&aside, staging)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;
    use std::os::unix::fs::MetadataExt;

    fn site(files: &[(&str, &str)]) -> Artifacts {
        Artifacts::from_files(files.iter().map(|(path, text)| (*path, text.as_bytes())))
    }

    fn listed(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = walkdir::WalkDir::new(folder)
            .into_iter()
            .flatten()
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn stale_files_go_and_unchanged_ones_keep_their_time() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        publish(&site(&[("a.html", "a"), ("b/c.html", "c")]), &out).unwrap();
        let before = fs::metadata(out.join("a.html")).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let published = publish(&site(&[("a.html", "a"), ("d.html", "d")]), &out).unwrap();
        assert_eq!((published.files, published.changed), (2, 1));
        assert_eq!(listed(folder.path()), ["dist/a.html", "dist/d.html", "dist/manifest.json"]);
        let after = fs::metadata(out.join("a.html")).unwrap();
        assert_eq!((before.mtime(), before.mtime_nsec()), (after.mtime(), after.mtime_nsec()));
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let foreign = folder.path().join("photos");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("a.jpg"), "x").unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&foreign, &link).unwrap();
        for out in [&foreign, &file, &link] {
            let refused = publish(&site(&[("a.html", "a")]), out).unwrap_err();
            assert_eq!(code(&refused.problem), "foreign-output");
        }
        assert_eq!(listed(&foreign), ["a.jpg"]);
    }

    #[test]
    fn leavings_of_killed_builds_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        let leaving = folder.path().join(".dist.sitegen-99999");
        fs::create_dir(&leaving).unwrap();
        fs::write(leaving.join("half.html"), "x").unwrap();
        publish(&site(&[("a.html", "a")]), &out).unwrap();
        assert!(!leaving.exists() && out.join("a.html").exists());
    }
}
