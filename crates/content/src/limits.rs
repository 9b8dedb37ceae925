//! The limits of content in any format, and what says that a text exceeds them.
//!
//! Content is written by hand: these limits are far above any page and far below what could hurt a build.

use sitegen_core::diagnostics::{Problem, Span, YamlProblem};

/// The most bytes of a file.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;
/// The most values of a file.
pub const MAX_NODES: usize = 200_000;
/// The most levels of values in values.
pub const MAX_DEPTH: usize = 64;

/// Why a text cannot be read, and where.
pub type Failure = (Box<Problem>, Span);

/// Keys that their mapping has already, and where they are.
pub type Repeated = Vec<(String, Span)>;

/// Returns the problem of a text with more bytes than content ever has.
pub fn too_large(text: &str) -> Option<Problem> {
    let (size, limit) = (text.len() >> 20, MAX_BYTES >> 20);
    let detail = format!("{size} MB; the limit is {limit} MB");
    (text.len() > MAX_BYTES).then_some(YamlProblem::YamlTooLarge { detail }.into())
}

/// Returns the problem of a tree with more values than content ever has, or a deeper one.
pub fn too_many(depth: usize) -> Box<Problem> {
    let detail = match depth > MAX_DEPTH {
        true => format!("values are nested more than {MAX_DEPTH} levels deep"),
        false => format!("it has more than {MAX_NODES} values"),
    };
    Box::new(YamlProblem::YamlTooLarge { detail }.into())
}
