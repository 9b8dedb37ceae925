//! Dates of content: reads them, compares them, and writes them in the words of a language.
//!
//! The names of months and days are those of CLDR 48.2 (`calendar.tsv`; Unicode License v3), and so are the lengths of dates
//! (`dates.tsv`: `dateFormats` of the Gregorian calendar in the letters of strftime). The build knows no time zones:
//! a date-time with an offset stays in that offset.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::Offset;
use sitegen_content::fold::date_parts;
use sitegen_locale::numbers::with_digits;
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
    /// Reads a date as [content](date_parts) has it.
    pub fn parse(text: &str) -> Option<Self> {
        date_parts(text).map(|(day, time, offset)| Moment { day, time, offset })
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

    /// Writes the date as a language writes one of a length, `full`, `long`, `medium` or `short`, or by the letters of strftime
    /// with the names of the language.
    ///
    /// # Errors
    ///
    /// Says what the format asks for and the date does not have, or that the names of the language are unknown.
    pub fn written(self, format: &str, language: &str) -> Result<String, String> {
        if let Some(length) = LENGTHS.iter().position(|length| *length == format) {
            let patterns = of_language(&PATTERNS, language).ok_or_else(|| {
                format!(
                    "how dates are written is not known for the language `{language}`; use letters, as in `%d.%m.%Y`"
                )
            })?;
            return self.written(patterns[length], language).map(|written| with_digits(&written, language));
        }
        self.check(format)?;
        let format = self.with_names(format, language)?;
        let mut parts = match self.time {
            Some(time) => BrokenDownTime::from(DateTime::from_parts(self.day, time)),
            None => BrokenDownTime::from(self.day),
        };
        parts.set_offset(self.offset);
        let written = parts.to_string(&format).map_err(|error| error.to_string());
        written.map_err(|error| error.replace("strftime formatting failed: ", ""))
    }

    /// Checks what the date lacks for a format, and what is no letter of one.
    fn check(self, format: &str) -> Result<(), String> {
        if !format.contains('%') {
            let written = of_other_languages(format);
            let written = written.map_or_else(String::new, |written| format!("; write `{written}`"));
            let lengths = "and is not `full`, `long`, `medium` or `short`";
            return Err(format!("the format `{format}` has no letters like `%d` {lengths}{written}"));
        }
        for (flags, letter) in letters(format) {
            let lacks = |what: &str| Err(format!("`%{flags}{letter}` needs {what}, but `{}` has none", self.day));
            match letter {
                'H' | 'I' | 'k' | 'l' | 'M' | 'S' | 'T' | 'R' | 'r' | 'X' | 'c' | 'f' | 'N' if self.time.is_none() => {
                    return lacks("a time");
                }
                'z' | 's' | 'Q' if self.offset.is_none() => return lacks("a time with an offset, like `+01:00`"),
                'Z' => return lacks("a time zone"),
                letter if LETTERS.contains(letter) => {}
                letter => {
                    let known = "`%d` is the day, `%B` the month, `%m` its number, `%Y` the year";
                    return Err(format!("`%{flags}{letter}` is not a valid format specifier; {known}"));
                }
            }
        }
        Ok(())
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
                    None => return Err(format!("`%{letter}` needs a time, but `{}` has none", self.day)),
                },
            };
            let names = of_language(&NAMES, language).ok_or_else(|| {
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

/// The letters that a format may have after `%` (jiff 0.2, `fmt::strtime`, conversion specifications).
const LETTERS: &str = "ABCDFGHIMNPRSTUVWXYZabcdefghjklmnpqrstuwxyz%";

/// Writes a format of PHP, Moment.js, Unicode or Go with the letters of strftime, as far as it is one.
fn of_other_languages(format: &str) -> Option<String> {
    // PHP has a letter for each part.
    const LETTERS: [(&str, &str); 10] = [
        ("Y", "%Y"),
        ("y", "%y"),
        ("F", "%B"),
        ("M", "%b"),
        ("m", "%m"),
        ("n", "%-m"),
        ("d", "%d"),
        ("j", "%-d"),
        ("l", "%A"),
        ("D", "%a"),
    ];
    const WORDS: [(&str, &str); 24] = [
        ("yyyy", "%Y"),
        ("YYYY", "%Y"),
        ("2006", "%Y"),
        ("yy", "%y"),
        ("YY", "%y"),
        ("06", "%y"),
        ("MMMM", "%B"),
        ("January", "%B"),
        ("MMM", "%b"),
        ("Jan", "%b"),
        ("MM", "%m"),
        ("01", "%m"),
        ("M", "%-m"),
        ("1", "%-m"),
        ("DD", "%d"),
        ("dd", "%d"),
        ("02", "%d"),
        ("D", "%-d"),
        ("d", "%-d"),
        ("2", "%-d"),
        ("EEEE", "%A"),
        ("dddd", "%A"),
        ("Monday", "%A"),
        ("Mon", "%a"),
    ];
    let has_letters = format.split(|letter: char| !letter.is_alphanumeric()).all(|word| word.len() <= 1);
    let words: &[(&str, &str)] = if has_letters { &LETTERS } else { &WORDS };
    let mut written = String::new();
    let mut rest = format;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if !word.is_empty() {
            written.push_str(words.iter().find(|(other, _)| *other == word)?.1);
        }
        let between = after.find(char::is_alphanumeric).unwrap_or(after.len());
        written.push_str(&after[..between]);
        rest = &after[between..];
    }
    written.contains('%').then_some(written)
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

/// The lengths of dates, in the order of their columns.
const LENGTHS: [&str; 4] = ["full", "long", "medium", "short"];

/// The dates of each length, in the letters of strftime.
static PATTERNS: LazyLock<BTreeMap<&'static str, [&'static str; 4]>> = LazyLock::new(|| {
    let rows = include_str!("dates.tsv").lines().flat_map(|line| {
        let mut cells = line.split('\t');
        let tags = cells.next().unwrap_or_default();
        let patterns = std::array::from_fn(|_| cells.next().unwrap_or_default());
        tags.split(' ').map(move |tag| (tag, patterns))
    });
    rows.collect()
});

/// Returns what a table has for a language, by its BCP 47 tag. `de-CH` has the row of `de` unless it has its own.
fn of_language<T: Copy>(table: &BTreeMap<&'static str, T>, language: &str) -> Option<T> {
    let mut tag = language.to_ascii_lowercase().replace('_', "-");
    loop {
        if let Some(found) = table.get(tag.as_str()) {
            return Some(*found);
        }
        let end = tag.rfind('-')?;
        tag.truncate(end);
    }
}

impl Names {
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
        assert_eq!(written("2025-01-05T15:04:00+02:00", "%s %z", "de"), "1736082240 +0200");
        for wrong in [("%H", "2025-01-05"), ("%p", "2025-01-05"), ("%:z", "2025-01-05 15:04"), ("%", "2025-01-05")] {
            assert!(written(wrong.1, wrong.0, "en").starts_with("error"), "{wrong:?}");
        }
        assert!(written("2025-01-05", "%B", "tlh").contains("`tlh`"));
        assert_eq!(written("2025-01-05", "%d.%m.%Y", "tlh"), "05.01.2025");
    }

    #[test]
    fn what_a_format_asks_for_in_vain_is_named() {
        for (format, expected) in [
            (
                "DD.MM.YYYY",
                "the format `DD.MM.YYYY` has no letters like `%d` and is not `full`, `long`, `medium` or `short`; write `%d.%m.%Y`",
            ),
            (
                "M j, Y",
                "the format `M j, Y` has no letters like `%d` and is not `full`, `long`, `medium` or `short`; write `%b %-d, %Y`",
            ),
            (
                "d/m/Y",
                "the format `d/m/Y` has no letters like `%d` and is not `full`, `long`, `medium` or `short`; write `%d/%m/%Y`",
            ),
            (
                "2 January 2006",
                "the format `2 January 2006` has no letters like `%d` and is not `full`, `long`, `medium` or `short`; write `%-d %B %Y`",
            ),
            ("longest", "the format `longest` has no letters like `%d` and is not `full`, `long`, `medium` or `short`"),
            ("%H:%M", "`%H` needs a time, but `2025-01-05` has none"),
            ("%:z", "`%:z` needs a time with an offset, like `+01:00`, but `2025-01-05` has none"),
            (
                "%K",
                "`%K` is not a valid format specifier; `%d` is the day, `%B` the month, `%m` its number, `%Y` the year",
            ),
        ] {
            assert_eq!(written("2025-01-05", format, "en"), format!("error: {expected}"), "{format}");
        }
        // All letters but those that need more than a moment with an offset.
        for letter in LETTERS.chars().filter(|letter| *letter != 'Z') {
            let written = written("2025-01-05T15:04:00+02:00", &format!("%{letter}"), "en");
            assert!(!written.starts_with("error"), "%{letter}: {written}");
        }
    }

    #[test]
    fn a_date_of_a_length_is_written_as_the_language_writes_it() {
        for (language, expected) in [
            ("en", "Sunday, January 5, 2025; January 5, 2025; Jan 5, 2025; 1/5/25"),
            ("en-GB", "Sunday, 5 January 2025; 5 January 2025; 5 Jan 2025; 05/01/2025"),
            ("de-AT", "Sonntag, 5. Jänner 2025; 5. Jänner 2025; 05.01.2025; 05.01.25"),
            ("pt-BR", "domingo, 5 de janeiro de 2025; 5 de janeiro de 2025; 5 de jan. de 2025; 05/01/2025"),
            ("ja", "2025年1月5日日曜日; 2025年1月5日; 2025/01/05; 2025/01/05"),
            ("zh-TW", "2025年1月5日 星期日; 2025年1月5日; 2025年1月5日; 2025/1/5"),
            ("bn", "রবিবার, ৫ জানুয়ারি, ২০২৫; ৫ জানুয়ারি, ২০২৫; ৫ জানু, ২০২৫; ৫/১/২৫"),
        ] {
            let all = LENGTHS.map(|length| written("2025-01-05", length, language)).join("; ");
            assert_eq!(all, expected, "{language}");
        }
        assert!(written("2025-01-05", "long", "tlh").contains("`tlh`"));
        // Every language with names has all lengths, and every pattern can be written.
        for language in NAMES.keys() {
            for length in LENGTHS {
                let written = written("2025-01-05T15:04:00+02:00", length, language);
                assert!(!written.is_empty() && !written.starts_with("error"), "{language} {length}: {written}");
            }
        }
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
