//! The same sources, packages and day give the same bytes and the same modes: from another path, on another day, in
//! another language and time zone, under another umask, with another number of threads, with an empty or a warm cache,
//! the first time or the tenth, and in whatever order the file system lists the files.

use crate::support::generated::{self, Files, Random, difference};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

type Modes = BTreeMap<String, u32>;

/// Builds as in a shell, so that it can have a umask of its own, and returns the published files and all modes.
fn build(root: &Path, umask: &str, environment: &[(&str, &str)], arguments: &[&str]) -> (Files, Modes) {
    let script = format!("umask {umask} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_sitegen"), "build", "--quiet"]).args(arguments);
    let output = command.current_dir(root).envs(environment.iter().copied()).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let dist = root.join("dist");
    let modes = walkdir::WalkDir::new(&dist).into_iter().map(|entry| {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(&dist).unwrap().to_string_lossy().into_owned();
        (path, entry.metadata().unwrap().permissions().mode() & 0o7777)
    });
    (generated::read(&dist), modes.collect())
}

#[track_caller]
fn same(expected: &(Files, Modes), found: &(Files, Modes), what: &str) {
    if let Some(difference) = difference(&expected.0, &found.0) {
        panic!("{what}:\n{difference}");
    }
    assert_eq!(expected.1, found.1, "{what}");
}

/// Writes the files in a random order.
fn write_shuffled(files: &Files, root: &Path, random: &mut Random) {
    let mut all: Vec<(&String, &Vec<u8>)> = files.iter().collect();
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    for (path, bytes) in all {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

const DAY: &[&str] = &["--now", "2026-12-01"];

fn assert_same_everywhere(name: &str, files: &Files) {
    let work = generated::work_folder(name).canonicalize().unwrap();
    let packages = generated::repository().join("node_modules");
    let mut random = Random(9);
    let first = work.join("first");
    generated::write(files, &first);
    let expected = build(&first, "022", &[], DAY);
    let modes_are_plain = |modes: &Modes| modes.values().all(|mode| [0o644, 0o755].contains(mode));
    assert!(modes_are_plain(&expected.1));
    for round in 2..=10 {
        same(&expected, &build(&first, "022", &[], DAY), &format!("build number {round}, warm"));
    }

    // The day given in the two other ways, at other hours of it.
    same(&expected, &build(&first, "022", &[("SOURCE_DATE_EPOCH", "1796083200")], &[]), "SOURCE_DATE_EPOCH");
    same(&expected, &build(&first, "022", &[("SOURCE_DATE_EPOCH", "1796169599")], &[]), "the last second of the day");
    same(&expected, &build(&first, "022", &[], &["--now", "2026-12-01T23:59:59"]), "a time of day");

    let environments: [&[(&str, &str)]; 6] = [
        &[("RAYON_NUM_THREADS", "1")],
        &[("RAYON_NUM_THREADS", "2")],
        &[("RAYON_NUM_THREADS", "7")],
        &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati")],
        &[("LC_ALL", "C"), ("TZ", "America/Adak"), ("HOME", "/nonexistent")],
        &[
            ("NODE_ENV", "development"),
            ("NODE_PATH", "/nonexistent"),
            ("NODE_OPTIONS", "--inspect"),
            ("ESBUILD_BINARY_PATH", "/bin/false"),
        ],
    ];
    for (number, environment) in environments.iter().enumerate() {
        let root = work.join(format!("another path/{number}/ünd deeper"));
        write_shuffled(files, &root, &mut random);
        let umask = ["000", "077", "027", "002", "022", "177"][number % 5];
        same(&expected, &build(&root, umask, environment, DAY), &format!("clean, {environment:?}, umask {umask}"));
        same(&expected, &build(&root, "077", environment, DAY), &format!("warm, {environment:?}"));
        // A build repairs a wrong mode too.
        fs::set_permissions(root.join("dist/index.html"), fs::Permissions::from_mode(0o600)).unwrap();
        same(&expected, &build(&root, umask, environment, DAY), "a repaired mode");
    }

    // Packages in the project, in a link to them, and in a folder above.
    let linked = work.join("linked");
    generated::write(files, &linked);
    std::os::unix::fs::symlink(&packages, linked.join("node_modules")).unwrap();
    same(&expected, &build(&linked, "022", &[], DAY), "packages behind a link");
    let inside = tempfile::tempdir().unwrap();
    let root = inside.path().join("project");
    generated::write(files, &root);
    // Only what islands need: all packages are hundreds of megabytes.
    let needed = ["@esbuild", "esbuild", "react", "react-dom", "scheduler"].map(|name| packages.join(name));
    fs::create_dir(root.join("node_modules")).unwrap();
    assert!(Command::new("cp").arg("-a").args(needed).arg(root.join("node_modules")).status().unwrap().success());
    same(&expected, &build(&root, "022", &[], DAY), "packages in the project");
    fs::rename(root.join("node_modules"), inside.path().join("node_modules")).unwrap();
    fs::remove_dir_all(root.join(".sitegen")).unwrap();
    // A program is taken from above only within a repository.
    fs::create_dir(inside.path().join(".git")).unwrap();
    same(&expected, &build(&root, "022", &[], DAY), "packages in the folder of the repository above");
    // Every hour of the dates' day is in another day somewhere.
    for zone in ["UTC", "Pacific/Kiritimati", "America/Adak", "Asia/Kathmandu", "XYZ+11:30"] {
        let root = work.join(format!("zones/{}", zone.replace('/', "-")));
        generated::write(files, &root);
        same(&expected, &build(&root, "022", &[("TZ", zone)], DAY), zone);
    }
    println!("{name}: {} files in 43 builds", expected.0.len());
}

#[test]
fn a_site_of_300_pages_is_the_same_everywhere() {
    let mut files = generated::project(300, true);
    generated::add_search(&mut files);
    assert_same_everywhere("same-bytes-generated", &files);
}

#[test]
fn the_shipped_site_is_the_same_everywhere() {
    let repository = generated::repository();
    let mut files = Files::new();
    for folder in ["content", "templates", "islands"] {
        files.extend(
            generated::read(&repository.join(folder))
                .into_iter()
                .map(|(path, bytes)| (format!("{folder}/{path}"), bytes)),
        );
    }
    // Without the lock file, which would need an installation in every copy.
    for name in ["package.json", "tsconfig.json"] {
        files.insert(name.to_owned(), fs::read(repository.join(name)).unwrap());
    }
    assert_same_everywhere("same-bytes-shipped", &files);
}

/// A date that would differ elsewhere is an error everywhere, not only where the zone is not UTC.
#[test]
fn a_date_of_the_time_zone_is_refused_in_every_zone() {
    let work = generated::work_folder("same-bytes-dates");
    for date in ["new Date(2026, 0, 1)", "new Date(\"2026-01-01T00:00\")", "new Date(\"1 Jan 2026\")"] {
        let mut files = generated::project(0, true);
        let island = format!("export default () => <p>{{({date}).toISOString()}}</p>;\n");
        files.insert("islands/Count.tsx".into(), island.into_bytes());
        let mut reported = ["UTC0", "XYZ+11:30", "XYZ-14"].map(|zone| {
            let root = work.join(zone);
            let _ = fs::remove_dir_all(&root);
            generated::write(&files, &root);
            let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
            command.args(["build", "--format", "short"]).env("TZ", zone).current_dir(&root).stdin(Stdio::null());
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{date} in {zone}");
            String::from_utf8(output.stderr).unwrap()
        });
        let is_meant = reported[0].contains("islands/Count.tsx:1:") && reported[0].contains("error[prerender-varies]");
        assert!(is_meant, "{}", reported[0]);
        reported.sort();
        assert_eq!(reported[0], reported[2]);
    }
}

/// A component that prints the arguments that it does not name.
const BOX: &str = r#"
{% component box(title: string, ...rest) %}
<pre>{{ title }} {{ rest }} {{ rest | json_encode }} {% for key, value in rest %}{{ key }}={{ value }} {% endfor %}</pre>
{% endcomponent box %}
"#;

/// No value that a template can print has the order of a hash map, which is another in every process.
#[test]
fn every_map_that_templates_can_print_has_the_same_order_in_every_process() {
    let letters = "zulu yankee alpha mike bravo kilo delta papa hotel echo".split(' ');
    let map = |indent: &str| letters.clone().map(|each| format!("{indent}{each}: {each}\n")).collect::<String>();
    let dump = |value: &str| {
        format!(
            "<pre>{{{{ {value} }}}}</pre>\n<pre>{{{{ {value} | json_encode(pretty=true) }}}}</pre>\n\
             <pre>{{% for key, each in {value} %}}{{{{ key }}}}: {{{{ each }}}}; {{% endfor %}}</pre>\n\
             <pre>{{{{ {value} | keys | join(sep=\" \") }}}} {{{{ {value} | values }}}} {{{{ {value} | pairs }}}}</pre>\n"
        )
    };
    let literal: String = letters.clone().map(|each| format!("\"{each}\": \"{each}\", ")).collect();
    let arguments: String = letters.clone().map(|each| format!("{each}=\"{each}\" ")).collect();
    let maps = [
        "site",
        "page",
        "page.table",
        "entries",
        "entries.loaves",
        "collections",
        "page.loaves | group_by(attribute=\"kind\")",
        "{...page.table, ...site.table}",
    ];
    let mut page: String = maps.map(|value| dump(&format!("({value})"))).concat();
    for list in [
        "page.loaves",
        "pages",
        "terms(collection=\"loaves\", key=\"tags\")",
        "connections()",
        "related(entry=entries.loaves.a, by=\"tags\")",
    ] {
        page.push_str(&format!("<pre>{{{{ {list} }}}} {{{{ {list} | json_encode }}}}</pre>\n"));
    }
    page.push_str(&format!("<pre>{{{{ {{{literal}}} }}}}</pre>\n{{{{ <box title=\"a\" {arguments}/> }}}}\n"));
    page.push_str(&format!("{{{{ json_ld(data={{{literal}}}) }}}}\n"));
    let mut files = Files::new();
    let mut add = |path: &str, text: String| drop(files.insert(path.to_owned(), text.into_bytes()));
    let connections = "settings:\n  routes: file\n  connections:\n    zulu: { origin: https://z.test, for: [image], why: Z }\n    alpha: { origin: https://a.test, for: [image], why: A }\n";
    add("content/site.yaml", format!("url: https://a.test\nlanguage: en\nname: A\ntable:\n{}{connections}", map("  ")));
    let loaves = letters.clone().map(|each| format!("  - kind: {each}\n    name: {each}\n")).collect::<String>();
    add("content/pages/index.yaml", format!("title: A\ntable:\n{}loaves:\n{loaves}", map("  ")));
    add(
        "content/pages/list.yaml",
        "title: L\ntemplate: pages/list.html\nlist: { collection: loaves, sort: name }\n".to_owned(),
    );
    add(
        "content/pages/loaves/[slug].yaml",
        "for_each: loaves\ntitle: \"{{ entry.name }}\"\ntemplate: pages/loaf.html\n".to_owned(),
    );
    add(
        "content/pages/loaves/tags/[tag].yaml",
        "for_each: loaves.tags\ntitle: \"{{ term.name }}\"\ntemplate: pages/term.html\n".to_owned(),
    );
    for each in ["a", "b", "c"] {
        add(&format!("content/loaves/{each}.yaml"), format!("name: {each}\ntags: [rye, {each}]\n{}", map("")));
    }
    add("templates/components/box/box.html", BOX.trim_start().to_owned());
    let template = |body: &str| {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{{{ page.title }}}}</title></head><body><main><h1>A</h1>\n{body}</main></body></html>\n"
        )
    };
    add("templates/pages/page.html", template(&page));
    add("templates/pages/list.html", template(&dump("list")));
    add("templates/pages/loaf.html", template(&dump("entry")));
    add("templates/pages/term.html", template(&dump("term")));

    let work = generated::work_folder("same-bytes-of-maps");
    let mut first: Option<(Files, Modes)> = None;
    for number in 0..8 {
        let root = work.join(number.to_string());
        generated::write(&files, &root);
        let built = build(&root, "022", &[], DAY);
        match &first {
            None => first = Some(built),
            Some(first) => same(first, &built, &format!("process {number}")),
        }
    }
    let (files, _) = first.unwrap();
    let printed = String::from_utf8(files["index.html"].clone()).unwrap();
    assert!(printed.matches("zulu").count() > 40, "{printed}");
}
