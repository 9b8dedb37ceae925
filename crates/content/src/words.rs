//! Whether a text has words, which a translation has in its language.

use super::calls;
use super::yaml::Value;
use sitegen_core::diagnostics::Span;

/// Whether a value is a text by its form.
pub fn is_text(text: &str, may_be_word: bool) -> bool {
    let text = text.trim();
    has_words(text) && (text.contains(char::is_whitespace) || !is_name(text, may_be_word))
}

/// Whether a text without white space is an address, a date, the name of a file, or, unless that `may_be_word`, a word in lower
/// case.
fn is_name(text: &str, may_be_word: bool) -> bool {
    let bytes = text.as_bytes();
    let has_address = text.starts_with(['/', '#', '?', '@']) || text.starts_with("./") || text.starts_with("../");
    let scheme = text.split_once(':').map(|(scheme, rest)| (scheme, rest.chars().next()));
    let has_scheme = scheme.is_some_and(|(scheme, next)| {
        next.is_some() && scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_mail = text.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    let extension = text.rsplit_once('.').map(|(_, extension)| extension.as_bytes());
    let is_file = extension
        .is_some_and(|all| (1..=11).contains(&all.len()) && all.iter().all(u8::is_ascii_alphanumeric))
        && text.is_ascii();
    let is_date = bytes.len() > 7 && bytes[..4].iter().all(u8::is_ascii_digit) && bytes[4] == b'-';
    let is_slug = |more: &[u8]| bytes.iter().all(|byte| byte.is_ascii_lowercase() || more.contains(byte));
    has_address || has_scheme || is_mail || is_file || is_date || !may_be_word && is_slug(b"0123456789-_/+")
}

/// Whether a text has a letter outside of references and of calls without texts.
pub fn has_words(text: &str) -> bool {
    let mut at = 0;
    let has_letter = |part: &str| part.chars().any(char::is_alphabetic);
    for (reference, tag) in calls::all(text) {
        if reference.span.start < at {
            continue;
        }
        let has_argument = tag.and_then(Result::ok).is_some_and(|tag| {
            let text = |(_, value, _): &(&str, calls::Written, Span)| match value {
                calls::Written::Literal(Value::Text(text)) => is_text(text, false),
                _ => false,
            };
            tag.arguments.iter().any(text)
        });
        if has_argument || has_letter(&text[at..reference.span.start]) {
            return true;
        }
        at = reference.span.end;
    }
    has_letter(&text[at..])
}
