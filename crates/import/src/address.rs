//! Addresses of the old site, and of what the new one makes.

use percent_encoding::percent_decode_str;

/// How a page is written by its old generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `/about/` or `/about/index.html`.
    Directory,
    /// `/about.html`, and `/about` of Jekyll, which is the same file.
    File,
    /// A file of another type, such as `/feed.xml`.
    Other,
}

/// Returns an address as a browser would ask for it: from the root, decoded, without `.` and doubled slashes. The error says why
/// it cannot be one.
pub fn cleaned(address: &str) -> Result<String, String> {
    let decoded = percent_decode_str(address).decode_utf8().map_err(|_| "it is not UTF-8".to_owned())?;
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

/// Returns the form of an address.
pub fn form(address: &str) -> Form {
    let name = address.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        _ if name.is_empty() || name == "index.html" => Form::Directory,
        Some((_, "html")) | None => Form::File,
        Some((_, extension)) if extension.chars().all(|letter| letter.is_ascii_digit()) => Form::File,
        Some(_) => Form::Other,
    }
}

/// Returns the route of an address, by which the engine and links name it: without `/`, `/index.html` or `.html` at its end.
pub fn route(address: &str) -> String {
    let path = address.strip_suffix("index.html").filter(|path| path.ends_with('/')).unwrap_or(address);
    let path = path.strip_suffix(".html").unwrap_or(path).trim_end_matches('/');
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

/// Whether the path of a file in `content/pages` can be this route.
pub fn is_plain(route: &str) -> bool {
    let is_sign = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.~/".contains(letter);
    let is_part = |part: &str| !part.starts_with('.') && !part.ends_with(['.', '~']);
    let page_number = || {
        let mut parts = route.rsplit('/');
        parts.next().is_some_and(|last| last.parse::<u32>().is_ok()) && parts.next() == Some("page")
    };
    route == "/" || route.chars().all(is_sign) && route[1..].split('/').all(is_part) && !page_number()
}

/// Makes a route that the path of a file can be.
pub fn plain(route: &str) -> String {
    let parts = route.split('/').filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(|part| file_name(part)).collect();
    format!("/{}", parts.join("/"))
}

/// Makes the name of an entry's file.
pub fn file_name(text: &str) -> String {
    let is_sign = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.".contains(letter);
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
        for (address, expected, is) in [
            ("/", "/", Form::Directory),
            ("/index.html", "/", Form::Directory),
            ("/a/b/", "/a/b", Form::Directory),
            ("/a/b.html", "/a/b", Form::File),
            ("/a/v1.2", "/a/v1.2", Form::File),
            ("/a/index.html", "/a", Form::Directory),
            ("/a/feed.xml", "/a/feed.xml", Form::Other),
        ] {
            assert_eq!((route(address).as_str(), form(address)), (expected, is), "{address}");
        }
        assert!(
            is_plain("/2015/05/rust-1.0") && !is_plain("/Rust") && !is_plain("/über") && !is_plain("/posts/page/2")
        );
        assert_eq!(lookup("/docs/a/#x", "/docs"), None);
        assert_eq!(lookup("/docs/a/", "/docs").as_deref(), Some("/a"));
        assert_eq!(resolved("/a/b/", "../c").as_deref(), Some("/a/c"));
        assert_eq!(resolved("/a/b.html", "c.html").as_deref(), Some("/a/c.html"));
    }
}
