//! The names of CSS: properties, at-rules, units and keywords, from `names.txt`, which `names.mjs` writes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// All names of CSS.
pub static NAMES: LazyLock<CssNames> = LazyLock::new(|| CssNames::read(include_str!("names.txt")));

/// Prefixes of properties that a browser added before they were specified. Each browser has its own.
const PREFIXES: [&str; 7] = ["-webkit-", "-moz-", "-ms-", "-o-", "-apple-", "-epub-", "-khtml-"];

/// Keywords of every property (CSS Cascading and Inheritance 5, 7.3).
const EVERYWHERE: [&str; 6] = ["inherit", "initial", "unset", "revert", "revert-layer", "revert-rule"];

/// See [`NAMES`].
#[derive(Default)]
pub struct CssNames {
    /// Properties with their keywords. `None` if a property takes names that authors choose.
    properties: BTreeMap<&'static str, Option<Vec<&'static str>>>,
    descriptors: BTreeMap<&'static str, Vec<&'static str>>,
    at_rules: BTreeSet<&'static str>,
    pseudo: BTreeSet<&'static str>,
    units: BTreeSet<&'static str>,
    functions: BTreeSet<&'static str>,
    /// What conditions of `@media` and `@container` ask for.
    features: BTreeMap<&'static str, Vec<&'static str>>,
    colors: Vec<&'static str>,
}

impl CssNames {
    fn read(text: &'static str) -> Self {
        let mut names = CssNames::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split(' ');
            match words.next() {
                Some("unit") => names.units = words.collect(),
                Some("at") => names.at_rules = words.collect(),
                Some("pseudo") => names.pseudo = words.collect(),
                Some("function") => names.functions = words.collect(),
                Some("feature") => {
                    names.features.insert(words.next().unwrap_or_default(), words.collect());
                }
                Some("color") => names.colors = words.collect(),
                Some("descriptor") => {
                    names.descriptors.insert(words.next().unwrap_or_default(), words.collect());
                }
                _ => {
                    let name = words.next().unwrap_or_default();
                    let keywords: Vec<&str> = words.collect();
                    names.properties.insert(name, (!keywords.contains(&"*")).then_some(keywords));
                }
            }
        }
        names
    }

    /// Whether a declaration can have this name in lower case. `rule` is the at-rule around it that has names of its
    /// own.
    pub fn has_property(&self, name: &str, rule: Option<&str>) -> bool {
        is_prefixed(name)
            || self.properties.contains_key(name)
            || self.descriptors_of(rule).any(|descriptor| descriptor == name)
    }

    /// Returns the names that [`CssNames::has_property`] accepts, without those of single browsers.
    pub fn properties(&'static self, rule: Option<&str>) -> impl Iterator<Item = &'static str> {
        self.descriptors_of(rule).chain(self.properties.keys().copied())
    }

    fn descriptors_of(&self, rule: Option<&str>) -> impl Iterator<Item = &'static str> + use<> {
        rule.and_then(|rule| self.descriptors.get(rule)).cloned().unwrap_or_default().into_iter()
    }

    /// Whether there is such an at-rule, also one of a single browser.
    pub fn has_at_rule(&self, name: &str) -> bool {
        is_prefixed(name) || self.at_rules.contains(name)
    }

    /// Returns all at-rules.
    pub fn at_rules(&self) -> impl Iterator<Item = &str> {
        self.at_rules.iter().copied()
    }

    /// Whether there is such a pseudo-class or pseudo-element, also one of a single browser.
    pub fn has_pseudo(&self, name: &str) -> bool {
        is_prefixed(name) || self.pseudo.contains(name)
    }

    /// Returns all pseudo-classes and pseudo-elements, without colons.
    pub fn pseudo(&self) -> impl Iterator<Item = &str> {
        self.pseudo.iter().copied()
    }

    /// Whether there is such a unit, in lower case.
    pub fn has_unit(&self, unit: &str) -> bool {
        self.units.contains(unit)
    }

    /// Returns all units.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        self.units.iter().copied()
    }

    /// Whether a value may contain a function of this name in lower case, also one of a single browser or of the site.
    pub fn has_function(&self, name: &str) -> bool {
        name.starts_with("--") || is_prefixed(name) || self.functions.contains(name)
    }

    /// Returns all functions of values.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().copied()
    }

    /// Whether the condition of an at-rule, `media` or `container`, may ask for this in lower case.
    pub fn has_feature(&self, rule: &str, name: &str) -> bool {
        let bare = name.strip_prefix("min-").or_else(|| name.strip_prefix("max-")).unwrap_or(name);
        name.starts_with('-') || self.features.get(rule).is_none_or(|features| features.contains(&bare))
    }

    /// Returns what the condition of an at-rule may ask for, also as a minimum and a maximum.
    pub fn features(&self, rule: &str) -> impl Iterator<Item = String> {
        let features = self.features.get(rule).into_iter().flatten();
        features.flat_map(|name| ["", "min-", "max-"].map(|prefix| format!("{prefix}{name}")))
    }

    /// Whether the value of a property may contain a number without a unit.
    pub fn takes_numbers(&self, property: &str) -> bool {
        let keywords = self.properties.get(property).and_then(Option::as_ref);
        keywords.is_none_or(|keywords| keywords.contains(&"<number>"))
    }

    /// Returns the keywords of a property. `None` if any word is allowed.
    pub fn keywords(&self, property: &str) -> Option<Vec<&'static str>> {
        let keywords = self.properties.get(property)?.as_ref()?;
        let colors = if keywords.contains(&"<color>") { self.colors.as_slice() } else { &[] };
        Some(keywords.iter().chain(colors).chain(&EVERYWHERE).copied().collect())
    }
}

/// Whether a name has the prefix of a single browser.
pub fn is_prefixed(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_and_oldest_names_are_known() {
        for name in ["color", "content", "text-wrap", "field-sizing", "-webkit-line-clamp", "word-wrap", "zoom"] {
            assert!(NAMES.has_property(name, None), "{name}");
        }
        for name in ["colour", "margin-lefft", "-wbkit-mask", ""] {
            assert!(!NAMES.has_property(name, None), "{name}");
        }
        assert!(NAMES.has_property("unicode-range", Some("font-face")) && !NAMES.has_property("unicode-range", None));
        assert!(NAMES.keywords("display").unwrap().contains(&"flex"));
        assert!(NAMES.keywords("border").unwrap().contains(&"rebeccapurple"));
        assert_eq!(NAMES.keywords("animation"), None);
        assert!(NAMES.takes_numbers("line-height") && NAMES.takes_numbers("flex") && NAMES.takes_numbers("z-index"));
        assert!(!NAMES.takes_numbers("margin") && !NAMES.takes_numbers("width"));
    }
}
