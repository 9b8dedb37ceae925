//! A connection to a server that programs of OpenSSH share, so that the server sees one instead of one for each of them.
//!
//! It is a connection of `ssh` that offers a socket (ssh_config(5), "ControlMaster"). Where there is none, or when it breaks, each
//! program makes a connection of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for the connection.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(20);

/// See the module. It ends with this value, and with the process: then nobody has the other end of its standard input.
pub struct SharedConnection {
    ssh: Child,
    /// A folder that nobody else can read, with the socket.
    folder: PathBuf,
}

impl SharedConnection {
    /// Makes a connection by `ssh` with these arguments: options and the destination. `None` if that is not possible.
    pub fn open(arguments: &[String], unique: u64) -> Option<Self> {
        let folder = private_folder(unique)?;
        let mut command = Command::new("ssh");
        command.args(["-oControlMaster=yes", "-oControlPersist=no"]).arg(control_path(&folder));
        // A session that is there as long as its input is: that of `-N` would stay when this process is killed.
        command.args(["-oRequestTTY=no", "-s"]).args(arguments).arg("sftp");
        let ssh = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let Ok(ssh) = ssh else {
            let _ = fs::remove_dir_all(folder);
            return None;
        };
        let mut connection = SharedConnection { ssh, folder };
        let begin = Instant::now();
        while !connection.folder.join(SOCKET).exists() {
            if begin.elapsed() > PATIENCE || !matches!(connection.ssh.try_wait(), Ok(None)) {
                return None;
            }
            std::thread::sleep(POLL);
        }
        Some(connection)
    }

    /// Returns the options of programs that use it. They have no white space.
    pub fn options(&self) -> [String; 2] {
        ["-oControlMaster=no".to_owned(), control_path(&self.folder)]
    }
}

impl Drop for SharedConnection {
    fn drop(&mut self) {
        let _ = self.ssh.kill();
        let _ = self.ssh.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const SOCKET: &str = "ssh";

fn control_path(folder: &std::path::Path) -> String {
    format!("-oControlPath={}", folder.join(SOCKET).display())
}

/// Creates a folder whose path `ssh` can be given as the place of a socket. OpenSSH for Windows has none.
fn private_folder(unique: u64) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        let folder = std::env::temp_dir().join(format!("sitegen-{unique}"));
        // `%h` is the host, and `rsync` splits its `--rsh` at white space. The name of a socket has about 100 bytes, of which `ssh`
        // needs some while it makes it.
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "/._-+".contains(sign);
        let fits = folder.to_str().is_some_and(|path| path.len() < 75 && path.chars().all(is_plain));
        (fits && fs::DirBuilder::new().mode(0o700).create(&folder).is_ok()).then_some(folder)
    }
    #[cfg(not(unix))]
    {
        let _ = unique;
        None
    }
}
