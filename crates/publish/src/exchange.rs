//! Exchanges the new site for the old one in one step.

use super::previous::sibling;
use std::fs;
use std::io;
use std::path::Path;

/// Moves the staging folder to the output folder's path, and the output folder to the staging folder's.
///
/// Linux and macOS exchange two folders in one step (`renameat2` with `RENAME_EXCHANGE`, `renameatx_np` with
/// `RENAME_SWAP`). Elsewhere, and on file systems that cannot, such as older NFS, two renames follow each other, and
/// [`recover`] repairs what a build that was killed between them has left.
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
    // The new site is published. If the old one cannot be kept as the previous tree, the next build clears it.
    let _ = fs::rename(&aside, staging);
    Ok(())
}

/// Restores the old site if a build was killed between two renames.
pub fn recover(out: &Path) -> io::Result<()> {
    let aside = sibling(out, "old");
    if fs::symlink_metadata(out).is_err() && aside.is_dir() { fs::rename(aside, out) } else { Ok(()) }
}
