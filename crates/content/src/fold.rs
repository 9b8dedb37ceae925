//! Texts and dates as people compare them.

use icu_normalizer::DecomposingNormalizerBorrowed;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use sitegen_locale::order::Order;
use std::borrow::Cow;
use std::cmp::Ordering;

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

/// Compares two texts in the order of a language, or without letter case and accents if the language has none of its own.
pub fn compare(a: &str, b: &str, order: Option<Order>) -> Ordering {
    let ordering = match order {
        Some(order) => order.compare(a, b),
        None => folded(a).cmp(&folded(b)),
    };
    ordering.then_with(|| a.cmp(b))
}

/// Reads a day or a moment, like `2026-05-04` or `2026-05-04T23:00-05:00` (RFC 3339, and ISO 8601 where that allows less), with
/// what is written of its time and its distance from UTC. As Jekyll, Hugo and WordPress write them, there may be spaces between
/// the parts, and `UTC` for `Z`: `2026-05-04 23:00:00 +0100`.
pub fn date_parts(text: &str) -> Option<(Date, Option<Time>, Option<Offset>)> {
    let text = text.trim();
    let zone = |text: &str| text.starts_with(['+', '-']) && text.len() > 1 || matches!(text, "Z" | "z");
    let joined = match text.rsplit_once(' ') {
        Some((moment, "UTC" | "GMT")) => Cow::Owned(format!("{}Z", moment.trim_end())),
        Some((moment, offset)) if zone(offset) => Cow::Owned(format!("{}{offset}", moment.trim_end())),
        _ => Cow::Borrowed(text),
    };
    // The name of a zone says nothing without the rules of that zone.
    let pieces = Pieces::parse(&*joined).ok().filter(|pieces| pieces.time_zone_annotation().is_none())?;
    Some((pieces.date(), pieces.time(), pieces.to_numeric_offset()))
}

/// Returns a day or a moment, and its distance from UTC, which is nought where none is written.
pub fn moment(date: &str) -> Option<(DateTime, Offset)> {
    let (day, time, offset) = date_parts(date)?;
    // RFC 3339 has four digits for the year.
    let day = Some(day).filter(|day| day.year() >= 0)?;
    Some((DateTime::from_parts(day, time.unwrap_or(Time::midnight())), offset.unwrap_or(Offset::UTC)))
}

/// Returns the instant of a text that begins like `2026-05-04`, if it is a date.
pub fn date_of(text: &str) -> Option<Timestamp> {
    let begin = text.trim_start().as_bytes();
    let looks_like_date = begin.len() >= 10 && begin[0].is_ascii_digit() && begin[4] == b'-' && begin[7] == b'-';
    looks_like_date.then(|| instant(text)).flatten()
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

    #[test]
    fn dates_are_read_as_other_generators_write_them() {
        let utc = instant("2011-01-02T08:00:00Z").unwrap();
        for text in [
            "2011-01-02 09:00:00 +0100",
            "2011-01-02 09:00 +01:00",
            "2011-01-02T09:00:00+01:00",
            "2011-01-02 08:00:00 UTC",
            "2011-01-02 08:00:00 Z",
            "2011-01-02 03:00:00 -0500",
            " 2011-01-02 08:00 ",
        ] {
            assert_eq!(instant(text), Some(utc), "{text}");
        }
        for text in ["2011-01", "2 January 2011", "2011-01-02 09:00 CET", "2011-02-30", "2011-01-02 -"] {
            assert_eq!(instant(text), None, "{text}");
        }
    }
}
