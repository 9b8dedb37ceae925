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
/// name it, and they must not change with the texts of others.
pub fn index_path(language: &str) -> String {
    format!("/search-{}.bin", primary(language))
}

/// Whether a file of a site is one of an index, by its path.
pub fn is_index(path: &str) -> bool {
    let name = path.strip_prefix("assets/").unwrap_or(path);
    name.starts_with("search-") && name.ends_with(".bin") && !name.contains('/')
}

/// Returns the part of a language tag that decides the index: `en` of `en-GB`.
pub fn primary(language: &str) -> String {
    language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Returns the begin of a digest for a file's name.
fn short(digest: &Digest) -> String {
    digest[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}
