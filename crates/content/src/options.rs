//! The keys of `site.yaml` that the engine reads, with their types and defaults. A new setting is a property in
//! site.schema.json and a field here.

use super::SITE_FILE;
use super::checks::Checks;
use super::connections::Declaration;
use super::deployment::{Target, TargetFault, shown};
use super::dialect::Dialect;
use super::typed::{Entries, OnByDefault, Spanned};
use serde::Deserialize;
use sitegen_core::diagnostics::{AssetProblem, HostProblem, Place, Problem, Span};
use sitegen_core::paths::{SourcePath, composed};
use sitegen_core::profile::Host;
use sitegen_pictures::{Focus, Format, Presentation, Sizes};

/// The keys of `site.yaml`. Templates read the others.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SiteKeys {
    pub url: Spanned<String>,
    pub language: String,
    pub languages: Entries<LanguageKeys>,
    pub name: String,
    pub settings: Options,
    pub redirects: Vec<Redirect>,
    pub gone: Vec<Spanned<String>>,
}

/// A redirect.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Redirect {
    /// The path, from the site's home page: it begins with a slash and, once it is checked, does not end with one.
    #[serde(default)]
    pub from: Spanned<String>,
    /// A path of the site, or an address of another one; once it is checked, in ASCII: the host in Punycode, other letters
    /// percent-encoded.
    #[serde(default)]
    pub to: Spanned<String>,
    /// What `to` is in `site.yaml`, for messages. Set when it is checked.
    #[serde(skip)]
    pub written: String,
    /// 301, 302, 307 or 308.
    #[serde(default = "permanent")]
    pub status: u16,
    /// The page or entry of which `from` is an alias. `None` for a redirect of `site.yaml`.
    #[serde(skip)]
    pub alias_of: Option<SourcePath>,
}

impl Redirect {
    /// Creates the redirect of an alias to the route of its page.
    pub fn of_alias(file: SourcePath, from: Spanned<String>, route: &str) -> Self {
        let to = Spanned { value: route.to_owned(), span: from.span };
        Redirect { from, to, written: route.to_owned(), status: permanent(), alias_of: Some(file) }
    }

    /// Returns where it begins.
    pub fn place(&self) -> Place {
        let file = self.alias_of.clone().unwrap_or_else(|| SourcePath::new(SITE_FILE));
        Place::new(&file, self.from.span)
    }
}

/// What a site says of a language, under `languages` in `site.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct LanguageKeys {
    pub name: Option<String>,
    pub folder: Option<String>,
    pub url: Option<Spanned<String>>,
    pub untranslated: Option<Untranslated>,
}

/// Which languages have their tag at the begin of their addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LanguagePrefix {
    /// All but that of the site.
    #[default]
    Others,
    /// All of them. The address of the site leads to the home page of one.
    All,
}

/// What becomes of a text that a language lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Untranslated {
    /// The language shows the original.
    #[default]
    Fallback,
    /// The language has no such page or entry.
    Hide,
    /// It is an error.
    Error,
}

fn permanent() -> u16 {
    301
}

/// Keys below `settings` that are texts for visitors. A star stands for any name.
pub(super) const TEXTS_OF_SETTINGS: [&[&str]; 2] =
    [&["settings", "connections", "*", "why"], &["settings", "islands", "failure"]];

/// Whether keys, one in the other, are a text for visitors or lead to one.
pub(super) fn leads_to_text(keys: &[&str]) -> bool {
    let fits = |text: &&&[&str]| {
        keys.len() <= text.len() && keys.iter().zip(**text).all(|(key, wanted)| *wanted == "*" || key == wanted)
    };
    TEXTS_OF_SETTINGS.iter().any(|text| fits(&text))
}

/// The key `settings` of `site.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The files that a route is published as.
    pub routes: RouteFiles,
    /// How much a visitor may have to download for one page.
    pub budgets: Budgets,
    /// How pictures are shown unless a page says otherwise.
    pub pictures: Pictures,
    /// Which extensions of Markdown are read.
    pub markdown: Dialect,
    /// Whether code blocks in Markdown are coloured, and the words after their fences read.
    pub highlight: OnByDefault,
    /// Whether the build makes an index of the pages for the search.
    pub search: bool,
    /// How islands behave.
    pub islands: Islands,
    /// What becomes of texts that a language lacks, unless the language says otherwise.
    pub untranslated: Untranslated,
    /// Which languages have their tag at the begin of their addresses.
    pub language_prefix: LanguagePrefix,
    /// Paths below which there are other sites, as they are written.
    pub other_sites: Vec<String>,
    /// The severities that the site sets.
    pub checks: Checks,
    /// Where the site is deployed to.
    pub deploy: Deploy,
    /// [`Connections`](super::connections::Connections) is what follows from it.
    pub(super) connections: Entries<Declaration>,
    /// [`Hosting`](super::hosting::Hosting) is what follows from it and the next three.
    pub(super) host: Option<Spanned<Host>>,
    pub(super) security: Security,
    pub(super) headers: Entries<Spanned<String>>,
    pub(super) caching: CachingTimes,
}

impl Options {
    /// Whether a path from the root of the site is that of another site, or below it.
    pub fn is_of_other_site(&self, path: &str) -> bool {
        self.other_sites.iter().any(|other| {
            let rest = path.strip_prefix(&*composed(other.trim_end_matches('/')));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

/// Where the site is deployed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Deploy {
    /// The address of the place. [`Target`] is what it says.
    pub to: Option<Spanned<String>>,
    /// The address of a server that speaks the protocol of Amazon S3, Google or Azure.
    pub endpoint: Option<String>,
    /// The region of a bucket of Amazon S3.
    pub region: Option<String>,
}

impl Deploy {
    /// Reports an address that is no target.
    pub(super) fn check(&self, mut report: impl FnMut(Problem, Span)) {
        if let Some(to) = &self.to
            && let Err(TargetFault { reason, fix }) = Target::parse(&to.value)
        {
            report(HostProblem::DeployTarget { to: shown(&to.value), reason, fix }.into(), to.span);
        }
    }
}

/// The files that a route is published as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RouteFiles {
    /// `careers.html` and `careers/index.html`. With both, every measured host answers at `/careers` itself
    /// (slorber/trailing-slash-guide), and plain servers lead to a page that works.
    #[default]
    Both,
    /// `careers.html`.
    File,
    /// `careers/index.html`.
    Directory,
}

/// How much a visitor may have to download for one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Budgets {
    /// The page itself, with its inline styles and scripts.
    pub html: Option<Budget>,
    /// Stylesheets, also inline ones.
    pub css: Option<Budget>,
    /// Scripts that are loaded, also those of islands.
    pub js: Option<Budget>,
    /// Images.
    pub images: Option<Budget>,
}

/// The most that may be downloaded, in bytes. It is written in kilobytes of 1,000 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "f64")]
pub struct Budget(pub usize);

impl From<f64> for Budget {
    fn from(kilobytes: f64) -> Self {
        Budget((kilobytes * 1000.0) as usize)
    }
}

/// How pictures are shown unless a page says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Pictures {
    /// The widths in which they are offered, in pixels.
    pub widths: Vec<u32>,
    /// How wide they are shown: the attribute `sizes`.
    pub sizes: Spanned<String>,
    /// Formats besides that of the picture, in the order in which browsers choose.
    pub formats: Vec<Spanned<Format>>,
    /// The quality of lossy formats, 1 to 100.
    pub quality: u8,
}

impl Default for Pictures {
    fn default() -> Self {
        let webp = Spanned { span: Span::default(), value: Format::WebP };
        let sizes = Spanned { span: Span::default(), value: "100vw".to_owned() };
        Pictures { widths: vec![480, 800, 1200, 1600], sizes, formats: vec![webp], quality: 80 }
    }
}

impl Pictures {
    /// Returns what a picture without a word more gets.
    pub fn presentation(&self, alt: String, focus: Option<Focus>) -> Presentation {
        let (widths, sizes, quality) = (self.widths.clone(), self.sizes.value.clone(), self.quality);
        let formats = self.formats.iter().map(|format| format.value).collect();
        let focus = focus.unwrap_or(Focus::CENTER);
        Presentation {
            widths,
            sizes,
            ratio: None,
            focus,
            formats,
            quality,
            priority: false,
            class: None,
            title: None,
            alt,
        }
    }

    /// Reports and replaces what a schema cannot judge.
    pub fn correct(&mut self, mut report: impl FnMut(Problem, Span)) {
        if let Err(detail) = Sizes::parse(&self.sizes.value) {
            report(AssetProblem::BadPictureSetting { detail }.into(), self.sizes.span);
            self.sizes = Pictures::default().sizes;
        }
        self.formats.retain(|format| {
            let is_written = format.value.is_written();
            if !is_written {
                let detail = sitegen_pictures::WITHOUT_AVIF.to_owned();
                report(AssetProblem::BadPictureSetting { detail }.into(), format.span);
            }
            is_written
        });
    }
}

/// How islands behave.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Islands {
    /// What visitors read in the place of an island that failed. The default is English: the engine has no translations.
    pub failure: String,
    /// The locales of texts besides the language of the site, some of [`LOCALES`].
    pub locales: Vec<String>,
}

impl Default for Islands {
    fn default() -> Self {
        let failure = "This part of the page is not available at the moment.".to_owned();
        Islands { failure, locales: Vec::new() }
    }
}

/// The locales in which the texts of browsers were compared, so that islands may show texts in them. The enumeration of
/// `settings.islands.locales` in site.schema.json is the same.
pub const LOCALES: &[&str] = &[
    "ar", "bg", "ca", "cs", "da", "de", "de-AT", "de-CH", "el", "en", "en-AU", "en-CA", "en-GB", "en-IE", "en-IN",
    "en-NZ", "en-US", "en-ZA", "es", "es-MX", "et", "fi", "fr", "fr-BE", "fr-CA", "fr-CH", "hi", "hr", "hu", "id",
    "it", "it-CH", "ja", "ko", "lt", "lv", "nb", "nl", "nl-BE", "pl", "pt", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl",
    "sv", "th", "tr", "uk", "vi", "zh", "zh-CN", "zh-TW",
];

/// Headers that restrict browsers. What is not written has a safe value.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Security {
    pub strict_transport_security: Option<Spanned<Transport>>,
    pub nosniff: Option<Spanned<bool>>,
    pub referrer_policy: Option<Spanned<String>>,
    pub permissions_policy: Option<Spanned<Entries<Who>>>,
    pub cross_origin_opener_policy: Option<Spanned<String>>,
    pub cross_origin_resource_policy: Option<Spanned<String>>,
    pub frame_ancestors: Option<Spanned<Who>>,
}

/// The directives of `Strict-Transport-Security` (RFC 6797).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Transport {
    /// Seconds.
    pub max_age: u32,
    pub include_subdomains: bool,
    pub preload: Spanned<bool>,
}

impl Default for Transport {
    fn default() -> Self {
        Transport { max_age: YEAR, include_subdomains: false, preload: Spanned::default() }
    }
}

/// Who may use a feature.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Who {
    #[default]
    None,
    /// The site.
    #[serde(rename = "self")]
    Itself,
    All,
    /// The site and these origins.
    #[serde(untagged)]
    Origins(Vec<String>),
}

impl Who {
    /// Returns the origins besides the site's.
    pub fn origins(&self) -> &[String] {
        match self {
            Who::Origins(origins) => origins,
            _ => &[],
        }
    }
}

/// How long browsers cache pages and all other files whose names stay, and files that have a digest in their names.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct CachingTimes {
    pub pages: Caching,
    pub hashed: Caching,
}

/// A year, in seconds.
const YEAR: u32 = 31_536_000;

impl Default for CachingTimes {
    fn default() -> Self {
        CachingTimes { pages: Caching::default(), hashed: Caching { seconds: YEAR, span: None } }
    }
}

/// How long browsers cache a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Spanned<u32>")]
pub struct Caching {
    /// Seconds; with 0 browsers ask each time.
    pub seconds: u32,
    /// The value in `site.yaml`, if there is one.
    pub span: Option<Span>,
}

impl From<Spanned<u32>> for Caching {
    fn from(Spanned { value, span }: Spanned<u32>) -> Self {
        Caching { seconds: value, span: Some(span) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Settings;
    use super::super::yaml;
    use super::*;
    use serde::de::value::Error;
    use serde::de::{Deserializer, Error as _, Visitor};
    use serde::forward_to_deserialize_any;
    use serde_json::{Value as Json, json};
    use sitegen_core::paths::SourcePath;
    use sitegen_core::profile::Destination;

    /// Gives the names of a type's fields as an error.
    struct NamesOfFields;

    impl<'de> Deserializer<'de> for NamesOfFields {
        type Error = Error;

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(Error::custom("no fields"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, Error> {
            Err(Error::custom(fields.join(" ")))
        }
    }

    fn schema() -> Json {
        serde_json::from_str(include_str!("site.schema.json")).unwrap()
    }

    #[test]
    fn the_schema_lists_the_locales_of_texts() {
        let pointer = "/properties/settings/properties/islands/properties/locales/items/enum";
        assert_eq!(schema().pointer(pointer), Some(&json!(LOCALES)));
    }

    #[test]
    fn every_setting_of_the_schema_has_a_field() {
        let fields = |error: Error| {
            let mut names: Vec<String> = error.to_string().split(' ').map(str::to_owned).collect();
            names.sort();
            names
        };
        let types = [
            ("", fields(Options::deserialize(NamesOfFields).unwrap_err())),
            ("/budgets", fields(Budgets::deserialize(NamesOfFields).unwrap_err())),
            ("/pictures", fields(Pictures::deserialize(NamesOfFields).unwrap_err())),
            ("/markdown", fields(Dialect::deserialize(NamesOfFields).unwrap_err())),
            ("/islands", fields(Islands::deserialize(NamesOfFields).unwrap_err())),
            ("/security", fields(Security::deserialize(NamesOfFields).unwrap_err())),
            ("/security/strict_transport_security", fields(Transport::deserialize(NamesOfFields).unwrap_err())),
            ("/caching", fields(CachingTimes::deserialize(NamesOfFields).unwrap_err())),
            ("/deploy", fields(Deploy::deserialize(NamesOfFields).unwrap_err())),
        ];
        let schema = schema();
        for (group, fields) in types {
            let pointer = format!("/properties/settings{}/properties", group.replace('/', "/properties/"));
            let mut keys: Vec<&String> = schema.pointer(&pointer).unwrap().as_object().unwrap().keys().collect();
            keys.sort();
            assert_eq!(keys, fields.iter().collect::<Vec<_>>(), "settings{group}");
        }
    }

    /// Adds each value below `properties` that has a default, as the text of a site that writes it.
    fn defaults(schema: &Json, path: &[&str], texts: &mut Vec<String>) {
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            let path = [path, &[key]].concat();
            if let Some(default) = inner.get("default") {
                texts.push(path.iter().rfold(default.clone(), |value, key| json!({ *key: value })).to_string());
            }
            defaults(inner, &path, texts);
        }
    }

    /// Returns what settings amount to, without places.
    fn effect(text: &str) -> String {
        let path = SourcePath::new("content/site.yaml");
        let node = yaml::parse(&path, &text.replacen('{', "{\"url\": \"https://a.example\",", 1), 0).unwrap();
        let Settings { options, hosting, .. } = Settings::of(&path, &node, Destination::default(), &mut Vec::new());
        let Options { routes, budgets, pictures, markdown, highlight, search, islands, language_prefix, .. } = options;
        let pictures = pictures.presentation(String::new(), None);
        let headers: Vec<_> = hosting.headers.iter().map(|header| (&header.name, &header.value)).collect();
        let times = (hosting.pages.seconds, hosting.hashed.seconds);
        format!(
            "{:?}",
            (
                (routes, budgets, pictures, markdown, highlight, search, islands, language_prefix),
                (hosting.host, headers, times)
            )
        )
    }

    #[test]
    fn defaults_are_those_of_the_schema() {
        let mut texts = Vec::new();
        defaults(&schema(), &[], &mut texts);
        assert!(texts.len() > 15, "{texts:?}");
        for text in texts {
            assert_eq!(effect(&text), effect("{}"), "{text}");
        }
        let changed = "{\"settings\": {\"highlight\": false, \"caching\": {\"pages\": 1}, \"routes\": \"file\"}}";
        assert_ne!(effect(changed), effect("{}"));
    }
}
