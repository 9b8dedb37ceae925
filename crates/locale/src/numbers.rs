//! Numbers, as a language writes them.

use super::locale;
use fixed_decimal::{Decimal, SignedRoundingMode, UnsignedRoundingMode};
use icu_decimal::DecimalFormatter;
use writeable::Writeable;

/// The most digits after the decimal sign that a number is written with.
pub const MOST_DIGITS: u8 = 20;

/// A number as it is written, in decimal digits: `1.5`, `1.50` and `-2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(pub(super) Decimal);

impl Number {
    /// Reads decimal digits with a `.`, as Rust and JSON write numbers.
    pub fn parse(digits: &str) -> Option<Self> {
        digits.parse().ok().map(Number)
    }

    /// Returns the number with as many digits after the decimal sign. What is cut off is rounded, five away from zero, as
    /// `Intl.NumberFormat` does (ECMA-402, `roundingMode` of `halfExpand`).
    #[must_use]
    pub fn rounded(mut self, digits: u8) -> Self {
        let digits = -i16::from(digits.min(MOST_DIGITS));
        self.0.round_with_mode(digits, SignedRoundingMode::Unsigned(UnsignedRoundingMode::HalfExpand));
        self.0.pad_end(digits);
        self
    }

    /// Writes the number with the digits, the groups and the signs of a language.
    pub fn written(&self, language: &str) -> String {
        let formatter = DecimalFormatter::try_new(locale(language).into(), Default::default());
        // Compiled data has every language, by falling back to the root.
        formatter
            .map_or_else(|_| self.0.to_string(), |formatter| formatter.format(&self.0).write_to_string().into_owned())
    }
}

/// Returns a text with the digits of a language in place of Western ones.
pub fn with_digits(text: &str, language: &str) -> String {
    let digit =
        |number: u8| Number::parse(&number.to_string()).map(|digit| digit.written(language)).unwrap_or_default();
    if !text.bytes().any(|byte| byte.is_ascii_digit()) || digit(0) == "0" {
        return text.to_owned();
    }
    let digits: [String; 10] = std::array::from_fn(|number| digit(number as u8));
    let mut written = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(number) if letter.is_ascii_digit() => written.push_str(&digits[number as usize]),
            _ => written.push(letter),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(number: &str, language: &str) -> String {
        Number::parse(number).expect(number).written(language)
    }

    #[test]
    fn groups_and_decimal_signs_are_those_of_the_language() {
        for (language, expected) in [
            ("en", "1,234,567.8"),
            ("de", "1.234.567,8"),
            ("de-AT", "1\u{a0}234\u{a0}567,8"),
            ("de_CH", "1'234'567.8"),
            ("fr", "1\u{202f}234\u{202f}567,8"),
            ("hi", "12,34,567.8"),
            ("fa", "۱٬۲۳۴٬۵۶۷٫۸"),
            ("ar-EG", "١٬٢٣٤٬٥٦٧٫٨"),
            ("bn", "১২,৩৪,৫৬৭.৮"),
            ("sv", "1\u{a0}234\u{a0}567,8"),
            ("", "1,234,567.8"),
        ] {
            assert_eq!(written("1234567.8", language), expected, "{language}");
        }
        // Languages that write four digits without a group.
        assert_eq!((written("1234", "es"), written("12345", "es")), ("1234".into(), "12.345".into()));
        assert_eq!((written("1234", "pl"), written("-1234", "de")), ("1234".into(), "-1.234".into()));
    }

    #[test]
    fn digits_are_rounded_away_from_zero_and_filled_up() {
        let rounded = |number: &str, digits| Number::parse(number).unwrap().rounded(digits).written("en");
        assert_eq!(rounded("1.005", 2), "1.01");
        assert_eq!(rounded("-2.5", 0), "-3");
        assert_eq!(rounded("2", 2), "2.00");
        assert_eq!(rounded("999999.999", 2), "1,000,000.00");
        assert_eq!(rounded("1", 255).len(), 2 + usize::from(MOST_DIGITS));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for wrong in ["", "NaN", "inf", "1,5", "one", "0x10"] {
            assert_eq!(Number::parse(wrong), None, "{wrong}");
        }
    }
}
