//! Files that cannot be read: pipes, dangling links, names that are not text. Git can store none of them, so they are
//! created here, and their messages are compared letter for letter.

use crate::support::needs;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const SITE: &str = "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n";
const TEMPLATE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>B</title>\n</head>\n\
    <body>\n<main><h1>B</h1></main>\n</body>\n</html>\n";

/// The number of the user `nobody`, who owns no file.
const NOBODY: u32 = 65534;

fn valid_project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("content/site.yaml", SITE),
        ("content/pages/index.yaml", "title: Bakery\n"),
        ("templates/pages/page.html", TEMPLATE),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn is_superuser() -> bool {
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// Builds as an ordinary user. `mode` is that of the project's folder.
fn built_by_ordinary_user(project: &Path, mode: u32) -> Output {
    fs::set_permissions(project, fs::Permissions::from_mode(mode)).unwrap();
    as_ordinary_user(|program| program.arg("build").current_dir(project).output().unwrap())
}

/// Calls the program as an ordinary user: permissions do not apply to the superuser.
fn as_ordinary_user<T>(call: impl FnOnce(&mut Command) -> T) -> T {
    if !is_superuser() {
        return call(&mut Command::new(env!("CARGO_BIN_EXE_sitegen")));
    }
    // Others may have no access to the folder that the program was compiled in.
    let reachable = tempfile::tempdir().unwrap();
    let copy = reachable.path().join("sitegen");
    fs::set_permissions(reachable.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // Another process copies it. A descriptor that is open for writing in this one is inherited by every program that
    // another test starts at that moment, and until that program runs the system refuses this one: "Text file busy".
    let mut install = Command::new("install");
    let status = install.args(["-m", "755", env!("CARGO_BIN_EXE_sitegen")]).arg(&copy).status().unwrap();
    assert!(status.success());
    call(Command::new(copy).uid(NOBODY).gid(NOBODY))
}

fn words(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    format!("{said}exit code {}\n", output.status.code().unwrap())
}

/// Returns the messages for a valid project that `spoil` changes so that nothing is published.
fn reported(spoil: impl FnOnce(&Path), build: impl FnOnce(&Path) -> Output) -> String {
    let folder = valid_project();
    spoil(folder.path());
    let output = build(folder.path());
    // A folder without write permission could not be removed.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(!folder.path().join("dist").exists());
    words(&output)
}

fn built(project: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sitegen")).arg("build").current_dir(project).output().unwrap()
}

#[test]
fn each_file_is_reported_at_its_place() {
    let spoil = |project: &Path| {
        let pages = project.join("content/pages");
        symlink("nowhere.md", pages.join("dangling.md")).unwrap();
        symlink("round.md", pages.join("round.md")).unwrap();
        symlink("../pages", pages.join("loop")).unwrap();
        symlink("n".repeat(300), pages.join("too-long.md")).unwrap();
        fs::write(pages.join(OsStr::from_bytes(b"caf\xe9.md")), "---\ntitle: T\n---\n").unwrap();
        let folder = project.join("content").join(OsStr::from_bytes(b"br\xf6tchen"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("rye.yaml"), "name: Rye\n").unwrap();
        fs::write(folder.join("spelt.yaml"), "name: Spelt\n").unwrap();
        for name in ["content/pages/pipe.yaml", "package.json"] {
            assert!(Command::new("mkfifo").arg(project.join(name)).status().unwrap().success());
        }
    };
    let said = reported(spoil, built);
    let expected = "\
error[unreadable]: this cannot be read: its name is not UTF-8
  --> content/br\u{fffd}tchen
  = help: rename it with the letters `a` to `z`, digits and `-`

error[unreadable]: this cannot be read: its name is not UTF-8
  --> content/pages/caf\u{fffd}.md
  = help: rename it with the letters `a` to `z`, digits and `-`

error[unreadable]: this cannot be read: it is a link to `nowhere.md`, which does
  not exist
  --> content/pages/dangling.md
  = help: remove the link, or point it to a file

error[unreadable]: this cannot be read: it is a link to `content/pages`, the
  folder that contains it
  --> content/pages/loop
  = help: remove the link

error[unreadable]: this cannot be read: it is a pipe, a socket or a device
  --> content/pages/pipe.yaml
  = help: remove it

error[unreadable]: this cannot be read: it is a link that leads back to itself
  --> content/pages/round.md
  = help: remove the link

error[unreadable]: this cannot be read: File name too long
  --> content/pages/too-long.md
  = help: look at it in the file manager, or remove it

7 errors; nothing was published
exit code 1
";
    assert_eq!(said, expected, "\n{said}");
}

#[test]
fn missing_permissions_are_reported() {
    let spoil = |project: &Path| {
        fs::create_dir(project.join("content/loaves")).unwrap();
        for path in ["content/pages/index.yaml", "content/loaves"] {
            fs::set_permissions(project.join(path), fs::Permissions::from_mode(0o000)).unwrap();
        }
    };
    let said = reported(spoil, |project| built_by_ordinary_user(project, 0o755));
    let expected = "\
error[unreadable]: this cannot be read: its permissions forbid reading
  --> content/loaves
  = help: allow its owner to read it, as with `chmod u+rX`

error[unreadable]: this cannot be read: its permissions forbid reading
  --> content/pages/index.yaml
  = help: allow its owner to read it, as with `chmod u+rX`

2 errors; nothing was published
exit code 1
";
    assert_eq!(said, expected, "\n{said}");
}

#[test]
fn a_build_that_may_not_publish_names_the_folder() {
    let said = reported(|_| {}, |project| built_by_ordinary_user(project, 0o555));
    let expected = "\
failed[io]: cannot publish to ./dist: Permission denied
  = help: give the user who runs the build write access to ./dist, its parent
    folder and `.sitegen`

1 error; nothing was published
exit code 3
";
    assert_eq!(said, expected, "\n{said}");
}

/// Only the owner of a file may read it without updating its access time; others have to open it in the ordinary way.
#[test]
fn files_of_others_are_read() {
    if !is_superuser() {
        needs::left_out("only the superuser can build as someone else");
        return;
    }
    let folder = valid_project();
    let project = folder.path();
    let output = built_by_ordinary_user(project, 0o777);
    assert!(output.status.success(), "{}", words(&output));
    let owner = |path: &str| project.join(path).metadata().unwrap().uid();
    assert_eq!((owner("content/site.yaml"), owner("dist/index.html")), (0, NOBODY));
    assert!(fs::read_to_string(project.join("dist/index.html")).unwrap().contains("<h1>B</h1>"));
}

#[test]
fn the_server_goes_on_while_a_folder_may_not_be_read() {
    let folder = valid_project();
    let (project, guides) = (folder.path(), folder.path().join("content/pages/guides"));
    fs::create_dir(&guides).unwrap();
    fs::write(guides.join("use.yaml"), "title: Use\n").unwrap();
    fs::set_permissions(project, fs::Permissions::from_mode(0o755)).unwrap();
    as_ordinary_user(|program| {
        let arguments = ["serve", "--port", "0", "--root"];
        let output = (Stdio::piped(), Stdio::piped());
        let mut server = program.args(arguments).arg(project).stdout(output.0).stderr(output.1).spawn().unwrap();
        let (said, complained) = (lines(server.stdout.take().unwrap()), lines(server.stderr.take().unwrap()));
        // A server that ends closes its side, and nothing more can be received.
        let until = |lines: &Receiver<String>, wanted: &str| {
            while !lines
                .recv_timeout(Duration::from_secs(60))
                .unwrap_or_else(|_| panic!("no {wanted}"))
                .contains(wanted)
            {}
        };
        until(&said, "built 2 pages");
        fs::set_permissions(&guides, fs::Permissions::from_mode(0o000)).unwrap();
        until(&complained, "error[unreadable]");
        fs::set_permissions(&guides, fs::Permissions::from_mode(0o755)).unwrap();
        until(&said, "0 pages changed");
        fs::write(guides.join("use.yaml"), "title: Use it\n").unwrap();
        // The template does not show the title.
        until(&said, "content/pages/guides/use.yaml: 0 pages changed");
        server.kill().unwrap();
        server.wait().unwrap();
    });
}

/// Returns the lines of a stream as they come.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
    });
    lines
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_closed_is_a_message_and_no_panic() {
    if !crate::support::tracing::is_permitted() {
        return;
    }
    let root = valid_project();
    // The first ones are of the system's own loader, which stops a program itself.
    let run = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=close", "-e", "inject=close:error=EIO:when=12+"])
        .args([env!("CARGO_BIN_EXE_sitegen"), "build", "--root"])
        .arg(root.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(3), "{said}");
    assert!(said.contains("cannot close a folder") && !said.contains("panicked"), "{said}");
}
