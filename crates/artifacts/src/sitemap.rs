//! Writes the files that every site has: `robots.txt`, `.nojekyll` and, if it has a page for search engines,
//! `sitemap.xml`.

use super::Content;
use quick_xml::Writer;
use quick_xml::escape::escape;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use sitegen_content::language_hosts::{LanguageHost, LanguageHosts};
use sitegen_content::settings::Settings;
use sitegen_content::{Page, Site};
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::sources::digest;
use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

/// The file that search engines request first.
pub const ROBOTS: &str = "robots.txt";

/// The namespace of sitemaps and of their index.
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The namespace of links to translations.
const ALTERNATES: (&str, &str) = ("xmlns:xhtml", "http://www.w3.org/1999/xhtml");

/// How large one sitemap may be.
#[derive(Clone, Copy)]
struct Limits {
    addresses: usize,
    bytes: usize,
}

/// sitemaps.org/protocol.html, "Using Sitemap index files": 50,000 addresses and 50 MB before compression.
const LIMITS: Limits = Limits { addresses: 50_000, bytes: 52_428_800 };

/// A page in a sitemap.
struct SitemapPage<'a> {
    route: &'a str,
    /// The day of its last change.
    updated: Option<&'a str>,
    /// The languages and routes of its translations and of itself, if it has any.
    alternates: Vec<(&'a str, &'a str)>,
}

/// Returns the files.
pub fn files(site: &Site, cache: &Cache) -> Arc<Vec<(Cow<'static, str>, Content)>> {
    let Settings { hosts, staging, .. } = &site.settings;
    let pages = Digested::new(site, site.digest());
    let Ok(files) = cache.query(&SitemapFiles { site: pages, hosts, staging: *staging });
    files
}

#[derive(Hash)]
struct SitemapFiles<'a> {
    /// Of this, what lists of pages can show.
    site: Digested<&'a Site>,
    hosts: &'a LanguageHosts,
    staging: bool,
}

impl Query for SitemapFiles<'_> {
    const KIND: &'static str = "sitemap";
    type Output = Vec<(Cow<'static, str>, Content)>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Self::Output, Infallible> {
        let content = |text: String| {
            let digest = Some(digest(text.as_bytes()));
            Content::Bytes { bytes: Arc::from(text.into_bytes()), digest }
        };
        Ok(self.texts().into_iter().map(|(name, text)| (name, content(text))).collect())
    }
}

impl SitemapFiles<'_> {
    /// Returns the files of all hosts with their text.
    fn texts(&self) -> Vec<(Cow<'static, str>, String)> {
        let others = self.hosts.others().iter().flat_map(|host| {
            let files = self.texts_of(Some(host)).into_iter();
            files.map(|(name, text)| (Cow::Owned(format!("{}/{name}", host.prefix)), text))
        });
        let mut files = self.texts_of(None);
        files.extend(others);
        files
    }

    /// Returns the files of a host. `None` is that of the site.
    fn texts_of(&self, host: Option<&LanguageHost>) -> Vec<(Cow<'static, str>, String)> {
        let root = self.hosts.absolute(&host.map_or("/".to_owned(), |host| format!("/{}/", host.prefix)));
        let is_here = |page: &Page| self.hosts.of_path(page.route.as_str()).map(|(own, _)| own) == host;
        let is_listed = |page: &&Page| page.is_indexed() && (self.hosts.is_one() || is_here(page));
        let is_date = |date: &&str| date.parse::<jiff::civil::Date>().is_ok();
        let pages = self.site.pages.iter().filter(is_listed).map(|page| SitemapPage {
            route: page.route.as_str(),
            updated: page.updated.as_deref().filter(is_date),
            alternates: self.site.alternates(page).map(|(language, page)| (language, page.route.as_str())).collect(),
        });
        let pages: Vec<SitemapPage> = pages.collect();
        // `<urlset>` has at least one `<url>` (sitemaps.org/schemas/sitemap/0.9/sitemap.xsd).
        let robots = match (self.staging, pages.is_empty()) {
            (true, _) => "User-agent: *\nDisallow: /\n".to_owned(),
            (false, true) => "User-agent: *\nAllow: /\n".to_owned(),
            (false, false) => format!("User-agent: *\nAllow: /\n\nSitemap: {root}sitemap.xml\n"),
        };
        // GitHub Pages runs Jekyll over a site that lacks this, which drops files whose names begin with `_`.
        let mut files = vec![(Cow::Borrowed(ROBOTS), robots), (Cow::Borrowed(".nojekyll"), String::new())];
        if !pages.is_empty() {
            files.extend(sitemaps(&pages, self.hosts, &root, LIMITS));
        }
        files
    }
}

/// Whether a file is one of these, which each host has for itself.
pub fn is_of_host(path: &str) -> bool {
    path == ROBOTS || path.strip_prefix("sitemap").is_some_and(|rest| rest.ends_with(".xml"))
}

/// Writes the sitemap of some pages, `sitemap.xml`. `root` is the address of the home page. Above the limits of one sitemap this is the index of several,
/// `sitemap-1.xml` and so on.
fn sitemaps(
    pages: &[SitemapPage],
    hosts: &LanguageHosts,
    root: &str,
    limits: Limits,
) -> Vec<(Cow<'static, str>, String)> {
    let mut parts: Vec<(String, Option<&str>)> = Vec::new();
    let mut rest = pages;
    while !rest.is_empty() {
        let (text, count) = part(rest, hosts, limits);
        // Days compare as texts do.
        let updated = rest[..count].iter().filter_map(|page| page.updated).max();
        parts.push((text, updated));
        rest = &rest[count..];
    }
    if let [(text, _)] = &mut parts[..] {
        return vec![("sitemap.xml".into(), std::mem::take(text))];
    }
    let mut index = begin("sitemapindex", &[], 256 + parts.len() * 128);
    let mut files = Vec::with_capacity(parts.len() + 1);
    for (number, (text, updated)) in parts.into_iter().enumerate() {
        let name = format!("sitemap-{}.xml", number + 1);
        let address = format!("{root}{name}");
        write(&mut index, "sitemap", &address, updated, |_| {});
        files.push((name.into(), text));
    }
    files.push(("sitemap.xml".into(), end(index, "sitemapindex")));
    files
}

/// Writes as many pages as fit into one sitemap, a page a line, and returns their number: at least one.
fn part(pages: &[SitemapPage], hosts: &LanguageHosts, limits: Limits) -> (String, usize) {
    const END: usize = "</urlset>\n".len();
    let has_alternates = pages.iter().any(|page| !page.alternates.is_empty());
    let namespaces = if has_alternates { &[ALTERNATES][..] } else { &[] };
    let mut writer = begin("urlset", namespaces, 256 + pages.len().min(limits.addresses) * 128);
    let mut count = 0;
    for page in pages.iter().take(limits.addresses) {
        let address = |route: &str| hosts.absolute(route);
        let before = writer.get_ref().len();
        let alternates = |out: &mut Vec<u8>| {
            for (language, route) in &page.alternates {
                out.extend_from_slice(b"<xhtml:link rel=\"alternate\" hreflang=\"");
                out.extend_from_slice(escape(*language).as_bytes());
                out.extend_from_slice(b"\" href=\"");
                out.extend_from_slice(escape(address(route)).as_bytes());
                out.extend_from_slice(b"\"/>");
            }
        };
        write(&mut writer, "url", &address(page.route), page.updated, alternates);
        if count > 0 && writer.get_ref().len() + END > limits.bytes {
            writer.get_mut().truncate(before);
            break;
        }
        count += 1;
    }
    (end(writer, "urlset"), count)
}

fn begin(root: &str, namespaces: &[(&str, &str)], capacity: usize) -> Writer<Vec<u8>> {
    let mut writer = Writer::new(Vec::with_capacity(capacity));
    // Writing to a vector cannot fail, here and below.
    let root =
        BytesStart::new(root).with_attributes([("xmlns", NAMESPACE)]).with_attributes(namespaces.iter().copied());
    let _ = writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    let _ = writer.write_event(Event::Text(BytesText::new("\n")));
    let _ = writer.write_event(Event::Start(root));
    let _ = writer.write_event(Event::Text(BytesText::new("\n")));
    writer
}

fn write(
    writer: &mut Writer<Vec<u8>>,
    element: &str,
    address: &str,
    updated: Option<&str>,
    alternates: impl Fn(&mut Vec<u8>),
) {
    let _ = writer.create_element(element).write_inner_content(|writer| {
        writer.create_element("loc").write_text_content(BytesText::new(address))?;
        if let Some(date) = updated {
            writer.create_element("lastmod").write_text_content(BytesText::new(date))?;
        }
        // Google Search Central, "Tell Google about localized versions of your page", "Sitemap".
        alternates(writer.get_mut());
        Ok(())
    });
    let _ = writer.write_event(Event::Text(BytesText::new("\n")));
}

fn end(mut writer: Writer<Vec<u8>>, root: &str) -> String {
    let _ = writer.write_event(Event::End(BytesEnd::new(root)));
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::Document;

    fn hosts(base_path: &str) -> LanguageHosts {
        LanguageHosts::new("https://www.a.test", base_path)
    }

    fn routes(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("/news/a&b-{number}")).collect()
    }

    fn listed(routes: &[String]) -> Vec<SitemapPage<'_>> {
        routes.iter().map(|route| SitemapPage { route, updated: None, alternates: Vec::new() }).collect()
    }

    /// Returns the root element's name, the addresses and the days of a sitemap or an index.
    fn read(text: &str) -> (String, Vec<String>, Vec<String>) {
        let document = Document::parse(text).unwrap();
        let all = |name: &'static str| {
            let nodes = document.descendants().filter(move |node| node.has_tag_name((NAMESPACE, name)));
            nodes.map(|node| node.text().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        (document.root_element().tag_name().name().to_owned(), all("loc"), all("lastmod"))
    }

    #[test]
    fn up_to_fifty_thousand_addresses_are_one_sitemap() {
        let routes = routes(50_000);
        let files = sitemaps(&listed(&routes), &hosts("/docs"), "https://www.a.test/docs/", LIMITS);
        assert_eq!(files.len(), 1);
        let (root, addresses, _) = read(&files[0].1);
        assert_eq!((files[0].0.as_ref(), root.as_str(), addresses.len()), ("sitemap.xml", "urlset", 50_000));
        assert_eq!(addresses[7], "https://www.a.test/docs/news/a&b-7");
    }

    #[test]
    fn more_addresses_are_several_sitemaps_and_an_index() {
        let routes = routes(100_001);
        let files = sitemaps(&listed(&routes), &hosts("/docs"), "https://www.a.test/docs/", LIMITS);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_ref()).collect();
        assert_eq!(names, ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]);
        let (root, parts, _) = read(&files[3].1);
        assert_eq!(root, "sitemapindex");
        let wanted =
            ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"].map(|name| format!("https://www.a.test/docs/{name}"));
        assert_eq!(parts, wanted);
        let all: Vec<String> = files[..3].iter().flat_map(|(_, text)| read(text).1).collect();
        let wanted: Vec<String> = routes.iter().map(|route| format!("https://www.a.test/docs{route}")).collect();
        assert!(all == wanted, "every address is in one sitemap, in order");
    }

    #[test]
    fn a_sitemap_has_at_most_so_many_bytes() {
        let routes = routes(1000);
        let limits = Limits { addresses: 50_000, bytes: 5000 };
        let files = sitemaps(&listed(&routes), &hosts(""), "https://www.a.test/", limits);
        let (index, parts) = files.split_last().unwrap();
        assert!(parts.iter().all(|(_, text)| text.len() <= 5000), "{:?}", parts.iter().map(|part| part.1.len()).max());
        assert!(parts[..parts.len() - 1].iter().all(|(_, text)| text.len() > 4800));
        assert_eq!(parts.iter().map(|(_, text)| read(text).1.len()).sum::<usize>(), 1000);
        assert_eq!(read(&index.1).1.len(), parts.len());
        // One that is too long by itself has a sitemap for itself.
        let long = [format!("/{}", "a".repeat(6000)), "/b".to_owned()];
        assert_eq!(sitemaps(&listed(&long), &hosts(""), "https://www.a.test/", limits).len(), 3);
    }

    #[test]
    fn an_index_has_the_last_day_of_each_part() {
        let days = [Some("2026-01-02"), Some("2026-11-05"), None, None, Some("2025-12-31")];
        let pages: Vec<SitemapPage> =
            days.iter().map(|updated| SitemapPage { route: "/a", updated: *updated, alternates: Vec::new() }).collect();
        let files = sitemaps(&pages, &hosts(""), "https://www.a.test/", Limits { addresses: 2, bytes: 5000 });
        assert_eq!(read(&files[3].1).2, ["2026-11-05", "2025-12-31"]);
        assert_eq!(read(&files[0].1).2, ["2026-01-02", "2026-11-05"]);
    }
}
