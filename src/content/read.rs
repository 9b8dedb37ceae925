//! Reads the files of content: `site.yaml`, entries and pages, each as a [`ParsedDocument`].

use super::SITE_FILE;
use super::check::{ambiguous, check, drop_repeated, misspelt};
use super::front_matter::{self, Parts};
use super::parsed::ParsedDocument;
use super::reference::Scope;
use super::schedule;
use super::schema::{self, Schema, Schemas};
use super::settings::Settings;
use super::yaml::{self, Node};
use super::yaml_lost;
use crate::cache::{Cache, Digested, Query};
use crate::diagnostics::{Diagnostic, Place, Problem, Span};
use crate::paths::SourcePath;
use crate::profile::Profile;
use crate::sources::Sources;

/// Reads `site.yaml`, fills its references and takes the engine's settings from it.
///
/// If it has mistakes, the rest of the content is still read with what could be understood, so that other mistakes are
/// reported in the same run. Diagnostics that only follow from the mistake are dropped later.
pub fn site(
    sources: &Sources,
    schemas: &Schemas,
    profile: &Profile,
    cache: &Cache,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Node, Settings) {
    let path = SourcePath::new(SITE_FILE);
    let digest = |path: &SourcePath| sources.get(path).map(|source| source.digest);
    if digest(&path).is_none() {
        let problem = Problem::NoProject { folder: "this folder".to_owned() };
        diagnostics.push(Diagnostic::error(problem, Place::file(&path)));
    }
    let own = SourcePath::new("content/schemas/site.schema.json");
    let query = ReadSite {
        sources: Digested::by(sources, digest(&path)),
        schemas: Digested::by(schemas, digest(&own)),
        profile: Digested::by(profile, profile.choices_of_any_day()),
    };
    match cache.query(&query) {
        Ok(read) => (*read).clone(),
        Err((read, problems)) => {
            diagnostics.extend(problems);
            read
        }
    }
}

/// Reads `site.yaml`.
#[derive(Hash)]
struct ReadSite<'a> {
    sources: Digested<&'a Sources>,
    schemas: Digested<&'a Schemas>,
    profile: Digested<&'a Profile>,
}

impl Query for ReadSite<'_> {
    const KIND: &'static str = "site";
    type Output = (Node, Settings);
    type Refused = ((Node, Settings), Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<Self::Output, Self::Refused> {
        let mut diagnostics = Vec::new();
        let read = self.read(cache, &mut diagnostics);
        if diagnostics.is_empty() { Ok(read) } else { Err((read, diagnostics)) }
    }
}

impl ReadSite<'_> {
    fn read(&self, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> (Node, Settings) {
        let path = SourcePath::new(SITE_FILE);
        let Some(parsed) = read_file(&self.sources, &path, diagnostics) else {
            let nothing = Node { value: yaml::Value::Map(Vec::new()), span: Span::default() };
            // Mistakes in settings that nobody wrote are not reported.
            let settings = Settings::of(&path, &nothing, &self.profile, &mut Vec::new());
            return (nothing, settings);
        };
        let mut data = parsed.data.clone();
        Scope { site: Some(&parsed.data), ..Scope::default() }.fill(&path, &mut data, diagnostics);
        let parsed = ParsedDocument { data, ..parsed };
        let built_in = Schema::built_in(schema::SITE, cache);
        diagnostics.extend(check(&parsed, &built_in, &[]));
        diagnostics.extend(misspelt(&parsed, &built_in, self.schemas.get("site")));
        if let Some(schema) = self.schemas.get("site") {
            diagnostics.extend(check(&parsed, schema, &built_in.keys()));
        } else {
            diagnostics.extend(ambiguous(&parsed));
        }
        drop_repeated(diagnostics);
        let mut problems = Vec::new();
        let settings = Settings::of(&path, &parsed.data, &self.profile, &mut problems);
        // The schema may have reported the same of a value.
        if diagnostics.is_empty() {
            diagnostics.extend(problems);
        }
        (parsed.data, settings)
    }
}

/// Parses a file whose keys may be known already.
pub fn parsed<'s>(
    sources: &'s Sources,
    path: &SourcePath,
    data: Option<Node>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let Some(data) = data else { return read_file(sources, path, diagnostics) };
    let (path, source) = sources.get_key_value(path)?;
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
    sources: &'s Sources,
    path: &SourcePath,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParsedDocument<'s>> {
    let (path, source) = sources.get_key_value(path)?;
    let Some(text) = source.text() else {
        diagnostics.push(Diagnostic::error(Problem::NotUtf8, Place::file(path)));
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

/// Whether a file is content, by its extension.
pub fn is_document(path: &SourcePath) -> bool {
    matches!(path.extension(), Some("md" | "yaml"))
}
