//! The programs and the memory that a build uses: the only part of it that touches the world.
//!
//! esbuild's own binary is run directly, without Node and with an empty environment. What it and the prerenderer gave is
//! kept below `.sitegen/cache`, under the digest of everything it was made from, so that a damaged or foreign cache is
//! never trusted: an entry begins with the digest of its own key and content.

mod leavings;
mod programs;

pub use programs::{end_programs, output};

use crate::diagnostics::{Diagnostic, Problem};
use crate::memory::Memory;
use crate::observe::{Nobody, Observer, Work};
use crate::sources::{Digest, digest};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The folder of a project for what can be made again at any time.
const SCRATCH: &str = ".sitegen";

/// What is remembered of pages, in that folder.
const MEMORY: &str = "memory";

/// What a build may use of the world outside its sources.
pub trait Tools: Sync {
    /// Runs esbuild. See [`Bundling`].
    fn bundle(&self, bundling: &Bundling) -> Result<Bundled, Diagnostic>;

    /// The digest of a file that a bundle was made from and that is no source of the project, such as a package's.
    fn package_digest(&self, path: &str) -> Option<Digest>;

    /// The folder of a package, as a path that esbuild resolves from the project's root.
    fn package(&self, name: &str) -> Option<String>;

    /// What was kept under a key.
    fn recall(&self, key: &Digest) -> Option<Vec<u8>>;

    /// Keeps bytes under a key.
    fn remember(&self, key: &Digest, bytes: &[u8]);

    /// What earlier builds came to.
    fn memory(&self) -> &Memory;

    /// Who listens to the build.
    fn observer(&self) -> &dyn Observer {
        &Nobody
    }
}

/// One run of esbuild.
pub struct Bundling {
    /// Entry files that are written for this run: names below the entry folder and their text.
    pub written: Vec<(String, String)>,
    /// Entry files of the project, relative to its root.
    pub entries: Vec<String>,
    /// Options besides those for entries and output.
    pub options: Vec<String>,
}

/// What a run of esbuild gave.
#[derive(Debug, Default)]
pub struct Bundled {
    /// The files it wrote by their names.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Its metafile.
    pub metafile: serde_json::Value,
    /// Those of its inputs that lie, once links are followed, neither in the project nor in the folders of its packages.
    pub outside: Vec<String>,
    /// What it reported, if it failed. Then there are no files.
    pub errors: Vec<BundleError>,
}

/// An error that esbuild reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleError {
    /// Its words.
    pub text: String,
    /// File relative to the project's root, line from one and column in bytes from zero.
    pub place: Option<(String, usize, usize)>,
}

/// Where the entry files of a run lie, relative to the project's root. The folder is part of what esbuild hashes, so
/// it is the same for every run.
pub const ENTRIES: &str = ".sitegen/entries";

/// The tools of a project on disk.
pub struct DiskTools {
    root: PathBuf,
    esbuild: Option<PathBuf>,
    memory: Memory,
    /// Digests of files of packages: each is read once.
    packages: Mutex<HashMap<String, Option<Digest>>>,
    observer: Arc<dyn Observer + Send>,
    /// Open as long as these tools are in use.
    _in_use: Option<std::fs::File>,
}

impl DiskTools {
    /// Finds the tools of the project in `root`. Packages are looked for as Node does: there and in the folders above.
    pub fn of(root: &Path) -> Self {
        let name = format!("@esbuild/{}-{}", node_platform(), node_architecture());
        let binary = if cfg!(windows) { "esbuild.exe" } else { "bin/esbuild" };
        let esbuild = package_folder(root, &name).map(|folder| folder.join(binary)).filter(|path| path.is_file());
        let (memory, observer) = (Memory::default(), Arc::new(Nobody));
        let _in_use = leavings::clear(&root.join(SCRATCH));
        DiskTools { root: root.to_path_buf(), esbuild, memory, packages: Mutex::default(), observer, _in_use }
    }

    /// The same tools with somebody who listens.
    pub fn observed_by(self, observer: Arc<dyn Observer + Send>) -> Self {
        DiskTools { observer, ..self }
    }

    /// The same tools with what an earlier process has [saved](DiskTools::save). The bytes of a page that it knows lie in
    /// the output folder alone.
    pub fn with_saved_memory(self) -> Self {
        let saved = std::fs::read(self.scratch(MEMORY)).unwrap_or_default();
        DiskTools { memory: Memory::load(saved), ..self }
    }

    /// Reads the files of packages anew when they are asked for next.
    pub fn forget_packages(&self) {
        self.packages.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Writes a file that nothing depends on, and gives its path.
    pub fn write_scratch(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.scratch(name);
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = write_whole(&path, bytes);
        path
    }

    /// What later processes may know, to be [saved](DiskTools::save). Nothing if it is saved already.
    pub fn to_save(&self) -> Option<Vec<u8>> {
        (!self.memory.is_saved()).then(|| self.memory.save())
    }

    /// Saves it. A memory that cannot be written only makes the next build slower.
    pub fn save(&self, memory: &[u8]) {
        self.write_scratch(MEMORY, memory);
    }

    fn scratch(&self, name: &str) -> PathBuf {
        self.root.join(SCRATCH).join(name)
    }

    fn cached(&self, key: &Digest) -> PathBuf {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.scratch("cache").join(name)
    }

    fn run(&self, esbuild: &Path, bundling: &Bundling, out: &str) -> std::io::Result<Bundled> {
        let mut entries = bundling.entries.clone();
        for (name, text) in &bundling.written {
            write_if_changed(&self.root.join(ENTRIES).join(name), text.as_bytes())?;
            entries.push(format!("{ENTRIES}/{name}"));
        }
        let metafile = format!("{out}/meta.json");
        let mut command = Command::new(esbuild);
        command
            .current_dir(&self.root)
            .env_clear()
            .args(&entries)
            .args(&bundling.options)
            // Without this, every `tsconfig.json` is read up to the root of the file system, and what they extend.
            .arg("--tsconfig-raw={}")
            .args(["--bundle", "--log-level=warning", "--log-limit=0", "--color=false", "--charset=utf8"])
            .arg(format!("--outdir={out}"))
            .arg(format!("--metafile={metafile}"))
            .stdin(Stdio::null());
        let run = output(&mut command)?;
        if !run.status.success() {
            let said = String::from_utf8_lossy(&run.stderr);
            let errors = read_errors(&said);
            if errors.is_empty() {
                return Err(std::io::Error::other(said.trim().to_owned()));
            }
            return Ok(Bundled { errors, ..Bundled::default() });
        }
        // A stylesheet that does not parse is only a warning to esbuild. What it warns of is a mistake in any case: it
        // says nothing of packages' files.
        let errors = read_errors(&String::from_utf8_lossy(&run.stderr));
        if !errors.is_empty() {
            return Ok(Bundled { errors, ..Bundled::default() });
        }
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(self.root.join(out))? {
            let entry = entry?;
            files.insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?);
        }
        let metafile = files.remove("meta.json").unwrap_or_default();
        let metafile = serde_json::from_slice(&metafile)?;
        let outside = self.outside(&metafile);
        Ok(Bundled { files, metafile, outside, errors: Vec::new() })
    }

    fn outside(&self, metafile: &serde_json::Value) -> Vec<String> {
        let Ok(root) = self.root.canonicalize() else { return Vec::new() };
        let packages = root.ancestors().filter_map(|folder| folder.join("node_modules").canonicalize().ok());
        let allowed: Vec<PathBuf> = packages.chain([root.clone()]).collect();
        let inputs = metafile["inputs"].as_object().into_iter().flat_map(|inputs| inputs.keys());
        // What is no file, such as a module that a package leaves out for browsers, has no place to be outside of.
        let is_outside = |path: &&String| {
            let real = self.root.join(path).canonicalize();
            real.is_ok_and(|real| !allowed.iter().any(|folder| real.starts_with(folder)))
        };
        inputs.filter(is_outside).cloned().collect()
    }
}

impl Tools for DiskTools {
    fn bundle(&self, bundling: &Bundling) -> Result<Bundled, Diagnostic> {
        let failed = |detail: String| Diagnostic::failure(Problem::Tool { program: "esbuild", detail });
        let Some(esbuild) = &self.esbuild else {
            return Err(failed("it is not installed; run `npm ci` in the project's folder".into()));
        };
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let out = format!("{SCRATCH}/out-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
        let _work = Work::on(self.observer(), "esbuild");
        let result = self.run(esbuild, bundling, &out).map_err(|error| failed(error.to_string()));
        // What is left over here is cleared by the next build; nothing depends on it.
        let _ = std::fs::remove_dir_all(self.root.join(&out));
        result
    }

    fn package_digest(&self, path: &str) -> Option<Digest> {
        let mut packages = self.packages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = packages.get(path) {
            return *known;
        }
        let read = std::fs::read(self.root.join(path)).ok().map(|bytes| digest(&bytes));
        packages.insert(path.to_owned(), read);
        read
    }

    fn package(&self, name: &str) -> Option<String> {
        package_folder(&self.root, name).map(|folder| folder.to_string_lossy().into_owned())
    }

    fn recall(&self, key: &Digest) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.cached(key)).ok()?;
        let (known, content) = bytes.split_at_checked(32)?;
        (mark(key, content)[..] == *known).then(|| content.to_vec())
    }

    fn remember(&self, key: &Digest, bytes: &[u8]) {
        // A cache that cannot be written only makes the next build slower.
        let path = self.cached(key);
        let entry = [&mark(key, bytes)[..], bytes].concat();
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = write_whole(&path, &entry);
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn observer(&self) -> &dyn Observer {
        &*self.observer
    }
}

/// What an entry begins with: the digest of its key and its content, so that neither a damaged entry nor that of another
/// key is trusted.
fn mark(key: &Digest, content: &[u8]) -> Digest {
    digest(&[key, content].concat())
}

/// Writes a file so that no other process ever sees a part of it.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    static WRITES: AtomicU32 = AtomicU32::new(0);
    let part = path.with_extension(format!("{}-{}", std::process::id(), WRITES.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&part, bytes)?;
    if path.is_dir() {
        std::fs::remove_dir_all(path)?;
    }
    std::fs::rename(&part, path)
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    write_whole(path, bytes)
}

fn package_folder(root: &Path, name: &str) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    root.ancestors().map(|folder| folder.join("node_modules").join(name)).find(|folder| folder.is_dir())
}

/// Node's `process.platform`.
fn node_platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

/// Node's `process.arch`.
fn node_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "ia32",
        other => other,
    }
}

/// Reads esbuild's report, of which there is no JSON on the command line:
///
/// ```text
/// ✘ [ERROR] Could not resolve "./nothing"
///
///     islands/Form.tsx:3:17:
///       3 │ import nothing from "./nothing";
/// ```
fn read_errors(report: &str) -> Vec<BundleError> {
    let mut errors: Vec<BundleError> = Vec::new();
    let mut fresh = false;
    for line in report.lines() {
        let told = line.split_once("[ERROR] ").or_else(|| line.split_once("[WARNING] "));
        if let Some((_, text)) = told {
            // `Unexpected "{" [css-syntax-error]`: the name is for esbuild's own options.
            let text = text.trim();
            let text = text.rsplit_once(" [").filter(|_| text.ends_with(']')).map_or(text, |(text, _)| text);
            errors.push(BundleError { text: text.to_owned(), place: None });
            fresh = true;
        } else if fresh
            && let Some(place) = line.trim().strip_suffix(':').and_then(read_place)
            && let Some(error) = errors.last_mut()
        {
            error.place = Some(place);
            fresh = false;
        }
    }
    errors
}

fn read_place(text: &str) -> Option<(String, usize, usize)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_or_foreign_memory_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let tools = DiskTools::of(folder.path());
        let key = digest(b"key");
        tools.remember(&key, b"value");
        assert_eq!(tools.recall(&key).as_deref(), Some(&b"value"[..]));
        let path = tools.cached(&key);
        let whole = std::fs::read(&path).unwrap();
        for damaged in [&whole[..10], &whole[..whole.len() - 1], b"something else that is long enough to be an entry"] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(tools.recall(&key), None);
        }
        // A sound entry in the place of another.
        std::fs::write(tools.cached(&digest(b"other")), &whole).unwrap();
        assert_eq!(tools.recall(&digest(b"other")), None);
    }

    #[test]
    fn the_report_is_read_with_its_places() {
        let report = "✘ [ERROR] Could not resolve \"x\"\n\n    islands/A.tsx:3:17:\n      3 │ import x from \"x\"\n        ╵ \
                      ~~~\n\n✘ [ERROR] No place\n\n2 errors\n";
        let errors = read_errors(report);
        assert_eq!(errors[0].text, "Could not resolve \"x\"");
        assert_eq!(errors[0].place, Some(("islands/A.tsx".into(), 3, 17)));
        assert_eq!(errors[1].place, None);
    }
}
