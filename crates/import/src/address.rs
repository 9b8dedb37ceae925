//! Addresses of the old site, and of what the new one makes.

use percent_encoding::percent_decode_str;
use sitegen_core::paths::{composed, is_of_address};

/// Returns an address as a browser would ask for it: from the root, decoded, without `.` and doubled slashes. The error says why
/// it cannot be one.
pub fn cleaned(address: &str) -> Result<String, String> {
    let decoded = percent_decode_str(address).decode_utf8().map_err(|_| "it is not UTF-8".to_owned())?;
    let decoded = composed(&decoded);
    let mut parts = Vec::new();
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err("it leads out of the site".to_owned()),
            part if part.len() > 250 => return Err("a part of it is longer than a file name may be".to_owned()),
            part => parts.push(part),
        }
    }
    if decoded.chars().any(|letter| letter.is_control() || "\\?#".contains(letter)) {
        return Err("it has characters that no file name may have".to_owned());
    }
    let end = if decoded.ends_with('/') && !parts.is_empty() { "/" } else { "" };
    Ok(format!("/{}{end}", parts.join("/")))
}

/// Returns the route of an address, by which the engine and links name it: without `/`, `/index.html` or `.html` at its end.
pub fn route(address: &str) -> String {
    let path = address.strip_suffix("index.html").filter(|path| path.ends_with('/')).unwrap_or(address);
    let path = path.strip_suffix(".html").unwrap_or(path).trim_end_matches('/');
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

/// Returns what the key `path` says of an address, or none if the engine gives a page no such address. What has neither a slash
/// nor an extension at its end is the work of `settings.routes`.
pub fn exact(address: &str) -> Option<String> {
    let address = address.strip_suffix("index.html").filter(|path| path.ends_with('/')).unwrap_or(address);
    let is_sign = |letter: char| is_of_address(letter) || letter == '/';
    let is_part = |part: &str| !part.starts_with('.') && !part.ends_with('.');
    let is_possible = address.chars().all(is_sign)
        && address.trim_matches('/').split('/').all(is_part)
        && !address.starts_with("/assets/")
        && !is_later_page(&route(address));
    is_possible.then(|| address.to_owned())
}

/// Whether a route is one that lists have for their further pages.
fn is_later_page(route: &str) -> bool {
    let mut parts = route.rsplit('/');
    parts.next().is_some_and(|last| last.parse::<u32>().is_ok()) && parts.next() == Some("page")
}

/// Returns how an address ends: with a slash, with `.html`, or with neither.
pub fn suffix(address: &str) -> &'static str {
    match () {
        () if address.ends_with('/') || address.ends_with("/index.html") => "/",
        () if address.ends_with(".html") => ".html",
        () => "",
    }
}

/// Whether the path of a file in `content/pages` can be this route.
pub fn is_plain(route: &str) -> bool {
    let is_sign = |letter: char| is_of_address(letter) && !letter.is_uppercase() || letter == '/';
    let is_part = |part: &str| !part.starts_with('.') && !part.ends_with(['.', '~']);
    route == "/" || route.chars().all(is_sign) && route[1..].split('/').all(is_part) && !is_later_page(route)
}

/// Makes a route that the path of a file can be.
pub fn plain(route: &str) -> String {
    let parts = route.split('/').filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(file_name).collect();
    format!("/{}", parts.join("/"))
}

/// Makes the name of an entry's file.
pub fn file_name(text: &str) -> String {
    let is_sign = |letter: char| is_of_address(letter) && !letter.is_uppercase() && letter != '~';
    if !text.is_empty() && text.chars().all(is_sign) && !text.starts_with('.') && !text.ends_with('.') {
        return text.to_owned();
    }
    let slug = slug::slugify(text);
    if slug.is_empty() { "untitled".to_owned() } else { slug.chars().take(120).collect() }
}

/// Puts an address of the site that a text names into the form in which routes are compared. `base_path` is the path of the old
/// site on its host.
pub fn lookup(address: &str, base_path: &str) -> Option<String> {
    let cleaned = cleaned(address).ok()?;
    let base = base_path.trim_end_matches('/');
    let inside = match cleaned.strip_prefix(base) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
        _ => &cleaned,
    };
    Some(route(if inside.is_empty() { "/" } else { inside }))
}

/// Splits an address into its path and what follows: `?` and `#`.
pub fn parts(address: &str) -> (&str, &str) {
    address.split_at(address.find(['?', '#']).unwrap_or(address.len()))
}

/// Resolves an address that is relative to that of a page, as browsers do.
pub fn resolved(from: &str, address: &str) -> Option<String> {
    if address.starts_with('/') {
        return Some(address.to_owned());
    }
    let end = if address.ends_with('/') { "/" } else { "" };
    Some(format!("/{}{end}", super::old::join(super::old::folder(from), address)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_in_the_site() {
        for wrong in ["../../x", "/a/../b", "/a?b", "/a\\b", "/a\nb", "/%2e%2e/b", "/%ff"] {
            assert!(cleaned(wrong).is_err(), "{wrong}");
        }
        assert_eq!(cleaned("a//b/./c/").as_deref(), Ok("/a/b/c/"));
        assert_eq!(cleaned("/caf%C3%A9").as_deref(), Ok("/café"));
        assert_eq!(cleaned("/").as_deref(), Ok("/"));
    }

    #[test]
    fn routes_are_addresses_without_their_end() {
        for (address, expected, end) in [
            ("/", "/", "/"),
            ("/index.html", "/", "/"),
            ("/a/b/", "/a/b", "/"),
            ("/a/b.html", "/a/b", ".html"),
            ("/a/v1.2", "/a/v1.2", ""),
            ("/a/index.html", "/a", "/"),
        ] {
            assert_eq!((route(address).as_str(), suffix(address)), (expected, end), "{address}");
        }
        assert_eq!(exact("/2015/Rust-1.0.html").as_deref(), Some("/2015/Rust-1.0.html"));
        assert_eq!(exact("/a/index.html").as_deref(), Some("/a/"));
        assert_eq!(exact("/über/").as_deref(), Some("/über/"));
        assert_eq!((exact("/ü b/"), exact("/a→b")), (None, None));
        assert!(is_plain("/2015/05/rust-1.0") && is_plain("/über") && is_plain("/東京/मंत्र"));
        assert!(!is_plain("/Rust") && !is_plain("/Über") && !is_plain("/posts/page/2"));
        assert_eq!(cleaned("/u%CC%88ber/").as_deref(), Ok("/über/"));
        assert_eq!(lookup("/docs/a/#x", "/docs"), None);
        assert_eq!(lookup("/docs/a/", "/docs").as_deref(), Some("/a"));
        assert_eq!(resolved("/a/b/", "../c").as_deref(), Some("/a/c"));
        assert_eq!(resolved("/a/b.html", "c.html").as_deref(), Some("/a/c.html"));
    }
}
