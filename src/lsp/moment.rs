//! A project at one moment: what requests are answered from.

use super::client::Client;
use super::lines::Lines;
use super::uri;
use crate::artifacts::Artifacts;
use crate::content::Site;
use crate::diagnostics::{Diagnostic, Manual};
use crate::ide::Analysis;
use crate::paths::SourcePath;
use crate::sources::Sources;
use std::path::PathBuf;
use std::sync::Arc;

/// The last check of a project.
#[derive(Clone, Default)]
pub struct Check {
    /// The number of the change after which it was made.
    pub generation: u64,
    /// The files that were checked.
    pub sources: Sources,
    /// Everything that is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The content as it was last resolved.
    pub site: Option<Arc<Site>>,
    /// The last valid site.
    pub artifacts: Option<Arc<Artifacts>>,
}

/// A project at one moment.
pub struct Moment {
    /// Its folder.
    pub root: PathBuf,
    /// The files, with the texts of the editor.
    pub sources: Sources,
    /// The last check.
    pub checked: Arc<Check>,
    /// What the editor can do.
    pub client: Client,
    /// The documentation that codes are links to.
    pub manual: Option<Manual>,
}

impl Moment {
    /// Returns what answers are computed from.
    pub fn analysis(&self) -> Analysis<'_> {
        Analysis { sources: &self.sources, site: self.checked.site.as_deref() }
    }

    /// Returns the lines of a file.
    pub fn lines(&self, path: &SourcePath) -> Lines<'_> {
        Lines::of(self.sources.text(path).unwrap_or_default(), self.client.encoding)
    }

    /// Returns the address of a file.
    pub fn uri(&self, path: &SourcePath) -> String {
        uri::of_path(&self.root.join(path.as_str()))
    }
}
