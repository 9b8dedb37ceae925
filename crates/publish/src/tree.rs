//! The files that a folder must hold, as a tree.

use sitegen_core::shelf::FilePart;
use sitegen_core::sources::{Digest, Fingerprint, LargeFile, digest};
use std::sync::Arc;

/// A file as it must be.
#[derive(Clone, Debug)]
pub struct SiteFile {
    /// Its path below the folder, with `/`.
    pub path: String,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The fingerprint of its bytes, where it is known.
    pub fingerprint: Option<Fingerprint>,
    /// The number of its bytes, where it is known.
    pub len: Option<u64>,
    /// The bytes, if they are in memory.
    pub bytes: Option<Arc<[u8]>>,
    /// The file of this build that has the bytes, if they did not fit into memory.
    pub away: Option<FilePart>,
    /// The large file that has the bytes. Without any of these, only the output folder has them.
    pub large: Option<Arc<LargeFile>>,
}

impl SiteFile {
    /// Creates a file with these bytes.
    pub fn new(path: &str, bytes: Arc<[u8]>) -> Self {
        let (digest, len) = (digest(&bytes), Some(bytes.len() as u64));
        SiteFile { path: path.to_owned(), digest, fingerprint: None, len, bytes: Some(bytes), away: None, large: None }
    }

    /// Whether only the output folder has the bytes.
    pub fn is_kept(&self) -> bool {
        self.bytes.is_none() && self.away.is_none() && self.large.is_none()
    }

    /// Returns the last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// All files, and their folders.
pub struct Tree {
    /// The files in the order of their paths.
    pub files: Vec<SiteFile>,
    pub root: Folder,
}

/// A folder: the indexes of its files, and its subfolders. Both are sorted by name.
#[derive(Default)]
pub struct Folder {
    pub files: Vec<usize>,
    pub folders: Vec<(String, Folder)>,
}

impl Tree {
    /// Builds a tree from sorted files. Fails with the path of a file that another one needs as a folder.
    pub fn build(files: Vec<SiteFile>) -> Result<Self, String> {
        let root = Folder::build(&files, 0..files.len(), 0)?;
        Ok(Tree { files, root })
    }

    /// Returns the index of the file with this name in a folder.
    pub fn file(&self, folder: &Folder, name: &str) -> Option<usize> {
        folder.files.binary_search_by(|index| self.files[*index].name().cmp(name)).ok().map(|at| folder.files[at])
    }
}

impl Folder {
    /// Builds the folder of the files in `range`, whose paths share their first `depth` bytes.
    fn build(files: &[SiteFile], range: std::ops::Range<usize>, depth: usize) -> Result<Self, String> {
        let mut folder = Folder::default();
        let mut at = range.start;
        while at < range.end {
            let rest = &files[at].path[depth..];
            let Some(slash) = rest.find('/') else {
                folder.files.push(at);
                at += 1;
                continue;
            };
            // In byte order, all paths that begin with `name/` are neighbours.
            let head = &files[at].path[..=depth + slash];
            let end = at + files[at..range.end].partition_point(|file| file.path.starts_with(head));
            let inner = Folder::build(files, at..end, depth + slash + 1)?;
            folder.folders.push((rest[..slash].to_owned(), inner));
            at = end;
        }
        folder.folders.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let both = folder.files.iter().find(|index| folder.folder(files[**index].name()).is_some());
        both.map_or(Ok(()), |index| Err(files[*index].path.clone()))?;
        Ok(folder)
    }

    /// Returns the subfolder with this name.
    pub fn folder(&self, name: &str) -> Option<&Folder> {
        self.entry(name).map(|(_, folder)| folder)
    }

    /// Returns the subfolder with this name, and the name as stored here.
    pub fn entry(&self, name: &str) -> Option<&(String, Folder)> {
        self.folders.binary_search_by(|(folder, _)| folder.as_str().cmp(name)).ok().map(|at| &self.folders[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> Result<Tree, String> {
        let mut paths = paths.to_vec();
        paths.sort_unstable();
        Tree::build(paths.iter().map(|path| SiteFile::new(path, Arc::from(path.as_bytes()))).collect())
    }

    #[test]
    fn names_that_sort_before_a_slash_are_found() {
        let paths = ["a-b/c.html", "a.html", "a/b.html", "a/b/c.html", "a/b-c", "a!/x", "z"];
        let tree = tree(&paths).unwrap();
        for path in paths {
            let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
            let mut folder = &tree.root;
            for part in folders.split('/').filter(|part| !part.is_empty()) {
                folder = folder.folder(part).unwrap();
            }
            assert_eq!(tree.files[tree.file(folder, name).unwrap()].path, path);
        }
        assert!(tree.root.folder("z").is_none() && tree.file(&tree.root, "a").is_none());
    }

    #[test]
    fn a_file_cannot_be_a_folder_too() {
        assert_eq!(tree(&["a/b", "a/b/c", "d"]).err().as_deref(), Some("a/b"));
    }
}
