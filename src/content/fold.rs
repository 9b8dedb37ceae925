//! Texts and dates as people compare them.

use icu_normalizer::DecomposingNormalizerBorrowed;
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use std::borrow::Cow;

/// Returns a text without letter case and accents: `Émile` sorts beside `Emil`, and `Cafe` is the same term as `Café`. Most
/// values that lists are sorted by are dates or ASCII.
pub fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        let has_capitals = text.bytes().any(|byte| byte.is_ascii_uppercase());
        return if has_capitals { Cow::Owned(text.to_ascii_lowercase()) } else { Cow::Borrowed(text) };
    }
    // Combining diacritical marks of Latin, Greek and Cyrillic letters.
    let is_accent = |letter: &char| ('\u{300}'..='\u{36f}').contains(letter);
    let plain: String =
        DecomposingNormalizerBorrowed::new_nfd().normalize(text).chars().filter(|letter| !is_accent(letter)).collect();
    Cow::Owned(plain.to_lowercase().replace('ß', "ss"))
}

/// Returns a day or a moment, like `2026-05-04` or `2026-05-04T23:00-05:00`, and its distance from UTC, which is nought where
/// none is written.
pub fn moment(date: &str) -> Option<(DateTime, Offset)> {
    let pieces = Pieces::parse(date.trim()).ok().filter(|pieces| pieces.time_zone_annotation().is_none())?;
    // RFC 3339 has four digits for the year.
    let day = Some(pieces.date()).filter(|day| day.year() >= 0)?;
    let moment = DateTime::from_parts(day, pieces.time().unwrap_or(Time::midnight()));
    Some((moment, pieces.to_numeric_offset().unwrap_or(Offset::UTC)))
}

/// Returns the instant of a day or a moment; a day begins at midnight in UTC.
pub fn instant(date: &str) -> Option<Timestamp> {
    let (moment, offset) = moment(date)?;
    offset.to_timestamp(moment).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_are_folded_and_other_letters_are_not() {
        for (text, expected) in
            [("Äbel", "abel"), ("E\u{301}mile", "emile"), ("Straße", "strasse"), ("C++", "c++"), ("Пиво", "пиво")]
        {
            assert_eq!(folded(text), expected);
        }
    }
}
