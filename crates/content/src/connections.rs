//! Connections: what pages may talk to besides the site's own files, as `site.yaml` declares it.

use super::typed::{Entries, Spanned};
use serde::{Deserialize, Serialize};
use sitegen_core::diagnostics::{ConnectionProblem, Diagnostic, Place, Problem, meant};
use sitegen_core::paths::SourcePath;
use url::Url;

/// What a connection is for. It decides the directive of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

/// A connection as `site.yaml` declares it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Declaration {
    origin: Option<String>,
    #[serde(rename = "for")]
    kinds: Vec<Spanned<Kind>>,
    why: String,
    without_integrity: Spanned<bool>,
    features: Vec<String>,
}

/// A declared connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The key in `site.yaml`.
    pub name: String,
    /// Scheme, host and port as browsers write them. `None` for the site's own origin.
    pub origin: Option<String>,
    /// What it is for, each with its place in `site.yaml`.
    pub kinds: Vec<Spanned<Kind>>,
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
        self.kinds.iter().any(|own| own.value == kind)
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
    pub(super) fn of(
        path: &SourcePath,
        declared: &Entries<Declaration>,
        own: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut all = Vec::new();
        for (Spanned { value: name, span }, declaration) in &declared.0 {
            let Declaration { origin, kinds, why, without_integrity, features } = declaration.clone();
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if name.is_empty() || !name.bytes().all(is_plain) {
                let problem = ConnectionProblem::ConnectionName { name: name.clone() };
                diagnostics.push(Diagnostic::new(problem, Place::new(path, *span)));
            }
            // What is not there is reported by the schema.
            let Some(origin) = origin.filter(|_| !kinds.is_empty()) else { continue };
            let other = (origin != "self").then(|| Url::parse(&origin).ok()).flatten();
            let origin = other.map(|url| url.origin().ascii_serialization()).filter(|other| other != own);
            if without_integrity.value {
                let problem = ConnectionProblem::UncheckedScript { name: name.clone() };
                let place = Place::new(path, without_integrity.span);
                diagnostics.push(Diagnostic::new(problem, place));
            }
            let without_integrity = without_integrity.value;
            all.push(Connection { name: name.clone(), origin, kinds, why, without_integrity, features });
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
        nearest: meant(name, fetching.iter().copied()),
        known: fetching.into_iter().map(str::to_owned).collect(),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{typed, yaml};

    fn connections(text: &str) -> Connections {
        let path = SourcePath::new("content/site.yaml");
        let declared = typed::read(&yaml::parse(&path, text, 0).unwrap());
        Connections::of(&path, &declared, "https://www.a.example", &mut Vec::new())
    }

    #[test]
    fn an_address_is_matched_by_its_origin_as_browsers_read_it() {
        let connections = connections(
            "lists: { origin: \"https://LISTS.example:443\", for: [form, fetch], why: A }\n\
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
