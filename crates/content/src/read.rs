//! Parses the files of content, each as a [`ParsedDocument`].

use super::address_keys::OF_ONE_TEXT;
use super::front_matter::{self, Parts};
use super::lists;
use super::overlay::{merged, moved_by};
use super::parsed::ParsedDocument;
use super::schedule;
use super::syntax::Syntax;
use super::yaml::{Node, Value};
use super::yaml_lost;
use sitegen_core::diagnostics::{DataProblem, Diagnostic, Place, Problem, YamlProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{Digest, JoinedText, Source, SourceKind, digest, encoding};

/// Parses a file whose keys may be known already.
pub fn parsed<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    data: Option<Node>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let Some(data) = data else { return read_file((path, source), diagnostics) };
    let text = source.joined()?;
    let split = |text| Some(body_of(path, text).ok()?.map(|parts| (parts.body, parts.body_start)));
    let head = |text: &'s str, body: Body<'s>| body.map_or(text, |(_, start)| &text[..start]);
    let own = split(text.own)?;
    let original = text.original.and_then(|text| Some((text, split(text)?)));
    let keys = [head(text.own, own), original.map_or("", |(text, body)| head(text, body))];
    let body = body_of_both(text, own, original.and_then(|(_, body)| body));
    Some(ParsedDocument { path, text, keys, data, body })
}

/// A body, and its offset in the file.
type Body<'s> = Option<(&'s str, usize)>;

/// Returns the body of a translation, or that of its original if it has none.
fn body_of_both<'s>(text: JoinedText, own: Body<'s>, original: Body<'s>) -> Body<'s> {
    let original = original.zip(text.original_at()).map(|((body, start), at)| (body, start + at));
    match own {
        Some((body, _)) if body.trim().is_empty() && original.is_some() => original,
        own => own,
    }
}

/// Returns the digest of what a translation shows of its original: of the keys alone, if it has a text of its own.
pub fn shown_of_original(path: &SourcePath, own: &Source, original: &Source) -> Digest {
    let (own, original) = (own.here(), original.here());
    let body = || Some(body_of(path, own.text()?).ok()??.body);
    let keys = || Some(keys_of_file(path, &original)?.0);
    match body().filter(|body| !body.trim().is_empty()).and_then(|_| keys()) {
        Some(keys) => digest(keys.as_bytes()),
        None => original.digest,
    }
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
///
/// A translation has the keys of its original that it lacks itself, and its text if it has none.
pub fn read_file<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    // What is wrong with it is reported where it is read for its own language.
    let original = || Some(read_text(path, source.original.as_ref()?.text()?, &mut Vec::new())?.data);
    read_with((path, source), original, diagnostics)
}

/// Parses a file like [`read_file`]. `original` returns the keys of the text that it translates.
pub fn read_with<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    original: impl FnOnce() -> Option<Node>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let own = read_text(path, text_of(path, source, diagnostics)?, diagnostics)?;
    let Some(at) = source.joined()?.original_at() else { return Some(own) };
    let mut original = moved_by(original()?, at);
    if let Value::Map(keys) = &mut original.value {
        let is_site = SourceKind::of(path) == SourceKind::Settings;
        keys.retain(|(key, _)| is_site || !OF_ONE_TEXT.contains(&key.name.as_str()));
    }
    parsed((path, source), Some(merged(own.data, original)), diagnostics)
}

/// Parses a text as that of a file. It may be returned even when problems are reported.
pub(super) fn read_text<'s>(
    path: &'s SourcePath,
    text: &'s str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let parts = body_of(path, text).map_err(|problem| diagnostics.push(problem)).ok()?;
    let syntax = parts.as_ref().map_or_else(|| Syntax::of(path, text), |parts| parts.syntax);
    let (keys, start) = parts.as_ref().map_or((text, 0), |parts| (parts.front_matter, parts.front_matter_start));
    let mut data = syntax.parse(path, keys, start, diagnostics)?;
    if syntax == Syntax::Yaml {
        yaml_lost::lost(path, &text[..start + keys.len()], &mut data, diagnostics);
    }
    diagnostics.extend(schedule::reversed(path, &data));
    let head = parts.as_ref().map_or(text, |parts| &text[..parts.body_start]);
    let body = parts.map(|parts| (parts.body, parts.body_start));
    Some(ParsedDocument { path, text: text.into(), keys: [head, ""], data, body })
}

/// Parses the entries in a file: one, or those of a list, whose cells are texts if it is a table.
pub fn entries_of_file<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(&'s SourcePath, Node)> {
    if !SourceKind::is_list(path) {
        return read_file((path, source), diagnostics).map(|parsed| (path, parsed.data)).into_iter().collect();
    }
    if text_of(path, source, diagnostics).is_none() {
        return Vec::new();
    }
    let items = lists::parse_file(path, source, &Default::default(), &|_| true, diagnostics);
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
