//! `sitegen deploy` to folders: what it prints, refuses and leaves. `tests/deploying` has real servers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use walkdir::WalkDir;

struct Project {
    _folder: tempfile::TempDir,
    root: PathBuf,
    target: PathBuf,
}

impl Project {
    /// A project that is deployed to a folder beside it.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [root, target] = ["project", "www"].map(|name| folder.path().canonicalize().unwrap().join(name));
        for inner in ["content/pages", "content/assets", "templates/pages"] {
            fs::create_dir_all(root.join(inner)).unwrap();
        }
        let page = "<!doctype html><html lang=en><head><title>{{ page.title }}</title>\
                    </head><body><main><h1>{{ page.title }}</h1>{{ page.content }}</main></body></html>";
        fs::write(root.join("templates/pages/page.html"), page).unwrap();
        let project = Project { _folder: folder, root, target };
        project.write_settings("../www");
        project.write("Bread", "black");
        project
    }

    fn write_settings(&self, to: &str) {
        let site =
            format!("url: https://www.bakery.test\nlanguage: en\nname: Bakery\nsettings:\n  deploy:\n    to: {to}\n");
        fs::write(self.root.join("content/site.yaml"), site).unwrap();
    }

    /// Writes and builds a version of the site.
    fn write(&self, title: &str, colour: &str) {
        fs::write(
            self.root.join("content/pages/index.md"),
            format!("---\ntitle: {title}\n---\n\n![A loaf](/assets/loaf.svg)\n"),
        )
        .unwrap();
        let loaf = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><circle r=\"4\" fill=\"{colour}\"/></svg>\n"
        );
        fs::write(self.root.join("content/assets/loaf.svg"), loaf).unwrap();
        let (code, _, said) = self.run(&["build"]);
        assert_eq!(code, 0, "{said}");
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.env_remove("AWS_ACCESS_KEY_ID");
        command.env("AWS_SHARED_CREDENTIALS_FILE", "/dev/null").env("AWS_CONFIG_FILE", "/dev/null");
        let output = command.current_dir(&self.root).args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        // Messages are wrapped.
        let said = text(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        (output.status.code().unwrap(), text(&output.stdout), said)
    }

    fn deploy(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run(&[&["deploy"], arguments].concat())
    }
}

/// Returns the files of a folder, without what is not for visitors.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let files = entries.map(|entry| {
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        (path, fs::read(entry.path()).unwrap())
    });
    files.filter(|(path, _)| !path.starts_with(".sitegen-deploys/")).collect()
}

#[test]
fn a_site_is_deployed_to_a_folder_and_goes_back() {
    let project = Project::new();
    let (code, listed, said) = project.deploy(&["--dry-run"]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert!(listed.contains("send    index.html\n") && listed.contains("../www would change: "), "{listed}");
    let (code, said, _) = project.deploy(&[]);
    assert_eq!(code, 0);
    assert!(said.starts_with("deployed to ../www: ") && said.ends_with(" (deploy 1)\n"), "{said}");
    let first = files(&project.root.join("dist"));
    assert_eq!(files(&project.target), first);
    assert_eq!(project.deploy(&[]), (0, "../www has this site already\n".to_owned(), String::new()));

    // The picture of the first page stays: somebody may have the page open.
    project.write("Rolls", "red");
    let second = files(&project.root.join("dist"));
    assert_eq!(project.deploy(&["--quiet"]), (0, String::new(), String::new()));
    let there = files(&project.target);
    let kept: Vec<&String> = there.keys().filter(|path| !second.contains_key(*path)).collect();
    assert!(kept.len() == 1 && kept[0].starts_with("assets/") && kept[0].ends_with(".svg"), "{kept:?}");
    assert!(second.iter().all(|(path, bytes)| there[path] == *bytes));
    assert_eq!(project.deploy(&["--rollback"]).0, 0);
    assert!(first.iter().all(|(path, bytes)| files(&project.target)[path] == *bytes));
    assert_eq!(project.deploy(&["--rollback"]).0, 0);
    assert!(second.iter().all(|(path, bytes)| files(&project.target)[path] == *bytes));

    // It goes with the deploy after that one.
    project.write("Buns", "red");
    assert_eq!(project.deploy(&[]).0, 0);
    assert_eq!(files(&project.target), files(&project.root.join("dist")));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(project.target.join(".sitegen-deploys")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[test]
fn a_damaged_output_is_not_deployed() {
    let project = Project::new();
    fs::write(project.root.join("dist/index.html"), "mine").unwrap();
    let (code, _, said) = project.deploy(&[]);
    let reported = "error[output-differs]: this file has changed since it was published --> index.html 1 error; ./dist differs from \
                    what was published";
    assert_eq!((code, said.as_str()), (1, reported));
    assert!(!project.target.exists());
    fs::remove_dir_all(project.root.join("dist")).unwrap();
    let (code, _, said) = project.deploy(&[]);
    assert!(code == 3 && said.contains("run `sitegen build` first"), "{said}");
}

#[test]
fn files_of_somebody_else_are_left() {
    let project = Project::new();
    fs::create_dir(&project.target).unwrap();
    fs::write(project.target.join("index.html"), "mine").unwrap();
    fs::write(project.target.join("notes.txt"), "mine").unwrap();
    let (code, _, said) = project.deploy(&[]);
    let reported = "failed[deploy-refused]: will not deploy to ../www: files are there that no deploy of sitegen has put there: \
                    `index.html` = help: ";
    assert!(code == 3 && said.starts_with(reported), "{said}");
    assert_eq!(files(&project.target).len(), 2);
    assert_eq!(project.deploy(&["--all"]).0, 0);
    let mut there = files(&project.target);
    assert_eq!(there.remove("notes.txt").unwrap(), b"mine");
    assert_eq!(there, files(&project.root.join("dist")));
}

#[test]
fn a_folder_of_the_project_is_no_target() {
    let project = Project::new();
    for (to, reason) in [
        ("content/public", "it overlaps the project's sources"),
        (".", "it is the project itself"),
        ("..", "the project is in it"),
        ("dist", "it is the output folder"),
        ("dist/inner", "it is the output folder"),
    ] {
        let (code, _, said) = project.deploy(&["--to", to]);
        assert!(code == 3 && said.contains(reason), "{to}: {said}");
    }
}

#[test]
fn a_target_that_is_wrong_is_reported_where_it_is_written() {
    let project = Project::new();
    let (code, _, said) = project.deploy(&["--to", "s3://key:flour@bucket"]);
    assert!(code == 2 && said.contains("credentials come from the environment") && !said.contains("flour"), "{said}");
    project.write_settings("sftp://me:flour@host/srv");
    let (code, _, said) = project.deploy(&[]);
    assert!(code == 1 && said.contains("error[deploy-target]") && said.contains("content/site.yaml:6:9"), "{said}");
    fs::write(project.root.join("content/site.yaml"), "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n")
        .unwrap();
    let (code, _, said) = project.deploy(&[]);
    assert!(code == 2 && said.contains("does not say where the site is deployed to"), "{said}");
}

#[test]
fn a_bucket_needs_the_feature_or_credentials() {
    let project = Project::new();
    let (code, _, said) = project.deploy(&["--to", "s3://bakery-site"]);
    let (reason, help) = match cfg!(feature = "object-storage") {
        true => ("there are no credentials for S3", "AWS_ACCESS_KEY_ID"),
        false => ("without the feature", "--features"),
    };
    assert!(code == 3 && said.contains("failed[deploy-failed]") && said.contains(reason), "{said}");
    assert!(said.contains(help), "{said}");
}
