//! `sitegen serve` and `sitegen preview` as they run: real files that real programs save, and requests over a socket.
//!
//! Nothing here waits for a fixed time. That something does *not* happen is proved by what happens after it: the server
//! prints a line for each rebuild, in order.

use crate::support::multilingual;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};
use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const SITE: &str = "url: https://www.example.com\nlanguage: en\nname: Example\n";
const PAGE: &str = "<!doctype html>\n<html lang=\"{{ site.language }}\">\n<head>\n<meta charset=\"utf-8\">\n\
                    <title>{{ page.title }}</title>\n</head>\n<body>\n<main>\n<h1>{{ page.title }}</h1>\n\
                    {{ page.content }}\n</main>\n</body>\n</html>\n";
/// Lists all pages, so that it changes when the title of another page does.
const INDEX: &str = "<!doctype html>\n<html lang=\"{{ site.language }}\">\n<head>\n<meta charset=\"utf-8\">\n\
                     <title>{{ page.title }}</title>\n</head>\n<body>\n<main>\n<h1>{{ page.title }}</h1>\n<ul>\n\
                     {%- for each in pages %}<li><a href=\"{{ url(path=each.route) }}\">{{ each.title }}</a></li>\n\
                     {%- endfor %}</ul>\n</main>\n</body>\n</html>\n";

/// Returns a page with a title and a word of text.
fn page(title: &str, word: &str) -> String {
    format!("---\ntitle: {title}\n---\n\nThe word is {word}.\n")
}

/// A project in a folder of its own.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        project.write("content/site.yaml", SITE);
        project.write("content/pages/index.yaml", "title: Home\ntemplate: pages/index.html\n");
        project.write("content/pages/about.md", &page("About", "first"));
        project.write("templates/pages/page.html", PAGE);
        project.write("templates/pages/index.html", INDEX);
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Saves as most editors do: writes another file and renames it.
    fn write_atomically(&self, path: &str, text: &str) {
        let temporary = self.path(&format!("{path}.tmp4711"));
        fs::write(&temporary, text).unwrap();
        fs::rename(temporary, self.path(path)).unwrap();
    }

    /// Replaces a file in one step. The new one comes from outside of what is watched, so nobody sees half of it.
    fn replace(&self, path: &str, text: &str) {
        let temporary = self.folder.path().join("being-saved");
        fs::write(&temporary, text).unwrap();
        fs::rename(temporary, self.path(path)).unwrap();
    }

    fn serve(&self) -> Serving {
        Serving::start(&["serve", "--now", "2026-12-01", "--root", self.root().to_str().unwrap()])
    }
}

/// A server that is stopped when the test ends, however it ends.
struct Serving {
    child: Child,
    port: u16,
    base_path: String,
    said: Arc<Mutex<Vec<String>>>,
    complained: Arc<Mutex<Vec<String>>>,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(stream: impl Read + Send + 'static) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = lines.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            kept.lock().unwrap().push(line);
        }
    });
    lines
}

fn wait<T>(what: &str, find: impl FnMut() -> Option<T>) -> T {
    within_patience(find).unwrap_or_else(|| panic!("waited in vain for {what}"))
}

/// Returns what is found in time.
fn within_patience<T>(mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let found = find();
        if found.is_some() || start.elapsed() > PATIENCE {
            return found;
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Status, head and body of an answer.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

impl Serving {
    fn start(arguments: &[&str]) -> Self {
        Serving::start_in(Path::new("."), arguments)
    }

    fn start_in(folder: &Path, arguments: &[&str]) -> Self {
        // A shell's background job ignores interrupts, and so does everything that it starts.
        let mut child = Command::new("env")
            .args(if cfg!(target_os = "linux") { ["--default-signal=INT"].as_slice() } else { &[] })
            .arg(env!("CARGO_BIN_EXE_sitegen"))
            .args(arguments)
            .current_dir(folder)
            .args(if arguments.contains(&"--port") { [].as_slice() } else { &["--port", "0"] })
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = collect(child.stdout.take().unwrap());
        let complained = collect(child.stderr.take().unwrap());
        let mut serving = Serving { child, port: 0, base_path: String::new(), said, complained };
        let address = wait("the address", || {
            assert!(serving.child.try_wait().unwrap().is_none(), "it ended: {:?}", serving.complained.lock().unwrap());
            let said = serving.said.lock().unwrap();
            said.iter().find_map(|line| line.strip_prefix("serving at http://127.0.0.1:").map(str::to_owned))
        });
        let (port, base_path) = address.split_once('/').unwrap();
        serving.port = port.parse().unwrap();
        serving.base_path = format!("/{base_path}").trim_end_matches('/').to_owned();
        serving
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes on a connection of their own, and reads the answer to its end.
    fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        // A server that is short of threads closes the connection without an answer.
        let Some(at) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
            return Answer { status: 0, head: String::new(), body: answer };
        };
        let head = String::from_utf8_lossy(&answer[..at]).into_owned();
        Answer { status: head.split(' ').nth(1).unwrap().parse().unwrap(), head, body: answer[at + 4..].to_vec() }
    }

    fn ask(&self, method: &str, path: &str, more: &str) -> Answer {
        self.send(
            format!("{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n{more}\r\n", self.port)
                .as_bytes(),
        )
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }

    fn wait_for(&self, path: &str, needle: &str) {
        let mut answer = String::new();
        let is_there = || {
            answer = self.get(path).text();
            answer.contains(needle).then_some(())
        };
        if within_patience(is_there).is_none() {
            panic!("waited in vain for `{needle}` at {path}: it answered\n{answer}\nand said {:?}", self.said());
        }
    }

    fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }

    /// Returns the lines about rebuilds, once there are as many as given.
    fn rebuilds(&self, count: usize) -> Vec<String> {
        wait(&format!("{count} rebuilds"), || {
            let lines: Vec<String> =
                self.said().into_iter().skip_while(|line| !line.starts_with("built ")).skip(1).collect();
            (lines.len() >= count).then_some(lines)
        })
    }

    fn listen(&self) -> Events {
        let mut stream = self.connect();
        write!(stream, "GET /.sitegen/changes HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        Events { lines: BufReader::new(stream) }
    }
}

/// The updates that browsers get.
struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    fn next(&mut self) -> serde_json::Value {
        let (mut line, start) = (String::new(), Instant::now());
        loop {
            line.clear();
            // The server also sends lines that only keep the connection open.
            assert!(start.elapsed() < PATIENCE * 2, "waited in vain for an update");
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the server closed the connection");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
        }
    }

    fn until(&mut self, is_wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        loop {
            let update = self.next();
            if is_wanted(&update) {
                return update;
            }
        }
    }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Removes the reload script from a served page, and its additions to the policy.
fn without_reload(page: &str) -> String {
    let (page, script) = page.rsplit_once("<script data-sitegen='").expect("a script at the end");
    let script = script.split_once('>').unwrap().1.strip_suffix("</script>").expect("nothing after the script");
    let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)));
    // In a policy with scripts of its own the hash follows theirs; another gets a directive for it.
    let page = match page.contains(&format!("; script-src {hash}\"")) {
        true => page.replacen(&format!("; script-src {hash}\""), "\"", 1),
        false => page.replacen(&format!(" {hash}"), "", 1),
    };
    assert_eq!(page.matches("/robots.txt 'self'; form-action").count(), 1);
    page.replacen("/robots.txt 'self'; form-action", "/robots.txt; form-action", 1)
}

#[test]
fn served_files_are_the_published_ones_plus_the_reload_script() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serving-published");
    let _ = fs::remove_dir_all(&out);
    let root = repository().to_str().unwrap();
    let options = ["--now", "2026-12-01", "--root", root];
    let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["build", "--quiet", "--out", out.to_str().unwrap()])
        .args(options)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let server = Serving::start(&[["serve"].as_slice(), &options].concat());
    let mut compared = 0;
    for entry in walkdir::WalkDir::new(&out).into_iter().flatten().filter(|entry| entry.file_type().is_file()) {
        let name = entry.path().strip_prefix(&out).unwrap().to_str().unwrap();
        if name == "manifest.json" {
            continue;
        }
        let answer = server.get(&format!("/{name}"));
        // Files for the server are not for visitors.
        if name.starts_with(".host/") {
            assert_eq!(answer.status, 404, "{name}");
            continue;
        }
        // nginx, with our file, answers 404 at the 404 page itself.
        assert_eq!(answer.status, if name == "404.html" { 404 } else { 200 }, "{name}");
        let published = fs::read(entry.path()).unwrap();
        if name.ends_with(".html") {
            assert_eq!(without_reload(&answer.text()), String::from_utf8(published).unwrap(), "{name}");
        } else {
            assert!(answer.body == published, "{name} differs");
        }
        compared += 1;
    }
    assert!(compared > 10, "{compared} files were compared");
    assert_eq!(server.get("/careers").status, 200);
    assert_eq!(server.get("/careers/").status, 200);
}

#[test]
fn requests_are_answered_as_a_host_does() {
    let project = Project::new();
    project.write("content/public/notes.txt", "0123456789");
    let server = project.serve();
    let page = server.get("/about");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let unknown = server.get("/nowhere");
    assert_eq!(unknown.status, 404);
    assert!(unknown.text().contains("<meta name=\"robots\" content=\"noindex\">"));

    let head = server.ask("HEAD", "/about", "");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(page.body.len().to_string().as_str()));
    let tag = page.header("etag").unwrap();
    let cached = server.ask("GET", "/about", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((cached.status, cached.body.len(), cached.header("etag")), (304, 0, Some(tag)));
    let part = server.ask("GET", "/notes.txt", "Range: bytes=3-5\r\n");
    assert_eq!((part.status, part.text().as_str()), (206, "345"));
    assert_eq!(part.header("content-range"), Some("bytes 3-5/10"));
    assert_eq!(server.ask("GET", "/notes.txt", "Range: bytes=10-\r\n").status, 416);
    let refused = server.ask("POST", "/about", "Content-Length: 3\r\n\r\nabc");
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));

    // Several requests on one connection, sent before the first is answered.
    let both = "GET /notes.txt HTTP/1.1\r\nHost: localhost\r\n\r\n\
                GET /notes.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(String::from_utf8_lossy(&server.send(both.as_bytes()).body).matches("0123456789").count(), 2);
}

#[test]
fn files_of_other_formats_are_served_and_follow_saves() {
    let project = Project::new();
    for (name, text) in [
        (
            "search.json",
            "[{% for each in pages %}{{ each.title | json }}{% if not loop.last %},{% endif %}{% endfor %}]",
        ),
        ("list.xml", "<list>{% for each in pages %}<loc>{{ each.url }}</loc>{% endfor %}</list>"),
        ("site.webmanifest", "{}"),
        ("humans.txt", "{{ site.name }}"),
        ("events.ics", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//a//b\nEND:VCALENDAR"),
    ] {
        project.write(&format!("content/pages/{name}.yaml"), &format!("template: {name}\n"));
        project.write(&format!("templates/{name}"), text);
    }
    let server = project.serve();
    for (path, media_type, text) in [
        ("/search.json", "application/json; charset=utf-8", "[\"Home\",\"About\"]"),
        (
            "/list.xml",
            "application/xml; charset=utf-8",
            "<list><loc>https://www.example.com/</loc><loc>https://www.example.com/about</loc></list>",
        ),
        ("/site.webmanifest", "application/manifest+json", "{}"),
        ("/humans.txt", "text/plain; charset=utf-8", "Example"),
        (
            "/events.ics",
            "text/calendar; charset=utf-8",
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\nEND:VCALENDAR\r\n",
        ),
    ] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.header("content-type"), answer.text().as_str()),
            (200, Some(media_type), text)
        );
    }
    project.write("content/pages/about.md", &page("Rye", "first"));
    wait("the title in the JSON file", || server.get("/search.json").text().contains("\"Rye\"").then_some(()));
}

#[test]
fn hostile_clients_are_turned_away_and_others_are_served() {
    let project = Project::new();
    let server = project.serve();
    let status = |bytes: &str| server.send(bytes.as_bytes()).status;
    // A page of another site that points its own name here (DNS rebinding).
    assert_eq!(status("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
    assert_eq!(status("GET /.sitegen/changes HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
    assert_eq!(status("GET / HTTP/1.1\r\n\r\n"), 400);
    assert_eq!(status("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"), 400);
    assert_eq!(status("\u{16}\u{3}\u{1}\u{2} TLS is not spoken here\r\n\r\n"), 400);
    assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: localhost\r\nA: {}\r\n\r\n", "a".repeat(20_000))), 431);
    assert_eq!(status(&format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(20_000))), 431);
    assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "a: b\r\n".repeat(200))), 431);
    for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd"] {
        let answer = server.get(path);
        assert!(answer.status == 404 && !answer.text().contains("root:"), "{path}");
    }
    assert_eq!(server.get("/%ff%fe").status, 400);
    assert_eq!(server.get("/%").status, 400);

    // Two hundred clients that send nothing, and one that sends a letter at a time.
    let idle: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
    let mut slow = server.connect();
    slow.write_all(b"G").unwrap();
    assert_eq!(server.get("/about").status, 200);
    drop(idle);
    // Six hundred are more than it accepts; when they have gone it answers again.
    let crowd: Vec<TcpStream> = (0..600).map(|_| server.connect()).collect();
    drop(crowd);
    wait("an answer after the crowd", || (server.get("/about").status == 200).then_some(()));
}

/// A way to save a text, and its name.
type Save<'a> = (&'a str, &'a dyn Fn(&str));

#[test]
fn a_save_is_served_however_it_is_made() {
    let project = Project::new();
    let server = project.serve();
    server.wait_for("/about", "word is first");
    let about = "content/pages/about.md";
    let write_in_parts = |text: &str| {
        let mut file = fs::File::create(project.path(about)).unwrap();
        for part in text.as_bytes().chunks(7) {
            file.write_all(part).unwrap();
            file.flush().unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let holder = RefCell::new(None);
    let kinds: [Save; 6] = [
        ("in place, as a shell and many editors do", &|text| project.write(about, text)),
        ("under another name and renamed", &|text| project.write_atomically(about, text)),
        // The old file becomes the backup, the new one is written in its place.
        ("as Vim does with `backup`", &|text| {
            fs::rename(project.path(about), project.path("content/pages/about.md~")).unwrap();
            project.write(about, text);
        }),
        // A lock beside it, then in place.
        ("as Emacs does", &|text| {
            let lock = project.path("content/pages/.#about.md");
            std::os::unix::fs::symlink("me@here.1:1", &lock).unwrap();
            project.write(about, text);
            fs::remove_file(lock).unwrap();
        }),
        // It is truncated, and for a while there is only a part of it.
        ("slowly", &write_in_parts),
        ("while another program has it open", &|text| {
            holder.replace(fs::OpenOptions::new().append(true).open(project.path(about)).ok());
            project.write(about, text);
        }),
    ];
    for (number, (kind, save)) in kinds.into_iter().enumerate() {
        // A busy machine may give the writer no processor for longer than the server waits for the rest of a file. The
        // server then builds what there is. So each kind of save has several tries, and one must not be built half.
        let is_ever_whole = (0..20).any(|attempt| {
            let before = server.said().len();
            let word = format!("number-{number}-{attempt}");
            save(&page("About", &word));
            server.wait_for("/about", &format!("word is {word}."));
            !server.said()[before..].iter().any(|line| line.contains("problem"))
        });
        assert!(is_ever_whole, "{kind}: {:#?}", server.said());
    }
    // The other program goes on writing.
    holder.take().unwrap().write_all(b"\nAnd an eighth.\n").unwrap();
    server.wait_for("/about", "And an eighth");
    // A list that shows the page changes too.
    project.write(about, &page("About us", "ninth"));
    server.wait_for("/", "About us</a>");
    // A new page, and a removed one.
    project.write_atomically("content/pages/new.md", &page("New", "tenth"));
    server.wait_for("/new", "word is tenth");
    server.wait_for("/", "New</a>");
    fs::remove_file(project.path("content/pages/new.md")).unwrap();
    wait("the page to go", || (server.get("/new").status == 404).then_some(()));
    server.wait_for("/about", "word is ninth");
}

#[test]
fn mistakes_are_counted_without_the_warnings_beside_them() {
    let project = Project::new();
    project.write("content/pages/placeholder.md", &page("Write to hello@somebody.example", "second"));
    let server = project.serve();
    project.write("content/pages/about.md", "---\ntitle: About\ntitel: twice\nlead: [\n---\n");
    let lines = server.rebuilds(1);
    assert!(lines[0].starts_with("content/pages/about.md: 1 problem in "), "{lines:#?}");
}

#[test]
fn saves_without_changes_build_nothing() {
    let project = Project::new();
    let server = project.serve();
    project.write("content/pages/.about.md.swp", "swap");
    project.write("content/pages/about.md~", "backup");
    project.write("content/pages/#about.md#", "saved by itself");
    project.write("content/pages/4913", "Vim looks whether it may write here");
    project.write("content/.DS_Store", "x");
    project.write(".git/index", "x");
    project.write("notes.txt", "not of the site");
    project.write("content/pages/about.md", &page("About", "first"));
    let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["build", "--root", project.root().to_str().unwrap()])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for entry in walkdir::WalkDir::new(project.path("content")).into_iter().flatten() {
        let _ = fs::read(entry.path());
    }
    project.replace("content/pages/about.md", &page("About", "second"));
    server.wait_for("/about", "word is second");
    let lines = server.rebuilds(1);
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].starts_with("content/pages/about.md: 1 page changed in "), "{lines:#?}");
}

#[test]
fn the_newest_state_wins() {
    let project = Project::new();
    let server = project.serve();
    // Saves faster than builds, so that most of them are built together.
    for number in 0..300u64 {
        let text = page("About", &format!("number-{number}"));
        match number % 3 {
            0 => project.write("content/pages/about.md", &text),
            1 => project.write_atomically("content/pages/about.md", &text),
            _ => {
                fs::remove_file(project.path("content/pages/about.md")).unwrap();
                project.write("content/pages/about.md", &text);
            }
        }
        std::thread::sleep(Duration::from_micros((number % 7) * 300));
    }
    server.wait_for("/about", "word is number-299.");
    server.listen().until(|update| update["problems"] == serde_json::json!([]));
}

#[test]
fn a_checkout_of_a_thousand_files_is_followed() {
    let project = Project::new();
    let git = |arguments: &[&str]| {
        let run = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(project.root())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    };
    let write_all = |word: &str| {
        for number in 0..1000 {
            project
                .write(&format!("content/pages/{}/{number}.md", number % 10), &page(&format!("Page {number}"), word));
        }
    };
    git(&["init", "-q", "-b", "one"]);
    write_all("one");
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    git(&["checkout", "-qb", "two"]);
    write_all("two");
    project.write("content/pages/only/two.md", &page("Only", "two"));
    git(&["add", "-A"]);
    git(&["commit", "-qm", "two"]);
    let server = project.serve();
    for (branch, status) in [("one", 404), ("two", 200), ("one", 404)] {
        git(&["checkout", "-q", branch]);
        for number in [0, 499, 999] {
            server.wait_for(&format!("/{}/{number}", number % 10), &format!("word is {branch}."));
        }
        wait("the page of one branch", || (server.get("/only/two").status == status).then_some(()));
    }
    // Every page was built, not only the checked ones.
    for number in 0..1000 {
        server.wait_for(&format!("/{}/{number}", number % 10), "word is one.");
    }
}

#[test]
fn events_that_the_system_dropped_cost_no_change() {
    let project = Project::new();
    project.write("content/pages/other.md", &page("Other", "first"));
    let server = project.serve();
    let signal = |name: &str| {
        let run = Command::new("kill").args([name, &server.child.id().to_string()]).status().unwrap();
        assert!(run.success());
    };
    let limit: usize = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
    // While the server is stopped, the queue overflows: equal events in a row count once, so two files alternate.
    signal("-STOP");
    for number in 0..limit / 4 {
        project.write("content/pages/about.md", &page("About", &format!("{number}")));
        project.write("content/pages/other.md", &page("Other", &format!("{number}")));
    }
    project.write("content/pages/last.md", &page("Last", "late"));
    project.write("content/pages/about.md", &page("About", "last"));
    signal("-CONT");
    server.wait_for("/about", "word is last.");
    server.wait_for("/last", "word is late.");
    project.write("content/pages/last.md", &page("Last", "after"));
    server.wait_for("/last", "word is after.");
}

#[test]
fn folders_go_and_come_back() {
    let project = Project::new();
    project.write("content/pages/deep/er/page.md", &page("Deep", "first"));
    let server = project.serve();
    let mut events = server.listen();
    let broken = |update: &serde_json::Value| !update["problems"].as_array().unwrap().is_empty();
    let valid = |update: &serde_json::Value| update["problems"].as_array().unwrap().is_empty();
    for folder in ["content", "templates"] {
        fs::rename(project.path(folder), project.folder.path().join("aside")).unwrap();
        events.until(broken);
        // The last valid page stays.
        assert_eq!(server.get("/about").status, 200);
        fs::rename(project.folder.path().join("aside"), project.path(folder)).unwrap();
        events.until(valid);
    }
    project.write("content/pages/deep/er/page.md", &page("Deep", "second"));
    server.wait_for("/deep/er/page", "word is second");
    // The whole project.
    fs::rename(project.root(), project.folder.path().join("aside")).unwrap();
    events.until(broken);
    fs::rename(project.folder.path().join("aside"), project.root()).unwrap();
    events.until(valid);
    project.write("content/pages/deep/er/page.md", &page("Deep", "third"));
    server.wait_for("/deep/er/page", "word is third");
    // Deleted and copied again, file by file.
    let kept = project.folder.path().join("kept");
    copy(&project.root(), &kept);
    fs::remove_dir_all(project.root()).unwrap();
    events.until(broken);
    copy(&kept, &project.root());
    project.write("content/pages/deep/er/page.md", &page("Deep", "fourth"));
    server.wait_for("/deep/er/page", "word is fourth");
    // A tree of folders that appears at once, and is filled while it is being noticed.
    for number in 0..50 {
        project.write(&format!("content/pages/a/{number}/b/c.md"), &page("New", &format!("new-{number}")));
    }
    for number in 0..50 {
        server.wait_for(&format!("/a/{number}/b/c"), &format!("word is new-{number}."));
    }
    // A folder that did not exist before.
    project.write("content/public/hello.txt", "hello");
    server.wait_for("/hello.txt", "hello");
    fs::remove_dir_all(project.path("content/pages/a")).unwrap();
    wait("the folder to go", || (server.get("/a/7/b/c").status == 404).then_some(()));
}

#[test]
fn links_are_followed_to_where_they_lead() {
    let project = Project::new();
    // The content is elsewhere in the project, and one page is a link to a file of another source folder.
    let elsewhere = project.path("elsewhere");
    fs::rename(project.path("content"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, project.path("content")).unwrap();
    project.write("templates/NOTES.md", &page("Notes", "first"));
    std::os::unix::fs::symlink(project.path("templates/NOTES.md"), elsewhere.join("pages/notes.md")).unwrap();
    let server = project.serve();
    server.wait_for("/notes", "word is first");
    project.write("content/pages/about.md", &page("About", "second"));
    server.wait_for("/about", "word is second");
    fs::write(elsewhere.join("pages/about.md"), page("About", "third")).unwrap();
    server.wait_for("/about", "word is third");
    project.write("templates/NOTES.md", &page("Notes", "second"));
    server.wait_for("/notes", "word is second");
    project.write_atomically("templates/NOTES.md", &page("Notes", "third"));
    server.wait_for("/notes", "word is third");
    // All content is exchanged by changing the link.
    let other = project.path("other");
    copy(&elsewhere, &other);
    fs::remove_file(other.join("pages/notes.md")).unwrap();
    fs::write(other.join("pages/about.md"), page("About", "other")).unwrap();
    std::os::unix::fs::symlink(&other, project.path("content.new")).unwrap();
    fs::rename(project.path("content.new"), project.path("content")).unwrap();
    server.wait_for("/about", "word is other");
    fs::write(other.join("pages/about.md"), page("About", "another")).unwrap();
    server.wait_for("/about", "word is another");
}

#[test]
fn a_folder_is_followed_after_its_second_name_is_gone() {
    let project = Project::new();
    project.write("content/pages/guides/use.md", &page("Use", "first"));
    std::os::unix::fs::symlink("guides", project.path("content/pages/alias")).unwrap();
    let server = project.serve();
    server.wait_for("/alias/use", "word is first");
    fs::remove_file(project.path("content/pages/alias")).unwrap();
    wait("the second name to go", || (server.get("/alias/use").status == 404).then_some(()));
    project.write("content/pages/guides/use.md", &page("Use", "second"));
    server.wait_for("/guides/use", "word is second");
}

#[test]
fn a_project_that_is_moved_away_and_comes_back_is_followed() {
    let project = Project::new();
    let server = Serving::start_in(&project.root(), &["serve", "--now", "2026-12-01"]);
    let aside = project.folder.path().join("aside");
    fs::rename(project.root(), &aside).unwrap();
    copy(&aside, &project.root());
    project.write("content/pages/about.md", &page("About", "second"));
    server.wait_for("/about", "word is second");
    project.write("content/pages/about.md", &page("About", "third"));
    server.wait_for("/about", "word is third");
}

/// A project with an island that needs esbuild and nothing else.
fn with_island() -> Project {
    let project = Project::new();
    project.write("islands/Hello.ts", "export const mount = (element: HTMLElement) => element.append(\"hello\");\n");
    let call = "{{ island(component=\"Hello\", hydrate=\"load\") }}\n</main>";
    project.write("templates/pages/page.html", &PAGE.replace("</main>", call));
    project
}

/// Copies esbuild into the folder of packages.
fn copy_packages(project: &Project, meanwhile: impl Fn()) {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    fs::create_dir_all(project.path("node_modules")).unwrap();
    meanwhile();
    for name in ["@esbuild", "esbuild"] {
        std::os::unix::fs::symlink(packages.join(name), project.path(&format!("node_modules/{name}"))).unwrap();
    }
}

/// Installs esbuild as npm does: the folder, the packages, and a list of them at the end.
fn install(project: &Project, meanwhile: impl Fn()) {
    copy_packages(project, meanwhile);
    project.write("node_modules/.package-lock.json", "{}");
}

#[test]
fn packages_that_are_installed_meanwhile_are_used() {
    let project = with_island();
    let server = project.serve();
    let lacks = |count: usize| {
        let complained = server.complained.lock().unwrap().join("\n");
        (complained.matches("it is not installed").count() >= count).then_some(())
    };
    wait("esbuild to be missed", || lacks(1));
    install(&project, || wait("esbuild to be missed in the new folder", || lacks(2)));
    server.wait_for("/about", "word is first");
    // Without a list at the end they are found with the next change of an island.
    fs::remove_dir_all(project.path("node_modules")).unwrap();
    wait("esbuild to be missed again", || lacks(3));
    copy_packages(&project, || wait("esbuild to be missed in an empty folder", || lacks(4)));
    project.write("islands/Hello.ts", "export const mount = (element: HTMLElement) => element.append(\"good day\");\n");
    project.write("content/pages/about.md", &page("About", "second"));
    server.wait_for("/about", "word is second");
}

#[test]
fn packages_that_come_and_go_are_noticed_where_links_lead_through_the_project() {
    let project = with_island();
    install(&project, || {});
    std::os::unix::fs::symlink("about.md", project.path("content/pages/more.md")).unwrap();
    let server = project.serve();
    server.wait_for("/more", "word is first");
    fs::rename(project.path("node_modules"), project.path("aside")).unwrap();
    let mut events = server.listen();
    events.until(|update| update["problems"].to_string().contains("esbuild"));
    fs::rename(project.path("aside"), project.path("node_modules")).unwrap();
    events.until(|update| update["problems"] == serde_json::json!([]));
}

#[test]
fn no_mistake_ends_the_server_and_each_is_shown_over_the_last_valid_page() {
    let project = Project::new();
    let server = project.serve();
    let mut events = server.listen();
    let good = server.get("/about").body;
    for (path, text, reported) in [
        ("content/pages/about.md", "---\ntitle: [\n---\n".to_owned(), "yaml-syntax"),
        ("content/pages/about.md", String::new(), "front-matter-missing"),
        ("content/site.yaml", "url: nowhere".to_owned(), "content/site.yaml"),
        ("templates/pages/page.html", "{% extends \"pages/page.html\" %}".to_owned(), "template-"),
        ("templates/pages/page.html", "{% if %}".to_owned(), "template-syntax"),
        ("templates/pages/page.html", "{{ nothing }}".to_owned(), "template-failed"),
        ("islands/Order.tsx", "export default (".to_owned(), "esbuild failed"),
    ] {
        let before = fs::read(project.path(path)).ok();
        project.write(path, &text);
        let update = events.until(|update| update["problems"].to_string().contains(reported));
        // The excerpt, as in the terminal.
        let problem = update["problems"][0].as_str().unwrap().to_owned();
        wait("the same in the terminal", || {
            let complained = server.complained.lock().unwrap().join("\n");
            complained.contains(problem.trim_end()).then_some(())
        });
        assert_eq!(server.get("/about").body, good, "{path} {reported}");
        match before {
            Some(before) => fs::write(project.path(path), before).unwrap(),
            None => fs::remove_file(project.path(path)).unwrap(),
        }
        events.until(|update| update["problems"].as_array().unwrap().is_empty());
    }
    // A file that is not text, and one that cannot be read.
    fs::write(project.path("content/pages/about.md"), b"---\ntitle: \xff\n---\n").unwrap();
    events.until(|update| update["problems"].to_string().contains("not-utf8"));
    fs::remove_file(project.path("content/pages/about.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", project.path("content/pages/about.md")).unwrap();
    events.until(|update| update["problems"].to_string().contains("about.md"));
    fs::remove_file(project.path("content/pages/about.md")).unwrap();
    project.write("content/pages/about.md", &page("About", "fixed"));
    server.wait_for("/about", "word is fixed");
    assert_eq!(events.until(|update| update["problems"] == serde_json::json!([]))["problems"], serde_json::json!([]));
}

#[test]
fn a_site_that_is_broken_from_the_start_is_served_when_it_is_fixed() {
    let project = Project::new();
    project.write("content/pages/about.md", "---\ntitle: [\n---\n");
    let server = project.serve();
    let empty = server.get("/about");
    assert_eq!(empty.status, 503);
    assert!(empty.text().contains("<body></body>"), "{}", empty.text());
    assert!(server.listen().next()["problems"][0].as_str().unwrap().contains("content/pages/about.md:2:8"));
    project.write("content/pages/about.md", &page("About", "fixed"));
    server.wait_for("/about", "word is fixed");
}

#[test]
fn browsers_get_updates_for_changes_only() {
    let project = Project::new();
    project.write("content/public/logo.txt", "old");
    let server = project.serve();
    let mut events = server.listen();
    let first = events.next();
    project.replace("content/public/logo.txt", "new");
    let second = events.next();
    assert_eq!(second["files"], serde_json::json!(["/logo.txt"]));
    assert_ne!(first["site"], second["site"]);
    // A comment in a template changes no byte of the site.
    project.replace("templates/pages/page.html", &format!("{{# a remark #}}{PAGE}"));
    let third = events.next();
    assert_eq!(third["site"], second["site"]);
}

#[test]
fn a_port_in_use_is_reported_and_the_next_one_used() {
    let project = Project::new();
    let first = project.serve();
    let root = project.root();
    let port = first.port.to_string();
    let second = Serving::start(&["serve", "--root", root.to_str().unwrap(), "--port", &port]);
    assert!(second.port > first.port);
    assert!(second.said().contains(&format!("port {port} is in use; using the next free one")), "{:?}", second.said());
    assert_eq!(second.get("/about").status, 200);
}

#[test]
fn a_link_to_a_section_is_checked_where_both_pages_come_from_the_cache() {
    let project = Project::new();
    let about = |heading: &str, word: &str| format!("{}\n## {heading}\n", page("About", word));
    let more = |text: &str, word: &str| format!("{}\n{text}\n", page("More", word));
    let (with, without) = (about("Prices", "first"), about("Costs", "second"));
    let (linked, plain) = (more("[See](about.md#prices)", "third"), more("See", "fourth"));
    project.write("content/pages/about.md", &with);
    project.write("content/pages/more.md", &linked);
    let server = project.serve();
    assert!(server.get("/more").text().contains("href=\"/about#prices\""));
    let complaints = || server.complained.lock().unwrap().iter().filter(|line| line.contains("#prices")).count();
    for round in 1..=2 {
        project.write("content/pages/more.md", &plain);
        server.wait_for("/more", "word is fourth");
        project.write("content/pages/about.md", &without);
        server.wait_for("/about", "word is second");
        // Both pages were valid as they are now, but not together.
        project.write("content/pages/more.md", &linked);
        wait("a complaint", || (complaints() >= round).then_some(()));
        project.write("content/pages/about.md", &with);
        server.wait_for("/more", "word is third");
    }
}

#[test]
fn an_interrupt_ends_it_at_once() {
    let project = Project::new();
    let mut server = project.serve();
    let _open = server.listen();
    assert!(Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap().success());
    let status = wait("the end", || server.child.try_wait().unwrap());
    // Ended by the signal itself, which a shell shows as 130.
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2));
}

#[test]
fn a_site_below_a_path_is_served_below_it() {
    let project = Project::new();
    project.write("content/site.yaml", &SITE.replace("example.com", "example.com/docs"));
    let server = project.serve();
    assert_eq!(server.base_path, "/docs");
    assert_eq!(server.get("/docs/about").status, 200);
    assert_eq!(server.get("/").header("location"), Some("/docs/"));
    assert_eq!(server.get("/about").status, 404);
}

#[test]
fn memory_use_is_steady() {
    let project = Project::new();
    for number in 0..50 {
        project.write(&format!("content/pages/p{number}.md"), &page(&format!("Page {number}"), &"text ".repeat(200)));
    }
    let server = project.serve();
    let sample = || -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    // A build may go on, and the allocator gives memory back late.
    let resident = || {
        let samples = (0..20).map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            sample()
        });
        samples.min().unwrap()
    };
    let rebuild = |from: usize, to: usize| {
        for number in from..to {
            project.write("content/pages/about.md", &page(&format!("About {number}"), &format!("word-{number}")));
            server.wait_for("/about", &format!("word is word-{number}."));
        }
    };
    rebuild(0, 100);
    let before = resident();
    rebuild(100, 400);
    let after = resident();
    // Each build of this site allocates some hundred kilobytes; 300 leaked ones would be tens of megabytes.
    assert!(after < before + 8_000, "{before} KB, and after 300 rebuilds {after} KB");
}

#[test]
fn preview_serves_what_is_published_and_nothing_more() {
    let project = Project::new();
    let build = || {
        let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
            .args(["build", "--quiet", "--root", project.root().to_str().unwrap()])
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    };
    let dist = project.path("dist");
    let missing =
        Command::new(env!("CARGO_BIN_EXE_sitegen")).args(["preview", dist.to_str().unwrap()]).output().unwrap();
    assert_eq!(missing.status.code(), Some(3));
    build();
    let server = Serving::start(&["preview", "--root", project.root().to_str().unwrap()]);
    let page = server.get("/about");
    assert_eq!((page.status, page.body), (200, fs::read(dist.join("about.html")).unwrap()));
    assert_eq!(server.get("/.sitegen/changes").status, 404);
    let unknown = server.get("/nowhere");
    assert_eq!((unknown.status, unknown.body), (404, fs::read(dist.join("404.html")).unwrap()));
    // After another build, the settings are read anew, and with them texts as deeply nested as they may be.
    project.write("content/pages/about.md", &self::page("About", &format!("this:\n\n{}deep", "> ".repeat(90))));
    build();
    assert!(server.get("/about").text().contains("deep"));
    // Files in the folder that were not published are not served.
    project.write("dist/.git/config", "secret");
    project.write("dist/notes.txt", "mine");
    std::os::unix::fs::symlink("../content/site.yaml", dist.join("site.txt")).unwrap();
    let anew = Serving::start(&["preview", "--root", project.root().to_str().unwrap()]);
    for path in ["/.git/config", "/notes.txt", "/site.txt", "/content/site.yaml"] {
        assert_eq!(anew.get(path).status, 404, "{path}");
    }
    assert_eq!(anew.get("/about").status, 200);
    // A folder in which no site was published, such as that of the project.
    for folder in [project.root().to_path_buf(), project.path("content"), project.path("dist/.git")] {
        let refused =
            Command::new(env!("CARGO_BIN_EXE_sitegen")).args(["preview", folder.to_str().unwrap()]).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(3), "{said}");
        assert!(said.contains("has not published a site there"), "{said}");
    }
    fs::remove_dir_all(&dist).unwrap();
    // A new publication is served from the next request on.
    project.write("content/pages/about.md", &page_of("again"));
    build();
    assert!(server.get("/about").text().contains("word is again"));
    // So are its redirects.
    assert_eq!(server.get("/old").status, 404);
    project.write(
        "content/site.yaml",
        &format!("{SITE}settings:\n  host: netlify\nredirects:\n  - from: /old\n    to: /about\n"),
    );
    build();
    let moved = server.get("/old");
    assert_eq!((moved.status, moved.header("location")), (301, Some("/about")));
}

#[test]
fn preview_serves_a_site_without_a_manifest() {
    let project = Project::new();
    let root = project.root();
    let root = root.to_str().unwrap();
    let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["build", "--quiet", "--no-manifest", "--root", root])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    project.write("dist/.git/config", "secret");
    let server = Serving::start(&["preview", "--root", root]);
    assert_eq!((server.get("/about").status, server.get("/.git/config").status), (200, 404));
}

#[test]
fn a_language_with_a_host_of_its_own_is_shown_beside_the_others() {
    let project = Project::new();
    for folder in ["content", "templates", "islands"] {
        let _ = fs::remove_dir_all(project.path(folder));
    }
    for (path, text) in multilingual::project() {
        let text = String::from_utf8(text).unwrap();
        project.write(&path, &text.replacen("{ name: Deutsch }", "{ name: Deutsch, url: https://museum.test }", 1));
    }
    let root = project.root();
    let root = root.to_str().unwrap();
    // `serve` has it at its address, with links that lead there.
    let serve = project.serve();
    assert!(serve.get("/de/ueber-uns").text().contains("<h1>Über uns</h1>"));
    assert!(serve.get("/about").text().contains("<a href=\"/de/ueber-uns\" hreflang=\"de\""));
    drop(serve);
    // `preview` has what was published, under two names.
    let built =
        Command::new(env!("CARGO_BIN_EXE_sitegen")).args(["build", "--quiet", "--root", root]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let preview = Serving::start(&["preview", "--root", root]);
    let ask = |host: &str, path: &str| {
        preview.send(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
    };
    for (host, path, status, title) in [
        ("localhost", "/about", 200, "About"),
        ("localhost", "/de/ueber-uns", 404, "Not found"),
        ("localhost", "/ueber-uns", 404, "Not found"),
        ("en.localhost", "/about", 200, "About"),
        ("de.localhost:8000", "/ueber-uns", 200, "Über uns"),
        ("DE.localhost", "/", 200, "Startseite"),
        ("de.localhost", "/about", 404, "Nicht gefunden"),
        ("de.localhost", "/nothing", 404, "Nicht gefunden"),
    ] {
        let answer = ask(host, path);
        assert_eq!(answer.status, status, "{host}{path}");
        assert!(answer.text().contains(&format!("<h1>{title}</h1>")), "{host}{path}: {}", answer.text());
    }
    let port = preview.port;
    assert!(preview.said().contains(&format!("  de: http://de.localhost:{port}/")), "{:?}", preview.said());
}

#[test]
fn a_server_for_other_machines_answers_under_its_own_names_only() {
    let project = Project::new();
    let root = project.root();
    let server = Serving::start(&[
        "serve",
        "--root",
        root.to_str().unwrap(),
        "--address",
        "0.0.0.0",
        "--allowed-hosts",
        "site.test,.tunnel.test",
    ]);
    let status = |host: &str| {
        server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes()).status
    };
    for ours in ["localhost", "127.0.0.1:8000", "site.test", "a.tunnel.test:443"] {
        assert_eq!(status(ours), 200, "{ours}");
    }
    for foreign in ["evil.example", "site.test.evil.example", "203.0.113.9", "eviltunnel.test", ""] {
        assert_eq!(status(foreign), 403, "{foreign}");
    }
    // Under the address of this machine that a client has connected to. Finding it sends no packet.
    let probe = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    if probe.connect("192.0.2.1:9").is_ok()
        && let Ok(own) = probe.local_addr()
        && let Ok(mut stream) = TcpStream::connect((own.ip(), server.port))
    {
        write!(stream, "GET / HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n", own.ip(), server.port).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[test]
fn the_chosen_host_decides_headers_and_redirects() {
    let project = Project::new();
    let site = format!("{SITE}settings:\n  host: caddy\nredirects:\n  - from: /old\n    to: /about\n    status: 308\n");
    project.write("content/site.yaml", &site);
    project.write("content/assets/notes.txt", "text");
    // An asset is published if something names it.
    project.write("content/public/list.txt", "/assets/notes-982d9e3e.txt\n");
    let root = project.root();
    let root = root.to_str().unwrap();
    let built =
        Command::new(env!("CARGO_BIN_EXE_sitegen")).args(["build", "--quiet", "--root", root]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let asset = fs::read_dir(project.path("dist/assets")).unwrap().next().unwrap().unwrap().file_name();
    let asset = format!("/assets/{}", asset.to_str().unwrap());

    let (serve, preview) = (project.serve(), Serving::start(&["preview", "--root", root]));
    for server in [&serve, &preview] {
        let redirect = server.get("/old?a=b");
        assert_eq!((redirect.status, redirect.header("location")), (308, Some("/about?a=b")));
        let page = server.get("/about");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(page.header("content-security-policy"), Some("frame-ancestors 'none'"));
        assert_eq!(server.get("/nowhere").header("x-content-type-options"), Some("nosniff"));
        assert!(server.get(&asset).header("cache-control").unwrap().contains("immutable"));
    }
    // `serve` has browsers ask each time; `preview` lets them cache as the host does.
    assert_eq!(serve.get("/about").header("cache-control"), Some("no-cache"));
    // With another target: a host without headers.
    for command in ["serve", "preview"] {
        let server = Serving::start(&[command, "--root", root, "--target", "github-pages"]);
        assert_eq!(server.get("/about").header("x-content-type-options"), None, "{command}");
        assert_ne!(server.get("/old").status, 308, "{command}");
    }
}

#[test]
fn preview_answers_as_each_host_does() {
    let project = Project::new();
    let redirects = "redirects:\n  - from: /old\n    to: /about?from=old\n    status: 308\n";
    let root = project.root();
    let root = root.to_str().unwrap();
    let preview = |host: &str, routes: &str, more: &[&str], path: &str| {
        project.write("content/site.yaml", &format!("{SITE}settings:\n  routes: {routes}\n{redirects}"));
        let _ = fs::remove_dir_all(project.path("dist"));
        let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
            .args(["build", "--quiet", "--root", root, "--target", host])
            .args(more)
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let server = Serving::start(&[&["preview", "--root", root, "--target", host], more].concat());
        let answer = server.get(path);
        (answer.status, answer.header("location").unwrap_or_default().to_owned())
    };
    let below: &[&str] = &["--base-url", "https://www.site.test/docs"];
    for (host, routes, more, path, status, location) in [
        ("netlify", "both", &[][..], "/old", 301, "/about?from=old"),
        ("netlify", "both", &[], "/about/", 301, "/about"),
        ("netlify", "both", &[], "/manifest.json", 404, ""),
        ("netlify", "both", below, "/docs/about", 200, ""),
        ("netlify", "both", below, "/about", 404, ""),
        ("netlify", "both", below, "/docs/old", 301, "/docs/about?from=old"),
        ("cloudflare-pages", "both", &[], "/old", 308, "/about?from=old"),
        ("cloudflare-pages", "both", &[], "/manifest.json", 200, ""),
        ("cloudflare-pages", "both", &[], "/about.html", 308, "/about"),
        ("cloudflare-pages", "file", &[], "/about/?a=b", 308, "/about?a=b"),
        ("cloudflare-pages", "directory", &[], "/about", 308, "/about/"),
        ("cloudflare-pages", "both", below, "/docs/nowhere", 404, ""),
        ("vercel", "both", &[], "/old?a=b", 308, "/about?from=old&a=b"),
        ("vercel", "both", &[], "/about/", 308, "/about"),
        ("vercel", "both", &[], "/about.html", 200, ""),
        ("vercel", "file", &[], "/about.html", 308, "/about"),
        ("vercel", "file", &[], "/about", 200, ""),
        ("vercel", "both", below, "/docs/old", 308, "/docs/about?from=old"),
        ("nginx", "file", &[], "/about/", 404, ""),
        ("github-pages", "both", &[], "/manifest.json", 200, ""),
    ] {
        let expected = (status, location.to_owned());
        assert_eq!(preview(host, routes, more, path), expected, "{host}, {routes}: {path} {more:?}");
    }
}

fn page_of(word: &str) -> String {
    page("About", word)
}

#[test]
fn a_copy_of_a_picture_is_made_when_a_browser_asks_for_it() {
    let project = Project::new();
    let picture = crate::pictures::jpeg(900, 600, 1);
    fs::create_dir_all(project.path("content/assets")).unwrap();
    fs::write(project.path("content/assets/loaf.jpg"), &picture).unwrap();
    project.write("content/pages/about.md", "---\ntitle: About\n---\n\n![A loaf](loaf.jpg)\n");
    let entries = || fs::read_dir(project.path(".sitegen/cache")).map_or(0, |entries| entries.count());
    let serving = project.serve();
    let page = serving.get("/about").text();
    assert_eq!(entries(), 0, "nothing was asked for yet");
    let at = page.find("/assets/loaf-800x533-").expect("the page names it");
    let address = &page[at..at + page[at..].find(' ').unwrap()];
    assert!(address.ends_with(".webp"), "{address}");
    let first = serving.get(address);
    assert_eq!((first.status, first.header("content-type")), (200, Some("image/webp")));
    assert_eq!(sitegen::pictures::Header::read("x.webp", &first.body).unwrap().width, 800);
    assert_eq!(entries(), 1);
    let second = serving.get(address);
    assert_eq!((second.status, second.body, entries()), (200, first.body, 1));
    let tag = first.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    assert_eq!(serving.ask("GET", address, &format!("If-None-Match: {tag}\r\n")).status, 304);
    // The same picture with other bytes has other names.
    fs::write(project.path("content/assets/loaf.jpg"), crate::pictures::jpeg(900, 600, 2)).unwrap();
    wait("other names", || (!serving.get("/about").text().contains(address)).then_some(()));
}
