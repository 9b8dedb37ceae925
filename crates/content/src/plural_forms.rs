//! The plural forms of languages: their categories, and which of them a whole number has, as an expression for gettext.
//!
//! `plural_forms.mjs` writes the table from CLDR.

use super::texts::CATEGORIES;

const TABLE: &str = include_str!("plural_forms.tsv");

/// The forms of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluralForms {
    categories: Vec<&'static str>,
    expression: &'static str,
}

impl PluralForms {
    /// Returns those of a language, by its BCP 47 tag. One that the table does not have has those of English.
    pub fn of(tag: &str) -> Self {
        let parts: Vec<&str> = tag.split(['-', '_']).collect();
        let row = |tag: &str| {
            let is_row = |line: &&str| {
                let (languages, _) = line.split_once('\t').unwrap_or_default();
                languages.split(' ').any(|language| language.eq_ignore_ascii_case(tag))
            };
            TABLE.lines().find(is_row)
        };
        let found = (1..=parts.len()).rev().find_map(|count| row(&parts[..count].join("-"))).or_else(|| row("en"));
        let mut cells = found.unwrap_or_default().split('\t').skip(1);
        let named = cells.next().unwrap_or("other");
        let categories = CATEGORIES.into_iter().filter(|category| named.split(' ').any(|name| name == *category));
        PluralForms { categories: categories.collect(), expression: cells.next().unwrap_or("0") }
    }

    /// Returns the categories in the order of [`CATEGORIES`].
    pub fn categories(&self) -> &[&'static str] {
        &self.categories
    }

    /// Returns the value of the header `Plural-Forms` (GNU gettext, "Plural forms"). Its forms are the categories in their order;
    /// one that only fractions have is there too, and no whole number has its number.
    pub fn header(&self) -> String {
        format!("nplurals={}; plural={};", self.categories.len(), self.expression)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_forms() {
        for (tag, categories, start) in [
            ("de", "one other", "nplurals=2; plural=(n==1) ? 0 : 1;"),
            ("de-AT", "one other", "nplurals=2; "),
            ("ja", "other", "nplurals=1; plural=0;"),
            ("ar", "zero one two few many other", "nplurals=6; plural=(n==0) ? 0 : "),
            ("PL", "one few many other", "nplurals=4; "),
            ("pt-PT", "one many other", "nplurals=3; plural=(n==1) ? 0 : "),
            ("pt-BR", "one many other", "nplurals=3; plural=(n<=1) ? 0 : "),
            ("qxx", "one other", "nplurals=2; "),
        ] {
            let forms = PluralForms::of(tag);
            assert_eq!(forms.categories().join(" "), categories, "{tag}");
            assert!(forms.header().starts_with(start), "{tag}: {}", forms.header());
        }
    }
}
