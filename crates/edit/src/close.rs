//! The line that ends front matter which is never closed.

use super::Edit;
use super::tree::same_values;
use sitegen_content::front_matter;
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Node, Value};
use sitegen_core::diagnostics::{Diagnostic, Problem, Span, YamlProblem};
use sitegen_core::paths::SourcePath;

/// Closes the front matter of a file before its first empty line, or at its end. `None` if the lines before are not keys with
/// values, or if those after could be more of them.
pub fn front_matter(path: &SourcePath, text: &str, fence: &str) -> Option<Edit> {
    let first = text.split_inclusive('\n').next()?;
    let line_end = if first.ends_with("\r\n") { "\r\n" } else { "\n" };
    let syntax = if fence == "+++" { Syntax::Toml } else { Syntax::Yaml };
    let (start, end) = (first.len(), end_of_paragraph(text, first.len()));
    let keys = mapping(path, syntax, &text[start..end])?;
    let last = match &keys.value {
        Value::Map(entries) => entries.last().map(|(_, node)| &node.value),
        _ => None,
    };
    // A key without a value may have it further down.
    if matches!(last, None | Some(Value::Null)) {
        return None;
    }
    let after = text[end..].len() - text[end..].trim_start_matches(['\r', '\n']).len();
    let next = end_of_paragraph(text, end + after);
    let is_longer = |longer: Node| !same_values(&longer, &keys);
    if next > end + after && mapping(path, syntax, &text[start..next]).is_some_and(is_longer) {
        return None;
    }
    let before = if text[..end].ends_with('\n') { "" } else { line_end };
    let edit = Edit { span: Span { start: end, end }, text: format!("{before}{fence}{line_end}") };
    let edited = edit.apply(text);
    let parts = front_matter::split(path, &edited).ok()?;
    (parts.body == &text[end..] && parts.front_matter.trim_end() == text[start..end].trim_end()).then_some(edit)
}

/// Returns where the lines end that begin at a byte and have no empty one among them.
fn end_of_paragraph(text: &str, start: usize) -> usize {
    let lines = text[start..].split_inclusive('\n').take_while(|line| !line.trim().is_empty());
    start + lines.map(str::len).sum::<usize>()
}

fn mapping(path: &SourcePath, syntax: Syntax, text: &str) -> Option<Node> {
    let mut diagnostics = Vec::new();
    let node = syntax.parse_any(path, text, 0, &mut diagnostics)?;
    // That is a matter of its own, and says nothing about where the keys end.
    let is_repeated = |each: &Diagnostic| matches!(*each.problem, Problem::Yaml(YamlProblem::DuplicateKey { .. }));
    (diagnostics.iter().all(is_repeated) && matches!(node.value, Value::Map(_))).then_some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(text: &str) -> Option<String> {
        let fence = &text[..3];
        front_matter(&SourcePath::new("content/pages/a.md"), text, fence).map(|edit| edit.apply(text))
    }

    #[test]
    fn the_line_comes_after_the_last_key() {
        for (text, expected) in [
            ("---\ntitle: A # a\n\nBody.\n", "---\ntitle: A # a\n---\n\nBody.\n"),
            ("---\r\ntitle: A\r\n\r\n# B\r\n", "---\r\ntitle: A\r\n---\r\n\r\n# B\r\n"),
            ("---\ntags:\n  - a\n  - b\n\n- one\n", "---\ntags:\n  - a\n  - b\n---\n\n- one\n"),
            ("---\ntitle: A\ntitle: A\n\n# B\n", "---\ntitle: A\ntitle: A\n---\n\n# B\n"),
            ("---\ntitle: A", "---\ntitle: A\n---\n"),
            ("+++\ntitle = \"A\"\n\nBody.\n", "+++\ntitle = \"A\"\n+++\n\nBody.\n"),
        ] {
            assert_eq!(closed(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn nothing_is_written_where_the_keys_may_end_elsewhere() {
        for text in [
            "---\n\nA rule, and a text.\n",
            "---\nA rule, and a text.\n",
            "---\ntitle: A\nA text.\n",
            "---\ntitle: A\n\nNote: is this a key?\n",
            "---\ntitle: A\n\n  or more of the title\n",
            "---\ntitle: A\ntags:\n\n- one\n",
            "---\ntext: |\n  One.\n\n  Two.\n",
            "+++\ntitle = \"A\"\n\n[extra]\na = 1\n",
        ] {
            assert_eq!(closed(text), None, "{text}");
        }
    }
}
