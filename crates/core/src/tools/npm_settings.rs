//! What of a project lets npm write outside of it, or send the environment of whoever runs it to somebody.
//!
//! Options of the command line come before an `.npmrc` (docs.npmjs.com, "config"), and a build gives those that keep npm from
//! starting programs. For the following there is no option that would bring back what the computer's owner has set.

use serde_json::Value;
use std::path::Path;

/// The settings in an `.npmrc` that name a file or folder to which npm writes, or another file with settings. `onload-script`
/// names a program of npm 6.
const ELSEWHERE: [&str; 7] = ["cache", "globalconfig", "logs-dir", "onload-script", "prefix", "tmp", "userconfig"];

/// The settings with which somebody else can read what npm sends to a registry, and so the tokens of whoever runs it.
const READ_BY_OTHERS: [&str; 8] =
    ["ca", "cafile", "http-proxy", "https-proxy", "local-address", "noproxy", "proxy", "strict-ssl"];

/// Files that npm reads in the folder of a project.
const SETTINGS: &str = ".npmrc";
const PACKAGES: [&str; 3] = ["npm-shrinkwrap.json", "package-lock.json", "package.json"];

/// Returns the first of them in a project: the file, and what it does.
pub fn first(root: &Path) -> Option<(String, String)> {
    // npm waits for ever for a pipe.
    let is_other = |path: &Path| path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if let Some(name) = PACKAGES.iter().chain([&SETTINGS]).find(|name| is_other(&root.join(name))) {
        return Some(((*name).to_owned(), "is not a file".to_owned()));
    }
    let read = |name: &str| std::fs::read(root.join(name)).ok();
    let settings = read(SETTINGS).unwrap_or_default();
    if let Some(what) = in_npmrc(&String::from_utf8_lossy(super::without_mark(&settings))) {
        return Some((SETTINGS.to_owned(), what));
    }
    let mut has_folders = false;
    for (name, bytes) in PACKAGES.into_iter().filter_map(|name| Some((name, read(name)?))) {
        // npm reads some of what is not valid JSON, such as a file with conflict markers.
        let Ok(value) = serde_json::from_slice::<Value>(super::without_mark(&bytes)) else {
            return Some((name.to_owned(), "is not valid JSON".to_owned()));
        };
        if let Some(path) = outside(&value) {
            return Some((name.to_owned(), format!("lets npm change packages outside the project, in `{path}`")));
        }
        has_folders |= names_folders(&value);
    }
    let in_folders = || if has_folders { link_or_pipe(root) } else { None };
    of_modules(&root.join(MODULES)).map(|what| (MODULES.to_owned(), what.to_owned())).or_else(in_folders)
}

const MODULES: &str = "node_modules";

/// Returns what is wrong with a `node_modules`: npm deletes what is in it, wherever a link leads.
fn of_modules(path: &Path) -> Option<&'static str> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    is_link.then_some("is a link, and npm deletes what is in the folder to which it leads")
}

/// Whether npm installs into other folders than that of the project: workspaces, and packages that are folders.
fn names_folders(value: &Value) -> bool {
    let is_of_folder = |path: &String| !path.is_empty() && !path.starts_with("node_modules/");
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| match (key.as_str(), value) {
            ("workspaces", value) => !value.is_null(),
            ("packages", Value::Object(packages)) => {
                packages.keys().any(is_of_folder) || packages.values().any(names_folders)
            }
            _ => names_folders(value),
        }),
        Value::Array(values) => values.iter().any(names_folders),
        Value::String(text) => text.starts_with("file:"),
        _ => false,
    }
}

/// Returns the first link through which npm would install or delete packages elsewhere, or the first file for which it would wait. npm
/// follows the links in the path of a workspace, and `npm ci` empties the folder `node_modules` of each.
fn link_or_pipe(root: &Path) -> Option<(String, String)> {
    let all = root.canonicalize().ok()?;
    let entries = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter().flatten();
    entries.into_iter().find_map(|entry| {
        let is_named = |name: &str| entry.file_name() == name;
        let what = if entry.path_is_symlink() {
            let leads_out = || entry.path().canonicalize().map_or(true, |target| !target.starts_with(&all));
            let elsewhere = || leads_out().then_some("is a link that leads out of the project, and npm follows it");
            Some(entry.path()).filter(|_| is_named(MODULES)).and_then(of_modules).or_else(elsewhere)
        } else {
            let kind = entry.file_type();
            let is_read = is_named(SETTINGS) || PACKAGES.iter().any(|name| is_named(name));
            (is_read && !kind.is_file() && !kind.is_dir()).then_some("is not a file")
        }?;
        let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
        Some((path.display().to_string(), what.to_owned()))
    })
}

/// Looks at the settings of an `.npmrc`: lines `name = value` (npmjs.com/package/ini), in which npm replaces `${variable}`. What
/// else that format has (sections, names and values in quotes with escapes, comments behind a name) could stand for any setting, and
/// nobody needs it: such lines are refused.
fn in_npmrc(text: &str) -> Option<String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "@:/._~%+-[]".contains(letter);
    let lines = text.split(['\r', '\n']).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with([';', '#'])).find_map(|line| {
        let name = line.split('=').next().unwrap_or_default().trim();
        let setting = name.trim_end_matches("[]");
        if line.contains("${") {
            return Some(format!("gives a variable of the environment to npm in `{name}`"));
        }
        if line.starts_with('[') || !name.chars().all(is_plain) || line.contains('\\') {
            // The value may be a token.
            let shown: String = name.chars().filter(char::is_ascii_graphic).take(40).collect();
            return Some(format!("has a line that is not a plain `name = value`, for `{shown}`"));
        }
        if READ_BY_OTHERS.contains(&setting) {
            return Some(format!("sets `{setting}`, with which others may read what npm sends to a registry"));
        }
        ELSEWHERE.contains(&setting).then(|| format!("sets `{setting}`, with which npm uses files outside the project"))
    })
}

/// Returns a path outside the project in which npm installs or deletes packages: that of a package in a lock file, or of a
/// workspace.
fn outside(value: &Value) -> Option<String> {
    let leaves = |path: &str| {
        let path = path.trim_start_matches('!');
        // `.{.,x}/y` stands for `../y` too.
        let may_stand_for_others =
            path.contains('{') && (path.contains('.') || path.contains("{/") || path.contains(",/"));
        let leads_up = path.split(['/', '\\']).any(|part| part == "..");
        path.starts_with(['/', '\\', '~']) || path.contains(':') || leads_up || may_stand_for_others
    };
    let packages = value["packages"].as_object().into_iter().flatten();
    // A folder that is only linked to stays as it is, but for programs of its package: npm makes them executable.
    let is_changed = |package: &Value| !package["bin"].is_null() || !package["directories"].is_null();
    let installed = packages.filter(|(path, package)| path.contains("node_modules") || is_changed(package));
    let installed = installed.map(|(path, _)| path.as_str());
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
            "//r.example/:_authToken=\"\\u0024{NPM_TOKEN}\"",
            "cache;x=../x",
            "ca\\#che=x",
            "[x=1\ncache=../x",
            "[x]\ncache=../x",
            "a=b\n\u{feff}cache=../x",
            "strict-ssl=false",
            "ca[]=x",
            "https-proxy = http://r.example",
        ] {
            assert!(in_npmrc(text).is_some(), "{text}");
        }
        for text in [
            "",
            "registry=https://r.example/\n@a:registry=https://r.example/\n",
            "; cache=x\n# cache=${A}\n",
            "cache-min=5\nnode-options=--cache\nscript-shell=./x.sh\nshamefully-hoist=true\n",
            "//r.example/:_authToken=npm_Ab+/==\n//[::1]:4873/:always-auth=true",
            "public-hoist-pattern[]=*eslint*\nengine-strict",
            "message=\"a b\" ; c",
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
            (r#"{"packages": {"../x": {"bin": {"x": "secret.txt"}}}}"#, Some("../x")),
            (
                r#"{"packages": {"../x": {"directories": {"bin": "."}}, "": {"bin": "x"}, "w": {"bin": "x"}}}"#,
                Some("../x"),
            ),
            (r#"{"workspaces": ["packages/*", "../*"]}"#, Some("../*")),
            (r#"{"workspaces": {"packages": ["/tmp/x"]}}"#, Some("/tmp/x")),
            (r#"{"workspaces": ["./packages/*", "!packages/..a"]}"#, None),
            (r#"{"workspaces": ["packages/{a,b}"]}"#, None),
            (r#"{"workspaces": ["{..,a}/home"]}"#, Some("{..,a}/home")),
            (r#"{"workspaces": [".{x,.}/home"]}"#, Some(".{x,.}/home")),
            (r#"{"workspaces": ["{a,/etc}"]}"#, Some("{a,/etc}")),
        ] {
            assert_eq!(path(json).as_deref(), expected, "{json}");
        }
    }

    /// Writes a project with a workspace, and returns its folder.
    #[cfg(unix)]
    fn with_workspace(files: &[(&str, &str)], links: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join("project").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        std::fs::create_dir_all(folder.path().join("home")).unwrap();
        let lock = r#"{"lockfileVersion": 3, "packages": {"": {}, "w": {}, "node_modules/w": {"resolved": "w", "link": true}}}"#;
        write("package.json", r#"{"workspaces": ["w"]}"#);
        write("package-lock.json", lock);
        files.iter().for_each(|(path, text)| write(path, text));
        for (path, target) in links {
            let path = folder.path().join("project").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, path).unwrap();
        }
        folder
    }

    #[cfg(unix)]
    #[test]
    fn links_through_which_npm_would_delete_folders_are_found() {
        let found = |files: &[(&str, &str)], links: &[(&str, &str)]| {
            let folder = with_workspace(files, links);
            first(&folder.path().join("project")).map(|(file, _)| file)
        };
        let w = ("w/package.json", "{}");
        for (links, expected) in [
            (&[("w/node_modules", "../../home")][..], Some("w/node_modules")),
            (&[("w/node_modules", "../other")], Some("w/node_modules")),
            (&[("w/x", "../../home")], Some("w/x")),
            (&[("w/node_modules/@scope", "../../../home")], Some("w/node_modules/@scope")),
            (&[(".sitegen/x", "../../home")], Some(".sitegen/x")),
            (&[("node_modules", "../nowhere")], Some("node_modules")),
            (&[("w/x", "y")], Some("w/x")),
            (&[("x", "w")], None),
            (&[], None),
        ] {
            assert_eq!(found(&[w], links).as_deref(), expected, "{links:?}");
        }
        assert_eq!(found(&[("other/package.json", "{}")], &[("w", "../home")]).as_deref(), Some("w"));
        assert_eq!(found(&[w, ("package.json", r#"{"a": "\ud800"}"#)], &[]).as_deref(), Some("package.json"));
        // Without a workspace, npm installs into one folder.
        let alone = [("package.json", "{}"), ("package-lock.json", r#"{"packages": {"": {}, "node_modules/a": {}}}"#)];
        assert_eq!(found(&alone, &[("x", "../home")]), None);
        assert_eq!(found(&alone, &[("node_modules", "../nowhere")]).as_deref(), Some("node_modules"));
        let of_folder = [alone[0], ("package-lock.json", r#"{"dependencies": {"w": {"version": "file:w"}}}"#)];
        assert_eq!(found(&of_folder, &[("w", "../home")]).as_deref(), Some("w"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_for_which_npm_would_wait_is_found() {
        for path in [".npmrc", "package.json", "w/package.json"] {
            let folder = with_workspace(&[("w/x", "")], &[]);
            let pipe = folder.path().join("project").join(path);
            drop(std::fs::remove_file(&pipe));
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            assert_eq!(first(&folder.path().join("project")).map(|(file, _)| file).as_deref(), Some(path));
        }
    }
}
