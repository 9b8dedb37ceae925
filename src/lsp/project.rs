//! A project that an editor has open: its session, the last check, and the threads that follow the disk and check.

use super::answers;
use super::client::Client;
use super::lines::{self, Lines};
use super::moment::{Check, Moment};
use super::uri;
use crate::artifacts::Artifacts;
use crate::artifacts::derived::Derived;
use crate::diagnostics::{Diagnostic, Manual, Severity, ToolProblem, code};
use crate::ide::{FileChange, Move};
use crate::paths::SourcePath;
use crate::profile::Profile;
use crate::serve::{self, Locate, Server, Update};
use crate::session::{FindTools, Mode, Outcome, Pending, Session};
use crate::sources::Sources;
use crate::tools::DiskTools;
use crate::watch::{Change, Watch};
use lsp_server::{Message, Notification, Request, RequestId};
use parking_lot::{Condvar, Mutex};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Sends a message to the editor. It fails only when the editor has gone.
pub type Send = Arc<dyn Fn(Message) + std::marker::Send + Sync>;

/// How projects are checked.
#[derive(Clone)]
pub struct Checks {
    /// Whether programs of the project may run.
    pub with_programs: bool,
    /// Returns the options of a check. The day is that of the moment.
    pub profile: Arc<dyn Fn() -> Profile + std::marker::Send + Sync>,
    /// Finds the tools of a project.
    pub find: FindTools,
    /// The documentation that codes are links to.
    pub manual: Option<Manual>,
}

/// An open project.
pub struct Project {
    /// Its folder.
    pub root: PathBuf,
    state: Mutex<State>,
    changed: Condvar,
    client: Client,
    about: Checks,
    send: Send,
}

struct State {
    session: Session,
    /// Counts the changes.
    generation: u64,
    /// The files that are open, by their paths.
    open: BTreeMap<SourcePath, Document>,
    /// The last check.
    checked: Arc<Check>,
    /// The last change whose check was reported.
    reported: u64,
    /// What was reported of each file.
    published: BTreeMap<String, Value>,
    /// The server that shows pages.
    server: Option<Server>,
    is_closed: bool,
}

/// A file that is open in the editor.
struct Document {
    text: Arc<str>,
    version: i64,
}

/// The first port that is tried for the server that shows pages: that of `sitegen serve`.
const PORT: u16 = 8000;

/// How long diagnostics may wait while one types on.
const PATIENCE: Duration = Duration::from_millis(400);

impl Project {
    /// Opens the project in a folder, and follows it until it is [closed](Project::close).
    pub fn open(root: &Path, client: Client, about: &Checks, send: Send) -> Arc<Self> {
        let state = State {
            session: Session::of(root, Mode::Edit { with_programs: about.with_programs }, about.find),
            generation: 1,
            open: BTreeMap::new(),
            checked: Arc::default(),
            reported: 0,
            published: BTreeMap::new(),
            server: None,
            is_closed: false,
        };
        let root = root.to_owned();
        let (state, changed) = (Mutex::new(state), Condvar::new());
        let project = Arc::new(Project { root, state, changed, client, about: about.clone(), send });
        // Watching begins before reading: changes in between are reported.
        let watch = Watch::of(&project.root);
        project.state.lock().session.read(&Change::Everything { with_packages: false });
        match watch {
            Ok(watch) => {
                let project = project.clone();
                spawn("watch", move || project.follow(watch));
            }
            Err(failure) => project.show(&failure),
        }
        let checker = project.clone();
        spawn("check", move || checker.check());
        project
    }

    /// Ends its threads.
    pub fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Ends its threads and takes back what was reported of its files.
    pub fn leave(&self) {
        self.close();
        let published = std::mem::take(&mut self.state.lock().published);
        for uri in published.into_keys() {
            let params = json!({ "uri": uri, "diagnostics": [] });
            (self.send)(Message::Notification(Notification::new("textDocument/publishDiagnostics".to_owned(), params)));
        }
    }

    /// Returns the path of a file in the project, if a site can have it.
    pub fn inside(&self, file: &Path) -> Option<SourcePath> {
        let inside = file.strip_prefix(&self.root).ok()?;
        crate::sources::is_input(inside).then(|| SourcePath::new(inside.to_string_lossy().replace('\\', "/")))
    }

    /// Takes the text of a file that is open.
    pub fn set(&self, path: SourcePath, text: Arc<str>, version: i64) {
        let mut state = self.state.lock();
        state.session.replace(path.clone(), Some(text.clone().into()));
        state.open.insert(path, Document { text, version });
        state.generation += 1;
        self.changed.notify_all();
    }

    /// Applies changes of an editor to the text of an open file.
    pub fn change(&self, path: &SourcePath, changes: &[Value], version: i64) {
        let text = self.state.lock().open.get(path).map(|document| document.text.clone());
        let Some(text) = text else { return };
        self.set(path.clone(), lines::edited(&text, changes, self.client.encoding).into(), version);
    }

    /// Returns to the text of a file on the disk.
    pub fn unset(&self, path: &SourcePath) {
        let mut state = self.state.lock();
        state.open.remove(path);
        state.session.restore(path);
        state.generation += 1;
        self.changed.notify_all();
    }

    /// Returns the project as it is now.
    pub fn moment(&self) -> Moment {
        let mut state = self.state.lock();
        let (sources, languages) = state.session.marked().cloned().unwrap_or_default();
        let manual = self.about.manual.clone();
        let (root, checked) = (self.root.clone(), state.checked.clone());
        let is_checked = checked.generation == state.generation;
        Moment { root, sources, languages, checked, is_checked, client: self.client, manual }
    }

    /// Returns the moves of the project's files when files and folders get other names.
    pub fn moves(&self, moment: &Moment, renamed: &[(PathBuf, PathBuf)]) -> Vec<Move> {
        let mut all = Vec::new();
        for (from, to) in renamed {
            let inside = |path: &Path| {
                let inside = path.strip_prefix(&self.root).ok()?;
                Some(inside.to_string_lossy().replace('\\', "/"))
            };
            let (Some(from), Some(to)) = (inside(from), inside(to)) else { continue };
            let below = moment.sources.below(&from).map(|(path, _)| path);
            let own = moment.sources.get_key_value(&SourcePath::new(&from)).map(|(path, _)| path);
            for path in own.into_iter().chain(below) {
                let target = format!("{to}{}", path.as_str().strip_prefix(&from).unwrap_or_default());
                if crate::sources::is_input(Path::new(&target)) {
                    all.push((path.clone(), moment.languages.mark(&SourcePath::new(target))));
                }
            }
        }
        all
    }

    /// Returns an error that the site has after some changes and not before.
    pub fn broken_by(&self, moment: &Moment, changes: &[FileChange]) -> Option<Diagnostic> {
        let tools = self.state.lock().session.tools().clone();
        let errors = |sources: Sources| {
            let pending = Pending {
                sources: Some(sources),
                differing: BTreeSet::new(),
                unread: Vec::new(),
                tools: tools.clone(),
            };
            pending.check(&(self.about.profile)()).diagnostics
        };
        let before = match moment.is_checked {
            true => moment.checked.diagnostics.clone(),
            false => errors(moment.sources.clone()),
        };
        let is_error = |each: &&Diagnostic| each.severity != Severity::Warning;
        let count = |all: &[Diagnostic], wanted: &str| {
            all.iter().filter(is_error).filter(|each| code(&each.problem) == wanted).count()
        };
        let after = errors(changed(&moment.sources, changes));
        let is_new = |each: &&Diagnostic| {
            let code = code(&each.problem);
            count(&after, code) > count(&before, code)
        };
        after.iter().filter(is_error).find(is_new).cloned()
    }

    /// Waits until everything that was changed so far is checked and reported.
    pub fn settled(&self) {
        let mut state = self.state.lock();
        let wanted = state.generation;
        while state.reported < wanted && !state.is_closed {
            self.changed.wait(&mut state);
        }
    }

    fn follow(&self, mut watch: Watch) {
        loop {
            let change = match watch.wait() {
                Ok(change) => change,
                Err(failure) => return self.show(&failure),
            };
            let mut state = self.state.lock();
            if state.is_closed {
                return;
            }
            state.session.read(&change);
            state.generation += 1;
            self.changed.notify_all();
        }
    }

    /// Checks after each change, the newest state first, and reports what differs.
    fn check(self: &Arc<Self>) {
        let mut published = Instant::now();
        let mut is_said = false;
        loop {
            let (pending, generation, before) = {
                let mut state = self.state.lock();
                loop {
                    if state.is_closed {
                        return;
                    }
                    if state.checked.generation != state.generation {
                        break;
                    }
                    self.changed.wait(&mut state);
                }
                (state.session.pending(), state.generation, state.checked.clone())
            };
            let Some(pending) = pending else {
                // A change that changed no file.
                let mut state = self.state.lock();
                state.checked = Arc::new(Check { generation, ..(*before).clone() });
                state.reported = generation;
                self.changed.notify_all();
                continue;
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| pending.check(&(self.about.profile)())));
            let outcome = outcome.unwrap_or_else(|_| {
                let detail = "a check panicked; this is a bug in sitegen".to_owned();
                let failure = Diagnostic::failure(ToolProblem::Tool { program: "sitegen", detail });
                Outcome { site: None, artifacts: None, diagnostics: vec![failure] }
            });
            let diagnostics = outcome.diagnostics;
            if self.about.with_programs && !is_said && pending.leaves_islands_out() {
                is_said = true;
                let text = "islands are not compiled, and what depends on them is not checked, until their packages are \
                            installed: run npm install";
                (self.send)(super::show_message(3, text));
            }
            let is_valid = diagnostics.iter().all(|each| each.severity == Severity::Warning);
            let artifacts = outcome.artifacts.filter(|_| is_valid).map(Arc::new);
            let knows_nothing = outcome.site.is_none() && (before.is_part || before.site.is_none());
            let rest = if knows_nothing { pending.resolve_rest(&diagnostics, &(self.about.profile)()) } else { None };
            let check = Arc::new(Check {
                generation,
                sources: pending.sources.unwrap_or_default(),
                diagnostics,
                is_complete: outcome.site.is_some(),
                is_part: outcome.site.is_none() && (before.is_part || before.site.is_none()),
                site: outcome.site.or(rest).map(Arc::new).or_else(|| before.site.clone()),
                artifacts: artifacts.or_else(|| before.artifacts.clone()),
            });
            let is_newest = {
                let mut state = self.state.lock();
                state.checked = check.clone();
                if let (Some(server), Some(artifacts)) = (&state.server, &check.artifacts) {
                    server.show(served(artifacts, &pending.tools, self.locate()), &update(generation, self.client));
                }
                state.generation == generation
            };
            // While one types on, what was found may be elsewhere already.
            if is_newest || published.elapsed() > PATIENCE {
                self.publish(&check);
                published = Instant::now();
            }
            let mut state = self.state.lock();
            state.reported = generation;
            self.changed.notify_all();
        }
    }

    /// Reports what differs from the last report.
    fn publish(&self, check: &Check) {
        let mut by_file: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for diagnostic in &check.diagnostics {
            let path = diagnostic.place.as_ref().map(|place| place.path.clone());
            let path = path.unwrap_or_else(|| SourcePath::new(crate::content::SITE_FILE));
            let lines = Lines::of(check.sources.text(&path).unwrap_or_default(), self.client.encoding);
            let value = answers::diagnostic(diagnostic, self.about.manual.as_ref(), &lines);
            by_file.entry(uri::of_path(&self.root.join(path.as_str()))).or_default().push(value);
        }
        let mut state = self.state.lock();
        if state.is_closed {
            return;
        }
        let gone: Vec<String> = state.published.keys().filter(|uri| !by_file.contains_key(*uri)).cloned().collect();
        let versions: BTreeMap<String, i64> = state
            .open
            .iter()
            .map(|(path, document)| (uri::of_path(&self.root.join(path.as_str())), document.version))
            .collect();
        let is_current = state.generation == check.generation;
        let mut messages = Vec::new();
        for (uri, diagnostics) in gone.into_iter().map(|uri| (uri, Vec::new())).chain(by_file) {
            let value = Value::Array(diagnostics);
            if state.published.get(&uri) == Some(&value) {
                continue;
            }
            let version = versions.get(&uri).filter(|_| is_current);
            let mut params = json!({ "uri": &uri, "diagnostics": &value });
            if let Some(version) = version {
                params["version"] = json!(version);
            }
            messages
                .push(Message::Notification(Notification::new("textDocument/publishDiagnostics".to_owned(), params)));
            if value.as_array().is_some_and(Vec::is_empty) {
                state.published.remove(&uri);
            } else {
                state.published.insert(uri, value);
            }
        }
        drop(state);
        messages.into_iter().for_each(|message| (self.send)(message));
    }

    fn show(&self, failure: &Diagnostic) {
        let text = crate::diagnostics::message(&failure.problem);
        (self.send)(super::show_message(1, &text));
    }

    /// Returns what shows the editor where a text of a page is written.
    fn locate(self: &Arc<Self>) -> Locate {
        let project = self.clone();
        Arc::new(move |page, text| {
            let moment = project.moment();
            let base = moment.checked.artifacts.as_ref().map(|artifacts| artifacts.site.base_path.clone());
            let route = page.strip_prefix(base.as_deref().unwrap_or_default()).unwrap_or(page);
            let route = percent_decode_str(route).decode_utf8_lossy();
            let Some(target) = moment.analysis().place_of_text(&route, text) else { return };
            let range = moment.lines(&target.file).range(target.span);
            let params = json!({ "uri": moment.uri(&target.file), "takeFocus": true, "selection": range });
            let id = RequestId::from(format!("place-{}", moment.checked.generation));
            (project.send)(Message::Request(Request::new(id, "window/showDocument".to_owned(), params)));
        })
    }

    /// Returns the address at which the pages can be seen, and starts the server if it is not running. `None` before the first
    /// valid site.
    pub fn address(self: &Arc<Self>) -> Option<String> {
        let mut state = self.state.lock();
        let artifacts = state.checked.artifacts.clone()?;
        if state.server.is_none() {
            let listener = serve::bind_locally(PORT).ok()?;
            let update = update(state.checked.generation, self.client);
            let site = served(&artifacts, state.session.tools(), self.locate());
            state.server = Server::start(listener, &[], site, &update, None).ok();
        }
        let server = state.server.as_ref()?;
        Some(format!("http://{}{}", server.address(), artifacts.site.base_path))
    }
}

/// Returns the files of a project after some changes.
fn changed(sources: &Sources, changes: &[FileChange]) -> Sources {
    let mut edits: BTreeMap<&SourcePath, Vec<(usize, usize, &str)>> = BTreeMap::new();
    for change in changes {
        if let FileChange::Edit { file, span, text } = change {
            edits.entry(file).or_default().push((span.start, span.end, text));
        }
    }
    let mut after = sources.clone();
    for (file, mut edits) in edits {
        let mut text = sources.text(file).unwrap_or_default().to_owned();
        edits.sort_by_key(|(start, end, _)| (*start, *end));
        for (start, end, new) in edits.into_iter().rev() {
            text.replace_range(start..end, new);
        }
        after = after.with(file, text.as_bytes());
    }
    for change in changes {
        if let FileChange::Move { from, to } = change
            && let Some(bytes) = after.get(from).and_then(|source| source.body.shared())
        {
            after = after.without(from).with(to, &bytes);
        }
    }
    after
}

/// Returns the update for browsers.
fn update(generation: u64, client: Client) -> Update {
    Update { site: generation.to_string(), places: client.shows_documents, ..Update::default() }
}

/// Returns what a server shows: copies of pictures are made when a browser asks for them.
fn served(artifacts: &Arc<Artifacts>, tools: &Arc<DiskTools>, locate: Locate) -> serve::Site {
    let tools = tools.clone();
    let make = move |wanted: &Derived| wanted.make(&*tools).ok().and_then(|content| content.body());
    serve::Site {
        artifacts: Some(artifacts.clone()),
        of_languages: Vec::new(),
        reloads: true,
        make: Some(Arc::new(make)),
        locate: Some(locate),
        editing: None,
    }
}

fn spawn(name: &str, run: impl FnOnce() + std::marker::Send + 'static) {
    // A thread that cannot be started is missed at its first message, which is not answered; nothing else can be said.
    let _ = std::thread::Builder::new().name(name.to_owned()).stack_size(8 << 20).spawn(run);
}
