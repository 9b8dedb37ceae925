//! The headers, caching and redirects of `site.yaml`, with safe values for everything that the site does not set.
//!
//! The schema has checked each value by itself, so no value has a line end, a quote or anything else that a host's file
//! would read as syntax. Only problems between several values are reported here.

use super::connections::{Connections, Kind};
use super::web_address::with_ascii_host;
use super::yaml::{Node, Value};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use sitegen_core::diagnostics::{Diagnostic, HostProblem, Place, Problem, Span, YamlProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::{Destination, Host};
use std::collections::{BTreeMap, BTreeSet};

/// What a host is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosting {
    /// The host.
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
    pub gone: Vec<(String, Span)>,
}

impl Hosting {
    /// Whether the host tells browsers to show the site's pages in no frame, not even in one of its own pages.
    pub fn forbids_frames(&self) -> bool {
        self.host.takes_rules() && self.headers.iter().any(|header| header.value == FRAMES_OF_NOBODY)
    }
}

/// A header of every response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its value: one line of printable ASCII.
    pub value: String,
    /// The value in `site.yaml` that it comes from, if any.
    pub span: Option<Span>,
}

/// How long browsers cache a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caching {
    /// Seconds; with 0 browsers ask each time.
    pub seconds: u32,
    /// The value in `site.yaml`, if there is one.
    pub span: Option<Span>,
}

/// A redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The path, from the site's home page: it begins with a slash and does not end with one.
    pub from: String,
    /// A path of the site, or an address of another one.
    pub to: String,
    /// 301, 302, 307 or 308.
    pub status: u16,
    /// The value of `from` in `site.yaml`.
    pub from_span: Span,
    /// The value of `to` in `site.yaml`.
    pub to_span: Span,
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
const PRELOAD_SECONDS: i64 = 31_536_000;

/// The header that search engines read on any kind of file
/// (developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
const ROBOTS: &str = "X-Robots-Tag";

const DEFAULT_REFERRER: &str = "strict-origin-when-cross-origin";
const YEAR: u32 = 31_536_000;

impl Hosting {
    /// Reads the settings from a valid `site.yaml`. `is_secure` says whether the site is published by https.
    pub fn of(
        path: &SourcePath,
        data: &Node,
        destination: Destination,
        is_secure: bool,
        connections: &Connections,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut report = |problem: Problem, span: Span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        };
        let settings = data.get("settings");
        let security = settings.and_then(|settings| settings.get("security"));
        let of_security = |key: &str| security.and_then(|security| given(security, key));
        let choice = |key: &str, default: &str| {
            let node = of_security(key);
            let value = node.and_then(Node::text).unwrap_or(default);
            (value != "omit").then(|| (value.to_owned(), node.map(|node| node.span)))
        };

        let mut headers: Vec<Header> = Vec::new();
        let mut add = |name: &str, value: Option<(String, Option<Span>)>| {
            headers.extend(value.map(|(value, span)| Header { name: name.to_owned(), value, span }));
        };
        let transport = transport(of_security("strict_transport_security"), &mut report);
        add("Strict-Transport-Security", transport.filter(|_| is_secure));
        let sniff = of_security("nosniff");
        let sniffs = sniff.is_some_and(|node| node.value == Value::Bool(false));
        add("X-Content-Type-Options", (!sniffs).then(|| ("nosniff".to_owned(), sniff.map(|node| node.span))));
        let referrer_policy = choice("referrer_policy", DEFAULT_REFERRER);
        add("Referrer-Policy", referrer_policy.clone());
        add("Permissions-Policy", Some(permissions(of_security("permissions_policy"), connections, &mut report)));
        add("Cross-Origin-Opener-Policy", choice("cross_origin_opener_policy", "same-origin"));
        add("Cross-Origin-Resource-Policy", choice("cross_origin_resource_policy", "same-origin"));
        // The rest of the policy is in each page and depends on that page's content; browsers enforce both (CSP Level
        // 3, 8.1). This directive is the one that works in a header only.
        let ancestors = of_security("frame_ancestors");
        let value = match who(ancestors, "none") {
            Who::Nobody => Some(FRAMES_OF_NOBODY.to_owned()),
            Who::Everybody => None,
            Who::Some(origins) => {
                let all: Vec<String> = ["'self'".to_owned()].into_iter().chain(origins).collect();
                Some(format!("frame-ancestors {}", all.join(" ")))
            }
        };
        let value = value.map(|value| (value, ancestors.map(|node| node.span)));
        add("Content-Security-Policy", value);
        let mut taken: BTreeSet<String> = headers.iter().map(|header| header.name.to_ascii_lowercase()).collect();
        let more = settings.and_then(|settings| settings.get("headers")).map_or(&[][..], Node::entries);
        for (key, node) in more {
            let Some(value) = node.text().filter(|text| !text.is_empty()) else { continue };
            let name = key.name.to_ascii_lowercase();
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
            let setting = SETTINGS.iter().find(|(header, _)| *header == name).map(|(_, setting)| *setting);
            if !is_name {
                report(HostProblem::HeaderName { name: key.name.clone() }.into(), key.span);
            } else if setting.is_some() || OF_THE_HOST.contains(&name.as_str()) {
                report(HostProblem::ReservedHeader { name: key.name.clone(), setting }.into(), key.span);
            } else if !taken.insert(name) {
                report(YamlProblem::DuplicateKey { key: key.name.clone() }.into(), key.span);
            } else {
                headers.push(Header { name: key.name.clone(), value: value.to_owned(), span: Some(node.span) });
            }
        }

        if destination.staging {
            let header = headers.iter_mut().find(|header| header.name.eq_ignore_ascii_case(ROBOTS));
            match header {
                // A rule without the name of a robot applies to all of them.
                Some(header) => header.value = format!("noindex, {}", header.value),
                None => headers.push(Header { name: ROBOTS.to_owned(), value: "noindex".to_owned(), span: None }),
            }
        }

        let caching = |key: &str, default: u32| {
            let node = settings.and_then(|settings| settings.get("caching")?.get(key));
            let seconds = node.and_then(integer).and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(default);
            Caching { seconds, span: node.map(|node| node.span) }
        };
        let host = settings.and_then(|settings| given(settings, "host"));
        let named = host.and_then(Node::text).and_then(Host::of);
        let redirects = redirects(data, &mut report);
        let gone = gone(data, &redirects, &mut report);
        Hosting {
            host: destination.host.or(named).unwrap_or_default(),
            span: host.map(|node| node.span),
            headers,
            referrer_policy: referrer_policy.map(|(value, _)| value),
            pages: caching("pages", 0),
            hashed: caching("hashed", YEAR),
            redirects,
            gone,
        }
    }
}

/// Reads the paths under `gone`, and reports those that are there twice or are redirected.
fn gone(data: &Node, redirects: &[Redirect], report: &mut impl FnMut(Problem, Span)) -> Vec<(String, Span)> {
    let Some(Value::List(items)) = data.get("gone").map(|node| &node.value) else { return Vec::new() };
    let mut taken: BTreeSet<String> = redirects.iter().map(|redirect| redirect.from.clone()).collect();
    let mut gone = Vec::new();
    for node in items {
        let Some(path) = node.text().map(|text| text.trim_end_matches('/').to_owned()) else { continue };
        if taken.insert(path.clone()) {
            gone.push((path, node.span));
        } else {
            report(HostProblem::DuplicateRedirect { from: path }.into(), node.span);
        }
    }
    gone
}

/// Returns the value of a key. An empty text counts as absent, as in schemas.
fn given<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.get(key).filter(|node| node.text() != Some(""))
}

fn integer(node: &Node) -> Option<i64> {
    match node.value {
        Value::Integer(value) => Some(value),
        // For JSON Schema `300.0` is an integer too.
        Value::Float(value) => Some(value as i64),
        _ => None,
    }
}

fn transport(node: Option<&Node>, report: &mut impl FnMut(Problem, Span)) -> Option<(String, Option<Span>)> {
    let is = |key: &str| node.and_then(|node| node.get(key)).is_some_and(|node| node.value == Value::Bool(true));
    let seconds = node.and_then(|node| integer(node.get("max_age")?)).unwrap_or(i64::from(YEAR));
    let mut value = format!("max-age={seconds}");
    if is("include_subdomains") {
        value.push_str("; includeSubDomains");
    }
    if is("preload") {
        value.push_str("; preload");
        if let Some(preload) = node.and_then(|node| node.get("preload"))
            && (!is("include_subdomains") || seconds < PRELOAD_SECONDS)
        {
            report(HostProblem::Preload { lacks_subdomains: !is("include_subdomains") }.into(), preload.span);
        }
    }
    Some((value, node.map(|node| node.span)))
}

/// Who may use a feature.
enum Who {
    Nobody,
    Everybody,
    /// The site itself and these origins.
    Some(Vec<String>),
}

fn who(node: Option<&Node>, default: &str) -> Who {
    if let Some(Value::List(items)) = node.map(|node| &node.value) {
        return Who::Some(
            items.iter().filter_map(Node::text).filter(|text| !text.is_empty()).map(str::to_owned).collect(),
        );
    }
    match node.and_then(Node::text).unwrap_or(default) {
        "self" => Who::Some(Vec::new()),
        "all" => Who::Everybody,
        _ => Who::Nobody,
    }
}

/// Returns the value of `Permissions-Policy`: a structured dictionary (RFC 9651, 3.2) of features and who may use them.
///
/// A frame may use what its own origin and the site's both have (Permissions Policy, "inherited policy").
fn permissions(
    node: Option<&Node>,
    connections: &Connections,
    report: &mut impl FnMut(Problem, Span),
) -> (String, Option<Span>) {
    let list = |who: Who| match who {
        Who::Nobody => "()".to_owned(),
        Who::Everybody => "*".to_owned(),
        Who::Some(origins) => {
            let origins = origins.iter().map(|origin| format!(" \"{origin}\"")).collect::<String>();
            format!("(self{origins})")
        }
    };
    let mut features: BTreeMap<&str, String> = FEATURES.iter().map(|feature| (*feature, list(Who::Nobody))).collect();
    for (key, node) in node.map_or(&[][..], Node::entries) {
        let is_feature = key.name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && key.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if is_feature {
            features.insert(&key.name, list(who(Some(node), "none")));
        } else {
            report(HostProblem::FeatureName { name: key.name.clone() }.into(), key.span);
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
    (features.join(", "), node.map(|node| node.span))
}

/// Returns where a redirect leads as a header can name it: the host in Punycode, other letters percent-encoded.
fn in_ascii(address: &str) -> String {
    let (host, rest) = with_ascii_host(address);
    format!("{host}{}", utf8_percent_encode(rest, CONTROLS))
}

/// The longest chain of redirects that is followed.
const LONGEST_CHAIN: usize = 50;

/// Reads the redirects, and reports loops and chains among them.
fn redirects(data: &Node, report: &mut impl FnMut(Problem, Span)) -> Vec<Redirect> {
    let mut redirects: Vec<Redirect> = Vec::new();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let Some(Value::List(items)) = data.get("redirects").map(|node| &node.value) else { return redirects };
    for item in items {
        let (Some(from), Some(to)) = (item.get("from"), item.get("to")) else { continue };
        let path = from.text().unwrap_or_default().trim_end_matches('/').to_owned();
        if taken.contains_key(&path) {
            report(HostProblem::DuplicateRedirect { from: path }.into(), from.span);
            continue;
        }
        taken.insert(path.clone(), redirects.len());
        redirects.push(Redirect {
            from: path,
            to: in_ascii(to.text().unwrap_or_default()),
            status: item.get("status").and_then(integer).and_then(|status| status.try_into().ok()).unwrap_or(301),
            from_span: from.span,
            to_span: to.span,
        });
    }
    let next = |index: usize| {
        let path = redirects[index].to.split(['?', '#']).next().unwrap_or_default();
        taken.get(path.trim_end_matches('/')).copied()
    };
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
                let mut paths: Vec<String> = chain.iter().map(|step| redirects[*step].from.clone()).collect();
                paths.push(redirect.from.clone());
                report(HostProblem::RedirectLoop { paths }.into(), redirect.to_span);
            }
            at if chain.len() > 1 && (at.is_none() || chain.len() == LONGEST_CHAIN) => {
                let end = redirects[chain[chain.len() - 1]].to.clone();
                report(HostProblem::RedirectChain { to: redirect.to.clone(), end }.into(), redirect.to_span);
            }
            _ => {}
        }
    }
    redirects
}
