//! The files `~/.aws/credentials` and `~/.aws/config`, which Amazon's own programs write
//! (docs.aws.amazon.com/cli/latest/userguide, "Configuration and credential file settings").

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The values of one profile.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AwsFiles(BTreeMap<String, String>);

impl AwsFiles {
    /// Reads the profile that `AWS_PROFILE` names, or `default`. What is in `credentials` counts more.
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let profile = variable("AWS_PROFILE").unwrap_or_else(|| "default".to_owned());
        let home = variable("HOME").or_else(|| variable("USERPROFILE")).map(|home| PathBuf::from(home).join(".aws"));
        let file = |name: &str, own: &str| {
            let path = variable(own).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(name)))?;
            fs::read_to_string(path).ok()
        };
        let config = file("config", "AWS_CONFIG_FILE").unwrap_or_default();
        let credentials = file("credentials", "AWS_SHARED_CREDENTIALS_FILE").unwrap_or_default();
        let mut values = section(&config, &[profile.as_str(), &format!("profile {profile}")]);
        values.extend(section(&credentials, &[profile.as_str()]));
        AwsFiles(values)
    }

    /// Returns a value.
    pub fn get(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }
}

/// Returns the values of a section with one of these names. Values below another one are indented, and are passed over.
fn section(text: &str, names: &[&str]) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    let mut is_in = false;
    for line in text.lines().filter(|line| !line.starts_with(['#', ';', ' ', '\t'])) {
        if let Some(name) = line.trim().strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            is_in = names.contains(&name.trim());
        } else if is_in && let Some((key, value)) = line.split_once('=') {
            values.insert(key.trim().to_owned(), value.trim().to_owned());
        }
    }
    values
}

/// Whether this machine is one of Amazon's, which can be asked for its role.
pub fn is_machine_of_amazon() -> bool {
    let vendor = fs::read_to_string(Path::new("/sys/devices/virtual/dmi/id/sys_vendor"));
    vendor.is_ok_and(|vendor| vendor.contains("Amazon"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_read_from_both_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".aws")).unwrap();
        let config =
            "[default]\nregion = a\n[profile shop]\nregion=eu-central-1\ns3 =\n  endpoint_url = x\n# region=b\n";
        fs::write(folder.path().join(".aws/config"), config).unwrap();
        let credentials =
            "[default]\naws_access_key_id = one\n\n[shop]\naws_access_key_id = two\naws_secret_access_key=a=b\n";
        fs::write(folder.path().join(".aws/credentials"), credentials).unwrap();
        let read = |profile: Option<&str>| {
            AwsFiles::read(&|name| match name {
                "HOME" => folder.path().to_str().map(str::to_owned),
                "AWS_PROFILE" => profile.map(str::to_owned),
                _ => None,
            })
        };
        let values =
            |files: AwsFiles| ["aws_access_key_id", "aws_secret_access_key", "region"].map(|key| files.get(key));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(values(read(None)), [some("one"), None, some("a")]);
        assert_eq!(values(read(Some("shop"))), [some("two"), some("a=b"), some("eu-central-1")]);
        assert_eq!(values(read(Some("other"))), [None, None, None]);
    }
}
