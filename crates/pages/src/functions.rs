//! The functions and filters of templates besides Tera's own.

use super::calendar::Moment;
use super::islands::Marked;
use super::kwargs::{given, needed};
use super::mistakes::{self, Known};
use super::nearby::near;
use super::social::{self, Previews, Requests};
use super::{Inputs, bounds, convert, islands, locale, picture, props, svg};
use sitegen_content::address::{Addresses, inside, scheme_of};
use sitegen_content::addresses_of;
use sitegen_content::assets::{Assets, Near};
use sitegen_content::collections::{Collection, Entry};
use sitegen_content::connections::{Connection, Kind, unknown_connection};
use sitegen_content::fold;
use sitegen_content::languages::Language;
use sitegen_content::markdown::{self, Context};
use sitegen_content::settings::Settings;
use sitegen_content::svg as svg_file;
use sitegen_content::terms::Term;
use sitegen_content::yaml::{self as node, Node};
use sitegen_content::{DEFAULT, Order as PageOrder, Page, Site};
use sitegen_core::diagnostics::{
    AssetProblem, Diagnostic, HYDRATIONS, IslandProblem, LinkProblem, MarkdownProblem, Problem, Severity, Span,
    TemplateProblem, meant, message, nearest,
};
use sitegen_core::html;
use sitegen_core::paths::{SourcePath, composed};
use sitegen_locale::order::Order;
use sitegen_locale::plurals::{CATEGORIES, Plurals};
use sitegen_search as search;
use sitegen_templates::callables;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;
use tera::value::Key;
use tera::{ArgFromValue, Error, Kwargs, Map, Number, State, StringInput, Tera, TeraResult, Value};
use tera_contrib::regex::{Matching, RegexReplace};
use tera_contrib::{base64, filesize_format, format, regex, slug, urlencode};

/// Registers those that need no site, and a stub for each of the others, so that templates can be checked for unknown
/// names before there is a site.
pub fn stub(engine: &mut Tera) {
    bounds::register(engine);
    engine.register_filter("b64_decode", base64::b64_decode);
    engine.register_filter("b64_encode", base64::b64_encode);
    engine.register_filter("filesize_format", filesize_format::filesize_format);
    engine.register_filter("format", format::format);
    engine.register_filter("group_by", |items: Vec<Value>, kwargs: Kwargs, _: &State| group_by(&items, &kwargs));
    engine.register_filter("ics", |text: &str, _: Kwargs, _: &State| ics(text));
    engine.register_filter("json", |value: Value, _: Kwargs, _: &State| to_json(&value).map(|json| json.to_string()));
    engine.register_filter("json_encode", |value: Value, kwargs: Kwargs, _: &State| json_encode(&value, &kwargs));
    engine.register_filter("regex_replace", RegexReplace::default());
    engine.register_filter("slug", slug::slug);
    // Its name in Zola, Eleventy and Tera 1.
    engine.register_filter("slugify", slug::slug);
    engine.register_filter("spaceless", |html: StringInput, kwargs: Kwargs, state: &State| {
        regex::spaceless(html, kwargs, state)
    });
    engine.register_filter("striptags", |html: &str, _: Kwargs, _: &State| html::text_of(html));
    engine.register_filter("urlencode", urlencode::urlencode);
    engine.register_filter("urlencode_strict", urlencode::urlencode_strict);
    engine.register_filter("wordwrap", |text: &str, kwargs: Kwargs, _: &State| wordwrap(text, &kwargs));
    engine.register_test("after", |date: Value, kwargs: Kwargs, _: &State| compare(&date, &kwargs, Ordering::Greater));
    engine.register_test("before", |date: Value, kwargs: Kwargs, _: &State| compare(&date, &kwargs, Ordering::Less));
    engine.register_test("matching", Matching::default());

    let unfit = |name: &str| Error::message(format!("`{name}` was called before there was a site"));
    for name in callables::FUNCTIONS.iter().filter(|function| function.needs_site).map(|function| function.name) {
        engine.register_function(name, move |_: Kwargs, _: &State| -> TeraResult<Value> { Err(unfit(name)) });
    }
    for name in callables::FILTERS.iter().filter(|filter| filter.needs_site).map(|filter| filter.name) {
        engine.register_filter(name, move |_: Value, _: Kwargs, _: &State| -> TeraResult<Value> { Err(unfit(name)) });
    }
}

/// Registers a function as it is [declared](callables). Tera ignores a misspelt argument; this refuses it.
fn define<R: Into<Value>>(
    engine: &mut Tera,
    name: &'static str,
    function: impl Fn(Kwargs, &State) -> TeraResult<R> + Send + Sync + 'static,
) {
    let arguments = callables::function(name).map_or(&[][..], |function| function.arguments);
    engine.register_function(name, move |kwargs: Kwargs, state: &State| -> TeraResult<Value> {
        only(&kwargs, name, arguments)?;
        function(kwargs, state).map(Into::into)
    });
}

/// What functions need besides the site.
pub struct Needs {
    /// The templates without marks, if they may ask for link previews.
    previews: Option<Tera>,
    /// What the props of islands may be.
    schemas: Arc<props::Schemas>,
    /// What pages name as their translations.
    alternates: Arc<Alternates>,
    /// Gets what pictures are rendered from.
    requests: Requests,
    /// The mistakes in content that functions pass over.
    pub known: Known,
}

impl Needs {
    /// Reads the schemas of islands.
    pub fn of(
        inputs: Inputs,
        previews: Result<Option<Tera>, Vec<Diagnostic>>,
        requests: &Requests,
        known: &Known,
    ) -> Result<Self, Vec<Diagnostic>> {
        let schemas = Arc::new(props::schemas(inputs.sources, inputs.islands, inputs.tools.cache())?);
        let alternates = Arc::new(Alternates::of(inputs.site));
        Ok(Needs { previews: previews?, schemas, alternates, requests: requests.clone(), known: known.clone() })
    }
}

/// Registers them. Their inputs are shared by all pages and never change, so that none of them waits for another.
///
/// `token` identifies the marks of islands.
pub fn register(engine: &mut Tera, needs: &Needs, inputs: Inputs, token: islands::Token) {
    let site = inputs.site;
    let Needs { previews, schemas, alternates, requests, known } = needs;
    register_all_but_previews(engine, inputs, token.clone(), (schemas.clone(), alternates.clone()), known);
    if let Some(mut plain) = previews.clone() {
        register_all_but_previews(&mut plain, inputs, token, (schemas.clone(), alternates.clone()), known);
        let previews = Previews::of(plain, inputs, requests.clone());
        let function = move |kwargs: Kwargs, state: &State| previews.social_picture(&kwargs, state);
        define(engine, "social_picture", known.passed_over(function));
    }
    let shared = (Arc::new(site.settings.clone()), Arc::new(inputs.view.assets.clone()), requests.clone());
    let function = move |kwargs: Kwargs, _: &State| social::favicons(&shared.0, &near(&shared.1), &shared.2, &kwargs);
    define(engine, "favicons", known.passed_over(function));
}

fn register_all_but_previews(
    engine: &mut Tera,
    inputs: Inputs,
    token: islands::Token,
    (schemas, alternates_of): (Arc<props::Schemas>, Arc<Alternates>),
    known: &Known,
) {
    let Inputs { site, view, styles, islands, .. } = inputs;
    // What is rendered apart from a page, such as a component, is in the language of the page all the same.
    // Some settings are texts that visitors read.
    let connections = view.connections.clone();
    let (language, name) = (view.language.tag.clone(), view.name.clone());
    let settings = Arc::new(Settings { language, name, connections, ..site.settings.clone() });
    let assets = Arc::new(view.assets.clone());

    register_lists(engine, inputs, &settings, alternates_of, known);
    register_files(engine, &settings, &assets, known);

    let names: Vec<String> = islands.modules.keys().cloned().collect();
    let shared = settings.clone();
    let function = move |kwargs: Kwargs, _: &State| island(&names, &schemas, &shared, &token, &kwargs);
    define(engine, "island", known.passed_over(function));

    let list: Vec<Value> = settings.connections.iter().map(connection).collect();
    define(engine, "connections", move |_: Kwargs, _: &State| Ok(list.clone()));

    let css = styles.below(&site.settings.base_path);
    let style = if css.is_empty() { String::new() } else { format!("<style>{css}</style>") };
    let style = Value::safe_string(&style);
    define(engine, "styles", move |_: Kwargs, _: &State| Ok(style.clone()));

    define(engine, "json_ld", |kwargs: Kwargs, _: &State| json_ld(&kwargs));

    register_locale(engine, &settings, &site.settings.language, known);

    let order = site.pages.order().clone();
    let shared = (assets, settings, order, view.names.clone(), view.number);
    let known = known.clone();
    engine.register_filter("markdown", move |text: &str, kwargs: Kwargs, state: &State| {
        let (assets, settings, order, names, view) = &shared;
        let addresses = addresses_of(settings, assets, (order, *view), names);
        markdown(text, &language_of(state, settings)?, &addresses, settings, &known, &kwargs)
    });
}

/// Registers those that know the other pages of the site.
fn register_lists(
    engine: &mut Tera,
    Inputs { site, view, .. }: Inputs,
    settings: &Arc<Settings>,
    alternates_of: Arc<Alternates>,
    known: &Known,
) {
    let names = view.data.entries().iter().filter(|(key, _)| key.name == "term_names");
    let site_of_terms = Node { value: node::Value::Map(names.cloned().collect()), span: Span::default() };
    let views = Arc::new(site.views.iter().map(|view| view.language.clone()).collect::<Vec<_>>());
    // A function that does not declare that it reads entries gets none.
    let listing = |collections| {
        Arc::new(Listing {
            collections,
            settings: settings.clone(),
            site: site_of_terms.clone(),
            order: site.pages.order().clone(),
            views: views.clone(),
            view: view.number,
        })
    };
    let (without, with) = (listing(BTreeMap::new()), listing(view.collections.clone()));
    let listing = |name| {
        let reads_entries = callables::function(name).is_some_and(|function| function.reads.reads_entries());
        if reads_entries { with.clone() } else { without.clone() }
    };
    let shared = listing("url");
    define(engine, "url", known.passed_over(move |kwargs: Kwargs, _: &State| url(&shared, &kwargs)));

    let shared = (settings.clone(), alternates_of);
    define(engine, "alternates", move |_: Kwargs, state: &State| alternates(&shared.0, &shared.1, state));

    let shared = listing("related");
    define(engine, "related", move |kwargs: Kwargs, _: &State| related(&shared, &kwargs));

    let shared = listing("terms");
    define(engine, "terms", move |kwargs: Kwargs, _: &State| terms(&shared, &kwargs));

    let shared = settings.clone();
    define(engine, "breadcrumbs", move |_: Kwargs, state: &State| breadcrumbs(&shared, state));

    let shared = (settings.clone(), views.clone());
    define(engine, "search", move |kwargs: Kwargs, state: &State| search(&shared.0, &shared.1, &kwargs, state));
}

/// Registers those that name published files.
fn register_files(engine: &mut Tera, settings: &Arc<Settings>, assets: &Arc<Assets>, known: &Known) {
    let shared = (settings.clone(), assets.clone());
    let function = move |kwargs: Kwargs, _: &State| asset(&shared.0, &near(&shared.1), &kwargs);
    define(engine, "asset", known.passed_over(function));

    let shared = assets.clone();
    let function = move |kwargs: Kwargs, _: &State| inline_svg(&near(&shared), &kwargs);
    define(engine, "inline_svg", known.passed_over(function));

    let shared = (settings.clone(), assets.clone());
    let function = move |kwargs: Kwargs, _: &State| picture::picture(&shared.0, &near(&shared.1), &kwargs);
    define(engine, "picture", known.passed_over(function));

    let shared = (settings.clone(), assets.clone());
    let function = move |kwargs: Kwargs, _: &State| {
        let url = picture::address(&shared.0, &near(&shared.1), &kwargs)?;
        Ok(if is_absolute(&kwargs, "picture_url")? {
            convert::absolute(&shared.0, &url)
        } else {
            inside(&shared.0.base_path, &url)
        })
    };
    define(engine, "picture_url", known.passed_over(function));

    let shared = assets.clone();
    let function = move |kwargs: Kwargs, _: &State| picture::info(&near(&shared), &kwargs);
    define(engine, "picture_info", function);
}

/// Registers those that write by the rules of a language.
fn register_locale(engine: &mut Tera, settings: &Arc<Settings>, original: &str, known: &Known) {
    let shared = settings.clone();
    engine.register_filter("date", move |value: Value, kwargs: Kwargs, state: &State| {
        date(&value, &language_of(state, &shared)?, &kwargs)
    });
    let shared = (settings.clone(), original.to_owned());
    let function =
        move |kwargs: Kwargs, state: &State| locale::plural([&language_of(state, &shared.0)?, &shared.1], &kwargs);
    define(engine, "plural", known.passed_over(function));

    let shared = settings.clone();
    engine.register_filter("number", move |value: Value, kwargs: Kwargs, state: &State| {
        locale::number(&value, &language_of(state, &shared)?, &kwargs)
    });
    let shared = settings.clone();
    engine.register_filter("list", move |items: Vec<Value>, _: Kwargs, state: &State| {
        locale::list(&items, &language_of(state, &shared)?, state)
    });
    let shared = settings.clone();
    engine.register_filter("sort", move |items: Vec<Value>, kwargs: Kwargs, state: &State| {
        locale::sort(&items, &language_of(state, &shared)?, &kwargs)
    });
    let shared = settings.clone();
    engine.register_filter("quote", move |value: Value, _: Kwargs, state: &State| {
        locale::quote(&value, &language_of(state, &shared)?)
    });
}

/// Returns the language of the page that is rendered.
fn language_of(state: &State, settings: &Settings) -> TeraResult<String> {
    let page: Option<Value> = state.get("page")?;
    let language = page.as_ref().and_then(|page| page.get_from_path("language")?.as_str());
    Ok(language.unwrap_or(&settings.language).to_owned())
}

/// What functions read of collections.
struct Listing {
    collections: BTreeMap<String, Collection>,
    settings: Arc<Settings>,
    /// The keys of `site.yaml` in the language of the page, as far as terms have names there.
    site: Node,
    order: Arc<PageOrder>,
    /// The languages of the site.
    views: Arc<Vec<Language>>,
    /// The number of the one that the page is in.
    view: usize,
}

impl Listing {
    fn entry(&self, entry: &Entry) -> Value {
        Value::from(convert::entry_of(entry, &self.settings, (&self.order, self.view)))
    }

    /// Returns the collection of an entry that a template has, and the number of the entry in it.
    fn find(&self, entry: &Value) -> TeraResult<(&Collection, usize)> {
        let map = entry.as_map();
        let slug = map.and_then(|map| map.get(&Key::from("slug"))).and_then(Value::as_str).unwrap_or_default();
        // Collections may have entries of the same name; these differ in some other key. Bodies are not compared.
        let is_same = |own: Map| {
            let mut keys = map.iter().flat_map(|map| map.keys());
            keys.all(|key| own.contains_key(key) || matches!(key.as_str(), Some("content" | "toc")))
                && own.iter().all(|(key, value)| map.and_then(|map| map.get(key)) == Some(value))
        };
        let found = self.collections.values().find_map(|collection| {
            let number = collection.number(slug)?;
            let own = convert::entry_of(collection.nth(number)?, &self.settings, (&self.order, self.view));
            is_same(own).then_some((collection, number))
        });
        found.ok_or_else(|| Error::message("`entry` must be an entry of a collection"))
    }

    /// Returns the number of a language.
    fn language(&self, tag: &str) -> TeraResult<usize> {
        let number = self.views.iter().position(|language| language.tag.eq_ignore_ascii_case(tag));
        number.ok_or_else(|| {
            let meant = nearest(tag, self.views.iter().map(|language| language.tag.as_str()));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            Error::message(format!("the site has no language `{tag}`{meant}"))
        })
    }

    fn collection(&self, name: &str) -> TeraResult<&Collection> {
        self.collections.get(name).ok_or_else(|| {
            let names = self.collections.keys().map(String::as_str);
            let meant = nearest(name, names).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            Error::message(format!("there is no collection `{name}`{meant}"))
        })
    }
}

/// `url(path="/careers")`: a path inside the site as a link, with `absolute=true` as a full address.
/// `url(entry=entry)` is the address of the page of an entry.
fn url(listing: &Listing, kwargs: &Kwargs) -> TeraResult<String> {
    let settings = &listing.settings;
    let route = match kwargs.get::<Value>("entry")? {
        None => None,
        Some(entry) => {
            let route = entry.as_map().and_then(|map| map.get(&Key::from("route"))).and_then(Value::as_str);
            let route = route.ok_or_else(|| {
                let slug = entry.as_map().and_then(|map| map.get(&Key::from("slug"))).and_then(Value::as_str);
                let name = slug.map_or("`entry`".to_owned(), |slug| format!("the entry `{slug}`"));
                Error::message(format!("{name} has no page; a page file with `for_each` makes one"))
            })?;
            Some(route.to_owned())
        }
    };
    let language = given::<&str>(kwargs, "url", "language")?.map(|tag| listing.language(tag)).transpose()?;
    let path = match (route, language) {
        (Some(route), None) => route,
        (route, language) => {
            let path = route.map_or_else(|| needed::<&str>(kwargs, "url", "path").map(str::to_owned), Ok)?;
            let order = &listing.order;
            let translated = match language {
                Some(language) => order.path_in(&path, language),
                None => order.own_path_in(&path, listing.view),
            };
            translated.unwrap_or(path)
        }
    };
    if !path.starts_with('/') || path.starts_with("//") {
        let detail = format!("`{path}` is not a path of this site; paths begin with `/`");
        return Err(mistakes::error_in(TemplateProblem::TemplateFailed { detail }, &path));
    }
    Ok(if is_absolute(kwargs, "url")? {
        convert::absolute(settings, &path)
    } else {
        listing.order.address(&settings.hosts, &path, listing.view)
    })
}

/// What `alternates()` reads of a site in several languages.
struct Alternates {
    order: Arc<PageOrder>,
    /// The languages.
    tags: Vec<String>,
    /// For each page whether search engines may find it. Empty for a site with one language.
    are_indexed: Vec<bool>,
}

impl Alternates {
    fn of(site: &Site) -> Self {
        let pages = site.pages.iter().filter(|_| site.views.len() > 1);
        Alternates {
            order: site.pages.order().clone(),
            tags: site.views.iter().map(|view| view.language.tag.clone()).collect(),
            are_indexed: pages.map(Page::is_indexed).collect(),
        }
    }
}

/// `alternates()`: the addresses of the page in other languages, for the `<head>`.
fn alternates(settings: &Settings, all: &Alternates, state: &State) -> TeraResult<Value> {
    let page: Option<Value> = state.get("page")?;
    let route = page.as_ref().and_then(|page| page.get_from_path("route")?.as_str()).unwrap_or_default();
    let is_indexed = |number: usize| all.are_indexed.get(number) == Some(&true);
    let mut html = String::new();
    for (language, number) in all.order.alternates(route, is_indexed) {
        let language = language.map_or(DEFAULT, |language| all.tags[language].as_str());
        let Some(route) = all.order.translations.route(number) else { continue };
        html.push_str("<link rel=\"alternate\" hreflang=\"");
        html.push_str(language);
        html.push_str("\" href=\"");
        // Writing to a String cannot fail.
        let _ = pulldown_cmark_escape::escape_html(&mut html, &settings.absolute(route.as_str()));
        html.push_str("\">\n");
    }
    Ok(Value::safe_string(&html))
}

/// `related(entry=entry, by="tags", limit=3)`: the entries of the same collection that share the most values of a key.
/// Of those that share as many, the first in the order of the collection.
fn related(listing: &Listing, kwargs: &Kwargs) -> TeraResult<Vec<Value>> {
    let (collection, own) = listing.find(&needed::<Value>(kwargs, "related", "entry")?)?;
    let limit: usize = given(kwargs, "related", "limit")?.unwrap_or(5);
    let by: &str = needed(kwargs, "related", "by")?;
    known_key(collection, by)?;
    let numbers = collection.terms(by).related(own, limit);
    Ok(numbers.into_iter().filter_map(|number| Some(listing.entry(collection.nth(number)?))).collect())
}

/// Refuses a key that is misspelt.
fn known_key(collection: &Collection, key: &str) -> TeraResult<()> {
    match collection.meant_key(key) {
        Some(meant) => Err(Error::message(format!("no entry has the key `{key}`; did you mean `{meant}`?"))),
        None => Ok(()),
    }
}

/// `terms(collection="news", key="tags")`: the values of a key in the entries of a collection, with `name`, `slug`,
/// `count` and, if they have pages, `route` and `url`. With `entry`, those of an entry of the collection.
///
/// A site with several languages has them in the order of their names in the language of the page, any other in that of their
/// addresses.
fn terms(listing: &Listing, kwargs: &Kwargs) -> TeraResult<Vec<Value>> {
    let (name, key): (&str, &str) = (needed(kwargs, "terms", "collection")?, needed(kwargs, "terms", "key")?);
    let collection = listing.collection(name)?;
    known_key(collection, key)?;
    let all = collection.terms(key);
    let own = kwargs.get::<Value>("entry")?.map(|entry| listing.find(&entry)).transpose()?.map(|(_, number)| number);
    let is_wanted = |term: &&Arc<Term>| own.is_none_or(|number| term.entries.binary_search(&number).is_ok());
    let mut wanted: Vec<(&str, &Arc<Term>)> =
        all.all.iter().filter(is_wanted).map(|term| (term.name_in(&listing.site, name), term)).collect();
    if listing.views.len() > 1 {
        let order = Order::of(&listing.settings.language);
        wanted.sort_by(|(one, _), (other, _)| fold::compare(one, other, order));
    }
    let term = |(shown, term): (&str, &Arc<Term>)| {
        let mut map = Map::new();
        map.insert(Key::from("name"), convert::text(shown));
        map.insert(Key::from("slug"), convert::text(&term.slug));
        map.insert(Key::from("count"), convert::number(term.entries.len()));
        let route = listing.order.terms.get(&(listing.view, name.to_owned(), key.to_owned(), term.slug.clone()));
        if let Some(route) = route {
            map.insert(Key::from("route"), convert::text(route.as_str()));
            map.insert(Key::from("url"), convert::text(&convert::absolute(&listing.settings, route.as_str())));
        }
        Value::from(map)
    };
    Ok(wanted.into_iter().map(term).collect())
}

/// `breadcrumbs()`: the pages above this one and itself, as structured data (schema.org/BreadcrumbList). Empty for a
/// page with none above it.
fn breadcrumbs(settings: &Settings, state: &State) -> TeraResult<Value> {
    let page: Value = state.get("page")?.ok_or_else(|| Error::message("there is no `page` here"))?;
    let key = |value: &Value, key: &'static str| value.as_map()?.get(&Key::from(key)).cloned();
    let ancestors = key(&page, "ancestors");
    let above = ancestors.as_ref().and_then(Value::as_array).unwrap_or_default();
    if above.is_empty() {
        return Ok(Value::safe_string(""));
    }
    let items = above.iter().chain([&page]).enumerate().map(|(at, page)| {
        let text = |name| key(page, name).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
        let address = convert::absolute(settings, &text("route"));
        serde_json::json!({ "@type": "ListItem", "position": at + 1, "name": text("title"), "item": address })
    });
    let data = serde_json::json!({
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        "itemListElement": items.collect::<Vec<_>>(),
    });
    let text = html_safe(&data.to_string());
    Ok(Value::safe_string(&format!("<script type=\"application/ld+json\">{text}</script>")))
}

/// `asset(path="brand/logo.svg")`: the address of a file of `content/assets`. An `https:` address is returned
/// unchanged.
fn asset(settings: &Settings, assets: &Near, kwargs: &Kwargs) -> TeraResult<String> {
    let path: &str = needed(kwargs, "asset", "path")?;
    match scheme_of(path).as_deref() {
        Some("https") => return Ok(path.to_owned()),
        Some(_) => return Err(mistakes::error(MarkdownProblem::UnsafeAddress { address: path.to_owned() })),
        None => {}
    }
    let asset = assets.get(path).ok_or_else(|| mistakes::error(assets.unknown(path)))?;
    if let Some(problem) = asset.broken() {
        return Err(mistakes::error(problem));
    }
    Ok(if is_absolute(kwargs, "asset")? {
        convert::absolute(settings, &asset.url)
    } else {
        inside(&settings.base_path, &asset.url)
    })
}

/// `inline_svg(path="art/trail.svg", class="art", title="A trail")`: an SVG as markup.
fn inline_svg(assets: &Near, kwargs: &Kwargs) -> TeraResult<Value> {
    let path: &str = needed(kwargs, "inline_svg", "path")?;
    let asset = assets.get(path).ok_or_else(|| mistakes::error(assets.unknown(path)))?;
    let text = convert::asset_text(asset).unwrap_or_default();
    let root = svg_file::for_page(text).map_err(|refusal| {
        let problem = AssetProblem::UnsafeSvg { detail: refusal.detail, fix: refusal.fix.to_owned() };
        mistakes::error_in(problem, asset.source.as_str())
    })?;
    let (class, title) = (given(kwargs, "inline_svg", "class")?, given(kwargs, "inline_svg", "title")?);
    Ok(Value::safe_string(&svg::inline(&text[root.start..root.end], class, title)))
}

/// `island(component="ContactForm", props={…}, hydrate="visible")`: the place of an island.
///
/// With `hydrate="only"` it is rendered in the browser alone, and `fallback` stands there until then; `height` is kept for
/// it. With `hydrate="media"` it waits for the query `media`. `slot` or `slots` are HTML that it shows.
/// `connect="newsletter"` lets it fetch from a declared connection, whose address it gets as `connect.newsletter`.
fn island(
    names: &[String],
    schemas: &props::Schemas,
    settings: &Settings,
    token: &islands::Token,
    kwargs: &Kwargs,
) -> TeraResult<Value> {
    let component: &str = needed(kwargs, "island", "component")?;
    if !names.iter().any(|name| name == component) {
        let nearest = meant(component, names.iter().map(String::as_str));
        return Err(mistakes::error(IslandProblem::UnknownIsland { name: component.to_owned(), nearest }));
    }
    let hydrate: &str = given(kwargs, "island", "hydrate")?.unwrap_or("visible");
    if !HYDRATIONS.contains(&hydrate) {
        return Err(mistakes::error(IslandProblem::UnknownHydration { value: hydrate.to_owned() }));
    }
    let media: &str = given(kwargs, "island", "media")?.unwrap_or_default();
    if (hydrate == "media") == media.trim().is_empty() {
        let message = "`hydrate=\"media\"` needs a media query, like `media=\"(min-width: 40rem)\"`";
        let other = "`media` works only with `hydrate=\"media\"`";
        return Err(Error::message(if hydrate == "media" { message } else { other }));
    }
    let mut props = match kwargs.get::<Value>("props")? {
        Some(props) => to_json(&props)?,
        None => serde_json::json!({}),
    };
    if !props.is_object() {
        return Err(Error::message("`props` must be a map, like `{\"label\": \"Send\"}`"));
    }
    if let Some((problem, spot)) = schemas.get(component).and_then(|schema| props::check(component, &props, schema)) {
        let spot = serde_json::to_string(&spot).unwrap_or_default();
        return Err(mistakes::error_in(problem, &spot));
    }
    let addresses = connect(settings, kwargs)?;
    if hydrate == "never" && !addresses.is_empty() {
        return Err(Error::message("`connect` needs a script, and `hydrate=\"never\"` has none"));
    }
    let connected = addresses.keys().map(String::as_str).collect::<Vec<_>>().join(" ");
    if let Some(props) = props.as_object_mut().filter(|_| !addresses.is_empty())
        && props.insert("connect".to_owned(), addresses.into()).is_some()
    {
        return Err(Error::message("the prop `connect` is set by `connect=…`; rename your own prop"));
    }
    let fallback = match kwargs.get::<Value>("fallback")? {
        Some(_) if hydrate != "only" => {
            return Err(Error::message("`fallback` works only with `hydrate=\"only\"`; other islands are prerendered"));
        }
        Some(fallback) => in_html(&fallback)?,
        None => String::new(),
    };
    let slots = slots(token, kwargs)?;
    let height: &str = given(kwargs, "island", "height")?.unwrap_or_default();
    if !height.is_empty() && !is_length(height) {
        return Err(Error::message("`height` must be a length, like `\"20rem\"` or `\"300px\"`"));
    }
    let props = html_safe(&props.to_string());
    Ok(Value::safe_string(&token.mark(Marked {
        component,
        hydrate,
        media,
        height,
        connect: &connected,
        props: &props,
        slots: &slots,
        fallback: &fallback,
    })))
}

/// Returns the HTML of `slot` and `slots` by their names, as JSON, or nothing if there are none.
fn slots(token: &islands::Token, kwargs: &Kwargs) -> TeraResult<String> {
    let mut slots = serde_json::Map::new();
    if let Some(slot) = kwargs.get::<Value>("slot")? {
        slots.insert(islands::DEFAULT_SLOT.to_owned(), in_html(&slot)?.into());
    }
    if let Some(named) = kwargs.get::<Value>("slots")? {
        let named = named.as_map().ok_or_else(|| Error::message("`slots` must be a map of names to HTML"))?;
        for (name, slot) in named.iter() {
            slots.insert(name.to_string(), in_html(slot)?.into());
        }
    }
    if slots.values().filter_map(serde_json::Value::as_str).any(|html| token.is_in(html)) {
        return Err(Error::message("islands cannot be nested; place this one next to the other"));
    }
    Ok(if slots.is_empty() { String::new() } else { serde_json::Value::from(slots).to_string() })
}

/// Returns what a template sees of a connection: `name`, `origin`, `for` and `why`.
fn connection(connection: &Connection) -> Value {
    let kinds: Vec<Value> = connection.kinds.iter().map(|kind| convert::text(kind.value.name())).collect();
    let mut map = Map::new();
    map.insert(Key::from("name"), convert::text(&connection.name));
    map.insert(Key::from("origin"), convert::text(connection.origin.as_deref().unwrap_or("self")));
    map.insert(Key::from("for"), Value::from(kinds));
    map.insert(Key::from("why"), convert::text(&connection.why));
    Value::from(map)
}

/// Reads `connect="newsletter"` or `connect=["newsletter", "search"]`: the addresses that an island may fetch from, by
/// the names of their connections. That of the site itself is its path, empty or like `/docs`.
fn connect(settings: &Settings, kwargs: &Kwargs) -> TeraResult<serde_json::Map<String, serde_json::Value>> {
    let names = match kwargs.get::<Value>("connect")? {
        None => Vec::new(),
        Some(value) => match (value.as_str(), value.as_array()) {
            (Some(name), _) => vec![name.to_owned()],
            (_, Some(names)) => names.iter().map(|name| name.as_str().unwrap_or_default().to_owned()).collect(),
            _ => return Err(Error::message("`connect` must be the name of a connection, or a list of names")),
        },
    };
    let addresses = names.into_iter().map(|name| {
        let found = settings.connections.get(&name).filter(|connection| {
            // A counter is loaded by an island, after a yes.
            connection.is_for(Kind::Fetch) || connection.is_for(Kind::Script)
        });
        let connection = found.ok_or_else(|| mistakes::error(unknown_connection(&name, &settings.connections)))?;
        let address = connection.origin.as_deref().unwrap_or(&settings.base_path);
        Ok((name, serde_json::Value::from(address)))
    });
    addresses.collect()
}

/// `search(texts=site.search, shortcut="/")`: the field of the search and its script. It is hidden until the script shows it.
fn search(settings: &Settings, views: &[Language], kwargs: &Kwargs, state: &State) -> TeraResult<Value> {
    if !settings.options.search {
        let message = "`search` needs an index: write `search: true` below `settings` in content/site.yaml";
        return Err(Error::message(message));
    }
    let own = kwargs.get::<Value>("texts")?.filter(|texts| !texts.is_none() && !texts.is_undefined());
    let own = own.map_or(Ok(serde_json::json!({})), |texts| to_json(&texts))?;
    let own = own.as_object().ok_or_else(|| Error::message("`texts` of `search` must be a map of keys to text"))?;
    let keys = || search::TEXTS.iter().map(|(key, _)| *key).chain(search::FORMS);
    for (key, text) in own {
        if !keys().any(|each| each == key) {
            let meant = nearest(key, keys()).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            return Err(Error::message(format!("`texts` of `search` has no key `{key}`{meant}")));
        }
        if !text.is_string() {
            return Err(Error::message(format!("`{key}` in `texts` of `search` must be text")));
        }
    }
    let language = language_of(state, settings)?;
    let has_forms = search::FORMS.iter().any(|form| own.contains_key(*form));
    if has_forms {
        let original = views.first().map_or(language.as_str(), |original| original.tag.as_str());
        // `many` is also what an original in another language says for any number.
        let is_form = |key: &str| CATEGORIES.contains(&key) && (key != "many" || has_many(&language));
        let forms = own.iter().filter(|(key, _)| is_form(key));
        let forms: Vec<(&str, &str)> = forms.filter_map(|(key, text)| Some((key.as_str(), text.as_str()?))).collect();
        locale::check_forms(&forms, [&language, original])?;
    }
    let text = |key: &str, default: &str| own.get(key).and_then(|text| text.as_str()).unwrap_or(default).to_owned();
    let is_default = |key: &str| !has_forms || !CATEGORIES.contains(&key);
    let defaults = search::TEXTS.iter().filter(|(key, _)| is_default(key));
    let mut texts: serde_json::Map<String, serde_json::Value> =
        defaults.map(|(key, default)| ((*key).to_owned(), text(key, default).into())).collect();
    let forms = own.iter().filter(|(key, _)| has_forms && CATEGORIES.contains(&key.as_str()));
    texts.extend(forms.map(|(key, text)| (key.clone(), text.clone())));
    let shortcut = match kwargs.get::<Value>("shortcut")? {
        None => "/".to_owned(),
        Some(value) if value.as_bool() == Some(false) => String::new(),
        Some(value) => match value.as_str().filter(|key| key.chars().count() == 1) {
            Some(key) => key.to_owned(),
            None => return Err(Error::message("`shortcut` of `search` must be one character, or `false` for none")),
        },
    };
    let index = inside(
        &settings.base_path,
        &search::index_path(&search::index_name(&language, views.iter().map(|view| view.tag.as_str()))),
    );
    let json = serde_json::Value::from(texts.clone()).to_string();
    let escaped = |text: &str| {
        let mut html = String::new();
        // Writing to a String cannot fail.
        let _ = pulldown_cmark_escape::escape_html(&mut html, text);
        html
    };
    let of = |key: &str| escaped(texts[key].as_str().unwrap_or_default());
    let html = format!(
        "<div class=\"search\" role=\"search\" {}=\"{}\" data-search-texts=\"{}\" data-search-shortcut=\"{}\" hidden>\
         <input class=\"search-input\" type=\"search\" aria-label=\"{}\" placeholder=\"{}\" autocomplete=\"off\" \
         autocapitalize=\"off\" spellcheck=\"false\" enterkeyhint=\"go\"></div>\
         <script type=\"module\" src=\"{}\"></script>",
        search::ATTRIBUTE,
        escaped(&index),
        escaped(&json),
        escaped(&shortcut),
        of("label"),
        of("placeholder"),
        inside(&settings.base_path, &search::script_path()),
    );
    Ok(Value::safe_string(&html))
}

/// Whether a language has the plural form `many`.
fn has_many(language: &str) -> bool {
    Plurals::of(language).categories().contains(&"many")
}

/// A value as it stands in a page: a block of a template as it is, a text escaped.
fn in_html(value: &Value) -> TeraResult<String> {
    let text = value.as_str().ok_or_else(|| Error::message("`fallback` and slots must be text"))?;
    if value.is_safe() {
        return Ok(text.to_owned());
    }
    let mut html = String::new();
    // Writing to a String cannot fail.
    let _ = pulldown_cmark_escape::escape_html(&mut html, text);
    Ok(html)
}

/// Whether a text is a number with a unit of length (CSS Values and Units 4, "Distance Units").
fn is_length(text: &str) -> bool {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_unit = ["px", "rem", "em", "ch", "vh", "svh", "lvh", "dvh", "vw", "lh", "rlh"].contains(&unit);
    is_unit && text[..text.len() - unit.len()].parse::<f64>().is_ok()
}

/// `json_ld(data={…})`: structured data for search engines. Values of `none` are left out.
fn json_ld(kwargs: &Kwargs) -> TeraResult<Value> {
    let mut data = to_json(&needed::<Value>(kwargs, "json_ld", "data")?)?;
    drop_null(&mut data);
    let text = html_safe(&data.to_string());
    Ok(Value::safe_string(&format!("<script type=\"application/ld+json\">{text}</script>")))
}

/// `"2025-01-01" | date(format="%B %-d, %Y")`: a date in words, in the format of strftime. The default locale is the
/// language of the page.
fn date(value: &Value, language: &str, kwargs: &Kwargs) -> TeraResult<String> {
    let format: &str = kwargs.get("format")?.unwrap_or("%Y-%m-%d");
    let language = kwargs.get("locale")?.unwrap_or(language);
    moment(value)?.written(format, language).map_err(Error::message)
}

/// `a is before(other=b)`, `a is after(other=b, inclusive=true)`: compares two dates.
fn compare(value: &Value, kwargs: &Kwargs, wanted: Ordering) -> TeraResult<bool> {
    let instant = |value: &Value| {
        moment(value)?
            .instant()
            .ok_or_else(|| Error::message(format!("`{value}` is too far in the past or future to compare")))
    };
    let found = instant(value)?.cmp(&instant(&kwargs.must_get::<Value>("other")?)?);
    Ok(found == wanted || found == Ordering::Equal && kwargs.get("inclusive")?.unwrap_or(false))
}

/// Reads a date: a text, or the seconds since the beginning of 1970.
fn moment(value: &Value) -> TeraResult<Moment> {
    if let Some(Number::Integer(seconds)) = value.as_number() {
        let moment = i64::try_from(seconds).ok().and_then(Moment::of_seconds);
        return moment.ok_or_else(|| Error::message(format!("`{seconds}` seconds after 1970 is not a valid date")));
    }
    let text = <&str as ArgFromValue>::from_value(value)?;
    Moment::parse(text).ok_or_else(|| Error::message(format!("`{text}` is not a date like `2025-01-31`")))
}

/// `items | group_by(attribute="year")`: the items by a value that they have, in the order in which the values occur.
/// Tera's own filter gives another order at every build.
fn group_by(items: &[Value], kwargs: &Kwargs) -> TeraResult<Map> {
    let attribute: &str = kwargs.must_get("attribute")?;
    let mut numbers = Map::new();
    let mut groups: Vec<(Key, Vec<Value>)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(value) = item.get_from_path(attribute) else {
            let kind = item.name();
            let message = format!("Value at index {index} (a {kind}) does not have an attribute at path: {attribute}");
            return Err(Error::message(message));
        };
        if value.is_none() {
            continue;
        }
        let key = match (value.as_str(), value.as_bool(), value.as_i128()) {
            (Some(text), ..) => Key::from(composed(text).into_owned()),
            (_, Some(is), _) => Key::Bool(is),
            (_, _, Some(number)) => Key::I128(number),
            _ => {
                let message = format!("items can be grouped by text and whole numbers, not by {}", value.name());
                return Err(Error::message(message));
            }
        };
        let number = match numbers.get(&key).and_then(Value::as_i128) {
            Some(number) => usize::try_from(number).unwrap_or_default(),
            None => {
                numbers.insert(key.clone(), Value::from(groups.len() as u64));
                groups.push((key, Vec::new()));
                groups.len() - 1
            }
        };
        groups[number].1.push(item.clone());
    }
    Ok(groups.into_iter().map(|(key, items)| (key, Value::from(items))).collect())
}

/// `text | ics`: a text as the value of a property of a calendar (RFC 5545, 3.3.11).
fn ics(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,");
    text.replace("\r\n", "\n").replace(['\r', '\n'], "\\n")
}

/// `text | wordwrap(width=24)`: a text with a line break wherever a line would have more than 24 letters. A wide letter of
/// Chinese or Japanese counts twice. A word that is longer gets a line of its own.
fn wordwrap(text: &str, kwargs: &Kwargs) -> TeraResult<String> {
    let width: usize = kwargs.get("width")?.unwrap_or(79);
    let mut wrapped = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            wrapped.push('\n');
        }
        let mut used = 0;
        for word in line.split_whitespace() {
            let wide = unicode_width::UnicodeWidthStr::width(word);
            if used > 0 {
                let fits = used + 1 + wide <= width;
                wrapped.push(if fits { ' ' } else { '\n' });
                used = if fits { used + 1 } else { 0 };
            }
            wrapped.push_str(word);
            used += wide;
        }
    }
    Ok(wrapped)
}

/// `value | json_encode(pretty=true)`: JSON, with a line for each value if asked for.
fn json_encode(value: &Value, kwargs: &Kwargs) -> TeraResult<String> {
    let json = to_json(value)?;
    Ok(if kwargs.get("pretty")?.unwrap_or(false) { format!("{json:#}") } else { json.to_string() })
}

/// `text | markdown`, `text | markdown(inline=true)` and `text | markdown(language="de")`. The default language is that
/// of the page.
fn markdown(
    text: &str,
    language: &str,
    addresses: &Addresses,
    settings: &Settings,
    known: &Known,
    kwargs: &Kwargs,
) -> TeraResult<Value> {
    let language = kwargs.get("language")?.unwrap_or(language);
    let path = SourcePath::new("content");
    let (path, scope) = (&path, Default::default());
    let (dialect, highlight) = (&settings.options.markdown, settings.options.highlight.0);
    let raw_html = dialect.raw_html;
    let context = Context { path, offset: 0, raw_html, scope, addresses, language, highlight, dialect, trace: None };
    let mut diagnostics = Vec::new();
    let rendered = markdown::render(text, &context, &mut diagnostics);
    if !rendered.calls.is_empty() {
        let detail = "only Markdown files can call a component, not text in YAML".to_owned();
        return Err(Error::message(message(&MarkdownProblem::ComponentCall { detail }.into())));
    }
    let html = if kwargs.get("inline")?.unwrap_or(false) {
        markdown::without_paragraph(&rendered.html)
    } else {
        &rendered.html
    };
    // A template cannot warn.
    let errors = diagnostics.iter().filter(|each| each.severity != Severity::Warning);
    let mut errors = errors.map(|each| match &*each.problem {
        problem @ (Problem::Asset(AssetProblem::UnknownAsset { .. })
        | Problem::Link(LinkProblem::BadAddress { .. } | LinkProblem::BrokenFile { .. })
        | Problem::Markdown(
            MarkdownProblem::LostText(_) | MarkdownProblem::RawHtml { .. } | MarkdownProblem::UnsafeAddress { .. },
        )) => mistakes::error_in(problem.clone(), text),
        // The template that has called the filter is reported, with the message.
        other => Error::message(message(other)),
    });
    match errors.find(|error| !known.has(error)) {
        None => Ok(Value::safe_string(html)),
        Some(error) => Err(error),
    }
}

/// Refuses arguments that a function does not have: Tera ignores a misspelt one.
fn only(kwargs: &Kwargs, function: &str, names: &[&str]) -> TeraResult<()> {
    for (key, _) in kwargs.iter() {
        let name = key.to_string();
        if !names.contains(&name.as_str()) {
            let meant = match nearest(&name, names.iter().copied()) {
                Some(meant) => format!("; did you mean `{meant}`?"),
                None if names.is_empty() => "; it takes none".to_owned(),
                None => format!("; it has `{}`", names.join("`, `")),
            };
            return Err(Error::message(format!("`{function}` has no argument `{name}`{meant}")));
        }
    }
    Ok(())
}

fn is_absolute(kwargs: &Kwargs, function: &str) -> TeraResult<bool> {
    Ok(given(kwargs, function, "absolute")?.unwrap_or(false))
}

/// Converts a template's value to JSON. A value that JSON cannot represent gives an error with its path.
fn to_json(value: &Value) -> TeraResult<serde_json::Value> {
    if value.is_undefined() {
        return Err(Error::message("the value is not defined"));
    }
    if let Some(map) = value.as_map() {
        let mut object = serde_json::Map::new();
        for (key, value) in map {
            let name = match key {
                Key::String(name) => name.to_string(),
                Key::Str(name) => name.to_string(),
                _ => return Err(Error::message("a key is not text")),
            };
            let value = to_json(value).map_err(|error| Error::message(format!("`{name}`: {error}")))?;
            object.insert(name, value);
        }
        return Ok(object.into());
    }
    if let Some(items) = value.as_array() {
        return items.iter().map(to_json).collect::<TeraResult<Vec<_>>>().map(Into::into);
    }
    serde_json::to_value(value).map_err(|error| Error::message(error.to_string()))
}

fn drop_null(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_null);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(drop_null),
        _ => {}
    }
}

/// Escapes JSON for HTML: `<` would end a script or begin a comment in it (WHATWG HTML, "restrictions for contents of
/// script elements"), U+2028 and U+2029 end lines in older JavaScript.
fn html_safe(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
