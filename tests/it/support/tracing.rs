//! What a program asks of the system.

use std::process::Command;

/// Whether system calls can be watched here. If not, that is said.
pub fn is_permitted() -> bool {
    let tried = Command::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).output();
    let is_permitted = tried.is_ok_and(|run| run.status.success());
    if !is_permitted {
        println!("skipped: strace is not installed, or tracing is not permitted here");
    }
    is_permitted
}
