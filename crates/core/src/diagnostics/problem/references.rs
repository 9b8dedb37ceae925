//! References between braces in content.

use super::super::Meant;
use super::description::{Description, error};

/// A reference in content that stands for nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum ReferenceProblem {
    /// `{{ site.nothing }}` in content. `part`: the part that does not exist.
    UnknownReference { reference: String, part: String, nearest: Option<Meant> },
    /// `{{ … }}` in content that is not a plain path. `reference`: the text between the braces.
    BadReference { reference: String },
    /// `{{` without `}}` on the same line.
    UnclosedReference,
    /// `}}` without `{{` before it.
    UnopenedReference,
    /// A reference to a list or a mapping.
    NoText { reference: String, found: &'static str },
    /// A reference to a text that contains a reference itself.
    NestedReference { reference: String },
    /// A reference in a tag of raw HTML, and not between quotes.
    ReferenceInTag,
}

pub(super) fn describe(problem: &ReferenceProblem) -> Description {
    use ReferenceProblem::*;
    match problem {
        UnknownReference { reference, part, nearest } => {
            let message = format!("`{{{{ {reference} }}}}` refers to `{part}`, which does not exist");
            error!("unknown-reference", "{message}")
                .label("use a key that exists, or remove the braces")
                .meant_for(reference, nearest.as_ref())
        }
        BadReference { reference } => error!("bad-reference", "`{{{{ {reference} }}}}` is not a valid reference")
            .label("write a path like `{{ site.email }}`"),
        UnclosedReference => {
            error!("bad-reference", "`{{{{` is not closed").label("add `}}`, or write `\\{{` for literal braces")
        }
        UnopenedReference => error!("bad-reference", "`}}}}` has no `{{{{` before it")
            .label("write `{{` before the path, or `\\}\\}` for literal braces"),
        NoText { reference, found } => {
            error!("bad-reference", "`{{{{ {reference} }}}}` is {found}, but only text or a number can go here")
                .label("refer to a single value in it")
        }
        NestedReference { reference } => {
            error!("bad-reference", "`{{{{ {reference} }}}}` refers to text that itself contains `{{{{ … }}}}`")
                .label("refer to text without braces, or write the text here")
        }
        ReferenceInTag => error!("bad-reference", "a reference in an HTML tag must be in quotes")
            .label("write it in quotes, like `href=\"{{ site.shop }}\"`"),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unknown-reference

The braces refer to a value that does not exist.
`{{ site.email }}` inserts the value of `email` from `content/site.yaml`, also
in that file itself. On pages, `{{ loaves.rye.price }}` inserts a value of the
entry `rye` in `content/loaves/`. Each part between the dots must exist exactly
as written. Otherwise a sentence would have a gap that only visitors notice.

```markdown
Write to {{ site.emial }}.
```

```markdown
Write to {{ site.email }}.
```

## bad-reference

The braces do not contain a plain path to text or a number, or they are not closed.
Content can refer to a value and nothing else: no calculations, filters,
conditions or lists. These belong in templates. A reference cannot point to text
that itself contains braces: in `content/site.yaml` one value can refer to
another only if that one contains no braces. To write literal braces, put a
backslash before them.

```markdown
Write to {{ site.email | upper }}.
```

```markdown
Write to {{ site.email }}.
```
"#;
