//! Writes the files that every site has: `robots.txt`, `.nojekyll` and, if it has a page for search engines,
//! `sitemap.xml`.

use crate::content::address::{inside, push_inside};
use crate::content::{Page, Site};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// The file that search engines request first.
pub const ROBOTS: &str = "robots.txt";

/// Returns the files with their text.
pub fn files(site: &Site) -> Vec<(&'static str, String)> {
    let root = |path: &str| format!("{}{}", site.settings.origin, inside(&site.settings.base_path, path));
    let pages: Vec<&Page> = site.pages.iter().filter(|page| !page.noindex() && page.route.format().is_html()).collect();
    let is_empty = pages.is_empty();
    // `<urlset>` has at least one `<url>` (sitemaps.org/schemas/sitemap/0.9/sitemap.xsd).
    let robots = match (site.settings.staging, is_empty) {
        (true, _) => "User-agent: *\nDisallow: /\n".to_owned(),
        (false, true) => "User-agent: *\nAllow: /\n".to_owned(),
        (false, false) => format!("User-agent: *\nAllow: /\n\nSitemap: {}\n", root("/sitemap.xml")),
    };
    // GitHub Pages runs Jekyll over a site that lacks this, which drops files whose names begin with `_`.
    let mut files = vec![(ROBOTS, robots), (".nojekyll", String::new())];
    if !is_empty {
        files.push(("sitemap.xml", sitemap(site, &pages)));
    }
    files
}

/// Writes the sitemap of some pages (sitemaps.org/protocol.html): a page a line.
fn sitemap(site: &Site, pages: &[&Page]) -> String {
    let is_date = |date: &&str| date.parse::<jiff::civil::Date>().is_ok();
    let mut writer = Writer::new(Vec::with_capacity(256 + pages.len() * 128));
    // Writing to a vector cannot fail.
    let _ = writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    let _ = writer.write_event(Event::Text(BytesText::new("\n")));
    let urlset =
        writer.create_element("urlset").with_attribute(("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"));
    let _ = urlset.write_inner_content(|writer| {
        writer.write_event(Event::Text(BytesText::new("\n")))?;
        let mut address = String::new();
        for page in pages {
            address.clear();
            address.push_str(&site.settings.origin);
            push_inside(&mut address, &site.settings.base_path, page.route.as_str());
            writer.create_element("url").write_inner_content(|writer| {
                writer.create_element("loc").write_text_content(BytesText::new(&address))?;
                if let Some(date) = page.updated.as_deref().filter(is_date) {
                    writer.create_element("lastmod").write_text_content(BytesText::new(date))?;
                }
                Ok(())
            })?;
            writer.write_event(Event::Text(BytesText::new("\n")))?;
        }
        Ok(())
    });
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}
