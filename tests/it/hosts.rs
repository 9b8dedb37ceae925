//! Real servers, as installed, serve the built site with the files that a build writes for them: every route, redirect
//! and header is requested and checked.
//!
//! nginx, Caddy and Python's http.server are started on a free port of the loopback address. The test of a missing one
//! prints so and passes, or fails where `CI` is set; the test command installs nginx and Caddy where it can.

use crate::support::{multilingual, needs, observatory};
use sitegen::sources;
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

const ROUTES: [&str; 4] = ["/", "/careers", "/privacy-policy", "/terms-of-service"];

/// What the site under test adds to its `site.yaml`.
const REDIRECTS: &str = "
redirects:
  - from: /jobs
    to: /careers#apply
  - from: /About.php/
    to: /?from=old
    status: 302
  - from: /shop/v1.0
    to: https://shop.example.com/a%20b
    status: 308
  - from: /Careers
    to: /careers
    status: 307
  - from: /über-uns/प्रेस
    to: https://wiki.example.com/Brot_(Bäckerei),:@!'*;=$1?a=(b);c=$d&e:f#:~:text=Brot,(%C3%BC)
";

/// Every redirect of [`REDIRECTS`]: the request, the status, and the location.
const REDIRECTED: [(&str, u16, &str); 12] = [
    ("/jobs", 301, "/careers#apply"),
    ("/jobs/", 301, "/careers#apply"),
    ("/jobs?a=1&b", 301, "/careers?a=1&b#apply"),
    ("/About.php", 302, "/?from=old"),
    ("/About.php/", 302, "/?from=old"),
    ("/About.php?a=1", 302, "/?from=old"),
    ("/shop/v1.0", 308, "https://shop.example.com/a%20b"),
    ("/shop/v1.0?a=1", 308, "https://shop.example.com/a%20b?a=1"),
    ("/Careers", 307, "/careers"),
    ("/Careers/", 307, "/careers"),
    ("/%C3%BCber-uns/%E0%A4%AA%E0%A5%8D%E0%A4%B0%E0%A5%87%E0%A4%B8", 301, WIKI),
    ("/%c3%bcber-uns/%e0%a4%aa%e0%a5%8d%e0%a4%b0%e0%a5%87%e0%a4%b8/?x=1", 301, WIKI),
];

/// An address with everything that may stand in one. The file of nginx has `%24` for `$`.
const WIKI: &str = "https://wiki.example.com/Brot_(B%C3%A4ckerei),:@!'*;=$1?a=(b);c=$d&e:f#:~:text=Brot,(%C3%BC)";

/// Pages that make other files than HTML: the extension, the text, and the media types that are right.
const FILES: [(&str, &str, &[&str]); 5] = [
    ("ics", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//a//b\nEND:VCALENDAR\n", &["text/calendar"]),
    ("json", "{}", &["application/json"]),
    ("txt", "Bread\n", &["text/plain"]),
    ("webmanifest", "{\"start_url\": \"{{ url(path=\"/\") }}\"}", &["application/manifest+json"]),
    ("xml", "<a/>", &["application/xml", "text/xml"]),
];

/// The headers of every response from a host with rules.
const POLICY: [(&str, &str); 7] = [
    ("Strict-Transport-Security", "max-age=31536000"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    (
        "Permissions-Policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(self \"https://maps.example.com\"), \
         gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()",
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
];

/// A header with characters that servers could read as syntax: comments, ends of statements, variables, placeholders.
const AWKWARD: (&str, &str) = ("X-Awkward", "a;b # c 'd' %7Buri%7D (e) | f,g=h ~ <i> ^j !k");

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

/// A response.
struct Response {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Response {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Server {
    fn start(mut command: Command, port: u16) -> Option<Self> {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let mut server = Server { child, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(server.child.try_wait().unwrap().is_none(), "the server has ended: {command:?}");
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    /// Sends a GET request for a path, unchanged.
    fn get(&self, path: &str) -> Response {
        self.ask(path, "")
    }

    /// The same with header lines, each with its line end.
    fn ask(&self, path: &str, headers: &str) -> Response {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let port = self.port;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{headers}\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let headers = head.lines().skip(1).filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_owned(), value.trim().to_owned()))
        });
        let headers: Vec<_> = headers.collect();
        let is_chunked =
            headers.iter().any(|(name, value)| name.eq_ignore_ascii_case("transfer-encoding") && value == "chunked");
        let body = &answer[end + 4..];
        Response { status, headers, body: if is_chunked { joined(body) } else { body.to_vec() } }
    }

    /// Returns the page that a visitor sees at a path, after redirects.
    fn page(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..5 {
            let response = self.get(&path);
            match (response.status, response.header("location")) {
                (200, _) => return response.text(),
                (301 | 302 | 307 | 308, Some(location)) => {
                    path = location.split_once("://").map_or(location.to_owned(), |(_, rest)| {
                        rest[rest.find('/').unwrap_or(rest.len())..].to_owned()
                    });
                }
                (status, _) => panic!("{path} answers {status}"),
            }
        }
        panic!("{path} redirects in circles")
    }
}

/// Joins the body of a response that comes in chunks (RFC 9112, 7.1).
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|bytes| bytes == b"\r\n").unwrap();
        let size = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).unwrap().trim(), 16).unwrap();
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&chunks[end + 2..end + 2 + size]);
        chunks = &chunks[end + 2 + size + 2..];
    }
}

/// Returns a port that nobody listens on, below those that the system gives to connections and to `bind` with port 0.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 10_000) as u16;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn build(root: &Path, out: &Path, arguments: &[&str]) {
    let built = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["build", "--quiet", "--root"])
        .arg(root)
        .arg("--out")
        .arg(out)
        .args(arguments)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// Builds the repository's own site into a fresh folder, unchanged.
fn built(name: &str, arguments: &[&str]) -> PathBuf {
    let out = fresh(name).join("site");
    build(Path::new(env!("CARGO_MANIFEST_DIR")), &out, arguments);
    out
}

/// Pages whose names have letters outside ASCII, and their addresses as browsers send them.
const IN_OTHER_SCRIPTS: [(&str, &str); 2] =
    [("über-uns", "/%C3%BCber-uns"), ("東京/मंत्र", "/%E6%9D%B1%E4%BA%AC/%E0%A4%AE%E0%A4%82%E0%A4%A4%E0%A5%8D%E0%A4%B0")];

/// Builds the repository's own site with more redirects, a header and a feature, into `site` of a fresh folder and
/// there into `below`.
fn built_with_more(name: &str, below: &str, arguments: &[&str]) -> PathBuf {
    let folder = fresh(name);
    let project = folder.join("project");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources::read(root).value.unwrap();
    for (path, source) in sources.iter() {
        let path = project.join(path.as_str());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, source.body.bytes().unwrap()).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("node_modules"), project.join("node_modules")).unwrap();
    let file = project.join("content/site.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let more = format!(
        "settings:\n  headers:\n    {}: \"{}\"\n  security:\n    permissions_policy:\n      geolocation: [\"https://maps.example.com\"]\n",
        AWKWARD.0, AWKWARD.1
    );
    let text = text.replacen("settings:\n", &more, 1) + REDIRECTS;
    fs::write(&file, text).unwrap();
    for (extension, text, _) in FILES {
        let template = format!("templates/hosted.{extension}");
        fs::write(project.join(template), text).unwrap();
        let page = format!("content/pages/files/hosted.{extension}.yaml");
        fs::create_dir_all(project.join("content/pages/files")).unwrap();
        fs::write(project.join(page), format!("template: hosted.{extension}\n")).unwrap();
    }
    for (file, _) in IN_OTHER_SCRIPTS {
        let page = project.join("content/pages").join(file);
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        let keys = format!(
            "title: {file}\ndescription: The page {file}.\ntemplate: pages/legal.html\nupdated: \"2026-01-01\"\naliases: [/alt/{file}]\n"
        );
        fs::write(page.with_extension("md"), format!("---\n{keys}---\n\nText.\n")).unwrap();
    }
    let out = folder.join("site").join(below);
    fs::create_dir_all(out.parent().unwrap()).unwrap();
    build(&project, &out, arguments);
    folder.join("site")
}

fn nginx(name: &str, root: &Path, server: &str) -> Option<Server> {
    let port = free_port();
    let folder = fresh(&format!("{name}-server"));
    let types = Path::new("/etc/nginx/mime.types");
    let types = if types.exists() { "include /etc/nginx/mime.types;" } else { "types { text/html html; }" };
    let config = format!(
        "daemon off; master_process off; pid {dir}/pid; error_log {dir}/error.log; events {{}} http {{ access_log off; {types} \
         client_body_temp_path {dir}/body; proxy_temp_path {dir}/proxy; fastcgi_temp_path {dir}/fastcgi; \
         uwsgi_temp_path {dir}/uwsgi; scgi_temp_path {dir}/scgi; \
         server {{ listen 127.0.0.1:{port}; root {root}; server_name _; {server} }} }}",
        dir = folder.display(),
        root = root.display(),
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, config).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(&folder).arg("-c").arg(&file);
    let server = Server::start(command, port);
    if server.is_none() {
        needs::left_out("nginx is not installed");
    }
    server
}

fn caddy(name: &str, root: &Path, site: &str) -> Option<Server> {
    let port = free_port();
    let folder = fresh(&format!("{name}-server"));
    let file = folder.join("Caddyfile");
    let config = format!(
        "{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n\troot * {}\n{site}\n}}\n",
        root.display()
    );
    fs::write(&file, config).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file);
    // Caddy stores its state in the home folder.
    command.env("HOME", &folder).env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
    let server = Server::start(command, port);
    if server.is_none() {
        needs::left_out("caddy is not installed");
    }
    server
}

fn serves_every_route(server: &Server) {
    for route in ROUTES {
        let page = server.page(route);
        let canonical = format!(".example{route}\">");
        assert!(page.contains("rel=\"canonical\"") && page.contains(&canonical), "{route} shows another page");
    }
    assert_eq!(server.get("/nowhere").status, 404);
}

/// Returns a published file below `/assets/` with an extension.
fn asset(site: &Path, ending: &str) -> String {
    let mut files: Vec<String> = walkdir::WalkDir::new(site.join("assets"))
        .into_iter()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|own| own == ending))
        .map(|entry| format!("/{}", entry.path().strip_prefix(site).unwrap().display()))
        .collect();
    files.sort();
    files.swap_remove(0)
}

/// Checks everything that holds for a server with our file. `base` is the path of the site on it, whose files are in
/// `site`.
fn serves_by_its_rules(server: &Server, site: &Path, base: &str) {
    let at = |path: &str| format!("{base}{path}");
    let has = |response: &Response, path: &str, caching: &str| {
        for (name, value) in POLICY.iter().chain([&AWKWARD, &("Cache-Control", caching)]) {
            let sent: Vec<&str> = response
                .headers
                .iter()
                .filter(|(own, _)| own.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
                .collect();
            assert_eq!(sent, [*value], "{name} of {path}: {:?}", response.headers);
        }
        let version = response.header("server").is_some_and(|server| server.contains('/'));
        assert!(!version, "{path} tells which version of the server it is");
    };
    let ask_each_time = "no-cache";
    let for_ever = "public, max-age=31536000, immutable";

    // Pages, at their own address, with a slash, and as files.
    for route in ROUTES {
        let forms = match route {
            "/" => vec!["/".to_owned(), "/index.html".to_owned(), "/?utm=1".to_owned()],
            _ => vec![route.to_owned(), format!("{route}/"), format!("{route}.html"), format!("{route}?utm=1")],
        };
        for form in forms {
            let response = server.get(&at(&form));
            assert_eq!(response.status, 200, "{form}");
            assert!(response.text().contains(&format!(".example{base}{route}\">")), "{form} shows another page");
            assert_eq!(response.header("content-type"), Some("text/html; charset=utf-8"), "{form}");
            has(&response, &form, ask_each_time);
        }
        let tag = server.get(&at(route)).header("etag").unwrap().to_owned();
        let again = server.ask(&at(route), &format!("If-None-Match: {tag}\r\n"));
        assert_eq!((again.status, again.body.len()), (304, 0), "{route} has not changed");
    }

    // Pages with letters that browsers encode.
    for (file, encoded) in IN_OTHER_SCRIPTS {
        for form in [encoded.to_owned(), format!("{encoded}/"), format!("{encoded}.html"), format!("{encoded}?utm=1")] {
            let response = server.get(&at(&form));
            assert_eq!(response.status, 200, "{form}");
            assert!(response.text().contains(&format!(".example{base}{encoded}\">")), "{form} shows another page");
            has(&response, &form, ask_each_time);
        }
        let alias = server.get(&at(&format!("/alt{encoded}")));
        assert_eq!((alias.status, alias.header("location")), (301, Some(&*at(encoded))), "{file}");
        assert_eq!(server.get(&at(&encoded.replace("%C3%BC", "%C3%9C").replace("%E6%9D", "%E6%9E"))).status, 404);
    }

    // Missing files, and existing ones that are not for visitors.
    let not_found = fs::read_to_string(site.join("404.html")).unwrap();
    let hidden = [
        "/nowhere",
        "/nowhere/",
        "/careers/nowhere",
        "/assets/",
        "/assets/nowhere.js",
        "/assets/brand",
        "/JOBS",
        "/404",
        "/404/",
        "/404.html",
        "/manifest.json",
        "//manifest.json",
        "/./manifest.json",
        "/%6Danifest.json",
        "/manifest.json?a",
        "/.host",
        "/.host/",
        "/.host/nginx.conf",
        "/.host/Caddyfile",
        "/%2Ehost/nginx.conf",
        "/%2ehost/Caddyfile",
        "/careers/../.host/nginx.conf",
        "/.host//Caddyfile",
        "/.sitegen-deploys",
        "/.sitegen-deploys/",
        "/.sitegen-deploys/1.json",
        "/.sitegen-deploys/1.json?a",
        "/.sitegen-deploys/files/old.html",
        "/.sitegen-deploys/files/old",
        "/.sitegen-deploys/files/old.ics",
        "//.sitegen-deploys/1.json",
        "/%2Esitegen-deploys/1.json",
        "/careers/../.sitegen-deploys/1.json",
    ];
    // What `sitegen deploy` keeps beside the site, readable for everybody.
    for kept in ["1.json", "files/old.html", "files/old.ics"] {
        let file = site.join(".sitegen-deploys").join(kept);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "old").unwrap();
    }
    for path in hidden {
        let response = server.get(&at(path));
        assert_eq!(response.status, 404, "{path}");
        assert!(response.text() == not_found, "{path} shows {}", response.text());
        has(&response, path, ask_each_time);
    }

    // Redirects.
    for (path, status, location) in REDIRECTED {
        let response = server.get(&at(path));
        let expected = if location.starts_with('/') { at(location) } else { location.to_owned() };
        let sent = response.header("location").map(|sent| sent.replace("%24", "$"));
        assert_eq!((response.status, sent), (status, Some(expected)), "{path}");
        has(&response, path, ask_each_time);
    }

    // Files, some compressed.
    for (path, caching, is_text) in [
        ("/".to_owned(), ask_each_time, true),
        ("/sitemap.xml".to_owned(), ask_each_time, true),
        (asset(site, "js"), for_ever, true),
        (asset(site, "svg"), for_ever, true),
        (asset(site, "png"), for_ever, false),
    ] {
        let bytes = match path.as_str() {
            "/" => fs::read(site.join("index.html")).unwrap(),
            path => fs::read(site.join(&path[1..])).unwrap(),
        };
        let plain = server.get(&at(&path));
        assert!(plain.status == 200 && plain.body == bytes, "{path} is not the file");
        has(&plain, &path, caching);
        let small = server.ask(&at(&path), "Accept-Encoding: gzip\r\n");
        has(&small, &path, caching);
        if is_text && bytes.len() > 1_000 {
            assert_eq!(small.header("content-encoding"), Some("gzip"), "{path}");
            assert_eq!(small.header("vary"), Some("Accept-Encoding"), "{path}");
            assert!(small.body.starts_with(&[0x1f, 0x8b]) && small.body.len() < bytes.len(), "{path}");
        } else if !is_text {
            assert_eq!(small.header("content-encoding"), None, "{path}");
        }
    }

    // Files that pages make, and missing ones of the same names.
    for (extension, _, types) in FILES {
        let path = format!("/files/hosted.{extension}");
        let response = server.get(&at(&path));
        assert!(response.status == 200 && response.body == fs::read(site.join(&path[1..])).unwrap(), "{path}");
        has(&response, &path, ask_each_time);
        let sent = response.header("content-type").unwrap_or_default();
        assert!(types.contains(&sent.split(';').next().unwrap_or_default()), "{path} is sent as {sent}");
        let path = format!("/files/nothing.{extension}");
        let response = server.get(&at(&path));
        assert_eq!(
            (response.status, response.header("content-type")),
            (404, Some("text/html; charset=utf-8")),
            "{path}"
        );
    }

    // The scanner's score.
    for path in ["/", "/careers", "/privacy-policy", "/nowhere"] {
        let response = server.get(&at(path));
        let (score, results) = observatory::score(&response.headers, &response.text());
        assert!(score >= 125, "{path} gets {score}: {results:#?}");
        println!("the HTTP Observatory gives {path} {score}");
    }
}

#[test]
fn python_serves_every_route_and_redirect_page() {
    let out = built_with_more("python", "", &["--target", "github-pages"]);
    assert!(!out.join(".host").exists() && !out.join("_headers").exists());
    let port = free_port();
    let mut command = Command::new("python3");
    command.args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"]).arg(&out).arg(port.to_string());
    let Some(server) = Server::start(command, port) else {
        needs::left_out("python3 is not installed");
        return;
    };
    serves_every_route(&server);
    for (file, encoded) in IN_OTHER_SCRIPTS {
        assert!(server.page(encoded).contains(&format!(".example{encoded}\">")), "{file}");
        let alias = server.page(&format!("/alt{encoded}"));
        assert!(alias.contains(&format!("http-equiv=\"refresh\" content=\"0; url={encoded}\"")), "{file}: {alias}");
    }
    for (path, _, location) in REDIRECTED.into_iter().filter(|(path, ..)| !path.contains('?')) {
        let page = server.page(path);
        let location = location.replace('&', "&amp;").replace('\'', "&#39;");
        assert!(page.contains(&format!("http-equiv=\"refresh\" content=\"0; url={location}\"")), "{path}: {page}");
        assert!(page.contains("<meta name=\"robots\" content=\"noindex\">"), "{path}: {page}");
        assert!(page.contains("rel=\"canonical\" href=\"https://"), "{path}: {page}");
    }
    // A page declares what it can itself; the rest is what a host without headers lacks: 20 each for transport and
    // frames, and 5 for sniffing.
    let response = server.get("/");
    let (score, results) = observatory::score(&response.headers, &response.text());
    assert_eq!(score, 55, "{results:#?}");
    assert!(response.text().contains("<meta name=\"referrer\" content=\"strict-origin-when-cross-origin\">"));
}

#[test]
fn nginx_with_its_default_configuration_serves_every_route() {
    let out = built("nginx-plain", &[]);
    // The server block is the one that Debian installs, at another port and root.
    let server = "index index.html index.htm; location / { try_files $uri $uri/ =404; }";
    if let Some(server) = nginx("nginx-plain", &out, server) {
        serves_every_route(&server);
    }
}

#[test]
fn nginx_follows_its_configuration() {
    let root = built_with_more("nginx", "", &["--target", "nginx"]);
    let include = format!("include {}/.host/nginx.conf;", root.display());
    if let Some(server) = nginx("nginx", &root, &include) {
        serves_by_its_rules(&server, &root, "");
    }
}

#[test]
fn nginx_follows_its_configuration_below_a_path() {
    let arguments = ["--target", "nginx", "--base-url", "https://www.lodeway.example/a/b"];
    let root = built_with_more("nginx-below", "a/b", &arguments);
    let include = format!("include {}/a/b/.host/nginx.conf;", root.display());
    if let Some(server) = nginx("nginx-below", &root, &include) {
        serves_by_its_rules(&server, &root.join("a/b"), "/a/b");
        let response = server.get("/a/b");
        assert_eq!((response.status, response.header("location")), (301, Some("/a/b/")));
    }
}

#[test]
fn caddy_follows_its_configuration() {
    let root = built_with_more("caddy", "", &["--target", "caddy"]);
    let import = format!("\timport {}/.host/Caddyfile", root.display());
    if let Some(server) = caddy("caddy", &root, &import) {
        serves_by_its_rules(&server, &root, "");
    }
}

#[test]
fn caddy_follows_its_configuration_below_a_path() {
    let arguments = ["--target", "caddy", "--base-url", "https://www.lodeway.example/a/b"];
    let root = built_with_more("caddy-below", "a/b", &arguments);
    let import = format!("\timport {}/a/b/.host/Caddyfile", root.display());
    if let Some(server) = caddy("caddy-below", &root, &import) {
        serves_by_its_rules(&server, &root.join("a/b"), "/a/b");
        let response = server.get("/a/b");
        assert_eq!((response.status, response.header("location")), (301, Some("/a/b/")));
    }
}

/// Builds the site in three languages for a host, and returns the folder.
fn built_in_languages(name: &str, below: &str, arguments: &[&str]) -> PathBuf {
    built_with_languages(name, below, arguments, ("", ""))
}

/// The same with a change of its `site.yaml`.
fn built_with_languages(name: &str, below: &str, arguments: &[&str], (from, to): (&str, &str)) -> PathBuf {
    let folder = fresh(name);
    let project = folder.join("project");
    for (path, mut bytes) in multilingual::project() {
        if path == "content/site.yaml" && !from.is_empty() {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(from), "{text}");
            bytes = text.replacen(from, to, 1).into_bytes();
        }
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    build(&project, &folder.join("site").join(below), arguments);
    folder.join("site")
}

/// Addresses without a page have the 404 page of their language.
fn shows_the_404_page_of_each_language(server: &Server, base: &str) {
    for (path, title) in [
        ("/nothing", "Not found – Museum"),
        ("/denver", "Not found – Museum"),
        ("/de/nothing", "Nicht gefunden – Museum am Hafen"),
        ("/de/nothing/below", "Nicht gefunden – Museum am Hafen"),
        ("/ar/nothing", "Not found – Museum"),
    ] {
        let response = server.get(&format!("{base}{path}"));
        assert_eq!(response.status, 404, "{path}");
        assert!(response.text().contains(&format!("<title>{title}</title>")), "{path}: {}", response.text());
    }
    let arabic = server.get(&format!("{base}/ar/nothing")).text();
    assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\">"), "{arabic}");
    for (path, title) in [("/de", "Startseite"), ("/de/ueber-uns", "Über uns"), ("/de/neues/eroeffnung", "Eröffnung")]
    {
        assert!(server.page(&format!("{base}{path}")).contains(&format!("<h1>{title}</h1>")), "{path}");
    }
}

#[test]
fn nginx_shows_the_404_page_of_each_language() {
    for (name, below, base) in [("nginx-languages", "", ""), ("nginx-languages-below", "a/b", "/a/b")] {
        let address = format!("https://www.museum.test{base}");
        let root = built_in_languages(name, below, &["--target", "nginx", "--base-url", &address]);
        let include = format!("include {}/.host/nginx.conf;", root.join(below).display());
        if let Some(server) = nginx(name, &root, &include) {
            shows_the_404_page_of_each_language(&server, base);
        }
    }
}

#[test]
fn caddy_shows_the_404_page_of_each_language() {
    for (name, below, base) in [("caddy-languages", "", ""), ("caddy-languages-below", "a/b", "/a/b")] {
        let address = format!("https://www.museum.test{base}");
        let root = built_in_languages(name, below, &["--target", "caddy", "--base-url", &address]);
        let import = format!("\timport {}/.host/Caddyfile", root.join(below).display());
        if let Some(server) = caddy(name, &root, &import) {
            shows_the_404_page_of_each_language(&server, base);
        }
    }
}

/// The address of the site leads to the home page in the language that the visitor prefers.
fn leads_to_the_language_of_the_visitor(server: &Server, base: &str) {
    for (accepted, language) in [
        ("", "en"),
        ("Accept-Language: de\r\n", "de"),
        ("Accept-Language: de-AT,de;q=0.9,en;q=0.8\r\n", "de"),
        ("Accept-Language: AR-EG\r\n", "ar"),
        ("Accept-Language: en-GB,de;q=0.9\r\n", "en"),
        ("Accept-Language: fr-FR, fr;q=0.9, de;q=0.8, en;q=0.7\r\n", "de"),
        ("Accept-Language: den,xde;q=0.5\r\n", "en"),
        ("Accept-Language: fr\r\n", "en"),
        ("Accept-Language: *\r\n", "en"),
        ("Accept-Language: \"(de\\\r\n", "en"),
    ] {
        for (query, kept) in [("", ""), ("?a=b&c", "?a=b&c")] {
            let response = server.ask(&format!("{base}/{query}"), accepted);
            let location = format!("{base}/{language}{kept}");
            assert_eq!((response.status, response.header("location")), (302, Some(location.as_str())), "{accepted:?}");
            assert_eq!(response.header("cache-control"), Some("private, no-cache"), "{accepted:?}");
            let vary: Vec<&(String, String)> =
                response.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("vary")).collect();
            assert!(vary.iter().any(|(_, value)| value.contains("Accept-Language")), "{vary:?}");
        }
    }
    for (path, title) in [("/en", "Home"), ("/de", "Startseite"), ("/en/about", "About"), ("/de/ueber-uns", "Über uns")]
    {
        let response = server.ask(&format!("{base}{path}"), "Accept-Language: ar\r\n");
        assert!(response.text().contains(&format!("<h1>{title}</h1>")), "{path}: {}", response.text());
        assert!(response.header("vary").is_none_or(|vary| !vary.contains("Language")), "{path}");
    }
    for (path, title) in
        [("/about", "Not found – Museum"), ("/en/nothing", "Not found – Museum"), ("/de/nothing", "Nicht gefunden")]
    {
        let response = server.get(&format!("{base}{path}"));
        assert_eq!(response.status, 404, "{path}");
        assert!(response.text().contains(title), "{path}: {}", response.text());
    }
}

/// A change that gives all languages a prefix.
const ALL: (&str, &str) = ("  search: true\n", "  search: true\n  language_prefix: all\n");

#[test]
fn nginx_leads_to_the_language_of_the_visitor() {
    for (name, below, base) in [("nginx-prefixes", "", ""), ("nginx-prefixes-below", "a/b", "/a/b")] {
        let address = format!("https://www.museum.test{base}");
        let root = built_with_languages(name, below, &["--target", "nginx", "--base-url", &address], ALL);
        let include = format!("include {}/.host/nginx.conf;", root.join(below).display());
        if let Some(server) = nginx(name, &root, &include) {
            leads_to_the_language_of_the_visitor(&server, base);
        }
    }
}

#[test]
fn caddy_leads_to_the_language_of_the_visitor() {
    for (name, below, base) in [("caddy-prefixes", "", ""), ("caddy-prefixes-below", "a/b", "/a/b")] {
        let address = format!("https://www.museum.test{base}");
        let root = built_with_languages(name, below, &["--target", "caddy", "--base-url", &address], ALL);
        let import = format!("\timport {}/.host/Caddyfile", root.join(below).display());
        if let Some(server) = caddy(name, &root, &import) {
            leads_to_the_language_of_the_visitor(&server, base);
        }
    }
}

/// A change that gives German a host of its own.
const OWN: (&str, &str) = ("de: { name: Deutsch }", "de: { name: Deutsch, url: https://museum.test }");

/// Both servers serve a folder of the output each, and every link of the pages leads to a page of one of them.
fn serve_a_host_each(site: &Server, german: &Server) {
    for (server, path, title) in [
        (site, "/", "Home"),
        (site, "/about", "About"),
        (site, "/ar", "الرئيسية"),
        (german, "/", "Startseite"),
        (german, "/ueber-uns", "Über uns"),
        (german, "/neues/eroeffnung", "Eröffnung"),
        (german, "/firma/history", "Geschichte"),
    ] {
        assert!(server.page(path).contains(&format!("<h1>{title}</h1>")), "{path}");
    }
    for (server, path, title) in [
        (site, "/de", "Not found – Museum"),
        (site, "/de/ueber-uns", "Not found – Museum"),
        (german, "/de", "Nicht gefunden"),
        (german, "/about", "Nicht gefunden"),
        (german, "/ar", "Nicht gefunden"),
        (german, "/404", "Nicht gefunden"),
        (german, "/.host/nginx.conf", "Nicht gefunden"),
        (german, "/manifest.json", "Nicht gefunden"),
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}");
        assert!(response.text().contains(title), "{path}: {}", response.text());
    }
    let (mut seen, mut rest) = (BTreeSet::new(), vec!["https://www.museum.test/".to_owned()]);
    while let Some(address) = rest.pop() {
        if !seen.insert(address.clone()) {
            continue;
        }
        let (server, origin) = match address.strip_prefix("https://www.museum.test") {
            Some(_) => (site, "https://www.museum.test"),
            None => (german, "https://museum.test"),
        };
        let response = server.get(&address[origin.len()..]);
        assert_eq!(response.status, 200, "{address}");
        let text = response.text();
        let is_text = response.header("content-type").is_some_and(|kind| kind.contains("html") || kind.contains("xml"));
        for attribute in ["href=\"", "src=\"", "data-search-index=\"", "<loc>", "<id>"].iter().filter(|_| is_text) {
            let found = text.split(attribute).skip(1).filter_map(|rest| rest.split(['"', '#', '<']).next());
            let whole = found.filter(|address| !address.is_empty()).map(|address| match address.starts_with('/') {
                true => format!("{origin}{address}"),
                false => address.to_owned(),
            });
            rest.extend(whole.filter(|address| address.starts_with("https://")));
        }
        if address == "https://museum.test/" {
            rest.push(format!("{origin}/sitemap.xml"));
        }
    }
    for address in
        ["https://museum.test/sitemap.xml", "https://museum.test/neues/feed.xml", "https://www.museum.test/ar"]
    {
        assert!(seen.contains(address), "{seen:?}");
    }
}

#[test]
fn nginx_serves_a_language_at_a_host_of_its_own() {
    let root = built_with_languages("nginx-own", "", &["--target", "nginx"], OWN);
    let server = |language: &str| {
        let include = format!("include {}/{language}/.host/nginx.conf;", root.display());
        nginx(&format!("nginx-own-{language}"), &root.join(language), &include)
    };
    if let Some((site, german)) = server("en").zip(server("de")) {
        serve_a_host_each(&site, &german);
    }
}

#[test]
fn caddy_serves_a_language_at_a_host_of_its_own() {
    let root = built_with_languages("caddy-own", "", &["--target", "caddy"], OWN);
    let server = |language: &str| {
        let import = format!("\timport {}/{language}/.host/Caddyfile", root.display());
        caddy(&format!("caddy-own-{language}"), &root.join(language), &import)
    };
    if let Some((site, german)) = server("en").zip(server("de")) {
        serve_a_host_each(&site, &german);
    }
}

#[test]
fn the_schema_beside_the_content_explains_the_settings_as_the_engine_does() {
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let engine = json(sitegen::content::schema::SITE);
    let own = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("content/schemas/site.schema.json"));
    let own = json(&own.unwrap());
    for key in ["settings", "redirects"] {
        assert_eq!(
            own["properties"][key], engine["properties"][key],
            "copy `{key}` from crates/content/src/site.schema.json"
        );
    }
}
