//! Diagnostics for programs: one line each, JSON lines, GitHub annotations, SARIF.

use super::printable::{is_unprintable, printable, printable_json};
use super::{Description, Diagnostic, Manual, Position, Repair, Severity, code};
use crate::paths::SourcePath;
use serde_json::{Value, json};

/// The JSON Schema of a line from [`json_line`].
pub const JSON_SCHEMA: &str = include_str!("diagnostic.schema.json");

/// Returns the text of a file by its path, if it was read.
pub type Texts<'t> = &'t dyn Fn(&SourcePath) -> Option<&'t str>;

/// Formats a diagnostic in one line: `content/site.yaml:3:1: error[unknown-key]: unknown key `tittle`; did you mean
/// `title`?`
pub fn short(diagnostic: &Diagnostic, text_of: Texts) -> String {
    let place = match (&diagnostic.place, position(diagnostic, text_of)) {
        (Some(place), Some(at)) => format!("{}:{}:{}: ", place.path, at.line, at.column),
        (Some(place), None) => format!("{}: ", place.path),
        (None, _) => String::new(),
    };
    let Description { code, message, label, .. } = diagnostic.problem.describe();
    let fix = label.map_or(String::new(), |fix| format!("; {fix}"));
    let text = format!("{place}{}[{code}]: {message}{fix}", word(diagnostic.severity));
    text.chars().map(|letter| if is_unprintable(letter) { ' ' } else { letter }).collect()
}

/// Formats a diagnostic as one JSON object on one line, with what it proposes to write, and with the page of its code if there is a
/// manual; [`JSON_SCHEMA`] describes it.
pub fn json_line(diagnostic: &Diagnostic, repair: Option<&Repair>, manual: Option<&Manual>, text_of: Texts) -> String {
    let at = position(diagnostic, text_of);
    let Description { code, message, label, note, .. } = diagnostic.problem.describe();
    let mut object = json!({
        "severity": word(diagnostic.severity),
        "code": code,
        "message": message,
        "help": label,
        "note": note,
        "file": diagnostic.place.as_ref().map(|place| place.path.as_str()),
        "line": at.map(|at| at.line),
        "column": at.map(|at| at.column),
        "endLine": at.map(|at| at.end_line),
        "endColumn": at.map(|at| at.end_column),
        "page": diagnostic.page,
        "repair": repair.map(|repair| json_of(repair, text_of)),
    });
    if let Some(manual) = manual {
        object["url"] = manual.page(code).into();
    }
    printable_json(object.to_string())
}

fn json_of(repair: &Repair, text_of: Texts) -> Value {
    let Repair { title, place, before, replacement, certainty } = repair;
    let at = text_of(&place.path).and_then(|text| Position::of(text, place.span?));
    json!({
        "title": title,
        "certainty": certainty.name(),
        "file": place.path.as_str(),
        "line": at.map(|at| at.line),
        "column": at.map(|at| at.column),
        "endLine": at.map(|at| at.end_line),
        "endColumn": at.map(|at| at.end_column),
        "start": place.span.map(|span| span.start + before),
        "end": place.span.map(|span| span.end + before),
        "replacement": replacement,
    })
}

/// Formats a workflow command that GitHub shows beside the line (GitHub documentation, "Workflow commands").
pub fn github(diagnostic: &Diagnostic, text_of: Texts) -> String {
    let command = if diagnostic.severity == Severity::Warning { "warning" } else { "error" };
    let mut properties = Vec::new();
    if let Some(place) = &diagnostic.place {
        properties.push(format!("file={}", property(place.path.as_str())));
    }
    if let Some(at) = position(diagnostic, text_of) {
        properties.push(format!("line={},col={},endLine={}", at.line, at.column, at.end_line));
        if at.line == at.end_line {
            properties.push(format!("endColumn={}", at.end_column));
        }
    }
    let Description { code, message, label, .. } = diagnostic.problem.describe();
    properties.push(format!("title={}", property(code)));
    let fix = label.map_or(String::new(), |fix| format!("\n{fix}"));
    format!("::{command} {}::{}", properties.join(","), data(&format!("{message}{fix}")))
}

/// Formats all diagnostics of a run, each with what it proposes to write, and those that a file of the project suppresses, as a SARIF
/// 2.1.0 log (OASIS Standard, "SARIF Version 2.1.0 Plus Errata 01"). With a manual, each rule has the address of its page.
pub fn sarif(
    diagnostics: &[(&Diagnostic, Option<Repair>)],
    suppressed: &[Diagnostic],
    manual: Option<&Manual>,
    text_of: Texts,
) -> String {
    let reported = diagnostics.iter().map(|(each, _)| *each);
    let mut codes: Vec<&str> = reported.chain(suppressed).map(|each| code(&each.problem)).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes
        .iter()
        .map(|code| {
            let help = super::explanation(code).unwrap_or(code);
            let first = help.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or(code);
            let mut rule = json!({ "id": code, "shortDescription": { "text": first }, "help": { "text": help } });
            if let Some(manual) = manual {
                rule["helpUri"] = manual.page(code).into();
            }
            rule
        })
        .collect();
    let mut results: Vec<Value> =
        diagnostics.iter().map(|(each, repair)| sarif_result(each, repair.as_ref(), &codes, text_of)).collect();
    // Either all results say whether they are suppressed, or none does (3.27.23).
    if !suppressed.is_empty() {
        results.iter_mut().for_each(|result| result["suppressions"] = json!([]));
        results.extend(suppressed.iter().map(|each| {
            let mut result = sarif_result(each, None, &codes, text_of);
            result["suppressions"] = json!([{ "kind": "external" }]);
            result
        }));
    }
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "sitegen", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    printable_json(format!("{log:#}"))
}

/// Formats a diagnostic as a `result` object (SARIF 3.27). `codes` are those of its rules, in order.
fn sarif_result(each: &Diagnostic, repair: Option<&Repair>, codes: &[&str], text_of: Texts) -> Value {
    let Description { code: rule, message, label, .. } = each.problem.describe();
    let fix = label.map_or(String::new(), |fix| format!(" ({fix})"));
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": codes.binary_search(&rule).unwrap_or_default(),
        "level": if each.severity == Severity::Warning { "warning" } else { "error" },
        "message": { "text": format!("{message}{fix}") },
    });
    if let Some(place) = &each.place {
        let mut location = json!({ "artifactLocation": { "uri": uri(place.path.as_str()), "uriBaseId": "ROOT" } });
        if let Some(at) = position(each, text_of) {
            location["region"] = json!({
                "startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column,
            });
        }
        result["locations"] = json!([{ "physicalLocation": location }]);
    }
    if let Some(fix) = repair.and_then(|repair| sarif_fix(repair, text_of)) {
        result["fixes"] = json!([fix]);
    }
    result
}

/// Formats a repair as a `fix` object (SARIF 3.55). Its region has lines and columns, and bytes (3.30.11).
fn sarif_fix(repair: &Repair, text_of: Texts) -> Option<Value> {
    let span = repair.place.span?;
    let at = Position::of(text_of(&repair.place.path)?, span)?;
    Some(json!({
        "description": { "text": repair.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(repair.place.path.as_str()), "uriBaseId": "ROOT" },
            "replacements": [{
                "deletedRegion": {
                    "startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column,
                    "byteOffset": span.start + repair.before, "byteLength": span.end - span.start,
                },
                "insertedContent": { "text": repair.replacement },
            }],
        }],
        "properties": { "certainty": repair.certainty.name() },
    }))
}

fn position(diagnostic: &Diagnostic, text_of: Texts) -> Option<Position> {
    let place = diagnostic.place.as_ref()?;
    Position::of(text_of(&place.path)?, place.span?)
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
        Severity::Failure => "failed",
    }
}

/// Escapes the text of a workflow command: what would end the line or begin another command.
fn data(text: &str) -> String {
    printable(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns a path as a relative URI reference.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Certainty, Place, SchemaProblem, Span, ToolProblem};
    use super::*;

    const TEXT: &str = "a: 1\ntittle: T\n";

    fn diagnostic() -> Diagnostic {
        let problem = SchemaProblem::UnknownKey {
            key: "tittle".into(),
            nearest: Some("title".into()),
            known: vec![],
            schema: None,
        };
        Diagnostic::new(problem, Place::new(&SourcePath::new("content/a, b.yaml"), Span::at(5, 6)))
    }

    fn repair() -> Repair {
        Repair {
            title: "replace `tittle` with `title`".into(),
            place: Place::new(&SourcePath::new("content/a, b.yaml"), Span::at(5, 6)),
            before: 0,
            replacement: "title".into(),
            certainty: Certainty::Certain,
        }
    }

    #[test]
    fn each_format_names_the_place_and_the_fix() {
        let texts: Texts = &|_| Some(TEXT);
        assert_eq!(
            short(&diagnostic(), texts),
            "content/a, b.yaml:2:1: error[unknown-key]: unknown key `tittle`; did you mean `title`?"
        );
        assert_eq!(
            github(&diagnostic(), texts),
            "::error file=content/a%2C b.yaml,line=2,col=1,endLine=2,endColumn=7,title=unknown-key::unknown key `tittle`%0Adid \
             you mean `title`?"
        );
        let line: Value = serde_json::from_str(&json_line(&diagnostic(), Some(&repair()), None, texts)).unwrap();
        assert_eq!((line["line"].as_u64(), line["endColumn"].as_u64()), (Some(2), Some(7)));
        assert_eq!((line["repair"]["start"].as_u64(), &line["repair"]["replacement"]), (Some(5), &"title".into()));
        let log: Value = serde_json::from_str(&sarif(&[(&diagnostic(), Some(repair()))], &[], None, texts)).unwrap();
        let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
        assert_eq!(
            (change["deletedRegion"]["startLine"].as_u64(), change["deletedRegion"]["byteOffset"].as_u64()),
            (Some(2), Some(5))
        );
        let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "content/a%2C%20b.yaml");
        assert_eq!(location["region"]["startLine"], 2);
    }

    #[test]
    fn a_line_of_json_matches_its_schema() {
        let schema: Value = serde_json::from_str(JSON_SCHEMA).unwrap();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let failure = Diagnostic::failure(ToolProblem::Tool { program: "esbuild", detail: "x\ny".into() });
        for (each, repair) in [(diagnostic(), Some(repair())), (diagnostic(), None), (failure, None)] {
            for manual in [None, Manual::at("https://docs.test")] {
                let line = json_line(&each, repair.as_ref(), manual.as_ref(), &|_| Some(TEXT));
                assert!(!line.contains('\n'));
                assert_eq!(line.contains("https://docs.test/reference/messages#"), manual.is_some(), "{line}");
                assert!(validator.is_valid(&serde_json::from_str(&line).unwrap()), "{line}");
            }
        }
    }
}
