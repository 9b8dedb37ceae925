//! Diagnostics in the cache: their words instead of their facts.
//!
//! The facts of a problem may be of any type; its words are a code and four texts. The cache is valid for one version of the engine
//! only, so the words are those that this process would choose.

use super::{Description, Diagnostic, Place, Problem, Proposal, Severity, explained};
use serde::{Deserialize, Serialize};

/// A warning that can be written to the cache.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedWarning {
    code: String,
    message: String,
    label: Option<String>,
    needs_label: bool,
    note: Option<String>,
    proposal: Option<Box<Proposal>>,
    place: Option<Place>,
    page: Option<String>,
}

impl SavedWarning {
    /// Returns `None` for a diagnostic that is no warning.
    pub fn of(diagnostic: &Diagnostic) -> Option<Self> {
        let Diagnostic { problem, place, page, severity: Severity::Warning } = diagnostic else { return None };
        let Description { code, message, label, needs_label, note, proposal, .. } = problem.describe();
        let (code, place, page) = (code.to_owned(), place.clone(), page.clone());
        Some(SavedWarning { code, message, label, needs_label, note, proposal, place, page })
    }

    /// Returns a warning that is printed like the one it was made of. `None` if no problem has its code.
    pub fn warning(&self) -> Option<Diagnostic> {
        let code = explained().find(|code| *code == self.code)?;
        let (message, label, note) = (self.message.clone(), self.label.clone(), self.note.clone());
        let severity = Severity::Warning;
        let (needs_label, proposal) = (self.needs_label, self.proposal.clone());
        let problem = Problem::Saved(Description { code, severity, message, label, needs_label, note, proposal });
        Some(Diagnostic { problem: Box::new(problem), place: self.place.clone(), page: self.page.clone(), severity })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AssetProblem, CollectionProblem, SchemaProblem, YamlProblem};
    use super::super::{Span, github, json_line, print, print_brief, sarif, short};
    use super::*;
    use crate::paths::SourcePath;

    #[test]
    fn a_saved_warning_is_printed_in_every_format_like_the_warning() {
        let template = Place::new(&SourcePath::new("templates/pages/page.html"), Span::at(7, 3));
        let unknown = |known: &[&str]| SchemaProblem::UnknownKey {
            key: "tittle".into(),
            nearest: Some("title".into()),
            known: known.iter().map(|key| (*key).to_owned()).collect(),
            schema: None,
        };
        let problems: [Problem; 4] = [
            AssetProblem::SmallPicture { shown: 900, width: 300 }.into(),
            AssetProblem::UnsizedImage.into(),
            CollectionProblem::EmptyList { collection: "news".into(), language: None }.into(),
            unknown(&["title", "description"]).into(),
        ];
        for problem in problems {
            let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::new(problem, template.clone()) };
            let elsewhere = Diagnostic { place: None, ..warning.clone() };
            for warning in [warning.clone(), elsewhere, warning.while_making("content/pages/index.md")] {
                let saved = SavedWarning::of(&warning).expect("it is a warning");
                let bytes = postcard::to_stdvec(&saved).unwrap();
                let read: SavedWarning = postcard::from_bytes(&bytes).unwrap();
                let again = read.warning().expect("its code is known");
                let all = |each: &Diagnostic| {
                    let text_of = |_: &SourcePath| Some("<p>\n<b>ä</b>");
                    let lines = [print(each, false, &text_of), print_brief(each, &text_of), short(each, &text_of)];
                    let proposal = each.problem.describe().proposal;
                    (
                        lines,
                        json_line(each, None, None, &text_of),
                        github(each, &text_of),
                        sarif(&[(each, None)], &[], None, &text_of),
                        proposal,
                    )
                };
                assert_eq!(all(&again), all(&warning));
            }
        }
        assert!(SavedWarning::of(&Diagnostic::new(YamlProblem::YamlTab, template)).is_none(), "an error");
    }
}
