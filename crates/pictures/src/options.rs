//! The options of decoders, for headers and for pixels.

use std::io::Cursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

/// The options of the JPEG decoder. Strict, or it makes up what is missing.
pub fn jpeg_options() -> DecoderOptions {
    let options = DecoderOptions::default().set_strict_mode(true);
    let options = options.set_max_width(usize::from(u16::MAX)).set_max_height(usize::from(u16::MAX));
    options.jpeg_set_out_colorspace(ColorSpace::RGBA)
}

/// The PNG decoder, which gives eight bits a channel.
pub fn png_decoder(bytes: &[u8]) -> png::Decoder<Cursor<&[u8]>> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    decoder
}
