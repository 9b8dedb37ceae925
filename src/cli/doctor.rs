//! `sitegen doctor`: what a build depends on besides the sources. The report is made for bug reports: it names no user,
//! no folder outside the project and no value of the environment.

use super::{BUILT, FAILED, project};
use crate::content::{self, SITE_FILE};
use crate::diagnostics::{Diagnostic, Problem, Severity, ToolProblem, code, message};
use crate::profile::Profile;
use crate::publish::{Manifest, manifests};
use crate::sources::{self, SourceKind, without_mark};
use crate::tools::scratch::{self, SCRATCH};
use crate::tools::{DiskTools, FOR_COMPONENTS, Tools as _};
use crate::watch::Watch;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

#[derive(Args)]
pub struct Arguments {
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// The output folder [default: dist/ in the project folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How to print the report
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Human,
    /// One JSON object per line, with `section`, `name`, `state`, `value` and, if action is needed, `help`
    Json,
}

/// How much a fact matters to a build.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// All is well.
    Good,
    /// Something works less well than it could.
    Note,
    /// It keeps builds from working.
    Problem,
}

/// A line of the report.
struct Fact {
    section: &'static str,
    name: String,
    state: State,
    value: String,
    help: Option<String>,
}

/// The lines of the report so far.
#[derive(Default)]
struct Report(Vec<Fact>);

impl Report {
    fn good(&mut self, section: &'static str, name: &str, value: impl ToString) {
        self.0.push(Fact { section, name: name.to_owned(), state: State::Good, value: value.to_string(), help: None });
    }

    fn note(&mut self, section: &'static str, name: &str, value: impl ToString, help: &str) {
        self.add(section, name, State::Note, value.to_string(), help);
    }

    fn problem(&mut self, section: &'static str, name: &str, value: impl ToString, help: &str) {
        self.add(section, name, State::Problem, value.to_string(), help);
    }

    fn add(&mut self, section: &'static str, name: &str, state: State, value: String, help: &str) {
        self.0.push(Fact { section, name: name.to_owned(), state, value, help: Some(help.to_owned()) });
    }
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let root = &arguments.root;
    let out = arguments.out.clone().unwrap_or_else(|| root.join("dist"));
    let mut report = Report::default();
    report_program(&mut report);
    if let Some(Diagnostic { problem, place, .. }) = scratch::refusal(root) {
        let path = place.map_or_else(|| SCRATCH.to_owned(), |place| place.path.to_string());
        report.problem("project", &path, message(&problem), "remove it: sitegen makes what it needs there");
    } else if root.join(SITE_FILE).is_file() {
        report_packages(root, &mut report);
        report_watching(root, &mut report);
        report_folders(root, &out, &mut report);
        report_site(root, &out, &mut report);
    } else {
        let help = "run sitegen in the project's folder, pass the folder with `--root`, or create a project with `sitegen new FOLDER`";
        report.problem("project", "content/site.yaml", "missing", help);
    }
    let Report(facts) = report;
    let mut section = "";
    for Fact { section: own, name, state, value, help } in &facts {
        let word = match state {
            State::Good => "ok",
            State::Note => "note",
            State::Problem => "problem",
        };
        if arguments.format == Format::Json {
            let mut line = json!({ "section": own, "name": name, "state": word, "value": value });
            if let (Some(line), Some(help)) = (line.as_object_mut(), help) {
                line.insert("help".to_owned(), help.as_str().into());
            }
            print_line!("{line}");
            continue;
        }
        if section != *own {
            print_line!("{}{own}", if section.is_empty() { "" } else { "\n" });
            section = own;
        }
        print_line!("  {word:<8}{name:<24}{value}");
        help.iter().for_each(|help| print_line!("  {:<8}= help: {help}", ""));
    }
    let problems = facts.iter().filter(|fact| fact.state == State::Problem).count();
    if arguments.format == Format::Human {
        match problems {
            0 => print_line!("\nnothing prevents a build"),
            1 => print_line!("\n1 problem prevents a build"),
            _ => print_line!("\n{problems} problems prevent a build"),
        }
    }
    if problems == 0 { BUILT } else { FAILED }
}

fn report_program(report: &mut Report) {
    report.good("program", "sitegen", format!("{} ({})", env!("CARGO_PKG_VERSION"), env!("SITEGEN_ENGINE")));
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    #[cfg(unix)]
    let system = format!("{system}, kernel {}", rustix::system::uname().release().to_string_lossy());
    report.good("program", "system", system);
    let avif = if crate::pictures::Format::Avif.is_written() { ", AVIF" } else { "; not AVIF, which releases have" };
    report.good("program", "pictures", format!("JPEG, PNG, WebP{avif}"));
    let storage = if cfg!(feature = "object-storage") { "yes" } else { "no; releases have it" };
    report.good("program", "object storage", storage);
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    report.good("program", "processors", cores);
    for name in ["SOURCE_DATE_EPOCH", "NO_COLOR"] {
        if std::env::var_os(name).is_some() {
            report.good("program", name, "set");
        }
    }
}

fn report_packages(root: &Path, report: &mut Report) {
    let sources = sources::read(root).value.unwrap_or_default();
    let islands = || {
        sources.of(SourceKind::Island).filter(|(path, _)| path.below("islands").is_some_and(|file| !file.contains('/')))
    };
    let count = |extension: &str| islands().filter(|(path, _)| path.extension() == Some(extension)).count();
    let (react, plain) = (count("tsx"), count("ts"));
    let tools = DiskTools::of(root);
    let help = if root.join("package-lock.json").is_file() {
        "run `npm ci` in the project's folder"
    } else {
        "`sitegen new island NAME` prints the command that installs the packages"
    };
    report.good("packages", "islands", format!("{react} with React, {plain} without"));
    let mut check = |name: &str, is_needed: bool, found: Option<Result<String, String>>| match found {
        Some(Ok(version)) => report.good("packages", name, version),
        Some(Err(error)) => report.problem("packages", name, error, "install the packages again"),
        None if is_needed => report.problem("packages", name, "not installed", help),
        None => report.good("packages", name, "not installed, and not needed"),
    };
    check("esbuild", react + plain > 0, tools.esbuild().map(version_of));
    for name in FOR_COMPONENTS {
        let version = tools.package(name).map(|folder| version_in(&root.join(folder).join("package.json")));
        check(name, react > 0, version);
    }
    report.good("packages", "node", "not needed by builds");
}

/// Reads the version of a program from its package. The program itself is not started: a report says what is there, and
/// may be asked for in a project that nobody trusts yet.
fn version_of(program: &Path) -> Result<String, String> {
    let package = program.ancestors().map(|folder| folder.join("package.json")).find(|file| file.is_file());
    package.map_or_else(|| Err("it has no package.json".to_owned()), |file| version_in(&file))
}

fn version_in(file: &Path) -> Result<String, String> {
    let package: serde_json::Value =
        serde_json::from_slice(without_mark(&fs::read(file).unwrap_or_default())).unwrap_or_default();
    package["version"].as_str().map(str::to_owned).ok_or_else(|| "its package.json has no version".to_owned())
}

fn report_watching(root: &Path, report: &mut Report) {
    let limit = |name: &str| fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok();
    for (name, file) in [
        ("watched folders", "max_user_watches"),
        ("watching programs", "max_user_instances"),
        ("waiting events", "max_queued_events"),
    ] {
        limit(file).iter().for_each(|limit| report.good("watching", name, format!("at most {}", limit.trim())));
    }
    let folders = sources::FOLDERS.iter().flat_map(|folder| WalkDir::new(root.join(folder)).into_iter().flatten());
    let folders = folders.filter(|entry| entry.file_type().is_dir()).count();
    match Watch::of(root) {
        Ok(_) => report.good("watching", "this project", format!("works, {}", counted(folders, "folder"))),
        Err(_) => {
            let help = "`sitegen serve` does not follow changes. On Linux, raise fs.inotify.max_user_watches and \
                        fs.inotify.max_user_instances with sysctl";
            report.note("watching", "this project", format!("fails, {}", counted(folders, "folder")), help);
        }
    }
}

fn report_folders(root: &Path, out: &Path, report: &mut Report) {
    let cache = WalkDir::new(root.join(".sitegen")).into_iter().flatten();
    let sizes: Vec<u64> =
        cache.filter_map(|entry| entry.metadata().ok()).filter(fs::Metadata::is_file).map(|file| file.len()).collect();
    let (files, bytes) = (sizes.len(), size(sizes.iter().sum()));
    match Scratch::in_folder(root) {
        Ok(_) => report.good("project's folder", "can be written", "yes"),
        Err(error) => {
            report.problem(
                "project's folder",
                "can be written",
                words(&error),
                "builds write their cache to .sitegen/ there",
            );
        }
    }
    report.good("project's folder", "cache", format!("{}, {bytes}", counted(files, "file")));
    // What is published comes to lie beside the output folder first.
    let section = "output folder";
    let parent = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
    let parent = parent.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let scratch = match Scratch::in_folder(parent) {
        Ok(scratch) => scratch,
        Err(error) => {
            let help = "let this user write there, or name another folder with `--out`";
            return report.problem(section, "can be written", words(&error), help);
        }
    };
    report.good(section, "can be written", "yes");
    match scratch.exchanges() {
        Ok(()) => report.good(section, "exchange by rename", "yes"),
        Err(error) => {
            let help = "the site is replaced by two renames; between them it is missing for a moment";
            report.note(section, "exchange by rename", words(&error), help);
        }
    }
    let yes = |is: bool| if is { "yes" } else { "no" };
    report.good(section, "copies without bytes", yes(scratch.has_reflinks()));
    if scratch.is_case_sensitive() {
        report.good(section, "case-sensitive names", "yes");
    } else {
        let help = "the names of two pages must not differ only in letter case";
        report.note(section, "case-sensitive names", "no", help);
    }
    report.good(section, "symbolic links", yes(scratch.has_links()));
    #[cfg(unix)]
    if let Ok(space) = rustix::fs::statvfs(parent) {
        report.good(section, "free space", size(space.f_bavail * space.f_frsize));
    }
}

fn report_site(root: &Path, out: &Path, report: &mut Report) {
    let section = "site";
    let read = sources::read(root);
    let sources = read.value.unwrap_or_default();
    let profile = Profile { today: project::today(), ..Profile::default() };
    let tools = DiskTools::of(root).with_saved_cache().without_programs();
    if let Some(site) = content::resolve(&sources, &profile, &tools).value {
        let host = site.settings.hosting.host;
        report.good(section, "host", if host.name() == "none" { "none named in settings.host" } else { host.title() });
    }
    let built = crate::build(&sources, &profile, &tools);
    // What is not in the cache cannot be bundled here.
    let is_unbundled = |each: &&Diagnostic| {
        tools.esbuild().is_some()
            && matches!(*each.problem, Problem::Tool(ToolProblem::Tool { program: "esbuild", .. }))
    };
    if built.diagnostics.iter().any(|each| is_unbundled(&each)) {
        report.good(section, "would be published", "known after a build: this command does not run esbuild");
    }
    let diagnostics = || read.diagnostics.iter().chain(&built.diagnostics).filter(|each| !is_unbundled(each));
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    diagnostics()
        .filter(|each| each.severity != Severity::Warning)
        .for_each(|each| *codes.entry(code(&each.problem)).or_default() += 1);
    if !codes.is_empty() {
        let all = codes.values().sum();
        let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let value = format!("{}: {}", counted(all, "error"), codes.join(", "));
        report.problem(section, "errors", value, "`sitegen check` names each line");
    }
    if let Some(artifacts) = &built.value {
        let sizes: Vec<u64> = artifacts.contents().map(|(_, content)| content.len()).collect();
        let (pages, files, bytes) = (artifacts.site.pages, sizes.len(), size(sizes.iter().sum()));
        report.good(
            section,
            "would be published",
            format!("{}, {}, {bytes}", counted(pages, "page"), counted(files, "file")),
        );
        let is_for_host = |path: &&str| {
            ["_headers", "_redirects", "vercel.json", ".vercelignore", ".nojekyll"].contains(path)
                || path.ends_with("/nginx.conf")
                || path.ends_with("/Caddyfile")
        };
        let names: Vec<&str> = artifacts.contents().map(|(path, _)| path.as_str()).filter(is_for_host).collect();
        report.good(section, "files for the host", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    }
    match manifests(out, Some(root)).iter().find_map(|path| Manifest::read(path)) {
        None => report.good(section, "published last", "nothing recorded by a build"),
        Some(manifest) => {
            let manifest: Manifest = manifest;
            let names = || manifest.files.keys();
            let sizes = names().filter_map(|name| Some(fs::symlink_metadata(out.join(name)).ok()?.len()));
            let pages = names().filter(|name| name.ends_with(".html")).count();
            let (files, bytes) = (manifest.files.len(), size(sizes.sum()));
            report.good(
                section,
                "published last",
                format!("{}, {}, {bytes}", counted(pages, "HTML file"), counted(files, "file")),
            );
        }
    }
}

/// `1 page`, `2 pages`
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Bytes in the unit that reads best; 1 KB is 1,000 bytes.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// What went wrong, without the path that some errors have.
fn words(error: &io::Error) -> String {
    format!("no: {}", error.kind())
}

/// A folder for experiments. It is removed with this value.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Scratch {
    fn in_folder(folder: &Path) -> io::Result<Self> {
        let scratch = folder.join(format!(".sitegen-doctor-{}", std::process::id()));
        fs::create_dir(&scratch)?;
        let scratch = Scratch(scratch);
        fs::write(scratch.0.join("file"), "content")?;
        Ok(scratch)
    }

    /// Exchanges two folders in one step, as publishing does.
    fn exchanges(&self) -> io::Result<()> {
        let (old, new) = (self.0.join("old"), self.0.join("new"));
        fs::create_dir(&old)?;
        fs::create_dir(&new)?;
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            fs::write(new.join("page"), "")?;
            renameat_with(CWD, &new, CWD, &old, RenameFlags::EXCHANGE)?;
            if !old.join("page").is_file() {
                return Err(io::ErrorKind::Unsupported.into());
            }
            Ok(())
        }
        #[cfg(not(any(target_os = "linux", target_os = "macos")))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Whether a copy of a file shares its bytes on the disk.
    fn has_reflinks(&self) -> bool {
        #[cfg(target_os = "linux")]
        {
            let open =
                || Ok::<_, io::Error>((fs::File::open(self.0.join("file"))?, fs::File::create(self.0.join("copy"))?));
            open().is_ok_and(|(from, to)| rustix::fs::ioctl_ficlone(&to, &from).is_ok())
        }
        #[cfg(not(target_os = "linux"))]
        false
    }

    fn is_case_sensitive(&self) -> bool {
        fs::symlink_metadata(self.0.join("FILE")).is_err()
    }

    fn has_links(&self) -> bool {
        #[cfg(unix)]
        return std::os::unix::fs::symlink("file", self.0.join("link")).is_ok();
        #[cfg(not(unix))]
        false
    }
}
