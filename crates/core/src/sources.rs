//! Reads every input file of a project once, sorted by path.
//!
//! Later stages see the disk only through this. Files are stored by path, so nothing depends on the order in which a
//! file system lists them. They are sorted by their [`SourceKind`], and a stage asks for the kinds it works on.

mod away;
mod chunk;
mod drawing;
pub mod encoding;
mod kind;
pub mod large;
mod reason;

use crate::diagnostics::{Checked, Diagnostic, FileProblem, Place, is_unprintable};
use crate::parallel;
use crate::paths::{PUBLIC, SUPPRESSIONS, SourcePath, caseless, composed};
use crate::shelf::Shelf;
pub use away::{AwayText, UNREAD};
pub use chunk::Chunk;
pub use kind::{SCHEMA, SourceKind};
pub use large::LargeFile;
use rayon::iter::{ParallelBridge, ParallelIterator};
#[cfg(target_os = "linux")]
use rustix::fs::{CWD, Mode, OFlags, openat};
#[cfg(target_os = "linux")]
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::ops::Range;
#[cfg(target_os = "linux")]
use std::os::fd::{AsFd, OwnedFd};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use twox_hash::XxHash3_128;
use walkdir::WalkDir;

/// The folders of a site, and the files beside them: those that decide which packages its islands get, and the errors that are
/// suppressed.
pub const FOLDERS: [&str; 3] = ["content", "templates", "islands"];
const FILES: [&str; 4] = ["package.json", "package-lock.json", "tsconfig.json", SUPPRESSIONS];

/// Returns bytes without the byte order mark that editors on Windows write before a text.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// SHA-256 of some bytes. The cache is keyed by it.
pub type Digest = [u8; 32];

/// Returns the digest of some bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

/// XXH3, which shows whether bytes have changed. It is thirty times as quick as SHA-256 and gives no security: it
/// detects damage, and whoever can write the bytes can also write the fingerprint they are compared with.
pub type Fingerprint = u128;

/// Returns the fingerprint of some bytes.
pub fn fingerprint(bytes: &[u8]) -> Fingerprint {
    XxHash3_128::oneshot(bytes)
}

/// An input file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its bytes, or the file that has them.
    pub body: Body,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The number of bytes of the file before the content: those of a byte order mark that is left out. `None` if the content was
    /// made from the bytes in another way, so that places in it are none of the file.
    pub before: Option<usize>,
    /// The text that it translates. See [`Source::translating`].
    pub original: Option<Arc<Source>>,
}

/// The text of a file. Behind that of a translation stands the text that it translates, so that each place in the two has a
/// number of its own; neither is copied for that.
#[derive(Clone, Copy, Debug)]
pub struct JoinedText<'s> {
    /// The text of the file.
    pub own: &'s str,
    /// The text that it translates.
    pub original: Option<&'s str>,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub enum Body {
    /// The text, in memory. It is validated once: of a page, several passes read the text.
    Text(Arc<str>),
    /// Bytes in memory that are no UTF-8.
    Bytes(Arc<[u8]>),
    /// A file that stays on the disk. Only files of `content/public` and pictures do, see [`large`].
    Large(Arc<LargeFile>),
    /// A text of a large site, in a file that only this process knows. See [`Source::here`].
    Away(Arc<AwayText>),
}

/// The most bytes of a spreadsheet whose encoding is looked for. A larger one is not read anyway.
const MOST_OF_TABLE: usize = 8 << 20;

impl Source {
    fn of(bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).map(|text| Body::Text(Arc::from(text)));
        let body = text.unwrap_or_else(|_| Body::Bytes(Arc::from(bytes)));
        Source { body, digest: digest(bytes), before: Some(0), original: None }
    }

    /// Reads a file by its kind: engines of templates and schemas know no byte order mark, it is a part of the name that esbuild gives
    /// to a bundle, drawings are
    /// [plain](drawing::plain), and spreadsheets may have an [older encoding](encoding).
    fn at(path: &SourcePath, bytes: &[u8]) -> Self {
        let kind = SourceKind::of(path);
        let is_parsed =
            matches!(kind, SourceKind::Template | SourceKind::Schema | SourceKind::Props | SourceKind::Island);
        let is_drawing = || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        let source = match kind {
            _ if is_parsed => Self::of(without_mark(bytes)),
            _ if matches!(kind, SourceKind::Asset | SourceKind::Public) && is_drawing() => {
                Self::of(&drawing::plain(bytes))
            }
            SourceKind::Entry if path.extension() == Some("csv") && bytes.len() <= MOST_OF_TABLE => {
                match encoding::decoded(bytes) {
                    Ok(text) => Self::of(text.as_bytes()),
                    Err(_) => Self::of(bytes),
                }
            }
            _ => return Self::of(bytes),
        };
        let before = source.body.bytes().and_then(|content| Some(bytes.strip_suffix(content)?.len()));
        Source { before, ..source }
    }

    fn of_large(file: Arc<LargeFile>) -> Self {
        Source { digest: file.digest, body: Body::Large(file), before: Some(0), original: None }
    }

    /// Returns its text, if it is UTF-8 and not [large]. A text that is away stays in memory after this.
    pub fn text(&self) -> Option<&str> {
        self.body.text()
    }

    /// Returns a translation with the text that it translates, of which it shows what has the digest `shown`. Places in its own
    /// are those of its file, and each place has one file: whoever shows them moves those after it. `None` if one of them is no
    /// text.
    pub fn translating(&self, original: &Arc<Source>, shown: &Digest) -> Option<Self> {
        let is_text = |source: &Source| matches!(source.body, Body::Text(_) | Body::Away(_));
        if !is_text(self) || !is_text(original) {
            return None;
        }
        let mut hash = Sha256::new();
        for part in [&b"translation"[..], &self.digest, shown] {
            hash.update(part);
        }
        Some(Source { digest: hash.finalize().into(), original: Some(original.clone()), ..self.clone() })
    }

    /// Returns its text, with the one that it translates.
    pub fn joined(&self) -> Option<JoinedText<'_>> {
        Some(JoinedText { own: self.text()?, original: self.original.as_ref().and_then(|original| original.text()) })
    }
}

impl<'s> From<&'s str> for JoinedText<'s> {
    fn from(own: &'s str) -> Self {
        JoinedText { own, original: None }
    }
}

impl<'s> JoinedText<'s> {
    /// Returns where the text begins that it translates.
    pub fn original_at(&self) -> Option<usize> {
        self.original.map(|_| self.own.len())
    }

    /// Returns the text that a place is in, and where that begins.
    pub fn at(&self, place: usize) -> (&'s str, usize) {
        match self.original {
            Some(original) if place >= self.own.len() => (original, self.own.len()),
            _ => (self.own, 0),
        }
    }

    /// Returns what is written between two places, if they are in the same text.
    pub fn get(&self, range: Range<usize>) -> Option<&'s str> {
        let (text, start) = self.at(range.start);
        text.get(range.start - start..range.end.checked_sub(start)?)
    }
}

impl Body {
    /// Returns its bytes, unless they are [large]. Those of a text that is away stay in memory after this.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Body::Text(text) => Some(text.as_bytes()),
            Body::Bytes(bytes) => Some(bytes),
            Body::Large(_) => None,
            Body::Away(away) => Some(away.kept().as_bytes()),
        }
    }

    /// Returns its text, if it is UTF-8 and not [large]. A text that is away stays in memory after this.
    pub fn text(&self) -> Option<&str> {
        match self {
            Body::Text(text) => Some(text),
            Body::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            Body::Large(_) => None,
            Body::Away(away) => Some(away.kept()),
        }
    }

    /// Returns the file, if it stays on the disk.
    pub fn large(&self) -> Option<&Arc<LargeFile>> {
        match self {
            Body::Text(_) | Body::Bytes(_) | Body::Away(_) => None,
            Body::Large(file) => Some(file),
        }
    }

    /// Returns the bytes as a shared value, read from the disk if they are not in memory. `None` if the file has changed.
    pub fn shared(&self) -> Option<Arc<[u8]>> {
        match self {
            Body::Text(text) => Some(text.clone().into()),
            Body::Bytes(bytes) => Some(bytes.clone()),
            Body::Large(file) => file.read().ok().map(Arc::from),
            Body::Away(away) => Some(away.text().into()),
        }
    }

    /// Returns the bytes, read from the disk if they are not in memory.
    pub fn read(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Body::Text(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Body::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Body::Large(file) => file.read().map(Cow::Owned),
            Body::Away(away) => Ok(Cow::Owned(away.text().as_bytes().to_vec())),
        }
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        match self {
            Body::Text(text) => text.len() as u64,
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::Large(file) => file.len,
            Body::Away(away) => away.len(),
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The largest read buffer that a thread keeps, in bytes. All but a few files are smaller.
const BUFFER_LIMIT: usize = 1 << 20;

thread_local! {
    /// The buffer that a thread reads files into, before it knows their size.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The most bytes of a file that is read into memory. Nobody writes texts of this size; a sparse file can have any.
const MOST_IN_MEMORY: u64 = 256 * 1024 * 1024;

/// Returns the bytes of a file.
///
/// `std::fs::read` asks for the size twice, and its bytes have to be copied again into the shared value; for ten
/// thousand files that is a tenth of a build in which nothing has changed. Here the end of the file shows that nothing
/// follows.
fn read_file(name: &SourcePath, path: &Path) -> io::Result<Source> {
    #[cfg(target_os = "linux")]
    let file = open_no_atime(CWD, path, OFlags::empty())?;
    #[cfg(not(target_os = "linux"))]
    let file = File::open(path)?;
    let mut buffer = BUFFER.take();
    buffer.clear();
    // `File` itself as a reader would ask for its size first.
    file.take(MOST_IN_MEMORY + 1).read_to_end(&mut buffer)?;
    if buffer.len() as u64 > MOST_IN_MEMORY {
        let limit = MOST_IN_MEMORY / (1024 * 1024);
        return Err(io::Error::other(format!("it is larger than {limit} MB, and a build reads it into memory")));
    }
    let source = Source::at(name, &buffer);
    if buffer.capacity() <= BUFFER_LIMIT {
        BUFFER.set(buffer);
    }
    Ok(source)
}

/// Opens a path relative to an open folder, as [`no_atime`] does.
#[cfg(target_os = "linux")]
pub fn open_no_atime(folder: impl AsFd, path: impl rustix::path::Arg + Copy, flags: OFlags) -> io::Result<File> {
    no_atime(|reading| openat(&folder, path, reading | flags, Mode::empty()))
}

/// Opens a file without updating its access time, where the user owns it (open(2)). With `relatime` the first read of
/// ten thousand new files causes as many writes: a build in which nothing has changed takes half as long again after a
/// publication.
#[cfg(target_os = "linux")]
pub fn no_atime(open: impl Fn(OFlags) -> Result<OwnedFd, Errno>) -> io::Result<File> {
    let reading = OFlags::RDONLY | OFlags::CLOEXEC;
    let opened = match open(reading | OFlags::NOATIME) {
        Err(Errno::PERM) => open(reading),
        opened => opened,
    };
    Ok(File::from(opened?))
}

/// Input files: all of them, or those of some kinds.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// By kind, each in the order of paths.
    kinds: BTreeMap<SourceKind, Vec<Arc<Chunk>>>,
}

/// What is computed of sources follows from them: their paths and the digests of their bytes. So the key of a result needs no
/// more of them.
impl Hash for Sources {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.chunks().collect::<Vec<_>>().hash(state);
    }
}

impl Hash for Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl Hash for Chunk {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl Sources {
    /// Creates sources from files in memory: for tests, and for editors' unsaved text.
    pub fn from_files<P: AsRef<str>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let file = |(path, bytes): (P, B)| {
            let path = SourcePath::new(path);
            let source = Source::at(&path, bytes.as_ref());
            (path, source)
        };
        let files: BTreeMap<SourcePath, Source> = files.into_iter().map(file).collect();
        Sources::sorted(files.into_iter().collect())
    }

    /// Sorts files, which are in the order of their paths, by kind.
    fn sorted(files: Vec<(SourcePath, Source)>) -> Self {
        let mut kinds: BTreeMap<SourceKind, Vec<(SourcePath, Source)>> = BTreeMap::new();
        for (path, source) in files {
            kinds.entry(SourceKind::of(&path)).or_default().push((path, source));
        }
        Sources { kinds: kinds.into_iter().map(|(kind, files)| (kind, chunk::cut(files))).collect() }
    }

    /// Returns the same sources with other bytes in a file, as if it were read with these.
    pub fn with(&self, path: &SourcePath, bytes: &[u8]) -> Self {
        let mut sources = self.clone();
        let chunks = sources.kinds.entry(SourceKind::of(path)).or_default();
        chunk::insert(chunks, path.clone(), Source::at(path, bytes));
        sources
    }

    /// Returns these sources without the file at a path.
    pub fn without(&self, path: &SourcePath) -> Self {
        let mut sources = self.clone();
        sources.remove(path);
        sources
    }

    /// Returns the same sources with other files of a kind, which are in the order of their paths.
    pub fn with_files(mut self, kind: SourceKind, files: Vec<(SourcePath, Source)>) -> Self {
        match files.is_empty() {
            true => self.kinds.remove(&kind),
            false => self.kinds.insert(kind, chunk::cut(files)),
        };
        self
    }

    /// Returns the sources of some kinds alone. Whoever is given these depends on nothing else.
    pub fn only(&self, kinds: &[SourceKind]) -> Self {
        let chosen = kinds.iter().filter_map(|kind| Some((*kind, self.kinds.get(kind)?.clone())));
        Sources { kinds: chosen.collect() }
    }

    /// Returns the file at a path.
    pub fn get(&self, path: &SourcePath) -> Option<&Source> {
        self.get_key_value(path).map(|(_, source)| source)
    }

    /// Returns the file at a path [here](Source::here), and the path as stored here.
    pub fn here(&self, path: &SourcePath) -> Option<(&SourcePath, Cow<'_, Source>)> {
        self.get_key_value(path).map(|(path, source)| (path, source.here()))
    }

    /// Returns the file at a path, and the path as stored here.
    pub fn get_key_value(&self, path: &SourcePath) -> Option<(&SourcePath, &Source)> {
        let chunks = self.chunks_of(SourceKind::of(path));
        let (chunk, place) = chunk::find(chunks, path)?;
        let (path, source) = &chunks[chunk].files()[place];
        Some((path, source))
    }

    /// Returns all files in chunks, kind after kind.
    pub fn chunks(&self) -> impl Iterator<Item = &Arc<Chunk>> {
        self.kinds.values().flatten()
    }

    /// Returns the files of a kind in chunks, in the order of their paths.
    pub fn chunks_of(&self, kind: SourceKind) -> &[Arc<Chunk>] {
        self.kinds.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Returns the files of a kind, in the order of their paths.
    pub fn of(&self, kind: SourceKind) -> impl Iterator<Item = (&SourcePath, &Source)> {
        let files = self.chunks_of(kind).iter().flat_map(|chunk| chunk.files());
        files.map(|(path, source)| (path, source))
    }

    /// Returns the files of some kinds, kind after kind.
    pub fn of_all(&self, kinds: &[SourceKind]) -> impl Iterator<Item = (&SourcePath, &Source)> {
        kinds.iter().flat_map(|kind| self.of(*kind))
    }

    /// Returns the text of the file at a path, if it is UTF-8.
    pub fn text(&self, path: &SourcePath) -> Option<&str> {
        self.get(path)?.text()
    }

    /// Returns the text that a place of a file is in, and where that begins: behind the text of a translation stands its original.
    pub fn text_at(&self, path: &SourcePath, place: usize) -> Option<(&str, usize)> {
        Some(self.get(path)?.joined()?.at(place))
    }

    /// Returns the files of a folder and of the folders in it, kind after kind.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a SourcePath, &'a Source)> + 'a {
        let from = SourcePath::new(format!("{folder}/"));
        self.kinds.values().flat_map(move |chunks| {
            let from = from.clone();
            // The first file of the folder may be in the chunk before the first that begins with one.
            let first = chunks.partition_point(|chunk| chunk.files()[0].0 < from).saturating_sub(1);
            let files = chunks[first..].iter().flat_map(|chunk| chunk.files());
            let files = files.skip_while(move |(path, _)| *path < from);
            files.take_while(move |(path, _)| path.below(folder).is_some()).map(|(path, source)| (path, source))
        })
    }

    fn remove(&mut self, path: &SourcePath) {
        let kind = SourceKind::of(path);
        let Some(chunks) = self.kinds.get_mut(&kind) else { return };
        chunk::remove(chunks, path);
        if chunks.is_empty() {
            self.kinds.remove(&kind);
        }
    }

    /// Returns the paths of files that differ between these sources and others.
    pub fn differing(&self, other: &Sources) -> BTreeSet<SourcePath> {
        let lacks = |sources: &Sources, path: &SourcePath, source: &Source| {
            sources.get(path).is_none_or(|theirs| theirs.digest != source.digest)
        };
        let ours = self.iter().filter(|(path, source)| lacks(other, path, source));
        let theirs = other.iter().filter(|(path, source)| lacks(self, path, source));
        ours.chain(theirs).map(|(path, _)| path.clone()).collect()
    }

    /// Returns all files, kind after kind.
    pub fn iter(&self) -> impl Iterator<Item = (&SourcePath, &Source)> {
        self.chunks().flat_map(|chunk| chunk.files()).map(|(path, source)| (path, source))
    }
}

/// Reads the project in `root`.
///
/// Hidden files, editors' backups and swap files are ignored. A symbolic link is followed only to what is a source
/// itself, see `Origins`.
pub fn read(root: &Path) -> Checked<Sources> {
    read_onto(&Shelf::default(), root)
}

/// Reads the project in `root` like [`read`]. The texts of its pages and entries that do not fit into memory are put on a shelf: what
/// is built of them is what was read, whatever becomes of the files.
pub fn read_onto(shelf: &Shelf, root: &Path) -> Checked<Sources> {
    let mut files = Vec::new();
    let mut diagnostics = Vec::new();
    let origins = Origins::of(root);
    for folder in FOLDERS {
        read_below((root, shelf), &origins, &root.join(folder), &mut files, &mut diagnostics);
    }
    for name in FILES {
        let path = root.join(name);
        let is_inside = || path.canonicalize().is_ok_and(|real| real.starts_with(&origins.root));
        if path.is_symlink() && !is_inside() {
            diagnostics.push(Diagnostic::new(FileProblem::OutsideLink, Place::file(&SourcePath::new(name))));
        } else if let Some(bytes) = beside_the_folders(&path) {
            files.push((SourcePath::new(name), Source::of(without_mark(&bytes))));
        }
    }
    parallel::sort_by(&mut files, |(a, _), (b, _)| a.cmp(b));
    let twins = files.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| Place::file(&pair[0].0));
    diagnostics.extend(twins.map(|place| Diagnostic::new(FileProblem::LetterForm, place)));
    files.dedup_by(|(a, _), (b, _)| a == b);
    diagnostics.sort_by(|a, b| a.place.cmp(&b.place));
    let sources = Sources::sorted(files);
    diagnostics.extend(case_collisions(&sources));
    Checked::new(sources, diagnostics)
}

/// The real locations of a project's sources: all that a symbolic link may lead to.
///
/// A link from `content/public/` to `.git/config`, `.env` or a private key inside the project would publish a secret.
/// So a link may lead only to what [`read`] also reads at its own path. One of the [`FOLDERS`] may be a link itself, to
/// a visible folder of the project.
struct Origins {
    /// The project's folder.
    root: PathBuf,
    /// The existing source folders, each with its name in the project.
    folders: Vec<(&'static str, PathBuf)>,
}

impl Origins {
    fn of(root: &Path) -> Self {
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let is_visible = |part: &std::ffi::OsStr| part != "node_modules" && !part.to_string_lossy().starts_with('.');
        let real = |name: &'static str| {
            let real = root.join(name).canonicalize().ok()?;
            let inside = real.strip_prefix(&real_root).ok()?;
            let is_folder = inside.iter().next().is_some() && inside.iter().all(is_visible);
            is_folder.then_some((name, real))
        };
        Origins { folders: FOLDERS.into_iter().filter_map(real).collect(), root: real_root }
    }

    /// Whether a path without links in it is that of a source.
    fn contains(&self, real: &Path) -> bool {
        self.folders
            .iter()
            .any(|(name, folder)| real.strip_prefix(folder).is_ok_and(|inside| is_input(&Path::new(name).join(inside))))
    }
}

/// Reads a file or a folder of one of the [`FOLDERS`] with everything in it. A missing one is skipped.
fn read_below(
    (root, shelf): (&Path, &Shelf),
    origins: &Origins,
    start: &Path,
    files: &mut Vec<(SourcePath, Source)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if !start.exists() {
        return;
    }
    // Opening and hashing ten thousand files takes most of the time, so files wait neither for each other nor for the
    // end of the walk. The walk follows the order in which the system lists them; the caller sorts them.
    let read = listed(root, origins, start).par_bridge().map(|listed| {
        let (name, path) = listed?;
        let source = match large::may_stay(&name) {
            true => large::read(&path).and_then(|large| large.map_or_else(|| read_file(&name, &path), Ok)),
            false => read_file(&name, &path),
        };
        source
            .map(|source| source.put_away(&name, shelf))
            .map(|source| (name, source))
            .map_err(|error| unreadable(root, &path, reason::of(&path, Some(&error))))
    });
    for file in read.collect::<Vec<_>>() {
        match file {
            Ok(file) => files.push(file),
            Err(wrong) => diagnostics.push(wrong),
        }
    }
}

/// Lists the files at or below a path, by name and by path, and reports wrong names, links and kinds of files.
fn listed(
    root: &Path,
    origins: &Origins,
    start: &Path,
) -> impl Iterator<Item = Result<(SourcePath, PathBuf), Diagnostic>> + Send {
    let walk = WalkDir::new(start).follow_links(true);
    let mut walk = walk.into_iter().filter_entry(move |entry| {
        let path = || entry.path().strip_prefix(root).unwrap_or(entry.path());
        !is_ignored(&entry.file_name().to_string_lossy(), || path().starts_with(PUBLIC))
    });
    // The folder that a link leads to and the walk is in. What is read again may be below one.
    let name = start.strip_prefix(root).unwrap_or(start);
    let is_linked = start.parent().is_some_and(|above| {
        let inside = name.parent().unwrap_or(Path::new(""));
        above.canonicalize().is_ok_and(|real| real != origins.root.join(inside))
    });
    let mut linked = is_linked.then(|| start.to_path_buf());
    std::iter::from_fn(move || {
        loop {
            let entry = match walk.next()? {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(start);
                    let loops = error.loop_ancestor().map(|above| reason::leads_back(&shown(root, above)));
                    let reason = loops.unwrap_or_else(|| reason::of(path, error.io_error()));
                    return Some(Err(unreadable(root, path, reason)));
                }
            };
            let Some(name) = name_of(root, entry.path()) else {
                // Nothing in a folder with such a name is reported as well.
                match entry.file_name().to_str() {
                    None => return Some(Err(unreadable(root, entry.path(), reason::name()))),
                    Some(_) => continue,
                }
            };
            if entry.file_name().to_string_lossy().chars().any(is_unprintable) {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                return Some(Err(unreadable(root, entry.path(), reason::unprintable())));
            }
            let is_link = entry.path_is_symlink();
            linked = linked.take().filter(|folder| entry.path().starts_with(folder));
            if is_link || linked.is_some() {
                if !entry.path().canonicalize().is_ok_and(|real| origins.contains(&real)) {
                    if entry.file_type().is_dir() {
                        walk.skip_current_dir();
                    }
                    if is_link {
                        let place = Place::file(&SourcePath::new(name));
                        return Some(Err(Diagnostic::new(FileProblem::OutsideLink, place)));
                    }
                    // A hidden file of a linked folder, which is ignored at its own path too.
                    continue;
                }
                if entry.file_type().is_dir() && entry.depth() > 0 {
                    linked.get_or_insert_with(|| entry.path().to_path_buf());
                }
            }
            if entry.file_type().is_dir() {
                continue;
            }
            // Reading a pipe would wait forever for somebody to write into it.
            if !entry.file_type().is_file() {
                return Some(Err(unreadable(root, entry.path(), reason::special())));
            }
            return Some(Ok((SourcePath::new(name), entry.into_path())));
        }
    })
}

/// Reads one of the [`FILES`]. One that is missing, or no file, counts as empty: npm reports its own.
fn beside_the_folders(path: &Path) -> Option<Vec<u8>> {
    if path.is_file() { std::fs::read(path).ok() } else { None }
}

/// Reads some paths again: files, or folders with everything in them, relative to `root`.
///
/// Returns the paths of the files that changed, appeared or vanished. Returns `None` where something is wrong: [`read`]
/// then reports it in full.
pub fn refresh(current: &mut Sources, root: &Path, changed: &BTreeSet<String>) -> Option<BTreeSet<SourcePath>> {
    // Chunks are shared. What is reported as changed must be so against what the caller has, so a failure changes nothing.
    let mut sources = current.clone();
    // Few files change at a time.
    let kept = Shelf::default();
    let origins = Origins::of(root);
    let mut diagnostics = Vec::new();
    let mut differing = BTreeSet::new();
    let mut is_new = false;
    for path in changed {
        // A second file of this name would have to be looked for.
        if !path.is_ascii() && is_stored_twice(&root.join(path)) {
            return None;
        }
        let mut now = Vec::new();
        if FILES.contains(&path.as_str()) {
            if let Some(bytes) = beside_the_folders(&root.join(path)) {
                now.push((SourcePath::new(path), Source::of(without_mark(&bytes))));
            }
        } else if is_input(Path::new(path)) {
            read_below((root, &kept), &origins, &root.join(path), &mut now, &mut diagnostics);
        }
        let now: BTreeMap<SourcePath, Source> = now.into_iter().collect();
        let own = sources.get_key_value(&SourcePath::new(path)).map(|(path, _)| path);
        let before = own.into_iter().chain(sources.below(path).map(|(path, _)| path));
        let gone: Vec<SourcePath> = before.filter(|path| !now.contains_key(*path)).cloned().collect();
        for path in gone {
            sources.remove(&path);
            differing.insert(path);
        }
        for (path, source) in now {
            let before = sources.get(&path);
            if before.is_none_or(|before| before.digest != source.digest) {
                is_new |= before.is_none();
                chunk::insert(sources.kinds.entry(SourceKind::of(&path)).or_default(), path.clone(), source);
                differing.insert(path);
            }
        }
    }
    // Only a new path can collide with another one.
    let has_case_collisions = is_new && !case_collisions(&sources).is_empty();
    let is_valid = diagnostics.is_empty() && !has_case_collisions;
    is_valid.then(|| {
        *current = sources;
        differing
    })
}

/// Whether [`read`] looks at a path relative to the root, if it exists.
pub fn is_input(path: &Path) -> bool {
    let Some(first) = path.iter().next().and_then(|first| first.to_str()) else { return false };
    if FILES.contains(&first) {
        return path.iter().count() == 1;
    }
    let mut walked = std::path::PathBuf::new();
    FOLDERS.contains(&first)
        && path.iter().all(|part| {
            walked.push(part);
            !is_ignored(&part.to_string_lossy(), || walked.starts_with(PUBLIC))
        })
}

/// Whether the folder of a file has several of its name, with its letters [composed] and not.
fn is_stored_twice(path: &Path) -> bool {
    let name = |name: Option<&std::ffi::OsStr>| Some(composed(name?.to_str()?).into_owned());
    let Some((folder, wanted)) = path.parent().zip(name(path.file_name())) else { return false };
    let names = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|other| name(Some(other)).as_ref() == Some(&wanted)).count() > 1
}

/// Reports files whose paths differ only in the case of letters: a checkout on macOS or Windows has one of the two.
fn case_collisions(sources: &Sources) -> Vec<Diagnostic> {
    // One of two such paths has other letters than lower-case ones.
    if sources.iter().all(|(path, _)| path.as_str().bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())) {
        return Vec::new();
    }
    let mut seen: BTreeMap<String, &SourcePath> = BTreeMap::new();
    let mut diagnostics = Vec::new();
    for (path, _) in sources.iter() {
        if let Some(other) = seen.insert(caseless(path.as_str()), path) {
            diagnostics.push(Diagnostic::new(FileProblem::LetterCase { other: other.to_string() }, Place::file(path)));
        }
    }
    diagnostics
}

/// Whether a file or a folder has a name that a system leaves in each folder that somebody opens or at the top of a disk, macOS,
/// Windows or a desktop of Linux; a file server or a program that synchronises folders beside the files of others (Netatalk, Synology,
/// QNAP, Dropbox, Syncthing) or in the place of an open
/// file that was deleted (NFS, FUSE); a program that unpacks archives of macOS; or LibreOffice and Microsoft Office beside a document
/// that is open.
pub fn is_of_system(name: &str) -> bool {
    const NAMES: [&str; 38] = [
        "#recycle",
        "$recycle.bin",
        ".@__thumb",
        ".appledb",
        ".appledesktop",
        ".appledouble",
        ".apdisk",
        ".com.apple.timemachine.donotpresent",
        ".directory",
        ".documentrevisions-v100",
        ".dropbox",
        ".dropbox.attr",
        ".dropbox.cache",
        ".ds_store",
        ".fseventsd",
        ".localized",
        ".lsoverride",
        ".pkinstallsandboxmanager",
        ".pkinstallsandboxmanager-systemsoftware",
        ".spotlight-v100",
        ".stfolder",
        ".stversions",
        ".temporaryitems",
        ".trash",
        ".trashes",
        ".volumeicon.icns",
        "@eadir",
        "@recently-snapshot",
        "@recycle",
        "__macosx",
        "desktop.ini",
        "ehthumbs.db",
        "ehthumbs_vista.db",
        "icon\r",
        "lost+found",
        "network trash folder",
        "system volume information",
        "thumbs.db",
    ];
    let is_hex = |digits: &str| digits.len() >= 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || name.starts_with("._")
        || name.starts_with("~$")
        || name.starts_with(".~lock.") && name.ends_with('#')
        || name.strip_prefix(".nfs").or(name.strip_prefix(".fuse_hidden")).is_some_and(is_hex)
        || name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(".trash-")) && is_number(&name[7..])
}

/// Whether a file has a name that editors leave beside a file that somebody works on: backups and locks of Vim, Emacs and Kate.
pub fn is_backup(name: &str) -> bool {
    let is_swap = || name.starts_with('.') && name.rsplit_once(".sw").is_some_and(|(_, end)| end.len() == 1);
    name == "4913"
        || name.ends_with('~')
        || name.starts_with('.') && name.ends_with(".kate-swp")
        || name.starts_with(".#")
        || name.len() > 1 && name.starts_with('#') && name.ends_with('#')
        || is_swap()
}

/// Whether a source is ignored: files of [systems](is_of_system), [backups](is_backup) and hidden files.
///
/// A public file may have a hidden name on purpose, such as `.well-known` (RFC 8615).
fn is_ignored(name: &str, is_public: impl Fn() -> bool) -> bool {
    is_of_system(name)
        || is_backup(name)
        || name.starts_with('#')
        || name.starts_with('.') && (name == ".git" || !is_public())
}

fn name_of(root: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(root).ok()?.to_str()?;
    Some(if MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace(MAIN_SEPARATOR, "/") })
}

/// Returns a path as it can be displayed, whatever its bytes are.
fn shown(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).iter();
    parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn unreadable(root: &Path, path: &Path, (reason, fix): (String, &'static str)) -> Diagnostic {
    Diagnostic::new(FileProblem::Unreadable { reason, fix }, Place::file(&SourcePath::new(shown(root, path))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_in_a_translation_and_its_original_is_in_one_of_them() {
        let [own, original] = ["own text", "its original"].map(|text| Source::of(text.as_bytes()));
        let original = Arc::new(original);
        let joined = own.translating(&original, &original.digest).unwrap();
        assert_eq!((joined.text(), own.joined().unwrap().original_at()), (Some("own text"), None));
        // A translation that shows less of it is the same as long as that is.
        assert_eq!(joined.digest, own.translating(&original, &original.digest).unwrap().digest);
        assert_ne!(joined.digest, own.translating(&original, &own.digest).unwrap().digest);
        let text = joined.joined().unwrap();
        assert_eq!(text.original_at(), Some(8));
        for (range, expected) in [
            (0..3, Some("own")),
            (4..8, Some("text")),
            (8..11, Some("its")),
            (12..20, Some("original")),
            (4..11, None),
            (12..21, None),
            (std::ops::Range { start: 9, end: 8 }, None),
        ] {
            assert_eq!(text.get(range.clone()), expected, "{range:?}");
        }
        assert!(own.translating(&Arc::new(Source::of(b"\xff")), &own.digest).is_none());
    }

    #[test]
    fn a_part_of_the_sources_has_some_kinds_alone_and_changes_with_these() {
        let hash = |sources: &Sources| {
            let mut hasher = std::hash::DefaultHasher::new();
            sources.hash(&mut hasher);
            hasher.finish()
        };
        let sources = |page: &str, template: &str| {
            Sources::from_files([("content/pages/a.md", page), ("templates/a.html", template), ("templates/a.css", "")])
        };
        let of_templates = |sources: Sources| sources.only(&[SourceKind::Template]);
        let first = of_templates(sources("a", "a"));
        assert_eq!(first.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["templates/a.html"]);
        assert_eq!(first.text(&SourcePath::new("content/pages/a.md")), None);
        assert_eq!(hash(&first), hash(&of_templates(sources("b", "a"))));
        assert_ne!(hash(&first), hash(&of_templates(sources("a", "b"))));
    }

    #[test]
    fn case_collisions_are_reported() {
        let sources =
            Sources::from_files([("content/assets/Logo.svg", ""), ("content/assets/logo.svg", ""), ("a", "")]);
        let diagnostics = case_collisions(&sources);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].place.as_ref().unwrap().path.as_str(), "content/assets/logo.svg");
    }

    #[test]
    fn files_of_editors_are_ignored_and_outside_links_refused() {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        std::fs::create_dir(&content).unwrap();
        for name in ["site.yaml", ".site.yaml.swp", "site.yaml~", "#site.yaml#"] {
            std::fs::write(content.join(name), "a: 1").unwrap();
        }
        let read_all = read(folder.path());
        let sources = read_all.value.unwrap();
        assert_eq!(sources.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["content/site.yaml"]);

        std::os::unix::fs::symlink("/etc/hostname", content.join("outside.md")).unwrap();
        let refused = read(folder.path());
        assert!(refused.value.is_none());
        assert_eq!(refused.diagnostics[0].place.as_ref().unwrap().path.as_str(), "content/outside.md");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_templates_and_schemas() {
        let folder = tempfile::tempdir().unwrap();
        for (path, is_kept) in [
            ("templates/pages/a.html", false),
            ("templates/pages/a.json", false),
            ("content/schemas/a.schema.json", false),
            ("content/public/a.txt", true),
        ] {
            let file = folder.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "\u{feff}{}").unwrap();
            let expected = if is_kept { "\u{feff}{}" } else { "{}" };
            let sources = read(folder.path()).value.unwrap();
            assert_eq!(sources.text(&SourcePath::new(path)), Some(expected), "{path}");
            let sources = Sources::from_files([(path, "\u{feff}{}")]);
            assert_eq!(sources.text(&SourcePath::new(path)), Some(expected), "{path}");
        }
    }

    #[test]
    fn a_text_that_fills_memory_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("content/pages")).unwrap();
        let file = File::create(folder.path().join("content/pages/a.md")).unwrap();
        file.set_len(6 * 1024 * 1024 * 1024).unwrap();
        assert_eq!(read(folder.path()).diagnostics.len(), 1);
    }

    #[test]
    fn links_lead_to_sources_only() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            ".git/config",
            ".env",
            "README.md",
            "package.json",
            "dist/index.html",
            "node_modules/a/index.js",
            "src/key",
            ".sitegen/results",
            "content/pages/.env",
            "content/.git/config",
            "content/public/.git/config",
            "content/pages/about.md",
            "content/public/.well-known/a.txt",
            "templates/base.html",
            "islands/parts/a.ts",
            "contents/a.md",
        ] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), path).unwrap();
        }
        let names = |path: &str| {
            let read = read(root);
            let read = read.value.unwrap_or_else(|| panic!("{path}: {:?}", read.diagnostics));
            read.iter().map(|(path, _)| path.to_string()).collect::<BTreeSet<_>>()
        };
        let own = names("own");
        assert_eq!(own.len(), 5, "{own:?}");
        for link in ["content/public/link", "content/link", "templates/deep/er/link", "islands/link"] {
            let link_path = root.join(link);
            std::fs::create_dir_all(link_path.parent().unwrap()).unwrap();
            let above = "../".repeat(link.matches('/').count());
            for target in [
                ".git",
                ".git/config",
                ".env",
                "README.md",
                "package.json",
                "dist",
                "dist/index.html",
                "node_modules",
                "src/key",
                ".sitegen",
                "content/pages/.env",
                "content/.git",
                "content/public/.git/config",
                "contents",
                "contents/a.md",
                "../",
                "/etc/hostname",
            ] {
                let relative = if target.starts_with('/') { String::new() } else { above.clone() };
                for target in [format!("{relative}{target}"), root.join(target).display().to_string()] {
                    symlink(&target, &link_path).unwrap();
                    let refused = read(root);
                    assert!(refused.value.is_none(), "{link} -> {target} is followed");
                    let [Diagnostic { problem, place: Some(place), .. }] = &refused.diagnostics[..] else {
                        panic!("{link} -> {target}: {:?}", refused.diagnostics);
                    };
                    assert_eq!((&**problem, place.path.as_str()), (&FileProblem::OutsideLink.into(), link), "{target}");
                    let mut sources = Sources::default();
                    assert_eq!(refresh(&mut sources, root, &[link.to_owned()].into()), None, "{link} -> {target}");
                    std::fs::remove_file(&link_path).unwrap();
                }
            }
            // A file that is ignored at its own path is not published through a link either.
            for (target, more) in [
                ("content/pages/about.md", &[""][..]),
                ("content/public/.well-known/a.txt", &[""]),
                ("templates/base.html", &[""]),
                ("islands/parts", &["/a.ts"]),
                ("content/pages", &["/about.md"]),
            ] {
                let leads_back = target.starts_with(link.rsplit_once('/').unwrap().0);
                if leads_back && !target.contains('.') {
                    continue;
                }
                symlink(format!("{above}{target}"), &link_path).unwrap();
                let expected = own.iter().cloned().chain(more.iter().map(|inner| format!("{link}{inner}")));
                assert_eq!(names(target), expected.collect(), "{link} -> {target}");
                let mut sources = Sources::default();
                for inner in ["", "/.env", "/about.md"] {
                    refresh(&mut sources, root, &[format!("{link}{inner}")].into()).unwrap();
                }
                assert!(
                    sources
                        .iter()
                        .all(|(path, _)| own.contains(path.as_str()) || names(target).contains(path.as_str()))
                );
                std::fs::remove_file(&link_path).unwrap();
            }
        }
    }

    #[test]
    fn a_folder_of_sources_may_be_a_link_to_a_visible_folder_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for target in ["elsewhere/inner", ".git", "node_modules/a"] {
            std::fs::create_dir_all(root.join(target).join("pages")).unwrap();
            std::fs::write(root.join(target).join("pages/a.md"), "a").unwrap();
        }
        for (target, is_followed) in
            [("elsewhere/inner", true), (".git", false), ("node_modules/a", false), (".", false), ("..", false)]
        {
            std::os::unix::fs::symlink(target, root.join("content")).unwrap();
            assert_eq!(read(root).value.is_some(), is_followed, "{target}");
            std::fs::remove_file(root.join("content")).unwrap();
        }
    }

    #[test]
    fn refreshing_gives_what_reading_gives() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for path in ["content/site.yaml", "content/a/b.md", "content/a-b.md", "content/a/c/d.md", "package.json"] {
            write(path, path);
        }
        let mut sources = read(root).value.unwrap();
        let mut renewed = |paths: &[&str]| -> Option<Vec<String>> {
            let paths = paths.iter().map(|path| (*path).to_owned()).collect();
            let differing = refresh(&mut sources, root, &paths)?;
            let fresh = read(root).value.unwrap();
            let all = |sources: &Sources| -> Vec<_> {
                sources.iter().map(|(path, source)| (path.clone(), source.digest)).collect()
            };
            assert_eq!(all(&sources), all(&fresh));
            assert!(sources.differing(&fresh).is_empty());
            Some(differing.iter().map(ToString::to_string).collect())
        };
        // Saved unchanged, saved with another text, and a swap file beside it.
        assert_eq!(renewed(&["content/a/b.md"]).unwrap(), [""; 0]);
        write("content/a/b.md", "other");
        write("content/a/.b.md.swp", "swap");
        assert_eq!(renewed(&["content/a/b.md", "content/a/.b.md.swp"]).unwrap(), ["content/a/b.md"]);
        // A folder that is removed, beside another whose name begins alike, and comes back.
        std::fs::rename(root.join("content/a"), root.join("aside")).unwrap();
        assert_eq!(renewed(&["content/a"]).unwrap(), ["content/a/b.md", "content/a/c/d.md"]);
        std::fs::rename(root.join("aside"), root.join("content/a")).unwrap();
        assert_eq!(renewed(&["content/a"]).unwrap(), ["content/a/b.md", "content/a/c/d.md"]);
        // A folder that replaces a file.
        std::fs::remove_file(root.join("content/a-b.md")).unwrap();
        write("content/a-b.md/x.md", "x");
        assert_eq!(renewed(&["content/a-b.md"]).unwrap(), ["content/a-b.md", "content/a-b.md/x.md"]);
        std::fs::remove_file(root.join("package.json")).unwrap();
        write("unrelated.txt", "x");
        assert_eq!(renewed(&["package.json", "unrelated.txt"]).unwrap(), ["package.json"]);
        // Reading everything reports what is wrong.
        write("content/a/B.md", "collision");
        write("content/a/b.md", "changed");
        let before = sources.clone();
        let paths = ["content/a/B.md", "content/a/b.md"].map(str::to_owned);
        assert_eq!(refresh(&mut sources, root, &paths.into()), None);
        assert!(sources.differing(&before).is_empty(), "what could not be read completely is not taken over");
    }
}
