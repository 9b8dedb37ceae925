//! `sitegen new`: every starter is a project without an error or a warning, and nothing is overwritten.

use crate::support::generated;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const STARTERS: [&str; 5] = ["minimal", "company", "blog", "portfolio", "docs"];

#[test]
fn every_starter_is_a_project_without_errors_and_warnings() {
    let work = generated::work_folder("new");
    for starter in STARTERS {
        let output = run(&work, &["new", starter, "--starter", starter]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        let project = work.join(starter);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.contains("with npm"), project.join("package-lock.json").exists(), "{said}");
        // The first build would install the same packages.
        if project.join("package.json").exists() {
            let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
            std::os::unix::fs::symlink(packages, project.join("node_modules")).unwrap();
        }
        let output = run(&project, &["check", "--deny", "warnings"]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        let output = run(&project, &["build"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{starter}: {}", stderr(&output));
        let home = fs::read_to_string(project.join("dist/index.html")).unwrap();
        assert!(home.contains(&format!("<title>{starter}</title>")), "{home}");
        let unknown = fs::read_to_string(project.join("dist/404.html")).unwrap();
        assert!(unknown.split("<main").nth(1).is_some_and(|main| main.contains("<a href=\"/\">")), "{unknown}");
        // What files are for is said in comments, and only there.
        for (path, bytes) in generated::read(&project.join("dist")) {
            let is_html = path.ends_with(".html");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(!is_html || text.starts_with("<!doctype html>") && !text.contains("{#"), "{path}: {text}");
        }
        // A photograph has its own width in the HTML, and is wider than a phone.
        let style = home.split("<style>").nth(1).unwrap_or_default().replace(char::is_whitespace, "");
        assert!(style.contains("img{max-width:100%"), "{starter}: {style}");
        // The home page has no island. A documentation has a search and copies code.
        let scripts: Vec<&str> = home.split("<script").skip(1).collect();
        let is_search = |script: &&str| script.starts_with(" type=\"module\" src=\"/assets/search-");
        let is_copy = |script: &&str| script.starts_with('>') && script.contains("clipboard");
        let count = |of: &dyn Fn(&&str) -> bool| scripts.iter().copied().filter(|script| of(script)).count();
        let of_docs = usize::from(starter == "docs");
        assert_eq!((count(&is_search), count(&is_copy)), (of_docs, of_docs), "{starter}");
        assert_eq!(scripts.len(), 2 * of_docs, "{starter}: {scripts:?}");
        assert_eq!(project.join("dist/search-en.bin").exists(), starter == "docs", "{starter}");
        let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/starters").join(starter);
        for (path, bytes) in generated::read(&starter) {
            let is_same = fs::read(project.join(&path)).is_ok_and(|written| written == bytes);
            assert!(is_same || path == "content/site.yaml", "{path}");
        }
    }
}

#[test]
fn every_starter_can_have_several_languages() {
    let work = generated::work_folder("new-languages");
    for starter in STARTERS {
        let output = run(&work, &["new", starter, "--starter", starter, "--languages", "en,de,ar"]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        assert!(stdout(&output).contains("index.de.md"), "{}", stdout(&output));
        let project = work.join(starter);
        if project.join("package.json").exists() {
            let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
            std::os::unix::fs::symlink(packages, project.join("node_modules")).unwrap();
        }
        // Nothing is wrong but that the texts have no translations yet.
        let output = run(&project, &["build", "--format", "json"]);
        let codes: Vec<String> = stdout(&output)
            .lines()
            .filter_map(|line| {
                serde_json::from_str::<serde_json::Value>(line).ok()?["code"].as_str().map(str::to_owned)
            })
            .collect();
        assert!(output.status.success(), "{starter}: {}{}", stdout(&output), stderr(&output));
        assert!(codes.iter().all(|code| code == "untranslated"), "{starter}: {}", stdout(&output));
        let home = fs::read_to_string(project.join("content/pages/index.md")).unwrap();
        let title = home.lines().find(|line| line.starts_with("title:")).unwrap();
        fs::write(project.join("content/pages/index.de.md"), home.replace(title, "title: Willkommen")).unwrap();
        // A translated page lists entries that are not, and a translated entry has neighbours that are not.
        for entry in walkdir::WalkDir::new(project.join("content")).into_iter().filter_map(Result::ok) {
            let path = entry.path().to_string_lossy().into_owned();
            let is_translated = path.contains("/pages/")
                && !["[", "/guides/", "pages/index.", ".de."].iter().any(|part| path.contains(part))
                || path.ends_with("/posts/feeds.md")
                || path.ends_with("/series/first-light.md");
            if is_translated && path.ends_with(".md") {
                let path = path.replace(".md", ".de.md");
                fs::write(path, "---\ntitle: Alles\n---\nEin *Text*.\n").unwrap();
            }
        }
        let output = run(&project, &["build"]);
        assert!(
            output.status.success() && !stderr(&output).contains("unmarked-entry"),
            "{starter}: {}",
            stderr(&output)
        );
        let page = |name: &str| fs::read_to_string(project.join("dist").join(name)).unwrap();
        let (english, german, arabic) = (page("index.html"), page("de/index.html"), page("ar/index.html"));
        assert!(english.contains("<html lang=\"en\" dir=\"ltr\">"), "{english}");
        assert!(
            english.contains("<link rel=\"alternate\" hreflang=\"de\" href=\"https://www.example.com/de\">"),
            "{english}"
        );
        assert!(german.contains("<h1>Willkommen</h1>") && german.contains("hreflang=\"ar\""), "{german}");
        assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\">"), "{arabic}");
        assert!(arabic.contains("<main") && arabic.contains(" lang=\"en\" dir=\"ltr\">"), "{arabic}");
        if starter != "minimal" {
            assert!(german.contains("Zum Text springen") && arabic.contains("انتقل إلى النص"), "{german}");
        }
    }
}

/// As editors on Windows write it at the beginning of a file.
#[test]
fn a_byte_order_mark_in_every_file_changes_nothing() {
    let work = generated::work_folder("new-marks");
    for starter in ["company", "blog", "portfolio", "docs"] {
        assert!(run(&work, &["new", starter, "--starter", starter]).status.success());
        let project = work.join(starter);
        if starter == "company" {
            add_packages(&project);
        }
        let site = |project: &Path| {
            let output = run(project, &["build", "--now", "2026-12-01"]);
            assert!(output.status.success() && output.stderr.is_empty(), "{starter}: {}", stderr(&output));
            generated::read(&project.join("dist"))
        };
        let expected = site(&project);
        let mut marked = 0;
        for folder in ["content", "templates", "islands", "package.json"] {
            for entry in walkdir::WalkDir::new(project.join(folder)).into_iter().filter_map(Result::ok) {
                // An SVG may have one (XML 1.0, 4.3.3), and is published as it is.
                let is_svg = entry.path().extension().is_some_and(|extension| extension == "svg");
                let text = fs::read_to_string(entry.path()).ok().filter(|_| !is_svg);
                if let Some(text) = text {
                    fs::write(entry.path(), format!("\u{feff}{text}")).unwrap();
                    marked += 1;
                }
            }
        }
        assert!(marked >= 10, "{marked}");
        assert_eq!(generated::difference(&expected, &site(&project)), None, "{starter}");
    }
}

#[test]
fn a_new_page_of_every_starter_is_valid_without_its_line_draft() {
    let work = generated::work_folder("new-pages");
    for starter in STARTERS {
        assert!(run(&work, &["new", starter, "--starter", starter]).status.success());
        let project = work.join(starter);
        if starter == "company" {
            add_packages(&project);
        }
        let output = run(&project, &["new", "page", "guides/faq"]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        let path = project.join("content/pages/guides/faq.md");
        // Its texts are still to be written, which a draft may be.
        let output = run(&project, &["check", "--deny", "warnings"]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        let output = run(&project, &["check", "--drafts"]);
        assert!(output.status.success(), "{starter}: {}", stderr(&output));
        assert!(stderr(&output).contains("warning[placeholder]"), "{starter}: {}", stderr(&output));
        let text = fs::read_to_string(&path).unwrap().replace("To be written", "Answers to what many ask");
        let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("draft: true")).collect();
        assert!(kept.len() + 1 == text.lines().count() && !kept.iter().any(|line| line.contains("draft")), "{text}");
        for (options, text) in [(&["--drafts"][..], text.clone()), (&[], kept.join("\n"))] {
            fs::write(&path, text).unwrap();
            let output = run(&project, &[&["check", "--deny", "warnings"], options].concat());
            assert!(output.status.success(), "{starter} {options:?}: {}", stderr(&output));
        }
    }
    let output = run(&work.join("docs"), &["build"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = |path: &str| fs::read_to_string(work.join("docs/dist").join(path)).unwrap();
    let place = |html: &str, address: &str| html.find(&format!("<li><a href=\"{address}\"")).unwrap();
    let html = page("guides/faq/index.html");
    assert!(place(&html, "/guides/use") < place(&html, "/guides/faq"), "a new page is the last: {html}");
    // Code has colours and a button.
    let html = page("guides/install/index.html");
    assert!(html.contains(".hl-function{") && html.contains("className: \"copy\""), "{html}");
    assert!(html.contains("@media print"), "{html}");
}

#[test]
fn what_is_said_of_a_project_is_in_its_site_file() {
    let work = generated::work_folder("new-answers");
    for name in ["The Bakery", "A \"quoted\" name: with # signs", "yes", "1.10", "Bäckerei 'Süd' \\ Nord"] {
        let _ = fs::remove_dir_all(work.join("site"));
        let address = ["--url", "https://www.bakery.test", "--language", "de-AT"];
        let output = run(&work, &[&["new", "site", "--name", name][..], &address].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let output = run(&work, &["build", "--deny", "warnings", "--root", "site"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let home = fs::read_to_string(work.join("site/dist/index.html")).unwrap();
        let escaped = name.replace('"', "&quot;").replace('\'', "&#39;");
        assert!(home.contains(&format!("<title>{escaped}</title>")), "{home}");
        assert!(home.contains("<html lang=\"de-AT\">") && home.contains("https://www.bakery.test"), "{home}");
    }
}

#[test]
fn nothing_is_overwritten() {
    let work = generated::work_folder("new-again");
    fs::create_dir_all(work.join("full/.git")).unwrap();
    fs::write(work.join("full/notes.txt"), "mine").unwrap();
    fs::write(work.join("file"), "mine").unwrap();
    let before = generated::read(&work);
    for folder in ["full", "file", "."] {
        let output = run(&work, &["new", folder]);
        assert_eq!(output.status.code(), Some(2), "{folder}: {}", stderr(&output));
        assert!(stderr(&output).contains("nothing in it is overwritten"), "{}", stderr(&output));
    }
    for (option, wrong, reason) in [
        ("--url", "www.bakery.test", "write it like `https://www.example.com`"),
        ("--url", "https://", "write it like `https://www.example.com`"),
        ("--url", "https://x.test?x=1", "is not a valid base URL"),
        ("--url", "https://u:p@x.test", "is not a valid base URL"),
        ("--url", "https://x.test:99999", "write it like `https://www.example.com`"),
        ("--language", "english", "write it like `en` or `de-AT`"),
        ("--language", "x", "write it like `en` or `de-AT`"),
        ("--name", "", "the key `name` is empty"),
        ("--name", " ", "the key `name` is empty"),
        ("--name", "{{ site.x }}", "refers to `x`, which does not exist"),
    ] {
        let output = run(&work, &["new", "fresh", option, wrong]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{option} {wrong:?}: {said}");
        assert!(said.starts_with(&format!("{option}: ")) && said.contains(reason), "{option} {wrong:?}: {said}");
    }
    assert_eq!(generated::read(&work), before);
    // A repository that has nothing but what `git init` made.
    fs::create_dir_all(work.join("repository/.git")).unwrap();
    assert!(run(&work, &["new", "repository"]).status.success());
    assert!(run(&work.join("repository"), &["check", "--deny", "warnings"]).status.success());
}

#[test]
fn packages_of_the_starter_are_those_that_are_tested() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = |path: &str| -> BTreeMap<String, serde_json::Value> {
        let text = fs::read_to_string(repository.join(path)).unwrap();
        let all: serde_json::Value = serde_json::from_str(&text).unwrap();
        let groups = ["dependencies", "devDependencies"].into_iter().filter_map(|group| all[group].as_object());
        groups.flat_map(|group| group.clone()).collect()
    };
    let (own, tested) = (packages("examples/starters/company/package.json"), packages("package.json"));
    assert!(own.len() > 3);
    for (name, version) in own {
        assert_eq!(tested.get(&name), Some(&version), "{name}");
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn add_packages(project: &Path) {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    std::os::unix::fs::symlink(packages, project.join("node_modules")).unwrap();
}

#[test]
fn new_files_pass_the_check_and_can_be_used() {
    let work = generated::work_folder("new-files");
    assert!(run(&work, &["new", "site", "--starter", "company"]).status.success());
    let site = work.join("site");
    add_packages(&site);
    for (arguments, path) in [
        (["entry", "news/second-well"], "content/news/second-well.md"),
        (["page", "about/team"], "content/pages/about/team.md"),
        (["island", "Newsletter"], "islands/Newsletter.tsx"),
        (["island", "Menu.ts"], "islands/Menu.ts"),
        (["component", "price-list"], "templates/components/price-list.html"),
    ] {
        let output = run(&site, &[&["new"], &arguments[..]].concat());
        let said = stdout(&output);
        assert!(output.status.success() && said.starts_with(&format!("wrote {path}\n")), "{said}{}", stderr(&output));
        assert!(!said.contains("npm"), "the packages are there: {said}");
        for options in [&[][..], &["--drafts"]] {
            let output = run(&site, &[&["check"], options].concat());
            assert!(output.status.success(), "{arguments:?} {options:?}: {}", stderr(&output));
        }
    }
    let entry = fs::read_to_string(site.join("content/news/second-well.md")).unwrap();
    let start = "---\n# yaml-language-server: $schema=../schemas/news.schema.json\n# The heading of the post.\ntitle: Second \
                 well\n# A sentence for lists and search engines.\nsummary: To be written\n# The day of the post, like \
                 2026-01-12.\ndate: 20";
    assert!(entry.starts_with(start) && entry.contains("\ndraft: true # A draft is left out"), "{entry}");
    let output = run(&site, &["check", "--drafts", "--deny", "warnings"]);
    assert!(stderr(&output).contains("`To be written` is a placeholder"), "{}", stderr(&output));
    // What the program says to do next: without the drafts' lines, with texts, and with the calls.
    for path in ["content/news/second-well.md", "content/pages/about/team.md"] {
        let text = fs::read_to_string(site.join(path)).unwrap();
        let kept = text.lines().filter(|line| !line.starts_with("draft: true"));
        let text = kept.collect::<Vec<_>>().join("\n").replace("To be written", "Who we are and what we do");
        fs::write(site.join(path), text).unwrap();
    }
    let mut about = fs::read_to_string(site.join("content/pages/about.md")).unwrap();
    about.push_str("\n{{ <price_list title=\"Prices\" /> }}\n\n[The team](/about/team)\n");
    fs::write(site.join("content/pages/about.md"), about).unwrap();
    let contact = site.join("templates/pages/contact.html");
    let calls = "{{ page.content }}{{ island(component=\"Newsletter\", props={\"label\": \"Show\"}) }}\
                 {{ island(component=\"Menu\", props={\"label\": \"Open\"}) }}";
    fs::write(&contact, fs::read_to_string(&contact).unwrap().replacen("{{ page.content }}", calls, 1)).unwrap();
    let output = run(&site, &["build", "--deny", "warnings"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = |path: &str| fs::read_to_string(site.join("dist").join(path)).unwrap();
    assert!(page("news/second-well/index.html").contains("<h1>Second well</h1>"));
    assert!(page("about/team/index.html").contains("<h1>Team</h1>"));
    assert!(page("about/index.html").contains("<p>Prices</p>"));
    assert!(page("contact/index.html").contains("aria-pressed=\"false\">Show</button>"));
    // The schemas beside the islands know their props.
    for name in ["Newsletter", "Menu"] {
        assert!(site.join(format!("islands/{name}.schema.json")).is_file());
    }
    let text = fs::read_to_string(&contact).unwrap();
    fs::write(&contact, text.replace("\"label\": \"Open\"", "\"lable\": \"Open\"")).unwrap();
    let output = run(&site, &["check"]);
    assert!(!output.status.success() && stderr(&output).contains("error[island-props]"), "{}", stderr(&output));
}

#[test]
fn every_collection_and_template_of_the_examples_gets_a_valid_draft() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, from) in [("own", repository.to_path_buf()), ("brewery", repository.join("examples/brewery"))] {
        let site = generated::work_folder(&format!("new-in-{name}"));
        for folder in ["content", "templates", "islands"] {
            for (path, bytes) in generated::read(&from.join(folder)) {
                let path = site.join(folder).join(&path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        add_packages(&site);
        let names = |folder: &str| -> Vec<String> {
            let entries = fs::read_dir(site.join(folder)).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        let reserved = ["pages", "assets", "schemas", "public", "site.yaml"];
        let collections: Vec<String> =
            names("content").into_iter().filter(|name| !reserved.contains(&name.as_str())).collect();
        assert!(collections.len() > 3, "{collections:?}");
        for collection in collections {
            let output = run(&site, &["new", "entry", &format!("{collection}/a-new-one")]);
            assert!(output.status.success(), "{}", stderr(&output));
            assert!(!stdout(&output).contains("valid value"), "{collection}: {}", stdout(&output));
        }
        let output = run(&site, &["check", "--now", "2026-12-01", "--drafts"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        // Templates of pages that are written by hand, and not made from entries.
        for template in names("templates/pages") {
            let text = fs::read_to_string(site.join("templates/pages").join(&template)).unwrap();
            if ["entry", "list", "term"].iter().any(|made| text.contains(&format!("{made}."))) {
                continue;
            }
            let path = format!("new-{}", template.trim_end_matches(".html"));
            let output = run(&site, &["new", "page", &path, "--template", &format!("pages/{template}")]);
            assert!(output.status.success(), "{}", stderr(&output));
            assert!(!stdout(&output).contains("valid value"), "{template}: {}", stdout(&output));
        }
        // Only a schema says what a template needs.
        let options = if site.join("content/schemas/pages").exists() { &["--drafts"][..] } else { &[] };
        let output = run(&site, &[&["check", "--now", "2026-12-01"], options].concat());
        assert!(output.status.success(), "{name} {options:?}: {}", stderr(&output));
    }
}

#[test]
fn missing_packages_are_named_with_their_versions() {
    // The folders above those of other tests have packages.
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path();
    assert!(run(work, &["new", "site"]).status.success());
    let site = work.join("site");
    let packages: serde_json::Value = {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("package.json");
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    let named = |names: &[&str]| {
        let version =
            |name: &str| ["dependencies", "devDependencies"].iter().find_map(|group| packages[group][name].as_str());
        names.iter().map(|name| format!("{name}@{}", version(name).unwrap())).collect::<Vec<_>>().join(" ")
    };
    let said = stdout(&run(&site, &["new", "island", "Menu.ts"]));
    assert!(said.contains("wrote tsconfig.json\n"), "{said}");
    assert!(said.contains(&format!("  npm install --save-exact {}\n", named(&["esbuild"]))), "{said}");
    let said = stdout(&run(work, &["new", "island", "Newsletter", "--root", "site"]));
    let command = format!("  cd site && npm install --save-exact {}\n", named(&["esbuild", "react", "react-dom"]));
    assert!(said.contains(&command) && !said.contains("wrote tsconfig.json"), "{said}");
    // A build names the same versions, once for both kinds of islands.
    let said = stderr(&run(&site, &["check"])).replace("\n  ", " ");
    let command = format!("`npm install --save-exact {}`", named(&["esbuild", "react", "react-dom"]));
    assert_eq!(said.matches(&command).count(), 1, "{said}");
    // Packages that are only not installed.
    fs::write(site.join("package.json"), r#"{ "dependencies": { "esbuild": "1", "react": "1", "react-dom": "1" } }"#)
        .unwrap();
    let said = stdout(&run(&site, &["new", "island", "Third"]));
    assert!(said.contains("package.json first: npm install\n") && !said.contains('@'), "{said}");
}

#[test]
fn new_files_overwrite_nothing_and_wrong_names_get_a_better_one() {
    let work = generated::work_folder("new-files-again");
    assert!(run(&work, &["new", "site", "--starter", "company"]).status.success());
    let site = work.join("site");
    let before = generated::read(&work);
    for (arguments, message) in [
        (["entry", "news/opening"], "content/news/opening.md already exists"),
        (["entry", "news/Opening.yaml"], "write it like `news/opening`"),
        (["entry", "nwes/first"], "did you mean `news/first`?"),
        (["entry", "news/My Title!"], "write it like `news/my-title`"),
        (["entry", "news/2026/first"], "write it like `news/2026-first`"),
        (["entry", "first"], "which collection"),
        (["entry", "pages/first"], "`sitegen new page first`"),
        (["entry", "../site/first"], "there is no collection `..`"),
        (["page", "about"], "content/pages/about.md already exists"),
        (["page", "about/index.yaml"], "content/pages/about.md already exists"),
        (["page", "news"], "content/pages/news/index.yaml already exists"),
        (["page", "../outside"], "write it like `outside`"),
        (["page", "team.html"], "write it like `team`"),
        (["page", "news/[tag]"], "has a variable"),
        (["island", "ContactForm.ts"], "islands/ContactForm.tsx already exists"),
        (["island", "news-letter"], "write it like `NewsLetter`"),
        (["component", "posts"], "templates/components/posts.html already exists"),
        (["component", "Card List"], "write it like `card-list`"),
    ] {
        let output = run(&site, &[&["new"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    let output = run(&site, &["new", "page", "imprint", "--template", "pages/psot.html"]);
    assert!(stderr(&output).contains("did you mean `--template pages/post.html`?"), "{}", stderr(&output));
    let output = run(&site, &["verify"]);
    assert!(stderr(&output).replace("\n  ", " ").contains("run `sitegen build` first"), "{}", stderr(&output));
    for command in [&["build"][..], &["check"], &["serve"], &["types"], &["new", "page", "imprint"]] {
        let output = run(&work, command);
        let said = stderr(&output).replace("\n  ", " ");
        assert!(output.status.code() == Some(3) && said.contains("`sitegen new FOLDER`"), "{command:?}: {said}");
    }
    assert!(stdout(&run(&work, &["doctor"])).contains("`sitegen new FOLDER`"));
    let output = run(&work, &["new", "page", "imprint"]);
    assert!(stderr(&output).contains("failed[no-project]"), "{}", stderr(&output));
    assert_eq!(run(&work, &["new", "page"]).status.code(), Some(2));
    assert_eq!(generated::read(&work), before);
    // A folder of that name.
    assert!(run(&work, &["new", "./page"]).status.success() && work.join("page/content/site.yaml").is_file());
}

#[test]
fn types_of_islands_are_what_their_schemas_say() {
    let work = generated::work_folder("new-types");
    assert!(run(&work, &["new", "site", "--starter", "company"]).status.success());
    let site = work.join("site");
    add_packages(&site);
    let schema = r##"{ "type": "object", "additionalProperties": false, "required": ["label", "sizes"], "properties": {
        "label": { "type": "string", "description": "The text." }, "sizes": { "type": "array", "items": { "type": "integer" } },
        "kind": { "enum": ["small", "large"] }, "at": { "$ref": "#/$defs/at" } },
        "$defs": { "at": { "type": ["object", "null"], "properties": { "x": { "type": "number" } } } } }"##;
    let island = r#"import type { Props } from "./Counter.props";
import { Slot } from "./runtime/slot";

export default function Counter({ label, sizes, kind = "small", at }: Props) {
  return <p title={kind}>{label.trim()}{sizes.map((size) => size.toFixed())}{at?.x?.toFixed()}<Slot name="first" /></p>;
}
"#;
    fs::write(site.join("islands/Counter.schema.json"), schema).unwrap();
    fs::write(site.join("islands/Counter.tsx"), island).unwrap();
    fs::write(site.join("islands/Deliver.ts"), "export { mount } from \"./runtime/deliver\";\n").unwrap();
    let check = || {
        let tsc = site.join("node_modules/.bin/tsc");
        let output = Command::new(tsc).args(["--noEmit", "-p", "."]).current_dir(&site).output().unwrap();
        (output.status.success(), stdout(&output))
    };
    assert!(!check().0, "there are no types yet");
    let output = run(&site, &["types"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(check(), (true, String::new()));
    fs::write(site.join("islands/Counter.tsx"), island.replace("label.trim()", "label.toFixed()")).unwrap();
    let (is_valid, said) = check();
    assert!(!is_valid && said.contains("islands/Counter.tsx") && said.contains("toFixed"), "{said}");
    fs::write(site.join("islands/Counter.tsx"), island).unwrap();
    // A collection's schema is the type of its entries, and the starter has one for news.
    let post = r#"import type { Entry, News } from "./content";

export default function Counter({ post, other }: { post: News; other?: Entry }) {
  return <p>{post.title.trim()} {post.slug} {post.featured ? post.date : other?.url?.trim()}</p>;
}
"#;
    fs::write(site.join("islands/Counter.tsx"), post).unwrap();
    assert_eq!(check(), (true, String::new()));
    fs::write(site.join("islands/Counter.tsx"), post.replace("post.title.trim()", "post.title.toFixed()")).unwrap();
    let (is_valid, said) = check();
    assert!(!is_valid && said.contains("toFixed"), "{said}");
    fs::write(site.join("islands/Counter.tsx"), island).unwrap();
    // A build does not care.
    let output = run(&site, &["check"]);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::remove_file(site.join("islands/Counter.schema.json")).unwrap();
    assert!(run(&site, &["types"]).status.success());
    assert!(!check().0, "types of a schema that is gone are gone");
}
