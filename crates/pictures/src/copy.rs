//! Requests for files made from pictures, and their names.

use serde::{Deserialize, Serialize};
use sitegen_core::sources::{Digest, digest};

/// Goes up when the same request gives other bytes: with another encoder, or another version of one. It is part of every
/// name, because browsers keep a file forever under its name. A test compares bytes and reminds of it.
pub const VERSION: u32 = 2;

/// The encoder of AVIF and its settings. A test compares it with Cargo.lock.
const AVIF_RECIPE: &str = "avif by libavif 1.0.4 and libaom 3.11.0, speed 6";

/// The formats that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// AVIF, with the cargo feature `avif` only.
    Avif,
    /// WebP.
    WebP,
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
}

impl Format {
    const ALL: [Format; 4] = [Format::Avif, Format::WebP, Format::Jpeg, Format::Png];

    /// Its name in `site.yaml` and in templates.
    pub fn name(self) -> &'static str {
        match self {
            Format::Avif => "avif",
            Format::WebP => "webp",
            Format::Jpeg => "jpeg",
            Format::Png => "png",
        }
    }

    /// The format with a name.
    pub fn of(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name).or((name == "jpg").then_some(Format::Jpeg))
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        if self == Format::Jpeg { "jpg" } else { self.name() }
    }

    /// Returns the value of `type` on a `<source>` and of `Content-Type`.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Avif => "image/avif",
            Format::WebP => "image/webp",
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
        }
    }

    /// Whether this program can write it.
    pub fn is_written(self) -> bool {
        self != Format::Avif || cfg!(feature = "avif")
    }

    /// What writes it, for the names of copies. AVIF names its encoder: each version has its own bytes.
    fn recipe(self) -> &'static str {
        if self == Format::Avif { AVIF_RECIPE } else { self.name() }
    }
}

/// The point of a picture that stays in view when it is cropped, in percent from the left and from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Focus {
    /// From the left.
    pub left: u8,
    /// From the top.
    pub top: u8,
}

impl Focus {
    /// What stays in view unless a site says otherwise.
    pub const CENTER: Focus = Focus { left: 50, top: 50 };

    /// Reads `left`, `top right`, `center` or `30% 60%`, as in the CSS property `object-position`.
    pub fn parse(text: &str) -> Option<Focus> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let across = |word: &str| match word {
            "left" => Some(0),
            "center" => Some(50),
            "right" => Some(100),
            _ => None,
        };
        let down = |word: &str| match word {
            "top" => Some(0),
            "center" => Some(50),
            "bottom" => Some(100),
            _ => None,
        };
        let percent =
            |word: &str| word.strip_suffix('%')?.parse::<f64>().ok().filter(|value| (0.0..=100.0).contains(value));
        let percent = |word: &str| percent(word).map(|value| value.round() as u8);
        let (left, top) = match words[..] {
            [word] => match (across(word).or_else(|| percent(word)), down(word)) {
                (Some(left), _) => (left, 50),
                (None, Some(top)) => (50, top),
                _ => return None,
            },
            [first, second] => {
                let in_order = across(first).or_else(|| percent(first)).zip(down(second).or_else(|| percent(second)));
                in_order.or_else(|| across(second).zip(down(first)))?
            }
            _ => return None,
        };
        Some(Focus { left, top })
    }

    /// From the left, in parts of the width.
    pub fn x(self) -> f64 {
        f64::from(self.left) / 100.0
    }

    /// From the top, in parts of the height.
    pub fn y(self) -> f64 {
        f64::from(self.top) / 100.0
    }
}

/// A file made from a picture: all that decides its bytes besides the picture itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Copy {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Where it is cropped, if it is.
    pub focus: Option<Focus>,
    /// The format of its bytes, which its extension names.
    pub format: Format,
    /// The quality of lossy formats, 1 to 100.
    pub quality: u8,
}

impl Copy {
    /// Returns the digest that names the copy of a picture with this digest.
    pub fn digest(&self, source: &Digest) -> Digest {
        let Copy { width, height, focus, format, quality } = self;
        let focus = focus.map_or(String::new(), |Focus { left, top }| format!("{left} {top}"));
        let text = format!("picture {VERSION}\n{width}x{height}\n{focus}\n{}\n{quality}\n", format.recipe());
        digest(&[text.as_bytes(), &source[..]].concat())
    }

    /// Returns the name of the copy of a picture with this path: `photos/loaf-800x533-1a2b3c4d.webp` of
    /// `photos/loaf.jpg`, and `photos/loaf-800x450-f50x30-1a2b3c4d.webp` of one that is cropped.
    pub fn name(&self, path: &str, source: &Digest) -> String {
        let digest = self.digest(source);
        let hash: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let focus = self.focus.map_or(String::new(), |Focus { left, top }| format!("-f{left}x{top}"));
        let Copy { width, height, format, .. } = self;
        format!("{}-{width}x{height}{focus}-{hash}.{}", stem(path), format.extension())
    }

    /// Reads the parameters of a name, and the path of its picture without extension. The name may be no copy at all:
    /// whoever reads it compares the whole name with the one that these parameters give.
    pub fn parse(name: &str, quality: impl Fn(Format) -> u8) -> Option<(&str, Copy)> {
        let (rest, extension) = name.rsplit_once('.')?;
        let format = Format::ALL.into_iter().find(|format| format.extension() == extension)?;
        let (rest, _) = rest.rsplit_once('-').filter(|(_, hash)| hash.len() == 8)?;
        let pair = |text: &str| {
            let (first, second) = text.split_once('x')?;
            let is_number =
                |text: &str| !text.is_empty() && text.len() < 6 && text.bytes().all(|each| each.is_ascii_digit());
            if is_number(first) && is_number(second) {
                first.parse::<u32>().ok().zip(second.parse::<u32>().ok())
            } else {
                None
            }
        };
        let (mut rest, mut last) = rest.rsplit_once('-')?;
        let mut focus = None;
        if let Some((left, top)) = last.strip_prefix('f').and_then(pair) {
            focus = Some(Focus { left: u8::try_from(left).ok()?, top: u8::try_from(top).ok()? });
            (rest, last) = rest.rsplit_once('-')?;
        }
        let (width, height) = pair(last)?;
        Some((rest, Copy { width, height, focus, format, quality: quality(format) }))
    }
}

/// Returns a path without the extension of its file.
fn stem(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[file..].rfind('.') {
        Some(dot) if dot > 0 => &path[..file + dot],
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_gives_back_its_parameters() {
        let plain = Copy { width: 800, height: 533, focus: None, format: Format::WebP, quality: 80 };
        let cropped = Copy { focus: Some(Focus { left: 5, top: 100 }), format: Format::Jpeg, ..plain };
        for copy in [plain, cropped] {
            for path in ["loaf.jpg", "photos/my loaf-1x2.final.JPG", "a-f1x2/b.png"] {
                let name = copy.name(path, &[7; 32]);
                let (stem, read) = Copy::parse(&name, |_| 80).unwrap();
                assert_eq!((format!("{stem}."), read), (path[..stem.len() + 1].to_owned(), copy), "{name}");
            }
        }
    }

    #[test]
    fn other_names_are_none() {
        for name in [
            "loaf.jpg",
            "loaf-1a2b3c4d.jpg",
            "loaf-800-1a2b3c4d.jpg",
            "-x-12345678.png",
            "a-1x1-123.png",
            "",
            "é-1xé-12345678.png",
        ] {
            assert_eq!(Copy::parse(name, |_| 80), None, "{name}");
        }
    }

    #[test]
    fn every_parameter_and_the_source_change_the_name() {
        let copy = Copy { width: 800, height: 533, focus: None, format: Format::WebP, quality: 80 };
        let mut names = vec![copy.name("a.jpg", &[1; 32]), copy.name("a.jpg", &[2; 32])];
        for other in [
            Copy { width: 801, ..copy },
            Copy { height: 534, ..copy },
            Copy { focus: Some(Focus::CENTER), ..copy },
            Copy { format: Format::Png, ..copy },
            Copy { quality: 81, ..copy },
        ] {
            names.push(other.name("a.jpg", &[1; 32]));
        }
        let hash = |name: &String| name.rsplit('-').next().unwrap()[..8].to_owned();
        let mut hashes: Vec<String> = names.iter().map(hash).collect();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), names.len(), "{names:?}");
    }

    #[test]
    fn copies_in_avif_name_the_encoder_that_cargo_compiles() {
        let lock = include_str!("../../../Cargo.lock");
        for (package, version) in [("libavif-sys", "libavif 1.0.4"), ("libaom-sys", "libaom 3.11.0")] {
            let (_, rest) = lock.split_once(&format!("name = \"{package}\"\n")).unwrap();
            let end = format!("+{}\"", version.replacen(' ', ".", 1));
            assert!(rest.lines().next().unwrap().ends_with(&end), "{package}: say so in AVIF_RECIPE");
            assert!(AVIF_RECIPE.contains(version));
        }
    }

    #[test]
    fn a_focus_is_written_as_in_css() {
        for (text, left, top) in [
            ("center", 50, 50),
            ("left", 0, 50),
            ("top", 50, 0),
            ("top right", 100, 0),
            ("right top", 100, 0),
            ("30% 60%", 30, 60),
            ("30%", 30, 50),
            ("left 20%", 0, 20),
            ("12.4% bottom", 12, 100),
        ] {
            assert_eq!(Focus::parse(text), Some(Focus { left, top }), "{text}");
        }
        for wrong in ["", "middle", "30", "30%60%", "left left", "101% 0%", "a b c"] {
            assert_eq!(Focus::parse(wrong), None, "{wrong}");
        }
    }
}
