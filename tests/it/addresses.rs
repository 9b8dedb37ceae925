//! Addresses that were published before and are gone are mistakes, unless `site.yaml` says what became of them.

use crate::support::generated;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SITE: &str = "url: https://www.brewery.test\nlanguage: en\nname: Brewery\nsettings:\n  routes: directory\n";

/// Runs the program in a project, and returns its exit code and what it prints to standard error.
fn run(root: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).args(["--now", "2026-12-01", "--root"]).arg(root);
    let output = command.env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn project(name: &str) -> std::path::PathBuf {
    let root = generated::work_folder(name);
    let page = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title \
                }}</title></head>\n<body><h1>{{ page.title }}</h1></body>\n</html>\n";
    for (path, text) in [
        ("content/site.yaml", SITE),
        ("content/pages/index.yaml", "title: Home\n"),
        ("content/pages/prices.yaml", "title: Prices\n"),
        ("content/pages/news/[slug].yaml", "title: \"{{ entry.title }}\"\nfor_each: news\n"),
        ("content/news/opening.yaml", "title: Opening\n"),
        ("content/news/festival.yaml", "title: Festival\n"),
        ("templates/pages/page.html", page),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn a_published_address_that_is_gone_is_an_error_until_it_is_named() {
    let root = project("addresses");
    assert_eq!(run(&root, &["build"]).0, Some(0));
    let manifest = root.join("published.json");
    fs::copy(root.join("dist/manifest.json"), &manifest).unwrap();
    let before = generated::read(&root.join("dist"));

    // A page that is renamed, and an entry that is removed.
    fs::create_dir(root.join("content/pages/beer")).unwrap();
    fs::rename(root.join("content/pages/prices.yaml"), root.join("content/pages/beer/prices.yaml")).unwrap();
    fs::remove_file(root.join("content/news/festival.yaml")).unwrap();
    for command in ["build", "check"] {
        let (code, said) = run(&root, &[command]);
        assert_eq!(code, Some(1), "{said}");
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("error[gone-address]: `/prices` was published before"), "{said}");
        assert!(flat.contains("add `- { from: /prices, to: /beer/prices }` to `redirects`, or `- /prices` to `gone`"));
        assert!(flat.contains("error[gone-address]: `/news/festival` was published before"), "{said}");
        assert_eq!(generated::read(&root.join("dist")), before);
    }

    // In CI the last output is not there, but its manifest may be.
    let elsewhere = root.join("elsewhere");
    let out = ["--out", elsewhere.to_str().unwrap()];
    assert_eq!(run(&root, &["build", out[0], out[1]]).0, Some(0));
    let against = ["--against", manifest.to_str().unwrap()];
    assert_eq!(run(&root, &["check", against[0], against[1]]).0, Some(1));
    assert_eq!(run(&root, &["check", "--against", "none"]).0, Some(0));
    assert_eq!(run(&root, &["check", "--against", "content/site.yaml"]).0, Some(3));

    let named = "redirects:\n  - { from: /prices, to: /beer/prices }\ngone:\n  - /news/festival/\n";
    fs::write(root.join("content/site.yaml"), format!("{SITE}{named}")).unwrap();
    let (code, said) = run(&root, &["build"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_heading_that_was_published_and_is_gone_is_a_warning_once() {
    let root = project("addresses-sections");
    let template = root.join("templates/pages/page.html");
    let text = fs::read_to_string(&template).unwrap();
    fs::write(&template, text.replace("</h1>", "</h1>{{ page.content | default(value=\"\") }}")).unwrap();
    let page = root.join("content/pages/visit.md");
    fs::write(&page, "---\ntitle: Visit\n---\n\n## Opening hours\n\n## The way\n").unwrap();
    assert_eq!(run(&root, &["build"]).0, Some(0));
    let published = root.join("published");
    fs::rename(root.join("dist"), &published).unwrap();

    fs::write(&page, "---\ntitle: Visit\n---\n\n## Opening hour\n\n## How to get here {#the-way}\n").unwrap();
    let against = published.join("manifest.json");
    for _ in 0..2 {
        let (code, said) = run(&root, &["build", "--against", against.to_str().unwrap()]);
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, Some(0), "{said}");
        let message = "warning[gone-section]: `/visit` has lost the heading `#opening-hours` since it was published";
        assert!(flat.contains(message) && flat.contains("{#opening-hours}"), "{said}");
        assert!(flat.contains("content/pages/visit.md"), "{said}");
        fs::remove_dir_all(root.join(".sitegen")).unwrap();
    }
    // A site may forbid it, or allow it.
    for (level, expected) in [("error", Some(1)), ("off", Some(0))] {
        fs::write(root.join("content/site.yaml"), format!("{SITE}  checks: {{ gone-section: {level} }}\n")).unwrap();
        let (code, said) = run(&root, &["check", "--against", against.to_str().unwrap()]);
        assert_eq!((code, said.contains("error[gone-section]")), (expected, level == "error"), "{said}");
        assert!(!said.contains("warning[gone-section]"), "{said}");
    }
    fs::write(root.join("content/site.yaml"), SITE).unwrap();
    let (code, said) = run(&root, &["build"]);
    assert!(code == Some(0) && !said.contains("gone-section"), "{said}");
}

#[test]
fn an_entry_that_moves_keeps_its_name_in_feeds() {
    let root = project("addresses-feeds");
    let list = "title: News\nlist: { collection: news, sort: -date }\nfeed: true\n";
    fs::write(root.join("content/pages/news/index.yaml"), list).unwrap();
    for name in ["opening", "festival"] {
        let entry = format!("title: {name}\ndate: 2026-05-04\n");
        fs::write(root.join(format!("content/news/{name}.yaml")), entry).unwrap();
    }
    assert_eq!(run(&root, &["build"]).0, Some(0));
    fs::rename(root.join("content/news/opening.yaml"), root.join("content/news/grand-opening.yaml")).unwrap();
    let redirect = "redirects:\n  - { from: /news/opening, to: /news/grand-opening }\n";
    fs::write(root.join("content/site.yaml"), format!("{SITE}{redirect}")).unwrap();
    let (code, said) = run(&root, &["check"]);
    assert_eq!(code, Some(0), "{said}");
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("warning[feed]: the page of this entry moved"), "{said}");
    assert!(flat.contains("set `feed_id: https://www.brewery.test/news/opening` to prevent that"), "{said}");
    assert!(flat.contains("content/news/grand-opening.yaml"), "{said}");

    let named = "title: Opening\ndate: 2026-05-04\nfeed_id: https://www.brewery.test/news/opening\n";
    fs::write(root.join("content/news/grand-opening.yaml"), named).unwrap();
    let (code, said) = run(&root, &["build"]);
    assert!(code == Some(0) && !said.contains("the page of this entry moved"), "{said}");
    let feed = fs::read_to_string(root.join("dist/news/feed.xml")).unwrap();
    assert!(feed.contains("<id>https://www.brewery.test/news/opening</id>"), "{feed}");
    assert!(feed.contains("https://www.brewery.test/news/grand-opening"), "{feed}");
}

#[test]
fn a_page_that_is_left_out_today_is_not_gone() {
    let root = project("addresses-left-out");
    assert_eq!(run(&root, &["build"]).0, Some(0));
    fs::write(root.join("content/news/opening.yaml"), "title: Opening\nexpires: 2026-11-30\n").unwrap();
    fs::write(root.join("content/pages/prices.yaml"), "title: Prices\ndraft: true\n").unwrap();
    let (code, said) = run(&root, &["build"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!root.join("dist/news/opening/index.html").exists());
}

#[test]
fn the_next_day_takes_nothing_but_what_is_left_out() {
    let root = project("addresses-next-day");
    for (path, text) in [
        ("content/pages/news/index.yaml", "title: News\nlist: { collection: news, sort: -date, per_page: 2 }\n"),
        (
            "content/pages/news/tags/[tag].yaml",
            "title: \"{{ term.name }}\"\nfor_each: news.tags\nlist: { per_page: 1 }\n",
        ),
        ("content/pages/about/mill.yaml", "title: The mill\n"),
        ("content/news/opening.yaml", "title: Opening\ndate: 2026-05-04\ntags: [beer]\n"),
        ("content/news/festival.yaml", "title: Festival\ndate: 2026-05-05\ntags: [beer]\n"),
        ("content/news/mill.yaml", "title: Mill\ndate: 2026-05-06\ntags: [mill, beer]\nexpires: 2026-12-01\n"),
    ] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    assert_eq!(run(&root, &["build"]).0, Some(0));
    let manifest = root.join("published.json");
    fs::copy(root.join("dist/manifest.json"), &manifest).unwrap();
    let against = ["check", "--against", manifest.to_str().unwrap()];
    for gone in ["news/page/2", "news/tags/mill", "news/tags/beer/page/3"] {
        assert!(root.join("dist").join(gone).join("index.html").exists(), "{gone}");
    }
    let on = |day: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.args(against).args(["--now", day, "--root"]).arg(&root).env("NO_COLOR", "1").stdin(Stdio::null());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = on("2026-12-02");
    assert!(code == Some(0) && !said.contains("gone"), "{said}");
    let entry = root.join("content/news/mill.yaml");
    fs::write(&entry, "title: Mill\ndate: 2026-05-06\ntags: [mill, beer]\ndraft: true\n").unwrap();
    let (code, said) = on("2026-12-01");
    assert!(code == Some(0) && !said.contains("gone"), "{said}");

    // Whoever deletes the entry or takes away the list has to say what became of them.
    fs::remove_file(&entry).unwrap();
    let list = root.join("content/pages/news/index.yaml");
    fs::write(&list, "title: News\n").unwrap();
    let (code, said) = on("2026-12-01");
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, Some(1), "{said}");
    for redirect in ["{ from: /news/page/2, to: /news }", "{ from: /news/tags/mill, to: /news }"] {
        assert!(flat.contains(redirect), "{said}");
    }
    assert_eq!(flat.matches("error[gone-address]").count(), 3, "with `/news/mill`: {said}");
}

#[test]
fn feeds_and_files_of_pages_that_are_gone_are_reported() {
    let root = project("addresses-files");
    let list = root.join("content/pages/news/index.yaml");
    fs::write(&list, "title: News\nlist: { collection: news, sort: -date }\nfeed: true\n").unwrap();
    for name in ["opening", "festival"] {
        let entry = format!("title: {name}\ndate: 2026-05-04\n");
        fs::write(root.join(format!("content/news/{name}.yaml")), entry).unwrap();
    }
    fs::write(root.join("content/pages/s.json.yaml"), "template: pages/s.json\n").unwrap();
    fs::write(root.join("templates/pages/s.json"), "{}\n").unwrap();
    let (code, said) = run(&root, &["build", "--target", "vercel"]);
    assert_eq!(code, Some(0), "{said}");

    fs::write(&list, "title: News\nlist: { collection: news, sort: -date }\n").unwrap();
    fs::remove_file(root.join("content/pages/s.json.yaml")).unwrap();
    let (code, said) = run(&root, &["build", "--target", "nginx"]);
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, Some(1), "{said}");
    for address in ["/news/feed.xml", "/news/feed.json", "/s.json"] {
        assert!(flat.contains(&format!("error[gone-address]: `{address}` was published before")), "{said}");
        assert!(flat.contains(&format!("add `- {address}` to `gone`, or redirect it")), "{said}");
    }
    assert_eq!(flat.matches("error[").count(), 3, "{said}");
    let gone = "gone: [/news/feed.xml, /news/feed.json, /s.json]\n";
    fs::write(root.join("content/site.yaml"), format!("{SITE}{gone}")).unwrap();
    let (code, said) = run(&root, &["build"]);
    assert_eq!(code, Some(0), "{said}");

    let (code, said) = run(&root, &["check", "--against", "/missing.json"]);
    assert!(code == Some(3) && said.contains("cannot read /missing.json: No such file or directory"), "{said}");
}

#[test]
fn servers_that_can_answer_410_for_what_is_gone() {
    let root = project("addresses-gone");
    fs::write(root.join("content/site.yaml"), format!("{SITE}gone: [/old.page, /news/first/]\n")).unwrap();
    for (host, file, rules) in [
        (
            "nginx",
            "nginx.conf",
            &["location = \"/old.page\" { return 410; }", "location = \"/news/first/\" { return 410; }"][..],
        ),
        ("caddy", "Caddyfile", &["@sitegen_gone_0 path_regexp ^/old\\.page/?$", "respond @sitegen_gone_1 410"]),
    ] {
        let (code, said) = run(&root, &["build", "--target", host]);
        assert_eq!(code, Some(0), "{said}");
        let text = fs::read_to_string(root.join("dist/.host").join(file)).unwrap();
        rules.iter().for_each(|rule| assert!(text.contains(rule), "{rule} is missing in {text}"));
    }
    fs::write(root.join("content/site.yaml"), format!("{SITE}gone: [/prices]\n")).unwrap();
    let (code, said) = run(&root, &["check"]);
    assert!(code == Some(1) && said.contains("`/prices` is listed in `gone`"), "{said}");
}
