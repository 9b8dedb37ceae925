//! Finds packages that npm would fetch with git.
//!
//! Fetching one starts git, and reads settings that name programs from the project and from the package itself
//! (`git` in an `.npmrc`), so that `--ignore-scripts` alone keeps nobody's program from running.

use serde_json::Value;
use std::path::Path;

/// The files that npm reads names of packages from.
const FILES: [&str; 3] = ["npm-shrinkwrap.json", "package-lock.json", "package.json"];

/// Returns the first package that comes by git, of the project's lock files and of every `package.json` in it: npm reads
/// those of workspaces and of packages that are folders (docs.npmjs.com, "workspaces", "folders"). Gives the path of the
/// file in the project, and the package as it is written there.
pub fn first(root: &Path) -> Option<(String, String)> {
    let is_read = |entry: &walkdir::DirEntry| {
        let name = entry.file_name();
        entry.depth() == 0 || ![".git", ".sitegen", "node_modules"].iter().any(|skipped| name == *skipped)
    };
    let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_read).flatten();
    let files = entries.filter(|entry| FILES.iter().any(|name| entry.file_name() == *name));
    files.map(walkdir::DirEntry::into_path).find_map(|file| {
        let package = in_value(&super::json_of(&file), "")?;
        let path = file.strip_prefix(root).unwrap_or(&file);
        Some((path.display().to_string(), package))
    })
}

/// Looks at what can name a package: where it is resolved to, and what is wanted of a dependency.
fn in_value(value: &Value, group: &str) -> Option<String> {
    match value {
        Value::Object(object) => object.iter().find_map(|(key, value)| match value {
            Value::String(text) => {
                let names = matches!(key.as_str(), "resolved" | "version" | "from");
                ((names || group.ends_with("ependencies") || group == "overrides") && is_git(text))
                    .then(|| text.clone())
            }
            // What is overridden may be nested.
            _ => in_value(value, if group == "overrides" { group } else { key }),
        }),
        Value::Array(values) => values.iter().find_map(|value| in_value(value, group)),
        _ => None,
    }
}

/// Whether npm fetches a package that is written like this with git (docs.npmjs.com, "package spec": git addresses,
/// `owner/repository`, and the addresses of the hosts that npm knows).
fn is_git(spec: &str) -> bool {
    let spec = spec.trim();
    // `npm:other@1.0.0` names a package of the registry.
    if let Some((scheme, rest)) = spec.split_once(':') {
        let host = rest.trim_start_matches('/').split(['/', ':']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let is_known = ["github.com", "gitlab.com", "bitbucket.org", "gist.github.com", "git.sr.ht"].contains(&host);
        let is_archive = spec.ends_with(".tgz") || spec.ends_with(".tar.gz");
        return match scheme {
            "npm" | "file" | "link" | "workspace" => false,
            "http" | "https" => (is_known || rest.contains(".git")) && !is_archive,
            // `git+ssh:`, `github:`, `ssh:`, and what a later npm may know.
            _ => true,
        };
    }
    let mut parts = spec.split('#').next().unwrap_or_default().split('/');
    let (owner, repository) = (parts.next().unwrap_or_default(), parts.next());
    repository.is_some() && parts.next().is_none() && !owner.is_empty() && !owner.starts_with(['.', '~', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_come_by_git_are_found() {
        for spec in [
            "git+https://example.com/x.git#0123",
            "git://example.com/x",
            "git+ssh://git@github.com/a/b.git",
            "ssh://git@example.com/a/b",
            "git@github.com:a/b.git",
            "github:a/b",
            "gist:11081aaa281",
            "a/b",
            "a/b#v1",
            "https://github.com/a/b",
            "https://user@gitlab.com/a/b.git",
        ] {
            assert!(is_git(spec), "{spec}");
        }
        for spec in [
            "^1.2.3",
            ">=1 <2 || 3.x",
            "latest",
            "npm:other@1.0.0",
            "file:../x",
            "../x/y",
            "~/x",
            "https://registry.example/a/-/a-1.0.0.tgz",
            "https://github.com/a/b/archive/v1.tar.gz",
            "workspace:*",
        ] {
            assert!(!is_git(spec), "{spec}");
        }
    }

    #[test]
    fn every_place_that_names_a_package_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let found = |name: &str, text: &str| {
            std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(name), text).unwrap();
            let found = first(folder.path());
            std::fs::remove_file(folder.path().join(name)).unwrap();
            found.map(|(file, _)| file)
        };
        for text in [
            r#"{"packages": {"node_modules/x": {"resolved": "git+https://e.test/x.git#0"}}}"#,
            r#"{"packages": {"": {"optionalDependencies": {"x": "a/b"}}}}"#,
            r#"{"lockfileVersion": 1, "dependencies": {"x": {"version": "github:a/b#0"}}}"#,
            r#"{"lockfileVersion": 1, "dependencies": {"y": {"dependencies": {"x": {"from": "git://e.test/x"}}}}}"#,
        ] {
            assert_eq!(found("package-lock.json", text), Some("package-lock.json".into()), "{text}");
        }
        for file in ["npm-shrinkwrap.json", "package.json", "packages/w/package.json"] {
            assert_eq!(found(file, r#"{"dependencies": {"x": "a/b"}}"#), Some(file.into()));
            // npm passes over a byte order mark.
            assert_eq!(found(file, "\u{feff}{\"dependencies\": {\"x\": \"a/b\"}}"), Some(file.into()));
        }
        assert_eq!(found("node_modules/w/package.json", r#"{"devDependencies": {"x": "a/b"}}"#), None);
        assert_eq!(found("package.json", r#"{"overrides": {"x": {"y": "a/b"}}}"#), Some("package.json".into()));
        let fine = r#"{"name": "a/b", "repository": "a/b", "dependencies": {"x": "1.0.0"}, "exports": {".": "./a"}}"#;
        assert_eq!(found("package.json", fine), None);
        assert_eq!(found("package-lock.json", r#"{"packages": {"node_modules/x": {"version": "1.0.0"}}}"#), None);
    }
}
