//! What a page has to do with other hosts: connections that it uses, and what frames, scripts and hints of them lack.

use super::{Facts, PageReader, is_blank_page, is_local};
use crate::element::Element;
use crate::mistakes::PageMistake;
use sitegen_content::connections::{Connections, Kind};
use sitegen_core::diagnostics::ConnectionProblem;
use std::collections::BTreeSet;

impl Facts {
    /// Finds the connection of everything that is loaded from another host.
    pub(super) fn use_connections_of_references(&mut self, connections: &Connections) {
        for reference in &self.references {
            let Some(kind) = reference.purpose.kind() else { continue };
            let address = reference.address.as_str();
            if is_plain_path(address) || connections.is_own(address) {
                continue;
            }
            // Other schemes load nothing from a host, or are reported as addresses.
            let Some(origin) = connections.origin_of(address) else { continue };
            // It is reported as what browsers refuse to load.
            if origin.starts_with("http:") && !is_local(&origin) {
                continue;
            }
            if !use_connection(&mut self.connections, connections, address, kind) {
                let nearest = connections.nearest_origin(address, kind);
                let address = address.to_owned();
                let problem = ConnectionProblem::UndeclaredConnection { address, origin, kind: kind.name(), nearest };
                self.mistakes.push(PageMistake::new(problem, Some(reference.location())));
            }
        }
    }
}

impl PageReader<'_> {
    /// Reports a script of another host that browsers would run whatever it has become.
    pub(super) fn check_script(&mut self, element: &Element) {
        let address = element.get("src").unwrap_or_default().trim();
        let is_foreign = |_: &_| is_foreign(address, self.connections);
        let mut declared = self.connections.to(address, Kind::Script).filter(is_foreign).peekable();
        if declared.peek().is_none() || declared.any(|connection| connection.without_integrity) {
            return;
        }
        // The response could not be read without it (Subresource Integrity, 3.3.2, "eligible for integrity").
        let attribute = match (element.has("integrity"), element.get("crossorigin")) {
            (false, _) => "integrity",
            (true, None) => "crossorigin",
            (true, Some(_)) => return,
        };
        let problem = ConnectionProblem::ScriptIntegrity { address: address.to_owned(), attribute };
        self.facts.mistakes.push(element.mistake_of("src", problem));
    }

    /// Reports a frame without a name (WCAG 4.1.2), and one of another host that may do more than is declared.
    pub(super) fn check_frame(&mut self, element: &Element) {
        let is_presentational = matches!(element.get("role").map(str::trim), Some("none" | "presentation"));
        let lacks = |attribute| element.mistake(ConnectionProblem::FrameAttribute { attribute });
        if !element.is_named() && !element.is_hidden() && !is_presentational {
            self.facts.mistakes.push(lacks("title"));
        }
        let address = element.get("src").unwrap_or_default().trim();
        if address.is_empty() || is_blank_page(address) || !is_foreign(address, self.connections) {
            return;
        }
        if element.get("sandbox").is_none() {
            self.facts.mistakes.push(lacks("sandbox"));
        }
        let features = element.get("allow").unwrap_or_default().split(';');
        for feature in features.filter_map(|rule| rule.split_ascii_whitespace().next()) {
            let is_feature = |allowed: &String| allowed.eq_ignore_ascii_case(feature);
            let mut declared = self.connections.to(address, Kind::Frame);
            if !declared.any(|connection| connection.features.iter().any(is_feature)) {
                let problem = ConnectionProblem::FrameFeature { feature: feature.to_owned() };
                self.facts.mistakes.push(element.mistake_of("allow", problem));
            }
        }
    }

    /// Reports a hint for another host: browsers connect there before anything is loaded, whatever the policy says.
    pub(super) fn check_hint(&mut self, element: &Element) {
        const HINTS: [&str; 4] = ["preconnect", "dns-prefetch", "prefetch", "prerender"];
        let mut relations = element.get("rel").unwrap_or_default().split_ascii_whitespace();
        if !relations.any(|relation| HINTS.iter().any(|hint| relation.eq_ignore_ascii_case(hint))) {
            return;
        }
        let address = element.get("href").unwrap_or_default().trim();
        let problem = undeclared_hint(address, self.connections);
        self.facts.mistakes.extend(problem.map(|problem| element.mistake_of("href", problem)));
    }
}

/// Records the connections that are declared for an address. Returns whether there is one.
pub(super) fn use_connection(
    used: &mut BTreeSet<(String, Kind)>,
    connections: &Connections,
    address: &str,
    kind: Kind,
) -> bool {
    let mut declared = connections.to(address, kind).map(|connection| (connection.name.clone(), kind)).peekable();
    let is_declared = declared.peek().is_some();
    used.extend(declared);
    is_declared
}
/// Whether an address is a path of the site at first sight. What browsers also read as `//` is not.
fn is_plain_path(address: &str) -> bool {
    let mut bytes = address.bytes();
    match (bytes.next(), bytes.next()) {
        (Some(b'#' | b'?'), _) | (Some(b'/'), None) => true,
        (Some(b'/'), Some(second)) => second.is_ascii_alphanumeric() || b"_-.~%?#".contains(&second),
        _ => false,
    }
}
/// Whether an address is not one of the site.
fn is_foreign(address: &str, connections: &Connections) -> bool {
    !is_plain_path(address) && !connections.is_own(address)
}
/// Returns what is wrong with an address to which browsers connect before anything is loaded from it.
pub(super) fn undeclared_hint(address: &str, connections: &Connections) -> Option<ConnectionProblem> {
    let origin = connections.origin_of(address).filter(|_| is_foreign(address, connections))?;
    if connections.iter().any(|connection| connection.origin.as_ref() == Some(&origin)) {
        return None;
    }
    let nearest = connections.nearest_origin(address, Kind::Fetch);
    Some(ConnectionProblem::UndeclaredConnection {
        address: address.to_owned(),
        origin,
        kind: Kind::Fetch.name(),
        nearest,
    })
}
