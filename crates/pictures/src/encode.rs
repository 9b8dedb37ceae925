//! Writes pixels as files, without any metadata.
//!
//! None of the encoders asks for the number of threads or has other results with the instructions of a newer processor:
//! `jpeg-encoder` without its `simd` feature, libwebp, `png` and libaom gave the same bytes on processors without AVX.

use super::copy::{Copy, Format};
use super::decode::Scaled;
use super::header::Fault;
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

/// The effort of the WebP encoder, 0 to 6. sharp and `cwebp` have the same default.
const WEBP_EFFORT: u8 = 4;

/// Encodes scaled pixels in the format of a copy.
pub fn encode(pixels: &Scaled, copy: &Copy) -> Result<Vec<u8>, Fault> {
    match copy.format {
        Format::Jpeg => jpeg(pixels, copy.quality),
        Format::Png => png(pixels),
        Format::WebP => webp(pixels, copy.quality),
        #[cfg(feature = "avif")]
        Format::Avif => avif(pixels, copy.quality),
        #[cfg(not(feature = "avif"))]
        Format::Avif => Err(failed(super::WITHOUT_AVIF)),
    }
}

fn failed(detail: &str) -> Fault {
    Fault { detail: detail.to_owned(), fix: "use another format".to_owned(), is_broken: false }
}

fn jpeg(pixels: &Scaled, quality: u8) -> Result<Vec<u8>, Fault> {
    let too_large = || too_long("JPEG", "65,535");
    let width = u16::try_from(pixels.width).map_err(|_| too_large())?;
    let height = u16::try_from(pixels.height).map_err(|_| too_large())?;
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    // As sharp: colours at half the resolution, each the mean of four pixels. Taking one of the four costs a point of
    // SSIMULACRA2. The whole picture comes first, then its details, in one part: four parts are 6 % larger. Without parts the
    // encoder writes one scan for each colour, which some decoders do not read.
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.set_progressive_scans(2);
    encoder.set_optimized_huffman_tables(true);
    // JPEG has no transparency; it ignores the fourth byte.
    encoder.encode(&pixels.rgba, width, height, ColorType::Rgba).map_err(|error| failed(&error.to_string()))?;
    Ok(bytes)
}

fn too_long(format: &str, limit: &str) -> Fault {
    Fault {
        detail: format!("{format} files can be at most {limit} pixels wide and high"),
        fix: "cut it into several pictures, or ask for another format with `formats`".to_owned(),
        is_broken: false,
    }
}

/// The longest side of a WebP file (WebP Container Specification, "Simple file format").
const WEBP_SIDE: u32 = 16_383;

fn webp(pixels: &Scaled, quality: u8) -> Result<Vec<u8>, Fault> {
    if pixels.width.max(pixels.height) > WEBP_SIDE {
        return Err(too_long("WebP", "16,383"));
    }
    let encoder = webpx::Encoder::new_rgba(&pixels.rgba, pixels.width, pixels.height);
    let encoder = encoder.quality(f32::from(quality)).method(WEBP_EFFORT);
    encoder.encode(webpx::Unstoppable).map_err(|error| failed(&error.to_string()))
}

/// The speed of the AVIF encoder, 0 to 10. `avifenc` has the same default. A slower one takes several times as long for
/// files that are a twentieth smaller.
#[cfg(feature = "avif")]
const AVIF_SPEED: u8 = 6;

#[cfg(feature = "avif")]
fn avif(pixels: &Scaled, quality: u8) -> Result<Vec<u8>, Fault> {
    use libavif::{Encoder, RgbPixels, YuvFormat};
    let error = |error: libavif::Error| failed(&error.to_string());
    let rgba = RgbPixels::new(pixels.width, pixels.height, &pixels.rgba).map_err(error)?;
    // Colours at half the resolution, as in JPEG and WebP. The encoder leaves out transparency that no pixel has.
    let image = rgba.to_image(YuvFormat::Yuv420);
    let mut encoder = Encoder::new();
    // The number of threads would decide about tiles, and so about the bytes. Transparency is lossless, as in WebP.
    encoder.set_max_threads(1).set_speed(AVIF_SPEED).set_quality(quality).set_alpha_quality(100);
    let mut bytes = encoder.encode(&image).map_err(error)?.to_vec();
    name_colours(&mut bytes).ok_or_else(|| failed("the AVIF encoder has written no colours"))?;
    Ok(bytes)
}

/// Says in the container that colours are those of sRGB: primaries 1, transfer function 13, matrix 6 (ITU-T H.273), full
/// range. The safe interface of the encoder leaves the three unspecified, and converts with that matrix.
#[cfg(feature = "avif")]
fn name_colours(bytes: &mut [u8]) -> Option<()> {
    const UNSPECIFIED: &[u8] = b"colrnclx\0\x02\0\x02\0\x02\x80";
    const SRGB: &[u8] = b"colrnclx\0\x01\0\x0d\0\x06\x80";
    let at = memchr::memmem::find(bytes, UNSPECIFIED)?;
    // Compressed pixels follow all properties, so the first is the property.
    bytes[at..at + SRGB.len()].copy_from_slice(SRGB);
    Some(())
}

/// Encodes pixels as PNG.
pub fn png(pixels: &Scaled) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width, pixels.height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_color(if pixels.has_alpha { png::ColorType::Rgba } else { png::ColorType::Rgb });
    encoder.set_compression(png::Compression::High);
    let opaque: Vec<u8>;
    let data = match pixels.has_alpha {
        true => &pixels.rgba,
        false => {
            opaque = pixels.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
            &opaque
        }
    };
    let error = |error: png::EncodingError| failed(&error.to_string());
    let mut writer = encoder.write_header().map_err(error)?;
    writer.write_image_data(data).map_err(error)?;
    writer.finish().map_err(error)?;
    Ok(bytes)
}
