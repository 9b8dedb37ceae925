//! `sitegen serve`: build in memory, serve, watch, and build again.

use super::{FAILED, panicked, project};
use crate::artifacts::Artifacts;
use crate::artifacts::derived::Derived;
use crate::diagnostics::{AssetProblem, Checked, Diagnostic, Place, Severity, Span, print, print_brief, short};
use crate::paths::{OutputPath, SourcePath};
use crate::pictures::Fault;
use crate::serve::{Server, Site, Update, bind};
use crate::sources::{self, SourceKind, Sources};
use crate::tools::{DiskTools, Tools};
use crate::watch::{Change, PACKAGES, Watch};
use clap::Args;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    project: project::Arguments,
    #[command(flatten)]
    listen: Listen,
}

/// Where to listen. `preview` takes the same.
#[derive(Args)]
pub struct Listen {
    /// The port to listen on; if it is in use, the next free port
    #[arg(long, value_name = "PORT", default_value = "8000")]
    port: u16,
    /// The IP address to listen on; 0.0.0.0 lets other machines connect
    // Until 0.1 it was `--host`.
    #[arg(long, alias = "host", value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Additional host names to accept, like that of a tunnel; localhost and the server's own addresses are always
    /// accepted, and `.example.com` allows all subdomains
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub allowed_hosts: Vec<String>,
    /// Open the site in a browser
    #[arg(long)]
    open: bool,
}

/// Serves until it is interrupted, and returns the exit code if it cannot start.
pub fn run(arguments: &Arguments) -> u8 {
    let project = &arguments.project;
    if let Err(code) = project::prepare(project) {
        return code;
    }
    // Watching begins before reading: changes in between are reported.
    let mut watch = match Watch::of(&project.root) {
        Ok(watch) => watch,
        Err(failure) => return project::report(project, vec![failure], &Sources::default()),
    };
    let listener = match arguments.listen.bind() {
        Ok(listener) => listener,
        Err(code) => return code,
    };
    let mut dev_server = DevServer::of(project);
    let start = Instant::now();
    dev_server.read(&Change::Everything { with_packages: false });
    dev_server.build();
    let named = &arguments.listen.allowed_hosts;
    let server = match Server::start(listener, named, dev_server.site(), &dev_server.update, None) {
        Ok(server) => server,
        Err(error) => return arguments.listen.refused(&error),
    };
    if project.is_talkative() {
        dev_server.report_schedule();
        arguments.listen.report(server.address(), &dev_server.base_path());
        match &dev_server.artifacts {
            Some(artifacts) => {
                project::report_suppressed(artifacts.site.suppressed);
                print_line!("built {} in {} ms", counted(artifacts.site.pages, "page"), start.elapsed().as_millis())
            }
            None => print_line!("waiting for a change"),
        }
    }
    arguments.listen.open(server.address(), &dev_server.base_path());
    loop {
        let (change, start) = match watch.wait() {
            Ok(change) => (change, Instant::now()),
            Err(failure) => return project::report(project, vec![failure], &Sources::default()),
        };
        dev_server.read(&change);
        if dev_server.has_emptied() {
            match watch.wait_within(WRITER) {
                Ok(more) => more.iter().for_each(|change| dev_server.read(change)),
                Err(failure) => return project::report(project, vec![failure], &Sources::default()),
            }
        }
        let Some(done) = dev_server.build() else { continue };
        server.show(dev_server.site(), &dev_server.update);
        if project.is_talkative() {
            print_line!("{done} in {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
        }
    }
}

/// For the text of a file that was read empty: one program closed it, and another has just truncated it.
const WRITER: Duration = Duration::from_millis(20);

/// The state that is kept between builds.
struct DevServer<'a> {
    arguments: &'a project::Arguments,
    /// The project's folder, absolute: it may be moved away and come back while this process is in it.
    root: PathBuf,
    tools: Arc<DiskTools>,
    /// The last sources; `None` when they could not be read completely.
    sources: Option<Sources>,
    /// The last valid site.
    artifacts: Option<Arc<Artifacts>>,
    /// What changed since the last build.
    differing: BTreeSet<SourcePath>,
    /// Diagnostics of reading.
    unread: Vec<Diagnostic>,
    /// Whether packages came or went since the last build.
    has_packages: bool,
    update: Update,
    /// How many errors keep the newest sources from being served. Warnings do not count.
    mistakes: usize,
    /// Warnings that were printed already; every build gives them again.
    reported: BTreeSet<String>,
    /// Distinguishes the sites of this run from those of another.
    run: u128,
    builds: u64,
}

/// Returns the tools of the project. What is made from pictures is made when a browser asks for it.
fn tools_of(root: &Path) -> Arc<DiskTools> {
    Arc::new(DiskTools::of(root).deferring())
}

impl<'a> DevServer<'a> {
    fn of(arguments: &'a project::Arguments) -> Self {
        let run = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let root = std::path::absolute(&arguments.root).unwrap_or_else(|_| arguments.root.clone());
        let tools = tools_of(&root);
        DevServer {
            arguments,
            root,
            tools,
            sources: None,
            artifacts: None,
            differing: BTreeSet::new(),
            unread: Vec::new(),
            has_packages: false,
            update: Update::default(),
            mistakes: 0,
            reported: BTreeSet::new(),
            run,
            builds: 0,
        }
    }

    fn site(&self) -> Site {
        let (tools, sources) = (self.tools.clone(), self.sources.clone().unwrap_or_default());
        let make = move |wanted: &Derived| match wanted.make(&*tools) {
            Ok(content) => content.body(),
            Err(Fault { detail, fix, .. }) => {
                let problem = AssetProblem::BadPicture { path: wanted.picture.clone(), detail, fix };
                for place in places_of(&sources, &wanted.picture) {
                    print_line!(
                        "{}",
                        print(&Diagnostic::new(problem.clone(), place), false, &|path| sources.text(path))
                    );
                }
                None
            }
        };
        Site { artifacts: self.artifacts.clone(), reloads: true, make: Some(Arc::new(make)) }
    }

    fn base_path(&self) -> String {
        self.artifacts.as_ref().map(|artifacts| artifacts.site.base_path.clone()).unwrap_or_default()
    }

    /// Reads what changed.
    fn read(&mut self, change: &Change) {
        let root = &self.root;
        let renewed = match (change, &mut self.sources) {
            (Change::Paths(paths), Some(sources)) => sources::refresh(sources, root, paths),
            _ => None,
        };
        match renewed {
            Some(paths) => self.differing.extend(paths),
            None => {
                let Checked { value, diagnostics } = sources::read(root);
                if let Some(sources) = &value {
                    self.differing.extend(sources.differing(self.sources.as_ref().unwrap_or(&Sources::default())));
                }
                (self.sources, self.unread) = (value, diagnostics);
            }
        }
        // Installing or removing packages changes the tools and the bundles.
        let is_package = |path: &str| path.starts_with(PACKAGES) || path.starts_with("package");
        self.has_packages |= match change {
            Change::Paths(paths) => paths.iter().any(|path| is_package(path)),
            Change::Everything { with_packages } => {
                *with_packages || self.differing.iter().any(|path| is_package(path.as_str()))
            }
        };
    }

    /// Whether a file that was just read is empty.
    fn has_emptied(&self) -> bool {
        let is_empty =
            |path| self.sources.as_ref().and_then(|sources| sources.get(path)).is_some_and(|file| file.body.is_empty());
        self.differing.iter().any(is_empty)
    }

    /// Builds what was read, and returns a summary; `None` if no file has changed.
    ///
    /// The newest state wins: a save during a build causes the next change, and is built then.
    fn build(&mut self) -> Option<String> {
        let (differing, unread) = (std::mem::take(&mut self.differing), std::mem::take(&mut self.unread));
        let has_packages = std::mem::take(&mut self.has_packages);
        if !has_packages && differing.is_empty() && unread.is_empty() && self.builds > 0 {
            return None;
        }
        // Files of packages are not watched. They are checked again whenever the islands may change, and not for each
        // edit of a text.
        let is_text = |path: &SourcePath| path.below("content").is_some() || path.below("templates").is_some();
        let may_differ = !differing.iter().all(is_text);
        if has_packages || may_differ && self.tools.esbuild().is_none() {
            self.tools = tools_of(&self.root);
        } else if may_differ {
            self.tools.forget_packages();
        }
        let sources = self.sources.take();
        let checked = match &sources {
            Some(sources) => {
                let profile = self.arguments.profile();
                // Run on one of the worker threads, as `build` is.
                guarded(|| rayon::scope(|_| crate::build(sources, &profile, &*self.tools)))
            }
            None => Checked::failed(Vec::new()),
        };
        // A build with errors stops early and does not ask for the rest of the site, which must stay in the cache.
        if checked.value.is_some() {
            self.tools.cache().evict_unused();
        }
        let none = Sources::default();
        let diagnostics = unread.into_iter().chain(checked.diagnostics).collect();
        let diagnostics = project::weighed(self.arguments, diagnostics);
        let is_valid = diagnostics.iter().all(|each| each.severity == Severity::Warning);
        self.report(diagnostics, sources.as_ref().unwrap_or(&none), is_valid);
        let artifacts = checked.value.filter(|_| is_valid).map(Arc::new);
        self.sources = sources;
        self.builds += 1;
        let done = self.take(artifacts, &differing);
        Some(done)
    }

    /// Prints diagnostics, as `build` would, and stores them for browsers.
    fn report(&mut self, diagnostics: Vec<Diagnostic>, sources: &Sources, is_valid: bool) {
        let text_of = |path: &SourcePath| sources.text(path);
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by(|a, b| (b.severity, &a.place).cmp(&(a.severity, &b.place)));
        // As in the terminal, which prints a warning without its line.
        let shown = |each: &&Diagnostic| match each.severity {
            Severity::Warning => print_brief(each, &text_of),
            _ => print(each, false, &text_of),
        };
        self.mistakes = sorted.iter().filter(|each| each.severity != Severity::Warning).count();
        self.update.problems = match is_valid {
            true => Vec::new(),
            false => sorted.iter().map(shown).collect(),
        };
        let warnings: BTreeSet<String> =
            sorted.iter().filter(|each| each.severity == Severity::Warning).map(|each| short(each, &text_of)).collect();
        // A warning that every build gives is printed once.
        let is_fresh =
            |each: &Diagnostic| each.severity != Severity::Warning || !self.reported.contains(&short(each, &text_of));
        let fresh: Vec<Diagnostic> = diagnostics.iter().filter(|each| is_fresh(each)).cloned().collect();
        self.reported = warnings;
        let end = match self.artifacts {
            Some(_) => "; still serving the last valid site",
            None => "; there is no valid site yet",
        };
        self.arguments.reporting.report(fresh, sources, end);
    }

    /// Serves the new site from now on, if there is one, and returns a summary of the change.
    fn take(&mut self, artifacts: Option<Arc<Artifacts>>, differing: &BTreeSet<SourcePath>) -> String {
        let what = named(differing);
        let Some(artifacts) = artifacts else {
            return format!("{what}: {}", counted(self.mistakes, "problem"));
        };
        let none = Artifacts::default();
        let (pages, files) = changes(self.artifacts.as_deref().unwrap_or(&none), &artifacts);
        if self.artifacts.is_none() || pages.all + files.len() > 0 {
            self.update.site = format!("{}-{}", self.run, self.builds);
            // A file that came or went has another name in the pages that show it, so they change with it.
            let stays =
                |file: &&String| self.artifacts.as_ref().is_some_and(|old| old.has(file)) && artifacts.has(file);
            self.update.files =
                files.iter().filter(stays).map(|file| artifacts.address(&OutputPath::new(file))).collect();
        }
        let count = match pages.changed {
            0 if !files.is_empty() => counted(files.len(), "file"),
            changed => counted(changed, "page"),
        };
        self.artifacts = Some(artifacts);
        format!("{what}: {count} changed")
    }

    fn report_schedule(&self) {
        if let Some(artifacts) = &self.artifacts {
            project::report_schedule(&artifacts.site.schedule);
        }
    }
}

struct Pages {
    /// Files of pages that came, went or changed.
    all: usize,
    /// Pages among them, each counted once under all of its names.
    changed: usize,
}

/// Compares two sites: the pages, and the other files that came, went or changed.
fn changes(old: &Artifacts, new: &Artifacts) -> (Pages, Vec<String>) {
    let mut pages = Pages { all: 0, changed: 0 };
    let mut files = Vec::new();
    let mut note = |path: &str| {
        if !path.ends_with(".html") {
            files.push(path.to_owned());
            return;
        }
        pages.all += 1;
        let other_name = path.strip_suffix("/index.html").map(|folder| format!("{folder}.html"));
        if other_name.is_none_or(|other_name| !new.has(&other_name) && !old.has(&other_name)) {
            pages.changed += 1;
        }
    };
    new.differing(old).into_iter().for_each(|path| note(path.as_str()));
    (pages, files)
}

/// Runs a build and survives a panic in it: the panic is reported, and the server goes on.
fn guarded(build: impl FnOnce() -> Checked<Artifacts>) -> Checked<Artifacts> {
    catch_unwind(AssertUnwindSafe(build)).unwrap_or_else(|panic| Checked::failed(vec![panicked(&*panic)]))
}

/// Lists the files that changed, in few words.
fn named(paths: &BTreeSet<SourcePath>) -> String {
    let mut names = paths.iter();
    match (names.next(), names.next(), names.len()) {
        (None, ..) => "packages".to_owned(),
        (Some(path), None, _) => path.to_string(),
        (Some(path), Some(other), 0) => format!("{path}, {other}"),
        (Some(path), Some(_), more) => format!("{path} and {} more", more + 1),
    }
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

impl Listen {
    /// Binds the port, or prints why it cannot.
    pub fn bind(&self) -> Result<std::net::TcpListener, u8> {
        bind(self.address, self.port).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &std::io::Error) -> u8 {
        print_error!("failed: cannot listen on {}: {error}", SocketAddr::new(self.address, self.port));
        FAILED
    }

    /// Prints the address of the site.
    pub fn report(&self, bound: SocketAddr, base_path: &str) {
        if self.port != 0 && bound.port() != self.port {
            print_line!("port {} is in use; using the next free one", self.port);
        }
        print_line!("serving at {}{base_path}/", address(bound));
    }

    /// Opens a browser, if the user asked for it.
    pub fn open(&self, bound: SocketAddr, base_path: &str) {
        if self.open {
            open(&format!("{}{base_path}/", address(bound)));
        }
    }
}

/// Returns the address for browsers on this machine.
fn address(bound: SocketAddr) -> String {
    let ip = match bound.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    };
    format!("http://{}", SocketAddr::new(ip, bound.port()))
}

/// Returns the lines that name a picture, which is made when a browser asks for it, or its file if none does.
fn places_of(sources: &Sources, picture: &str) -> Vec<Place> {
    let files = sources.of_all(&[SourceKind::Page, SourceKind::Entry, SourceKind::Template]);
    let places = files.filter_map(|(path, source)| {
        let at = source.text()?.find(picture)?;
        Some(Place::new(path, Span::at(at, picture.len())))
    });
    let mut places: Vec<Place> = places.take(MOST_PLACES).collect();
    if places.is_empty() {
        let path = SourcePath::new(picture);
        let is_beside = sources.get(&path).is_some();
        places.push(Place::file(&if is_beside { path } else { SourcePath::new(format!("content/assets/{picture}")) }));
    }
    places
}

/// How many lines are printed that name one picture.
const MOST_PLACES: usize = 3;

/// Opens an address in the desktop's browser. The address is printed anyway, in case there is none.
fn open(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        // The empty argument is the window's title; `start` would take the address for it.
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Stdio::null;
    let opened = Command::new(program).args(before).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    match opened {
        // The process stays in the process list until somebody waits for it.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => print_error!("cannot open a browser with {program}: {error}"),
    }
}
