//! Finds values that look like keys to a service. Everything that is published is public, props of islands too.
//!
//! Two signs count: the prefixes that services give to their secret keys, so that programs find them, and a value without
//! any pattern beside a name such as `api_key`. A long random value alone is no sign: digests, ids and public keys look
//! the same. Keys that are meant for browsers, such as `pk_live_…`, are none.

use crate::cache::{Cache, Query};
use crate::diagnostics::{Diagnostic, MOST, Place, PolicyProblem, Problem, Span};
use crate::parallel;
use crate::paths::SourcePath;
use crate::sources::{Chunk, SourceKind, Sources};
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use std::sync::Arc;
use std::sync::LazyLock;

/// Prefixes of secret keys, the service, and how many letters follow at least (each service's documentation, as GitHub's
/// secret scanning lists them).
const PREFIXES: [(&str, &str, usize); 28] = [
    ("AKIA", "AWS", 16),
    ("ASIA", "AWS", 16),
    ("ghp_", "GitHub", 36),
    ("gho_", "GitHub", 36),
    ("ghu_", "GitHub", 36),
    ("ghs_", "GitHub", 36),
    ("ghr_", "GitHub", 36),
    ("github_pat_", "GitHub", 22),
    ("glpat-", "GitLab", 20),
    ("xoxb-", "Slack", 20),
    ("xoxp-", "Slack", 20),
    ("xapp-", "Slack", 20),
    ("hooks.slack.com/services/", "Slack", 20),
    ("sk_live_", "Stripe", 16),
    ("sk_test_", "Stripe", 16),
    ("rk_live_", "Stripe", 16),
    ("whsec_", "Stripe", 20),
    ("sk-proj-", "OpenAI", 20),
    ("sk-ant-", "Anthropic", 20),
    ("GOCSPX-", "Google", 20),
    ("SG.", "SendGrid", 40),
    ("npm_", "npm", 36),
    ("pypi-AgEI", "PyPI", 20),
    ("dop_v1_", "DigitalOcean", 40),
    ("shpat_", "Shopify", 32),
    ("hf_", "Hugging Face", 30),
    ("nfp_", "Netlify", 30),
    ("PRIVATE KEY-----", "a private key", 0),
];

/// Names beside which a value without any pattern is a key, as people write them.
const NAMES: [&str; 32] = [
    "secret",
    "Secret",
    "SECRET",
    "password",
    "Password",
    "PassWord",
    "PASSWORD",
    "passwd",
    "Passwd",
    "PASSWD",
    "apikey",
    "apiKey",
    "ApiKey",
    "Apikey",
    "APIKey",
    "APIKEY",
    "api_key",
    "Api_key",
    "Api_Key",
    "API_Key",
    "API_KEY",
    "api-key",
    "Api-key",
    "Api-Key",
    "API-Key",
    "API-KEY",
    "token",
    "Token",
    "TOKEN",
    "private_key",
    "Private_Key",
    "PRIVATE_KEY",
];

/// The least length of such a value, and the least bits of each of its letters (Shannon). Words and sentences have less.
const LEAST_LENGTH: usize = 20;
const LEAST_BITS: f64 = 3.6;
/// The letters of a private key in its first line: RFC 7468 writes 64 in each but the last.
const LEAST_BODY: usize = 40;

/// Finds prefixes, and behind them names. Few enough words, searched for letter by letter and from the left, are searched
/// for with SIMD: in 46 MB of text without any that takes 12 ms instead of 230.
static SIGNS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let signs = PREFIXES.iter().map(|(prefix, ..)| *prefix).chain(NAMES);
    AhoCorasickBuilder::new().match_kind(MatchKind::LeftmostFirst).build(signs).expect("the signs are few")
});

/// A value that looks like a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Where it is in the text.
    pub span: Span,
    /// The service that gives such keys, or the name that stands beside it.
    pub kind: String,
    /// Its first letters: enough to find it, too few to use it.
    pub start: String,
}

impl Secret {
    /// Returns the problem for a file that has it.
    pub fn problem(&self) -> Problem {
        PolicyProblem::Secret { kind: self.kind.clone(), start: self.start.clone() }.into()
    }
}

/// Finds every value of a text that looks like a key. `has_names` says whether names beside values count: in the code of
/// packages they stand for many other things.
pub fn find(text: &str, has_names: bool) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found: Vec<Secret> = Vec::new();
    let mut add = |start: usize, end: usize, kind: String| {
        if found.iter().all(|known: &Secret| known.span.end <= start || known.span.start >= end) && found.len() <= MOST
        {
            let value = &text[start..end];
            let start_of = value.chars().take(8).collect();
            found.push(Secret { span: Span { start, end }, kind, start: start_of });
        }
    };
    for hit in SIGNS.find_iter(bytes) {
        let Some((prefix, service, least)) = PREFIXES.get(hit.pattern().as_usize()).copied() else {
            if has_names && let Some((start, end)) = beside_name(bytes, hit.end()) {
                let word = hit.end() + key_length(&bytes[hit.end()..]);
                add(start, end, format!("`{}`", text[hit.start()..word].trim_end_matches(['=', '/'])));
            }
            continue;
        };
        let is_inside = text[..hit.start()].ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
        let length = key_length(&bytes[hit.end()..]);
        let rest = &text[hit.end()..hit.end() + length];
        // The whole of it stands in the documentation of AWS.
        let is_example = rest.ends_with("EXAMPLE");
        let is_random = bits(rest) > 2.5 && rest.bytes().any(|byte| byte.is_ascii_digit());
        if least == 0 {
            // Libraries and documentation name the line without a key behind it.
            let body = text[hit.end()..].trim_start_matches(|letter: char| " \t\r\n\\\"'`+,rn".contains(letter));
            if key_length(body.as_bytes()) >= LEAST_BODY {
                add(hit.start(), hit.end(), service.to_owned());
            }
        } else if length >= least && is_random && !is_inside && !is_example && !prefix.is_empty() {
            add(hit.start(), hit.end() + length, service.to_owned());
        }
    }
    found.sort_by_key(|secret| secret.span.start);
    found
}

/// Returns the range of the random value that is assigned to the name that ends here: `"apiKey": "…"`, `api_key: …`,
/// `token = '…'`.
fn beside_name(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let skip = |at: usize, letters: &[u8]| {
        at + bytes[at..].iter().position(|byte| !letters.contains(byte)).unwrap_or(bytes.len() - at)
    };
    let before = skip(end + key_length(&bytes[end..]), b"\"'` ");
    let after = skip(before, b":=");
    let start = skip(after, b"\"'` ");
    let end = start + key_length(&bytes[start..]);
    // What goes on with other letters is an address or an expression.
    let ends = bytes.get(end).is_none_or(|byte| b"\"'` \t\r\n,;}])&<".contains(byte));
    let is_key = after > before && ends && is_random(std::str::from_utf8(&bytes[start..end]).unwrap_or_default());
    is_key.then_some((start, end))
}

/// The number of letters at the start that a key may have.
fn key_length(bytes: &[u8]) -> usize {
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/.~".contains(byte);
    bytes.iter().position(|byte| !is_of_key(byte)).unwrap_or(bytes.len())
}

/// Whether a value has letters and digits in no pattern.
fn is_random(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
    let is_public = ["pk_", "pk.", "pk-", "sha256-", "sha384-", "sha512-"].iter().any(|start| value.starts_with(start));
    let is_address = value.starts_with('/') || value.starts_with('.') || value.contains("//");
    value.len() >= LEAST_LENGTH
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !is_public
        && !is_address
        && value
            .split(['-', '_', '.', '/'])
            .any(|part| part.len() >= 12 && part.bytes().any(|byte| byte.is_ascii_digit()))
        && bits(value) >= LEAST_BITS
}

/// Returns the entropy of a text in bits a letter (Shannon).
fn bits(text: &str) -> f64 {
    let mut counts = [0_usize; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let all = text.len().max(1) as f64;
    counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / all).map(|share| -share * share.log2()).sum()
}

/// What of the sources may be text that is published.
const TEXTS: [&str; 13] = ["yaml", "toml", "csv", "md", "html", "json", "txt", "xml", "js", "mjs", "svg", "ts", "tsx"];

/// Reports every value in content, templates and islands that looks like a key.
pub fn check(sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
    let kinds = SourceKind::ALL.into_iter().filter(|kind| *kind != SourceKind::Package);
    let chunks: Vec<&Arc<Chunk>> = kinds.flat_map(|kind| sources.chunks_of(kind)).collect();
    parallel::flat_map(&chunks, |chunk| {
        let query = WithoutSecrets { chunk };
        cache.query_saved(&query).err().unwrap_or_default()
    })
}

/// Files of which none has a secret.
#[derive(Hash)]
struct WithoutSecrets<'a> {
    chunk: &'a Chunk,
}

impl Query for WithoutSecrets<'_> {
    const KIND: &'static str = "without secrets";
    type Output = ();
    type Refused = Vec<Diagnostic>;

    fn run(&self, _: &Cache) -> Result<(), Vec<Diagnostic>> {
        let is_text = |path: &SourcePath| path.extension().is_some_and(|kind| TEXTS.contains(&kind));
        let files = self.chunk.files().iter().filter(|(path, _)| is_text(path));
        let found = files.flat_map(|(path, source)| {
            let secrets = find(source.here().text().unwrap_or_default(), true).into_iter();
            secrets.map(|secret| Diagnostic::new(secret.problem(), Place::new(path, secret.span)))
        });
        let found: Vec<Diagnostic> = found.collect();
        if found.is_empty() { Ok(()) } else { Err(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        find(text, true).into_iter().map(|secret| secret.kind).collect()
    }

    /// Keys are put together here: programs that look for keys would find them in this file.
    fn key(prefix: &str, rest: &str) -> String {
        format!("{prefix}{rest}")
    }

    #[test]
    fn keys_are_found_by_their_prefixes() {
        let random = "4eC39HqLyjWDarjtT1zdp7dc8Kx2Vb9Qw3Rt5Yu7";
        for (prefix, service, _) in PREFIXES {
            let rest = if prefix.ends_with("-----") { &format!("\\n{random}") } else { random };
            let rest = if service == "AWS" { "QX3TR7WPLM2VB8ND" } else { rest };
            for text in
                [key(prefix, rest), format!("a: {}\n", key(prefix, rest)), format!("f(\"{}\")", key(prefix, rest))]
            {
                assert_eq!(kinds(&text), [service], "{text}");
            }
        }
        let found = find(&format!("é: {}\n", key("ghp_", random)), true);
        assert_eq!((found[0].span.start, found[0].start.as_str()), (4, "ghp_4eC3"));
    }

    #[test]
    fn keys_are_found_by_the_names_beside_them() {
        for text in [
            "api_key: 7f9d1c4be2a85036fd91cc40",
            "{\"apiKey\":\"Zx81Qm20LpVv93KdTtR5\"}",
            "const clientSecret = 'q8W2nZ-x71Lk0Pfd8sTb4'",
            "smtp_password: 9aF2kLm4Qx7ZtB1cV8nR",
        ] {
            assert_eq!(kinds(text).len(), 1, "{text}");
            assert_eq!(find(text, false), [], "{text}");
        }
    }

    #[test]
    fn what_only_looks_similar_is_none() {
        for text in [
            "title: How to keep a secret: tell nobody in 2024",
            "if (!pem.startsWith('-----BEGIN PRIVATE KEY-----')) throw new TypeError('no key in PKCS 8')",
            "The file begins with `-----BEGIN PRIVATE KEY-----`\nand ends with `-----END PRIVATE KEY-----`.",
            "password: correct-horse-battery-staple-2024",
            "token: pk.eyJ1IjoiYWRhIiwiYSI6ImNsMTIzNDU2Nzg5MCJ9",
            "key: pk_live_51H8sQeKd92LmVx0aZt7",
            "integrity: sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
            "class: sk-fading-circle-12345678901234567890",
            "AKIAIOSFODNN7EXAMPLE",
            "token: https://www.example.com/a1b2c3d4e5f6a7b8c9d0e1f2",
            "csrfToken=document.querySelector(\"meta\").content",
            "tokens: [a1, b2]",
            "SG.",
            "-----BEGIN PUBLIC KEY-----",
            "token: /assets/app-4eC39HqLyjWDarjt.js",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "npm_config_registry_and_other_settings_of_npm",
        ] {
            assert_eq!(kinds(text), Vec::<String>::new(), "{text}");
        }
    }
}
