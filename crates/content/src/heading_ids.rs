//! Ids of headings, made of their texts.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use serde::Deserialize;
use sitegen_core::paths::{composed, is_mark};

/// How the id of a heading is made of its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ids {
    /// Words joined by one `-`.
    #[default]
    Words,
    /// As GitHub, Hugo, Jekyll, Docusaurus, Starlight and mdBook do: every space is a `-`, and punctuation is left out.
    GitHub,
}

impl Ids {
    /// Returns the id of a heading with a text. `written`: the text before its punctuation is made typographic.
    pub fn of(self, title: &str, written: &str) -> String {
        match self {
            Ids::Words => slug(title),
            Ids::GitHub => github_slug(written),
        }
    }
}

/// Returns the id that GitHub gives a heading: letters, marks, decimal digits, connectors such as `_`, and `-`, in lower case, with a
/// `-` for each space.
fn github_slug(written: &str) -> String {
    let is_kept = |letter: char| match letter {
        '-' | '_' => true,
        letter if letter.is_ascii() => letter.is_ascii_alphanumeric(),
        letter => letter.is_alphabetic() || is_word_part(letter),
    };
    let letters = composed(written).to_lowercase();
    letters
        .chars()
        .filter_map(|letter| if letter == ' ' { Some('-') } else { is_kept(letter).then_some(letter) })
        .collect()
}

/// Whether a character that is no letter is part of a word all the same.
fn is_word_part(letter: char) -> bool {
    matches!(
        CodePointMapData::<GeneralCategory>::new().get(letter),
        GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark
            | GeneralCategory::DecimalNumber
            | GeneralCategory::ConnectorPunctuation
    )
}

/// Returns the id of a heading: its letters, digits and marks in lower case, with one `-` for everything else between them. Text
/// that Unicode holds for the same has the same id.
pub fn slug(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for letter in composed(title).chars() {
        if letter.is_alphanumeric() || is_mark(letter) && slug.ends_with(|last| last != '-') {
            slug.extend(letter.to_lowercase());
        } else if !is_left_out(letter) && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Returns where the attributes at the end of a heading begin, as the parser finds them. `line`: up to their `}`.
fn attributes(line: &str) -> Option<usize> {
    let inner = line.strip_suffix('}')?;
    let start = inner.rfind(['{', '}', '<', '>', '\\'])?;
    inner[start..].starts_with('{').then_some(start)
}

/// Returns the words in braces at the end of the text of a heading.
pub(crate) fn attribute_words(heading: &str) -> impl Iterator<Item = &str> {
    let heading = heading.trim_end();
    let words = attributes(heading).map_or("", |start| &heading[start + 1..heading.len() - 1]);
    // Kramdown and Python-Markdown write `{: #prices }`.
    words.split_ascii_whitespace().enumerate().filter(|(index, word)| *index > 0 || *word != ":").map(|(_, word)| word)
}

/// Whether a word in braces gives a heading an id or a class.
pub(crate) fn is_id_or_class(word: &str) -> bool {
    word.len() > 1 && word.starts_with(['#', '.'])
}

/// Returns the braces at the end of a heading that the parser would take for attributes, and that are text: they have neither an id nor
/// a class in them, or a backslash before them.
pub fn text_in_braces(heading: &str) -> Option<&str> {
    let heading = heading.trim_end();
    let start = attributes(heading)?;
    let is_meant = !heading[..start].ends_with('\\') && attribute_words(heading).any(is_id_or_class);
    (!is_meant).then(|| &heading[start..])
}

/// Apostrophes, and what joins and separates the glyphs of one word.
fn is_left_out(letter: char) -> bool {
    matches!(letter, '’' | '\'' | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_github_are_those_of_its_slugger() {
        // Of github-slugger 2.0.0.
        for (written, id) in [
            ("--flag", "--flag"),
            ("Foo -- bar", "foo----bar"),
            ("A --- b...", "a-----b"),
            ("x² ½ ①", "x--"),
            ("Ⅷ and Ⓐ", "ⅷ-and-ⓐ"),
            ("a_b-c‿d", "a_b-c‿d"),
            ("It's \"so\" – it’s", "its-so--its"),
            ("ΟΔΟΣ İ", "οδος-i̇"),
            (":tada: ٣ 🎉 ❤\u{fe0f}", "tada-٣--\u{fe0f}"),
            ("Step 1\u{fe0f}\u{20e3}", "step-1\u{fe0f}\u{20e3}"),
            ("tab\there", "tabhere"),
        ] {
            assert_eq!(Ids::GitHub.of("", written), id, "{written}");
        }
    }

    #[test]
    fn ids_keep_the_marks_of_every_script() {
        for (title, id) in [
            ("मंत्र", "मंत्र"),
            ("ต้องการ การ์ด", "ต้องการ-การ์ด"),
            ("Größe", "größe"),
            ("Gro\u{308}ße", "größe"),
            ("বাংলা ভাষা", "বাংলা-ভাষা"),
            ("ශ්\u{200d}රී", "ශ්රී"),
            ("می\u{200c}شود", "میشود"),
            ("עִבְרִית", "עִבְרִית"),
            ("❤\u{fe0f} Love ❤\u{fe0f} it", "love-it"),
            ("Step 1\u{fe0f}\u{20e3}", "step-1"),
            ("Don’t – stop!", "dont-stop"),
            ("\u{301} Accent alone", "accent-alone"),
        ] {
            assert_eq!(slug(title), composed(id), "{title}");
        }
    }
}
