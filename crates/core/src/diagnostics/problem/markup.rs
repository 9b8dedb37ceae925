//! The markup of finished pages.

use super::description::{Description, error};

/// HTML that browsers would read differently from how it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkupProblem {
    /// Markup that a browser would read differently from how it is written.
    Markup { detail: String },
    /// A call of a component in a paragraph, for which it makes an element that no paragraph can contain.
    CallInParagraph { component: String },
    /// A tag that is never closed.
    Unclosed { element: String },
    /// An end tag that closes nothing.
    StrayEnd { element: String },
    /// An element of the head in the body. `element`: `title`, `meta` or `link`; `is_in_island`: whether an island has
    /// rendered it.
    HeadElement { element: String, is_in_island: bool },
    /// A page without a head.
    MissingHead,
    /// The same id twice in one page. `is_in_island`: whether an island rendered the second one.
    DuplicateId { id: String, is_in_island: bool },
    /// An attribute with an id that the page does not have.
    UnknownId { attribute: String, id: String },
    /// A second element of a kind that a page has once.
    Repeated { element: &'static str },
}

pub(super) fn describe(problem: &MarkupProblem) -> Description {
    use MarkupProblem::*;
    match problem {
        Markup { detail } => error!("markup", "{detail}"),
        CallInParagraph { component } => {
            error!("markup", "the component `{component}` renders an element that cannot be inside a paragraph")
                .label("write the call on its own line, between empty lines")
        }
        Unclosed { element } => {
            error!("unclosed-tag", "the tag `<{element}>` is never closed").label(format!("add `</{element}>`"))
        }
        StrayEnd { element } => error!("stray-end-tag", "`</{element}>` has no start tag")
            .label(format!("remove `</{element}>`, or add the start tag")),
        HeadElement { element, is_in_island } => {
            error!("head-element", "`<{element}>` is in the body of the page, but belongs in its head").label(
                match is_in_island {
                    true => "write it in the template; an island may render it later, in the browser",
                    false => "move it before `</head>`",
                },
            )
        }
        MissingHead => error!("missing-head", "the page has no `<head>`")
            .label("write `<head>` with `<meta charset=\"utf-8\">` and a title in the template"),
        DuplicateId { id, is_in_island } => {
            error!("duplicate-id", "the id `{id}` is used twice on this page").label(match is_in_island {
                true => {
                    "give one of the two another id; a package numbers its ids separately in each island, so pass it \
                         an id or a prefix as a prop"
                }
                false => "give one of the two another id",
            })
        }
        UnknownId { attribute, id } if attribute == "usemap" => {
            error!("unknown-id", "`usemap` refers to the map `{id}`, which does not exist on this page")
                .label(format!("write `<map name=\"{id}\">` around its areas, or use the name of a map of this page"))
        }
        UnknownId { attribute, id } => {
            error!("unknown-id", "`{attribute}` refers to the id `{id}`, which does not exist on this page")
                .label("use an id from this page")
        }
        Repeated { element } => {
            error!("repeated-element", "a page can have only one `<{element}>`, but this is another one").label(
                match *element {
                    "h1" => "make it an `<h2>`, which is `##` in Markdown",
                    _ => "make it a `<section>` or a `<div>`",
                },
            )
        }
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["duplicate-id", "repeated-element", "unknown-id"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## markup

A browser would parse this differently from how it is written.
In Markdown, the braces after a heading can contain an id and classes, and
nothing else. A paragraph contains text and images, and ends where a `<div>`, a
list or another paragraph begins (HTML Standard, 13.2.6.4.7): call a component
that renders one of these on its own line, between empty lines.

```markdown
### Opening hours {#hours lang=en}
```

```markdown
### Opening hours {#hours .large}
```

## unclosed-tag

An element is opened and never closed.
Browsers guess where it should have ended (HTML Standard, 13.2), and often guess
that the rest of the page belongs to it: half the page becomes a link or moves
to the wrong column. The message marks the start tag.

```html
<div><p>Open today</p>
```

```html
<div><p>Open today</p></div>
```

## stray-end-tag

This end tag has no start tag.
Most often it is left over from deleted text, or tags are in the wrong order.
Browsers ignore it or, for `</p>`, add an empty paragraph (HTML Standard,
13.2.6.4.7).

```html
<p>Rye bread</p></p>
```

```html
<p>Rye bread</p>
```

## head-element

A `<title>`, `<meta>` or `<link>` is in the body of the page.
Browsers and search engines read these elements in the `<head>`: in the body, a
title has no effect and a canonical link is ignored. An island is prerendered
into the body, even where React would move such an element to the head. Write
these elements in the template. Links that load something, such as stylesheets,
and elements with `itemprop` are allowed anywhere.

```tsx
return <><title>Your order</title><p>One loaf</p></>;
```

```tsx
const [isChanged, setChanged] = useState(false);
return <>{isChanged && <title>Your order</title>}<p>One loaf</p></>;
```

## duplicate-id

The same id is used twice on one page.
A link, a label or a description with this id refers only to the first element,
so the second field has no label and the second section cannot be reached. The
HTML Standard (3.2.6) allows each id once per page. Headings in Markdown get
their ids from their text, which can collide with an id in a template.

```html
<p id="hours">Mon to Fri</p> <p id="hours">Closed today</p>
```

```html
<p id="hours">Mon to Fri</p> <p id="today">Closed today</p>
```

## unknown-id

An attribute refers to an element that does not exist on this page.
`for`, `aria-labelledby`, `aria-describedby`, `aria-controls` and `aria-owns`
contain the id of another element, and `usemap` has the name of a `<map>` after
`#`. If there is none, a label has no field and a screen reader stays silent
(WCAG 2.2, 1.3.1 and 4.1.2). The page looks the same, so nobody notices.

```html
<input aria-label="How many" aria-describedby="hnit"> <p id="hint">At most 9</p>
```

```html
<input aria-label="How many" aria-describedby="hint"> <p id="hint">At most 9</p>
```

## missing-head

The page has no `<head>`, so there is no place for its security policy.
The head contains the encoding, the title and the styles, which browsers need
before they show anything. The build puts the Content-Security-Policy there,
because it applies only to what comes after it. Fix this in the template of the
page.

```html
<html lang="en"><title>Bread</title><body>Bread</body></html>
```

```html
<html lang="en"><head><meta charset="utf-8"><title>Bread</title></head>
<body>Bread</body></html>
```

## repeated-element

A page has a second `<h1>` or `<main>`.
Both mark where the page's main content begins, so there must be only one of
each: screen readers have a shortcut for both. The HTML Standard allows one
visible `<main>` (4.4.14); a single `<h1>` is a convention that screen-reader
users rely on. In most templates the title of the page is the `<h1>`, so
headings in the text begin at level 2.

```markdown
# Rye
```

```markdown
### Rye
```
"#;
