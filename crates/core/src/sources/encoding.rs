//! Reads the bytes of spreadsheets as text: UTF-8, or an older encoding where the bytes leave no doubt about it.
//!
//! Spreadsheet programs write CSV files in the encoding of their country. In Western Europe that is Windows-1252, and a file
//! says nowhere that it is. The same bytes are other letters elsewhere, so a file is read only if all of these agree: the
//! letters are those of a language that is written in Windows-1252, each byte has a meaning there, and none of them has
//! another meaning in an encoding that looks the same.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252, WINDOWS_1254};
use std::borrow::Cow;

/// Why bytes cannot be read as text without a doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// The offset of the byte that has no certain meaning.
    pub at: usize,
    /// Its value, which the message names.
    pub byte: u8,
    /// The encoding that is likely, if one is.
    pub guess: Option<&'static str>,
}

/// Bytes that Windows-1252 does not define (Unicode Consortium, `CP1252.TXT`).
const UNDEFINED: [u8; 5] = [0x81, 0x8D, 0x8F, 0x90, 0x9D];
/// Bytes that are other letters in Windows-1254, which is Windows-1252 in all others: `Ğ`, `İ`, `Ş`, `ğ`, `ı` and `ş` for `Ð`,
/// `Ý`, `Þ`, `ð`, `ý` and `þ`.
const TURKISH: [u8; 6] = [0xD0, 0xDD, 0xDE, 0xF0, 0xFD, 0xFE];

/// Returns the text of a spreadsheet. A byte order mark of UTF-8 stays in it.
pub fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Unclear> {
    let Err(error) = std::str::from_utf8(bytes) else { return Ok(String::from_utf8_lossy(bytes)) };
    let unclear =
        |at: usize, guess: Option<&'static str>| Unclear { at, byte: bytes.get(at).copied().unwrap_or(0), guess };
    // Only UTF-16 is left of those with a mark.
    if let Some((encoding, _)) = Encoding::for_bom(bytes).filter(|(encoding, _)| *encoding != UTF_8) {
        let (text, is_wrong) = encoding.decode_with_bom_removal(bytes);
        return if is_wrong { Err(unclear(0, Some(encoding.name()))) } else { Ok(text) };
    }
    // Letters of UTF-8 beside bytes that are not: the file is damaged, or was put together from two.
    if bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()) {
        return Err(unclear(error.valid_up_to(), Some(UTF_8.name())));
    }
    if let Some(at) = bytes.iter().position(|byte| UNDEFINED.contains(byte)) {
        return Err(unclear(at, None));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess != WINDOWS_1252 && guess != WINDOWS_1254 {
        return Err(unclear(error.valid_up_to(), Some(guess.name())));
    }
    match bytes.iter().position(|byte| TURKISH.contains(byte)).or_else(|| sign_in_word(bytes)) {
        Some(at) => Err(unclear(at, None)),
        None => Ok(WINDOWS_1252.decode_without_bom_handling(bytes).0),
    }
}

/// Finds a byte that is a sign in Windows-1252 and stands inside a word, or a capital letter before a small one there. It
/// is a letter of DOS or of classic Mac OS: `M”bel` is `Möbel`, and `KŠse` is `Käse`.
fn sign_in_word(bytes: &[u8]) -> Option<usize> {
    // `š`, `œ` and `ž`, apostrophes and dashes occur inside words.
    let is_sign =
        |byte: u8| (0x80..=0x9F).contains(&byte) && ![0x91, 0x92, 0x96, 0x97, 0x9A, 0x9C, 0x9E].contains(&byte);
    let is_in_word = |all: &[u8]| all[0].is_ascii_alphabetic() && is_sign(all[1]) && all[2].is_ascii_lowercase();
    bytes.windows(3).position(is_in_word).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{SHIFT_JIS, UTF_16LE, WINDOWS_1250, WINDOWS_1251, WINDOWS_1253};

    fn read(encoding: &'static Encoding, text: &str) -> Result<String, Option<&'static str>> {
        let (bytes, _, is_lossy) = encoding.encode(text);
        assert!(!is_lossy, "{text}");
        decoded(&bytes).map(Cow::into_owned).map_err(|unclear| unclear.guess)
    }

    #[test]
    fn western_spreadsheets_are_read() {
        for text in [
            "name;price\nKäse;1,20\n",
            "nom;prix\nCrème brûlée;1,20\n",
            "nom;prix\nForêt;3\n",
            "nombre;precio\nNiño;3\n",
            "namn;pris\nÅsa Öberg;1,20\n",
            "navn;pris\nRødgrød;1,20\n",
            "name;price\nAda’s “bread” – good;1,20 €\n",
        ] {
            assert_eq!(read(WINDOWS_1252, text), Ok(text.to_owned()));
            assert_eq!(decoded(text.as_bytes()), Ok(Cow::Borrowed(text)));
        }
    }

    #[test]
    fn other_encodings_are_named() {
        assert_eq!(read(WINDOWS_1250, "nazwa;cena\nbułka;3\n"), Err(Some("windows-1250")));
        assert_eq!(read(WINDOWS_1250, "jmeno;cena\nDvořák;3\n"), Err(Some("windows-1250")));
        assert_eq!(read(WINDOWS_1251, "имя;цена\nХлеб;3\n"), Err(Some("windows-1251")));
        assert_eq!(read(WINDOWS_1253, "όνομα;τιμή\nψωμί;3\n"), Err(Some("windows-1253")));
        assert_eq!(read(WINDOWS_1254, "isim;fiyat\nIşık ağaç;3\n"), Err(None));
        assert!(read(SHIFT_JIS, "名前;価格\nパン;3\n").is_err());
        let error = |bytes: &[u8]| decoded(bytes).map(Cow::into_owned).map_err(|unclear| (unclear.at, unclear.byte));
        assert_eq!(error(b"a\nM\x81ller\n"), Err((3, 0x81)));
        assert_eq!(error(b"name\nmoebel M\xf6bel\nhm\x94bel\n"), Err((20, 0x94)));
        assert_eq!(error(b"name\nK\x8ase\n"), Err((6, 0x8A)));
        assert_eq!(error("Käse M".bytes().chain(*b"\xe4rz").collect::<Vec<_>>().as_slice()), Err((7, 0xE4)));
    }

    #[test]
    fn utf_16_says_what_it_is() {
        let text = "name\tprice\nKäse\t3\n";
        let bytes: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(decoded(&bytes), Ok(Cow::Borrowed(text)));
        assert_eq!(decoded(&bytes[..bytes.len() - 1]).map_err(|unclear| unclear.guess), Err(Some(UTF_16LE.name())));
    }
}
