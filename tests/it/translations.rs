//! `sitegen translations`: what it lists, what it writes into translations, and files for translators, which gettext checks.

use crate::support::foreign;
use crate::support::generated::{self, Files, repository};
use crate::support::needs::left_out;
use crate::support::size;
use proptest::prelude::*;
use serde_json::Value;
use sitegen::cli::translations::po::PoFile;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SITE: &str = "url: https://www.site.test\nlanguage: en\nname: Bakery\nlanguages:\n  de: { name: Deutsch }\n  \
                    pl: { name: Polski }\nlabels:\n  more: Read more\n  posts: { one: \"{count} post\", other: \"{count} posts\" }\n\
                    nav:\n  - { page: /about, text: About us }\n  - { page: /, text: Home page }\n";
const ABOUT: &str = "---\ntitle: About us\ndescription: Who we are.\nhero: { text: Bread of {{ site.name }}, icon: star }\n---\n\
                     We bake *bread* at [home](/).\n\n## Hours\n\n- Monday\n- Tuesday\n\n```\ncode\n```\n\nWrite to us.\n";
const TEMPLATE: &str = "<!doctype html><html lang=\"{{ page.language }}\" dir=\"{{ page.direction }}\"><head><meta charset=\"utf-8\">\
    <title>{{ page.title }}</title><meta name=\"description\" content=\"{{ page.description | default(value=page.title) }}\">{{ alternates() }}</head>\n\
    <body><main{% if page.fallback %} lang=\"{{ page.fallback.language }}\" dir=\"{{ page.fallback.direction }}\"{% endif %}>\
    <h1>{{ page.title }}</h1>{{ page.content }}<p>{{ site.labels.more }} {{ site.labels.posts.other }}</p>\
    {% if page.hero %}<p>{{ page.hero.text }} {{ page.hero.icon }}</p>{% endif %}\
    {% for item in site.nav %}<p><a href=\"{{ url(path=item.page) }}\">{{ item.text }}</a></p>{% endfor %}\
    {% for person in collections.team %}<p>{{ person.role }}</p>{% endfor %}</main></body></html>\n";

fn project() -> Files {
    let files = [
        ("content/site.yaml", SITE),
        ("content/site.de.yaml", "labels:\n  more: 'Mehr lesen' # as a button\n"),
        ("content/pages/index.md", "---\ntitle: Home\n---\nHello.\n"),
        ("content/pages/about.md", &ABOUT.replace("Bread of {{ site.name }}", "\"Bread of {{ site.name }}\"")),
        (
            "content/pages/about.de.md",
            "---\ntitle: 'Über uns'   # us\n---\nWir backen *Brot* zu [Hause](/nowhere).\n\n## Zeiten\n",
        ),
        ("content/team.yaml", "ada:\n  role: Baker in chief\nbo:\n  role: Helps a lot\n"),
        ("templates/pages/page.html", TEMPLATE),
    ];
    files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).current_dir(root).env("SOURCE_DATE_EPOCH", "1796000000").output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn write(root: &Path, path: &str, text: &str) {
    fs::write(root.join(path), text).unwrap();
}

fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

fn site(name: &str) -> std::path::PathBuf {
    let root = generated::work_folder(name);
    generated::write(&project(), &root);
    // The link that the translation got wrong is for the table; a site that is imported into has no errors.
    root
}

/// Corrects the translation that has a link of its own.
fn correct(root: &Path) {
    let path = "content/pages/about.de.md";
    write(root, path, &read(root, path).replace("/nowhere", "/"));
}

/// Translates every entry of a PO file: each word of a text that is no placeholder or address gets capital letters, so that its
/// structure stays.
fn translated(po: &str, change: &dyn Fn(&str) -> String) -> String {
    let mut file = PoFile::read(po).unwrap();
    for entry in &mut file.entries {
        let (id, plural) = (entry.id.clone(), entry.plural.clone());
        entry.is_fuzzy = false;
        for text in &mut entry.strings {
            *text = change(plural.as_ref().unwrap_or(&id));
        }
    }
    file.write()
}

fn replaced(text: &str) -> String {
    text.replace("bread", "BROT")
        .replace("Read", "LESEN")
        .replace("We ", "We\u{200f} ")
        .replace("Write ", "Write\u{200f} ")
        .replace("us", "UNS")
}

#[test]
fn the_table_names_what_each_language_lacks() {
    let root = site("translations-table");
    let output = run(&root, &["translations", "--format", "json", "--language", "de"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["version"], 1);
    let file = |path: &str| json["files"].as_array().unwrap().iter().find(|row| row["file"] == path).unwrap().clone();
    let about = file("content/pages/about.md");
    assert_eq!(
        (about["state"].as_str(), about["translation"].as_str()),
        (Some("partial"), Some("content/pages/about.de.md"))
    );
    assert_eq!(about["missing"], serde_json::json!(["description", "hero.text"]));
    assert_eq!(about["changed"], Value::Null);
    assert_eq!(
        about["differs"],
        serde_json::json!(["text: the link `/` is missing", "text: the link `/nowhere` is not in the original"])
    );
    assert_eq!(
        file("content/site.yaml")["missing"],
        serde_json::json!(["name", "labels.posts", "nav.0.text", "nav.1.text"])
    );
    assert_eq!(file("content/team.yaml")["state"], "fallback");
    let sum = &json["languages"][0];
    assert_eq!(
        (sum["language"].as_str(), &sum["texts"], &sum["translated"]),
        (Some("de"), &16.into(), &6.into()),
        "{sum}"
    );

    let output = run(&root, &["translations"]);
    let table = said(&output);
    let about = table.lines().find(|line| line.starts_with("content/pages/about.md ")).unwrap();
    assert_eq!(about.split_whitespace().collect::<Vec<_>>(), ["content/pages/about.md", "partial", "fallback"]);
    assert!(table.contains("  lacks: description, hero.text\n"), "{table}");
    assert!(table.contains("de: 6 of 16 texts translated; files: 2 partial, 2 fallback\n"), "{table}");

    for (deny, code) in [("untranslated", 1), ("stale", 0), ("differs", 1)] {
        let output = run(&root, &["translations", "--language", "de", "--deny", deny]);
        assert_eq!(output.status.code(), Some(code), "{deny}: {}", said(&output));
    }
    let output = run(&root, &["translations", "--language", "fr"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("translated into de, pl"), "{}", said(&output));
    write(&root, "content/pages/about.md", "---\ntitle: [\n---\n");
    let output = run(&root, &["translations"]);
    assert!(
        output.status.code() == Some(1) && said(&output).contains("content/pages/about.md cannot be read"),
        "{}",
        said(&output)
    );
}

#[test]
fn confirming_writes_the_version_and_a_change_is_named() {
    let root = site("translations-confirm");
    correct(&root);
    let path = "content/pages/about.de.md";
    let before = read(&root, path);
    let confirm = || {
        let output = run(&root, &["translations", "confirm", path]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        said(&output)
    };
    assert!(!said(&run(&root, &["check"])).contains("stale-translation"), "without a version nothing is stale");
    assert!(confirm().contains("confirmed"));
    let after = read(&root, path);
    let line = after.lines().find(|line| line.starts_with("translates: ")).unwrap();
    assert_eq!(after.replace(&format!("{line}\n"), ""), before, "nothing else changes");
    assert!(confirm().contains("already") && read(&root, path) == after);
    let checked = said(&run(&root, &["check"]));
    assert!(!checked.contains("stale-translation"), "{checked}");

    let original = read(&root, "content/pages/about.md");
    write(&root, "content/pages/about.md", &original.replace("Who we are", "Who we were").replace("Monday", "Friday"));
    let output = run(&root, &["check"]);
    let checked = said(&output);
    assert_eq!(output.status.code(), Some(0), "{checked}");
    let expected = ["stale-translation", "content/pages/about.de.md:3", "`description`, `line 10`"];
    expected.iter().for_each(|part| assert!(checked.contains(part), "{part}: {checked}"));
    let output = run(&root, &["translations", "--language", "de", "--deny", "stale"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("stale: content/pages/about.md has changed: description, line 10"),
        "{}",
        said(&output)
    );
    // The digits of each text may be left out.
    let digits = line.split(['"', ' ']).find_map(|part| part.split_once('-')).map(|(digits, _)| digits).unwrap();
    assert_eq!(digits.len(), 8);
    write(&root, path, &after.replace(line, &format!("translates: \"{digits}\"")));
    assert!(said(&run(&root, &["check"])).contains("stale-translation"));
    assert!(confirm().contains("confirmed") && !said(&run(&root, &["check"])).contains("stale-translation"));

    let output = run(&root, &["translations", "confirm", "content/pages/about.md"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("no translation"), "{}", said(&output));
}

#[test]
fn exported_texts_come_back_and_complete_the_language() {
    let root = site("translations-po");
    correct(&root);
    for tag in ["de", "pl"] {
        let output = run(&root, &["translations", "export", "--language", tag]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let po = String::from_utf8(output.stdout).unwrap();
        is_valid_for_gettext(&root, &po);
        let of_about = po.contains("#: content/pages/about.md:3\nmsgctxt \"content/pages/about.md: description\"\nmsgid \"Who we are.\"\nmsgstr \"\"\n");
        assert!(of_about, "{po}");
        assert_eq!(po.contains("content/pages/about.md: title"), tag == "pl", "only what the language lacks: {po}");
        assert!(
            po.contains("msgid_plural \"{count} posts\"")
                && po.contains(if tag == "pl" { "msgstr[3] \"\"" } else { "msgstr[1] \"\"" })
        );
        let done = translated(&po, &replaced);
        is_valid_for_gettext(&root, &done);
        write(&root, "done.po", &done);
        let output = run(&root, &["translations", "import", "done.po", "--dry-run"]);
        assert!(output.status.code() == Some(0) && said(&output).contains("+description: Who we"), "{}", said(&output));
        let output = run(&root, &["translations", "import", "done.po"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let output = run(&root, &["translations", "--language", tag, "--deny", "untranslated", "--deny", "stale"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let about = read(&root, "content/pages/about.de.md");
    assert!(about.starts_with("---\ntitle: 'Über uns'   # us\n"), "{about}");
    assert!(about.contains("Wir backen *Brot* zu [Hause](/)."), "what was translated stays: {about}");
    let site = read(&root, "content/site.de.yaml");
    assert!(site.starts_with("labels:\n  more: 'Mehr lesen' # as a button\n"), "{site}");
    for part in ["  posts:\n", "    other: \"{count} posts\"", "nav:\n", "text: About UNS", "page: /about"] {
        assert!(site.contains(part), "{part}: {site}");
    }
    let polish = read(&root, "content/pages/about.pl.md");
    let expected = [
        "title: About UNS\n",
        "translates: ",
        "text: Bread of {{ site.name }}\n",
        "We\u{200f} bake *BROT* at [home](/).\n\n## Hours",
        "```\ncode\n```\n\nWrite\u{200f} to UNS.\n",
    ];
    for part in expected {
        assert!(polish.contains(part), "{part}: {polish}");
    }
    assert!(read(&root, "content/team.pl.yaml").starts_with("ada:\n  role: Baker in chief\n"));
    // Everything again, as it is now, changes nothing.
    let all = run(&root, &["translations", "export", "--language", "pl", "--all"]);
    write(&root, "all.po", &String::from_utf8(all.stdout).unwrap());
    let output = run(&root, &["translations", "import", "all.po"]);
    assert!(output.status.code() == Some(0) && said(&output).contains("to 0 files"), "{}", said(&output));
    // A change of the original is exported with the old translation, and once it is translated, the version is the present one.
    let path = "content/pages/about.md";
    write(&root, path, &read(&root, path).replace("Who we are", "Who we all are"));
    let po = String::from_utf8(run(&root, &["translations", "export", "--language", "pl"]).stdout).unwrap();
    assert!(po.contains("#, fuzzy\nmsgctxt \"content/pages/about.md: description\""), "{po}");
    write(&root, "done.po", &translated(&po, &replaced));
    let output = run(&root, &["translations", "import", "done.po"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let checked = said(&run(&root, &["check"]));
    assert!(!checked.contains("content/pages/about.pl.md"), "{checked}");
}

#[test]
fn tables_are_exported_and_imported() {
    let root = site("translations-csv");
    correct(&root);
    let _ = fs::remove_file(root.join("content/team.yaml"));
    let table = "name;role;wage\r\n\"Ada Lo\";\"Baker; in chief\";3\r\nBo;Helps a lot;2\r\n";
    write(&root, "content/team.csv", table);
    let exported = run(&root, &["translations", "export", "--language", "de"]);
    let po = String::from_utf8(exported.stdout).unwrap();
    assert!(po.contains("msgctxt \"content/team.csv: ada-lo: role\""), "{po}");
    is_valid_for_gettext(&root, &po);
    write(&root, "de.po", &translated(&po, &replaced));
    let done = run(&root, &["translations", "import", "de.po"]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let written = read(&root, "content/team.de.csv");
    let lines: Vec<&str> = written.split("\r\n").collect();
    assert_eq!(lines.len(), 4, "{written}");
    assert!(
        lines[0].starts_with("slug;") && lines[1].starts_with("ada-lo;") && lines[2].starts_with("bo;"),
        "{written}"
    );
    assert!(written.contains(&replaced("Helps a lot")), "{written}");
    let lacks = said(&run(&root, &["translations", "--language", "de"]));
    assert!(!lacks.contains("team.de.csv"), "{lacks}");
    let built = run(&root, &["build", "--out", "dist"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
    let page = read(&root, "dist/de/index.html");
    assert!(page.contains(&replaced("Helps a lot")), "{page}");
    // A second import changes one cell and no other byte.
    let mut file = PoFile::read(&run_all(&root)).unwrap();
    let entry = file.entries.iter_mut().find(|entry| entry.id == "Helps a lot").unwrap();
    entry.strings = vec!["Hilft \"viel\"".to_owned()];
    write(&root, "de.po", &file.write());
    let done = run(&root, &["translations", "import", "de.po"]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let changed = written.replace(&replaced("Helps a lot"), "\"Hilft \"\"viel\"\"\"");
    assert_eq!(read(&root, "content/team.de.csv"), changed);
    // Each row says which version it translates.
    write(&root, "content/team.csv", &table.replace("Helps a lot", "Helps a little"));
    let checked = said(&run(&root, &["check"]));
    for part in ["stale-translation", "content/team.de.csv:3", "`bo: role`"] {
        assert!(checked.contains(part), "{part}: {checked}");
    }
    let confirm = || said(&run(&root, &["translations", "confirm", "content/team.de.csv"]));
    assert!(confirm().contains("confirmed"));
    let confirmed = read(&root, "content/team.de.csv");
    let others = |table: &str| table.lines().filter(|line| !line.starts_with("bo;")).collect::<Vec<_>>().join("\n");
    assert_eq!(others(&confirmed), others(&changed), "the row of another entry stays");
    assert!(confirm().contains("already") && !said(&run(&root, &["check"])).contains("stale-translation"));
    // A table without the column gets it.
    write(&root, "content/team.de.csv", "slug;role\r\nbo;Hilft\r\n");
    assert!(confirm().contains("confirmed"));
    let version =
        confirmed.lines().find(|line| line.starts_with("bo;")).and_then(|row| row.rsplit(';').next()).unwrap();
    assert_eq!(read(&root, "content/team.de.csv"), format!("slug;role;translates\r\nbo;Hilft;{version}\r\n"));
}

/// Exports all texts.
fn run_all(root: &Path) -> String {
    String::from_utf8(run(root, &["translations", "export", "--language", "de", "--all"]).stdout).unwrap()
}

fn is_valid_for_gettext(root: &Path, po: &str) {
    let path = root.join("checked.po");
    fs::write(&path, po).unwrap();
    match Command::new("msgfmt").args(["--check", "--output-file=/dev/null"]).arg(&path).output() {
        Ok(output) => assert!(output.status.success() && output.stderr.is_empty(), "{}\n{po}", said(&output)),
        Err(error) => left_out(&format!("msgfmt of gettext: {error}")),
    }
}

#[test]
fn an_import_that_would_break_a_text_changes_nothing() {
    let root = site("translations-refused");
    correct(&root);
    let po = String::from_utf8(run(&root, &["translations", "export", "--language", "pl"]).stdout).unwrap();
    let before = generated::read(&root.join("content"));
    let cases: [(&str, &str, &str); 8] = [
        ("Bread of {{ site.name }}", "Chleb {{ site.nam }}", "the placeholder `{{ site.name }}` is missing"),
        ("We bake *bread* at [home](/).", "Pieczemy [w domu](/dom).", "the link `/` is missing"),
        ("## Hours", "### Godziny", "it is heading 3 and not heading 2"),
        ("- Monday\n- Tuesday", "1. Poniedziałek", ""),
        ("- Monday\n- Tuesday", "Poniedziałek\n\nwtorek", "it is paragraph, paragraph and not list"),
        ("Write to us.", "Pisz {{ site.nothing }}.", "`{{ site.nothing }}` is not in the original"),
        ("Write to us.", "Pisz <iframe src=\"/x\"></iframe>.", "cannot be taken"),
        ("Home", "[Dom](/nie)", "the link `/nie` is not in the original"),
    ];
    for (id, text, reason) in cases {
        let mut file = PoFile::read(&po).unwrap();
        for entry in &mut file.entries {
            let plural = entry.plural.clone();
            let own = if entry.id == id { text.to_owned() } else { plural.unwrap_or_else(|| entry.id.clone()) };
            entry.strings.iter_mut().for_each(|string| string.clone_from(&own));
        }
        let written = file.write();
        write(&root, "bad.po", &written);
        let output = run(&root, &["translations", "import", "bad.po", "--format", "short"]);
        if reason.is_empty() {
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            fs::remove_dir_all(root.join("content")).unwrap();
            generated::write(&before, &root.join("content"));
            continue;
        }
        let at = written.find(&format!("msgid {:?}\n", id)).or_else(|| written.find("\"- Monday\\n\"")).unwrap();
        let line = written[..at].matches('\n').count();
        assert_eq!(output.status.code(), Some(1), "{id}: {}", said(&output));
        assert!(said(&output).contains(reason), "{reason}: {}", said(&output));
        let has_line = (line - 1..=line).any(|line| said(&output).contains(&format!("bad.po:{line}")));
        assert!(has_line, "{line}: {}", said(&output));
        assert_eq!(generated::read(&root.join("content")), before, "{id}");
    }
    for (text, code, part) in [
        ("msgid \"a\nmsgstr \"b\"\n", "po-file", "bad.po:1"),
        ("msgid \"a\"\nmsgstr \"b\"\n", "po-file", "names no language"),
    ] {
        write(&root, "bad.po", text);
        let output = run(&root, &["translations", "import", "bad.po"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains(code) && said(&output).contains(part), "{}", said(&output));
    }
    let gone = "msgctxt \"content/pages/about.md: title\"\nmsgid \"Was here\"\nmsgstr \"Był\"\n";
    write(&root, "old.po", gone);
    let output = run(&root, &["translations", "import", "old.po", "--language", "pl"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("translation-skipped") && said(&output).contains("export it again"),
        "{}",
        said(&output)
    );
    assert_eq!(generated::read(&root.join("content")), before);
}

#[test]
fn the_toolkit_of_translators_reads_and_writes_the_same() {
    if !size::sized(false, true) {
        return;
    }
    const FILL: &str = "import sys\nfrom translate.storage import po\nfrom translate.misc.multistring import multistring\n\
        store = po.pofile.parsefile(sys.argv[1])\n\
        for unit in store.units:\n    if unit.isheader(): continue\n    assert unit.getcontext() and unit.getlocations(), unit\n    \
        n = int(sys.argv[3])\n    \
        unit.target = multistring([str(unit.source.strings[-1])] * n) if unit.hasplural() else str(unit.source)\n\
        store.savefile(sys.argv[2])\n";
    let python = foreign::python();
    let root = site("translations-toolkit");
    correct(&root);
    let po = run(&root, &["translations", "export", "--language", "pl"]);
    fs::write(root.join("pl.po"), &po.stdout).unwrap();
    write(&root, "fill.py", FILL);
    let output = Command::new(python).args(["fill.py", "pl.po", "done.po", "4"]).current_dir(&root).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    is_valid_for_gettext(&root, &read(&root, "done.po"));
    let output = run(&root, &["translations", "import", "done.po"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = run(&root, &["translations", "--language", "pl", "--deny", "untranslated"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

/// Works on content files as Weblate does: see tests/languages/texts.py.
fn weblate(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(foreign::python());
    command.arg(repository().join("tests/languages/texts.py")).args(arguments).current_dir(root);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the published pages, with a space for each space and line end.
fn pages(root: &Path) -> std::collections::BTreeMap<String, String> {
    let pages = generated::read(&root.join("dist")).into_iter().filter(|(path, _)| path.ends_with(".html"));
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    pages.map(|(path, bytes)| (path, words(&bytes))).collect()
}

#[test]
fn translations_that_weblate_has_written_say_the_same() {
    if !size::sized(false, true) {
        return;
    }
    let root = generated::work_folder("translations-museum");
    let mut files = generated::read(&repository().join("examples/museum"));
    files.retain(|path, _| !["dist/", ".sitegen/", "node_modules/"].iter().any(|start| path.starts_with(start)));
    generated::write(&files, &root);
    let built = run(&root, &["build"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
    let before = pages(&root);
    let is_translation = |path: &str| {
        let is_text = path.starts_with("content/") && (path.ends_with(".md") || path.ends_with(".yaml"));
        is_text && [".de.", ".ar."].iter().any(|tag| path.contains(tag))
    };
    let translations: Vec<&str> = files.keys().map(String::as_str).filter(|path| is_translation(path)).collect();
    assert!(translations.len() > 60, "{translations:?}");
    weblate(&root, &[&["rewrite"], &translations[..]].concat());
    // The library writes numbers and `true` as texts. The fields of the form have some, and a build says so.
    let built = run(&root, &["build", "--format", "short"]);
    assert_eq!(built.status.code(), Some(1), "{}", said(&built));
    let all = said(&built);
    let errors: Vec<&str> = all.lines().filter(|line| line.contains("error")).collect();
    let is_known = |line: &&str| line.starts_with("content/forms/tickets.") && line.contains("wrong-type");
    let others: Vec<&&str> = errors.iter().filter(|line| line.contains(": error") && !is_known(line)).collect();
    assert!(others.is_empty() && errors.len() > 10, "{all}");
    let fixed = run(&root, &["fix"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", said(&fixed));
    let built = run(&root, &["build"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
    assert_eq!(pages(&root), before);
}

#[test]
fn weblate_translates_labels_and_texts_as_they_are() {
    if !size::sized(false, true) {
        return;
    }
    let root = site("translations-weblate");
    correct(&root);
    write(&root, "content/site.pl.yaml", "labels:\n  more: \"Wiecej\" # as a button\n");
    let texts = r#"{ "Read more": "Czytaj dalej", "Bakery": "Piekarnia" }"#;
    weblate(&root, &["translate", "content/site.yaml", "content/site.pl.yaml", texts]);
    assert_eq!(
        read(&root, "content/site.pl.yaml"),
        "labels:\n  more: \"Czytaj dalej\" # as a button\nname: Piekarnia\n"
    );
    let texts = r#"{ "About us": "O nas", "Who we are.": "Kim jesteśmy.", "Hours": "Godziny", "Monday": "Poniedziałek",
        "Bread of {{ site.name }}": "Chleb: {{ site.name }}", "We bake *bread* at [home]{1}.": "Pieczemy *chleb* w [domu]{1}.",
        "Write to us.": "Napisz do nas." }"#;
    let units = weblate(&root, &["translate", "content/pages/about.md", "content/pages/about.pl.md", texts]);
    assert!(units.contains("\"Bread of {{ site.name }}\"") && units.contains("\"Tuesday\""), "{units}");
    let output = run(&root, &["build"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = read(&root, "dist/pl/about.html");
    for part in [
        "<h1>O nas</h1>",
        "content=\"Kim jesteśmy.\"",
        "Pieczemy <em>chleb</em> w <a href=\"/pl\">domu</a>.",
        "Chleb: Piekarnia star",
        "Poniedziałek",
        "Czytaj dalej",
        "<code>code",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // A list is replaced as a whole, so that one with texts of some items alone is not what the template needs.
    weblate(&root, &["translate", "content/site.yaml", "content/site.pl.yaml", r#"{ "Home page": "Start" }"#]);
    assert!(read(&root, "content/site.pl.yaml").ends_with("nav:\n- {}\n- text: Start\n"));
    let output = run(&root, &["build"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("page"), "{}", said(&output));
}

/// What the guide says of Crowdin is a configuration that its program takes.
#[test]
fn crowdin_takes_the_configuration_of_the_guide() {
    if !size::sized(false, true) {
        return;
    }
    let guide = read(&repository(), "docs/content/pages/guides/translating.md");
    let config = guide.split("```yaml title=\"crowdin.yml\"\n").nth(1).unwrap().split("```").next().unwrap();
    let root = generated::work_folder("translations-crowdin");
    let program = foreign::packages().join(".bin/crowdin");
    generated::write(&project(), &root);
    let lint = |config: &str| {
        write(&root, "crowdin.yml", config);
        let mut lint = Command::new(&program);
        lint.args(["config", "lint", "--no-progress", "--no-colors"]).current_dir(&root);
        lint.env("CROWDIN_PROJECT_ID", "1").env("CROWDIN_PERSONAL_TOKEN", "0").output().unwrap()
    };
    let output = lint(config);
    assert!(output.status.success() && said(&output).contains("looks good"), "{}", said(&output));
    let wrong = lint(&config.replace("%two_letters_code%", "de"));
    assert!(!wrong.status.success() || !said(&wrong).contains("looks good"), "{}", said(&wrong));
}

#[test]
fn plural_forms_are_those_of_the_browsers() {
    const CHECK: &str = "const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter((line) => line && !line.startsWith('#'));\n\
        let checked = 0;\n\
        for (const line of lines) {\n  const [languages, categories, expression] = line.split('\\t');\n  \
        const names = categories.split(' '), form = new Function('n', `return ${expression}`);\n  \
        for (const language of languages.split(' ')) {\n    if (!Intl.PluralRules.supportedLocalesOf([language]).length) continue;\n    \
        const rules = new Intl.PluralRules(language);\n    \
        const numbers = [...Array(1200).keys(), 10000, 100000, 1000000, 1000001];\n    \
        for (const n of numbers) if (rules.select(n) !== names[Number(form(n))]) throw new Error(`${language} ${n}`);\n    checked += 1;\n  }\n}\n\
        if (checked < 100) throw new Error(`only ${checked}`);\n";
    let table = fs::File::open(repository().join("crates/content/src/plural_forms.tsv")).unwrap();
    let output = Command::new("node").args(["-e", CHECK]).stdin(table).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: size::sized(300, 3_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_po_file_of_any_text_is_read_or_refused(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("msgid \"a\"".to_owned()), Just("msgstr \"b\"".to_owned()), Just("msgstr[0] \"\"".to_owned()),
                Just("msgid_plural \"c\"".to_owned()), Just("msgctxt \"d\"".to_owned()), Just("\"e\\n\"".to_owned()),
                Just("#, fuzzy".to_owned()), Just("#~ msgid".to_owned()), Just(String::new()), "\\PC{0,12}", "\"(\\PC|\\\\.){0,8}\"",
            ],
            0..12,
        )
    ) {
        let text = lines.join("\n");
        match PoFile::read(&text) {
            Ok(file) => {
                let again = PoFile::read(&file.write()).unwrap();
                let texts = |file: &PoFile| {
                    file.entries.iter().map(|entry| (entry.context.clone(), entry.id.clone(), entry.plural.clone())).collect::<Vec<_>>()
                };
                prop_assert_eq!(texts(&again), texts(&file));
            }
            Err(mistake) => prop_assert!(mistake.span.end <= text.len() && text.is_char_boundary(mistake.span.start)),
        }
    }
}
