//! Content: reads, checks and resolves what editors write.
//!
//! [`resolve`] turns the files of `content/` into a [`Site`]. Its passes are the lines of the function:
//!
//! 1. `site.yaml` is read and validated against its schema; the engine's settings are taken from it.
//! 2. The keys of entries are read, collection by collection. They may refer to the site.
//! 3. The outlines of pages are read. Files that make several pages are given the entries to make them from, and the
//!    routes of all pages follow.
//! 4. Every entry and every page that the cache does not know to be valid is validated against its JSON Schema, and its
//!    Markdown is rendered. Pages may refer to the site and to collections. Any other file is read when its document is
//!    needed.
//!
//! Entries and pages are processed in chunks. A chunk without changes comes from the cache as one.
//!
//! Nothing here renders templates or reads files from the disk.

pub mod address;
pub mod address_keys;
mod aliases;
pub mod assets;
pub mod blank;
mod blocks;
pub mod calls;
mod check;
mod checks;
pub mod code;
pub mod collections;
pub mod connections;
mod consequences;
pub mod csv;
pub mod dialect;
mod digests;
mod documents;
pub mod entries;
pub mod fold;
pub mod front_matter;
pub mod heading_ids;
pub mod hosting;
pub mod inferred;
mod json;
pub mod judgement;
mod limits;
mod lists;
mod made;
pub mod markdown;
pub mod options;
pub mod outline;
mod outlines;
pub mod page_names;
pub mod page_source;
mod parsed;
pub mod placeholder;
pub mod plan;
pub mod quotes;
mod read;
mod reading;
mod reference;
pub mod schedule;
pub mod schema;
mod scope;
pub mod settings;
mod site;
mod site_file;
pub mod suppressions;
pub mod svg;
pub mod syntax;
pub mod table;
pub mod terms;
mod toml_text;
pub mod typed;
mod usage;
mod uses;
pub mod web_address;
pub mod yaml;
mod yaml_lost;
mod yaml_words;

use assets::Assets;
use check::drop_repeated;
use collections::{Collection, Found};
use consequences::{drop_consequences, drop_repeated_lacks};
use dialect::WIKI_LINKS;
use digests::{Digests, collections_digest, shared_digest};
pub use documents::Document;
use documents::{Documents, SharedInputs};
use entries::Entries;
use made::PageGenerator;
pub use outlines::Order;
use page_names::PageNames;
use page_source::PAGES_AS_COLLECTION;
use plan::{ChunkOutlines, PageFile};
pub use read::{is_document, keys_of_file};
use reading::Reading;
use schedule::{Schedule, State};
use schema::{Schema, Schemas};
use site::addresses_of;
pub use site::{Chunk, Page, Pages, Site};
pub use site_file::locales;
use sitegen_core::cache::{Aside, Cache, Digested, digest_of};
use sitegen_core::diagnostics::{Checked, Diagnostic, Place, Severity, Span};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{OutputPath, PUBLIC, SourcePath};
use sitegen_core::profile::Profile;
use sitegen_core::secrets;
use sitegen_core::sources::{Source, SourceKind, Sources};
use sitegen_core::tools::Tools;
use sitegen_templates::Templates;
use sitegen_templates::scan::scan;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use yaml::Node;

/// The file that every site has.
pub const SITE_FILE: &str = "content/site.yaml";
/// The route of the 404 page.
pub const NOT_FOUND: &str = "/404";
/// The folder of pages.
const PAGES: &str = "content/pages";
/// The template of a page without a `template` key.
pub const DEFAULT_TEMPLATE: &str = "pages/page.html";

/// Resolves content. See the module for its passes.
pub fn resolve(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Site> {
    let (cache, observer) = (tools.cache(), tools.observer());
    let _work = Work::on(observer, "content");
    let mut diagnostics = Vec::new();
    let schemas = Schemas::of(sources, cache, &mut diagnostics);
    let scan = scan(&Templates::of(sources), cache);
    diagnostics.extend(usage::unused_schemas(sources, &scan, &schemas));
    let assets = Assets::of(sources, cache, &mut diagnostics);
    diagnostics.extend(svg::check(sources, cache));
    diagnostics.extend(assets::check_public(sources, cache));
    diagnostics.extend(secrets::check(sources, cache));

    // 1. site.yaml
    let before = diagnostics.len();
    let (data, mut settings) = site_file::read(sources, &schemas, profile.destination(), cache, &mut diagnostics);
    let is_site_wrong = diagnostics[before..].iter().any(|each| each.severity != Severity::Warning);

    // 2. collections
    let mut schedule = Schedule::default();
    let site_digest = sources.get(&SourcePath::new(SITE_FILE)).map(|source| source.digest).unwrap_or_default();
    let site = Digested::new(&data, site_digest);
    let beside = Digested::by(&assets, assets.names_beside().collect::<Vec<_>>());
    let entries = Entries { visibility: profile.visibility(), site, beside, is_site_wrong };
    let Found { collections, mut unread } = entries.all(sources, &schemas, cache, &mut schedule, &mut diagnostics);
    if is_site_wrong {
        unread.insert("site".to_owned());
    }

    // 3. outlines
    let mut page_chunks = outlines::find(sources, cache, &mut diagnostics);
    let page_outlines = page_chunks.iter().map(|chunk| chunk.outlines.clone()).collect::<Vec<_>>();
    let files: Vec<&PageFile> = page_outlines.iter().flat_map(|outlines| &outlines.sources).collect();
    let listed_pages = match files.iter().any(|file| lists_pages(file)) {
        true => pages_as_collection(Entries { is_site_wrong: false, ..entries }, &collections, &page_chunks, cache),
        false => Collection::default(),
    };
    let makers = PageGenerator { collections: &collections, pages: &listed_pages, schemas: &schemas, cache };
    page_chunks.extend(makers.all(&files, &mut diagnostics));
    let order = Order::of(&page_chunks, profile.visibility(), cache, &mut diagnostics);
    schedule.add(&order.schedule);
    let aliases = aliases::all(&page_chunks, &collections, &order, &mut diagnostics);
    settings.hosting.add_aliases(aliases, &mut diagnostics);
    let names = match settings.options.markdown.has(WIKI_LINKS) {
        true => page_names(&page_chunks, &collections),
        false => PageNames::default(),
    };
    let names = Arc::new(names);
    let mut digests = Digests {
        shared: shared_digest(sources, profile, &order, &unread, &names),
        collections: collections_digest(&collections),
        ..Digests::default()
    };

    // 4. entries and pages
    let shared = SharedInputs {
        data: &data,
        collections: Some(&collections),
        pages: &listed_pages,
        unread: Some(&unread),
        addresses: addresses_of(&settings, &assets, &order.routes, &names),
        language: &settings.language,
        highlight: settings.options.highlight.0,
        dialect: &settings.options.markdown,
        trace: profile.trace.as_ref(),
    };
    let entry_schema = Schema::built_in(schema::ENTRY, cache);
    let page_schema = Schema::built_in(schema::PAGE, cache);
    let schema_of_files = Schema::built_in(&schema::of_file(), cache);
    observer.expect_pages(order.places.len());
    let documents = Documents::default();
    let reading = Reading {
        sources,
        shared,
        digests,
        entry_schema: &entry_schema,
        page_schemas: [&page_schema, &schema_of_files],
        schemas: &schemas,
        documents: Aside(&documents),
        tools,
    };
    diagnostics.extend(reading.collections(&collections));
    let read: Vec<(Arc<Chunk>, Vec<Diagnostic>)> =
        parallel::map_numbers(page_chunks.len(), |number| reading.chunk(&page_chunks[number], &order.shown[number]));
    let mut pages = Pages { chunks: Vec::with_capacity(read.len()), order };
    for (chunk, problems) in read {
        pages.chunks.push(chunk);
        diagnostics.extend(problems);
    }
    digests.pages = digest_of(&pages.chunks.iter().map(|chunk| chunk.listing).collect::<Vec<_>>());
    drop_repeated(&mut diagnostics);

    let with_placeholders = page_outlines.iter().flat_map(|outlines| &outlines.with_placeholders);
    let entries = || collections.values().flat_map(|collection| collection.chunks());
    let with_placeholders = with_placeholders.chain(entries().flat_map(|chunk| &chunk.with_placeholders));
    // Nobody sees a draft.
    let drafts = schedule.hidden.iter().filter(|hidden| hidden.state == State::Draft);
    let drafts: HashSet<&SourcePath> = drafts.map(|hidden| &hidden.path).collect();
    let with_placeholders = with_placeholders.filter(|path| !drafts.contains(path));
    diagnostics.extend(placeholder::find(sources, profile.base_url.is_some(), with_placeholders));
    // A misspelt reference also leaves the collection it means unused.
    if !diagnostics.iter().any(Diagnostic::stops) {
        diagnostics.extend(usage::unused(&scan, &collections, &schedule, &page_outlines));
    }
    let outlines = page_outlines.iter().flat_map(|outlines| outlines.iter());
    let outlines = outlines.chain(entries().flat_map(|chunk| &chunk.entries).map(|entry| &*entry.outline));
    let components = outlines.flat_map(|outline| &outline.uses.components).cloned().collect();
    drop_repeated_lacks(&mut diagnostics);
    drop_consequences(&mut diagnostics, sources);
    let public = public_files(sources);
    let (texts, trace) = (sources.only(&[SourceKind::Page, SourceKind::Entry]), profile.trace.clone());
    let site = Site {
        settings,
        data,
        pages,
        collections,
        listed_pages,
        assets,
        public,
        schedule,
        components,
        names,
        digests,
        documents,
        texts,
        trace,
    };
    Checked::new(site, diagnostics)
}

/// Returns what is wrong with `site.yaml` alone.
pub fn check_site(sources: &Sources, profile: &Profile) -> Vec<Diagnostic> {
    let (cache, mut diagnostics) = (Cache::default(), Vec::new());
    let schemas = Schemas::of(sources, &cache, &mut diagnostics);
    site_file::read(sources, &schemas, profile.destination(), &cache, &mut diagnostics);
    diagnostics
}

/// Whether a file lists pages.
fn lists_pages(file: &PageFile) -> bool {
    let source = file.outline.source.as_ref();
    let list = source.and_then(|source| source.list.as_ref());
    list.is_some_and(|list| list.collection.as_deref() == Some(PAGES_AS_COLLECTION))
}

/// Returns the pages of files that make one page each as entries of a collection.
fn pages_as_collection(
    reading: Entries,
    collections: &BTreeMap<String, Collection>,
    chunks: &[ChunkOutlines],
    cache: &Cache,
) -> Collection {
    let chunks = chunks.iter().map(|chunk| Arc::new(reading.of_pages(chunk, collections))).collect();
    // Two pages may have files of the same name.
    Collection::of(chunks, cache, &mut Vec::new())
}

/// Returns the names and titles of all pages and entries.
fn page_names(chunks: &[ChunkOutlines], collections: &BTreeMap<String, Collection>) -> PageNames {
    let title = |data: Option<&Node>| data?.get("title")?.text().map(str::to_owned);
    let pages = chunks.iter().flat_map(|chunk| &chunk.outlines.pages).map(|page| {
        let data = page.outline.as_ref().and_then(|outline| outline.data());
        (page.path.clone(), title(data.as_ref()))
    });
    let entries = collections.values().flat_map(Collection::iter);
    PageNames::of(pages.chain(entries.map(|entry| (entry.name(), title(Some(&entry.data))))))
}

/// The files of `content/` that are neither pages nor entries.
const OUTSIDE_DOCUMENTS: &[SourceKind] =
    &[SourceKind::Settings, SourceKind::Schema, SourceKind::Asset, SourceKind::Public, SourceKind::Stray];

fn public_files(sources: &Sources) -> Vec<(OutputPath, SourcePath, Source)> {
    let files = sources.of(SourceKind::Public);
    files
        .filter_map(|(path, source)| Some((OutputPath::new(path.below(PUBLIC)?), path.clone(), source.clone())))
        .collect()
}

/// Returns the place of a page's `template:` key, or the file if it has none.
pub fn template_place(document: &Document) -> Place {
    let span: Option<Span> = document.data.get("template").map(|node| node.span);
    Place { path: document.source.clone(), span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::code;
    use sitegen_core::tools::DiskTools;
    use std::path::Path;

    const SITE: &str = "url: https://www.a.test\nlanguage: en\nname: A\nemail: a@a.test\n";

    fn resolved(files: &[(&str, &str)]) -> Checked<Site> {
        let all = files.iter().copied().chain([(SITE_FILE, SITE)]);
        resolve(&Sources::from_files(all), &Profile::default(), &DiskTools::of(Path::new(".")))
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
        let document = |page: &'static str| site.pages.iter().find(|each| each.route.as_str() == page).unwrap();
        let read = |page| site.document(page);
        let (home, about) = (read(document("/")), read(document("/about")));
        assert_eq!(home.data.get("lead").unwrap().text(), Some("A and B"));
        assert_eq!(about.body.as_ref().unwrap().html, "<p>We are A.</p>\n");
        assert_eq!(
            site.collections["platforms"].iter().map(|entry| entry.slug.as_str()).collect::<Vec<_>>(),
            ["b", "a"]
        );
    }

    #[test]
    fn every_mistake_of_a_run_is_reported_once() {
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
