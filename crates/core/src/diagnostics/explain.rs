//! The pages of `sitegen explain`: what a code means, an example, and what to write instead.

use super::problem::EXPLANATIONS;

/// Returns the page of a code: the text under its heading `## code`.
pub fn explanation(code: &str) -> Option<&'static str> {
    let heading = format!("\n## {code}\n");
    EXPLANATIONS.iter().find_map(|(_, pages)| {
        let rest = &pages[pages.find(&heading)? + heading.len()..];
        Some(rest[..rest.find("\n## ").unwrap_or(rest.len())].trim())
    })
}

/// Returns every code that has a page.
pub fn explained() -> impl Iterator<Item = &'static str> {
    families().flat_map(|(_, codes)| codes)
}

/// Returns the families of codes: the name of each family's file in `problem/`, and its codes that have a page.
pub fn families() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    EXPLANATIONS
        .iter()
        .map(|(family, pages)| (*family, pages.lines().filter_map(|line| line.strip_prefix("## ")).collect()))
}

#[cfg(test)]
mod tests {
    use super::super::problem::FILES;
    use super::super::{adjustable, is_adjustable};
    use super::*;

    /// Codes of warnings whose severity is fixed: about addresses and scripts, about files that a command is given, and one that has
    /// errors too.
    const FIXED_WARNINGS: [&str; 5] =
        ["feed", "fewer-than-suppressed", "public-script", "translation-skipped", "unchecked-script"];

    #[test]
    fn a_site_may_set_the_severity_of_every_warning_about_content() {
        let code = FILES.iter().filter_map(|file| file.split("const EXPLANATIONS").next());
        let warnings = code.flat_map(|code| code.split("warning!(").skip(1)).filter_map(|call| call.split('"').nth(1));
        for code in warnings {
            assert_ne!(is_adjustable(code), FIXED_WARNINGS.contains(&code), "{code}");
        }
        for code in adjustable() {
            assert!(explanation(code).is_some(), "{code}");
        }
    }

    #[test]
    fn every_code_has_a_page_with_an_example_and_every_page_a_code() {
        let codes_of = |code: &'static str| {
            let calls = ["error!(", "warning!(", "failure!("].into_iter().flat_map(|name| code.split(name).skip(1));
            calls.filter_map(|call| call.split('"').nth(1)).collect::<Vec<_>>()
        };
        for (file, (_, pages)) in FILES.iter().zip(EXPLANATIONS) {
            let codes = codes_of(file.split("const EXPLANATIONS").next().unwrap());
            assert!(!codes.is_empty(), "{file}");
            for code in &codes {
                let page = explanation(code).unwrap_or_else(|| panic!("`{code}` is not explained"));
                assert!(page.contains("```"), "the page of `{code}` has no example");
            }
            let headings = pages.lines().filter_map(|line| line.strip_prefix("## "));
            for code in headings {
                assert!(codes.contains(&code), "`{code}` is explained and does not exist");
            }
        }
    }
}
