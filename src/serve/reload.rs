//! Adds to a page what a browser needs to follow the next save: a script at its end, and in its policy the script's
//! hash and permission to connect to this server. Nothing else differs from what is published.

use super::etag::etag;
use crate::html::{Token, tokens};
use crate::sources::{Digest, digest};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

/// The path of the update stream. No file of a site has such a name: hidden files are published from `content/public/`
/// only.
pub const CHANGES: &str = "/.sitegen/changes";

/// The address at which a page asks where a text of it is written, up to its query.
pub const PLACE: &str = "/.sitegen/place?";

/// Reads the query of such a request: the path of the page, and the text.
pub fn place(query: &str) -> (String, String) {
    let value = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let written = pairs.find(|(key, _)| *key == name).map(|(_, value)| value.replace('+', " ")).unwrap_or_default();
        percent_encoding::percent_decode_str(&written).decode_utf8_lossy().into_owned()
    };
    (value("path"), value("text"))
}

const SCRIPT: &str = include_str!("reload.js");

/// Adds the reload script to a page. `tag` is the page's validator.
pub fn with_reload(page: &[u8], tag: &str) -> Vec<u8> {
    let mut served = match std::str::from_utf8(page) {
        Ok(html) => with_policy(html).into_bytes(),
        // A page of the site's own in another encoding. The script is ASCII.
        Err(_) => page.to_vec(),
    };
    // A script after the end of the document still runs (HTML Standard, 13.2.6.4.22), whatever the page is like.
    served.extend_from_slice(format!("<script data-sitegen='{tag}'>{SCRIPT}</script>").as_bytes());
    served
}

/// Returns the validator of a page with the script, from the page's digest: it depends on the page and on the script.
pub fn tag(page: &Digest) -> String {
    etag(&Sha256::new().chain_update(page).chain_update(Sha256::digest(SCRIPT)).finalize().into())
}

/// Returns the page before the first valid build: empty, until the script has something to show.
pub fn empty_page() -> Vec<u8> {
    let page = b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>No page yet</title>\n</head>\n<body></body>\n</html>\n";
    with_reload(page, &tag(&digest(page)))
}

fn with_policy(html: &str) -> String {
    // Browsers apply a policy in the head only (CSP Level 3, 3.3), and the rest of a page may be long.
    let is_head = |token: &Token| !matches!(token, Token::Start(tag) if tag.is("body"));
    let policies = tokens(html).take_while(is_head).filter_map(|token| match token {
        Token::Start(tag) if tag.is("meta") => {
            let is_policy = tag.get("http-equiv")?.trim().eq_ignore_ascii_case("content-security-policy");
            is_policy.then_some((tag, tag.get("content")?))
        }
        _ => None,
    });
    let mut out = String::with_capacity(html.len() + 200);
    let mut from = 0;
    for (tag, policy) in policies {
        // Only the value is replaced and the rest of the tag kept, so that a comparison shows what was added.
        let written = html[tag.start..tag.end].replacen(&*policy, &widened(&policy), 1);
        out.push_str(&html[from..tag.start]);
        out.push_str(&written);
        from = tag.end;
    }
    out.push_str(&html[from..]);
    out
}

/// Adds permission for the script and its connection to a policy, where the policy does not have it already.
pub fn widened(policy: &str) -> String {
    let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(SCRIPT)));
    let mut directives: Vec<Vec<&str>> =
        policy.split(';').map(|directive| directive.split_ascii_whitespace().collect()).collect();
    directives.retain(|directive: &Vec<&str>| !directive.is_empty());
    let falls_back = directives.iter().find(|directive| directive[0].eq_ignore_ascii_case("default-src")).cloned();
    for (name, source) in [("script-src", hash.as_str()), ("connect-src", "'self'")] {
        let own = directives.iter_mut().find(|directive| directive[0].eq_ignore_ascii_case(name));
        let directive = match (own, &falls_back) {
            (Some(own), _) => own,
            // Without either, nothing is forbidden.
            (None, None) => continue,
            (None, Some(default)) => {
                directives.push([&[name], &default[1..]].concat());
                let last = directives.len() - 1;
                &mut directives[last]
            }
        };
        if !directive.contains(&source) {
            directive.retain(|source| !source.eq_ignore_ascii_case("'none'"));
            directive.push(source);
        }
    }
    directives.iter().map(|directive| directive.join(" ")).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_gets_the_script_and_this_server_only() {
        let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(SCRIPT)));
        for (policy, served) in [
            (
                "default-src 'none'; connect-src 'none'; base-uri 'none'",
                format!("default-src 'none'; connect-src 'self'; base-uri 'none'; script-src {hash}"),
            ),
            (
                "default-src 'none'; script-src 'self' 'sha256-x'; connect-src 'self'",
                format!("default-src 'none'; script-src 'self' 'sha256-x' {hash}; connect-src 'self'"),
            ),
            ("frame-ancestors 'none'", "frame-ancestors 'none'".to_owned()),
            ("default-src 'self'", format!("default-src 'self'; script-src 'self' {hash}; connect-src 'self'")),
        ] {
            assert_eq!(widened(policy), served);
        }
    }

    #[test]
    fn the_query_of_a_place_is_read() {
        let (path, text) = place("path=%2Fa%2Fgr%C3%BCn&text=Salt+%26+rye");
        assert_eq!((path.as_str(), text.as_str()), ("/a/grün", "Salt & rye"));
        assert_eq!(place("x"), (String::new(), String::new()));
    }

    #[test]
    fn the_script_is_ascii_and_stays_in_its_element() {
        assert!(SCRIPT.is_ascii() && !SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
    }

    #[test]
    fn the_tag_follows_the_page() {
        let tag = |page: &[u8]| tag(&digest(page));
        assert_eq!(tag(b"a"), tag(b"a"));
        assert_ne!(tag(b"a"), tag(b"b"));
        let page = String::from_utf8(with_reload(b"a", &tag(b"a"))).unwrap();
        assert!(page.starts_with(&format!("a<script data-sitegen='{}'>", tag(b"a"))));
    }
}
