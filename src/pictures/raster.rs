//! Renders SVG as pixels: link previews, and the icons of a site.
//!
//! Only the fonts of the site are known: the same picture comes out on a machine that has others. No file is read and no
//! address is followed, whatever an SVG names.

use super::decode::Scaled;
use super::{Fault, encode};
use crate::sources::{Digest, digest};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{FontFamily, FontResolver, Group, ImageHrefResolver, Node, Options, Text, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Goes up when the same SVG gives other bytes: with another version of `resvg`, or another recipe. It is part of every
/// name.
const VERSION: u32 = 1;

/// The size of a link preview in pixels: what Facebook, LinkedIn, Mastodon and X show without cropping.
pub const PREVIEW: (u32, u32) = (1200, 630);

/// The sizes in an icon file (ICO), in pixels: of tabs, of task bars, and of search results.
const ICO: [u32; 3] = [16, 32, 48];

/// The fonts of a site.
#[derive(Debug)]
pub struct Fonts {
    database: Arc<Database>,
    /// The names of their families, in the order of the files.
    families: Vec<String>,
    /// Identifies them.
    pub digest: Digest,
}

impl Fonts {
    /// Reads font files: TrueType, OpenType, or WOFF2. An error names the file that is none.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<Fonts, String> {
        let mut database = Database::new();
        let mut families: Vec<String> = Vec::new();
        let mut all = Vec::new();
        for (path, bytes) in files {
            all.extend_from_slice(&digest(bytes));
            let data = match bytes.starts_with(b"wOF2") {
                true => unpacked(bytes).ok_or_else(|| path.to_owned())?,
                false => bytes.to_vec(),
            };
            let faces = database.load_font_source(Source::Binary(Arc::new(data)));
            if faces.is_empty() {
                return Err(path.to_owned());
            }
            for (family, _) in faces.iter().filter_map(|id| database.face(*id)?.families.first()) {
                if !families.contains(family) {
                    families.push(family.clone());
                }
            }
        }
        if let Some(first) = families.first() {
            database.set_serif_family(first);
            database.set_sans_serif_family(first);
            database.set_cursive_family(first);
            database.set_fantasy_family(first);
            database.set_monospace_family(first);
        }
        Ok(Fonts { database: Arc::new(database), families, digest: digest(&all) })
    }

    /// Returns no fonts.
    pub fn none() -> Fonts {
        Fonts { database: Arc::default(), families: Vec::new(), digest: Digest::default() }
    }

    fn has(&self, family: &FontFamily) -> bool {
        match family {
            FontFamily::Named(name) => self.families.contains(name),
            _ => !self.families.is_empty(),
        }
    }
}

/// Returns the font in a WOFF2 file.
fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut brotli = |packed: &[u8], size: usize| {
        let mut data = Vec::new();
        let mut reader = std::io::Read::take(brotli::Decompressor::new(packed, 4096), size as u64);
        std::io::Read::read_to_end(&mut reader, &mut data)?;
        Ok(data)
    };
    catch_unwind(AssertUnwindSafe(|| wuff::decompress_woff2_with_custom_brotli(bytes, &mut brotli).ok())).ok()?
}

/// Why an SVG cannot be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What is wrong.
    pub detail: String,
    /// The next step.
    pub fix: String,
    /// The text in it that is wrong.
    pub text: Option<String>,
}

impl Unfit {
    fn new(detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Unfit { detail: detail.into(), fix: fix.into(), text: None }
    }
}

/// Checks a link preview: whether it is an SVG of the right shape, and whether its texts have letters in the fonts and
/// stay within it. Nothing is rendered, which takes ten times as long.
pub fn check_preview(svg: &str, fonts: &Fonts) -> Result<(), Unfit> {
    guarded(|| preview_tree(svg, fonts).map(drop))
}

/// Renders a link preview as PNG.
pub fn preview(svg: &str, fonts: &Fonts) -> Result<Vec<u8>, Unfit> {
    let (width, height) = PREVIEW;
    guarded(|| {
        let tree = preview_tree(svg, fonts)?;
        let scale = Transform::from_scale(width as f32 / tree.size().width(), height as f32 / tree.size().height());
        png(&tree, (width, height), scale, Some([255; 3]))
    })
}

/// Identifies the PNG of a link preview.
pub fn preview_key(svg: &str, fonts: &Fonts) -> Digest {
    digest(&[format!("preview {VERSION}\n").as_bytes(), &fonts.digest, svg.as_bytes()].concat())
}

fn preview_tree(svg: &str, fonts: &Fonts) -> Result<Tree, Unfit> {
    let tree = tree(svg, fonts)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let (wide, high) = (PREVIEW.0 as f32, PREVIEW.1 as f32);
    if (width / height - wide / high).abs() > 0.005 {
        let detail = format!("it is {width} wide and {height} high, and link previews are {wide} by {high}");
        return Err(Unfit::new(
            detail,
            "let it begin with `<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\">`",
        ));
    }
    let mut texts = Vec::new();
    texts_of(tree.root(), &mut texts);
    for text in texts {
        check_text(text, (width, height))?;
    }
    Ok(tree)
}

fn texts_of<'t>(group: &'t Group, texts: &mut Vec<&'t Text>) {
    for node in group.children() {
        match node {
            Node::Group(group) => texts_of(group, texts),
            Node::Text(text) => texts.push(text),
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

fn check_text(text: &Text, (width, height): (f32, f32)) -> Result<(), Unfit> {
    let whole: String = text.chunks().iter().map(|chunk| chunk.text()).collect();
    let about = |detail: String, fix: &str| Unfit { text: Some(whole.trim().to_owned()), ..Unfit::new(detail, fix) };
    // The glyph with the number 0 is the box that stands for a missing one (OpenType, "glyf").
    let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
    let missing: BTreeSet<&str> = glyphs.filter(|glyph| glyph.id.0 == 0).map(|glyph| glyph.text.trim()).collect();
    let missing: Vec<&str> = missing.into_iter().filter(|letter| !letter.is_empty()).collect();
    if !missing.is_empty() {
        let letters = missing.iter().map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(", ");
        let detail = format!("no font in `content/assets/fonts` has {letters}, in the text “{}”", whole.trim());
        return Err(about(detail, "add a font that has it, or write the text without it"));
    }
    let bounds = text.abs_bounding_box();
    // Half a pixel is what rounding makes.
    let beyond = [-bounds.left(), -bounds.top(), bounds.right() - width, bounds.bottom() - height];
    let beyond = beyond.into_iter().fold(0.0, f32::max);
    if beyond > 0.5 {
        let detail = format!("the text “{}” reaches {} pixels beyond its edge", whole.trim(), beyond.ceil());
        return Err(about(detail, "write less, make the text smaller, or cut it into lines with `wordwrap`"));
    }
    Ok(())
}

/// Reads an SVG and lays out its texts.
fn tree(svg: &str, fonts: &Fonts) -> Result<Tree, Unfit> {
    let unknown: Mutex<Option<String>> = Mutex::default();
    let has_image = AtomicBool::new(false);
    let select = FontResolver::default_font_selector();
    let options = Options {
        font_family: fonts.families.first().cloned().unwrap_or_default(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| {
                has_image.store(true, Ordering::Relaxed);
                None
            }),
            resolve_string: Box::new(|_, _| {
                has_image.store(true, Ordering::Relaxed);
                None
            }),
        },
        font_resolver: FontResolver {
            select_font: Box::new(|font, database| {
                if font.families().iter().any(|family| fonts.has(family)) {
                    return select(font, database);
                }
                let names = font.families().iter().map(|family| family.to_string().trim_matches('"').to_owned());
                let names = names.collect::<Vec<_>>().join(", ");
                unknown.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(names);
                None
            }),
            select_fallback: FontResolver::default_fallback_selector(),
        },
        fontdb: fonts.database.clone(),
        ..Options::default()
    };
    let read = Tree::from_str(svg, &options);
    drop(options);
    let tree = read.map_err(|error| Unfit::new(format!("it is not a valid SVG: {error}"), "fix its markup"))?;
    if let Some(name) = unknown.into_inner().unwrap_or_else(PoisonError::into_inner) {
        if fonts.families.is_empty() {
            let fix = "put a font (TTF, OTF or WOFF2) into `content/assets/fonts`";
            return Err(Unfit::new("it has text, and the site has no font in `content/assets/fonts`", fix));
        }
        let known = fonts.families.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let detail = format!("no font in `content/assets/fonts` is called `{name}`");
        return Err(Unfit::new(detail, format!("write `font-family` as one of {known}")));
    }
    if has_image.load(Ordering::Relaxed) {
        let fix = "draw it with shapes, or put an SVG into it with `inline_svg`";
        return Err(Unfit::new("it has an `<image>`, and no picture can be inside one that is made of an SVG", fix));
    }
    Ok(tree)
}

/// An icon made of an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Icon {
    /// An ICO file of several sizes, for old browsers and for programs that ask for `/favicon.ico`.
    Ico,
    /// A PNG of this width and height.
    Png(u32),
    /// A PNG for the home screen of a phone, which rounds its corners: on a background, with a margin.
    Touch,
    /// A PNG that a phone may cut into any shape (W3C, Web Application Manifest, "maskable"): the icon lies in the circle
    /// with four fifths of its width.
    Maskable,
}

impl Icon {
    /// Its width and height in pixels, the largest of several.
    pub fn size(self) -> u32 {
        match self {
            Icon::Ico => 48,
            Icon::Png(size) => size,
            Icon::Touch => 180,
            Icon::Maskable => 512,
        }
    }

    /// Its name in the name of its file, and the extension.
    pub fn name(self) -> (String, &'static str) {
        match self {
            Icon::Ico => ("favicon".to_owned(), "ico"),
            Icon::Png(size) => (format!("{size}x{size}"), "png"),
            Icon::Touch => ("apple-touch".to_owned(), "png"),
            Icon::Maskable => ("maskable".to_owned(), "png"),
        }
    }

    /// Identifies the file made of an SVG with this digest on this background.
    pub fn key(self, source: &Digest, background: [u8; 3]) -> Digest {
        let (name, extension) = self.name();
        digest(&[format!("icon {VERSION}\n{name}.{extension}\n").as_bytes(), &background, source].concat())
    }

    /// Renders it.
    pub fn render(self, svg: &str, background: [u8; 3]) -> Result<Vec<u8>, Unfit> {
        guarded(|| {
            let tree = tree(svg, &Fonts::none()).map_err(without_text)?;
            let size = self.size();
            match self {
                Icon::Ico => Ok(ico(&ICO
                    .map(|size| fitted(&tree, size, 1.0, None))
                    .into_iter()
                    .collect::<Result<Vec<_>, _>>()?)),
                Icon::Png(_) => fitted(&tree, size, 1.0, None),
                // As wide as Apple's own icons are in theirs.
                Icon::Touch => fitted(&tree, size, 0.78, Some(background)),
                // The largest square in that circle.
                Icon::Maskable => fitted(&tree, size, 0.8 * std::f32::consts::FRAC_1_SQRT_2, Some(background)),
            }
        })
    }
}

fn without_text(unfit: Unfit) -> Unfit {
    match unfit.detail.starts_with("it has text") {
        true => Unfit::new("it has text, which has no font in an icon", "turn its text into paths"),
        false => unfit,
    }
}

/// Renders an SVG in the middle of a square, as large as fits into a part of it.
fn fitted(tree: &Tree, size: u32, part: f32, background: Option<[u8; 3]>) -> Result<Vec<u8>, Unfit> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = size as f32 * part / width.max(height);
    let [left, top] = [width, height].map(|length| (size as f32 - length * scale) / 2.0);
    png(tree, (size, size), Transform::from_row(scale, 0.0, 0.0, scale, left, top), background)
}

fn png(
    tree: &Tree,
    (width, height): (u32, u32),
    place: Transform,
    background: Option<[u8; 3]>,
) -> Result<Vec<u8>, Unfit> {
    let failed = || Unfit::new("it cannot be rendered", "export it as plain SVG");
    let mut pixels = Pixmap::new(width, height).ok_or_else(failed)?;
    if let Some([red, green, blue]) = background {
        pixels.fill(resvg::tiny_skia::Color::from_rgba8(red, green, blue, 255));
    }
    resvg::render(tree, place, &mut pixels.as_mut());
    let scaled = Scaled { width, height, rgba: pixels.take_demultiplied(), has_alpha: background.is_none() };
    encode::png(&scaled).map_err(|Fault { detail, fix, .. }| Unfit::new(detail, fix))
}

/// Writes an ICO file with a PNG for each of its sizes, as Windows Vista and all browsers of today read it.
fn ico(pngs: &[Vec<u8>]) -> Vec<u8> {
    let count = pngs.len() as u16;
    let mut file = [0u16, 1, count].map(u16::to_le_bytes).concat();
    let mut offset = 6 + 16 * pngs.len();
    for (png, size) in pngs.iter().zip(ICO) {
        file.extend([size as u8, size as u8, 0, 0, 1, 0, 32, 0]);
        file.extend((png.len() as u32).to_le_bytes());
        file.extend((offset as u32).to_le_bytes());
        offset += png.len();
    }
    pngs.iter().for_each(|png| file.extend(png));
    file
}

/// A renderer that panics on hostile markup has found an SVG that cannot be rendered.
fn guarded<T>(make: impl FnOnce() -> Result<T, Unfit>) -> Result<T, Unfit> {
    let panicked = |_| Err(Unfit::new("it cannot be rendered", "export it as plain SVG"));
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(panicked)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: &[u8] = include_bytes!("../../content/assets/fonts/overpass-800.woff2");

    fn fonts() -> Fonts {
        Fonts::read([("fonts/overpass-800.woff2", FONT)]).unwrap()
    }

    fn svg(inner: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\">{inner}</svg>")
    }

    #[test]
    fn a_preview_has_its_size_and_the_same_bytes_each_time() {
        let text = svg(
            "<rect width=\"1200\" height=\"630\" fill=\"#123\"/><text x=\"80\" y=\"300\" font-size=\"72\" fill=\"#fff\">Bread</text>",
        );
        let bytes = preview(&text, &fonts()).unwrap();
        let header = super::super::Header::read("a.png", &bytes).unwrap();
        assert_eq!((header.width, header.height, header.has_alpha), (1200, 630, false));
        assert_eq!(bytes, preview(&text, &fonts()).unwrap());
        let blank = preview(&svg(""), &fonts()).unwrap();
        assert!(bytes.len() > blank.len() + 1000, "the text is in it");
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let fonts = fonts();
        let detail = |inner: &str| check_preview(&svg(inner), &fonts).unwrap_err();
        let missing = detail("<text x=\"80\" y=\"300\" font-size=\"72\">Bread 日本</text>");
        assert!(missing.detail.contains("`日`") && missing.text.as_deref() == Some("Bread 日本"), "{missing:?}");
        let long = detail("<text x=\"80\" y=\"300\" font-size=\"90\">Bread from a wood oven, and all the rest</text>");
        assert!(long.detail.contains("beyond its edge"), "{long:?}");
        let low = detail("<text x=\"80\" y=\"640\" font-size=\"40\">Low</text>");
        assert!(low.detail.contains("beyond its edge"), "{low:?}");
        let turned = detail("<g transform=\"rotate(90)\"><text x=\"80\" y=\"300\" font-size=\"40\">Bread</text></g>");
        assert!(turned.detail.contains("beyond its edge"), "{turned:?}");
        let family = detail("<text x=\"80\" y=\"300\" font-family=\"Comic Sans MS\">A</text>");
        assert!(family.detail.contains("`Comic Sans MS`") && family.fix.contains("`Overpass"), "{family:?}");
        let image = detail("<image href=\"/etc/hostname\" width=\"10\" height=\"10\"/>");
        assert!(image.detail.contains("<image>"), "{image:?}");
        let square = check_preview("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>", &fonts);
        assert!(square.unwrap_err().detail.contains("1200 by 630"));
        for markup in ["", "<svg", "<svg/>", "<html/>", "{}"] {
            assert!(check_preview(markup, &fonts).is_err(), "{markup}");
        }
        let none = check_preview(&svg("<text y=\"50\">A</text>"), &Fonts::none()).unwrap_err();
        assert!(none.fix.contains("content/assets/fonts"), "{none:?}");
        assert_eq!(check_preview(&svg("<text x=\"80\" y=\"300\" font-family=\"serif\">A</text>"), &fonts), Ok(()));
    }

    #[test]
    fn a_file_that_is_no_font_is_named() {
        for bytes in [&b"text"[..], b"wOF2", &FONT[..FONT.len() / 2], b""] {
            assert_eq!(Fonts::read([("fonts/a.woff2", bytes)]).unwrap_err(), "fonts/a.woff2");
        }
    }

    #[test]
    fn icons_have_their_sizes_and_backgrounds() {
        let circle =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\"><circle cx=\"5\" cy=\"5\" r=\"5\"/></svg>";
        for (icon, size, has_alpha) in
            [(Icon::Png(192), 192, true), (Icon::Touch, 180, false), (Icon::Maskable, 512, false)]
        {
            let bytes = icon.render(circle, [255, 0, 0]).unwrap();
            let header = super::super::Header::read("a.png", &bytes).unwrap();
            assert_eq!((header.width, header.height, header.has_alpha), (size, size, has_alpha), "{icon:?}");
        }
        let file = Icon::Ico.render(circle, [255; 3]).unwrap();
        assert_eq!(file[..6], [0, 0, 1, 0, 3, 0]);
        for (number, size) in ICO.into_iter().enumerate() {
            let entry = &file[6 + 16 * number..][..16];
            let word = |at: usize| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap()) as usize;
            let png = &file[word(12)..word(12) + word(8)];
            let header = super::super::Header::read("a.png", png).unwrap();
            assert_eq!((u32::from(entry[0]), header.width), (size, size));
        }
        let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\"><text y=\"5\">A</text></svg>";
        assert!(Icon::Png(16).render(text, [0; 3]).unwrap_err().fix.contains("paths"));
    }
}
