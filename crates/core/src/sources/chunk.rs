//! Cuts files, in the order of their paths, into chunks. A chunk without changes costs one look at its digest.

use super::{Digest, Source};
use crate::paths::SourcePath;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// Files per chunk. A smaller one is rebuilt sooner, a larger one makes for fewer: an edit of one among a thousand
/// pages was as quick with 16 to 128, among ten thousand with 64 to 256.
const SIZE: usize = 64;

/// Neighbouring files of one folder of the second level, such as `content/pages`, or one file above it.
#[derive(Debug)]
pub struct Chunk {
    files: Vec<(SourcePath, Source)>,
    /// The digest of the paths and bytes.
    pub digest: Digest,
}

impl Chunk {
    fn of(files: Vec<(SourcePath, Source)>) -> Arc<Self> {
        let mut hash = Sha256::new();
        for (path, source) in &files {
            hash.update((path.as_str().len() as u64).to_le_bytes());
            hash.update(path.as_str());
            // A site that declares a language reads the same names in another way.
            hash.update([u8::from(path.has_language())]);
            hash.update(source.digest);
        }
        Arc::new(Chunk { files, digest: hash.finalize().into() })
    }

    /// Returns its files in the order of their paths.
    pub fn files(&self) -> &[(SourcePath, Source)] {
        &self.files
    }

    /// Returns the folder of all its files: the first two parts of their paths.
    pub fn folder(&self) -> &str {
        self.files.first().map_or("", |(path, _)| folder_of(path))
    }
}

/// A folder of content or templates has two parts in its path. A file above them has a chunk of its own, so that the
/// files of a folder follow each other.
fn folder_of(path: &SourcePath) -> &str {
    let path = path.as_str();
    path.match_indices('/').nth(1).map_or(path, |(second, _)| &path[..second])
}

/// Cuts files, in the order of their paths, into chunks.
pub fn cut(files: Vec<(SourcePath, Source)>) -> Vec<Arc<Chunk>> {
    let mut chunks = Vec::with_capacity(files.len() / SIZE + 8);
    let mut open: Vec<(SourcePath, Source)> = Vec::new();
    for (path, source) in files {
        let is_done = open.len() == SIZE || open.last().is_some_and(|(last, _)| folder_of(last) != folder_of(&path));
        if is_done {
            chunks.push(Chunk::of(std::mem::take(&mut open)));
        }
        open.push((path, source));
    }
    if !open.is_empty() {
        chunks.push(Chunk::of(open));
    }
    chunks
}

/// Returns the position of a file: its chunk, and its index there.
pub fn find(chunks: &[Arc<Chunk>], path: &SourcePath) -> Option<(usize, usize)> {
    let chunk = chunks.partition_point(|chunk| chunk.files[0].0 <= *path).checked_sub(1)?;
    let place = chunks[chunk].files.binary_search_by(|(known, _)| known.cmp(path)).ok()?;
    Some((chunk, place))
}

/// Inserts a file, or replaces the one at the same path.
pub fn insert(chunks: &mut Vec<Arc<Chunk>>, path: SourcePath, source: Source) {
    if let Some((chunk, place)) = find(chunks, &path) {
        let mut files = chunks[chunk].files.clone();
        files[place].1 = source;
        chunks[chunk] = Chunk::of(files);
        return;
    }
    let after = chunks.partition_point(|chunk| chunk.files[0].0 <= path);
    let fits = |chunk: &usize| chunks.get(*chunk).is_some_and(|chunk| chunk.folder() == folder_of(&path));
    match after.checked_sub(1).filter(fits).or(Some(after).filter(fits)) {
        None => chunks.insert(after, Chunk::of(vec![(path, source)])),
        Some(chunk) => {
            let mut files = chunks[chunk].files.clone();
            let place = files.partition_point(|(known, _)| *known < path);
            files.insert(place, (path, source));
            let rest = if files.len() > 2 * SIZE { files.split_off(SIZE) } else { Vec::new() };
            chunks[chunk] = Chunk::of(files);
            if !rest.is_empty() {
                chunks.insert(chunk + 1, Chunk::of(rest));
            }
        }
    }
}

/// Removes a file.
pub fn remove(chunks: &mut Vec<Arc<Chunk>>, path: &SourcePath) {
    let Some((chunk, place)) = find(chunks, path) else { return };
    let mut files = chunks[chunk].files.clone();
    files.remove(place);
    match files.is_empty() {
        true => {
            chunks.remove(chunk);
        }
        false => chunks[chunk] = Chunk::of(files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Asserts that every file occurs once and in order, and that each chunk is in one folder and not too large.
    fn assert_complete(chunks: &[Arc<Chunk>], files: &BTreeMap<SourcePath, Source>) {
        let listed: Vec<_> =
            chunks.iter().flat_map(|chunk| chunk.files()).map(|(path, file)| (path, file.digest)).collect();
        assert_eq!(listed, files.iter().map(|(path, file)| (path, file.digest)).collect::<Vec<_>>());
        for chunk in chunks {
            assert!((1..=2 * SIZE).contains(&chunk.files.len()));
            assert!(chunk.files.iter().all(|(path, _)| folder_of(path) == chunk.folder()));
            assert_eq!(chunk.digest, Chunk::of(chunk.files.clone()).digest);
        }
        for path in files.keys() {
            let (chunk, place) = find(chunks, path).unwrap();
            assert_eq!(chunks[chunk].files[place].0, *path);
        }
    }

    fn path() -> impl Strategy<Value = String> {
        let folder = prop::sample::select(vec!["", "a/", "a/b/", "a/b-c/", "a/b/c/", "a-b/", "d/e/f/"]);
        (folder, 0..90u8).prop_map(|(folder, name)| format!("{folder}{name}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn files_come_and_go_in_any_order(
            first in prop::collection::btree_map(path(), any::<u8>(), 0..300),
            changes in prop::collection::vec((path(), prop::option::of(any::<u8>())), 0..600),
        ) {
            let file = |byte: u8| Source::of(&[byte]);
            let first = first.into_iter().map(|(path, byte)| (SourcePath::new(path), file(byte)));
            let mut files: BTreeMap<SourcePath, Source> = first.collect();
            let mut chunks = cut(files.clone().into_iter().collect());
            assert_complete(&chunks, &files);
            for (path, byte) in changes {
                let path = SourcePath::new(path);
                match byte {
                    Some(byte) => {
                        insert(&mut chunks, path.clone(), file(byte));
                        files.insert(path, file(byte));
                    }
                    None => {
                        remove(&mut chunks, &path);
                        files.remove(&path);
                    }
                }
            }
            assert_complete(&chunks, &files);
        }
    }

    #[test]
    fn a_change_touches_one_chunk() {
        let file = |text: &str| Source::of(text.as_bytes());
        let paths = (0..1000).map(|number| SourcePath::new(format!("content/pages/{number:04}.md")));
        let mut chunks = cut(paths.map(|path| (path, file("a"))).collect());
        let before: Vec<_> = chunks.iter().map(|chunk| chunk.digest).collect();
        insert(&mut chunks, SourcePath::new("content/pages/0500.md"), file("b"));
        let differing = chunks.iter().zip(&before).filter(|(chunk, before)| chunk.digest != **before).count();
        assert_eq!((chunks.len(), differing), (before.len(), 1));
    }
}
