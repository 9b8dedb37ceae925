//! Renders pages: applies templates to content, and inserts the islands they call.
//!
//! 1. Pages with the same inputs as in an earlier build come from the cache, and HTML from one that machines share.
//! 2. Templates are parsed; every one that fails is reported.
//! 3. Each other page is rendered by its template.
//! 4. The islands that pages call are rendered, each component once for the same props, and inserted.
//! 5. Files that nothing uses are reported, and keys that nothing reads.

mod arguments;
mod bodies;
mod bounds;
mod calendar;
mod carried;
mod components;
mod convert;
mod culprits;
mod delimiters;
mod engine;
mod failures;
mod functions;
mod html;
mod idioms;
mod islands;
mod kwargs;
mod locale;
mod mistakes;
mod nearby;
mod originals;
mod picture;
mod props;
mod shared;
pub mod social;
mod summary;
mod svg;
pub mod trace;
mod unread;
mod unused;
mod values;
pub mod written;

use failures::{Failed, Reporter};
use mistakes::{Known, Mistake};
use shared::Fetched;
use sitegen_content::address::inside;
use sitegen_content::plan::Made;
use sitegen_content::settings::Settings;
use sitegen_content::{self as content, Site, View, template_place};
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{Checked, Diagnostic, Meant, Place, TemplateProblem, meant};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{Format, Route, SourcePath};
use sitegen_core::profile::{Profile, Trace};
use sitegen_core::sources::{Digest, SourceKind, Sources};
use sitegen_core::tools::Tools;
use sitegen_islands::Islands;
use sitegen_locale::direction::is_right_to_left;
use sitegen_styles::Styles;
use sitegen_templates::scan::{Scan, scan};
use sitegen_templates::uses::{AllUses, Reached, Uses};
use sitegen_templates::{TEMPLATES, Templates, keys};
use social::{Request, Requests};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tera::{Context, Tera};
use trace::{Origin, Traced, Traces, last_mark};

/// A page as HTML.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its route.
    pub route: Route,
    /// Its content file. The built-in 404 page has none.
    pub source: Option<SourcePath>,
    /// What it was made from besides its file.
    pub made: Option<Arc<Made>>,
    /// Its HTML. Empty if its summary is known.
    pub html: Html,
    /// What is known of it, if it is the same as in an earlier build.
    pub summary: Option<Arc<PageSummary>>,
    /// The digest of everything it depends on. `None` for a page whose complete chunk came from the cache.
    pub key: Option<Digest>,
}

impl Page {
    /// Returns the file that decides what the page shows: that of its entry, or its own.
    pub fn file(&self) -> Option<&SourcePath> {
        self.made.as_ref().and_then(|made| made.entry.as_ref()).or(self.source.as_ref())
    }

    /// Adds the page to a diagnostic of what was rendered for it.
    pub fn named_in(&self, diagnostic: Diagnostic) -> Diagnostic {
        match &self.source {
            Some(source) => Made::name_page(diagnostic, self.made.as_deref(), &self.route, source),
            None => diagnostic,
        }
    }
}

/// The pages of a site in the order of their routes.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// The pages. The built-in 404 page comes last.
    pub all: Vec<Page>,
    /// For each chunk of the site's pages the digest of everything that its pages depend on.
    pub chunks: Vec<Digest>,
    /// The [`bundles_digest`] of their styles and islands.
    pub bundles: Digest,
}

pub use bodies::Components;
pub use carried::ATTRIBUTE;
pub use html::Html;
pub use islands::{ISLANDS_STYLE, NEVER, ONLY, ONLY_ATTRIBUTE};
pub use originals::{OriginalTexts, Originals};
pub use sitegen_content::NOT_FOUND;
pub use summary::{Links, PageSummary, Texts};
pub use unused::unused_assets;

/// The inputs for rendering pages.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The files of the project.
    pub sources: &'a Sources,
    /// The choices of the build.
    pub profile: &'a Profile,
    /// The resolved content.
    pub site: &'a Site,
    /// What the language of a page shows of it: that of the site where no page is rendered.
    pub view: &'a View,
    /// The stylesheet.
    pub styles: &'a Styles,
    /// The islands.
    pub islands: &'a Islands,
    /// The cache and the programs of the build.
    pub tools: &'a dyn Tools,
}

impl<'a> Inputs<'a> {
    /// Returns the same inputs for the language of a page.
    pub fn of(self, page: &content::Page) -> Self {
        Inputs { view: self.site.view(page), ..self }
    }
}

/// What a rendering uses of earlier ones, and what becomes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reuse {
    /// Everything is rendered anew, and nothing is kept.
    Nothing,
    /// HTML comes from the shared cache, and is sent there.
    Shared,
    /// As `All`, and nothing is sent.
    AllUnsent,
    /// Summaries come from the cache and HTML from the shared one, and HTML is sent there.
    All,
}

impl Reuse {
    fn has_summaries(self) -> bool {
        matches!(self, Reuse::All | Reuse::AllUnsent)
    }
}

/// A part of the chunks of a site: every `count`th one from a number below that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of this part, from zero.
    pub number: usize,
    /// The number of parts.
    pub count: usize,
}

/// Renders every page that the cache does not have.
pub fn render(inputs: Inputs) -> Checked<Pages> {
    if let Some(unknown) = unknown_keys(inputs) {
        return Checked::failed(unknown);
    }
    let mut pages = render_pages(inputs, None, Reuse::All);
    if pages.value.is_some() {
        pages.diagnostics.extend(unused::unused(inputs));
        pages.diagnostics.extend(unread::unread(inputs));
    }
    pages
}

/// Renders the chunks of a part and sends them to the shared cache, and then, if `needs_all`, the others that it does not have.
/// Returns all pages if they are needed, or else none.
pub fn render_part(inputs: Inputs, part: Part, needs_all: bool) -> Checked<Pages> {
    if let Some(unknown) = unknown_keys(inputs) {
        return Checked::failed(unknown);
    }
    let chunks = inputs.site.pages.chunks().iter().skip(part.number).step_by(part.count);
    let routes: BTreeSet<&Route> = chunks.flat_map(|chunk| chunk.pages.iter().map(|page| &page.route)).collect();
    let of_part = render_pages(inputs, Some(&|route| routes.contains(route)), Reuse::Shared);
    if !needs_all || of_part.value.is_none() {
        return Checked { value: of_part.value.map(|_| Pages::default()), ..of_part };
    }
    drop(of_part);
    render_pages(inputs, None, Reuse::AllUnsent)
}

/// Returns what is wrong with the keys that templates read, if anything is.
fn unknown_keys(inputs: Inputs) -> Option<Vec<Diagnostic>> {
    let scan = scan(&Templates::of(inputs.sources), inputs.tools.cache());
    let unknown = keys::unknown(&scan.suspects, inputs.sources);
    if unknown.is_empty() { None } else { Some(unknown) }
}

/// Renders some pages without the cache.
pub fn render_uncached(inputs: Inputs, routes: &BTreeSet<Route>) -> Checked<Pages> {
    render_pages(inputs, Some(&|route| routes.contains(route)), Reuse::Nothing)
}

/// Renders some pages once more and returns where each of their tags was written. See [`trace()`].
pub fn trace(inputs: Inputs, is_wanted: impl Fn(&Route) -> bool + Sync) -> Traces {
    let key = digest_of(&("trace", inputs.sources));
    let marks = Trace::of(&key[..16]);
    let profile = Profile { trace: Some(marks.clone()), ..inputs.profile.clone() };
    let Some(site) = content::resolve(inputs.sources, &profile, inputs.tools).value else {
        return Traces::default();
    };
    let inputs = Inputs { profile: &profile, site: &site, view: site.main(), ..inputs };
    let pages = render_pages(inputs, Some(&is_wanted), Reuse::Nothing).value.unwrap_or_default();
    let mut traces = Traces::default();
    for page in pages.all {
        // Without it, mistakes are reported at the page and not at the line that made them.
        let Ok(html) = page.html.text() else { continue };
        if page.route.format().is_html() {
            traces.pages.insert(page.route, origins(&marks, &html));
        } else {
            traces.files.insert(page.route, Traced::of(&marks, &html));
        }
    }
    traces
}

/// Renders all pages, or those of some routes.
fn render_pages(inputs: Inputs, only: Option<&(dyn Fn(&Route) -> bool + Sync)>, reuse: Reuse) -> Checked<Pages> {
    let Checked { value, mut diagnostics } = render_templates(inputs, only, reuse);
    let Some(Rendered { mut pages, token, fetched, requests }) = value else { return Checked::failed(diagnostics) };

    // 4. islands
    let _work = Work::on(inputs.tools.observer(), "insert islands");
    fetched.put_in_place_of(inputs, &token, &mut pages.all);
    islands::put_in(inputs, &token, &mut pages.all, &mut diagnostics);
    if diagnostics.is_empty() && matches!(reuse, Reuse::All | Reuse::Shared) {
        fetched.send(inputs, &pages.all, &requests);
    }
    Checked::new(pages, diagnostics)
}

/// Pages with a mark in the place of each island.
struct Rendered<'a> {
    pages: Pages,
    token: islands::Token,
    fetched: Fetched<'a>,
    /// What templates have asked for.
    requests: BTreeMap<String, Request>,
}

/// Renders pages with a mark in the place of each island.
fn render_templates<'a>(
    inputs: Inputs<'a>,
    only: Option<&(dyn Fn(&Route) -> bool + Sync)>,
    reuse: Reuse,
) -> Checked<Rendered<'a>> {
    let Inputs { sources, site, tools, .. } = inputs;
    let _work = Work::on(tools.observer(), "pages");
    let cache = tools.cache();
    let keys = Keys::of(inputs);
    let chunks: Vec<Digest> = site.pages.chunks().iter().map(|chunk| keys.of_chunk(chunk)).collect();
    let is_wanted = |route: &Route| only.is_none_or(|is_wanted| is_wanted(route));
    let (wanted, mut pages) = find_pages(inputs, &keys, &chunks, is_wanted, reuse);
    values::keep_listings(inputs);
    let fetched = match reuse {
        Reuse::Nothing => Fetched::default(),
        _ => {
            let places = site.pages.iter().zip(site.pages.places()).filter(|(page, _)| is_wanted(&page.route));
            Fetched::begin(
                inputs,
                &chunks,
                places.map(|(_, place)| place).zip(pages.iter().map(|page| page.summary.is_none())),
            )
        }
    };

    let templates = Templates::of(sources);
    if let Err(diagnostics) = engine::check(&templates, cache) {
        return Checked::failed(diagnostics);
    }

    let token = islands::Token::of(sources, keys.bundles);
    let requests = Requests::default();
    let work = wanted.into_iter().zip(pages.iter_mut().enumerate());
    let work: Vec<_> = work.filter(|(_, (_, page))| page.summary.is_none()).collect();
    if !work.is_empty() {
        fetched.wait();
        if let Err(diagnostics) = render_unknown(inputs, (&keys, &templates), (&requests, &token), work, &fetched) {
            return Checked::failed(diagnostics);
        }
    }
    fetched.add_requests(&requests);
    let requests = requests.store(cache);
    if is_wanted(&Route::of_page("404")) && site.pages.at(NOT_FOUND).is_none() {
        pages.push(unknown_path(site));
    }
    let bundles = keys.bundles;
    Checked::new(Rendered { pages: Pages { all: pages, chunks, bundles }, token, fetched, requests }, Vec::new())
}

/// Returns the pages that are wanted, and the same without their HTML, with what the cache knows of them.
fn find_pages<'a>(
    inputs: Inputs<'a>,
    keys: &Keys,
    chunks: &[Digest],
    is_wanted: impl Fn(&Route) -> bool,
    reuse: Reuse,
) -> (Vec<&'a content::Page>, Vec<Page>) {
    let cache = inputs.tools.cache();
    let known: Vec<Option<Arc<Vec<Arc<PageSummary>>>>> =
        chunks.iter().map(|key| cache.get(key).filter(|_| reuse.has_summaries())).collect();
    let with_known = inputs.site.pages.with_values(&known, |chunk| Some(&chunk.as_ref()?[..]));
    let wanted: Vec<(&content::Page, Option<&Arc<PageSummary>>)> =
        with_known.filter(|(page, _)| is_wanted(&page.route)).collect();
    let pages = parallel::map(&wanted, |(page, in_chunk)| {
        let mut key = None;
        let summary = in_chunk.cloned().or_else(|| {
            let key = key.insert(keys.of_page(page));
            if reuse.has_summaries() { cache.get_saved(key) } else { None }
        });
        Page {
            route: page.route.clone(),
            source: Some(page.source.clone()),
            made: page.made.clone(),
            html: Html::default(),
            summary,
            key,
        }
    });
    (wanted.into_iter().map(|(page, _)| page).collect(), pages)
}

/// Renders the pages that the cache has no summary of, language by language. What is fetched from the cache need not be rendered.
fn render_unknown(
    inputs: Inputs,
    (keys, templates): (&Keys, &Templates),
    (requests, token): (&Requests, &islands::Token),
    work: Vec<(&content::Page, (usize, &mut Page))>,
    fetched: &Fetched,
) -> Result<(), Vec<Diagnostic>> {
    let Inputs { profile, tools, .. } = inputs;
    let (cache, shelf) = (tools.cache(), tools.shelf());
    let engine = engine::load(templates, profile.trace.as_ref(), cache)?;
    let previews = engine::load_previews(templates, cache);
    let needs = functions::Needs::of(inputs, previews, requests, &Known::default())?;
    let mut diagnostics = Vec::new();
    let mut work = work;
    work.sort_by_key(|(page, _)| page.view);
    while let Some(view) = work.first().map(|(page, _)| page.view) {
        let others = work.split_off(work.partition_point(|(page, _)| page.view == view));
        let work = std::mem::replace(&mut work, others);
        let inputs = inputs.of(work[0].0);
        let mut engine = Tera::clone(&engine);
        functions::register(&mut engine, &needs, inputs, token.clone());
        let templates: BTreeSet<&String> = work.iter().map(|(page, _)| &page.template).collect();
        let components: BTreeSet<&String> = work.iter().flat_map(|(page, _)| &page.components).collect();
        let collections = values::share(&mut engine, inputs, &keys.uses_of(templates, components))?;
        let renderer = Renderer { inputs, engine: &engine, keys, collections: &collections };
        let problems: Vec<Option<Box<Failed>>> = parallel::map_owned(work, |(page, (number, rendered))| {
            let html = fetched.take(number).map_or_else(|| renderer.render(page, token), Ok);
            html.map(|html| rendered.html = Html::on(&shelf, html, |html| token.is_in(html))).err()
        });
        let reporter = Reporter { renderer, known: &needs.known };
        diagnostics.extend(reporter.report(problems.into_iter().flatten()));
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}

/// What pages are rendered with.
#[derive(Clone, Copy)]
struct Renderer<'a> {
    inputs: Inputs<'a>,
    engine: &'a Tera,
    keys: &'a Keys<'a>,
    collections: &'a values::Collections,
}

impl<'a> Renderer<'a> {
    fn render(&self, page: &'a content::Page, token: &islands::Token) -> Result<String, Box<Failed<'a>>> {
        let Renderer { inputs, engine, .. } = *self;
        let Inputs { site, tools, .. } = inputs;
        let _work = Work::on_page(tools.observer(), "render a page", page.source.as_str());
        let document = &*site.take_document(page);
        if !engine.contains_template(&page.template) {
            let names = engine.get_template_names();
            // The author may have left out the folder.
            let is_same = |name: &&str| name.strip_suffix(&page.template).is_some_and(|folder| folder.ends_with('/'));
            let mut in_folder = engine.get_template_names().filter(is_same);
            let first =
                in_folder.next().map(|name| Meant { word: name.to_owned(), is_certain: in_folder.next().is_none() });
            let nearest = first.or_else(|| meant(&page.template, names));
            let problem = TemplateProblem::UnknownTemplate { name: page.template.clone(), nearest };
            let diagnostic = Diagnostic::new(problem, template_place(document));
            return Err(Failed::of(diagnostic, page));
        }
        let failed = |problem, place| Err(Failed::of(Diagnostic::new(problem, place), page));
        let (own, made) = (Format::extension(page.route.as_str()), Format::extension(&page.template));
        if own != made {
            let (template, made) = (page.template.clone(), made.map(str::to_owned));
            return failed(
                TemplateProblem::FileName { route: page.route.to_string(), template, made },
                template_place(document),
            );
        }
        let context = self.context(page, document).map_err(|mut diagnostics| {
            let first = diagnostics.remove(0);
            Box::new(Failed { more: diagnostics, ..*Failed::of(first, page) })
        })?;
        let html = nearby::render(engine, site, page, &context).map_err(|error| {
            let mistake = Mistake::take(&error);
            let failure = engine::Failure::of(&error, mistake.as_ref(), inputs.sources);
            let diagnostic = engine::failed(&error, mistake.clone(), page, document, inputs);
            Box::new(Failed { mistake, failure, ..*Failed::of(diagnostic, page) })
        })?;
        if own.is_some() && token.is_in(&html) {
            let detail = "islands are allowed only in HTML pages, not in a file like this".to_owned();
            let place = Place::file(&SourcePath::new(format!("{TEMPLATES}/{}", page.template)));
            return Err(Failed::of(
                page.named_in(Diagnostic::new(TemplateProblem::TemplateFailed { detail }, place)),
                page,
            ));
        }
        // In exactly its size: with spare capacity, ten thousand pages took a fifth more memory.
        Ok(html.as_str().to_owned())
    }

    /// Returns the values of one page.
    fn context(&self, page: &content::Page, document: &content::Document) -> Result<Context, Vec<Diagnostic>> {
        let uses = self.keys.uses_of_page(page);
        let collections = self.collections.for_page(&uses);
        let with = (self.inputs, self.engine, &collections);
        let mut value = values::page(page, document, with, &uses)?;
        let mut context = collections.clone();
        if let Some(made) = &page.made {
            values::about(&mut context, made, with, uses.bodies)?;
            value = values::with_body_of_entry(value, context.get("entry"));
        }
        context.insert_value("page", value);
        Ok(context)
    }
}

/// Returns the digest of everything that pages get from styles and islands.
pub fn bundles_digest(styles: &Styles, islands: &Islands) -> Digest {
    digest_of(&(styles.digest(), islands.digest()))
}

/// What other pages show of the page that says the same in another language.
#[derive(Hash)]
struct Translated<'a> {
    route: &'a Route,
    title: Option<&'a str>,
    is_fallback: bool,
    is_indexed: bool,
}

/// Computes the keys of pages: everything that a page depends on, as far as its template can read it.
struct Keys<'a> {
    bundles: Digest,
    shared: Digest,
    site: &'a Site,
    scan: Arc<Scan>,
}

impl<'a> Keys<'a> {
    fn of(inputs: Inputs<'a>) -> Self {
        let Inputs { sources, site, styles, islands, tools, .. } = inputs;
        let bundles = bundles_digest(styles, islands);
        let shared = digest_of(&(bundles, sources.only(&[SourceKind::Props])));
        Keys { bundles, shared, site, scan: scan(&Templates::of(sources), tools.cache()) }
    }

    fn of_page(&self, page: &content::Page) -> Digest {
        let templates = [&page.template];
        let pages = std::slice::from_ref(page);
        let read = self.read(&self.uses_of_page(page), self.site.view(page), (templates, &page.components), pages);
        digest_of(&("rendered page", self.shared, page.key, templates, read))
    }

    fn of_chunk(&self, chunk: &content::Chunk) -> Digest {
        let uses = self.uses_of(&chunk.templates, &chunk.components);
        let view = &self.site.views[chunk.view];
        let read = self.read(&uses, view, (&chunk.templates, &chunk.components), &chunk.pages);
        digest_of(&("rendered chunk", self.shared, chunk.key, read))
    }

    /// Returns the digest of what pages can read of the rest, given what they use.
    fn read<'n>(
        &self,
        uses: &Uses,
        view: &View,
        (templates, components): (impl IntoIterator<Item = &'n String>, impl IntoIterator<Item = &'n String>),
        pages: &[content::Page],
    ) -> Digest {
        let files: Vec<Digest> = self.reached(templates, components).map(|reached| reached.files).collect();
        let collections = view.collections.iter().map(|(name, collection)| {
            let is_read = uses.related || uses.collections.contains(name);
            let digest = is_read.then(|| collection.digest(uses.with_bodies.contains(name)));
            let slugs = uses.entries.get(name).filter(|_| !is_read);
            // One that does not exist has no digests.
            let entry = |slug| collection.get(slug).map(|entry| (entry.keys, uses.bodies.then_some(entry.digest)));
            let entries = slugs.map(|slugs| slugs.iter().map(|slug| (slug, entry(slug))).collect::<Vec<_>>());
            (digest.is_some() || entries.is_some()).then_some((name, digest, entries))
        });
        let collections: Vec<_> = collections.flatten().collect();
        let all_pages = uses.pages.then_some(view.digests.pages);
        let shown = pages
            .iter()
            .filter(|_| uses.bodies || uses.ancestors || uses.translations)
            .map(|page| self.shown(page, uses));
        digest_of(&(files, collections, all_pages, shown.collect::<Vec<_>>()))
    }

    /// Returns what one page shows of others, or the digests of it: of the entries in its list, of the pages above it, and of the
    /// pages that say the same in other languages.
    fn shown<'p>(&'p self, page: &content::Page, uses: &Uses) -> (Vec<Digest>, Vec<Digest>, Vec<Translated<'p>>) {
        let list = page.made.as_ref().and_then(|made| made.list.as_ref()).filter(|_| uses.bodies);
        let collection = list.and_then(|list| self.site.view(page).collection(&list.collection));
        let entries = list.into_iter().flat_map(|list| &list.entries);
        let entries = entries.filter_map(|number| Some(collection?.nth(*number)?.digest));
        let ancestors = uses.ancestors.then(|| self.site.pages.ancestors(page).map(|page| page.listing));
        let translation = |(_, page): (&View, &'p content::Page)| Translated {
            route: &page.route,
            title: page.title.as_deref(),
            is_fallback: page.is_fallback,
            is_indexed: page.is_indexed(),
        };
        let translations =
            uses.translations.then(|| self.site.translations(page.route.as_str()).map(translation).collect());
        (entries.collect(), ancestors.into_iter().flatten().collect(), translations.unwrap_or_default())
    }

    /// Returns what a page uses: its template, and the components that its text calls.
    fn uses_of_page(&self, page: &content::Page) -> Cow<'_, Uses> {
        match self.scan.uses.templates.get(&page.template) {
            Some(reached) if page.components.is_empty() => Cow::Borrowed(&reached.uses),
            _ => Cow::Owned(self.uses_of([&page.template], &page.components)),
        }
    }

    /// Returns what all components use.
    fn uses_of_components(&self) -> Uses {
        self.uses_of([], self.scan.uses.components.keys())
    }

    /// Returns what some templates and components use.
    fn uses_of<'n>(
        &self,
        templates: impl IntoIterator<Item = &'n String>,
        components: impl IntoIterator<Item = &'n String>,
    ) -> Uses {
        let mut all = Uses::default();
        self.reached(templates, components).for_each(|reached| all.merge(&reached.uses));
        all
    }

    /// Returns what some templates and components lead to, as far as they exist.
    fn reached<'n>(
        &self,
        templates: impl IntoIterator<Item = &'n String>,
        components: impl IntoIterator<Item = &'n String>,
    ) -> impl Iterator<Item = &Reached> {
        let AllUses { templates: all, components: others, .. } = &self.scan.uses;
        let templates = templates.into_iter().filter_map(|name| all.get(name));
        templates.chain(components.into_iter().filter_map(|name| others.get(name)))
    }
}

/// Returns the 404 page of a site without one: the number and a link to the home page, which need no words of any language.
fn unknown_path(site: &Site) -> Page {
    let Settings { language, name, base_path, .. } = &site.settings;
    let escaped = |text: &str| {
        let mut html = String::new();
        // Writing to a String cannot fail.
        let _ = pulldown_cmark_escape::escape_html(&mut html, text);
        html
    };
    let (language, name) = (&escaped(language), &escaped(name));
    let direction = if is_right_to_left(&site.settings.language) { " dir=\"rtl\"" } else { "" };
    let home = site.main().language.prefixed("/");
    let link = site.pages.at(&home).map(|_| escaped(&inside(base_path, &home)));
    let link = link.map(|address| format!("\n<p><a href=\"{address}\">{name}</a></p>")).unwrap_or_default();
    let html = format!(
        "<!doctype html>\n<html lang=\"{language}\"{direction}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>404 | {name}</title>\n</head>\n<body>\n<main>\n<h1>404</h1>{link}\n</main>\n</body>\n</html>\n"
    );
    Page { route: Route::of_page("404"), source: None, made: None, html: html.into(), summary: None, key: None }
}

/// Returns where each tag of a traced page was written, end tags too. Tags before the first mark have no file of their
/// own.
fn origins(marks: &Trace, html: &str) -> Vec<Origin> {
    let mut origins = Vec::new();
    let mut last = (SourcePath::new("templates"), 0, false);
    for token in sitegen_core::html::tokens(html) {
        match token {
            sitegen_core::html::Token::Text(text) => match last_mark(marks, text) {
                Some(mark) => last = mark,
                None => last.2 = false,
            },
            sitegen_core::html::Token::Start(_) | sitegen_core::html::Token::End(_) => {
                let (path, offset, is_exact) = last.clone();
                origins.push(Origin { path, offset, is_exact });
                last.2 = false;
            }
        }
    }
    origins
}
