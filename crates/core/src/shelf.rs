//! Bytes that a later stage of the same build needs again: in memory up to a budget, and in a file beyond it.
//!
//! A build renders every page before it checks one against the others, and checks all before it publishes one. What is between
//! two stages grows with the number of pages, whatever it is: documents, HTML, facts, finished pages. Each of these has a
//! [`Shelf`]. A small site never fills one and touches no file. What does not fit is written to a file without a name in the
//! scratch folder, which the system removes when the shelf and everything on it is dropped, also if the process is killed.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The bytes that one shelf keeps in memory: the HTML of some thousands of pages.
const BUDGET: usize = 16 << 20;

/// See the module. The default one keeps everything in memory.
#[derive(Debug, Default)]
pub struct Shelf {
    /// Where the file is created.
    folder: Option<PathBuf>,
    /// What is left of the budget.
    left: AtomicUsize,
    /// Created when it is first needed. `None` if it cannot be created.
    file: OnceLock<Option<Arc<File>>>,
    /// Where the next bytes begin in it.
    end: AtomicU64,
}

/// Bytes in a file: all of it or a part.
#[derive(Clone, Debug)]
pub struct FilePart {
    file: Arc<File>,
    at: u64,
    len: u64,
}

/// Bytes that were put on a shelf.
#[derive(Clone, Debug)]
pub enum Stored {
    /// In memory.
    Here(Arc<[u8]>),
    /// In the file of the shelf.
    Away(FilePart),
}

impl Shelf {
    /// Creates a shelf whose file is in a folder. The folder is created with the file.
    pub fn in_folder(folder: PathBuf) -> Self {
        Shelf { folder: Some(folder), left: AtomicUsize::new(BUDGET), ..Shelf::default() }
    }

    /// Whether something of this size may stay in memory, and takes that from the budget.
    pub fn has_room(&self, size: usize) -> bool {
        let taken = || self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        self.folder.is_none() || taken().is_ok()
    }

    /// Writes bytes to the file. `None` if that fails, such as on a full disk: then they have to stay in memory.
    pub fn write(&self, bytes: &[u8]) -> Option<FilePart> {
        let create = || {
            let folder = self.folder.as_ref()?;
            std::fs::create_dir_all(folder).ok()?;
            tempfile::tempfile_in(folder).ok().map(Arc::new)
        };
        let file = self.file.get_or_init(create).clone()?;
        let len = bytes.len() as u64;
        let at = self.end.fetch_add(len, Ordering::Relaxed);
        write_all_at(&file, bytes, at).ok()?;
        Some(FilePart { file, at, len })
    }

    /// Stores bytes where there is room.
    pub fn put(&self, bytes: Arc<[u8]>) -> Stored {
        if self.has_room(bytes.len()) {
            return Stored::Here(bytes);
        }
        self.write(&bytes).map_or(Stored::Here(bytes), Stored::Away)
    }
}

impl Stored {
    /// Returns the bytes.
    pub fn bytes(&self) -> io::Result<Arc<[u8]>> {
        match self {
            Stored::Here(bytes) => Ok(bytes.clone()),
            Stored::Away(part) => part.read().map(Arc::from),
        }
    }
}

impl FilePart {
    /// Returns everything that a file has, without reading it.
    pub fn whole(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(FilePart { file: Arc::new(file), at: 0, len })
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reads all of it.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        self.read_from(0, usize::try_from(self.len).map_err(io::Error::other)?)
    }

    /// Reads `len` bytes, the first of which is number `at`.
    pub fn read_from(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        read_exact_at(&self.file, &mut bytes, self.at + at)?;
        Ok(bytes)
    }

    /// Reads it from its beginning, block by block.
    pub fn reader(&self) -> BufReader<impl Read> {
        BufReader::with_capacity(BLOCK, Reader { part: self, next: 0 })
    }
}

/// The bytes that are read at a time.
const BLOCK: usize = 256 * 1024;

struct Reader<'a> {
    part: &'a FilePart,
    next: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(usize::try_from(self.part.len - self.next).unwrap_or(usize::MAX));
        read_exact_at(&self.part.file, &mut buffer[..len], self.part.at + self.next)?;
        self.next += len as u64;
        Ok(len)
    }
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        (bytes, at) = (&bytes[count..], at + count as u64);
    }
    Ok(())
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[count..];
        at += count as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel;

    #[test]
    fn what_is_over_the_budget_comes_back_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::in_folder(folder.path().join("scratch"));
        let bytes = |number: usize| Arc::<[u8]>::from(vec![number as u8; (BUDGET / 32) | number]);
        let stored = parallel::map_numbers(48, |number| shelf.put(bytes(number)));
        let away = stored.iter().filter(|stored| matches!(stored, Stored::Away(_))).count();
        assert_eq!(away, 17);
        for (number, stored) in stored.iter().enumerate() {
            assert_eq!(*stored.bytes().unwrap(), *bytes(number));
        }
        assert_eq!(std::fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0, "the file has a name");
    }

    #[test]
    fn without_a_folder_everything_stays_in_memory() {
        let nowhere = tempfile::NamedTempFile::new().unwrap();
        for shelf in [Shelf::default(), Shelf::in_folder(nowhere.path().to_path_buf())] {
            let bytes: Arc<[u8]> = Arc::from(vec![1; BUDGET + 1]);
            assert!(matches!(shelf.put(bytes), Stored::Here(_)));
        }
    }

    #[test]
    fn a_file_is_read_by_parts() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..3 * BLOCK + 5).map(|number| (number / 7) as u8).collect();
        io::Write::write_all(&mut file, &bytes).unwrap();
        let whole = FilePart::whole(file).unwrap();
        let mut read = Vec::new();
        whole.reader().read_to_end(&mut read).unwrap();
        assert!(read == bytes && whole.read().unwrap() == bytes);
        assert_eq!(whole.read_from(BLOCK as u64, 9).unwrap(), bytes[BLOCK..BLOCK + 9]);
        assert!(whole.read_from(3 * BLOCK as u64, 6).is_err());
    }
}
