//! Writes the HTML of pictures.

use super::copy::{Copy, Focus, Format};
use super::header::{Header, PictureKind};
use pulldown_cmark_escape::escape_html;
use sitegen_core::paths::percent_encoded;
use sitegen_core::sources::Digest;

/// A picture of `content/assets`.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Its path below that folder.
    pub path: &'a str,
    /// The digest of its bytes.
    pub digest: &'a Digest,
    /// What its file says of itself.
    pub header: &'a Header,
    /// The address of the file itself, for one that is published as it is.
    pub url: &'a str,
}

/// How a picture is to be shown.
#[derive(Clone, Debug)]
pub struct Presentation {
    /// Widths in pixels. Those that the picture does not have are left out.
    pub widths: Vec<u32>,
    /// How wide it is shown.
    pub sizes: String,
    /// Width divided by height. `None` for the whole picture.
    pub ratio: Option<f64>,
    /// What stays in view if it is cropped.
    pub focus: Focus,
    /// Formats. Browsers take AVIF before WebP, and JPEG or PNG if they know neither.
    pub formats: Vec<Format>,
    /// The quality of lossy formats, 1 to 100.
    pub quality: u8,
    /// Whether it is what visitors see first.
    pub priority: bool,
    /// The value of `class` on the `<img>`.
    pub class: Option<String>,
    /// The value of `title`, which browsers show beside the pointer.
    pub title: Option<String>,
    /// Its text for those who do not see it.
    pub alt: String,
}

impl Presentation {
    /// The formats that not every browser knows, the smallest first: browsers take the first that they know, and all that
    /// know AVIF know WebP.
    fn modern(&self) -> impl Iterator<Item = Format> + '_ {
        [Format::Avif, Format::WebP].into_iter().filter(|format| self.formats.contains(format))
    }

    /// The format for browsers that know none of these: JPEG, or PNG for pictures that JPEG would spoil.
    ///
    /// A PNG is one: it is a drawing or a screenshot more often than a photograph, and JPEG blurs their edges.
    fn fallback(&self, header: &Header) -> Format {
        let format = self.formats.iter().copied().find(|format| matches!(format, Format::Jpeg | Format::Png));
        match (format, header.kind) {
            (Some(Format::Jpeg), _) | (None, PictureKind::Jpeg | PictureKind::WebP) if !header.has_alpha => {
                Format::Jpeg
            }
            _ => Format::Png,
        }
    }
}

/// Returns the sizes in which a picture is offered, the smallest first: those that are asked for and that it has, and its
/// own if it is between them.
pub fn candidates(header: &Header, presentation: &Presentation) -> Vec<(u32, u32)> {
    let (width, height) = shown_part(header, presentation.ratio);
    let largest = presentation.widths.iter().copied().max().unwrap_or(width);
    let mut widths: Vec<u32> = presentation.widths.iter().copied().filter(|wide| *wide > 0 && *wide < width).collect();
    if largest >= width {
        widths.push(width);
    }
    widths.sort_unstable();
    widths.dedup();
    let ratio = presentation.ratio.unwrap_or(f64::from(width) / f64::from(height));
    let high = |wide: u32| ((f64::from(wide) / ratio).round() as u32).clamp(1, height);
    widths.into_iter().map(|wide| (wide, high(wide))).collect()
}

/// Returns the size of the part of a picture with a ratio.
fn shown_part(header: &Header, ratio: Option<f64>) -> (u32, u32) {
    let (width, height) = (f64::from(header.width), f64::from(header.height));
    let Some(ratio) = ratio else { return (header.width, header.height) };
    let (wide, high) = if width / height > ratio { (height * ratio, height) } else { (width, width / ratio) };
    ((wide.round() as u32).max(1), (high.round() as u32).max(1))
}

/// Another picture, or another part of it, for some windows.
pub struct Alternative<'a> {
    /// The media query of these windows.
    pub media: &'a str,
    /// What these windows show.
    pub picture: Picture<'a>,
    /// How it is shown.
    pub presentation: Presentation,
}

/// Writes a picture: `<picture>` with its formats and sizes, or `<img>` if there is one format. Browsers take the first of
/// `alternatives` whose media query fits the window.
///
/// An animation is published as it is. `base_path` begins every address.
pub fn markup(picture: Picture, presentation: &Presentation, alternatives: &[Alternative], base_path: &str) -> String {
    let mut sources = String::new();
    for Alternative { media, picture, presentation } in alternatives {
        let files = PictureFiles::new(*picture, presentation, base_path);
        for format in presentation.modern().chain([presentation.fallback(picture.header)]) {
            files.write_source(format, Some(media), &mut sources);
        }
    }
    let image = if picture.header.is_animated {
        let Header { width, height, .. } = *picture.header;
        Image { src: format!("{base_path}{}", picture.url), srcset: None, size: (width, height) }
    } else {
        let files = PictureFiles::new(picture, presentation, base_path);
        presentation.modern().for_each(|format| files.write_source(format, None, &mut sources));
        let fallback = presentation.fallback(picture.header);
        Image { src: files.address(files.size(), fallback), srcset: Some(files.srcset(fallback)), size: files.size() }
    };
    let mut html = String::new();
    if !sources.is_empty() {
        html.push_str("<picture>");
        html.push_str(&sources);
    }
    image.write(presentation, &mut html);
    if !sources.is_empty() {
        html.push_str("</picture>");
    }
    html
}

/// Returns the address of the largest copy that is wanted of a picture, from the site's root, in a format or the one that
/// every browser knows.
pub fn address(picture: Picture, presentation: &Presentation, format: Option<Format>) -> (String, Format) {
    let files = PictureFiles::new(picture, presentation, "");
    let format = format.unwrap_or_else(|| presentation.fallback(picture.header));
    (files.address(files.size(), format), format)
}

/// The files of a picture.
struct PictureFiles<'a> {
    picture: Picture<'a>,
    presentation: &'a Presentation,
    base_path: &'a str,
    sizes: Vec<(u32, u32)>,
    focus: Option<Focus>,
}

impl<'a> PictureFiles<'a> {
    fn new(picture: Picture<'a>, presentation: &'a Presentation, base_path: &'a str) -> Self {
        let header = picture.header;
        let is_cropped =
            presentation.ratio.is_some() && shown_part(header, presentation.ratio) != (header.width, header.height);
        let focus = is_cropped.then_some(presentation.focus);
        PictureFiles { picture, presentation, base_path, sizes: candidates(header, presentation), focus }
    }

    /// The width and height of the largest copy in pixels.
    fn size(&self) -> (u32, u32) {
        let header = self.picture.header;
        self.sizes.last().copied().unwrap_or((header.width, header.height))
    }

    fn address(&self, (width, height): (u32, u32), format: Format) -> String {
        let copy =
            Copy { width, height, focus: self.focus, format, quality: quality(format, self.presentation.quality) };
        let name = format!("/assets/{}", copy.name(self.picture.path, self.picture.digest));
        // A comma or a space would end the address in a `srcset`, and a bracket begins its description.
        let name = percent_encoded(&name).replace(',', "%2C").replace('(', "%28").replace(')', "%29");
        format!("{}{name}", self.base_path)
    }

    fn srcset(&self, format: Format) -> String {
        let candidates = self.sizes.iter().map(|size| format!("{} {}w", self.address(*size, format), size.0));
        candidates.collect::<Vec<_>>().join(", ")
    }

    fn write_source(&self, format: Format, media: Option<&str>, html: &mut String) {
        html.push_str("<source");
        if let Some(media) = media {
            attribute(html, "media", media);
        }
        attribute(html, "type", format.media_type());
        attribute(html, "srcset", &self.srcset(format));
        attribute(html, "sizes", &self.presentation.sizes);
        // The shape of the place that browsers keep, where it is another than that of the `<img>`.
        if media.is_some() {
            attribute(html, "width", &self.size().0.to_string());
            attribute(html, "height", &self.size().1.to_string());
        }
        html.push('>');
    }
}

/// Returns the quality of a format. AVIF has another scale: 50 looks as 80 does in the others.
pub fn quality(format: Format, quality: u8) -> u8 {
    match format {
        Format::Avif => (u16::from(quality) * 5 / 8).max(1) as u8,
        Format::Jpeg | Format::WebP => quality,
        Format::Png => 100,
    }
}

/// An `<img>`.
struct Image {
    src: String,
    srcset: Option<String>,
    size: (u32, u32),
}

impl Image {
    fn write(&self, presentation: &Presentation, html: &mut String) {
        html.push_str("<img");
        attribute(html, "src", &self.src);
        if let Some(srcset) = &self.srcset {
            attribute(html, "srcset", srcset);
            attribute(html, "sizes", &presentation.sizes);
        }
        attribute(html, "width", &self.size.0.to_string());
        attribute(html, "height", &self.size.1.to_string());
        attribute(html, "alt", &presentation.alt);
        if let Some(title) = &presentation.title {
            attribute(html, "title", title);
        }
        if let Some(class) = &presentation.class {
            attribute(html, "class", class);
        }
        if presentation.priority {
            attribute(html, "fetchpriority", "high");
        } else {
            attribute(html, "loading", "lazy");
        }
        attribute(html, "decoding", "async");
        html.push('>');
    }
}

fn attribute(html: &mut String, name: &str, value: &str) {
    html.push(' ');
    html.push_str(name);
    html.push_str("=\"");
    // Writing to a String cannot fail.
    let _ = escape_html(&mut *html, value);
    html.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presentation() -> Presentation {
        Presentation {
            widths: vec![480, 800, 1200],
            sizes: "100vw".to_owned(),
            ratio: None,
            focus: Focus::CENTER,
            formats: vec![Format::WebP],
            quality: 80,
            priority: false,
            class: None,
            title: None,
            alt: String::new(),
        }
    }

    fn header(width: u32, height: u32) -> Header {
        Header {
            kind: PictureKind::Jpeg,
            width,
            height,
            orientation: 1,
            has_alpha: false,
            is_animated: false,
            has_position: false,
        }
    }

    #[test]
    fn no_copy_is_larger_than_the_picture() {
        for (width, height, ratio, expected) in [
            (3000, 2000, None, vec![(480, 320), (800, 533), (1200, 800)]),
            (1200, 800, None, vec![(480, 320), (800, 533), (1200, 800)]),
            (1000, 500, None, vec![(480, 240), (800, 400), (1000, 500)]),
            (300, 200, None, vec![(300, 200)]),
            (1, 1, None, vec![(1, 1)]),
            (5000, 1, None, vec![(480, 1), (800, 1), (1200, 1)]),
            (1000, 1000, Some(2.0), vec![(480, 240), (800, 400), (1000, 500)]),
            (1000, 1000, Some(0.5), vec![(480, 960), (500, 1000)]),
        ] {
            assert_eq!(
                candidates(&header(width, height), &Presentation { ratio, ..presentation() }),
                expected,
                "{width}x{height}"
            );
        }
    }

    #[test]
    fn browsers_find_the_smallest_format_first() {
        let header = header(600, 400);
        let picture = Picture { path: "loaf.jpg", digest: &[0; 32], header: &header, url: "" };
        for formats in [[Format::Avif, Format::WebP], [Format::WebP, Format::Avif]] {
            let html = markup(picture, &Presentation { formats: formats.to_vec(), ..presentation() }, &[], "");
            let types: Vec<&str> = html.split("type=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert_eq!(types, ["image/avif", "image/webp"], "{html}");
            assert!(html.contains("<img src=\"/assets/loaf-600x400-") && html.contains(".jpg\" srcset="), "{html}");
        }
    }

    #[test]
    fn browsers_without_webp_get_jpeg_where_that_spoils_nothing() {
        use Format::{Jpeg, Png, WebP};
        for (kind, has_alpha, formats, expected) in [
            (PictureKind::Jpeg, false, vec![WebP], Jpeg),
            (PictureKind::WebP, false, vec![], Jpeg),
            (PictureKind::WebP, true, vec![], Png),
            (PictureKind::Png, false, vec![WebP], Png),
            (PictureKind::Png, false, vec![WebP, Jpeg], Jpeg),
            (PictureKind::Png, true, vec![WebP, Jpeg], Png),
            (PictureKind::Jpeg, false, vec![Png], Png),
        ] {
            let header = Header { kind, has_alpha, ..header(600, 400) };
            let presentation = Presentation { formats, ..presentation() };
            assert_eq!(presentation.fallback(&header), expected, "{kind:?} {has_alpha} {:?}", presentation.formats);
        }
    }

    #[test]
    fn every_attribute_is_there_and_escaped() {
        let header = header(600, 400);
        let picture = Picture { path: "a, b/my \"loaf\".jpg", digest: &[0; 32], header: &header, url: "/assets/x.jpg" };
        let presentation = Presentation {
            alt: "A \"loaf\" & <crumbs>".into(),
            class: Some("wide".into()),
            priority: true,
            ..presentation()
        };
        let html = markup(picture, &presentation, &[], "/docs");
        for part in [
            "<picture><source type=\"image/webp\" srcset=\"/docs/assets/a%2C%20b/my%20%22loaf%22-480x320-",
            " 480w, /docs/assets/",
            " 600w\" sizes=\"100vw\"><img src=\"/docs/assets/",
            "width=\"600\" height=\"400\" alt=\"A &quot;loaf&quot; &amp; &lt;crumbs&gt;\" class=\"wide\" fetchpriority=\"high\" decoding=\"async\"></picture>",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        assert!(!html.contains("loading"), "{html}");
        let moving = Header { is_animated: true, ..header };
        let html = markup(Picture { header: &moving, ..picture }, &presentation, &[], "");
        assert!(html.starts_with("<img src=\"/assets/x.jpg\" width=\"600\" height=\"400\""), "{html}");
    }
}
