//! YAML, and the front matter of Markdown files.

use super::super::{Certainty, Change};
use super::description::{Description, error, warning};

/// A file that cannot be read as YAML, or that says something else than its writer meant.
#[derive(Clone, Debug, PartialEq)]
pub enum YamlProblem {
    /// Not YAML; `detail` says where the parser failed.
    YamlSyntax { detail: String },
    /// A plain value that YAML reads as something else than text. `reason`: which kind of value needs quotes.
    YamlQuotes { written: String, reason: String },
    /// A tab where YAML wants spaces.
    YamlTab,
    /// The same key twice in one mapping.
    DuplicateKey { key: String },
    /// A key that is not text.
    YamlKey,
    /// Larger, deeper or with more aliases than content ever needs. `detail`: the exceeded limit.
    YamlTooLarge { detail: String },
    /// A plain word or number that YAML readers turn into something else.
    YamlAmbiguous { written: String, read_as: String },
    /// The end of a value in YAML that is read as a comment. `written`: the value with its end.
    YamlComment { written: String },
    /// A Markdown file whose front matter never ends.
    FrontMatterUnclosed { fence: &'static str },
    /// A Markdown file without front matter. `is_late`: whether it has some below empty lines.
    FrontMatterMissing { is_late: bool },
    /// Front matter in a file whose lines end with carriage returns alone.
    FrontMatterOnOneLine,
    /// A file whose bytes are not UTF-8.
    NotUtf8,
    /// The top of a YAML file is a list or a word.
    NotAMapping { expected: &'static str, found: &'static str },
}

pub(super) fn describe(problem: &YamlProblem) -> Description {
    use YamlProblem::*;
    match problem {
        YamlSyntax { detail } => error!("yaml-syntax", "this is not valid YAML: {detail}"),
        YamlQuotes { written, reason } => {
            let quoted = match written.contains(['"', '\\']) {
                true => format!("'{}'", written.replace('\'', "''")),
                false => format!("\"{written}\""),
            };
            error!("yaml-quotes", "{reason} must be in quotes").label(format!("write `{quoted}`")).code(
                written,
                &quoted,
                Certainty::Certain,
            )
        }
        YamlTab => error!("yaml-tab", "YAML must be indented with spaces, but this is a tab")
            .label("replace the tab with spaces")
            .change(Change::Indentation),
        DuplicateKey { key } => error!("duplicate-key", "the key `{key}` is set a second time here")
            .label("keep one of the two")
            .change(Change::Repeated),
        YamlKey => error!("yaml-key", "a key must be text").label("put the key in quotes"),
        YamlTooLarge { detail } => {
            error!("yaml-too-large", "this file is too large: {detail}").label("split the content over several files")
        }
        YamlAmbiguous { written, read_as } => {
            // `1.10` may be a price, `007` is none.
            let number = read_as.strip_prefix("the number ").filter(|_| written.contains('.'));
            let number = number.map_or(String::new(), |number| format!(", or `{number}` for the number"));
            let certainty = if number.is_empty() { Certainty::Certain } else { Certainty::Likely };
            error!("yaml-ambiguous", "YAML reads `{written}` as {read_as}")
                .label(format!("write `\"{written}\"`, in quotes{number}"))
                .code(written, &format!("\"{written}\""), certainty)
        }
        YamlComment { written } => {
            let quoted = written.replace('\\', "\\\\").replace('"', "\\\"");
            warning!("yaml-comment", "a `#` after a space starts a comment, so this is not part of the value")
                .step(format!("write `\"{quoted}\"`, or a space after the `#` of a comment"))
                .code(written, &format!("\"{quoted}\""), Certainty::Likely)
        }
        FrontMatterUnclosed { fence } => error!("front-matter-unclosed", "the front matter is never closed")
            .label(format!("add a line with `{fence}` after the last key"))
            .change(Change::EndOfKeys { fence: (*fence).to_owned() }),
        FrontMatterMissing { is_late: true } => {
            error!("front-matter-missing", "the front matter does not begin in the first line of the file")
                .label("remove the empty lines above it")
        }
        FrontMatterMissing { is_late: false } => {
            error!("front-matter-missing", "this Markdown file has no front matter")
                .label("begin the file with `---`, `title: …`, `---`")
        }
        FrontMatterOnOneLine => {
            error!("front-matter-missing", "the lines of this file end with carriage returns alone, as on old Macs")
                .label("save it with the line ends of Unix (LF) or Windows (CRLF)")
                .change(Change::LineEnds)
        }
        NotUtf8 => error!("not-utf8", "this file is not UTF-8 text").label("save the file as UTF-8"),
        NotAMapping { expected, found } => {
            error!("not-a-mapping", "expected {expected}, found {found}").label(format!("write {expected}"))
        }
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["yaml-comment"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## yaml-syntax

The file is not valid YAML, so it cannot be read.
The usual causes: a quote or a bracket is never closed, an apostrophe is inside
single quotes, a line is indented differently from its neighbours, or a line has
no colon. A value that begins with `{` or `[`, or with a reference such as
`{{ site.email }}`, needs double quotes around all of it. If the cause is above
the line where the parser stopped, the message marks the cause.

```yaml
title: 'The baker's bread'
```

```yaml
title: "The baker's bread"
```

## yaml-tab

A line is indented with a tab, but YAML requires spaces.
The YAML standard (1.2.2, section 6.1) forbids tabs in indentation: editors show
them with different widths, and indentation decides how lines are nested. Set
your editor to insert spaces in YAML files. In this example `→` is the tab.

```yaml
hours:
→monday: closed
```

```yaml
hours:
  monday: closed
```

## duplicate-key

The same key is set twice in one mapping.
YAML (1.2.2, section 3.2.1.1) allows each key once. Other programs silently use
the last value, so the first one is in the file but not on the site. The message
marks the second key; keep the one you mean.

```yaml
name: Rye
price: 4
name: Dark rye
```

```yaml
name: Dark rye
price: 4
```

## yaml-key

A key must be text, but here it is a list or a mapping.
This happens when a line begins with `?` or a bracket. Templates read values by
the name of their key, and a list has no name.

```yaml
? [rye, spelt]
: mixed bread
```

```yaml
"rye, spelt": mixed bread
```

## yaml-too-large

The file is larger, more deeply nested or more repetitive than hand-written content.
The limits are 4 MB, 200,000 values, 64 levels, and 1,000 uses of aliases
(`*name`). A few lines of nested aliases can describe billions of values, which
would exhaust the memory of any machine that reads them, so the parser stops
early. Write the repeated part out, or split the file.

```yaml
a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
```

```yaml
a: [x, x, x]
```

## yaml-ambiguous

YAML parsers read this value differently from how it is written.
`1.10` becomes 1.1, `007` becomes 7, and a telephone number loses its leading
zeros. Words such as `NO`, `yes` or `off` are text here, but true or false in
older programs. Visitors would read something that you did not write. Quotes
keep a value as text. If a schema describes the file, the schema decides
instead.

```yaml
recipe: 1.10
phone: 0043123456
```

```yaml
recipe: "1.10"
phone: "0043123456"
```

## yaml-quotes

This value contains a character that has a meaning in YAML, so it needs quotes.
A colon followed by a space would start another key. A value that begins with
`@`, `*`, `&`, `!`, `%` or a backtick has a special meaning in YAML (1.2.2,
sections 5.3 and 7.3.3); bold text in Markdown, for example, begins with `*`.
The message shows the value with its quotes.

```yaml
title: Bread: the basics
lead: *Every* night
```

```yaml
title: "Bread: the basics"
lead: "*Every* night"
```

## front-matter-unclosed

The front matter of a Markdown file has no closing `---` or `+++` line.
A Markdown file begins with its keys between two lines of three hyphens, or of
three plus signs for TOML. Without the second line, the whole text would be read
as keys.

```markdown
---
title: Our oven
We have baked since 1987.
```

```markdown
---
title: Our oven
---
We have baked since 1987.
```

## front-matter-missing

The Markdown file has no front matter.
Every page needs a title for the browser tab, and Markdown itself has no place
for one. So the first line of the file is `---`, followed by the keys, another
`---`, and then the text. A file from an old Mac, whose lines end with carriage
returns alone, has one line only: `sitegen fix` gives it the line ends of today.

```markdown
We have baked since 1987.
```

```markdown
---
title: Our oven
---
We have baked since 1987.
```

## not-utf8

The file is not encoded as UTF-8.
It was saved in an older encoding such as Windows-1252, or it is not a text
file. The HTML Standard allows no other encoding for pages, and a guess could
turn every `ä` or `é` in the file into a wrong character. In your editor, look
for "save with encoding" and choose UTF-8.

```text
Caf�   (the last letter was saved as the one byte E9)
```

```text
Café   (the last letter is saved as the two bytes C3 A9)
```

## not-a-mapping

The file contains a list or a single word instead of `key: value` lines.
Templates read the values in a file by their keys. A list needs a key too.

```yaml
- rye
- spelt
```

```yaml
loaves:
  - rye
  - spelt
```

## yaml-comment

YAML reads this part of the line as a comment, not as part of the value.
A `#` after a space starts a comment. It is a warning if a word or a number
follows immediately, as in the name of something: most people write a space
after the `#` of a comment. Put the value in quotes, or add the space.

```yaml
title: Boat #1
```

```yaml
title: "Boat #1"
```
"#;
