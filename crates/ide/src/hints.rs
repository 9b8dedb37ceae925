//! The values of references, beside them.

use crate::Analysis;
use crate::value::shown;
use sitegen_content::calls;
use sitegen_content::reference::Reference;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;

/// A few words to show after an offset that are not in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where.
    pub offset: usize,
    /// What.
    pub text: String,
}

impl Analysis<'_> {
    /// Returns the values of the references in some bytes of a file of content.
    pub fn hints(&self, path: &SourcePath, within: Span) -> Vec<Hint> {
        let kinds = [SourceKind::Settings, SourceKind::Page, SourceKind::Entry];
        let Some(text) = self.sources.text(path).filter(|_| kinds.contains(&SourceKind::of(path))) else {
            return Vec::new();
        };
        let references = calls::all(text).filter(|(reference, tag)| tag.is_none() && reference.is_closed);
        let near =
            references.filter(|(reference, _)| reference.span.start < within.end && reference.span.end > within.start);
        let hint = |(reference, _): (Reference, _)| {
            let names: Vec<&str> = reference.path.split('.').collect();
            let found = self.value(path, &names).filter(|_| names.len() > 1)?;
            Some(Hint { offset: reference.span.end, text: shown(found.node) })
        };
        near.filter_map(hint).take(1_000).collect()
    }
}
