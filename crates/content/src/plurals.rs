//! Plural forms in content: mappings like `{ one: "{count} post", other: "{count} posts" }`.
//!
//! A mapping has plural forms if its keys are nothing but categories of CLDR and one of its texts contains `{count}`. So a
//! mistake is reported at its line even if no page shows the text yet, and a mapping that only happens to have a key `other`
//! is left alone. So is one of the search's texts, `search: { one: "1 result", many: "{count} results" }`. The function `plural` of templates checks what it is given likewise, whatever that contains.

use super::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::{Diagnostic, Place, PluralProblem, Span};
use sitegen_core::paths::SourcePath;
use sitegen_locale::plurals::{CATEGORIES, COUNT, PluralMistake, Plurals};

/// Whether the keys of a mapping are nothing but categories of CLDR.
pub fn are_forms(entries: &[(Key, Node)]) -> bool {
    !entries.is_empty() && entries.iter().all(|(key, _)| CATEGORIES.contains(&key.name.as_str()))
}

/// Whether forms replace those of the original: both have nothing but categories, and not only those of the search's texts.
pub fn replace(own: &[(Key, Node)], original: &[(Key, Node)]) -> bool {
    let has_other = |entries: &[(Key, Node)]| entries.iter().any(|(key, _)| key.name == "other");
    are_forms(own) && are_forms(original) && (has_other(own) || has_other(original))
}

/// Whether a mapping with the name `key` has texts of the search: its `one` and `many` are those of any language.
pub fn are_of_search(key: &str, entries: &[(Key, Node)]) -> bool {
    key == "search" && entries.iter().all(|(form, _)| form.name != "other")
}

/// Reports mistakes in the plural forms of a file. `language` is that of its texts. Those of a text that the file translates, which
/// begin at `original`, are reported where that is read for its own language.
pub fn check(path: &SourcePath, data: &Node, language: &str, original: Option<usize>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    find(data, ("", data.span), &mut |forms, at| {
        if original.is_some_and(|original| forms.iter().all(|form| form.key.start >= original)) {
            return;
        }
        let texts: Vec<(&str, &str)> = forms.iter().map(|form| (form.category, form.text)).collect();
        diagnostics.extend(Plurals::of(language).mistakes(&texts).into_iter().map(|mistake| {
            let span = match &mistake {
                PluralMistake::Missing { .. } => at,
                PluralMistake::Foreign { category, .. } => {
                    forms.iter().find(|form| form.category == category).map_or(at, |form| form.key)
                }
                PluralMistake::WithoutCount { category, .. } => {
                    forms.iter().find(|form| form.category == category).map_or(at, |form| form.value)
                }
            };
            Diagnostic::new(problem(mistake, language), Place::new(path, span))
        }));
    });
    diagnostics
}

/// Returns what is reported of a mistake.
pub fn problem(mistake: PluralMistake, language: &str) -> PluralProblem {
    let language = language.to_owned();
    match mistake {
        PluralMistake::Missing { category, examples } => {
            PluralProblem::MissingForm { category: category.to_owned(), language, examples }
        }
        PluralMistake::Foreign { category, known } => {
            let known = known.into_iter().map(str::to_owned).collect();
            PluralProblem::ForeignForm { category, language, known }
        }
        PluralMistake::WithoutCount { category, examples } => {
            PluralProblem::WithoutCount { category, language, examples }
        }
    }
}

/// A form of a text, with the places of its key and its value.
struct Form<'n> {
    category: &'n str,
    text: &'n str,
    key: Span,
    value: Span,
}

/// Calls a function with the plural forms of each mapping that has them, and with the place of its key. `key` is that of the node.
fn find<'n>(node: &'n Node, (key, at): (&str, Span), found: &mut impl FnMut(&[Form<'n>], Span)) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| find(item, ("", item.span), found)),
        Value::Map(entries) if are_of_search(key, entries) => {
            entries.iter().for_each(|(key, value)| find(value, (&key.name, key.span), found));
        }
        Value::Map(entries) => {
            let forms = entries.iter().map_while(|(key, value)| {
                let text = value.text().filter(|_| CATEGORIES.contains(&key.name.as_str()))?;
                Some(Form { category: &key.name, text, key: key.span, value: value.span })
            });
            let forms: Vec<Form> = forms.collect();
            let is_plural = forms.len() == entries.len() && forms.iter().any(|form| form.text.contains(COUNT));
            if is_plural {
                found(&forms, at);
            } else {
                entries.iter().for_each(|(key, value)| find(value, (&key.name, key.span), found));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use sitegen_core::diagnostics::message;

    /// Returns the text that each mistake is reported at, and the message.
    fn reported(language: &str, text: &str) -> Vec<(String, String)> {
        let path = SourcePath::new("content/site.yaml");
        let data = yaml::parse(&path, text, 0).expect("valid YAML");
        let all = check(&path, &data, language, None);
        let at = |span: Option<Span>| span.map(|span| text[span.start..span.end].to_owned()).unwrap_or_default();
        all.iter().map(|each| (at(each.place.as_ref().and_then(|place| place.span)), message(&each.problem))).collect()
    }

    #[test]
    fn mistakes_are_reported_at_the_form_or_at_the_key_of_all_forms() {
        let text = "labels:\n  posts:\n    one: wpis\n    two: \"{count} wpisy\"\n    few: wpisy\n    other: \"{count} wpisu\"\n";
        let of = reported("pl", text);
        let places: Vec<&str> = of.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["two", "posts", "wpisy"], "{of:?}");
        assert!(of[0].1.contains("no plural form `two`") && of[1].1.contains("`many` is missing"), "{of:?}");
        assert!(of[2].1.contains("`few` is the text for `2`, `3`, `4`, `22` and others"), "{of:?}");
        assert_eq!(
            reported("en", "a: [{ one: One, other: \"{count}\" }, { one: One, few: \"{count}\", other: \"{count}\" }]")
                .len(),
            1
        );
    }

    #[test]
    fn other_mappings_are_left_alone() {
        for text in [
            "a: { one: post, other: posts }",
            "a: { other: none }",
            "a: { one: \"{count} post\", rest: \"{count} posts\" }",
            "a: { one: 1, other: \"{count}\" }",
            "a: {}",
            // The texts of the search.
            "search: { one: 1 wynik, many: \"{count} wyników\" }",
            "a: { search: { many: \"{count} wyników\" } }",
        ] {
            assert!(reported("pl", text).is_empty(), "{text}");
        }
    }
}
