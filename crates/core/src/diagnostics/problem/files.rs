//! The files of the project and of the published folder.

use super::description::{Description, error};
use crate::paths::MANIFEST;

/// A file that cannot be read, or that cannot be published under its name.
#[derive(Clone, Debug, PartialEq)]
pub enum FileProblem {
    /// A file of a kind that has no meaning in its folder. `expected`: what is expected there.
    UnexpectedFile { expected: &'static str },
    /// Two paths that differ in the case of letters only.
    LetterCase { other: String },
    /// Two paths that differ only in whether letters and their accents are one character.
    LetterForm,
    /// Two paths of the output that differ in the case of letters only. `taken`: the path that is taken; `other`: the
    /// file that has it.
    OutputCase { path: String, taken: String, other: Option<String> },
    /// A file with more diagnostics than are reported. `reported`: the number of reported ones.
    MoreInFile { reported: usize },
    /// A symbolic link that leads to something that is not a source.
    OutsideLink,
    /// Two files for one path of the output. `other`: the file that has the path.
    DuplicateOutput { path: String, other: Option<String> },
    /// A path of the output in a folder that is a file. `file`: the file at the path of the folder; `other`: where that
    /// comes from.
    FolderIsFile { path: String, file: String, other: Option<String> },
    /// A path of the output that would be a file and a folder. `other`: the file that needs the folder.
    FileAndFolder { path: String, other: Option<String> },
    /// A path of the output with a part that is longer than file systems allow.
    LongName { path: String },
    /// Something in the project that cannot be read.
    Unreadable { reason: String, fix: &'static str },
}

pub(super) fn describe(problem: &FileProblem) -> Description {
    use FileProblem::*;
    match problem {
        UnexpectedFile { expected } => {
            error!("unexpected-file", "this file does not belong here").label(format!("expected {expected}"))
        }
        LetterCase { other } => error!("letter-case", "this name differs from `{other}` only in letter case")
            .label("rename one of the two; not every file system distinguishes them"),
        LetterForm => error!(
            "letter-case",
            "two files have this name, one with composed and one with decomposed accents (Unicode NFC and NFD)"
        )
        .label("delete one of the two, or rename it; `ls` shows both, and not every file system distinguishes them"),
        OutputCase { path, taken, other } => {
            let other = other.as_ref().map_or(String::new(), |other| format!(" of {other}"));
            error!(
                "letter-case",
                "this would be published as `{path}`, which differs from `{taken}`{other} only in letter case"
            )
            .label("rename one of the two")
        }
        MoreInFile { reported } => {
            error!("more-in-file", "this file has more problems; the first {reported} are reported")
                .label("fix these first, then build again")
        }
        OutsideLink => error!("outside-link", "this symbolic link points outside the site's sources")
            .label("replace the link with a copy"),
        DuplicateOutput { path, other } => {
            let message = match other {
                Some(other) => format!("this would be published as `{path}`, and so would {other}"),
                None => format!("two files would be published as `{path}`"),
            };
            error!("duplicate-output", "{message}").label(match other {
                _ if path != MANIFEST => "rename one of the two",
                Some(_) => "rename it, or remove its key `generator`",
                None => "rename yours, or build with `--no-manifest`",
            })
        }
        FolderIsFile { path, file, other } => {
            let other = other.as_ref().map_or(String::new(), |other| format!(": {other}"));
            error!("duplicate-output", "this would be published as `{path}`, but `{file}` is a file{other}")
                .label("choose another path, or rename the file")
        }
        FileAndFolder { path, other } => {
            let needed = other.as_ref().map_or(String::new(), |other| format!(" that {other} needs"));
            error!("duplicate-output", "`{path}` would be both this file and a folder{needed}")
                .label("rename one of the two")
        }
        LongName { path } => {
            let part = path.split('/').max_by_key(|part| part.len()).unwrap_or(path);
            let length = part.len();
            error!("long-name", "this needs a file name of {length} bytes, but file systems allow 255")
                .label("choose a shorter name")
        }
        Unreadable { reason, fix } => error!("unreadable", "this cannot be read: {reason}").label(*fix),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unexpected-file

This file is in a place where it would be ignored.
`content/` contains `site.yaml`, folders, and collections in one file such as
`team.yaml` or `prices.csv`. Pages and entries of collections end in `.md`,
`.yaml`, `.toml` or `.json`, and entries are directly in the folder of their
collection. Put images and documents in `content/assets/`, and files to be
published unchanged in `content/public/`.

```text
content/loaves/rye.yml
content/menu.pdf
```

```text
content/loaves/rye.yaml
content/assets/menu.pdf
```

## letter-case

Two names differ only in letter case.
On Windows and macOS they are usually the same file, on Linux and most hosts
they are two. A copy of the project on another computer would lose one of them,
and a link that works on your computer would break on the host. This also
applies to published files: `content/public/Index.html` and the home page,
`index.html`. The same systems treat `ß` as `ss`, and composed and decomposed
accents (Unicode NFC and NFD) as equal.

```text
content/assets/Oven.jpg
content/assets/oven.jpg
```

```text
content/assets/oven.jpg
content/assets/oven-open.jpg
```

## more-in-file

A file has more problems than are reported.
The first 100 problems of each file are reported. Often they have one cause,
such as a key that is misspelt in every item of a list. Fix it, and build again.

```yaml
# content/loaves.yaml, and so on, a hundred loaves
- nam: Rye
- nam: Spelt
```

```yaml
# content/loaves.yaml
- name: Rye
- name: Spelt
```

## outside-link

A symbolic link points outside the folders of the site's sources.
A link can point to a file or a folder in `content/`, `templates/` and
`islands/` that is not hidden. Anything else may be missing or different on
another computer, and a password in `.env` or `.git` could be published. Replace
the link with a copy of the file.

```text
content/assets/menu.pdf -> /home/anna/menu.pdf
```

```text
content/assets/menu.pdf
```

## duplicate-output

Two different files would be published at the same path.
Pages, assets and the files in `content/public/` are published to one folder,
and a host can serve only one of the two. Usually a file in `content/public/`
has the name of a page. A path also cannot be both a file and a folder: a page
`menu` needs the folder `menu/`.

```text
content/pages/prices.md
content/public/prices.html
```

```text
content/pages/prices.md
content/public/prices-2025.html
```

## long-name

A file of the site would have a name that is too long.
File systems allow 255 bytes for the name of a file or a folder. The file of a
page gets the extension `.html`, an asset gets nine characters of a content
hash, and a letter such as `ä` counts as two bytes.

```yaml
redirects:
  - from: /a-path-of-more-than-250-letters…
    to: /prices
```

```yaml
redirects:
  - from: /old-prices
    to: /prices
```

## unreadable

A file, a folder or a link in the project cannot be read.
It is a link that is broken or leads back to itself, its permissions forbid
reading, it is a pipe, or its name is not UTF-8. If it were ignored, the site
would silently lose a page.

```text
content/pages/prices.md -> ../old/prices.md   (which was deleted)
```

```text
content/pages/prices.md                       (a file again)
```
"#;
