//! Carries the `style` attributes of islands into a stylesheet of the page.
//!
//! The page's policy has browsers ignore `style` attributes, and many components set them: for the place of a tooltip, the
//! width of a bar, a custom property. Each becomes `data-island-style` with the same text, and a rule of a stylesheet that
//! the policy knows by its hash. Before an island hydrates, its runtime gives the text back through the CSSOM, which no
//! policy blocks, so that React finds what it has rendered.
//!
//! A component may put a text of an editor into a style, and React writes it as it is. So a rule is made of declarations that
//! were read and printed again: none of them can end the rule or begin another one, and what one loads stands in a `url()`,
//! where the check of connections finds it.

use cssparser::{Delimiter, ParseError, Parser, ParserInput, ToCss, serialize_identifier, serialize_string};
use pulldown_cmark_escape::escape_html;
use sitegen_content::address::scheme_of;
use sitegen_core::html::{Token, tokens};
use std::collections::BTreeMap;

/// The attribute that replaces `style`. `islands/runtime/styles.ts` reads it.
pub const ATTRIBUTE: &str = "data-island-style";

/// As specific as four ids, which is more than stylesheets have: an attribute would come before all of their rules. The
/// selector in `:not()` matches nothing, whatever ids a page has.
const ABOVE_ALL: &str = ":not(#i#i#i:not(#i))";

/// Blocks in blocks of a value. No property needs that many.
const DEPTH: usize = 16;

/// The rules of a page, by the text of the attribute that each replaces. Without a valid declaration a rule is empty.
#[derive(Debug, Default)]
pub struct Carried(BTreeMap<String, String>);

impl Carried {
    /// The HTML of an island with its `style` attributes carried. An address on another host that does not stand in a
    /// `url()` is the error.
    pub fn carry(&mut self, html: &str) -> Result<String, String> {
        let mut out = String::with_capacity(html.len());
        let mut from = 0;
        for token in tokens(html) {
            let Token::Start(tag) = token else { continue };
            let Some((span, style)) = tag.spot("style") else { continue };
            self.add(&style)?;
            out.push_str(&html[from..span.start]);
            push_attribute(&mut out, &style);
            from = span.end;
        }
        out.push_str(&html[from..]);
        Ok(out)
    }

    /// Adds the rule for a text.
    pub fn add(&mut self, style: &str) -> Result<(), String> {
        if !self.0.contains_key(style) {
            let rule = match declarations(style)? {
                declarations if declarations.is_empty() => String::new(),
                declarations => {
                    let mut value = String::new();
                    // Writing to a String cannot fail.
                    let _ = serialize_string(style, &mut value);
                    format!("[{ATTRIBUTE}={}]{ABOVE_ALL}{{{declarations}}}", without_tags(&value))
                }
            };
            self.0.insert(style.to_owned(), rule);
        }
        Ok(())
    }

    /// All rules.
    pub fn css(&self) -> String {
        self.0.values().map(String::as_str).collect()
    }
}

/// Writes the attribute that stands for `style`.
pub fn push_attribute(html: &mut String, style: &str) {
    html.push_str(ATTRIBUTE);
    html.push_str("=\"");
    // Writing to a String cannot fail.
    let _ = escape_html(&mut *html, style);
    html.push('"');
}

/// The declarations of a `style` attribute as they can stand in a rule. What a browser would ignore is left out, as the
/// browser does (CSS Style Attributes, 3).
fn declarations(style: &str) -> Result<String, String> {
    let mut input = ParserInput::new(style);
    let mut parser = Parser::new(&mut input);
    let mut declarations: Vec<String> = Vec::new();
    while !parser.is_exhausted() {
        let read = parser.parse_until_after(Delimiter::Semicolon, |parser| {
            let mut out = String::new();
            let name = parser.expect_ident_cloned()?;
            parser.expect_colon()?;
            parser.skip_whitespace();
            if name.contains('<') {
                return Err(parser.new_custom_error(Unfit::Token));
            }
            // Writing to a String cannot fail.
            let _ = serialize_identifier(&name, &mut out);
            out.push(':');
            // In a rule, a block would make another rule of it (CSS Nesting, 2).
            copy(parser, &mut out, name.starts_with("--"), false, DEPTH)?;
            Ok(out)
        });
        match read {
            Ok(declaration) => declarations.push(declaration),
            Err(ParseError { kind: cssparser::ParseErrorKind::Custom(Unfit::Address(address)), .. }) => {
                return Err(address);
            }
            // What cannot be read ends with its semicolon.
            Err(_) => {}
        }
    }
    Ok(declarations.join(";"))
}

/// Why a declaration is not carried.
enum Unfit {
    /// Something in it has no place in a declaration.
    Token,
    /// It would load something from another host, where nobody looks for it.
    Address(String),
}

/// Copies tokens up to the end of a block or a declaration.
fn copy<'i>(
    parser: &mut Parser<'i, '_>,
    out: &mut String,
    may_have_blocks: bool,
    is_url: bool,
    depth: usize,
) -> Result<(), ParseError<'i, Unfit>> {
    use cssparser::Token as Css;
    while let Ok(token) = parser.next_including_whitespace_and_comments().cloned() {
        let close = match &token {
            Css::Comment(_) => {
                out.push(' ');
                continue;
            }
            Css::BadString(_)
            | Css::BadUrl(_)
            | Css::CloseParenthesis
            | Css::CloseSquareBracket
            | Css::CloseCurlyBracket
            | Css::CDO
            | Css::CDC
            | Css::Semicolon
            | Css::Delim('<') => return Err(parser.new_custom_error(Unfit::Token)),
            Css::CurlyBracketBlock if !may_have_blocks => return Err(parser.new_custom_error(Unfit::Token)),
            Css::UnquotedUrl(address) => {
                // Writing to a String cannot fail.
                let _ = write_url(checked(parser, address)?, out);
                continue;
            }
            Css::QuotedString(text) => {
                // Of the functions that take one, most take an address.
                let text = if is_url { checked(parser, text)? } else { unloaded(parser, text)? };
                let mut string = String::new();
                let _ = serialize_string(text, &mut string);
                out.push_str(&without_tags(&string));
                continue;
            }
            Css::Function(_) | Css::ParenthesisBlock => ')',
            Css::SquareBracketBlock => ']',
            Css::CurlyBracketBlock => '}',
            _ => ' ',
        };
        let is_url = matches!(&token, Css::Function(name) if name.eq_ignore_ascii_case("url"));
        // In the letters that the check looks for.
        let written = if is_url { "url(".to_owned() } else { token.to_css_string() };
        if written.contains('<') {
            return Err(parser.new_custom_error(Unfit::Token));
        }
        out.push_str(&written);
        if close != ' ' {
            if depth == 0 {
                return Err(parser.new_custom_error(Unfit::Token));
            }
            parser.parse_nested_block(|parser| copy(parser, out, may_have_blocks, is_url, depth - 1))?;
            out.push(close);
        }
    }
    Ok(())
}

/// An address of a `url()` as it is printed. One on another host is declared as a connection or reported later.
fn checked<'a, 'i>(parser: &Parser<'i, '_>, address: &'a str) -> Result<&'a str, ParseError<'i, Unfit>> {
    let trimmed = address.trim();
    let is_web = trimmed.starts_with("//") || matches!(scheme_of(trimmed).as_deref(), Some("http" | "https"));
    if is_web { Ok(trimmed) } else { unloaded(parser, address) }
}

/// Refuses an address on another host: it would have the policy allow what a text has asked for.
fn unloaded<'a, 'i>(parser: &Parser<'i, '_>, address: &'a str) -> Result<&'a str, ParseError<'i, Unfit>> {
    let trimmed = address.trim();
    let is_elsewhere = trimmed.starts_with("//")
        || trimmed.starts_with("\\")
        || matches!(scheme_of(trimmed).as_deref(), Some("http" | "https" | "ftp" | "blob" | "file"));
    if is_elsewhere { Err(parser.new_custom_error(Unfit::Address(address.to_owned()))) } else { Ok(address) }
}

fn write_url(address: &str, out: &mut String) -> std::fmt::Result {
    let mut string = String::new();
    serialize_string(address, &mut string)?;
    out.push_str("url(");
    out.push_str(&without_tags(&string));
    out.push(')');
    Ok(())
}

/// A string of CSS in which nothing looks like a tag, such as the end of the stylesheet.
fn without_tags(string: &str) -> String {
    string.replace('<', "\\3c ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_printed_as_they_were_read() {
        for (style, printed) in [
            ("color:red;width:50%", "color:red;width:50%"),
            ("--radix-x: calc(1px + (2px * 3))", "--radix-x:calc(1px + (2px * 3))"),
            ("transform:translate3d(0,-100%,0)!important", "transform:translate3d(0,-100%,0)!important"),
            ("background-image:url(/a.png)", "background-image:url(\"/a.png\")"),
            ("--x:{a:b}", "--x:{a:b}"),
            ("", ""),
            (";;color:red;;", "color:red"),
        ] {
            assert_eq!(declarations(style).as_deref(), Ok(printed), "{style}");
        }
    }

    #[test]
    fn nothing_gets_out_of_its_rule() {
        for style in [
            "color:red}body{display:none",
            "a:hover{color:red}",
            "@import 'x'",
            "color:</style><script>alert(1)</script>",
            "color:\\3c\\2f style>",
            "x:url(a b)",
            "x:\"\n\"",
            "x:)]}",
            "x:-->",
        ] {
            let read = declarations(style).unwrap();
            assert!(!read.contains(['<', '{', '}', '@']), "{style} became {read}");
        }
        assert_eq!(declarations("content:\"</style>\"").unwrap(), "content:\"\\3c /style>\"");
        assert_eq!(declarations("x:f(\"}\"").unwrap(), "x:f(\"}\")");
        assert_eq!(declarations(&format!("x:{}", "(".repeat(100_000))), Ok(String::new()));
    }

    #[test]
    fn another_host_is_named_where_it_is_looked_for() {
        for (style, printed) in [
            ("a:url(https://e.example/x)", "a:url(\"https://e.example/x\")"),
            ("a:URL( ' //e.example' )", "a:url( \"//e.example\" )"),
            ("a:url(\"\\68ttps://e.example\")", "a:url(\"https://e.example\")"),
            ("a:image-set(Url('http://e.example') 1x)", "a:image-set(url(\"http://e.example\") 1x)"),
        ] {
            assert_eq!(declarations(style).as_deref(), Ok(printed), "{style}");
        }
        for style in [
            "a:image-set('http://e.example' 1x)",
            "a:src('//e.example')",
            "a:url('ftp://e.example')",
            "a:url(\\\\\\\\e.example)",
            "--a:'https://e.example'",
        ] {
            assert!(declarations(style).is_err(), "{style}");
        }
    }

    #[test]
    fn the_attribute_of_each_tag_is_carried() {
        let mut carried = Carried::default();
        let html = "<p title=' style=\"x\"' style=\"color:}&quot;red\">a</p><b style=\"width:1px\">b</b> style=\"no\"";
        let out = carried.carry(html).unwrap();
        assert_eq!(
            out,
            "<p title=' style=\"x\"' data-island-style=\"color:}&quot;red\">a</p><b data-island-style=\"width:1px\">b</b> \
             style=\"no\""
        );
        assert_eq!(carried.css(), "[data-island-style=\"width:1px\"]:not(#i#i#i:not(#i)){width:1px}");
    }
}
