//! The page that edits others, and the requests that it sends. Whoever may write files has a token that no other page knows:
//!
//! - It is in the fragment of the address, which browsers send to no server, and comes back in a header that no page of another
//!   site can send without being asked (Fetch, "CORS protocol").
//! - A request has to come from a page of this very server: `Origin` is compared with `Host`, and that with the names of the server.
//! - No request has a path of a file. What is written is decided elsewhere.

use super::answer::Answer;
use super::connection::{Connection, Head};
use std::io;
use std::sync::Arc;

/// The address of the page, without what follows it.
const SHELL: &str = "/.sitegen/edit";

/// The script is `edit.js` without comments and white space; a browser test compares the two.
const FILES: [(&str, &str, &str); 3] = [
    ("", "text/html; charset=utf-8", include_str!("edit/edit.html")),
    ("/edit.css", "text/css; charset=utf-8", include_str!("edit/edit.css")),
    ("/edit.js", "text/javascript; charset=utf-8", include_str!("edit/edit.min.js")),
];

/// The largest body of a request in bytes: a photograph as base64, which has four letters for three bytes.
const MOST_BYTES: usize = 48 << 20;

/// Only a picture can be that large.
const TOO_LARGE: &str =
    "The picture is too large: at most 36 MB can be added. Save it smaller, or as a JPEG, and choose it again.";

/// What the page may do, which has no style or script besides its two files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; \
                      img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Changes files for whoever has the token.
#[derive(Clone)]
pub struct Editing {
    /// 32 hexadecimal digits.
    pub token: Arc<str>,
    /// The port that requests must name, if others lead to other servers.
    pub only_port: Option<u16>,
    /// Answers a request: its name, and what it brings. Returns a status and JSON.
    pub call: Call,
    /// Returns the bytes of a picture by their digest, and its media type.
    pub picture: Picture,
}

/// See [`Editing`].
pub type Call = Arc<dyn Fn(&str, Vec<u8>) -> (u16, String) + Send + Sync>;
/// See [`Editing`].
pub type Picture = Arc<dyn Fn(&str) -> Option<(Arc<[u8]>, &'static str)> + Send + Sync>;

/// Whether a request is one for [`answer`].
pub fn is_of_editing(target: &str) -> bool {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    path.strip_prefix(SHELL).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers a request. Also returns whether the connection can go on.
pub fn answer(editing: &Editing, head: &Head, connection: &mut Connection) -> io::Result<(Answer, bool)> {
    let request = head.request();
    let path = request.target.split(['?', '#']).next().unwrap_or_default();
    let rest = path.strip_prefix(SHELL).unwrap_or_default();
    if matches!(request.method, "GET" | "HEAD") {
        return Ok((get(editing, rest), head.keeps_alive));
    }
    if request.method != "POST" {
        return Ok((json(405, "This server does not know the method."), false));
    }
    if let Err(reason) = may_write(editing, head) {
        return Ok((json(403, reason), false));
    }
    let body = match connection.read_body(head, MOST_BYTES)? {
        Ok(body) => body,
        Err(413) => return Ok((json(413, TOO_LARGE), false)),
        Err(status) => return Ok((json(status, "The request did not arrive complete. Try again."), false)),
    };
    let (status, text) = (editing.call)(rest.trim_start_matches('/'), body);
    let says_close = head.field("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    Ok((secured(Answer::new(status, Arc::from(text.into_bytes())), "application/json; charset=utf-8"), !says_close))
}

fn get(editing: &Editing, rest: &str) -> Answer {
    if let Some((_, media_type, text)) = FILES.iter().find(|(name, ..)| *name == rest) {
        return secured(Answer::new(200, Arc::from(text.as_bytes())), media_type);
    }
    let picture = rest.strip_prefix("/picture/").and_then(|digest| (editing.picture)(digest));
    match picture {
        Some((bytes, media_type)) => secured(Answer::new(200, bytes), media_type),
        None => Answer::plain(404, "Not found.\n"),
    }
}

/// Whether a request comes from the page that edits others.
fn may_write(editing: &Editing, head: &Head) -> Result<(), &'static str> {
    let host = head.only_field("host").unwrap_or_default();
    let port = host.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or(80);
    if editing.only_port.is_some_and(|only| only != port) {
        return Err(
            "The request names another port than that of this server. Whoever forwards a port has to keep its number.",
        );
    }
    let is_ours = |origin: &str| origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host));
    if !head.only_field("origin").is_some_and(is_ours) {
        return Err("The request does not come from a page of this server.");
    }
    // Browsers that send it say so themselves (Fetch Metadata, 2.4).
    if head.field("sec-fetch-site").is_some_and(|site| site != "same-origin") {
        return Err("The request does not come from a page of this server.");
    }
    let is_json =
        |value: &str| value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !head.only_field("content-type").is_some_and(is_json) {
        return Err("The request is not JSON.");
    }
    // Without random bytes there is no token, and then nobody has it.
    let is_token = |token: &str| !editing.token.is_empty() && is_same(token.as_bytes(), editing.token.as_bytes());
    match head.only_field("x-sitegen-token").is_some_and(is_token) {
        true => Ok(()),
        false => Err("The token is not that of this run. Open the address that the terminal shows."),
    }
}

/// Compares two texts in a time that depends on their length alone.
fn is_same(one: &[u8], two: &[u8]) -> bool {
    one.len() == two.len() && one.iter().zip(two).fold(0, |differs, (one, two)| differs | (one ^ two)) == 0
}

fn json(status: u16, reason: &str) -> Answer {
    let text = serde_json::json!({ "error": reason }).to_string();
    secured(Answer::new(status, Arc::from(text.into_bytes())), "application/json; charset=utf-8")
}

fn secured(answer: Answer, media_type: &str) -> Answer {
    let answer = answer.with("content-type", media_type).with("cache-control", "no-store");
    let answer = answer.with("x-content-type-options", "nosniff").with("referrer-policy", "no-referrer");
    answer.with("content-security-policy", POLICY).with("cross-origin-resource-policy", "same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_editing_are_answered() {
        for (target, is_it) in [
            ("/.sitegen/edit", true),
            ("/.sitegen/edit?x", true),
            ("/.sitegen/edit/page", true),
            ("/.sitegen/editor", false),
            ("/.sitegen/changes", false),
            ("/", false),
        ] {
            assert_eq!(is_of_editing(target), is_it, "{target}");
        }
    }

    #[test]
    fn the_browser_refuses_a_picture_that_the_server_would_refuse() {
        let shell = FILES[0].2;
        let problem = shell.split("id=\"too-large\" data-most=\"").nth(1).unwrap();
        let (most, problem) = problem.split_once('"').unwrap();
        assert!(problem.contains(&format!(">{TOO_LARGE}<")), "{problem}");
        // Its name, its description and its number come with it.
        assert!(most.parse::<usize>().unwrap().div_ceil(3) * 4 + 100_000 < MOST_BYTES);
    }

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(is_same(b"abc", b"abc"));
        assert!(!is_same(b"abc", b"abd") && !is_same(b"abc", b"ab") && !is_same(b"", b"a"));
    }
}
