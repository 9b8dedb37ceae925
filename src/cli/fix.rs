//! `sitegen fix` and `sitegen check --fix`: apply what messages propose with certainty, and check the whole site.
//!
//! 1. The site is checked. Repairs are [tried](session) in memory until nothing more is certain; those that do not help are taken
//!    back.
//! 2. With `--dry-run` the difference is printed. Otherwise the files are [replaced](crate::disk), each at once.
//! 3. What remains is reported as by `sitegen check`, of the files as they are on the disk then.

mod session;

use super::project::{self, Project};
use super::{FAILED, signals};
use crate::diagnostics::{Checked, Diagnostic, Severity, ToolProblem};
use crate::disk::Original;
use crate::paths::{SUPPRESSIONS, SourcePath};
use crate::sources::Sources;
use clap::Args;
use session::{Fix, Session};
use similar::TextDiff;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub project: project::Arguments,
    /// Print the changes as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Check as if building with --no-manifest
    #[arg(long)]
    no_manifest: bool,
}

/// Repairs the site, reports what remains, and returns the exit code.
pub fn run(arguments: &Arguments) -> u8 {
    signals::heed();
    fix(&arguments.project, arguments.dry_run, arguments.no_manifest)
}

/// Repairs the site with the arguments of `sitegen check`, and returns the exit code.
pub fn fix(arguments: &project::Arguments, is_dry: bool, no_manifest: bool) -> u8 {
    let mut project = match Project::open(arguments) {
        Ok(project) => project,
        Err(code) => return code,
    };
    // Suppressed errors are repaired too.
    let all = project.sources().clone();
    let suppressions = SourcePath::new(SUPPRESSIONS);
    let start = all.without(&suppressions);
    let files = Files { root: &arguments.root, sources: &start, all: RefCell::default() };
    let check = |sources: &Sources| project.check(arguments, sources, no_manifest);
    let mut session = Session::begin(start.clone(), &check);
    session.run(&|path| files.is_writable(path));
    let Session { mut sources, mut checked, fixed, refused, .. } = session;
    if let Some(text) = all.text(&suppressions) {
        sources = sources.with(&suppressions, text.as_bytes());
        checked = check(&sources);
    }
    let changed: BTreeSet<&SourcePath> = fixed.iter().map(|fix| &fix.repair.place.path).collect();
    let mut failures = files.unwritable();
    if arguments.is_talkative() && is_dry {
        changed.iter().for_each(|path| print_diff(path, &start, &sources));
    }
    let mut written: BTreeSet<&SourcePath> = changed.clone();
    if !is_dry {
        for path in &changed {
            let text = sources.text(path).unwrap_or_default();
            if let Err(reason) = files.replace(path, text) {
                written.remove(path);
                failures.push(failure(path, reason));
            }
        }
    }
    if arguments.is_talkative() {
        report(&fixed, &refused, &written, is_dry);
    }
    if is_dry {
        // Nothing was written: the exit code is that of a check of the files as they are.
        let before = check(&all);
        let is_valid =
            before.value.is_some() && before.diagnostics.iter().all(|each| each.severity == Severity::Warning);
        let code = project.report_of(arguments, checked.diagnostics, &sources, failures);
        return if is_valid { code } else { code.max(super::MISTAKES) };
    }
    // Another program may have changed files meanwhile, and some may not have been written.
    if written.len() < changed.len() {
        drop(project);
        project = match Project::open(arguments) {
            Ok(project) => project,
            Err(code) => return code,
        };
        let sources = project.sources().clone();
        let Checked { diagnostics, .. } = project.check(arguments, &sources, no_manifest);
        return project.report_of(arguments, diagnostics, &sources, failures).max(FAILED);
    }
    project.report_of(arguments, checked.diagnostics, &sources, failures)
}

/// The files on the disk, each read when a repair of it is tried.
struct Files<'p> {
    root: &'p std::path::Path,
    sources: &'p Sources,
    all: RefCell<BTreeMap<SourcePath, Result<Original, String>>>,
}

impl Files<'_> {
    fn is_writable(&self, path: &SourcePath) -> bool {
        let mut all = self.all.borrow_mut();
        let read = || Original::of(self.root, path, self.sources.text(path).unwrap_or_default());
        all.entry(path.clone()).or_insert_with(read).is_ok()
    }

    /// Returns what to report of files that have repairs and cannot be replaced.
    fn unwritable(&self) -> Vec<Diagnostic> {
        let all = self.all.borrow();
        all.iter().filter_map(|(path, file)| Some(failure(path, file.as_ref().err()?.clone()))).collect()
    }

    fn replace(&self, path: &SourcePath, text: &str) -> Result<(), String> {
        match self.all.borrow().get(path) {
            Some(Ok(original)) => original.replace(text),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err("it was not read".to_owned()),
        }
    }
}

fn failure(path: &SourcePath, detail: String) -> Diagnostic {
    Diagnostic::failure(ToolProblem::Io { action: "fix", path: path.as_str().to_owned(), detail })
}

/// Prints what `diff -u` prints of a file before and after.
pub(super) fn print_diff(path: &SourcePath, before: &Sources, after: &Sources) {
    let lines = |sources: &Sources| sources.text(path).unwrap_or_default().replace("\r\n", "\n");
    let (before, after) = (lines(before), lines(after));
    let diff = TextDiff::from_lines(&before, &after);
    let printed = diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string();
    print_line!("{}", printed.trim_end_matches('\n'));
}

/// Prints what was fixed, and what was tried and taken back.
fn report(fixed: &[Fix], refused: &[Fix], written: &BTreeSet<&SourcePath>, is_dry: bool) {
    let done = fixed.iter().filter(|fix| written.contains(&fix.repair.place.path));
    for fix in done.clone() {
        let word = if is_dry { "would fix" } else { "fixed" };
        print_line!("{word} {}:{}: {} [{}]", fix.repair.place.path, fix.line, fix.repair.title, fix.code);
    }
    for Fix { repair, line, code, .. } in refused {
        let why = "a check found that it does not help";
        print_line!("not fixed {}:{line}: {} [{code}], because {why}", repair.place.path, repair.title);
    }
    let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    let files = if written.len() == 1 { "1 file".to_owned() } else { format!("{} files", written.len()) };
    match done.count() {
        0 => print_line!("nothing to fix with certainty"),
        number if is_dry => print_line!("would fix {} in {files}; nothing was written", count(number, "problem")),
        number => print_line!("fixed {} in {files}", count(number, "problem")),
    }
}
