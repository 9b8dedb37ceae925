//! Editing a page in the page: the calls that the browser sends, on real files that other programs change at the same time, and
//! the server that they go through.

use serde_json::{Value, json};
use sitegen::artifacts::Artifacts;
use sitegen::content::Site;
use sitegen::diagnostics::{Diagnostic, Severity};
use sitegen::editing::{Editor, Moment};
use sitegen::profile::Profile;
use sitegen::session::{Mode, Session};
use sitegen::sources::Sources;
use sitegen::tools::DiskTools;
use sitegen::watch::Change;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const PAGE: &str = "<!doctype html>\n<html lang=\"{{ site.language }}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }} – {{ site.name }}</title>\n</head>\n<body>\n<main>\n\
    <h1>{{ page.title }}</h1>\n{{ page.content }}\n<p class=\"lead\">Lead: {{ page.lead }}</p>\n\
    <p>Since {{ page.since | date(format=\"%d %B %Y\") }}</p>\n<p>Fixed words</p>\n\
    {% if page.kind == \"open\" %}<p>Open</p>{% endif %}\n\
    <ul>{% for beer in collections.beers %}<li><b>{{ beer.name }}</b> {{ beer.price }} EUR</li>{% endfor %}</ul>\n\
    <dl>{% for hour in page.hours %}<dt>{{ hour.day | upper }}</dt><dd>{{ hour.from }}</dd>{% endfor %}</dl>\n</main>\n</body>\n</html>\n";
const HOME: &str = "---\ntitle: Home\ntemplate: pages/page.html\nlead: 'Bread & beer'   # said at the top\nsince: 2026-01-31\nkind: open\n\
    hours:\n  # weekdays\n  - day: Monday\n    from: \"10\"\n  - { day: Sunday, from: '12' }\n---\n\nFirst *paragraph*.\n\n- one\n- two\n";

/// A project in a folder, with an editor and the last valid build.
struct Editing {
    folder: tempfile::TempDir,
    editor: Editor,
    session: Session,
    profile: Profile,
    sources: Sources,
    site: Option<Site>,
    artifacts: Option<Arc<Artifacts>>,
    builds: u64,
    faults: Vec<Diagnostic>,
}

impl Editing {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            write(folder.path(), path, text);
        }
        Editing::in_folder(folder, None)
    }

    /// Each picture has another shade.
    fn with_pictures(files: &[(&str, &str)], names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            write(folder.path(), path, text);
        }
        for (name, shade) in names.iter().zip(1..) {
            let path = folder.path().join("content/assets").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, png(shade)).unwrap();
        }
        Editing::in_folder(folder, None)
    }

    fn brewery() -> Self {
        Editing::of(&[
            ("content/site.yaml", "url: https://www.a.test\nlanguage: en\nname: Mill\n"),
            ("content/pages/index.md", HOME),
            ("content/beers/lager.yaml", "# The first one.\nname: Lager\nprice: 3.5\n"),
            ("content/beers/stout.yaml", "name: \"Stout\"\nprice: 4\n"),
            (
                "content/schemas/beers.schema.json",
                r#"{"type":"object","required":["name","price"],"properties":{"name":{"type":"string","maxLength":12},"price":{"type":"number","minimum":1}}}"#,
            ),
            ("templates/pages/page.html", PAGE),
        ])
    }

    fn in_folder(folder: tempfile::TempDir, root: Option<&Path>) -> Self {
        let root = root.unwrap_or(folder.path()).to_owned();
        let mut editing = Editing {
            editor: Editor::of(root.clone(), "test"),
            session: Session::of(&root, Mode::Edit { with_programs: true }, DiskTools::of),
            profile: Profile::default(),
            sources: Sources::default(),
            site: None,
            artifacts: None,
            builds: 0,
            faults: Vec::new(),
            folder,
        };
        editing.session.read(&Change::Everything { with_packages: false });
        assert_eq!(editing.build(), Vec::<String>::new());
        editing
    }

    fn build(&mut self) -> Vec<String> {
        let Some(pending) = self.session.pending() else { return Vec::new() };
        let outcome = pending.check(&self.profile);
        self.faults = outcome.diagnostics.iter().filter(|each| each.severity != Severity::Warning).cloned().collect();
        let errors: Vec<String> = self.faults.iter().map(|each| format!("{:?}", each.problem)).collect();
        if let Some(artifacts) = outcome.artifacts.filter(|_| errors.is_empty()) {
            self.builds += 1;
            self.artifacts = Some(Arc::new(artifacts));
            self.site = outcome.site;
            self.sources = pending.sources.unwrap_or_default();
        }
        errors
    }

    fn ask(&mut self, call: &str, body: Value) -> Result<Value, (u16, String)> {
        let mut moment = Moment {
            session: &mut self.session,
            profile: &self.profile,
            sources: &self.sources,
            site: self.site.as_ref(),
            artifacts: self.artifacts.as_ref(),
            build: self.builds,
            faults: &self.faults,
            weigh: &|diagnostics| diagnostics,
        };
        let answered = self.editor.answer(call, body.to_string().as_bytes(), &mut moment);
        let written: Vec<String> = answered.written.iter().map(|path| path.as_str().to_owned()).collect();
        if !written.is_empty() {
            self.session.read(&Change::Paths(written.into_iter().collect()));
            self.build();
        }
        answered.json.map_err(|refused| (refused.status, refused.reason))
    }

    fn parts(&mut self, address: &str) -> Vec<Value> {
        self.ask("page", json!({ "address": address })).unwrap()["parts"].as_array().unwrap().clone()
    }

    /// Returns the part with a label, and in that the id.
    fn part(&mut self, label: &str) -> Value {
        let parts = self.parts("/");
        let part = parts.iter().find(|part| part["label"] == label);
        part.unwrap_or_else(|| {
            panic!("{label} is not among {:#?}", parts.iter().map(|part| &part["label"]).collect::<Vec<_>>())
        })
        .clone()
    }

    fn change(&mut self, label: &str, value: Value) -> Value {
        let id = self.part(label)["id"].clone();
        self.ask("change", json!({ "id": id, "value": value })).unwrap()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
    }

    /// Returns everything that was kept of a file.
    fn kept(&self, path: &str) -> Vec<String> {
        let kept = self.folder.path().join(".sitegen/edits");
        let folders = fs::read_dir(kept).into_iter().flatten().filter_map(Result::ok);
        folders.filter_map(|folder| fs::read_to_string(folder.path().join(path)).ok()).collect()
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn each_text_of_a_page_is_known_by_what_wrote_it() {
    let mut editing = Editing::brewery();
    let page = editing.ask("page", json!({ "address": "/" })).unwrap();
    let tags: Vec<&str> = page["tags"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let shown: Vec<String> = page["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| {
            let element = tags[part["element"].as_u64().unwrap() as usize];
            let range = part["start"].as_u64().map(|start| format!(" {start}-{}", part["end"])).unwrap_or_default();
            format!(
                "{element}{range} {} {} {}",
                part["kind"].as_str().unwrap(),
                part["label"].as_str().unwrap(),
                part["place"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "title 0-4 value title of Home content/pages/index.md:2",
        "title 7-11 value name of the site content/site.yaml:3",
        "h1 0-4 value title of Home content/pages/index.md:2",
        "p markdown text of Home content/pages/index.md:14",
        "ul markdown text of Home content/pages/index.md:16",
        "p 6-18 value lead of Home content/pages/index.md:4",
        "p derived since of Home content/pages/index.md:5",
        "p template Part of the template: templates/pages/page.html:13 templates/pages/page.html:13",
        "p template Part of the template: templates/pages/page.html:14 templates/pages/page.html:14",
        "li 1-4 value price of Lager content/beers/lager.yaml:3",
        "b 0-5 value name of Lager content/beers/lager.yaml:2",
        "li 1-2 value price of Stout content/beers/stout.yaml:2",
        "b 0-5 value name of Stout content/beers/stout.yaml:1",
        "dt derived day in hours of Home content/pages/index.md:9",
        "dd 0-2 value from in hours of Home content/pages/index.md:10",
        "dt derived day in hours of Home content/pages/index.md:11",
        "dd 0-2 value from in hours of Home content/pages/index.md:11",
    ];
    assert_eq!(shown, expected);
    let forms: Vec<&str> = page["forms"].as_array().unwrap().iter().filter_map(|form| form["file"].as_str()).collect();
    assert_eq!(forms[0], "content/pages/index.md");
}

#[test]
fn a_change_is_one_value_in_one_file() {
    let mut editing = Editing::brewery();
    let answer = editing.change("price of Lager", json!(3.75));
    assert_eq!((&answer["ok"], &answer["pages"]), (&json!(true), &json!([{ "address": "/", "title": "Home" }])));
    assert_eq!(editing.read("content/beers/lager.yaml"), "# The first one.\nname: Lager\nprice: 3.75\n");
    editing.change("lead of Home", json!("Bread: 'all' # day"));
    assert_eq!(editing.read("content/pages/index.md"), HOME.replace("'Bread & beer'", "'Bread: ''all'' # day'"));
    editing.change("text of Home", json!("Another **one**.\n"));
    assert!(editing.read("content/pages/index.md").contains("---\n\nAnother **one**.\n\n- one\n- two\n"));
    editing.change("from in hours of Home", json!("9"));
    assert!(editing.read("content/pages/index.md").contains("  # weekdays\n  - day: Monday\n    from: \"9\"\n"));
    let html = String::from_utf8(editing.artifacts.as_ref().unwrap().get("index.html").unwrap().to_vec()).unwrap();
    assert!(
        html.contains("Lead: Bread: &#x27;all&#x27; # day")
            || html.contains("Lead: Bread: &#39;all&#39; # day")
            || html.contains("Lead: Bread: 'all' # day"),
        "{html}"
    );
    assert!(html.contains("3.75 EUR") && html.contains("Another <strong>one</strong>."));
    assert!(!html.contains('\u{e005}') && !html.contains('\u{e004}'));
}

#[test]
fn what_breaks_the_site_is_answered_and_not_written() {
    let mut editing = Editing::brewery();
    let before = editing.read("content/beers/lager.yaml");
    for (label, value, code) in [
        ("price of Lager", json!(0), "out-of-range"),
        ("name of Lager", json!("A name that is much too long"), "wrong-length"),
        ("text of Home", json!("[broken](/nowhere)"), "broken-link"),
        ("since of Home", json!("soon"), ""),
    ] {
        let answer = editing.change(label, value.clone());
        assert_eq!(answer["ok"], json!(false), "{label} {answer}");
        let problem = &answer["problems"][0];
        assert!(code.is_empty() || problem["code"] == code, "{label} {problem}");
        assert_eq!(problem["here"], json!(true), "{problem}");
        assert!(problem["text"].as_str().unwrap().contains("content/"), "{problem}");
    }
    assert_eq!(editing.read("content/beers/lager.yaml"), before);
    assert_eq!(editing.read("content/pages/index.md"), HOME);
    let id = editing.part("price of Lager")["id"].clone();
    let checked = editing.ask("check", json!({ "id": id, "value": 5 })).unwrap();
    assert_eq!(checked["ok"], json!(true));
    assert_eq!(editing.read("content/beers/lager.yaml"), before);
    assert!(editing.kept("content/beers/lager.yaml").is_empty());
}

#[test]
fn forms_come_from_the_schema() {
    let mut editing = Editing::brewery();
    let page = editing.ask("page", json!({ "address": "/" })).unwrap();
    let form =
        |file: &str| page["forms"].as_array().unwrap().iter().find(|form| form["file"] == file).unwrap()["id"].clone();
    let beer = editing.ask("form", json!({ "id": form("content/beers/lager.yaml") })).unwrap();
    let price = beer["fields"].as_array().unwrap().iter().find(|field| field["name"] == "price").unwrap();
    assert_eq!(
        (&price["editor"], &price["value"], &price["minimum"], &price["required"]),
        (&json!("number"), &json!("3.5"), &json!(1), &json!(true))
    );
    let home = editing.ask("form", json!({ "id": form("content/pages/index.md") })).unwrap();
    assert_eq!(home["draft"]["editor"], "switch");
    assert_eq!(home["body"]["editor"], "markdown");
    let hours = home["fields"].as_array().unwrap().iter().find(|field| field["name"] == "hours").unwrap().clone();
    assert_eq!(
        (&hours["editor"], &hours["items"][1]["title"], &hours["canAdd"]),
        (&json!("list"), &json!("Sunday"), &json!(true))
    );
    let add = |at: usize| json!({ "id": hours["id"], "add": { "day": "Friday", "from": "8" }, "at": at });
    assert_eq!(editing.ask("change", add(1)).unwrap()["ok"], json!(true));
    let middle =
        "  - day: Monday\n    from: \"10\"\n  - day: Friday\n    from: \"8\"\n  - { day: Sunday, from: '12' }\n---\n";
    assert!(editing.read("content/pages/index.md").contains(middle));
    // The number of an item is that of the list that was shown, and the list has changed.
    let answer = editing.ask("change", json!({ "id": hours["id"], "remove": 1 })).unwrap();
    assert_eq!(answer["ok"], json!(false));
    assert!(answer["conflict"].is_object(), "{answer}");
    let home = editing.ask("form", json!({ "id": form("content/pages/index.md") })).unwrap();
    let hours = home["fields"].as_array().unwrap().iter().find(|field| field["name"] == "hours").unwrap().clone();
    assert_eq!(editing.ask("change", json!({ "id": hours["id"], "move": 2, "to": 0 })).unwrap()["ok"], json!(true));
    let moved = "hours:\n  - { day: Sunday, from: '12' }\n  # weekdays\n  - day: Monday\n";
    assert!(editing.read("content/pages/index.md").contains(moved), "{}", editing.read("content/pages/index.md"));
}

#[test]
fn changes_are_undone_and_done_again() {
    let mut editing = Editing::brewery();
    let start = editing.read("content/beers/lager.yaml");
    editing.change("price of Lager", json!(4));
    let changed = editing.change("name of Lager", json!("Pils"));
    assert_eq!(changed["undo"], "name of Lager");
    // Another program writes elsewhere in the file.
    editing.write("content/beers/lager.yaml", "# The very first one.\nname: Pils\nprice: 4\n");
    let undone = editing.ask("undo", json!({})).unwrap();
    assert_eq!((&undone["ok"], &undone["redo"]), (&json!(true), &json!("name of Lager")));
    assert_eq!(editing.read("content/beers/lager.yaml"), "# The very first one.\nname: Lager\nprice: 4\n");
    assert_eq!(editing.ask("redo", json!({})).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/beers/lager.yaml"), "# The very first one.\nname: Pils\nprice: 4\n");
    editing.ask("undo", json!({})).unwrap();
    editing.ask("undo", json!({})).unwrap();
    assert_eq!(editing.read("content/beers/lager.yaml"), start.replace("The first", "The very first"));
    assert_eq!(editing.ask("undo", json!({})).unwrap_err().0, 400);
    // Everything that was displaced is there.
    assert!(editing.kept("content/beers/lager.yaml").contains(&start));
}

#[test]
fn what_another_program_wrote_meanwhile_is_kept() {
    let mut editing = Editing::brewery();
    let price = editing.part("price of Lager")["id"].clone();
    editing.write("content/beers/lager.yaml", "# Changed.\nname: Helles\nprice: 3.5\nalcohol: 5\n");
    assert_eq!(editing.ask("change", json!({ "id": price, "value": 9 })).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/beers/lager.yaml"), "# Changed.\nname: Helles\nprice: 9\nalcohol: 5\n");
    // The id stands for the text that was shown.
    editing.write("content/beers/lager.yaml", "name: Helles\nprice: 2\n");
    let answer = editing.ask("change", json!({ "id": price, "value": 7 })).unwrap();
    assert_eq!((&answer["ok"], &answer["conflict"]["theirs"]), (&json!(false), &json!(["", "2", ""])), "{answer}");
    assert_eq!(editing.read("content/beers/lager.yaml"), "name: Helles\nprice: 2\n");
    assert_eq!(editing.ask("change", json!({ "id": price, "value": 7, "over": true })).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/beers/lager.yaml"), "name: Helles\nprice: 7\n");
}

#[test]
fn pictures_and_new_entries_are_added() {
    let mut editing = Editing::brewery();
    let site = editing.ask("site", json!({})).unwrap();
    let beers = site["new"].as_array().unwrap().iter().find(|new| new["label"] == "Beers").unwrap()["id"].clone();
    let created = editing.ask("create", json!({ "id": beers, "title": "Red Ale" })).unwrap();
    assert_eq!(created["ok"], json!(true), "{created}");
    assert_eq!(editing.read("content/beers/red-ale.yaml"), "name: Red Ale\nprice: 1\n");
    let again = editing.ask("create", json!({ "id": beers, "title": "Red  ale!" })).unwrap();
    assert_eq!(again["ok"], json!(false));
    editing.ask("undo", json!({})).unwrap();
    assert!(!editing.folder.path().join("content/beers/red-ale.yaml").exists());
    let lead = editing.part("lead of Home")["id"].clone();
    let upload = json!({ "name": "../../Evil name.PNG", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" });
    let answer = editing.ask("change", json!({ "id": lead, "upload": upload })).unwrap();
    assert!(
        editing.folder.path().join("content/assets/evil-name.png").exists() == (answer["ok"] == json!(true)),
        "{answer}"
    );
    assert!(!editing.folder.path().join("Evil name.PNG").exists());
}

/// The program reads an SVG without what no page needs of it: then the file on the disk has other bytes than the source.
#[test]
fn an_uploaded_drawing_is_undone_and_done_again() {
    let plain = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path d=\"M0 0h4v4z\"/></svg>\n";
    let prolog = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- Generator -->\n\
        <!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n";
    for drawing in [plain.to_owned(), format!("\u{feff}{prolog}{plain}"), plain.replace('\n', "\r\n")] {
        let mut editing = Editing::of(&[
            ("content/site.yaml", "url: https://www.a.test\nlanguage: en\nname: Mill\n"),
            ("content/assets/old.svg", plain),
            ("content/pages/index.md", "---\ntitle: Home\nlogo: old.svg\n---\nText.\n"),
            (
                "templates/pages/page.html",
                "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\n\
                 <body><main><h1>{{ page.title }}</h1>{{ page.content }}<img src=\"{{ asset(path=page.logo) }}\" alt=\"Mill\" \
                 width=\"4\" height=\"4\"></main></body></html>\n",
            ),
        ]);
        let start = editing.read("content/pages/index.md");
        let logo = editing.part("logo of Home")["id"].clone();
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &drawing);
        let upload = json!({ "id": logo, "upload": { "name": "New Logo.svg", "data": data } });
        assert_eq!(editing.ask("change", upload.clone()).unwrap()["ok"], json!(true));
        let changed = editing.read("content/pages/index.md");
        for _ in 0..2 {
            assert_eq!(editing.read("content/assets/new-logo.svg"), drawing);
            let undone = editing.ask("undo", json!({})).unwrap();
            assert_eq!(undone["ok"], json!(true), "{undone}");
            assert!(!editing.folder.path().join("content/assets/new-logo.svg").exists());
            assert_eq!(editing.read("content/pages/index.md"), start);
            let redone = editing.ask("redo", json!({})).unwrap();
            assert_eq!(redone["ok"], json!(true), "{redone}");
            assert_eq!(editing.read("content/pages/index.md"), changed);
        }
        // One that somebody else has changed stays.
        editing.write("content/assets/new-logo.svg", &plain.replace("h4", "h3"));
        let refused = editing.ask("undo", json!({})).unwrap_err();
        assert!(refused.0 == 409 && refused.1.contains("content/assets/new-logo.svg"), "{refused:?}");
        assert_eq!(editing.read("content/assets/new-logo.svg"), plain.replace("h4", "h3"));
        assert_eq!(editing.read("content/pages/index.md"), changed);
        // The same picture again has the same name.
        editing.write("content/assets/new-logo.svg", &drawing);
        editing.session.read(&Change::Everything { with_packages: false });
        editing.build();
        let logo = editing.part("logo of Home")["id"].clone();
        let again = json!({ "id": logo, "upload": { "name": "New Logo.svg", "data": upload["upload"]["data"] } });
        assert_eq!(editing.ask("change", again).unwrap()["ok"], json!(true));
        assert_eq!(editing.read("content/pages/index.md"), changed);
    }
}

/// Another branch has other files and other texts in the same files. An editor has one change that is written, and another that
/// is not.
#[test]
fn another_branch_that_is_checked_out_meanwhile_loses_nothing() {
    let mut editing = Editing::brewery();
    let root = editing.folder.path().to_owned();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@a.test", "-c", "init.defaultBranch=main"];
        let output = Command::new("git").current_dir(&root).args(identity).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?} {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let (lager, stout) = ("content/beers/lager.yaml", "content/beers/stout.yaml");
    git(&["init", "-q"]);
    write(&root, ".gitignore", ".sitegen/\n");
    git(&["add", "."]);
    git(&["commit", "-qm", "All"]);
    git(&["checkout", "-qb", "summer"]);
    editing.write(lager, "# The first one.\nname: Lager\nprice: 5\nalcohol: 4\n");
    fs::remove_file(root.join(stout)).unwrap();
    git(&["commit", "-qam", "Summer"]);
    git(&["checkout", "-q", "main"]);

    let follow = |editing: &mut Editing| {
        editing.session.read(&Change::Everything { with_packages: false });
        assert_eq!(editing.build(), Vec::<String>::new());
    };
    follow(&mut editing);
    // Written, and not yet committed; the page with the values of this branch stays open.
    assert_eq!(editing.change("name of Lager", json!("Pils"))["ok"], json!(true));
    assert_eq!(editing.change("name of Stout", json!("Porter"))["ok"], json!(true));
    let (price, other) = (editing.part("price of Pils")["id"].clone(), editing.part("price of Porter")["id"].clone());
    git(&["commit", "-qam", "Names"]);
    git(&["checkout", "-q", "summer"]);
    let of_summer = editing.read(lager);

    // What was open is the same value of the other branch, whose price differs: a person decides, and nothing is written.
    let answer = editing.ask("change", json!({ "id": price, "value": 9 })).unwrap();
    assert_eq!((&answer["ok"], &answer["conflict"]["theirs"]), (&json!(false), &json!(["", "5", ""])), "{answer}");
    // A file that the other branch does not have does not come back.
    let answer = editing.ask("change", json!({ "id": other, "value": 9 }));
    assert!(!answer.as_ref().is_ok_and(|answer| answer["ok"] == json!(true)), "{answer:?}");
    assert!(!root.join(stout).exists());
    // The last change was of that file, so undoing it is refused too.
    let answer = editing.ask("undo", json!({}));
    assert!(!answer.as_ref().is_ok_and(|answer| answer["ok"] == json!(true)), "{answer:?}");
    assert_eq!((editing.read(lager), root.join(stout).exists()), (of_summer, false));
    assert_eq!(git(&["status", "--porcelain"]), "");

    // Back on the first branch everything is as it was, and can be undone in order.
    git(&["checkout", "-q", "main"]);
    follow(&mut editing);
    for (path, text) in [(stout, "name: \"Stout\"\nprice: 4\n"), (lager, "# The first one.\nname: Lager\nprice: 3.5\n")]
    {
        assert_eq!(editing.ask("undo", json!({})).unwrap()["ok"], json!(true));
        assert_eq!(editing.read(path), text);
    }
    // What the commits have is untouched.
    assert!(git(&["show", &format!("main:{lager}")]).contains("name: Pils"));
}

/// How many random steps are tried.
fn steps() -> usize {
    if std::env::var("SITEGEN_TESTS").as_deref() == Ok("full") { 10_000 } else { 250 }
}

/// Whoever saves: after each step the file has what the last one wrote, and what anybody wrote is there or was displaced by
/// somebody who had read it.
#[test]
fn nothing_is_lost_between_several_writers() {
    let mut editing = Editing::brewery();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |most: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % most
    };
    let path = "content/beers/lager.yaml";
    let mut ids: Vec<Value> = Vec::new();
    let mut written: BTreeMap<u64, String> = BTreeMap::new();
    for step in 0..steps() as u64 {
        let before = editing.read(path);
        match next(6) {
            0 => {
                let text = format!(
                    "# Note {step}.\n{}",
                    before
                        .lines()
                        .filter(|line| !line.starts_with('#'))
                        .map(|line| format!("{line}\n"))
                        .collect::<String>()
                );
                editing.write(path, &text);
                written.insert(step, text);
            }
            1 => {
                let text = before.replace("name: ", &format!("alias{step}: x\nname: "));
                let text = if text.len() > 600 { format!("name: N{step}\nprice: {}\n", step + 1) } else { text };
                editing.write(path, &text);
                written.insert(step, text);
            }
            2 if !ids.is_empty() => {
                let id = ids[next(ids.len() as u64) as usize].clone();
                let value = json!(step + 1);
                let answer = editing.ask("change", json!({ "id": id, "value": value })).unwrap();
                let after = editing.read(path);
                if answer["ok"] == json!(true) {
                    assert!(after.contains(&format!("price: {}\n", step + 1)), "{step} {answer}\n{after}");
                    let without = |text: &str| {
                        text.lines().filter(|line| !line.starts_with("price:")).map(str::to_owned).collect::<Vec<_>>()
                    };
                    assert_eq!(without(&after), without(&before), "{step}");
                } else {
                    assert_eq!(after, before, "{step} {answer}");
                }
            }
            3 => {
                let _ = editing.ask("undo", json!({}));
            }
            4 => {
                let _ = editing.ask("redo", json!({}));
            }
            _ => {
                editing.session.read(&Change::Everything { with_packages: false });
                editing.build();
                let parts = editing.parts("/");
                ids.extend(
                    parts
                        .iter()
                        .find(|part| {
                            part["label"].as_str().is_some_and(|label| {
                                label.starts_with("price of") && part["place"].as_str().unwrap().starts_with(path)
                            })
                        })
                        .map(|part| part["id"].clone()),
                );
            }
        }
    }
    // What other programs wrote was read by this one before it displaced it: it is the file, or it was kept, or they
    // displaced it themselves.
    let kept = editing.kept(path);
    assert!(!kept.is_empty() && !written.is_empty());
}

#[test]
fn a_link_in_the_place_of_a_file_is_not_followed() {
    let mut editing = Editing::brewery();
    let outside = tempfile::tempdir().unwrap();
    let price = editing.part("price of Lager")["id"].clone();
    let lager = editing.folder.path().join("content/beers/lager.yaml");
    fs::rename(&lager, outside.path().join("lager.yaml")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path().join("lager.yaml"), &lager).unwrap();
    let answer = editing.ask("change", json!({ "id": price, "value": 9 }));
    assert_ne!(answer.as_ref().map(|answer| answer["ok"].clone()).unwrap_or_default(), json!(true), "{answer:?}");
    assert!(fs::read_to_string(outside.path().join("lager.yaml")).unwrap().contains("price: 3.5"));
}

/// The text leaves of the pages that come with the project: how many can be edited, and how many have a place.
#[test]
fn every_text_of_the_examples_has_an_answer() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (project, least) in [("examples/brewery", 50), ("examples/museum", 40)] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        copy(&repository.join(project), &root);
        // Islands are compiled by the esbuild of this repository.
        #[cfg(unix)]
        std::os::unix::fs::symlink(repository.join("node_modules"), root.join("node_modules")).unwrap();
        let mut editing = Editing::in_folder(folder, Some(&root));
        let addresses: Vec<String> = editing
            .site
            .as_ref()
            .unwrap()
            .pages
            .iter()
            .filter(|page| page.route.format().is_html())
            .map(|page| page.route.as_str().to_owned())
            .collect();
        let (mut all, mut known, mut editable) = (0, 0, 0);
        for address in addresses.into_iter().step_by(7) {
            let Ok(page) = editing.ask("page", json!({ "address": address })) else { continue };
            let parts = page["parts"].as_array().unwrap();
            let count =
                |kinds: &[&str]| parts.iter().filter(|part| kinds.contains(&part["kind"].as_str().unwrap())).count();
            all += parts.len();
            known += parts.iter().filter(|part| !part["place"].as_str().unwrap().is_empty()).count();
            editable += count(&["value", "markdown", "picture", "derived"]);
        }
        println!("{project}: {all} parts, {known} with a place, {editable} that can be edited");
        assert_eq!(all, known);
        assert!(editable * 100 >= all * least, "{project}: {editable} of {all}");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        if [".sitegen", "dist", "node_modules"].iter().any(|each| name == *each) {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            {
                fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}

/// A server that is stopped when the test ends.
struct Serving {
    child: Child,
    port: u16,
    token: String,
    root: PathBuf,
    _folder: tempfile::TempDir,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Serving {
    fn start() -> Self {
        let folder = Editing::brewery().folder;
        let root = folder.path().to_owned();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sitegen"))
            .args(["serve", "--edit", "--port", "0", "--root", root.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| line.strip_prefix("editing at http://127.0.0.1:").map(str::to_owned))
            .unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        let (port, token) = address.split_once("/.sitegen/edit#").unwrap();
        assert_eq!(token.len(), 32);
        Serving { child, port: port.parse().unwrap(), token: token.to_owned(), root, _folder: folder }
    }

    /// Sends a request, and returns the status and the text of the answer.
    fn send(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    fn fields(&self) -> BTreeMap<&'static str, String> {
        let host = format!("127.0.0.1:{}", self.port);
        [
            ("host", host.clone()),
            ("origin", format!("http://{host}")),
            ("content-type", "application/json".to_owned()),
            ("x-sitegen-token", self.token.clone()),
            ("connection", "close".to_owned()),
        ]
        .into()
    }

    fn post(&self, call: &str, body: &str, fields: &BTreeMap<&str, String>) -> (u16, String) {
        let fields: String = fields
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        self.send(&format!(
            "POST /.sitegen/edit/{call} HTTP/1.1\r\n{fields}content-length: {}\r\n\r\n{body}",
            body.len()
        ))
    }
}

#[test]
fn only_the_page_of_this_server_with_the_token_changes_anything() {
    let serving = Serving::start();
    let price = |answer: &str| -> String {
        let json: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        json["parts"].as_array().unwrap().iter().find(|part| part["label"] == "price of Lager").unwrap()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (status, answer) = serving.post("page", r#"{"address":"/"}"#, &serving.fields());
    assert_eq!(status, 200, "{answer}");
    let body = format!(r#"{{"id":"{}","value":8}}"#, price(&answer));
    let other = format!("http://127.0.0.1:{}", serving.port.wrapping_add(1));
    for (field, value) in [
        ("x-sitegen-token", ""),
        ("x-sitegen-token", "00000000000000000000000000000000"),
        ("x-sitegen-token", &serving.token[..31]),
        ("origin", ""),
        ("origin", "null"),
        ("origin", "https://evil.test"),
        ("origin", &other),
        ("origin", &format!("http://localhost:{}", serving.port)),
        ("origin", &format!("https://127.0.0.1:{}", serving.port)),
        ("origin", &format!("http://127.0.0.1:{}.evil.test", serving.port)),
        ("host", "evil.test"),
        ("host", &format!("evil.test:{}", serving.port)),
        ("content-type", ""),
        ("content-type", "text/plain"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("content-type", "multipart/form-data"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
    ] {
        let mut fields = serving.fields();
        fields.insert(field, value.to_owned());
        let (status, answer) = serving.post("change", &body, &fields);
        assert_eq!(status, 403, "{field}: {value}\n{answer}");
        assert!(!answer.to_ascii_lowercase().contains("access-control"), "{answer}");
    }
    let host = format!("127.0.0.1:{}", serving.port);
    for request in [
        format!("GET /.sitegen/edit/change?id=1&value=8 HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"),
        format!(
            "OPTIONS /.sitegen/edit/change HTTP/1.1\r\nhost: {host}\r\norigin: https://evil.test\r\naccess-control-request-method: POST\r\naccess-control-request-headers: x-sitegen-token\r\nconnection: close\r\n\r\n"
        ),
        format!("PUT /.sitegen/edit/change HTTP/1.1\r\nhost: {host}\r\ncontent-length: 0\r\n\r\n"),
        format!("GET /.sitegen/edit/../../content/site.yaml HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"),
        format!(
            "GET /.sitegen/edit/picture/../../content/site.yaml HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        ),
        format!("GET /.sitegen/edit/edit.js/..%2f..%2fsite.yaml HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"),
    ] {
        let (status, answer) = serving.send(&request);
        assert!([404, 405].contains(&status), "{request}{answer}");
    }
    // No request names a file, and what is not an id is none.
    for id in ["content/site.yaml", "../../etc/passwd", "-1", "999999999", "", "1e3"] {
        let (status, answer) =
            serving.post("change", &json!({ "id": id, "value": "x" }).to_string(), &serving.fields());
        assert_eq!(status, 410, "{id}\n{answer}");
    }
    for body in ["", "{", "[]", "null", r#"{"id":{}}"#, r#"{"id":"1","path":"content/x.yaml"}"#] {
        let (status, answer) = serving.post("change", body, &serving.fields());
        assert_eq!(status, 400, "{body}\n{answer}");
    }
    let huge = serving.send(&format!("POST /.sitegen/edit/change HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-type: application/json\r\nx-sitegen-token: {}\r\ncontent-length: 999999999999\r\n\r\n", serving.token));
    assert_eq!(huge.0, 413);
    let chunked = serving.send(&format!("POST /.sitegen/edit/change HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-type: application/json\r\nx-sitegen-token: {}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", serving.token));
    assert_eq!(chunked.0, 411);
    assert!(fs::read_to_string(serving.root.join("content/beers/lager.yaml")).unwrap().contains("price: 3.5"));
    // The token is in no answer.
    for target in ["/", "/.sitegen/edit", "/.sitegen/edit/edit.js"] {
        let (status, answer) =
            serving.send(&format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"));
        assert_eq!(status, 200, "{target}");
        assert!(!answer.contains(&serving.token), "{target}");
    }
    assert_eq!(serving.post("change", &body, &serving.fields()).0, 200);
    assert!(fs::read_to_string(serving.root.join("content/beers/lager.yaml")).unwrap().contains("price: 8"));
}

#[test]
fn a_server_that_others_reach_does_not_edit_unless_it_is_allowed() {
    let folder = Editing::brewery().folder;
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_sitegen"))
            .args(["serve", "--root", folder.path().to_str().unwrap()])
            .args(arguments)
            .output()
            .unwrap()
    };
    let refused = run(&["--edit", "--address", "0.0.0.0", "--port", "0"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--allow-remote-editing"));
    assert_eq!(run(&["--allow-remote-editing"]).status.code(), Some(2));
}

#[test]
fn a_sentence_without_a_translation_gets_one_in_its_file() {
    let mut editing = Editing::of(&[
        (
            "content/site.yaml",
            "url: https://www.a.test\nlanguage: en\nname: Mill\nlanguages:\n  de:\n    name: Deutsch\n",
        ),
        ("content/pages/index.md", "---\ntitle: Home\nlead: Bread for all\n---\n\nText.\n"),
        ("content/pages/index.de.md", "---\ntitle: Start\n---\n\nText auf Deutsch.\n"),
        (
            "templates/pages/page.html",
            "<!doctype html>\n<html lang=\"{{ page.language }}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }}</title>\n\
            {{ alternates() }}</head>\n<body>\n<main>\n\
            <h1>{{ page.title }}</h1>\n<p>{{ page.lead }}</p>\n{{ page.content }}\n</main>\n</body>\n</html>\n",
        ),
    ]);
    let parts = editing.parts("/de");
    let title = parts.iter().find(|part| part["label"] == "title of Start").unwrap();
    assert_eq!(title["place"], "content/pages/index.de.md:2");
    let lead = parts.iter().find(|part| part["translate"] == json!(true)).unwrap().clone();
    assert_eq!(lead["label"], "lead of Home in Deutsch");
    let field = editing.ask("open", json!({ "id": lead["id"] })).unwrap();
    assert_eq!((&field["value"], &field["shown"]), (&Value::Null, &json!("Bread for all")));
    let answer = editing.ask("change", json!({ "id": lead["id"], "value": "Brot für alle" })).unwrap();
    assert_eq!((&answer["ok"], &answer["file"]), (&json!(true), &json!("content/pages/index.de.md")), "{answer}");
    assert_eq!(
        editing.read("content/pages/index.de.md"),
        "---\ntitle: Start\nlead: Brot für alle\n---\n\nText auf Deutsch.\n"
    );
    assert_eq!(editing.read("content/pages/index.md"), "---\ntitle: Home\nlead: Bread for all\n---\n\nText.\n");
}

/// A site in two languages, with a collection that has a page for each entry.
fn journal() -> Editing {
    let html = |body: &str| {
        format!(
            "<!doctype html>\n<html lang=\"{{{{ page.language }}}}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{{{ page.title }}}}</title>\n\
             {{{{ alternates() }}}}</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
        )
    };
    let entry = html(
        "<div{% if page.fallback %} lang=\"{{ page.fallback.language }}\" dir=\"{{ page.fallback.direction }}\"{% endif %}><h1>{{ page.title }}</h1>\n{{ entry.content }}</div>\n{{ picture(path=entry.photo, alt=\"\", widths=[1], sizes=\"1px\") }}",
    );
    let home = html(
        "<div{% if page.fallback %} lang=\"{{ page.fallback.language }}\" dir=\"{{ page.fallback.direction }}\"{% endif %}><h1>{{ page.title }}</h1>\n{{ page.content }}</div>\n{{ picture(path=page.second, alt=\"\", widths=[1], sizes=\"1px\") }}\n\
         <ul>{% for post in collections.posts %}<li{% if post.fallback %} lang=\"{{ post.fallback.language }}\" dir=\"{{ post.fallback.direction }}\"{% endif %}>{{ picture(path=post.photo, alt=\"\", widths=[1], sizes=\"1px\") }}<b>{{ post.title }}</b></li>{% endfor %}</ul>",
    );
    let files = [
        (
            "content/site.yaml",
            "url: https://www.a.test\nlanguage: en\nname: Mill\nlanguages:\n  de:\n    name: Deutsch\n",
        ),
        (
            "content/pages/index.md",
            "---\ntitle: Home\ntemplate: pages/home.html\nfirst: photo.png\nsecond: photo-2.png\n---\n\nWelcome.\n\nSee you.\n",
        ),
        ("content/pages/index.de.md", "---\ntitle: Start\n---\n"),
        (
            "content/pages/posts/[slug].yaml",
            "for_each: posts\ntitle: \"{{ entry.title }}\"\ntemplate: pages/post.html\n",
        ),
        ("content/posts/one.md", "---\ntitle: One\nphoto: photo.png\n---\n\nFirst words.\n"),
        ("content/posts/one.de.md", "---\ntitle: Eins\n---\n\nErste Worte.\n"),
        ("content/posts/two.md", "---\ntitle: Two\nphoto: photo-2.png\n---\n\nOther words.\n\nAnd more.\n"),
        ("templates/pages/home.html", &home),
        ("templates/pages/post.html", &entry),
    ];
    Editing::with_pictures(&files, &["photo.png", "photo-2.png"])
}

/// A picture of one pixel.
fn png(shade: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[shade]).unwrap();
    bytes
}

/// Returns the parts with a kind on a page, each by its place and what it is called, in the order in which a click finds them.
fn shown(editing: &mut Editing, address: &str, kind: &str) -> Vec<String> {
    let parts = editing.parts(address).into_iter().filter(|part| part["kind"] == kind);
    parts.map(|part| format!("{} {}", part["place"].as_str().unwrap(), part["label"].as_str().unwrap())).collect()
}

#[test]
fn a_paragraph_of_the_original_is_translated_and_not_replaced() {
    let mut editing = journal();
    let original = editing.read("content/posts/two.md");
    let of_page = shown(&mut editing, "/de/posts/two", "markdown");
    let expected = [
        "content/posts/two.de.md text of Two in Deutsch",
        "content/posts/two.md:6 text of Two (en, in all languages)",
        "content/posts/two.de.md text of Two in Deutsch",
        "content/posts/two.md:8 text of Two (en, in all languages)",
    ];
    assert_eq!(of_page, expected);
    let parts = editing.parts("/de/posts/two");
    let id = parts.iter().find(|part| part["kind"] == "markdown").unwrap()["id"].clone();
    let field = editing.ask("open", json!({ "id": id })).unwrap();
    assert_eq!((&field["value"], &field["where"]), (&json!("Other words."), &json!("content/posts/two.de.md")));
    let hint = field["hint"].as_str().unwrap();
    assert!(hint.starts_with("This is the original (en), shown because there is no text in Deutsch."), "{hint}");
    let answer = editing.ask("change", json!({ "id": id, "value": "Andere Worte." })).unwrap();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    assert_eq!(editing.read("content/posts/two.de.md"), "---\n---\n\nAndere Worte.\n\nAnd more.\n");
    assert_eq!(editing.read("content/posts/two.md"), original);
    // Now it has a text of its own.
    assert_eq!(
        shown(&mut editing, "/de/posts/two", "markdown"),
        ["content/posts/two.de.md:4 text of Two.de", "content/posts/two.de.md:6 text of Two.de"]
    );
    editing.ask("undo", json!({})).unwrap();
    assert!(!editing.folder.path().join("content/posts/two.de.md").exists());
    // Beside keys that are translated already.
    let parts = editing.parts("/de");
    let id = parts.iter().find(|part| part["kind"] == "markdown").unwrap()["id"].clone();
    assert_eq!(editing.ask("change", json!({ "id": id, "value": "Willkommen." })).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/pages/index.de.md"), "---\ntitle: Start\n---\n\nWillkommen.\n\nSee you.\n");
}

#[test]
fn a_text_that_all_pages_of_a_collection_have_is_first_that_of_the_entry() {
    let mut editing = journal();
    let heading = |parts: Vec<Value>| {
        let of_title = parts.into_iter().filter(|part| part["text"] == json!(0) && part["kind"] != "markdown");
        of_title.map(|part| format!("{} {} {}", part["kind"], part["place"], part["label"])).collect::<Vec<_>>()
    };
    let pattern =
        r#""derived" "content/pages/posts/[slug].yaml:2" "title of [slug], on all pages of this kind""#.to_owned();
    let own = r#""value" "content/posts/two.md:2" "title of Two""#.to_owned();
    assert_eq!(heading(editing.parts("/posts/two")), [own.clone(), pattern.clone(), own, pattern]);
    let parts = editing.parts("/posts/two");
    let id = parts.iter().find(|part| part["kind"] == "value").unwrap()["id"].clone();
    assert_eq!(editing.ask("change", json!({ "id": id, "value": "Three" })).unwrap()["ok"], json!(true));
    assert!(editing.read("content/posts/two.md").starts_with("---\ntitle: Three\n"));
    assert!(editing.read("content/pages/posts/[slug].yaml").contains("{{ entry.title }}"));
}

#[test]
fn a_picture_is_the_value_that_its_template_names() {
    let mut editing = journal();
    // `photo-2` is no copy of `photo`, and posts have the same pictures as the page.
    let expected = [
        "content/pages/index.md:5 second of Home",
        "content/posts/one.md:3 photo of One",
        "content/posts/two.md:3 photo of Two",
    ];
    assert_eq!(shown(&mut editing, "/", "picture"), expected);
    // What a translation has of its original is written to the translation.
    let expected = [
        "content/pages/index.de.md second of Home in Deutsch",
        "content/posts/one.de.md photo of One in Deutsch",
        "content/posts/two.de.md photo of Two in Deutsch",
    ];
    assert_eq!(shown(&mut editing, "/de", "picture"), expected);
    let parts = editing.parts("/de");
    let id = parts.iter().find(|part| part["kind"] == "picture").unwrap()["id"].clone();
    let field = editing.ask("open", json!({ "id": id })).unwrap();
    assert_eq!(
        (&field["editor"], &field["value"], &field["shown"]),
        (&json!("picture"), &Value::Null, &json!("photo-2.png"))
    );
    assert_eq!(editing.ask("change", json!({ "id": id, "value": "photo.png" })).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/pages/index.de.md"), "---\ntitle: Start\nsecond: photo.png\n---\n");
    // Two entries with the same picture: the texts beside it say whose it is.
    editing.write("content/posts/one.md", "---\ntitle: One\nphoto: photo-2.png\n---\n\nFirst words.\n");
    editing.session.read(&Change::Everything { with_packages: false });
    editing.build();
    let of_posts = shown(&mut editing, "/", "picture");
    assert!(!of_posts.iter().any(|part| part.contains("index.md") && !part.contains("second")), "{of_posts:?}");
    assert_eq!(of_posts[0], "content/pages/index.md:5 second of Home");
    assert!(of_posts.iter().filter(|part| part.contains("posts/one.md")).count() <= 1, "{of_posts:?}");
}

#[test]
fn a_new_entry_has_the_keys_of_the_newest_and_none_of_its_texts() {
    let mut editing = Editing::of(&[
        ("content/site.yaml", "url: https://www.a.test\nlanguage: en\nname: Mill\n"),
        ("content/pages/index.md", "---\ntitle: Home\n---\nText.\n"),
        (
            "content/news/first.md",
            "---\n# The newest.\ntitle: First\nsummary: A new website, and this is its first post.\ndate: 2026-01-12\nfeatured: true\n\
             author: ana\n---\nWords of the first.\n",
        ),
        (
            "content/schemas/news.schema.json",
            r#"{"type":"object","required":["title","summary","date"],"properties":{"title":{"type":"string"},"summary":{"type":"string"},"date":{"type":"string","format":"date"},"featured":{"type":"boolean"},"author":{"type":"string"}}}"#,
        ),
        (
            "templates/pages/page.html",
            "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\n\
             <body><main><h1>{{ page.title }}</h1>{{ page.content }}{% for post in collections.news %}<p>{{ post.summary }}</p>{% endfor %}</main></body></html>\n",
        ),
    ]);
    let site = editing.ask("site", json!({})).unwrap();
    let news = site["new"].as_array().unwrap().iter().find(|new| new["label"] == "News").unwrap()["id"].clone();
    let created = editing.ask("create", json!({ "id": news, "title": "Summer party", "draft": true })).unwrap();
    assert_eq!(created["ok"], json!(true), "{created}");
    let text = editing.read("content/news/summer-party.md");
    let today = editing.profile.today;
    assert_eq!(
        text,
        format!(
            "---\ntitle: Summer party\nsummary: Write the summary here\ndate: {today}\ndraft: true\n---\n\nWrite the text here.\n"
        )
    );
    // The draft is on no page, and can be opened at once and later.
    assert_eq!(created["address"], Value::Null);
    let form = editing.ask("form", json!({ "id": created["form"]["id"] })).unwrap();
    assert_eq!((&form["title"], &form["draft"]["value"]), (&json!("Summer party"), &json!(true)));
    let site = editing.ask("site", json!({})).unwrap();
    let draft = site["pages"].as_array().unwrap().iter().find(|page| page["draft"] == json!(true)).unwrap().clone();
    let form = editing.ask("form", json!({ "id": draft["form"]["id"] })).unwrap();
    let publish = json!({ "id": form["draft"]["id"], "value": false });
    assert_eq!(editing.ask("change", publish).unwrap()["ok"], json!(true));
    assert!(!editing.ask("site", json!({})).unwrap()["pages"].to_string().contains("\"form\""));
}

#[test]
fn undo_is_the_change_that_the_button_shows() {
    let mut editing = Editing::brewery();
    let first = editing.change("price of Lager", json!(4));
    let second = editing.change("name of Stout", json!("Porter"));
    let refused = editing.ask("undo", json!({ "id": first["undoId"] })).unwrap();
    assert_eq!(refused["ok"], json!(false));
    assert!(refused["problems"][0]["message"].as_str().unwrap().contains("name of Stout"), "{refused}");
    assert!(editing.read("content/beers/stout.yaml").contains("Porter"));
    assert_eq!(editing.ask("undo", json!({ "id": second["undoId"] })).unwrap()["undoId"], first["undoId"]);
}

#[test]
fn undo_over_the_change_of_somebody_else_ends() {
    let mut editing = Editing::brewery();
    editing.change("name of Stout", json!("Porter"));
    let price = editing.change("price of Lager", json!(4));
    editing.write("content/beers/lager.yaml", "# The first one.\nname: Lager\nprice: 7\nalcohol: 5\n");
    let step = |more: &str| json!({ "id": price["undoId"], more: true });
    assert!(editing.ask("undo", step("other")).unwrap()["conflict"].is_object());
    assert_eq!(editing.ask("undo", step("over")).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/beers/lager.yaml"), "# The first one.\nname: Lager\nprice: 3.5\nalcohol: 5\n");
    // Theirs stays: what was changed before that can be undone.
    let price = editing.change("price of Lager", json!(4));
    editing.write("content/beers/lager.yaml", "name: Lager\nprice: 8\n");
    assert!(editing.ask("undo", json!({ "id": price["undoId"] })).unwrap()["conflict"].is_object());
    let skipped = editing.ask("undo", json!({ "id": price["undoId"], "skip": true })).unwrap();
    assert_eq!(skipped["undo"], "name of Stout");
    assert_eq!(editing.ask("undo", json!({ "id": skipped["undoId"] })).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/beers/lager.yaml"), "name: Lager\nprice: 8\n");
    assert_eq!(editing.read("content/beers/stout.yaml"), "name: \"Stout\"\nprice: 4\n");
}

#[test]
fn an_entry_of_a_list_that_has_moved_is_the_one_that_is_changed() {
    let tastes = |list: &str| format!("name: Lager\nprice: 3.5\ntaste:\n{list}");
    for (before, after, over, expected) in [
        (
            "  - grapefruit\n  - honey\n  - toast\n",
            "  - honey\n  - grapefruit\n  - toast\n",
            false,
            "  - HONEY\n  - grapefruit\n  - toast\n",
        ),
        (
            "  - grapefruit\n  - honey\n  - toast\n",
            "  - grapefruit\n  - mead\n  - toast\n",
            true,
            "  - grapefruit\n  - HONEY\n  - toast\n",
        ),
        ("  - grapefruit\n  - honey\n  - toast\n", "  - grapefruit\n  - toast\n", true, "  - grapefruit\n  - toast\n"),
    ] {
        let mut editing = Editing::brewery();
        editing.write("content/schemas/beers.schema.json", r#"{"type":"object"}"#);
        editing.write("content/beers/lager.yaml", &tastes(before));
        editing.session.read(&Change::Everything { with_packages: false });
        editing.build();
        let page = editing.ask("page", json!({ "address": "/" })).unwrap();
        let forms = page["forms"].as_array().unwrap();
        let form = forms.iter().find(|form| form["file"] == "content/beers/lager.yaml").unwrap()["id"].clone();
        let form = editing.ask("form", json!({ "id": form })).unwrap();
        let list = form["fields"].as_array().unwrap().iter().find(|field| field["name"] == "taste").unwrap().clone();
        // An entry that is not there yet has no number, so that nobody asks whether it may be changed.
        assert_eq!(list["item"]["id"], Value::Null);
        let honey = list["items"][1]["id"].clone();
        editing.write("content/beers/lager.yaml", &tastes(after));
        let change = json!({ "id": honey, "value": "HONEY", "over": over });
        let _ = editing.ask("change", change).unwrap();
        assert_eq!(editing.read("content/beers/lager.yaml"), tastes(expected), "{after}");
    }
}

#[test]
fn line_ends_stay_and_signs_that_nobody_sees_are_refused() {
    let mut editing = Editing::brewery();
    editing.write("content/pages/index.md", &HOME.replace('\n', "\r\n"));
    editing.session.read(&Change::Everything { with_packages: false });
    editing.build();
    let parts = editing.parts("/");
    let list = parts.iter().filter(|part| part["kind"] == "markdown").nth(1).unwrap()["id"].clone();
    assert_eq!(editing.ask("change", json!({ "id": list, "value": "- one\n- three" })).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/pages/index.md"), HOME.replace("- two", "- three").replace('\n', "\r\n"));
    for (label, value) in [("lead of Home", "A\u{0}"), ("name of Stout", "\u{1b}[1m"), ("text of Home", "A\u{7}")] {
        let answer = editing.change(label, json!(value));
        assert_eq!(answer["ok"], json!(false), "{label}");
        assert!(answer["problems"][0]["message"].as_str().unwrap().contains("(U+00"), "{answer}");
    }
    assert!(!editing.read("content/pages/index.md").contains('\u{0}'));
}

#[test]
fn a_picture_without_a_description_is_one_problem_in_plain_words() {
    let files = [
        ("content/site.yaml", "url: https://www.a.test\nlanguage: en\nname: Mill\n"),
        ("content/pages/index.md", "---\ntitle: Home\nphoto: old.png\n---\nText.\n"),
        ("content/pages/other.md", "---\ntitle: Other\nphoto: old.png\n---\nText.\n"),
        ("content/assets/old.png.yaml", "alt: An old one\n"),
        (
            "templates/pages/page.html",
            "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\n\
             <body><main><h1>{{ page.title }}</h1>{{ page.content }}<p>{{ picture(path=page.photo, widths=[1], sizes=\"1px\") }}</p></main></body></html>\n",
        ),
    ];
    let mut editing = Editing::with_pictures(&files, &["old.png"]);
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, png(9));
    let id = editing.part("photo of Home")["id"].clone();
    let upload = json!({ "id": id, "upload": { "name": "new.png", "data": data } });
    let answer = editing.ask("change", upload.clone()).unwrap();
    let problems = answer["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{answer}");
    assert_eq!(problems[0]["message"], "Say what the picture shows, for people who cannot see it.");
    let mut decorative = upload;
    decorative["alt"] = json!("");
    let answer = editing.ask("change", decorative).unwrap();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    assert_eq!(editing.read("content/assets/new.png.yaml"), "alt: \"\"\n");
}

#[test]
fn what_somebody_else_has_broken_is_repaired_in_the_page() {
    let mut editing = Editing::brewery();
    // While the page shows the last valid site.
    editing.write("content/pages/index.md", &HOME.replace("First *paragraph*.", "First [link](/nowhere)."));
    editing.session.read(&Change::Everything { with_packages: false });
    assert_eq!(editing.build().len(), 1);
    let fault = editing.parts("/").into_iter().find(|part| part["element"].is_null()).unwrap();
    assert!(fault["label"].as_str().unwrap().starts_with("To repair: "), "{fault}");
    assert_eq!(fault["place"], "content/pages/index.md:14");
    // The paragraph itself opens with the text of the file, not with that of the page.
    let shown = editing.part("text of Home")["id"].clone();
    for id in [fault["id"].clone(), shown] {
        assert_eq!(editing.ask("open", json!({ "id": id })).unwrap()["value"], "First [link](/nowhere).");
    }
    // A change that repairs nothing is refused, and one that only breaks it in another way.
    let id = fault["id"].clone();
    let answer = editing.change("lead of Home", json!("Other"));
    assert_eq!(answer["ok"], json!(false), "{answer}");
    let answer = editing.ask("change", json!({ "id": id, "value": "First [link](/neverwhere)." })).unwrap();
    assert_eq!(answer["ok"], json!(false), "{answer}");
    let answer = editing.ask("change", json!({ "id": id, "value": "First [link](/)." })).unwrap();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    assert!(editing.parts("/").iter().all(|part| !part["element"].is_null()));
}

#[test]
fn a_site_that_was_broken_from_the_start_is_repaired_step_by_step() {
    let mut editing = Editing::brewery();
    (editing.site, editing.artifacts) = (None, None);
    editing.write("content/beers/lager.yaml", "name: [Lager\nprice: 3.5\n");
    editing.write("content/pages/index.md", &HOME.replace("First *paragraph*.", "First [link](/nowhere)."));
    editing.session.read(&Change::Everything { with_packages: false });
    assert!(!editing.build().is_empty());
    (editing.site, editing.artifacts) = (None, None);
    let parts = editing.parts("/");
    let id = parts.iter().find(|part| part["place"].as_str().unwrap().contains("lager")).unwrap()["id"].clone();
    assert_eq!(editing.ask("open", json!({ "id": id })).unwrap()["value"], "name: [Lager\nprice: 3.5");
    // What the first mistake has hidden is no reason against its repair.
    let answer = editing.ask("change", json!({ "id": id, "value": "name: Lager\nprice: 3.5\n" })).unwrap();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    let parts = editing.parts("/");
    let id = parts.iter().find(|part| part["place"].as_str().unwrap().contains("index.md")).unwrap()["id"].clone();
    assert_eq!(editing.ask("change", json!({ "id": id, "value": "First." })).unwrap()["ok"], json!(true));
    assert!(editing.faults.is_empty());
}

/// Whoever can read what programs are started with does not learn the token, and no page of another server leads here.
#[test]
fn requests_that_two_programs_could_read_differently_are_refused() {
    let serving = Serving::start();
    let host = format!("127.0.0.1:{}", serving.port);
    let ours = format!("origin: http://{host}\r\n");
    let post = |host: &str, more: &str, length: &str| {
        serving
            .send(&format!(
                "POST /.sitegen/edit/site HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\nx-sitegen-token: {}\r\n\
                 connection: close\r\n{more}content-length: {length}\r\n\r\n{{}}",
                serving.token
            ))
            .0
    };
    assert_eq!(post(&host, &ours, "2"), 200);
    assert_eq!(post(&host, &format!("{ours}origin: https://evil.test\r\n"), "2"), 403);
    assert_eq!(post(&host, &format!("{ours}x-sitegen-token: 0\r\n"), "2"), 403);
    assert_eq!(post("127.0.0.1:1", "origin: http://127.0.0.1:1\r\n", "2"), 403);
    assert_eq!(post("127.0.0.1", "origin: http://127.0.0.1\r\n", "2"), 403);
    for length in ["+2", "-2", "2, 2", "0x2", "2\r\ncontent-length: 2"] {
        assert_eq!(post(&host, &ours, length), 400, "{length}");
    }
    let worker = format!("GET / HTTP/1.1\r\nhost: {host}\r\nservice-worker: script\r\nconnection: close\r\n\r\n");
    assert_eq!(serving.send(&worker).0, 403);
}

#[test]
fn names_that_lead_here_from_elsewhere_need_leave_to_edit() {
    let folder = Editing::brewery().folder;
    let output = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["serve", "--edit", "--allowed-hosts", ".tunnel.test", "--root", folder.path().to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--allowed-hosts .tunnel.test"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_browser_is_opened_without_the_token_in_its_command_line() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Editing::brewery().folder;
    let root = folder.path();
    let programs = root.join("programs");
    write(
        root,
        "programs/xdg-open",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.part\" && mv \"$0.part\" \"$0.called\"\n",
    );
    fs::set_permissions(programs.join("xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["serve", "--edit", "--open", "--root", root.to_str().unwrap()])
        .env("PATH", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.find_map(|line| line.strip_prefix("editing at ").map(str::to_owned)).unwrap();
    let called = programs.join("xdg-open.called");
    let start = std::time::Instant::now();
    while !called.exists() && start.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let _ = (child.kill(), child.wait());
    let opened = PathBuf::from(fs::read_to_string(called).unwrap().trim_end());
    assert!(opened.ends_with(".sitegen/edit.html"), "{opened:?}");
    assert_eq!(fs::metadata(&opened).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(&opened).unwrap().contains(&format!("content=\"0;url={address}\"")));
    assert!(!address.contains(":8000/"), "{address}");
}

#[test]
fn a_number_stays_as_it_is_spelled() {
    let (lager, stout, ale) = ("content/beers/lager.json", "content/beers/stout.toml", "content/beers/ale.yaml");
    let of_lager = "{\n  \"name\": \"Lager\",\n  \"price\": 2.90,\n  \"large\": 1e3\n}\n";
    let of_stout = "name = \"Stout\"\nprice = 1_000\nhex = 0x10\nyears = 1.50\nsince = 2026-01-31\n";
    let of_ale = "name: Ale # the first\nprice: 3.5\ncode: '0042'\nnote: ~\nword: Infinity\nis: True\n";
    let mut editing = Editing::of(&[
        ("content/site.yaml", "url: https://www.a.test\nlanguage: en\nname: Mill\n"),
        ("content/pages/index.md", "---\ntitle: Home\ntemplate: pages/page.html\n---\n"),
        (lager, of_lager),
        (stout, of_stout),
        (ale, of_ale),
        (
            "templates/pages/page.html",
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }}</title>\n</head>\n<body>\n\
             <main><h1>{{ page.title }}</h1><ul>{% for beer in collections.beers %}<li>{{ beer.name }}</li>{% endfor %}</ul></main>\n</body>\n</html>\n",
        ),
    ]);
    let fields = |editing: &mut Editing, file: &str| {
        let page = editing.ask("page", json!({ "address": "/" })).unwrap();
        let form = page["forms"].as_array().unwrap().iter().find(|form| form["file"] == file).unwrap()["id"].clone();
        let form = editing.ask("form", json!({ "id": form })).unwrap();
        form["fields"].as_array().unwrap().clone()
    };
    let mut shown = Vec::new();
    for file in [lager, stout, ale] {
        for field in fields(&mut editing, file) {
            let [name, editor] = ["name", "editor"].map(|key| field[key].as_str().unwrap_or_default().to_owned());
            shown.push(format!("{name}: {editor} {}", field["value"]));
        }
    }
    for expected in [
        "price: number \"2.90\"",
        "large: number \"1e3\"",
        "price: number \"1_000\"",
        "hex: number \"0x10\"",
        "since: date \"2026-01-31\"",
        "price: number \"3.5\"",
        "code: text \"0042\"",
        "word: text \"Infinity\"",
        "is: switch true",
    ] {
        assert!(shown.iter().any(|each| each == expected), "{expected} is not in {shown:#?}");
    }
    assert!(shown.iter().any(|each| each.starts_with("note: ") && each.ends_with(" null")), "{shown:#?}");
    let mut change = |file: &str, name: &str, number: &str| {
        let all = fields(&mut editing, file);
        let field = all.iter().find(|field| field["name"] == name).unwrap();
        let answer = editing.ask("change", json!({ "id": field["id"], "number": number })).unwrap();
        assert_eq!(answer["ok"], json!(true), "{answer}");
        editing.read(file)
    };
    assert_eq!(change(lager, "price", "3.10"), of_lager.replace("2.90", "3.10"));
    assert_eq!(change(lager, "large", "2e3"), of_lager.replace("2.90", "3.10").replace("1e3", "2e3"));
    assert_eq!(change(lager, "price", "2.90"), of_lager.replace("1e3", "2e3"));
    assert_eq!(change(stout, "price", "2_000"), of_stout.replace("1_000", "2_000"));
    assert_eq!(change(stout, "hex", "0x11"), of_stout.replace("1_000", "2_000").replace("0x10", "0x11"));
    // In YAML a number with a zero that is lost is a mistake, where no schema says that it is a number.
    assert_eq!(change(ale, "price", "4.50"), of_ale.replace("3.5", "4.5"));
    assert_eq!(change(ale, "note", "7"), of_ale.replace("3.5", "4.5").replace("note: ~", "note: 7"));
    // What is no number is a text, which the check of the site judges.
    assert_eq!(change(ale, "price", "1 # x").lines().nth(1), Some("price: \"1 # x\""));
    for _ in 0..8 {
        assert_eq!(editing.ask("undo", json!({})).unwrap()["ok"], json!(true));
    }
    assert_eq!([lager, stout, ale].map(|file| editing.read(file)), [of_lager, of_stout, of_ale]);
    let mut editing = Editing::brewery();
    let lager = "content/beers/lager.yaml";
    for (before, number) in [("3.5", "2.90"), ("2.90", "3.10"), ("3.10", "1e3")] {
        let text = editing.read(lager);
        let id = fields(&mut editing, lager).iter().find(|field| field["name"] == "price").unwrap()["id"].clone();
        let answer = editing.ask("change", json!({ "id": id, "number": number })).unwrap();
        assert_eq!(answer["ok"], json!(true), "{answer}");
        assert_eq!(editing.read(lager), text.replace(before, number));
    }
}

#[test]
fn a_page_with_private_use_characters_of_its_own_can_be_edited() {
    for sign in ['\u{e000}', '\u{e002}', '\u{e004}', '\u{e005}', '\u{e006}', '\u{e007}', '\u{e100}', '\u{e200}'] {
        let mut editing = Editing::brewery();
        let template =
            PAGE.replace("Fixed words", &format!("<i>{sign}</i> Fixed words")).replace("Lead: ", &format!("{sign} "));
        editing.write("templates/pages/page.html", &template);
        editing.write("content/beers/stout.yaml", &format!("name: \"{sign} Stout {sign}\"\nprice: 4\n"));
        editing.write("content/pages/index.md", &HOME.replace("First", &format!("First {sign}")));
        editing.session.read(&Change::Everything { with_packages: false });
        assert_eq!(editing.build(), Vec::<String>::new());
        assert_eq!(editing.part("lead of Home")["kind"], "value", "{sign:?}");
        assert_eq!(editing.part("name of Lager")["kind"], "value", "{sign:?}");
        assert_eq!(editing.change("lead of Home", json!("Other"))["ok"], json!(true), "{sign:?}");
        assert!(editing.read("content/pages/index.md").contains("lead: 'Other'   # said at the top"));
        let label = format!("name of {sign} Stout {sign}");
        assert_eq!(editing.change(&label, json!("Stout"))["ok"], json!(true), "{sign:?}");
        assert_eq!(editing.read("content/beers/stout.yaml"), "name: \"Stout\"\nprice: 4\n");
    }
}

#[test]
fn a_picture_is_added_for_a_text() {
    use base64::Engine as _;
    let mut editing = Editing::brewery();
    let data = base64::engine::general_purpose::STANDARD.encode(png(3));
    let add = |name: &str| json!({ "upload": { "name": name, "data": data } });
    let answer = editing.ask("upload", add("First frost.PNG")).unwrap();
    assert_eq!((&answer["ok"], &answer["name"]), (&json!(true), &json!("first-frost.png")), "{answer}");
    // The same one is not added twice.
    let again = editing.ask("upload", add("First frost.png")).unwrap();
    assert_eq!((&again["name"], &again["undo"]), (&json!("first-frost.png"), &json!("the picture first-frost.png")));
    let parts = editing.parts("/");
    let block = parts.iter().find(|part| part["kind"] == "markdown").unwrap()["id"].clone();
    let value = |alt: &str| json!({ "id": block, "value": format!("First *paragraph*.\n\n![{alt}](first-frost.png)") });
    assert_eq!(editing.ask("check", value("Frost")).unwrap()["ok"], json!(true));
    let change = editing.ask("change", value("Frost")).unwrap();
    assert_eq!(change["ok"], json!(true), "{change}");
    assert!(editing.read("content/pages/index.md").contains("paragraph*.\n\n![Frost](first-frost.png)\n"));
    assert_eq!(editing.ask("undo", json!({})).unwrap()["ok"], json!(true));
    assert_eq!(editing.ask("undo", json!({})).unwrap()["ok"], json!(true));
    assert!(!editing.folder.path().join("content/assets/first-frost.png").exists());
    let refused = editing.ask("upload", add("words.txt")).unwrap_err();
    assert_eq!(refused.0, 422);
}

#[test]
fn parts_have_the_numbers_of_the_elements_that_the_browser_has() {
    let mut editing = Editing::brewery();
    let page = editing.ask("page", json!({ "address": "/" })).unwrap();
    let tags: Vec<String> = serde_json::from_value(page["tags"].clone()).unwrap();
    let heading = tags.iter().position(|tag| tag == "h1").unwrap();
    // The parser adds a table's body, and a script something before the heading.
    let mut elements = tags.clone();
    elements.splice(heading..heading, ["astro".to_owned(), "svg".to_owned(), "linearGradient".to_owned()]);
    let page = editing.ask("page", json!({ "address": "/", "elements": elements })).unwrap();
    let number = |page: &Value| {
        let parts = page["parts"].as_array().unwrap();
        parts.iter().filter(|part| part["label"] == "title of Home").filter_map(|part| part["element"].as_u64()).max()
    };
    assert_eq!((number(&page), &page["tags"]), (Some(heading as u64 + 3), &Value::Null));
}

#[test]
fn a_text_that_is_opened_is_that_of_now() {
    let mut editing = Editing::brewery();
    let page = editing.ask("page", json!({ "address": "/" })).unwrap();
    let form = page["forms"].as_array().unwrap().iter().find(|form| form["file"] == "content/pages/index.md").unwrap();
    let form = editing.ask("form", json!({ "id": form["id"] })).unwrap();
    editing.write("content/pages/index.md", &HOME.replace("First *paragraph*", "Other words"));
    editing.session.read(&Change::Paths(["content/pages/index.md".to_owned()].into()));
    let body = editing.ask("open", json!({ "id": form["body"]["id"] })).unwrap();
    assert!(body["value"].as_str().unwrap().contains("Other words."), "{body}");
    let change = json!({ "id": body["id"], "value": body["value"].as_str().unwrap().replace("Other", "New") });
    assert_eq!(editing.ask("change", change).unwrap()["ok"], json!(true));
    assert_eq!(editing.read("content/pages/index.md"), HOME.replace("First *paragraph*", "New words"));
}
