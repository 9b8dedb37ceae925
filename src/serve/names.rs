//! Decides under which names and addresses a server answers.
//!
//! A page of another site can point its own name at this machine (DNS rebinding), and would then be allowed to read
//! what is served here. It cannot choose the `Host` that the browser sends: that is the page's own name. So a request
//! is answered only if its `Host` is on a list made when the server started, whatever address it listens on.

use std::collections::BTreeSet;
use std::net::IpAddr;

/// The names and addresses that requests may have as their `Host`.
#[derive(Clone, Debug)]
pub struct Names {
    /// Whether only this machine can connect.
    is_loopback: bool,
    /// In lower case, without a dot at the end. A name that begins with a dot stands for all names below it.
    names: BTreeSet<String>,
}

impl Names {
    /// Creates the list for a server that listens on `address`. `named` are further names.
    ///
    /// A server that other machines reach also has the name of this machine, alone and below `.local`, where multicast
    /// DNS finds it (RFC 6762).
    pub fn of(address: IpAddr, named: &[String]) -> Self {
        let is_loopback = address.is_loopback();
        let mut names: BTreeSet<String> = named.iter().map(|name| normal(name)).collect();
        if !is_loopback && let Some(own) = machine() {
            let first = own.split('.').next().unwrap_or(&own).to_owned();
            names.extend([format!("{first}.local"), first, own]);
        }
        names.retain(|name| !name.is_empty());
        Names { is_loopback, names }
    }

    /// Whether a `Host` is on the list. `local` is the address that the client has connected to: a server that listens
    /// on all addresses answers under the one that was used.
    pub fn allow(&self, host: &str, local: Option<IpAddr>) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let name = normal(name);
        let is_below =
            |parent: &String| parent.starts_with('.') && (name.ends_with(parent.as_str()) || name == parent[1..]);
        if self.names.contains(&name) || self.names.iter().any(is_below) {
            return true;
        }
        // `localhost` and the names below it are this machine (RFC 6761, 6.3).
        if name == "localhost" || name.ends_with(".localhost") {
            return true;
        }
        let Ok(address) = name.parse::<IpAddr>() else { return false };
        address.is_loopback()
            || !self.is_loopback && local.is_some_and(|local| local.to_canonical() == address.to_canonical())
    }
}

/// Normalises a name or an address: in lower case, without the brackets of an address and the dot of the root.
fn normal(name: &str) -> String {
    let name = name.trim().trim_end_matches('.').to_ascii_lowercase();
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name).to_owned()
}

/// Returns the name of this machine.
fn machine() -> Option<String> {
    #[cfg(unix)]
    {
        let name = normal(rustix::system::uname().nodename().to_str().ok()?);
        (!name.is_empty()).then_some(name)
    }
    #[cfg(not(unix))]
    {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOREIGN: [&str; 8] = [
        "evil.example",
        "localhost.evil.example:8000",
        "127.0.0.1.evil.example",
        "192.168.0.1",
        "192.168.0.1.evil.example",
        "notlocalhost",
        "",
        ":80",
    ];

    #[test]
    fn a_local_server_allows_only_local_names() {
        let names = Names::of(IpAddr::from([127, 0, 0, 1]), &[]);
        let local = Some(IpAddr::from([127, 0, 0, 1]));
        for ours in
            ["localhost", "LOCALHOST:8000", "127.0.0.1:8000", "127.0.0.2", "[::1]:8000", "a.localhost:1", "localhost."]
        {
            assert!(names.allow(ours, local), "{ours}");
        }
        for foreign in FOREIGN {
            assert!(!names.allow(foreign, local), "{foreign}");
        }
        // A client that reaches the port through a forwarder names another address.
        assert!(!names.allow("192.168.0.7", Some(IpAddr::from([192, 168, 0, 7]))));
    }

    #[test]
    fn a_server_for_other_machines_allows_its_address_and_given_names() {
        let named = ["Site.Test.".to_owned(), ".tunnel.test".to_owned(), "203.0.113.9".to_owned()];
        for bound in ["0.0.0.0", "::", "192.168.0.7"] {
            let names = Names::of(bound.parse().unwrap(), &named);
            for local in ["192.168.0.7", "::ffff:192.168.0.7"] {
                let local = Some(local.parse().unwrap());
                for ours in [
                    "192.168.0.7:8000",
                    "localhost:8000",
                    "127.0.0.1",
                    "site.test",
                    "SITE.test:1",
                    "a.tunnel.test",
                    "tunnel.test",
                    "203.0.113.9:8000",
                    "[::ffff:192.168.0.7]:1",
                ] {
                    assert!(names.allow(ours, local), "{bound} {ours}");
                }
                for foreign in FOREIGN.into_iter().chain(["192.168.0.8", "eviltunnel.test", "site.test.evil.example"]) {
                    assert!(!names.allow(foreign, local), "{bound} {foreign}");
                }
            }
            #[cfg(unix)]
            assert!(names.allow(&format!("{}:8000", machine().unwrap()), None));
        }
    }
}
