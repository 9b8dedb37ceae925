//! Finds out who uses a folder itself rather than its path: mounts of it elsewhere, and programs that work in it.
//!
//! A container that gets a folder by a bind mount keeps that folder, whatever replaces it at its path. Linux shows the
//! mounts of every process (proc_pid_mountinfo(5)) to everybody, unless `/proc` is mounted with `hidepid`. It shows
//! neither those of other machines, such as the virtual one that Docker Desktop runs in, nor open files of other users.

use std::path::{Path, PathBuf};

/// Mounts and programs that the system shows.
#[derive(Default)]
pub struct Holders {
    /// The mounts that this process sees.
    mounts: Vec<Mount>,
    /// The mounts that other processes see.
    others: Vec<Mount>,
    /// The working directories of programs.
    working: Vec<PathBuf>,
}

/// A line of `mountinfo`.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    /// The number of the file system, such as `8:1`.
    device: Vec<u8>,
    /// Which folder of the file system is mounted.
    root: PathBuf,
    /// The mount point, as the process sees it.
    point: PathBuf,
}

impl Holders {
    /// Returns where a folder, or one in it, is mounted besides its own path.
    pub fn mount_of(&self, folder: &Path) -> Option<&Path> {
        let within = |mount: &&Mount| folder.starts_with(&mount.point);
        // The last of several mounts at one point hides the others.
        let around = self.mounts.iter().filter(within).max_by_key(|mount| mount.point.components().count())?;
        let inner = folder.strip_prefix(&around.point).ok().filter(|inner| inner.components().next().is_some())?;
        let real = around.root.join(inner);
        let is_of_it = |mount: &&Mount| mount.device == around.device && mount.root.starts_with(&real);
        self.mounts.iter().chain(&self.others).find(is_of_it).map(|mount| mount.point.as_path())
    }

    /// Whether a folder, or one in it, is mounted elsewhere, or is a program's working directory.
    pub fn contains(&self, folder: &Path) -> bool {
        self.mount_of(folder).is_some() || self.working.iter().any(|working| working.starts_with(folder))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Holders, Mount};
    use std::collections::HashSet;
    use std::ffi::OsString;
    use std::fs::{self, File};
    use std::io::Read;
    use std::os::unix::ffi::OsStringExt;
    use std::path::{Path, PathBuf};

    /// Enough for the number of the first mount, which differs between all mount namespaces.
    const FIRST: usize = 24;

    impl Holders {
        /// Reads the mounts and programs. A mount namespace that many processes share is read once: of the others only
        /// the first bytes.
        pub fn read() -> Self {
            let own = fs::read("/proc/self/mountinfo").unwrap_or_default();
            let mut seen = HashSet::from([first_number(&own)]);
            let mut holders = Holders { mounts: mounts(&own), ..Holders::default() };
            for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
                if !process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit) {
                    continue;
                }
                let process = process.path();
                holders.working.extend(fs::read_link(process.join("cwd")));
                let Ok(mut file) = File::open(process.join("mountinfo")) else { continue };
                let mut start = [0; FIRST];
                let Ok(length) = file.read(&mut start) else { continue };
                if seen.insert(first_number(&start[..length])) {
                    let mut text = start[..length].to_vec();
                    if file.read_to_end(&mut text).is_ok() {
                        holders.others.extend(mounts(&text));
                    }
                }
            }
            holders
        }
    }

    fn first_number(text: &[u8]) -> Vec<u8> {
        text.iter().copied().take_while(u8::is_ascii_digit).collect()
    }

    fn mounts(text: &[u8]) -> Vec<Mount> {
        text.split(|byte| *byte == b'\n').filter_map(mount).collect()
    }

    /// Parses `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`.
    pub(super) fn mount(line: &[u8]) -> Option<Mount> {
        let mut words = line.split(|byte| *byte == b' ').skip(2);
        let device = words.next()?.to_vec();
        let (root, point) = (path(words.next()?), path(words.next()?));
        Some(Mount { device, root, point })
    }

    /// Decodes a path, in which spaces, tabs, line breaks and backslashes are written as `\040`.
    fn path(word: &[u8]) -> PathBuf {
        let mut bytes = Vec::with_capacity(word.len());
        let mut rest = word;
        while let Some((first, after)) = rest.split_first() {
            let digits = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
            match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| *first == b'\\') {
                Some(byte) => {
                    bytes.push(byte);
                    rest = &after[3..];
                }
                None => {
                    bytes.push(*first);
                    rest = after;
                }
            }
        }
        Path::new(&OsString::from_vec(bytes)).to_path_buf()
    }
}

#[cfg(not(target_os = "linux"))]
impl Holders {
    /// Other systems show nothing.
    pub fn read() -> Self {
        Holders::default()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn mounts(lines: &[&str]) -> Vec<Mount> {
        lines.iter().map(|line| system::mount(line.as_bytes()).unwrap()).collect()
    }

    #[test]
    fn a_folder_that_is_mounted_elsewhere_is_found() {
        let own = mounts(&[
            "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
            "30 22 8:2 /@home /home rw - btrfs /dev/sda2 rw",
            "31 22 8:1 /home/me/my\\040site /srv/mine rw - ext4 /dev/sda1 rw",
        ]);
        let others = mounts(&[
            "90 80 0:50 / / rw - overlay overlay rw",
            "91 90 8:2 /@home/me/site/dist /usr/share/nginx/html ro - btrfs /dev/sda2 rw",
            "92 90 8:2 /@home/me/other/dist/assets /assets ro - btrfs /dev/sda2 rw",
            "93 90 8:2 /@home/me/above /above ro - btrfs /dev/sda2 rw",
            "94 90 8:1 /home/me/third /third ro - ext4 /dev/sda1 rw",
        ]);
        let holders = Holders { mounts: own, others, working: vec![PathBuf::from("/home/me/above/dist/deep")] };
        for (folder, point) in [
            ("/home/me/site/dist", Some("/usr/share/nginx/html")),
            // A folder in it.
            ("/home/me/other/dist", Some("/assets")),
            // The folder above, in which the exchange is seen.
            ("/home/me/above/dist", None),
            // The same path on another file system.
            ("/home/me/third", None),
            ("/home/me/site/dist2", None),
            ("/srv/mine", None),
        ] {
            assert_eq!(holders.mount_of(Path::new(folder)), point.map(Path::new), "{folder}");
        }
        let alone = Holders { others: Vec::new(), ..holders };
        assert!(alone.contains(Path::new("/home/me/above/dist")) && !alone.contains(Path::new("/home/me/above/dist2")));
        let own = Holders { mounts: alone.mounts, ..Holders::default() };
        assert_eq!(own.mount_of(Path::new("/home/me/my site")), None, "another file system lies over that path");
    }

    #[test]
    fn the_system_reports_holders() {
        let holders = Holders::read();
        assert!(holders.mounts.iter().any(|mount| mount.point == Path::new("/")));
        assert!(holders.working.contains(&std::env::current_dir().unwrap()));
    }
}
