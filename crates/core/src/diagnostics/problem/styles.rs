//! Stylesheets.

use super::super::Meant;
use super::description::{Description, error};

/// Something in a stylesheet that browsers do not understand.
#[derive(Clone, Debug, PartialEq)]
pub enum StyleProblem {
    /// A part of a stylesheet that does not parse.
    CssSyntax { detail: String, fix: Option<&'static str> },
    /// A property that no browser knows.
    UnknownProperty { name: String, nearest: Option<Meant> },
    /// An at-rule that no browser knows. `name`: its name without `@`; `nearest`: what was probably meant, with `@`.
    UnknownAtRule { name: String, nearest: Option<Meant> },
    /// A pseudo-class or pseudo-element that no browser knows. `name`: its name without colons.
    UnknownPseudo { name: String, nearest: Option<Meant> },
    /// A value that its property cannot have.
    CssValue { detail: String, fix: Option<String> },
    /// A custom property that nothing gives a value. `name`: its name with the two dashes.
    UnknownCustomProperty { name: String, nearest: Option<Meant> },
}

pub(super) fn describe(problem: &StyleProblem) -> Description {
    use StyleProblem::*;
    let unknown = |unknown: Description, name: &str, nearest: &Option<Meant>| {
        unknown.label("remove it; browsers ignore it").meant_for(name, nearest.as_ref())
    };
    match problem {
        CssSyntax { detail, fix } => error!("css-syntax", "{detail}").label_if(fix.map(str::to_owned)),
        UnknownProperty { name, nearest } => {
            unknown(error!("unknown-property", "no browser supports the property `{name}`"), name, nearest)
        }
        UnknownAtRule { name, nearest } => {
            unknown(error!("unknown-at-rule", "no browser supports the rule `@{name}`"), &format!("@{name}"), nearest)
        }
        UnknownPseudo { name, nearest } => {
            let message = format!("no browser supports the pseudo-class or pseudo-element `{name}`");
            unknown(error!("unknown-pseudo", "{message}"), name, nearest)
        }
        CssValue { detail, fix } => error!("css-value", "{detail}").label_if(fix.clone()),
        UnknownCustomProperty { name, nearest } => error!("unknown-custom-property", "`{name}` is never defined")
            .label(format!("define it, or write `var({name}, …)` with a fallback"))
            .meant_for(name, nearest.as_ref()),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## css-syntax

A stylesheet has a part that browsers cannot parse.
They would skip it, often with everything after it. A block, a bracket or a
string that is never closed is reported where it opens.

```css
main { color: brown
p { margin: 0 }
```

```css
main { color: brown }
p { margin: 0 }
```

## unknown-property

A stylesheet uses a property that no browser supports.
sitegen knows the properties of the W3C specifications and of Chromium. A
property with a vendor prefix, such as `-webkit-line-clamp`, is never an error.

```css
main { colour: brown }
```

```css
main { color: brown }
```

## unknown-at-rule

A stylesheet uses an at-rule that no browser supports.
Browsers skip it with everything in its braces.

```css
@mdia (width >= 40rem) { main { margin: 0 auto } }
```

```css
@media (width >= 40rem) { main { margin: 0 auto } }
```

## unknown-pseudo

A selector uses a pseudo-class or pseudo-element that no browser supports.
Browsers skip the whole rule, even for the other selectors in its list.

```css
a:hoverr { color: brown }
```

```css
a:hover { color: brown }
```

## css-value

A property in a stylesheet has a value that no browser accepts.
It has a unit that does not exist, a length without its unit, a misspelt word,
or a colour with the wrong number of digits. Values with `var()` are known only
when the page is displayed, so they are not checked.

```css
main { width: 10pxx; display: flexx }
```

```css
main { width: 10px; display: flex }
```

## unknown-custom-property

A stylesheet uses a custom property that is never defined.
Stylesheets, templates and islands are searched for it. If it is optional, give
`var()` a second value as a fallback.

```css
:root { --space-1: 0.25rem }
main { padding: var(--spce-1) }
```

```css
:root { --space-1: 0.25rem }
main { padding: var(--space-1); gap: var(--gap, 1rem) }
```
"#;
