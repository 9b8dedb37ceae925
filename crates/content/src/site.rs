//! The resolved content of a site.

use super::address::Addresses;
use super::assets::Assets;
use super::collections::{Collection, Entry};
use super::connections::Connections;
use super::digests::Digests;
use super::documents::{Document, Documents, SharedInputs, find_collection};
use super::languages::Language;
use super::markdown::Rendered;
use super::marks::{MOST_ENTRIES, Marks, marked_collection};
use super::outline::Outline;
use super::outlines::Order;
use super::page_names::PageNames;
use super::plan::Made;
use super::schedule::{Schedule, State};
use super::scope::Scope;
use super::settings::Settings;
use super::yaml::Node;
use super::{NOT_FOUND, read};
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{Diagnostic, Place};
use sitegen_core::paths::{OutputPath, Route, SourcePath};
use sitegen_core::profile::Trace;
use sitegen_core::sources::{Digest, Source, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `hreflang` calls the page for visitors whose language the site does not have.
pub const DEFAULT: &str = "x-default";

/// The resolved content of a site.
#[derive(Debug)]
pub struct Site {
    /// The settings that the engine reads from `site.yaml`.
    pub settings: Settings,
    /// What each language shows: that of the site first.
    pub views: Vec<View>,
    /// The pages of all languages in the order of their routes.
    pub pages: Pages,
    /// Files of `content/assets`.
    pub assets: Assets,
    /// Files of `content/public`, published unchanged.
    pub public: Vec<(OutputPath, SourcePath, Source)>,
    /// What is left out, and until when.
    pub schedule: Schedule,
    /// The components that its Markdown calls, also in what is left out.
    pub components: BTreeSet<String>,
    /// The files of pages and entries, of which documents are read when they are needed.
    pub(super) texts: Sources,
    /// Whether documents carry marks of where they were written.
    pub(super) trace: Option<Trace>,
    /// Sets marks behind the values of documents, in a site that is [marked](Site::marked).
    pub(super) marks: Option<Arc<Marks>>,
}

/// What a language shows of the content.
#[derive(Debug)]
pub struct View {
    /// The language.
    pub language: Language,
    /// `site.yaml`, or the translation of it.
    pub site_file: SourcePath,
    /// All of that, and of `site.yaml` what it lacks.
    pub data: Node,
    /// The name of the site in this language.
    pub name: String,
    /// What pages may talk to, with the reasons in this language.
    pub connections: Connections,
    /// What visitors read in this language in the place of an island that failed.
    pub failure: String,
    /// The entries of each collection, by `order` and then by slug.
    pub collections: BTreeMap<String, Collection>,
    /// The pages that make one page each, as entries of a collection. Empty if no page lists them.
    pub listed_pages: Collection,
    /// The assets, with their descriptions in this language.
    pub assets: Assets,
    /// By what wiki links find pages.
    pub names: Arc<PageNames>,
    /// Digests of what pages may depend on besides their own files.
    pub digests: Digests,
    /// The number of the language.
    pub number: usize,
    pub(super) documents: Documents,
}

/// The pages of a site, shared with other builds as far as they are equal.
#[derive(Clone, Debug)]
pub struct Pages {
    pub(super) chunks: Vec<Arc<Chunk>>,
    pub(super) order: Arc<Order>,
}

/// Pages whose files are neighbours.
#[derive(Debug)]
pub struct Chunk {
    /// The pages in the order of their files.
    pub pages: Vec<Page>,
    /// The templates that render them.
    pub templates: BTreeSet<String>,
    /// The components that their texts call.
    pub components: BTreeSet<String>,
    /// The number of the language that has them.
    pub view: usize,
    /// The digest of everything that their documents depend on.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of them.
    pub listing: Digest,
    /// The places of those that have a feed.
    pub(super) with_feed: Vec<usize>,
}

/// A page.
#[derive(Debug)]
pub struct Page {
    /// From the site's home page, without the path of the site on its host.
    pub route: Route,
    /// Its file.
    pub source: SourcePath,
    /// The template that renders it.
    pub template: String,
    /// Its title, of a site with several languages.
    pub title: Option<Box<str>>,
    /// The day of its last change, from its `updated` key.
    pub updated: Option<Box<str>>,
    /// Its `language` as written, or that of its entry; of a site with several languages, the one that has the page.
    pub language: Option<Box<str>>,
    /// The number of the language that has it.
    pub view: usize,
    /// Whether it shows an original, as there is no translation.
    pub is_fallback: bool,
    /// Whether its `noindex` key, or that of its entry, keeps search engines away.
    pub is_hidden: bool,
    /// What it was made from besides its file.
    pub made: Option<Arc<Made>>,
    /// The keys that the engine acts on.
    pub outline: Arc<Outline>,
    /// The components that its text calls, or that of its entry.
    pub components: BTreeSet<String>,
    /// The digest of everything that its document depends on.
    pub key: Digest,
    /// The digest of everything that lists of pages can show of it.
    pub listing: Digest,
}

impl Site {
    /// Returns what the language of the site shows.
    pub fn main(&self) -> &View {
        &self.views[0]
    }

    /// Returns what the language of a page shows.
    pub fn view(&self, page: &Page) -> &View {
        &self.views[page.view]
    }

    /// Returns the keys and the body of a page.
    pub fn document(&self, page: &Page) -> Arc<Document> {
        let documents = &self.view(page).documents;
        documents.get(page.route.as_str()).unwrap_or_else(|| {
            let document = Arc::new(self.read_again(page));
            documents.keep(page.route.as_str(), document.clone());
            document
        })
    }

    /// Returns a page's document and forgets it: of ten thousand pages, only those that are being rendered are in
    /// memory as documents and as HTML. A later call reads the page again.
    pub fn take_document(&self, page: &Page) -> Arc<Document> {
        let read = self.view(page).documents.take(page.route.as_str());
        read.unwrap_or_else(|| Arc::new(self.read_again(page)))
    }

    /// Returns the keys of a page, without reading its body.
    pub fn keys(&self, page: &Page) -> Node {
        let view = self.view(page);
        if let Some(document) = view.documents.get(page.route.as_str()) {
            return document.data.clone();
        }
        let Some(mut data) = page.outline.data() else { return self.document(page).data.clone() };
        let shared = self.shared_inputs(view);
        let own = page.made.as_ref().map(|made| shared.named(made)).unwrap_or_default();
        // References that cannot be filled were reported when the page was read.
        Scope { own: &own, ..shared.scope() }.fill(&page.source, &mut data, &mut Vec::new());
        self.assets.name_beside(&page.source, &mut data);
        if self.marks.is_some() {
            let mut document = Document { data, ..Document::empty(&page.source) };
            self.mark(&mut document, page);
            return document.data;
        }
        data
    }

    /// Returns the body of an entry and forgets it, as [`Site::take_document`] does. `None` for an entry that is no Markdown.
    pub fn take_body(&self, view: &View, entry: &Entry) -> Option<Rendered> {
        if entry.source.extension() != Some("md") {
            return None;
        }
        let read = view.documents.take(entry.source.as_str()).or_else(|| {
            let (path, source) = self.texts.here(&entry.source)?;
            let parsed = read::parsed((path, &source), Some(entry.data.clone()), &mut Vec::new())?;
            Some(Arc::new(self.shared_inputs(view).read_entry(parsed, None).0))
        });
        read.and_then(|document| match Arc::try_unwrap(document) {
            Ok(document) => document.body,
            Err(document) => document.body.clone(),
        })
    }

    /// Returns where the address of a page is written: at the key `path` of its entry or of its file, or else the file.
    pub fn place_of_path(&self, page: &Page) -> Place {
        let collection = |made: &Made| self.view(page).collection(&made.collection);
        let entry = page.made.as_ref().and_then(|made| collection(made)?.nth(made.number?));
        let of_entry = entry.and_then(|entry| Some(Place::new(&entry.source, entry.outline.own_path()?.span)));
        let of_file = || page.outline.own_path().map(|own| Place::new(&page.source, own.span));
        of_entry.or_else(of_file).unwrap_or_else(|| Place::file(&page.source))
    }

    fn read_again(&self, page: &Page) -> Document {
        let file = self.texts.here(&page.source);
        let file = file.as_ref().map(|(path, source)| (*path, &**source));
        let parsed = file.and_then(|file| read::parsed(file, page.outline.data(), &mut Vec::new()));
        let shared = self.shared_inputs(self.view(page));
        // A page of a site was read before, from the same bytes.
        let read = parsed.map(|parsed| shared.read(parsed, None, page.made.as_deref()).0);
        let mut document = read.unwrap_or_else(|| Document::empty(&page.source));
        self.mark(&mut document, page);
        document
    }

    fn shared_inputs<'a>(&'a self, view: &'a View) -> SharedInputs<'a> {
        SharedInputs {
            data: &view.data,
            collections: Some(&view.collections),
            pages: &view.listed_pages,
            unread: None,
            addresses: self.addresses(view),
            language: &view.language,
            view: view.number,
            original_language: &self.settings.language,
            highlight: self.settings.options.highlight.0,
            dialect: &self.settings.options.markdown,
            trace: self.trace.as_ref(),
        }
    }

    /// Returns what addresses in the Markdown of a language are resolved against.
    pub fn addresses<'a>(&'a self, view: &'a View) -> Addresses<'a> {
        addresses_of(&self.settings, &view.assets, (&self.pages.order, view.number), &view.names)
    }

    /// Returns the pages that say the same as a page in other languages and in its own, each with what its language shows.
    pub fn translations(&self, route: &str) -> impl Iterator<Item = (&View, &Page)> {
        let numbers = self.pages.order.translations_of(route);
        numbers.iter().zip(&self.views).filter_map(|(number, view)| Some((view, self.pages.get((*number)?))))
    }
}

impl Site {
    /// Returns the language of the text that a page shows for want of a translation: that of the original, which may have one of its
    /// own. `None` for a page whose text is in its language.
    pub fn fallback_language(&self, page: &Page) -> Option<&str> {
        if !page.is_fallback {
            return None;
        }
        let original = self.translations(page.route.as_str()).next();
        let own = original.and_then(|(_, original)| original.language.as_deref()).filter(|tag| !tag.contains("{{"));
        let tag = own.unwrap_or(&self.main().language.tag);
        (!tag.eq_ignore_ascii_case(&self.view(page).language.tag)).then_some(tag)
    }

    /// Returns the pages that `hreflang` names beside a page, with their languages: those that say the same and have a text of their
    /// own, itself too, and for `x-default` the first. Empty for a page that is alone, or that shows the text of another language.
    pub fn alternates<'a>(&'a self, page: &'a Page) -> impl Iterator<Item = (&'a str, &'a Page)> {
        let is_indexed = |number: usize| self.pages.get(number).is_indexed();
        let all = self.pages.order.alternates(page.route.as_str(), is_indexed).into_iter();
        all.map(|(language, number)| {
            let tag = language.map_or(DEFAULT, |language| self.views[language].language.tag.as_str());
            (tag, self.pages.get(number))
        })
    }

    /// Returns the digest of what lists of pages can show in any language, and of what any page may depend on.
    pub fn digest(&self) -> Digest {
        digest_of(&self.views.iter().map(|view| (view.digests.shared, view.digests.pages)).collect::<Vec<_>>())
    }
}

impl Site {
    /// Returns the same site with marks behind the values that a page may show, and with those of the trace in its texts.
    pub fn marked(&self, page: &Page, marks: Arc<Marks>, trace: Option<Trace>) -> Site {
        let about: BTreeMap<&str, BTreeSet<usize>> = page
            .made
            .iter()
            .map(|made| {
                let list = made.list.iter().flat_map(|list| list.entries.iter().copied());
                (made.collection.as_str(), list.chain(made.number).chain(made.previous).chain(made.next).collect())
            })
            .collect();
        let mark = |view: &View| {
            let mut data = view.data.clone();
            if view.number == page.view {
                marks.add(&view.site_file, "site", &mut data);
            }
            let collections = view.collections.iter().map(|(name, collection)| {
                let only =
                    (collection.len() > MOST_ENTRIES).then(|| about.get(name.as_str()).cloned().unwrap_or_default());
                let is_shown = view.number == page.view;
                (
                    name.clone(),
                    if is_shown { marked_collection(collection, name, only, &marks) } else { collection.clone() },
                )
            });
            View {
                language: view.language.clone(),
                site_file: view.site_file.clone(),
                data,
                name: view.name.clone(),
                connections: view.connections.clone(),
                failure: view.failure.clone(),
                collections: collections.collect(),
                listed_pages: view.listed_pages.clone(),
                assets: view.assets.clone(),
                names: view.names.clone(),
                digests: view.digests,
                number: view.number,
                documents: Documents::default(),
            }
        };
        Site {
            settings: self.settings.clone(),
            views: self.views.iter().map(mark).collect(),
            pages: self.pages.clone(),
            assets: self.assets.clone(),
            public: self.public.clone(),
            schedule: self.schedule.clone(),
            components: self.components.clone(),
            texts: self.texts.clone(),
            trace,
            marks: Some(marks.clone()),
        }
    }

    /// Marks the keys of a page that was read for a marked site.
    fn mark(&self, document: &mut Document, page: &Page) {
        if let Some(marks) = &self.marks {
            let path = document.source.clone();
            marks.add(&path, &format!("page {}", page.template), &mut document.data);
        }
    }
}

impl View {
    /// Returns the keys of `site.yaml` and of all entries, each with their file.
    pub fn keys(&self) -> impl Iterator<Item = (&SourcePath, &Node)> {
        let entries = self.collections.values().flat_map(Collection::iter).map(|entry| (&entry.source, &entry.data));
        entries.chain([(&self.site_file, &self.data)])
    }

    /// Returns a collection, or for the name `pages` the pages that make one page each.
    pub fn collection(&self, name: &str) -> Option<&Collection> {
        find_collection(&self.collections, &self.listed_pages, name)
    }
}

impl Page {
    /// Adds this page to a diagnostic of what was rendered for it.
    pub fn named_in(&self, diagnostic: Diagnostic) -> Diagnostic {
        Made::name_page(diagnostic, self.made.as_deref(), &self.route, &self.source)
    }

    /// Whether hosts show it for addresses without a page: `/404`, or that of a language.
    pub fn is_not_found(&self) -> bool {
        self.route.as_str() == NOT_FOUND || self.view > 0 && self.source.stem() == &NOT_FOUND[1..]
    }

    /// Whether lists of all pages have it: the 404 page and files other than HTML are in none.
    pub fn is_listed(&self) -> bool {
        !self.is_not_found() && self.route.format().is_html()
    }

    /// Whether search engines may find it. A page that shows an original is found where that is.
    pub fn is_indexed(&self) -> bool {
        !self.noindex() && !self.is_fallback && self.route.format().is_html()
    }

    /// Whether search engines are kept away: by its `noindex` key, and always from the 404 page.
    pub fn noindex(&self) -> bool {
        self.is_not_found() || self.is_hidden
    }
}

impl Pages {
    /// Returns the pages in the order of their routes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Returns the pages that have a feed, in the order of their routes, each with what it was made from.
    pub fn with_feed(&self) -> Vec<(&Page, &Made)> {
        let pages = self.chunks.iter().flat_map(|chunk| chunk.with_feed.iter().map(|place| &chunk.pages[*place]));
        let mut pages: Vec<(&Page, &Made)> = pages.filter_map(|page| Some((page, &**page.made.as_ref()?))).collect();
        pages.sort_unstable_by(|(a, _), (b, _)| a.route.cmp(&b.route));
        pages
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.order.places.len()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the page at a route.
    pub fn at(&self, route: &str) -> Option<&Page> {
        self.order.numbers.get(route).map(|number| self.get(*number))
    }

    /// Returns the value of the page at a route among those of all pages, in the order of their routes.
    pub fn value_at<'v, T>(&self, values: &'v [T], route: &str) -> Option<&'v T> {
        self.order.numbers.get(route).and_then(|number| values.get(*number))
    }

    /// Returns the number of the page at a route, in the order of their routes.
    pub fn number_at(&self, route: &str) -> Option<usize> {
        self.order.numbers.get(route).copied()
    }

    /// Returns the page with a number.
    pub fn get(&self, number: usize) -> &Page {
        let (chunk, place) = self.order.places[number];
        &self.chunks[chunk].pages[place]
    }

    /// Returns the pages of its language above a page, from the home page down. A part of the route without a page is left out.
    pub fn ancestors<'p>(&'p self, page: &'p Page) -> impl Iterator<Item = &'p Page> {
        let route = page.route.as_str();
        let above = route.match_indices('/').map(|(at, _)| if at == 0 { "/" } else { &route[..at] });
        // A page above may have an address with a slash at its end.
        let at = |above: &str| self.at(above).or_else(|| self.at(&format!("{above}/")));
        above.filter_map(at).filter(move |above| above.route.as_str() != route && above.view == page.view)
    }

    /// Returns the pages in chunks, which are in the order of their files.
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }

    /// Returns the chunk of each page and its place there, in the order of their routes.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        self.order.places.iter().copied()
    }

    /// Returns the pages in the order of their routes, each with a value. `values` returns those of a chunk, in the order of
    /// its pages.
    pub fn with_values<'p, 'v, C, T: 'v>(
        &'p self,
        chunks: &'v [C],
        values: impl Fn(&'v C) -> Option<&'v [T]>,
    ) -> impl Iterator<Item = (&'p Page, Option<&'v T>)> {
        let places = self.order.places.iter();
        places.map(move |(chunk, place)| {
            (&self.chunks[*chunk].pages[*place], values(&chunks[*chunk]).and_then(|values| values.get(*place)))
        })
    }

    /// Groups a value of each page, in the order of their routes, by chunks.
    pub fn by_chunk<T>(&self, values: impl IntoIterator<Item = T>) -> Vec<Vec<T>> {
        let empty = |chunk: &Arc<Chunk>| chunk.pages.iter().map(|_| None).collect();
        let mut grouped: Vec<Vec<Option<T>>> = self.chunks.iter().map(empty).collect();
        for ((chunk, place), value) in self.order.places.iter().zip(values) {
            grouped[*chunk][*place] = Some(value);
        }
        grouped.into_iter().map(|values| values.into_iter().flatten().collect()).collect()
    }

    /// Returns the order of the pages.
    pub fn order(&self) -> &Arc<Order> {
        &self.order
    }

    /// Returns the routes that are left out today, with the reason.
    pub fn hidden(&self) -> &BTreeMap<Route, State> {
        &self.order.hidden
    }

    /// Returns the digest of the routes, of pages that are shown or left out.
    pub fn digest(&self) -> Digest {
        self.order.digest
    }
}

/// Returns what addresses in the Markdown of a language are resolved against. The routes come with the number of the language.
pub fn addresses_of<'a>(
    settings: &'a Settings,
    assets: &'a Assets,
    (order, view): (&'a Order, usize),
    names: &'a PageNames,
) -> Addresses<'a> {
    let routes = order.routes_of(view);
    let pictures = &settings.options.pictures;
    Addresses { base_path: &settings.base_path, hosts: &settings.hosts, assets, routes, pictures, names, order, view }
}
