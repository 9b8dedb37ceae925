//! Serves a site from memory, as a host would, and tells browsers when it changed.
//!
//! A [`Server`] answers from the last site it was given. What it answers is decided by `answer`, a function of the site
//! and the request; `wire` reads requests and writes answers; `reload` is what a page gets on top of its bytes so that a
//! browser can follow: a script and its place in the policy, and nothing else.
//!
//! The server is our own: a few blocking threads are all that a handful of browsers on one machine need, and no request
//! waits for a runtime. Requests are parsed by `httparse`, the parser of hyper.

pub mod answer;
mod connection;
pub mod names;
pub mod reload;
mod routing;

use crate::artifacts::Artifacts;
use answer::Answer;
use names::Names;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::Duration;

/// Connections at a time. A browser has six, and each tab that is not the first shares one of another.
const CONNECTIONS: usize = 512;

/// A line is written to idle browsers so often, which shows those that have gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// How many ports are tried after the one that was asked for.
const PORTS: u16 = 100;

/// What is served.
#[derive(Clone)]
pub struct Site {
    /// The files; nothing before the first sound build.
    pub artifacts: Option<Arc<Artifacts>>,
    /// Whether pages get what they need to reload themselves.
    pub reloads: bool,
}

/// What browsers are told after a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Update {
    /// Names the site that is served: another one after each build that changed it.
    pub site: String,
    /// Files under their own names whose bytes changed, such as those of `content/public/`: `/logo.png`.
    pub files: Vec<String>,
    /// What is wrong with the newest sources, each as it is printed. Empty when the newest sources are what is served.
    pub problems: Vec<String>,
}

/// Gives another site if there is one.
pub type Renew = Box<dyn Fn() -> Option<Site> + Send + Sync>;

/// A server that listens.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    site: RwLock<Site>,
    update: Mutex<(u64, Arc<str>)>,
    changed: Condvar,
    /// Looks, at each request, for a site that has taken the place of this one.
    renew: Option<Renew>,
    /// What requests may name as their host.
    names: Names,
    connections: AtomicUsize,
}

/// Takes a port: the one that is asked for, or the next that is free.
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

impl Server {
    /// Begins to answer with a site, under `localhost`, the addresses that the listener has, and these names. `renew` is for
    /// a site that is somebody else's to replace.
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves another site from now on, and tells browsers.
    pub fn show(&self, site: Site, update: &Update) {
        *write(&self.shared.site) = site;
        let mut latest = lock(&self.shared.update);
        *latest = (latest.0 + 1, written(update));
        self.shared.changed.notify_all();
    }
}

fn written(update: &Update) -> Arc<str> {
    Arc::from(serde_json::to_string(update).unwrap_or_default())
}

// A thread that panicked has left nothing half done: each lock guards one assignment.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Out of file descriptors, most often: those in use come back.
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        let guard = ConnectionSlot::of(shared);
        if shared.connections.load(Ordering::Relaxed) > CONNECTIONS {
            let _ = connection::Connection::new(stream)
                .and_then(|mut connection| connection.write(&Answer::busy(), false, false));
            continue;
        }
        // A thread that cannot be started drops the connection, and its guard.
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

/// Answers the requests of one connection until either side has enough.
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
            let reported = "This server answers under localhost and its own addresses only. If it has another name, start it with \
                        --allowed-hosts NAME.\n";
            return connection.write(&Answer::plain(403, reported), request.method == "HEAD", false);
        }
        if let Some(site) = shared.renew.as_ref().and_then(|renew| renew()) {
            *write(&shared.site) = site;
        }
        let site = shared.site.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        if site.reloads && request.method == "GET" && request.target == reload::CHANGES {
            return stream_updates(connection, shared);
        }
        let answer = answer::answer(&site, &request);
        connection.write(&answer, request.method == "HEAD", received.keeps_alive)?;
        if !received.keeps_alive {
            return Ok(());
        }
    }
}

/// Tells a browser of every change, as server-sent events, until it goes away.
fn stream_updates(mut connection: connection::Connection, shared: &Shared) -> io::Result<()> {
    connection.write_stream_head()?;
    let mut reported = None;
    loop {
        let update = {
            let latest = lock(&shared.update);
            let wait = |(number, _): &mut (u64, Arc<str>)| reported == Some(*number);
            let waited = shared.changed.wait_timeout_while(latest, SIGN_OF_LIFE, wait);
            let (latest, _) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
            (reported != Some(latest.0)).then(|| latest.clone())
        };
        match update {
            // JSON has no line breaks, which would end an event.
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
    fn a_port_in_use_is_passed_over() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let first = bind(address, 0).unwrap();
        let port = first.local_addr().unwrap().port();
        let second = bind(address, port).unwrap().local_addr().unwrap().port();
        assert!(second > port && second - port <= PORTS);
    }
}
