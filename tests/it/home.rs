//! What the home page of the documentation shows is real: its mistakes are sites of `tests/sites` with what the program
//! prints about them, and its times are those of `benches/peers`.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What the reader can choose: the folder in `tests/sites`, the name of the mistake, and the file that has it.
const MISTAKES: [(&str, &str, &str); 9] = [
    ("key-misspelt", "A typo in a key", "content/loaves/rye.yaml"),
    ("link-to-missing-page", "A broken link", "content/pages/index.md"),
    ("image-without-alt", "A picture without alt text", "templates/pages/page.html"),
    ("date-that-does-not-exist", "A date that does not exist", "content/loaves/rye.yaml"),
    ("css-property-misspelt", "A typo in CSS", "templates/styles/main.css"),
    ("island-uses-clock", "A hydration mismatch", "islands/Order.tsx"),
    ("secret-in-site-file", "A secret key", "content/site.yaml"),
    ("table-with-wrong-values", "Cells of a spreadsheet", "content/prices.csv"),
    ("heading-level-skipped-in-markdown", "A heading that skips a level", "content/pages/index.md"),
];

/// The secret in `tests/sites/secret-in-site-file`.
const SECRET: &str = "7f9d1c4be2a85036fd91cc40";

/// What was timed: its name in `results.json`, and what the page calls it.
const WORK: [(&str, &str); 3] =
    [("cold", "From nothing"), ("unchanged", "Nothing changed"), ("body", "The text of one page changed")];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn mistakes() -> Value {
    let sites = repository().join("tests/sites");
    let each = MISTAKES.into_iter().map(|(folder, title, file)| {
        let text = fs::read_to_string(sites.join(folder).join(file)).unwrap();
        let expected = fs::read_to_string(sites.join(folder).join("expected.txt")).unwrap();
        let message = expected.strip_suffix("exit code 1\n").unwrap_or_else(|| panic!("{folder} is published"));
        // The places that the message names in this file.
        let place = format!("--> {file}:");
        let lines: Vec<&str> =
            message.lines().filter_map(|line| line.trim_start().strip_prefix(&place)?.split(':').next()).collect();
        assert!(!lines.is_empty(), "{folder}: the message does not name {file}");
        let syntax = file.rsplit_once('.').unwrap().1;
        json!({
            "slug": folder,
            "title": title,
            "file": file,
            "syntax": if syntax == "csv" { "text" } else { syntax },
            "lines": lines.join(","),
            "text": shown(&text),
            "message": shown(message),
        })
    });
    each.collect()
}

/// A text as content of the documentation: its braces are no references, and a build would refuse the secret there too.
fn shown(text: &str) -> String {
    text.trim_end().replace("{{", "\\{{").replace(SECRET, &format!("{:•<1$}", &SECRET[..8], SECRET.len()))
}

fn speed() -> Value {
    let text = fs::read_to_string(repository().join("benches/peers/results.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    let each = WORK.into_iter().map(|(work, title)| {
        let mut rows: Vec<(String, f64)> = results["sizes"]["10000"][work]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, times)| (name.clone(), times["median"].as_f64().unwrap()))
            .collect();
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        let rows: Vec<Value> = rows
            .into_iter()
            .map(|(name, seconds)| json!({ "name": name, "version": results["versions"][&name], "seconds": seconds }))
            .collect();
        json!({ "slug": work, "title": title, "date": results["date"], "machine": results["machine"], "rows": rows })
    });
    each.collect()
}

#[test]
fn the_home_page_shows_what_the_program_prints_and_what_was_measured() {
    let is_blessed = std::env::var("BLESS").is_ok_and(|names| names == "1" || names.contains("docs"));
    let site = fs::read_to_string(repository().join("docs/content/site.yaml")).unwrap();
    let version = concat!("\nversion: ", env!("CARGO_PKG_VERSION"), "\n");
    assert!(site.contains(version), "docs/content/site.yaml names another version");
    for (name, value) in [("mistakes.json", mistakes()), ("speed.json", speed())] {
        let path = repository().join("docs/content").join(name);
        let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
        if is_blessed {
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{}: write it anew with `BLESS=docs cargo test --test it home::`", path.display());
    }
}
