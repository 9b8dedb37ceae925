//! What nothing uses.

use super::super::Meant;
use super::description::{Description, did_you_mean, error, warning};

/// Something in the project that no page uses.
#[derive(Clone, Debug, PartialEq)]
pub enum UnusedProblem {
    /// A key of content that nothing reads. `files`: how many files have it, this one included; `instead`: what other
    /// generators read it for, and what to do here; `renamed`: the key that has its value here, if another name is all that differs,
    /// or that was probably meant.
    UnusedKey { key: String, files: usize, instead: Option<&'static str>, renamed: Option<Meant> },
    /// A file that nothing uses. `what`: what it is: one of `template`, `component`, `island`, `asset`, `stylesheet`
    /// and `file`.
    UnusedFile { what: String },
    /// A folder of content that nothing uses. `nearest`: a collection that is used and does not exist.
    UnusedCollection { name: String, nearest: Option<String> },
    /// A schema that validates nothing. `nearest`: what it was probably meant for.
    UnusedSchema { nearest: Option<String> },
}

pub(super) fn describe(problem: &UnusedProblem) -> Description {
    use UnusedProblem::*;
    match problem {
        UnusedKey { key, files, instead, renamed } => {
            let files = if *files == 1 { String::new() } else { format!(", which is set in {files} files") };
            let unused = warning!("unused-key", "nothing reads the key `{key}`{files}");
            match (instead, renamed) {
                (Some(instead), renamed) => unused.meant_for(key, renamed.as_ref()).step(*instead),
                (None, Some(renamed)) => unused.meant_for(key, Some(renamed)).step(did_you_mean(&renamed.word)),
                (None, None) => unused.label("remove it, or use it in a template or a schema"),
            }
        }
        UnusedFile { what } => {
            let message = match what.as_str() {
                "template" | "component" => format!("no page uses this {what}, so only its syntax is checked"),
                "asset" | "file beside a text" => format!("nothing uses this {what}, so it is not published"),
                _ => format!("nothing uses this {what}"),
            };
            warning!("unused-file", "{message}").label(match what.as_str() {
                "stylesheet" => "import it in `templates/styles/main.css`, or remove it",
                _ => "use it, or remove it",
            })
        }
        UnusedCollection { name, nearest } => {
            error!("unused-collection", "no template or content uses the collection `{name}`")
                .label("remove it, or use it in a template")
                .meant(nearest.as_deref())
        }
        UnusedSchema { nearest } => error!("unused-schema", "this schema matches no collection and no template")
            .label("name it after a folder of `content/` or a template, or remove it")
            .meant(nearest.as_ref().map(|nearest| format!("{nearest}.schema.json")).as_deref()),
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["unused-key", "unused-file", "unused-collection", "unused-schema"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unused-key

Nothing reads this key: neither sitegen nor a template, an island or other content.
This is a warning: the key may be meant for later. Most often it is misspelt, or
is a key of another generator: sitegen reads `language`, `publish`, `expires`,
`updated` and `template`. A key counts as read if its name occurs as a word in a
template, an island or a schema, if content refers to it as in
`{{ site.phone }}`, or if a page names it, as in `sort_by: price`. If a template
reads all keys, as with `entry | json`, nothing is reported. A key is reported
once for all pages, and once for each collection. Below `term_names` the keys are
values of entries, and those that no entry has are reported.

```markdown
---
title: Unser Brot
lang: de
---
```

```markdown
---
title: Unser Brot
language: de
---
```

## unused-file

Nothing uses this template, component, island, asset or stylesheet.
This is a warning: the file may be meant for later. If no page uses a template,
only its syntax is checked. A file counts as used if any text in the project
contains its name. An asset counts as used if the finished site refers to it or
shows copies of it: nothing else is published. An asset that only a page with a
later publication date uses is not reported.

```css
/* templates/styles/main.css */
body { margin: 0 }
```

```css
/* templates/styles/main.css */
@import "tokens.css";
body { margin: 0 }
```

## unused-collection

No template or content uses the files in this folder.
Everything in it would silently be left out. Most often the folder or its name
in the template is misspelt. A folder is used if a template refers to it as
`collections.loaves` or `entries.loaves`, or if content refers to one of its
entries.

```text
content/loafs/rye.yaml          {% for loaf in collections.loaves %}
```

```text
content/loaves/rye.yaml         {% for loaf in collections.loaves %}
```

## unused-schema

The name of a schema matches no collection, no template and not `site`.
A schema validates the files that match its name: `loaves.schema.json` validates
the entries in `content/loaves/`, `pages/home.schema.json` the pages rendered
with the template `templates/pages/home.html`, and `site.schema.json` the file
`content/site.yaml`. With any other name it would validate nothing.

```text
content/loaves/rye.yaml
content/schemas/loafs.schema.json
```

```text
content/loaves/rye.yaml
content/schemas/loaves.schema.json
```
"#;
