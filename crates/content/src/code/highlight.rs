//! Colours code with the syntaxes of `syntect` and `two-face`.
//!
//! The syntaxes are read when the first code block asks for one, so that everything else pays nothing for them.

use super::classes::{self, Class};
use super::css::Css;
use pulldown_cmark_escape::escape_html_body_text;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use syntect::parsing::{BasicScopeStackOp, ParseState, ScopeStack, SyntaxReference, SyntaxSet};

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// The syntaxes by their names and the endings of their files, in lower case. As in `SyntaxSet::find_syntax_by_token`, an
/// ending goes before a name, and a later syntax before an earlier one.
static BY_NAME: LazyLock<HashMap<String, &'static SyntaxReference>> = LazyLock::new(|| {
    let syntaxes = SYNTAXES.syntaxes();
    let names = syntaxes.iter().map(|syntax| (&syntax.name, syntax));
    let endings = syntaxes.iter().flat_map(|syntax| syntax.file_extensions.iter().map(move |ending| (ending, syntax)));
    names.chain(endings).map(|(name, syntax)| (name.to_lowercase(), syntax)).collect()
});

/// Longer lines stay without colours: some syntaxes take time with the square of a line's length.
const MOST_LETTERS: usize = 1_000;

/// Names of text without colours.
pub const PLAIN: [&str; 4] = ["text", "plain", "plaintext", "txt"];

/// Names that people write and that neither a syntax nor a file has.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("astro", "html"),
    ("console", "sh"),
    ("csharp", "cs"),
    ("docker", "dockerfile"),
    ("golang", "go"),
    ("jinja", "jinja2"),
    ("json5", "json"),
    ("jsonc", "json"),
    ("liquid", "html.j2"),
    ("mdx", "md"),
    ("mjs", "js"),
    ("njk", "html.j2"),
    ("nunjucks", "html.j2"),
    ("postgres", "sql"),
    ("python3", "py"),
    ("shell", "sh"),
    ("shellsession", "sh"),
    ("svg", "xml"),
    ("tera", "html.j2"),
    ("zsh", "sh"),
];

/// A language that code can be coloured in.
pub struct Language(&'static SyntaxReference);

impl Language {
    /// Returns the language of a name: that of its syntax, or an ending of its files.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let known = OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name.as_str(), |(_, known)| *known);
        BY_NAME.get(known).copied().map(Language)
    }

    /// Begins a block.
    pub fn start(self) -> Colours {
        let css = (self.0.name == "CSS").then(Css::default);
        let front_matter = if self.0.name == "Markdown" { FrontMatter::Possible } else { FrontMatter::Past };
        Colours {
            css,
            front_matter,
            state: Some(ParseState::new(self.0)),
            stack: ScopeStack::new(),
            classes: Vec::new(),
        }
    }
}

/// Returns the names of all languages, in lower case.
pub fn names() -> impl Iterator<Item = String> {
    let names = SYNTAXES.syntaxes().iter().filter(|syntax| !syntax.hidden);
    let names = names.flat_map(|syntax| std::iter::once(&syntax.name).chain(&syntax.file_extensions));
    let names = names
        .map(|name| name.to_lowercase())
        .chain(OTHER_NAMES.iter().map(|(name, _)| *name).chain(PLAIN).map(str::to_owned));
    names.filter(|name| name.len() > 1 && !name.contains([' ', '.']))
}

/// The lines around front matter, and its languages.
const FRONT_MATTER: [(&str, &str); 2] = [("---", "yaml"), ("+++", "toml")];

/// Where a text is with regard to its front matter, which the syntax of Markdown does not know.
enum FrontMatter {
    /// It may begin with the next line.
    Possible,
    /// It ends with this line, and has these colours.
    Within(&'static str, Box<Colours>),
    Past,
}

/// The colours of a block, line by line.
pub struct Colours {
    /// What takes the place of the syntax of CSS.
    css: Option<Css>,
    front_matter: FrontMatter,
    /// `None` after the syntax has failed: the rest has no colours.
    state: Option<ParseState>,
    stack: ScopeStack,
    /// The class of the text in each scope of the stack.
    classes: Vec<Option<Class>>,
}

impl Colours {
    /// Writes a line without the line break at its end. What is written is text and `<span class>` around it.
    pub fn write(&mut self, line: &str, out: &mut String) {
        let text = line.strip_suffix('\n').unwrap_or(line);
        if self.write_front_matter(line, text, out) {
            return;
        }
        let mut open = None;
        if let Some(css) = &mut self.css {
            css.pieces(text).into_iter().for_each(|(piece, class)| write_piece(piece, class, &mut open, out));
        } else {
            self.write_by_syntax(line, text, &mut open, out);
        }
        if open.is_some() {
            out.push_str("</span>");
        }
    }

    /// Writes a line of front matter. Returns whether it is one.
    fn write_front_matter(&mut self, line: &str, text: &str, out: &mut String) -> bool {
        match &mut self.front_matter {
            FrontMatter::Past => return false,
            FrontMatter::Within(fence, colours) if text != *fence => {
                colours.write(line, out);
                return true;
            }
            FrontMatter::Within(..) => self.front_matter = FrontMatter::Past,
            FrontMatter::Possible => {
                self.front_matter = FrontMatter::Past;
                let Some((fence, language)) = FRONT_MATTER.iter().find(|(fence, _)| *fence == text) else {
                    return false;
                };
                let Some(language) = Language::of(language) else { return false };
                self.front_matter = FrontMatter::Within(fence, Box::new(language.start()));
            }
        }
        out.push_str(text);
        true
    }

    fn write_by_syntax(&mut self, line: &str, text: &str, open: &mut Option<Class>, out: &mut String) {
        let state = self.state.as_mut().filter(|_| line.len() <= MOST_LETTERS);
        // The engine of regular expressions gives up on a search without end by a panic.
        let parsed = state.map(|state| catch_unwind(AssertUnwindSafe(|| state.parse_line(line, &SYNTAXES))));
        let operations = match parsed {
            Some(Ok(Ok(operations))) => operations,
            Some(_) => {
                self.state = None;
                Vec::new()
            }
            None => Vec::new(),
        };
        let mut at = 0;
        if self.state.is_some() {
            for (offset, operation) in operations {
                self.piece(text, &mut at, offset, open, out);
                let classes = &mut self.classes;
                let applied = self.stack.apply_with_hook(&operation, |change, _| match change {
                    BasicScopeStackOp::Push(scope) => {
                        let around = classes.last().copied().flatten();
                        classes.push(classes::of(scope, around));
                    }
                    BasicScopeStackOp::Pop => drop(classes.pop()),
                });
                if applied.is_err() {
                    self.state = None;
                    break;
                }
            }
        }
        self.piece(text, &mut at, text.len(), open, out);
    }

    /// Writes a line from `at` to `end` in its class. `open` is that of the span which is open.
    fn piece(&self, text: &str, at: &mut usize, end: usize, open: &mut Option<Class>, out: &mut String) {
        let end = end.min(text.len());
        let Some(piece) = text.get(*at..end).filter(|piece| !piece.is_empty()) else { return };
        *at = end;
        let class = self.classes.last().copied().flatten().filter(|_| self.state.is_some());
        write_piece(piece, class, open, out);
    }
}

/// Writes text in its class. `open` is that of the span which is open.
fn write_piece(piece: &str, class: Option<Class>, open: &mut Option<Class>, out: &mut String) {
    if class != *open {
        if open.is_some() {
            out.push_str("</span>");
        }
        if let Some(class) = class {
            out.push_str("<span class=\"");
            out.push_str(class.name());
            out.push_str("\">");
        }
        *open = class;
    }
    // Writing to a String cannot fail.
    let _ = escape_html_body_text(out, piece);
}
