//! What people with assistive technology, and search engines, need of a page.

use super::description::{Description, error, warning};

/// Something that a page lacks for some of its readers.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessibilityProblem {
    /// An image without alternative text.
    MissingAlt { element: String },
    /// A picture of Markdown without a text, where nothing says that it is decoration. `path`: the picture.
    PictureWithoutText { path: String },
    /// A form field without a name for assistive technology. `field`: the field's `name`.
    MissingLabel { field: String },
    /// A heading more than one level below the one before it. `previous`: the level of the heading before it; 0 where
    /// there is none.
    /// `shift`: by how many levels the headings of the text are below those of its Markdown.
    HeadingSkip { level: u8, previous: u8, shift: u8 },
    /// A page without a language.
    MissingLang,
    /// A page whose `<html>` has another language than its key `language`. `language`: the value of the key; `written`:
    /// the value in `<html>`.
    OtherLanguage { language: String, written: String },
    /// An element whose `dir` is not the direction in which its language is written. `is_said`: whether it has one.
    TextDirection { language: String, element: String, is_right_to_left: bool, is_said: bool },
    /// A page without a title.
    MissingTitle,
    /// A link, button or heading without text.
    EmptyText { element: String },
    /// A job in the structured data of a page without a place of work.
    JobWithoutPlace { title: String },
}

pub(super) fn describe(problem: &AccessibilityProblem) -> Description {
    use AccessibilityProblem::*;
    match problem {
        MissingAlt { element } => error!("missing-alt", "this `<{element}>` has no `alt` text")
            .label("describe what it shows: `alt=\"…\"`, or write `alt=\"\"` if it is decorative"),
        PictureWithoutText { path } => warning!(
            "missing-alt",
            "the picture has no alt text: describe it between the brackets, or write `alt: \"\"` in `{path}.yaml` \
                     if it is decorative"
        )
        .label("like `![The oven with its door open](…)`"),
        MissingLabel { field } => {
            let field = if field.is_empty() { "this form field".into() } else { format!("the form field `{field}`") };
            error!("missing-label", "{field} has no label")
                .label("add `<label for=\"…\">` with the field's id, or `aria-label`")
        }
        HeadingSkip { level, previous: 0, .. } => {
            error!("heading-skip", "the page's first heading is level {level}, not level 1")
                .label("make it level 1, or write an `<h1>` before it: in the template if all its pages need one")
        }
        HeadingSkip { level, previous, shift } => {
            let next = usize::from(*previous) + 1;
            let signs = "#".repeat(next.saturating_sub(usize::from(*shift)).max(1));
            let place = if *shift > 0 { "in this text" } else { "in Markdown" };
            error!("heading-skip", "a level {level} heading follows a level {previous} heading")
                .label(format!("make it level {next}, which is `{signs}` {place}"))
        }
        MissingLang => {
            error!("missing-lang", "the page does not declare its language").label("write `<html lang=\"…\">`")
        }
        OtherLanguage { language, written } => error!(
            "other-language",
            "the page's key `language` is `{language}`, but the `lang` of its `<html>` is `{written}`"
        )
        .label("write `lang=\"{{ page.language }}\"`"),
        TextDirection { language, element, is_right_to_left, is_said } => {
            let (way, dir) = if *is_right_to_left { ("right to left", "rtl") } else { ("left to right", "ltr") };
            let lacks = if *is_said { "says otherwise" } else { "does not say so" };
            let message = format!("the language `{language}` is written from {way}, but this `<{element}>` {lacks}");
            match element.as_str() {
                "html" => error!("text-direction", "{message}").label(format!("write `dir=\"{dir}\"`")),
                _ => warning!("text-direction", "{message}; write `dir=\"{dir}\"`"),
            }
        }
        MissingTitle => error!("missing-title", "the page has no title").label("write `<title>…</title>` in the head"),
        EmptyText { element } => {
            let thing = match element.as_str() {
                "a" => "this link".into(),
                "button" => "this button".into(),
                "label" => "this form field label".into(),
                "input" => "this button".into(),
                _ => format!("this `<{element}>`"),
            };
            error!("empty-text", "{thing} has no text").label(match element.as_str() {
                "label" => "write the name of its field",
                "input" => "write its text as its `value`, or an `aria-label` that names it",
                heading if heading.starts_with('h') => "write its text, or remove it",
                _ => "write its text, or an `aria-label` that names it",
            })
        }
        JobWithoutPlace { title } => warning!(
            "job-without-place",
            "search engines will not list the job `{title}`: it needs a place of work or, for remote work, the \
                     countries where applicants may live"
        )
        .label("add one of the two to the job's file"),
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &[
    "job-without-place",
    "missing-alt",
    "missing-label",
    "heading-skip",
    "missing-lang",
    "other-language",
    "text-direction",
    "missing-title",
    "empty-text",
];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## job-without-place

The structured data of a job is too incomplete for search engines to list it.
They need the place of work (`jobLocation`) or, for a job that can be done from
anywhere (`jobLocationType` with `TELECOMMUTE`), the countries where applicants
may live (`applicantLocationRequirements`). The page is published anyway, and
visitors see the job on it. If the job's file has keys for these, fill them in;
if not, add them to the template that writes the `JobPosting`.

```yaml
title: Baker
remote: true
```

```yaml
title: Baker
remote: true
applicants_from: [Austria, Germany]
```

## missing-alt

An image has no alternative text.
Screen readers read the `alt` text aloud; without it they may read the file
name. It is also shown when the image does not load. WCAG 2.2 requires it
(1.1.1). Describe what the image shows or does, and write `alt=""` if it is
decorative. A picture in Markdown has its text in the brackets; without text it
is a warning, unless the file next to it (`oven.jpg.yaml`) has a text, or
`alt: ""` for decoration.

```html
<img src="{{ asset(path="oven.jpg") }}" width="960" height="640">
```

```html
<img src="{{ asset(path="oven.jpg") }}" width="960" height="640"
  alt="The oven with its door open">
```

## missing-label

A form field has no accessible name.
A screen reader would say "edit text, blank", and the user would not know what
to type. A placeholder is not a label: it disappears when the user starts
typing. WCAG 2.2 requires a label (1.3.1, 3.3.2 and 4.1.2). A click on a label
also focuses its field.

```html
<input name="count">
```

```html
<label for="count">How many</label> <input id="count" name="count">
```

## heading-skip

A heading is more than one level below the heading before it.
Many screen-reader users navigate a page by its headings, and a skipped level
sounds as if they had missed a section (WCAG 2.2, 1.3.1; the rule
`heading-order` of axe-core). Choose the level by the structure of the text, and
set the size in the stylesheet.

```html
<h2>Bread</h2> <h4>Crust</h4>
```

```html
<h2>Bread</h2> <h3>Crust</h3>
```

## missing-lang

The page does not declare its language.
Screen readers use it to choose a voice, and browsers for hyphenation, spelling
and translation. WCAG 2.2 requires it (3.1.1). The language of the site is in
`content/site.yaml`.

```html
<html>
```

```html
<html lang="{{ site.language }}">
```

## other-language

The language in the page's keys differs from the language in its template.
The key `language` decides which quotation marks text gets; the `lang` of
`<html>` decides which voice screen readers use, how browsers hyphenate, and
which language search engines assign to the page. Templates read the key as
`page.language`, which is the language of the site if a page has none.

```html
<html lang="{{ site.language }}">
```

```html
<html lang="{{ page.language }}">
```

## text-direction

The direction of an element's text is not that of its language.
Arabic, Hebrew, Persian and Urdu are written from right to left. Without
`dir="rtl"` the page is laid out as in English: lists, tables and columns begin
at the wrong side, and punctuation is at the wrong end of the line. A passage in
another direction needs it too, or its numbers and brackets change places. `dir`
follows from the language; text without a language of its own, such as code in
an Arabic page, may have any.

```html
<html lang="{{ page.language }}">
```

```html
<html lang="{{ page.language }}" dir="{{ page.direction }}">
```

## missing-title

The page has no title, or an empty one.
The title is shown in the browser tab, in bookmarks and in search results, and
is the first thing that a screen reader announces. WCAG 2.2 requires it (2.4.2).

```html
<title></title>
```

```html
<title>{{ page.title }} | {{ site.name }}</title>
```

## empty-text

A link, a button, a heading or a form field label has no text.
A screen reader would say only "link" or "button", and voice control has no name
to use. WCAG 2.2 requires one (2.4.4 and 4.1.2). An icon counts only if it has a
name: `alt` for an image, `aria-label` for the link or button around an SVG. A
checkbox whose label has no text is an empty box, and no visitor knows what it
means.

```html
<button type="button"><svg aria-hidden="true"></svg></button>
```

```html
<button type="button" aria-label="Close"><svg aria-hidden="true"></svg></button>
```
"#;
