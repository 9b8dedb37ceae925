//! Reads the files of content: `site.yaml`, entries and pages, each as a [`Draft`].

use super::check::{ambiguous, check, drop_repeated};
use super::front_matter::{self, Parts};
use super::outline::Outline;
use super::reference::Scope;
use super::schedule::{self, Dates, Schedule, State};
use super::schema::{self, Schema, Schemas};
use super::settings::Settings;
use super::yaml::{self, Node};
use super::{RESERVED, SITE_FILE};
use crate::diagnostics::{Diagnostic, Place, Problem, Span};
use crate::memory::{Key, Memory};
use crate::paths::{Route, SourcePath};
use crate::profile::Profile;
use crate::sources::Sources;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The folder of pages.
const PAGES: &str = "content/pages";

/// A file of content before its body is rendered.
pub struct Draft<'s> {
    pub path: &'s SourcePath,
    pub text: &'s str,
    pub data: Node,
    pub body: Option<(&'s str, usize)>,
    pub is_expired: bool,
}

/// A page whose outline is known.
pub struct ReadPage<'s> {
    pub path: &'s SourcePath,
    pub outline: Arc<Outline>,
    /// Its keys, if its file had to be read for the outline.
    pub data: Option<Node>,
}

/// Pages as they are read.
pub struct ReadPages<'s> {
    pub pages: Vec<(Route, ReadPage<'s>)>,
    /// Routes that are left out on this day, and why.
    pub hidden: BTreeMap<Route, State>,
    pub hidden_files: Vec<(SourcePath, Route)>,
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
    if sources.get(&path).is_none() {
        let problem = Problem::MissingFile { path: SITE_FILE.into() };
        found.push(Diagnostic::error(problem, Place::file(&path)));
    }
    let Some(draft) = read_file(sources, &path, found) else {
        let nothing = Node { value: yaml::Value::Map(Vec::new()), span: Span::default() };
        // What is wrong with settings that nobody wrote need not be told.
        let settings = Settings::of(&path, &nothing, profile, &mut Vec::new());
        return (nothing, settings);
    };
    let before = found.len();
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
    (draft.data, settings)
}

/// Reads the entries of every collection that are shown on the day of the build.
pub fn collections<'s>(
    sources: &'s Sources,
    profile: &Profile,
    schedule: &mut Schedule,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Vec<Draft<'s>>> {
    let mut paths = Vec::new();
    let mut taken: HashMap<(&str, &str), &SourcePath> = HashMap::new();
    for (path, _) in sources.below("content") {
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
        let draft = read_file(sources, path, &mut found);
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

/// Reads the pages that are shown on the day of the build, in the order of their routes.
pub fn pages<'s>(
    sources: &'s Sources,
    profile: &Profile,
    memory: &Memory,
    schedule: &mut Schedule,
    found: &mut Vec<Diagnostic>,
) -> ReadPages<'s> {
    let mut paths = Vec::new();
    let mut taken: BTreeMap<Route, &SourcePath> = BTreeMap::new();
    for (path, _) in sources.below(PAGES) {
        if !is_document(path) {
            let is_yml = path.extension() == Some("yml");
            let expected = if is_yml { "a name that ends in `.yaml`" } else { "a `.yaml` or `.md` file" };
            let problem = Problem::UnexpectedFile { expected };
            found.push(Diagnostic::error(problem, Place::file(path)));
            continue;
        }
        let below = path.below(PAGES).unwrap_or_default();
        let route = Route::of_page(below.rsplit_once('.').map_or(below, |(stem, _)| stem));
        if !is_servable(&route) {
            let problem = Problem::BadRoute { route: route.to_string() };
            found.push(Diagnostic::error(problem, Place::file(path)));
        } else if let Some(other) = taken.get(&route) {
            let problem = Problem::DuplicateRoute { route: route.to_string(), other: other.to_string() };
            found.push(Diagnostic::error(problem, Place::file(path)));
        } else {
            taken.insert(route.clone(), path);
            paths.push((route, path));
        }
    }
    let read: Vec<_> = paths
        .into_par_iter()
        .map(|(route, path)| {
            let mut found = Vec::new();
            (route, outline(sources, path, memory, &mut found), found)
        })
        .collect();
    let mut pages = Vec::with_capacity(read.len());
    let mut hidden = BTreeMap::new();
    let mut hidden_files = Vec::new();
    for (route, page, mut problems) in read {
        found.append(&mut problems);
        let Some(page) = page else { continue };
        match schedule.note(page.path, &page.outline.dates, profile) {
            State::Shown => pages.push((route, page)),
            state => {
                hidden_files.push((page.path.clone(), route.clone()));
                hidden.insert(route, state);
            }
        }
    }
    pages.sort_by(|(a, _), (b, _)| a.cmp(b));
    ReadPages { pages, hidden, hidden_files }
}

/// The outline of a page, from memory or from its file.
fn outline<'s>(
    sources: &'s Sources,
    path: &'s SourcePath,
    memory: &Memory,
    found: &mut Vec<Diagnostic>,
) -> Option<ReadPage<'s>> {
    let source = sources.get(path)?;
    let key = Key::of("outline").with(path.extension().unwrap_or_default()).with(source.digest).done();
    if let Some(outline) = memory.recall_saved(&key) {
        return Some(ReadPage { path, outline, data: None });
    }
    let before = found.len();
    let draft = read_file(sources, path, found)?;
    let outline = Arc::new(Outline::of(&draft));
    if found.len() > before {
        // The page is read again, so that it counts as having a mistake.
        return Some(ReadPage { path, outline, data: None });
    }
    memory.keep_saved(key, outline.clone());
    Some(ReadPage { path, outline, data: Some(draft.data) })
}

/// The draft of a page whose outline is known.
pub fn draft<'s>(
    sources: &'s Sources,
    path: &SourcePath,
    data: Option<Node>,
    found: &mut Vec<Diagnostic>,
) -> Option<Draft<'s>> {
    let Some(data) = data else { return read_file(sources, path, found) };
    let (path, source) = sources.get_key_value(path)?;
    let text = std::str::from_utf8(&source.bytes).ok()?;
    let body = body_of(path, text).ok()?.map(|parts| (parts.body, parts.body_start));
    Some(Draft { path, text, data, body, is_expired: false })
}

/// The parts of a Markdown file. A YAML file has none.
fn body_of<'s>(path: &SourcePath, text: &'s str) -> Result<Option<Parts<'s>>, Diagnostic> {
    if path.extension() == Some("md") { front_matter::split(path, text).map(Some) } else { Ok(None) }
}

fn read_file<'s>(sources: &'s Sources, path: &SourcePath, found: &mut Vec<Diagnostic>) -> Option<Draft<'s>> {
    let (path, source) = sources.get_key_value(path)?;
    let Ok(text) = std::str::from_utf8(&source.bytes) else {
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

/// Whether every measured host serves a route as it is written: lower case, since S3 and Linux tell letter case apart
/// and Windows and macOS checkouts do not; no characters that need escapes; no hidden folders, which GitHub Pages and
/// nginx snippets leave out.
fn is_servable(route: &Route) -> bool {
    route.is_home()
        || route.as_str()[1..].split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~'))
        })
}
