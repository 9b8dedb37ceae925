//! Where a site may be published.

use super::Options;
use super::manifest;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Why a mount point is refused: a system call that replaced one in one step does not exist.
pub const MOUNT: &str = "it is a mount point, which cannot be replaced in one step";

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

/// Refuses what is no folder. Gives whether the folder is ours by what lies in it: it holds a manifest, or nothing.
pub fn refuse_foreign(out: &Path) -> Result<bool, &'static str> {
    let Ok(metadata) = fs::symlink_metadata(out) else { return Ok(true) };
    if metadata.file_type().is_symlink() {
        return Err("it is a symbolic link");
    }
    if !metadata.is_dir() {
        return Err("it is a file");
    }
    let parent = out.parent().and_then(|parent| fs::metadata(parent).ok());
    if parent.is_some_and(|parent| device(&parent) != device(&metadata)) {
        return Err(MOUNT);
    }
    let is_empty = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
    Ok(is_empty || manifest::is_ours(out))
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
