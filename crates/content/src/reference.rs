//! References in content: `{{ site.email }}` is a plain path to a value elsewhere.
//!
//! This is deliberately no template language: content can name values and nothing else.

use memchr::memchr2_iter;
use sitegen_core::diagnostics::Span;

/// One `{{ … }}` in a text.
pub struct Reference<'a> {
    /// The text between the braces, without the white space around it.
    pub path: &'a str,
    /// The bytes of the text from `{{` to `}}`.
    pub span: Span,
    /// Whether there is a `}}` on the same line.
    pub is_closed: bool,
}

/// Finds every `{{ … }}` of a text. A backslash before the first brace makes it plain text.
pub fn find(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find("{{")?;
            let reference = at(text, start);
            from = reference.span.end;
            if !text[..start].ends_with('\\') {
                return Some(reference);
            }
        }
    })
}

/// Returns the reference that begins with the `{{` at an offset.
pub fn at(text: &str, start: usize) -> Reference<'_> {
    let inner = start + 2;
    // Whichever comes first, so that no part of a long line is searched twice.
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes[*at] == b'\n' || bytes[*at..].starts_with(b"}}");
    let stop = memchr2_iter(b'}', b'\n', &bytes[inner..]).map(|at| inner + at).find(is_end);
    let is_closed = stop.is_some_and(|at| bytes[at] == b'}');
    let stop = stop.unwrap_or(text.len());
    let inside = &text[inner..stop];
    let end = if is_closed { stop + 2 } else { inner + inside.trim_end().len() };
    Reference { path: inside.trim(), span: Span { start, end }, is_closed }
}
