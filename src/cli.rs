//! The command line: arguments, printing, and exit codes. One file per command.

use crate::diagnostics::{Diagnostic, ToolProblem, json_line, print};
use crate::sources::UNREAD;
use crate::tools::scratch::SCRATCH;
use clap::error::ContextValue;
use clap::{Parser, Subcommand};
use std::any::Any;
use std::io::{ErrorKind, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::OnceLock;

/// Prints a line to standard output, without characters that control a terminal. A reader that has gone away, as in
/// `sitegen build | head`, is no reason to fail; a full disk is, and [`run`] reports it at the end.
macro_rules! print_line {
    ($($part:tt)*) => {
        crate::cli::note_failure({
            use std::io::Write as _;
            writeln!(std::io::stdout(), "{}", crate::diagnostics::printable(&format!($($part)*)))
        })
    };
}

/// Prints a line to standard error, without characters that control a terminal. A failure has nowhere left to be
/// reported.
macro_rules! print_error {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "{}", crate::diagnostics::printable(&format!($($part)*)));
    }};
}

mod build;
mod cache;
mod deploy;
mod doctor;
mod explain;
mod fix;
mod import;
mod lsp;
mod new;
mod preview;
mod project;
pub mod reference;
mod schema;
mod serve;
mod signals;
mod timings;
pub mod translations;
mod types;
mod verify;

/// The site was built.
const BUILT: u8 = 0;
/// The site has errors.
const MISTAKES: u8 = 1;
/// The arguments are wrong. clap exits with this code too.
const USAGE: u8 = 2;
/// The program could not do its work.
const FAILED: u8 = 3;

/// Builds a website from YAML, Markdown, templates and React islands.
#[derive(Parser)]
#[command(name = "sitegen", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes:\n  0  done\n  1  the site has errors, nothing was published\n  \
                          2  wrong usage\n  3  sitegen failed, nothing was published unless it says so\n  \
                          130, 143  stopped by a signal, nothing was published";

#[derive(Subcommand)]
enum Command {
    /// Create a project from a starter, or add a page, entry, island or component to a project
    New(new::Arguments),
    /// Create a project from the sources of a Hugo, Jekyll, Zola, Starlight, Docusaurus or mdBook site
    Import(import::Arguments),
    /// Build the site and publish it to a folder
    #[command(mut_arg("target", |argument| argument.alias("host")))]
    Build(build::Arguments),
    /// Report every error in the site without publishing it
    #[command(mut_arg("target", |argument| argument.alias("host")))]
    Check(build::CheckArguments),
    /// Apply the safe fixes that messages suggest, then check
    #[command(mut_arg("target", |argument| argument.alias("host")))]
    Fix(fix::Arguments),
    /// Check the files of a published folder against its manifest.json
    Verify(verify::Arguments),
    /// Copy the output folder to object storage, to a server over SSH or to a folder
    Deploy(deploy::Arguments),
    /// Serve the site locally and update the browser after every save
    // Until 0.1 it was `--as` here, and `--host` with `build` and `check`.
    #[command(mut_arg("target", |argument| argument.alias("as")))]
    Serve(serve::Arguments),
    /// Serve a published folder locally, as its hosting service does
    Preview(preview::Arguments),
    /// Answer an editor that speaks the Language Server Protocol, on standard input and output
    Lsp(lsp::Arguments),
    /// Explain a diagnostic code, like `unknown-key`
    Explain(explain::Arguments),
    /// Print details of the build environment for bug reports
    Doctor(doctor::Arguments),
    /// List missing and outdated translations, and exchange texts with translators
    Translations(translations::Arguments),
    /// Write TypeScript types for islands and content to .sitegen/types
    Types(types::Arguments),
    /// Print the JSON Schema for content/site.yaml, a page, an entry or a diagnostic
    Schema(schema::Arguments),
}

/// Prints a line to standard error that has colours in it and is known to be safe.
fn print_error_in_colour(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The first error of writing to standard output.
static UNWRITTEN: OnceLock<std::io::Error> = OnceLock::new();

/// Records that something could not be printed, unless its reader went away.
fn note_failure(written: std::io::Result<()>) {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => drop(UNWRITTEN.set(error)),
        _ => {}
    }
}

/// What a worker thread may need: YAML that is nested as deeply as its limit allows takes more than the 2 MB that threads
/// have otherwise, where the program was compiled without optimisation. Memory is taken only for what is used.
const STACK: usize = 8 << 20;

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    crate::cache::name_engine(crate::ENGINE);
    let arguments = Arguments::try_parse().unwrap_or_else(|error| without_secrets(error).exit());
    if let Some(seconds) = std::env::var_os("SOURCE_DATE_EPOCH")
        && seconds.to_str().and_then(project::day_of).is_none()
    {
        print_error!(
            "error: SOURCE_DATE_EPOCH is not a number of seconds since 1970 up to the year 9999, like 1767225600: {}",
            seconds.display()
        );
        return ExitCode::from(USAGE);
    }
    // `.` would trust every project that the program is run in.
    if let Some(folder) = project::trusted_folders().into_iter().find(|folder| !folder.is_absolute()) {
        print_error!("error: {} lists a folder that is not absolute: {}", project::TRUSTED, folder.display());
        return ExitCode::from(USAGE);
    }
    // It fails only where the workers have been started already.
    let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    report_panics();
    let run = AssertUnwindSafe(|| run_command(arguments.command));
    let (code, is_json) = catch_unwind(run).unwrap_or_else(|panic| {
        print_error!("{}", print(&panicked(&*panic), false, &|_| None));
        (FAILED, false)
    });
    note_failure(std::io::stdout().flush());
    let Some(error) = UNWRITTEN.get() else { return ExitCode::from(code) };
    let (action, path) = ("write to", "standard output".to_owned());
    let failure = Diagnostic::failure(ToolProblem::Io { action, path, detail: error.to_string() });
    // Standard error is the only way left, whatever the format.
    print_error!(
        "{}",
        if is_json {
            json_line(&failure, None, project::manual().as_ref(), &|_| None)
        } else {
            print(&failure, false, &|_| None)
        }
    );
    ExitCode::from(FAILED)
}

/// Returns an error of clap that repeats no secret of an address.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    let texts = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, crate::content::deployment::shown(text))),
        _ => None,
    });
    for (kind, text) in texts.collect::<Vec<_>>() {
        error.insert(kind, ContextValue::String(text));
    }
    error
}

/// Runs a command. Returns the exit code, and whether messages are JSON.
fn run_command(command: Command) -> (u8, bool) {
    match command {
        Command::Build(arguments) => (build::run(&arguments), arguments.project.is_json()),
        Command::Check(arguments) => (build::check(&arguments), arguments.project.is_json()),
        Command::Fix(arguments) => (fix::run(&arguments), arguments.project.is_json()),
        Command::Verify(arguments) => (verify::run(&arguments), arguments.is_json()),
        Command::Deploy(arguments) => (deploy::run(&arguments), arguments.is_json()),
        Command::Serve(arguments) => (serve::run(&arguments), false),
        Command::Preview(arguments) => (preview::run(&arguments), false),
        Command::New(arguments) => (new::run(&arguments), false),
        Command::Import(arguments) => (import::run(&arguments), false),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Explain(arguments) => (explain::run(&arguments), false),
        Command::Translations(arguments) => (translations::run(&arguments), arguments.is_json()),
        Command::Types(arguments) => (types::run(&arguments), false),
        Command::Doctor(arguments) => (doctor::run(&arguments), false),
        Command::Schema(arguments) => (schema::run(&arguments), false),
    }
}

/// What the standard library says where the system fails to close a folder that was read. It has no other way to report that.
const UNCLOSED: &str = "unexpected error during closedir";

/// Lets the standard library report a panic with its place, but not one that says what the system did.
fn report_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if said(panic.payload()).and_then(failure_of_system).is_none() {
            report(panic);
        }
    }));
}

/// Returns the text of a panic.
fn said(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied())
}

/// Returns the failure of the system that a panic reports.
fn failure_of_system(said: &str) -> Option<ToolProblem> {
    let failures = [(UNCLOSED, "close", "a folder"), (UNREAD, "read", SCRATCH)];
    failures.into_iter().find_map(|(begins, action, path)| {
        let detail = said.strip_prefix(begins)?.trim_start_matches([':', ' ']).to_owned();
        Some(ToolProblem::Io { action, path: path.to_owned(), detail })
    })
}

/// Returns what to say of a panic.
fn panicked(panic: &(dyn Any + Send)) -> Diagnostic {
    let said = said(panic).unwrap_or("it panicked");
    let bug = || ToolProblem::Tool { program: "sitegen", detail: format!("{said}; this is a bug in sitegen") };
    Diagnostic::failure(failure_of_system(said).unwrap_or_else(bug))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Host;
    use clap::CommandFactory;
    use std::net::IpAddr;

    #[test]
    fn seconds_since_1970_are_a_day_if_a_date_can_be_as_far() {
        let day = |seconds: &str| project::day_of(seconds).map(|day| day.to_string());
        assert_eq!(day("1796083200").as_deref(), Some("2026-12-01"));
        assert_eq!(day("-1").as_deref(), Some("1969-12-31"));
        for seconds in ["253402300800", "99999999999999", "9999999999999999999999", "x", ""] {
            assert_eq!(day(seconds), None, "{seconds}");
        }
    }

    #[test]
    fn the_host_is_a_target_everywhere_and_old_spellings_still_work() {
        Arguments::command().debug_assert();
        let target = |command: &str, flag: &str| {
            let matches = Arguments::command().try_get_matches_from(["sitegen", command, flag, "netlify"]);
            matches.unwrap().subcommand().unwrap().1.get_one::<Host>("target").copied()
        };
        for (command, old) in [("build", "--host"), ("check", "--host"), ("serve", "--as"), ("preview", "--as")] {
            assert_eq!(target(command, "--target"), Some(Host::Netlify), "{command}");
            assert_eq!(target(command, old), Some(Host::Netlify), "{command}");
        }
        for (command, flag) in ["serve", "preview"].into_iter().flat_map(|each| [(each, "--address"), (each, "--host")])
        {
            let matches = Arguments::command().try_get_matches_from(["sitegen", command, flag, "::1"]).unwrap();
            let address = matches.subcommand().unwrap().1.get_one::<IpAddr>("address").copied();
            assert_eq!(address, "::1".parse().ok(), "{command} {flag}");
        }
        for command in ["build", "check", "serve", "preview"] {
            let mut all = Arguments::command();
            let help = all.find_subcommand_mut(command).unwrap().render_long_help().to_string();
            assert!(
                help.contains("--target") && !help.contains("--host ") && !help.contains("--as "),
                "{command}: {help}"
            );
        }
    }
}
