//! Entries of a shared cache: compressed bytes that only somebody with the key of the cache can have written.
//!
//! An entry begins with the HMAC-SHA-256 (RFC 2104) of its name and of what follows. So an entry that was changed, cut off, written
//! with another key, or moved to the name of another one, is not accepted. Its name is an HMAC too: machines with different keys do
//! not overwrite the entries of each other, and a name does not show which content it is of.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use sitegen_core::sources::Digest;
use std::fmt::{self, Debug, Formatter};

/// How many characters a secret has at least: as many as 128 random bits have as hexadecimal digits.
pub const SHORTEST_SECRET: usize = 32;

/// How many bytes an entry has at most. A larger result is not shared.
pub const LARGEST: usize = 256 << 20;

/// The bytes of the HMAC.
const TAG: usize = 32;

/// Changes with the format of entries, and is part of their names.
const VERSION: &[u8] = b"sitegen shared cache 1 ";

/// Returns two digits for each byte, as names of entries and of Bazel's blobs are written.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The key that entries are authenticated with.
#[derive(Clone)]
pub struct Key(Hmac<Sha256>);

/// Says nothing of the secret.
impl Debug for Key {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str("Key")
    }
}

impl Key {
    /// A key from a secret. `None` if that is shorter than [`SHORTEST_SECRET`].
    pub fn of(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        if secret.len() < SHORTEST_SECRET { None } else { Key::from_bytes(secret.as_bytes()) }
    }

    /// The key of a folder that everybody who can write to it is trusted with.
    pub fn of_trusted_folder() -> Option<Self> {
        Key::from_bytes(b"")
    }

    fn from_bytes(secret: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(secret).ok().map(Key)
    }

    /// Returns the name of the entry of a cached result: 64 hexadecimal digits.
    pub fn name(&self, key: &Digest) -> String {
        let mut mac = self.0.clone();
        mac.update(VERSION);
        mac.update(b"name ");
        mac.update(key);
        hexadecimal(&mac.finalize().into_bytes())
    }

    fn over(&self, name: &str, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(VERSION);
        mac.update(b"entry ");
        mac.update(name.as_bytes());
        mac.update(body);
        mac
    }

    /// Returns the entry with this name and these bytes.
    pub fn seal(&self, name: &str, bytes: &[u8]) -> Vec<u8> {
        let body = lz4_flex::compress_prepend_size(bytes);
        let tag = self.over(name, &body).finalize().into_bytes();
        [&tag[..], &body[..]].concat()
    }

    /// Returns the bytes of an entry, if it is authentic.
    pub fn open(&self, name: &str, entry: &[u8]) -> Option<Vec<u8>> {
        let (tag, body) = entry.split_at_checked(TAG)?;
        self.over(name, body).verify_slice(tag).ok()?;
        lz4_flex::decompress_size_prepended(body).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn only_the_whole_entry_of_a_name_and_a_key_is_opened() {
        let key = Key::of(SECRET).unwrap();
        let [name, other] = [[1; 32], [2; 32]].map(|digest| key.name(&digest));
        assert!(name.len() == 64 && name != other);
        let bytes = b"page ".repeat(200);
        let entry = key.seal(&name, &bytes);
        assert!(entry.len() < 100);
        assert_eq!(key.open(&name, &entry).as_deref(), Some(&bytes[..]));
        assert_eq!(key.open(&other, &entry), None);
        for at in 0..entry.len() {
            let mut changed = entry.clone();
            changed[at] ^= 1;
            assert_eq!(key.open(&name, &changed), None, "byte {at}");
            assert_eq!(key.open(&name, &entry[..at]), None, "cut at {at}");
        }
        let longer = [&entry[..], b"x"].concat();
        assert_eq!(key.open(&name, &longer), None);
        let foreign = Key::of(&SECRET.replace('0', "1")).unwrap();
        assert_eq!(foreign.open(&name, &entry), None);
        assert_ne!(foreign.name(&[1; 32]), name);
        let trusted = Key::of_trusted_folder().unwrap();
        assert_eq!(key.open(&name, &trusted.seal(&name, &bytes)), None);
    }

    #[test]
    fn an_empty_result_is_a_result() {
        let key = Key::of(SECRET).unwrap();
        let name = key.name(&[3; 32]);
        assert_eq!(key.open(&name, &key.seal(&name, b"")), Some(Vec::new()));
    }

    #[test]
    fn a_short_secret_is_none() {
        assert!(Key::of(&SECRET[1..]).is_none() && Key::of(&format!(" {SECRET}\n")).is_some());
        assert_eq!(format!("{:?}", Key::of(SECRET).unwrap()), "Key");
    }
}
