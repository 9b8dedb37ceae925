//! What can be written at an offset.

mod content;
mod markdown;
mod sheet;
mod template;

use crate::Analysis;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;

/// Something that can be written at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called in the list.
    pub label: String,
    /// What kind of thing it is.
    pub kind: CompletionKind,
    /// A few words beside the label: a type, a title, a value.
    pub detail: Option<String>,
    /// What there is to know of it, in Markdown.
    pub documentation: Option<String>,
    /// The bytes to replace: those of the word that is being written.
    pub span: Span,
    /// The text in their place. `$0` is where the cursor goes, if it is a snippet.
    pub text: String,
    /// Whether the text has a place for the cursor.
    pub is_snippet: bool,
    /// The order in the list: smaller ones first, equal ones by their labels.
    pub rank: u8,
    /// A picture to show of it.
    pub picture: Option<SourcePath>,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key of content.
    Key,
    /// One of a few values.
    Value,
    /// A page or an entry.
    Page,
    /// A section of a page.
    Section,
    /// A file.
    File,
    /// A variable or a key of one, in code.
    Variable,
    /// A filter, a function or a test.
    Function,
    /// A word of the template language.
    Keyword,
    /// A component, an island or a block.
    Component,
    /// An argument or a property.
    Argument,
    /// A class of CSS.
    Class,
    /// A property or a custom property of CSS.
    Property,
}

impl Completion {
    fn new(label: impl Into<String>, kind: CompletionKind, span: Span) -> Self {
        let label = label.into();
        Completion {
            text: label.clone(),
            label,
            kind,
            detail: None,
            documentation: None,
            span,
            is_snippet: false,
            rank: 1,
            picture: None,
        }
    }

    fn detail(mut self, detail: impl Into<Option<String>>) -> Self {
        self.detail = detail.into().filter(|text| !text.is_empty());
        self
    }

    fn documentation(mut self, text: impl Into<Option<String>>) -> Self {
        self.documentation = text.into().filter(|text| !text.is_empty());
        self
    }

    fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    fn snippet(mut self, text: impl Into<String>) -> Self {
        (self.text, self.is_snippet) = (text.into(), true);
        self
    }

    fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }
}

/// The most completions of a list. Editors filter them as one types on, and ask again.
const MOST: usize = 500;

impl Analysis<'_> {
    /// Returns what can be written at an offset, and whether that is all: of a long list the first ones that begin with what is
    /// written are returned.
    pub fn complete(&self, path: &SourcePath, offset: usize) -> (Vec<Completion>, bool) {
        let Some(text) = self.sources.text(path).filter(|text| text.is_char_boundary(offset)) else {
            return (Vec::new(), true);
        };
        let mut all = match SourceKind::of(path) {
            SourceKind::Settings | SourceKind::Page | SourceKind::Entry => content::complete(self, path, text, offset),
            SourceKind::Asset if path.extension() == Some("yaml") => content::complete(self, path, text, offset),
            SourceKind::Template => template::complete(self, path, text, offset),
            SourceKind::Style => sheet::complete(self, text, offset),
            SourceKind::Island if path.extension() == Some("css") => sheet::complete(self, text, offset),
            _ => Vec::new(),
        };
        let typed = |each: &Completion| text.get(each.span.start..offset).unwrap_or_default().to_lowercase();
        all.sort_by(|a, b| {
            let begins = |each: &Completion| !each.label.to_lowercase().starts_with(&typed(each));
            (begins(a), a.rank, &a.label).cmp(&(begins(b), b.rank, &b.label))
        });
        all.dedup_by(|a, b| a.label == b.label && a.kind == b.kind);
        let is_all = all.len() <= MOST;
        all.truncate(MOST);
        (all, is_all)
    }
}
