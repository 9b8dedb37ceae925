//! Parses the files of content, each as a [`ParsedDocument`].

use super::front_matter::{self, Parts};
use super::lists;
use super::parsed::ParsedDocument;
use super::schedule;
use super::syntax::Syntax;
use super::yaml::Node;
use super::yaml_lost;
use sitegen_core::diagnostics::{DataProblem, Diagnostic, Place, Problem, YamlProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::encoding;
use sitegen_core::sources::{Source, SourceKind};

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

/// Splits a Markdown file. Others have no parts.
fn body_of<'s>(path: &SourcePath, text: &'s str) -> Result<Option<Parts<'s>>, Diagnostic> {
    if path.extension() == Some("md") { front_matter::split(path, text).map(Some) } else { Ok(None) }
}

/// Returns the text of a file, or reports why it has none.
pub fn text_of<'s>(path: &SourcePath, source: &'s Source, diagnostics: &mut Vec<Diagnostic>) -> Option<&'s str> {
    if let Some(text) = source.text() {
        return Some(text);
    }
    let bytes = source.body.bytes().unwrap_or_default();
    let unclear = || encoding::decoded(bytes).err().filter(|_| path.extension() == Some("csv"));
    let problem = unclear().map_or(Problem::from(YamlProblem::NotUtf8), |encoding::Unclear { at, byte, guess }| {
        let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
        DataProblem::UnclearEncoding { byte, line, guess }.into()
    });
    diagnostics.push(Diagnostic::new(problem, Place::file(path)));
    None
}

/// Parses a file. It may be returned even when problems are reported.
pub fn read_file<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let text = text_of(path, source, diagnostics)?;
    let parts = body_of(path, text).map_err(|problem| diagnostics.push(problem)).ok()?;
    let syntax = parts.as_ref().map_or_else(|| Syntax::of(path, text), |parts| parts.syntax);
    let (keys, start) = parts.as_ref().map_or((text, 0), |parts| (parts.front_matter, parts.front_matter_start));
    let mut data = syntax.parse(path, keys, start, diagnostics)?;
    if syntax == Syntax::Yaml {
        yaml_lost::lost(path, &text[..start + keys.len()], &mut data, diagnostics);
    }
    diagnostics.extend(schedule::reversed(path, &data));
    Some(ParsedDocument { path, text, data, body: parts.map(|parts| (parts.body, parts.body_start)) })
}

/// Parses the entries in a file: one, or those of a list, whose cells are texts if it is a table.
pub fn entries_of_file<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(&'s SourcePath, Node)> {
    if !SourceKind::is_list(path) {
        return read_file((path, source), diagnostics).map(|parsed| (path, parsed.data)).into_iter().collect();
    }
    let Some(text) = text_of(path, source, diagnostics) else { return Vec::new() };
    let items = lists::parse(path, text, &Default::default(), diagnostics);
    items.into_iter().map(|item| (path, item.data)).collect()
}

/// Returns the part of a file that has keys, from the start of the file, and its format: that of a page may be a small part of
/// it.
pub fn keys_of_file<'s>(path: &SourcePath, source: &'s Source) -> Option<(&'s str, Syntax)> {
    let text = source.text()?;
    let parts = body_of(path, text).ok()?;
    let syntax = parts.as_ref().map_or_else(|| Syntax::of(path, text), |parts| parts.syntax);
    Some((&text[..parts.map_or(text.len(), |parts| parts.body_start)], syntax))
}

/// Whether a file is content that makes one page or entry, by its extension.
pub fn is_document(path: &SourcePath) -> bool {
    matches!(path.extension(), Some("md" | "yaml" | "toml" | "json"))
}
