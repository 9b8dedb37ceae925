//! What programs read: every format of diagnostics, validated against its published schema.

use crate::support::generated::{copy, repository};
use jsonschema::Validator;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Fixture sites with mistakes of different kinds: of YAML, of Markdown, without a line, with several places, with
/// characters that need escapes, in a template, a missing island, suppressed ones, and none at all.
const SITES: [&str; 13] = [
    "minimal-site",
    "placeholders-left",
    "many-mistakes",
    "message-with-control-characters",
    "page-name-with-capitals-and-space",
    "site-file-missing",
    "text-in-latin-1",
    "template-undefined-variable",
    "island-unknown",
    "mistakes-of-markup-together",
    "output-folder-of-somebody-else",
    "very-long-lines",
    "suppressed-errors",
];

#[test]
fn a_sarif_log_is_valid() {
    let schema = fs::read_to_string(repository().join("tests/support/sarif/sarif-schema-2.1.0.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let standard = jsonschema::draft4::options().should_validate_formats(true).build(&schema).unwrap();
    let is_valid = |log: &Value| standard.is_valid(log);
    let mut results = 0;
    for site in SITES {
        let output = build(site, "sarif");
        let log = only_document(site, &output);
        assert!(is_valid(&log), "{site}: {}", first_error(&standard, &log));
        let run = &log["runs"][0];
        let listed = run["results"].as_array().unwrap();
        results += listed.len();
        assert_eq!(listed.is_empty(), site == "minimal-site", "{site}: {log:#}");
        for each in listed {
            let rule = &run["tool"]["driver"]["rules"][each["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], each["ruleId"], "{site}");
        }
    }
    assert!(results > 20, "{results} results are too few to prove anything");

    // The schema detects mistakes, or the above would prove nothing.
    let valid = only_document("key-misspelt", &build("key-misspelt", "sarif"));
    for (pointer, value) in [
        ("/version", Value::from("2.0.0")),
        ("/runs/0/results/0/level", "failed".into()),
        ("/runs/0/results/0/message", "text".into()),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0.into()),
        ("/runs/0/tool/driver/name", Value::Null),
        ("/runs/0/results/0/fixes/0/artifactChanges", Value::Null),
        ("/runs/0/results/0/fixes/0/artifactChanges/0/replacements/0/deletedRegion/byteOffset", "0".into()),
    ] {
        let mut log = valid.clone();
        *log.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not there")) = value;
        assert!(!is_valid(&log), "{pointer}");
    }
}

/// Editors and code hosts show the address; a terminal gets a link, and a pipe none.
#[test]
fn messages_lead_to_their_pages_where_the_documentation_is_known() {
    let from = repository().join("tests/sites/key-misspelt");
    let folder = tempfile::tempdir().unwrap();
    copy(&from, folder.path());
    let printed = |format: &str, docs: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.args(["check", "--now", "2026-12-01", "--format", format]).current_dir(folder.path());
        let output = command.env("SITEGEN_DOCS", docs).output().unwrap();
        String::from_utf8(if format == "sarif" { output.stdout } else { output.stderr }).unwrap()
    };
    let page = "https://docs.test/reference/messages#unknown-key";
    for (format, key) in [("sarif", "helpUri"), ("json", "url")] {
        let text = printed(format, "https://docs.test/");
        assert!(text.contains(page) && text.contains(key), "{format}: {text}");
        for docs in ["", "off", "javascript:alert(1)"] {
            let text = printed(format, docs);
            assert!(!text.contains(key) && !text.contains("reference/messages"), "{format}, {docs:?}: {text}");
        }
    }
    assert_eq!(printed("human", "https://docs.test"), printed("human", ""), "a pipe gets no link");
}

#[test]
fn standard_error_has_nothing_but_lines_of_json() {
    let schema = sitegen(&repository(), &["schema", "diagnostic"]);
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let (mut count, mut repairs) = (0, 0);
    for site in SITES.iter().copied().chain(["island-without-packages", "key-misspelt"]) {
        let output = build(site, "json");
        for line in std::str::from_utf8(&output.stderr).unwrap().lines() {
            let object: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{site}: {error}: {line}"));
            assert!(validator.is_valid(&object), "{site}: {line}");
            if let Some(repair) = object["repair"].as_object() {
                let file = repository().join("tests/sites").join(site).join(repair["file"].as_str().unwrap());
                let bytes = repair["start"].as_u64().unwrap() as usize..repair["end"].as_u64().unwrap() as usize;
                let old = fs::read(file).unwrap()[bytes].to_vec();
                let title = repair["title"].as_str().unwrap();
                // A removed key is at the place of the message.
                let is_named = title.contains(&format!("`{}`", String::from_utf8_lossy(&old)))
                    || repair["replacement"] == "" && title.starts_with("remove ");
                assert!(is_named, "{site}: {line}");
                repairs += 1;
            }
            count += 1;
        }
        assert_eq!(output.stderr.is_empty(), ["minimal-site", "suppressed-errors"].contains(&site), "{site}");
    }
    assert!(count > 20, "{count} lines are too few to prove anything");
    assert!(repairs > 2, "{repairs} repairs are too few to prove anything");

    // The packages are installed first, which is reported to people only.
    let folder = tempfile::tempdir().unwrap();
    copy(&repository().join("tests/sites/minimal-site"), folder.path());
    fs::write(folder.path().join("package-lock.json"), "{}").unwrap();
    for (format, lines) in [("json", 1), ("human", 2)] {
        let output = sitegen(folder.path(), &["build", "--format", format]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(error.lines().count() >= lines, "{error}");
        assert_eq!(error.contains("installing"), format == "human", "{error}");
        assert_eq!(error.starts_with('{'), format == "json", "{error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn failed_output_is_a_failure_and_a_closed_pipe_is_not() {
    let folder = tempfile::tempdir().unwrap();
    copy(&repository().join("tests/sites/minimal-site"), folder.path());
    let run = |arguments: &[&str], output: std::process::Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.args(arguments).current_dir(folder.path()).stdout(output).output().unwrap()
    };
    for arguments in [&["build"][..], &["check"], &["check", "--format", "sarif"], &["schema"], &["explain"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let Output { status, stderr, .. } = run(arguments, full.into());
        let expected = "failed[io]: cannot write to standard output: No space left on device\n\n";
        assert_eq!((status.code(), String::from_utf8_lossy(&stderr).as_ref()), (Some(3), expected), "{arguments:?}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let Output { status, stderr, .. } = run(&["build", "--verbose"], writer.into());
    assert_eq!((status.code(), stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_site_for_another_address_says_what_search_engines_see() {
    let folder = tempfile::tempdir().unwrap();
    copy(&repository().join("tests/sites/minimal-site"), folder.path());
    let printed = |arguments: &[&str]| {
        let output = sitegen(folder.path(), &[&["build"], arguments].concat());
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let note = "note: the address of this build is https://preview.test, but `url` names www.hollowoven.test:\n  \
                search engines may list this address. `--staging` keeps them out\n";
    assert!(printed(&["--base-url", "https://preview.test"]).contains(note));
    for silent in [
        &[][..],
        &["--base-url", "https://www.hollowoven.test"],
        // The same host: browsers and search engines know no capitals in it.
        &["--base-url", "http://WWW.HOLLOWOVEN.TEST/docs"],
        // Nobody else can reach these.
        &["--base-url", "http://localhost:8000"],
        &["--base-url", "http://127.0.0.1:8000"],
        &["--base-url", "http://[::1]:8000"],
        &["--base-url", "https://preview.test", "--staging"],
        &["--base-url", "https://preview.test", "--quiet"],
    ] {
        assert!(!printed(silent).contains("search engines"), "{silent:?}");
    }
}

/// Builds a copy of a fixture site on the day of all fixtures.
fn build(site: &str, format: &str) -> Output {
    let from = repository().join("tests/sites").join(site);
    let folder = tempfile::tempdir().unwrap();
    copy(&from, folder.path());
    let own = fs::read_to_string(from.join("arguments")).unwrap_or_default();
    let arguments = ["build", "--now", "2026-12-01", "--format", format];
    sitegen(folder.path(), &arguments.into_iter().chain(own.split_whitespace()).collect::<Vec<_>>())
}

fn sitegen(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sitegen")).args(arguments).current_dir(folder).output().unwrap()
}

/// Parses standard output, which is one JSON document, while standard error is empty.
fn only_document(site: &str, output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{site}: {error}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{site}: {error}"))
}

fn first_error(validator: &Validator, document: &Value) -> String {
    let error = validator.iter_errors(document).next();
    error.map_or(String::new(), |error| format!("{}: {error}", error.instance_path()))
}
