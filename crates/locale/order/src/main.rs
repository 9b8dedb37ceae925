//! Writes the orders of texts that `sitegen-locale` has: the root of CLDR and the usual order of each language, each
//! compressed by itself, so that a site in Swedish unpacks Swedish. Compiled in as ICU4X has them they are 1.2 MB.
//!
//! Left out are orders that a language tag asks for (`de-u-co-phonebk`), which no site has asked for yet.

use icu_collator::provider::{CollationRootV1, CollationTailoringV1};
use icu_provider::prelude::*;
use std::collections::BTreeMap;

struct Compiled;

#[allow(unused_imports)]
const _: () = {
    use icu_collator_data::*;
    /// The names that the macros use.
    pub mod icu {
        pub use icu_collator as collator;
        pub use icu_collections as collections;
    }
    make_provider!(Compiled);
    impl_collation_root_v1!(Compiled);
    impl_collation_tailoring_v1!(Compiled, ITER);
};

fn main() {
    let root: DataResponse<CollationRootV1> = Compiled.load(Default::default()).expect("the root");
    let mut all = BTreeMap::from([(String::new(), packed(root.payload.get()))]);
    for id in IterableDataProvider::<CollationTailoringV1>::iter_ids(&Compiled).expect("the languages") {
        if id.marker_attributes.is_empty() {
            let request = DataRequest { id: id.as_borrowed(), ..Default::default() };
            let order: DataResponse<CollationTailoringV1> = Compiled.load(request).expect("an order");
            all.insert(id.locale.to_string(), packed(order.payload.get()));
        }
    }
    let bytes = postcard::to_stdvec(&all).expect("a map of bytes");
    println!("{} orders, {} bytes", all.len(), bytes.len());
    std::fs::write("crates/locale/src/order.bin", bytes).expect("the folder of the engine");
}

fn packed(order: &icu_collator::provider::CollationData) -> Vec<u8> {
    let bytes = postcard::to_stdvec(order).expect("plain data");
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut bytes.as_slice(), &mut packed, &parameters).expect("memory");
    packed
}
