//! `sitegen lsp`: the language server, for editors.

use super::project;
use crate::lsp;
use crate::profile::{Host, Profile};
use clap::Args;
use std::sync::Arc;

#[derive(Args)]
pub struct Arguments {
    /// Include drafts, and pages and entries with a `publish` date in the future
    #[arg(long)]
    drafts: bool,
    /// The hosting service to check for; overrides `settings.host` in content/site.yaml
    #[arg(long, value_name = "HOST", value_parser = project::host())]
    target: Option<Host>,
    /// Run no program of the project: islands are not compiled
    #[arg(long)]
    no_programs: bool,
    /// What some editors add; standard input and output are used anyway
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves an editor on standard input and output until it ends, and ends the program.
pub fn run(arguments: &Arguments) -> ! {
    let connection = lsp::transport::stdio();
    let (drafts, host) = (arguments.drafts, arguments.target);
    let profile = move || Profile { drafts, host, today: project::today(), ..Profile::default() };
    let checks = lsp::Checks {
        with_programs: !arguments.no_programs,
        profile: Arc::new(profile),
        find: project::tools_of,
        manual: project::manual(),
    };
    let is_ended = lsp::run(&connection, checks);
    // The thread that writes has locked standard output, which the end of `main` would wait for.
    // The protocol says 1 for an end that no `shutdown` came before.
    std::process::exit(i32::from(!is_ended))
}
