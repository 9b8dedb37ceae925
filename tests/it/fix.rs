//! `sitegen fix`: what it changes in files, byte for byte, and what it leaves alone.

use crate::support::generated::{copy, repository};
use crate::support::size::sized;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TEMPLATE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\n\
                        <body><main><h1>{{ page.title }}</h1>{{ page.content }}</main></body></html>\n";

/// A site with an error of each kind that is fixed, and the same site without them.
const FIXED: [(&str, &str, &str); 6] = [
    ("content/site.yaml", "url: https://www.bakery.test\nlanguage: en\nname: Bakery # the name\n", ""),
    (
        "content/pages/index.md",
        "---\n# comment\ntitle: Bread: the basics\n---\n[About](/abuot#us), [Prices](prices.html) and ![Oven](old/oven.png)\n",
        "---\n# comment\ntitle: \"Bread: the basics\"\n---\n[About](/about#us), [Prices](prices.md) and ![Oven](photos/oven.png)\n",
    ),
    // Several on one line, each found once the one before is fixed; with line ends of Windows and a byte order mark.
    (
        "content/pages/about.md",
        "\u{feff}---\r\ntitle: 'About'   # us\r\ndescripton: Who: we are # we\r\npublsh: 2026-1-5\r\n---\r\n## Us\r\n\r\n<img src=\"/flag.png\" alt=\"Flag\">\r\n",
        "\u{feff}---\r\ntitle: 'About'   # us\r\ndescription: \"Who: we are\" # we\r\npublish: 2026-01-05\r\n---\r\n## Us\r\n\r\n<img src=\"/flag.png\" alt=\"Flag\" width=\"64\" height=\"48\">\r\n",
    ),
    (
        "content/pages/prices.md",
        "---\ntitle: Prices\nlastmod: 2026-02-01\n---\nCheap.\n",
        "---\ntitle: Prices\nupdated: 2026-02-01\n---\nCheap.\n",
    ),
    ("templates/styles/main.css", "/* a */ main { colr: red; } /* b */\n", "/* a */ main { color: red; } /* b */\n"),
    ("templates/pages/page.html", "\u{feff}", "\u{feff}"),
];

#[test]
fn what_is_certain_is_fixed_and_every_other_byte_stays() {
    let folder = site();
    let (before, root) = (files(folder.path()), folder.path());
    assert_eq!(sitegen(root, &["check"]).status.code(), Some(1));

    let output = sitegen(root, &["fix", "--dry-run"]);
    assert_eq!(output.status.code(), Some(1), "the errors are still there");
    let said = text(&output.stdout);
    for line in [
        "--- a/content/pages/index.md",
        "-title: Bread: the basics",
        "+title: \"Bread: the basics\"",
        "nothing was written",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(files(root), before, "a dry run writes nothing");

    let output = sitegen(root, &["fix"]);
    assert_eq!(output.status.code(), Some(0), "{} {}", text(&output.stdout), text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("fixed content/pages/index.md:3: replace `Bread: the basics`"), "{said}");
    assert!(said.contains("fixed 11 problems in 4 files\n"), "{said}");
    let after = files(root);
    for (path, old, new) in FIXED {
        let new = if new.is_empty() { old.to_owned() } else { new.to_owned() };
        let expected = if path.ends_with(".html") { format!("{new}{}", template()) } else { new };
        assert_eq!(text(&after[path]), expected, "{path}");
    }
    assert_eq!(after.len(), before.len(), "{:?}", after.keys());
    assert_eq!(sitegen(root, &["check"]).status.code(), Some(0));

    let output = sitegen(root, &["fix"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "nothing to fix with certainty\n"));
    assert_eq!(files(root), after);
}

#[test]
fn check_with_fix_does_the_same() {
    let (one, two) = (site(), site());
    assert_eq!(sitegen(one.path(), &["fix"]).stdout, sitegen(two.path(), &["check", "--fix"]).stdout);
    assert_eq!(files(one.path()), files(two.path()));
}

#[test]
fn what_does_not_help_is_taken_back() {
    let folder = site();
    let root = folder.path();
    // The value of the right key is as wrong, and nothing says what it should be.
    let page = "---\ntitle: Prices\npublsh: never\n---\nCheap.\n";
    fs::write(root.join("content/pages/prices.md"), page).unwrap();
    let output = sitegen(root, &["fix"]);
    assert_eq!(output.status.code(), Some(1));
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    assert!(said.contains("not fixed content/pages/prices.md:3: replace `publsh` with `publish`"), "{said}");
    assert!(error.contains("error[unknown-key]: unknown key `publsh`") && error.contains("1 error"), "{error}");
    assert_eq!(fs::read_to_string(root.join("content/pages/prices.md")).unwrap(), page);
    // The others are fixed all the same.
    assert!(said.contains("fixed templates/styles/main.css:1"), "{said}");
}

#[test]
fn what_else_is_wrong_on_a_line_does_not_keep_it_from_being_fixed() {
    let folder = site();
    let root = folder.path();
    sitegen(root, &["fix"]);
    fs::write(root.join("content/pages/prices.md"), "---\ntitle: P\n---\n[A](/abuot), [B](/nowhere) and [C](/x)\n")
        .unwrap();
    let output = sitegen(root, &["fix"]);
    assert!(
        text(&output.stdout).contains("fixed content/pages/prices.md:4: replace `/abuot` with `/about`"),
        "{output:?}"
    );
    assert!(output.status.code() == Some(1) && text(&output.stderr).contains("2 errors"), "{}", text(&output.stderr));
}

#[test]
fn front_matter_is_closed_and_a_repeated_key_removed() {
    let folder = site();
    let root = folder.path();
    sitegen(root, &["fix"]);
    let (prices, about) = (root.join("content/pages/prices.md"), root.join("content/pages/about.md"));
    fs::write(&prices, "---\r\ntitle: Prices\r\nheadline: Cheap\r\ntitle: Prices\r\n\r\nCheap.\r\n").unwrap();
    // Which of the two is meant, only a person knows.
    let differs = "---\ntitle: About\ntitle: About us\n---\n## Us\n";
    fs::write(&about, differs).unwrap();
    let output = sitegen(root, &["fix"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for line in ["prices.md:5: insert `---` after the last key", "prices.md:4: remove the key, which is set before"] {
        assert!(said.contains(&format!("fixed content/pages/{line}")), "{line}: {said}");
    }
    assert_eq!(fs::read_to_string(prices).unwrap(), "---\r\ntitle: Prices\r\nheadline: Cheap\r\n---\r\n\r\nCheap.\r\n");
    assert_eq!(fs::read_to_string(about).unwrap(), differs);
    assert!(text(&output.stderr).contains("[duplicate-key]"), "{}", text(&output.stderr));
}

#[test]
fn a_word_that_may_be_another_is_left_to_people() {
    let folder = site();
    let root = folder.path();
    let page = "---\ntitle: Home\n---\n[One](/pag-1) [Two](/pric)\n";
    for (path, text) in [("index", page), ("pag-2", "---\ntitle: A\n---\n"), ("price", "---\ntitle: B\n---\n")] {
        fs::write(root.join(format!("content/pages/{path}.md")), text).unwrap();
    }
    sitegen(root, &["fix"]);
    assert_eq!(fs::read_to_string(root.join("content/pages/index.md")).unwrap(), page);
    let output = sitegen(root, &["check", "--format", "json"]);
    let lines: Vec<serde_json::Value> =
        text(&output.stderr).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let repairs: Vec<_> = lines.iter().filter(|line| line["repair"].is_object()).map(|line| &line["repair"]).collect();
    assert_eq!(repairs.len(), 2, "{lines:#?}");
    for repair in repairs {
        assert_eq!(repair["certainty"], "likely", "{repair}");
        let place = repair["start"].as_u64().unwrap() as usize..repair["end"].as_u64().unwrap() as usize;
        assert!(["/pag-1", "/pric"].contains(&&page[place]), "{repair}");
    }
}

#[test]
#[cfg(unix)]
fn files_that_cannot_be_replaced_are_named_and_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = site();
    let root = folder.path();
    let page = root.join("content/pages/prices.md");
    fs::write(&page, "---\ntitle: Prices\npublsh: 2026-01-05\n---\nCheap.\n").unwrap();
    fs::set_permissions(root.join("templates/styles/main.css"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(&page, fs::Permissions::from_mode(0o444)).unwrap();
    // What is behind a link is another file's business.
    fs::rename(root.join("content/pages/about.md"), root.join("content/pages/other.md")).unwrap();
    std::os::unix::fs::symlink("other.md", root.join("content/pages/about.md")).unwrap();
    let before = files(root);
    let output = sitegen(root, &["fix"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains("cannot fix content/pages/prices.md: it is read-only"), "{error}");
    assert!(error.contains("cannot fix content/pages/about.md: it is a symbolic link"), "{error}");
    let after = files(root);
    assert_eq!(after["content/pages/prices.md"], before["content/pages/prices.md"]);
    assert!(root.join("content/pages/about.md").is_symlink());
    assert!(text(&after["templates/styles/main.css"]).contains("color: red"));
    let mode = fs::metadata(root.join("templates/styles/main.css")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640, "the permissions stay");
}

#[test]
fn a_fix_that_is_killed_leaves_whole_files() {
    const PAGES: usize = 30;
    let page = |number: usize, key: &str| format!("---\n{key}: Page {number}\n---\n{}\n", "Text. ".repeat(2_000));
    let write = |root: &Path| {
        for number in 0..PAGES {
            fs::write(root.join(format!("content/pages/p{number}.md")), page(number, "tittle")).unwrap();
        }
    };
    let folder = site();
    let root = folder.path();
    sitegen(root, &["fix"]);
    write(root);
    let start = std::time::Instant::now();
    assert_eq!(sitegen(root, &["fix"]).status.code(), Some(0));
    let whole = start.elapsed();
    let (mut killed, mut between) = (0, 0);
    for round in 0..sized(20, 200) {
        write(root);
        let mut child = command(root, &["fix"]).spawn().unwrap();
        // Files are written at the end.
        std::thread::sleep(whole.mul_f64(0.6 + 0.4 * f64::from(round % 20) / 20.0));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        let new = (0..PAGES).filter(|number| {
            let text = fs::read_to_string(root.join(format!("content/pages/p{number}.md"))).unwrap();
            let is_new = text == page(*number, "title");
            assert!(is_new || text == page(*number, "tittle"), "{number}: {text:.80}");
            is_new
        });
        between += usize::from((1..PAGES).contains(&new.count()));
    }
    println!("{killed} killed, {between} of them while files were written");
    assert_eq!(sitegen(root, &["fix"]).status.code(), Some(0), "what a killed one left disturbs nobody");
    let left = files(root).into_keys().filter(|path| path.contains(".sitegen-fix")).count();
    assert!(left <= 1, "{left} files were left");
}

/// Of every site of the fixtures: it has no more errors after a fix than before, and a second one changes nothing.
#[test]
fn no_site_is_worse_afterwards() {
    let mut sites: Vec<PathBuf> =
        fs::read_dir(repository().join("tests/sites")).unwrap().map(|entry| entry.unwrap().path()).collect();
    sites.retain(|site| site.join("content/site.yaml").is_file());
    sites.sort();
    let mut fixed = 0;
    for site in sites.iter().step_by(sized(9, 1)) {
        let folder = tempfile::tempdir().unwrap();
        copy(site, folder.path());
        let own = fs::read_to_string(site.join("arguments")).unwrap_or_default();
        let own: Vec<&str> = own.split_whitespace().filter(|each| !each.starts_with("--format")).collect();
        if own.iter().any(|each| !each.starts_with("--")) {
            continue;
        }
        let run = |command: &'static str| {
            let arguments: Vec<&str> =
                [command, "--now", "2026-12-01", "--format", "short"].into_iter().chain(own.iter().copied()).collect();
            sitegen(folder.path(), &arguments)
        };
        let errors = |output: &Output| text(&output.stderr).lines().filter(|line| line.contains(": error[")).count();
        let before = run("check");
        let source = files(folder.path());
        let first = run("fix");
        let context = || {
            format!("{}\n{}\n{}\n{}", site.display(), text(&before.stderr), text(&first.stdout), text(&first.stderr))
        };
        assert!(!text(&first.stderr).contains("panicked"), "{}", context());
        let after = run("check");
        // Errors that were hidden before may show.
        let is_deeper = before.status.code() == Some(1) && text(&first.stdout).contains("\nfixed ");
        assert!(errors(&after) <= errors(&before) || is_deeper, "{}", context());
        let now = files(folder.path());
        fixed += usize::from(now != source);
        let again = run("fix");
        assert_eq!(files(folder.path()), now, "{} {}", context(), text(&again.stdout));
        assert_eq!(again.status.code(), after.status.code().max(again.status.code()), "{}", context());
    }
    println!("{fixed} sites changed");
    assert!(fixed > sized(2, 30), "{fixed}");
}

fn template() -> String {
    TEMPLATE.replace("<title>", "{{ styles() }}<title>")
}

/// Writes the site with its errors.
fn site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text, _) in FIXED {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = if path.extension().unwrap() == "html" { format!("{text}{}", template()) } else { text.to_owned() };
        fs::write(path, text).unwrap();
    }
    for (path, width, height) in [("content/assets/photos/oven.png", 320, 200), ("content/public/flag.png", 64, 48)] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut encoder = png::Encoder::new(fs::File::create(path).unwrap(), width, height);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![9; (width * height) as usize]).unwrap();
    }
    folder
}

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    let now: &[&str] = if arguments.contains(&"--now") { &[] } else { &["--now", "2026-12-01"] };
    command.args(arguments).args(now).arg("--root").arg(root);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn sitegen(root: &Path, arguments: &[&str]) -> Output {
    command(root, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the files of a project that are its own.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let walk = walkdir::WalkDir::new(root).into_iter().flatten().filter(|entry| entry.path().is_file());
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let all = walk.map(|entry| (name(entry.path()), fs::read(entry.path()).unwrap()));
    all.filter(|(path, _)| !path.starts_with(".sitegen/") && !path.starts_with("node_modules")).collect()
}
