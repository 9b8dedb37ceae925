//! Mistakes in content that functions of templates find.
//!
//! Tera's errors carry text. A function leaves what it has found in a slot of its thread, and its error says only that there
//! is something: a page is rendered in one thread, and its rendering ends at the first error.
//!
//! So that an editor learns of all mistakes of a page at once, the page is rendered again with those that are known in
//! [`Known`]: a function that finds one of them again returns an empty text, and the template goes on to the next.

use parking_lot::Mutex;
use sitegen_core::diagnostics::Problem;
use std::cell::RefCell;
use std::sync::Arc;
use tera::{Error, ErrorKind, Kwargs, State, TeraResult, Value};

/// The text of an error whose mistake is in [`SLOT`].
const IN_SLOT: &str = "\u{1e}";

thread_local! {
    /// The mistake of the function that has failed in this thread, until the rendering has ended.
    static SLOT: RefCell<Option<Mistake>> = const { RefCell::new(None) };
}

/// A mistake that a function has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// What is wrong.
    pub problem: Problem,
    /// The text of content that it is in.
    pub content: Option<String>,
}

impl Mistake {
    /// Returns the mistake of the error with which a rendering in this thread has just ended, and empties the slot: texts
    /// of content may have the same letter.
    pub fn take(error: &Error) -> Option<Self> {
        let mistake = SLOT.take();
        let ErrorKind::RenderingError(report) = error.kind() else { return None };
        mistake.filter(|_| report.message().contains(IN_SLOT))
    }
}

/// Returns the error of a function that has found a problem.
pub fn error(problem: impl Into<Problem>) -> Error {
    error_in(problem, "")
}

/// As [`error`], with the text of content that the problem is in.
pub fn error_in(problem: impl Into<Problem>, content: &str) -> Error {
    let content = (!content.is_empty()).then(|| content.to_owned());
    SLOT.set(Some(Mistake { problem: problem.into(), content }));
    Error::message(IN_SLOT)
}

/// The mistakes that functions pass over.
#[derive(Clone, Debug, Default)]
pub struct Known(Arc<Mutex<Vec<Mistake>>>);

impl Known {
    /// Adds the mistake of a failed rendering. Returns whether it was not known before.
    pub fn add(&self, mistake: Mistake) -> bool {
        let mut known = self.0.lock();
        let is_new = !known.contains(&mistake);
        known.extend(is_new.then_some(mistake));
        is_new
    }

    /// Forgets all.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    /// Returns a function for templates that passes over what is known.
    pub fn passed_over<R: Into<Value>>(
        &self,
        function: impl Fn(Kwargs, &State) -> TeraResult<R> + Send + Sync + 'static,
    ) -> impl Fn(Kwargs, &State) -> TeraResult<Value> + Send + Sync + 'static {
        let known = self.clone();
        move |kwargs: Kwargs, state: &State| match function(kwargs, state) {
            Err(error) if known.has(&error) => Ok(Value::safe_string("")),
            result => result.map(Into::into),
        }
    }

    /// Whether the error that a function has just returned is of a known mistake. Empties the slot then.
    pub fn has(&self, error: &Error) -> bool {
        error.to_string() == IN_SLOT
            && SLOT.with_borrow_mut(|slot| slot.take_if(|mistake| self.0.lock().contains(mistake)).is_some())
    }
}
