//! `sitegen explain CODE`: a short page about one kind of mistake.

use super::{BUILT, USAGE};
use crate::diagnostics::{explained, explanation, nearest};
use clap::Args;

#[derive(Args)]
pub struct Arguments {
    /// The diagnostic code, like unknown-key; if omitted, all codes are listed
    code: Option<String>,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let Some(code) = &arguments.code else {
        explained().for_each(|code| say!("{code}"));
        return BUILT;
    };
    // People copy the brackets too.
    let code = code.trim_matches(['[', ']']).trim();
    match explanation(code) {
        Some(page) => {
            say!("{code}\n\n{page}");
            BUILT
        }
        None => {
            complain!("there is no code `{code}`");
            match nearest(code, explained()) {
                Some(nearest) => complain!("  = help: did you mean `{nearest}`?"),
                None => complain!("  = help: `sitegen explain` lists all codes"),
            }
            USAGE
        }
    }
}
