//! `manifest.json`: every file of a site with the SHA-256 of its bytes. It marks a folder as ours.

use super::tree::Tree;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use sitegen_core::paths::MANIFEST;
use sitegen_core::sources::{Digest, without_mark};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const GENERATOR: &str = "sitegen";

/// A manifest that was read.
#[derive(Debug, Deserialize)]
pub struct Manifest<Files = BTreeMap<String, String>> {
    generator: String,
    /// The number of errors that the site was published with, because `suppressions.json` suppresses them.
    #[serde(default)]
    pub suppressed: usize,
    /// The SHA-256 of every file by its path, in hexadecimal digits.
    pub files: Files,
}

impl Manifest {
    /// Reads the manifest of a folder, if it is one of ours.
    pub fn in_folder(folder: &Path) -> Option<Self> {
        Self::read(&folder.join(MANIFEST))
    }

    /// Returns the digest of the file at a path.
    pub fn digest(&self, path: &str) -> Option<Digest> {
        read_digest(self.files.get(path)?)
    }

    /// Reads a manifest from a file, if it is one of ours.
    pub fn read(path: &Path) -> Option<Self> {
        Self::load(path)
    }
}

impl<Files: DeserializeOwned> Manifest<Files> {
    fn load(path: &Path) -> Option<Self> {
        let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        let bytes = is_file.then(|| fs::read(path).ok()).flatten()?;
        serde_json::from_slice(without_mark(&bytes)).ok().filter(|manifest: &Self| manifest.generator == GENERATOR)
    }
}

/// Whether a file says that it is a manifest of ours.
pub fn is_ours(text: &[u8]) -> bool {
    let manifest = serde_json::from_slice::<BTreeMap<String, serde_json::Value>>(without_mark(text));
    manifest.is_ok_and(|manifest| manifest.get("generator").is_some_and(|generator| generator == GENERATOR))
}

/// Whether a folder has a manifest that cannot be read: one that is cut off, or is edited so that it is no manifest. The
/// `manifest.json` of a web app, which says nothing of our generator, is none.
pub fn is_damaged(folder: &Path) -> bool {
    let file = folder.join(MANIFEST);
    let is_file = fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file());
    let Some(text) = is_file.then(|| fs::read(&file).ok()).flatten() else { return false };
    let is_json = serde_json::from_slice::<IgnoredAny>(without_mark(&text)).is_ok();
    names(folder).is_none() && (!is_json || is_ours(&text))
}

/// Returns the paths of the files that a folder's manifest lists, if it is one of ours.
pub fn names(folder: &Path) -> Option<BTreeSet<String>> {
    names_in(&folder.join(MANIFEST))
}

/// Returns the paths of the files that a manifest of ours lists.
pub fn names_in(file: &Path) -> Option<BTreeSet<String>> {
    Manifest::<BTreeMap<String, IgnoredAny>>::load(file).map(|manifest| manifest.files.into_keys().collect())
}

/// Whether a folder has exactly the manifest of a site. A file `manifest.json` of the site itself does not count.
pub fn is_that_of(folder: &Path, tree: &Tree) -> bool {
    let new = tree.file(&tree.root, MANIFEST).and_then(|index| tree.files[index].bytes.as_deref());
    let is_ours = |text: &[u8]| text.starts_with(format!("{{\n  \"generator\": \"{GENERATOR}\"").as_bytes());
    let is_file = fs::symlink_metadata(folder.join(MANIFEST)).is_ok_and(|metadata| metadata.is_file());
    is_file && new.is_some_and(|new| is_ours(new) && fs::read(folder.join(MANIFEST)).is_ok_and(|text| text == new))
}

/// Returns the manifest of these files, and of a site with so many suppressed errors.
pub fn text<'a>(suppressed: usize, files: impl Iterator<Item = (&'a str, Digest)>) -> String {
    let mut text = format!("{{\n  \"generator\": \"{GENERATOR}\",\n");
    if suppressed > 0 {
        text.push_str(&format!("  \"suppressed\": {suppressed},\n"));
    }
    text.push_str("  \"files\": {");
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

/// Writes a path as a JSON string. Most need no escapes, and a site has as many as files.
fn push_quoted(text: &mut String, path: &str) {
    if path.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..b' ')) {
        text.push_str(&serde_json::Value::from(path).to_string());
    } else {
        text.push('"');
        text.push_str(path);
        text.push('"');
    }
}

/// Encodes bytes as hexadecimal digits.
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

/// Decodes a digest from hexadecimal digits.
pub fn read_digest(text: &str) -> Option<Digest> {
    let mut digest = Digest::default();
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
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
    fn a_written_manifest_is_read() {
        for files in [vec![], vec![("a \"b\"/ü.html", [1; 32]), ("c", [0xab; 32]), ("d\\e\n\u{1}\u{7f}", [0x0f; 32])]]
        {
            let suppressed = files.len();
            let text = text(suppressed, files.iter().copied());
            let manifest: Manifest = serde_json::from_str(&text).unwrap();
            assert_eq!(manifest.suppressed, suppressed);
            let read: Vec<_> =
                manifest.files.iter().map(|(path, digest)| (path.as_str(), read_digest(digest).unwrap())).collect();
            assert_eq!(read, files);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{value:#}\n"), text);
        }
    }
}
