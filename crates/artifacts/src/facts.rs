//! Facts of a page: what it loads, links to, contains and gets wrong, read from its final bytes in one pass.

use super::composed::composed_name;
use super::markup::Markup;
use super::mistakes::{Location, Mistake};
use sitegen_content::address::scheme_of;
use sitegen_content::connections::{Connections, Kind, unknown_connection};
use sitegen_core::diagnostics::{
    AccessibilityProblem, AssetProblem, ConnectionProblem, LinkProblem, MOST, MarkdownProblem, MarkupProblem,
    PolicyProblem,
};
use sitegen_core::html::{Attribute, Tag, Token, candidates, is_address, lower, srcset, tokens, value_of};
use sitegen_pages::{ATTRIBUTE, ISLANDS_STYLE, NEVER, ONLY, ONLY_ATTRIBUTE};
use sitegen_pictures::Sizes;
use sitegen_search as search;
use sitegen_styles::Styles;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The facts of one page.
#[derive(Debug, Default)]
pub struct Facts {
    /// Ids that links can name.
    pub ids: BTreeSet<String>,
    /// The `name` of links, which fragments lead to as well.
    names: Vec<String>,
    /// Everything the page refers to.
    pub references: Vec<Reference>,
    /// For each tag in a `<picture>` the tag of the `<picture>`, by their numbers. Browsers load one file of a picture.
    pub pictures: BTreeMap<usize, usize>,
    /// What browsers choose from by width, by the tag's number.
    pub offers: BTreeMap<usize, Offer>,
    /// The media queries of `<source>` elements, by the numbers of their tags.
    pub media: BTreeMap<usize, String>,
    /// The language of `<html>`, with the number of its tag.
    pub language: Option<(usize, String)>,
    /// The text of inline scripts that run.
    pub scripts: Vec<String>,
    /// The text of inline stylesheets.
    pub styles: Vec<String>,
    /// Where these begin in the page.
    pub styles_at: Vec<usize>,
    /// Those of them that no island brought: their indexes, and the numbers of their tags.
    written_styles: Vec<(usize, usize)>,
    /// Addresses in `style` attributes of islands, each with its island.
    carried: BTreeMap<String, Option<String>>,
    /// What is wrong with the page, independent of the rest of the site.
    pub mistakes: Vec<Mistake>,
    /// The islands of the page, each with a value of `hydrate` by which it is called.
    pub islands: BTreeSet<(String, String)>,
    /// Whether the page has a search, which fetches its index.
    pub has_search: bool,
    /// The declared connections that the page uses, by name.
    pub connections: BTreeSet<(String, Kind)>,
    /// Whether it has a `<meta>` that keeps search engines away.
    pub has_robots: bool,
    /// Whether it names a file, page or section by a name that is not [composed](composed_name).
    pub is_decomposed: bool,
    /// Where a policy can be inserted: after the character encoding, before anything it governs.
    pub policy_at: Option<usize>,
}

/// The files of one `<source>` or `<img>`, each with its width, of which a browser loads one.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Addresses and widths in pixels.
    pub files: Vec<(String, f64)>,
    /// How wide the picture is shown.
    pub sizes: Sizes,
}

/// Whether a `<meta>` keeps search engines away from its page. Of several with other rules, the strictest counts.
fn is_for_search_engines(attributes: &[Attribute]) -> bool {
    let content = value_of(attributes, "content").unwrap_or_default().to_ascii_lowercase();
    value_of(attributes, "name").is_some_and(|name| name.eq_ignore_ascii_case("robots"))
        && content.split(',').any(|rule| matches!(rule.trim(), "noindex" | "none"))
}

impl Offer {
    fn of(attributes: &[Attribute]) -> Option<Offer> {
        let width = |(address, descriptor): (&str, &str)| {
            Some((address.to_owned(), descriptor.strip_suffix('w')?.parse::<f64>().ok().filter(|width| *width > 0.0)?))
        };
        let files: Option<Vec<_>> = candidates(value_of(attributes, "srcset")?).map(width).collect();
        let sizes = Sizes::parse(value_of(attributes, "sizes").unwrap_or("100vw")).ok()?;
        Some(Offer { files: files.filter(|files| !files.is_empty())?, sizes })
    }

    /// Returns the file that a browser loads in a window of this width, at this number of pixels for each CSS pixel.
    /// `None` if only the browser knows how wide the picture is shown (HTML Standard 4.8.4.3.4, "select an image source").
    pub fn chosen(&self, window: f64, density: f64) -> Option<&str> {
        let needed = self.sizes.shown(window)? * density;
        let sharp = self.files.iter().filter(|(_, width)| *width >= needed).min_by(|a, b| a.1.total_cmp(&b.1));
        let largest = || self.files.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        sharp.or_else(largest).map(|(address, _)| address.as_str())
    }

    /// Returns how wide the picture is shown at most and how wide its largest file is, if that is less.
    fn too_small(&self) -> Option<(u32, u32)> {
        let shown = self.sizes.largest()?;
        let largest = self.files.iter().map(|(_, width)| *width).max_by(f64::total_cmp)?;
        // Less than a tenth is not seen.
        (shown > largest * 1.1).then_some((shown.round() as u32, largest.round() as u32))
    }
}

/// An address in a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The address.
    pub address: String,
    /// Its purpose.
    pub purpose: Purpose,
    /// The number of start and end tags before its own.
    pub tag: usize,
    /// The attribute that contains it, in lower case. `None` if it is in the element's text, except for the stylesheet of
    /// islands, which has the attribute of that name.
    pub attribute: Option<Cow<'static, str>>,
    /// The island that rendered it.
    pub island: Option<String>,
}

impl Reference {
    /// Whether it is in the stylesheet that a page's islands bring.
    pub fn is_in_islands_style(&self) -> bool {
        self.attribute.as_deref() == Some(ISLANDS_STYLE)
    }

    /// Returns its location.
    pub fn location(&self) -> Location {
        let value = || Some(self.address.clone());
        let attribute = self.attribute.as_ref().map(|name| (name.to_string(), value()));
        Location { tag: self.tag, attribute, island: self.island.clone(), ..Location::default() }
    }
}

/// The purpose of an address. It decides the directive of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// A link that visitors follow.
    Link,
    /// An address that a page declares for itself or for previews.
    Meta,
    /// A script or a module.
    Script,
    /// A stylesheet.
    Style,
    /// An image or an icon.
    Image,
    /// A font.
    Font,
    /// Sound or video.
    Media,
    /// An embedded page.
    Frame,
    /// A web app manifest.
    Manifest,
    /// The page that visitors see after a form was sent.
    Success,
}

impl Purpose {
    /// Whether the page itself loads the address.
    pub fn is_loaded(self) -> bool {
        !matches!(self, Purpose::Link | Purpose::Meta | Purpose::Success)
    }

    /// Returns what a connection has to be for, if it is loaded from another host.
    fn kind(self) -> Option<Kind> {
        match self {
            Purpose::Script => Some(Kind::Script),
            Purpose::Style => Some(Kind::Style),
            Purpose::Image => Some(Kind::Image),
            Purpose::Font => Some(Kind::Font),
            Purpose::Media => Some(Kind::Media),
            Purpose::Frame => Some(Kind::Frame),
            Purpose::Link | Purpose::Meta | Purpose::Manifest | Purpose::Success => None,
        }
    }
}

/// What the page is read with.
struct Reading<'c> {
    connections: &'c Connections,
    /// Whether the form that is open has an address that is declared.
    is_in_sent_form: bool,
    /// Whether a script of an island handles the element.
    is_handled: bool,
    /// Whether it is in a template for scripts, and no part of the page.
    is_template: bool,
}

impl Facts {
    /// Reads the facts of a page of a site that has declared these connections.
    pub fn of(html: &str, connections: &Connections) -> Self {
        let mut reading = Reading { connections, is_in_sent_form: false, is_handled: false, is_template: false };
        // Dense lists have a reference in a hundred bytes; without capacity for them they are copied while they grow.
        let mut facts = Facts { references: Vec::with_capacity(html.len() / 128), ..Facts::default() };
        let mut markup = Markup::default();
        let mut count = 0;
        let mut raw: Option<(Tag, usize)> = None;
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut governed = false;
        let mut picture = None;
        for token in tokens(html) {
            match token {
                Token::Start(tag) => {
                    attributes.clear();
                    attributes.extend(tag.attributes());
                    let name = tag.lower_name();
                    if !governed {
                        let has_charset = || value_of(&attributes, "charset").is_some();
                        if name == "head" && facts.policy_at.is_none() || name == "meta" && has_charset() {
                            facts.policy_at = Some(tag.end);
                        }
                        governed = matches!(&*name, "script" | "style" | "link" | "img" | "body");
                    }
                    match &*name {
                        "html" => facts.language = value_of(&attributes, "lang").map(|tag| (count, tag.to_owned())),
                        "meta" => facts.has_robots |= is_for_search_engines(&attributes),
                        "picture" => picture = Some(count),
                        "source" | "img" if !markup.is_template() => {
                            facts.pictures.extend(picture.map(|picture| (count, picture)));
                            let media = value_of(&attributes, "media").filter(|_| name == "source");
                            facts.media.extend(media.map(|media| (count, media.to_owned())));
                            facts.offer(&name, &attributes, count, markup.island());
                            facts.size(&name, &attributes, count, markup.island());
                        }
                        _ => {}
                    }
                    reading.is_handled = markup.is_handled();
                    reading.is_template = markup.is_template();
                    facts.read(&name, &attributes, count, markup.island(), &mut reading);
                    markup.start(&tag, name, &attributes, count, &mut facts.mistakes);
                    raw = Some((tag, count));
                    count += 1;
                }
                Token::Text(text) => match raw.take() {
                    Some((tag, number)) if tag.is("script") || tag.is("style") => {
                        facts.read_raw(&tag, number, text, markup.island(), connections);
                    }
                    _ => markup.text(text),
                },
                Token::End(name) => {
                    raw = None;
                    if name.eq_ignore_ascii_case("picture") {
                        picture = None;
                    } else if name.eq_ignore_ascii_case("form") {
                        reading.is_in_sent_form = false;
                    }
                    markup.end(name, count, &mut facts.mistakes);
                    count += 1;
                }
            }
        }
        markup.finish(&facts.ids, &mut facts.mistakes);
        facts.ids.append(&mut facts.names.drain(..).collect());
        // The stylesheet of the islands comes before them.
        for reference in facts.references.iter_mut().filter(|each| each.is_in_islands_style()) {
            reference.island = facts.carried.get(&reference.address).cloned().flatten();
        }
        facts.use_what_is_loaded(connections);
        // In the order in which they were found. Finding the line of each reads the complete page.
        facts.mistakes.truncate(MOST + 1);
        // The facts of all pages stay in memory until all are checked, and most pages need a fifth of the capacity.
        facts.references.shrink_to_fit();
        facts
    }

    /// Finds the connection of everything that is loaded from another host.
    fn use_what_is_loaded(&mut self, connections: &Connections) {
        for reference in &self.references {
            let Some(kind) = reference.purpose.kind() else { continue };
            let address = reference.address.as_str();
            if is_plain_path(address) || connections.is_own(address) {
                continue;
            }
            // Other schemes load nothing from a host, or are reported as addresses.
            let Some(origin) = connections.origin_of(address) else { continue };
            // It is reported as what browsers refuse to load.
            if origin.starts_with("http:") && !is_local(&origin) {
                continue;
            }
            if !use_connection(&mut self.connections, connections, address, kind) {
                let nearest = connections.nearest_origin(address, kind);
                let address = address.to_owned();
                let problem = ConnectionProblem::UndeclaredConnection { address, origin, kind: kind.name(), nearest };
                self.mistakes.push(Mistake::new(problem, Some(reference.location())));
            }
        }
    }

    /// Reads what browsers may choose from by width.
    fn offer(&mut self, name: &str, attributes: &[Attribute], number: usize, island: Option<&str>) {
        let Some(offer) = Offer::of(attributes) else { return };
        if let Some((shown, width)) = offer.too_small().filter(|_| name == "img") {
            let attribute = Some(("sizes".to_owned(), None));
            let location =
                Some(Location { tag: number, attribute, island: island.map(str::to_owned), ..Location::default() });
            self.mistakes.push(Mistake::new(AssetProblem::SmallPicture { shown, width }, location));
        }
        self.offers.insert(number, offer);
    }

    /// Reports an image that browsers learn the size of when it arrives.
    fn size(&mut self, name: &str, attributes: &[Attribute], number: usize, island: Option<&str>) {
        let has = |attribute| value_of(attributes, attribute).is_some_and(|value| value.trim().parse::<f64>().is_ok());
        let is_hidden = || value_of(attributes, "hidden").is_some();
        if name != "img" || has("width") && has("height") || is_hidden() {
            return;
        }
        let location = Some(Location { tag: number, island: island.map(str::to_owned), ..Location::default() });
        self.mistakes.push(Mistake::new(AssetProblem::UnsizedImage, location));
    }

    fn read(
        &mut self,
        name: &str,
        attributes: &[Attribute],
        number: usize,
        island: Option<&str>,
        reading: &mut Reading,
    ) {
        let connections = reading.connections;
        // Browsers read the content of these as text, so it cannot be checked (HTML Standard 16.2, "non-conforming
        // features").
        let obsolete = match name {
            "xmp" | "plaintext" | "noembed" | "noframes" => Some("ignore the tags in it"),
            "applet" => Some("run nothing for it"),
            _ => None,
        };
        if let Some(consequence) = obsolete {
            let detail = format!("`<{name}>` is obsolete, and browsers {consequence}");
            let location = Location { tag: number, island: island.map(str::to_owned), ..Location::default() };
            self.mistakes.push(Mistake::new(MarkupProblem::Markup { detail }, Some(location)));
        }
        let get = |wanted: &str| value_of(attributes, wanted);
        // Browsers send a form without an action to the page's own address, and the policy blocks it. Only `dialog`
        // sends nothing (HTML Standard 4.10.18.6, "form-submission-method").
        let sends = |method: Option<&str>| !method.is_some_and(|method| method.trim().eq_ignore_ascii_case("dialog"));
        // An island that says nothing of where its form goes handles it itself, and until then the policy keeps it here.
        let is_handled = reading.is_handled && (get("method").is_none() || !sends(get("method")));
        if name == "form" && get("action").is_none() && sends(get("method")) && !is_handled {
            let attribute = get("method").map(|_| ("method".to_owned(), None));
            let location =
                Location { tag: number, attribute, island: island.map(str::to_owned), ..Location::default() };
            self.mistakes.push(Mistake::new(PolicyProblem::FormMethod, Some(location)));
        }
        let relation = if name == "link" { get("rel").unwrap_or_default() } else { "" };
        let is = |wanted: &str| relation.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(wanted));
        let is_island = OnceCell::new();
        let is_root = || get("data-island").is_some() || get("data-enhance").is_some();
        // An animation in a drawing may replace the address of a link (SVG Animations, 2.2).
        let is_animated_link = || {
            let animated = get("attributename").map(|name| name.trim().to_ascii_lowercase());
            matches!(animated.as_deref(), Some("href" | "xlink:href"))
        };
        if name == "form" {
            reading.is_in_sent_form =
                get("action").is_some_and(|to| connections.to(to.trim(), Kind::Form).next().is_some());
        }
        self.mistakes.extend(connection_mistakes(name, attributes, connections).map(|(attribute, problem)| {
            Mistake::new(
                problem,
                Some(Location {
                    tag: number,
                    attribute: attribute.map(|name| (name.to_owned(), None)),
                    island: island.map(str::to_owned),
                    ..Location::default()
                }),
            )
        }));
        for Attribute { name: attribute, value } in attributes {
            let attribute = lower(attribute);
            self.is_decomposed |= composed_name(&attribute, value).is_some();
            let at = |value: Option<String>| {
                let island = island.map(str::to_owned);
                Location { tag: number, attribute: Some((attribute.to_string(), value)), island, ..Location::default() }
            };
            let location = || at(Some(value.to_string()));
            let references = &mut self.references;
            let mut add_address = |address: &str, purpose: Purpose| {
                let (address, island) = (address.to_owned(), island.map(str::to_owned));
                let attribute = Some(attribute_name(&attribute));
                references.push(Reference { address, purpose, tag: number, attribute, island });
            };
            let mut add = |purpose: Purpose| add_address(value.trim(), purpose);
            let mistake = match (name, &*attribute) {
                (_, "style") => Some(PolicyProblem::InlineStyle { element: name.to_owned() }),
                (_, handler) if handler.starts_with("on") && handler.len() > 2 => {
                    Some(PolicyProblem::EventHandler { attribute: attribute.to_string() })
                }
                ("form", "action") if is_handled && matches!(value.trim(), "" | "#") => None,
                ("form", "action") | ("button" | "input", "formaction") => {
                    let address = value.trim();
                    let is_declared = use_connection(&mut self.connections, connections, address, Kind::Form);
                    (!is_declared).then(|| {
                        let other = || connections.origin_of(address).unwrap_or_else(|| "https://…".to_owned());
                        let origin = if connections.is_own(address) { "self".to_owned() } else { other() };
                        let nearest = connections.nearest_origin(address, Kind::Form);
                        PolicyProblem::FormTarget { attribute: attribute.to_string(), origin, nearest }
                    })
                }
                ("button" | "input", "formmethod") if sends(Some(value)) && !reading.is_in_sent_form => {
                    Some(PolicyProblem::FormMethod)
                }
                ("base", "href") => Some(PolicyProblem::BaseElement),
                // `object-src` is never opened (MDN's Observatory counts it as a hole), nor `connect-src` for other hosts.
                ("object", "data" | "classid" | "codebase" | "archive") => {
                    Some(PolicyProblem::Blocked { name: "object" })
                }
                ("embed", "src") => Some(PolicyProblem::Blocked { name: "embed" }),
                // A page in a page, which nothing of a build reads, and which has the policy of the outer one.
                ("iframe", "srcdoc") => {
                    let detail = "the page in `srcdoc` is not checked; make it a page of the site and name it in `src`";
                    let problem = MarkupProblem::Markup { detail: detail.to_owned() };
                    self.mistakes.push(Mistake::new(problem, Some(at(None))));
                    continue;
                }
                ("a" | "area", "ping") => Some(PolicyProblem::Blocked { name: "ping" }),
                // An empty address is that of the page itself, which browsers would load once more.
                ("a" | "area" | "link", "href") | ("img" | "script" | "source" | "iframe", "src")
                    if value.trim().is_empty() =>
                {
                    let problem = LinkProblem::BadAddress { address: String::new() };
                    self.mistakes.push(Mistake::new(problem, Some(at(None))));
                    continue;
                }
                _ => None,
            };
            if let Some(problem) = mistake {
                let location = match problem {
                    // The address may be a value in content.
                    PolicyProblem::FormTarget { .. } => {
                        at(Some(value.trim().to_owned()).filter(|value| !value.is_empty()))
                    }
                    PolicyProblem::BaseElement => Location { attribute: None, ..at(None) },
                    _ => at(None),
                };
                self.mistakes.push(Mistake::new(problem, Some(location)));
                continue;
            }
            match (name, &*attribute) {
                (_, "id") | ("a", "name") if reading.is_template => {}
                (_, "id") if !self.ids.insert(value.to_string()) => {
                    let problem = MarkupProblem::DuplicateId { id: value.to_string(), is_in_island: island.is_some() };
                    self.mistakes.push(Mistake::new(problem, Some(location())));
                }
                // Fragments lead there too (HTML Standard 7.4.6.4, "find a potential indicated element").
                ("a", "name") => self.names.push(value.to_string()),
                ("a" | "area", "href") | ("a", "xlink:href") => add(Purpose::Link),
                // Obsolete, and obeyed by browsers (HTML Standard 16.2).
                ("body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th", "background") => {
                    add(Purpose::Image);
                }
                ("img", "lowsrc" | "dynsrc") => add(Purpose::Image),
                ("img" | "iframe" | "frame", "longdesc")
                | ("blockquote" | "q" | "del" | "ins", "cite")
                | ("html", "manifest")
                | ("head", "profile") => add(Purpose::Link),
                ("frame", "src") => add(Purpose::Frame),
                ("bgsound", "src") => add(Purpose::Media),
                (
                    _,
                    "fill" | "stroke" | "filter" | "mask" | "clip-path" | "cursor" | "marker-start" | "marker-mid"
                    | "marker-end",
                ) => css_references(value).for_each(|(address, _)| add_address(address, Purpose::Image)),
                ("meta", "content") if get("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) => {
                    refreshed(value).into_iter().for_each(|address| add_address(address, Purpose::Link));
                }
                ("link", "href") if is("stylesheet") => add(Purpose::Style),
                ("link", "href") if is("modulepreload") => add(Purpose::Script),
                ("link", "href") if is("icon") || is("apple-touch-icon") || is("mask-icon") => add(Purpose::Image),
                ("link", "href") if is("manifest") => add(Purpose::Manifest),
                ("link", "href") if is("preload") => match get("as") {
                    Some("font") => add(Purpose::Font),
                    Some("image") => add(Purpose::Image),
                    Some("style") => add(Purpose::Style),
                    _ => add(Purpose::Script),
                },
                ("link", "href") => add(Purpose::Meta),
                // Outside drawings `<image>` is `<img>` (HTML Standard 13.2.6.4.7, "in body").
                ("img" | "image" | "input", "src") | ("video", "poster") => add(Purpose::Image),
                // With `#` they name a part of the drawing.
                (_, "href" | "xlink:href") if value.trim_start().starts_with('#') => {}
                ("use" | "image" | "feimage", "href" | "xlink:href") => add(Purpose::Image),
                // SVG 2, 5.2 and 8.9.2: scripts in drawings.
                ("script", "href" | "xlink:href") => add(Purpose::Script),
                // Links of MathML, and what elements of the site's own scripts are given.
                (_, "href" | "xlink:href") => add(Purpose::Link),
                ("animate" | "set", "to" | "from" | "by" | "values") if is_animated_link() => {
                    value.split(';').for_each(|address| add_address(address.trim(), Purpose::Link));
                }
                ("img" | "image" | "source", "srcset") | ("link", "imagesrcset") => {
                    srcset(value).for_each(|address| add_address(address, Purpose::Image));
                }
                ("script", "src") => add(Purpose::Script),
                ("video" | "audio" | "source" | "track", "src") => add(Purpose::Media),
                ("iframe", "src") => add(Purpose::Frame),
                ("meta", "content") => {
                    let key = get("property").or_else(|| get("name")).unwrap_or_default();
                    if matches!(key, "og:image" | "og:url" | "twitter:image") {
                        add(Purpose::Meta);
                    }
                }
                (_, "data-island" | "data-enhance") => {
                    let hydrate =
                        if get(ONLY_ATTRIBUTE).is_some() { ONLY.0 } else { get("data-hydrate").unwrap_or_default() };
                    self.islands.insert((value.to_string(), hydrate.to_owned()));
                }
                (_, "data-component") if !*is_island.get_or_init(is_root) => {
                    self.islands.insert((value.to_string(), NEVER.to_owned()));
                }
                // What of it loads something is a rule of the stylesheet of all islands.
                (_, ATTRIBUTE) => {
                    let found = css_references(value).map(|(address, _)| address.to_owned());
                    self.carried.extend(found.zip(std::iter::repeat(island.map(str::to_owned))));
                }
                (_, search::ATTRIBUTE) => self.has_search = true,
                ("form", "data-success") => add(Purpose::Success),
                (_, "data-connect") if name == "script" || *is_island.get_or_init(is_root) => {
                    // An island may also load a script by itself, such as a counter after a yes.
                    let kinds = if name == "script" { &[Kind::Fetch][..] } else { &[Kind::Fetch, Kind::Script] };
                    for wanted in value.split_ascii_whitespace() {
                        let connection = connections.get(wanted);
                        let is_for = |kind: &&Kind| connection.is_some_and(|connection| connection.is_for(**kind));
                        let used: Vec<_> = kinds.iter().filter(is_for).map(|kind| (wanted.to_owned(), *kind)).collect();
                        if used.is_empty() {
                            let problem = unknown_connection(wanted, connections);
                            self.mistakes.push(Mistake::new(problem, Some(location())));
                        }
                        self.connections.extend(used);
                    }
                }
                (_, "data-modules") if *is_island.get_or_init(is_root) => {
                    value.split(' ').for_each(|address| add_address(address, Purpose::Script));
                }
                _ => {}
            }
            let runs = |address: &str| matches!(scheme_of(address).as_deref(), Some("javascript" | "vbscript"));
            let is_unsafe = match &*attribute {
                "xlink:href" | "lowsrc" | "dynsrc" => runs(value),
                name if is_address(name) => runs(value),
                "to" | "from" | "by" | "values" => is_animated_link() && value.split(';').any(runs),
                _ => false,
            };
            if is_unsafe {
                let problem = MarkdownProblem::UnsafeAddress { address: value.to_string() };
                self.mistakes.push(Mistake::new(problem, Some(location())));
            }
        }
    }

    /// Checks the stylesheets that a template or Markdown has written into the page, `html`, beside that of the site, `css`.
    pub fn check_styles(&mut self, html: &str, styles: &Styles, css: &str) {
        for (index, tag) in &self.written_styles {
            let text = self.styles[*index].as_str();
            if text == css {
                continue;
            }
            let shared: Arc<str> = Arc::from(text);
            // No more are reported.
            self.mistakes.extend(styles.check_inline(text, html).into_iter().take(MOST + 1).map(|(problem, span)| {
                let text = Some((shared.clone(), span));
                Mistake::new(problem, Some(Location { tag: *tag, text, ..Location::default() }))
            }));
        }
    }

    fn read_raw(&mut self, tag: &Tag, number: usize, text: &str, island: Option<&str>, connections: &Connections) {
        if tag.is("style") {
            if island.is_none() && tag.get(ISLANDS_STYLE).is_none() {
                self.written_styles.push((self.styles.len(), number));
            }
            let is_of_islands = tag.get(ISLANDS_STYLE).is_some();
            self.references.extend(css_references(text).map(|(address, purpose)| Reference {
                address: address.to_owned(),
                purpose,
                tag: number,
                attribute: is_of_islands.then_some(Cow::Borrowed(ISLANDS_STYLE)),
                island: None,
            }));
            self.styles.push(text.to_owned());
            self.styles_at.push(tag.end);
        } else if tag.get("src").is_none() {
            // Data blocks like JSON-LD do not run and need no hash; import maps and speculation rules do.
            let kind = tag.get("type").unwrap_or_default().trim().to_ascii_lowercase();
            let runs = ["", "module", "text/javascript", "application/javascript", "importmap", "speculationrules"];
            if runs.contains(&kind.as_str()) {
                self.scripts.push(text.to_owned());
            }
            if kind == "application/ld+json"
                && let Ok(json) = serde_json::from_str(text)
            {
                let jobs = jobs_without_place(&json).into_iter();
                self.mistakes
                    .extend(jobs.map(|title| Mistake::new(AccessibilityProblem::JobWithoutPlace { title }, None)));
                let mut addresses = Vec::new();
                json_addresses(&json, &mut addresses);
                self.add_from_text(addresses, Purpose::Meta, number);
            }
            if kind == "importmap"
                && let Ok(json) = serde_json::from_str(text)
            {
                self.add_from_text(imported_addresses(&json), Purpose::Script, number);
            }
            if kind == "speculationrules"
                && let Ok(json) = serde_json::from_str(text)
            {
                let addresses = speculated_addresses(&json);
                let hints = addresses.iter().filter_map(|address| undeclared_hint(address, connections));
                let location = || Some(Location { tag: number, ..Location::default() });
                self.mistakes.extend(hints.map(|problem| Mistake::new(problem, location())));
                self.add_from_text(addresses, Purpose::Link, number);
            }
        }
    }

    /// Adds addresses that stand in the text of an element.
    fn add_from_text(&mut self, addresses: Vec<String>, purpose: Purpose, tag: usize) {
        let reference = |address| Reference { address, purpose, tag, attribute: None, island: None };
        self.references.extend(addresses.into_iter().map(reference));
    }
}

/// Records the connections that are declared for an address. Returns whether there is one.
fn use_connection(used: &mut BTreeSet<(String, Kind)>, connections: &Connections, address: &str, kind: Kind) -> bool {
    let found: Vec<(String, Kind)> = connections.to(address, kind).map(|each| (each.name.clone(), kind)).collect();
    let is_declared = !found.is_empty();
    used.extend(found);
    is_declared
}

/// Returns the address that `<meta http-equiv="refresh">` leads to (HTML Standard 4.2.5.3, "shared declarative refresh
/// steps"): what follows `url=` in `0; url=/new`.
fn refreshed(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let named = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_start());
    let address = named.and_then(|rest| rest.strip_prefix('=')).unwrap_or(rest).trim();
    Some(address.trim_matches(['"', '\''])).filter(|address| !address.is_empty())
}

/// Whether an origin is of this computer, to which browsers trust plain `http:` (Secure Contexts, 3.1).
pub fn is_local(origin: &str) -> bool {
    let local = ["http://localhost", "http://127.0.0.1"].into_iter().find_map(|local| origin.strip_prefix(local));
    local.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
}

/// Whether an address is a path of the site at first sight. What browsers also read as `//` is not.
fn is_plain_path(address: &str) -> bool {
    let mut bytes = address.bytes();
    match (bytes.next(), bytes.next()) {
        (Some(b'#' | b'?'), _) | (Some(b'/'), None) => true,
        (Some(b'/'), Some(second)) => second.is_ascii_alphanumeric() || b"_-.~%?#".contains(&second),
        _ => false,
    }
}

/// Returns what frames, scripts and hints of other hosts lack, each with the attribute that is meant.
fn connection_mistakes<'a>(
    name: &str,
    attributes: &'a [Attribute],
    connections: &'a Connections,
) -> impl Iterator<Item = (Option<&'static str>, ConnectionProblem)> + use<'a> {
    let get = |wanted: &str| value_of(attributes, wanted);
    let is_foreign = |address: &str| is_foreign(address, connections);
    let mut found = Vec::new();
    match name {
        "script" => {
            let address = get("src").unwrap_or_default().trim();
            let mut declared = connections.to(address, Kind::Script).filter(|_| is_foreign(address)).peekable();
            if declared.peek().is_some() && !declared.any(|connection| connection.without_integrity) {
                let lacks = |attribute: &str| get(attribute).is_none_or(|value| value.trim().is_empty());
                // The response could not be read without it (Subresource Integrity, 3.3.2, "eligible for integrity").
                let attribute = match (lacks("integrity"), get("crossorigin")) {
                    (true, _) => Some("integrity"),
                    (false, None) => Some("crossorigin"),
                    (false, Some(_)) => None,
                };
                let problem = |attribute| ConnectionProblem::ScriptIntegrity { address: address.to_owned(), attribute };
                found.extend(attribute.map(|attribute| (Some("src"), problem(attribute))));
            }
        }
        "iframe" => {
            // WCAG 4.1.2
            let names = ["title", "aria-label", "aria-labelledby"];
            let is_hidden = get("hidden").is_some() || get("aria-hidden") == Some("true");
            let is_presentational = matches!(get("role").map(str::trim), Some("none" | "presentation"));
            if names.into_iter().all(|key| get(key).is_none_or(|text| text.trim().is_empty()))
                && !is_hidden
                && !is_presentational
            {
                found.push((None, ConnectionProblem::FrameAttribute { attribute: "title" }));
            }
            let address = get("src").unwrap_or_default().trim();
            if is_foreign(address) && !address.is_empty() {
                if get("sandbox").is_none() {
                    found.push((None, ConnectionProblem::FrameAttribute { attribute: "sandbox" }));
                }
                let allowed = get("allow").unwrap_or_default().split(';');
                for feature in allowed.filter_map(|each| each.split_ascii_whitespace().next()) {
                    let has = |own: &String| own.eq_ignore_ascii_case(feature);
                    if !connections.to(address, Kind::Frame).any(|connection| connection.features.iter().any(has)) {
                        found.push((Some("allow"), ConnectionProblem::FrameFeature { feature: feature.to_owned() }));
                    }
                }
            }
        }
        // Browsers connect to these hosts before anything is loaded from them, whatever the policy says.
        "link" => {
            let relation = get("rel").unwrap_or_default();
            let is_hint = relation.split_ascii_whitespace().any(|each| {
                ["preconnect", "dns-prefetch", "prefetch", "prerender"]
                    .iter()
                    .any(|hint| each.eq_ignore_ascii_case(hint))
            });
            let address = get("href").unwrap_or_default().trim();
            let problem = Some(address).filter(|_| is_hint).and_then(|address| undeclared_hint(address, connections));
            found.extend(problem.map(|problem| (Some("href"), problem)));
        }
        _ => {}
    }
    found.into_iter()
}

/// Whether an address is not one of the site.
fn is_foreign(address: &str, connections: &Connections) -> bool {
    !is_plain_path(address) && !connections.is_own(address)
}

/// Returns what is wrong with an address to which browsers connect before anything is loaded from it.
fn undeclared_hint(address: &str, connections: &Connections) -> Option<ConnectionProblem> {
    let origin = connections.origin_of(address).filter(|_| is_foreign(address, connections))?;
    if connections.iter().any(|connection| connection.origin.as_ref() == Some(&origin)) {
        return None;
    }
    let nearest = connections.nearest_origin(address, Kind::Fetch);
    Some(ConnectionProblem::UndeclaredConnection {
        address: address.to_owned(),
        origin,
        kind: Kind::Fetch.name(),
        nearest,
    })
}

/// Returns the modules that an import map names (HTML Standard 8.1.5.3, "import maps"). A name that ends with `/` stands for
/// a folder.
fn imported_addresses(json: &serde_json::Value) -> Vec<String> {
    let maps = json.get("scopes").and_then(serde_json::Value::as_object).into_iter().flat_map(|scopes| scopes.values());
    let modules = json.get("imports").into_iter().chain(maps).filter_map(serde_json::Value::as_object).flatten();
    let files = modules.filter(|(name, _)| !name.ends_with('/'));
    files.filter_map(|(_, address)| Some(address.as_str()?.to_owned())).collect()
}

/// Returns the pages that browsers fetch or render before visitors go there (HTML Standard 7.6.1, "speculation rules").
fn speculated_addresses(json: &serde_json::Value) -> Vec<String> {
    let rules = ["prefetch", "prerender"].into_iter().filter_map(|kind| json.get(kind)?.as_array()).flatten();
    let addresses = rules.filter_map(|rule| rule.get("urls")?.as_array()).flatten();
    addresses.filter_map(|address| Some(address.as_str()?.to_owned())).collect()
}

/// Returns the name of an attribute without allocating for the common ones.
fn attribute_name(name: &str) -> Cow<'static, str> {
    let common = ["href", "src", "srcset", "content"].into_iter().find(|common| *common == name);
    common.map_or_else(|| Cow::Owned(name.to_owned()), Cow::Borrowed)
}

/// Collects the addresses in structured data. The value of `@id` names a thing and need not be a page (JSON-LD 1.1,
/// 3.3).
fn json_addresses(json: &serde_json::Value, addresses: &mut Vec<String>) {
    match json {
        serde_json::Value::String(text) if text.starts_with("https://") || text.starts_with("http://") => {
            addresses.push(text.clone());
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| json_addresses(item, addresses)),
        serde_json::Value::Object(map) => {
            map.iter().filter(|(key, _)| *key != "@id").for_each(|(_, item)| json_addresses(item, addresses));
        }
        _ => {}
    }
}

/// Returns the titles of jobs that search engines leave out: each needs a place of work or, where the work is remote,
/// the countries from which people may apply (developers.google.com/search/docs/appearance/structured-data/job-posting,
/// `jobLocation` and `applicantLocationRequirements`).
fn jobs_without_place(json: &serde_json::Value) -> Vec<String> {
    let is = |value: &serde_json::Value, wanted: &str| match value {
        serde_json::Value::String(text) => text == wanted,
        serde_json::Value::Array(items) => items.iter().any(|item| item == wanted),
        _ => false,
    };
    match json {
        serde_json::Value::Array(items) => items.iter().flat_map(jobs_without_place).collect(),
        serde_json::Value::Object(map) if map.get("@type").is_some_and(|kind| is(kind, "JobPosting")) => {
            let has = |key: &str| map.get(key).is_some_and(|value| !value.is_null());
            let is_remote = map.get("jobLocationType").is_some_and(|kind| is(kind, "TELECOMMUTE"));
            let has_place = has("jobLocation") && !is_remote;
            let title = map.get("title").and_then(serde_json::Value::as_str).unwrap_or("without a title");
            let is_complete = has_place || is_remote && has("applicantLocationRequirements");
            if is_complete { Vec::new() } else { vec![title.to_owned()] }
        }
        serde_json::Value::Object(map) => map.get("@graph").map(jobs_without_place).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Returns the addresses that a stylesheet loads. Of a data URL, which loads nothing and needs the policy's leave, only what
/// comes before its data.
fn css_references(css: &str) -> impl Iterator<Item = (&str, Purpose)> {
    let mut end = 0;
    css.match_indices("url(").filter_map(move |(at, _)| {
        let start = at + 4;
        // Whatever begins inside an address is a part of it.
        if start < end {
            return None;
        }
        end = css[start..].find(')').map_or(css.len(), |end| start + end);
        let inner = css[start..end].trim().trim_matches(['"', '\'']);
        if inner.is_empty() || inner.starts_with('#') {
            return None;
        }
        let before = css[..at].trim_end();
        if scheme_of(inner).as_deref() == Some("data") {
            let rule = before.rfind(['{', '}']).map_or("", |brace| before[..brace].trim_end());
            let purpose = if rule.ends_with("@font-face") { Purpose::Font } else { Purpose::Image };
            let head = &inner[..inner.find(',').map_or(inner.len(), |comma| comma + 1)];
            return (!before.ends_with("@import")).then_some((head, purpose));
        }
        let path = inner.split(['?', '#']).next().unwrap_or(inner);
        let purpose = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("woff2" | "woff" | "ttf" | "otf") => Purpose::Font,
            Some("css") => Purpose::Style,
            _ if before.ends_with("@import") => Purpose::Style,
            _ => Purpose::Image,
        };
        Some((inner, purpose))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::{Problem, code};

    fn facts_of(html: &str) -> Facts {
        Facts::of(html, &Connections::default())
    }

    #[test]
    fn a_form_that_would_be_sent_is_a_mistake() {
        let codes = |html: &str| facts_of(html).mistakes.iter().map(|each| code(&each.problem)).collect::<Vec<_>>();
        for sent in [
            "<form></form>",
            "<form method=post></form>",
            "<form method=GET></form>",
            "<form action=/a></form>",
            "<form action=/a method=post></form>",
            "<form method=dialog><button formmethod=post>a</button></form>",
            "<form method=dialog><input type=submit formaction=/a></form>",
        ] {
            assert_eq!(codes(sent), ["form-target"], "{sent}");
        }
        for kept in
            ["<form method=dialog></form>", "<form method=' DIALOG '><button formmethod=dialog>a</button></form>"]
        {
            assert_eq!(codes(kept), Vec::<&str>::new(), "{kept}");
        }
    }

    #[test]
    fn an_island_may_handle_its_form_itself() {
        let codes = |form: &str| {
            let facts = facts_of(&format!("<div data-island=A data-modules=/a.js>{form}</div>"));
            facts.mistakes.iter().map(|each| code(&each.problem)).collect::<Vec<_>>()
        };
        for handled in ["<form></form>", "<form action=\"#\"></form>", "<form action></form>"] {
            assert_eq!(codes(handled), Vec::<&str>::new(), "{handled}");
        }
        for sent in ["<form action=/a></form>", "<form method=post></form>", "<form action=\"#\" method=post></form>"] {
            assert_eq!(codes(sent), ["form-target"], "{sent}");
        }
    }

    #[test]
    fn loaded_files_and_links_are_found() {
        let facts = facts_of(
            "<head><meta charset=\"utf-8\"><link rel=\"icon\" href=\"/i.svg\"><style>a{background:url(/b.png)}</style></head>\
             <body><a href=\"/x?a=1&amp;b=2#y\" id=z>l</a><img src=/c.png srcset=\"/d.png 1x, /e.png 2x\">\
             <script>run()</script><script type=\"application/ld+json\">{}</script></body>",
        );
        let addresses: Vec<&str> = facts.references.iter().map(|each| each.address.as_str()).collect();
        assert_eq!(addresses, ["/i.svg", "/b.png", "/x?a=1&b=2#y", "/c.png", "/d.png", "/e.png"]);
        assert_eq!((facts.scripts.as_slice(), facts.styles.len()), (&["run()".to_owned()][..], 1));
        assert!(facts.ids.contains("z"));
        assert_eq!(facts.policy_at, Some("<head><meta charset=\"utf-8\">".len()));
    }

    #[test]
    fn attributes_that_load_or_lead_somewhere_are_found() {
        for html in [
            "<table background=/x>",
            "<body background=/x>",
            "<td background=/x>",
            "<img src=/y lowsrc=/x>",
            "<image src=/x>",
            "<image srcset='/y 1x, /x 2x'>",
            "<iframe longdesc=/x>",
            "<blockquote cite=/x>",
            "<frame src=/x>",
            "<svg><image xlink:href=/x></svg>",
            "<svg><a xlink:href=/x></a></svg>",
            "<svg><rect fill='url(/x)'/></svg>",
            "<svg><g filter='url(/x)'></g></svg>",
            "<svg><script xlink:href=/x></script></svg>",
            "<svg><a><set attributeName=href to='#a;/x'/></a></svg>",
            "<math><mrow href=/x></mrow></math>",
            "<head profile=/x>",
            "<script type=importmap>{\"scopes\": {\"/a/\": {\"a\": \"/x\", \"b/\": \"/b/\"}}}</script>",
            "<script type=speculationrules>{\"prefetch\": [{\"urls\": [\"/x\"]}]}</script>",
            "<meta http-equiv=Refresh content='0; URL=\"/x\"'>",
            "<meta http-equiv=refresh content='5;/x'>",
        ] {
            let facts = facts_of(html);
            assert!(facts.references.iter().any(|each| each.address == "/x"), "{html}: {:?}", facts.references);
        }
        let code_of = |html: &str| facts_of(html).mistakes.iter().map(|each| code(&each.problem)).collect::<Vec<_>>();
        for html in [
            "<blockquote cite=javascript:x>a</blockquote>",
            "<svg><a><animate attributeName=xlink:href values='/a; javascript:x'/></a></svg>",
        ] {
            assert!(code_of(html).contains(&"unsafe-address"), "{html}");
        }
        for (html, code) in [
            ("<object classid=java:a></object>", "blocked-by-policy"),
            ("<applet code=a></applet>", "markup"),
            ("<iframe title=a srcdoc='<img src=/x>'></iframe>", "markup"),
            (
                "<script type=speculationrules>{\"prerender\": [{\"urls\": [\"https://a.test/\"]}]}</script>",
                "undeclared-connection",
            ),
        ] {
            assert!(code_of(html).contains(&code), "{html}: {:?}", code_of(html));
        }
        let facts = facts_of("<a name=old></a><a id=new name=new></a>");
        assert!(
            facts.ids.contains("old")
                && facts.ids.contains("new")
                && facts.mistakes.iter().all(|each| !matches!(
                    each.problem,
                    Problem::Markup(MarkupProblem::DuplicateId { .. })
                        | Problem::Accessibility(AccessibilityProblem::EmptyText { .. })
                ))
        );
    }

    #[test]
    fn jobs_that_search_engines_leave_out_are_found() {
        let titles = |json: &str| jobs_without_place(&serde_json::from_str(json).unwrap());
        let job = |more: &str| format!("{{\"@type\": \"JobPosting\", \"title\": \"Baker\"{more}}}");
        let countries = ", \"applicantLocationRequirements\": {\"@type\": \"Country\", \"name\": \"Austria\"}";
        let (place, remote) = (", \"jobLocation\": {\"@type\": \"Place\"}", ", \"jobLocationType\": \"TELECOMMUTE\"");
        for (more, is_complete) in [
            (String::new(), false),
            (remote.to_owned(), false),
            (format!("{place}{remote}"), false),
            (countries.to_owned(), false),
            (place.to_owned(), true),
            (format!("{remote}{countries}"), true),
            (format!("{place}{remote}{countries}"), true),
        ] {
            let expected: Vec<String> = if is_complete { Vec::new() } else { vec!["Baker".to_owned()] };
            assert_eq!(titles(&job(&more)), expected, "{more}");
            assert_eq!(titles(&format!("{{\"@graph\": [{}]}}", job(&more))), expected, "{more}");
        }
    }

    #[test]
    fn blocked_markup_is_found() {
        let facts =
            facts_of("<p style=\"a:b\" onclick=x()><a href=\"java&#10;script:x\">a</a><form action=/send></form></p>");
        let codes: Vec<_> = facts.mistakes.iter().map(|each| code(&each.problem)).collect();
        for expected in ["inline-style", "event-handler", "unsafe-address", "form-target"] {
            assert!(codes.contains(&expected), "{codes:?}");
        }
    }
}
