//! The quotation marks of a language.
//!
//! From the delimiters of CLDR 48.2 (`quotationStart`, `quotationEnd` and the `alternate` ones of each locale). A
//! language that is not in the table gets the English marks, as most languages left out here do in CLDR.

/// The quotation marks of a language: around a quotation, and around one within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotes([&'static str; 4]);

/// The side of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before a quotation.
    Open,
    /// After a quotation.
    Close,
}

impl Quotes {
    /// Returns the marks of a language, by its BCP 47 tag. `de-AT` has those of `de`.
    pub fn of(language: &str) -> Self {
        let mut tag = language.to_ascii_lowercase().replace('_', "-");
        loop {
            if let Some((quotes, _)) = QUOTES.iter().find(|(_, tags)| tags.contains(&tag.as_str())) {
                return Quotes(*quotes);
            }
            match tag.rfind('-') {
                Some(end) => tag.truncate(end),
                None => return Quotes(ENGLISH),
            }
        }
    }

    /// Returns what `"` becomes.
    pub fn double(self, side: Side) -> &'static str {
        self.0[side as usize]
    }

    /// Returns what `'` becomes where it is not an apostrophe.
    pub fn single(self, side: Side) -> &'static str {
        self.0[2 + side as usize]
    }
}

const ENGLISH: [&str; 4] = ["“", "”", "‘", "’"];

/// Each set of quotation marks with its languages.
///
/// CLDR leaves out the no-break space that French sets inside guillemets (Imprimerie nationale, Lexique des règles
/// typographiques; Office québécois de la langue française). Switzerland sets none. CLDR derives `zh-TW` and its kin
/// from `zh-Hant` by their script, so they are listed here.
#[rustfmt::skip]
const QUOTES: &[([&str; 4], &[&str])] = &[
    (["„", "”", "‚", "’"], &["agq", "ff"]),
    (["«", "»", "‹", "›"], &["am", "az-arab", "az-cyrl", "fa", "fr-ch", "gsw", "jgo", "kkj", "mzn", "rm", "sdh", "wae"]),
    (["”", "“", "’", "‘"], &["ar", "lld", "ms-arab", "syr", "ur"]),
    (["«", "»", "“", "”"], &[
        "ast", "blo", "bm", "br", "ca", "cv", "dyo", "el", "es-us", "eu", "ewo", "ie", "it", "kab", "kk", "lij", "mg",
        "mua", "nnh", "pms", "pt-ao", "pt-ch", "pt-cv", "pt-gq", "pt-gw", "pt-lu", "pt-mo", "pt-mz", "pt-pt", "pt-st",
        "pt-tl", "sc", "sg", "ti",
    ]),
    (["«", "»", "„", "“"], &["bas", "be", "bua", "ky", "os", "ru", "sah", "tyv", "uk"]),
    (["„", "“", "„", "“"], &["bg", "lt", "prg", "sgs"]),
    (ENGLISH, &["bm-nkoo", "en", "ff-adlm", "uz-arab", "uz-cyrl"]),
    (["„", "“", "‚", "‘"], &[
        "bs-cyrl", "cs", "de", "dsb", "et", "hr", "hsb", "is", "ksh", "lb", "luy", "mk", "nds", "sk", "sl",
    ]),
    (["„", "”", "‘", "’"], &["bs"]),
    (["«", "»", "‘", "’"], &["dua", "el-polyton", "ksf", "nb", "nn", "no", "rw"]),
    (["“", "”", "«", "»"], &["eo"]),
    (["”", "”", "’", "’"], &["fi", "he", "lag", "rn", "se", "sn", "sv", "yi"]),
    (["«\u{a0}", "\u{a0}»", "”", "“"], &["fr-ca"]),
    (["«\u{a0}", "\u{a0}»", "«\u{a0}", "\u{a0}»"], &["fr"]),
    (["«", "»", "«", "»"], &["ht", "hy", "oc", "yav"]),
    (["‘", "’", "“", "”"], &["fur", "ia", "ti-er", "tn"]),
    (["„", "”", "»", "«"], &["hu", "szl"]),
    (["「", "」", "『", "』"], &["ja", "yue", "zh-hant", "zh-hk", "zh-mo", "zh-tw"]),
    (["„", "“", "«", "»"], &["ka"]),
    (["»", "«", "›", "‹"], &["kk-arab", "ug"]),
    (["‘", "’", "‘", "’"], &["nl"]),
    (["„", "”", "«", "»"], &["nmg", "pl", "ro"]),
    (["«", "»", "„", "”"], &["shi", "zgh"]),
    (["„", "”", "’", "’"], &["sr"]),
    (["“", "’", "“", "”"], &["st"]),
    (["“", "”", "“", "”"], &["tk"]),
    (["“", "”", "’", "‘"], &["uz"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_the_marks_of_its_language_unless_it_has_its_own() {
        let shown = |tag: &str| Quotes::of(tag).0.join(" ");
        for (tag, expected) in [
            ("en", "“ ” ‘ ’"),
            ("en-GB", "“ ” ‘ ’"),
            ("de", "„ “ ‚ ‘"),
            ("de-CH-1996", "„ “ ‚ ‘"),
            ("DE_at", "„ “ ‚ ‘"),
            ("fr", "«\u{a0} \u{a0}» «\u{a0} \u{a0}»"),
            ("fr-CH", "« » ‹ ›"),
            ("pl", "„ ” « »"),
            ("cs", "„ “ ‚ ‘"),
            ("nl", "‘ ’ ‘ ’"),
            ("it", "« » “ ”"),
            ("es", "“ ” ‘ ’"),
            ("sv", "” ” ’ ’"),
            ("da", "“ ” ‘ ’"),
            ("fi", "” ” ’ ’"),
            ("pt", "“ ” ‘ ’"),
            ("pt-PT", "« » “ ”"),
            ("zh-Hant-TW", "「 」 『 』"),
            ("tlh", "“ ” ‘ ’"),
        ] {
            assert_eq!(shown(tag), expected, "{tag}");
        }
    }

    #[test]
    fn no_language_is_in_the_table_twice() {
        let mut tags: Vec<&str> = QUOTES.iter().flat_map(|(_, tags)| tags.iter().copied()).collect();
        let count = tags.len();
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), count);
    }
}
