//! What sitegen knows of a place in a file: for editors, as one types.
//!
//! An [`Analysis`] is a project at one moment: its files with their unsaved texts, and the site as it was last resolved. Its
//! methods are functions of it: completions, documentation, definitions, references, renames, outlines. They read texts that are
//! being written, so nothing here expects a file without mistakes. Offsets are bytes of the text.
//!
//! Nothing here knows the protocol of an editor, reads the disk or writes files.

mod complete;
mod components;
pub mod data;
mod define;
mod functions;
mod hints;
mod hover;
mod islands;
mod outline;
mod rename;
pub mod schemas;
pub mod symbols;
mod tokens;
mod value;
mod variables;

pub use complete::{Completion, CompletionKind};
pub use components::Component;
pub use hints::Hint;
pub use hover::Hover;
pub use outline::{Fold, Named, NamedKind};
pub use rename::{FileChange, Move, Refused};
pub use tokens::{Token, TokenKind};

use sitegen_content::Site;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;

/// A project at one moment.
#[derive(Clone, Copy)]
pub struct Analysis<'a> {
    /// Its files. Those that are open in an editor have the texts that are there.
    pub sources: &'a Sources,
    /// The site as it was last resolved, which may be of a moment before. `None` if it never was.
    pub site: Option<&'a Site>,
    /// Whether the site is that of all files. Otherwise some of them have errors, and it may be that of those without.
    pub is_complete: bool,
}

/// A place to show, in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// From the root of the project.
    pub file: SourcePath,
    /// The bytes to show.
    pub span: Span,
}

/// Returns the word that ends at an offset: from the first byte that may be in it.
fn word_before(text: &str, offset: usize, is_part: impl Fn(char) -> bool) -> Span {
    let before = text.get(..offset).unwrap_or_default();
    let start =
        before.char_indices().rev().take_while(|(_, letter)| is_part(*letter)).last().map_or(offset, |(at, _)| at);
    Span { start, end: offset }
}
