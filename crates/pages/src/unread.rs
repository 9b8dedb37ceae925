//! Finds keys of content that nothing reads: neither the engine nor a template, an island or another file of content.
//!
//! A key counts as read wherever a template or an island has its name as a word. At worst too little is reported.

use super::Inputs;
use sitegen_content::address_keys::OF_TRANSLATIONS;
use sitegen_content::schema::{self, Schema};
use sitegen_content::syntax::Syntax;
use sitegen_content::{is_document, keys_of_file};
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{Diagnostic, MOST, Meant, Place, Span, UnusedProblem};
use sitegen_core::parallel;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{Chunk, Source, SourceKind, Sources};
use sitegen_templates::scan::scan;
use sitegen_templates::words::{is_of_name, parts};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

/// The keys of entries by which lists are sorted or grouped, and which feeds have, unless a page names others.
const OF_LISTS: [&str; 6] = ["author", "authors", "date", "name", "summary", "tags"];

/// Warns of each key of pages, of a collection or of `site.yaml` that nothing reads, once.
pub fn unread(inputs: Inputs) -> Vec<Diagnostic> {
    let Inputs { sources, site, tools, .. } = inputs;
    let cache = tools.cache();
    let scan = scan(&sitegen_templates::Templates::of(sources), cache);
    let islands = || sources.of_all(&[SourceKind::Island]).filter_map(|(_, source)| source.text());
    let gives_all = |text: &str| ["Object.", "JSON.stringify"].iter().any(|name| reads_props(text, name));
    if scan.words.reads_all() || islands().any(gives_all) {
        return Vec::new();
    }
    let schemas = sources.of_all(&[SourceKind::Schema, SourceKind::Props]).filter_map(|(_, source)| source.text());
    let others: BTreeSet<&str> = islands().chain(schemas).flat_map(parts).collect();
    let engine = [schema::SITE, schema::PAGE, schema::ENTRY].map(|schema| Schema::built_in(schema, cache));
    let is_of_engine = |key: &str| engine.iter().any(|schema| schema.keys().contains(&key));
    let is_known = |key: &str| scan.words.contains(key) || others.contains(key) || is_of_engine(key);
    // Pages are listed and sorted too, if a page says so.
    let lists_pages = site.views.iter().any(|view| !view.listed_pages.is_empty());
    let is_of_list = |folder: &str, key: &str| OF_LISTS.contains(&key) && (folder != "pages" || lists_pages);

    let keys = in_chunks(sources, |_, chunk| {
        let Ok(keys) = cache.query(&KeysOfFiles { chunk });
        keys
    });
    let mut unread: BTreeMap<(&str, &str), Keys> = BTreeMap::new();
    for ((folder, key), found) in keys.iter().flat_map(|keys| keys.iter()) {
        if !is_known(key) && !is_of_list(folder, key) {
            let all = unread.entry((folder, key));
            all.and_modify(|all| all.files += found.files).or_insert_with(|| found.clone());
        }
    }
    if !unread.is_empty() {
        let wanted: BTreeSet<&str> = unread.keys().map(|(_, key)| *key).collect();
        let named = in_chunks(sources, |kind, chunk| {
            let Ok(named) =
                cache.query(&NamedInContent { chunk, is_of_entries: kind == SourceKind::Entry, keys: &wanted });
            named
        });
        unread.retain(|(_, key), _| !named.iter().any(|named| named.contains(*key)));
    }
    let warning = |((_, key), Keys { path, span, files }): ((&str, &str), Keys)| {
        let is_page = path.below("content/pages").is_some();
        let (instead, renamed) = (is_page.then(|| instead(key)).flatten(), is_page.then(|| renamed(key)).flatten());
        let problem = UnusedProblem::UnusedKey { instead, renamed, key: key.to_owned(), files };
        Diagnostic::new(problem, Place::new(&path, span))
    };
    unread.into_iter().take(MOST).map(warning).collect()
}

/// Whether an island gives its props to a function that reads all keys: `Object.entries(props)`.
fn reads_props(text: &str, function: &str) -> bool {
    let mut calls = text.match_indices(function).map(|(at, _)| &text[at..]);
    calls.any(|rest| rest.split_once('(').is_some_and(|(name, rest)| !name.contains(' ') && rest.starts_with("props")))
}

/// Returns what to do instead of writing a key that other generators read in pages.
fn instead(key: &str) -> Option<&'static str> {
    Some(match key {
        "lang" | "locale" => "the key for the language of a page is `language`",
        "date" | "published" | "publishDate" | "publish_date" | "pubDate" => {
            "the key for the first day of a page is `publish`"
        }
        "expiryDate" | "expiry_date" | "unpublish" => "the key for the last day of a page is `expires`",
        "lastmod" | "last_modified" | "modified" | "updatedDate" => {
            "the key for the last change of a page is `updated`"
        }
        "layout" => "the key for the template of a page is `template`",
        "hidden" | "unlisted" | "robots" => {
            "`draft: true` leaves a page out, and `noindex: true` keeps search engines away"
        }
        "summary" | "excerpt" | "subtitle" => "the key for search engines and link previews is `description`",
        "permalink" => "the key for an address that a page keeps exactly is `path`",
        "slug" => "the address of a page comes from the path of its file, or from its key `path`",
        "alias" | "redirect_from" => "list old addresses under `aliases`",
        _ => return None,
    })
}

/// Returns the key that has the value of a key of other generators, certain where they agree in what it means.
fn renamed(key: &str) -> Option<Meant> {
    Some(match key {
        "lang" | "locale" => "language".into(),
        "published" | "publishDate" | "publish_date" | "pubDate" => "publish".into(),
        "expiryDate" | "expiry_date" | "unpublish" => Meant::certain("expires"),
        "lastmod" | "last_modified" | "modified" | "updatedDate" => Meant::certain("updated"),
        "summary" | "excerpt" | "subtitle" => "description".into(),
        _ => return None,
    })
}

/// Asks something of each chunk of content, side by side.
fn in_chunks<T: Send>(sources: &Sources, ask: impl Fn(SourceKind, &Arc<Chunk>) -> T + Sync) -> Vec<T> {
    let kinds = [SourceKind::Settings, SourceKind::Page, SourceKind::Entry];
    let chunks = kinds.iter().flat_map(|kind| sources.chunks_of(*kind).iter().map(|chunk| (*kind, chunk)));
    parallel::map(&chunks.collect::<Vec<_>>(), |(kind, chunk)| ask(*kind, chunk))
}

/// Those of some keys to which content refers: in a value of a page or of `site.yaml`, as `sort: price`, in the path of a
/// page, as `[price].yaml`, and in any text, as `{{ page.price }}`.
#[derive(Hash)]
struct NamedInContent<'a> {
    chunk: &'a Chunk,
    is_of_entries: bool,
    keys: &'a BTreeSet<&'a str>,
}

impl Query for NamedInContent<'_> {
    const KIND: &'static str = "keys named in content";
    type Output = BTreeSet<String>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Self::Output, Infallible> {
        let mut named: BTreeSet<&str> = BTreeSet::new();
        let is_key = |word: &&str| self.keys.contains(word);
        let files = files_here(self.chunk);
        for &(path, ref source) in &files {
            if !self.is_of_entries {
                named.extend(parts(path.as_str()).filter(is_key));
                let Some((keys, syntax)) = keys_of_file(path, source) else { continue };
                for line in keys.lines() {
                    let value = line.split_once(if syntax == Syntax::Toml { '=' } else { ':' });
                    let value = value.filter(|(key, _)| key.trim().trim_matches('"').chars().all(is_of_name));
                    named.extend(parts(value.map_or(line, |(_, value)| value)).filter(is_key));
                }
            }
            let has_reference = source.body.bytes().is_some_and(|bytes| memchr::memchr(b'{', bytes).is_some());
            let text = if has_reference { source.text().unwrap_or_default() } else { "" };
            let names = memchr::memchr_iter(b'.', text.as_bytes()).map(|at| &text[at + 1..]);
            let names = names.map(|rest| &rest[..rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len())]);
            named.extend(names.filter(is_key));
        }
        Ok(named.into_iter().map(str::to_owned).collect())
    }
}

/// The first place of a key, and the number of files that have it.
#[derive(Clone, Debug)]
struct Keys {
    path: SourcePath,
    span: Span,
    files: usize,
}

/// The keys of some files by their folder and name, at the top of each file.
#[derive(Hash)]
struct KeysOfFiles<'a> {
    chunk: &'a Chunk,
}

impl Query for KeysOfFiles<'_> {
    const KIND: &'static str = "keys of files";
    type Output = BTreeMap<(String, String), Keys>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Self::Output, Infallible> {
        let mut keys: BTreeMap<(&str, &str), Keys> = BTreeMap::new();
        let files = files_here(self.chunk);
        for &(path, ref source) in &files {
            // The keys of other formats are not at the starts of lines, nor are those of entries in a list.
            let is_wanted = is_document(path) && !SourceKind::is_list(path);
            let head = keys_of_file(path, source).filter(|(_, syntax)| is_wanted && *syntax == Syntax::Yaml);
            let Some((head, _)) = head else { continue };
            let of_translation = |key: &&str| path.has_language() && OF_TRANSLATIONS.contains(key);
            for (key, at) in top_keys(path, head).filter(|(key, _)| !of_translation(key)) {
                let new = || Keys { path: path.clone(), span: Span::at(at, key.len()), files: 0 };
                keys.entry((folder_of(path), key)).or_insert_with(new).files += 1;
            }
        }
        Ok(keys.into_iter().map(|((folder, key), found)| ((folder.to_owned(), key.to_owned()), found)).collect())
    }
}

/// Returns the files of a chunk with their texts in memory.
fn files_here(chunk: &Chunk) -> Vec<(&SourcePath, Cow<'_, Source>)> {
    chunk.files().iter().map(|(path, source)| (path, source.here())).collect()
}

/// Returns the folder of content that a file belongs to.
fn folder_of(path: &SourcePath) -> &str {
    path.as_str().split('/').nth(1).unwrap_or_default()
}

/// Returns the keys at the top of a file of content, which parses, with their offsets.
fn top_keys<'t>(path: &SourcePath, text: &'t str) -> impl Iterator<Item = (&'t str, usize)> {
    let is_markdown = path.extension() == Some("md");
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (line, at - line.len())
    });
    let lines = lines.skip(usize::from(is_markdown));
    let lines = lines.take_while(move |(line, _)| !is_markdown || !line.starts_with("---") && !line.starts_with("..."));
    lines.filter_map(|(line, at)| {
        let (key, after) = line.split_once(':')?;
        let is_key = !key.is_empty() && key.chars().all(is_of_name) && after.starts_with([' ', '\n', '\r']);
        is_key.then_some((key, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_at_the_top_of_a_file() {
        let keys = |name: &str, text| {
            top_keys(&SourcePath::new(name), text).map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
        };
        let text = "---\ntitle: A\nlist:\n  - name: x\nnote: >\n  a: b\n# c: d\n\"e\": f\n---\ng: h\n";
        assert_eq!(keys("content/pages/a.md", text), ["title", "list", "note"]);
        assert_eq!(keys("content/a/b.yaml", "a: 1\nb:\nhttp://c\n"), ["a", "b"]);
    }
}
