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
mod check;
mod front_matter;
pub mod markdown;
pub mod placeholder;
mod read;
mod reference;
pub mod schedule;
pub mod schema;
pub mod settings;
mod usage;
pub mod yaml;
mod yaml_words;

use crate::diagnostics::{Checked, Place, Span};
use crate::paths::{OutputPath, Route, SourcePath};
use crate::profile::Profile;
use crate::sources::Sources;
use address::Addresses;
use assets::Assets;
use check::{drop_consequences, drop_repeated, hold};
use markdown::{Context, Rendered};
use rayon::prelude::*;
use read::{Draft, ReadPages, is_document};
use reference::Scope;
use schedule::{Schedule, State};
use schema::{Schema, Schemas};
use settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use yaml::Node;

/// The file that every site has.
pub const SITE_FILE: &str = "content/site.yaml";
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

/// Reads content. See the module for its passes.
pub fn resolve(sources: &Sources, profile: &Profile) -> Checked<Site> {
    let mut found = Vec::new();
    let schemas = Schemas::of(sources, &mut found);
    let assets = Assets::of(sources);

    // 1. site.yaml
    let Some((data, settings)) = read::site(sources, &schemas, profile, &mut found) else {
        return Checked::failed(found);
    };

    // 2. files
    let mut schedule = Schedule::default();
    let mut collections = read::collections(sources, profile, &mut schedule, &mut found);
    let ReadPages { mut pages, hidden, hidden_files } = read::pages(sources, profile, &mut schedule, &mut found);
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
        found.extend(usage::unused(sources, &collections, &schedule));
    }
    drop_consequences(&mut found);
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

fn public_files(sources: &Sources) -> Vec<(OutputPath, SourcePath, Arc<[u8]>)> {
    let files = sources.below("content/public");
    files
        .filter_map(|(path, source)| {
            Some((OutputPath::new(path.below("content/public")?), path.clone(), source.bytes.clone()))
        })
        .collect()
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
