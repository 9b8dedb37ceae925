//! Assets and files of `content/public`: pictures, SVGs, and files that browsers run.

use super::super::Meant;
use super::description::{Description, error, warning};
use crate::paths::{PUBLIC, SourcePath};

/// A picture or another file that cannot be published, or not as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum AssetProblem {
    /// A missing file of `content/assets`. `path`: the path below `content/assets`; `nearest`: the most similar path
    /// there, or the file of `content/public` that has this path.
    UnknownAsset { path: String, nearest: Option<Meant> },
    /// A file that cannot be used as a picture.
    BadPicture { path: String, detail: String, fix: String },
    /// A setting of pictures that cannot be followed.
    BadPictureSetting { detail: String },
    /// An image without `width` and `height`: what follows it moves when it arrives.
    UnsizedImage,
    /// A picture that is published as it is, and says where it was taken. `is_copied`: whether copies of it can be
    /// shown instead.
    PicturePosition { is_copied: bool },
    /// A link preview that cannot be rendered, or whose text would be cut off or unreadable. `template`: its template
    /// below `templates`.
    SocialPicture { template: String, detail: String, fix: String },
    /// A picture that is shown wider than its largest file. `shown`: how wide it is shown, in CSS pixels; `width`: how
    /// wide its largest file is, in pixels.
    SmallPicture { shown: u32, width: u32 },
    /// An SVG that contains script or that is invalid.
    UnsafeSvg { detail: String, fix: String },
    /// A file of a kind that browsers run, or that cannot be inspected, among the assets.
    ActiveFile { extension: String },
    /// A page of `content/public` that runs script.
    PublicScript,
}

pub(super) fn describe(problem: &AssetProblem) -> Description {
    use AssetProblem::*;
    match problem {
        UnknownAsset { path, nearest } => {
            let is_public = |file: &&Meant| SourcePath::new(file.word.as_str()).below(PUBLIC).is_some();
            let unknown = |more| error!("unknown-asset", "there is no asset `{path}`{more}");
            match nearest.as_ref().filter(is_public) {
                Some(_) => unknown(": the file is in `content/public`, not in `content/assets`")
                    .label(format!("move it to `content/assets/{path}`")),
                None => unknown("").meant_for(path, nearest.as_ref()),
            }
        }
        BadPicture { path, detail, fix } => {
            error!("bad-picture", "`{path}` cannot be used as a picture: {detail}").label(fix)
        }
        BadPictureSetting { detail } => error!("bad-picture-setting", "{detail}"),
        UnsizedImage => warning!(
            "unsized-image",
            "this `<img>` needs `width` and `height`: without them the page will shift when the image loads"
        )
        .label("set both to the size of the file in pixels; CSS can still scale the image")
        .picture_size(),
        PicturePosition { is_copied } => {
            let (instead, fix) = match is_copied {
                true => (
                    "show it with `picture(…)` or in Markdown, or ",
                    "show it in Markdown or with `picture(…)`, which publish copies without the location, or remove \
                         the location",
                ),
                false => ("", "remove the location, as with `exiftool -gps:all= <file>`"),
            };
            warning!(
                "picture-position",
                "this file contains GPS coordinates and is published unchanged: {instead}remove the location"
            )
            .label(fix)
        }
        SocialPicture { template, detail, fix } => {
            error!("social-picture", "the link preview from `templates/{template}` cannot be generated: {detail}")
                .label(fix)
        }
        SmallPicture { shown, width } => warning!(
            "small-picture",
            "this picture is shown up to {shown} pixels wide, but its largest file is only {width} pixels wide"
        )
        .label("use a larger picture or larger `widths`, or set a smaller width in `sizes`"),
        UnsafeSvg { detail, fix } => error!("unsafe-svg", "this SVG is rejected: {detail}").label(fix),
        ActiveFile { extension } if extension == "svgz" => error!("active-file", "a compressed SVG cannot be checked")
            .label("save it as `.svg`; hosts compress it themselves"),
        ActiveFile { extension } => {
            error!("active-file", "browsers may run code in a `.{extension}` file, so it cannot be an asset")
                .label("move it to `content/public/` if it must be published as it is")
        }
        PublicScript => {
            warning!("public-script", "this page runs scripts and is published unchanged, without a security policy")
                .label("remove the script, or make this a page with an island")
        }
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["unknown-asset", "unsized-image", "picture-position", "small-picture"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unknown-asset

The file does not exist in `content/assets/`.
Images, documents and SVGs are in that folder, and pages refer to them by their
path inside it. Paths are case-sensitive, even if your own computer ignores
case: on most hosts visitors would see a broken image.

```markdown
![Our oven](photos/Oven.jpg)
```

```markdown
![Our oven](photos/oven.jpg)
```

## bad-picture

A file with the extension of a picture cannot be used as one.
It is another kind of file, it was cut off while it was copied, its data is
damaged, it uses the colours of a printing press (CMYK), or it has more pixels
than any screen shows. Browsers would show part of it, wrong colours or nothing.
The message says what is wrong with the file, at the line that refers to it. The
content of a file determines its type: renaming `photo.heic` to `photo.jpg` does
not make it a JPEG.

```markdown
![Our oven](photos/oven.heic.jpg)
```

```markdown
![Our oven](photos/oven.jpg)
```

## bad-picture-setting

A value below `settings.pictures` in `content/site.yaml` is not valid.
`sizes` declares how wide pictures are shown. Browsers read it before they know
the layout, so it contains lengths, such as `45rem` or `100vw`, and no
percentages. Each length except the last has a condition before it.

```yaml
settings:
  pictures:
    sizes: "(min-width: 48rem) 45rem, 100%"
```

```yaml
settings:
  pictures:
    sizes: "(min-width: 48rem) 45rem, 100vw"
```

## unsized-image

An image does not declare its size, so the page will shift when the image loads.
Browsers reserve space for an image if they know its aspect ratio. They get it
from `width` and `height`, in pixels and without a unit, long before the file
has loaded. CSS such as `img { max-width: 100%; height: auto; }` still decides
how large the image is shown. `picture(…)` and Markdown write both
automatically.

```html
<img src="{{ asset(path="map.svg") }}" alt="The way to the mill">
```

```html
<img src="{{ asset(path="map.svg") }}" alt="The way to the mill" width="640" height="480">
```

## picture-position

A published picture contains the GPS coordinates of the place where it was taken.
Phones add them to every photograph, and anyone can read them in the file. This
is a warning: the place may be no secret. The copies that Markdown and
`picture(…)` show do not contain this data; files that a link, a style or
`asset(…)` refers to, animations, and files in `content/public` are published
unchanged. Photo applications remove the coordinates when they export with
“without location”.

```html
<img src="{{ asset(path="photos/team.jpg") }}" alt="Our team" width="800" height="600">
```

```html
{{ picture(path="photos/team.jpg", alt="Our team") }}
```

## social-picture

A link preview would not show what its template contains, so it is not generated.
The text has a character that no font in `content/assets/fonts/` has, or it
extends beyond the edge of the image, where it would be cut off. Or the template
uses a font that the site does not have, contains a picture, or has a size other
than 1200 by 630. Lines of an SVG do not wrap automatically: `wordwrap` splits
text into lines.

```svg
<text x="80" y="200" font-size="80">{{ title }}</text>
```

```svg
{% for line in title | wordwrap(width=22) | split(pat="\n") %}
<text x="80" y="{{ 200 + loop.index0 * 92 }}" font-size="80">{{ line }}</text>
{% endfor %}
```

## small-picture

A picture is shown wider than its largest file, so it looks blurred.
`sizes` declares how wide it is shown. No copy is larger than the picture in
`content/assets/`, and none is wider than the requested widths.

```html
{{ picture(path="photos/thumb.jpg", alt="The oven", sizes="720px") }}
```

```html
{{ picture(path="photos/oven.jpg", alt="The oven", sizes="720px") }}
```

## unsafe-svg

An SVG contains more than graphics, so it is not published.
An SVG file is a small document: it can contain scripts, links and styles, and
load other files. Opened directly, it runs with the rights of the whole site. So
scripts, attributes such as `onload` and embedded HTML are not allowed, nor is a
`<!DOCTYPE>`, except with the entities of Illustrator, which are expanded. Its
addresses can only be parts of itself (`#shade`), embedded raster images, and
links to `https:` pages. An SVG that `inline_svg` inserts into a page is
restricted further, because browsers parse it as HTML there: shapes, text,
gradients, clips and filters with presentation attributes.

```html
<svg xmlns="http://www.w3.org/2000/svg" onload="draw()"><path d="M0 0h8v8z"/></svg>
```

```html
<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>
```

## active-file

An asset is a file that browsers can run, or one that cannot be checked.
A page, a script or an XML file in `content/assets/` would run with the rights
of the site, and a build does not check it. A compressed SVG (`.svgz`) cannot be
checked, and many hosts serve it incorrectly. Put a file that must be published
unchanged, such as a proof of ownership for another service, in
`content/public/`.

```text
content/assets/proof.html
```

```text
content/public/proof.html
```

## public-script

A page in `content/public/` runs scripts.
Files there are published unchanged: they get no security policy and are not
checked, so a script in such a page runs with the rights of the whole site. That
may be intended, so this is a warning. A page with an island instead gets a
policy that lists its scripts.

```html
<p onclick="play()">Play</p>
```

```html
<p>Play</p>
```
"#;
