//! The address of a site whose languages all have a prefix: it leads to the home page in the language that the visitor prefers.
//!
//! nginx, Caddy and Netlify choose by the header `Accept-Language`, whose first language is the one that browsers prefer (RFC 9110,
//! 12.5.4, allows any order with weights; all browsers send them in order). On every other host the page of this module leads to
//! the language of the site and links to all.

use super::spec::PublishedFiles;
use super::{Home, Rules};
use pulldown_cmark_escape::escape_html;
use sitegen_locale::primary;

/// The file of the page.
pub const FILE: &str = "index.html";

/// Languages that are written in several scripts: the script, and the regions where it is used, as browsers name these instead of the
/// script (CLDR, likely subtags). The first script of a language is that of its tag alone.
const SCRIPTS: [(&str, &str, &[&str]); 10] = [
    ("az", "latn", &["az"]),
    ("az", "arab", &["ir"]),
    ("pa", "guru", &["in"]),
    ("pa", "arab", &["pk"]),
    ("sr", "cyrl", &["rs", "ba", "xk"]),
    ("sr", "latn", &["me"]),
    ("uz", "latn", &["uz"]),
    ("uz", "arab", &["af"]),
    ("zh", "hans", &["cn", "sg", "my"]),
    ("zh", "hant", &["tw", "hk", "mo"]),
];

/// Returns the languages and scripts of [`SCRIPTS`] that a language may be, the script of its tag alone first.
fn scripts_of(language: &str) -> impl Iterator<Item = &'static (&'static str, &'static str, &'static [&'static str])> {
    let primary = primary(language);
    SCRIPTS.iter().filter(move |(language, ..)| *language == primary)
}

/// Whether a language is written in a script: its tag names that, or a region where it is used, or neither for the first script.
fn is_in(language: &str, (_, script, _): &(&str, &str, &[&str])) -> bool {
    let tag = language.to_ascii_lowercase();
    let named = |part: &str| tag.split('-').skip(1).any(|other| other == part);
    let scripts: Vec<_> = scripts_of(language).collect();
    match scripts.iter().find(|(_, script, _)| named(script)) {
        Some((_, other, _)) => other == script,
        None => match scripts.iter().find(|(_, _, regions)| regions.iter().any(|region| named(region))) {
            Some((_, other, _)) => other == script,
            None => scripts.first().is_some_and(|(_, first, _)| first == script),
        },
    }
}

/// Returns what visitors may ask for and the home page that they get, the more exact before the others. `pt` asks for `pt-BR` if the
/// site has no other Portuguese, and `zh-TW` for `zh-Hant`.
pub fn ranges(homes: &[Home]) -> Vec<(String, &Home)> {
    let mut ranges: Vec<(String, &Home)> =
        homes.iter().map(|home| (home.language.to_ascii_lowercase(), home)).collect();
    let mut add = |range: String, home| {
        if !ranges.iter().any(|(other, _)| *other == range) {
            ranges.push((range, home));
        }
    };
    for home in homes {
        let is_alone = homes.iter().filter(|other| primary(&other.language) == primary(&home.language)).count() == 1;
        for (number, written) in scripts_of(&home.language).enumerate().filter(|_| !is_alone) {
            let (language, script, regions) = written;
            if is_in(&home.language, written) {
                add(format!("{language}-{script}"), home);
                regions.iter().for_each(|region| add(format!("{language}-{region}"), home));
                if number == 0 {
                    add((*language).to_owned(), home);
                }
            }
        }
    }
    for home in homes {
        add(primary(&home.language), home);
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
        assert_eq!(
            found,
            [
                "zh-hans zh-Hans",
                "zh-hant zh-Hant",
                "pt-br pt-BR",
                "zh-cn zh-Hans",
                "zh-hk zh-Hant",
                "zh-mo zh-Hant",
                "zh-my zh-Hans",
                "zh-sg zh-Hans",
                "zh-tw zh-Hant",
                "en en",
                "pt pt-BR",
                "zh zh-Hans"
            ]
        );
        let by_region = [home("zh-TW"), home("zh-CN")];
        let found = |range: &str| {
            ranges(&by_region).into_iter().find(|(other, _)| other == range).map(|(_, home)| home.language.clone())
        };
        assert_eq!([found("zh-hant"), found("zh-hk"), found("zh")].map(Option::unwrap), ["zh-TW", "zh-TW", "zh-CN"]);
        // One that is alone is for all who read the language.
        assert_eq!(
            ranges(&[home("zh-Hant")]).into_iter().map(|(range, _)| range).collect::<Vec<_>>(),
            ["zh-hant", "zh"]
        );
        assert_eq!(pattern(&homes[..2]), "(?:^|,) *(pt-br|en|pt)(?:[^a-z0-9]|$)");
    }
}
