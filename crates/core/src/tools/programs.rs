//! Programs that run while a build does, so that they end with it.

use parking_lot::{Mutex, MutexGuard};
use std::io::{self, ErrorKind, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The programs that are running, and whether no other may be started.
static RUNNING: Mutex<(Vec<Arc<Mutex<Child>>>, bool)> = Mutex::new((Vec::new(), false));

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

/// Runs a program to its end and gives what it said, as [`Command::output`] does.
pub fn output(command: &mut Command) -> io::Result<Output> {
    let (child, mut stdout, mut stderr) = {
        let mut running = locked(&RUNNING);
        if running.1 {
            return Err(io::Error::other("the build was stopped"));
        }
        let mut child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        running.0.push(child.clone());
        (child, stdout, stderr)
    };
    // Both at once, since a program that fills one pipe waits for its reader.
    let (mut said, mut complained) = (Vec::new(), Vec::new());
    let read = thread::scope(|scope| {
        let other = scope.spawn(|| stdout.as_mut().map_or(Ok(0), |pipe| pipe.read_to_end(&mut said)));
        let own = stderr.as_mut().map_or(Ok(0), |pipe| pipe.read_to_end(&mut complained));
        other.join().unwrap_or(Ok(0)).and(own)
    });
    let status = locked(&child).wait();
    locked(&RUNNING).0.retain(|other| !Arc::ptr_eq(other, &child));
    read?;
    Ok(Output { status: status?, stdout: said, stderr: complained })
}

/// Starts a program, which may have been written just now. A process that another thread starts at that moment has the file
/// open for writing until it runs its own program, and until then the system refuses to run the file (`ETXTBSY`).
fn start(command: &mut Command) -> io::Result<Child> {
    const TRIES: u32 = 100;
    for _ in 1..TRIES {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(5)),
            started => return started,
        }
    }
    command.spawn()
}

/// Ends every program that is running, and lets no other start: the build is being stopped.
pub fn end_programs() {
    let mut running = locked(&RUNNING);
    running.1 = true;
    for child in &running.0 {
        let _ = locked(child).kill();
    }
}
