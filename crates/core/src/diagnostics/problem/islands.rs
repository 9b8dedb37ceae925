//! Islands.

use super::super::{Meant, meant};
use super::description::{Description, error, list_or};

/// The values of `hydrate`, which says when an island is hydrated.
pub const HYDRATIONS: [&str; 7] = ["load", "idle", "visible", "media", "interaction", "only", "never"];

/// An island that cannot be rendered, or a call of one.
#[derive(Clone, Debug, PartialEq)]
pub enum IslandProblem {
    /// A file of an island that exports no component.
    NoComponent,
    /// A template that calls a missing island.
    UnknownIsland { name: String, nearest: Option<Meant> },
    /// Props of an island that its schema does not allow. `detail`: what is wrong with them.
    IslandProps { component: String, detail: String, fix: Option<String> },
    /// HTML for a slot that an island does not have.
    UnknownSlot { component: String, slot: String },
    /// An unknown way to hydrate.
    UnknownHydration { value: String },
    /// An island that failed while it was prerendered.
    PrerenderFailed { component: String, detail: String },
    /// An island whose HTML is not the same for every visitor. `what` is what it asked for, such as `Date.now()`;
    /// `one` and `other` are the pieces at which two renderings differ first; `text` is what keeps the build from
    /// making the text, if it asked for one of a language.
    PrerenderVaries { component: String, what: String, one: String, other: String, text: Option<Box<TextLacks>> },
    /// An island whose name cannot stand in an address.
    IslandName { name: String },
}

/// Why a text that is formatted for a locale depends on the visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextLacks {
    /// The call names no locale.
    Locale,
    /// The call names no time zone.
    Zone,
    /// The site does not have what the text is made of. `packages`: packages that are not installed; `locale`: the
    /// locale, if `settings.islands.locales` does not have it.
    Data { packages: Vec<String>, locale: Option<String> },
    /// Texts of this locale were not compared with those of browsers. `locale`: the locale; `language`: its language,
    /// if texts of that were compared.
    Comparison { locale: String, language: Option<&'static str> },
    /// Browsers differ in it, or packages do not make it.
    Agreement,
}

pub(super) fn describe(problem: &IslandProblem) -> Description {
    use IslandProblem::*;
    match problem {
        NoComponent => error!("no-component", "this file exports no component")
            .label("write `export default function Name() { … }`"),
        UnknownIsland { name, nearest } => error!("unknown-island", "there is no island `{name}`")
            .label(format!("create `islands/{name}.tsx`"))
            .meant_for(name, nearest.as_ref()),
        IslandProps { component, detail, fix } => {
            error!("island-props", "invalid props for the island `{component}`: {detail}").label_if(fix.clone())
        }
        UnknownSlot { component, slot } => {
            let name = if slot == "default" { String::new() } else { format!(" name=\"{slot}\"") };
            error!("unknown-slot", "the island `{component}` renders no slot `{slot}`")
                .label(format!("render `<Slot{name} />` in it, from `runtime/slot`"))
        }
        UnknownHydration { value } => {
            // `hover` is not `never`.
            let meant = meant(value, HYDRATIONS).filter(|meant| value.starts_with(&meant[..1]));
            error!("unknown-hydration", "`{value}` is not a valid value of `hydrate`")
                .label(format!("choose {}", list_or(&HYDRATIONS.map(str::to_owned))))
                .meant_for(value, meant.as_ref())
        }
        PrerenderFailed { component, detail } => {
            error!("prerender-failed", "the island `{component}` failed to render: {detail}")
        }
        PrerenderVaries { component, what, one, other, text } => {
            let shown = |piece: &str| if piece.is_empty() { "nothing".to_owned() } else { format!("`{piece}`") };
            let (one, other) = (shown(one), shown(other));
            let elsewhere = "use it in an effect, which runs in the browser, or pass the value to the island as a \
                                 prop; with `hydrate=\"only\"` the island renders only in the browser";
            error!(
                "prerender-varies",
                "the island `{component}` does not render the same for every visitor: it renders {one} for one \
                         and {other} for another, because of `{what}`"
            )
            .label(match text {
                Some(lacks) => format!("{}. Otherwise {elsewhere}", lacks.fix()),
                None => elsewhere.into(),
            })
        }
        IslandName { name } => error!("island-name", "`{name}` is not a valid island name")
            .label("rename the file; use letters from a to z, digits, `-`, `_` and `.`"),
    }
}

impl TextLacks {
    /// What makes the build write a text of a language.
    fn fix(&self) -> String {
        match self {
            Self::Locale => "name a locale, such as `toLocaleString(\"en\")`".into(),
            Self::Zone => "name a time zone, such as `timeZone: \"UTC\"` in the options".into(),
            Self::Data { packages, locale } => {
                let install =
                    (!packages.is_empty()).then(|| format!("run `npm install --save-dev {}`", packages.join(" ")));
                let add =
                    locale.as_ref().map(|locale| format!("add `{locale}` to `settings.islands.locales` in site.yaml"));
                install.into_iter().chain(add).collect::<Vec<_>>().join(" and ")
            }
            Self::Comparison { locale, language: Some(language) } => {
                format!("use the locale `{language}`: the build cannot format text for `{locale}`")
            }
            Self::Comparison { locale, .. } => format!("the build cannot format text for `{locale}`"),
            Self::Agreement => "the build cannot format this; the guide to islands lists what it can".into(),
        }
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## no-component

The file of an island does not export a component.
Every `.tsx` file directly in `islands/` is an island, and its default export is
the component that is rendered. Put code that several islands share in a
subfolder, such as `islands/parts/`.

```tsx
export function Order() { return <p>One loaf</p>; }
```

```tsx
export default function Order() { return <p>One loaf</p>; }
```

## unknown-island

The template calls an island that does not exist.
An island is a file directly in `islands/` whose name ends in `.tsx`. Its name
is the file name without the extension, and is case-sensitive.

```html
{{ island(component="Oder", props={"loaf": "rye"}) }}
```

```html
{{ island(component="Order", props={"loaf": "rye"}) }}
```

## unknown-hydration

This is not a valid value of `hydrate`.
`load` hydrates the island at once; `idle` when the browser is idle; `visible`,
the default, when the visitor scrolls near it; `media` when the window matches a
media query; `interaction` when the visitor points at it or focuses it. Until
then an island is plain HTML and loads no script. With `never` it stays plain
HTML. `only` renders it only in the browser.

```html
{{ island(component="Order", hydrate="hover") }}
```

```html
{{ island(component="Order", hydrate="visible") }}
```

## prerender-failed

Prerendering an island to HTML failed.
The HTML that visitors get before any script runs is rendered during the build,
by the same component. At that time there is no page and no network: `window`,
`document` and `fetch` belong in an effect or an event handler, which run only
in the browser. For a component that needs a page, such as a map, use
`hydrate="only"`: nothing is rendered during the build, and the `fallback` is
shown until the browser renders the component.

```tsx
const [width, setWidth] = useState(window.innerWidth);
```

```tsx
const [width, setWidth] = useState<number>();
useEffect(() => setWidth(window.innerWidth), []);
```

## prerender-varies

An island does not render the same HTML for every visitor.
The HTML is rendered once, during the build, and every visitor gets the same. So
an island that uses random numbers, the time, the time zone or the language is
rendered several times with different values, and all results must be equal.
Otherwise React would find HTML that differs from what it renders in the
browser, and render everything again. Use these values in an effect, which runs
only in the browser, or pass the value as a prop. Language-dependent text, such
as that of `Intl` and `toLocaleString`, also belongs in an effect, unless the
code names its locale and the build can format it: the packages
`@formatjs/intl-…` are installed, and the locale is the site's language or one
of `settings.islands.locales`. A date also needs a time zone.

```tsx
const [now, setNow] = useState(Date.now());
```

```tsx
const [now, setNow] = useState<number>();
useEffect(() => setNow(Date.now()), []);
```

## island-name

The name of an island cannot be used in an address.
An island is named after its file, and browsers load it from an address that
contains this name. Spaces and special characters have other meanings there.

```text
islands/Contact form.tsx
```

```text
islands/ContactForm.tsx
```

## island-props

An island gets a prop that its schema does not allow, or a required prop is missing.
`islands/Signup.schema.json` describes the props of `islands/Signup.tsx`.
Without a schema, a component shows nothing for a misspelt prop, and nobody
notices. If the prop comes from YAML, the error is reported in the YAML.

```yaml
text:
  consnet: I want the letter
```

```yaml
text:
  consent: I want the letter
```

## unknown-slot

A template passes HTML to a slot that the island does not render.
`slot=…` and `slots={…}` of `island()` contain HTML from the template. In the
component, `<Slot />` marks where it goes; a module without React returns
`<!--slot:default-->` from `render`, or renders nothing and uses the existing
HTML.

```html
{{ island(component="Tabs", slots={"fisrt": text}) }}
```

```html
{{ island(component="Tabs", slots={"first": text}) }}
```
"#;
