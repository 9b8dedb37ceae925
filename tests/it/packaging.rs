//! Shell completions and manual pages of packages are those of the program.

use clap_complete::Shell;
use sitegen::cli::reference::program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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
