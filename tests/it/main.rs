//! The integration tests, in one program: the engine is linked once, and all tests share the processors.
//!
//! `cargo test --profile tested --test it sites::` runs those of one module.

mod support;

mod addresses;
mod architecture;
mod cache;
mod commonmark;
mod connections;
#[cfg(unix)]
mod containment;
mod crosscheck;
mod deploying;
#[cfg(unix)]
mod docs;
mod doctor;
mod editing;
mod edits;
mod effort;
mod examples;
#[cfg(unix)]
mod explained;
#[cfg(unix)]
mod fix;
mod formats;
mod gfm;
mod home;
mod hosts;
mod import;
mod in_place;
#[cfg(unix)]
mod islands;
mod known_errors;
mod languages;
#[cfg(unix)]
mod large;
#[cfg(unix)]
mod lsp;
mod managers;
mod mutations;
mod new;
mod packaging;
mod pictures;
mod properties;
mod publishing;
mod reference;
mod rules;
mod same_bytes;
#[cfg(unix)]
mod saves;
mod search;
mod serving;
mod shared_cache;
mod sites;
#[cfg(unix)]
mod translations;
mod unreadable;
