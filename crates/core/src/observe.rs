//! Reports progress of a build: which stage begins and ends, and how many pages are done.
//!
//! Stages have no clock. Whoever runs a build may have one, and observes it through this trait.

/// Observes a build. Calls come from several threads at once.
pub trait Observer: Sync {
    /// A stage begins, for one page or for the whole site. Returns what [`Observer::end`] is called with.
    fn begin(&self, _stage: &'static str, _page: Option<&str>) -> usize {
        0
    }

    /// The work with this number has ended, on the thread that began it.
    fn end(&self, _work: usize) {}

    /// Sets how many pages the build will finish.
    fn expect_pages(&self, _count: usize) {}

    /// A page is finished.
    fn page_is_done(&self) {}
}

/// An observer that ignores everything.
pub struct NoopObserver;

impl Observer for NoopObserver {}

/// A span of work that ends when this is dropped.
pub struct Work<'a> {
    observer: &'a dyn Observer,
    number: usize,
}

impl<'a> Work<'a> {
    /// Begins a stage.
    pub fn on(observer: &'a dyn Observer, stage: &'static str) -> Self {
        Work { observer, number: observer.begin(stage, None) }
    }

    /// Begins the part of a stage that is about one page. `page` is its file, or its route.
    pub fn on_page(observer: &'a dyn Observer, stage: &'static str, page: &str) -> Self {
        Work { observer, number: observer.begin(stage, Some(page)) }
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.observer.end(self.number);
    }
}
