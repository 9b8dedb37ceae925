//! The programs and the cache that a build uses: the only part of it that reaches outside.
//!
//! esbuild's own binary is run directly, if it is a [known] one, without Node and with an empty environment, in a
//! folder of its own with copies of the sources. What it and the prerenderer gave is kept below `.sitegen/cache`, under the digest of everything it was
//! made from, so that a damaged or foreign cache is never trusted: an entry begins with the digest of its own key and
//! content.

pub mod git_packages;
pub mod known;
pub mod npm_settings;
mod programs;
mod resolution;
pub mod scratch;
pub mod shared;
mod workspace;

pub use programs::{end_programs, output};

use crate::cache::Cache;
use crate::diagnostics::{Diagnostic, ToolProblem, UnknownEsbuild};
use crate::observe::{NoopObserver, Observer, Work};
use crate::shelf::{FilePart, Shelf};
use crate::sources::{Digest, LargeFile, digest, fingerprint, without_mark};
use known::Copied;
use parking_lot::{Mutex, MutexGuard};
use scratch::SCRATCH;
use shared::SharedCache;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use workspace::{Workspace, new_folder};

/// The saved cache of pages, in that folder.
const CACHE_FILE: &str = "results";

/// How long an entry of the cache stays that no build uses: a branch that is built once a month finds its own.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Files of a project by their paths from its root, and their bytes.
pub type Files<'a> = BTreeMap<&'a str, &'a [u8]>;

/// What a build may use outside of its sources.
pub trait Tools: Sync {
    /// Runs esbuild. See [`Bundling`]. It sees the given files of the project, and not what is on the disk in their place.
    fn bundle(&self, bundling: &Bundling, files: &Files) -> Result<Bundled, Diagnostic>;

    /// Identifies this version of esbuild.
    fn bundler(&self) -> Option<Digest> {
        None
    }

    /// The digest of a file that a bundle was made from and that is no source of the project, such as a package's. Nothing
    /// if it is not there.
    fn package_digest(&self, path: &str) -> Option<Digest>;

    /// The folder of a package, as a path that esbuild resolves from the project's root.
    fn package(&self, name: &str) -> Option<String>;

    /// The names of the packages that are installed, for a suggestion.
    fn packages(&self) -> Vec<String> {
        Vec::new()
    }

    /// The bytes of a file in the folder of a package, links followed. Nothing if it leads out of the packages.
    fn package_file(&self, _path: &str) -> Option<Arc<[u8]>> {
        None
    }

    /// What was kept under a key.
    fn cached(&self, key: &Digest) -> Option<Vec<u8>>;

    /// Keeps bytes under a key.
    fn store_cached(&self, key: &Digest, bytes: &[u8]);

    /// The file that keeps bytes under a key, if they are kept in one and are what was kept.
    fn cached_file(&self, _key: &Digest) -> Option<LargeFile> {
        None
    }

    /// The cache that this machine shares with others, if it does.
    fn shared(&self) -> Option<&dyn SharedCache> {
        None
    }

    /// Whether files that are made from others are made when somebody asks for them, and not by the build.
    fn defers(&self) -> bool {
        false
    }

    /// Whether islands are compiled. Otherwise pages have nothing in their places: for checks in an editor, of which nothing is
    /// published.
    fn compiles_islands(&self) -> bool {
        true
    }

    /// What earlier builds came to.
    fn cache(&self) -> &Cache;

    /// A place for what a later stage of the build needs of each page.
    fn shelf(&self) -> Shelf {
        Shelf::default()
    }

    /// Who listens to the build.
    fn observer(&self) -> &dyn Observer {
        &NoopObserver
    }
}

/// One run of esbuild.
#[derive(Hash)]
pub struct Bundling {
    /// Entry files that are written for this run: names below the entry folder and their text.
    pub written: Vec<(String, String)>,
    /// Files of the project that are read with another text than they have, or that are not there: paths from its root.
    pub replaced: Vec<(String, String)>,
    /// Entry files of the project, relative to its root.
    pub entries: Vec<String>,
    /// Options besides those for entries and output.
    pub options: Vec<String>,
}

/// What a run of esbuild gave.
#[derive(Clone, Debug, Default)]
pub struct Bundled {
    /// The files it wrote by their names.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The JSON of esbuild's option `--metafile`.
    pub metafile: serde_json::Value,
    /// Those of its inputs that lie, once links are followed, neither in the project nor in the folders of its packages.
    pub outside: Vec<String>,
    /// What else than the given files decided what it gave: paths from the project's root, with the digests of what lies
    /// there. One without a digest is not there; if it were, it would decide.
    pub deciding: Vec<(String, Option<Digest>)>,
    /// Whether all of `deciding` was the same while it ran, so that the digests are those of what it has read.
    pub is_settled: bool,
    /// What it reported, if it failed. Then there are no files.
    pub errors: Vec<BundleError>,
}

/// An error that esbuild reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleError {
    /// As esbuild writes it, without the place.
    pub text: String,
    /// File relative to the project's root, line from one and column in bytes from zero.
    pub place: Option<(String, usize, usize)>,
}

/// Where the entry files of a run lie, relative to the project's root as the run sees it.
pub const ENTRIES: &str = ".sitegen/entries";

/// Where it writes, likewise.
const OUT: &str = ".sitegen/out";

/// The tools of a project on disk.
pub struct DiskTools {
    root: PathBuf,
    /// The scratch folder. Nothing of one that is [refused](scratch::refusal) is read or written.
    scratch: Option<PathBuf>,
    esbuild: Option<PathBuf>,
    /// The copy of that program that is started: made for the first run, since it takes some 50 ms.
    started: Mutex<Option<Arc<Copied>>>,
    starts_unknown: bool,
    cache: Cache,
    /// Digests of files of packages: each is read once.
    packages: Mutex<HashMap<String, Option<Digest>>>,
    /// Folders of packages, by their names.
    folders: Mutex<HashMap<String, Option<String>>>,
    observer: Arc<dyn Observer + Send>,
    defers: bool,
    starts_programs: bool,
    compiles_islands: bool,
    /// Keys of entries of the cache that were read or written.
    used: Mutex<HashSet<Digest>>,
    shared: Option<Arc<dyn SharedCache>>,
    /// Open as long as these tools are in use.
    _in_use: Option<std::fs::File>,
}

impl DiskTools {
    /// Finds the tools of the project in `root`. Packages are looked for as Node does: there and in the folders above. The
    /// program esbuild is not looked for above the repository or the npm workspace that the project is in.
    pub fn of(root: &Path) -> Self {
        let name = format!("@esbuild/{}", platform());
        let binary = if cfg!(windows) { "esbuild.exe" } else { "bin/esbuild" };
        let esbuild = program_folder(root, &name).map(|folder| folder.join(binary)).filter(|path| path.is_file());
        let (cache, observer) = (Cache::default(), Arc::new(NoopObserver));
        let scratch = scratch::refusal(root).is_none().then(|| root.join(SCRATCH));
        let _in_use = scratch.as_deref().and_then(scratch::clear);
        DiskTools {
            root: root.to_path_buf(),
            scratch,
            esbuild,
            started: Mutex::default(),
            starts_unknown: false,
            cache,
            packages: Mutex::default(),
            folders: Mutex::default(),
            observer,
            defers: false,
            starts_programs: true,
            compiles_islands: true,
            used: Mutex::default(),
            shared: None,
            _in_use,
        }
    }

    /// The program esbuild, if it is installed.
    pub fn esbuild(&self) -> Option<&Path> {
        self.esbuild.as_deref()
    }

    /// The same tools, which start no program: a bundle that is not in the cache is a failure of `esbuild`.
    pub fn without_programs(self) -> Self {
        DiskTools { starts_programs: false, ..self }
    }

    /// The same tools, which start no program and leave islands out.
    pub fn without_islands(self) -> Self {
        DiskTools { starts_programs: false, compiles_islands: false, ..self }
    }

    /// The same tools, which start any program esbuild: somebody trusts the project.
    pub fn starting_unknown(self) -> Self {
        DiskTools { starts_unknown: true, ..self }
    }

    /// The same tools with somebody who listens.
    pub fn observed_by(self, observer: Arc<dyn Observer + Send>) -> Self {
        DiskTools { observer, ..self }
    }

    /// The same tools with a cache that several machines share.
    pub fn sharing(self, shared: Option<Arc<dyn SharedCache>>) -> Self {
        DiskTools { shared, ..self }
    }

    /// The same tools for a server, which makes files from others when a browser asks for them.
    pub fn deferring(self) -> Self {
        DiskTools { defers: true, ..self }
    }

    /// The same tools with what an earlier process has [saved](DiskTools::save). The bytes of a page that it knows lie in
    /// the output folder alone.
    pub fn with_saved_cache(self) -> Self {
        let open = |path: PathBuf| FilePart::whole(std::fs::File::open(path).ok()?).ok();
        let saved = self.scratch(CACHE_FILE).and_then(open);
        DiskTools { cache: saved.map(Cache::load_file).unwrap_or_default(), ..self }
    }

    /// Looks for packages and reads their files anew when they are asked for next.
    pub fn forget_packages(&self) {
        self.digests().clear();
        self.folders.lock().clear();
        self.remove_copy();
    }

    /// Removes the copy of esbuild that was started, which the end of these tools also does.
    pub fn remove_copy(&self) {
        *self.started.lock() = None;
    }

    /// Writes a file that nothing depends on, and gives its path.
    pub fn write_scratch(&self, name: &str, bytes: &[u8]) -> PathBuf {
        if let Some(path) = self.scratch(name) {
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = write_atomically(&path, bytes);
        }
        self.root.join(SCRATCH).join(name)
    }

    /// What later processes may know, to be [saved](DiskTools::save). Nothing if it is saved already.
    pub fn to_save(&self) -> Option<SavedCache> {
        if self.cache.is_saved() {
            return None;
        }
        let path = self.scratch(CACHE_FILE)?;
        let _ = path.parent().map(std::fs::create_dir_all);
        let part = SavedCache { part: part_of(&path) };
        let mut file = std::fs::File::create_new(&part.part).ok()?;
        self.cache.save_to(&mut file).ok()?;
        Some(part)
    }

    /// Saves it. A memory that cannot be written only makes the next build slower.
    pub fn save(&self, cache: SavedCache) {
        if let Some(path) = self.scratch(CACHE_FILE) {
            let _ = replace(&path, &cache.part);
        }
    }

    fn scratch(&self, name: &str) -> Option<PathBuf> {
        Some(self.scratch.as_ref()?.join(name))
    }

    fn use_entry(&self, key: &Digest) {
        self.used.lock().insert(*key);
    }

    /// Drops the entries of the cache that no complete build has used for some time. `age` is the time since a file was
    /// last used, and `now` marks the ones that this build has used.
    pub fn drop_unused(&self, now: std::fs::FileTimes, age: impl Fn(&std::fs::Metadata) -> Option<Duration>) {
        let used = self.used.lock();
        let used: HashSet<PathBuf> = used.iter().filter_map(|key| self.cache_path(key)).collect();
        let is_entry =
            |name: &str| name.len() == 2 * size_of::<Digest>() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        for entry in
            self.scratch("cache").and_then(|cache| std::fs::read_dir(cache).ok()).into_iter().flatten().flatten()
        {
            if !entry.file_name().to_str().is_some_and(is_entry) {
                continue;
            }
            let Some(age) = entry.metadata().ok().and_then(|metadata| age(&metadata)) else { continue };
            if used.contains(&entry.path()) {
                if age > KEPT / 30 {
                    let file = std::fs::File::options().write(true).open(entry.path());
                    let _ = file.and_then(|file| file.set_times(now));
                }
            } else if age > KEPT {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn cache_path(&self, key: &Digest) -> Option<PathBuf> {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(self.scratch("cache")?.join(name))
    }

    /// Returns a copy of the program esbuild, or why it is not started.
    fn known(&self, esbuild: &Path) -> std::io::Result<Result<Arc<Copied>, ToolProblem>> {
        let mut started = self.started.lock();
        // Somebody may have deleted the scratch folder.
        if let Some(copied) = started.as_ref().filter(|copied| copied.program().is_file()) {
            return Ok(Ok(copied.clone()));
        }
        let folder = new_folder(self.usable_scratch()?)?;
        let digest = match Copied::of(esbuild, folder)? {
            Ok(copied) => return Ok(Ok(started.insert(Arc::new(copied)).clone())),
            Err(digest) => digest,
        };
        let root = self.root.canonicalize()?;
        let path = esbuild.strip_prefix(&root).unwrap_or(esbuild).display().to_string();
        let package = esbuild.ancestors().map(|folder| folder.join("package.json")).find(|file| file.is_file());
        let version = package.and_then(|file| json_of(&file)["version"].as_str().map(str::to_owned));
        let platform = platform();
        let of_platform: Vec<known::Known> = known::all().filter(|known| known.platform == platform).collect();
        let expected = of_platform.iter().find(|known| Some(known.version) == version.as_deref());
        Ok(Err(ToolProblem::UnknownEsbuild(Box::new(UnknownEsbuild {
            path,
            digest,
            expected: expected.map(|known| (known.version.to_owned(), known.digest)),
            known: of_platform.iter().map(|known| known.version.to_owned()).collect(),
            package: with_version("esbuild"),
            root: root.display().to_string(),
        }))))
    }

    fn usable_scratch(&self) -> std::io::Result<&Path> {
        self.scratch.as_deref().ok_or_else(|| std::io::Error::other(format!("{SCRATCH} cannot be used")))
    }

    fn run(&self, esbuild: &Path, bundling: &Bundling, files: &Files) -> std::io::Result<Bundled> {
        let mut entries = bundling.entries.clone();
        let written: Vec<(String, &str)> =
            bundling.written.iter().map(|(name, text)| (format!("{ENTRIES}/{name}"), text.as_str())).collect();
        entries.extend(written.iter().map(|(path, _)| path.clone()));
        let written = written.iter().map(|(path, text)| (path.as_str(), text.as_bytes()));
        let files = files.iter().map(|(path, bytes)| (*path, *bytes)).chain(written);
        let workspace = Workspace::create(&self.root, self.usable_scratch()?, files)?;
        let mut command = Command::new(esbuild);
        command
            .current_dir(workspace.folder())
            .env_clear()
            .args(&entries)
            .args(&bundling.options)
            // Without this, every `tsconfig.json` is read up to the root of the file system, and what they extend.
            .arg("--tsconfig-raw={}")
            .args(["--bundle", "--log-level=warning", "--log-limit=0", "--color=false", "--charset=utf8"])
            .arg(format!("--outdir={OUT}"))
            .arg(format!("--metafile={OUT}/meta.json"))
            .stdin(Stdio::null());
        let run = output(&mut command)?;
        let report = String::from_utf8_lossy(&run.stderr);
        // A stylesheet that does not parse is only a warning to esbuild. What it warns of is a mistake in any case: it
        // says nothing of packages' files.
        let mut errors = read_errors(&report);
        for (path, ..) in errors.iter_mut().filter_map(|error| error.place.as_mut()) {
            *path = workspace.project_path(path).to_owned();
        }
        if !errors.is_empty() {
            return Ok(Bundled { errors, ..Bundled::default() });
        }
        if !run.status.success() {
            return Err(std::io::Error::other(report.trim().to_owned()));
        }
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(workspace.folder().join(OUT))? {
            let entry = entry?;
            files.insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?);
        }
        let metafile = files.remove("meta.json").unwrap_or_default();
        let mut metafile: serde_json::Value = serde_json::from_slice(&metafile)?;
        let inputs = metafile["inputs"].as_object_mut().map(std::mem::take).unwrap_or_default();
        let copies: BTreeSet<String> = inputs.keys().filter(|path| workspace.contains(path)).cloned().collect();
        let count = inputs.len();
        let inputs = in_the_project(inputs, &workspace);
        let depth = self.root.canonicalize()?.components().count();
        let exists = |path: &str| self.root.join(path).is_file();
        let deciding = resolution::deciding(&inputs, depth, |path| copies.contains(path), exists);
        // What was known of packages may be older than this run.
        let digested = |path: String| {
            let digest = self.read_digest(&path);
            (path, digest)
        };
        let deciding: Vec<(String, Option<Digest>)> = deciding.into_iter().map(digested).collect();
        // A package that lies in the project may import a file of it from the disk, beside the copy.
        let is_settled = inputs.len() == count && deciding.iter().all(|(path, _)| !self.has_changed(&workspace, path));
        metafile["inputs"] = inputs.into();
        let outside = self.outside(&metafile);
        Ok(Bundled { files, metafile, outside, deciding, is_settled, errors: Vec::new() })
    }

    /// Whether a file of a package, or what is installed beside that package, has changed since a run began.
    fn has_changed(&self, workspace: &Workspace, path: &str) -> bool {
        let path = self.root.join(path);
        let folders = path.ancestors().position(|folder| folder.ends_with("node_modules")).unwrap_or_default();
        path.ancestors().take(folders + 1).any(|path| workspace.has_changed(path))
    }

    /// The digest of a file that is read now.
    fn read_digest(&self, path: &str) -> Option<Digest> {
        let read = std::fs::read(self.root.join(path)).ok().map(|bytes| digest(&bytes));
        self.digests().insert(path.to_owned(), read);
        read
    }

    fn digests(&self) -> MutexGuard<'_, HashMap<String, Option<Digest>>> {
        self.packages.lock()
    }

    /// The folders that packages lie in, links followed.
    fn package_folders(&self) -> Vec<PathBuf> {
        let root = self.root.canonicalize().unwrap_or_default();
        root.ancestors().filter_map(|folder| folder.join("node_modules").canonicalize().ok()).collect()
    }

    fn outside(&self, metafile: &serde_json::Value) -> Vec<String> {
        let Ok(root) = self.root.canonicalize() else { return Vec::new() };
        let mut allowed = self.package_folders();
        allowed.push(root);
        let inputs = metafile["inputs"].as_object().into_iter().flat_map(|inputs| inputs.keys());
        // What is no file, such as a module that a package leaves out for browsers, has no place to be outside of.
        let is_outside = |path: &&String| {
            let real = self.root.join(path).canonicalize();
            real.is_ok_and(|real| !allowed.iter().any(|folder| real.starts_with(folder)))
        };
        inputs.filter(is_outside).cloned().collect()
    }
}

/// Reads a JSON file. One that is missing or broken is `null`, and so is a pipe, which would never end.
fn json_of(path: &Path) -> serde_json::Value {
    let text = path.is_file().then(|| std::fs::read(path).ok()).flatten().unwrap_or_default();
    serde_json::from_slice(without_mark(&text)).unwrap_or_default()
}

/// Reads which packages `package.json` lists.
pub fn listed(root: &Path) -> impl Fn(&str) -> bool {
    let manifest = json_of(&root.join("package.json"));
    move |name| ["dependencies", "devDependencies"].iter().any(|group| !manifest[group][name].is_null())
}

/// The packages of npm that islands with components need besides esbuild.
pub const FOR_COMPONENTS: [&str; 2] = ["react", "react-dom"];

/// Returns the packages of npm that islands need.
pub fn needed_packages(has_components: bool) -> Vec<&'static str> {
    std::iter::once("esbuild").chain(FOR_COMPONENTS.into_iter().filter(|_| has_components)).collect()
}

/// Returns the command that installs the packages of islands where esbuild is missing.
fn install(root: &Path, files: &Files) -> String {
    let lists = listed(root);
    // `npm ci` needs a lock file.
    match lists("esbuild") {
        true if root.join("package-lock.json").is_file() => return "npm ci".to_owned(),
        true => return "npm install".to_owned(),
        false => {}
    }
    let is_own = |path: &&&str| !path.starts_with("islands/runtime/");
    let has_components = files.keys().filter(is_own).any(|path| path.ends_with(".tsx") || path.ends_with(".jsx"));
    let missing = needed_packages(has_components).into_iter().filter(|name| !lists(name)).map(with_version);
    format!("npm install --save-exact {}", missing.collect::<Vec<_>>().join(" "))
}

/// Returns a package of islands as npm installs it in the version that this version of the program is tested with: that of
/// the starter that has islands.
pub fn with_version(name: &str) -> String {
    const PACKAGES: &str = include_str!("../../../examples/starters/company/package.json");
    let all: serde_json::Value = serde_json::from_str(PACKAGES).unwrap_or_default();
    let version = ["dependencies", "devDependencies"].iter().find_map(|group| all[group][name].as_str());
    format!("{name}@{}", version.unwrap_or("latest"))
}

impl Tools for DiskTools {
    fn bundle(&self, bundling: &Bundling, files: &Files) -> Result<Bundled, Diagnostic> {
        let failed = |detail: String| Diagnostic::failure(ToolProblem::Tool { program: "esbuild", detail });
        let Some(esbuild) = &self.esbuild else {
            let install = install(&self.root, files);
            return Err(failed(format!("it is not installed; run `{install}` in the project's folder")));
        };
        if !self.starts_programs {
            return Err(failed("this command starts no program of the project".to_owned()));
        }
        let _work = Work::on(self.observer(), "esbuild");
        if self.starts_unknown {
            return self.run(esbuild, bundling, files).map_err(|error| failed(error.to_string()));
        }
        let known = self.known(esbuild).map_err(|error| failed(error.to_string()))?.map_err(Diagnostic::failure)?;
        self.run(known.program(), bundling, files).map_err(|error| failed(error.to_string()))
    }

    /// By the package that it comes in.
    fn bundler(&self) -> Option<Digest> {
        let folder = self.esbuild.as_ref()?.ancestors().find(|folder| folder.join("package.json").is_file())?;
        self.package_digest(&folder.join("package.json").to_string_lossy())
    }

    fn package_digest(&self, path: &str) -> Option<Digest> {
        let known = self.digests().get(path).copied();
        known.unwrap_or_else(|| self.read_digest(path))
    }

    fn package(&self, name: &str) -> Option<String> {
        let find = || package_folder(&self.root, name).map(|folder| folder.to_string_lossy().into_owned());
        let mut folders = self.folders.lock();
        folders.entry(name.to_owned()).or_insert_with(find).clone()
    }

    fn packages(&self) -> Vec<String> {
        let names_in = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            names.retain(|name| !name.starts_with('.'));
            names
        };
        let in_folder = |folder: PathBuf| {
            let scoped = |name: String| match name.starts_with('@') {
                true => names_in(&folder.join(&name)).iter().map(|inner| format!("{name}/{inner}")).collect(),
                false => vec![name],
            };
            names_in(&folder).into_iter().flat_map(scoped).collect::<Vec<_>>()
        };
        let mut names: Vec<String> = self.package_folders().into_iter().flat_map(in_folder).collect();
        names.sort_unstable();
        names
    }

    fn package_file(&self, path: &str) -> Option<Arc<[u8]>> {
        let real = self.root.join(path).canonicalize().ok().filter(|real| real.is_file())?;
        let is_inside = self.package_folders().iter().any(|folder| real.starts_with(folder));
        if is_inside { std::fs::read(real).ok().map(Arc::from) } else { None }
    }

    fn cached(&self, key: &Digest) -> Option<Vec<u8>> {
        self.entry(key).map(|(content, _)| content)
    }

    fn store_cached(&self, key: &Digest, bytes: &[u8]) {
        self.use_entry(key);
        // The server may ask for it after the project was moved away, whose folder must not come back by that.
        if !self.root.is_dir() {
            return;
        }
        // A cache that cannot be written only makes the next build slower.
        let Some(path) = self.cache_path(key) else { return };
        let entry = [&mark(key, &digest(bytes))[..], bytes].concat();
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = write_atomically(&path, &entry);
    }

    fn cached_file(&self, key: &Digest) -> Option<LargeFile> {
        let (content, digest) = self.entry(key)?;
        let (len, skip, path) = (content.len() as u64, size_of::<Digest>() as u64, self.cache_path(key)?);
        Some(LargeFile { path, skip, len, digest, fingerprint: Some(fingerprint(&content)) })
    }

    fn shared(&self) -> Option<&dyn SharedCache> {
        self.shared.as_deref()
    }

    fn defers(&self) -> bool {
        self.defers
    }

    fn compiles_islands(&self) -> bool {
        self.compiles_islands
    }

    fn shelf(&self) -> Shelf {
        self.scratch.clone().map(Shelf::in_folder).unwrap_or_default()
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn observer(&self) -> &dyn Observer {
        &*self.observer
    }
}

impl DiskTools {
    /// Reads what is kept under a key, with its digest.
    fn entry(&self, key: &Digest) -> Option<(Vec<u8>, Digest)> {
        let mut bytes = std::fs::read(self.cache_path(key)?).ok()?;
        let (known, content) = bytes.split_at_checked(size_of::<Digest>())?;
        let digest = digest(content);
        let is_valid = mark(key, &digest)[..] == *known;
        self.use_entry(key);
        if !is_valid {
            return None;
        }
        bytes.drain(..size_of::<Digest>());
        Some((bytes, digest))
    }
}

/// What an entry begins with: the digest of its key and of the digest of its content, so that neither a damaged entry nor
/// that of another key is trusted. Copies of pictures need the digest of their content anyway.
fn mark(key: &Digest, content: &Digest) -> Digest {
    digest(&[&key[..], content].concat())
}

/// The cache for later processes, written beside that of earlier ones, which it [replaces](DiskTools::save) once the site is
/// published.
pub struct SavedCache {
    part: PathBuf,
}

impl Drop for SavedCache {
    fn drop(&mut self) {
        // There is none if it has replaced the earlier one.
        let _ = std::fs::remove_file(&self.part);
    }
}

/// Writes a file so that no other process ever sees a part of it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let part = part_of(path);
    std::fs::write(&part, bytes)?;
    replace(path, &part)
}

/// Returns the path of a file that is written beside another one, which it will replace.
fn part_of(path: &Path) -> PathBuf {
    static WRITES: AtomicU32 = AtomicU32::new(0);
    path.with_extension(format!("{}-{}", std::process::id(), WRITES.fetch_add(1, Ordering::Relaxed)))
}

fn replace(path: &Path, part: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        std::fs::remove_dir_all(path)?;
    }
    std::fs::rename(part, path)
}

/// The inputs of a metafile, and what they import, by their paths from the project's root.
fn in_the_project(
    inputs: serde_json::Map<String, serde_json::Value>,
    workspace: &Workspace,
) -> serde_json::Map<String, serde_json::Value> {
    const DISABLED: &str = "(disabled):";
    let renamed = |path: &str| match path.strip_prefix(DISABLED) {
        Some(path) => format!("{DISABLED}{}", workspace.project_path(path)),
        None => workspace.project_path(path).to_owned(),
    };
    let input = |(path, mut input): (String, serde_json::Value)| {
        for import in input["imports"].as_array_mut().into_iter().flatten() {
            if let Some(path) = import["path"].as_str().map(renamed) {
                import["path"] = path.into();
            }
        }
        (renamed(&path), input)
    };
    inputs.into_iter().map(input).collect()
}

fn package_folder(root: &Path, name: &str) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    root.ancestors().map(|folder| folder.join("node_modules").join(name)).find(|folder| folder.is_dir())
}

/// The folder of a package whose program is run. Another user may own a folder above the project, such as that of all
/// temporary files, so only those of the repository or of the npm workspace that the project is in are asked.
fn program_folder(root: &Path, name: &str) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let has_workspaces = |folder: &Path| {
        !json_of(&folder.join("package.json"))["workspaces"].is_null() || folder.join("pnpm-workspace.yaml").is_file()
    };
    let is_top = |folder: &Path| folder.join(".git").exists() || has_workspaces(folder);
    let folders = root.ancestors().position(is_top).unwrap_or_default();
    let mut near = root.ancestors().take(folders + 1).map(|folder| folder.join("node_modules").join(name));
    near.find(|folder| folder.is_dir() && is_of_owner(folder, &root))
}

/// Whether a folder belongs to the owner of the project or to the administrator.
#[cfg(unix)]
fn is_of_owner(folder: &Path, root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| path.metadata().ok().map(|metadata| metadata.uid());
    owner(folder).is_some_and(|user| user == 0 || Some(user) == owner(root))
}

#[cfg(not(unix))]
fn is_of_owner(_: &Path, _: &Path) -> bool {
    true
}

/// The platform, as the packages of esbuild are named.
fn platform() -> String {
    format!("{}-{}", node_platform(), node_architecture())
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
        let reported = line.split_once("[ERROR] ").or_else(|| line.split_once("[WARNING] "));
        if let Some((_, text)) = reported {
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
    fn the_command_that_installs_packages_is_the_one_that_works() {
        let folder = tempfile::tempdir().unwrap();
        let command = |files: &[&str]| {
            install(folder.path(), &files.iter().map(|path| (*path, &b""[..])).collect::<BTreeMap<&str, &[u8]>>())
        };
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let (react, plain) = (["islands/A.tsx"], ["islands/a.ts", "islands/runtime/mount.tsx"]);
        let [esbuild, react_itself, dom] = ["esbuild", "react", "react-dom"].map(with_version);
        assert!(esbuild.starts_with("esbuild@0."), "{esbuild}");
        assert_eq!(command(&react), format!("npm install --save-exact {esbuild} {react_itself} {dom}"));
        assert_eq!(command(&plain), format!("npm install --save-exact {esbuild}"));
        write("package.json", r#"{"dependencies": {"react": "19.0.0"}}"#);
        write("package-lock.json", "{}");
        assert_eq!(command(&react), format!("npm install --save-exact {esbuild} {dom}"));
        write("package.json", r#"{"devDependencies": {"esbuild": "0.25.0"}}"#);
        assert_eq!(command(&react), "npm ci");
        std::fs::remove_file(folder.path().join("package-lock.json")).unwrap();
        assert_eq!(command(&plain), "npm install");
    }

    #[test]
    fn the_program_of_a_folder_above_the_repository_is_not_run() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("repository/site");
        std::fs::create_dir_all(folder.path().join("node_modules/p")).unwrap();
        std::fs::create_dir_all(&project).unwrap();
        assert_eq!(program_folder(&project, "p"), None);
        std::fs::create_dir(folder.path().join("repository/.git")).unwrap();
        assert_eq!(program_folder(&project, "p"), None);
        let shared = folder.path().canonicalize().unwrap().join("repository/node_modules/p");
        std::fs::create_dir_all(&shared).unwrap();
        assert_eq!(program_folder(&project, "p"), Some(shared));
        // Without a repository, a workspace of npm.
        std::fs::remove_dir(folder.path().join("repository/.git")).unwrap();
        assert_eq!(program_folder(&project, "p"), None);
        std::fs::write(folder.path().join("repository/package.json"), r#"{"workspaces": ["site"]}"#).unwrap();
        assert!(program_folder(&project, "p").is_some());
        let own = project.canonicalize().unwrap().join("node_modules/p");
        std::fs::create_dir_all(&own).unwrap();
        assert_eq!(program_folder(&project, "p"), Some(own));
    }

    #[test]
    fn a_damaged_or_foreign_cache_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let tools = DiskTools::of(folder.path());
        let key = digest(b"key");
        tools.store_cached(&key, b"value");
        assert_eq!(tools.cached(&key).as_deref(), Some(&b"value"[..]));
        let path = tools.cache_path(&key).unwrap();
        let complete = std::fs::read(&path).unwrap();
        for damaged in
            [&complete[..10], &complete[..complete.len() - 1], b"something else that is long enough to be an entry"]
        {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(tools.cached(&key), None);
        }
        // A valid entry in the place of another.
        std::fs::write(tools.cache_path(&digest(b"other")).unwrap(), &complete).unwrap();
        assert_eq!(tools.cached(&digest(b"other")), None);
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
