//! `sitegen preview`: serve a published folder as a host does.
//!
//! The folder is looked at again only when its manifest is another one: publishing replaces the whole folder in one step.

use super::{FAILED, serve::Listen};
use crate::artifacts::Artifacts;
use crate::content::settings::split_base_url;
use crate::publish::MANIFEST;
use crate::serve::{News, Server, Site};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use walkdir::WalkDir;

#[derive(Args)]
pub struct Arguments {
    /// The published folder
    #[arg(default_value = "dist")]
    folder: PathBuf,
    /// The address the site was built for, if it has a path, like https://host.example/docs
    #[arg(long, value_name = "URL", value_parser = base_path)]
    base_url: Option<String>,
    #[command(flatten)]
    listen: Listen,
}

/// The path of a site's address.
fn base_path(text: &str) -> Result<String, String> {
    split_base_url(text).map(|(_, path)| path).ok_or_else(|| "write it like https://www.example.com/docs".to_owned())
}

/// Serves until it is interrupted, and gives the exit code if it cannot begin.
pub fn run(arguments: &Arguments) -> u8 {
    let folder = &arguments.folder;
    let base_path = arguments.base_url.clone().unwrap_or_default();
    let site = match published(folder, &base_path) {
        Ok(site) if site.artifacts.as_ref().is_some_and(|artifacts| !artifacts.is_empty()) => site,
        Ok(_) => {
            complain!("failed: there is nothing in {}", folder.display());
            complain!("  = help: run `sitegen build` first, or name the folder that was published");
            return FAILED;
        }
        Err(error) => {
            complain!("failed: cannot read {}: {error}", folder.display());
            complain!("  = help: run `sitegen build` first, or name the folder that was published");
            return FAILED;
        }
    };
    let listener = match arguments.listen.bind() {
        Ok(listener) => listener,
        Err(code) => return code,
    };
    let seen = std::sync::Mutex::new(stamp(folder));
    let (root, base) = (folder.clone(), base_path.clone());
    let renew = move || {
        let now = stamp(&root);
        let mut seen = seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if *seen == now {
            return None;
        }
        // A folder that is just being replaced by other means stays as it was.
        let site = published(&root, &base).ok().filter(|_| now.is_some())?;
        *seen = now;
        Some(site)
    };
    match Server::start_with(listener, site, &News::default(), Some(Box::new(renew))) {
        Ok(server) => {
            arguments.listen.tell(server.address(), &base_path);
            arguments.listen.open(server.address(), &base_path);
            loop {
                std::thread::park();
            }
        }
        Err(error) => {
            complain!("failed: {error}");
            FAILED
        }
    }
}

/// What changes whenever a folder is published: the manifest's time and, since it is replaced, its number.
fn stamp(folder: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(folder.join(MANIFEST)).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = metadata.len();
    Some((metadata.modified().ok()?, number))
}

/// Every file of a folder.
fn published(folder: &Path, base_path: &str) -> std::io::Result<Site> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let name: Vec<String> = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            files.push((name.join("/"), std::fs::read(entry.path())?));
        }
    }
    let files = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let mut artifacts = Artifacts::from_files(files);
    artifacts.base_path = base_path.to_owned();
    Ok(Site { artifacts: Some(Arc::new(artifacts)), reloads: false })
}
