//! Plural forms: `{ one: "{count} post", other: "{count} posts" }`.

use super::description::{Description, error, list};

/// Something that is wrong with the plural forms of a text. `language`: the tag of the language that they are read in.
#[derive(Clone, Debug, PartialEq)]
pub enum PluralProblem {
    /// A form that the language has and the text has not. `examples`: numbers that take it.
    MissingForm { category: String, language: String, examples: Vec<String> },
    /// A form that the language has not. `known`: those that it has.
    ForeignForm { category: String, language: String, known: Vec<String> },
    /// A form without `{count}` that stands for several numbers. `examples`: some of them.
    WithoutCount { category: String, language: String, examples: Vec<String> },
}

pub(super) fn describe(problem: &PluralProblem) -> Description {
    use PluralProblem::*;
    match problem {
        MissingForm { category, language, examples } => {
            error!("plural-forms", "the plural form `{category}` is missing, which the language `{language}` has")
                .label(format!("add `{category}: \"{{count}} …\"`, the text for {}", numbers(examples)))
        }
        ForeignForm { category, language, known } => {
            error!("plural-forms", "the language `{language}` has no plural form `{category}`").label(
                match known.as_slice() {
                    [only] => format!("remove it; its only form is `{only}`"),
                    _ => format!("remove it; its forms are {}", list(known)),
                },
            )
        }
        WithoutCount { category, language, examples } => error!(
            "plural-forms",
            "`{{count}}` is missing: in the language `{language}` the form `{category}` is the text for {}",
            numbers(examples)
        )
        .label("write `{count}` where the number belongs"),
    }
}

/// `0, 5, 6, 7 and others`, or the only one.
fn numbers(examples: &[String]) -> String {
    match examples {
        [only] => format!("`{only}`"),
        several => {
            format!("{} and others", several.iter().map(|number| format!("`{number}`")).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## plural-forms

A text with a number lacks a form of its language, or has one too many.
English has a form for one thing and another for all other numbers; Polish has
four, Arabic six, Japanese one. CLDR, the collection of such rules that browsers
use too, calls them `zero`, `one`, `two`, `few`, `many` and `other`. A text needs
each form that its language has, or some visitors would read a sentence that is
wrong. The form of `many` in French and Spanish is for whole millions, that in
Czech for fractions.

Each form has `{count}` where the number belongs. It may be left out only where
the form is of a single whole number, as `one` in English; in Russian `one` is
the text for 1, 21, 31 and so on.

The forms are checked wherever the keys of a mapping are nothing but such names
and a text contains `{count}`, even if no page shows them yet, and wherever a
template calls `plural`.

```yaml
# content/site.yaml, in Polish
language: pl
labels:
  posts: { one: "wpis", other: "{count} wpisu" }
```

```yaml
language: pl
labels:
  posts:
    one: "{count} wpis"
    few: "{count} wpisy"
    many: "{count} wpisów"
    other: "{count} wpisu"
```
"#;
