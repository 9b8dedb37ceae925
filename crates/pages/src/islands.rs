//! Puts islands into pages.
//!
//! A template's `island(…)` call leaves a mark with the component, its props and when to hydrate. After all pages are
//! rendered, the marks are collected, every distinct call is rendered, and the marks are replaced. So a template function
//! renders nothing and locks nothing, and equal calls on many pages cost one rendering.
//!
//! A mark begins and ends with a [`Token`] that is made from the digests of everything that is in the pages. A text that
//! contained the token would have to contain its own digest. So no content can make a mark or break one, whatever filter or
//! function it has come through.

use super::carried::{ATTRIBUTE, Carried, push_attribute};
use super::trace::in_island;
use super::{Html, Inputs, Page};
use pulldown_cmark_escape::escape_html;
use sitegen_content::address::inside;
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{self, Diagnostic, ImportProblem, IslandProblem};
use sitegen_core::parallel;
use sitegen_core::paths::SourcePath;
use sitegen_core::secrets;
use sitegen_core::sources::{Digest, Sources};
use sitegen_core::tools::scratch;
use sitegen_islands::{BASE, Call, Islands, file_of, prerender};
use std::collections::{BTreeMap, BTreeSet};

/// Separates the parts of a mark: the component, when to hydrate, the height to keep, the connections, the props, what stands in its place.
const PART: char = '\u{1f}';

/// The text that begins and ends each mark of one build.
#[derive(Clone, Debug, PartialEq)]
pub struct Token(String);

/// The first character of every token. A page without it has no marks, which is found quickly.
const FIRST: char = '\u{e002}';

/// The first byte of that in UTF-8.
const FIRST_BYTE: u8 = 0xee;

impl Token {
    /// The token for pages that are made of these sources, styles and islands.
    pub fn of(sources: &Sources, bundles: Digest) -> Self {
        let digest = digest_of(&("token", bundles, sources));
        Token(digest[..16].iter().fold(String::from(FIRST), |token, byte| format!("{token}{byte:02x}")))
    }

    /// The mark of an island's place.
    pub fn mark(&self, place: Marked) -> String {
        let Token(token) = self;
        let Marked { component, hydrate, media, height, connect, props, slots, fallback } = place;
        let parts = [component, hydrate, media, height, connect, props, slots, fallback];
        let parts = parts.join(&PART.to_string());
        // The last part may hold anything.
        format!("{token}{parts}{token}")
    }

    /// Whether a page has a mark in it.
    pub fn is_in(&self, html: &str) -> bool {
        memchr::memchr(FIRST_BYTE, html.as_bytes()).is_some() && html.contains(&self.0)
    }
}

/// The parts of a mark.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marked<'a> {
    /// The name of its file in `islands/`, without extension.
    pub component: &'a str,
    /// When to hydrate it.
    pub hydrate: &'a str,
    /// The media query that it waits for, or nothing.
    pub media: &'a str,
    /// The least height of its place as a length of CSS, or nothing.
    pub height: &'a str,
    /// The names of the connections that it may fetch from, separated by spaces.
    pub connect: &'a str,
    /// Its props as JSON.
    pub props: &'a str,
    /// The HTML of its slots by their names, as JSON, or nothing.
    pub slots: &'a str,
    /// The HTML that stands in its place if it is not prerendered.
    pub fallback: &'a str,
}

/// The name of a slot that was given none.
pub const DEFAULT_SLOT: &str = "default";

/// The value of `hydrate` for an island without a script in the browser.
pub const NEVER: &str = "never";

/// The value of `hydrate` for an island that is not prerendered, and the strategy by which the loader fetches its modules.
pub const ONLY: (&str, &str) = ("only", "visible");

/// The attribute of such an island.
pub const ONLY_ATTRIBUTE: &str = "data-only";

/// Replaces the marks of all pages.
pub fn put_in(inputs: Inputs, token: &Token, pages: &mut [Page], diagnostics: &mut Vec<Diagnostic>) {
    let Inputs { sources, islands, tools, .. } = inputs;
    let pages_with_islands =
        parallel::flat_map_mut(pages, |page| page.html.has_islands(|html| token.is_in(html)).then_some(page));
    if pages_with_islands.is_empty() {
        return;
    }
    let calls: BTreeSet<Call> = pages_with_islands
        .iter()
        .filter_map(|page| page.html.text().ok())
        .flat_map(|html| places(&html, token).filter_map(|place| place.tried(islands)).collect::<Vec<_>>())
        .collect();
    let rendered = prerender(sources, islands, calls, tools);
    let shelf = tools.shelf();
    for page in pages_with_islands {
        let text = match page.html.take() {
            Ok(text) => text,
            Err(error) => {
                diagnostics.push(scratch::failure("read", &error));
                return;
            }
        };
        let source = inputs.site.pages.at(page.route.as_str());
        let mut islands = IslandsOfPage::new(source.map_or(inputs, |source| inputs.of(source)), &rendered);
        let html = islands.put_into(&text, token, page.file()).unwrap_or(text);
        page.html = Html::on(&shelf, html, |_| false);
        for problem in islands.problems {
            let problem = page.named_in(problem);
            if !diagnostics.iter().any(|known| known.place == problem.place && known.problem == problem.problem) {
                diagnostics.push(problem);
            }
        }
    }
}

/// The islands of a page, while they are put in.
struct IslandsOfPage<'a> {
    inputs: Inputs<'a>,
    rendered: &'a BTreeMap<Call, Result<String, Diagnostic>>,
    /// The names of those that the page has, in order.
    used: Vec<String>,
    /// The modules that are fetched at once.
    preloads: BTreeSet<&'a str>,
    carried: Carried,
    needs_loader: bool,
    needs_enhancer: bool,
    problems: Vec<Diagnostic>,
}

impl<'a> IslandsOfPage<'a> {
    fn new(inputs: Inputs<'a>, rendered: &'a BTreeMap<Call, Result<String, Diagnostic>>) -> Self {
        IslandsOfPage {
            inputs,
            rendered,
            used: Vec::new(),
            preloads: BTreeSet::new(),
            carried: Carried::default(),
            needs_loader: false,
            needs_enhancer: false,
            problems: Vec::new(),
        }
    }

    /// Returns the page with its islands, their styles and their scripts; `None` if it has no mark. `file` makes the page.
    fn put_into(&mut self, text: &str, token: &Token, file: Option<&SourcePath>) -> Option<String> {
        let Inputs { islands, site, view, .. } = self.inputs;
        let mut html = String::with_capacity(text.len() * 2);
        let mut from = 0;
        for place in places(text, token) {
            html.push_str(&text[from..place.start]);
            from = place.end;
            // One that a template has put together stands in no file.
            if let Some(secret) = secrets::find(place.marked.props, true).first() {
                let file = file.cloned().unwrap_or_else(|| file_of(self.inputs.sources, &place.call.component));
                self.problems.push(Diagnostic::new(secret.problem(), diagnostics::Place::file(&file)));
            }
            match self.inner(&place) {
                Ok(inner) => {
                    self.note(&place);
                    let modules = &islands.modules[&place.call.component];
                    let inner = inner.replace(BASE, &site.settings.base_path);
                    write(&mut html, &place, islands, modules, (&site.settings.base_path, &view.failure), &inner);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        if from == 0 {
            return None;
        }
        html.push_str(&text[from..]);
        Some(self.with_styles_and_scripts(html))
    }

    /// Returns the HTML in the element of an island: what it has rendered, or what stands in its place, with its slots.
    fn inner(&mut self, place: &Place) -> Result<String, Diagnostic> {
        let Inputs { sources, islands, .. } = self.inputs;
        let name = place.call.component.as_str();
        let slots: BTreeMap<String, String> = serde_json::from_str(place.marked.slots).unwrap_or_default();
        let inner = match place.tried(islands).and_then(|call| self.rendered.get(&call)) {
            Some(Err(problem)) => return Err(problem.clone()),
            Some(Ok(inner)) if place.is_prerendered(islands) => inner.as_str(),
            _ if islands.plain.contains(name) && !place.renders(islands) && !slots.is_empty() => OWN_SLOT,
            _ => place.marked.fallback,
        };
        let carried = self.carried.carry(inner).and_then(|inner| {
            self.carried.add(&place.style())?;
            Ok(inner)
        });
        let inner = carried.map_err(|path| {
            let place = in_island(sources, name, Some(&path));
            Diagnostic::new(ImportProblem::OutsideImport { path }, place)
        })?;
        with_slots(&inner, &slots).map_err(|slot| {
            let place = diagnostics::Place::file(&file_of(sources, name));
            Diagnostic::new(IslandProblem::UnknownSlot { component: name.to_owned(), slot }, place)
        })
    }

    /// Notes what the page needs for an island.
    fn note(&mut self, place: &Place) {
        let islands = self.inputs.islands;
        let (name, hydrate) = (&place.call.component, place.marked.hydrate);
        if needs_enhancer(place, islands) {
            self.needs_enhancer = true;
        } else {
            self.needs_loader |= hydrate != NEVER;
        }
        if hydrate == "load" {
            self.preloads.extend(islands.modules[name].iter().map(String::as_str));
        }
        if !self.used.contains(name) {
            self.used.push(name.clone());
        }
    }

    fn with_styles_and_scripts(&self, html: String) -> String {
        let Inputs { islands, site, .. } = self.inputs;
        let base_path = &site.settings.base_path;
        let css = styles_of(islands, &self.used).chain([self.carried.css()]).collect::<String>();
        let carries = html.contains(ATTRIBUTE) && (self.needs_loader || self.needs_enhancer);
        let scripts = [
            (carries, &islands.styler),
            (self.needs_loader, &islands.loader),
            (self.needs_enhancer, &islands.enhancer),
        ];
        let scripts = scripts.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, script)| script.as_str());
        with_scripts(with_styles(html, &css.replace(BASE, base_path)), &self.preloads, base_path, scripts)
    }
}

/// The stylesheets of the islands of a page. A stylesheet that several of them import is given once.
fn styles_of<'a>(islands: &'a Islands, used: &'a [String]) -> impl Iterator<Item = String> + 'a {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let styles = used.iter().filter_map(|name| islands.styles.get(name));
    styles.filter(move |css| known.insert(css)).cloned()
}

/// A mark in a page.
struct Place<'a> {
    start: usize,
    end: usize,
    marked: Marked<'a>,
    call: Call,
}

impl Place<'_> {
    fn is_prerendered(&self, islands: &Islands) -> bool {
        !self.call.only && self.renders(islands)
    }

    /// Whether the island gives HTML.
    fn renders(&self, islands: &Islands) -> bool {
        islands.prerenderers.get(&self.call.component).is_some_and(|prerenderer| prerenderer.renders)
    }

    /// What is tried at build: the call, or of an island that gives no HTML whether its module can be imported.
    fn tried(&self, islands: &Islands) -> Option<Call> {
        let prerenderer = islands.prerenderers.get(&self.call.component)?;
        Some(match prerenderer.renders {
            true => self.call.clone(),
            false => Call { props: String::new(), prefix: String::new(), only: true, ..self.call.clone() },
        })
    }

    /// What a `style` attribute of the island's element would say.
    fn style(&self) -> String {
        match self.marked.height {
            "" => String::new(),
            height => format!("min-height:{height}"),
        }
    }
}

fn places<'a>(html: &'a str, Token(token): &'a Token) -> impl Iterator<Item = Place<'a>> {
    let mut from = 0;
    let mut count = 0;
    std::iter::from_fn(move || {
        let start = from + html[from..].find(token)?;
        let inner = start + token.len();
        let close = inner + html[inner..].find(token)?;
        from = close + token.len();
        let mut parts = html[inner..close].splitn(8, PART);
        let mut part = || parts.next();
        let marked = Marked {
            component: part()?,
            hydrate: part()?,
            media: part()?,
            height: part()?,
            connect: part()?,
            props: part()?,
            slots: part()?,
            fallback: part()?,
        };
        let prefix = format!("i{count}-");
        count += 1;
        let only = marked.hydrate == ONLY.0;
        let call = Call { component: marked.component.to_owned(), props: marked.props.to_owned(), prefix, only };
        Some(Place { start, end: from, marked, call })
    })
}

/// Whether the enhancer brings an island to life, and not the loader, which knows React alone.
fn needs_enhancer(place: &Place, islands: &Islands) -> bool {
    let hydrate = place.marked.hydrate;
    let waits = matches!(hydrate, "media" | "interaction");
    hydrate != NEVER && (waits || islands.plain.contains(&place.call.component))
}

/// The place of the default slot in an island that renders nothing itself.
const OWN_SLOT: &str = "<!--slot:default-->";

/// Puts HTML into the slots of an island. Fails with the name of a slot that the island does not have.
fn with_slots(inner: &str, slots: &BTreeMap<String, String>) -> Result<String, String> {
    const START: &str = "<!--slot:";
    let mut html = String::with_capacity(inner.len());
    let mut rest = inner;
    let mut filled: BTreeSet<&str> = BTreeSet::new();
    while let Some((before, after)) = rest.split_once(START) {
        html.push_str(before);
        let Some((name, after)) = after.split_once("-->") else {
            html.push_str(START);
            rest = after;
            continue;
        };
        if let Some((name, slot)) = slots.get_key_value(name) {
            filled.insert(name);
            html.push_str(slot);
        }
        rest = after;
    }
    html.push_str(rest);
    match slots.keys().find(|name| !filled.contains(name.as_str())) {
        Some(unknown) => Err(unknown.clone()),
        None => Ok(html),
    }
}

/// Writes the element of an island. `failure` is what visitors read if it fails.
fn write(
    html: &mut String,
    place: &Place,
    islands: &Islands,
    modules: &[String],
    (base_path, failure): (&str, &str),
    inner: &str,
) {
    let modules: Vec<String> = modules.iter().map(|module| inside(base_path, module)).collect();
    let (name, modules) = (place.call.component.as_str(), modules.join(" "));
    let is_rendered = place.is_prerendered(islands);
    let hydrate = if place.marked.hydrate == ONLY.0 { ONLY.1 } else { place.marked.hydrate };
    // The loader takes what has `data-island`, and the enhancer what has `data-enhance`.
    let names = match (needs_enhancer(place, islands), is_rendered) {
        (true, true) => [("data-enhance", name), ("data-component", name)],
        (true, false) => [("data-enhance", name), ("", "")],
        _ if hydrate == NEVER => [("data-component", name), ("", "")],
        _ => [("data-island", name), ("", "")],
    };
    let attributes = [
        ("data-hydrate", hydrate),
        ("data-prefix", &place.call.prefix),
        ("data-modules", &modules),
        ("data-props", &place.call.props),
    ];
    // The enhancer leaves what is there; the loader puts a text in its place.
    let failure = if names[0].0 == "data-island" { failure } else { "" };
    let more = [("data-media", place.marked.media), ("data-connect", place.marked.connect), ("data-failure", failure)];
    let attributes = attributes.into_iter().filter(|_| hydrate != NEVER);
    let more = more.into_iter().filter(|(_, value)| !value.is_empty());
    html.push_str("<div");
    for (name, value) in names.into_iter().filter(|(name, _)| !name.is_empty()).chain(attributes).chain(more) {
        html.push(' ');
        html.push_str(name);
        html.push_str("=\"");
        // Writing to a String cannot fail.
        let _ = escape_html(&mut *html, value);
        html.push('"');
    }
    if place.marked.hydrate == ONLY.0 {
        html.push(' ');
        html.push_str(ONLY_ATTRIBUTE);
    }
    if !place.marked.height.is_empty() {
        html.push(' ');
        push_attribute(html, &place.style());
    }
    html.push('>');
    html.push_str(inner);
    html.push_str("</div>");
}

/// The attribute of the stylesheet that a page's islands bring.
pub const ISLANDS_STYLE: &str = "data-islands";

/// Adds the stylesheet of a page's islands to the head, after all others.
fn with_styles(mut html: String, css: &str) -> String {
    if !css.is_empty() {
        let end = html.find("</head>").unwrap_or_else(|| html.find("<body").unwrap_or(0));
        html.insert_str(end, &format!("<style {ISLANDS_STYLE}>{css}</style>\n"));
    }
    html
}

/// Adds the loader at the end of the body, and to the head what islands need at once.
fn with_scripts<'s>(
    mut html: String,
    preloads: &BTreeSet<&str>,
    base_path: &str,
    scripts: impl Iterator<Item = &'s str>,
) -> String {
    let scripts = scripts.filter(|script| !script.is_empty());
    let script: String = scripts.map(|script| format!("<script type=\"module\">{script}</script>\n")).collect();
    let end = html.rfind("</body>").unwrap_or(html.len());
    html.insert_str(end, &script);
    if !preloads.is_empty()
        && let Some(end) = html.find("</head>")
    {
        let links: String = preloads
            .iter()
            .map(|module| format!("<link rel=\"modulepreload\" href=\"{}\">\n", inside(base_path, module)))
            .collect();
        html.insert_str(end, &links);
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_content::settings::Settings;
    use sitegen_content::yaml;
    use sitegen_core::profile::Destination;

    fn token(text: &str) -> Token {
        Token::of(&Sources::from_files([("content/site.yaml", text)]), Digest::default())
    }

    fn form<'a>(hydrate: &'a str, props: &'a str) -> Marked<'a> {
        Marked { component: "Form", hydrate, props, ..Marked::default() }
    }

    #[test]
    fn marks_are_found_with_their_parts_and_numbered() {
        let token = token("");
        let html = format!("a{}b{}c", token.mark(form("load", "{\"a\":1}")), token.mark(form("idle", "{}")));
        let diagnostics: Vec<_> =
            places(&html, &token).map(|place| (place.marked.hydrate.to_owned(), place.call)).collect();
        assert_eq!(diagnostics.len(), 2);
        assert_eq!(
            (diagnostics[0].0.as_str(), diagnostics[0].1.prefix.as_str(), diagnostics[0].1.props.as_str()),
            ("load", "i0-", "{\"a\":1}")
        );
        assert_eq!((diagnostics[1].0.as_str(), diagnostics[1].1.prefix.as_str()), ("idle", "i1-"));
    }

    #[test]
    fn a_mark_that_was_copied_into_content_is_no_mark_of_the_next_build() {
        let seen = token("").mark(form("load", "{}"));
        let next = token(&seen);
        let html = format!("{seen}{}{FIRST}", next.mark(form("idle", "{}")));
        assert_eq!(places(&html, &next).map(|place| place.marked.hydrate.to_owned()).collect::<Vec<_>>(), ["idle"]);
        assert!(!next.is_in(&seen));
    }

    #[test]
    fn props_never_leave_their_attribute() {
        let token = token("");
        let html = token.mark(form("load", "{\"a\":\"\\\"><script>\"}"));
        let place = places(&html, &token).next().unwrap();
        let settings = settings("{islands: {failure: '\"><script>'}}");
        let mut out = String::new();
        write(&mut out, &place, &Islands::default(), &["/assets/a.js".to_owned()], of(&settings), "<p>x</p>");
        assert!(out.contains("data-modules=\"/docs/assets/a.js\"") && !out.contains("<script>"), "{out}");
    }

    #[test]
    fn the_text_of_an_island_that_failed_is_the_sites() {
        let token = token("");
        for (own, hydrate, expected) in [
            ("{islands: {failure: Nicht da}}", "load", Some(" data-failure=\"Nicht da\"")),
            ("{}", "visible", Some(" data-failure=\"This part of the page is not available at the moment.\"")),
            // The enhancer leaves what is there.
            ("{islands: {failure: Nicht da}}", "media", None),
            ("{islands: {failure: Nicht da}}", "never", None),
        ] {
            let html = token.mark(form(hydrate, "{}"));
            let place = places(&html, &token).next().unwrap();
            let mut out = String::new();
            write(&mut out, &place, &Islands::default(), &[], of(&settings(own)), "<p>x</p>");
            let found = out.contains("data-failure").then(|| expected.is_some_and(|text| out.contains(text)));
            assert_eq!(found, expected.map(|_| true), "{own} {hydrate}: {out}");
        }
    }

    fn of(settings: &Settings) -> (&str, &str) {
        (&settings.base_path, &settings.options.islands.failure)
    }

    fn settings(own: &str) -> Settings {
        let path = SourcePath::new("content/site.yaml");
        let text = format!("url: https://www.a.test/docs\nsettings: {own}\n");
        let data = yaml::parse(&path, &text, 0).unwrap();
        let settings = Settings::of(&path, &data, Destination::default(), &mut Vec::new());
        Settings { base_path: "/docs".to_owned(), ..settings }
    }
}
