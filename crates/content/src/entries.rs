//! Reads the entries of collections: the files of folders such as `content/news/`, and lists such as `content/team.yaml`.
//!
//! Entries are read chunk by chunk, and come from the cache as one where no file of a chunk has changed. Bodies are rendered
//! only for what shows them.

use super::NOT_FOUND;
use super::assets::Assets;
use super::collections::{
    Collection, Entry, EntryChunk, Found, Listed, REST, collection_of, folder_of_its_own, keys_of, places, slug_of,
};
use super::lists::{self, Item};
use super::outline::{Outline, Read, outlined_file};
use super::page_source::has_variables;
use super::plan::{ChunkOutlines, Outlined, PageFile, placed_at};
use super::read::{is_document, text_of};
use super::schedule::{Dates, Schedule, State};
use super::schema::{ENTRY, Schema, Schemas};
use super::scope::Scope;
use super::table::Columns;
use super::yaml::{Node, Value};
use sitegen_core::cache::{Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{Diagnostic, FileProblem, Place};
use sitegen_core::parallel;
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Visibility;
use sitegen_core::sources::{Chunk, Digest, Source, SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What decides, besides their files, how entries are read.
#[derive(Clone, Copy, Hash)]
pub struct Entries<'a> {
    /// Which content is shown.
    pub visibility: Visibility,
    /// `site.yaml`, which entries may refer to, by the digest of the file.
    pub site: Digested<&'a Node>,
    /// The files beside entries, by their names.
    pub beside: Digested<&'a Assets>,
    /// Whether the language hides what it has no translation of.
    pub hides: bool,
    /// Whether `site.yaml` has mistakes. References to it are not reported then.
    pub is_site_wrong: bool,
}

/// The entries of neighbouring files.
#[derive(Hash)]
struct EntriesOfFiles<'a> {
    files: &'a Chunk,
    /// What the columns of a table are.
    columns: Option<Columns>,
    reading: Entries<'a>,
}

impl Query for EntriesOfFiles<'_> {
    const KIND: &'static str = "entries of files";
    type Output = EntryChunk;
    /// Files with mistakes: what can be read of them, and the mistakes.
    type Refused = (EntryChunk, Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<EntryChunk, (EntryChunk, Vec<Diagnostic>)> {
        let (chunk, problems) = self.reading.read(self.files, self.columns.as_ref(), cache);
        if problems.is_empty() { Ok(chunk) } else { Err((chunk, problems)) }
    }
}

impl Entries<'_> {
    /// Reads the keys of all entries.
    pub fn all(
        &self,
        sources: &Sources,
        schemas: &Schemas,
        cache: &Cache,
        schedule: &mut Schedule,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Found {
        report_unexpected(sources, diagnostics);
        let chunks = sources.chunks_of(SourceKind::Entry);
        let read: Vec<(Arc<EntryChunk>, Vec<Diagnostic>)> = parallel::map(chunks, |chunk| {
            let mut problems = Vec::new();
            let columns = columns_of(chunk, schemas, cache);
            (cache.query_despite(&EntriesOfFiles { files: chunk, columns, reading: *self }, &mut problems), problems)
        });
        let mut by_name: BTreeMap<&str, Vec<Arc<EntryChunk>>> = BTreeMap::new();
        let mut unread = BTreeSet::new();
        // A file with all entries is a collection also while it has none, as a table of which all rows are deleted.
        let mut lists = BTreeSet::new();
        for (files, (chunk, problems)) in chunks.iter().zip(read) {
            let name = files.files().first().and_then(|(path, _)| collection_of(path)).unwrap_or_default();
            let is_list = files.files().iter().any(|(path, _)| SourceKind::is_list(path));
            if problems.is_empty() && is_list {
                lists.insert(name);
            } else if !problems.is_empty() && is_list {
                unread.insert(format!("{name}.{REST}"));
            } else if !problems.is_empty() {
                let read: BTreeSet<&SourcePath> = chunk.entries.iter().map(|entry| &entry.source).collect();
                let missing = files.files().iter().map(|(path, _)| path).filter(|path| !read.contains(path));
                unread.extend(missing.filter(|path| is_document(path)).map(|path| format!("{name}.{}", slug_of(path))));
            }
            diagnostics.extend(problems);
            schedule.add(&chunk.schedule);
            by_name.entry(name).or_default().push(chunk);
        }
        let collections = by_name
            .into_iter()
            .filter(|(name, chunks)| lists.contains(name) || chunks.iter().any(|chunk| !chunk.entries.is_empty()))
            .map(|(name, chunks)| (name.to_owned(), Collection::of(chunks, cache, diagnostics)))
            .collect();
        Found { collections, unread }
    }

    fn read(&self, files: &Chunk, columns: Option<&Columns>, cache: &Cache) -> (EntryChunk, Vec<Diagnostic>) {
        let read = parallel::map(files.files(), |(path, source)| {
            if SourceKind::is_list(path) {
                return self.list(path, source, columns);
            }
            let read = file(path, source, cache);
            let entry = read.page.map(|outline| self.entry(path, source.digest, outline, read.keys));
            (entry.into_iter().collect(), read.problems)
        });
        let (entries, problems): (Vec<Vec<Entry>>, Vec<_>) = read.into_iter().unzip();
        let entries: Vec<Entry> = entries.into_iter().flatten().collect();
        let problems: Vec<Diagnostic> = problems.into_iter().flatten().collect();
        let keys = keys_of_all(&entries);
        let places = places(&entries);
        let mut schedule = Schedule::default();
        for entry in &entries {
            // The entry of a translation has its own day.
            let of_translation = || SourcePath::new(format!("{}#{}", entry.source, entry.slug));
            match &entry.listed {
                Some(Listed { later: Some(dates), .. }) => schedule.note(&of_translation(), dates, self.visibility),
                Some(Listed { is_original: false, .. }) if entry.source.has_language() => {
                    schedule.note(&of_translation(), &entry.outline.dates, self.visibility)
                }
                _ => schedule.note(&entry.name(), &entry.outline.dates, self.visibility),
            };
        }
        // Of a list, a draft is only a part.
        let is_visible = |entry: &&Entry| entry.listed.is_none() || entry.state != State::Draft;
        let with_placeholders = entries.iter().filter(|entry| entry.outline.has_placeholders).filter(is_visible);
        let with_placeholders: BTreeSet<&SourcePath> = with_placeholders.map(|entry| &entry.source).collect();
        let chunk = EntryChunk {
            files: files.digest,
            places,
            schedule,
            keys,
            with_placeholders: with_placeholders.into_iter().cloned().collect(),
            early: entries.iter().filter_map(|entry| entry.early(self.visibility)).collect(),
            entries,
        };
        (chunk, problems)
    }

    /// Returns the pages of a chunk as entries.
    pub fn of_pages(&self, chunk: &ChunkOutlines, collections: &BTreeMap<String, Collection>) -> EntryChunk {
        // Files in other formats, such as feeds, are no pages to visit.
        let is_page = |page: &Outlined| page.route.format().is_html();
        let is_listed = |page: &&Outlined| page.made.is_none() && page.route.as_str() != NOT_FOUND && is_page(page);
        let entry = |page: &Outlined| {
            let outline = page.outline.clone()?;
            let mut entry = self.entry(&page.path, page.digest, outline, None);
            if entry.outline.refers {
                let mut data = entry.outline.data()?;
                let scope = Scope { site: Some(&self.site), collections: Some(collections), ..Scope::default() };
                // References that cannot be filled are reported where the page is validated.
                scope.fill(&page.path, &mut data, &mut Vec::new());
                entry.data = data;
                entry.keys = digest_of(&(entry.keys, keys_of(&entry.outline.uses, collections)));
            }
            entry.slug = page.route.as_str().trim_matches('/').to_owned();
            Some(entry)
        };
        let listed: Vec<&Outlined> = chunk.outlines.pages.iter().filter(is_listed).collect();
        let mut entries: Vec<Entry> = parallel::flat_map(&listed, |page| entry(page));
        // A file with a list makes one page that it is known by, and further ones that continue it.
        let is_list = |file: &&PageFile| {
            let is_each = file.outline.source.as_ref().is_some_and(|source| source.for_each.is_some());
            !is_each && !has_variables(&file.pattern) && placed_at(&file.pattern).0.format().is_html()
        };
        let of_lists = chunk.outlines.sources.iter().filter(is_list).filter_map(|file| {
            let (route, path, outline) = (placed_at(&file.pattern).0, file.path.clone(), Some(file.outline.clone()));
            entry(&Outlined { route, path, digest: file.digest, outline, made: None, hidden: None })
        });
        entries.extend(of_lists);
        entries.sort_unstable_by(|a, b| a.source.cmp(&b.source));
        let (with_placeholders, early) = (Vec::new(), Vec::new());
        let places = places(&entries);
        let (files, keys, schedule) = (chunk.digest, keys_of_all(&entries), Schedule::default());
        EntryChunk { entries, files, places, keys, with_placeholders, schedule, early }
    }

    /// Reads all entries of a file.
    fn list(&self, path: &SourcePath, source: &Source, columns: Option<&Columns>) -> (Vec<Entry>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        text_of(path, source, &mut problems);
        let Some(text) = source.joined() else { return (Vec::new(), problems) };
        let none = Columns::default();
        let is_shown = |dates: &Dates| !matches!(dates.shown(self.visibility), State::Draft | State::Waiting(_));
        let items = lists::parse_file(path, source, columns.unwrap_or(&none), &is_shown, &mut problems);
        // Until its day comes, a translation that is to be shown is left out where originals are hidden.
        let is_hidden = |item: &Item| item.is_original && self.hides;
        let items = items.into_iter().enumerate().filter(|(_, item)| !is_hidden(item) || item.later.is_some());
        let entries = items.map(|(number, item)| {
            let hidden = item.later.filter(|_| is_hidden(&item)).map(|dates| dates.shown(self.visibility));
            let Item { slug, span, line, data, is_original, later } = item;
            let outline = Arc::new(Outline::of_item(&data, text));
            let digest = outline.keys;
            let mut entry = self.entry(path, digest, outline, Some(data));
            entry.keys = digest_of(&(entry.keys, &slug, is_original, hidden));
            let state = hidden.unwrap_or(entry.state);
            Entry { slug, listed: Some(Listed { number, span, line, is_original, later }), state, ..entry }
        });
        (entries.collect(), problems)
    }

    fn entry(&self, path: &SourcePath, digest: Digest, outline: Arc<Outline>, keys: Option<Node>) -> Entry {
        let empty = || Node { value: Value::Map(Vec::new()), span: Default::default() };
        let mut data = keys.or_else(|| outline.data()).unwrap_or_else(empty);
        if outline.refers {
            let unread = self.is_site_wrong.then(|| BTreeSet::from(["site".to_owned()]));
            let scope = Scope { site: Some(&self.site), unread: unread.as_ref(), ..Scope::default() };
            // References that cannot be filled are reported where the entry is validated.
            scope.fill(path, &mut data, &mut Vec::new());
        }
        let beside = self.beside.name_beside(path, &mut data);
        let state = outline.dates.shown(self.visibility);
        let keys =
            digest_of(&(path, beside, outline.keys, state, outline.refers.then_some((self.site, self.is_site_wrong))));
        Entry { slug: slug_of(path).to_owned(), source: path.clone(), listed: None, digest, data, state, outline, keys }
    }
}

/// Returns what the columns of a table are, if a chunk is one.
fn columns_of(chunk: &Chunk, schemas: &Schemas, cache: &Cache) -> Option<Columns> {
    let [(path, _)] = chunk.files() else { return None };
    let is_table = path.extension() == Some("csv") && SourceKind::is_list(path);
    let engine = is_table.then(|| Schema::built_in(ENTRY, cache))?;
    Some(Columns::of([Some(&*engine), schemas.get(path.stem())].into_iter().flatten()))
}

/// Reports files of `content/` that are neither in a folder nor `site.yaml`.
fn report_unexpected(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    for (path, _) in sources.of(SourceKind::Stray) {
        let expected = match path.extension() {
            Some("yml") => "a name that ends in `.yaml`",
            _ => "only `site.yaml`, folders, and collections like `team.yaml` directly in `content/`",
        };
        diagnostics.push(Diagnostic::new(FileProblem::UnexpectedFile { expected }, Place::file(path)));
    }
}

/// Returns the digest of the keys of entries.
fn keys_of_all(entries: &[Entry]) -> Digest {
    digest_of(&entries.iter().map(|entry| entry.keys).collect::<Vec<_>>())
}

fn file(path: &SourcePath, source: &Source, cache: &Cache) -> Read<Arc<Outline>> {
    let is_deeper = path.key().below("content").is_some_and(|below| below.matches('/').count() > 1);
    let is_deeper = is_deeper && folder_of_its_own(path).is_none();
    if is_deeper || !is_document(path) {
        let expected = match path.extension() {
            Some("yml") => "a name that ends in `.yaml`",
            Some("csv") => "a table directly in `content/`, with all entries of a collection",
            _ if is_document(path) => "a file directly in the collection's folder, or `index` in a folder of its own",
            _ => "a `.md`, `.yaml`, `.toml` or `.json` file directly in the collection's folder",
        };
        return Read::refused(FileProblem::UnexpectedFile { expected }, path);
    }
    outlined_file(path, source, cache)
}
