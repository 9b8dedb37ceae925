//! What of a project lets npm write outside of it, or send the environment of whoever runs it to somebody.
//!
//! Options of the command line come before an `.npmrc` (docs.npmjs.com, "config"), and a build gives those that keep npm from
//! starting programs. For the following there is no option that would bring back what the computer's owner has set.

use serde_json::Value;
use std::path::Path;

/// The settings in an `.npmrc` that name a file or folder to which npm writes, or another file with settings. `onload-script`
/// names a program of npm 6.
const ELSEWHERE: [&str; 7] = ["cache", "globalconfig", "logs-dir", "onload-script", "prefix", "tmp", "userconfig"];

/// Returns the first of them in a project: the file, and what it does.
pub fn first(root: &Path) -> Option<(&'static str, String)> {
    let text = |name: &str| {
        let file = root.join(name);
        let bytes = file.is_file().then(|| std::fs::read(file).ok()).flatten().unwrap_or_default();
        String::from_utf8_lossy(super::without_mark(&bytes)).into_owned()
    };
    if let Some(what) = in_npmrc(&text(".npmrc")) {
        return Some((".npmrc", what));
    }
    for name in ["npm-shrinkwrap.json", "package-lock.json", "package.json"] {
        let value: Value = serde_json::from_str(&text(name)).unwrap_or_default();
        if let Some(path) = outside(&value) {
            return Some((name, format!("lets npm install packages outside the project, in `{path}`")));
        }
    }
    None
}

/// Looks at the settings of an `.npmrc` as npm reads it: lines `name = value`, of which those after a `[section]` count for
/// nothing (npmjs.com/package/ini), with variables of the environment in names and values.
fn in_npmrc(text: &str) -> Option<String> {
    let lines = text.split(['\r', '\n']).map(str::trim).filter(|line| !line.starts_with([';', '#']));
    lines.take_while(|line| !line.starts_with('[')).find_map(|line| {
        let name = line.split('=').next().unwrap_or_default().trim().trim_end_matches("[]");
        // A name in double quotes is JSON, so `"c\u0061che"` is `cache`.
        let name = serde_json::from_str(name).unwrap_or_else(|_| name.trim_matches(['"', '\'']).to_owned());
        if line.contains("${") {
            return Some(format!("gives a variable of the environment to npm in `{name}`"));
        }
        ELSEWHERE.contains(&&*name).then(|| format!("sets `{name}`, with which npm uses files outside the project"))
    })
}

/// Returns a path outside the project in which npm installs or deletes packages: that of a package in a lock file, or of a
/// workspace.
fn outside(value: &Value) -> Option<String> {
    let leaves = |path: &str| {
        let path = path.trim_start_matches('!');
        path.starts_with(['/', '\\', '~']) || path.contains(':') || path.split(['/', '\\']).any(|part| part == "..")
    };
    let packages = value["packages"].as_object().into_iter().flatten().map(|(path, _)| path.as_str());
    // A folder that is only linked to stays as it is.
    let installed = packages.filter(|path| path.contains("node_modules"));
    let workspaces = &value["workspaces"];
    let workspaces = workspaces.as_array().or_else(|| workspaces["packages"].as_array()).into_iter().flatten();
    installed.chain(workspaces.filter_map(Value::as_str)).find(|path| leaves(path)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_lead_out_of_the_project_are_found() {
        for text in [
            "cache=/tmp/x",
            "registry=https://r.example/\n  cache = x",
            "\"c\\u0061che\"=x",
            "'prefix' = ..",
            "userconfig=x",
            "logs-dir=x\r",
            "a=b\rtmp=c",
            "registry=https://r.example/${HOME}",
            "//r.example/:_authToken=${NPM_TOKEN}",
            "${A}=x",
        ] {
            assert!(in_npmrc(text).is_some(), "{text}");
        }
        for text in [
            "",
            "registry=https://r.example/\n@a:registry=https://r.example/\n",
            "; cache=x\n# cache=${A}\n",
            "cache-min=5\nnode-options=--cache\nscript-shell=./x.sh\nshamefully-hoist=true\n",
            "[cache]\ncache=x\n",
        ] {
            assert_eq!(in_npmrc(text), None, "{text}");
        }
    }

    #[test]
    fn packages_outside_the_project_are_found() {
        let path = |json: &str| outside(&serde_json::from_str(json).unwrap());
        for (json, expected) in [
            (r#"{"packages": {"": {}, "../x/node_modules/y": {}}}"#, Some("../x/node_modules/y")),
            (r#"{"packages": {"a/../../node_modules/y": {}}}"#, Some("a/../../node_modules/y")),
            (r#"{"packages": {"node_modules/y": {}, "../x": {}, "packages/a/node_modules/b": {}}}"#, None),
            (r#"{"workspaces": ["packages/*", "../*"]}"#, Some("../*")),
            (r#"{"workspaces": {"packages": ["/tmp/x"]}}"#, Some("/tmp/x")),
            (r#"{"workspaces": ["./packages/*", "!packages/..a"]}"#, None),
        ] {
            assert_eq!(path(json).as_deref(), expected, "{json}");
        }
    }
}
