//! The severities that a site sets, and the errors that it suppresses.

use super::description::{Description, error, warning};

/// A mistake in `settings.checks` or in `suppressions.json`.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckProblem {
    /// A code in one of the two that no message has.
    UnknownCode { code: String, nearest: Option<String> },
    /// A code whose severity is fixed. `is_set`: whether `settings.checks` sets it; else `suppressions.json` has it.
    FixedSeverity { code: String, is_set: bool },
    /// A `suppressions.json` of another shape.
    BadSuppression { found: &'static str, expected: &'static str },
    /// A file with more errors of a code than are suppressed.
    MoreThanSuppressed { file: String, code: &'static str, found: usize, suppressed: usize },
    /// A file with fewer errors of a code than are suppressed.
    FewerThanSuppressed { file: String, code: &'static str, found: usize, suppressed: usize },
}

pub(super) fn describe(problem: &CheckProblem) -> Description {
    use CheckProblem::*;
    match problem {
        UnknownCode { code, nearest } => error!("unknown-code", "no message has the code `{code}`")
            .label("`sitegen explain` lists all codes")
            .meant(nearest.as_deref()),
        FixedSeverity { code, is_set: true } => error!("fixed-severity", "the severity of `{code}` cannot be set")
            .label(format!("remove it; `sitegen explain {code}` says how to correct its cause")),
        FixedSeverity { code, is_set: false } => error!("fixed-severity", "errors of `{code}` cannot be suppressed")
            .label(format!("remove it; `sitegen explain {code}` says how to correct the error")),
        BadSuppression { found, expected } => error!("bad-suppression", "expected {expected}, but this is {found}")
            .label("`sitegen check --suppress-all` writes this file"),
        MoreThanSuppressed { file, code, found, suppressed } => error!(
            "more-than-suppressed",
            "`{file}` has {} of `{code}`, but {suppressed} {} suppressed",
            counted(*found),
            if *suppressed == 1 { "is" } else { "are" }
        )
        .label("correct the new one; all of them are reported, because nothing says which one is new"),
        FewerThanSuppressed { file, code, found, suppressed } => {
            let found = if *found == 0 { "no errors".to_owned() } else { format!("only {}", counted(*found)) };
            warning!("fewer-than-suppressed", "`{file}` has {found} of `{code}`, but {suppressed} can be suppressed")
                .step("run `sitegen check --prune-suppressions`, so that no new error hides behind a corrected one")
        }
    }
}

fn counted(errors: usize) -> String {
    format!("{errors} {}", if errors == 1 { "error" } else { "errors" })
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unknown-code

A code in `settings.checks` or in `suppressions.json` is not that of any message.
A misspelt code would silently change nothing. `sitegen explain` without a code
lists all of them, and each message has its own in brackets.

```yaml
settings:
  checks: { heading-skips: warning }
```

```yaml
settings:
  checks: { heading-skip: warning }
```

## fixed-severity

The severity of this code is fixed, and its errors cannot be suppressed.
A site may decide how much a skipped heading or a missing text of a picture
weighs. What makes a page unsafe, publishes a secret, loses an address or makes
it unclear what is published is always an error. `sitegen explain CODE` says
whether the severity of a code can be set.

```yaml
settings:
  checks: { unsafe-svg: warning }
```

```yaml
settings:
  checks: { small-picture: off }
```

## bad-suppression

`suppressions.json` does not have the shape that sitegen writes.
For each file of the project it has the codes whose errors are suppressed, each
with their number. Let `sitegen check --suppress-all` write it.

```json
{ "content/pages/index.md": { "heading-skip": 2 } }
```

```json
{ "content/pages/index.md": { "heading-skip": { "count": 2 } } }
```

## more-than-suppressed

A file has more errors of a kind than `suppressions.json` suppresses.
Suppressed errors are those that the file had when they were recorded; a new one
is reported. All errors of that kind in the file are reported with it, because
nothing in them shows which one is new. In this example one `broken-link` is
suppressed, that of `/old`.

```markdown
[Old link](/old) [New link](/price)
```

```markdown
[Old link](/old) [New link](/prices)
```

## fewer-than-suppressed

A file has fewer errors of a kind than `suppressions.json` suppresses.
Some have been corrected. Until the number is lowered, new errors could take
their place and be suppressed too. `sitegen check --prune-suppressions`
lowers the numbers and removes what is no longer needed.

```json
{ "content/pages/index.md": { "heading-skip": { "count": 2 } } }
```

```json
{ "content/pages/index.md": { "heading-skip": { "count": 1 } } }
```
"#;
