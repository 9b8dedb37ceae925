//! What several tests share.

pub mod generated;
pub mod observatory;
pub mod remembering;
pub mod tracing;
