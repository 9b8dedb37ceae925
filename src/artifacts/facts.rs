//! What a page loads, links to and carries, read from its final bytes.

use super::html::{Tag, Token, tokens};
use crate::content::address::scheme_of;
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
    /// What a policy makes browsers ignore: what it is, as a person would say it.
    pub blocked: Vec<String>,
    /// Where a policy can stand: after the character encoding, before anything it governs.
    pub policy_at: Option<usize>,
}

/// An address in a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The address.
    pub address: String,
    /// What it is for.
    pub purpose: Purpose,
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

impl Facts {
    /// Reads a page.
    pub fn of(html: &str) -> Self {
        let mut facts = Facts::default();
        let mut raw = None;
        let mut governed = false;
        let mut head_end = None;
        for token in tokens(html) {
            match token {
                Token::Start(tag) => {
                    if tag.is("head") && head_end.is_none() {
                        head_end = Some(tag.end);
                    }
                    if tag.is("meta") && tag.get("charset").is_some() && !governed {
                        head_end = Some(tag.end);
                    }
                    governed |= ["script", "style", "link", "img", "body"].iter().any(|name| tag.is(name));
                    facts.read(&tag);
                    raw = Some(tag);
                }
                Token::Text(text) => {
                    if let Some(tag) = raw.take() {
                        facts.read_raw(&tag, text);
                    }
                }
                Token::End(_) => raw = None,
            }
        }
        facts.policy_at = head_end;
        facts
    }

    fn read(&mut self, tag: &Tag) {
        let name = tag.name.to_ascii_lowercase();
        let is = |relation: &str| {
            tag.get("rel")
                .is_some_and(|rel| rel.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(relation)))
        };
        for attribute in tag.attributes() {
            let value = attribute.value;
            let mut add = |purpose: Purpose| {
                self.references.push(Reference { address: value.trim().to_owned(), purpose });
            };
            let attribute = attribute.name.to_ascii_lowercase();
            match (name.as_str(), attribute.as_str()) {
                (_, "id") => {
                    self.ids.insert(value.clone().into_owned());
                }
                ("a", "name") => {
                    self.ids.insert(value.clone().into_owned());
                }
                (_, "style") => self.blocked.push(format!("the attribute `style=\"{value}\"` of `<{name}>`")),
                (_, handler) if handler.starts_with("on") && handler.len() > 2 => {
                    self.blocked.push(format!("the attribute `{handler}` of `<{name}>`"));
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
                        let address = candidate.split_ascii_whitespace().next().unwrap_or_default().to_owned();
                        if !address.is_empty() {
                            self.references.push(Reference { address, purpose: Purpose::Image });
                        }
                    }
                }
                ("script", "src") => add(Purpose::Script),
                ("video" | "audio" | "source" | "track", "src") => add(Purpose::Media),
                ("iframe" | "embed", "src") | ("object", "data") => add(Purpose::Frame),
                ("form", "action") | ("button" | "input", "formaction") => {
                    self.blocked
                        .push(format!("the attribute `{attribute}` of `<{name}>`, since forms are sent nowhere"));
                }
                ("base", "href") => self.blocked.push("the element `<base>`".into()),
                ("meta", "content") => {
                    let key = tag.get("property").or_else(|| tag.get("name")).unwrap_or_default();
                    if matches!(&*key, "og:image" | "og:url" | "twitter:image") {
                        add(Purpose::Meta);
                    }
                }
                (_, "data-modules") if tag.get("data-island").is_some() => {
                    for address in value.split(' ') {
                        self.references.push(Reference { address: address.to_owned(), purpose: Purpose::Script });
                    }
                }
                _ => {}
            }
            let is_address = matches!(attribute.as_str(), "href" | "src" | "action" | "formaction" | "data");
            if is_address && matches!(scheme_of(&value).as_deref(), Some("javascript" | "vbscript")) {
                self.blocked.push(format!("the address `{value}`"));
            }
        }
    }

    fn read_raw(&mut self, tag: &Tag, text: &str) {
        if tag.is("style") {
            self.references.extend(css_references(text));
            self.styles.push(text.to_owned());
        } else if tag.is("script") && tag.get("src").is_none() {
            // Data blocks like JSON-LD do not run and need no hash; import maps and speculation rules do.
            let kind = tag.get("type").unwrap_or_default().trim().to_ascii_lowercase();
            let runs = ["", "module", "text/javascript", "application/javascript", "importmap", "speculationrules"];
            if runs.contains(&kind.as_str()) {
                self.scripts.push(text.to_owned());
            }
        }
    }
}

/// The addresses that a stylesheet loads. Data URLs load nothing.
pub fn css_references(css: &str) -> Vec<Reference> {
    let mut references = Vec::new();
    let mut rest = css;
    while let Some(at) = rest.find("url(") {
        let before = &rest[..at];
        rest = &rest[at + 4..];
        let inner = rest[..rest.find(')').unwrap_or(rest.len())].trim().trim_matches(['"', '\'']);
        if inner.is_empty() || inner.starts_with('#') || scheme_of(inner).as_deref() == Some("data") {
            continue;
        }
        let path = inner.split(['?', '#']).next().unwrap_or(inner);
        let purpose = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("woff2" | "woff" | "ttf" | "otf") => Purpose::Font,
            Some("css") => Purpose::Style,
            _ if before.trim_end().ends_with("@import") => Purpose::Style,
            _ => Purpose::Image,
        };
        references.push(Reference { address: inner.to_owned(), purpose });
    }
    references
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let facts = Facts::of("<p style=\"a:b\" onclick=x()><a href=\"java&#10;script:x\">a</a><form action=/send>");
        assert_eq!(facts.blocked.len(), 4, "{:?}", facts.blocked);
    }
}
