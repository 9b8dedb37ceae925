//! What keeps the tool from its work, and the folder that it publishes to.

use super::description::{Description, error, failure, list};

/// Something that is wrong outside the site.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolProblem {
    /// A folder without a site in it. `folder`: the folder, or `this folder`.
    NoProject { folder: String },
    /// A file or folder that could not be read or written. `action`: the action: `read`, `write`, `publish to`.
    Io { action: &'static str, path: String, detail: String },
    /// A program that could not be run or that failed.
    Tool { program: &'static str, detail: String },
    /// A program under the name of esbuild that is not a release sitegen knows.
    UnknownEsbuild(Box<UnknownEsbuild>),
    /// An output folder with other contents than a site. `reason`: why it is left alone; `files`: the first files in it
    /// that no build has written; `more`: how many more of them there are.
    ForeignOutput { path: String, reason: &'static str, files: Vec<String>, more: usize },
    /// A file of a published folder that differs from its manifest.
    OutputDiffers { how: &'static str },
    /// A deploy that failed. `what`: what failed; `help`: what to do.
    DeployFailed { target: String, what: String, help: Option<String> },
    /// A deploy that would break something, and changed nothing.
    DeployRefused { target: String, what: String, help: Option<String> },
    /// A cache that machines share and that a build cannot do without.
    SharedCache { what: String, help: Option<String> },
}

/// A program that is not started.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownEsbuild {
    /// The program.
    pub path: String,
    /// Its SHA-256.
    pub digest: String,
    /// The version that its package names, and the SHA-256 of that release, if it is a known one.
    pub expected: Option<(String, &'static str)>,
    /// The known releases for this system.
    pub known: Vec<String>,
    /// The package to install.
    pub package: String,
    /// The folder of the project.
    pub root: String,
}

pub(super) fn describe(problem: &ToolProblem) -> Description {
    use ToolProblem::*;
    match problem {
        NoProject { folder } => {
            failure!("no-project", "{folder} is not a sitegen project: it has no content/site.yaml").label(
                "run sitegen in the project's folder, pass the folder with `--root`, or create a project with `sitegen \
                     new FOLDER`",
            )
        }
        Io { action, path, detail } => {
            // The system's text without the number that Rust adds: `Permission denied (os error 13)`.
            let answer = detail.split(" (os error ").next().unwrap_or(detail);
            let is_publishing = *action == "publish to";
            failure!("io", "cannot {action} {path}: {answer}")
                .label_if(publishing_help(path, answer).filter(|_| is_publishing))
        }
        Tool { program, detail } => failure!("tool", "{program} failed: {detail}"),
        UnknownEsbuild(unknown) => unknown_esbuild(unknown),
        ForeignOutput { path, reason, files, more } => {
            let listed = match more {
                _ if files.is_empty() => String::new(),
                0 => format!(": {}", list(files)),
                more => format!(": `{}` and {more} more", files.join("`, `")),
            };
            let fix = match files.is_empty() {
                _ if reason.contains("may be yours") => {
                    "delete the folder if it contains only build output; otherwise move your own files elsewhere first"
                }
                false => {
                    "move them to `content/public/`, which publishes them with the site, or to another folder; or \
                         publish elsewhere with `--out`"
                }
                true => "name another folder with `--out`",
            };
            failure!("foreign-output", "will not publish to {path}: {reason}{listed}").label(fix)
        }
        OutputDiffers { how } => error!("output-differs", "{how}"),
        DeployFailed { target, what, help } => {
            failure!("deploy-failed", "could not deploy to {target}: {what}").label_if(help.clone())
        }
        DeployRefused { target, what, help } => {
            failure!("deploy-refused", "will not deploy to {target}: {what}").label_if(help.clone())
        }
        SharedCache { what, help } => {
            failure!("shared-cache", "cannot use the shared cache: {what}").label_if(help.clone())
        }
    }
}

fn unknown_esbuild(unknown: &UnknownEsbuild) -> Description {
    let UnknownEsbuild { path, digest, expected, known, package, root } = unknown;
    let (label, expected) = match expected {
        Some((version, expected)) => (
            "delete `node_modules` and run `npm ci`, which installs it again".to_owned(),
            format!("that of esbuild {version} is {expected}"),
        ),
        None if known.is_empty() => {
            ("build on another system".to_owned(), "no release is known for this one".to_owned())
        }
        None => (
            format!("run `npm install --save-exact {package}`, a release that it knows"),
            format!("sitegen knows esbuild {}", known.join(", ")),
        ),
    };
    failure!("unknown-esbuild", "{path} is no release of esbuild that sitegen knows, and was not started")
        .label(label)
        .note(Some(format!(
            "its SHA-256 is {digest}, and {expected}. If this project is yours, and you trust all programs in it, set the \
             environment variable SITEGEN_TRUSTED_PROJECTS to {root}"
        )))
}

/// The next step for errors that the user can fix (errno(3), with the texts of POSIX).
fn publishing_help(path: &str, answer: &str) -> Option<String> {
    match answer {
        "Permission denied" | "Operation not permitted" => {
            Some(format!("give the user who runs the build write access to {path}, its parent folder and `.sitegen`"))
        }
        "No space left on device" | "Disk quota exceeded" => {
            Some("free space for a second copy of the site; the published site is unchanged".into())
        }
        "Read-only file system" => Some("name another folder with `--out`".into()),
        _ => None,
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## no-project

There is no `content/site.yaml` in the folder in which sitegen was run.
A project is a folder that contains `content/`, `templates/` and optionally
`islands/`; every site has the file `content/site.yaml`. Most often the terminal
is in another folder.

```text
cd ~
sitegen build
```

```text
sitegen build --root ~/bakery
```

## io

A file or folder could not be read or written.
This is not an error in the content: a permission is missing, a disk is full, a
name is not UTF-8, or a file is where a folder should be. The message contains
the action that failed and the system's error. Nothing was published, and the
previous site is unchanged.

```text
sitegen build --out notes.txt/dist
```

```text
sitegen build --out dist
```

## tool

A program that the build needs is missing or failed.
Islands are bundled with esbuild, an npm package that npm installs on the first
build. npm comes with Node.js, version 20 or newer. After a change to
`package.json`, run `npm ci` again. Nothing was published.

```text
failed[tool]: esbuild failed: it is not installed; run `npm install --save-exact
  esbuild@0.28.2 react@19.3.1 react-dom@19.3.1` in the project's folder
```

```text
npm install --save-exact esbuild@0.28.2 react@19.3.1 react-dom@19.3.1
sitegen build
```

## unknown-esbuild

The program esbuild in `node_modules` is not a release that this version of sitegen knows.
A project that contains `node_modules` can contain any program under this name,
so sitegen starts only programs whose SHA-256 is in its list: those of the
releases of esbuild that it was tested with. Install one of them, or a newer
version of sitegen.

If the project is yours and needs another release, list its folder in the
environment variable `SITEGEN_TRUSTED_PROJECTS`, for example in your shell's
profile or in the settings of your CI. Several folders are separated as in
`PATH`. For the projects in these folders, esbuild is started without a check.

```text
failed[unknown-esbuild]: node_modules/@esbuild/linux-x64/bin/esbuild is no
  release of esbuild that sitegen knows, and was not started
```

```text
npm install --save-exact esbuild@0.28.2
sitegen build
```

## foreign-output

The output folder is not allowed, or it contains files that no build has written.
A build removes only what an earlier build has written: the files listed in
`manifest.json` in the folder. After a build with `--no-manifest` the project's
`.sitegen` stores that list instead. So a mistyped folder name cannot delete
your photographs, or files that a person or another tool has put there. If the
list is missing or damaged, any file in the folder may be yours: delete the
folder if it contains only what a build has written.

Move these files to `content/public/`: then they are part of the site, and every
build publishes them. Or move them elsewhere, or publish to another folder.
`.git` at the top of the folder is allowed and never touched.

sitegen never publishes to the project, its sources, your home folder, any
folder that contains these, a file, or a symbolic link.

```text
sitegen build --out ~/photos
```

```text
sitegen build --out ~/photos/site
```

## output-differs

A file in a published folder differs from the folder's `manifest.json`.
It is missing, has different content, or was not written by sitegen.
`sitegen verify` found it. `sitegen build` writes missing and changed files
again, and `sitegen deploy --all` does in a folder that the site was deployed to;
move added files away yourself. What deploys store in the folder for themselves
is not reported.

```sh
echo "<!-- changed by hand -->" >> dist/index.html
sitegen verify
```

```sh
sitegen build
sitegen verify
```

## deploy-failed

The site could not be deployed, or not completely.
The message has the answer of the server or of the program that failed. If it
failed on the way, visitors get the site as it was before, perhaps with some new
pages, each with all of its files. `sitegen deploy` completes it when the cause
is removed. Requests that fail temporarily are repeated first.

```text
failed[deploy-failed]: could not deploy to s3://bakery-site: there are no
  credentials for S3
```

```text
export AWS_PROFILE=bakery
sitegen deploy
```

## deploy-refused

The site was not deployed, because that would undo or replace the work of somebody else.
Somebody else has deployed since, or is deploying at the moment; or there are
files that no deploy has put there. Nothing was changed.

```sh
sitegen build
sitegen deploy   # there is a deploy 2, and this project folder knows deploy 1
```

```sh
git pull
sitegen build
sitegen deploy --over 2
```

## shared-cache

The build cannot use the shared cache that `--cache` names.
An ordinary build goes on without a cache that does not answer, and prints a
note. It fails if the secret in SITEGEN_CACHE_KEY is too short to protect the
cache. A build with `--shard` also fails if the cache cannot be used, or if not
everything that it has made could be written there; the build that publishes the
site then makes what is missing.

Make the secret once, store it with the secrets of the CI service, and give the
same to all machines: with another one, a machine does not find what the others
have written.

```text
failed[shared-cache]: cannot use the shared cache: SITEGEN_CACHE_KEY has fewer
  than 32 characters
```

```text
openssl rand -hex 32   # once; stored as the secret SITEGEN_CACHE_KEY
sitegen build --cache s3://bakery-ci/sitegen
```
"#;
