//! Hosts that take no rules: what `<meta>` can do, and a redirect page at each redirected path.

use super::spec::PublishedFiles;
use super::{CompiledRules, RedirectRule, Rules, spec_of};
use crate::file_names;
use crate::sealed::NOINDEX;
use pulldown_cmark_escape::escape_html;
use sitegen_content::settings::Settings;
use sitegen_core::paths::Route;

/// Returns what every page has in `<meta>` beside its policy: what the host cannot send, and rules for search engines.
pub fn meta(settings: &Settings) -> String {
    format!("{}{}", referrer(settings), robots(settings))
}

/// Returns the referrer that browsers send, if the host cannot say it.
pub fn referrer(settings: &Settings) -> String {
    // None of the other headers works in a `<meta>` (HTML Standard 4.2.5.3, "pragma directives").
    match settings.hosting.referrer_policy.as_ref().filter(|_| spec_of(settings.hosting.host).has_referrer_in_pages()) {
        Some(policy) => format!("\n<meta name=\"referrer\" content=\"{policy}\">"),
        None => String::new(),
    }
}

/// Returns the rule for search engines in every page of a site that they must not see.
fn robots(settings: &Settings) -> &'static str {
    if settings.staging { NOINDEX } else { "" }
}

/// Writes the redirect pages.
pub fn compile(rules: &Rules, site: &PublishedFiles) -> CompiledRules {
    let pages = rules.redirects.iter().flat_map(|redirect| {
        let path = &redirect.from[1..];
        let names = match path.ends_with(".html") || path.ends_with(".htm") {
            true => vec![path.to_owned()],
            false => file_names(&Route::of_page(path), site.settings.options.routes),
        };
        names.into_iter().map(move |name| (name, page(redirect, site), redirect.number))
    });
    CompiledRules { pages: pages.collect(), ..CompiledRules::default() }
}

/// Writes a page that redirects at once, without any script, and points search engines to the target.
fn page(redirect: &RedirectRule, site: &PublishedFiles) -> String {
    let origin = if redirect.location.starts_with('/') { site.origin } else { "" };
    let escaped = |text: &str| {
        let mut html = String::with_capacity(text.len());
        // Writing to a String cannot fail.
        let _ = escape_html(&mut html, text);
        html
    };
    let location = escaped(&redirect.location);
    let page = escaped(redirect.location.split('#').next().unwrap_or_default());
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\"{direction}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'; base-uri 'none'\">{meta}\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>{location}</title>\n<link rel=\"canonical\" href=\"{origin}{page}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={location}\">\n</head>\n\
         <body>\n<main><h1><a href=\"{location}\">{location}</a></h1></main>\n</body>\n</html>\n",
        language = escaped(&site.language.tag),
        direction = if site.language.is_right_to_left { " dir=\"rtl\"" } else { "" },
        meta = referrer(site.settings),
    )
}
