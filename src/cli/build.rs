//! `sitegen build` and `sitegen check`: read, build, publish, and report the result in a line.

use super::BUILT;
use super::cache;
use super::fix;
use super::project::{self, Project};
use super::signals::{self, Publishing};
use super::timings::{self, Clock};
use crate::artifacts::{Artifacts, PartBuilt};
use crate::diagnostics::{Diagnostic, ToolProblem};
use crate::islands::Cost;
use crate::observe::Work;
use crate::pages::{NEVER, Part};
use crate::parallel;
use crate::paths::SUPPRESSIONS;
use crate::publish::{InPlace, Options, Outcome, Published, complete, publish, refusal};
use crate::search;
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub project: project::Arguments,
    /// The folder to publish to [default: dist/ in the project folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Do not write manifest.json, which lists every file with its SHA-256
    #[arg(long)]
    no_manifest: bool,
    /// Replace files one by one and keep the folder itself, for a folder that a container mounts
    #[arg(long)]
    in_place: bool,
    /// Print every file with its size
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    #[command(flatten)]
    cache: cache::Arguments,
    /// Make one part of the pages and pictures, like 3/8, for the shared cache, and publish nothing
    #[arg(
        long,
        value_name = "PART",
        value_parser = part,
        requires = "cache",
        conflicts_with_all = ["out", "no_manifest", "in_place", "against", "timings"],
    )]
    shard: Option<Part>,
    /// Print the time of each stage and the slowest pages
    #[arg(long, value_name = "KIND", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    timings: Option<timings::Kind>,
}

/// Reads the number of a part and of all: `3/8`.
fn part(text: &str) -> Result<Part, String> {
    let (number, count) = text.split_once('/').unwrap_or_default();
    match (number.parse::<usize>(), count.parse::<usize>()) {
        (Ok(number), Ok(count)) if (1..=count).contains(&number) && count <= MOST_PARTS => {
            Ok(Part { number: number - 1, count })
        }
        _ => Err(format!("write it like 3/8: the third of eight parts, of at most {MOST_PARTS}")),
    }
}

/// How many parts there can be.
const MOST_PARTS: usize = 1000;

/// Builds and publishes, and returns the exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let start = Instant::now();
    let stop = signals::heed();
    // Runs on one of the worker threads: when this one took its own share, two cores had three threads, and the system
    // kept two of them on one core for the first twelve of a hundred milliseconds.
    let built = rayon::scope(|_| match arguments.shard {
        Some(part) => build_part(arguments, part, start),
        None => build(arguments, start, stop),
    });
    match built {
        Ok(()) => BUILT,
        Err(code) => code,
    }
}

/// Returns the user's folder. `std::env::home_dir` also asks the system's list of users on Unix, for which a static program loads
/// libraries of another glibc.
pub fn home() -> Option<PathBuf> {
    if cfg!(unix) { std::env::var_os("HOME").map(PathBuf::from) } else { std::env::home_dir() }
}

/// Returns the output folder.
fn output(arguments: &Arguments) -> PathBuf {
    arguments.out.clone().unwrap_or_else(|| arguments.project.root.join("dist"))
}

/// Makes a part of the site for the shared cache.
fn build_part(arguments: &Arguments, part: Part, start: Instant) -> Result<(), u8> {
    let Some(shared) = cache::open_for_part(&arguments.cache, &arguments.project, &output(arguments))? else {
        return Ok(());
    };
    let mut project = Project::open(&arguments.project)?.sharing(Some(shared.clone()));
    let built = project.build_part(&arguments.project, part)?;
    let given_up = cache::finish(&shared, &arguments.project, cache::LONG);
    let failure = given_up.map(|reason| {
        let help = Some("the build that publishes the site makes what is missing".to_owned());
        Diagnostic::failure(ToolProblem::SharedCache { what: reason, help })
    });
    let has_failed = failure.is_some();
    let code = project.report(&arguments.project, failure);
    if has_failed {
        return Err(code);
    }
    if arguments.project.is_talkative() {
        let PartBuilt { pages: made, all_pages, files, all_files } = built;
        let Part { number, count } = part;
        print_line!(
            "made part {} of {count}: {made} of {}, {files} of {all_files} pictures, in {} ms; nothing was published",
            number + 1,
            pages(all_pages),
            start.elapsed().as_millis()
        );
    }
    std::mem::forget(project);
    Ok(())
}

fn build(arguments: &Arguments, start: Instant, stop: Arc<AtomicBool>) -> Result<(), u8> {
    let out = output(arguments);
    let options = Options {
        project: Some(arguments.project.root.clone()),
        home: home(),
        no_manifest: arguments.no_manifest,
        in_place: arguments.in_place,
        stop,
        ..Options::default()
    };
    // Whatever this build reports, a half-published site is completed first.
    if complete(&out, &options) && arguments.project.is_talkative() {
        print_line!("completed the interrupted publication into {}", out.display());
    }
    let clock = Clock::start(arguments.timings.is_some());
    let progress = if arguments.project.is_talkative() { clock.show_progress() } else { None };
    let reading = Work::on(&*clock, "read the files");
    let shared = cache::open(&arguments.cache, &arguments.project, &out)?;
    let mut project = Project::open(&arguments.project)?.observed_by(clock.clone()).sharing(shared.clone());
    drop(reading);
    let built = project.build(&arguments.project, &out, progress);
    let finish = || shared.as_ref().map(|shared| cache::finish(shared, &arguments.project, cache::A_WHILE));
    // What was made before an error came up need not be made again once that is corrected.
    let mut artifacts = built.inspect_err(|_| drop(finish()))?;
    project.forget_build();
    let publishing = Publishing::begins();
    let work = Work::on(&*clock, "publish");
    // Threads of publishing wait for the disk now and then. The cache is encoded meanwhile and written once the site is
    // published.
    let attempt = |artifacts: &Artifacts, project: &Project| {
        parallel::join(|| publish(artifacts, &out, &options), || project.cache_to_save(artifacts))
    };
    let (mut result, mut cache) = attempt(&artifacts, &project);
    // The snapshot is of another folder, or somebody has changed this one.
    if let Ok(Outcome::Lacking(_)) = result {
        artifacts = project.build_without_cache()?;
        (result, cache) = attempt(&artifacts, &project);
    }
    drop((publishing, work));
    let published = match result {
        Ok(Outcome::Published(published)) => published,
        Ok(Outcome::Lacking(paths)) => {
            let (path, detail) = (out.display().to_string(), format!("{} has gone", paths[0]));
            let failure = Diagnostic::failure(ToolProblem::Io { action: "publish to", path, detail });
            return Err(project.report(&arguments.project, Some(failure)));
        }
        Ok(Outcome::Begun(failure)) => return Err(project.report_begun(&arguments.project, failure)),
        Err(failure) => return Err(project.report(&arguments.project, Some(failure))),
    };
    let saving = Work::on(&*clock, "save the cache");
    if let Some(cache) = cache {
        project.save_cache(cache);
    }
    project.drop_unused();
    drop(saving);
    finish();
    project.report(&arguments.project, None);
    let is_talkative = arguments.project.is_talkative();
    if arguments.verbose && is_talkative {
        print_files(&artifacts);
    }
    if let Some(kind) = arguments.timings {
        report_timings(kind, &project, &clock, is_talkative);
    }
    if is_talkative {
        print_summary(&artifacts, &published);
        let Published { files, changed, bytes, .. } = published;
        print_line!(
            "built {} into {}: {files} files ({changed} changed), {}, in {} ms",
            pages(artifacts.site.pages),
            out.display(),
            size(bytes),
            start.elapsed().as_millis()
        );
    }
    // The process ends here; freeing the memory of ten thousand pages piece by piece would only take time.
    std::mem::forget((project, artifacts));
    Ok(())
}

/// Prints how long each stage took, and writes the trace if that is wanted.
fn report_timings(kind: timings::Kind, project: &Project, clock: &Clock, is_talkative: bool) {
    let trace = (kind == timings::Kind::Trace)
        .then(|| project.write_scratch("trace.json", clock.trace().as_bytes()).display().to_string());
    if is_talkative {
        print_line!("{}", clock.table().trim_end());
        trace.iter().for_each(|path| print_line!("trace: {path}"));
    }
}

/// Prints every file with its size, and what each island costs.
fn print_files(artifacts: &Artifacts) {
    for (path, content) in artifacts.contents() {
        print_line!("{:>9}  {path}", size(content.len()));
    }
    let indexes = artifacts.contents().filter(|(path, _)| search::is_index(path.as_str()));
    let (files, bytes) = indexes.fold((0, 0), |(files, bytes), (_, file)| (files + 1, bytes + file.len()));
    if files > 0 {
        print_line!("{:>9}  the index of the search: {files} files", size(bytes));
    }
    for cost in &artifacts.costs {
        print_line!("{}", cost_line(cost, &artifacts.site.calls));
    }
}

/// Prints what is special about a published site.
fn print_summary(artifacts: &Artifacts, published: &Published) {
    project::report_schedule(&artifacts.site.schedule);
    if let Some(reason) = &published.in_place {
        print_line!(
            "published in place, because {}: every file was complete at every moment, the site only at the end",
            words(reason)
        );
    }
    project::report_other_host(artifacts);
    project::report_suppressed(artifacts.site.suppressed);
}

/// What an island costs visitors, and when, by the calls of islands with their `hydrate`.
fn cost_line(cost: &Cost, calls: &BTreeSet<(String, String)>) -> String {
    let Cost { island, size: bytes, shared, later, packages } = cost;
    let line = |bytes: usize, text: &str| format!("{:>9}  island {island}: {text}", size(bytes as u64));
    let strategies: Vec<&str> =
        calls.iter().filter(|(name, _)| name == island).map(|(_, hydrate)| hydrate.as_str()).collect();
    let strategies: Vec<&str> = match strategies.as_slice() {
        [] => return line(0, "no page calls it"),
        [NEVER] => return line(0, "nothing is loaded, since it is called only with `hydrate=\"never\"`"),
        all => all.iter().filter(|hydrate| **hydrate != NEVER).copied().collect(),
    };
    let packages = packages.iter().map(|(name, bytes)| format!("{name} {}", size(*bytes as u64)));
    let mut parts = vec![packages.collect::<Vec<_>>().join(", ")];
    let is_loaded = |name: &String| calls.iter().any(|(other, hydrate)| other == name && hydrate != NEVER);
    let shared: Vec<(usize, Vec<&str>)> = shared
        .iter()
        .map(|(bytes, names)| (*bytes, names.iter().filter(|name| is_loaded(name)).map(String::as_str).collect()))
        .filter(|(_, names): &(usize, Vec<&str>)| !names.is_empty())
        .collect();
    if !shared.is_empty() {
        let bytes: usize = shared.iter().map(|(bytes, _)| bytes).sum();
        let names: BTreeSet<&str> = shared.into_iter().flat_map(|(_, names)| names).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        parts.push(format!("{} of it shared with {names}", size(bytes as u64)));
    }
    if *later > 0 {
        parts.push(format!("{} more imported later", size(*later as u64)));
    }
    parts.push(format!(
        "loaded on {}",
        strategies.iter().map(|each| format!("`{each}`")).collect::<Vec<_>>().join(", ")
    ));
    line(*bytes, &parts.join("; "))
}

/// Explains why files were replaced one by one.
fn words(reason: &InPlace) -> String {
    match reason {
        InPlace::Requested => "--in-place was given".to_owned(),
        InPlace::Repository => "the folder contains .git".to_owned(),
        InPlace::MountPoint => "the folder is a mount point".to_owned(),
        InPlace::MountedAt(point) => format!("the folder is also mounted at {}", point.display()),
        InPlace::Immovable => "the system does not let the folder be replaced".to_owned(),
    }
}

#[derive(Args)]
pub struct CheckArguments {
    #[command(flatten)]
    pub project: project::Arguments,
    /// Check as if building with --no-manifest
    #[arg(long)]
    no_manifest: bool,
    /// Write the errors that can be suppressed to suppressions.json; builds then pass as long as no more are added
    #[arg(long)]
    suppress_all: bool,
    /// Remove errors from suppressions.json that have been corrected
    #[arg(long, conflicts_with = "suppress_all")]
    prune_suppressions: bool,
    /// Apply the safe fixes that messages suggest, as `sitegen fix` does
    #[arg(long, conflicts_with_all = ["suppress_all", "prune_suppressions"])]
    fix: bool,
    #[command(flatten)]
    cache: cache::Arguments,
}

fn checked(arguments: &CheckArguments) -> Result<Artifacts, u8> {
    let out = arguments.project.root.join("dist");
    let shared = cache::open(&arguments.cache, &arguments.project, &out)?;
    let mut project = Project::open(&arguments.project)?.sharing(shared.clone());
    let built = project.build(&arguments.project, &out, None);
    shared.inspect(|shared| drop(cache::finish(shared, &arguments.project, cache::A_WHILE)));
    let artifacts = built?;
    // The site alone may already rule out publishing to any folder.
    let refused = refusal(&artifacts, arguments.no_manifest);
    let is_refused = refused.is_some();
    let code = project.report(&arguments.project, refused);
    if is_refused { Err(code) } else { Ok(artifacts) }
}

/// Writes the errors that are found, or what is left of those that are suppressed, to `suppressions.json`.
fn suppress(arguments: &CheckArguments) -> Result<(), u8> {
    let mut project = Project::open(&arguments.project)?;
    let found = project.suppressible(&arguments.project)?;
    let (before, after) = match arguments.prune_suppressions {
        true => {
            let before = project.suppressions(&arguments.project)?;
            (before.len(), before.pruned(&found))
        }
        false => (0, found),
    };
    project.write_suppressions(&after).map_err(|failure| project.report(&arguments.project, Some(failure)))?;
    if arguments.project.is_talkative() {
        let errors = |count: usize| format!("{count} {}", if count == 1 { "error" } else { "errors" });
        match (arguments.prune_suppressions, after.len()) {
            (true, left) => print_line!("pruned {SUPPRESSIONS}: {} removed, {left} left", errors(before - left)),
            (false, 0) => print_line!("there are no errors to suppress"),
            (false, all) => {
                let files = after.files();
                let files = format!("{files} {}", if files == 1 { "file" } else { "files" });
                print_line!("suppressed {} in {files}: {SUPPRESSIONS} lists them", errors(all));
            }
        }
    }
    Ok(())
}

/// Builds without publishing, and returns the exit code.
pub fn check(arguments: &CheckArguments) -> u8 {
    let start = Instant::now();
    signals::heed();
    if arguments.suppress_all || arguments.prune_suppressions {
        return suppress(arguments).err().unwrap_or(BUILT);
    }
    if arguments.fix {
        return fix::fix(&arguments.project, false, arguments.no_manifest);
    }
    let artifacts = match checked(arguments) {
        Ok(artifacts) => artifacts,
        Err(code) => return code,
    };
    if arguments.project.is_talkative() {
        project::report_schedule(&artifacts.site.schedule);
        project::report_other_host(&artifacts);
        project::report_suppressed(artifacts.site.suppressed);
        let errors = if artifacts.site.suppressed == 0 { "no errors" } else { "no other errors" };
        print_line!("checked {}: {errors}, in {} ms", pages(artifacts.site.pages), start.elapsed().as_millis());
    }
    BUILT
}

fn pages(count: usize) -> String {
    format!("{count} {}", if count == 1 { "page" } else { "pages" })
}

/// Formats bytes in the unit that reads best; 1 KB is 1,000 bytes, as in browsers' tools.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
