//! Which codes of languages there are, and what is meant by other words.

use super::locale;
use icu_locale::subtags::Language;
use icu_locale::{LanguageIdentifier, LocaleExpander, TransformResult};

/// Codes of languages with what these are called in English and in themselves (CLDR 48, `localeDisplayNames`).
const NAMES: [(&str, &str, &str); 36] = [
    ("ar", "Arabic", "العربية"),
    ("bg", "Bulgarian", "Български"),
    ("bn", "Bangla", "বাংলা"),
    ("ca", "Catalan", "Català"),
    ("cs", "Czech", "Čeština"),
    ("da", "Danish", "Dansk"),
    ("de", "German", "Deutsch"),
    ("el", "Greek", "Ελληνικά"),
    ("en", "English", "English"),
    ("es", "Spanish", "Español"),
    ("et", "Estonian", "Eesti"),
    ("fa", "Persian", "فارسی"),
    ("fi", "Finnish", "Suomi"),
    ("fr", "French", "Français"),
    ("he", "Hebrew", "עברית"),
    ("hi", "Hindi", "हिन्दी"),
    ("hr", "Croatian", "Hrvatski"),
    ("hu", "Hungarian", "Magyar"),
    ("id", "Indonesian", "Indonesia"),
    ("it", "Italian", "Italiano"),
    ("ja", "Japanese", "日本語"),
    ("ko", "Korean", "한국어"),
    ("lt", "Lithuanian", "Lietuvių"),
    ("nb", "Norwegian Bokmål", "Norsk bokmål"),
    ("nl", "Dutch", "Nederlands"),
    ("pl", "Polish", "Polski"),
    ("pt", "Portuguese", "Português"),
    ("ro", "Romanian", "Română"),
    ("ru", "Russian", "Русский"),
    ("sk", "Slovak", "Slovenčina"),
    ("sl", "Slovenian", "Slovenščina"),
    ("sv", "Swedish", "Svenska"),
    ("tr", "Turkish", "Türkçe"),
    ("uk", "Ukrainian", "Українська"),
    ("vi", "Vietnamese", "Tiếng Việt"),
    ("zh", "Chinese", "中文"),
];

/// Returns what a language is called in itself, by its code.
pub fn of(code: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, ..)| *known == code).map(|(_, _, own)| *own)
}

/// Whether a tag begins with the code of a language. There are more of three letters than CLDR knows, so that of these only those
/// are refused in whose place a tag has two letters (RFC 5646, 2.2.1).
pub fn begins_with_code(tag: &str) -> bool {
    let Some(language) = language_of(tag) else { return false };
    match language.as_str().len() {
        2 => likely(LanguageIdentifier::from(language)).is_some() || canonical(language) != language,
        3 => canonical(language).as_str().len() != 2,
        _ => false,
    }
}

/// Returns the tag that is meant by a word that does not begin with the code of a language, and whether nothing else can be meant:
/// the name of a language, a code of three letters in the place of one of two, or the code of a country.
pub fn meant(written: &str) -> Option<(String, bool)> {
    let word = written.to_lowercase();
    let is_name =
        |(_, english, own): &&(&str, &str, &str)| english.to_lowercase() == word || own.to_lowercase() == word;
    if let Some((code, ..)) = NAMES.iter().find(is_name) {
        return Some(((*code).to_owned(), true));
    }
    let language = language_of(written)?;
    let rest = &written[language.as_str().len()..];
    let short = canonical(language);
    if language.as_str().len() == 3 && short.as_str().len() == 2 {
        return Some((format!("{short}{rest}"), true));
    }
    let of_country = likely(format!("und-{language}").parse().ok()?)?;
    Some((of_country.language.to_string(), false)).filter(|_| rest.is_empty())
}

fn language_of(tag: &str) -> Option<Language> {
    tag.split('-').next()?.parse().ok()
}

/// Returns what is likely for a part of a tag, if CLDR knows anything of that.
fn likely(mut part: LanguageIdentifier) -> Option<LanguageIdentifier> {
    (LocaleExpander::new_extended().maximize(&mut part) == TransformResult::Modified).then_some(part)
}

/// Returns the code in whose place another one is now.
fn canonical(language: Language) -> Language {
    locale(language.as_str()).id.language
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_languages_are_known() {
        for tag in [
            "de",
            "DE",
            "de-AT",
            "zh-Hant-TW",
            "nb",
            "no",
            "tl",
            "iw",
            "sh",
            "tw",
            "br",
            "se",
            "la",
            "eo",
            "tlh",
            "gsw",
            "nds",
            "hsb",
            "ckb",
            "mul",
            "qaa",
            "aaq",
        ] {
            assert!(begins_with_code(tag), "{tag}");
        }
        for (written, expected) in [
            ("german", Some(("de", true))),
            ("Deutsch", Some(("de", true))),
            ("English", Some(("en", true))),
            ("العربية", Some(("ar", true))),
            ("deu", Some(("de", true))),
            ("ger-AT", Some(("de-AT", true))),
            ("eng", Some(("en", true))),
            ("jp", Some(("ja", false))),
            ("CZ", Some(("cs", false))),
            ("cn", Some(("zh", false))),
            ("gr", Some(("el", false))),
            ("at", Some(("de", false))),
            ("jp-JP", None),
            ("xx", None),
            ("klingonic", None),
            ("", None),
            ("not a tag", None),
        ] {
            assert!(!begins_with_code(written), "{written}");
            let expected = expected.map(|(tag, is_certain)| (tag.to_owned(), is_certain));
            assert_eq!(meant(written), expected, "{written}");
        }
    }
}
