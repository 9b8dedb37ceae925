//! The letters that a font has. Only the table of letters is read: of a WOFF2 file, what is packed before it.

use read_fonts::tables::cmap::{Cmap, CmapIterLimits, CmapSubtable};
use read_fonts::{FontData, FontRead, FontRef, TableProvider};
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The largest table of letters that is read, unpacked. That of the largest font of Noto has 0.3 MB.
const MOST_BYTES: u64 = 4_000_000;
/// The largest part of a WOFF2 file that is unpacked to get there.
const MOST_BEFORE: u64 = 32_000_000;

/// A set of letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    /// A bit for each code point.
    bits: Vec<u64>,
}

impl Letters {
    /// Returns the letters of a TrueType, OpenType or WOFF2 font. `None` if it is none of them, or damaged.
    pub fn of(font: &[u8]) -> Option<Self> {
        catch_unwind(AssertUnwindSafe(|| match font.starts_with(b"wOF2") {
            true => Self::read(&Cmap::read(FontData::new(&packed_table(font)?)).ok()?),
            false => Self::read(&FontRef::new(font).ok()?.cmap().ok()?),
        }))
        .ok()?
    }

    fn read(table: &Cmap) -> Option<Self> {
        let (_, _, subtable) = table.best_subtable()?;
        // A glyph has 16 bits.
        let limits = CmapIterLimits { max_char: u32::from(char::MAX), glyph_count: 1 << 16 };
        let mut letters = Letters::default();
        if let CmapSubtable::Format0(_) = subtable {
            return None;
        }
        // However often a damaged table names the same letters.
        for (letter, glyph) in subtable.iter_with_limits(limits).take(1 << 21) {
            if glyph.to_u32() != 0 {
                letters.insert(letter);
            }
        }
        Some(letters)
    }

    /// Whether a letter is in it.
    pub fn contains(&self, letter: char) -> bool {
        let letter = letter as usize;
        self.bits.get(letter / 64).is_some_and(|bits| bits >> (letter % 64) & 1 == 1)
    }

    /// Returns all of them.
    pub fn iter(&self) -> impl Iterator<Item = char> {
        let of = |(at, bits): (usize, &u64)| {
            let bits = *bits;
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .filter_map(move |bit| char::from_u32((at * 64 + bit) as u32))
        };
        self.bits.iter().enumerate().flat_map(of)
    }

    /// Adds those of another set that are in some ranges, the last of each included.
    pub fn add(&mut self, others: &Letters, ranges: &[(u32, u32)]) {
        for letter in others.iter() {
            if ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(letter))) {
                self.insert(u32::from(letter));
            }
        }
    }

    fn insert(&mut self, letter: u32) {
        let at = letter as usize / 64;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        self.bits[at] |= 1 << (letter % 64);
    }
}

/// Returns the table of letters in a WOFF2 file (WOFF File Format 2.0, 4 and 5). `None` for a collection of fonts.
fn packed_table(font: &[u8]) -> Option<Vec<u8>> {
    const HEADER: usize = 48;
    let number = |at: usize| Some(u16::from_be_bytes(font.get(at..at + 2)?.try_into().ok()?));
    if font.get(4..8)? == b"ttcf" {
        return None;
    }
    let mut rest = font.get(HEADER..)?;
    let mut offset: u64 = 0;
    let mut found = None;
    for _ in 0..number(12)? {
        let (flags, after) = rest.split_first()?;
        rest = after;
        // Tags of known tables are numbers: 0 is `cmap`, 10 is `glyf` and 11 `loca`.
        let (known, version) = (flags & 0x3f, flags >> 6);
        let mut is_letters = known == 0;
        if known == 0x3f {
            is_letters = rest.get(..4)? == b"cmap";
            rest = &rest[4..];
        }
        let mut length = base_128(&mut rest)?;
        let is_transformed = if matches!(known, 10 | 11) { version != 3 } else { version != 0 };
        if is_transformed {
            length = base_128(&mut rest)?;
        }
        if is_letters && found.is_none() {
            found = Some((offset, length));
        }
        offset += length;
    }
    let (before, length) = found.filter(|(before, length)| *before <= MOST_BEFORE && *length <= MOST_BYTES)?;
    let mut reader = brotli::Decompressor::new(rest, 4096);
    std::io::copy(&mut reader.by_ref().take(before), &mut std::io::sink()).ok()?;
    let mut table = Vec::new();
    reader.take(length).read_to_end(&mut table).ok()?;
    (table.len() as u64 == length).then_some(table)
}

/// Reads a number of `UIntBase128`: seven bits a byte, the highest first, at most five bytes.
fn base_128(rest: &mut &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    for _ in 0..5 {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: &[u8] = include_bytes!("../../../content/assets/fonts/overpass-800.woff2");

    #[test]
    fn a_font_has_the_letters_of_its_table() {
        let letters = Letters::of(FONT).unwrap();
        for letter in "aZé–".chars() {
            assert!(letters.contains(letter), "{letter}");
        }
        for letter in "日א\u{10ffff}".chars() {
            assert!(!letters.contains(letter), "{letter}");
        }
        // The same as of the font that is unpacked as a whole.
        let unpacked = crate::raster::unpacked(FONT).unwrap();
        assert_eq!(Letters::of(&unpacked), Some(letters.clone()));
        let mut some = Letters::default();
        some.add(&letters, &[(0x61, 0x63), (0xe9, 0xe9)]);
        assert_eq!(some.iter().collect::<String>(), "abcé");
    }

    #[test]
    fn damaged_fonts_have_no_letters() {
        for end in [0, 4, 12, 47, 48, 60, 100] {
            assert_eq!(Letters::of(&FONT[..end]), None, "{end}");
        }
        assert_eq!(Letters::of(b"wOFF and more"), None);
        let mut random: u32 = 7;
        for _ in 0..2_000 {
            let mut font = FONT.to_vec();
            for _ in 0..4 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = random as usize / 16 % 400;
                font[at] = (random >> 8) as u8;
            }
            // Whatever it is, it is read without a panic.
            let _ = packed_table(&font);
        }
    }
}
