//! Addresses without `<` and `>` around them: `https://www.example.com`, `www.example.com` and `info@example.com`.
//!
//! The rules are those of GitHub's dialect (GitHub Flavored Markdown 0.29, 6.9 "Autolinks").

use memchr::memchr3_iter;
use sitegen_core::diagnostics::Span;
use std::borrow::Cow;

/// Returns the addresses in a line of text, each with what its link begins with besides.
pub(super) fn all(text: &str) -> Vec<(Span, &'static str)> {
    let mut found = Vec::new();
    let mut end = 0;
    for (at, kind) in candidates(text) {
        // The rest of an address is read once.
        if at < end {
            continue;
        }
        let link = match kind {
            Kind::Web => scheme(text, at).and_then(|start| Some((web(text, start, at + 3)?, ""))),
            Kind::Www => web(text, at, at).map(|span| (span, "http://")),
            Kind::Mail => mail(text, at),
        };
        if let Some((span, prefix)) = link.filter(|(span, _)| span.start >= end) {
            end = span.end;
            found.push((span, prefix));
        }
    }
    found
}

/// Returns whether a text may have an address of the web.
pub(super) fn may_be_in(text: &str) -> bool {
    candidates(text).any(|(_, kind)| !matches!(kind, Kind::Mail))
}

/// Returns the places of what every address has, in order. Each line of each text comes by here, so it is read once.
fn candidates(text: &str) -> impl Iterator<Item = (usize, Kind)> {
    let bytes = text.as_bytes();
    memchr3_iter(b':', b'.', b'@', bytes).filter_map(move |at| match bytes[at] {
        b'@' => Some((at, Kind::Mail)),
        b':' => bytes[at..].starts_with(b"://").then_some((at, Kind::Web)),
        _ => bytes[..at].ends_with(b"www").then(|| (at - b"www".len(), Kind::Www)),
    })
}

/// What a sign in a text may belong to.
#[derive(Clone, Copy)]
enum Kind {
    /// `://`
    Web,
    /// `www.`
    Www,
    /// `@`
    Mail,
}

/// Returns where the scheme before a `://` begins.
fn scheme(text: &str, at: usize) -> Option<usize> {
    let starts = ["https", "http"].into_iter().filter_map(|scheme| Some((at.checked_sub(scheme.len())?, scheme)));
    let mut starts =
        starts.filter(|(start, scheme)| text.get(*start..at).is_some_and(|it| it.eq_ignore_ascii_case(scheme)));
    starts.next().map(|(start, _)| start)
}

/// Returns an address as it reads: without the `\` before punctuation, with `&amp;` as `&`.
pub(super) fn unescaped(written: &str) -> Cow<'_, str> {
    match written.contains("&amp;") {
        true => Cow::Owned(written.replace("&amp;", "&")),
        false => Cow::Borrowed(written),
    }
}

/// Whether an address may begin at an offset.
fn may_begin(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "*_~(\"'“”„«»‘’[—–".contains(before))
}

/// Returns the address that begins at `start` and whose host begins at `host`.
fn web(text: &str, start: usize, host: usize) -> Option<Span> {
    if !may_begin(text, start) {
        return None;
    }
    let rest = &text[host..];
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.') || is_mark(letter);
    let name = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
    let name = name.trim_end_matches(['.', '-', '_']);
    let labels: Vec<&str> = name.split('.').collect();
    let is_host = labels.len() > 1 && labels.iter().all(|label| !label.is_empty());
    let last = labels.len().saturating_sub(2);
    // A value may have any dots.
    let is_value = name.chars().any(is_mark);
    if !is_value && (!is_host || labels[last..].iter().any(|label| label.contains('_'))) {
        return None;
    }
    let end = rest.find(|letter: char| letter.is_whitespace() || letter == '<').unwrap_or(rest.len());
    let end = trimmed(&rest[..end]);
    (end > 0).then(|| Span { start, end: host + end })
}

/// Whether a character stands for the value of a reference.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}')
}

/// Returns the length of an address without the punctuation after it.
fn trimmed(address: &str) -> usize {
    let mut end = address.len();
    let opened = address.matches('(').count();
    let mut closed = address.matches(')').count();
    while let Some(last) = address[..end].chars().next_back() {
        match last {
            '?' | '!' | '.' | ',' | ':' | '*' | '_' | '~' | '\'' | '"' | '“' | '”' | '’' | '»' | '«' | ']' => {}
            ')' if closed > opened => closed -= 1,
            // `&copy;` is a character after the address.
            ';' => {
                let name = address[..end - 1].trim_end_matches(|letter: char| letter.is_ascii_alphanumeric());
                if name.ends_with('&') && name.len() < end - 1 {
                    end = name.len() - 1;
                    continue;
                }
            }
            _ => return end,
        }
        end -= last.len_utf8();
    }
    end
}

/// Returns the address for mail around an `@`, which may begin with its scheme.
fn mail(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let is_local = |letter: char| letter.is_ascii_alphanumeric() || ".-_+".contains(letter);
    let start = at - text[..at].bytes().rev().take_while(|byte| is_local(char::from(*byte))).count();
    let rest = &text[at + 1..];
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    let host = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
    // No dot at its end belongs to it; a sign does, and makes it none.
    let host = host.trim_end_matches('.');
    let is_host = host.contains('.') && !host.ends_with(['-', '_']) && host.split('.').all(|label| !label.is_empty());
    if !is_host || start == at || text[start..].starts_with('.') || rest[host.len()..].starts_with('@') {
        return None;
    }
    let end = at + 1 + host.len();
    let is_before = |scheme: &&str| text[..start].ends_with(scheme) && may_begin(text, start - scheme.len());
    match ["mailto:", "xmpp:"].into_iter().find(is_before) {
        Some(scheme) => {
            let end = if scheme == "xmpp:" { end + resource(&text[end..]) } else { end };
            Some((Span { start: start - scheme.len(), end }, ""))
        }
        None => (!text[..start].ends_with(['/', ':', '\\'])).then_some((Span { start, end }, "mailto:")),
    }
}

/// Returns the length of what an address of XMPP names behind the host: `/txt`.
fn resource(text: &str) -> usize {
    let Some(name) = text.strip_prefix('/') else { return 0 };
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '@' | '.');
    let name = name[..name.find(|letter| !is_part(letter)).unwrap_or(name.len())].trim_end_matches('.');
    if name.is_empty() { 0 } else { 1 + name.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<String> {
        all(text).into_iter().map(|(span, prefix)| format!("{prefix}{}", &text[span.start..span.end])).collect()
    }

    #[test]
    fn addresses_end_where_github_ends_them() {
        for (text, expected) in [
            ("see https://a.test/x_y--z?b=1&c=2#d.", "https://a.test/x_y--z?b=1&c=2#d"),
            ("(https://a.test/x(y))", "https://a.test/x(y)"),
            ("(see https://a.test/x)", "https://a.test/x"),
            ("https://a.test/?q=a&hl=en;", "https://a.test/?q=a&hl=en"),
            ("https://a.test/x&copy;", "https://a.test/x"),
            ("„https://a.test/x“, he said", "https://a.test/x"),
            ("HTTPS://A.test/<b>", "HTTPS://A.test/"),
            ("https://www.bäckerei.test/brot", "https://www.bäckerei.test/brot"),
            ("**www.a.test/b**", "http://www.a.test/b"),
            ("(mailto:a@b.test/)", "mailto:a@b.test"),
            ("xmpp:a@b.test/x@y.z/c.", "xmpp:a@b.test/x@y.z"),
            ("write to a.b-c_d+e@f-g.test.", "mailto:a.b-c_d+e@f-g.test"),
        ] {
            assert_eq!(links(text), [expected], "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_addresses() {
        for text in [
            "xhttps://a.test",
            "https://",
            "https://localhost and http:// and ://",
            "https://a_b.c_d",
            "ftp://a.test",
            "javascript://a.test/%0a",
            "awww.a.test",
            "www.",
            "a@b",
            "a@b.test_",
            "mailto:a@b.test-",
            "xmailto:a@b.test",
            "ftp:a@b.test",
            "@a.test",
            "https://a..test",
        ] {
            assert_eq!(links(text), [] as [&str; 0], "{text}");
        }
    }
}
