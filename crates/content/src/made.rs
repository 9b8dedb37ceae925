//! Makes pages from files with `for_each`, `list` or variables in their paths.
//!
//! Everything after this module sees pages only: an address each, the file that made it, and what of the collections it
//! shows ([`Made`]). The digest of a made page covers the keys of everything that it shows, not the bodies: an edit of
//! an entry's text leaves lists as they are.

mod chunk;
mod columns;
mod entries;

use super::collections::{Collection, Entry, REST};
use super::fold::date_of;
use super::languages::{Language, Untranslated};
use super::page_source::{
    Filter, ForEach, List, PAGES_AS_COLLECTION, PageSource, Part, Sort, fill, has_variables, parts,
};
use super::plan::{ChunkOutlines, ListPage, Made, Outlined, PageFile, placed_at};
use super::schedule::State;
use super::schema::Schemas;
use super::terms::{Term, Terms, spelling, values, word};
use super::yaml::{Node, Value};
use chunk::MadeChunk;
use columns::Sorted;
use entries::{EntryPlace, PagesOfEntries};
use parking_lot::Mutex;
use sitegen_core::cache::{Cache, Digested, Query, digest_of};
use sitegen_core::diagnostics::{
    AddressProblem, CollectionProblem, Diagnostic, Place, Problem, SchemaProblem, Span, TemplateProblem, meant, nearest,
};
use sitegen_core::parallel;
use sitegen_core::paths::Route;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Pages of lists and of terms in a chunk.
const CHUNK: usize = 64;

/// Everything that files make pages from.
#[derive(Clone, Copy)]
pub struct PageGenerator<'a> {
    /// The collections.
    pub collections: &'a BTreeMap<String, Collection>,
    /// What cannot be read, and is reported there: `prices.*` for a collection.
    pub unread: &'a BTreeSet<String>,
    /// The pages that make one page each, for lists of `pages`.
    pub pages: &'a Collection,
    /// The site's schemas: a key that one has is not misspelt, even if no entry has it.
    pub schemas: &'a Schemas,
    /// The language that has them, and its number.
    pub language: &'a Language,
    /// See above.
    pub view: usize,
    /// Results of earlier builds.
    pub cache: &'a Cache,
}

/// The pages that a file makes.
#[derive(Hash)]
struct PagesOfFile<'a> {
    file: Digested<&'a PageFile>,
    /// Of these, the language, and what the file names: the keys of a collection, its order and its schema.
    makers: Digested<(&'a PageGenerator<'a>, &'a Orders<'a>)>,
}

/// For each collection, the keys that the page which lists all of it sorts by.
type Orders<'f> = HashMap<&'f str, &'f [Sort]>;

/// The pages of a file, with the warnings about them.
#[derive(Debug)]
struct MadePages {
    chunks: Vec<Arc<MadeChunk>>,
    warnings: Vec<Diagnostic>,
}

impl Query for PagesOfFile<'_> {
    const KIND: &'static str = "pages of a file";
    type Output = MadePages;
    /// The pages that can be made in spite of mistakes, and the mistakes.
    type Refused = (MadePages, Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<MadePages, (MadePages, Vec<Diagnostic>)> {
        let (mut diagnostics, mut warnings) = (Vec::new(), Vec::new());
        let (makers, orders) = *self.makers;
        let makers = PageGenerator { cache, ..*makers };
        let chunks = makers.make(&self.file, orders, &mut diagnostics, &mut warnings);
        let made = MadePages { chunks, warnings };
        if diagnostics.is_empty() { Ok(made) } else { Err((made, diagnostics)) }
    }
}

impl PageGenerator<'_> {
    /// Returns the pages that files make, in chunks.
    pub fn all(&self, files: &[&PageFile], diagnostics: &mut Vec<Diagnostic>) -> Vec<ChunkOutlines> {
        let orders = self.orders(files);
        let mut all = Vec::new();
        let made = parallel::map(files, |file| self.cached(file, &orders));
        for (made, problems) in made {
            diagnostics.extend(problems);
            diagnostics.extend(made.warnings.iter().cloned());
            for MadeChunk { outlines, digest, entries } in made.chunks.iter().map(|chunk| &**chunk) {
                let files =
                    entries.as_ref().and_then(|(name, chunk)| Some(self.collections.get(name)?.chunks()[*chunk].files));
                let digest = digest_of(&(digest, files));
                all.push(ChunkOutlines { digest, view: self.view, outlines: outlines.clone(), data: Mutex::default() });
            }
        }
        // Where the newest comes first, dates say when something was written. Elsewhere they may be of events to come.
        let is_of_news = |sort: &&[Sort]| sort.first().is_some_and(|first| first.is_descending && first.key == "date");
        let mut news: Vec<&str> = orders.iter().filter(|(_, sort)| is_of_news(sort)).map(|(name, _)| *name).collect();
        news.sort_unstable();
        let chunks = news.iter().filter_map(|name| self.collections.get(*name)).flat_map(|news| news.chunks());
        diagnostics.extend(chunks.flat_map(|chunk| chunk.early.iter().cloned()));
        all
    }

    /// Returns for each collection the keys that the page which lists all of it sorts by: neighbours follow that order.
    fn orders<'f>(&self, files: &[&'f PageFile]) -> Orders<'f> {
        let mut orders = Orders::new();
        for file in files {
            let Some(source) = &file.outline.source else { continue };
            let (None, Some(List { collection: Some(collection), sort, filter, limit, .. })) =
                (&source.for_each, &source.list)
            else {
                continue;
            };
            if filter.is_empty() && limit.is_none() {
                orders.entry(collection).or_insert(sort);
            }
        }
        orders
    }

    fn cached(&self, file: &PageFile, orders: &Orders) -> (Arc<MadePages>, Vec<Diagnostic>) {
        let source = file.outline.source.as_ref();
        let names = [
            source.and_then(|source| Some(source.for_each.as_ref()?.collection.as_str())),
            source.and_then(|source| source.list.as_ref()?.collection.as_deref()),
        ];
        let named = names.map(|name| {
            let name = name?;
            let keys = self.collection(name).map(|collection| collection.keys);
            Some((keys, orders.get(name), self.schemas.get(name).map(|schema| schema.keys())))
        });
        let query = PagesOfFile {
            file: Digested::by(file, (file.path.as_str(), file.digest, &file.pattern)),
            makers: Digested::by((self, orders), (self.language, named)),
        };
        let mut problems = Vec::new();
        (self.cache.query_despite(&query, &mut problems), problems)
    }

    fn make(
        &self,
        file: &PageFile,
        orders: &Orders,
        diagnostics: &mut Vec<Diagnostic>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Vec<Arc<MadeChunk>> {
        let error = |problem: Problem| Diagnostic::new(problem, Place::file(&file.path));
        let Some(parts) = parts(&file.pattern) else {
            diagnostics
                .push(error(CollectionProblem::PathVariable { name: file.pattern.clone(), known: Vec::new() }.into()));
            return Vec::new();
        };
        let example = fill(&parts, |_| Some("a".to_owned())).unwrap_or_default();
        if let (_, Some(problem)) = placed_at(&example) {
            let (problem, span) = match file.outline.own_path() {
                Some(own) => (AddressProblem::BadPath { path: own.text.clone() }, Some(own.span)),
                None => (problem, None),
            };
            diagnostics.push(Diagnostic::new(problem, Place { path: file.path.clone(), span }));
            return Vec::new();
        }
        let source = file.outline.source.clone().unwrap_or_default();
        let mut making = Making { makers: self, file, parts: &parts, diagnostics, warnings };
        if making.refuse_feed(&source) {
            return Vec::new();
        }
        match &source.for_each {
            None if has_variables(&file.pattern) => {
                making.refuse_variables();
                Vec::new()
            }
            None => making.list(&source.list.unwrap_or_default()),
            Some(each) if !has_variables(&file.pattern) => {
                let problem = CollectionProblem::ForEachWithoutVariable { example: example_path(file, each) };
                making.refuse(problem, each.span);
                Vec::new()
            }
            Some(each) => {
                let place = Place::new(&file.path, each.span);
                let Some(collection) = making.collection(&each.collection, &place) else { return Vec::new() };
                match (&each.key, &source.list) {
                    (None, Some(list)) => {
                        let reason = "a page for each entry shows that entry; a page without `for_each`, or with one \
                                      for a key like `news.tags`, lists several";
                        let reason = Some(reason.to_owned());
                        making.refuse(SchemaProblem::ForbiddenKey { key: "list".to_owned(), reason }, list.span);
                        Vec::new()
                    }
                    (None, None) => making.entries(each, collection, orders.get(each.collection.as_str()).copied()),
                    (Some(key), list) => making.terms(each, collection, key, list.as_ref()),
                }
            }
        }
    }

    fn collection(&self, name: &str) -> Option<&Collection> {
        if name == PAGES_AS_COLLECTION { Some(self.pages) } else { self.collections.get(name) }
    }
}

/// Returns what a file with `for_each` could be called.
fn example_path(file: &PageFile, each: &ForEach) -> String {
    let variable = if each.key.is_some() { "term" } else { "slug" };
    let folder = file.path.as_str().rsplit_once('/').map_or("content/pages", |(folder, _)| folder);
    format!("{folder}/[{variable}].{}", file.path.extension().unwrap_or("yaml"))
}

/// The pages of one file.
struct Making<'a, 'm> {
    makers: &'a PageGenerator<'a>,
    file: &'a PageFile,
    parts: &'a [Part<'a>],
    diagnostics: &'m mut Vec<Diagnostic>,
    warnings: &'m mut Vec<Diagnostic>,
}

impl<'a> Making<'a, '_> {
    /// Reports something at a place of the file.
    fn refuse(&mut self, problem: impl Into<Problem>, span: Span) {
        self.diagnostics.push(Diagnostic::new(problem, Place::new(&self.file.path, span)));
    }

    /// Reports what is wrong with a feed. Returns whether there is nothing that it could contain.
    fn refuse_feed(&mut self, source: &PageSource) -> bool {
        let Some(feed) = &source.feed else { return false };
        if source.list.is_none() {
            let purpose = Some("The entries that the feed contains.".to_owned());
            self.refuse(SchemaProblem::MissingKey { key: "list".to_owned(), purpose }, feed.span);
            return true;
        }
        for (problem, span) in feed.mistakes(source.for_each.is_some()) {
            self.refuse(problem, span);
        }
        false
    }

    /// Reports variables in the path of a file without `for_each`, or the key that was meant for that.
    fn refuse_variables(&mut self) {
        let data = self.file.outline.data();
        let meant = "for_each";
        if let Some(value) = data.as_ref().and_then(|data| data.get(meant)) {
            let fix =
                Some("the name of a collection, like `news`, or a key of its entries, like `news.tags`".to_owned());
            let problem =
                SchemaProblem::WrongType { expected: "text".to_owned(), found: value.kind(), fix, code: None };
            return self.refuse(problem, value.span);
        }
        let mut keys = data.iter().flat_map(Node::entries).map(|(key, _)| key);
        if let Some(key) = keys.find(|key| nearest(&key.name, [meant]).is_some()) {
            let (key, span) = (key.name.clone(), key.span);
            let problem =
                SchemaProblem::UnknownKey { key, nearest: Some(meant.into()), known: Vec::new(), schema: None };
            return self.refuse(problem, span);
        }
        let problem = CollectionProblem::VariableWithoutForEach { name: self.file.pattern.clone() };
        self.diagnostics.push(Diagnostic::new(problem, Place::file(&self.file.path)));
    }

    /// Warns of a list without entries.
    fn warn_of_empty(&mut self, collection: String, span: Span) {
        let language = &self.makers.language;
        let language = language.has_others.then(|| language.tag.clone());
        self.warn(CollectionProblem::EmptyList { collection, language }, Place::new(&self.file.path, span));
    }

    fn collection(&mut self, name: &str, place: &Place) -> Option<&'a Collection> {
        let found = self.makers.collection(name);
        if found.is_none() && !self.makers.unread.contains(&format!("{name}.{REST}")) {
            let names = self.makers.collections.keys().map(String::as_str);
            let nearest = meant(name, names.chain([PAGES_AS_COLLECTION]));
            let problem = CollectionProblem::UnknownCollection { name: name.to_owned(), nearest };
            self.diagnostics.push(Diagnostic::new(problem, place.clone()));
        }
        found
    }

    /// Makes a page for each entry.
    fn entries(&mut self, each: &ForEach, collection: &Collection, order: Option<&[Sort]>) -> Vec<Arc<MadeChunk>> {
        let shown = |number: &usize| collection.nth(*number).is_some_and(|entry| !entry.is_expired());
        let sorted =
            columns::sorted(collection, order.unwrap_or_default(), &self.makers.language.tag, self.makers.cache);
        let in_order: Vec<usize> = sorted.order.iter().copied().filter(shown).collect();
        for part in self.parts {
            let Part::Variable(name) = part else { continue };
            // Those that come from the date need that key.
            let is_of_date = ["year", "month", "day"].contains(name);
            let place = Place::file(&self.file.path);
            if *name != "slug"
                && !is_of_date
                && let Some(unknown) = unknown_key(collection, &in_order, name, &["slug"], place)
            {
                self.diagnostics.push(unknown);
                return Vec::new();
            }
        }
        let mut places = vec![None; collection.len()];
        in_order.iter().enumerate().for_each(|(place, number)| places[*number] = Some(place));
        let neighbour = |place: Option<usize>| {
            let number = *in_order.get(place?)?;
            Some((number, collection.nth(number)?.keys))
        };
        let shown = |(number, in_chunk): (usize, usize)| {
            let place: Option<usize> = places[number];
            let previous = neighbour(place.and_then(|place| place.checked_sub(1)));
            EntryPlace { in_chunk, number, previous, next: neighbour(place.map(|place| place + 1)) }
        };
        let file = Digested::by(self.file, (self.file.path.as_str(), self.file.digest, &self.file.pattern));
        let chunks = collection.numbers().into_iter().zip(collection.chunks()).enumerate();
        let chunks = chunks.map(|(number, (places, entries))| PagesOfEntries {
            file,
            collection: &each.collection,
            number,
            entries: Digested::new(&**entries, entries.keys),
            shown: places.into_iter().map(shown).collect(),
        });
        chunks.map(|chunk| self.makers.cache.query_despite(&chunk, self.diagnostics)).collect()
    }

    /// Makes a page for each value of a key, or several if its entries are listed in parts.
    fn terms(
        &mut self,
        each: &ForEach,
        collection: &Collection,
        key: &str,
        list: Option<&List>,
    ) -> Vec<Arc<MadeChunk>> {
        let variables = self.parts.iter().filter(|part| matches!(part, Part::Variable(_))).count();
        if variables != 1 {
            let problem =
                CollectionProblem::PathVariable { name: self.file.pattern.clone(), known: vec!["term".to_owned()] };
            self.diagnostics.push(Diagnostic::new(problem, Place::file(&self.file.path)));
            return Vec::new();
        }
        let all: Vec<usize> = (0..collection.len()).collect();
        if let Some(unknown) = unknown_key(collection, &all, key, &[], Place::new(&self.file.path, each.span)) {
            self.diagnostics.push(unknown);
            return Vec::new();
        }
        let other = list.filter(|list| list.collection.as_ref().is_some_and(|own| *own != each.collection));
        if let Some(list) = other {
            let reason = format!("a page of a term lists the entries of `{}` that have it", each.collection);
            let problem = SchemaProblem::ForbiddenKey { key: "collection".to_owned(), reason: Some(reason) };
            self.diagnostics.push(Diagnostic::new(problem, Place::new(&self.file.path, list.collection_span)));
            return Vec::new();
        }
        if list.is_some_and(|list| self.report_misspelt_filters(&each.collection, collection, list)) {
            return Vec::new();
        }
        let terms = columns::terms(collection, key, self.makers.cache);
        self.refuse_values_without_address(collection, key, &terms);
        self.warn_of_terms(collection, key, &terms.all);
        // A language that hides what it has no translation of may have none.
        let may_hide = self.makers.view > 0 && self.makers.language.untranslated == Untranslated::Hide;
        if terms.all.is_empty() && !may_hide {
            self.warn_of_empty(format!("{}.{key}", each.collection), each.span);
        }
        let mut pages = Vec::new();
        let list = list.cloned().unwrap_or_default();
        let sorted = columns::sorted(collection, &list.sort, &self.makers.language.tag, self.makers.cache);
        let mut listed: Vec<usize> = terms.all.iter().flat_map(|term| &term.entries).copied().collect();
        listed.sort_unstable();
        listed.dedup();
        // An entry without the key comes last on the pages of its terms.
        if !self.report_unsortable(collection, &listed, &list, &sorted, false) {
            return Vec::new();
        }
        for term in &terms.all {
            let path = fill(self.parts, |_| Some(term.slug.clone())).unwrap_or_default();
            let (route, wrong) = placed_at(&path);
            let first = term.entries.first().and_then(|number| collection.nth(*number));
            if let Some(other) = &term.clash {
                let (name, other, slug) = (term.name.clone(), other.clone(), term.slug.clone());
                let place = first.map(|entry| value_place(entry, key, &term.name));
                let place = place.unwrap_or_else(|| Place::file(&self.file.path));
                let problem = AddressProblem::TermAddress { name, other, slug };
                self.diagnostics.push(Diagnostic::new(problem, place).while_making(&self.file.path));
                continue;
            }
            if let (Some(problem), Some(entry)) = (wrong, first) {
                let span = entry.value(key).map(|node| node.span);
                let place = Place { path: entry.source.clone(), span };
                self.diagnostics.push(Diagnostic::new(problem, place).while_making(&self.file.path));
                continue;
            }
            let name = &each.collection;
            pages.extend(self.parts_of_list((name, collection, &sorted), &list, route, Some(term.clone())));
        }
        pages.extend(self.left_out_terms(each, collection, key, &terms));
        self.in_chunks(pages)
    }

    /// Returns the pages of terms that only entries have which are left out today. Their addresses are not gone.
    fn left_out_terms(&self, each: &ForEach, collection: &Collection, key: &str, terms: &Terms) -> Vec<Outlined> {
        let shown: BTreeSet<&str> = terms.all.iter().map(|term| term.slug.as_str()).collect();
        let entries = collection.chunks().iter().flat_map(|chunk| &chunk.entries);
        let mut left_out: BTreeMap<String, State> = BTreeMap::new();
        for entry in entries.filter(|entry| entry.state != State::Shown) {
            let Some(node) = entry.value(key) else { continue };
            for name in values(&node).into_iter().filter_map(word) {
                let slug = slug::slugify(&*name);
                if !slug.is_empty() && !shown.contains(slug.as_str()) {
                    left_out.entry(slug).or_insert(entry.state);
                }
            }
        }
        let pages = left_out.into_iter().filter_map(|(slug, state)| {
            let (route, wrong) = placed_at(&fill(self.parts, |_| Some(slug.clone()))?);
            let (key, name) = (key.to_owned(), slug.clone());
            let term = Some(Arc::new(Term { key, name, slug, entries: Vec::new(), spellings: 1, clash: None }));
            let made = Made { collection: each.collection.clone(), term, ..Made::default() };
            wrong.is_none().then(|| chunk::page(self.file, route, made, Some(state)))
        });
        pages.collect()
    }

    /// Reports values of a key from which no address can be made.
    fn refuse_values_without_address(&mut self, collection: &Collection, key: &str, terms: &Terms) {
        for entry in terms.without_address.iter().filter_map(|number| collection.nth(*number)) {
            let Some(node) = entry.value(key) else { continue };
            for value in values(&node).into_iter().filter(|value| !matches!(value.value, Value::Null)) {
                let found = match word(value) {
                    Some(name) if slug::slugify(&name).is_empty() => "text without letters or digits",
                    Some(_) => continue,
                    // An empty text counts as absent.
                    None if matches!(value.value, Value::Text(_)) => continue,
                    None => value.kind(),
                };
                let problem = AddressProblem::AddressKey { key: key.to_owned(), found: Some(found) };
                let place = Place::new(&entry.source, value.span);
                self.diagnostics.push(Diagnostic::new(problem, place).while_making(&self.file.path));
            }
        }
    }

    /// Warns of terms that are spelled in two ways, and of one that occurs once beside a similar one.
    fn warn_of_terms(&mut self, collection: &Collection, key: &str, all: &[Arc<Term>]) {
        for term in all.iter().filter(|term| term.spellings > 1 || term.entries.len() == 1) {
            // Of two terms of one entry each, only the second is reported.
            let is_usual = |other: &&Arc<Term>| other.entries.len() > 1 || other.slug < term.slug;
            let others = all.iter().filter(|other| other.slug != term.slug).filter(is_usual);
            let similar = || others.clone().filter(|other| is_similar(&term.name, &other.name));
            for number in &term.entries {
                let Some(entry) = collection.nth(*number) else { continue };
                let Some(node) = entry.value(key) else { continue };
                for value in values(&node) {
                    let written = word(value).unwrap_or_default().into_owned();
                    let place = Place::new(&entry.source, value.span);
                    if spelling(&written) != spelling(&term.name) {
                        continue;
                    }
                    if written != term.name {
                        self.warn(CollectionProblem::TermSpelling { written, usual: term.name.clone() }, place);
                    } else if term.entries.len() == 1 {
                        // The most frequent is the right one, if any is.
                        if let Some(other) = similar().max_by_key(|other| other.entries.len()) {
                            let (similar, others) = (other.name.clone(), other.entries.len());
                            self.warn(CollectionProblem::LonelyTerm { name: written, similar, others }, place);
                        }
                    }
                }
            }
        }
    }

    /// Makes the pages of a list.
    fn list(&mut self, list: &List) -> Vec<Arc<MadeChunk>> {
        let place = Place::new(&self.file.path, list.collection_span);
        let Some(name) = &list.collection else {
            let key = "list.collection".to_owned();
            self.diagnostics.push(Diagnostic::new(SchemaProblem::MissingKey { key, purpose: None }, place));
            return Vec::new();
        };
        let Some(collection) = self.collection(name, &place) else { return Vec::new() };
        if self.report_misspelt_filters(name, collection, list) {
            return Vec::new();
        }
        let (route, _) = placed_at(&self.file.pattern);
        let sorted = columns::sorted(collection, &list.sort, &self.makers.language.tag, self.makers.cache);
        let pages = self.parts_of_list((name, collection, &sorted), list, route, None);
        self.in_chunks(pages)
    }

    /// Reports misspelt keys under `where`. Returns whether there are any.
    fn report_misspelt_filters(&mut self, name: &str, collection: &Collection, list: &List) -> bool {
        let before = self.diagnostics.len();
        for Filter { key, span, .. } in &list.filter {
            let first = key.split('.').next().unwrap_or(key);
            if self.makers.schemas.get(name).is_some_and(|schema| schema.keys().contains(&first)) {
                continue;
            }
            if let Some(meant) = collection.meant_key(first) {
                let nearest = Some(key.replacen(first, meant, 1).into());
                let known = collection.keys().into_iter().map(str::to_owned).collect();
                let problem = SchemaProblem::UnknownKey { key: key.clone(), nearest, known, schema: None };
                self.diagnostics.push(Diagnostic::new(problem, Place::new(&self.file.path, *span)));
            }
        }
        self.diagnostics.len() > before
    }

    /// Makes the pages of a list. The collection comes with its name and sorted.
    fn parts_of_list(
        &mut self,
        (name, collection, sorted): (&str, &Collection, &Sorted),
        list: &List,
        first: Route,
        term: Option<Arc<Term>>,
    ) -> Vec<Outlined> {
        if list.per_page.is_some() && !first.format().is_html() {
            let reason = "only HTML pages can be paginated; `limit` shortens the list".to_owned();
            let problem = SchemaProblem::ForbiddenKey { key: "per_page".to_owned(), reason: Some(reason) };
            self.diagnostics.push(Diagnostic::new(problem, Place::new(&self.file.path, list.span)));
            return Vec::new();
        }
        let all: Vec<usize> = match &term {
            Some(term) => {
                let mut entries = term.entries.clone();
                entries.sort_unstable_by_key(|number| sorted.ranks[*number]);
                entries
            }
            None => sorted.order.clone(),
        };
        let mut wanted: Vec<usize> = all
            .into_iter()
            .filter(|number| {
                let Some(entry) = collection.nth(*number) else { return false };
                // A list of pages does not contain itself.
                !entry.is_expired()
                    && entry.source != self.file.path
                    && list.filter.iter().all(|each| has(entry, &each.key, &each.allowed))
            })
            .collect();
        if term.is_none() && !self.report_unsortable(collection, &wanted, list, sorted, true) {
            return Vec::new();
        }
        wanted.truncate(list.limit.unwrap_or(usize::MAX));
        if wanted.is_empty() {
            self.warn_of_empty(name.to_owned(), list.span);
        }
        let per_page = list.per_page.unwrap_or(usize::MAX).min(wanted.len().max(1));
        let total = wanted.len();
        let feed = self.file.outline.source.as_ref().and_then(|source| source.feed.as_ref());
        // What a language lacks is in the feed of the original.
        let is_own = |number: &&usize| {
            self.makers.view == 0 || collection.nth(**number).is_some_and(|entry| self.makers.language.has_entry(entry))
        };
        let in_feed: Vec<usize> =
            wanted.iter().filter(is_own).take(feed.map_or(0, |feed| feed.items)).copied().collect();
        let count = total.div_ceil(per_page).max(1);
        let mut pages = Vec::with_capacity(count);
        for number in 1..=count {
            let start = (number - 1) * per_page;
            let entries = wanted[start..total.min(start + per_page)].to_vec();
            let list = ListPage { collection: name.to_owned(), entries, number, count, total, first: first.clone() };
            let term_shown = term.as_ref().map(|term| (&term.name, term.entries.len()));
            let listed = list.entries.iter().map(|number| collection.nth(*number).map(|entry| entry.keys));
            let digest = digest_of(&(name, number, count, total, term_shown, listed.collect::<Vec<_>>()));
            let route = list.address(number);
            let made = Made {
                collection: name.to_owned(),
                term: term.clone(),
                feed: if number == 1 { in_feed.clone() } else { Vec::new() },
                has_feed: !in_feed.is_empty(),
                list: Some(list),
                digest,
                ..Made::default()
            };
            pages.push(chunk::page(self.file, route, made, None));
        }
        pages
    }

    /// Reports entries whose value of a key that the list is sorted by cannot be compared with the others and, if they need one, those
    /// without it. Returns whether there are none.
    fn report_unsortable(
        &mut self,
        collection: &Collection,
        numbers: &[usize],
        list: &List,
        sorted: &Sorted,
        is_needed: bool,
    ) -> bool {
        let before = self.diagnostics.len();
        for ((Sort { key, .. }, lacking), odd) in list.sort.iter().zip(&sorted.lacking).zip(&sorted.odd) {
            let place = Place::new(&self.file.path, list.sort_span);
            if let Some(unknown) = unknown_key(collection, numbers, key, &[], place) {
                self.diagnostics.push(unknown);
                continue;
            }
            let is_fine = lacking.is_empty() && odd.is_none();
            let numbers: BTreeSet<usize> = if is_fine { BTreeSet::new() } else { numbers.iter().copied().collect() };
            if let Some(odd) = odd {
                let listed = odd.numbers.iter().filter(|number| numbers.contains(number));
                for entry in listed.filter_map(|number| collection.nth(*number)) {
                    let problem = TemplateProblem::SortKind { key: key.clone(), most: odd.most };
                    let span = entry.value(key).map(|node| node.span);
                    let place = Place { path: entry.source.clone(), span };
                    self.diagnostics.push(Diagnostic::new(problem, place));
                }
            }
            let lacking = lacking.iter().filter(|number| is_needed && numbers.contains(number));
            for entry in lacking.filter_map(|number| collection.nth(*number)) {
                self.diagnostics.push(entry.lacks(key, format!("`list.sort` in {}", self.file.path)));
            }
        }
        self.diagnostics.len() == before
    }

    fn in_chunks(&self, pages: Vec<Outlined>) -> Vec<Arc<MadeChunk>> {
        let mut chunks = Vec::with_capacity(pages.len() / CHUNK + 1);
        let mut pages = pages.into_iter().peekable();
        while pages.peek().is_some() {
            let pages = pages.by_ref().take(CHUNK).collect();
            chunks.push(Arc::new(MadeChunk::of(self.file, pages, None)));
        }
        chunks
    }

    fn warn(&mut self, problem: impl Into<Problem>, place: Place) {
        self.warnings.push(Diagnostic::new(problem, place));
    }
}

/// Reports a key that none of several entries has, where it is named: one mistake there, and not one in each entry.
/// `others` are names that may stand there too.
fn unknown_key(
    collection: &Collection,
    numbers: &[usize],
    key: &str,
    others: &[&str],
    place: Place,
) -> Option<Diagnostic> {
    let entries = || numbers.iter().filter_map(|number| collection.nth(*number));
    if numbers.len() < 2 || entries().any(|entry| entry.value(key).is_some()) {
        return None;
    }
    let own = entries().flat_map(|entry| entry.data.entries()).map(|(key, _)| key.name.as_str());
    let known: BTreeSet<&str> = own.chain(others.iter().copied()).collect();
    let nearest = meant(key, known.iter().copied());
    let known = known.into_iter().map(str::to_owned).collect();
    Some(Diagnostic::new(SchemaProblem::UnknownKey { key: key.to_owned(), nearest, known, schema: None }, place))
}

/// Returns where an entry has a value of a key.
fn value_place(entry: &Entry, key: &str, name: &str) -> Place {
    let node = entry.value(key);
    let value = node.as_deref().map(values).unwrap_or_default();
    let value = value.into_iter().find(|value| word(value).is_some_and(|word| word == name));
    Place { path: entry.source.clone(), span: value.or(node.as_deref()).map(|node| node.span) }
}

/// Whether two terms differ so little that one is probably a mistake: by the plural, or by one letter of a longer word.
fn is_similar(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let (short, long) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
    long.strip_prefix(short.as_str()).is_some_and(|rest| matches!(rest, "s" | "es" | "n" | "en" | "e"))
        || short.chars().count() > 4 && strsim::damerau_levenshtein(&a, &b) == 1
}

/// Whether two words are the same, or dates of the same moment.
fn is_same_word(own: Option<&str>, wanted: Option<&str>) -> bool {
    let Some((own, wanted)) = own.zip(wanted) else { return false };
    own == wanted || date_of(own).is_some_and(|moment| date_of(wanted) == Some(moment))
}

/// Whether a key of an entry has one of some values, or is a list with one of them.
fn has(entry: &Entry, key: &str, allowed: &[Node]) -> bool {
    let value = entry.value(key);
    let has = |wanted: &Node| match &value {
        // A key that is absent is as good as `false`.
        None => matches!(wanted.value, Value::Null | Value::Bool(false)),
        Some(node) => values(node)
            .into_iter()
            .any(|own| own.value == wanted.value || is_same_word(word(own).as_deref(), word(wanted).as_deref())),
    };
    allowed.iter().any(has)
}
