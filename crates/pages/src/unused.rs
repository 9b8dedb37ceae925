//! Finds templates, components, islands, assets and styles that nothing uses.
//!
//! A name counts as used wherever it occurs in a text, so that a name that a template builds from values is never
//! reported. At worst too little is reported. Of assets, the finished site shows which are used; texts only excuse those
//! that something could still show, and SVGs whose markup is in pages without their name.

use super::{Inputs, social};
use sitegen_content::assets::Asset;
use sitegen_content::fold::folded;
use sitegen_content::front_matter;
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::{Diagnostic, Place, UnusedProblem};
use sitegen_core::parallel;
use sitegen_core::paths::{ASSETS, Format, SourcePath, percent_decoded};
use sitegen_core::sources::{Chunk, SCHEMA, SourceKind, Sources};
use sitegen_templates::scan::{Scan, scan};
use sitegen_templates::{TEMPLATES, Template, Templates};
use std::collections::{BTreeSet, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

/// Warns of each file that nothing uses.
pub fn unused(inputs: Inputs) -> Vec<Diagnostic> {
    let Inputs { sources, site, styles, tools, .. } = inputs;
    let cache = tools.cache();
    let mut diagnostics = Vec::new();
    let mut warn = |path: &SourcePath, what: &str| {
        let problem = UnusedProblem::UnusedFile { what: String::from(what) };
        diagnostics.push(Diagnostic::new(problem, Place::file(path)));
    };

    // Templates, from those that pages name. A page that is left out today may name any.
    let all = Templates::of(sources);
    let templates: Vec<Template> = all.iter().collect();
    let mut open: Vec<&str> =
        site.pages.chunks().iter().flat_map(|chunk| &chunk.templates).map(String::as_str).collect();
    // The default template: a site keeps it for the next page.
    open.push("pages/page.html");
    if !site.pages.hidden().is_empty() {
        open.extend(templates.iter().map(|each| each.name).filter(|name| !name.starts_with("components/")));
    }
    let Scan { uses, .. } = &*scan(&all, cache);
    let reached = uses.reached(open, site.components.iter().map(String::as_str));
    for template in templates.iter().filter(|each| !reached.contains(each.name)) {
        warn(template.path, if uses.defines_component(template.name) { "component" } else { "template" });
    }

    let is_template = |path: &SourcePath| templates.iter().any(|each| each.path == path);
    // Other files, by the texts that can name them. Most are found without reading the pages.
    let others = sources.of_all(&[SourceKind::Style, SourceKind::Template, SourceKind::Island]);
    let mut files: Vec<(&SourcePath, &'static str)> = others
        .filter_map(|(path, _)| Some((path, kind_of(path)?)))
        .filter(|(path, _)| !styles.used.contains(*path) && has_plain_name(path) && !is_template(path))
        .collect();
    let named = Named::of(sources, cache, files.iter().map(|(path, _)| *path));
    files.retain(|(path, _)| !named.has(path));
    files.into_iter().for_each(|(path, what)| warn(path, what));
    diagnostics
}

/// Warns of each asset that nothing in the finished site uses: neither the file, of which `is_used` knows, nor its text.
/// One that a page would show, if it were not left out today, or that a template names for other values, is no mistake.
pub fn unused_assets(inputs: Inputs, is_used: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let Inputs { sources, site, styles, tools, .. } = inputs;
    // All fonts that link previews may have.
    let has_previews = social::may_ask_for_previews(&Templates::of(sources));
    let is_font = |asset: &Asset| has_previews && social::is_font(asset.path());
    let mut assets: Vec<&Asset> = site.assets.iter().collect();
    assets.retain(|asset| !is_used(&asset.file) && !styles.used.contains(&asset.source) && !is_font(asset));
    if assets.is_empty() {
        return Vec::new();
    }
    let named = Named::of(sources, tools.cache(), assets.iter().map(|asset| &asset.source));
    let is_in_a_text = |is_in: &dyn Fn(&str) -> bool| {
        let mut files = SourceKind::ALL.into_iter().flat_map(|kind| sources.of(kind));
        files.any(|(path, source)| is_text(path) && source.here().text().is_some_and(is_in))
    };
    let left_out = site.schedule.hidden.iter().map(|hidden| &hidden.path);
    let left_out: Vec<(&str, &str)> =
        left_out.map(|path| (path.stem(), sources.text(path).unwrap_or_default())).collect();
    let joined =
        Joined::of(sources, tools.cache(), assets.iter().filter(|asset| is_svg(asset)).map(|each| each.path()));
    let is_excused = |asset: &Asset| {
        let (path, name, stem) = (asset.path(), asset.source.name(), asset.source.stem());
        let is_plain = has_plain_name(&asset.source);
        // A text of it stands in pages, and its name nowhere.
        let is_inlined = is_svg(asset)
            && (named.has(&asset.source) || joined.has(path) || !is_plain && is_in_a_text(&|text| text.contains(name)));
        let is_coming = |(own, text): &(&str, &str)| *own == stem || text.contains(name) || has_word(text, stem);
        let is_in = |text: &str| text.contains(path) || !is_plain && percent_decoded(text).contains(path);
        is_inlined || left_out.iter().any(is_coming) || (!is_plain || named.has(&asset.source)) && is_in_a_text(&is_in)
    };
    let unused = assets.into_iter().filter(|asset| !is_excused(asset));
    let warning = |asset: &Asset| {
        let what = if asset.is_beside() { "file beside a text" } else { "asset" };
        let problem = UnusedProblem::UnusedFile { what: what.to_owned() };
        Diagnostic::new(problem, Place::file(&asset.source))
    };
    unused.map(warning).collect()
}

fn is_svg(asset: &Asset) -> bool {
    asset.source.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}

/// Whether a word stands in a text, with other signs around it.
fn has_word(text: &str, word: &str) -> bool {
    let is_sign = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_sign) && !text[at + word.len()..].starts_with(is_sign))
}

/// The names that texts have of files.
#[derive(Default)]
struct Named(Vec<Arc<BTreeSet<String>>>);

impl Named {
    /// Looks for files by their names, with and without the extension. Most are found without reading the pages.
    fn of<'a>(sources: &Sources, cache: &Cache, files: impl Iterator<Item = &'a SourcePath>) -> Named {
        let mut files: Vec<&SourcePath> = files.collect();
        let mut named = Named::default();
        let rest = SourceKind::ALL.into_iter().filter(|kind| *kind != SourceKind::Page);
        let rest = rest.flat_map(|kind| sources.chunks_of(kind)).collect();
        for chunks in [rest, sources.chunks_of(SourceKind::Page).iter().collect::<Vec<_>>()] {
            if files.is_empty() {
                break;
            }
            let wanted: BTreeSet<&str> = files.iter().flat_map(|path| [path.name(), path.stem()]).collect();
            let quick: HashSet<&str> = wanted.iter().copied().collect();
            let wanted = Digested::by(&quick, &wanted);
            let query = |chunk: &Arc<Chunk>| {
                let Ok(named) = cache.query(&NamedFiles { chunk, wanted });
                named
            };
            named.0.extend(parallel::map(&chunks, |chunk| query(chunk)));
            files.retain(|path| !named.has(path));
        }
        named
    }

    /// Whether a text names a file.
    fn has(&self, path: &SourcePath) -> bool {
        self.0.iter().any(|names| names.contains(path.name()) || names.contains(path.stem()))
    }
}

/// The words of texts that templates may join to the path of an SVG: `"icons/icon-" ~ name ~ ".svg"`.
#[derive(Default)]
struct Joined(Option<Vec<Arc<BTreeSet<String>>>>);

impl Joined {
    /// Looks for the words that the paths of SVGs consist of.
    fn of<'a>(sources: &Sources, cache: &Cache, paths: impl Iterator<Item = &'a str>) -> Joined {
        let wanted: BTreeSet<String> = paths.flat_map(words_of).flat_map(|word| readings(&word)).flatten().collect();
        let templates = Templates::of(sources);
        let has = |part: &str| templates.iter().any(|each| each.text.contains(part));
        if wanted.is_empty() || !has("inline_svg") || !has("~") && !has("join") {
            return Joined::default();
        }
        let quick: HashSet<&str> = wanted.iter().map(String::as_str).collect();
        let wanted = Digested::by(&quick, &wanted);
        let query = |chunk: &Arc<Chunk>| {
            let Ok(words) = cache.query(&Words { chunk, wanted });
            words
        };
        let chunks: Vec<&Arc<Chunk>> = SourceKind::ALL.into_iter().flat_map(|kind| sources.chunks_of(kind)).collect();
        Joined(Some(parallel::map(&chunks, |chunk| query(chunk))))
    }

    /// Whether every word of a path stands in a text. Numbers do not count: a template may have counted them.
    fn has(&self, path: &str) -> bool {
        let Some(chunks) = &self.0 else { return false };
        let is_in = |word: &String| chunks.iter().any(|words| words.contains(word));
        words_of(path).all(|word| readings(&word).iter().any(|reading| reading.iter().all(is_in)))
    }
}

/// Returns the words of a path without its extension, in small letters without accents.
fn words_of(path: &str) -> impl Iterator<Item = String> {
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    let words = path.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    words.map(|word| folded(word).into_owned())
}

/// Returns what a word may have been joined from: itself, or two words of at least two letters.
fn readings(word: &str) -> Vec<Vec<String>> {
    let is_long = |part: &str| part.chars().nth(1).is_some();
    let pairs = word.char_indices().map(|(at, _)| word.split_at(at));
    let pairs = pairs.filter(|(one, other)| is_long(one) && is_long(other));
    let pairs = pairs.map(|(one, other)| vec![one.to_owned(), other.to_owned()]);
    std::iter::once(vec![word.to_owned()]).chain(pairs).collect()
}

/// Those of some words that occur in the texts of a chunk that name files, or in the names of its files.
#[derive(Hash)]
struct Words<'a> {
    chunk: &'a Chunk,
    wanted: Digested<&'a HashSet<&'a str>>,
}

impl Query for Words<'_> {
    const KIND: &'static str = "words of file names";
    type Output = BTreeSet<String>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<BTreeSet<String>, Infallible> {
        let mut words = BTreeSet::new();
        let mut add = |text: &str| {
            for word in text.split(|letter: char| !letter.is_alphabetic()) {
                let word = folded(word);
                if self.wanted.contains(&*word) && !words.contains(&*word) {
                    words.insert(word.into_owned());
                }
            }
        };
        for (path, source) in self.chunk.files() {
            if path.below("content").is_some() && path.below(ASSETS).is_none() {
                add(path.as_str());
            }
            let source = source.here();
            if let Some(text) = source.text().filter(|_| is_text(path)) {
                let (code, _) = parts_of(path, text);
                code.into_iter().for_each(&mut add);
            }
        }
        Ok(words)
    }
}

/// Whether a text would contain the file's name unchanged, without quotes or `%20`.
fn has_plain_name(path: &SourcePath) -> bool {
    path.name().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Returns what a file of templates or islands is, if something has to name it.
fn kind_of(path: &SourcePath) -> Option<&'static str> {
    let is_runtime = path.below("islands/runtime").is_some();
    if path.below("islands").is_some_and(|name| name.ends_with(SCHEMA)) {
        return None;
    }
    match path.extension()? {
        "html" => None,
        _ if path.below(TEMPLATES).is_some() && !Format::of(path.name()).is_html() => None,
        "tsx" if path.below("islands").is_some_and(|name| !name.contains('/')) => Some("island"),
        "tsx" | "ts" | "jsx" | "js" if is_runtime => None,
        "css" => Some("stylesheet"),
        _ => Some("file"),
    }
}

/// Whether a file may name others. Those at the root of the project, such as the list of suppressed errors, name files that pages
/// need not use.
fn is_text(path: &SourcePath) -> bool {
    let kinds = ["html", "md", "yaml", "json", "toml", "csv", "css", "ts", "tsx", "js", "jsx"];
    path.as_str().contains('/') && path.extension().is_some_and(|extension| kinds.contains(&extension))
        || path.below(TEMPLATES).is_some() && !Format::of(path.name()).is_html()
}

/// Those of some names that occur in the texts of a chunk, or that its files have.
#[derive(Hash)]
struct NamedFiles<'a> {
    chunk: &'a Chunk,
    wanted: Digested<&'a HashSet<&'a str>>,
}

impl Query for NamedFiles<'_> {
    const KIND: &'static str = "named files";
    type Output = BTreeSet<String>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<BTreeSet<String>, Infallible> {
        Ok(named_in(self.chunk, &self.wanted))
    }
}

fn named_in(chunk: &Chunk, wanted: &HashSet<&str>) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    let mut add = |word: &str| {
        if wanted.contains(word) {
            named.insert(word.to_owned());
        }
    };
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    for (path, source) in chunk.files() {
        // Templates often build a name from that of an entry.
        if path.below("content").is_some() && path.below(ASSETS).is_none() {
            add(path.stem());
        }
        let source = source.here();
        let Some(text) = source.text().filter(|_| is_text(path)) else { continue };
        let (code, body) = parts_of(path, text);
        let (name, stem) = (path.name(), path.stem());
        let is_of_islands = path.below("islands").is_some();
        for word in code.iter().flat_map(|code| code.split(|letter| !is_name(letter))) {
            let word = word.trim_end_matches('.');
            // A file does not use itself.
            if word != name && (word != stem || !is_of_islands) {
                add(word.trim_start_matches(['.', '-']));
                add(word);
            }
        }
        // Markdown names a file with its extension.
        for dot in memchr::memchr_iter(b'.', body.as_bytes()) {
            let start = body[..dot]
                .rfind(|letter| !is_name(letter))
                .map_or(0, |at| at + body[at..].chars().next().map_or(1, char::len_utf8));
            let end = body[dot + 1..]
                .find(|letter: char| !letter.is_ascii_alphanumeric())
                .map_or(body.len(), |at| dot + 1 + at);
            add(&body[start..end]);
        }
    }
    named
}

/// Splits a text into what may name a file in any way, and what can only do it by its full name: the text of a page.
fn parts_of<'t>(path: &SourcePath, text: &'t str) -> (Vec<&'t str>, &'t str) {
    if path.below("content/pages").is_none() || path.extension() != Some("md") {
        return (vec![text], "");
    }
    let body = front_matter::split(path, text).map_or(0, |parts| parts.body_start);
    let (head, body) = text.split_at(body);
    let mut code = vec![head];
    // Arguments of components.
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        let mut rest = body;
        while let Some((_, after)) = rest.split_once(open)
            && let Some((call, after)) = after.split_once(close)
        {
            code.push(call);
            rest = after;
        }
    }
    code.extend(body.lines().filter(|line| line.trim_start().starts_with(":::")));
    (code, body)
}
