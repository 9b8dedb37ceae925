//! The command line: arguments, what is printed, and exit codes. One file per command.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Prints a line to standard output. A reader that has gone away, as in `sitegen build | head`, is no reason to fail.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($part)*);
    }};
}

/// Prints a line to standard error, under the same condition as [`say`].
macro_rules! complain {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

mod build;
mod explain;
mod preview;
mod project;
mod schema;
mod serve;
mod signals;
mod timings;
mod verify;

/// The site was built.
const BUILT: u8 = 0;
/// The site has mistakes.
const MISTAKES: u8 = 1;
/// The program was called in a way it does not know. Also what clap exits with.
const USAGE: u8 = 2;
/// The tool could not do its work.
const FAILED: u8 = 3;

/// Compiles a website from YAML, Markdown, templates and React islands.
#[derive(Parser)]
#[command(name = "sitegen", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes:\n  0  done\n  1  the site has mistakes, nothing was published\n  \
                          2  wrong usage\n  3  the tool failed, nothing was published\n  \
                          130, 143  stopped by a signal, nothing was published";

#[derive(Subcommand)]
enum Command {
    /// Build the site and publish it to a folder
    Build(build::Arguments),
    /// Find every mistake in the site, without publishing it
    Check(project::Arguments),
    /// Hold a published folder against its manifest.json
    Verify(verify::Arguments),
    /// Show the site in a browser while it is edited
    Serve(serve::Arguments),
    /// Serve a published folder as its host does
    Preview(preview::Arguments),
    /// Explain a code like `unknown-key`
    Explain(explain::Arguments),
    /// Print the JSON Schema of content/site.yaml, of a page, or of a diagnostic
    Schema(schema::Arguments),
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    ExitCode::from(match arguments.command {
        Command::Build(arguments) => build::run(&arguments),
        Command::Check(arguments) => build::check(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Preview(arguments) => preview::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
    })
}
