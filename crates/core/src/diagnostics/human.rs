//! Formats diagnostics for a person: the place, the line, a caret under the mistake and the next step.
//!
//! Readable on 80 columns and without colour. Columns count characters, as editors do.

use super::{Description, Diagnostic, Place, Position, Severity, boundary, is_unprintable, printable_name};
use crate::paths::SourcePath;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The width in columns at which text wraps: the narrowest terminal and CI log.
const WIDTH: usize = 80;

/// Formats one diagnostic. `text_of` returns the text of a file by its path, if it was read.
pub fn print<'a>(diagnostic: &Diagnostic, colour: bool, text_of: &dyn Fn(&SourcePath) -> Option<&'a str>) -> String {
    let paint = |style: &str, text: &str| {
        if colour { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let (word, style) = match diagnostic.severity {
        Severity::Warning => ("warning", "1;33"),
        Severity::Error => ("error", "1;31"),
        Severity::Failure => ("failed", "1;31"),
    };
    let Description { code, message, label: mut help, note, .. } = diagnostic.problem.describe();
    let head = format!("{word}[{code}]");
    let headline = wrap(&format!("{head}: {message}"), 2);
    let mut out = headline.replacen(&head, &paint(style, &head), 1);
    out.push('\n');

    let mut margin = 2;
    if let Some(place) = &diagnostic.place {
        let position = place.span.and_then(|span| {
            let text = text_of(&place.path)?;
            let at = Position::of(text, span)?;
            let line = text[at.line_start..].lines().next().unwrap_or_default();
            Some((span, at, line))
        });
        match position {
            None => out.push_str(&format!("  --> {}\n", printable_name(place.path.as_str()))),
            Some((span, at, line)) => {
                margin = at.line.to_string().len() + 2;
                out.push_str(&format!("  --> {}:{}:{}\n", printable_name(place.path.as_str()), at.line, at.column));
                let mark = span.start - at.line_start..span.end.max(span.start) - at.line_start;
                let excerpt = Excerpt::new(line, mark, WIDTH - margin - 3);
                let bar = paint("34", "|");
                out.push_str(&format!("{:margin$}{bar}\n", " "));
                out.push_str(&format!(
                    "{} {bar} {}\n",
                    paint("34", &format!("{:>w$}", at.line, w = margin - 1)),
                    excerpt.text
                ));
                let carets = "^".repeat(excerpt.carets);
                let indent = " ".repeat(excerpt.indent);
                let fits = margin + 2 + excerpt.indent + excerpt.carets + 1 + help.as_deref().map_or(0, width) <= WIDTH;
                let beside = if fits { help.take() } else { None };
                let beside =
                    beside.map_or(String::new(), |text| format!(" {}", text.chars().map(plain).collect::<String>()));
                out.push_str(&format!("{:margin$}{bar} {indent}{}\n", " ", paint(style, &format!("{carets}{beside}"))));
            }
        }
    }
    let mut remark = |kind: &str, text: &str| {
        let first = format!("{:margin$}= {kind}: ", " ");
        out.push_str(&wrap(&format!("{first}{text}"), margin + 2));
        out.push('\n');
    };
    if let Some(text) = help {
        remark("help", &text);
    }
    if let Some(text) = note {
        remark("note", &text);
    }
    if let Some(page) = &diagnostic.page {
        let is_entry = page.starts_with("content/") && !page.starts_with("content/pages/");
        remark("note", &format!("while rendering the page {}{page}", if is_entry { "of " } else { "" }));
    }
    out
}

/// Formats a diagnostic without its line: a warning stops nothing and repeats in every build. What to do is there where the
/// message does not say it.
pub fn print_brief<'a>(diagnostic: &Diagnostic, text_of: &dyn Fn(&SourcePath) -> Option<&'a str>) -> String {
    let Description { code, message, label, needs_label, .. } = diagnostic.problem.describe();
    let mut out = wrap(&format!("warning[{code}]: {message}"), 2);
    if let Some(Place { path, span }) = &diagnostic.place {
        let position = span.and_then(|span| Position::of(text_of(path)?, span));
        let at = position.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
        out.push_str(&format!("\n  --> {}{at}", printable_name(path.as_str())));
    }
    if let Some(help) = label.filter(|_| needs_label) {
        out.push('\n');
        out.push_str(&wrap(&format!("  = help: {help}"), 4));
    }
    out
}

/// Returns the line that ends a run with diagnostics: `2 errors, 1 warning`.
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let count = |wanted: fn(Severity) -> bool| diagnostics.iter().filter(|each| wanted(each.severity)).count();
    let errors = count(|severity| severity != Severity::Warning);
    let warnings = count(|severity| severity == Severity::Warning);
    let plural = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, _) => plural(warnings, "warning"),
        (_, 0) => plural(errors, "error"),
        _ => format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")),
    }
}

/// A line as displayed: cut to the width, with the columns to mark.
struct Excerpt {
    text: String,
    indent: usize,
    carets: usize,
}

impl Excerpt {
    /// `mark` is the range of bytes of the line that is marked.
    fn new(line: &str, mark: Range<usize>, available: usize) -> Self {
        // Of a line of any length a little is shown. A character has four bytes at most.
        let (before, after) = line.split_at(mark.start.min(line.len()));
        let before = &before[boundary(before, before.len().saturating_sub(4 * available))..];
        let after = &after[..boundary(after, 4 * available)];
        let is_shown = |character: &char| *character != '\u{feff}';
        let shown: Vec<char> = before.chars().chain(after.chars()).filter(is_shown).map(plain).collect();
        let start = before.chars().filter(is_shown).count();
        let marked = after.char_indices().take_while(|(at, _)| *at < mark.len()).count();
        let carets = marked.clamp(1, shown.len().saturating_sub(start).max(1));
        if shown.len() <= available {
            let text: String = shown.iter().collect();
            let indent = width(&shown[..start].iter().collect::<String>());
            return Excerpt { text: text.trim_end().to_owned(), indent, carets };
        }
        // A long line is shown from a little before the mistake.
        let from = start.saturating_sub(available / 3).min(shown.len() - available.min(shown.len()));
        let to = (from + available - 2).min(shown.len());
        let head = if from > 0 { "…" } else { "" };
        let tail = if to < shown.len() { "…" } else { "" };
        let body: String = shown[from..to].iter().collect();
        let indent = width(head) + width(&shown[from..start].iter().collect::<String>());
        Excerpt { text: format!("{head}{body}{tail}"), indent, carets: carets.min(to.saturating_sub(start)).max(1) }
    }
}

/// Returns a character as displayed: tabs take one visible column, and nothing in a file can control the terminal.
fn plain(character: char) -> char {
    match character {
        '\t' => '→',
        '\u{200b}'..='\u{200f}' => '\u{fffd}',
        other if is_unprintable(other) => '\u{fffd}',
        other => other,
    }
}

/// Returns the columns that a terminal takes for a text: two for East Asian wide characters and emoji.
fn width(text: &str) -> usize {
    text.width()
}

/// Wraps a text at spaces, with later lines indented. Line breaks in it are kept.
fn wrap(text: &str, indent: usize) -> String {
    let mut out = String::new();
    for (index, paragraph) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
        }
        let lead: String = paragraph.chars().take_while(|character| *character == ' ').collect();
        let mut column = lead.len() + if index > 0 { indent } else { 0 };
        out.push_str(&lead);
        let mut fresh = true;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let word: String = word.chars().map(plain).collect();
            if !fresh && column + 1 + width(&word) > WIDTH {
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                column = indent;
                fresh = true;
            }
            if !fresh {
                out.push(' ');
                column += 1;
            }
            column += width(&word);
            out.push_str(&word);
            fresh = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Place, SchemaProblem, Span};
    use super::*;

    fn excerpt(text: &'static str, span: Span) -> String {
        let path = SourcePath::new("content/platforms/trails.yaml");
        let problem = SchemaProblem::UnknownKey {
            key: "tittle".into(),
            nearest: Some("title".into()),
            known: vec![],
            schema: None,
        };
        print(&Diagnostic::new(problem, Place::new(&path, span)), false, &|_| Some(text))
    }

    #[test]
    fn the_place_the_line_the_caret_and_the_fix_are_shown() {
        let expected = "error[unknown-key]: unknown key `tittle`\n  --> content/platforms/trails.yaml:3:1\n   |\n \
                        3 | tittle: Trails\n   | ^^^^^^ did you mean `title`?\n";
        assert_eq!(excerpt("a: 1\nb: 2\ntittle: Trails\n", Span::at(10, 6)), expected);
    }

    #[test]
    fn columns_count_characters_and_a_byte_order_mark_counts_none() {
        let shown = excerpt("\u{feff}ä: 日本 tittle", Span::at("\u{feff}ä: 日本 ".len(), 6));
        assert!(shown.contains(":1:7\n"), "{shown}");
        assert!(shown.contains("|         ^^^^^^"), "{shown}");
    }

    #[test]
    fn of_a_long_line_with_letters_of_any_length_as_much_is_shown() {
        for letter in ["x", "ä", "→", "😀"] {
            let text: &'static str = Box::leak(format!("{0}tittle{0}", letter.repeat(1_000)).into_boxed_str());
            let shown = excerpt(text, Span::at(letter.len() * 1_000, 6));
            let line = shown.lines().nth(3).unwrap();
            assert!(line.starts_with(" 1 | …") && line.ends_with('…') && line.contains("tittle"), "{shown}");
            assert_eq!(line.matches(letter).count() + 6 + 2, WIDTH - 6, "{shown}");
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_mistake_and_escape_codes_are_defused() {
        let text: &'static str =
            Box::leak(format!("{}\u{1b}tittle{}", "x".repeat(300), "y".repeat(300)).into_boxed_str());
        let shown = excerpt(text, Span::at(301, 6));
        assert!(shown.lines().all(|line| line.chars().count() <= WIDTH), "{shown}");
        assert!(!shown.contains('\u{1b}') && shown.contains("tittle"), "{shown}");
    }
}
