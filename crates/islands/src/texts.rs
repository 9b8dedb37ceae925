//! Numbers, dates and lists that islands format for a locale: the packages of formatjs that a site has installed, with the
//! data of the locales that it names, as scripts for the engine.
//!
//! `texts.js` says which texts are made of them. An engine reads a script when a call first needs it, so an island without
//! such a call pays nothing.

use super::for_engine;
use sitegen_content::options::LOCALES;
use sitegen_core::bundle::{Deciding, bundle};
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{Diagnostic, Place, TextLacks};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Profile;
use sitegen_core::sources::{Digest, SourceKind, Sources};
use sitegen_core::tools::{Bundling, ENTRIES, Tools};
use std::collections::{BTreeMap, BTreeSet};

/// What the names of the packages begin with.
const PREFIX: &str = "@formatjs/intl-";

/// The packages, each with the class of `Intl` that it exports, under its name or as the default, depending on the version.
const PACKAGES: [(&str, &str); 5] = [
    ("numberformat", "NumberFormat"),
    ("datetimeformat", "DateTimeFormat"),
    ("pluralrules", "PluralRules"),
    ("listformat", "ListFormat"),
    ("relativetimeformat", "RelativeTimeFormat"),
];

/// The rules that decide which texts are made, and the name by which the scripts import them.
const RULES: (&str, &str) = ("answering.js", include_str!("texts.js"));

/// Languages in which the script decides what is written, and with it the region: `zh-TW` is not written as `zh` is.
const SCRIPTS: [(&str, &str); 2] = [("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hant")];

/// What texts of a site are made of.
#[derive(Debug, Default)]
pub struct Texts {
    /// Scripts by their names: `texts` has formatjs and the rules, `numberformat.de` data, `zones` the rules of time zones.
    /// Each is an expression whose value is a function of an `Intl`.
    pub scripts: BTreeMap<String, String>,
    /// The digest of the scripts.
    pub digest: Digest,
    /// The packages that are installed, without what their names begin with.
    installed: BTreeSet<&'static str>,
    /// The locales that the site names.
    locales: BTreeSet<String>,
}

/// A text that a call has asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The class of `Intl` that makes it, also for methods such as `toLocaleString`.
    pub class: String,
    /// Its locale. Empty if none is named.
    pub locale: String,
    /// Its time zone. Empty if none is named.
    pub zone: String,
}

/// The folders of the packages that are installed, by what their names end with.
pub fn installed(tools: &dyn Tools) -> BTreeMap<&'static str, String> {
    let packages = PACKAGES.iter();
    packages.filter_map(|(name, _)| Some((*name, tools.package(&format!("{PREFIX}{name}"))?))).collect()
}

/// The packages that a class needs. Dates have numbers in them, and names of currencies and units have plurals.
fn needed(class: &str) -> &'static [&'static str] {
    match class {
        "NumberFormat" => &["numberformat", "pluralrules"],
        "DateTimeFormat" => &["datetimeformat", "numberformat", "pluralrules"],
        "PluralRules" => &["pluralrules"],
        "ListFormat" => &["listformat"],
        "RelativeTimeFormat" => &["relativetimeformat", "numberformat", "pluralrules"],
        _ => &[],
    }
}

impl Texts {
    /// Makes the scripts of the packages that are installed, with the data of these locales. Also returns what decided them.
    pub fn compile(
        sources: &Sources,
        locales: &[String],
        profile: &Profile,
        tools: &dyn Tools,
    ) -> Result<(Self, Option<Deciding>), Vec<Diagnostic>> {
        let folders = installed(tools);
        let installed = folders.keys().copied().collect();
        let locales: BTreeSet<String> =
            locales.iter().filter(|locale| LOCALES.contains(&locale.as_str())).cloned().collect();
        if folders.is_empty() || locales.is_empty() {
            return Ok((Texts { installed, locales, ..Texts::default() }, Some(Vec::new())));
        }
        let bundling = Bundling {
            written: written(&folders, &locales, tools),
            replaced: vec![(format!("{ENTRIES}/{}", RULES.0), RULES.1.to_owned())],
            entries: Vec::new(),
            // Their names hide the globals: formatjs finds its own classes in `Intl`, and in `Date` no clock.
            options: for_engine("(Intl)", "const Date={prototype:{}};", profile),
        };
        // No file of the project is in them, so what is wrong with their entries is wrong with the packages.
        let of_packages = |diagnostics: Vec<Diagnostic>| {
            let diagnostics = diagnostics.into_iter().map(|diagnostic| match &diagnostic.place {
                Some(place) if place.path.as_str().starts_with("islands/") => {
                    Diagnostic { place: Some(Place::file(&SourcePath::new("package.json"))), ..diagnostic }
                }
                _ => diagnostic,
            });
            diagnostics.collect::<Vec<_>>()
        };
        let (bundle, deciding) =
            bundle(&sources.only(&[SourceKind::Package]), &bundling, tools).map_err(of_packages)?;
        let scripts: BTreeMap<String, String> = bundle
            .files
            .into_iter()
            .filter_map(|(file, code)| Some((file.strip_suffix(".js")?.to_owned(), String::from_utf8(code).ok()?)))
            .collect();
        let digest = digest_of(&scripts);
        Ok((Texts { scripts, digest, installed, locales }, deciding))
    }

    /// What a text lacks.
    pub fn lacks(&self, wanted: &Wanted) -> TextLacks {
        let Wanted { class, locale, zone } = wanted;
        let needed = needed(class);
        if needed.is_empty() {
            return TextLacks::Agreement;
        }
        if locale.is_empty() {
            return TextLacks::Locale;
        }
        if class == "DateTimeFormat" && zone.is_empty() {
            return TextLacks::Zone;
        }
        if !LOCALES.contains(&locale.as_str()) {
            let language = locale.split('-').next().unwrap_or_default();
            let language = LOCALES.iter().copied().find(|known| *known == language);
            return TextLacks::Comparison { locale: locale.clone(), language };
        }
        let missing = needed.iter().filter(|name| !self.installed.contains(*name));
        let packages: Vec<String> = missing.map(|name| format!("{PREFIX}{name}")).collect();
        let locale = (!self.locales.contains(locale)).then(|| locale.clone());
        match packages.is_empty() && locale.is_none() {
            true => TextLacks::Agreement,
            false => TextLacks::Data { packages, locale },
        }
    }
}

/// The entries: formatjs and the rules, the data of each package for each locale, and the zones.
fn written(
    folders: &BTreeMap<&'static str, String>,
    locales: &BTreeSet<String>,
    tools: &dyn Tools,
) -> Vec<(String, String)> {
    let mut entry = format!("import {{ answering }} from \"./{}\";\n", RULES.0);
    // In a function: esbuild reports a name that it sees a module not to have.
    entry += "const of = (exported, name) => exported[name] ?? exported.default;\n";
    for (name, class) in PACKAGES.iter().filter(|(name, _)| folders.contains_key(name)) {
        entry += &format!("import * as {name} from \"{PREFIX}{name}\";\n");
        entry += &format!("Intl.{class} = of({name}, \"{class}\");\n");
    }
    entry += "Intl.answer = answering(Intl, Intl.load);\n";
    let mut written = vec![("texts.js".to_owned(), entry)];
    for (name, folder) in folders {
        for locale in locales {
            let file =
                data(locale).find(|tag| tools.package_digest(&format!("{folder}/locale-data/{tag}.js")).is_some());
            if let Some(tag) = file {
                let text = format!("import \"{PREFIX}{name}/locale-data/{tag}.js\";\n");
                written.push((format!("{name}.{locale}.js"), text));
            }
        }
    }
    if folders.contains_key("datetimeformat") {
        written.push(("zones.js".to_owned(), format!("import \"{PREFIX}datetimeformat/add-all-tz.js\";\n")));
    }
    written
}

/// The files of data that a locale may have, the best first. Packages have none where it would repeat that of the language.
fn data(locale: &str) -> impl Iterator<Item = &str> {
    let script = SCRIPTS.iter().find(|(tag, _)| *tag == locale).map(|(_, script)| *script);
    let language = locale.split('-').next();
    [Some(locale), script].into_iter().chain([language]).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_that_of_the_script_or_the_language() {
        let of = |locale| data(locale).collect::<Vec<_>>();
        assert_eq!(of("de"), ["de", "de"]);
        assert_eq!(of("pt-BR"), ["pt-BR", "pt"]);
        assert_eq!(of("zh-TW"), ["zh-TW", "zh-Hant", "zh"]);
    }

    #[test]
    fn the_help_of_a_text_names_what_is_missing() {
        let texts = |installed: &[&'static str]| Texts {
            installed: installed.iter().copied().collect(),
            locales: BTreeSet::from(["de".to_owned()]),
            ..Texts::default()
        };
        let wanted = |class: &str, locale: &str, zone: &str| Wanted {
            class: class.to_owned(),
            locale: locale.to_owned(),
            zone: zone.to_owned(),
        };
        let number = |locale| wanted("NumberFormat", locale, "");
        assert_eq!(texts(&[]).lacks(&number("")), TextLacks::Locale);
        assert_eq!(texts(&[]).lacks(&wanted("DateTimeFormat", "de", "")), TextLacks::Zone);
        let packages = vec!["@formatjs/intl-numberformat".to_owned()];
        let plurals = texts(&["pluralrules"]);
        assert_eq!(plurals.lacks(&number("de")), TextLacks::Data { packages, locale: None });
        let locale = Some("fr".to_owned());
        assert_eq!(plurals.lacks(&wanted("PluralRules", "fr", "")), TextLacks::Data { packages: Vec::new(), locale });
        assert_eq!(plurals.lacks(&wanted("PluralRules", "de", "")), TextLacks::Agreement);
        assert_eq!(plurals.lacks(&wanted("Collator", "de", "")), TextLacks::Agreement);
        assert_eq!(plurals.lacks(&wanted("Collator", "", "")), TextLacks::Agreement);
        let compared = |locale: &str, language| TextLacks::Comparison { locale: locale.to_owned(), language };
        assert_eq!(plurals.lacks(&number("de-DE")), compared("de-DE", Some("de")));
        assert_eq!(plurals.lacks(&number("tlh")), compared("tlh", None));
    }
}
