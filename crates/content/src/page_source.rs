//! What makes several pages of one file: its keys `for_each` and `list`, and the variables in its path.
//!
//! `content/pages/news/[slug].yaml` with `for_each: news` makes a page for every entry of `content/news/`;
//! `for_each: news.tags` one for every value of the key `tags` in them. `list:` shows entries on a page, and continues
//! them on pages at `…/page/2`.

use super::assets::{FOLDER, IN_FOLDER};
use super::yaml::{Node, Value};
use serde::{Deserialize, Serialize};
use sitegen_core::diagnostics::{FeedProblem, Span};
use sitegen_core::paths::{Route, prefixed};

/// The name under which pages are listed as entries of a collection are.
pub const PAGES_AS_COLLECTION: &str = "pages";

/// The keys of a page file that make several pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageSource {
    /// What there is a page for.
    pub for_each: Option<ForEach>,
    /// What the page lists.
    pub list: Option<List>,
    /// The feed of the list.
    pub feed: Option<Feed>,
}

/// The value of `for_each`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForEach {
    /// The name of a folder of `content/`, or `pages`.
    pub collection: String,
    /// The key whose values have a page each. Without it, every entry has one.
    pub key: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// The value of `list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// The collection; of a page with `for_each`, that of `for_each` if left out.
    pub collection: Option<String>,
    /// The keys to sort by. Entries that are equal in all of them keep the order of the collection.
    pub sort: Vec<Sort>,
    /// Where they are written.
    pub sort_span: Span,
    /// The number of entries on a page. Without it, all are on one.
    pub per_page: Option<usize>,
    /// The largest number of entries in the list. Without it, all are.
    pub limit: Option<usize>,
    /// The values that keys must have: for each key those that are allowed.
    pub filter: Vec<Filter>,
    /// Where it is written.
    pub span: Span,
    /// Where its collection is written.
    pub collection_span: Span,
}

/// What entries must have to be listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// The key, with dots between its parts.
    pub key: String,
    /// The values that are allowed.
    pub allowed: Vec<Node>,
    /// Where the key is written.
    pub span: Span,
}

/// A key to sort by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sort {
    /// The key, with dots between its parts.
    pub key: String,
    /// Whether the largest comes first.
    pub is_descending: bool,
}

/// The value of `feed`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feed {
    /// Its title; that of the page if left out.
    pub title: Option<String>,
    /// The largest number of entries in it.
    pub items: usize,
    /// Whether entries are there with their whole content, not with a summary.
    pub is_full: bool,
    /// Its formats in the order in which they are written.
    pub formats: Vec<FeedFormat>,
    /// Where its files are, if not at the usual places.
    pub paths: Vec<FeedPath>,
    /// Where it is written.
    pub span: Span,
}

/// A format of feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FeedFormat {
    /// Atom 1.0.
    Atom,
    /// JSON Feed 1.1.
    Json,
    /// RSS 2.0.
    Rss,
}

/// Where the file of a format is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedPath {
    /// The format.
    pub format: FeedFormat,
    /// As it is written: with a slash before it from the root of the site, without one below the list.
    pub path: String,
    /// Where it is written.
    pub span: Span,
}

impl FeedFormat {
    /// All formats, in the order of their names.
    pub const ALL: [FeedFormat; 3] = [FeedFormat::Atom, FeedFormat::Json, FeedFormat::Rss];

    /// Returns its name in content and templates.
    pub fn name(self) -> &'static str {
        match self {
            FeedFormat::Atom => "atom",
            FeedFormat::Json => "json",
            FeedFormat::Rss => "rss",
        }
    }

    /// Returns the type by which readers of feeds find it in pages.
    pub fn media_type(self) -> &'static str {
        match self {
            FeedFormat::Atom => "application/atom+xml",
            FeedFormat::Json => "application/feed+json",
            FeedFormat::Rss => "application/rss+xml",
        }
    }

    /// Returns the name of its file below the list, if the site names no other.
    pub fn file(self) -> &'static str {
        match self {
            FeedFormat::Atom => "feed.xml",
            FeedFormat::Json => "feed.json",
            FeedFormat::Rss => "rss.xml",
        }
    }

    /// Returns the endings of names by which hosts know what a file is.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            FeedFormat::Atom => &[".xml", ".atom"],
            FeedFormat::Json => &[".json"],
            FeedFormat::Rss => &[".xml", ".rss"],
        }
    }
}

/// The number of entries in a feed that names none.
const FEED_ITEMS: usize = 20;

impl PageSource {
    /// Reads the keys. Values of a wrong type count as absent; the schema reports them. Returns `None` for a file that
    /// makes one page and lists nothing.
    pub fn of(data: &Node) -> Option<Self> {
        let source = PageSource {
            for_each: data.get("for_each").and_then(ForEach::of),
            list: data.get("list").and_then(List::of),
            feed: data.get("feed").and_then(Feed::of),
        };
        (source != PageSource::default()).then_some(source)
    }

    /// Whether it makes pages of a collection, or lists it.
    pub fn names(&self, collection: &str) -> bool {
        let each = self.for_each.as_ref().map(|each| each.collection.as_str());
        let list = self.list.as_ref().and_then(|list| list.collection.as_deref());
        [each, list].contains(&Some(collection))
    }
}

impl ForEach {
    fn of(node: &Node) -> Option<Self> {
        let text = node.text().filter(|text| !text.is_empty())?;
        let (collection, key) = match text.split_once('.') {
            Some((collection, key)) => (collection, Some(key.to_owned())),
            None => (text, None),
        };
        Some(ForEach { collection: collection.to_owned(), key, span: node.span })
    }
}

impl List {
    fn of(node: &Node) -> Option<Self> {
        let Value::Map(_) = node.value else { return None };
        let collection = node.get("collection");
        let filter = node.get("where").map(Node::entries).unwrap_or_default().iter().map(|(key, value)| {
            let allowed = match &value.value {
                Value::List(items) => items.clone(),
                _ => vec![value.clone()],
            };
            Filter { key: key.name.clone(), allowed, span: key.span }
        });
        let number = |key| match node.get(key).map(|node| &node.value) {
            Some(Value::Integer(number)) => usize::try_from(*number).ok().filter(|number| *number > 0),
            _ => None,
        };
        Some(List {
            collection: collection.and_then(Node::text).map(str::to_owned),
            sort: node.get("sort").map(Sort::all).unwrap_or_default(),
            sort_span: node.get("sort").map_or(node.span, |node| node.span),
            per_page: number("per_page"),
            limit: number("limit"),
            filter: filter.collect(),
            span: node.span,
            collection_span: collection.map_or(node.span, |node| node.span),
        })
    }
}

impl Sort {
    fn all(node: &Node) -> Vec<Self> {
        match &node.value {
            Value::List(items) => items.iter().filter_map(Node::text).map(Sort::of).collect(),
            _ => node.text().map(Sort::of).into_iter().collect(),
        }
    }

    fn of(text: &str) -> Self {
        let key = text.trim_start_matches('-');
        Sort { key: key.to_owned(), is_descending: key.len() < text.len() }
    }
}

impl Feed {
    fn of(node: &Node) -> Option<Self> {
        let is_wanted = match node.value {
            Value::Bool(value) => value,
            Value::Map(_) => true,
            _ => false,
        };
        let items = match node.get("items").map(|node| &node.value) {
            Some(Value::Integer(number)) => usize::try_from(*number).unwrap_or(FEED_ITEMS),
            _ => FEED_ITEMS,
        };
        let formats = Self::formats_of(node.get("formats"));
        let feed = Feed {
            title: node.get("title").and_then(Node::text).map(str::to_owned),
            items,
            is_full: node.get("content").and_then(Node::text) != Some("summary"),
            paths: node.get("path").map(|path| Self::paths_of(path, &formats)).unwrap_or_default(),
            formats,
            span: node.span,
        };
        is_wanted.then_some(feed)
    }

    /// Returns the formats that a site names, each once. Without any these are Atom and JSON.
    fn formats_of(node: Option<&Node>) -> Vec<FeedFormat> {
        let names: Vec<&str> = match node.map(|node| &node.value) {
            Some(Value::List(items)) => items.iter().filter_map(Node::text).collect(),
            Some(Value::Text(name)) => vec![name],
            _ => Vec::new(),
        };
        let mut formats = Vec::new();
        for format in names.iter().filter_map(|name| FeedFormat::ALL.into_iter().find(|each| each.name() == *name)) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        if formats.is_empty() { vec![FeedFormat::Atom, FeedFormat::Json] } else { formats }
    }

    /// Returns where files are. One path is that of the format that its ending fits: of RSS before Atom, since whoever asks for RSS
    /// at a certain address has readers that know nothing else.
    fn paths_of(node: &Node, formats: &[FeedFormat]) -> Vec<FeedPath> {
        let written = |format: FeedFormat, node: &Node| {
            Some(FeedPath { format, path: node.text().filter(|path| !path.is_empty())?.to_owned(), span: node.span })
        };
        if let Value::Map(_) = node.value {
            let of = |format: FeedFormat| node.get(format.name()).and_then(|path| written(format, path));
            return FeedFormat::ALL.into_iter().filter_map(of).collect();
        }
        let text = node.text().unwrap_or_default();
        let fits = |format: &FeedFormat| format.endings().iter().any(|end| text.ends_with(end));
        let mut order =
            [FeedFormat::Rss, FeedFormat::Atom, FeedFormat::Json].into_iter().filter(|each| formats.contains(each));
        let format = order.clone().find(fits).or_else(|| order.next());
        format.and_then(|format| written(format, node)).into_iter().collect()
    }

    /// Returns the address of the file of a format, from the root of the site.
    fn address(&self, list: &Route, prefix: &str, format: FeedFormat) -> String {
        match self.paths.iter().find(|each| each.format == format).map(|each| each.path.as_str()) {
            Some(path) if path.starts_with('/') => prefixed(prefix, path).into_owned(),
            path => list.below(path.unwrap_or(format.file())),
        }
    }

    /// Returns the addresses of its files. `prefix` is that of the language of the list.
    pub fn addresses(&self, list: &Route, prefix: &str) -> impl Iterator<Item = (FeedFormat, String)> {
        self.formats.iter().map(move |format| (*format, self.address(list, prefix, *format)))
    }

    /// Returns what is wrong with its paths. `is_each`: whether the file makes several lists.
    pub fn mistakes(&self, is_each: bool) -> Vec<(FeedProblem, Span)> {
        let mut mistakes = Vec::new();
        for (number, FeedPath { format, path, span }) in self.paths.iter().enumerate() {
            let end = format.endings()[0];
            let mut report = |reason: &'static str, fix: String| {
                mistakes.push((FeedProblem::FeedPath { path: path.clone(), reason, fix }, *span));
            };
            let name = path.strip_prefix('/').unwrap_or(path);
            let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
            let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_sign);
            let is_of_assets = path.get(..FOLDER.len() + 1).is_some_and(|start| start.eq_ignore_ascii_case(IN_FOLDER));
            if !name.split('/').all(is_part) || is_of_assets {
                report("hosts do not serve a file there as it is", format!("write a path like `/index{end}`"));
            } else if !format.endings().iter().any(|end| path.ends_with(end)) {
                report("its name does not say what it is", format!("write a name that ends in `{end}`"));
            } else if !self.formats.contains(format) {
                report("`formats` does not name this format", format!("add `{}` to `formats`", format.name()));
            } else if self.paths[..number].iter().any(|other| other.path == *path) {
                report("another format has the same path", "write another one".to_owned());
            } else if is_each && path.starts_with('/') {
                report("this file makes several lists with a feed each", format!("write `{name}`, below each list"));
            }
        }
        mistakes
    }
}

/// A part of a path below `content/pages`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text as it is.
    Text(&'a str),
    /// The name of a variable, from between brackets.
    Variable(&'a str),
}

/// Splits a path at its variables: `news/[year]/[slug]`. Returns `None` if a bracket is not closed or a name is empty.
pub fn parts(path: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        let (name, after) = after.split_once(']')?;
        if name.is_empty() || name.contains(['[', '/']) || before.contains(']') {
            return None;
        }
        parts.extend((!before.is_empty()).then_some(Part::Text(before)));
        parts.push(Part::Variable(name));
        rest = after;
    }
    if rest.contains(']') {
        return None;
    }
    parts.extend((!rest.is_empty()).then_some(Part::Text(rest)));
    Some(parts)
}

/// Returns a path with values in place of its variables, or `None` if one has no value.
pub fn fill(parts: &[Part], mut value: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut path = String::new();
    for part in parts {
        match part {
            Part::Text(text) => path.push_str(text),
            Part::Variable(name) => path.push_str(&value(name)?),
        }
    }
    Some(path)
}

/// Whether a path has a bracket.
pub fn has_variables(path: &str) -> bool {
    path.contains(['[', ']'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use sitegen_core::paths::SourcePath;

    #[test]
    fn paths_are_split_at_their_variables() {
        use Part::{Text, Variable};
        assert_eq!(parts("news/[slug]").unwrap(), [Text("news/"), Variable("slug")]);
        let both = [Variable("year"), Text("-"), Variable("month"), Text("/all")];
        assert_eq!(parts("[year]-[month]/all").unwrap(), both);
        assert_eq!(parts("about").unwrap(), [Text("about")]);
        for wrong in ["news/[slug", "news/slug]", "news/[]", "news/[a[b]]", "news/[a/b]"] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn keys_are_read_as_written() {
        let read = |text: &str| PageSource::of(&yaml::parse(&SourcePath::new("a.yaml"), text, 0).unwrap());
        assert_eq!(read("title: A\n"), None);
        let list = read(
            "list: { collection: news, sort: [-date, title], limit: 30, per_page: 10, where: { tags: [a, b], on: true } }\n",
        );
        let list = list.unwrap().list.unwrap();
        assert_eq!(list.collection.as_deref(), Some("news"));
        assert_eq!(
            list.sort.iter().map(|sort| (sort.key.as_str(), sort.is_descending)).collect::<Vec<_>>(),
            [("date", true), ("title", false)]
        );
        assert_eq!((list.per_page, list.limit), (Some(10), Some(30)));
        assert_eq!(
            list.filter.iter().map(|each| (each.key.as_str(), each.allowed.len())).collect::<Vec<_>>(),
            [("tags", 2), ("on", 1)]
        );
        let each = read("for_each: news.tags\n").unwrap().for_each.unwrap();
        assert_eq!((each.collection.as_str(), each.key.as_deref()), ("news", Some("tags")));
        assert_eq!(read("feed: true\n").unwrap().feed.unwrap().items, FEED_ITEMS);
        assert_eq!(read("feed: false\n"), None);
        assert!(!read("feed: { content: summary, items: 3 }\n").unwrap().feed.unwrap().is_full);
    }

    #[test]
    fn feeds_are_where_a_site_says() {
        let addresses = |text: &str, list: &str| {
            let data = yaml::parse(&SourcePath::new("a.yaml"), &format!("feed: {text}\n"), 0).unwrap();
            let feed = PageSource::of(&data).unwrap().feed.unwrap();
            let list = Route::exact(list);
            let all = feed.addresses(&list, "").map(|(format, address)| format!("{} {address}", format.name()));
            (all.collect::<Vec<_>>().join(", "), feed.mistakes(false).len())
        };
        for (text, list, expected, mistakes) in [
            ("true", "/news", "atom /news/feed.xml, json /news/feed.json", 0),
            ("true", "/", "atom /feed.xml, json /feed.json", 0),
            ("{ formats: rss }", "/news/", "rss /news/rss.xml", 0),
            (
                "{ formats: [atom, json, rss], path: /index.xml }",
                "/",
                "atom /feed.xml, json /feed.json, rss /index.xml",
                0,
            ),
            ("{ path: /atom.xml }", "/posts", "atom /atom.xml, json /posts/feed.json", 0),
            ("{ path: all.json }", "/posts", "atom /posts/feed.xml, json /posts/all.json", 0),
            (
                "{ formats: [rss, atom], path: { rss: index.xml, atom: /A.atom } }",
                "/p.html",
                "rss /p/index.xml, atom /A.atom",
                0,
            ),
            ("{ formats: [rss, rss], path: /feed/ }", "/", "rss /feed/", 1),
            ("{ formats: [rss], path: /feed }", "/", "rss /feed", 1),
            ("{ path: { rss: /rss.xml } }", "/", "atom /feed.xml, json /feed.json", 1),
            ("{ formats: [rss, atom], path: { rss: /a.xml, atom: /a.xml } }", "/", "rss /a.xml, atom /a.xml", 1),
            ("{ path: /assets/a.xml }", "/", "atom /assets/a.xml, json /feed.json", 1),
        ] {
            assert_eq!(addresses(text, list), (expected.to_owned(), mistakes), "{text}");
        }
    }
}
