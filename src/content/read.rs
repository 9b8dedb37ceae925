//! Reads the files of content: `site.yaml`, entries and pages, each as a [`Draft`].

use super::check::{ambiguous, check, drop_repeated};
use super::front_matter::{self, Parts};
use super::reference::Scope;
use super::schedule::{self, Dates, Schedule, State};
use super::schema::{self, Schema, Schemas};
use super::settings::Settings;
use super::yaml::{self, Node};
use super::{RESERVED, SITE_FILE, outside_pages};
use crate::diagnostics::{Diagnostic, Place, Problem, Span};
use crate::memory::{Key, Memory};
use crate::paths::SourcePath;
use crate::profile::Profile;
use crate::sources::Sources;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A file of content before its body is rendered.
pub struct Draft<'s> {
    pub path: &'s SourcePath,
    pub text: &'s str,
    pub data: Node,
    pub body: Option<(&'s str, usize)>,
    pub is_expired: bool,
}

/// Reads `site.yaml`, fills its references and takes the engine's settings from it.
///
/// With a mistake in it, the rest of the content is still read with what could be understood, so that its mistakes are
/// told in the same run. What would be told only because of the mistake is dropped later.
pub fn site(
    sources: &Sources,
    schemas: &Schemas,
    profile: &Profile,
    memory: &Memory,
    found: &mut Vec<Diagnostic>,
) -> (Node, Settings) {
    let path = SourcePath::new(SITE_FILE);
    let digest = |path: &SourcePath| sources.get(path).map(|source| source.digest);
    if digest(&path).is_none() {
        let problem = Problem::MissingFile { path: SITE_FILE.into() };
        found.push(Diagnostic::error(problem, Place::file(&path)));
    }
    let own = SourcePath::new("content/schemas/site.schema.json");
    let files = format!("{:?} {:?}", digest(&path), digest(&own));
    let Profile { base_url, host, staging, .. } = profile;
    let key = Key::of("site").with(files).with(format!("{base_url:?} {host:?} {staging}")).done();
    if let Some(known) = memory.recall::<(Node, Settings)>(&key) {
        return (*known).clone();
    }
    let before = found.len();
    let Some(draft) = read_file(sources, &path, found) else {
        let nothing = Node { value: yaml::Value::Map(Vec::new()), span: Span::default() };
        // What is wrong with settings that nobody wrote need not be told.
        let settings = Settings::of(&path, &nothing, profile, &mut Vec::new());
        return (nothing, settings);
    };
    let mut data = draft.data.clone();
    Scope { site: Some(&draft.data), ..Scope::default() }.fill(&path, &mut data, found);
    let draft = Draft { data, ..draft };
    let built_in = Schema::built_in(schema::SITE, memory);
    found.extend(check(&draft, &built_in, &[]));
    if let Some(schema) = schemas.get("site") {
        found.extend(check(&draft, schema, &built_in.keys()));
    } else {
        found.extend(ambiguous(&draft));
    }
    drop_repeated(found);
    let mut problems = Vec::new();
    let settings = Settings::of(&path, &draft.data, profile, &mut problems);
    // The schema may have told the same of a value.
    if found.len() == before {
        found.extend(problems);
    }
    if found.len() == before {
        memory.keep(key, Arc::new((draft.data.clone(), settings.clone())));
    }
    (draft.data, settings)
}

/// Reads the entries of every collection that are shown on the day of the build.
pub fn collections<'s>(
    sources: &'s Sources,
    profile: &Profile,
    memory: &Memory,
    schedule: &mut Schedule,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Vec<Draft<'s>>> {
    let mut paths = Vec::new();
    let mut taken: HashMap<(&str, &str), &SourcePath> = HashMap::new();
    for (path, _) in outside_pages(sources) {
        let Some((folder, file)) = path.below("content").and_then(|below| below.split_once('/')) else {
            if path.as_str() != SITE_FILE {
                let expected = "nothing but `site.yaml` and folders right in `content/`";
                found.push(Diagnostic::error(Problem::UnexpectedFile { expected }, Place::file(path)));
            }
            continue;
        };
        if RESERVED.contains(&folder) {
            continue;
        }
        if file.contains('/') || !is_document(path) {
            let expected = match path.extension() {
                Some("yml") => "a name that ends in `.yaml`",
                _ => "a `.yaml` or `.md` file right in the collection's folder",
            };
            found.push(Diagnostic::error(Problem::UnexpectedFile { expected }, Place::file(path)));
            continue;
        }
        if let Some(twin) = taken.insert((folder, path.stem()), path) {
            let problem = Problem::DuplicateEntry { slug: path.stem().to_owned(), other: twin.to_string() };
            found.push(Diagnostic::error(problem, Place::file(path)));
            continue;
        }
        paths.push((folder, path));
    }
    let read = paths.into_par_iter().map(|(folder, path)| {
        let mut found = Vec::new();
        let draft = read_entry(sources, path, memory, &mut found);
        (folder, path, draft, found)
    });
    let mut collections: BTreeMap<String, Vec<Draft>> = BTreeMap::new();
    for (folder, path, draft, mut problems) in read.collect::<Vec<_>>() {
        found.append(&mut problems);
        let drafts = collections.entry(folder.to_owned()).or_default();
        let Some(mut draft) = draft else { continue };
        // An entry that has expired stays, and says so: what refers to it still stands, and a template closes it.
        match schedule.note(path, &Dates::of(&draft.data), profile) {
            State::Shown => drafts.push(draft),
            State::Expired(_) => {
                draft.is_expired = true;
                drafts.push(draft);
            }
            State::Draft | State::Waiting(_) => {}
        }
    }
    collections
}

/// An entry of a collection. Entries are few, and read at every build: what parsing gives is remembered.
fn read_entry<'s>(
    sources: &'s Sources,
    path: &'s SourcePath,
    memory: &Memory,
    found: &mut Vec<Diagnostic>,
) -> Option<Draft<'s>> {
    let digest = sources.get(path)?.digest;
    let key = Key::of("keys").with(path.extension().unwrap_or_default()).with(digest).done();
    let before = found.len();
    let known = memory.recall::<Node>(&key).map(|data| (*data).clone());
    let is_known = known.is_some();
    let draft = draft(sources, path, known, found)?;
    if !is_known && found.len() == before {
        memory.keep(key, Arc::new(draft.data.clone()));
    }
    Some(draft)
}

/// The draft of a file whose keys may be known.
pub fn draft<'s>(
    sources: &'s Sources,
    path: &SourcePath,
    data: Option<Node>,
    found: &mut Vec<Diagnostic>,
) -> Option<Draft<'s>> {
    let Some(data) = data else { return read_file(sources, path, found) };
    let (path, source) = sources.get_key_value(path)?;
    let text = source.text()?;
    let body = body_of(path, text).ok()?.map(|parts| (parts.body, parts.body_start));
    Some(Draft { path, text, data, body, is_expired: false })
}

/// The parts of a Markdown file. A YAML file has none.
fn body_of<'s>(path: &SourcePath, text: &'s str) -> Result<Option<Parts<'s>>, Diagnostic> {
    if path.extension() == Some("md") { front_matter::split(path, text).map(Some) } else { Ok(None) }
}

/// A file as it is written. What is wrong with it is told, and it may still be given.
pub fn read_file<'s>(sources: &'s Sources, path: &SourcePath, found: &mut Vec<Diagnostic>) -> Option<Draft<'s>> {
    let (path, source) = sources.get_key_value(path)?;
    let Some(text) = source.text() else {
        found.push(Diagnostic::error(Problem::NotUtf8, Place::file(path)));
        return None;
    };
    let parts = body_of(path, text).map_err(|problem| found.push(problem)).ok()?;
    let data = match &parts {
        Some(parts) => yaml::parse_all(path, parts.front_matter, parts.front_matter_start, found)?,
        None => yaml::parse_all(path, text, 0, found)?,
    };
    found.extend(schedule::reversed(path, &data));
    Some(Draft { path, text, data, body: parts.map(|parts| (parts.body, parts.body_start)), is_expired: false })
}

/// Whether a file is one of content, by its ending.
pub fn is_document(path: &SourcePath) -> bool {
    matches!(path.extension(), Some("md" | "yaml"))
}
