//! The direction in which a language is written.

use super::locale;
use icu_locale::{Direction, LocaleDirectionality};

/// Whether a language is written from right to left: by the script in its tag, or else by the script that is likely for it
/// (CLDR, `likelySubtags` and `scriptMetadata`).
pub fn is_right_to_left(language: &str) -> bool {
    LocaleDirectionality::new_extended().get(&locale(language).id) == Some(Direction::RightToLeft)
}

/// Returns the value of the attribute `dir` for a language.
pub fn direction(language: &str) -> &'static str {
    if is_right_to_left(language) { "rtl" } else { "ltr" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_decides() {
        for language in [
            "ar", "he", "fa", "ur", "ps", "sd", "ug", "ckb", "yi", "dv", "ar-EG", "AR_eg", "az-Arab", "uz-AF", "pa-PK",
            "ku-Arab", "prs", "pes", "pnb", "arb", "ara", "heb", "ydd", "iw",
        ] {
            assert!(is_right_to_left(language), "{language}");
        }
        for language in ["en", "de", "ja", "tr", "az", "uz", "pa", "ku", "ar-Latn", "he-Latn", "", "x-tlh", "not a tag"]
        {
            assert!(!is_right_to_left(language), "{language}");
        }
        assert_eq!((direction("he"), direction("hi")), ("rtl", "ltr"));
    }
}
