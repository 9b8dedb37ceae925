//! What the readers of generators give: an old site in terms that all have in common.

use super::address;
use super::components::{Call, Components};
use super::data::{self, Document, Map};
use super::keys;
use super::old::Old;
use jiff::civil::Date;
use std::collections::{BTreeMap, BTreeSet};

/// An old site.
#[derive(Default)]
pub struct Site {
    /// The name of the generator, for the report.
    pub generator: &'static str,
    /// The day of the import: what is dated later is not published yet.
    pub today: Date,
    /// Where it was published, without a path: `https://www.example.com`.
    pub origin: Option<String>,
    /// Whether it says that it was published at `example.org` or `example.com`.
    pub is_example: bool,
    /// The path on its host: empty, or like `/docs`.
    pub base_path: String,
    /// Its language as a BCP 47 tag.
    pub language: Option<String>,
    /// Its other languages.
    pub languages: Vec<Language>,
    /// Texts of templates: `labels` of `site.yaml`.
    pub labels: Map,
    /// Whether every language has all pages, in the words of the original where there is no translation.
    pub has_fallbacks: bool,
    /// Its title, for `name` of `site.yaml`.
    pub name: Option<String>,
    /// A sentence about it.
    pub description: Option<String>,
    /// Links to its main parts: the words and the address.
    pub menu: Vec<(String, String)>,
    /// The order of a documentation, with the depth of each item.
    pub sidebar: Vec<Item>,
    /// All texts and lists.
    pub texts: Vec<Text>,
    /// Collections, and where their entries are: `news/[year]/[slug]`.
    pub collections: BTreeMap<String, Collection>,
    /// Sets of terms.
    pub taxonomies: Vec<Taxonomy>,
    /// Further addresses of pages and feeds that the old generator made without a text: those of lists in other languages, of terms,
    /// of archives.
    pub made: BTreeSet<String>,
    /// Addresses that lead to others.
    pub redirects: Vec<(String, String)>,
    /// Files that keep their address: the address without its first `/`, and the path in the old site.
    pub public: BTreeMap<String, String>,
    /// Keys below `settings.markdown`.
    pub markdown: Map,
    /// Whether addresses in the language of the site begin with its tag too.
    pub has_prefix: bool,
    /// How the texts are written.
    pub dialect: Dialect,
    /// Components that the bodies call.
    pub components: Components,
    /// What was found outside of texts: the file of the old site, its line if there is one, and the finding.
    pub findings: Vec<(String, usize, Finding)>,
}

/// What is said of a file beside a draft, or a text of another day.
pub const HIDDEN_FILE: &str =
    "the text beside it is not published, so the file was left out unless that text shows it or links to it";

/// What is said of a text among dated ones.
pub const UNDATED: &str = "the post has no date, so it is a page and in no list";

impl Site {
    /// Notes what was not translated.
    pub fn left(&mut self, file: &str, message: impl Into<String>) {
        self.findings.push((file.to_owned(), 0, Finding::left(message)));
    }

    /// Notes a fault of the old site.
    pub fn fault(&mut self, file: &str, message: impl Into<String>) {
        self.findings.push((file.to_owned(), 0, Finding::fault(message)));
    }

    /// Notes the keys of a map that are not read. `what` is what they are; where that begins with `*`, templates read them.
    pub fn left_keys(&mut self, file: &str, what: &str, map: &Map, read: &[&str]) {
        let (what, hint) = match what.strip_prefix('*') {
            Some(what) => (what, "; write what templates read into site.yaml"),
            None => (what, ""),
        };
        let left = map.keys().filter(|key| !read.contains(&key.as_str())).map(|key| format!("`{key}`"));
        let left = left.collect::<Vec<_>>().join(", ");
        if !left.is_empty() {
            self.left(file, format!("{what} that were left out: {left}{hint}"));
        }
    }

    /// Notes a mark in a text before which its summary ends.
    pub fn left_mark(&mut self, file: &str, text: &str, marks: &[&str]) {
        if marks.iter().any(|mark| text.contains(mark)) {
            self.left(
                file,
                "the mark at the end of the summary was left out: lists show titles, and feeds whole texts",
            );
        }
    }

    /// Returns the address of a text, or another one if that cannot be kept.
    pub fn kept(&mut self, source: &str, address: Result<String, String>, other: impl FnOnce() -> String) -> String {
        address.unwrap_or_else(|reason| {
            self.left(source, format!("its address cannot be kept: {reason}"));
            other()
        })
    }

    /// Reads a text with its keys.
    pub fn read<'o>(&mut self, old: &'o Old, source: &str) -> Option<Document<'o>> {
        let text = old.text(source);
        if text.is_none() {
            self.left(source, "this text is not UTF-8, or too large");
        }
        text.map(|text| self.document(source, text))
    }

    /// Takes front matter off a text. If it cannot be read, the text is a draft: nobody knows whether it was one.
    fn document<'t>(&mut self, source: &str, text: &'t str) -> Document<'t> {
        data::split(text).unwrap_or_else(|unreadable| {
            let message = format!("its front matter: {}; the text is a draft now", unreadable.reason);
            self.fault(source, message);
            let keys = Map::from_iter([("draft".to_owned(), true.into())]);
            Document { keys, body: unreadable.body }
        })
    }

    /// Adds a page with links, unless there is one at its address.
    pub fn push_links(&mut self, address: String, title: String, links: Vec<(String, String)>) {
        if self.texts.iter().any(|text| text.address == address) {
            return;
        }
        let links = links.into_iter().map(|(text, path)| serde_json::json!({ "text": text, "path": path }));
        let mut keys = Map::new();
        keys.insert("template".into(), "pages/links.html".into());
        keys.insert("links".into(), links.collect());
        self.texts.push(Text { address, title: Some(title), keys, ..Text::default() });
    }

    /// Makes a page with links for each term that only texts in no collection have, at `of` a term, and one with links to all of these.
    /// `titled` gives the title of a page with a number of links. Pages of terms that entries have list only those.
    pub fn push_terms(
        &mut self,
        key: &str,
        (index, title): (&str, &str),
        of: impl Fn(&str) -> String,
        titled: impl Fn(&str, usize) -> String,
    ) {
        let taxonomy = self.taxonomies.iter().find(|taxonomy| taxonomy.address == index);
        let is_of_entries = |term: &String| taxonomy.is_some_and(|taxonomy| taxonomy.terms.contains_key(term));
        let mut terms: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let mut unlisted = Vec::new();
        let is_shown = |text: &&Text| {
            let is_page = text.collection.is_none() && text.language.is_none();
            is_page && !text.is_unlisted && !self.is_hidden(text)
        };
        for text in self.texts.iter().filter(is_shown) {
            let words = text.keys.get(key).map(data::words).unwrap_or_default();
            let (others, own): (Vec<String>, Vec<String>) = words.into_iter().partition(is_of_entries);
            unlisted.extend(others.first().map(|_| text.source.clone()));
            for term in own {
                terms.entry(term).or_default().push((text.words(), text.address.clone()));
            }
        }
        let has_entries = taxonomy.is_some();
        for source in unlisted {
            self.left(&source, format!("pages of `{key}` list entries of collections alone, and this page no more"));
        }
        let all: Vec<(String, String)> = terms.keys().map(|term| (term.clone(), of(term))).collect();
        for (term, links) in terms {
            self.push_links(of(&term), titled(&term, links.len()), links);
        }
        if all.is_empty() {
            return;
        }
        if has_entries {
            let all = all.iter().map(|(_, address)| format!("`{address}`")).collect::<Vec<_>>().join(", ");
            self.left(index, format!("the page of all terms has no links to those that only pages have: {all}"));
        } else {
            self.push_links(index.to_owned(), title.to_owned(), all);
        }
    }

    /// Redirects the further pages of lists, where they were not below `page`.
    pub fn redirect_pages(&mut self, path: &str) {
        let mut redirects = Vec::new();
        for (text, list) in self.texts.iter().filter_map(|text| Some((text, text.list.as_ref()?))) {
            let path = list.page_path.as_deref().unwrap_or(path);
            let Some(per_page) = list.per_page.filter(|per_page| *per_page > 0 && path != "page") else { continue };
            let is_listed = |entry: &&Text| {
                let section = entry.keys.get("section").and_then(|section| section.as_str());
                list.collection.is_some()
                    && entry.collection == list.collection
                    && entry.language == text.language
                    && list.section.as_deref().is_none_or(|own| section == Some(own))
                    && !self.is_hidden(entry)
            };
            let count = self.texts.iter().filter(is_listed).count() as u64;
            let base = address::route(&text.address);
            let base = base.trim_end_matches('/');
            for number in 2..=count.div_ceil(per_page) {
                redirects.push((format!("{base}/{path}/{number}/"), format!("{base}/page/{number}")));
            }
        }
        self.redirects.extend(redirects);
        if path != "page" && self.taxonomies.iter().any(|taxonomy| taxonomy.per_page.is_some()) {
            let generator = self.generator.to_lowercase();
            self.left(&generator, format!("further pages of terms were below `{path}/`, and are below `page/` now"));
        }
    }

    /// Whether a text is not published, today at least.
    pub fn is_hidden(&self, text: &Text) -> bool {
        keys::is_hidden(&text.keys, self.today)
    }
}

/// A language besides that of the site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Language {
    /// A BCP 47 tag. In lower case, it is the first part of the addresses of its texts.
    pub tag: String,
    /// What it is called in itself.
    pub name: String,
    /// The title of the site in it.
    pub title: Option<String>,
    /// Texts of templates in it, by the keys of those of the site.
    pub labels: Map,
    /// Links to the main parts in it, if they are others than those of the site.
    pub menu: Vec<(String, String)>,
}

/// An item of the order of a documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The words of the link.
    pub title: String,
    /// The address, or none for the title of a group.
    pub address: Option<String>,
    /// The number of groups that it is in.
    pub level: usize,
}

/// A collection of entries.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The path of their page file below `content/pages`, without `.yaml`: `blog/[slug]`.
    pub pattern: String,
}

/// How texts of a generator differ from CommonMark.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dialect {
    /// Whether `{#id .class}` after a heading is read.
    pub has_heading_attributes: bool,
    /// How ids of headings are made.
    pub ids: Ids,
    /// Whether the first heading of a text is the title of its page where no key is.
    pub is_titled_by_heading: bool,
    /// Whether `$x$` is a formula.
    pub has_math: bool,
}

/// How the id of a heading is made of its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// As GitHub does.
    #[default]
    GitHub,
    /// As Zola does by default: words in ASCII, joined by `-`.
    Ascii,
    /// As GitHub does, of the letters and digits in ASCII alone: `github-ascii` of Hugo.
    GitHubAscii,
    /// Words joined by `-`: `blackfriday` of Hugo.
    Blackfriday,
}

/// A set of terms by which entries are grouped.
#[derive(Clone, Debug, Default)]
pub struct Taxonomy {
    /// The key of entries: `tags`.
    pub key: String,
    pub collection: String,
    /// The address of the page of all terms: `/tags/`. Terms are below.
    pub address: String,
    pub title: String,
    /// The address of a term by its name, as the old site had it.
    pub terms: BTreeMap<String, String>,
    /// Terms of the other languages, by the tags of these: their names with their old addresses.
    pub translated: BTreeMap<String, BTreeMap<String, String>>,
    /// Entries on a page.
    pub per_page: Option<u64>,
    /// The feeds of each term: the name below its page, and the format.
    pub feeds: Vec<(String, &'static str)>,
}

/// What a page lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// The collection, or none for the pages below this one.
    pub collection: Option<String>,
    /// Only entries whose key `section` is this.
    pub section: Option<String>,
    /// Entries on a page.
    pub per_page: Option<u64>,
    /// The part before the numbers of further pages in their old addresses, if it is not that of all lists.
    pub page_path: Option<String>,
    /// The addresses and formats of the old feeds: `("/index.xml", "rss")`.
    pub feeds: Vec<(String, &'static str)>,
}

/// A text with an address of its own.
#[derive(Debug, Default)]
pub struct Text {
    /// The path of the file in the old site; empty for a page that the old generator made itself.
    pub source: String,
    /// The address, exactly as it was published, without the path of the site.
    pub address: String,
    /// The collection that it becomes an entry of, or none for a page.
    pub collection: Option<String>,
    pub title: Option<String>,
    /// Further keys, by the names that they have in the new project.
    pub keys: Map,
    /// Old addresses that lead here.
    pub aliases: Vec<String>,
    pub body: Body,
    /// Files beside it: the name there, and the path in the old site.
    pub files: Vec<(String, String)>,
    /// What it lists.
    pub list: Option<List>,
    /// Whether no list showed it.
    pub is_unlisted: bool,
    /// The place among its neighbours.
    pub order: Option<i64>,
    /// The tag of its language, if that is not the language of the site.
    pub language: Option<String>,
    /// The file of the text that it translates.
    pub original: Option<String>,
}

impl Text {
    /// Returns the words of a link to it: its title, its first heading or the name of its file.
    pub fn words(&self) -> String {
        let heading = || self.body.text.lines().find_map(|line| line.strip_prefix("# "));
        let heading = || Some(heading()?.split("{#").next().unwrap_or_default().trim().to_owned());
        let words = self.title.clone().or_else(heading).filter(|words| !words.is_empty());
        words.unwrap_or_else(|| super::old::stem(&self.source).replace(['-', '_'], " "))
    }
}

/// How much a finding matters, and to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A fault that the old site had already.
    Fault,
    /// Something that could not be translated.
    Left,
    /// Something that is written differently now.
    Changed,
}

/// Something that somebody should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub kind: Kind,
    /// A sentence without a full stop.
    pub message: String,
}

impl Finding {
    /// A fault of the old site.
    pub fn fault(message: impl Into<String>) -> Self {
        Self { kind: Kind::Fault, message: message.into() }
    }

    /// Something that was not translated.
    pub fn left(message: impl Into<String>) -> Self {
        Self { kind: Kind::Left, message: message.into() }
    }

    /// Something that is written differently.
    pub fn changed(message: impl Into<String>) -> Self {
        Self { kind: Kind::Changed, message: message.into() }
    }
}

/// What becomes of an address.
#[derive(Debug)]
pub enum Link {
    /// It stays.
    Keep,
    /// It is written so.
    To(String),
    /// It is written so, and somebody should know.
    Changed(String, Finding),
    /// It leads nowhere.
    Gone(Finding),
}

/// Finds what addresses in a text lead to.
pub trait Resolver {
    /// What a link leads to. In HTML, addresses are those of the site; in Markdown they may be files of content.
    fn link(&mut self, address: &str, is_html: bool) -> Link;
    /// What a picture is.
    fn picture(&mut self, address: &str, is_html: bool) -> Link;
}

/// What stands for a mark in a body.
#[derive(Clone, Debug)]
pub enum Slot {
    /// The call of a component.
    Call(Call),
    /// Text that is written as it is.
    Text(String),
}

/// What a mark stands for, what was there in the old text, and what somebody should know of it.
pub type Marked = (Slot, String, Option<Finding>);

/// A text in Markdown in which marks stand for what is not: calls of components, and places of findings. A mark is a word of
/// private letters, so Markdown reads it as text.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The text with marks.
    pub text: String,
    /// Whether the old generator left out HTML and its comments.
    pub omits_html: bool,
    slots: Vec<Marked>,
}

/// The letters around the number of a mark.
pub const MARK: (char, char) = ('\u{e000}', '\u{e001}');

impl Body {
    /// Takes a text as it is.
    pub fn plain(text: &str) -> Self {
        Self { text: cleaned(text), ..Self::default() }
    }

    /// Makes a mark for what was `original` in the old text.
    pub fn mark(&mut self, slot: Slot, original: &str, finding: Option<Finding>) -> String {
        self.slots.push((slot, original.to_owned(), finding));
        format!("{}{}{}", MARK.0, self.slots.len() - 1, MARK.1)
    }

    /// Makes a mark that leaves nothing but a finding.
    pub fn note(&mut self, original: &str, finding: Finding) -> String {
        self.mark(Slot::Text(String::new()), original, Some(finding))
    }

    /// Changes calls. What is returned is found where the call is.
    pub fn rewrite_calls(&mut self, mut change: impl FnMut(&mut Call) -> Option<Finding>) {
        for (slot, _, finding) in &mut self.slots {
            if let Slot::Call(call) = slot {
                *finding = change(call).or(finding.take());
            }
        }
    }

    /// Returns the calls.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.slots.iter().filter_map(|(slot, _, _)| match slot {
            Slot::Call(call) => Some(call),
            Slot::Text(_) => None,
        })
    }

    /// Returns what a mark at the start of a text stands for, and the length of the mark.
    pub fn slot(&self, text: &str) -> Option<(&Marked, usize)> {
        let rest = text.strip_prefix(MARK.0)?;
        let end = rest.find(MARK.1)?;
        let slot = self.slots.get(rest[..end].parse::<usize>().ok()?)?;
        Some((slot, MARK.0.len_utf8() + end + MARK.1.len_utf8()))
    }

    /// Returns a text without marks: what was there before.
    pub fn original(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(MARK.0) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            match self.slot(rest) {
                Some(((_, original, _), length)) => {
                    // A mark may be inside of what another one stands for.
                    out.push_str(original);
                    rest = &rest[length..];
                }
                None => rest = &rest[MARK.0.len_utf8()..],
            }
        }
        out + rest
    }
}

/// Returns a text without the letters of marks, and with the line ends of Unix.
pub fn cleaned(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace([MARK.0, MARK.1], "\u{fffd}")
}
