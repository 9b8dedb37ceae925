//! The one step in which a new site takes the place of the old.

use super::previous::sibling;
use std::fs;
use std::io;
use std::path::Path;

/// Puts the staging folder in the place of the output folder, which ends up where the staging folder was.
///
/// Linux and macOS exchange two folders in one step (`renameat2` with `RENAME_EXCHANGE`, `renameatx_np` with
/// `RENAME_SWAP`). Elsewhere, and on file systems that cannot, such as older NFS, two renames follow each other, and
/// [`recover`] mends what a build that was killed between them has left.
pub fn exchange(staging: &Path, out: &Path, only_rename: bool) -> io::Result<()> {
    if fs::symlink_metadata(out).is_err() {
        return fs::rename(staging, out);
    }
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    if !only_rename {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, staging, CWD, out, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let _ = only_rename;
    let aside = sibling(out, "old");
    fs::rename(out, &aside)?;
    if let Err(error) = fs::rename(staging, out) {
        fs::rename(&aside, out)?;
        return Err(error);
    }
    // The new site is in place. An old one that cannot be kept as a spare is cleared by the next build.
    let _ = fs::rename(&aside, staging);
    Ok(())
}

/// Brings back the old site if a build was killed between two renames.
pub fn decode_from_error(out: &Path) -> io::Result<()> {
    let aside = sibling(out, "old");
    if fs::symlink_metadata(out).is_err() && aside.is_dir() { fs::rename(aside, out) } else { Ok(()) }
}
