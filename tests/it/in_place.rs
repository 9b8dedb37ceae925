//! Publishing in place, into mounts, layers and worktrees: every file is complete at every moment, and the next build
//! completes one that was killed. And, for both ways, the order in which files are synced to the disk.
//!
//! Mounts are real, in a mount namespace of their own, as containers have one.
#![cfg(target_os = "linux")]

use crate::publishing::{Mount, PAGES, Two, become_version, build, names, same, sitegen, succeeds, two, wait};
use crate::support::generated::{self, Files, Random};
use crate::support::{needs, tracing};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A process with mounts of its own, which to publishing is a container. It ends with the test.
struct Container(Child);

impl Container {
    /// Runs a script that mounts things. `None` where the system does not permit it, which is printed.
    #[track_caller]
    fn start(script: &str) -> Option<Self> {
        const APART: [&str; 3] = ["--mount", "--propagation", "private"];
        let tried = Command::new("unshare").args(APART).arg("true").output();
        if !tried.is_ok_and(|run| run.status.success()) {
            needs::left_out("unshare is not installed, or mounting is not permitted");
            return None;
        }
        let mut command = Command::new("unshare");
        command.args(APART).args(["sh", "-ec", &format!("{script}\necho mounted\nexec sleep 3600")]);
        let mut container = Container(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(container.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "mounted\n", "{script}");
        Some(container)
    }

    /// Returns a path as the container sees it.
    fn path(&self, path: &Path) -> PathBuf {
        Path::new("/proc").join(self.0.id().to_string()).join("root").join(path.strip_prefix("/").unwrap())
    }

    /// Returns a command that builds in the container.
    fn sitegen(&self, root: &Path) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--mount", "--target", &self.0.id().to_string()]);
        command.arg(env!("CARGO_BIN_EXE_sitegen")).args(sitegen(root).get_args());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

/// Runs a build that succeeds, and returns its line about publishing in place.
#[track_caller]
fn said(mut command: Command) -> Option<String> {
    let words: Vec<_> = command.get_args().map(|word| word.to_owned()).collect();
    let program = command.get_program().to_owned();
    command = Command::new(program);
    command.args(words.into_iter().filter(|word| word != "--quiet")).stdin(Stdio::null());
    let run = command.output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("published in place, because ")).map(str::to_owned)
}

const PROMISE: &str = "every file was complete at every moment, the site only at the end";

fn pages() -> Vec<String> {
    (0..PAGES)
        .map(|number| format!("guides/{}/page-{number}/index.html", ["flour", "water", "salt"][number % 3]))
        .collect()
}

/// Asserts that every file of the folder belongs to one of the two sites.
#[track_caller]
fn is_complete(found: &Files, published: &[Files; 2]) {
    for (path, bytes) in found.iter().filter(|(path, _)| !path.starts_with(".sitegen-publish/")) {
        let is_of = |site: &Files| site.get(path) == Some(bytes);
        assert!(published.iter().any(is_of), "{path} is of neither site");
    }
    // A file of both sites exists at every moment.
    for path in published[0].keys().filter(|path| published[1].contains_key(*path)) {
        assert!(found.contains_key(path), "{path} is gone");
    }
}

/// Reads pages until `done` is set: each is complete, and the assets that it names exist.
fn read_meanwhile(served: &Path, published: &[Files; 2], done: &AtomicBool) -> usize {
    let mut reads = 0;
    while !done.load(Ordering::SeqCst) {
        for page in &pages() {
            let read = || fs::read(served.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
            let bytes = read();
            assert!(published.iter().any(|site| site[page] == bytes), "{page} belongs to neither site");
            let text = String::from_utf8(bytes.clone()).unwrap();
            let assets = text.split("=\"/assets/").skip(1).map(|rest| rest.split('"').next().unwrap());
            let lacking: Vec<&str> = assets.filter(|asset| !served.join("assets").join(asset).exists()).collect();
            // Assets of a page that has been replaced since may be gone.
            assert!(lacking.is_empty() || read() != bytes, "{page} names {lacking:?}");
            reads += 1;
        }
    }
    reads
}

#[test]
fn a_container_that_mounts_the_output_sees_every_site_and_no_half_file() {
    let Two { folder, roots, published } = two();
    let (root, out) = (&roots[0], roots[0].join("dist"));
    let served = folder.path().join("served with spaces");
    fs::create_dir(&served).unwrap();
    succeeds(root, &[]);
    let script = format!("mount --bind {} {}", quoted(&out), quoted(&served));
    let Some(container) = Container::start(&script) else { return };
    let seen = container.path(&served);
    let number = fs::metadata(&out).unwrap().ino();
    become_version(root, 1);
    assert_eq!(said(sitegen(root)), Some(format!("the folder is also mounted at {}: {PROMISE}", served.display())));
    same(&published[1], &seen);
    // An unchanged site is not published at all.
    assert_eq!(said(sitegen(root)), None);

    // Killed at any moment, while others read.
    let done = AtomicBool::new(false);
    let reads = AtomicUsize::new(0);
    let (mut killed, mut mixed) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| reads.store(read_meanwhile(&seen, &published, &done), Ordering::SeqCst));
        let mut run = || {
            let mut random = Random(7);
            let (mut current, mut takes) = (1, Duration::ZERO);
            for round in 0.. {
                let next = 1 - current;
                become_version(root, next);
                if round % 10 == 0 {
                    let start = Instant::now();
                    succeeds(root, &["--out", root.join("elsewhere").to_str().unwrap()]);
                    takes = start.elapsed();
                    fs::remove_dir_all(root.join("elsewhere")).unwrap();
                }
                let mut child = sitegen(root).spawn().unwrap();
                std::thread::sleep(takes.mul_f64(0.6 + random.below(600) as f64 / 1000.0));
                child.kill().unwrap();
                killed += usize::from(wait(&mut child).code().is_none());
                let found = generated::read(&seen);
                is_complete(&found, &published);
                mixed += usize::from(!published.contains(&found));
                succeeds(root, &[]);
                same(&published[next], &seen);
                assert_eq!(fs::metadata(&out).unwrap().ino(), number);
                current = next;
                if killed >= 60 || round >= 300 {
                    break;
                }
            }
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut run));
        done.store(true, Ordering::SeqCst);
        result.unwrap();
    });
    drop(container);
    // Nobody has mounted it any more.
    become_version(root, 0);
    succeeds(root, &[]);
    become_version(root, 1);
    assert_eq!(said(sitegen(root)), None);
    println!("{killed} kills, {mixed} of them while files were replaced or written; {} reads", reads.into_inner());
    assert!(killed > 20);
}

#[test]
fn a_container_that_mounts_the_folder_above_sees_the_exchange() {
    let Two { folder, roots, published } = two();
    let (root, above, served) = (&roots[0], folder.path().join("site"), folder.path().join("served"));
    let to = ["--out", "site/current"].map(|word| word.replace("site", above.to_str().unwrap()));
    fs::create_dir_all(&served).unwrap();
    fs::create_dir_all(&above).unwrap();
    let Some(container) = Container::start(&format!("mount --bind {} {}", quoted(&above), quoted(&served))) else {
        return;
    };
    for round in [0, 1, 0, 1] {
        become_version(root, round);
        let mut command = sitegen(root);
        command.args(&to);
        assert_eq!(said(command), None);
        same(&published[round], &container.path(&served.join("current")));
    }
}

#[test]
fn a_tree_that_an_older_container_serves_is_never_staged_in() {
    let Two { folder, roots, published } = two();
    let (root, out, served) = (&roots[0], roots[0].join("dist"), folder.path().join("served"));
    fs::create_dir(&served).unwrap();
    succeeds(root, &[]);
    become_version(root, 1);
    succeeds(root, &[]);
    // The previous tree, with version 0, in use by a container that was started before, and that the build cannot see.
    let outputs = names(&root.join(".sitegen/outputs"));
    let previous = root.join(".sitegen/outputs").join(&outputs[0]).join("previous");
    let Some(container) = Container::start(&format!("mount --bind {} {}", quoted(&previous), quoted(&served))) else {
        return;
    };
    for round in [0, 1, 0, 1] {
        become_version(root, round);
        assert_eq!(said(sitegen(root)), None);
        same(&published[round], &out);
        same(&published[0], &container.path(&served));
    }
}

#[test]
fn an_output_that_is_a_mount_point_is_published_to_in_place() {
    let Two { folder, roots, published } = two();
    let (root, out, volume) = (&roots[0], roots[0].join("dist"), folder.path().join("volume"));
    fs::create_dir_all(&out).unwrap();
    fs::create_dir(&volume).unwrap();
    // One of the same file system, which only an attribute shows, and one of another.
    let bind = format!("mount --bind {} {}", quoted(&volume), quoted(&out));
    let other = format!("mount -t tmpfs tmpfs {}", quoted(&out));
    for script in [bind, other] {
        let Some(container) = Container::start(&script) else { return };
        for round in [0, 1, 0] {
            become_version(root, round);
            let words = said(container.sitegen(root));
            assert_eq!(words, Some(format!("the folder is a mount point: {PROMISE}")));
            same(&published[round], &container.path(&out));
        }
        // A file of a volume that no build has written.
        fs::write(container.path(&out).join("upload.jpg"), "x").unwrap();
        become_version(root, 1);
        let run = container.sitegen(root).output().unwrap();
        let words = String::from_utf8(run.stderr).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(run.status.code(), Some(3));
        assert!(
            words.contains("no earlier build wrote: `upload.jpg` = help: move them to `content/public/`"),
            "{words}"
        );
        fs::remove_file(container.path(&out).join("upload.jpg")).unwrap();
        same(&published[0], &container.path(&out));
        fs::create_dir(container.path(&out).join("lost+found")).unwrap();
        assert!(container.sitegen(root).output().unwrap().status.success());
        assert!(container.path(&out).join("lost+found").is_dir());
        same(&published[1], &container.path(&out));
    }
    same(&published[1], &volume);
}

#[test]
fn an_output_of_a_lower_layer_is_published_to_in_place() {
    let Two { folder, roots, published } = two();
    let (root, base) = (&roots[0], folder.path().join("layers"));
    fs::create_dir(&base).unwrap();
    succeeds(root, &[]);
    let script = format!(
        "mount -t tmpfs tmpfs {base}\ncd {base}\nmkdir lower upper work merged\ncp -a {root} lower/project\n\
         mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work,redirect_dir=off merged",
        base = quoted(&base),
        root = quoted(root),
    );
    let Some(container) = Container::start(&script) else { return };
    let inner = base.join("merged/project");
    let seen = container.path(&inner.join("dist"));
    same(&published[0], &seen);
    for round in [1, 0, 1] {
        become_version(&container.path(&inner), round);
        let words = said(container.sitegen(&inner));
        assert_eq!(words, Some(format!("the system does not let the folder be replaced: {PROMISE}")));
        same(&published[round], &seen);
        // Unchanged files stay in the lower layer.
        let kept = container.path(&base.join("upper/project/dist/.well-known/security.txt"));
        assert!(!kept.exists(), "a file that has not changed was copied");
        let left = names(&container.path(&inner));
        assert!(!left.iter().any(|name| name.starts_with(".dist")), "{left:?}");
    }
    // Killed while publishing there.
    let mut random = Random(11);
    for round in 0..12 {
        become_version(&container.path(&inner), round % 2);
        let mut child = container.sitegen(&inner).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.below(250) as u64));
        child.kill().unwrap();
        wait(&mut child);
        is_complete(&generated::read(&seen), &published);
        assert!(container.sitegen(&inner).output().unwrap().status.success());
        same(&published[round % 2], &seen);
    }
}

#[test]
fn a_full_disk_keeps_the_old_site_in_place() {
    let Two { folder, roots, published } = two();
    let (root, disk) = (&roots[0], folder.path().join("disk"));
    let to = ["--out", disk.to_str().unwrap()];
    let big = root.join("content/public/big.bin");
    let Some(_mount) = Mount::new(&disk, "size=900k") else { return };
    succeeds(root, &to);
    same(&published[0], &disk);
    for round in 0..4 {
        let [now, next] = [round % 2, 1 - round % 2];
        become_version(root, next);
        fs::write(&big, vec![b'x'; 2_000_000]).unwrap();
        let output = build(root, &to);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("No space left") && said.contains("nothing was published"), "{said}");
        same(&published[now], &disk);
        fs::remove_file(&big).unwrap();
        succeeds(root, &to);
        same(&published[next], &disk);
    }
}

#[test]
fn a_worktree_keeps_its_repository_whenever_a_build_is_killed() {
    let Two { folder: _folder, roots, published } = two();
    let (root, out) = (&roots[0], roots[0].join("dist"));
    fs::create_dir(&out).unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&out).args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.test",
            "-c",
            "commit.gpgsign=false",
        ]);
        let run = command.args(arguments).output().unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    if Command::new("git").arg("--version").output().is_err() {
        needs::left_out("git is not installed");
        return;
    }
    git(&["init", "--quiet"]);
    let without_git =
        || -> Files { generated::read(&out).into_iter().filter(|(path, _)| !path.starts_with(".git/")).collect() };
    assert_eq!(said(sitegen(root)), Some(format!("the folder contains .git: {PROMISE}")));
    assert!(without_git() == published[0]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "The first site"]);
    let repository = generated::read(&out.join(".git"));
    let mut random = Random(13);
    // How long a build takes differs from machine to machine.
    let (mut killed, mut takes) = (0, Duration::from_millis(60));
    for round in 1..=40 {
        become_version(root, round % 2);
        let mut child = sitegen(root).spawn().unwrap();
        std::thread::sleep(takes.mul_f64(random.below(1_000) as f64 / 1_000.0));
        child.kill().unwrap();
        let is_killed = wait(&mut child).code().is_none();
        killed += usize::from(is_killed);
        takes = takes.mul_f64(if is_killed { 1.2 } else { 0.8 });
        is_complete(&without_git(), &published);
        assert!(generated::read(&out.join(".git")) == repository);
        succeeds(root, &[]);
        assert!(without_git() == published[round % 2]);
        assert!(generated::read(&out.join(".git")) == repository);
    }
    // Version 0 is what was committed.
    assert_eq!(git(&["status", "--porcelain"]), "");
    git(&["fsck", "--strict"]);
    // `sitegen verify` does not count the repository.
    let verify = Command::new(env!("CARGO_BIN_EXE_sitegen")).arg("verify").arg(&out).output().unwrap();
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stderr));
    println!("{killed} kills");
    assert!(killed > 5);
}

/// Runs a build under strace. Returns its exit code, its output, and its calls in the order in which they began.
fn traced(root: &Path, log: &Path, inject: Option<&str>, arguments: &[&str]) -> (Option<i32>, String, Vec<String>) {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-s", "200", "-e"]);
    command.arg(
        "trace=openat,write,mkdir,mkdirat,link,linkat,rename,renameat,renameat2,unlink,unlinkat,rmdir,syncfs,fsync",
    );
    command.args(inject.map(|inject| ["-e".to_owned(), format!("inject={inject}")]).iter().flatten());
    command.arg("-o").arg(log).arg(env!("CARGO_BIN_EXE_sitegen")).args(sitegen(root).get_args()).args(arguments);
    let run = command.stdin(Stdio::null()).output().unwrap();
    let calls = fs::read_to_string(log).unwrap();
    let calls = calls.lines().filter(|line| !line.contains(" resumed>") && !line.contains("+++"));
    let calls = calls.map(|line| line.split_once(' ').map_or(line, |(_, call)| call.trim_start()).to_owned());
    let words = String::from_utf8_lossy(&run.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    (run.status.code(), words, calls.collect())
}

#[test]
fn everything_is_synced_before_a_site_is_published() {
    if !tracing::is_permitted() {
        return;
    }
    let Two { folder, roots: [root, _], published } = two();
    let log = folder.path().join("log");
    let position = |calls: &[String], what: &dyn Fn(&str) -> bool| -> Vec<usize> {
        calls.iter().enumerate().filter(|(_, call)| what(call)).map(|(at, _)| at).collect()
    };
    let is_sync = |call: &str| call.starts_with("syncfs(");
    // By exchange: the first site, and one that replaces another.
    for (round, last) in [(0, "rename("), (1, "renameat2("), (0, "renameat2(")] {
        become_version(&root, round);
        let (code, words, calls) = traced(&root, &log, None, &[]);
        assert_eq!(code, Some(0), "{words}");
        let places = position(&calls, &|call| call.starts_with(last) && call.contains("/dist\""));
        let [place] = places[..] else { panic!("{places:?} in {calls:#?}") };
        let [sync] = position(&calls, &is_sync)[..] else { panic!("{calls:#?}") };
        let staged = position(&calls, &|call| {
            (call.contains("/previous/") || call.contains("sitegen-")) && !call.contains("O_RDONLY")
        });
        assert!(staged.len() > PAGES && staged.iter().all(|at| *at < sync) && sync < place, "{calls:#?}");
        let after: Vec<&String> = calls[place..].iter().filter(|call| call.starts_with("fsync(")).collect();
        assert_eq!(after.len(), 2, "the names of both folders: {calls:#?}");
        same(&published[round], &root.join("dist"));
    }
    // An unchanged site waits for nothing.
    let (_, _, calls) = traced(&root, &log, None, &[]);
    assert_eq!(position(&calls, &|call| is_sync(call) || call.starts_with("fsync(")), [0usize; 0], "{calls:#?}");

    // In place.
    become_version(&root, 1);
    let (code, words, calls) = traced(&root, &log, None, &["--in-place"]);
    assert_eq!(code, Some(0), "{words}");
    let [staged, ready, finished] = position(&calls, &is_sync)[..] else { panic!("{calls:#?}") };
    let [named] = position(&calls, &|call| call.starts_with("rename(") && call.contains("journal.json"))[..] else {
        panic!("{calls:#?}")
    };
    let written = position(&calls, &|call| call.contains(".sitegen-publish/") && call.contains("O_CREAT"));
    let journal = position(&calls, &|call| call.contains("journal.part") && call.contains("O_CREAT"))[0];
    assert!(written.iter().all(|at| *at < staged || *at == journal), "{calls:#?}");
    let own = position(&calls, &|call| call.starts_with("fsync("));
    assert!(staged < journal && own.iter().any(|at| journal < *at && *at < named) && named < ready, "{calls:#?}");
    let moves = position(&calls, &|call| call.starts_with("renameat("));
    assert!(moves.len() > PAGES && moves.iter().all(|at| ready < *at && *at < finished), "{calls:#?}");
    let is_of_asset = |at: &usize| calls[*at].contains("drawing-1");
    let is_manifest = |at: &usize| calls[*at].contains("\"manifest.json\"");
    assert!(is_of_asset(&moves[0]) && is_manifest(moves.last().unwrap()), "{calls:#?}");
    let removals = position(&calls, &|call| call.starts_with("unlinkat(") && call.contains("only-in-0.txt"));
    assert!(removals.len() == 1 && moves.iter().all(|at| *at < removals[0]) && removals[0] < finished, "{calls:#?}");
    same(&published[1], &root.join("dist"));

    // A site that cannot be synced is not published.
    for (round, arguments) in [(0, [].as_slice()), (0, &["--in-place"])] {
        become_version(&root, round);
        let (code, words, _) = traced(&root, &log, Some("syncfs:error=EIO"), arguments);
        assert!(code == Some(3) && words.contains("Input/output error"), "{words}");
        same(&published[1], &root.join("dist"));
    }
}

#[test]
fn a_build_killed_at_any_call_is_completed_by_the_next() {
    if !tracing::is_permitted() {
        return;
    }
    let Two { folder, roots: [root, _], published } = two();
    let (log, out) = (folder.path().join("log"), root.join("dist"));
    let broken = root.join("content/pages/broken.md");
    let (mut current, mut kills, mut begun) = (0, 0, 0);
    succeeds(&root, &[]);
    for call in ["renameat", "unlinkat", "syncfs", "rename", "mkdirat", "fsync"] {
        for when in 1.. {
            let next = 1 - current;
            become_version(&root, next);
            // The system stops at the call, before it does anything.
            let inject = format!("{call}:signal=KILL:when={when}");
            let (code, words, _) = traced(&root, &log, Some(&inject), &["--in-place"]);
            if code == Some(0) {
                same(&published[next], &out);
                current = next;
                break;
            }
            kills += 1;
            is_complete(&generated::read(&out), &published);
            assert!(words.is_empty(), "{words}");
            // The next build has errors, and still leaves a complete site: the new one if its files were all written.
            let is_begun = out.join(".sitegen-publish/journal.json").exists();
            fs::write(&broken, "---\ntitle: [\n---\n").unwrap();
            assert_eq!(build(&root, &["--in-place"]).status.code(), Some(1));
            fs::remove_file(&broken).unwrap();
            if is_begun {
                begun += 1;
                same(&published[next], &out);
            }
            assert!(published.contains(&generated::read(&out)));
            succeeds(&root, &["--in-place"]);
            same(&published[next], &out);
            current = next;
        }
    }
    println!("{kills} kills, {begun} of them while files were replaced");
    assert!(begun > PAGES);

    // A folder that cannot be changed: the unfinished publication is reported, and completed once it can.
    become_version(&root, 1 - current);
    let (code, words, _) = traced(&root, &log, Some("renameat:error=EACCES:when=5+"), &["--in-place"]);
    assert_eq!(code, Some(3));
    assert!(
        words.contains("index.html: Permission denied") && words.contains("the next build completes the rest"),
        "{words}"
    );
    is_complete(&generated::read(&out), &published);
    succeeds(&root, &["--in-place"]);
    same(&published[1 - current], &out);
}
