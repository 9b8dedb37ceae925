//! `--cache`: the cache that machines share, as `sitegen build` and `sitegen check` use it.

use super::project;
use crate::diagnostics::{Diagnostic, ToolProblem};
use crate::publish::resolved;
use crate::sources::FOLDERS;
use crate::storage::Failure;
use crate::storage::address::Address;
use crate::storage::entry::{Key, SHORTEST_SECRET};
use crate::storage::shared::{Shared, Traffic};
use clap::Args;
use std::path::Path;
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
    /// Whether no build goes on with it: it is not what anybody wants.
    is_fatal: bool,
}

/// Opens the cache. `None` if there is none, or if it cannot be used, which is printed: a build does without it.
pub fn open(arguments: &Arguments, project: &project::Arguments, out: &Path) -> Result<Option<Arc<Shared>>, u8> {
    match opened(arguments, project, out) {
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
pub fn open_for_part(
    arguments: &Arguments,
    project: &project::Arguments,
    out: &Path,
) -> Result<Option<Arc<Shared>>, u8> {
    let shared = opened(arguments, project, out).map_err(|unusable| fail(unusable, project))?;
    Ok(shared.map(|shared| Arc::new(shared.to_fill())))
}

fn opened(arguments: &Arguments, project: &project::Arguments, out: &Path) -> Result<Option<Shared>, Unusable> {
    let Some(address) = &arguments.cache else { return Ok(None) };
    if let Address::Folder(folder) = address {
        refuse_part_of_site(Path::new(folder), &project.root, out)?;
    }
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

/// Refuses a folder whose files a build would read as sources, or publish, or delete.
fn refuse_part_of_site(folder: &Path, root: &Path, out: &Path) -> Result<(), Unusable> {
    let Ok(real) = resolved(folder) else { return Ok(()) };
    let sources = FOLDERS.map(|name| (root.join(name), "a folder of sources"));
    let parts = sources.into_iter().chain([(out.to_path_buf(), "the output folder")]);
    for (part, kind) in parts {
        if resolved(&part).is_ok_and(|part| real.starts_with(part)) {
            let what = format!("`{}` is in `{}`, {kind}", folder.display(), part.display());
            let help = Some("name a folder outside of the project, such as `--cache ../cache`".to_owned());
            return Err(Unusable { what, help, is_fatal: true });
        }
    }
    Ok(())
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

/// Waits until everything is sent, as long as the cache answers, and prints what the cache was good for. Returns why it lacks something
/// of this build, if it does.
pub fn finish(shared: &Shared, project: &project::Arguments, patience: Duration) -> Option<String> {
    let Traffic { read, sent, refused, failure, unwritable } = shared.finish(patience);
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
        } else if let Some(reason) = &unwritable {
            print_line!("note: the shared cache takes nothing ({reason}); the build only read from it");
        }
    }
    failure.or(unwritable)
}
