//! Files that every site has: `sitemap.xml`, `robots.txt` and `.nojekyll`.

use crate::content::Site;
use crate::content::address::inside;
use crate::pages::Page;
use std::collections::BTreeMap;

/// The files with their text.
pub fn files(site: &Site, pages: &[Page]) -> [(&'static str, String); 3] {
    let root = |path: &str| format!("{}{}", site.settings.origin, inside(&site.settings.base_path, path));
    let updated: BTreeMap<&str, &str> = site
        .pages
        .iter()
        .filter_map(|page| Some((page.route.as_str(), page.updated.as_deref()?)))
        .filter(|(_, date)| date.parse::<jiff::civil::Date>().is_ok())
        .collect();
    let mut sitemap = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in pages.iter().filter(|page| !page.noindex) {
        let route = page.route.as_str();
        // Routes and origins hold no character that XML escapes: their forms are checked when they are read.
        sitemap.push_str(&format!("<url><loc>{}</loc>", root(route)));
        if let Some(date) = updated.get(route) {
            sitemap.push_str(&format!("<lastmod>{date}</lastmod>"));
        }
        sitemap.push_str("</url>\n");
    }
    sitemap.push_str("</urlset>\n");
    let robots = format!("User-agent: *\nAllow: /\n\nSitemap: {}\n", root("/sitemap.xml"));
    // GitHub Pages runs Jekyll over a site that lacks this, which drops files whose names begin with `_`.
    [("sitemap.xml", sitemap), ("robots.txt", robots), (".nojekyll", String::new())]
}
