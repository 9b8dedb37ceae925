//! Texts of originals that a page may show in lists, because its language has no translation of them.
//!
//! They are those of what the template of the page can read, so that a page that comes from the cache could show no others.

use super::{Inputs, Keys};
use sitegen_content::collections::{Collection, Entry};
use sitegen_content::languages::Language;
use sitegen_content::yaml::{Node, Value};
use sitegen_content::{self as content, Site};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

/// The texts of all languages.
pub struct Originals<'a> {
    keys: Keys<'a>,
    site: &'a Site,
    languages: Vec<OfLanguage<'a>>,
}

/// What a language shows for want of a translation.
#[derive(Default)]
struct OfLanguage<'a> {
    collections: BTreeMap<&'a str, OnceLock<Arc<HashSet<String>>>>,
    pages: OnceLock<Arc<HashSet<String>>>,
}

/// The texts of originals that one page may show.
pub struct OriginalTexts<'a> {
    /// The language that they are in.
    pub language: &'a Language,
    texts: Vec<Arc<HashSet<String>>>,
}

impl OriginalTexts<'_> {
    /// Whether a text of a page is one of them.
    pub fn contains(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.len() > 1 && {
            let text = words.join(" ");
            self.texts.iter().any(|texts| texts.contains(&text))
        }
    }
}

impl<'a> Originals<'a> {
    /// Prepares those of a site. `None` if it has one language.
    pub fn of(inputs: Inputs<'a>) -> Option<Self> {
        let site = inputs.site;
        let of_view = |view: &'a content::View| OfLanguage {
            collections: view.collections.keys().map(|name| (name.as_str(), OnceLock::new())).collect(),
            ..OfLanguage::default()
        };
        let languages = site.views.iter().map(of_view).collect();
        (site.views.len() > 1).then(|| Originals { keys: Keys::of(inputs), site, languages })
    }

    /// Returns those that a page may show, if there are any.
    pub fn of_page(&self, route: &str) -> Option<OriginalTexts<'a>> {
        let page = self.site.pages.at(route).filter(|page| page.view > 0)?;
        let (view, own) = (self.site.view(page), &self.languages[page.view]);
        let uses = self.keys.uses_of_page(page);
        let mut texts = Vec::new();
        for (name, collection) in &view.collections {
            if uses.related || uses.collections.contains(name) {
                let all = || Arc::new(self.texts(page.view, collection, 0..collection.len()));
                texts.push(own.collections[name.as_str()].get_or_init(all).clone());
            } else if let Some(slugs) = uses.entries.get(name) {
                let numbers = slugs.iter().filter_map(|slug| collection.number(slug));
                texts.push(Arc::new(self.texts(page.view, collection, numbers)));
            }
        }
        if let Some(made) = &page.made
            && let Some(collection) = view.collection(&made.collection)
        {
            let listed = made.list.iter().flat_map(|list| list.entries.iter().copied());
            let numbers = listed.chain(made.previous).chain(made.next);
            texts.push(Arc::new(self.texts(page.view, collection, numbers)));
        }
        if uses.pages {
            let pages = || self.site.pages.iter().filter(|other| other.view == page.view);
            texts.push(own.pages.get_or_init(|| Arc::new(self.titles(pages()))).clone());
        }
        if uses.ancestors {
            texts.push(Arc::new(self.titles(self.site.pages.ancestors(page))));
        }
        texts.retain(|texts| !texts.is_empty());
        (!texts.is_empty()).then(|| OriginalTexts { language: &self.site.main().language, texts })
    }

    /// Returns the texts of entries that a language shows in the language of the site.
    fn texts(&self, view: usize, collection: &Collection, numbers: impl Iterator<Item = usize>) -> HashSet<String> {
        let order = self.site.pages.order();
        // One in another language than that of the site is marked with its own.
        let own = &self.site.main().language.tag;
        let is_original = |entry: &&Entry| {
            order.fallback(view, entry).is_some() && entry.outline.language.as_deref().is_none_or(|tag| tag == own)
        };
        let mut texts = HashSet::new();
        for entry in numbers.filter_map(|number| collection.nth(number)).filter(is_original) {
            texts.extend(entry.data.get("title").and_then(Node::text).and_then(|title| with_words(title, 2)));
            sentences(&entry.data, &mut texts);
        }
        texts
    }

    /// Returns the titles of pages that show an original.
    fn titles<'p>(&self, pages: impl Iterator<Item = &'p content::Page>) -> HashSet<String> {
        let own = self.site.main().language.tag.as_str();
        let titles = pages.filter(|page| self.site.fallback_language(page) == Some(own));
        titles.filter_map(|page| with_words(page.title.as_deref()?, 2)).collect()
    }
}

/// Collects the values that are more than a name: a word or two may be the same in both languages.
fn sentences(node: &Node, texts: &mut HashSet<String>) {
    match &node.value {
        Value::Text(text) => texts.extend(with_words(text, 3)),
        Value::List(items) => items.iter().for_each(|item| sentences(item, texts)),
        Value::Map(entries) => entries.iter().for_each(|(_, value)| sentences(value, texts)),
        _ => {}
    }
}

/// Returns a text as browsers show it, if it has so many words.
fn with_words(text: &str, at_least: usize) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (words.len() >= at_least).then(|| words.join(" "))
}
