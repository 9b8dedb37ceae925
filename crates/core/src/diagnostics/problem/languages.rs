//! Texts of sites in several languages.

use super::description::{Description, error, warning};

/// A mistake in what a site says in several languages.
#[derive(Clone, Debug, PartialEq)]
pub enum LanguageProblem {
    /// `site.fr.yaml` of a site that has no `fr`.
    UndeclaredLanguage { tag: String },
    /// The `url` of a language at which it cannot be published.
    LanguageUrl { value: String, reason: String },
    /// A file without a translation, in a language that has to have all.
    NoTranslation { language: String, file: String },
    /// Files without a translation, in a language that shows the originals instead.
    Untranslated { language: String, missing: usize, all: usize, first: Vec<String> },
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
pub(super) const ADJUSTABLE: &[&str] =
    &["data-language", "link-language", "not-found-language", "stale-translation", "untranslated"];

pub(super) fn describe(problem: &LanguageProblem) -> Description {
    use LanguageProblem::*;
    match problem {
        UndeclaredLanguage { tag } => {
            error!("undeclared-language", "the site has no language `{tag}`").label(format!(
                "add `{tag}: {{ name: … }}` to `languages` in content/site.yaml, or remove the file"
            ))
        }
        LanguageUrl { value, reason } => {
            error!("language-url", "a language cannot be published at `{value}`").label(reason)
        }
        NoTranslation { language, file } => error!("no-translation", "there is no translation into `{language}`")
            .label(format!("add `{file}`, or set `untranslated: fallback` for the language")),
        Untranslated { language, missing, all, first } => {
            let listed = first.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ");
            let more = if *missing > first.len() { " …" } else { "" };
            warning!("untranslated", "{missing} of {all} texts have no translation into `{language}`")
                .step(format!("translate {listed}{more}; `sitegen translations` lists all of them"))
        }
        LinkLanguage { target, language, page_language, meant } => warning!(
            "link-language",
            "`{target}` is in `{language}`, and this page is in `{page_language}`"
        )
        .step(match meant {
            Some(meant) => format!("write `{meant}`, or `hreflang=\"{language}\"` on the link if the other language is meant"),
            None => format!("`hreflang=\"{language}\"` on the link says that the page is in another language"),
        }),
        WrongLinkLanguage { target, language, declared } => {
            error!("wrong-hreflang", "`{target}` is in `{language}`, not in `{declared}`").label(format!(
                "`url(path=…, language=\"{declared}\")` writes the address of a page in `{declared}`"
            ))
        }
        WrongHreflang { language, found, expected } => {
            let found = found.as_ref().map_or("nothing".to_owned(), |found| format!("`{found}`"));
            error!("wrong-hreflang", "`hreflang=\"{language}\"` leads to {found}").label(match expected {
                Some(expected) => {
                    format!("the address of this page in `{language}` is `{expected}`; `{{{{ alternates() }}}}` writes all of them")
                }
                None => format!("this page has no translation into `{language}`; `{{{{ alternates() }}}}` writes those that it has"),
            })
        }
        MissingHreflang { language, expected } => {
            error!("missing-hreflang", "this page names some translations of itself, but not that into `{language}`").label(
                format!("add `<link rel=\"alternate\" hreflang=\"{language}\" href=\"{expected}\">`; `{{{{ alternates() }}}}` writes all of them"),
            )
        }
        UnmarkedFallback { language, page_language, direction } => error!(
            "unmarked-language",
            "this page shows a text in `{language}` as if it were in `{page_language}`"
        )
        .label(
            "write `lang=\"{{ page.fallback.language }}\" dir=\"{{ page.fallback.direction }}\"` on the element around the text, as \
             `page.fallback` is there only then",
        )
        .note((*direction == "rtl").then(|| "the text is written from right to left".to_owned())),
        CanonicalLanguage { address, language, page_language } => error!(
            "canonical-language",
            "`{address}` is in `{language}`, and this page has a text of its own in `{page_language}`"
        )
        .label("write `{{ page.url }}`: search engines leave a page out that names another one"),
        DataLanguage { language, written } => {
            error!("data-language", "`inLanguage` is `{written}`, but the page is in `{language}`")
                .label("write `{{ page.language }}`")
        }
        NotFoundOfLanguage { host } => {
            warning!("not-found-language", "{host} shows one 404 page for the whole site, that of its own language")
                .step("name the other languages in it, each with a link to its home page")
        }
        StaleTranslation { original, changed } => {
            let listed = changed.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            let changed = if listed.is_empty() { "it has changed".to_owned() } else { format!("it has changed: {listed}") };
            warning!("stale-translation", "this translates an earlier version of `{original}`").step(format!(
                "{changed}; once the translation is right, run `sitegen translations confirm` with this file"
            ))
        }
        PoFile { detail } => error!("po-file", "this PO file cannot be read: {detail}"),
        RefusedTranslation { context, reason } => {
            error!("translation-refused", "the translation of `{context}` cannot be taken: {reason}")
                .label("correct `msgstr`, or mark the entry with `#, fuzzy` to leave it out")
        }
        SkippedTranslation { context, is_known } => warning!("translation-skipped", "`{context}` has no such text").step(
            match is_known {
                true => "the original has changed since the file was exported; export it again",
                false => "the text was removed or has moved; export the file again",
            }
            .to_owned(),
        ),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## undeclared-language

A file with texts of the site is in a language that the site does not have.
Without its tag under `languages`, nothing would show these texts.

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

## language-url

The `url` of a language is not the address of a host that it has alone.
It names a host without a page of another language, with the same path as the `url` of the site, or none. The language of
the site is at the `url` of the site.

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

A text has no translation into a language that has to have all of them.
The site says so by `untranslated: error`, for all languages or for one.

```yaml
languages:
  de: { name: Deutsch, untranslated: error }
```

```yaml
languages:
  de: { name: Deutsch, untranslated: fallback }
```

## untranslated

A language shows originals for some texts, because they have no translation.
Such a page is marked with the language of the original, and is neither in the
sitemap nor in the feeds and the search of the language.

```text
content/pages/bread.md
```

```text
content/pages/bread.md
content/pages/bread.de.md
```

## link-language

A link leads to a page in another language than that of the page it is on.
Visitors would leave their language without notice. Links in texts and `url()`
lead to the page in the language of the text by themselves; an address that is
written out does not.

```html
<a href="/bread">Brot</a>
```

```html
<a href="{{ url(path="/bread") }}">Brot</a>
```

## wrong-hreflang

An address is not in the language that `hreflang` says.
For a link that visitors follow, that is the wrong page. Of the pages that name each other
in their heads, search engines ignore pairs of pages that do not name each other. The function
`alternates()` writes the addresses that the site has.

```html
<link rel="alternate" hreflang="de" href="https://www.bakery.example/de">
```

```html
{{ alternates() }}
```

## canonical-language

A page in one language names a page in another one as its address.
Search engines then leave it out and show the other page to all readers, whatever language they read. A page that has a text of
its own names itself, as `page.url` does; only one that shows the original for want of a translation names the original.

```html
<link rel="canonical" href="{{ url(path=page.route, language="en", absolute=true) }}">
```

```html
<link rel="canonical" href="{{ page.url }}">
```

## data-language

Structured data gives a page or an article a language that the page does not have.
Search engines and assistants read `inLanguage` beside the `lang` of `<html>`, and offer the page to readers of the wrong
language. Another thing on the page, such as a book, may be in any language.

```html
<script type="application/ld+json">{ "@type": "Article", "inLanguage": "en" }</script>
```

```html
<script type="application/ld+json">{ "@type": "Article", "inLanguage": "{{ page.language }}" }</script>
```

## missing-hreflang

A page names some of its translations and not all of them.
Search engines need every page of a group to name all of the group, itself too.

```html
{% for other in page.translations %}{% if not other.current %}
<link rel="alternate" hreflang="{{ other.language }}" href="{{ other.url }}">
{% endif %}{% endfor %}
```

```html
{{ alternates() }}
```

## unmarked-language

A page shows a text in another language than its own and does not say so.
Screen readers would read English words by the rules of German, and a text from
right to left would stand on the wrong side. `page.fallback` is there when a page
shows its original, because it has no translation.

```html
<main>{{ page.content }}</main>
```

```html
<main{% if page.fallback %} lang="{{ page.fallback.language }}" dir="{{ page.fallback.direction }}"{% endif %}>
  {{ page.content }}
</main>
```

## not-found-language

The host of the site shows one 404 page for all addresses, and this one never.
Netlify, Cloudflare Pages, nginx and Caddy show the 404 page of a language below the addresses of
that language. GitHub Pages and Vercel have one for the whole site.

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
changed: keys, and lines of the text. Without the part after `-` it cannot name
them.

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

A file of translators is no PO file of GNU gettext, or is damaged.
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

A translation would break its text, and no translation of the file was written.
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

A file of translators has a translation of a text that the site does not have.
The text was changed or removed after the file was exported. The other
translations of the file are written. A new export has the present text with the
old translation, marked as fuzzy.

```text
sitegen translations import de.po
```

```text
sitegen translations export --language de > de.po
```
"#;
