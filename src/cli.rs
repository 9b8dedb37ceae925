//! The command line: arguments, what is printed, and exit codes. One file per command.

mod build;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The site was built.
const BUILT: u8 = 0;
/// The site has mistakes.
const MISTAKES: u8 = 1;
/// The tool could not do its work. (2, wrong usage, is what clap exits with.)
const FAILED: u8 = 3;

/// Compiles a website from YAML, Markdown, templates and React islands.
#[derive(Parser)]
#[command(name = "sitegen", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes:\n  0  done\n  1  the site has mistakes, nothing was published\n  \
                          2  wrong usage\n  3  the tool failed, nothing was published";

#[derive(Subcommand)]
enum Command {
    /// Build the site and publish it to a folder
    Build(build::Arguments),
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    ExitCode::from(match arguments.command {
        Command::Build(arguments) => build::run(&arguments),
    })
}
