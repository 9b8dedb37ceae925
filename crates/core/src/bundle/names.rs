//! Names of modules that come from what is in them and nothing else.
//!
//! The digest that esbuild puts into a name also covers the paths of the packages a module was made from. They differ
//! where packages lie in a folder above the project or behind a link, though the module is the same to the byte, and
//! browsers would load it again. So the names are made anew from the modules: from their bytes, and those of the
//! modules that they import.

use super::Bundle;
use crate::sources::{Digest, digest};
use std::collections::BTreeMap;

/// The length of a digest in a name, as esbuild has it, so that columns in a source map stay where they are.
const LENGTH: usize = 8;
const EXTENSION: &str = ".js";

/// Gives every module of a bundle its name.
pub fn by_content(mut bundle: Bundle) -> Bundle {
    let old: Vec<String> = bundle.files.keys().filter(|name| stem(name).is_some()).cloned().collect();
    let texts: Vec<String> = old.iter().map(|name| String::from_utf8_lossy(&bundle.files[name]).into_owned()).collect();
    // What a module is without the names in it, and which modules they name.
    let parts: Vec<(Digest, Vec<usize>)> = texts
        .iter()
        .map(|text| {
            let mut named = Vec::new();
            let bare = renamed(text, &old, |index| {
                named.push(index);
                "*"
            });
            (digest(bare.as_bytes()), named)
        })
        .collect();
    // In each round a digest covers what is one import further away, however the imports run in circles.
    let mut digests: Vec<Digest> = parts.iter().map(|(own, _)| *own).collect();
    for _ in 0..old.len() {
        let covering = |(own, named): &(Digest, Vec<usize>)| {
            let named = named.iter().flat_map(|index| digests[*index]);
            digest(&own.iter().copied().chain(named).collect::<Vec<u8>>())
        };
        digests = parts.iter().map(covering).collect();
    }
    let new: Vec<String> = old
        .iter()
        .zip(&digests)
        .map(|(name, digest)| format!("{}{}{EXTENSION}", stem(name).unwrap_or_default(), letters(digest)))
        .collect();
    let name_of: BTreeMap<&str, &str> = old.iter().map(String::as_str).zip(new.iter().map(String::as_str)).collect();
    let new_name = |name: String| name_of.get(name.as_str()).map_or(name, |new| (*new).to_owned());
    let parts = std::mem::take(&mut bundle.parts).into_iter().map(|(name, parts)| (new_name(name), parts)).collect();
    let files = std::mem::take(&mut bundle.files).into_iter().map(|(name, bytes)| match old.binary_search(&name) {
        Ok(index) => (new[index].clone(), renamed(&texts[index], &old, |index| &new[index]).into_bytes()),
        Err(_) => (name, bytes),
    });
    let named = |entries: BTreeMap<String, Vec<String>>| -> BTreeMap<String, Vec<String>> {
        entries.into_iter().map(|(entry, files)| (entry, files.into_iter().map(new_name).collect())).collect()
    };
    let (entries, later) = (named(std::mem::take(&mut bundle.entries)), named(std::mem::take(&mut bundle.later)));
    Bundle { files: files.collect(), entries, later, parts, ..bundle }
}

/// What stands before the digest in a name: `chunk-` of `chunk-FUTCNEOZ.js`.
fn stem(name: &str) -> Option<&str> {
    let rest = name.strip_suffix(EXTENSION)?;
    let (stem, digest) = rest.split_at_checked(rest.len().checked_sub(LENGTH)?)?;
    let is_digest = digest.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    (is_digest && stem.ends_with('-')).then_some(stem)
}

/// A text with every name in it replaced, in one go.
fn renamed<'a>(text: &str, names: &[String], mut by: impl FnMut(usize) -> &'a str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Every name ends in the same way, which is rare in a module.
    while let Some(at) = rest.find(EXTENSION) {
        let (before, after) = rest.split_at(at + EXTENSION.len());
        // The longest, should one name end as another does.
        let found =
            (0..names.len()).filter(|index| before.ends_with(&names[*index])).max_by_key(|index| names[*index].len());
        match found {
            Some(index) => {
                out.push_str(&before[..before.len() - names[index].len()]);
                out.push_str(by(index));
            }
            None => out.push_str(before),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A digest in the letters that esbuild uses (RFC 4648, Base32).
fn letters(digest: &Digest) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    digest[..LENGTH].iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &str)]) -> Bundle {
        let entries = [("a.tsx".to_owned(), files.iter().map(|(name, _)| name.to_string()).collect())];
        let files = files.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
        Bundle { files: files.collect(), entries: entries.into(), ..Bundle::default() }
    }

    #[test]
    fn the_same_modules_get_the_same_names_whatever_they_were_called() {
        let one = by_content(bundle(&[
            ("A-AAAAAAAA.js", "import\"./chunk-BBBBBBBB.js\";a"),
            ("chunk-BBBBBBBB.js", "import(\"./A-AAAAAAAA.js\");b"),
            ("loader.js", "x.js"),
        ]));
        let other = by_content(bundle(&[
            ("A-ZZZZZZZZ.js", "import\"./chunk-YYYYYYYY.js\";a"),
            ("chunk-YYYYYYYY.js", "import(\"./A-ZZZZZZZZ.js\");b"),
            ("loader.js", "x.js"),
        ]));
        assert_eq!(one, other);
        assert!(one.files.contains_key("loader.js") && !one.files.contains_key("A-AAAAAAAA.js"));
        for name in &one.entries["a.tsx"] {
            assert!(one.files.contains_key(name));
        }
        let text = String::from_utf8(one.files[&one.entries["a.tsx"][0]].clone()).unwrap();
        assert_eq!(text, format!("import\"./{}\";a", one.entries["a.tsx"][1]));
    }

    #[test]
    fn a_change_far_away_changes_the_names_of_all_that_import_it() {
        let of = |last: &str| {
            by_content(bundle(&[
                ("A-AAAAAAAA.js", "import\"./B-BBBBBBBB.js\""),
                ("B-BBBBBBBB.js", "import\"./C-CCCCCCCC.js\""),
                ("C-CCCCCCCC.js", last),
            ]))
        };
        let (one, other) = (of("1"), of("2"));
        assert!(one.files.keys().all(|name| !other.files.contains_key(name)));
    }
}
