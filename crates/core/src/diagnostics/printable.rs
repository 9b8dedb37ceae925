//! Makes text from content and file names safe to print.
//!
//! Whoever writes a page or names a file can use any character. On a terminal some of them move the cursor, change what
//! was printed before, or run programs.

use std::borrow::Cow;

/// Whether a character controls a terminal (Unicode's category Cc), begins a line (U+2028 and U+2029), or changes the
/// order in which others are shown (Unicode Standard Annex 9, 2.1 to 2.5).
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Replaces unprintable characters of a text by U+FFFD. Line breaks and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_meant = |character: char| is_unprintable(character) && !matches!(character, '\n' | '\t');
    match text.contains(is_meant) {
        true => text.replace(is_meant, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// Returns a name on one line.
pub fn printable_name(name: &str) -> Cow<'_, str> {
    match name.contains(is_unprintable) {
        true => name.replace(is_unprintable, "\u{fffd}").into(),
        false => name.into(),
    }
}

/// Escapes characters in JSON that a terminal would not print. JSON itself escapes only those before the space (RFC
/// 8259, 7).
pub fn printable_json(json: String) -> String {
    let is_meant = |character: char| is_unprintable(character) && character != '\n';
    if !json.contains(is_meant) {
        return json;
    }
    // JSON has such characters only inside strings, where an escape means the same.
    let escaped = |character: char| match is_meant(character) {
        true => format!("\\u{:04x}", character as u32),
        false => character.to_string(),
    };
    json.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_control_characters_are_replaced() {
        let text = "ä\u{1b}[2J\u{9b}\u{7f}\r\u{202e}\u{2028}日本\n\t👩\u{200d}🍳";
        assert_eq!(printable(text), "ä\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}日本\n\t👩\u{200d}🍳");
        assert_eq!(printable_name("a\nb"), "a\u{fffd}b");
        assert!(matches!(printable("a: 1\n"), Cow::Borrowed(_)));
        let json = serde_json::json!({ "a": text }).to_string();
        let escaped = printable_json(json.clone());
        assert!(!escaped.contains(is_unprintable), "{escaped}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).unwrap(),
            serde_json::from_str::<serde_json::Value>(&json).unwrap()
        );
    }
}
