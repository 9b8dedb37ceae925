//! Renders SVG as pixels: link previews, and the icons of a site.
//!
//! Only the fonts of the site are known: the same picture comes out on a machine that has others. No file is read and no
//! address is followed, whatever an SVG names.

use super::decode::Scaled;
use super::{Fault, encode};
use parking_lot::Mutex;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::filter::{Filter, Kind, Primitive};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{FontFamily, FontResolver, Group, ImageHrefResolver, Node, Options, Text, Tree, roxmltree};
use roxmltree::{Document, ParsingOptions};
use serde::{Deserialize, Serialize};
use sitegen_core::sources::{Digest, digest};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Reads font files: TrueType, OpenType, or WOFF2. An error names the file that is not a font.
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
pub(crate) fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
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
    /// The line of the SVG that is wrong, from 1.
    pub line: Option<usize>,
}

impl Unfit {
    fn new(detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Unfit { detail: detail.into(), fix: fix.into(), text: None, line: None }
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
    let Rendered { tree, missing } = tree(svg, fonts)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let (wide, high) = (PREVIEW.0 as f32, PREVIEW.1 as f32);
    if (width / height - wide / high).abs() > 0.005 {
        let detail = format!("it is {width} wide and {height} high, but link previews are {wide} by {high}");
        return Err(Unfit::new(
            detail,
            "begin it with `<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\">`",
        ));
    }
    let mut texts = Vec::new();
    texts_of(tree.root(), &mut texts);
    for text in texts {
        check_text(text, (width, height))?;
    }
    // A text of which no letter can be shown is not in the tree.
    match missing {
        Some((letter, text)) => Err(without_letters(&[&letter.to_string()], &text)),
        None => Ok(tree),
    }
}

/// No font has some letters of a text.
fn without_letters(letters: &[&str], text: &str) -> Unfit {
    let letters = letters.iter().map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(", ");
    let detail = format!("no font in `content/assets/fonts` has {letters}, in the text “{}”", text.trim());
    let fix = "add a font that has it, or write the text without it";
    Unfit { text: Some(text.trim().to_owned()), ..Unfit::new(detail, fix) }
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
    // The glyph with the number 0 is the box that stands for a missing one (OpenType, "glyf").
    let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
    let missing: BTreeSet<&str> = glyphs.filter(|glyph| glyph.id.0 == 0).map(|glyph| glyph.text.trim()).collect();
    let missing: Vec<&str> = missing.into_iter().filter(|letter| !letter.is_empty()).collect();
    if !missing.is_empty() {
        return Err(without_letters(&missing, &whole));
    }
    let bounds = text.abs_bounding_box();
    // Half a pixel is what rounding makes.
    let beyond = [-bounds.left(), -bounds.top(), bounds.right() - width, bounds.bottom() - height];
    let beyond = beyond.into_iter().fold(0.0, f32::max);
    if beyond > 0.5 {
        let detail = format!("the text “{}” extends {} pixels beyond its edge", whole.trim(), beyond.ceil());
        let fix = "shorten the text, make it smaller, or split it into lines with `wordwrap`";
        return Err(Unfit { text: Some(whole.trim().to_owned()), ..Unfit::new(detail, fix) });
    }
    Ok(())
}

/// An SVG that was read.
struct Rendered {
    tree: Tree,
    /// A letter that no font has, and the text that it is in.
    missing: Option<(char, String)>,
}

/// Reads an SVG and lays out its texts.
fn tree(svg: &str, fonts: &Fonts) -> Result<Rendered, Unfit> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, options).map_err(|error| invalid(&error))?;
    // The renderer leaves it out.
    if document.descendants().any(|node| node.tag_name().name() == "foreignObject") {
        return Err(Unfit::new(
            "it has a `<foreignObject>`, whose content only browsers render",
            "write it with `<text>` and shapes",
        ));
    }
    if expanded(&document) > MOST_NODES {
        return Err(Unfit::new("it has too many shapes, masks and patterns to be rendered", "make it simpler"));
    }
    let unknown: Mutex<Option<String>> = Mutex::default();
    let missing: Mutex<Option<char>> = Mutex::default();
    let fallback = FontResolver::default_fallback_selector();
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
                unknown.lock().get_or_insert(names);
                None
            }),
            select_fallback: Box::new(|letter, tried, database| {
                let font = fallback(letter, tried, database);
                if font.is_none() && !letter.is_whitespace() {
                    missing.lock().get_or_insert(letter);
                }
                font
            }),
        },
        fontdb: fonts.database.clone(),
        ..Options::default()
    };
    let read = Tree::from_xmltree(&document, &options);
    drop(options);
    let tree = read.map_err(|error| Unfit::new(format!("it is not a valid SVG: {error}"), "fix its markup"))?;
    check_filters(&tree)?;
    if let Some(name) = unknown.into_inner() {
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
    let missing = missing.into_inner();
    let missing = missing.map(|letter| {
        let texts = document.descendants().filter(|node| node.has_tag_name((SVG, "text")));
        let mut texts =
            texts.map(|text| text.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect());
        (letter, texts.find(|text: &String| text.contains(letter)).unwrap_or_else(|| letter.to_string()))
    });
    Ok(Rendered { tree, missing })
}

fn invalid(error: &roxmltree::Error) -> Unfit {
    let place = error.pos();
    let detail = error.to_string();
    let detail = detail.strip_suffix(&format!(" at {place}")).unwrap_or(&detail);
    let line = Some(place.row as usize);
    Unfit { line, ..Unfit::new(format!("it is not a valid SVG: {detail}"), "fix its markup") }
}

const SVG: &str = "http://www.w3.org/2000/svg";

/// How many filters an SVG may apply.
const MOST_FILTERS: usize = 20;

/// How much larger than the SVG the part may be that a filter works on. Filters reach beyond a shape by a tenth of it.
const LARGEST_REGION: f32 = 4.0;

/// More octaves of noise differ by less than one of 256 steps.
const MOST_OCTAVES: u32 = 8;

/// How much work filters may be for each pixel, in about one addition each: a link preview then takes a few seconds.
const MOST_WORK: f32 = 2000.0;

/// How many elements are rendered, those that others refer to once for each reference: masks in masks multiply.
const MOST_NODES: u64 = 50_000;

/// How deep references may lead from one element to another.
const DEEPEST: usize = 50;

/// Returns how many elements an SVG has where each reference is a copy of what it refers to.
fn expanded(document: &Document) -> u64 {
    let named = document.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
    count(document.root(), &named.collect(), &mut BTreeMap::new(), 0)
}

fn count<'d>(
    node: roxmltree::Node<'d, '_>,
    named: &BTreeMap<&'d str, roxmltree::Node<'d, '_>>,
    known: &mut BTreeMap<&'d str, u64>,
    depth: usize,
) -> u64 {
    let mut total: u64 = 0;
    for element in node.descendants().filter(|node| node.is_element()) {
        total = total.saturating_add(1);
        for id in element.attributes().flat_map(|attribute| references(attribute.name(), attribute.value())) {
            let Some((id, target)) = named.get_key_value(id) else { continue };
            let size = match known.get(id) {
                Some(size) => *size,
                None if depth == DEEPEST => u64::MAX,
                None => {
                    // What refers to itself is not rendered.
                    known.insert(id, 0);
                    let size = count(*target, named, known, depth + 1);
                    known.insert(id, size);
                    size
                }
            };
            total = total.saturating_add(size);
        }
    }
    total
}

/// Returns the ids that an attribute refers to: `href="#a"`, `mask="url(#a)"`.
fn references<'v>(name: &str, value: &'v str) -> impl Iterator<Item = &'v str> {
    let link = (name == "href").then(|| value.trim().strip_prefix('#')).flatten();
    let addresses = value.split("url(").skip(1).filter_map(|rest| {
        let address = rest.split(')').next()?.trim().trim_matches(['"', '\'']);
        address.strip_prefix('#')
    });
    link.into_iter().chain(addresses)
}

/// Refuses an SVG whose filters would take minutes.
fn check_filters(tree: &Tree) -> Result<(), Unfit> {
    let size = (tree.size().width(), tree.size().height());
    let mut filters = Filters { size, count: 0, work: 0.0, fault: None };
    filters.add_group(tree.root());
    let Filters { count, work, fault, .. } = filters;
    if let Some(fault) = fault {
        return Err(fault);
    }
    if count > MOST_FILTERS {
        let detail = format!("it has {count} filters, but at most {MOST_FILTERS} are rendered");
        return Err(Unfit::new(detail, "put one filter around several shapes, or remove filters"));
    }
    if work > MOST_WORK {
        let fix = "make the radii and matrices of its filters smaller, or remove filters";
        return Err(Unfit::new("its filters take too long to be rendered", fix));
    }
    Ok(())
}

/// The filters of an SVG, with all that masks, patterns and filters have in them.
struct Filters {
    size: (f32, f32),
    count: usize,
    work: f32,
    fault: Option<Unfit>,
}

impl Filters {
    fn add_group(&mut self, group: &Group) {
        for node in group.children() {
            node.subroots(|root| self.add_group(root));
            if let Node::Group(group) = node {
                for filter in group.filters() {
                    self.add(filter, group);
                }
                self.add_group(group);
            }
        }
    }

    fn add(&mut self, filter: &Filter, group: &Group) {
        self.count += 1;
        let transform = group.abs_transform();
        let (wide, high) = self.size;
        let region = filter.rect().transform(transform);
        let part = region.map_or(f32::INFINITY, |region| region.width() * region.height() / (wide * high));
        if part > LARGEST_REGION {
            let detail = format!("a filter covers {} times its area", part.ceil());
            let fix = "give its `<filter>` a smaller `width` and `height`";
            self.fault.get_or_insert_with(|| Unfit::new(detail, fix));
        }
        // In pixels of a link preview, whatever the units of the SVG.
        let scale = PREVIEW.0 as f32 / wide.max(high);
        let (across, down) = transform.get_scale();
        for primitive in filter.primitives() {
            if let Kind::Turbulence(noise) = primitive.kind()
                && noise.num_octaves() > MOST_OCTAVES
            {
                let detail = format!("its `<feTurbulence>` has {} octaves", noise.num_octaves());
                let fix = format!("write `numOctaves=\"{MOST_OCTAVES}\"` or less: more is not visible");
                self.fault.get_or_insert_with(|| Unfit::new(detail, fix));
            }
            self.work += part * work(primitive, (across * scale, down * scale));
        }
    }
}

/// Returns how much work a step of a filter is for each pixel.
fn work(primitive: &Primitive, (across, down): (f32, f32)) -> f32 {
    match primitive.kind() {
        Kind::Turbulence(noise) => noise.num_octaves() as f32 * 40.0,
        Kind::Morphology(shape) => {
            (2.0 * shape.radius_x().get() * across + 1.0) * (2.0 * shape.radius_y().get() * down + 1.0)
        }
        Kind::ConvolveMatrix(convolution) => convolution.matrix().data().len() as f32 * 4.0,
        _ => 20.0,
    }
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
            let Rendered { tree, .. } = tree(svg, &Fonts::none()).map_err(without_text)?;
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
        true => Unfit::new("it has text, but fonts are not available in icons", "convert its text to paths"),
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

    const FONT: &[u8] = include_bytes!("../../../content/assets/fonts/overpass-800.woff2");

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
        // Texts of which no letter can be shown.
        for (text, letter) in [("Привет", "П"), ("日本語", "日"), ("שלום", "ש"), ("مرحبا", "م"), ("→", "→")]
        {
            let missing = detail(&format!("<text x=\"80\" y=\"300\" font-size=\"72\"><tspan>{text}</tspan></text>"));
            assert_eq!(missing.text.as_deref(), Some(text), "{missing:?}");
            assert!(missing.detail.starts_with("no font") && missing.detail.contains(text), "{missing:?}");
            assert!(text.chars().any(|each| missing.detail.contains(&format!("`{each}`"))), "{letter}: {missing:?}");
        }
        let foreign = detail(
            "<foreignObject width=\"9\" height=\"9\"><p xmlns=\"http://www.w3.org/1999/xhtml\">A</p></foreignObject>",
        );
        assert!(foreign.detail.contains("<foreignObject>"), "{foreign:?}");
        let open = check_preview("<svg xmlns=\"http://www.w3.org/2000/svg\">\n<g>\n</svg>", &fonts).unwrap_err();
        assert_eq!((open.line, open.detail.as_str()), (Some(3), "it is not a valid SVG: expected 'g' tag, not 'svg'"));
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
    fn filters_that_would_take_minutes_are_refused() {
        let filter = |attributes: &str, steps: &str, times: usize| {
            let shapes = "<g filter=\"url(#f)\">".repeat(times) + "<rect width=\"900\" height=\"600\"/>";
            let shapes = shapes + &"</g>".repeat(times);
            check_preview(&svg(&format!("<filter id=\"f\" {attributes}>{steps}</filter>{shapes}")), &Fonts::none())
        };
        let blur = "<feGaussianBlur stdDeviation=\"9\"/>";
        assert_eq!(filter("", blur, 5), Ok(()));
        assert_eq!(filter("", "<feTurbulence baseFrequency=\"0.1\" numOctaves=\"4\"/>", 1), Ok(()));
        let outline = |radius: u32| format!("<feMorphology operator=\"dilate\" radius=\"{radius}\"/>");
        assert_eq!(filter("", &outline(6), 1), Ok(()));
        for (attributes, steps, times, says) in [
            ("", "<feTurbulence baseFrequency=\"0.1\" numOctaves=\"1000\"/>", 1, "1000 octaves"),
            ("x=\"-9\" y=\"-9\" width=\"99\" height=\"99\"", blur, 1, "times its area"),
            ("", blur, 200, "200 filters"),
            ("", &outline(100), 1, "too long"),
            ("", &blur.repeat(300), 1, "too long"),
        ] {
            let refused = filter(attributes, steps, times).unwrap_err();
            assert!(refused.detail.contains(says), "{says}: {refused:?}");
        }
        let mask = |number: usize| {
            let shape = format!("<rect width=\"9\" height=\"9\" mask=\"url(#m{})\"/>", number + 1);
            format!("<mask id=\"m{number}\">{}</mask>", shape.repeat(9))
        };
        let masks: String = (0..9).map(mask).collect();
        let masked = format!("{masks}<mask id=\"m9\"><rect width=\"9\" height=\"9\" fill=\"#fff\"/></mask>");
        let masked = svg(&format!("{masked}<rect width=\"9\" height=\"9\" mask=\"url(#m0)\"/>"));
        assert!(check_preview(&masked, &Fonts::none()).unwrap_err().detail.contains("too many"));
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
