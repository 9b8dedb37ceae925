//! Writes the Content-Security-Policy of a page, from what the page really contains.

use super::facts::{Facts, Purpose, Reference};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};
use sitegen_content::address::scheme_of;
use sitegen_content::connections::{Connections, Kind};
use sitegen_content::web_address::web_address;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Returns the policy for a page: its own inline scripts and styles by their hashes, what it loads, and nothing else.
///
/// `connect-src` allows the site's `robots.txt` and nothing else: Lighthouse fetches it from within the page, and
/// subtracts eight points of a hundred for a policy that blocks this (its audit `robots-txt`).
///
/// Directives are those of CSP Level 3. `frame-ancestors`, `report-uri` and `sandbox` are left out because browsers
/// ignore them in a `<meta>`.
pub fn policy(facts: &Facts, origin: &str, connections: &Connections) -> String {
    let mut policy = String::from("default-src 'none'");
    let used = |kind: Kind| -> BTreeSet<String> {
        let used = facts.connections.iter().filter(move |(_, of)| *of == kind);
        used.filter_map(|(name, _)| connections.get(name)).map(|connection| connection.source().to_owned()).collect()
    };
    let mut add = |directive: &str, sources: BTreeSet<String>| {
        if !sources.is_empty() {
            let sources: Vec<String> = sources.into_iter().collect();
            policy.push_str(&format!("; {directive} {}", sources.join(" ")));
        }
    };
    // Most references of a page are links.
    let all_loaded: Vec<&Reference> = facts.references.iter().filter(|each| each.purpose.is_loaded()).collect();
    let loaded = |purpose: Purpose| -> BTreeSet<String> {
        let references = all_loaded.iter().filter(|reference| reference.purpose == purpose);
        references.filter_map(|reference| source_of(&reference.address)).collect()
    };
    let with_hashes = |mut sources: BTreeSet<String>, texts: &[String]| {
        let hash = |text: &String| STANDARD.encode(Sha256::digest(as_browsers_read(text).as_bytes()));
        sources.extend(texts.iter().map(|text| format!("'sha256-{}'", hash(text))));
        sources
    };
    let mut scripts = loaded(Purpose::Script);
    scripts.extend(used(Kind::Script));
    add("script-src", with_hashes(scripts, &facts.scripts));
    add("style-src", with_hashes(loaded(Purpose::Style), &facts.styles));
    add("img-src", loaded(Purpose::Image));
    add("font-src", loaded(Purpose::Font));
    add("media-src", loaded(Purpose::Media));
    add("frame-src", loaded(Purpose::Frame));
    add("manifest-src", loaded(Purpose::Manifest));
    let mut fetched = used(Kind::Fetch);
    // An IPv6 address is not a valid source of a policy (CSP Level 3, 2.3.1, `host-part`).
    if !origin.contains('[') {
        fetched.insert(format!("{origin}/robots.txt"));
    }
    if facts.has_search {
        fetched.insert("'self'".to_owned());
    }
    add("connect-src", or_none(fetched));
    let mut targets = used(Kind::Form);
    // Some browsers also block where the answer to a form leads (github.com/w3c/webappsec-csp/issues/8).
    if !targets.is_empty() && !targets.contains("'self'") {
        let pages = facts.references.iter().filter(|reference| reference.purpose == Purpose::Success);
        targets.extend(pages.filter_map(|page| page_of(&page.address, origin)));
    }
    add("form-action", or_none(targets));
    policy.push_str("; base-uri 'none'");
    policy
}

fn or_none(sources: BTreeSet<String>) -> BTreeSet<String> {
    if sources.is_empty() { BTreeSet::from(["'none'".to_owned()]) } else { sources }
}

/// Returns the source expression for one page of the site.
fn page_of(address: &str, origin: &str) -> Option<String> {
    let path = address.strip_prefix(origin).unwrap_or(address);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%".contains(&byte);
    let is_path = path.starts_with('/') && !path.starts_with("//") && path.bytes().all(is_plain);
    (is_path && !origin.contains('[')).then(|| format!("{origin}{path}"))
}

/// Returns the source expression for an address: `'self'`, or exactly its origin.
fn source_of(address: &str) -> Option<String> {
    match scheme_of(address).as_deref() {
        None if !address.starts_with("//") => Some("'self'".to_owned()),
        // Nothing that could end a directive is in an origin, and an address that leads to no host is reported.
        None | Some("https" | "http") => Some(web_address(address)?.origin().ascii_serialization()),
        Some("data") => Some("data:".to_owned()),
        Some(_) => None,
    }
}

/// Returns a text as a browser hashes it: line ends are made `\n` before anything else is read (HTML Standard 13.2.3.5,
/// "preprocessing the input stream"), and for NUL there is a replacement character (13.2.5.4, "script data state").
fn as_browsers_read(text: &str) -> Cow<'_, str> {
    if text.contains(['\r', '\0']) {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str, origin: &str) -> String {
        let connections = Connections::default();
        policy(&Facts::read(html, &connections), origin, &connections)
    }

    #[test]
    fn hashes_are_those_of_the_text_that_browsers_read() {
        let policy = |text: &str| of(&format!("<head></head><script>{text}</script>"), "https://a.example");
        let expected = policy("a()\nb()\n\nc()");
        assert!(expected.contains("'sha256-"), "{expected}");
        for text in ["a()\r\nb()\r\n\r\nc()", "a()\rb()\r\rc()", "a()\r\nb()\n\rc()"] {
            assert_eq!(policy(text), expected, "{text:?}");
        }
        assert_eq!(policy("a(\"\0\")"), policy("a(\"\u{fffd}\")"));
    }

    #[test]
    fn a_page_without_anything_may_load_nothing() {
        assert_eq!(
            of("<head></head><body><a href=\"https://a.example\">a</a></body>", "https://b.example"),
            "default-src 'none'; connect-src https://b.example/robots.txt; form-action 'none'; base-uri 'none'"
        );
        assert_eq!(
            of("<head></head><body></body>", "http://[::1]:8000"),
            "default-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'"
        );
    }

    #[test]
    fn data_in_styles_is_allowed_for_what_it_is() {
        let policy = |css: &str| of(&format!("<head><style>{css}</style></head>"), "https://b.example");
        let picture = policy("a{background:url(\"data:image/svg+xml,<svg fill='url(#a)'/>\")}");
        assert!(picture.contains("; img-src data:;") && !picture.contains("font-src"), "{picture}");
        let font = policy("@font-face{font-family:A;src:url(data:font/woff2;base64,AAAA)}");
        assert!(font.contains("; font-src data:;") && !font.contains("img-src"), "{font}");
        let both = policy("@font-face{src:url(/a.woff2)}a{cursor:url(data:image/png;base64,AA),auto}");
        assert!(both.contains("; img-src data:; font-src 'self';"), "{both}");
        assert!(!policy("@import url(data:text/css,a{});").contains("data:"));
    }

    #[test]
    fn only_what_the_page_uses_is_allowed() {
        let policy = of(
            "<head><style>a{}</style></head><img src=\"https://i.example/x;script-src *\"><img src=\"/a.png\">\
             <script type=module>x</script><div data-island=A data-modules=\"/a.js /b.js\"></div>",
            "https://b.example",
        );
        assert!(policy.contains("; img-src 'self' https://i.example;"), "{policy}");
        assert!(policy.contains("; script-src 'self' 'sha256-"), "{policy}");
        assert!(policy.contains("; style-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    }
}
