//! The feeds of lists: which entries they have, and what of them.

use super::feeds::{Author, Enclosure, Entry, Feed, Mistake, atom, json, rss};
use serde::{Deserialize, Serialize};
use sitegen_content::address::{inside, scheme_of};
use sitegen_content::collections::Entry as Source;
use sitegen_content::page_source::{self, FeedFormat};
use sitegen_content::settings::Settings;
use sitegen_content::web_address::web_address;
use sitegen_content::yaml::{Node, Value};
use sitegen_content::{Page, Site, View};
use sitegen_core::cache::{Cache, Digested, Persistent, Query};
use sitegen_core::diagnostics::{Diagnostic, FeedProblem, Place, Problem};
use sitegen_core::parallel;
use sitegen_core::paths::{SourcePath, composed, media_type, percent_encoded};
use sitegen_core::sources::{Digest, SourceKind};
use sitegen_pages::{self as pages, Components, Inputs};
use std::collections::{BTreeMap, BTreeSet};

/// The files of a feed: the path of each, and its text.
#[derive(Debug, Serialize, Deserialize)]
struct Files(Vec<(String, String)>);

impl Persistent for Files {}

/// Whether a path has the name that a feed has unless the site names another.
pub fn is_feed(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| FeedFormat::ALL.iter().any(|format| format.file() == name))
}

/// Returns the addresses of all feeds, from the root of the site.
pub fn addresses(site: &Site) -> BTreeSet<String> {
    let feeds = site.pages.with_feed().into_iter();
    let feeds = feeds.filter_map(|(page, _)| Some((page, page.outline.source.as_ref()?.feed.as_ref()?)));
    let addresses = |(page, feed): (&'_ Page, &page_source::Feed)| {
        let all = feed.addresses(&page.route, &site.view(page).language.prefix);
        all.map(|(_, address)| address).collect::<Vec<_>>()
    };
    feeds.flat_map(addresses).collect()
}

/// A file of a feed: its path, its text, and the file of the list.
pub type FeedFile = (String, String, SourcePath);

/// Writes the feeds of all lists that ask for one.
pub fn files(inputs: Inputs) -> (Vec<FeedFile>, Vec<Diagnostic>) {
    let site = inputs.site;
    let pages = site.pages.with_feed().into_iter();
    let wanted: Vec<(&Page, &page_source::Feed)> =
        pages.filter_map(|(page, _)| Some((page, page.outline.source.as_ref()?.feed.as_ref()?))).collect();
    let made: Vec<(Vec<FeedFile>, Vec<Diagnostic>)> =
        parallel::map(&wanted, |(page, wanted)| of_list(inputs, page, wanted));
    let (files, diagnostics): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    (files.into_iter().flatten().collect(), diagnostics.into_iter().flatten().collect())
}

/// An entry of a feed that is named by the address of its page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The file of the entry.
    pub source: SourcePath,
    /// The route of its page.
    pub route: String,
}

/// Returns the entries of all feeds that are named by the addresses of their pages.
pub fn named(site: &Site) -> Vec<Named> {
    let mut named = BTreeMap::new();
    for (page, made) in site.pages.with_feed() {
        let view = site.view(page);
        let Some(collection) = made.list.as_ref().and_then(|list| view.collection(&list.collection)) else { continue };
        let entries = made.feed.iter().filter_map(|number| collection.nth(*number));
        for entry in entries.filter(|entry| entry.data.get("feed_id").is_none()) {
            if let Some(route) = site.pages.order().routes_of(page.view).get(&entry.name().key()) {
                named.insert(entry.name(), route.to_string());
            }
        }
    }
    named.into_iter().map(|(source, route)| Named { source, route }).collect()
}

fn of_list(inputs: Inputs, page: &Page, wanted: &page_source::Feed) -> (Vec<FeedFile>, Vec<Diagnostic>) {
    let inputs = inputs.of(page);
    let Inputs { sources, site, view, tools, .. } = inputs;
    let Some(made) = &page.made else { return Default::default() };
    let Some(list) = &made.list else { return Default::default() };
    let Some(collection) = view.collection(&list.collection) else { return Default::default() };
    let entries: Vec<&Source> = made.feed.iter().filter_map(|number| collection.nth(*number)).collect();
    let has_calls = wanted.is_full && entries.iter().any(|entry| !entry.outline.uses.components.is_empty());
    let listings = || site.pages.chunks().iter().map(|chunk| chunk.listing).collect::<Vec<_>>();
    let read = || sources.only(&[SourceKind::Template, SourceKind::Props]);
    let bodies = || view.collections.values().map(|collection| collection.bodies).collect::<Vec<_>>();
    let called = || (read(), pages::bundles_digest(inputs.styles, inputs.islands), listings(), bodies());
    let digests: Vec<Digest> = entries.iter().map(|entry| entry.digest).collect();
    let query = FeedOfList {
        page: Digested::new((page, wanted, &list.collection), page.key),
        entries: Digested::by(&entries, digests),
        has_calls,
        inputs: Digested::by(inputs, (view.digests.collections, has_calls.then(called))),
    };
    match tools.cache().query_saved(&query) {
        Ok(files) => {
            let file = |(path, text): &(String, String)| (path.clone(), text.clone(), page.source.clone());
            (files.0.iter().map(file).collect(), Vec::new())
        }
        Err(diagnostics) => (Vec::new(), diagnostics),
    }
}

/// The feed of a list.
#[derive(Hash)]
struct FeedOfList<'a> {
    /// The page of the list, what it says of the feed, and the name of its collection.
    page: Digested<(&'a Page, &'a page_source::Feed, &'a str)>,
    /// The entries, of which the feed has the texts.
    entries: Digested<&'a [&'a Source]>,
    /// Whether a text may call a component.
    has_calls: bool,
    /// Of these the keys of all entries, and where a text may call a component all that components may read.
    inputs: Digested<Inputs<'a>>,
}

impl Query for FeedOfList<'_> {
    const KIND: &'static str = "feed";
    type Output = Files;
    type Refused = Vec<Diagnostic>;

    fn run(&self, _: &Cache) -> Result<Files, Vec<Diagnostic>> {
        let ((page, wanted, collection), entries) = (*self.page, *self.entries);
        let inputs @ Inputs { site, view, .. } = *self.inputs;
        let place = Place::new(&page.source, wanted.span);
        let address = |path: &str| site.settings.absolute(path);
        let routes = site.pages.order().routes_of(page.view);
        if entries.iter().any(|entry| routes.get(&entry.name().key()).is_none()) {
            let problem = FeedProblem::FeedWithoutPages { collection: collection.to_owned() };
            return Err(vec![Diagnostic::new(problem, place)]);
        }
        let keys = site.keys(page);
        // A language with a host of its own has its home page there.
        let is_own = site.settings.hosts.with_prefix(&view.language.prefix).is_some();
        let home = if is_own { view.language.prefixed("/") } else { "/".into() };
        let text = |node: &Node, names: &[&str]| {
            names.iter().find_map(|name| node.get(name)?.text()).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let html_url = address(page.route.as_str());
        let components = self.has_calls.then(|| Components::of(inputs)).transpose()?;
        let html = |entry: &Source| -> Result<Option<String>, Vec<Diagnostic>> {
            let Some(body) = site.take_body(view, entry).filter(|_| wanted.is_full) else {
                return Ok(None);
            };
            let language = entry.data.get("language").and_then(Node::text);
            match &components {
                Some(components) => Ok(Some(components.insert(&body, language)?.into_owned())),
                None => Ok(Some(body.html)),
            }
        };
        let (enclosures, wrong) = enclosures(site, entries);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let bodies: Vec<Option<String>> = entries.iter().map(|entry| html(entry)).collect::<Result<_, _>>()?;
        let entry = |((entry, content_html), enclosure): ((&&Source, Option<String>), Option<Enclosure>)| {
            let url = routes.get(&entry.name().key()).map(|route| address(route.as_str())).unwrap_or_default();
            Entry {
                id: text(&entry.data, &["feed_id"]).unwrap_or_else(|| url.clone()),
                url,
                title: text(&entry.data, &["title", "name"]).unwrap_or_default(),
                summary: text(&entry.data, &["summary", "description"]),
                content_html,
                published: text(&entry.data, &["date", "publish"]),
                updated: text(&entry.data, &["updated"]),
                authors: authors(view, entry),
                tags: texts(entry.data.get("tags")),
                enclosure,
            }
        };
        let feed = Feed {
            id: html_url.clone(),
            title: wanted.title.clone().or_else(|| text(&keys, &["title"])).unwrap_or_default(),
            subtitle: text(&keys, &["description"]),
            html_url,
            language: page.language.as_deref().unwrap_or(&site.settings.language).to_owned(),
            updated: None,
            authors: vec![Author { name: view.name.clone(), url: Some(address(&home)) }],
            entries: entries.iter().zip(bodies).zip(enclosures).map(entry).collect(),
        };
        let mistakes = feed.mistakes();
        if !mistakes.is_empty() {
            return Err(mistakes.iter().map(|mistake| diagnostic(mistake, entries, &place)).collect());
        }
        let file = |(format, path): (FeedFormat, String)| {
            let own = address(&path);
            let text = match format {
                FeedFormat::Atom => atom(&feed, &own),
                FeedFormat::Json => json(&feed, &own),
                FeedFormat::Rss => rss(&feed, &own),
            };
            (path[1..].to_owned(), text)
        };
        Ok(Files(wanted.addresses(&page.route, &view.language.prefix).map(file).collect()))
    }
}

/// Returns the files that entries bring with them, and what is wrong with those.
fn enclosures(site: &Site, entries: &[&Source]) -> (Vec<Option<Enclosure>>, Vec<Diagnostic>) {
    let (mut enclosures, mut wrong) = (Vec::with_capacity(entries.len()), Vec::new());
    for entry in entries {
        let node = entry.data.get("enclosure").filter(|node| !matches!(node.value, Value::Null));
        let found = node.map(|node| {
            enclosure(site, node).map_err(|problem| Diagnostic::new(problem, Place::new(&entry.source, node.span)))
        });
        match found.transpose() {
            Ok(enclosure) => enclosures.push(enclosure),
            Err(diagnostic) => wrong.push(diagnostic),
        }
    }
    (enclosures, wrong)
}

/// Returns the file that the key `enclosure` names: one of the project, of which length and type are known, or one elsewhere with
/// both.
fn enclosure(site: &Site, node: &Node) -> Result<Enclosure, Problem> {
    let problem = |detail: String, fix: &'static str| Problem::from(FeedProblem::FeedEntry { detail, fix });
    let of_elsewhere = "write `{ url: https://…, length: 1234567, type: audio/mpeg }` with the length in bytes";
    if let Value::Map(_) = node.value {
        let text = |key: &str| node.get(key).and_then(Node::text).filter(|text| !text.is_empty()).map(str::to_owned);
        let length = match node.get("length").map(|node| &node.value) {
            Some(Value::Integer(length)) => u64::try_from(*length).ok(),
            _ => None,
        };
        let (Some(url), Some(length), Some(media_type)) = (text("url"), length, text("type")) else {
            return Err(problem("`enclosure` lacks its address, its length or its type".to_owned(), of_elsewhere));
        };
        if !web_address(&url).is_some_and(|url| matches!(url.scheme(), "https" | "http")) {
            return Err(problem(format!("`{url}` is not a complete address"), of_elsewhere));
        }
        return Ok(Enclosure { url, length, media_type });
    }
    let path = node.text().unwrap_or_default();
    if scheme_of(path).is_some() || path.starts_with("//") {
        let detail = "the length and the type of a file elsewhere are not known".to_owned();
        return Err(problem(detail, of_elsewhere));
    }
    let (path_of_site, length) = match path.strip_prefix('/') {
        Some(public) => {
            let public = composed(public);
            let file = site.public.iter().find(|(own, ..)| own.as_str() == public);
            let (own, _, file) = file.ok_or_else(|| site.assets.unknown(&public))?;
            (percent_encoded(&format!("/{own}")).into_owned(), file.body.len())
        }
        None => {
            let asset = site.assets.linked(path).ok_or_else(|| site.assets.unknown(path))?;
            (asset.url.clone(), asset.body.len())
        }
    };
    let media_type = media_type(path);
    if media_type == "application/octet-stream" {
        let detail = format!("`{path}` has a name that does not say what it is");
        return Err(problem(detail, "choose a file such as `.mp3`, `.m4a` or `.mp4`"));
    }
    let Settings { origin, base_path, .. } = &site.settings;
    Ok(Enclosure {
        url: format!("{origin}{}", inside(base_path, &path_of_site)),
        length,
        media_type: media_type.to_owned(),
    })
}

/// Returns the authors of an entry: names, or the slugs of entries of another collection that have a `name`.
fn authors(view: &View, entry: &Source) -> Vec<Author> {
    let author = |name: String| {
        let entries = view.collections.values().filter_map(|collection| collection.get(&name));
        let mut names = entries.filter_map(|author| author.data.get("name")?.text());
        let full = names.next().map(str::to_owned);
        Author { name: full.unwrap_or(name), url: None }
    };
    let written = ["author", "authors"].iter().find_map(|key| entry.data.get(key));
    texts(written).into_iter().map(author).collect()
}

fn texts(node: Option<&Node>) -> Vec<String> {
    match node.map(|node| &node.value) {
        Some(Value::Text(text)) if !text.is_empty() => vec![text.clone()],
        Some(Value::List(items)) => items.iter().filter_map(Node::text).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn diagnostic(mistake: &Mistake, entries: &[&Source], feed: &Place) -> Diagnostic {
    // At the first key that the entry has, or else at its first one: something is to be added there.
    let at = |number: &usize, keys: &[&str]| {
        let Some(entry) = entries.get(*number) else { return feed.clone() };
        let value = keys.iter().find_map(|key| entry.data.get(key)).map(|node| node.span);
        let first = || entry.data.entries().first().map(|(key, _)| key.span);
        Place { path: entry.source.clone(), span: value.or_else(first) }
    };
    let problem = |detail: String, fix| FeedProblem::FeedEntry { detail, fix };
    let node = |number: &usize, key: &str| entries.get(*number).and_then(|entry| entry.data.get(key));
    let has = |number: &usize, key: &str| node(number, key).is_some_and(|node| node.value != Value::Null);
    let add_date = "add a `date` like `2026-05-04`";
    let write_date = "write the year, the month and the day, like `2026-05-04`";
    let (problem, place) = match mistake {
        Mistake::NoDate { entry } if has(entry, "date") => {
            (problem("its `date` is not a date".to_owned(), write_date), at(entry, &["date"]))
        }
        Mistake::NoDate { entry } => (problem("it has no `date`".to_owned(), add_date), at(entry, &["title", "name"])),
        Mistake::BadDate { entry: Some(entry), date } => {
            let is_it = |key: &&str| node(entry, key).and_then(Node::text) == Some(date);
            let keys: Vec<&str> = ["date", "publish", "updated"].into_iter().filter(is_it).collect();
            (problem(format!("`{date}` is not a date like `2026-05-04`"), write_date), at(entry, &keys))
        }
        Mistake::Reversed { entry } => {
            let first = if has(entry, "date") { "date" } else { "publish" };
            let fix = "write a later day, or remove `updated`";
            (problem(format!("`updated` is before its `{first}`"), fix), at(entry, &["updated"]))
        }
        Mistake::NoTitle { entry: Some(entry) } => {
            (problem("it has no `title`".to_owned(), "add a `title`"), at(entry, &["title", "name"]))
        }
        Mistake::SameId { entry, first } => {
            // An address that is written is easier to correct than that of a page.
            let (wrong, other) =
                if has(entry, "feed_id") || !has(first, "feed_id") { (entry, first) } else { (first, entry) };
            let name = entries.get(*other).map_or("another entry".to_owned(), |entry| entry.name().to_string());
            let (detail, fix) = match (has(wrong, "feed_id"), has(other, "feed_id")) {
                (true, true) => (format!("{name} has the same `feed_id`"), "write another one, or remove it"),
                (true, false) => (format!("this is the address of {name}"), "write another one, or remove it"),
                _ => (format!("{name} has the same address"), "give one of them its own `feed_id`"),
            };
            (problem(detail, fix), at(wrong, &["feed_id"]))
        }
        Mistake::NotAbsolute { address, .. } => {
            let fix = "write it like `https://www.example.com/news/first`";
            (problem(format!("`{address}` is not a complete address"), fix), feed.clone())
        }
        Mistake::NoTitle { entry: None } => {
            (problem("the feed has no title".to_owned(), "add a `title` to `feed`, or to the page"), feed.clone())
        }
        Mistake::BadDate { entry: None, .. } | Mistake::NoUpdate => {
            (problem("no entry has a date".to_owned(), add_date), feed.clone())
        }
    };
    Diagnostic::new(problem, place)
}
