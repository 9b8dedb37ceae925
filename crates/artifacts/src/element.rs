//! A start tag of a finished page, and what is around it.

use super::mistakes::{Location, PageMistake};
use sitegen_core::diagnostics::Problem;
use sitegen_core::html::{Attribute, value_of};

/// A start tag of a page.
#[derive(Clone, Copy)]
pub struct Element<'p> {
    /// In lower case.
    pub name: &'p str,
    /// In the order they are written.
    pub attributes: &'p [Attribute<'p>],
    /// The number of start and end tags before it.
    pub tag: usize,
    /// The island that rendered it.
    pub island: Option<&'p str>,
    /// Whether a script of an island handles it.
    pub is_handled: bool,
    /// Whether it is in a template for scripts, and no part of the page (HTML Standard 4.12.3).
    pub is_template: bool,
}

impl<'p> Element<'p> {
    /// Returns the value of an attribute.
    #[inline]
    pub fn get(&self, attribute: &str) -> Option<&'p str> {
        // Most elements have none, and are asked for a dozen.
        if self.attributes.is_empty() { None } else { value_of(self.attributes, attribute) }
    }

    /// Whether an attribute has a value that is not blank.
    pub fn has(&self, attribute: &str) -> bool {
        self.get(attribute).is_some_and(|value| !value.trim().is_empty())
    }

    /// Whether an attribute gives it a name for assistive technology.
    pub fn is_named(&self) -> bool {
        self.has("aria-label") || self.has("aria-labelledby") || self.has("title")
    }

    /// Whether its own attributes hide it from assistive technology.
    pub fn is_hidden(&self) -> bool {
        self.get("aria-hidden") == Some("true") || self.get("hidden").is_some()
    }

    /// Returns the location of the complete tag.
    pub fn location(&self) -> Location {
        Location { tag: self.tag, island: self.island.map(str::to_owned), ..Location::default() }
    }

    /// Returns the location of an attribute, or of a value in it.
    pub fn location_of(&self, attribute: &str, value: Option<&str>) -> Location {
        Location { attribute: Some((attribute.to_owned(), value.map(str::to_owned))), ..self.location() }
    }

    /// Creates a mistake of the complete tag.
    pub fn mistake(&self, problem: impl Into<Problem>) -> PageMistake {
        PageMistake::new(problem, Some(self.location()))
    }

    /// Creates a mistake of an attribute.
    pub fn mistake_of(&self, attribute: &str, problem: impl Into<Problem>) -> PageMistake {
        PageMistake::new(problem, Some(self.location_of(attribute, None)))
    }
}
