//! Templates, and what they read of content.

use super::super::Meant;
use super::description::{Description, error};

/// A template that does not work, or content that lacks what it reads.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateProblem {
    /// A template that does not parse or that names something unknown.
    TemplateSyntax { detail: String },
    /// A tag of a template whose end is missing. `tag`: its first word: `if`.
    TemplateUnclosed { tag: String },
    /// A template that failed while it rendered a page.
    TemplateFailed { detail: String },
    /// A key that a template reads and that an entry or an item of a list does not have. `by`: where the template reads
    /// it, as `templates/pages/page.html:7`; `nearest`: an existing key that was probably meant to be this one;
    /// `collection`: the collection, if it has no schema.
    NeededKey { key: String, by: String, nearest: Option<Meant>, collection: Option<String> },
    /// A value that cannot be sorted among those of the other entries. `most`: what most values of it are: `dates` or
    /// `numbers`.
    SortKind { key: String, most: &'static str },
    /// A key of an entry that names an entry of another collection, which does not exist. `by`: where a template looks
    /// for it, as `templates/pages/page.html:7`.
    UnknownEntry { name: String, collection: String, by: String, nearest: Option<Meant> },
    /// The name of an entry that a language hides, for want of a translation. `by` as above.
    HiddenEntry { name: String, collection: String, by: String, language: String },
    /// A page with a template that does not exist.
    UnknownTemplate { name: String, nearest: Option<Meant> },
    /// A page whose name and whose template stand for files of different formats. `made`: the extension of the
    /// template, if it makes another file than HTML.
    FileName { route: String, template: String, made: Option<String> },
    /// A page that is no HTML and breaks the rules of its format. `line`: the beginning of the line in the file.
    MalformedFile { format: &'static str, detail: String, line: String },
}

pub(super) fn describe(problem: &TemplateProblem) -> Description {
    use TemplateProblem::*;
    match problem {
        TemplateSyntax { detail } => error!("template-syntax", "{detail}"),
        TemplateUnclosed { tag } => error!("template-syntax", "`{{% {tag} %}}` is never closed")
            .label(format!("add `{{% end{tag} %}}` where it ends")),
        TemplateFailed { detail } => error!("template-failed", "{detail}"),
        NeededKey { key, by, nearest, collection } => error!(
            "key-needed-by-template",
            "{by} reads the key `{key}`, which is missing here"
        )
        .label(format!("add `{key}: …`, or make the key optional in the template"))
        .meant_for(
            nearest.as_ref().map_or("", |nearest| &nearest.word),
            nearest.as_ref().map(|nearest| nearest.within(key)).as_ref(),
        )
        .note(collection.as_ref().map(|name| {
            format!(
                "`sitegen schema --from {name}` writes a schema based on the other entries; with it every entry \
                             is validated"
            )
        })),
        SortKind { key, most } => error!(
            "sort-kind",
            "a list is sorted by `{key}`, but this value cannot be compared with the others, which are {most}"
        )
        .label(match *most {
            "dates" => "write it as `2026-05-04`, or with a time as `2026-05-04 09:30 +0100`",
            _ => "write a number without quotes or units",
        }),
        UnknownEntry { name, collection, by, nearest } => {
            error!("unknown-entry", "there is no entry `{name}` in `content/{collection}`, where {by} looks for it")
                .label(format!(
                    "write the name of a file there without its extension, or add `content/{collection}/{name}.yaml`"
                ))
                .meant_for(name, nearest.as_ref())
        }
        HiddenEntry { name, collection, by, language } => error!(
            "unknown-entry",
            "the entry `{name}` of `content/{collection}` has no translation, so it is not there in `{language}`, where {by} looks for it"
        )
        .label(format!(
            "translate it, or set `untranslated: fallback` for `{language}`, or show it only `{{% if entries.{collection}[…] %}}`"
        )),
        UnknownTemplate { name, nearest } => error!("unknown-template", "there is no template `{name}`")
            .label(format!("create `templates/{name}`, or choose another with `template:`"))
            .meant_for(name, nearest.as_ref()),
        FileName { route, template, made: Some(made) } => {
            error!("file-name", "`{template}` makes a `.{made}` file, but the address of this page is `{route}`").label(
                format!("name the page's file `{}.{made}.yaml` or `.md`", route.rsplit('/').next().unwrap_or_default()),
            )
        }
        FileName { route, template, made: None } => {
            let extension = route.rsplit('.').next().unwrap_or_default();
            error!("file-name", "`{template}` makes HTML, but the address of this page is `{route}`").label(format!(
                "use a template that ends in `.{extension}`, or remove `.{extension}` from the page's file name"
            ))
        }
        MalformedFile { format, detail, line } => {
            let at = if line.is_empty() { String::new() } else { format!(", in the line `{line}`") };
            error!("malformed-file", "this is not valid {format}: {detail}{at}").label(match *format {
                "JSON" => "write values with `| json` and without quotation marks around them",
                "XML" => "write HTML in it as `{{ page.content | escape_xml | safe }}`",
                "iCalendar" => "write texts with `| ics` and one property per line",
                _ => "remove the character",
            })
        }
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## template-syntax

The template has a syntax error, or refers to something that does not exist.
A brace or an end tag is missing (`{% if %}` without `{% endif %}`), or the
template uses a block, filter, function, component or parent that does not
exist. This is checked in all templates before any page is rendered. The
template language is Tera.

```html
<p>{{ page.title }</p>
```

```html
<p>{{ page.title }}</p>
```

## template-failed

The template has no syntax error, but rendering a page with it failed.
Usually it reads a value that this page does not have. An unknown value is an
error and never empty text, because an empty heading would go unnoticed. An
argument that a function or filter of sitegen does not have is also an error.
The last line of the message names the page. Either add the value to that page,
or let the template check whether it is defined.

```html
<p>{{ page.lead }}</p>
```

```html
{% if page.lead is defined %}<p>{{ page.lead }}</p>{% endif %}
```

## key-needed-by-template

A template reads a key that an entry or a list item does not have.
Most often the key is misspelt there, or one of many entries lacks it. The
message names the entry and the line of the template. A schema finds this
mistake in every entry, even if no template reads the key yet:
`sitegen schema --from loaves` prints one based on the entries in
`content/loaves/`. Check it and save it as `content/schemas/loaves.schema.json`.
If the key is optional, check for it in the template with
`{% if loaf.note is defined %}`.

```yaml
name: Rye
wieght: 500
```

```yaml
name: Rye
weight: 500
```

## sort-kind

A list is sorted by a key whose value in this entry cannot be compared with the others.
In most entries the values are dates, or numbers, and one entry has another type
of value. It has no correct position in the list, so the error is reported at
that value.

```yaml
# content/news/opening.yaml
date: 2 January 2011
```

Dates are read as `2011-01-02`, `2011-01-02T09:00:00+01:00`, and as Jekyll, Hugo and WordPress write them, `2011-01-02 09:00:00
+0100`:

```yaml
date: 2011-01-02
```

## unknown-entry

An entry refers to an entry of another collection that does not exist.
The template looks it up there, as in `entries.team[entry.author]`. The name of
an entry is its file name without the extension: the author `ida` is
`content/team/ida.yaml`. Correct the name, or add the file.

```yaml
author: idda
```

```yaml
author: ida
```

## unknown-template

The page uses a template that does not exist.
`template:` is a path inside `templates/`, with folder and extension. A page
without this key is rendered with `pages/page.html`.

```yaml
template: home
```

```yaml
template: pages/home.html
```

## file-name

The file name of a page and its template imply different formats.
A template whose name ends in `.xml`, `.json`, `.txt`, `.webmanifest` or `.ics`
generates a file, and the name of that file is the address of the page: the page
`content/pages/search.json.yaml` generates `/search.json`. So the name of the
page needs the extension of the template before its own, such as `.yaml`, and a
page with that name needs a template with the same extension.

```yaml
# content/pages/search.yaml
template: search.json
```

```yaml
# content/pages/search.json.yaml
template: search.json
```

## malformed-file

A generated file is not valid in its format.
Programs such as feed readers, calendars and browsers that install the site as
an app reject a file with an error entirely. The message shows the line of the
file and the place in the template or the content that wrote it. In XML, values
are escaped, and HTML has to be escaped too. In JSON, `| json` writes a value
with its quotation marks. In a calendar (RFC 5545), `| ics` writes text as one
line; you do not need to fold lines by hand. Text files must not contain control
characters.

```json
{ "title": "{{ page.title }}" }
```

```json
{ "title": {{ page.title | json }} }
```
"#;
