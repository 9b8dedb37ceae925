//! Where a text has signs of something that is not written as it stands. Most lines of most texts have none: a text is read for all
//! of them once, and not line by line for each.

use memchr::{memchr, memchr_iter, memchr2_iter, memchr3_iter, memmem};
use sitegen_core::diagnostics::Span;
use std::ops::Range;

/// The places of such signs, in order.
pub(super) struct Signs {
    /// Of bare addresses, emoji, marked and shifted text, formulas, wiki links, kinds of alerts, and of syntax of other programs.
    parts: Vec<usize>,
    /// Two asterisks that no third stands beside, and no backslash before.
    pairs: Vec<usize>,
    /// Whether a brace closes anywhere.
    pub(super) has_closing_brace: bool,
}

impl Signs {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let is_twice = |at: &usize| bytes.get(at + 1) == Some(&bytes[*at]);
        let mut parts: Vec<usize> = memchr3_iter(b':', b'@', b'=', bytes)
            .filter(|at| bytes[*at] != b'=' || is_twice(at))
            .chain(memchr3_iter(b'~', b'^', b'$', bytes))
            .chain(memchr3_iter(b'{', b'+', b'|', bytes).filter(|at| bytes[*at] == b'{' || is_twice(at)))
            .chain(memchr2_iter(b'!', b'?', bytes).filter(|at| is_twice(at) && is_twice(&(at + 1))))
            .chain(memchr_iter(b'[', bytes).filter(|at| is_twice(at) || bytes.get(at + 1) == Some(&b'!')))
            // The dot is what an address is known by.
            .chain(memmem::find_iter(bytes, b"www.").map(|at| at + "www".len()))
            .collect();
        parts.sort_unstable();
        let pairs = memchr_iter(b'*', bytes).filter(|at| is_pair(text, *at)).collect();
        Signs { parts, pairs, has_closing_brace: memchr(b'}', bytes).is_some() }
    }

    /// Whether a line of the text may have something that is not written as it stands.
    pub(super) fn has_parts(&self, line: Span) -> bool {
        !within(&self.parts, line).is_empty()
    }

    /// Returns where the text has two asterisks within a span.
    pub(super) fn pairs(&self, span: Span) -> &[usize] {
        &self.pairs[within(&self.pairs, span)]
    }
}

/// Returns the indexes of the places within a span.
fn within(places: &[usize], span: Span) -> Range<usize> {
    let first = places.partition_point(|at| *at < span.start);
    let length = places[first..].iter().take_while(|at| **at < span.end).count();
    first..first + length
}

fn is_pair(text: &str, at: usize) -> bool {
    let (before, after) = (&text[..at], text[at..].strip_prefix("**"));
    !before.ends_with(['*', '\\']) && after.is_some_and(|after| !after.starts_with('*'))
}
