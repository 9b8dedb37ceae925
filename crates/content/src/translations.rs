//! Pages that say the same in different languages.

use super::plan::Placed;
use sitegen_core::paths::{Route, SourcePath};
use std::collections::HashMap;

/// Which page is which in another language, by the numbers of pages in the order of their routes.
#[derive(Debug, Default)]
pub struct Translations {
    /// For each page the number of its group. Empty for a site with one language.
    groups_of: Vec<usize>,
    /// For each group the page of each language.
    groups: Vec<Vec<Option<usize>>>,
    /// The routes of pages.
    routes: Vec<Route>,
}

/// What is the same for a page in all languages: the path of its file without a language, the name of its entry likewise, its term,
/// and the number of the page in a list.
#[derive(PartialEq, Eq, Hash)]
struct TranslationKey {
    path: SourcePath,
    entry: Option<SourcePath>,
    term: Option<(String, String, String)>,
    number: Option<usize>,
}

impl Translations {
    /// Groups pages, which come in the order of their routes, each with the number of its language.
    pub(super) fn of<'a>(pages: impl Iterator<Item = (usize, Placed<'a>)>, languages: usize) -> Self {
        let mut translations = Translations::default();
        let mut known: HashMap<TranslationKey, usize> = HashMap::new();
        for (number, (view, page)) in pages.enumerate() {
            let own =
                |(collection, key, slug): (&str, &str, &str)| (collection.to_owned(), key.to_owned(), slug.to_owned());
            let key = TranslationKey {
                path: page.path.key(),
                entry: page.entry.map(SourcePath::key),
                term: page.term.map(own),
                number: page.number,
            };
            let next = translations.groups.len();
            let group = *known.entry(key).or_insert(next);
            if group == next {
                translations.groups.push(vec![None; languages]);
            }
            translations.groups[group][view].get_or_insert(number);
            translations.groups_of.push(group);
            translations.routes.push(page.route.clone());
        }
        translations
    }

    /// Returns the route of a page.
    pub fn route(&self, number: usize) -> Option<&Route> {
        self.routes.get(number)
    }

    /// Returns for each language the number of the page that says the same as a page. Empty for a site with one language.
    pub fn of_page(&self, number: usize) -> &[Option<usize>] {
        self.groups_of.get(number).map_or(&[], |group| &self.groups[*group])
    }
}
