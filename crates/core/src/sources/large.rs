//! Large files that are published unchanged: videos, pictures, archives.
//!
//! They stay on the disk. A build reads them in parts for their digest, and publishing has the system copy them, so
//! memory use does not grow with them. The published bytes are those the digest was made of: the copy is compared.

use super::SourceKind;
use super::{Digest, Fingerprint, Source};
use crate::paths::{PUBLIC, SourcePath};
use sha2::{Digest as _, Sha256};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twox_hash::XxHash3_128;

/// The size in bytes from which a file stays on the disk. Smaller ones are written from memory: a film has thousands of
/// times as many bytes, and a site has hundreds of small pictures, for each of which two saved system calls count.
pub const LARGE: u64 = 256 * 1024;

/// How much is read at a time: what fits into the nearest caches of a processor.
const PART: usize = 128 * 1024;

/// Extensions of files that a build inspects (SVG, pages), or whose compressed size it measures.
const INSPECTED: [&str; 10] = ["svg", "svgz", "htm", "html", "shtml", "xhtml", "xht", "css", "js", "mjs"];

/// Extensions of pictures of `content/assets`.
const PICTURES: [&str; 7] = ["jpg", "jpeg", "jfif", "png", "webp", "gif", "avif"];

/// A file on the disk, with the digest of its content when it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct LargeFile {
    /// Where it is on the disk.
    pub path: PathBuf,
    /// The number of bytes at its beginning that are not part of the content. An entry of the cache has some.
    pub skip: u64,
    /// The number of bytes after these.
    pub len: u64,
    /// Their digest.
    pub digest: Digest,
    /// Their fingerprint, if the file was read.
    pub fingerprint: Option<Fingerprint>,
}

impl LargeFile {
    /// Opens the file at the beginning of the content. Returns an error if its size has changed.
    pub fn open(&self) -> io::Result<File> {
        let mut file = open(&self.path)?;
        if file.metadata()?.len() != self.skip + self.len {
            return Err(self.changed());
        }
        if self.skip > 0 {
            file.seek(SeekFrom::Start(self.skip))?;
        }
        Ok(file)
    }

    /// Returns the content. An error if it is not the one that was digested.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.len as usize);
        self.open()?.read_to_end(&mut bytes)?;
        let is_same = match self.fingerprint {
            Some(expected) => super::fingerprint(&bytes) == expected,
            None => super::digest(&bytes) == self.digest,
        };
        if is_same { Ok(bytes) } else { Err(self.changed()) }
    }

    /// Whether another file has the same content.
    pub fn is_in(&self, file: File) -> io::Result<bool> {
        match self.fingerprint {
            Some(expected) => Ok(fingerprint_of(file)? == expected),
            None => Ok(digest_of(file)? == self.digest),
        }
    }

    /// Returns the error for a file whose content has changed.
    pub fn changed(&self) -> io::Error {
        io::Error::other(format!("`{}` has changed in the meantime; build again", self.path.display()))
    }
}

/// Whether a file may stay on the disk.
pub fn may_stay(path: &SourcePath) -> bool {
    if SourceKind::of(path) == SourceKind::Asset {
        // Pictures are read one at a time, when copies of them are made. A bundler gets the bytes of other assets.
        return path.extension().is_some_and(|ending| PICTURES.contains(&ending.to_ascii_lowercase().as_str()));
    }
    let is_published = path.below(PUBLIC).is_some();
    is_published && !path.extension().is_some_and(|ending| INSPECTED.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Reads a file that may stay on the disk. Returns `None` for a small one.
pub fn read(path: &Path) -> io::Result<Option<Source>> {
    let mut file = open(path)?;
    if file.metadata()?.len() < LARGE {
        return Ok(None);
    }
    let (mut digest, mut fingerprint, mut len) = (Sha256::new(), XxHash3_128::new(), 0);
    parts(&mut file, |part| {
        digest.update(part);
        fingerprint.write(part);
        len += part.len() as u64;
        true
    })?;
    let (digest, fingerprint) = (digest.finalize().into(), Some(fingerprint.finish_128()));
    Ok(Some(Source::of_large(Arc::new(LargeFile { path: path.to_path_buf(), skip: 0, len, digest, fingerprint }))))
}

/// Returns the digest of a file's content.
pub fn digest_of(mut file: File) -> io::Result<Digest> {
    let mut digest = Sha256::new();
    parts(&mut file, |part| {
        digest.update(part);
        true
    })?;
    Ok(digest.finalize().into())
}

/// Returns the fingerprint of a file's content.
pub fn fingerprint_of(mut file: File) -> io::Result<Fingerprint> {
    let mut fingerprint = XxHash3_128::new();
    parts(&mut file, |part| {
        fingerprint.write(part);
        true
    })?;
    Ok(fingerprint.finish_128())
}

/// Whether a file has exactly these bytes.
pub fn equals(mut file: File, bytes: &[u8]) -> io::Result<bool> {
    let mut rest = bytes;
    let mut is_same = true;
    parts(&mut file, |part| {
        is_same = rest.split_at_checked(part.len()).is_some_and(|(next, after)| {
            rest = after;
            next == part
        });
        is_same
    })?;
    Ok(is_same && rest.is_empty())
}

/// Reads a file to its end, or until `take` returns false.
fn parts(file: &mut File, mut take: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    thread_local! {
        static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(PART, 0);
        loop {
            match file.read(buffer) {
                Ok(0) => return Ok(()),
                Ok(count) if take(&buffer[..count]) => {}
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    })
}

fn open(path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    return super::open_no_atime(rustix::fs::CWD, path, rustix::fs::OFlags::empty());
    #[cfg(not(target_os = "linux"))]
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{digest, fingerprint};

    #[test]
    fn reading_in_parts_gives_the_same_digests() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.mp4");
        for length in [0, 1, LARGE as usize - 1, LARGE as usize, LARGE as usize + 1, 3 * PART + 17] {
            let bytes: Vec<u8> = (0..length).map(|at| ((at * at) >> 3) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let read = read(&path).unwrap();
            assert_eq!(read.is_some(), length >= LARGE as usize, "{length}");
            assert_eq!(digest_of(open(&path).unwrap()).unwrap(), digest(&bytes));
            assert_eq!(fingerprint_of(open(&path).unwrap()).unwrap(), fingerprint(&bytes));
            assert!(equals(open(&path).unwrap(), &bytes).unwrap());
            assert!(!equals(open(&path).unwrap(), &[&bytes[..], b"x"].concat()).unwrap());
            if let Some(source) = read {
                let large = source.body.large().unwrap();
                assert_eq!(
                    (large.len, large.digest, large.fingerprint),
                    (length as u64, digest(&bytes), Some(fingerprint(&bytes)))
                );
                let mut other = bytes.clone();
                other[length - 1] ^= 1;
                assert!(
                    !equals(open(&path).unwrap(), &other).unwrap()
                        && !equals(open(&path).unwrap(), &bytes[1..]).unwrap()
                );
                assert!(large.is_in(open(&path).unwrap()).unwrap());
                std::fs::write(&path, &other).unwrap();
                assert!(!large.is_in(large.open().unwrap()).unwrap());
                std::fs::write(&path, &bytes[1..]).unwrap();
                large.open().unwrap_err();
            }
        }
    }

    #[test]
    fn inspected_files_are_read_into_memory() {
        for (path, stays) in [
            ("content/public/film.mp4", true),
            ("content/public/a/data.json", true),
            ("content/public/photo.JPG", true),
            ("content/assets/photo.JPG", true),
            ("content/assets/font.woff2", false),
            ("content/public/page.HTML", false),
            ("content/assets/drawing.svg", false),
            ("content/pages/film.mp4", false),
            ("content/public", false),
        ] {
            assert_eq!(may_stay(&SourcePath::new(path)), stays, "{path}");
        }
    }
}
