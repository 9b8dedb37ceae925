//! Checks markup for mistakes that a program can detect: missing names for assistive technology, the order of headings,
//! tags that do not match. The rules are those of WCAG 2.2 and of the WHATWG HTML Standard, named at each.

use super::direction;
use super::element::Element;
use super::mistakes::{Location, PageMistake};
use sitegen_content::languages::Language;
use sitegen_core::diagnostics::{AccessibilityProblem, LanguageProblem, MarkupProblem, Problem};
use sitegen_core::html::{Attribute, Tag, decode, is_void, lower};
use sitegen_locale::primary;
use sitegen_pages::OriginalTexts;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};

/// Elements whose end tag may be left out (HTML Standard 13.1.2.4).
const OPTIONAL_END: [&str; 19] = [
    "html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup", "caption", "thead",
    "tbody", "tfoot", "tr", "td", "th",
];
/// Whether the start tag of an element ends a paragraph that is open (HTML Standard 13.2.6.4.7, "close a p element").
fn ends_paragraph(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "plaintext"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "ul"
            | "xmp"
    )
}

/// Whether an element keeps what is in it from ending a paragraph around it (HTML Standard 13.2.4.2, "button scope"), or its content
/// is text for browsers with scripts.
fn is_scope(name: &str) -> bool {
    matches!(
        name,
        "applet"
            | "button"
            | "caption"
            | "html"
            | "marquee"
            | "object"
            | "select"
            | "svg"
            | "math"
            | "table"
            | "td"
            | "template"
            | "th"
            | "iframe"
            | "noscript"
    )
}

/// The state of checking a page.
#[derive(Default)]
pub struct Markup<'a> {
    open: Vec<OpenElement<'a>>,
    /// What the names of elements mean.
    kinds: Kinds<'a>,
    /// How many of the open elements are SVG or MathML.
    svgs: usize,
    /// How many of them are templates for scripts.
    templates: usize,
    /// Which of the open elements are roots of islands.
    islands: Vec<usize>,
    /// Which of them are labels.
    labels: Vec<usize>,
    /// Which of them are paragraphs.
    paragraphs: Vec<usize>,
    /// Which of them are [scopes](is_scope).
    scopes: Vec<usize>,
    /// How many of the open elements are hidden, and what is in them with them.
    hidden: usize,
    /// The level of the last heading, or 0.
    heading: u8,
    /// The first heading, if it is not of the first level.
    first_heading: Option<(u8, Location)>,
    h1: usize,
    main: usize,
    has_title: bool,
    title: Option<usize>,
    has_html: bool,
    /// Form fields without a name of their own, with the id a label may refer to.
    unnamed: Vec<(Location, String, Option<String>)>,
    /// Ids of fields that a label with text names.
    labelled: BTreeSet<String>,
    /// Labels without text, each with the id of a field, and whether that field is in the label.
    empty_labels: Vec<(Location, Option<String>, bool)>,
    /// The ids that attributes refer to.
    used_ids: Vec<(Location, String)>,
    /// The names and ids of maps, which `usemap` refers to.
    maps: BTreeSet<String>,
    /// What the `usemap` of pictures refers to.
    used_maps: Vec<(Location, String)>,
    /// The ids in each `aria-labelledby` outside of islands.
    labelled_by: Vec<(Location, Vec<String>)>,
    /// Ids of elements without text.
    without_text: BTreeSet<String>,
    /// The languages of elements around texts, see [`Facts`](super::facts::Facts).
    pub marked_languages: BTreeSet<String>,
    /// The texts in another language that the page may show.
    originals: Option<&'a OriginalTexts<'a>>,
    /// Which of the open elements name a language, and whether that is the one of these texts. Noted only if there are any.
    languages: Vec<(usize, bool)>,
    /// How many of these texts are not marked.
    unmarked: usize,
}

/// The most texts in another language that are reported for one page. A list that does not mark one marks none.
const MOST_UNMARKED: usize = 16;

/// Elements that name something to choose, such as a language.
const CHOICES: [&str; 8] = ["a", "button", "label", "li", "nav", "option", "select", "summary"];

/// The elements of one name.
struct ElementKind<'a> {
    name: Cow<'a, str>,
    /// How many of them are open: a page may nest many.
    open: usize,
    is_void: bool,
    is_scope: bool,
    is_svg: bool,
    is_template: bool,
    ends_paragraph: bool,
}

impl<'a> ElementKind<'a> {
    fn new(name: Cow<'a, str>) -> Self {
        ElementKind {
            open: 0,
            is_void: is_void(&name),
            is_scope: is_scope(&name),
            is_svg: matches!(&*name, "svg" | "math"),
            is_template: name == "template",
            ends_paragraph: ends_paragraph(&name),
            name,
        }
    }
}

/// The number of kinds among which a name is looked up one by one. Few pages have more.
const FEW: usize = 48;

/// The kinds of elements of a page, in the order in which they came.
struct Kinds<'a> {
    all: Vec<ElementKind<'a>>,
    /// The numbers of those after the first [`FEW`].
    later: BTreeMap<Cow<'a, str>, usize>,
    /// For the length and two letters of a name the number of the last kind that had them: most elements have a name that came
    /// before.
    last: [u8; 64],
}

impl Default for Kinds<'_> {
    fn default() -> Self {
        Kinds { all: Vec::new(), later: BTreeMap::new(), last: [0; 64] }
    }
}

impl<'a> Kinds<'a> {
    /// Returns the number of the kind with a name, and adds it if the page does not have it.
    fn of(&mut self, name: Cow<'a, str>) -> usize {
        let letter = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or_default());
        let bytes = name.as_bytes();
        let place = (letter(bytes.first()) + 5 * letter(bytes.last()) + 9 * bytes.len()) % self.last.len();
        let last = usize::from(self.last[place]);
        if self.all.get(last).is_some_and(|kind| kind.name == name) {
            return last;
        }
        let number = self.number(&name).unwrap_or_else(|| self.add(name));
        if let Ok(number) = u8::try_from(number) {
            self.last[place] = number;
        }
        number
    }

    fn add(&mut self, name: Cow<'a, str>) -> usize {
        let number = self.all.len();
        if number >= FEW {
            self.later.insert(name.clone(), number);
        }
        self.all.push(ElementKind::new(name));
        number
    }

    /// Returns the number of the kind with a name, if the page has it.
    fn number(&self, name: &str) -> Option<usize> {
        let first = self.all.iter().take(FEW).position(|kind| kind.name == name);
        first.or_else(|| self.later.get(name).copied())
    }
}

impl<'a> Index<usize> for Kinds<'a> {
    type Output = ElementKind<'a>;

    fn index(&self, number: usize) -> &ElementKind<'a> {
        &self.all[number]
    }
}

impl IndexMut<usize> for Kinds<'_> {
    fn index_mut(&mut self, number: usize) -> &mut Self::Output {
        &mut self.all[number]
    }
}

/// An open element.
struct OpenElement<'a> {
    name: Cow<'a, str>,
    /// The number of its [`ElementKind`].
    kind: usize,
    tag: usize,
    /// Whether something in it gives a name to a link, a button, a label or a heading.
    has_text: bool,
    /// Whether it has to have a text or a name.
    needs_text: bool,
    is_hidden: bool,
    /// Whether its text is written from right to left.
    is_right_to_left: bool,
    /// Whether its text was passed on to the elements around it already.
    has_given: bool,
    /// Whether what is in it comes from a template, inside an island.
    is_slot: bool,
    /// Whether no script handles what is in it.
    is_static: bool,
    /// What few elements have, apart, so that the others are moved quickly.
    details: Option<Box<Details>>,
}

/// What few open elements have.
#[derive(Default)]
struct Details {
    id: Option<String>,
    /// The `for` of a label.
    label_for: Option<String>,
    /// The ids of the fields in a label that have no name of their own.
    fields: Vec<Option<String>>,
    /// The island that begins here.
    island: Option<String>,
    /// What ends it early, if it is a paragraph: an element, and its place.
    ended_by: Option<(String, Location)>,
}

impl OpenElement<'_> {
    /// Returns the island that begins here.
    fn island(&self) -> Option<&str> {
        self.details.as_ref()?.island.as_deref()
    }

    fn details_mut(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }
}

impl<'a> Markup<'a> {
    /// Begins with a page that may show texts in another language.
    pub fn with(originals: Option<&'a OriginalTexts<'a>>) -> Self {
        Markup { originals, ..Markup::default() }
    }

    /// Returns the island that the current markup belongs to.
    pub fn island(&self) -> Option<&str> {
        self.open[*self.islands.last()?].island()
    }

    fn location(&self, tag: usize) -> Location {
        Location { tag, island: self.island().map(str::to_owned), ..Location::default() }
    }

    fn push(&mut self, open: OpenElement<'a>) {
        let kind = &mut self.kinds[open.kind];
        kind.open += 1;
        self.svgs += usize::from(kind.is_svg);
        self.templates += usize::from(kind.is_template);
        self.hidden += usize::from(open.is_hidden);
        if open.island().is_some() || open.is_slot {
            self.islands.push(self.open.len());
        }
        match &*open.name {
            "label" => self.labels.push(self.open.len()),
            "p" => self.paragraphs.push(self.open.len()),
            _ if kind.is_scope => self.scopes.push(self.open.len()),
            _ => {}
        }
        self.open.push(open);
    }

    fn pop(&mut self) -> Option<OpenElement<'a>> {
        let open = self.open.pop()?;
        if self.languages.last().is_some_and(|(at, _)| *at == self.open.len()) {
            self.languages.pop();
        }
        let kind = &mut self.kinds[open.kind];
        kind.open -= 1;
        self.svgs -= usize::from(kind.is_svg);
        self.templates -= usize::from(kind.is_template);
        self.hidden -= usize::from(open.is_hidden);
        if open.island().is_some() || open.is_slot {
            self.islands.pop();
        }
        match &*open.name {
            "label" => _ = self.labels.pop(),
            "p" => _ = self.paragraphs.pop(),
            _ if kind.is_scope => _ = self.scopes.pop(),
            _ => {}
        }
        if !open.has_text
            && let Some(id) = open.details.as_ref().and_then(|details| details.id.as_ref())
        {
            self.without_text.insert(id.clone());
        }
        Some(open)
    }

    /// Returns a start tag as an element in what is open, by its number in the page.
    pub fn element<'e>(&'e self, name: &'e str, attributes: &'e [Attribute<'e>], tag: usize) -> Element<'e> {
        let root = self.islands.last().map(|at| &self.open[*at]);
        let is_handled = root.is_some_and(|root| root.island().is_some() && !root.is_static);
        Element { name, attributes, tag, island: self.island(), is_handled, is_template: self.templates > 0 }
    }

    /// Handles a start tag, by its number in the page.
    pub fn start(
        &mut self,
        tag: &Tag,
        name: Cow<'a, str>,
        attributes: &[Attribute],
        number: usize,
        mistakes: &mut Vec<PageMistake>,
    ) {
        let kind = self.kinds.of(name.clone());
        self.end_siblings(&name);
        self.end_paragraph(&name, kind, number);
        let island = self.island().map(str::to_owned);
        let Element { is_handled, is_template, .. } = self.element(&name, attributes, number);
        let island = island.as_deref();
        let element = Element { name: &name, attributes, tag: number, island, is_handled, is_template };
        let is_hidden = element.is_hidden();
        let is_named = element.is_named();
        // What nobody sees or hears needs no name.
        let is_unseen = element.is_template || is_hidden || self.hidden > 0;
        self.check_element(&element, is_unseen, mistakes);
        let is_right_to_left = self.check_direction(&element, mistakes);
        if let Some(language) = element.get("lang").filter(|language| !self.marked_languages.contains(*language))
            && !CHOICES.iter().any(|choice| *choice == name || self.is_open(choice))
        {
            self.marked_languages.insert(language.to_owned());
        }
        if !is_unseen {
            self.check_heading(&element, mistakes);
        }
        for attribute in attributes {
            self.check_attribute(&element, &lower(attribute.name), &attribute.value, mistakes);
        }
        if shows_text(&element) || is_named && !is_field(&name) {
            self.give_text();
        }
        if self.kinds[kind].is_void || self.in_svg() && tag.rest.trim_end().ends_with('/') {
            return;
        }
        let is_static = element.get("data-component").is_some() && element.get("data-enhance").is_none();
        let is_slot = element.island.is_some() && element.get("data-slot").is_some();
        let id = element.get("id").filter(|id| !id.is_empty()).map(str::to_owned);
        let root = element.get("data-island").or_else(|| element.get("data-component")).map(str::to_owned);
        // Without an address it is no link (HTML Standard 4.5.1, "placeholder").
        let is_placeholder =
            name == "a" && !element.has("href") && !element.has("xlink:href") && role_of(&element).is_empty();
        let needs_text = needs_text(&element);
        let label_for = element.get("for").filter(|_| name == "label").map(|id| id.trim().to_owned());
        if let Some((originals, language)) = self.originals.zip(element.get("lang")) {
            let is_original = primary(language) == primary(&originals.language.tag);
            self.languages.push((self.open.len(), is_original));
        }
        let has_details = id.is_some() || root.is_some() || label_for.is_some();
        let details = has_details.then(|| Box::new(Details { id, label_for, island: root, ..Details::default() }));
        self.push(OpenElement {
            name,
            kind,
            tag: number,
            has_text: is_named || is_placeholder,
            needs_text,
            is_hidden,
            is_right_to_left,
            has_given: false,
            is_slot,
            is_static,
            details,
        });
    }

    /// Closes the elements that the HTML parser closes by itself when the next of them begins (HTML Standard 13.2.6.4.7).
    fn end_siblings(&mut self, name: &str) {
        let siblings: &[&str] = match name {
            "li" => &["li"],
            "dt" | "dd" => &["dt", "dd"],
            "tr" => &["tr", "td", "th"],
            "td" | "th" => &["td", "th"],
            "option" => &["option"],
            "tbody" | "tfoot" => &["thead", "tbody", "tr", "td", "th"],
            "body" => &["head"],
            _ => return,
        };
        while self.open.last().is_some_and(|open| siblings.contains(&&*open.name)) {
            self.pop();
        }
    }

    /// Notes an element that ends the open paragraph. Only the end tag of that shows that it was meant to go on: it may be left
    /// out.
    fn end_paragraph(&mut self, name: &str, kind: usize, number: usize) {
        let Some(paragraph) = self.paragraphs.last().copied() else { return };
        if self.scopes.last().is_none_or(|scope| *scope < paragraph)
            && self.kinds[kind].ends_paragraph
            && self.open[paragraph].details.as_ref().is_none_or(|details| details.ended_by.is_none())
        {
            let location = Location { paragraph: Some(self.open[paragraph].tag), ..self.location(number) };
            self.open[paragraph].details_mut().ended_by = Some((name.to_owned(), location));
        }
    }

    /// Checks an element by its name.
    fn check_element(&mut self, element: &Element, is_unseen: bool, mistakes: &mut Vec<PageMistake>) {
        let name = element.name;
        let mut report = |problem: Problem| mistakes.push(element.mistake(problem));
        match name {
            // In an SVG these contain tags that browsers read.
            "style" | "script" if self.in_svg() => {
                report(MarkupProblem::Markup { detail: format!("a `<{name}>` inside `<svg>` is not allowed") }.into());
            }
            "html" => {
                self.has_html = true;
                // WCAG 3.1.1
                if !element.has("lang") {
                    report(AccessibilityProblem::MissingLang.into());
                }
            }
            // HTML Standard 4.2. Components can render them, too.
            "title" | "meta" | "link"
                if is_for_the_head(element) && self.is_open("body") && !self.in_svg() && !element.is_template =>
            {
                let is_in_island = element.island.is_some();
                report(MarkupProblem::HeadElement { element: name.to_owned(), is_in_island }.into());
            }
            "title" if !self.is_open("svg") => {
                self.has_title = true;
                self.title = Some(element.tag);
            }
            "main" if !is_unseen => {
                self.main += 1;
                if self.main > 1 {
                    report(MarkupProblem::Repeated { element: "main" }.into());
                }
            }
            "img" | "area" if !is_unseen && lacks_alternative(element) => {
                report(AccessibilityProblem::MissingAlt { element: name.to_owned() }.into());
            }
            // Scripts set it in a template.
            "img" if !element.is_template && element.get("src").is_none() && element.get("srcset").is_none() => {
                report(MarkupProblem::Markup { detail: "this `<img>` has no `src`".into() }.into());
            }
            "input" | "select" | "textarea" => self.check_field(element, is_unseen, mistakes),
            _ => {}
        }
    }

    /// Checks that a field has a name, or notes it until its label is known.
    fn check_field(&mut self, element: &Element, is_unseen: bool, mistakes: &mut Vec<PageMistake>) {
        if element.is_named() {
            return;
        }
        let kind = element.get("type").unwrap_or_default().to_ascii_lowercase();
        if kind == "image" && !element.has("alt") && !is_unseen {
            let problem = AccessibilityProblem::MissingAlt { element: element.name.to_owned() };
            mistakes.push(element.mistake(problem));
        }
        if element.name == "input" && matches!(kind.as_str(), "hidden" | "submit" | "reset" | "button" | "image") {
            // Browsers have a text for the buttons of a form without a `value` (axe-core's rule `input-button-name`). A label may
            // name it too.
            let has_text = match kind.as_str() {
                "button" => element.has("value"),
                "submit" | "reset" => element.has("value") || element.get("value").is_none(),
                _ => true,
            };
            if !has_text && !is_unseen && element.get("id").is_none() && self.labels.is_empty() {
                mistakes.push(element.mistake(AccessibilityProblem::EmptyText { element: "input".to_owned() }));
            }
            return;
        }
        // An island may keep a value in a field that nobody sees, and that no screen reader reads. Elsewhere the keyboard would
        // lead to a field with `aria-hidden` (axe-core's rule `aria-hidden-focus`).
        let is_kept = element.get("aria-hidden") == Some("true") && element.island.is_some()
            || element.get("data-island-style").is_some_and(|style| style.contains("display:none"))
            || element.get("hidden").is_some()
            || element.is_template
            || self.hidden > 0;
        if is_kept {
            return;
        }
        // WCAG 1.3.1 and 4.1.2
        let id = element.get("id").map(str::to_owned);
        match self.labels.last() {
            Some(label) => self.open[*label].details_mut().fields.push(id),
            None => {
                let name = element.get("name").unwrap_or_default().to_owned();
                self.unnamed.push((element.location(), name, id));
            }
        }
    }

    /// Checks the order of headings (WCAG 1.3.1, as axe-core's rule `heading-order` reads it: a menu may have a heading before
    /// that of the page).
    fn check_heading(&mut self, element: &Element, mistakes: &mut Vec<PageMistake>) {
        let Some(level) = level_of_heading(element) else { return };
        if level == 1 {
            self.h1 += 1;
            if self.h1 > 1 && element.name == "h1" {
                mistakes.push(element.mistake(MarkupProblem::Repeated { element: "h1" }));
            }
        }
        if self.heading == 0 && level > 1 {
            self.first_heading = Some((level, element.location()));
        } else if level > self.heading + 1 {
            mistakes.push(element.mistake(AccessibilityProblem::HeadingSkip {
                level,
                previous: self.heading,
                shift: 0,
            }));
        }
        self.heading = level;
    }

    /// Returns whether the text of an element is written from right to left, and checks that against its language.
    fn check_direction(&self, element: &Element, mistakes: &mut Vec<PageMistake>) -> bool {
        let around = self.open.last().is_some_and(|open| open.is_right_to_left);
        // An SVG has no `dir`.
        let get = |attribute| element.get(attribute).filter(|_| !self.in_svg());
        let (is_right_to_left, problem) = direction::read(element.name, get("lang"), get("dir"), around);
        mistakes.extend(problem.map(|problem| element.mistake(problem)));
        is_right_to_left
    }

    /// Checks an attribute, by its name in lower case.
    fn check_attribute(&mut self, element: &Element, name: &str, value: &str, mistakes: &mut Vec<PageMistake>) {
        match name {
            "lang" | "hreflang" if !is_language(value) => {
                let meant = value.trim().replace('_', "-");
                let meant = if is_language(&meant) { meant } else { "en` or `de-AT".to_owned() };
                let detail = format!("`{value}` is not a language tag like `{meant}`");
                mistakes.push(element.mistake_of(name, MarkupProblem::Markup { detail }));
            }
            _ if element.is_template => {}
            "name" | "id" if element.name == "map" => {
                self.maps.insert(value.to_owned());
            }
            "usemap" if matches!(element.name, "img" | "input" | "object") => self.use_map(element, value, mistakes),
            "for" if element.name == "label" => self.use_ids(element, name, value),
            "popovertarget" | "commandfor" if matches!(element.name, "button" | "input") => {
                self.use_ids(element, name, value);
            }
            "aria-labelledby" | "aria-describedby" | "aria-controls" | "aria-owns" => {
                self.use_ids(element, name, value)
            }
            _ => {}
        }
    }

    /// Notes the map that a picture uses (HTML Standard 2.3.8, "rules for parsing a hash-name reference").
    fn use_map(&mut self, element: &Element, value: &str, mistakes: &mut Vec<PageMistake>) {
        match value.split_once('#').filter(|(_, map)| !map.is_empty()) {
            Some((_, map)) => self.used_maps.push((element.location_of("usemap", Some(value)), map.to_owned())),
            None => {
                let detail = format!("`usemap=\"{value}\"` is no name of a map like `#name`");
                mistakes.push(element.mistake_of("usemap", MarkupProblem::Markup { detail }));
            }
        }
    }

    /// Notes the ids of the same page that an attribute has.
    fn use_ids(&mut self, element: &Element, attribute: &str, ids: &str) {
        // What an island describes itself by, such as a tooltip, may be rendered in the browser alone. What is closed may not be
        // there yet (axe-core's rule `aria-valid-attr-value`).
        let is_closed = element.get("aria-expanded") == Some("false") || element.get("aria-selected") == Some("false");
        if element.island.is_some() && attribute != "for"
            || is_closed && matches!(attribute, "aria-controls" | "aria-owns")
        {
            return;
        }
        if attribute == "aria-labelledby" {
            let ids = ids.split_ascii_whitespace().map(str::to_owned).collect();
            self.labelled_by.push((element.location_of(attribute, None), ids));
        }
        for id in ids.split_ascii_whitespace() {
            self.used_ids.push((element.location_of(attribute, Some(id)), id.to_owned()));
        }
    }

    /// Handles text between tags.
    pub fn text(&mut self, text: &str, mistakes: &mut Vec<PageMistake>) {
        let is_blank = match text.bytes().find(|byte| !byte.is_ascii_whitespace()) {
            None => true,
            // White space can be written as a reference, and need not be ASCII.
            Some(b'&' | 0x80..) => decode(text).trim().is_empty(),
            Some(_) => false,
        };
        if is_blank {
            return;
        }
        if self.open.last().is_some_and(|open| open.name == "title") {
            self.title = None;
        }
        self.give_text();
        mistakes.extend(self.unmarked(text));
    }

    /// Reports a text of an original that is not marked as one.
    fn unmarked(&mut self, text: &str) -> Option<PageMistake> {
        let originals = self.originals.filter(|_| self.unmarked < MOST_UNMARKED)?;
        let is_marked = self.languages.last().is_some_and(|(_, is_original)| *is_original);
        if is_marked || !originals.contains(&decode(text)) || self.is_open("head") {
            return None;
        }
        self.unmarked += 1;
        let Language { tag, .. } = originals.language;
        let problem =
            LanguageProblem::UnmarkedEntry { language: tag.clone(), direction: originals.language.direction() };
        Some(PageMistake::new(problem, Some(self.location(self.open.last()?.tag))))
    }

    /// Handles an end tag.
    pub fn end(&mut self, name: &str, number: usize, mistakes: &mut Vec<PageMistake>) {
        let name = lower(name);
        if self.open.last().is_none_or(|open| open.name != name) && !self.is_open(&name) {
            // `</p>` alone is an empty paragraph and `</br>` a line break; both are mistakes too.
            let location = Some(self.location(number));
            mistakes.push(PageMistake::new(MarkupProblem::StrayEnd { element: name.into_owned() }, location));
            return;
        }
        while let Some(open) = self.pop() {
            // WCAG 2.4.4 and 4.1.2; an empty heading is useless for navigation. WCAG 1.3.1: a label without text leaves
            // its field without a name. A hidden label still gives it one.
            let mut ended_by = None;
            if let Some(details) = open.details {
                ended_by = details.ended_by;
                if open.has_text {
                    self.labelled.extend(details.label_for);
                } else {
                    let empty = |id, is_in_label| (self.location(open.tag), id, is_in_label);
                    let labels = details.label_for.map(|id| empty(Some(id), false)).into_iter();
                    let within = details.fields.into_iter().map(|id| empty(id, true));
                    let labels: Vec<_> = labels.chain(within).collect();
                    self.empty_labels.extend(labels);
                }
            }
            let is_unseen = open.is_hidden || self.hidden > 0 || self.templates > 0;
            if open.needs_text && !is_unseen && !open.has_text {
                let problem = AccessibilityProblem::EmptyText { element: open.name.to_string() };
                mistakes.push(PageMistake::new(problem, Some(self.location(open.tag))));
            }
            if open.name == name {
                if let Some((element, location)) = ended_by {
                    let detail = format!(
                        "a paragraph cannot contain `<{element}>`: browsers end it there, and its `</p>` creates an empty one"
                    );
                    mistakes.push(PageMistake::new(MarkupProblem::Markup { detail }, Some(location)));
                }
                return;
            }
            if !OPTIONAL_END.contains(&&*open.name) {
                let location = Some(self.location(open.tag));
                mistakes.push(PageMistake::new(MarkupProblem::Unclosed { element: open.name.into_owned() }, location));
            }
        }
    }

    /// Handles the end of the page.
    pub fn finish(mut self, ids: &BTreeSet<String>, mistakes: &mut Vec<PageMistake>) {
        for open in std::mem::take(&mut self.open) {
            if !OPTIONAL_END.contains(&&*open.name) {
                let location = Some(Location { tag: open.tag, ..Location::default() });
                mistakes.push(PageMistake::new(MarkupProblem::Unclosed { element: open.name.into_owned() }, location));
            }
        }
        let labelled = self.labelled;
        let is_labelled = |id: &Option<String>| id.as_ref().is_some_and(|id| labelled.contains(id));
        let mut unnamed = self.unnamed;
        unnamed.retain(|(_, _, id)| !is_labelled(id));
        let mut explained = BTreeSet::new();
        let mut reported = BTreeSet::new();
        for (location, id, is_in_label) in self.empty_labels {
            // A field whose label is not around it may have a name of its own.
            let is_missed = is_in_label || unnamed.iter().any(|(_, _, field)| *field == id);
            if !is_missed || is_labelled(&id) {
                continue;
            }
            explained.extend(id);
            if reported.insert(location.tag) {
                let problem = AccessibilityProblem::EmptyText { element: "label".to_owned() };
                mistakes.push(PageMistake::new(problem, Some(location)));
            }
        }
        for (location, field, id) in unnamed {
            if !id.is_some_and(|id| explained.contains(&id)) {
                let problem = AccessibilityProblem::MissingLabel { field };
                mistakes.push(PageMistake::new(problem, Some(location)));
            }
        }
        // WCAG 4.1.2: the name of an element is the text of those that `aria-labelledby` lists.
        for (location, labels) in self.labelled_by {
            let mut known = labels.iter().filter(|id| ids.contains(*id)).peekable();
            if let Some(first) = known.peek().copied()
                && known.all(|id| self.without_text.contains(id))
            {
                let detail = format!("`aria-labelledby` refers to `{first}`, which has no text");
                mistakes.push(PageMistake::new(MarkupProblem::Markup { detail }, Some(location)));
            }
        }
        for (location, id) in self.used_maps {
            if !self.maps.contains(&id) {
                let problem = MarkupProblem::UnknownId { attribute: "usemap".to_owned(), id };
                mistakes.push(PageMistake { problem: problem.into(), location: Some(location) });
            }
        }
        for (location, id) in self.used_ids {
            if !ids.contains(&id) {
                let attribute = location.attribute.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
                mistakes.push(PageMistake::new(MarkupProblem::UnknownId { attribute, id }, Some(location)));
            }
        }
        // A page of headings without a first one.
        if let Some((level, location)) = self.first_heading.filter(|_| self.h1 == 0) {
            mistakes.push(PageMistake::new(
                AccessibilityProblem::HeadingSkip { level, previous: 0, shift: 0 },
                Some(location),
            ));
        }
        // WCAG 2.4.2
        if self.has_html && (!self.has_title || self.title.is_some()) {
            let location = self.title.map(|tag| Location { tag, ..Location::default() });
            mistakes.push(PageMistake::new(AccessibilityProblem::MissingTitle, location));
        }
    }

    /// Visible text names every link, button and heading around it.
    fn give_text(&mut self) {
        for open in self.open.iter_mut().rev() {
            // An element that has passed on a text has done so to everything around it, up to a hidden one. The options
            // of a field and what is typed into it name nothing.
            if open.has_given || is_field(&open.name) {
                return;
            }
            open.has_text = true;
            open.has_given = true;
            if open.is_hidden {
                return;
            }
        }
    }

    /// Whether an element with this name is open.
    fn is_open(&self, name: &str) -> bool {
        self.kinds.number(name).is_some_and(|number| self.kinds[number].open > 0)
    }

    fn in_svg(&self) -> bool {
        self.svgs > 0
    }
}

/// Whether an element has its place in the head alone (HTML Standard 4.2.2, 4.2.4 with the table "link types" for what is
/// "body-ok", and 4.2.5).
fn is_for_the_head(element: &Element) -> bool {
    const IN_BODY: [&str; 7] =
        ["dns-prefetch", "modulepreload", "pingback", "preconnect", "prefetch", "preload", "stylesheet"];
    let is_in_body = |relation: &str| IN_BODY.iter().any(|allowed| relation.eq_ignore_ascii_case(allowed));
    match element.name {
        "title" => true,
        _ if element.get("itemprop").is_some() => false,
        "link" => !element.get("rel").unwrap_or_default().split_ascii_whitespace().all(is_in_body),
        _ => true,
    }
}

/// Returns the level of a heading (WAI-ARIA 1.2, `heading`: the role and the level that are written count before those of the
/// element, and the level is 2 if none is given).
fn level_of_heading(element: &Element) -> Option<u8> {
    let level_of_name = match element.name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    };
    let written = || element.get("aria-level")?.trim().parse().ok().filter(|level| *level > 0);
    match role_of(element) {
        "heading" => written().or(level_of_name).or(Some(2)),
        "" => level_of_name.map(|level| written().unwrap_or(level)),
        _ => None,
    }
}

/// Whether an element has to have a text or a name (axe-core's rules `link-name`, `button-name`, `summary-name`, `empty-heading` and
/// `aria-command-name`).
fn needs_text(element: &Element) -> bool {
    matches!(element.name, "a" | "button" | "summary" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
        || matches!(role_of(element), "button" | "heading" | "link" | "menuitem")
}

/// Returns the first role of an element, or an empty text.
fn role_of<'p>(element: &Element<'p>) -> &'p str {
    element.get("role").and_then(|roles| roles.split_ascii_whitespace().next()).unwrap_or_default()
}

/// Whether an image lacks a text (WCAG 1.1.1, as axe-core's rules `image-alt` and `area-alt` read it; `alt=""` is right for
/// decoration).
fn lacks_alternative(element: &Element) -> bool {
    let needs_text = match element.name {
        "img" => !matches!(role_of(element), "none" | "presentation"),
        _ => element.has("href"),
    };
    needs_text && element.get("alt").is_none() && !element.is_named()
}

/// Whether an element without content shows a text. Of a field, only the value of a button is text on the page.
fn shows_text(element: &Element) -> bool {
    match element.name {
        "img" => element.has("alt"),
        // It shows the chosen option of the `<select>` around it (HTML Standard 4.10.11, "selectedcontent").
        "selectedcontent" => true,
        "input" => {
            let kind = element.get("type").unwrap_or_default().to_ascii_lowercase();
            element.has("value") && matches!(kind.as_str(), "button" | "submit" | "reset")
        }
        _ => false,
    }
}

/// Whether an element is a field whose content is its value.
fn is_field(name: &str) -> bool {
    matches!(name, "input" | "select" | "textarea" | "datalist")
}

/// Whether a text has the form of a language tag (RFC 5646, 2.1), or stands for no language or for any.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or_default();
    let is_first = matches!(first, "x" | "i")
        || (2..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_rest =
        parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    tag.is_empty() || is_first && is_rest
}

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use sitegen_content::connections::Connections;
    use sitegen_core::diagnostics::code;

    fn codes(body: &str) -> Vec<&'static str> {
        let page = format!("<!doctype html><html lang=en><head><title>T</title></head><body>{body}</body></html>");
        Facts::read(&page, &Connections::default()).mistakes.iter().map(|each| code(&each.problem)).collect()
    }

    #[test]
    fn valid_markup_has_no_mistakes() {
        for valid in [
            "<main><h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2></main>",
            "<ul><li>a<li>b</ul><p>one<table><tr><td>x<td>y<tr><th>z</table>",
            "<img src=/a alt=\"\" width=1 height=1><a href=/><img src=/a alt=Home width=1 height=1></a>",
            "<label for=a>A</label><input id=a><label>B <textarea></textarea></label><input aria-label=C><input type=hidden>",
            "<div data-island=A><input aria-label=a aria-describedby=nope></div>",
            "<button aria-label=Close><svg viewBox='0 0 1 1'><path d='M0 0'/></svg></button>",
            "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
            "<svg><title>A</title></svg><meta itemprop=a content=b><link rel=stylesheet><link rel='Preload prefetch'>",
            "<label><input type=checkbox> I agree</label><label for=a><img src=/a alt=Name width=1 height=1></label><input id=a>",
            "<label for=a aria-label=Name></label><input id=a><label for=b hidden>B</label><input id=b>",
            "<label><input type=checkbox aria-label=Dark><span></span></label><label for=a></label><input id=a aria-label=A>",
            "<label><input id=a></label><label for=a>A</label>",
            "<p lang=de-AT>x <span lang=''>y</span></p><a href=/ hreflang=x-default>z</a><i lang=zh-Hant-TW>z</i>",
            "<p>one<p>two</p><p>three<div>four</div><ul><li><p>five<li><p>six</p></ul>",
            "<p><button>a<div>b</div></button><object><p>c</p></object></p><p><template><div>d</div></template></p>",
            "<nav><h2>Menu</h2></nav><main><h1>A</h1><h2>B</h2></main>",
            "<h1>A</h1><div role=heading aria-level=2>B</div><h3>C</h3><h6 role=presentation>D</h6><h3 hidden></h3><h4>E</h4>",
            "<h1 hidden>A</h1><h1>B</h1><div hidden><main></main><a href=/></a><input name=a></div><main></main>",
            "<img src=/a width=1 height=1 role=presentation><span aria-hidden=true><img src=/a width=1 height=1></span>",
            "<template id=a><main><h1></h1><p id=b></p><p id=b><a href=/></a><label for=c></label><input><img></p></main></template>",
            "<button aria-controls=menu aria-expanded=false>Menu</button><input type=image src=/a aria-label=Go>",
            "<table><tr><th>A</table>",
            "<select aria-label=a><button><selectedcontent></selectedcontent></button><option>b</select>",
            "<input type=button value=A><input type=submit><label for=a>A</label><input type=button id=a><input type=reset title=B>",
            "<div role=button aria-label=A></div><span role=link><img src=/a alt=B width=1 height=1></span>",
            "<label>Size <select><option>S</option></select></label><button><input type=submit value=Send aria-label=Send></button>",
        ] {
            assert_eq!(codes(valid), Vec::<&str>::new(), "{valid}");
        }
    }

    #[test]
    fn each_mistake_is_reported() {
        for (broken, code) in [
            ("<img src=/a>", "missing-alt"),
            ("<p>text <aside>x</aside> more</p>", "markup"),
            ("<p><span><div>x</div></span></p>", "markup"),
            ("<p><p>x</p></p>", "markup"),
            ("<input name=a>", "missing-label"),
            ("<label for=b>B</label><input id=a>", "missing-label"),
            ("<p id=a></p><p id=a></p>", "duplicate-id"),
            ("<label><input type=checkbox name=consent value=yes></label>", "empty-text"),
            ("<label for=a> &nbsp; </label><input id=a type=checkbox>", "empty-text"),
            ("<label><select><option>A</option></select></label>", "empty-text"),
            ("<label><textarea>A</textarea></label>", "empty-text"),
            ("<label><input id=a></label><label for=a></label>", "empty-text"),
            ("<label for=a hidden></label><input id=a>", "empty-text"),
            ("<h1>A</h1><h3>B</h3>", "heading-skip"),
            ("<h1>A</h1><h1>B</h1>", "repeated-element"),
            ("<main></main><main></main>", "repeated-element"),
            ("<h2>A</h2><h3>B</h3>", "heading-skip"),
            ("<h1>A</h1><div role=heading aria-level=3>B</div>", "heading-skip"),
            ("<h1 role=presentation>A</h1><h2>B</h2>", "heading-skip"),
            ("<img src=/a role=img>", "missing-alt"),
            ("<button aria-controls=menu aria-expanded=true>Menu</button>", "unknown-id"),
            ("<template></div></template>", "stray-end-tag"),
            ("<a href=/></a>", "empty-text"),
            ("<button> &nbsp; </button>", "empty-text"),
            ("<details><summary></summary>x</details>", "empty-text"),
            ("<div role=button tabindex=0></div>", "empty-text"),
            ("<a role=button></a>", "empty-text"),
            ("<div role=heading aria-level=1></div>", "empty-text"),
            ("<input type=button>", "empty-text"),
            ("<input type=submit value=''>", "empty-text"),
            ("<a href=/><svg aria-hidden=true><title>x</title></svg></a>", "empty-text"),
            ("<title>B</title>", "head-element"),
            ("<div data-island=A><meta name=description content=b></div>", "head-element"),
            ("<link rel=canonical href=/>", "head-element"),
            ("<link rel='preload icon' href=/>", "head-element"),
            ("<div><span></div>", "unclosed-tag"),
            ("<div></div></div>", "stray-end-tag"),
            ("<p lang=german>x</p>", "markup"),
            ("<a href=/de hreflang=de_AT>x</a>", "markup"),
            ("<input aria-label=a aria-describedby=nope>", "unknown-id"),
            ("<button popovertarget=nope>a</button>", "unknown-id"),
            ("<button commandfor=nope command=show-modal>a</button>", "unknown-id"),
            ("<div data-island=A><label for=nope>a</label></div>", "unknown-id"),
        ] {
            assert!(codes(broken).contains(&code), "{broken}: {:?}", codes(broken));
        }
        let bare: Vec<_> = Facts::read("<html><head></head></html>", &Connections::default())
            .mistakes
            .iter()
            .map(|each| code(&each.problem))
            .collect();
        assert_eq!(bare, ["missing-lang", "missing-title"]);
        let empty: Vec<_> = Facts::read("<html lang=en><title> </title></html>", &Connections::default())
            .mistakes
            .iter()
            .map(|each| code(&each.problem))
            .collect();
        assert_eq!(empty, ["missing-title"]);
    }
}
