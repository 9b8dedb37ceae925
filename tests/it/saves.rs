//! Files that are saved while a build runs, or between two builds: a momentary state of the disk may not outlive that
//! moment, and islands share no state.
//!
//! Each case builds with a cache from these moments, and compares with a build without a cache.

use crate::support::generated::{self, Files, Random, difference};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).args(["--quiet", "--now", "2026-12-01", "--root"]).arg(root).stdin(Stdio::null());
    command
}

/// Builds, and returns what was published.
#[track_caller]
fn build(root: &Path) -> Files {
    let run = command(root, &["build"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    generated::read(&root.join("dist"))
}

/// Returns what a build without a cache publishes.
#[track_caller]
fn built_anew(root: &Path) -> Files {
    for folder in [".sitegen", "dist"] {
        let _ = fs::remove_dir_all(root.join(folder));
    }
    build(root)
}

/// Replaces a file as editors do: no reader sees a part of it.
fn save(path: &Path, text: &str) {
    let part = path.with_file_name(".part");
    fs::write(&part, text).unwrap();
    fs::rename(part, path).unwrap();
}

#[track_caller]
fn same(expected: &Files, found: &Files, what: &str) {
    if let Some(difference) = difference(expected, found) {
        panic!("{what}:\n{difference}");
    }
}

/// Creates a site with islands that use a package of its own, in a folder of the test.
fn project(name: &str) -> PathBuf {
    let root = generated::work_folder(name).join("site");
    let mut files = generated::project(3, true);
    let mut add = |path: &str, text: &str| files.insert(path.to_owned(), text.as_bytes().to_vec());
    add(
        "islands/Order.tsx",
        "import { please } from \"./parts/words\";\nimport { flour } from \"flour\";\n\nexport default function Order({ loaf }: { loaf: string }) {\n  return <p>{loaf} of {flour}, {please}.</p>;\n}\n",
    );
    add("node_modules/flour/package.json", "{ \"name\": \"flour\", \"main\": \"rye.js\" }");
    add("node_modules/flour/rye.js", "exports.flour = \"rye\";\n");
    add("node_modules/flour/oat.js", "exports.flour = \"oat\";\n");
    generated::write(&files, &root);
    root
}

/// Saves a file alternately with one text and the other until the builds have ended.
fn save_meanwhile(path: &Path, texts: [&str; 2], builds: &mut [Child], random: &mut Random) {
    let is_running = |build: &mut Child| build.try_wait().unwrap().is_none();
    // All of them are checked, so that none stays behind.
    while builds.iter_mut().map(is_running).fold(false, |any, is_running| any | is_running) {
        for text in texts {
            save(path, text);
            std::thread::sleep(Duration::from_micros(random.below(6_000) as u64));
        }
    }
}

#[test]
fn a_momentary_save_is_in_no_later_build() {
    let cases = [
        (
            "a part of an island",
            "islands/parts/words.ts",
            ["export const please = \"please\";\n", "export const please = \"at once\";\n"],
        ),
        (
            "a file of a package",
            "node_modules/flour/rye.js",
            ["exports.flour = \"rye\";\n", "exports.flour = \"bran\";\n"],
        ),
        (
            "what a package is made of",
            "node_modules/flour/package.json",
            ["{ \"name\": \"flour\", \"main\": \"rye.js\" }", "{ \"name\": \"flour\", \"main\": \"oat.js\" }"],
        ),
    ];
    let mut random = Random(11);
    for (case, path, texts) in cases {
        let root = project(&format!("saves-{}", case.replace(' ', "-")));
        let file = root.join(path);
        let expected = texts.map(|text| {
            save(&file, text);
            built_anew(&root)
        });
        assert!(difference(&expected[0], &expected[1]).is_some(), "{case} is in no page");
        for round in 0..6 {
            let _ = fs::remove_dir_all(root.join(".sitegen"));
            // Two processes at once, as `build` beside `serve`.
            let mut builds = ["build", "check"]
                .map(|name| command(&root, &[name]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
            save_meanwhile(&file, texts, &mut builds, &mut random);
            for (text, expected) in texts.iter().zip(&expected) {
                save(&file, text);
                same(expected, &build(&root), &format!("{case}, round {round}, {text:?}"));
            }
        }
    }
}

#[test]
fn packages_that_are_installed_between_builds_are_used() {
    let root = project("saves-packages");
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    build(&root);
    let flour = "node_modules/flour/package.json";
    let steps: [(&str, &str, &str); 4] = [
        ("another main file", flour, "{ \"name\": \"flour\", \"main\": \"oat.js\" }"),
        ("a file for browsers", flour, "{ \"name\": \"flour\", \"main\": \"oat.js\", \"browser\": \"rye.js\" }"),
        ("exports", flour, "{ \"name\": \"flour\", \"browser\": \"rye.js\", \"exports\": \"./oat.js\" }"),
        ("what kind of modules there are", "package.json", "{ \"private\": true, \"sideEffects\": false }"),
    ];
    for (case, path, text) in steps {
        write(path, text);
        let warm = build(&root);
        same(&built_anew(&root), &warm, case);
    }
    // A package that Node finds before the one in the project's own folder of packages.
    fs::rename(root.join("node_modules"), root.with_file_name("packages")).unwrap();
    let above = root.parent().unwrap();
    let shared = above.join("node_modules");
    let _ = fs::remove_file(&shared);
    fs::create_dir(&shared).unwrap();
    fs::rename(above.join("packages/flour"), shared.join("flour")).unwrap();
    for entry in fs::read_dir(generated::repository().join("node_modules")).unwrap() {
        let entry = entry.unwrap();
        std::os::unix::fs::symlink(entry.path(), shared.join(entry.file_name())).unwrap();
    }
    let above_alone = build(&root);
    write("node_modules/flour/package.json", "{ \"name\": \"flour\", \"main\": \"spelt.js\" }");
    write("node_modules/flour/spelt.js", "exports.flour = \"spelt\";\n");
    let warm = build(&root);
    assert!(difference(&above_alone, &warm).is_some(), "the nearer package is not used");
    same(&built_anew(&root), &warm, "a nearer package");
}

/// Writes a page for each number, with an island that gets it.
fn pages(root: &Path, numbers: &[usize]) {
    let page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }}</title>\n</head>\n<body>\n<main>\n<h1>{{ page.title }}</h1>\n{{ island(component=\"Ticket\", props={\"number\": page.number}) }}\n{{ island(component=\"Ticket\", props={\"number\": 0}) }}\n</main>\n</body>\n</html>\n";
    let mut files = generated::project(0, true);
    files.retain(|path, _| {
        path.starts_with("islands/runtime") || path.ends_with("package.json") || path.ends_with("site.yaml")
    });
    files.insert("templates/pages/page.html".into(), page.into());
    files.insert("content/pages/index.yaml".into(), "title: Home\nnumber: 1\n".into());
    for number in numbers {
        files.insert(format!("content/pages/p{number}.yaml"), format!("title: P{number}\nnumber: {number}\n").into());
    }
    generated::write(&files, root);
}

#[test]
fn islands_share_no_state() {
    let cases = [
        (
            "a variable of its module",
            "let count = 0;\nexport default function Ticket({ number }: { number: number }) {\n  count += 1;\n  return <p>{number}: {count}</p>;\n}\n",
        ),
        (
            "a global variable",
            "export default function Ticket({ number }: { number: number }) {\n  const all = globalThis as any;\n  all.count = (all.count ?? 0) + 1;\n  return <p>{number}: {all.count}</p>;\n}\n",
        ),
        (
            "a prototype",
            "export default function Ticket({ number }: { number: number }) {\n  const all = Array.prototype as any;\n  all.count = (all.count ?? 0) + 1;\n  return <p>{number}: {all.count}</p>;\n}\n",
        ),
    ];
    for (case, island) in cases {
        let root = generated::work_folder(&format!("saves-{}", case.replace(' ', "-"))).join("site");
        pages(&root, &[2, 3, 4]);
        fs::write(root.join("islands/Ticket.tsx"), island).unwrap();
        let clean = build(&root);
        for (path, bytes) in clean.iter().filter(|(path, _)| path.ends_with(".html") && *path != "404.html") {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains("<p>") || text.matches(": <!-- -->1</p>").count() == 2, "{case}, {path}: {text}");
        }
        // Of these pages one is rendered, and none before it.
        pages(&root, &[2, 3, 4, 5]);
        let warm = build(&root);
        same(&built_anew(&root), &warm, case);
        let one = command(&root, &["build"]).env("RAYON_NUM_THREADS", "1").status().unwrap();
        assert!(one.success());
        same(&warm, &generated::read(&root.join("dist")), "on one thread");
    }
}

#[test]
fn an_island_may_have_the_name_of_a_generated_file() {
    let root = generated::work_folder("saves-names").join("site");
    pages(&root, &[]);
    let names = ["prerender", "Mount", "loader", "chunk", "entries", "runtime", "constructor", "__proto__", "meta"];
    let mut calls = String::new();
    for (number, name) in names.iter().enumerate() {
        let text = format!("export default function Named() {{ return <p>island {number}</p>; }}\n");
        fs::write(root.join(format!("islands/{name}.tsx")), text).unwrap();
        calls.push_str(&format!("{{{{ island(component=\"{name}\") }}}}\n"));
    }
    let template = root.join("templates/pages/page.html");
    let text = fs::read_to_string(&template).unwrap();
    let start = text.find("{{ island").unwrap();
    let end = text.find("</main>").unwrap();
    fs::write(&template, format!("{}{calls}{}", &text[..start], &text[end..])).unwrap();
    for _ in 0..2 {
        let files = build(&root);
        let page = String::from_utf8_lossy(&files["index.html"]);
        for (number, name) in names.iter().enumerate() {
            let (_, place) = page.split_once(&format!("data-island=\"{name}\"")).unwrap();
            let (_, modules) = place.split_once("data-modules=\"/").unwrap();
            let module = modules.split([' ', '"']).next().unwrap();
            let module = String::from_utf8_lossy(&files[module]);
            let own = format!("island {number}");
            assert!(place[..place.find("</div>").unwrap()].ends_with(&format!("<p>{own}</p>")), "{name}: {page}");
            assert!(module.contains(&own) && module.matches("\"island ").count() == 1, "{name}: {module}");
        }
    }
}
