//! Finds what must not go live: names under `.example`, which RFC 2606 reserves for documentation, and texts of new files
//! that nobody has written yet.

use memchr::memmem;
use sitegen_core::diagnostics::{Diagnostic, MOST, MarkdownProblem, Place, Span};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;

/// The ending of example domains (RFC 2606).
pub const DOMAIN: &str = ".example";

/// The text that `sitegen new` writes where an editor has to write one.
pub const UNWRITTEN: &str = "To be written";

/// Whether a file may have something that must not go live.
pub fn may_be_in(text: &str) -> bool {
    [DOMAIN, UNWRITTEN].iter().any(|each| memmem::find(text.as_bytes(), each.as_bytes()).is_some())
}

/// Warns of every `.example` name and of every text that nobody has written, in YAML values and Markdown.
///
/// `files` are the pages and entries that may contain one.
pub fn find<'s>(
    sources: &'s Sources,
    is_url_replaced: bool,
    files: impl Iterator<Item = &'s SourcePath>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let outside = sources.of_all(super::OUTSIDE_DOCUMENTS).map(|(path, _)| path);
    let outside = outside.filter(|path| matches!(path.extension(), Some("md" | "yaml")));
    let mut texts: Vec<&SourcePath> = outside.chain(files).collect();
    texts.sort_unstable();
    for path in texts {
        let Some((_, source)) = sources.here(path) else { continue };
        let Some(text) = source.text() else { continue };
        diagnostics.extend(in_text(path, text, is_url_replaced));
    }
    diagnostics
}

fn in_text(path: &SourcePath, text: &str, is_url_replaced: bool) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let start = line_start;
        line_start += line.len();
        // Comments are for editors, and `--base-url` replaces the address of the site.
        if line.trim_start().starts_with('#') && matches!(path.extension(), Some("yaml" | "toml"))
            || is_url_replaced && path.as_str() == super::SITE_FILE && line.starts_with("url:")
        {
            continue;
        }
        let mut report = |name: &str, at: usize| {
            let problem = MarkdownProblem::Placeholder { name: name.to_owned() };
            let diagnostic = Diagnostic::new(problem, Place::new(path, Span::at(start + at, name.len())));
            diagnostics.push(diagnostic);
        };
        line.match_indices(UNWRITTEN).take(MOST).for_each(|(at, text)| report(text, at));
        // A line may have any number of them.
        let mut names = 0;
        for (at, name) in line.match_indices(DOMAIN) {
            let goes_on = line[at + name.len()..]
                .starts_with(|letter: char| letter.is_alphanumeric() || "-_.".contains(letter))
                && !line[at + name.len()..].starts_with(". ")
                && !line[at + name.len()..].trim_end().eq(".");
            if goes_on {
                continue;
            }
            let host = line[..at]
                .rfind(|letter: char| !letter.is_alphanumeric() && !"-._@".contains(letter))
                .map_or(0, |end| end + line[end..].chars().next().map_or(1, char::len_utf8));
            if host == at {
                continue;
            }
            report(&line[host..at + name.len()], host);
            names += 1;
            if names > MOST {
                break;
            }
        }
        if diagnostics.len() > MOST {
            return diagnostics;
        }
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::Problem;

    fn names(text: &str) -> Vec<String> {
        let diagnostics = in_text(&SourcePath::new("content/a.yaml"), text, false);
        let name = |each: Diagnostic| match *each.problem {
            Problem::Markdown(MarkdownProblem::Placeholder { name }) => name,
            other => panic!("{other:?}"),
        };
        diagnostics.into_iter().map(name).collect()
    }

    #[test]
    fn names_under_example_are_found_and_words_are_not() {
        assert_eq!(names("url: https://www.a.example\nemail: \"b@a.example\"\n"), ["www.a.example", "b@a.example"]);
        assert_eq!(names("text: Write to b@a.example.\n"), ["b@a.example"]);
        assert_eq!(names("# To be written\nlead: To be written. To be\n"), ["To be written"]);
        assert_eq!(names("# https://a.example\ntext: an .example, a.examples, a.example.com\n"), Vec::<String>::new());
    }
}
