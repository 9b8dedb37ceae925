//! Scales pictures: reads what a file is, plans the copies of it, and makes them.
//!
//! 1. [`Header::read`] says what a file is, from its first bytes, and refuses what cannot be a picture of a page.
//! 2. A [`struct@Copy`] is a request for one file made from a picture, as data. Its name follows from the picture's digest and
//!    the copy's parameters, so a page is known before anything is encoded.
//! 3. [`markup`] writes the HTML that names these files. The engine finds the copies that a site needs by the names in
//!    its finished pages, so a copy that no page names is never made.
//! 4. [`make`] decodes a picture once and makes all copies that are asked for.
//! 5. [`preview`] and [`Icon`] render SVG as pixels, with the fonts of the site alone.
//!
//! Everything here is a pure function of bytes. One thread works on a picture, and no encoder asks how many there are:
//! the same bytes come out on every machine.

mod copy;
mod decode;
mod encode;
mod glyphs;
mod header;
mod markup;
mod options;
mod raster;
mod sizes;
#[cfg(test)]
mod tests;

pub use copy::{Copy, Focus, Format, VERSION};
pub use glyphs::Letters;
pub use header::{Fault, Header, PictureKind, is_picture, is_shown};
pub use markup::{Alternative, Picture, Presentation, address, candidates, markup, quality};
pub use raster::{Fonts, Icon, PREVIEW, Unfit, check_preview, preview, preview_key};
pub use sizes::{Sizes, fits};

/// Said where AVIF is asked for and this program cannot write it.
pub const WITHOUT_AVIF: &str =
    "this build of sitegen cannot write AVIF; remove `avif` from `formats`, or use a release of sitegen";

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes copies of a picture, in the order in which they are asked for.
///
/// The picture is decoded once, and scaled once for copies that differ in their format alone. A decoder that panics on
/// hostile bytes is a damaged picture, not the end of the build.
pub fn make(bytes: &[u8], header: &Header, copies: &[Copy]) -> Result<Vec<Vec<u8>>, Fault> {
    let make = || {
        let pixels = decode::decode(bytes, header)?;
        let mut scaled = BTreeMap::new();
        let mut files = Vec::new();
        for copy in copies {
            let size = (copy.width, copy.height, copy.focus);
            let scaled = match scaled.entry(size) {
                std::collections::btree_map::Entry::Occupied(entry) => &*entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => entry.insert(pixels.scaled(header, copy)?),
            };
            files.push(encode::encode(scaled, copy)?);
        }
        Ok(files)
    };
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| Err(Fault::damaged(header.kind)))
}
