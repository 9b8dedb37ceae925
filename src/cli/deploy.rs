//! `sitegen deploy`: copies the output folder to the place that visitors get it from.

use super::project::Reporting;
use super::{BUILT, FAILED, USAGE, build, signals, verify};
use crate::artifacts::hosts::{Rules, is_for_hosts};
use crate::content::deployment::{Target, shown};
use crate::content::languages::Languages;
use crate::content::options::Deploy;
use crate::content::settings::Settings;
use crate::content::{self, SITE_FILE};
use crate::deploy::folder::FolderStore;
use crate::deploy::plan::{Phase, Role};
use crate::deploy::ssh::SshStore;
use crate::deploy::store::Step;
use crate::deploy::{Failure, Observer, Refusal, Report, Request, Source, Store, WAIT, deploy};
use crate::diagnostics::{Diagnostic, Severity, ToolProblem};
use crate::paths::OutputPath;
use crate::profile::Profile;
use crate::publish::{MANIFEST, Manifest, Options, checked_folder, manifest, manifests, resolved};
use crate::sources::{self, Sources, digest};
use crate::tools::{DiskTools, Tools as _};
use clap::Args;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Args)]
pub struct Arguments {
    /// The output folder to deploy [default: dist/ in the project folder]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Where to deploy to, like s3://bucket or ssh://host/folder; overrides `settings.deploy.to` in content/site.yaml
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    /// List what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Publish the site before the current one again, from what is kept at the target
    #[arg(long, conflicts_with_all = ["folder", "all"])]
    rollback: bool,
    /// Deploy although somebody else has made this deploy since the last one from this folder
    #[arg(long, value_name = "NUMBER")]
    over: Option<u64>,
    /// Send every file again, and replace files that no deploy has put there
    #[arg(long)]
    all: bool,
    /// Keep no old content for `--rollback`
    #[arg(long)]
    no_rollback: bool,
    /// How long to wait for another running deploy before taking it over
    #[arg(long, value_name = "SECONDS", default_value_t = WAIT.as_secs())]
    wait: u64,
    #[command(flatten)]
    reporting: Reporting,
}

impl Arguments {
    /// Whether standard error has JSON lines and nothing else.
    pub fn is_json(&self) -> bool {
        self.reporting.is_json()
    }

    fn output(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| self.root.join("dist"))
    }

    fn report(&self, diagnostics: Vec<Diagnostic>, sources: &Sources, end: &str) -> u8 {
        signals::hush();
        self.reporting.report(diagnostics, sources, end)
    }
}

/// Deploys, and returns the exit code.
pub fn run(arguments: &Arguments) -> u8 {
    signals::heed();
    attempt(arguments).err().unwrap_or(BUILT)
}

/// What is deployed of the output folder.
struct Output {
    folder: PathBuf,
    /// The text of its manifest.
    text: Vec<u8>,
    /// Whether the manifest names itself: the site has a file of this name.
    lists_itself: bool,
    /// Whether the manifest is one of its files.
    has_manifest: bool,
}

fn attempt(arguments: &Arguments) -> Result<(), u8> {
    let begin = Instant::now();
    let settings = settings(arguments)?;
    let (target, access) = target(arguments, &settings.options.deploy)?;
    let mut rules = vec![Rules::new(&settings)];
    rules.extend(Rules::of_languages(&settings));
    let host = host_folder(&arguments.output(), &rules);
    let output = match host {
        Some((number, whole)) => {
            rules = vec![rules.swap_remove(number)];
            output_of_host(arguments, &whole, std::mem::take(&mut rules[0].root))?
        }
        None => output(arguments)?,
    };
    let (name, is_bucket) = (target.to_string(), target.is_object_storage());
    let unopened = |Failure { what, help }: Failure| {
        let failure = Diagnostic::failure(ToolProblem::DeployFailed { target: name.clone(), what, help });
        arguments.report(vec![failure], &Sources::default(), "; nothing was changed")
    };
    let is_sent = |path: &str| !is_bucket || !is_for_hosts(path) || path == MANIFEST && output.lists_itself;
    let role = |path: &str| role_of(&rules, path);
    let place = place(arguments, &target);
    let store = open(arguments, &target, &output.folder, &rules, access).map_err(unopened)?;
    let progress = Progress::new(arguments);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let request = Request {
        project: &arguments.root,
        target: name.clone(),
        place,
        source: if arguments.rollback { Source::Before } else { Source::Output(&output.text) },
        is_sent: &is_sent,
        has_manifest_file: !is_bucket && (arguments.rollback || output.has_manifest),
        role: &role,
        id: manifest::hexadecimal(&digest(format!("{} {now:?} {name}", std::process::id()).as_bytes()))[..32]
            .to_owned(),
        begun: time(now),
        over: arguments.over,
        trusts_known: !is_in_ci(),
        keeps: !arguments.no_rollback,
        sends_all: arguments.all,
        wait: Duration::from_secs(arguments.wait),
        is_dry: arguments.dry_run,
        observer: &progress,
    };
    let result = deploy(&*store, &request);
    progress.clear();
    let report = result.map_err(|refusal| report_refusal(arguments, &name, refusal))?;
    if arguments.reporting.is_talkative() {
        print_report(arguments, &output.folder, &name, &report, begin.elapsed());
    }
    Ok(())
}

fn report_refusal(arguments: &Arguments, target: &str, refusal: Refusal) -> u8 {
    let target = target.to_owned();
    let (problem, end) = match refusal {
        Refusal::Refused(Failure { what, help }) => {
            (ToolProblem::DeployRefused { target, what, help }, "; nothing was changed")
        }
        Refusal::Failed { failure: Failure { what, help }, has_begun } => {
            let end = match (has_begun, arguments.rollback) {
                (false, _) => "; the site there was not changed",
                (true, false) => "; `sitegen deploy` completes what has begun",
                // Going back once more leads to the site that was complete last.
                (true, true) => {
                    "; run `sitegen deploy --rollback` again for the site that was there, or `sitegen deploy`"
                }
            };
            (ToolProblem::DeployFailed { target, what, help }, end)
        }
    };
    arguments.report(vec![Diagnostic::failure(problem)], &Sources::default(), end)
}

/// Reads `site.yaml`, or reports its errors and returns the exit code.
fn settings(arguments: &Arguments) -> Result<Settings, u8> {
    let root = &arguments.root;
    let nothing = "; nothing was deployed";
    if !root.join(SITE_FILE).is_file() {
        let folder = if root == Path::new(".") { "this folder".to_owned() } else { root.display().to_string() };
        let failure = Diagnostic::failure(ToolProblem::NoProject { folder });
        return Err(arguments.report(vec![failure], &Sources::default(), nothing));
    }
    let read = sources::read(root);
    let Some(sources) = read.value else {
        return Err(arguments.report(read.diagnostics, &Sources::default(), nothing));
    };
    let tools = DiskTools::of(root);
    let joined = Languages::of(&sources, tools.cache()).joined(&sources);
    let settings = content::settings_of(&joined, &Profile::default(), tools.cache());
    settings.value.ok_or_else(|| {
        let errors = settings.diagnostics.into_iter().filter(|each| each.severity != Severity::Warning);
        arguments.report(errors.collect(), &sources, nothing)
    })
}

/// Returns the target and what else is set of it, or reports what is wrong and returns the exit code.
fn target(arguments: &Arguments, deploy: &Deploy) -> Result<(Target, Deploy), u8> {
    if let Some(to) = &arguments.to {
        let target = Target::parse(to).map_err(|fault| {
            print_error!("error: --to {}: it {}", shown(to), fault.reason);
            print_error!("  = help: {}", fault.fix);
            USAGE
        })?;
        // The endpoint of one target is not that of another.
        let is_same = deploy.to.as_ref().and_then(|to| Target::parse(&to.value).ok());
        let is_same = is_same.is_some_and(|own| std::mem::discriminant(&own) == std::mem::discriminant(&target));
        return Ok((target, if is_same { deploy.clone() } else { Deploy::default() }));
    }
    match deploy.to.as_ref().and_then(|to| Target::parse(&to.value).ok()) {
        Some(target) => Ok((target, deploy.clone())),
        None => {
            print_error!("error: {SITE_FILE} does not say where the site is deployed to");
            print_error!(
                "  = help: add `  deploy: {{ to: s3://bucket }}` below `settings:` there, or name the target with `--to`"
            );
            Err(USAGE)
        }
    }
}

/// Checks the output folder as `sitegen verify` does, and returns what is deployed of it.
fn output(arguments: &Arguments) -> Result<Output, u8> {
    let folder = arguments.output();
    if arguments.rollback {
        return Ok(Output { folder, text: Vec::new(), lists_itself: false, has_manifest: false });
    }
    let (manifest, text) = checked_manifest(arguments, &folder)?;
    let has_manifest = std::fs::read(folder.join(MANIFEST)).is_ok_and(|there| there == text);
    Ok(Output { folder, text, lists_itself: manifest.files.contains_key(MANIFEST), has_manifest })
}

/// Checks an output folder, and returns its manifest and the text of it.
fn checked_manifest(arguments: &Arguments, folder: &Path) -> Result<(Manifest, Vec<u8>), u8> {
    verify::check(folder, &arguments.root, &arguments.reporting)?;
    let read = |path: &PathBuf| Some((Manifest::read(path)?, std::fs::read(path).ok()?));
    manifests(folder, Some(&arguments.root)).iter().find_map(read).ok_or(FAILED)
}

/// Returns the host that a folder of an output folder is for, if several have one, and that output folder.
fn host_folder(folder: &Path, rules: &[Rules]) -> Option<(usize, PathBuf)> {
    let folder = resolved(folder).ok().filter(|folder| !folder.join(MANIFEST).exists())?;
    let name = folder.file_name()?.to_str()?;
    let number = rules.iter().position(|rules| rules.root == name)?;
    Some((number, folder.parent()?.to_path_buf()))
}

/// Checks an output folder, and returns what is deployed of the folder of one host in it.
fn output_of_host(arguments: &Arguments, whole: &Path, name: String) -> Result<Output, u8> {
    let (manifest, _) = checked_manifest(arguments, whole)?;
    let inside =
        |path: &'_ String| Some((path.strip_prefix(&name)?.strip_prefix('/')?.to_owned(), manifest.digest(path)?));
    let files: Vec<_> = manifest.files.keys().filter_map(inside).collect();
    let text = manifest::text(manifest.suppressed, files.iter().map(|(path, digest)| (path.as_str(), *digest)));
    Ok(Output { folder: whole.join(name), text: text.into_bytes(), lists_itself: false, has_manifest: false })
}

/// Returns the address of a target, however it is written.
fn place(arguments: &Arguments, target: &Target) -> String {
    match target {
        Target::Folder(folder) => {
            let folder = checked_folder(&real_folder(arguments, folder), &Options::default()).ok();
            folder.map_or_else(|| target.to_string(), |folder| folder.display().to_string())
        }
        _ => target.to_string(),
    }
}

/// Returns the path of the folder that a target is: files are put into it, so it may be a symbolic link to one.
fn real_folder(arguments: &Arguments, folder: &str) -> PathBuf {
    let folder = arguments.root.join(folder);
    folder.canonicalize().unwrap_or(folder)
}

/// Whether a file with other content would have another name. Files of `content/public` can be beside those that have a hash.
fn is_hashed(rules: &Rules, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let hash = name.rsplit_once('-').map_or("", |(_, end)| end.split('.').next().unwrap_or_default());
    let is_hexadecimal = hash.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
    // esbuild writes base 32.
    let is_of_bundle = hash.len() == 8 && hash.bytes().all(|sign| matches!(sign, b'2'..=b'7' | b'A'..=b'Z'));
    rules.is_hashed(&OutputPath::new(path)) && (matches!(hash.len(), 8 | 16) && is_hexadecimal || is_of_bundle)
}

/// Returns what a file is to visitors.
fn role_of(rules: &[Rules], path: &str) -> Role {
    match Rules::serving(rules, path) {
        Some(rules) if is_hashed(rules, path) => Role::Hashed,
        _ if path.ends_with(".html") => Role::Page,
        // Other JSON files may be data that pages load.
        _ if path.ends_with(".xml") || path.rsplit('/').next() == Some("feed.json") || is_for_hosts(path) => Role::List,
        _ => Role::File,
    }
}

fn open<'a>(
    arguments: &Arguments,
    target: &Target,
    output: &Path,
    rules: &'a [Rules],
    deploy: Deploy,
) -> Result<Box<dyn Store + 'a>, Failure> {
    let output = output.to_path_buf();
    match target {
        Target::Folder(folder) => {
            let options = Options { project: Some(arguments.root.clone()), home: build::home(), ..Options::default() };
            let root = checked_folder(&real_folder(arguments, folder), &options)
                .map_err(|reason| Failure::with_help(reason, "name another folder"))?;
            let inside =
                output.canonicalize().is_ok_and(|output| output.starts_with(&root) || root.starts_with(output));
            if inside {
                return Err(Failure::with_help("it is the output folder", "name another folder"));
            }
            Ok(Box::new(FolderStore::new(root, output)))
        }
        Target::Server(server) => {
            let scratch = std::path::absolute(arguments.root.join(".sitegen/deploy"))
                .map_err(|error| Failure::new(error.to_string()))?;
            Ok(Box::new(SshStore::open(server.clone(), output, &scratch)?))
        }
        Target::S3(_) | Target::Google(_) | Target::Azure { .. } => bucket(target, output, rules, deploy),
    }
}

#[cfg(feature = "object-storage")]
fn bucket<'a>(
    target: &Target,
    output: PathBuf,
    rules: &'a [Rules],
    deploy: Deploy,
) -> Result<Box<dyn Store + 'a>, Failure> {
    use crate::deploy::object::{ObjectHeaders, ObjectTarget};
    use crate::storage::buckets::Access;
    let headers = |path: &str| ObjectHeaders {
        content_type: crate::paths::content_type(path),
        caching: Rules::serving(rules, path)
            .map(|rules| rules.stored_caching(is_hashed(rules, path)).to_owned())
            .unwrap_or_default(),
    };
    let variable = |name: &str| std::env::var(name).ok();
    let access = Access { endpoint: deploy.endpoint, region: deploy.region, variable: &variable };
    let store = ObjectTarget::open(target, output, Box::new(headers), &access)?;
    store.map(|store| Box::new(store) as Box<dyn Store>).ok_or_else(|| Failure::new("it is no bucket"))
}

#[cfg(not(feature = "object-storage"))]
fn bucket<'a>(_: &Target, _: PathBuf, _: &'a [Rules], _: Deploy) -> Result<Box<dyn Store + 'a>, Failure> {
    Err(Failure::with_help(
        "this sitegen was compiled without the feature `object-storage`",
        "install a package of sitegen, or compile it with `cargo install --path . --features object-storage`",
    ))
}

/// Whether this is a job of a CI. There `.sitegen` may come from a cache that is older than the last deploy.
fn is_in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no))
}

/// Formats a time: `2026-12-01T09:30:00Z`.
fn time(since: Duration) -> String {
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    jiff::Timestamp::from_second(seconds).map(|time| time.to_string()).unwrap_or_default()
}

fn print_report(arguments: &Arguments, output: &Path, target: &str, report: &Report, took: Duration) {
    let size = |path: &str| std::fs::metadata(output.join(path)).map_or(0, |metadata| metadata.len());
    let steps = |phases: &[Phase]| phases.iter().flat_map(|phase| phase.steps.clone()).collect::<Vec<Step>>();
    let (mut sent, mut bytes, mut restored) = (0, 0, 0);
    for phase in &report.phases {
        for step in &phase.steps {
            match step {
                Step::Put { path, .. } => {
                    let len = size(path);
                    (sent, bytes) = (sent + 1, bytes + len);
                    if arguments.dry_run {
                        print_line!("{:>9}  send    {path}", build::size(len));
                    }
                }
                Step::Copy { to, .. } if phase.name != "keep old content" => {
                    restored += 1;
                    if arguments.dry_run {
                        print_line!("{:>9}  restore {to}", "");
                    }
                }
                _ => {}
            }
        }
    }
    let deleted = steps(&report.cleaning);
    if arguments.dry_run {
        deleted.iter().for_each(|step| print_line!("{:>9}  delete  {}", "", step.path()));
    }
    let files = |count: usize| format!("{count} {}", if count == 1 { "file" } else { "files" });
    let changes = match arguments.rollback {
        true => format!("{} restored", files(restored)),
        false => format!("{} sent, {}", files(sent), build::size(bytes)),
    };
    let deleted = if deleted.is_empty() { String::new() } else { format!(", {} deleted", files(deleted.len())) };
    if report.shares_claims {
        print_line!(
            "note: {target} ignores the condition `If-None-Match`: two deploys at the same time are not noticed"
        );
    }
    if let Some((number, begun)) = &report.unknown {
        print_line!(
            "note: this project folder knows no deploy to {target}: deploy {number} of {begun}, which this one replaces, was made \
             elsewhere, or `.sitegen` was deleted since"
        );
    }
    match report.deploy {
        _ if arguments.dry_run => print_line!("{target} would change: {changes}{deleted}"),
        0 => print_line!("{target} has this site already"),
        number => print_line!("deployed to {target}: {changes}{deleted}, in {} ms (deploy {number})", took.as_millis()),
    }
}

/// A line on the terminal that says how many changes are made.
struct Progress {
    is_shown: bool,
    is_talkative: bool,
    expected: AtomicUsize,
    done: AtomicUsize,
    shown: parking_lot::Mutex<Instant>,
}

/// How often the line changes.
const REFRESH: Duration = Duration::from_millis(100);

impl Progress {
    fn new(arguments: &Arguments) -> Self {
        let is_talkative = arguments.reporting.is_talkative() && !arguments.is_json();
        let is_shown = is_talkative && std::io::stderr().is_terminal();
        let (expected, done) = Default::default();
        Progress { is_shown, is_talkative, expected, done, shown: parking_lot::Mutex::new(Instant::now()) }
    }

    fn clear(&self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

impl Observer for Progress {
    fn watches(&self, deploy: u64) {
        if self.is_talkative {
            print_error!("deploy {deploy} is not finished: watching whether somebody still works on it");
        }
    }

    fn expects(&self, steps: usize) {
        self.expected.store(steps, Ordering::Relaxed);
    }

    fn did(&self, step: &Step) {
        let (done, all) = (self.done.fetch_add(1, Ordering::Relaxed) + 1, self.expected.load(Ordering::Relaxed));
        let mut shown = self.shown.lock();
        if self.is_shown && (shown.elapsed() > REFRESH || done == all) {
            *shown = Instant::now();
            let path = crate::diagnostics::printable(step.path()).chars().take(50).collect::<String>();
            let _ = write!(std::io::stderr(), "\r\x1b[2K{done} of {all} changes: {path}");
        }
    }
}
