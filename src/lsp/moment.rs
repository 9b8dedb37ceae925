//! A project at one moment: what requests are answered from.

use super::client::Client;
use super::lines::Lines;
use super::uri;
use crate::artifacts::Artifacts;
use crate::content::Site;
use crate::content::languages::Languages;
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
    /// The content as it was last resolved. If it never was, that of the files without errors.
    pub site: Option<Arc<Site>>,
    /// Whether the site is that of these files.
    pub is_complete: bool,
    /// Whether the site is that of the files without errors.
    pub is_part: bool,
    /// The last valid site.
    pub artifacts: Option<Arc<Artifacts>>,
}

/// A project at one moment.
pub struct Moment {
    /// Its folder.
    pub root: PathBuf,
    /// The files, with the texts of the editor.
    pub sources: Sources,
    /// The languages of the site.
    pub languages: Languages,
    /// The last check.
    pub checked: Arc<Check>,
    /// Whether the last check is of these files.
    pub is_checked: bool,
    /// What the editor can do.
    pub client: Client,
    /// The documentation that codes are links to.
    pub manual: Option<Manual>,
}

impl Moment {
    /// Returns what answers are computed from.
    pub fn analysis(&self) -> Analysis<'_> {
        let Check { site, is_complete, .. } = &*self.checked;
        Analysis { sources: &self.sources, site: site.as_deref(), is_complete: *is_complete }
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
