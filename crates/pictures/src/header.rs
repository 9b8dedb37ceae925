//! What a picture's file says of itself before its pixels are decoded.

use serde::{Deserialize, Serialize};
use std::io::Cursor;
use std::panic::catch_unwind;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;

/// The largest number of pixels of a picture. Decoded, it takes four bytes for each: 256 MB. Phones take 50 megapixels.
const MAX_PIXELS: u64 = 64_000_000;

/// The formats of pictures that are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureKind {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    WebP,
    /// GIF.
    Gif,
    /// AVIF. It is recognised, and not decoded: there is no decoder in safe Rust for it.
    Avif,
}

impl PictureKind {
    const ALL: [PictureKind; 5] =
        [PictureKind::Jpeg, PictureKind::Png, PictureKind::WebP, PictureKind::Gif, PictureKind::Avif];

    /// The name that people use.
    pub fn name(self) -> &'static str {
        match self {
            PictureKind::Jpeg => "JPEG",
            PictureKind::Png => "PNG",
            PictureKind::WebP => "WebP",
            PictureKind::Gif => "GIF",
            PictureKind::Avif => "AVIF",
        }
    }

    /// The name with its article.
    fn with_article(self) -> String {
        let article = if self == PictureKind::Avif { "an" } else { "a" };
        format!("{article} {}", self.name())
    }

    /// Extensions of such files, in lower case; the usual one first.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            PictureKind::Jpeg => &["jpg", "jpeg", "jfif"],
            PictureKind::Png => &["png"],
            PictureKind::WebP => &["webp"],
            PictureKind::Gif => &["gif"],
            PictureKind::Avif => &["avif"],
        }
    }

    /// The kind that a file's name promises.
    pub fn of_name(name: &str) -> Option<PictureKind> {
        let extension = name.rsplit('/').next()?.rsplit_once('.')?.1.to_ascii_lowercase();
        PictureKind::ALL.into_iter().find(|kind| kind.extensions().contains(&extension.as_str()))
    }

    /// The kind that a file's first bytes say it is.
    fn of_bytes(bytes: &[u8]) -> Option<PictureKind> {
        let brand = bytes.get(4..12);
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(PictureKind::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(PictureKind::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(PictureKind::WebP),
            _ if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") => Some(PictureKind::Gif),
            _ if brand == Some(b"ftypavif") || brand == Some(b"ftypavis") => Some(PictureKind::Avif),
            _ => None,
        }
    }
}

/// Formats that browsers cannot show, by the extensions of their files.
const UNKNOWN_TO_BROWSERS: [(&str, &str); 8] = [
    ("heic", "HEIC"),
    ("heif", "HEIF"),
    ("tif", "TIFF"),
    ("tiff", "TIFF"),
    ("bmp", "BMP"),
    ("jxl", "JPEG XL"),
    ("psd", "Photoshop"),
    ("hif", "HEIF"),
];

/// Returns the format of a file with the extension of a picture that browsers cannot show.
fn unknown_to_browsers(name: &str) -> Option<&'static str> {
    let extension = name.rsplit('/').next()?.rsplit_once('.')?.1.to_ascii_lowercase();
    UNKNOWN_TO_BROWSERS.into_iter().find(|(known, _)| *known == extension).map(|(_, format)| format)
}

/// Whether a file's name is that of a picture of pixels. Browsers may not be able to show it.
pub fn is_picture(name: &str) -> bool {
    PictureKind::of_name(name).is_some() || unknown_to_browsers(name).is_some()
}

/// Whether browsers show files of this name, if it is that of a picture.
pub fn is_shown(name: &str) -> bool {
    unknown_to_browsers(name).is_none()
}

/// Why a file cannot be used as a picture, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What is wrong with it.
    pub detail: String,
    /// What to do about it, as the help of a message: without a capital letter and a full stop.
    pub fix: String,
    /// Whether browsers cannot show the file either.
    pub is_broken: bool,
}

impl Fault {
    /// The bytes are not those of a complete picture.
    pub fn damaged(kind: PictureKind) -> Self {
        Fault::broken(format!("its {} data is damaged", kind.name()), "export the picture again")
    }

    fn broken(detail: String, fix: &str) -> Self {
        Fault { detail, fix: fix.to_owned(), is_broken: true }
    }

    fn unfit(detail: impl Into<String>, fix: &str) -> Self {
        Fault { detail: detail.into(), fix: fix.to_owned(), is_broken: false }
    }

    fn cut_off(kind: PictureKind) -> Self {
        let detail = format!("it is cut off: its {} data ends too early", kind.name());
        Fault::broken(detail, "copy the file again, or export the picture again")
    }
}

/// What a picture's file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// As its first bytes say, whatever its name is.
    pub kind: PictureKind,
    /// Its width in pixels, as it is to be shown.
    pub width: u32,
    /// Its height in pixels, as it is to be shown.
    pub height: u32,
    /// How its pixels are turned before they are shown: 1 to 8 (Exif 2.32, 4.6.4, "Orientation").
    pub orientation: u8,
    /// Whether its pixels can be transparent.
    pub has_alpha: bool,
    /// Whether it has more than one frame.
    pub is_animated: bool,
    /// Whether it says where it was taken.
    pub has_position: bool,
}

impl Header {
    /// Reads the header of a file with this name, and checks that the file is complete as far as that shows without
    /// decoding its pixels.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Header, Fault> {
        if let Some(format) = unknown_to_browsers(name) {
            // It may still be there to be downloaded.
            return Err(match PictureKind::of_bytes(bytes) {
                Some(kind) => {
                    let detail = format!("it is {} file with the extension of a {format} file", kind.with_article());
                    Fault::unfit(detail, &format!("rename it so that it ends in `.{}`", kind.extensions()[0]))
                }
                None => Fault::unfit(format!("browsers cannot show {format} files"), "export it as JPEG"),
            });
        }
        let promised = PictureKind::of_name(name);
        let kind = PictureKind::of_bytes(bytes).ok_or_else(|| no_picture(promised, bytes))?;
        if let Some(promised) = promised.filter(|promised| *promised != kind) {
            let usual = kind.extensions()[0];
            let detail =
                format!("it is {} file with the extension of {} file", kind.with_article(), promised.with_article());
            let fix = format!("rename it so that it ends in `.{usual}`, or export it as {}", promised.name());
            return Err(Fault::broken(detail, &fix));
        }
        let read = catch_unwind(|| match kind {
            PictureKind::Jpeg => jpeg(bytes),
            PictureKind::Png => png(bytes),
            PictureKind::WebP => webp(bytes),
            PictureKind::Gif => gif(bytes),
            PictureKind::Avif => {
                let fix = "export it as JPEG, PNG or WebP; the build makes smaller files from it";
                Err(Fault::unfit("AVIF files can be published unchanged, but not be scaled", fix))
            }
        });
        let header = read.unwrap_or_else(|_| Err(Fault::damaged(kind)))?;
        if header.width == 0 || header.height == 0 {
            return Err(Fault::damaged(kind));
        }
        let pixels = u64::from(header.width) * u64::from(header.height);
        if pixels > MAX_PIXELS {
            let Header { width, height, .. } = header;
            let detail = format!(
                "it has {width} by {height} pixels, but at most {} million are allowed",
                MAX_PIXELS / 1_000_000
            );
            return Err(Fault::unfit(detail, "scale it down: 4,000 pixels are enough for every screen"));
        }
        Ok(header)
    }

    /// The size of the pixels in the file, before they are turned.
    pub fn stored(&self) -> (u32, u32) {
        if self.orientation >= 5 { (self.height, self.width) } else { (self.width, self.height) }
    }

    fn of(kind: PictureKind, (width, height): (u32, u32), exif: Option<&[u8]>) -> Self {
        let Exif { orientation, has_position } = exif.map(Exif::read).unwrap_or_default();
        let header = Header { kind, width, height, orientation, has_alpha: false, is_animated: false, has_position };
        let (width, height) = header.stored();
        Header { width, height, ..header }
    }
}

/// Describes what a file is that is no picture.
fn no_picture(promised: Option<PictureKind>, bytes: &[u8]) -> Fault {
    let start = &bytes[..bytes.len().min(512)];
    let text = String::from_utf8_lossy(start).trim_start_matches(['\u{feff}', ' ', '\r', '\n', '\t']).to_lowercase();
    let is_text = !start.is_empty() && std::str::from_utf8(start).is_ok_and(|text| !text.contains('\0'));
    let brand = bytes.get(8..12).filter(|_| bytes.get(4..8) == Some(b"ftyp"));
    let what = match bytes {
        [] => "is empty",
        [b'B', b'M', ..] if !is_text => "is a BMP file",
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "is a TIFF file",
        [b'8', b'B', b'P', b'S', ..] => "is a Photoshop file",
        [b'%', b'P', b'D', b'F', ..] => "is a PDF file",
        _ if brand.is_some_and(|brand| [b"heic", b"heix", b"mif1", b"hevc"].iter().any(|each| *each == brand)) => {
            "is a HEIC file, as many phones save them"
        }
        _ if text.starts_with("<!doctype html") || text.starts_with("<html") => "is a web page",
        _ if text.starts_with("<svg") || text.starts_with("<?xml") => "is an SVG or another XML file",
        _ if text.starts_with("version https://git-lfs") => "is a Git LFS pointer; the picture was not downloaded",
        _ if is_text => "is text",
        _ => "is not a picture of a known format",
    };
    let fix = match (what, promised) {
        ("is a Git LFS pointer; the picture was not downloaded", _) => "run `git lfs pull`".to_owned(),
        (_, Some(kind)) => format!("export the picture as {}", kind.name()),
        (_, None) => "export the picture as JPEG, PNG or WebP".to_owned(),
    };
    Fault::broken(format!("the file {what}"), &fix)
}

fn jpeg(bytes: &[u8]) -> Result<Header, Fault> {
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), super::options::jpeg_options());
    decoder.decode_headers().map_err(|_| Fault::damaged(PictureKind::Jpeg))?;
    let info = decoder.info().ok_or_else(|| Fault::damaged(PictureKind::Jpeg))?;
    if matches!(decoder.input_colorspace(), Some(ColorSpace::CMYK | ColorSpace::YCCK)) || info.components == 4 {
        let fix = "export it with the colour space sRGB";
        return Err(Fault::unfit(
            "it uses the colours of a printing press (CMYK), which browsers show incorrectly",
            fix,
        ));
    }
    match walk_jpeg(bytes) {
        None => return Err(Fault::cut_off(PictureKind::Jpeg)),
        // The decoder takes what the second scan has for the rest of the first.
        Some(Scans::OneColourEach) => {
            let fix = "open it in an image editor and save it again as JPEG";
            return Err(Fault::unfit("it stores each colour channel separately, which is not supported", fix));
        }
        Some(Scans::Usual) => {}
    }
    Ok(Header::of(PictureKind::Jpeg, (info.width.into(), info.height.into()), decoder.exif().map(|exif| &exif[..])))
}

/// What the scans of a JPEG have.
enum Scans {
    /// All colours at once, or the parts of a progressive picture.
    Usual,
    /// One colour each, in a picture that is not progressive.
    OneColourEach,
}

/// Follows the segments and scans of a JPEG to its end marker (ITU T.81, B.1). Returns `None` if they do not lead to one:
/// decoders take a file that was cut off for a complete one and make its lower part grey. What follows the end marker is
/// never published.
fn walk_jpeg(bytes: &[u8]) -> Option<Scans> {
    let mut at = 2;
    let mut is_in_scan = false;
    let mut colours = 0;
    let mut scans = Scans::Usual;
    loop {
        if is_in_scan {
            at += memchr::memchr(0xff, bytes.get(at..)?)?;
        }
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(0xff), Some(0xd9)) => return Some(scans),
            // A fill byte; the next one may begin a marker.
            (Some(0xff), Some(0xff)) => at += 1,
            // A stuffed zero, a restart marker, or a marker without a length.
            (Some(0xff), Some(0x00 | 0xd0..=0xd8 | 0x01)) => at += 2,
            (Some(0xff), Some(marker)) => {
                let (high, low) = (bytes.get(at + 2)?, bytes.get(at + 3)?);
                match marker {
                    // Frames that are not progressive say how many colours they have (B.2.2), and so do scans (B.2.3).
                    0xc0 | 0xc1 => colours = *bytes.get(at + 9)?,
                    0xda if *bytes.get(at + 4)? < colours => scans = Scans::OneColourEach,
                    _ => {}
                }
                at += 2 + usize::from(u16::from_be_bytes([*high, *low])).max(2);
                is_in_scan = *marker == 0xda;
            }
            // Some programs leave bytes between segments.
            (Some(_), Some(_)) => at += 1,
            _ => return None,
        }
    }
}

/// What Exif data says of a picture.
struct Exif {
    /// How it is turned, 1 to 8.
    orientation: u8,
    /// Whether it has the place where the picture was taken.
    has_position: bool,
}

impl Default for Exif {
    fn default() -> Self {
        Exif { orientation: 1, has_position: false }
    }
}

impl Exif {
    /// Reads Exif data that begins with its TIFF header.
    fn read(exif: &[u8]) -> Exif {
        let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
        let Ok(exif) = exif::Reader::new().read_raw(exif.to_vec()) else { return Exif::default() };
        let field = exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY);
        let value = field.and_then(|field| field.value.get_uint(0)).unwrap_or(1);
        // Phones without a signal write the tag without figures, and some programs remove a position by writing zeros.
        let has_position = exif.get_field(exif::Tag::GPSLatitude, exif::In::PRIMARY).is_some_and(|field| {
            matches!(&field.value, exif::Value::Rational(parts) if parts.iter().any(|part| part.num != 0 && part.denom != 0))
        });
        Exif { orientation: if (1..=8).contains(&value) { value as u8 } else { 1 }, has_position }
    }
}

fn png(bytes: &[u8]) -> Result<Header, Fault> {
    let reader = super::options::png_decoder(bytes).read_info().map_err(|_| Fault::damaged(PictureKind::Png))?;
    let info = reader.info();
    if !ends_as_png(bytes) {
        return Err(Fault::cut_off(PictureKind::Png));
    }
    let has_alpha = info.trns.is_some() || matches!(info.color_type.samples(), 2 | 4);
    let is_animated = info.animation_control.is_some_and(|control| control.num_frames > 1);
    Ok(Header {
        has_alpha,
        is_animated,
        ..Header::of(PictureKind::Png, (info.width, info.height), info.exif_metadata.as_deref())
    })
}

/// Whether the chunks of a PNG lead to its last one (PNG 3, 5.3).
fn ends_as_png(bytes: &[u8]) -> bool {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        at = at.saturating_add(12).saturating_add(length);
        if &head[4..] == b"IEND" {
            return at <= bytes.len();
        }
    }
    false
}

fn webp(bytes: &[u8]) -> Result<Header, Fault> {
    let length = bytes.get(4..8).and_then(|length| length.try_into().ok()).map_or(0, u32::from_le_bytes);
    if bytes.len() < (length as usize).saturating_add(8) {
        return Err(Fault::cut_off(PictureKind::WebP));
    }
    let damaged = |_| Fault::damaged(PictureKind::WebP);
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let exif = decoder.exif_metadata().map_err(damaged)?;
    let (has_alpha, is_animated) = (decoder.has_alpha(), decoder.is_animated() && decoder.num_frames() > 1);
    Ok(Header { has_alpha, is_animated, ..Header::of(PictureKind::WebP, decoder.dimensions(), exif.as_deref()) })
}

fn gif(bytes: &[u8]) -> Result<Header, Fault> {
    let damaged = |_| Fault::damaged(PictureKind::Gif);
    let mut options = gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(damaged)?;
    let size = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut frames = 0;
    // An animation may never end; two frames show that it is one.
    while frames < 2 && decoder.next_frame_info().map_err(|_| Fault::cut_off(PictureKind::Gif))?.is_some() {
        frames += 1;
    }
    if frames == 0 {
        return Err(Fault::cut_off(PictureKind::Gif));
    }
    Ok(Header { has_alpha: true, is_animated: frames > 1, ..Header::of(PictureKind::Gif, size, None) })
}
