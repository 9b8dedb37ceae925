//! Addresses of files, as editors write them (RFC 8089).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// What VS Code leaves as it is.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the file at an address. `None` for what is no file.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = percent_decode_str(path.split(['?', '#']).next()?).decode_utf8().ok()?;
    // Of Windows: `/c:/project`.
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive && cfg!(windows) { &path[1..] } else { &path }))
}

/// Returns the address of a file.
pub fn of_path(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&path, ENCODED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_agree() {
        let path = Path::new("/home/a b/größe/100%/x.md");
        let uri = of_path(path);
        assert_eq!(uri, "file:///home/a%20b/gr%C3%B6%C3%9Fe/100%25/x.md");
        assert_eq!(path_of(&uri).as_deref(), Some(path));
        assert_eq!(path_of("file://localhost/a"), Some(PathBuf::from("/a")));
        assert_eq!(path_of("untitled:Untitled-1"), None);
    }
}
