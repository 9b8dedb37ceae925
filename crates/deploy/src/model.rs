//! A target in memory that is cut off after any number of changes, and visitors who get its pages between any two of them.

use super::plan::Role;
use super::record::{FOLDER, old_content};
use super::store::{Control, Failure, Step, Store};
use super::{Observer, Refusal, Report, Request, Source, deploy};
use proptest::prelude::*;
use sitegen_core::sources::{Digest, digest};
use sitegen_publish::manifest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

/// The content of a file. That of a page names the files that it needs.
type Content = Vec<u8>;

#[derive(Default)]
struct Model {
    files: BTreeMap<String, Content>,
    /// The files of the output folder.
    output: BTreeMap<String, Content>,
    /// How many changes are made until the deploy is cut off.
    left: usize,
    /// The pages that visitors may have open.
    open: BTreeSet<Content>,
}

struct Target(Mutex<Model>);

struct Silent;

impl Observer for Silent {
    fn watches(&self, _: u64) {}
    fn expects(&self, _: usize) {}
    fn did(&self, _: &Step) {}
}

fn role(path: &str) -> Role {
    match path {
        _ if path.starts_with("assets/") => Role::Hashed,
        _ if path.ends_with(".html") => Role::Page,
        _ if path.ends_with(".xml") || path == "manifest.json" => Role::List,
        _ => Role::File,
    }
}

impl Model {
    /// Checks what visitors get at this moment.
    fn visit(&mut self) {
        let pages = self.files.iter().filter(|(path, _)| path.ends_with(".html") && !path.starts_with(FOLDER));
        let visible: Vec<Content> = pages.map(|(_, content)| content.clone()).collect();
        for page in &visible {
            for needed in needs(page) {
                assert!(self.files.contains_key(&needed), "{needed} is missing, which a page needs");
            }
        }
        self.open.extend(visible);
        for page in &self.open {
            for needed in needs(page).filter(|path| role(path) == Role::Hashed) {
                assert!(self.files.contains_key(&needed), "{needed} is missing, which an open page needs");
            }
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut BTreeMap<String, Content>)) -> Result<(), Failure> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Failure::new("cut off"))?;
        change(&mut self.files);
        let is_folder = |path: &String| self.files.keys().any(|other| other.starts_with(&format!("{path}/")));
        assert!(!self.files.keys().any(is_folder), "a file is where a folder is");
        self.visit();
        Ok(())
    }
}

fn needs(page: &[u8]) -> impl Iterator<Item = String> + use<> {
    let text = String::from_utf8(page.to_vec()).unwrap();
    text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>().into_iter()
}

impl Store for Target {
    fn names(&self, folder: &str) -> Result<Vec<String>, Failure> {
        let start = format!("{folder}/");
        let model = self.0.lock().unwrap();
        let inside = model.files.keys().filter_map(|path| path.strip_prefix(&start));
        Ok(inside.filter(|name| !name.contains('/')).map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.0.lock().unwrap().files.get(path).cloned())
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        // When the other thread writes it is not known.
        if path.ends_with(".alive") {
            self.0.lock().unwrap().files.insert(path.to_owned(), bytes.to_vec());
            return Ok(());
        }
        self.0.lock().unwrap().change(|files| drop(files.insert(path.to_owned(), bytes.to_vec())))
    }

    fn create(&self, path: &str, bytes: &[u8]) -> Result<bool, Failure> {
        let mut model = self.0.lock().unwrap();
        if model.files.contains_key(path) {
            return Ok(false);
        }
        model.change(|files| drop(files.insert(path.to_owned(), bytes.to_vec())))?;
        Ok(true)
    }

    fn look(&self, paths: &[&str]) -> Result<BTreeMap<String, Option<Digest>>, Failure> {
        let model = self.0.lock().unwrap();
        let seen = paths.iter().filter_map(|path| Some((*path, model.files.get(*path)?)));
        Ok(seen.map(|(path, content)| (path.to_owned(), Some(digest(content)))).collect())
    }

    fn run(&self, steps: &[Step], control: &Control) -> Result<(), Failure> {
        // Backwards: no order within a phase may matter.
        for step in steps.iter().rev() {
            control.check()?;
            let mut model = self.0.lock().unwrap();
            match step {
                Step::Put { path, digest: wanted } => {
                    let content = model.output[path].clone();
                    assert_eq!(digest(&content), *wanted);
                    model.change(|files| drop(files.insert(path.clone(), content)))?;
                }
                Step::Copy { from, to } => {
                    let content = model.files.get(from).cloned();
                    let content = content.unwrap_or_else(|| panic!("{from} is copied, and is not there"));
                    model.change(|files| drop(files.insert(to.clone(), content)))?;
                }
                Step::Remove { path } => model.change(|files| drop(files.remove(path)))?,
            }
            drop(model);
            (control.done)(step);
        }
        Ok(())
    }
}

/// A site of some pages, each with some of the files and a text.
fn site(seed: &[(usize, u8, Vec<usize>)]) -> BTreeMap<String, Content> {
    let mut site = BTreeMap::new();
    for (page, text, files) in seed {
        let mut content = format!("page {page} {text}\n");
        for file in files {
            // Hashed files have one content, others that of the page which comes last.
            let (path, inside) = match file % 2 {
                0 => (format!("assets/{file}.js"), format!("hashed {file}")),
                _ => (format!("file-{file}.png"), format!("file {file} {text}")),
            };
            content.push_str(&format!("{path}\n"));
            site.insert(path, inside.into_bytes());
        }
        site.insert(format!("page-{page}.html"), content.into_bytes());
    }
    site.insert("sitemap.xml".to_owned(), format!("{seed:?}").into_bytes());
    site
}

fn manifest_of(site: &BTreeMap<String, Content>) -> Vec<u8> {
    manifest::text(0, site.iter().map(|(path, content)| (path.as_str(), digest(content)))).into_bytes()
}

/// A person who deploys.
struct Editor {
    project: tempfile::TempDir,
    number: usize,
}

impl Editor {
    fn new() -> Self {
        Editor { project: tempfile::tempdir().unwrap(), number: 0 }
    }

    /// Deploys a site, or goes back.
    fn deploy(&mut self, target: &Target, source: Source, keeps: bool, over: bool) -> Result<Report, Refusal> {
        self.number += 1;
        let last = super::record::Base::read(target).unwrap().number;
        let request = Request {
            project: self.project.path(),
            target: "model".to_owned(),
            place: "model".to_owned(),
            source,
            is_sent: &|path| path != "_headers",
            has_manifest_file: false,
            role: &role,
            id: format!("{:?} {}", self.project.path(), self.number),
            begun: "today".to_owned(),
            over: over.then_some(last),
            trusts_known: true,
            keeps,
            sends_all: false,
            wait: Duration::ZERO,
            is_dry: false,
            observer: &Silent,
        };
        deploy(target, &request)
    }
}

/// What of a target visitors get.
fn visible(target: &Target) -> BTreeMap<String, Content> {
    let files = target.0.lock().unwrap().files.clone();
    files.into_iter().filter(|(path, _)| !path.starts_with(FOLDER)).collect()
}

fn seeds() -> impl Strategy<Value = Vec<(usize, u8, Vec<usize>)>> {
    let page = (0_usize..4, 0_u8..3, prop::collection::vec(0_usize..8, 0..4));
    prop::collection::vec(page, 0..4)
}

/// What is tried: a site or a rollback, after how many changes it is cut off, by which of two people, and whether old content is kept.
#[derive(Clone, Debug)]
struct Attempt {
    site: Option<Vec<(usize, u8, Vec<usize>)>>,
    cut: Option<usize>,
    editor: usize,
    keeps: bool,
}

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    let site = prop_oneof![4 => seeds().prop_map(Some), 1 => Just(None)];
    let keeps = prop_oneof![5 => Just(true), 1 => Just(false)];
    let attempt = (site, prop::option::of(0_usize..40), 0_usize..2, keeps);
    let attempt = attempt.prop_map(|(site, cut, editor, keeps)| Attempt { site, cut, editor, keeps });
    prop::collection::vec(attempt, 1..9)
}

/// Follows what must be at the target.
#[derive(Default)]
struct Expected {
    /// The complete site, and the one before it if a rollback can restore it.
    current: Option<BTreeMap<String, Content>>,
    previous: Option<BTreeMap<String, Content>>,
    /// Whether a deploy was cut off, and whether all such kept old contents.
    is_cut: bool,
    has_kept: bool,
}

fn check(attempts: &[Attempt]) {
    let target = Target(Mutex::default());
    target.0.lock().unwrap().files.insert("notes.txt".to_owned(), b"of somebody else".to_vec());
    let mut editors = [Editor::new(), Editor::new()];
    let mut expected = Expected { has_kept: true, ..Expected::default() };
    for attempt in attempts {
        let wanted = attempt.site.as_deref().map(site);
        let text = wanted.as_ref().map(manifest_of);
        {
            let mut model = target.0.lock().unwrap();
            model.output = wanted.clone().unwrap_or_default();
            model.left = attempt.cut.unwrap_or(usize::MAX);
        }
        let source = text.as_deref().map_or(Source::Before, Source::Output);
        let before = super::record::Base::read(&target).unwrap();
        let result = editors[attempt.editor].deploy(&target, source, attempt.keeps, true);
        let now = super::record::Base::read(&target).unwrap();
        let restored = if expected.is_cut { &expected.current } else { &expected.previous };
        let wanted = wanted.or_else(|| restored.clone());
        match result {
            Err(Refusal::Refused(_)) => {
                assert_eq!(now, before, "a deploy that is refused changes nothing");
                assert!(attempt.site.is_none(), "nothing keeps this site from being deployed");
                assert!(expected.is_cut || expected.previous.is_none(), "the site before is kept");
            }
            Err(Refusal::Failed { failure, has_begun }) => {
                assert_eq!(failure.what, "cut off");
                assert_eq!(has_begun, now.number > before.number);
            }
            Ok(_) => {
                assert!(now.is_done && now.is_clean);
                let wanted = wanted.clone().unwrap();
                let mut there = visible(&target);
                assert_eq!(there.remove("notes.txt").as_deref(), Some(&b"of somebody else"[..]));
                there.retain(|path, _| role(path) != Role::Hashed || wanted.contains_key(path));
                assert_eq!(there, wanted);
            }
        }
        if now.number > before.number && now.is_done {
            let wanted = wanted.unwrap();
            let keeps = attempt.keeps && expected.has_kept;
            if expected.current.as_ref() != Some(&wanted) {
                let current = expected.current.replace(wanted);
                expected.previous = current.filter(|_| keeps);
            } else if !keeps {
                expected.previous = None;
            }
            (expected.is_cut, expected.has_kept) = (false, true);
        } else if now.number > before.number {
            expected.is_cut = true;
            expected.has_kept &= attempt.keeps;
        }
        if now.is_done && now.is_clean {
            let mut model = target.0.lock().unwrap();
            model.open.clear();
            model.visit();
            // No more is kept than a rollback needs.
            let kept = model.files.keys().filter(|path| path.starts_with(&format!("{FOLDER}/files/")));
            let previous = expected.previous.iter().flatten();
            let needed: BTreeSet<String> = previous.map(|(_, content)| old_content(&digest(content))).collect();
            assert!(kept.into_iter().all(|path| needed.contains(path)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_page_has_its_files_at_every_moment(attempts in attempts()) {
        check(&attempts);
    }
}

#[test]
fn a_site_goes_back_and_forward_again() {
    let page = |text| vec![(1, text, vec![0, 1])];
    let target = Target(Mutex::default());
    let mut editor = Editor::new();
    for text in [1, 2] {
        let wanted = site(&page(text));
        let mut model = target.0.lock().unwrap();
        (model.output, model.left) = (wanted.clone(), usize::MAX);
        drop(model);
        editor.deploy(&target, Source::Output(&manifest_of(&wanted)), true, false).unwrap();
        assert_eq!(visible(&target), wanted);
    }
    for text in [1, 2, 1] {
        assert!(!editor.deploy(&target, Source::Before, true, false).unwrap().shares_claims);
        assert_eq!(visible(&target), site(&page(text)));
    }
}

#[test]
fn a_deploy_of_somebody_else_is_not_undone() {
    let target = Target(Mutex::default());
    target.0.lock().unwrap().left = usize::MAX;
    let [mut one, mut other] = [Editor::new(), Editor::new()];
    let text = |number| {
        let wanted = site(&[(number, 0, vec![])]);
        target.0.lock().unwrap().output = wanted.clone();
        manifest_of(&wanted)
    };
    one.deploy(&target, Source::Output(&text(1)), true, false).unwrap();
    // A fresh clone knows no deploy.
    other.deploy(&target, Source::Output(&text(2)), true, false).unwrap();
    let refused = one.deploy(&target, Source::Output(&text(3)), true, false).unwrap_err();
    let Refusal::Refused(failure) = refused else { panic!("{refused:?}") };
    assert_eq!(failure.what, "deploy 2 of today is there, and this project folder knows deploy 1");
    one.deploy(&target, Source::Output(&text(3)), true, true).unwrap();
    assert!(other.deploy(&target, Source::Before, true, false).is_err());
    one.deploy(&target, Source::Before, true, false).unwrap();
}

#[test]
fn files_of_somebody_else_are_not_replaced() {
    let target = Target(Mutex::default());
    let wanted = site(&[(1, 1, vec![1])]);
    {
        let mut model = target.0.lock().unwrap();
        (model.output, model.left) = (wanted.clone(), usize::MAX);
        model.files.insert("file-1.png".to_owned(), b"mine".to_vec());
    }
    let mut editor = Editor::new();
    let refused = editor.deploy(&target, Source::Output(&manifest_of(&wanted)), true, false).unwrap_err();
    assert!(matches!(&refused, Refusal::Refused(failure) if failure.what.ends_with(": `file-1.png`")), "{refused:?}");
    assert_eq!(visible(&target).len(), 1);
    // Another program has copied an earlier version of the site there.
    let earlier = site(&[(1, 0, vec![1, 2]), (2, 0, vec![])]);
    {
        let mut model = target.0.lock().unwrap();
        model.files.extend(earlier.clone());
        model.files.insert("manifest.json".to_owned(), manifest_of(&earlier));
        model.files.insert("notes.txt".to_owned(), b"of somebody else".to_vec());
    }
    editor.deploy(&target, Source::Output(&manifest_of(&wanted)), true, false).unwrap();
    let there: Vec<String> = visible(&target).into_keys().collect();
    let names = ["assets/2.js", "file-1.png", "manifest.json", "notes.txt", "page-1.html", "sitemap.xml"];
    assert_eq!(there, names);
}

#[test]
fn a_file_becomes_a_folder_and_a_file_again() {
    let sites =
        [("download", 1), ("download/list/all.txt", 2), ("download", 3), ("download/list", 4)].map(|(path, text)| {
            let mut site = site(&[(1, text, vec![0])]);
            site.insert(path.to_owned(), format!("file {text}").into_bytes());
            site
        });
    for cut in 0..40 {
        let target = Target(Mutex::default());
        let mut editor = Editor::new();
        let mut deploy = |wanted: Option<&BTreeMap<String, Content>>, left: usize| {
            let text = wanted.map(manifest_of);
            let mut model = target.0.lock().unwrap();
            (model.output, model.left) = (wanted.cloned().unwrap_or_default(), left);
            drop(model);
            editor.deploy(&target, text.as_deref().map_or(Source::Before, Source::Output), true, true)
        };
        deploy(Some(&sites[0]), usize::MAX).unwrap();
        for site in &sites[1..] {
            let _ = deploy(Some(site), cut);
            // Another one may be wanted after a deploy that was cut off.
            let _ = deploy(Some(&sites[0]), cut);
            deploy(Some(site), usize::MAX).unwrap();
            assert_eq!(visible(&target), *site);
        }
        deploy(Some(&sites[1]), usize::MAX).unwrap();
        for expected in [&sites[3], &sites[1]] {
            deploy(None, usize::MAX).unwrap();
            assert_eq!(visible(&target), *expected);
        }
    }
}

#[test]
fn a_file_without_a_hash_beside_hashed_ones_goes_back_too() {
    let target = Target(Mutex::default());
    let mut editor = Editor::new();
    let sites = [b"one", b"two"].map(|text| {
        let mut site = site(&[(1, text[0], vec![0])]);
        site.insert("assets/app.js".to_owned(), text.to_vec());
        site
    });
    for site in &sites {
        let mut model = target.0.lock().unwrap();
        (model.output, model.left) = (site.clone(), usize::MAX);
        drop(model);
        editor.deploy(&target, Source::Output(&manifest_of(site)), true, false).unwrap();
    }
    editor.deploy(&target, Source::Before, true, false).unwrap();
    assert_eq!(visible(&target), sites[0]);
    // What is kept is compared with its digest.
    let kept = old_content(&digest(b"two"));
    target.0.lock().unwrap().files.insert(kept, b"hacked".to_vec());
    let refused = editor.deploy(&target, Source::Before, true, false).unwrap_err();
    let Refusal::Refused(failure) = refused else { panic!("{refused:?}") };
    assert_eq!(failure.what, "the old content of assets/app.js that is kept there was changed by somebody else");
    assert_eq!(visible(&target), sites[0]);
}

#[test]
fn a_claim_that_was_not_made_does_not_hide_the_one_before() {
    let target = Target(Mutex::default());
    let mut editor = Editor::new();
    let wanted = site(&[(1, 1, vec![0])]);
    let text = manifest_of(&wanted);
    target.0.lock().unwrap().output = wanted.clone();
    // The first is cut off after its claim, the second before.
    for left in [2, 0, 0] {
        target.0.lock().unwrap().left = left;
        editor.deploy(&target, Source::Output(&text), true, false).unwrap_err();
    }
    target.0.lock().unwrap().left = usize::MAX;
    assert_eq!(editor.deploy(&target, Source::Output(&text), true, false).unwrap().deploy, 2);
}

#[test]
fn a_claim_that_was_cut_off_is_passed_over() {
    let target = Target(Mutex::default());
    let mut editor = Editor::new();
    let mut deploy = |number| {
        let wanted = site(&[(number, 1, vec![0])]);
        let mut model = target.0.lock().unwrap();
        (model.output, model.left) = (wanted.clone(), usize::MAX);
        drop(model);
        let report = editor.deploy(&target, Source::Output(&manifest_of(&wanted)), true, false).unwrap();
        assert_eq!(visible(&target), wanted);
        report.deploy
    };
    let cut = |number| target.0.lock().unwrap().files.insert(super::record::file_of(number, "json"), Vec::new());
    cut(1);
    assert_eq!(deploy(1), 2);
    cut(3);
    assert_eq!(deploy(2), 4);
    assert!(target.0.lock().unwrap().files.keys().all(|path| !path.ends_with("/1.json") && !path.ends_with("/3.json")));
}
