//! Where a site may be published.

use super::{InPlace, Options};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// What lies at the top of an output folder and is nobody's to remove: the repository of a worktree or a clone, and what
/// ext4 puts at the top of a disk.
pub const KEPT: [&str; 2] = [".git", "lost+found"];

/// Folders of a project that hold what sites are made of.
const SOURCES: [&str; 7] = ["content", "templates", "islands", "src", "node_modules", ".git", ".sitegen"];

/// The path with every link and `..` resolved, but for its last part: the folder itself may not be a link.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(Component::Normal(name))) => Ok(resolve(parent).join(name)),
        _ => Ok(resolve(&path)),
    }
}

/// The longest part of a path that exists is resolved by the system, the rest by its letters.
fn resolve(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(Component::ParentDir)) => {
            let mut parent = resolve(parent);
            parent.pop();
            parent
        }
        (Some(parent), Some(last)) => resolve(parent).join(last),
        _ => path.to_path_buf(),
    }
}

/// Why a folder can never be one to publish to, whatever lies in it.
pub fn refuse(out: &Path, options: &Options) -> Result<(), &'static str> {
    if out.parent().is_none() {
        return Err("it is the root of the file system");
    }
    let holds =
        |inner: &Option<PathBuf>| inner.as_ref().map(|inner| resolve(inner)).filter(|inner| inner.starts_with(out));
    match holds(&options.home) {
        Some(home) if home == out => return Err("it is your home folder"),
        Some(_) => return Err("your home folder lies in it"),
        None => {}
    }
    match holds(&options.project) {
        Some(project) if project == out => return Err("it is the project itself"),
        Some(_) => return Err("the project lies in it"),
        None => {}
    }
    let Some(project) = &options.project else { return Ok(()) };
    // A link such as `content` to a folder shared with others leads to sources too.
    let near = SOURCES.iter().any(|name| {
        let [written, real] = [resolve(project).join(name), resolve(&project.join(name))];
        [written, real].iter().any(|sources| out.starts_with(sources) || sources.starts_with(out))
    });
    if near { Err("it belongs to the project's sources") } else { Ok(()) }
}

/// Refuses what is no folder. What is not there may become one.
pub fn refuse_kind(out: &Path) -> Result<(), &'static str> {
    match fs::symlink_metadata(out) {
        Ok(found) if found.file_type().is_symlink() => Err("it is a symbolic link"),
        Ok(found) if !found.is_dir() => Err("it is a file"),
        _ => Ok(()),
    }
}

/// Whether nothing lies in a folder but what is [kept](KEPT). One that is not there is empty.
pub fn is_empty(out: &Path) -> bool {
    let is_kept = |name: std::ffi::OsString| KEPT.iter().any(|kept| name == *kept);
    match fs::read_dir(out) {
        Ok(mut entries) => entries.all(|entry| entry.is_ok_and(|entry| is_kept(entry.file_name()))),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Why a folder that is there is better published to in place, as far as the folder itself shows it.
pub fn stays(out: &Path) -> Option<InPlace> {
    if fs::symlink_metadata(out.join(KEPT[0])).is_ok() {
        return Some(InPlace::Repository);
    }
    // What systems put at the top of a disk is found at mount points alone.
    let is_top = KEPT.iter().any(|kept| fs::symlink_metadata(out.join(kept)).is_ok());
    if is_top || is_mount_point(out) {
        return Some(InPlace::MountPoint);
    }
    is_of_lower_layer(out).then_some(InPlace::Immovable)
}

/// Whether a folder lies in a lower layer of an overlay file system, from which nothing is moved. To stage for it would
/// copy every file that has not changed into the upper layer, since each is linked.
///
/// The file system is asked by a move that fails in any case, because what would be replaced is not empty: it says first
/// whether the folder can be moved at all.
fn is_of_lower_layer(out: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        /// statfs(2)
        const OVERLAY: u64 = 0x794c_7630;
        if !rustix::fs::statfs(out).is_ok_and(|found| found.f_type as u64 == OVERLAY) {
            return false;
        }
        let target = super::previous::sibling(out, &std::process::id().to_string());
        let made = fs::create_dir(&target).and_then(|()| fs::create_dir(target.join("full")));
        match made.and_then(|()| fs::rename(out, &target)) {
            // Against all rules.
            Ok(()) => fs::rename(&target, out).is_err(),
            Err(error) => {
                let _ = fs::remove_dir_all(target);
                error.kind() == io::ErrorKind::CrossesDevices
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = out;
        false
    }
}

/// Whether a file system is mounted at a folder. A mount of the same file system (a bind mount) has the number of the
/// folder above: it is known by an attribute that Linux has had since 5.8.
fn is_mount_point(out: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        let asked = statx(CWD, out, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
        if asked.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)) {
            return true;
        }
    }
    let number = |folder: &Path| fs::metadata(folder).ok().and_then(|found| device(&found));
    out.parent().and_then(number) != number(out)
}

/// The number of the file system, where it has one.
pub fn device(metadata: &fs::Metadata) -> Option<u64> {
    super::scan::identity(metadata).map(|(device, _)| device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_somebody_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap().join("home");
        let project = home.join("project");
        fs::create_dir_all(project.join("content")).unwrap();
        fs::create_dir_all(home.join("shared")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(home.join("shared"), project.join("templates")).unwrap();
        let options = Options { project: Some(project.clone()), home: Some(home.clone()), ..Options::default() };
        let said = |out: &Path| refuse(&absolute(out).unwrap(), &options).err();
        for (out, reason) in [
            (PathBuf::from("/"), Some("it is the root of the file system")),
            (home.clone(), Some("it is your home folder")),
            (folder.path().to_path_buf(), Some("your home folder lies in it")),
            (project.clone(), Some("it is the project itself")),
            (project.join("content/../nowhere/.."), Some("it is the project itself")),
            (project.join("content"), Some("it belongs to the project's sources")),
            (project.join("content/public/deep/down"), Some("it belongs to the project's sources")),
            (project.join("templates/x"), Some("it belongs to the project's sources")),
            (home.join("shared/x"), Some("it belongs to the project's sources")),
            (project.join("dist"), None),
            (project.join("content-of-old"), None),
            (home.join("site"), None),
        ] {
            assert_eq!(said(&out), reason, "{}", out.display());
        }
        let options = Options { project: Some(project.clone()), ..Options::default() };
        assert_eq!(refuse(&home, &options), Err("the project lies in it"));
    }
}
