//! Servers of one's own, which include a file that a build writes: it is in [`FOLDER_OF_HOST`](super::FOLDER_OF_HOST) of the output folder.

use super::spec::{HostSpec, PublishedFiles, Served, Target};
use super::{CompiledRules, MANIFEST, Rules, is_in_private_folder};

/// A server.
pub struct Server {
    /// Writes its file.
    pub compile: fn(&Rules) -> CompiledRules,
    /// See [`HostSpec::special`].
    pub special: &'static str,
}

impl HostSpec for Server {
    fn compile(&self, rules: &Rules, _site: &PublishedFiles) -> CompiledRules {
        (self.compile)(rules)
    }

    /// Its rules keep it from serving these.
    fn is_private(&self, path: &str) -> bool {
        path == MANIFEST || is_in_private_folder(path)
    }

    fn answers_gone(&self) -> bool {
        true
    }

    fn special(&self) -> &'static str {
        self.special
    }

    fn special_in_section(&self) -> &'static str {
        self.special
    }

    /// As the `try_files` in its file say.
    fn find(&self, files: &Served) -> Target {
        let (name, html, index) = (files.name(), files.html(), files.index());
        match files.is_folder() {
            // `/404` is the 404 page, and has its status.
            _ if matches!(name, "404" | "404.html") => Target::Nothing,
            true if files.has(&index) => Target::File(index),
            true => Target::Nothing,
            false if files.has(&html) => Target::File(html),
            false if files.has(name) => Target::file(name),
            false if files.has(&index) => Target::File(index),
            false => Target::Nothing,
        }
    }
}
