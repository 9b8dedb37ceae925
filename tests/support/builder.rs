//! Builds a project again and again while its content changes, for browser tests that need thousands of builds: a process
//! for each takes ten times as long.
//!
//! `builder PROJECT` reads a line of JSON for each build, the list of the paths that have changed since the one before,
//! and answers with a line of JSON, the list of diagnostics as `--format json` prints them. It publishes nothing.

#[path = "../it/support/caching_tools.rs"]
mod caching_tools;

use caching_tools::CachingTools;
use sitegen::diagnostics::{Checked, json_line};
use sitegen::profile::Profile;
use sitegen::sources::{self, Sources};
use sitegen::tools::Tools;
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::args_os().nth(1).expect("the folder of a project"));
    let profile = Profile { today: "2026-12-01".parse().unwrap(), ..Profile::default() };
    let tools = CachingTools::of(&root);
    let mut known: Option<Sources> = None;
    for line in std::io::stdin().lock().lines() {
        let changed: BTreeSet<String> = serde_json::from_str(&line.unwrap()).expect("a list of paths");
        let refreshed = known.take().and_then(|mut sources| {
            sources::refresh(&mut sources, &root, &changed)?;
            Some(Checked::new(sources, Vec::new()))
        });
        let Checked { value, mut diagnostics } = refreshed.unwrap_or_else(|| sources::read(&root));
        let is_read = value.is_some();
        let sources = value.unwrap_or_default();
        if is_read {
            diagnostics.extend(sitegen::build(&sources, &profile, &tools).diagnostics);
            tools.cache().evict_unused();
        }
        let lines: Vec<String> =
            diagnostics.iter().map(|each| json_line(each, None, None, &|path| sources.text(path))).collect();
        println!("[{}]", lines.join(","));
        std::io::stdout().flush().unwrap();
        known = is_read.then_some(sources);
    }
}
