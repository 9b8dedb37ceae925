//! Whatever goes wrong, the output folder has exactly the old site or exactly the new one, and the next build works.
//!
//! All faults are real: processes are killed, disks are full, file systems read-only. Tests that need a mount are
//! skipped where mounting is not permitted, and print so; with `CI` set they fail.

use crate::support::generated::{self, Files, Random, difference, page_path, page_text};
use crate::support::needs;
use crate::support::size;
use std::fs;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub const PAGES: usize = 12;
/// Nothing takes longer than this; what does hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the site in one of two versions. Every page shows which.
fn version(round: usize) -> Files {
    let mut files = generated::project(PAGES, false);
    for number in 0..PAGES {
        files.insert(page_path(number), page_text(number, PAGES, round).into_bytes());
    }
    // An asset with another name in each version.
    let svg =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M1 {round}h9v9z\"/></svg>\n");
    files.insert("content/assets/art/drawing-1.svg".into(), svg.into_bytes());
    // A file that the other version lacks.
    files.insert(format!("content/public/only-in-{round}.txt"), b"here\n".to_vec());
    files
}

pub fn sitegen(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(["build", "--quiet", "--now", "2026-12-01", "--root"]).arg(root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

pub fn build(root: &Path, arguments: &[&str]) -> Output {
    let output = sitegen(root).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{said}");
    output
}

#[track_caller]
pub fn succeeds(root: &Path, arguments: &[&str]) {
    let output = build(root, arguments);
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
pub fn same(expected: &Files, out: &Path) {
    if let Some(difference) = difference(expected, &generated::read(out)) {
        panic!("{difference}");
    }
}

/// A project in both versions, what each publishes, and a folder in which one can be built into the other.
pub struct Two {
    pub folder: tempfile::TempDir,
    pub roots: [PathBuf; 2],
    pub published: [Files; 2],
}

pub fn two() -> Two {
    let folder = tempfile::tempdir().unwrap();
    let roots = [0, 1].map(|round| {
        let root = folder.path().join(format!("project-{round}"));
        generated::write(&version(round), &root);
        // So that styles need no packages.
        remove_styles(&root);
        root
    });
    let published = [0, 1].map(|round| {
        let out = folder.path().join("expected").join(round.to_string());
        succeeds(&roots[round], &["--out", out.to_str().unwrap()]);
        generated::read(&out)
    });
    assert!(published[0] != published[1] && published[0].len() > PAGES);
    fs::remove_dir_all(folder.path().join("expected")).unwrap();
    Two { folder, roots, published }
}

fn remove_styles(root: &Path) {
    fs::remove_dir_all(root.join("templates/styles")).unwrap();
    fs::remove_file(root.join("templates/components/loafcard/loafcard.css")).unwrap();
    let base = root.join("templates/base.html");
    let text = fs::read_to_string(&base).unwrap().replace("{{ styles() }}\n", "");
    fs::write(base, text).unwrap();
}

/// Makes one project have the content of one version.
pub fn become_version(root: &Path, round: usize) {
    for (path, bytes) in version(round).iter().filter(|(path, _)| path.starts_with("content/")) {
        fs::write(root.join(path), bytes).unwrap();
    }
    let _ = fs::remove_file(root.join(format!("content/public/only-in-{}.txt", 1 - round)));
}

/// Returns the names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn wait(child: &mut Child) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the build hangs");
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_build_that_is_killed_leaves_the_old_site_or_the_new_one() {
    let Two { folder: _folder, roots, published } = two();
    let root = &roots[0];
    let out = root.join("dist");
    succeeds(root, &[]);
    let mut random = Random(1);
    let mut current = 0;
    let (mut killed, mut old, mut new, mut round) = (0, 0, 0, 0);
    let mut takes = Duration::ZERO;
    // At random moments; one at each system call has a test of its own.
    while killed < size::sized(30, 200) {
        round += 1;
        let next = 1 - current;
        become_version(root, next);
        // The moment is spread over the time that a build takes, which is measured again now and then; every second one
        // is in its last third, in which it publishes.
        if round % 20 == 1 {
            let scratch = root.join("elsewhere");
            let start = Instant::now();
            succeeds(root, &["--out", scratch.to_str().unwrap()]);
            takes = start.elapsed();
            fs::remove_dir_all(&scratch).unwrap();
        }
        let part = random.below(1000) as f64 / 1000.0;
        let mut child = sitegen(root).spawn().unwrap();
        std::thread::sleep(takes.mul_f64(if round % 2 == 0 { part } else { 0.7 + part * 0.4 }));
        child.kill().unwrap();
        if wait(&mut child).code().is_none() {
            killed += 1;
        }
        let found = generated::read(&out);
        if found == published[current] {
            old += 1;
        } else {
            if let Some(difference) = difference(&published[next], &found) {
                panic!("after {killed} kills the site is neither old nor new:\n{difference}");
            }
            new += 1;
        }
        succeeds(root, &[]);
        same(&published[next], &out);
        let stale_files = names(root).into_iter().filter(|name| name.contains(".sitegen-")).count();
        assert_eq!(stale_files, 0);
        current = next;
    }
    println!("{killed} kills survived: {old} times the old site stood, {new} times the new one");
}

/// A small file system that is unmounted when the test ends, however it ends.
pub struct Mount(PathBuf);

impl Mount {
    /// Returns `None` where mounting is not permitted.
    pub fn new(at: &Path, options: &str) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let run = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output();
        if run.is_ok_and(|run| run.status.success()) {
            return Some(Mount(at.to_path_buf()));
        }
        needs::left_out("mounting a file system is not permitted");
        None
    }

    fn change(&self, options: &str) {
        let run = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_keeps_the_old_site() {
    let Two { folder, roots, published } = two();
    let disk = folder.path().join("disk");
    let mut faults = 0;
    // The output on the small disk; then the project with it, so that the previous tree is there too.
    for with_project in [false, true] {
        let Some(mount) = Mount::new(&disk, "size=900k") else { return };
        let root = if with_project { disk.join("project") } else { roots[0].clone() };
        if with_project {
            generated::write(
                &generated::read(&roots[0]).into_iter().filter(|(path, _)| !path.starts_with('.')).collect(),
                &root,
            );
        }
        let out = disk.join("site");
        let to = ["--out", out.to_str().unwrap()];
        let big = root.join("content/public/big.bin");
        become_version(&root, 0);
        succeeds(&root, &to);
        same(&published[0], &out);
        for round in 0..6 {
            let [now, next] = [round % 2, 1 - round % 2];
            become_version(&root, next);
            if with_project {
                mount.change("size=16m");
            }
            fs::write(&big, vec![b'x'; 2_000_000]).unwrap();
            if with_project {
                mount.change("size=3500k");
            }
            let output = build(&root, &to);
            assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
            for words in ["No space left", "free space for a second copy of the site"] {
                assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{output:?}");
            }
            same(&published[now], &out);
            faults += 1;
            fs::remove_file(&big).unwrap();
            succeeds(&root, &to);
            same(&published[next], &out);
            assert_eq!(names(&disk), if with_project { vec!["project", "site"] } else { vec!["site"] });
        }
        drop(mount);
    }

    // No inode left, however much space there is.
    let Some(mount) = Mount::new(&disk, "nr_inodes=60") else { return };
    let (root, out) = (&roots[0], disk.join("site"));
    let to = ["--out", out.to_str().unwrap()];
    become_version(root, 0);
    succeeds(root, &to);
    for round in 0..4 {
        let [now, next] = [round % 2, 1 - round % 2];
        become_version(root, next);
        let output = build(root, &to);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        same(&published[now], &out);
        faults += 1;
        mount.change("nr_inodes=900");
        succeeds(root, &to);
        same(&published[next], &out);
        mount.change("nr_inodes=60");
    }

    // Nothing can be written.
    mount.change("nr_inodes=900");
    become_version(root, 1);
    mount.change("ro");
    let output = build(root, &to);
    let code = output.status.code();
    assert_eq!(code, Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    same(&published[0], &out);
    faults += 1;
    // A site that is published already needs no writing.
    become_version(root, 0);
    succeeds(root, &to);
    mount.change("rw");
    become_version(root, 1);
    succeeds(root, &to);
    same(&published[1], &out);

    // A folder that contains a site is not a site.
    let output = build(root, &["--out", disk.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("it contains files that no earlier build wrote: `site/.nojekyll`"), "{said}");
    faults += 1;
    println!("{faults} faults of the disk survived");
}

#[test]
fn an_output_on_another_file_system_keeps_times() {
    let Two { folder, roots, published } = two();
    let Some(_mount) = Mount::new(&folder.path().join("disk"), "size=8m") else { return };
    let out = folder.path().join("disk/site");
    let time = |out: &Path| {
        fs::metadata(out.join("assets"))
            .and_then(|_| fs::metadata(out.join(".well-known/security.txt")))
            .unwrap()
            .modified()
            .unwrap()
    };
    succeeds(&roots[0], &["--out", out.to_str().unwrap()]);
    let first = time(&out);
    for round in [1, 0, 1] {
        std::thread::sleep(Duration::from_millis(5));
        become_version(&roots[0], round);
        succeeds(&roots[0], &["--out", out.to_str().unwrap()]);
        same(&published[round], &out);
        assert_eq!(time(&out), first);
    }
}

#[test]
fn builds_at_once_wait_for_each_other() {
    let Two { folder, roots, published } = two();
    let mut builds = 0;
    for (count, rounds) in [(2, 6), (8, 3)] {
        for round in 0..rounds {
            // In one project.
            become_version(&roots[0], round % 2);
            let children: Vec<Child> = (0..count).map(|_| sitegen(&roots[0]).spawn().unwrap()).collect();
            for mut child in children {
                assert!(wait(&mut child).success());
                builds += 1;
            }
            same(&published[round % 2], &roots[0].join("dist"));
            // Two projects to one folder.
            become_version(&roots[0], 0);
            let out = folder.path().join("shared");
            let children: Vec<Child> =
                (0..count).map(|each| sitegen(&roots[each % 2]).arg("--out").arg(&out).spawn().unwrap()).collect();
            for mut child in children {
                assert!(wait(&mut child).success());
                builds += 1;
            }
            let found = generated::read(&out);
            assert!(published.contains(&found));
        }
    }
    println!("{builds} builds at once, none in the way of another");
}

#[test]
fn readers_of_the_folder_always_see_one_site() {
    let Two { folder: _folder, roots, published } = two();
    let (root, out) = (&roots[0], roots[0].join("dist"));
    succeeds(root, &[]);
    let pages: Vec<String> = (0..PAGES)
        .map(|number| format!("guides/{}/page-{number}/index.html", ["flour", "water", "salt"][number % 3]))
        .collect();
    let (done, started) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (reads, passes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        // By path, as a web server does.
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                for page in &pages {
                    let bytes = fs::read(out.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
                    assert!(published.iter().any(|site| site[page] == bytes), "{page} belongs to neither site");
                    reads.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        // From within the folder, as `rsync` does. It is the same folder until the publication after the next one.
        scope.spawn(|| {
            use rustix::fs::{Mode, OFlags, openat};
            while !done.load(Ordering::SeqCst) {
                let before = started.load(Ordering::SeqCst);
                let handle = fs::File::open(&out).unwrap();
                let read = |page: &String| -> std::io::Result<Vec<u8>> {
                    let mut bytes = Vec::new();
                    let file = openat(handle.as_fd(), page.as_str(), OFlags::RDONLY, Mode::empty())?;
                    std::io::Read::read_to_end(&mut fs::File::from(file), &mut bytes)?;
                    Ok(bytes)
                };
                let pages_read: Vec<std::io::Result<Vec<u8>>> = pages.iter().map(read).collect();
                if started.load(Ordering::SeqCst) - before < 1 {
                    let pages_read: Vec<Vec<u8>> = pages_read.into_iter().map(Result::unwrap).collect();
                    let is_of = |site: &Files| pages.iter().zip(&pages_read).all(|(page, bytes)| site[page] == *bytes);
                    assert!(published.iter().any(is_of), "pages of two sites in one folder");
                    passes.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        let mut run = || {
            for round in 0..60 {
                become_version(root, (round + 1) % 2);
                started.fetch_add(1, Ordering::SeqCst);
                succeeds(root, &[]);
            }
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut run));
        done.store(true, Ordering::SeqCst);
        result.unwrap();
    });
    println!(
        "{} reads by path and {} passes within the folder, while 60 sites were published",
        reads.into_inner(),
        passes.into_inner()
    );
}

#[test]
fn files_may_come_and_go_while_they_are_read() {
    let Two { folder: _folder, roots, published } = two();
    let (root, out) = (&roots[0], roots[0].join("dist"));
    succeeds(root, &[]);
    let done = AtomicBool::new(false);
    let (mut codes, changes) = ([0; 4], AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Random(3);
            while !done.load(Ordering::SeqCst) {
                let path = root.join(page_path(random.below(PAGES)));
                let aside = path.with_extension("md.aside");
                let _ = fs::rename(&path, &aside);
                if random.below(3) == 0 {
                    let folder = root.join("content/pages/guides");
                    let _ = fs::rename(&folder, root.join("guides"));
                    std::thread::yield_now();
                    let _ = fs::rename(root.join("guides"), &folder);
                }
                let _ = fs::rename(&aside, &path);
                // While it is being written.
                let text = page_text(random.below(PAGES), PAGES, 0);
                let _ = fs::write(root.join("content/pages/guides/half.md"), &text[..random.below(text.len())]);
                let _ = fs::remove_file(root.join("content/pages/guides/half.md"));
                changes.fetch_add(4, Ordering::SeqCst);
            }
        });
        let mut run = || {
            for _ in 0..40 {
                let before = generated::read(&out);
                let output = build(root, &[]);
                let code = output.status.code().expect("it ends by itself");
                codes[code as usize] += 1;
                if code != 0 {
                    same(&before, &out);
                }
            }
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut run));
        done.store(true, Ordering::SeqCst);
        result.unwrap();
    });
    generated::write(&version(0).into_iter().filter(|(path, _)| path.starts_with("content/")).collect(), root);
    for entry in walkdir::WalkDir::new(root.join("content")).into_iter().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "aside") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    // A page that was half written may have been published, and its address is gone now.
    succeeds(root, &["--against", "none"]);
    same(&published[0], &out);
    println!(
        "{} changes while 40 builds read: {} published, {} refused, {} could not read",
        changes.into_inner(),
        codes[0],
        codes[1],
        codes[3]
    );
}

/// Returns the number of processes whose working directory is a folder.
fn processes_in(folder: &Path) -> usize {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder)).count()
}

#[test]
fn signals_stop_a_build_at_once() {
    let work = generated::work_folder("signals").canonicalize().unwrap();
    let root = work.join("project");
    generated::write(&generated::project(150, true), &root);
    let start = Instant::now();
    succeeds(&root, &[]);
    // How long a build takes depends on what else the machine does: this follows it.
    let mut takes = start.elapsed();
    let published = generated::read(&root.join("dist"));
    let mut random = Random(5);
    let (mut stopped, mut slowest, mut round) = (0, Duration::ZERO, 0);
    while stopped < 15 {
        round += 1;
        assert!(round < 300, "{stopped} of {round} builds were stopped: this proves too little");
        let (signal, code) = [("INT", 130), ("TERM", 143)][round % 2];
        fs::remove_dir_all(root.join(".sitegen")).unwrap();
        let is_new = round % 3 == 0;
        if is_new {
            fs::remove_dir_all(root.join("dist")).unwrap();
        }
        let mut child = sitegen(&root).spawn().unwrap();
        std::thread::sleep(takes.mul_f64(random.below(1000) as f64 / 1000.0));
        let sent = Instant::now();
        assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().is_ok());
        let status = wait(&mut child);
        use std::os::unix::process::ExitStatusExt;
        match status.code() {
            Some(0) => takes = takes.mul_f64(0.8),
            Some(actual) => {
                takes = takes.mul_f64(1.2);
                assert_eq!(actual, code);
                stopped += 1;
                slowest = slowest.max(sent.elapsed());
            }
            // The signal came before the program had begun.
            None => {
                takes = takes.mul_f64(1.2);
                assert!(matches!(status.signal(), Some(2 | 15)));
            }
        }
        let found = generated::read(&root.join("dist"));
        assert!(found == published || is_new && found.is_empty());
        // esbuild has ended too.
        let start = Instant::now();
        while processes_in(&root) > 0 {
            assert!(start.elapsed() < PATIENCE, "a program goes on after the build was stopped");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(names(&root).iter().filter(|name| name.contains(".sitegen-")).count(), 0);
        succeeds(&root, &[]);
        same(&published, &root.join("dist"));
    }
    println!("{stopped} of {round} builds stopped by a signal, the slowest in {} ms", slowest.as_millis());
}

#[test]
fn a_published_folder_is_compared_with_its_manifest() {
    let Two { folder: _folder, roots, published } = two();
    let (root, out) = (&roots[0], roots[0].join("dist"));
    succeeds(root, &[]);
    let verify = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        let output = command.current_dir(root).arg("verify").args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    let files = published[0].len() - 1;
    assert_eq!(verify(&[]), (0, format!("verified dist: {files} files, all as published\n"), String::new()));
    fs::remove_file(out.join("404.html")).unwrap();
    fs::write(out.join("robots.txt"), "Disallow: /\n").unwrap();
    fs::write(out.join("notes.txt"), "mine\n").unwrap();
    let reported = "error[output-differs]: this file is missing\n  --> 404.html\n\n\
                error[output-differs]: this file was not published\n  --> notes.txt\n\n\
                error[output-differs]: this file has changed since it was published\n  --> robots.txt\n\n\
                3 errors; dist differs from what was published\n";
    assert_eq!(verify(&["dist"]), (1, String::new(), reported.to_owned()));
    let (code, _, json) = verify(&["--format", "json"]);
    assert_eq!((code, json.lines().count()), (1, 3));
    assert!(
        json.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["code"] == "output-differs"),
        "{json}"
    );
    let (code, _, said) = verify(&["content"]);
    assert_eq!(
        (code, said.as_str()),
        (3, "failed[io]: cannot verify content: it has no manifest.json written by sitegen\n\n1 error\n")
    );
    // A build repairs what it has written, and leaves foreign files alone.
    assert_eq!(build(root, &[]).status.code(), Some(3));
    fs::remove_file(out.join("notes.txt")).unwrap();
    succeeds(root, &[]);
    assert_eq!(verify(&["--quiet"]), (0, String::new(), String::new()));
}

#[test]
fn folders_that_must_not_be_replaced_are_refused_in_plain_words() {
    let Two { folder, roots, .. } = two();
    let root = &roots[0];
    let before = generated::read(folder.path());
    for (out, reason) in [
        ("/", "it is the root of the file system"),
        (".", "it is the project itself"),
        ("content", "it overlaps the project's sources"),
        ("content/public/site", "it overlaps the project's sources"),
        ("islands", "it overlaps the project's sources"),
        ("..", "your home folder is in it"),
        ("../home", "it is your home folder"),
    ] {
        let output = sitegen(Path::new("."))
            .current_dir(root)
            .env("HOME", folder.path().join("home"))
            .args(["--out", out])
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = format!(
            "failed[foreign-output]: will not publish to {out}: {reason} = help: name another folder with `--out` 1 error; nothing was published"
        );
        assert_eq!((output.status.code(), words), (Some(3), expected));
    }
    let plain = |files: &Files| files.keys().filter(|path| !path.contains(".sitegen/")).cloned().collect::<Vec<_>>();
    assert_eq!(plain(&before), plain(&generated::read(folder.path())));
}
