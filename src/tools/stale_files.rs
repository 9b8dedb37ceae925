//! What builds that were killed have left in the scratch folder.

use std::fs::{self, File};
use std::path::Path;

/// Clears stale files, unless another build of the project is running: while the file that is given back is open, no
/// other build takes what this one writes for stale.
pub fn clear(scratch: &Path) -> Option<File> {
    // A project that cannot be written to has no stale files either.
    let _ = fs::create_dir(scratch);
    let lock = File::options().create(true).truncate(false).write(true).open(scratch.join("lock")).ok()?;
    if lock.try_lock().is_ok() {
        for (folder, is_stale) in [("", is_run as fn(&str) -> bool), ("cache", is_part)] {
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

    #[test]
    fn stale_files_are_removed_unless_another_build_runs() {
        let folder = tempfile::tempdir().unwrap();
        let leave = || {
            fs::create_dir_all(folder.path().join("run-12-0")).unwrap();
            fs::create_dir_all(folder.path().join("cache")).unwrap();
            for name in ["cache/abc", "cache/abc.12-3", "output", "run-x"] {
                fs::write(folder.path().join(name), "x").unwrap();
            }
        };
        let left = || {
            ["run-12-0", "cache/abc", "cache/abc.12-3", "output", "run-x"].map(|name| folder.path().join(name).exists())
        };
        leave();
        let first = clear(folder.path());
        assert!(first.is_some());
        assert_eq!(left(), [false, true, false, true, true]);
        leave();
        let second = clear(folder.path());
        assert_eq!(left(), [true; 5]);
        drop((first, second));
        clear(folder.path());
        assert_eq!(left(), [false, true, false, true, true]);
    }
}
