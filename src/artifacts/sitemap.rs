//! Writes the files that every site has: `robots.txt`, `.nojekyll` and, if it has a page for search engines,
//! `sitemap.xml`.

use crate::content::Site;
use crate::content::address::{inside, push_inside};

/// The file that search engines request first.
pub const ROBOTS: &str = "robots.txt";

/// Returns the files with their text.
pub fn files(site: &Site) -> Vec<(&'static str, String)> {
    let root = |path: &str| format!("{}{}", site.settings.origin, inside(&site.settings.base_path, path));
    let mut sitemap = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let is_date = |date: &&str| date.parse::<jiff::civil::Date>().is_ok();
    let mut is_empty = true;
    for page in site.pages.iter().filter(|page| !page.noindex()) {
        is_empty = false;
        // Routes and origins contain no character that XML escapes: their form is checked when they are read.
        sitemap.push_str("<url><loc>");
        sitemap.push_str(&site.settings.origin);
        push_inside(&mut sitemap, &site.settings.base_path, page.route.as_str());
        sitemap.push_str("</loc>");
        if let Some(date) = page.updated.as_deref().filter(is_date) {
            sitemap.push_str("<lastmod>");
            sitemap.push_str(date);
            sitemap.push_str("</lastmod>");
        }
        sitemap.push_str("</url>\n");
    }
    sitemap.push_str("</urlset>\n");
    // `<urlset>` has at least one `<url>` (sitemaps.org/schemas/sitemap/0.9/sitemap.xsd).
    let robots = match (site.settings.staging, is_empty) {
        (true, _) => "User-agent: *\nDisallow: /\n".to_owned(),
        (false, true) => "User-agent: *\nAllow: /\n".to_owned(),
        (false, false) => format!("User-agent: *\nAllow: /\n\nSitemap: {}\n", root("/sitemap.xml")),
    };
    // GitHub Pages runs Jekyll over a site that lacks this, which drops files whose names begin with `_`.
    let mut files = vec![(ROBOTS, robots), (".nojekyll", String::new())];
    if !is_empty {
        files.push(("sitemap.xml", sitemap));
    }
    files
}
