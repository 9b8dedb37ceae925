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
use crate::cache::{Cache, Key};
use crate::sources::digest;
use flate2::{Compression, write::DeflateEncoder};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

/// The most bytes of a part.
const PART: usize = 1_500;

/// About how many bytes of JSON a file of each kind has. Compressed it has less than half of them.
const TERMS_FILE: usize = 10_000;
const WORDS_FILE: usize = 10_000;
const PARTS_FILE: usize = 8_000;

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

/// A page of an index.
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

/// Makes the index of the pages of one language, the entry last.
///
/// The cache keeps the index within one process, and the compressed files by what is in them: most stay the same when a page
/// changes.
pub fn index(language: &str, documents: &[Document], cache: &Cache) -> Arc<Vec<File>> {
    let mut key = Key::of("search").with(language);
    for document in documents {
        key.add(&document.address);
        key.add(document.page.digest);
    }
    let key = key.done();
    cache.get(&key).unwrap_or_else(|| {
        let files = Arc::new(made(language, documents, cache));
        cache.store(key, files.clone());
        files
    })
}

fn made(language: &str, documents: &[Document], cache: &Cache) -> Vec<File> {
    let parts: Vec<Part> = documents.iter().flat_map(parts_of).collect();
    let terms = Terms::of(language, &parts);
    let texts = packed(
        parts.iter().enumerate().map(|(number, part)| {
            let section = &part.document.page.sections[part.section];
            let title = &part.document.page.title;
            (json!(number), json!([part.document.address, title, section.id, section.heading, part.text]))
        }),
        PARTS_FILE,
    );
    let backwards: BTreeSet<String> = terms.forms.keys().map(|form| form.chars().rev().collect()).collect();
    let backwards = packed(backwards.into_iter().map(|word| (json!(word), json!(word))), WORDS_FILE);
    let backwards = backwards.into_iter().map(|(first, words)| {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        (first, json!(words.join(" ")))
    });
    let lists =
        [terms.files(), backwards.collect(), texts.into_iter().map(|(first, all)| (first, json!(all))).collect()];
    let mut files: BTreeMap<String, Arc<[u8]>> = BTreeMap::new();
    let mut lists = lists.into_iter().map(|list: Vec<(Value, Value)>| {
        let compressed: Vec<(Value, Arc<[u8]>)> =
            list.into_par_iter().map(|(first, content)| (first, compressed(&content, cache))).collect();
        let names = compressed.into_iter().map(|(first, bytes)| json!([first, named(&mut files, bytes)]));
        Value::from(names.collect::<Vec<_>>())
    });
    let mut list = || lists.next().unwrap_or_default();
    let entry = json!({ "terms": list(), "words": list(), "parts": list() });
    drop(lists);
    let files = files.into_iter().map(|(name, bytes)| (format!("/assets/search-{name}.bin"), bytes));
    files.chain([(super::index_path(language), compressed(&entry, cache))]).collect()
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

fn compressed(content: &Value, cache: &Cache) -> Arc<[u8]> {
    let text = content.to_string();
    let key = Key::of("search file").with(&text).done();
    let compressed = cache.get::<Vec<u8>>(&key).unwrap_or_else(|| {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(text.as_bytes());
        let compressed = Arc::new(encoder.finish().unwrap_or_default());
        cache.store(key, compressed.clone());
        compressed
    });
    Arc::from(&compressed[..])
}

/// Packs items into files of about `size` bytes. Each item comes with what the entry says of a file that begins with it.
fn packed(items: impl Iterator<Item = (Value, Value)>, size: usize) -> Vec<(Value, Vec<Value>)> {
    let mut files: Vec<(Value, Vec<Value>)> = Vec::new();
    let mut used = size;
    for (key, item) in items {
        if used >= size {
            files.push((key, Vec::new()));
            used = 0;
        }
        used += item.as_str().map_or_else(|| item.to_string().len(), str::len) + 1;
        if let Some((_, file)) = files.last_mut() {
            file.push(item);
        }
    }
    files
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
type Counts = [u32; FIELDS];

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
    /// The numbers of the parts that have it.
    parts: Vec<(usize, Counts)>,
}

impl Terms {
    fn of(language: &str, parts: &[Part]) -> Self {
        let counted: Vec<BTreeMap<String, Counts>> = parts.par_iter().map(count).collect();
        let distinct: BTreeSet<&str> = counted.iter().flat_map(|words| words.keys().map(String::as_str)).collect();
        let distinct: Vec<&str> = distinct.into_iter().collect();
        let stems = Stems::of(language);
        let forms: Vec<Vec<(String, String)>> = distinct.iter().map(|word| stems.forms(word)).collect();
        let mut all = Terms { terms: Vec::new(), forms: BTreeMap::new(), scored: Vec::new() };
        let mut by_stem: BTreeMap<String, usize> = BTreeMap::new();
        let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (word, forms) in distinct.into_iter().zip(forms) {
            for (form, stem) in forms {
                let number = *by_stem.entry(stem).or_insert(all.terms.len());
                if number == all.terms.len() {
                    all.terms.push(Term::default());
                }
                all.terms[number].forms.insert(form.clone());
                all.forms.entry(form).or_default().insert(number);
                by_word.entry(word).or_default().push(number);
            }
        }
        let mut lengths = vec![[0u32; FIELDS]; parts.len()];
        for (number, words) in counted.iter().enumerate() {
            for (word, counts) in words {
                for (length, count) in lengths[number].iter_mut().zip(counts) {
                    *length += count;
                }
                for term in by_word.get(word.as_str()).into_iter().flatten() {
                    let postings = &mut all.terms[*term].parts;
                    match postings.last_mut() {
                        Some((last, own)) if *last == number => {
                            own.iter_mut().zip(counts).for_each(|(own, count)| *own += count);
                        }
                        _ => postings.push((number, *counts)),
                    }
                }
            }
        }
        let average: [f64; FIELDS] = std::array::from_fn(|field| {
            let filled = lengths.iter().map(|lengths| f64::from(lengths[field])).filter(|length| *length > 0.0);
            let (sum, number) = filled.fold((0.0, 0.0), |(sum, number), length| (sum + length, number + 1.0));
            if number > 0.0 { sum / number } else { 1.0 }
        });
        let score = |term: &Term| scored(term, &lengths, &average);
        all.scored = all.terms.par_iter().map(score).collect();
        all
    }

    /// Returns the files of terms, each with its first form.
    fn files(&self) -> Vec<(Value, Value)> {
        let encoded: Vec<Value> = (0..self.terms.len()).into_par_iter().map(|number| self.encoded(number)).collect();
        let sizes: Vec<usize> = encoded.iter().map(|term| term.to_string().len()).collect();
        let mut files: Vec<(&str, BTreeSet<usize>)> = Vec::new();
        let mut used = TERMS_FILE;
        for (form, terms) in &self.forms {
            if used >= TERMS_FILE {
                files.push((form, BTreeSet::new()));
                used = 0;
            }
            if let Some((_, file)) = files.last_mut() {
                used += terms.iter().filter(|term| file.insert(**term)).map(|term| sizes[*term]).sum::<usize>();
            }
        }
        let content = |terms: BTreeSet<usize>| terms.into_iter().map(|term| encoded[term].clone()).collect::<Vec<_>>();
        files.into_iter().map(|(first, terms)| (json!(first), json!(content(terms)))).collect()
    }

    fn encoded(&self, number: usize) -> Value {
        let (scale, impacts) = &self.scored[number];
        let forms: Vec<&str> = self.terms[number].forms.iter().map(String::as_str).collect();
        let mut before = 0;
        let postings = impacts.iter().map(|(part, impact)| {
            let distance = *part as u64 - std::mem::replace(&mut before, *part as u64);
            json!(distance * (IMPACTS + 1) + impact)
        });
        Value::from([json!(scale), json!(forms.join(" "))].into_iter().chain(postings).collect::<Vec<_>>())
    }
}

/// Counts the words of a part.
fn count(part: &Part) -> BTreeMap<String, Counts> {
    let section = &part.document.page.sections[part.section];
    let title = if part.is_first { 0 } else { 3 };
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for (field, text) in [(title, part.document.page.title.as_str()), (1, &section.heading), (2, part.text)] {
        for word in words(text) {
            match counts.get_mut(&*word) {
                Some(counts) => counts[field] += 1,
                None => counts.entry(word.into_owned()).or_default()[field] = 1,
            }
        }
    }
    counts
}

/// Returns the scale of a term, and its parts with their impacts.
fn scored(term: &Term, lengths: &[Counts], average: &[f64; FIELDS]) -> (u64, Vec<(usize, u64)>) {
    let (all, own) = (lengths.len() as f64, term.parts.len() as f64);
    let rarity = logarithm(1.0 + (all - own + 0.5) / (own + 0.5));
    let score = |(part, counts): &(usize, Counts)| {
        let weight: f64 = (0..FIELDS)
            .map(|field| {
                let length = f64::from(lengths[*part][field]) / average[field];
                WEIGHTS[field] * f64::from(counts[field]) / (1.0 + LENGTHS[field] * (length - 1.0))
            })
            .sum();
        rarity * weight / (weight + SATURATION)
    };
    let mut scores: Vec<(usize, f64)> = term.parts.iter().map(|posting| (posting.0, score(posting))).collect();
    scores.sort_by(|(one, left), (other, right)| right.total_cmp(left).then(one.cmp(other)));
    scores.truncate(POSTINGS);
    let highest = scores.first().map_or(1.0, |(_, score)| *score).max(1e-9);
    let impact = |score: f64| ((score / highest * IMPACTS as f64).ceil() as u64).clamp(1, IMPACTS);
    let mut impacts: Vec<(usize, u64)> = scores.into_iter().map(|(part, score)| (part, impact(score))).collect();
    impacts.sort_unstable();
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
