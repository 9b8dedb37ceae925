//! `sitegen lsp`: what is reported to an editor, and what it is proposed to write. The editor here is a few lines that speak the
//! protocol; `tests/editors` does the same with real ones.

use crate::support::generated::{self, Files, Random};
use crate::support::size;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use sitegen::diagnostics::{Manual, code};
use sitegen::lsp;
use sitegen::profile::Profile;
use sitegen::sources;
use sitegen::tools::DiskTools;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

const SITE: &str =
    "url: https://www.bakery.test\nlanguage: en\nname: Ember\nemail: hello@bakery.test\nhours:\n  open: \"6:00\"\n";
const SITE_SCHEMA: &str = r#"{ "type": "object", "properties": {
  "name": { "type": "string" }, "email": { "type": "string", "description": "Where guests write to." },
  "hours": { "type": "object", "additionalProperties": false, "properties": { "open": { "type": "string" }, "close": { "type": "string", "description": "When the shop closes." } } } } }"#;
const NEWS_SCHEMA: &str = r#"{ "type": "object", "required": ["title", "kind"], "properties": {
  "title": { "type": "string" }, "kind": { "enum": ["offer", "event"], "description": "What it is about." },
  "picture": { "type": "string" }, "tags": { "type": "array", "items": { "type": "string" } } } }"#;
const BASE: &str = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title }}</title>{{ styles() }}</head>\n<body>\n\
  <main class=\"page\"><h1>{{ page.title }}</h1>{% block main %}{{ page.content }}{% endblock %}</main>\n{% block foot %}<p>{{ site.email }}</p>{% endblock %}\n</body>\n</html>\n";
const PAGE: &str = "{% extends \"base.html\" %}\n\n{% block main %}\n<div class=\"card\">{{ page.content }}</div>\n\
  {% for each in collections.news %}{{ <teaser title={each.title} /> }}{% endfor %}\n{{ inline_svg(path=\"loaf.svg\", title=\"A loaf\") }}\n\
  <p><a href=\"{{ url(path=\"/about\") }}\">About</a> {{ entries.news.opening.title | upper }}</p>\n{% endblock %}\n";
const POST: &str =
    "{% extends \"base.html\" %}\n\n{% block main %}<p>{{ entry.kind }}</p>{{ page.content }}{% endblock %}\n";
const TEASER: &str = "{# A line about one piece of news. #}\n{% component teaser(title: string, wide: bool = false) %}<p class=\"teaser\">{{ title }}</p>{% endcomponent teaser %}\n";
const STYLE: &str =
    ":root {\n  --crust: #6b3e1d;\n}\n.page,\n.card {\n  color: var(--crust);\n}\n.teaser {\n  margin: 0;\n}\n";
const ABOUT: &str = "---\ntitle: About us\n---\n\nWrite to {{ site.email }} or read [the news](/news/opening), [our hours](#hours) and [home](index.md).\n\n\
  ## Hours\n\nFrom {{ site.hours.open }}. ![A loaf](loaf.svg)\n\n## Way\n\nDown the lane.\n";

fn project() -> Files {
    let files = [
        ("content/site.yaml", SITE),
        ("content/schemas/site.schema.json", SITE_SCHEMA),
        ("content/schemas/news.schema.json", NEWS_SCHEMA),
        (
            "content/pages/index.md",
            "---\ntitle: Bread\n---\n\nSee [about us](/about), [the way](/about#way) and [rye](/news/rye).\n",
        ),
        ("content/pages/about.md", ABOUT),
        ("content/pages/news/[slug].yaml", "for_each: news\ntitle: \"{{ entry.title }}\"\ntemplate: pages/post.html\n"),
        ("content/news/opening.md", "---\ntitle: We open\nkind: event\n---\n\nCome by.\n"),
        ("content/news/rye.md", "---\ntitle: Rye week\nkind: offer\n---\n\nAll rye. See [the opening](opening.md).\n"),
        (
            "content/assets/loaf.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><circle cx=\"2\" cy=\"2\" r=\"2\"/></svg>\n",
        ),
        ("templates/base.html", BASE),
        ("templates/pages/page.html", PAGE),
        ("templates/pages/post.html", POST),
        ("templates/components/teaser/teaser.html", TEASER),
        ("templates/styles/main.css", STYLE),
    ];
    files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

/// An editor with a server.
struct Editor {
    root: PathBuf,
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    asked: i32,
    versions: i64,
    texts: BTreeMap<String, String>,
    /// The last diagnostics of each file.
    reported: BTreeMap<String, Vec<Value>>,
}

impl Editor {
    fn open(root: &Path) -> Self {
        let edits = json!({ "documentChanges": true, "resourceOperations": ["rename"] });
        let completion = json!({ "completionItem": { "snippetSupport": true } });
        Self::with(
            root,
            json!({ "textDocument": { "completion": completion }, "workspace": { "workspaceEdit": edits } }),
        )
    }

    fn with(root: &Path, capabilities: Value) -> Self {
        let root = root.canonicalize().unwrap();
        let (server, connection) = Connection::memory();
        let profile = || Profile { today: "2026-06-01".parse().unwrap(), ..Profile::default() };
        let manual = Manual::at("https://docs.test");
        let checks = lsp::Checks { with_programs: false, profile: Arc::new(profile), find: DiskTools::of, manual };
        let run = move || lsp::run(&server, checks);
        let server = Some(std::thread::spawn(run));
        let mut editor = Editor {
            root,
            connection,
            server,
            asked: 0,
            versions: 0,
            texts: BTreeMap::new(),
            reported: BTreeMap::new(),
        };
        let uri = editor.uri("");
        editor
            .ask("initialize", json!({ "rootUri": uri.trim_end_matches('/'), "capabilities": capabilities }))
            .unwrap();
        editor.notify("initialized", json!({}));
        editor
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}/{}", self.root.display(), path.replace('[', "%5B").replace(']', "%5D"))
    }

    fn path(&self, uri: &str) -> String {
        let path = uri.strip_prefix("file://").unwrap().replace("%5B", "[").replace("%5D", "]");
        path.strip_prefix(&format!("{}/", self.root.display())).unwrap().to_owned()
    }

    fn notify(&self, method: &str, params: Value) {
        self.connection.sender.send(Message::Notification(Notification::new(method.to_owned(), params))).unwrap();
    }

    /// Sends a request and waits for its answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(Message::Request(request)).unwrap();
        loop {
            let message = self.connection.receiver.recv_timeout(Duration::from_secs(120)).expect("an answer");
            match message {
                Message::Response(response) if response.id == id => {
                    let value = serde_json::to_value(&response).unwrap();
                    return match value.get("error") {
                        Some(error) => Err((
                            error["code"].as_i64().unwrap() as i32,
                            error["message"].as_str().unwrap_or_default().to_owned(),
                        )),
                        None => Ok(value.get("result").cloned().unwrap_or(Value::Null)),
                    };
                }
                Message::Notification(note) if note.method == "textDocument/publishDiagnostics" => {
                    let uri = note.params["uri"].as_str().unwrap().to_owned();
                    self.reported.insert(uri, note.params["diagnostics"].as_array().unwrap().clone());
                }
                _ => {}
            }
        }
    }

    /// Shows a text of a file to the server, which need not be that on the disk.
    fn write(&mut self, path: &str, text: &str) {
        self.versions += 1;
        let (uri, version) = (self.uri(path), self.versions);
        match self.texts.insert(path.to_owned(), text.to_owned()) {
            None => {
                let document = json!({ "uri": uri, "languageId": "plaintext", "version": version, "text": text });
                self.notify("textDocument/didOpen", json!({ "textDocument": document }));
            }
            Some(_) => {
                let changes = json!([{ "text": text }]);
                let document = json!({ "uri": uri, "version": version });
                self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
            }
        }
    }

    /// Replaces a part of a text, as editors do.
    fn edit(&mut self, path: &str, from: usize, to: usize, text: &str) {
        let before = self.text(path);
        let range = json!({ "start": position(&before, from), "end": position(&before, to) });
        let new = format!("{}{text}{}", &before[..from], &before[to..]);
        self.versions += 1;
        let document = json!({ "uri": self.uri(path), "version": self.versions });
        let changes = json!([{ "range": range, "text": text }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        self.texts.insert(path.to_owned(), new);
    }

    fn close(&mut self, path: &str) {
        self.texts.remove(path);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": self.uri(path) } }));
    }

    fn text(&self, path: &str) -> String {
        let on_disk = || fs::read_to_string(self.root.join(path)).unwrap();
        self.texts.get(path).cloned().unwrap_or_else(on_disk)
    }

    /// Waits until everything is checked.
    fn settle(&mut self) {
        self.ask("workspace/executeCommand", json!({ "command": "sitegen.settled" })).unwrap();
    }

    fn about(&mut self, method: &str, path: &str, mut more: Value) -> Result<Value, (i32, String)> {
        more["textDocument"] = json!({ "uri": self.uri(path) });
        self.ask(&format!("textDocument/{method}"), more)
    }

    fn at(&mut self, method: &str, path: &str, offset: usize, mut more: Value) -> Result<Value, (i32, String)> {
        more["position"] = position(&self.text(path), offset);
        self.about(method, path, more)
    }

    /// Returns the codes that the server reports, by file.
    fn codes(&mut self) -> Vec<(String, String)> {
        self.settle();
        let reported: Vec<(String, Vec<Value>)> = self.reported.clone().into_iter().collect();
        let code = |each: &Value| each["code"].as_str().unwrap().to_owned();
        let mut all: Vec<(String, String)> =
            reported.iter().flat_map(|(uri, all)| all.iter().map(|each| (self.path(uri), code(each)))).collect();
        all.sort();
        all
    }

    /// Returns the labels of the completions at the `|` of a text, and the text with the first one of a name applied.
    fn complete(&mut self, path: &str, text: &str) -> Vec<String> {
        let offset = text.find('|').unwrap();
        self.write(path, &text.replacen('|', "", 1));
        let answer = self.at("completion", path, offset, json!({})).unwrap();
        answer["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    /// Applies an edit of the project to the files on the disk, as an editor does that saves all of them.
    fn apply(&self, edit: &Value) {
        for change in edit["documentChanges"].as_array().unwrap() {
            if change["kind"] == "rename" {
                let (from, to) =
                    (self.path(change["oldUri"].as_str().unwrap()), self.path(change["newUri"].as_str().unwrap()));
                fs::create_dir_all(self.root.join(&to).parent().unwrap()).unwrap();
                fs::rename(self.root.join(from), self.root.join(to)).unwrap();
                continue;
            }
            let path = self.path(change["textDocument"]["uri"].as_str().unwrap());
            let text = fs::read_to_string(self.root.join(&path)).unwrap();
            let mut edits: Vec<(usize, usize, String)> = change["edits"]
                .as_array()
                .unwrap()
                .iter()
                .map(|edit| {
                    let at = |key: &str| offset_of(&text, &edit["range"][key]);
                    (at("start"), at("end"), edit["newText"].as_str().unwrap().to_owned())
                })
                .collect();
            edits.sort();
            let mut new = text.clone();
            for (start, end, written) in edits.into_iter().rev() {
                new.replace_range(start..end, &written);
            }
            fs::write(self.root.join(&path), new).unwrap();
        }
    }

    fn end(mut self) -> bool {
        self.ask("shutdown", Value::Null).unwrap();
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": before.matches('\n').count(), "character": before[line..].encode_utf16().count() })
}

fn offset_of(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = position["character"].as_u64().unwrap() as usize;
    let rest = text[start..].char_indices();
    for (at, letter) in rest {
        if units == 0 || letter == '\n' {
            return start + at;
        }
        units = units.saturating_sub(letter.len_utf16());
    }
    text.len()
}

fn site(name: &str) -> PathBuf {
    let root = generated::work_folder(name);
    generated::write(&project(), &root);
    root
}

/// Returns what a build of the files on the disk reports.
fn checked(root: &Path) -> Vec<(String, String)> {
    let profile = Profile { today: "2026-06-01".parse().unwrap(), ..Profile::default() };
    let sources = sources::read(root).value.unwrap();
    let built = sitegen::build(&sources, &profile, &DiskTools::of(root).without_programs());
    let path = |each: &sitegen::diagnostics::Diagnostic| {
        each.place.as_ref().map_or("", |place| place.path.as_str()).to_owned()
    };
    let mut all: Vec<(String, String)> =
        built.diagnostics.iter().map(|each| (path(each), code(&each.problem).to_owned())).collect();
    all.sort();
    all
}

#[test]
fn an_unsaved_text_is_checked_with_the_whole_site() {
    let root = site("lsp-diagnostics");
    let mut editor = Editor::open(&root);
    assert_eq!(editor.codes(), []);
    // A mistake that nobody has saved, and one that it causes elsewhere.
    editor.write("content/pages/about.md", &ABOUT.replace("title:", "titel:").replace("## Way", "## Path"));
    let reported = editor.codes();
    assert_eq!(reported, [("content/pages/about.md".to_owned(), "unknown-key".to_owned())]);
    let diagnostic = editor.reported[&editor.uri("content/pages/about.md")][0].clone();
    assert_eq!(diagnostic["codeDescription"]["href"], "https://docs.test/reference/messages#unknown-key");
    let range = diagnostic["range"].clone();
    assert_eq!(range, json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 5 } }));
    editor.write("content/pages/about.md", &ABOUT.replace("## Way", "## Path"));
    assert_eq!(editor.codes(), [("content/pages/index.md".to_owned(), "broken-section".to_owned())]);
    assert_eq!(checked(&root), [], "nothing was written");
    // Saved, it is what a build reports.
    fs::write(root.join("content/pages/about.md"), ABOUT.replace("## Way", "## Path")).unwrap();
    let reported = editor.codes();
    assert_eq!(reported, checked(&root));
    editor.close("content/pages/about.md");
    assert_eq!(editor.codes(), checked(&root));
    // A file that only the editor has.
    editor.write("content/pages/new.md", "---\ntitle: New\n---\n\n[x](/nowhere)\n");
    assert!(editor.codes().contains(&("content/pages/new.md".to_owned(), "broken-link".to_owned())));
    assert!(editor.end());
}

#[test]
fn what_islands_do_not_decide_is_checked_without_their_packages() {
    let root = site("lsp-islands");
    fs::create_dir(root.join("islands")).unwrap();
    fs::write(root.join("islands/Oven.tsx"), "export default function Oven({ degrees }: { degrees: number }) {\n  return <h2 id=\"oven\">{degrees}</h2>;\n}\n").unwrap();
    fs::create_dir(root.join(".git")).unwrap();
    let mut editor = Editor::open(&root);
    editor.write(
        "templates/pages/post.html",
        &POST.replace(
            "{{ page.content }}",
            "{{ page.content }}{{ island(component=\"Oven\", props={\"degrees\": 250}) }}",
        ),
    );
    editor.write(
        "content/pages/about.md",
        &ABOUT.replace("[home](index.md)", "[home](index.md), [x](/nowhere) and [oven](/news/opening#oven)"),
    );
    assert_eq!(editor.codes(), [("content/pages/about.md".to_owned(), "broken-link".to_owned())]);
    let text = "{{ island(component=\"Oven\", props={\"";
    editor.write("templates/pages/post.html", text);
    let answer = editor.at("completion", "templates/pages/post.html", text.len(), json!({})).unwrap();
    assert_eq!(answer["items"][0]["label"], "degrees");
    assert_eq!(answer["items"][0]["detail"], "number");
}

#[test]
fn a_change_on_the_disk_is_noticed() {
    let root = site("lsp-disk");
    let mut editor = Editor::open(&root);
    assert_eq!(editor.codes(), []);
    fs::write(root.join("content/news/rye.md"), "---\ntitle: Rye\nkind: offr\n---\n").unwrap();
    for _ in 0..100 {
        if editor.codes() == [("content/news/rye.md".to_owned(), "not-a-choice".to_owned())] {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{:?}", editor.codes());
}

#[test]
fn completions_are_what_fits() {
    let root = site("lsp-complete");
    let mut editor = Editor::open(&root);
    editor.settle();
    let cases: [(&str, &str, &str, &[&str]); 52] = [
        ("content/news/rye.md", "---\ntitle: A\n|\n---\n", "", &["kind", "picture", "tags", "draft"]),
        ("content/news/rye.md", "---\ntitle: A\nkind: |\n---\n", "", &["event", "offer"]),
        ("content/site.yaml", "name: A\nhours:\n  |", "", &["close", "open"]),
        ("content/site.yaml", "name: A\nhours:\n  open: \"6\"\n  |", "open", &["close"]),
        ("content/site.yaml", "name: A\nsettings:\n  host: |", "", &["netlify", "nginx"]),
        ("content/pages/about.md", "---\ntitle: A\ntemplate: |\n---\n", "", &["pages/page.html", "pages/post.html"]),
        ("content/pages/a.yaml", "title: A\nfor_each: |", "", &["news"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n[x](/|", "", &["/", "/about", "/news/opening"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n[x](/n|", "/about", &["/news/opening", "/news/rye"]),
        ("content/pages/index.md", "---\ntitle: A\n---\n\n[x](/about#|", "", &["/about#hours", "/about#way"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n![x](|", "/about", &["loaf.svg"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n{{ |", "", &["site", "news"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n{{ site.|", "", &["email", "name", "hours"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n{{ site.hours.|", "email", &["open"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n{{ news.|", "", &["opening", "rye"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n{{ <|", "", &["teaser"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n{{ <teaser |", "", &["title", "wide"]),
        ("templates/pages/page.html", "{{ page.|", "", &["title", "content", "toc"]),
        ("templates/pages/page.html", "{% for one in collections.news %}{{ one.|", "", &["kind", "title"]),
        ("templates/pages/post.html", "{{ entry.|", "", &["kind", "title", "slug"]),
        ("templates/pages/page.html", "{% set mail = site.hours %}{{ mail.|", "", &["open"]),
        ("templates/pages/page.html", "{{ [one.| for one in collections.news] }}", "", &["kind", "title"]),
        ("templates/pages/page.html", "{{ [one.title for one in collections.news if one.|] }}", "", &["kind", "title"]),
        ("templates/pages/page.html", "{{ [one.title for one in collections.news if |] }}", "", &["one", "page"]),
        ("templates/pages/page.html", "{% for part in page.toc %}{{ part.|", "email", &["level", "id", "title"]),
        ("templates/pages/page.html", "{% for each in page.translations %}{{ each.|", "", &["name", "url", "current"]),
        ("templates/pages/page.html", "{% for one in pages %}{{ one.|", "", &["title"]),
        (
            "templates/pages/page.html",
            "{% for t in terms(collection=\"news\", key=\"tags\") %}{{ t.|",
            "",
            &["name", "count"],
        ),
        ("templates/pages/post.html", "{% for r in related(entry=entry, by=\"tags\") %}{{ r.|", "", &["kind", "title"]),
        ("templates/pages/page.html", "{{ picture_info(path=\"loaf.svg\").|", "", &[]),
        ("templates/pages/page.html", "{% set mail = site.email %}{{ |", "", &["mail", "page", "site", "url"]),
        ("templates/pages/page.html", "{{ page.title \u{7c} u", "", &[]),
        ("templates/pages/page.html", "{% extends \"|", "", &["base.html"]),
        ("templates/pages/page.html", "{% extends \"base.html\" %}{% block |", "", &["main", "foot"]),
        ("templates/pages/page.html", "{{ url(|", "page", &["path", "entry", "absolute"]),
        ("templates/pages/page.html", "{{ url(path=\"/|", "", &["/about"]),
        ("templates/pages/page.html", "{{ picture(path=\"|", "", &["loaf.svg"]),
        ("templates/pages/page.html", "<p class=\"|", "", &["card", "page", "teaser"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n[a]: /n|", "/about", &["/news/opening"]),
        ("content/pages/about.md", "---\ntitle: A\n---\n\n<a href=\"/|", "", &["/about"]),
        (
            "content/pages/about.md",
            "---\ntitle: A\n---\n\n[x](../|",
            "loaf.svg",
            &["../news/rye.md", "../assets/loaf.svg"],
        ),
        ("content/pages/a.yaml", "title: A\nlist: { |", "", &["collection", "sort", "where"]),
        ("content/pages/a.yaml", "title: A\nlist: { collection: news, sort: |", "", &["kind", "title"]),
        ("content/pages/a.yaml", "title: A\nlist:\n  collection: news\n  where: { |", "", &["kind", "title"]),
        ("content/pages/news/[slug].yaml", "for_each: news\ntitle: \"{{ entry.|", "", &["kind", "title"]),
        ("content/news.toml", "[[news]]\n|", "", &["kind", "title"]),
        ("content/news.json", "{ \"news\": [{ \"|", "", &["kind", "title"]),
        ("content/news/rye.md", "---\ntitle: Über |", "", &[]),
        ("templates/pages/page.html", "<a href=\"/|", "", &["/about"]),
        (
            "templates/components/teaser/teaser.html",
            "{% component teaser(title: string, wide: bool = false) %}{{ |",
            "",
            &["title", "wide"],
        ),
        ("templates/styles/other.css", ".a { color: var(--|", "", &["--crust"]),
        ("templates/styles/other.css", ".a { display: |", "", &["grid", "flex"]),
    ];
    for (path, text, missing, expected) in cases {
        let labels = editor.complete(path, text);
        let has = |name: &str| labels.iter().any(|label| label == name);
        assert!(expected.iter().all(|name| has(name)), "{path} {text:?}: {labels:?}");
        assert!(missing.is_empty() || !has(missing), "{path} {text:?} has {missing}: {labels:?}");
        let on_disk = fs::read_to_string(root.join(path)).ok();
        match on_disk {
            Some(text) => editor.write(path, &text),
            None => editor.close(path),
        }
    }
    // After the sign of a filter, which is the mark of these cases.
    editor.write("templates/pages/page.html", "{{ page.title | ");
    let answer = editor.at("completion", "templates/pages/page.html", "{{ page.title | ".len(), json!({})).unwrap();
    let upper = answer["items"].as_array().unwrap().iter().find(|item| item["label"] == "upper").unwrap().clone();
    assert!(upper["documentation"]["value"].as_str().unwrap().contains("STRASSE"), "{upper}");
    for (text, expected) in [
        ("{{ collections.news | sort(attribute=\"", "kind"),
        ("{% for one in collections.news | reverse | group_by(attribute=\"", "kind"),
        ("{{ [one.title for one in collections.news | sort(attribute=\"", "kind"),
        ("{{ site | get(key=\"", "email"),
        ("{{ site | get(key=\"hours.", "open"),
    ] {
        editor.write("templates/pages/page.html", text);
        let answer = editor.at("completion", "templates/pages/page.html", text.len(), json!({})).unwrap();
        let labels: Vec<&str> =
            answer["items"].as_array().unwrap().iter().filter_map(|item| item["label"].as_str()).collect();
        assert!(labels.contains(&expected), "{text}: {labels:?}");
    }
    let required = editor.complete("content/news/rye.md", "---\n|\n---\n");
    assert_eq!(required[..2], ["kind", "title"], "what is required comes first");
}

#[test]
fn a_completed_text_is_valid() {
    let root = site("lsp-completed");
    let mut editor = Editor::with(&root, json!({}));
    editor.settle();
    let text = ABOUT.replace("Down the lane.", "Down the lane. {{ site.em");
    editor.write("content/pages/about.md", &text);
    let offset = text.find("site.em\n").unwrap() + "site.em".len();
    let answer = editor.at("completion", "content/pages/about.md", offset, json!({})).unwrap();
    let item = answer["items"].as_array().unwrap().iter().find(|item| item["label"] == "email").unwrap().clone();
    let edit = &item["textEdit"];
    let (start, end) = (offset_of(&text, &edit["range"]["start"]), offset_of(&text, &edit["range"]["end"]));
    editor.edit("content/pages/about.md", start, end, edit["newText"].as_str().unwrap());
    assert!(editor.text("content/pages/about.md").contains("lane. {{ site.email }}\n"));
    assert_eq!(editor.codes(), []);
    assert_eq!(item["detail"], "hello@bakery.test");
}

/// Returns the files and lines (from 1) of places.
fn places(editor: &Editor, answer: &Value) -> Vec<(String, u64)> {
    let place = |each: &Value| {
        (editor.path(each["uri"].as_str().unwrap()), each["range"]["start"]["line"].as_u64().unwrap() + 1)
    };
    let mut all: Vec<(String, u64)> = answer.as_array().unwrap().iter().map(place).collect();
    all.sort();
    all
}

#[test]
fn things_are_described_and_found() {
    let root = site("lsp-define");
    let mut editor = Editor::open(&root);
    editor.settle();
    let cases = [
        ("content/pages/about.md", "site.email", 6, "hello@bakery.test", ("content/site.yaml", 4)),
        ("content/pages/about.md", "hours.open", 7, "6:00", ("content/site.yaml", 6)),
        ("content/pages/about.md", "/news/opening", 3, "We open", ("content/news/opening.md", 1)),
        ("content/pages/about.md", "#hours", 3, "About us", ("content/pages/about.md", 7)),
        ("content/pages/about.md", "index.md", 3, "Bread", ("content/pages/index.md", 1)),
        ("content/pages/about.md", "loaf.svg", 3, "bytes", ("content/assets/loaf.svg", 1)),
        ("content/pages/index.md", "/about", 3, "About us", ("content/pages/about.md", 1)),
        (
            "content/pages/news/[slug].yaml",
            "pages/post.html",
            3,
            "templates/pages/post.html",
            ("templates/pages/post.html", 1),
        ),
        ("content/news/rye.md", "kind", 2, "What it is about.", ("content/schemas/news.schema.json", 2)),
        ("templates/pages/post.html", "entry.kind", 8, "What it is about.", ("content/schemas/news.schema.json", 2)),
        ("templates/pages/post.html", "entry.kind", 8, "for example: event", ("content/schemas/news.schema.json", 2)),
        ("content/pages/index.md", "/about#way", 8, "About us", ("content/pages/about.md", 11)),
        ("templates/pages/page.html", "each.title", 2, "each of collections.news", ("templates/pages/page.html", 5)),
        ("templates/pages/page.html", "base.html", 3, "templates/base.html", ("templates/base.html", 1)),
        ("templates/pages/page.html", "block main", 7, "block `main`", ("templates/base.html", 5)),
        (
            "templates/pages/page.html",
            "<teaser",
            3,
            "A line about one piece of news.",
            ("templates/components/teaser/teaser.html", 2),
        ),
        ("templates/pages/page.html", "class=\"card", 9, "var(--crust)", ("templates/styles/main.css", 5)),
        ("templates/pages/page.html", "opening.title", 9, "We open", ("content/news/opening.md", 2)),
        ("templates/pages/page.html", "\"/about", 3, "About us", ("content/pages/about.md", 1)),
        ("templates/styles/main.css", "var(--crust", 7, "#6b3e1d", ("templates/styles/main.css", 2)),
    ];
    for (path, word, into, expected, (file, line)) in cases {
        let offset = editor.text(path).find(word).unwrap_or_else(|| panic!("{path} {word}")) + into;
        let hover = editor.at("hover", path, offset, json!({})).unwrap();
        assert!(
            hover["contents"]["value"].as_str().is_some_and(|text| text.contains(expected)),
            "{path} {word}: {hover}"
        );
        let definition = editor.at("definition", path, offset, json!({})).unwrap();
        let found = places(&editor, &definition);
        assert!(found.contains(&(file.to_owned(), line)), "{path} {word}: {found:?}");
    }
    let upper = editor.text("templates/pages/page.html").find("upper").unwrap() + 1;
    let hover = editor.at("hover", "templates/pages/page.html", upper, json!({})).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("change letter case"));
    let all = |editor: &mut Editor, path: &str, word: &str, into: usize| {
        let offset = editor.text(path).find(word).unwrap() + into;
        let answer =
            editor.at("references", path, offset, json!({ "context": { "includeDeclaration": true } })).unwrap();
        places(editor, &answer).into_iter().map(|(path, _)| path).collect::<Vec<_>>()
    };
    let of_page = all(&mut editor, "content/pages/index.md", "/about", 3);
    assert_eq!(of_page, ["content/pages/index.md", "content/pages/index.md", "templates/pages/page.html"]);
    let of_entry = all(&mut editor, "content/pages/about.md", "/news/opening", 3);
    assert_eq!(of_entry, ["content/news/rye.md", "content/pages/about.md", "templates/pages/page.html"]);
    let of_key = all(&mut editor, "content/site.yaml", "email", 2);
    assert_eq!(
        of_key,
        ["content/pages/about.md", "content/schemas/site.schema.json", "content/site.yaml", "templates/base.html"]
    );
    // From the page itself, and from a heading.
    assert_eq!(all(&mut editor, "content/pages/about.md", "About us", 2), of_page);
    assert_eq!(all(&mut editor, "content/pages/about.md", "## Way", 4), ["content/pages/index.md"]);
    let of_class = all(&mut editor, "templates/styles/main.css", ".card", 2);
    assert_eq!(of_class, ["templates/pages/page.html", "templates/styles/main.css"]);
}

#[test]
fn a_rename_leaves_a_valid_site() {
    let cases = [
        ("content/pages/index.md", "/about", 3, "/company/about"),
        ("content/pages/about.md", "/news/opening", 7, "we-open"),
        ("content/pages/about.md", "loaf.svg", 3, "bread.svg"),
        ("content/pages/news/[slug].yaml", "pages/post.html", 8, "article.html"),
        ("content/site.yaml", "hours", 2, "times"),
        ("content/site.yaml", "open:", 2, "opens"),
        ("content/news/rye.md", "kind", 2, "sort_of"),
        ("templates/pages/page.html", "<teaser", 3, "line_about"),
        ("templates/components/teaser/teaser.html", "wide", 2, "broad"),
        ("templates/pages/page.html", "block main", 7, "content"),
        ("templates/pages/page.html", "class=\"card", 9, "panel"),
        ("templates/styles/main.css", "--crust", 4, "--dark"),
        ("templates/components/teaser/teaser.html", "title: string", 2, "heading"),
        ("templates/components/teaser/teaser.html", "{{ title", 4, "heading"),
        ("templates/pages/page.html", "for each", 5, "item"),
        ("templates/pages/page.html", "each.title", 2, "item"),
    ];
    for (number, (path, word, into, name)) in cases.into_iter().enumerate() {
        let root = site(&format!("lsp-rename-{number}"));
        let mut editor = Editor::open(&root);
        editor.settle();
        let offset = editor.text(path).find(word).unwrap_or_else(|| panic!("{path} {word}")) + into;
        let prepared = editor.at("prepareRename", path, offset, json!({})).unwrap();
        assert!(prepared["placeholder"].is_string(), "{path} {word}: {prepared}");
        let edit = editor
            .at("rename", path, offset, json!({ "newName": name }))
            .unwrap_or_else(|error| panic!("{path} {word}: {error:?}"));
        editor.apply(&edit);
        assert_eq!(checked(&root), [], "{path} {word} → {name}");
        let texts = generated::read(&root);
        assert!(texts.values().any(|text| String::from_utf8_lossy(text).contains(name)), "{name}");
        if name.starts_with('/') || name == "we-open" {
            let aliases = texts.values().any(|text| String::from_utf8_lossy(text).contains("aliases:"));
            assert!(aliases, "the old address leads to the new one");
        }
        assert!(editor.end());
    }
    let root = site("lsp-rename-refused");
    let mut editor = Editor::open(&root);
    editor.settle();
    // An editor that cannot rename files is given none.
    let mut old = Editor::with(&root, json!({}));
    old.settle();
    let about = old.text("content/pages/index.md").find("/about").unwrap() + 2;
    let refused = old.at("rename", "content/pages/index.md", about, json!({ "newName": "/us" })).unwrap_err();
    assert!(refused.1.contains("rename content/pages/about.md to content/pages/us.md"), "{refused:?}");
    let card = old.text("templates/styles/main.css").find("card").unwrap() + 1;
    let edit = old.at("rename", "templates/styles/main.css", card, json!({ "newName": "panel" })).unwrap();
    assert_eq!(edit["changes"].as_object().unwrap().len(), 2, "{edit}");
    let title = editor.text("content/pages/about.md").find("title").unwrap() + 1;
    assert!(editor.at("rename", "content/pages/about.md", title, json!({ "newName": "headline" })).is_err());
    let link = editor.text("content/pages/index.md").find("/about").unwrap() + 2;
    assert!(editor.at("rename", "content/pages/index.md", link, json!({ "newName": "no slash" })).is_err());
}

/// Writes a project of this file with others in addition.
fn site_with(name: &str, others: &[(&str, &str)]) -> PathBuf {
    let root = generated::work_folder(name);
    let mut files = project();
    files.extend(others.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    generated::write(&files, &root);
    root
}

/// Renames what a text in a file ends in, on the disk.
fn rename(root: &Path, path: &str, before: &str, name: &str) -> Result<(), String> {
    let mut editor = Editor::open(root);
    editor.settle();
    let offset = editor.text(path).find(before).unwrap_or_else(|| panic!("{path} {before}")) + before.len();
    let edit = editor.at("rename", path, offset, json!({ "newName": name })).map_err(|(_, reason)| reason)?;
    editor.apply(&edit);
    Ok(())
}

const OFFERS: &str = "{% extends \"base.html\" %}\n{% block main %}{% for one in list.entries %}{{ one.kind }}{% endfor %}\n\
  {{ [e.title for e in collections.news if e.kind == \"offer\"] | join(sep=\", \") }}\n\
  {% set m = collections.news | sort(attribute=\"kind\") | first %}{% if m.kind is defined %}{{ m[\"kind\"] }}{% endif %}\n\
  {% for n in collections.news %}{{ <label of={n} /> }}{% endfor %}{% endblock %}\n";

#[test]
fn a_key_is_renamed_wherever_it_is_used() {
    let offers = "title: Offers\ntemplate: pages/offers.html\nlist: { collection: news, where: { kind: [offer, event] }, sort: [kind, -title] }\n";
    let label = "{% component label(of) %}<i>{{ of.kind }}</i>{% endcomponent label %}\n";
    let of_kinds = "for_each: news.kind\ntitle: \"{{ term.name }}\"\n";
    let part = ("templates/parts/line.html", "{{ anything.kind }}");
    let others = [
        ("content/pages/offers.yaml", offers),
        ("templates/pages/offers.html", OFFERS),
        ("templates/components/label.html", label),
    ];
    let root = site_with("lsp-rename-key", &others);
    assert_eq!(checked(&root), []);
    rename(&root, "content/news/rye.md", "\nki", "sort_of").unwrap();
    assert_eq!(checked(&root), []);
    for (path, text) in generated::read(&root) {
        assert!(!String::from_utf8_lossy(&text).contains("kind"), "{path}");
    }
    // The name of a file has it.
    let with_file = [&others[..], &[("content/pages/kinds/[kind].yaml", of_kinds)]].concat();
    let reason = rename(&site_with("lsp-rename-key-file", &with_file), "content/news/rye.md", "\nki", "sort_of");
    assert!(reason.as_ref().is_err_and(|reason| reason.contains("content/pages/kinds/[kind].yaml")), "{reason:?}");
    // It is not known what an included template gets.
    let with_part = [&others[..], &[part]].concat();
    let reason = rename(&site_with("lsp-rename-key-unknown", &with_part), "content/news/rye.md", "\nki", "sort_of");
    assert!(reason.as_ref().is_err_and(|reason| reason.contains("templates/parts/line.html:1")), "{reason:?}");
}

const TOPICS: &str = "{% extends \"base.html\" %}\n{% block main %}{% for one in list.entries %}<p>{{ one.topic }}</p>{% endfor %}\n\
  {{ [p.topic for p in pages if p.topic is defined] | join(sep=\", \") }}{% endblock %}\n";

#[test]
fn a_key_of_listed_pages_is_one_of_their_templates() {
    let topics = "title: Topics\ntemplate: pages/topics.html\nlist: { collection: pages, where: { topic: bread }, sort: [topic, title] }\n";
    let page = |topic: &str, template: &str| format!("---\ntitle: Page\n{template}{topic}: bread\n---\n\nText.\n");
    let (flour, water) = (page("topic", ""), page("topic", "template: pages/other.html\n"));
    let schema =
        r#"{ "type": "object", "properties": { "topic": { "type": "string", "description": "What it is about." } } }"#;
    let others = [
        ("content/pages/topics.yaml", topics),
        ("templates/pages/topics.html", TOPICS),
        ("content/pages/flour.md", &flour),
        ("content/schemas/pages/page.schema.json", schema),
    ];
    let root = site_with("lsp-pages-key", &others);
    assert_eq!(checked(&root), []);
    let mut editor = Editor::open(&root);
    editor.settle();
    let at = |editor: &Editor, path: &str, word: &str| editor.text(path).find(word).unwrap() + word.len();
    let asked = json!({ "context": { "includeDeclaration": true } });
    for (path, word) in [
        ("content/pages/topics.yaml", "where: { to"),
        ("content/pages/topics.yaml", "sort: [to"),
        ("content/pages/flour.md", "\nto"),
        ("templates/pages/topics.html", "one.to"),
        ("templates/pages/topics.html", "[p.to"),
    ] {
        let offset = at(&editor, path, word);
        let found = editor.at("references", path, offset, asked.clone()).unwrap();
        let mut files: Vec<String> =
            found.as_array().unwrap().iter().map(|each| editor.path(each["uri"].as_str().unwrap())).collect();
        files.sort();
        let expected = [
            "content/pages/flour.md",
            "content/pages/topics.yaml",
            "content/pages/topics.yaml",
            "content/schemas/pages/page.schema.json",
            "templates/pages/topics.html",
            "templates/pages/topics.html",
            "templates/pages/topics.html",
        ];
        assert_eq!(files, expected, "{path} {word}");
        let hover = editor.at("hover", path, offset, json!({})).unwrap();
        assert!(
            hover["contents"]["value"].as_str().unwrap_or_default().contains("What it is about."),
            "{path} {word}: {hover}"
        );
    }
    rename(&root, "content/pages/topics.yaml", "where: { to", "subject").unwrap();
    assert_eq!(checked(&root), []);
    for (path, text) in generated::read(&root) {
        assert!(path.starts_with(".sitegen") || !String::from_utf8_lossy(&text).contains("topic:"), "{path}");
    }
    // Pages of another template have a key of that name as well.
    let other = [&others[..], &[("content/pages/water.md", &water), ("templates/pages/other.html", PAGE)]].concat();
    let root = site_with("lsp-pages-key-other", &other);
    let reason = rename(&root, "content/pages/flour.md", "\nto", "subject").unwrap_err();
    assert!(reason.contains("content/pages/water.md:4"), "{reason}");
    rename(&root, "content/pages/topics.yaml", "sort: [to", "subject").unwrap();
    assert_eq!(checked(&root), []);
}

#[test]
fn keys_in_addresses_and_columns_are_known() {
    let loaves = "name,grams,sold\nRye,750,\"yes, often\"\nSpelt,500,no\n";
    let years = "for_each: dated\npath: /[year]/[slug]\ntitle: \"{{ entry.title }}\"\ntemplate: pages/dated.html\n";
    let dated = "{% extends \"base.html\" %}{% block main %}{{ entry.year }}{% for l in collections.loaves %}<p>{{ l.grams }}</p>{% endfor %}{% endblock %}";
    let others = [
        ("content/loaves.csv", loaves),
        ("content/dated/one.yaml", "title: One\nyear: \"2024\"\n"),
        ("content/dated/two.yaml", "title: Two\nyear: \"2025\"\n"),
        ("content/pages/dated.yaml", years),
        ("templates/pages/dated.html", dated),
        (
            "content/pages/years.md",
            "---\ntitle: Years\n---\n\nSee [one](/2024/one) and [two](/2025/two), and [all](/years).\n",
        ),
    ];
    let root = site_with("lsp-addresses", &others);
    assert_eq!(checked(&root), []);
    rename(&root, "content/pages/dated.yaml", "path: /[ye", "anno").unwrap();
    assert_eq!(checked(&root), []);
    rename(&root, "content/loaves.csv", ",gr", "weight").unwrap();
    assert_eq!(checked(&root), []);
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert_eq!(read("content/loaves.csv"), loaves.replace("grams", "weight"));
    assert_eq!(read("content/dated/two.yaml"), "title: Two\nanno: \"2025\"\n");
    assert!(read("content/pages/dated.yaml").contains("path: /[anno]/[slug]"));
    assert_eq!(
        read("templates/pages/dated.html"),
        dated.replace("entry.year", "entry.anno").replace("l.grams", "l.weight")
    );
    let mut editor = Editor::open(&root);
    editor.settle();
    for (path, word, expected) in [
        ("content/loaves.csv", "we", "weight"),
        ("content/pages/dated.yaml", "[an", "anno"),
        ("content/pages/dated.yaml", "/[sl", "slug"),
        ("templates/pages/dated.html", "l.we", "weight"),
    ] {
        let offset = editor.text(path).find(word).unwrap() + word.len();
        let hover = editor.at("hover", path, offset, json!({})).unwrap();
        assert!(
            hover["contents"]["value"].as_str().is_some_and(|text| text.contains(expected)),
            "{path} {word}: {hover}"
        );
    }
}

#[test]
fn a_name_that_would_break_the_site_is_refused() {
    let root = site("lsp-refused");
    let read = || {
        let mut files = generated::read(&root);
        files.retain(|path, _| !path.starts_with(".sitegen"));
        files
    };
    let before = read();
    for (path, word, name, expected) in [
        ("content/pages/index.md", "/ab", "/../../../evil/x", "/../../../evil/x"),
        ("content/pages/index.md", "/ab", "/Über", "/Über"),
        ("content/pages/index.md", "/ab", "/news/rye", "already"),
        ("content/pages/index.md", "/ab", "/", "like /about"),
        ("content/pages/about.md", "(ind", "/start", "home page"),
        ("content/pages/about.md", "/news/op", "rye", "already"),
        ("content/pages/about.md", "/news/op", "../x", "letters"),
        ("content/site.yaml", "hou", "email", "already"),
        ("templates/styles/main.css", ".ca", "page", "already"),
        ("templates/components/teaser/teaser.html", "(ti", "wide", "another variable"),
        ("templates/components/teaser/teaser.html", "(ti", "a-b", "letters"),
        ("templates/pages/page.html", "for ea", "page", "another variable"),
        ("templates/styles/main.css", ".ca", "9x", "main.css"),
    ] {
        let reason = rename(&root, path, word, name).expect_err(name);
        assert!(reason.contains(expected), "{path} {word} {name}: {reason}");
    }
    assert_eq!(read(), before);
    // With an error in the content not all uses are known. What needs no content is renamed all the same.
    fs::write(root.join("content/news/rye.md"), "---\ntitel: Rye\nkind: offer\n---\n").unwrap();
    for (path, word, name) in [
        ("content/pages/index.md", "/ab", "/us"),
        ("content/news/opening.md", "ki", "sort_of"),
        ("content/pages/about.md", "loaf", "bread.svg"),
    ] {
        let reason = rename(&root, path, word, name).expect_err(name);
        assert!(reason.contains("errors"), "{path} {word}: {reason}");
    }
    rename(&root, "templates/styles/main.css", ".ca", "panel").unwrap();
    // The rest of the content is known nevertheless.
    let mut editor = Editor::open(&root);
    editor.settle();
    let labels = editor.complete("content/pages/about.md", "---\ntitle: A\n---\n\n[x](/|");
    assert!(labels.contains(&"/news/opening".to_owned()) && !labels.contains(&"/news/rye".to_owned()), "{labels:?}");
}

#[test]
fn every_form_of_a_link_follows_its_page() {
    let many = "---\ntitle: Many\nraw_html: true\nlead: \"Read [about](/about#way) us\"\n---\n\n[titled](/about \"see /about\"), [by name][a], \
      [whole](https://www.bakery.test/about), [slash](/about/), [file](about.md#way) and <a href=\"/about#way\">HTML</a>. `[x](/about)`\n\n[a]: /about \"T\"\n";
    let root = site_with("lsp-links", &[("content/pages/many.md", many)]);
    let before = checked(&root);
    rename(&root, "content/pages/index.md", "/ab", "/us").unwrap();
    let text = fs::read_to_string(root.join("content/pages/many.md")).unwrap();
    let expected = many
        .replace("(/about", "(/us")
        .replace("test/about", "test/us")
        .replace("(about.md", "(us.md")
        .replace("\"/about#", "\"/us#")
        .replace("[a]: /about", "[a]: /us")
        .replace("`[x](/us)`", "`[x](/about)`");
    assert_eq!(text, expected);
    assert_eq!(checked(&root), before);
    // A page that says its address itself stays in its file.
    let own = [
        ("content/pages/own.md", "---\ntitle: Own\npath: /Own\n---\n\nA.\n"),
        ("content/pages/to.md", "---\ntitle: To\n---\n\n[own](/Own)\n"),
    ];
    let root = site_with("lsp-own-path", &own);
    let before = checked(&root);
    rename(&root, "content/pages/to.md", "(/O", "/ours").unwrap();
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert!(
        text("content/pages/own.md").contains("path: /ours\n") && text("content/pages/own.md").contains("- /Own\n")
    );
    assert!(text("content/pages/to.md").contains("(/ours)"), "{}", text("content/pages/to.md"));
    assert_eq!(checked(&root), before);
}

#[test]
fn what_belongs_to_a_page_or_an_entry_moves_along() {
    let svg = String::from_utf8(project()["content/assets/loaf.svg"].clone()).unwrap();
    let list = "{% extends \"base.html\" %}\n{% block main %}{% for e in list.entries %}<p>{{ e.title }}</p>{% endfor %}\
      {% if list.next %}<a href=\"{{ list.next }}\">Next</a>{% endif %}{% endblock %}\n";
    let others = [
        (
            "content/news/harvest/index.md",
            "---\ntitle: Harvest\nkind: event\n---\n\n![A field](field.svg) [us](../../pages/about.md)\n",
        ),
        ("content/news/harvest/field.svg", svg.as_str()),
        (
            "content/pages/list/index.yaml",
            "title: List\ntemplate: pages/list.html\nlist: { collection: news, per_page: 1 }\n",
        ),
        ("content/pages/also.md", "---\ntitle: Also\n---\n\n[list](/list) and [harvest](/news/harvest)\n"),
        ("templates/pages/list.html", list),
    ];
    let root = site_with("lsp-folders", &others);
    let before = checked(&root);
    rename(&root, "content/pages/also.md", "/news/har", "crop").unwrap();
    rename(&root, "content/pages/also.md", "(/li", "/all").unwrap();
    assert_eq!(checked(&root), before);
    let texts = generated::read(&root);
    let text = |path: &str| String::from_utf8(texts[path].clone()).unwrap();
    assert!(texts.contains_key("content/news/crop/field.svg") && texts.contains_key("content/pages/all/index.yaml"));
    assert!(text("content/news/crop/index.md").contains("![A field](field.svg) [us](../../pages/about.md)"));
    let site = text("content/site.yaml");
    assert!(site.contains("from: /list/page/2") && site.contains("to: /all/page/2"), "{site}");
    // Files and folders that the editor renames, several at once.
    let root = site_with("lsp-move-many", &others);
    let mut editor = Editor::open(&root);
    editor.settle();
    let pairs = [("content/pages/about.md", "content/pages/us.md"), ("content/news/harvest", "content/news/crop")];
    let files: Vec<Value> =
        pairs.iter().map(|(old, new)| json!({ "oldUri": editor.uri(old), "newUri": editor.uri(new) })).collect();
    let edit = editor.ask("workspace/willRenameFiles", json!({ "files": files })).unwrap();
    editor.apply(&edit);
    for (old, new) in pairs {
        fs::rename(root.join(old), root.join(new)).unwrap();
    }
    assert_eq!(checked(&root), before);
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert!(text("content/news/crop/index.md").contains("![A field](field.svg) [us](../../pages/us.md)"));
    assert!(text("content/pages/also.md").contains("(/news/crop)"));
}

#[test]
fn a_translation_is_in_its_language() {
    let site_file = format!("{SITE}languages:\n  de: {{ name: Deutsch, untranslated: hide }}\n");
    let base = BASE.replace("lang=\"en\"", "lang=\"{{ page.language }}\"");
    let shop =
        "{% extends \"base.html\" %}\n{% block main %}<p>{{ page.now_lead }}</p>{{ page.content }}{% endblock %}\n";
    let others = [
        ("content/site.yaml", site_file.as_str()),
        ("content/site.de.yaml", "name: Glut\n"),
        ("templates/base.html", base.as_str()),
        ("templates/pages/shop.html", shop),
        (
            "content/pages/shop.md",
            "---\ntitle: Shop\ntemplate: pages/shop.html\nnow_lead: Now\n---\n\nIn {{ site.name }}.\n",
        ),
        (
            "content/pages/shop.de.md",
            "---\ntitle: Laden\nnow_lead: Jetzt\n---\n\nSiehe [uns](/about) in {{ site.name }}.\n",
        ),
        ("content/pages/about.de.md", "---\ntitle: Über uns\n---\n\nZum [Laden](shop.md) [hier](/shop).\n"),
    ];
    let root = site_with("lsp-languages", &others);
    let before = checked(&root);
    let mut editor = Editor::open(&root);
    editor.settle();
    let at = |editor: &Editor, word: &str| editor.text("content/pages/shop.de.md").find(word).unwrap() + word.len();
    let link = at(&editor, "/ab");
    let hover = editor.at("hover", "content/pages/shop.de.md", link, json!({})).unwrap();
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("Über uns")), "{hover}");
    let definition = editor.at("definition", "content/pages/shop.de.md", link, json!({})).unwrap();
    assert_eq!(places(&editor, &definition), [("content/pages/about.de.md".to_owned(), 1)]);
    let name = at(&editor, "site.na");
    let hover = editor.at("hover", "content/pages/shop.de.md", name, json!({})).unwrap();
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("Glut")), "{hover}");
    // The template of the original says whose key it is.
    for from in ["content/pages/shop.md", "content/pages/shop.de.md"] {
        let root = site_with("lsp-languages-key", &others);
        rename(&root, from, "\nnow_", "lead").unwrap();
        assert_eq!(checked(&root), before);
        let texts = generated::read(&root);
        assert!(!texts.values().any(|text| String::from_utf8_lossy(text).contains("now_lead")), "{from}");
    }
    let root = site_with("lsp-languages-page", &others);
    rename(&root, "content/pages/index.md", "(/ab", "/us").unwrap();
    assert_eq!(checked(&root), before);
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert!(text("content/pages/us.de.md").contains("- /de/about\n"), "{}", text("content/pages/us.de.md"));
    assert!(text("content/pages/us.md").contains("- /about\n"));
    assert!(text("content/pages/shop.de.md").contains("[uns](/us)"));
    // The file of one language alone, in the explorer.
    let root = site_with("lsp-languages-move", &others);
    let mut editor = Editor::open(&root);
    editor.settle();
    let (old, new) = (editor.uri("content/pages/about.de.md"), editor.uri("content/pages/haus.de.md"));
    let edit = editor.ask("workspace/willRenameFiles", json!({ "files": [{ "oldUri": old, "newUri": new }] })).unwrap();
    assert!(!edit.to_string().contains("aliases"), "{edit}");
}

#[test]
fn a_file_that_the_editor_renames_takes_its_links_along() {
    let root = site("lsp-move");
    let mut editor = Editor::open(&root);
    editor.settle();
    let (old, new) = (editor.uri("content/pages/about.md"), editor.uri("content/pages/us.md"));
    let edit = editor.ask("workspace/willRenameFiles", json!({ "files": [{ "oldUri": old, "newUri": new }] })).unwrap();
    editor.apply(&edit);
    fs::rename(root.join("content/pages/about.md"), root.join("content/pages/us.md")).unwrap();
    assert_eq!(checked(&root), []);
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert!(text("content/pages/us.md").contains("aliases:\n  - /about\n"), "{}", text("content/pages/us.md"));
    // Again: the address before joins the first one, and neither is taken for a link.
    let mut editor = Editor::open(&root);
    editor.settle();
    let (old, new) = (editor.uri("content/pages/us.md"), editor.uri("content/pages/team.md"));
    let edit = editor.ask("workspace/willRenameFiles", json!({ "files": [{ "oldUri": old, "newUri": new }] })).unwrap();
    editor.apply(&edit);
    fs::rename(root.join("content/pages/us.md"), root.join("content/pages/team.md")).unwrap();
    assert_eq!(checked(&root), []);
    assert!(text("content/pages/team.md").contains("aliases:\n  - /about\n  - /us\n"));
}

#[test]
fn proposed_repairs_are_actions() {
    let root = site("lsp-actions");
    let mut editor = Editor::open(&root);
    let text = ABOUT.replace("title:", "titel:").replace("site.email", "site.emial");
    fs::write(root.join("content/pages/about.md"), &text).unwrap();
    editor.write("content/pages/about.md", &text);
    editor.settle();
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let context = json!({ "range": whole, "context": { "diagnostics": [], "only": ["source.fixAll"] } });
    let actions = editor.about("codeAction", "content/pages/about.md", context).unwrap();
    let actions = actions.as_array().unwrap();
    assert_eq!(actions.len(), 1, "{actions:?}");
    assert_eq!(actions[0]["kind"], "source.fixAll.sitegen");
    editor.apply(&actions[0]["edit"]);
    assert_eq!(checked(&root), []);
    let line = json!({ "start": { "line": 1, "character": 2 }, "end": { "line": 1, "character": 2 } });
    let context = json!({ "range": line, "context": { "diagnostics": [] } });
    let actions = editor.about("codeAction", "content/pages/about.md", context).unwrap();
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert!(
        titles.contains(&"Replace `titel` with `title`") && titles.contains(&"Explain `unknown-key`"),
        "{titles:?}"
    );
    let explained = editor
        .ask("workspace/executeCommand", json!({ "command": "sitegen.explain", "arguments": ["unknown-key"] }))
        .unwrap();
    assert!(explained.as_str().unwrap().contains("key"), "{explained}");
}

#[test]
fn files_have_outlines_folds_links_colours_and_values() {
    let root = site("lsp-outline");
    let mut editor = Editor::open(&root);
    editor.settle();
    let outline = editor.about("documentSymbol", "content/pages/about.md", json!({})).unwrap();
    let names: Vec<&str> = outline.as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["title", "Hours", "Way"]);
    let folds = editor.about("foldingRange", "content/pages/about.md", json!({})).unwrap();
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|each| (each["startLine"].as_u64().unwrap(), each["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(folds, [(0, 2), (6, 8), (10, 12)]);
    let links = editor.about("documentLink", "content/pages/about.md", json!({})).unwrap();
    let targets: Vec<String> =
        links.as_array().unwrap().iter().map(|each| editor.path(each["target"].as_str().unwrap())).collect();
    assert_eq!(targets, ["content/news/opening.md", "content/pages/index.md", "content/assets/loaf.svg"]);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.about("inlayHint", "content/pages/about.md", json!({ "range": range })).unwrap();
    let labels: Vec<&str> = hints.as_array().unwrap().iter().map(|each| each["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["hello@bakery.test", "6:00"]);
    // `{{ page.title }}`: a variable and its key.
    let tokens = editor.about("semanticTokens/full", "templates/base.html", json!({})).unwrap();
    let data: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|each| each.as_u64().unwrap()).collect();
    assert_eq!(data[..10], [2, 38, 4, 1, 0, 0, 5, 5, 2, 0]);
    let found = editor.ask("workspace/symbol", json!({ "query": "tsr" })).unwrap();
    assert_eq!(found[0]["name"], "teaser", "{found}");
    let found = editor.ask("workspace/symbol", json!({ "query": "opening" })).unwrap();
    assert_eq!(editor.path(found[0]["location"]["uri"].as_str().unwrap()), "content/news/opening.md");
}

#[test]
fn the_page_of_a_place_is_served() {
    let root = site("lsp-open");
    let mut editor = Editor::open(&root);
    editor.settle();
    let uri = editor.uri("content/pages/about.md");
    let way = ABOUT[..ABOUT.find("Down").unwrap()].matches('\n').count();
    let arguments = json!([uri, { "line": way, "character": 0 }]);
    let address =
        editor.ask("workspace/executeCommand", json!({ "command": "sitegen.open", "arguments": arguments })).unwrap();
    let address = address.as_str().unwrap().to_owned();
    assert!(address.starts_with("http://127.0.0.1:") && address.ends_with("/about#way"), "{address}");
    let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let get = |path: &str, header: &str| {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(&host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(get("/about", "").contains("Down the lane."));
    // What nobody has saved yet is shown.
    editor.write("content/pages/about.md", &ABOUT.replace("Down the lane", "Up the hill"));
    editor.settle();
    assert!(get("/about", "").contains("Up the hill."));
    // A click on the page shows the line, but only if the page says that it is one of this server.
    let place = "/.sitegen/place?path=%2Fabout&text=Up+the+hill.";
    assert!(get(place, "").starts_with("HTTP/1.1 204"));
    assert!(get(place, "X-Sitegen: place\r\n").starts_with("HTTP/1.1 204"));
    let shown = |editor: &Editor| loop {
        match editor.connection.receiver.recv_timeout(Duration::from_secs(20)) {
            Ok(Message::Request(request)) if request.method == "window/showDocument" => return request.params,
            Ok(_) => {}
            Err(_) => panic!("nothing was shown"),
        }
    };
    let shown = shown(&editor);
    assert_eq!(editor.path(shown["uri"].as_str().unwrap()), "content/pages/about.md");
    assert_eq!(shown["selection"]["start"], json!({ "line": way, "character": 0 }));
    let more = editor.connection.receiver.try_iter().filter(|message| matches!(message, Message::Request(_))).count();
    assert_eq!(more, 0, "the request without the header shows nothing");
}

#[test]
fn no_text_and_no_position_makes_it_fail() {
    let steps = size::sized(10_000, 100_000);
    let root = site("lsp-random");
    let mut editor = Editor::open(&root);
    let mut random = Random(7);
    let files: Vec<String> = project().into_keys().filter(|path| !path.ends_with(".svg")).collect();
    let pieces = [
        "{{",
        "}}",
        "{% ",
        " %}",
        "\"",
        "'",
        "(",
        ")",
        "[",
        "](",
        "![",
        "#",
        "site.",
        "page.",
        ": ",
        "- ",
        "\n",
        "\n  ",
        "|",
        "<",
        "/>",
        "é",
        "𝄞",
        "\r\n",
        "---\n",
        "/",
        ".",
        "--",
        "class=\"",
        "var(",
        "{",
        "}",
        "\t",
        "/about",
        "block ",
        "entries.news.",
        "",
    ];
    let methods = [
        "completion",
        "hover",
        "definition",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "documentLink",
        "documentSymbol",
        "foldingRange",
        "semanticTokens/full",
        "inlayHint",
        "codeAction",
    ];
    for path in &files {
        let text = editor.text(path);
        editor.write(path, &text);
    }
    let boundary = |text: &str, mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    for step in 0..steps {
        let path = random.one_of(&files).clone();
        let text = editor.text(&path);
        if random.below(3) == 0 {
            let (a, b) = (random.below(text.len() + 1), random.below(6));
            let from = boundary(&text, a);
            let to = boundary(&text, (from + b).min(text.len()));
            let piece = *random.one_of(&pieces);
            editor.edit(&path, from, to, piece);
        } else if random.below(40) == 0 {
            let original = String::from_utf8(project()[&path].clone()).unwrap();
            editor.write(&path, &original);
        }
        let text = editor.text(&path);
        let offset = boundary(&text, random.below(text.len() + 1));
        let method = *random.one_of(&methods);
        let range = json!({ "start": position(&text, 0), "end": position(&text, text.len()) });
        let more = json!({ "newName": *random.one_of(&["b", "/b", "b-c", ""]), "range": range, "context": { "diagnostics": [], "includeDeclaration": true } });
        let answer = editor.at(method, &path, offset, more);
        if let Err((code, message)) = answer {
            // -32803: refused, as for names that cannot be given.
            assert_eq!(code, -32803, "step {step}: {method} of {path} at {offset}: {message}\n{text}");
        }
    }
    // Its texts are the ones of the editor after all of that, and so is what it knows: a new server says the same.
    for path in &files {
        editor.write(path, &String::from_utf8(project()[path].clone()).unwrap());
    }
    assert_eq!(editor.codes(), []);
    let mut fresh = Editor::open(&root);
    fresh.settle();
    for path in &files {
        for method in methods {
            let text = editor.text(path);
            let offset = boundary(&text, text.len() / 2);
            let range = json!({ "start": position(&text, 0), "end": position(&text, text.len()) });
            let more =
                json!({ "newName": "b", "range": range, "context": { "diagnostics": [], "includeDeclaration": true } });
            assert_eq!(
                editor.at(method, path, offset, more.clone()),
                fresh.at(method, path, offset, more),
                "{method} {path}"
            );
        }
    }
}

#[test]
fn requests_of_no_project_and_unknown_ones_are_answered() {
    let folder = generated::work_folder("lsp-nothing");
    fs::write(folder.join("a.md"), "# A\n").unwrap();
    let mut editor = Editor::open(&folder);
    assert_eq!(editor.at("hover", "a.md", 0, json!({})), Ok(Value::Null));
    assert_eq!(editor.ask("workspace/unknown", json!({})).unwrap_err().0, -32601);
    editor.notify("textDocument/unknown", json!({}));
    assert!(
        editor
            .ask("workspace/executeCommand", json!({ "command": "sitegen.open", "arguments": [editor.uri("a.md")] }))
            .is_err()
    );
    // One that the editor takes back before it is answered.
    editor.notify("$/cancelRequest", json!({ "id": 4_000 }));
    assert!(editor.end());
}

#[test]
fn folders_come_and_go() {
    let root = site("lsp-folders-gone");
    let mut editor = Editor::open(&root);
    editor.write("content/pages/about.md", &ABOUT.replace("title:", "titel:"));
    assert_eq!(editor.codes().len(), 1);
    let removed = json!([{ "uri": editor.uri("").trim_end_matches('/'), "name": "a" }]);
    editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": removed } }));
    let found = editor.ask("workspace/symbol", json!({ "query": "opening" })).unwrap();
    assert_eq!(found, json!([]));
    assert!(editor.reported.values().all(Vec::is_empty), "{:?}", editor.reported);
    // A text that is open before its project exists.
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut editor = Editor::open(root);
    editor.write("content/pages/about.md", &ABOUT.replace("title:", "titel:"));
    editor.settle();
    generated::write(&project(), root);
    assert!(editor.at("documentSymbol", "content/pages/about.md", 0, json!({})).is_ok());
    assert_eq!(editor.codes(), [("content/pages/about.md".to_owned(), "unknown-key".to_owned())]);
}

#[test]
fn a_message_that_cannot_be_read_is_answered() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    // Each message with whether it is answered.
    let run = |messages: &[(&str, bool)]| {
        let mut server = Command::new(env!("CARGO_BIN_EXE_sitegen"))
            .args(["lsp", "--no-programs"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = server.stdin.take().unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let mut answers = Vec::new();
        for (message, is_answered) in messages {
            write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
            input.flush().unwrap();
            if *is_answered {
                let mut line = String::new();
                output.read_line(&mut line).unwrap();
                let length: usize = line.trim().rsplit(' ').next().unwrap().parse().unwrap();
                let mut body = vec![0; length + 2];
                output.read_exact(&mut body).unwrap();
                answers.push(serde_json::from_slice::<Value>(&body[2..]).unwrap());
            }
        }
        drop(input);
        let end = server.wait_with_output().unwrap();
        (answers, end.status.code(), String::from_utf8(end.stderr).unwrap())
    };
    let initialize = (r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#, true);
    let initialized = (r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#, false);
    let half = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.md","text":"\ud83d"}}}"#;
    let shutdown = (r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#, true);
    let exit = (r#"{"jsonrpc":"2.0","method":"exit"}"#, false);
    let broken = (r#"{ "jsonrpc": "#, true);
    let (answers, code, said) = run(&[initialize, initialized, (half, false), broken, shutdown, exit]);
    assert_eq!(answers[1]["error"]["code"], -32700, "{answers:?}");
    assert_eq!((answers[2]["id"].as_i64(), code), (Some(2), Some(0)));
    assert!(said.contains("cannot be read"), "{said}");
    assert_eq!(run(&[initialize, initialized, exit]).1, Some(1));
}
