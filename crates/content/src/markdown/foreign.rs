//! Finds syntax of other programs that is no Markdown, and would be published as it stands: attributes of kramdown and Pandoc, tags of
//! Liquid, admonitions of MkDocs, MDX, and signs around inserted or hidden text.

use super::Writer;
use crate::blocks::doubled;
use memchr::memmem;
use sitegen_core::diagnostics::{MarkdownProblem, Span};

/// A kind of syntax: what it is, and what to do instead.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Foreign {
    of: &'static str,
    instead: &'static str,
}

const ATTRIBUTES: Foreign = Foreign {
    of: "attributes of kramdown and Pandoc are not read here",
    instead: "write HTML, like `<p class=\"lead\">`, or remove it; only a heading can have `{#id .class}` after it",
};
const CONTENTS: Foreign =
    Foreign { of: "a mark of kramdown", instead: "write `[TOC]` on a line of its own, without the list around it" };
const LIQUID: Foreign = Foreign {
    of: "tags of Liquid and other templates are not run in texts",
    instead: "call a component, like `{{ <name /> }}`, or write its text here; as code it needs backticks around it",
};
const ADMONITION: Foreign = Foreign {
    of: "an admonition of MkDocs",
    instead: "write `> [!NOTE]`, and `> ` before each of its lines; one that opens is `<details>`",
};
const IMPORT: Foreign =
    Foreign { of: "a statement of MDX", instead: "remove it, and call components like `{{ <name /> }}`" };
const COMMENT: Foreign = Foreign { of: "a comment of MDX", instead: "write `%% … %%` or `<!-- … -->`" };
const INSERTED: Foreign = Foreign {
    of: "other programs read it as inserted text",
    instead: "write `<ins>…</ins>`, or `\\++` for the signs",
};
const SPOILER: Foreign =
    Foreign { of: "other programs read it as hidden text", instead: "write `<details>`, or `\\||` for the signs" };

impl Writer<'_> {
    /// Warns of a statement of MDX at the beginning of a text.
    pub(super) fn warn_of_import(&mut self) {
        let body = self.marked.body;
        let start = body.len() - body.trim_start().len();
        let line = body[start..].lines().next().unwrap_or_default().trim_end();
        if is_statement(line) {
            self.warn_of_foreign(IMPORT, Span::at(start, line.len()));
        }
    }

    /// Warns of syntax of other programs in a line of text that is parsed.
    pub(super) fn warn_of_foreign_syntax(&mut self, text: &str, offset: usize) {
        let before = self.marked.text[..offset].chars().next_back();
        // A paragraph, or a line of it.
        let begins_line = self.out.ends_with("<p>") || self.out.ends_with('\n');
        for (foreign, span) in all(text, before, begins_line) {
            self.warn_of_foreign(foreign, self.marked.source(span.shifted(offset)));
        }
    }

    fn warn_of_foreign(&mut self, Foreign { of, instead }: Foreign, span: Span) {
        if self.warned.insert(of) {
            let written = self.marked.body[span.start..span.end].to_owned();
            self.report_in_body(MarkdownProblem::ForeignSyntax { written, of, instead }, span);
        }
    }
}

/// Whether a line is `import Tabs from '@theme/Tabs'`, `import './x.css'` or `export const …`.
fn is_statement(line: &str) -> bool {
    let is_import = line.strip_prefix("import ").is_some_and(|rest| {
        let rest = rest.trim_end_matches(';');
        let is_quoted = |text: &str| text.len() > 2 && text.starts_with(['\'', '"']) && text.ends_with(['\'', '"']);
        is_quoted(rest) || rest.rsplit_once(" from ").is_some_and(|(_, module)| is_quoted(module))
    });
    is_import || ["export const ", "export default ", "export function "].iter().any(|start| line.starts_with(start))
}

/// Returns what a line of text has, each kind at its first place. `before`: the character before it.
fn all(text: &str, before: Option<char>, begins_line: bool) -> Vec<(Foreign, Span)> {
    let mut found = Vec::new();
    if begins_line {
        let word =
            text.strip_prefix("!!! ").or_else(|| text.strip_prefix("??? ")).or_else(|| text.strip_prefix("???+ "));
        if word.is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic())) {
            found.push((ADMONITION, Span { start: 0, end: text.trim_end().len() }));
        }
    }
    let braces = memchr::memchr_iter(b'{', text.as_bytes()).take(MOST_BRACES);
    for start in braces {
        let before = text[..start].chars().next_back().or(before.filter(|_| start == 0));
        let rest = &text[start..];
        let (foreign, closing) = match rest.as_bytes().get(1) {
            _ if before == Some('\\') => continue,
            Some(b'%') => (LIQUID, "%}"),
            Some(b'/') => (COMMENT, "*/}"),
            _ => (ATTRIBUTES, "}"),
        };
        let Some(end) = memmem::find(rest.as_bytes(), closing.as_bytes()).map(|end| end + closing.len()) else {
            continue;
        };
        let inner = &rest[..end];
        let is_after = matches!(before, Some(')' | ']' | '`' | '*' | '_'));
        let is_meant = match foreign {
            LIQUID => {
                let word = inner[2..].trim_start_matches('-').trim_start();
                word.starts_with(|letter: char| letter.is_ascii_alphabetic())
            }
            COMMENT => inner.starts_with("{/*"),
            _ => is_attributes(&inner[1..end - 1], is_after),
        };
        let foreign = if inner == "{:toc}" { CONTENTS } else { foreign };
        if is_meant {
            found.push((foreign, Span::at(start, end)));
        }
    }
    for (sign, foreign) in [(b'+', INSERTED), (b'|', SPOILER)] {
        found.extend(enclosed(sign, text, before).map(|span| (foreign, span)));
    }
    found
}

/// How many braces of a line are looked at: each leads to the next end.
const MOST_BRACES: usize = 100;

/// Whether the text in braces is attributes: `: .lead`, `.lead #first`, or after a link or a picture `width=50%`.
fn is_attributes(inner: &str, is_after: bool) -> bool {
    if let Some(kramdown) = inner.strip_prefix(':') {
        return kramdown
            .trim_start()
            .starts_with(|sign: char| matches!(sign, '.' | '#' | ':') || sign.is_ascii_alphabetic());
    }
    let is_named = |word: &str| {
        word.strip_prefix(['.', '#']).is_some_and(|name| name.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    };
    let is_pair =
        |word: &str| is_after && word.split_once('=').is_some_and(|(key, value)| !key.is_empty() && !value.is_empty());
    !inner.is_empty() && inner.split(' ').all(|word| is_named(word) || is_pair(word))
}

/// Finds text between two signs on each side, which have no letters on their outer sides and no white space on the inner ones.
fn enclosed(sign: u8, text: &str, before: Option<char>) -> Option<Span> {
    let mut signs = doubled(sign, text.as_bytes()).peekable();
    let is_word =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == char::from(sign));
    let is_inner =
        |letter: Option<char>| letter.is_some_and(|letter| !letter.is_whitespace() && letter != char::from(sign));
    while let Some(start) = signs.next() {
        let outer = text[..start].chars().next_back().or(before.filter(|_| start == 0));
        let is_open = outer != Some('\\') && !is_word(outer) && is_inner(text[start + 2..].chars().next());
        let Some(end) = signs.peek().copied().filter(|_| is_open) else { continue };
        if is_inner(text[..end].chars().next_back()) && !is_word(text[end + 2..].chars().next()) {
            return Some(Span { start, end: end + 2 });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_other_programs_is_found_where_it_is_meant() {
        for (text, foreign, part) in [
            ("{: .lead}", ATTRIBUTES, "{: .lead}"),
            ("{:target=\"_blank\"} more", ATTRIBUTES, "{:target=\"_blank\"}"),
            ("a {.small #b} c", ATTRIBUTES, "{.small #b}"),
            ("{:toc}", CONTENTS, "{:toc}"),
            ("a {%- include x.html %} b", LIQUID, "{%- include x.html %}"),
            ("!!! note \"Title\"", ADMONITION, "!!! note \"Title\""),
            ("???+ tip", ADMONITION, "???+ tip"),
            ("a {/* b */} c", COMMENT, "{/* b */}"),
            ("a ++b c++, d", INSERTED, "++b c++"),
            ("||b||", SPOILER, "||b||"),
        ] {
            let found: Vec<_> = all(text, None, true).iter().map(|(of, at)| (*of, &text[at.start..at.end])).collect();
            assert_eq!(found, [(foreign, part)], "{text}");
        }
        for text in [
            "C++ and D++",
            "i++ or ++i",
            "a || b || c",
            "a||b||c",
            "{x} {5} {#if x} {:} { .x }",
            "a !!! note",
            "!!!",
            "??? 5",
            "\\{: .lead} \\++a++",
            "{width=5}",
            "{% 5 %} 100 {%",
        ] {
            assert_eq!(all(text, None, true), [], "{text}");
        }
        for line in ["import Tabs from '@theme/Tabs';", "import \"./x.css\"", "export const a = 1"] {
            assert!(is_statement(line), "{line}");
        }
        for line in ["import duties rise", "import goods from Italy", "export more"] {
            assert!(!is_statement(line), "{line}");
        }
    }
}
