//! The folder of a project for what can be made again at any time: whether it can be trusted, and what builds that were
//! killed have left in it.

use crate::diagnostics::{Diagnostic, FileProblem, Place, ToolProblem};
use crate::paths::SourcePath;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use walkdir::WalkDir;

/// Its name in the folder of the project.
pub const SCRATCH: &str = ".sitegen";

/// Refuses a scratch folder that contains anything but folders and files.
///
/// A checkout of somebody else's project may bring one. Through a symbolic link a build would write and delete outside the
/// project, and a pipe would never end. The previous tree of an output and the folders of runs are left out: they are
/// replaced without following links.
pub fn refusal(root: &Path) -> Option<Diagnostic> {
    let is_looked_at = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name == "previous" || entry.depth() == 1 && is_run(&name))
    };
    let entries = WalkDir::new(root.join(SCRATCH)).follow_root_links(false).into_iter().filter_entry(is_looked_at);
    let mut kinds = entries.flatten().map(|entry| (entry.file_type(), entry));
    let (kind, entry) = kinds.find(|(kind, _)| !kind.is_file() && !kind.is_dir())?;
    let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_string_lossy().replace('\\', "/");
    let reason = if kind.is_symlink() { "it is a symbolic link" } else { "it is a pipe, a socket or a device" };
    let problem =
        FileProblem::Unreadable { reason: reason.to_owned(), fix: "remove it: sitegen makes what it needs there" };
    Some(Diagnostic::new(problem, Place::file(&SourcePath::new(path))))
}

/// Reports that the folder cannot be used any more.
pub fn failure(action: &'static str, error: &io::Error) -> Diagnostic {
    let (path, detail) = (SCRATCH.to_owned(), error.to_string());
    Diagnostic::failure(ToolProblem::Io { action, path, detail })
}

/// Clears stale files, unless another build of the project is running: while the file that is given back is open, no
/// other build takes what this one writes for stale.
pub fn clear(scratch: &Path) -> Option<File> {
    // A project that cannot be written to has no stale files either.
    let _ = fs::create_dir(scratch);
    let lock = File::options().create(true).truncate(false).write(true).open(scratch.join("lock")).ok()?;
    if lock.try_lock().is_ok() {
        for (folder, is_stale) in [("", is_left as fn(&str) -> bool), ("cache", is_part)] {
            for entry in fs::read_dir(scratch.join(folder)).into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(is_stale) {
                    let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
                }
            }
        }
    }
    lock.lock_shared().ok()?;
    Some(lock)
}

/// What a build that was killed has left in the scratch folder.
fn is_left(name: &str) -> bool {
    is_run(name) || is_part(name)
}

/// `run-1234-0`, the folder of a run of esbuild. Earlier versions wrote into `out-1234-0` and `entries`.
fn is_run(name: &str) -> bool {
    let numbers = name.strip_prefix("run-").or_else(|| name.strip_prefix("out-"));
    numbers.is_some_and(is_two_numbers) || name == "entries"
}

/// `name.1234-0`, a file that was being written.
fn is_part(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, suffix)| is_two_numbers(suffix))
}

fn is_two_numbers(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(first, second)| is_number(first) && is_number(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_refused_wherever_they_are_used() {
        use std::os::unix::fs::symlink;
        let refused = |path: &str, make: &dyn Fn(&Path)| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            make(&path);
            refusal(folder.path()).map(|refusal| refusal.place.unwrap().path.to_string())
        };
        let link = |path: &Path| symlink("/nowhere", path).unwrap();
        let pipe = |path: &Path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        for path in ["", "/cache", "/cache/ab", "/outputs", "/outputs/12", "/outputs/12/path", "/types/x", "/results"] {
            let path = format!(".sitegen{path}");
            assert_eq!(refused(&path, &link).as_deref(), Some(&*path));
            assert_eq!(refused(&path, &pipe).as_deref(), Some(&*path));
        }
        for path in ["outputs/12/previous/x", "run-1-2/node_modules"] {
            assert_eq!(refused(&format!(".sitegen/{path}"), &link), None, "{path}");
        }
        assert_eq!(refused(".sitegen/cache/x", &|path| fs::write(path, "x").unwrap()), None);
    }

    #[test]
    fn stale_files_are_removed_unless_another_build_runs() {
        let folder = tempfile::tempdir().unwrap();
        let leave = || {
            fs::create_dir_all(folder.path().join("run-12-0")).unwrap();
            fs::create_dir_all(folder.path().join("cache")).unwrap();
            for name in ["cache/abc", "cache/abc.12-3", "results", "results.12-3", "output", "run-x"] {
                fs::write(folder.path().join(name), "x").unwrap();
            }
        };
        let left = || {
            ["run-12-0", "cache/abc", "cache/abc.12-3", "results", "results.12-3", "output", "run-x"]
                .map(|name| folder.path().join(name).exists())
        };
        leave();
        let first = clear(folder.path());
        assert!(first.is_some());
        assert_eq!(left(), [false, true, false, true, false, true, true]);
        leave();
        let second = clear(folder.path());
        assert_eq!(left(), [true; 7]);
        drop((first, second));
        // A program that another test starts has the open files of this process until it runs, and with them the lock.
        let is_cleared = (0..1_000).any(|_| {
            clear(folder.path());
            left() == [false, true, false, true, false, true, true] || {
                std::thread::sleep(std::time::Duration::from_millis(10));
                false
            }
        });
        assert!(is_cleared, "{:?}", left());
    }
}
