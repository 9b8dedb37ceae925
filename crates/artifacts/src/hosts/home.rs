//! The address of a site whose languages all have a prefix: it leads to the home page in the language that the visitor prefers.
//!
//! nginx, Caddy and Netlify choose by the header `Accept-Language`, whose first language is the one that browsers prefer (RFC 9110,
//! 12.5.4, allows any order with weights; all browsers send them in order). On every other host the page of this module leads to
//! the language of the site and links to all.

use super::spec::PublishedFiles;
use super::{Home, Rules};
use pulldown_cmark_escape::escape_html;
use sitegen_search::primary;

/// The file of the page.
pub const FILE: &str = "index.html";

/// Returns what visitors may ask for and the home page that they get, the more exact before the others. `pt` asks for `pt-BR` if the
/// site has no other Portuguese.
pub fn ranges(homes: &[Home]) -> Vec<(String, &Home)> {
    let mut ranges: Vec<(String, &Home)> =
        homes.iter().map(|home| (home.language.to_ascii_lowercase(), home)).collect();
    for home in homes {
        let primary = primary(&home.language);
        if !ranges.iter().any(|(range, _)| *range == primary) {
            ranges.push((primary, home));
        }
    }
    ranges.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then(one.cmp(other)));
    ranges
}

/// Returns a regular expression for the first language of `Accept-Language` that the site has, which is its only group.
/// It ignores letter case.
pub fn pattern(homes: &[Home]) -> String {
    let tags: Vec<String> = ranges(homes).into_iter().map(|(range, _)| range).collect();
    format!("(?:^|,) *({})(?:[^a-z0-9]|$)", tags.join("|"))
}

/// Writes the page. It has no `hreflang`: it is not to be indexed, no page names it back, and search engines leave out what is one-sided
/// (Google Search Central, "Tell Google about localized versions of your page").
pub fn page(rules: &Rules, site: &PublishedFiles) -> String {
    let Some(first) = rules.homes.first() else { return String::new() };
    let escaped = |text: &str| {
        let mut html = String::with_capacity(text.len());
        // Writing to a String cannot fail.
        let _ = escape_html(&mut html, text);
        html
    };
    let absolute = |home: &Home| match home.location.starts_with('/') {
        true => escaped(&format!("{}{}", site.origin, home.location)),
        false => escaped(&home.location),
    };
    let direction = |home: &Home| if home.direction == "rtl" { " dir=\"rtl\"" } else { "" };
    let links = rules.homes.iter().map(|home| {
        let (language, location) = (escaped(&home.language), escaped(&home.location));
        let (direction, name) = (direction(home), escaped(&home.name));
        format!("<li><a href=\"{location}\" hreflang=\"{language}\" lang=\"{language}\"{direction}>{name}</a></li>\n")
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\"{direction}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'; base-uri 'none'\">{meta}\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>{name}</title>\n<link rel=\"canonical\" href=\"{canonical}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={location}\">\n</head>\n\
         <body>\n<main><h1>{name}</h1>\n<ul>\n{links}</ul></main>\n</body>\n</html>\n",
        language = escaped(&first.language),
        direction = direction(first),
        meta = super::redirect_pages::referrer(site.settings),
        name = escaped(&site.settings.name),
        canonical = absolute(first),
        location = escaped(&first.location),
        links = links.collect::<String>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_for_the_most_exact_language() {
        let home = |language: &str| Home { language: language.to_owned(), ..Home::default() };
        let homes = [home("en"), home("pt-BR"), home("zh-Hant"), home("zh-Hans")];
        let found: Vec<String> =
            ranges(&homes).into_iter().map(|(range, home)| format!("{range} {}", home.language)).collect();
        assert_eq!(found, ["zh-hans zh-Hans", "zh-hant zh-Hant", "pt-br pt-BR", "en en", "pt pt-BR", "zh zh-Hant"]);
        assert_eq!(pattern(&homes[..2]), "(?:^|,) *(pt-br|en|pt)(?:[^a-z0-9]|$)");
    }
}
