//! Hosts that take no rules: what `<meta>` can do, and a page at each redirected path that leads on.

use super::{Compiled, Moved, Rules};
use crate::artifacts::file_names;
use crate::content::settings::Settings;
use crate::paths::Route;
use crate::profile::Host;

/// What every page says in `<meta>` because the host cannot say it.
pub fn meta(settings: &Settings) -> String {
    match (settings.hosting.host, &settings.hosting.referrer_policy) {
        // Of the other headers none counts in a `<meta>` (HTML Standard 4.2.5.3, "pragma directives").
        (Host::GithubPages, Some(policy)) => format!("\n<meta name=\"referrer\" content=\"{policy}\">"),
        _ => String::new(),
    }
}

/// The pages that lead on.
pub fn compile(rules: &Rules, settings: &Settings) -> Compiled {
    let files = rules.redirects.iter().flat_map(|moved| {
        let path = &moved.from[1..];
        let names = match path.ends_with(".html") || path.ends_with(".htm") {
            true => vec![path.to_owned()],
            false => file_names(&Route::of_page(path), settings.routes),
        };
        names.into_iter().map(|name| (name, page(moved, settings)))
    });
    Compiled { files: files.collect(), limits: Vec::new() }
}

/// A page that leads on at once, without any script, and keeps search engines to the target.
fn page(moved: &Moved, settings: &Settings) -> String {
    let origin = if moved.location.starts_with('/') { settings.origin.as_str() } else { "" };
    let location = moved.location.replace('&', "&amp;");
    let page = location.split('#').next().unwrap_or_default();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'; base-uri 'none'\">{meta}\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>{location}</title>\n<link rel=\"canonical\" href=\"{origin}{page}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={location}\">\n</head>\n\
         <body>\n<main><h1><a href=\"{location}\">{location}</a></h1></main>\n</body>\n</html>\n",
        language = settings.language,
        meta = meta(settings),
    )
}
