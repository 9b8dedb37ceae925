//! The addresses that Jekyll gives pages: <https://jekyllrb.com/docs/permalinks/>.

use super::super::data::{self, Map, Value};
use super::super::keys;
use super::super::old;
use jiff::civil::Date;

/// What an address is made of.
pub struct Document<'d> {
    /// `posts`, `pages` or the name of a collection.
    pub kind: &'d str,
    /// The path without its extension; of a post, its name without the date.
    pub path: String,
    /// The folders above `_posts`, which are categories.
    pub folders: Vec<String>,
    pub keys: &'d Map,
}

/// How the addresses of pages end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `/about/`.
    Folder,
    /// `/about.html`.
    File,
    /// `/about`, which is the file `about.html`.
    Bare,
}

impl Style {
    /// Returns the style that `permalink` of the configuration gives pages.
    pub fn of(permalink: &str) -> Self {
        match permalink {
            "pretty" => Style::Folder,
            "date" | "ordinal" | "none" | "weekdate" => Style::File,
            other if other.ends_with('/') => Style::Folder,
            other if other.ends_with(":output_ext") || other.ends_with(".html") => Style::File,
            _ => Style::Bare,
        }
    }

    /// Returns what is written after a name.
    pub fn suffix(self) -> &'static str {
        match self {
            Style::Folder => "/",
            Style::File => ":output_ext",
            Style::Bare => "",
        }
    }
}

/// Returns the template that a style of posts stands for.
pub fn post_template(style: &str) -> String {
    match style {
        "date" => "/:categories/:year/:month/:day/:title:output_ext",
        "pretty" => "/:categories/:year/:month/:day/:title/",
        "ordinal" => "/:categories/:year/:y_day/:title:output_ext",
        "weekdate" => "/:categories/:year/W:week/:short_day/:title:output_ext",
        "none" => "/:categories/:title:output_ext",
        own => own,
    }
    .to_owned()
}

/// Returns the template that `permalink` of a page stands for.
pub fn page_template(own: &str) -> String {
    match own {
        "pretty" => "/:path/:basename/".to_owned(),
        "date" | "ordinal" | "none" | "weekdate" => "/:path/:basename:output_ext".to_owned(),
        own if own.starts_with('/') => own.to_owned(),
        own => format!("/{own}"),
    }
}

/// Joins what is left of a text in which everything else is taken out, as `Utils.slugify` does.
fn slugified(text: &str, is_kept: impl Fn(char) -> bool, is_lower: bool) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            letter if is_kept(letter) => out.push(letter),
            _ if !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    let out = out.trim_matches('-');
    if is_lower { out.to_lowercase() } else { out.to_owned() }
}

/// The mode `pretty` of `Utils.slugify`, which keeps capitals.
fn pretty(text: &str) -> String {
    slugified(text, |letter| letter.is_alphanumeric() || "._~!$&'()+,;=@".contains(letter), false)
}

/// The mode `default` of `Utils.slugify`.
pub fn slug(text: &str) -> String {
    slugified(text, char::is_alphanumeric, true)
}

/// Returns the terms of `categories`, which may be words in a line, and of `category`, which is one.
pub fn split_words(many: Option<&Value>, one: Option<&Value>) -> Vec<String> {
    let mut words = match many {
        Some(Value::String(text)) if text.contains(',') => text.split(',').map(|word| word.trim().to_owned()).collect(),
        Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
        Some(other) => data::words(other),
        None => Vec::new(),
    };
    words.extend(one.map(data::words).unwrap_or_default());
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|word| !word.is_empty() && seen.insert(word.clone()));
    words
}

/// Puts the values of a document into a template.
pub fn filled(template: &str, document: &Document) -> String {
    let date = data::text(document.keys, "date").and_then(keys::day);
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(':') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // The longest name that fits, as in `:title:output_ext`.
        let end = rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(rest.len());
        let name = (1..=end).rev().map(|end| &rest[..end]).find(|name| placeholder(name, document, date).is_some());
        match name {
            Some(name) => {
                out.push_str(&placeholder(name, document, date).unwrap_or_default());
                rest = &rest[name.len()..];
            }
            None => out.push(':'),
        }
    }
    out + rest
}

/// What dates are in addresses, by the letters of strftime (jekyllrb.com/docs/permalinks, "placeholders").
const DATES: [(&str, &str); 13] = [
    ("year", "%Y"),
    ("month", "%m"),
    ("i_month", "%-m"),
    ("short_month", "%b"),
    ("long_month", "%B"),
    ("day", "%d"),
    ("i_day", "%-d"),
    ("y_day", "%j"),
    ("short_day", "%a"),
    ("long_day", "%A"),
    ("week", "%V"),
    ("w_year", "%G"),
    ("w_day", "%u"),
];

fn placeholder(name: &str, document: &Document, date: Option<Date>) -> Option<String> {
    if let Some((_, format)) = DATES.iter().find(|(placeholder, _)| *placeholder == name) {
        return Some(date.map_or(String::new(), |date| date.strftime(format).to_string()));
    }
    let own_slug = data::word(document.keys, "slug");
    let base = old::name(&document.path).to_owned();
    match name {
        "short_year" => Some(date.map_or(String::new(), |date| format!("{:02}", date.year().rem_euclid(100)))),
        "hour" | "minute" | "second" => Some(clock(document.keys, name)),
        "title" => Some(pretty(own_slug.as_deref().unwrap_or(&base))),
        "slug" => Some(slug(own_slug.as_deref().unwrap_or(&base))),
        "name" => Some(slug(&base)),
        "basename" => Some(base),
        "path" if document.kind == "pages" => Some(old::folder(&document.path).to_owned()),
        "path" => Some(document.path.clone()),
        "collection" => Some(document.kind.to_owned()),
        "output_ext" => Some(".html".to_owned()),
        "categories" | "slugified_categories" => {
            let mut words = document.folders.clone();
            words.extend(split_words(document.keys.get("categories"), document.keys.get("category")));
            let mut seen = std::collections::BTreeSet::new();
            let words =
                words.into_iter().map(|word| if name == "categories" { word.to_lowercase() } else { slug(&word) });
            Some(words.filter(|word| seen.insert(word.clone())).collect::<Vec<_>>().join("/"))
        }
        _ => None,
    }
}

/// The hour, the minute or the second of the date.
fn clock(keys: &Map, name: &str) -> String {
    let number = ["hour", "minute", "second"].iter().position(|each| *each == name).unwrap_or(0);
    let date = data::text(keys, "date").unwrap_or_default();
    let time = date.split_once(['T', ' ']).map_or("", |(_, time)| time);
    let part = time.split([':', ' ', '+', 'Z']).nth(number).filter(|part| part.len() == 2);
    part.unwrap_or("00").to_owned()
}

/// Returns the path of the page file of posts that makes most of these addresses.
pub fn pattern(style: &str) -> String {
    let template = post_template(style);
    let mut pattern = template.trim_end_matches(":output_ext").trim_end_matches(".html").to_owned();
    for (placeholder, variable) in [
        ("/:categories", ""),
        (":year", "[year]"),
        (":month", "[month]"),
        (":day", "[day]"),
        (":title", "[slug]"),
        (":slug", "[slug]"),
    ] {
        pattern = pattern.replace(placeholder, variable);
    }
    let pattern = pattern.trim_matches('/').to_owned();
    let plain =
        ["[year]", "[month]", "[day]", "[slug]"].iter().fold(pattern.clone(), |text, each| text.replace(each, "x"));
    let is_possible = pattern.matches("[slug]").count() == 1 && super::super::address::is_plain(&format!("/{plain}"));
    if is_possible { pattern } else { "[year]/[month]/[day]/[slug]".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// From the tables of <https://jekyllrb.com/docs/permalinks/>.
    #[test]
    fn addresses_are_those_of_jekyll() {
        let front = json!({ "date": "2024-03-09 08:05:00", "categories": "Bread Salt" });
        let of = |style: &str, name: &str| {
            let document =
                Document { kind: "posts", path: name.into(), folders: Vec::new(), keys: front.as_object().unwrap() };
            filled(&post_template(style), &document)
        };
        for (style, expected) in [
            ("date", "/bread/salt/2024/03/09/Why-Salt-1.0.html"),
            ("pretty", "/bread/salt/2024/03/09/Why-Salt-1.0/"),
            ("ordinal", "/bread/salt/2024/069/Why-Salt-1.0.html"),
            ("weekdate", "/bread/salt/2024/W10/Sat/Why-Salt-1.0.html"),
            ("none", "/bread/salt/Why-Salt-1.0.html"),
            ("/blog/:short_year/:i_month/:i_day/:slug", "/blog/24/3/9/why-salt-1-0"),
            ("/:long_month/:hour:minute/:title/", "/March/0805/Why-Salt-1.0/"),
        ] {
            assert_eq!(of(style, "Why-Salt-1.0"), expected, "{style}");
        }
        let empty = Map::new();
        let page = |template: &str, path: &str| {
            super::super::super::address::cleaned(&filled(
                template,
                &Document { kind: "pages", path: path.into(), folders: Vec::new(), keys: &empty },
            ))
            .unwrap()
        };
        assert_eq!(page("/:path/:basename:output_ext", "about"), "/about.html");
        assert_eq!(page("/:path/:basename/", "a/about"), "/a/about/");
        assert_eq!(page("/:path/", "a/index"), "/a/");
        assert_eq!(page(&page_template("/contact"), "x"), "/contact");
        let document = Document { kind: "recipes", path: "cakes/plum".into(), folders: Vec::new(), keys: &empty };
        assert_eq!(filled("/:collection/:path:output_ext", &document), "/recipes/cakes/plum.html");
        assert_eq!(pattern("pretty"), "[year]/[month]/[day]/[slug]");
        assert_eq!(pattern("/blog/:title/"), "blog/[slug]");
    }
}
