//! The HTML of a page between two stages.

use sitegen_core::shelf::{FilePart, Shelf};
use std::borrow::Cow;
use std::io;

/// The HTML of a page, in memory or, of a site that has more than fits there, in a file.
#[derive(Clone, Debug)]
pub struct Html(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Here(String),
    Away {
        part: FilePart,
        /// Whether marks of islands are in it.
        has_islands: bool,
    },
}

impl Default for Html {
    fn default() -> Self {
        String::new().into()
    }
}

impl From<String> for Html {
    fn from(text: String) -> Self {
        Html(Kept::Here(text))
    }
}

impl Html {
    /// Stores HTML where there is room. `has_islands` says whether marks of islands are in it.
    pub(crate) fn on(shelf: &Shelf, text: String, has_islands: impl FnOnce(&str) -> bool) -> Self {
        let part = if shelf.has_room(text.len()) { None } else { shelf.write(text.as_bytes()) };
        match part {
            Some(part) => Html(Kept::Away { part, has_islands: has_islands(&text) }),
            None => text.into(),
        }
    }

    /// Whether marks of islands are in it, which the function says of a text in memory.
    pub(crate) fn has_islands(&self, are_in: impl FnOnce(&str) -> bool) -> bool {
        match &self.0 {
            Kept::Here(text) => are_in(text),
            Kept::Away { has_islands, .. } => *has_islands,
        }
    }

    /// Returns the text. Fails if the disk does.
    pub fn text(&self) -> io::Result<Cow<'_, str>> {
        match &self.0 {
            Kept::Here(text) => Ok(Cow::Borrowed(text)),
            Kept::Away { part, .. } => String::from_utf8(part.read()?).map(Cow::Owned).map_err(io::Error::other),
        }
    }

    /// Returns the text and forgets it. Fails if the disk does.
    pub fn take(&mut self) -> io::Result<String> {
        match std::mem::take(self).0 {
            Kept::Here(text) => Ok(text),
            Kept::Away { part, .. } => String::from_utf8(part.read()?).map_err(io::Error::other),
        }
    }
}
