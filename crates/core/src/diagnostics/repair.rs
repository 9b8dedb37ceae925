//! Repairs as data: what a diagnostic proposes to write, and the bytes of the file that it replaces.
//!
//! A problem makes a [`Proposal`] where its description names what to write. Only the text of the file says which bytes that
//! are: [`Repair`] has them, and is what programs, editors and `sitegen fix` use.

use super::Place;
use serde::{Deserialize, Serialize};

/// How sure it is that a repair is what the author wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Certainty {
    /// Nothing else can be meant; `sitegen fix` applies it.
    Certain,
    /// A person should decide.
    Likely,
}

impl Certainty {
    /// Returns its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Certain => "certain",
            Certainty::Likely => "likely",
        }
    }
}

/// What a message proposes to write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// What to write, and over which bytes.
    pub change: Change,
    /// How certain it is.
    pub certainty: Certainty,
}

/// A change at the place of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// A word or an address for another. In a value or key of content it is written with the quotes that it needs there.
    Words {
        /// What is there.
        old: String,
        /// What to write instead.
        new: String,
    },
    /// Code for other code, as it stands.
    Code {
        /// What is there.
        old: String,
        /// What to write instead.
        new: String,
    },
    /// `width` and `height` of the file, in the tag `<img>` that has neither.
    PictureSize,
    /// Spaces for the tabs at the beginnings of the lines of YAML.
    Indentation,
    /// The line that ends front matter, after its last key.
    EndOfKeys {
        /// The line, `---` or `+++`.
        fence: String,
    },
    /// The line ends of Unix in the whole file, whose lines end with carriage returns alone.
    LineEnds,
    /// Nothing in place of a key that is set before to the same value.
    Repeated,
}

/// The change of a file that a diagnostic proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What it does, in one line.
    pub title: String,
    /// The file, and the bytes to replace; none where text is inserted.
    pub place: Place,
    /// The number of bytes of the file before the text that the place is in: those of a byte order mark that is no part of it.
    pub before: usize,
    /// The text in their place.
    pub replacement: String,
    /// How certain it is.
    pub certainty: Certainty,
}

impl Change {
    /// Says what the change does.
    pub fn title(&self, replacement: &str) -> String {
        match self {
            Change::Words { old, new } | Change::Code { old, new } => format!("replace `{old}` with `{new}`"),
            Change::PictureSize => format!("insert `{}`", replacement.trim()),
            Change::Indentation => "replace the tabs of the indentation with spaces".to_owned(),
            Change::EndOfKeys { fence } => format!("insert `{fence}` after the last key"),
            Change::LineEnds => "replace the carriage returns with line ends".to_owned(),
            Change::Repeated => "remove the key, which is set before to the same value".to_owned(),
        }
    }
}
