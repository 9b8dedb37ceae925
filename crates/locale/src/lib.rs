//! The rules of languages: plural forms, numbers, lists, the order of texts and the direction of writing.
//!
//! All of them are those of CLDR, as ICU4X has compiled them into the program, so that no build depends on the system. A
//! language is named by its BCP 47 tag, as `site.yaml` and pages write it. One that CLDR does not know has the rules of the
//! root, which are those of no language in particular.

pub mod direction;
pub mod lists;
pub mod names;
pub mod numbers;
pub mod order;
pub mod plurals;
pub mod scripts;

use icu_locale::{Locale, LocaleCanonicalizer};

/// Returns the first part of a language tag: `en` of `en-GB`.
pub fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Returns the locale of a language tag, by the code that CLDR has for the language: `fa-AF` for `prs`. One that cannot be read is that
/// of no language.
fn locale(tag: &str) -> Locale {
    let mut locale = Locale::try_from_str(&tag.replace('_', "-")).unwrap_or(Locale::UNKNOWN);
    LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
    locale
}
