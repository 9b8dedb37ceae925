//! What a page's security policy blocks, and secrets.

use super::super::Certainty;
use super::description::{Description, declared, error};

/// Something that browsers refuse under the security policy of a page, or that nobody should see.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyProblem {
    /// A `style=` attribute.
    InlineStyle { element: String },
    /// An `onclick=` or a similar attribute.
    EventHandler { attribute: String },
    /// A form with an address to send it to. `origin`: the origin that the form would be sent to, or `self`.
    FormTarget { attribute: String, origin: String, nearest: Option<String> },
    /// A form whose `method` is not `dialog`.
    FormMethod,
    /// A value that looks like a key to a service. `kind`: the service, or the name beside the value.
    Secret { kind: String, start: String },
    /// A package that an island imports has a value that looks like a key to a service.
    SecretInPackage { kind: String, start: String },
    /// An element, or an attribute, that does nothing under any policy that a page can have. `name`: `object`, `embed`,
    /// the attribute `ping`, or `iframe` for a page of the site's own.
    Blocked { name: &'static str },
    /// A `<base>`, which the policy forbids.
    BaseElement,
    /// Something loaded over `http:` into a page that is served over `https:`.
    MixedContent { address: String },
}

pub(super) fn describe(problem: &PolicyProblem) -> Description {
    use PolicyProblem::*;
    match problem {
        InlineStyle { element } => {
            error!("inline-style", "`<{element}>` has a `style` attribute, which browsers ignore here")
                .label("move the rule to a stylesheet and use a class")
        }
        EventHandler { attribute } => error!("event-handler", "browsers ignore the attribute `{attribute}` here")
            .label("remove it; use an island to handle events"),
        FormTarget { attribute, origin, nearest } => error!(
            "form-target",
            "`{attribute}` sends the form to an address for which `site.yaml` declares no connection"
        )
        .label(match nearest {
            Some(nearest) => declared(nearest),
            None => format!(
                "declare a connection with `origin: {origin}` and `for: form` in `settings.connections` of \
                     `content/site.yaml`, or remove the attribute and write `method=\"dialog\"`"
            ),
        }),
        FormMethod => error!("form-target", "browsers would send this form, which the security policy forbids")
            .label("write `method=\"dialog\"`"),
        Secret { kind, start } => {
            let what = match kind.as_str() {
                "a private key" => "this looks like a private key".into(),
                value if value.starts_with('`') => format!("the value of {value} looks like a secret"),
                service => format!("this looks like a secret key for {service}"),
            };
            error!("secret", "{what}: `{start}…`").label(
                "remove it, and revoke it at the service; everything here is published, and secrets belong on a server",
            )
        }
        SecretInPackage { kind, start } => error!(
            "secret",
            "a package that this island imports contains what looks like a secret key for {kind}: `{start}…`"
        )
        .label("search `node_modules` for it, and import something else; what an island imports is published"),
        Blocked { name } => blocked(name),
        BaseElement => error!("base-element", "browsers ignore `<base>` here").label("remove it; start links with `/`"),
        MixedContent { address } => error!("mixed-content", "browsers refuse to load `{address}` into an HTTPS page")
            .label("load it with `https:`")
            .words(address, &address.replacen("http:", "https:", 1), Certainty::Likely),
    }
}

fn blocked(name: &str) -> Description {
    match name {
        "ping" => {
            error!("blocked-by-policy", "the page's security policy blocks the attribute `ping`").label("remove it")
        }
        "iframe" => {
            error!("blocked-by-policy", "the header `frame-ancestors 'none'` blocks frames of the site's own pages")
                .label(
                    "write `frame_ancestors: self` below `settings.security` in content/site.yaml, or link to the page",
                )
        }
        _ => error!("blocked-by-policy", "the page's security policy blocks `<{name}>`")
            .label("use `<img>` for a picture, `<iframe>` for a page, or a link to the file"),
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["inline-style"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## inline-style

The element has a `style` attribute, which browsers ignore on this site.
Every page has a security policy that allows only the styles known to the build
(Content Security Policy Level 3). A `style` attribute would need an exception
that also allows attackers' styles. Move the rule to a stylesheet and give the
element a class: its properties and values are checked there too. For a value
that differs on each page use `<progress>`, SVG attributes, or an island with
`hydrate="never"`: the build keeps the styles of islands.

```html
<p style="color: red">Sold out</p>
```

```html
<p class="sold-out">Sold out</p>
```

## event-handler

The element has an attribute such as `onclick`, which browsers ignore here.
The page's security policy (Content Security Policy Level 3) allows only scripts
known to the build, which excludes code in attributes. A link or a button needs
no code for most tasks; use an island for everything else.

```html
<p onclick="location = '/prices'">Prices</p>
```

```html
<p><a href="/prices">Prices</a></p>
```

## form-target

The form would be sent to an address that no connection declares.
A form with an `action` is sent to that address, and one without it to the page
itself. The page's security policy allows forms only to the addresses declared
in `site.yaml`: for any other, the browser would silently refuse. Declare the
connection, or use `method="dialog"`, which sends nothing.

```html
<form action="/order"><button>Order</button></form>
```

```yaml
# content/site.yaml
settings:
  connections:
    orders: { origin: self, for: form, why: Sends us your order. }
```

## secret

A value looks like a secret key for a service.
Everything that is built here is published: content, the props of islands, and
their scripts. Keys are detected by the prefixes that services give them; next
to names such as `api_key`, `token` and `password`, random-looking values are
detected too. A key that was in a file, or in its history, must be revoked and
replaced. Keys that are meant for browsers, such as `pk_live_…`, are allowed; if
a public value has one of those names, rename it.

```yaml
newsletter:
  api_key: 7f9d1c4be2a85036fd91cc40
```

Keep the key in the service that receives the form, and give the site its address:

```yaml
settings:
  connections:
    newsletter: { origin: https://lists.example, for: form, why: Sends news. }
```

## blocked-by-policy

An `<object>`, an `<embed>`, a `ping` or a frame is blocked by the security policy.
No policy of a page allows plug-ins, and browsers show an `<object>` or
`<embed>` as an empty box. Use `<img>` for a picture and `<iframe>` for another
page. For a PDF, use a link: phones do not show a PDF within a page. `ping`
would send a request for each click on a link. An `<iframe>` can show a page of
the same site only if the site allows it: the header `Content-Security-Policy`
contains `frame-ancestors 'none'` unless `settings.security.frame_ancestors` has
another value.

```html
<object data="/menu.pdf"></object>
```

```html
<a href="/menu.pdf">The menu (PDF, 80 KB)</a>
```

## base-element

The page has a `<base>` element, which browsers ignore here.
It would change where every link on the page leads, which makes it a favourite
of attackers, so the page's security policy contains `base-uri 'none'`. Links
that begin with `/` do not need it, and `url(path="…")` adds the site's base
path if there is one.

```html
<base href="/shop/">
```

```html
<a href="{{ url(path="/shop/prices") }}">Prices</a>
```

## mixed-content

Something is loaded over `http:`, which browsers refuse on an HTTPS page.
Anyone on the network could change what is sent over `http:`. Browsers therefore
block it, or try `https:` and show nothing if that fails (W3C, Mixed Content). A
link that visitors follow can still begin with `http:`.

```html
<img src="http://photos.test/oven.jpg" alt="Our oven" width="320" height="213">
```

```html
<img src="https://photos.test/oven.jpg" alt="Our oven" width="320" height="213">
```
"#;
