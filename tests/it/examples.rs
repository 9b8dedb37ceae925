//! The example sites in `examples/` and `docs/content/pages/guides/pages.md`: they build without a warning, and their pages show what their
//! content says, by the parser of a browser and by counting in the sources.

use crate::support::generated;
use crate::support::no_tools::NoTools;
use scraper::{ElementRef, Html, Selector};
use sitegen::artifacts::Artifacts;
use sitegen::diagnostics::{Severity, code, message};
use sitegen::profile::Profile;
use sitegen::sources::{self, Sources};
use sitegen::tools::DiskTools;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn brewery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/brewery")
}

/// A build on a day after all dates of the examples.
fn profile() -> Profile {
    Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() }
}

/// Returns the sources and the site.
fn built() -> (Sources, Artifacts) {
    let sources = sources::read(&brewery()).value.unwrap();
    let checked = sitegen::build(&sources, &profile(), &DiskTools::of(&brewery()));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    (sources, checked.value.unwrap())
}

fn page(site: &Artifacts, route: &str) -> Html {
    let path = if route == "/" { "index.html".to_owned() } else { format!("{}.html", &route[1..]) };
    let bytes = site.get(&path).unwrap_or_else(|| panic!("there is no page at {route}"));
    Html::parse_document(std::str::from_utf8(bytes).unwrap())
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn links(page: &Html, selector: &str) -> Vec<String> {
    all(page, selector).iter().map(|link| link.attr("href").unwrap().to_owned()).collect()
}

fn text(element: &ElementRef) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_feeds_have_the_newest_posts() {
    let (sources, site) = built();
    let all = posts(&sources);
    let newest: BTreeSet<&str> = all.iter().take(20).map(|post| post.title.as_str()).collect();
    for (file, kind) in
        [("news/feed.xml", feed_rs::model::FeedType::Atom), ("news/feed.json", feed_rs::model::FeedType::JSON)]
    {
        let bytes = site.get(file).unwrap_or_else(|| panic!("there is no {file}"));
        let feed = feed_rs::parser::parse(&bytes[..]).unwrap();
        assert_eq!(feed.feed_type, kind);
        let titles: BTreeSet<&str> =
            feed.entries.iter().map(|entry| entry.title.as_ref().unwrap().content.as_str()).collect();
        assert_eq!(titles, newest, "{file}");
        for entry in &feed.entries {
            let post = all.iter().find(|post| post.title == entry.title.as_ref().unwrap().content).unwrap();
            assert!(entry.links[0].href.ends_with(&post.route), "{} {}", entry.links[0].href, post.route);
            assert_eq!(entry.published.unwrap().to_rfc3339(), format!("{}T00:00:00+00:00", post.date));
            let name = entry.authors[0].name.as_deref().unwrap();
            assert!(!name.contains('-'), "{name} is no name");
        }
    }
}

/// A post as its file says, read without the engine.
struct Post {
    route: String,
    title: String,
    date: String,
    tags: BTreeSet<String>,
}

/// Returns the posts, the newest first.
fn posts(sources: &Sources) -> Vec<Post> {
    let mut posts: Vec<Post> = sources
        .below("content/news")
        .map(|(path, _)| {
            let text = sources.text(path).unwrap();
            let key = |name: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
                line.unwrap_or_else(|| panic!("{path} has no {name}")).trim_matches('"').to_owned()
            };
            let date = key("date");
            let tags = key("tags").trim_matches(['[', ']']).split(", ").map(str::to_owned).collect();
            Post { route: format!("/news/{}/{}", &date[..4], path.stem()), title: key("title"), date, tags }
        })
        .collect();
    assert_eq!(posts.len(), 23);
    posts.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.title.cmp(&b.title)));
    posts
}

#[test]
fn the_brewery_lists_each_post_once_and_the_newest_first() {
    let (sources, site) = built();
    let posts = posts(&sources);
    let listed: Vec<String> = ["/news", "/news/page/2", "/news/page/3", "/news/page/4"]
        .iter()
        .flat_map(|route| links(&page(&site, route), ".posts .card__title a"))
        .collect();
    assert_eq!(listed, posts.iter().map(|post| post.route.clone()).collect::<Vec<_>>());
    assert!(site.get("news/page/5.html").is_none());

    let second = page(&site, "/news/page/2");
    assert_eq!(links(&second, ".pagination [rel=prev]"), ["/news"]);
    assert_eq!(links(&second, ".pagination [rel=next]"), ["/news/page/3"]);
    assert_eq!(links(&second, ".pagination [aria-current]"), ["/news/page/2"]);
    assert_eq!(links(&page(&site, "/news"), ".pagination [rel=prev]"), [""; 0]);
}

#[test]
fn neighbours_of_the_brewerys_posts_follow_their_dates() {
    let (sources, site) = built();
    let posts = posts(&sources);
    for (at, post) in posts.iter().enumerate() {
        let page = page(&site, &post.route);
        let neighbour = |at: Option<usize>| at.and_then(|at| posts.get(at)).map(|post| post.route.clone());
        let expected = |at| neighbour(at).into_iter().collect::<Vec<_>>();
        assert_eq!(links(&page, ".neighbours [rel=prev]"), expected(at.checked_sub(1)), "{}", post.route);
        assert_eq!(links(&page, ".neighbours [rel=next]"), expected(Some(at + 1)), "{}", post.route);
        assert_eq!(text(&all(&page, "h1")[0]), post.title.replace('\'', "’"));
        let year = format!("/news/{}", &post.date[..4]);
        assert_eq!(links(&page, ".breadcrumb a"), ["/", "/news", year.as_str()]);
    }
}

#[test]
fn the_brewerys_subjects_and_years_have_the_posts_that_name_them() {
    let (sources, site) = built();
    let posts = posts(&sources);
    let mut groups: BTreeMap<String, Vec<&Post>> = BTreeMap::new();
    for post in &posts {
        groups.entry(format!("/news/{}", &post.date[..4])).or_default().push(post);
        for tag in &post.tags {
            groups.entry(format!("/news/tags/{}", tag.to_lowercase())).or_default().push(post);
        }
    }
    assert_eq!(groups.len(), 9 + 3);
    let subjects = page(&site, "/news");
    for (route, posts) in &groups {
        let rest = (2..).map(|number| format!("{route}/page/{number}"));
        let rest = rest.take_while(|route| site.get(&format!("{}.html", &route[1..])).is_some());
        let listed: Vec<String> = std::iter::once(route.clone())
            .chain(rest)
            .flat_map(|route| links(&page(&site, &route), ".posts .card__title a"))
            .collect();
        assert_eq!(listed, posts.iter().map(|post| post.route.clone()).collect::<Vec<_>>(), "{route}");
        let link = all(&subjects, &format!(".side a[href='{route}'] .tags__count"));
        let plural = if posts.len() == 1 { "" } else { "s" };
        assert_eq!(link.iter().map(text).collect::<Vec<_>>(), [format!("{} post{plural}", posts.len())], "{route}");
    }
}

#[test]
fn related_posts_of_the_brewery_share_a_subject() {
    let (sources, site) = built();
    let posts = posts(&sources);
    let by_route: BTreeMap<&str, &Post> = posts.iter().map(|post| (post.route.as_str(), post)).collect();
    for post in &posts {
        let related = links(&page(&site, &post.route), "[aria-labelledby=related] .card__title a");
        let sharing = posts.iter().filter(|other| other.route != post.route && !other.tags.is_disjoint(&post.tags));
        assert_eq!(related.len(), sharing.count().min(3), "{}", post.route);
        for other in related {
            assert!(other != post.route && !by_route[other.as_str()].tags.is_disjoint(&post.tags), "{}", post.route);
        }
    }
}

#[test]
fn each_entry_of_the_brewery_has_a_page_and_sections_list_theirs() {
    let (sources, site) = built();
    for (collection, count) in [("beers", 6), ("team", 5), ("jobs", 2)] {
        let listed = links(&page(&site, &format!("/{collection}")), "main li .card__title a");
        let folder = format!("content/{collection}");
        let expected: BTreeSet<String> =
            sources.below(&folder).map(|(path, _)| format!("/{collection}/{}", path.stem())).collect();
        assert_eq!(listed.len(), count);
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
    }
    let section = |route: &str| links(&page(&site, route), "main li .card__title a");
    assert_eq!(section("/about"), ["/about/mill", "/about/water", "/about/bottles"]);
    assert_eq!(section("/legal"), ["/legal/imprint", "/legal/privacy", "/legal/deliveries"]);
    // A link in Markdown to the file of an entry leads to its page.
    let post = page(&site, "/news/2025/who-is-who-on-the-labels");
    assert_eq!(links(&post, ".prose ol a").len(), 6);
    let scripts: Vec<&str> =
        site.iter().map(|(path, _, _)| path.as_str()).filter(|path| path.ends_with(".js")).collect();
    assert!(
        matches!(scripts[..], [one] if one.starts_with("assets/Deliver-")),
        "only its forms need a script: {scripts:?}"
    );
    for (path, bytes, _) in site.iter().filter(|(path, _, _)| path.as_str().ends_with(".html")) {
        let html = Html::parse_document(std::str::from_utf8(bytes).unwrap());
        let is_with_form = !all(&html, "form").is_empty();
        let is_with_script = !all(&html, "script:not([type='application/ld+json'])").is_empty();
        assert_eq!(is_with_script, is_with_form, "{path}");
        let policy = all(&html, "meta[http-equiv]")[0].attr("content").unwrap();
        assert_eq!(policy.contains("https://forms.tidewheel.test"), is_with_form, "{path}");
        assert_eq!(policy.contains("form-action 'none'"), !is_with_form, "{path}");
    }
}

fn document() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/content/pages/guides/pages.md")).unwrap()
}

/// Returns the files of the document: a line with only a path and a colon comes before each.
pub fn files(document: &str) -> BTreeMap<String, String> {
    let lines: Vec<&str> = document.lines().collect();
    let file = |at: usize| {
        let path = lines[at].strip_prefix('`')?.strip_suffix("`:")?;
        assert!(lines[at + 2].starts_with("```"), "{path} is followed by its text");
        let text = lines[at + 3..].iter().take_while(|line| **line != "```");
        Some((path.to_owned(), text.map(|line| format!("{line}\n")).collect()))
    };
    (0..lines.len()).filter_map(file).collect()
}

fn build(files: &BTreeMap<String, String>) -> sitegen::diagnostics::Checked<Artifacts> {
    let sources = Sources::from_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    sitegen::build(&sources, &profile(), &NoTools::default())
}

#[test]
fn the_site_of_the_document_has_the_addresses_that_stand_in_it() {
    let document = document();
    let files = files(&document);
    assert!(files.len() > 15, "{:?}", files.keys());
    let site = build(&files);
    assert!(site.diagnostics.is_empty(), "{:?}", site.diagnostics);
    let site = site.value.unwrap();
    let (_, written) = document.split_once("```text\n").unwrap();
    let written: Vec<&str> = written.split("```").next().unwrap().lines().collect();
    let sitemap = String::from_utf8(site.get("sitemap.xml").unwrap().to_vec()).unwrap();
    let routes: Vec<&str> = sitemap
        .split("<loc>https://www.brewery.test")
        .skip(1)
        .map(|rest| rest.split("</loc>").next().unwrap())
        .collect();
    assert_eq!(routes, written);
    let wheel = page(&site, "/news/2025/wheel");
    assert_eq!(links(&wheel, "main a"), ["/team/ida", "/about/mill", "/news/2026/first-beer", "/news/2026/first-beer"]);
}

#[test]
fn the_messages_of_the_document_are_those_of_a_build() {
    let document = document();
    let sound = files(&document);
    let news = "content/pages/news/index.yaml";
    let about = "content/pages/about/index.yaml";
    let edits: [(&str, &str, &str, &str); 6] = [
        (news, "collection: news", "collection: new", "unknown-collection"),
        (news, "sort: -date", "sort: -dat", "unknown-key"),
        (about, "section: about", "section: abuot", "empty-list"),
        ("content/news/wheel.md", "date: \"2025-11-02\"\n", "", "address-key"),
        ("content/news/first-beer.md", "[Beer, ", "[beer, ", "term-spelling"),
        // Files that are moved, or that are in the way.
        ("content/pages/team/[slug].yaml", "", "content/pages/team/person.yaml", "path-variable"),
    ];
    for (path, from, to, expected) in edits {
        let mut files = sound.clone();
        let text = files.remove(path).unwrap();
        match from {
            "" => files.insert(to.to_owned(), text),
            _ => {
                assert!(text.contains(from), "{path}");
                files.insert(path.to_owned(), text.replace(from, to))
            }
        };
        assert_documented(&document, &files, expected);
    }
    let mut files = sound.clone();
    for (path, from, to) in
        [(news, "sort: -date", "sort: rank"), ("content/news/wheel.md", "author:", "rank: 1\nauthor:")]
    {
        let text = files[path].replace(from, to);
        files.insert(path.to_owned(), text);
    }
    assert_documented(&document, &files, "key-needed-by-template");
    let mut files = sound;
    files.insert("content/pages/news/2026/opening.md".to_owned(), "---\ntitle: Opening\n---\n".to_owned());
    assert_documented(&document, &files, "duplicate-route");
}

#[track_caller]
fn assert_documented(document: &str, files: &BTreeMap<String, String>, expected: &str) {
    let site = build(files);
    let found = site.diagnostics.iter().find(|each| code(&each.problem) == expected);
    let found = found.unwrap_or_else(|| panic!("{expected}: {:?}", site.diagnostics));
    let kind = if found.severity == Severity::Warning { " (warning)" } else { "" };
    let row = document.lines().find(|line| line.starts_with(&format!("| `{expected}`{kind} |")));
    let row = row.unwrap_or_else(|| panic!("{expected}{kind} has no row"));
    let message = message(&found.problem);
    assert!(row.contains(&format!("| {message}")), "{expected}: {message}");
}

#[test]
fn the_brewerys_form_is_written_as_that_of_the_first_site() {
    let template = "templates/components/delivered-form/delivered-form.html";
    let read = |folder: &Path| std::fs::read_to_string(folder.join(template)).unwrap();
    assert_eq!(read(&brewery()), read(Path::new(env!("CARGO_MANIFEST_DIR"))), "copy {template}");
}

#[test]
fn the_harbour_builds_and_opens_each_page_for_what_it_uses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/harbour");
    let sources = sources::read(&root).value.unwrap();
    let checked = sitegen::build(&sources, &profile(), &DiskTools::of(&root));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let site = checked.value.unwrap();
    let policy = |route: &str| {
        let page = page(&site, route);
        let meta = all(&page, "meta[http-equiv]");
        meta[0].attr("content").unwrap().to_owned()
    };
    let (count, tours) = ("https://count.wrenharbour.test", "https://tours.wrenharbour.test");
    for directive in [format!("; script-src {count}; "), format!("; connect-src {count} ")] {
        assert!(policy("/").contains(&directive), "{}", policy("/"));
    }
    assert!(policy("/tour").contains(tours) && !policy("/tour").contains(count), "{}", policy("/tour"));
    assert!(!policy("/privacy").contains(tours) && !policy("/privacy").contains(count), "{}", policy("/privacy"));
}

#[test]
fn the_museum_says_the_same_in_three_languages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/museum");
    let sources = sources::read(&root).value.unwrap();
    let checked = sitegen::build(&sources, &profile(), &DiskTools::of(&root));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let site = checked.value.unwrap();
    let works = [("/collection", "en"), ("/de/sammlung", "de"), ("/ar/muqtanayat", "ar")];
    for (route, language) in works {
        let page = page(&site, route);
        assert_eq!(all(&page, "html")[0].attr("lang"), Some(language));
        assert_eq!(links(&page, "main .work-card a").len(), 8, "{route}");
        assert_eq!(links(&page, "head link[hreflang]").len(), 4, "{route}");
    }
    // The feeds have what was written in their languages.
    for (file, language, count) in [("journal", "en", 6), ("de/tagebuch", "de", 5), ("ar/yawmiyyat", "ar", 5)] {
        let bytes = site.get(&format!("{file}/feed.xml")).unwrap();
        let feed = feed_rs::parser::parse(&bytes[..]).unwrap();
        assert_eq!(feed.entries.len(), count, "{file}");
        assert_eq!(feed.language.as_deref(), Some(language));
    }
}

#[test]
fn each_version_of_splice_leads_to_the_same_page_of_the_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/splice");
    let out = generated::work_folder("splice").join("site");
    let mut build = Command::new(root.join("build"));
    build.arg(&out).args(["https://docs.test/splice", "--deny", "warnings"]);
    let output = build.env("SITEGEN", env!("CARGO_BIN_EXE_sitegen")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |address: &str| {
        let path = address.strip_prefix("/splice/").unwrap();
        let file = if address.ends_with('/') { format!("{path}index.html") } else { format!("{path}.html") };
        let bytes = std::fs::read_to_string(out.join(&file)).unwrap_or_else(|error| panic!("{address}: {error}"));
        Html::parse_document(&bytes)
    };
    // What the list of versions says of each, and what is published.
    let versions = ["2", "1"].map(|version| {
        let text = std::fs::read_to_string(root.join(format!("content/versions/{version}.yaml"))).unwrap();
        let listed: serde_json::Value = serde_yaml::from_str(&text).unwrap();
        let listed: BTreeSet<String> =
            listed["pages"].as_array().unwrap().iter().map(|route| route.as_str().unwrap().to_owned()).collect();
        let names = std::fs::read_dir(out.join(version)).unwrap().map(|entry| entry.unwrap().file_name());
        let pages = names.filter_map(|name| Some(format!("/{}", name.to_str()?.strip_suffix(".html")?)));
        let pages = pages.filter(|page| page != "/404").map(|page| page.replace("/index", "/"));
        assert_eq!(listed, pages.collect(), "content/versions/{version}.yaml");
        (version, listed)
    });
    let newest = &versions[0].1;
    assert!(versions.iter().all(|(_, pages)| pages.len() > 4) && *newest != versions[1].1);
    for (version, routes) in &versions {
        for route in routes {
            let page = read(&format!("/splice/{version}{route}"));
            let address = |(version, routes): &(&str, BTreeSet<String>)| {
                format!("/splice/{version}{}", if routes.contains(route) { route } else { "/" })
            };
            assert_eq!(links(&page, "[aria-label='Versions'] a"), versions.each_ref().map(address), "{version}{route}");
            let is_old = *version == "1";
            let canonical = if is_old && newest.contains(route) { "2" } else { *version };
            let canonical = format!("https://docs.test/splice/{canonical}{route}");
            assert_eq!(links(&page, "[rel='canonical']"), [canonical]);
            let notice = links(&page, "main .old a");
            assert_eq!(notice, Vec::from_iter(is_old.then(|| address(&versions[0]))), "{version}{route}");
            for link in links(&page, "body a[href^='/']") {
                read(link.split('#').next().unwrap());
            }
            let index = all(&page, "[data-search-index]")[0].attr("data-search-index").unwrap();
            assert_eq!(index, format!("/splice/{version}/search-en.bin"));
            assert!(out.join(version).join("search-en.bin").exists());
        }
    }
    // The address of the documentation leads to the newest version.
    assert_eq!(links(&read("/splice/"), "a"), ["/splice/2/"]);
}
