//! Whole addresses of the web, read as browsers read them.

use sitegen_core::paths::{composed, in_ascii, is_percent_encoding};
use std::borrow::Cow;
use url::{Host, Url};

/// Reads a whole address of the web, like `https://www.example.com/path` or `//www.example.com`, as browsers do (URL
/// Standard, "basic URL parser"). Nothing for one that leads to no host, or to a name that no name server has (RFC 1123, 2.1)
/// and no policy can allow (CSP Level 3, 2.3.1 "host-char"; browsers also know `_`).
pub fn web_address(address: &str) -> Option<Url> {
    let (scheme, rest) = address.split_once("//").filter(|(scheme, _)| !scheme.contains('/'))?;
    let url = match scheme {
        "" => Url::parse(&format!("https://{rest}")),
        _ => Url::parse(address),
    };
    // The parser also takes `https:///a` for `https://a`.
    let url = url.ok().filter(|url| matches!(url.scheme(), "https" | "http") && !rest.starts_with(['/', '\\']))?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(is_part)
    };
    match url.host()? {
        Host::Domain(name) => name.strip_suffix('.').unwrap_or(name).split('.').all(is_label).then_some(url),
        _ => Some(url),
    }
}

/// Whether a text is an address with a scheme, as browsers read it: letters of all scripts are allowed, white space is not.
pub fn is_absolute(text: &str) -> bool {
    let is_plain = |letter: char| !letter.is_whitespace() && !letter.is_control() && !"<>\"{}|\\^`".contains(letter);
    let Some(scheme) = scheme_of(text).filter(|_| text.chars().all(is_plain) && is_percent_encoding(text)) else {
        return false;
    };
    let rest = &text[scheme.len() + 1..];
    match scheme.as_str() {
        "http" | "https" => rest.starts_with("//") && !rest.starts_with("///") && Url::parse(text).is_ok(),
        _ => !rest.is_empty(),
    }
}

/// Splits the address of a site into its origin and its path. Nothing if pages cannot be published at it.
///
/// Origins are as browsers write them (WHATWG URL Standard): in lower case, without a default port, names of other scripts
/// in Punycode.
pub fn split_base_url(address: &str) -> Option<(String, String)> {
    let url = web_address(address)?;
    let is_bare =
        url.username().is_empty() && url.password().is_none() && !address.contains(['?', '#', '@', '\\', ' ']);
    let path = url.path();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    // A path that the parser has changed, such as one with `..`, is not the one that was meant.
    let (_, rest) = address.split_once("://")?;
    let written = rest.find('/').map_or("/", |at| &rest[at..]);
    let is_path = path == written && path.bytes().all(is_plain) && !path.contains("//") && !rest.starts_with('/');
    let origin = url.origin().ascii_serialization();
    (is_bare && is_path).then(|| (origin, path.trim_end_matches('/').to_owned()))
}

/// Returns the address of a link or picture with the name of its host as name servers have it: percent-encoded as the rest
/// of an address is, programs other than browsers find no host of that name.
pub fn with_ascii_host(address: &str) -> (Cow<'_, str>, &str) {
    // Most addresses have nothing to convert, and are not parsed for it.
    if address.is_ascii() && !address.contains('[') {
        return (Cow::Borrowed(""), address);
    }
    let start = address.find("//").map_or(0, |at| at + 2);
    let end = address[start..].find(['/', '?', '#', '\\']).map_or(address.len(), |at| start + at);
    let host = &address[start..end];
    match web_address(address) {
        Some(url) if (!host.is_ascii() || host.starts_with('[')) && !host.contains('@') => {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            let name = url.host_str().unwrap_or_default();
            (Cow::Owned(format!("{}{name}{port}", &address[..start])), &address[end..])
        }
        _ => (Cow::Borrowed(""), address),
    }
}

/// Returns the scheme of an address in lower case, read as leniently as browsers do: they skip white space and control
/// characters (WHATWG URL Standard, "basic URL parser"), so `java\tscript:` gets through naive checks.
pub fn scheme_of(address: &str) -> Option<String> {
    // Most addresses are paths and fragments.
    if address.starts_with(['/', '#']) {
        return None;
    }
    let mut scheme = String::new();
    for letter in address.chars().filter(|letter| !letter.is_control() && !letter.is_whitespace()) {
        match letter {
            ':' => return (!scheme.is_empty()).then(|| scheme.to_lowercase()),
            letter if letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.') => scheme.push(letter),
            _ => return None,
        }
    }
    None
}

/// Returns an address of the site with composed letters, if it has others. Other sites may have any names.
pub fn composed_address(address: &str) -> Option<String> {
    if address.is_ascii() && !address.contains('%') || address.starts_with("//") || scheme_of(address).is_some() {
        return None;
    }
    // Letters other than ASCII alone: `%2F` is no `/`.
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let letter = after.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|byte| !byte.is_ascii());
        bytes.push(letter.unwrap_or(b'%'));
        rest = if letter.is_some() { &after[2..] } else { after };
    }
    bytes.extend(rest.bytes());
    match composed(std::str::from_utf8(&bytes).ok()?) {
        Cow::Owned(new) => Some(in_ascii(&new).into_owned()),
        Cow::Borrowed(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_scheme_may_have_letters_of_all_scripts() {
        for address in
            ["https://bücher.example", "https://a.example/ä?b=%C3%A4", "mailto:a@b.example", "HTTP://[::1]:80"]
        {
            assert!(is_absolute(address), "{address}");
        }
        for text in [
            "",
            "/a",
            "a.example",
            "https:a.example",
            "https:///a",
            "https://",
            "https://a b",
            "tel:",
            "https://a/%z",
            "//a",
        ] {
            assert!(!is_absolute(text), "{text}");
        }
    }

    #[test]
    fn whole_addresses_are_read_as_browsers_read_them() {
        let host = |address| web_address(address).and_then(|url| url.host_str().map(str::to_owned));
        for (address, name) in [
            ("https://www.bäckerei-müller.de/brot", "www.xn--bckerei-mller-bfb28a.de"),
            ("https://b%C3%BCcher.example", "xn--bcher-kva.example"),
            ("HTTP://A.Example?b", "a.example"),
            ("//a.example./b", "a.example."),
            ("https://[::1]:80/", "[::1]"),
            ("https://me@a_b.example", "a_b.example"),
            ("https://127.1/", "127.0.0.1"),
        ] {
            assert_eq!(host(address).as_deref(), Some(name), "{address}");
        }
        for wrong in [
            "https:a.example",
            "https:/a.example//b",
            "https://alert(1)",
            "https://a.example,b.example",
            "https://a'b.example",
            "https:///a.example",
            "https://",
            "https://a b.example",
            "https://a..example",
            "https://-a.example",
            "https://a-.example",
            "https://a.example:99999",
            "https://999.1.1.1",
            "https://a%2Fb.example",
            "ftp://a.example",
            "/a//b",
        ] {
            assert_eq!(host(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_of_hosts_are_written_as_name_servers_have_them() {
        let written = |address| {
            let (host, rest) = with_ascii_host(address);
            format!("{host}|{rest}")
        };
        assert_eq!(written("https://bücher.example:8443/ä?ö#ü"), "https://xn--bcher-kva.example:8443|/ä?ö#ü");
        assert_eq!(written("//[::1]?a"), "//[::1]|?a");
        for same in ["https://A.Example/ä", "/ä//b", "#ä", "mailto:ä@b.example", "https://ä..b"] {
            assert_eq!(written(same), format!("|{same}"));
        }
    }
}
