//! The files of an index.
//!
//! All are JSON, compressed with raw Deflate (RFC 1951), which browsers decompress themselves: hosts compress such files
//! or not, as they like. Sections are cut into parts of at most [`PART`] bytes, which are numbered in the order of pages.
//!
//! - The **entry**, at a fixed address: `{"terms": [[word, name], …], "words": [[word, name], …], "parts": [[number, name],
//!   …]}`, for each other file the first thing in it and its name. The address of a file is `assets/search-<name>.bin`.
//! - A file of **terms**: `[[scale, "form form …", posting, …], …]`. A term is a stem with the forms of it that pages have, so
//!   that no browser needs to stem. A file has every term of which a form falls between its first word and that of the
//!   next file. A posting is the distance from the part before, times 16, plus an impact of 1 to 15; the score of the
//!   term in that part is `scale * impact`.
//! - A file of **words**: the forms, each written backwards, separated by spaces, in order. A word with a wrong letter in
//!   its first half is found by its second.
//! - A file of **parts**: `[[address, title, id, heading, text], …]`.
//!
//! Scores are those of BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).

use super::page::Page;
use super::words::{Stems, words};
use flate2::{Compression, write::DeflateEncoder};
use serde_json::{Value, json};
use sitegen_core::cache::{Cache, Query};
use sitegen_core::parallel;
use sitegen_core::sources::{digest, fingerprint};
use sitegen_locale::primary;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

/// The most bytes of a part.
const PART: usize = 1_500;

/// About how many bytes of JSON a file of each kind has. Compressed it has less than half of them.
const TERMS_FILE: usize = 9_000;
const WORDS_FILE: usize = 10_000;
const PARTS_FILE: usize = 7_500;

/// The most parts that a term is found in. A word of more says little, and those with the highest scores stay.
const POSTINGS: usize = 1_000;

/// The greatest impact.
const IMPACTS: u64 = 15;

/// The fields of a part: the title of its page in the first part of a page, its heading, its text, and the title of its
/// page in other parts.
const FIELDS: usize = 4;
const WEIGHTS: [f64; FIELDS] = [12.0, 5.0, 1.0, 1.0];
/// How much the length of a field counts, `b` of BM25F.
const LENGTHS: [f64; FIELDS] = [0.5, 0.3, 0.75, 0.0];
/// How soon more occurrences count no more, `k1` of BM25F, for the weights above.
const SATURATION: f64 = 6.0;

/// How much the score of a page counts that comes after others.
const LOW: f64 = 0.5;

/// A page of an index.
#[derive(Hash)]
pub struct Document<'a> {
    /// Its address on the host.
    pub address: String,
    /// What it says.
    pub page: &'a Page,
}

/// A file of an index: its path from the site's root, and its bytes.
pub type File = (String, Arc<[u8]>);

struct Part<'a> {
    document: &'a Document<'a>,
    section: usize,
    text: &'a str,
    is_first: bool,
}

/// Makes the index of the pages of one language, the entry last. `name` is that of [`index_name`](super::index_name).
///
/// The cache keeps within one process what costs most: the index, the words of each page, and the compressed files by what is
/// in them. Most files stay the same when a page changes, see `packed`.
pub fn index(name: &str, documents: &[Document], cache: &Cache) -> Arc<Vec<File>> {
    let Ok(index) = cache.query(&Indexed { name, documents });
    index
}

#[derive(Hash)]
struct Indexed<'a> {
    name: &'a str,
    documents: &'a [Document<'a>],
}

impl Query for Indexed<'_> {
    const KIND: &'static str = "search";
    type Output = Vec<File>;
    type Refused = Infallible;

    fn run(&self, cache: &Cache) -> Result<Vec<File>, Infallible> {
        Ok(files(self.name, self.documents, cache))
    }
}

fn files(name: &str, documents: &[Document], cache: &Cache) -> Vec<File> {
    let parts: Vec<Part> = documents.iter().flat_map(parts_of).collect();
    let words: Vec<Arc<Vec<PartWords>>> = parallel::map(documents, |document| {
        let Ok(words) = cache.query(&CountedWords { page: document.page });
        words
    });
    let words: Vec<&PartWords> = words.iter().flat_map(|words| words.iter()).collect();
    let terms = Terms::of(&primary(name), &words);
    let texts: Vec<Item> = parallel::map_numbers(parts.len(), |number| {
        let part = &parts[number];
        let section = &part.document.page.sections[part.section];
        let title = &part.document.page.title;
        let text = json!([part.document.address, title, section.id, section.heading, part.text]).to_string();
        // Its number changes when another page has one section more.
        let name = format!("{}#{} {}", part.document.address, section.id, part.text.len());
        Item { first: json!(number), name, text }
    });
    let backwards: BTreeSet<String> = terms.forms.keys().map(|form| form.chars().rev().collect()).collect();
    let backwards = backwards.into_iter().map(|word| Item { first: json!(word), name: word.clone(), text: word });
    let words =
        packed(backwards, WORDS_FILE).into_iter().map(|(first, words)| (first, json!(words.join(" ")).to_string()));
    let texts = packed(texts, PARTS_FILE).into_iter().map(|(first, texts)| (first, list_of(&texts)));
    let mut files: BTreeMap<String, Arc<[u8]>> = BTreeMap::new();
    let mut lists = [terms.files(), words.collect(), texts.collect()].into_iter().map(|list: Vec<(Value, String)>| {
        let compressed: Vec<_> = parallel::map_owned(list, |(first, content)| (first, compressed(&content, cache)));
        let names = compressed.into_iter().map(|(first, bytes)| json!([first, named(&mut files, bytes)]));
        Value::from(names.collect::<Vec<_>>())
    });
    let mut list = || lists.next().unwrap_or_default();
    let entry = json!({ "terms": list(), "words": list(), "parts": list() });
    drop(lists);
    let files = files.into_iter().map(|(name, bytes)| (format!("/assets/search-{name}.bin"), bytes));
    files.chain([(super::index_path(name), compressed(&entry.to_string(), cache))]).collect()
}

/// Returns JSON values as a JSON list.
fn list_of(values: &[impl AsRef<str>]) -> String {
    let mut list = String::from("[");
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            list.push(',');
        }
        list.push_str(value.as_ref());
    }
    list.push(']');
    list
}

/// Names a file by its digest: by so much of it that no other file has the name.
fn named(files: &mut BTreeMap<String, Arc<[u8]>>, bytes: Arc<[u8]>) -> String {
    let digest = digest(&bytes);
    let hex = |length: usize| digest[..length].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let is_free = |name: &String| files.get(name).is_none_or(|other| *other == bytes);
    let name = [4, 8].map(hex).into_iter().find(is_free).unwrap_or_else(|| hex(32));
    files.insert(name.clone(), bytes);
    name
}

/// Compresses a file.
fn compressed(text: &str, cache: &Cache) -> Arc<[u8]> {
    let Ok(compressed) = cache.query(&Compressed { text });
    (*compressed).clone()
}

#[derive(Hash)]
struct Compressed<'a> {
    text: &'a str,
}

impl Query for Compressed<'_> {
    const KIND: &'static str = "search file";
    type Output = Arc<[u8]>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Arc<[u8]>, Infallible> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(self.text.as_bytes());
        Ok(Arc::from(encoder.finish().unwrap_or_default()))
    }
}

/// Something that goes into a file as it is.
struct Item {
    /// What the entry says of a file that begins with it.
    first: Value,
    /// A name that it keeps when others change.
    name: String,
    text: String,
}

/// Packs items into files of about `size` bytes.
fn packed(items: impl IntoIterator<Item = Item>, size: usize) -> Vec<(Value, Vec<String>)> {
    let mut files: Vec<(Value, Vec<String>)> = Vec::new();
    let mut used = 0;
    for Item { first, name, text } in items {
        if files.is_empty() || is_begin(used, &name, text.len(), size) {
            files.push((first, Vec::new()));
            used = 0;
        }
        used += text.len() + 1;
        if let Some((_, file)) = files.last_mut() {
            file.push(text);
        }
    }
    files
}

/// Whether a file begins with an item of `length` bytes, after one that has `used` bytes. From seven tenths of the size on the
/// item decides by its name. If files were filled up, a word more on the first page would change all of them.
fn is_begin(used: usize, name: &str, length: usize, size: usize) -> bool {
    let is_chosen = || (fingerprint(name.as_bytes()) % (size as u128 / 4)) < length as u128;
    used + length > size + size / 5 || used >= size / 10 * 7 && is_chosen()
}

fn parts_of<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Part<'a>> {
    let sections = document.page.sections.iter().enumerate();
    sections.flat_map(move |(section, content)| {
        let texts = cut(&content.text).into_iter().enumerate();
        texts.map(move |(at, text)| Part { document, section, text, is_first: section + at == 0 })
    })
}

/// Cuts a text at spaces into parts of at most [`PART`] bytes.
fn cut(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > PART {
        let end = (0..=PART).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or_default();
        let end = rest[..end].rfind(' ').filter(|space| *space > 0).unwrap_or(end);
        parts.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    parts.push(rest);
    parts
}

/// How often a word is in each field of a part.
type Counts = [u16; FIELDS];

/// The words of a part.
#[derive(Debug)]
struct PartWords {
    /// Each of them once, in order, with spaces between.
    words: String,
    counts: Vec<Counts>,
    /// The number of words in each field.
    lengths: [u32; FIELDS],
    /// How much its score counts.
    rank: f64,
}

#[derive(Hash)]
struct CountedWords<'a> {
    page: &'a Page,
}

impl Query for CountedWords<'_> {
    const KIND: &'static str = "search words";
    type Output = Vec<PartWords>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Vec<PartWords>, Infallible> {
        let document = Document { address: String::new(), page: self.page };
        Ok(parts_of(&document).map(|part| PartWords::of(&part)).collect())
    }
}

impl PartWords {
    fn of(part: &Part) -> Self {
        let section = &part.document.page.sections[part.section];
        let title = if part.is_first { 0 } else { 3 };
        let mut all: BTreeMap<Cow<str>, Counts> = BTreeMap::new();
        for (field, text) in [(title, part.document.page.title.as_str()), (1, &section.heading), (2, part.text)] {
            for word in words(text) {
                let count = &mut all.entry(word).or_default()[field];
                *count = count.saturating_add(1);
            }
        }
        let lengths = std::array::from_fn(|field| all.values().map(|counts| u32::from(counts[field])).sum());
        let (words, counts): (Vec<_>, _) = all.into_iter().unzip();
        let rank = if part.document.page.is_low { LOW } else { 1.0 };
        PartWords { words: words.join(" "), counts, lengths, rank }
    }

    fn iter(&self) -> impl Iterator<Item = (&str, &Counts)> {
        self.words.split_terminator(' ').zip(&self.counts)
    }
}

struct Terms {
    terms: Vec<Term>,
    /// For each form the numbers of its terms.
    forms: BTreeMap<String, BTreeSet<usize>>,
    /// For each term its scale, and its parts with their impacts.
    scored: Vec<(u64, Vec<(usize, u64)>)>,
}

#[derive(Default)]
struct Term {
    forms: BTreeSet<String>,
    /// The numbers of the parts that have it, in order.
    parts: Vec<Posting>,
}

/// The number of a part, and how often it has a word.
type Posting = (usize, Counts);

impl Terms {
    fn of(language: &str, parts: &[&PartWords]) -> Self {
        let mut found: BTreeMap<&str, Vec<Posting>> = BTreeMap::new();
        for (number, part) in parts.iter().enumerate() {
            for (word, counts) in part.iter() {
                found.entry(word).or_default().push((number, *counts));
            }
        }
        let stems = Stems::of(language);
        let mut all = Terms { terms: Vec::new(), forms: BTreeMap::new(), scored: Vec::new() };
        let mut by_stem: BTreeMap<String, usize> = BTreeMap::new();
        for (word, postings) in found {
            let mut own = Vec::new();
            for (form, stem) in stems.forms(word) {
                let number = *by_stem.entry(stem).or_insert(all.terms.len());
                if number == all.terms.len() {
                    all.terms.push(Term::default());
                }
                all.terms[number].forms.insert(form.clone());
                all.forms.entry(form).or_default().insert(number);
                own.push(number);
            }
            for number in own {
                all.terms[number].parts.extend(&postings);
            }
        }
        let average = std::array::from_fn(|field| average(parts.iter().map(|part| part.lengths[field])));
        all.scored = parallel::flat_map_mut(&mut all.terms, |term| {
            term.merge();
            Some(scored(term, parts, &average))
        });
        all
    }

    /// Returns the files of terms, each with its first form.
    fn files(&self) -> Vec<(Value, String)> {
        let encoded: Vec<String> = parallel::map_numbers(self.terms.len(), |number| self.encoded(number));
        let mut files: Vec<(&str, BTreeSet<usize>)> = Vec::new();
        let mut used = 0;
        for (form, terms) in &self.forms {
            let size = |terms: &BTreeSet<usize>| terms.iter().map(|term| encoded[*term].len()).sum::<usize>();
            if files.is_empty() || is_begin(used, form, size(terms), TERMS_FILE) {
                files.push((form, BTreeSet::new()));
                used = 0;
            }
            if let Some((_, file)) = files.last_mut() {
                used += terms.iter().filter(|term| file.insert(**term)).map(|term| encoded[*term].len()).sum::<usize>();
            }
        }
        let content = |terms: BTreeSet<usize>| terms.into_iter().map(|term| &encoded[term]).collect::<Vec<_>>();
        files.into_iter().map(|(first, terms)| (json!(first), list_of(&content(terms)))).collect()
    }

    fn encoded(&self, number: usize) -> String {
        let (scale, impacts) = &self.scored[number];
        let forms: Vec<&str> = self.terms[number].forms.iter().map(String::as_str).collect();
        let mut text = format!("[{scale},{}", json!(forms.join(" ")));
        let mut before = 0;
        for (part, impact) in impacts {
            let distance = *part as u64 - std::mem::replace(&mut before, *part as u64);
            // Writing to a text cannot fail.
            let _ = write!(text, ",{}", distance * (IMPACTS + 1) + impact);
        }
        text.push(']');
        text
    }
}

impl Term {
    /// Puts the postings of its words in order, with one for each part.
    fn merge(&mut self) {
        self.parts.sort_by_key(|(part, _)| *part);
        self.parts.dedup_by(|(part, counts), (before, sum)| {
            let is_same = part == before;
            if is_same {
                sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
            }
            is_same
        });
    }
}

/// Returns the average of the lengths that are not zero, to two digits: scores, and so most files, stay when a page gets a
/// word more.
fn average(lengths: impl Iterator<Item = u32>) -> f64 {
    let filled = lengths.filter(|length| *length > 0);
    let (sum, number) = filled.fold((0, 0), |(sum, number), length| (sum + u64::from(length), number + 1));
    match sum as f64 / f64::from(number.max(1)) {
        0.0 => 1.0,
        small @ ..10.0 => (small * 10.0).round() / 10.0,
        average => average.round(),
    }
}

/// Returns the scale of a term, and its parts with their impacts.
fn scored(term: &Term, parts: &[&PartWords], average: &[f64; FIELDS]) -> (u64, Vec<(usize, u64)>) {
    let (all, own) = (parts.len() as f64, term.parts.len() as f64);
    let rarity = logarithm(1.0 + (all - own + 0.5) / (own + 0.5));
    let score = |(part, counts): &Posting| {
        let weight: f64 = (0..FIELDS)
            .map(|field| {
                let length = f64::from(parts[*part].lengths[field]) / average[field];
                WEIGHTS[field] * f64::from(counts[field]) / (1.0 + LENGTHS[field] * (length - 1.0))
            })
            .sum();
        parts[*part].rank * rarity * weight / (weight + SATURATION)
    };
    let mut scores: Vec<(usize, f64)> = term.parts.iter().map(|posting| (posting.0, score(posting))).collect();
    if scores.len() > POSTINGS {
        scores.sort_unstable_by(|(one, left), (other, right)| right.total_cmp(left).then(one.cmp(other)));
        scores.truncate(POSTINGS);
        scores.sort_unstable_by_key(|(part, _)| *part);
    }
    let highest = scores.iter().map(|(_, score)| *score).reduce(f64::max).unwrap_or(1.0).max(1e-9);
    let impact = |score: f64| ((score / highest * IMPACTS as f64).ceil() as u64).clamp(1, IMPACTS);
    let impacts = scores.into_iter().map(|(part, score)| (part, impact(score))).collect();
    (((highest * 100.0).round() as u64).max(1), impacts)
}

/// The binary logarithm, linear between powers of two. `f64::ln` may differ between processors in its last digit, and the
/// same sources must give the same bytes.
fn logarithm(value: f64) -> f64 {
    let (mut rest, mut whole) = (value.max(1.0), 0.0);
    while rest >= 2.0 {
        rest /= 2.0;
        whole += 1.0;
    }
    whole + rest - 1.0
}
