//! Whether the system calls of a program can be traced.

use super::needs;
use std::process::Command;

/// Whether tracing is permitted here. If not, this prints so, or the test fails: see [`needs`].
#[track_caller]
pub fn is_permitted() -> bool {
    let tried = Command::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).output();
    let is_permitted = tried.is_ok_and(|run| run.status.success());
    if !is_permitted {
        needs::left_out("strace is not installed, or tracing is not permitted");
    }
    is_permitted
}
