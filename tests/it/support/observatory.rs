//! Scores a response like MDN's HTTP Observatory.
//!
//! Rewritten from github.com/mdn/mdn-http-observatory: the modifiers from `src/grader/charts.js`, the rules from
//! `src/analyzer/tests/*.js` and `src/analyzer/cspParser.js`, as of 2026. Every site begins with 100; negative
//! modifiers are subtracted, and positive ones are added only if 90 or more are left
//! (`MINIMUM_SCORE_FOR_EXTRA_CREDIT`). The maximum is 135, of which 5 are for sites that browsers preload and 5 for
//! cookies, which a static site does not have.
//!
//! A scan reads the site by https and the redirect from http to https. Here a response from a loopback address is
//! scored as what the scanner would get by https from a host with a valid certificate, which redirects to it; both
//! depend on the host's name and certificate, not on the files of a site.

use scraper::{Html, Selector};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the score, and the modifier of each test by the name of its result.
pub fn score(headers: &[(String, String)], body: &str) -> (i32, Vec<(&'static str, i32)>) {
    let all = |name: &str| -> Vec<&str> {
        headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str()).collect()
    };
    let page = Html::parse_document(body);
    let metas = |attribute: &str, name: &str| -> Vec<String> {
        let selector = Selector::parse("meta").unwrap();
        page.select(&selector)
            .filter(|meta| meta.attr(attribute).is_some_and(|value| value.eq_ignore_ascii_case(name)))
            .filter_map(|meta| meta.attr("content").map(str::to_owned))
            .collect()
    };
    assert!(all("set-cookie").is_empty(), "cookies are not scored here");
    assert!(all("access-control-allow-origin").is_empty(), "shared resources are not scored here");

    let header_policies = split(all("content-security-policy"));
    let meta_policies = split(metas("http-equiv", "content-security-policy").iter().map(String::as_str).collect());
    let policy = parse(&[header_policies, meta_policies].concat());
    let results = vec![
        content_security_policy(policy.as_ref()),
        strict_transport_security(all("strict-transport-security").first().copied()),
        referrer_policy(&all("referrer-policy")),
        match all("x-content-type-options").first() {
            Some(value) if value.trim().eq_ignore_ascii_case("nosniff") => ("x-content-type-options-nosniff", 0),
            Some(_) => ("x-content-type-options-header-invalid", -5),
            None => ("x-content-type-options-not-implemented", -5),
        },
        match all("x-frame-options").first().map(|value| value.trim().to_ascii_lowercase()).as_deref() {
            _ if policy.as_ref().is_some_and(|policy| policy.contains_key("frame-ancestors")) => {
                ("x-frame-options-implemented-via-csp", 5)
            }
            Some("deny" | "sameorigin") => ("x-frame-options-sameorigin-or-deny", 0),
            Some(value) if value.starts_with("allow-from") => ("x-frame-options-allow-from-origin", 0),
            Some(_) => ("x-frame-options-header-invalid", -20),
            None => ("x-frame-options-not-implemented", -20),
        },
        match all("cross-origin-resource-policy").first().map(|value| value.trim().to_ascii_lowercase()).as_deref() {
            Some("same-site") => ("cross-origin-resource-policy-implemented-with-same-site", 10),
            Some("same-origin") => ("cross-origin-resource-policy-implemented-with-same-origin", 10),
            Some("cross-origin") => ("cross-origin-resource-policy-implemented-with-cross-origin", 0),
            Some(_) => ("cross-origin-resource-policy-header-invalid", -5),
            None => ("cross-origin-resource-policy-not-implemented", 0),
        },
        subresource_integrity(&page),
    ];
    let taken: i32 = results.iter().map(|(_, modifier)| *modifier).filter(|modifier| *modifier < 0).sum();
    let added: i32 = results.iter().map(|(_, modifier)| *modifier).filter(|modifier| *modifier > 0).sum();
    let base = 100 + taken;
    ((if base >= 90 { base + added } else { base }).max(0), results)
}

fn strict_transport_security(header: Option<&str>) -> (&'static str, i32) {
    let Some(header) = header else { return ("hsts-not-implemented", -20) };
    let seconds = header
        .split(';')
        .find_map(|part| part.trim().to_ascii_lowercase().strip_prefix("max-age=")?.parse::<u64>().ok());
    match seconds {
        _ if header.contains(',') => ("hsts-header-invalid", -20),
        None => ("hsts-header-invalid", -20),
        // Six months are 15,768,000; "a white lie is in order", says the source.
        Some(seconds) if seconds < 15_552_000 => ("hsts-implemented-max-age-less-than-six-months", -10),
        Some(_) => ("hsts-implemented-max-age-at-least-six-months", 0),
    }
}

fn referrer_policy(headers: &[&str]) -> (&'static str, i32) {
    const GOOD: [&str; 4] = ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"];
    const BAD: [&str; 4] = ["origin", "origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade"];
    if headers.is_empty() {
        return ("referrer-policy-not-implemented", 0);
    }
    let joined = headers.join(",").to_ascii_lowercase();
    let last = joined.split(',').map(str::trim).rfind(|value| GOOD.contains(value) || BAD.contains(value));
    match last {
        Some(value) if GOOD.contains(&value) => ("referrer-policy-private", 5),
        Some(_) => ("referrer-policy-unsafe", -5),
        None => ("referrer-policy-header-invalid", -5),
    }
}

fn subresource_integrity(page: &Html) -> (&'static str, i32) {
    let selector = Selector::parse("script").unwrap();
    let scripts: Vec<_> = page.select(&selector).collect();
    let loaded: Vec<_> =
        scripts.iter().filter_map(|script| Some((script.attr("src")?, script.attr("integrity")))).collect();
    let is_own = |address: &str| !address.starts_with("//") && !address.starts_with("http");
    if scripts.is_empty() {
        ("sri-not-implemented-but-no-scripts-loaded", 0)
    } else if let Some((address, _)) =
        loaded.iter().find(|(address, integrity)| !is_own(address) && integrity.is_none())
    {
        match address.starts_with("https:") {
            true => ("sri-not-implemented-but-external-scripts-loaded-securely", -5),
            false => ("sri-not-implemented-and-external-scripts-not-loaded-securely", -50),
        }
    } else if loaded.iter().any(|(_, integrity)| integrity.is_some()) {
        ("sri-implemented-and-all-scripts-loaded-securely", 5)
    } else {
        ("sri-not-implemented-but-all-scripts-loaded-from-secure-origin", 0)
    }
}

type Policy = BTreeMap<String, BTreeSet<String>>;

fn content_security_policy(policy: Option<&Policy>) -> (&'static str, i32) {
    const BROAD: [&str; 8] = ["ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"];
    let Some(policy) = policy else { return ("csp-header-invalid", -25) };
    if policy.is_empty() {
        return ("csp-not-implemented", -25);
    }
    let sources = |directive: &str| -> BTreeSet<String> {
        let own = policy.get(directive).or_else(|| policy.get("default-src")).cloned();
        let mut own = own.unwrap_or_else(|| BTreeSet::from(["*".to_owned()]));
        let hashed = own
            .iter()
            .any(|source| ["'sha256-", "'sha384-", "'sha512-", "'nonce-"].iter().any(|kind| source.starts_with(kind)));
        if hashed && directive != "object-src" {
            own.remove("'unsafe-inline'");
        }
        own
    };
    let (scripts, styles, objects) = (sources("script-src"), sources("style-src"), sources("object-src"));
    let is_broad = |source: &String| BROAD.contains(&source.as_str());
    let is_loose = |source: &String| is_broad(source) || ["'unsafe-inline'", "data:"].contains(&source.as_str());
    let is_plain = |source: &String| source.starts_with("http:") || source.starts_with("ftp:");
    let is_passive = |directive: &str| ["img-src", "media-src"].contains(&directive);
    let active = policy.iter().filter(|(directive, _)| !is_passive(directive)).flat_map(|(_, sources)| sources);
    let passive = ["img-src", "media-src"]
        .into_iter()
        .flat_map(|directive| policy.get(directive).or_else(|| policy.get("default-src")).into_iter().flatten());
    if scripts.contains("'strict-dynamic'") {
        panic!("a policy with 'strict-dynamic' is not scored here");
    }
    if scripts.iter().any(is_loose) || objects.iter().any(is_broad) {
        ("csp-implemented-with-unsafe-inline", -20)
    } else if active.into_iter().any(is_plain) {
        ("csp-implemented-with-insecure-scheme", -20)
    } else if scripts.contains("'unsafe-eval'") || styles.contains("'unsafe-eval'") {
        ("csp-implemented-with-unsafe-eval", -10)
    } else if passive.into_iter().any(is_plain) {
        ("csp-implemented-with-insecure-scheme-in-passive-content-only", -10)
    } else if styles.iter().any(is_loose) {
        ("csp-implemented-with-unsafe-inline-in-style-src-only", 0)
    } else if policy.get("default-src").is_some_and(|own| own.len() == 1 && own.contains("'none'")) {
        ("csp-implemented-with-no-unsafe-default-src-none", 10)
    } else {
        ("csp-implemented-with-no-unsafe", 5)
    }
}

fn split(values: Vec<&str>) -> Vec<String> {
    values.iter().flat_map(|value| value.split(',')).map(|policy| policy.trim().to_owned()).collect()
}

/// Returns what several policies allow together, as the scanner sees it: the sources that every one of them has.
fn parse(policies: &[String]) -> Option<Policy> {
    struct Source {
        text: String,
        policy: usize,
        keep: bool,
    }
    let mut joined: BTreeMap<String, Vec<Source>> = BTreeMap::new();
    for (number, policy) in policies.iter().enumerate() {
        // The length of the shortest directive, minus one.
        if policy.len() < 6 {
            return None;
        }
        let mut seen = BTreeSet::new();
        for directive in policy.split(';') {
            let mut words = directive.split_ascii_whitespace().map(str::to_ascii_lowercase);
            let Some(name) = words.next() else { continue };
            if !seen.insert(name.clone()) && !["report-uri", "report-to"].contains(&name.as_str()) {
                return None;
            }
            let mut texts: Vec<String> = words.collect();
            if texts.is_empty() && name.ends_with("-src") {
                texts.push("'none'".to_owned());
            }
            let mut sources = if number == 0 { Vec::new() } else { joined.remove(&name).unwrap_or_default() };
            sources.extend(texts.into_iter().map(|text| Source { text, policy: number, keep: number == 0 }));
            sources.sort_by(|a, b| a.text.cmp(&b.text));
            for index in 1..sources.len() {
                let same_policy = sources[index].policy == sources[index - 1].policy;
                if same_policy && sources[index].text.starts_with(&sources[index - 1].text) {
                    sources[index].keep = false;
                }
                if !same_policy && sources[index].text == sources[index - 1].text {
                    sources[index].keep = true;
                }
            }
            sources.retain(|source| source.keep);
            if number == 0 && policies.len() > 1 {
                sources.iter_mut().for_each(|source| source.keep = false);
            }
            joined.insert(name, sources);
        }
    }
    let named = joined.into_iter().map(|(name, sources)| {
        let mut texts: BTreeSet<String> = sources.into_iter().map(|source| source.text).collect();
        if texts.is_empty() {
            texts.insert("'none'".to_owned());
        }
        (name, texts)
    });
    Some(named.collect())
}

#[test]
fn scores_match_the_observatory() {
    let with = |headers: &[(&str, &str)], body: &str| {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        score(&headers, body).0
    };
    // Nothing at all: 25 for the policy, 20 each for transport and frames, 5 for sniffing.
    assert_eq!(with(&[], "<p>a"), 30);
    let safe = [
        ("Content-Security-Policy", "default-src 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("Strict-Transport-Security", "max-age=31536000"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    assert_eq!(with(&safe, "<p>a"), 130);
    let mut loose = safe;
    loose[0].1 = "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'";
    assert_eq!(with(&loose, "<p>a"), 80);
    let mut joined = safe;
    joined[1].1 = "max-age=31536000, max-age=1";
    assert_eq!(with(&joined, "<p>a"), 80);
    // A policy in the page and one in the header count together.
    let mut two = safe;
    two[0].1 = "frame-ancestors 'none'";
    assert_eq!(
        with(&two, "<meta http-equiv=content-security-policy content=\"default-src 'none'; style-src 'sha256-a'\">"),
        130
    );
}
