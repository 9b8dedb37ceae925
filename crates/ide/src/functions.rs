//! The documentation of what templates call: that of the reference, which has an example of each.

use crate::symbols::Callable;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The page of the documentation. A test compares its examples with what the program writes.
const REFERENCE: &str = include_str!("../../../docs/content/pages/reference/templates.md");

static ALL: LazyLock<BTreeMap<(Callable, &'static str), &'static str>> = LazyLock::new(read);

/// Returns what the reference says of a filter, a function or a test, in Markdown.
pub fn documentation(kind: Callable, name: &str) -> Option<String> {
    let text = ALL.get(&(kind, name))?;
    // Links lead to other pages of the documentation, which are not here.
    let mut out = String::with_capacity(text.len());
    let mut rest = *text;
    while let Some(at) = rest.find("](") {
        let Some(open) = rest[..at].rfind('[') else { break };
        let Some(end) = rest[at..].find(')') else { break };
        let target = &rest[at + 2..at + end];
        if target.starts_with("https://") {
            out.push_str(&rest[..at + end + 1]);
        } else {
            out.push_str(&rest[..open]);
            out.push_str(&rest[open + 1..at]);
        }
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// Reads the items of the lists in the reference: ``- `upper`, `lower`: change letter case``, with what is below each.
fn read() -> BTreeMap<(Callable, &'static str), &'static str> {
    let mut all = BTreeMap::new();
    let mut kind = None;
    let mut at = 0;
    for line in REFERENCE.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some(title) = line.strip_prefix("## ") {
            kind = match title.split_whitespace().next() {
                Some("Filters") => Some(Callable::Filter),
                Some("Functions") => Some(Callable::Function),
                Some("Tests") => Some(Callable::Test),
                _ => None,
            };
        }
        let (Some(kind), Some(item)) = (kind, line.strip_prefix("- `")) else { continue };
        let rest = &REFERENCE[at..];
        let is_end = |text: &str| text.starts_with("- ") || text.starts_with('#') || text.trim().is_empty();
        let length: usize = rest.split_inclusive('\n').take_while(|line| !is_end(line)).map(str::len).sum();
        let text = REFERENCE[start + 2..at + length].trim_end();
        let names = item.split(':').next().unwrap_or_default();
        for name in names.split(',').map(|name| name.trim().trim_matches('`')) {
            all.insert((kind, name), text);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_templates::callables::{FILTERS, FUNCTIONS, TESTS};

    #[test]
    fn everything_that_templates_call_has_documentation() {
        for (kind, all) in [(Callable::Filter, FILTERS), (Callable::Function, FUNCTIONS), (Callable::Test, TESTS)] {
            for each in all {
                assert!(documentation(kind, each.name).is_some(), "{} {}", kind.name(), each.name);
            }
        }
        let text = documentation(Callable::Filter, "default").unwrap();
        assert!(text.contains("returns `value`") && text.contains("gives `none yet`"), "{text}");
        assert!(!documentation(Callable::Function, "picture").unwrap().contains("]("));
    }
}
