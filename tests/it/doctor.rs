//! `sitegen doctor`: facts about the machine and the project, problems with their fix, and nothing private.

use crate::support::generated;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("SITE_TOKEN", "do-not-print-this");
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the facts of a report by section and name: state, value and help.
fn facts(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let output = run(folder, &[&["doctor", "--format", "json"], arguments].concat());
    let facts = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), facts)
}

fn fact<'f>(facts: &'f [Value], section: &str, name: &str) -> &'f Value {
    let found = facts.iter().find(|fact| fact["section"] == section && fact["name"] == name);
    found.unwrap_or_else(|| panic!("{section}, {name}: {facts:?}"))
}

#[test]
fn the_report_has_what_a_bug_report_needs_and_nothing_private() {
    let work = generated::work_folder("doctor");
    assert!(run(&work, &["new", "site", "--starter", "company"]).status.success());
    let site = work.join("site");
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    std::os::unix::fs::symlink(&packages, site.join("node_modules")).unwrap();
    let (code, before) = facts(&site, &[]);
    assert_eq!(code, Some(0), "{before:?}");
    assert_eq!(fact(&before, "site", "published last")["value"], "nothing recorded by a build");
    assert!(run(&site, &["build"]).status.success());
    let names = || -> BTreeSet<_> {
        let folders = [&work, &site].map(|folder| fs::read_dir(folder).unwrap());
        folders.into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    };
    let left = names();
    let (code, after) = facts(&work, &["--root", "site"]);
    assert_eq!(code, Some(0), "{after:?}");
    assert!(after.iter().all(|fact| fact["state"] != "problem" && fact["help"].is_null() == (fact["state"] == "ok")));
    for (name, path) in [("esbuild", "esbuild"), ("react", "react"), ("react-dom", "react-dom")] {
        let package = fs::read(packages.join(path).join("package.json")).unwrap();
        let package: Value = serde_json::from_slice(&package).unwrap();
        assert_eq!(fact(&after, "packages", name)["value"], package["version"], "{name}");
    }
    let version = fact(&after, "program", "sitegen")["value"].as_str().unwrap().to_owned();
    assert!(version.starts_with(concat!(env!("CARGO_PKG_VERSION"), " (")), "{version}");
    let pictures = fact(&after, "program", "pictures")["value"].as_str().unwrap().to_owned();
    let avif = if cfg!(feature = "avif") { "WebP, AVIF" } else { "WebP; not AVIF" };
    assert!(pictures.contains(avif), "{pictures}");
    let storage = if cfg!(feature = "object-storage") { "yes" } else { "no; releases have it" };
    assert_eq!(fact(&after, "program", "object storage")["value"], storage);
    // The same site as the manifest has. Its own file is not in it.
    let manifest: Value = serde_json::from_slice(&fs::read(site.join("dist/manifest.json")).unwrap()).unwrap();
    let files: Vec<&String> = manifest["files"].as_object().unwrap().keys().collect();
    let pages = files.iter().filter(|path| path.ends_with(".html")).count();
    let published = fact(&after, "site", "published last")["value"].as_str().unwrap().to_owned();
    assert!(published.starts_with(&format!("{pages} HTML files, {} files, ", files.len())), "{published}");
    let planned = fact(&after, "site", "would be published")["value"].as_str().unwrap().to_owned();
    assert!(planned.contains(&format!(" {} files, ", files.len())), "{planned} {published}");
    assert_eq!(names(), left, "nothing is left behind");
    let human = stdout(&run(&site, &["doctor"]));
    assert!(human.ends_with("\nnothing prevents a build\n"), "{human}");
    assert!(human.contains("\noutput folder\n") && human.contains("exchange by rename"), "{human}");
    let private = [work.display().to_string(), env!("CARGO_MANIFEST_DIR").to_owned(), "do-not-print-this".to_owned()];
    for text in private.into_iter().chain(std::env::var("HOME").ok().filter(|home| home != "/")) {
        assert!(
            !human.contains(&text) && after.iter().all(|fact| !fact.to_string().contains(&text)),
            "{text}: {human}"
        );
    }
}

#[test]
fn what_keeps_builds_from_working_comes_with_its_fix() {
    // The folders above those of other tests have packages.
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path();
    let (code, none) = facts(work, &[]);
    assert_eq!((code, &fact(&none, "project", "content/site.yaml")["state"]), (Some(3), &Value::from("problem")));
    assert!(run(work, &["new", "site"]).status.success());
    let site = work.join("site");
    let (code, minimal) = facts(&site, &[]);
    assert_eq!(code, Some(0), "{minimal:?}");
    assert_eq!(fact(&minimal, "packages", "esbuild")["value"], "not installed, and not needed");
    assert!(run(&site, &["new", "island", "Newsletter"]).status.success());
    fs::write(site.join("content/pages/second.md"), "---\ntitle: Second\ndraft: yes\n---\n").unwrap();
    let (code, broken) = facts(&site, &[]);
    assert_eq!(code, Some(3), "{broken:?}");
    for name in ["esbuild", "react", "react-dom"] {
        let package = fact(&broken, "packages", name);
        assert_eq!((&package["state"], &package["value"]), (&"problem".into(), &"not installed".into()), "{package}");
        assert!(package["help"].as_str().unwrap().contains("sitegen new island NAME"), "{package}");
    }
    let errors = fact(&broken, "site", "errors")["value"].as_str().unwrap();
    assert!(errors.contains(" errors: ") && errors.contains("1 wrong-type"), "{broken:?}");
    // A program that would leave a trace if it were started.
    let binary = site.join("node_modules/@esbuild/linux-x64/bin/esbuild");
    fs::create_dir_all(binary.parent().unwrap()).unwrap();
    fs::write(&binary, format!("#!/bin/sh\ntouch {}\n", work.join("started").display())).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(binary.with_file_name("../package.json"), r#"{"version": "1.2.3"}"#).unwrap();
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        fs::remove_file(site.join("content/pages/second.md")).unwrap();
        let (_, report) = facts(&site, &[]);
        assert_eq!(fact(&report, "packages", "esbuild")["value"], "1.2.3");
        assert!(!work.join("started").exists(), "{report:?}");
        assert!(report.iter().all(|fact| fact["name"] != "errors"), "{report:?}");
        let published = fact(&report, "site", "would be published")["value"].as_str().unwrap();
        assert!(published.contains("does not run esbuild"), "{published}");
        // A command that would start it does so only in a project that somebody trusts.
        assert!(!run(&site, &["check"]).status.success() && !work.join("started").exists());
        let mut check = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        check.arg("check").current_dir(&site).env("SITEGEN_TRUSTED_PROJECTS", &site);
        assert!(!check.output().unwrap().status.success() && work.join("started").exists());
    }
    // An output folder that cannot be made: its parent is a file.
    fs::write(work.join("file"), "").unwrap();
    let (_, broken) = facts(&site, &["--out", "../file/dist"]);
    assert_eq!(fact(&broken, "output folder", "can be written")["value"], "no: not a directory");
    let output = run(&site, &["doctor", "--out", "../file/dist"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("= help: ") && stdout(&output).contains("prevent a build"));
}
