//! The severities that a site sets: `settings.checks`.

use super::typed::Entries;
use serde::Deserialize;
use sitegen_core::diagnostics::{CheckProblem, Diagnostic, Problem, Severity, code, explained, is_adjustable, nearest};
use std::collections::BTreeMap;

/// Where `site.yaml` has them, as a JSON Pointer.
pub(super) const POINTER: &str = "/settings/checks";

/// The severities that a site sets, by code: the key `settings.checks`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Checks(Entries<Level>);

/// What a site makes of a code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    /// Nothing is reported.
    Off,
    #[default]
    Warning,
    Error,
}

impl Checks {
    /// Gives diagnostics the severities that are set, and drops those that are off.
    pub(super) fn apply(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let levels: BTreeMap<&str, Level> = self
            .0
            .0
            .iter()
            .map(|(code, level)| (code.value.as_str(), *level))
            .filter(|(code, _)| is_adjustable(code))
            .collect();
        if levels.is_empty() {
            return diagnostics;
        }
        let weighed = diagnostics.into_iter().filter_map(|each| {
            let severity = match levels.get(code(&each.problem)) {
                None => each.severity,
                Some(Level::Off) => return None,
                Some(Level::Warning) => Severity::Warning,
                Some(Level::Error) => Severity::Error,
            };
            Some(Diagnostic { severity, ..each })
        });
        weighed.collect()
    }
}

/// Returns what is wrong with a code that a site names. `is_set`: in `settings.checks`.
pub(super) fn refused(code: &str, is_set: bool) -> Option<Problem> {
    if is_adjustable(code) {
        return None;
    }
    let code = code.to_owned();
    Some(match explained().any(|known| known == code) {
        true => CheckProblem::FixedSeverity { code, is_set }.into(),
        false => {
            let nearest = nearest(&code, explained()).map(str::to_owned);
            CheckProblem::UnknownCode { code, nearest }.into()
        }
    })
}

#[cfg(test)]
mod tests {
    use sitegen_core::diagnostics::adjustable;

    #[test]
    fn the_schema_lists_the_codes_whose_severity_can_be_set() {
        let schema: serde_json::Value = serde_json::from_str(include_str!("site.schema.json")).unwrap();
        let pointer = "/properties/settings/properties/checks/propertyNames/enum";
        assert_eq!(schema.pointer(pointer), Some(&serde_json::json!(adjustable())));
    }
}
