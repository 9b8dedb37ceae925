//! What scripts and stylesheets import.

use super::super::Meant;
use super::description::{Description, did_you_mean, error};

/// A script that does not compile, or an import of something that is not there.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportProblem {
    /// esbuild's message about a script.
    Bundle { detail: String },
    /// An import of a missing file.
    MissingImport { path: String, nearest: Option<Meant> },
    /// A file that `new URL(…, import.meta.url)` of an island names and that cannot be published. `written`: its path,
    /// unless it is known only when the expression is evaluated.
    IslandFile { written: Option<String> },
    /// An import of a file outside the project, or of another host. `path`: the path or the address.
    OutsideImport { path: String },
    /// An import of a package that is not installed. `nearest`: a package of a similar name that the project has.
    MissingPackage { name: String, nearest: Option<String> },
    /// An import of a module of Node for browsers. `name`: its name, as it is written.
    NodeModule { name: String },
}

pub(super) fn describe(problem: &ImportProblem) -> Description {
    use ImportProblem::*;
    match problem {
        Bundle { detail } => error!("bundle", "{detail}"),
        MissingImport { path, nearest } => error!("missing-import", "there is no file `{path}`")
            .label("write a path relative to this file")
            .meant_for(path, nearest.as_ref()),
        IslandFile { written: Some(written) } => {
            error!("island-file", "`{written}` is not a file that an island can publish").label(
                match written.starts_with('/') {
                    true => "write the address alone, without `new URL`, or a path that begins with a dot",
                    false => "an island can publish images, fonts, audio, videos and PDFs; `import` a script or JSON",
                },
            )
        }
        IslandFile { written: None } => {
            error!("island-file", "the build cannot determine which file this address refers to")
                .label("write the path in quotes, such as `new URL(\"./loaf.png\", import.meta.url)`")
        }
        OutsideImport { path } => {
            let is_remote = path.contains(':') || path.starts_with("//");
            error!("outside-import", "`{path}` cannot be imported here").label(match is_remote {
                true => "download it into the project; pages cannot load it from another host",
                false => "copy it next to this file, or install its package",
            })
        }
        MissingPackage { name, nearest } => {
            let install = format!("run `npm install {name}`");
            let meant = nearest.as_ref().map(|nearest| format!("{} Otherwise {install}", did_you_mean(nearest)));
            error!("missing-package", "the package `{name}` is not installed").label(meant.unwrap_or(install))
        }
        NodeModule { name } => error!("missing-package", "`{name}` is a Node.js module, which browsers do not have")
            .label("use a browser API, or prepare the data before the build and pass it to the island as a prop"),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## bundle

An island has a syntax error.
The message comes from esbuild, which bundles scripts: a missing or extra
bracket, or a mismatched tag.

```tsx
return <p>One</b>;
```

```tsx
return <p>One</p>;
```

## missing-import

A stylesheet or an island refers to a file that does not exist.
The path begins with a dot and is relative to the file that contains it: `./` is
its own folder, `../` the parent folder. Paths are case-sensitive, even if your
own computer ignores case.

```css
body { background: url(../../content/assets/Flour.png) }
```

```css
body { background: url(../../content/assets/photos/flour.png) }
```

## island-file

An island refers to the address of a file that is not published.
`new URL("./loaf.png", import.meta.url)` publishes the file next to the script
and returns its address. The path must be in quotes, since the build has to
determine the file; for several files, write one such expression each. Images,
fonts, audio, videos and PDFs can be published. A script is imported with
`import`. A file in `content/public/` already has an address: use that.

```typescript
const loaf = new URL(`./${name}.png`, import.meta.url);
```

```typescript
const rye = new URL("./rye.png", import.meta.url);
const spelt = new URL("./spelt.png", import.meta.url);
const loaf = name === "rye" ? rye : spelt;
```

## outside-import

A stylesheet or an island imports something outside the site.
Styles and islands can use files of the project and of the packages that npm
installed. A file elsewhere may be missing on another computer, or may be
private; symbolic links are followed before this check. An address on another
host would be loaded by every visitor's browser.

```typescript
import rates from "https://cdn.example/rates.js";
```

```typescript
import rates from "./parts/rates";
```

## missing-package

An island imports a package that is not installed.
A name that does not begin with a dot or a slash is an npm package.
`npm install` adds it to `package.json` and the lock file, so that builds on
other computers have it too. If you mean your own file, begin its path with
`./`. Node.js modules, such as `fs` and `path`, are not available in browsers:
an island runs there, and its HTML must not depend on the computer that builds
the site.

```tsx
import { price } from "parts/price";
```

```tsx
import { price } from "./parts/price";
```
"#;
