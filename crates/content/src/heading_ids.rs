//! Ids of headings, made of their texts.

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
    /// Returns the id of a heading with a text.
    pub fn of(self, title: &str) -> String {
        if self == Ids::Words {
            return slug(title);
        }
        let mut id = String::with_capacity(title.len());
        for letter in composed(title).chars() {
            if letter.is_alphanumeric() || matches!(letter, '_' | '-') || is_mark(letter) {
                id.extend(letter.to_lowercase());
            } else if letter == ' ' {
                id.push('-');
            }
        }
        id
    }
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

/// Apostrophes, and what joins and separates the glyphs of one word.
fn is_left_out(letter: char) -> bool {
    matches!(letter, '’' | '\'' | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

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
