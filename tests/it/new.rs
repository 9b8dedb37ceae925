//! `sitegen new`: every starter is a project without an error or a warning, and nothing is overwritten.

use crate::support::generated;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_starter_is_a_project_without_errors_and_warnings() {
    let work = generated::work_folder("new");
    for starter in ["minimal", "company", "docs"] {
        let output = run(&work, &["new", starter, "--starter", starter]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        let project = work.join(starter);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.contains("with npm"), project.join("package-lock.json").exists(), "{said}");
        // The first build would install the same packages.
        if project.join("package.json").exists() {
            let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
            std::os::unix::fs::symlink(packages, project.join("node_modules")).unwrap();
        }
        let output = run(&project, &["check", "--deny", "warnings"]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        let output = run(&project, &["build"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{starter}: {}", stderr(&output));
        let home = fs::read_to_string(project.join("dist/index.html")).unwrap();
        assert!(home.contains(&format!("<title>{starter}</title>")), "{home}");
        assert!(!home.contains("<script"), "{starter}: the home page has no island");
        let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/starters").join(starter);
        for (path, bytes) in generated::read(&starter) {
            let is_same = fs::read(project.join(&path)).is_ok_and(|written| written == bytes);
            assert!(is_same || path == "content/site.yaml", "{path}");
        }
    }
}

#[test]
fn what_is_said_of_a_project_is_in_its_site_file() {
    let work = generated::work_folder("new-answers");
    for name in ["The Bakery", "A \"quoted\" name: with # signs", "yes", "1.10", "Bäckerei 'Süd' \\ Nord"] {
        let _ = fs::remove_dir_all(work.join("site"));
        let address = ["--url", "https://www.bakery.test", "--language", "de-AT"];
        let output = run(&work, &[&["new", "site", "--name", name][..], &address].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let output = run(&work, &["build", "--deny", "warnings", "--root", "site"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let home = fs::read_to_string(work.join("site/dist/index.html")).unwrap();
        let escaped = name.replace('"', "&quot;").replace('\'', "&#39;");
        assert!(home.contains(&format!("<title>{escaped}</title>")), "{home}");
        assert!(home.contains("<html lang=\"de-AT\">") && home.contains("https://www.bakery.test"), "{home}");
    }
}

#[test]
fn nothing_is_overwritten() {
    let work = generated::work_folder("new-again");
    fs::create_dir_all(work.join("full/.git")).unwrap();
    fs::write(work.join("full/notes.txt"), "mine").unwrap();
    fs::write(work.join("file"), "mine").unwrap();
    let before = generated::read(&work);
    for folder in ["full", "file", "."] {
        let output = run(&work, &["new", folder]);
        assert_eq!(output.status.code(), Some(2), "{folder}: {}", stderr(&output));
        assert!(stderr(&output).contains("nothing in it is overwritten"), "{}", stderr(&output));
    }
    for wrong in [["--url", "www.bakery.test"], ["--language", "english"], ["--url", "https://"]] {
        let output = run(&work, &["new", "fresh", wrong[0], wrong[1]]);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", stderr(&output));
    }
    assert_eq!(generated::read(&work), before);
    // A repository that has nothing but what `git init` made.
    fs::create_dir_all(work.join("repository/.git")).unwrap();
    assert!(run(&work, &["new", "repository"]).status.success());
    assert!(run(&work.join("repository"), &["check", "--deny", "warnings"]).status.success());
}

#[test]
fn packages_of_the_starter_are_those_that_are_tested() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = |path: &str| -> BTreeMap<String, serde_json::Value> {
        let text = fs::read_to_string(repository.join(path)).unwrap();
        let all: serde_json::Value = serde_json::from_str(&text).unwrap();
        let groups = ["dependencies", "devDependencies"].into_iter().filter_map(|group| all[group].as_object());
        groups.flat_map(|group| group.clone()).collect()
    };
    let (own, tested) = (packages("examples/starters/company/package.json"), packages("package.json"));
    assert!(own.len() > 3);
    for (name, version) in own {
        assert_eq!(tested.get(&name), Some(&version), "{name}");
    }
}
