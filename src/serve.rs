//! Serves a site from memory, as a host would, and informs browsers when it changes.
//!
//! A [`Server`] answers from the last site it was given. `answer` decides the answer, as a function of the site and the
//! request; `connection` reads requests and writes answers; `reload` adds what a browser needs to follow changes: a
//! script and its permission in the policy, and nothing else.
//!
//! The server is our own: a few blocking threads are enough for a handful of browsers on one machine, and no request
//! waits for a runtime. `httparse`, the parser of hyper, parses requests.

pub mod answer;
mod connection;
pub mod edit;
mod etag;
pub mod names;
pub mod reload;
pub mod routing;

use crate::artifacts::Artifacts;
use crate::artifacts::derived::Derived;
use crate::sources::Body;
use answer::Answer;
use names::Names;
use parking_lot::{Condvar, Mutex, RwLock};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The largest number of connections. A browser opens six, and all its tabs but the first share one for updates.
const CONNECTIONS: usize = 512;

/// How often a line is written to idle browsers, which shows those that have gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// How many ports are tried after the requested one.
const PORTS: u16 = 100;

/// The site that is served.
#[derive(Clone)]
pub struct Site {
    /// The files; `None` before the first valid build.
    pub artifacts: Option<Arc<Artifacts>>,
    /// The same files with the rules of each language that has a host of its own.
    pub of_languages: Vec<Arc<Artifacts>>,
    /// Whether pages get the reload script.
    pub reloads: bool,
    /// Makes a file that no build has made. Nothing if that fails; it says so itself.
    pub make: Option<Make>,
    /// Shows where a text of a page is written, if somebody can.
    pub locate: Option<Locate>,
    /// Changes files for the page that edits others, if that is allowed.
    pub editing: Option<edit::Editing>,
}

/// Takes the path of a page on this server and a text on it.
pub type Locate = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// Makes a deferred file.
pub type Make = Arc<dyn Fn(&Derived) -> Option<Body> + Send + Sync>;

/// An update for browsers after a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Update {
    /// Identifies the served site: every build that changes it gives another name.
    pub site: String,
    /// Files without a hash in their name whose bytes changed, such as those of `content/public/`: `/logo.png`.
    pub files: Vec<String>,
    /// The problems of the newest sources, as printed. Empty when the newest sources are served.
    pub problems: Vec<String>,
    /// Whether a click with the Alt key shows in an editor where the clicked text is written.
    pub places: bool,
}

/// Returns another site if there is one.
pub type Renew = Box<dyn Fn() -> Option<Site> + Send + Sync>;

/// A running server.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    site: RwLock<Site>,
    update: Mutex<(u64, Arc<str>)>,
    changed: Condvar,
    /// Checks, at each request, for a site that has replaced this one.
    renew: Option<Renew>,
    /// The hosts that requests may name.
    names: Names,
    connections: AtomicUsize,
}

/// Binds the requested port, or the next free one.
pub fn bind(address: IpAddr, port: u16) -> io::Result<TcpListener> {
    let mut result = TcpListener::bind((address, port));
    for next in (port..=u16::MAX).skip(1).take(usize::from(PORTS)) {
        match &result {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => result = TcpListener::bind((address, next)),
            _ => break,
        }
    }
    result
}

/// Binds the requested port, or the next free one, for programs on this machine alone.
pub fn bind_locally(port: u16) -> io::Result<TcpListener> {
    bind(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

impl Server {
    /// Starts serving a site, under `localhost`, the addresses of the listener, and these names. `renew` is for a site
    /// that another process replaces.
    pub fn start(
        listener: TcpListener,
        named: &[String],
        site: Site,
        update: &Update,
        renew: Option<Renew>,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            site: RwLock::new(site),
            update: Mutex::new((0, written(update))),
            changed: Condvar::new(),
            renew,
            names: Names::of(address.ip(), named),
            connections: AtomicUsize::new(0),
        });
        let server = Server { address, shared: shared.clone() };
        std::thread::Builder::new().name("accept".into()).spawn(move || accept(&listener, &shared))?;
        Ok(server)
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves another site from now on, and informs browsers.
    pub fn show(&self, site: Site, update: &Update) {
        *self.shared.site.write() = site;
        let mut latest = self.shared.update.lock();
        *latest = (latest.0 + 1, written(update));
        self.shared.changed.notify_all();
    }
}

fn written(update: &Update) -> Arc<str> {
    Arc::from(serde_json::to_string(update).unwrap_or_default())
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Out of file descriptors, most often: those in use are freed in time.
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        let guard = ConnectionSlot::of(shared);
        if shared.connections.load(Ordering::Relaxed) > CONNECTIONS {
            let _ = connection::Connection::new(stream)
                .and_then(|mut connection| connection.write(&Answer::busy(), false, false));
            continue;
        }
        // A thread that cannot be started drops the connection and its slot.
        let _ = std::thread::Builder::new().name("connection".into()).stack_size(256 * 1024).spawn(move || {
            let _ = handle(stream, &guard.0);
        });
    }
}

/// Counts a connection as long as it lasts.
struct ConnectionSlot(Arc<Shared>);

impl ConnectionSlot {
    fn of(shared: &Arc<Shared>) -> Self {
        shared.connections.fetch_add(1, Ordering::Relaxed);
        ConnectionSlot(shared.clone())
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers the requests of one connection until either side closes it.
fn handle(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let local = stream.local_addr().ok().map(|local| local.ip());
    let mut connection = connection::Connection::new(stream)?;
    loop {
        let received = match connection.read()? {
            connection::Received::Nothing => return Ok(()),
            connection::Received::Malformed(status) => return connection.write(&Answer::refusal(status), false, false),
            connection::Received::Request(received) => received,
        };
        let request = received.request();
        if !request.host.is_none_or(|host| shared.names.allow(host, local)) {
            let reported = "This server answers only to localhost and its own addresses. To allow another name, start it with \
                        --allowed-hosts NAME.\n";
            return connection.write(&Answer::plain(403, reported), request.method == "HEAD", false);
        }
        if let Some(site) = shared.renew.as_ref().and_then(|renew| renew()) {
            *shared.site.write() = site;
        }
        let site = shared.site.read().clone();
        if site.reloads && request.method == "GET" && request.target == reload::CHANGES {
            return stream_updates(connection, shared);
        }
        if let (Some(locate), Some(query)) = (&site.locate, request.target.strip_prefix(reload::PLACE))
            && request.method == "GET"
        {
            // A page of another site cannot send this header without asking, and is not answered then (Fetch, "CORS protocol").
            if received.field("x-sitegen") == Some("place") {
                let (path, text) = reload::place(query);
                locate(&path, &text);
            }
            connection.write(&Answer::empty(), false, received.keeps_alive)?;
            if !received.keeps_alive {
                return Ok(());
            }
            continue;
        }
        // A service worker would answer instead of this server, also the next one on this port.
        if site.editing.is_some() && received.field("service-worker").is_some() {
            connection.write(&Answer::plain(403, "No service workers while the site is edited.\n"), false, false)?;
            return Ok(());
        }
        if let Some(editing) = site.editing.as_ref().filter(|_| edit::is_of_editing(request.target)) {
            let (answer, keeps_alive) = edit::answer(editing, &received, &mut connection)?;
            connection.write(&answer, request.method == "HEAD", keeps_alive)?;
            if !keeps_alive {
                return Ok(());
            }
            continue;
        }
        let answer = answer::answer(&site, &request);
        connection.write(&answer, request.method == "HEAD", received.keeps_alive)?;
        if !received.keeps_alive {
            return Ok(());
        }
    }
}

/// Sends every change to a browser, as server-sent events, until it goes away.
fn stream_updates(mut connection: connection::Connection, shared: &Shared) -> io::Result<()> {
    connection.write_stream_head()?;
    let mut reported = None;
    loop {
        let update = {
            let mut latest = shared.update.lock();
            let wait = |(number, _): &mut (u64, Arc<str>)| reported == Some(*number);
            shared.changed.wait_while_for(&mut latest, wait, SIGN_OF_LIFE);
            (reported != Some(latest.0)).then(|| latest.clone())
        };
        match update {
            // JSON has no raw line breaks, which would end an event.
            Some((number, text)) => {
                reported = Some(number);
                connection.write_all(format!("data: {text}\n\n").as_bytes())?;
            }
            None => connection.write_all(b":\n\n")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_skipped() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let first = bind(address, 0).unwrap();
        let port = first.local_addr().unwrap().port();
        let second = bind(address, port).unwrap().local_addr().unwrap().port();
        assert!(second > port && second - port <= PORTS);
    }
}
