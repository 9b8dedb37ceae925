//! What several tests share.

pub mod generated;
pub mod needs;
pub mod observatory;
pub mod remembering;
pub mod tracing;
