//! Content: what editors write, read and understood.
//!
//! [`resolve`] turns the files of `content/` into a [`Site`]. Its passes, which are the lines of the function:
//!
//! 1. `site.yaml` is read and held against its schema; the engine's settings are taken from it.
//! 2. The files of collections and pages are read: YAML, or front matter and a body.
//! 3. References like `{{ site.email }}` are filled in: collections may name the site, pages both.
//! 4. Everything is held against its JSON Schema.
//! 5. Markdown is rendered.
//!
//! Nothing here knows templates, and nothing here reads files.

pub mod address;
pub mod assets;
mod front_matter;
pub mod markdown;
pub mod placeholder;
mod reference;
pub mod schedule;
pub mod schema;
pub mod settings;
pub mod yaml;
mod yaml_words;

use crate::diagnostics::{Checked, Diagnostic, Place, Problem, Span};
use crate::paths::{OutputPath, Route, SourcePath};
use crate::profile::Profile;
use crate::sources::Sources;
use address::Addresses;
use assets::Assets;
use markdown::{Context, Rendered};
use rayon::prelude::*;
use reference::Scope;
use schedule::{Schedule, State};
use schema::{Schema, Schemas, Text};
use settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use yaml::Node;

/// The file that every site has.
pub const SITE_FILE: &str = "content/site.yaml";
/// The folder of pages.
const PAGES: &str = "content/pages";
/// Folders of `content/` that are no collections.
const RESERVED: [&str; 4] = ["pages", "assets", "schemas", "public"];
/// The template of a page that names none.
const DEFAULT_TEMPLATE: &str = "pages/page.html";

/// Everything that content says.
#[derive(Debug)]
pub struct Site {
    /// What the engine reads from `site.yaml`.
    pub settings: Settings,
    /// All of `site.yaml`.
    pub data: Node,
    /// The pages in the order of their routes.
    pub pages: Vec<Page>,
    /// The entries of each collection, by `order` and then by slug.
    pub collections: BTreeMap<String, Vec<Entry>>,
    /// Files of `content/assets`.
    pub assets: Assets,
    /// Files of `content/public`, published as they are.
    pub public: Vec<(OutputPath, SourcePath, Arc<[u8]>)>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// Routes that are left out, with the reason.
    pub hidden: BTreeMap<Route, State>,
    /// Routes by the file they come from.
    pub routes: BTreeMap<SourcePath, Route>,
}

/// A page.
#[derive(Debug)]
pub struct Page {
    /// Where it answers.
    pub route: Route,
    /// The template that draws it.
    pub template: String,
    /// Its file, keys and body.
    pub document: Document,
}

/// An entry of a collection.
#[derive(Debug)]
pub struct Entry {
    /// Its file name without extension.
    pub slug: String,
    /// Its file, keys and body.
    pub document: Document,
}

/// A file of content.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub source: SourcePath,
    /// Its keys.
    pub data: Node,
    /// Its body, if it is Markdown.
    pub body: Option<Rendered>,
    /// Whether its last day has passed.
    pub is_expired: bool,
}

/// A file of content before its body is rendered.
struct Draft<'s> {
    path: &'s SourcePath,
    text: &'s str,
    data: Node,
    body: Option<(&'s str, usize)>,
    is_expired: bool,
}

/// Pages as they are read.
struct ReadPages<'s> {
    pages: Vec<(Route, Draft<'s>)>,
    /// Routes that are left out on this day, and why.
    hidden: BTreeMap<Route, State>,
    hidden_files: Vec<(SourcePath, Route)>,
}

/// Reads content. See the module for its passes.
pub fn resolve(sources: &Sources, profile: &Profile) -> Checked<Site> {
    let mut found = Vec::new();
    let schemas = Schemas::of(sources, &mut found);
    let assets = Assets::of(sources);

    // 1. site.yaml
    let Some((data, settings)) = read_site(sources, &schemas, profile, &mut found) else {
        return Checked::failed(found);
    };

    // 2. files
    let mut schedule = Schedule::default();
    let mut collections = read_collections(sources, profile, &mut schedule, &mut found);
    let ReadPages { mut pages, hidden, hidden_files } = read_pages(sources, profile, &mut schedule, &mut found);
    let routes: BTreeMap<SourcePath, Route> =
        pages.iter().map(|(route, draft)| (draft.path.clone(), route.clone())).chain(hidden_files).collect();

    // 3. references
    let unread = unread_entries(sources, &collections, &schedule);
    let scope = Scope { site: Some(&data), collections: None, unread: Some(&unread) };
    for draft in collections.values_mut().flatten() {
        scope.fill(draft.path, &mut draft.data, &mut found);
    }
    let by_slug = by_slug(&collections);
    let scope = Scope { site: Some(&data), collections: Some(&by_slug), unread: Some(&unread) };
    for (_, draft) in &mut pages {
        scope.fill(draft.path, &mut draft.data, &mut found);
    }

    // 4. schemas
    let entry_schema = Schema::built_in(schema::ENTRY);
    let entry_keys = entry_schema.keys();
    for (name, drafts) in &collections {
        let own = schemas.get(name);
        found.par_extend(drafts.par_iter().flat_map_iter(|draft| hold(draft, &entry_schema, &entry_keys, own)));
    }
    let page_schema = Schema::built_in(schema::PAGE);
    let engine_keys = page_schema.keys();
    found.par_extend(pages.par_iter().flat_map_iter(|(_, draft)| {
        let own = schemas.get(template_of(draft).trim_end_matches(".html"));
        hold(draft, &page_schema, &engine_keys, own)
    }));
    drop_repeated(&mut found);

    // 5. Markdown
    let addresses = Addresses { base_path: &settings.base_path, assets: &assets, routes: &routes };
    let finish = |draft: &Draft, scope: Scope| {
        let mut found = Vec::new();
        let body = draft.body.map(|(body, offset)| {
            let raw_html = draft.data.get("raw_html").is_some_and(|node| node.value == yaml::Value::Bool(true));
            let trace = profile.trace;
            let context = Context { path: draft.path, offset, raw_html, scope, addresses: &addresses, trace };
            markdown::render(body, &context, &mut found)
        });
        (Document { source: draft.path.clone(), data: draft.data.clone(), body, is_expired: draft.is_expired }, found)
    };
    let mut finished = BTreeMap::new();
    for (name, drafts) in &collections {
        let scope = Scope { site: Some(&data), collections: None, unread: Some(&unread) };
        let mut entries = Vec::new();
        for (draft, (document, mut problems)) in
            drafts.iter().zip(drafts.par_iter().map(|draft| finish(draft, scope)).collect::<Vec<_>>())
        {
            found.append(&mut problems);
            entries.push(Entry { slug: draft.path.stem().to_owned(), document });
        }
        entries.sort_by_cached_key(|entry| (order_of(&entry.document.data), entry.slug.clone()));
        finished.insert(name.clone(), entries);
    }
    let rendered: Vec<_> = pages.par_iter().map(|(_, draft)| finish(draft, scope)).collect();
    let mut done = Vec::with_capacity(pages.len());
    for ((route, draft), (document, mut problems)) in pages.iter().zip(rendered) {
        found.append(&mut problems);
        done.push(Page { route: route.clone(), template: template_of(draft).to_owned(), document });
    }

    found.extend(placeholder::find(sources, profile.base_url.is_some()));
    // A reference that is misspelt also leaves the collection it means unused.
    if found.iter().all(|each| each.severity == crate::diagnostics::Severity::Warning) {
        found.extend(unused(sources, &collections, &schedule));
    }
    let public = public_files(sources);
    let site = Site {
        settings,
        data: data.clone(),
        pages: done,
        collections: finished,
        assets,
        public,
        routes: routes.clone(),
        schedule,
        hidden,
    };
    Checked::new(site, found)
}

fn read_site(
    sources: &Sources,
    schemas: &Schemas,
    profile: &Profile,
    found: &mut Vec<Diagnostic>,
) -> Option<(Node, Settings)> {
    let path = SourcePath::new(SITE_FILE);
    if sources.get(&path).is_none() {
        let problem = Problem::MissingFile { path: SITE_FILE.into() };
        found.push(Diagnostic::error(problem, Place::file(&path)));
        return None;
    }
    let draft = read_file(sources, &path, found)?;
    let before = found.len();
    let built_in = Schema::built_in(schema::SITE);
    found.extend(check(&draft, &built_in, &[]));
    if let Some(schema) = schemas.get("site") {
        found.extend(check(&draft, schema, &built_in.keys()));
    } else {
        found.extend(ambiguous(&draft));
    }
    drop_repeated(found);
    if found.len() > before {
        return None;
    }
    let mut data = draft.data.clone();
    Scope { site: Some(&draft.data), ..Scope::default() }.fill(&path, &mut data, found);
    match Settings::of(&path, &data, profile) {
        Ok(settings) => Some((data, settings)),
        Err(problem) => {
            found.push(problem);
            None
        }
    }
}

fn read_collections<'s>(
    sources: &'s Sources,
    profile: &Profile,
    schedule: &mut Schedule,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Vec<Draft<'s>>> {
    let mut collections: BTreeMap<String, Vec<Draft>> = BTreeMap::new();
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
        let drafts = collections.entry(folder.to_owned()).or_default();
        let twin = drafts.iter().find(|draft| draft.path.stem() == path.stem());
        if let Some(twin) = twin {
            let problem = Problem::DuplicateEntry { slug: path.stem().to_owned(), other: twin.path.to_string() };
            found.push(Diagnostic::error(problem, Place::file(path)));
            continue;
        }
        if let Some(mut draft) = read_file(sources, path, found) {
            // An entry that has expired stays, and says so: what refers to it still stands, and a template closes it.
            match schedule.note(path, &draft.data, profile) {
                State::Shown => drafts.push(draft),
                State::Expired(_) => {
                    draft.is_expired = true;
                    drafts.push(draft);
                }
                State::Draft | State::Waiting(_) => {}
            }
        }
    }
    collections
}

fn read_pages<'s>(
    sources: &'s Sources,
    profile: &Profile,
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
            (route, read_file(sources, path, &mut found), found)
        })
        .collect();
    let mut pages = Vec::with_capacity(read.len());
    let mut hidden = BTreeMap::new();
    let mut hidden_files = Vec::new();
    for (route, draft, mut problems) in read {
        found.append(&mut problems);
        let Some(draft) = draft else { continue };
        match schedule.note(draft.path, &draft.data, profile) {
            State::Shown => pages.push((route, draft)),
            state => {
                hidden_files.push((draft.path.clone(), route.clone()));
                hidden.insert(route, state);
            }
        }
    }
    pages.sort_by(|(a, _), (b, _)| a.cmp(b));
    ReadPages { pages, hidden, hidden_files }
}

fn read_file<'s>(sources: &'s Sources, path: &'s SourcePath, found: &mut Vec<Diagnostic>) -> Option<Draft<'s>> {
    let (path, source) = sources.get_key_value(path)?;
    let Ok(text) = std::str::from_utf8(&source.bytes) else {
        found.push(Diagnostic::error(Problem::NotUtf8, Place::file(path)));
        return None;
    };
    let read = if path.extension() == Some("md") {
        front_matter::split(path, text).and_then(|parts| {
            let data = yaml::parse(path, parts.front_matter, parts.front_matter_start)?;
            Ok(Draft { path, text, data, body: Some((parts.body, parts.body_start)), is_expired: false })
        })
    } else {
        yaml::parse(path, text, 0).map(|data| Draft { path, text, data, body: None, is_expired: false })
    };
    read.map_err(|problem| found.push(problem)).ok()
}

fn check(draft: &Draft, schema: &Schema, passed_over: &[&str]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    schema.check(&draft.data, &Text { path: draft.path, text: draft.text }, passed_over, &mut found);
    found
}

/// Holds a file against the engine's schema and against the site's own, if it has one.
fn hold(draft: &Draft, built_in: &Schema, engine_keys: &[&str], own: Option<&Schema>) -> Vec<Diagnostic> {
    let mut found = check(draft, built_in, &[]);
    let rest = own.map_or_else(|| ambiguous(draft), |schema| check(draft, schema, engine_keys));
    // A value of the wrong type is told once, with the fix for its type.
    for each in rest {
        let is_ambiguous = matches!(*each.problem, Problem::YamlAmbiguous { .. });
        if !is_ambiguous || found.iter().all(|known| known.place != each.place) {
            found.push(each);
        }
    }
    found
}

/// Values of a file without a schema that YAML reads differently from how they are written. A schema says which type
/// it wants, and is the better judge.
fn ambiguous(draft: &Draft) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    yaml::ambiguous(draft.path, draft.text, &draft.data, &mut found);
    found
}

/// A site's own schema and the built-in one may both ask for a key; an editor is told once.
fn drop_repeated(found: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(crate::diagnostics::Place, &'static str, String)> = Vec::new();
    found.retain(|each| {
        let Some(place) = &each.place else { return true };
        let said = (place.clone(), crate::diagnostics::code(&each.problem), crate::diagnostics::message(&each.problem));
        let fresh = !seen.contains(&said);
        seen.push(said);
        fresh
    });
}

/// Entries whose files have mistakes of their own, as `collection.slug`. What refers to them is not told as well.
fn unread_entries(
    sources: &Sources,
    collections: &BTreeMap<String, Vec<Draft>>,
    schedule: &Schedule,
) -> BTreeSet<String> {
    let read = |path: &SourcePath| collections.values().flatten().any(|draft| draft.path == path);
    let hidden = |path: &SourcePath| schedule.hidden.iter().any(|hidden| hidden.path == *path);
    let entries = sources.below("content").filter(|(path, _)| is_document(path) && !read(path) && !hidden(path));
    let named = entries.filter_map(|(path, _)| {
        let (folder, _) = path.below("content")?.split_once('/')?;
        (!RESERVED.contains(&folder)).then(|| format!("{folder}.{}", path.stem()))
    });
    named.collect()
}

fn by_slug<'a>(collections: &'a BTreeMap<String, Vec<Draft>>) -> BTreeMap<String, BTreeMap<String, &'a Node>> {
    let entries =
        |drafts: &'a Vec<Draft>| drafts.iter().map(|draft| (draft.path.stem().to_owned(), &draft.data)).collect();
    collections.iter().map(|(name, drafts)| (name.clone(), entries(drafts))).collect()
}

fn template_of<'d>(draft: &'d Draft) -> &'d str {
    draft.data.get("template").and_then(Node::text).unwrap_or(DEFAULT_TEMPLATE)
}

fn order_of(data: &Node) -> i64 {
    match data.get("order").map(|node| &node.value) {
        Some(yaml::Value::Integer(order)) => *order,
        _ => i64::MAX,
    }
}

/// Collections that no template and no reference names. A folder whose name is misspelt is found here.
fn unused(sources: &Sources, collections: &BTreeMap<String, Vec<Draft>>, schedule: &Schedule) -> Vec<Diagnostic> {
    let texts = || sources.iter().filter(|(path, _)| matches!(path.extension(), Some("html" | "md" | "yaml")));
    let names = |name: &str| {
        let uses =
            [format!("collections.{name}"), format!("entries.{name}"), format!("{{{{ {name}."), format!("{{{{{name}.")];
        let quoted = [format!("collections[\"{name}\"]"), format!("entries[\"{name}\"]")];
        texts().any(|(path, _)| {
            let text = sources.text(path).unwrap_or_default();
            uses.iter().any(|each| is_named(text, each)) || quoted.iter().any(|each| text.contains(each.as_str()))
        })
    };
    // A template that goes through all collections uses them all.
    let goes_through = |(path, _): (&SourcePath, _)| {
        let text = sources.text(path).unwrap_or_default();
        ["in collections", "in entries", "collections[", "entries["]
            .iter()
            .any(|each| text.match_indices(each).any(|(at, _)| !text[at + each.len()..].starts_with(['.', '"'])))
    };
    if sources.below("templates").any(goes_through) {
        return Vec::new();
    }
    let called = called_collections(sources);
    let mut found = Vec::new();
    for (name, drafts) in collections {
        let hidden = schedule.hidden.iter().map(|hidden| &hidden.path);
        let file = drafts
            .first()
            .map(|draft| draft.path.clone())
            .or_else(|| hidden.clone().find(|path| path.below(&format!("content/{name}")).is_some()).cloned());
        if let Some(file) = file.filter(|_| !names(name)) {
            let missing = called.iter().map(String::as_str).filter(|called| !collections.contains_key(*called));
            let nearest = crate::diagnostics::nearest(name, missing).map(str::to_owned);
            let problem = Problem::UnusedCollection { name: name.clone(), nearest };
            found.push(Diagnostic::error(problem, Place::file(&file)));
        }
    }
    found
}

/// The collections that templates name.
fn called_collections(sources: &Sources) -> Vec<String> {
    let mut called = Vec::new();
    for (path, _) in sources.below("templates") {
        let text = sources.text(path).unwrap_or_default();
        for prefix in ["collections.", "entries."] {
            for (at, _) in text.match_indices(prefix) {
                let name =
                    text[at + prefix.len()..].chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_');
                called.push(name.collect());
            }
        }
    }
    called
}

/// Whether a text has a word, and not only a longer one that begins with it.
fn is_named(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        word.ends_with('.')
            || !text[at + word.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}

fn public_files(sources: &Sources) -> Vec<(OutputPath, SourcePath, Arc<[u8]>)> {
    let files = sources.below("content/public");
    files
        .filter_map(|(path, source)| {
            Some((OutputPath::new(path.below("content/public")?), path.clone(), source.bytes.clone()))
        })
        .collect()
}

fn is_document(path: &SourcePath) -> bool {
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

/// The place of a page's `template:` key, or the file where it has none.
pub fn template_place(page: &Page) -> Place {
    let span: Option<Span> = page.document.data.get("template").map(|node| node.span);
    Place { path: page.document.source.clone(), span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    const SITE: &str = "url: https://www.a.test\nlanguage: en\nname: A\nemail: a@a.test\n";

    fn resolved(files: &[(&str, &str)]) -> Checked<Site> {
        let all = files.iter().copied().chain([(SITE_FILE, SITE)]);
        resolve(&Sources::from_files(all), &Profile::default())
    }

    fn codes(checked: &Checked<Site>) -> Vec<(&'static str, &str)> {
        checked
            .diagnostics
            .iter()
            .map(|each| (code(&each.problem), each.place.as_ref().map_or("", |at| at.path.as_str())))
            .collect()
    }

    #[test]
    fn pages_and_collections_come_from_folders() {
        let checked = resolved(&[
            ("content/pages/index.yaml", "title: Home\nlead: \"{{ site.name }} and {{ platforms.b.name }}\"\n"),
            ("content/pages/about.md", "---\ntitle: About\n---\nWe are {{ site.name }}.\n"),
            ("content/pages/secret.md", "---\ntitle: Secret\ndraft: true\n---\n"),
            ("content/platforms/b.yaml", "name: B\norder: 1\n"),
            ("content/platforms/a.yaml", "name: A\norder: 2\n"),
        ]);
        let site = checked.value.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        assert_eq!(site.pages.iter().map(|page| page.route.as_str()).collect::<Vec<_>>(), ["/", "/about"]);
        assert_eq!(site.pages[0].document.data.get("lead").unwrap().text(), Some("A and B"));
        assert_eq!(site.pages[1].document.body.as_ref().unwrap().html, "<p>We are A.</p>\n");
        assert_eq!(
            site.collections["platforms"].iter().map(|entry| entry.slug.as_str()).collect::<Vec<_>>(),
            ["b", "a"]
        );
    }

    #[test]
    fn every_mistake_of_a_run_is_told_once() {
        let checked = resolved(&[
            ("content/notes.txt", ""),
            ("content/pages/a.yaml", "titel: A\n"),
            ("content/pages/b.md", "---\ntitle: B\n---\n"),
            ("content/pages/b/index.md", "---\ntitle: B\n---\n"),
            ("content/pages/C d.md", "---\ntitle: C\n---\n"),
            ("content/platforms/x.yaml", "name: [\n"),
            ("content/schemas/pages/page.schema.json", r#"{"required": ["title"]}"#),
        ]);
        assert!(checked.value.is_none());
        let mut codes = codes(&checked);
        codes.sort();
        assert_eq!(
            codes,
            [
                ("bad-route", "content/pages/C d.md"),
                ("duplicate-route", "content/pages/b/index.md"),
                ("unexpected-file", "content/notes.txt"),
                ("unknown-key", "content/pages/a.yaml"),
                ("yaml-syntax", "content/platforms/x.yaml"),
            ]
        );
    }
}
