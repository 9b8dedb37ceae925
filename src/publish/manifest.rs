//! `manifest.json`: every file of a site with the SHA-256 of its bytes, and the mark of a folder that is ours.

use crate::sources::Digest;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Its name in the output folder.
pub const MANIFEST: &str = "manifest.json";
const GENERATOR: &str = "sitegen";

/// A manifest that was read.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    generator: String,
    /// The SHA-256 of every file by its path, in hexadecimal digits.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// The manifest of a folder, if it holds one of ours.
    pub fn of(folder: &Path) -> Option<Self> {
        Self::read(&folder.join(MANIFEST))
    }

    /// The manifest in a file, if it is one of ours.
    pub fn read(path: &Path) -> Option<Self> {
        let is_file = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
        let bytes = is_file.then(|| std::fs::read(path).ok()).flatten()?;
        serde_json::from_slice::<Manifest>(&bytes).ok().filter(|manifest| manifest.generator == GENERATOR)
    }
}

/// The manifest of these files.
pub fn text<'a>(files: impl Iterator<Item = (&'a str, Digest)>) -> String {
    let mut text = format!("{{\n  \"generator\": \"{GENERATOR}\",\n  \"files\": {{");
    let mut separator = "\n";
    for (path, digest) in files {
        let path = serde_json::Value::from(path);
        let _ = write!(text, "{separator}    {path}: \"{}\"", hexadecimal(&digest));
        separator = ",\n";
    }
    text.push_str(if separator == "\n" { "}\n}\n" } else { "\n  }\n}\n" });
    text
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The digest that hexadecimal digits stand for.
pub fn read_digest(text: &str) -> Option<Digest> {
    let mut digest = Digest::default();
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for files in [vec![], vec![("a \"b\"/ü.html", [1; 32]), ("c", [0xab; 32])]] {
            let text = text(files.iter().copied());
            let manifest: Manifest = serde_json::from_str(&text).unwrap();
            let read: Vec<_> =
                manifest.files.iter().map(|(path, digest)| (path.as_str(), read_digest(digest).unwrap())).collect();
            assert_eq!(read, files);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{value:#}\n"), text);
        }
    }
}
