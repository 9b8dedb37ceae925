//! What the commands that build a project share: arguments, the build, and reporting.

use super::timings::Progress;
use super::{BUILT, FAILED, MISTAKES, signals};
use crate::artifacts::{Artifacts, OtherHost, PartBuilt, gone};
use crate::content::SITE_FILE;
use crate::content::judgement;
use crate::content::schedule::{Hidden, Schedule, State};
use crate::content::settings::{host_name, split_base_url};
use crate::content::suppressions::Suppressions;
use crate::diagnostics::{
    Checked, Diagnostic, MANUAL_VARIABLE, Manual, Severity, ToolProblem, code, github, json_line, linked, print,
    print_brief, sarif, short, summary,
};
use crate::edit::repairs::Repairs;
use crate::observe::Observer;
use crate::pages::Part;
use crate::parallel;
use crate::paths::SUPPRESSIONS;
use crate::profile::{Host, Profile};
use crate::publish::{MANIFEST, manifest, refusal};
use crate::shelf::Shelf;
use crate::snapshot;
use crate::sources::{self, Sources};
use crate::storage::shared::Shared;
use crate::tools::scratch::SCRATCH;
use crate::tools::shared::SharedCache;
use crate::tools::{DiskTools, SavedCache, Tools as _, git_packages, npm_settings, scratch, write_atomically};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use jiff::civil::Date;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args)]
// The commands' own arguments have the same name, and clap would make each a group of that name.
#[group(skip)]
pub struct Arguments {
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub root: PathBuf,
    /// The URL of the deployed site; overrides `url` in content/site.yaml
    #[arg(long, value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,
    /// The hosting service to build for; overrides `settings.host` in content/site.yaml
    #[arg(long, value_name = "HOST", value_parser = host())]
    target: Option<Host>,
    /// Include drafts, and pages and entries with a `publish` date in the future
    #[arg(long)]
    drafts: bool,
    /// The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]
    #[arg(long, value_name = "DATE", value_parser = day)]
    now: Option<Date>,
    /// Use React's development build, which explains island errors in the browser console
    #[arg(long)]
    development: bool,
    /// Keep search engines out: robots.txt, every page and the response headers forbid indexing
    #[arg(long)]
    staging: bool,
    /// The manifest.json of the previous publication, used to report removed addresses; `none` skips this check
    /// [default: the one in the output folder]
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    deny: Option<String>,
    #[command(flatten)]
    pub reporting: Reporting,
}

/// How a command reports diagnostics.
#[derive(Args)]
#[group(skip)]
pub struct Reporting {
    /// How to print diagnostics
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The source line, a caret under the error, and the fix
    Human,
    /// One line per diagnostic
    Short,
    /// One JSON object per line; `sitegen schema diagnostic` describes it
    Json,
    /// GitHub annotations
    Github,
    /// A SARIF 2.1.0 log on standard output
    Sarif,
}

pub fn base_url(text: &str) -> Result<String, String> {
    split_base_url(text).map(|_| text.to_owned()).ok_or_else(|| "write it like https://www.example.com".to_owned())
}

pub fn host() -> impl TypedValueParser<Value = Host> {
    PossibleValuesParser::new(Host::ALL.map(Host::name)).map(|name| Host::of(&name).unwrap_or_default())
}

fn day(text: &str) -> Result<Date, String> {
    // A time of day is allowed and ignored.
    let date = text.split(['T', ' ']).next().unwrap_or(text);
    date.parse().map_err(|_| "write it like 2026-12-01".to_owned())
}

/// Checks that there is a project and that its packages are installed, or returns the exit code.
pub fn prepare(arguments: &Arguments) -> Result<(), u8> {
    let root = &arguments.root;
    if !root.join(SITE_FILE).is_file() {
        let folder = if root == Path::new(".") { "this folder".to_owned() } else { root.display().to_string() };
        let failure = Diagnostic::failure(ToolProblem::NoProject { folder });
        return Err(report(arguments, vec![failure], &Sources::default()));
    }
    if let Some(refusal) = scratch::refusal(root) {
        return Err(report(arguments, vec![refusal], &Sources::default()));
    }
    install_packages(root, arguments.is_quiet_on_stderr())
        .map_err(|failure| report(arguments, vec![failure], &Sources::default()))
}

/// A project that was read.
pub struct Project {
    root: PathBuf,
    sources: Sources,
    profile: Profile,
    tools: DiskTools,
    /// Diagnostics so far. A SARIF log is one document, so everything is reported at once, at the end.
    diagnostics: Vec<Diagnostic>,
    /// The diagnostics of the build, unless the site came from a snapshot.
    built: Option<Vec<Diagnostic>>,
    /// The errors of the built site that are suppressed, for SARIF.
    suppressed: Vec<Diagnostic>,
    shared: Option<Arc<Shared>>,
}

impl Project {
    /// Reads the project, with the packages it needs. Returns the exit code if that fails.
    pub fn open(arguments: &Arguments) -> Result<Self, u8> {
        prepare(arguments)?;
        let root = &arguments.root;
        let profile = arguments.profile();
        // The scratch folder was not refused.
        let shelf = Shelf::in_folder(root.join(SCRATCH));
        let (tools, read) = parallel::join(|| tools_of(root).with_saved_cache(), || sources::read_onto(&shelf, root));
        let Checked { value: sources, diagnostics } = read;
        match sources {
            Some(sources) => Ok(Project {
                root: root.clone(),
                sources,
                profile,
                tools,
                diagnostics,
                built: None,
                suppressed: Vec::new(),
                shared: None,
            }),
            None => Err(report(arguments, diagnostics, &Sources::default())),
        }
    }

    /// Returns the files of the project.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Checks other sources of the project as [`Project::build`] does. There is a value if the site was checked to the end.
    pub fn check(&self, arguments: &Arguments, sources: &Sources, no_manifest: bool) -> Checked<()> {
        let Checked { value, diagnostics } = crate::build(sources, &self.profile, &self.tools);
        let out = arguments.root.join("dist");
        let gone = value.as_ref().map(|artifacts| arguments.gone(artifacts, sources, &out)).unwrap_or_default();
        let gone = judgement::weigh(gone, sources, self.tools.cache());
        let refused = value.as_ref().and_then(|artifacts| refusal(artifacts, no_manifest));
        let all = self.diagnostics.iter().cloned().chain(diagnostics).chain(gone).chain(refused).collect();
        Checked { value: value.map(drop), diagnostics: weighed(arguments, all) }
    }

    /// Prints diagnostics of other sources of the project and some failures, and returns the exit code.
    pub fn report_of(
        &self,
        arguments: &Arguments,
        diagnostics: Vec<Diagnostic>,
        sources: &Sources,
        failures: Vec<Diagnostic>,
    ) -> u8 {
        let all = diagnostics.into_iter().chain(failures).collect();
        report_all(arguments, all, sources, "nothing was published")
    }

    /// Returns the same project with an observer of its build.
    pub fn observed_by(self, observer: Arc<dyn Observer + Send>) -> Self {
        Project { tools: self.tools.observed_by(observer), ..self }
    }

    /// Returns the same project with a cache that machines share.
    pub fn sharing(self, shared: Option<Arc<Shared>>) -> Self {
        let cache = shared.clone().map(|shared| shared as Arc<dyn SharedCache>);
        Project { tools: self.tools.sharing(cache), shared, ..self }
    }

    /// Makes a part of the project for the shared cache, or reports the errors and returns the exit code. Pages that this
    /// machine has rendered before are rendered again: only their facts were kept.
    pub fn build_part(&mut self, arguments: &Arguments, part: Part) -> Result<PartBuilt, u8> {
        self.tools = self.tools_without_cache();
        let Checked { value, diagnostics } = crate::build_part(&self.sources, &self.profile, &self.tools, part);
        let all = std::mem::take(&mut self.diagnostics).into_iter().chain(diagnostics).collect();
        self.diagnostics = weighed(arguments, all);
        let is_valid = self.diagnostics.iter().all(|each| each.severity == Severity::Warning);
        value.filter(|_| is_valid).ok_or_else(|| self.report(arguments, None))
    }

    /// Builds the project. Returns the site, or reports the errors and returns the exit code. Progress is erased before
    /// anything is printed.
    ///
    /// `out` is the folder of the last publication.
    pub fn build(&mut self, arguments: &Arguments, out: &Path, progress: Option<Progress>) -> Result<Artifacts, u8> {
        let Project { sources, profile, tools, .. } = self;
        // A snapshot has the number of suppressed errors only.
        let is_enough = |loaded: &Checked<Artifacts>| {
            let suppressed = loaded.value.as_ref().map_or(0, |artifacts| artifacts.site.suppressed);
            suppressed == 0 || arguments.reporting.format != Format::Sarif
        };
        let checked = snapshot::load(sources, profile, tools).filter(is_enough).unwrap_or_else(|| {
            let checked = crate::build(sources, profile, tools);
            self.built = Some(checked.diagnostics.clone());
            checked
        });
        drop(progress);
        let gone = checked.value.as_ref().map(|artifacts| arguments.gone(artifacts, sources, out)).unwrap_or_default();
        let gone = judgement::weigh(gone, sources, tools.cache());
        let all = std::mem::take(&mut self.diagnostics).into_iter().chain(checked.diagnostics).chain(gone);
        let diagnostics = all.collect();
        self.diagnostics = weighed(arguments, diagnostics);
        let is_valid = self.diagnostics.iter().all(|each| each.severity == Severity::Warning);
        match checked.value.filter(|_| is_valid) {
            Some(mut artifacts) => {
                self.suppressed = std::mem::take(&mut artifacts.suppressed);
                Ok(artifacts)
            }
            None => Err(self.report(arguments, None)),
        }
    }

    /// Returns all errors that can be suppressed, or reports the others and returns the exit code.
    pub fn suppressible(&mut self, arguments: &Arguments) -> Result<Suppressions, u8> {
        crate::suppressible(&self.sources, &self.profile, &self.tools).map_err(|diagnostics| {
            signals::hush();
            let end = format!("; what cannot be suppressed has to be corrected first; {SUPPRESSIONS} was not written");
            arguments.reporting.report(diagnostics, &self.sources, &end)
        })
    }

    /// Returns the errors that are suppressed, or reports what is wrong with their file and returns the exit code.
    pub fn suppressions(&self, arguments: &Arguments) -> Result<Suppressions, u8> {
        let (suppressions, problems) = Suppressions::read(&self.sources);
        match problems.is_empty() {
            true => Ok(suppressions),
            false => {
                Err(arguments.reporting.report(problems, &self.sources, &format!("; {SUPPRESSIONS} was not written")))
            }
        }
    }

    /// Replaces the file of the errors that are suppressed; without any, there is none.
    pub fn write_suppressions(&self, suppressions: &Suppressions) -> Result<(), Diagnostic> {
        let path = self.root.join(SUPPRESSIONS);
        let written = match path.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => Err(std::io::Error::other("it is no regular file")),
            Err(_) if suppressions.is_empty() => Ok(()),
            _ if suppressions.is_empty() => fs::remove_file(&path),
            _ => write_atomically(&path, suppressions.text().as_bytes()),
        };
        written.map_err(|error| {
            let (path, detail) = (path.display().to_string(), error.to_string());
            Diagnostic::failure(ToolProblem::Io { action: "write", path, detail })
        })
    }

    /// Prints all diagnostics, and returns the exit code.
    pub fn report(&mut self, arguments: &Arguments, failure: Option<Diagnostic>) -> u8 {
        let diagnostics = std::mem::take(&mut self.diagnostics).into_iter().chain(failure).collect();
        signals::hush();
        arguments.reporting.report_beside(diagnostics, &self.suppressed, &self.sources, "; nothing was published")
    }

    /// Prints all diagnostics and that publishing in place could not be finished, and returns the exit code.
    pub fn report_begun(&mut self, arguments: &Arguments, failure: Diagnostic) -> u8 {
        let diagnostics = std::mem::take(&mut self.diagnostics).into_iter().chain([failure]).collect();
        report_all(arguments, diagnostics, &self.sources, "some files are published; the next build completes the rest")
    }

    /// Builds once more without the cache. Its diagnostics were reported before.
    pub fn build_without_cache(&mut self) -> Result<Artifacts, u8> {
        self.tools = self.tools_without_cache();
        let checked = crate::build(&self.sources, &self.profile, &self.tools);
        self.built = Some(checked.diagnostics);
        checked.value.ok_or(FAILED)
    }

    /// Returns tools that know no earlier results. Copies of pictures are still there.
    fn tools_without_cache(&self) -> DiskTools {
        let shared = self.shared.clone().map(|shared| shared as Arc<dyn SharedCache>);
        tools_of(&self.root).sharing(shared)
    }

    /// Writes a file that nothing depends on into the project's scratch folder, and returns its path.
    pub fn write_scratch(&self, name: &str, bytes: &[u8]) -> PathBuf {
        self.tools.write_scratch(name, bytes)
    }

    /// Returns the cache to [save](Project::save_cache) for the next process. A site from a snapshot is saved already.
    pub fn cache_to_save(&self, artifacts: &Artifacts) -> Option<SavedCache> {
        snapshot::store(artifacts, self.built.as_ref()?, &self.sources, &self.profile, &self.tools);
        self.tools.to_save()
    }

    /// Drops entries of the cache that no build has used for some time, and what only this build needs on the disk. A site
    /// from a snapshot says nothing of what it was made from.
    pub fn drop_unused(&self) {
        self.tools.remove_copy();
        if self.built.is_some() {
            let now = std::time::SystemTime::now();
            let age = |file: &std::fs::Metadata| now.duration_since(file.modified().ok()?).ok();
            self.tools.drop_unused(std::fs::FileTimes::new().set_modified(now), age);
        }
    }

    /// Drops what only more builds of this process could use.
    pub fn forget_build(&self) {
        self.tools.cache().drop_passing();
    }

    /// Saves the cache for the next process.
    pub fn save_cache(&self, cache: SavedCache) {
        self.tools.save(cache);
    }
}

/// Prints diagnostics, and returns the exit code.
pub fn report(arguments: &Arguments, diagnostics: Vec<Diagnostic>, sources: &Sources) -> u8 {
    report_all(arguments, weighed(arguments, diagnostics), sources, "nothing was published")
}

/// Applies `--deny` to diagnostics.
pub fn weighed(arguments: &Arguments, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if arguments.deny.is_some() {
        for each in diagnostics.iter_mut().filter(|each| each.severity == Severity::Warning) {
            each.severity = Severity::Error;
        }
    }
    diagnostics
}

/// Prints diagnostics with their final severity, and then the summary in `end`.
pub fn report_all(arguments: &Arguments, diagnostics: Vec<Diagnostic>, sources: &Sources, end: &str) -> u8 {
    signals::hush();
    arguments.reporting.report(diagnostics, sources, &format!("; {end}"))
}

impl Reporting {
    /// Prints diagnostics in the order of their files and lines, and returns the exit code for them. `outcome` follows
    /// the number of errors.
    pub fn report(&self, diagnostics: Vec<Diagnostic>, sources: &Sources, outcome: &str) -> u8 {
        self.report_beside(diagnostics, &[], sources, outcome)
    }

    /// Does the same beside suppressed errors, which only SARIF names: a tool that reads it shows what is known.
    pub fn report_beside(
        &self,
        mut diagnostics: Vec<Diagnostic>,
        suppressed: &[Diagnostic],
        sources: &Sources,
        outcome: &str,
    ) -> u8 {
        let worst = diagnostics.iter().map(|each| each.severity).max();
        if self.quiet {
            diagnostics.retain(|each| each.severity != Severity::Warning);
        }
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by(|a, b| a.place.cmp(&b.place));
        let text_of = |path: &crate::paths::SourcePath| sources.text(path);
        // https://no-color.org: any value that is not empty turns colour off.
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = std::io::stderr().is_terminal() && !plain;
        let manual = manual();
        match self.format {
            Format::Human => {
                for each in &sorted {
                    let printed = match each.severity {
                        Severity::Warning => print_brief(each, &text_of),
                        _ => print(each, colour, &text_of),
                    };
                    let code = code(&each.problem);
                    let page = manual.as_ref().filter(|_| colour).map(|manual| manual.page(code));
                    match (page, each.severity) {
                        (Some(page), _) => super::print_error_in_colour(&linked(&printed, code, &page)),
                        (None, Severity::Warning) => print_error!("{printed}"),
                        (None, _) => super::print_error_in_colour(&printed),
                    }
                }
                if worst.is_some_and(|worst| worst != Severity::Warning) {
                    print_error!("{}{outcome}", summary(&diagnostics));
                }
            }
            Format::Short => sorted.iter().for_each(|each| print_error!("{}", short(each, &text_of))),
            Format::Json => {
                let mut repairs = Repairs::of(sources);
                sorted.iter().for_each(|each| {
                    let repair = repairs.find(each);
                    print_error!("{}", json_line(each, repair.as_ref(), manual.as_ref(), &text_of));
                });
            }
            // The runner reads commands from both streams, and keeps their order only within one.
            Format::Github => sorted.iter().for_each(|each| print_line!("{}", github(each, &text_of))),
            Format::Sarif => {
                let mut repairs = Repairs::of(sources);
                let repaired: Vec<_> = sorted.iter().map(|each| (*each, repairs.find(each))).collect();
                print_line!("{}", sarif(&repaired, suppressed, manual.as_ref(), &text_of));
            }
        }
        match worst {
            Some(Severity::Failure) => FAILED,
            Some(Severity::Error) => MISTAKES,
            _ => BUILT,
        }
    }

    /// Whether standard error has JSON lines and nothing else.
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Whether standard output is for people rather than for a program.
    pub fn is_talkative(&self) -> bool {
        !self.quiet && matches!(self.format, Format::Human | Format::Short | Format::Json)
    }
}

/// Returns the documentation that messages link to: the one that the environment names, or else the one that the program was
/// compiled with.
pub fn manual() -> Option<Manual> {
    match std::env::var(MANUAL_VARIABLE) {
        Ok(address) => Manual::at(address.trim()),
        Err(_) => Manual::at(option_env!("SITEGEN_DOCS").unwrap_or_default()),
    }
}

/// Prints what is left out, and when another build would change that: a schedule can run the next build then.
pub fn report_schedule(schedule: &Schedule) {
    for Hidden { path, state } in &schedule.hidden {
        match state {
            State::Draft => print_line!("left out: {path} (draft)"),
            State::Waiting(first) => print_line!("left out: {path} (until {first})"),
            State::Expired(last) => print_line!("expired: {path} (last day {last})"),
            State::Shown => {}
        }
    }
    if let Some(day) = schedule.next_change {
        print_line!("next change: {day}");
    }
}

/// Says how many errors the site has all the same.
pub fn report_suppressed(count: usize) {
    match count {
        0 => {}
        1 => print_line!("1 known error is suppressed by {SUPPRESSIONS}"),
        _ => print_line!("{count} known errors are suppressed by {SUPPRESSIONS}"),
    }
}

/// Warns that a site built for another address than its own will be visible to search engines.
pub fn report_other_host(artifacts: &Artifacts) {
    let Some(OtherHost { address, own, staging }) = &artifacts.site.other_host else { return };
    // These names lead to this machine only.
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&host_name(address).as_str());
    if !staging && !is_here {
        print_line!("note: the address of this build is {address}, but `url` names {own}:");
        print_line!("  search engines may list this address. `--staging` keeps them out");
    }
}

impl Arguments {
    /// Returns the options of a build that starts now.
    pub fn profile(&self) -> Profile {
        Profile {
            base_url: self.base_url.clone(),
            host: self.target,
            development: self.development,
            drafts: self.drafts,
            today: self.now.unwrap_or_else(today),
            staging: self.staging,
            one_host: false,
            trace: None,
        }
    }

    /// Returns the mistakes of addresses that are gone since the last publication.
    fn gone(&self, artifacts: &Artifacts, sources: &Sources, out: &Path) -> Vec<Diagnostic> {
        let file = match &self.against {
            None => out.join(MANIFEST),
            Some(none) if none == Path::new("none") => return Vec::new(),
            Some(file) => file.clone(),
        };
        let Some(published) = manifest::names_in(&file) else {
            let detail = match file.symlink_metadata() {
                Err(error) => error.to_string(),
                Ok(_) => "it is not the manifest.json of a build".to_owned(),
            };
            let path = file.display().to_string();
            let problem = ToolProblem::Io { action: "read", path, detail };
            return if self.against.is_some() { vec![Diagnostic::failure(problem)] } else { Vec::new() };
        };
        let mut diagnostics = gone::check(artifacts, &published, |path| manifest::Manifest::read(&file)?.digest(path));
        let folder = file.parent().unwrap_or(out);
        let is_published = |path: &&str| published.contains(*path);
        let text = |path: &str| fs::read_to_string(folder.join(Some(path).filter(is_published)?)).ok();
        diagnostics.extend(gone::sections(artifacts, sources, text));
        diagnostics
    }

    /// Whether standard error has JSON lines and nothing else.
    pub fn is_json(&self) -> bool {
        self.reporting.is_json()
    }

    /// Whether remarks that are no diagnostics would disturb whoever reads standard error.
    fn is_quiet_on_stderr(&self) -> bool {
        self.reporting.quiet || self.is_json()
    }

    /// Whether standard output is for people rather than for a program.
    pub fn is_talkative(&self) -> bool {
        self.reporting.is_talkative()
    }
}

/// Returns the day of the build in UTC: that of `SOURCE_DATE_EPOCH` where it is set (reproducible-builds.org,
/// "SOURCE_DATE_EPOCH"), or today.
pub fn today() -> Date {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| day_of(&seconds));
    given.unwrap_or_else(|| jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// Returns the day in UTC of a number of seconds since 1970, if a date can be as far from it.
pub fn day_of(seconds: &str) -> Option<Date> {
    let moment = jiff::Timestamp::from_second(seconds.parse().ok()?).ok()?;
    Some(moment.to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// The environment variable that lists folders of trusted projects. The project's own files cannot set it.
pub const TRUSTED: &str = "SITEGEN_TRUSTED_PROJECTS";

/// Returns the folders that [`TRUSTED`] lists.
pub fn trusted_folders() -> Vec<PathBuf> {
    let listed = std::env::var_os(TRUSTED).unwrap_or_default();
    std::env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// Returns the tools of a project, which start any esbuild if the project is in a trusted folder.
pub fn tools_of(root: &Path) -> DiskTools {
    let tools = DiskTools::of(root);
    let is_in = |folder: PathBuf| {
        let (folder, root) = (folder.canonicalize(), root.canonicalize());
        folder.is_ok_and(|folder| root.is_ok_and(|root| root.starts_with(folder)))
    };
    if trusted_folders().into_iter().any(is_in) { tools.starting_unknown() } else { tools }
}

/// Installs the packages of the lock file if none are there yet, so that a fresh clone builds with one command.
fn install_packages(root: &Path, quiet: bool) -> Result<(), Diagnostic> {
    let missing = root.join("package-lock.json").is_file() && !root.join("node_modules").is_dir();
    if !missing {
        return Ok(());
    }
    if !quiet {
        print_error!("node_modules is missing: installing the packages of package-lock.json with `npm ci`");
    }
    let failed = |detail: String| Diagnostic::failure(ToolProblem::Tool { program: "npm ci", detail });
    if let Some((file, package)) = git_packages::first(root) {
        return Err(failed(format!(
            "{file} lists a package that is installed from git, `{package}`, which could run any program; run `npm ci` \
             yourself if you trust the project"
        )));
    }
    if let Some((file, what)) = npm_settings::first(root) {
        return Err(failed(format!("{file} {what}; run `npm ci` yourself if you trust the project")));
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    // Install scripts of packages are not run: nothing that a build needs has one.
    let mut command = std::process::Command::new(npm);
    command
        // The project's `.npmrc` may name another program for git, and packages that come by git are refused above. Without
        // a prefix npm looks for a `package.json` in the folders above. Other programs that an `.npmrc` can name run scripts.
        .args([
            "ci",
            "--prefix=.",
            "--no-global",
            "--git=git",
            "--allow-git=none",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ])
        .current_dir(root)
        .stdin(std::process::Stdio::null());
    let run = crate::tools::output(&mut command)
        .map_err(|error| failed(format!("{error}; install Node.js, which brings npm, and try again")))?;
    if run.status.success() { Ok(()) } else { Err(failed(String::from_utf8_lossy(&run.stderr).trim().to_owned())) }
}
