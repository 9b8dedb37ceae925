//! Names of files, pages and sections in addresses and ids, with each letter and its accents as one character (Unicode NFC).

use sitegen_content::web_address::composed_address;
use sitegen_core::html;
use sitegen_core::paths::composed;
use std::borrow::Cow;

/// Returns the value of an attribute, named in lower case, with [composed] letters, if it has addresses of the site or names
/// elements by their ids and is not composed yet: published files, pages and sections have composed names, and hosts and
/// browsers compare bytes.
pub fn composed_name(name: &str, value: &str) -> Option<String> {
    if value.is_ascii() && !value.contains('%') {
        return None;
    }
    if html::is_address(name) {
        return composed_address(value);
    }
    if matches!(name, "imagesrcset" | "srcset") {
        return html::with_addresses(value, composed_address);
    }
    let is_id =
        name.starts_with("aria-") || matches!(name, "id" | "for" | "form" | "headers" | "list" | "name" | "usemap");
    match composed(value) {
        Cow::Owned(new) if is_id => Some(new),
        _ => None,
    }
}

/// Returns HTML in which every name is [composed](composed_name).
pub fn with_composed_names(html: &str) -> String {
    html::with_attributes(html, composed_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_site_are_composed_and_nothing_else() {
        for (address, new) in [
            ("/gru\u{308}n.png", Some("/gr%C3%BCn.png")),
            ("/gru%CC%88n.png?a=%2F#o%cc%88", Some("/gr%C3%BCn.png?a=%2F#%C3%B6")),
            ("gr%C3%BCn.png", None),
            ("/grün.png", None),
            ("/a%2Fb%20c", None),
            ("/100%", None),
            ("/u%CC", None),
            ("https://www.a.test/gru%CC%88n", None),
            ("//www.a.test/gru%CC%88n", None),
        ] {
            assert_eq!(composed_address(address).as_deref(), new, "{address}");
        }
        let html = "<p id='o\u{308}' title='o\u{308}' data-a=o\u{308}><img srcset='/a.png 1x, /o\u{308}.png 2x'><a href=#o\u{308}>o\u{308}</a>";
        let expected = "<p id=\"ö\" title='o\u{308}' data-a=o\u{308}><img srcset=\"/a.png 1x, /%C3%B6.png 2x\"><a href=\"#%C3%B6\">o\u{308}</a>";
        assert_eq!(with_composed_names(html), expected);
    }
}
