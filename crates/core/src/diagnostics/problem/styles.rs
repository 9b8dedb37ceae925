//! Stylesheets.

use super::super::{Certainty, Meant};
use super::description::{Description, error, list, warning};

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
    /// A property or a value that names a side, on a site with a language from right to left. `written`: the name of the side;
    /// `logical`: the one that turns with the language; `is_certain`: whether nothing else of the rule depends on it.
    PhysicalDirection { written: String, logical: String, is_certain: bool },
    /// A letter of a page that none of the site's fonts has. `families`: their names.
    MissingGlyph { letter: char, families: Vec<String> },
    /// A property with other values for the left than for the right.
    PhysicalShorthand { property: String },
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
        MissingGlyph { letter, families } => warning!(
            "missing-glyphs",
            "the letter `{letter}` (U+{:04X}) is in none of the site's fonts, {}; it is shown in another one",
            u32::from(*letter),
            list(families)
        )
        .step("add a font file that has it, or name the font of the system that is meant in `font-family`"),
        PhysicalDirection { written, logical, is_certain } => {
            let certainty = if *is_certain { Certainty::Certain } else { Certainty::Likely };
            warning!(
                "physical-direction",
                "`{written}` does not turn with a language written from right to left; write `{logical}`"
            )
            .words(written, logical, certainty)
        }
        PhysicalShorthand { property } => warning!(
            "physical-direction",
            "`{property}` has other values for the left than for the right, which do not turn with a language written from \
             right to left; {}",
            match property.as_str() {
                "border-radius" => "write `border-start-start-radius` and the like".to_owned(),
                name => format!("write `{}` for these two", inline_of(name)),
            }
        ),
    }
}

/// The property for both ends of a line.
fn inline_of(shorthand: &str) -> String {
    match shorthand.strip_prefix("border-") {
        Some(part) => format!("border-inline-{part}"),
        None => format!("{shorthand}-inline"),
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["missing-glyphs", "physical-direction"];

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

## missing-glyphs

A page shows a letter that no font of the stylesheet has.
Browsers take it from a font of the system. Then a word has letters of two
fonts, such as `Nguyễn` in a font for English alone, or a whole page looks
different from the others, such as Arabic in a font for Latin letters. The
message names the first such letter of a page.

A site is checked if it has a font of its own for its text: `font-family` of
`html`, `body`, `:root` or `*` names it. Only letters count, no signs or emoji,
and only letters of the script of the page's language, or of a script of which
the fonts have other letters. Code and formulas are not checked. `unicode-range`
counts as browsers read it. If the letters of the page's script are meant to
come from the system, name its font between yours and `sans-serif`, as in
`font-family: Brand, "Hiragino Sans", sans-serif`. `settings.checks` turns the
message off.

```css
@font-face { font-family: Brand; src: url(brand-latin.woff2) }
body { font-family: Brand, sans-serif }
```

```css
@font-face { font-family: Brand; src: url(brand-latin.woff2) }
body { font-family: Brand, "Noto Sans Arabic", sans-serif }
```

## physical-direction

A stylesheet names left or right, where other languages need the opposite side.
In Arabic and Hebrew, text, columns and lists begin at the right, but
`margin-left` stays at the left, so a margin, an icon or a rounded corner is on
the wrong side. Logical properties name the start and the end of a line instead,
and look the same in languages written from left to right (CSS Logical
Properties and Values 1).

Not reported are two sides with the same value, the middle (`left: 50%`), rules
for one direction, such as `[dir="rtl"] .menu` or `.menu:dir(ltr)`, and a
declaration with the comment `/* physical */` after it, for what is on the same
side in every language, such as a shadow. `settings.checks` turns the message
off.

```css
.note { padding-left: 1rem; text-align: left }
```

```css
.note { padding-inline-start: 1rem; text-align: start }
.shadow { margin-left: 2px; /* physical */ }
```
"#;
