//! Which version of its original a translation translates: the value of its key `translates`.
//!
//! It has eight hexadecimal digits of a digest of all texts of the original, and then, after `-`, two of each text, so that a
//! message can name what has changed. Without the second part it still says whether something has. Texts of keys are in the order of
//! their names, so that an original may put its keys in another order.

use super::texts::{Content, Text, TextPlace};
use sitegen_core::sources::digest;
use std::fmt;

/// The digits of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    all: u32,
    each: Vec<u8>,
}

/// The most pairs of texts that are compared to find out which of them are new.
const MOST_PAIRS: usize = 1 << 20;

impl Fingerprint {
    /// Returns that of some texts.
    pub fn of<'t>(texts: impl Iterator<Item = &'t Text>) -> Self {
        let texts = sorted(texts);
        let mut bytes = Vec::new();
        let each = texts.iter().map(|text| digest_of(text)).inspect(|digest| bytes.extend(digest)).map(|all| all[0]);
        let each = each.collect();
        let [a, b, c, d, ..] = digest(&bytes);
        Fingerprint { all: u32::from_be_bytes([a, b, c, d]), each }
    }

    /// Reads one as it is written. `None` for anything else.
    pub fn read(written: &str) -> Option<Self> {
        let (all, each) = written.split_once('-').unwrap_or((written, ""));
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if all.len() != 8 || each.len() % 2 != 0 || !is_hex(all) || !is_hex(each) {
            return None;
        }
        let byte = |at| u8::from_str_radix(&each[2 * at..2 * at + 2], 16).ok();
        Some(Fingerprint {
            all: u32::from_str_radix(all, 16).ok()?,
            each: (0..each.len() / 2).map(byte).collect::<Option<_>>()?,
        })
    }

    /// Whether this is the version of some texts; otherwise their places that are new or changed since then, as far as the second
    /// part says.
    pub fn changes<'t>(&self, texts: impl Iterator<Item = &'t Text>) -> Option<Vec<&'t TextPlace>> {
        let texts = sorted(texts);
        let now = Fingerprint::of(texts.iter().copied());
        if now.all == self.all {
            return None;
        }
        let (old, new) = (&self.each[..], &now.each[..]);
        if old.is_empty() {
            return Some(Vec::new());
        }
        let front = old.iter().zip(new).take_while(|(one, two)| one == two).count();
        let (old, new) = (&old[front..], &new[front..]);
        let back = old.iter().rev().zip(new.iter().rev()).take_while(|(one, two)| one == two).count();
        let (old, new) = (&old[..old.len() - back], &new[..new.len() - back]);
        let kept = kept(old, new);
        let changed = new.iter().enumerate().filter(|(number, _)| !kept[*number]);
        Some(changed.map(|(number, _)| &texts[front + number].place).collect())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{:08x}", self.all)?;
        for (number, byte) in self.each.iter().enumerate() {
            write!(out, "{}{byte:02x}", if number == 0 { "-" } else { "" })?;
        }
        Ok(())
    }
}

/// Sorts texts of keys by their names, with the blocks after them.
fn sorted<'t>(texts: impl Iterator<Item = &'t Text>) -> Vec<&'t Text> {
    let mut texts: Vec<&Text> = texts.collect();
    texts.sort_by(|a, b| a.place.cmp(&b.place));
    texts
}

/// Returns the digest of a text: of a key with its name, of a block wherever it is.
fn digest_of(text: &Text) -> [u8; 32] {
    let mut bytes = Vec::new();
    let mut add = |part: &str| {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part.as_bytes());
    };
    if let TextPlace::Key { keys, .. } = &text.place {
        keys.iter().for_each(|key| add(key));
    }
    match &text.content {
        // Line ends of Windows come from the system somebody works on.
        Content::Plain(text) | Content::Block(text) => add(&text.replace("\r\n", "\n")),
        Content::Plural(forms) => forms.iter().for_each(|(category, form)| {
            add(category);
            add(form);
        }),
    }
    digest(&bytes)
}

/// Returns for each new item whether it is in the longest list that both have in common.
fn kept(old: &[u8], new: &[u8]) -> Vec<bool> {
    let mut kept = vec![false; new.len()];
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return kept;
    }
    let width = new.len() + 1;
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for two in (0..new.len()).rev() {
            lengths[one * width + two] = match old[one] == new[two] {
                true => lengths[(one + 1) * width + two + 1] + 1,
                false => lengths[(one + 1) * width + two].max(lengths[one * width + two + 1]),
            };
        }
    }
    let (mut one, mut two) = (0, 0);
    while one < old.len() && two < new.len() {
        if old[one] == new[two] {
            kept[two] = true;
            (one, two) = (one + 1, two + 1);
        } else if lengths[(one + 1) * width + two] >= lengths[one * width + two + 1] {
            one += 1;
        } else {
            two += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::Span;

    fn texts(keys: &[(&str, &str)], blocks: &[&str]) -> Vec<Text> {
        let key = |(name, text): &(&str, &str)| Text {
            place: TextPlace::Key { entry: None, keys: vec![(*name).to_owned()] },
            content: Content::Plain((*text).to_owned()),
            span: Span::default(),
            purpose: None,
        };
        let block = |(line, text): (usize, &&str)| Text {
            place: TextPlace::Block { line: line + 10 },
            content: Content::Block((*text).to_owned()),
            span: Span::default(),
            purpose: None,
        };
        keys.iter().map(key).chain(blocks.iter().enumerate().map(block)).collect()
    }

    #[test]
    fn what_has_changed_is_named() {
        let old = texts(&[("title", "A"), ("lead", "B")], &["one", "two", "three"]);
        let version = Fingerprint::of(old.iter());
        let written = version.to_string();
        assert_eq!(written.len(), 8 + 1 + 2 * 5);
        assert_eq!(Fingerprint::read(&written), Some(version.clone()));
        let changes = |new: &[Text]| {
            let changes = version.changes(new.iter())?;
            Some(changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        };
        assert_eq!(changes(&old), None);
        assert_eq!(changes(&texts(&[("lead", "B"), ("title", "A")], &["one", "two", "three"])), None);
        let expected = |text: &str| Some(text.to_owned());
        let keys = [("title", "A"), ("lead", "B")];
        assert_eq!(changes(&texts(&[("title", "A2"), ("lead", "B")], &["one", "two", "three"])), expected("title"));
        assert_eq!(changes(&texts(&keys, &["one", "new", "two", "three"])), expected("line 11"));
        assert_eq!(changes(&texts(&keys, &["one", "other", "three", "four"])), expected("line 11, line 13"));
        assert_eq!(changes(&texts(&keys, &["one", "three"])), expected(""));
        let short = Fingerprint::read(&written[..8]).unwrap();
        assert_eq!((short.changes(old.iter()), short.changes([].iter())), (None, Some(Vec::new())));
        for wrong in ["", "8f3a21c", "8f3a21c4-1", "8f3a21cg", "8f3a21c4-é1", "é3a21c4"] {
            assert_eq!(Fingerprint::read(wrong), None, "{wrong}");
        }
    }
}
