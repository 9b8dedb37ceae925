//! What a page says in its attributes: addresses, ids, islands and what a policy refuses.

use super::other_hosts::use_connection;
use super::raw_text::css_references;
use super::{PageReader, Purpose, Reference, handles_form, sends};
use crate::composed::composed_name;
use crate::element::Element;
use crate::mistakes::PageMistake;
use sitegen_content::address::scheme_of;
use sitegen_content::connections::{Kind, unknown_connection};
use sitegen_core::diagnostics::{LinkProblem, MarkdownProblem, MarkupProblem, PolicyProblem, Problem};
use sitegen_core::html::{Attribute, is_address, lower, srcset};
use sitegen_pages::{ATTRIBUTE, NEVER, ONLY, ONLY_ATTRIBUTE};
use sitegen_search as search;
use std::borrow::Cow;

impl PageReader<'_> {
    pub(super) fn attribute(&mut self, element: &Element, attribute: &Attribute) {
        let name = lower(attribute.name);
        let (name, value) = (&*name, &*attribute.value);
        self.facts.is_decomposed |= composed_name(name, value).is_some();
        if let Some(mistake) = self.refused(element, name, value) {
            self.facts.mistakes.push(mistake);
            return;
        }
        match (element.name, name) {
            (_, "id") | ("a", "name") if element.is_template => {}
            (_, "id") => self.id(element, value),
            // Fragments lead there too (HTML Standard 7.4.6.4, "find a potential indicated element").
            ("a", "name") => self.facts.names.push(value.to_owned()),
            (_, "lang") if !self.facts.languages.contains(value) => drop(self.facts.languages.insert(value.to_owned())),
            ("a" | "area" | "link", "hreflang") => self.hreflang(element, value),
            (_, name) if name.starts_with("data-") => self.data(element, name, value),
            _ => self.addresses(element, name, value),
        }
        if runs_script(element, name, value) {
            let location = Some(element.location_of(name, Some(value)));
            let problem = MarkdownProblem::UnsafeAddress { address: value.to_owned() };
            self.facts.mistakes.push(PageMistake::new(problem, location));
        }
    }

    /// Returns what browsers or the policy of the page refuse of an attribute.
    fn refused(&mut self, element: &Element, name: &str, value: &str) -> Option<PageMistake> {
        let problem: Problem = match (element.name, name) {
            (_, "style") => PolicyProblem::InlineStyle { element: element.name.to_owned() }.into(),
            (_, handler) if handler.starts_with("on") && handler.len() > 2 => {
                PolicyProblem::EventHandler { attribute: name.to_owned() }.into()
            }
            ("form", "action") if matches!(value.trim(), "" | "#") && handles_form(element) => return None,
            ("form", "action") | ("button" | "input", "formaction") => {
                return self.undeclared_form(element, name, value.trim());
            }
            ("button" | "input", "formmethod") if sends(Some(value)) && !self.is_in_declared_form => {
                PolicyProblem::FormMethod.into()
            }
            ("base", "href") => return Some(element.mistake(PolicyProblem::BaseElement)),
            // `object-src` is never opened (MDN's Observatory counts it as a hole), nor `connect-src` for other hosts.
            ("object", "data" | "classid" | "codebase" | "archive") => PolicyProblem::Blocked { name: "object" }.into(),
            ("embed", "src") => PolicyProblem::Blocked { name: "embed" }.into(),
            // A page in a page, which nothing of a build reads, and which has the policy of the outer one.
            ("iframe", "srcdoc") => {
                let detail = "the page in `srcdoc` is not checked; make it a page of the site and name it in `src`";
                MarkupProblem::Markup { detail: detail.to_owned() }.into()
            }
            ("a" | "area", "ping") => PolicyProblem::Blocked { name: "ping" }.into(),
            // An empty address is that of the page itself, which browsers would load once more.
            ("a" | "area" | "link", "href") | ("img" | "script" | "source" | "iframe", "src")
                if value.trim().is_empty() =>
            {
                LinkProblem::BadAddress { address: String::new() }.into()
            }
            _ => return None,
        };
        Some(element.mistake_of(name, problem))
    }

    /// Returns a mistake if no connection is declared for the address of a form.
    fn undeclared_form(&mut self, element: &Element, attribute: &str, address: &str) -> Option<PageMistake> {
        if use_connection(&mut self.facts.connections, self.connections, address, Kind::Form) {
            return None;
        }
        let other = || self.connections.origin_of(address).unwrap_or_else(|| "https://…".to_owned());
        let origin = if self.connections.is_own(address) { "self".to_owned() } else { other() };
        let nearest = self.connections.nearest_origin(address, Kind::Form);
        let problem = PolicyProblem::FormTarget { attribute: attribute.to_owned(), origin, nearest };
        // The address may be a value in content.
        let location = element.location_of(attribute, Some(address).filter(|address| !address.is_empty()));
        Some(PageMistake::new(problem, Some(location)))
    }

    fn hreflang(&mut self, element: &Element, language: &str) {
        self.facts.hreflangs.insert(element.tag, language.trim().to_owned());
        let has = |word: &str| {
            let mut words = element.get("rel").unwrap_or_default().split_ascii_whitespace();
            words.any(|other| other.eq_ignore_ascii_case(word))
        };
        if element.name == "link" && has("alternate") && element.get("type").is_none() {
            self.facts.alternates.insert(element.tag);
        }
    }

    fn id(&mut self, element: &Element, id: &str) {
        if !self.facts.ids.insert(id.to_owned()) {
            let problem = MarkupProblem::DuplicateId { id: id.to_owned(), is_in_island: element.island.is_some() };
            let location = element.location_of("id", Some(id));
            self.facts.mistakes.push(PageMistake::new(problem, Some(location)));
        }
    }

    /// Reads an attribute that scripts of the engine have a meaning for.
    fn data(&mut self, element: &Element, name: &str, value: &str) {
        let is_root = || element.get("data-island").is_some() || element.get("data-enhance").is_some();
        match name {
            "data-island" | "data-enhance" => {
                let is_only = element.get(ONLY_ATTRIBUTE).is_some();
                let hydrate = if is_only { ONLY.0 } else { element.get("data-hydrate").unwrap_or_default() };
                self.facts.islands.insert((value.to_owned(), hydrate.to_owned()));
            }
            "data-component" if !is_root() => {
                self.facts.islands.insert((value.to_owned(), NEVER.to_owned()));
            }
            // What of it loads something is a rule of the stylesheet of all islands.
            ATTRIBUTE => {
                let addresses = css_references(value).into_iter().map(|(address, _)| address);
                let island = element.island.map(str::to_owned);
                self.facts.carried.extend(addresses.zip(std::iter::repeat(island)));
            }
            search::ATTRIBUTE => self.facts.has_search = true,
            "data-success" if element.name == "form" => self.add(element, name, value.trim(), Purpose::Success),
            "data-connect" if element.name == "script" || is_root() => self.use_named(element, value),
            "data-modules" if is_root() => {
                value.split(' ').for_each(|address| self.add(element, name, address, Purpose::Script));
            }
            _ => {}
        }
    }

    /// Uses the connections that `data-connect` names.
    fn use_named(&mut self, element: &Element, names: &str) {
        // An island may also load a script by itself, such as a counter after a yes.
        let kinds = if element.name == "script" { &[Kind::Fetch][..] } else { &[Kind::Fetch, Kind::Script] };
        for name in names.split_ascii_whitespace() {
            let connection = self.connections.get(name);
            let is_for = |kind: &&Kind| connection.is_some_and(|connection| connection.is_for(**kind));
            let mut used = kinds.iter().filter(is_for).map(|kind| (name.to_owned(), *kind)).peekable();
            if used.peek().is_none() {
                let location = element.location_of("data-connect", Some(names));
                let problem = unknown_connection(name, self.connections);
                self.facts.mistakes.push(PageMistake::new(problem, Some(location)));
            }
            self.facts.connections.extend(used);
        }
    }

    /// Reads the addresses in an attribute.
    fn addresses(&mut self, element: &Element, name: &str, value: &str) {
        match (element.name, name) {
            (_, name) if has_css(name) => self.add_of_css(element, name, value),
            ("meta", "content") if is_refresh(element) => {
                refreshed(value).into_iter().for_each(|address| self.add(element, name, address, Purpose::Link));
            }
            ("animate" | "set", "to" | "from" | "by" | "values") => match animated(element).as_deref() {
                Some("href" | "xlink:href") => {
                    let is_shown = self.is_in_picture;
                    let purpose = if is_shown { Purpose::Image } else { Purpose::Link };
                    let addresses = value.split(';').map(str::trim).filter(|address| !address.is_empty());
                    // With `#` they name a part of the drawing.
                    let addresses = addresses.filter(|address| !(is_shown && address.starts_with('#')));
                    addresses.for_each(|address| self.add(element, name, address, purpose));
                }
                Some(animated) if has_css(animated) => self.add_of_css(element, name, value),
                _ => {}
            },
            ("img" | "image" | "source", "srcset") | ("link", "imagesrcset") => {
                srcset(value).for_each(|address| self.add(element, name, address, Purpose::Image));
            }
            _ => {
                if let Some(purpose) = purpose_of(element, name, value) {
                    self.add(element, name, value.trim(), purpose);
                }
            }
        }
    }

    /// Adds the pictures that a value of CSS names.
    fn add_of_css(&mut self, element: &Element, attribute: &str, value: &str) {
        css_references(value).iter().for_each(|(address, _)| self.add(element, attribute, address, Purpose::Image));
    }

    fn add(&mut self, element: &Element, attribute: &str, address: &str, purpose: Purpose) {
        // Browsers leave these out (URL Standard, 4.4 "basic URL parser").
        let address = match memchr::memchr3(b'\t', b'\n', b'\r', address.as_bytes()) {
            Some(_) => address.replace(['\t', '\n', '\r'], ""),
            None => address.to_owned(),
        };
        self.facts.references.push(Reference {
            address,
            purpose,
            tag: element.tag,
            attribute: Some(attribute_name(attribute)),
            island: element.island.map(str::to_owned),
        });
    }
}

/// Returns the purpose of the address in an attribute; `None` if it has no address.
fn purpose_of(element: &Element, attribute: &str, value: &str) -> Option<Purpose> {
    Some(match (element.name, attribute) {
        ("a" | "area", "href") | ("a", "xlink:href") => Purpose::Link,
        ("link", "href") => purpose_of_link(element),
        // Outside drawings `<image>` is `<img>` (HTML Standard 13.2.6.4.7, "in body").
        ("img" | "image" | "input", "src") | ("video", "poster") => Purpose::Image,
        // With `#` they name a part of the drawing.
        (_, "href" | "xlink:href") if value.trim_start().starts_with('#') => return None,
        ("use" | "image" | "feimage", "href" | "xlink:href") => Purpose::Image,
        // SVG 2, 5.2 and 8.9.2: scripts in drawings.
        ("script", "src" | "href" | "xlink:href") => Purpose::Script,
        // Links of MathML, and what elements of the site's own scripts are given.
        (_, "href" | "xlink:href") => Purpose::Link,
        ("video" | "audio" | "source" | "track", "src") => Purpose::Media,
        ("iframe", "src") => Purpose::Frame,
        ("meta", "content") if is_address_of_preview(element) => Purpose::Meta,
        // Obsolete, and obeyed by browsers (HTML Standard 16.2).
        ("body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th", "background") => Purpose::Image,
        ("img", "lowsrc" | "dynsrc") => Purpose::Image,
        ("img" | "iframe" | "frame", "longdesc") => Purpose::Link,
        ("blockquote" | "q" | "del" | "ins", "cite") => Purpose::Link,
        ("html", "manifest") | ("head", "profile") => Purpose::Link,
        ("frame", "src") => Purpose::Frame,
        ("bgsound", "src") => Purpose::Media,
        _ => return None,
    })
}

/// Returns the purpose of the address of a `<link>`.
fn purpose_of_link(element: &Element) -> Purpose {
    let relations = element.get("rel").unwrap_or_default();
    let has = |names: &[&str]| {
        let mut relations = relations.split_ascii_whitespace();
        relations.any(|relation| names.iter().any(|name| relation.eq_ignore_ascii_case(name)))
    };
    if has(&["stylesheet"]) {
        Purpose::Style
    } else if has(&["modulepreload"]) {
        Purpose::Script
    } else if has(&["icon", "apple-touch-icon", "mask-icon"]) {
        Purpose::Image
    } else if has(&["manifest"]) {
        Purpose::Manifest
    } else if has(&["preload"]) {
        match element.get("as") {
            Some("font") => Purpose::Font,
            Some("image") => Purpose::Image,
            Some("style") => Purpose::Style,
            _ => Purpose::Script,
        }
    } else {
        Purpose::Meta
    }
}

/// Whether a `<meta>` has an address of the page or its picture, for previews.
fn is_address_of_preview(element: &Element) -> bool {
    let property = element.get("property").or_else(|| element.get("name"));
    matches!(property, Some("og:image" | "og:url" | "twitter:image"))
}

/// Whether an attribute has an address that is a script.
fn runs_script(element: &Element, name: &str, value: &str) -> bool {
    let runs = |address: &str| matches!(scheme_of(address).as_deref(), Some("javascript" | "vbscript"));
    match name {
        "xlink:href" | "lowsrc" | "dynsrc" => runs(value),
        name if is_address(name) => runs(value),
        "to" | "from" | "by" | "values" => is_animated_link(element) && value.split(';').any(runs),
        _ => false,
    }
}

/// Returns the attribute that an animation in a drawing replaces, in lower case (SVG Animations, 2.2).
fn animated(element: &Element) -> Option<String> {
    element.get("attributename").map(|name| name.trim().to_ascii_lowercase())
}

/// Whether it may replace the address of a link.
fn is_animated_link(element: &Element) -> bool {
    matches!(animated(element).as_deref(), Some("href" | "xlink:href"))
}

/// Whether an attribute of a drawing is a property of CSS with addresses (SVG 2, 6.6, "presentation attributes").
fn has_css(attribute: &str) -> bool {
    const WITH_ADDRESSES: [&str; 9] =
        ["clip-path", "cursor", "fill", "filter", "marker-end", "marker-mid", "marker-start", "mask", "stroke"];
    WITH_ADDRESSES.contains(&attribute)
}

fn is_refresh(element: &Element) -> bool {
    element.get("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh"))
}

/// Returns the address that `<meta http-equiv="refresh">` leads to (HTML Standard 4.2.5.3, "shared declarative refresh
/// steps"): what follows `url=` in `0; url=/new`, or the number in `0 /new`.
fn refreshed(content: &str) -> Option<&str> {
    let content = content.trim_start();
    let rest = content.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_separator = |letter: char| letter.is_ascii_whitespace() || [';', ','].contains(&letter);
    if rest.len() == content.len() || !rest.starts_with(is_separator) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start();
    let after_name = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_start());
    let address = after_name.and_then(|rest| rest.strip_prefix('=')).unwrap_or(rest).trim();
    Some(address.trim_matches(['"', '\''])).filter(|address| !address.is_empty())
}
/// Returns the name of an attribute without allocating for the common ones.
fn attribute_name(name: &str) -> Cow<'static, str> {
    let common = ["href", "src", "srcset", "content"].into_iter().find(|common| *common == name);
    common.map_or_else(|| Cow::Owned(name.to_owned()), Cow::Borrowed)
}
