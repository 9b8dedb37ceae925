//! The scripts of letters and of languages.

use super::locale;
use icu_locale::LocaleExpander;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, PropertyParser};

pub use icu_properties::props::Script;

/// Returns the script of a letter or a digit. Signs, accents and the digits of Latin have none: they are the same in many scripts.
pub fn of_letter(letter: char) -> Option<Script> {
    // Other scripts share these digits of Arabic too, but none of Europe.
    if ('\u{660}'..='\u{669}').contains(&letter) {
        return Some(Script::Arabic);
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(letter);
    let script = CodePointMapData::<Script>::new().get(letter);
    let is_of_one = !matches!(script, Script::Common | Script::Inherited | Script::Unknown);
    let is_read = GeneralCategoryGroup::Letter.contains(category) || category == GeneralCategory::DecimalNumber;
    (is_read && is_of_one).then_some(script)
}

/// Returns the scripts that a language is written in: the one in its tag, or that which is likely for it.
pub fn of_language(language: &str) -> Vec<Script> {
    let mut id = locale(language).id;
    LocaleExpander::new_extended().maximize(&mut id);
    match id.script.as_ref().map(|script| script.as_str()) {
        None => Vec::new(),
        Some("Jpan") => vec![Script::Hiragana, Script::Katakana, Script::Han],
        Some("Kore") => vec![Script::Hangul],
        Some("Hans" | "Hant") => vec![Script::Han],
        Some(name) => PropertyParser::<Script>::new().get_strict(name).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_languages_have_scripts() {
        for (letter, expected) in [
            ('a', Some(Script::Latin)),
            ('ő', Some(Script::Latin)),
            ('ж', Some(Script::Cyrillic)),
            ('ب', Some(Script::Arabic)),
            ('日', Some(Script::Han)),
            ('7', None),
            ('٣', Some(Script::Arabic)),
            ('۳', Some(Script::Arabic)),
            ('३', Some(Script::Devanagari)),
            ('—', None),
            ('\u{301}', None),
            ('→', None),
            ('🙂', None),
            // The micro sign is a letter of no script.
            ('µ', None),
        ] {
            assert_eq!(of_letter(letter), expected, "{letter}");
        }
        assert_eq!(of_language("de-AT"), [Script::Latin]);
        assert_eq!(of_language("fa"), [Script::Arabic]);
        assert_eq!(of_language("sr"), [Script::Cyrillic]);
        assert_eq!(of_language("sr-Latn"), [Script::Latin]);
        assert_eq!(of_language("ja"), [Script::Hiragana, Script::Katakana, Script::Han]);
        assert_eq!(of_language("zh-TW"), [Script::Han]);
        assert!(of_language("x-tlh").is_empty());
    }
}
