//! `sitegen serve`: build in memory, serve, watch, and build again.

mod editing;

use super::{FAILED, panicked, project};
use crate::artifacts::Artifacts;
use crate::artifacts::derived::Derived;
use crate::diagnostics::{AssetProblem, Diagnostic, Place, Severity, Span, print, print_brief, short};
use crate::paths::{OutputPath, SourcePath};
use crate::pictures::Fault;
use crate::profile::Profile;
use crate::serve::{Server, Site, Update, bind};
use crate::session::{Mode, Outcome, Session};
use crate::sources::{SourceKind, Sources};
use crate::watch::{Change, Watch};
use clap::Args;
use editing::{Ask, EditServer};
use parking_lot::Mutex;
use std::any::Any;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    project: project::Arguments,
    #[command(flatten)]
    listen: Listen,
    /// Also serve a page that edits the others: a click on a text changes it in its file below content/. Without --port, on a
    /// random port
    #[arg(long)]
    edit: bool,
    /// Allow --edit together with an --address that other machines reach, or with --allowed-hosts
    #[arg(long, requires = "edit")]
    allow_remote_editing: bool,
}

/// Asks the system for a port. With `--edit` that is the default: a page that a server has served before on the same port, even of
/// another project, may have left a service worker, and that would answer in the place of the page that edits.
const RANDOM_PORT: u16 = 0;

/// Where to listen. `preview` takes the same.
#[derive(Args)]
pub struct Listen {
    /// The port to listen on; if it is in use, the next free port [default: 8000]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
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
    if arguments.edit
        && !arguments.allow_remote_editing
        && let Some(way) = arguments.listen.way_in()
    {
        print_error!(
            "failed: --edit changes files for whoever knows its address, and other machines can reach it with {way}. To allow that, add \
             --allow-remote-editing"
        );
        return FAILED;
    }
    // Watching begins before reading: changes in between are reported.
    let mut watch = match Watch::of(&project.root) {
        Ok(watch) => watch,
        Err(failure) => return project::report(project, vec![failure], &Sources::default()),
    };
    let port = match arguments.edit {
        true => arguments.listen.port.unwrap_or(RANDOM_PORT),
        false => arguments.listen.port(),
    };
    let listener = match arguments.listen.bind_to(port) {
        Ok(listener) => listener,
        Err(code) => return code,
    };
    let mut dev_server = DevServer::of(project);
    // Through a tunnel or a container the port of a request may be another one.
    let only_port = listener.local_addr().ok().filter(|_| !arguments.allow_remote_editing).map(|bound| bound.port());
    let questions = arguments.edit.then(|| dev_server.allow_editing(only_port));
    let start = Instant::now();
    dev_server.session.read(&Change::Everything { with_packages: false });
    dev_server.build();
    let named = &arguments.listen.allowed_hosts;
    let server = match Server::start(listener, named, dev_server.site(), &dev_server.update, None) {
        Ok(server) => server,
        Err(error) => return arguments.listen.refused(&error),
    };
    dev_server.introduce(arguments, port, &server, start);
    let dev_server = Mutex::new(dev_server);
    std::thread::scope(|scope| {
        let asks = questions.map(|(ask, questions)| {
            scope.spawn(|| editing::answer(questions, &project.root, &dev_server, &server));
            ask
        });
        let failure = follow(&mut watch, &dev_server, &server);
        if let Some(ask) = asks {
            let _ = ask.send(Ask::Stop);
        }
        project::report(project, vec![failure], &Sources::default())
    })
}

impl DevServer<'_> {
    /// Says where the site can be seen and edited, and opens it if that is wanted.
    fn introduce(&self, arguments: &Arguments, port: u16, server: &Server, start: Instant) {
        let (project, listen) = (&arguments.project, &arguments.listen);
        if project.is_talkative() {
            self.report_schedule();
            listen.report(port, server.address(), &self.base_path());
            match &self.artifacts {
                Some(artifacts) => {
                    project::report_suppressed(artifacts.site.suppressed);
                    print_line!("built {} in {} ms", counted(artifacts.site.pages, "page"), start.elapsed().as_millis())
                }
                None => print_line!("waiting for a change"),
            }
        }
        let Some(editing) = &self.editing else { return listen.open(server.address(), &self.base_path()) };
        let address = editing.address(server.address());
        if project.is_talkative() {
            print_line!("editing at {address}");
            if let Some(address) = listen.for_others(server.address()).map(|base| editing.address_below(&base)) {
                print_line!("  from other machines: {address}");
            }
        }
        // Everybody on this machine can read what a program is started with, and the address has the secret.
        if listen.open {
            match editing.opening_file(&project.root, &address) {
                Ok(path) => open(&path),
                Err(reason) => print_error!("cannot open a browser: {reason}"),
            }
        }
    }
}

/// Builds after each change, until the project cannot be watched any more.
fn follow(watch: &mut Watch, dev_server: &Mutex<DevServer>, server: &Server) -> Diagnostic {
    loop {
        let (change, start) = match watch.wait() {
            Ok(change) => (change, Instant::now()),
            Err(failure) => return failure,
        };
        let mut dev_server = dev_server.lock();
        dev_server.session.read(&change);
        if dev_server.session.has_emptied() {
            match watch.wait_within(WRITER) {
                Ok(more) => more.iter().for_each(|change| dev_server.session.read(change)),
                Err(failure) => return failure,
            }
        }
        dev_server.build_and_show(server, start);
    }
}

/// For the text of a file that was read empty: one program closed it, and another has just truncated it.
const WRITER: Duration = Duration::from_millis(20);

/// The state that is kept between builds.
struct DevServer<'a> {
    arguments: &'a project::Arguments,
    session: Session,
    /// The sources of the last build.
    sources: Sources,
    /// The last valid site.
    artifacts: Option<Arc<Artifacts>>,
    update: Update,
    /// The errors that keep the newest sources from being served.
    faults: Vec<Diagnostic>,
    /// Warnings that were printed already; every build gives them again.
    reported: BTreeSet<String>,
    /// Distinguishes the sites of this run from those of another.
    run: u128,
    builds: u64,
    /// What a page that edits needs, if there is one.
    editing: Option<EditServer>,
}

impl<'a> DevServer<'a> {
    fn of(arguments: &'a project::Arguments) -> Self {
        let run = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        DevServer {
            arguments,
            session: Session::of(&arguments.root, Mode::Serve, project::tools_of),
            sources: Sources::default(),
            artifacts: None,
            update: Update::default(),
            faults: Vec::new(),
            reported: BTreeSet::new(),
            run,
            builds: 0,
            editing: None,
        }
    }

    /// Allows editing from now on. Returns where to ask, and what is asked.
    fn allow_editing(&mut self, only_port: Option<u16>) -> (mpsc::Sender<Ask>, mpsc::Receiver<Ask>) {
        let (ask, questions) = mpsc::channel();
        self.editing = Some(EditServer::of(ask.clone(), only_port));
        (ask, questions)
    }

    /// Builds what was read, and shows it.
    fn build_and_show(&mut self, server: &Server, start: Instant) {
        let Some(done) = self.build() else { return };
        server.show(self.site(), &self.update);
        if self.arguments.is_talkative() {
            print_line!("{done} in {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
        }
    }

    fn site(&self) -> Site {
        let (tools, sources) = (self.session.tools().clone(), self.sources.clone());
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
        Site {
            artifacts: self.artifacts.clone(),
            of_languages: Vec::new(),
            reloads: true,
            make: Some(Arc::new(make)),
            locate: None,
            editing: self.editing.as_ref().map(EditServer::editing),
        }
    }

    fn base_path(&self) -> String {
        self.artifacts.as_ref().map(|artifacts| artifacts.site.base_path.clone()).unwrap_or_default()
    }

    /// Builds what was read, and returns a summary; `None` if no file has changed.
    ///
    /// The newest state wins: a save during a build causes the next change, and is built then.
    fn build(&mut self) -> Option<String> {
        let pending = self.session.pending()?;
        let profile = self.profile();
        let mut outcome = guarded(|| pending.check(&profile));
        let content = outcome.site.take();
        let diagnostics = project::weighed(self.arguments, outcome.diagnostics);
        let is_valid = diagnostics.iter().all(|each| each.severity == Severity::Warning);
        let artifacts = outcome.artifacts.filter(|_| is_valid).map(Arc::new);
        self.sources = pending.sources.unwrap_or_default();
        self.report(diagnostics, is_valid);
        self.builds += 1;
        if let Some(editing) = self.editing.as_mut().filter(|_| artifacts.is_some()) {
            editing.keep(content, self.sources.clone(), self.builds);
        }
        Some(self.take(artifacts, &pending.differing))
    }

    fn profile(&self) -> Profile {
        Profile { one_host: true, ..self.arguments.profile() }
    }

    /// Prints diagnostics, as `build` would, and stores them for browsers.
    fn report(&mut self, diagnostics: Vec<Diagnostic>, is_valid: bool) {
        let sources = &self.sources;
        let text_of = |path: &SourcePath| sources.text(path);
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by(|a, b| (b.severity, &a.place).cmp(&(a.severity, &b.place)));
        // As in the terminal, which prints a warning without its line.
        let shown = |each: &&Diagnostic| match each.severity {
            Severity::Warning => print_brief(each, &text_of),
            _ => print(each, false, &text_of),
        };
        self.faults =
            sorted.iter().filter(|each| each.severity != Severity::Warning).map(|each| (*each).clone()).collect();
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
            return format!("{what}: {}", counted(self.faults.len(), "problem"));
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
fn guarded(check: impl FnOnce() -> Outcome) -> Outcome {
    let failed =
        |panic: Box<dyn Any + Send>| Outcome { site: None, artifacts: None, diagnostics: vec![panicked(&*panic)] };
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(failed)
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
        self.bind_to(self.port())
    }

    fn bind_to(&self, port: u16) -> Result<std::net::TcpListener, u8> {
        bind(self.address, port).map_err(|error| self.refused(&error))
    }

    /// Returns the port that was asked for.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(8000)
    }

    fn refused(&self, error: &std::io::Error) -> u8 {
        print_error!("failed: cannot listen on {}: {error}", SocketAddr::new(self.address, self.port()));
        FAILED
    }

    /// Prints the address of the site.
    pub fn report(&self, wanted: u16, bound: SocketAddr, base_path: &str) {
        if wanted != RANDOM_PORT && bound.port() != wanted {
            print_line!("port {wanted} is in use; using the next free one");
        }
        print_line!("serving at {}{base_path}/", address(bound));
    }

    /// Prints the addresses of languages that have hosts of their own, by their folders: names below `localhost` lead to this machine
    /// in every browser.
    pub fn report_languages<'f>(&self, bound: SocketAddr, base_path: &str, folders: impl Iterator<Item = &'f str>) {
        for folder in folders {
            print_line!("  {folder}: http://{folder}.localhost:{}{base_path}/", bound.port());
        }
    }

    /// Returns the option with which other machines can reach the server, if there is one.
    fn way_in(&self) -> Option<String> {
        match self.allowed_hosts.first() {
            _ if !self.address.is_loopback() => Some(format!("--address {}", self.address)),
            Some(host) => Some(format!("--allowed-hosts {host}")),
            None => None,
        }
    }

    /// Returns the address for browsers on other machines, where that for this machine is another one.
    fn for_others(&self, bound: SocketAddr) -> Option<String> {
        if !bound.ip().is_unspecified() {
            return None;
        }
        // Nothing is sent: the system only says from which of its addresses that would be (TEST-NET-1, RFC 5737).
        let socket = std::net::UdpSocket::bind(("0.0.0.0", 0)).ok()?;
        socket.connect(("192.0.2.1", 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_unspecified() && !own.is_loopback()).then(|| format!("http://{}", SocketAddr::new(own, bound.port())))
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
