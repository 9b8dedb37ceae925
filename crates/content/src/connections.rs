//! Connections: what pages may talk to besides the site's own files, as `site.yaml` declares it.

use super::yaml::{Node, Value};
use serde::{Deserialize, Serialize};
use sitegen_core::diagnostics::{ConnectionProblem, Diagnostic, Place, Problem, Span, nearest};
use sitegen_core::paths::SourcePath;
use url::Url;

/// What a connection is for. It decides the directive of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A form is sent there.
    Form,
    /// Scripts of the page fetch from there.
    Fetch,
    /// A script is loaded from there.
    Script,
    /// An embedded page comes from there.
    Frame,
    /// An image is loaded from there.
    Image,
    /// A stylesheet is loaded from there.
    Style,
    /// A font is loaded from there.
    Font,
    /// Sound or video is loaded from there.
    Media,
}

impl Kind {
    const ALL: [Kind; 8] =
        [Kind::Form, Kind::Fetch, Kind::Script, Kind::Frame, Kind::Image, Kind::Style, Kind::Font, Kind::Media];

    /// Returns its name in `site.yaml`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Form => "form",
            Kind::Fetch => "fetch",
            Kind::Script => "script",
            Kind::Frame => "frame",
            Kind::Image => "image",
            Kind::Style => "style",
            Kind::Font => "font",
            Kind::Media => "media",
        }
    }
}

/// A declared connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its name: the key in `site.yaml`.
    pub name: String,
    /// Scheme, host and port as browsers write them. `None` for the site's own origin.
    pub origin: Option<String>,
    /// What it is for, each with its place in `site.yaml`.
    pub kinds: Vec<(Kind, Span)>,
    /// Why the site needs it, for visitors to read.
    pub why: String,
    /// Whether scripts from there may change without this site knowing.
    pub without_integrity: bool,
    /// The features of the browser that frames from there may use.
    pub features: Vec<String>,
}

impl Connection {
    /// Whether it is for this.
    pub fn is_for(&self, kind: Kind) -> bool {
        self.kinds.iter().any(|(own, _)| *own == kind)
    }

    /// Returns its source expression in a policy (CSP Level 3, 2.3.1).
    pub fn source(&self) -> &str {
        self.origin.as_deref().unwrap_or("'self'")
    }
}

/// All declared connections of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// The origin of the site.
    own: String,
    all: Vec<Connection>,
}

impl Connections {
    /// Reads the connections from a valid `site.yaml`. `own` is the origin of the site.
    pub fn of(path: &SourcePath, data: &Node, own: &str, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let declared = data.get("settings").and_then(|settings| settings.get("connections"));
        let mut all = Vec::new();
        for (key, node) in declared.map_or(&[][..], Node::entries) {
            let text = |key: &str| node.get(key).and_then(Node::text).unwrap_or_default();
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if key.name.is_empty() || !key.name.bytes().all(is_plain) {
                let problem = ConnectionProblem::ConnectionName { name: key.name.clone() };
                diagnostics.push(Diagnostic::new(problem, Place::new(path, key.span)));
            }
            // What is not there is reported by the schema.
            let (Some(origin), Some(uses)) = (node.get("origin"), node.get("for")) else { continue };
            let kinds: Vec<(Kind, Span)> = items(uses)
                .iter()
                .filter_map(|item| {
                    let kind = Kind::ALL.into_iter().find(|kind| Some(kind.name()) == item.text())?;
                    Some((kind, item.span))
                })
                .collect();
            let address = origin.text().unwrap_or_default();
            let other = (address != "self").then(|| Url::parse(address).ok()).flatten();
            let other = other.map(|url| url.origin().ascii_serialization()).filter(|other| other != own);
            let unchecked = node.get("without_integrity").filter(|node| node.value == Value::Bool(true));
            if let Some(unchecked) = unchecked {
                let problem = ConnectionProblem::UncheckedScript { name: key.name.clone() };
                let place = Place::new(path, unchecked.span);
                diagnostics.push(Diagnostic::new(problem, place));
            }
            let features = node.get("features").map_or(&[][..], items).iter().filter_map(Node::text);
            all.push(Connection {
                name: key.name.clone(),
                origin: other,
                kinds,
                why: text("why").to_owned(),
                without_integrity: unchecked.is_some(),
                features: features.map(str::to_owned).collect(),
            });
        }
        Connections { own: own.to_owned(), all }
    }

    /// Returns them in the order of `site.yaml`.
    pub fn iter(&self) -> impl Iterator<Item = &Connection> {
        self.all.iter()
    }

    /// Returns the connection of a name.
    pub fn get(&self, name: &str) -> Option<&Connection> {
        self.all.iter().find(|connection| connection.name == name)
    }

    /// Returns the origin that an address of a page leads to, as browsers find it. Nothing if it leads to no host.
    pub fn origin_of(&self, address: &str) -> Option<String> {
        // Any page will do: only the origin is wanted.
        let base = Url::parse(&self.own).or_else(|_| Url::parse("https://site.invalid")).ok()?;
        let url = base.join(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let is_bare = url.username().is_empty() && url.password().is_none();
        is_bare.then(|| url.origin().ascii_serialization())
    }

    /// Returns the declared origin for a purpose that an address was probably meant for: at most one letter in six of its
    /// host is different.
    pub fn nearest_origin(&self, address: &str, kind: Kind) -> Option<String> {
        let host = |url: &str| Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let wanted = host(&self.origin_of(address)?)?;
        let declared = self.all.iter().filter(|connection| connection.is_for(kind));
        let origins: Vec<&String> = declared.filter_map(|connection| connection.origin.as_ref()).collect();
        let distance = |origin: &&String| host(origin).map_or(usize::MAX, |host| strsim::osa_distance(&wanted, &host));
        let meant = origins.into_iter().min_by_key(distance)?;
        (distance(&meant) <= wanted.len() / 6).then(|| meant.clone())
    }

    /// Whether an address leads to the site's own origin.
    pub fn is_own(&self, address: &str) -> bool {
        let own = Url::parse(&self.own).or_else(|_| Url::parse("https://site.invalid"));
        self.origin_of(address) == own.ok().map(|url| url.origin().ascii_serialization())
    }

    /// Returns the connections that are declared for an address and a purpose.
    pub fn to<'c>(&'c self, address: &str, kind: Kind) -> impl Iterator<Item = &'c Connection> + use<'c> {
        let is_own = self.is_own(address);
        let origin = self.origin_of(address);
        self.all.iter().filter(move |connection| {
            let is_there = if is_own { connection.origin.is_none() } else { connection.origin == origin };
            is_there && origin.is_some() && connection.is_for(kind)
        })
    }
}

/// Returns what is wrong with a name where a connection for fetching has to stand.
pub fn unknown_connection(name: &str, connections: &Connections) -> Problem {
    let fetching = connections.iter().filter(|each| each.is_for(Kind::Fetch)).map(|each| each.name.as_str());
    let fetching: Vec<&str> = fetching.collect();
    ConnectionProblem::UnknownConnection {
        name: name.to_owned(),
        is_declared: connections.get(name).is_some(),
        nearest: nearest(name, fetching.iter().copied()).map(str::to_owned),
        known: fetching.into_iter().map(str::to_owned).collect(),
    }
    .into()
}

/// Returns the items of a list, or a single value as a list of one.
fn items(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn connections(text: &str) -> Connections {
        let path = SourcePath::new("content/site.yaml");
        let node = yaml::parse(&path, text, 0).unwrap();
        Connections::of(&path, &node, "https://www.a.example", &mut Vec::new())
    }

    #[test]
    fn an_address_is_matched_by_its_origin_as_browsers_read_it() {
        let connections = connections(
            "settings:\n  connections:\n    lists: { origin: \"https://LISTS.example:443\", for: [form, fetch], why: A }\n    \
             own: { origin: self, for: form, why: B }\n",
        );
        let names = |address: &str, kind| connections.to(address, kind).map(|each| &*each.name).collect::<Vec<_>>();
        for address in ["https://lists.example/x", "//lists.example", "https:\\\\lists.example", "/\\lists.example/x"] {
            assert_eq!(names(address, Kind::Form), ["lists"], "{address}");
            assert_eq!(names(address, Kind::Script), Vec::<&str>::new(), "{address}");
        }
        for address in ["/send", "", "?a", "https://www.a.example/send", "//www.a.example", "send"] {
            assert_eq!(names(address, Kind::Form), ["own"], "{address}");
            assert_eq!(names(address, Kind::Fetch), Vec::<&str>::new(), "{address}");
        }
        for address in [
            "http://lists.example",
            "https://lists.example.evil.example",
            "https://lists.example@evil.example",
            "https://lists.example:444",
            "https://user@lists.example",
            "javascript:alert(1)",
            "mailto:a@lists.example",
            "data:text/html,x",
            "https://",
        ] {
            assert_eq!(names(address, Kind::Form), Vec::<&str>::new(), "{address}");
        }
    }
}
