//! Search: an index of the site's pages for browsers, and the script that reads it.
//!
//! 1. [`Page::read`] reads the sections of a page from its final HTML. A cached page keeps them.
//! 2. [`index`] makes the files of the index from all pages, one index for each language. A server makes it when a browser
//!    asks for it ([`Later`]).
//! 3. [`SCRIPT`] runs in browsers. It fetches the entry of an index, and for a query the few files that have its words.
//!
//! A site without `settings.search` pays nothing: none of this runs.

mod index;
mod later;
mod page;
mod words;

pub use index::{Document, File, index};
pub use later::{Later, Pages};
pub use page::Page;

use sitegen_core::sources::{Digest, digest};
use sitegen_locale::primary;
use std::sync::LazyLock;

/// The stylesheet `sitegen:search.css`.
pub const STYLESHEET: &str = include_str!("search.css");

/// The attribute of the search's element: the address of the index. A page that has it may fetch from its own origin.
pub const ATTRIBUTE: &str = "data-search-index";

/// The texts of the search in English, each by its key in `search(texts={…})`.
pub const TEXTS: [(&str, &str); 7] = [
    ("label", "Search"),
    ("placeholder", "Search"),
    ("results", "Results"),
    ("one", "1 result"),
    ("many", "{count} results"),
    ("none", "Nothing was found for “{query}”."),
    ("failed", "The search is not available at the moment."),
];

/// Keys of texts beside `one` and `many`: with them, the texts of the number of results are plural forms of the page's language.
pub const FORMS: [&str; 4] = ["zero", "two", "few", "other"];

/// The script of browsers, without its comments and indentation.
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let lines = include_str!("search.js").lines().map(str::trim_start);
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with(['*', '/']));
    code.flat_map(|line| [line, "\n"]).collect()
});

/// Returns the path of the script from the site's root.
pub fn script_path() -> String {
    format!("/assets/search-{}.js", short(&digest(SCRIPT.as_bytes())))
}

/// Returns the path of the entry of an index from the site's root. It has the same name in every build, because pages
/// name it, and they must not change with the texts of others. `name` is that of [`index_name`].
pub fn index_path(name: &str) -> String {
    format!("/search-{name}.bin")
}

/// Returns the name of the index that has the pages in a language: the primary tag. Languages of the site that have the same one,
/// such as `pt-BR` and `pt-PT`, have an index each, with the whole tag as its name.
pub fn index_name<'t>(language: &str, declared: impl Iterator<Item = &'t str>) -> String {
    let primary = primary(language);
    let related: Vec<&str> = declared.filter(|tag| self::primary(tag) == primary).collect();
    let is_one_of_several = related.len() > 1 && related.iter().any(|tag| tag.eq_ignore_ascii_case(language));
    if is_one_of_several { language.to_ascii_lowercase() } else { primary }
}

/// Whether a file of a site is one of an index, by its path.
pub fn is_index(path: &str) -> bool {
    let name = path.strip_prefix("assets/").unwrap_or(path);
    name.starts_with("search-") && name.ends_with(".bin") && !name.contains('/')
}

/// Returns the begin of a digest for a file's name.
fn short(digest: &Digest) -> String {
    digest[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_with_the_same_primary_tag_have_an_index_each() {
        let name = |language, declared: &[&str]| index_name(language, declared.iter().copied());
        assert_eq!(name("en-GB", &["en-GB", "pt-BR"]), "en");
        assert_eq!(name("pt-BR", &["en-GB", "pt-BR"]), "pt");
        assert_eq!(name("pt-BR", &["en", "pt-BR", "pt-PT"]), "pt-br");
        assert_eq!(name("pt-pt", &["en", "pt-BR", "pt-PT"]), "pt-pt");
        assert_eq!(name("zh-Hans", &["zh-Hant", "zh-Hans"]), "zh-hans");
        assert_eq!(name("en", &["en", "en-GB"]), "en");
        // A page may be in a language that the site does not declare.
        assert_eq!((name("pt-AO", &["pt-BR", "pt-PT"]), name("fr-CA", &["en"])), ("pt".to_owned(), "fr".to_owned()));
    }
}
