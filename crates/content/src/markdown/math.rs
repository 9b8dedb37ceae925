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

/// Commands that the converter does not have, in those that it has: several lines below a sum, and what is marked as no formula is
/// and replaced: a box by [`with_strokes`], and what takes no room by [`with_overlaps`].
const COMMANDS: &[(&str, &str)] = &[
    ("substack", r"\begin{subarray}{c}#1\end{subarray}"),
    ("boxed", r"\xcancel{\hspace{0.00012345em}#1}"),
    ("textcolor", r"{\color{#1}#2}"),
    ("mathnormal", "#1"),
    ("pmb", r"\boldsymbol{#1}"),
    ("relax", "{}"),
    ("widetilde", r"\tilde{#1}"),
    ("widecheck", r"\check{#1}"),
    ("utilde", r"\underset{\sim}{#1}"),
    ("varlimsup", r"\mathop{\overline{\lim}}"),
    ("varliminf", r"\mathop{\underline{\lim}}"),
    ("varinjlim", r"\mathop{\underrightarrow{\lim}}"),
    ("varprojlim", r"\mathop{\underleftarrow{\lim}}"),
    ("pod", r"\mkern8mu(#1)"),
    ("set", r"\lbrace #1\rbrace"),
    ("smallsetminus", r"\setminus"),
    ("dotsb", r"\cdots"),
    ("dotsc", r"\ldots"),
    ("dotsi", r"\cdots"),
    ("dotsm", r"\cdots"),
    ("dotso", r"\ldots"),
    ("rlap", r"\vphantom{\hspace{0.00012346em}#1}"),
    ("mathrlap", r"\vphantom{\hspace{0.00012346em}#1}"),
    ("smash", r"\hphantom{\hspace{0.00012346em}#1}"),
    ("smashbottom", r"\hphantom{\hspace{0.00012347em}#1}"),
    ("smashtop", r"\hphantom{\hspace{0.00012348em}#1}"),
    ("and", r"\land"),
    ("or", r"\lor"),
    ("ang", r"\angle"),
    ("sdot", r"\cdot"),
    ("lparen", "("),
    ("rparen", ")"),
    ("TeX", r"\text{TeX}"),
    ("LaTeX", r"\text{LaTeX}"),
];

static CONVERTER: LazyLock<Option<LatexToMathML>> = LazyLock::new(|| {
    let macros = COMMANDS.iter().map(|(name, meaning)| ((*name).to_owned(), (*meaning).to_owned())).collect();
    LatexToMathML::new(MathCoreConfig { macros, ..MathCoreConfig::default() }).ok()
});

/// What the start of a box is converted to, and its end.
const BOX_START: &str =
    "<menclose notation=\"updiagonalstrike downdiagonalstrike\"><mrow><mspace width=\"0.00012345em\"/>";
const BOX_END: &str =
    "</mrow><mrow class=\"menclose-updiagonalstrike\"></mrow><mrow class=\"menclose-downdiagonalstrike\"></mrow>";

/// What takes no room on one side, as the converter writes it, with its mark, and as it is meant. WebKit does not show what has no size
/// at all.
const OVERLAPS: [(&str, &str, &str); 4] = [
    ("<mpadded width=\"0\">", "<mspace width=\"0.00012346em\"/>", "<mpadded width=\"0.1px\">"),
    ("<mpadded height=\"0\">", "<mspace width=\"0.00012346em\"/>", "<mpadded height=\"0.1px\" depth=\"0.1px\">"),
    ("<mpadded height=\"0\">", "<mspace width=\"0.00012347em\"/>", "<mpadded depth=\"0.1px\">"),
    ("<mpadded height=\"0\">", "<mspace width=\"0.00012348em\"/>", "<mpadded height=\"0.1px\">"),
];

/// Names of environments and commands that the converter knows by another name. It reads the argument of `\text` before it
/// replaces [`COMMANDS`], and those cannot name an environment.
const NAMES: &[(&str, &str)] = &[
    (r"\begin{split}", r"\begin{aligned}"),
    (r"\end{split}", r"\end{aligned}"),
    (r"\begin{smallmatrix}", r"\begin{subarray}{cccccccccc}"),
    (r"\end{smallmatrix}", r"\end{subarray}"),
    // A number of columns follows, which is not needed.
    (r"\begin{alignedat}", r"\begin{aligned}"),
    (r"\end{alignedat}", r"\end{aligned}"),
    (r"\begin{alignat}", r"\begin{align}"),
    (r"\end{alignat}", r"\end{align}"),
    (r"\begin{alignat*}", r"\begin{align*}"),
    (r"\end{alignat*}", r"\end{align*}"),
    (r"\smash[b]", r"\smashbottom "),
    (r"\smash[t]", r"\smashtop "),
    (r"\mbox{", r"\text{"),
    (r"\hbox{", r"\text{"),
    (r"\textnormal{", r"\text{"),
];

/// The environments whose lines have numbers. Only there the converter reads `\tag`.
const NUMBERED: [&str; 5] = ["equation", "align", "alignat", "gather", "multline"];

/// What to do instead of using a command that no formula can have.
fn instead(command: &str) -> Option<&'static str> {
    Some(match command {
        "newcommand" | "renewcommand" | "providecommand" | "def" | "gdef" | "let" | "DeclareMathOperator" => {
            "a formula cannot define commands; write what the command stands for"
        }
        "ce" | "pu" => "notation of chemistry is not supported; write `\\mathrm{H_2O}`",
        "href" | "url" | "ref" | "includegraphics" | "htmlClass" | "htmlId" | "htmlStyle" | "htmlData" => {
            "a formula has no links, pictures or HTML; put them beside it"
        }
        "colorbox" | "fcolorbox" => "a formula has no backgrounds; `\\boxed` and `\\textcolor` are supported",
        "llap" | "mathllap" | "clap" | "mathclap" => {
            "browsers cannot move it to the left; `\\rlap` and `\\mathrlap` are supported, and `\\substack` breaks a long line below a sum"
        }
        "fbox" => "write `\\boxed{\\text{…}}`",
        _ => return None,
    })
}

/// A formula as the converter reads it, with what was replaced: where it is now, and where it was.
struct Rewritten {
    text: String,
    replaced: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>,
}

impl Rewritten {
    fn of(formula: &str, display: Display) -> Self {
        let mut rewritten = Rewritten { text: String::with_capacity(formula.len()), replaced: Vec::new() };
        let is_numbered = || NUMBERED.iter().any(|name| formula.contains(&format!("\\begin{{{name}}}")));
        let is_line = display == Display::Block && formula.contains("\\tag{") && !is_numbered();
        if is_line {
            rewritten.replace(0..0, "\\begin{equation}");
        }
        let mut at = 0;
        while let Some(next) = memchr::memchr(b'\\', &formula.as_bytes()[at..]).map(|found| at + found) {
            rewritten.text.push_str(&formula[at..next]);
            let rest = &formula[next..];
            at = next;
            if let Some((length, instead)) = aligned_matrix(rest) {
                at += length;
                rewritten.replace(next..at, &instead);
            } else if let Some(end) = formulas_in_text(rest) {
                at += end;
                rewritten.push_text_with_formulas(formula, next..at);
            } else if let Some(name) = command_of_nothing(rest) {
                at += 1 + name.len() + "{}".len();
                rewritten.replace(next..at, &format!("\\{name}{{{{}}}}"));
            } else if let Some((name, instead)) = NAMES.iter().find(|(name, _)| rest.starts_with(name)) {
                at += name.len();
                if name.contains("alignat") || name.contains("alignedat") {
                    at += columns(&formula[at..]).filter(|_| name.starts_with("\\begin")).unwrap_or(0);
                }
                rewritten.replace(next..at, instead);
            } else {
                // A line ends with two of them.
                at += if rest.starts_with("\\\\") { 2 } else { 1 };
                rewritten.text.push_str(&formula[next..at]);
            }
        }
        rewritten.text.push_str(&formula[at..]);
        if is_line {
            rewritten.replace(formula.len()..formula.len(), "\\end{equation}");
        }
        rewritten
    }

    /// Takes the formulas out of a text in a formula: `\text{for $x$}` is `{\text{for }x\text{}}`.
    fn push_text_with_formulas(&mut self, formula: &str, span: std::ops::Range<usize>) {
        let text = &formula[span.clone()];
        let command = &text[..=text.find('{').unwrap_or(0)];
        let command = NAMES.iter().find(|(name, _)| *name == command).map_or(command, |(_, instead)| instead);
        let name = span.start..span.start + text.find('{').unwrap_or(0) + 1;
        let mut from = name.end;
        self.replace(name, &format!("{{{command}"));
        for (index, dollar) in dollars_of_text(text).into_iter().enumerate() {
            let dollar = span.start + dollar;
            self.text.push_str(&formula[from..dollar]);
            self.replace(dollar..dollar + 1, if index % 2 == 0 { "}" } else { command });
            from = dollar + 1;
        }
        self.text.push_str(&formula[from..span.end - 1]);
        self.replace(span.end - 1..span.end, "}}");
    }

    fn replace(&mut self, old: std::ops::Range<usize>, new: &str) {
        let start = self.text.len();
        self.text.push_str(new);
        self.replaced.push((start..self.text.len(), old));
    }

    /// Returns where a place of the text was in the formula.
    fn original(&self, at: usize, is_end: bool) -> usize {
        let Some((new, old)) = self.replaced.iter().rev().find(|(new, _)| new.start <= at) else { return at };
        if at >= new.end {
            old.end + (at - new.end)
        } else if is_end && at > new.start {
            old.end
        } else {
            old.start
        }
    }
}

/// The commands whose argument is text, in which dollar signs enclose formulas.
const TEXTS: [&str; 9] =
    [r"\text{", r"\mbox{", r"\hbox{", r"\textnormal{", r"\textrm{", r"\textbf{", r"\textit{", r"\textsf{", r"\texttt{"];

/// Returns the end of the text at the beginning of a formula, if it has formulas in it.
fn formulas_in_text(rest: &str) -> Option<usize> {
    let command = TEXTS.iter().find(|command| rest.starts_with(**command))?;
    let mut depth = 0;
    let mut at = command.len() - 1;
    loop {
        match rest.as_bytes().get(at)? {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            let dollars = dollars_of_text(rest.get(..at)?).len();
            return (dollars > 0 && dollars.is_multiple_of(2)).then_some(at);
        }
    }
}

/// Returns the dollar signs in a text, without those in braces of it.
fn dollars_of_text(text: &str) -> Vec<usize> {
    let mut dollars = Vec::new();
    let (mut depth, mut is_escaped) = (0, false);
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => {}
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'$' if depth == 1 => dollars.push(at),
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    dollars
}

/// The delimiters of the matrices whose columns can be aligned, with a `*` after their names.
const MATRICES: [(&str, &str, &str); 6] = [
    ("matrix", "", ""),
    ("pmatrix", r"\left(", r"\right)"),
    ("bmatrix", r"\left[", r"\right]"),
    ("Bmatrix", r"\left\{", r"\right\}"),
    ("vmatrix", r"\left|", r"\right|"),
    ("Vmatrix", r"\left\|", r"\right\|"),
];

/// Reads the beginning or the end of a matrix such as `\begin{pmatrix*}[r]`, and returns its length and what the converter knows.
fn aligned_matrix(rest: &str) -> Option<(usize, String)> {
    let (is_begin, after) = match rest.strip_prefix("\\begin{") {
        Some(after) => (true, after),
        None => (false, rest.strip_prefix("\\end{")?),
    };
    let (name, after) = after.split_once("*}")?;
    let (_, open, close) = MATRICES.iter().find(|(known, ..)| *known == name)?;
    let length = rest.len() - after.len();
    if !is_begin {
        return Some((length, format!("\\end{{array}}{close}")));
    }
    let side = after.strip_prefix('[').and_then(|after| after.get(..2)).filter(|side| side.ends_with(']'));
    let side = side.map(|side| &side[..1]).filter(|side| matches!(*side, "l" | "c" | "r"));
    let columns = side.unwrap_or("c").repeat(10);
    Some((length + side.map_or(0, |_| 3), format!("{open}\\begin{{array}}{{{columns}}}")))
}

/// Returns the command of [`COMMANDS`] at the beginning of a formula whose argument is empty, which the converter does not read.
fn command_of_nothing(rest: &str) -> Option<&'static str> {
    let rest = rest.strip_prefix('\\')?;
    let is_empty = |name: &str| rest.strip_prefix(name).is_some_and(|after| after.starts_with("{}"));
    COMMANDS.iter().find(|(name, meaning)| meaning.contains('#') && is_empty(name)).map(|(name, _)| *name)
}

/// Returns the length of a number in braces at the begin of a text.
fn columns(text: &str) -> Option<usize> {
    let (number, _) = text.strip_prefix('{')?.split_once('}')?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number.len() + 2)
}

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
        let formula = self.marked.as_written(formula);
        // GitHub writes $`x`$ too.
        let in_backticks = formula.strip_prefix('`').and_then(|formula| formula.strip_suffix('`'));
        let formula = in_backticks.filter(|_| display == Display::Inline).unwrap_or(&formula).trim().to_owned();
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
    let converter = CONVERTER.as_ref().ok_or_else(|| mistake("the converter does not start".to_owned()))?;
    let rewritten = Rewritten::of(formula, display);
    let display = match display {
        Display::Inline => MathDisplay::Inline,
        Display::Block => MathDisplay::Block,
    };
    let convert = || converter.convert_with_local_state(&rewritten.text, display);
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
        Ok(converted) => without_styles(converted.mathml).map(with_strokes).map(with_overlaps).map_err(mistake),
        Err(error) => {
            let detail = error.to_string().trim_end_matches('.').to_owned();
            let command = detail.strip_prefix("Unknown command \"\\").and_then(|rest| rest.strip_suffix('"'));
            let detail = match command.and_then(instead) {
                Some(instead) => format!("`\\{}`: {instead}", command.unwrap_or_default()),
                None => detail,
            };
            let range = rewritten.original(error.0.start, false)..rewritten.original(error.0.end, true);
            // The end of a formula is no place of its own.
            let end = range.end.max(range.start + 1).min(formula.len());
            let start = range.start.min(end.saturating_sub(1));
            let is_whole = formula.get(start..end).is_none();
            Err(Mistake { detail, at: if is_whole { 0..formula.len() } else { start..end } })
        }
    }
}

/// Gives `<menclose>` a class, and draws boxes as tables of one cell. Chromium does not know that element: there the stylesheet draws
/// the strokes, at the elements that the converter adds for this. Firefox draws them itself, and not those elements.
fn with_strokes(mathml: String) -> String {
    const OPEN: &str = "<menclose notation=\"";
    const CLOSE: &str = "</menclose>";
    if memmem::find(mathml.as_bytes(), OPEN.as_bytes()).is_none() {
        return mathml;
    }
    let mut out = String::with_capacity(mathml.len());
    // For each that is open, whether it is a box.
    let mut open: Vec<bool> = Vec::new();
    let mut rest = mathml.as_str();
    while let Some(at) = memmem::find(rest.as_bytes(), b"menclose") {
        let start = rest[..at].rfind('<').unwrap_or(at);
        out.push_str(&rest[..start]);
        let tag = &rest[start..];
        let read = if let Some(inner) = tag.strip_prefix(BOX_START) {
            open.push(true);
            out.push_str("<mtable displaystyle=\"true\"><mtr><mtd class=\"math-boxed\">");
            tag.len() - inner.len()
        } else if tag.starts_with(OPEN) {
            open.push(false);
            out.push_str("<menclose class=\"math-struck\"");
            "<menclose".len()
        } else if tag.starts_with(CLOSE) {
            if open.pop() == Some(true) {
                out.truncate(out.strip_suffix(BOX_END).map_or(out.len(), str::len));
                out.push_str("</mtd></mtr></mtable>");
            } else {
                out.push_str(CLOSE);
            }
            CLOSE.len()
        } else {
            // The class of a stroke.
            let length = at - start + "menclose".len();
            out.push_str(&tag[..length]);
            length
        };
        rest = &tag[read..];
    }
    out.push_str(rest);
    out
}

/// Shows what is marked as [`OVERLAPS`] says. The converter takes it for something that is not shown.
fn with_overlaps(mathml: String) -> String {
    const TAG: &str = "mphantom>";
    if memmem::find(mathml.as_bytes(), TAG.as_bytes()).is_none() {
        return mathml;
    }
    let mut out = String::with_capacity(mathml.len());
    // For each that is open, whether it is shown.
    let mut open: Vec<bool> = Vec::new();
    let mut rest = mathml.as_str();
    while let Some(at) = memmem::find(rest.as_bytes(), TAG.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + TAG.len()..];
        let is_end = out.ends_with("</");
        let inner = rest.strip_prefix("<mrow>").unwrap_or_default();
        let overlap = OVERLAPS.iter().find_map(|(padded, mark, meant)| {
            let before = out.strip_suffix('<')?.strip_suffix(padded)?;
            Some((before.len(), inner.strip_prefix(mark)?, meant))
        });
        match overlap {
            Some((length, inner, meant)) => {
                out.truncate(length);
                out.push_str(&format!("{meant}<mrow>"));
                rest = inner;
                open.push(true);
            }
            None if is_end && open.pop() == Some(true) => out.truncate(out.len() - "</".len()),
            None => {
                out.push_str(TAG);
                open.extend((!is_end).then_some(false));
            }
        }
    }
    out.push_str(rest);
    out
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
            "\\boxed{\\cancel{x} + \\boxed{y}} \\textcolor{red}{x} \\varlimsup_n a \\varinjlim b \\pod{n}",
            "\\begin{split}a&=b\\\\c&=d\\end{split} \\begin{smallmatrix}a&b\\\\c&d\\end{smallmatrix}",
            "\\begin{alignedat}{2}a&=b&c&=d\\end{alignedat} \\mbox{for all } x \\textnormal{and} \\pmb{y}",
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
    fn a_text_in_a_formula_has_formulas_in_it() {
        let inline = |formula: &str| convert(formula, Display::Inline).unwrap();
        assert_eq!(inline("\\text{for $x$ in}"), inline("{\\text{for }x\\text{ in}}"));
        assert_eq!(inline("a_\\mbox{$x$ or $\\text{a}$}"), inline("a_{\\text{}x\\text{ or }{\\text{a}}\\text{}}"));
        let Mistake { at, .. } = convert("\\text{for $\\foo$}", Display::Inline).unwrap_err();
        assert_eq!(&"\\text{for $\\foo$}"[at], "\\foo");
        assert!(inline("\\text{5 \\$ or $}").matches('$').count() == 2);
    }

    #[test]
    fn the_columns_of_a_matrix_can_be_aligned() {
        let inline = |formula: &str| convert(formula, Display::Inline).unwrap();
        let matrix = inline("\\begin{pmatrix*}[r]1&2\\\\-1&-2\\end{pmatrix*}");
        assert_eq!(matrix, inline("\\left(\\begin{array}{rr}1&2\\\\-1&-2\\end{array}\\right)"));
        assert!(inline("\\begin{Bmatrix*}1\\end{Bmatrix*}").contains("{"));
    }

    #[test]
    fn every_command_of_our_own_is_converted() {
        for (name, meaning) in COMMANDS {
            let arguments = ["{a}", "{b}"][..meaning.matches('#').count()].concat().replace("{a}{b}", "{red}{b}");
            let converted = convert(&format!("x \\{name}{arguments}"), Display::Inline);
            assert!(converted.is_ok(), "{name}: {converted:?}");
        }
    }

    #[test]
    fn a_box_is_a_cell_with_borders() {
        let boxed = convert("\\boxed{\\cancel{x} + \\boxed{\\xcancel{y}}}", Display::Block).unwrap();
        let cell = "<mtable displaystyle=\"true\"><mtr><mtd class=\"math-boxed\">";
        let struck = "<menclose class=\"math-struck\" notation=\"updiagonalstrike\"><mi>x</mi>\
            <mrow class=\"menclose-updiagonalstrike\"></mrow></menclose>";
        assert!(boxed.starts_with(&format!("<math display=\"block\">{cell}{struck}<mo>+</mo>{cell}")), "{boxed}");
        assert!(boxed.ends_with("</menclose></mtd></mtr></mtable></mtd></mtr></mtable></math>"), "{boxed}");
        assert_eq!(boxed.matches("menclose-downdiagonalstrike").count(), 1, "{boxed}");
    }

    #[test]
    fn what_takes_no_room_is_shown() {
        let inline = |formula: &str| convert(formula, Display::Inline).unwrap();
        let shown = |attributes: &str| format!("<mpadded {attributes}><mrow><mi>y</mi></mrow></mpadded>");
        for (formula, attributes) in [
            ("\\rlap y", "width=\"0.1px\""),
            ("\\mathrlap{y}", "width=\"0.1px\""),
            ("\\smash{y}", "height=\"0.1px\" depth=\"0.1px\""),
            ("\\smash[b]{y}", "depth=\"0.1px\""),
            ("\\smash[t]y", "height=\"0.1px\""),
        ] {
            assert_eq!(inline(formula), format!("<math>{}</math>", shown(attributes)), "{formula}");
        }
        assert!(convert("\\boxed{}\\rlap{}", Display::Inline).is_ok());
        let nested = inline("\\rlap{\\phantom{x}\\smash{y}}\\vphantom{\\mathrlap y}\\hphantom{z}");
        let inner = format!("<mphantom><mi>x</mi></mphantom>{}", shown("height=\"0.1px\" depth=\"0.1px\""));
        let expected = format!("<math><mpadded width=\"0.1px\"><mrow>{inner}</mrow></mpadded>");
        assert!(nested.starts_with(&expected), "{nested}");
        assert_eq!(nested.matches("mpadded").count(), 10, "{nested}");
        assert_eq!(nested.matches("mphantom").count(), 6, "{nested}");
        let Mistake { detail, at } = convert("a \\mathclap{x}", Display::Inline).unwrap_err();
        assert!(detail.starts_with("`\\mathclap`: browsers cannot") && at == (2..11), "{detail} {at:?}");
    }

    #[test]
    fn a_tag_numbers_the_formula_that_it_is_in() {
        let tagged = convert("E = mc^2 \\tag{1}", Display::Block).unwrap();
        assert!(tagged.contains("<mtext>(1)</mtext>"), "{tagged}");
        assert!(convert("\\begin{equation}x \\tag{2}\\end{equation}", Display::Block).is_ok());
        assert!(convert("x \\tag{1}", Display::Inline).is_err());
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
        let environments = "\\begin{split}a\\end{split} \\begin{alignedat}{2}b\\end{alignedat} \\mbox{c}";
        assert_eq!(mistake(&format!("{environments} \\foo d")).1, "\\foo");
        assert_eq!(mistake("\\tag{1} \\foo d").1, "\\foo");
        assert_eq!(mistake("\\begin{split}\\foo\\end{split}").1, "\\foo");
        assert_eq!(mistake("\\ce{H2O}").0, "`\\ce`: notation of chemistry is not supported; write `\\mathrm{H_2O}`");
        assert!(!mistake("\\begin{split}a").1.is_empty());
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
