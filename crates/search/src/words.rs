//! Words of texts and queries. `search.js` takes queries apart by the same rules.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

/// Longer ones are no words that anybody types: digests, encoded data.
const LONGEST: usize = 40;

/// Returns the words of a text in lower case, with their accents.
pub fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let is_part = |letter: char| letter.is_alphanumeric() || is_accent(letter);
    let words = text.split(move |letter| !is_part(letter)).filter(|word| !word.is_empty() && word.len() <= LONGEST * 4);
    words.map(|word| {
        let is_lower = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
    })
}

/// Combining diacritical marks of Latin, Greek and Cyrillic letters.
fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Scripts without spaces between words: kana and ideographs.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Returns a word as visitors may type it: without accents and ligatures. `word` is in lower case.
fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let plain = DecomposingNormalizerBorrowed::new_nfkd().normalize(word);
    let plain: String = plain.chars().filter(|letter| !is_accent(*letter)).collect();
    Cow::Owned(ComposingNormalizerBorrowed::new_nfc().normalize(&plain).replace('ß', "ss"))
}

/// Stems words of a language.
pub struct Stems(Option<Stemmer>);

impl Stems {
    /// The stems of a language by its primary tag. Words of a language without an algorithm are their own stems.
    pub fn of(language: &str) -> Self {
        let algorithm = match language {
            "ar" => Algorithm::Arabic,
            "da" => Algorithm::Danish,
            "de" => Algorithm::German,
            "el" => Algorithm::Greek,
            "en" => Algorithm::English,
            "es" => Algorithm::Spanish,
            "fi" => Algorithm::Finnish,
            "fr" => Algorithm::French,
            "hu" => Algorithm::Hungarian,
            "it" => Algorithm::Italian,
            "nb" | "nn" | "no" => Algorithm::Norwegian,
            "nl" => Algorithm::Dutch,
            "pt" => Algorithm::Portuguese,
            "ro" => Algorithm::Romanian,
            "ru" => Algorithm::Russian,
            "sv" => Algorithm::Swedish,
            "ta" => Algorithm::Tamil,
            "tr" => Algorithm::Turkish,
            _ => return Stems(None),
        };
        Stems(Some(Stemmer::create(algorithm)))
    }

    /// Returns what the index has of a word: forms as visitors type them, each with its stem. Most words have one form;
    /// a run of ideographs has each pair of neighbours.
    pub fn forms(&self, word: &str) -> Vec<(String, String)> {
        let plain = folded(word);
        let is_word = plain.chars().all(|letter| letter.is_alphanumeric() && !is_ideograph(letter));
        if is_word {
            if plain.is_empty() || plain.chars().count() > LONGEST {
                return Vec::new();
            }
            let stem = self.0.as_ref().map_or_else(|| plain.to_string(), |stemmer| stemmer.stem(word).into_owned());
            return vec![(plain.into_owned(), stem)];
        }
        let mut forms: Vec<String> = Vec::new();
        for part in plain.split(|letter: char| !letter.is_alphanumeric()) {
            let letters: Vec<char> = part.chars().collect();
            for run in letters.chunk_by(|one, other| is_ideograph(*one) == is_ideograph(*other)) {
                match is_ideograph(run[0]) && run.len() > 1 {
                    true => forms.extend(run.windows(2).map(|pair| pair.iter().collect::<String>())),
                    false => forms.push(run.iter().collect()),
                }
            }
        }
        forms.into_iter().map(|form| (form.clone(), form)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(language: &str, text: &str) -> Vec<String> {
        let stems = Stems::of(language);
        let forms = words(text).flat_map(|word| stems.forms(&word)).collect::<Vec<_>>();
        forms.into_iter().map(|(form, stem)| format!("{form}:{stem}")).collect()
    }

    #[test]
    fn words_have_the_stems_of_their_language() {
        assert_eq!(forms("en", "Loaves, baking; it's"), ["loaves:loav", "baking:bake", "it:it", "s:s"]);
        assert_eq!(forms("de", "Straße Häuser"), ["strasse:strass", "hauser:haus"]);
        assert_eq!(forms("fr", "Cafe\u{301}s"), ["cafes:cafe\u{301}"]);
        assert_eq!(forms("xx", "for_each 3ﬁ"), ["for:for", "each:each", "3fi:3fi"]);
    }

    #[test]
    fn ideographs_are_found_by_pairs_of_neighbours() {
        assert_eq!(forms("ja", "東京都AI"), ["東京:東京", "京都:京都", "ai:ai"]);
    }
}
