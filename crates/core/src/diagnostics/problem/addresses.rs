//! The addresses of pages, and those that an earlier publication had.

use super::description::{Description, error, list, warning};
use crate::paths::Format;

/// An address that no page can have, or that a page has lost.
#[derive(Clone, Debug, PartialEq)]
pub enum AddressProblem {
    /// An entry without a key that its address has, or with one that no address can have. `found`: what it is, if it is
    /// there.
    AddressKey { key: String, found: Option<&'static str> },
    /// An address of an earlier publication at which nothing is any more. `to`: where its page may have moved.
    GoneAddress { address: String, to: Option<String> },
    /// Headings of an earlier publication that a page no longer has. `sections`: their ids; `nearest`: the id of a
    /// heading that the first of them probably has now.
    GoneSection { address: String, sections: Vec<String>, nearest: Option<String> },
    /// Two pages for one route.
    DuplicateRoute { route: String, other: String },
    /// Two pages at addresses that some host takes for one, or that need the same file. `taken`: the address of the other page.
    SimilarRoute { route: String, taken: String, other: String },
    /// Two terms whose addresses are made of the same letters. `slug`: what both are in addresses.
    TermAddress { name: String, other: String, slug: String },
    /// A file name whose route not every host can serve.
    BadRoute { route: String },
    /// An alias that is no path of the site.
    BadAlias { alias: String },
    /// A key `path` with an address that no page can have.
    BadPath { path: String },
    /// A page at an address that its host redirects to another one. `to`: that one, if the host answers there.
    RedirectedPath { host: &'static str, path: String, to: Option<String> },
    /// A page at an address that belongs to files with a digest in their names.
    ReservedRoute { route: String },
    /// A base URL that is invalid.
    BadBaseUrl { value: String },
}

pub(super) fn describe(problem: &AddressProblem) -> Description {
    use AddressProblem::*;
    match problem {
        AddressKey { key, found } => address_key(key, *found),
        GoneAddress { address, to } => {
            let fix = match to {
                None if Format::extension(address).is_some() => {
                    format!("add `- {address}` to `gone`, or redirect it under `redirects`")
                }
                to => format!(
                    "add `- {{ from: {address}, to: {} }}` to `redirects`, or `- {address}` to `gone`",
                    to.as_deref().unwrap_or("/")
                ),
            };
            error!("gone-address", "`{address}` was published before, but no longer exists")
                .label(format!("{fix}; if it was never online, build once with `--against none`"))
        }
        GoneSection { address, sections, nearest } => {
            let named: Vec<String> = sections.iter().map(|section| format!("#{section}")).collect();
            let headings = if named.len() == 1 { "heading" } else { "headings" };
            let first = sections.first().map_or("", String::as_str);
            let fix = format!("to keep an id, write it after the heading: `{{#{first}}}`");
            let now = nearest.as_ref().map_or(String::new(), |nearest| format!(" (the heading is now `#{nearest}`)"));
            let named = list(&named);
            warning!("gone-section", "`{address}` has lost the {headings} {named} since it was published; {fix}").label(
                format!(
                    "links on other sites may still point to `#{first}`{now}; this is reported until the next \
                     `sitegen build`"
                ),
            )
        }
        DuplicateRoute { route, other } => error!("duplicate-route", "the route `{route}` is already taken by {other}")
            .label("rename one of the two files"),
        SimilarRoute { route, taken, other } => error!(
            "duplicate-route",
            "some hosts do not distinguish the address `{route}` from `{taken}`, which {other} has"
        )
        .label("change more than the letter case, `.html` or the slash at the end"),
        TermAddress { name, other, slug } => {
            error!("duplicate-route", "the terms `{name}` and `{other}` would have the same address, `{slug}`")
                .label("addresses keep only letters and digits: write the term in words, like `C sharp` for `C#`")
        }
        BadRoute { route } => error!("bad-route", "not every host can serve the route `{route}`")
            .label("use lower-case letters, digits and `-` in the file name"),
        BadAlias { alias } => error!("bad-alias", "`{alias}` is not a path of this site").label(
            "write it from the root of the site, like `/old/page`, with letters, digits, `-`, `_`, `.` and `~`",
        ),
        BadPath { path } if !path.starts_with('/') => {
            error!("bad-route", "`{path}` cannot be the address of a page: it has no slash at its begin")
                .label("write the address from the root of the site, like `/2015/05/15/Rust-1.0.html`")
        }
        BadPath { path } if path.starts_with("/404") => error!(
            "bad-route",
            "`{path}` cannot be the address of a page: hosts show that one where an address has none"
        )
        .label("write it as `content/pages/404.md`, without `path`"),
        BadPath { path } => error!("bad-route", "`{path}` cannot be the address of a page").label(
            "use letters, digits, `-`, `_`, `~`, `/` and dots inside a name; an address with other characters cannot be kept",
        ),
        RedirectedPath { host, path, to } => {
            let fix = match to {
                Some(to) => format!("write `path: {to}`; visitors of the old address are redirected to it by {host}"),
                None => "choose another address".to_owned(),
            };
            error!("redirected-path", "{host} does not show a page at the address `{path}`").label(fix)
        }
        ReservedRoute { route } => error!(
            "reserved-route",
            "a page cannot have the address `{route}`: `/assets` is reserved for published assets and scripts"
        )
        .label("give the file or its folder a name other than `assets`"),
        BadBaseUrl { value } => {
            error!("bad-base-url", "`{value}` is not a valid base URL").label("write it like `https://www.example.com`")
        }
    }
}

fn address_key(key: &str, found: Option<&str>) -> Description {
    let (message, fix) = match (key, found) {
        (_, None) => (
            format!("the address of this entry needs the key `{key}`, which is missing"),
            match key {
                "date" => "add a date, like `date: 2026-05-04`".into(),
                _ => format!("add `{key}: …` with a word or a number"),
            },
        ),
        ("date", Some(_)) => (
            "the address of this entry needs a date, but this is not one".into(),
            "write the year, the month and the day, like `2026-05-04`".into(),
        ),
        (_, Some(found)) => (
            format!("the address of this entry needs the key `{key}`, but {found} cannot be part of an address"),
            "write a word or a number".into(),
        ),
    };
    error!("address-key", "{message}").label(fix)
}

/// The codes of judgements: a site may set their severity, and suppress their errors.
pub(super) const ADJUSTABLE: &[&str] = &["gone-section"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## address-key

A key that is part of an entry's address is missing or cannot be used in an address.
The path of a page file such as `news/[year]/[slug]` defines which keys of an
entry are part of its address. Each must be a word or a number. `year`, `month`
and `day` come from the key `date`.

```yaml
# content/news/opening.yaml, for content/pages/news/[year]/[slug].yaml
title: Opening
```

```yaml
title: Opening
date: 2026-05-04
```

## gone-address

An address that was published before no longer exists.
Links on other sites, bookmarks and search results still lead to it, and feed
readers request a feed for years. A build compares its pages, feeds and other
XML, JSON and calendar files with those in `manifest.json` in the output folder,
or in the file given with `--against`. Redirect the old address, or list it
under `gone` if nothing replaces it. This does not apply to drafts, expired
pages, or further pages of a list that has become shorter. If the page was never
online, build once with `--against none`, which skips the comparison.

```sh
mv content/pages/prices.md content/pages/price-list.md
sitegen build
```

```yaml
redirects:
  - { from: /prices, to: /price-list }
gone:
  - /christmas-2019
```

## gone-section

A published page had a heading that is now missing or has another id.
Links on other sites to that heading now lead to the top of the page. The build
cannot know whether there are any, so this is a warning, and it disappears after
the next publication. A build compares the pages that have changed with those in
the output folder, or next to the file given with `--against`. To keep the id of
a heading when its text changes, write the id after the heading.

```markdown
### What it costs
```

```markdown
### What it costs {#prices}
```

## duplicate-route

Two pages would have the same address.
The address of a page comes from its file name: `prices.md` and
`prices/index.md` both have the address `/prices`, and a host can serve only one
of them. Rename one. Two entries whose addresses consist of the same words also
collide, as do two terms that differ only in signs, such as `C` and `C#`: write
one of them out.

```text
content/pages/prices.md
content/pages/prices/index.md
```

```text
content/pages/prices.md
content/pages/prices/wholesale.md
```

## bad-route

The file name produces an address that not every host can serve.
The address of a page is its file name. Some hosts are case-sensitive and some
are not; spaces and most signs need escapes like `%20`; and many hosts skip
names that begin with a dot. Use lower-case letters and digits of any script,
`-`, `_`, `~` and dots inside a name. The name must not contain invisible
characters, such as the joiners between Persian letters; write `-` instead.

To keep an old address that no file name can have, write it into the key `path`.
It begins with a slash, and may have capital letters, `.html` or a slash at its
end.

```text
content/pages/Our Oven.md
```

```text
content/pages/our-oven.md
```

## bad-alias

A value of `aliases` is not a path of this site.
Each alias is an old address of the page, from the root of the site, without the
name of the host, `?` and `#`. The base path of the site is added to it.

```yaml
aliases: [old/prices, "https://www.bakery.test/price-list"]
```

```yaml
aliases: [/old/prices, /price-list]
```

## redirected-path

The key `path` is an address that the host redirects to another one.
Cloudflare Pages redirects `/rust.html` to `/rust`, and so does Vercel with
`routes: file`. Vercel also removes a slash at the end. The page cannot stay at
its old address there, but visitors of the old address still arrive. Write the
address to which the host redirects, so that links, the sitemap and feeds do not
lead through a redirect.

```yaml
path: /2015/05/15/Rust-1.0.html
```

```yaml
path: /2015/05/15/Rust-1.0
```

## reserved-route

A page cannot have an address below `/assets`.
Images, fonts and scripts are published there, under names that change with
their content. Hosts let browsers cache everything below `/assets` for a year,
and nginx serves nothing else there. Visitors would see an outdated page, or
none.

```text
content/pages/assets/price-list.md
```

```text
content/pages/downloads/price-list.md
```

## bad-base-url

This is not a valid base URL for a site.
A base URL consists of `https://` or `http://`, the host name, and optionally a
path. It must not contain a question mark, a `#` or a space. Canonical links and
the sitemap begin with it, so a wrong one would mislead search engines.

```yaml
url: https://www.bakery.test/?from=map
```

```yaml
url: https://www.bakery.test
```
"#;
