//! Publishes a site: stages it in a folder of its own, and then exchanges that folder for the output in one step, or
//! replaces its files one by one where it must.
//!
//! 1. The output folder is compared with the site. One that holds exactly this site is left as it is; one with a file
//!    that no build has written is refused.
//! 2. The method is chosen: by exchange, or in place where a program that serves the folder would keep the old one.
//! 3. By exchange: the new site is staged. An unchanged file is linked to the published one, so that it keeps its
//!    modification time and tools like `rsync` skip it. All others are written. Everything is synced to the disk, and
//!    the two folders are exchanged. The old one is kept as the previous tree. In place: see `in_place`.
//!
//! ```text
//!            a journal exists           nothing differs
//!   build ─┬──────────────► carry it out ─┬──────────► (old = new) ───────────────────────────────► done
//!          └──────────────────────────────┤
//!             no journal                  ├─ a foreign file ─► refused: (old)
//!                                         │
//!                      by exchange        │        in place: mount point, `.git`, in use, requested
//!                   ┌─────────────────────┴─────────────────────┐
//!                   ▼                                           ▼
//!          stage in the previous tree,              stage in .sitegen-publish/
//!          or in a sibling folder                   within the output
//!          (old)                                    (old)
//!                   │ syncfs                                    │ syncfs, journal, syncfs
//!                   ▼                                           ▼
//!          exchange ──── EXDEV, EBUSY, … ──────►    move, replace, remove, as the journal says
//!          (old) to (new) in one step               (mixed: each file old or new)
//!                   │ fsync of both parents                     │ syncfs
//!                   ▼                                           ▼
//!          the old tree is the previous one         .sitegen-publish/ is removed
//!          (new) ─► done                            (new) ─► done
//! ```
//!
//! Parentheses show what the output folder holds if a build is killed there. The next build clears staged files that
//! have no journal.
//!
//! # The previous tree
//!
//! Creating ten thousand folders takes longer than all the rest. So the old tree is not removed: it stays in the
//! project's `.sitegen` until the next site is staged in it, which writes only what differs. Its files are hard links
//! to the published ones, so it takes up folders and the few files of the last change. Nothing in it is trusted: a file
//! is kept only if it is the very file (device and inode) that was just read in the output folder and found right, and
//! everything else is removed. So it makes no difference whether a build was killed while it worked in there. No file
//! is ever written in place, since whoever moved or copied the output may share it through a link.
//!
//! The previous tree is not used while somebody else uses it (`holders`). Where the output is on another file system than
//! the project there is none: the site is staged in a hidden sibling folder, and the old one is removed.

mod directory;
mod disk;
mod exchange;
mod holders;
mod in_place;
pub mod manifest;
mod metadata;
mod output;
mod previous;
mod scan;
mod stage;
mod tree;
mod written;

pub use manifest::Manifest;
pub use output::resolved;
pub use scan::{Difference, differences};
pub use sitegen_core::paths::MANIFEST;

use disk::{Disk, sync_names};
use holders::Holders;
use metadata::is_of_system;
use previous::Staging;
use scan::Scan;
use sitegen_artifacts::{Artifacts, Content};
use sitegen_core::diagnostics::{Diagnostic, FileProblem, ToolProblem};
use sitegen_core::parallel;
use sitegen_core::paths::OutputPath;
use stage::Stage;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::{SiteFile, Tree};
use written::WrittenFiles;

/// How many foreign files an error lists.
const LISTED: usize = 5;

/// How to publish.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The project's folder. Neither it nor its sources are ever replaced, and its `.sitegen` has the previous tree.
    pub project: Option<PathBuf>,
    /// The home folder of the user, which is never replaced.
    pub home: Option<PathBuf>,
    /// Leaves out `manifest.json`. The record that identifies the folder is then kept in the project's `.sitegen`.
    pub no_manifest: bool,
    /// Publishes in place even where the folder could be exchanged.
    pub in_place: bool,
    /// Set to stop a build: publishing then gives up, cleans up, and changes nothing.
    pub stop: Arc<AtomicBool>,
    /// Works as on systems that cannot exchange two folders in one step: with two renames. For tests.
    pub only_rename: bool,
}

/// The result of publishing.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The output folder has the site.
    Published(Published),
    /// These files should have been in the output folder, and are missing or damaged. Nothing was changed; the site
    /// must be built again with the bytes of all of them.
    Lacking(Vec<OutputPath>),
    /// Publishing in place has begun and failed midway. The next build completes it.
    Begun(Diagnostic),
}

/// Resolves every link and `..` of the path of a folder that something else than a build writes to, and says why it can never be:
/// it is a file or a link, or it overlaps the project's sources or the user's home.
pub fn checked_folder(folder: &Path, options: &Options) -> Result<PathBuf, String> {
    let folder = output::absolute(folder).map_err(|error| error.to_string())?;
    output::refuse(&folder, options).and_then(|()| output::refuse_kind(&folder))?;
    Ok(folder)
}

/// What publishing did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// Files in the site.
    pub files: usize,
    /// Files whose bytes changed.
    pub changed: usize,
    /// Bytes in the site.
    pub bytes: u64,
    /// Why files were replaced one by one, if they were.
    pub in_place: Option<InPlace>,
}

/// Why a site is published in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// The user asked for it.
    Requested,
    /// The output folder contains `.git`.
    Repository,
    /// The output folder is a mount point.
    MountPoint,
    /// The output folder, or one in it, is also mounted here.
    MountedAt(PathBuf),
    /// The system does not allow exchanging the output folder.
    Immovable,
}

/// Why nothing was published.
enum PublishError {
    Reported(Diagnostic),
    System(io::Error),
}

impl PublishError {
    /// Refuses a folder that another program uses. Of the files that no build has written, some are listed.
    fn foreign(out: &Path, reason: &'static str, mut files: Vec<String>) -> Self {
        let more = files.len().saturating_sub(LISTED);
        files.truncate(LISTED);
        let path = out.display().to_string();
        PublishError::Reported(Diagnostic::failure(ToolProblem::ForeignOutput { path, reason, files, more }))
    }
}

impl From<io::Error> for PublishError {
    fn from(error: io::Error) -> Self {
        PublishError::System(error)
    }
}

/// Publishes a site to the folder `out`.
pub fn publish(artifacts: &Artifacts, out: &Path, options: &Options) -> Result<Outcome, Diagnostic> {
    attempt(artifacts, out, options).map_err(|error| match error {
        PublishError::Reported(diagnostic) => diagnostic,
        PublishError::System(error) => failed(out, &error),
    })
}

/// Returns why a site cannot be published to any folder, judged by the site alone.
pub fn refusal(artifacts: &Artifacts, no_manifest: bool) -> Option<Diagnostic> {
    let options = Options { no_manifest, ..Options::default() };
    let path = site_tree(artifacts, &options).err()?;
    Some(Diagnostic::failure(FileProblem::DuplicateOutput { path, other: None }))
}

/// Completes a publication in place that was killed. Returns whether there was one. [`publish`] does the same first,
/// and reports what goes wrong.
pub fn complete(out: &Path, options: &Options) -> bool {
    let complete = || -> io::Result<bool> {
        let out = output::absolute(out)?;
        let is_ours = output::refuse(&out, options).and_then(|()| output::refuse_kind(&out)).is_ok();
        if !is_ours || !in_place::is_begun(&out) {
            return Ok(false);
        }
        let _locks = (locked(out.parent().unwrap_or(&out))?, locked_output(&out)?);
        in_place::recover(&out)
    };
    complete().unwrap_or(false)
}

fn failed(out: &Path, error: &io::Error) -> Diagnostic {
    let (path, detail) = (out.display().to_string(), error.to_string());
    Diagnostic::failure(ToolProblem::Io { action: "publish to", path, detail })
}

fn attempt(artifacts: &Artifacts, written: &Path, options: &Options) -> Result<Outcome, PublishError> {
    let refused = |reason| PublishError::foreign(written, reason, Vec::new());
    let out = output::absolute(written)?;
    output::refuse(&out, options).map_err(refused)?;
    let parent = out.parent().unwrap_or(&out);
    create_parent(parent)?;

    // Held until the end: a second build waits, and any stale files it sees are unused. The output itself is locked
    // too: where it is mounted, a build that reaches it by another path sees another parent.
    let _lock = locked(parent)?;
    exchange::recover(&out)?;
    output::refuse_kind(&out).map_err(refused)?;
    let _lock_of_output = locked_output(&out)?;
    in_place::recover(&out)?;

    // 1. compare
    let (tree, mut published) = site_tree(artifacts, options).map_err(|path| {
        let is_manifest = options.no_manifest && path == MANIFEST;
        let other = is_manifest.then(|| "the manifest of a build, as which later builds would take it".to_owned());
        PublishError::Reported(Diagnostic::failure(FileProblem::DuplicateOutput { path, other }))
    })?;
    let records = previous::Records::open(options.project.as_deref(), &out);
    let is_there = fs::symlink_metadata(&out).is_ok();
    let stays = if is_there { output::stays(&out) } else { None };
    let is_exchanged = stays.is_none() && !options.in_place && !options.no_manifest;
    let (scan, earlier) = scan_output(&out, &tree, records.as_ref(), is_exchanged)?;
    let foreign = earlier.foreign(&tree, &scan);
    if !foreign.is_empty() {
        return Err(PublishError::foreign(
            written,
            earlier.reason(&scan, records.as_ref(), options.no_manifest),
            foreign,
        ));
    }
    scan.repair_modes();
    let compared = || tree.files.iter().zip(&scan.states);
    let lacking = compared().filter(|(file, state)| file.is_kept() && !state.is_same());
    let lacking: Vec<OutputPath> = lacking.map(|(file, _)| OutputPath::new(&file.path)).collect();
    if !lacking.is_empty() {
        return Ok(Outcome::Lacking(lacking));
    }
    published.changed = compared().filter(|(file, state)| file.path != MANIFEST && !state.is_same()).count();
    if scan.is_exact() {
        return Ok(Outcome::Published(published));
    }

    // 2. choose the method
    let holders = if is_there { Holders::read() } else { Holders::default() };
    let held = || holders.mount_of(&out).map(|point| InPlace::MountedAt(point.to_path_buf()));
    let requested = || options.in_place.then_some(InPlace::Requested);
    let stays = if is_there { stays.or_else(held).or_else(requested) } else { None };
    if options.no_manifest
        && let Some(records) = &records
    {
        records.write(&tree, &scan)?;
    }
    previous::clear_stale_files(&out);

    // 3. stage and replace
    published.in_place = match stays {
        Some(reason) => Some(reason),
        None => match put_in_place_of(&tree, &scan, &out, records.as_ref(), &holders, options) {
            Ok(()) => None,
            Err(error) if is_there && is_immovable(&error) => Some(InPlace::Immovable),
            Err(error) => return Err(error.into()),
        },
    };
    if published.in_place.is_some() {
        match in_place::publish(&out, &tree, &scan, &options.stop) {
            Ok(()) => {}
            Err(in_place::InPlaceError::Before(error)) => return Err(error.into()),
            Err(in_place::InPlaceError::Within(error)) => return Ok(Outcome::Begun(failed(written, &error))),
        }
    }
    if let Some(records) = &records {
        records.settle(&tree, options.no_manifest);
    }
    Ok(Outcome::Published(published))
}

/// Creates the folder of the output folder. A file in its path is named in the error.
fn create_parent(parent: &Path) -> io::Result<()> {
    if let Some(file) = parent.ancestors().find(|above| above.is_file()) {
        let name = file.file_name().unwrap_or(file.as_os_str());
        let detail = format!("`{}` is a file, not a folder", name.display());
        return Err(io::Error::new(io::ErrorKind::NotADirectory, detail));
    }
    fs::create_dir_all(parent)
}

/// Compares the output folder with the site, and finds which files in it earlier builds have written. `is_exchanged` tells
/// whether the folder may be exchanged for another.
fn scan_output(
    out: &Path,
    tree: &Tree,
    records: Option<&previous::Records>,
    is_exchanged: bool,
) -> io::Result<(Scan, WrittenFiles)> {
    if WrittenFiles::is_site(out, tree) {
        return Ok((Scan::read(out, tree)?, WrittenFiles::Site));
    }
    let scan = || if is_exchanged { Scan::read_old(out, tree) } else { Scan::read(out, tree) };
    let (scan, earlier) = parallel::join(scan, || WrittenFiles::before(out, records));
    Ok((scan?, earlier))
}

/// Stages the site and exchanges it for what is in the output folder.
fn put_in_place_of(
    tree: &Tree,
    scan: &Scan,
    out: &Path,
    records: Option<&previous::Records>,
    holders: &Holders,
    options: &Options,
) -> io::Result<()> {
    let stage = Stage { tree, states: &scan.states, out, stop: &options.stop };
    let disk = Disk::open(out.parent().unwrap_or(out))?;
    let mut last = io::ErrorKind::NotFound.into();
    for staging in Staging::candidates(records, out, holders) {
        let staged = staging.fill(&stage).and_then(|()| disk.sync());
        match staged.and_then(|()| exchange::exchange(staging.path(), out, options.only_rename)) {
            Ok(()) => {
                // The next build works in the old tree. By then it must be certain which tree is the old one.
                [staging.path(), out].iter().filter_map(|tree| tree.parent()).for_each(sync_names);
                move_back(staging.path(), out, tree, scan)?;
                staging.finish();
                return Ok(());
            }
            // Whatever is wrong with the previous tree, a sibling folder may do.
            Err(error) => last = error,
        }
        staging.discard();
        is_stopped(&options.stop)?;
    }
    Err(last)
}

/// Moves backups of editors, folders of systems, and what another program has written into the output while it was staged, from the old tree into
/// the new one. The next build then names the latter as files that no build wrote.
fn move_back(old: &Path, out: &Path, tree: &Tree, scan: &Scan) -> io::Result<()> {
    if fs::symlink_metadata(old).is_err() {
        return Ok(());
    }
    for path in scan.left(old, tree)? {
        let mut to = out.join(&path);
        // The site has a file there.
        if fs::symlink_metadata(&to).is_ok() {
            to.as_mut_os_string().push(".found");
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        match fs::rename(old.join(&path), to) {
            // The folder of a system may belong to another user, and is made again.
            Err(_) if is_of_system(&path) => {}
            moved => moved?,
        }
    }
    Ok(())
}

/// Whether an exchange failed because of the folder and not of the site: a mount of the same file system looks like any
/// folder until it is moved, a folder of a lower overlay layer cannot be moved
/// (docs.kernel.org/filesystems/overlayfs.html, "renaming directories"), and the parent folder may belong to another
/// user.
fn is_immovable(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), ResourceBusy | CrossesDevices | PermissionDenied | ReadOnlyFilesystem)
}

/// Returns the files that may list what is published in a folder, in order of precedence: its manifest, and the
/// project's record for a site without one.
pub fn manifests(out: &Path, project: Option<&Path>) -> Vec<PathBuf> {
    let record = project.and_then(|project| {
        let folder = previous::folder_of_records(project, &output::absolute(out).ok()?).ok()?;
        Some(folder.join(previous::RECORD))
    });
    [out.join(MANIFEST)].into_iter().chain(record).collect()
}

/// Lists the files of the site with their digests, and the manifest. Missing digests are computed in parallel. Fails
/// with the path of a file that collides with another.
fn site_tree(artifacts: &Artifacts, options: &Options) -> Result<(Tree, Published), String> {
    let mut contents: Vec<Option<(&OutputPath, &Content)>> = artifacts.contents().map(Some).collect();
    let at = contents.partition_point(|file| file.is_some_and(|(path, _)| path.as_str() < MANIFEST));
    let is_taken = contents.get(at).is_some_and(|file| file.is_some_and(|(path, _)| path.as_str() == MANIFEST));
    match options.no_manifest {
        true => {}
        false if is_taken => return Err(MANIFEST.to_owned()),
        // Its place: to move the files of a hundred thousand pages later would take all of their memory once more.
        false => contents.insert(at, None),
    }
    let mut files: Vec<SiteFile> = parallel::map(&contents, |file| {
        let Some((path, content)) = file else { return SiteFile::new(MANIFEST, Arc::default()) };
        let (path, len) = (path.to_string(), Some(content.len()));
        let (digest, fingerprint) = (content.digest(), None);
        let file = SiteFile { path, digest, fingerprint, len, bytes: None, away: None, large: None };
        match content {
            Content::Kept { fingerprint, .. } => SiteFile { fingerprint: Some(*fingerprint), ..file },
            Content::Away { part, fingerprint, .. } => {
                SiteFile { fingerprint: Some(*fingerprint), away: Some(part.clone()), ..file }
            }
            Content::Large(large) => SiteFile { fingerprint: large.fingerprint, large: Some(large.clone()), ..file },
            // Only a server has these, and nothing of it is published.
            Content::Deferred(_) | Content::Index(_) => SiteFile { len: None, ..file },
            Content::Bytes { bytes, .. } => SiteFile { bytes: Some(bytes.clone()), ..file },
        }
    });
    let bytes = files.iter().filter_map(|file| file.len).sum();
    let published = Published { files: artifacts.len(), bytes, ..Published::default() };
    if !options.no_manifest {
        let (before, after) = (&files[..at], &files[at + 1..]);
        let named = before.iter().chain(after).map(|file| (file.path.as_str(), file.digest));
        let text = manifest::text(artifacts.site.suppressed, named);
        files[at] = SiteFile::new(MANIFEST, Arc::from(text.into_bytes()));
    } else if is_taken && files[at].bytes.as_deref().is_some_and(manifest::is_ours) {
        return Err(MANIFEST.to_owned());
    }
    Ok((Tree::build(files)?, published))
}

/// Locks a folder. File systems without locks, such as some network ones, need none: there is no second build.
fn locked(folder: &Path) -> io::Result<fs::File> {
    let file = fs::File::open(folder)?;
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}

/// Locks the output folder, if it exists. After waiting, another folder may be at its path.
fn locked_output(out: &Path) -> io::Result<Option<fs::File>> {
    loop {
        let file = match locked(out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        if metadata::identity(&file.metadata()?) == fs::metadata(out).ok().as_ref().and_then(metadata::identity) {
            return Ok(Some(file));
        }
    }
}

fn is_stopped(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) { Err(io::Error::other("it was stopped")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::{Problem, code};
    use sitegen_core::sources::{LargeFile, digest, fingerprint};
    use std::collections::BTreeMap;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    fn site(files: &[(&str, &str)]) -> Artifacts {
        Artifacts::from_files(files.iter().map(|(path, text)| (*path, text.as_bytes())))
    }

    /// Returns the files of a folder and their content, without the manifest.
    fn files(folder: &Path) -> BTreeMap<String, String> {
        let walk = walkdir::WalkDir::new(folder).into_iter().flatten().filter(|entry| !entry.file_type().is_dir());
        let named = walk.map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            (path, fs::read_to_string(entry.path()).unwrap_or_default())
        });
        named.filter(|(path, _)| !path.ends_with(MANIFEST)).collect()
    }

    fn expected(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
    }

    /// Returns the ways to publish a project: with a previous tree, without, with renames only, and in place.
    fn ways(project: &Path) -> [Options; 4] {
        let with_previous = Options { project: Some(project.to_path_buf()), ..Options::default() };
        let only_rename = Options { only_rename: true, ..with_previous.clone() };
        let in_place = Options { in_place: true, ..with_previous.clone() };
        [with_previous, Options::default(), only_rename, in_place]
    }

    fn published(artifacts: &Artifacts, out: &Path, options: &Options) -> Published {
        match publish(artifacts, out, options).unwrap() {
            Outcome::Published(published) => published,
            lacking => panic!("{lacking:?}"),
        }
    }

    #[test]
    fn stale_files_are_removed_and_unchanged_ones_keep_their_time() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let _ = fs::remove_dir_all(&out);
            let sites = [
                [("a.html", "a"), ("b/c.html", "c"), ("b/d/e.html", "e")].as_slice(),
                &[("a.html", "a"), ("b/d/e.html", "E"), ("f.html", "f")],
                &[("a.html", "a"), ("b/c.html", "c"), ("g/h/i/j", "")],
                &[("a.html", "a"), ("g", "now a file"), ("b/c.html/x", "now a folder")],
                &[("a.html", "a")],
            ];
            let mut first = None;
            for (round, files_of_site) in sites.iter().enumerate() {
                published(&site(files_of_site), &out, &options);
                assert_eq!(files(&out), expected(files_of_site), "round {round}");
                assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
                let status = fs::metadata(out.join("a.html")).unwrap();
                let status = (status.mtime(), status.mtime_nsec(), status.ino());
                assert_eq!(*first.get_or_insert(status), status, "round {round}");
                let folders =
                    walkdir::WalkDir::new(&out).into_iter().flatten().filter(|entry| entry.file_type().is_dir());
                let needed = ["b", "b/d", "g", "g/h", "g/h/i", "b/c.html"]
                    .iter()
                    .filter(|folder| files_of_site.iter().any(|(path, _)| path.starts_with(&format!("{folder}/"))));
                assert_eq!(folders.count(), 1 + needed.count(), "an empty folder stayed in round {round}");
            }
            let sibling: Vec<_> =
                fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
            assert!(sibling.iter().all(|name| name == "dist" || name == ".sitegen"), "{sibling:?}");
        }
    }

    #[test]
    fn what_another_program_wrote_into_the_old_tree_is_moved_into_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        let site = site(&[("a.html", "A"), ("b/c.html", "c"), ("new.html", "n")]);
        let (tree, _) = site_tree(&site, &Options::default()).unwrap();
        for (path, text) in [("a.html", "a"), ("b/c.html", "c"), ("gone/d.html", "d")] {
            fs::create_dir_all(old.join(path).parent().unwrap()).unwrap();
            fs::write(old.join(path), text).unwrap();
        }
        let scan = Scan::read(&old, &tree).unwrap();
        for (path, text) in [("a.html", "A"), ("b/c.html", "c"), ("new.html", "n")] {
            fs::create_dir_all(new.join(path).parent().unwrap()).unwrap();
            fs::write(new.join(path), text).unwrap();
        }
        for path in ["upload.txt", "b/upload.txt", "fresh/upload.txt", "new.html"] {
            fs::create_dir_all(old.join(path).parent().unwrap()).unwrap();
            fs::write(old.join(path), "precious").unwrap();
        }
        move_back(&old, &new, &tree, &scan).unwrap();
        for path in ["upload.txt", "b/upload.txt", "fresh/upload.txt", "new.html.found"] {
            assert_eq!(fs::read_to_string(new.join(path)).unwrap(), "precious", "{path}");
        }
        assert_eq!(fs::read_to_string(new.join("new.html")).unwrap(), "n");
        assert_eq!(files(&old).len(), 3, "{:?}", files(&old));
    }

    #[test]
    fn a_manifest_of_content_says_nothing_of_what_may_be_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        let options = Options { no_manifest: true, ..Options::default() };
        let forged = r#"{"files": {"CNAME": "0"}, "generator": "sitegen"}"#;
        let refused = publish(&site(&[("a.html", "a"), (MANIFEST, forged)]), &out, &options);
        assert!(refused.is_err() && !out.exists());
        published(&site(&[("a.html", "a"), (MANIFEST, r#"{"name": "an app"}"#)]), &out, &options);
    }

    #[test]
    fn a_damaged_manifest_is_named_as_the_cause() {
        use sitegen_core::diagnostics::{label, message};

        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        published(&site(&[("a.html", "a")]), &out, &Options::default());
        let manifest = fs::read_to_string(out.join(MANIFEST)).unwrap();
        let refused = || {
            let refused = publish(&site(&[("a.html", "b")]), &out, &Options::default()).unwrap_err();
            assert_eq!(fs::read_to_string(out.join("a.html")).unwrap(), "a");
            (message(&refused.problem), label(&refused.problem).unwrap())
        };
        for text in [
            "",
            &manifest[..40],
            "{",
            "\0\0",
            r#"{"generator": "sitegen"}"#,
            r#"{"generator": "sitegen", "files": []}"#,
        ] {
            fs::write(out.join(MANIFEST), text).unwrap();
            let (message, label) = refused();
            assert!(
                message.contains("`manifest.json`, which lists what earlier builds wrote, is damaged"),
                "{message}"
            );
            assert!(label.contains("delete the folder"), "{label}");
        }
        for text in ["{}", "[]", r#"{"name": "an app"}"#, "\u{feff}{\"name\": \"an app\"}"] {
            fs::write(out.join(MANIFEST), text).unwrap();
            assert!(refused().0.contains("no earlier build wrote"), "{text}");
        }
        fs::write(out.join(MANIFEST), manifest).unwrap();
        published(&site(&[("a.html", "b")]), &out, &Options::default());
    }

    #[test]
    fn a_missing_manifest_is_named_as_the_cause() {
        use sitegen_core::diagnostics::{label, message};

        let folder = tempfile::tempdir().unwrap();
        for (round, options) in ways(folder.path()).iter().enumerate() {
            let out = folder.path().join(format!("dist-{round}"));
            let old = [("a.html", "a"), ("icon.svg", "i")];
            published(&site(&old), &out, options);
            for text in [None, Some("{}"), Some("null")] {
                let _ = fs::remove_file(out.join(MANIFEST));
                text.into_iter().for_each(|text| fs::write(out.join(MANIFEST), text).unwrap());
                let refused = publish(&site(&[("a.html", "b"), ("icon.svg", "i")]), &out, options).unwrap_err();
                let (message, label) = (message(&refused.problem), label(&refused.problem).unwrap());
                assert!(
                    message.contains("`manifest.json`, which lists what earlier builds wrote, is missing"),
                    "{message}"
                );
                assert!(label.contains("delete the folder if it contains only build output"), "{label}");
                assert_eq!(fs::read_to_string(out.join("a.html")).unwrap(), "a");
            }
        }
    }

    #[test]
    fn folders_of_systems_stay_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let names =
            [".Trashes", "b/@eaDir", "b/.AppleDouble", "$RECYCLE.BIN", "System Volume Information", ".Trash-1000"];
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let _ = fs::remove_dir_all(&out);
            fs::create_dir_all(out.join(".Spotlight-V100/Store")).unwrap();
            for version in ["a", "b", "c", "c"] {
                let site = site(&[("a.html", version), ("b/a.html", "a")]);
                published(&site, &out, &options);
                for name in names {
                    fs::create_dir_all(out.join(name).join("deep")).unwrap();
                    fs::write(out.join(name).join("deep/file"), "x").unwrap();
                }
                assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
                published(&site, &out, &options);
            }
            assert!(names.iter().all(|name| out.join(name).join("deep/file").is_file()));
            assert!(out.join(".Spotlight-V100/Store").is_dir());
            // What the site has of such a name is the site's.
            published(&site(&[("a.html", "a"), ("b/@eaDir/a.html", "a")]), &out, &options);
            assert!(!out.join("b/@eaDir/deep").exists());
        }
    }

    #[test]
    fn files_of_systems_keep_no_site_from_being_published() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let _ = fs::remove_dir_all(&out);
            fs::create_dir(&out).unwrap();
            fs::write(out.join(".DS_Store"), "x").unwrap();
            published(&site(&[("b/a.html", "a")]), &out, &options);
            for name in ["Thumbs.db", "b/desktop.ini", "b/._a.html"] {
                fs::write(out.join(name), "x").unwrap();
            }
            assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
            published(&site(&[("b/a.html", "b")]), &out, &options);
        }
    }

    #[test]
    fn backups_of_editors_stay_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let _ = fs::remove_dir_all(&out);
            published(&site(&[("a.html", "a"), ("b/a.html", "a")]), &out, &options);
            let names = ["a.html~", "b/.a.html.swp", ".#a.html", "#a.html#"];
            names.iter().for_each(|name| fs::write(out.join(name), name).unwrap());
            assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
            // Nothing has to be done for them.
            let before = fs::metadata(&out).unwrap().ino();
            published(&site(&[("a.html", "a"), ("b/a.html", "a")]), &out, &options);
            assert_eq!(fs::metadata(&out).unwrap().ino(), before);
            for version in ["b", "c"] {
                published(&site(&[("a.html", version), ("b/a.html", "a")]), &out, &options);
                names.iter().for_each(|name| assert_eq!(fs::read_to_string(out.join(name)).unwrap(), *name));
            }
            // The site has no folder for it any more.
            let refused = publish(&site(&[("a.html", "c")]), &out, &options).unwrap_err();
            assert!(
                matches!(&*refused.problem, Problem::Tool(ToolProblem::ForeignOutput { files, .. }) if *files == ["b/.a.html.swp"])
            );
        }
    }

    #[test]
    fn an_unchanged_site_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let pages = [("a.html", "a"), ("b/c.html", "c")];
            published(&site(&pages), &out, &options);
            let before = fs::metadata(&out).unwrap().ino();
            let again = published(&site(&pages), &out, &options);
            assert_eq!((again.files, again.changed, again.bytes), (2, 0, 2));
            assert_eq!(fs::metadata(&out).unwrap().ino(), before);
        }
    }

    #[test]
    fn a_damaged_output_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let pages = [("a.html", "aaaa"), ("b/c.html", "cccc"), ("d.html", "dddd")];
            let others = [("a.html", "aaaa"), ("b/c.html", "cccc"), ("d.html", "DDDD")];
            type Damage = fn(&Path);
            let damages: [Damage; 6] = [
                // Of the same length and with the same time, in the file that the previous tree shares.
                |out| fs::write(out.join("a.html"), "AAAA").unwrap(),
                |out| fs::remove_file(out.join("a.html")).unwrap(),
                |out| fs::remove_dir_all(out.join("b")).unwrap(),
                |out| fs::create_dir_all(out.join("empty/folder")).unwrap(),
                |out| {
                    fs::remove_file(out.join("a.html")).unwrap();
                    std::os::unix::fs::symlink("d.html", out.join("a.html")).unwrap();
                },
                |out| fs::set_permissions(out.join("b"), fs::Permissions::from_mode(0o700)).unwrap(),
            ];
            published(&site(&pages), &out, &options);
            // So that there is a previous tree.
            published(&site(&pages[..2]), &out, &options);
            published(&site(&pages), &out, &options);
            // Repaired by the same site and by another.
            let sites = |index| if index % 2 == 0 { [pages, others] } else { [others, pages] };
            let damages = damages.iter().enumerate();
            for (index, damage, next) in damages.flat_map(|(index, each)| sites(index).map(|next| (index, each, next)))
            {
                damage(&out);
                published(&site(&next), &out, &options);
                assert_eq!(files(&out), expected(&next), "damage {index}");
                assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
                let walk = walkdir::WalkDir::new(&out).into_iter().flatten();
                assert!(walk.filter(|entry| entry.depth() > 0).all(|entry| {
                    let mode = entry.metadata().unwrap().mode() & 0o7777;
                    mode == if entry.file_type().is_dir() { 0o755 } else { 0o644 }
                }));
            }
        }
    }

    #[test]
    fn a_file_that_no_build_has_written_is_refused_and_named() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let pages = [("a.html", "aaaa"), ("b/c.html", "cccc"), ("d.html", "dddd")];
            let others = [("a.html", "aaaa"), ("b/c.html", "cccc"), ("d.html", "DDDD"), ("new/e.html", "eeee")];
            type Damage = fn(&Path);
            let damages: [(Damage, &[&str]); 6] = [
                (|out| fs::write(out.join("b/new.html"), "x").unwrap(), &["b/new.html"]),
                (
                    |out| {
                        fs::create_dir_all(out.join("b/deep"))
                            .and_then(|()| fs::write(out.join("b/deep/x"), ""))
                            .unwrap()
                    },
                    &["b/deep/x"],
                ),
                (|out| std::os::unix::fs::symlink("/nowhere", out.join("link")).unwrap(), &["link"]),
                // The very bytes, in a folder of somebody else's.
                (
                    |out| {
                        fs::rename(out.join("b"), out.with_file_name("theirs")).unwrap();
                        std::os::unix::fs::symlink("../theirs", out.join("b")).unwrap();
                    },
                    &["b"],
                ),
                (
                    |out| (0..7).for_each(|number| fs::write(out.join(format!("{number}")), "x").unwrap()),
                    &["0", "1", "2", "3", "4"],
                ),
                // At the path of a file of the other site.
                (
                    |out| {
                        fs::create_dir(out.join("new")).and_then(|()| fs::write(out.join("new/e.html"), "x")).unwrap()
                    },
                    &["new/e.html"],
                ),
            ];
            for (index, (damage, named)) in damages.into_iter().enumerate() {
                for next in [&pages[..], &others] {
                    let _ = fs::remove_dir_all(&out);
                    published(&site(&pages), &out, &options);
                    damage(&out);
                    let before = files(&out);
                    let refused = publish(&site(next), &out, &options).unwrap_err();
                    let Problem::Tool(ToolProblem::ForeignOutput { files: listed, more, .. }) = *refused.problem else {
                        panic!("{refused:?}")
                    };
                    assert_eq!(
                        (listed.as_slice(), more),
                        (
                            named.iter().map(|path| path.to_string()).collect::<Vec<_>>().as_slice(),
                            if index == 4 { 2 } else { 0 }
                        )
                    );
                    assert_eq!(files(&out), before, "damage {index}");
                    let _ = fs::remove_dir_all(folder.path().join("theirs"));
                }
            }
        }
    }

    #[test]
    fn a_manifest_that_names_nothing_makes_every_other_file_foreign() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let [old, new] = [[("a.html", "aaaa"), ("d.html", "dddd")], [("a.html", "aaaa"), ("d.html", "DDDD")]];
            published(&site(&old), &out, &options);
            fs::write(out.join(MANIFEST), "{\"generator\": \"sitegen\", \"files\": {}}").unwrap();
            let refused = publish(&site(&new), &out, &options).unwrap_err();
            assert_eq!(code(&refused.problem), "foreign-output");
            assert_eq!(files(&out), expected(&old));
            // The same site only has to replace the manifest.
            published(&site(&old), &out, &options);
            published(&site(&new), &out, &options);
            assert_eq!(files(&out), expected(&new));
        }
    }

    #[test]
    fn a_repository_in_the_output_is_never_touched() {
        let folder = tempfile::tempdir().unwrap();
        for (round, options) in ways(folder.path()).iter().enumerate() {
            for is_worktree in [false, true] {
                let out = folder.path().join(format!("dist-{round}-{is_worktree}"));
                let (git, head) = (out.join(".git"), out.join(".git/HEAD"));
                let file = if is_worktree { git.clone() } else { head };
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, "ref: refs/heads/gh-pages\n").unwrap();
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
                let number = fs::metadata(&out).unwrap().ino();
                let pages = [[("a.html", "a"), ("b/c.html", "c")], [("a.html", "A"), ("d.html", "d")]];
                for next in [pages[0], pages[1], pages[0], pages[0]] {
                    let done = published(&site(&next), &out, options);
                    assert_eq!(done.in_place.is_some(), done.changed > 0);
                    assert!(done.in_place.is_none_or(|reason| reason == InPlace::Repository));
                    assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
                    assert!(next.iter().all(|(path, text)| fs::read_to_string(out.join(path)).unwrap() == *text));
                    assert_eq!(fs::read_to_string(&file).unwrap(), "ref: refs/heads/gh-pages\n");
                    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
                    assert_eq!(fs::metadata(&out).unwrap().ino(), number);
                }
                // A site with such a file of its own cannot overwrite it either.
                let own = if is_worktree { ".git" } else { ".git/HEAD" };
                let refused = publish(&site(&[("a.html", "a"), (own, "ours")]), &out, options).unwrap_err();
                assert_eq!(code(&refused.problem), "foreign-output");
                assert_eq!(fs::read_to_string(&file).unwrap(), "ref: refs/heads/gh-pages\n");
            }
        }
    }

    #[test]
    fn a_previous_tree_in_use_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let options = &ways(folder.path())[0];
        let out = folder.path().join("dist");
        let pages = |text| [("a.html", "same"), ("b/c.html", text)];
        published(&site(&pages("0")), &out, options);
        published(&site(&pages("1")), &out, options);
        let outputs = fs::read_dir(folder.path().join(".sitegen/outputs")).unwrap().next().unwrap().unwrap().path();
        let previous = outputs.join("previous");
        let mut program =
            std::process::Command::new("sleep").arg("600").current_dir(previous.join("b")).spawn().unwrap();
        for text in ["2", "3", "4"] {
            published(&site(&pages(text)), &out, options);
            assert_eq!((files(&out), files(&previous)), (expected(&pages(text)), expected(&pages("0"))));
        }
        program.kill().unwrap();
        program.wait().unwrap();
        published(&site(&pages("5")), &out, options);
        assert_eq!((files(&out), files(&previous)), (expected(&pages("5")), expected(&pages("4"))));
    }

    #[test]
    fn a_damaged_or_foreign_previous_tree_is_never_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let options = &ways(folder.path())[0];
        let out = folder.path().join("dist");
        let [old, new] = [[("a.html", "aaaa"), ("b/c.html", "cccc")], [("a.html", "aaaa"), ("b/c.html", "CCCC")]];
        published(&site(&old), &out, options);
        published(&site(&new), &out, options);
        let outputs = fs::read_dir(folder.path().join(".sitegen/outputs")).unwrap().next().unwrap().unwrap().path();
        let previous = outputs.join("previous");
        assert_eq!(files(&previous), expected(&old));
        type Damage = fn(&Path);
        let damages: [Damage; 9] = [
            |previous| fs::write(previous.join("extra.html"), "x").unwrap(),
            |previous| fs::remove_dir_all(previous.join("b")).unwrap(),
            |previous| fs::remove_dir_all(previous).unwrap(),
            |previous| {
                fs::remove_dir_all(previous).unwrap();
                fs::write(previous, "x").unwrap();
            },
            |previous| {
                fs::remove_dir_all(previous).unwrap();
                std::os::unix::fs::symlink("/etc", previous).unwrap();
            },
            |previous| {
                // Equal bytes in another file are not the file that was read.
                fs::remove_file(previous.join("a.html")).unwrap();
                fs::write(previous.join("a.html"), "bbbb").unwrap();
            },
            |previous| {
                fs::remove_file(previous.join("a.html")).unwrap();
                fs::create_dir_all(previous.join("a.html/b/c")).unwrap();
            },
            |previous| {
                fs::remove_dir_all(previous.join("b")).unwrap();
                std::os::unix::fs::symlink("/etc", previous.join("b")).unwrap();
            },
            // A build that was killed while it staged in there.
            |previous| fs::write(previous.join("b/half.html"), "").unwrap(),
        ];
        for (index, damage) in damages.iter().enumerate() {
            let pages = if index % 2 == 0 { old } else { new };
            damage(&previous);
            published(&site(&pages), &out, options);
            assert_eq!(files(&out), expected(&pages), "damage {index}");
            assert!(Path::new("/etc/passwd").exists());
        }
    }

    #[test]
    fn a_copy_or_a_moved_output_never_changes_with_the_next_site() {
        let folder = tempfile::tempdir().unwrap();
        let options = &ways(folder.path())[0];
        let (out, kept) = (folder.path().join("dist"), folder.path().join("kept"));
        let [old, new] = [[("a.html", "a"), ("b/c.html", "old")], [("a.html", "a"), ("b/c.html", "new")]];
        published(&site(&old), &out, options);
        published(&site(&new), &out, options);
        fs::rename(&out, &kept).unwrap();
        for pages in [old, new, old, new] {
            published(&site(&pages), &out, options);
            assert_eq!((files(&out), files(&kept)), (expected(&pages), expected(&new)));
        }
    }

    #[test]
    fn foreign_folders_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let foreign = folder.path().join("photos");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("a.jpg"), "x").unwrap();
        fs::set_permissions(foreign.join("a.jpg"), fs::Permissions::from_mode(0o600)).unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&foreign, &link).unwrap();
        // A web app's manifest is not ours.
        let app = folder.path().join("app");
        fs::create_dir(&app).unwrap();
        fs::write(app.join(MANIFEST), "{\"name\": \"app\"}").unwrap();
        for options in ways(&folder.path().join("project")) {
            for out in [&foreign, &file, &link, &app] {
                let refused = publish(&site(&[("a.jpg", "x")]), out, &options).unwrap_err();
                assert_eq!(code(&refused.problem), "foreign-output");
            }
        }
        assert_eq!(files(&foreign), expected(&[("a.jpg", "x")]));
        assert_eq!(fs::metadata(foreign.join("a.jpg")).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_folder_without_a_manifest_is_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let with = &ways(folder.path())[0];
        let without = &Options { no_manifest: true, ..with.clone() };
        let out = folder.path().join("dist");
        let pages = [[("a.html", "a"), ("b.html", "b")], [("a.html", "A"), ("manifest.json", "{}")]];
        for round in 0..3 {
            published(&site(&pages[round % 2]), &out, without);
            assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
        }
        published(&site(&[("a.html", "A")]), &out, with);
        assert!(Manifest::in_folder(&out).is_some());
        published(&site(&pages[0]), &out, without);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
        // Somebody else's folder at the same path.
        fs::write(out.join("photo.jpg"), "x").unwrap();
        let refused = publish(&site(&pages[0]), &out, without).unwrap_err();
        assert_eq!(code(&refused.problem), "foreign-output");
        assert!(out.join("photo.jpg").exists());
        // A site's own manifest.json and ours cannot both be published.
        let refused = publish(&site(&pages[1]), &folder.path().join("other"), with).unwrap_err();
        assert_eq!(code(&refused.problem), "duplicate-output");
    }

    #[test]
    fn missing_kept_files_are_requested() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let _ = fs::remove_dir_all(&out);
            let pages = [("a.html", "aaaa"), ("b/c.html", "cccc")];
            published(&site(&pages), &out, &options);
            let kept: Vec<(OutputPath, Content)> = pages
                .iter()
                .map(|(path, text)| {
                    let (digest, fingerprint) = (digest(text.as_bytes()), fingerprint(text.as_bytes()));
                    (OutputPath::new(path), Content::Kept { digest, fingerprint, len: 4 })
                })
                .collect();
            let written = |text: &str| Content::Bytes { bytes: Arc::from(text.as_bytes()), digest: None };
            let mut files_of_site = kept.clone();
            files_of_site[0].1 = written("AAAA");
            let attempt = || {
                let contents = files_of_site.iter().map(|(path, content)| (path.clone(), content.clone()));
                attempt(&Artifacts::new(contents), &out, &options).unwrap_or_else(|_| panic!("it failed"))
            };
            let in_place = options.in_place.then_some(InPlace::Requested);
            assert_eq!(attempt(), Outcome::Published(Published { files: 2, changed: 1, bytes: 8, in_place }));
            assert_eq!(files(&out), expected(&[("a.html", "AAAA"), ("b/c.html", "cccc")]));
            fs::write(out.join("b/c.html"), "dddd").unwrap();
            let before = files(&out);
            assert_eq!(attempt(), Outcome::Lacking(vec![OutputPath::new("b/c.html")]));
            assert_eq!(files(&out), before);
        }
    }

    #[test]
    fn a_large_file_is_published_only_if_it_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.mp4");
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let _ = fs::remove_dir_all(&out);
            let read = |text: &[u8]| {
                fs::write(&path, text).unwrap();
                let (digest, fingerprint, len) = (digest(text), Some(fingerprint(text)), text.len() as u64);
                Content::Large(Arc::new(LargeFile { path: path.clone(), skip: 0, len, digest, fingerprint }))
            };
            let film = vec![7; 3 << 20];
            let attempt =
                |content: Content| attempt(&Artifacts::new([(OutputPath::new("film.mp4"), content)]), &out, &options);
            let is_changed = |content: Content, changed: usize| {
                let Ok(Outcome::Published(done)) = attempt(content) else { panic!("it failed") };
                assert_eq!((done.files, done.changed, done.bytes), (1, changed, film.len() as u64));
            };
            is_changed(read(&film), 1);
            is_changed(read(&film), 0);
            let mut other = film.clone();
            other[2 << 20] = 8;
            let content = read(&other);
            for changed in [&film[..], &film[1..], &[]] {
                fs::write(&path, changed).unwrap();
                let Err(PublishError::System(error)) = attempt(content.clone()) else { panic!("it was published") };
                assert!(error.to_string().contains("has changed"), "{error}");
                assert!(fs::read(out.join("film.mp4")).unwrap() == film);
                assert_eq!(differences(&out, &Manifest::in_folder(&out).unwrap()).unwrap(), []);
            }
            is_changed(read(&other), 1);
            assert!(fs::read(out.join("film.mp4")).unwrap() == other);
            assert_eq!(fs::metadata(out.join("film.mp4")).unwrap().mode() & 0o777, 0o644);
        }
    }

    #[test]
    fn stale_files_are_removed_and_a_site_between_two_renames_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        for options in ways(folder.path()) {
            published(&site(&[("a.html", "a")]), &out, &options);
            fs::rename(&out, folder.path().join(".dist.sitegen-old")).unwrap();
            let leaving = folder.path().join(".dist.sitegen-99999");
            fs::create_dir(&leaving).unwrap();
            fs::write(leaving.join("half.html"), "x").unwrap();
            let notes = folder.path().join(".dist.sitegen-notes");
            fs::write(&notes, "mine").unwrap();
            assert_eq!(published(&site(&[("a.html", "a")]), &out, &options).changed, 0);
            published(&site(&[("a.html", "b")]), &out, &options);
            assert!(!leaving.exists() && notes.exists());
            assert_eq!(files(&out), expected(&[("a.html", "b")]));
        }
    }

    #[test]
    fn a_stopped_build_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            published(&site(&[("a.html", "a")]), &out, &options);
            options.stop.store(true, Ordering::Relaxed);
            publish(&site(&[("a.html", "b")]), &out, &options).unwrap_err();
            assert_eq!(files(&out), expected(&[("a.html", "a")]));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
    }
}
