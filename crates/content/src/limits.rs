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
    // Rounded up, since 4.01 MB are more than 4 MB.
    let size = (text.len() * 10).div_ceil(1 << 20) as f64 / 10.0;
    let detail = format!("{size:.1} MB; the limit is {} MB", MAX_BYTES >> 20);
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
