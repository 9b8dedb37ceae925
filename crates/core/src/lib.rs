//! What every stage of a build stands on: paths, files, diagnostics, the cache, and the programs that a build runs.

pub mod bundle;
pub mod cache;
pub mod diagnostics;
pub mod html;
pub mod observe;
pub mod parallel;
pub mod paths;
pub mod profile;
pub mod secrets;
pub mod shelf;
pub mod sources;
pub mod tools;
