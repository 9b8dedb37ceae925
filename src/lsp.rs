//! The language server: answers an editor while somebody writes.
//!
//! One thread reads messages in their order and applies what changes texts. Each request gets the project as it is at that moment,
//! and is answered by one of a few other threads, so that none waits for another or for a check. Each project has a thread that
//! follows the disk and one that checks (`project`).
//!
//! Messages are JSON (`lsp-server` reads and writes them); what is computed is in the crate `ide`.

mod actions;
mod answers;
mod client;
mod document;
mod lines;
mod moment;
mod project;
pub mod transport;
mod uri;

pub use project::Checks;

use crate::content::SITE_FILE;
use crate::diagnostics::explanation;
use crate::ide::{FileChange, Refused};
use crate::paths::SourcePath;
use client::Client;
use document::Document;
use lines::Encoding;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use moment::Moment;
use parking_lot::Mutex;
use project::{Project, Send};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// How many threads answer requests.
const WORKERS: usize = 2;

/// A language server with its projects.
struct LanguageServer {
    client: Client,
    checks: Checks,
    send: Send,
    projects: BTreeMap<PathBuf, Arc<Project>>,
    /// Open documents by their addresses, each with its project.
    documents: BTreeMap<String, (Arc<Project>, SourcePath)>,
    /// Open documents that are in no project, each with its text and version. One may become a project.
    others: BTreeMap<String, (String, i64)>,
    jobs: Sender<Job>,
    /// Requests that the editor no longer wants.
    cancelled: Arc<Mutex<BTreeSet<RequestId>>>,
    /// The number of the next request to the editor.
    asked: i32,
}

/// A request that is to be answered.
type Job = Box<dyn FnOnce() + std::marker::Send>;

/// Serves an editor until it ends the connection, and returns whether it did so as the protocol says.
pub fn run(connection: &Connection, checks: Checks) -> bool {
    let Ok((id, params)) = connection.initialize_start() else { return false };
    let client = Client::of(&params);
    if connection.initialize_finish(id, capabilities(client)).is_err() {
        return false;
    }
    let sender = connection.sender.clone();
    // It fails when the editor has gone, which the receiver notices too.
    let send: Send = Arc::new(move |message| drop(sender.send(message)));
    let (jobs, queue) = channel();
    work(queue);
    let mut server = LanguageServer {
        client,
        checks: Checks { with_programs: checks.with_programs && !is_untrusted(&params), ..checks },
        send,
        projects: BTreeMap::new(),
        documents: BTreeMap::new(),
        others: BTreeMap::new(),
        jobs,
        cancelled: Arc::default(),
        asked: 0,
    };
    for folder in folders(&params) {
        server.open(&folder);
    }
    let mut is_ended = false;
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == "shutdown" => {
                is_ended = true;
                (server.send)(Message::Response(Response::new_ok(request.id, Value::Null)));
            }
            Message::Request(request) if is_ended => {
                let code = ErrorCode::InvalidRequest as i32;
                (server.send)(Message::Response(Response::new_err(
                    request.id,
                    code,
                    "the server has shut down".to_owned(),
                )));
            }
            Message::Request(request) => server.request(request),
            Message::Notification(notification) if notification.method == "exit" => break,
            Message::Notification(notification) => server.notification(notification),
            Message::Response(_) => {}
        }
    }
    server.projects.values().for_each(|project| project.close());
    is_ended
}

/// Answers requests in the order in which they come, a few at a time.
fn work(queue: Receiver<Job>) {
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..WORKERS {
        let queue = queue.clone();
        let run = move || {
            loop {
                let job = queue.lock().recv();
                let Ok(job) = job else { return };
                job();
            }
        };
        let _ = std::thread::Builder::new().name("answer".to_owned()).stack_size(8 << 20).spawn(run);
    }
}

/// Whether the editor says that the folder is not the user's own: then no program of it runs.
fn is_untrusted(params: &Value) -> bool {
    params.pointer("/initializationOptions/programs").and_then(Value::as_bool) == Some(false)
}

/// Returns the folders that the editor has open.
fn folders(params: &Value) -> Vec<PathBuf> {
    let listed = params.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
    let listed = listed.filter_map(|folder| folder.get("uri")?.as_str());
    let root = params.get("rootUri").and_then(Value::as_str);
    let mut all: Vec<PathBuf> = listed.chain(root).filter_map(uri::path_of).collect();
    all.dedup();
    all
}

fn capabilities(client: Client) -> Value {
    let encoding = if client.encoding == Encoding::Utf8 { "utf-8" } else { "utf-16" };
    let files =
        json!({ "filters": [{ "scheme": "file", "pattern": { "glob": "**/{content,templates,islands}/**" } }] });
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2, "save": false },
            "completionProvider": { "triggerCharacters": ["{", ".", "/", "(", "[", "#", "|", "<", "\"", ":", " ", "-", "@"] },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentLinkProvider": {},
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "foldingRangeProvider": true,
            "inlayHintProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix", actions::FIX_ALL] },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": answers::TOKENS, "tokenModifiers": [] },
                "full": true,
            },
            "executeCommandProvider": { "commands": ["sitegen.open", "sitegen.explain", "sitegen.settled"] },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "fileOperations": { "willRename": files },
            },
        },
        "serverInfo": { "name": "sitegen", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// Returns a message for the person: 1 for an error, 2 for a warning, 3 for information.
fn show_message(kind: u32, text: &str) -> Message {
    let params = json!({ "type": kind, "message": format!("sitegen: {text}") });
    Message::Notification(Notification::new("window/showMessage".to_owned(), params))
}

/// Returns the nearest folder at or above a file that is a project.
fn project_of(file: &Path) -> Option<&Path> {
    file.ancestors().find(|folder| folder.join(SITE_FILE).is_file())
}

impl LanguageServer {
    /// Opens the project in a folder, if there is one.
    fn open(&mut self, folder: &Path) -> Option<Arc<Project>> {
        let root = project_of(folder)?;
        if let Some(project) = self.projects.get(root) {
            return Some(project.clone());
        }
        let project = Project::open(root, self.client, &self.checks, self.send.clone());
        self.projects.insert(root.to_owned(), project.clone());
        Some(project)
    }

    /// Gives the documents that were in no project to one that there is now.
    fn join(&mut self) {
        for uri in self.others.keys().cloned().collect::<Vec<_>>() {
            let Some(file) = uri::path_of(&uri) else { continue };
            let Some(project) = self.open(&file) else { continue };
            let Some(path) = project.inside(&file) else { continue };
            let Some((text, version)) = self.others.remove(&uri) else { continue };
            project.set(path.clone(), text.into(), version);
            self.documents.insert(uri, (project, path));
        }
    }

    /// Closes the projects of a folder that the editor no longer has open.
    fn leave(&mut self, folder: &Path) {
        let (gone, kept) =
            std::mem::take(&mut self.projects).into_iter().partition(|(root, _)| root.starts_with(folder));
        self.projects = kept;
        let gone: BTreeMap<PathBuf, Arc<Project>> = gone;
        for project in gone.values() {
            project.leave();
            self.documents.retain(|_, (other, _)| !Arc::ptr_eq(other, project));
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params, .. } = notification;
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
        let version = params.pointer("/textDocument/version").and_then(Value::as_i64).unwrap_or_default();
        match method.as_str() {
            "textDocument/didOpen" => {
                let text = params.pointer("/textDocument/text").and_then(Value::as_str).unwrap_or_default();
                self.others.insert(uri.to_owned(), (text.to_owned(), version));
                self.join();
            }
            "textDocument/didChange" => {
                let Some(changes) = params.get("contentChanges").and_then(Value::as_array) else { return };
                if let Some((project, path)) = self.documents.get(uri) {
                    project.change(path, changes, version);
                } else if let Some((text, own)) = self.others.get_mut(uri) {
                    (*text, *own) = (lines::edited(text, changes, self.client.encoding), version);
                }
                self.join();
            }
            "textDocument/didClose" => {
                self.others.remove(uri);
                if let Some((project, path)) = self.documents.remove(uri) {
                    project.unset(&path);
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                let folders = |key: &str| {
                    let listed = params.pointer(key).and_then(Value::as_array).into_iter().flatten();
                    let paths = listed.filter_map(|folder| uri::path_of(folder.get("uri")?.as_str()?));
                    paths.collect::<Vec<_>>()
                };
                folders("/event/removed").iter().for_each(|folder| self.leave(folder));
                folders("/event/added").iter().for_each(|folder| drop(self.open(folder)));
            }
            "$/cancelRequest" => {
                let id = params.get("id");
                let number = id.and_then(Value::as_i64).and_then(|id| i32::try_from(id).ok()).map(RequestId::from);
                let name = id.and_then(Value::as_str).map(|id| RequestId::from(id.to_owned()));
                self.cancelled.lock().extend(number.or(name));
            }
            _ => {}
        }
    }

    fn request(&mut self, request: Request) {
        self.join();
        let Request { id, method, params } = request;
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
        let document = self.documents.get(uri).cloned().or_else(|| {
            let file = uri::path_of(uri)?;
            let project = self.open(&file)?;
            let path = project.inside(&file)?;
            Some((project, path))
        });
        let projects: Vec<Arc<Project>> = match &document {
            Some((project, _)) => vec![project.clone()],
            None => self.projects.values().cloned().collect(),
        };
        let moments: Vec<Moment> = projects.iter().map(|project| project.moment()).collect();
        let path = document.map(|(_, path)| path);
        let (send, cancelled, client) = (self.send.clone(), self.cancelled.clone(), self.client);
        self.asked += 1;
        let asked = self.asked;
        let job = move || {
            if cancelled.lock().remove(&id) {
                let code = ErrorCode::RequestCanceled as i32;
                return send(Message::Response(Response::new_err(id, code, "cancelled".to_owned())));
            }
            let asking =
                Asking { client, moments: &moments, projects: &projects, path: path.as_ref(), send: &send, asked };
            let answer = catch_unwind(AssertUnwindSafe(|| asking.answer(&method, &params)));
            cancelled.lock().remove(&id);
            let response = match answer {
                Ok(Ok(value)) => Response::new_ok(id, value),
                Ok(Err((code, text))) => Response::new_err(id, code as i32, text),
                Err(_) => {
                    let text = format!("{method} failed; this is a bug in sitegen");
                    Response::new_err(id, ErrorCode::InternalError as i32, text)
                }
            };
            send(Message::Response(response));
        };
        // The workers end with the process.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// A request with the projects as they were when it came.
struct Asking<'a> {
    client: Client,
    moments: &'a [Moment],
    projects: &'a [Arc<Project>],
    /// The document that it is about.
    path: Option<&'a SourcePath>,
    send: &'a Send,
    asked: i32,
}

type Answer = Result<Value, (ErrorCode, String)>;

impl Asking<'_> {
    fn answer(&self, method: &str, params: &Value) -> Answer {
        match method {
            "workspace/symbol" => return Ok(self.workspace_symbols(params)),
            "workspace/willRenameFiles" => return Ok(self.will_rename(params)),
            "workspace/executeCommand" => return self.command(params),
            _ => {}
        }
        if !method.starts_with("textDocument/") {
            return Err((ErrorCode::MethodNotFound, format!("{method} is not known")));
        }
        let (Some(moment), Some(path)) = (self.moments.first(), self.path) else { return Ok(Value::Null) };
        let path = &moment.languages.mark(path);
        let about = Document { moment, path, analysis: moment.analysis(), lines: moment.lines(path), params };
        Ok(match method {
            "textDocument/completion" => about.completion(),
            "textDocument/hover" => about.hover(),
            "textDocument/definition" => about.definition(),
            "textDocument/references" => about.references(),
            "textDocument/documentHighlight" => about.highlights(),
            "textDocument/prepareRename" => about.prepare_rename(),
            "textDocument/rename" => return self.rename(&about),
            "textDocument/documentLink" => about.links(),
            "textDocument/documentSymbol" => about.symbols(),
            "textDocument/foldingRange" => about.folds(),
            "textDocument/semanticTokens/full" => answers::tokens(&about.analysis.tokens(path), &about.lines),
            "textDocument/inlayHint" => about.hints(),
            "textDocument/codeAction" => about.actions(),
            _ => return Err((ErrorCode::MethodNotFound, format!("{method} is not known"))),
        })
    }

    fn rename(&self, about: &Document) -> Answer {
        let Document { moment, path, analysis, params, .. } = about;
        let name = params.get("newName").and_then(Value::as_str).unwrap_or_default();
        let failed = |reason: String| Err((ErrorCode::RequestFailed, reason));
        let changes = match analysis.rename(path, about.offset(), name) {
            Ok(changes) => changes,
            Err(Refused(reason)) => return failed(reason),
        };
        if let Some(error) = self.projects.first().and_then(|own| own.broken_by(moment, &changes)) {
            return failed(format!("the site would have an error: {}", answers::sentence(&error, moment)));
        }
        let moved = changes.iter().find_map(|change| match change {
            FileChange::Move { from, to } => Some((from, to)),
            FileChange::Edit { .. } => None,
        });
        if let Some((from, to)) = moved.filter(|_| !self.client.renames_files) {
            return failed(format!("this editor cannot rename files as part of an edit; rename {from} to {to} in it"));
        }
        Ok(answers::edit(&changes, moment))
    }

    fn workspace_symbols(&self, params: &Value) -> Value {
        let query = params.get("query").and_then(Value::as_str).unwrap_or_default();
        let of = |moment: &Moment| -> Vec<Value> {
            let named = moment.analysis().search(query, 200);
            named.iter().map(|named| answers::workspace_symbol(named, moment)).collect()
        };
        self.moments.iter().flat_map(of).collect()
    }

    /// Returns what changes elsewhere when files or folders get other names.
    fn will_rename(&self, params: &Value) -> Value {
        let files = params.get("files").and_then(Value::as_array).into_iter().flatten();
        let renamed: Vec<(PathBuf, PathBuf)> = files
            .filter_map(|file| {
                let path = |key: &str| file.get(key).and_then(Value::as_str).and_then(uri::path_of);
                Some((path("oldUri")?, path("newUri")?))
            })
            .collect();
        // An edit is of one project: files do not move between them.
        for (project, moment) in self.projects.iter().zip(self.moments) {
            let moves = project.moves(moment, &renamed);
            if moves.is_empty() {
                continue;
            }
            let analysis = moment.analysis();
            let others = if self.client.renames_files { analysis.following(&moves) } else { Vec::new() };
            let all: Vec<crate::ide::Move> = moves.into_iter().chain(others.iter().cloned()).collect();
            match analysis.consequences(&all) {
                Ok(edits) => {
                    let others = others.into_iter().map(|(from, to)| FileChange::Move { from, to });
                    let changes: Vec<FileChange> = edits.into_iter().chain(others).collect();
                    if !changes.is_empty() {
                        return answers::edit(&changes, moment);
                    }
                }
                Err(Refused(reason)) => {
                    (self.send)(show_message(2, &format!("links are not changed: {reason}")));
                }
            }
        }
        Value::Null
    }

    fn command(&self, params: &Value) -> Answer {
        let argument = |number: usize| params.get("arguments").and_then(|all| all.get(number));
        match params.get("command").and_then(Value::as_str) {
            Some("sitegen.explain") => {
                let code = argument(0).and_then(Value::as_str).unwrap_or_default();
                match explanation(code) {
                    Some(text) => {
                        if !self.client.explains {
                            (self.send)(show_message(3, text));
                        }
                        Ok(json!(text))
                    }
                    None => Err((ErrorCode::RequestFailed, format!("there is no message `{code}`"))),
                }
            }
            // For tests and scripts: answers when everything that was sent before is checked.
            Some("sitegen.settled") => {
                self.projects.iter().for_each(|project| project.settled());
                Ok(Value::Null)
            }
            Some("sitegen.open") => {
                let file = argument(0).and_then(Value::as_str).and_then(uri::path_of);
                let of_file = file.and_then(|file| {
                    let at = self.projects.iter().position(|project| project.inside(&file).is_some())?;
                    Some((at, self.projects[at].inside(&file)?))
                });
                let Some((number, path)) = of_file else {
                    return Err((ErrorCode::RequestFailed, "this file is in no project of sitegen".to_owned()));
                };
                let (project, moment) = (&self.projects[number], &self.moments[number]);
                let Some(address) = project.address() else {
                    let reason = "there is no page to show before the site is valid once".to_owned();
                    return Err((ErrorCode::RequestFailed, reason));
                };
                let offset = argument(1).map(|position| moment.lines(&path).offset(position));
                let page = moment.analysis().address_of_place(&path, offset.unwrap_or_default());
                let uri = format!("{}{}", address.trim_end_matches('/'), page.unwrap_or_else(|| "/".to_owned()));
                if self.client.shows_documents {
                    let params = json!({ "uri": uri, "external": true });
                    let id = RequestId::from(format!("open-{}", self.asked));
                    (self.send)(Message::Request(Request::new(id, "window/showDocument".to_owned(), params)));
                } else {
                    (self.send)(show_message(3, &format!("the page is at {uri}")));
                }
                Ok(json!(uri))
            }
            other => Err((ErrorCode::InvalidParams, format!("there is no command `{}`", other.unwrap_or_default()))),
        }
    }
}
