//! Drawings that are put into pages as markup.

use pulldown_cmark_escape::escape_html;

/// Elements that load, run or style something outside the drawing.
const REFUSED: [&str; 10] =
    ["script", "foreignobject", "style", "iframe", "image", "use", "animate", "set", "animatetransform", "a"];

/// What keeps a drawing from being put into a page, if anything does.
pub fn refusal(svg: &str) -> Option<String> {
    let root = body(svg);
    if !root.starts_with("<svg") || !root.trim_end().ends_with("</svg>") || root.matches("<svg").count() != 1 {
        return Some("expected one `<svg>` element".into());
    }
    for (at, _) in root.match_indices('<') {
        let rest = &root[at + 1..];
        if rest.starts_with(['!', '?']) && !rest.starts_with("!--") {
            return Some("it contains a declaration".into());
        }
        let name: String = rest.trim_start_matches('/').chars().take_while(|letter| letter.is_alphanumeric()).collect();
        if REFUSED.contains(&name.to_lowercase().as_str()) {
            return Some(format!("it contains `<{name}>`"));
        }
        let tag = &rest[..rest.find('>').unwrap_or(rest.len())];
        for attribute in attributes(tag) {
            let attribute = attribute.to_lowercase();
            if attribute.starts_with("on") || matches!(attribute.as_str(), "style" | "href" | "xlink:href") {
                return Some(format!("it has the attribute `{attribute}`"));
            }
        }
    }
    None
}

/// The drawing's markup with a class, and either a name or hidden from assistive technology.
///
/// `focusable` keeps old Edge from stopping at it with the Tab key.
pub fn inline(svg: &str, class: Option<&str>, title: Option<&str>) -> String {
    let root = body(svg).trim_end();
    let end = root.find('>').unwrap_or(root.len());
    let (open, rest) = root.split_at(end);
    // The namespace is that of every <svg> in HTML.
    let mut out = open.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    let mut attribute = |name: &str, value: &str| {
        out.push_str(&format!(" {name}=\""));
        // Writing to a String cannot fail.
        let _ = escape_html(&mut out, value);
        out.push('"');
    };
    if let Some(class) = class {
        attribute("class", class);
    }
    match title {
        Some(title) => {
            attribute("role", "img");
            attribute("aria-label", title);
        }
        None => attribute("aria-hidden", "true"),
    }
    attribute("focusable", "false");
    out.push_str(rest);
    out
}

/// The text from the root element on.
fn body(svg: &str) -> &str {
    let text = svg.trim_start_matches('\u{feff}').trim();
    match text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) {
        Some((_, rest)) => rest.trim_start(),
        None => text,
    }
}

/// The names of a tag's attributes, read leniently: whatever could be one counts.
fn attributes(tag: &str) -> impl Iterator<Item = &str> {
    tag.split('=')
        .filter_map(|part| part.trim_end().rsplit([' ', '\t', '\n', '\r', '"', '\'', '/']).next())
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_with_script_styles_or_links_are_refused() {
        for bad in [
            "<svg><script>x</script></svg>",
            "<svg onload=\"x\"></svg>",
            "<svg><path\nonclick = 'x'/></svg>",
            "<svg><g/onmouseover=x></g></svg>",
            "<svg><path style=\"fill:red\"/></svg>",
            "<svg><a href=\"javascript:x\">t</a></svg>",
            "<svg><use href=\"#x\"/></svg>",
            "<!DOCTYPE svg [<!ENTITY x \"y\">]><svg></svg>",
            "<p>no drawing</p>",
            "<svg></svg><svg></svg>",
        ] {
            assert!(refusal(bad).is_some(), "{bad}");
        }
        assert_eq!(refusal("<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/></svg>\n"), None);
    }

    #[test]
    fn a_drawing_is_hidden_unless_it_has_a_name() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><path/></svg>";
        assert_eq!(
            inline(svg, Some("art"), None),
            "<svg viewBox=\"0 0 1 1\" class=\"art\" aria-hidden=\"true\" focusable=\"false\"><path/></svg>"
        );
        assert!(inline(svg, None, Some("A \"map\"")).contains("role=\"img\" aria-label=\"A &quot;map&quot;\""));
    }
}
