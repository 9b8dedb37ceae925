//! Which programs esbuild a build starts.
//!
//! A project may contain packages, and so a program under the name of esbuild. Its lock file proves nothing, since it comes
//! from the same author. `esbuild.txt` lists the programs that the releases of esbuild have; `packaging/esbuild-digests.mjs`
//! writes it.

use crate::sources::Digest;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("esbuild.txt");

/// Longer than every known program; what is longer is not read to its end.
const LONGEST: u64 = 64 << 20;

/// A program that is in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The version of esbuild.
    pub version: &'static str,
    /// The platform, as npm names it in `@esbuild/linux-x64`.
    pub platform: &'static str,
    /// The SHA-256 of the program, in hexadecimal.
    pub digest: &'static str,
}

/// Returns all programs that a build starts.
pub fn all() -> impl Iterator<Item = Known> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut parts = line.split(' ');
        Some(Known { digest: parts.next()?, version: parts.next()?, platform: parts.next()? })
    })
}

/// A copy of a known program, in a folder of its own that is removed with this value. Nobody else writes there, so what is
/// started is what was compared.
pub struct Copied {
    folder: PathBuf,
    program: PathBuf,
}

impl Copied {
    /// Copies a program into a new, empty folder. Returns its digest in hexadecimal if it is not known.
    pub fn of(program: &Path, folder: PathBuf) -> io::Result<Result<Self, String>> {
        // It is started from another folder.
        let folder = std::path::absolute(folder)?;
        let copied = Copied { program: folder.join(program.file_name().unwrap_or_default()), folder };
        let digest = copy(File::open(program)?, &copied.program)?;
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(if all().any(|known| known.digest == digest) { Ok(copied) } else { Err(digest) })
    }

    /// Returns the copy.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

impl Drop for Copied {
    /// What is left over here is cleared by a later build; nothing depends on it.
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Writes an executable file with the bytes that are read, and returns their digest.
fn copy(from: File, to: &Path) -> io::Result<Digest> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o700);
    let mut to = options.open(to)?;
    let (mut digest, mut part, mut from) = (Sha256::new(), vec![0; 1 << 18], from.take(LONGEST));
    loop {
        let count = from.read(&mut part)?;
        if count == 0 {
            return Ok(digest.finalize().into());
        }
        digest.update(&part[..count]);
        to.write_all(&part[..count])?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The packages for these platforms have a script for Node, which runs WebAssembly: see `packaging/esbuild-digests.mjs`.
    const SCRIPTS: [&str; 3] = ["android-arm", "android-x64", "openharmony-arm64"];

    #[test]
    fn every_program_of_the_pinned_version_is_known() {
        let read = |path: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
            serde_json::from_slice::<serde_json::Value>(&std::fs::read(path).unwrap()).unwrap()
        };
        for (lock, manifest) in [
            ("package-lock.json", "package.json"),
            ("examples/starters/company/package-lock.json", "examples/starters/company/package.json"),
        ] {
            let (lock, manifest) = (read(lock), read(manifest));
            let version = manifest["dependencies"]["esbuild"].as_str().unwrap();
            let packages = lock["packages"]["node_modules/esbuild"]["optionalDependencies"].as_object().unwrap();
            let named = packages
                .iter()
                .map(|(name, version)| (name.strip_prefix("@esbuild/").unwrap(), version.as_str().unwrap()));
            let named: BTreeSet<_> = named.filter(|(platform, _)| !SCRIPTS.contains(platform)).collect();
            let known = all().filter(|known| known.version == version);
            let known: BTreeSet<_> = known.map(|known| (known.platform, known.version)).collect();
            assert_eq!(known, named, "run `node packaging/esbuild-digests.mjs`");
            // People copy these lines.
            for text in [
                include_str!("../diagnostics/problem/tool.rs"),
                include_str!("../../../../docs/content/pages/guides/forms.md"),
                include_str!("../../../../docs/content/pages/guides/islands.md"),
            ] {
                assert!(text.contains(&format!("esbuild@{version}")), "{version}");
            }
            assert!(known.len() > 20 && known.contains(&("linux-x64", version)));
        }
    }

    #[test]
    fn the_table_has_digests_and_no_line_twice() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        let known: BTreeSet<_> = all().map(|known| (known.version, known.platform)).collect();
        let digests: BTreeSet<_> = all().map(|known| known.digest).collect();
        assert_eq!((known.len(), digests.len()), (lines, lines));
        let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
        assert!(digests.into_iter().all(is_digest));
        let page = include_str!("../../../../docs/content/pages/explanation/trust.md");
        for (version, _) in known {
            assert!(page.contains(version), "docs/content/pages/explanation/trust.md does not list {version}");
        }
    }

    #[test]
    fn what_is_copied_is_what_was_compared_and_nothing_else_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let (program, folder) = (place.path().join("esbuild"), place.path().join("run"));
        std::fs::write(&program, "not esbuild").unwrap();
        std::fs::create_dir(&folder).unwrap();
        let refused = Copied::of(&program, folder.clone()).unwrap();
        assert_eq!(refused.err().as_deref(), Some("2d61292dc81dddf94f008c907e8abbc5dfce96aa9b9c44ffc8c1844ff5c6c97e"));
        assert!(!folder.exists());
        // A file without end is not read to its end.
        std::fs::create_dir(&folder).unwrap();
        File::create(&program).unwrap().set_len(1 << 40).unwrap();
        assert!(Copied::of(&program, folder).unwrap().is_err());
    }
}
