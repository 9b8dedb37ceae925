//! The headers, caching and redirects of `site.yaml`, with safe values for everything that the site does not set.
//!
//! The schema has checked each value by itself, so no value has a line end, a quote or anything else that a host's file
//! would read as syntax. Only problems between several values are reported here.

use super::connections::{Connections, Kind};
use super::options::{Caching, Redirect, SiteKeys, Transport, Who};
use super::typed::{Entries, Spanned};
use super::web_address::{composed_address, with_ascii_host};
use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};
use sitegen_core::diagnostics::{
    AddressProblem, Diagnostic, HostProblem, LinkProblem, Place, Problem, Span, YamlProblem,
};
use sitegen_core::paths::{SourcePath, composed};
use sitegen_core::profile::{Destination, Host};
use std::collections::{BTreeMap, BTreeSet};

/// What a host is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosting {
    /// From `--target`, or otherwise `settings.host`.
    pub host: Host,
    /// The value of `settings.host`, if the site has one.
    pub span: Option<Span>,
    /// The headers of every response, in the order they are sent, without repeated names.
    pub headers: Vec<Header>,
    /// The value of `Referrer-Policy`, which pages can also carry.
    pub referrer_policy: Option<String>,
    /// Seconds for which browsers cache pages and all other files whose names stay.
    pub pages: Caching,
    /// Seconds for which browsers cache files that have a digest in their names.
    pub hashed: Caching,
    /// Redirects of paths that the site once had.
    pub redirects: Vec<Redirect>,
    /// Paths that the site once had and that nothing takes the place of, each with its place in `site.yaml`. They begin
    /// with a slash and do not end with one.
    pub gone: Vec<Spanned<String>>,
    /// The beginnings of addresses, like `/de`, of languages with a 404 page of their own.
    pub not_found: Vec<String>,
    /// The home pages to one of which the address of the site leads, that of the site's language first. Empty if it has a home page
    /// itself.
    pub homes: Vec<LanguageHome>,
}

/// The home page of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageHome {
    /// The tag of the language.
    pub language: String,
    /// What it is called in itself.
    pub name: String,
    /// The value of the attribute `dir`.
    pub direction: &'static str,
    /// The route of the page.
    pub route: String,
}

impl Hosting {
    /// Adds the redirects of aliases. Reports those from a path that has a rule already, and redirects that lead to an alias.
    pub(super) fn add_aliases(&mut self, aliases: Vec<Redirect>, diagnostics: &mut Vec<Diagnostic>) {
        if aliases.is_empty() {
            return;
        }
        let taken = self.redirects.iter().map(|redirect| &redirect.from).chain(&self.gone);
        let mut taken: BTreeSet<String> = taken.map(|from| from.value.clone()).collect();
        let before = self.redirects.len();
        let mut ends: BTreeMap<String, String> = BTreeMap::new();
        for alias in aliases {
            let (place, from) = (alias.place(), &alias.from.value);
            if !is_path(from) {
                diagnostics.push(Diagnostic::new(AddressProblem::BadAlias { alias: from.clone() }, place));
                continue;
            }
            let Some(path) = plain_path(from) else {
                let problem = LinkProblem::BadEscape { address: from.clone() };
                diagnostics.push(Diagnostic::new(problem, place));
                continue;
            };
            if !taken.insert(path.clone()) {
                diagnostics.push(Diagnostic::new(HostProblem::DuplicateRedirect { from: path }, place));
                continue;
            }
            ends.insert(path.clone(), alias.written.clone());
            let from = Spanned { value: path, ..alias.from };
            let to = Spanned { value: destination_in_ascii(&alias.to.value), ..alias.to };
            self.redirects.push(Redirect { from, to, ..alias });
        }
        for redirect in &self.redirects[..before] {
            if let Some(end) = redirect.target().and_then(|target| ends.get(&target)) {
                let problem = HostProblem::RedirectChain { to: redirect.written.clone(), end: end.clone() };
                let place = Place { span: Some(redirect.to.span), ..redirect.place() };
                diagnostics.push(Diagnostic::new(problem, place));
            }
        }
    }

    /// Whether the host tells browsers to show the site's pages in no frame, not even in one of its own pages.
    pub fn forbids_frames(&self) -> bool {
        self.host.takes_rules() && self.headers.iter().any(|header| header.value == FRAMES_OF_NOBODY)
    }
}

/// A header of every response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// As it is sent: ASCII letters, digits and `-`.
    pub name: String,
    /// Its value: one line of printable ASCII.
    pub value: String,
    /// The value in `site.yaml` that it comes from, if any.
    pub span: Option<Span>,
}

/// Features that a site of texts, pictures and forms does not use. These are the names that Chromium knows
/// (github.com/w3c/webappsec-permissions-policy, features.md); it complains about others in the console.
const FEATURES: [&str; 12] = [
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
];

/// The directive under which no page is shown in a frame.
const FRAMES_OF_NOBODY: &str = "frame-ancestors 'none'";

/// Headers with a setting of their own, and its name.
const SETTINGS: [(&str, &str); 8] = [
    ("strict-transport-security", "security.strict_transport_security"),
    ("x-content-type-options", "security.nosniff"),
    ("referrer-policy", "security.referrer_policy"),
    ("permissions-policy", "security.permissions_policy"),
    ("cross-origin-opener-policy", "security.cross_origin_opener_policy"),
    ("cross-origin-resource-policy", "security.cross_origin_resource_policy"),
    ("content-security-policy", "security.frame_ancestors"),
    ("cache-control", "caching"),
];

/// Headers that servers derive from the file and the connection; a second one would break the response
/// (docs.netlify.com/manage/routing/headers, "Limitations", has much the same list).
const OF_THE_HOST: [&str; 22] = [
    "accept-ranges",
    "age",
    "allow",
    "alt-svc",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "expires",
    "keep-alive",
    "last-modified",
    "location",
    "server",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
];

/// What hstspreload.org requires before browsers ship with a site: a year, and all subdomains.
const PRELOAD_SECONDS: u32 = 31_536_000;

/// The header that search engines read on any kind of file
/// (developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
const ROBOTS: &str = "X-Robots-Tag";

const DEFAULT_REFERRER: &str = "strict-origin-when-cross-origin";

impl Hosting {
    /// Reads the settings from a valid `site.yaml`. `is_secure` says whether the site is published by https.
    pub(super) fn of(
        path: &SourcePath,
        keys: &SiteKeys,
        destination: Destination,
        is_secure: bool,
        connections: &Connections,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut report = |problem: Problem, span: Span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        };
        let settings = &keys.settings;
        let mut headers = security(keys, is_secure, connections, &mut report);
        add_headers(&mut headers, &settings.headers, &mut report);
        if destination.staging {
            let header = headers.iter_mut().find(|header| header.name.eq_ignore_ascii_case(ROBOTS));
            match header {
                // A rule without the name of a robot applies to all of them.
                Some(header) => header.value = format!("noindex, {}", header.value),
                None => headers.push(Header { name: ROBOTS.to_owned(), value: "noindex".to_owned(), span: None }),
            }
        }
        let redirects = redirects(&keys.redirects, &mut report);
        let gone = gone(&keys.gone, &redirects, &mut report);
        Hosting {
            host: destination.host.or(settings.host.map(|host| host.value)).unwrap_or_default(),
            span: settings.host.map(|host| host.span),
            headers,
            referrer_policy: choice(&settings.security.referrer_policy, DEFAULT_REFERRER).map(|(value, _)| value),
            pages: settings.caching.pages,
            hashed: settings.caching.hashed,
            redirects,
            gone,
            not_found: Vec::new(),
            homes: Vec::new(),
        }
    }
}

/// A value of a header, and the value in `site.yaml` that it comes from.
type HeaderValue = (String, Option<Span>);

/// Returns the value of a header that a site may leave out.
fn choice(setting: &Option<Spanned<String>>, default: &str) -> Option<HeaderValue> {
    let value = setting.as_ref().map_or(default, |setting| &setting.value);
    (value != "omit").then(|| (value.to_owned(), setting.as_ref().map(|setting| setting.span)))
}

/// Returns the headers of the settings below `security`.
fn security(
    keys: &SiteKeys,
    is_secure: bool,
    connections: &Connections,
    report: &mut impl FnMut(Problem, Span),
) -> Vec<Header> {
    let own = &keys.settings.security;
    let transport = transport(&own.strict_transport_security, report);
    let sniffs = own.nosniff.is_some_and(|nosniff| !nosniff.value);
    // The rest of the policy is in each page and depends on that page's content; browsers enforce both (CSP Level
    // 3, 8.1). This directive is the one that works in a header only.
    let ancestors = match own.frame_ancestors.as_ref().map_or(&Who::None, |who| &who.value) {
        Who::None => Some(FRAMES_OF_NOBODY.to_owned()),
        Who::All => None,
        who => {
            let all: Vec<&str> = ["'self'"].into_iter().chain(who.origins().iter().map(String::as_str)).collect();
            Some(format!("frame-ancestors {}", all.join(" ")))
        }
    };
    let ancestors = ancestors.map(|value| (value, own.frame_ancestors.as_ref().map(|who| who.span)));
    let headers = [
        ("Strict-Transport-Security", is_secure.then_some(transport)),
        ("X-Content-Type-Options", (!sniffs).then(|| ("nosniff".to_owned(), own.nosniff.map(|nosniff| nosniff.span)))),
        ("Referrer-Policy", choice(&own.referrer_policy, DEFAULT_REFERRER)),
        ("Permissions-Policy", Some(permissions(&own.permissions_policy, connections, report))),
        ("Cross-Origin-Opener-Policy", choice(&own.cross_origin_opener_policy, "same-origin")),
        ("Cross-Origin-Resource-Policy", choice(&own.cross_origin_resource_policy, "same-origin")),
        ("Content-Security-Policy", ancestors),
    ];
    let headers = headers.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    headers.map(|(name, (value, span))| Header { name, value, span }).collect()
}

/// Adds the headers of the site's choice, and reports those that it may not send.
fn add_headers(headers: &mut Vec<Header>, own: &Entries<Spanned<String>>, report: &mut impl FnMut(Problem, Span)) {
    let mut taken: BTreeSet<String> = headers.iter().map(|header| header.name.to_ascii_lowercase()).collect();
    for (key, value) in &own.0 {
        let name = key.value.to_ascii_lowercase();
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        let setting = SETTINGS.iter().find(|(header, _)| *header == name).map(|(_, setting)| *setting);
        if !is_name {
            report(HostProblem::HeaderName { name: key.value.clone() }.into(), key.span);
        } else if setting.is_some() || OF_THE_HOST.contains(&name.as_str()) {
            report(HostProblem::ReservedHeader { name: key.value.clone(), setting }.into(), key.span);
        } else if !taken.insert(name) {
            report(YamlProblem::DuplicateKey { key: key.value.clone() }.into(), key.span);
        } else {
            headers.push(Header { name: key.value.clone(), value: value.value.clone(), span: Some(value.span) });
        }
    }
}

/// Reads the paths under `gone`, and reports those that are there twice or are redirected.
fn gone(
    paths: &[Spanned<String>],
    redirects: &[Redirect],
    report: &mut impl FnMut(Problem, Span),
) -> Vec<Spanned<String>> {
    let mut taken: BTreeSet<String> = redirects.iter().map(|redirect| redirect.from.value.clone()).collect();
    let mut gone = Vec::new();
    for Spanned { value, span } in paths {
        let Some(path) = plain_path(value) else {
            report(LinkProblem::BadEscape { address: value.clone() }.into(), *span);
            continue;
        };
        if taken.insert(path.clone()) {
            gone.push(Spanned { value: path, span: *span });
        } else {
            report(HostProblem::DuplicateRedirect { from: path }.into(), *span);
        }
    }
    gone
}

fn transport(setting: &Option<Spanned<Transport>>, report: &mut impl FnMut(Problem, Span)) -> HeaderValue {
    let Transport { max_age, include_subdomains, preload } =
        setting.as_ref().map(|setting| setting.value.clone()).unwrap_or_default();
    let mut value = format!("max-age={max_age}");
    if include_subdomains {
        value.push_str("; includeSubDomains");
    }
    if preload.value {
        value.push_str("; preload");
        if !include_subdomains || max_age < PRELOAD_SECONDS {
            report(HostProblem::Preload { lacks_subdomains: !include_subdomains }.into(), preload.span);
        }
    }
    (value, setting.as_ref().map(|setting| setting.span))
}

/// Returns the value of `Permissions-Policy`: a structured dictionary (RFC 9651, 3.2) of features and who may use them.
///
/// A frame may use what its own origin and the site's both have (Permissions Policy, "inherited policy").
fn permissions(
    setting: &Option<Spanned<Entries<Who>>>,
    connections: &Connections,
    report: &mut impl FnMut(Problem, Span),
) -> HeaderValue {
    let list = |who: &Who| match who {
        Who::None => "()".to_owned(),
        Who::All => "*".to_owned(),
        who => {
            let origins = who.origins().iter().map(|origin| format!(" \"{origin}\"")).collect::<String>();
            format!("(self{origins})")
        }
    };
    let mut features: BTreeMap<&str, String> = FEATURES.iter().map(|feature| (*feature, list(&Who::None))).collect();
    for (Spanned { value: name, span }, who) in setting.iter().flat_map(|setting| &setting.value.0) {
        let is_feature = name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if is_feature {
            features.insert(name, list(who));
        } else {
            report(HostProblem::FeatureName { name: name.clone() }.into(), *span);
        }
    }
    let framed = connections.iter().filter(|connection| connection.is_for(Kind::Frame));
    for (connection, feature) in
        framed.flat_map(|connection| connection.features.iter().map(move |each| (connection, each)))
    {
        let who = features.entry(feature).or_insert_with(|| "(self)".to_owned());
        let origin = connection.origin.as_ref().map(|origin| format!(" \"{origin}\"")).unwrap_or_default();
        match who.as_str() {
            "*" => {}
            "()" => *who = format!("(self{origin})"),
            listed if listed.contains(&origin) => {}
            listed => *who = format!("{}{origin})", listed.trim_end_matches(')')),
        }
    }
    let features: Vec<String> = features.iter().map(|(feature, who)| format!("{feature}={who}")).collect();
    (features.join(", "), setting.as_ref().map(|setting| setting.span))
}

/// Returns where a redirect leads as a header can name it: the host in Punycode, other letters percent-encoded. Pages and
/// files of the site have composed names.
fn destination_in_ascii(address: &str) -> String {
    let composed = composed_address(address);
    let (host, rest) = with_ascii_host(composed.as_deref().unwrap_or(address));
    format!("{host}{}", utf8_percent_encode(rest, CONTROLS))
}

/// Whether a text is a path that the files of all hosts can redirect: what site.schema.json allows of `redirects`.
fn is_path(text: &str) -> bool {
    let is_sign = |sign: char| match sign.is_ascii() {
        true => sign.is_ascii_alphanumeric() || "-_.~".contains(sign),
        false => !sign.is_whitespace() && !sign.is_control(),
    };
    // Escapes stand for letters outside ASCII.
    let is_part = |part: &str| {
        let mut pieces = part.split('%');
        let first = pieces.next().unwrap_or_default();
        let is_escape = |piece: &str| {
            let (high, low) = (piece.as_bytes().first(), piece.as_bytes().get(1));
            let is_high = high.is_some_and(|byte| matches!(byte, b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'));
            is_high && low.is_some_and(u8::is_ascii_hexdigit) && piece[2..].chars().all(is_sign)
        };
        let is_hidden = part.starts_with('.') && part != ".well-known";
        !part.is_empty() && !is_hidden && first.chars().all(is_sign) && pieces.all(is_escape)
    };
    let path = text.strip_suffix('/').unwrap_or(text);
    path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_part))
}

/// Returns a path of the site as pages and files are named: without a slash at its end, its escapes replaced by the letters
/// that they stand for, each with its accents as one character. Nothing if they stand for no text.
pub fn plain_path(path: &str) -> Option<String> {
    let decoded = percent_decode_str(path.trim_end_matches('/')).decode_utf8().ok()?;
    Some(composed(&decoded).into_owned())
}

impl Redirect {
    /// Returns the path that it leads to as [`plain_path`] does, without query and section.
    pub fn target(&self) -> Option<String> {
        plain_path(self.to.value.split(['?', '#']).next().unwrap_or_default())
    }
}

/// The longest chain of redirects that is followed.
const LONGEST_CHAIN: usize = 50;

/// Reads the redirects, and reports loops and chains among them.
fn redirects(written: &[Redirect], report: &mut impl FnMut(Problem, Span)) -> Vec<Redirect> {
    let mut redirects: Vec<Redirect> = Vec::new();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    // The schema reports one that lacks a key.
    for Redirect { from, to, status, alias_of, .. } in written.iter().filter(|each| !each.from.value.is_empty()) {
        let Some(path) = plain_path(&from.value) else {
            report(LinkProblem::BadEscape { address: from.value.clone() }.into(), from.span);
            continue;
        };
        if taken.contains_key(&path) {
            report(HostProblem::DuplicateRedirect { from: path }.into(), from.span);
            continue;
        }
        taken.insert(path.clone(), redirects.len());
        let (from, written) = (Spanned { value: path, ..*from }, to.value.clone());
        let to = Spanned { value: destination_in_ascii(&to.value), ..*to };
        redirects.push(Redirect { from, to, written, status: *status, alias_of: alias_of.clone() });
    }
    let next = |index: usize| taken.get(&redirects[index].target()?).copied();
    for (index, redirect) in redirects.iter().enumerate() {
        // No browser follows more than some 20. A longer chain is as wrong, and need not be followed to its end.
        let mut chain = vec![index];
        let mut at = next(index);
        while let Some(step) = at.filter(|step| !chain.contains(step) && chain.len() < LONGEST_CHAIN) {
            chain.push(step);
            at = next(step);
        }
        match at {
            // Every redirect of a loop leads back to itself; it is reported at the first one.
            Some(start) if start == index && chain.iter().min() == Some(&index) => {
                let mut paths: Vec<String> = chain.iter().map(|step| redirects[*step].from.value.clone()).collect();
                paths.push(redirect.from.value.clone());
                report(HostProblem::RedirectLoop { paths }.into(), redirect.to.span);
            }
            at if chain.len() > 1 && (at.is_none() || chain.len() == LONGEST_CHAIN) => {
                let end = redirects[chain[chain.len() - 1]].written.clone();
                report(HostProblem::RedirectChain { to: redirect.written.clone(), end }.into(), redirect.to.span);
            }
            _ => {}
        }
    }
    redirects
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonschema::Validator;

    #[test]
    fn aliases_are_what_redirects_may_be_from() {
        let schema: serde_json::Value = serde_json::from_str(include_str!("site.schema.json")).unwrap();
        let from = schema.pointer("/properties/redirects/items/properties/from").unwrap();
        let validator: Validator = jsonschema::validator_for(from).unwrap();
        let texts = [
            "/old",
            "/old/",
            "/old//",
            "//old",
            "old",
            "/",
            "",
            "/a b",
            "/a?b",
            "/a#b",
            "/.a",
            "/.well-known/x",
            "/.well-known",
            "/über-uns",
            "/%C3%BCber",
            "/%c3",
            "/%41",
            "/%C",
            "/%",
            "/%Cü",
            "/a\u{85}b",
            "/a\u{a0}b",
            "/a/./b",
            "/A/B.html",
            "/a\\b",
            "/a*",
            "/a:b",
            "/a%C3%BC.html/",
            "/a\nb",
            "/~me",
        ];
        for text in texts {
            assert_eq!(is_path(text), validator.is_valid(&text.into()), "{text:?}");
        }
    }
}
