//! `sitegen preview`: serve a published folder as a host does.
//!
//! Headers and redirects are those of `content/site.yaml`, since each host reads them from files in its own format.
//! Without a project beside the folder there are none. The folder is read again only when its manifest changes:
//! publishing replaces the whole folder in one step.
//!
//! Only files in the manifest are served: a folder that was never published, such as that of a project with its `.git`,
//! stays private.

use super::{FAILED, project, serve::Listen};
use crate::artifacts::{Artifacts, Content};
use crate::content::languages::Languages;
use crate::content::settings::Settings;
use crate::content::{self, SITE_FILE};
use crate::paths::{OutputPath, SourcePath};
use crate::profile::{Host, Profile};
use crate::publish::{MANIFEST, Manifest, manifests};
use crate::serve::{Server, Site, Update};
use crate::sources::large::LARGE;
use crate::sources::{self, Digest, LargeFile};
use crate::tools::{DiskTools, Tools};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use walkdir::WalkDir;

#[derive(Args)]
pub struct Arguments {
    /// The published folder [default: dist/ in the project folder]
    folder: Option<PathBuf>,
    /// The project folder; its content/site.yaml contains the settings for the hosting service
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// The hosting service to imitate; overrides `settings.host` in content/site.yaml
    // Until 0.1 it was `--as`.
    #[arg(long, alias = "as", value_name = "HOST", value_parser = project::host())]
    target: Option<Host>,
    /// The URL the site was built for; overrides `url` in content/site.yaml
    #[arg(long, value_name = "URL", value_parser = project::base_url)]
    base_url: Option<String>,
    #[command(flatten)]
    listen: Listen,
}

/// The project whose settings the host has.
struct Project {
    root: PathBuf,
    target: Option<Host>,
    base_url: Option<String>,
}

/// Serves until it is interrupted, and returns the exit code if it cannot start.
pub fn run(arguments: &Arguments) -> u8 {
    let Arguments { root, target, base_url, .. } = arguments;
    let folder = arguments.folder.clone().unwrap_or_else(|| root.join("dist"));
    let project = Project { root: root.clone(), target: *target, base_url: base_url.clone() };
    let settings = project.settings();
    if settings.is_none() && (arguments.target.is_some() || arguments.base_url.is_some()) {
        print_error!("failed: {} has no valid {SITE_FILE} with the settings of the host", arguments.root.display());
        print_error!("  = help: `sitegen check` reports what is wrong; `--root` names another project");
        return FAILED;
    }
    let read = published(&folder, root, settings.as_ref()).and_then(|site| match &site.artifacts {
        Some(artifacts) if !artifacts.is_empty() => Ok(site),
        _ => Err(std::io::Error::other("it is empty")),
    });
    let site = match read {
        Ok(site) => site,
        Err(error) => {
            print_error!("failed: cannot serve {}: {error}", folder.display());
            print_error!("  = help: run `sitegen build` first, or name the published folder");
            return FAILED;
        }
    };
    let base_path = settings.as_ref().map(|settings| settings.base_path.clone()).unwrap_or_default();
    let folders: Vec<String> = site.of_languages.iter().map(|artifacts| artifacts.site.rules.root.clone()).collect();
    let listener = match arguments.listen.bind() {
        Ok(listener) => listener,
        Err(code) => return code,
    };
    let seen = parking_lot::Mutex::new((stamp(&folder, root), settings));
    let renew = move || {
        let now = stamp(&folder, &project.root);
        let mut seen = seen.lock();
        if seen.0 == now {
            return None;
        }
        // Redirects and headers belong to what was published. While a file is invalid, the last ones stay.
        // The thread of a connection has a small stack, and texts can be nested deeply.
        if let Some(settings) = rayon::scope(|_| project.settings()) {
            seen.1 = Some(settings);
        }
        // While other tools replace the folder, the last site stays.
        let site = published(&folder, &project.root, seen.1.as_ref()).ok()?;
        seen.0 = now;
        Some(site)
    };
    match Server::start(listener, &arguments.listen.allowed_hosts, site, &Update::default(), Some(Box::new(renew))) {
        Ok(server) => {
            arguments.listen.report(arguments.listen.port(), server.address(), &base_path);
            arguments.listen.report_languages(server.address(), &base_path, folders.iter().map(String::as_str));
            arguments.listen.open(server.address(), &base_path);
            loop {
                std::thread::park();
            }
        }
        Err(error) => {
            print_error!("failed: {error}");
            FAILED
        }
    }
}

/// Returns what changes whenever a folder is published: the time of its manifest and, since it is replaced, its inode.
fn stamp(folder: &Path, root: &Path) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |path: PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = metadata.len();
        Some((metadata.modified().ok()?, number))
    };
    manifests(folder, Some(root)).into_iter().map(stamp).collect()
}

impl Project {
    /// Reads `content/site.yaml`, if there is a valid project.
    fn settings(&self) -> Option<Settings> {
        let sources = sources::read(&self.root).value?;
        sources.get(&SourcePath::new(SITE_FILE))?;
        let profile = Profile {
            base_url: self.base_url.clone(),
            host: self.target,
            // Pages that are scheduled for a later day may be published already.
            drafts: true,
            ..Profile::default()
        };
        let tools = DiskTools::of(&self.root);
        let joined = Languages::of(&sources, tools.cache()).joined(&sources);
        content::resolve(&joined, &profile, &tools).value.map(|site| site.settings)
    }
}

/// Returns every file of a folder that its manifest lists. Links are not followed, so that nothing outside the folder
/// is read.
fn published(folder: &Path, root: &Path, settings: Option<&Settings>) -> std::io::Result<Site> {
    let manifest = manifests(folder, Some(root)).iter().find_map(|path| Manifest::read(path));
    let manifest = manifest.ok_or_else(|| std::io::Error::other("sitegen has not published a site there"))?;
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).into_iter().filter_entry(|entry| entry.file_name() != ".git") {
        let entry = entry?;
        let path = entry.path();
        let name: Vec<String> =
            path.strip_prefix(folder).unwrap_or(path).iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = name.join("/");
        // The manifest does not list itself, and some hosts serve it.
        let digest = manifest.digest(&name).or_else(|| (name == MANIFEST).then(Digest::default));
        let Some(digest) = digest.filter(|_| entry.file_type().is_file()) else { continue };
        let len = entry.metadata()?.len();
        let content = match len {
            LARGE.. if name != MANIFEST => Content::Large(Arc::new(LargeFile {
                path: path.to_path_buf(),
                skip: 0,
                len,
                digest,
                fingerprint: None,
            })),
            _ => Content::Bytes { bytes: Arc::from(std::fs::read(path)?), digest: None },
        };
        files.push((OutputPath::new(name), content));
    }
    let artifacts = Artifacts::new(files);
    let artifacts = match settings {
        Some(settings) => artifacts.hosted(settings),
        None => artifacts,
    };
    let of_languages = (0..).map_while(|number| artifacts.on_host_of(number)).map(Arc::new).collect();
    Ok(Site {
        artifacts: Some(Arc::new(artifacts)),
        of_languages,
        reloads: false,
        make: None,
        locate: None,
        editing: None,
    })
}
