//! The text that a picture or a file may lie beside, for the functions that are called while it is rendered.
//!
//! Tera shows a function only the values of the template that calls it, and a component has none of its page. A page is
//! rendered in one thread, as is a component in a text, so its text is kept for the thread.

use sitegen_content::assets::{Assets, Near};
use sitegen_content::{Page, Site};
use sitegen_core::paths::SourcePath;
use std::cell::RefCell;
use tera::{Context, Tera, TeraResult};

thread_local! {
    static TEXTS: RefCell<Vec<SourcePath>> = const { RefCell::new(Vec::new()) };
}

/// Renders a page. Files beside the entry that it is about come before those beside the page.
pub fn render(engine: &Tera, site: &Site, page: &Page, context: &Context) -> TeraResult<String> {
    let entry = page.made.as_ref().and_then(|made| {
        let collection = site.view(page).collection(&made.collection)?;
        Some(collection.nth(made.number?)?.source.clone())
    });
    let texts = entry.into_iter().chain([page.source.clone()]);
    within(&site.assets, texts, || engine.render(&page.template, context))
}

/// Calls a function that renders a part of some texts.
pub fn within<T>(assets: &Assets, texts: impl IntoIterator<Item = SourcePath>, render: impl FnOnce() -> T) -> T {
    if !assets.has_beside() {
        return render();
    }
    let _outer = Outer(TEXTS.replace(texts.into_iter().collect()));
    render()
}

/// The texts of what is rendered around, which come back with the end of this value.
struct Outer(Vec<SourcePath>);

impl Drop for Outer {
    fn drop(&mut self) {
        TEXTS.set(std::mem::take(&mut self.0));
    }
}

/// Returns the assets as what is rendered in this thread sees them.
pub fn near(assets: &Assets) -> Near<'_> {
    Near { assets, texts: TEXTS.with_borrow(Clone::clone) }
}
