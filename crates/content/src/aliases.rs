//! The key `aliases` of pages and entries: addresses that lead to the page, as `redirects` in `site.yaml` do.

use super::address_keys::AddressKeys;
use super::collections::{Collection, Entry};
use super::languages::Language;
use super::options::Redirect;
use super::outlines::Order;
use super::plan::ChunkOutlines;
use super::schedule::State;
use super::typed::Spanned;
use sitegen_core::diagnostics::{Diagnostic, Place, SchemaProblem};
use sitegen_core::paths::{Route, SourcePath};
use std::collections::BTreeMap;

/// Returns the redirects of all aliases that a language has, in the order of their files. Those of pages that are left out today are
/// too. `view` is the number of the language: others than that of the site have the aliases of their translations alone.
pub fn all(
    chunks: &[ChunkOutlines],
    collections: &BTreeMap<String, Collection>,
    order: &Order,
    (view, language): (usize, &Language),
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Redirect> {
    let mut redirects = Vec::new();
    let mut add = |path: &SourcePath, keys: &AddressKeys, route: &Route| {
        if order.hidden.contains_key(route) || view > 0 && !language.has(path) {
            return;
        }
        for alias in &keys.aliases {
            let from = Spanned { value: alias.text.clone(), span: alias.span };
            redirects.push(Redirect::of_alias(path.clone(), from, route.as_str()));
        }
    };
    for outlines in chunks.iter().map(|chunk| &chunk.outlines) {
        let pages = outlines.pages.iter().filter(|page| page.made.is_none());
        let pages = pages.filter_map(|page| Some((page, page.outline.as_ref()?.address.as_ref()?)));
        // Of several pages with the same route, only one is there. The others are reported.
        pages.for_each(|(page, keys)| add(&page.path, keys, &page.route));
        for file in &outlines.sources {
            let Some(keys) = file.outline.address.as_ref().filter(|keys| !keys.aliases.is_empty()) else { continue };
            let is_each = file.outline.source.as_ref().is_some_and(|source| source.for_each.is_some());
            match order.routes_of(view).get(&file.path.key()).filter(|_| !is_each) {
                Some(route) => add(&file.path, keys, route),
                None => {
                    let reason = "this file makes several pages; write the aliases of each into its entry";
                    diagnostics.push(forbidden(&file.path, keys, reason));
                }
            }
        }
    }
    for entry in collections.values().flat_map(|collection| collection.chunks()).flat_map(|chunk| &chunk.entries) {
        let Some(keys) = entry.outline.address.as_ref().filter(|keys| !keys.aliases.is_empty()) else { continue };
        match order.routes_of(view).get(&entry.name().key()) {
            Some(route) => add(&entry.source, keys, route),
            None => diagnostics.extend(without_page(entry, keys)),
        }
    }
    redirects
}

/// Reports aliases of an entry that has no page to lead to. Other lists of words are for templates.
fn without_page(entry: &Entry, keys: &AddressKeys) -> Option<Diagnostic> {
    let is_meant = entry.state == State::Shown && keys.aliases.iter().any(|alias| alias.text.starts_with('/'));
    let reason = "aliases lead to the page of the entry, and a file with `for_each` makes pages of entries";
    is_meant.then(|| forbidden(&entry.source, keys, reason))
}

fn forbidden(path: &SourcePath, keys: &AddressKeys, reason: &str) -> Diagnostic {
    let problem = SchemaProblem::ForbiddenKey { key: "aliases".to_owned(), reason: Some(reason.to_owned()) };
    Diagnostic::new(problem, Place::new(path, keys.aliases_key))
}
