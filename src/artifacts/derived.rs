//! Derived files: what is made from other files because a page names it.
//!
//! The name of a copy of a picture has its parameters and a digest of these and of the picture ([`Copy`]). So the names
//! in finished pages are the requests, whatever wrote them: a template, Markdown, an island or a feed. A name that a
//! page has and that no picture gives is a broken link like any other.
//!
//! 1. [`Pictures::named_in`] lists what a page names. A cached page has this list.
//! 2. [`Pictures::derived`] turns the distinct names of all pages into requests.
//! 3. [`make`] makes each once, through the cache. A site that is served makes one when a browser asks for it.

use super::Content;
use super::facts::Facts;
use crate::content::Site;
use crate::content::assets::{Asset, FOLDER};
use crate::diagnostics::Problem;
use crate::observe::Work;
use crate::paths::percent_decoded;
use crate::pictures::{self, Copy, Fault, Header};
use crate::sources::{Body, Digest};
use crate::tools::Tools;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The pictures of a site, by the names that pages have of them.
pub struct Pictures<'a> {
    site: &'a Site,
    /// Those that are published as they are, by their file: `/assets/loaf-1a2b3c4d.jpg`.
    originals: HashMap<&'a str, &'a Asset>,
}

/// A file to be made from a picture.
#[derive(Debug)]
pub struct Derived {
    /// The path of the picture below `content/assets`.
    pub picture: String,
    body: Body,
    header: Header,
    copy: Copy,
    key: Digest,
}

impl<'a> Pictures<'a> {
    /// Collects the pictures of a site.
    pub fn of(site: &'a Site) -> Self {
        let pictures = site.assets.iter().filter(|asset| matches!(asset.header(), Some(Ok(_))));
        Pictures { site, originals: pictures.map(|asset| (asset.file.as_str(), asset)).collect() }
    }

    /// Returns the files that a page names and that are pictures, or made from them, in order.
    pub fn named_in(&self, page: &str, facts: Option<&Facts>) -> Vec<String> {
        if self.originals.is_empty() {
            return Vec::new();
        }
        let mut named = BTreeSet::new();
        let mut add = |address: &str| {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            let Some(at) = path.rfind("/assets/") else { return };
            let name = percent_decoded(&path[at..]);
            if self.originals.contains_key(&*name) || self.copy(&name).is_some() {
                named.insert(name.into_owned());
            }
        };
        for reference in facts.iter().flat_map(|facts| &facts.references) {
            add(&reference.address);
        }
        // What islands get, structured data and feeds: the address stands in a text.
        for at in memchr::memmem::find_iter(page.as_bytes(), "/assets/") {
            let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '<' | '>' | ')' | '\\');
            let rest = &page[at..];
            let address = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            let address = address.split("&quot;").next().unwrap_or_default().replace("&amp;", "&");
            add(address.trim_end_matches(','));
        }
        named.into_iter().collect()
    }

    /// Returns the requests among the names of all pages, and the pictures that are shown through copies alone: nobody
    /// names these files, and they may have more in them than visitors should see, such as the place of the photographer.
    pub fn derived(&self, named: &BTreeSet<String>) -> (Vec<(String, Derived)>, BTreeSet<&'a str>) {
        let mut derived = Vec::new();
        let mut copied = BTreeSet::new();
        for name in named {
            let Some((asset, header, copy)) = self.copy(name) else { continue };
            if !named.contains(&asset.file) {
                copied.insert(asset.file.as_str());
            }
            let key = copy.digest(&asset.digest);
            let (picture, body, header) = (asset.path().to_owned(), asset.body.clone(), header.clone());
            derived.push((name.clone(), Derived { picture, body, header, copy, key }));
        }
        (derived, copied)
    }

    /// Returns the picture and the copy of it that a file is.
    fn copy(&self, file: &str) -> Option<(&'a Asset, &'a Header, Copy)> {
        let name = file.strip_prefix(FOLDER)?.strip_prefix('/')?;
        let quality = self.site.settings.pictures.quality;
        let (stem, copy) = Copy::parse(name, |format| pictures::quality(format, quality))?;
        self.site.assets.with_stem(stem).find_map(|asset| {
            let header = asset.header()?.ok()?;
            (copy.name(asset.path(), &asset.digest) == name).then_some((asset, header, copy))
        })
    }
}

impl Derived {
    /// Returns what identifies it, before it is made.
    pub fn key(&self) -> &Digest {
        &self.key
    }

    /// Makes it, or gets it from the cache.
    pub fn make(&self, tools: &dyn Tools) -> Result<Content, Fault> {
        make_copies(&[self], tools).map(|mut made| made.remove(0))
    }
}

/// The files that were made, and why others could not be, by their names.
#[derive(Default)]
pub struct Made {
    /// The files.
    pub files: BTreeMap<String, Content>,
    /// What prevents others.
    pub faults: BTreeMap<String, Problem>,
}

/// Makes all files that are asked for, those of one picture on one thread.
pub fn make(derived: Vec<(String, Derived)>, tools: &dyn Tools) -> Made {
    if derived.is_empty() {
        return Made::default();
    }
    if tools.defers() {
        let deferred = |(name, derived)| (name, Content::Deferred(Arc::new(derived)));
        return Made { files: derived.into_iter().map(deferred).collect(), ..Made::default() };
    }
    let _work = Work::on(tools.observer(), "pictures");
    let mut by_picture: BTreeMap<&str, Vec<(&String, &Derived)>> = BTreeMap::new();
    for (name, derived) in &derived {
        by_picture.entry(&derived.picture).or_default().push((name, derived));
    }
    let pictures: Vec<_> = by_picture.into_values().collect();
    let results: Vec<Result<Vec<Content>, Fault>> = pictures
        .par_iter()
        .with_max_len(1)
        .map(|copies| make_copies(&copies.iter().map(|(_, derived)| *derived).collect::<Vec<_>>(), tools))
        .collect();
    let mut made = Made::default();
    for (copies, result) in pictures.iter().zip(results) {
        match result {
            Ok(contents) => {
                made.files.extend(copies.iter().zip(contents).map(|((name, _), content)| ((*name).clone(), content)));
            }
            Err(Fault { detail, fix, .. }) => {
                for (name, derived) in copies {
                    let (path, detail, fix) = (derived.picture.clone(), detail.clone(), fix.clone());
                    made.faults.insert((*name).clone(), Problem::BadPicture { path, detail, fix });
                }
            }
        }
    }
    made
}

/// Makes copies of one picture, in this order. What the cache has is not made again.
fn make_copies(copies: &[&Derived], tools: &dyn Tools) -> Result<Vec<Content>, Fault> {
    let mut contents: Vec<Option<Content>> = copies.iter().map(|derived| stored(tools, &derived.key)).collect();
    let missing: Vec<usize> = (0..copies.len()).filter(|number| contents[*number].is_none()).collect();
    if let Some(first) = missing.first().map(|number| copies[*number]) {
        let _pixels = Pixels::take(u64::from(first.header.width) * u64::from(first.header.height));
        let unreadable = |_| Fault::damaged(first.header.kind);
        let bytes = first.body.read().map_err(unreadable)?;
        let wanted: Vec<Copy> = missing.iter().map(|number| copies[*number].copy).collect();
        for (number, bytes) in missing.iter().zip(pictures::make(&bytes, &first.header, &wanted)?) {
            let key = &copies[*number].key;
            tools.store_cached(key, &bytes);
            // Of a cache that cannot be written, nothing can be read either.
            let content = stored(tools, key);
            contents[*number] = content.or(Some(Content::Bytes { bytes: Arc::from(bytes), digest: None }));
        }
    }
    Ok(contents.into_iter().flatten().collect())
}

fn stored(tools: &dyn Tools, key: &Digest) -> Option<Content> {
    if let Some(file) = tools.cached_file(key) {
        return Some(Content::Large(Arc::new(file)));
    }
    tools.cached(key).map(|bytes| Content::Bytes { bytes: Arc::from(bytes), digest: None })
}

/// How many pixels are decoded at a time, on all threads together. Each takes four bytes, and as many again while it is
/// decoded.
const PIXELS: u64 = 24_000_000;

/// Pixels that a thread may decode. One picture that is larger is decoded alone.
struct Pixels(u64);

static TAKEN: Mutex<u64> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

impl Pixels {
    fn take(count: u64) -> Pixels {
        let count = count.min(PIXELS);
        let is_full = |taken: &mut u64| *taken + count > PIXELS;
        let mut taken = FREED.wait_while(taken(), is_full).unwrap_or_else(PoisonError::into_inner);
        *taken += count;
        Pixels(count)
    }
}

impl Drop for Pixels {
    fn drop(&mut self) {
        *taken() -= self.0;
        FREED.notify_all();
    }
}

fn taken() -> MutexGuard<'static, u64> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
