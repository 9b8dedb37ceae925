//! Letters of a page that none of its fonts has.

use super::mistakes::{Location, PageMistake};
use sitegen_core::diagnostics::StyleProblem;
use sitegen_core::html::{Token, tokens};
use sitegen_locale::scripts;
use sitegen_styles::SiteFonts;

/// Elements whose text is in another font, as a rule, or is none of the page.
const OTHERS: [&str; 13] =
    ["code", "head", "kbd", "math", "option", "pre", "samp", "script", "style", "svg", "template", "textarea", "title"];

/// Returns the first letter of a page that no font of its text has, where there is one.
///
/// A page without letters beyond ASCII costs a look at its bytes, and one whose letters are all there a look at each.
pub fn missing(html: &str, language: &str, fonts: &SiteFonts) -> Option<PageMistake> {
    let mut letters = distinct(html).peekable();
    letters.peek()?;
    let of_page = scripts::of_language(language);
    let mut lacking: Vec<char> = letters.filter(|letter| fonts.lacks(*letter, &of_page)).collect();
    lacking.sort_unstable();
    lacking.dedup();
    if lacking.is_empty() {
        return None;
    }
    let (mut count, mut tag, mut others) = (0, 0, Vec::new());
    for token in tokens(html) {
        match token {
            Token::Start(start) => {
                let name = start.lower_name();
                if OTHERS.contains(&&*name) && !start.rest.trim_end().ends_with('/') {
                    others.push(name.into_owned());
                }
                tag = count;
                count += 1;
            }
            Token::End(name) => {
                if others.last().is_some_and(|open| name.eq_ignore_ascii_case(open)) {
                    others.pop();
                }
                tag = count;
                count += 1;
            }
            Token::Text(text) if others.is_empty() => {
                let found = beyond_ascii(text).find(|letter| lacking.binary_search(letter).is_ok());
                if let Some(letter) = found {
                    let problem = StyleProblem::MissingGlyph { letter, families: fonts.names.clone() };
                    return Some(PageMistake::new(problem, Some(Location { tag, ..Location::default() })));
                }
            }
            Token::Text(_) => {}
        }
    }
    None
}

/// Returns the letters of a text that are not ASCII, and not signs of punctuation. Those below U+0800, which European
/// languages repeat often, come once.
fn distinct(text: &str) -> impl Iterator<Item = char> {
    let mut seen = [0_u64; 32];
    beyond_ascii(text).filter(move |letter| {
        let letter = *letter as usize;
        match seen.get_mut(letter / 64) {
            Some(bits) => {
                let is_new = *bits >> (letter % 64) & 1 == 0;
                *bits |= 1 << (letter % 64);
                is_new
            }
            None => !(0x2000..0x2070).contains(&letter),
        }
    })
}

/// Returns the letters of a text that are not ASCII. Eight bytes are looked at at once.
fn beyond_ascii(text: &str) -> impl Iterator<Item = char> {
    /// The length of a piece that is looked at first: most have none.
    const LONG: usize = 64;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while bytes.get(at..at + LONG).is_some_and(<[u8]>::is_ascii) {
            at += LONG;
        }
        while let Some(word) = bytes.get(at..at + 8) {
            let high = u64::from_le_bytes(word.try_into().ok()?) & HIGH;
            if high != 0 {
                at += high.trailing_zeros() as usize / 8;
                break;
            }
            at += 8;
        }
        while bytes.get(at)?.is_ascii() {
            at += 1;
        }
        let letter = text[at..].chars().next()?;
        at += letter.len_utf8();
        Some(letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beyond_ascii_are_found_wherever_they_stand() {
        for before in 0..130 {
            let text = format!("{}é日{}🙂", "a".repeat(before), "b".repeat(130 - before));
            assert_eq!(beyond_ascii(&text).collect::<String>(), "é日🙂", "{before}");
        }
        assert_eq!(beyond_ascii("plain").count(), 0);
        assert_eq!(distinct("é—é’ü日日").collect::<String>(), "éü日日");
    }
}
