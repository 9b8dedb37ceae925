//! Rewrites what dialects of Markdown have besides CommonMark, outside of code: formulas, and lists of attributes in braces.

/// The most bytes of code or a formula in a line of text: more is text in which somebody has forgotten to close one.
const LONGEST: usize = 5_000;

/// Rewrites the parts of a text that are not code.
pub fn outside_code(text: &str, mut rewrite: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut prose, mut fence): (usize, Option<&str>) = (0, None);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim_start_matches([' ', '>', '\t']);
        let kind = trimmed.chars().next().filter(|kind| "`~".contains(*kind));
        let length = kind.map_or(0, |kind| trimmed.chars().take_while(|letter| *letter == kind).count());
        match fence {
            Some(open) if trimmed.starts_with(open) && trimmed[length..].trim().is_empty() => {
                fence = None;
                out.push_str(&text[prose..at]);
                prose = at;
            }
            Some(_) => {}
            None if length > 2 && !(kind == Some('`') && trimmed[length..].contains('`')) => {
                in_prose(&text[prose..start], &mut rewrite, &mut out);
                prose = start;
                fence = Some(&trimmed[..length]);
            }
            None => {}
        }
    }
    match fence {
        Some(_) => out.push_str(&text[prose..]),
        None => in_prose(&text[prose..], &mut rewrite, &mut out),
    }
    out
}

/// Rewrites the parts of a text without blocks of code that are not code in a line.
fn in_prose(text: &str, rewrite: &mut impl FnMut(&str) -> String, out: &mut String) {
    let (mut done, mut at) = (0, 0);
    while let Some(open) = text[at..].find('`').map(|found| at + found) {
        let length = text[open..].bytes().take_while(|byte| *byte == b'`').count();
        at = open + length;
        if text[..open].ends_with('\\') && length == 1 {
            continue;
        }
        let near = &text[at..text.floor_char_boundary(at + LONGEST)];
        let near = &near[..near.find("\n\n").unwrap_or(near.len())];
        let is_close = |found: &(usize, &str)| {
            let rest = &near[found.0 + length..];
            !rest.starts_with('`') && !near[..found.0].ends_with('`')
        };
        let Some((close, _)) = near.match_indices(&text[open..at]).find(is_close) else { continue };
        out.push_str(&rewrite(&text[done..open]));
        at += close + length;
        out.push_str(&text[open..at]);
        done = at;
    }
    out.push_str(&rewrite(&text[done..]));
}

/// How a dialect writes formulas.
#[derive(Clone, Copy, Debug)]
pub struct Formulas {
    /// The signs around a formula in a line, and around one that stands alone, besides `$` and `$$`.
    pub signs: [(&'static str, &'static str); 2],
    /// What single `$` are.
    pub dollars: Dollars,
}

/// What `$` is in a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dollars {
    /// `$x$` is in a line, and `$$x$$` alone.
    Formulas,
    /// A `$` is a dollar, and `$$x$$` a formula, in a line or alone.
    Doubled,
}

impl Formulas {
    /// Writes formulas with `$` and `$$`, and dollars so that they are none.
    pub fn rewrite(self, text: &str) -> String {
        outside_code(text, |prose| self.in_prose(prose))
    }

    fn in_prose(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(found) = text[at..].find(['$', '\\']).map(|found| at + found) {
            out.push_str(&text[at..found]);
            let rest = &text[found..];
            let sign = self.signs.iter().enumerate().find(|(_, (open, _))| rest.starts_with(open));
            if let Some((number, (open, close))) = sign
                && let Some(inside) = inside(rest, open, close)
            {
                let fence = "$".repeat(number + 1);
                out.push_str(&format!("{fence}{}{fence}", inside.trim()));
                at = found + open.len() + inside.len() + close.len();
                continue;
            }
            let dollars = rest.bytes().take_while(|byte| *byte == b'$').count();
            at = match (self.dollars, dollars) {
                (_, 0) => {
                    // What is behind a backslash is text already.
                    let escaped = rest[1..].chars().next().map_or(0, char::len_utf8);
                    out.push_str(&rest[..1 + escaped]);
                    found + 1 + escaped
                }
                (Dollars::Formulas, _) => {
                    out.push_str(&rest[..dollars]);
                    found + dollars
                }
                (Dollars::Doubled, 2) if !text[..found].ends_with('\\') && inside(rest, "$$", "$$").is_some() => {
                    let inside = inside(rest, "$$", "$$").unwrap_or_default();
                    let end = found + inside.len() + 4;
                    let before = text[..found].trim_end_matches([' ', '\t']);
                    let after = text[end..].trim_start_matches([' ', '\t']);
                    let is_alone =
                        (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'));
                    let fence = if is_alone { "$$" } else { "$" };
                    out.push_str(&format!("{fence}{}{fence}", if fence == "$" { inside.trim() } else { inside }));
                    end
                }
                _ => {
                    out.push_str(&"\\$".repeat(dollars));
                    found + dollars
                }
            };
        }
        out + &text[at..]
    }
}

/// Returns what is between two signs in a paragraph.
fn inside<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let near = &text[open.len()..text.floor_char_boundary(open.len() + LONGEST)];
    let near = &near[..near.find("\n\n").unwrap_or(near.len())];
    near.find(close).map(|end| &near[..end]).filter(|inside| !inside.trim().is_empty())
}

/// What is in a list of attributes: `#id .class key="value"`.
#[derive(Debug, Default, PartialEq)]
pub struct Attributes {
    /// The id.
    pub id: Option<String>,
    /// Everything else as it is written.
    pub others: Vec<String>,
}

/// Reads a list of attributes without its braces.
pub fn attributes(inside: &str) -> Attributes {
    let mut attributes = Attributes::default();
    for part in inside.split_whitespace() {
        let id = part.strip_prefix('#').or_else(|| Some(part.strip_prefix("id=")?.trim_matches(['"', '\''])));
        let is_sign = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        match id.filter(|id| !id.is_empty() && id.chars().all(is_sign)) {
            Some(id) => attributes.id = Some(id.to_owned()),
            None => attributes.others.push(part.to_owned()),
        }
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_between_dollars_and_prices_are_text() {
        let signs = [("\\(", "\\)"), ("\\[", "\\]")];
        let of = |dollars| Formulas { signs, dollars };
        for (dollars, text, expected) in [
            (Dollars::Formulas, "\\( a \\) and $b$ `\\(c\\)`", "$a$ and $b$ `\\(c\\)`"),
            (Dollars::Doubled, "\\[ a \\] costs $5 and $6", "$$a$$ costs \\$5 and \\$6"),
            (Dollars::Doubled, "$$ a^2 $$\n\nInline $$x$$ $5", "$$ a^2 $$\n\nInline $x$ \\$5"),
            (Dollars::Doubled, "\\$$no$$", "\\$\\$no\\$\\$"),
            (Dollars::Doubled, "```\n$5\n```\n$5", "```\n$5\n```\n\\$5"),
        ] {
            assert_eq!(of(dollars).rewrite(text), expected, "{text}");
        }
        for piece in ["`", "$$", "\\(", "```\n", "`` ` "] {
            of(Dollars::Doubled).rewrite(&piece.repeat(5_000));
        }
    }

    #[test]
    fn attributes_are_an_id_and_others() {
        let expected = Attributes { id: Some("a-b".into()), others: vec![".c".into(), "width=\"3\"".into()] };
        assert_eq!(attributes(" #a-b .c width=\"3\""), expected);
    }
}
