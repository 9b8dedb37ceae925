//! The text of Markdown files: components, raw HTML, code, and text that looks like markup.

use super::super::{Certainty, Meant};
use super::description::{Description, error, list, warning};

/// Something in the text of a Markdown file.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkdownProblem {
    /// A call of a component in Markdown that cannot be read, or stands where none can.
    ComponentCall { detail: String },
    /// A call of a component that no template defines.
    UnknownComponent { name: String, nearest: Option<Meant> },
    /// An argument that is missing in a call, that the component does not have, or of the wrong type.
    ComponentArgument { component: String, detail: String },
    /// Raw HTML in Markdown that does not allow it. `html`: its beginning; `is_active`: whether no text can have it.
    RawHtml { html: String, is_active: bool },
    /// An element in raw HTML of a text that runs script or changes what the page may load. `part`: the element or the
    /// attribute.
    ActiveHtml { part: String },
    /// A link or image address that runs script or that browsers refuse.
    UnsafeAddress { address: String },
    /// Text of a Markdown file that would be left out of the page.
    LostText(Lost),
    /// A code block in a language that cannot be coloured.
    CodeLanguage { language: String, nearest: Option<Meant> },
    /// A word after the fence of a code block that has no effect. `fix`: what to write.
    CodeOption { detail: String, fix: Option<String> },
    /// A footnote or a link in Markdown whose definition is missing. `label`: its label.
    MissingDefinition { label: String },
    /// Text that looks like a Markdown link and is not one.
    MarkdownLink,
    /// Text in Markdown that was meant as markup, and is shown as it stands.
    MarkdownLiteral(Literal),
    /// Text that an extension of Markdown gives a meaning, which the site has neither turned on nor off. `key`: its key in
    /// `settings.markdown`; `written`: the text.
    MarkdownExtension { key: &'static str, written: String },
    /// A quotation that begins like an alert, with a word that names none, or with more in its first line.
    UnknownAlert { kind: String },
    /// Syntax of another program, which is shown as it stands. `written`: the text; `of`: what it is; `instead`: what to do.
    ForeignSyntax { written: String, of: &'static str, instead: &'static str },
    /// A wiki link that leads to no page, or to several. `files`: those to which it could lead.
    WikiLink { name: String, nearest: Option<Meant>, files: Vec<String> },
    /// A formula that cannot be read.
    Formula { detail: String },
    /// A line in more quotations and lists than a text may have in each other. `most`: how many these are.
    MarkdownDepth { most: usize },
    /// A name that must be replaced before the site goes live.
    Placeholder { name: String },
}

/// How a text of a Markdown file is lost.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    /// It is on the lines of a comment.
    BesideComment,
    /// It follows a comment that is never closed. `end`: what closes it.
    InOpenComment { end: &'static str },
    /// It is a footnote without references. `label`: the footnote's label, without `^`.
    UnusedFootnote { label: String },
    /// It has the form of a link's definition, which nothing uses. `label`: the label.
    UnusedDefinition { label: String },
    /// It is a footnote whose label another one has. `label`: the footnote's label, without `^`.
    RepeatedFootnote { label: String },
    /// It is in a cell beyond the columns of its table.
    ExtraCell,
}

/// Text in Markdown that is no markup, though it looks like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `##Heading`.
    Heading,
    /// A row of dashes that makes no table. `columns`: the columns of the line above; `dashes`: the columns of the row.
    Table { columns: usize, dashes: usize },
    /// `** bold**`.
    Bold,
    /// Markdown in a block of HTML.
    InHtml,
}

pub(super) fn describe(problem: &MarkdownProblem) -> Description {
    use MarkdownProblem::*;
    match problem {
        ComponentCall { detail } => {
            error!("component-call", "the component cannot be inserted: {detail}")
        }
        UnknownComponent { name, nearest } => error!("unknown-component", "there is no component `{name}`")
            .label(format!("create `templates/components/{name}/{name}.html`"))
            .meant_for(name, nearest.as_ref()),
        ComponentArgument { component, detail } => {
            error!("component-argument", "the component `{component}` {detail}")
        }
        RawHtml { html, is_active } => {
            error!("raw-html", "HTML in Markdown is not allowed here: `{html}`").label(if *is_active {
                IN_TEMPLATES
            } else {
                "use Markdown, or set `raw_html: true` in the front matter or `settings.markdown`"
            })
        }
        ActiveHtml { part } => error!("active-html", "HTML in content must not contain {part}").label(IN_TEMPLATES),
        UnsafeAddress { address } => {
            let message = format!("the address `{address}` is not allowed: it could run a script or open a program");
            error!("unsafe-address", "{message}").label("link to a page, an `https:` address or `mailto:`")
        }
        LostText(lost) => lost.describe(),
        CodeLanguage { language, nearest } => code_language(language, nearest.as_ref()),
        CodeOption { detail, fix: Some(fix) } => warning!("code-option", "{detail}; {fix}"),
        CodeOption { detail, fix: None } => warning!("code-option", "{detail}"),
        MissingDefinition { label } => {
            let fix = match label.strip_prefix('^') {
                Some(_) => format!("add a line `[{label}]: …` with the text of the note"),
                None => format!("add a line `[{label}]: address`, or write `[text](address)`"),
            };
            error!("missing-definition", "`[{label}]` is not defined in this file").label(fix)
        }
        MarkdownLink => error!("markdown-link", "this looks like a link, but Markdown does not read it as one")
            .label("write `[text](address)`, like `[Mail](mailto:{{ site.email }})`; an address cannot contain spaces"),
        MarkdownLiteral(literal) => literal.describe(),
        MarkdownExtension { key, written } => {
            let line = written.lines().next().unwrap_or_default();
            warning!("markdown-extension", "`{line}` is plain text, because the extension `{key}` is off").step(
                format!("set `settings.markdown.{key}` in content/site.yaml to `true`, or to `false` to keep the text"),
            )
        }
        MarkdownDepth { most } => {
            error!("markdown-depth", "this line begins more than {most} quotations and lists in each other")
                .label("write fewer of their signs")
        }
        UnknownAlert { kind } => unknown_alert(kind),
        ForeignSyntax { written, of, instead } => {
            warning!("markdown-extension", "`{written}` is plain text: {of}").step(*instead)
        }
        WikiLink { name, nearest, files } if files.is_empty() => {
            error!("wiki-link", "no page has the file name or title `{name}`")
                .label("write the name of a file in content/, without its extension, or the title of a page")
                .meant_for(name, nearest.as_ref())
        }
        WikiLink { name, files, .. } => error!("wiki-link", "several pages have the name `{name}`")
            .label(format!("write the folder too; there is {}", list(files))),
        Formula { detail } => error!("formula", "this formula cannot be converted: {detail}")
            .label("correct the formula, or write `\\$` for a dollar sign"),
        Placeholder { name } => {
            let fix = if name.ends_with(".example") { "write the real name" } else { "write the text" };
            warning!("placeholder", "`{name}` is a placeholder; replace it before launch").label(fix)
        }
    }
}

fn code_language(language: &str, nearest: Option<&Meant>) -> Description {
    // Warnings are printed without their fix.
    let fix = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
    let fix = fix.unwrap_or_else(|| "write `text` if it is not code".into());
    let unknown = warning!("code-language", "unknown language `{language}`; {fix}");
    match nearest {
        Some(Meant { word, is_certain: true }) => unknown.words(language, word, Certainty::Certain),
        Some(Meant { word, .. }) => unknown.words(language, word, Certainty::Likely),
        None => unknown,
    }
}

fn unknown_alert(kind: &str) -> Description {
    match ALERTS.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
        true => warning!("markdown-extension", "`[!{kind}]` is plain text, because other text follows it in its line")
            .step(format!(
                "write the text on the next line: the title of an alert is always that of its kind, `[!{}]`",
                kind.to_uppercase()
            )),
        false => warning!("markdown-extension", "`[!{kind}]` is plain text, because there is no such alert")
            .step("write `[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]` or `[!CAUTION]`"),
    }
}

const IN_TEMPLATES: &str = "remove it; scripts, styles and frames go in templates and islands";

impl Lost {
    fn describe(&self) -> Description {
        match self {
            Self::BesideComment => {
                error!("lost-text", "this is on the same line as a comment, so it would be missing from the page")
                    .label("put the comment on its own line")
            }
            Self::InOpenComment { end } => {
                let opened = error!("lost-text", "this comment is never closed, so it hides everything after it");
                match *end {
                    "%%" => opened.label("write `%%` where it ends, or `\\%%` for two percent signs"),
                    end => opened.label(format!("write `{end}` where it ends")),
                }
            }
            Self::UnusedFootnote { label } => {
                error!("lost-text", "nothing refers to the footnote `[^{label}]`, so it would be missing from the page")
                    .label(format!("write `[^{label}]` where it belongs, or remove it"))
            }
            Self::UnusedDefinition { label } => warning!(
                "lost-text",
                "this line defines the link `[{label}]`, which nothing uses, so it is missing from the page"
            )
            .label(format!("if it is text, write `\\[{label}]`; if it is a definition, remove it")),
            Self::RepeatedFootnote { label } => error!(
                "lost-text",
                "the footnote `[^{label}]` is already defined, so this one would be missing from the page"
            )
            .label("give it another label, or remove it"),
            Self::ExtraCell => {
                error!("lost-text", "the table has no column for this, so it would be missing from the page")
                    .label("add a column to the first two lines of the table")
            }
        }
    }
}

impl Literal {
    fn describe(&self) -> Description {
        match self {
            Self::Heading => warning!("markdown-literal", "this is shown as text, not as a heading")
                .step("write a space after the `#` signs"),
            Self::Table { columns, dashes } if columns == dashes => {
                warning!("markdown-literal", "this is shown as text, not as a table")
                    .step("leave an empty line above the table")
            }
            Self::Table { columns, dashes } => {
                let why = format!("the line above has {columns} columns, but this row has {dashes}");
                warning!("markdown-literal", "this is shown as text, not as a table: {why}")
                    .step(format!("write `{}`", vec!["---"; *columns].join(" | ")))
            }
            Self::InHtml => warning!("markdown-literal", "this is shown as text, because it is in a block of HTML")
                .step("leave an empty line between the tag above and this line, which then is Markdown, or write it as HTML"),
            Self::Bold => warning!("markdown-literal", "this `**` is shown as text and does not make anything bold")
                .step(
                    "close it and remove the spaces inside, like `**bold**`; next to a letter, bold text cannot begin \
                     or end with punctuation; write `\\*\\*` for two asterisks",
                ),
        }
    }
}

/// The kinds of alerts.
const ALERTS: [&str; 5] = ["note", "tip", "important", "warning", "caution"];

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &[
    "code-language",
    "code-option",
    "missing-definition",
    "markdown-link",
    "markdown-extension",
    "wiki-link",
    "placeholder",
    "lost-text",
    "markdown-literal",
];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## component-call

A component call cannot be parsed, or is in a place where components are not allowed.
In Markdown a call is written as in templates: a single tag, or two tags around
text, each on its own line between two empty lines. An argument is text in
quotes or, in braces, a number, `true`, `false`, a list of these, or the path of
a value such as `site.email`. Calculations, filters and conditions are not
allowed: they belong in the component. A component cannot be used in an address,
in the title of a link, in a tag of raw HTML, or in YAML text.

```markdown
{{ <opening_hours day=monday /> }}
```

```markdown
{{ <opening_hours day="monday" /> }}
```

## markdown-depth

Quotations and lists are nested more than 100 levels deep.
No text for people needs as many, and browsers stop nesting elements at about
500. Usually it is a line of signs that was meant as a drawing or as a
horizontal rule: put a drawing into a code block, and write a rule as `---`.

```markdown
> - > - > - … and so on, 101 times
```

```markdown
> - Two signs are enough.
```

## unknown-component

The content calls a component that no template defines.
Components are defined in `templates/components/`; the name follows
`{% component`. Names are case-sensitive.

```markdown
{{ <vidoe id="tour" /> }}
```

```markdown
{{ <video id="tour" /> }}
```

## component-argument

An argument of a component is missing, misspelt or of the wrong type.
The line `{% component … %}` in the template lists the arguments with their
types and default values. Numbers, `true` and `false` are written in braces; in
quotes they are text.

```markdown
{{ <video id="tour" start="30" /> }}
```

```markdown
{{ <video id="tour" start={30} /> }}
```

## raw-html

The Markdown contains HTML that can do more than show something.
Elements for text, tables, pictures, video and `<details>` are allowed in every
text. Forms, landmarks of the layout such as `<main>`, custom elements and
attributes such as `contenteditable` can change how the page works, so a text
needs `raw_html: true` in its front matter for them; `settings.markdown.raw_html`
in `content/site.yaml` allows them in all texts. Scripts, styles and embedded
pages belong in templates.

```markdown
---
title: Order
---
<form method="dialog"><input name="loaves" aria-label="Loaves"></form>
```

```markdown
---
title: Order
raw_html: true
---
<form method="dialog"><input name="loaves" aria-label="Loaves"></form>
```

## unsafe-address

The address could run a script, or its scheme is not allowed in links.
A link can begin with `https:`, `http:`, `mailto:`, `tel:` or another scheme that
the HTML Standard lists as safe, such as `sms:`, `sip:`, `webcal:` and `geo:`, or
lead to a page or file of this site; an image address begins with `https:` or is
a file of this site. A `javascript:` address runs code with the rights of the
page, which attackers use against visitors, and the page's security policy
blocks it anyway.

```markdown
[Prices](javascript:openPrices())
```

```markdown
[Prices](/prices)
```

## active-html

HTML in content contains something that is allowed only in templates.
With `raw_html: true`, Markdown can contain HTML that shows something, but not
HTML that does something: scripts, styles, links to stylesheets, `<meta>`,
`<base>` and embedded objects would change what the page can run and load, and
with it the security policy. Also not allowed are `<svg>`, `<math>`, `<title>`,
`<template>` and `<noscript>`, in which browsers parse tags by other rules, and
the attributes by which scripts find islands and their styles, such as
`data-island`.

```markdown
---
title: Courses
raw_html: true
---
Book here: <script src="https://booking.example/widget.js"></script>
```

```markdown
---
title: Courses
---
Book [at our desk](https://booking.example/).
```

## missing-definition

A footnote or a reference link has no definition.
`[^why]` needs a line `[^why]: …` in the same file, and `[text][name]` a line
`[name]: address`. Without it Markdown outputs the brackets as text, and
visitors see the source of the page.

```markdown
Our oven is older than we are.[^why]
```

```markdown
Our oven is older than we are.[^why]

[^why]: It was built in 1907.
```

## lost-text

Text in a Markdown file would be missing from the page.
Markdown treats a whole line on which a comment begins or ends as HTML, and a
comment without its `-->` hides everything up to the end of the file. A footnote
is shown only where `[^label]` refers to it, and if two have the same label,
only the first is shown. A table shows only as many cells per row as its first
line has. As in Obsidian, `%%` at the beginning of a line hides everything up to
the next `%%`, or up to the end of the file. A line such as `[Note]: tomorrow` is
not text: it defines where links `[Note]` lead; if no link uses it, this is a
warning. The text would be missing, and nobody would notice.

```markdown
<!-- from May on -->Prices start at 5.
```

```markdown
<!-- from May on -->

Prices start at 5.
```

## code-language

The language name after the fence of this code block is unknown.
This is a warning: the code is published without syntax highlighting. Valid
names are those that GitHub knows, and file extensions: `rust` or `rs`,
`javascript` or `js`. For text that is not code, write `text`. With
`settings.highlight: false` in `site.yaml` nothing is highlighted or checked.

````markdown
```javscript
bake("rye");
```
````

````markdown
```javascript
bake("rye");
```
````

## code-option

A word after the language of a code block has no effect.
This is a warning. The options are `title="…"`, the numbers of highlighted lines
in braces, `ins={…}` and `del={…}` for added and removed lines, `linenos`,
`linenostart=…`, and `lang=…` for the language of a `diff`. Line numbers start
at 1.

````markdown
```js hl_lines=2 name="oven.js"
light();
bake("rye");
```
````

````markdown
```js {2} title="oven.js"
light();
bake("rye");
```
````

## placeholder

The content still contains a placeholder that must be replaced before launch.
It is a name under `.example`, or text that `sitegen new page` and
`sitegen new entry` write where yours is needed. RFC 2606 reserves names that
end in `.example` for samples: these sites do not exist, and mail to them does
not arrive. This is a warning, so that you can build a site before its names and
texts are known. Before launch run `sitegen check --deny warnings`, which makes
it an error.

```yaml
email: hello@bakery.example
```

```yaml
email: hello@hollow-oven.test   # your real address
```

## markdown-link

This looks like a link, but Markdown does not read it as one.
In CommonMark an address in parentheses cannot contain spaces. Visitors would
see the brackets and could not follow the link. Write a space in an address as
`%20`, or rename the file.

```markdown
[Our menu](our menu.pdf)
```

```markdown
[Our menu](our-menu.pdf)
```

## markdown-literal

This looks like a heading, a table or bold text, but Markdown shows it as plain text.
This is a warning: the characters may be intended. A heading needs a space after
its `#` signs. The row of dashes below the head of a table needs as many columns
as the head, and an empty line above the table. Bold text has no space just
inside its asterisks. Write `\#`, `\|` or `\*` to show these characters.

```markdown
###Opening hours

| Day | From | To |
|-----|------|
| Saturday | 8 | 13 |
```

```markdown
### Opening hours

| Day | From | To |
|-----|------|----|
| Saturday | 8 | 13 |
```

## markdown-extension

The text uses an extension of Markdown that the site has neither turned on nor off.
Some programs read `==text==`, `[[page]]`, `$x^2$`, `:smile:`, `x^2^` or `:::note`
as markup, and others show them as they are. Decide once for the site: in
`settings.markdown` of `content/site.yaml`, `true` reads an extension and `false`
keeps the characters without a warning. The kinds of alerts are those of GitHub:
`[!NOTE]`, `[!TIP]`, `[!IMPORTANT]`, `[!WARNING]` and `[!CAUTION]`, each alone on
its line. Syntax that belongs to one program, such as `{: .lead}` of kramdown,
`{% include %}` of Liquid or `!!! note` of MkDocs, is not read at all.

```markdown
We bake ==every== night.
```

```yaml
settings:
  markdown:
    mark: true
```

## wiki-link

A `[[link]]` must name exactly one page.
It can be the name of the page's file without its extension, with as many folders
before it as are needed to make it unique, or the title of the page. A section
follows after `#`, and other text after `|`.

```markdown
See [[Openning hours]].
```

```markdown
See [[Opening hours#Winter|our hours in winter]].
```

## formula

The formula is not valid TeX, or uses a command that cannot be shown as MathML.
The build converts formulas to MathML, which browsers show without a script. The
message says what was expected, and the line shows where.

```markdown
The area is $\pi r^{2$.
```

```markdown
The area is $\pi r^{2}$.
```
"#;
