//! Compares the check of references with another link checker (linkinator): on the site of this repository both find
//! nothing, and on a site with planted faults both find the same.

use sitegen::diagnostics::{AssetProblem, LinkProblem, MarkdownProblem, MarkupProblem, Problem, code};
use sitegen::profile::Profile;
use sitegen::sources::{self, Sources};
use sitegen::tools::DiskTools;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ORIGIN: &str = "https://www.site.example";

/// Valid addresses. Each is in both planted pages, so that faults are found among them.
const VALID: &[&str] = &[
    r##"<a href="/">a</a>"##,
    r##"<a href="/about">a</a>"##,
    r##"<a href="/about#team">a</a>"##,
    r##"<a href="/?q=1#start">a</a>"##,
    r##"<a href="https://www.site.example/about">a</a>"##,
    r##"<a href="https://www.elsewhere.example/nothing">a</a>"##,
    r##"<a href="mailto:a@site.example">a</a>"##,
    r##"<a href="/leaflet.pdf">a</a>"##,
    r##"<img src="/dot.png" alt="">"##,
    r##"<img src="/dot.png" srcset="/dot.png 1x, /dot2.png 2x" alt="">"##,
];

/// Faults: the broken address and the line with it.
const PLANTED: &[(&str, &str)] = &[
    ("/abuot", r##"<a href="/abuot">broken link</a>"##),
    ("/about/team", r##"<a href="/about/team">below a page</a>"##),
    ("/nothing?q=1", r##"<a href="/nothing?q=1">broken link with a query</a>"##),
    ("/#nowhere", r##"<a href="/#nowhere">broken section of the home page</a>"##),
    ("/about#nobody", r##"<a href="/about#nobody">broken section of another page</a>"##),
    ("/about#Team", r##"<a href="/about#Team">section in another letter case</a>"##),
    ("/manu.pdf", r##"<a href="/manu.pdf">missing file</a>"##),
    ("/dto.png", r##"<img src="/dto.png" alt="missing image">"##),
    ("/dot3.png", r##"<img src="/dot.png" srcset="/dot.png 1x, /dot3.png 2x" alt="missing in srcset">"##),
    ("/Dot.png", r##"<img src="/Dot.png" alt="image in another letter case">"##),
    ("/missing.js", r##"<script src="/missing.js"></script>"##),
    ("/missing.css", r##"<link rel="stylesheet" href="/missing.css">"##),
    ("/missing.svg", r##"<link rel="icon" href="/missing.svg">"##),
    ("/missing.webp", r##"<style>main { background: url(/missing.webp) }</style>"##),
    ("/gone", r##"<a href="https://www.site.example/gone">own site by its whole address</a>"##),
];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the broken addresses that linkinator finds in a folder, and how many it looked at.
fn linkinator(folder: &Path, origin: &str) -> (BTreeSet<String>, u64) {
    let run = Command::new("node")
        .arg(repository().join("tests/support/linkinator.mjs"))
        .arg(folder)
        .arg(origin)
        .output()
        .expect("node is installed");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "linkinator failed; is it installed with `npm ci`? {said}");
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let broken =
        report["broken"].as_array().unwrap().iter().map(|address| address.as_str().unwrap().to_owned()).collect();
    (broken, report["checked"].as_u64().unwrap())
}

/// Returns a page that is its own template, so that both checkers read the very same markup.
fn page(lines: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>T</title>\n</head>\n<body>\n<main>\n\
         <h1 id=\"start\">T</h1>\n<h2 id=\"team\">Team</h2>\n{lines}\n</main>\n</body>\n</html>\n"
    )
}

const DOT: &[u8] = include_bytes!("../sites/base-path/content/assets/oven.png");

/// Returns the broken addresses that both find in a site of two pages with these lines: ours, then theirs.
fn both(name: &str, lines: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let html = page(lines);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crosscheck-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let files = [("index.html", html.as_bytes()), ("about.html", html.as_bytes()), ("dot.png", DOT), ("dot2.png", DOT)];
    for (path, bytes) in files.into_iter().chain([("leaflet.pdf", &b""[..])]) {
        std::fs::write(folder.join(path), bytes).unwrap();
    }

    let site = format!("url: {ORIGIN}\nlanguage: en\nname: Site\n");
    let sources = Sources::from_files([
        ("content/site.yaml", site.as_bytes()),
        ("content/pages/index.yaml", b"title: T\n"),
        ("content/pages/about.yaml", b"title: T\n"),
        ("content/public/dot.png", DOT),
        ("content/public/dot2.png", DOT),
        ("content/public/leaflet.pdf", b""),
        ("templates/pages/page.html", html.as_bytes()),
    ]);
    let checked = sitegen::build(&sources, &Profile::default(), &DiskTools::of(&repository()));
    let ours = checked.diagnostics.iter().filter_map(|each| {
        let target = match &*each.problem {
            Problem::Link(LinkProblem::BrokenLink { target, .. })
            | Problem::Link(LinkProblem::BrokenSection { target, .. })
            | Problem::Link(LinkProblem::BrokenFile { target, .. }) => target,
            // The planted stylesheet and icon are in the body, where their elements are refused as well.
            Problem::Markdown(MarkdownProblem::Placeholder { .. })
            | Problem::Markup(MarkupProblem::HeadElement { .. })
            | Problem::Asset(AssetProblem::UnsizedImage) => {
                return None;
            }
            other => panic!("{}: {other:?}", code(&each.problem)),
        };
        Some(target.strip_prefix(ORIGIN).unwrap_or(target).to_owned())
    });
    (ours.collect(), linkinator(&folder, ORIGIN).0)
}

#[test]
fn both_find_nothing_where_nothing_is_broken() {
    let (ours, theirs) = both("sound", &VALID.join("\n"));
    assert_eq!((ours, theirs), (BTreeSet::new(), BTreeSet::new()));
}

#[test]
fn both_find_the_same_planted_faults() {
    let planted: Vec<&str> = PLANTED.iter().map(|(_, line)| *line).collect();
    let (ours, theirs) = both("planted", &[VALID.join("\n"), planted.join("\n")].concat());
    let expected: BTreeSet<String> = PLANTED.iter().map(|(target, _)| target.to_string()).collect();
    assert_eq!(ours, expected, "ours");
    assert_eq!(theirs, expected, "theirs");
}

#[test]
fn both_find_nothing_in_the_site_of_this_repository() {
    assert_sound("site", &repository(), 10);
}

#[test]
fn both_find_nothing_in_the_example_of_a_museum() {
    // Each of its 105 pages in three languages, and what they show.
    assert_sound("museum", &repository().join("examples/museum"), 105);
}

#[test]
fn both_find_nothing_in_the_example_of_a_brewery() {
    // Each of its 67 pages, and what they show.
    assert_sound("brewery", &repository().join("examples/brewery"), 67);
}

/// Asserts that neither finds anything in a project, and that linkinator looked at more than a number of addresses.
fn assert_sound(name: &str, root: &Path, least: u64) {
    let sources = sources::read(root).value.unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crosscheck-of-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    let mut build = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    let built = build.args(["build", "--root"]).arg(root).arg("--out").arg(&folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let url = sources.text(&sitegen::paths::SourcePath::new("content/site.yaml")).unwrap();
    let origin = url.lines().find_map(|line| line.strip_prefix("url: ")).unwrap();
    let (broken, checked) = linkinator(&folder, origin);
    assert_eq!(broken, BTreeSet::new());
    assert!(checked > least, "linkinator looked at {checked} addresses only");
}
