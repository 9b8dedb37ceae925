//! Collections of entries, their terms, and what lists them.

use super::super::{Certainty, Meant};
use super::description::{Description, error, warning};
use crate::paths::composed;

/// Something about the entries of a collection, or about a page that lists them.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectionProblem {
    /// A path of a page file with a bracket that is not closed, or without a name in it, or with too many. `name`: the
    /// path below `content/pages`, without extension; `known`: the variables that it may have.
    PathVariable { name: String, known: Vec<String> },
    /// A page file with a variable in its path and without `for_each`. `name`: the path below `content/pages`, without
    /// extension.
    VariableWithoutForEach { name: String },
    /// A page file with `for_each` and without a variable in its path. `example`: what it could be called.
    ForEachWithoutVariable { example: String },
    /// `for_each` or `list` with a collection that there is not.
    UnknownCollection { name: String, nearest: Option<Meant> },
    /// An entry that is shown before its `date`.
    EarlyDate { date: String },
    /// A list or a key without entries. `collection`: the collection, with the key after a dot; `language`: that of the list, if the
    /// site has several.
    EmptyList { collection: String, language: Option<String> },
    /// A term in another spelling than in most entries. `written`: as written; `usual`: as in most entries.
    TermSpelling { written: String, usual: String },
    /// A term of one entry that differs little from another. `others`: how many entries have the other one.
    LonelyTerm { name: String, similar: String, others: usize },
    /// Two entries of a collection with the same name.
    DuplicateEntry { slug: String, other: String },
}

pub(super) fn describe(problem: &CollectionProblem) -> Description {
    use CollectionProblem::*;
    match problem {
        PathVariable { name, known } => error!("path-variable", "the variables in the path `{name}` are not valid")
            .label(match known.is_empty() {
                true => "write each variable between brackets, like `[slug]`",
                false => "write one variable between brackets, like `[term]`",
            }),
        VariableWithoutForEach { name } => {
            error!("path-variable", "the path `{name}` has a variable, but its file has no `for_each`")
                .label("add `for_each` with the name of a collection, or rename the file")
        }
        ForEachWithoutVariable { example } => {
            error!("path-variable", "all pages made from this file would have the same address")
                .label(format!("add a variable to the path, like `{example}`"))
        }
        UnknownCollection { name, nearest } => error!("unknown-collection", "there is no collection `{name}`")
            .label("name a folder of `content/`, or `pages`")
            .meant_for(name, nearest.as_ref()),
        EarlyDate { date } => {
            warning!("early-date", "the date {date} is in the future, but the entry is already shown")
                .step(format!("add `publish: {date}`, or correct the date"))
        }
        EmptyList { collection, language: None } => {
            warning!("empty-list", "`{collection}` has nothing to list here").step("add an entry, or change the list")
        }
        EmptyList { collection, language: Some(language) } => {
            warning!("empty-list", "`{collection}` has nothing to list here in `{language}`")
                .step(format!("add an entry or a translation into `{language}`, or change the list"))
        }
        TermSpelling { written, usual } => {
            // They look the same.
            let how = match composed(written) == composed(usual) {
                true => "with its accents as characters of their own (NFD) in one of the two",
                false => "spelled differently",
            };
            warning!("term-spelling", "`{written}` is the same term as `{usual}`, {how}")
                .step(format!("write `{usual}`"))
                .words(written, usual, Certainty::Certain)
        }
        LonelyTerm { name, similar, others: 1 } => {
            warning!("term-spelling", "the terms `{name}` and `{similar}` are similar, and each is used only once")
                .step(format!(
                    "write `{name}` or `{similar}` in both entries, or keep both if they are different terms"
                ))
        }
        LonelyTerm { name, similar, .. } => {
            warning!("term-spelling", "the term `{name}` is used once; did you mean `{similar}`?")
                .step(format!("write `{similar}`, or keep `{name}` if it is a different term"))
                .words(name, similar, Certainty::Likely)
        }
        DuplicateEntry { slug, other } => error!("duplicate-entry", "the entry `{slug}` already exists in {other}")
            .label(match other.contains(':') {
                true => "give one of the two another `slug`",
                false => "rename one of the two files",
            }),
    }
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["early-date", "empty-list", "term-spelling"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## path-variable

The variables in the path of a page file do not match its `for_each`.
A file with `for_each` makes many pages, so its path needs a variable in
brackets, which becomes part of each address: `[slug]` is the file name of an
entry, and any other name is one of its keys. A file that makes pages from the
values of a key has one variable. Without `for_each`, a variable has no value.

```text
content/pages/news/article.yaml:
  for_each: news
```

```text
content/pages/news/[slug].yaml:
  for_each: news
```

## unknown-collection

`for_each` or `list` names a collection that does not exist.
A collection is a folder of `content/` that contains entries. Pages themselves
are listed under the name `pages`.

```yaml
for_each: new
```

```yaml
for_each: news
```

## early-date

An entry has a `date` in the future but is already shown.
This is checked where a page lists the collection with the newest first, as for
news; elsewhere dates may be those of events. Templates and feeds use `date`,
but it does not decide when an entry is shown. `publish` does: before that day
the entry is not published. A date in the future is either a mistake or an entry
that should wait. This is a warning.

```yaml
date: 2062-05-04
```

```yaml
date: 2026-05-04
publish: 2026-05-04
```

## empty-list

A page lists entries, but there are none to list.
Visitors see an empty page. Either the collection is empty, or no entry has the
values that `where` requires. This is a warning.

```yaml
list: { collection: news, where: { kind: relase } }
```

```yaml
list: { collection: news, where: { kind: release } }
```

## term-spelling

A term is spelled differently from the same term elsewhere.
Terms such as tags group entries by their values. Values that differ only in
letter case or accents share a page, which has the most frequent name. A value
that only one entry has, and that differs by one letter from another, gets its
own page, which is rarely intended. Both are warnings.

```yaml
tags: [Beer, festivals]
```

```yaml
tags: [beer, festival]
```

## duplicate-entry

Two files of a collection have the same name with different extensions.
Templates and references use the name without its extension:
`{{ loaves.rye.price }}` must refer to one file. Rename one of them.

```text
content/loaves/rye.yaml
content/loaves/rye.md
```

```text
content/loaves/rye.yaml
content/loaves/rye-with-seeds.md
```
"#;
