//! Sites in several languages, as programs of others read them: a validator of XML Schema, a crawler and two readers of feeds.
//! `tests/languages` names their packages; the full run installs them.

use crate::support::generated::{self, Files, repository};
use crate::support::{foreign, multilingual, size};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of hosts in the output, by their origins.
type Hosts = &'static [(&'static str, &'static str)];

/// A site, with replacements in its `site.yaml`.
struct Variant {
    name: &'static str,
    replacements: &'static [(&'static str, &'static str)],
    hosts: Hosts,
}

const SETTINGS: &str = "  search: true\n";

/// A folder for Arabic, suffixes for German, and fallbacks in both.
const VARIANTS: [Variant; 5] = [
    Variant { name: "folders and suffixes", replacements: &[], hosts: &[("https://www.museum.test", "")] },
    Variant {
        name: "a host for each language",
        replacements: &[
            ("de: { name: Deutsch }", "de: { name: Deutsch, url: https://museum.test }"),
            ("folder: arabic }", "folder: arabic, url: https://ar.museum.test }"),
        ],
        hosts: &[("https://www.museum.test", "en"), ("https://museum.test", "de"), ("https://ar.museum.test", "ar")],
    },
    Variant {
        name: "every language with its tag",
        replacements: &[(SETTINGS, "  search: true\n  language_prefix: all\n")],
        hosts: &[("https://www.museum.test", "")],
    },
    Variant {
        name: "what is not translated is hidden",
        replacements: &[(SETTINGS, "  search: true\n  untranslated: hide\n")],
        hosts: &[("https://www.museum.test", "")],
    },
    Variant {
        name: "a host, tags, and hidden in one language",
        replacements: &[
            ("de: { name: Deutsch }", "de: { name: Deutsch, url: https://museum.test, untranslated: hide }"),
            (SETTINGS, "  search: true\n  language_prefix: all\n"),
        ],
        hosts: &[("https://www.museum.test", "en"), ("https://museum.test", "de")],
    },
];

/// The same of examples/museum.
const MUSEUM: [Variant; 4] = [
    Variant { name: "suffixes", replacements: &[], hosts: &[("https://www.azimuth.test", "")] },
    Variant {
        name: "a host",
        replacements: &[("de: { name: Deutsch }", "de: { name: Deutsch, url: https://azimut.test }")],
        hosts: &[("https://www.azimuth.test", "en"), ("https://azimut.test", "de")],
    },
    Variant {
        name: "every language with its tag",
        replacements: &[("  routes: both\n  host: nginx\n", "  language_prefix: all\n")],
        hosts: &[("https://www.azimuth.test", "")],
    },
    Variant {
        name: "what is not translated is hidden",
        replacements: &[("  routes: both\n", "  routes: both\n  untranslated: hide\n")],
        hosts: &[("https://www.azimuth.test", "")],
    },
];

/// Builds a variant, and returns the output folder.
fn built(root: &Path, variant: &Variant, files: &Files) -> PathBuf {
    for part in ["content", "templates", "dist"] {
        let _ = fs::remove_dir_all(root.join(part));
    }
    let mut files = files.clone();
    let site = files.get_mut("content/site.yaml").unwrap();
    let mut text = String::from_utf8(site.clone()).unwrap();
    for (from, to) in variant.replacements {
        assert!(text.contains(from), "{}: {from}", variant.name);
        text = text.replacen(from, to, 1);
    }
    *site = text.into_bytes();
    generated::write(&files, root);
    let output = Command::new(env!("CARGO_BIN_EXE_sitegen")).arg("build").current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}: {}", variant.name, String::from_utf8_lossy(&output.stderr));
    root.join("dist")
}

/// Returns what the programs say of what is published.
fn checked(dist: &Path, hosts: Hosts) -> Value {
    let mut check = Command::new(foreign::python());
    check.arg(repository().join("tests/languages/sites.py"));
    check.arg(foreign::packages().join("sitemap/schema/sitemap.xsd"));
    check.args(hosts.iter().map(|(origin, folder)| format!("{origin}={}", dist.join(folder).display())));
    let output = check.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asserts that nobody finds anything, and that they looked at enough.
fn assert_sound(root: &Path, variants: &[Variant], files: &Files, least: [u64; 3]) {
    for variant in variants {
        let dist = built(root, variant, files);
        let found = checked(&dist, variant.hosts);
        assert_eq!(found["problems"], serde_json::json!([]), "{}: {found:#}", variant.name);
        for (what, least) in ["listed", "alternates", "entries"].into_iter().zip(least) {
            assert!(found[what].as_u64() >= Some(least), "{}: {what} of {found:#}", variant.name);
        }
        assert_eq!(found["pages"].as_object().unwrap().len(), 3, "{}: {found:#}", variant.name);
        assert!(feeds(&dist) > 0, "{}", variant.name);
        println!("{}: {found}", variant.name);
    }
}

/// Reads all feeds of an output folder with `feed-rs`, and returns the number of their entries.
fn feeds(dist: &Path) -> usize {
    let mut count = 0;
    for (path, bytes) in generated::read(dist) {
        let name = path.rsplit('/').next().unwrap();
        if !["feed.xml", "atom.xml", "feed.json"].contains(&name) {
            continue;
        }
        let feed = feed_rs::parser::parse(&bytes[..]).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(feed.language.is_some(), "{path}");
        count += feed.entries.len();
    }
    count
}

/// The site of the random edits, with addresses of its own in each page, and without a link of the template that one language lacks.
fn site() -> Files {
    let mut files = multilingual::project();
    let about = "---\ntitle: عن المتحف\n---\n\n## الفريق {#team}\n\nنحن كثيرون.\n";
    files.insert("content/pages/arabic/about.md".to_owned(), about.into());
    let base = files.get_mut("templates/base.html").unwrap();
    let text = String::from_utf8(base.clone()).unwrap();
    let canonical = "<link rel=\"canonical\" href=\"{{ page.url }}\">{{ alternates() }}";
    *base = text.replace("{{ alternates() }}", canonical).into_bytes();
    files
}

#[test]
fn programs_of_others_find_nothing_in_a_site_in_three_languages() {
    if size::sized(false, true) {
        let root = generated::work_folder("languages-of-others");
        assert_sound(&root, &VARIANTS, &site(), [14, 40, 4]);
    }
}

#[test]
fn programs_of_others_find_nothing_in_the_example_of_a_museum() {
    if size::sized(false, true) {
        let root = generated::work_folder("museum-of-others");
        let mut files = generated::read(&repository().join("examples/museum"));
        files.retain(|path, _| !["dist/", ".sitegen/", "node_modules/"].iter().any(|start| path.starts_with(start)));
        assert_sound(&root, &MUSEUM, &files, [80, 250, 10]);
    }
}

/// What is done to a file that is published, and what is found then.
const PLANTED: [(&str, &str, &str, &str); 7] = [
    (
        "about.html",
        "hreflang=\"de\" href=\"https://www.museum.test/de/ueber-uns\"",
        "hreflang=\"de\" href=\"https://www.museum.test/de\"",
        "does not name the same pages",
    ),
    ("about.html", "hreflang=\"ar\"", "hreflang=\"arabic\"", "arabic is no language"),
    ("de/ueber-uns.html", "<html lang=\"de\"", "<html lang=\"nl\"", "is in nl, not in de"),
    ("de/ueber-uns.html", "<a href=\"/de\"", "<a href=\"/\"", "leads to en, not to de"),
    (
        "sitemap.xml",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\"",
        "<xhtml:link rel=\"alternate\" hreflang=\"nl\"",
        "is in de, not in nl",
    ),
    (
        "sitemap.xml",
        "<loc>https://www.museum.test/about</loc>",
        "<loc>https://www.museum.test/about</loc><title/>",
        "at /urlset/url",
    ),
    ("news/feed.xml", "<title>Opening</title>", "", "has no title"),
];

#[test]
fn programs_of_others_find_what_is_wrong() {
    if !size::sized(false, true) {
        return;
    }
    let root = generated::work_folder("planted-of-others");
    let dist = built(&root, &VARIANTS[0], &site());
    for (path, from, to, expected) in PLANTED {
        let path = dist.join(path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let found = checked(&dist, VARIANTS[0].hosts);
        let problems = found["problems"].as_array().unwrap();
        assert!(problems.iter().any(|problem| problem.as_str().unwrap().contains(expected)), "{expected}: {found:#}");
        fs::write(&path, text).unwrap();
    }
}
