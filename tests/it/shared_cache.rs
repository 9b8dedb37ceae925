//! A cache that machines share, in a folder, and builds that are divided among machines. `tests/it/cache.rs` compares builds that
//! share a cache with clean ones over many edits; `tests/deploying` has real servers.

use crate::support::generated::{self, Files, difference};
use crate::support::warm::{LONG, Patient};
use sitegen::observe::Observer;
use sitegen::pages::Part;
use sitegen::profile::Profile;
use sitegen::sources::{self, Body};
use sitegen::storage::shared::Traffic;
use sitegen::tools::DiskTools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use walkdir::WalkDir;

const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// Machines with the same project, and a folder that all of them reach.
struct Machines {
    folder: tempfile::TempDir,
    files: Files,
}

/// What a command printed, with white space as single spaces.
struct Said {
    code: Option<i32>,
    out: String,
    error: String,
}

impl Machines {
    fn new() -> Self {
        let mut files = generated::project(200, false);
        generated::add_pictures(&mut files);
        generated::add_preview_and_budget(&mut files);
        Machines { folder: tempfile::tempdir().unwrap(), files }
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn entries(&self) -> Vec<PathBuf> {
        let files = WalkDir::new(self.cache()).sort_by_file_name().into_iter().flatten();
        files.filter(|entry| entry.file_type().is_file()).map(|entry| entry.path().to_owned()).collect()
    }

    /// Runs a build on a machine, which has nothing but the project at first.
    fn build(&self, machine: &str, arguments: &[&str], secret: Option<&str>) -> Said {
        let root = self.folder.path().join(machine);
        if !root.exists() {
            generated::write(&self.files, &root);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.env_remove("SITEGEN_CACHE_KEY").envs(secret.map(|secret| ("SITEGEN_CACHE_KEY", secret)));
        command.args(["build", "--now", "2026-12-01", "--root"]).arg(&root).args(arguments);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let [out, error] = [output.stdout, output.stderr]
            .map(|text| String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" "));
        Said { code: output.status.code(), out, error }
    }

    fn sharing(&self, machine: &str, arguments: &[&str]) -> Said {
        let cache = self.cache();
        self.build(machine, &[&["--cache", cache.to_str().unwrap()], arguments].concat(), Some(SECRET))
    }

    fn published(&self, machine: &str) -> Files {
        generated::read(&self.folder.path().join(machine).join("dist"))
    }

    fn assert_same(&self, machine: &str, other: &str) {
        assert_eq!(difference(&self.published(machine), &self.published(other)), None);
    }
}

/// Returns the numbers of entries that were read and written.
fn traffic(said: &Said) -> (usize, usize) {
    assert_eq!(said.code, Some(0), "{} {}", said.out, said.error);
    let rest = said.out.split("shared cache: ").nth(1).unwrap_or_else(|| panic!("{}", said.out));
    let numbers: Vec<usize> = rest.split(' ').filter_map(|word| word.parse().ok()).take(2).collect();
    (numbers[0], numbers[1])
}

/// Counts the pages that are rendered.
#[derive(Default)]
struct Renderings(AtomicUsize);

impl Observer for Renderings {
    fn begin(&self, stage: &'static str, _: Option<&str>) -> usize {
        self.0.fetch_add(usize::from(stage == "render a page"), Ordering::Relaxed)
    }
}

/// A build within this process on a machine that has nothing but the project, and waits for the cache as long as it takes.
/// Returns how many pages were rendered.
fn build_patiently(root: &Path, cache: &Path, part: Option<Part>) -> (Option<Files>, usize, Traffic) {
    let (shared, renderings) = (Patient::open(cache), Arc::new(Renderings::default()));
    let _ = fs::remove_dir_all(root.join(".sitegen"));
    let tools = DiskTools::of(root).sharing(Some(shared.clone())).observed_by(renderings.clone());
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let sources = sources::read(root).value.unwrap();
    let files = match part {
        Some(part) => {
            sitegen::build_part(&sources, &profile, &tools, part).value.unwrap();
            None
        }
        None => {
            let artifacts = sitegen::build(&sources, &profile, &tools).value.unwrap();
            let body = |body: Body| body.read().unwrap().to_vec();
            Some(artifacts.contents().map(|(path, file)| (path.to_string(), body(file.body().unwrap()))).collect())
        }
    };
    (files, renderings.0.load(Ordering::Relaxed), shared.0.finish(LONG))
}

#[test]
fn what_one_machine_has_made_another_does_not_make() {
    let machines = Machines::new();
    let root = machines.folder.path().join("site");
    generated::write(&machines.files, &root);
    let (alone, ..) = build_patiently(&root, &machines.folder.path().join("other-cache"), None);
    let (first, renderings, traffic) = build_patiently(&root, &machines.cache(), None);
    let entries = machines.entries().len();
    assert!(renderings > 200 && entries > 10, "{renderings} {entries}");
    assert_eq!(traffic, Traffic { sent: entries, ..Traffic::default() });
    let (second, renderings, traffic) = build_patiently(&root, &machines.cache(), None);
    assert_eq!((renderings, traffic), (0, Traffic { read: entries, ..Traffic::default() }));
    let [alone, first, second] = [alone, first, second].map(Option::unwrap);
    assert_eq!((difference(&alone, &first), difference(&alone, &second)), (None, None));
}

#[test]
fn parts_make_everything_that_the_last_build_needs() {
    let machines = Machines::new();
    let root = machines.folder.path().join("site");
    generated::write(&machines.files, &root);
    let (alone, all, _) = build_patiently(&root, &machines.folder.path().join("other-cache"), None);
    for number in 0..3 {
        // The first parts cannot know what the others have made of pages, and render all to find the pictures.
        let (_, renderings, traffic) = build_patiently(&root, &machines.cache(), Some(Part { number, count: 3 }));
        assert!(renderings <= all && traffic.sent > 0, "{renderings} {traffic:?}");
    }
    let entries = machines.entries().len();
    let (last, renderings, traffic) = build_patiently(&root, &machines.cache(), None);
    assert_eq!((renderings, traffic), (0, Traffic { read: entries, ..Traffic::default() }));
    assert_eq!(difference(&alone.unwrap(), &last.unwrap()), None);
}

#[test]
fn builds_and_parts_of_the_program_give_the_same_site() {
    let machines = Machines::new();
    let alone = machines.build("alone", &[], None);
    assert_eq!((alone.code, alone.out.contains("shared cache")), (Some(0), false), "{}", alone.error);
    for part in ["1/3", "2/3", "3/3"] {
        let machine = format!("part-{}", &part[..1]);
        let said = machines.sharing(&machine, &["--shard", part]);
        assert_eq!(said.code, Some(0), "{}", said.error);
        assert!(said.out.contains("nothing was published"), "{}", said.out);
        assert!(!machines.folder.path().join(machine).join("dist").exists());
    }
    let entries = machines.entries();
    traffic(&machines.sharing("last", &[]));
    assert_eq!(machines.entries(), entries);
    machines.assert_same("alone", "last");
    // Its own cache has everything now.
    assert_eq!(traffic(&machines.sharing("last", &[])), (0, 0));
}

#[test]
fn parts_also_send_what_their_machines_have_made_before() {
    let machines = Machines::new();
    machines.build("kept", &[], None);
    traffic(&machines.sharing("kept", &["--shard", "1/1"]));
    let entries = machines.entries();
    traffic(&machines.sharing("last", &[]));
    assert_eq!(machines.entries(), entries);
    machines.assert_same("kept", "last");
}

#[test]
fn a_missing_part_is_made_by_the_last_build() {
    let machines = Machines::new();
    machines.build("alone", &[], None);
    machines.sharing("part", &["--shard", "2/3"]);
    assert!(traffic(&machines.sharing("last", &[])).1 > 0);
    machines.assert_same("alone", "last");
}

/// Does every kind of harm to entries: other bytes, a part, another entry, and nothing.
fn harm(entries: &[PathBuf]) {
    let whole: Vec<Vec<u8>> = entries.iter().map(|path| fs::read(path).unwrap()).collect();
    for (number, path) in entries.iter().enumerate() {
        let mut bytes = whole[number].clone();
        match number % 4 {
            0 => *bytes.last_mut().unwrap() ^= 1,
            1 => bytes.truncate(bytes.len() / 2),
            2 => bytes.clone_from(&whole[(number + 1) % whole.len()]),
            _ => bytes.clear(),
        }
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn every_harmed_entry_is_noticed() {
    let machines = Machines::new();
    let root = machines.folder.path().join("site");
    generated::write(&machines.files, &root);
    let (first, ..) = build_patiently(&root, &machines.cache(), None);
    let entries = machines.entries();
    harm(&entries);
    let (second, _, traffic) = build_patiently(&root, &machines.cache(), None);
    assert_eq!(traffic, Traffic { sent: entries.len(), refused: entries.len(), ..Traffic::default() });
    assert_eq!(difference(&first.unwrap(), &second.unwrap()), None);
}

#[test]
fn what_was_not_written_with_the_secret_is_not_used() {
    let machines = Machines::new();
    machines.build("alone", &[], None);
    traffic(&machines.sharing("first", &[]));
    let entries = machines.entries();
    harm(&entries);
    let harmed = machines.sharing("harmed", &[]);
    let (read, written) = traffic(&harmed);
    assert_eq!((read, written), (0, entries.len()), "{}", harmed.out);
    machines.assert_same("alone", "harmed");

    let cache = machines.cache();
    let cache = ["--cache", cache.to_str().unwrap()];
    for secret in [Some("fedcba9876543210fedcba9876543210"), None] {
        let name = format!("foreign-{}", secret.is_some());
        assert_eq!(traffic(&machines.build(&name, &cache, secret)).0, 0);
        machines.assert_same("alone", &name);
    }
    // The first machines still have theirs.
    assert!(entries.iter().all(|path| path.is_file()));
}

#[test]
fn a_cache_that_cannot_be_used_stops_no_build() {
    let machines = Machines::new();
    fs::create_dir_all(machines.cache()).unwrap();
    fs::write(machines.folder.path().join("file"), "").unwrap();
    let file = machines.folder.path().join("file/cache");
    let said = machines.build("site", &["--cache", file.to_str().unwrap()], Some(SECRET));
    assert_eq!(said.code, Some(0), "{}", said.error);
    assert!(said.out.contains("note: the shared cache is not used: cannot use"), "{}", said.out);
    // Without the secret, nobody is asked.
    let said = machines.build("site", &["--cache", "https://cache.test"], None);
    assert_eq!(said.code, Some(0), "{}", said.error);
    assert!(said.out.contains("SITEGEN_CACHE_KEY is not set: without it nothing is read"), "{}", said.out);
    let said = machines.build("site", &["--cache", "https://cache.test"], Some("short"));
    assert_eq!(said.code, Some(3));
    assert!(said.error.contains("failed[shared-cache]") && said.error.contains("openssl rand"), "{}", said.error);
    // Its entries would be sources, or would be published or deleted.
    let root = machines.folder.path().join("site");
    let out = root.join("../out");
    for (cache, of, more) in [
        ("content/cache", "content", &[][..]),
        ("islands", "islands", &[]),
        ("other/../dist/x", "dist", &[]),
        ("../out/cache", "../out", &["--out", out.to_str().unwrap()]),
    ] {
        let cache = root.join(cache);
        // A part has no output folder.
        let parts = [&[][..], &["--shard", "1/2"]];
        for part in &parts[..if more.is_empty() { 2 } else { 1 }] {
            let arguments = [&["--cache", cache.to_str().unwrap()], more, part].concat();
            let said = machines.build("site", &arguments, Some(SECRET));
            let reported = format!("`{}` is in `{}`, ", cache.display(), root.join(of).display());
            assert_eq!(said.code, Some(3), "{}", said.out);
            assert!(said.error.contains(&reported) && !cache.exists(), "{}", said.error);
        }
    }
    // A part is made for the cache alone.
    for cache in [file.to_str().unwrap(), "https://cache.test"] {
        let said = machines.build("part", &["--quiet", "--cache", cache, "--shard", "1/2"], None);
        assert_eq!(said.code, Some(3), "{}", said.out);
        assert!(said.error.contains("failed[shared-cache]"), "{}", said.error);
    }
}

#[test]
fn what_is_made_before_an_error_is_shared() {
    let mut machines = Machines::new();
    let path = generated::page_path(0);
    let right = machines.files[&path].clone();
    machines.files.get_mut(&path).unwrap().extend_from_slice(b"\n[Nowhere](/nowhere)\n");
    let said = machines.sharing("broken", &[]);
    assert!(said.code == Some(1) && said.error.contains("/nowhere"), "{}", said.error);
    let entries = machines.entries();
    assert!(entries.len() > 10, "{entries:?}");
    machines.files.insert(path, right);
    traffic(&machines.sharing("right", &[]));
    // The page is in a chunk with others.
    assert_eq!(machines.entries().len(), entries.len() + 1);
}

#[test]
fn wrong_arguments_are_explained() {
    let machines = Machines::new();
    let said = |arguments: &[&str]| {
        let said = machines.build("site", arguments, None);
        assert_eq!(said.code, Some(2), "{}", said.error);
        said.error
    };
    assert!(said(&["--shard", "1/2"]).contains("--cache <ADDRESS>"));
    for part in ["0/2", "3/2", "1", "1/0", "a/b", "1/5000", ""] {
        assert!(said(&["--cache", "x", "--shard", part]).contains("write it like 3/8"), "{part}");
    }
    assert!(said(&["--cache", "ssh://host/folder"]).contains("cannot be on a server with SSH"));
    assert!(said(&["--cache", "https://me:pass@cache.test"]).contains("SITEGEN_CACHE_AUTHORIZATION"));
}

#[test]
fn a_part_reports_what_cannot_be_rendered() {
    let mut machines = Machines::new();
    let path = generated::page_path(0);
    let text = String::from_utf8(machines.files[&path].clone()).unwrap();
    machines.files.insert(path.clone(), format!("{text}\n{{{{ site.nothing }}}}\n").into_bytes());
    let said = machines.sharing("part", &["--shard", "1/1"]);
    assert_eq!(said.code, Some(1), "{}", said.error);
    assert!(said.error.contains(&path), "{}", said.error);
    assert!(Path::new(&machines.cache()).exists());
}
