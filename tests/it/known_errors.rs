//! `suppressions.json`: errors that a site is published with, and no others.

use crate::publishing::{build, succeeds};
use crate::support::generated::{self, Files};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SUPPRESSIONS: &str = "suppressions.json";

/// A site with two broken links in one page and a picture without a text in another.
fn project() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("site");
    let files: Files = [
        ("content/site.yaml", "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n"),
        ("content/pages/index.md", "---\ntitle: Home\n---\n[Bread](/bread) and [rye](/rye) and [cakes](/cakes).\n"),
        ("content/pages/bread.md", "---\ntitle: Bread\n---\n<img src=\"/a.svg\" width=\"9\" height=\"9\">\n"),
        ("content/public/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h9v9z\"/></svg>\n"),
        (
            "templates/pages/page.html",
            "<!doctype html><html lang=en><head><title>{{ page.title }}</title></head><body><main><h1>{{ page.title }}</h1>\
             {{ page.content }}</main></body></html>\n",
        ),
    ]
    .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
    .into();
    generated::write(&files, &root);
    (folder, root)
}

fn sitegen(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).current_dir(root).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

fn edit(root: &Path, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(root.join(path)).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(root.join(path), text.replace(from, to)).unwrap();
}

#[test]
fn errors_that_are_known_are_published_and_counted_and_new_ones_are_not() {
    let (_folder, root) = project();
    let home = "content/pages/index.md";
    assert_eq!(build(&root, &[]).status.code(), Some(1));

    let suppressed = sitegen(&root, &["check", "--suppress-all"]);
    assert!(suppressed.status.success(), "{}", said(&suppressed));
    assert!(said(&suppressed).contains("suppressed 3 errors in 2 files: suppressions.json"), "{}", said(&suppressed));
    let built = sitegen(&root, &["build"]);
    assert!(built.status.success() && said(&built).contains("3 known errors are suppressed"), "{}", said(&built));
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(root.join("dist/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["suppressed"], 3);
    assert!(said(&sitegen(&root, &["verify", "dist"])).contains("it was published with 3 known errors"));
    // From the snapshot, from the cache and without one.
    let first = generated::read(&root.join("dist"));
    assert!(said(&sitegen(&root, &["build"])).contains("3 known errors are suppressed"));
    fs::remove_dir_all(root.join(".sitegen")).unwrap();
    succeeds(&root, &[]);
    assert_eq!(generated::read(&root.join("dist")), first);

    // One more of a kind in the same file, one of another kind, one in another file.
    for (path, from, to) in [
        (home, "(/cakes)", "(/cakes) and [buns](/buns)"),
        (home, "(/cakes)", "(/cakes)\n\n#### Deep"),
        ("content/pages/bread.md", "<img", "[Rye](/rye) <img"),
    ] {
        edit(&root, path, from, to);
        let refused = sitegen(&root, &["build"]);
        assert_eq!(refused.status.code(), Some(1), "{to}: {}", said(&refused));
        assert_eq!(generated::read(&root.join("dist")), first, "{to}");
        edit(&root, path, to, from);
        succeeds(&root, &[]);
    }

    // What is corrected is pruned, and does not come back.
    edit(&root, home, " and [cakes](/cakes)", "");
    edit(&root, "content/pages/bread.md", "<img", "<img alt=\"Rye\"");
    let fewer = sitegen(&root, &["build"]);
    assert!(fewer.status.success() && said(&fewer).contains("warning[fewer-than-suppressed]"), "{}", said(&fewer));
    assert_eq!(sitegen(&root, &["build", "--deny", "warnings"]).status.code(), Some(1));
    let pruned = sitegen(&root, &["check", "--prune-suppressions"]);
    assert!(said(&pruned).contains("2 errors removed, 1 left"), "{}", said(&pruned));
    succeeds(&root, &["--deny", "warnings"]);
    edit(&root, home, "and [rye](/rye)", "and [rye](/rye) and [buns](/buns)");
    assert_eq!(build(&root, &[]).status.code(), Some(1));
    edit(&root, home, " and [rye](/rye) and [buns](/buns)", "");
    sitegen(&root, &["check", "--prune-suppressions"]);
    assert!(!root.join(SUPPRESSIONS).exists(), "nothing is left in it");
}

#[test]
fn many_suppressed_errors_are_counted_and_hide_no_other_error() {
    let (_folder, root) = project();
    let each = |text: fn(usize) -> String| (0..150).map(text).collect::<String>();
    let template = root.join("templates/pages/page.html");
    let page = root.join("content/pages/bread.md");
    let buttons = each(|number| format!("<button id=\"b{number}\"></button>\n"));
    edit(&root, "templates/pages/page.html", "</main>", &format!("{buttons}</main>"));
    let text = each(|number| format!("![x](a{number}.png) [y](/b{number})\n\n"));
    fs::write(&page, format!("---\ntitle: Bread\n---\n{text}")).unwrap();
    let suppressed = sitegen(&root, &["check", "--suppress-all"]);
    assert!(said(&suppressed).contains("suppressed 452 errors in 3 files"), "{}", said(&suppressed));
    succeeds(&root, &[]);

    for (path, end, added, code) in [
        (&template, "</main>", "<p onclick=\"x()\">x</p></main>", "event-handler"),
        (&template, "</main>", "<a href=\"javascript:x()\">x</a></main>", "unsafe-address"),
        (&page, "[y](/b149)", "[y](/b149) [z](javascript:x())", "unsafe-address"),
        (&page, "[y](/b149)", "[y](/b149) <form></form>", "raw-html"),
        (&page, "[y](/b149)", "[y](/b149) [z](/b150)", "broken-link"),
    ] {
        let before = fs::read_to_string(path).unwrap();
        fs::write(path, before.replace(end, added)).unwrap();
        let refused = sitegen(&root, &["build", "--format", "short"]);
        let said = said(&refused);
        assert!(refused.status.code() == Some(1) && said.contains(&format!("error[{code}]")), "{added}: {said}");
        fs::write(path, before).unwrap();
        succeeds(&root, &[]);
    }
}

#[test]
fn a_sarif_log_of_a_site_that_passes_marks_what_is_suppressed() {
    let (_folder, root) = project();
    assert!(sitegen(&root, &["check", "--suppress-all"]).status.success());
    // Without a cache, and from what a build has saved.
    for command in ["check", "build", "check"] {
        let output = sitegen(&root, &[command, "--format", "sarif"]);
        let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let suppressed = serde_json::json!([{ "kind": "external" }]);
        assert_eq!(results.len(), 3, "{command}: {log:#}");
        assert!(results.iter().all(|each| each["suppressions"] == suppressed), "{command}: {log:#}");
        let json = sitegen(&root, &[command, "--format", "json"]);
        assert!(json.stderr.is_empty(), "{}", said(&json));
    }
}

#[test]
fn an_error_that_is_suppressed_is_fixed_too() {
    let (_folder, root) = project();
    edit(&root, "content/pages/index.md", "(/rye)", "(/bred)");
    sitegen(&root, &["check", "--suppress-all"]);
    let fixed = sitegen(&root, &["fix"]);
    assert!(fixed.status.success() && said(&fixed).contains("replace `/bred` with `/bread`"), "{}", said(&fixed));
    assert!(said(&fixed).contains("warning[fewer-than-suppressed]"), "{}", said(&fixed));
    assert!(fs::read_to_string(root.join("content/pages/index.md")).unwrap().contains("[rye](/bread)"));
    succeeds(&root, &[]);
}

#[test]
fn nothing_but_a_file_is_replaced() {
    let (_folder, root) = project();
    fs::create_dir(root.join(SUPPRESSIONS)).unwrap();
    fs::write(root.join(SUPPRESSIONS).join("mine.txt"), "x").unwrap();
    assert_eq!(sitegen(&root, &["check", "--suppress-all"]).status.code(), Some(3));
    assert!(root.join(SUPPRESSIONS).join("mine.txt").exists());
    fs::remove_dir_all(root.join(SUPPRESSIONS)).unwrap();
    #[cfg(unix)]
    {
        let outside = root.parent().unwrap().join("outside.json");
        fs::write(&outside, "{}").unwrap();
        std::os::unix::fs::symlink(&outside, root.join(SUPPRESSIONS)).unwrap();
        let refused = sitegen(&root, &["check", "--suppress-all"]);
        assert!(!refused.status.success(), "{}", said(&refused));
        assert_eq!(fs::read_to_string(outside).unwrap(), "{}");
    }
}

/// Of every site in `tests/sites` that is not published: either all of its errors can be suppressed, and then it is published, or the
/// one that cannot is reported, and nothing is written.
#[test]
fn what_can_be_suppressed_is_published_and_nothing_else() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sites");
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("known-errors");
    let _ = fs::remove_dir_all(&work);
    let (mut published, mut refused) = (0, 0);
    for site in fs::read_dir(sites).unwrap().map(|entry| entry.unwrap().path()) {
        let expected = fs::read_to_string(site.join("expected.txt")).unwrap_or_default();
        let has_own =
            site.join(SUPPRESSIONS).exists() || site.join("arguments").exists() || site.join("islands").exists();
        if !expected.contains("error[") || has_own {
            continue;
        }
        let root = work.join(site.file_name().unwrap());
        generated::write(&generated::read(&site), &root);
        let suppressed = sitegen(&root, &["check", "--suppress-all", "--now", "2026-12-01"]);
        let built = sitegen(&root, &["build", "--now", "2026-12-01"]);
        let name = site.display();
        match suppressed.status.code() {
            Some(0) => {
                assert!(built.status.success(), "{name}: {}", said(&built));
                assert!(said(&built).contains("suppressed by"), "{name}: {}", said(&built));
                published += 1;
            }
            code => {
                assert_eq!(code, Some(1), "{name}: {}", said(&suppressed));
                assert!(said(&suppressed).contains("error["), "{name}: {}", said(&suppressed));
                assert!(!root.join(SUPPRESSIONS).exists() && !built.status.success(), "{name}");
                refused += 1;
            }
        }
    }
    assert!(published > 20 && refused > 100, "{published} published, {refused} refused");
    println!("{published} sites published with their errors, {refused} refused");
}
