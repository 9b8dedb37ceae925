//! What is wrong with a translation, compared with the text that it translates.

use super::super::po::Entry;
use crate::content::languages::Language;
use crate::content::plural_forms::PluralForms;
use crate::content::structure::Structure;
use crate::content::texts::{Content, Text, blocks};

/// Returns why an entry cannot be taken: it would break a link, a picture, a placeholder or the blocks of a text.
pub fn mistake(text: &Text, entry: &Entry, language: &Language, forms: &PluralForms) -> Option<String> {
    let first = entry.strings.first().map_or("", String::as_str);
    let differences = match &text.content {
        Content::Plural(originals) => return plural(originals, entry, language, forms),
        Content::Plain(original) => {
            let mut all = Structure::of_value(original).differences(&Structure::of_value(first));
            // Whether a value is Markdown is up to the template.
            if original.contains("](") || first.contains("](") {
                all.extend(in_markdown(original, first, language));
            }
            all
        }
        Content::Block(original) => {
            let kinds = |text: &str| blocks(text).into_iter().map(|block| block.kind).collect::<Vec<_>>();
            let (old, new) = (kinds(original), kinds(first));
            if old != new {
                let named = |kinds: &[String]| if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") };
                return Some(format!("it is {} and not {}", named(&new), named(&old)));
            }
            in_markdown(original, first, language)
        }
    };
    joined(differences)
}

fn joined(mut differences: Vec<String>) -> Option<String> {
    differences.dedup();
    (!differences.is_empty()).then(|| differences.join("; "))
}

fn in_markdown(original: &str, translated: &str, language: &Language) -> Vec<String> {
    let of = |text: &str| Structure::of_markdown(text, &language.tag);
    of(original).differences(&of(translated))
}

fn plural(originals: &[(String, String)], entry: &Entry, language: &Language, forms: &PluralForms) -> Option<String> {
    let categories = forms.categories();
    if entry.strings.len() != categories.len() {
        return Some(format!(
            "it has {} plural forms, and `{}` has {}: {}",
            entry.strings.len(),
            language.tag,
            categories.len(),
            categories.join(", ")
        ));
    }
    let empty = categories.iter().zip(&entry.strings).find(|(_, text)| text.trim().is_empty());
    if let Some((category, _)) = empty {
        return Some(format!("its form `{category}` is empty"));
    }
    // A form for a single number may say the number in words.
    let original = Structure::of_value(originals.last().map_or("", |(_, form)| form));
    for (category, text) in categories.iter().zip(&entry.strings) {
        let found = original.differences(&Structure::of_value(text));
        let is_grave = |difference: &String| *category == "other" || difference.ends_with("not in the original");
        if let Some(reason) = joined(found.into_iter().filter(is_grave).collect()) {
            return Some(format!("in its form `{category}` {reason}"));
        }
    }
    None
}
