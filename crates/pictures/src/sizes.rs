//! Reads `sizes` attributes: how wide a picture is shown (HTML Standard 4.8.4.2.1, "source size list").

/// A checked `sizes` attribute.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sizes {
    /// Pairs of a condition and a length in pixels, for those lengths that are known without a browser. A missing
    /// condition is always true.
    entries: Vec<(Option<Condition>, Length)>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Condition {
    /// `(min-width: 600px)`: at least this many pixels.
    AtLeast(f64),
    /// `(max-width: 600px)`: at most this many.
    AtMost(f64),
    /// Anything else.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Length {
    /// Pixels.
    Fixed(f64),
    /// Parts of the width of the window.
    OfWindow(f64),
    /// Anything that has to be computed.
    Computed,
}

/// Units of lengths, in pixels where the default font has 16.
const UNITS: [(&str, Option<f64>); 36] = [
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
    ("vi", None),
    ("vb", None),
    ("svi", None),
    ("svb", None),
    ("lvi", None),
    ("lvb", None),
    ("dvi", None),
    ("dvb", None),
    ("cap", None),
    ("ic", None),
    ("rcap", None),
    ("rch", None),
    ("rex", None),
    ("ric", None),
];

/// The most of a window that a picture is shown in, in percent of its width. One that is cropped by its frame may be
/// somewhat wider.
const MOST_OF_WINDOW: f64 = 150.0;

impl Sizes {
    /// Reads an attribute. An error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Sizes, String> {
        if text.trim().is_empty() {
            return Err("it is empty".to_owned());
        }
        let parts = split(text).ok_or_else(|| format!("`{text}` has a bracket that is not closed"))?;
        if parts.iter().any(|part| part.trim().is_empty()) {
            return Err(format!("`{text}` has a comma with nothing next to it"));
        }
        let mut entries = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let part = part.trim();
            // The browser computes it for pictures that load when they are near (HTML Standard, "sizes=auto").
            if part.eq_ignore_ascii_case("auto") {
                if number > 0 {
                    return Err("`auto` must come first in `sizes`".to_owned());
                }
                continue;
            }
            let (condition, length) = divided(part);
            let is_last = number + 1 == parts.len();
            match (condition.is_empty(), is_last) {
                (true, false) => {
                    return Err(format!("`{length}` has no condition, so browsers ignore everything after it"));
                }
                (false, true) => {
                    return Err(format!(
                        "the last length, `{length}`, must not have a condition: it applies to all other windows"
                    ));
                }
                _ => {}
            }
            let condition = (!condition.is_empty()).then(|| read_condition(condition)).transpose()?;
            entries.push((condition, read_length(length)?));
        }
        Ok(Sizes { entries })
    }

    /// Returns how wide the picture is shown in a window of this width, in CSS pixels. `None` if only a browser knows.
    pub fn shown(&self, window: f64) -> Option<f64> {
        for (condition, length) in &self.entries {
            let holds = condition.as_ref().map_or(Some(true), |condition| condition.holds(window))?;
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

/// Whether a media query fits a window of this width, in CSS pixels. `None` if only a browser knows.
pub fn fits(query: &str, window: f64) -> Option<bool> {
    let queries = split(query)?;
    let answer = |query: &str| {
        let lower = query.trim().to_ascii_lowercase();
        let parts = lower.split(" and ").map(|part| match part.trim() {
            "all" | "screen" | "only all" | "only screen" => Some(true),
            "print" | "only print" => Some(false),
            condition => read_condition(condition).ok()?.holds(window),
        });
        decided(parts.collect(), false)
    };
    decided(queries.into_iter().map(answer).collect(), true)
}

/// Returns what several answers come to: one that is `decisive` decides, whatever is not known.
fn decided(answers: Vec<Option<bool>>, decisive: bool) -> Option<bool> {
    match () {
        () if answers.contains(&Some(decisive)) => Some(decisive),
        () if answers.contains(&None) => None,
        () => Some(!decisive),
    }
}

impl Condition {
    fn holds(&self, window: f64) -> Option<bool> {
        match self {
            Condition::AtLeast(least) => Some(window >= *least),
            Condition::AtMost(most) => Some(window <= *most),
            Condition::Unknown => None,
        }
    }
}

/// Features that browsers know in a condition (Media Queries Level 5).
const FEATURES: [&str; 31] = [
    "any-hover",
    "any-pointer",
    "aspect-ratio",
    "color",
    "color-gamut",
    "color-index",
    "device-aspect-ratio",
    "device-height",
    "device-width",
    "display-mode",
    "dynamic-range",
    "environment-blending",
    "forced-colors",
    "grid",
    "height",
    "horizontal-viewport-segments",
    "hover",
    "inverted-colors",
    "monochrome",
    "nav-controls",
    "orientation",
    "overflow-block",
    "overflow-inline",
    "pointer",
    "prefers-color-scheme",
    "prefers-contrast",
    "prefers-reduced-data",
    "prefers-reduced-motion",
    "resolution",
    "update",
    "width",
];

/// Reads a condition. An error says why browsers would take it for none that is ever true.
fn read_condition(text: &str) -> Result<Condition, String> {
    if !text.contains('(') {
        return Err(format!("the condition `{text}` is not in parentheses, like `(min-width: 40rem)`"));
    }
    // Several conditions, and what is calculated, are left to browsers.
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(|text| !text.contains('('));
    let Some(inner) = inner.map(str::trim) else { return Ok(Condition::Unknown) };
    let end = inner.find(|letter: char| !letter.is_ascii_alphabetic() && letter != '-').unwrap_or(inner.len());
    let feature = inner[..end].to_ascii_lowercase();
    let known = feature.strip_prefix("min-").or(feature.strip_prefix("max-")).unwrap_or(&feature);
    // `(400px <= width)` begins with a number, and `(not …)` with a word.
    if !matches!(known, "" | "not") && !known.starts_with('-') && !FEATURES.contains(&known) {
        return Err(format!("browsers do not support `{feature}` in a condition; use `min-width` or `max-width`"));
    }
    let Some((feature, value)) = inner.split_once(':') else {
        // `(width >= 600px)`.
        let ranged = inner.strip_prefix("width").map(str::trim_start);
        let of = |sign| match ranged.and_then(|ranged| ranged.strip_prefix(sign)).map(|value| read_length(value.trim()))
        {
            Some(Ok(Length::Fixed(pixels))) => Some(pixels),
            _ => None,
        };
        return Ok(match (of(">="), of("<=")) {
            (Some(least), _) => Condition::AtLeast(least),
            (_, Some(most)) => Condition::AtMost(most),
            _ => Condition::Unknown,
        });
    };
    Ok(match (feature.trim(), read_length(value.trim())) {
        ("min-width", Ok(Length::Fixed(pixels))) => Condition::AtLeast(pixels),
        ("max-width", Ok(Length::Fixed(pixels))) => Condition::AtMost(pixels),
        ("min-width" | "max-width" | "width", Err(detail)) => return Err(detail),
        _ => Condition::Unknown,
    })
}

/// Reports words in a calculation that are no lengths, numbers or functions: browsers take all of it for `100vw`.
fn check_calculation(text: &str) -> Result<(), String> {
    let is_sign = |letter: char| letter.is_alphanumeric() || ".%_-".contains(letter);
    let mut rest = text;
    while let Some(at) = rest.find(is_sign) {
        let from = &rest[at..];
        let end = from.find(|letter: char| !is_sign(letter)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        rest = after;
        // A function, a subtraction, or a factor.
        let is_function = after.starts_with('(') && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        let plain = word.trim_start_matches('-');
        if is_function || plain.is_empty() || plain.parse::<f64>().is_ok() || matches!(word, "e" | "pi") {
            continue;
        }
        if let Err(detail) = read_length(plain) {
            return Err(format!("{detail}, in `{text}`"));
        }
    }
    Ok(())
}

fn read_length(text: &str) -> Result<Length, String> {
    let lower = text.to_ascii_lowercase();
    if ["calc(", "min(", "max(", "clamp("].iter().any(|function| lower.starts_with(function)) && lower.ends_with(')') {
        check_calculation(&lower)?;
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
        return Err(format!("`{text}` is negative"));
    }
    match (unit, value == 0.0) {
        ("vw", _) if value > MOST_OF_WINDOW => {
            Err(format!("`{text}` is wider than the window; for a picture that fills it, write `100vw`"))
        }
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
    fn what_browsers_read_is_accepted() {
        for text in [
            "(min-width: 43rem) 40rem, 100vw",
            "min(40rem, 100vw)",
            "calc((100vw - 2 * 1.5rem) / 2 - -1px)",
            "clamp(10rem, calc(50vw - 2ch), 40vi)",
            "(min-width: 40em) and (orientation: portrait) 50vw, 100vw",
            "(not (hover)) 50vw, 100vw",
            "(400px <= width <= 700px) 50vw, 100vw",
            "(-webkit-min-device-pixel-ratio: 2) 50vw, 100vw",
            "(prefers-color-scheme: dark) 50vw, 110vw",
        ] {
            assert!(Sizes::parse(text).is_ok(), "{text}: {:?}", Sizes::parse(text));
        }
    }

    #[test]
    fn a_media_query_fits_a_window_or_only_a_browser_knows() {
        for (query, narrow, wide) in [
            ("(max-width: 40rem)", Some(true), Some(false)),
            ("(min-width: 40rem)", Some(false), Some(true)),
            ("screen and (min-width: 300px) and (max-width: 400px)", Some(true), Some(false)),
            ("print", Some(false), Some(false)),
            ("(orientation: portrait)", None, None),
            ("(orientation: portrait) and (min-width: 40rem)", Some(false), None),
            ("(max-width: 40rem), (orientation: landscape)", Some(true), None),
            ("(WIDTH >= 40em)", Some(false), Some(true)),
            ("not print", None, None),
        ] {
            assert_eq!((fits(query, 390.0), fits(query, 1440.0)), (narrow, wide), "{query}");
        }
    }

    #[test]
    fn what_browsers_ignore_is_refused() {
        for (text, says) in [
            ("50%", "percentages"),
            ("600", "no unit"),
            ("(min-width: 10px) 5px", "must not have a condition"),
            ("5px, 10px", "ignore everything after it"),
            ("100wv", "not a unit"),
            ("(min-width: 10px 5px", "not closed"),
            ("100vw,", "nothing next to"),
            ("(width <= 9px) 100vw, auto", "first"),
            ("", "is empty"),
            ("-5px", "is negative"),
            ("wide", "not a length"),
            ("200vw", "wider than the window"),
            ("min-width: 40em 300px, 100vw", "not in parentheses"),
            ("(minwidth: 40em) 300px, 100vw", "not support `minwidth`"),
            ("(min-width: 40me) 300px, 100vw", "not a unit"),
            ("calc(rubbish)", "`rubbish` is not a length"),
            ("calc(100vw - 2rme)", "not a unit"),
            ("min(40rem, 50%)", "percentages"),
        ] {
            let error = Sizes::parse(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
