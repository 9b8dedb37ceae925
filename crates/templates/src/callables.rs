//! What templates can call: each filter, function and test is declared here, once. From the declaration follow its
//! registration, the check of its arguments, what is said of a misspelt name, and for the cache what a page that calls it
//! depends on.

/// A filter, a function or a test.
#[derive(Debug)]
pub struct Callable {
    /// Its name in templates.
    pub name: &'static str,
    /// The names of its arguments. The first is the one that other languages write without a name.
    pub arguments: &'static [&'static str],
    /// What it reads of the site besides its arguments, the settings and the files that it names.
    pub reads: Reads,
    /// Whether a build gives it the site. Until then it is a stub, so that templates can be checked.
    pub needs_site: bool,
}

/// What a call reads of the rest of the site. A page is rendered again when that changes. A function is given nothing else,
/// so that it cannot read what is not declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// The entries of the collection that an argument names, or of any if the argument is not written out.
    Collection(&'static str),
    /// The entries of any collection.
    Collections,
    /// The pages above the page.
    Ancestors,
    /// The page in other languages.
    Translations,
    /// The template that an argument names, or any if the argument is not written out.
    Template(&'static str),
}

impl Reads {
    /// Whether it reads entries.
    pub fn reads_entries(self) -> bool {
        matches!(self, Reads::Collection(_) | Reads::Collections)
    }
}

/// One that depends on its arguments alone: Tera's own (Tera 2.4, `filters.rs`, `tests.rs` and `functions.rs`), which it does
/// not list, tera-contrib's (0.3) and ours.
const fn plain(name: &'static str, arguments: &'static [&'static str]) -> Callable {
    Callable { name, arguments, reads: Reads::Nothing, needs_site: false }
}

/// One that needs the site.
const fn of_site(name: &'static str, arguments: &'static [&'static str], reads: Reads) -> Callable {
    Callable { name, arguments, reads, needs_site: true }
}

/// What may follow `|` in a template.
pub const FILTERS: &[Callable] = &[
    plain("abs", &[]),
    plain("b64_decode", &["url_safe"]),
    plain("b64_encode", &["url_safe", "padded"]),
    plain("capitalize", &[]),
    of_site("date", &["format", "locale"], Reads::Nothing),
    plain("default", &["value", "boolean"]),
    plain("escape", &[]),
    plain("escape_html", &[]),
    plain("escape_xml", &[]),
    plain("filesize_format", &["binary"]),
    plain("first", &[]),
    plain("float", &[]),
    plain("format", &["spec"]),
    plain("get", &["key", "default"]),
    plain("group_by", &["attribute"]),
    plain("ics", &[]),
    plain("indent", &["width", "indentation", "first", "blank"]),
    plain("int", &["base"]),
    plain("join", &["sep"]),
    plain("json", &[]),
    plain("json_encode", &["pretty"]),
    plain("keys", &[]),
    plain("last", &[]),
    plain("length", &[]),
    of_site("list", &[], Reads::Nothing),
    plain("lower", &[]),
    of_site("markdown", &["inline", "language"], Reads::Nothing),
    plain("newlines_to_br", &[]),
    plain("nth", &["n"]),
    of_site("number", &["digits"], Reads::Nothing),
    plain("pairs", &[]),
    plain("pluralize", &["singular", "plural"]),
    of_site("quote", &[], Reads::Nothing),
    plain("regex_replace", &["pattern", "rep"]),
    plain("replace", &["from", "to"]),
    plain("reverse", &[]),
    plain("round", &["method", "precision"]),
    plain("safe", &[]),
    plain("slug", &[]),
    plain("slugify", &[]),
    of_site("sort", &["attribute"], Reads::Nothing),
    plain("spaceless", &[]),
    plain("split", &["pat"]),
    plain("str", &[]),
    plain("striptags", &[]),
    plain("title", &[]),
    plain("trim", &["pat"]),
    plain("trim_end", &["pat"]),
    plain("trim_start", &["pat"]),
    plain("truncate", &["length", "end"]),
    plain("unique", &[]),
    plain("upper", &[]),
    plain("urlencode", &[]),
    plain("urlencode_strict", &[]),
    plain("values", &[]),
    plain("wordcount", &[]),
    plain("wordwrap", &["width"]),
];

/// What templates call with `name(…)`.
pub const FUNCTIONS: &[Callable] = &[
    of_site("alternates", &[], Reads::Translations),
    of_site("asset", &["path", "absolute"], Reads::Nothing),
    of_site("breadcrumbs", &[], Reads::Ancestors),
    of_site("connections", &[], Reads::Nothing),
    of_site("favicons", &["path", "background", "manifest"], Reads::Nothing),
    of_site("inline_svg", &["path", "class", "title"], Reads::Nothing),
    of_site(
        "island",
        &["component", "props", "hydrate", "media", "slot", "slots", "fallback", "height", "connect"],
        Reads::Nothing,
    ),
    of_site("json_ld", &["data"], Reads::Nothing),
    of_site(
        "picture",
        &["path", "alt", "widths", "sizes", "ratio", "focus", "formats", "priority", "class", "sources"],
        Reads::Nothing,
    ),
    of_site("picture_info", &["path"], Reads::Nothing),
    of_site("picture_url", &["path", "width", "ratio", "focus", "format", "absolute"], Reads::Nothing),
    of_site("plural", &["of", "count"], Reads::Nothing),
    plain("range", &["end", "start", "step_by"]),
    of_site("related", &["entry", "by", "limit"], Reads::Collections),
    of_site("search", &["texts", "shortcut"], Reads::Nothing),
    of_site("social_picture", &["template", "data"], Reads::Template("template")),
    of_site("styles", &[], Reads::Nothing),
    plain("super", &[]),
    of_site("terms", &["collection", "key", "entry"], Reads::Collection("collection")),
    plain("throw", &["message"]),
    of_site("url", &["path", "entry", "absolute", "language"], Reads::Nothing),
];

/// The tests, as after `is`.
pub const TESTS: &[Callable] = &[
    plain("after", &["other", "inclusive"]),
    plain("array", &[]),
    plain("before", &["other", "inclusive"]),
    plain("bool", &[]),
    plain("containing", &["pat"]),
    plain("defined", &[]),
    plain("divisible_by", &["divisor"]),
    plain("ending_with", &["pat"]),
    plain("even", &[]),
    plain("float", &[]),
    plain("integer", &[]),
    plain("iterable", &[]),
    plain("map", &[]),
    plain("matching", &["pat"]),
    plain("none", &[]),
    plain("number", &[]),
    plain("odd", &[]),
    plain("starting_with", &["pat"]),
    plain("string", &[]),
    plain("undefined", &[]),
];

/// Returns a function by its name.
pub fn function(name: &str) -> Option<&'static Callable> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Returns a filter or a test by its name. A test has no arguments beside those of the filter of the same name.
pub fn filter_or_test(name: &str) -> Option<&'static Callable> {
    FILTERS.iter().chain(TESTS).find(|callable| callable.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_declared_once() {
        for list in [FILTERS, FUNCTIONS, TESTS] {
            assert!(list.is_sorted_by(|a, b| a.name < b.name), "{list:?}");
        }
        for filter in FILTERS {
            let test = TESTS.iter().find(|test| test.name == filter.name);
            assert!(test.is_none_or(|test| filter.arguments.starts_with(test.arguments)), "{}", filter.name);
        }
    }
}
