//! `manifest.json`: every file of a site with the SHA-256 of its bytes, and the mark of a folder that is ours.

use super::tree::Tree;
use crate::sources::Digest;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Its name in the output folder.
pub const MANIFEST: &str = "manifest.json";
const GENERATOR: &str = "sitegen";

/// A manifest that was read.
#[derive(Debug, Deserialize)]
pub struct Manifest<Files = BTreeMap<String, String>> {
    generator: String,
    /// The SHA-256 of every file by its path, in hexadecimal digits.
    pub files: Files,
}

impl Manifest {
    /// The manifest of a folder, if it holds one of ours.
    pub fn of(folder: &Path) -> Option<Self> {
        Self::read(&folder.join(MANIFEST))
    }

    /// The digest of the file at a path.
    pub fn digest(&self, path: &str) -> Option<Digest> {
        read_digest(self.files.get(path)?)
    }

    /// The manifest in a file, if it is one of ours.
    pub fn read(path: &Path) -> Option<Self> {
        Self::load(path)
    }
}

impl<Files: DeserializeOwned> Manifest<Files> {
    fn load(path: &Path) -> Option<Self> {
        let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
        let bytes = is_file.then(|| fs::read(path).ok()).flatten()?;
        serde_json::from_slice(&bytes).ok().filter(|manifest: &Self| manifest.generator == GENERATOR)
    }
}

/// The paths of the files that the manifest of a folder names, if it is one of ours.
pub fn names(folder: &Path) -> Option<BTreeSet<String>> {
    names_in(&folder.join(MANIFEST))
}

/// The paths of the files that a manifest of ours names.
pub fn names_in(file: &Path) -> Option<BTreeSet<String>> {
    Manifest::<BTreeMap<String, IgnoredAny>>::load(file).map(|manifest| manifest.files.into_keys().collect())
}

/// Whether a folder holds the manifest of a site, letter for letter. A manifest that the site brings itself is not one.
pub fn is_that_of(folder: &Path, tree: &Tree) -> bool {
    let wanted = tree.file(&tree.root, MANIFEST).and_then(|index| tree.files[index].bytes.as_deref());
    let is_ours = |text: &[u8]| text.starts_with(format!("{{\n  \"generator\": \"{GENERATOR}\"").as_bytes());
    let is_file = fs::symlink_metadata(folder.join(MANIFEST)).is_ok_and(|found| found.is_file());
    is_file
        && wanted
            .is_some_and(|wanted| is_ours(wanted) && fs::read(folder.join(MANIFEST)).is_ok_and(|found| found == wanted))
}

/// The manifest of these files.
pub fn text<'a>(files: impl Iterator<Item = (&'a str, Digest)>) -> String {
    let mut text = format!("{{\n  \"generator\": \"{GENERATOR}\",\n  \"files\": {{");
    let mut separator = "\n";
    for (path, digest) in files {
        text.push_str(separator);
        text.push_str("    ");
        push_quoted(&mut text, path);
        text.push_str(": \"");
        push_hexadecimal(&mut text, &digest);
        text.push('"');
        separator = ",\n";
    }
    text.push_str(if separator == "\n" { "}\n}\n" } else { "\n  }\n}\n" });
    text
}

/// Most paths are text between quotes; a site has as many as it has files.
fn push_quoted(text: &mut String, path: &str) {
    if path.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')) {
        text.push_str(&serde_json::Value::from(path).to_string());
    } else {
        text.push('"');
        text.push_str(path);
        text.push('"');
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    push_hexadecimal(&mut text, bytes);
    text
}

fn push_hexadecimal(text: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    text.extend(digits.map(char::from));
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
        for files in [vec![], vec![("a \"b\"/ü.html", [1; 32]), ("c", [0xab; 32]), ("d\\e\n\u{1}\u{7f}", [0x0f; 32])]]
        {
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
