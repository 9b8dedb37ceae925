//! What a build tells while it works: which stage begins and ends, and how many pages are done.
//!
//! Stages have no clock. Whoever runs a build may have one, and hears from here.

/// Somebody who listens to a build. All calls come from several threads at once.
pub trait Observer: Sync {
    /// Some work begins: a stage, and the page it is about, if it is about one. Gives what [`Observer::end`] is called with.
    fn begin(&self, _stage: &'static str, _page: Option<&str>) -> usize {
        0
    }

    /// That work has ended, on the thread that began it.
    fn end(&self, _work: usize) {}

    /// So many pages are to be finished.
    fn expect_pages(&self, _count: usize) {}

    /// A page is finished.
    fn page_is_done(&self) {}
}

/// Listens to nothing.
pub struct Nobody;

impl Observer for Nobody {}

/// Work that lasts until this is dropped.
pub struct Work<'a> {
    observer: &'a dyn Observer,
    number: usize,
}

impl<'a> Work<'a> {
    /// A stage begins.
    pub fn on(observer: &'a dyn Observer, stage: &'static str) -> Self {
        Work { observer, number: observer.begin(stage, None) }
    }

    /// The part of a stage that is about one page begins. `page` is its file, or its route.
    pub fn on_page(observer: &'a dyn Observer, stage: &'static str, page: &str) -> Self {
        Work { observer, number: observer.begin(stage, Some(page)) }
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.observer.end(self.number);
    }
}
