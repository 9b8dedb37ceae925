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
pub mod deployment;
pub mod dialect;
mod digests;
mod documents;
pub mod editable;
pub mod entries;
pub mod fields;
pub mod fingerprint;
pub mod fold;
pub mod front_matter;
pub mod heading_ids;
pub mod hosting;
pub mod inferred;
mod json;
pub mod judgement;
pub mod language_hosts;
pub mod languages;
mod limits;
pub mod lists;
mod made;
pub mod markdown;
pub mod marks;
pub mod options;
pub mod outline;
mod outlines;
mod overlay;
pub mod page_names;
pub mod page_source;
mod parsed;
pub mod placeholder;
pub mod plan;
pub mod plural_forms;
pub mod plurals;
pub mod quotes;
mod read;
mod reading;
pub mod reference;
pub mod schedule;
pub mod schema;
mod scope;
pub mod settings;
mod site;
mod site_file;
pub mod structure;
pub mod suppressions;
pub mod svg;
pub mod syntax;
pub mod table;
mod term_names;
pub mod terms;
pub mod texts;
mod toml_text;
pub mod translated;
pub mod translations;
pub mod typed;
mod usage;
mod uses;
pub mod web_address;
mod words;
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
use hosting::LanguageHome;
use languages::{Language, Languages, Untranslated};
use made::PageGenerator;
pub use outlines::{FileRoutes, Order};
use page_names::PageNames;
use page_source::PAGES_AS_COLLECTION;
use plan::{ChunkOutlines, PageFile};
pub use read::{is_document, keys_of_file};
use reading::Reading;
use schedule::{Dates, Schedule, State};
use schema::{Schema, Schemas};
use settings::Settings;
pub use site::{Chunk, DEFAULT, Page, Pages, Site, View, addresses_of};
pub use site_file::locales;
use sitegen_core::cache::{Aside, Cache, Digested, digest_of};
use sitegen_core::diagnostics::{Checked, Diagnostic, Place, Severity, Span};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{OutputPath, PUBLIC, SourcePath};
use sitegen_core::profile::{Profile, Visibility};
use sitegen_core::secrets;
use sitegen_core::sources::{Source, SourceKind, Sources};
use sitegen_core::tools::Tools;
pub use sitegen_locale::{names, primary};
use sitegen_templates::Templates;
use sitegen_templates::scan::scan;
use std::collections::{BTreeMap, BTreeSet, HashSet};
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
    let languages = Languages::of(sources, cache);
    diagnostics.extend(languages.check(sources, cache));
    let schemas = Schemas::of(sources, cache, &mut diagnostics);
    let scan = scan(&Templates::of(sources), cache);
    diagnostics.extend(usage::unused_schemas(sources, &scan, &schemas));
    let inputs = Inputs { schemas: &schemas, profile, languages: &languages, cache, all: sources };
    let mut schedule = Schedule::default();
    let left_out = noted(languages.left_out(sources, profile.visibility(), cache), profile.visibility(), &mut schedule);
    let files = languages.views(sources, &left_out).into_iter().enumerate();
    let mut plans: Vec<Plan> =
        files.map(|(number, files)| inputs.plan(number, files, &mut schedule, &mut diagnostics)).collect();
    diagnostics.extend(svg::check(sources, cache));
    diagnostics.extend(assets::check_public(sources, cache));
    diagnostics.extend(secrets::check(sources, cache));
    let page_chunks: Vec<ChunkOutlines> = plans.iter_mut().flat_map(|plan| plan.page_chunks.drain(..)).collect();
    let page_outlines = page_chunks.iter().map(|chunk| chunk.outlines.clone()).collect::<Vec<_>>();
    let order = Order::of(&page_chunks, profile.visibility(), &languages, cache, &mut diagnostics);
    schedule.add(&order.schedule);
    if languages.are_several() {
        schedule.drop_repeated();
    }
    let settings = inputs.settings(&plans, &page_chunks, &order, &mut diagnostics);
    observer.expect_pages(order.places.len());
    let (views, chunks) = inputs.read(plans, page_chunks, &order, &settings, tools, &mut diagnostics);
    let pages = Pages { chunks, order };
    drop_repeated(&mut diagnostics);

    let collections = || views.iter().flat_map(|view| view.collections.values());
    let with_placeholders = page_outlines.iter().flat_map(|outlines| &outlines.with_placeholders);
    let entries = || collections().flat_map(|collection| collection.chunks());
    let with_placeholders = with_placeholders.chain(entries().flat_map(|chunk| &chunk.with_placeholders));
    // Nobody sees a draft.
    let drafts = schedule.hidden.iter().filter(|hidden| hidden.state == State::Draft);
    let drafts: HashSet<&SourcePath> = drafts.map(|hidden| &hidden.path).collect();
    let with_placeholders = with_placeholders.filter(|path| !drafts.contains(path));
    diagnostics.extend(placeholder::find(sources, profile.base_url.is_some(), with_placeholders));
    // A misspelt reference also leaves the collection it means unused.
    if !diagnostics.iter().any(Diagnostic::stops) {
        diagnostics.extend(usage::unused(&scan, &views[0].collections, &schedule, &page_outlines));
        diagnostics.extend(term_names::misspelt(&views, &schemas, sources));
    }
    let outlines = page_outlines.iter().flat_map(|outlines| outlines.iter());
    let outlines = outlines.chain(entries().flat_map(|chunk| &chunk.entries).map(|entry| &*entry.outline));
    let components = outlines.flat_map(|outline| &outline.uses.components).cloned().collect();
    diagnostics.extend(translated::untranslated(sources, &languages, &left_out, &schemas, cache));
    diagnostics.extend(translated::stale(sources, &languages, &schemas, cache));
    drop_repeated_lacks(&mut diagnostics);
    drop_consequences(&mut diagnostics, sources);
    let public = public_files(sources);
    let (texts, trace) = (sources.only(&[SourceKind::Page, SourceKind::Entry]), profile.trace.clone());
    let assets = views[0].assets.clone();
    let site = Site { settings, views, pages, assets, public, schedule, components, texts, trace, marks: None };
    Checked::new(site, diagnostics)
}

/// Notes translations that are left out in the schedule, and returns their files.
fn noted(left_out: Vec<(SourcePath, Dates)>, visibility: Visibility, schedule: &mut Schedule) -> BTreeSet<SourcePath> {
    let noted = left_out.into_iter().map(|(path, dates)| {
        schedule.note(&path, &dates, visibility);
        path
    });
    noted.collect()
}

/// Reads what `site.yaml` says to the engine, and nothing else of the content. The diagnostics are those of that file.
pub fn settings_of(sources: &Sources, profile: &Profile, cache: &Cache) -> Checked<Settings> {
    let mut diagnostics = Vec::new();
    // What is wrong with schemas is reported by builds.
    let schemas = Schemas::of(sources, cache, &mut Vec::new());
    let view = Languages::of(sources, cache).views(sources, &BTreeSet::new()).into_iter().next().unwrap_or_default();
    let (_, settings) = site_file::read(&view, &schemas, profile.destination(), cache, &mut diagnostics);
    Checked::new(settings, diagnostics)
}

/// The inputs of [`resolve`], and what all languages share.
struct Inputs<'a> {
    schemas: &'a Schemas,
    profile: &'a Profile,
    languages: &'a Languages,
    cache: &'a Cache,
    /// The files of all languages.
    all: &'a Sources,
}

/// What is known of a language before its pages have an order: the keys of its content, and the outlines of its pages.
struct Plan {
    /// What the language shows, without what follows from the order of pages.
    view: View,
    sources: Sources,
    settings: Settings,
    unread: BTreeSet<String>,
    page_chunks: Vec<ChunkOutlines>,
}

impl Inputs<'_> {
    /// Returns the settings of the site, with the aliases of all pages and the homes of all languages.
    fn settings(
        &self,
        plans: &[Plan],
        page_chunks: &[ChunkOutlines],
        order: &Order,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Settings {
        let languages = self.languages;
        let mut settings = plans[0].settings.clone();
        let (mut aliases, mut rest) = (Vec::new(), page_chunks);
        for (number, (plan, language)) in plans.iter().zip(languages.all()).enumerate() {
            let (own, others) = rest.split_at(rest.partition_point(|chunk| chunk.view <= number));
            rest = others;
            let mut of_language = aliases::all(own, &plan.view.collections, order, (number, language), diagnostics);
            // Where a language has a host of its own, they are addresses of that.
            if settings.hosts.with_prefix(&language.prefix).is_some() {
                of_language
                    .iter_mut()
                    .for_each(|alias| alias.from.value = language.prefixed(&alias.from.value).into_owned());
            }
            aliases.extend(of_language);
        }
        settings.hosting.add_aliases(aliases, diagnostics);
        if !languages.all()[0].prefix.is_empty() {
            let homes = languages.all().iter().map(home_of);
            settings.hosting.homes = homes.filter(|home| order.numbers.contains_key(&*home.route)).collect();
        }
        let prefixes = languages.all().iter().skip(1).map(|language| format!("/{}", language.prefix));
        settings.hosting.not_found =
            prefixes.filter(|prefix| order.numbers.contains_key(&*format!("{prefix}{NOT_FOUND}"))).collect();
        settings
    }

    /// Reads entries and pages. Returns what each language shows, and all pages in their chunks.
    fn read(
        &self,
        plans: Vec<Plan>,
        mut page_chunks: Vec<ChunkOutlines>,
        order: &Order,
        settings: &Settings,
        tools: &dyn Tools,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Vec<View>, Vec<Arc<Chunk>>) {
        let Inputs { schemas, profile, languages, cache, all: sources } = *self;
        let schemas_of_engine = [schema::ENTRY, schema::PAGE].map(|schema| Schema::built_in(schema, cache));
        let schema_of_files = Schema::built_in(&schema::of_file(), cache);
        let shelf = Arc::new(tools.shelf());
        let (mut views, mut chunks) = (Vec::with_capacity(plans.len()), Vec::with_capacity(page_chunks.len()));
        for (number, plan) in plans.into_iter().enumerate() {
            let own = page_chunks.partition_point(|chunk| chunk.view <= number);
            let own: Vec<ChunkOutlines> = page_chunks.drain(..own).collect();
            let shown = &order.shown[chunks.len()..];
            let Plan { mut view, sources: files, unread, .. } = plan;
            view.documents = Documents::on(shelf.clone());
            if settings.options.markdown.has(WIKI_LINKS) {
                view.names = Arc::new(page_names(&own, &view.collections));
            }
            let mut digests = Digests {
                shared: shared_digest(&files, profile, order, &unread, &view.names, (languages, number)),
                collections: collections_digest(&view.collections),
                ..Digests::default()
            };
            let reading = Reading {
                sources,
                shared: SharedInputs {
                    data: &view.data,
                    collections: Some(&view.collections),
                    pages: &view.listed_pages,
                    unread: Some(&unread),
                    addresses: addresses_of(settings, &view.assets, (order, number), &view.names),
                    language: &view.language,
                    view: number,
                    original_language: &settings.language,
                    highlight: settings.options.highlight.0,
                    dialect: &settings.options.markdown,
                    trace: profile.trace.as_ref(),
                },
                digests,
                entry_schema: &schemas_of_engine[0],
                page_schemas: [&schemas_of_engine[1], &schema_of_files],
                schemas,
                documents: Aside(&view.documents),
                tools,
            };
            diagnostics.extend(reading.collections(&view.collections));
            let read: Vec<(Arc<Chunk>, Vec<Diagnostic>)> =
                parallel::map_numbers(own.len(), |number| reading.chunk(&own[number], &shown[number]));
            for (chunk, problems) in &read {
                chunks.push(chunk.clone());
                diagnostics.extend(problems.iter().cloned());
            }
            digests.pages = digest_of(&read.iter().map(|(chunk, _)| chunk.listing).collect::<Vec<_>>());
            view.digests = digests;
            views.push(view);
        }
        (views, chunks)
    }

    /// Runs the passes 1 to 3 for a language. `sources` are what it shows.
    fn plan(
        &self,
        number: usize,
        sources: Sources,
        schedule: &mut Schedule,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Plan {
        let Inputs { schemas, profile, languages, cache, all } = *self;
        let language = &languages.all()[number];

        // 1. site.yaml
        let before = diagnostics.len();
        let assets = Assets::of(&sources, cache, diagnostics);
        let (mut data, settings) = site_file::read(&sources, schemas, profile.destination(), cache, diagnostics);
        if number > 0 {
            data.set_text("language", &language.tag);
        }
        let is_site_wrong = diagnostics[before..].iter().any(|each| each.severity != Severity::Warning);

        // 2. collections
        let site_file = site_file::path_in(&sources);
        let site_digest = sources.get(&site_file).map(|source| source.digest).unwrap_or_default();
        let site = Digested::new(&data, site_digest);
        let beside = Digested::by(&assets, assets.names_beside().collect::<Vec<_>>());
        let hides = number > 0 && language.untranslated == Untranslated::Hide;
        let entries = Entries { visibility: profile.visibility(), site, beside, hides, is_site_wrong };
        let Found { mut collections, mut unread } = entries.all(&sources, schemas, cache, schedule, diagnostics);
        if languages.are_several() {
            add_empty(&mut collections, all, &unread);
        }
        if is_site_wrong {
            unread.insert("site".to_owned());
        }

        // 3. outlines
        let mut page_chunks = outlines::find(&sources, (number, language), cache, diagnostics);
        let page_outlines = page_chunks.iter().map(|chunk| chunk.outlines.clone()).collect::<Vec<_>>();
        let files: Vec<&PageFile> = page_outlines.iter().flat_map(|outlines| &outlines.sources).collect();
        let listed_pages = match files.iter().any(|file| lists_pages(file)) {
            true => pages_as_collection(Entries { is_site_wrong: false, ..entries }, &collections, &page_chunks, cache),
            false => Collection::default(),
        };
        let makers = PageGenerator {
            collections: &collections,
            unread: &unread,
            pages: &listed_pages,
            schemas,
            language,
            view: number,
            cache,
        };
        page_chunks.extend(makers.all(&files, diagnostics));
        let view = View {
            language: language.clone(),
            name: settings.name.clone(),
            connections: settings.connections.clone(),
            failure: settings.options.islands.failure.clone(),
            site_file,
            data,
            collections,
            listed_pages,
            assets,
            names: Arc::default(),
            digests: Digests::default(),
            number,
            documents: Documents::default(),
        };
        Plan { view, settings, unread, page_chunks, sources }
    }
}

/// Returns the home page of a language.
fn home_of(language: &Language) -> LanguageHome {
    let (name, direction) = (language.name.clone(), language.direction());
    LanguageHome { language: language.tag.clone(), name, direction, route: language.prefixed("/").into_owned() }
}

/// Adds the collections of which a language has no entry.
fn add_empty(collections: &mut BTreeMap<String, Collection>, all: &Sources, unread: &BTreeSet<String>) {
    let files = all.chunks_of(SourceKind::Entry).iter().filter_map(|chunk| chunk.files().first());
    for name in files.filter_map(|(path, _)| collections::collection_of(path)) {
        let is_unread = unread.iter().any(|each| each.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
        if !is_unread && !collections.contains_key(name) {
            collections.insert(name.to_owned(), Collection::default());
        }
    }
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
            site.main().collections["platforms"].iter().map(|entry| entry.slug.as_str()).collect::<Vec<_>>(),
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
