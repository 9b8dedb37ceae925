//! What the host is asked to do: headers and redirects.

use super::super::Certainty;
use super::description::{Description, error};

/// Something that hosts cannot do, or do themselves.
#[derive(Clone, Debug, PartialEq)]
pub enum HostProblem {
    /// A name that no header can have.
    HeaderName { name: String },
    /// A header that may not be set like this. `setting`: the setting for it; without one hosts set it themselves.
    ReservedHeader { name: String, setting: Option<&'static str> },
    /// A name that no feature of a browser can have.
    FeatureName { name: String },
    /// A Strict-Transport-Security for preloading that browsers' list would not accept. `lacks_subdomains`: whether the
    /// subdomains are missing, or the time is too short.
    Preload { lacks_subdomains: bool },
    /// More than a host accepts. `what`: what there is too much of: `header rules`, `characters in the header …`.
    HostLimit { host: &'static str, what: String, found: usize, limit: usize, advice: &'static str },
    /// A redirect to an address that the format of the host's file has no way to write. `sign`: the character that has
    /// another meaning there.
    HostAddress { host: &'static str, address: String, sign: char },
    /// Two redirects from one path.
    DuplicateRedirect { from: String },
    /// A redirect from a path where a page or a file is.
    RedirectTaken { from: String, by: String },
    /// A path under `gone` at which there is something.
    GoneTaken { path: String, by: String },
    /// A redirect that leads back to itself. `paths`: the paths of the loop, the first one again at the end.
    RedirectLoop { paths: Vec<String> },
    /// A redirect to a path that is redirected itself. `to`: where it leads; `end`: where that leads in the end.
    RedirectChain { to: String, end: String },
    /// A file of the site's own under a name that a build writes for the host.
    HostFile { path: String, host: &'static str },
    /// An address under `settings.deploy.to` that a site cannot be deployed to. `reason`: what is wrong with it, after `it`.
    DeployTarget { to: String, reason: String, fix: String },
}

pub(super) fn describe(problem: &HostProblem) -> Description {
    use HostProblem::*;
    match problem {
        HeaderName { name } => {
            error!("header-name", "`{name}` is not a valid header name").label("use letters, digits and `-`")
        }
        ReservedHeader { name, setting: Some(setting) } => {
            error!("reserved-header", "the header `{name}` has its own setting")
                .label(format!("write `settings.{setting}`"))
        }
        ReservedHeader { name, setting: None } => {
            error!("reserved-header", "hosts set the header `{name}` themselves").label("remove it")
        }
        FeatureName { name } => error!("feature-name", "`{name}` is not the name of a browser feature")
            .label("use lower-case letters, digits and `-`, as in `geolocation`"),
        Preload { lacks_subdomains: true } => {
            error!("hsts-preload", "browsers' preload list accepts a site only with all its subdomains")
                .label("add `include_subdomains: true`, or remove `preload`")
        }
        Preload { lacks_subdomains: false } => {
            error!("hsts-preload", "browsers' preload list requires a `max_age` of at least one year")
                .label("write `max_age: 31536000`, or remove `preload`")
        }
        HostLimit { host, what, found, limit, advice } => {
            let (limit, found) = (grouped(*limit), grouped(*found));
            error!("host-limit", "{host} allows at most {limit} {what}, but this site has {found}").label(*advice)
        }
        HostAddress { host, address, sign } => error!(
            "host-address",
            "{host} cannot redirect to `{address}`: `{sign}` in a section has another meaning in its files"
        )
        .label(format!("redirect to the page, or to a section without `{sign}` in its name")),
        DuplicateRedirect { from } => {
            error!("duplicate-redirect", "there are two rules for the path `{from}`").label("keep one of the two")
        }
        RedirectTaken { from, by } => error!("redirect-taken", "`{from}` cannot be redirected: {by} is there")
            .label("remove the redirect, or the page"),
        GoneTaken { path, by } => error!("redirect-taken", "`{path}` is listed in `gone`, but {by} is there")
            .label("remove it from `gone`, or remove the page"),
        RedirectLoop { paths } => {
            let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
            error!("redirect-loop", "this redirect is a loop: {}", paths.join(" to "))
                .label("point one of them to a page")
        }
        RedirectChain { to, end } => {
            error!("redirect-chain", "this redirect leads to `{to}`, which is itself redirected")
                .label(format!("write `{end}`, the final address"))
                .words(to, end, Certainty::Certain)
        }
        DeployTarget { to, reason, fix } => {
            error!("deploy-target", "the site cannot be deployed to `{to}`: it {reason}").label(fix.clone())
        }
        HostFile { path, host } => {
            let setting = if path == "_redirects" { "`redirects`" } else { "`settings.headers`" };
            error!("host-file", "a build for {host} generates `{path}` from `content/site.yaml`")
                .label(format!("use {setting} instead, or set `settings.host: none` to publish your own file"))
        }
    }
}

/// `2,000`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## header-name

A name below `settings.headers` is not a valid header name.
Header names consist of letters, digits and `-` and begin with a letter (RFC
9110, section 5.6.2, allows a few more characters, but some hosts do not).

```yaml
settings:
  headers:
    X Robots Tag: noai
```

```yaml
settings:
  headers:
    X-Robots-Tag: noai
```

## reserved-header

A header below `settings.headers` has its own setting, or is set by the host.
Two headers with the same name contradict each other; hosts join them or choose
one. So each header is set in one place: the security headers below
`settings.security` and `Cache-Control` in `settings.caching`. Headers such as
`Content-Type`, `Location` and `Set-Cookie` are left to the server that sends
the file.

```yaml
settings:
  headers:
    Referrer-Policy: no-referrer
```

```yaml
settings:
  security:
    referrer_policy: no-referrer
```

## feature-name

A name below `permissions_policy` is not the name of a browser feature.
Feature names consist of lower-case letters, digits and `-`. They are listed at
https://github.com/w3c/webappsec-permissions-policy, in `features.md`.

```yaml
settings:
  security:
    permissions_policy:
      GeoLocation: self
```

```yaml
settings:
  security:
    permissions_policy:
      geolocation: self
```

## hsts-preload

The site requests HSTS preloading, but the browsers' preload list would reject it.
The list (https://hstspreload.org) requires `Strict-Transport-Security` for at
least one year and for all subdomains. Consider this carefully: every subdomain
must then be served over HTTPS, and removal from the list takes months.

```yaml
settings:
  security:
    strict_transport_security:
      preload: true
```

```yaml
settings:
  security:
    strict_transport_security:
      include_subdomains: true
      preload: true
```

## host-limit

The site exceeds a limit of its host.
A host silently ignores what exceeds its limits: the last redirects do not work,
or a security header is not sent. Cloudflare Pages allows 100 header rules,
2,000 characters per header, 2,000 lines of redirects and 1,000 characters for
each of them; Vercel allows 2,048 redirects.

```yaml
settings:
  host: cloudflare-pages
  caching:
    pages: 300   # on a site of 100 pages
```

```yaml
settings:
  host: cloudflare-pages
```

## host-address

The address of a redirect has a character that the host's file cannot contain.
In the files of nginx and Vercel, `$` begins a variable. In a path or a query
the build writes `%24` for it. After `#` it cannot, because `%24` there names
another section.

```yaml
settings:
  host: nginx
redirects:
  - from: /price-list
    to: https://shop.example.com/bread#price-in-$
```

```yaml
settings:
  host: nginx
redirects:
  - from: /price-list
    to: https://shop.example.com/bread
```

## duplicate-redirect

Two redirects start from the same path.
Only one of them can apply, and hosts differ in which one they choose. A
trailing slash makes no difference.

```yaml
redirects:
  - from: /bread
    to: /loaves
  - from: /bread/
    to: /shop
```

```yaml
redirects:
  - from: /bread
    to: /loaves
```

## redirect-taken

A redirect starts from a path where the site has a page or a file.
Some hosts would redirect and never show the page; others would show the page
and never redirect. Remove one of the two.

```yaml
redirects:
  - from: /opening-hours # there is content/pages/opening-hours.md
    to: /contact
```

```yaml
redirects:
  - from: /hours
    to: /opening-hours
```

## redirect-loop

Redirects lead back to where they started.
A browser gives up after about twenty of them and shows an error.

```yaml
redirects:
  - from: /bread
    to: /loaves
  - from: /loaves
    to: /bread
```

```yaml
redirects:
  - from: /bread
    to: /loaves # a page
```

## redirect-chain

A redirect leads to a path that is itself redirected.
Visitors would wait for each step, and search engines follow only a few. Write
the final address.

```yaml
redirects:
  - from: /rolls
    to: /bread
  - from: /bread
    to: /loaves
```

```yaml
redirects:
  - from: /rolls
    to: /loaves
  - from: /bread
    to: /loaves
```

## host-file

A file in `content/public/` has the name of a file that the build generates.
With `settings.host: netlify` a build generates `_headers` and `_redirects` from
`content/site.yaml`: the security headers, the caching and the redirects. Only
one of the two files can be published. Move the content of yours to the
settings. Or build with `settings.host: none`: then your file is published
unchanged, and the build generates nothing for the host.

```text
content/public/_headers:
  /*
    X-Robots-Tag: noai
```

```yaml
settings:
  host: netlify
  headers:
    X-Robots-Tag: noai
```

## deploy-target

A site cannot be deployed to the address in `settings.deploy.to`.
The address begins with `s3://`, `gs://` or `az://` for object storage, with
`ssh://` or `sftp://` for a server, or it is the path of a folder. It contains
no password and no key: `site.yaml` is read by everybody who works on the site.
Credentials come from the environment, from the files of the provider or from
`ssh`.

```yaml
settings:
  deploy:
    to: www.example.com:/srv/www
```

```yaml
settings:
  deploy:
    to: ssh://www.example.com/srv/www
```
"#;
