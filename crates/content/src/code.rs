//! Code blocks of Markdown: what the words after the fence ask for, and the HTML.
//!
//! The words are those of Astro's and Docusaurus' documentation themes, with `linenos` and `linenostart` from Zola and
//! Hugo: `js title="src/app.js" {2,4-6} ins={8} del={7} linenos linenostart=20`. Words of other generators that mean
//! the same are reported with what to write instead, so that each text has one form.

mod classes;
mod css;
mod highlight;

use pulldown_cmark_escape::{escape_html, escape_html_body_text};
use sitegen_core::diagnostics::{MarkdownProblem, Span, meant, nearest};
use std::ops::RangeInclusive;

/// The stylesheet of highlighted code that a site may import.
pub const STYLESHEET: &str = include_str!("code/code.css");

/// A code block larger than this is published without colours: nobody reads it in a page, and colouring takes seconds.
const MOST_BYTES: usize = 200_000;

/// What the words after a fence ask for.
#[derive(Debug, Default, PartialEq)]
pub struct Info {
    /// The first word, as it is written. Empty if there is none.
    pub language: String,
    /// The language in whose colours the site shows it, if that is another.
    pub highlighted_as: Option<String>,
    /// What stands above the block.
    title: Option<String>,
    marked: Lines,
    inserted: Lines,
    deleted: Lines,
    /// The number of the first line, if lines have numbers.
    numbers: Option<usize>,
    /// The language of the lines in a `diff`.
    inner: Option<String>,
}

/// Numbers of lines, the first of a block is 1.
type Lines = Vec<RangeInclusive<usize>>;

/// A word after a fence that has no effect.
#[derive(Debug, PartialEq)]
pub struct Mistake {
    /// What is wrong.
    pub problem: MarkdownProblem,
    /// Where it is in the words.
    pub span: Span,
}

/// Names of options, also those of other generators, and what to write.
const ELSEWHERE: &[(&str, &str)] = &[
    ("showLineNumbers", "write `linenos`"),
    ("line-numbers", "write `linenos`"),
    (":line-numbers", "write `linenos`"),
    ("numberLines", "write `linenos`"),
    ("startLineNumber", "write `linenostart=`"),
    ("hl_lines", "write the lines in braces, like `{2,4-6}`"),
    ("mark", "write the lines in braces, like `{2,4-6}`"),
    ("highlight", "write the lines in braces, like `{2,4-6}`"),
    ("name", "write `title=`"),
    ("filename", "write `title=`"),
    ("file", "write `title=`"),
];

const OPTIONS: [&str; 6] = ["title", "ins", "del", "linenos", "linenostart", "lang"];

impl Info {
    /// Reads the words after a fence.
    pub fn of(words: &str) -> (Info, Vec<Mistake>) {
        let mut info = Info::default();
        let mut mistakes = Vec::new();
        let mut rest = words.trim_start();
        let first = rest.split([' ', '\t', ',', '{']).next().unwrap_or_default();
        if !first.contains('=') {
            info.language = first.to_owned();
            rest = &rest[first.len()..];
        }
        let mut start = None;
        loop {
            rest = rest.trim_start_matches([' ', '\t', ',']);
            if rest.is_empty() {
                break;
            }
            let at = words.len() - rest.len();
            let (option, length) = Word::read(rest);
            rest = &rest[length..];
            let span = Span::at(at, words[at..at + length].trim_end().len());
            if let Err((detail, fix)) = info.apply(&option, &mut start) {
                mistakes.push(Mistake { problem: MarkdownProblem::CodeOption { detail, fix }, span });
            }
        }
        if let Some(start) = start {
            info.numbers = Some(start);
        }
        (info, mistakes)
    }

    /// Applies an option, or returns what is wrong with it and what to write.
    fn apply(&mut self, option: &Word, start: &mut Option<usize>) -> Result<(), (String, Option<String>)> {
        let Word { name, value } = option;
        let lines = |value: &str| {
            lines(value).ok_or_else(|| {
                let example = if name.is_empty() { "{2,4-6}".to_owned() } else { format!("{name}={{2,4-6}}") };
                (format!("`{value}` is not a list of line numbers"), Some(format!("write them like `{example}`")))
            })
        };
        match (*name, *value) {
            ("", Some(value)) if value.contains('=') => {
                let fix = "write the options without braces around them".to_owned();
                return Err((format!("`{{{value}}}` has options in braces"), Some(fix)));
            }
            ("", Some(value)) => self.marked = lines(value)?,
            ("ins", Some(value)) => self.inserted = lines(value)?,
            ("del", Some(value)) => self.deleted = lines(value)?,
            ("title", Some(value)) => self.title = Some(value.to_owned()).filter(|title| !title.trim().is_empty()),
            ("lang", Some(value)) if self.language == "diff" => self.inner = Some(value.to_owned()),
            ("lang", Some(_)) => return Err(("`lang` works only for a `diff`".to_owned(), None)),
            ("linenos", None | Some("true")) => self.numbers = Some(1),
            ("linenos", Some("false")) => self.numbers = None,
            ("linenostart", Some(value)) => match value.parse() {
                Ok(number) => *start = Some(number),
                Err(_) => return Err((format!("`{value}` is not a line number"), None)),
            },
            (name, _) => {
                let elsewhere = ELSEWHERE.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
                let known = || nearest(name, OPTIONS).map(|meant| format!("did you mean `{meant}`?"));
                let fix = elsewhere.map(|(_, fix)| (*fix).to_owned()).or_else(known);
                let detail = match OPTIONS.contains(&name) {
                    true => format!("`{name}` does not accept this value"),
                    false => format!("code blocks have no option `{name}`"),
                };
                return Err((detail, fix));
            }
        }
        Ok(())
    }

    /// Whether the block is more than its text.
    fn has_lines(&self) -> bool {
        let groups = [&self.marked, &self.inserted, &self.deleted];
        self.numbers.is_some() || self.inner.is_some() || groups.iter().any(|lines| !lines.is_empty())
    }

    /// Returns the language in which the text is coloured, or the name that no language has.
    fn syntax(&self) -> Result<Option<highlight::Language>, &str> {
        let language = self.highlighted_as.as_deref().unwrap_or(&self.language);
        match self.inner.as_deref().unwrap_or(language) {
            name if name.is_empty() || highlight::PLAIN.contains(&name) => Ok(None),
            name => highlight::Language::of(name).map(Some).ok_or(name),
        }
    }

    /// Writes a code block. Returns what is wrong with the language and the lines, with the words that are meant.
    pub fn write(&self, code: &str, out: &mut String) -> Vec<(MarkdownProblem, String)> {
        let mut problems = Vec::new();
        let language = self.syntax().unwrap_or_else(|name| {
            let names: Vec<String> = highlight::names().collect();
            let near = meant(name, names.iter().map(String::as_str));
            problems
                .push((MarkdownProblem::CodeLanguage { language: name.to_owned(), nearest: near }, name.to_owned()));
            None
        });
        let count = code.lines().count();
        let groups = [&self.marked, &self.inserted, &self.deleted];
        if let Some(range) = groups.into_iter().flatten().find(|range| *range.end() > count) {
            let lines = if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
            let detail = format!("line {} is marked, and the block has {lines}", range.end());
            problems.push((MarkdownProblem::CodeOption { detail, fix: None }, range.end().to_string()));
        }
        if let Some(title) = &self.title {
            out.push_str("<figure class=\"hl-block\"><figcaption class=\"hl-title\">");
            let _ = escape_html_body_text(&mut *out, title);
            out.push_str("</figcaption>");
        }
        out.push_str("<pre><code");
        if !self.language.is_empty() {
            out.push_str(" class=\"language-");
            // Writing to a String cannot fail.
            let _ = escape_html(&mut *out, &self.language);
            out.push('"');
        }
        out.push('>');
        let mut coloured = language.filter(|_| code.len() <= MOST_BYTES).map(|language| language.start());
        let mut write_line = |line: &str, out: &mut String| match &mut coloured {
            Some(colours) => colours.write(line, out),
            // Writing to a String cannot fail.
            None => escape_html_body_text(out, line.strip_suffix('\n').unwrap_or(line)).unwrap_or_default(),
        };
        for (index, line) in code.split_inclusive('\n').enumerate() {
            let (line, change) = match &self.inner {
                Some(_) => without_sign(line),
                None => (line, None),
            };
            if self.has_lines() {
                self.open_line(index + 1, change, out);
                write_line(line, out);
                out.push_str("</span>");
            } else {
                write_line(line, out);
            }
            if line.ends_with('\n') {
                out.push('\n');
            }
        }
        out.push_str("</code></pre>");
        out.push_str(if self.title.is_some() { "</figure>\n" } else { "\n" });
        problems
    }

    fn open_line(&self, line: usize, change: Option<&str>, out: &mut String) {
        let is_in = |lines: &Lines| lines.iter().any(|range| range.contains(&line));
        out.push_str("<span class=\"hl-line");
        if is_in(&self.marked) {
            out.push_str(" hl-marked");
        }
        if is_in(&self.inserted) || change == Some("+") {
            out.push_str(" hl-inserted");
        }
        if is_in(&self.deleted) || change == Some("-") {
            out.push_str(" hl-deleted");
        }
        out.push('"');
        if let Some(first) = self.numbers {
            out.push_str(&format!(" data-line=\"{}\"", first.saturating_add(line - 1)));
        }
        out.push('>');
    }
}

/// Returns a line of a diff without the sign that begins it, and the sign.
fn without_sign(line: &str) -> (&str, Option<&str>) {
    match line.as_bytes().first() {
        Some(b'+' | b'-') => (&line[1..], Some(&line[..1])),
        Some(b' ') => (&line[1..], None),
        _ => (line, None),
    }
}

/// Reads numbers of lines: `2,4-6`.
fn lines(text: &str) -> Option<Lines> {
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first > 0 && first <= last).then_some(first..=last)
    };
    let lines: Lines = parts.map(range).collect::<Option<_>>()?;
    (!lines.is_empty()).then_some(lines)
}

/// A word after the language: `linenos`, `title="a b"`, `ins={2}`, `{2}`.
struct Word<'a> {
    /// Empty for braces alone.
    name: &'a str,
    /// Without quotes and braces.
    value: Option<&'a str>,
}

impl<'a> Word<'a> {
    /// Reads the option that a text begins with. Returns it with its length.
    fn read(text: &'a str) -> (Self, usize) {
        let name_end = text.find([' ', '\t', ',', '=', '{']).unwrap_or(text.len());
        let name = &text[..name_end];
        let after = &text[name_end..];
        let value_at = name_end + usize::from(after.starts_with('='));
        if after.is_empty() || !after.starts_with(['=', '{']) || (after.starts_with('{') && !name.is_empty()) {
            return (Word { name, value: None }, name_end.max(1).min(text.len()));
        }
        let value = &text[value_at..];
        let quoted = |open: &str, close: char| {
            let inner = value.strip_prefix(open)?;
            let end = inner.find(close)?;
            Some((&inner[..end], end + 2))
        };
        let (value, length) =
            quoted("\"", '"').or_else(|| quoted("'", '\'')).or_else(|| quoted("{", '}')).unwrap_or_else(|| {
                let end = value.find([' ', '\t', ',']).unwrap_or(value.len());
                (&value[..end], end)
            });
        (Word { name, value: Some(value) }, (value_at + length).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::html::{Token, tokens};

    fn written(words: &str, code: &str) -> String {
        let (info, mistakes) = Info::of(words);
        assert!(mistakes.is_empty(), "{words}: {mistakes:?}");
        let mut out = String::new();
        let problems = info.write(code, &mut out);
        assert!(problems.is_empty(), "{words}: {problems:?}");
        out
    }

    #[test]
    fn front_matter_has_the_colours_of_its_format() {
        let code = |text: &str| {
            written("md", text).replace("<pre><code class=\"language-md\">", "").replace("</code></pre>\n", "")
        };
        let yaml = code("---\ntitle: <Rye>\n---\n# Rye\n---\n");
        let title = "<span class=\"hl-property\">title</span>: <span class=\"hl-string\">&lt;Rye&gt;</span>";
        assert!(yaml.starts_with(&format!("---\n{title}\n---\n<span class=\"hl-heading\"># Rye")), "{yaml}");
        assert!(code("+++\na = 1\n+++\n").starts_with("+++\n<span class=\"hl-property\">a</span>"));
        // Only at the begin.
        assert!(!code("# Rye\n---\ntitle: Rye\n---\n").contains("hl-property"));
    }

    #[test]
    fn words_after_the_language_are_options() {
        let info = |words| {
            let (info, mistakes) = Info::of(words);
            assert!(mistakes.is_empty(), "{words}: {mistakes:?}");
            info
        };
        let all = info("js title=\"src/a b.js\" {2,4-6} ins={8} del={7} linenos linenostart=20");
        let expected = Info {
            highlighted_as: None,
            language: "js".into(),
            title: Some("src/a b.js".into()),
            marked: vec![2..=2, 4..=6],
            inserted: vec![8..=8],
            deleted: vec![7..=7],
            numbers: Some(20),
            inner: None,
        };
        assert_eq!(all, expected);
        assert_eq!(info("js, title='src/a b.js',{2 4-6}, ins=8, del={7},linenos=true,linenostart=20"), expected);
        assert_eq!(info("js{1}").marked, [1..=1]);
        assert_eq!(info("diff lang=\"js\"").inner.as_deref(), Some("js"));
        assert_eq!(info("title=\"a\"").title.as_deref(), Some("a"));
        assert_eq!(info("js linenos linenos=false").numbers, None);
        assert_eq!(info("js title=\"\""), Info { language: "js".into(), ..Info::default() });
    }

    #[test]
    fn words_without_effect_are_reported_with_what_to_write() {
        for (words, word, fix) in [
            ("js showLineNumbers", "showLineNumbers", Some("write `linenos`")),
            ("js hl_lines=3", "hl_lines=3", Some("write the lines in braces, like `{2,4-6}`")),
            ("rust,name=main.rs", "name=main.rs", Some("write `title=`")),
            ("js titel=\"a\"", "titel=\"a\"", Some("did you mean `title`?")),
            (
                "js {linenos=true,hl_lines=[1]}",
                "{linenos=true,hl_lines=[1]}",
                Some("write the options without braces around them"),
            ),
            ("js {a}", "{a}", Some("write them like `{2,4-6}`")),
            ("js ins={3-2}", "ins={3-2}", Some("write them like `ins={2,4-6}`")),
            ("js {0}", "{0}", Some("write them like `{2,4-6}`")),
            ("js linenostart=x", "linenostart=x", None),
            ("js lang=\"js\"", "lang=\"js\"", None),
            ("js title", "title", None),
            ("js \"marked words\"", "\"marked", None),
        ] {
            let (_, mistakes) = Info::of(words);
            let Mistake { problem: MarkdownProblem::CodeOption { fix: found, .. }, span } = &mistakes[0] else {
                panic!("{mistakes:?}")
            };
            let expected = (word, fix);
            assert!(
                found.as_deref() == expected.1 || found.as_deref().is_some_and(|found| found.starts_with("did you")),
                "{words}: {found:?}"
            );
            assert_eq!(&words[span.start..span.end], expected.0, "{words}");
        }
        let mut out = String::new();
        let problems = Info::of("js {2}").0.write("one\n", &mut out);
        assert!(matches!(&problems[0].0, MarkdownProblem::CodeOption { detail, .. } if detail.contains("has 1 line")));
        let problems = Info::of("javscript").0.write("one\n", &mut out);
        let MarkdownProblem::CodeLanguage { nearest, .. } = &problems[0].0 else { panic!("{problems:?}") };
        assert_eq!(nearest.as_deref(), Some("javascript"));
    }

    #[test]
    fn a_block_has_classes_lines_and_a_title() {
        assert_eq!(
            written("js", "// <b>\nlet a = 1;\n"),
            "<pre><code class=\"language-js\"><span class=\"hl-comment\">// &lt;b&gt;</span>\n\
             <span class=\"hl-keyword\">let</span> a = <span class=\"hl-number\">1</span>;\n</code></pre>\n"
        );
        assert_eq!(
            written("diff lang=json title=\"a<b>\" {1} linenostart=9", " 1\n-2\n+3\n"),
            "<figure class=\"hl-block\"><figcaption class=\"hl-title\">a&lt;b&gt;</figcaption><pre>\
             <code class=\"language-diff\"><span class=\"hl-line hl-marked\" data-line=\"9\">\
             <span class=\"hl-number\">1</span></span>\n<span class=\"hl-line hl-deleted\" data-line=\"10\">\
             <span class=\"hl-number\">2</span></span>\n<span class=\"hl-line hl-inserted\" data-line=\"11\">\
             <span class=\"hl-number\">3</span></span>\n</code></pre></figure>\n"
        );
        assert_eq!(written("text", "a < b"), "<pre><code class=\"language-text\">a &lt; b</code></pre>\n");
    }

    /// Returns the text of HTML, which may have no tags but those of code blocks.
    fn text(html: &str) -> String {
        let mut text = String::new();
        for token in tokens(html) {
            match token {
                Token::Text(piece) => text.push_str(piece),
                Token::Start(tag) => {
                    let is_own = tag.attributes().all(|each| matches!(each.name, "class" | "data-line"));
                    assert!(matches!(tag.name, "pre" | "code" | "span") && is_own, "{html}");
                }
                Token::End(name) => assert!(matches!(name, "pre" | "code" | "span"), "{html}"),
            }
        }
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    #[test]
    fn no_code_becomes_markup_and_none_is_lost() {
        let attacks = "<script>alert(1)</script>\n\"><img src=x onerror=alert(1)>\n</code></pre><b>\n&lt;&amp;\n\
             <!-- x --!> ]]> {{ site.name }}\n'\" `${<i>}`\n\u{e006}0\u{e007}\u{feff}\u{202e}é漢🙂\n\n\t<style>\n/* <b>\n*/ x";
        let texts = [attacks.to_owned(), "<b>".repeat(600), "\"<\n".repeat(40), "(((((<".repeat(60)];
        for name in LANGUAGES {
            for code in &texts {
                for words in [(*name).to_owned(), format!("{name} linenos {{1}}")] {
                    assert_eq!(text(&written(&words, code)), format!("{code}\n"), "{words}");
                }
            }
        }
        let (info, _) = Info::of("\"><b> title=\"<b>\"");
        let mut out = String::new();
        info.write("a", &mut out);
        assert!(!out.contains("<b>") && out.contains("language-&quot;&gt;&lt;b&gt;"), "{out}");
    }

    /// One of each family, and those that contain others.
    const LANGUAGES: &[&str] = &[
        "astro",
        "bash",
        "c",
        "cpp",
        "cs",
        "css",
        "diff",
        "dockerfile",
        "elixir",
        "erb",
        "go",
        "haskell",
        "html",
        "ini",
        "java",
        "jinja2",
        "js",
        "json",
        "jsx",
        "kt",
        "latex",
        "less",
        "lua",
        "make",
        "md",
        "nginx",
        "perl",
        "php",
        "ps1",
        "python",
        "r",
        "ruby",
        "rust",
        "scss",
        "sql",
        "svelte",
        "swift",
        "tera",
        "text",
        "toml",
        "ts",
        "tsx",
        "vue",
        "xml",
        "yaml",
    ];
}
