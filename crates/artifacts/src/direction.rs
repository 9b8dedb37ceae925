//! The direction of text: the attribute `dir` has to follow from the language (WCAG 2.2, 1.3.2; HTML Standard 3.2.6.4).

use sitegen_core::diagnostics::AccessibilityProblem;
use sitegen_locale::direction::is_right_to_left;

/// Returns whether the text of an element is written from right to left, and what is wrong with what it says about that.
/// `around`: whether the text around it is.
///
/// An element without a language of its own may have any direction, as code in an Arabic text does.
pub fn read(
    element: &str,
    language: Option<&str>,
    dir: Option<&str>,
    around: bool,
) -> (bool, Option<AccessibilityProblem>) {
    let said = dir.map(str::trim).and_then(|dir| match () {
        () if dir.eq_ignore_ascii_case("rtl") => Some(true),
        () if dir.eq_ignore_ascii_case("ltr") => Some(false),
        () => None,
    });
    // Browsers decide by the first letter.
    let is_automatic = dir.is_some_and(|dir| dir.trim().eq_ignore_ascii_case("auto"));
    let direction = said.unwrap_or(around);
    let Some(language) = language.map(str::trim).filter(|language| !language.is_empty()) else {
        return (direction, None);
    };
    let expected = is_right_to_left(language);
    if is_automatic || direction == expected {
        return (expected, None);
    }
    let (language, element) = (language.to_owned(), element.to_owned());
    (
        direction,
        Some(AccessibilityProblem::TextDirection {
            language,
            element,
            is_right_to_left: expected,
            is_said: said.is_some(),
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use sitegen_content::connections::Connections;
    use sitegen_core::diagnostics::{code, message};

    fn reported(html: &str) -> Vec<String> {
        let mistakes = Facts::read(html, &Connections::default()).mistakes;
        let of_direction = mistakes.iter().filter(|each| code(&each.problem) == "text-direction");
        of_direction.map(|each| message(&each.problem)).collect()
    }

    fn page(attributes: &str, body: &str) -> String {
        format!("<!doctype html><html {attributes}><head><title>T</title></head><body>{body}</body></html>")
    }

    #[test]
    fn the_direction_follows_from_the_language() {
        for valid in [
            page(
                "lang=en",
                "<p lang=de>a</p><p lang=ar dir=rtl>b <b lang=ar>c</b> <i lang=en dir=ltr>d</i></p><p lang=he dir=auto>e</p>",
            ),
            page("lang=ar dir=rtl", "<p>a</p><pre dir=ltr>b <b>c</b></pre><p lang=''>d</p><p lang=fa>e</p>"),
            page("lang=az-Arab dir=RTL", "<svg viewBox='0 0 1 1'><text lang=en>a</text></svg>"),
            page("lang=en dir=ltr", "<div dir=rtl>a</div><br lang=ar dir=rtl>"),
        ] {
            assert_eq!(reported(&valid), Vec::<String>::new(), "{valid}");
        }
        for (wrong, part) in [
            (page("lang=ar", ""), "`ar`"),
            (page("lang=ar dir=ltr", ""), "`ar`"),
            (page("lang=de dir=rtl", ""), "`de`"),
            (page("lang=en", "<blockquote lang=he>a</blockquote>"), "<blockquote>"),
            (page("lang=ar dir=rtl", "<p lang=en>a</p>"), "<p>"),
            (page("lang=en", "<p lang=ar dir=rtl>a <i lang=en>b</i></p>"), "<i>"),
            (page("lang=en", "<p lang=ar dir=ltr>a</p>"), "<p>"),
        ] {
            let found = reported(&wrong);
            assert!(found.len() == 1 && found[0].contains(part), "{wrong}: {found:?}");
        }
    }
}
