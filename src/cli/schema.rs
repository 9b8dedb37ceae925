//! `sitegen schema`: the JSON Schemas that are part of the program.

use super::BUILT;
use crate::content::schema::{PAGE, SITE};
use crate::diagnostics::JSON_SCHEMA;
use clap::{Args, ValueEnum};

#[derive(Args)]
pub struct Arguments {
    /// What the schema describes
    #[arg(value_enum, default_value = "site")]
    of: Of,
}

#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// content/site.yaml
    Site,
    /// The front matter of a page
    Page,
    /// A line of `--format json`
    Diagnostic,
}

/// Runs the command and gives its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let schema = match arguments.of {
        Of::Site => SITE,
        Of::Page => PAGE,
        Of::Diagnostic => JSON_SCHEMA,
    };
    say!("{}", schema.trim_end());
    BUILT
}
