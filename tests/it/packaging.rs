//! The parts of packages that need no compiled package: shell completions and manual pages are those of the program,
//! and names, versions and workflows agree with `Cargo.toml`. `packaging/test` installs the packages.

use crate::support::needs;
use clap_complete::Shell;
use serde_json::Value;
use sitegen::cli::reference::program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The shell completions and the manual pages of the program: the path of each file below `packaging/`, and its bytes.
fn made() -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let shells = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];
    let names = ["sitegen.bash", "_sitegen", "sitegen.fish", "_sitegen.ps1"];
    for (shell, name) in shells.into_iter().zip(names) {
        let mut bytes = Vec::new();
        clap_complete::generate(shell, &mut program(), "sitegen", &mut bytes);
        files.insert(Path::new("completions").join(name), bytes);
    }
    let folder = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(program().disable_help_subcommand(true), folder.path()).unwrap();
    for page in fs::read_dir(folder.path()).unwrap() {
        let page = page.unwrap();
        files.insert(Path::new("man").join(page.file_name()), fs::read(page.path()).unwrap());
    }
    files
}

#[test]
fn completions_and_manual_pages_are_those_of_the_program() {
    let made = made();
    assert!(made.len() > 12, "{:?}", made.keys());
    if std::env::var("BLESS").is_ok_and(|names| names == "1" || names.contains("docs")) {
        for folder in ["completions", "man"] {
            let folder = repository().join("packaging").join(folder);
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder).unwrap();
        }
        for (path, bytes) in &made {
            fs::write(repository().join("packaging").join(path), bytes).unwrap();
        }
    }
    let mut written = BTreeMap::new();
    for folder in ["completions", "man"] {
        for file in fs::read_dir(repository().join("packaging").join(folder)).into_iter().flatten() {
            let file = file.unwrap();
            written.insert(Path::new(folder).join(file.file_name()), fs::read(file.path()).unwrap());
        }
    }
    let paths = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&written), paths(&made), "write them anew with `BLESS=docs cargo test --test it packaging::`");
    for (path, bytes) in made {
        let is_same = written[&path] == bytes;
        assert!(is_same, "{}: write it anew with `BLESS=docs cargo test --test it packaging::`", path.display());
    }
}

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const NAME: &str = env!("CARGO_PKG_NAME");
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn packages_have_one_name_and_one_version() {
    let manifest = text("Cargo.toml");
    for folder in ["usr/share/doc/", "/usr/share/licenses/"] {
        assert!(manifest.contains(&format!("\"{folder}{NAME}/\"")), "{folder}");
    }
    assert!(text("packaging/python/pyproject.toml").contains(&format!("\nname = \"{NAME}\"\n")));
    assert!(text("packaging/npm/sitegen.js").contains(&format!("`@{NAME}/")));
    let action = text("action.yml");
    assert!(action.contains(&format!("default: \"{VERSION}\"")) && action.contains(&format!("name={NAME}-$VERSION-")));
    for file in [
        format!("{NAME}-{VERSION}-x86_64-unknown-linux-gnu.tar.gz"),
        format!("{NAME}_{VERSION}-1_amd64.deb"),
        format!("{NAME}-{VERSION}-1.x86_64.rpm"),
        format!("{NAME}-{VERSION}-*.whl"),
        format!("{NAME}-linux-x64-{VERSION}.tgz"),
        format!("{NAME}-{VERSION}-linux-amd64.oci.tar"),
        format!("{NAME}.rb"),
    ] {
        assert!(text("docs/content/pages/guides/install.md").contains(&file), "{file}");
    }
}

#[test]
fn the_licences_have_every_syntax_that_colours_code() {
    if Command::new("python3").arg("--version").output().is_err() {
        needs::left_out("python3 is not installed");
        return;
    }
    // Packages of other systems need not be there.
    let host = Command::new("rustc").arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host];
    let metadata = Command::new(env!("CARGO")).args(metadata).current_dir(repository()).output().unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let manifest = packages.iter().find(|package| package["name"] == "two-face").unwrap()["manifest_path"].as_str();
    let stored = Path::new(manifest.unwrap()).with_file_name("generated/acknowledgements_full.bin");
    let printed = Command::new("python3")
        .arg(repository().join("packaging/licences/syntaxes.py"))
        .arg(stored)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let printed = String::from_utf8(printed.stdout).unwrap();
    let listed = two_face::acknowledgement::listing();
    let licences = listed.for_syntaxes();
    assert!(licences.len() > 50, "{}", licences.len());
    let line = format!("\n{}\n", "=".repeat(80));
    assert_eq!(printed.split(&line).count() - 1, licences.len());
    for licence in licences {
        let title = format!("{line}{} (", licence.rel_path.display());
        assert!(printed.contains(&title), "{title}");
        assert!(printed.contains(licence.text.trim()), "{title}");
    }
}

/// Returns every value of a key, anywhere in a document.
fn values<'a>(document: &'a Value, key: &str) -> Vec<&'a str> {
    let inner: Vec<&Value> = match document {
        Value::Object(object) => object.values().collect(),
        Value::Array(list) => list.iter().collect(),
        _ => Vec::new(),
    };
    let own = document.get(key).and_then(Value::as_str);
    own.into_iter().chain(inner.into_iter().flat_map(|each| values(each, key))).collect()
}

#[test]
fn workflows_call_what_exists() {
    let systems = text("packaging/pack.py");
    let mut scripts = 0;
    let workflows = ["ci.yml", "all.yml", "release.yml", "docs.yml"].map(|name| format!(".github/workflows/{name}"));
    for path in workflows.iter().map(String::as_str).chain(["action.yml"]) {
        let document: Value = serde_yaml::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        for action in values(&document, "uses") {
            if let Some(own) = action.strip_prefix("./") {
                assert!(text(own).contains("workflow_call:"), "{path}: {own} cannot be called");
                continue;
            }
            let version = action.split_once("@v").map(|(_, version)| version.parse::<u32>());
            assert!(matches!(version, Some(Ok(_))), "{path}: {action} has no major version");
        }
        for target in values(&document, "target").into_iter().filter(|target| target.contains("-unknown-")) {
            assert!(systems.contains(&format!("\"{target}\"")), "{path}: {target}");
        }
        for word in values(&document, "run").into_iter().flat_map(str::split_whitespace) {
            let Some(file) =
                ["packaging/", ".ci/", "docs/"].iter().any(|folder| word.starts_with(folder)).then_some(word)
            else {
                continue;
            };
            scripts += 1;
            let metadata =
                fs::metadata(repository().join(file)).unwrap_or_else(|error| panic!("{path}: {file}: {error}"));
            let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
            assert!(mode & 0o111 != 0, "{path}: {file} is not a program");
        }
    }
    assert!(scripts >= 6, "{scripts}");
}
