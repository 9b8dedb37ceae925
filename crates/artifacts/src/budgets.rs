//! Checks what a visitor downloads for a page against the budgets of `site.yaml`.
//!
//! Text is measured after compression with Brotli at quality 5, which is about what hosts do on the fly; images are
//! measured as they are. A page within its budget uncompressed is not compressed at all, and one within it at the
//! quickest quality is not compressed any further: ten times as quick, which counts for a page that was just saved. For
//! that, its styles, which many pages share, are compressed once and apart; so are its policy, which has their digest, and
//! the rest, which a change of styles does not touch. Compressed together they are smaller still.

use super::Content;
use super::facts::{Facts, Purpose};
use super::files::SiteFiles;
use super::sealed::Sealed;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sitegen_content::options::{Budget, Budgets};
use sitegen_core::cache::{Cache, Persistent, Query};
use sitegen_core::diagnostics::{BudgetProblem, Diagnostic, Place};
use sitegen_core::paths::percent_decoded;
use sitegen_core::tools::scratch;
use sitegen_islands::{Packages, largest_first};
use sitegen_pages::{Inputs, NEVER, Page};
use sitegen_pictures as pictures;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::Write as _;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Compressed sizes of files in bytes, each computed once for the complete site, and once for all builds with the same
/// cache.
pub struct CompressedSizes<'a> {
    by_path: Mutex<BTreeMap<String, Arc<OnceLock<usize>>>>,
    cache: &'a Cache,
}

/// A number of bytes after compression.
#[derive(Debug, Serialize, Deserialize)]
struct Size(usize);

impl Persistent for Size {}

#[derive(Hash)]
struct CompressedSize<'a> {
    bytes: &'a [u8],
    quality: u32,
}

impl Query for CompressedSize<'_> {
    const KIND: &'static str = "compressed";
    type Output = Size;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Size, Infallible> {
        Ok(Size(compressed(self.bytes, self.quality)))
    }
}

impl<'a> CompressedSizes<'a> {
    /// Starts without any sizes.
    pub fn new(cache: &'a Cache) -> Self {
        CompressedSizes { by_path: Mutex::default(), cache }
    }

    /// Returns the number of bytes of a file after compression.
    fn compressed(&self, path: &str, bytes: &[u8]) -> usize {
        let mut sizes = self.by_path.lock();
        let size = sizes.entry(path.to_owned()).or_default().clone();
        drop(sizes);
        // Pages that are checked at the same time have the same styles.
        *size.get_or_init(|| self.of_bytes(bytes))
    }

    /// Returns the number of bytes of a text after compression.
    fn of_bytes(&self, bytes: &[u8]) -> usize {
        let Ok(size) = self.cache.query_saved(&CompressedSize { bytes, quality: USUAL });
        size.0
    }

    /// Returns what is left of a text at the quickest quality, which only this process remembers.
    fn at_quickest(&self, bytes: &[u8]) -> usize {
        let Ok(size) = self.cache.query(&CompressedSize { bytes, quality: QUICKEST });
        size.0
    }
}

/// Reports what one page costs over its budget. Its policy is at `policy` in the HTML. `packages` gives those that a script
/// is made of.
pub fn check(
    budgets: &Budgets,
    (html, policy): (&[u8], Range<usize>),
    facts: &Facts,
    file: &dyn Fn(&str) -> Option<Content>,
    packages: &dyn Fn(&str) -> Packages,
    sizes: &CompressedSizes,
) -> Vec<BudgetProblem> {
    let paths = |purpose: Purpose| -> BTreeSet<&str> {
        facts.references.iter().filter(|each| each.purpose == purpose).map(|each| each.address.as_str()).collect()
    };
    // Styles and scripts are of this build; images may be files of the project.
    let total = |purpose: Purpose, of_file: &dyn Fn(&str, &[u8]) -> usize| -> usize {
        paths(purpose).into_iter().filter_map(|path| Some(of_file(path, &file(path)?.made()?))).sum()
    };
    let usual = |path: &str, bytes: &[u8]| sizes.compressed(path, bytes);
    let mut over = Vec::new();
    let mut compare = |what: &'static str, budget: Option<Budget>, raw: usize, exact: &dyn Fn() -> usize| {
        let Some(Budget(limit)) = budget else { return };
        if raw <= limit {
            return;
        }
        let size = exact();
        if size > limit {
            over.push(BudgetProblem::OverBudget { what, size, limit, packages: Vec::new(), islands: Vec::new() });
        }
    };
    let raw = |_: &str, bytes: &[u8]| bytes.len();
    // What is under its limit at the quickest quality is so at the usual one.
    let at_most = |budget: Option<Budget>, quickest: usize| {
        Some(quickest).filter(|size| *size <= budget.map_or(0, |Budget(limit)| limit))
    };
    let exact = || {
        let styles: usize = facts.styles.iter().map(|text| usual(text, text.as_bytes())).sum();
        let apart = styles + compressed(&html[policy.clone()], QUICKEST);
        let rest = without(html, &policy, facts);
        at_most(budgets.html, apart + sizes.at_quickest(&rest))
            .or_else(|| at_most(budgets.html, apart + sizes.of_bytes(&rest)))
            .unwrap_or_else(|| compressed(html, USUAL))
    };
    compare("HTML", budgets.html, html.len(), &exact);
    let styles = |measure: &dyn Fn(&str, &[u8]) -> usize| {
        total(Purpose::Style, measure) + facts.styles.iter().map(|text| measure(text, text.as_bytes())).sum::<usize>()
    };
    compare("CSS", budgets.css, styles(&raw), &|| styles(&usual));
    compare("JavaScript", budgets.js, total(Purpose::Script, &raw), &|| total(Purpose::Script, &usual));
    let images = images(facts, file);
    compare("images", budgets.images, bytes_of(&images), &|| bytes_of(&images));
    for problem in &mut over {
        match problem {
            BudgetProblem::OverBudget { what: "JavaScript", packages: shares, islands, .. } => {
                let loading = facts.islands.iter().filter(|(_, hydrate)| hydrate != NEVER);
                *islands = loading.cloned().collect();
                let scripts = paths(Purpose::Script).into_iter().flat_map(packages);
                *shares = largest_first(&scripts.collect::<Packages>());
            }
            BudgetProblem::OverBudget { what: "images", packages: shares, .. } => *shares = largest_first(&images),
            _ => {}
        }
    }
    over
}

/// Visitors for whom images are counted: the width of the window in CSS pixels, and the pixels of the screen for each.
const VISITORS: [(f64, f64); 2] = [(390.0, 2.0), (1440.0, 1.0)];

/// Returns the files of the images that a visitor loads, on a phone or at a desk, whichever is more, with their bytes. An
/// image is an element with its `srcset`, or a `<picture>`.
fn images(facts: &Facts, file: &dyn Fn(&str) -> Option<Content>) -> Packages {
    let of_visitors = VISITORS.iter().map(|visitor| images_of(facts, file, *visitor));
    of_visitors.max_by_key(bytes_of).unwrap_or_default()
}

fn bytes_of(files: &Packages) -> usize {
    files.iter().map(|(_, size)| size).sum()
}

fn images_of(facts: &Facts, file: &dyn Fn(&str) -> Option<Content>, (window, density): (f64, f64)) -> Packages {
    let mut loaded: BTreeMap<&str, usize> = BTreeMap::new();
    // The files of each image and element, in their order.
    let mut offered: BTreeMap<(usize, usize), Vec<(usize, &str)>> = BTreeMap::new();
    for reference in facts.references.iter().filter(|each| each.purpose == Purpose::Image) {
        let path = reference.address.as_str();
        let size = file(path).map(|content| content.len() as usize);
        if reference.attribute.is_none() || reference.is_in_islands_style() {
            // A stylesheet may load everything that it names.
            loaded.extend(size.map(|size| (path, size)));
            continue;
        }
        let image = facts.pictures.get(&reference.tag).copied().unwrap_or(reference.tag);
        offered.entry((image, reference.tag)).or_default().extend(size.map(|size| (size, path)));
    }
    // Browsers take the first source whose media query fits, and of the formats the first that they know: they know ours.
    // Where only they can answer the query, they may take the source or a later one.
    let mut largest: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
    let mut decided: Option<usize> = None;
    for ((image, tag), files) in offered {
        let fits = facts.media.get(&tag).map_or(Some(true), |media| pictures::fits(media, window));
        if decided == Some(image) || fits == Some(false) {
            continue;
        }
        decided = Some(image).filter(|_| fits == Some(true));
        let chosen = facts.offers.get(&tag).and_then(|offer| offer.chosen(window, density));
        let files = files.into_iter().filter(|(_, path)| chosen.is_none_or(|chosen| chosen == *path));
        if let Some(file) = files.max() {
            let current = largest.entry(image).or_insert(file);
            *current = file.max(*current);
        }
    }
    loaded.extend(largest.into_values().map(|(size, path)| (path, size)));
    loaded.into_iter().map(|(path, size)| (path.to_owned(), size)).collect()
}

/// The quality of Brotli that is measured.
const USUAL: u32 = 5;
/// The quality of Brotli that takes the least time, of 0 to 11.
const QUICKEST: u32 = 1;

/// Returns a page without its policy and its styles. Facts are those of the page before it got the policy.
fn without(html: &[u8], policy: &Range<usize>, facts: &Facts) -> Vec<u8> {
    let styles = facts.styles_at.iter().zip(&facts.styles).map(|(at, text)| {
        let begin = if *at < policy.start { *at } else { at + policy.len() };
        begin..begin + text.len()
    });
    let mut apart: Vec<Range<usize>> = styles.chain([policy.clone()]).collect();
    apart.sort_by_key(|range| range.start);
    let mut rest = Vec::with_capacity(html.len());
    let mut begin = 0;
    for range in apart {
        rest.extend_from_slice(&html[begin..range.start]);
        begin = range.end;
    }
    rest.extend_from_slice(&html[begin..]);
    rest
}

/// Returns the number of bytes after compression with Brotli.
fn compressed(bytes: &[u8], quality: u32) -> usize {
    // A window just large enough for the file serves as well as the widest, which allocates 8 MB each time. The encoder
    // uses another method for windows below 17.
    let window = (bytes.len() + 16).next_power_of_two().ilog2().clamp(17, 22);
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, quality, window);
    // Writing to a Vec cannot fail.
    let _ = writer.write_all(bytes);
    writer.into_inner().len()
}

/// What `site.yaml` allows visitors of a page to download.
pub struct PageBudgets<'a> {
    inputs: Inputs<'a>,
    files: &'a SiteFiles,
    sizes: CompressedSizes<'a>,
}

impl<'a> PageBudgets<'a> {
    /// Starts without any sizes. `files` are those of the site.
    pub fn new(inputs: Inputs<'a>, files: &'a SiteFiles) -> Self {
        PageBudgets { inputs, files, sizes: CompressedSizes::new(inputs.tools.cache()) }
    }

    /// Reports what a page costs over its budget, if anything. Its facts come with the place of its policy.
    ///
    /// The engine's own 404 page is not the site's to reduce.
    pub fn check(
        &self,
        page: &Page,
        sealed: &Sealed,
        (facts, policy): &(Facts, Range<usize>),
    ) -> Option<Vec<Diagnostic>> {
        let (source, summary) = (page.file()?, &sealed.summary);
        if !page.route.format().is_html() {
            return None;
        }
        let Inputs { site, islands, .. } = self.inputs;
        let (base_path, budgets) = (site.settings.base_path.as_str(), &site.settings.options.budgets);
        let path = |address: &str| {
            let path = address.strip_prefix(base_path)?.trim_start_matches('/');
            Some(percent_decoded(path.split(['?', '#']).next().unwrap_or(path)).into_owned())
        };
        let file = |address: &str| self.files.get(&path(address)?).cloned();
        let packages = |address: &str| {
            let of_module = address.strip_prefix(base_path).and_then(|path| islands.packages.get(path));
            let of_script = || file(address).map(|content| (address.to_owned(), content.len() as usize));
            of_module.cloned().unwrap_or_else(|| of_script().into_iter().collect())
        };
        // Nothing is compressed of a page that is small enough as it is.
        let is_compressed = budgets.html.is_some_and(|Budget(limit)| summary.len > limit as u64);
        let html = match summary.bytes.as_ref()? {
            stored if is_compressed => stored.bytes(),
            _ => Ok(Arc::default()),
        };
        let html = match html {
            Ok(html) => html,
            Err(error) => return Some(vec![scratch::failure("read", &error)]),
        };
        let over = check(budgets, (&html, policy.clone()), facts, &file, &packages, &self.sizes);
        let at_file = |problem| page.named_in(Diagnostic::new(problem, Place::file(source)));
        Some(over.into_iter().map(at_file).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_content::connections::Connections;

    #[test]
    fn a_window_of_the_file_size_is_as_good_as_the_widest() {
        let mut random = 1u32;
        for length in [0, 1, 1000, 65_519, 65_520, 131_056, 131_057, 300_000] {
            let word = || {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b'a' + (random >> 24) as u8 % 7
            };
            let text: Vec<u8> = std::iter::repeat_with(word).take(length).collect();
            let mut widest = brotli::CompressorWriter::new(Vec::new(), 4096, USUAL, 22);
            widest.write_all(&text).unwrap();
            let (ours, widest) = (compressed(&text, USUAL), widest.into_inner().len());
            assert!(ours.abs_diff(widest) <= 1 + widest / 1000, "{length}: {ours} and {widest}");
        }
    }

    #[test]
    fn the_policy_and_styles_are_taken_out_of_a_page() {
        let html = "<head><meta charset=utf-8><title>a{}</title><style>a{}</style></head><style>b{}</style>b{}";
        let facts = Facts::read(html, &Connections::default());
        let at = facts.policy_at.unwrap();
        let page = format!("{}POLICY{}", &html[..at], &html[at..]);
        let rest = without(page.as_bytes(), &(at..at + 6), &facts);
        let expected = "<head><meta charset=utf-8><title>a{}</title><style></style></head><style></style>b{}";
        assert_eq!(String::from_utf8(rest).unwrap(), expected);
    }

    #[test]
    fn of_each_image_the_largest_file_counts_once() {
        let file = |path: &str| {
            let size = path.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?;
            Some(Content::Bytes { bytes: Arc::from(vec![0; size]), digest: None })
        };
        for (html, expected) in [
            ("<img src=/10.png srcset='/10.png 1x, /20.png 2x, /40.png 4x'>", 40),
            ("<img src=/10.png srcset='/10.png 1x, /20.png 2x'><img src=/20.png>", 20),
            (
                "<picture><source srcset='/30.png 1x, /50.png 2x'><source srcset=/5.png><img src=/10.png></picture><img src=/1.png>",
                51,
            ),
            ("<img src=/10.png><img src=/20.png><style>a { background: url(/1.png), url(/2.png) }</style>", 33),
            ("<link rel=icon href=/4.png><video poster=/8.png></video>", 12),
            // A phone needs 780 pixels, a desk 720.
            (
                "<img src=/9.png srcset='/1.png 480w, /2.png 800w, /9.png 1600w' sizes='(min-width: 600px) 720px, 100vw'>",
                2,
            ),
            // A desk needs 1440.
            ("<img src=/9.png srcset='/1.png 480w, /2.png 800w, /9.png 1600w'>", 9),
            (
                "<picture><source srcset='/3.webp 800w, /4.webp 1600w' sizes=400px><img src=/9.png srcset='/8.png 800w, /9.png 1600w' sizes=400px></picture>",
                3,
            ),
            // A phone gets the first source, and a desk the second; of each only the first format.
            (
                "<picture><source media='(max-width: 40rem)' srcset='/7.webp 480w, /8.webp 900w' sizes=100vw>\
                 <source media='(max-width: 40rem)' srcset='/70.jpg 480w, /80.jpg 900w' sizes=100vw>\
                 <source srcset='/3.webp 700w, /4.webp 1500w' sizes=100vw><img src=/90.jpg srcset='/80.jpg 700w, /90.jpg 1500w'></picture>",
                8,
            ),
            // Some browsers show the first, and others the second.
            (
                "<picture><source media='(prefers-color-scheme: dark)' srcset=/3.webp><source srcset=/5.webp><img src=/9.png></picture>",
                5,
            ),
            // How wide it is shown only a browser knows, but it takes one source.
            (
                "<picture><source srcset='/3.webp 480w, /5.webp 800w' sizes='min(40rem, 100vw)'><img src=/9.png></picture>",
                5,
            ),
            ("<picture><source media=print srcset=/50.png><img src=/9.png></picture>", 9),
            // Nobody but a browser knows.
            ("<img src=/1.png srcset='/1.png 480w, /5.png 800w' sizes='calc(100vw - 1rem)'>", 5),
        ] {
            assert_eq!(bytes_of(&images(&Facts::read(html, &Connections::default()), &file)), expected, "{html}");
        }
    }

    #[test]
    fn only_what_is_over_its_budget_is_reported_with_figures() {
        let budget = |limit| Some(Budget(limit));
        let budgets = Budgets { html: budget(100), css: None, js: budget(10), images: budget(3) };
        let facts = Facts::read(
            "<script src=\"/a.js\"></script><img src=\"/b.png\" alt=\"\"><img src=\"/b.png\" alt=\"\">",
            &Connections::default(),
        );
        let file = |path: &str| {
            Some(Content::Bytes {
                bytes: Arc::from(if path == "/a.js" { &b"0123456789abcdefghij"[..] } else { &b"1234"[..] }),
                digest: None,
            })
        };
        let repetitive = "a".repeat(10_000);
        let packages = |path: &str| if path == "/a.js" { vec![("react".to_owned(), 20)] } else { Vec::new() };
        let over = check(
            &budgets,
            (repetitive.as_bytes(), 0..0),
            &facts,
            &file,
            &packages,
            &CompressedSizes::new(&Cache::default()),
        );
        assert_eq!(over.len(), 2, "{over:?}");
        let BudgetProblem::OverBudget { what: "JavaScript", limit: 10, packages, .. } = &over[0] else {
            panic!("{over:?}")
        };
        assert_eq!(packages, &[("react".to_owned(), 20)]);
        let BudgetProblem::OverBudget { what: "images", size: 4, packages, .. } = &over[1] else { panic!("{over:?}") };
        assert_eq!(packages, &[("/b.png".to_owned(), 4)]);
    }
}
