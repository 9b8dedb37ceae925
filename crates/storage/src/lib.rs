//! Storage outside of this machine: buckets, which `sitegen deploy` sends sites to, and a cache that several machines share.
//!
//! A shared cache is a place that has bytes under names ([`transport`], [`address`]), in which each entry is authenticated ([`entry`]); [`shared`]
//! fetches and sends entries while a build goes on.

pub mod address;
#[cfg(feature = "object-storage")]
mod aws_files;
#[cfg(feature = "object-storage")]
mod bazel;
#[cfg(feature = "object-storage")]
pub mod buckets;
pub mod entry;
mod folder;
#[cfg(feature = "object-storage")]
mod objects;
pub mod shared;
pub mod transport;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What failed: `cannot read x: …`, or a text of the target.
    pub what: String,
    /// What to do, if that is known.
    pub help: Option<String>,
}

impl Failure {
    /// A failure of which nothing more is known.
    pub fn new(what: impl Into<String>) -> Self {
        Failure { what: what.into(), help: None }
    }

    /// A failure, and what to do.
    pub fn with_help(what: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { what: what.into(), help: Some(help.into()) }
    }
}
