//! Finds the addresses in a text of CSS, as browsers read it.

use cssparser::{ParseError, Parser, ParserInput, Token};

/// What an address in a stylesheet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressUse {
    /// Another stylesheet.
    Import,
    /// A font, in `@font-face`.
    Font,
    /// A picture, as in `background` and `cursor`.
    Picture,
}

/// The depth of blocks to which addresses are looked for. In deeper ones, stylesheets are refused, and each uses stack space.
const DEPTH: usize = 100;

/// Returns the addresses in a stylesheet, or in a value.
pub fn addresses(css: &str) -> Vec<(String, AddressUse)> {
    let mut found = Vec::new();
    if may_have_any(css) {
        let mut input = ParserInput::new(css);
        read(&mut Parser::new(&mut input), Place::default(), 0, &mut found);
    }
    found
}

/// Whether there is anything in a text that an address can begin with. Most stylesheets have nothing.
fn may_have_any(css: &str) -> bool {
    let has = |word: &str| css.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    css.contains('\\') || has("url(") || has("image-set(") || has("@import")
}

/// Where tokens are.
#[derive(Clone, Copy, Default)]
struct Place {
    is_font_face: bool,
    /// Whether strings are addresses: in `image-set(…)`.
    has_strings: bool,
}

fn read(parser: &mut Parser, place: Place, depth: usize, found: &mut Vec<(String, AddressUse)>) {
    if depth == DEPTH {
        return;
    }
    // The at-rule that is read, and whether its first address is still to come.
    let mut rule: Option<(String, bool)> = None;
    while let Ok(token) = parser.next().cloned() {
        let is_of = |name: &str| rule.as_ref().is_some_and(|(rule, _)| rule == name);
        let purpose = match place.is_font_face {
            _ if is_of("import") => AddressUse::Import,
            true => AddressUse::Font,
            false => AddressUse::Picture,
        };
        let is_import = rule.as_ref().is_some_and(|(rule, is_first)| rule == "import" && *is_first);
        let is_name = is_of("namespace");
        let mut inner = place;
        match token {
            Token::AtKeyword(name) => {
                rule = Some((name.to_ascii_lowercase(), true));
                continue;
            }
            Token::Semicolon => rule = None,
            Token::UnquotedUrl(address) if !is_name => found.push((address.to_string(), purpose)),
            Token::QuotedString(address) if is_import || place.has_strings => {
                found.push((address.to_string(), purpose))
            }
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                let address = parser.parse_nested_block(|parser| {
                    Ok::<_, ParseError<()>>(parser.expect_string_cloned().ok().map(|address| address.to_string()))
                });
                let address = address.ok().flatten().filter(|_| !is_name);
                found.extend(address.map(|address| (address, purpose)));
            }
            Token::CurlyBracketBlock => {
                inner = Place { is_font_face: is_of("font-face"), has_strings: false };
                block(parser, inner, depth, found);
                rule = None;
            }
            Token::Function(name) => {
                let is_set = ["image-set", "-webkit-image-set"].iter().any(|set| name.eq_ignore_ascii_case(set));
                inner.has_strings = is_set;
                block(parser, inner, depth, found);
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock => block(parser, inner, depth, found),
            _ => {}
        }
        if let Some((_, is_first)) = &mut rule {
            *is_first = false;
        }
    }
}

fn block(parser: &mut Parser, place: Place, depth: usize, found: &mut Vec<(String, AddressUse)>) {
    let _ = parser.parse_nested_block(|parser| {
        read(parser, place, depth + 1, found);
        Ok::<_, ParseError<()>>(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_that_browsers_load() {
        use AddressUse::{Font, Import, Picture};
        for (css, expected) in [
            ("p { background: url(/a) }", &[("/a", Picture)][..]),
            ("p { background: URL( \"/a)b\" ), url('/c') }", &[("/a)b", Picture), ("/c", Picture)]),
            ("p { background: u\\72l(/a) }", &[("/a", Picture)]),
            (
                "p { background: image-set(\"/a\" 1x, url(/b) 2x type(\"image/png\")) }",
                &[("/a", Picture), ("/b", Picture)],
            ),
            ("p { background: -webkit-image-set(\"/a\" 1x) }", &[("/a", Picture)]),
            ("p { --a: url(/a); & b { mask: url(/b) } }", &[("/a", Picture), ("/b", Picture)]),
            (
                "@import \"/a\"; @import url(/b) layer(x); @IMPORT url(\"/c\");",
                &[("/a", Import), ("/b", Import), ("/c", Import)],
            ),
            ("@font-face { src: local(\"x\"), url(/a) format(\"woff2\"), url(\"/b\") }", &[("/a", Font), ("/b", Font)]),
            (
                "@media print { @font-face { src: url(/a) } p { cursor: url(/b), auto } }",
                &[("/a", Font), ("/b", Picture)],
            ),
            ("@font-face { src: local(x) } p { cursor: url(/b), auto }", &[("/b", Picture)]),
            (
                "@namespace url(http://a.test); @namespace a url(\"http://a.test\"); p { mask: url(/a) }",
                &[("/a", Picture)],
            ),
            ("/* url(/a) */ p { content: \"url(/b)\" } @charset \"x\";", &[]),
            ("p:not([title=\"url(/a)\"]) { color: red } @media (a: \"@import\") {}", &[]),
            ("url(/a) url(#b)", &[("/a", Picture), ("#b", Picture)]),
        ] {
            let found = addresses(css);
            let found: Vec<(&str, AddressUse)> = found.iter().map(|(address, of)| (address.as_str(), *of)).collect();
            assert_eq!(found, expected, "{css}");
        }
    }
}
