//! Decides where a site may be published.

use super::metadata::{KEPT, device, is_of_system};
use super::{InPlace, Options};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Folders of a project that contain sources.
const SOURCES: [&str; 7] = ["content", "templates", "islands", "src", "node_modules", ".git", ".sitegen"];

/// Resolves every link and `..` of a path, but for its last part: the folder itself may not be a link.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(Component::Normal(name))) => Ok(resolve(parent).join(name)),
        _ => Ok(resolve(&path)),
    }
}

/// Resolves every link and `..` of a path. It need not exist.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path).map(|path| resolve(&path))
}

/// Resolves a path: the system resolves the longest part that exists, and the rest follows the text alone.
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

/// Refuses a folder that can never be published to, whatever it contains.
pub fn refuse(out: &Path, options: &Options) -> Result<(), &'static str> {
    if out.parent().is_none() {
        return Err("it is the root of the file system");
    }
    let contains =
        |inner: &Option<PathBuf>| inner.as_ref().map(|inner| resolve(inner)).filter(|inner| inner.starts_with(out));
    match contains(&options.home) {
        Some(home) if home == out => return Err("it is your home folder"),
        Some(_) => return Err("your home folder is in it"),
        None => {}
    }
    match contains(&options.project) {
        Some(project) if project == out => return Err("it is the project itself"),
        Some(_) => return Err("the project is in it"),
        None => {}
    }
    let Some(project) = &options.project else { return Ok(()) };
    // A link such as `content` to a folder shared with others leads to sources too.
    let near = SOURCES.iter().any(|name| {
        let [written, real] = [resolve(project).join(name), resolve(&project.join(name))];
        [written, real].iter().any(|sources| out.starts_with(sources) || sources.starts_with(out))
    });
    if near { Err("it overlaps the project's sources") } else { Ok(()) }
}

/// Refuses anything but a folder. A missing one may be created.
pub fn refuse_kind(out: &Path) -> Result<(), &'static str> {
    match fs::symlink_metadata(out) {
        Ok(metadata) if metadata.file_type().is_symlink() => Err("it is a symbolic link"),
        Ok(metadata) if !metadata.is_dir() => Err("it is a file"),
        _ => Ok(()),
    }
}

/// Whether a folder contains nothing but what is [kept](KEPT) and files of systems. A missing one is empty.
pub fn is_empty(out: &Path) -> bool {
    let is_kept =
        |name: std::ffi::OsString| KEPT.iter().any(|kept| name == *kept) || is_of_system(&name.to_string_lossy());
    match fs::read_dir(out) {
        Ok(mut entries) => entries.all(|entry| entry.is_ok_and(|entry| is_kept(entry.file_name()))),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Returns why an existing folder is better published to in place, judged by the folder itself.
pub fn stays(out: &Path) -> Option<InPlace> {
    if fs::symlink_metadata(out.join(KEPT[0])).is_ok() {
        return Some(InPlace::Repository);
    }
    // What a system creates at the top of a disk exists at mount points only.
    let is_top = KEPT.iter().any(|kept| fs::symlink_metadata(out.join(kept)).is_ok());
    if is_top || is_mount_point(out) {
        return Some(InPlace::MountPoint);
    }
    is_of_lower_layer(out).then_some(InPlace::Immovable)
}

/// Whether a folder is in a lower layer of an overlay file system, which cannot be moved. Staging for it would copy
/// every unchanged file into the upper layer, since each is linked.
/// The file system is probed by a move that fails in any case, because the target is not empty: its error first says
/// whether the folder can be moved at all.
fn is_of_lower_layer(out: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        /// statfs(2)
        const OVERLAY: u64 = 0x794c_7630;
        if !rustix::fs::statfs(out).is_ok_and(|status| status.f_type as u64 == OVERLAY) {
            return false;
        }
        let target = super::previous::sibling(out, &std::process::id().to_string());
        let created = fs::create_dir(&target).and_then(|()| fs::create_dir(target.join("full")));
        match created.and_then(|()| fs::rename(out, &target)) {
            // No file system should allow this: undo it.
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
/// folder above; only an attribute shows it, which Linux has had since 5.8.
fn is_mount_point(out: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        let status = statx(CWD, out, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
        if status.is_ok_and(|status| status.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)) {
            return true;
        }
    }
    let number = |folder: &Path| fs::metadata(folder).ok().and_then(|metadata| device(&metadata));
    out.parent().and_then(number) != number(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_other_contents_are_refused() {
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
            (folder.path().to_path_buf(), Some("your home folder is in it")),
            (project.clone(), Some("it is the project itself")),
            (project.join("content/../nowhere/.."), Some("it is the project itself")),
            (project.join("content"), Some("it overlaps the project's sources")),
            (project.join("content/public/deep/down"), Some("it overlaps the project's sources")),
            (project.join("templates/x"), Some("it overlaps the project's sources")),
            (home.join("shared/x"), Some("it overlaps the project's sources")),
            (project.join("dist"), None),
            (project.join("content-of-old"), None),
            (home.join("site"), None),
        ] {
            assert_eq!(said(&out), reason, "{}", out.display());
        }
        let options = Options { project: Some(project.clone()), ..Options::default() };
        assert_eq!(refuse(&home, &options), Err("the project is in it"));
    }
}
