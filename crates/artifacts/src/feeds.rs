//! Feeds: Atom 1.0 (RFC 4287), JSON Feed 1.1 (jsonfeed.org/version/1.1) and RSS 2.0 (rssboard.org/rss-specification) of plain
//! values.
//!
//! [`Feed::mistakes`] says what keeps a feed from being valid; [`atom`], [`json`] and [`rss`] write one without mistakes. Nothing here
//! reads a clock: every time comes from the values.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use serde_json::{Map, Value, json};
use sitegen_content::fold::{instant, moment};
use sitegen_content::web_address::composed_address;
use sitegen_core::html;
use std::borrow::Cow;
use url::Url;

/// A feed. Addresses are absolute, texts are plain and not escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feed {
    /// An address that never changes (RFC 4287, 4.2.6). Both formats of a feed may share it.
    pub id: String,
    pub title: String,
    /// A sentence about it.
    pub subtitle: Option<String>,
    /// The page that shows the same entries.
    pub html_url: String,
    /// The language of the texts, a BCP 47 tag.
    pub language: String,
    /// When it changed last, as [`Entry::updated`]. The latest time of its entries if left out.
    pub updated: Option<String>,
    /// Who writes it. Atom requires an author; the title of the feed stands for one if there is none.
    pub authors: Vec<Author>,
    /// Its entries in the order in which readers show them: the newest first.
    pub entries: Vec<Entry>,
}

/// An entry of a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// An address that never changes, by which readers know what they have shown.
    pub id: String,
    /// Its page. Addresses in the content are relative to it.
    pub url: String,
    pub title: String,
    /// What it is about, in a few sentences.
    pub summary: Option<String>,
    /// All of it, as HTML. [`atom`] and [`json`] make its addresses absolute.
    pub content_html: Option<String>,
    /// When it was first published: a day like `2026-11-05`, which becomes its midnight in UTC, or a moment like
    /// `2026-11-05T10:00:00+01:00`. One without an offset is in UTC.
    pub published: Option<String>,
    /// When it changed last; `published` if left out. One of the two is required.
    pub updated: Option<String>,
    /// Who wrote it, if not the authors of the feed.
    pub authors: Vec<Author>,
    /// The texts of its key `tags`.
    pub tags: Vec<String>,
    /// A file that comes with it, such as an episode of a podcast.
    pub enclosure: Option<Enclosure>,
}

/// A file that comes with an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosure {
    pub url: String,
    /// Its length in bytes.
    pub length: u64,
    /// Such as `audio/mpeg`.
    pub media_type: String,
}

/// Who writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Author {
    pub name: String,
    /// A page about the author.
    pub url: Option<String>,
}

/// What keeps a feed from being valid. Entries are named by their numbers, which begin with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// An entry has neither `published` nor `updated`.
    NoDate { entry: usize },
    /// A date is none. `entry` is `None` for the feed's own.
    BadDate {
        entry: Option<usize>,
        /// The date as written.
        date: String,
    },
    /// An entry changed before it was published.
    Reversed { entry: usize },
    /// Two entries have the same id.
    SameId {
        /// The second entry.
        entry: usize,
        /// The first entry.
        first: usize,
    },
    /// An id or an address is not absolute. `entry` is `None` for the feed's own.
    NotAbsolute { entry: Option<usize>, address: String },
    /// An entry has no title, or the feed has none.
    NoTitle { entry: Option<usize> },
    /// The feed has neither a date nor an entry with one.
    NoUpdate,
}

impl Feed {
    /// Returns everything that is wrong with the values, in the order of the entries.
    pub fn mistakes(&self) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        let mut absolute = |entry, address: &str| {
            if Url::parse(address).is_err() {
                mistakes.push(Mistake::NotAbsolute { entry, address: address.to_owned() });
            }
        };
        absolute(None, &self.id);
        absolute(None, &self.html_url);
        for (number, entry) in self.entries.iter().enumerate() {
            absolute(Some(number), &entry.id);
            absolute(Some(number), &entry.url);
        }
        if self.title.trim().is_empty() {
            mistakes.push(Mistake::NoTitle { entry: None });
        }
        let mut ids: Vec<(&str, usize)> = Vec::with_capacity(self.entries.len());
        for (number, entry) in self.entries.iter().enumerate() {
            if entry.title.trim().is_empty() {
                mistakes.push(Mistake::NoTitle { entry: Some(number) });
            }
            ids.push((&entry.id, number));
            let mut time = |date: &Option<String>| {
                let date = date.as_ref()?;
                let instant = instant(date);
                if instant.is_none() {
                    mistakes.push(Mistake::BadDate { entry: Some(number), date: date.clone() });
                }
                instant
            };
            let (published, updated) = (time(&entry.published), time(&entry.updated));
            if entry.published.is_none() && entry.updated.is_none() {
                mistakes.push(Mistake::NoDate { entry: number });
            }
            if published.zip(updated).is_some_and(|(published, updated)| updated < published) {
                mistakes.push(Mistake::Reversed { entry: number });
            }
        }
        ids.sort_unstable();
        let same = ids.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        mistakes.extend(same.map(|pair| Mistake::SameId { entry: pair[1].1, first: pair[0].1 }));
        match &self.updated {
            Some(date) if instant(date).is_none() => {
                mistakes.push(Mistake::BadDate { entry: None, date: date.clone() });
            }
            None if self.entries.iter().all(|entry| entry.changed().is_none()) => mistakes.push(Mistake::NoUpdate),
            _ => {}
        }
        mistakes
    }

    /// Returns when it changed last.
    fn changed(&self) -> Option<String> {
        let updated = self.updated.as_deref().and_then(rfc3339);
        updated.or_else(|| {
            let dates = self.entries.iter().filter_map(Entry::changed);
            dates.max_by_key(|date| instant(date))
        })
    }
}

impl Entry {
    /// Returns when it changed last.
    fn changed(&self) -> Option<String> {
        self.updated.as_deref().or(self.published.as_deref()).and_then(rfc3339)
    }

    /// Returns its content with absolute addresses.
    fn content(&self) -> Option<String> {
        Some(with_absolute_addresses(self.content_html.as_deref()?, &self.url))
    }
}

/// Returns a day or a moment as RFC 3339 has it: `2026-11-05` becomes `2026-11-05T00:00:00Z`.
fn rfc3339(date: &str) -> Option<String> {
    let (moment, offset) = moment(date)?;
    let zone = match offset.seconds() {
        0 => "Z".to_owned(),
        seconds => {
            let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
            format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
    };
    Some(format!("{}{zone}", moment.strftime("%Y-%m-%dT%H:%M:%S")))
}

/// Writes a feed as Atom 1.0. `self_url` is the absolute address of this very file.
pub fn atom(feed: &Feed, self_url: &str) -> String {
    let mut atom = Xml(Writer::new_with_indent(Vec::new(), b' ', 2));
    // Writing to a vector cannot fail, here and below.
    let _ = atom.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)));
    let mut root = BytesStart::new("feed");
    root.push_attribute(("xmlns", "http://www.w3.org/2005/Atom"));
    if !feed.language.is_empty() {
        root.push_attribute(("xml:lang", feed.language.as_str()));
    }
    let _ = atom.0.write_event(Event::Start(root));
    atom.text("id", &feed.id);
    atom.text("title", &feed.title);
    feed.subtitle.iter().for_each(|subtitle| atom.text("subtitle", subtitle));
    feed.changed().iter().for_each(|updated| atom.text("updated", updated));
    atom.link("self", "application/atom+xml", self_url);
    atom.link("alternate", "text/html", &feed.html_url);
    let fallback = [Author { name: feed.title.clone(), url: None }];
    atom.authors(if feed.authors.is_empty() { &fallback } else { &feed.authors });
    for entry in &feed.entries {
        let _ = atom.0.write_event(Event::Start(BytesStart::new("entry")));
        atom.text("id", &entry.id);
        atom.text("title", &entry.title);
        atom.link("alternate", "text/html", &entry.url);
        if let Some(Enclosure { url, length, media_type }) = &entry.enclosure {
            let length = length.to_string();
            let attributes = [("rel", "enclosure"), ("type", media_type), ("length", &length), ("href", url)];
            atom.element("link", &attributes, None);
        }
        entry.published.as_deref().and_then(rfc3339).iter().for_each(|date| atom.text("published", date));
        entry.changed().iter().for_each(|date| atom.text("updated", date));
        atom.authors(&entry.authors);
        for tag in &entry.tags {
            atom.element("category", &[("term", tag)], None);
        }
        entry.summary.iter().for_each(|summary| atom.text("summary", summary));
        entry.content().iter().for_each(|html| atom.element("content", &[("type", "html")], Some(html)));
        let _ = atom.0.write_event(Event::End(BytesEnd::new("entry")));
    }
    let _ = atom.0.write_event(Event::End(BytesEnd::new("feed")));
    let mut text = String::from_utf8_lossy(&atom.0.into_inner()).into_owned();
    text.push('\n');
    text
}

/// Writes a feed as RSS 2.0. `self_url` is the absolute address of this very file.
///
/// Names of authors are in `dc:creator`, since `author` is an e-mail address, and whole texts in `content:encoded`
/// (rssboard.org/rss-profile).
pub fn rss(feed: &Feed, self_url: &str) -> String {
    let mut rss = Xml(Writer::new_with_indent(Vec::new(), b' ', 2));
    // Writing to a vector cannot fail, here and below.
    let _ = rss.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)));
    let root = BytesStart::new("rss").with_attributes([
        ("version", "2.0"),
        ("xmlns:atom", "http://www.w3.org/2005/Atom"),
        ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    ]);
    let _ = rss.0.write_event(Event::Start(root));
    let _ = rss.0.write_event(Event::Start(BytesStart::new("channel")));
    rss.text("title", &feed.title);
    rss.text("link", &feed.html_url);
    // It is required.
    rss.text("description", feed.subtitle.as_deref().unwrap_or(&feed.title));
    if !feed.language.is_empty() {
        rss.text("language", &feed.language);
    }
    feed.changed().as_deref().and_then(rfc822).iter().for_each(|date| rss.text("lastBuildDate", date));
    rss.element("atom:link", &[("rel", "self"), ("type", "application/rss+xml"), ("href", self_url)], None);
    for entry in &feed.entries {
        let _ = rss.0.write_event(Event::Start(BytesStart::new("item")));
        rss.text("title", &entry.title);
        rss.text("link", &entry.url);
        let is_link = if entry.id == entry.url { "true" } else { "false" };
        rss.element("guid", &[("isPermaLink", is_link)], Some(&entry.id));
        let date = entry.published.as_deref().or(entry.updated.as_deref());
        date.and_then(rfc822).iter().for_each(|date| rss.text("pubDate", date));
        let authors = if entry.authors.is_empty() { &feed.authors } else { &entry.authors };
        authors.iter().for_each(|author| rss.text("dc:creator", &author.name));
        entry.tags.iter().for_each(|tag| rss.text("category", tag));
        let content = entry.content().filter(|html| !html.trim().is_empty());
        // HTML is what readers expect here.
        let summary = entry.summary.as_deref().map(escaped);
        summary.as_deref().or(content.as_deref()).iter().for_each(|text| rss.text("description", text));
        content.filter(|_| summary.is_some()).iter().for_each(|html| rss.text("content:encoded", html));
        if let Some(Enclosure { url, length, media_type }) = &entry.enclosure {
            let attributes = [("url", url.as_str()), ("length", &length.to_string()), ("type", media_type)];
            rss.element("enclosure", &attributes, None);
        }
        let _ = rss.0.write_event(Event::End(BytesEnd::new("item")));
    }
    let _ = rss.0.write_event(Event::End(BytesEnd::new("channel")));
    let _ = rss.0.write_event(Event::End(BytesEnd::new("rss")));
    let mut text = String::from_utf8_lossy(&rss.0.into_inner()).into_owned();
    text.push('\n');
    text
}

/// Returns a plain text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a day or a moment as RFC 822 has it, with the year in four digits: `Thu, 05 Nov 2026 00:00:00 +0000`.
fn rfc822(date: &str) -> Option<String> {
    let (moment, offset) = moment(date)?;
    let (sign, minutes) = (if offset.seconds() < 0 { '-' } else { '+' }, offset.seconds().abs() / 60);
    let zone = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
    Some(format!("{} {zone}", moment.strftime("%a, %d %b %Y %H:%M:%S")))
}

/// Writes XML.
struct Xml(Writer<Vec<u8>>);

impl Xml {
    fn element(&mut self, name: &str, attributes: &[(&str, &str)], text: Option<&str>) {
        let attributes: Vec<(&str, Cow<str>)> =
            attributes.iter().map(|(name, value)| (*name, xml_text(value))).collect();
        let attributes = attributes.iter().map(|(name, value)| (*name, &**value));
        let element = self.0.create_element(name).with_attributes(attributes);
        let _ = match text {
            Some(text) => element.write_text_content(BytesText::new(&xml_text(text))),
            None => element.write_empty(),
        };
    }

    fn text(&mut self, name: &str, text: &str) {
        self.element(name, &[], Some(text));
    }

    fn link(&mut self, relation: &str, media_type: &str, address: &str) {
        self.element("link", &[("rel", relation), ("type", media_type), ("href", address)], None);
    }

    fn authors(&mut self, authors: &[Author]) {
        for author in authors {
            let _ = self.0.write_event(Event::Start(BytesStart::new("author")));
            self.text("name", &author.name);
            author.url.iter().for_each(|url| self.text("uri", url));
            let _ = self.0.write_event(Event::End(BytesEnd::new("author")));
        }
    }
}

/// Returns a text without the characters that XML cannot have (XML 1.0, 2.2, `Char`).
fn xml_text(text: &str) -> Cow<'_, str> {
    let is_char = |letter: char| !matches!(letter, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    match text.chars().all(is_char) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter(|letter| is_char(*letter)).collect()),
    }
}

/// Writes a feed as JSON Feed 1.1. `self_url` is the absolute address of this very file.
pub fn json(feed: &Feed, self_url: &str) -> String {
    let mut root = Map::new();
    set(&mut root, "version", "https://jsonfeed.org/version/1.1");
    set(&mut root, "title", &feed.title);
    set(&mut root, "home_page_url", &feed.html_url);
    set(&mut root, "feed_url", self_url);
    feed.subtitle.iter().for_each(|subtitle| set(&mut root, "description", subtitle));
    if !feed.language.is_empty() {
        set(&mut root, "language", &feed.language);
    }
    set_authors(&mut root, &feed.authors);
    let items = feed.entries.iter().map(|entry| {
        let mut item = Map::new();
        set(&mut item, "id", &entry.id);
        set(&mut item, "url", &entry.url);
        set(&mut item, "title", &entry.title);
        match entry.content() {
            Some(html) => set(&mut item, "content_html", &html),
            // An item needs a content.
            None => set(&mut item, "content_text", entry.summary.as_deref().unwrap_or(&entry.title)),
        }
        entry.summary.iter().for_each(|summary| set(&mut item, "summary", summary));
        entry.published.as_deref().and_then(rfc3339).iter().for_each(|date| set(&mut item, "date_published", date));
        entry.changed().iter().for_each(|date| set(&mut item, "date_modified", date));
        set_authors(&mut item, &entry.authors);
        if !entry.tags.is_empty() {
            item.insert("tags".to_owned(), entry.tags.clone().into());
        }
        if let Some(Enclosure { url, length, media_type }) = &entry.enclosure {
            let attachment = json!({ "url": url, "mime_type": media_type, "size_in_bytes": length });
            item.insert("attachments".to_owned(), json!([attachment]));
        }
        Value::Object(item)
    });
    root.insert("items".to_owned(), Value::Array(items.collect()));
    format!("{:#}\n", Value::Object(root))
}

fn set(map: &mut Map<String, Value>, key: &str, text: &str) {
    map.insert(key.to_owned(), Value::String(text.to_owned()));
}

fn set_authors(map: &mut Map<String, Value>, authors: &[Author]) {
    let authors: Vec<Value> = authors
        .iter()
        .map(|author| {
            let mut object = Map::new();
            set(&mut object, "name", &author.name);
            author.url.iter().for_each(|url| set(&mut object, "url", url));
            Value::Object(object)
        })
        .collect();
    if !authors.is_empty() {
        map.insert("authors".to_owned(), Value::Array(authors));
    }
}

/// Attributes with a list of addresses.
const LISTS: &[&str] = &["imagesrcset", "srcset"];

/// Returns HTML in which every address is absolute, as seen from the page at `base`. Everything else stays as it is.
fn with_absolute_addresses(html: &str, base: &str) -> String {
    let Ok(base) = Url::parse(base) else { return html.to_owned() };
    let absolute = |address: &str| -> Option<String> {
        let address = address.trim();
        // An address with a scheme is absolute, and stays as it is written.
        if Url::parse(address).is_ok() {
            return None;
        }
        let composed = composed_address(address);
        base.join(composed.as_deref().unwrap_or(address)).ok().map(String::from)
    };
    html::with_attributes(html, |name, value| match name {
        name if html::is_address(name) => absolute(value),
        name if LISTS.contains(&name) => html::with_addresses(value, absolute),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use feed_rs::model::FeedType;

    const SELF: &str = "https://www.a.test/news/feed";

    fn entry(number: usize) -> Entry {
        Entry {
            id: format!("https://www.a.test/news/{number}"),
            url: format!("https://www.a.test/news/{number}"),
            title: format!("Rye & <wheat> {number}"),
            summary: Some("Salt \"and\" more".to_owned()),
            content_html: Some(format!(
                "<p>We &amp; <a href=\"../about#team\">you</a> <img src=/a.png srcset='b.png 1x, /c.png 2x' alt=x> {number}</p>"
            )),
            published: Some("2026-11-05".to_owned()),
            updated: None,
            authors: vec![Author { name: "Ada".to_owned(), url: Some("https://www.a.test/team/ada".to_owned()) }],
            tags: vec!["rye & salt".to_owned(), "\"wheat\"".to_owned()],
            enclosure: Some(Enclosure {
                url: format!("https://www.a.test/{number}.mp3?a=1&b=2"),
                length: 5_000_000_000,
                media_type: "audio/mpeg".to_owned(),
            }),
        }
    }

    fn feed() -> Feed {
        let moved = Entry {
            published: Some("2026-10-01T10:00:00+02:00".to_owned()),
            updated: Some("2026-11-06 08:30".to_owned()),
            authors: Vec::new(),
            content_html: None,
            enclosure: None,
            ..entry(2)
        };
        Feed {
            id: "https://www.a.test/news".to_owned(),
            title: "News <of> Ada & sons".to_owned(),
            subtitle: Some("Bread \u{7}since 1907".to_owned()),
            html_url: "https://www.a.test/news".to_owned(),
            language: "de-AT".to_owned(),
            updated: None,
            authors: Vec::new(),
            entries: vec![entry(1), moved],
        }
    }

    /// Reads a feed as readers do, and compares what both formats have in common.
    fn read(text: &str, format: FeedType) -> feed_rs::model::Feed {
        let read = feed_rs::parser::parse(text.as_bytes()).unwrap();
        assert_eq!(read.feed_type, format);
        assert_eq!(read.title.as_ref().unwrap().content, "News <of> Ada & sons");
        assert_eq!(read.language.as_deref().map(str::to_ascii_lowercase).as_deref(), Some("de-at"));
        let of = |entry: &feed_rs::model::Entry| {
            let title = entry.title.as_ref().unwrap().content.clone();
            (
                entry.id.clone(),
                title,
                entry.links[0].href.clone(),
                entry.published.map(|date| date.to_rfc3339()),
                entry.updated.map(|date| date.to_rfc3339()),
            )
        };
        let shown = |id: &str, published: &str, updated: &str| {
            let address = format!("https://www.a.test/news/{id}");
            let times = (Some(published.to_owned()), Some(updated.to_owned()));
            (address.clone(), format!("Rye & <wheat> {id}"), address, times.0, times.1)
        };
        assert_eq!(
            read.entries.iter().map(of).collect::<Vec<_>>(),
            [
                shown("1", "2026-11-05T00:00:00+00:00", "2026-11-05T00:00:00+00:00"),
                shown("2", "2026-10-01T08:00:00+00:00", "2026-11-06T08:30:00+00:00"),
            ]
        );
        let first = &read.entries[0];
        assert_eq!(first.summary.as_ref().unwrap().content, "Salt \"and\" more");
        let body = first.content.as_ref().unwrap().body.as_deref().unwrap();
        assert_eq!(
            body,
            "<p>We &amp; <a href=\"https://www.a.test/about#team\">you</a> <img src=\"https://www.a.test/a.png\" \
             srcset=\"https://www.a.test/news/b.png 1x, https://www.a.test/c.png 2x\" alt=x> 1</p>"
        );
        assert_eq!(
            first.categories.iter().map(|tag| tag.term.as_str()).collect::<Vec<_>>(),
            ["rye & salt", "\"wheat\""]
        );
        assert_eq!(
            (first.authors[0].name.as_deref(), first.authors[0].uri.as_deref()),
            (Some("Ada"), Some("https://www.a.test/team/ada"))
        );
        read
    }

    #[test]
    fn a_reader_of_feeds_reads_what_was_written() {
        let feed = feed();
        assert_eq!(feed.mistakes(), []);
        let atom = read(&atom(&feed, &format!("{SELF}.xml")), FeedType::Atom);
        assert_eq!(atom.id, "https://www.a.test/news");
        assert_eq!(atom.updated.unwrap().to_rfc3339(), "2026-11-06T08:30:00+00:00");
        assert_eq!(atom.authors[0].name.as_deref(), Some("News <of> Ada & sons"));
        assert_eq!(atom.description.unwrap().content, "Bread since 1907");
        let links: Vec<_> = atom.links.iter().map(|link| (link.rel.as_deref(), link.href.as_str())).collect();
        assert_eq!(
            links,
            [(Some("self"), "https://www.a.test/news/feed.xml"), (Some("alternate"), "https://www.a.test/news")]
        );

        let text = json(&feed, &format!("{SELF}.json"));
        read(&text, FeedType::JSON);
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["feed_url"], "https://www.a.test/news/feed.json");
        assert_eq!(json["items"][1]["date_modified"], "2026-11-06T08:30:00Z");
        assert_eq!(json["items"][1]["date_published"], "2026-10-01T10:00:00+02:00");
        assert_eq!(json["items"][1]["content_text"], "Salt \"and\" more");
        assert_eq!(json["items"][0]["attachments"][0]["size_in_bytes"], 5_000_000_000_u64);
        assert_eq!(json["items"][1].get("attachments"), None);
        assert!(super::atom(&feed, SELF).contains(
            "<link rel=\"enclosure\" type=\"audio/mpeg\" length=\"5000000000\" href=\"https://www.a.test/1.mp3?a=1&amp;b=2\"/>"
        ));
    }

    /// What the specification requires, read with a parser of XML.
    #[test]
    fn rss_has_what_its_specification_requires() {
        let mut feed = feed();
        feed.entries[1].id = "tag:a.test,2026:2".to_owned();
        feed.entries.push(Entry { summary: None, published: Some("2026-11-05T10:00:00-03:30".to_owned()), ..entry(3) });
        let text = rss(&feed, "https://www.a.test/index.xml");
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!((root.tag_name().name(), root.attribute("version")), ("rss", Some("2.0")));
        let channels: Vec<_> = root.children().filter(|node| node.is_element()).collect();
        assert_eq!(channels.len(), 1);
        let texts = |node: &roxmltree::Node, name: &str| -> Vec<String> {
            let named = node.children().filter(|child| {
                let tag = child.tag_name();
                let prefix = match tag.namespace() {
                    None => "",
                    Some("http://www.w3.org/2005/Atom") => "atom:",
                    Some("http://purl.org/rss/1.0/modules/content/") => "content:",
                    Some("http://purl.org/dc/elements/1.1/") => "dc:",
                    Some(other) => panic!("{other}"),
                };
                format!("{prefix}{}", tag.name()) == name
            });
            named.map(|node| node.text().unwrap_or_default().to_owned()).collect()
        };
        let channel = channels[0];
        assert_eq!(texts(&channel, "title"), ["News <of> Ada & sons"]);
        assert_eq!(texts(&channel, "link"), ["https://www.a.test/news"]);
        assert_eq!(texts(&channel, "description"), ["Bread since 1907"]);
        assert_eq!(texts(&channel, "language"), ["de-AT"]);
        assert_eq!(texts(&channel, "lastBuildDate"), ["Fri, 06 Nov 2026 08:30:00 +0000"]);
        let itself = channel.children().find(|node| node.tag_name().namespace().is_some()).unwrap();
        assert_eq!(
            ["rel", "type", "href"].map(|name| itself.attribute(name).unwrap()),
            ["self", "application/rss+xml", "https://www.a.test/index.xml"]
        );
        let items: Vec<_> = channel.children().filter(|node| node.has_tag_name("item")).collect();
        assert_eq!(
            items.iter().map(|item| texts(item, "title").join("")).collect::<Vec<_>>(),
            ["1", "2", "3"].map(|number| format!("Rye & <wheat> {number}"))
        );
        assert_eq!(texts(&items[0], "pubDate"), ["Thu, 05 Nov 2026 00:00:00 +0000"]);
        assert_eq!(texts(&items[1], "pubDate"), ["Thu, 01 Oct 2026 10:00:00 +0200"]);
        assert_eq!(texts(&items[2], "pubDate"), ["Thu, 05 Nov 2026 10:00:00 -0330"]);
        let guids = items.iter().map(|item| {
            let guid = item.children().find(|node| node.has_tag_name("guid")).unwrap();
            (guid.attribute("isPermaLink").unwrap(), guid.text().unwrap())
        });
        assert_eq!(
            guids.collect::<Vec<_>>(),
            [
                ("true", "https://www.a.test/news/1"),
                ("false", "tag:a.test,2026:2"),
                ("true", "https://www.a.test/news/3")
            ]
        );
        assert_eq!(texts(&items[0], "dc:creator"), ["Ada"]);
        assert_eq!(texts(&items[0], "category"), ["rye & salt", "\"wheat\""]);
        assert_eq!(texts(&items[0], "description"), ["Salt \"and\" more"]);
        assert!(texts(&items[0], "content:encoded")[0].contains("href=\"https://www.a.test/about#team\""));
        assert!(
            texts(&items[2], "description")[0].starts_with("<p>We &amp; <a href=\"https://www.a.test/about#team\">")
        );
        assert_eq!(texts(&items[2], "content:encoded"), [""; 0]);
        let enclosure = items[0].children().find(|node| node.has_tag_name("enclosure")).unwrap();
        assert_eq!(
            ["url", "length", "type"].map(|name| enclosure.attribute(name).unwrap()),
            ["https://www.a.test/1.mp3?a=1&b=2", "5000000000", "audio/mpeg"]
        );
        assert!(!items[1].children().any(|node| node.has_tag_name("enclosure")));

        let read = feed_rs::parser::parse(text.as_bytes()).unwrap();
        assert_eq!((read.feed_type, read.entries.len()), (FeedType::RSS2, 3));
        assert_eq!(read.entries[0].published.unwrap().to_rfc3339(), "2026-11-05T00:00:00+00:00");
        let media = &read.entries[0].media[0].content[0];
        assert_eq!((media.size, media.content_type.as_ref().unwrap().as_str()), (Some(5_000_000_000), "audio/mpeg"));
    }

    #[test]
    fn mistakes_name_their_entries() {
        let mut wrong = feed();
        wrong.title = " ".to_owned();
        wrong.html_url = "/news".to_owned();
        wrong.entries[1].id = wrong.entries[0].id.clone();
        wrong.entries[1].url = "news/2".to_owned();
        wrong.entries[0].published = Some("5.11.2026".to_owned());
        wrong.entries.push(Entry { published: None, title: String::new(), ..entry(3) });
        wrong.entries.push(Entry { updated: Some("2026-11-04".to_owned()), ..entry(4) });
        assert_eq!(
            wrong.mistakes(),
            [
                Mistake::NotAbsolute { entry: None, address: "/news".to_owned() },
                Mistake::NotAbsolute { entry: Some(1), address: "news/2".to_owned() },
                Mistake::NoTitle { entry: None },
                Mistake::BadDate { entry: Some(0), date: "5.11.2026".to_owned() },
                Mistake::NoTitle { entry: Some(2) },
                Mistake::NoDate { entry: 2 },
                Mistake::Reversed { entry: 3 },
                Mistake::SameId { entry: 1, first: 0 },
            ]
        );
        let empty = Feed { entries: Vec::new(), ..feed() };
        assert_eq!(empty.mistakes(), [Mistake::NoUpdate]);
        let dated = Feed { updated: Some("2026-11-05".to_owned()), ..empty };
        assert_eq!(dated.mistakes(), []);
        assert!(feed_rs::parser::parse(atom(&dated, SELF).as_bytes()).unwrap().entries.is_empty());
        assert!(feed_rs::parser::parse(json(&dated, SELF).as_bytes()).unwrap().entries.is_empty());
    }

    #[test]
    fn times_are_those_of_rfc_3339() {
        for (date, expected) in [
            ("2026-11-05", Some("2026-11-05T00:00:00Z")),
            ("2026-11-05 10:00", Some("2026-11-05T10:00:00Z")),
            ("2026-11-05T10:00:00.5-03:30", Some("2026-11-05T10:00:00-03:30")),
            ("2026-11-05T10:00:00+00:00", Some("2026-11-05T10:00:00Z")),
            ("2026-11-31", None),
            ("2026-11-05T10:00[Europe/Vienna]", None),
            ("soon", None),
        ] {
            assert_eq!(rfc3339(date).as_deref(), expected, "{date}");
        }
    }

    #[test]
    fn every_address_of_a_content_becomes_absolute_and_nothing_else_changes() {
        for (html, expected) in [
            ("<a href=\"#b\">x</a>", "<a href=\"https://www.a.test/news/1#b\">x</a>"),
            ("<a href='/a?x=1&amp;y=2' class=k>", "<a href=\"https://www.a.test/a?x=1&amp;y=2\" class=k>"),
            ("<A HREF=b title='href=\"/c\"'>", "<A href=\"https://www.a.test/news/b\" title='href=\"/c\"'>"),
            ("<img src=\"//b.test/i.png\">", "<img src=\"https://b.test/i.png\">"),
            ("<a href=\"https://b.test\">", "<a href=\"https://b.test\">"),
            ("<a href=\"mailto:a@b.test\">", "<a href=\"mailto:a@b.test\">"),
            ("<img src=\"data:,x\" data-src=\"/x\">", "<img src=\"data:,x\" data-src=\"/x\">"),
            (
                "<video poster=/p.jpg><source src=/v.mp4></video>",
                "<video poster=\"https://www.a.test/p.jpg\"><source src=\"https://www.a.test/v.mp4\"></video>",
            ),
            (
                "<img srcset=\"/a,b.png 1x,/c.png 2x\">",
                "<img srcset=\"https://www.a.test/a,b.png 1x,https://www.a.test/c.png 2x\">",
            ),
            ("<img src=/a src=/b>", "<img src=\"https://www.a.test/a\" src=/b>"),
            ("<!-- <a href=\"/a\"> --> a < b", "<!-- <a href=\"/a\"> --> a < b"),
            ("<a href=\"/\" href", "<a href=\"https://www.a.test/\" href"),
        ] {
            assert_eq!(with_absolute_addresses(html, "https://www.a.test/news/1"), expected);
        }
    }
}
