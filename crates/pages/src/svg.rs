//! Inserts SVG files into pages as markup.

use pulldown_cmark_escape::escape_html;

/// Returns the markup of an SVG's outermost element with a class, and either named or hidden from assistive technology.
///
/// `focusable` keeps old Edge from stopping at it with the Tab key.
pub fn inline(root: &str, class: Option<&str>, title: Option<&str>) -> String {
    let (open, rest) = root.split_at(end_of_tag(root));
    // HTML implies the namespace of every <svg>.
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

/// Returns the offset of the first tag's `>`. Values of attributes may contain others.
fn end_of_tag(markup: &str) -> usize {
    let mut quote = None;
    for (at, letter) in markup.char_indices() {
        match (quote, letter) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    markup.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_svg_is_hidden_unless_it_has_a_name() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><path/></svg>";
        assert_eq!(
            inline(svg, Some("art"), None),
            "<svg viewBox=\"0 0 1 1\" class=\"art\" aria-hidden=\"true\" focusable=\"false\"><path/></svg>"
        );
        assert!(inline("<svg id=\"a>b\"></svg>", Some("art"), None).starts_with("<svg id=\"a>b\" class=\"art\""));
        assert!(inline(svg, None, Some("A \"map\"")).contains("role=\"img\" aria-label=\"A &quot;map&quot;\""));
    }
}
