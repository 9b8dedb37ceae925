//! Code actions: the repairs that messages propose.

use super::answers;
use super::moment::Moment;
use crate::diagnostics::{Certainty, Diagnostic, Repair, Span, code};
use crate::edit::repairs::Repairs;
use crate::ide::FileChange;
use crate::paths::SourcePath;
use serde_json::{Value, json};

/// The kind of the action that applies everything that is certain.
pub const FIX_ALL: &str = "source.fixAll.sitegen";

/// Returns what can be done about the diagnostics in some bytes of a file.
pub fn actions(moment: &Moment, path: &SourcePath, span: Span, only: &[&str]) -> Vec<Value> {
    // What was found is of the text that was checked.
    if moment.sources.text(path) != moment.checked.sources.text(path) {
        return Vec::new();
    }
    let is_wanted =
        |kind: &str| only.is_empty() || only.iter().any(|only| kind == *only || kind.starts_with(&format!("{only}.")));
    let mut repairs = Repairs::of(&moment.checked.sources);
    let of_file =
        moment.checked.diagnostics.iter().filter(|each| each.place.as_ref().is_some_and(|place| place.path == *path));
    let found: Vec<(&Diagnostic, Repair)> = of_file.filter_map(|each| Some((each, repairs.find(each)?))).collect();
    let lines = moment.lines(path);
    let mut all = Vec::new();
    if is_wanted("quickfix") {
        for (diagnostic, repair) in &found {
            let at = diagnostic.place.as_ref().and_then(|place| place.span).unwrap_or_default();
            if at.start > span.end || at.end < span.start {
                continue;
            }
            all.push(json!({
                "title": sentence(&repair.title),
                "kind": "quickfix",
                "isPreferred": repair.certainty == Certainty::Certain,
                "diagnostics": [answers::diagnostic(diagnostic, moment.manual.as_ref(), &lines)],
                "edit": answers::edit(&[change(repair)], moment),
            }));
        }
    }
    if is_wanted(FIX_ALL) {
        let mut certain: Vec<&Repair> =
            found.iter().map(|(_, repair)| repair).filter(|repair| repair.certainty == Certainty::Certain).collect();
        certain.sort_by_key(|repair| repair.place.span);
        // Two repairs of the same bytes cannot both be made.
        let mut end = 0;
        certain.retain(|repair| {
            let span = repair.place.span.unwrap_or_default();
            let is_after = span.start >= end;
            end = end.max(span.end);
            is_after
        });
        if !certain.is_empty() {
            let changes: Vec<FileChange> = certain.into_iter().map(change).collect();
            all.push(json!({
                "title": "Apply all certain repairs in this file",
                "kind": FIX_ALL,
                "edit": answers::edit(&changes, moment),
            }));
        }
    }
    if is_wanted("quickfix") {
        let near = moment.checked.diagnostics.iter().filter(|each| {
            let place = each.place.as_ref().filter(|place| place.path == *path);
            place.is_some_and(|place| place.span.is_none_or(|at| at.start <= span.end && at.end >= span.start))
        });
        let mut codes: Vec<&str> = near.map(|each| code(&each.problem)).collect();
        codes.dedup();
        for code in codes.into_iter().take(3) {
            all.push(json!({
                "title": format!("Explain `{code}`"),
                "kind": "quickfix",
                "command": { "title": format!("Explain `{code}`"), "command": "sitegen.explain", "arguments": [code] },
            }));
        }
    }
    all
}

fn change(repair: &Repair) -> FileChange {
    FileChange::Edit {
        file: repair.place.path.clone(),
        span: repair.place.span.unwrap_or_default(),
        text: repair.replacement.clone(),
    }
}

fn sentence(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
