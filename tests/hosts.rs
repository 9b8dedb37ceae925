//! Real servers, as they are installed, serve the built site: every route leads to a page that works.
//!
//! nginx and Python's http.server are started on a free port of the loopback address. Where one is not installed its
//! test says so and passes; the test command installs nginx where it can.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROUTES: [&str; 4] = ["/", "/careers", "/privacy-policy", "/terms-of-service"];

/// A server that is stopped when the test ends, however it ends.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(mut command: Command, port: u16) -> Option<Self> {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let server = Server { child, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(30), "the server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    /// Status, `location` and body of a GET request.
    fn get(&self, path: &str) -> (u16, Option<String>, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let location = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("location").then(|| value.trim().to_owned())
        });
        (status, location, body.to_owned())
    }

    /// The page that a visitor sees at a path, after redirects.
    fn page(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..5 {
            let (status, location, body) = self.get(&path);
            match (status, location) {
                (200, _) => return body,
                (301 | 302 | 307 | 308, Some(location)) => {
                    path = location
                        .split_once("://")
                        .map_or(location.clone(), |(_, rest)| rest[rest.find('/').unwrap_or(rest.len())..].to_owned());
                }
                (status, _) => panic!("{path} answers {status}"),
            }
        }
        panic!("{path} redirects in circles")
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Builds the repository's own site into a fresh folder.
fn built(name: &str) -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hosts-{name}"));
    let _ = fs::remove_dir_all(&out);
    let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["build", "--quiet", "--root", env!("CARGO_MANIFEST_DIR"), "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    out
}

fn serves_every_route(server: &Server) {
    for route in ROUTES {
        let page = server.page(route);
        let canonical = format!(".example{route}\">");
        assert!(page.contains("rel=\"canonical\"") && page.contains(&canonical), "{route} shows another page");
    }
    assert_eq!(server.get("/nowhere").0, 404);
}

#[test]
fn python_serves_every_route() {
    let out = built("python");
    let port = free_port();
    let mut command = Command::new("python3");
    command.args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"]).arg(&out).arg(port.to_string());
    match Server::start(command, port) {
        Some(server) => serves_every_route(&server),
        None => eprintln!("skipped: python3 is not installed"),
    }
}

#[test]
fn nginx_serves_every_route() {
    let out = built("nginx");
    let port = free_port();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nginx");
    fs::create_dir_all(&folder).unwrap();
    // The server block is the one that Debian installs, at another port and root.
    let config = format!(
        "daemon off; pid {dir}/pid; error_log {dir}/error.log; events {{}} http {{ access_log off; \
         types {{ text/html html; }} server {{ listen 127.0.0.1:{port}; root {root}; index index.html index.htm; \
         server_name _; location / {{ try_files $uri $uri/ =404; }} }} }}",
        dir = folder.display(),
        root = out.display(),
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, config).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(&folder).arg("-c").arg(&file);
    match Server::start(command, port) {
        Some(server) => serves_every_route(&server),
        None => eprintln!("skipped: nginx is not installed"),
    }
}
