//! Texts of sites in several languages.

use super::super::Meant;
use super::description::{Description, NAMED, error, warning};

/// A mistake in what a site says in several languages.
#[derive(Clone, Debug, PartialEq)]
pub enum LanguageProblem {
    /// `site.fr.yaml` of a site that has no `fr`.
    UndeclaredLanguage { tag: String },
    /// `about.fr.md` beside `about.md`, of a site in several languages that has no `fr`.
    UndeclaredTranslation { tag: String, original: String },
    /// A tag of a language whose first part is not the code of one.
    UnknownLanguage { tag: String, nearest: Option<Meant> },
    /// The `url` of a language at which it cannot be published.
    LanguageUrl { value: String, reason: String },
    /// A file without a translation, in a language that has to have all.
    NoTranslation { language: String, file: String },
    /// A translation without some texts of its original, in a language that has to have all.
    LacksTexts { language: String, texts: Vec<String> },
    /// A translation that nobody sees yet, in a language that has to have all.
    DraftTranslation { language: String },
    /// Texts without a translation, in a language that shows the originals instead. `first` are some of their `files`.
    Untranslated { language: String, missing: usize, all: usize, files: usize, first: Vec<String> },
    /// A second translation of a file into a language. `other` is the first.
    SecondTranslation { language: String, other: String },
    /// A folder that two languages name.
    SharedFolder { folder: String, other: String },
    /// A page that shows an original, and calls itself the page that search engines are to show. `expected`: the original.
    FallbackCanonical { address: String, expected: String },
    /// A page that shows an original, and does not name that for search engines.
    NoCanonical { language: String },
    /// A link that leads into another language than that of its page. `meant`: the same page in that language.
    LinkLanguage { target: String, language: String, page_language: String, meant: Option<String> },
    /// `hreflang` on a link that leads into another language than that.
    WrongLinkLanguage { target: String, language: String, declared: String },
    /// `hreflang` for an address that is not the one which the site has for that language.
    WrongHreflang { language: String, found: Option<String>, expected: Option<String> },
    /// A page without `hreflang` for itself and its translations, some of which have it.
    MissingHreflang { language: String, expected: String },
    /// A page that shows an original and does not say in which language that is.
    UnmarkedFallback { language: String, page_language: String, direction: &'static str },
    /// A text of an entry or of another page, in a language that the page does not say.
    UnmarkedEntry { language: String, direction: &'static str },
    /// A page with a text of its own whose `<link rel="canonical">` leads into another language.
    CanonicalLanguage { address: String, language: String, page_language: String },
    /// Structured data of a page in a language that the page does not have.
    DataLanguage { language: String, written: String },
    /// A 404 page of a language, for a host that shows one for the whole site.
    NotFoundOfLanguage { host: &'static str },
    /// A translation of an earlier version of its original.
    StaleTranslation { original: String, changed: Vec<String> },
    /// A file of translators that cannot be read.
    PoFile { detail: String },
    /// A translation that would break its text. `context`: the file and the key.
    RefusedTranslation { context: String, reason: String },
    /// A translation of a text that the site does not have. `is_known`: whether it has another text there.
    SkippedTranslation { context: String, is_known: bool },
}

/// Codes whose severity a site may set.
pub(super) const ADJUSTABLE: &[&str] = &[
    "data-language",
    "link-language",
    "missing-canonical",
    "not-found-language",
    "stale-translation",
    "undeclared-translation",
    "unknown-language",
    "unmarked-entry",
    "untranslated",
];

pub(super) fn describe(problem: &LanguageProblem) -> Description {
    use LanguageProblem::*;
    match problem {
        UndeclaredLanguage { tag } => {
            error!("undeclared-language", "the site has no language `{tag}`").label(format!(
                "add `{tag}: {{ name: … }}` to `languages` in content/site.yaml, or remove the file"
            ))
        }
        UndeclaredTranslation { tag, original } => undeclared_translation(tag, original),
        UnknownLanguage { tag, nearest } => warning!("unknown-language", "no language has the code `{tag}`")
            .step("write the code of ISO 639, like `de`: browsers and search engines know no others")
            .meant_for(tag, nearest.as_ref()),
        LanguageUrl { value, reason } => {
            error!("language-url", "a language cannot be published at `{value}`").label(reason)
        }
        NoTranslation { language, file } => error!("no-translation", "there is no translation into `{language}`")
            .label(format!("add `{file}`, or set `untranslated: fallback` for the language")),
        LacksTexts { language, texts } => lacks_texts(language, texts),
        DraftTranslation { language } => {
            error!("no-translation", "nobody sees this translation into `{language}` yet, and there is no other")
                .label("remove `draft` or `publish`, or set `untranslated: fallback` for the language")
        }
        SecondTranslation { language, other } => {
            error!("duplicate-translation", "`{other}` has the same text in `{language}` already")
                .label("remove one of the two files")
        }
        SharedFolder { folder, other } => {
            error!("duplicate-translation", "the folder `{folder}` has the texts of `{other}` already")
                .label("give each language a folder of its own, or none")
        }
        Untranslated { language, missing, all, files, first } => {
            let more = if *files > first.len() { " …" } else { "" };
            warning!("untranslated", "{missing} of {all} texts have no translation into `{language}`")
                .step(format!("translate {}{more}; `sitegen translations` lists all of them", listed(first)))
        }
        LinkLanguage { target, language, page_language, meant } => {
            warning!("link-language", "`{target}` is in `{language}`, and this page is in `{page_language}`")
                .step(instead_of_link(language, meant.as_deref()))
        }
        WrongLinkLanguage { target, language, declared } => {
            error!("wrong-hreflang", "`{target}` is in `{language}`, not in `{declared}`").label(format!(
                "`url(path=…, language=\"{declared}\")` writes the address of a page in `{declared}`"
            ))
        }
        WrongHreflang { language, found, expected } => wrong_hreflang(language, found.as_deref(), expected.as_deref()),
        MissingHreflang { language, expected } => {
            error!("missing-hreflang", "this page names some translations of itself, but not that into `{language}`").label(
                format!("add `<link rel=\"alternate\" hreflang=\"{language}\" href=\"{expected}\">`; `{{{{ alternates() }}}}` writes all of them"),
            )
        }
        UnmarkedFallback { language, page_language, direction } => unmarked_fallback(language, page_language, direction),
        UnmarkedEntry { language, direction } => unmarked_entry(language, direction),
        CanonicalLanguage { address, language, page_language } => error!(
            "canonical-language",
            "`{address}` is in `{language}`, and this page has a text of its own in `{page_language}`"
        )
        .label("write `{{ page.url }}`: search engines leave a page out that names another one"),
        FallbackCanonical { address, expected } => {
            error!("canonical-language", "`{address}` shows the same text as `{expected}`, because it has no translation")
                .label("write `{{ page.url }}`: on such a page it is the address of the original")
        }
        NoCanonical { language } => no_canonical(language),
        DataLanguage { language, written } => {
            error!("data-language", "`inLanguage` is `{written}`, but the page is in `{language}`")
                .label("write `{{ page.language }}`")
        }
        NotFoundOfLanguage { host } => {
            warning!("not-found-language", "{host} shows one 404 page for the whole site, that of its own language")
                .step("name the other languages in it, each with a link to its home page")
        }
        StaleTranslation { original, changed } => stale(original, changed),
        PoFile { detail } => error!("po-file", "this PO file cannot be read: {detail}"),
        RefusedTranslation { context, reason } => {
            error!("translation-refused", "the translation of `{context}` cannot be taken: {reason}")
                .label("correct `msgstr`, or mark the entry with `#, fuzzy` to leave it out")
        }
        SkippedTranslation { context, is_known } => skipped(context, *is_known),
    }
}

/// Returns names in backticks.
fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn undeclared_translation(tag: &str, original: &str) -> Description {
    warning!("undeclared-translation", "this is no translation of `{original}`: the site has no language `{tag}`")
        .step(format!("add `{tag}: {{ name: … }}` to `languages` in content/site.yaml, or give the file another name"))
}

fn lacks_texts(language: &str, texts: &[String]) -> Description {
    let first = listed(&texts[..texts.len().min(NAMED)]);
    let more = if texts.len() > NAMED { format!(" and {} more", texts.len() - NAMED) } else { String::new() };
    error!("no-translation", "this translation into `{language}` lacks {first}{more}")
        .label("write each, even if it is the same in both languages, or set `untranslated: fallback` for the language")
}

fn instead_of_link(language: &str, meant: Option<&str>) -> String {
    match meant {
        Some(meant) => {
            format!("write `{meant}`, or `hreflang=\"{language}\"` on the link if the other language is meant")
        }
        None => format!("`hreflang=\"{language}\"` on the link says that the page is in another language"),
    }
}

fn wrong_hreflang(language: &str, found: Option<&str>, expected: Option<&str>) -> Description {
    let found = found.map_or("nothing".to_owned(), |found| format!("`{found}`"));
    error!("wrong-hreflang", "`hreflang=\"{language}\"` leads to {found}").label(match expected {
        Some(expected) => {
            format!(
                "the address of this page in `{language}` is `{expected}`; `{{{{ alternates() }}}}` writes all of them"
            )
        }
        None => {
            format!("this page has no translation into `{language}`; `{{{{ alternates() }}}}` writes those that it has")
        }
    })
}

fn unmarked_fallback(language: &str, page_language: &str, direction: &str) -> Description {
    error!("unmarked-language", "this page shows a text in `{language}` as if it were in `{page_language}`")
        .label(
            "write `lang=\"{{ page.fallback.language }}\" dir=\"{{ page.fallback.direction }}\"` on the element around the text, as \
             `page.fallback` is there only then",
        )
        .note((direction == "rtl").then(|| "the text is written from right to left".to_owned()))
}

fn unmarked_entry(language: &str, direction: &str) -> Description {
    warning!("unmarked-entry", "this shows texts without a translation, which are in `{language}`, as if they were translated")
        .step(
            "write `{% if entry.fallback %} lang=\"{{ entry.fallback.language }}\" dir=\"{{ entry.fallback.direction }}\"{% endif %}` \
             on the element around them, with the name of your entry",
        )
        .note((direction == "rtl").then(|| "the texts are written from right to left".to_owned()))
}

fn no_canonical(language: &str) -> Description {
    warning!(
        "missing-canonical",
        "this page shows a text in `{language}` again, and does not name the original for search engines"
    )
    .step("write `<link rel=\"canonical\" href=\"{{ page.url }}\">` into the head")
}

fn stale(original: &str, changed: &[String]) -> Description {
    let changed = match changed {
        [] => "it has changed".to_owned(),
        changed => format!("it has changed: {}", listed(changed)),
    };
    warning!("stale-translation", "this translates an earlier version of `{original}`")
        .step(format!("{changed}; once the translation is right, run `sitegen translations confirm` with this file"))
}

fn skipped(context: &str, is_known: bool) -> Description {
    warning!("translation-skipped", "`{context}` has no such text").step(match is_known {
        true => "the original has changed since the file was exported; export it again",
        false => "the text was removed or has moved; export the file again",
    })
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## undeclared-language

A file has texts in a language that the site does not declare.
Without the tag of the language under `languages`, no page would show them.

```yaml
# content/site.yaml, beside content/site.fr.yaml
language: en
languages:
  de: { name: Deutsch }
```

```yaml
language: en
languages:
  de: { name: Deutsch }
  fr: { name: Français }
```

## undeclared-translation

A file is named like a translation, but the site does not declare its language.
It is a page or an entry of its own then, with the tag in its address, and every
language shows it beside the original.

```text
content/pages/oven.md
content/pages/oven.fr.md
```

```text
content/pages/oven.md
content/pages/oven.de.md
```

## unknown-language

The code of a language under `languages` is not one of ISO 639.
Browsers, screen readers and search engines know languages by these codes: they
would ignore `lang` and `hreflang`, and dates, plural forms and the direction of
writing would be those of no language. Often it is the code of a country, such as
`jp` instead of `ja`, or one of three letters where a language has one of two.

```yaml
language: en
languages:
  de: { name: Deutsch }
  jp: { name: 日本語 }
```

```yaml
language: en
languages:
  de: { name: Deutsch }
  ja: { name: 日本語 }
```

## language-url

The `url` of a language does not name a host of its own.
No other language can be on that host. If the `url` of the site has a path, the
address of the language has the same one. The main language of the site has no
`url` of its own: it is at the `url` of the site.

```yaml
url: https://www.firm.test
languages:
  de: { name: Deutsch, url: https://www.firm.test/de }
```

```yaml
url: https://www.firm.test
languages:
  de: { name: Deutsch, url: https://www.firma.test }
```

## no-translation

A text is not translated into a language that must be complete.
`untranslated: error` requires that, for all languages or for one. All texts that
`sitegen translations` counts have to be there: also labels of `site.yaml`, texts
of pictures, and single keys of a translated file.

```yaml
languages:
  de: { name: Deutsch, untranslated: error }
```

```yaml
languages:
  de: { name: Deutsch, untranslated: fallback }
```

## duplicate-translation

A text has two translations into one language, so that one would be ignored.
Either two files translate the same text, `about.de.md` and `de/about.md` with
`folder: de`, or two languages have the same folder.

```yaml
language: en
languages:
  de: { name: Deutsch, folder: texts }
  fr: { name: Français, folder: texts }
```

```yaml
language: en
languages:
  de: { name: Deutsch, folder: de }
  fr: { name: Français, folder: fr }
```

## untranslated

Some texts have no translation into a language, so it shows the originals.
Such a page is marked with the language of the original. The sitemap, the feeds
and the search of the language leave it out.

```text
content/pages/bread.md
```

```text
content/pages/bread.md
content/pages/bread.de.md
```

## link-language

A link leads to a page in another language.
Visitors would leave their language without notice. Links in Markdown and
`url()` lead to the page in the language of the text; an address that is written
out does not. To lead into another language on purpose, add `hreflang`; in
Markdown, write such a link as HTML: `<a href="/bread" hreflang="en">`.

```html
<a href="/bread">Brot</a>
```

```html
<a href="{{ url(path="/bread") }}">Brot</a>
```

## wrong-hreflang

The page at an address is not in the language that `hreflang` names.
Visitors who follow such a link get the wrong page. A `<link>` in the head names
a translation: search engines ignore it unless that page names this one too.
`alternates()` writes these elements for all languages that a page has.

```html
<link rel="alternate" hreflang="de" href="https://www.bakery.example/de">
```

```html
{{ alternates() }}
```

## unmarked-entry

A list shows the text of an entry or a page that has no translation, without its language.
Screen readers would read it by the rules of the language of the page, and from
right to left it would be in the wrong order. Entries and pages in lists have
`fallback` if they show the original: its `language`, `name` and `direction`. A
text counts from three words on, and a title from two.

```html
{% for entry in collections.news %}
  <li><a href="{{ url(entry=entry) }}">{{ entry.title }}</a></li>
{% endfor %}
```

```html
{% for entry in collections.news %}
  <li{% if entry.fallback %} lang="{{ entry.fallback.language }}" dir="{{ entry.fallback.direction }}"{% endif %}>
    <a href="{{ url(entry=entry) }}">{{ entry.title }}</a>
  </li>
{% endfor %}
```

## canonical-language

The canonical link of a page leads to its version in another language.
Search engines then leave this page out, and show the other one to readers of
both languages. The canonical link of a translated page is its own address,
`page.url`. Only a page that shows the original, because it has no translation,
names that of the original, and must not name itself.

```html
<link rel="canonical" href="{{ url(path=page.route, language="en", absolute=true) }}">
```

```html
<link rel="canonical" href="{{ page.url }}">
```

## missing-canonical

A page shows its original, because it has no translation, and has no canonical link.
Search engines would take it for a copy of the original, and might show it
instead. `page.url` is the address of the original on such a page.

```html
{{ alternates() }}
```

```html
{{ alternates() }}
<link rel="canonical" href="{{ page.url }}">
```

## data-language

The structured data of a page names another language than the page has.
Search engines and assistants read `inLanguage` as well as the `lang` of
`<html>`, and would offer the page to readers of the wrong language. Only the
page or its article is checked: a book on the page may be in any language.

```html
<script type="application/ld+json">{ "@type": "Article", "inLanguage": "en" }</script>
```

```html
<script type="application/ld+json">{ "@type": "Article", "inLanguage": "{{ page.language }}" }</script>
```

## missing-hreflang

A page names some of its translations, but not all.
Search engines need each translation to name all of them, itself included.

```html
{% for other in page.translations %}{% if not other.current %}
<link rel="alternate" hreflang="{{ other.language }}" href="{{ other.url }}">
{% endif %}{% endfor %}
```

```html
{{ alternates() }}
```

## unmarked-language

A page shows a text in another language and does not mark it.
Screen readers would read English words by the rules of German, and a text from
right to left would be on the wrong side. `page.fallback` has a value if a
page shows the original because it has no translation.

```html
<main>{{ page.content }}</main>
```

```html
<main{% if page.fallback %} lang="{{ page.fallback.language }}" dir="{{ page.fallback.direction }}"{% endif %}>
  {{ page.content }}
</main>
```

## not-found-language

The host shows one 404 page for all addresses, so nobody ever sees this one.
Netlify, Cloudflare Pages, nginx and Caddy show the 404 page of a language for
the addresses of that language. GitHub Pages and Vercel have one for the whole
site, so let it lead to the home page of each language.

```text
content/pages/404.md
content/pages/404.de.md
```

```markdown
---
title: Page not found
---

The page does not exist. [Start](index.md) ·
<a href="/de" hreflang="de" lang="de">Startseite</a>
```

## stale-translation

A text has changed since it was translated.
`translates` in a translation says which version of the original it translates;
`sitegen translations confirm FILE` writes it. The message names what has
changed: keys, and lines of the text. If the part after `-` is missing, it
cannot name them.

```yaml
# content/pages/bread.de.yaml, after a change of bread.yaml
translates: "7facc79d-19"
title: Brot
```

```yaml
translates: "896a7b3e-f0"
title: Brot und Brötchen
```

## po-file

The file to import is not a PO file of GNU gettext, or it is damaged.
The message names the line. `sitegen translations export` writes such files, and
`msgfmt --check` of gettext checks them.

```text
msgid "Bread
msgstr "Brot"
```

```text
msgid "Bread"
msgstr "Brot"
```

## translation-refused

A translation would break its text, so nothing of the file was imported.
A link, a picture or a placeholder of the original is missing or has another
name, a plural form is empty, or the site has an error with the translation. The
reason is in the message.

```text
msgctxt "content/pages/index.md: text"
msgid "Write to {{ site.email }}."
msgstr "Schreiben Sie an {{ site.mail }}."
```

```text
msgctxt "content/pages/index.md: text"
msgid "Write to {{ site.email }}."
msgstr "Schreiben Sie an {{ site.email }}."
```

## translation-skipped

The file to import has a translation of a text that the site no longer has.
The text was changed or removed after the file was exported. The other
translations are imported. A new export has the current text with the old
translation, marked as fuzzy.

```text
sitegen translations import de.po
```

```text
sitegen translations export --language de > de.po
```
"#;
