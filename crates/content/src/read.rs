//! Parses the files of content, each as a [`ParsedDocument`].

use super::front_matter::{self, Parts};
use super::parsed::ParsedDocument;
use super::schedule;
use super::yaml::{self, Node};
use super::yaml_lost;
use sitegen_core::diagnostics::{Diagnostic, Place, YamlProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Source;

/// Parses a file whose keys may be known already.
pub fn parsed<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    data: Option<Node>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let Some(data) = data else { return read_file((path, source), diagnostics) };
    let text = source.text()?;
    let body = body_of(path, text).ok()?.map(|parts| (parts.body, parts.body_start));
    Some(ParsedDocument { path, text, data, body })
}

/// Splits a Markdown file. A YAML file has no parts.
fn body_of<'s>(path: &SourcePath, text: &'s str) -> Result<Option<Parts<'s>>, Diagnostic> {
    if path.extension() == Some("md") { front_matter::split(path, text).map(Some) } else { Ok(None) }
}

/// Parses a file. It may be returned even when problems are reported.
pub fn read_file<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let Some(text) = source.text() else {
        diagnostics.push(Diagnostic::new(YamlProblem::NotUtf8, Place::file(path)));
        return None;
    };
    let parts = body_of(path, text).map_err(|problem| diagnostics.push(problem)).ok()?;
    let mut data = match &parts {
        Some(parts) => yaml::parse_all(path, parts.front_matter, parts.front_matter_start, diagnostics)?,
        None => yaml::parse_all(path, text, 0, diagnostics)?,
    };
    let end = parts.as_ref().map_or(text.len(), |parts| parts.front_matter_start + parts.front_matter.len());
    yaml_lost::lost(path, &text[..end], &mut data, diagnostics);
    diagnostics.extend(schedule::reversed(path, &data));
    Some(ParsedDocument { path, text, data, body: parts.map(|parts| (parts.body, parts.body_start)) })
}

/// Returns the part of a file that is YAML, from the start of the file: that of a page may be a small part of it.
pub fn keys_of_file<'s>(path: &SourcePath, source: &'s Source) -> Option<&'s str> {
    let text = source.text()?;
    let body = body_of(path, text).ok()?.map(|parts| parts.body_start);
    Some(&text[..body.unwrap_or(text.len())])
}

/// Whether a file is content, by its extension.
pub fn is_document(path: &SourcePath) -> bool {
    matches!(path.extension(), Some("md" | "yaml"))
}
