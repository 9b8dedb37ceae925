//! Facts of a page: what it loads, links to, contains and gets wrong, read from its final bytes in one pass.

mod attributes;
mod other_hosts;
mod raw_text;

use super::element::Element;
use super::markup::Markup;
use super::mistakes::{Location, PageMistake};
use serde::{Deserialize, Serialize};
use sitegen_content::connections::{Connections, Kind};
use sitegen_core::diagnostics::{AssetProblem, LanguageProblem, MOST, MarkupProblem, PolicyProblem, Span, is_kept};
use sitegen_core::html::{Attribute, Tag, Token, candidates, tokens};
use sitegen_locale::primary;
use sitegen_pages::{ISLANDS_STYLE, OriginalTexts};
use sitegen_pictures::Sizes;
use sitegen_styles::Styles;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most attributes of a tag that are read without looking for repeated ones.
const MOST_ATTRIBUTES: usize = 64;

/// The facts of one page. What a policy needs of them, and nothing later, is not encoded; nor are mistakes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    /// Ids that links can name.
    #[serde(skip)]
    pub ids: BTreeSet<String>,
    /// The `name` of links, which fragments lead to as well.
    #[serde(skip)]
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
    /// The languages of all elements that name one.
    pub languages: BTreeSet<String>,
    /// Those of elements around texts: neither a link, a button or a choice, nor in one, nor in a list of them, as languages to choose
    /// from are.
    pub marked_languages: BTreeSet<String>,
    /// The languages of what links lead to, by the numbers of their tags.
    pub hreflangs: BTreeMap<usize, String>,
    /// The tags of `<link rel="alternate" hreflang>`, but for those of feeds.
    pub alternates: BTreeSet<usize>,
    /// The address by which search engines shall know the page, with the number of its tag.
    pub canonical: Option<(usize, String)>,
    /// The languages of pages and articles in structured data, each with the number of the tag of its script, the text of this, and
    /// the place there.
    #[serde(skip)]
    data_languages: Vec<(String, usize, Arc<str>, Option<Span>)>,
    /// The text of inline scripts that run.
    #[serde(skip)]
    pub scripts: Vec<String>,
    /// The text of inline stylesheets.
    pub styles: Vec<String>,
    /// Where these begin in the page.
    pub styles_at: Vec<usize>,
    /// Those of them that no island brought: their indexes, and the numbers of their tags.
    #[serde(skip)]
    written_styles: Vec<(usize, usize)>,
    /// Addresses in `style` attributes of islands, each with its island.
    #[serde(skip)]
    carried: BTreeMap<String, Option<String>>,
    /// What is wrong with the page, independent of the rest of the site.
    #[serde(skip)]
    pub mistakes: Vec<PageMistake>,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Addresses and widths in pixels.
    pub files: Vec<(String, f64)>,
    /// How wide the picture is shown.
    pub sizes: Sizes,
}

/// Whether a `<meta>` keeps search engines away from its page. Of several with other rules, the strictest counts.
fn is_for_search_engines(element: &Element) -> bool {
    let content = element.get("content").unwrap_or_default().to_ascii_lowercase();
    element.get("name").is_some_and(|name| name.eq_ignore_ascii_case("robots"))
        && content.split(',').any(|rule| matches!(rule.trim(), "noindex" | "none"))
}

impl Offer {
    fn read(element: &Element) -> Option<Offer> {
        let width = |(address, descriptor): (&str, &str)| {
            Some((address.to_owned(), descriptor.strip_suffix('w')?.parse::<f64>().ok().filter(|width| *width > 0.0)?))
        };
        let files: Option<Vec<_>> = candidates(element.get("srcset")?).map(width).collect();
        let sizes = Sizes::parse(element.get("sizes").unwrap_or("100vw")).ok()?;
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// As it is written, with character references replaced.
    pub address: String,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Purpose {
    /// A link that visitors follow.
    Link,
    /// An address that a page declares for itself or for previews.
    Meta,
    /// A script or a module.
    Script,
    Style,
    /// An image or an icon.
    Image,
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
/// Reads a page tag by tag.
struct PageReader<'c> {
    facts: Facts,
    connections: &'c Connections,
    /// Whether something that a policy governs has begun.
    is_governed: bool,
    /// The number of the tag of the open `<picture>`.
    picture: Option<usize>,
    /// Whether the open form has an address that is declared.
    is_in_declared_form: bool,
    /// Whether an element of a drawing is open that shows what it refers to.
    is_in_picture: bool,
}

impl Facts {
    /// Reads the facts of a page of a site with one language.
    #[cfg(test)]
    pub fn read(html: &str, connections: &Connections) -> Self {
        Facts::read_with(html, connections, None)
    }

    /// Reads the facts of a page of a site that has declared these connections. `originals` are texts in another language that the page
    /// may show.
    pub fn read_with(html: &str, connections: &Connections, originals: Option<&OriginalTexts>) -> Self {
        let mut reader = PageReader::new(html, connections);
        let mut markup = Markup::with(originals);
        let mut count = 0;
        let mut raw: Option<(Tag, usize)> = None;
        let mut attributes: Vec<Attribute> = Vec::new();
        for token in tokens(html) {
            match token {
                Token::Start(tag) => {
                    attributes.clear();
                    attributes.extend(tag.attributes());
                    let name = tag.lower_name();
                    let element = markup.element(&name, &attributes, count);
                    reader.find_place_of_policy(&element, tag.end);
                    reader.start(&element);
                    markup.start(&tag, name, &attributes, count, &mut reader.facts.mistakes);
                    raw = Some((tag, count));
                    count += 1;
                }
                Token::Text(text) => match raw.take() {
                    Some((tag, number)) if tag.is("script") || tag.is("style") => {
                        reader.raw_text(&tag, number, text, markup.island());
                    }
                    _ => markup.text(text, &mut reader.facts.mistakes),
                },
                Token::End(name) => {
                    raw = None;
                    reader.end(name);
                    markup.end(name, count, &mut reader.facts.mistakes);
                    count += 1;
                }
            }
        }
        reader.facts.marked_languages = std::mem::take(&mut markup.marked_languages);
        markup.finish(&reader.facts.ids, &mut reader.facts.mistakes);
        reader.finish()
    }

    /// Returns about how much memory they take.
    pub fn size(&self) -> usize {
        let references = self.references.iter().map(|each| 2 * size_of::<Reference>() + each.address.len());
        2 * size_of::<Facts>() + references.sum::<usize>() + self.styles.iter().map(String::len).sum::<usize>()
    }

    /// Reports structured data of the page that is in none of its languages.
    fn check_data_languages(&mut self) {
        let Some((_, language)) = &self.language else { return };
        let own: BTreeSet<String> = self.languages.iter().chain([language]).map(|tag| primary(tag)).collect();
        let wrong = std::mem::take(&mut self.data_languages);
        for (written, tag, text, span) in wrong.into_iter().filter(|(written, ..)| !own.contains(&primary(written))) {
            let problem = LanguageProblem::DataLanguage { language: language.clone(), written };
            let text = span.map(|span| (text, span));
            self.mistakes.push(PageMistake::new(problem, Some(Location { tag, text, ..Location::default() })));
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
                PageMistake::new(problem, Some(Location { tag: *tag, text, ..Location::default() }))
            }));
        }
    }
}

impl<'c> PageReader<'c> {
    fn new(html: &str, connections: &'c Connections) -> Self {
        // Dense lists have a reference in a hundred bytes; without capacity for them they are copied while they grow.
        let facts = Facts { references: Vec::with_capacity(html.len() / 128), ..Facts::default() };
        PageReader {
            facts,
            connections,
            is_governed: false,
            picture: None,
            is_in_declared_form: false,
            is_in_picture: false,
        }
    }

    /// Notes where a policy can be inserted. `end` is the end of the element's tag.
    fn find_place_of_policy(&mut self, element: &Element, end: usize) {
        if self.is_governed {
            return;
        }
        let has_charset = || element.get("charset").is_some();
        if element.name == "head" && self.facts.policy_at.is_none() || element.name == "meta" && has_charset() {
            self.facts.policy_at = Some(end);
        }
        self.is_governed = matches!(element.name, "script" | "style" | "link" | "img" | "body");
    }

    fn start(&mut self, element: &Element) {
        match element.name {
            "html" => self.facts.language = element.get("lang").map(|language| (element.tag, language.to_owned())),
            "meta" => self.facts.has_robots |= is_for_search_engines(element),
            "picture" => self.picture = Some(element.tag),
            "source" | "img" if !element.is_template => self.picture_file(element),
            "form" => self.form(element),
            "image" | "feimage" | "use" => self.is_in_picture = true,
            "script" => self.check_script(element),
            "iframe" => self.check_frame(element),
            "link" => {
                self.canonical(element);
                self.check_hint(element);
            }
            "xmp" | "plaintext" | "noembed" | "noframes" => self.obsolete(element, "ignore the tags in it"),
            "applet" => self.obsolete(element, "run nothing for it"),
            _ => {}
        }
        if element.attributes.len() <= MOST_ATTRIBUTES {
            element.attributes.iter().for_each(|attribute| self.attribute(element, attribute));
            return;
        }
        // Browsers ignore an attribute that stands twice (HTML Standard 13.2.5.33). Some look others up, so that thousands of
        // them would take time with the square of their number.
        let mut names = BTreeSet::new();
        for attribute in element.attributes {
            if names.insert(attribute.name.to_ascii_lowercase()) {
                self.attribute(element, attribute);
            }
        }
    }

    fn end(&mut self, name: &str) {
        if name.eq_ignore_ascii_case("picture") {
            self.picture = None;
        } else if name.eq_ignore_ascii_case("form") {
            self.is_in_declared_form = false;
        } else if ["image", "feimage", "use"].iter().any(|shown| name.eq_ignore_ascii_case(shown)) {
            self.is_in_picture = false;
        }
    }

    fn finish(self) -> Facts {
        let connections = self.connections;
        let mut facts = self.facts;
        facts.check_data_languages();
        facts.ids.append(&mut facts.names.drain(..).collect());
        // The stylesheet of the islands comes before them.
        for reference in facts.references.iter_mut().filter(|reference| reference.is_in_islands_style()) {
            reference.island = facts.carried.get(&reference.address).cloned().flatten();
        }
        facts.use_connections_of_references(connections);
        // In the order in which they were found. Finding the line of each reads the complete page.
        let mut kept = 0;
        facts.mistakes.retain(|mistake| {
            let keeps = is_kept(kept, &mistake.problem);
            kept += usize::from(keeps);
            keeps
        });
        // The facts of all pages stay in memory until all are checked, and most pages need a fifth of the capacity.
        facts.references.shrink_to_fit();
        facts
    }

    /// Reads the address by which search engines shall know the page.
    fn canonical(&mut self, element: &Element) {
        let mut kinds = element.get("rel").unwrap_or_default().split_ascii_whitespace();
        let address = element.get("href").filter(|_| kinds.any(|kind| kind.eq_ignore_ascii_case("canonical")));
        if let Some(address) = address {
            self.facts.canonical.get_or_insert_with(|| (element.tag, address.trim().to_owned()));
        }
    }

    /// Reads an element that names files of a picture.
    fn picture_file(&mut self, element: &Element) {
        self.facts.pictures.extend(self.picture.map(|picture| (element.tag, picture)));
        let media = element.get("media").filter(|_| element.name == "source");
        self.facts.media.extend(media.map(|media| (element.tag, media.to_owned())));
        if let Some(offer) = Offer::read(element) {
            if let Some((shown, width)) = offer.too_small().filter(|_| element.name == "img") {
                let problem = AssetProblem::SmallPicture { shown, width };
                self.facts.mistakes.push(element.mistake_of("sizes", problem));
            }
            self.facts.offers.insert(element.tag, offer);
        }
        // Browsers learn the size of an image when it arrives, and the page moves.
        let is_number = |attribute| element.get(attribute).is_some_and(|value| value.trim().parse::<f64>().is_ok());
        let is_sized = || is_number("width") && is_number("height");
        if element.name == "img" && !is_sized() && element.get("hidden").is_none() {
            self.facts.mistakes.push(element.mistake(AssetProblem::UnsizedImage));
        }
    }

    /// Reports an element whose content browsers read as text, so that it cannot be checked (HTML Standard 16.2,
    /// "non-conforming features").
    fn obsolete(&mut self, element: &Element, consequence: &str) {
        let detail = format!("`<{}>` is obsolete, and browsers {consequence}", element.name);
        self.facts.mistakes.push(element.mistake(MarkupProblem::Markup { detail }));
    }

    /// Reports a form without an action: browsers send it to the page's own address, and the policy blocks it.
    fn form(&mut self, element: &Element) {
        let action = element.get("action");
        if action.is_none() && sends(element.get("method")) && !handles_form(element) {
            let method = element.get("method").map(|_| ("method".to_owned(), None));
            let location = Location { attribute: method, ..element.location() };
            self.facts.mistakes.push(PageMistake::new(PolicyProblem::FormMethod, Some(location)));
        }
        self.is_in_declared_form =
            action.is_some_and(|address| self.connections.to(address.trim(), Kind::Form).next().is_some());
    }
}

/// Whether a form of this method sends something. Only `dialog` sends nothing (HTML Standard 4.10.18.6,
/// "form-submission-method").
fn sends(method: Option<&str>) -> bool {
    !method.is_some_and(|method| method.trim().eq_ignore_ascii_case("dialog"))
}

/// Whether a form is handled by its island, which does not say where it goes: until the island runs, the policy keeps the form
/// from being sent.
fn handles_form(element: &Element) -> bool {
    let method = element.get("method");
    element.is_handled && (method.is_none() || !sends(method))
}

/// Whether an origin is of this computer, to which browsers trust plain `http:` (Secure Contexts, 3.1).
pub fn is_local(origin: &str) -> bool {
    let local = ["http://localhost", "http://127.0.0.1"].into_iter().find_map(|local| origin.strip_prefix(local));
    local.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
}

/// Whether an address is that of an empty page.
pub fn is_blank_page(address: &str) -> bool {
    address.trim().eq_ignore_ascii_case("about:blank")
}

#[cfg(test)]
mod tests {
    use super::raw_text::jobs_without_place;
    use super::*;
    use sitegen_core::diagnostics::{AccessibilityProblem, Problem, code};

    fn facts_of(html: &str) -> Facts {
        Facts::read(html, &Connections::default())
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
    fn a_policy_governs_every_script_that_browsers_run() {
        for (kind, is_run) in [
            ("", true),
            (" Text/ECMAScript ", true),
            ("text/jscript", true),
            ("application/x-javascript", true),
            ("module", true),
            ("text/javascript2", false),
            ("text/template", false),
        ] {
            let facts = facts_of(&format!("<body><script type=\"{kind}\">a()</script></body>"));
            assert_eq!(facts.scripts.len(), usize::from(is_run), "{kind}");
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
            "<svg><rect><set attributeName=fill to='url(/x)'/></rect></svg>",
            "<style>@import '/x';</style>",
            "<style>p { background: image-set('/x' 1x) }</style>",
            "<math><mrow href=/x></mrow></math>",
            "<head profile=/x>",
            "<script type=importmap>{\"scopes\": {\"/a/\": {\"a\": \"/x\", \"b/\": \"/b/\"}}}</script>",
            "<script type=speculationrules>{\"prefetch\": [{\"urls\": [\"/x\"]}]}</script>",
            "<meta http-equiv=Refresh content='0; URL=\"/x\"'>",
            "<meta http-equiv=refresh content='5;/x'>",
            "<meta http-equiv=refresh content='5 /x'>",
            "<meta http-equiv=refresh content=' 0.5 ,URL = /x'>",
        ] {
            let facts = facts_of(html);
            assert!(facts.references.iter().any(|each| each.address == "/x"), "{html}: {:?}", facts.references);
        }
        for html in [
            "<style>/* url(/x) */ p::before { content: 'url(/x)' }</style>",
            "<style>@namespace url(/x);</style>",
            "<svg><use href='#a'><set attributeName=href to='#x'/></use></svg>",
            "<meta http-equiv=refresh content='url=/x'>",
            "<meta http-equiv=refresh content='5x /x'>",
        ] {
            assert_eq!(facts_of(html).references, [], "{html}");
        }
        let shown = facts_of("<svg><image href=/y><animate attributeName=href values='/x;/x'/></image></svg>");
        assert!(shown.references.iter().all(|each| each.purpose == Purpose::Image), "{:?}", shown.references);
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
