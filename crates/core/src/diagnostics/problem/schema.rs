//! Keys and values that a schema does not allow, and schemas.

use super::super::{Certainty, Meant};
use super::description::{Description, error, list, list_or};
use crate::paths::SourcePath;
use jiff::civil::Date;

/// A key or a value that a schema does not allow, or a schema that is not valid.
#[derive(Clone, Debug, PartialEq)]
pub enum SchemaProblem {
    /// A key that is not in the schema. `known`: all keys that are allowed there; `schema`: the schema of the project
    /// that names them, where another may be added.
    UnknownKey { key: String, nearest: Option<Meant>, known: Vec<String>, schema: Option<SourcePath> },
    /// A key that must be there. `purpose`: the schema's description of it.
    MissingKey { key: String, purpose: Option<String> },
    /// A key that must be there and whose value is empty.
    EmptyKey { key: String },
    /// A key that may not be there, given the others. `reason`: the schema's reason.
    ForbiddenKey { key: String, reason: Option<String> },
    /// A value of another type. `fix`: what to write, where the value shows what was meant; `code`: the written value and
    /// the code for the meant one, where there is no other.
    WrongType { expected: String, found: &'static str, fix: Option<String>, code: Option<(String, String)> },
    /// A value that is not among the choices.
    NotAChoice { value: String, choices: Vec<String>, nearest: Option<Meant> },
    /// A text that is too short or too long. `unit`: what they are: `characters` or `items`; `limit`: `at least 3`, `at
    /// most 60`.
    Length { found: usize, unit: &'static str, limit: String },
    /// A number outside its range. `limit`: `at least 1`.
    Range { value: String, limit: String },
    /// A text that is not a URL, e-mail address or date. `format`: the format's name in JSON Schema.
    BadFormat { value: String, format: String },
    /// A text that does not have the form the schema requires. `pattern`: the regular expression; `purpose`: the
    /// schema's description of the value.
    BadPattern { value: String, pattern: String, purpose: Option<String>, nearest: Option<Meant> },
    /// Any other rule of a schema.
    SchemaRule { detail: String },
    /// A schema that is not valid.
    BadSchema { detail: String },
    /// A key whose value the engine sets itself.
    ReservedKey { key: String },
    /// A last day before the first.
    DatesReversed { publish: String, expires: String },
}

pub(super) fn describe(problem: &SchemaProblem) -> Description {
    use SchemaProblem::*;
    match problem {
        UnknownKey { key, nearest, known, schema } => {
            let all = (!known.is_empty()).then(|| list(known));
            let one_of = all.as_ref().map_or(String::new(), |all| format!(", or use one of {all}"));
            let schema = schema.as_ref().map_or(String::new(), |schema| format!(", or add it to `{schema}`"));
            let unknown = error!("unknown-key", "unknown key `{key}`")
                .label(format!("remove it{one_of}{schema}"))
                .note(all.filter(|_| nearest.is_some()).map(|all| format!("known keys: {all}")));
            match nearest {
                // Jekyll's word for a draft, with its value.
                Some(draft) if draft.contains(": ") => {
                    unknown.meant(Some(draft)).code(&format!("{key}: false"), draft, Certainty::Certain)
                }
                // A key that belongs below another one.
                Some(below) if below.contains('.') && !key.contains('.') => unknown.meant(Some(below)),
                nearest => unknown.meant_for(key, nearest.as_ref()),
            }
        }
        MissingKey { key, purpose } => error!("missing-key", "the key `{key}` is missing")
            .label(format!("add `{key}: …`"))
            .note(purpose.as_ref().map(|purpose| format!("`{key}`: {purpose}"))),
        EmptyKey { key } => error!("empty-key", "the key `{key}` is empty").label("write a value"),
        ForbiddenKey { key, reason } => error!("forbidden-key", "the key `{key}` is not allowed here")
            .label(format!("remove `{key}`"))
            .note(reason.clone()),
        WrongType { expected, found, fix, code } => {
            let wrong = error!("wrong-type", "expected {expected}, found {found}")
                .label(format!("write {}", fix.as_ref().unwrap_or(expected)));
            match code {
                Some((old, new)) => wrong.code(old, new, Certainty::Certain),
                None => wrong,
            }
        }
        NotAChoice { value, choices, nearest } => error!("not-a-choice", "`{value}` is not one of the choices")
            .label(format!("choose {}", list_or(choices)))
            .meant_for(value, nearest.as_ref())
            .note(nearest.as_ref().map(|_| format!("the choices are {}", list(choices)))),
        Length { found, unit, limit } => {
            // `at least 1 item`, `at least 2 items`
            let unit = if limit.ends_with(" 1") { unit.trim_end_matches('s') } else { unit };
            error!("wrong-length", "expected {limit} {unit}, found {found}").label(format!("write {limit} {unit}"))
        }
        Range { value, limit } => error!("out-of-range", "`{value}` is out of range, expected {limit}")
            .label(format!("write a number that is {limit}")),
        BadFormat { value, format } => {
            let (name, fix) = match format.as_str() {
                "uri" => ("an absolute URL".into(), "write it like `https://www.example.com/path`".into()),
                "email" => ("an e-mail address".into(), "write it like `name@example.com`".into()),
                "date" => ("a date".into(), date_fix(value)),
                other => (format!("a valid `{other}`"), format!("write it like a `{other}`")),
            };
            let bad = error!("bad-format", "`{value}` is not {name}").label(fix);
            match day(value).filter(|_| format == "date") {
                Some(day) => bad.words(value, &day.to_string(), Certainty::Certain),
                None => bad,
            }
        }
        BadPattern { value, pattern, purpose, nearest } => {
            error!("bad-pattern", "`{value}` does not have the expected form")
                .label(format!("write text that matches `{pattern}`"))
                .label_if(purpose.clone())
                .meant_for(value, nearest.as_ref())
        }
        SchemaRule { detail } => error!("schema-rule", "the schema does not allow this: {detail}"),
        BadSchema { detail } => error!("bad-schema", "this is not a valid JSON Schema: {detail}"),
        ReservedKey { key } => error!("reserved-key", "sitegen sets `{key}` itself, so this value would be lost")
            .label("give the key another name"),
        DatesReversed { publish, expires } => {
            error!("dates-reversed", "the last day, {expires}, is before the first, {publish}")
                .label("write a day that is not before `publish`")
        }
    }
}

/// Returns the year, month and day of a text that has three numbers in this order.
fn numbers_of_day(value: &str) -> Option<(i16, i8, i8)> {
    let numbers: Vec<i16> = value.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [year, month, day] = numbers[..] else { return None };
    (year > 999).then_some((year, i8::try_from(month).ok()?, i8::try_from(day).ok()?))
}

/// Returns the day that is meant by `2026-5-4`.
fn day(value: &str) -> Option<Date> {
    let (year, month, day) = numbers_of_day(value)?;
    Date::new(year, month, day).ok()
}

/// Says what is wrong with a date: a day that its month does not have, or else the form.
fn date_fix(value: &str) -> String {
    let Some((year, month, _)) = numbers_of_day(value) else { return "write it like `2025-01-31`".into() };
    match Date::new(year, month, 1) {
        Err(_) => "write a month from 01 to 12".into(),
        Ok(first) => match day(value) {
            Some(day) => format!("write `{day}`"),
            None => format!("{} has {} days", first.strftime("%B %Y"), first.days_in_month()),
        },
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## unknown-key

The schema for this file does not define this key.
Most often it is a typo, and the message suggests the most similar key. Without
this check the value would be ignored: it is in the file, but visitors never see
it. To use a new key, add it to the schema in `content/schemas/` first, and then
to a template that shows it.

```yaml
pirce: 4.80
```

```yaml
price: 4.80
```

## missing-key

A required key is missing.
The schema for the file defines which keys are required; the note below the
message says what this key is for. A template that shows the key would show
nothing.

```yaml
name: Rye
```

```yaml
name: Rye
price: 4.80
```

## empty-key

A required key is present, but its value is empty.
Empty text counts as missing, because a page with an empty heading or an empty
link is as broken as one without it. Where the schema does not require the key,
`key: ""` is allowed and means that there is no value.

```yaml
name: ""
price: 4.80
```

```yaml
name: Rye
price: 4.80
```

## forbidden-key

This key is not allowed together with the other values in the file.
A schema can make keys depend on each other: for example, a loaf that is not
sold out has no day on which it is back. Otherwise visitors would read
contradictory information. Remove the key, or change the value that rules it
out.

```yaml
sold_out: false
back_on: "2026-12-01"
```

```yaml
sold_out: true
back_on: "2026-12-01"
```

## wrong-type

The value does not have the type that the schema requires.
It is a number where text is expected, a word where `true` or `false` is
expected, or a single value where a list is expected. YAML determines the type
from how a value is written: `4.80` is a number and `"4.80"` is text, and only
`true` and `false` are booleans.

```yaml
sold_out: yes
grains: rye
```

```yaml
sold_out: true
grains: [rye]
```

## not-a-choice

The value is not one of the values that the schema allows.
Templates and styles know only the listed values; with any other, a card would
silently lose its colour or its badge. The message lists the choices. They are
case-sensitive.

```yaml
crust: drak
```

```yaml
crust: dark
```

## wrong-length

The text or the list is shorter or longer than the schema allows.
These limits come from the design: a title that must fit on a card, a row of
exactly three columns, a description that search engines cut off. The message
states the actual and the allowed number.

```yaml
grains: []
```

```yaml
grains: [rye, wheat]
```

## out-of-range

The number is smaller or larger than the schema allows.
Limits catch impossible values, such as a negative price, a share above 100, or
a rating of 51 where 5.1 was meant.

```yaml
share: 120
```

```yaml
share: 12
```

## bad-format

The text is not a valid date, e-mail address or web address, as the schema requires.
A date is written as year-month-day (ISO 8601) and must exist in the calendar;
an e-mail address needs its `@`; a web address begins with `https://`. Visitors,
mail programs and search engines cannot use an invalid one.

```yaml
since: 1987-02-30
website: www.bakery.test
```

```yaml
since: 1987-02-28
website: https://www.bakery.test
```

## bad-pattern

The text does not match the pattern that the schema requires.
Programs read some values, so these have a fixed form: a language is a tag such
as `en` or `de-AT` (BCP 47), a colour is `#` with six digits, a file name is in
lower case. If the schema describes the value, the message shows the
description; otherwise it shows the pattern.

```yaml
language: English
```

```yaml
language: en
```

## schema-rule

The value breaks a rule of the schema that has no specific message.
The schema in `content/schemas/` defines the rule; the message quotes the schema
validator. If the rule is not what you want, change it there.

```yaml
grains: [rye, rye]
```

```yaml
grains: [rye, wheat]
```

## bad-schema

A file in `content/schemas/` is not a valid JSON Schema.
Either it is not JSON (most often because of a comma before a closing bracket),
or it uses a keyword that JSON Schema 2020-12 does not define. Until it is
fixed, nothing can be validated with it. A schema must not refer to other files
or to the web.

```json
{ "required": ["name",] }
```

```json
{ "required": ["name"] }
```

## reserved-key

sitegen sets this key itself, so the value here would be lost.
Templates read a page's `route`, `url` and `source`, an entry's `slug` and
`expired`, and the `content` and `toc` of every Markdown file. These come from
the file name, the body and the date.

```yaml
title: Prices
url: https://www.bakery.example/prices-2025
```

```yaml
title: Prices
link: https://www.bakery.example/prices-2025
```

## dates-reversed

The last day of a page or an entry is before its first, so it is never published.
`publish` is the first day and `expires` the last; they may be the same.

```yaml
publish: "2026-12-24"
expires: "2026-12-01"
```

```yaml
publish: "2026-12-01"
expires: "2026-12-24"
```
"#;
