//! Files that cannot be read: pipes, links to nowhere, names that are no text. Git can hold none of them, so they are
//! made here, and what is said of them is held to the letter.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

const SITE: &str = "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n";
const TEMPLATE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>B</title>\n</head>\n\
    <body>\n<main><h1>B</h1></main>\n</body>\n</html>\n";

/// A sound project, to which `spoil` does something.
fn told(spoil: impl FnOnce(&Path)) -> String {
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
    spoil(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_sitegen")).arg("build").current_dir(folder.path()).output().unwrap();
    assert!(!folder.path().join("dist").exists());
    format!("{}exit code {}\n", String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

#[test]
fn each_is_told_at_its_place() {
    let said = told(|project| {
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
    });
    let expected = "\
error[unreadable]: this cannot be read: its name is not UTF-8
  --> content/br\u{fffd}tchen
  = help: rename it with the letters `a` to `z`, digits and `-`

error[unreadable]: this cannot be read: its name is not UTF-8
  --> content/pages/caf\u{fffd}.md
  = help: rename it with the letters `a` to `z`, digits and `-`

error[unreadable]: this cannot be read: it is a link to `nowhere.md`, which is
  not there
  --> content/pages/dangling.md
  = help: remove the link, or let it lead to a file

error[unreadable]: this cannot be read: it is a link to `content/pages`, the
  folder that it lies in
  --> content/pages/loop
  = help: remove the link

error[unreadable]: this cannot be read: it is no file but a pipe, a socket or a
  device
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
fn what_permissions_forbid_is_told() {
    // The superuser may read everything, so there is nothing to tell.
    let probe = tempfile::NamedTempFile::new().unwrap();
    fs::set_permissions(probe.path(), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(probe.path()).is_ok() {
        eprintln!("run by the superuser, who may read everything: permissions are not tested");
        return;
    }
    let said = told(|project| {
        fs::create_dir(project.join("content/loaves")).unwrap();
        for path in ["content/pages/index.yaml", "content/loaves"] {
            fs::set_permissions(project.join(path), fs::Permissions::from_mode(0o000)).unwrap();
        }
    });
    let expected = "\
error[unreadable]: this cannot be read: its permissions do not allow it
  --> content/loaves
  = help: let its owner read it, as with `chmod u+rX`

error[unreadable]: this cannot be read: its permissions do not allow it
  --> content/pages/index.yaml
  = help: let its owner read it, as with `chmod u+rX`

2 errors; nothing was published
exit code 1
";
    assert_eq!(said, expected, "\n{said}");
}
