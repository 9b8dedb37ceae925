//! The order of texts in a language: `ä` after `z` in Swedish, `ch` after `h` in Czech, Chinese by pinyin.
//!
//! The rules are those of CLDR for ICU4X, compressed in `order.bin`: as ICU4X compiles them in they are 1.2 MB. Each
//! language is unpacked when a build first sorts texts in it.

use super::locale;
use icu_collator::options::CollatorOptions;
use icu_collator::provider::{Baked, CollationData, CollationRootV1, CollationTailoringV1};
use icu_collator::{Collator, CollatorBorrowed, provider};
use icu_locale::fallback::{LocaleFallbacker, LocaleFallbackerWithConfig};
use icu_locale::subtags::script;
use icu_locale::{DataLocale, Locale, LocaleExpander};
use icu_normalizer::provider::{Baked as Normalizing, NormalizerNfdDataV1, NormalizerNfdTablesV1};
use icu_provider::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{LazyLock, RwLock};

/// The orders by language, compressed; the root has no name. `crates/locale/order` writes them.
static PACKED: LazyLock<BTreeMap<String, &'static [u8]>> =
    LazyLock::new(|| postcard::from_bytes(include_bytes!("order.bin")).unwrap_or_default());

/// The order of texts in a language that has one of its own.
#[derive(Clone, Copy)]
pub struct Order(&'static CollatorBorrowed<'static>);

impl std::fmt::Debug for Order {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("Order")
    }
}

impl Order {
    /// Returns the order of a language, by its tag. A language of Latin letters for which CLDR has no rules, such as English,
    /// German, French and Italian, has none: there letters without case and accents are enough, and that takes less time.
    pub fn of(language: &str) -> Option<Self> {
        static KNOWN: RwLock<BTreeMap<String, Option<Order>>> = RwLock::new(BTreeMap::new());
        if let Some(known) = KNOWN.read().ok()?.get(language) {
            return *known;
        }
        let order = Self::unpacked(language);
        KNOWN.write().ok()?.insert(language.to_owned(), order);
        order
    }

    fn unpacked(language: &str) -> Option<Self> {
        // The language, script and region alone: extensions ask for orders that are left out.
        let mut id = locale(language).id;
        let has_rules = packed_for(&DataLocale::from(&id)).is_some();
        if !has_rules {
            LocaleExpander::new_extended().maximize(&mut id);
            if id.script.is_none_or(|own| own == script!("Latn")) {
                return None;
            }
        }
        let collator =
            Collator::try_new_unstable(&Unpacking, Locale::from(id).into(), CollatorOptions::default()).ok()?;
        // Once for each language of the site, for as long as the program runs.
        let collator: &Collator = Box::leak(Box::new(collator));
        Some(Order(Box::leak(Box::new(collator.as_borrowed()))))
    }

    /// Compares two texts. Those that differ in nothing that the language distinguishes are equal.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        self.0.compare(a, b)
    }
}

/// Returns the compressed rules of a language or, as CLDR has it, of its script.
fn packed_for(language: &DataLocale) -> Option<&'static [u8]> {
    const FALLBACK: LocaleFallbackerWithConfig<'static> =
        LocaleFallbacker::new().for_config(CollationTailoringV1::INFO.fallback_config);
    let mut languages = FALLBACK.fallback_for(*language);
    while !languages.get().is_unknown() {
        if let Some(packed) = PACKED.get(languages.get().to_string().as_str()) {
            return Some(packed);
        }
        languages.step();
    }
    None
}

/// Unpacks rules for as long as the program runs.
fn unpacked(packed: &[u8]) -> Result<&'static CollationData<'static>, DataError> {
    let wrong = || DataError::custom("the rules in order.bin cannot be read");
    let mut bytes = Vec::new();
    brotli::BrotliDecompress(&mut &*packed, &mut bytes).map_err(|_| wrong())?;
    let rules: CollationData = postcard::from_bytes(bytes.leak()).map_err(|_| wrong())?;
    Ok(Box::leak(Box::new(rules)))
}

/// Gives the large rules from `order.bin`, and the small ones as ICU4X has compiled them in.
struct Unpacking;

impl DataProvider<CollationRootV1> for Unpacking {
    fn load(&self, _: DataRequest) -> Result<DataResponse<CollationRootV1>, DataError> {
        let packed = PACKED.get("").ok_or(DataError::custom("order.bin has no root"))?;
        Ok(DataResponse { metadata: Default::default(), payload: DataPayload::from_static_ref(unpacked(packed)?) })
    }
}

impl DataProvider<CollationTailoringV1> for Unpacking {
    fn load(&self, request: DataRequest) -> Result<DataResponse<CollationTailoringV1>, DataError> {
        let packed = packed_for(request.id.locale);
        let packed =
            packed.ok_or_else(|| DataErrorKind::IdentifierNotFound.with_req(CollationTailoringV1::INFO, request))?;
        Ok(DataResponse { metadata: Default::default(), payload: DataPayload::from_static_ref(unpacked(packed)?) })
    }
}

/// Gives the rules of a kind from another provider.
macro_rules! delegate {
    ($($marker:path: $provider:expr,)*) => {
        $(impl DataProvider<$marker> for Unpacking {
            fn load(&self, request: DataRequest) -> Result<DataResponse<$marker>, DataError> {
                $provider.load(request)
            }
        })*
    };
}

delegate! {
    provider::CollationDiacriticsV1: Baked,
    provider::CollationJamoV1: Baked,
    provider::CollationMetadataV1: Baked,
    provider::CollationReorderingV1: Baked,
    provider::CollationSpecialPrimariesV1: Baked,
    NormalizerNfdDataV1: Normalizing,
    NormalizerNfdTablesV1: Normalizing,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(language: &str, words: &str) -> String {
        let order = Order::of(language).unwrap_or_else(|| panic!("{language} has no order"));
        let mut words: Vec<&str> = words.split(' ').collect();
        words.sort_by(|a, b| order.compare(a, b));
        words.join(" ")
    }

    #[test]
    fn letters_have_the_place_that_they_have_in_the_language() {
        for (language, words) in [
            ("sv", "Abel zebra Zoe åk ärlig öl"),
            ("sv-FI", "zebra åk ärlig öl"),
            ("da", "zebra ære øl aagaard"),
            ("cs", "cena čas hora chata jaro"),
            ("es", "nube ñu oso"),
            ("et", "sada zoo žest tamm õun äär öö üks"),
            ("lt", "yra Jonas kas"),
            ("tr", "ada ırmak iki jale"),
            ("pl", "las łan mama"),
            ("ru", "ёлка ель иск йод"),
            ("uk", "голос ґанок дім"),
            ("zh", "北京 上海 天津"),
            ("zh-TW", "一 人 山 樹"),
            ("ja", "あい いえ 愛"),
            ("ko", "가 나 다"),
            ("ar", "أب باب تاج"),
            ("el", "άλφα βήτα ωμέγα"),
        ] {
            let backwards: Vec<&str> = words.split(' ').rev().collect();
            assert_eq!(sorted(language, &backwards.join(" ")), words, "{language}");
        }
    }

    #[test]
    fn languages_whose_letters_need_no_rules_have_no_order() {
        for language in ["en", "en-GB", "de", "de-AT", "fr", "it", "pt-BR", "nl", "id", "", "tlh", "not a tag"] {
            assert!(Order::of(language).is_none(), "{language}");
        }
        assert!(Order::of("de-u-co-phonebk").is_none() && Order::of("SV_se").is_some());
    }

    /// ICU4X may change the structure of the rules. `crates/locale/order` writes them anew then.
    #[test]
    fn all_rules_can_be_read_by_this_version_of_icu() {
        assert!(PACKED.len() > 80);
        for (language, packed) in PACKED.iter() {
            assert!(unpacked(packed).is_ok(), "{language}");
        }
    }
}
