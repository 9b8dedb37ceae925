//! What several tests share.

pub mod caching_tools;
pub mod corpus;
pub mod everything;
pub mod foreign;
pub mod generated;
pub mod multilingual;
pub mod needs;
pub mod no_tools;
pub mod observatory;
pub mod size;
pub mod tracing;
pub mod warm;
