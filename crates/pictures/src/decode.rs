//! Decodes the pixels of a picture and scales them.

use super::copy::Copy;
use super::header::{Fault, Header, PictureKind};
use super::options::{jpeg_options, png_decoder};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, ResizeOptions, Resizer};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use std::io::Cursor;
use zune_core::bytestream::ZCursor;

/// Decoded pixels, as the file stores them.
pub struct DecodedPixels {
    /// Red, green, blue and alpha of each, a byte each.
    rgba: Vec<u8>,
    /// The colour profile of the file.
    profile: Option<Vec<u8>>,
}

/// Scaled pixels in sRGB, turned as they are shown.
pub struct Scaled {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each, a byte each.
    pub rgba: Vec<u8>,
    /// Whether one of them is transparent.
    pub has_alpha: bool,
}

/// Decodes a picture whose header was read.
pub fn decode(bytes: &[u8], header: &Header) -> Result<DecodedPixels, Fault> {
    let damaged = || Fault::damaged(header.kind);
    let (width, height) = header.stored();
    let (rgba, profile) = match header.kind {
        PictureKind::Jpeg => {
            let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), jpeg_options());
            let rgba = decoder.decode().map_err(|_| damaged())?;
            (rgba, decoder.icc_profile())
        }
        PictureKind::Png => {
            let mut reader = png_decoder(bytes).read_info().map_err(|_| damaged())?;
            let profile = reader.info().icc_profile.as_ref().map(|profile| profile.to_vec());
            let mut buffer = vec![0; reader.output_buffer_size().ok_or_else(damaged)?];
            let frame = reader.next_frame(&mut buffer).map_err(|_| damaged())?;
            buffer.truncate(frame.buffer_size());
            let rgba = match frame.color_type {
                png::ColorType::Rgba => buffer,
                png::ColorType::Rgb => expanded(&buffer, 3, |pixel| [pixel[0], pixel[1], pixel[2], 255]),
                png::ColorType::GrayscaleAlpha => {
                    expanded(&buffer, 2, |pixel| [pixel[0], pixel[0], pixel[0], pixel[1]])
                }
                png::ColorType::Grayscale => expanded(&buffer, 1, |pixel| [pixel[0], pixel[0], pixel[0], 255]),
                png::ColorType::Indexed => return Err(damaged()),
            };
            // What follows the pixels has checksums too.
            reader.finish().map_err(|_| damaged())?;
            (rgba, profile)
        }
        PictureKind::WebP => {
            let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(|_| damaged())?;
            let mut buffer = vec![0; decoder.output_buffer_size().ok_or_else(damaged)?];
            decoder.read_image(&mut buffer).map_err(|_| damaged())?;
            let profile = decoder.icc_profile().ok().flatten();
            let has_alpha = decoder.has_alpha();
            let opaque = |pixel: &[u8]| [pixel[0], pixel[1], pixel[2], 255];
            (if has_alpha { buffer } else { expanded(&buffer, 3, opaque) }, profile)
        }
        PictureKind::Gif => (first_frame(bytes, width, height)?, None),
        PictureKind::Avif => return Err(damaged()),
    };
    if rgba.len() != width as usize * height as usize * 4 {
        return Err(damaged());
    }
    Ok(DecodedPixels { rgba, profile })
}

/// Makes RGBA of pixels with this many bytes each.
fn expanded(pixels: &[u8], bytes: usize, rgba: impl Fn(&[u8]) -> [u8; 4]) -> Vec<u8> {
    pixels.chunks_exact(bytes).flat_map(rgba).collect()
}

/// Decodes the first frame of a GIF, which may cover a part of the picture.
fn first_frame(bytes: &[u8], width: u32, height: u32) -> Result<Vec<u8>, Fault> {
    let damaged = || Fault::damaged(PictureKind::Gif);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(|_| damaged())?;
    let frame = decoder.read_next_frame().map_err(|_| damaged())?.ok_or_else(damaged)?;
    let mut rgba = vec![0; width as usize * height as usize * 4];
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let across = usize::from(frame.width).min((width as usize).saturating_sub(left)) * 4;
    for (row, pixels) in frame.buffer.chunks_exact((usize::from(frame.width) * 4).max(1)).enumerate() {
        let start = ((top + row) * width as usize + left) * 4;
        let Some(target) = rgba.get_mut(start..start + across).filter(|_| top + row < height as usize) else { break };
        target.copy_from_slice(&pixels[..across]);
    }
    Ok(rgba)
}

impl DecodedPixels {
    /// Returns the part of the picture that a copy shows, in its size.
    pub fn scaled(&self, header: &Header, copy: &Copy) -> Result<Scaled, Fault> {
        let damaged = || Fault::damaged(header.kind);
        let (width, height) = header.stored();
        // Scaled first and turned then: there are fewer pixels to turn.
        let is_turned = header.orientation >= 5;
        let (across, down) = if is_turned { (copy.height, copy.width) } else { (copy.width, copy.height) };
        let source = ImageRef::new(width, height, &self.rgba, PixelType::U8x4).map_err(|_| damaged())?;
        let mut target = Image::new(across, down, PixelType::U8x4);
        let options = ResizeOptions::new().use_alpha(header.has_alpha);
        let options = match copy.focus {
            None => options,
            Some(focus) => {
                let (x, y) = stored_point(header.orientation, (focus.x(), focus.y()));
                let (left, top, wide, high) = part((width, height), (across, down), (x, y));
                options.crop(left, top, wide, high)
            }
        };
        Resizer::new().resize(&source, &mut target, &options).map_err(|_| damaged())?;
        let mut rgba = in_srgb(target.into_vec(), self.profile.as_deref());
        if header.orientation > 1 {
            rgba = turned(&rgba, (across as usize, down as usize), header.orientation);
        }
        let has_alpha = header.has_alpha && rgba.chunks_exact(4).any(|pixel| pixel[3] != 255);
        Ok(Scaled { width: copy.width, height: copy.height, rgba, has_alpha })
    }
}

/// Returns left, top, width and height of the largest part with the ratio of the target, as close around a point as the
/// edges allow.
fn part((width, height): (u32, u32), (across, down): (u32, u32), (x, y): (f64, f64)) -> (f64, f64, f64, f64) {
    let (width, height) = (f64::from(width), f64::from(height));
    let ratio = f64::from(across) / f64::from(down);
    let (wide, high) = if width / height > ratio { (height * ratio, height) } else { (width, width / ratio) };
    let (wide, high) = (wide.min(width), high.min(height));
    let place = |point: f64, whole: f64, part: f64| (point * whole - part / 2.0).clamp(0.0, whole - part);
    (place(x, width, wide), place(y, height, high), wide, high)
}

/// Returns where the point of a picture as shown is in the picture as stored, in parts of its width and height.
fn stored_point(orientation: u8, (x, y): (f64, f64)) -> (f64, f64) {
    match orientation {
        2 => (1.0 - x, y),
        3 => (1.0 - x, 1.0 - y),
        4 => (x, 1.0 - y),
        5 => (y, x),
        6 => (y, 1.0 - x),
        7 => (1.0 - y, 1.0 - x),
        8 => (1.0 - y, x),
        _ => (x, y),
    }
}

/// Turns pixels of this size as they are shown.
fn turned(rgba: &[u8], (width, height): (usize, usize), orientation: u8) -> Vec<u8> {
    let (across, down) = if orientation >= 5 { (height, width) } else { (width, height) };
    let mut target = Vec::with_capacity(rgba.len());
    for y in 0..down {
        for x in 0..across {
            let (from_x, from_y) = match orientation {
                2 => (width - 1 - x, y),
                3 => (width - 1 - x, height - 1 - y),
                4 => (x, height - 1 - y),
                5 => (y, x),
                6 => (y, height - 1 - x),
                7 => (width - 1 - y, height - 1 - x),
                8 => (width - 1 - y, x),
                _ => (x, y),
            };
            let at = (from_y * width + from_x) * 4;
            target.extend_from_slice(&rgba[at..at + 4]);
        }
    }
    target
}

/// Converts pixels from the colours of a profile to sRGB, which browsers assume for pictures without one. A profile that
/// cannot be read is ignored, as browsers do.
fn in_srgb(rgba: Vec<u8>, profile: Option<&[u8]>) -> Vec<u8> {
    let profile = profile.and_then(|profile| ColorProfile::new_from_slice(profile).ok());
    let Some(profile) = profile else { return rgba };
    let target = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    if profile.color_space == DataColorSpace::Gray {
        // All three colours are the grey of the file.
        let grey: Vec<u8> = rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[3]]).collect();
        let Ok(transform) = profile.create_transform_8bit(Layout::GrayAlpha, &target, Layout::Rgba, options) else {
            return rgba;
        };
        let mut converted = vec![0; rgba.len()];
        return if transform.transform(&grey, &mut converted).is_ok() { converted } else { rgba };
    }
    if profile.color_space != DataColorSpace::Rgb {
        return rgba;
    }
    let Ok(transform) = profile.create_transform_8bit(Layout::Rgba, &target, Layout::Rgba, options) else {
        return rgba;
    };
    let mut converted = vec![0; rgba.len()];
    match transform.transform(&rgba, &mut converted) {
        Ok(()) => converted,
        Err(_) => rgba,
    }
}
