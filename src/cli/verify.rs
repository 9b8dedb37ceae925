//! `sitegen verify`: compares a published folder with its manifest.json, on a server or before an upload.

use super::{BUILT, project};
use crate::diagnostics::{Diagnostic, Place, ToolProblem};
use crate::paths::SourcePath;
use crate::publish::{Difference, MANIFEST, Manifest, differences};
use crate::sources::Sources;
use clap::Args;
use std::path::PathBuf;

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
    let failed = |detail: String| {
        let path = folder.display().to_string();
        let failure = Diagnostic::failure(ToolProblem::Io { action: "verify", path, detail });
        reporting.report(vec![failure], &Sources::default(), "")
    };
    if !folder.exists() {
        return failed("there is no such folder; run `sitegen build` first".to_owned());
    }
    let Some(manifest) = Manifest::in_folder(folder) else {
        return failed(format!("it has no {MANIFEST} written by sitegen"));
    };
    let differing = match differences(folder, &manifest) {
        Ok(differing) => differing,
        Err(error) => return failed(error.to_string()),
    };
    if differing.is_empty() {
        if reporting.is_talkative() {
            print_line!("verified {}: {} files, all as published", folder.display(), manifest.files.len());
            if manifest.suppressed > 0 {
                print_line!("it was published with {} known errors", manifest.suppressed);
            }
        }
        return BUILT;
    }
    let reported = differing.into_iter().map(|(path, difference)| {
        let how = match difference {
            Difference::Missing => "this file is missing",
            Difference::Changed => "this file has changed since it was published",
            Difference::Extra => "this file was not published",
        };
        Diagnostic::new(ToolProblem::OutputDiffers { how }, Place::file(&SourcePath::new(path)))
    });
    reporting.report(
        reported.collect(),
        &Sources::default(),
        &format!("; {} differs from what was published", folder.display()),
    )
}
