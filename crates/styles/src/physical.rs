//! Directions in stylesheets that do not turn with the language: `margin-left` stays at the left in a language written from
//! right to left, where `margin-inline-start` is at the right (CSS Logical Properties 1).

use sitegen_content::languages::Languages;
use sitegen_core::diagnostics::{Span, StyleProblem};
use std::collections::BTreeSet;

/// The directions of the languages of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Directions {
    /// All are written from left to right.
    #[default]
    LeftToRight,
    /// Others are written from right to left, and the styles were made for a language from left to right.
    Others,
    /// The language of the site is written from right to left, and the styles were made for it.
    RightToLeft,
}

impl Directions {
    /// Returns those of some languages, that of the site first.
    pub fn of(languages: &Languages) -> Self {
        match languages.all() {
            [own, ..] if own.is_right_to_left => Directions::RightToLeft,
            all if all.iter().any(|language| language.is_right_to_left) => Directions::Others,
            _ => Directions::LeftToRight,
        }
    }
}

impl Physical {
    /// Returns what is reported of it in a site, and where.
    pub fn in_site(self, directions: Directions) -> Option<(StyleProblem, Span)> {
        match (directions, self.problem) {
            (Directions::LeftToRight, _) => None,
            // In a text from right to left, the end of a line is at the left.
            (Directions::RightToLeft, StyleProblem::PhysicalDirection { written, logical, is_certain }) => {
                Some((StyleProblem::PhysicalDirection { written, logical: mirrored(&logical), is_certain }, self.span))
            }
            (_, problem) => Some((problem, self.span)),
        }
    }
}

/// Returns the logical name for the other side: `margin-inline-end` for `margin-inline-start`.
fn mirrored(logical: &str) -> String {
    let replaced = |side: &str, other: &str| {
        let at = logical.rfind(side)?;
        Some(format!("{}{other}{}", &logical[..at], &logical[at + side.len()..]))
    };
    // The last one: of a corner, the first is at the top or at the bottom.
    match (logical.rfind("start"), logical.rfind("end")) {
        (start, end) if start > end => replaced("start", "end"),
        _ => replaced("end", "start"),
    }
    .or_else(|| (logical.contains("Start") || logical.contains("End")).then(|| mirrored_of_script(logical)))
    .unwrap_or_else(|| logical.to_owned())
}

/// Does the same for a name of scripts: `marginInlineStart`.
fn mirrored_of_script(logical: &str) -> String {
    let start = logical.rfind("Start");
    match (start, logical.rfind("End")) {
        (Some(at), end) if end.is_none_or(|end| end < at) => format!("{}End{}", &logical[..at], &logical[at + 5..]),
        (_, Some(at)) => format!("{}Start{}", &logical[..at], &logical[at + 3..]),
        _ => logical.to_owned(),
    }
}

/// A declaration with a side of its own, before its rule is known to have none for the other side.
#[derive(Clone, Debug)]
pub struct Physical {
    /// What is wrong with it.
    pub problem: StyleProblem,
    /// The part that is reported.
    pub span: Span,
    /// The property of the other side, if this one has another.
    other: Option<String>,
    property: String,
    value: String,
}

/// Properties by the parts of their names, with those of their logical counterparts.
const SIDES: [(&str, &str); 6] = [
    ("margin-{}", "margin-inline-{}"),
    ("padding-{}", "padding-inline-{}"),
    ("border-{}", "border-inline-{}"),
    ("scroll-margin-{}", "scroll-margin-inline-{}"),
    ("scroll-padding-{}", "scroll-padding-inline-{}"),
    ("{}", "inset-inline-{}"),
];
/// What may follow a side in the name of a border.
const BORDERS: [&str; 3] = ["-color", "-style", "-width"];
/// The corners: their names, and those of their logical counterparts in text from left to right.
const CORNERS: [(&str, &str); 4] = [
    ("border-top-left-radius", "border-start-start-radius"),
    ("border-top-right-radius", "border-start-end-radius"),
    ("border-bottom-left-radius", "border-end-start-radius"),
    ("border-bottom-right-radius", "border-end-end-radius"),
];
/// Properties that take a side as their value, with what stands before the logical one.
const VALUES: [(&str, &str); 7] = [
    ("clear", "inline-"),
    ("float", "inline-"),
    ("justify-content", ""),
    ("justify-items", ""),
    ("justify-self", ""),
    ("text-align", ""),
    ("text-align-last", ""),
];
/// Properties that take four values, of the top, the right, the bottom and the left, with those that name the sides.
const FOUR: [&str; 7] = ["border-color", "border-style", "border-width", "inset", "margin", "padding", "scroll-margin"];

/// Reads a declaration. `at` is the span of the property, `value` that of its value in `text`.
pub fn read(text: &str, property: &str, at: Span, value: Span) -> Option<Physical> {
    let written = text[value.start..value.end].trim();
    let value = Span::at(
        value.start + text[value.start..value.end].len() - text[value.start..value.end].trim_start().len(),
        written.len(),
    );
    let plain = written.split('!').next().unwrap_or_default().trim().to_ascii_lowercase();
    let physical = |problem, span, other: Option<String>| {
        Some(Physical { problem, span, other, property: property.to_owned(), value: plain.clone() })
    };
    if let Some((logical, other)) = logical_of(property) {
        // What is in the middle is there in both directions.
        let is_middle = matches!(property, "left" | "right") && plain == "50%";
        let is_certain = !matches!(property, "left" | "right");
        let problem = StyleProblem::PhysicalDirection { written: property.to_owned(), logical, is_certain };
        return if is_middle { None } else { physical(problem, at, Some(other)) };
    }
    if let Some((_, before)) = VALUES.iter().find(|(name, _)| *name == property) {
        let side = match plain.as_str() {
            "left" => "start",
            "right" => "end",
            _ => return None,
        };
        let span = Span::at(value.start, plain.len());
        let problem = StyleProblem::PhysicalDirection {
            written: plain.clone(),
            logical: format!("{before}{side}"),
            is_certain: true,
        };
        return physical(problem, span, None);
    }
    let parts = parts(&plain)?;
    let differ = match (property, parts.as_slice()) {
        ("border-radius", [a, b]) => a != b,
        ("border-radius", [a, b, c]) => a != b || b != c,
        ("border-radius", [a, b, c, d]) => a != b || c != d,
        ("scroll-padding", [_, right, _, left]) => right != left,
        (name, [_, right, _, left]) if FOUR.contains(&name) => right != left,
        _ => false,
    };
    if !differ {
        return None;
    }
    physical(StyleProblem::PhysicalShorthand { property: property.to_owned() }, at, None)
}

/// Drops those whose rule has the same for the other side: they look alike in both directions.
pub fn without_pairs(found: Vec<Physical>) -> Vec<Physical> {
    let all: BTreeSet<(String, String)> =
        found.iter().map(|each| (each.property.clone(), each.value.clone())).collect();
    let is_paired =
        |each: &Physical| each.other.as_ref().is_some_and(|other| all.contains(&(other.clone(), each.value.clone())));
    found.into_iter().filter(|each| !is_paired(each)).collect()
}

/// Returns the logical counterpart of a property, and the property of the other side.
fn logical_of(property: &str) -> Option<(String, String)> {
    if let Some((name, logical)) = CORNERS.iter().find(|(name, _)| *name == property) {
        let other = match name.contains("left") {
            true => name.replace("left", "right"),
            false => name.replace("right", "left"),
        };
        return Some(((*logical).to_owned(), other));
    }
    for (side, other, logical_side) in [("left", "right", "start"), ("right", "left", "end")] {
        for (name, logical) in SIDES {
            let rest = property.strip_prefix(&name.replace("{}", side));
            let Some(rest) = rest.filter(|rest| rest.is_empty() || name == "border-{}" && BORDERS.contains(rest))
            else {
                continue;
            };
            return Some((logical.replace("{}", logical_side) + rest, name.replace("{}", other) + rest));
        }
    }
    None
}

/// Returns the values of a shorthand. One with functions or slashes cannot be split into its sides so simply.
fn parts(value: &str) -> Option<Vec<&str>> {
    (!value.contains(['(', '/', ','])).then(|| value.split_ascii_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::super::check;

    /// Returns what is reported of a stylesheet: the code at the place and what to write.
    fn reported(css: &str) -> Vec<String> {
        let facts = check::read(css);
        assert!(facts.problems.is_empty(), "{css}: {:?}", facts.problems);
        let describe = |each: &super::Physical| {
            let logical = match &each.problem {
                sitegen_core::diagnostics::StyleProblem::PhysicalDirection { logical, .. } => logical.as_str(),
                _ => "…",
            };
            format!("{} -> {logical}", &css[each.span.start..each.span.end])
        };
        facts.physical.iter().map(describe).collect()
    }

    #[test]
    fn sides_have_logical_counterparts() {
        for (css, expected) in [
            ("a { margin-left: 1px }", "margin-left -> margin-inline-start"),
            ("a { PADDING-RIGHT : 1px!important }", "PADDING-RIGHT -> padding-inline-end"),
            ("a { border-left: 1px solid }", "border-left -> border-inline-start"),
            ("a { border-right-color: red }", "border-right-color -> border-inline-end-color"),
            ("a { left: 0 }", "left -> inset-inline-start"),
            ("a { scroll-margin-left: 1px }", "scroll-margin-left -> scroll-margin-inline-start"),
            ("a { border-top-left-radius: 1px }", "border-top-left-radius -> border-start-start-radius"),
            ("a { border-bottom-right-radius: 1px }", "border-bottom-right-radius -> border-end-end-radius"),
            ("a { text-align: left }", "left -> start"),
            ("a { float:right; }", "right -> inline-end"),
            ("a { justify-content: right }", "right -> end"),
            ("a { margin: 1px 2px 3px 4px }", "margin -> …"),
            ("a { border-radius: 1px 0 0 1px }", "border-radius -> …"),
            ("@media print { a { & b { left: 1px } } }", "left -> inset-inline-start"),
            ("@keyframes k { from { left: -1px } }", "left -> inset-inline-start"),
        ] {
            assert_eq!(reported(css), [expected], "{css}");
        }
    }

    #[test]
    fn what_turns_or_has_no_side_is_left_alone() {
        for css in [
            "a { margin-inline-start: 1px; margin: 1px 2px; padding: 1px 2px 3px 2px; border-radius: 1px }",
            "a { left: 0; right: 0 }",
            "a { margin-left: auto; color: red; margin-right: auto }",
            "a { left: 50%; translate: -50% }",
            "a { text-align: center; float: none; inset: 0 }",
            "[dir=\"rtl\"] a { left: 1px }",
            "a:dir(ltr) { b { left: 1px } }",
            "a { margin-left: 1px; /* physical: a shadow falls to the right everywhere */ }",
            "a { margin-left: 1px /* physical */ }",
            "@page { margin-left: 1cm }",
            "a { background-position: left; --left: left; border-radius: 1px 1px 0 0 }",
            "a { margin: 1px calc(1px + 1px) 2px 3px }",
        ] {
            assert!(reported(css).is_empty(), "{css}: {:?}", reported(css));
        }
        // The other side has another value, or is that of another rule.
        assert_eq!(reported("a { left: 0; right: 1px }").len(), 2);
        assert_eq!(reported("a { left: 0; b { right: 0 } }").len(), 2);
    }
}
