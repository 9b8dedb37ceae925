//! The files for hosts that cannot be run here, read by small interpreters of what those hosts document, and values
//! that try to become more than a value.
//!
//! - Netlify: docs.netlify.com/manage/routing/headers and …/redirects, and the parser in netlify/cli.
//! - Cloudflare Pages: developers.cloudflare.com/pages/configuration/headers and …/redirects, and the parser in
//!   cloudflare/workers-sdk, packages/workers-shared/utils/configuration/parseHeaders.ts.
//! - Vercel: vercel.com/docs/project-configuration, and vercel/vercel, packages/routing-utils.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use sitegen::artifacts::Artifacts;
use sitegen::diagnostics::{Checked, Diagnostic, code};
use sitegen::memory::Memory;
use sitegen::paths::OutputPath;
use sitegen::profile::{Host, Profile};
use sitegen::sources::{Digest, Sources};
use sitegen::tools::{Bundled, Bundling, Files, Tools};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A site without styles and islands needs no program.
#[derive(Default)]
struct NoTools(Memory);

impl Tools for NoTools {
    fn bundle(&self, _: &Bundling, _: &Files) -> Result<Bundled, Diagnostic> {
        Ok(Bundled::default())
    }

    fn package_digest(&self, _: &str) -> Option<Digest> {
        None
    }

    fn package(&self, _: &str) -> Option<String> {
        None
    }

    fn recall(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn remember(&self, _: &Digest, _: &[u8]) {}

    fn memory(&self) -> &Memory {
        &self.0
    }
}

const TEMPLATE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\
                        <body><main><h1>{{ page.title }}</h1></main></body></html>";

/// Builds a site of three pages and two assets with more lines in its `site.yaml`.
fn site(host: Host, more: &str) -> Checked<Artifacts> {
    site_with(&NoTools::default(), host, more)
}

fn site_with(tools: &NoTools, host: Host, more: &str) -> Checked<Artifacts> {
    let settings = format!("url: https://www.a.test\nlanguage: en\nname: A\n{more}");
    let sources = Sources::from_files([
        ("content/site.yaml", settings.as_str()),
        ("content/pages/index.yaml", "title: Home\n"),
        ("content/pages/about.yaml", "title: About\n"),
        ("content/pages/a/b.yaml", "title: B\n"),
        ("content/assets/x.png", "x"),
        ("content/assets/y/z.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"),
        ("content/public/robots.txt", "User-agent: *\n"),
        ("templates/pages/page.html", TEMPLATE),
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

/// The rules of a `_headers`: a line that begins with `/` is a path, other lines are `name: value`, `#` begins a
/// comment, lines are trimmed.
fn rules(file: &str) -> Vec<(String, Headers)> {
    let mut rules: Vec<(String, Headers)> = Vec::new();
    for line in file.split('\n').map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('/') {
            rules.push((line.to_owned(), Vec::new()));
        } else {
            let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no header: {line}"));
            let rule = rules.last_mut().unwrap_or_else(|| panic!("a header before every path: {line}"));
            rule.1.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    rules
}

/// Whether a path is one that a rule is for. Both hosts take `*` for any text, slashes too; the rules that are made
/// have one at the end only, which is all that older parsers take.
fn matches(rule: &str, path: &str) -> bool {
    match rule.strip_suffix('*') {
        Some(start) => path.starts_with(start),
        None => path == rule,
    }
}

/// What a host sends for a path: the headers of every rule that matches, as both document.
fn sent(rules: &[(String, Headers)], path: &str) -> Headers {
    rules.iter().filter(|(rule, _)| matches(rule, path)).flat_map(|(_, headers)| headers.clone()).collect()
}

/// What a Vercel configuration sends for a path. Its patterns are `(.*)` at the end, or one group that looks ahead.
fn sent_by_vercel(config: &serde_json::Value, path: &str) -> Headers {
    let mut sent = Vec::new();
    for rule in config["headers"].as_array().unwrap() {
        let source = rule["source"].as_str().unwrap();
        let is_for = match source.strip_suffix("/((?!assets/).*)") {
            Some(start) => path.strip_prefix(start).is_some_and(|rest| !rest.starts_with("/assets/")),
            None => path.starts_with(source.strip_suffix("(.*)").unwrap_or_else(|| panic!("{source}"))),
        };
        for header in rule["headers"].as_array().unwrap().iter().filter(|_| is_for) {
            sent.push((header["key"].as_str().unwrap().to_owned(), header["value"].as_str().unwrap().to_owned()));
        }
    }
    sent
}

/// Every address at which a host could serve a file of the site, some that are not there, and the file meant.
fn paths(artifacts: &Artifacts) -> BTreeMap<String, String> {
    let mut paths = BTreeMap::from([
        ("/nowhere".to_owned(), "404.html".to_owned()),
        ("/assets".to_owned(), "404.html".to_owned()),
        ("/assetsx/y".to_owned(), "404.html".to_owned()),
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

/// No path gets a header twice, and each gets those that the artifacts say, for all but which file is not there.
fn holds(host: Host, more: &str) {
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
        let expected = artifacts.headers(&OutputPath::new(&file));
        let is_there = file != "404.html";
        for (name, value) in expected {
            let found = sent.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
            // What no rule names, these hosts have browsers ask for each time.
            let by_itself = name == "Cache-Control" && value == "no-cache";
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
        holds(host, "");
        holds(host, "settings:\n  caching:\n    pages: 300\n    hashed: 60\n  headers:\n    X-Robots-Tag: noai\n");
        holds(host, "settings:\n  security:\n    frame_ancestors: all\n    nosniff: false\n");
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
        assert!(artifacts.iter().all(|(path, ..)| !artifacts.is_private(path)), "{}", host.name());
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
fn a_build_for_another_host_is_the_same_with_and_without_memory() {
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
fn what_is_more_than_a_host_takes_is_told() {
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

/// Values that are meant as one header's value, most of which a build takes.
fn odd() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[!#%&'()*+,./0-9:;<=>?@A-Z\\[\\]^_a-z|~-]{1,12}( [!-~]{1,3})?", 1 => hostile()]
}

/// Values that a file of some host would read as more than a value, and what is between them.
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

/// Header lines of an nginx file, read as nginx reads it: words, strings with escapes, and `;`, `{` and `}` between
/// them (nginx.org/en/docs/beginners_guide.html, ngx_conf_file.c).
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

/// Lines of a Caddyfile as tokens (caddyconfig/caddyfile/lexer.go): words, and strings in `"` or in backticks.
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

    /// Whatever stands in the settings, a build refuses it, or every host's file says what the settings say and not a
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
        for host in Host::ALL {
            let Some(artifacts) = site(host, &more).value else { continue };
            BUILT.fetch_add(1, Ordering::Relaxed);
            let mut expected = artifacts.headers(&OutputPath::new("index.html"));
            expected.retain(|(name, _)| name != "Cache-Control");
            for (name, value) in &expected {
                prop_assert!(value.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{}: {}", name, value);
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{}", name);
            }
            let moved = artifacts.rules.redirects.len();
            match host {
                Host::Netlify | Host::CloudflarePages => {
                    let rules = rules(&text(&artifacts, "_headers"));
                    prop_assert_eq!(rules.len(), 2);
                    prop_assert_eq!(&rules[0], &("/*".to_owned(), expected));
                    let lines = artifacts.get("_redirects").map_or(0, |_| text(&artifacts, "_redirects").lines().count());
                    prop_assert_eq!(lines, if host == Host::Netlify { moved + 1 } else { moved * 2 });
                    let file = artifacts.get("_redirects").map_or_else(String::new, |_| text(&artifacts, "_redirects"));
                    prop_assert!(file.lines().all(|line| line.split(' ').count() == 3), "{}", file);
                }
                Host::Vercel => {
                    let config: serde_json::Value = serde_json::from_str(&text(&artifacts, "vercel.json")).unwrap();
                    prop_assert_eq!(sent_by_vercel(&config, "/"), expected);
                    prop_assert_eq!(config["redirects"].as_array().unwrap().len(), moved);
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
                    prop_assert_eq!(locations, 7 + moved * 2, "{:?}", statements);
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
                    prop_assert!((moved..=moved * 2).contains(&redirects), "{:?}", lines);
                }
                Host::None | Host::GithubPages => prop_assert_eq!(expected, vec![]),
            }
        }
    }
}
