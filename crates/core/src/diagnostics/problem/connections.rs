//! Connections to other hosts, which `site.yaml` declares.

use super::super::Meant;
use super::description::{Description, declared, error, there_is, warning};

/// Something from another host, or the declaration of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum ConnectionProblem {
    /// Something from another host that no declared connection allows. `kind`: what it is for, as in `site.yaml`.
    UndeclaredConnection { address: String, origin: String, kind: &'static str, nearest: Option<String> },
    /// A name of a connection that `site.yaml` does not declare for fetching. `is_declared`: whether there is one of
    /// this name, for something else; `known`: the names that are declared for fetching.
    UnknownConnection { name: String, is_declared: bool, nearest: Option<Meant>, known: Vec<String> },
    /// A name that a connection cannot have.
    ConnectionName { name: String },
    /// A declared connection that no page uses. `kind`: what nothing uses it for.
    UnusedConnection { name: String, kind: String },
    /// A connection whose scripts may change unnoticed, as `site.yaml` says.
    UncheckedScript { name: String },
    /// A script of another host without `integrity`, or without what browsers need to check it. `attribute`: the
    /// attribute that is missing.
    ScriptIntegrity { address: String, attribute: &'static str },
    /// A frame without an attribute that it needs. `attribute`: `sandbox` or `title`.
    FrameAttribute { attribute: &'static str },
    /// A frame that allows a feature which its connection does not have.
    FrameFeature { feature: String },
}

pub(super) fn describe(problem: &ConnectionProblem) -> Description {
    use ConnectionProblem::*;
    match problem {
        UndeclaredConnection { address, origin, kind, nearest } => {
            let used = match *kind {
                "script" => "loads a script from",
                "frame" => "embeds a page from",
                "image" => "loads an image from",
                "style" => "loads a stylesheet from",
                "font" => "loads a font from",
                "media" => "loads sound or video from",
                _ => "connects to",
            };
            error!(
                "undeclared-connection",
                "this page {used} `{address}`, but `site.yaml` declares no connection for it"
            )
            .label(match nearest {
                Some(nearest) => declared(nearest),
                None => format!(
                    "declare one with `origin: {origin}` and `for: {kind}` in `settings.connections` of \
                         `content/site.yaml`, or remove it"
                ),
            })
        }
        UnknownConnection { name, is_declared: true, .. } => {
            error!("unknown-connection", "the connection `{name}` is not declared for `fetch`")
                .label("add `fetch` to its `for` in `content/site.yaml`")
        }
        UnknownConnection { name, nearest, known, .. } => {
            error!("unknown-connection", "there is no connection `{name}`")
                .label(match known.is_empty() {
                    true => "declare it in `settings.connections` of `content/site.yaml`".into(),
                    false => format!(
                        "{}; declare another one in `settings.connections` of `content/site.yaml`",
                        there_is(known)
                    ),
                })
                .meant_for(name, nearest.as_ref())
        }
        ConnectionName { name } => error!("connection-name", "`{name}` is not a valid connection name")
            .label("use letters, digits, `-` and `_`, as in `newsletter`"),
        UnusedConnection { name, kind } => {
            warning!("unused-connection", "no page uses the connection `{name}` for `{kind}`")
                .label("remove it; `connections()` would list it for visitors")
        }
        UncheckedScript { name } => warning!(
            "unchecked-script",
            "whoever controls the host of `{name}` can change the scripts that run on this site"
        )
        .label("if the scripts never change, add `integrity` to each of them and remove this line"),
        ScriptIntegrity { address, attribute: "crossorigin" } => {
            error!("script-integrity", "browsers cannot check the `integrity` of `{address}` without `crossorigin`")
                .label("add `crossorigin=\"anonymous\"`")
        }
        ScriptIntegrity { address, .. } => error!(
            "script-integrity",
            "the script `{address}` has no `integrity`: its host could replace it unnoticed"
        )
        .label(
            "add `integrity=\"sha384-…\" crossorigin=\"anonymous\"`; if its host changes the script from time to \
                 time, write `without_integrity: true` in its connection",
        ),
        FrameAttribute { attribute: "title" } => error!("frame", "this `<iframe>` has no `title` for screen readers")
            .label("describe what it shows: `title=\"Map of the taproom\"`"),
        FrameAttribute { attribute } => {
            error!("frame", "this `<iframe>` embeds another site but has no `{attribute}` attribute")
                .label("add `sandbox` with the permissions that the page needs, like `sandbox=\"allow-scripts\"`")
        }
        FrameFeature { feature } => {
            error!("frame", "the connection of this frame does not allow the feature `{feature}`")
                .label("add it to `features` of the connection in `content/site.yaml`, or remove it")
        }
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["unused-connection"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## undeclared-connection

The page loads something from another host, but no connection declares it.
Every visitor of the page contacts that host. `site.yaml` declares which hosts
these are, what they are for, and why; the page's security policy blocks all
others.

```html
<img src="https://photos.example/mill.jpg" alt="The mill" width="640" height="480">
```

```yaml
# content/site.yaml
settings:
  connections:
    photos:
      origin: https://photos.example
      for: image
      why: Shows photographs from our archive.
```

## unknown-connection

An island or a script names a connection that is not declared for `fetch`.
`connect="…"` names a connection in `site.yaml` whose `for` contains `fetch`.

```html
{{ island(component="Signup", connect="newsleter") }}
```

```html
{{ island(component="Signup", connect="newsletter") }}
```

## connection-name

The name of a connection contains characters that are not allowed.
Pages list the names of their connections, separated by spaces.

```yaml
settings:
  connections:
    news letter: { origin: https://lists.example, for: form, why: … }
```

```yaml
settings:
  connections:
    newsletter: { origin: https://lists.example, for: form, why: … }
```

## unused-connection

No page uses a connection that `site.yaml` declares.
This is a warning: the connection does no harm, but `connections()` lists it for
visitors, who would read about something that never happens.

```yaml
settings:
  connections:
    map: { origin: https://maps.example, for: frame, why: Shows the way. }
```

Remove it, or use it in a page:

```html
<iframe src="https://maps.example/bakery" title="The way to us"
  sandbox="allow-scripts"></iframe>
```

## unchecked-script

A connection allows scripts without `integrity`.
This is a warning at each build: whoever controls that host, or breaks into it,
decides what runs in your visitors' browsers. Some hosts change their script
from time to time; others offer fixed versions, which `integrity` can verify.

```yaml
settings:
  connections:
    counter:
      origin: https://count.example
      for: script
      why: Counts visits.
      without_integrity: true
```

```html
<script src="https://count.example/v3/count.js" integrity="sha384-…"
  crossorigin="anonymous"></script>
```

## script-integrity

A script from another host has no `integrity`, or browsers cannot check it.
`integrity` contains a hash of the script (Subresource Integrity). A browser
runs the script only if it is unchanged. For that it must be able to read the
file, which requires `crossorigin`.

```html
<script src="https://count.example/count.js"></script>
```

```html
<script src="https://count.example/count.js" integrity="sha384-…"
  crossorigin="anonymous"></script>
```

## frame

An `<iframe>` lacks a required attribute, or allows too much.
A frame of another site needs `sandbox`, which limits what the embedded page can
do (without it: navigate away from your page, open windows, ask for passwords).
Every frame needs a `title`, which screen readers announce. `allow` can contain
only the `features` of the connection in `site.yaml`.

```html
<iframe src="https://maps.example/mill"></iframe>
```

```html
<iframe src="https://maps.example/mill" title="Map of the mill"
  sandbox="allow-scripts"></iframe>
```
"#;
