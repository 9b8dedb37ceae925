//! Builds with caches, each compared with a build without any.
//!
//! A project is built by
//!
//! - a build with what earlier ones have left on the disk (`.sitegen` and `dist`),
//! - a build with one set of tools that lives as long as the comparison,
//! - the same with sources that are refreshed where something changed, as in a server,
//! - now and then, the program itself, twice: the second build uses the site snapshot,
//! - a machine with the project and nothing else, whose builds share a cache with each other,
//!
//! (in `npm test` the first three take turns, and in `tests/all` each builds after every change)
//!
//! and each must report and publish exactly what a clean build reports and publishes. Each result of a query that comes from
//! the cache meanwhile must also equal what the query gives at that moment.

use super::generated::{self, Files, difference};
use super::size;
use sitegen::cache::{Asked, Cache};
use sitegen::diagnostics::{Checked, Diagnostic, Severity, print, print_brief, summary};
use sitegen::profile::Profile;
use sitegen::publish::{Options, Outcome, publish};
use sitegen::shelf::Shelf;
use sitegen::sources::{self, Digest, Sources};
use sitegen::storage::address::Address;
use sitegen::storage::entry::Key;
use sitegen::storage::shared::Shared;
use sitegen::tools::shared::SharedCache;
use sitegen::tools::{Bundled, Bundling, DiskTools, Files as BundleFiles, Tools};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a build reported, and what it published if it did.
#[derive(PartialEq)]
pub struct Made {
    pub said: String,
    pub published: Option<Files>,
}

/// Reads a number from the environment.
pub fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Builds and publishes within this process.
pub fn build(root: &Path, profile: &Profile, tools: &dyn Tools) -> Made {
    build_of((root, &root.join("dist")), sources::read(root), profile, tools)
}

/// Builds what was read of a project, and publishes it to an output folder.
fn build_of((root, output): (&Path, &Path), read: Checked<Sources>, profile: &Profile, tools: &dyn Tools) -> Made {
    let Checked { value: sources, mut diagnostics } = read;
    let Some(sources) = sources else {
        return Made { said: said(diagnostics, &Sources::default(), root), published: None };
    };
    let checked = sitegen::build(&sources, profile, tools);
    diagnostics.extend(checked.diagnostics);
    let mut published = None;
    if let Some(artifacts) = checked.value {
        tools.cache().evict_unused();
        let options = Options { project: Some(root.to_path_buf()), ..Options::default() };
        match publish(&artifacts, output, &options) {
            Ok(Outcome::Published(_)) => published = Some(generated::read(output)),
            Ok(Outcome::Begun(failure)) => panic!("{failure:?}"),
            Ok(Outcome::Lacking(paths)) => panic!("{paths:?} were to be kept and are not there"),
            Err(failure) => diagnostics.push(failure),
        }
    }
    Made { said: said(diagnostics, &sources, root), published }
}

/// Returns what the program prints for these diagnostics.
fn said(mut diagnostics: Vec<Diagnostic>, sources: &Sources, root: &Path) -> String {
    diagnostics.sort_by(|a, b| a.place.cmp(&b.place));
    let text_of = |path: &sitegen::paths::SourcePath| sources.text(path);
    let mut text = String::new();
    for each in &diagnostics {
        text.push_str(&match each.severity {
            Severity::Warning => print_brief(each, &text_of),
            _ => print(each, false, &text_of),
        });
        text.push('\n');
    }
    if diagnostics.iter().any(|each| each.severity != Severity::Warning) {
        text.push_str(&format!("{}; nothing was published\n", summary(&diagnostics)));
    }
    text.replace(&*root.to_string_lossy(), "{project}")
}

/// Builds with the program.
pub fn run(root: &Path, profile: &Profile) -> Made {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(["build", "--against", "none", "--now", &profile.today.to_string(), "--root"]).arg(root);
    command.args(profile.drafts.then_some("--drafts")).args(profile.development.then_some("--development"));
    command.args(profile.staging.then_some("--staging"));
    command.args(profile.host.iter().flat_map(|host| ["--target", host.name()]));
    command.args(profile.base_url.iter().flat_map(|url| ["--base-url", url]));
    let output = command.env_remove("NO_COLOR").stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap().replace(&*root.to_string_lossy(), "{project}");
    let published = output.status.success().then(|| generated::read(&root.join("dist")));
    Made { said, published }
}

/// Tools that know what esbuild has made of the very same files in another project: it takes half of the time of this test,
/// and what is tested is what the engine keeps of it.
pub struct SharingTools<'a> {
    pub disk: &'a DiskTools,
    pub state: Digest,
    pub bundles: &'a Mutex<Bundles>,
}

/// What esbuild has made, by the state of its files and its options.
pub type Bundles = HashMap<(Digest, String), Result<Bundled, Diagnostic>>;

/// Returns the digest of everything that esbuild may read: all files but content and templates. What it reads of settings is
/// in its options.
pub fn state_of_bundles(files: &Files) -> Digest {
    let is_read =
        |path: &str| (!path.starts_with("content/") || path.starts_with("content/assets/")) && !path.ends_with(".html");
    digest_of(files.iter().filter(|(path, _)| is_read(path)))
}

/// Returns a digest of files.
fn digest_of<'f>(files: impl Iterator<Item = (&'f String, &'f Vec<u8>)>) -> Digest {
    let digests: Vec<u8> =
        files.flat_map(|(path, bytes)| [sources::digest(path.as_bytes()), sources::digest(bytes)].concat()).collect();
    sources::digest(&digests)
}

impl Tools for SharingTools<'_> {
    fn bundle(&self, bundling: &Bundling, files: &BundleFiles) -> Result<Bundled, Diagnostic> {
        let Bundling { written, replaced, entries, options } = bundling;
        let key = (self.state, format!("{written:?} {replaced:?} {entries:?} {options:?}"));
        if let Some(known) = self.bundles.lock().unwrap().get(&key) {
            return known.clone();
        }
        let bundled = self.disk.bundle(bundling, files);
        self.bundles.lock().unwrap().insert(key, bundled.clone());
        bundled
    }

    fn bundler(&self) -> Option<Digest> {
        self.disk.bundler()
    }

    fn package_digest(&self, path: &str) -> Option<Digest> {
        self.disk.package_digest(path)
    }

    fn package(&self, name: &str) -> Option<String> {
        self.disk.package(name)
    }

    fn package_file(&self, path: &str) -> Option<Arc<[u8]>> {
        self.disk.package_file(path)
    }

    fn cached(&self, key: &Digest) -> Option<Vec<u8>> {
        self.disk.cached(key)
    }

    fn store_cached(&self, key: &Digest, bytes: &[u8]) {
        self.disk.store_cached(key, bytes);
    }

    fn cache(&self) -> &Cache {
        self.disk.cache()
    }

    fn shared(&self) -> Option<&dyn SharedCache> {
        self.disk.shared()
    }
}

/// A project on disk that is built again and again.
struct Warm {
    name: &'static str,
    root: PathBuf,
    tools: Option<DiskTools>,
    /// The last sources, where they are refreshed instead of read again.
    sources: Option<Sources>,
    /// Its files.
    files: Files,
    /// What was published last. A failed build must leave it unchanged.
    published: Files,
}

/// Returns a shelf on which everything is in its file, as most of a large site is.
fn full_shelf() -> Shelf {
    let shelf = Shelf::in_folder(std::env::temp_dir());
    while shelf.has_room(1 << 10) {}
    shelf
}

/// Reads as a server of a large site does: only changed files, and no text of the others is in memory.
fn refreshed(known: &mut Option<Sources>, root: &Path, changed: &BTreeSet<String>) -> Checked<Sources> {
    let refreshed = known.take().and_then(|mut sources| {
        sources::refresh(&mut sources, root, changed)?;
        Some(Checked::new(sources, Vec::new()))
    });
    let read = refreshed.unwrap_or_else(|| sources::read_onto(&full_shelf(), root));
    known.clone_from(&read.value);
    read
}

/// Makes the folder hold these files, and touches nothing else in it. A changed file keeps its time and, where
/// possible, its length: neither may matter.
pub fn update(root: &Path, before: &Files, after: &Files) {
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        fs::remove_file(root.join(path)).unwrap();
    }
    for (path, bytes) in after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)) {
        let file = root.join(path);
        let time = fs::metadata(&file).and_then(|found| found.modified()).ok();
        // A file may replace a folder, and the other way round.
        if file.is_dir() {
            fs::remove_dir_all(&file).unwrap();
        }
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, bytes).unwrap();
        if let Some(time) = time {
            fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        }
    }
}

/// Changes the text of a file, if it exists.
pub fn edit(files: &mut Files, path: &str, change: impl FnOnce(String) -> String) {
    if let Some(bytes) = files.get_mut(path) {
        *bytes = change(String::from_utf8_lossy(bytes).into_owned()).into_bytes();
    }
}

/// What was asked of caches, by the kinds of queries.
pub type Queries = BTreeMap<&'static str, Asked>;

/// Adds what was asked of another cache.
pub fn add(asked: &mut Queries, more: Queries) {
    for (kind, more) in more {
        let asked = asked.entry(kind).or_default();
        asked.keys.extend(more.keys);
        asked.compared += more.compared;
    }
}

/// How many steps come before turns are taken. They change an input of every kind of query.
const FIRST: usize = 9;

/// How many results of clean builds are kept.
const KNOWN: usize = 12;

/// The name of the project of a machine that has nothing but it and a shared cache.
const ANOTHER_MACHINE: &str = "another-machine";

/// A shared cache in a folder, whose entries builds wait for however long that takes: so what they read does not depend on what else
/// the machine does.
pub struct Patient(pub Shared);

/// How long a build waits that would not wait at all elsewhere.
pub const LONG: Duration = Duration::from_secs(60);

impl Patient {
    pub fn open(folder: &Path) -> Arc<Self> {
        let address = Address::parse(&folder.to_string_lossy()).unwrap();
        let key = Key::of_trusted_folder().unwrap();
        Arc::new(Patient(Shared::open(&address, &key, Arc::new(|_: &str| None)).unwrap()))
    }
}

impl SharedCache for Patient {
    fn prefetch(&self, keys: &[Digest]) {
        self.0.prefetch(keys);
    }

    fn wait_for(&self, keys: &[Digest], _: Duration) {
        self.0.wait_for(keys, LONG);
    }

    fn get(&self, key: &Digest, patience: Duration) -> Option<Vec<u8>> {
        self.0.get(key, if patience.is_zero() { patience } else { LONG })
    }

    fn forget(&self) {
        self.0.forget();
    }

    fn put(&self, key: &Digest, bytes: Vec<u8>) {
        self.0.put(key, bytes);
    }

    fn is_filled(&self) -> bool {
        self.0.is_filled()
    }
}

/// Projects that are built again and again, and a clean one that each of their builds is compared with.
pub struct Comparison {
    seed: usize,
    warm: Vec<Warm>,
    clean: PathBuf,
    /// The files of the clean project, which is written anew now and then.
    clean_files: Files,
    bundles: Mutex<Bundles>,
    /// The cache that builds of a machine without any other share.
    shared: Arc<Patient>,
    /// What the last clean builds gave, by their inputs: states come back.
    known: VecDeque<((Digest, String), Made)>,
    asked: Queries,
    /// What was done, a line each.
    done: Vec<String>,
    /// What the last clean build reported.
    pub said: String,
    /// How many builds were compared.
    compared: usize,
    /// How many states of the project were valid.
    pub valid: usize,
    /// How often each kind of mistake was reported.
    codes: BTreeMap<String, usize>,
}

impl Comparison {
    /// Creates empty projects in a folder. `seed` is named where a build differs.
    pub fn of(work: &Path, seed: usize) -> Self {
        let roots =
            ["cached-on-disk", "cached-in-the-process", "refreshed-as-in-a-server", "the-program", ANOTHER_MACHINE];
        let warm = roots.map(|name| {
            let root = work.join(name);
            fs::create_dir_all(&root).unwrap();
            let tools = matches!(name, "cached-in-the-process" | "refreshed-as-in-a-server");
            let tools = tools.then(|| DiskTools::of(&root));
            Warm { name, root, tools, sources: None, files: Files::new(), published: Files::new() }
        });
        Comparison {
            seed,
            warm: warm.into(),
            clean: work.join("clean"),
            clean_files: Files::new(),
            bundles: Mutex::default(),
            shared: Patient::open(&work.join("shared-cache")),
            known: VecDeque::new(),
            asked: Queries::new(),
            done: Vec::new(),
            said: String::new(),
            compared: 0,
            valid: 0,
            codes: BTreeMap::new(),
        }
    }

    /// Builds the files in all projects. Returns whether they are valid, and panics if a build differs from the clean one.
    /// `what` says what was changed.
    pub fn build(&mut self, what: &str, files: &Files, profile: &Profile) -> bool {
        let round = self.done.len();
        self.done.push(format!("{round}: {what}"));
        let state = state_of_bundles(files);
        let inputs = (digest_of(files.iter()), format!("{profile:?}"));
        let place = self.known.iter().position(|(known, _)| *known == inputs);
        let expected = match place.and_then(|place| self.known.remove(place)) {
            Some((_, expected)) => expected,
            None => self.build_clean(files, profile, state, round),
        };
        self.valid += usize::from(expected.published.is_some());
        let sharing = |disk| SharingTools { disk, state, bundles: &self.bundles };

        // A result that should have changed stays in the cache, so that looking now and then finds it too.
        let is_audited = round < 5 || round.is_multiple_of(4);
        for (number, warm) in self.warm.iter_mut().enumerate() {
            warm.tools.iter().for_each(|tools| tools.cache().audit(is_audited));
            // The program starts in every fourth step, so that several edits come at once.
            let is_built = match warm.name {
                "the-program" => round.is_multiple_of(4),
                _ => size::sized(round < FIRST || round % 3 == number % 3, true),
            };
            if !is_built {
                continue;
            }
            update(&warm.root, &warm.files, files);
            let changed = files.keys().chain(warm.files.keys());
            let changed: BTreeSet<String> =
                changed.filter(|path| files.get(*path) != warm.files.get(*path)).cloned().collect();
            warm.files.clone_from(files);
            let made = match (&warm.tools, warm.name) {
                (Some(tools), "refreshed-as-in-a-server") => {
                    let read = refreshed(&mut warm.sources, &warm.root, &changed);
                    build_of((&warm.root, &warm.root.join("dist")), read, profile, &sharing(tools))
                }
                (Some(tools), _) => build(&warm.root, profile, &sharing(tools)),
                (None, "the-program") => {
                    // For the second build nothing has changed.
                    let first = run(&warm.root, profile);
                    let second = run(&warm.root, profile);
                    assert!(first == second, "round {round}: another build of the same made a difference");
                    second
                }
                (None, ANOTHER_MACHINE) => {
                    let _ = fs::remove_dir_all(warm.root.join(".sitegen"));
                    let tools = DiskTools::of(&warm.root).sharing(Some(self.shared.clone()));
                    build(&warm.root, profile, &SharingTools { disk: &tools, state, bundles: &self.bundles })
                }
                (None, _) => {
                    let tools = DiskTools::of(&warm.root);
                    tools.cache().audit(is_audited);
                    let made = build(&warm.root, profile, &tools);
                    add(&mut self.asked, tools.cache().audited());
                    made
                }
            };
            self.compared += 1;
            let done = &self.done;
            let reported = || {
                let last = done[done.len().saturating_sub(15)..].join("\n");
                format!("{}, seed {}, after\n{last}\n", warm.name, self.seed)
            };
            assert!(made.said == expected.said, "{}it said\n{}\nin place of\n{}", reported(), made.said, expected.said);
            if let Some(published) = &expected.published {
                warm.published.clone_from(published);
            }
            let found = generated::read(&warm.root.join("dist"));
            if let Some(difference) = difference(&warm.published, &found) {
                panic!("{}{difference}", reported());
            }
            assert_eq!(made.published.is_some(), expected.published.is_some(), "{}", reported());
        }
        let is_valid = expected.published.is_some();
        self.said.clone_from(&expected.said);
        self.known.push_back((inputs, expected));
        if self.known.len() > KNOWN {
            self.known.pop_front();
        }
        is_valid
    }

    fn build_clean(&mut self, files: &Files, profile: &Profile, state: Digest, round: usize) -> Made {
        // Nothing is left there but sources, and now and then not even folders that were emptied.
        let clean = &self.clean;
        if round.is_multiple_of(8) {
            let _ = fs::remove_dir_all(clean);
            self.clean_files.clear();
        }
        let _ = fs::remove_dir_all(clean.join(".sitegen"));
        let _ = fs::remove_dir_all(clean.join("dist"));
        update(clean, &self.clean_files, files);
        self.clean_files.clone_from(files);
        let disk = DiskTools::of(clean);
        let tools = SharingTools { disk: &disk, state, bundles: &self.bundles };
        let expected = build(clean, profile, &tools);
        for line in expected.said.lines() {
            let word = line.split_once('[').filter(|(word, _)| matches!(*word, "error" | "failed"));
            if let Some(code) = word.and_then(|(_, rest)| rest.split(']').next()) {
                *self.codes.entry(code.to_owned()).or_default() += 1;
            }
        }
        expected
    }

    /// Prints what was compared, and returns what was asked of the caches of this process.
    pub fn end(mut self) -> Queries {
        println!(
            "{} edits, {} warm builds compared with clean ones, {} states published and {} refused for {} kinds of mistakes",
            self.done.len(),
            self.compared,
            self.valid,
            self.done.len() - self.valid,
            self.codes.len()
        );
        let traffic = self.shared.0.finish(LONG);
        assert!(traffic.read > 0 && traffic.sent > 0, "{traffic:?}");
        assert_eq!((traffic.refused, traffic.failure), (0, None));
        for tools in self.warm.iter().filter_map(|warm| warm.tools.as_ref()) {
            add(&mut self.asked, tools.cache().audited());
        }
        self.asked
    }
}
