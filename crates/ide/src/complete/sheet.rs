//! Completions in stylesheets.

use super::{Completion, CompletionKind};
use crate::Analysis;
use crate::symbols::{Symbol, in_selector};
use crate::word_before;
use sitegen_core::diagnostics::Span;
use sitegen_core::sources::SourceKind;
use sitegen_styles::names::NAMES;
use std::collections::BTreeMap;

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

/// Returns what can be written at an offset of a stylesheet.
pub fn complete(analysis: &Analysis, text: &str, offset: usize) -> Vec<Completion> {
    let typed = word_before(text, offset, is_part);
    let before = text[..typed.start].trim_end();
    let written = &text[typed.start..offset];
    if text[..typed.start].ends_with('.') {
        return classes(analysis, typed);
    }
    if text[..typed.start].ends_with('@') {
        return NAMES.at_rules().map(|name| Completion::new(name, CompletionKind::Keyword, typed)).collect();
    }
    if text[..typed.start].ends_with(':')
        && !before.ends_with(": ")
        && written.is_empty()
        && in_selector(text, typed.start)
    {
        return NAMES.pseudo().map(|name| Completion::new(name, CompletionKind::Keyword, typed)).collect();
    }
    if written.starts_with("--") || before.ends_with("var(") {
        return properties(analysis, typed);
    }
    // After a colon within a declaration the values of its property.
    let start = text[..offset].rfind(['{', ';', '}']).map_or(0, |at| at + 1);
    let declaration = text[start..offset].rsplit("*/").next().unwrap_or_default();
    if let Some((property, _)) = declaration.split_once(':') {
        let property = property.trim().to_ascii_lowercase();
        let words = NAMES.keywords(&property).unwrap_or_default();
        return words.into_iter().map(|word| Completion::new(word, CompletionKind::Value, typed)).collect();
    }
    if text[..offset].matches('{').count() <= text[..offset].matches('}').count() {
        return Vec::new();
    }
    let names = NAMES.properties(None);
    names.map(|name| Completion::new(name, CompletionKind::Property, typed).snippet(format!("{name}: $0;"))).collect()
}

/// Returns the classes of all stylesheets, each with its file.
pub fn classes(analysis: &Analysis, typed: Span) -> Vec<Completion> {
    let complete = |(name, (file, _)): (String, (String, String))| {
        Completion::new(name, CompletionKind::Class, typed).detail(file)
    };
    declared(analysis, |symbol| matches!(symbol, Symbol::Class(_))).into_iter().map(complete).collect()
}

/// Returns the custom properties of all stylesheets, each with its first value.
pub fn properties(analysis: &Analysis, typed: Span) -> Vec<Completion> {
    let complete = |(name, (file, value)): (String, (String, String))| {
        Completion::new(name, CompletionKind::Property, typed).detail(value).documentation(file)
    };
    declared(analysis, |symbol| matches!(symbol, Symbol::Property(_))).into_iter().map(complete).collect()
}

fn declared(analysis: &Analysis, is_wanted: impl Fn(&Symbol) -> bool) -> BTreeMap<String, (String, String)> {
    let mut all = BTreeMap::new();
    for (path, source) in analysis.sources.of_all(&[SourceKind::Style]) {
        let Some(text) = source.text() else { continue };
        for each in analysis.occurrences(path).into_iter().filter(|each| each.declares && is_wanted(&each.symbol)) {
            let rest = text[each.span.end..].split([';', '}']).next().unwrap_or_default();
            let value = rest.trim_start().strip_prefix(':').unwrap_or_default().trim();
            let value = value.char_indices().nth(60).map_or(value, |(cut, _)| &value[..cut]);
            all.entry(each.symbol.word().to_owned()).or_insert_with(|| (path.to_string(), value.to_owned()));
        }
    }
    all
}
