//! `sitegen explain CODE`: a short page about one kind of mistake.

use super::{BUILT, USAGE};
use crate::diagnostics::{explained, explanation, is_adjustable, nearest};
use clap::Args;

#[derive(Args)]
pub struct Arguments {
    /// The diagnostic code, like unknown-key; if omitted, all codes are listed
    code: Option<String>,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let Some(code) = &arguments.code else {
        explained().for_each(|code| print_line!("{code}"));
        return BUILT;
    };
    // People copy the brackets too.
    let code = code.trim_matches(['[', ']']).trim();
    match explanation(code) {
        Some(page) => {
            print_line!("{code}\n\n{page}");
            print_line!("\n{}", severity(code));
            BUILT
        }
        None => {
            print_error!("there is no code `{code}`");
            match nearest(code, explained()) {
                Some(nearest) => print_error!("  = help: did you mean `{nearest}`?"),
                None => print_error!("  = help: `sitegen explain` lists all codes"),
            }
            USAGE
        }
    }
}

/// Says whether a site may decide what a code weighs.
pub fn severity(code: &str) -> String {
    match is_adjustable(code) {
        true => {
            format!("Severity: can be set, as in `settings.checks: {{ {code}: warning }}`; errors can be suppressed.")
        }
        false => "Severity: cannot be changed.".to_owned(),
    }
}
