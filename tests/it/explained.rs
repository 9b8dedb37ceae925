//! The examples of `sitegen explain`: the wrong one of each code, in a small project, is reported with this code at a place in it, and the
//! project has no mistake with the right one. `tests/explained/README.md` says how an example becomes a project.

use crate::support::generated::{self, Files};
use rayon::prelude::*;
use serde::Deserialize;
use sitegen::diagnostics::{Position, Severity, code, explained, explanation, message};
use sitegen::profile::Profile;
use sitegen::sources;
use sitegen::tools::DiskTools;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where an example is put, in a file of a project and in the project of files. What a code leaves out comes from `all` in the same file, and
/// what the right example leaves out from the wrong one.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Staging {
    file: Option<String>,
    around: Option<String>,
    files: Option<BTreeMap<String, Option<String>>>,
    replace: Option<BTreeMap<String, String>>,
    times: Option<usize>,
    latin_1: Option<bool>,
    earlier: Option<BTreeMap<String, Option<String>>>,
    run: Option<String>,
    at: Option<String>,
    also: Option<BTreeSet<String>>,
    beside: Option<bool>,
    right: Option<Box<Staging>>,
    unstaged: Option<String>,
    varies: Option<String>,
}

impl Staging {
    /// Returns this with what it leaves out.
    fn or(self, other: &Staging) -> Staging {
        let other = other.clone();
        Staging {
            file: self.file.or(other.file),
            around: self.around.or(other.around),
            files: self.files.or(other.files),
            replace: self.replace.or(other.replace),
            times: self.times.or(other.times),
            latin_1: self.latin_1.or(other.latin_1),
            earlier: self.earlier.or(other.earlier),
            run: self.run.or(other.run),
            at: self.at.or(other.at),
            also: self.also.or(other.also),
            beside: self.beside.or(other.beside),
            right: self.right.or(other.right),
            unstaged: self.unstaged.or(other.unstaged),
            varies: self.varies.or(other.varies),
        }
    }
}

/// The files of `tests/explained`.
struct Catalogue {
    /// The files of every project, and by patterns with a `*` those that a project may have. `…` in a text is where an example goes, or what
    /// else a file has.
    project: BTreeMap<String, String>,
    stagings: BTreeMap<String, Staging>,
}

const FRAMED: char = '…';

impl Catalogue {
    fn read() -> Self {
        let folder = generated::repository().join("tests/explained");
        let mut catalogue = Catalogue { project: BTreeMap::new(), stagings: BTreeMap::new() };
        for (name, bytes) in generated::read(&folder).iter().filter(|(name, _)| name.ends_with(".yaml")) {
            let text = std::str::from_utf8(bytes).unwrap();
            if name == "project.yaml" {
                catalogue.project = serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
                continue;
            }
            let family: BTreeMap<String, Option<Staging>> =
                serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let all = family.get("all").cloned().flatten().unwrap_or_default();
            for (code, own) in family.into_iter().filter(|(code, _)| code != "all") {
                let own = own.unwrap_or_default();
                let files = all.files.iter().chain(&own.files).flatten();
                let files = files.map(|(path, text)| (path.clone(), text.clone())).collect();
                let staging = Staging { files: Some(files), ..own }.or(&all);
                assert!(catalogue.stagings.insert(code.clone(), staging).is_none(), "{name}: {code} is there twice");
            }
        }
        catalogue
    }

    /// Returns what is around the text of a file, or its text if there is no `…` in it.
    fn frame(&self, path: &str) -> &str {
        let fits = |pattern: &str| {
            let (start, end) = pattern.split_once('*')?;
            (path.len() + 1 >= pattern.len() && path.starts_with(start) && path.ends_with(end)).then_some(pattern.len())
        };
        let exact = self.project.get(path);
        let longest = || self.project.iter().filter_map(|(name, text)| Some((fits(name)?, text))).max();
        exact.or_else(|| longest().map(|(_, text)| text)).map_or("…", String::as_str)
    }
}

/// An example with its staging.
struct Example<'e> {
    staging: &'e Staging,
    place: Place<'e>,
    text: String,
}

/// Where an example belongs.
#[derive(Clone, PartialEq)]
enum Place<'e> {
    File(&'e str),
    /// The example is a list of files.
    Files,
    /// The example is commands.
    Shell,
    /// The example is what a command prints.
    Message,
}

impl<'e> Example<'e> {
    fn new(staging: &'e Staging, language: &str, block: &'e str) -> Self {
        let place = match (named(block), staging.file.as_deref(), language) {
            (Some(path), _, _) => Place::File(path),
            (_, Some("shell"), _) | (_, None, "sh") => Place::Shell,
            (_, Some("message"), _) => Place::Message,
            (_, Some(path), _) => Place::File(path),
            (_, None, "yaml") => Place::File("content/site.yaml"),
            (_, None, "markdown") => Place::File("content/pages/index.md"),
            (_, None, "html") => Place::File("templates/pages/page.html"),
            (_, None, "css") => Place::File("templates/styles/main.css"),
            (_, None, "tsx" | "typescript") => Place::File("islands/Order.tsx"),
            (_, None, _) => Place::Files,
        };
        let replaced =
            staging.replace.iter().flatten().fold(block.to_owned(), |text, (old, new)| text.replace(old, new));
        Example { staging, place, text: replaced.repeat(staging.times.unwrap_or(1)) }
    }
}

/// Returns the file that the first line of an example names in a comment.
fn named(block: &str) -> Option<&str> {
    let line = block.lines().next()?;
    let comment = ["# ", "/* ", "// ", "<!-- "].iter().find_map(|start| line.strip_prefix(start))?;
    let path = comment.split([' ', ',']).next()?;
    sources::FOLDERS
        .iter()
        .any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        .then_some(path)
}

/// A project with examples in it.
#[derive(Default)]
struct Project {
    files: Files,
    links: BTreeMap<String, String>,
    /// The files that the examples are in with their lines; none for a file that is an example as it is.
    examples: BTreeMap<String, Option<RangeInclusive<usize>>>,
}

impl Project {
    fn of(catalogue: &Catalogue, examples: &[Example], more: &BTreeMap<String, Option<String>>) -> Self {
        let mut project = Project::default();
        let last = examples.last().unwrap().staging;
        let fixed =
            catalogue.project.keys().filter(|path| !path.contains('*')).map(|path| (path.clone(), String::new()));
        let mut texts: BTreeMap<String, String> = fixed.collect();
        let given = examples.iter().flat_map(|example| example.staging.files.iter().flatten()).chain(more);
        texts.extend(given.map(|(path, text)| (path.clone(), text.clone().unwrap_or_default())));
        for example in examples.iter().filter(|example| example.place == Place::Files) {
            project.list(&example.text, &mut texts);
        }
        for example in examples {
            if let Place::File(path) = example.place {
                texts.entry(path.to_owned()).or_default();
            }
        }
        for (path, text) in texts {
            let own: Vec<&Example> = examples.iter().filter(|each| each.place == Place::File(&path)).collect();
            let around = own.iter().find_map(|example| example.staging.around.as_deref());
            let example: String = own.iter().map(|example| example.text.as_str()).collect();
            let separator = if text.is_empty() || text.ends_with('\n') || own.is_empty() { "" } else { "\n" };
            let lines = text.matches('\n').count() + separator.len();
            let (before, whole) = framed(around, catalogue.frame(&path), &path, &format!("{text}{separator}{example}"));
            if !own.is_empty() {
                let first = before + lines + 1;
                project.examples.insert(path.clone(), Some(first..=first + example.matches('\n').count().max(1) - 1));
            }
            let bytes = match whole.strip_prefix('=') {
                Some(from) => fs::read(generated::repository().join(from.trim()))
                    .unwrap_or_else(|error| panic!("{from}: {error}")),
                None if !own.is_empty() && last.latin_1 == Some(true) => {
                    whole.chars().map(|letter| u8::try_from(letter).unwrap()).collect()
                }
                None => whole.into_bytes(),
            };
            project.files.insert(path, bytes);
        }
        project.files.retain(|path, _| !project.links.contains_key(path));
        project
    }

    /// Adds the files of a list: a path on each line; after a colon its text, indented by two, or after an arrow where a link leads. Two
    /// spaces begin a remark.
    fn list(&mut self, list: &str, texts: &mut BTreeMap<String, String>) {
        let mut current = None;
        for line in list.lines() {
            if let (Some(text), Some(path)) = (line.strip_prefix("  "), &current) {
                let file: &mut String = texts.get_mut(path).unwrap();
                file.push_str(&format!("{text}\n"));
                continue;
            }
            let line = line.split("  ").next().unwrap().trim_end_matches(':');
            let (path, link) = line.split_once(" -> ").map_or((line, None), |(path, link)| (path, Some(link)));
            self.examples.insert(path.to_owned(), None);
            self.links.extend(link.map(|link| (path.to_owned(), link.to_owned())));
            texts.entry(path.to_owned()).or_default();
            current = Some(path.to_owned());
        }
    }

    fn write(&self, root: &Path) {
        generated::write(&self.files, root);
        for (path, link) in &self.links {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(link, root.join(path)).unwrap();
        }
    }

    /// Whether a report is about the wrong example of its code.
    fn is_about(&self, example: &Example, report: &Report) -> bool {
        match &example.staging.at {
            Some(path) => report.path.as_ref() == Some(path),
            None => matches!(example.place, Place::Shell | Place::Message) || self.is_in_example(report),
        }
    }

    /// Whether a report is at a line of an example.
    fn is_in_example(&self, report: &Report) -> bool {
        let lines = report.path.as_ref().and_then(|path| self.examples.get(path));
        lines.is_some_and(|lines| lines.as_ref().zip(report.line).is_none_or(|(lines, line)| lines.contains(&line)))
    }
}

/// Puts a text into what is around it, and returns the lines before it with all of the file. A text that begins a document stays as it is.
fn framed(around: Option<&str>, frame: &str, path: &str, text: &str) -> (usize, String) {
    let is_document = ["---\n", "+++\n", "<!doctype", "<html"].iter().any(|start| text.starts_with(start));
    let frame = match around {
        Some(around) => around,
        None if (is_document || !frame.contains(FRAMED)) && !text.is_empty() => "…",
        None => frame,
    };
    // Of a key that the example has too, the example's value counts.
    let is_replaced = |line: &str| {
        let key = line.split_inclusive(':').next().filter(|key| path.ends_with(".yaml") && key.ends_with(':'));
        key.is_some_and(|key| text.lines().any(|line| line.starts_with(key)))
    };
    let frame: String = frame.split_inclusive('\n').filter(|line| !is_replaced(line)).collect();
    let (before, after) = frame.split_once(FRAMED).unwrap_or((&frame, ""));
    let after = if text.ends_with('\n') { after.strip_prefix('\n').unwrap_or(after) } else { after };
    (before.matches('\n').count(), format!("{before}{text}{after}"))
}

/// What the program reports.
struct Report {
    severity: Severity,
    code: String,
    message: String,
    path: Option<String>,
    line: Option<usize>,
    /// All of its lines as a command prints them.
    printed: String,
}

impl Report {
    /// Whether it is a warning that says no more than that an example is short: it has keys that no page shows, and names that are samples.
    fn is_of_short_examples(&self) -> bool {
        const CODES: [&str; 4] = ["placeholder", "unused-connection", "unused-file", "unused-key"];
        self.severity == Severity::Warning && CODES.contains(&self.code.as_str())
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        write!(f, "\n        [{}] {} ({}{line})", self.code, self.message, self.path.as_deref().unwrap_or("no file"))
    }
}

/// The day of every build, as a date and as the programs read it.
const TODAY: (jiff::civil::Date, &str) = (jiff::civil::date(2026, 12, 1), "1796083200");

/// Checks a project in this process.
fn check(root: &Path) -> Vec<Report> {
    let read = sources::read(root);
    let profile = Profile { today: TODAY.0, ..Profile::default() };
    let built = read.value.as_ref().map(|sources| sitegen::build(sources, &profile, &DiskTools::of(root)));
    let sources = read.value.unwrap_or_default();
    let report = |each: sitegen::diagnostics::Diagnostic| {
        let text = each.place.as_ref().and_then(|place| Some((sources.text(&place.path)?, place.span?)));
        Report {
            severity: each.severity,
            code: code(&each.problem).to_owned(),
            message: message(&each.problem),
            path: each.place.as_ref().map(|place| place.path.to_string()),
            line: text.and_then(|(text, span)| Position::of(text, span)).map(|position| position.line),
            printed: String::new(),
        }
    };
    read.diagnostics.into_iter().chain(built.into_iter().flat_map(|built| built.diagnostics)).map(report).collect()
}

/// Runs commands in a project, and returns all that they print with what is reported in it.
fn run(commands: &str, root: &Path) -> (String, Vec<Report>) {
    let programs = Path::new(env!("CARGO_BIN_EXE_sitegen")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-c", commands]).current_dir(root).env("PATH", path).env("HOME", root.parent().unwrap());
    command.env("NO_COLOR", "1").env("SOURCE_DATE_EPOCH", TODAY.1).stdin(Stdio::null());
    // In CI, `deploy` does not take `.sitegen` for what it deployed last.
    command.env_remove("SITEGEN_CACHE_KEY").env_remove("CI");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let mut reports: Vec<Report> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let severities = [("error[", Severity::Error), ("warning[", Severity::Warning), ("failed[", Severity::Failure)];
        let start = severities.into_iter().find_map(|(start, severity)| Some((line.strip_prefix(start)?, severity)));
        if let Some(((code, message), severity)) =
            start.and_then(|(rest, severity)| Some((rest.split_once("]: ")?, severity)))
        {
            let (code, message, printed) = (code.to_owned(), message.to_owned(), line.to_owned());
            reports.push(Report { severity, code, message, path: None, line: None, printed });
            is_inside = true;
            continue;
        }
        // The other lines of a message are indented.
        is_inside &= line.starts_with(' ');
        if let Some(report) = reports.last_mut().filter(|_| is_inside) {
            report.printed.push_str(&format!("\n{line}"));
            if let Some(place) = line.trim().strip_prefix("--> ") {
                let mut parts = place.split(':');
                report.path = parts.next().map(str::to_owned);
                report.line = parts.next().and_then(|line| line.parse().ok());
            }
        }
    }
    assert!(output.status.success() || !reports.is_empty(), "{commands}: {text}");
    (text, reports)
}

/// Puts examples into a project in the folder `bakery`, and returns it with the commands to run there, if it needs any.
fn staged(catalogue: &Catalogue, examples: &[Example], home: &Path) -> (Project, Option<String>) {
    let root = home.join("bakery");
    let last = examples.last().unwrap();
    if let Some(earlier) = &last.staging.earlier {
        let before = [Example { staging: last.staging, place: Place::Shell, text: String::new() }];
        let project = Project::of(catalogue, &before, earlier);
        project.write(&root);
        run("sitegen build", &root);
        project.files.keys().for_each(|path| fs::remove_file(root.join(path)).unwrap());
    }
    let project = Project::of(catalogue, examples, &BTreeMap::new());
    project.write(&root);
    let first = last.staging.run.as_deref();
    let commands = match last.place {
        Place::Shell => Some(format!("{}\n{}", first.unwrap_or_default(), last.text)),
        _ => first.or(last.staging.earlier.as_ref().map(|_| "sitegen build")).map(str::to_owned),
    };
    (project, commands)
}

/// Returns what is wrong with the report that the program gives about examples.
fn faults(catalogue: &Catalogue, name: &str, examples: &[Example], is_wrong: bool, home: &Path) -> Vec<String> {
    let root = home.join("bakery");
    let last = examples.last().unwrap();
    let (project, commands) = staged(catalogue, examples, home);
    let (printed, reports) = commands.map_or_else(|| (String::new(), check(&root)), |commands| run(&commands, &root));

    let mut faults = Vec::new();
    let (own, others): (Vec<&Report>, Vec<&Report>) = reports.iter().partition(|report| report.code == name);
    let list = |reports: &[&Report]| reports.iter().map(ToString::to_string).collect::<String>();
    if is_wrong {
        if own.is_empty() {
            faults.push("the wrong example is not reported with this code".to_owned());
        } else if !own.iter().any(|report| project.is_about(last, report)) {
            faults.push(format!("the wrong example is reported elsewhere:{}", list(&own)));
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if last.place == Place::Message && !words(&printed).contains(&words(&last.text)) {
            faults.push(format!("this message is printed:\n{printed}"));
        }
    } else if !own.is_empty() {
        faults.push(format!("the right example is reported:{}", list(&own)));
    }
    let is_known = |code: &String| last.staging.also.as_ref().is_some_and(|also| also.contains(code));
    let others: Vec<&Report> =
        others.into_iter().filter(|report| !report.is_of_short_examples() && !is_known(&report.code)).collect();
    if !others.is_empty() {
        let side = if is_wrong { "wrong" } else { "right" };
        faults.push(format!("something else is reported of the {side} example:{}", list(&others)));
    }
    faults
}

/// Returns the blocks of code in an explanation, with their languages.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("```") {
        let from = &rest[at..];
        let fence = &from[..from.len() - from.trim_start_matches('`').len()];
        let (language, body) = from[fence.len()..].split_once('\n').unwrap();
        let end = body.find(&format!("{fence}\n")).unwrap_or(body.len() - fence.len());
        blocks.push((language, &body[..end]));
        rest = &body[end + fence.len()..];
    }
    blocks
}

fn prove(catalogue: &Catalogue, name: &str, work: &Path) -> Vec<String> {
    let [(wrong_language, wrong), (right_language, right)] = blocks(explanation(name).unwrap())[..] else {
        return vec!["it is not explained by two blocks of code, a wrong and a right one".to_owned()];
    };
    let staging = catalogue.stagings.get(name).cloned().unwrap_or_default();
    let wrong = Example::new(&staging, wrong_language, wrong);
    let own = staging.right.as_deref().cloned().unwrap_or_default();
    // A right example in another language belongs into another file.
    let is_elsewhere = right_language != wrong_language;
    let file = match wrong.place {
        Place::File(path) if !is_elsewhere => Some(path.to_owned()),
        _ => staging.file.clone().filter(|_| !is_elsewhere),
    };
    let around = staging.around.clone().filter(|_| !is_elsewhere);
    let right_staging = own.or(&Staging { file, around, at: None, ..staging.clone() });
    let home = work.join(name);
    let mut found = faults(catalogue, name, &[wrong], true, &home.join("wrong"));
    let mut examples = vec![Example::new(&right_staging, right_language, right)];
    if right_staging.beside == Some(true) {
        let (language, block) = blocks(explanation(name).unwrap())[0];
        examples.insert(0, Example::new(&staging, language, block));
    }
    found.extend(faults(catalogue, name, &examples, false, &home.join("right")));
    found
}

/// Returns what the program prints about the wrong example of each code, for the documentation. Codes are left out whose example is what is
/// printed, and those that print something else in each folder or at each time.
pub fn messages() -> BTreeMap<String, String> {
    let catalogue = Catalogue::read();
    let (work, _folder) = generated::work_folder_in_memory("explained-messages");
    let codes: Vec<&str> = explained().collect();
    let message = |code: &str| {
        let staging = catalogue.stagings.get(code).cloned().unwrap_or_default();
        let (language, wrong) = blocks(explanation(code)?).into_iter().next()?;
        let wrong = Example::new(&staging, language, wrong);
        if staging.unstaged.is_some() || staging.varies.is_some() || wrong.place == Place::Message {
            return None;
        }
        let home = work.join(code);
        let examples = [wrong];
        let (project, commands) = staged(&catalogue, &examples, &home);
        let (_, reports) = run(commands.as_deref().unwrap_or("sitegen check"), &home.join("bakery"));
        let about = reports.into_iter().find(|report| report.code == code && project.is_about(&examples[0], report))?;
        Some((code.to_owned(), about.printed))
    };
    codes.into_par_iter().filter_map(message).collect()
}

#[test]
fn every_example_is_what_its_explanation_says() {
    let catalogue = Catalogue::read();
    let codes: BTreeSet<&str> = explained().collect();
    let unknown: Vec<&String> = catalogue.stagings.keys().filter(|code| !codes.contains(code.as_str())).collect();
    assert!(unknown.is_empty(), "tests/explained names codes that do not exist: {unknown:?}");
    let is_staged = |code: &&&str| catalogue.stagings.get(**code).is_none_or(|staging| staging.unstaged.is_none());
    let (work, _folder) = generated::work_folder_in_memory("explained");
    let codes: Vec<&&str> = codes.iter().filter(is_staged).collect();
    let faults: Vec<String> = codes
        .par_iter()
        .map(|code| (code, prove(&catalogue, code, &work)))
        .filter(|(_, faults)| !faults.is_empty())
        .map(|(code, faults)| format!("{code}\n    {}\n", faults.join("\n    ")))
        .collect();
    assert!(
        faults.is_empty(),
        "\n{}\nCorrect the example in crates/core/src/diagnostics/problem/, or say in tests/explained/ what it needs around it: \
         see the README there.",
        faults.join("\n")
    );
}
