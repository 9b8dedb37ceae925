//! Publishing: the finished site is put together beside the output folder and takes its place in one step.
//!
//! 1. The output folder is looked at. One that holds something else than a site of ours is left alone; one that holds
//!    exactly this site is left as it is. Where its manifest is another, so is the site, and only those of its files are
//!    looked at that the new site has too.
//! 2. The new site is staged: a file that has not changed is linked to the published one, so that it keeps its
//!    modification time and tools like `rsync` pass it over. All others are written.
//! 3. The two folders are exchanged in one step, and the old one is kept as the spare.
//!
//! Whatever happens in between, the output folder holds the old site or the new one.
//!
//! # The spare
//!
//! Making ten thousand folders takes longer than all the rest. So the old tree is not removed: it lies in the project's
//! `.sitegen` until the next site is staged in it, which writes only what differs. Its files are hard links to the
//! published ones, so it takes up folders and the few files of the last change. Nothing in it is trusted: a file is
//! kept only if it is the very file (device and inode) that was just read in the output folder and found right, and
//! everything else is removed. So it makes no difference whether a build was killed while it worked in there. No file
//! is ever written in place, since whoever moved or copied the output may share it through a link.
//!
//! Where the output lies on another file system than the project there is no spare: the site is staged in a hidden
//! folder beside the output, and the old one is removed.

mod directory;
mod exchange;
mod manifest;
mod place;
mod scan;
mod spare;
mod stage;
mod tree;

pub use manifest::{MANIFEST, Manifest};
pub use scan::{Difference, differences};

use crate::artifacts::{Artifacts, Content};
use crate::diagnostics::{Diagnostic, Problem};
use crate::paths::OutputPath;
use crate::sources::digest;
use rayon::prelude::*;
use scan::{Scan, State};
use spare::Staging;
use stage::Stage;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::{Tree, Wanted};

/// How to publish.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The project's folder. Neither it nor its sources are ever replaced, and its `.sitegen` holds the spare.
    pub project: Option<PathBuf>,
    /// The home folder of whoever builds, which is never replaced.
    pub home: Option<PathBuf>,
    /// Leaves `manifest.json` out. What is needed to know the folder again is then kept in the project's `.sitegen`.
    pub no_manifest: bool,
    /// Set while a build is being stopped: publishing then gives up, cleans up, and changes nothing.
    pub stop: Arc<AtomicBool>,
    /// Works as on systems that cannot exchange two folders in one step: two renames follow each other. For tests.
    pub only_rename: bool,
}

/// What came of publishing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The output folder holds the site.
    Published(Published),
    /// These files were to be kept, and are missing or damaged in the output folder. Nothing was changed; the site must
    /// be made again with the bytes of all of them.
    Lacking(Vec<OutputPath>),
}

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

/// Why nothing was published.
enum Failure {
    Told(Diagnostic),
    System(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::System(error)
    }
}

/// Publishes a site to the folder `out`.
pub fn publish(artifacts: &Artifacts, out: &Path, options: &Options) -> Result<Outcome, Diagnostic> {
    attempt(artifacts.contents().collect(), out, options).map_err(|failure| match failure {
        Failure::Told(diagnostic) => diagnostic,
        Failure::System(error) => {
            let (path, detail) = (out.display().to_string(), error.to_string());
            Diagnostic::failure(Problem::Io { action: "publish to", path, detail })
        }
    })
}

fn attempt(contents: Vec<(&OutputPath, Content)>, named: &Path, options: &Options) -> Result<Outcome, Failure> {
    let refused = |reason| {
        Failure::Told(Diagnostic::failure(Problem::ForeignOutput { path: named.display().to_string(), reason }))
    };
    let out = place::absolute(named)?;
    place::refuse(&out, options).map_err(refused)?;
    let parent = out.parent().unwrap_or(&out);
    if let Some(file) = parent.ancestors().find(|above| above.is_file()) {
        let name = file.file_name().unwrap_or(file.as_os_str());
        let detail = format!("`{}` is a file, and a folder cannot lie in it", name.display());
        return Err(Failure::System(io::Error::new(io::ErrorKind::NotADirectory, detail)));
    }
    fs::create_dir_all(parent)?;

    // Held until the end: a second build waits, and what it finds left over is nobody's.
    let _lock = locked(parent)?;
    exchange::recover(&out)?;

    // 1. what is there
    let (owned, wanted) = rayon::join(|| place::refuse_foreign(&out), || wanted(contents, options));
    let owned = owned.map_err(refused)?;
    let (tree, mut published) =
        wanted.map_err(|path| Failure::Told(Diagnostic::failure(Problem::DuplicateOutput { path, other: None })))?;
    let is_replaced = owned && !options.no_manifest && manifest::is_another(&out, &tree);
    let files_alone = if is_replaced { Scan::of_files(&out, &tree)? } else { None };
    let scan = match files_alone {
        Some(scan) => scan,
        None => Scan::of(&out, &tree)?,
    };
    let records = spare::Records::of(options.project.as_deref(), &out);
    if !owned && !records.as_ref().is_some_and(|records| records.names_all(scan.found(&tree))) {
        return Err(refused("it holds files that sitegen did not make"));
    }
    scan.mend_modes();
    let lacking: Vec<OutputPath> = tree
        .files
        .iter()
        .zip(&scan.states)
        .filter(|(file, state)| file.bytes.is_none() && !state.is_same())
        .map(|(file, _)| OutputPath::new(&file.path))
        .collect();
    if !lacking.is_empty() {
        return Ok(Outcome::Lacking(lacking));
    }
    let is_changed = |(file, state): &(&Wanted, &State)| file.path != MANIFEST && !state.is_same();
    published.changed = tree.files.iter().zip(&scan.states).filter(is_changed).count();
    if scan.is_exact() {
        return Ok(Outcome::Published(published));
    }

    // 2. and 3. the new site, and its place
    if options.no_manifest
        && let Some(records) = &records
    {
        records.write(&tree, &scan)?;
    }
    let stage = Stage { tree: &tree, states: &scan.states, out: &out, stop: &options.stop };
    let mut last = io::ErrorKind::NotFound.into();
    for staging in Staging::choices(records.as_ref(), &out) {
        match staging.fill(&stage).and_then(|()| exchange::exchange(staging.path(), &out, options.only_rename)) {
            Ok(()) => {
                staging.finish();
                if let Some(records) = &records {
                    records.settle(&tree, options.no_manifest);
                }
                return Ok(Outcome::Published(published));
            }
            // Whatever is wrong with the spare, a folder beside the output may do.
            Err(error) => last = error,
        }
        staging.discard();
        is_stopped(&options.stop)?;
    }
    match last.kind() {
        // A mount of the same file system looks like any folder until it is to be moved.
        io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices => Err(refused(place::MOUNT)),
        _ => Err(last.into()),
    }
}

/// The files of the site with their digests, of which those that are not known are made in parallel, and the manifest.
/// One that takes the place of another is given back instead.
fn wanted(contents: Vec<(&OutputPath, Content)>, options: &Options) -> Result<(Tree, Published), String> {
    let mut wanted: Vec<Wanted> = contents
        .into_par_iter()
        .map(|(path, content)| match content {
            Content::Kept { digest, fingerprint, len } => {
                let fingerprint = Some(fingerprint);
                Wanted { path: path.to_string(), digest, fingerprint, len: Some(len), bytes: None }
            }
            Content::Bytes { bytes, digest: known } => {
                let (digest, len) = (known.unwrap_or_else(|| digest(&bytes)), bytes.len() as u64);
                Wanted { path: path.to_string(), digest, fingerprint: None, len: Some(len), bytes: Some(bytes) }
            }
        })
        .collect();
    let bytes = wanted.iter().filter_map(|file| file.len).sum();
    let published = Published { files: wanted.len(), changed: 0, bytes };
    if !options.no_manifest {
        let at = wanted.partition_point(|file| file.path.as_str() < MANIFEST);
        if wanted.get(at).is_some_and(|file| file.path == MANIFEST) {
            return Err(MANIFEST.to_owned());
        }
        let text = manifest::text(wanted.iter().map(|file| (file.path.as_str(), file.digest)));
        wanted.insert(at, Wanted::of(MANIFEST, Arc::from(text.into_bytes())));
    }
    Ok((Tree::of(wanted)?, published))
}

/// Locks a folder. File systems without locks, such as some of a network, have no second build to fear either.
fn locked(folder: &Path) -> io::Result<fs::File> {
    let file = fs::File::open(folder)?;
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}

fn is_stopped(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) { Err(io::Error::other("it was stopped")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;
    use crate::sources::fingerprint;
    use std::collections::BTreeMap;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    fn site(files: &[(&str, &str)]) -> Artifacts {
        Artifacts::from_files(files.iter().map(|(path, text)| (*path, text.as_bytes())))
    }

    /// Files of a folder and what is in them, without the manifest.
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

    /// A project, and the ways in which it can publish: with a spare, without, and with renames only.
    fn ways(project: &Path) -> [Options; 3] {
        let with_spare = Options { project: Some(project.to_path_buf()), ..Options::default() };
        let only_rename = Options { only_rename: true, ..with_spare.clone() };
        [with_spare, Options::default(), only_rename]
    }

    fn published(artifacts: &Artifacts, out: &Path, options: &Options) -> Published {
        match publish(artifacts, out, options).unwrap() {
            Outcome::Published(published) => published,
            lacking => panic!("{lacking:?}"),
        }
    }

    #[test]
    fn stale_files_go_and_unchanged_ones_keep_their_time() {
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
                assert_eq!(differences(&out, &Manifest::of(&out).unwrap()).unwrap(), []);
                let found = fs::metadata(out.join("a.html")).unwrap();
                let found = (found.mtime(), found.mtime_nsec(), found.ino());
                assert_eq!(*first.get_or_insert(found), found, "round {round}");
                let folders =
                    walkdir::WalkDir::new(&out).into_iter().flatten().filter(|entry| entry.file_type().is_dir());
                let needed = ["b", "b/d", "g", "g/h", "g/h/i", "b/c.html"]
                    .iter()
                    .filter(|folder| files_of_site.iter().any(|(path, _)| path.starts_with(&format!("{folder}/"))));
                assert_eq!(folders.count(), 1 + needed.count(), "an empty folder stayed in round {round}");
            }
            let beside: Vec<_> =
                fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
            assert!(beside.iter().all(|name| name == "dist" || name == ".sitegen"), "{beside:?}");
        }
    }

    #[test]
    fn what_has_not_changed_is_left_as_it_is() {
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
    fn a_damaged_output_is_mended() {
        let folder = tempfile::tempdir().unwrap();
        for options in ways(folder.path()) {
            let out = folder.path().join("dist");
            let pages = [("a.html", "aaaa"), ("b/c.html", "cccc"), ("d.html", "dddd")];
            let others = [("a.html", "aaaa"), ("b/c.html", "cccc"), ("d.html", "DDDD")];
            type Damage = fn(&Path);
            let damages: [Damage; 9] = [
                // Of the same length and with the same time, in the file that the spare has too.
                |out| fs::write(out.join("a.html"), "AAAA").unwrap(),
                |out| fs::remove_file(out.join("a.html")).unwrap(),
                |out| fs::remove_dir_all(out.join("b")).unwrap(),
                |out| fs::write(out.join("b/new.html"), "x").unwrap(),
                |out| fs::create_dir_all(out.join("empty/folder")).unwrap(),
                |out| fs::write(out.join(MANIFEST), "{\"generator\": \"sitegen\", \"files\": {}}").unwrap(),
                |out| {
                    fs::remove_file(out.join("a.html")).unwrap();
                    std::os::unix::fs::symlink("d.html", out.join("a.html")).unwrap();
                },
                |out| fs::set_permissions(out.join("b"), fs::Permissions::from_mode(0o700)).unwrap(),
                // The very bytes, in a folder of somebody's.
                |out| {
                    fs::rename(out.join("b"), out.with_file_name("theirs")).unwrap();
                    std::os::unix::fs::symlink("../theirs", out.join("b")).unwrap();
                },
            ];
            published(&site(&pages), &out, &options);
            // So that there is a spare.
            published(&site(&pages[..2]), &out, &options);
            published(&site(&pages), &out, &options);
            // Mended by the same site and by another.
            let sites = |index| if index % 2 == 0 { [pages, others] } else { [others, pages] };
            let damages = damages.iter().enumerate();
            for (index, damage, next) in damages.flat_map(|(index, each)| sites(index).map(|next| (index, each, next)))
            {
                damage(&out);
                published(&site(&next), &out, &options);
                assert_eq!(files(&out), expected(&next), "damage {index}");
                assert_eq!(differences(&out, &Manifest::of(&out).unwrap()).unwrap(), []);
                let walk = walkdir::WalkDir::new(&out).into_iter().flatten();
                assert!(walk.filter(|entry| entry.depth() > 0).all(|entry| {
                    let mode = entry.metadata().unwrap().mode() & 0o7777;
                    mode == if entry.file_type().is_dir() { 0o755 } else { 0o644 }
                }));
                let theirs = folder.path().join("theirs");
                if theirs.exists() {
                    fs::write(theirs.join("c.html"), "theirs").unwrap();
                    assert_eq!(files(&out), expected(&next), "damage {index}: a file is shared with somebody");
                    fs::remove_dir_all(theirs).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_damaged_or_foreign_spare_is_never_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let options = &ways(folder.path())[0];
        let out = folder.path().join("dist");
        let [old, new] = [[("a.html", "aaaa"), ("b/c.html", "cccc")], [("a.html", "aaaa"), ("b/c.html", "CCCC")]];
        published(&site(&old), &out, options);
        published(&site(&new), &out, options);
        let outputs = fs::read_dir(folder.path().join(".sitegen/outputs")).unwrap().next().unwrap().unwrap().path();
        let spare = outputs.join("spare");
        assert_eq!(files(&spare), expected(&old));
        type Damage = fn(&Path);
        let damages: [Damage; 9] = [
            |spare| fs::write(spare.join("extra.html"), "x").unwrap(),
            |spare| fs::remove_dir_all(spare.join("b")).unwrap(),
            |spare| fs::remove_dir_all(spare).unwrap(),
            |spare| {
                fs::remove_dir_all(spare).unwrap();
                fs::write(spare, "x").unwrap();
            },
            |spare| {
                fs::remove_dir_all(spare).unwrap();
                std::os::unix::fs::symlink("/etc", spare).unwrap();
            },
            |spare| {
                // Equal bytes in another file are not the file that was read.
                fs::remove_file(spare.join("a.html")).unwrap();
                fs::write(spare.join("a.html"), "bbbb").unwrap();
            },
            |spare| {
                fs::remove_file(spare.join("a.html")).unwrap();
                fs::create_dir_all(spare.join("a.html/b/c")).unwrap();
            },
            |spare| {
                fs::remove_dir_all(spare.join("b")).unwrap();
                std::os::unix::fs::symlink("/etc", spare.join("b")).unwrap();
            },
            // A build that was killed while it worked in there.
            |spare| fs::write(spare.join("b/half.html"), "").unwrap(),
        ];
        for (index, damage) in damages.iter().enumerate() {
            let pages = if index % 2 == 0 { old } else { new };
            damage(&spare);
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
    fn what_is_not_ours_is_left_alone() {
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
    fn a_folder_without_a_manifest_is_known_again() {
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
        assert!(Manifest::of(&out).is_some());
        published(&site(&pages[0]), &out, without);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
        // Somebody else's folder in the same place.
        fs::write(out.join("photo.jpg"), "x").unwrap();
        let refused = publish(&site(&pages[0]), &out, without).unwrap_err();
        assert_eq!(code(&refused.problem), "foreign-output");
        assert!(out.join("photo.jpg").exists());
        // A site's own manifest.json and ours cannot both be there.
        let refused = publish(&site(&pages[1]), &folder.path().join("other"), with).unwrap_err();
        assert_eq!(code(&refused.problem), "duplicate-output");
    }

    #[test]
    fn kept_files_that_are_not_there_are_asked_for() {
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
                let contents = files_of_site.iter().map(|(path, content)| (path, content.clone()));
                attempt(contents.collect(), &out, &options).unwrap_or_else(|_| panic!("it failed"))
            };
            assert_eq!(attempt(), Outcome::Published(Published { files: 2, changed: 1, bytes: 8 }));
            assert_eq!(files(&out), expected(&[("a.html", "AAAA"), ("b/c.html", "cccc")]));
            fs::write(out.join("b/c.html"), "dddd").unwrap();
            let before = files(&out);
            assert_eq!(attempt(), Outcome::Lacking(vec![OutputPath::new("b/c.html")]));
            assert_eq!(files(&out), before);
        }
    }

    #[test]
    fn leavings_of_killed_builds_are_cleared_and_a_site_between_two_renames_is_brought_back() {
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
    fn a_build_that_is_stopped_changes_nothing() {
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
