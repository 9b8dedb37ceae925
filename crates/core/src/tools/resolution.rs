//! Which files outside of a run's own folder decide what it gives.
//!
//! 1. Every input that is no copy.
//! 2. Every `package.json` above an input as far as Node looks for one: it says what kind of modules there are (`type`,
//!    `sideEffects`, `imports`).
//! 3. For every import of a package, its `package.json` (`main`, `exports`, `browser`) in each folder where Node would find
//!    the package first (nodejs.org/api/modules.html, "Loading from node_modules folders"). Those that are not there count
//!    too: were one there tomorrow, another package would be imported.

use std::collections::BTreeSet;

const PACKAGES: &str = "node_modules";
/// What says of a folder which packages and which kind of modules it has.
pub const PACKAGE: &str = "package.json";

/// Paths from the project's root. `inputs` are those of esbuild's metafile by such paths; `is_copy` tells those that the
/// run had a copy of, and `exists` whether there is a file on the disk. The root lies `depth` folders below that of the
/// file system.
pub fn deciding(
    inputs: &serde_json::Map<String, serde_json::Value>,
    depth: usize,
    is_copy: impl Fn(&str) -> bool,
    exists: impl Fn(&str) -> bool,
) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for (path, input) in inputs {
        // esbuild's own, such as the entry of a stylesheet, and what a package leaves out for browsers.
        if path.starts_with('<') || path.starts_with('(') {
            continue;
        }
        let folder = if is_copy(path) {
            ""
        } else {
            paths.insert(path.clone());
            folder_of(path)
        };
        for above in upwards(folder, depth) {
            let manifest = joined(&above, PACKAGE);
            let is_found = exists(&manifest);
            paths.insert(manifest);
            if is_package(&above) || is_found && !folder.contains(PACKAGES) {
                break;
            }
        }
        for import in input["imports"].as_array().into_iter().flatten() {
            let Some(name) = import["original"].as_str().and_then(package_of) else { continue };
            for above in upwards(folder, depth).filter(|above| name_of(above) != PACKAGES) {
                let manifest = joined(&above, &format!("{PACKAGES}/{name}/{PACKAGE}"));
                let is_found = exists(&manifest);
                paths.insert(manifest);
                if is_found {
                    break;
                }
            }
        }
    }
    paths
}

/// The package that an import names: `react` of `react/jsx-runtime`, `@a/b` of `@a/b/c`.
fn package_of(import: &str) -> Option<&str> {
    if import.is_empty() || import.starts_with(['.', '/', '#', '\\']) || import.contains(':') {
        return None;
    }
    let parts = if import.starts_with('@') { 2 } else { 1 };
    let end = import.match_indices('/').nth(parts - 1).map_or(import.len(), |(at, _)| at);
    Some(&import[..end])
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a folder is that of a package.
fn is_package(folder: &str) -> bool {
    let above = folder_of(folder);
    name_of(above) == PACKAGES && !name_of(folder).starts_with('@')
        || name_of(above).starts_with('@') && name_of(folder_of(above)) == PACKAGES
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A folder and those above it, up to the root of the file system.
fn upwards(folder: &str, depth: usize) -> impl Iterator<Item = String> {
    std::iter::successors(Some(folder.to_owned()), move |folder| {
        let is_above = folder.is_empty() || name_of(folder) == "..";
        match is_above {
            false => Some(folder_of(folder).to_owned()),
            true if folder.split('/').filter(|part| *part == "..").count() < depth => Some(joined(folder, "..")),
            true => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(inputs: &serde_json::Value, there: &[&str]) -> Vec<String> {
        let inputs = inputs.as_object().unwrap();
        let is_copy = |path: &str| path.starts_with("islands/");
        deciding(inputs, 2, is_copy, |path| there.contains(&path)).into_iter().collect()
    }

    #[test]
    fn a_package_is_known_by_its_manifest_and_by_those_that_are_not_there() {
        let inputs = serde_json::json!({
            "islands/A.tsx": { "imports": [
                { "path": "../node_modules/@a/b/c/d.js", "original": "@a/b/c/d" },
                { "path": "islands/parts/x.ts", "original": "./parts/x" }
            ] },
            "../node_modules/@a/b/c/d.js": { "imports": [] },
        });
        let there = ["package.json", "../node_modules/@a/b/package.json"];
        assert_eq!(
            of(&inputs, &there),
            [
                "../node_modules/@a/b/c/d.js",
                "../node_modules/@a/b/c/package.json",
                "../node_modules/@a/b/package.json",
                "node_modules/@a/b/package.json",
                "package.json",
            ]
        );
    }

    #[test]
    fn packages_import_others_from_their_own_folders_first() {
        let inputs = serde_json::json!({
            "node_modules/p/index.js": { "imports": [{ "path": "node_modules/q/index.js", "original": "q" }] },
        });
        let there = ["node_modules/p/package.json", "node_modules/q/package.json"];
        assert_eq!(
            of(&inputs, &there),
            [
                "node_modules/p/index.js",
                "node_modules/p/node_modules/q/package.json",
                "node_modules/p/package.json",
                "node_modules/q/package.json",
            ]
        );
    }

    #[test]
    fn a_project_without_a_manifest_has_that_of_a_folder_above() {
        let inputs = serde_json::json!({ "islands/A.tsx": { "imports": [] } });
        assert_eq!(of(&inputs, &[]), ["../../package.json", "../package.json", "package.json"]);
        assert_eq!(of(&inputs, &["../package.json"]), ["../package.json", "package.json"]);
    }

    #[test]
    fn imports_that_name_no_package_have_none() {
        for import in ["", "./a", "../a", "/a", "#a", "https://a.example/a", "data:x", "node:fs"] {
            assert_eq!(package_of(import), None);
        }
        for (import, name) in
            [("react", "react"), ("react-dom/client", "react-dom"), ("@a/b", "@a/b"), ("@a/b/c", "@a/b")]
        {
            assert_eq!(package_of(import), Some(name));
        }
    }
}
