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
        self.run_with(&[], arguments)
    }

    /// The same with some variables.
    fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.env_remove("AWS_ACCESS_KEY_ID").env_remove("CI");
        command.env("AWS_SHARED_CREDENTIALS_FILE", "/dev/null").env("AWS_CONFIG_FILE", "/dev/null");
        command.envs(variables.iter().copied());
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
    for (to, shown) in [
        ("s3://key:flour@bucket", "--to s3://…@bucket: it has credentials in it"),
        ("ssh://me:flour@host/x", "--to ssh://me:…@host/x: it has a password in it"),
        ("rsync://me:flour@host/x", "--to rsync://me:…@host/x: it is of rsync's own protocol"),
        ("me:flour@host:/srv/www", "--to me:…@host:/srv/www: it has no scheme"),
        ("me@host:/srv/www", "--to me@host:/srv/www: it has no scheme = help: write `ssh://me@host/srv/www`"),
        ("az://account/x?sig=flour", "--to az://account/x?…: it has `?` or `#` in it"),
        ("~/www", "--to ~/www: it has a `~`, which only a shell replaces by the home folder"),
    ] {
        let (code, _, said) = project.deploy(&["--to", to]);
        assert!(code == 2 && said.contains(shown) && !said.contains("flour"), "{to}: {said}");
    }
    project.write_settings("sftp://me:flour@host/srv");
    let (code, _, said) = project.deploy(&[]);
    assert!(code == 1 && said.contains("error[deploy-target]") && said.contains("content/site.yaml:6:9"), "{said}");
    assert!(said.contains("cannot be deployed to `sftp://me:…@host/srv`"), "{said}");
    fs::write(project.root.join("content/site.yaml"), "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n")
        .unwrap();
    let (code, _, said) = project.deploy(&[]);
    assert!(code == 2 && said.contains("does not say where the site is deployed to"), "{said}");
}

#[test]
fn a_wrong_argument_is_repeated_without_its_secrets() {
    let project = Project::new();
    for arguments in [
        &["build", "--cache", "http://me:flour@host"][..],
        &["build", "--cache", "https://host/?token=flour"],
        &["build", "--cache", "s3://key:flour@bucket"],
        &["build", "https://me:flour@host"],
        &["deploy", "--wait", "https://me:flour@host"],
        &["https://me:flour@host"],
    ] {
        let (code, out, said) = project.run(arguments);
        assert!(code == 2 && said.contains('…') && !said.contains("flour") && out.is_empty(), "{arguments:?}: {said}");
    }
}

#[test]
fn a_folder_is_one_target_however_it_is_written() {
    let project = Project::new();
    assert_eq!(project.deploy(&[]).0, 0);
    let absolute = project.target.to_str().unwrap().to_owned();
    for (to, title) in [("../www/", "Rolls"), (absolute.as_str(), "Buns"), ("./../www", "Pies")] {
        project.write(title, "red");
        let (code, said, _) = project.deploy(&["--to", to]);
        assert!(code == 0 && !said.contains("note: "), "{to}: {said}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&project.target, project.root.join("../link")).unwrap();
        assert_eq!(
            project.deploy(&["--to", "../link"]),
            (0, "../link has this site already\n".to_owned(), String::new())
        );
        // The folder is checked, not the link.
        std::os::unix::fs::symlink(project.root.join("content"), project.root.join("../sources")).unwrap();
        let (code, _, said) = project.deploy(&["--to", "../sources"]);
        assert!(code == 3 && said.contains("it overlaps the project's sources"), "{said}");
    }
}

#[test]
fn a_manifest_of_a_target_names_only_what_a_build_can_write() {
    let project = Project::new();
    assert_eq!(project.deploy(&[]).0, 0);
    fs::write(project.root.join("../mine.txt"), "mine").unwrap();
    let deploys = project.target.join(".sitegen-deploys");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(deploys.join("1.json")).unwrap()).unwrap();
    for path in ["../mine.txt", "x\\n!touch mine", ".sitegen-deploys/1.json"] {
        let text = format!("{{\"generator\": \"sitegen\", \"files\": {{\"{path}\": \"{}\"}}}}", "0".repeat(64));
        let name: String = sitegen::sources::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(deploys.join(format!("manifests/{name}.json")), text).unwrap();
        let mut record = record.clone();
        record["manifest"] = name.into();
        fs::write(deploys.join("1.json"), record.to_string()).unwrap();
        let before = files(&project.target);
        for arguments in [&["--dry-run"][..], &[]] {
            let (code, _, said) = project.deploy(arguments);
            assert!(code == 3 && said.contains("which cannot be deployed: its path"), "{path}: {said}");
        }
        assert_eq!(files(&project.target), before);
    }
    // Neither is a path made of another name than a digest.
    let mut record = record.clone();
    record["leftovers"] = serde_json::json!(["../../../mine"]);
    fs::write(deploys.join("1.json"), record.to_string()).unwrap();
    let (code, _, said) = project.deploy(&[]);
    assert!(code == 3 && said.contains("1.json is no claim that this version of sitegen can read"), "{said}");
    assert_eq!(fs::read(project.root.join("../mine.txt")).unwrap(), b"mine");
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

#[test]
fn only_mistakes_in_the_settings_are_reported() {
    let project = Project::new();
    fs::write(project.root.join("content/pages/second.md"), "---\ntitle: [\n---\n").unwrap();
    fs::create_dir_all(project.root.join("content/schemas")).unwrap();
    fs::write(project.root.join("content/schemas/posts.schema.json"), "{").unwrap();
    assert_eq!(project.run(&["check"]).0, 1);
    // The output is complete, whatever has been written since.
    let (code, _, said) = project.deploy(&["--dry-run"]);
    assert_eq!((code, said.as_str()), (0, ""));
    project.write_settings("rsync://host/x");
    let (code, _, said) = project.deploy(&["--dry-run"]);
    assert!(
        code == 1 && said.starts_with("error[deploy-target]") && said.ends_with("1 error; nothing was deployed"),
        "{said}"
    );
    assert!(!said.contains("second.md") && !said.contains("posts.schema.json"), "{said}");
}

#[test]
fn a_folder_that_was_deployed_to_can_be_verified() {
    let project = Project::new();
    let verify = || project.run(&["verify", "../www"]);
    for (title, colour) in [("Bread", "black"), ("Rolls", "red"), ("Buns", "blue")] {
        project.write(title, colour);
        assert_eq!(project.deploy(&[]).0, 0);
        let (code, said, errors) = verify();
        assert!(code == 0 && said.starts_with("verified ../www: "), "{said}{errors}");
    }
    // The picture of the second site stays for a while, as it was published.
    let there = files(&project.target);
    let new = files(&project.root.join("dist"));
    let old = there.keys().find(|path| !new.contains_key(*path)).unwrap();
    fs::write(project.target.join(old), "mine").unwrap();
    fs::write(project.target.join(".sitegen-deploys/shell.php"), "mine").unwrap();
    fs::write(project.target.join("assets/mine.svg"), "mine").unwrap();
    let (code, _, said) = verify();
    let reported =
        |path: &str| said.contains(&format!("error[output-differs]: this file was not published --> {path} "));
    assert!(code == 1 && said.contains("3 errors; "), "{said}");
    assert!(reported(old) && reported(".sitegen-deploys/shell.php") && reported("assets/mine.svg"), "{said}");
}

#[test]
fn a_folder_with_the_name_of_that_of_deploys_is_verified() {
    let project = Project::new();
    let kept = project.root.join("dist/.sitegen-deploys");
    fs::create_dir(&kept).unwrap();
    fs::write(kept.join("1.json"), r#"{ "generator": "other", "format": 1 }"#).unwrap();
    let (code, _, said) = project.run(&["verify"]);
    assert!(code == 1 && said.contains("this file was not published --> .sitegen-deploys/1.json"), "{said}");
}

#[test]
fn what_a_project_folder_knows_of_deploys_may_be_lost_or_old() {
    let project = Project::new();
    let known = project.root.join(".sitegen/deploys.json");
    assert_eq!(project.deploy(&[]).0, 0);
    let first = fs::read(&known).unwrap();
    project.write("Rolls", "red");
    assert_eq!(project.deploy(&[]).0, 0);

    // A deploy over one that is not known is reported, and may be taken back.
    fs::remove_dir_all(project.root.join(".sitegen")).unwrap();
    let (code, said, _) = project.deploy(&[]);
    assert_eq!((code, said.as_str()), (0, "../www has this site already\n"));
    fs::remove_file(&known).unwrap();
    project.write("Buns", "red");
    for (arguments, is_noted) in [(&["--dry-run"][..], true), (&["--dry-run", "--over", "2"], false)] {
        let (code, said, _) = project.deploy(arguments);
        let note = "note: this project folder knows no deploy to ../www: deploy 2 of 20";
        assert_eq!((code, said.contains(note)), (0, is_noted), "{said}");
    }
    let (code, said, _) = project.run_with(&[("CI", "true")], &["deploy", "--dry-run"]);
    assert!(code == 0 && !said.contains("note: "), "{said}");
    let (code, said, _) = project.deploy(&[]);
    assert!(code == 0 && said.starts_with("note: ") && said.ends_with(" (deploy 3)\n"), "{said}");

    // A cache has brought back what was known before.
    fs::write(&known, &first).unwrap();
    project.write("Pies", "red");
    for variables in [&[][..], &[("CI", "false")]] {
        let (code, _, said) = project.run_with(variables, &["deploy"]);
        let reported = "failed[deploy-refused]: will not deploy to ../www: deploy 3 of 20";
        assert!(code == 3 && said.starts_with(reported) && said.ends_with("1 error; nothing was changed"), "{said}");
    }
    let (code, said, _) = project.run_with(&[("CI", "true")], &["deploy"]);
    assert!(code == 0 && said.starts_with("deployed to ../www: ") && said.ends_with(" (deploy 4)\n"), "{said}");
    assert_eq!(project.deploy(&[]), (0, "../www has this site already\n".to_owned(), String::new()));
}

/// Writes programs that `ssh://` needs, and returns the variable `PATH` with them.
#[cfg(unix)]
fn programs(project: &Project, programs: &[(&str, &str)]) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = project.root.join("../bin");
    fs::create_dir_all(&folder).unwrap();
    // No test makes a connection.
    for (name, script) in [("ssh", "exit 1")].iter().chain(programs) {
        let file = folder.join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var("PATH").unwrap();
    format!("{}:{path}", folder.canonicalize().unwrap().display())
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_is_reported_with_what_it_says() {
    let project = Project::new();
    let says = |lines: &str| format!("printf '%b' '{lines}' >&2\nexit 255");
    for (lines, reported) in [
        (
            r"Host key verification failed.\r\nConnection closed\r\n",
            "sftp says: Host key verification failed. = help: run `ssh me@www.bakery.test` once and compare the fingerprint of \
             the server 1 error; the site there was not changed",
        ),
        (
            r"ssh: Could not resolve hostname www.bakery.test: \033[2JName or service not known\nConnection closed\n",
            "sftp says: ssh: Could not resolve hostname www.bakery.test: \u{fffd}[2JName or service not known = help: check the \
             name of the server, or run `ssh me@www.bakery.test` 1 error; the site there was not changed",
        ),
    ] {
        let path = programs(&project, &[("sftp", says(lines).as_str())]);
        for arguments in [&["--dry-run"][..], &[]] {
            let arguments = [&["deploy", "--to", "sftp://me@www.bakery.test/srv/www"], arguments].concat();
            let (code, _, said) = project.run_with(&[("PATH", path.as_str())], &arguments);
            assert_eq!(code, 3, "{said}");
            assert!(said.ends_with(reported), "{said}");
        }
    }

    // This server takes everything, but for what rsync sends.
    let rsync = r"printf 'rsync: [Receiver] mkstemp failed: No space left on device (28)\nrsync error: some files could not be transferred (code 23) at main.c\n' >&2; exit 23";
    let path = programs(&project, &[("sftp", "exit 0"), ("rsync", rsync)]);
    let arguments = ["deploy", "--to", "ssh://www.bakery.test/srv/www"];
    let (code, _, said) = project.run_with(&[("PATH", path.as_str())], &arguments);
    let reported = "failed[deploy-failed]: could not deploy to ssh://www.bakery.test/srv/www: rsync says: rsync: [Receiver] mkstemp failed: \
                    No space left on device (28); rsync error: some files could not be transferred (code 23) at main.c 1 error; \
                    `sitegen deploy` completes what has begun";
    assert_eq!((code, said.as_str()), (3, reported));
}

#[test]
fn the_folder_of_each_host_is_deployed_to_its_own_target() {
    let project = Project::new();
    let site = "url: https://www.bakery.test\nlanguage: en\nname: Bakery\nlanguages:\n  de: { name: Deutsch, url: \
                https://www.baeckerei.test }\nsettings: { host: nginx }\n";
    fs::write(project.root.join("content/site.yaml"), site).unwrap();
    let page = fs::read_to_string(project.root.join("templates/pages/page.html")).unwrap();
    let page = page.replace("lang=en", "lang={{ page.language }}").replace("</head>", "{{ alternates() }}</head>");
    fs::write(project.root.join("templates/pages/page.html"), page).unwrap();
    fs::write(project.root.join("content/pages/index.de.md"), "---\ntitle: Brot\n---\n\n![Laib](/assets/loaf.svg)\n")
        .unwrap();
    for arguments in [&["build"][..], &["build", "--no-manifest"]] {
        assert_eq!(project.run(arguments).0, 0);
        for language in ["en", "de"] {
            let (folder, to) = (format!("dist/{language}"), format!("../www.{language}"));
            let (code, said, error) = project.deploy(&[&folder, "--to", &to]);
            assert_eq!((code, error.as_str()), (0, ""), "{said}");
            let target = project.root.join(&to);
            assert_eq!(files(&target), files(&project.root.join(&folder)));
            let target = target.canonicalize().unwrap();
            let (code, said, error) = project.run(&["verify", target.to_str().unwrap()]);
            assert_eq!((code, error.as_str()), (0, ""));
            assert!(said.contains("all as published"), "{said}");
        }
    }
    // What was changed is no output of a build.
    fs::write(project.root.join("dist/de/index.html"), "x").unwrap();
    let (code, _, said) = project.deploy(&["dist/de", "--to", "../www.de"]);
    assert!(code == 1 && said.contains("de/index.html"), "{said}");
}

#[cfg(unix)]
#[test]
fn programs_share_a_connection() {
    let project = Project::new();
    let said = project.root.join("../said");
    // As `ssh` does: there is a socket as long as the input is open.
    let ssh = r#"for each in "$@"; do case $each in -oControlPath=*) socket=${each#*=};; esac; done
        echo "ssh $socket $*" >> "$SAID"; touch "$socket"; cat; echo end >> "$SAID""#;
    let path = programs(&project, &[("ssh", ssh), ("sftp", r#"echo "sftp $*" >> "$SAID""#)]);
    let variables = [("PATH", path.as_str()), ("SAID", said.to_str().unwrap())];
    let arguments = ["deploy", "--to", "sftp://me@www.bakery.test:22/srv/www"];
    let (code, _, error) = project.run_with(&variables, &arguments);
    assert_eq!((code, error.as_str()), (0, ""));
    let said = fs::read_to_string(said).unwrap();
    let lines: Vec<&str> = said.lines().filter(|line| *line != "end").collect();
    // The first one shows that there can be a connection.
    assert!(lines[0].starts_with("sftp ") && !lines[0].contains("ControlPath"), "{said}");
    let socket = lines[1].split(' ').nth(1).unwrap();
    assert!(lines[1].starts_with("ssh ") && lines[1].ends_with(" -p22 -- me@www.bakery.test sftp"), "{said}");
    let shares = |line: &&str| line.starts_with("sftp ") && line.contains(&format!("-oControlPath={socket} "));
    assert!(lines.len() > 5 && lines[2..].iter().all(shares), "{said}");
    assert!(!Path::new(socket).parent().unwrap().exists());
}
