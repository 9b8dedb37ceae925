//! What a page loads, links to, carries and gets wrong, read from its final bytes in one pass.

use super::markup::Markup;
use crate::content::address::scheme_of;
use crate::diagnostics::Problem;
use crate::html::{Tag, Token, tokens};
use std::collections::BTreeSet;

/// The facts of one page.
#[derive(Debug, Default)]
pub struct Facts {
    /// Ids that links can name.
    pub ids: BTreeSet<String>,
    /// Everything the page refers to.
    pub references: Vec<Reference>,
    /// The text of inline scripts that run.
    pub scripts: Vec<String>,
    /// The text of inline stylesheets.
    pub styles: Vec<String>,
    /// What is wrong with the page whatever the rest of the site is like.
    pub mistakes: Vec<Mistake>,
    /// Where a policy can stand: after the character encoding, before anything it governs.
    pub policy_at: Option<usize>,
}

/// Where in a page something stands: the tag by its number in the page, and perhaps one of its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Start and end tags before this one.
    pub tag: usize,
    /// The attribute's name in lower case, and its value; without the value where the whole attribute is meant.
    pub attribute: Option<(String, Option<String>)>,
    /// The island that rendered it.
    pub island: Option<String>,
}

/// Something wrong at a spot.
#[derive(Debug)]
pub struct Mistake {
    /// What is wrong.
    pub problem: Problem,
    /// Where. Without one the page as a whole is meant.
    pub spot: Option<Spot>,
}

/// An address in a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The address.
    pub address: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Where it stands.
    pub spot: Spot,
}

/// What an address is for. It decides the directive of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// A link that visitors follow.
    Link,
    /// The address a page says it has, or that previews show.
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
}

impl Purpose {
    /// Whether the page loads what is at the address by itself.
    pub fn is_loaded(self) -> bool {
        !matches!(self, Purpose::Link | Purpose::Meta)
    }
}

impl Facts {
    /// Reads a page.
    pub fn of(html: &str) -> Self {
        let mut facts = Facts::default();
        let mut markup = Markup::default();
        let mut count = 0;
        let mut raw: Option<(Tag, usize)> = None;
        let mut governed = false;
        for token in tokens(html) {
            match token {
                Token::Start(tag) => {
                    if tag.is("head") && facts.policy_at.is_none()
                        || tag.is("meta") && !governed && tag.get("charset").is_some()
                    {
                        facts.policy_at = Some(tag.end);
                    }
                    governed = governed || ["script", "style", "link", "img", "body"].iter().any(|name| tag.is(name));
                    facts.read(&tag, count, markup.island());
                    markup.start(&tag, count, &mut facts.mistakes);
                    raw = Some((tag, count));
                    count += 1;
                }
                Token::Text(text) => match raw.take() {
                    Some((tag, number)) if tag.is("script") || tag.is("style") => facts.read_raw(&tag, number, text),
                    _ => markup.text(text),
                },
                Token::End(name) => {
                    raw = None;
                    markup.end(name, count, &mut facts.mistakes);
                    count += 1;
                }
            }
        }
        markup.finish(&facts.ids, &mut facts.mistakes);
        facts
    }

    fn read(&mut self, tag: &Tag, number: usize, island: Option<&str>) {
        let name = tag.name.to_ascii_lowercase();
        // Browsers read what is in these as text, so no check could see it (HTML Standard 16.2, "non-conforming features").
        if matches!(name.as_str(), "xmp" | "plaintext" | "noembed" | "noframes") {
            let detail = format!("`<{name}>` is obsolete, and browsers do not read the tags in it");
            let spot = Spot { tag: number, attribute: None, island: island.map(str::to_owned) };
            self.mistakes.push(Mistake { problem: Problem::Markup { detail }, spot: Some(spot) });
        }
        let relation = if name == "link" { tag.get("rel").unwrap_or_default() } else { "".into() };
        let is = |wanted: &str| relation.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(wanted));
        for attribute in tag.attributes() {
            let value = attribute.value;
            let attribute = attribute.name.to_ascii_lowercase();
            let at = |value: Option<String>| {
                let island = island.map(str::to_owned);
                Spot { tag: number, attribute: Some((attribute.clone(), value)), island }
            };
            let spot = || at(Some(value.clone().into_owned()));
            let mut add = |purpose: Purpose| {
                self.references.push(Reference { address: value.trim().to_owned(), purpose, spot: spot() });
            };
            let mistake = match (name.as_str(), attribute.as_str()) {
                (_, "style") => Some(Problem::InlineStyle { element: name.clone() }),
                (_, handler) if handler.starts_with("on") && handler.len() > 2 => {
                    Some(Problem::EventHandler { attribute: attribute.clone() })
                }
                ("form", "action") | ("button" | "input", "formaction") => {
                    Some(Problem::FormTarget { attribute: attribute.clone() })
                }
                ("base", "href") => Some(Problem::BaseElement),
                // An empty address is that of the page itself, which browsers then load once more.
                ("a" | "area" | "link", "href") | ("img" | "script" | "source" | "iframe", "src")
                    if value.trim().is_empty() =>
                {
                    Some(Problem::BadAddress { address: String::new() })
                }
                _ => None,
            };
            if let Some(problem) = mistake {
                let mut spot = at(None);
                if problem == Problem::BaseElement {
                    spot.attribute = None;
                }
                self.mistakes.push(Mistake { problem, spot: Some(spot) });
                continue;
            }
            match (name.as_str(), attribute.as_str()) {
                (_, "id") if !self.ids.insert(value.clone().into_owned()) => {
                    let problem = Problem::DuplicateId { id: value.clone().into_owned() };
                    self.mistakes.push(Mistake { problem, spot: Some(spot()) });
                }
                ("a" | "area", "href") => add(Purpose::Link),
                ("link", "href") if is("stylesheet") => add(Purpose::Style),
                ("link", "href") if is("modulepreload") => add(Purpose::Script),
                ("link", "href") if is("icon") || is("apple-touch-icon") || is("mask-icon") => add(Purpose::Image),
                ("link", "href") if is("manifest") => add(Purpose::Manifest),
                ("link", "href") if is("preload") => match tag.get("as").as_deref() {
                    Some("font") => add(Purpose::Font),
                    Some("image") => add(Purpose::Image),
                    Some("style") => add(Purpose::Style),
                    _ => add(Purpose::Script),
                },
                ("link", "href") => add(Purpose::Meta),
                ("img" | "input", "src") | ("video", "poster") | ("image", "href") => add(Purpose::Image),
                ("img" | "source", "srcset") | ("link", "imagesrcset") => {
                    for candidate in value.split(',') {
                        if let Some(address) = candidate.split_ascii_whitespace().next() {
                            let spot = at(Some(address.to_owned()));
                            self.references.push(Reference {
                                address: address.to_owned(),
                                purpose: Purpose::Image,
                                spot,
                            });
                        }
                    }
                }
                ("script", "src") => add(Purpose::Script),
                ("video" | "audio" | "source" | "track", "src") => add(Purpose::Media),
                ("iframe" | "embed", "src") | ("object", "data") => add(Purpose::Frame),
                ("meta", "content") => {
                    let key = tag.get("property").or_else(|| tag.get("name")).unwrap_or_default();
                    if matches!(&*key, "og:image" | "og:url" | "twitter:image") {
                        add(Purpose::Meta);
                    }
                }
                (_, "data-modules") if tag.get("data-island").is_some() => {
                    for address in value.split(' ') {
                        let (address, purpose) = (address.to_owned(), Purpose::Script);
                        self.references.push(Reference { address, purpose, spot: spot() });
                    }
                }
                _ => {}
            }
            let is_address = matches!(attribute.as_str(), "href" | "src" | "data");
            if is_address && matches!(scheme_of(&value).as_deref(), Some("javascript" | "vbscript")) {
                let problem = Problem::UnsafeAddress { address: value.clone().into_owned() };
                self.mistakes.push(Mistake { problem, spot: Some(spot()) });
            }
        }
    }

    fn read_raw(&mut self, tag: &Tag, number: usize, text: &str) {
        if tag.is("style") {
            let spot = Spot { tag: number, ..Spot::default() };
            self.references.extend(css_references(text).map(|(address, purpose)| Reference {
                address: address.to_owned(),
                purpose,
                spot: spot.clone(),
            }));
            self.styles.push(text.to_owned());
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
                let spot = Spot { tag: number, ..Spot::default() };
                let mut addresses = Vec::new();
                json_addresses(&json, &mut addresses);
                self.references.extend(addresses.into_iter().map(|address| Reference {
                    address,
                    purpose: Purpose::Meta,
                    spot: spot.clone(),
                }));
            }
        }
    }
}

/// The addresses in structured data. What stands under `@id` names a thing and need not be a page (JSON-LD 1.1, 3.3).
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

/// The addresses that a stylesheet loads. Data URLs load nothing.
fn css_references(css: &str) -> impl Iterator<Item = (&str, Purpose)> {
    css.match_indices("url(").filter_map(|(at, _)| {
        let inner = &css[at + 4..];
        let inner = inner[..inner.find(')').unwrap_or(inner.len())].trim().trim_matches(['"', '\'']);
        if inner.is_empty() || inner.starts_with('#') || scheme_of(inner).as_deref() == Some("data") {
            return None;
        }
        let path = inner.split(['?', '#']).next().unwrap_or(inner);
        let purpose = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("woff2" | "woff" | "ttf" | "otf") => Purpose::Font,
            Some("css") => Purpose::Style,
            _ if css[..at].trim_end().ends_with("@import") => Purpose::Style,
            _ => Purpose::Image,
        };
        Some((inner, purpose))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn what_a_page_loads_and_links_to_is_found() {
        let facts = Facts::of(
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
    fn what_a_policy_blocks_is_found() {
        let facts =
            Facts::of("<p style=\"a:b\" onclick=x()><a href=\"java&#10;script:x\">a</a><form action=/send></form></p>");
        let codes: Vec<_> = facts.mistakes.iter().map(|each| code(&each.problem)).collect();
        for expected in ["inline-style", "event-handler", "unsafe-address", "form-target"] {
            assert!(codes.contains(&expected), "{codes:?}");
        }
    }
}
