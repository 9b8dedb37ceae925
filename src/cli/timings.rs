//! `--timings`: reports where the time of a build went; and shows the progress of a long build on a terminal.

use crate::observe::Observer;
use clap::ValueEnum;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// How many of the slowest pages are listed.
const SLOWEST: usize = 10;
/// A shorter build shows no progress: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(400);
const REFRESH: Duration = Duration::from_millis(100);

/// What `--timings` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A table of the stages and the slowest pages
    Table,
    /// The same table, and .sitegen/trace.json for chrome://tracing and ui.perfetto.dev
    Trace,
}

/// An observer that measures a build.
pub struct Clock {
    start: Instant,
    is_timed: bool,
    work: Mutex<Vec<Worked>>,
    expected: AtomicUsize,
    done: AtomicUsize,
}

#[derive(Clone)]
struct Worked {
    stage: &'static str,
    page: Option<String>,
    thread: ThreadId,
    begin: Duration,
    end: Duration,
}

impl Clock {
    /// Starts the clock. Without `is_timed` it only counts pages.
    pub fn start(is_timed: bool) -> Arc<Self> {
        let (work, expected, done) = Default::default();
        Arc::new(Clock { start: Instant::now(), is_timed, work, expected, done })
    }

    /// Shows progress on a terminal until the returned value is dropped. Shows nothing in a pipe.
    pub fn show_progress(self: &Arc<Self>) -> Option<Progress> {
        if !std::io::stderr().is_terminal() {
            return None;
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let (clock, over) = (self.clone(), is_over.clone());
        let thread = std::thread::spawn(move || {
            let mut is_shown = false;
            while !over.load(Ordering::Acquire) {
                std::thread::park_timeout(REFRESH);
                let (done, all) = (clock.done.load(Ordering::Relaxed), clock.expected.load(Ordering::Relaxed));
                let elapsed = clock.start.elapsed();
                if over.load(Ordering::Acquire) || elapsed < PATIENCE || all == 0 {
                    continue;
                }
                is_shown = true;
                let rate = done as f64 / elapsed.as_secs_f64();
                let _ = write!(std::io::stderr(), "\r\x1b[2K{done} of {all} pages, {rate:.0} a second");
            }
            if is_shown {
                let _ = write!(std::io::stderr(), "\r\x1b[2K");
            }
        });
        Some(Progress { is_over, thread: Some(thread) })
    }

    /// Formats the stages in the order in which they began, and the slowest pages.
    pub fn table(&self) -> String {
        let work = self.work();
        let mut stages: Vec<(&str, Duration, Duration, usize)> = Vec::new();
        for each in &work {
            let took = each.end.saturating_sub(each.begin);
            match stages.iter_mut().find(|(stage, ..)| *stage == each.stage) {
                Some((_, sum, _, count)) => (*sum, *count) = (*sum + took, *count + 1),
                None => stages.push((each.stage, took, each.begin, 1)),
            }
        }
        stages.sort_by_key(|(_, _, begin, _)| *begin);
        let mut text = String::from("   time in ms  times  stage\n");
        for (stage, sum, _, count) in stages {
            text.push_str(&format!("{:>13.1}  {count:>5}  {stage}\n", milliseconds(sum)));
        }
        text.push_str(
            "stages run in parallel and inside each other, so their times add up to more than the build took\n",
        );
        let mut pages: BTreeMap<&str, Duration> = BTreeMap::new();
        for each in &work {
            if let Some(page) = &each.page {
                *pages.entry(page).or_default() += each.end.saturating_sub(each.begin);
            }
        }
        let mut pages: Vec<_> = pages.into_iter().collect();
        pages.sort_unstable_by_key(|(page, time)| (std::cmp::Reverse(*time), *page));
        if !pages.is_empty() {
            text.push_str("slowest pages:\n");
        }
        for (page, time) in pages.iter().take(SLOWEST) {
            text.push_str(&format!("{:>13.1}  {page}\n", milliseconds(*time)));
        }
        text
    }

    /// Formats the work as complete events of Chrome's trace format ("Trace Event Format", phase `X`; times in
    /// microseconds).
    pub fn trace(&self) -> String {
        let work = self.work();
        let mut threads: Vec<ThreadId> = Vec::new();
        let mut events = Vec::with_capacity(work.len());
        for each in &work {
            let thread = threads.iter().position(|thread| *thread == each.thread).unwrap_or_else(|| {
                threads.push(each.thread);
                threads.len() - 1
            });
            events.push(serde_json::json!({
                "name": each.page.as_deref().unwrap_or(each.stage), "cat": each.stage, "ph": "X", "pid": 1, "tid": thread + 1,
                "ts": each.begin.as_secs_f64() * 1e6, "dur": each.end.saturating_sub(each.begin).as_secs_f64() * 1e6,
            }));
        }
        serde_json::json!({ "traceEvents": events, "displayTimeUnit": "ms" }).to_string()
    }

    fn work(&self) -> Vec<Worked> {
        self.work.lock().clone()
    }
}

impl Observer for Clock {
    fn begin(&self, stage: &'static str, page: Option<&str>) -> usize {
        if !self.is_timed {
            return 0;
        }
        let begin = self.start.elapsed();
        let (page, thread) = (page.map(str::to_owned), std::thread::current().id());
        let mut work = self.work.lock();
        work.push(Worked { stage, page, thread, begin, end: begin });
        work.len() - 1
    }

    fn end(&self, number: usize) {
        if !self.is_timed {
            return;
        }
        let end = self.start.elapsed();
        let mut work = self.work.lock();
        if let Some(work) = work.get_mut(number) {
            work.end = end;
        }
    }

    fn expect_pages(&self, count: usize) {
        self.expected.store(count, Ordering::Relaxed);
    }

    fn page_is_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// A line on the terminal that is erased when this is dropped.
pub struct Progress {
    is_over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Work;

    #[test]
    fn stages_and_slowest_pages_are_reported_and_traced() {
        let clock = Clock::start(true);
        {
            let _stage = Work::on(&*clock, "render");
            for page in ["content/pages/slow.md", "content/pages/quick.md"] {
                let _page = Work::on_page(&*clock, "render a page", page);
                if page.contains("slow") {
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        }
        let table = clock.table();
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1].ends_with("      1  render") && lines[2].ends_with("      2  render a page"), "{table}");
        assert!(lines[5].ends_with("slow.md") && lines[6].ends_with("quick.md"), "{table}");
        let trace: serde_json::Value = serde_json::from_str(&clock.trace()).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        assert_eq!(events.len(), 3);
        assert!(events.iter().all(|event| event["ph"] == "X" && event["dur"].as_f64().is_some()));
        assert_eq!((&events[1]["name"], &events[1]["cat"]), (&"content/pages/slow.md".into(), &"render a page".into()));
    }
}
