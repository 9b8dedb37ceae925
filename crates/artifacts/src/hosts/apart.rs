//! The output of a site with several hosts: a folder for each.

use super::Rules;
use crate::Content;
use crate::files::{NOT_FOUND_FILE, SiteFiles};
use crate::host_folders::HostFolders;
use sitegen_content::language_hosts::LanguageHost;
use sitegen_core::paths::OutputPath;
use std::collections::BTreeMap;

/// Puts the files of each host into its folder, each with its rules.
pub fn apart(folders: &HostFolders, files: &SiteFiles, all: &[(Option<&LanguageHost>, &Rules)]) -> SiteFiles {
    let mut apart: BTreeMap<OutputPath, Content> = BTreeMap::new();
    for (host, rules) in all {
        let folder = rules.folder();
        let place = |path: &OutputPath| {
            let name = folders.name_on(*host, path.as_str())?;
            let stays = name == NOT_FOUND_FILE || rules.spec().is_private(&name);
            Some(OutputPath::new(format!("{}/{name}", if stays { rules.root.as_str() } else { &folder })))
        };
        // A file of the host itself, such as one in `content/public/de/`, is there instead of that of all hosts.
        let (shared, own): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| folders.is_shared(path.as_str()));
        for (path, content) in own {
            apart.extend(place(path).map(|place| (place, content.clone())));
        }
        for (path, content) in shared {
            if let Some(place) = place(path) {
                apart.entry(place).or_insert_with(|| content.clone());
            }
        }
    }
    SiteFiles::without_pages(apart)
}
