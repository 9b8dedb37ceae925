//! A folder as a shared cache, such as one on a network drive or one that a CI service keeps between jobs.

use crate::Failure;
use crate::transport::{Stored, Transport, TransportError};
use sitegen_core::tools::write_atomically;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// See the module. A file for each entry, in a folder of the first two digits of its name.
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Makes the folder if it is not there.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        let cannot = |error: std::io::Error| Failure::new(format!("cannot use {}: {error}", root.display()));
        fs::create_dir_all(root).map_err(cannot)?;
        Ok(Folder { root: root.canonicalize().map_err(cannot)? })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name.get(..2).unwrap_or_default()).join(name)
    }
}

fn failed(error: &std::io::Error) -> TransportError {
    let is_final = matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
    TransportError { reason: error.to_string(), is_final }
}

impl Transport for Folder {
    fn get(&self, name: &str, most: usize) -> Result<Option<Stored>, TransportError> {
        let path = self.path(name);
        let length = match fs::metadata(&path) {
            // Opening a pipe would wait for its writer.
            Ok(metadata) if !metadata.is_file() => {
                return Err(TransportError { reason: format!("{} is no file", path.display()), is_final: false });
            }
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&error)),
        };
        let Some(length) = usize::try_from(length).ok().filter(|length| *length <= most) else {
            return Ok(Some(Stored::Larger));
        };
        let mut bytes = Vec::with_capacity(length);
        let file = fs::File::open(path).map_err(|error| failed(&error))?;
        file.take(length as u64).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
        Ok(Some(Stored::Bytes(bytes)))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), TransportError> {
        let path = self.path(name);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder.and_then(|()| write_atomically(&path, bytes)).map_err(|error| failed(&error))
    }
}
