//! `sitegen build` and `sitegen check`: read, build, publish, and say so in a line.

use super::{BUILT, project};
use crate::publish::{Published, publish};
use crate::sources::Sources;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    project: project::Arguments,
    /// Where to publish [default: dist/ in the project's folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print every file and where the time went
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

/// Builds and publishes, and gives the exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let start = Instant::now();
    let artifacts = match project::make(&arguments.project) {
        Ok(artifacts) => artifacts,
        Err(code) => return code,
    };
    let built = start.elapsed();
    let out = arguments.out.clone().unwrap_or_else(|| arguments.project.root.join("dist"));
    let Published { files, changed, bytes } = match publish(&artifacts, &out) {
        Ok(published) => published,
        Err(failure) => return project::tell(&arguments.project, vec![failure], &Sources::default()),
    };
    if arguments.verbose && arguments.project.is_talkative() {
        for (path, bytes, _) in artifacts.iter() {
            say!("{:>9}  {path}", size(bytes.len() as u64));
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
    BUILT
}

/// Builds without publishing, and gives the exit code.
pub fn check(arguments: &project::Arguments) -> u8 {
    let start = Instant::now();
    let artifacts = match project::make(arguments) {
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
