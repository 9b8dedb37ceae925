//! Derived files: what is made from other files because a page names it.
//!
//! The name of a copy of a picture has its parameters and a digest of these and of the picture ([`struct@Copy`]). So the names
//! in finished pages are the requests, whatever wrote them: a template, Markdown, an island or a feed. A name that a
//! page has and that no picture gives is a broken link like any other.
//!
//! Pictures that are rendered from SVG have names of the same kind. What these cannot carry, the text of a link preview, is
//! a [`Request`] that the page has left ([`social`]).
//!
//! 1. [`Pictures::named_in`] lists what a page names. A cached page has this list.
//! 2. [`Pictures::derived`] turns the distinct names of all pages into requests.
//! 3. [`make`] makes each once, through the cache. A site that is served makes one when a browser asks for it.

use super::Content;
use super::facts::Facts;
use parking_lot::{Condvar, Mutex, MutexGuard};
use sitegen_content::Site;
use sitegen_content::assets::{Asset, FOLDER, IN_FOLDER};
use sitegen_core::cache::Cache;
use sitegen_core::diagnostics::{AssetProblem, Problem};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::percent_decoded;
use sitegen_core::sources::{Body, Digest, Sources, digest};
use sitegen_core::tools::{Tools, shared};
use sitegen_pages::Part;
use sitegen_pages::social::{self, Request};
use sitegen_pictures::{self as pictures, Copy, Fault, Fonts, Format, Header, Icon, Unfit};
use sitegen_templates::Templates;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

/// The pictures of a site, and its other assets, by the names that pages have of them.
pub struct Pictures<'a> {
    site: &'a Site,
    cache: &'a Cache,
    /// All assets by the file that they are published as: `/assets/loaf-1a2b3c4d.jpg`.
    originals: HashMap<&'a str, &'a Asset>,
    /// Whether templates ask for pictures that are rendered from SVG.
    has_requests: bool,
}

/// What the finished site needs of its assets.
#[derive(Default)]
pub struct Uses<'a> {
    /// The files that it names, which are published as they are.
    pub named: BTreeSet<&'a str>,
    /// The files of the assets that other files are made from. Nobody may name these: they may have more in them than
    /// visitors should see, such as the place of the photographer.
    pub copied: BTreeSet<&'a str>,
}

/// A file to be made from another.
#[derive(Debug)]
pub struct Derived {
    /// The path of the picture below `content/assets`, or of the template.
    pub picture: String,
    key: Digest,
    recipe: Recipe,
}

/// How many bytes of a text may be the address of a picture.
const LONGEST: usize = 1024;

/// How many dots in it may be that of the extension.
const MOST_DOTS: usize = 32;

/// How a file is made.
#[derive(Debug)]
enum Recipe {
    /// A copy of a picture.
    Copy(Body, Header, Copy),
    /// A link preview of this SVG.
    Preview(String, Arc<Fonts>),
    /// An icon from an SVG, on a background.
    Icon(Body, Icon, [u8; 3]),
    /// A text.
    Text(String),
}

impl<'a> Pictures<'a> {
    /// Collects the assets of a site.
    pub fn new(site: &'a Site, sources: &Sources, cache: &'a Cache) -> Self {
        let originals = site.assets.iter().map(|asset| (asset.file.as_str(), asset)).collect();
        Pictures { site, cache, originals, has_requests: social::may_ask(&Templates::of(sources)) }
    }

    /// Returns the asset that an address shows, or a copy of it.
    pub fn asset_at(&self, address: &str) -> Option<&'a Asset> {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        [path.rfind(IN_FOLDER), path.find(IN_FOLDER)].into_iter().flatten().find_map(|at| {
            let name = percent_decoded(&path[at..]);
            let original = self.originals.get(&*name).copied();
            original.or_else(|| self.copy(&name).map(|(asset, ..)| asset))
        })
    }

    /// Returns the files that a page names and that are assets, or made from them, in order.
    pub fn named_in(&self, page: &str, facts: Option<&Facts>) -> Vec<String> {
        if self.originals.is_empty() && !self.has_requests {
            return Vec::new();
        }
        let mut named = BTreeSet::new();
        let mut add = |address: &str| {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            // The path of the site may have a folder of this name, and so may that of the file.
            for at in [path.rfind(IN_FOLDER), path.find(IN_FOLDER)].into_iter().flatten() {
                let name = percent_decoded(&path[at..]);
                if self.originals.contains_key(&*name) || self.copy(&name).is_some() || self.request(&name).is_some() {
                    named.insert(name.into_owned());
                }
            }
        };
        for reference in facts.iter().flat_map(|facts| &facts.references) {
            add(&reference.address);
        }
        // What islands get, structured data and feeds: the address stands in a text.
        for at in memchr::memmem::find_iter(page.as_bytes(), IN_FOLDER) {
            let end = (at + LONGEST).min(page.len());
            let rest = &page[at..(at..=end).rev().find(|end| page.is_char_boundary(*end)).unwrap_or(at)];
            let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '<' | '>' | '\\');
            // As some programs write it in JSON.
            let rest = if rest.contains("\\u0026") { rest.replace("\\u0026", "&").into() } else { Cow::from(rest) };
            let text = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            let text = htmlize::unescape(text.split("&quot;").next().unwrap_or_default());
            // Any sign may follow, and another address: each part that may be the name of a file is looked for.
            let ends = text.match_indices('.').map(|(dot, _)| {
                let is_extension = |letter: &u8| letter.is_ascii_alphanumeric();
                dot + 1 + text.as_bytes()[dot + 1..].iter().take_while(|letter| is_extension(letter)).count()
            });
            ends.take(MOST_DOTS).for_each(|end| add(&text[..end]));
            // A name may have no extension, or one of other signs.
            add(&text);
        }
        named.into_iter().collect()
    }

    /// Returns the requests among the names of all pages, and what they make of the assets.
    pub fn derived(&self, named: &BTreeSet<String>) -> (BTreeMap<String, Derived>, Uses<'a>) {
        let mut derived = BTreeMap::new();
        let mut uses = Uses::default();
        let mut open: Vec<String> = named.iter().cloned().collect();
        while let Some(name) = open.pop() {
            if let Some(asset) = self.originals.get(name.as_str()) {
                uses.named.insert(&asset.file);
            }
            if derived.contains_key(&name) {
                continue;
            }
            if let Some((asset, header, copy)) = self.copy(&name) {
                uses.copied.insert(&asset.file);
                let recipe = Recipe::Copy(asset.body.clone(), header.clone(), copy);
                let (picture, key) = (asset.name().to_owned(), copy.digest(&asset.digest));
                derived.insert(name, Derived { picture, key, recipe });
            } else if let Some(request) = self.request(&name).and_then(|request| self.requested(&request)) {
                if let Recipe::Text(text) = &request.recipe {
                    open.extend(self.named_in(text, None));
                }
                derived.insert(name, request);
            }
        }
        (derived, uses)
    }

    /// Whether files can be made from others because pages ask for them.
    pub fn makes_files(&self) -> bool {
        self.has_requests || self.site.assets.iter().any(|asset| matches!(asset.header(), Some(Ok(_))))
    }

    fn request(&self, name: &str) -> Option<Arc<Request>> {
        if self.has_requests { social::request(name, self.cache) } else { None }
    }

    fn requested(&self, request: &Request) -> Option<Derived> {
        Some(match request {
            Request::Preview { template, svg } => {
                let fonts = social::fonts(&self.site.assets, self.cache).ok()?;
                let (picture, key) = (template.clone(), pictures::preview_key(svg, &fonts));
                Derived { picture, key, recipe: Recipe::Preview(svg.clone(), fonts) }
            }
            Request::Icon { path, icon, background } => {
                let asset = self.site.assets.get(path)?;
                let key = icon.key(&asset.digest, *background);
                let recipe = Recipe::Icon(asset.body.clone(), *icon, *background);
                Derived { picture: path.clone(), key, recipe }
            }
            Request::Text { path, text } => {
                let key = digest(text.as_bytes());
                Derived { picture: path.clone(), key, recipe: Recipe::Text(text.clone()) }
            }
        })
    }

    /// Returns the picture and the copy of it that a file is.
    fn copy(&self, file: &str) -> Option<(&'a Asset, &'a Header, Copy)> {
        let name = file.strip_prefix(FOLDER)?.strip_prefix('/')?;
        let quality = self.site.settings.options.pictures.quality;
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

    /// Whether machines share it: another one may have made it sooner than this one would.
    fn is_shared(&self) -> bool {
        !matches!(self.recipe, Recipe::Text(_))
    }

    /// About how long making it takes.
    fn effort(&self) -> Duration {
        // Nanoseconds a pixel, on one processor of 2026: to decode and scale a picture, and to encode a copy.
        const SOURCE: u64 = 15;
        let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
        match &self.recipe {
            Recipe::Copy(_, header, copy) => {
                let encode = if copy.format == Format::Avif { 800 } else { 60 };
                let nanoseconds =
                    SOURCE * pixels(header.width, header.height) + encode * pixels(copy.width, copy.height);
                Duration::from_nanos(nanoseconds)
            }
            Recipe::Preview(..) => Duration::from_millis(40),
            Recipe::Icon(..) => Duration::from_millis(10),
            Recipe::Text(_) => Duration::ZERO,
        }
    }

    /// Makes it, or gets it from the cache.
    pub fn make(&self, tools: &dyn Tools) -> Result<Content, Fault> {
        make_all(&[self], tools).map(|mut made| made.remove(0))
    }

    /// Renders it, if it is no copy of a picture of pixels.
    fn rendered(&self) -> Result<Vec<u8>, Fault> {
        let unfit = |Unfit { detail, fix, .. }: Unfit| Fault { detail, fix, is_broken: false };
        match &self.recipe {
            Recipe::Preview(svg, fonts) => pictures::preview(svg, fonts).map_err(unfit),
            Recipe::Icon(body, icon, background) => {
                let svg = body.text().unwrap_or_default();
                icon.render(svg, *background).map_err(unfit)
            }
            Recipe::Text(text) => Ok(text.clone().into_bytes()),
            Recipe::Copy(_, header, _) => Err(Fault::damaged(header.kind)),
        }
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

/// Groups files by what is decoded for all of them together.
fn by_picture(derived: &BTreeMap<String, Derived>) -> Vec<Vec<(&String, &Derived)>> {
    let mut groups: BTreeMap<(&str, &str), Vec<(&String, &Derived)>> = BTreeMap::new();
    for (name, derived) in derived {
        // Only a picture of pixels is decoded once for all of its copies.
        let own = if matches!(derived.recipe, Recipe::Copy(..)) { "" } else { name };
        groups.entry((&derived.picture, own)).or_default().push((name, derived));
    }
    groups.into_values().collect()
}

/// Returns the files that one of several machines makes. Each machine that knows all files comes to the same division: what takes
/// the longest goes first, to the part that has the least to do so far.
pub fn share(mut derived: BTreeMap<String, Derived>, part: Part) -> BTreeMap<String, Derived> {
    let mut groups: Vec<(Duration, Vec<String>)> = by_picture(&derived)
        .into_iter()
        .map(|group| {
            let effort = group.iter().map(|(_, derived)| derived.effort()).sum();
            (effort, group.into_iter().map(|(name, _)| name.clone()).collect())
        })
        .collect();
    groups.sort_by(|(a, names), (b, others)| b.cmp(a).then_with(|| names.cmp(others)));
    let mut parts = vec![Duration::ZERO; part.count.max(1)];
    for (effort, names) in groups {
        let least = (0..parts.len()).min_by_key(|number| parts[*number]).unwrap_or_default();
        parts[least] += effort;
        if least != part.number {
            names.iter().for_each(|name| drop(derived.remove(name)));
        }
    }
    derived
}

/// Makes all files that are asked for, the copies of one picture on one thread.
pub fn make(derived: BTreeMap<String, Derived>, tools: &dyn Tools) -> Made {
    if derived.is_empty() {
        return Made::default();
    }
    if tools.defers() {
        let deferred = |(name, derived)| (name, Content::Deferred(Arc::new(derived)));
        return Made { files: derived.into_iter().map(deferred).collect(), ..Made::default() };
    }
    let _work = Work::on(tools.observer(), "pictures");
    let pictures = by_picture(&derived);
    let known = parallel::map(&pictures, |copies| {
        copies.iter().map(|(_, derived)| stored(tools, &derived.key)).collect::<Vec<Option<Content>>>()
    });
    if let Some(shared) = tools.shared() {
        let all =
            || pictures.iter().flatten().zip(known.iter().flatten()).filter(|((_, derived), _)| derived.is_shared());
        let asked = all().filter(|(_, content)| content.is_none() || shared.is_filled());
        shared.prefetch(&asked.map(|((_, derived), _)| derived.key).collect::<Vec<_>>());
        for ((_, derived), _) in all().filter(|(_, content)| content.is_some()) {
            shared::send_known(tools, &derived.key, derived.effort(), || tools.cached(&derived.key));
        }
    }
    let work: Vec<_> = pictures.iter().zip(known).collect();
    let make = |(copies, known): &(&Vec<(&String, &Derived)>, Vec<Option<Content>>)| {
        let copies: Vec<&Derived> = copies.iter().map(|(_, derived)| *derived).collect();
        complete(&copies, known.clone(), tools)
    };
    let results: Vec<Result<Vec<Content>, Fault>> = parallel::map_slow(&work, make);
    let mut made = Made::default();
    for (copies, result) in pictures.iter().zip(results) {
        match result {
            Ok(contents) => {
                made.files.extend(copies.iter().zip(contents).map(|((name, _), content)| ((*name).clone(), content)));
            }
            Err(Fault { detail, fix, .. }) => {
                for (name, derived) in copies {
                    let (path, detail, fix) = (derived.picture.clone(), detail.clone(), fix.clone());
                    made.faults.insert((*name).clone(), AssetProblem::BadPicture { path, detail, fix }.into());
                }
            }
        }
    }
    made
}

/// Makes the copies of one picture, or one other file. What the cache has is not made again.
fn make_all(wanted: &[&Derived], tools: &dyn Tools) -> Result<Vec<Content>, Fault> {
    complete(wanted, wanted.iter().map(|derived| stored(tools, &derived.key)).collect(), tools)
}

/// Makes those copies of one picture that are missing, or one other file, unless the shared cache has them.
fn complete(wanted: &[&Derived], mut contents: Vec<Option<Content>>, tools: &dyn Tools) -> Result<Vec<Content>, Fault> {
    for (derived, content) in wanted.iter().zip(&mut contents).filter(|(derived, _)| derived.is_shared()) {
        if content.is_none()
            && let Some(bytes) = tools.shared().and_then(|shared| shared.get(&derived.key, derived.effort()))
        {
            tools.store_cached(&derived.key, &bytes);
            *content = stored(tools, &derived.key);
        }
    }
    let missing: Vec<usize> = (0..wanted.len()).filter(|number| contents[*number].is_none()).collect();
    let Some(first) = missing.first().map(|number| wanted[*number]) else {
        return Ok(contents.into_iter().flatten().collect());
    };
    let made = match &first.recipe {
        Recipe::Copy(body, header, _) => {
            let _pixels = Pixels::take(u64::from(header.width) * u64::from(header.height));
            let bytes = body.read().map_err(|_| Fault::damaged(header.kind))?;
            let copy = |number: &usize| match &wanted[*number].recipe {
                Recipe::Copy(_, _, copy) => Some(*copy),
                _ => None,
            };
            pictures::make(&bytes, header, &missing.iter().filter_map(copy).collect::<Vec<Copy>>())?
        }
        _ => vec![first.rendered()?],
    };
    for (number, bytes) in missing.into_iter().zip(made) {
        let key = &wanted[number].key;
        match wanted[number].is_shared() {
            true => shared::store(tools, key, &bytes),
            false => tools.store_cached(key, &bytes),
        }
        // Of a cache that cannot be written, nothing can be read either.
        let content = stored(tools, key);
        contents[number] = content.or(Some(Content::Bytes { bytes: Arc::from(bytes), digest: None }));
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
        let mut taken = taken();
        FREED.wait_while(&mut taken, is_full);
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
    TAKEN.lock()
}
