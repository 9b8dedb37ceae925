//! A mistake in a finished page, before it is traced to the line that wrote it.

use sitegen_core::diagnostics::{Problem, Severity, Span};
use std::sync::Arc;

/// A location in a page: the number of a tag, and perhaps one of its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The number of start and end tags before this one.
    pub tag: usize,
    /// The attribute's name in lower case, and its value; without the value for the complete attribute.
    pub attribute: Option<(String, Option<String>)>,
    /// The part of the element's text that is meant: the text, and where it is.
    pub text: Option<(Arc<str>, Span)>,
    /// The number of the tag of the paragraph that it ends.
    pub paragraph: Option<usize>,
    /// The island that rendered it.
    pub island: Option<String>,
}

/// A mistake at a location.
#[derive(Clone, Debug)]
pub struct PageMistake {
    /// What is wrong.
    pub problem: Problem,
    /// Its location. `None` for the page as a whole.
    pub location: Option<Location>,
}

impl PageMistake {
    /// Creates a mistake at a location.
    pub fn new(problem: impl Into<Problem>, location: Option<Location>) -> Self {
        PageMistake { problem: problem.into(), location }
    }

    /// Whether it keeps the page from being published.
    pub fn is_error(&self) -> bool {
        self.problem.describe().severity == Severity::Error
    }
}
