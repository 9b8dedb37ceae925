//! Decides what a host would answer, from a site and a request. Nothing here reads or writes anything; a file that is made
//! when it is asked for is made by what the site brings for that.
//!
//! 1. The method is one that a host of files supports.
//! 2. The path is below that of the site, or the 404 page answers.
//! 3. The chosen host's redirects, its mapping from paths to files (`routing`) and its headers apply.
//! 4. Validators and ranges decide how much of the bytes is sent (RFC 9110, 13 and 14).

use super::etag::etag;
use super::routing;
use super::{Site, reload};
use crate::artifacts::Artifacts;
use crate::artifacts::hosts::spec::Target;
use crate::paths::is_percent_encoding;
use crate::paths::{OutputPath, content_type, media_type};
use crate::sources::{Body, Digest};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The parts of a request that decide the answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// `GET`, most often.
    pub method: &'a str,
    /// Path and query as sent.
    pub target: &'a str,
    /// The host name and port that the client wants to talk to.
    pub host: Option<&'a str>,
    /// The tags of the versions that the client has.
    pub if_none_match: Option<&'a str>,
    /// The tag of the version that the client has a part of.
    pub if_range: Option<&'a str>,
    /// The bytes that the client wants.
    pub range: Option<&'a str>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Such as 200 or 404 (RFC 9110, 15).
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The complete file.
    pub body: Body,
    /// The bytes of it that are sent.
    pub range: Range<u64>,
}

impl Answer {
    /// Creates an answer with these bytes.
    pub fn new(status: u16, body: Arc<[u8]>) -> Self {
        Answer::of(status, Body::Bytes(body))
    }

    /// Returns an answer without a body.
    pub fn empty() -> Self {
        Answer::new(204, Arc::from([]))
    }

    fn of(status: u16, body: Body) -> Self {
        let range = 0..body.len();
        Answer { status, headers: Vec::new(), body, range }
    }

    /// Adds a header.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Creates an answer with a short text for people.
    pub fn plain(status: u16, text: &str) -> Self {
        Answer::new(status, Arc::from(text.as_bytes()))
            .with("content-type", "text/plain; charset=utf-8")
            .with("cache-control", "no-store")
    }

    /// Creates the answer to a malformed request.
    pub fn refusal(status: u16) -> Self {
        Answer::plain(status, "This server cannot answer this request.\n")
    }

    /// Creates the answer when all connections are in use.
    pub fn busy() -> Self {
        Answer::plain(503, "Too many connections.\n").with("retry-after", "1")
    }
}

/// Answers a request. See the module for the steps.
pub fn answer(site: &Site, request: &Request) -> Answer {
    // 1. method
    if !matches!(request.method, "GET" | "HEAD") {
        return Answer::plain(405, "This server answers only GET and HEAD.\n").with("allow", "GET, HEAD");
    }
    let Some(artifacts) = served_on(site, request.host) else {
        return Answer::new(503, Arc::from(reload::empty_page()))
            .with("content-type", "text/html; charset=utf-8")
            .with("cache-control", "no-store");
    };
    let target = origin_form(request.target);
    let (raw, query) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
    let query = query.split('#').next().unwrap_or_default();
    if !raw.starts_with('/') {
        return Answer::refusal(400);
    }

    // 2. path
    let rules = &artifacts.site.rules;
    // Such a host serves the output folder at the root, and the site is in the subfolder that its links name.
    let base = if rules.host.serves_at_root() { "" } else { artifacts.site.base_path.as_str() };
    let inside = match raw.strip_prefix(base) {
        Some("") if !base.is_empty() => return redirect(301, format!("{base}/{query}")),
        Some(inside) if inside.starts_with('/') => inside,
        // Another host would serve something else there; this redirect goes to the site.
        _ if raw == "/" => return redirect(302, format!("{base}/{query}")),
        _ => return unknown(site, artifacts, ""),
    };
    let Some(path) = decoded(inside) else { return Answer::refusal(400) };

    // 3. rules
    let of_site = if base.is_empty() { path.strip_prefix(&artifacts.site.base_path) } else { Some(path.as_str()) };
    let target = match rules.spec().before_redirects(rules, &path) {
        Some(target) => target,
        None => {
            if let Some((status, to)) = of_site.and_then(|path| artifacts.redirect(path)) {
                return redirect(status, rules.with_query(&to, query));
            }
            if of_site.is_some_and(|path| rules.is_gone(path)) {
                return Answer::refusal(410);
            }
            routing::find(artifacts, &path)
        }
    };
    match target {
        Target::File(name) => match artifacts.file(&name).or_else(|| deferred(site, artifacts, &name)) {
            Some(file) => complete(site, &name, file, artifacts.headers(&OutputPath::new(&name)), request),
            None => unknown(site, artifacts, of_site.unwrap_or_default()),
        },
        Target::Redirect(status, to) => redirect(status, format!("{base}{}{query}", encoded(&to))),
        Target::Nothing => unknown(site, artifacts, of_site.unwrap_or_default()),
    }
}

/// Returns what is served at a name. The hosts of languages are names below `localhost`: `de.localhost:8000`.
fn served_on<'s>(site: &'s Site, host: Option<&str>) -> Option<&'s Arc<Artifacts>> {
    let name = host.unwrap_or_default().split('.').next().unwrap_or_default();
    let is_it = |artifacts: &&Arc<Artifacts>| artifacts.site.rules.root.eq_ignore_ascii_case(name);
    site.of_languages.iter().find(is_it).or(site.artifacts.as_ref())
}

/// Returns the `/path` of the absolute form that proxies are sent (RFC 9112, 3.2.2).
fn origin_form(target: &str) -> &str {
    let scheme = ["http://", "https://"].into_iter().find(|scheme| target.starts_with(scheme));
    scheme.map_or(target, |scheme| {
        let rest = &target[scheme.len()..];
        rest.find('/').map_or("/", |at| &rest[at..])
    })
}

/// What cannot stand in the path of an address (RFC 3986, 3.3). Letters outside ASCII cannot either.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// Returns the path with escapes for what cannot stand in an address.
fn encoded(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}

/// Returns the path with its `%` escapes replaced. Nothing if one is malformed, or the result is not UTF-8 or has a NUL.
///
/// Paths are looked up in a list of files, never on a disk, so `..` has no meaning here.
fn decoded(path: &str) -> Option<String> {
    let decoded = percent_decode_str(path).decode_utf8().ok().filter(|path| !path.contains('\0'));
    decoded.filter(|_| is_percent_encoding(path)).map(Cow::into_owned)
}

/// The content of a file and its digest.
type File = (Body, Digest);

/// Answers with the 404 page for a path from the site's home page.
fn unknown(site: &Site, artifacts: &Artifacts, path: &str) -> Answer {
    let file = artifacts.site.rules.not_found_file(path);
    let Some((body, digest)) =
        artifacts.file(&file).or_else(|| artifacts.file(&artifacts.site.rules.in_output("404.html")))
    else {
        return Answer::plain(404, "Not found.\n");
    };
    let body = match body.bytes().filter(|_| site.reloads) {
        Some(bytes) => Body::Bytes(Arc::from(reload::with_reload(bytes, &reload::tag(&digest)))),
        None => body,
    };
    let mut headers = artifacts.site.rules.headers_of_unknown();
    set(&mut headers, "content-type", "text/html; charset=utf-8");
    if site.reloads {
        set(&mut headers, "cache-control", "no-cache");
    }
    Answer { headers: served(headers, site), ..Answer::of(404, body) }
}

fn redirect(status: u16, to: String) -> Answer {
    Answer::plain(status, "").with("location", to)
}

/// Makes a file that no build has made.
fn deferred(site: &Site, artifacts: &Artifacts, name: &str) -> Option<File> {
    let derived = artifacts.deferred(name)?;
    let body = site.make.as_ref()?(derived)?;
    Some((body, *derived.key()))
}

/// Answers with a file: all of it, a part, or 304 if the client has it already.
fn complete(site: &Site, name: &str, file: File, mut headers: Vec<(String, String)>, request: &Request) -> Answer {
    let (body, digest) = file;
    let media_type = media_type(name);
    let reloads = site.reloads && media_type == "text/html";
    let tag = if reloads { reload::tag(&digest) } else { etag(&digest) };
    set(&mut headers, "content-type", &content_type(name));
    set(&mut headers, "etag", &tag);
    set(&mut headers, "accept-ranges", "bytes");
    let is_caching = |name: &str| name.eq_ignore_ascii_case("cache-control");
    let is_immutable = headers.iter().any(|(name, value)| is_caching(name) && value.contains("immutable"));
    if site.reloads && !is_immutable {
        // After the next save the same name has other bytes.
        set(&mut headers, "cache-control", "no-cache");
    }
    let headers = served(headers, site);

    // 4. validators, ranges
    let is_cached = |tags: &str| {
        tags.split(',').any(|each| matches!(each.trim().trim_start_matches("W/"), each if each == tag || each == "*"))
    };
    if request.if_none_match.is_some_and(is_cached) {
        return Answer { headers, ..Answer::new(304, Arc::from([])) };
    }
    let body = match body.bytes().filter(|_| reloads) {
        Some(bytes) => Body::Bytes(Arc::from(reload::with_reload(bytes, &tag))),
        None => body,
    };
    let length = body.len();
    let is_current = request.if_range.is_none_or(|cached| cached == tag);
    match request.range.filter(|_| is_current && request.method == "GET").map(|range| part(range, length)) {
        None | Some(Part::Ignored) => Answer { status: 200, headers, range: 0..length, body },
        Some(Part::Of(range)) => {
            let reported = format!("bytes {}-{}/{length}", range.start, range.end - 1);
            Answer { status: 206, headers, range, body }.with("content-range", reported)
        }
        Some(Part::None) => Answer::plain(416, "").with("content-range", format!("bytes */{length}")),
    }
}

/// Returns the headers to send: a policy in them gets the same additions as the one in a page.
fn served(mut headers: Vec<(String, String)>, site: &Site) -> Vec<(String, String)> {
    for (name, value) in headers.iter_mut().filter(|_| site.reloads) {
        if name.eq_ignore_ascii_case("content-security-policy") {
            *value = reload::widened(value);
            // The page is shown in a frame of the page that edits it.
            if site.editing.is_some() {
                *value = value.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
            }
        }
        if site.editing.is_some() && name.eq_ignore_ascii_case("x-frame-options") {
            *value = "SAMEORIGIN".to_owned();
        }
    }
    headers
}

fn set(headers: &mut Vec<(String, String)>, name: &str, value: &str) {
    headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    headers.push((name.to_owned(), value.to_owned()));
}

enum Part {
    /// These bytes.
    Of(Range<u64>),
    /// Other units, several parts, or nonsense: everything is sent, as RFC 9110, 14.2 allows.
    Ignored,
    /// No byte of the file is in the range.
    None,
}

fn part(range: &str, length: u64) -> Part {
    let Some(range) = range.trim().strip_prefix("bytes=").filter(|range| !range.contains(',')) else {
        return Part::Ignored;
    };
    let Some((from, to)) = range.trim().split_once('-') else { return Part::Ignored };
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number beyond the end of any file.
        true => text.parse().or(if text.is_empty() { Err(()) } else { Ok(u64::MAX) }),
        false => Err(()),
    };
    let range = match (number(from), number(to)) {
        (Ok(from), Ok(to)) if from <= to => from..to.saturating_add(1).min(length),
        (Ok(from), Err(())) if to.is_empty() => from..length,
        (Err(()), Ok(last)) if from.is_empty() => length.saturating_sub(last)..length,
        _ => return Part::Ignored,
    };
    if range.start < range.end { Part::Of(range) } else { Part::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)], base_path: &str) -> Site {
        let mut artifacts = Artifacts::from_files(files.iter().map(|(path, text)| (*path, text.as_bytes())));
        artifacts.site.base_path = base_path.to_owned();
        Site {
            artifacts: Some(Arc::new(artifacts)),
            of_languages: Vec::new(),
            reloads: false,
            make: None,
            locate: None,
            editing: None,
        }
    }

    fn get<'a>(target: &'a str) -> Request<'a> {
        Request { method: "GET", target, ..Request::default() }
    }

    fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
        answer.headers.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    const FILES: [(&str, &str); 6] = [
        ("index.html", "home"),
        ("404.html", "unknown"),
        ("careers.html", "careers"),
        ("careers/index.html", "careers"),
        ("blog/index.html", "blog"),
        ("a b/ü.txt", "text"),
    ];

    #[test]
    fn paths_lead_to_the_files_that_hosts_serve() {
        let site = site(&FILES, "");
        for (target, status, body) in [
            ("/", 200, "home"),
            ("/?a=b", 200, "home"),
            ("/index.html", 200, "home"),
            ("/careers", 200, "careers"),
            ("/careers/", 200, "careers"),
            ("/careers.html", 200, "careers"),
            ("/blog/", 200, "blog"),
            ("/a%20b/%C3%BC.txt", 200, "text"),
            ("http://localhost:1/careers?x", 200, "careers"),
            ("/nowhere", 404, "unknown"),
            ("/../careers", 404, "unknown"),
            ("/%2e%2e/%2e%2e/etc/passwd", 404, "unknown"),
            ("//careers", 404, "unknown"),
        ] {
            let answer = answer(&site, &get(target));
            assert_eq!((answer.status, answer.body.bytes().unwrap()), (status, body.as_bytes()), "{target}");
        }
        let folder = answer(&site, &get("/blog?page=2"));
        assert_eq!((folder.status, header(&folder, "location")), (301, "/blog/?page=2"));
        for target in ["*", "careers", "/%", "/%zz", "/%+1", "/%ff", "/a%00"] {
            assert_eq!(answer(&site, &get(target)).status, 400, "{target}");
        }
    }

    #[test]
    fn a_site_below_a_path_is_served_below_it() {
        let site = site(&FILES, "/docs");
        assert_eq!(answer(&site, &get("/docs/careers")).status, 200);
        assert_eq!(header(&answer(&site, &get("/?a")), "location"), "/docs/?a");
        assert_eq!(header(&answer(&site, &get("/docs")), "location"), "/docs/");
        assert_eq!(header(&answer(&site, &get("/docs/blog")), "location"), "/docs/blog/");
        assert_eq!(answer(&site, &get("/careers")).status, 404);
        assert_eq!(answer(&site, &get("/docsx")).status, 404);
    }

    #[test]
    fn a_client_that_has_the_bytes_gets_304() {
        let site = site(&FILES, "");
        let first = answer(&site, &get("/careers"));
        let tag = header(&first, "etag").to_owned();
        let again = |tags: &str| answer(&site, &Request { if_none_match: Some(tags), ..get("/careers") }).status;
        assert_eq!(again(&tag), 304);
        assert_eq!(again(&format!("\"x\", W/{tag}")), 304);
        assert_eq!(again("*"), 304);
        assert_eq!(again("\"x\""), 200);
        assert_eq!(answer(&site, &Request { if_none_match: Some("*"), ..get("/nowhere") }).status, 404);
    }

    #[test]
    fn requested_ranges_are_sent() {
        let site = site(&[("a.txt", "0123456789")], "");
        let ranged = |range: &str| {
            let answer = answer(&site, &Request { range: Some(range), ..get("/a.txt") });
            let range = answer.range.start as usize..answer.range.end as usize;
            let text = String::from_utf8_lossy(&answer.body.bytes().unwrap()[range]).into_owned();
            (answer.status, text, header(&answer, "content-range").to_owned())
        };
        let reported = |status, text: &str, range: &str| (status, text.to_owned(), range.to_owned());
        assert_eq!(ranged("bytes=2-4"), reported(206, "234", "bytes 2-4/10"));
        assert_eq!(ranged("bytes=8-"), reported(206, "89", "bytes 8-9/10"));
        assert_eq!(ranged("bytes=-3"), reported(206, "789", "bytes 7-9/10"));
        assert_eq!(ranged("bytes=-99"), reported(206, "0123456789", "bytes 0-9/10"));
        assert_eq!(ranged("bytes=5-99999999999999999999999"), reported(206, "56789", "bytes 5-9/10"));
        for none in ["bytes=10-", "bytes=99-100", "bytes=-0"] {
            assert_eq!(ranged(none), reported(416, "", "bytes */10"), "{none}");
        }
        for ignored in ["bytes=4-2", "bytes=0-1,3-4", "lines=1-2", "bytes=", "bytes=-", "bytes=a-b", "bytes=+1-2"] {
            assert_eq!(ranged(ignored).0, 200, "{ignored}");
        }
        let stale = Request { range: Some("bytes=0-1"), if_range: Some("\"old\""), ..get("/a.txt") };
        assert_eq!(answer(&site, &stale).status, 200);
    }

    #[test]
    fn other_methods_are_refused() {
        let answer = answer(&site(&FILES, ""), &Request { method: "POST", target: "/", ..Request::default() });
        assert_eq!((answer.status, header(&answer, "allow")), (405, "GET, HEAD"));
    }
}
