//! The pages of `sitegen explain`: what a code means, an example, and what to write instead.

const EXPLANATIONS: &str = include_str!("explanations.md");

/// Returns the page of a code: the text under its heading `## code`.
pub fn explanation(code: &str) -> Option<&'static str> {
    let heading = format!("\n## {code}\n");
    let start = EXPLANATIONS.find(&heading)? + heading.len();
    let rest = &EXPLANATIONS[start..];
    Some(rest[..rest.find("\n## ").unwrap_or(rest.len())].trim())
}

/// Returns every code that has a page.
pub fn explained() -> impl Iterator<Item = &'static str> {
    EXPLANATIONS.lines().filter_map(|line| line.strip_prefix("## "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_with_an_example_and_every_page_a_code() {
        let words = include_str!("words.rs");
        let codes = words.split("pub fn code").nth(1).unwrap().split("\n}\n").next().unwrap();
        let codes: Vec<&str> = codes.lines().filter_map(|line| line.split('"').nth(1)).collect();
        assert!(codes.len() > 60, "{codes:?}");
        for code in &codes {
            let page = explanation(code).unwrap_or_else(|| panic!("`{code}` is not explained"));
            assert!(page.contains("```"), "the page of `{code}` has no example");
        }
        for code in explained() {
            assert!(codes.contains(&code), "`{code}` is explained and does not exist");
        }
    }
}
