//! Whatever lies in `content/assets` under the name of a picture: its header is read and copies of it are made, or a fault
//! is named, within the time and the memory that `tests/fuzz` allows. The same for an SVG as an icon and as a link preview.
//!
//! The first byte of an input selects the name of the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegen::pictures::{Copy, Focus, Fonts, Format, Header, Icon, check_preview, make};
use std::sync::Once;

const NAMES: [&str; 5] = ["a.jpg", "a.png", "a.webp", "a.gif", "a.avif"];

/// The most pixels that are decoded: more take seconds, which says nothing of the input.
const PIXELS: u64 = 4_000_000;

fuzz_target!(|data: &[u8]| {
    // A decoder that panics is a damaged picture to the engine, which catches it. Any other panic still ends the fuzzer.
    static QUIET: Once = Once::new();
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));

    let Some((kind, rest)) = data.split_first() else { return };
    let Some(name) = NAMES.get(usize::from(kind % 6)) else {
        let Ok(svg) = std::str::from_utf8(rest) else { return };
        let _ = check_preview(svg, &Fonts::none());
        if let Ok(png) = Icon::Png(16).render(svg, [255; 3]) {
            assert_eq!(Header::read("a.png", &png).map(|header| (header.width, header.height)), Ok((16, 16)));
        }
        return;
    };
    let Ok(header) = Header::read(name, rest) else { return };
    assert!(header.width > 0 && header.height > 0 && (1..=8).contains(&header.orientation), "{header:?}");
    if u64::from(header.width) * u64::from(header.height) > PIXELS {
        return;
    }
    let (width, height) = (header.width.min(40), header.height.min(30));
    let copy = |format, focus| Copy { width, height, focus, format, quality: 80 };
    let copies = [
        copy(Format::Png, None),
        copy(Format::WebP, Some(Focus::CENTER)),
        copy(if header.has_alpha { Format::Png } else { Format::Jpeg }, Some(Focus { left: 0, top: 100 })),
    ];
    if let Ok(files) = make(rest, &header, &copies) {
        for (file, Copy { format, .. }) in files.iter().zip(copies) {
            let own = Header::read(&format!("a.{}", format.extension()), file).expect("a copy can be read");
            assert_eq!((own.width, own.height), (width, height), "{format:?}");
        }
    }
});
