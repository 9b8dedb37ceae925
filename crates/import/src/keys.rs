//! Front matter of other generators in the keys of the engine.

use super::data::{self, Map, Value};
use jiff::civil::Date;

/// Keys that the engine sets itself or reads in its own way, so that a key of the old site with the name gets another one.
const TAKEN: [&str; 27] = [
    "route",
    "url",
    "source",
    "ancestors",
    "previous",
    "next",
    "slug",
    "expired",
    "content",
    "toc",
    "template",
    "for_each",
    "list",
    "feed",
    "feed_id",
    "publish",
    "expires",
    "updated",
    "noindex",
    "raw_html",
    "order",
    "language",
    "draft",
    "aliases",
    "path",
    "parent",
    "section",
];

/// Keys that every generator has under the same name.
const OWN: [&str; 4] = ["title", "description", "date", "draft"];

/// The day in a date or a time, as generators read them: `2015-05-15`, `2015-5-3 10:00`, `2015-05-15T10:00:00+02:00`.
pub fn day(text: &str) -> Option<Date> {
    let end =
        text.find(|letter: char| !letter.is_ascii_digit() && letter != '-' && letter != '/').unwrap_or(text.len());
    let mut parts = text[..end].split(['-', '/']).map(|part| part.parse::<i16>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Writes a date as the engine reads it: a day, or a time with its offset.
pub fn date(text: &str) -> Option<String> {
    let day = day(text.trim())?;
    let rest = text.trim().split_once(['T', 't', ' ']).map_or("", |(_, rest)| rest.trim());
    let clock = |part: &str| {
        let mut numbers = part.split(':').map(|number| number.parse::<u8>().ok());
        let (hour, minute) = (numbers.next()??, numbers.next()??);
        let second = numbers.next().map_or(Some(0), |second| second)?;
        (hour < 24 && minute < 60 && second < 60).then(|| format!("{hour:02}:{minute:02}:{second:02}"))
    };
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != ':').unwrap_or(rest.len());
    let mut zone = rest[end..].trim();
    if let Some(fraction) = zone.strip_prefix('.') {
        zone = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim();
    }
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let zone = match zone {
        "Z" | "z" | "UTC" => Some("Z".to_owned()),
        zone if zone.starts_with(['+', '-']) && digits.len() == 4 => {
            Some(format!("{}{}:{}", &zone[..1], &digits[..2], &digits[2..]))
        }
        _ => None,
    };
    match (clock(&rest[..end]), zone) {
        (Some(clock), Some(zone)) => Some(format!("{day}T{clock}{zone}")),
        _ => Some(day.to_string()),
    }
}

/// Whether a text with these keys, which are those of the engine, is not published on a day.
pub fn is_hidden(keys: &Map, today: Date) -> bool {
    let date = |key: &str| keys.get(key).and_then(Value::as_str).and_then(day);
    keys.get("draft").is_some_and(|draft| draft == true)
        || date("publish").is_some_and(|day| day > today)
        || date("expires").is_some_and(|day| day <= today)
}

/// Front matter while it is translated: what was taken is gone, what is left stays under its name.
pub struct Keys {
    old: Map,
    new: Map,
}

impl Keys {
    /// Begins with the keys of a file.
    pub fn new(old: Map) -> Self {
        Self { old, new: Map::new() }
    }

    /// Takes the first key that is there, whatever the case of its letters.
    pub fn take(&mut self, names: &[&str]) -> Option<Value> {
        let key = names.iter().find_map(|name| self.old.keys().find(|key| key.eq_ignore_ascii_case(name)).cloned())?;
        self.old.shift_remove(&key).filter(|value| !value.is_null() && value != "")
    }

    /// Takes a text.
    pub fn take_word(&mut self, names: &[&str]) -> Option<String> {
        self.take(names).as_ref().and_then(data::word_of)
    }

    /// Takes a text, or a list of them.
    pub fn take_words(&mut self, names: &[&str]) -> Vec<String> {
        self.take(names).as_ref().map(data::words).unwrap_or_default()
    }

    /// Takes `true` or `false`.
    pub fn take_bool(&mut self, names: &[&str]) -> Option<bool> {
        self.take(names).as_ref().and_then(data::truth)
    }

    /// Writes a key.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.new.insert(name.to_owned(), value.into());
    }

    /// Takes a date and writes it under its new name. Returns its day.
    pub fn set_date(&mut self, names: &[&str], new: &str, is_day: bool) -> Option<Date> {
        let text = self.take_word(names)?;
        let day = day(text.trim())?;
        self.set(new, if is_day { day.to_string() } else { date(&text)? });
        Some(day)
    }

    /// Takes a text and writes it under its new name.
    pub fn set_word(&mut self, names: &[&str], new: &str) {
        if let Some(word) = self.take_word(names) {
            self.set(new, word);
        }
    }

    /// Takes a list of terms.
    pub fn set_words(&mut self, names: &[&str], new: &str) -> Vec<String> {
        let mut words = self.take_words(names);
        let mut seen = std::collections::BTreeSet::new();
        words.retain(|word| seen.insert(word.clone()));
        if !words.is_empty() {
            self.set(new, words.clone());
        }
        words
    }

    /// Returns the translated keys, followed by those that stay as they were.
    pub fn finish(mut self) -> Map {
        for (key, value) in self.old {
            let lower = key.to_ascii_lowercase();
            let name = key.trim();
            let is_taken = TAKEN.contains(&lower.as_str()) || OWN.contains(&lower.as_str());
            let name = if is_taken { format!("old_{lower}") } else { name.replace(['.', ' '], "_") };
            if value.is_null() || name.is_empty() || self.new.contains_key(&name) {
                continue;
            }
            self.new.insert(name, value);
        }
        self.new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_generators_are_read() {
        for (old, new) in [
            ("2015-05-15", "2015-05-15"),
            ("2015-5-3", "2015-05-03"),
            ("2015-05-15 10:00", "2015-05-15"),
            ("2015-05-15 10:00:30 -0400", "2015-05-15T10:00:30-04:00"),
            ("2015-05-15T10:00:00Z", "2015-05-15T10:00:00Z"),
            ("2015-05-15T10:00:00.123+02:00", "2015-05-15T10:00:00+02:00"),
        ] {
            assert_eq!(date(old).as_deref(), Some(new), "{old}");
        }
        for wrong in ["", "soon", "2015-13-01", "2015", "99999999999-1-1"] {
            assert_eq!(date(wrong), None, "{wrong}");
        }
    }
}
