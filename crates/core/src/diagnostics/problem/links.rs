//! Links to pages, sections and files.

use super::super::{Certainty, Meant};
use super::description::{Description, error, there_is, warning};
use crate::paths::is_percent_encoding;

/// A link that leads nowhere, or a page that none leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkProblem {
    /// A link to a page that the site does not have.
    BrokenLink { target: String, nearest: Option<Meant> },
    /// A link to a section that its page does not have. `known`: ids of the page, at most one more than
    /// [`NAMED`](super::description::NAMED), if none is similar.
    BrokenSection { target: String, page: String, nearest: Option<Meant>, known: Vec<String> },
    /// An image, script, stylesheet or other file that the site does not have.
    BrokenFile { target: String, nearest: Option<Meant> },
    /// An address that begins at the host's root although the site is below a path of it. `base_path`: the path of the
    /// site on its host.
    /// `is_in_text`: whether it stands in a text and not in a template.
    OutsideBase { target: String, base_path: String, is_in_text: bool },
    /// An address that means another page depending on a slash at the end of the page's address. `absolute`: what it
    /// was probably meant to be, if there is such a page or file.
    RelativeLink { target: String, absolute: Option<String> },
    /// An invalid address of another site.
    BadAddress { address: String },
    /// A path in which `%` is not followed by two hexadecimal digits.
    BadEscape { address: String },
    /// A reference to a page that is left out on this day. `reason`: why it is left out.
    Hidden { target: String, reason: String },
    /// The page of an entry that no other page links to.
    UnlinkedPage { route: String },
}

pub(super) fn describe(problem: &LinkProblem) -> Description {
    use LinkProblem::*;
    match problem {
        BrokenLink { target, nearest } => {
            error!("broken-link", "the link `{target}` does not lead to any page of this site")
                .meant_address(target, nearest.as_ref())
        }
        BrokenSection { target, page, nearest, known } => {
            error!("broken-section", "the link `{target}` leads to a section that {page} does not have")
                .meant_for(target, nearest.as_ref())
                .label_if((!known.is_empty()).then(|| there_is(known)))
        }
        BrokenFile { target, nearest } => {
            // A file of content is not published, but the pages made from it.
            let path = target.split(['#', '?']).next().unwrap_or_default();
            let message = match path.ends_with(".md") || path.ends_with(".yaml") {
                true => format!("no page is made from `{target}`"),
                false => format!("the site has no file `{target}`"),
            };
            error!("broken-file", "{message}").meant_address(target, nearest.as_ref())
        }
        OutsideBase { target, base_path, is_in_text } => {
            let outside =
                error!("outside-base", "`{target}` is outside the site, which is published under `{base_path}`");
            let inside = format!("{base_path}{target}");
            match is_in_text {
                true => outside.label(format!("write `{inside}`")).code(target, &inside, Certainty::Certain),
                false => outside.label(format!("write `url(path=\"{target}\")` in the template")).code(
                    target,
                    &format!("{{{{ url(path=\"{target}\") }}}}"),
                    Certainty::Certain,
                ),
            }
        }
        RelativeLink { target, absolute } => {
            let relative = error!(
                "relative-link",
                "the relative address `{target}` leads to another page when the address of this page ends with a slash"
            );
            match absolute {
                None => relative.label("write the full path, beginning with `/`"),
                Some(absolute) => {
                    let path = target.split(['#', '?']).next().unwrap_or(target);
                    relative.label(format!("write `{absolute}`")).code(path, absolute, Certainty::Certain)
                }
            }
        }
        BadAddress { address } if address.is_empty() => {
            error!("broken-link", "this link has no address").label("write it like `https://www.example.com/path`")
        }
        BadAddress { address } => {
            let message = format!("`{address}` is not a valid web address");
            error!("bad-address", "{message}").label(match address.starts_with("mailto:") {
                true => "write it like `mailto:name@example.com`",
                false => "write it like `https://www.example.com/path`",
            })
        }
        BadEscape { address } if is_percent_encoding(address) => {
            error!("bad-address", "the escapes in `{address}` are not UTF-8, as those of addresses are")
                .label("write the letters themselves")
        }
        BadEscape { address } => {
            error!("bad-address", "the `%` in `{address}` does not begin a valid percent-encoding (two hex digits)")
                .label("write `%25` for a percent sign")
        }
        Hidden { target, reason } => {
            error!("hidden-page", "the link `{target}` leads to a page that is not published: {reason}").label(
                match reason.ends_with("a draft") {
                    true => "remove the link, or the `draft: true` of the page",
                    false => "remove the link, or change the page's dates",
                },
            )
        }
        UnlinkedPage { route } => warning!("unlinked-page", "no page links to this entry's page, `{route}`")
            .step("link to it from a page, or write `noindex: true` if it is meant to be unlisted"),
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] =
    &["unlinked-page", "broken-link", "broken-section", "broken-file", "relative-link", "hidden-page"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unlinked-page

The page of an entry is published, but no other page of the site links to it.
Visitors can find it only through a search engine or a feed. Usually a list is
missing, or its `where` or its limit leaves the entry out. For a page that is
meant to be unlisted, such as a campaign page, write `noindex: true`.

```yaml
# content/pages/news/index.yaml
list: { collection: news, where: { featured: true } }
```

```yaml
# content/pages/news/index.yaml
list: { collection: news, per_page: 20 }
```

## broken-link

A link leads to a page that does not exist on this site, or has no address at all.
Visitors would see an error page. The message marks the text that contains the
link and suggests the most similar page. Links to pages begin with `/` and do
not end in `.html`; from one Markdown file to another you can also write the
file name. With `routes: file`, do not add a trailing slash either: on some
hosts `/prices/` does not exist then.

If another site is there, below a path of the same host, name the path in
`settings.other_sites`.

```markdown
[Prices](/pirces)
```

```markdown
[Prices](/prices)
```

## broken-section

The page exists, but it has no section with this id.
The part after `#` is the id of an element. A heading in Markdown gets its id
from its text, in lower case with hyphens, so changing a heading breaks the
links to it; `{#hours}` after a heading sets a fixed id. The browser would show
the top of the page instead.

```markdown
[The oven](/about#our-ovn)
```

```markdown
[The oven](/about#our-oven)
```

## broken-file

The page refers to an image, script, style or other file that does not exist.
Visitors would see a gap or get an error. Files in `content/assets/` are
published under names that contain a hash, so a template gets their address with
`asset(path="…")`, and Markdown refers to them by their path in that folder.

```html
<img src="/photos/oven.jpg" alt="Our oven" width="320" height="213">
```

```html
<img src="{{ asset(path="photos/oven.jpg") }}" alt="Our oven"
  width="320" height="213">
```

## outside-base

The address leads outside the folder in which the site is published.
`url` in `content/site.yaml` can have a path, such as
`https://host.test/bakery`. Then `/prices` is someone else's page on that host,
and yours is at `/bakery/prices`. In templates `url()` and `asset()` add the
folder; links in Markdown get it automatically.

```html
<a href="/prices">Prices</a>
```

```html
<a href="{{ url(path="/prices") }}">Prices</a>
```

## relative-link

The address leads to different pages on different hosts.
Some hosts show this page at `/loaves/rye`, others at `/loaves/rye/`. An address
that does not begin with `/` is relative to that (WHATWG URL Standard), so it
leads to `/loaves/white` in one case and to `/loaves/rye/white` in the other.

```html
<a href="white">White bread</a>
```

```html
<a href="{{ url(path="/loaves/white") }}">White bread</a>
```

## bad-address

The address is not valid, so browsers or hosts cannot open it.
The host name is missing or contains a space, or nothing follows `mailto:`. In a
path on this site every `%` must begin a percent-encoding with two hex digits,
such as `%20` for a space and `%25` for the percent sign itself: hosts answer
anything else with "bad request". In file names a `%` is allowed. RFC 3986 and
the WHATWG URL Standard define the form of addresses. A build does not check
whether another site exists: it does not use the network.

```markdown
[Our mill](https:///flour)
```

```markdown
[Our mill](https://www.mill.test/flour)
```

## hidden-page

A link leads to a page that is not published on the day of this build.
It is a draft, its first day (`publish:`) is in the future, or its last day
(`expires:`) has passed. Visitors would see an error page. Remove the link, or
let a template write it only while the page is published. `--now` builds the
site as of another day, `--drafts` includes drafts and pages whose first day is
in the future.

```markdown
[Our Christmas stollen](/stollen)   (stollen.md has publish: 2026-12-15)
```

```markdown
Our Christmas stollen comes on 15 December.
```
"#;
