//! What the file system says of files and folders: who they are, who may read them, and which ones stay.

use sitegen_core::sources;
use std::fs;
use std::io;
use std::path::Path;

/// Names at the top of an output folder that are never removed: the repository of a worktree or a clone, and what ext4
/// creates at the top of a disk.
pub const KEPT: [&str; 2] = [".git", "lost+found"];

/// Whether a file is one that a [system](sources::is_of_system) leaves behind, or in a folder of one. It says nothing of who wrote
/// the folder.
pub fn is_of_system(path: &str) -> bool {
    path.split('/').any(sources::is_of_system)
}

/// The device and inode of a file: as long as a file exists, no other has the same.
pub type Identity = (u64, u64);

/// Returns the number of the file system, where it has one.
pub fn device(metadata: &fs::Metadata) -> Option<u64> {
    identity(metadata).map(|(device, _)| device)
}

/// Returns the device and inode, where they exist.
pub fn identity(metadata: &fs::Metadata) -> Option<Identity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// The mode of published files, whatever the user's umask: a web server that runs as another user must be able to read
/// them.
pub const FILE_MODE: u32 = 0o644;
/// The mode of published folders.
pub const FOLDER_MODE: u32 = 0o755;

/// Returns the mode that a file or folder should have if it has another. Only permissions count, so that a folder can
/// still pass on its group.
pub fn other_mode(metadata: &fs::Metadata, mode: u32) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let current = metadata.permissions().mode();
        (current & 0o777 != mode).then_some(current & 0o7000 | mode)
    }
    #[cfg(not(unix))]
    {
        let _ = (metadata, mode);
        None
    }
}

/// Sets a mode, where modes exist.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, mode);
        Ok(())
    }
}
