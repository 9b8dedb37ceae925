//! Splits a Markdown file into its front matter and its body.
//!
//! Front matter is YAML between lines of `---`, TOML between lines of `+++`, or a JSON object that begins in the first line.

use super::json;
use super::syntax::Syntax;
use sitegen_core::diagnostics::{Diagnostic, Place, Span, YamlProblem};
use sitegen_core::paths::SourcePath;

/// The two parts of a Markdown file and where they begin, in bytes.
#[derive(Debug, PartialEq)]
pub struct Parts<'a> {
    /// The format of the front matter.
    pub syntax: Syntax,
    /// The keys and values, without the lines around them.
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
    let (syntax, fence) = match first.trim_end() {
        "---" => (Syntax::Yaml, "---"),
        "+++" => (Syntax::Toml, "+++"),
        line if is_object(line) => return Ok(object(text, mark)),
        line if line.starts_with("---\r") || line.starts_with("+++\r") => {
            return Err(Diagnostic::new(YamlProblem::FrontMatterOnOneLine, Place::new(path, Span::at(mark, 3))));
        }
        line => {
            let begin = mark + rest.len() - rest.trim_start().len();
            let first = text[begin..].lines().next().unwrap_or_default().trim_end();
            let is_late = begin > mark && matches!(first, "---" | "+++");
            let span = if is_late { Span::at(begin, first.len()) } else { Span::at(mark, line.len()) };
            return Err(Diagnostic::new(YamlProblem::FrontMatterMissing { is_late }, Place::new(path, span)));
        }
    };
    let front_matter_start = mark + first.len();
    let mut at = front_matter_start;
    for line in text[front_matter_start..].split_inclusive('\n') {
        // YAML also ends a document with `...`, which other generators' editors use.
        let end = line.trim_end();
        if end == fence || end == "..." && syntax == Syntax::Yaml {
            let body_start = at + line.len();
            return Ok(Parts {
                syntax,
                front_matter: &text[front_matter_start..at],
                front_matter_start,
                body: &text[body_start..],
                body_start,
            });
        }
        at += line.len();
    }
    Err(Diagnostic::new(YamlProblem::FrontMatterUnclosed { fence }, Place::new(path, Span::at(mark, 3))))
}

/// Whether the first line of a file begins an object of JSON, rather than a reference or a call.
fn is_object(line: &str) -> bool {
    let inside = line.strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(['"', '}']))
}

/// Splits a file after the object that it begins with. If that is never closed, its parser says so.
fn object(text: &str, start: usize) -> Parts<'_> {
    let end = json::end_of_object(&text[start..]).map_or(text.len(), |end| start + end);
    let after = &text[end..];
    let line = after.split_inclusive('\n').next().unwrap_or("");
    let body_start = if line.trim().is_empty() { end + line.len() } else { end };
    Parts {
        syntax: Syntax::Json,
        front_matter: &text[start..end],
        front_matter_start: start,
        body: &text[body_start..],
        body_start,
    }
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
    fn front_matter_may_be_toml_or_json() {
        let path = SourcePath::new("a.md");
        for (text, syntax) in [
            ("+++\ntitle = 'A'\n+++\nBody", Syntax::Toml),
            ("\u{feff}{\r\n  \"title\": \"} A\"\r\n}\r\nBody", Syntax::Json),
            ("{ \"title\": \"A\" }\nBody", Syntax::Json),
        ] {
            let parts = split(&path, text).unwrap();
            assert_eq!((parts.syntax, parts.body), (syntax, "Body"), "{text}");
            assert_eq!(&text[parts.body_start..], "Body");
            assert!(text[parts.front_matter_start..].starts_with(parts.front_matter));
            assert!(syntax.parse(&path, parts.front_matter, parts.front_matter_start, &mut Vec::new()).is_some());
        }
        let missing = |text| code(&split(&path, text).unwrap_err().problem);
        assert_eq!(missing("{{ site.name }}\n"), "front-matter-missing");
        assert_eq!(missing("{% <note> %}\n"), "front-matter-missing");
        assert_eq!(missing("+++\ntitle = 'A'\n---\n"), "front-matter-unclosed");
    }

    #[test]
    fn a_rule_in_the_body_is_allowed_and_a_missing_end_is_reported() {
        let parts = split(&SourcePath::new("a.md"), "---\n---\nA\n\n---\n\nB").unwrap();
        assert_eq!(parts.body, "A\n\n---\n\nB");
        let unclosed = split(&SourcePath::new("a.md"), "---\ntitle: A\n").unwrap_err();
        assert_eq!(code(&unclosed.problem), "front-matter-unclosed");
        let late = split(&SourcePath::new("a.md"), "\n  \n---\ntitle: A\n---\n").unwrap_err();
        assert_eq!(*late.problem, YamlProblem::FrontMatterMissing { is_late: true }.into());
        assert_eq!(late.place.unwrap().span, Some(Span::at(4, 3)));
        let old = split(&SourcePath::new("a.md"), "\u{feff}---\rtitle: A\r---\rBody\r").unwrap_err();
        assert_eq!(
            (&*old.problem, old.place.unwrap().span),
            (&YamlProblem::FrontMatterOnOneLine.into(), Some(Span::at(3, 3)))
        );
        let missing = split(&SourcePath::new("a.md"), "# Title\n").unwrap_err();
        assert_eq!(code(&missing.problem), "front-matter-missing");
    }
}
