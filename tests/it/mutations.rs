//! Breaks the real content of this repository in every place it can be broken, one place at a time, and builds.
//!
//! Every scalar, key and list item of every YAML file and front matter, every link and reference of every Markdown
//! file, and every link and asset of every template is deleted, renamed, retyped, emptied or broken. The build must
//! then either fail with a diagnostic in that very file, or publish a complete site that shows the change. A build that
//! succeeds and publishes what it published before has ignored the change silently, and fails this test.

use crate::support::caching_tools::CachingTools;
use crate::support::size;
use rayon::prelude::*;
use scraper::Html;
use sitegen::artifacts::Artifacts;
use sitegen::content::yaml::{self, Node, Value};
use sitegen::diagnostics::{Checked, Severity, code, message};
use sitegen::paths::SourcePath;
use sitegen::profile::Profile;
use sitegen::sources::{self, Sources};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A mutation of one file.
struct Mutation {
    /// The file.
    path: SourcePath,
    /// Where in its content: `footer.links[1].path`, or a line.
    place: String,
    /// What is changed there.
    kind: &'static str,
    /// The replaced range, and the replacement.
    range: Range<usize>,
    by: String,
    /// The required result.
    demand: Demand,
}

/// The required result of a mutation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    /// An error is reported.
    Refused,
    /// An error is reported, or the change is visible.
    Either,
}
use Demand::{Either, Refused};

/// The actual result of a mutation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Refused,
    Visible,
    Same,
}

/// Returns why a mutation changes nothing by definition, and not by neglect.
fn is_no_change(mutation: &Mutation) -> Option<&'static str> {
    let Mutation { path, place, kind, by, .. } = mutation;
    let is_entry = path.as_str().matches('/').count() == 2 && !path.as_str().starts_with("content/pages/");
    let changed = by.trim();
    match place.as_str() {
        // `order` is the position of an entry among its siblings and nothing else. A higher number at the last of them
        // leaves it the last, as does none at all.
        "order" if is_entry && ["another number", "number emptied", "key deleted"].contains(kind) => {
            Some("the order stays")
        }
        // Both are the defaults of an absent key.
        "settings" | "settings.routes" if *kind == "key deleted" || changed.is_empty() || changed == "\"\"" => {
            Some("the default is written out")
        }
        "settings" if changed == "{}" => Some("the default is written out"),
        // A limit that no page reaches may be higher or absent.
        "settings.budgets" if *kind == "key deleted" || changed == "{}" || changed == "\"\"" => {
            Some("a limit that is not reached")
        }
        _ if place.starts_with("settings.budgets.")
            && ["another number", "number emptied", "key deleted"].contains(kind) =>
        {
            Some("a limit that is not reached")
        }
        _ => None,
    }
}

#[test]
fn no_mutation_of_the_content_is_ignored_silently() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Checked { value, diagnostics } = sources::read(root);
    let project = value.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let tools = CachingTools::of(root);
    let build = |sources: &Sources| sitegen::build(sources, &profile(), &tools);
    let versions: Vec<Version> = versions(&project)
        .into_iter()
        .map(|sources| {
            let checked = build(&sources);
            let published = checked.value.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
            Version { sources, published }
        })
        .collect();
    for (path, bytes, _) in versions[0].published.iter() {
        assert_eq!(parse_errors(path.as_str(), bytes), Vec::<String>::new(), "the site itself, {path}");
    }

    // Those of every kind stand beside each other, so that each kind has its share of the third.
    let mutations: Vec<Mutation> = all_mutations(&project).into_iter().step_by(size::sized(3, 1)).collect();
    // A panic is a result here; a thousand backtraces are not wanted.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    // Threads of its own: in the pool of all tests, builds of others would wait until the last of these is done.
    let pool = rayon::ThreadPoolBuilder::new().build().unwrap();
    let judged = || mutations.par_iter().map(|mutation| judge(mutation, &versions, &build)).collect();
    let results: Vec<Result<(Outcome, Aim), String>> = pool.install(judged);
    std::panic::set_hook(hook);

    let mut counts: BTreeMap<&str, BTreeMap<Outcome, usize>> = BTreeMap::new();
    let mut aims: BTreeMap<Aim, usize> = BTreeMap::new();
    let mut complaints = BTreeMap::<&str, String>::new();
    for (mutation, result) in mutations.iter().zip(&results) {
        match result {
            Ok((outcome, aim)) => {
                *counts.entry(mutation.kind).or_default().entry(*outcome).or_default() += 1;
                *aims.entry(*aim).or_default() += usize::from(*outcome == Outcome::Refused);
            }
            Err(complaint) => {
                let reported = complaints.entry(mutation.kind).or_default();
                let by: String = mutation.by.trim().chars().take(40).collect();
                let _ = writeln!(reported, "  {} {} = {by:?}: {complaint}", mutation.path, mutation.place);
            }
        }
    }
    report(&mutations, &counts, &aims);
    let wrong = results.iter().filter(|result| result.is_err()).count();
    let reported: String = complaints.iter().map(|(kind, reported)| format!("{kind}:\n{reported}")).collect();
    assert!(complaints.is_empty(), "{wrong} of {} mutations:\n{reported}", mutations.len());
}

/// A state of the project and its result.
struct Version {
    sources: Sources,
    published: Artifacts,
}

/// Returns the project unchanged, without open positions, and with everything that a page may have: some texts and some
/// lines of templates show only then.
fn versions(project: &Sources) -> Vec<Sources> {
    let mut closed = project.clone();
    for (path, _) in project.below("content/positions") {
        let text = project.text(path).unwrap();
        assert!(text.contains("\nstatus: open\n"), "{path} is not open");
        closed = with_file(&closed, path, &text.replace("\nstatus: open\n", "\nstatus: closed\n"));
    }
    let careers = SourcePath::new("content/pages/careers.yaml");
    let text = project.text(&careers).unwrap();
    assert!(text.contains("\napplication:\n  title: Apply for this position\n  lead: Tell us who you are and show us what you have made.\n  after:\n"));
    assert!(text.ends_with("\n  email_label: Questions and applications by e-mail\n"));
    let full = with_file(project, &careers, &format!("{text}  art: art/signpost.svg\n"));
    let page = "---\ntitle: A page\ndescription: As an editor may add one.\nlead: With a lead.\nart: art/signpost.svg\nnoindex: true\n---\n\nText.\n";
    let mut full = with_file(&full, &SourcePath::new("content/pages/a-page.md"), page);
    // The description of a position for search engines is rendered only with a place of work.
    let place = "location:\n  city: Porto\n  country: PT\napplicants_from: [Portugal, Spain]\n";
    for (path, _) in project.below("content/positions") {
        full = with_file(&full, path, &format!("{}{place}", project.text(path).unwrap()));
    }
    vec![project.clone(), closed, full, delivering(project)]
}

/// Returns the project with forms that deliver, one to an endpoint and one to Netlify Forms.
fn delivering(project: &Sources) -> Sources {
    let texts = "  texts: { problem: There is a problem, missing: \"Missing: {label}\", invalid: \"Check: {label}\", too_large: \
                 \"{label} {size}\", wrong_type: \"{label} {types}\", sending: Sending, sent: Sent, failed: It did not \
                 arrive, offline: You are offline, refused_size: Too large }\n";
    let contact = "deliver:\n  connection: contact\n  to: https://forms.firm.test/contact\n";
    let application = "deliver:\n  connection: own\n  as: netlify\n  to: /thanks\n";
    let mut delivering = project.clone();
    for (form, deliver) in [("contact", contact), ("application", application)] {
        let path = SourcePath::new(format!("content/forms/{form}.yaml"));
        let text = project.text(&path).unwrap();
        let text = format!("{text}\n{deliver}  success: /thanks\n  trap: Leave this empty\n{texts}");
        delivering = with_file(&delivering, &path, &text);
    }
    let site = SourcePath::new("content/site.yaml");
    let connections = "\nsettings:\n  connections:\n    contact: { origin: \"https://forms.firm.test\", for: [form, fetch], \
                       why: Takes your message. }\n    own: { origin: self, for: [form, fetch], why: Takes your application. }\n";
    // The form is in the page, in place of the island's script.
    let text = project.text(&site).unwrap().replace("\nsettings:\n", connections).replace("html: 14", "html: 15");
    let thanks = "---\ntitle: Thank you\ndescription: What comes next.\nnoindex: true\n---\n\nText.\n";
    let delivering = with_file(&delivering, &site, &text);
    with_file(&delivering, &SourcePath::new("content/pages/thanks.md"), thanks)
}

fn profile() -> Profile {
    Profile { today: "2026-01-01".parse().unwrap(), ..Profile::default() }
}

fn with_file(project: &Sources, path: &SourcePath, text: &str) -> Sources {
    let others = project
        .iter()
        .filter(|(each, _)| *each != path)
        .map(|(each, source)| (each.as_str(), source.body.bytes().unwrap()));
    Sources::from_files(others.chain([(path.as_str(), text.as_bytes())]))
}

/// The distance of a diagnostic from the mutation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Aim {
    /// On the changed lines.
    There,
    /// On the line before them, which has the key above a deleted line, or the one after.
    Beside,
    /// Anywhere else in the file.
    InTheFile,
}

fn judge(
    mutation: &Mutation,
    versions: &[Version],
    build: &(dyn Fn(&Sources) -> Checked<Artifacts> + Sync),
) -> Result<(Outcome, Aim), String> {
    let mut lost = String::new();
    for Version { sources, published } in versions {
        let text = sources.text(&mutation.path).unwrap();
        // The versions differ in the length of one word, which shifts everything below it.
        let Some(range) = shifted(mutation, versions[0].sources.text(&mutation.path).unwrap(), text) else { continue };
        let spoilt = format!("{}{}{}", &text[..range.start], mutation.by, &text[range.end..]);
        if spoilt == text {
            return Err("the mutation changes nothing; fix this test".into());
        }
        let spoilt_sources = with_file(sources, &mutation.path, &spoilt);
        let checked = catch_unwind(AssertUnwindSafe(|| build(&spoilt_sources))).map_err(|_| "it panics".to_owned())?;
        let Some(artifacts) = checked.value else {
            return refused(mutation, &range, &spoilt, &checked).map(|aim| (Outcome::Refused, aim));
        };
        let changed: Vec<_> = differing(published, &artifacts);
        for path in &changed {
            if let Some(bytes) = artifacts.get(path) {
                let errors = parse_errors(path, bytes);
                if !errors.is_empty() {
                    return Err(format!("it is published, and {path} is broken: {errors:?}"));
                }
            }
        }
        match mutation.demand {
            // Another version of the site may show what this one ignores.
            _ if changed.is_empty() => lost = "ignored silently: the build publishes what it did before".to_owned(),
            Refused => return Err(format!("a mistake that is published, in {}", changed.join(", "))),
            Either => return Ok((Outcome::Visible, Aim::InTheFile)),
        }
    }
    match is_no_change(mutation) {
        Some(_) => Ok((Outcome::Same, Aim::InTheFile)),
        None => Err(lost),
    }
}

/// Maps the range of a mutation to a text in which one word may differ. `None` if the mutation changes that word.
fn shifted(mutation: &Mutation, from: &str, to: &str) -> Option<Range<usize>> {
    let Range { start, end } = mutation.range;
    if from == to {
        return Some(start..end);
    }
    let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
    let shift = to.len() as isize - from.len() as isize;
    let tail = from.bytes().rev().zip(to.bytes().rev()).take_while(|(a, b)| a == b).count();
    if end <= same {
        Some(start..end)
    } else if start >= from.len() - tail {
        Some((start as isize + shift) as usize..(end as isize + shift) as usize)
    } else {
        None
    }
}

/// Whether an error is at a line of the very file, and how near it is.
fn refused(
    mutation: &Mutation,
    range: &Range<usize>,
    spoilt: &str,
    checked: &Checked<Artifacts>,
) -> Result<Aim, String> {
    let errors: Vec<_> = checked.diagnostics.iter().filter(|each| each.severity != Severity::Warning).collect();
    let line = |offset: usize| spoilt[..offset.min(spoilt.len())].matches('\n').count() + 1;
    let here: Vec<Range<usize>> = errors
        .iter()
        .filter_map(|each| each.place.as_ref().filter(|place| place.path == mutation.path)?.span)
        .map(|span| span.start..span.end)
        .collect();
    if here.is_empty() {
        let reported = errors.iter().map(|each| {
            let place = each.place.as_ref();
            let at = place.map_or("nowhere".to_owned(), |place| {
                format!("{}{}", place.path, if place.span.is_none() { " without a line" } else { "" })
            });
            format!("at {at}: {}[{}]", message(&each.problem), code(&each.problem))
        });
        return Err(format!("reported {}", reported.collect::<Vec<_>>().join("; ")));
    }
    let elsewhere: Vec<String> = errors
        .iter()
        .filter(|each| each.place.as_ref().is_none_or(|place| place.path != mutation.path))
        .map(|each| {
            let path = each.place.as_ref().map_or("nowhere", |place| place.path.as_str());
            format!("at {path}: {}[{}]", message(&each.problem), code(&each.problem))
        })
        .collect();
    // The markup of a template continues in the templates around it, so a tag that is broken there breaks others too.
    if !elsewhere.is_empty() && mutation.path.extension() != Some("html") {
        return Err(format!("reported there, and besides {}", elsewhere.join("; ")));
    }
    let (first, last) = (line(range.start), line(range.start + mutation.by.trim_end().len()));
    let aim = |span: &Range<usize>| match line(span.start) {
        at if (first..=last).contains(&at) => Aim::There,
        at if (first.saturating_sub(1)..=last + 1).contains(&at) => Aim::Beside,
        _ => Aim::InTheFile,
    };
    Ok(here.iter().map(aim).min().unwrap_or(Aim::InTheFile))
}

fn differing(before: &Artifacts, after: &Artifacts) -> Vec<String> {
    let files = |artifacts: &Artifacts| -> BTreeMap<String, Vec<u8>> {
        artifacts.iter().map(|(path, bytes, _)| (path.to_string(), bytes.to_vec())).collect()
    };
    let (before, after) = (files(before), files(after));
    let mut changed: Vec<String> =
        after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).map(|(path, _)| path.clone()).collect();
    changed.extend(before.keys().filter(|path| !after.contains_key(*path)).cloned());
    changed
}

/// Returns the errors that a browser's parser finds in a page.
fn parse_errors(path: &str, bytes: &[u8]) -> Vec<String> {
    if !path.ends_with(".html") {
        return Vec::new();
    }
    let page = Html::parse_document(std::str::from_utf8(bytes).unwrap());
    page.errors.iter().map(|error| error.to_string()).collect()
}

/// Written past the test harness, which hides what a passing test prints.
fn report(mutations: &[Mutation], counts: &BTreeMap<&str, BTreeMap<Outcome, usize>>, aims: &BTreeMap<Aim, usize>) {
    let mut text = format!("{:<34}{:>8}{:>9}{:>9}{:>9}\n", "mutation", "tried", "refused", "visible", "no-op");
    let all: BTreeMap<Outcome, usize> = counts.values().flatten().fold(BTreeMap::new(), |mut all, (outcome, count)| {
        *all.entry(*outcome).or_default() += count;
        all
    });
    let rows = counts.iter().map(|(kind, outcomes)| (*kind, outcomes)).chain([("together", &all)]);
    for (kind, outcomes) in rows {
        let tried = mutations.iter().filter(|each| kind == "together" || each.kind == kind).count();
        let of = |outcome| outcomes.get(&outcome).copied().unwrap_or_default();
        let (refused, visible, same) = (of(Outcome::Refused), of(Outcome::Visible), of(Outcome::Same));
        let _ = writeln!(text, "{kind:<34}{tried:>8}{refused:>9}{visible:>9}{same:>9}");
    }
    let of = |aim| aims.get(&aim).copied().unwrap_or_default();
    let (there, beside, elsewhere) = (of(Aim::There), of(Aim::Beside), of(Aim::InTheFile));
    let _ =
        writeln!(text, "refusals that name the spoilt line: {there}, its neighbour: {beside}, another: {elsewhere}");
    print!("{text}");
}

fn all_mutations(project: &Sources) -> Vec<Mutation> {
    let mut mutations = Vec::new();
    for (path, _) in project.iter() {
        let Some(text) = project.text(path) else { continue };
        match path.extension() {
            Some("yaml") if path.below("content").is_some() => {
                yaml_mutations(path, text, 0..text.len(), &mut mutations)
            }
            Some("md") if path.below("content").is_some() => {
                let start = text.find('\n').unwrap() + 1;
                let end = start + text[start..].find("\n---\n").unwrap() + 1;
                yaml_mutations(path, text, start..end, &mut mutations);
                markdown_mutations(path, text, end + 4, &mut mutations);
            }
            Some("html") if path.below("templates").is_some() => template_mutations(path, text, &mut mutations),
            _ => {}
        }
    }
    assert!(mutations.len() > 1500, "only {} mutations: the walk over the content is broken", mutations.len());
    mutations
}

/// Adds mutations of the YAML in a part of a file.
fn yaml_mutations(path: &SourcePath, text: &str, part: Range<usize>, mutations: &mut Vec<Mutation>) {
    let root = yaml::parse(path, &text[part.clone()], part.start).unwrap();
    let mut walk = Walk { path, text, end: part.end, mutations };
    walk.map("", &root);
    // The complete file.
    for (kind, by) in [("file emptied", ""), ("file cut off", "a: [")] {
        walk.add("(all)", kind, part.clone(), format!("{by}\n"), Refused);
    }
}

/// Walks block YAML. The parser distinguishes keys and values; indentation shows where an entry ends, as in YAML
/// itself.
struct Walk<'a> {
    path: &'a SourcePath,
    text: &'a str,
    end: usize,
    mutations: &'a mut Vec<Mutation>,
}

impl Walk<'_> {
    fn add(&mut self, place: &str, kind: &'static str, range: Range<usize>, by: String, demand: Demand) {
        let (path, place) = (self.path.clone(), place.to_owned());
        self.mutations.push(Mutation { path, place, kind, range, by, demand });
    }

    fn map(&mut self, place: &str, node: &Node) {
        let entries = node.entries();
        for (index, (key, value)) in entries.iter().enumerate() {
            let place = if place.is_empty() { key.name.clone() } else { format!("{place}.{}", key.name) };
            let (start, name_end) = (key.span.start, key.span.end);
            assert_eq!(&self.text[start..name_end], key.name, "{}: keys are walked as they are written", self.path);
            let end = self.entry_end(start);
            let next = entries.get(index + 1).map(|(next, _)| next.span.start);
            let own_line = self.text[..start].rsplit('\n').next().unwrap().trim().is_empty();
            let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
            let deleted = match next {
                Some(next) => start..next,
                None if own_line => line_start..end,
                None => start..end - 1,
            };
            self.add(&place, "key deleted", deleted, String::new(), Either);
            self.add(&place, "key renamed", start..name_end, format!("{}x", key.name), Refused);
            self.add(&place, "key in capitals", start..name_end, key.name.to_uppercase(), Refused);
            let indentation = " ".repeat(start - line_start);
            let twice = format!("\n{indentation}{}: x\n", key.name);
            self.add(&place, "key twice", end - 1..end, twice, Refused);
            self.value(&place, value, name_end + 1..end);
        }
    }

    /// Mutates what follows a `key:` or a `-`, up to and with the last line break.
    fn value(&mut self, place: &str, node: &Node, range: Range<usize>) {
        let replaced = |walk: &mut Self, kind: &'static str, by: &str, demand: Demand| {
            let by = if by.is_empty() { "\n".to_owned() } else { format!(" {by}\n") };
            walk.add(place, kind, range.clone(), by, demand);
        };
        let is_nested = matches!(node.value, Value::List(_) | Value::Map(_));
        replaced(self, "quote not closed", "\"never closed", Refused);
        replaced(self, "nothing", "", Either);
        match &node.value {
            Value::Text(text) => {
                for (kind, by) in [
                    ("text to number", "7"),
                    ("text to number with a point", "7.50"),
                    ("text to true", "true"),
                    ("text to list", "[a, b]"),
                    ("text to mapping", "{ a: b }"),
                ] {
                    replaced(self, kind, by, Either);
                }
                replaced(self, "text emptied", "\"\"", Either);
                replaced(self, "other words", "Qwertz asdf", Either);
                replaced(self, "unknown reference", "\"{{ site.nothing }}\"", Refused);
                replaced(self, "reference not closed", "\"A {{ site.name\"", Refused);
                self.addresses(place, text, &range);
                let written = self.text[range.clone()].to_owned();
                for reference in references(&written) {
                    let at = range.start + reference.end - 2;
                    let before = self.text[..at].trim_end().len();
                    self.add(place, "reference renamed", before..before, "x".into(), Refused);
                    self.add(place, "brace deleted", at + 1..at + 2, String::new(), Refused);
                }
            }
            Value::Integer(_) | Value::Float(_) => {
                let number = self.text[range.clone()].trim().to_owned();
                for (kind, by) in [
                    ("number to text", "many"),
                    ("number to true", "true"),
                    ("number to list", "[1]"),
                    ("number emptied", "\"\""),
                ] {
                    replaced(self, kind, by, Either);
                }
                replaced(self, "another number", &format!("1{number}"), Either);
                replaced(self, "number in quotes", &format!("\"{number}\""), Refused);
            }
            Value::Bool(value) => {
                for (kind, by) in [
                    ("switch to a word", "yes"),
                    ("switch to number", "1"),
                    ("switch to list", "[true]"),
                    ("switch emptied", "\"\""),
                ] {
                    replaced(self, kind, by, Either);
                }
                replaced(self, "switch turned", &(!value).to_string(), Either);
                replaced(self, "switch in quotes", &format!("\"{value}\""), Refused);
            }
            Value::List(items) => self.list(place, items, &range),
            Value::Map(_) => self.map(place, node),
            Value::Null => panic!("{}: {place}: nothing is not walked", self.path),
        }
        if is_nested {
            let kind = if matches!(node.value, Value::List(_)) { "list" } else { "mapping" };
            for (word, list, by) in [
                ("list to text", true, "words"),
                ("list to number", true, "7"),
                ("list to mapping", true, "{ a: b }"),
                ("list emptied", true, "[]"),
                ("mapping to text", false, "words"),
                ("mapping to number", false, "7"),
                ("mapping to list", false, "[a, b]"),
                ("mapping emptied", false, "{}"),
            ] {
                if list == (kind == "list") {
                    replaced(self, word, by, Either);
                }
            }
        }
    }

    /// Mutates values that are addresses.
    fn addresses(&mut self, place: &str, text: &str, range: &Range<usize>) {
        let mut replace = |kind: &'static str, by: String, demand: Demand| {
            self.add(place, kind, range.clone(), format!(" \"{by}\"\n"), demand);
        };
        let is_asset = text.rsplit_once('.').is_some_and(|(_, end)| ["svg", "png"].contains(&end));
        if let Some(rest) = text.strip_prefix('/') {
            replace("path misspelt", format!("{text}x"), Refused);
            replace("path without its slash", rest.to_owned(), Refused);
            replace(
                "path to a section that is not there",
                format!("{}#nowhere", text.split('#').next().unwrap()),
                Refused,
            );
            replace("path to script", "javascript:alert(1)".into(), Refused);
        } else if let Some(rest) = text.strip_prefix("https://") {
            replace("address without scheme", rest.to_owned(), Refused);
            replace("address with an unknown scheme", text.replacen("https", "htps", 1), Refused);
            replace("address to script", "javascript:alert(1)".into(), Refused);
            replace("address with a space", format!("{text} x"), Refused);
        } else if text.contains('@') && !text.contains(' ') {
            replace("mail address without @", text.replace('@', ""), Refused);
        } else if is_asset {
            replace("asset misspelt", text.replacen('.', "x.", 1), Refused);
            replace("asset in capitals", text.to_uppercase(), Refused);
            replace("asset outside", format!("../{text}"), Refused);
        } else if text.ends_with(".html") {
            replace("template misspelt", text.replacen('.', "x.", 1), Refused);
        }
    }

    fn list(&mut self, place: &str, items: &[Node], range: &Range<usize>) {
        let mut starts: Vec<(usize, usize)> = Vec::new();
        let mut at = range.start;
        for line in self.text[range.clone()].split_inclusive('\n') {
            let indentation = line.len() - line.trim_start().len();
            if line.trim_start().starts_with("- ") && starts.first().is_none_or(|(_, first)| *first == indentation) {
                starts.push((at, indentation));
            }
            at += line.len();
        }
        assert_eq!(starts.len(), items.len(), "{}: {place}: lists are walked a dash a line", self.path);
        for (index, (item, (start, indentation))) in items.iter().zip(&starts).enumerate() {
            let end = starts.get(index + 1).map_or(range.end, |(next, _)| *next);
            let place = format!("{place}[{index}]");
            self.add(&place, "item deleted", *start..end, String::new(), Either);
            let twice = format!("{0}{0}", &self.text[*start..end]);
            self.add(&place, "item twice", *start..end, twice, Either);
            self.value(&place, item, start + indentation + 1..end);
        }
    }

    /// Returns the end of the entry whose key begins at `start`: before the next line that is indented no deeper, and
    /// before empty lines in front of it.
    fn entry_end(&self, start: usize) -> usize {
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let column = start - line_start;
        let mut end = line_start;
        let mut at = line_start;
        for (index, line) in self.text[line_start..self.end].split_inclusive('\n').enumerate() {
            let indentation = line.len() - line.trim_start().len();
            let is_empty = line.trim().is_empty();
            if index > 0 && !is_empty && indentation <= column {
                break;
            }
            at += line.len();
            if !is_empty {
                end = at;
            }
        }
        end
    }
}

/// Returns the `{{ … }}` of a text.
fn references(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("{{").map(|at| from + at) {
        from = start + text[start..].find("}}").expect("a reference that is closed") + 2;
        ranges.push(start..from);
    }
    ranges
}

/// Adds mutations of the links and references of a Markdown body.
fn markdown_mutations(path: &SourcePath, text: &str, start: usize, mutations: &mut Vec<Mutation>) {
    let body = &text[start..];
    let mut add = |at: usize, kind, range: Range<usize>, by: String, demand| {
        let place = format!("line {}", text[..start + at].matches('\n').count() + 1);
        let range = start + range.start..start + range.end;
        mutations.push(Mutation { path: path.clone(), place, kind, range, by, demand });
    };
    for (middle, _) in body.match_indices("](") {
        let open = body[..middle].rfind('[').unwrap();
        let target = middle + 2..middle + 2 + body[middle + 2..].find(')').unwrap();
        let address = &body[target.clone()];
        add(open, "link deleted", open..target.end + 1, String::new(), Either);
        add(open, "link without text", open + 1..middle, String::new(), Refused);
        add(open, "link text changed", open + 1..open + 1, "Qwertz ".into(), Either);
        add(open, "link to nothing", target.clone(), String::new(), Refused);
        add(open, "link never closed", target.end..target.end + 1, String::new(), Refused);
        add(open, "link cut in two", middle + 1..middle + 1, " ".into(), Refused);
        add(open, "link to script", target.clone(), "javascript:alert(1)".into(), Refused);
        add(open, "link to a file that is not there", target.clone(), "nothing.pdf".into(), Refused);
        add(open, "link to an unknown reference", target.clone(), "/{{ site.nothing }}".into(), Refused);
        if address.starts_with('/') {
            add(open, "link misspelt", target.end..target.end, "x".into(), Refused);
            add(open, "link to a section that is not there", target.end..target.end, "#nowhere".into(), Refused);
            add(open, "link without its slash", target.start..target.start + 1, String::new(), Refused);
        } else {
            let colon = address.find(':').unwrap();
            add(open, "scheme misspelt", target.start + colon - 1..target.start + colon, String::new(), Refused);
        }
    }
    for reference in references(body) {
        let end = body[..reference.end - 2].trim_end().len();
        let at = reference.start;
        add(at, "reference renamed", end..end, "x".into(), Refused);
        add(at, "reference with a filter", end..end, " | upper".into(), Refused);
        add(at, "brace deleted", reference.end - 1..reference.end, String::new(), Refused);
        add(at, "brace deleted", at..at + 1, String::new(), Refused);
        add(at, "reference deleted", reference.clone(), String::new(), Either);
    }
    for (at, _) in body.match_indices("\n## ") {
        add(at + 1, "heading skips a level", at + 1..at + 1, "##".into(), Refused);
        add(at + 1, "heading of the first level", at + 1..at + 2, String::new(), Refused);
        let end = at + 1 + body[at + 1..].find('\n').unwrap();
        add(at + 1, "heading without text", at + 4..end, String::new(), Refused);
        add(at + 1, "raw HTML", end..end, " <form>x</form>".into(), Refused);
    }
}

/// Adds mutations of the links, assets and names of a template.
fn template_mutations(path: &SourcePath, text: &str, mutations: &mut Vec<Mutation>) {
    let mut add = |kind, range: Range<usize>, by: &str, demand| {
        let line = text[..range.start].matches('\n').count() + 1;
        let place = format!("line {line} `{}`", &text[range.clone()]);
        mutations.push(Mutation { path: path.clone(), place, kind, range, by: by.to_owned(), demand });
    };
    // Attributes of HTML.
    for name in [" href=\"", " src=\""] {
        for (at, _) in text.match_indices(name) {
            let start = at + name.len();
            let end = attribute_end(text, start);
            let value = &text[start..end];
            let is_image = name == " src=\"";
            let missing = if is_image { Refused } else { Either };
            add("attribute deleted", at..end + 1, "", missing);
            add("attribute emptied", start..end, "", Refused);
            add("attribute to script", start..end, "javascript:alert(1)", Refused);
            add("attribute to a file that is not there", start..end, "/nothing.png", Refused);
            add("attribute relative", start..end, "nothing", Refused);
            add("quote not closed", end..end + 1, "", Refused);
            if value.starts_with('#') && !value.contains("{{") {
                add("section misspelt", end..end, "x", Refused);
            }
        }
    }
    // Arguments of functions and of components.
    for name in ["(path=", " href={", "component=", " hydrate=", " art={"] {
        for (at, _) in text.match_indices(name) {
            let start = at + name.len();
            let rest = &text[start..];
            if let Some(literal) = rest.strip_prefix('"') {
                let value = start + 1..start + 1 + literal.find('"').unwrap();
                // Identifiers of structured data look like addresses, and any value is valid.
                let line = text[..at].rsplit('\n').next().unwrap();
                let is_identifier = line.contains("\"@id\"");
                let misspelt = if is_identifier { Either } else { Refused };
                let point = text[value.clone()].rfind('.').map_or(value.end, |point| value.start + point);
                add("argument misspelt", point..point, "x", misspelt);
                add("argument emptied", value.clone(), "", Refused);
                add("argument to script", value.clone(), "javascript:alert(1)", Refused);
                add("argument to number", value.start - 1..value.end + 1, "7", Refused);
                add("argument's name misspelt", start - 1..start - 1, "x", Refused);
            } else {
                let end = start + rest.find(|letter| ",)}| ".contains(letter)).unwrap();
                // With a default, a missing value is not an error.
                let undefined = if text[end..].starts_with(" | default(") { Either } else { Refused };
                add("expression misspelt", end..end, "x", undefined);
                add("expression to number", start..end, "7", Refused);
                add("expression to nothing", start..end, "nothing", undefined);
            }
        }
    }
    // Names.
    for (at, _) in text.match_indices("{{ <") {
        let end = at + 4 + text[at + 4..].find(' ').unwrap();
        add("component misspelt", end..end, "x", Refused);
    }
    for (at, found) in text.match_indices("{% extends \"") {
        let end = at + found.len() + text[at + found.len()..].find('"').unwrap();
        add("parent misspelt", end..end, "x", Refused);
    }
    for function in ["url(", "asset(", "inline_svg(", "island(", "styles(", "json_ld("] {
        for (at, _) in text.match_indices(function) {
            // Outside of tags `url(` is CSS.
            let last = |signs: [&str; 2]| signs.map(|sign| text[..at].rfind(sign)).into_iter().max();
            if last(["{{", "{%"]) <= last(["}}", "%}"]) {
                continue;
            }
            let end = at + function.len() - 1;
            add("function misspelt", end..end, "x", Refused);
        }
    }
    for reference in references(text) {
        let words = &text[reference.clone()];
        if words.starts_with("{{ site.") || words.starts_with("{{ page.") {
            let end = reference.start + 3 + words[3..].find([' ', '|', '(']).unwrap();
            let undefined = if text[end..].starts_with(" | default(") { Either } else { Refused };
            add("variable misspelt", end..end, "x", undefined);
            add("brace deleted", reference.end - 1..reference.end, "", Refused);
        }
    }
}

/// Returns the end of an attribute's value. Template code in it may have quotes of its own.
fn attribute_end(text: &str, start: usize) -> usize {
    let mut at = start;
    while !text[at..].starts_with('"') {
        at += match text[at..].starts_with("{{") {
            true => text[at..].find("}}").unwrap() + 2,
            false => text[at..].chars().next().unwrap().len_utf8(),
        };
    }
    at
}
