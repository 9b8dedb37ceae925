//! The site snapshot: a complete site as an earlier process built it, used again when nothing has changed.
//!
//! `sitegen::build` is a function of its sources, its options and the bundles, which depend on packages too.
//! Where all three are those of an earlier build, so is the site, and no page has to be looked at: ten thousand take
//! 0.2 s of processor time, and 0.8 s where a public file is another and each page comes from the cache. The bytes are
//! in the output folder alone, where publishing compares them.
//!
//! 1. Sources and options are the key.
//! 2. Styles and islands are compiled or read from the cache, as for any build, and compared.
//! 3. The site is returned with all its warnings.

use crate::{Artifacts, Content, SiteSummary};
use serde::{Deserialize, Serialize};
use sitegen_core::cache::{Persistent, digest_of};
use sitegen_core::diagnostics::{Checked, Diagnostic, SavedWarning};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::OutputPath;
use sitegen_core::profile::Profile;
use sitegen_core::sources::{Digest, Fingerprint, Sources, fingerprint};
use sitegen_core::tools::Tools;
use sitegen_islands as islands;
use sitegen_pages::bundles_digest;
use sitegen_styles as styles;
use std::sync::Arc;

/// A site without its bytes.
#[derive(Debug, Serialize, Deserialize)]
struct Snapshot {
    /// Every file, with the digest, the fingerprint and the number of its bytes.
    files: Vec<(OutputPath, Digest, Fingerprint, u64)>,
    site: SiteSummary,
    warnings: Vec<SavedWarning>,
}

impl Persistent for Snapshot {}

/// Returns what `sitegen::build` would give, if an earlier process has saved it. The files come without bytes.
pub fn load(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Option<Checked<Artifacts>> {
    let _work = Work::on(tools.observer(), "load the snapshot");
    // 1. sources and options
    let snapshot = tools.cache().get_saved::<Snapshot>(&key(sources, profile))?;
    // 2. bundles
    let (styles, islands) =
        parallel::join(|| styles::compile(sources, tools), || islands::compile(sources, profile, tools));
    let islands = islands.value?;
    if bundles_digest(&styles.value?, &islands) != snapshot.site.bundles {
        return None;
    }
    // 3. the site
    let warnings = snapshot.warnings.iter().map(SavedWarning::warning).collect::<Option<Vec<_>>>()?;
    Some(Checked::new(Artifacts { costs: islands.costs, ..snapshot.artifacts() }, warnings))
}

/// Saves a built site with its warnings for later processes. This process does not read it.
pub fn store(artifacts: &Artifacts, reported: &[Diagnostic], sources: &Sources, profile: &Profile, tools: &dyn Tools) {
    if let Some(warnings) = reported.iter().map(SavedWarning::of).collect() {
        tools.cache().store_saved(key(sources, profile), Arc::new(Snapshot::new(artifacts, warnings)));
    }
}

fn key(sources: &Sources, profile: &Profile) -> Digest {
    digest_of(&("snapshot", profile, sources))
}

impl Snapshot {
    fn new(artifacts: &Artifacts, warnings: Vec<SavedWarning>) -> Self {
        let files = artifacts.contents().map(|(path, content)| {
            let fingerprint = match &content {
                Content::Bytes { bytes, .. } => fingerprint(bytes),
                // A file that was not read has none; publishing computes it.
                Content::Large(file) => file.fingerprint.unwrap_or_default(),
                Content::Away { fingerprint, .. } | Content::Kept { fingerprint, .. } => *fingerprint,
                // A server saves no snapshot.
                Content::Deferred(_) | Content::Index(_) => Fingerprint::default(),
            };
            (path.clone(), content.digest(), fingerprint, content.len())
        });
        Snapshot { files: files.collect(), site: artifacts.site.clone(), warnings }
    }

    fn artifacts(&self) -> Artifacts {
        let kept = |(path, digest, fingerprint, len): &(OutputPath, Digest, Fingerprint, u64)| {
            (path.clone(), Content::Kept { digest: *digest, fingerprint: *fingerprint, len: *len })
        };
        Artifacts { site: self.site.clone(), ..Artifacts::new(self.files.iter().map(kept)) }
    }
}
