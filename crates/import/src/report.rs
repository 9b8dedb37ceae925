//! `IMPORT.md`: what was translated, what was not, and which faults the old site had.

use super::site::{Finding, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// What happened in an import.
#[derive(Debug, Default)]
pub struct Report {
    /// The name of the generator.
    pub(crate) generator: &'static str,
    /// Numbers in words: `12 posts in content/posts`.
    pub(crate) counts: Vec<String>,
    /// Addresses that changed: from and to.
    pub(crate) moved: Vec<(String, String)>,
    /// Addresses that changed, and from which nothing leads to the new ones.
    pub(crate) lost: Vec<(String, String)>,
    /// Addresses at which the old site published something.
    pub(crate) addresses: BTreeSet<String>,
    /// Those at which the new site publishes nothing, once it was built.
    gone: Option<Vec<String>>,
    /// Components, a row of the table each.
    pub(crate) components: Vec<String>,
    /// Findings with the file and the line where they are now, or were.
    pub(crate) findings: Vec<(String, usize, Finding)>,
    /// What is to be done by hand in any case.
    pub(crate) steps: Vec<String>,
    /// The number of texts.
    pub texts: usize,
}

/// What the compiler says about the new project.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Whether it stops a build.
    pub is_error: bool,
    /// Where: `content/pages/a.md:3`.
    pub place: String,
    /// What, with its code.
    pub message: String,
}

/// Lines of a list in the report, so that a thousand equal faults do not hide the others.
const MOST: usize = 200;

impl Report {
    /// The number of faults of the old site that the import found.
    pub fn faults(&self) -> usize {
        self.findings.iter().filter(|(_, _, finding)| finding.kind == Kind::Fault).count()
    }

    /// The number of things that were not translated.
    pub fn left(&self) -> usize {
        let gone = self.gone.as_ref().map_or(0, Vec::len);
        self.findings.iter().filter(|(_, _, finding)| finding.kind == Kind::Left).count() + gone
    }

    /// Finds the addresses of the old site at which the new one publishes neither a page nor a file nor a redirect.
    pub fn compare(&mut self, is_published: impl Fn(&str) -> bool) {
        let known: BTreeSet<&String> = self.lost.iter().chain(&self.moved).map(|(from, _)| from).collect();
        let is_there = |address: &str| {
            let path = address.trim_matches('/');
            let page = format!("{path}/index.html");
            [path, &format!("{path}.html"), page.trim_start_matches('/')].into_iter().any(&is_published)
        };
        let gone = self.addresses.iter().filter(|address| !known.contains(address) && !is_there(address));
        self.gone = Some(gone.cloned().collect());
    }

    /// Notes that nothing leads from an old address to its new one.
    pub(crate) fn lose(&mut self, address: &str) {
        let (lost, moved) = std::mem::take(&mut self.moved).into_iter().partition(|(from, _)| from == address);
        self.moved = moved;
        self.lost.extend::<Vec<_>>(lost);
    }

    /// Writes the report. `judgements` are those of a check of the new project.
    pub fn markdown(&self, judgements: &[Judgement]) -> String {
        let mut out = format!("# Import from {}\n\n", self.generator);
        out.push_str("`sitegen import` wrote this project. This file is for you: delete it when you are done.\n\n");
        self.counts.iter().for_each(|count| out.push_str(&format!("- {count}\n")));
        section(&mut out, "To do", &self.steps);
        let errors: Vec<&Judgement> = judgements.iter().filter(|each| each.is_error).collect();
        let warnings: Vec<&Judgement> = judgements.iter().filter(|each| !each.is_error).collect();
        let rows =
            |of: &[&Judgement]| of.iter().map(|each| format!("{}: {}", each.place, each.message)).collect::<Vec<_>>();
        section(&mut out, "Errors that stop a build", &rows(&errors));
        if !errors.is_empty() {
            out.push_str(
                "\nThe check stops at the first part of a build that has errors. Once these are corrected, run `sitegen check` \
                 again:\nit may find others in later parts.\n",
            );
        }
        if !self.components.is_empty() {
            out.push_str(
                "\n## Components\n\nEach stands for something that texts of the old site called. Its file in\n\
                `templates/components` has the arguments of the calls; those that are marked show nothing yet.\n\n\
                | Component | Stands for | Calls | First in | |\n|---|---|---:|---|---|\n",
            );
            self.components.iter().for_each(|row| out.push_str(&format!("{row}\n")));
        }
        for (kind, title) in [
            (Kind::Left, "Not translated"),
            (Kind::Fault, "Faults of the old site"),
            (Kind::Changed, "Written differently"),
        ] {
            let of_kind = self.findings.iter().filter(|(_, _, finding)| finding.kind == kind);
            section(&mut out, title, &grouped(of_kind));
        }
        let lost = self.lost.iter().map(|(from, to)| format!("`{from}` is `{to}` now, and nothing leads there"));
        let moved = self.moved.iter().map(|(from, to)| format!("`{from}` leads to `{to}`"));
        let gone = self.gone.iter().flatten().map(|address| format!("`{address}` is gone: nothing is published there"));
        let moved: Vec<String> = gone.chain(lost).chain(moved).collect();
        section(&mut out, "Addresses that changed", &moved);
        if self.gone.is_none() && !self.addresses.is_empty() {
            out.push_str(
                "\n## Addresses that were not compared\n\nErrors stop the build, so nobody knows yet whether the new site keeps \
                 these addresses of the old one:\n\n",
            );
            self.addresses.iter().for_each(|address| out.push_str(&format!("- `{address}`\n")));
        }
        section(&mut out, "Warnings of `sitegen check`", &rows(&warnings));
        out
    }
}

/// Returns a number with its noun.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes a list under a heading, if it has anything.
fn section(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    out.push_str(&format!("\n## {title}\n\n"));
    lines.iter().take(MOST).for_each(|line| out.push_str(&format!("- {}\n", line.replace('\n', " "))));
    if lines.len() > MOST {
        out.push_str(&format!("- and {} more\n", lines.len() - MOST));
    }
}

/// Returns a line for each message, with all of its places.
fn grouped<'f>(findings: impl Iterator<Item = &'f (String, usize, Finding)>) -> Vec<String> {
    const PLACES: usize = 20;
    let mut by_message: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, line, finding) in findings {
        let place = if *line == 0 { file.clone() } else { format!("{file}:{line}") };
        by_message.entry(&finding.message).or_default().push(place);
    }
    let lines = by_message.into_iter().map(|(message, mut places)| {
        places.sort();
        places.dedup();
        let more = places.len().saturating_sub(PLACES);
        places.truncate(PLACES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}: {message}", places.join(", "))
    });
    lines.collect()
}
