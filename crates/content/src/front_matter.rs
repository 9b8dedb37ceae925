//! Splits a Markdown file into its YAML front matter and its body.

use sitegen_core::diagnostics::{Diagnostic, Place, Span, YamlProblem};
use sitegen_core::paths::SourcePath;

/// The two parts of a Markdown file and where they begin, in bytes.
#[derive(Debug, PartialEq)]
pub struct Parts<'a> {
    /// The YAML between the two `---` lines.
    pub front_matter: &'a str,
    /// Offset of the front matter in the file.
    pub front_matter_start: usize,
    /// The Markdown after them.
    pub body: &'a str,
    /// Offset of the body in the file.
    pub body_start: usize,
}

/// Splits `text`. The front matter begins in the first line; a byte-order mark before it is allowed.
pub fn split<'a>(path: &SourcePath, text: &'a str) -> Result<Parts<'a>, Diagnostic> {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = &text[mark..];
    let first = rest.split_inclusive('\n').next().unwrap_or("");
    if first.trim_end() != "---" {
        let span = Span { start: mark, end: mark + first.trim_end().len() };
        return Err(Diagnostic::new(YamlProblem::FrontMatterMissing, Place::new(path, span)));
    }
    let front_matter_start = mark + first.len();
    let mut at = front_matter_start;
    for line in text[front_matter_start..].split_inclusive('\n') {
        // YAML also ends a document with `...`, which other generators' editors use.
        if matches!(line.trim_end(), "---" | "...") {
            let body_start = at + line.len();
            return Ok(Parts {
                front_matter: &text[front_matter_start..at],
                front_matter_start,
                body: &text[body_start..],
                body_start,
            });
        }
        at += line.len();
    }
    Err(Diagnostic::new(YamlProblem::FrontMatterUnclosed, Place::new(path, Span::at(mark, 3))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::code;

    #[test]
    fn front_matter_and_body_keep_their_offsets() {
        for text in ["---\ntitle: A\n---\nBody", "\u{feff}---\r\ntitle: A\r\n---\r\nBody"] {
            let parts = split(&SourcePath::new("a.md"), text).unwrap();
            assert_eq!(parts.front_matter.trim_end(), "title: A");
            assert_eq!(&text[parts.front_matter_start..][..5], "title");
            assert_eq!((parts.body, &text[parts.body_start..]), ("Body", "Body"));
        }
    }

    #[test]
    fn a_rule_in_the_body_is_allowed_and_a_missing_end_is_reported() {
        let parts = split(&SourcePath::new("a.md"), "---\n---\nA\n\n---\n\nB").unwrap();
        assert_eq!(parts.body, "A\n\n---\n\nB");
        let unclosed = split(&SourcePath::new("a.md"), "---\ntitle: A\n").unwrap_err();
        assert_eq!(code(&unclosed.problem), "front-matter-unclosed");
        let missing = split(&SourcePath::new("a.md"), "# Title\n").unwrap_err();
        assert_eq!(code(&missing.problem), "front-matter-missing");
    }
}
