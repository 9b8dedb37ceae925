//! What is printed of a problem, and the phrases that several messages have in common.

use super::super::{Certainty, Change, Meant, Proposal, Severity};
use std::fmt::Arguments;

/// The number of names that a diagnostic lists if none of them is similar to the one that was written.
pub const NAMED: usize = 8;

/// What is printed of a problem, beside its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The stable code printed in brackets. Scripts may rely on it.
    pub code: &'static str,
    /// The severity, unless the place of the report decides.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The next step, in one line, if there is one.
    pub label: Option<String>,
    /// Whether the message alone does not say what to do. Warnings are printed without their label otherwise.
    pub needs_label: bool,
    /// Further help, printed below the excerpt.
    pub note: Option<String>,
    /// What the next step proposes to write, if it says that exactly.
    pub proposal: Option<Box<Proposal>>,
}

impl Description {
    pub(super) fn new(severity: Severity, code: &'static str, message: Arguments) -> Self {
        let message = message.to_string();
        Description { code, severity, message, label: None, needs_label: false, note: None, proposal: None }
    }

    /// Adds the next step.
    pub(super) fn label(self, label: impl Into<String>) -> Self {
        Description { label: Some(label.into()), ..self }
    }

    /// Adds the next step, where there is one.
    pub(super) fn label_if(self, label: Option<String>) -> Self {
        Description { label: label.or(self.label), ..self }
    }

    /// Asks for the word that was probably meant, instead of giving any other next step.
    pub(super) fn meant(self, nearest: Option<&str>) -> Self {
        self.label_if(nearest.map(did_you_mean))
    }

    /// Asks for the word that was probably meant, as [`Description::meant`] does, and proposes it in place of the written one.
    pub(super) fn meant_for(self, written: &str, nearest: Option<&Meant>) -> Self {
        let Some(nearest) = nearest else { return self };
        let certainty = if nearest.is_certain { Certainty::Certain } else { Certainty::Likely };
        self.meant(Some(&nearest.word)).words(written, &nearest.word, certainty)
    }

    /// Asks for the address that was probably meant. Without a section or a query of its own, those of the written one stay.
    pub(super) fn meant_address(self, written: &str, nearest: Option<&Meant>) -> Self {
        let is_whole = nearest.is_some_and(|nearest| nearest.contains(['#', '?']));
        let path = written.split(['#', '?']).next().unwrap_or(written);
        self.meant_for(if is_whole { written } else { path }, nearest)
    }

    /// Proposes a word or an address in place of another.
    pub(super) fn words(self, old: &str, new: &str, certainty: Certainty) -> Self {
        let change = Change::Words { old: old.to_owned(), new: new.to_owned() };
        Description { proposal: Some(Box::new(Proposal { change, certainty })), ..self }
    }

    /// Proposes code in place of other code.
    pub(super) fn code(self, old: &str, new: &str, certainty: Certainty) -> Self {
        let change = Change::Code { old: old.to_owned(), new: new.to_owned() };
        Description { proposal: Some(Box::new(Proposal { change, certainty })), ..self }
    }

    /// Proposes a change that only the file can make certain: where it is not, there is none.
    pub(super) fn change(self, change: Change) -> Self {
        let proposal = Proposal { change, certainty: Certainty::Certain };
        Description { proposal: Some(Box::new(proposal)), ..self }
    }

    /// Proposes the size of the picture.
    pub(super) fn picture_size(self) -> Self {
        let proposal = Proposal { change: Change::PictureSize, certainty: Certainty::Certain };
        Description { proposal: Some(Box::new(proposal)), ..self }
    }

    /// Adds the next step of a warning whose message alone does not say it.
    pub(super) fn step(self, label: impl Into<String>) -> Self {
        Description { needs_label: true, ..self.label(label) }
    }

    /// Adds further help, where there is some.
    pub(super) fn note(self, note: Option<String>) -> Self {
        Description { note, ..self }
    }
}

/// Describes a problem that keeps the site from being published: its code, and its message as for `format!`.
macro_rules! error {
    ($code:literal, $($message:tt)+) => {
        Description::new(crate::diagnostics::Severity::Error, $code, format_args!($($message)+))
    };
}

/// Describes a problem that does not.
macro_rules! warning {
    ($code:literal, $($message:tt)+) => {
        Description::new(crate::diagnostics::Severity::Warning, $code, format_args!($($message)+))
    };
}

/// Describes a problem of the tool, independent of the site.
macro_rules! failure {
    ($code:literal, $($message:tt)+) => {
        Description::new(crate::diagnostics::Severity::Failure, $code, format_args!($($message)+))
    };
}

pub(super) use {error, failure, warning};

pub(super) fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

/// `` `a`, `b` and `c` ``
pub(super) fn list(words: &[String]) -> String {
    joined(words, "and")
}

/// `` `a`, `b` or `c` ``
pub(super) fn list_or(words: &[String]) -> String {
    joined(words, "or")
}

fn joined(words: &[String], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// The first of the names that could have stood there.
pub(super) fn there_is(words: &[String]) -> String {
    match words.get(..NAMED).filter(|_| words.len() > NAMED) {
        Some(first) => format!("available: `{}` and more", first.join("`, `")),
        None => format!("available: {}", list(words)),
    }
}

/// The address of a declared connection that was probably meant.
pub(super) fn declared(nearest: &str) -> String {
    format!("{} It is declared in `content/site.yaml`", did_you_mean(nearest))
}
