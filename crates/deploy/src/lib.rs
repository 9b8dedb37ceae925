//! Deploys a published site: copies it to the place that visitors get it from, so that a visitor gets at every moment a page of
//! which every file is there.
//!
//! 1. What the target knows of its deploys is read (`record`), and what the project folder knows of them (`known`).
//! 2. The manifests are compared, and the changes put in order (`plan`).
//! 3. The deploy claims the target: it creates the file of the next number, which can be created once only.
//! 4. The changes are made, phase after phase (`store`, `folder`, `ssh`, `object`). Another thread says again and again that the
//!    deploy is going on, and stops it when another one has taken over.
//! 5. The deploy is noted as complete. From then on the new manifest is that of the target.
//! 6. What is no longer needed is deleted.
//!
//! ```text
//!             the last claim is …
//!   deploy ─┬─ complete and clean ──────────────────────► plan ─► claim ─► phases ─► done ─► delete ─► clean
//!           ├─ not, and of this project folder ─────────►   │
//!           ├─ not, and somebody still works on it ─► refused
//!           └─ not, and nothing happens for a while ────►   │
//! ```
//!
//! A deploy that is cut off leaves the site before it complete, with some pages of its own among the old ones, each with its files.
//! The next deploy treats what the two manifests name as uncertain.

mod connection;
pub mod deployed;
pub mod folder;
mod known;
#[cfg(test)]
mod model;
#[cfg(feature = "object-storage")]
pub mod object;
pub mod plan;
pub mod record;
pub mod site_path;
pub mod ssh;
pub mod store;

pub use store::{Failure, Store};

use known::{KnownDeploy, KnownDeploys};
use plan::{Known, Origin, Phase, Role};
use record::{
    Base, FOLDER, Files, ManifestFault, Record, file_of, files_of, last_claim, manifest_file, manifest_name,
    old_content,
};
use site_path::SitePath;
use sitegen_core::diagnostics::printable_name;
use sitegen_core::sources::{Digest, digest};
use sitegen_publish::MANIFEST;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{Control, Step};

/// How often a deploy says that it is going on.
const ALIVE_EVERY: Duration = Duration::from_secs(10);
/// How long a deploy goes on although it cannot say so.
const ALIVE_WITHIN: Duration = Duration::from_secs(30);
/// How long another deploy is watched before this one takes over, unless the user says otherwise.
pub const WAIT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_secs(5);
/// How many files an error lists.
const LISTED: usize = 5;

/// What is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// The output folder with this manifest.
    Output(&'a [u8]),
    /// The site before the current one.
    Before,
}

/// A deploy.
pub struct Request<'a> {
    /// The project folder.
    pub project: &'a Path,
    /// The target, for messages.
    pub target: String,
    /// The target as it is called whatever is written: a folder has many names.
    pub place: String,
    /// What is deployed.
    pub source: Source<'a>,
    /// Whether the target gets a file that a manifest names.
    pub is_sent: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether the target gets the manifest itself as a file of the site.
    pub has_manifest_file: bool,
    /// What a file is to visitors.
    pub role: &'a (dyn Fn(&str) -> Role + Sync),
    /// A text that no other deploy has.
    pub id: String,
    /// When the deploy began, for people.
    pub begun: String,
    /// The number of the deploy of somebody else that may be replaced.
    pub over: Option<u64>,
    /// Whether it counts which deploy the project folder knows. Where a cache has brought that back, newer deploys may have been made
    /// from the same sources.
    pub trusts_known: bool,
    /// Whether old contents are kept for a rollback.
    pub keeps: bool,
    /// Whether every file is sent again.
    pub sends_all: bool,
    /// How long another deploy is watched before this one takes over.
    pub wait: Duration,
    /// Whether nothing is changed.
    pub is_dry: bool,
    /// What is reported while the deploy is going on.
    pub observer: &'a (dyn Observer + Sync),
}

/// Gets reports of how a deploy goes.
pub trait Observer {
    /// Another deploy is watched.
    fn watches(&self, deploy: u64);
    /// This many changes will be made.
    fn expects(&self, steps: usize);
    /// A change was made.
    fn did(&self, step: &Step);
}

/// What a deploy did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of the deploy. 0 if there was nothing to do.
    pub deploy: u64,
    /// The changes that publish the site.
    pub phases: Vec<Phase>,
    /// The changes that delete what is not needed after that.
    pub cleaning: Vec<Phase>,
    /// Whether the target lets two deploys make the same claim.
    pub shares_claims: bool,
    /// The deploy that this one replaces, if the project folder should know one and knows none: its number, and when it began.
    pub unknown: Option<(u64, String)>,
}

/// Why there was no deploy, or no complete one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Something of the rules: nothing was changed.
    Refused(Failure),
    /// Something failed.
    Failed {
        /// What it was.
        failure: Failure,
        /// Whether the target was claimed before, so that files may have changed.
        has_begun: bool,
    },
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Refusal::Failed { failure, has_begun: false }
    }
}

fn refused<T>(what: String, help: String) -> Result<T, Refusal> {
    Err(Refusal::Refused(Failure::with_help(what, help)))
}

/// Deploys a site. See the module for the steps.
pub fn deploy(store: &dyn Store, request: &Request) -> Result<Report, Refusal> {
    // 1. what is known
    let deploys = KnownDeploys::open(request.project)?;
    let mut known = deploys.of(&[&request.place, &request.target]);
    if !request.trusts_known {
        known.deploy = 0;
    }
    let base = base_of(store, request, &known)?;
    let prepared = Prepared::read(store, request, base)?;
    // 2. the changes
    let (phases, wanted) = prepared.phases(store, request)?;
    let record = prepared.record(request);
    let cleaning = prepared.cleaning(&record, &wanted, &|path| prepared.role(request, path));
    let is_same = prepared.base.current.as_ref() == Some(&prepared.wanted) && prepared.base.is_clean;
    let is_needless = phases.is_empty() && is_same;
    let unknown = prepared.unknown(request, &known).filter(|_| !is_needless);
    let report = Report { phases, cleaning, unknown, ..Report::default() };
    if request.is_dry || is_needless {
        if !request.is_dry {
            deploys.set(&request.place, KnownDeploy { deploy: prepared.base.number, ..known })?;
        }
        return Ok(report);
    }
    // 3. the claim
    let last = prepared.base.last.as_ref().map(|last| &last.id).filter(|last| known.is_own(last));
    let (claim, attempt) = (last.unwrap_or(&known.claim).clone(), record.id.clone());
    // Whether the claim was made is not known if the connection breaks just then: both ids are of this folder.
    deploys.set(&request.place, KnownDeploy { deploy: known.deploy, claim, attempt })?;
    let shares_claims = make_claim(store, &record)?;
    // 4. the changes are made
    let steps = report.phases.iter().chain(&report.cleaning).map(|phase| phase.steps.len()).sum();
    request.observer.expects(steps);
    let stop = AtomicBool::new(false);
    let lost = Lost::default();
    let done = |step: &Step| request.observer.did(step);
    let control = Control { stop: &stop, done: &done };
    let is_over = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let heart = scope.spawn(|| stay_alive(store, record.deploy, &stop, &is_over, &lost));
        let result = work(store, request, &prepared, &record, &report, &control, &|| {
            let (claim, attempt) = (record.id.clone(), String::new());
            deploys.set(&request.place, KnownDeploy { deploy: record.deploy, claim, attempt })
        });
        is_over.store(true, Ordering::SeqCst);
        heart.thread().unpark();
        result
    });
    match result {
        Ok(()) => Ok(Report { deploy: record.deploy, shares_claims, ..report }),
        Err(failure) => Err(Refusal::Failed { failure: lost.reason().unwrap_or(failure), has_begun: true }),
    }
}

/// Makes the changes, notes the deploy as complete and deletes what is no longer needed.
fn work(
    store: &dyn Store,
    request: &Request,
    prepared: &Prepared,
    record: &Record,
    report: &Report,
    control: &Control,
    note: &dyn Fn() -> Result<(), Failure>,
) -> Result<(), Failure> {
    for (name, text) in &prepared.manifests {
        store.write(&manifest_file(name), text)?;
    }
    for phase in &report.phases {
        control.check()?;
        store.run(&phase.steps, control)?;
    }
    // 5. complete
    control.check()?;
    check_last(store, record.deploy)?;
    store.create(&file_of(record.deploy, "done"), b"")?;
    note()?;
    // 6. clean
    for phase in &report.cleaning {
        control.check()?;
        store.run(&phase.steps, control)?;
    }
    clean_folder(store, request, prepared, record, control)?;
    store.create(&file_of(record.deploy, "clean"), b"").map(drop)
}

/// Reads the last claim, and refuses to replace one that the project folder does not know or that is going on.
fn base_of(store: &dyn Store, request: &Request, known: &KnownDeploy) -> Result<Base, Refusal> {
    let base = Base::read(store)?;
    let Some(last) = base.last.as_ref().filter(|last| !known.is_own(&last.id)) else { return Ok(base) };
    if known.deploy > 0 && known.deploy < last.deploy && request.over != Some(last.deploy) {
        let (newer, known) = (last.deploy, known.deploy);
        let again = if request.source == Source::Before { " --rollback" } else { "" };
        return refused(
            format!("deploy {newer} of {} is there, and this project folder knows deploy {known}", last.begun),
            format!(
                "get the newest content and build again, so that nothing of deploy {newer} is undone; then run `sitegen \
                 deploy{again} --over {newer}`"
            ),
        );
    }
    if base.is_done && base.is_clean || request.is_dry {
        return Ok(base);
    }
    // It was cut off, or it is going on.
    let seen = |base: &Base| -> Result<_, Failure> {
        let deploy = base.last.as_ref().map_or(base.number, |last| last.deploy);
        let alive = store.read(&file_of(deploy, "alive"))?;
        Ok((alive, base.number, base.is_done, base.is_clean))
    };
    let (first, begin) = (seen(&base)?, Instant::now());
    request.observer.watches(last.deploy);
    loop {
        let left = request.wait.saturating_sub(begin.elapsed());
        std::thread::sleep(left.min(POLL));
        let now = Base::read(store)?;
        if now.number == base.number && now.is_done && now.is_clean {
            return Ok(now);
        }
        if seen(&now)? != first {
            return refused(
                format!("deploy {} is going on, which somebody else has begun", now.number),
                "wait until it has ended".to_owned(),
            );
        }
        if left.is_zero() {
            return Ok(now);
        }
    }
}

/// What was read of a target and of the project.
struct Prepared {
    base: Base,
    /// The name of the manifest of the site that is wanted.
    wanted: String,
    /// The files of every manifest that is of interest, by its name.
    files: BTreeMap<String, Files>,
    /// Manifests that the target does not have yet.
    manifests: Vec<(String, Vec<u8>)>,
    /// The paths of old contents that are kept.
    kept: BTreeSet<String>,
    /// Whether the target has files of a site that another program has copied there, with its manifest.
    is_adopted: bool,
}

/// Reads the files of a manifest that a target gets.
fn sent_files(text: &[u8], request: &Request) -> Result<Files, ManifestFault> {
    let mut files = files_of(text)?;
    files.retain(|path, _| (request.is_sent)(path));
    // It does not name itself.
    if request.has_manifest_file
        && let Ok(path) = SitePath::parse(MANIFEST)
    {
        files.entry(path).or_insert_with(|| digest(text));
    }
    Ok(files)
}

/// The failure of a manifest that is not read.
fn unread(manifest: &str, fault: ManifestFault, help: &str) -> Failure {
    match fault {
        ManifestFault::Damaged => Failure::new(format!("{manifest} is damaged")),
        ManifestFault::Path { path, reason } => Failure::with_help(
            format!(
                "{manifest} names the file `{}`, which cannot be deployed: its path {reason}",
                printable_name(&path)
            ),
            help,
        ),
    }
}

impl Prepared {
    fn read(store: &dyn Store, request: &Request, base: Base) -> Result<Self, Refusal> {
        let kept = store.names(&format!("{FOLDER}/files"))?.into_iter().map(|name| format!("{FOLDER}/files/{name}"));
        let (kept, files, manifests) = (kept.collect(), BTreeMap::new(), Vec::new());
        let wanted = match request.source {
            Source::Output(text) => manifest_name(text),
            // The site before an incomplete deploy is the one that was complete.
            Source::Before => {
                let before = if base.is_done { base.previous.as_ref() } else { base.current.as_ref() };
                match before.filter(|_| !base.is_done || base.has_previous) {
                    Some(name) => name.clone(),
                    None => {
                        return refused(
                            "there is no earlier deploy that it could go back to".to_owned(),
                            "build the site that you want, and run `sitegen deploy`".to_owned(),
                        );
                    }
                }
            }
        };
        let mut prepared = Prepared { base, wanted, files, manifests, kept, is_adopted: false };
        for name in prepared.base.manifests().into_iter().cloned().collect::<Vec<_>>() {
            // A claim without a manifest has changed nothing.
            if let Some(text) = store.read(&manifest_file(&name))? {
                let is_named = manifest_name(&text) == name;
                let files = if is_named { sent_files(&text, request) } else { Err(ManifestFault::Damaged) };
                let path = format!("the file {} of the target", manifest_file(&name));
                let help = "no deploy writes such a path: somebody else has changed what is there; check the target before you \
                            delete its folder `.sitegen-deploys` and run `sitegen deploy --all`";
                prepared.files.insert(name, files.map_err(|fault| unread(&path, fault, help))?);
            }
        }
        let Prepared { base, files, manifests, wanted, .. } = &mut prepared;
        base.uncertain.retain(|name| files.contains_key(name));
        if let Source::Output(text) = request.source {
            let help = "rename the file, and run `sitegen build`";
            let sent = sent_files(text, request);
            let sent = sent.map_err(|fault| unread("the manifest of the output folder", fault, help));
            files.insert(wanted.clone(), sent?);
            manifests.push((wanted.clone(), text.to_vec()));
        }
        if prepared.base.current.is_none() {
            prepared.adopt(store, request)?;
        }
        Ok(prepared)
    }

    /// Learns the names of files that another program has copied to the target, from a manifest of sitegen among them.
    fn adopt(&mut self, store: &dyn Store, request: &Request) -> Result<(), Failure> {
        let Some(text) = store.read(MANIFEST)? else { return Ok(()) };
        let Ok(files) = sent_files(&text, request) else { return Ok(()) };
        let name = manifest_name(&text);
        self.is_adopted = true;
        if !self.base.uncertain.contains(&name) {
            self.base.uncertain.push(name.clone());
        }
        if name != self.wanted {
            self.files.insert(name.clone(), files);
            self.manifests.push((name, text));
        }
        Ok(())
    }

    /// Returns what a file is to visitors. One whose content differs between two sites has no hash in its name, wherever it is.
    fn role(&self, request: &Request, path: &str) -> Role {
        let digests: BTreeSet<&Digest> = self.files.values().filter_map(|files| files.get(path)).collect();
        match (request.role)(path) {
            Role::Hashed if digests.len() > 1 => Role::File,
            role => role,
        }
    }

    fn get(&self, name: &String) -> Option<&Files> {
        self.files.get(name)
    }

    /// Returns the phases that publish the site, and its files.
    fn phases(&self, store: &dyn Store, request: &Request) -> Result<(Vec<Phase>, Files), Refusal> {
        let wanted = self.get(&self.wanted).cloned().unwrap_or_default();
        let known = Known {
            current: self.base.current.as_ref().and_then(|name| self.get(name)),
            uncertain: self.base.uncertain.iter().filter_map(|name| self.get(name)).collect(),
            kept: self.kept.clone(),
            is_doubted: request.sends_all,
            has_folders: store.has_folders(),
        };
        let named = self.all(self.base.manifests().into_iter());
        let is_named = |path: &str| named.iter().any(|files| files.contains_key(path));
        let is_rollback = request.source == Source::Before;
        let role = |path: &str| self.role(request, path);
        let is_in_place = |path: &str| is_rollback && role(path) == Role::Hashed;
        let asks = |(path, digest): &(&SitePath, &_)| {
            !known.has(path, digest) && (!is_named(path) || known.may_have(path, digest) || is_in_place(path))
        };
        let asked: Vec<&str> = wanted.iter().filter(asks).map(|(path, _)| &**path).collect();
        let seen = if asked.is_empty() { BTreeMap::new() } else { store.look(&asked)? };
        let is_there = |path: &str| match seen.get(path) {
            Some(Some(digest)) => !request.sends_all && wanted.get(path) == Some(digest),
            // Its name stands for its content.
            Some(None) => is_in_place(path),
            None => false,
        };
        let is_ours =
            |path: &str| is_named(path) || named.iter().any(|files| plan::inside(path, files).next().is_some());
        let foreign = seen.keys().filter(|path| !is_ours(path) && !is_there(path));
        let foreign: Vec<String> = foreign.map(|path| format!("`{path}`")).collect();
        if !foreign.is_empty() && !request.sends_all {
            let more = foreign.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let listed = foreign.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
            return refused(
                format!("files are there that no deploy of sitegen has put there: {listed}{more}"),
                "move them away, name another folder or prefix, or replace them with `sitegen deploy --all`".to_owned(),
            );
        }
        let origin = if is_rollback { Origin::Kept } else { Origin::Output };
        let keeps = self.keeps(request);
        let phases = plan::publishing(&wanted, &known, &role, origin, keeps, &is_there);
        let phases = if store.has_folders() { plan::with_room(phases, &named) } else { phases };
        if is_rollback {
            let copies: Vec<(&str, &str)> = phases
                .iter()
                .flat_map(|phase| &phase.steps)
                .filter_map(|step| match step {
                    Step::Copy { from, to } if from.starts_with(FOLDER) => Some((from.as_str(), to.as_str())),
                    _ => None,
                })
                .collect();
            let refuse = |path: &str, reason: &str| {
                refused(
                    format!("the old content of {path} {reason}"),
                    "build the site that you want, and run `sitegen deploy`".to_owned(),
                )
            };
            if let Some((_, to)) = copies.iter().find(|(from, _)| !self.kept.contains(*from)) {
                return refuse(to, "is not kept there");
            }
            let there = store.look(&copies.iter().map(|(from, _)| *from).collect::<Vec<_>>())?;
            let differs =
                |from: &str| there.get(from).is_some_and(|there| there.is_some_and(|it| old_content(&it) != from));
            if let Some((_, to)) = copies.iter().find(|(from, _)| differs(from)) {
                return refuse(to, "that is kept there was changed by somebody else");
            }
        }
        Ok((phases, wanted))
    }

    /// Whether this deploy keeps old contents. After a cut-off one that did not, what is there may not be what the manifest says.
    fn keeps(&self, request: &Request) -> bool {
        let is_known = self.base.is_done || self.base.last.as_ref().is_none_or(|last| last.keeps);
        request.keeps && !self.is_adopted && is_known
    }

    /// Returns the last deploy of somebody else, if the project folder does not know any deploy and nobody has named this one.
    fn unknown(&self, request: &Request, known: &KnownDeploy) -> Option<(u64, String)> {
        let is_asked = request.trusts_known && known.deploy == 0 && request.source != Source::Before;
        let last = self.base.last.as_ref().filter(|last| is_asked && !known.is_own(&last.id))?;
        (request.over != Some(last.deploy)).then(|| (last.deploy, last.begun.clone()))
    }

    fn record(&self, request: &Request) -> Record {
        let keeps = self.keeps(request);
        Record::after(&self.base, request.id.clone(), request.begun.clone(), self.wanted.clone(), keeps)
    }

    /// Returns the files of some manifests.
    fn all<'a>(&'a self, names: impl Iterator<Item = &'a String>) -> Vec<&'a Files> {
        names.filter_map(|name| self.get(name)).collect()
    }

    fn cleaning(&self, record: &Record, wanted: &Files, role: &dyn Fn(&str) -> Role) -> Vec<Phase> {
        plan::cleaning(wanted, &self.all(record.outdated()), &self.all(record.recent()), role)
    }
}

/// Claims the target. Returns whether it lets two deploys make the same claim.
fn make_claim(store: &dyn Store, record: &Record) -> Result<bool, Refusal> {
    let (path, text) = (file_of(record.deploy, "json"), record.text());
    // The answer to a request that was made again says that the file is there: it may be ours.
    let is_ours = || -> Result<bool, Failure> { Ok(store.read(&path)?.is_some_and(|there| there == text)) };
    if !store.create(&path, &text)? && !is_ours()? {
        return refused(
            format!("somebody else has just begun deploy {}", record.deploy),
            "wait until it has ended".to_owned(),
        );
    }
    check_last(store, record.deploy)?;
    // A server that takes no notice of the condition creates it once more.
    Ok(store.create(&path, &text)? || !is_ours()?)
}

/// Fails if another deploy has taken over.
fn check_last(store: &dyn Store, deploy: u64) -> Result<(), Failure> {
    newer(store, deploy)?.map_or(Ok(()), |newer| Err(taken_over(newer)))
}

/// Returns the number of a deploy that has taken over from this one.
fn newer(store: &dyn Store, deploy: u64) -> Result<Option<u64>, Failure> {
    Ok(last_claim(&store.names(FOLDER)?).filter(|last| *last != deploy))
}

fn taken_over(newer: u64) -> Failure {
    let what = format!("deploy {newer} has taken over from this one");
    Failure::with_help(what, "run `sitegen deploy` again when it has ended")
}

/// Why a deploy was stopped.
#[derive(Default)]
struct Lost(std::sync::Mutex<Option<Failure>>);

impl Lost {
    fn set(&self, failure: Failure) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(failure);
    }

    fn reason(&self) -> Option<Failure> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }
}

/// Says again and again that a deploy is going on, and stops it when another one has taken over or nothing could be said for a
/// while: another deploy may take over then.
fn stay_alive(store: &dyn Store, deploy: u64, stop: &AtomicBool, is_over: &AtomicBool, lost: &Lost) {
    let (mut count, mut last) = (0_u64, Instant::now());
    while !is_over.load(Ordering::SeqCst) {
        count += 1;
        let said = newer(store, deploy).and_then(|newer| match newer {
            Some(newer) => Ok(Some(taken_over(newer))),
            None => store.write(&file_of(deploy, "alive"), count.to_string().as_bytes()).map(|()| None),
        });
        let reason = match said {
            Ok(None) => {
                last = Instant::now();
                None
            }
            Ok(reason) => reason,
            Err(failure) => Some(failure).filter(|_| last.elapsed() > ALIVE_WITHIN),
        };
        if let Some(reason) = reason {
            lost.set(reason);
            stop.store(true, Ordering::SeqCst);
            return;
        }
        std::thread::park_timeout(ALIVE_EVERY);
    }
}

/// Deletes what [`FOLDER`] has of deploys before this one.
fn clean_folder(
    store: &dyn Store,
    request: &Request,
    prepared: &Prepared,
    record: &Record,
    control: &Control,
) -> Result<(), Failure> {
    let (before, has_before) = record.before();
    let empty = Files::new();
    let files = |name: Option<&String>| name.and_then(|name| prepared.get(name)).unwrap_or(&empty);
    let needed: BTreeSet<String> = match has_before {
        true => plan::replaced(files(before), files(Some(&record.manifest)), &|path| prepared.role(request, path))
            .iter()
            .map(|(_, digest)| old_content(digest))
            .collect(),
        false => BTreeSet::new(),
    };
    let manifests: BTreeSet<String> =
        record.recent().chain([&record.manifest]).map(|name| manifest_file(name)).collect();
    let is_old = |name: &str| {
        let (number, kind) = name.split_once('.').unwrap_or_default();
        let is_ours = ["json", "alive", "done", "clean"].contains(&kind);
        is_ours && number.parse::<u64>().is_ok_and(|number| number < record.deploy)
    };
    let mut paths = Vec::new();
    for (folder, is_needed) in [("files", &needed), ("manifests", &manifests), ("tmp", &BTreeSet::new())] {
        let folder = format!("{FOLDER}/{folder}");
        let names = store.names(&folder)?.into_iter().map(|name| format!("{folder}/{name}"));
        paths.extend(names.filter(|path| !is_needed.contains(path)));
    }
    let claims = store.names(FOLDER)?.into_iter().filter(|name| is_old(name));
    paths.extend(claims.map(|name| format!("{FOLDER}/{name}")));
    let silent = Control { done: &|_| {}, ..*control };
    store.run(&paths.into_iter().map(|path| Step::Remove { path }).collect::<Vec<_>>(), &silent)
}
