//! Dates of content: reads them, compares them, and writes them in the words of a language.
//!
//! The names of months and days are those of CLDR 48.2 (`calendar.tsv`; Unicode License v3). The build knows no time zones:
//! a date-time with an offset stays in that offset.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A date of content: a day, or a moment of it, with or without an offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    day: Date,
    time: Option<Time>,
    offset: Option<Offset>,
}

impl Moment {
    /// Reads `2025-01-31`, `2025-01-31 10:00` or `2025-01-31T10:00:00+02:00` (RFC 3339, and ISO 8601 where that allows less).
    pub fn parse(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        // The name of a zone says nothing without the rules of that zone.
        if pieces.time_zone_annotation().is_some() {
            return None;
        }
        Some(Moment { day: pieces.date(), time: pieces.time(), offset: pieces.to_numeric_offset() })
    }

    /// Returns the moment that is so many seconds after the beginning of 1970, in UTC.
    pub fn of_seconds(seconds: i64) -> Option<Self> {
        let moment = Offset::UTC.to_datetime(Timestamp::from_second(seconds).ok()?);
        Some(Moment { day: moment.date(), time: Some(moment.time()), offset: Some(Offset::UTC) })
    }

    /// Returns what dates are compared by. A day begins at midnight; what has no offset counts as UTC.
    pub fn instant(self) -> Option<Timestamp> {
        let moment = DateTime::from_parts(self.day, self.time.unwrap_or_default());
        self.offset.unwrap_or(Offset::UTC).to_timestamp(moment).ok()
    }

    /// Writes the date by the letters of strftime, with the names of a language.
    ///
    /// # Errors
    ///
    /// Says what the format asks for and the date does not have, or that the names of the language are unknown.
    pub fn written(self, format: &str, language: &str) -> Result<String, String> {
        let format = self.with_names(format, language)?;
        let mut parts = match self.time {
            Some(time) => BrokenDownTime::from(DateTime::from_parts(self.day, time)),
            None => BrokenDownTime::from(self.day),
        };
        parts.set_offset(self.offset);
        parts.to_string(&format).map_err(|error| error.to_string())
    }

    /// Replaces the letters that stand for names.
    fn with_names(self, format: &str, language: &str) -> Result<String, String> {
        let mut written = String::with_capacity(format.len());
        let has_day = letters(format).any(|(_, letter)| matches!(letter, 'd' | 'e'));
        let mut rest = format;
        while let Some((before, flags, letter, after)) = next_letter(rest) {
            written.push_str(before);
            rest = after;
            let Some(kind) = Kind::of(letter, has_day) else {
                written.push('%');
                written.push_str(flags);
                written.push(letter);
                continue;
            };
            let number = match kind {
                Kind::Month | Kind::MonthAlone | Kind::ShortMonth | Kind::ShortMonthAlone => self.day.month() - 1,
                Kind::Day | Kind::ShortDay => self.day.weekday().to_monday_zero_offset(),
                Kind::HalfOfDay => match self.time {
                    Some(time) => i8::from(time.hour() >= 12),
                    None => return Err(format!("`%{letter}` needs a time, and `{}` has none", self.day)),
                },
            };
            let names = Names::of(language).ok_or_else(|| {
                format!(
                    "the names of months and days are not known for the language `{language}`; use numbers, as in \
                     `%d.%m.%Y`, or another `locale`"
                )
            })?;
            let name = names.get(kind, number);
            let name = match (letter, flags.contains('^'), flags.contains('#')) {
                ('P', ..) | ('p', _, true) => name.to_lowercase(),
                (_, true, _) | (_, _, true) => name.to_uppercase(),
                _ => name.to_owned(),
            };
            let width = flags.trim_start_matches(|flag: char| !matches!(flag, '1'..='9')).parse().unwrap_or(0).min(100);
            written.push_str(&format!("{name:>width$}").replace('%', "%%"));
        }
        written.push_str(rest);
        Ok(written)
    }
}

/// Returns the letters of a format, each with its flags.
fn letters(format: &str) -> impl Iterator<Item = (&str, char)> {
    let mut rest = format;
    std::iter::from_fn(move || {
        let (_, flags, letter, after) = next_letter(rest)?;
        rest = after;
        Some((flags, letter))
    })
}

/// Splits a format at its first `%`: what is before, the flags and the width, the letter, and the rest.
fn next_letter(format: &str) -> Option<(&str, &str, char, &str)> {
    let (before, after) = format.split_once('%')?;
    let flags = after.find(|letter: char| !"-_0^#:.123456789".contains(letter))?;
    let letter = after[flags..].chars().next()?;
    Some((before, &after[..flags], letter, &after[flags + letter.len_utf8()..]))
}

/// The kinds of names, in the order of their columns.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Month,
    MonthAlone,
    ShortMonth,
    ShortMonthAlone,
    Day,
    ShortDay,
    HalfOfDay,
}

impl Kind {
    /// Returns the kind of name that a letter stands for. Beside a day many languages inflect the month: `1 января 2025`,
    /// but `январь 2025` (CLDR, "format" and "stand-alone").
    fn of(letter: char, has_day: bool) -> Option<Self> {
        Some(match (letter, has_day) {
            ('B', true) => Kind::Month,
            ('B', false) => Kind::MonthAlone,
            ('b' | 'h', true) => Kind::ShortMonth,
            ('b' | 'h', false) => Kind::ShortMonthAlone,
            ('A', _) => Kind::Day,
            ('a', _) => Kind::ShortDay,
            ('p' | 'P', _) => Kind::HalfOfDay,
            _ => return None,
        })
    }
}

/// The names of a language. A column that is empty is the same as the one before it.
#[derive(Clone, Copy, Debug)]
struct Names([&'static str; 7]);

static NAMES: LazyLock<BTreeMap<&'static str, Names>> = LazyLock::new(|| {
    let rows = include_str!("calendar.tsv").lines().flat_map(|line| {
        let mut cells = line.split('\t');
        let tags = cells.next().unwrap_or_default();
        let names = Names(std::array::from_fn(|_| cells.next().unwrap_or_default()));
        tags.split(' ').map(move |tag| (tag, names))
    });
    rows.collect()
});

impl Names {
    /// Returns the names of a language, by its BCP 47 tag. `de-CH` has those of `de`.
    fn of(language: &str) -> Option<Self> {
        let mut tag = language.to_ascii_lowercase().replace('_', "-");
        loop {
            if let Some(names) = NAMES.get(tag.as_str()) {
                return Some(*names);
            }
            let end = tag.rfind('-')?;
            tag.truncate(end);
        }
    }

    fn get(&self, kind: Kind, number: i8) -> &'static str {
        let column = kind as usize;
        let names = if self.0[column].is_empty() { self.0[column - 1] } else { self.0[column] };
        names.split('|').nth(usize::try_from(number).unwrap_or_default()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(date: &str, format: &str, language: &str) -> String {
        Moment::parse(date).expect(date).written(format, language).unwrap_or_else(|error| format!("error: {error}"))
    }

    #[test]
    fn months_and_days_have_the_names_of_the_language() {
        for (language, expected) in [
            ("en", "Friday, 31 January 2025; Jan; Fri"),
            ("en-GB", "Friday, 31 January 2025; Jan; Fri"),
            ("de", "Freitag, 31 Januar 2025; Jan.; Fr."),
            ("de-AT", "Freitag, 31 Jänner 2025; Jän.; Fr."),
            ("DE_ch", "Freitag, 31 Januar 2025; Jan.; Fr."),
            ("fr", "vendredi, 31 janvier 2025; janv.; ven."),
            ("ru", "пятница, 31 января 2025; янв.; пт"),
            ("pl", "piątek, 31 stycznia 2025; sty; pt."),
            ("el", "Παρασκευή, 31 Ιανουαρίου 2025; Ιαν; Παρ"),
            ("ja", "金曜日, 31 1月 2025; 1月; 金"),
            ("zh-TW", "星期五, 31 1月 2025; 1月; 週五"),
            ("no", "fredag, 31 januar 2025; jan.; fre."),
        ] {
            assert_eq!(written("2025-01-31", "%A, %-d %B %Y; %b; %a", language), expected, "{language}");
        }
    }

    #[test]
    fn a_month_beside_no_day_stands_alone() {
        assert_eq!(written("2025-05-01", "%B %Y", "ru"), "май 2025");
        assert_eq!(written("2025-05-01", "%-d %B %Y", "ru"), "1 мая 2025");
        assert_eq!(written("2025-05-01", "%B", "cs"), "květen");
        assert_eq!(written("2025-05-01", "100 %% %B", "fi"), "100 % toukokuu");
    }

    #[test]
    fn flags_and_numbers_are_those_of_strftime() {
        assert_eq!(written("2025-01-05", "%d.%m.%y %-d %_d|%^b|%10A", "de"), "05.01.25 5  5|JAN.|   Sonntag");
        assert_eq!(written("2025-01-05 15:04", "%H:%M %I %p %P", "en"), "15:04 03 PM pm");
        assert_eq!(written("2025-01-05T15:04:00+02:00", "%Y-%m-%dT%H:%M:%S%:z", "de"), "2025-01-05T15:04:00+02:00");
        assert_eq!(Moment::of_seconds(0).unwrap().written("%Y-%m-%d %H:%M", "en").unwrap(), "1970-01-01 00:00");
        for wrong in [("%H", "2025-01-05"), ("%p", "2025-01-05"), ("%:z", "2025-01-05 15:04"), ("%", "2025-01-05")] {
            assert!(written(wrong.1, wrong.0, "en").starts_with("error"), "{wrong:?}");
        }
        assert!(written("2025-01-05", "%B", "tlh").contains("`tlh`"));
        assert_eq!(written("2025-01-05", "%d.%m.%Y", "tlh"), "05.01.2025");
    }

    #[test]
    fn dates_are_days_or_moments() {
        for wrong in ["31.12.2025", "2025-02-30", "", "soon", "2025-01-31T10:00:00+01:00[Europe/Berlin]", "10:00"] {
            assert_eq!(Moment::parse(wrong), None, "{wrong}");
        }
        let instant = |text: &str| Moment::parse(text).unwrap().instant().unwrap();
        assert_eq!(instant("2025-01-31"), instant("2025-01-31T02:00:00+02:00"));
        assert!(instant("2025-01-31") < instant("2025-01-31 00:01"));
    }

    #[test]
    fn every_row_of_the_table_is_complete_and_no_language_has_two() {
        let mut tags = Vec::new();
        for line in include_str!("calendar.tsv").lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let counts: Vec<usize> = cells[1..].iter().map(|cell| cell.split('|').count()).collect();
            let is_complete = |count: usize, wanted: usize| count == wanted || count == 1;
            assert_eq!((counts[0], counts[2], counts[4], counts[5], counts[6]), (12, 12, 7, 7, 2), "{line}");
            assert!(is_complete(counts[1], 12) && is_complete(counts[3], 12) && counts.len() == 7, "{line}");
            tags.extend(cells[0].split(' '));
        }
        let count = tags.len();
        tags.sort_unstable();
        tags.dedup();
        assert!(count > 300 && tags.len() == count);
    }
}
