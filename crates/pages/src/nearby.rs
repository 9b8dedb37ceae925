//! The text that a picture or a file may lie beside, for the functions that are called while it is rendered.
//!
//! Tera shows a function only the values of the template that calls it, and a component has none of its page. A page is
//! rendered in one thread, as is a component in a text, so its text is kept for the thread.

use super::bounds;
use sitegen_content::assets::{Assets, Near};
use sitegen_content::{Page, Site};
use sitegen_core::paths::SourcePath;
use std::cell::RefCell;
use std::io;
use tera::{Context, ErrorKind, Tera, TeraResult};

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
    within(&site.assets, texts, || rendered(engine, &page.template, context))
}

/// The most bytes of a page. No browser shows a page of this size, and templates that include each other may write without an end.
const LONGEST_PAGE: usize = 64 << 20;

fn rendered(engine: &Tera, template: &str, context: &Context) -> TeraResult<String> {
    let mut page = Limited { bytes: Vec::new(), limit: LONGEST_PAGE };
    bounds::begin();
    engine.render_to(template, context, &mut page).map_err(|error| match error.kind() {
        ErrorKind::Io(io::ErrorKind::FileTooLarge) => {
            tera::Error::message(format!("the page would have more than {} MB", LONGEST_PAGE >> 20))
        }
        _ => error,
    })?;
    String::from_utf8(page.bytes).map_err(tera::Error::from)
}

/// Bytes up to a limit.
struct Limited {
    bytes: Vec<u8>,
    limit: usize,
}

impl io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_page_ends_at_its_limit() {
        let mut page = Limited { bytes: Vec::new(), limit: 4 };
        page.write_all(b"abcd").unwrap();
        assert_eq!(page.write_all(b"e").unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(page.bytes, b"abcd");
    }
}
