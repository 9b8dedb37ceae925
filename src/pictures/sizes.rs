//! Reads `sizes` attributes: how wide a picture is shown (HTML Standard 4.8.4.2.1, "source size list").

/// A checked `sizes` attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Pairs of a condition and a length in pixels, for those lengths that are known without a browser. A missing
    /// condition is always true.
    entries: Vec<(Option<Condition>, Length)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// `(min-width: 600px)`: at least this many pixels.
    AtLeast(f64),
    /// `(max-width: 600px)`: at most this many.
    AtMost(f64),
    /// Anything else.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Length {
    /// Pixels.
    Fixed(f64),
    /// Parts of the width of the window.
    OfWindow(f64),
    /// Anything that has to be computed.
    Computed,
}

/// Units of lengths, in pixels where the default font has 16.
const UNITS: [(&str, Option<f64>); 22] = [
    ("px", Some(1.0)),
    ("rem", Some(16.0)),
    ("em", Some(16.0)),
    ("in", Some(96.0)),
    ("cm", Some(96.0 / 2.54)),
    ("mm", Some(9.6 / 2.54)),
    ("pt", Some(96.0 / 72.0)),
    ("pc", Some(16.0)),
    ("q", Some(2.4 / 2.54)),
    ("ch", None),
    ("ex", None),
    ("lh", None),
    ("rlh", None),
    ("vh", None),
    ("svh", None),
    ("lvh", None),
    ("dvh", None),
    ("vmin", None),
    ("vmax", None),
    ("svw", None),
    ("lvw", None),
    ("dvw", None),
];

impl Sizes {
    /// Reads an attribute. An error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Sizes, String> {
        if text.trim().is_empty() {
            return Err("it is empty".to_owned());
        }
        let parts = split(text).ok_or_else(|| format!("`{text}` has a bracket that is not closed"))?;
        if parts.iter().any(|part| part.trim().is_empty()) {
            return Err(format!("`{text}` has a comma with nothing beside it"));
        }
        let mut entries = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let part = part.trim();
            // The browser computes it for pictures that load when they are near (HTML Standard, "sizes=auto").
            if part.eq_ignore_ascii_case("auto") {
                if number > 0 {
                    return Err("`auto` has to be the first of `sizes`".to_owned());
                }
                continue;
            }
            let (condition, length) = divided(part);
            let is_last = number + 1 == parts.len();
            match (condition.is_empty(), is_last) {
                (true, false) => {
                    return Err(format!("`{length}` has no condition, so browsers ignore all that follows it"));
                }
                (false, true) => {
                    return Err(format!(
                        "the last length, `{length}`, has to be without a condition, for all other windows"
                    ));
                }
                _ => {}
            }
            let condition = (!condition.is_empty()).then(|| read_condition(condition));
            entries.push((condition, read_length(length)?));
        }
        Ok(Sizes { entries })
    }

    /// Returns how wide the picture is shown in a window of this width, in CSS pixels. `None` if only a browser knows.
    pub fn shown(&self, window: f64) -> Option<f64> {
        for (condition, length) in &self.entries {
            let holds = match condition {
                None => true,
                Some(Condition::AtLeast(least)) => window >= *least,
                Some(Condition::AtMost(most)) => window <= *most,
                Some(Condition::Unknown) => return None,
            };
            if holds {
                return match length {
                    Length::Fixed(pixels) => Some(*pixels),
                    Length::OfWindow(part) => Some(part * window),
                    Length::Computed => None,
                };
            }
        }
        // `auto` alone.
        (self.entries.is_empty()).then_some(window)
    }

    /// Returns the largest fixed length in it, in pixels.
    pub fn largest(&self) -> Option<f64> {
        let fixed = self.entries.iter().filter_map(|(_, length)| match length {
            Length::Fixed(pixels) => Some(*pixels),
            _ => None,
        });
        fixed.max_by(f64::total_cmp)
    }
}

/// Splits at commas outside brackets. `None` if brackets do not match.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    (depth == 0).then_some(parts)
}

/// Splits a part into its condition and the length at its end.
fn divided(part: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, letter) in part.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            letter if depth == 0 && letter.is_whitespace() => start = at + letter.len_utf8(),
            _ => {}
        }
    }
    // `(min-width: 600px)50vw`.
    if start == 0
        && let Some(close) = part.rfind(')').filter(|close| part.starts_with('(') && close + 1 < part.len())
    {
        start = close + 1;
    }
    (part[..start].trim(), &part[start..])
}

fn read_condition(text: &str) -> Condition {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(|text| !text.contains('('));
    let Some((feature, value)) = inner.and_then(|inner| inner.split_once(':')) else {
        // `(width >= 600px)`.
        let ranged = inner.and_then(|inner| inner.trim().strip_prefix("width"));
        let ranged = ranged.map(str::trim_start);
        let of = |sign: &str| match ranged.and_then(|text| text.strip_prefix(sign)).map(|text| read_length(text.trim()))
        {
            Some(Ok(Length::Fixed(pixels))) => Some(pixels),
            _ => None,
        };
        return match (of(">="), of("<=")) {
            (Some(least), _) => Condition::AtLeast(least),
            (_, Some(most)) => Condition::AtMost(most),
            _ => Condition::Unknown,
        };
    };
    match (feature.trim(), read_length(value.trim())) {
        ("min-width", Ok(Length::Fixed(pixels))) => Condition::AtLeast(pixels),
        ("max-width", Ok(Length::Fixed(pixels))) => Condition::AtMost(pixels),
        _ => Condition::Unknown,
    }
}

fn read_length(text: &str) -> Result<Length, String> {
    let lower = text.to_ascii_lowercase();
    if ["calc(", "min(", "max(", "clamp("].iter().any(|function| lower.starts_with(function)) && lower.ends_with(')') {
        return Ok(Length::Computed);
    }
    let number = lower.trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '%');
    let unit = &lower[number.len()..];
    let value: f64 = number.parse().map_err(|_| format!("`{text}` is not a length"))?;
    if unit == "%" {
        return Err(format!(
            "`{text}`: `sizes` cannot have percentages, because browsers read it before the layout; use `vw`"
        ));
    }
    if value < 0.0 {
        return Err(format!("`{text}` is less than nothing"));
    }
    match (unit, value == 0.0) {
        ("vw", _) => Ok(Length::OfWindow(value / 100.0)),
        ("", true) => Ok(Length::Fixed(0.0)),
        ("", false) => Err(format!("`{text}` has no unit, like `{text}px`")),
        _ => match UNITS.iter().find(|(name, _)| *name == unit) {
            Some((_, Some(pixels))) => Ok(Length::Fixed(value * pixels)),
            Some((_, None)) => Ok(Length::Computed),
            None => Err(format!("`{unit}` in `{text}` is not a unit of length")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_in_a_window_is_the_first_that_holds() {
        let sizes = Sizes::parse("(min-width: 60rem) 45rem, (width <= 400px) 100vw, calc(100vw - 2rem)").unwrap();
        assert_eq!(sizes.shown(1440.0), Some(720.0));
        assert_eq!(sizes.shown(390.0), Some(390.0));
        assert_eq!(sizes.shown(800.0), None);
        assert_eq!(sizes.largest(), Some(720.0));
        assert_eq!(Sizes::parse("auto, 50vw").unwrap().shown(1000.0), Some(500.0));
        assert_eq!(Sizes::parse("(min-width:1px)33vw,0").unwrap().shown(300.0), Some(99.0));
        assert_eq!(Sizes::parse("(orientation: landscape) 10px, 5px").unwrap().shown(300.0), None);
    }

    #[test]
    fn what_browsers_ignore_is_refused() {
        for (text, says) in [
            ("50%", "percentages"),
            ("600", "no unit"),
            ("(min-width: 10px) 5px", "without a condition"),
            ("5px, 10px", "ignore all that follows"),
            ("100wv", "not a unit"),
            ("(min-width: 10px 5px", "not closed"),
            ("100vw,", "nothing beside"),
            ("(width <= 9px) 100vw, auto", "first"),
            ("", "is empty"),
            ("-5px", "less than nothing"),
            ("wide", "not a length"),
        ] {
            let error = Sizes::parse(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
