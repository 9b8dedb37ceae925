//! Lists in a sentence, as a language writes them: `a, b und c`.

use super::locale;
use icu_list::ListFormatter;
use icu_list::options::{ListFormatterOptions, ListLength};
use writeable::Writeable;

/// Joins texts as a language does in a sentence.
pub fn and(items: &[String], language: &str) -> String {
    let options = ListFormatterOptions::default().with_length(ListLength::Wide);
    let formatter = ListFormatter::try_new_and(locale(language).into(), options);
    // Compiled data has every language, by falling back to the root.
    formatter
        .map_or_else(|_| items.join(", "), |formatter| formatter.format(items.iter()).write_to_string().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_are_those_of_the_language() {
        let items = ["Alba", "Bo", "Ida"].map(str::to_owned);
        for (language, expected) in [
            ("en", "Alba, Bo, and Ida"),
            ("en-GB", "Alba, Bo and Ida"),
            ("de", "Alba, Bo und Ida"),
            ("ja", "Alba、Bo、Ida"),
            ("ar", "Alba وBo وIda"),
            // Before the sound of an `i` it is `e`.
            ("es", "Alba, Bo e Ida"),
        ] {
            assert_eq!(and(&items, language), expected, "{language}");
        }
        assert_eq!(and(&items[..2], "de"), "Alba und Bo");
        assert_eq!((and(&items[..1], "de"), and(&[], "de")), ("Alba".into(), String::new()));
    }
}
