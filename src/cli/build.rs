//! `sitegen build`: reads, builds, publishes, and says so in a line.

use super::{BUILT, FAILED, MISTAKES};
use crate::content::settings::split_base_url;
use crate::diagnostics::{Checked, Diagnostic, Problem, Severity, print, summary};
use crate::profile::Profile;
use crate::publish::{Published, publish};
use crate::sources::{self, Sources};
use crate::tools::DiskTools;
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct Arguments {
    /// The project's folder, with content/ in it
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Where to publish [default: dist/ in the project's folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The address the site will have, in place of `url` in content/site.yaml
    #[arg(long, value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,
    /// Make pages marked as drafts too
    #[arg(long)]
    drafts: bool,
    /// Use React's development build, which explains errors of islands in the browser's console
    #[arg(long)]
    development: bool,
    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
    /// Print where the time went, and every file
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

fn base_url(text: &str) -> Result<String, String> {
    split_base_url(text).map(|_| text.to_owned()).ok_or_else(|| "write it like https://www.example.com".to_owned())
}

/// Runs the command and gives its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let start = Instant::now();
    let root = &arguments.root;
    if !root.join(crate::content::SITE_FILE).is_file() {
        eprintln!("failed: {} is no project of sitegen: it has no {}", root.display(), crate::content::SITE_FILE);
        eprintln!("  = help: run sitegen in the project's folder, or name it with `--root`");
        return FAILED;
    }
    if let Err(failure) = install_packages(root, arguments.quiet) {
        return told(&[failure], &Sources::default());
    }
    let profile =
        Profile { base_url: arguments.base_url.clone(), development: arguments.development, drafts: arguments.drafts };
    let tools = DiskTools::of(root);
    let (sources, unread) = match sources::read(root) {
        Checked { value: Some(sources), diagnostics } => (sources, diagnostics),
        Checked { value: None, diagnostics } => return told(&diagnostics, &Sources::default()),
    };
    let read = start.elapsed();
    let checked = crate::build(&sources, &profile, &tools);
    let built = start.elapsed();
    let found: Vec<Diagnostic> = unread.into_iter().chain(checked.diagnostics).collect();
    let code = told(&found, &sources);
    let Some(artifacts) = checked.value else { return code };

    let out = arguments.out.clone().unwrap_or_else(|| root.join("dist"));
    match publish(&artifacts, &out) {
        Err(failure) => told(&[failure], &sources),
        Ok(Published { files, changed, bytes }) => {
            if arguments.verbose {
                for (path, bytes, _) in artifacts.iter() {
                    println!("{:>9}  {path}", size(bytes.len() as u64));
                }
                let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
                println!(
                    "read {:.1} ms, build {:.1} ms, publish {:.1} ms",
                    ms(read),
                    ms(built - read),
                    ms(start.elapsed() - built)
                );
            }
            if !arguments.quiet {
                println!(
                    "built {} {} into {}: {files} files ({changed} changed), {}, in {} ms",
                    artifacts.pages,
                    if artifacts.pages == 1 { "page" } else { "pages" },
                    out.display(),
                    size(bytes),
                    start.elapsed().as_millis()
                );
            }
            BUILT
        }
    }
}

/// Prints diagnostics in the order of their files and lines, and gives the exit code they ask for.
fn told(found: &[Diagnostic], sources: &Sources) -> u8 {
    if found.is_empty() {
        return BUILT;
    }
    // https://no-color.org: any value that is not empty turns colour off.
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = std::io::stderr().is_terminal() && !plain;
    let mut sorted: Vec<&Diagnostic> = found.iter().collect();
    sorted.sort_by(|a, b| a.place.cmp(&b.place));
    for diagnostic in &sorted {
        eprintln!("{}", print(diagnostic, colour, &|path| sources.text(path)));
    }
    let worst = found.iter().map(|each| each.severity).max();
    let outcome = if worst == Some(Severity::Warning) { "" } else { "; nothing was published" };
    eprintln!("{}{outcome}", summary(found));
    match worst {
        Some(Severity::Failure) => FAILED,
        Some(Severity::Error) => MISTAKES,
        _ => BUILT,
    }
}

/// Installs the packages of the lock file if there are none yet, so that a fresh clone builds with one command.
fn install_packages(root: &Path, quiet: bool) -> Result<(), Diagnostic> {
    let missing = root.join("package-lock.json").is_file() && !root.join("node_modules").is_dir();
    if !missing {
        return Ok(());
    }
    if !quiet {
        eprintln!("node_modules is missing: installing the packages of package-lock.json with `npm ci`");
    }
    let failed = |detail: String| Diagnostic::failure(Problem::Tool { program: "npm ci", detail });
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    // Install scripts of packages are not run: nothing that a build needs has one.
    let run = std::process::Command::new(npm)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(root)
        .stdin(std::process::Stdio::null())
        .output()
        .map_err(|error| failed(format!("{error}; install Node.js, which brings npm, and try again")))?;
    if run.status.success() { Ok(()) } else { Err(failed(String::from_utf8_lossy(&run.stderr).trim().to_owned())) }
}

/// Bytes in the unit that reads best; 1 KB is 1,000 bytes, as browsers' tools count.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
