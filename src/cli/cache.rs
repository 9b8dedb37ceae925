//! `--cache`: the cache that machines share, as `sitegen build` and `sitegen check` use it.

use super::project;
use crate::diagnostics::{Diagnostic, ToolProblem};
use crate::storage::Failure;
use crate::storage::address::Address;
use crate::storage::entry::{Key, SHORTEST_SECRET};
use crate::storage::shared::{Shared, Traffic};
use clap::Args;
use std::sync::Arc;
use std::time::Duration;

/// How long a build waits at its end for a cache that answers nothing.
pub const A_WHILE: Duration = Duration::from_secs(2);

/// How long a part of a build waits for it, which is made for the cache.
pub const LONG: Duration = Duration::from_secs(60);

/// The environment variable with the secret that entries are authenticated with.
const SECRET: &str = "SITEGEN_CACHE_KEY";

#[derive(Args)]
#[group(skip)]
pub struct Arguments {
    /// A cache that machines share: s3://bucket/prefix, gs://…, az://…, https://… of a Bazel cache, or a folder
    #[arg(long, value_name = "ADDRESS", value_parser = Address::parse)]
    pub cache: Option<Address>,
}

/// Why the cache that a command names is not used.
struct Unusable {
    what: String,
    help: Option<String>,
    /// Whether no build goes on with it: the secret protects nothing.
    is_fatal: bool,
}

/// Opens the cache. `None` if there is none, or if it cannot be used, which is printed: a build does without it.
pub fn open(arguments: &Arguments, project: &project::Arguments) -> Result<Option<Arc<Shared>>, u8> {
    match opened(arguments) {
        Ok(shared) => Ok(shared.map(Arc::new)),
        Err(unusable) if unusable.is_fatal => Err(fail(unusable, project)),
        Err(Unusable { what, help, .. }) => {
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            note(project, &format!("{what}{help}"));
            Ok(None)
        }
    }
}

/// Opens the cache for what is made for it alone. Fails if it cannot be used.
pub fn open_for_part(arguments: &Arguments, project: &project::Arguments) -> Result<Option<Arc<Shared>>, u8> {
    let shared = opened(arguments).map_err(|unusable| fail(unusable, project))?;
    Ok(shared.map(|shared| Arc::new(shared.to_fill())))
}

fn opened(arguments: &Arguments) -> Result<Option<Shared>, Unusable> {
    let Some(address) = &arguments.cache else { return Ok(None) };
    let secret = std::env::var(SECRET).ok().filter(|secret| !secret.trim().is_empty());
    let key = match &secret {
        Some(secret) => Key::of(secret),
        None if address.is_remote() => {
            let what = format!("{SECRET} is not set: without it nothing is read from or written to a server");
            return Err(Unusable { what, help: None, is_fatal: false });
        }
        None => Key::of_trusted_folder(),
    };
    let Some(key) = key else {
        let what = format!("{SECRET} has fewer than {SHORTEST_SECRET} characters");
        let help = Some("make one with `openssl rand -hex 32`, and give the same to all machines".to_owned());
        return Err(Unusable { what, help, is_fatal: true });
    };
    Shared::open(address, &key, Arc::new(|name: &str| std::env::var(name).ok()))
        .map(Some)
        .map_err(|Failure { what, help }| Unusable { what, help, is_fatal: false })
}

fn fail(Unusable { what, help, .. }: Unusable, project: &project::Arguments) -> u8 {
    let failure = Diagnostic::failure(ToolProblem::SharedCache { what, help });
    project::report(project, vec![failure], &Default::default())
}

fn note(project: &project::Arguments, reason: &str) {
    if project.is_talkative() {
        print_line!("note: the shared cache is not used: {reason}");
    }
}

/// Waits until everything is sent, as long as the cache answers, and prints what the cache was good for. Returns why it was given up, if it was.
pub fn finish(shared: &Shared, project: &project::Arguments, patience: Duration) -> Option<String> {
    let Traffic { read, sent, refused, failure } = shared.finish(patience);
    if project.is_talkative() {
        print_line!("shared cache: {read} {} read, {sent} written", if read == 1 { "entry" } else { "entries" });
        if refused > 0 {
            print_line!(
                "note: {refused} {} of the shared cache {} ignored: damaged, or written without {SECRET}",
                if refused == 1 { "entry" } else { "entries" },
                if refused == 1 { "was" } else { "were" }
            );
        }
        if let Some(reason) = &failure {
            print_line!("note: the shared cache does not answer ({reason}); the build went on without it");
        }
    }
    failure
}
