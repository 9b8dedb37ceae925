//! Large files of `content/public/`, and many pages: published, compared and served without ever being in memory as a whole.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A film that is many times as large as the memory that a build may use.
const FILM: u64 = 100_000_000;
/// The memory that a build or a server may use, in kilobytes.
const MOST_MEMORY: u64 = 60_000;

const TEMPLATE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>B</title>\n</head>\n\
    <body>\n<main><h1>B</h1><p><a href=\"{{ url(path=\"/film.mp4\") }}\">film</a></p></main>\n</body>\n</html>\n";

struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let project = Project(tempfile::tempdir().unwrap());
        for (path, text) in [
            ("content/site.yaml", "url: https://www.site.test\nlanguage: en\nname: Site\n"),
            ("content/pages/index.yaml", "title: Site\n"),
            ("templates/pages/page.html", TEMPLATE),
            ("content/public/notes.txt", "notes"),
        ] {
            let path = project.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        // Mostly a hole, so that it is created at once.
        let mut film = File::create(project.film()).unwrap();
        film.set_len(FILM).unwrap();
        for at in [0, 1_000_003, FILM / 2, FILM - 5] {
            film.seek(SeekFrom::Start(at)).unwrap();
            film.write_all(&at.to_le_bytes()[..5]).unwrap();
        }
        project
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn film(&self) -> PathBuf {
        self.path("content/public/film.mp4")
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Runs a command, and returns its output and its peak memory.
    fn run(&self, arguments: &[&str]) -> (Output, u64) {
        let mut child = self.spawn(arguments);
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            most = most.max(peak_memory(&child).unwrap_or(0));
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        (output, most)
    }

    fn build(&self, said: &str) {
        let (output, most) = self.run(&["build"]);
        let reported = String::from_utf8(output.stdout).unwrap();
        assert!(reported.contains(said), "{reported}");
        assert!((1_000..MOST_MEMORY).contains(&most), "a build has taken {most} KB");
        assert!(is_same(&self.film(), &self.path("dist/film.mp4")));
    }
}

/// Returns the peak memory of a process so far, in kilobytes. `None` until it runs the program: before that it may share
/// the memory of this test, whose peak it then has.
fn peak_memory(child: &Child) -> Option<u64> {
    let program = fs::read_link(format!("/proc/{}/exe", child.id())).ok()?;
    if program.file_name() != Path::new(env!("CARGO_BIN_EXE_sitegen")).file_name() {
        return None;
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn is_same(one: &Path, other: &Path) -> bool {
    let (mut one, mut other) = (File::open(one).unwrap(), File::open(other).unwrap());
    let (mut here, mut there) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    loop {
        let count = one.read(&mut here).unwrap();
        if count == 0 {
            return other.read(&mut there).unwrap() == 0;
        }
        if other.read_exact(&mut there[..count]).is_err() || here[..count] != there[..count] {
            return false;
        }
    }
}

/// Requests the film, and returns the head and the body's length, first and last bytes.
fn request(port: u16, method: &str, more: &str) -> (String, u64, Vec<u8>) {
    let mut stream = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
    let request = format!("{method} /film.mp4 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n");
    stream.get_mut().write_all(request.as_bytes()).unwrap();
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let (mut length, mut ends, mut buffer) = (0, Vec::new(), vec![0; 1 << 20]);
    loop {
        let count = stream.read(&mut buffer).unwrap();
        if count == 0 {
            return (head, length, ends);
        }
        length += count as u64;
        ends.extend_from_slice(&buffer[..count]);
        let middle = ends.len().saturating_sub(5).max(5.min(ends.len()));
        ends.drain(5.min(middle)..middle);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_film_is_published_and_served_in_little_memory() {
    let project = Project::new();
    project.build("(7 changed)");
    project.build("(0 changed)");
    // One byte in the middle, and the same length.
    let mut film = fs::OpenOptions::new().write(true).open(project.film()).unwrap();
    film.seek(SeekFrom::Start(FILM / 3)).unwrap();
    film.write_all(b"x").unwrap();
    drop(film);
    project.build("(1 changed)");
    // A damaged published film is published again.
    let mut published = fs::OpenOptions::new().write(true).open(project.path("dist/film.mp4")).unwrap();
    published.seek(SeekFrom::Start(FILM / 4)).unwrap();
    published.write_all(b"x").unwrap();
    drop(published);
    let (_, most) = project.run(&["build", "--quiet"]);
    assert!(most < MOST_MEMORY && is_same(&project.film(), &project.path("dist/film.mp4")), "{most} KB");
    let (_, most) = project.run(&["verify"]);
    assert!(most < MOST_MEMORY, "verifying has taken {most} KB");

    for command in ["serve", "preview"] {
        let mut child = project.spawn(&[command, "--port", "0"]);
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let address =
            said.find_map(|line| line.unwrap().strip_prefix("serving at http://127.0.0.1:").map(str::to_owned));
        let port = address.unwrap().trim_end_matches('/').parse().unwrap();
        let answers =
            [("GET", ""), ("HEAD", ""), ("GET", "Range: bytes=100-1000002\r\n"), ("GET", "Range: bytes=-5\r\n")]
                .map(|(method, more)| request(port, method, more));
        let most = peak_memory(&child).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(most < MOST_MEMORY, "{command} has taken {most} KB");
        let [full, head, part, end] = answers;
        assert!(full.0.starts_with("HTTP/1.1 200") && full.0.contains("content-type: video/mp4"), "{}", full.0);
        assert_eq!((full.1, full.2), (FILM, [&[0; 5][..], &(FILM - 5).to_le_bytes()[..5]].concat()));
        assert_eq!((head.0, head.1), (full.0, 0));
        assert!(part.0.contains(&format!("content-range: bytes 100-1000002/{FILM}")), "{}", part.0);
        assert_eq!(part.1, 1_000_002 - 100 + 1);
        assert!(end.0.starts_with("HTTP/1.1 206"));
        assert_eq!(end.2, (FILM - 5).to_le_bytes()[..5]);
    }
}

/// Writes a site of so many pages, each of which has some fifty kilobytes of HTML, nearly all of it from the template, and a file of
/// some twenty-four kilobytes, nearly all of it a comment.
#[cfg(target_os = "linux")]
fn many_pages(project: &Project, pages: usize) {
    let text = "<p>Grow simple round white fruit where the quiet river turns.</p>\n".repeat(800);
    let template = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{{{ page.title }}}}</title>\n</head>\n\
         <body>\n<main><h1>{{{{ page.title }}}}</h1>{{{{ page.content }}}}{text}</main>\n</body>\n</html>\n"
    );
    fs::write(project.path("templates/pages/many.html"), template).unwrap();
    let comment = "# Grow simple round white fruit where the quiet river turns.\n".repeat(400);
    for number in 0..pages {
        let path = project.path(&format!("content/pages/part-{}/page-{number}.md", number / 100));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let page = format!("---\n{comment}title: Page {number}\ntemplate: pages/many.html\n---\n\nSee [home](/).\n");
        fs::write(path, page).unwrap();
    }
}

/// Beyond what fits into the budgets of memory, a page leaves it once the next stage needs it no more: what is left is a small part of
/// its text and its HTML, whether it is read, rendered, sealed, compared or published.
#[cfg(target_os = "linux")]
#[test]
fn pages_leave_the_memory() {
    const FEW: usize = 1500;
    const MANY: usize = 3500;
    /// In kilobytes.
    const MOST_A_PAGE: u64 = 8;
    let memory = |pages: usize| {
        let project = Project::new();
        fs::remove_file(project.film()).unwrap();
        fs::write(project.path("templates/pages/page.html"), TEMPLATE.replace("/film.mp4", "/notes.txt")).unwrap();
        many_pages(&project, pages);
        let (_, fresh) = project.run(&["build", "--quiet"]);
        // Another template renders all pages again, and compares them with those that are there.
        let template = project.path("templates/pages/many.html");
        fs::write(&template, fs::read_to_string(&template).unwrap().replace("</main>", "<p>More</p></main>")).unwrap();
        let (_, again) = project.run(&["build", "--quiet"]);
        let page = fs::read_to_string(project.path("dist/part-0/page-7.html")).unwrap();
        assert!(page.contains("Page 7") && page.contains("<p>More</p></main>") && page.len() > 50_000);
        [fresh, again]
    };
    let (few, many) = (memory(FEW), memory(MANY));
    for (few, many) in few.into_iter().zip(many) {
        let a_page = many.saturating_sub(few) / (MANY - FEW) as u64;
        assert!(a_page <= MOST_A_PAGE, "{FEW} pages take {few} KB and {MANY} take {many} KB: {a_page} KB a page");
        assert!(many < 150_000, "{MANY} pages take {many} KB");
    }
}
