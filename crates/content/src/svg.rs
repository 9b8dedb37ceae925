//! Checks files of `content/assets` and `content/public` that browsers may run, above all SVG.
//!
//! An SVG file that is opened by its own address is a document with the rights of the site. Browsers read it as XML, so
//! it is read as XML here too; one that is not well-formed is refused, because browsers run everything before the
//! mistake. Inside a page, the same text is read as HTML, whose rules differ in places: [`for_page`] allows only what
//! both read alike.

use super::address::scheme_of;
use roxmltree::{Attribute, Document, Node, NodeType, TextPos};
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{AssetProblem, Diagnostic, Place, Span, YamlProblem};
use sitegen_core::html::{Token, tokens};
use sitegen_core::paths::{SCHEMES, SourcePath};
use sitegen_core::sources::{Source, SourceKind, Sources};
use std::collections::BTreeSet;

const SVG: &str = "http://www.w3.org/2000/svg";
/// Elements of these vocabularies run script or style other documents wherever they are; those of every other foreign
/// one, such as the notes of drawing programs, do nothing.
const ACTIVE_VOCABULARIES: [&str; 4] = [
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/1999/XSL/Transform",
    "http://www.w3.org/2001/xml-events",
];
/// SVG 2, 15.10 ("script") and 12.2 ("foreignObject"), and the elements of SVG Tiny 1.2 that listen to events.
const ACTIVE_ELEMENTS: [&str; 9] =
    ["script", "foreignobject", "handler", "listener", "iframe", "embed", "object", "audio", "video"];
/// CSS functions that load an address, besides `url(…)`, and old ones that ran script.
const ACTIVE_CSS: [&str; 9] = [
    "@import",
    "image-set(",
    "image(",
    "src(",
    "cross-fade(",
    "expression(",
    "-moz-binding",
    "behavior:",
    "javascript:",
];
/// How drawing programs leave out HTML, by their menus and settings.
const FIX_HTML: &str =
    "export labels as text: in draw.io with `Convert labels to SVG`, in Mermaid with `htmlLabels: false`";
/// How they leave out effects that SVG does not have.
const FIX_EFFECT: &str =
    "in Figma remove the background blur, or the angular or diamond gradient, from the layer, or export a PNG";
/// How Illustrator leaves out its own copy of the drawing.
const FIX_COPY: &str = "in Illustrator save it without `Preserve Illustrator Editing Capabilities`";
/// How they leave out fonts.
const FIX_FONT: &str = "export text as outlines: in Figma with `Outline text`, in Illustrator with `Font: Convert to \
     outlines`; from Excalidraw export a PNG";
/// Picture formats with pixels and nothing else.
const PIXELS: [&str; 7] =
    ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/bmp"];

/// Elements that are allowed in a page: shapes, text, paints, clips, masks and filters.
const INLINE: [&str; 51] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "title",
    "desc",
    "defs",
    "symbol",
    "marker",
    "pattern",
    "mask",
    "clippath",
    "lineargradient",
    "radialgradient",
    "stop",
    "filter",
    "feblend",
    "fecolormatrix",
    "fecomponenttransfer",
    "fecomposite",
    "feconvolvematrix",
    "fediffuselighting",
    "fedisplacementmap",
    "fedistantlight",
    "fedropshadow",
    "feflood",
    "fefunca",
    "fefuncb",
    "fefuncg",
    "fefuncr",
    "fegaussianblur",
    "femerge",
    "femergenode",
    "femorphology",
    "feoffset",
    "fepointlight",
    "fespecularlighting",
    "fespotlight",
    "fetile",
    "feturbulence",
    "switch",
    "view",
    "textpath",
    "metadata",
];

/// Extensions of files that browsers run or that hide their content. Pages have no use for them as assets.
const ACTIVE_FILES: [&str; 16] = [
    "htm", "html", "shtml", "xhtml", "xht", "xml", "xsl", "xslt", "js", "mjs", "cjs", "mht", "mhtml", "swf", "hta",
    "svgz",
];

/// A finding in an SVG: its place, what it is, and the fix.
struct Finding {
    span: Span,
    detail: String,
    fix: &'static str,
}

/// Checks an SVG file that browsers may open by itself.
#[derive(Hash)]
struct Alone<'a> {
    file: &'a Source,
}

impl Query for Alone<'_> {
    const KIND: &'static str = "svg";
    type Output = ();
    type Refused = Vec<Finding>;

    fn run(&self, _: &Cache) -> Result<(), Vec<Finding>> {
        let reported = alone(self.file.text().unwrap_or_default());
        if reported.is_empty() { Ok(()) } else { Err(reported) }
    }
}

/// Checks every file that is published unchanged for what browsers would run.
pub fn check(sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (kind, is_public) in [(SourceKind::Asset, false), (SourceKind::Public, true)] {
        for (path, source) in sources.of(kind) {
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            match extension.as_str() {
                "svg" => match source.text() {
                    Some(_) => {
                        let reported = cache.query_saved(&Alone { file: source }).err().unwrap_or_default();
                        diagnostics.extend(reported.into_iter().map(|each| each.reported(path)));
                    }
                    None => diagnostics.push(Diagnostic::new(YamlProblem::NotUtf8, Place::file(path))),
                },
                "svgz" => diagnostics.push(Diagnostic::new(AssetProblem::ActiveFile { extension }, Place::file(path))),
                "htm" | "html" | "shtml" | "xhtml" | "xht" if is_public => diagnostics.extend(script_in(sources, path)),
                other if !is_public && ACTIVE_FILES.contains(&other) => {
                    diagnostics.push(Diagnostic::new(AssetProblem::ActiveFile { extension }, Place::file(path)));
                }
                _ => {}
            }
        }
    }
    diagnostics
}

impl Finding {
    fn reported(self, path: &SourcePath) -> Diagnostic {
        let problem = AssetProblem::UnsafeSvg { detail: self.detail, fix: self.fix.to_owned() };
        Diagnostic::new(problem, Place::new(path, self.span))
    }
}

/// Warns of a page of `content/public` that runs script: it is published unchanged.
fn script_in(sources: &Sources, path: &SourcePath) -> Option<Diagnostic> {
    let runs = |token: &Token| match token {
        Token::Start(tag) => {
            tag.is("script")
                || tag.attributes().any(|each| {
                    let is_handler = each.name.len() > 2 && each.name.to_ascii_lowercase().starts_with("on");
                    is_handler || matches!(scheme_of(&each.value).as_deref(), Some("javascript"))
                })
        }
        _ => false,
    };
    let Some(Token::Start(tag)) = tokens(sources.text(path)?).find(runs) else { return None };
    let place = Place::new(path, Span { start: tag.start, end: tag.end });
    Some(Diagnostic::new(AssetProblem::PublicScript, place))
}

/// Finds everything in an SVG that runs, loads or opens something when it is opened by its own address.
fn alone(text: &str) -> Vec<Finding> {
    let document = match read(text) {
        Ok(document) => document,
        Err(finding) => return vec![*finding],
    };
    let mut findings = Vec::new();
    for node in document.descendants() {
        match node.node_type() {
            NodeType::PI => {
                let target = node.pi().map_or("", |instruction| instruction.target);
                // Other instructions, such as Adobe's `xpacket`, mean nothing to a browser.
                if target.to_ascii_lowercase().starts_with("xml") {
                    let fix = "remove the line; put the style inside the SVG";
                    findings.push(finding(
                        &node,
                        format!("it contains the processing instruction `<?{target}?>`"),
                        fix,
                    ));
                }
            }
            NodeType::Element => element(&node, &mut findings),
            _ => {}
        }
    }
    findings
}

fn element(node: &Node, findings: &mut Vec<Finding>) {
    let name = node.tag_name().name().to_ascii_lowercase();
    let vocabulary = node.tag_name().namespace().unwrap_or_default();
    if ACTIVE_VOCABULARIES.contains(&vocabulary) || ACTIVE_ELEMENTS.contains(&name.as_str()) {
        let fix = if name == "foreignobject" { fix_of_foreign(node) } else { "remove the element" };
        findings.push(finding(node, format!("it contains `<{}>`", node.tag_name().name()), fix));
        return;
    }
    if name == "style" {
        let css: String = node.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect();
        if let Some(part) = loads(&css) {
            let fix = if css.contains("@font-face") { FIX_FONT } else { FIX_STYLE };
            findings.push(finding(node, format!("its style contains `{part}`"), fix));
        }
    }
    for attribute in node.attributes() {
        if let Some((detail, fix)) = refused(&name, &attribute) {
            let range = attribute.range();
            findings.push(Finding { span: Span { start: range.start, end: range.end }, detail, fix });
        }
    }
}

/// Returns how the program that has written a `<foreignObject>` leaves it out.
fn fix_of_foreign(node: &Node) -> &'static str {
    let has = |name: &str, values: &[&str]| {
        let mut all = node.descendants().filter_map(|inner| inner.attribute(name));
        all.any(|written| values.iter().any(|value| written.contains(value)))
    };
    match () {
        () if has("requiredExtensions", &["adobe"]) => FIX_COPY,
        () if has("style", &["backdrop-filter", "conic-gradient", "radial-gradient"]) => FIX_EFFECT,
        () => FIX_HTML,
    }
}

const FIX_STYLE: &str = "refer only to parts of the SVG, like `url(#shade)`";
const FIX_REMOVE: &str = "remove the attribute";

/// Returns what is wrong with an attribute of an element, and the fix.
fn refused(element: &str, attribute: &Attribute) -> Option<(String, &'static str)> {
    let name = attribute.name().to_ascii_lowercase();
    let value = attribute.value();
    let said = |detail: &str, fix| Some((format!("its attribute `{}` {detail}", attribute.name()), fix));
    if name.starts_with("on") {
        return said("runs a script", FIX_REMOVE);
    }
    if name == "base" {
        return said("changes where addresses lead", FIX_REMOVE);
    }
    // `values` and similar attributes contain several addresses.
    let is_script = |part: &str| matches!(scheme_of(part).as_deref(), Some("javascript" | "vbscript"));
    if value.split([';', ',']).any(is_script) || is_script(value) {
        return said("runs a script", FIX_REMOVE);
    }
    if name == "attributename" {
        let animated = value.trim().to_ascii_lowercase();
        let animated = animated.rsplit(':').next().unwrap_or_default();
        let is_active = animated.starts_with("on") || ["href", "src", "style", "base"].contains(&animated);
        return if is_active { said(&format!("animates `{}`", value.trim()), "remove the animation") } else { None };
    }
    if matches!(name.as_str(), "href" | "src" | "data") {
        let address = value.trim();
        if address.starts_with('#') || address.is_empty() {
            return None;
        }
        if element == "a" {
            return match scheme_of(address) {
                None => None,
                Some(scheme) if SCHEMES.contains(&scheme.as_str()) => None,
                Some(_) => said("leads to an address that could run a script", FIX_REMOVE),
            };
        }
        if matches!(element, "image" | "feimage") && is_pixels(address) {
            return None;
        }
        return said("loads another file", "put its content into the SVG itself");
    }
    match loads(value) {
        Some(part) => said(&format!("has `{part}`"), FIX_STYLE),
        None => None,
    }
}

/// Returns what a style loads or runs, if anything. Escapes (`u\72l(`) count as an attempt to hide something.
fn loads(css: &str) -> Option<String> {
    let lower = css.to_ascii_lowercase();
    let is_css = lower.contains([':', '(', '@']);
    if is_css && lower.contains('\\') {
        return Some("\\".to_owned());
    }
    if let Some(active) = ACTIVE_CSS.iter().find(|active| lower.contains(**active)) {
        return Some((*active).to_owned());
    }
    // The next end is searched for once, however many addresses begin before it.
    let mut end = 0;
    lower.match_indices("url(").find_map(|(at, _)| {
        let start = at + 4;
        if end < start {
            end = lower[start..].find(')').map_or(lower.len(), |end| start + end);
        }
        let inner = css[start..end].trim().trim_matches(['"', '\'']).trim();
        (!inner.starts_with('#') && !inner.is_empty() && !is_pixels(inner)).then(|| {
            let shown: String = inner.chars().take(40).collect();
            format!("url({shown})")
        })
    })
}

/// Whether an address contains a picture itself, of pixels only.
fn is_pixels(address: &str) -> bool {
    // The media type is at the beginning, and the longest of them is short.
    let lower: String = address.chars().take(40).collect::<String>().to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("data:") else { return false };
    let kind = rest.split([';', ',']).next().unwrap_or_default().trim();
    PIXELS.contains(&kind)
}

/// Parses an SVG as browsers parse XML, or returns why it is invalid.
fn read(text: &str) -> Result<Document<'_>, Box<Finding>> {
    let refuse = |span, detail: String, fix| Err(Box::new(Finding { span, detail, fix }));
    // A browser that decodes the text in another way would read another text than the one that was checked.
    let declaration =
        text.trim_start_matches('\u{feff}').strip_prefix("<?xml").and_then(|rest| rest.split("?>").next());
    if let Some(encoding) = declaration.and_then(|declaration| declaration.split("encoding").nth(1)) {
        let encoding = encoding.trim_start_matches(['=', ' ', '\t', '\r', '\n', '"', '\'']);
        let encoding: String =
            encoding.chars().take_while(|letter| letter.is_ascii_alphanumeric() || "-_.:".contains(*letter)).collect();
        if !["utf-8", "utf8", "us-ascii", "ascii"].contains(&encoding.to_ascii_lowercase().as_str()) {
            let at = text.find("encoding").unwrap_or_default();
            return refuse(Span::at(at, "encoding".len()), format!("its encoding is `{encoding}`"), "save it as UTF-8");
        }
    }
    if let Some((span, detail)) = too_many(text) {
        return refuse(span, detail, "export it as plain SVG");
    }
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(roxmltree::Error::DtdDetected) => {
            let at = text.find("<!DOCTYPE").unwrap_or_default();
            return refuse(
                Span::at(at, "<!DOCTYPE".len()),
                "it contains a declaration".into(),
                "remove `<!DOCTYPE …>`",
            );
        }
        Err(error) => {
            let at = offset(text, error.pos());
            // The parser's message ends with the place, which the diagnostic has already.
            let words = error.to_string();
            let words = words.rsplit_once(" at ").map_or(words.as_str(), |(words, _)| words).to_owned();
            return refuse(Span::at(at, 0), format!("it is not well-formed XML: {words}"), "export it again");
        }
    };
    let root = document.root_element();
    // Without its namespace a browser shows nothing of it; such an SVG is made for pages.
    let is_svg = matches!(root.tag_name().namespace(), Some(SVG) | None) && root.tag_name().name() == "svg";
    if !is_svg {
        let fix = "begin it with `<svg xmlns=\"http://www.w3.org/2000/svg\" …>`";
        return refuse(tag_of(&root), "its outermost element is not `<svg>`".into(), fix);
    }
    Ok(document)
}

/// The most attributes of an element, and the most namespaces of a file: the parser's work grows with the square of both.
const MOST_ATTRIBUTES: usize = 500;
const MOST_NAMESPACES: usize = 100;

/// Finds the element with more attributes, or the namespace, that exceeds the limits.
fn too_many(text: &str) -> Option<(Span, String)> {
    let mut namespaces = BTreeSet::new();
    let mut at = 0;
    for part in text.split("xmlns") {
        if at > 0 {
            let end = part.match_indices(['"', '\'']).nth(1).map_or(part.len(), |(end, _)| end);
            namespaces.insert(&part[..end]);
        }
        if namespaces.len() > MOST_NAMESPACES {
            let start = at - "xmlns".len();
            return Some((
                Span::at(start, "xmlns".len()),
                format!("it declares more than {MOST_NAMESPACES} namespaces"),
            ));
        }
        at += part.len() + "xmlns".len();
    }
    // No value of an attribute contains `<`.
    let mut at = 0;
    for part in text.split('<') {
        if !part.starts_with(['!', '?']) && at > 0 && attributes(part) > MOST_ATTRIBUTES {
            return Some((Span::at(at - 1, 1), format!("an element has more than {MOST_ATTRIBUTES} attributes")));
        }
        at += part.len() + 1;
    }
    None
}

/// Counts the quoted values before the end of a tag.
fn attributes(tag: &str) -> usize {
    let (mut count, mut open) = (0, None);
    for letter in tag.chars() {
        match (open, letter) {
            (None, '>') => break,
            (None, '"' | '\'') => {
                open = Some(letter);
                count += 1;
            }
            (Some(quote), _) if quote == letter => open = None,
            _ => {}
        }
    }
    count
}

/// Why an SVG may not be put into a page.
pub struct Refusal {
    /// What was found in it.
    pub detail: String,
    /// The fix.
    pub fix: &'static str,
    /// Where it is.
    pub span: Span,
}

/// Returns the span of the outermost element of an SVG that may be put into a page, or why it may not.
///
/// In a page the text is read as HTML. Only elements are allowed that HTML leaves inside `<svg>` and whose text it
/// reads as XML does (WHATWG HTML 13.2.6.5, "foreign content"), and no construct that the two end at different offsets:
/// `<!-->` is a complete comment in HTML, and `<?` begins one that ends with the next `>`.
pub fn for_page(text: &str) -> Result<Span, Refusal> {
    let refuse = |Finding { span, detail, fix }: Finding| Refusal { detail, fix, span };
    if let Some(first) = alone(text).into_iter().next() {
        return Err(refuse(first));
    }
    let document = read(text).map_err(|finding| refuse(*finding))?;
    let root = document.root_element();
    for node in root.descendants() {
        if let Some(detail) = not_for_page(&node, &text[node.range()]) {
            return Err(refuse(finding(&node, detail, "export it as plain SVG, without scripts, links and styles")));
        }
    }
    Ok(Span { start: root.range().start, end: root.range().end })
}

/// Returns the width and height in pixels of an SVG that an `<img>` shows: those of its own attributes, or of its `viewBox`
/// (SVG 2, 8.12, "Intrinsic sizing properties").
pub fn size(text: &str) -> Option<(u32, u32)> {
    let root = tokens(text).find_map(|token| match token {
        Token::Start(tag) if tag.is("svg") => Some(tag),
        _ => None,
    })?;
    let length = |name| root.get(name)?.trim().trim_end_matches("px").parse::<f64>().ok().filter(|value| *value > 0.0);
    let view: Option<Vec<f64>> = root.get("viewBox").map(|view| {
        view.split([' ', ',']).filter(|part| !part.is_empty()).filter_map(|part| part.parse().ok()).collect()
    });
    let view = view.filter(|view| view.len() == 4 && view[2] > 0.0 && view[3] > 0.0).map(|view| (view[2], view[3]));
    let (width, height) = match (length("width"), length("height"), view) {
        (Some(width), Some(height), _) => (width, height),
        (Some(width), None, Some((wide, high))) => (width, width * high / wide),
        (None, Some(height), Some((wide, high))) => (height * wide / high, height),
        (_, _, view) => view?,
    };
    let pixels = |length: f64| (1.0..=100_000.0).contains(&length).then_some(length.round() as u32);
    pixels(width).zip(pixels(height))
}

fn not_for_page(node: &Node, source: &str) -> Option<String> {
    match node.node_type() {
        NodeType::PI => Some("it contains a processing instruction like `<?…?>`".to_owned()),
        NodeType::Comment if source.starts_with("<!-->") || source.starts_with("<!--->") => {
            Some("it contains a comment that browsers end elsewhere".to_owned())
        }
        NodeType::Text if source.contains("<![CDATA[") => Some("it contains a `CDATA` section".to_owned()),
        NodeType::Element => inline_element(node, source),
        _ => None,
    }
}

fn inline_element(node: &Node, source: &str) -> Option<String> {
    let name = node.tag_name().name();
    let is_allowed = INLINE.contains(&name.to_ascii_lowercase().as_str());
    // `<x:path>` is a path to XML, and nothing to HTML.
    let is_written_so = source[1..].starts_with(name);
    // A page implies the namespace, and an SVG made for pages leaves it out.
    let is_of_svg = node.tag_name().namespace() == node.document().root_element().tag_name().namespace();
    if !is_of_svg || !is_allowed || !is_written_so {
        return Some(format!("it contains `<{name}>`"));
    }
    if name == "svg" && node.parent_element().is_some() {
        return Some("it contains one `<svg>` inside another".to_owned());
    }
    if name == "svg" && !node.has_children() {
        return Some("it is empty".to_owned());
    }
    let refused = node.attributes().find(|attribute| {
        let name = attribute.name().to_ascii_lowercase();
        matches!(name.as_str(), "style" | "href")
    });
    refused.map(|attribute| format!("it has the attribute `{}`", attribute.name()))
}

fn finding(node: &Node, detail: String, fix: &'static str) -> Finding {
    Finding { span: tag_of(node), detail, fix }
}

/// Returns the name in a start tag with its bracket, or the first bytes of anything else.
fn tag_of(node: &Node) -> Span {
    let range = node.range();
    let length = if node.is_element() { 1 + node.tag_name().name().len() } else { 2 };
    Span { start: range.start, end: (range.start + length).min(range.end) }
}

/// Returns the offset of a position that the parser counts in lines and characters, from one.
fn offset(text: &str, at: TextPos) -> usize {
    let line: usize = text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize).map(str::len).sum();
    let letters = text[line..].chars().take(at.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    (line + letters).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_for_html_in_an_svg_is_that_for_the_program_that_wrote_it() {
        for (foreign, program) in [
            ("<foreignObject requiredExtensions=\"http://ns.adobe.com/AdobeIllustrator/10.0/\"/>", "in Illustrator"),
            (
                "<foreignObject><div xmlns=\"http://www.w3.org/1999/xhtml\" style=\"backdrop-filter:blur(4px)\"/></foreignObject>",
                "in Figma",
            ),
            ("<foreignObject><div xmlns=\"http://www.w3.org/1999/xhtml\">a</div></foreignObject>", "in draw.io"),
        ] {
            let found = alone(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{foreign}</svg>"));
            assert!(found[0].fix.contains(program), "{}", found[0].fix);
        }
    }

    fn svg_of(inner: &str) -> String {
        format!("<svg xmlns=\"{SVG}\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">{inner}</svg>")
    }

    #[test]
    fn output_of_drawing_programs_is_allowed() {
        for good in [
            "<g inkscape:label=\"Layer\" xmlns:inkscape=\"urn:inkscape\"><sodipodi:view xmlns:sodipodi=\"urn:s\"/></g>",
            "<style>.a{fill:url(#b)} @media print{.a{fill:red}}</style><use xlink:href=\"#b\"/>",
            "<image href=\"data:image/png;base64,AAAA\"/><a href=\"https://a.example\"><path/></a>",
            "<animate attributeName=\"x\" values=\"0;1\"/><path style=\"fill:red\" filter=\"url(#f)\"/>",
            "<text>on the script: javascript &lt;script&gt; \\ url</text><!-- made by -->",
        ] {
            let details: Vec<String> = alone(&svg_of(good)).into_iter().map(|each| each.detail).collect();
            assert!(details.is_empty(), "{good}: {details:?}");
        }
        assert!(alone(&format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", svg_of(""))).is_empty());
    }

    #[test]
    fn a_mistake_is_reported_at_its_own_bytes() {
        let text = svg_of("<path d=\"ä\"\n onclick='x()'/>");
        let findings = alone(&text);
        assert_eq!(&text[findings[0].span.start..findings[0].span.end], "onclick='x()'");
        let broken = svg_of("<g>\n ä</h>");
        let findings = alone(&broken);
        let Finding { span, detail, .. } = &findings[0];
        assert!(broken[span.start..].starts_with("</h>"), "{detail} {}", span.start);
    }

    #[test]
    fn a_page_takes_only_what_html_and_xml_read_alike() {
        for bad in [
            "<style>a{}</style>",
            "<use href=\"#x\"/>",
            "<a href=\"https://a.example\"/>",
            "<p/>",
            "<x:path xmlns:x=\"http://www.w3.org/2000/svg\"/>",
            "<g xmlns=\"urn:x\"><script/></g>",
            "<!--><img src=x onerror=alert(1)>-->",
            "<?a ><img src=x onerror=alert(1)>?>",
            "<title><![CDATA[<img src=x onerror=alert(1)>]]></title>",
            "<path style=\"fill:red\"/>",
            "<svg/>",
            "<set attributeName=\"fill\"/>",
        ] {
            assert!(for_page(&svg_of(bad)).is_err(), "{bad}");
        }
        let good = "<?xml version=\"1.0\"?>\n<!-- <svg> -->\n<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/></svg>\n";
        let root = for_page(good).ok().unwrap();
        assert!(good[root.start..root.end].starts_with("<svg viewBox") && good[..root.end].ends_with("</svg>"));
        assert!(for_page("<p>no drawing</p>").is_err() && for_page("<svg></svg><svg></svg>").is_err());
    }

    #[test]
    fn many_namespaces_or_attributes_are_refused_before_parsing() {
        let spaces = |count: usize| {
            let open: String = (0..count).map(|i| format!("<g xmlns:a{i}=\"u{i}\">")).collect();
            svg_of(&format!("{open}{}", "</g>".repeat(count)))
        };
        let values = |count: usize| {
            let values: String = (0..count).map(|i| format!(" a{i}='>\"'")).collect();
            svg_of(&format!("<g{values}/>"))
        };
        let repeated = svg_of(&"<g xmlns:a='u'/>".repeat(1_000));
        for fine in [spaces(90), values(400), repeated] {
            assert!(too_many(&fine).is_none());
        }
        for bad in [spaces(2_000), values(40_000)] {
            assert_eq!(alone(&bad).len(), 1);
            assert!(too_many(&bad).is_some());
        }
    }
}
