//! The files for hosts that cannot run here, read by small interpreters of what those hosts document, and values that
//! try to become more than a value.
//!
//! - Netlify: docs.netlify.com/manage/routing/headers and …/redirects, and the parser in netlify/cli.
//! - Cloudflare Pages: developers.cloudflare.com/pages/configuration/headers and …/redirects, and the parser in
//!   cloudflare/workers-sdk, packages/workers-shared/utils/configuration/parseHeaders.ts.
//! - Vercel: vercel.com/docs/project-configuration, and vercel/vercel, packages/routing-utils.

use crate::support::no_tools::NoTools;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use sitegen::artifacts::Artifacts;
use sitegen::artifacts::hosts::RedirectRule;
use sitegen::diagnostics::{Checked, code};
use sitegen::paths::OutputPath;
use sitegen::profile::{Host, Profile};
use sitegen::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

const TEMPLATE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\
                        <body><main><h1>{{ page.title }}</h1>{% for file in page.files | default(value=[]) %}\
                        <a href=\"{{ asset(path=file) }}\">{{ file }}</a>{% endfor %}</main></body></html>";

/// Builds a site of three pages and two assets with more lines in its `site.yaml`.
fn site(host: Host, more: &str) -> Checked<Artifacts> {
    site_with(&NoTools::default(), host, more)
}

fn site_with(tools: &NoTools, host: Host, more: &str) -> Checked<Artifacts> {
    let settings = format!("url: https://www.a.test\nlanguage: en\nname: A\n{more}");
    let sources = Sources::from_files([
        ("content/site.yaml", settings.as_bytes()),
        ("content/pages/index.yaml", b"title: Home\n"),
        ("content/pages/about.yaml", b"title: About\nfiles: [x.txt, y/z.svg]\n"),
        ("content/pages/a/b.yaml", b"title: B\n"),
        ("content/assets/x.txt", b"Text"),
        ("content/assets/y/z.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"),
        ("content/public/robots.txt", b"User-agent: *\n"),
        ("templates/pages/page.html", TEMPLATE.as_bytes()),
    ]);
    sitegen::build(&sources, &Profile { host: Some(host), ..Profile::default() }, tools)
}

fn built(host: Host, more: &str) -> Artifacts {
    let Checked { value, diagnostics } = site(host, more);
    value.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

fn codes(checked: &Checked<Artifacts>) -> Vec<&'static str> {
    checked.diagnostics.iter().map(|each| code(&each.problem)).collect()
}

fn text(artifacts: &Artifacts, path: &str) -> String {
    String::from_utf8(artifacts.get(path).unwrap_or_else(|| panic!("there is no {path}")).to_vec()).unwrap()
}

type Headers = Vec<(String, String)>;

/// Parses a `_headers` file: a line that begins with `/` is a path, other lines are `name: value`, `#` begins a
/// comment, lines are trimmed.
fn rules(file: &str) -> Vec<(String, Headers)> {
    let mut rules: Vec<(String, Headers)> = Vec::new();
    for line in file.split('\n').map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('/') {
            rules.push((line.to_owned(), Vec::new()));
        } else {
            let rule = rules.last_mut().unwrap_or_else(|| panic!("a header before every path: {line}"));
            // A header that Cloudflare Pages must not add by itself.
            if line == "! Access-Control-Allow-Origin" {
                continue;
            }
            let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no header: {line}"));
            rule.1.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    rules
}

/// Whether a rule matches a path. Both hosts take `*` for any text, also slashes; our rules have one at the end only,
/// which is all that older parsers support.
fn matches(rule: &str, path: &str) -> bool {
    match rule.strip_suffix('*') {
        Some(start) => path.starts_with(start),
        None => path == rule,
    }
}

/// Whether a source of a Vercel configuration matches `path`: `(.*)` or a list of files at its end.
fn matches_for_vercel(source: &str, path: &str) -> bool {
    if let Some(start) = source.strip_suffix("/((?!assets/).*)") {
        return path.strip_prefix(start).is_some_and(|rest| !rest.starts_with("/assets/"));
    }
    if let Some(start) = source.strip_suffix("(.*)") {
        return path.starts_with(start);
    }
    let (start, files) =
        source.strip_suffix(')').and_then(|source| source.split_once('(')).unwrap_or_else(|| panic!("{source}"));
    let files = files.replace('\\', "");
    path.strip_prefix(start).is_some_and(|rest| files.split('|').any(|file| file == rest))
}

/// Returns the headers that a host sends for a path: those of every rule that matches, as both document.
fn sent(rules: &[(String, Headers)], path: &str) -> Headers {
    rules.iter().filter(|(rule, _)| matches(rule, path)).flat_map(|(_, headers)| headers.clone()).collect()
}

/// Returns the headers that a Vercel configuration sends for a path. Its patterns are `(.*)` at the end, one group that
/// looks ahead, or a list of files.
fn sent_by_vercel(config: &serde_json::Value, path: &str) -> Headers {
    let mut sent = Vec::new();
    for rule in config["headers"].as_array().unwrap() {
        let is_for = matches_for_vercel(rule["source"].as_str().unwrap(), path);
        for header in rule["headers"].as_array().unwrap().iter().filter(|_| is_for) {
            sent.push((header["key"].as_str().unwrap().to_owned(), header["value"].as_str().unwrap().to_owned()));
        }
    }
    sent
}

/// Returns every address at which a host could serve a file of the site, some missing ones, and the file for each.
fn paths(artifacts: &Artifacts) -> BTreeMap<String, String> {
    let mut paths = BTreeMap::from([
        ("/nowhere".to_owned(), "404.html".to_owned()),
        ("/assets".to_owned(), "404.html".to_owned()),
        ("/assetsx/y".to_owned(), "404.html".to_owned()),
        ("/assets/nowhere.js".to_owned(), "404.html".to_owned()),
        ("/assets/y/".to_owned(), "404.html".to_owned()),
    ]);
    for (path, ..) in artifacts.iter().filter(|(path, ..)| !artifacts.is_private(path)) {
        paths.insert(format!("/{path}"), path.to_string());
        for ending in [".html", "/index.html", "index.html"] {
            if let Some(start) = format!("/{path}").strip_suffix(ending)
                && !start.is_empty()
                && !start.ends_with("/index")
            {
                paths.insert(start.to_owned(), path.to_string());
                paths.insert(format!("{}/", start.trim_end_matches('/')), path.to_string());
            }
        }
    }
    paths
}

/// Asserts that no path gets a header twice, and each gets those of the artifacts, except for missing files.
fn assert_headers(host: Host, more: &str) {
    let artifacts = built(host, more);
    let config = (host == Host::Vercel).then(|| serde_json::from_str(&text(&artifacts, "vercel.json")).unwrap());
    let rules = if host == Host::Vercel { Vec::new() } else { rules(&text(&artifacts, "_headers")) };
    for (path, file) in paths(&artifacts) {
        let sent = match &config {
            Some(config) => sent_by_vercel(config, &path),
            None => sent(&rules, &path),
        };
        let names: BTreeSet<String> = sent.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        assert_eq!(names.len(), sent.len(), "{path} gets a header twice from {}: {sent:?}", host.name());
        let is_there = file != "404.html";
        let expected = match is_there {
            true => artifacts.headers(&OutputPath::new(&file)),
            false => artifacts.site.rules.headers_of_unknown(),
        };
        for (name, value) in expected {
            // Cloudflare Pages sends `no-store` with a missing file, whatever a rule says.
            if !is_there && name == "Cache-Control" && host == Host::CloudflarePages {
                continue;
            }
            let found = sent.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
            // Without a rule, these hosts have browsers ask each time.
            let by_itself = name == "Cache-Control" && value == "public, max-age=0, must-revalidate";
            if !is_there && name == "Cache-Control" {
                let is_kept = found.is_some_and(|found| found.contains("immutable"));
                assert!(!is_kept, "{path} is missing, and kept for a year by {}", host.name());
            }
            if by_itself {
                assert_eq!(found, None, "{path}");
            } else if is_there || name != "Cache-Control" {
                assert_eq!(found, Some(value.as_str()), "{name} of {path} from {}", host.name());
            }
        }
    }
}

const HOSTS_WITH_FILES: [Host; 3] = [Host::Netlify, Host::CloudflarePages, Host::Vercel];

#[test]
fn no_path_gets_a_header_from_two_rules() {
    for host in HOSTS_WITH_FILES {
        assert_headers(host, "");
        assert_headers(
            host,
            "settings:\n  caching:\n    pages: 300\n    hashed: 60\n  headers:\n    X-Robots-Tag: noai\n",
        );
        assert_headers(host, "settings:\n  security:\n    frame_ancestors: all\n    nosniff: false\n");
    }
}

#[test]
fn every_setting_has_its_header_and_can_take_it_away() {
    let header = |more: &str, name: &str| {
        let headers = built(Host::Nginx, more).headers(&OutputPath::new("index.html"));
        headers.into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
    };
    let security = |lines: &str, name: &str| header(&format!("settings:\n  security:\n{lines}"), name);
    for (lines, name, expected) in [
        ("    nosniff: false\n", "X-Content-Type-Options", None),
        ("    referrer_policy: omit\n", "Referrer-Policy", None),
        ("    referrer_policy: no-referrer\n", "Referrer-Policy", Some("no-referrer")),
        ("    cross_origin_opener_policy: omit\n", "Cross-Origin-Opener-Policy", None),
        ("    cross_origin_resource_policy: cross-origin\n", "Cross-Origin-Resource-Policy", Some("cross-origin")),
        ("    frame_ancestors: all\n", "Content-Security-Policy", None),
        ("    frame_ancestors: self\n", "Content-Security-Policy", Some("frame-ancestors 'self'")),
        (
            "    frame_ancestors: [\"https://a.test\", \"https://b.test:8443\"]\n",
            "Content-Security-Policy",
            Some("frame-ancestors 'self' https://a.test https://b.test:8443"),
        ),
        (
            "    strict_transport_security:\n      include_subdomains: true\n      preload: true\n",
            "Strict-Transport-Security",
            Some("max-age=31536000; includeSubDomains; preload"),
        ),
        ("    strict_transport_security:\n      max_age: 0\n", "Strict-Transport-Security", Some("max-age=0")),
    ] {
        assert_eq!(security(lines, name).as_deref(), expected, "{lines}");
    }
    let lines =
        "    permissions_policy:\n      camera: self\n      fullscreen: all\n      payment: [\"https://p.test\"]\n";
    let permissions = security(lines, "Permissions-Policy").unwrap();
    for part in ["camera=(self)", "fullscreen=*", "payment=(self \"https://p.test\")", "microphone=()"] {
        assert!(permissions.split(", ").any(|own| own == part), "{part} is not in {permissions}");
    }
    assert_eq!(
        header("settings:\n  caching:\n    pages: 300\n", "Cache-Control").as_deref(),
        Some("public, max-age=300, must-revalidate")
    );
    let sources = |url: &str| {
        let settings = format!("url: {url}\nlanguage: en\nname: A\nsettings:\n  host: caddy\n");
        let files = [
            ("content/site.yaml", settings.as_str()),
            ("content/pages/index.yaml", "title: A\n"),
            ("templates/pages/page.html", TEMPLATE),
        ];
        sitegen::build(&Sources::from_files(files), &Profile::default(), &NoTools::default())
            .value
            .unwrap()
            .headers(&OutputPath::new("index.html"))
    };
    let has_transport = |headers: Headers| headers.iter().any(|(name, _)| name == "Strict-Transport-Security");
    assert!(
        has_transport(sources("https://a.test")) && !has_transport(sources("http://a.test")),
        "only https may promise https"
    );
}

#[test]
fn a_host_that_takes_no_rules_gets_no_files_and_sends_nothing() {
    let more = "redirects:\n  - from: /old\n    to: /about\n  - from: /older.html\n    to: https://b.test/?a=1&b\n";
    for host in [Host::None, Host::GithubPages] {
        let artifacts = built(host, more);
        let of_host = ["_headers", "_redirects", "vercel.json", ".vercelignore", ".host"];
        let is_of_host = |path: &str| of_host.contains(&path.split('/').next().unwrap());
        assert!(artifacts.iter().all(|(path, ..)| !is_of_host(path.as_str())), "{}", host.name());
        assert_eq!(artifacts.headers(&OutputPath::new("index.html")), []);
        assert_eq!(artifacts.redirect("/old"), None);
        let pages: Vec<&str> =
            artifacts.iter().map(|(path, ..)| path.as_str()).filter(|path| path.starts_with("old")).collect();
        assert_eq!(pages, ["old.html", "old/index.html", "older.html"]);
        let page = text(&artifacts, "older.html");
        assert!(page.contains("content=\"0; url=https://b.test/?a=1&amp;b\""), "{page}");
        assert_eq!(page.contains("<meta name=\"referrer\""), host == Host::GithubPages);
    }
}

#[test]
fn a_build_for_another_host_is_the_same_with_and_without_the_cache() {
    let files = |artifacts: &Artifacts| -> Vec<(String, Vec<u8>)> {
        artifacts.iter().map(|(path, bytes, _)| (path.to_string(), bytes.to_vec())).collect()
    };
    let tools = NoTools::default();
    let more = "redirects:\n  - from: /old\n    to: /about\n";
    for host in Host::ALL.into_iter().chain(Host::ALL) {
        for more in [more, "settings:\n  security:\n    referrer_policy: no-referrer\n"] {
            let warm = site_with(&tools, host, more).value.unwrap();
            assert!(files(&warm) == files(&built(host, more)), "{} differs after another host", host.name());
        }
    }
}

#[test]
fn redirects_are_written_as_each_host_reads_them() {
    let more = "redirects:\n  - from: /old/\n    to: /about#x\n    status: 308\n  - from: /b\n    to: https://b.test/\n    status: 302\n".replace("#x", "");
    let lines =
        |host: Host| -> Vec<String> { text(&built(host, &more), "_redirects").lines().map(str::to_owned).collect() };
    assert_eq!(lines(Host::Netlify), ["/old /about 301", "/b https://b.test/ 302", "/manifest.json /404.html 404!"]);
    assert_eq!(
        lines(Host::CloudflarePages),
        ["/old /about 308", "/old/ /about 308", "/b https://b.test/ 302", "/b/ https://b.test/ 302"]
    );
    let vercel: serde_json::Value = serde_json::from_str(&text(&built(Host::Vercel, &more), "vercel.json")).unwrap();
    assert_eq!(
        vercel["redirects"][0],
        serde_json::json!({ "source": "/old", "destination": "/about", "statusCode": 308 })
    );
    let artifacts = built(Host::Caddy, &more);
    assert_eq!(artifacts.redirect("/old/"), Some((308, "/about".to_owned())));
    assert_eq!(artifacts.redirect("/old"), artifacts.redirect("/old/"));
    assert_eq!(artifacts.redirect("/OLD"), None);
}

#[test]
fn redirects_in_any_script_are_written_as_each_host_compares_them() {
    let to = "https://b.test:8080/a_(b):c$?d=(e)#:~:text=(f)";
    // The second letter is of two characters, and the third has its escapes already.
    let more = format!("redirects:\n  - from: /ü/u\u{308}/%c3%bc\n    to: \"{to}\"\ngone: [/ö]\n");
    let (plain, escaped) = ("/ü/ü/ü", "/%C3%BC/%C3%BC/%C3%BC");
    let file = |host: Host, name: &str| text(&built(host, &more), name);
    let netlify = file(Host::Netlify, "_redirects");
    assert!(netlify.starts_with(&format!("{plain} {to} 301\n{escaped} {to} 301\n")), "{netlify}");
    let cloudflare = file(Host::CloudflarePages, "_redirects");
    assert_eq!(cloudflare, format!("{escaped} {to} 301\n{escaped}/ {to} 301\n"));
    let vercel: serde_json::Value = serde_json::from_str(&file(Host::Vercel, "vercel.json")).unwrap();
    let rules: Vec<(&str, &str)> = vercel["redirects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| (rule["source"].as_str().unwrap(), rule["destination"].as_str().unwrap()))
        .collect();
    let of_vercel = "https://b.test:8080/a_%28b%29%3Ac%24?d=%28e%29#:~:text=(f)";
    assert_eq!(rules, [(plain, of_vercel), (escaped, of_vercel)]);
    let nginx = file(Host::Nginx, ".host/nginx.conf");
    let of_nginx = "https://b.test:8080/a_(b):c%24?d=(e)#:~:text=(f)";
    assert!(nginx.contains(&format!("location = \"{plain}\" {{ return 301 \"{of_nginx}\"; }}")), "{nginx}");
    assert!(nginx.contains("location = \"/ö/\" { return 410; }"), "{nginx}");
    let caddy = file(Host::Caddy, ".host/Caddyfile");
    assert!(caddy.contains(&format!("path_regexp ^{plain}/?$\n\tredir @sitegen_redirect_0 \"{to}\" 301\n")), "{caddy}");
    assert_eq!(built(Host::Caddy, &more).redirect(&format!("{plain}/")), Some((301, to.to_owned())));
    assert_eq!(built(Host::Nginx, &more).redirect(plain), Some((301, of_nginx.to_owned())));
    assert!(built(Host::None, &more).get("ü/ü/ü/index.html").is_some());
}

#[test]
fn a_target_without_a_path_gets_its_slash() {
    let more = "redirects:\n  - from: /a\n    to: https://b.test\n  - from: /c\n    to: https://b.test?x=1#y\n";
    for host in Host::ALL.into_iter().filter(|host| host.takes_rules()) {
        let artifacts = built(host, more);
        assert_eq!(artifacts.redirect("/a"), Some((301, "https://b.test/".to_owned())), "{}", host.name());
        assert_eq!(artifacts.redirect("/c"), Some((301, "https://b.test/?x=1#y".to_owned())), "{}", host.name());
    }
    let lines = text(&built(Host::CloudflarePages, more), "_redirects");
    assert!(lines.contains("/c https://b.test/?x=1#y 301\n"), "{lines}");
}

#[test]
fn cloudflare_lets_no_other_site_read_the_files() {
    let headers = |more: &str| text(&built(Host::CloudflarePages, more), "_headers");
    assert!(headers("").contains("/*\n  ! Access-Control-Allow-Origin\n"), "{}", headers(""));
    let own = headers("settings:\n  headers:\n    Access-Control-Allow-Origin: https://b.test\n");
    assert!(own.contains("  Access-Control-Allow-Origin: https://b.test\n") && !own.contains('!'), "{own}");
}

#[test]
fn below_a_path_the_files_are_where_the_links_lead() {
    let redirects = "redirects:\n  - from: /old\n    to: /about\n";
    for host in Host::ALL {
        let settings = format!("url: https://www.a.test/docs/v1\nlanguage: en\nname: A\n{redirects}");
        let sources = Sources::from_files([
            ("content/site.yaml", settings.as_str()),
            ("content/pages/index.yaml", "title: Home\n"),
            ("content/pages/about.yaml", "title: About\nfiles: [x.txt]\n"),
            ("content/assets/x.txt", "x"),
            ("templates/pages/page.html", TEMPLATE),
        ]);
        let profile = Profile { host: Some(host), ..Profile::default() };
        let artifacts = sitegen::build(&sources, &profile, &NoTools::default()).value.unwrap();
        let folder = if host.serves_at_root() { "docs/v1/" } else { "" };
        for name in ["index.html", "about.html", "robots.txt", "sitemap.xml"] {
            assert!(artifacts.get(&format!("{folder}{name}")).is_some(), "{}: {name}", host.name());
        }
        // Where each host looks for it.
        assert!(artifacts.get("404.html").is_some(), "{}", host.name());
        let at_root = artifacts.iter().filter(|(path, ..)| !path.as_str().starts_with("docs/v1/"));
        let at_root: Vec<&str> = at_root.map(|(path, ..)| path.as_str()).collect();
        match host {
            Host::Netlify | Host::CloudflarePages => {
                assert_eq!(at_root, ["404.html", "_headers", "_redirects"]);
                let redirects = text(&artifacts, "_redirects");
                assert!(redirects.starts_with("/docs/v1/old /docs/v1/about 301\n"), "{redirects}");
                assert!(text(&artifacts, "_headers").contains("\n/docs/v1/assets/"));
            }
            Host::Vercel => {
                assert_eq!(at_root, [".vercelignore", "404.html", "vercel.json"]);
                let config: serde_json::Value = serde_json::from_str(&text(&artifacts, "vercel.json")).unwrap();
                assert_eq!(config["redirects"][0]["source"], "/docs/v1/old");
                assert!(config["headers"][1]["source"].as_str().unwrap().starts_with("/docs/v1/assets/("));
            }
            _ => {}
        }
        let asset =
            artifacts.iter().find(|(path, ..)| path.as_str().ends_with(".txt") && path.as_str().contains("assets/"));
        let (asset, ..) = asset.unwrap();
        assert!(artifacts.address(asset).starts_with("/docs/v1/assets/x-"), "{}", artifacts.address(asset));
        if host.takes_rules() {
            let kept = artifacts.headers(asset).into_iter().any(|(_, value)| value.contains("immutable"));
            assert!(kept, "{asset} is kept for no time by {}", host.name());
        }
    }
}

#[test]
fn a_site_for_staging_is_kept_from_search_engines_in_every_way() {
    let sources = |more: &str| {
        let settings = format!("url: https://www.a.test\nlanguage: en\nname: A\n{more}");
        Sources::from_files([
            ("content/site.yaml", settings.as_str()),
            ("content/pages/index.yaml", "title: Home\n"),
            ("content/public/robots.txt", "User-agent: *\nAllow: /\n"),
            ("templates/pages/page.html", TEMPLATE),
        ])
    };
    let build = |more: &str, staging: bool| {
        let base_url = Some("https://preview.test".to_owned());
        let profile = Profile { host: Some(Host::Nginx), staging, base_url, ..Profile::default() };
        sitegen::build(&sources(more), &profile, &NoTools::default()).value.unwrap()
    };
    let tag = |artifacts: &Artifacts| {
        let headers = artifacts.headers(&OutputPath::new("index.html"));
        headers.into_iter().find(|(name, _)| name == "X-Robots-Tag").map(|(_, value)| value)
    };
    let (hidden, shown) = (build("", true), build("", false));
    let meta = "<meta name=\"robots\" content=\"noindex\">";
    assert!(text(&hidden, "index.html").contains(meta) && !text(&shown, "index.html").contains(meta));
    assert_eq!(text(&hidden, "robots.txt"), "User-agent: *\nDisallow: /\n");
    assert_eq!(text(&shown, "robots.txt"), "User-agent: *\nAllow: /\n");
    assert_eq!((tag(&hidden).as_deref(), tag(&shown)), (Some("noindex"), None));
    let with_own = build("settings:\n  headers:\n    X-Robots-Tag: \"googlebot: noarchive\"\n", true);
    assert_eq!(tag(&with_own).as_deref(), Some("noindex, googlebot: noarchive"));
    let other_host = shown.site.other_host.unwrap();
    assert_eq!((other_host.address.as_str(), other_host.own.as_str()), ("https://preview.test", "www.a.test"));
}

#[test]
fn vercel_takes_html_from_a_path_before_it_looks_for_redirects() {
    let more = "settings:\n  routes: file\nredirects:\n  - from: /old.html\n    to: /about\n  - from: /a/index.html\n    to: /a/b\n";
    let config: serde_json::Value = serde_json::from_str(&text(&built(Host::Vercel, more), "vercel.json")).unwrap();
    let sources: Vec<&str> =
        config["redirects"].as_array().unwrap().iter().map(|each| each["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["/old", "/a"]);
}

#[test]
fn exceeded_limits_of_a_host_are_reported() {
    let redirects = |count: usize| {
        let each = (0..count).map(|number| format!("  - from: /r{number}\n    to: /about\n"));
        format!("redirects:\n{}", each.collect::<String>())
    };
    assert_eq!(codes(&site(Host::CloudflarePages, &redirects(1_000))), Vec::<&str>::new());
    assert_eq!(codes(&site(Host::CloudflarePages, &redirects(1_001))), ["host-limit"]);
    assert_eq!(codes(&site(Host::Netlify, &redirects(1_001))), Vec::<&str>::new());
    assert_eq!(codes(&site(Host::Vercel, &redirects(2_048))), Vec::<&str>::new());
    assert_eq!(codes(&site(Host::Vercel, &redirects(2_049))), ["host-limit"]);
    let header = |length: usize| format!("settings:\n  headers:\n    X-A: {}\n", "a".repeat(length));
    assert_eq!(codes(&site(Host::CloudflarePages, &header(2_000 - "X-A: ".len()))), Vec::<&str>::new());
    assert_eq!(codes(&site(Host::CloudflarePages, &header(2_001 - "X-A: ".len()))), ["host-limit"]);
    let target = |length: usize| format!("redirects:\n  - from: /r\n    to: https://b.test/{}\n", "a".repeat(length));
    let rest = "/r/ https://b.test/ 301".len();
    assert_eq!(codes(&site(Host::CloudflarePages, &target(1_000 - rest))), Vec::<&str>::new());
    assert_eq!(codes(&site(Host::CloudflarePages, &target(1_001 - rest))), ["host-limit"]);
}

/// Values that are meant as one header's value, most of which a build accepts.
fn odd() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[!#%&'()*+,./0-9:;<=>?@A-Z\\[\\]^_a-z|~-]{1,12}( [!-~]{1,3})?", 1 => hostile()]
}

/// Values that a file of some host would read as more than a value, and mixtures of them.
fn hostile() -> impl Strategy<Value = String> {
    let parts = select(vec![
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\u{0}",
        "\u{85}",
        "\u{2028}",
        " ",
        "\"",
        "'",
        "`",
        "\\",
        "\\\"",
        "$",
        "$host",
        "${x}",
        "{",
        "}",
        "{env.HOME}",
        "{{",
        "#",
        ";",
        "; add_header X-Forged 1",
        "/*",
        "\n/*\n  X-Forged: 1",
        "\nX-Forged: 1",
        ":",
        ":splat",
        ",",
        "%0a",
        "%0d%0a",
        "<",
        ">",
        "é",
        "日",
        "https://a.test",
        "/",
        "//",
        "/about",
        "a",
        "B-9",
        "none",
        "self",
        "_",
        "~",
        "!",
        "*",
        "(",
        ")",
        "[",
        "]",
        "|",
        "^",
        "&",
        "=",
        "?",
        "@",
        "+",
        "..",
        "X-Forged",
    ]);
    vec(parts, 1..6).prop_map(|parts| parts.concat())
}

fn yaml(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// Parses an nginx file as nginx does: words, strings with escapes, and `;`, `{` and `}` between them
/// (nginx.org/en/docs/beginners_guide.html, ngx_conf_file.c).
fn statements(file: &str) -> Vec<Vec<String>> {
    let (mut all, mut words, mut word) = (Vec::new(), Vec::new(), None::<String>);
    let mut letters = file.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '\'' if word.is_none() => {
                let mut text = String::new();
                loop {
                    match letters.next().expect("a string ends") {
                        '\\' => text.push(letters.next().unwrap()),
                        end if end == letter => break,
                        other => text.push(other),
                    }
                }
                words.push(text);
            }
            '#' if word.is_none() => while letters.next_if(|letter| *letter != '\n').is_some() {},
            ';' | '{' | '}' => {
                words.extend(word.take());
                if letter == '}' || letter == '{' {
                    words.push(letter.to_string());
                }
                all.push(std::mem::take(&mut words));
            }
            letter if letter.is_whitespace() => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    assert!(words.is_empty() && word.is_none(), "the file ends in the middle of a statement");
    all
}

/// Splits lines of a Caddyfile into tokens (caddyconfig/caddyfile/lexer.go): words, and strings in `"` or in backticks.
fn caddy_lines(file: &str) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut letters = file.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '`' if word.is_none() => {
                let mut text = String::new();
                loop {
                    match letters.next().expect("a string ends") {
                        '\\' if letter == '"' && letters.peek() == Some(&'"') => text.push(letters.next().unwrap()),
                        end if end == letter => break,
                        other => text.push(other),
                    }
                }
                lines.last_mut().unwrap().push(text);
            }
            '#' if word.is_none() => while letters.next_if(|letter| *letter != '\n').is_some() {},
            '\n' => {
                lines.last_mut().unwrap().extend(word.take());
                lines.push(Vec::new());
            }
            letter if letter.is_whitespace() => lines.last_mut().unwrap().extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    lines
}

/// How many of the sites below were built rather than refused.
static BUILT: AtomicUsize = AtomicUsize::new(0);

#[test]
fn no_value_becomes_more_than_a_value() {
    every_value_stays_a_value();
    let built = BUILT.load(Ordering::Relaxed);
    println!("{built} sites were built, for {} hosts", Host::ALL.len());
    assert!(built > 100, "nearly every value is refused, so that nothing is tried: {built}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(300),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever is in the settings, a build refuses it, or every host's file has what the settings say and not a
    /// header, a rule or a redirect more.
    fn every_value_stays_a_value(
        headers in btree_map(
            prop_oneof![
                8 => select(vec!["X-A", "X-B-9", "Report-To"]).prop_map(str::to_owned),
                1 => select(vec!["Cache-Control", "cache-control", "X:"]).prop_map(str::to_owned),
                1 => hostile(),
            ],
            odd(),
            0..3,
        ),
        features in btree_map(
            prop_oneof![8 => Just("camera".to_owned()), 1 => hostile()],
            prop_oneof![8 => Just("self".to_owned()), 1 => hostile()],
            0..2,
        ),
        ancestors in vec(prop_oneof![8 => Just("https://a.test".to_owned()), 1 => hostile()], 0..3),
        redirects in vec(
            (
                prop_oneof![8 => "/[A-Za-z0-9._~-]{3,8}/?", 1 => hostile().prop_map(|text| format!("/{text}"))],
                prop_oneof![4 => Just("/about".to_owned()), 4 => "https://a.test/[a-z%/]{0,5}([?][a-z&=+%]{0,5})?(#[a-z]{0,3})?", 1 => hostile()],
            ),
            0..3,
        ),
        gone in vec(prop_oneof![8 => "/[A-Za-z0-9._~-]{3,8}/?", 1 => hostile().prop_map(|text| format!("/{text}"))], 0..3),
    ) {
        let mut more = String::from("settings:\n  host: nginx\n");
        if !headers.is_empty() {
            more.push_str("  headers:\n");
            headers.iter().for_each(|(name, value)| more.push_str(&format!("    {}: {}\n", yaml(name), yaml(value))));
        }
        more.push_str("  security:\n");
        if !features.is_empty() {
            more.push_str("    permissions_policy:\n");
            features.iter().for_each(|(name, value)| more.push_str(&format!("      {}: {}\n", yaml(name), yaml(value))));
        }
        let list: Vec<String> = ancestors.iter().map(|text| yaml(text)).collect();
        more.push_str(&format!("    frame_ancestors: [{}]\n", list.join(", ")));
        if !redirects.is_empty() {
            more.push_str("redirects:\n");
            redirects.iter().for_each(|(from, to)| more.push_str(&format!("  - from: {}\n    to: {}\n", yaml(from), yaml(to))));
        }
        if !gone.is_empty() {
            more.push_str("gone:\n");
            gone.iter().for_each(|path| more.push_str(&format!("  - {}\n", yaml(path))));
        }
        for host in Host::ALL {
            let Some(artifacts) = site(host, &more).value else { continue };
            BUILT.fetch_add(1, Ordering::Relaxed);
            let mut expected = artifacts.headers(&OutputPath::new("index.html"));
            expected.retain(|(name, _)| name != "Cache-Control");
            for (name, value) in &expected {
                prop_assert!(value.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{}: {}", name, value);
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{}", name);
            }
            let redirect_count = artifacts.site.rules.redirects.len();
            let gone_count = artifacts.site.rules.gone.len();
            // Netlify and Vercel get a path as text and as in requests, where these differ.
            let forms = |redirect: &RedirectRule| if redirect.from.is_ascii() { 1 } else { 2 };
            let form_count: usize = artifacts.site.rules.redirects.iter().map(forms).sum();
            match host {
                Host::Netlify | Host::CloudflarePages => {
                    let rules = rules(&text(&artifacts, "_headers"));
                    // One for all files, and one for `/assets/*` or each of the two files there.
                    prop_assert_eq!(rules.len(), if host == Host::Netlify { 3 } else { 2 });
                    prop_assert_eq!(&rules[0], &("/*".to_owned(), expected));
                    let lines = artifacts.get("_redirects").map_or(0, |_| text(&artifacts, "_redirects").lines().count());
                    prop_assert_eq!(lines, if host == Host::Netlify { form_count + 1 } else { redirect_count * 2 });
                    let file = artifacts.get("_redirects").map_or_else(String::new, |_| text(&artifacts, "_redirects"));
                    prop_assert!(file.lines().all(|line| line.split(' ').count() == 3), "{}", file);
                }
                Host::Vercel => {
                    let config: serde_json::Value = serde_json::from_str(&text(&artifacts, "vercel.json")).unwrap();
                    prop_assert_eq!(sent_by_vercel(&config, "/"), expected);
                    prop_assert_eq!(config["redirects"].as_array().unwrap().len(), form_count);
                }
                Host::Nginx => {
                    let statements = statements(&text(&artifacts, ".host/nginx.conf"));
                    let added: Headers = statements.iter().filter(|words| words[0] == "add_header").map(|words| {
                        assert_eq!((words.len(), words[3].as_str()), (4, "always"), "{words:?}");
                        assert!(!words[2].contains('$') || words[2] == "$sitegen_caching", "{words:?}");
                        (words[1].clone(), words[2].clone())
                    }).filter(|(name, _)| name != "Cache-Control").collect();
                    prop_assert_eq!(added, expected);
                    let locations = statements.iter().filter(|words| words[0] == "location").count();
                    // Two of them for media types.
                    prop_assert_eq!(locations, 11 + (redirect_count + gone_count) * 2, "{:?}", statements);
                    let gone = statements.iter().filter(|words| words.as_slice() == ["return", "410"]).count();
                    prop_assert_eq!(gone, gone_count * 2);
                }
                Host::Caddy => {
                    let lines = caddy_lines(&text(&artifacts, ".host/Caddyfile"));
                    let start = lines.iter().position(|words| words.as_slice() == ["header", "{"]).unwrap() + 1;
                    let set: Headers = lines[start..].iter().take_while(|words| words.as_slice() != ["}"]).map(|words| {
                        assert_eq!(words.len(), 2, "{words:?}");
                        assert!(!words[1].contains(['{', '}']), "{words:?}");
                        (words[0].clone(), words[1].clone())
                    }).filter(|(name, _)| name != "Cache-Control").collect();
                    prop_assert_eq!(set, expected);
                    let redirects = lines.iter().filter(|words| words.first().is_some_and(|word| word == "redir")).count();
                    prop_assert!((redirect_count..=redirect_count * 2).contains(&redirects), "{:?}", lines);
                    let gone = lines.iter().filter(|words| words.first().is_some_and(|word| word == "respond")).count();
                    prop_assert_eq!(gone, gone_count);
                }
                Host::None | Host::GithubPages => prop_assert_eq!(expected, vec![]),
            }
        }
    }
}

/// Runs `sitegen` in a project, and returns its exit code and its standard error without the summary line.
fn run(command: &[&str], root: &std::path::Path) -> (Option<i32>, String) {
    let out = root.join("dist").display().to_string();
    let out: &[&str] = if command[0] == "build" { &["--out", &out] } else { &[] };
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(command)
        .args(out)
        .args(["--format", "short", "--root"])
        .arg(root)
        .output()
        .unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

/// Sites whose files conflict with each other: `check` refuses them as `build` does.
#[test]
fn check_refuses_what_publishing_would() {
    let site = "url: https://www.a.test\nlanguage: en\nname: A\n";
    let redirect = |from: &str, to: &str| format!("{site}redirects:\n  - from: {from}\n    to: {to}\n");
    let two = format!("{}  - from: /old\n    to: /\n", redirect("/old.html", "/about"));
    let long = "a".repeat(251);
    let cases: [(&str, String, &[&str], i32); 9] = [
        ("valid", site.to_owned(), &[], 0),
        ("a redirect below a page", redirect("/about.html/old", "/"), &[], 1),
        ("a redirect below a file of every site", redirect("/robots.txt/old", "/"), &[], 1),
        ("two redirects in one file", two, &[], 1),
        ("a redirect with a long name", redirect(&format!("/{long}"), "/"), &[], 1),
        ("a page with a long name", site.to_owned(), &["content/pages/LONG.md"], 1),
        ("a folder where every site has a file", site.to_owned(), &["content/public/robots.txt/note.txt"], 1),
        ("a folder where the 404 page is", site.to_owned(), &["content/public/404.html/note.txt"], 1),
        ("a manifest of its own", site.to_owned(), &["content/public/manifest.json"], 3),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (number, (name, settings, files, code)) in cases.into_iter().enumerate() {
        let root = folder.path().join(number.to_string());
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("content/site.yaml", &settings);
        write("content/pages/index.yaml", "title: Home\n");
        write("content/pages/about.yaml", "title: About\n");
        write("templates/pages/page.html", TEMPLATE);
        files.iter().for_each(|path| write(&path.replace("LONG", &"a".repeat(252)), "---\ntitle: A\n---\n"));
        let (checked, said) = run(&["check"], &root);
        assert_eq!(checked, Some(code), "{name}: {said}");
        assert_eq!(run(&["build"], &root), (checked, said), "{name}");
        if name == "a manifest of its own" {
            assert_eq!(run(&["check", "--no-manifest"], &root).0, Some(0), "{name}");
            assert_eq!(run(&["build", "--no-manifest"], &root).0, Some(0), "{name}");
        }
    }
}
