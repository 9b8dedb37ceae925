//! SIGINT and SIGTERM: a build that is stopped ends at once, and leaves things as they were.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a shell adds to the number of a signal for the exit code of a program that it ended.
const BY_SIGNAL: i32 = 128;
/// How long publishing may clean up, in milliseconds. What it does not manage is cleared by the next build.
const GRACE: u64 = 60;

/// Whether a signal has come.
static STOPPING: AtomicBool = AtomicBool::new(false);
/// Publishing that is under way, of which there is one at most.
static PUBLISHING: AtomicUsize = AtomicUsize::new(0);

/// While this is alive a signal waits a moment for publishing to clean up.
pub struct Publishing;

impl Publishing {
    /// Publishing begins.
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

/// Once a signal has come, whatever fails fails because of it and is not worth a message: this waits for the end, which
/// comes within a moment.
pub fn hush() {
    while STOPPING.load(Ordering::SeqCst) {
        std::thread::sleep(std::time::Duration::from_millis(GRACE));
    }
}

/// From here on SIGINT and SIGTERM end the process within a tenth of a second, whatever it is doing, with the exit
/// codes 130 and 143 that a shell expects. Programs it has started are ended with it. What is given back becomes true
/// when publishing must give up.
pub fn heed() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return stop };
        let asked = stop.clone();
        // The thread sleeps until a signal comes, and ends with the process.
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                STOPPING.store(true, Ordering::SeqCst);
                asked.store(true, Ordering::SeqCst);
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
