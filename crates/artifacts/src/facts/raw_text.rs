//! What a page says in the text of its scripts and stylesheets.

use super::other_hosts::undeclared_hint;
use super::{PageReader, Purpose, Reference};
use crate::mistakes::{Location, PageMistake};
use sitegen_content::address::scheme_of;
use sitegen_core::diagnostics::{AccessibilityProblem, Span};
use sitegen_core::html::Tag;
use sitegen_pages::ISLANDS_STYLE;
use sitegen_styles::{AddressUse, addresses};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

/// The types of scripts that a policy governs: those that run (MIME Sniffing Standard, "JavaScript MIME type"), import maps and
/// speculation rules. Data blocks like JSON-LD do not run and need no hash.
const GOVERNED: [&str; 20] = [
    "",
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "importmap",
    "module",
    "speculationrules",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
];

impl PageReader<'_> {
    /// Reads the text of a `script` or `style`.
    pub(super) fn raw_text(&mut self, tag: &Tag, number: usize, text: &str, island: Option<&str>) {
        if tag.is("style") {
            self.stylesheet(tag, number, text, island);
        } else if tag.get("src").is_none() {
            self.script(tag, number, text);
        }
    }

    fn stylesheet(&mut self, tag: &Tag, number: usize, text: &str, island: Option<&str>) {
        let facts = &mut self.facts;
        let is_of_islands = tag.get(ISLANDS_STYLE).is_some();
        if island.is_none() && !is_of_islands {
            facts.written_styles.push((facts.styles.len(), number));
        }
        facts.references.extend(references_of_stylesheet(text).into_iter().map(|(address, purpose)| Reference {
            address,
            purpose,
            tag: number,
            attribute: is_of_islands.then_some(Cow::Borrowed(ISLANDS_STYLE)),
            island: None,
        }));
        facts.styles.push(text.to_owned());
        facts.styles_at.push(tag.end);
    }

    fn script(&mut self, tag: &Tag, number: usize, text: &str) {
        let kind = tag.get("type").unwrap_or_default().trim().to_ascii_lowercase();
        if GOVERNED.contains(&kind.as_str()) {
            self.facts.scripts.push(text.to_owned());
        }
        if !matches!(kind.as_str(), "application/ld+json" | "importmap" | "speculationrules") {
            return;
        }
        let Ok(json) = serde_json::from_str(text) else { return };
        match kind.as_str() {
            "importmap" => self.text_references(imported_addresses(&json), Purpose::Script, number),
            "speculationrules" => {
                let addresses = speculated_addresses(&json);
                let hints = addresses.iter().filter_map(|address| undeclared_hint(address, self.connections));
                let location = || Some(Location { tag: number, ..Location::default() });
                self.facts.mistakes.extend(hints.map(|problem| PageMistake::new(problem, location())));
                self.text_references(addresses, Purpose::Link, number);
            }
            _ => {
                let jobs = jobs_without_place(&json).into_iter();
                let report = |title| PageMistake::new(AccessibilityProblem::JobWithoutPlace { title }, None);
                self.facts.mistakes.extend(jobs.map(report));
                self.data_languages(&json, number, text);
                let mut addresses = Vec::new();
                json_addresses(&json, &mut addresses);
                self.text_references(addresses, Purpose::Meta, number);
            }
        }
    }

    /// Reads the languages that structured data gives to the page and its article.
    fn data_languages(&mut self, json: &serde_json::Value, number: usize, text: &str) {
        let mut languages = Vec::new();
        languages_of_page(json, &mut languages);
        for language in languages {
            let value = serde_json::Value::from(language).to_string();
            let keys = text.match_indices("\"inLanguage\"").map(|(at, key)| at + key.len());
            let at = keys.filter_map(|end| {
                let rest = text[end..].trim_start().strip_prefix(':')?.trim_start().trim_start_matches(['[', ' ']);
                rest.starts_with(&value).then_some(text.len() - rest.len())
            });
            let span = at.map(|at| Span::at(at + 1, language.len())).next();
            self.facts.data_languages.push((language.to_owned(), number, Arc::from(text), span));
        }
    }

    /// Adds addresses that stand in the text of an element.
    fn text_references(&mut self, addresses: Vec<String>, purpose: Purpose, tag: usize) {
        let reference = |address| Reference { address, purpose, tag, attribute: None, island: None };
        self.facts.references.extend(addresses.into_iter().map(reference));
    }
}

/// Returns the modules that an import map names (HTML Standard 8.1.5.3, "import maps"). A name that ends with `/` stands for
/// a folder.
fn imported_addresses(json: &serde_json::Value) -> Vec<String> {
    let maps = json.get("scopes").and_then(serde_json::Value::as_object).into_iter().flat_map(|scopes| scopes.values());
    let modules = json.get("imports").into_iter().chain(maps).filter_map(serde_json::Value::as_object).flatten();
    let files = modules.filter(|(name, _)| !name.ends_with('/'));
    files.filter_map(|(_, address)| Some(address.as_str()?.to_owned())).collect()
}

/// Returns the pages that browsers fetch or render before visitors go there (HTML Standard 7.6.1, "speculation rules").
fn speculated_addresses(json: &serde_json::Value) -> Vec<String> {
    let rules = ["prefetch", "prerender"].into_iter().filter_map(|kind| json.get(kind)?.as_array()).flatten();
    let addresses = rules.filter_map(|rule| rule.get("urls")?.as_array()).flatten();
    addresses.filter_map(|address| Some(address.as_str()?.to_owned())).collect()
}
/// Collects the addresses in structured data. The value of `@id` names a thing and need not be a page (JSON-LD 1.1,
/// 3.3).
fn json_addresses(json: &serde_json::Value, addresses: &mut Vec<String>) {
    match json {
        serde_json::Value::String(text) if text.starts_with("https://") || text.starts_with("http://") => {
            addresses.push(text.clone());
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| json_addresses(item, addresses)),
        serde_json::Value::Object(map) => {
            map.iter().filter(|(key, _)| *key != "@id").for_each(|(_, item)| json_addresses(item, addresses));
        }
        _ => {}
    }
}

/// Types of schema.org that stand for a page or for its text. Other things, such as a book, may be in another language.
const PAGES: [&str; 17] = [
    "AboutPage",
    "AnalysisNewsArticle",
    "Article",
    "BlogPosting",
    "CollectionPage",
    "ContactPage",
    "FAQPage",
    "ItemPage",
    "NewsArticle",
    "OpinionNewsArticle",
    "ProfilePage",
    "QAPage",
    "Report",
    "ReportageNewsArticle",
    "SearchResultsPage",
    "TechArticle",
    "WebPage",
];

/// Collects the languages of what stands for the page. One of several languages is enough.
fn languages_of_page<'j>(json: &'j serde_json::Value, languages: &mut Vec<&'j str>) {
    use serde_json::Value;
    match json {
        Value::Array(items) => items.iter().for_each(|item| languages_of_page(item, languages)),
        Value::Object(map) => {
            let is_page = |kind: &Value| kind.as_str().is_some_and(|kind| PAGES.contains(&kind));
            let is_page =
                |kind: &Value| is_page(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_page));
            if map.get("@type").is_some_and(is_page) {
                // A language may also be a thing with a name, which need not be a tag.
                languages.extend(map.get("inLanguage").and_then(Value::as_str));
            }
            map.get("@graph").into_iter().for_each(|graph| languages_of_page(graph, languages));
        }
        _ => {}
    }
}

/// Returns the titles of jobs that search engines leave out: each needs a place of work or, where the work is remote,
/// the countries from which people may apply (developers.google.com/search/docs/appearance/structured-data/job-posting,
/// `jobLocation` and `applicantLocationRequirements`).
pub(super) fn jobs_without_place(json: &serde_json::Value) -> Vec<String> {
    let is = |value: &serde_json::Value, name: &str| match value {
        serde_json::Value::String(text) => text == name,
        serde_json::Value::Array(items) => items.iter().any(|item| item == name),
        _ => false,
    };
    match json {
        serde_json::Value::Array(items) => items.iter().flat_map(jobs_without_place).collect(),
        serde_json::Value::Object(map) if map.get("@type").is_some_and(|kind| is(kind, "JobPosting")) => {
            let has = |key: &str| map.get(key).is_some_and(|value| !value.is_null());
            let is_remote = map.get("jobLocationType").is_some_and(|kind| is(kind, "TELECOMMUTE"));
            let has_place = has("jobLocation") && !is_remote;
            let title = map.get("title").and_then(serde_json::Value::as_str).unwrap_or("without a title");
            let is_complete = has_place || is_remote && has("applicantLocationRequirements");
            if is_complete { Vec::new() } else { vec![title.to_owned()] }
        }
        serde_json::Value::Object(map) => map.get("@graph").map(jobs_without_place).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The length from which a stylesheet is probably that of the site, which is in most pages.
const OF_SITE: usize = 4096;

/// A stylesheet, and its addresses.
type ReadStylesheet = (String, Vec<(String, Purpose)>);

thread_local! {
    /// The last long stylesheet that this thread has read.
    static LAST: RefCell<ReadStylesheet> = RefCell::default();
}

/// Returns the addresses that a stylesheet of a page loads.
fn references_of_stylesheet(css: &str) -> Vec<(String, Purpose)> {
    if css.len() < OF_SITE {
        return css_references(css);
    }
    LAST.with_borrow_mut(|(last, references)| {
        if *last != css {
            (*last, *references) = (css.to_owned(), css_references(css));
        }
        references.clone()
    })
}

/// Returns the addresses that a stylesheet or a value of CSS loads. Of a data URL, which loads nothing and needs the policy's leave,
/// only what comes before its data.
pub(super) fn css_references(css: &str) -> Vec<(String, Purpose)> {
    let loaded = addresses(css).into_iter().filter(|(address, _)| !address.is_empty() && !address.starts_with('#'));
    let references = loaded.filter_map(|(mut address, used_as)| {
        let is_data = scheme_of(&address).as_deref() == Some("data");
        let purpose = match used_as {
            AddressUse::Import if is_data => return None,
            AddressUse::Import => Purpose::Style,
            AddressUse::Font => Purpose::Font,
            AddressUse::Picture => Purpose::Image,
        };
        if is_data {
            address.truncate(address.find(',').map_or(address.len(), |comma| comma + 1));
        }
        Some((address, purpose))
    });
    references.collect()
}
