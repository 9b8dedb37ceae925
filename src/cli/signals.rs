//! Handles SIGINT and SIGTERM: a stopped build ends at once, and changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number a shell adds to a signal for the exit code of a program that the signal ended.
const BY_SIGNAL: i32 = 128;
/// How long publishing may clean up, in milliseconds. The next build clears the rest.
const GRACE: u64 = 60;

/// Whether a signal has come.
static STOPPING: AtomicBool = AtomicBool::new(false);
/// The number of publications in progress, at most one.
static PUBLISHING: AtomicUsize = AtomicUsize::new(0);

/// While this is alive, a signal waits a moment for publishing to clean up.
pub struct Publishing;

impl Publishing {
    /// Marks the beginning of publishing.
    pub fn begins() -> Self {
        PUBLISHING.fetch_add(1, Ordering::SeqCst);
        Publishing
    }
}

impl Drop for Publishing {
    fn drop(&mut self) {
        PUBLISHING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits for the end of the process if a signal has come: whatever fails then fails because of it and is not worth a
/// message.
pub fn hush() {
    while STOPPING.load(Ordering::SeqCst) {
        std::thread::sleep(std::time::Duration::from_millis(GRACE));
    }
}

/// Makes SIGINT and SIGTERM end the process within a tenth of a second, whatever it is doing, with the exit codes 130
/// and 143 that a shell expects. Programs it has started end with it. The returned flag becomes true when publishing
/// must give up.
pub fn heed() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return stop };
        let stopping = stop.clone();
        // The thread sleeps until a signal comes, and ends with the process.
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                STOPPING.store(true, Ordering::SeqCst);
                stopping.store(true, Ordering::SeqCst);
                crate::tools::end_programs();
                for _ in 0..GRACE {
                    if PUBLISHING.load(Ordering::SeqCst) == 0 {
                        break;
                    }
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
                std::process::exit(BY_SIGNAL + signal);
            }
        });
    }
    stop
}
