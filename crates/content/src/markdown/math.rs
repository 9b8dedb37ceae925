//! Formulas in TeX: written as MathML, which every browser shows without a script.
//!
//! The converter writes `style` attributes, which the policy of a page blocks. They become attributes of MathML where there is
//! one, and classes of the stylesheet `sitegen:math.css` otherwise.

use super::Writer;
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use memchr::memmem;
use sitegen_core::diagnostics::{Diagnostic, MarkdownProblem, Place, Span};
use sitegen_core::html::{Token, tokens};
use std::sync::LazyLock;

/// The stylesheet of formulas that a site may import.
pub const STYLESHEET: &str = include_str!("math.css");

/// The converter calls itself for each level of nesting, and a formula may be nothing but `{`. One that is longer than the
/// first gets a stack of its own, and one that is longer than the second is refused.
const SHORT_BYTES: usize = 200;
/// See [`SHORT_BYTES`].
const MOST_BYTES: usize = 10_000;
/// Enough for 10,000 levels, of which each takes about 2 KB without optimisation.
const STACK_BYTES: usize = 64 << 20;

/// The declarations of the converter, and the classes that have them.
const CLASSES: &[(&str, &str)] = &[
    ("border-left: 0.05em dashed currentcolor", "math-dashed-left"),
    ("border-left: 0.05em solid currentcolor", "math-line-left"),
    ("border-right: 0.05em dashed currentcolor", "math-dashed-right"),
    ("border-right: 0.05em solid currentcolor", "math-line-right"),
    ("border-top: 0.05em dashed currentcolor", "math-dashed-top"),
    ("border-top: 0.05em solid currentcolor", "math-line-top"),
    ("font-size:120%", "math-size-120"),
    ("font-size:140%", "math-size-140"),
    ("font-size:170%", "math-size-170"),
    ("font-size:200%", "math-size-200"),
    ("font-size:250%", "math-size-250"),
    ("font-size:50%", "math-size-50"),
    ("font-size:60%", "math-size-60"),
    ("font-size:70%", "math-size-70"),
    ("font-size:80%", "math-size-80"),
    ("font-size:90%", "math-size-90"),
    ("font-variant-caps: small-caps", "math-small-caps"),
    ("justify-items: end", "math-end"),
    ("justify-items: start", "math-start"),
    ("margin-left:-0.16666667em", "math-thin-back"),
    ("margin-left:-0.22222222em", "math-medium-back"),
    ("margin-left:-0.27777778em", "math-thick-back"),
    ("math-shift:compact", "math-compact"),
    ("padding-bottom: 0", "math-flat"),
    ("padding-left: 0", "math-close-left"),
    ("padding-left: 0.1em", "math-tight-left"),
    ("padding-left:0", "math-close-left"),
    ("padding-left:1em", "math-wide-left"),
    ("padding-left:0.1667em", "math-thin-left"),
    ("padding-left:0.2222em", "math-medium-left"),
    ("padding-left:0.2778em", "math-thick-left"),
    ("padding-right: 0", "math-close-right"),
    ("padding-right: 0.1em", "math-tight-right"),
    ("padding-right:0", "math-close-right"),
    ("padding-right:0.1667em", "math-thin-right"),
    ("padding-right:0.2222em", "math-medium-right"),
    ("padding-right:0.2778em", "math-thick-right"),
    ("padding-top: 0.1667em", "math-thin-top"),
    ("width: 100%", "math-wide"),
    ("width: 50%", "math-half"),
    ("width: 7.5%", "math-narrow"),
];

/// Declarations that the classes beside them imply, or the default.
const IMPLIED: [&str; 5] = ["text-align: right", "text-align: left", "padding-top: 0", "font-size:100%", ""];

/// Commands that the converter does not have, in those that it has: several lines below a sum. It cannot draw all four sides of
/// a box, so there is no `\boxed`.
const COMMANDS: [(&str, &str); 1] = [("substack", r"\begin{subarray}{c}#1\end{subarray}")];

static CONVERTER: LazyLock<Option<LatexToMathML>> = LazyLock::new(|| {
    let macros = COMMANDS.map(|(name, meaning)| (name.to_owned(), meaning.to_owned())).to_vec();
    LatexToMathML::new(MathCoreConfig { macros, ..MathCoreConfig::default() }).ok()
});

/// How a formula is shown.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Display {
    /// In a line of text.
    Inline,
    /// On lines of its own.
    Block,
}

impl Writer<'_> {
    /// Writes a formula, or reports what the converter cannot read, where it is.
    pub(super) fn write_formula(&mut self, formula: &str, display: Display, span: Span) {
        let formula = self.marked.as_written(formula).trim().to_owned();
        match convert(&formula, display) {
            Ok(mathml) => {
                self.formulas += 1;
                self.trace(span);
                self.out.push_str(&mathml);
                self.collect(&formula);
            }
            Err(Mistake { detail, at }) => {
                let source = self.marked.source(span);
                let written = &self.marked.body[source.start..source.end];
                let start = source.start + written.find(&formula).unwrap_or(0);
                let (from, to) = (start + at.start, start + at.end);
                // A block of code in a list has other lines than the formula.
                let is_there = to <= source.end && written.contains(&formula) && from < to;
                let span = if is_there { Span { start: from, end: to } } else { source };
                let place = Place::new(self.context.path, span.shifted(self.context.offset));
                self.keep(Diagnostic::new(MarkdownProblem::Formula { detail }, place));
            }
        }
    }
}

/// What is wrong with a formula, and where in it.
#[derive(Debug, PartialEq)]
struct Mistake {
    detail: String,
    at: std::ops::Range<usize>,
}

fn convert(formula: &str, display: Display) -> Result<String, Mistake> {
    let mistake = |detail: String| Mistake { detail, at: 0..formula.len() };
    if formula.len() > MOST_BYTES {
        return Err(mistake(format!("it has {} bytes, and {MOST_BYTES} at most are read", formula.len())));
    }
    let display = match display {
        Display::Inline => MathDisplay::Inline,
        Display::Block => MathDisplay::Block,
    };
    let converter = CONVERTER.as_ref().ok_or_else(|| mistake("the converter does not start".to_owned()))?;
    let convert = || converter.convert_with_local_state(formula, display);
    let converted = match formula.len() {
        0..=SHORT_BYTES => convert(),
        _ => std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, convert);
            thread
                .map_err(|error| mistake(error.to_string()))?
                .join()
                .map_err(|_| mistake("the converter failed".to_owned()))
        })?,
    };
    match converted {
        // Chromium does not know `menclose`, whose strokes the stylesheet draws.
        Ok(converted) => without_styles(converted.mathml).map(without_menclose).map_err(mistake),
        Err(error) => {
            let detail = error.to_string().trim_end_matches('.').to_owned();
            let range = error.0.clone();
            // The end of a formula is no place of its own.
            let end = range.end.max(range.start + 1).min(formula.len());
            let start = range.start.min(end.saturating_sub(1));
            let is_whole = formula.get(start..end).is_none();
            Err(Mistake { detail, at: if is_whole { 0..formula.len() } else { start..end } })
        }
    }
}

/// Replaces `<menclose notation="…">`.
fn without_menclose(mathml: String) -> String {
    if memmem::find(mathml.as_bytes(), b"<menclose ").is_none() {
        return mathml;
    }
    let mut parts = mathml.split("<menclose notation=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("<mrow class=\"math-struck\"");
        out.push_str(part.split_once('"').map_or("", |(_, rest)| rest));
    }
    out.replace("</menclose>", "</mrow>")
}

/// Replaces the `style` attributes of MathML.
fn without_styles(mathml: String) -> Result<String, String> {
    if memmem::find(mathml.as_bytes(), b" style=\"").is_none() {
        return Ok(mathml);
    }
    let mut out = String::with_capacity(mathml.len());
    let mut tokens = tokens(&mathml);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let end = tokens.offset();
        if let Token::Start(tag) = token {
            out.push_str(&mathml[from..tag.start]);
            write_tag(&mathml[tag.start..end], &mut out)?;
        } else {
            out.push_str(&mathml[from..end]);
        }
        from = end;
    }
    out.push_str(&mathml[from..]);
    Ok(out)
}

/// Writes a tag without its `style` attribute.
fn write_tag(tag: &str, out: &mut String) -> Result<(), String> {
    let style = tag.split_once(" style=\"").and_then(|(before, rest)| Some((before, rest.split_once('"')?)));
    let Some((before, (style, after))) = style else {
        out.push_str(tag);
        return Ok(());
    };
    let mut classes = Vec::new();
    let mut colour = None;
    for declaration in style.split(';').map(str::trim).filter(|declaration| !IMPLIED.contains(declaration)) {
        let class = CLASSES.iter().find(|(written, _)| *written == declaration);
        match (class, declaration.split_once(':')) {
            (Some((_, class)), _) => classes.push(*class),
            (None, Some(("color", value))) => colour = Some(value.trim()),
            // The attribute says the same.
            (None, Some(("width", _))) if tag.starts_with("<mspace ") => {}
            _ => return Err(format!("a page cannot have its style `{declaration}`")),
        }
    }
    // Browsers read `rem` differently in attributes.
    out.push_str(&if tag.starts_with("<mspace ") { before.replace("rem\"", "em\"") } else { before.to_owned() });
    if let Some(colour) = colour {
        out.push_str(&format!(" mathcolor=\"{colour}\""));
    }
    if !classes.is_empty() {
        out.push_str(&format!(" class=\"{}\"", classes.join(" ")));
    }
    out.push_str(after);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_classes_instead_of_styles() {
        let inline = |formula: &str| convert(formula, Display::Inline).unwrap();
        assert_eq!(inline("x^2"), "<math><msup><mi>x</mi><mn>2</mn></msup></math>");
        let colour = inline("{\\color{red} x}\\hspace{1cm}");
        assert!(
            colour.contains(" mathcolor=\"#FF0000\"") && colour.contains("<mspace width=\"2.8453em\"/>"),
            "{colour}"
        );
        for formula in [
            "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}",
            "\\begin{align}a&=b\\tag{1}\\\\c&=d\\end{align}",
            "\\begin{array}{l|c:r}a&b&c\\\\\\hline d&e&f\\\\\\hdashline g&h&i\\end{array}",
            "\\begin{cases}a\\\\b\\end{cases}",
            "\\begin{cases}a&b&c\\\\d&e&f\\end{cases}",
            "\\begin{aligned}a&=b&c&=d&e&=f\\end{aligned}",
            "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix} \\begin{array}{c||c}a&b\\end{array}",
            "\\begin{gather}a\\\\b\\end{gather}",
            "\\begin{multline}a\\\\b\\end{multline}",
            "a\\!b\\;c\\,d\\quad e \\mathop{x} \\mathrel{R} a\\bmod b \\pmod{n}",
            "\\text{a \\textsc{b} \\textbf{c} \\texttt{d}} \\cfrac{a}{b} \\sqrt[3]{x} \\cancel{x}",
            "\\overset{a}{b} \\operatorname{lim}_{x\\to 0}",
            "\\sum_{\\substack{i<n\\\\j<m}}",
        ] {
            let mathml = inline(formula);
            assert!(!mathml.contains(" style=\""), "{formula}: {mathml}");
        }
    }

    #[test]
    fn lines_below_a_sum_are_a_small_table() {
        let block = |formula: &str| convert(formula, Display::Block).unwrap();
        let sum = block("\\sum_{\\substack{i\\\\j}} a");
        let rows =
            "<mtr><mtd class=\"math-flat\"><mi>i</mi></mtd></mtr><mtr><mtd class=\"math-flat\"><mi>j</mi></mtd></mtr>";
        assert!(sum.contains(&format!("<mtable displaystyle=\"false\" scriptlevel=\"1\">{rows}</mtable>")), "{sum}");
    }

    #[test]
    fn a_mistake_has_its_place() {
        let mistake = |formula: &str| {
            let Mistake { detail, at } = convert(formula, Display::Block).unwrap_err();
            (detail, formula[at].to_owned())
        };
        assert_eq!(mistake("a + \\foo b"), ("Unknown command \"\\foo\"".to_owned(), "\\foo".to_owned()));
        assert_eq!(mistake("ä{b").1, "b");
        assert_eq!(mistake("\\substack{a + \\foo}").1, "\\foo");
        assert!(mistake(&"x".repeat(MOST_BYTES + 1)).0.contains("10001 bytes"));
    }

    #[test]
    fn deep_nesting_is_no_overflow() {
        for (open, close) in [
            ("{", "}"),
            ("\\sqrt{", "}"),
            ("\\sqrt", ""),
            ("\\frac1", ""),
            ("x^{", "}"),
            ("\\left(", "\\right)"),
            ("\\boxed{", "}"),
            ("\\substack{", "}"),
        ] {
            for most in [SHORT_BYTES, MOST_BYTES] {
                let count = (most - 1) / (open.len() + close.len());
                let formula = format!("{}x{}", open.repeat(count), close.repeat(count));
                let convert = move || convert(&formula, Display::Block).map(|mathml| mathml.len());
                // The stack of the threads that render pages.
                let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(convert).unwrap();
                assert!(thread.join().is_ok(), "{open}");
            }
        }
    }

    #[test]
    fn the_stylesheet_has_every_class() {
        for (_, class) in CLASSES {
            assert!(
                STYLESHEET.contains(&format!(".{class} ")) || STYLESHEET.contains(&format!(".{class},")),
                "{class}"
            );
        }
    }
}
