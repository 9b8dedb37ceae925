//! Plural forms: which a language has, which a number takes, and what is wrong with the forms of a text.

use super::locale;
use super::numbers::Number;
use icu_locale::Locale;
use icu_plurals::{PluralCategory, PluralRules};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The categories of CLDR, in its order. A language has some of them, and always `other`.
pub const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// What stands for the number in a plural form.
pub const COUNT: &str = "{count}";

/// How many integers, from zero, are tried for their forms. No rule of CLDR distinguishes larger ones but
/// by their last digits and by multiples of a million.
const LOOKED_AT: u32 = 1_200;
/// Numbers beside these that have a form of their own in some language: multiples of a million in Romance languages, and fractions.
const OTHERS: [&str; 8] = ["1000000", "2000000", "0.5", "1.5", "0.0", "1.0", "2.0", "10.5"];

/// The plural forms of a language.
pub struct Plurals {
    language: String,
    rules: PluralRules,
    known: Arc<Known>,
}

/// What follows from the rules of a language, and takes many numbers to find.
struct Known {
    /// The categories that it has.
    categories: Vec<&'static str>,
    /// Those of one whole number.
    single: Vec<&'static str>,
}

/// Something that is wrong with the forms of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluralMistake {
    /// The language has a form that the text lacks.
    Missing {
        /// The form.
        category: &'static str,
        /// Numbers that take it.
        examples: Vec<String>,
    },
    /// The text has a form that the language lacks.
    Foreign {
        /// The form.
        category: String,
        /// Those that the language has.
        known: Vec<&'static str>,
    },
    /// A form does not name the number, and stands for several.
    WithoutCount {
        /// The form.
        category: String,
        /// Numbers that take it.
        examples: Vec<String>,
    },
}

impl Plurals {
    /// Returns the forms of a language.
    pub fn of(language: &str) -> Self {
        // They do not depend on the script, and CLDR would fall back from one that is unusual to the root.
        let mut locale = locale(language);
        locale.id.script = None;
        let rules = PluralRules::try_new_cardinal(locale.into());
        // Compiled data has every language, by falling back to the root.
        let rules = rules.or_else(|_| PluralRules::try_new_cardinal(Locale::UNKNOWN.into()));
        let rules = rules.expect("the compiled data has the root");
        static KNOWN: RwLock<BTreeMap<String, Arc<Known>>> = RwLock::new(BTreeMap::new());
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(language).cloned();
        let known = known.unwrap_or_else(|| {
            let known = Arc::new(Known::of(&rules));
            KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(language.to_owned(), known.clone());
            known
        });
        Plurals { language: language.to_owned(), rules, known }
    }

    /// Returns the categories that the language has, `other` as the last.
    pub fn categories(&self) -> &[&'static str] {
        &self.known.categories
    }

    /// Returns the category that a number takes.
    pub fn category(&self, number: &Number) -> &'static str {
        name(self.rules.category_for(&number.0))
    }

    /// Returns the first numbers that take a category: whole ones, or if there are none, fractions.
    pub fn examples(&self, category: &str) -> Vec<String> {
        const MANY: usize = 4;
        let whole = (0..LOOKED_AT).filter(|number| self.category_of(*number) == category);
        let whole: Vec<String> = whole.take(MANY).map(|number| self.written(&number.to_string())).collect();
        let others =
            || OTHERS.iter().filter(|number| Number::parse(number).is_some_and(|it| self.category(&it) == category));
        if whole.is_empty() { others().take(MANY).map(|number| self.written(number)).collect() } else { whole }
    }

    /// Whether only one whole number takes a category, so that its text may do without the number: `one post`. A fraction
    /// may take it too: see [`Plurals::text`].
    pub fn is_of_one_number(&self, category: &str) -> bool {
        self.known.single.contains(&category)
    }

    /// Returns everything that is wrong with the forms of a text, given as pairs of a category and its text.
    pub fn mistakes(&self, forms: &[(&str, &str)]) -> Vec<PluralMistake> {
        let known = self.categories();
        let has = |category: &str| forms.iter().any(|(other, _)| *other == category);
        let foreign = forms.iter().filter(|(category, _)| !known.contains(category));
        let foreign = foreign
            .map(|(category, _)| PluralMistake::Foreign { category: (*category).to_owned(), known: known.to_vec() });
        let missing = known.iter().filter(|category| !has(category));
        let missing = missing.map(|category| PluralMistake::Missing { category, examples: self.examples(category) });
        let silent = forms.iter().filter(|(category, text)| {
            known.contains(category) && !text.contains(COUNT) && !self.is_of_one_number(category)
        });
        let silent = silent.map(|(category, _)| PluralMistake::WithoutCount {
            category: (*category).to_owned(),
            examples: self.examples(category),
        });
        foreign.chain(missing).chain(silent).collect()
    }

    /// Writes the text for a number. The forms are without [mistakes](Plurals::mistakes).
    ///
    /// # Errors
    ///
    /// A text without the number stands for one whole number, and this is a fraction that takes the same form: in Danish
    /// `et brød` is one loaf, and 1.5 loaves are `1,5 brød`.
    pub fn text(&self, forms: &[(&str, &str)], number: &Number) -> Result<String, PluralMistake> {
        let category = self.category(number);
        let text = forms.iter().find(|(other, _)| *other == category).map(|(_, text)| *text);
        let Some(text) = text else {
            return Err(PluralMistake::Missing { category, examples: vec![number.written(&self.language)] });
        };
        let is_whole = || !number.0.to_string().contains('.');
        if !text.contains(COUNT) && !is_whole() {
            let examples = vec![number.written(&self.language)];
            return Err(PluralMistake::WithoutCount { category: category.to_owned(), examples });
        }
        Ok(text.replace(COUNT, &number.written(&self.language)))
    }

    fn category_of(&self, number: u32) -> &'static str {
        name(self.rules.category_for(number))
    }

    fn written(&self, number: &str) -> String {
        Number::parse(number).map(|number| number.written(&self.language)).unwrap_or_default()
    }
}

impl Known {
    fn of(rules: &PluralRules) -> Self {
        let has: Vec<&str> = rules.categories().map(name).collect();
        let categories: Vec<&str> = CATEGORIES.into_iter().filter(|category| has.contains(category)).collect();
        let mut numbers: Vec<&str> = (0..LOOKED_AT).map(|number| name(rules.category_for(number))).collect();
        numbers.extend(
            ["1000000", "2000000"].iter().filter_map(|it| Some(name(rules.category_for(&Number::parse(it)?.0)))),
        );
        let count = |category: &str| numbers.iter().filter(|other| **other == category).count();
        let single = categories.iter().copied().filter(|category| count(category) == 1).collect();
        Known { categories, single }
    }
}

fn name(category: PluralCategory) -> &'static str {
    match category {
        PluralCategory::Zero => "zero",
        PluralCategory::One => "one",
        PluralCategory::Two => "two",
        PluralCategory::Few => "few",
        PluralCategory::Many => "many",
        PluralCategory::Other => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(number: &str, language: &str) -> &'static str {
        Plurals::of(language).category(&Number::parse(number).expect(number))
    }

    #[test]
    fn languages_have_the_categories_of_cldr() {
        for (language, expected) in [
            ("en", "one other"),
            ("de-AT", "one other"),
            ("ja", "other"),
            ("sr-Latn", "one few other"),
            ("uz-Cyrl", "one other"),
            ("pa-Arab", "one other"),
            ("iw", "one two other"),
            ("tlh", "other"),
            ("pl", "one few many other"),
            ("cs", "one few many other"),
            ("sl", "one two few other"),
            ("fr", "one many other"),
            ("lv", "zero one other"),
            ("he", "one two other"),
            ("ar", "zero one two few many other"),
            ("cy", "zero one two few many other"),
        ] {
            assert_eq!(Plurals::of(language).categories().join(" "), expected, "{language}");
        }
    }

    #[test]
    fn numbers_take_the_form_of_the_language() {
        for (language, number, expected) in [
            ("ar", "0", "zero"),
            ("ar", "2", "two"),
            ("ar", "103", "few"),
            ("ar", "11", "many"),
            ("ar", "100", "other"),
            ("pl", "22", "few"),
            ("pl", "12", "many"),
            ("pl", "1.5", "other"),
            ("cs", "1.5", "many"),
            ("sl", "101", "one"),
            ("fr", "0", "one"),
            ("fr", "1.5", "one"),
            ("fr", "1000000", "many"),
            ("pt-BR", "0", "one"),
            ("pt-PT", "0", "other"),
            ("en", "1", "one"),
            ("en", "1.0", "other"),
            ("en", "-1", "one"),
        ] {
            assert_eq!(category(number, language), expected, "{number} in {language}");
        }
    }

    #[test]
    fn a_form_may_leave_out_the_number_only_where_it_is_of_one() {
        for (language, category, expected) in [
            ("en", "one", true),
            ("en", "other", false),
            ("fr", "one", false),
            ("ru", "one", false),
            ("sl", "one", false),
            ("cs", "one", true),
            ("ar", "zero", true),
            ("ar", "two", true),
            ("ar", "few", false),
            ("lv", "zero", false),
            ("fr", "many", false),
            ("cs", "many", false),
            ("ja", "other", false),
        ] {
            assert_eq!(Plurals::of(language).is_of_one_number(category), expected, "{category} in {language}");
        }
    }

    #[test]
    fn every_mistake_is_found_with_numbers_that_show_it() {
        let polish = Plurals::of("pl");
        let mistakes = polish.mistakes(&[
            ("one", "wpis"),
            ("two", "{count} wpisy"),
            ("many", "wpisów"),
            ("other", "{count} wpisu"),
        ]);
        let known = vec!["one", "few", "many", "other"];
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            mistakes,
            [
                PluralMistake::Foreign { category: "two".into(), known },
                PluralMistake::Missing { category: "few", examples: texts(&["2", "3", "4", "22"]) },
                PluralMistake::WithoutCount { category: "many".into(), examples: texts(&["0", "5", "6", "7"]) },
            ]
        );
        let of = |language: &str, category| Plurals::of(language).examples(category);
        assert_eq!(of("cs", "many"), texts(&["0,5", "1,5", "0,0", "1,0"]));
        assert_eq!(of("fr", "many"), texts(&["1\u{202f}000\u{202f}000", "2\u{202f}000\u{202f}000"]));
        assert!(Plurals::of("en").mistakes(&[("one", "One post"), ("other", "{count} posts")]).is_empty());
    }

    #[test]
    fn the_number_is_written_as_the_language_writes_it() {
        let forms = [("one", "ein Brot"), ("other", "{count} Brote, {count}!")];
        let text = |number: &str| Plurals::of("de").text(&forms, &Number::parse(number).unwrap());
        assert_eq!(text("1"), Ok("ein Brot".into()));
        assert_eq!(text("1234"), Ok("1.234 Brote, 1.234!".into()));
        let danish = [("one", "et brød"), ("other", "{count} brød")];
        let text = |number: &str| Plurals::of("da").text(&danish, &Number::parse(number).unwrap());
        assert_eq!(text("1"), Ok("et brød".into()));
        assert_eq!(
            text("1.5"),
            Err(PluralMistake::WithoutCount { category: "one".into(), examples: vec!["1,5".into()] })
        );
    }
}
