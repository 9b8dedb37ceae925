//! Texts of large sites that are in a file while no stage works on them.

use super::{Body, Source, SourceKind};
use crate::paths::SourcePath;
use crate::shelf::{FilePart, Shelf};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// How the panic begins that says that the disk did not give back what was written to it.
pub const UNREAD: &str = "cannot read a text back that was written to a temporary file";

/// A text in a file.
#[derive(Debug)]
pub struct AwayText {
    part: FilePart,
    /// The text, once somebody has asked for it who keeps it.
    kept: OnceLock<Arc<str>>,
}

impl AwayText {
    /// Returns the text, which then stays in memory: for the few that are read on their own, such as those with a mistake.
    pub fn kept(&self) -> &Arc<str> {
        self.kept.get_or_init(|| self.text())
    }

    /// Returns the text for as long as the caller needs it.
    ///
    /// # Panics
    ///
    /// If the disk fails. A text that is missing would be one without mistakes, and the cache would store that.
    pub fn text(&self) -> Arc<str> {
        if let Some(kept) = self.kept.get() {
            return kept.clone();
        }
        let read = self.part.read().map_err(|error| error.to_string());
        let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        text.map(Arc::from).unwrap_or_else(|error| panic!("{UNREAD}: {error}"))
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        self.part.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Source {
    /// Puts the text of a page or an entry on a shelf. Others are few, or many entries in one.
    pub(super) fn put_away(self, path: &SourcePath, shelf: &Shelf) -> Self {
        let is_one_of_many =
            matches!(SourceKind::of(path), SourceKind::Page | SourceKind::Entry) && !SourceKind::is_list(path);
        let Body::Text(text) = &self.body else { return self };
        if !is_one_of_many || shelf.has_room(text.len()) {
            return self;
        }
        // Where nothing can be written, it stays in memory.
        let Some(part) = shelf.write(text.as_bytes()) else { return self };
        let body = Body::Away(Arc::new(AwayText { part, kept: OnceLock::new() }));
        Source { body, ..self }
    }

    /// Returns the same file with its texts in memory, for as long as the caller needs them. Whoever goes through all pages begins
    /// with this: a text that [`Source::text`] reads stays in memory.
    pub fn here(&self) -> Cow<'_, Self> {
        let is_away = |source: &Source| matches!(source.body, Body::Away(_));
        if !is_away(self) && !self.original.as_deref().is_some_and(is_away) {
            return Cow::Borrowed(self);
        }
        let body = match &self.body {
            Body::Away(away) => Body::Text(away.text()),
            body => body.clone(),
        };
        let original = self.original.as_ref().map(|original| match original.here() {
            Cow::Borrowed(_) => original.clone(),
            Cow::Owned(read) => Arc::new(read),
        });
        Cow::Owned(Source { body, original, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{digest, read_onto};
    use std::fs;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn full_shelf() -> Shelf {
        let shelf = Shelf::in_folder(std::env::temp_dir());
        while shelf.has_room(1 << 10) {}
        shelf
    }

    #[test]
    fn a_text_is_what_was_read_whatever_becomes_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("content/site.yaml", "name: Bakery\n", false),
            ("content/pages/index.md", "---\ntitle: Brot\n---\n\nJeden Morgen frisch, für alle.\n", true),
            ("content/loaves/rye.yaml", "name: Rye\n", true),
            ("content/prices.csv", "name,price\nRye,3\n", false),
            ("templates/pages/page.html", "{{ page.title }}\n", false),
        ];
        for (path, text, _) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::write(folder.path().join("content/pages/latin.md"), b"---\ntitle: f\xfcr\n---\n").unwrap();
        let sources = read_onto(&full_shelf(), folder.path()).value.unwrap();
        fs::remove_dir_all(folder.path().join("content")).unwrap();
        for (path, text, is_away) in files {
            let source = sources.get(&SourcePath::new(path)).unwrap();
            assert_eq!(matches!(source.body, Body::Away(_)), is_away, "{path}");
            assert_eq!((source.digest, source.body.len()), (digest(text.as_bytes()), text.len() as u64));
            let here = source.here();
            assert!(matches!(&here.body, Body::Text(own) if **own == *text) && here.digest == source.digest);
            if let Body::Away(away) = &source.body {
                assert!(away.kept.get().is_none(), "it stays in memory");
            }
            assert_eq!(source.body.read().unwrap(), text.as_bytes());
            assert_eq!(*source.body.shared().unwrap(), *text.as_bytes());
            assert_eq!((source.text(), source.body.bytes()), (Some(text), Some(text.as_bytes())));
        }
        let latin = sources.get(&SourcePath::new("content/pages/latin.md")).unwrap();
        assert!(latin.text().is_none() && latin.here().text().is_none());
    }

    #[test]
    fn a_translation_comes_back_with_its_original() {
        let path = SourcePath::new("content/pages/index.md");
        let away = |text: &str| Source::of(text.as_bytes()).put_away(&path, &full_shelf());
        let original = Arc::new(away("---\ntitle: Bread\n---\n"));
        let own = Source::of("---\ntitle: Brot\n---\n".as_bytes());
        for own in [away(own.text().unwrap()), own] {
            let both = own.translating(&original, &original.digest).unwrap();
            let here = both.here();
            let joined = here.joined().unwrap();
            assert_eq!((joined.own, joined.original), ("---\ntitle: Brot\n---\n", Some("---\ntitle: Bread\n---\n")));
            assert_eq!(here.digest, both.digest);
        }
        let Body::Away(text) = &original.body else { panic!("it is in memory") };
        assert!(text.kept.get().is_none(), "it stays in memory");
    }

    #[test]
    fn a_text_that_the_disk_has_lost_is_none_without_mistakes() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(5).unwrap();
        let part = FilePart::whole(file.try_clone().unwrap()).unwrap();
        let away = AwayText { part, kept: OnceLock::new() };
        assert_eq!(&*away.text(), "\0\0\0\0\0");
        file.set_len(3).unwrap();
        let panic = catch_unwind(AssertUnwindSafe(|| away.text())).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().starts_with(UNREAD));
    }
}
