//! `sitegen verify`: compares a published folder with its manifest.json, on a server or before an upload.

use super::{BUILT, project};
use crate::deploy::deployed::DeployedFolder;
use crate::diagnostics::{Diagnostic, Place, ToolProblem};
use crate::paths::SourcePath;
use crate::publish::{Difference, MANIFEST, Manifest, differences, manifests};
use crate::sources::Sources;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The published folder
    #[arg(value_name = "FOLDER", default_value = "dist")]
    folder: PathBuf,
    #[command(flatten)]
    reporting: project::Reporting,
}

impl Arguments {
    /// Whether standard error has JSON lines and nothing else.
    pub fn is_json(&self) -> bool {
        self.reporting.is_json()
    }
}

/// Reads every file of the folder, and returns the exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let Arguments { folder, reporting } = arguments;
    // Not every deploy puts a manifest among the files for visitors.
    let paths: Vec<PathBuf> = [folder.join(MANIFEST)].into_iter().chain(DeployedFolder::manifest(folder)).collect();
    let manifest = match compared(folder, &paths, reporting) {
        Ok(manifest) => manifest,
        Err(code) => return code,
    };
    if reporting.is_talkative() {
        print_line!("verified {}: {} files, all as published", folder.display(), manifest.files.len());
        if manifest.suppressed > 0 {
            print_line!("it was published with {} known errors", manifest.suppressed);
        }
    }
    BUILT
}

/// Reads every file of an output folder of a project, or reports what differs and returns the exit code.
pub fn check(folder: &Path, root: &Path, reporting: &project::Reporting) -> Result<(), u8> {
    compared(folder, &manifests(folder, Some(root)), reporting).map(drop)
}

/// Compares a folder with the first of these manifests that there is.
fn compared(folder: &Path, paths: &[PathBuf], reporting: &project::Reporting) -> Result<Manifest, u8> {
    let failed = |detail: String| {
        let path = folder.display().to_string();
        let failure = Diagnostic::failure(ToolProblem::Io { action: "verify", path, detail });
        reporting.report(vec![failure], &Sources::default(), "")
    };
    if !folder.exists() {
        return Err(failed("there is no such folder; run `sitegen build` first".to_owned()));
    }
    let Some(manifest) = paths.iter().find_map(|path| Manifest::read(path)) else {
        return Err(failed(format!("it has no {MANIFEST} written by sitegen")));
    };
    let mut differing = differences(folder, &manifest).map_err(|error| failed(error.to_string()))?;
    let is_extra = |difference: &Difference| *difference == Difference::Extra;
    // Where a site was deployed to, more is right than its manifest lists.
    if differing.iter().any(|(_, difference)| is_extra(difference))
        && let Some(deployed) = DeployedFolder::read(folder)
    {
        differing.retain(|(path, difference)| !is_extra(difference) || !deployed.keeps(path));
    }
    if differing.is_empty() {
        return Ok(manifest);
    }
    let reported = differing.into_iter().map(|(path, difference)| {
        let how = match difference {
            Difference::Missing => "this file is missing",
            Difference::Changed => "this file has changed since it was published",
            Difference::Extra => "this file was not published",
        };
        Diagnostic::new(ToolProblem::OutputDiffers { how }, Place::file(&SourcePath::new(path)))
    });
    let end = format!("; {} differs from what was published", folder.display());
    Err(reporting.report(reported.collect(), &Sources::default(), &end))
}
