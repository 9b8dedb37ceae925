//! A folder of a server as a target, by the programs `sftp` and `rsync` of this machine.
//!
//! Everything is done by `sftp`, which servers offer that offer nothing else; `rsync` sends files where it may. A file is sent to a
//! temporary one and renamed: OpenSSH renames in place of what is there, in one step. What may be there once only is a hard link,
//! which fails if its name is taken. So are copies: a file is replaced, and never written to.

use super::connection::SharedConnection;
use super::folder::{copy_output, one_user, unique};
use super::record::FOLDER;
use super::store::{Control, Failure, Step, Store};
use sitegen_content::deployment::Server;
use sitegen_core::diagnostics::{is_unprintable, printable_name};
use sitegen_core::sources::Digest;
use sitegen_core::tools::output;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How many changes a connection makes. Between two, the deploy can be stopped.
const CHUNK: usize = 200;
/// How many bytes a connection sends, but for a single file that is larger.
const BYTES: u64 = 64 << 20;
/// Pauses before a connection is tried again.
const PAUSES: [u64; 4] = [1, 3, 9, 27];
/// What `ssh` ends with if there is no connection, and what `rsync` ends with then: errors of sockets, of its protocol and
/// time-outs (rsync(1), "EXIT VALUES").
const UNCONNECTED: [i32; 6] = [255, 10, 12, 30, 35, 5];
/// Options of `ssh`: no questions, an error where the network has gone, and what went wrong without the greeting of the server.
const OPTIONS: [&str; 5] = [
    "-oBatchMode=yes",
    "-oConnectTimeout=20",
    "-oServerAliveInterval=10",
    "-oServerAliveCountMax=3",
    "-oLogLevel=ERROR",
];
/// How many bytes a line of a batch has at most. `sftp` reads 2047.
const LINE: usize = 2000;
/// How many lines of a program an error has, the last ones.
const LINES: usize = 16;

/// A folder of a server.
pub struct SshStore {
    server: Server,
    /// The output folder.
    output: PathBuf,
    /// A folder of this machine for copies of what is sent, so that exactly what was checked is sent.
    scratch: PathBuf,
    unique: u64,
    next: AtomicU64,
    is_ready: Mutex<bool>,
    /// Made when it is known that there can be a connection. `None` if it cannot be shared.
    connection: OnceLock<Option<SharedConnection>>,
}

impl SshStore {
    /// Deploys files of `output` to a server. `scratch` is a folder for temporary files of all deploys of a project.
    pub fn open(server: Server, output: PathBuf, scratch: &Path) -> Result<Self, Failure> {
        let unique = unique();
        let scratch = scratch.join(unique.to_string());
        fs::create_dir_all(&scratch).map_err(|error| cannot_write(&scratch, &error))?;
        let (next, is_ready, connection) = Default::default();
        Ok(SshStore { server, output, scratch, unique, next, is_ready, connection })
    }

    /// Creates the folders that everything else needs, once.
    fn prepare(&self) -> Result<(), Failure> {
        let mut is_ready = self.is_ready.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_ready {
            return Ok(());
        }
        // What deploys have left that were killed: no other one of this project is going on.
        for left in self.scratch.parent().and_then(|all| fs::read_dir(all).ok()).into_iter().flatten().flatten() {
            if left.path() != self.scratch {
                let _ = fs::remove_dir_all(left.path());
            }
        }
        let root = &self.server.folder;
        let above = root.match_indices('/').skip(1).map(|(at, _)| root[..at].to_owned());
        let hidden = ["", "/files", "/manifests", "/tmp"].map(|folder| format!("{root}/{FOLDER}{folder}"));
        let mut batch = Batch::default();
        above.chain([root.clone()]).chain(hidden).for_each(|folder| batch.add("-mkdir", &[&folder]));
        batch.add("chmod 700", &[&self.at(FOLDER)]);
        self.sftp(batch)?;
        *is_ready = true;
        Ok(())
    }

    fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.server.folder)
    }

    /// Returns a name that no other file has, on this machine and there.
    fn unique(&self) -> String {
        format!("{}-{}", self.unique, self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn temporary(&self) -> String {
        format!("{FOLDER}/tmp/{}", self.unique())
    }

    /// Writes a file of this machine for a program to read.
    fn local(&self, bytes: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.scratch.join(self.unique());
        fs::write(&path, bytes).map_err(|error| cannot_write(&path, &error))?;
        Ok(path)
    }

    fn destination(&self, brackets: bool) -> String {
        let host = match brackets && self.server.host.contains(':') {
            true => format!("[{}]", self.server.host),
            false => self.server.host.clone(),
        };
        self.server.user.as_ref().map_or_else(|| host.clone(), |user| format!("{user}@{host}"))
    }

    /// Returns options of `ssh` for a connection.
    fn options(&self) -> Vec<String> {
        let shared = self.connection.get().and_then(Option::as_ref).map(SharedConnection::options);
        OPTIONS.map(str::to_owned).into_iter().chain(shared.into_iter().flatten()).collect()
    }

    /// Makes the connection that is shared from now on.
    fn share_connection(&self) {
        self.connection.get_or_init(|| {
            let port = self.server.port.map(|port| format!("-p{port}"));
            let destination = ["--".to_owned(), self.destination(false)];
            let arguments: Vec<String> =
                OPTIONS.map(str::to_owned).into_iter().chain(port).chain(destination).collect();
            SharedConnection::open(&arguments, self.unique)
        });
    }

    /// Runs commands of sftp, each of which may be run twice.
    fn sftp(&self, batch: Batch) -> Result<Output, Failure> {
        let file = self.local(batch.text()?.as_bytes())?;
        let run = self.retried("sftp", || {
            let mut command = Command::new("sftp");
            // Not `-q`: with that, `ssh` does not say why there is no connection.
            command.args(self.options()).arg("-b").arg(&file);
            command.args(self.server.port.map(|port| format!("-P{port}")));
            command.arg("--").arg(self.destination(true));
            command
        });
        let _ = fs::remove_file(&file);
        if run.is_ok() {
            self.share_connection();
        }
        run
    }

    /// Runs commands of sftp that read: what is not there is no failure, and what may not be read is one.
    fn reading(&self, batch: Batch) -> Result<String, Failure> {
        let run = self.sftp(batch)?;
        let said = String::from_utf8_lossy(&run.stderr);
        match said.contains("Permission denied") {
            true => Err(self.failure("sftp", &said, &run)),
            false => Ok(String::from_utf8_lossy(&run.stdout).into_owned()),
        }
    }

    /// Sends files of a folder of this machine by rsync, each to the same path.
    fn rsync(&self, folder: &Path, paths: &[&str]) -> Result<(), Failure> {
        // Without `./`, rsync takes a name that begins with `#` or `;` for a comment.
        let list: Vec<String> = paths.iter().map(|path| format!("./{path}")).collect();
        let list = self.local(list.join("\0").as_bytes())?;
        let shell = format!("ssh {}", self.options().join(" "));
        let shell = self.server.port.map_or_else(|| shell.clone(), |port| format!("{shell} -p {port}"));
        let run = self.retried("rsync", || {
            let mut command = Command::new("rsync");
            // Which files differ is known: it need not compare their times. It renames each into place.
            // With `-s`, no shell of the server reads a path.
            command.args(["--ignore-times", "--perms", "--chmod=F644", "-s", "--from0", "--rsh", &shell]);
            // The folders are there. A link to one stays what it is.
            command.arg("--no-implied-dirs");
            command.arg(format!("--temp-dir={}/{FOLDER}/tmp", self.server.folder));
            command.arg("--files-from").arg(&list).arg("--").arg(format!("{}/", folder.display()));
            command.arg(format!("{}:{}/", self.destination(true), self.server.folder));
            command
        });
        let _ = fs::remove_file(&list);
        run.map(drop)
    }

    /// Runs a program, again after a pause if there is no connection.
    fn retried(&self, program: &str, command: impl Fn() -> Command) -> Result<Output, Failure> {
        let mut pauses = PAUSES.iter();
        loop {
            let run = output(command().env("LC_ALL", "C").stdin(std::process::Stdio::null()));
            let run = run.map_err(|error| {
                let help = match program {
                    "rsync" => "install it here and on the server, or write `sftp://` instead of `ssh://`",
                    _ => "install OpenSSH",
                };
                Failure::with_help(format!("cannot run {program}: {error}"), help)
            })?;
            if run.status.success() {
                return Ok(run);
            }
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            let is_unconnected = run.status.code().is_some_and(|code| UNCONNECTED.contains(&code));
            // Keys and names of hosts do not become right by waiting.
            let is_final = ["Permission denied", "Host key verification failed", "Could not resolve", "not found"];
            if is_unconnected
                && !is_final.iter().any(|text| said.contains(text))
                && let Some(seconds) = pauses.next()
            {
                std::thread::sleep(Duration::from_secs(*seconds));
                continue;
            }
            return Err(self.failure(program, &said, &run));
        }
    }

    fn failure(&self, program: &str, said: &str, run: &Output) -> Failure {
        let what = match relevant(said).as_str() {
            "" => format!("{program} ended with {}", run.status),
            text => format!("{program} says: {text}"),
        };
        let port = self.server.port.map_or_else(String::new, |port| format!("-p {port} "));
        let host = format!("{port}{}", self.destination(false));
        let help = if said.contains("Permission denied (") || said.contains("publickey") {
            format!("try `ssh {host}`: it must work without a password, by a key or an agent")
        } else if said.contains("Host key verification failed") {
            format!("run `ssh {host}` once and compare the fingerprint of the server")
        } else if said.contains("Could not resolve") {
            format!("check the name of the server, or run `ssh {host}`")
        } else if program == "rsync" && (said.contains("command not found") || said.contains("not found")) {
            "install rsync on the server, or write `sftp://` instead of `ssh://`".to_owned()
        } else if program == "rsync" && said.contains("Too many levels of symbolic links") {
            "a folder on the server is a symbolic link, which this rsync does not follow: write `sftp://` instead of `ssh://`"
                .to_owned()
        } else if said.contains("Permission denied") && said.contains(FOLDER) {
            one_user(&self.server.folder)
        } else if said.contains("Permission denied") {
            format!("give the user on the server write access to {}", self.server.folder)
        } else {
            return Failure::new(what);
        };
        Failure::with_help(what, help)
    }

    /// Adds commands that create the folders of files.
    fn add_folders<'p>(&self, batch: &mut Batch, paths: impl Iterator<Item = &'p str>) {
        let mut folders = BTreeSet::new();
        for path in paths {
            folders.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
        }
        folders.into_iter().for_each(|folder| batch.add("-mkdir", &[&self.at(folder)]));
    }

    /// Makes changes over one connection.
    fn chunk(&self, steps: &[Step]) -> Result<(), Failure> {
        let folder = self.scratch.join("files");
        let mut batch = Batch::default();
        let changed = steps.iter().filter(|step| !matches!(step, Step::Remove { .. }));
        self.add_folders(&mut batch, changed.map(Step::path));
        let mut sent = Vec::new();
        let mut emptied = BTreeSet::new();
        for step in steps {
            match step {
                Step::Put { path, digest } => {
                    // The copy there gets the mode of this one, which everybody may read.
                    let local = folder.join(path);
                    let above = local.parent().map_or(Ok(()), fs::create_dir_all);
                    above.map_err(|error| cannot_write(&local, &error))?;
                    copy_output(&self.output, path, digest, &local)?;
                    sent.push(path.as_str());
                    if !self.server.has_rsync {
                        let temporary = self.at(&self.temporary());
                        batch.add("put -p", &[&local.display().to_string(), &temporary]);
                        batch.add("rename", &[&temporary, &self.at(path)]);
                    }
                }
                Step::Copy { from, to } => {
                    let temporary = self.at(&self.temporary());
                    // Where both are links to one file, renaming does nothing (rename(2)).
                    batch.add("-rm", &[&temporary]);
                    batch.add("ln", &[&self.at(from), &temporary]);
                    batch.add("rename", &[&temporary, &self.at(to)]);
                    batch.add("-rm", &[&temporary]);
                }
                Step::Remove { path } => {
                    batch.add("-rm", &[&self.at(path)]);
                    if !path.starts_with(FOLDER) {
                        emptied.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
                    }
                }
            }
        }
        // The system keeps folders that are not empty. Inner ones come first.
        emptied.iter().rev().for_each(|folder| batch.add("-rmdir", &[&self.at(folder)]));
        if !batch.is_empty() {
            self.sftp(batch)?;
        }
        if self.server.has_rsync && !sent.is_empty() {
            self.rsync(&folder, &sent)?;
        }
        let _ = fs::remove_dir_all(&folder);
        Ok(())
    }
}

/// Returns what a program said of why it failed, in one line.
fn relevant(said: &str) -> String {
    let mut lines: Vec<&str> = said.lines().map(str::trim).collect();
    // Some lines are frames of others.
    lines.retain(|line| line.contains(char::is_alphanumeric) && !is_expected(line));
    lines.dedup();
    // The last words of every program whose connection was refused, whatever the reason.
    let is_closing = |line: &&str| line.trim_end_matches('.') == "Connection closed";
    if lines.iter().any(|line| !is_closing(line)) {
        lines.retain(|line| !is_closing(line));
    }
    lines[lines.len().saturating_sub(LINES)..].join("; ")
}

/// Whether sftp says this of a command that may fail: that a folder is there already or is not empty, or that a file is not there.
fn is_expected(line: &str) -> bool {
    let has = |texts: &[&str]| texts.iter().any(|text| line.contains(text));
    let is_of_folder = has(&["mkdir ", "create directory", "rmdir ", "remove directory"]);
    is_of_folder && line.ends_with(": Failure")
        || (is_of_folder || has(&["remote delete", "delete file"])) && line.ends_with(": No such file or directory")
        || line.ends_with(" not found") && line.starts_with("Can't ls: ")
        || line.ends_with(" not found.") && line.starts_with("File ")
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}

/// Commands for `sftp -b`. Those with `-` before them may fail.
///
/// A line that begins with `!` is a command for the shell of this machine. So no path may begin a new line, and none may make a line
/// longer than what `sftp` reads at once: it would take the rest for the next line.
#[derive(Default)]
struct Batch {
    text: String,
    /// The first path that cannot be named.
    fault: Option<Failure>,
}

impl Batch {
    /// A single command.
    fn of(command: &str, paths: &[&str]) -> Self {
        let mut batch = Batch::default();
        batch.add(command, paths);
        batch
    }

    /// Adds a command with paths.
    fn add(&mut self, command: &str, paths: &[&str]) {
        let line = paths.iter().fold(command.to_owned(), |line, path| format!("{line} {}", quoted(path)));
        let is_wrong = line.contains(char::is_control) || line.len() > LINE;
        if is_wrong && self.fault.is_none() {
            let path = printable_name(paths.last().unwrap_or(&""));
            let what = format!("sftp cannot be given the path `{path}`");
            self.fault = Some(Failure::with_help(what, "use a shorter path, without control characters"));
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the commands, if each path in them can be named.
    fn text(self) -> Result<String, Failure> {
        self.fault.map_or(Ok(self.text), Err)
    }
}

/// Returns a path that sftp has listed. It escapes the bytes of letters that are not those of the language of its messages, which
/// is that of programs: `\303\274` is `ü`. The path of a file of a site has no `\`.
fn unescaped(listed: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = listed.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| *first == b'\\');
        let byte = digits.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Quotes a path for sftp. Within quotes it takes `*`, `?` and `[` as they are.
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Store for SshStore {
    fn names(&self, folder: &str) -> Result<Vec<String>, Failure> {
        let listed = self.reading(Batch::of("-ls -1a", &[&self.at(folder)]))?;
        // The first line repeats the command. Folders are named too: what is asked for has none that look like files.
        let lines = listed.lines().filter(|line| !line.starts_with("sftp> "));
        let names = lines.filter_map(|line| line.trim_end().rsplit('/').next());
        let is_name = |name: &&str| !matches!(*name, "" | "." | "..") && !name.contains(is_unprintable);
        Ok(names.filter(is_name).map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let local = self.scratch.join(self.unique());
        self.reading(Batch::of("-get", &[&self.at(path), &local.display().to_string()]))?;
        let bytes = fs::read(&local).ok();
        let _ = fs::remove_file(&local);
        Ok(bytes)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.prepare()?;
        let (local, temporary) = (self.local(bytes)?, self.at(&self.temporary()));
        let mut batch = Batch::of("put", &[&local.display().to_string(), &temporary]);
        batch.add("rename", &[&temporary, &self.at(path)]);
        let written = self.sftp(batch);
        let _ = fs::remove_file(&local);
        written.map(drop)
    }

    fn create(&self, path: &str, bytes: &[u8]) -> Result<bool, Failure> {
        self.prepare()?;
        let (local, temporary) = (self.local(bytes)?, self.at(&self.temporary()));
        // Which of the commands failed is seen by what is there then.
        let mut batch = Batch::of("put", &[&local.display().to_string(), &temporary]);
        batch.add("ln", &[&temporary, &self.at(path)]);
        let linked = self.sftp(batch);
        let _ = fs::remove_file(&local);
        self.sftp(Batch::of("-rm", &[&temporary]))?;
        match linked {
            Ok(_) => Ok(true),
            Err(failure) => match self.read(path)? {
                Some(_) => Ok(false),
                None => Err(failure),
            },
        }
    }

    fn look(&self, paths: &[&str]) -> Result<BTreeMap<String, Option<Digest>>, Failure> {
        let mut seen = BTreeMap::new();
        for paths in paths.chunks(CHUNK) {
            let mut batch = Batch::default();
            paths.iter().for_each(|path| batch.add("-ls -1", &[&self.at(path)]));
            let listed = self.reading(batch)?;
            for line in listed.lines().filter(|line| !line.starts_with("sftp> ")) {
                let line = unescaped(line.trim_end());
                let path = line.strip_prefix(&self.server.folder).and_then(|path| path.strip_prefix('/'));
                let path = path.ok_or_else(|| Failure::new(format!("sftp lists the unknown file {line}")))?;
                seen.insert(path.to_owned(), None);
            }
        }
        Ok(seen)
    }

    fn run(&self, steps: &[Step], control: &Control) -> Result<(), Failure> {
        self.prepare()?;
        let mut rest = steps;
        while !rest.is_empty() {
            control.check()?;
            let mut bytes = 0;
            let fits = rest.iter().take(CHUNK).position(|step| {
                let begin = bytes;
                if let Step::Put { path, .. } = step {
                    bytes += fs::metadata(self.output.join(path)).map_or(0, |metadata| metadata.len());
                }
                begin > 0 && bytes > BYTES
            });
            let (chunk, left) = rest.split_at(fits.unwrap_or(rest.len().min(CHUNK)));
            self.chunk(chunk)?;
            chunk.iter().for_each(|step| (control.done)(step));
            rest = left;
        }
        Ok(())
    }
}

impl Drop for SshStore {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, LINE, quoted, relevant, unescaped};

    #[test]
    fn an_error_has_every_line_that_says_why() {
        for (said, expected) in [
            ("Host key verification failed.\r\nConnection closed\r\n", "Host key verification failed."),
            (
                "@@@@@@@@@\n@ WARNING: CHANGED! @\n@@@@@@@@@\nHost key verification failed.\nConnection closed.\n",
                "@ WARNING: CHANGED! @; Host key verification failed.",
            ),
            ("Connection closed\n", "Connection closed"),
            (
                "remote mkdir \"/srv\": Failure\nremote mkdir \"/srv/www\": Permission denied\n\
                 remote mkdir \"/srv/www/x\": No such file or directory\nremote setstat \"/srv/www/x\": No such file or directory\n",
                "remote mkdir \"/srv/www\": Permission denied; remote setstat \"/srv/www/x\": No such file or directory",
            ),
            (
                "File \"/srv/1.json\" not found.\nCan't ls: \"/srv/x\" not found\nremote delete \"/srv/x\": No such file or \
                 directory\nremote open \"/srv/x\": Quota exceeded\nremote open \"/srv/x\": Quota exceeded\n",
                "remote open \"/srv/x\": Quota exceeded",
            ),
            ("", ""),
        ] {
            assert_eq!(relevant(said), expected);
        }
        let many: String = (0..100).map(|number| format!("line {number}\n")).collect();
        assert!(relevant(&many).starts_with("line 84; line 85; ") && relevant(&many).ends_with("; line 99"));
    }

    #[test]
    fn paths_are_quoted_for_sftp() {
        assert_eq!(quoted("a b/*?[x].html"), r#""a b/*?[x].html""#);
        assert_eq!(quoted(r#"a"b\c"#), r#""a\"b\\c""#);
    }

    #[test]
    fn escaped_letters_of_listed_paths_are_read() {
        for (listed, path) in [
            ("/srv/w\\303\\274/gr\\303\\266\\303\\237e.txt", "/srv/wü/größe.txt"),
            ("/srv/wü/größe.txt", "/srv/wü/größe.txt"),
            ("/srv/\\346\\227\\245", "/srv/日"),
            ("/srv/\\99x\\", "/srv/\\99x\\"),
        ] {
            assert_eq!(unescaped(listed), path);
        }
    }

    #[test]
    fn no_path_is_a_command_of_sftp() {
        let mut batch = Batch::of("-rm", &["/srv/!a"]);
        batch.add("rename", &["/srv/-b", "/srv/c d"]);
        assert_eq!(batch.text().unwrap(), "-rm \"/srv/!a\"\nrename \"/srv/-b\" \"/srv/c d\"\n");
        // Each would be two lines for sftp, and the second would be run by a shell.
        let long = format!("/srv/{}!touch x", "a".repeat(2047 - "-rm \"/srv/".len()));
        for path in ["/srv/a\n!touch x", "/srv/a\r", "/srv/a\0", &long] {
            let mut batch = Batch::of("-rm", &[path]);
            batch.add("-rm", &["/srv/a"]);
            assert!(batch.text().is_err(), "{path:?}");
        }
        assert!(Batch::of("-rm", &[&"a".repeat(LINE - 6)]).text().is_ok());
        assert!(Batch::of("-rm", &[&"a".repeat(LINE - 5)]).text().is_err());
    }
}
