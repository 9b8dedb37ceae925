//! Reads SVG files as drawing programs write them: without the declaration of a document type, and as UTF-8.
//!
//! Illustrator, Inkscape and Graphviz begin a file with `<!DOCTYPE svg …>`, which says nothing to browsers, and Illustrator
//! declares abbreviations of namespaces in it (`<!ENTITY ns_svg "http://www.w3.org/2000/svg">`). In a page, which browsers read
//! as HTML, neither means anything. What is published has the abbreviated texts in full. A declaration that does more than this
//! stays, and is refused by whoever checks the file.
//!
//! An SVG that was copied from a page has no namespace, because HTML needs none. As a file of its own it is XML, of which browsers
//! then show nothing (SVG 2, 5.9.1), so it gets its namespace.

use std::borrow::Cow;

/// The most abbreviations, and the longest text of one in bytes: Illustrator declares about ten of 50 bytes.
const MOST_ENTITIES: usize = 100;
const LONGEST_ENTITY: usize = 1000;

/// Returns an SVG file as it is published. Lines stay what they are.
pub fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    let decoded = decoded(bytes);
    let text = match &decoded {
        Some(text) => text.as_str(),
        None => match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => return Cow::Borrowed(bytes),
        },
    };
    let plain = without_declaration(text);
    let with_namespace = with_namespace(plain.as_deref().unwrap_or(text));
    match with_namespace.or(plain).or(decoded) {
        Some(plain) => Cow::Owned(plain.into_bytes()),
        None => Cow::Borrowed(bytes),
    }
}

/// Returns the text with the namespace of SVG, if its first element is `<svg>` without any.
fn with_namespace(text: &str) -> Option<String> {
    const ROOT: &str = "<svg";
    let element = element(text);
    let mut rest = element.strip_prefix(ROOT)?;
    if !rest.starts_with(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>')) {
        return None;
    }
    // The values of attributes may contain anything but their quote.
    loop {
        let (names, after) = rest.split_at(rest.find(['"', '\'', '>'])?);
        if names.trim_end().trim_end_matches('=').trim() == "xmlns" {
            return None;
        }
        let quote = after.chars().next().filter(|quote| *quote != '>');
        let Some(quote) = quote else { break };
        rest = after[1..].split_once(quote)?.1;
    }
    let (before, after) = text.split_at(text.len() - element.len() + ROOT.len());
    Some(format!("{before} xmlns=\"http://www.w3.org/2000/svg\"{after}"))
}

/// Returns a text from its first element or declaration of a document type on.
fn element(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            _ => return rest,
        };
        rest = rest.split_once(end).map_or("", |(_, rest)| rest).trim_start();
    }
}

/// Decodes a file whose XML declaration names ISO 8859-1. Nothing for one with bytes that this leaves to control characters:
/// it is in another encoding.
fn decoded(bytes: &[u8]) -> Option<String> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(declaration, b"?>")?;
    let declaration = std::str::from_utf8(&declaration[..end]).ok()?;
    let (before, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (name, after) = value[1..].split_once(quote)?;
    let is_latin = ["iso-8859-1", "latin1", "iso8859-1"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let rest = &bytes["<?xml".len() + end..];
    if !is_latin || rest.iter().any(|byte| (0x80..0xa0).contains(byte)) {
        return None;
    }
    let rest: String = rest.iter().map(|byte| char::from(*byte)).collect();
    Some(format!("<?xml{before}encoding={quote}utf-8{quote}{after}{rest}"))
}

/// Returns the text without its declaration, if it has one that abbreviates texts at most.
fn without_declaration(text: &str) -> Option<String> {
    let start = declaration(text)?;
    let (entities, rest) = entities(&text[start..])?;
    let end = text.len() - rest.len();
    let mut plain = String::with_capacity(text.len());
    plain.push_str(&text[..start]);
    // Messages name lines and columns of the file.
    plain.extend(text[start..end].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
    let most = 2 * text.len() + 100_000;
    for (at, part) in rest.split('&').enumerate() {
        let named = part.split_once(';').filter(|_| at > 0);
        let value = named.and_then(|(name, rest)| {
            entities.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, rest))
        });
        match value {
            Some((value, rest)) => {
                plain.push_str(&value.replace('"', "&quot;").replace('\'', "&apos;"));
                plain.push_str(rest);
            }
            None => {
                plain.push_str(if at > 0 { "&" } else { "" });
                plain.push_str(part);
            }
        }
        if plain.len() > most {
            return None;
        }
    }
    Some(plain)
}

/// Finds a `<!DOCTYPE` before the first element.
fn declaration(text: &str) -> Option<usize> {
    let rest = element(text);
    rest.starts_with("<!DOCTYPE").then_some(text.len() - rest.len())
}

/// An abbreviation and its text.
type Entity<'a> = (&'a str, &'a str);

/// Reads a declaration (XML 1.0, 2.8 and 4.2): the texts that it abbreviates, and what follows it. Nothing if it declares
/// anything else.
fn entities(text: &str) -> Option<(Vec<Entity<'_>>, &str)> {
    let rest = text.strip_prefix("<!DOCTYPE")?.trim_start().strip_prefix("svg")?;
    let mut rest = rest
        .strip_prefix(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '[' | '>'))
        .map(|_| rest)?
        .trim_start();
    if let Some(public) = rest.strip_prefix("PUBLIC") {
        rest = quoted(quoted(public)?.1)?.1.trim_start();
    } else if let Some(system) = rest.strip_prefix("SYSTEM") {
        rest = quoted(system)?.1.trim_start();
    }
    let mut entities = Vec::new();
    if let Some(subset) = rest.strip_prefix('[') {
        rest = subset.trim_start();
        while let Some(after) = rest.strip_prefix("<!") {
            if let Some(comment) = after.strip_prefix("--") {
                rest = comment.split_once("-->")?.1.trim_start();
                continue;
            }
            let (name, after) = after.strip_prefix("ENTITY")?.trim_start().split_once(char::is_whitespace)?;
            let (value, after) = quoted(after)?;
            let is_plain = !value.contains(['&', '%', '<']) && value.len() <= LONGEST_ENTITY;
            let is_new = !["amp", "lt", "gt", "quot", "apos", "%"].contains(&name)
                && entities.iter().all(|(known, _)| *known != name);
            if !is_plain || !is_new || entities.len() == MOST_ENTITIES {
                return None;
            }
            entities.push((name, value));
            rest = after.trim_start().strip_prefix('>')?.trim_start();
        }
        rest = rest.strip_prefix(']')?.trim_start();
    }
    Some((entities, rest.strip_prefix('>')?))
}

/// Reads a text in quotation marks, after white space.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(bytes: &[u8]) -> String {
        String::from_utf8(plain(bytes).into_owned()).unwrap()
    }

    #[test]
    fn declarations_of_drawing_programs_are_left_out_and_lines_stay() {
        let public = "\"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\"";
        for declaration in [
            format!("<!DOCTYPE svg PUBLIC {public}>"),
            format!("<!DOCTYPE svg PUBLIC\n {public}\n[\n<!-- x > -->\n]>"),
            "<!DOCTYPE svg>".to_owned(),
            "<!DOCTYPE svg SYSTEM 'svg.dtd'>".to_owned(),
        ] {
            let text = format!(
                "<?xml version=\"1.0\"?>\n<!-- Generator > -->\n{declaration}\n<svg xmlns=\"x\">a &amp; b</svg>"
            );
            let blank: String = declaration.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
            assert_eq!(published(text.as_bytes()), text.replace(&declaration, &blank), "{declaration}");
        }
    }

    #[test]
    fn abbreviations_are_written_in_full() {
        let text = "<!DOCTYPE svg [ <!ENTITY ns_svg \"http://www.w3.org/2000/svg\"> <!ENTITY q 'a\"b'> ]>\
                    <svg xmlns=\"&ns_svg;\" id=\"&q;\">&ns_svg;&amp;&other; & &</svg>";
        let plain = published(text.as_bytes());
        assert_eq!(
            plain.trim_start(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"a&quot;b\">http://www.w3.org/2000/svg&amp;&other; & &</svg>"
        );
    }

    #[test]
    fn other_declarations_stay() {
        let long = "x".repeat(LONGEST_ENTITY);
        let many: String = (0..=MOST_ENTITIES).map(|number| format!("<!ENTITY e{number} 'x'>")).collect();
        for text in [
            "<!DOCTYPE html><svg/>".to_owned(),
            "<!DOCTYPE svgs><svg/>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg>&a;</svg>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY % a 'x'>]><svg/>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><svg>&b;</svg>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY a '<script/>'>]><svg>&a;</svg>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY lt 'x'>]><svg/>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY a 'x'><!ENTITY a 'y'>]><svg/>".to_owned(),
            "<!DOCTYPE svg [<!ATTLIST svg onload CDATA 'x()'>]><svg/>".to_owned(),
            "<!DOCTYPE svg [<!ENTITY a 'x'>".to_owned(),
            format!("<!DOCTYPE svg [{many}]><svg/>"),
            format!("<!DOCTYPE svg [<!ENTITY a '{long}'>]><svg>{}</svg>", "&a;".repeat(1000)),
            "<svg xmlns='x'><!DOCTYPE svg></svg>".to_owned(),
            "<svg xmlns='x'/>".to_owned(),
        ] {
            assert_eq!(published(text.as_bytes()), text);
        }
    }

    #[test]
    fn latin_1_is_decoded() {
        let text = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?>\n<svg xmlns=''>Gr\xf6\xdfe</svg>";
        assert_eq!(published(text), "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<svg xmlns=''>Größe</svg>");
        // What other encodings have there are quotation marks and the like.
        let other: &[u8] = b"<?xml version='1.0' encoding='iso-8859-1'?><svg>\x93a\x94</svg>";
        assert_eq!(*plain(other), *other);
        let utf_8 = "<?xml version='1.0' encoding='utf-8'?><svg xmlns=''>ö</svg>";
        assert_eq!(published(utf_8.as_bytes()), utf_8);
    }

    #[test]
    fn what_was_copied_from_a_page_gets_its_namespace() {
        let added = " xmlns=\"http://www.w3.org/2000/svg\"";
        for (before, after) in [
            ("<svg", "><path d='M0 0'/></svg>"),
            ("<svg", "/>"),
            (
                "\u{feff}<?xml version='1.0'?>\n<!-- <svg xmlns='x'> -->\n<svg",
                "\n viewBox=\"0 0 4 4\"><g xmlns='x'/></svg>",
            ),
            ("<svg", " class='>' aria-label=\" xmlns = \" xmlns:a='x'/>"),
        ] {
            assert_eq!(published(format!("{before}{after}").as_bytes()), format!("{before}{added}{after}"));
        }
        let declared = "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg><a>&a;</a></svg>";
        assert_eq!(published(declared.as_bytes()).trim_start(), format!("<svg{added}><a>b</a></svg>"));
        for kept in [
            "<svg xmlns='x'/>",
            "<svg\twidth='4'\nxmlns = \"x\"/>",
            "<svg width='4'xmlns='x'/>",
            "<svgs/>",
            "<s:svg xmlns:s='http://www.w3.org/2000/svg'/>",
            "<svg",
            "text",
            "",
        ] {
            assert_eq!(published(kept.as_bytes()), kept);
        }
    }
}
