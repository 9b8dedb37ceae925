//! `sitegen build` and `sitegen check`: read, build, publish, and say so in a line.

use super::BUILT;
use super::project::{self, Project};
use super::signals::{self, Publishing};
use crate::diagnostics::{Diagnostic, Problem};
use crate::publish::{Options, Outcome, Published, publish};
use crate::sources::Sources;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    project: project::Arguments,
    /// Where to publish [default: dist/ in the project's folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Leave out manifest.json, which names every file with its SHA-256
    #[arg(long)]
    no_manifest: bool,
    /// Print every file and where the time went
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

/// Builds and publishes, and gives the exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let start = Instant::now();
    let stop = signals::heed();
    match build(arguments, start, stop) {
        Ok(()) => BUILT,
        Err(code) => code,
    }
}

fn build(arguments: &Arguments, start: Instant, stop: Arc<AtomicBool>) -> Result<(), u8> {
    let mut project = Project::open(&arguments.project)?;
    let mut artifacts = project.build(&arguments.project)?;
    let built = start.elapsed();
    let out = arguments.out.clone().unwrap_or_else(|| arguments.project.root.join("dist"));
    let options = Options {
        project: Some(arguments.project.root.clone()),
        home: std::env::home_dir(),
        no_manifest: arguments.no_manifest,
        stop,
        ..Options::default()
    };
    let publishing = Publishing::begins();
    let mut result = publish(&artifacts, &out, &options);
    // Memory speaks of another folder, or somebody has changed this one.
    if let Ok(Outcome::Lacking(_)) = result {
        artifacts = project.build_without_memory()?;
        result = publish(&artifacts, &out, &options);
    }
    drop(publishing);
    let Published { files, changed, bytes } = match result {
        Ok(Outcome::Published(published)) => published,
        Ok(Outcome::Lacking(paths)) => {
            let (path, detail) = (out.display().to_string(), format!("{} has gone", paths[0]));
            let failure = Diagnostic::failure(Problem::Io { action: "publish to", path, detail });
            return Err(project::tell(&arguments.project, vec![failure], &Sources::default()));
        }
        Err(failure) => return Err(project::tell(&arguments.project, vec![failure], &Sources::default())),
    };
    project.save_memory();
    if arguments.verbose && arguments.project.is_talkative() {
        for (path, content) in artifacts.contents() {
            say!("{:>9}  {path}", size(content.len()));
        }
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        say!("read and built in {:.1} ms, published in {:.1} ms", ms(built), ms(start.elapsed() - built));
    }
    if arguments.project.is_talkative() {
        project::tell_schedule(&artifacts.schedule);
        say!(
            "built {} into {}: {files} files ({changed} changed), {}, in {} ms",
            pages(artifacts.pages),
            out.display(),
            size(bytes),
            start.elapsed().as_millis()
        );
    }
    // The process ends here; giving back the memory of ten thousand pages piece by piece would only take time.
    std::mem::forget((project, artifacts));
    Ok(())
}

/// Builds without publishing, and gives the exit code.
pub fn check(arguments: &project::Arguments) -> u8 {
    let start = Instant::now();
    signals::heed();
    let artifacts = match Project::open(arguments).and_then(|mut project| project.build(arguments)) {
        Ok(artifacts) => artifacts,
        Err(code) => return code,
    };
    if arguments.is_talkative() {
        project::tell_schedule(&artifacts.schedule);
        say!("checked {}: no errors, in {} ms", pages(artifacts.pages), start.elapsed().as_millis());
    }
    BUILT
}

fn pages(count: usize) -> String {
    format!("{count} {}", if count == 1 { "page" } else { "pages" })
}

/// Bytes in the unit that reads best; 1 KB is 1,000 bytes, as browsers' tools count.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
