//! Collections: what is known of the entries in folders of `content/` such as `content/news/`.
//!
//! What a build has to know of every entry, changed or not, is cached for complete chunks, and their order for all of them,
//! so that a change of one entry does not go through all ten thousand.

use super::outline::Outline;
use super::schedule::{Dates, Schedule, State};
use super::terms::{Terms, group};
use super::uses::Uses;
use super::yaml::{Node, Value};
use parking_lot::RwLock;
use sitegen_core::cache::{Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{CollectionProblem, Diagnostic, Place, Span, TemplateProblem, meant, nearest};
use sitegen_core::parallel;
use sitegen_core::paths::{SourcePath, composed};
use sitegen_core::profile::Visibility;
use sitegen_core::sources::{Digest, SourceKind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// The entries of a collection, by `order`, then those of lists in the order of their lines, then by slug. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    chunks: Vec<Arc<EntryChunk>>,
    index: Arc<Index>,
    /// The digest of which entries there are, in which order and state.
    pub places: Digest,
    /// Terms by key, computed when they are first asked for.
    terms: Arc<AskedTerms>,
    /// The digest of the keys of all entries and of what is shown.
    pub keys: Digest,
    /// The digest of all entries with their bodies.
    pub bodies: Digest,
}

/// Entries whose files are neighbours, in the order of their files.
#[derive(Clone, Debug)]
pub struct EntryChunk {
    /// All entries, also those that are left out today.
    pub entries: Vec<Entry>,
    /// The digest of their files.
    pub files: Digest,
    /// The digest of what their order depends on.
    pub places: Digest,
    /// The digest of their keys and of what is shown.
    pub keys: Digest,
    /// Files that have mistakes, or that may contain an example domain.
    pub with_placeholders: Vec<SourcePath>,
    /// What of it is left out, and until when.
    pub schedule: Schedule,
    /// Warnings of entries that are shown before their date, for collections in which that is a mistake.
    pub early: Vec<Diagnostic>,
}

/// Stands for all entries of a collection that are not known, as a list could not be read completely.
pub const REST: &str = "*";

/// An entry of a collection.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its file name without extension; in a list, the name that its keys give it.
    pub slug: String,
    /// From the root of the project.
    pub source: SourcePath,
    /// Where it stands in the file, if that has several entries.
    pub listed: Option<Listed>,
    /// The digest of the file, or of its part of a list.
    pub digest: Digest,
    /// Its keys, with references filled in.
    pub data: Node,
    /// Whether it is shown on the day of the build. One that has expired stays in its collection.
    pub state: State,
    /// The keys that the engine acts on.
    pub outline: Arc<Outline>,
    /// The digest of its keys and its state.
    pub keys: Digest,
}

/// Where one of several entries in a file stands.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its number among them.
    pub number: usize,
    /// Where its name is written.
    pub span: Span,
    /// The line of that, counted from 1.
    pub line: usize,
    /// Whether it is that of the original, because the translation of the file does not have it or does not show it yet.
    pub is_original: bool,
    /// When the translation shows it, if it does not yet.
    pub later: Option<Dates>,
}

/// Where the entries of a collection are: each by the number of its chunk and its index there.
#[derive(Debug, Default)]
struct Index {
    /// The entries in their order, without those that are left out today.
    entries: Vec<(usize, usize)>,
    by_slug: HashMap<String, usize>,
}

/// What is known of the collections before their entries are validated.
#[derive(Default)]
pub struct Found {
    /// The collections by name.
    pub collections: BTreeMap<String, Collection>,
    /// Entries whose files have mistakes, as `collection.slug`. References to them are not reported as well.
    pub unread: BTreeSet<String>,
}

impl Entry {
    /// Returns what no other entry is called: its file, and for one of several in a file `#` and its slug after that.
    pub fn name(&self) -> SourcePath {
        match self.listed {
            None => self.source.clone(),
            Some(_) => SourcePath::new(format!("{}#{}", self.source.key(), self.slug)),
        }
    }

    /// Returns where its name is written. One that is a file has it there.
    pub fn place(&self) -> Place {
        Place { path: self.source.clone(), span: self.listed.as_ref().map(|listed| listed.span) }
    }

    /// Whether its last day has passed.
    pub fn is_expired(&self) -> bool {
        matches!(self.state, State::Expired(_))
    }

    /// Returns the value of a key, which may have dots between its parts. `year`, `month` and `day` are those of `date`
    /// where the entry has no such key.
    pub fn value(&self, key: &str) -> Option<Cow<'_, Node>> {
        let found = key.split('.').try_fold(&self.data, |node, part| node.get(part)).map(Cow::Borrowed);
        found.or_else(|| {
            let part = ["year", "month", "day"].iter().position(|part| *part == key)?;
            let date = self.data.get("date")?;
            let text = date.text()?.get(..10)?;
            text.parse::<jiff::civil::Date>().ok()?;
            let text = text.split('-').nth(part)?.to_owned();
            Some(Cow::Owned(Node { value: Value::Text(text), span: date.span }))
        })
    }
}

impl Entry {
    /// Returns a warning if its `date` is still to come and it is shown already: `date` is for templates, and `publish`
    /// decides when an entry is shown.
    pub fn early(&self, visibility: Visibility) -> Option<Diagnostic> {
        let node =
            self.data.get("date").filter(|_| self.state == State::Shown && self.outline.dates.publish.is_none())?;
        let date: jiff::civil::Date = node.text()?.get(..10)?.parse().ok()?;
        let is_early = date > visibility.today && !self.outline.dates.draft;
        let problem = CollectionProblem::EarlyDate { date: date.to_string() };
        let warning = Diagnostic::new(problem, Place::new(&self.source, node.span));
        is_early.then_some(warning)
    }

    /// Returns the mistake of lacking a key, at the key that was probably meant. `by` says where the key is read.
    pub fn lacks(&self, key: &str, by: String) -> Diagnostic {
        let keys = self.data.entries();
        let nearest = meant(key, keys.iter().map(|(key, _)| key.name.as_str()));
        let meant = keys
            .iter()
            .find(|(key, _)| nearest.as_ref().is_some_and(|nearest| nearest.word == key.name))
            .or(keys.first());
        let place = Place { path: self.source.clone(), span: meant.map(|(key, _)| key.span) };
        Diagnostic::new(TemplateProblem::NeededKey { key: key.to_owned(), by, nearest, collection: None }, place)
    }
}

impl Collection {
    /// Returns the entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.index.entries.iter().map(|at| self.at(*at))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.index.entries.len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the key that was probably meant by one that no entry has. One that is like none may be a key that no entry has
    /// yet.
    pub fn meant_key(&self, key: &str) -> Option<&str> {
        if self.iter().any(|entry| entry.value(key).is_some()) {
            return None;
        }
        nearest(key, self.keys())
    }

    /// Returns the keys of all entries, without those below them.
    pub fn keys(&self) -> BTreeSet<&str> {
        self.iter().flat_map(|entry| entry.data.entries()).map(|(key, _)| key.name.as_str()).collect()
    }

    /// Returns the entry with a number.
    pub fn nth(&self, number: usize) -> Option<&Entry> {
        self.index.entries.get(number).map(|at| self.at(*at))
    }

    /// Returns the number of the entry with a slug.
    pub fn number(&self, slug: &str) -> Option<usize> {
        self.index.by_slug.get(&*composed(slug)).copied()
    }

    /// Returns the entry with a slug.
    pub fn get(&self, slug: &str) -> Option<&Entry> {
        self.nth(self.number(slug)?)
    }

    /// Returns the terms of a key in the entries.
    pub fn terms(&self, key: &str) -> Arc<Terms> {
        self.terms_by(key, || {
            let shown = self.iter().enumerate().filter(|(_, entry)| !entry.is_expired());
            Arc::new(group(key, shown.filter_map(|(number, entry)| Some((number, entry.value(key)?)))))
        })
    }

    /// Returns the terms of a key as far as they are known, and otherwise keeps what `find` returns.
    pub fn terms_by(&self, key: &str, find: impl FnOnce() -> Arc<Terms>) -> Arc<Terms> {
        let known = self.terms.0.read().get(key).cloned();
        known.unwrap_or_else(|| {
            let terms = find();
            let mut known = self.terms.0.write();
            known.entry(key.to_owned()).or_insert(terms).clone()
        })
    }

    /// Returns all entries in chunks, which are in the order of their files.
    pub fn chunks(&self) -> &[Arc<EntryChunk>] {
        &self.chunks
    }

    /// Returns for each chunk the numbers of its entries, each with the place of the entry in the chunk.
    pub fn numbers(&self) -> Vec<Vec<(usize, usize)>> {
        let mut numbers = vec![Vec::new(); self.chunks.len()];
        for (number, (chunk, place)) in self.index.entries.iter().enumerate() {
            numbers[*chunk].push((number, *place));
        }
        numbers
    }

    /// Returns the digest of everything that a template can see of it.
    pub fn digest(&self, with_bodies: bool) -> Digest {
        if with_bodies { self.bodies } else { self.keys }
    }

    /// Returns the same collection with other values in its entries.
    pub(super) fn with_chunks(&self, chunks: Vec<Arc<EntryChunk>>) -> Self {
        // Terms are kept as they are asked for.
        Collection { chunks, terms: Arc::default(), ..self.clone() }
    }

    fn at(&self, (chunk, place): (usize, usize)) -> &Entry {
        &self.chunks[chunk].entries[place]
    }

    /// Puts chunks into order, and reports entries with the same slug.
    pub fn of(chunks: Vec<Arc<EntryChunk>>, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let all = |digest: fn(&EntryChunk) -> Digest| chunks.iter().map(|chunk| digest(chunk)).collect::<Vec<_>>();
        let (places, keys) = (digest_of(&all(|chunk| chunk.places)), digest_of(&all(|chunk| chunk.keys)));
        let bodies = digest_of(&(keys, all(|chunk| chunk.files)));
        let index = cache.query_despite(&Indexed { chunks: Digested::new(&chunks, places) }, diagnostics);
        let Ok(terms) = cache.query(&KnownTerms { keys });
        Collection { chunks, index, places, terms, keys, bodies }
    }
}

/// The terms that were asked for, by their key.
#[derive(Default)]
struct AskedTerms(RwLock<HashMap<String, Arc<Terms>>>);

/// What was asked for so far is no part of a result.
impl Debug for AskedTerms {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str("AskedTerms")
    }
}

/// The terms that were asked for, as long as no key of an entry changes.
#[derive(Hash)]
struct KnownTerms {
    keys: Digest,
}

impl Query for KnownTerms {
    const KIND: &'static str = "terms of a collection";
    type Output = AskedTerms;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Self::Output, Infallible> {
        Ok(AskedTerms::default())
    }
}

#[derive(Hash)]
struct Indexed<'a> {
    /// Of these, what the order of their entries depends on.
    chunks: Digested<&'a [Arc<EntryChunk>]>,
}

impl Query for Indexed<'_> {
    const KIND: &'static str = "index of a collection";
    type Output = Index;
    type Refused = (Index, Vec<Diagnostic>);

    fn run(&self, _: &Cache) -> Result<Index, (Index, Vec<Diagnostic>)> {
        let mut diagnostics = Vec::new();
        let index = Index::of(&self.chunks, &mut diagnostics);
        if diagnostics.is_empty() { Ok(index) } else { Err((index, diagnostics)) }
    }
}

impl Index {
    fn of(chunks: &[Arc<EntryChunk>], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut index = Index::default();
        let mut taken: HashMap<&str, &Entry> = HashMap::new();
        let all = chunks.iter().enumerate().flat_map(|(number, chunk)| {
            chunk.entries.iter().enumerate().map(move |(place, entry)| ((number, place), entry))
        });
        let mut shown = Vec::new();
        for (at, entry) in all {
            if let Some(other) = taken.insert(&entry.slug, entry) {
                let line = other.listed.as_ref().map(|listed| format!(":{}", listed.line)).unwrap_or_default();
                let problem = CollectionProblem::DuplicateEntry {
                    slug: entry.slug.clone(),
                    other: format!("{}{line}", other.source),
                };
                diagnostics.push(Diagnostic::new(problem, entry.place()));
                continue;
            }
            match entry.state {
                State::Shown | State::Expired(_) => shown.push(((order_of(entry), &entry.slug), at)),
                State::Draft | State::Waiting(_) => {}
            }
        }
        parallel::sort_by(&mut shown, Ord::cmp);
        index.by_slug = shown.iter().enumerate().map(|(number, ((_, slug), _))| ((*slug).to_owned(), number)).collect();
        index.entries = shown.into_iter().map(|(_, at)| at).collect();
        index
    }
}

/// Returns the digest of the keys of the entries to which a file refers. One that does not exist has none.
pub fn keys_of(uses: &Uses, collections: &BTreeMap<String, Collection>) -> Digest {
    let named = uses.entries.iter().filter_map(|(collection, slug)| Some((collections.get(collection)?, slug)));
    let keys: Vec<_> = named.map(|(collection, slug)| collection.get(slug).map(|entry| entry.keys)).collect();
    // Most pages that were made from an entry refer to nothing but that.
    if keys.is_empty() { Digest::default() } else { digest_of(&keys) }
}

/// Returns the digest of what the order of entries depends on: which they are, their `order` and what is shown of them.
pub fn places<'e>(entries: &'e [Entry]) -> Digest {
    let place = |entry: &'e Entry| (&entry.source, &entry.slug, order_of(entry), entry.state);
    digest_of(&entries.iter().map(place).collect::<Vec<_>>())
}

/// Returns what entries are sorted by before their slugs: their `order`, and those of lists by their numbers there.
fn order_of(entry: &Entry) -> (i64, usize) {
    let order = match entry.data.get("order").map(|node| &node.value) {
        Some(Value::Integer(order)) => *order,
        _ => i64::MAX,
    };
    (order, entry.listed.as_ref().map_or(usize::MAX, |listed| listed.number))
}

/// Returns the name of the collection that a file is in, or that is in a file.
pub fn collection_of(path: &SourcePath) -> Option<&str> {
    if SourceKind::is_list(path) {
        return Some(path.stem());
    }
    let (folder, _) = path.below("content")?.split_once('/')?;
    (SourceKind::of(path) == SourceKind::Entry).then_some(folder)
}

/// Returns the slug of the entry in a file: its name, or for `news/harvest/index.md` that of its folder.
pub fn slug_of(path: &SourcePath) -> &str {
    match folder_of_its_own(path) {
        Some(folder) => folder,
        None => path.stem(),
    }
}

/// Returns the name of the folder that an entry has for itself and for files beside it.
pub fn folder_of_its_own(path: &SourcePath) -> Option<&str> {
    let (above, _) = path.as_str().rsplit_once('/')?;
    let folder = above.rsplit('/').next().unwrap_or(above);
    // `content/news/harvest/index.md`: the folder of a language is none of an entry.
    (path.stem() == "index" && path.key().as_str().matches('/').count() == 3).then_some(folder)
}

/// Returns the file of the entry with a [name](Entry::name).
pub fn file_named(name: &SourcePath) -> SourcePath {
    let list = name.as_str().split_once('#').map(|(file, _)| SourcePath::new(file));
    list.filter(SourceKind::is_list).unwrap_or_else(|| name.clone())
}
