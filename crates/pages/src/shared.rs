//! Rendered pages in a cache that several machines share, chunk by chunk.
//!
//! The key of a chunk has everything in it that its pages depend on, so what is there is what this machine would render. Facts,
//! references and everything else are checked of these pages as of any other.
//!
//! 1. The chunks that this build has to render are announced, and waited for as long as rendering plain pages takes.
//! 2. What arrives later is used for pages that are not rendered by then.
//! 3. A chunk with islands is waited for once more, as long as prerendering takes.
//! 4. Chunks that were rendered here are sent.

use super::islands::Token;
use super::social::{Request, Requests};
use super::{Html, Inputs, Page};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sitegen_core::parallel;
use sitegen_core::sources::Digest;
use sitegen_core::tools::shared::SharedCache;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

/// How long a build waits for the pages of a chunk: about as long as rendering them takes, templates alone.
const RENDERING: Duration = Duration::from_micros(20);

/// How long it waits for a page with islands: prerendering one takes a millisecond or more.
const PRERENDERING: Duration = Duration::from_millis(1);

/// How long the first answer may take.
const FIRST_ANSWER: Duration = Duration::from_millis(20);

/// The pages of a chunk, with what files that they name are made from.
#[derive(Serialize, Deserialize)]
struct SharedChunk {
    /// Their HTML, in the order of the chunk.
    pages: Vec<String>,
    /// Names of files, and what they are made from, as templates have asked for them.
    requests: Vec<(String, Request)>,
}

/// What the shared cache has of the pages that a build renders. Nothing if there is no shared cache.
#[derive(Default)]
pub struct Fetched<'a> {
    shared: Option<&'a dyn SharedCache>,
    /// The keys of all chunks.
    keys: Vec<Digest>,
    /// The chunk of each page that is rendered, and its place there, in the order of the pages.
    places: Vec<(usize, usize)>,
    /// The number of pages of each chunk that are rendered.
    counts: Vec<usize>,
    /// The pages of the chunks that have arrived, until somebody takes them.
    chunks: Vec<OnceLock<Vec<Mutex<String>>>>,
    /// What arrived chunks have asked for.
    requests: Mutex<BTreeMap<String, Request>>,
}

impl<'a> Fetched<'a> {
    /// Announces the chunks of the given pages: of each its chunk and its place there, with whether it has to be rendered.
    pub fn begin(inputs: Inputs<'a>, keys: &[Digest], pages: impl Iterator<Item = ((usize, usize), bool)>) -> Self {
        let Some(shared) = inputs.tools.shared() else { return Fetched::default() };
        let mut counts = vec![0; keys.len()];
        let mut places = Vec::new();
        for ((chunk, place), is_rendered) in pages {
            counts[chunk] += usize::from(is_rendered);
            places.push((chunk, place));
        }
        let needed: Vec<Digest> =
            keys.iter().zip(&counts).filter(|(_, count)| **count > 0).map(|(key, _)| *key).collect();
        shared.prefetch(&needed);
        let chunks = keys.iter().map(|_| OnceLock::new()).collect();
        Fetched { shared: Some(shared), keys: keys.to_vec(), places, counts, chunks, requests: Mutex::default() }
    }

    /// Waits for all chunks together as long as rendering their pages takes.
    pub fn wait(&self) {
        let Some(shared) = self.shared else { return };
        let needed = |number: &usize| self.counts[*number] > 0;
        let keys: Vec<Digest> = (0..self.keys.len()).filter(needed).map(|number| self.keys[number]).collect();
        let count = u32::try_from(self.counts.iter().sum::<usize>()).unwrap_or(u32::MAX);
        shared.wait_for(&keys, FIRST_ANSWER + RENDERING * count);
        parallel::map_numbers(self.keys.len(), |number| {
            if needed(&number) {
                self.receive(number, Duration::ZERO);
            }
        });
    }

    fn receive(&self, number: usize, patience: Duration) -> Option<&[Mutex<String>]> {
        let shared = self.shared?;
        if let Some(pages) = self.chunks[number].get() {
            return Some(pages);
        }
        let bytes = shared.get(&self.keys[number], patience)?;
        let SharedChunk { pages, requests } = postcard::from_bytes(&bytes).ok()?;
        self.requests.lock().extend(requests);
        Some(self.chunks[number].get_or_init(|| pages.into_iter().map(Mutex::new).collect()))
    }

    /// Takes the HTML of the page with this number, if its chunk has arrived.
    pub fn take(&self, number: usize) -> Option<String> {
        let (chunk, place) = *self.places.get(number)?;
        let html = std::mem::take(&mut *self.receive(chunk, Duration::ZERO)?.get(place)?.lock());
        if html.is_empty() { None } else { Some(html) }
    }

    /// Replaces pages in which islands are missing by those of chunks that arrive now.
    pub fn put_in_place_of(&self, inputs: Inputs, token: &Token, pages: &mut [Page]) {
        if self.shared.is_none() {
            return;
        }
        let is_missing = |page: &Page| page.html.has_islands(|html| token.is_in(html));
        let shelf = inputs.tools.shelf();
        let mut waiting: BTreeMap<usize, u32> = BTreeMap::new();
        for (_, (chunk, _)) in pages.iter().zip(&self.places).filter(|(page, _)| is_missing(page)) {
            *waiting.entry(*chunk).or_default() += 1;
        }
        for (chunk, count) in waiting {
            self.receive(chunk, PRERENDERING * count);
        }
        for (number, page) in pages.iter_mut().enumerate().filter(|(_, page)| is_missing(page)) {
            if let Some(html) = self.take(number) {
                page.html = Html::on(&shelf, html, |_| false);
            }
        }
    }

    /// Adds what arrived chunks have asked for.
    pub fn add_requests(&self, requests: &Requests) {
        requests.extend(std::mem::take(&mut *self.requests.lock()));
    }

    /// Sends every chunk of which all pages were rendered by this build, and drops what has arrived.
    pub fn send(self, inputs: Inputs, pages: &[Page], requests: &BTreeMap<String, Request>) {
        let Some(shared) = self.shared else { return };
        shared.forget();
        let by_hash: BTreeMap<&str, (&String, &Request)> =
            requests.iter().filter_map(|(name, request)| Some((hash_of(name)?, (name, request)))).collect();
        let mut chunks: Vec<Vec<Option<&Page>>> =
            inputs.site.pages.chunks().iter().map(|chunk| vec![None; chunk.pages.len()]).collect();
        for (page, (chunk, place)) in pages.iter().zip(&self.places) {
            let is_new = page.summary.is_none() && self.chunks[*chunk].get().is_none();
            chunks[*chunk][*place] = is_new.then_some(page);
        }
        let complete = chunks.into_iter().zip(&self.keys).filter_map(|(pages, key)| {
            let pages = pages.into_iter().collect::<Option<Vec<&Page>>>().filter(|pages| !pages.is_empty());
            Some((*key, pages?))
        });
        parallel::map(&complete.collect::<Vec<(Digest, Vec<&Page>)>>(), |(key, pages)| {
            // A page that cannot be read is reported by whoever needs it.
            let html = pages.iter().map(|page| page.html.text().ok()).collect::<Option<Vec<Cow<str>>>>();
            let html = html.filter(|html| html.iter().all(|html| !html.is_empty()));
            let chunk = html.map(|html| SharedChunk {
                requests: requests_of(html.iter().map(|html| &**html).collect(), &by_hash),
                pages: html.into_iter().map(Cow::into_owned).collect(),
            });
            if let Some(bytes) = chunk.and_then(|chunk| postcard::to_stdvec(&chunk).ok()) {
                shared.put(key, bytes);
            }
        });
    }
}

/// Returns what pages have asked for, by the digests in the names of these files, which stand in the pages however their addresses
/// are written. A list of icons names other files.
fn requests_of<'t>(
    mut texts: Vec<&'t str>,
    by_hash: &BTreeMap<&str, (&'t String, &'t Request)>,
) -> Vec<(String, Request)> {
    let mut all = BTreeMap::new();
    while let Some(text) = texts.pop().filter(|_| !by_hash.is_empty()) {
        for (dot, _) in text.match_indices('.') {
            let hash = dot.checked_sub(HASH).and_then(|begin| text.get(begin..dot));
            if let Some((name, request)) = hash.and_then(|hash| by_hash.get(hash))
                && all.insert((*name).clone(), (*request).clone()).is_none()
                && let Request::Text { text, .. } = request
            {
                texts.push(text);
            }
        }
    }
    all.into_iter().collect()
}

/// How many digits of the digest stand in the name of a file.
const HASH: usize = 16;

/// Returns the digits in the name of a file: `/assets/social/card-1a2b3c4d5e6f7a8b.png`.
fn hash_of(name: &str) -> Option<&str> {
    let stem = &name[..name.rfind('.')?];
    stem.get(stem.len().checked_sub(HASH)?..)
}
