//! Pictures made by the tests themselves: whole ones, and ones that attack the decoders.

use super::*;

/// The colour of a pixel at a point.
type Paint = fn(u32, u32) -> [u8; 4];

fn pixels(width: u32, height: u32, paint: Paint) -> Vec<u8> {
    (0..height).flat_map(|y| (0..width).flat_map(move |x| paint(x, y))).collect()
}

/// Red on the left, blue on the right, and the lower half darker.
const QUARTERS: Paint = |x, y| {
    let light = if y < 30 { 250 } else { 120 };
    if x < 50 { [light, 10, 10, 255] } else { [10, 10, light, 255] }
};

fn jpeg(width: u16, height: u16, paint: Paint, segments: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 95);
    for (number, data) in segments {
        encoder.add_app_segment(*number, data.clone()).unwrap();
    }
    let rgba = pixels(width.into(), height.into(), paint);
    encoder.encode(&rgba, width, height, jpeg_encoder::ColorType::Rgba).unwrap();
    bytes
}

/// Exif data with an orientation, after its identifier.
fn exif(orientation: u8) -> Vec<u8> {
    let mut data = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01".to_vec();
    data.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
    data
}

fn png(width: u32, height: u32, paint: Paint) -> Vec<u8> {
    png_of(width, height, png::ColorType::Rgba, png::BitDepth::Eight, &pixels(width, height, paint))
}

fn png_of(width: u32, height: u32, color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

fn webp(width: u32, height: u32, paint: Paint) -> Vec<u8> {
    let rgba = pixels(width, height, paint);
    webpx::Encoder::new_rgba(&rgba, width, height).quality(95.0).encode(webpx::Unstoppable).unwrap()
}

fn gif(frames: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, 100, 60, &[]).unwrap();
    for _ in 0..frames {
        let palette: Vec<u8> = [RED, BLUE, DARK_RED, DARK_BLUE].iter().flat_map(|color| &color[..3]).copied().collect();
        let indexes: Vec<u8> = (0..60).flat_map(|y| (0..100).map(move |x| (x / 50 + y / 30 * 2) as u8)).collect();
        encoder.write_frame(&gif::Frame::from_palette_pixels(100, 60, indexes, palette, None)).unwrap();
    }
    drop(encoder);
    bytes
}

fn copy(width: u32, height: u32, format: Format) -> Copy {
    Copy { width, height, focus: None, format, quality: 90 }
}

/// Decodes what was written, and returns its size and the colour at a point, in tenths of its width and height.
fn shown(bytes: &[u8], x: u32, y: u32) -> ((u32, u32), [u8; 4]) {
    let extension = match bytes {
        [0xff, ..] => "jpg",
        [0x89, ..] => "png",
        _ => "webp",
    };
    let header = Header::read(&format!("x.{extension}"), bytes).unwrap();
    assert_eq!(header.orientation, 1);
    let size = (header.width, header.height);
    let same = make(bytes, &header, &[Copy { quality: 100, ..copy(size.0, size.1, Format::Png) }]).unwrap();
    let mut reader = options::png_decoder(&same[0]).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgba).unwrap();
    let at = ((size.1 * y / 10) * size.0 + size.0 * x / 10) as usize * 4;
    (size, rgba[at..at + 4].try_into().unwrap())
}

fn is_like(found: [u8; 4], expected: [u8; 4]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) < 24)
}

const RED: [u8; 4] = [250, 10, 10, 255];
const BLUE: [u8; 4] = [10, 10, 250, 255];
const DARK_RED: [u8; 4] = [120, 10, 10, 255];
const DARK_BLUE: [u8; 4] = [10, 10, 120, 255];

#[test]
fn every_format_is_read_and_written() {
    let sources = [
        ("a.jpg", jpeg(100, 60, QUARTERS, &[])),
        ("a.PNG", png(100, 60, QUARTERS)),
        ("a.webp", webp(100, 60, QUARTERS)),
        ("a.gif", gif(1)),
    ];
    for (name, bytes) in sources {
        let header = Header::read(name, &bytes).unwrap();
        assert_eq!((header.width, header.height, header.is_animated), (100, 60, false), "{name}");
        let formats = [Format::WebP, Format::Jpeg, Format::Png];
        let made = make(&bytes, &header, &formats.map(|format| copy(50, 30, format))).unwrap();
        for (format, bytes) in formats.iter().zip(&made) {
            for (x, y, color) in [(2, 2, RED), (7, 2, BLUE), (2, 7, DARK_RED), (7, 7, DARK_BLUE)] {
                let (size, found) = shown(bytes, x, y);
                assert!(size == (50, 30) && is_like(found, color), "{name} {format:?} {x} {y}: {size:?} {found:?}");
            }
        }
    }
}

#[test]
fn a_picture_is_turned_as_its_camera_was_held() {
    // Where the corner that is stored first is shown, and the size (Exif 2.32, "Orientation").
    for (orientation, size, corners) in [
        (1, (50, 30), [RED, BLUE, DARK_RED, DARK_BLUE]),
        (2, (50, 30), [BLUE, RED, DARK_BLUE, DARK_RED]),
        (3, (50, 30), [DARK_BLUE, DARK_RED, BLUE, RED]),
        (4, (50, 30), [DARK_RED, DARK_BLUE, RED, BLUE]),
        (5, (30, 50), [RED, DARK_RED, BLUE, DARK_BLUE]),
        (6, (30, 50), [DARK_RED, RED, DARK_BLUE, BLUE]),
        (7, (30, 50), [DARK_BLUE, BLUE, DARK_RED, RED]),
        (8, (30, 50), [BLUE, DARK_BLUE, RED, DARK_RED]),
    ] {
        let bytes = jpeg(100, 60, QUARTERS, &[(1, exif(orientation))]);
        let header = Header::read("a.jpg", &bytes).unwrap();
        assert_eq!((header.width, header.height), (size.0 * 2, size.1 * 2));
        let made = make(&bytes, &header, &[copy(size.0, size.1, Format::Png)]).unwrap();
        for ((x, y), color) in [(2, 2), (7, 2), (2, 7), (7, 7)].into_iter().zip(corners) {
            let (found_size, found) = shown(&made[0], x, y);
            assert!(found_size == size && is_like(found, color), "{orientation} {x} {y}: {found_size:?} {found:?}");
        }
        // The upper left corner, cropped to a square.
        let focus = Some(Focus { left: 0, top: 0 });
        let made = make(&bytes, &header, &[Copy { focus, ..copy(20, 20, Format::Png) }]).unwrap();
        assert!(is_like(shown(&made[0], 1, 1).1, corners[0]), "{orientation}");
    }
}

#[test]
fn nothing_of_the_metadata_is_published() {
    let position = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\0 48.137N 11.575E".to_vec();
    let bytes = jpeg(100, 60, QUARTERS, &[(1, position), (13, b"Photoshop 3.0\0 by Ada".to_vec())]);
    let header = Header::read("a.jpg", &bytes).unwrap();
    for format in [Format::Jpeg, Format::WebP, Format::Png] {
        let made = make(&bytes, &header, &[copy(100, 60, format)]).unwrap();
        for secret in [&b"48.137"[..], b"Ada", b"Exif", b"eXIf", b"EXIF", b"Photoshop", b"ICC"] {
            assert_eq!(memchr::memmem::find(&made[0], secret), None, "{format:?}");
        }
    }
}

#[test]
fn colours_of_a_profile_become_those_of_srgb() {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 100);
    encoder.add_icc_profile(&moxcms::ColorProfile::new_display_p3().encode().unwrap()).unwrap();
    let rgba = pixels(16, 16, |_, _| [200, 120, 120, 255]);
    encoder.encode(&rgba, 16, 16, jpeg_encoder::ColorType::Rgba).unwrap();
    let header = Header::read("a.jpg", &bytes).unwrap();
    let made = make(&bytes, &header, &[copy(16, 16, Format::Png)]).unwrap();
    // By the matrices of Display P3 and sRGB (CSS Color 4, 18): `color(display-p3 .784 .471 .471)` is rgb(213 117 117).
    let (_, [red, green, ..]) = shown(&made[0], 5, 5);
    assert!(red.abs_diff(213) <= 2 && green.abs_diff(117) <= 2, "{red} {green}");
}

#[test]
fn greys_of_a_profile_become_those_of_srgb() {
    let profile = moxcms::ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 100);
    encoder.add_icc_profile(&profile).unwrap();
    encoder.encode(&[128; 256], 16, 16, jpeg_encoder::ColorType::Luma).unwrap();
    let header = Header::read("a.jpg", &bytes).unwrap();
    let made = make(&bytes, &header, &[copy(16, 16, Format::Png)]).unwrap();
    // As littlecms converts it: half of the light is rgb(188 188 188).
    let (_, [red, green, blue, _]) = shown(&made[0], 5, 5);
    assert!([red, green, blue].iter().all(|grey| grey.abs_diff(188) <= 1), "{red} {green} {blue}");
}

#[test]
fn the_longest_side_of_a_format_is_named() {
    let long = decode::Scaled { width: 1, height: 20_000, rgba: vec![255; 80_000], has_alpha: false };
    let fault = encode::encode(&long, &copy(1, 20_000, Format::WebP)).unwrap_err();
    assert!(fault.detail.contains("16,383 pixels") && fault.fix.contains("cut it"), "{fault:?}");
    assert!(encode::encode(&long, &copy(1, 20_000, Format::Png)).is_ok());
}

#[test]
fn the_position_in_a_file_is_seen() {
    let exif = |latitude: u32| {
        let mut exif = b"MM\0*\0\0\0\x08\0\x01\x88\x25\0\x04\0\0\0\x01\0\0\0\x1a\0\0\0\0".to_vec();
        exif.extend(b"\0\x01\0\x02\0\x05\0\0\0\x03\0\0\0\x2c\0\0\0\0");
        for part in [latitude, 1, 0, 1, 0, 1] {
            exif.extend(part.to_be_bytes());
        }
        exif
    };
    for (latitude, expected) in [(48, true), (0, false)] {
        let segment = [&b"Exif\0\0"[..], &exif(latitude)].concat();
        let bytes = jpeg(20, 20, QUARTERS, &[(1, segment)]);
        assert_eq!(Header::read("a.jpg", &bytes).unwrap().has_position, expected);
    }
    let plain = jpeg(20, 20, QUARTERS, &[]);
    assert!(!Header::read("a.jpg", &plain).unwrap().has_position);
}

#[test]
fn sixteen_bits_and_transparency_are_kept_as_far_as_eight_bits_allow() {
    let deep: Vec<u8> = (0..64 * 64).flat_map(|_| [0xfa, 0x77, 0x0a, 0x99, 0x0a, 0x00]).collect();
    let bytes = png_of(64, 64, png::ColorType::Rgb, png::BitDepth::Sixteen, &deep);
    let header = Header::read("a.png", &bytes).unwrap();
    let made = make(&bytes, &header, &[copy(16, 16, Format::Png)]).unwrap();
    assert_eq!(shown(&made[0], 5, 5).1, [0xfa, 0x0a, 0x0a, 255]);
    let half = png(64, 64, |x, _| if x < 32 { [250, 10, 10, 0] } else { [10, 10, 250, 255] });
    let header = Header::read("a.png", &half).unwrap();
    assert!(header.has_alpha);
    for format in [Format::Png, Format::WebP] {
        let made = make(&half, &header, &[copy(32, 32, format)]).unwrap();
        assert_eq!(shown(&made[0], 1, 5).1[3], 0);
        assert!(is_like(shown(&made[0], 8, 5).1, BLUE));
    }
}

#[test]
fn an_animation_is_recognised_by_its_second_frame() {
    assert!(Header::read("a.gif", &gif(2)).unwrap().is_animated);
    // Cut off in the third of many.
    let long = gif(50);
    assert!(Header::read("a.gif", &long[..long.len() / 2]).unwrap().is_animated);
}

#[test]
fn a_file_that_is_no_picture_says_what_it_is() {
    let whole = jpeg(100, 60, QUARTERS, &[]);
    for (name, bytes, says) in [
        ("a.jpg", &b""[..], "is empty"),
        ("a.jpg", b"hello, world\n", "is text"),
        ("a.png", b"<!DOCTYPE html><html>", "a web page"),
        ("a.png", b"<svg xmlns=\"x\"/>", "an SVG"),
        ("a.jpg", b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        ("a.jpg", b"II*\0\x08\0\0\0\0\0", "a TIFF file"),
        ("a.jpg", b"\0\0\0\x18ftypheic\0\0\0\0", "a HEIC file"),
        ("a.jpg", b"%PDF-1.7\n\0", "a PDF file"),
        ("a.jpg", &[0; 100], "a known format"),
        ("a.png", &whole, "a JPEG file with the extension of a PNG file"),
        ("a.gif", &webp(4, 4, QUARTERS), "a WebP file with the extension of a GIF file"),
        ("a.avif", b"\0\0\0\x18ftypavif\0\0\0\0", "not be scaled"),
    ] {
        let fault = Header::read(name, bytes).unwrap_err();
        assert!(fault.detail.contains(says) && !fault.fix.is_empty(), "{name}: {fault:?}");
    }
}

#[test]
fn a_file_that_was_cut_off_is_refused_wherever_it_was_cut() {
    for (name, bytes) in [
        ("a.jpg", jpeg(100, 60, QUARTERS, &[(1, exif(1))])),
        ("a.png", png(100, 60, QUARTERS)),
        ("a.webp", webp(100, 60, QUARTERS)),
        ("a.gif", gif(1)),
    ] {
        // The last byte of a GIF says that nothing follows, and decoders need none.
        let end = if name == "a.gif" { bytes.len() - 2 } else { bytes.len() };
        for length in 0..end {
            let made = Header::read(name, &bytes[..length])
                .and_then(|header| make(&bytes[..length], &header, &[copy(10, 6, Format::Png)]));
            assert!(made.is_err(), "{name}: {length} of {} bytes are taken for a whole picture", bytes.len());
        }
    }
}

#[test]
fn a_jpeg_with_a_scan_for_each_colour_is_refused() {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 95);
    // Then the encoder writes the scans one after the other.
    encoder.set_optimized_huffman_tables(true);
    encoder.encode(&pixels(100, 60, QUARTERS), 100, 60, jpeg_encoder::ColorType::Rgba).unwrap();
    let fault = Header::read("a.jpg", &bytes).unwrap_err();
    assert!(fault.detail.contains("each colour channel separately"), "{fault:?}");
}

#[test]
fn a_bomb_is_refused_by_its_header() {
    // 60,000 by 60,000 pixels of one bit: 450 MB that compress to nothing.
    let mut bytes = png(1, 1, QUARTERS);
    bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let crc = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    let fault = Header::read("a.png", &bytes).unwrap_err();
    assert!(fault.detail.contains("60000 by 60000"), "{fault:?}");
    let mut bytes = jpeg(8, 8, QUARTERS, &[]);
    let frame = memchr::memmem::find(&bytes, &[0xff, 0xc0]).unwrap();
    bytes[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let fault = Header::read("a.jpg", &bytes).unwrap_err();
    assert!(fault.detail.contains("65535 by 65535"), "{fault:?}");
    let mut bytes = gif(1);
    bytes[6..10].copy_from_slice(&[0xff; 4]);
    assert!(Header::read("a.gif", &bytes).is_err());
}

/// The checksum of PNG chunks (PNG 3, annex D).
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ crc >> 1 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[test]
fn what_follows_a_picture_is_not_published() {
    let page = b"<script>alert(1)</script>PK\x03\x04";
    for (name, bytes) in [("a.jpg", jpeg(100, 60, QUARTERS, &[(14, page.to_vec())])), ("a.png", png(100, 60, QUARTERS))]
    {
        let both = [&bytes[..], page].concat();
        let header = Header::read(name, &both).unwrap();
        for format in [Format::Jpeg, Format::WebP, Format::Png] {
            let made = make(&both, &header, &[copy(50, 30, format)]).unwrap();
            assert_eq!(memchr::memmem::find(&made[0], b"script"), None);
        }
    }
}

#[test]
fn damaged_bytes_neither_panic_nor_take_long() {
    let mut random = 7_u32;
    let mut next = move || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize
    };
    for (name, whole) in [
        ("a.jpg", jpeg(100, 60, QUARTERS, &[(1, exif(6))])),
        ("a.png", png(100, 60, QUARTERS)),
        ("a.webp", webp(100, 60, QUARTERS)),
        ("a.gif", gif(2)),
    ] {
        for _ in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..1 + next() % 8 {
                let at = 4 + next() % (bytes.len() - 4);
                bytes[at] = next() as u8;
            }
            if let Ok(header) = Header::read(name, &bytes) {
                let small = Copy { width: 10, height: 6, ..copy(10, 6, Format::WebP) };
                let _ = make(&bytes, &header, &[small]);
            }
        }
    }
}

#[test]
fn cmyk_is_refused() {
    let rgba = pixels(16, 16, QUARTERS);
    let mut bytes = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.encode(&rgba, 16, 16, jpeg_encoder::ColorType::Cmyk).unwrap();
    let fault = Header::read("a.jpg", &bytes).unwrap_err();
    assert!(fault.detail.contains("CMYK"), "{fault:?}");
}

/// The mean colour of an AVIF file at a point, in tenths of its width and height, as the decoder of libaom reads it.
#[cfg(feature = "avif")]
fn shown_avif(bytes: &[u8], x: u32, y: u32) -> ((u32, u32), [u8; 4]) {
    let pixels = libavif::decode_rgb(bytes).unwrap();
    let size = (pixels.width(), pixels.height());
    let (red, green, blue, alpha) = pixels.pixel(size.0 * x / 10, size.1 * y / 10);
    (size, [red, green, blue, alpha])
}

#[cfg(feature = "avif")]
#[test]
fn avif_has_the_pixels_the_colours_and_the_transparency() {
    let half = |x: u32, _: u32| if x < 50 { [250, 10, 10, 255] } else { [10, 10, 250, 64] };
    for (name, bytes, transparent) in [
        ("a.jpg", jpeg(100, 60, QUARTERS, &[]), None),
        ("a.png", png(100, 60, QUARTERS), None),
        ("b.png", png(100, 60, half), Some(64)),
        ("a.gif", gif(1), None),
    ] {
        let header = Header::read(name, &bytes).unwrap();
        let made = make(&bytes, &header, &[copy(50, 30, Format::Avif)]).unwrap().remove(0);
        assert_eq!(&made[4..12], b"ftypavif", "{name}");
        let ((width, height), left) = shown_avif(&made, 2, 2);
        let (_, right) = shown_avif(&made, 7, 2);
        assert_eq!((width, height), (50, 30), "{name}");
        assert!(is_like(left, RED), "{name}: {left:?}");
        assert!(is_like(right, [10, 10, 250, transparent.unwrap_or(255)]), "{name}: {right:?}");
        let has = |part: &[u8]| memchr::memmem::find(&made, part).is_some();
        // Transparency is an item of its own; without it there is none. Colours are named, and nothing else is said.
        assert_eq!(has(b"auxC"), transparent.is_some(), "{name}");
        assert!(has(b"colrnclx\0\x01\0\x0d\0\x06\x80"), "{name}");
        assert!(!has(b"Exif") && !has(b"mime") && !has(b"prof"), "{name}");
    }
}

#[cfg(feature = "avif")]
#[test]
fn avif_can_have_any_size_and_quality() {
    let bytes = jpeg(300, 200, QUARTERS, &[]);
    let header = Header::read("a.jpg", &bytes).unwrap();
    for (width, height) in [(1, 1), (2, 1), (1, 2), (3, 200), (300, 1), (299, 199), (300, 200)] {
        let made = make(&bytes, &header, &[copy(width, height, Format::Avif)]).unwrap();
        assert_eq!(shown_avif(&made[0], 0, 0).0, (width, height));
    }
    let sizes = [1, 30, 63, 100]
        .map(|quality| make(&bytes, &header, &[Copy { quality, ..copy(300, 200, Format::Avif) }]).unwrap()[0].len());
    assert!(sizes.is_sorted() && sizes[0] < sizes[3], "{sizes:?}");
}

/// As the next test. `tests/avif` runs it on processors without newer instructions, too.
#[cfg(feature = "avif")]
#[test]
fn the_same_request_gives_the_same_avif_as_ever() {
    let pixel = |x, y| [(x * 7 % 256) as u8, (y * 5 % 256) as u8, ((x ^ y) % 256) as u8, (x + y) as u8 / 2];
    let bytes = png(300, 200, pixel);
    let header = Header::read("a.png", &bytes).unwrap();
    let made = make(&bytes, &header, &[50, 90].map(|quality| Copy { quality, ..copy(120, 80, Format::Avif) })).unwrap();
    let digests = made.iter().map(|bytes| sitegen_core::sources::digest(bytes)[..4].to_vec());
    let expected = "2 [[34, b6, 56, 0e], [86, de, 32, 52]]";
    assert_eq!(format!("{VERSION} {:02x?}", digests.collect::<Vec<_>>()), expected);
}

/// If this fails because an encoder or a decoder gives other bytes, [`VERSION`] has to go up: browsers keep files under
/// their names.
#[test]
fn the_same_request_gives_the_same_bytes_as_ever() {
    let bytes = jpeg(300, 200, |x, y| [(x * 7 % 256) as u8, (y * 5 % 256) as u8, ((x ^ y) % 256) as u8, 255], &[]);
    let header = Header::read("a.jpg", &bytes).unwrap();
    let formats = [Format::WebP, Format::Jpeg, Format::Png];
    let made = make(&bytes, &header, &formats.map(|format| copy(120, 80, format))).unwrap();
    let digests = made.iter().map(|bytes| {
        let digest = sitegen_core::sources::digest(bytes);
        digest[..4].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    });
    let expected = "2 76588c24 ab0fca36 64183d26";
    assert_eq!(format!("{VERSION} {}", digests.collect::<Vec<_>>().join(" ")), expected);
    // Without the instructions of newer processors.
    let slow = options::jpeg_options().set_use_unsafe(false);
    let plain =
        zune_jpeg::JpegDecoder::new_with_options(zune_core::bytestream::ZCursor::new(&bytes), slow).decode().unwrap();
    let quick = options::jpeg_options();
    let quick =
        zune_jpeg::JpegDecoder::new_with_options(zune_core::bytestream::ZCursor::new(&bytes), quick).decode().unwrap();
    assert!(plain == quick, "the JPEG decoder gives other pixels on other processors");
}
