//! Every folder of `tests/sites` is a small site and the expected result of `sitegen build`. See the README there.

use similar::TextDiff;
use sitegen::diagnostics::explained;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Files of a case that are about the project rather than in it.
const ARGUMENTS: &str = "arguments";
const NO_PACKAGES: &str = "no-packages";
const EXPECTED: &str = "expected";
const EXPECTED_TEXT: &str = "expected.txt";

/// Runs that take longer hang. An endless loop in an island is stopped after some seconds, on a busy machine later.
const PATIENCE: Duration = Duration::from_secs(240);

/// The day of every build, unless its `arguments` name another.
const TODAY: &str = "2026-12-01";

/// Codes that no folder can cause, and why.
const NOT_STAGED: [(&str, &str); 11] = [
    ("deploy-failed", "it is about a place that a site is deployed to; tests/it/deploying.rs has one"),
    ("deploy-refused", "it is about a place that a site is deployed to; tests/it/deploying.rs has one"),
    ("shared-cache", "it is about a cache outside of the project; tests/it/shared_cache.rs has one"),
    ("gone-section", "it is about a page that was published before; tests/it/addresses.rs has one"),
    ("gone-address", "it is about a folder that was published before; tests/it/addresses.rs has one"),
    ("output-differs", "it is about a published folder; tests/it/publishing.rs damages one"),
    ("unknown-esbuild", "where the program lies depends on the platform; tests/it/containment.rs has one"),
    ("unreadable", "git cannot store such files; tests/it/unreadable.rs creates them and compares every message"),
    ("po-file", "it is about a file of translators; tests/it/translations.rs imports one"),
    ("translation-refused", "it is about a file of translators; tests/it/translations.rs imports one"),
    ("translation-skipped", "it is about a file of translators; tests/it/translations.rs imports one"),
];

/// A test of its own for each folder, named as it is but with `_` for `-`: `cargo test --test it sites::base_path`.
macro_rules! fixtures {
    ($($name:ident)*) => {
        const LISTED: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            comes_out_as_expected(&stringify!($name).replace('_', "-"));
        })*
    };
}

include!("sites/list.rs");

/// Compares the list with the folders; `BLESS` writes it.
#[test]
fn every_folder_is_listed() {
    let names: Vec<String> = cases().iter().map(|case| case.name.replace('-', "_")).collect();
    if names != LISTED && std::env::var_os("BLESS").is_some() {
        let lines: String = names.iter().fold(String::new(), |text, name| text + "    " + name + "\n");
        let head = "// The folders of `tests/sites`, written by `BLESS=list cargo test --test it sites::`.\n";
        fs::write(repository().join("tests/it/sites/list.rs"), format!("{head}fixtures! {{\n{lines}}}\n")).unwrap();
    }
    assert_eq!(
        LISTED, names,
        "tests/it/sites/list.rs is not the list of the folders: run this again with BLESS=list, twice for a new fixture"
    );
}

fn comes_out_as_expected(name: &str) {
    static WORK: OnceLock<PathBuf> = OnceLock::new();
    let work = WORK.get_or_init(prepare_work_folder);
    let case = Case { name: name.to_owned(), folder: repository().join("tests/sites").join(name) };
    let bless = std::env::var("BLESS").unwrap_or_default();
    let is_blessed = bless == "1" || bless.split(',').any(|part| !part.is_empty() && name.contains(part));
    let differences = check(&case, work, is_blessed);
    assert!(
        differences.is_empty(),
        "\n=== tests/sites/{name}\n{}\nIf what comes out now is right, accept it with\n\n    BLESS={name} cargo test \
         --test it sites::\n\nor with parts of several names (`BLESS=yaml-,links`), or all (`BLESS=1`), and read the difference in git before you \
         commit it.\n",
        differences.join("\n")
    );
}

#[test]
fn every_code_has_a_fixture() {
    let codes: BTreeSet<&str> = explained().collect();
    let reported: String =
        cases().iter().filter_map(|case| fs::read_to_string(case.folder.join(EXPECTED_TEXT)).ok()).collect();
    let has =
        |code: &str| ["error", "warning", "failed"].iter().any(|word| reported.contains(&format!("{word}[{code}]")));
    let excused: BTreeSet<&str> = NOT_STAGED.iter().map(|(code, _)| *code).collect();
    let lacking: Vec<&&str> = codes.iter().filter(|code| !has(code) && !excused.contains(**code)).collect();
    let stale: Vec<&&str> = excused.iter().filter(|code| has(code) || !codes.contains(**code)).collect();
    assert!(lacking.is_empty(), "no site in tests/sites makes these mistakes: {lacking:?}");
    assert!(stale.is_empty(), "NOT_STAGED excuses codes that need no excuse: {stale:?}");
}

/// A folder of `tests/sites`.
struct Case {
    name: String,
    folder: PathBuf,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = fs::read_dir(repository().join("tests/sites"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| Case { name: entry.file_name().into_string().unwrap(), folder: entry.path() })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns an empty folder for the copies of all cases, from which the packages of this repository are found as Node
/// finds them: in a parent folder. With another `--target-dir` there is none, and a link replaces it.
fn prepare_work_folder() -> PathBuf {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sites");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).unwrap();
    let packages = repository().join("node_modules");
    assert!(packages.is_dir(), "the packages of this repository are not installed: run `npm ci`");
    if !work.ancestors().any(|folder| folder.join("node_modules") == packages) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(&packages, work.join("node_modules")).unwrap();
        #[cfg(not(unix))]
        panic!("run these tests with the target folder of the repository");
    }
    work
}

/// The result of a run.
struct Outcome {
    exit_code: i32,
    stderr: String,
    /// Files of `dist` by their path.
    published: BTreeMap<String, Vec<u8>>,
}

/// Builds a case and returns everything that is not as expected.
fn check(case: &Case, work: &Path, bless: bool) -> Vec<String> {
    // Outside the repository, for what happens when packages are not installed.
    let outside = case.folder.join(NO_PACKAGES).exists().then(|| tempfile::tempdir().unwrap());
    let project = outside.as_ref().map_or_else(|| work.join(&case.name), |folder| folder.path().join("project"));
    copy(&case.folder, &project, &|name| ![ARGUMENTS, NO_PACKAGES, EXPECTED, EXPECTED_TEXT].contains(&name));
    let has_islands = project.join("islands").exists();
    let before = files(&project);
    let outcome = match run(case, &project) {
        Ok(outcome) => outcome,
        Err(complaint) => return vec![complaint],
    };

    let mut differences = plain_rules(&outcome, &project, &before);
    let published = if has_islands { without_hashes(outcome.published.clone()) } else { outcome.published.clone() };
    let text = format!("{}exit code {}\n", outcome.stderr, outcome.exit_code);
    let is_quiet_success = outcome.exit_code == 0 && outcome.stderr.is_empty();
    if bless {
        accept(case, (!is_quiet_success).then_some(text), (outcome.exit_code == 0).then_some(published));
        return differences;
    }
    let (folder, file) = (case.folder.join(EXPECTED), case.folder.join(EXPECTED_TEXT));
    if !folder.exists() && !file.exists() {
        differences.push(format!("there is neither {EXPECTED}/ nor {EXPECTED_TEXT}; the build says\n{text}"));
        return differences;
    }
    let expected_text = fs::read_to_string(&file).unwrap_or_else(|_| "exit code 0\n".into());
    if text != expected_text {
        differences.push(format!("{EXPECTED_TEXT}\n{}", difference(&expected_text, &text)));
    }
    if outcome.exit_code == 0 && expected_text.ends_with("exit code 0\n") {
        differences.extend(compare(&files(&folder), &published));
    }
    differences
}

fn run(case: &Case, project: &Path) -> Result<Outcome, String> {
    let arguments = fs::read_to_string(case.folder.join(ARGUMENTS)).unwrap_or_default();
    let err = project.with_extension("stderr");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .arg("build")
        .args(arguments.split_whitespace())
        .args(if arguments.contains("--now") { [].as_slice() } else { &["--now", TODAY] })
        .current_dir(project)
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        // It has sizes and times, which vary.
        .stdout(Stdio::null())
        .stderr(fs::File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > PATIENCE => {
                child.kill().unwrap();
                child.wait().unwrap();
                return Err(format!("the build did not end within {} seconds", PATIENCE.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    // The path of the copy does not matter.
    let real = project.canonicalize().unwrap();
    let stderr = fs::read_to_string(&err).map_err(|_| "standard error is not UTF-8".to_owned())?;
    let stderr = stderr.replace(&*real.to_string_lossy(), "{project}");
    Ok(Outcome { exit_code: status.code().unwrap_or(-1), stderr, published: files(&project.join("dist")) })
}

/// Checks what holds for every build, whatever its case is about.
fn plain_rules(outcome: &Outcome, project: &Path, before: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut complaints = Vec::new();
    if outcome.exit_code != 0 {
        let after = files(project);
        let is_scratch = |path: &str| path.starts_with(".sitegen/");
        for path in after.keys().filter(|path| !is_scratch(path) && after.get(*path) != before.get(*path)) {
            complaints.push(format!("the build failed and yet wrote {path}"));
        }
        for path in before.keys().filter(|path| !after.contains_key(*path)) {
            complaints.push(format!("the build failed and yet removed {path}"));
        }
        if project.join("dist").exists() && !before.keys().any(|path| path.starts_with("dist/")) {
            complaints.push("the build failed and yet made dist/".into());
        }
    }
    for line in outcome.stderr.lines() {
        let words = line.split_whitespace().filter(|word| !matches!(*word, "-->" | "|" | "="));
        // Exit code 2 means arguments that were not understood, and clap writes and wraps that itself.
        if columns(line) > 80 && words.count() > 1 && outcome.exit_code != 2 {
            complaints.push(format!("this line is {} columns wide, and 80 are the limit:\n{line}", columns(line)));
        }
        let is_excerpt = line.contains(" | ");
        if line.contains("panicked") || (!is_excerpt && looks_like_debug_print(line)) {
            complaints.push(format!("this is no sentence for people:\n{line}"));
        }
        if line.contains('\u{1b}') {
            complaints.push(format!("this line has colour, and standard error is no terminal:\n{line}"));
        }
    }
    complaints
}

/// Whether a line looks like `Error { kind: …`, `Some(…`, `Err(…`.
fn looks_like_debug_print(line: &str) -> bool {
    let is_struct = line.match_indices(" { ").any(|(at, _)| {
        let name = line[..at].rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        name.starts_with(char::is_uppercase) && line[at..].contains(": ")
    });
    is_struct || line.contains("Some(") || line.contains("Err(")
}

/// Returns the columns of a terminal: East Asian wide characters and emoji take two.
fn columns(text: &str) -> usize {
    let wide = |letter: char| matches!(letter as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xff00..=0xff60 | 0x1f300..=0x1faff);
    text.chars().map(|letter| if wide(letter) { 2 } else { 1 }).sum()
}

/// Removes what changes with every release of React and esbuild and with the runtime from a case with islands: digests in
/// names, the content of bundles, the loader's text, and its hash in the policy.
fn without_hashes(published: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut chunks = 0;
    for path in published.keys().filter(|path| path.ends_with(".js") && path.starts_with("assets/")) {
        let Some((stem, _)) = path.rsplit_once('-') else { continue };
        if stem.ends_with("/chunk") {
            chunks += 1;
            names.insert(path.clone(), format!("{stem}-{chunks}.js"));
        } else {
            names.insert(path.clone(), format!("{stem}-HASH.js"));
        }
    }
    let plain = |path: &str, bytes: Vec<u8>| {
        if names.contains_key(path) {
            return b"(a bundle)\n".to_vec();
        }
        let Ok(mut text) = String::from_utf8(bytes.clone()) else { return bytes };
        for (path, plain) in &names {
            text = text.replace(path.as_str(), plain);
        }
        const LOADER: &str = "<script type=\"module\">";
        let mut from = 0;
        while let Some(at) = text[from..].find(LOADER).map(|at| from + at) {
            let end = at + text[at..].find("</script>").unwrap_or(text.len() - at);
            from = at + LOADER.len();
            text.replace_range(from..end, "(the loader)");
        }
        // `script-src` contains the loader's hash.
        if let Some(at) = text.find("; script-src ") {
            let end = at + 2 + text[at + 2..].find(';').unwrap_or(0);
            if let Some(hash) = text[at..end].find("'sha256-") {
                text.replace_range(at + hash..end, "'sha256-(the loader)'");
            }
        }
        text.into_bytes()
    };
    published
        .into_iter()
        .map(|(path, bytes)| (names.get(&path).cloned().unwrap_or_else(|| path.clone()), plain(&path, bytes)))
        .collect()
}

/// Accepts the actual result as the expected one.
fn accept(case: &Case, text: Option<String>, published: Option<BTreeMap<String, Vec<u8>>>) {
    let (folder, file) = (case.folder.join(EXPECTED), case.folder.join(EXPECTED_TEXT));
    let _ = fs::remove_dir_all(&folder);
    let _ = fs::remove_file(&file);
    if let Some(text) = text {
        fs::write(file, text).unwrap();
    }
    for (path, bytes) in published.iter().flatten() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn compare(expected: &BTreeMap<String, Vec<u8>>, published: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let paths: BTreeSet<&String> = expected.keys().chain(published.keys()).collect();
    let reported = paths.into_iter().filter_map(|path| match (expected.get(path), published.get(path)) {
        (Some(_), None) => Some(format!("dist/{path} is missing")),
        (None, Some(_)) => Some(format!("dist/{path} was not expected")),
        (Some(expected), Some(published)) if expected != published => {
            Some(match (std::str::from_utf8(expected), std::str::from_utf8(published)) {
                (Ok(expected), Ok(published)) => format!("dist/{path}\n{}", difference(expected, published)),
                _ => format!("dist/{path}: {} bytes, expected {} others", published.len(), expected.len()),
            })
        }
        _ => None,
    });
    reported.collect()
}

/// Returns removed (`-`) and added (`+`) lines, with two lines around them.
fn difference(expected: &str, actual: &str) -> String {
    TextDiff::from_lines(expected, actual).unified_diff().context_radius(2).to_string()
}

/// Returns the files of a folder by their path, without the manifest, which has only digests of the others.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let walk = walkdir::WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let named = walk.map(|entry| {
        let path = entry.path().strip_prefix(folder).unwrap();
        let path = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        (path, fs::read(entry.path()).unwrap())
    });
    named.filter(|(path, _)| path != "manifest.json").collect()
}

/// Copies a folder. Links are copied as links: some cases are about them.
fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&str) -> bool) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if !wanted(&name.to_string_lossy()) {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&entry.path(), &to.join(name), &|_| true);
        } else if kind.is_symlink() {
            #[cfg(unix)]
            std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), to.join(name)).unwrap();
        } else {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}
