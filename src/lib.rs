//! `sitegen` compiles a website: YAML, Markdown, templates and React islands in, a verified site out.
//!
//! A build either publishes a fully verified site or changes nothing, and says exactly which line to fix.
//!
//! # Map
//!
//! ```text
//! disk ─ sources::read ─► Sources ─ content::resolve ─► Site ─┐
//!                          ├─────── islands::compile ─► Islands ─┼─ pages::render ─► Pages ─ artifacts::seal ─► Artifacts ─ publish ─► dist/
//!                          └─────── styles::compile ──► Styles ──┘
//! ```
//!
//! # Invariants
//!
//! - A stage is a function from values to a [`diagnostics::Checked`] value: the value, and everything that is wrong.
//!   A stage that found errors stops the next, so one mistake is told once.
//! - Stages read no clock, environment, random number or hash-map order. What varies comes in through
//!   [`profile::Profile`]; the world is reached through [`tools::Tools`] alone.
//! - What is remembered between builds is keyed by the digest of everything it was made from, never by time.
//! - Facts about a page are read from its final bytes.

pub mod artifacts;
pub mod bundle;
pub mod cache;
pub mod cli;
pub mod content;
pub mod diagnostics;
pub mod html;
pub mod islands;
pub mod known;
pub mod observe;
pub mod pages;
pub mod paths;
pub mod profile;
pub mod publish;
pub mod serve;
pub mod sources;
pub mod styles;
pub mod tools;
pub mod watch;

use artifacts::Artifacts;
use diagnostics::{Checked, limited};
use pages::Inputs;
use profile::Profile;
use sources::Sources;
use tools::Tools;

/// How many pages, files or folders a thread takes at most before others can have the rest. Left to itself, rayon hands
/// out hundreds at a time, and the last thread goes on alone: a tenth of a build in which nothing has changed.
pub(crate) const AT_A_TIME: usize = 32;

/// Builds a site from its sources.
pub fn build(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Artifacts> {
    let ((site, styles), islands) = rayon::join(
        || rayon::join(|| content::resolve(sources, profile, tools), || styles::compile(sources, tools)),
        || islands::compile(sources, profile, tools),
    );
    let made = site.and(styles).and(islands).then(|((site, styles), islands)| {
        let inputs = Inputs { sources, profile, site: &site, styles: &styles, islands: &islands, tools };
        pages::render(inputs).then(|pages| artifacts::seal(inputs, pages))
    });
    Checked { diagnostics: limited(made.diagnostics), ..made }
}
