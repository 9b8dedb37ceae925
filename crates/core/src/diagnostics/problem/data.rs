//! Files of content in TOML, JSON and CSV, and collections in one file.

use super::Problem;
use super::description::{Description, error};

/// Something that such a file cannot contain.
#[derive(Clone, Debug, PartialEq)]
pub enum DataProblem {
    /// Not TOML, JSON or CSV. `format`: its name; `detail`: where the parser failed.
    DataSyntax { format: &'static str, detail: String },
    /// Bytes of a spreadsheet that are no UTF-8 and may be one of several letters. `line`: counted from 1; `guess`: the
    /// encoding that is likely.
    UnclearEncoding { byte: u8, line: usize, guess: Option<&'static str> },
    /// A row of a spreadsheet with more or fewer cells than the first. `row`: counted from 1, as spreadsheets do.
    CellCount { row: usize, found: usize, expected: usize },
    /// A cell that is no value of the type that the schema has for its column, or that can be read in two ways. `reason`:
    /// why it cannot be read, like `is not a number`; `fix`: what to write.
    CellValue { written: String, reason: String, fix: String },
    /// A problem in a cell of a spreadsheet. `row`: counted from 1, as spreadsheets do.
    InCell { row: usize, column: String, problem: Box<Problem> },
    /// A file directly in `content` with neither a list of entries nor a map of them. `found`: what it has instead.
    NotEntries { found: &'static str },
    /// An entry of a list without a key that it can be named by.
    NoSlug,
}

pub(super) fn describe(problem: &DataProblem) -> Description {
    use DataProblem::*;
    match problem {
        DataSyntax { format, detail } => error!("data-syntax", "this is not valid {format}: {detail}"),
        UnclearEncoding { byte, line, guess } => {
            let guess = match guess {
                Some("UTF-8") => "; other letters of the file are UTF-8".to_owned(),
                Some(guess) => format!("; the file looks like {guess}"),
                None => String::new(),
            };
            error!(
                "unclear-encoding",
                "the byte 0x{byte:02X} in line {line} is not UTF-8, and may be one of several letters{guess}"
            )
            .label("save the file as UTF-8")
        }
        CellCount { row, found, expected } => {
            let cells = if *found == 1 { "cell" } else { "cells" };
            error!("cell-count", "row {row} has {found} {cells}, but the first row has {expected}")
                .label("put a cell that contains the separator in double quotes, and leave empty cells empty")
        }
        CellValue { written, reason, fix } => error!("cell-value", "`{written}` {reason}").label(fix.as_str()),
        InCell { row, column, problem } => {
            let inner = problem.describe();
            Description { message: format!("row {row}, column `{column}`: {}", inner.message), ..inner }
        }
        NotEntries { found } => error!(
            "not-entries",
            "a file directly in `content` has a list of entries or a map from slug to entry, but this is {found}"
        )
        .label("write an entry for each item, or put single values into `content/site.yaml`"),
        NoSlug => error!("no-slug", "this entry has no key that it can be named by")
            .label("add the key `slug`, `id`, `name` or `title`, with text"),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## data-syntax

The file is not valid TOML, JSON or CSV, so it cannot be read.
The message names the format and marks the place at which the parser stopped.
The usual causes: a text without quotes, a comma after the last value of JSON, a
comment in JSON, a colon instead of `=` in TOML, a quote that is never closed,
and a first line of a table with two kinds of separators. In TOML and JSON every
text is in double quotes.

```toml
title = Dark rye
```

```toml
title = "Dark rye"
```

## unclear-encoding

A table contains a letter in an encoding that cannot be determined.
Tables are UTF-8. Spreadsheet programs may also write them in an older encoding,
and nothing in the file says which one. A file that can only be Windows-1252, the
encoding of Western Europe, is read as such; in any other file a name would be
published with wrong letters. Choose "CSV UTF-8" or "Unicode (UTF-8)" when you
save the file. In this example `\xB3` is a byte that is `ł` in one encoding and
`³` in another.

```text
name;price
bu\xB3ka;3
```

```text
name;price
bułka;3
```

## cell-count

A row of a table has more or fewer cells than the first row.
The first row has the names of the columns, so it is unclear which column each
cell belongs to. The usual cause is a cell that contains the separator: such a
cell must be in double quotes.

```text
name,price
Wheat, spelt,3
```

```text
name,price
"Wheat, spelt",3
```

## cell-value

A cell of a table is not a value of the type that the schema requires.
In a column of numbers, a cell contains digits, with a point as the decimal sign.
`1.234` is a thousand in one country and little more than one in another: in a
file that separates cells by semicolons it is an error, like `1,234` in any file.
Signs between thousands are errors too. In a column of `true` and `false`, a cell
is one of the two.

```text
name;price
Rye;1.234,5
```

```text
name;price
Rye;1234.5
```

## not-entries

A file directly in `content` must contain the entries of a collection.
`content/team.yaml` has a list of entries, or a map from slugs to entries. A
single set of values, such as a name and an address, belongs in
`content/site.yaml`; one entry alone is a file in a folder, such as
`content/team/ada.yaml`.

```yaml
name: Ada King
role: baker
```

```yaml
- name: Ada King
  role: baker
```

## no-slug

An entry in a list has no key that gives it a name.
References and addresses need a name for each entry. It is the value of `slug`,
or it is made from the first of `id`, `name` and `title` that has a value. In a
map of entries, the key is the name.

```yaml
- role: baker
  since: 1987
```

```yaml
- slug: ada
  role: baker
  since: 1987
```
"#;
