//! `sitegen serve --edit`: answers the page that edits others, one request at a time and never during a build.

use super::{DevServer, address};
use crate::content::Site;
use crate::disk;
use crate::editing::fields::picture_of;
use crate::editing::{Answered, Editor, Moment, Refused};
use crate::paths::media_type;
use crate::serve::Server;
use crate::serve::edit::Editing;
use crate::sources::Sources;
use crate::watch::Change;
use parking_lot::Mutex;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// The file that `--open` opens.
const OPENING: &str = ".sitegen/edit.html";

/// The bytes of a picture, and its media type.
type Shown = (Arc<[u8]>, &'static str);

/// A request, and where its answer goes.
pub enum Ask {
    /// A call by its name, with what it brings.
    Call(String, Vec<u8>, mpsc::Sender<(u16, String)>),
    /// A picture by its digest.
    Picture(String, mpsc::Sender<Option<Shown>>),
    /// The server ends.
    Stop,
}

/// What editing needs of the last valid build.
pub struct EditServer {
    token: Arc<str>,
    ask: mpsc::Sender<Ask>,
    content: Option<Site>,
    sources: Sources,
    build: u64,
    /// The port that requests must have been sent to, if it is known.
    only_port: Option<u16>,
}

impl EditServer {
    /// Creates one with a token that nobody knows yet.
    pub fn of(ask: mpsc::Sender<Ask>, only_port: Option<u16>) -> Self {
        let mut bytes = [0u8; 16];
        // The system has random bytes from its start on. Without them nothing is accepted.
        let is_random = getrandom::fill(&mut bytes).is_ok();
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let token = if is_random { token } else { String::new() };
        EditServer { token: token.into(), ask, content: None, sources: Sources::default(), build: 0, only_port }
    }

    /// Returns the address of the page that edits.
    pub fn address(&self, bound: SocketAddr) -> String {
        self.address_below(&address(bound))
    }

    /// Returns the address of the page that edits on a server with an address.
    pub fn address_below(&self, server: &str) -> String {
        format!("{server}/.sitegen/edit#{}", self.token)
    }

    /// Writes a file that leads a browser to an address and that only this user can read. Returns its path. The next server replaces
    /// it, and the token in it is worth nothing after this run.
    pub fn opening_file(&self, root: &Path, address: &str) -> Result<String, String> {
        let page = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0;url={address}\">\n<title>Edit</title>\n"
        );
        disk::write_private(root, OPENING, page.as_bytes())?;
        let path = std::path::absolute(root.join(OPENING)).map_err(|error| error.to_string())?;
        Ok(path.display().to_string())
    }

    /// Keeps what a valid build was made from.
    pub fn keep(&mut self, content: Option<Site>, sources: Sources, build: u64) {
        (self.content, self.sources, self.build) = (content, sources, build);
    }

    /// Returns what the server answers requests with.
    pub fn editing(&self) -> Editing {
        // A sender is shared by the threads of connections.
        let (calls, pictures) = (Mutex::new(self.ask.clone()), Mutex::new(self.ask.clone()));
        let gone = || (503, r#"{"error":"The server ends."}"#.to_owned());
        Editing {
            token: self.token.clone(),
            only_port: self.only_port,
            call: Arc::new(move |name, body| {
                let (reply, answer) = mpsc::channel();
                let sent = calls.lock().send(Ask::Call(name.to_owned(), body, reply));
                sent.ok().and_then(|()| answer.recv().ok()).unwrap_or_else(gone)
            }),
            picture: Arc::new(move |digest| {
                let (reply, answer) = mpsc::channel();
                pictures.lock().send(Ask::Picture(digest.to_owned(), reply)).ok()?;
                answer.recv().ok()?
            }),
        }
    }
}

/// Answers requests until the server ends.
pub fn answer(questions: mpsc::Receiver<Ask>, root: &Path, dev_server: &Mutex<DevServer>, server: &Server) {
    let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    // Two servers of one project, or a process that gets the number of an earlier one, keep files apart.
    let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%S");
    let mut editor = Editor::of(root, &format!("{started}-{}", std::process::id()));
    while let Ok(question) = questions.recv() {
        match question {
            Ask::Stop => return,
            Ask::Picture(digest, reply) => {
                let dev_server = dev_server.lock();
                let site = dev_server.editing.as_ref().and_then(|editing| editing.content.as_ref());
                let picture = site.and_then(|site| {
                    let asset = picture_of(&digest, site)?;
                    Some((asset.body.shared()?, media_type(asset.source.as_str())))
                });
                let _ = reply.send(picture);
            }
            Ask::Call(name, body, reply) => {
                let start = Instant::now();
                let mut dev_server = dev_server.lock();
                let answered = called(&mut editor, &name, &body, &mut dev_server);
                // What is answered is on the disk and served.
                if !answered.written.is_empty() {
                    let paths = answered.written.iter().map(|path| path.as_str().to_owned()).collect();
                    dev_server.session.read(&Change::Paths(paths));
                    dev_server.build_and_show(server, start);
                }
                let _ = reply.send(match answered.json {
                    Ok(json) => (200, json.to_string()),
                    Err(Refused { status, reason }) => (status, serde_json::json!({ "error": reason }).to_string()),
                });
            }
        }
    }
}

/// Answers a call, and survives a panic in it.
fn called(editor: &mut Editor, name: &str, body: &[u8], dev_server: &mut DevServer) -> Answered {
    let profile = dev_server.profile();
    let arguments = dev_server.arguments;
    let weigh = |diagnostics| super::project::weighed(arguments, diagnostics);
    let failed = |status: u16, reason: &str| Answered {
        json: Err(Refused { status, reason: reason.to_owned() }),
        written: Vec::new(),
    };
    let Some(editing) = &dev_server.editing else { return failed(404, "Editing is off.") };
    let mut moment = Moment {
        session: &mut dev_server.session,
        profile: &profile,
        sources: &editing.sources,
        site: editing.content.as_ref(),
        artifacts: dev_server.artifacts.as_ref(),
        build: editing.build,
        faults: &dev_server.faults,
        weigh: &weigh,
    };
    let answered = catch_unwind(AssertUnwindSafe(|| editor.answer(name, body, &mut moment)));
    answered.unwrap_or_else(|_| {
        dev_server.session.restore_all();
        failed(500, "This failed; it is a fault of sitegen. Reload the page to see what is in the files.")
    })
}
