//! The languages of a site of Jekyll, which are those of a plugin: Polyglot (<https://github.com/untra/polyglot>) or the
//! Multiple Languages Plugin (<https://github.com/kurtsson/jekyll-multiple-languages-plugin>).

use super::super::data::{self, Map, Syntax, Value};
use super::super::old::{self, Old};
use std::collections::BTreeMap;

/// The plugins. Both put the name of a language before its addresses, but for the language of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plugin {
    /// Each text says its language. Every page is there in every language, in the words of the original if need be.
    Polyglot,
    /// A page is there once and takes its words from `_i18n`. Posts are in `_i18n/de/_posts`.
    MultipleLanguages,
}

/// The languages of a site.
#[derive(Debug)]
pub struct Languages {
    pub plugin: Plugin,
    /// The name of the language of the site, as its configuration writes it.
    pub main: String,
    /// Those of the others.
    pub others: Vec<String>,
    is_from_path: bool,
    /// Beginnings of paths that are there in the language of the site alone.
    excluded: Vec<String>,
    /// Texts of templates by language, and in each by the name under which `labels` has them.
    labels: BTreeMap<String, Map>,
}

/// The most languages of a site: the work for each of its texts grows with them.
const MOST: usize = 200;

/// The folder of the Multiple Languages Plugin.
const I18N: &str = "_i18n/";

impl Languages {
    /// Reads the languages from the configuration, if there are several.
    pub fn read(config: &Map, old: &Old) -> Option<Self> {
        let mut names = config.get("languages").filter(|value| value.is_array()).map(data::words)?;
        names.retain(|name| is_tag(name));
        names.truncate(MOST);
        let plugins: Vec<String> =
            ["plugins", "gems"].iter().filter_map(|key| config.get(*key)).flat_map(data::words).collect();
        let has = |name: &str| plugins.iter().any(|plugin| plugin == name);
        let is_by_files = !has("jekyll-polyglot") && old.below(I18N.trim_end_matches('/')).next().is_some();
        let plugin = match has("jekyll-multiple-languages-plugin") || is_by_files {
            true => Plugin::MultipleLanguages,
            false => Plugin::Polyglot,
        };
        let said = data::text(config, "default_lang").map(str::to_owned);
        let main = match plugin {
            Plugin::Polyglot => said.unwrap_or_else(|| "en".to_owned()),
            Plugin::MultipleLanguages => said.or_else(|| names.first().cloned())?,
        };
        let mut others: Vec<String> = Vec::new();
        names.into_iter().filter(|name| *name != main).for_each(|name| {
            if !others.contains(&name) {
                others.push(name);
            }
        });
        if others.is_empty() || !is_tag(&main) {
            return None;
        }
        let excluded = ["exclude_from_localization", "exclude_from_localizations"];
        let excluded = excluded.iter().filter_map(|key| config.get(*key)).flat_map(data::words);
        let excluded = excluded.map(|path| path.trim_start_matches('/').to_owned()).collect();
        let is_from_path = data::is_true(config, "lang_from_path");
        let mut languages = Self { plugin, main, others, is_from_path, excluded, labels: BTreeMap::new() };
        languages.read_labels(old);
        Some(languages)
    }

    /// Returns the names of all languages, that of the site first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.main.as_str()).chain(self.others.iter().map(String::as_str))
    }

    /// Whether a path is there in the language of the site alone.
    pub fn is_excluded(&self, path: &str) -> bool {
        self.excluded.iter().any(|start| path.starts_with(start.as_str()))
    }

    /// Returns the language of a text by its keys and its path.
    pub fn of(&self, path: &str, keys: &Map) -> String {
        let is_known = |name: &&str| self.all().any(|known| known == *name);
        let in_path = || path.split(['/', '.']).find(is_known).filter(|_| self.is_from_path).map(str::to_owned);
        data::word(keys, "lang").or_else(in_path).unwrap_or_else(|| self.main.clone())
    }

    /// Returns an address without the names of languages in it: `/de/about/` and `/about.de/` are `/about/`.
    pub fn without_language(&self, address: &str) -> String {
        let mut address = address.to_owned();
        for name in self.all() {
            address = address.replace(&format!("/{name}/"), "/");
            address = address.replace(&format!(".{name}/"), "/").replace(&format!(".{name}."), ".");
        }
        address
    }

    /// Returns the address of a text in a language.
    pub fn address(&self, language: &str, address: &str) -> String {
        match language == self.main {
            true => address.to_owned(),
            false => format!("/{}{address}", tag(language).to_lowercase()),
        }
    }

    /// Returns the language of a post in `_i18n`, and its path there.
    pub fn post<'p>(&self, path: &'p str) -> Option<(&str, &'p str)> {
        let rest = path.strip_prefix(I18N).filter(|_| self.plugin == Plugin::MultipleLanguages)?;
        let (name, below) = rest.split_once('/')?;
        let language = self.all().find(|known| *known == name)?;
        below.split('/').any(|part| part == "_posts").then_some((language, below))
    }

    /// Reads the texts of templates: `_i18n/de.yml`, or the files of `_data/de`.
    fn read_labels(&mut self, old: &Old) {
        let names: Vec<String> = self.all().map(str::to_owned).collect();
        for name in &names {
            let mut labels = Map::new();
            match self.plugin {
                Plugin::MultipleLanguages => {
                    let paths = [format!("{I18N}{name}.yml"), format!("{I18N}{name}.yaml")];
                    let found = paths.iter().find_map(|path| old.text(path));
                    labels = found.and_then(|text| data::parse_map(text, Syntax::Yaml).ok()).unwrap_or_default();
                }
                Plugin::Polyglot => {
                    for (path, rest) in old.below(&format!("_data/{name}")) {
                        labels.extend(file_of_data(old, path, rest));
                    }
                }
            }
            self.labels.insert(name.clone(), labels);
        }
        if self.plugin == Plugin::Polyglot {
            // What the language of the site has in no folder of its own.
            let wanted: Vec<String> = self.labels.values().flat_map(|labels| labels.keys().cloned()).collect();
            let main = self.labels.entry(self.main.clone()).or_default();
            for (path, rest) in old.below("_data").filter(|(_, rest)| !rest.contains('/')) {
                let found = file_of_data(old, path, rest).filter(|(name, _)| wanted.contains(name));
                if let Some((name, value)) = found {
                    main.entry(name).or_insert(value);
                }
            }
        }
        let main = self.labels.get(&self.main).cloned().unwrap_or_default();
        for (name, labels) in &mut self.labels {
            if *name != self.main {
                keep_common(labels, &main);
            }
        }
    }

    /// Returns the labels of a language: those of another language have only keys that the language of the site has.
    pub fn labels(&self, language: &str) -> Map {
        self.labels.get(language).cloned().unwrap_or_default()
    }

    /// Returns a text of `_i18n` by its path, such as `titles.home`.
    pub fn label(&self, language: &str, path: &str) -> Option<&str> {
        [language, self.main.as_str()].into_iter().find_map(|name| at(self.labels.get(name)?, path)?.as_str())
    }

    /// Returns what stands for a text of templates in a text: `{{ site.labels.strings.hello }}`. `path` is that of the label,
    /// which must be there.
    pub fn reference(&self, path: &str) -> Option<String> {
        let is_word = |part: &str| {
            let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            part.chars().all(is_letter) && !part.starts_with(|letter: char| letter.is_ascii_digit()) && !part.is_empty()
        };
        let found = at(self.labels.get(&self.main)?, path)?;
        let is_text = found.is_string() || found.is_number();
        (is_text && path.split('.').all(is_word)).then(|| format!("{{{{ site.labels.{path} }}}}"))
    }

    /// Returns the path of a label that a value of Liquid names: `site.data[site.active_lang].strings.hello`, `site.data.strings.hello`
    /// or `site.translations[site.lang].titles.home`.
    pub fn path_of<'v>(&self, value: &'v str) -> Option<&'v str> {
        let value = value.trim();
        let own = ["site.data[site.active_lang].", "site.data[site.lang].", "site.translations[site.lang]."];
        let path =
            own.iter().find_map(|start| value.strip_prefix(start)).or_else(|| value.strip_prefix("site.data."))?;
        let first = path.split('.').next().unwrap_or_default();
        self.labels.get(&self.main)?.contains_key(first).then_some(path)
    }

    /// Returns a file of `_i18n` that `{% tf about/about.md %}` names, in a language.
    pub fn file<'o>(&self, name: &str, language: &str, old: &'o Old) -> Option<&'o str> {
        let paths = [language, self.main.as_str()].map(|language| format!("{I18N}{language}/{name}"));
        paths.iter().find_map(|path| old.text(path))
    }
}

/// Writes the name of a language as a BCP 47 tag.
pub fn tag(name: &str) -> String {
    name.replace('_', "-")
}

/// Whether a word may be the name of a language.
fn is_tag(name: &str) -> bool {
    let mut parts = name.split(['-', '_']);
    let first = parts.next().unwrap_or_default();
    let is_letters = (2..=3).contains(&first.len()) && first.chars().all(|letter| letter.is_ascii_alphabetic());
    is_letters
        && parts.all(|part| (1..=8).contains(&part.len()) && part.chars().all(|letter| letter.is_ascii_alphanumeric()))
}

/// Reads a file of `_data`: its name without extension, and what is in it. The links of a menu are no labels.
fn file_of_data(old: &Old, path: &str, rest: &str) -> Option<(String, Value)> {
    let syntax = match old::extension(path).as_str() {
        "yml" | "yaml" | "json" => Syntax::Yaml,
        _ => return None,
    };
    let name = rest.rsplit_once('.').map_or(rest, |(name, _)| name).replace('/', "_");
    let value = data::parse(old.text(path)?, syntax).ok().filter(Value::is_object)?;
    (!super::MENUS.contains(&name.as_str())).then_some((name, value))
}

/// Returns a value by its path.
fn at<'m>(map: &'m Map, path: &str) -> Option<&'m Value> {
    let mut parts = path.split('.');
    parts.clone().next().filter(|first| !first.is_empty())?;
    let first = map.get(parts.next()?)?;
    parts.try_fold(first, |value, part| value.get(part))
}

/// Removes what another map does not have, and what it has in another form.
fn keep_common(map: &mut Map, other: &Map) {
    map.retain(|key, value| match (value, other.get(key)) {
        (Value::Object(inner), Some(Value::Object(other))) => {
            keep_common(inner, other);
            !inner.is_empty()
        }
        (Value::Object(_), _) | (_, Some(Value::Object(_)) | None) => false,
        (Value::Array(_), Some(other)) => other.is_array(),
        (_, Some(other)) => !other.is_array(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polyglot() -> Languages {
        Languages {
            plugin: Plugin::Polyglot,
            main: "en".into(),
            others: vec!["de".into(), "pt-BR".into()],
            is_from_path: true,
            excluded: vec!["images".into()],
            labels: BTreeMap::new(),
        }
    }

    #[test]
    fn addresses_lose_the_names_of_languages_and_get_their_tags() {
        let languages = polyglot();
        for (old, new) in [
            ("/de/about/", "/about/"),
            ("/about.de/", "/about/"),
            ("/about.de.html", "/about.html"),
            ("/de/", "/"),
            ("/deep/", "/deep/"),
            ("/a/pt-BR/b", "/a/b"),
        ] {
            assert_eq!(languages.without_language(old), new, "{old}");
        }
        assert_eq!(languages.address("pt-BR", "/about/"), "/pt-br/about/");
        assert_eq!(languages.address("en", "/about/"), "/about/");
    }

    #[test]
    fn the_language_is_that_of_the_key_or_of_the_path() {
        let languages = polyglot();
        let keys = |text: &str| data::parse_map(text, Syntax::Yaml).unwrap();
        assert_eq!(languages.of("de/about.md", &Map::new()), "de");
        assert_eq!(languages.of("about.de.md", &keys("lang: en")), "en");
        assert_eq!(languages.of("about.md", &Map::new()), "en");
        let languages = Languages { is_from_path: false, ..languages };
        assert_eq!(languages.of("de/about.md", &Map::new()), "en");
    }

    #[test]
    fn only_names_of_languages_are_languages() {
        for name in ["de", "pt-BR", "zh_Hant_TW", "gsw"] {
            assert!(is_tag(name), "{name}");
        }
        for name in ["", "e", "../de", "german", "de/x", "12", "de-"] {
            assert!(!is_tag(name), "{name}");
        }
    }

    #[test]
    fn labels_of_a_translation_are_those_of_the_original() {
        let map = |text: &str| data::parse_map(text, Syntax::Yaml).unwrap();
        let mut own = map("a: A\nb: { c: C, d: D }\ne: [x]\nf: { g: G }\nh: [y]\n");
        keep_common(&mut own, &map("a: 1\nb: { c: 2 }\ne: [1, 2]\nf: 3\nh: 4\n"));
        assert_eq!(own, map("a: A\nb: { c: C }\ne: [x]\n"));
    }
}
