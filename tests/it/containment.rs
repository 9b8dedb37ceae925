//! A build runs nothing that content names, reads nothing outside the project and its packages, and connects to no
//! other host. Every case runs the real program, with real links, imports and endless loops.
//!
//! A test that the system does not permit (a network namespace, tracing) prints so and is skipped; with `CI` set it
//! fails.

use crate::support::{needs, tracing};
use sitegen::tools::{DiskTools, known};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SITE: &str = "url: https://www.site.example\nlanguage: en\nname: Site\nemail: a@site.example\n";
const PAGE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }}</title>\n\
    {{ styles() }}\n</head>\n<body>\n<main>\n<h1>{{ page.title }}</h1>\n{{ island(component=\"A\", props={}) }}\n</main>\n\
    </body>\n</html>\n";
const ISLAND: &str = "export default function A() { return <p>fine</p>; }\n";
const SECRET: &str = "the-secret-of-another-folder";

/// A folder with a project in `site/`, its packages beside it, and a secret in `outside/`.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        place.write("site/content/site.yaml", SITE);
        place.write("site/content/pages/index.yaml", "title: Home\n");
        place.write("site/templates/pages/page.html", PAGE);
        place.write("site/templates/styles/main.css", "body { color: brown }\n");
        place.write("site/package.json", "{ \"type\": \"module\" }\n");
        place.write("site/islands/A.tsx", ISLAND);
        for file in fs::read_dir(repository.join("crates/islands/src/runtime")).unwrap() {
            let file = file.unwrap();
            let name = format!("site/islands/runtime/{}", file.file_name().to_string_lossy());
            place.write(&name, &fs::read_to_string(file.path()).unwrap());
        }
        symlink(repository.join("node_modules"), place.path("site/node_modules")).unwrap();
        place.write("outside/secret.ts", &format!("export default \"{SECRET}\";\n"));
        place.write("outside/secret.json", &format!("{{ \"secret\": \"{SECRET}\" }}\n"));
        place.write("outside/secret.css", &format!("p::after {{ content: \"{SECRET}\" }}\n"));
        place.write("outside/secret.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h8\"/></svg>\n");
        place.write("outside/page.md", &format!("---\ntitle: Secret\n---\n{SECRET}\n"));
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, program: &[&str]) -> Command {
        let mut words = program.iter().copied().chain([env!("CARGO_BIN_EXE_sitegen")]);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).args(["build", "--quiet", "--format", "short", "--now", "2026-12-01", "--root"]);
        command.arg(self.path("site")).arg("--out").arg(self.path("dist"));
        command
    }

    fn build(&self) -> Output {
        self.command(&[]).output().unwrap()
    }

    /// Asserts that the build is refused for that reason at that file, and that no written file contains the secret.
    fn is_refused(&self, case: &str, code: &str, file: &str) {
        let run = self.build();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{case}: {said}");
        let is_reported = said.lines().any(|line| line.starts_with(file) && line.contains(&format!("[{code}]")));
        assert!(is_reported, "{case} is not reported as {code} at {file}: {said}");
        assert!(!self.path("dist").exists() && !said.contains(SECRET), "{case}: {said}");
        let cache = files(&self.path("site/.sitegen"));
        assert!(cache.iter().all(|(_, bytes)| !contains(bytes, SECRET)), "{case}: the cache contains the secret");
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Returns every file below a folder with its bytes, sorted.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn links_out_of_the_project_are_refused() {
    let cases: [(&str, &str, &str); 11] = [
        ("a file", "content/pages/secret.md", "../../../outside/page.md"),
        ("a file by its whole path", "content/assets/secret.svg", "{outside}/secret.svg"),
        ("a folder among the assets", "content/assets/all", "../../../outside"),
        ("a folder of pages", "content/pages/all", "{outside}"),
        ("a file beside a text", "content/pages/mill/secret.svg", "../../../../outside/secret.svg"),
        ("a folder beside a text", "content/pages/mill/parts", "{outside}"),
        ("a folder as a collection", "content/secrets", "{outside}"),
        ("a folder of public files", "content/public", "../../outside"),
        ("a part of an island", "islands/parts", "../../outside"),
        ("a folder of templates", "templates/components", "{outside}"),
        ("the list of packages", "package.json", "../outside/secret.json"),
    ];
    for (case, link, target) in cases {
        let place = Place::new();
        let outside = place.path("outside");
        let path = place.path("site").join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        symlink(target.replace("{outside}", outside.to_str().unwrap()), &path).unwrap();
        place.is_refused(case, "outside-link", link);
    }

    // A link to a link that leads out, and all content outside.
    let place = Place::new();
    symlink(place.path("outside"), place.path("site/content/inner")).unwrap();
    fs::create_dir_all(place.path("site/content/assets")).unwrap();
    symlink("../inner/secret.svg", place.path("site/content/assets/secret.svg")).unwrap();
    place.is_refused("a link through a link", "outside-link", "content/assets/secret.svg");
    let place = Place::new();
    fs::rename(place.path("site/content"), place.path("content")).unwrap();
    symlink(place.path("content"), place.path("site/content")).unwrap();
    place.is_refused("all content", "outside-link", "content");

    // Other files of the project are not sources either: the configuration of git, passwords, packages, earlier builds.
    for (link, target) in [
        ("content/public/x.txt", "../../.git/config"),
        ("content/public/x.txt", "../../.env"),
        ("content/public/all", "../../.git"),
        ("content/assets/x.txt", "../pages/.secret"),
        ("content/public/all", "../.."),
        ("content/public/x.json", "../../package.json"),
        ("templates/x.html", "../.env"),
    ] {
        let place = Place::new();
        for secret in [".git/config", ".env", "content/pages/.secret"] {
            place.write(&format!("site/{secret}"), SECRET);
        }
        let path = place.path("site").join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, &path).unwrap();
        place.is_refused(&format!("{link} to {target}"), "outside-link", link);
    }

    // Links to sources are followed, without hidden files there.
    let place = Place::new();
    place.write(
        "site/content/assets/real.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h8\"/></svg>\n",
    );
    symlink("real.svg", place.path("site/content/assets/other.svg")).unwrap();
    place.write("site/content/assets/.secret", SECRET);
    fs::create_dir_all(place.path("site/content/public")).unwrap();
    symlink("../assets", place.path("site/content/public/all")).unwrap();
    let run = place.build();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(place.path("dist/all/other.svg").exists());
    assert!(files(&place.path("dist")).iter().all(|(_, bytes)| !contains(bytes, SECRET)), "a hidden file is published");
    println!("{} links out of the project refused", cases.len() + 2);
}

/// Characters that end a line or control a terminal.
const CONTROLS: [&str; 8] =
    ["\n", "\r", "\u{1b}[2J\u{1b}]0;title\u{7}", "\u{9b}2J", "\u{7f}", "\u{2028}", "\u{202e}", "\u{8}"];

const FORMATS: [&str; 5] = ["human", "short", "json", "github", "sarif"];

/// Whether a program has printed anything but text and line breaks.
fn has_controls(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    said.contains(|letter: char| {
        letter.is_control() && letter != '\n' || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}')
    })
}

#[test]
fn names_add_no_rules_and_control_no_terminal() {
    for folder in ["content/public", "content/assets", "content/pages", "content/loaves", "templates/pages", "islands"]
    {
        let place = Place::new();
        place
            .write("site/content/site.yaml", &format!("{SITE}settings:\n  host: netlify\n  caching:\n    pages: 60\n"));
        let names: Vec<String> = CONTROLS
            .iter()
            .flat_map(|controls| [format!("a{controls}b.txt"), format!("x{controls}/*{controls}  X-Evil: 1/b.txt")])
            .collect();
        names.iter().for_each(|name| place.write(&format!("site/{folder}/{name}"), "text"));
        for format in FORMATS {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
            command.args(["build", "--format", format, "--verbose", "--root"]).arg(place.path("site"));
            let run = command.output().unwrap();
            let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            assert_eq!(run.status.code(), Some(1), "{folder}: {said}");
            let reported = said.split_whitespace().collect::<Vec<_>>().join(" ").matches("cannot be printed").count();
            assert!(reported >= names.len(), "{folder}: {said}");
            assert!(!has_controls(&run.stdout) && !has_controls(&run.stderr), "{format}: {said:?}");
            assert!(!place.path("site/dist").exists());
        }
    }
}

#[test]
fn texts_control_no_terminal() {
    let controls = CONTROLS.concat();
    let yaml = controls.chars().map(|letter| format!("\\U{:08X}", letter as u32)).collect::<String>();
    let cases: [(&str, String); 7] = [
        ("content/pages/index.yaml", format!("title: Home\n\"un{yaml}known\": 1\n")),
        ("content/pages/index.yaml", format!("title: \"Home{yaml}\"\ntemplate: \"no{yaml}where.html\"\n")),
        (
            "content/pages/index.md",
            format!("---\ntitle: Home\n---\n[text](/no{controls}where)\n\n![x](no{controls}picture.png)\n"),
        ),
        (
            "content/pages/index.md",
            format!("---\ntitle: \"{{{{ site.no{yaml}thing }}}}\"\n---\n{{{{ site.{controls} }}}}\n"),
        ),
        ("templates/pages/page.html", PAGE.replace("{{ page.title }}", &format!("{{{{ page.title{controls} }}}}"))),
        (
            "content/site.yaml",
            format!("{SITE}settings:\n  host: \"no{yaml}ne\"\nredirects:\n  - from: \"/a{yaml}\"\n    to: /\n"),
        ),
        (
            "islands/A.tsx",
            format!("export default function A() {{ throw new Error({:?}); }}\n", yaml.replace("\\U0000", "\\u")),
        ),
    ];
    for (path, text) in cases {
        let place = Place::new();
        if path.ends_with("index.md") {
            fs::remove_file(place.path("site/content/pages/index.yaml")).unwrap();
        }
        place.write(&format!("site/{path}"), &text);
        for format in FORMATS {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
            command.args(["build", "--format", format, "--verbose", "--root"]).arg(place.path("site"));
            let run = command.output().unwrap();
            let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            assert!(
                !has_controls(&run.stdout) && !has_controls(&run.stderr),
                "{path} {text:?} {format}: {out:?}{err:?}"
            );
        }
    }
    // Names in a published folder, which anybody may have created.
    let place = Place::new();
    assert!(place.build().status.success());
    place.write("dist/a\u{1b}[2J\nb.txt", "text");
    for command in [["verify", "--format", "human"], ["verify", "--format", "short"], ["verify", "--format", "json"]] {
        let run = Command::new(env!("CARGO_BIN_EXE_sitegen")).args(command).arg(place.path("dist")).output().unwrap();
        assert_eq!(run.status.code(), Some(1));
        assert!(!has_controls(&run.stdout) && !has_controls(&run.stderr), "{}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn imports_from_outside_are_refused() {
    const ISLAND_FILE: &str = "islands/A.tsx";
    const STYLE_FILE: &str = "templates/styles/main.css";
    let cases: [(&str, &str, &str, &str); 12] = [
        ("a module above the project", ISLAND_FILE, "import s from \"../../outside/secret\";", "outside-import"),
        ("a module by its whole path", ISLAND_FILE, "import s from \"{outside}/secret.ts\";", "outside-import"),
        ("data above the project", ISLAND_FILE, "import s from \"../../outside/secret.json\";", "outside-import"),
        ("a file without an ending", ISLAND_FILE, "import s from \"/etc/passwd\";", "outside-import"),
        ("another host", ISLAND_FILE, "import s from \"https://e.example/s.js\";", "outside-import"),
        ("another host without a scheme", ISLAND_FILE, "import s from \"//e.example/s.js\";", "outside-import"),
        ("another host, later", ISLAND_FILE, "const s = import(\"https://e.example/s.js\");", "outside-import"),
        (
            "data in an address",
            ISLAND_FILE,
            "import s from \"data:text/javascript,export default 1\";",
            "outside-import",
        ),
        ("a linked package", ISLAND_FILE, "import s from \"linked/secret\";", "outside-import"),
        ("a style above the project", STYLE_FILE, "@import \"../../../outside/secret.css\";", "outside-import"),
        ("a style of another host", STYLE_FILE, "@import url(https://e.example/s.css);", "outside-import"),
        (
            "a picture above the project",
            STYLE_FILE,
            "body { background: url(../../../outside/secret.svg) }",
            "outside-import",
        ),
    ];
    for (case, file, line, code) in cases {
        let place = Place::new();
        let line = line.replace("{outside}", place.path("outside").to_str().unwrap());
        let rest =
            if file == ISLAND_FILE { "\nexport default function A() { return <p>{String(s)}</p>; }\n" } else { "\n" };
        place.write(&format!("site/{file}"), &format!("{line}{rest}"));
        if case == "a linked package" {
            // As `npm link` leaves it: a package folder of the project that is elsewhere.
            fs::remove_file(place.path("site/node_modules")).unwrap();
            fs::create_dir(place.path("site/node_modules")).unwrap();
            for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules")).unwrap() {
                let entry = entry.unwrap();
                symlink(entry.path(), place.path("site/node_modules").join(entry.file_name())).unwrap();
            }
            symlink(place.path("outside"), place.path("site/node_modules/linked")).unwrap();
        }
        place.is_refused(case, code, file);
    }
    println!("{} imports from outside refused", cases.len());
}

/// A link beside a text may lead to another folder of the content, and is then a file like others.
#[test]
fn a_link_beside_a_text_that_stays_in_the_content_is_followed() {
    let place = Place::new();
    let svg = fs::read_to_string(place.path("outside/secret.svg")).unwrap();
    place.write("site/content/assets/wheel.svg", &svg);
    place.write("site/content/assets/parts/door.svg", &svg.replace("h8", "h9"));
    fs::remove_dir_all(place.path("site/islands")).unwrap();
    place.write(
        "site/templates/pages/page.html",
        &PAGE.replace("{{ island(component=\"A\", props={}) }}", "{{ page.content }}"),
    );
    fs::remove_file(place.path("site/content/pages/index.yaml")).unwrap();
    let text = "---\ntitle: Mill\n---\n![A wheel](wheel.svg) ![A door](parts/door.svg)\n";
    place.write("site/content/pages/index.md", text);
    symlink("../assets/wheel.svg", place.path("site/content/pages/wheel.svg")).unwrap();
    symlink("../assets/parts", place.path("site/content/pages/parts")).unwrap();
    let run = place.build();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let page = fs::read_to_string(place.path("dist/index.html")).unwrap();
    for name in ["/assets/pages/wheel-", "/assets/pages/parts/door-"] {
        assert!(page.contains(name), "{name}: {page}");
    }
}

/// npm would write to a folder of the project's choice, or send a variable of the environment to a host of its choice.
#[test]
fn npm_is_not_started_for_a_project_that_leads_it_out() {
    let lock = "{ \"lockfileVersion\": 3, \"packages\": { \"\": {} } }\n";
    for (file, text) in [
        (".npmrc", "cache=../outside/cache\n"),
        (".npmrc", "registry=https://r.example/${HOME}/\n"),
        ("package-lock.json", "{ \"packages\": { \"../outside/node_modules/a\": { \"version\": \"1.0.0\" } } }\n"),
        ("package.json", "{ \"workspaces\": [\"../outside\"] }\n"),
    ] {
        let place = Place::new();
        fs::remove_file(place.path("site/node_modules")).unwrap();
        place.write("site/package-lock.json", lock);
        place.write("outside/node_modules/kept/index.js", "");
        place.write(&format!("site/{file}"), text);
        // A stand-in for npm that would be noticed.
        place.write("bin/npm", "#!/bin/sh\necho \"$0 was started\" >&2\nexit 1\n");
        let npm = place.path("bin/npm");
        fs::set_permissions(&npm, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap());
        let run = |place: &Place| {
            let run = place.command(&[]).env("PATH", &path).output().unwrap();
            (run.status.code(), String::from_utf8(run.stderr).unwrap())
        };
        let (code, said) = run(&place);
        assert!(code != Some(0) && !said.contains("was started"), "{file} {text}: {said}");
        assert!(said.contains(file) && said.contains("run `npm ci` yourself"), "{file} {text}: {said}");
        fs::remove_file(place.path(&format!("site/{file}"))).unwrap();
        place.write("site/package-lock.json", lock);
        place.write("site/.npmrc", "script-shell=./tool.sh\nregistry=https://r.example/\n");
        assert!(run(&place).1.contains("was started"), "{file} {text}");
    }
}

/// A checkout may contain packages, and so any program under the name of esbuild, with a lock file that fits it.
#[test]
fn only_a_known_esbuild_is_started() {
    let place = Place::new();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    fs::remove_file(place.path("site/node_modules")).unwrap();
    fs::create_dir_all(place.path("site/node_modules")).unwrap();
    let needed = ["react", "react-dom", "scheduler"].map(|name| packages.join(name));
    assert!(Command::new("cp").arg("-r").args(needed).arg(place.path("site/node_modules")).status().unwrap().success());
    let tools = DiskTools::of(Path::new(env!("CARGO_MANIFEST_DIR")));
    let real = tools.esbuild().unwrap();
    let name = real.strip_prefix(packages.canonicalize().unwrap()).unwrap();
    let program = place.path("site/node_modules").join(name);
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let package = |version: &str| {
        let text = format!("{{ \"version\": \"{version}\" }}\n");
        place.write(
            &format!("site/node_modules/{}", name.parent().unwrap().with_file_name("package.json").display()),
            &text,
        );
    };
    let run = |trusted: Option<&Path>| {
        let mut command = place.command(&[]);
        command
            .current_dir(place.path("site"))
            .env("COLUMNS", "80")
            .envs(trusted.map(|folder| ("SITEGEN_TRUSTED_PROJECTS", folder)));
        let run = command.output().unwrap();
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let started = place.path("started");
    let write = |bytes: &[u8]| {
        let _ = fs::remove_file(&program);
        fs::write(&program, bytes).unwrap();
        fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    };
    // The bytes of a known program stand for themselves, wherever they come from, and their copy is removed.
    let known = fs::read(real).unwrap();
    write(&known);
    package("0.28.2");
    assert_eq!(run(None), (Some(0), String::new()));
    let left = files(&place.path("site/.sitegen"));
    assert!(left.iter().all(|(path, bytes)| !path.to_string_lossy().contains("run-") && bytes.len() < known.len()));
    // One byte more is another program, whatever its package says.
    write(&[&known[..], b"\n"].concat());
    fs::remove_dir_all(place.path("site/.sitegen")).unwrap();
    fs::remove_dir_all(place.path("dist")).unwrap();
    let mut check = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    let output = check.args(["check", "--root"]).arg(place.path("site")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    let digest =
        known::all().find(|known| known.version == "0.28.2" && program.to_string_lossy().contains(known.platform));
    assert!(said.contains(digest.unwrap().digest) && said.contains("npm ci"), "{said}");
    let script = format!("#!/bin/sh\ntouch {}\n", started.display());
    write(script.as_bytes());
    package("9.9.9");
    let (code, said) = run(None);
    let expected = format!(
        "failed[unknown-esbuild]: node_modules/{} is no release of esbuild that sitegen knows, and was not started; run \
         `npm install --save-exact esbuild@0.28.2`, a release that it knows\n",
        name.display()
    );
    assert_eq!((code, said), (Some(3), expected));
    assert!(!started.exists() && !place.path("dist").exists());
    // Whoever trusts the project, or a folder that it is in, says so outside of its files.
    for other in ["outside", "sit", "site/islands"] {
        run(Some(&place.path(other)));
        assert!(!started.exists(), "{other}");
    }
    assert_eq!(run(Some(Path::new("."))).0, Some(2));
    for folder in [place.path("site"), place.folder.path().to_path_buf()] {
        run(Some(&folder));
        assert!(fs::remove_file(&started).is_ok(), "{}", folder.display());
    }
}

/// The files above the project, and the environment, do not affect what is published.
#[test]
fn nothing_around_the_project_changes_a_byte() {
    let plain = Place::new();
    assert!(plain.build().status.success());
    let expected = files(&plain.path("dist"));
    assert!(expected.len() > 5);

    let place = Place::new();
    let evil = "{ \"compilerOptions\": { \"jsxImportSource\": \"evil\", \"target\": \"es5\", \"paths\": { \"react\": [\"./outside/secret.ts\"] } } }";
    place.write("tsconfig.json", evil);
    place.write("outside/tsconfig.json", evil);
    place.write("site/islands/tsconfig.json", evil);
    place.write("site/tsconfig.json", "{ \"extends\": \"../outside/tsconfig.json\" }");
    place.write("evil/react/index.js", "throw new Error('evil')");
    let run = place
        .command(&[])
        .envs([("NODE_PATH", place.path("evil")), ("ESBUILD_BINARY_PATH", place.path("evil/esbuild"))])
        .envs([("ESBUILD_WORKER_THREADS", "0"), ("NODE_ENV", "development"), ("NODE_OPTIONS", "--require evil")])
        .envs([("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nonexistent"), ("GODEBUG", "x=1")])
        .env("PATH", place.path("evil"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let found = files(&place.path("dist"));
    for (ours, theirs) in expected.iter().zip(&found) {
        assert_eq!(ours.0, theirs.0);
        assert!(ours.1 == theirs.1, "{} differs", ours.0.display());
    }
    assert_eq!(expected.len(), found.len());
}

/// File names are data too: they are escaped wherever they are written, or refused with their place.
#[test]
fn hostile_file_names_are_refused_or_escaped() {
    let names = [
        "\"><script>pwned()<",
        "' onload='pwned()",
        "a\nX-Evil: 1",
        "a\r\nb",
        "javascript:pwned()",
        "..%2f..%2fetc",
        "a b?c#d",
        "{{ 7 * 7 }}",
        "{% raw %}",
        "\u{202e}gpj",
        "\u{e002}A\u{1f}load\u{1f}{}\u{e003}",
        "--help",
        "$(touch pwned)",
        "`id`",
        "a;b|c&d",
        "\u{2028}",
        "\\..\\x",
        "a:b",
        "CON",
        "x.html",
    ];
    let (mut refused, mut published) = (0, 0);
    // One project for all, so that its island is bundled once.
    let place = Place::new();
    place.write("site/content/site.yaml", &format!("{SITE}settings:\n  host: netlify\n"));
    let template = PAGE.replace(
        "</main>",
        "{% if collections.notes is defined %}{% for note in collections.notes %}<p id=\"{{ note.slug }}\" title='{{ note.slug }}'>{{ note.slug }}</p>{% endfor %}{% endif %}</main>",
    );
    place.write("site/templates/pages/page.html", &template);
    for name in names {
        for (folder, ending) in [
            ("pages", ".md"),
            ("notes", ".yaml"),
            ("assets", ".png"),
            ("assets", ".svg"),
            ("public", ".txt"),
            ("public", ".svg"),
        ] {
            let text = match ending {
                ".md" => "---\ntitle: A\n---\ntext\n",
                ".yaml" => "name: A\n",
                ".svg" => "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h8\"/></svg>\n",
                _ => "x",
            };
            let hostile = format!("site/content/{folder}/{name}{ending}");
            place.write(&hostile, text);
            let run = place.build();
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            match run.status.code() {
                Some(0) => {
                    published += 1;
                    for (path, bytes) in files(&place.path("dist")) {
                        let text = String::from_utf8_lossy(&bytes).into_owned();
                        if path.extension().is_some_and(|extension| extension == "html") {
                            let page = scraper::Html::parse_document(&text);
                            let count =
                                |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
                            assert!(count("script") <= 1 && count("[onload]") == 0, "{folder} {name:?}: {text}");
                        }
                        let is_header_file =
                            ["_headers", "sitemap.xml", "robots.txt"].iter().any(|each| path.ends_with(each));
                        assert!(
                            !is_header_file || !text.lines().any(|line| line.starts_with("X-Evil")),
                            "{name:?}: {text}"
                        );
                    }
                    // Each rule is for all files, or for one that is there.
                    let rules = fs::read_to_string(place.path("dist/_headers")).unwrap();
                    let named: Vec<&str> = rules.lines().filter(|line| !line.starts_with([' ', '#'])).collect();
                    assert_eq!(named[0], "/*", "{name:?}: {rules}");
                    for path in &named[1..] {
                        assert!(place.path("dist").join(&path[1..]).is_file(), "{name:?}: {path} in {rules}");
                    }
                }
                Some(1) => {
                    refused += 1;
                    assert!(said.starts_with("content/") && said.contains("error["), "{folder} {name:?}: {said}");
                    assert!(
                        !said.lines().any(|line| line.starts_with("X-Evil")),
                        "{name:?} writes a line of its own: {said}"
                    );
                }
                other => panic!("{folder} {name:?} ends with {other:?}: {said}"),
            }
            assert!(!place.path("site/pwned").exists() && !Path::new("pwned").exists());
            fs::remove_file(place.path(&hostile)).unwrap();
            let _ = fs::remove_dir_all(place.path("dist"));
        }
    }
    println!(
        "{} hostile file names: {refused} refused at their file, {published} published and escaped",
        refused + published
    );
    assert!(refused > 0 && published > 0);
}

/// Time, memory and stack of the embedded JavaScript engine are limited, and the error names the island.
#[test]
fn an_endless_island_is_stopped() {
    const ENDS: &str = "it does not finish";
    const FULL: &str = "it runs out of memory";
    const DEEP: &str = "call stack";
    let cases = [
        ("a loop", "export default function A() { for (;;); }", ENDS),
        ("a loop outside of components", "for (;;);\nexport default function A() { return <p>x</p>; }", ENDS),
        (
            "a regular expression",
            "export default function A() { return <p>{String(/^(a+)+$/.test(\"a\".repeat(60) + \"b\"))}</p>; }",
            ENDS,
        ),
        (
            "a search through nothing",
            "export default function A() { return <p>{[].indexOf.call({ length: 2 ** 53 - 1 } as any, 1 as never)}</p>; }",
            ENDS,
        ),
        (
            "a generator",
            "function* all() { for (;;) yield 1; }\nexport default function A() { return <p>{[...all()].length}</p>; }",
            "",
        ),
        ("elements without end", "export default function A() { return <div><A /></div>; }", ""),
        (
            "recursion",
            "const f = (n: number): number => f(n + 1) + 1;\nexport default function A() { return <p>{f(0)}</p>; }",
            DEEP,
        ),
        (
            "recursion outside of components",
            "const f = (): number => f() + 1;\nf();\nexport default function A() { return <p>x</p>; }",
            DEEP,
        ),
        (
            "memory",
            "export default function A() { const all = []; for (;;) all.push(\"x\".repeat(1e6) + all.length); }",
            FULL,
        ),
        (
            "memory outside of components",
            "const all = [new ArrayBuffer(2 ** 30)];\nexport default function A() { return <p>{all.length}</p>; }",
            "",
        ),
        ("output", "export default function A() { return <p>{\"x\".repeat(3e8)}</p>; }", FULL),
        (
            "nested data",
            "let deep: unknown[] = []; for (let i = 0; i < 1e6; i++) deep = [deep];\nexport default function A() { return <p>{JSON.stringify(deep)}</p>; }",
            "",
        ),
        (
            "a getter of itself",
            "const o = { get a(): unknown { return this.a; } };\nexport default function A() { return <p>{String(o.a)}</p>; }",
            DEEP,
        ),
    ];
    // A pending promise is not waited for, so it cannot delay a build.
    let later = [
        "const spin = () => { Promise.resolve().then(spin); };\nspin();\nexport default function A() { return <p>fine</p>; }",
        "(async () => { for (;;) await 0; })();\nexport default function A() { return <p>fine</p>; }",
    ];
    std::thread::scope(|scope| {
        for (case, code, said) in cases {
            scope.spawn(move || {
                let place = Place::new();
                place.write("site/islands/A.tsx", code);
                // The limit guards against a build that hangs, and measures nothing.
                let run = place.command(&["timeout", "400"]).output().unwrap();
                let reported = String::from_utf8_lossy(&run.stderr).into_owned();
                assert_eq!(run.status.code(), Some(1), "{case}: {reported}");
                assert!(
                    reported.starts_with("islands/A.tsx") && reported.contains("[prerender-failed]"),
                    "{case}: {reported}"
                );
                assert!(reported.contains(said), "{case}: {reported}");
                assert!(!place.path("dist").exists());
            });
        }
        for code in later {
            scope.spawn(move || {
                let place = Place::new();
                place.write("site/islands/A.tsx", code);
                let run = place.command(&["timeout", "400"]).output().unwrap();
                assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
            });
        }
    });
    println!("{} islands without end stopped, {} not waited for", cases.len(), later.len());
}

/// A network namespace of its own has no network at all: the build does not need one.
#[test]
fn a_build_without_a_network_is_the_same() {
    let plain = Place::new();
    assert!(plain.build().status.success());
    let Some(wrapper) = [&["unshare", "-n"][..], &["unshare", "-rn"]].into_iter().find(|words| {
        Command::new(words[0]).args(&words[1..]).arg("true").output().is_ok_and(|run| run.status.success())
    }) else {
        needs::left_out("this system permits no network namespace");
        return;
    };
    let place = Place::new();
    let run = place.command(wrapper).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(files(&plain.path("dist")) == files(&place.path("dist")), "the site differs without a network");
}

/// The system calls of a build: it opens no socket, starts esbuild and nothing else, and reads the project, its
/// packages and what the system needs to start a program.
#[test]
fn a_build_asks_the_system_for_nothing_else() {
    let place = Place::new();
    let logs = place.path("calls");
    fs::create_dir(&logs).unwrap();
    let log = logs.join("of");
    // One file per thread: in a common file, a call that another thread interrupts is split into two lines.
    let tracer = [
        "strace",
        "-ff",
        "-qq",
        "-s",
        "4096",
        "-e",
        "trace=socket,connect,execve,open,openat,openat2",
        "-o",
        log.to_str().unwrap(),
    ];
    if !tracing::is_permitted() {
        return;
    }
    let run = place.command(&tracer).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let calls: String =
        fs::read_dir(&logs).unwrap().map(|log| fs::read_to_string(log.unwrap().path()).unwrap()).collect();
    let real = |path: &Path| path.canonicalize().unwrap_or(path.to_path_buf());
    let packages = real(&Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules"));
    let own = [
        real(&place.path("site")),
        real(&place.path("dist")),
        real(place.folder.path()),
        packages.with_file_name("package.json"),
        packages,
    ];
    // The loader's libraries, and what the runtimes of Rust and Go read of the machine: its memory, threads and pipes.
    let system = ["/lib", "/usr/lib", "/etc/ld.so", "/proc/self/", "/proc/sys/", "/sys/", "/dev/null", "/dev/urandom"];
    let (mut opened, mut started) = (0, Vec::new());
    for call in calls.lines() {
        assert!(!call.starts_with("socket(") && !call.starts_with("connect("), "a socket: {call}");
        let Some(path) = call.split('"').nth(1) else { continue };
        if call.starts_with("execve(") && call.ends_with("= 0") {
            started.push(path.rsplit('/').next().unwrap_or(path).to_owned());
        }
        // A missing file was only looked for, and an open call that a thread had not finished when its program ended
        // opened nothing; a relative path is one of the project's root, in which esbuild runs.
        if !call.starts_with("open") || call.contains("= -1") || call.ends_with("= ?") {
            continue;
        }
        opened += 1;
        let path = Path::new(path);
        let real = if path.is_absolute() { real(path) } else { real(&place.path("site").join(path)) };
        let is_own = own.iter().any(|folder| real.starts_with(folder) || folder.starts_with(&real));
        let is_program = real == Path::new(env!("CARGO_BIN_EXE_sitegen"));
        let is_system =
            system.iter().any(|allowed| path.starts_with(allowed) || path.to_string_lossy().starts_with(allowed));
        assert!(is_own || is_program || is_system, "it reads {}: {call}", real.display());
    }
    started.sort();
    started.dedup();
    assert_eq!(started, ["esbuild", "sitegen"], "programs that a build starts");
    println!(
        "{opened} files opened, all in the project, its packages or the system's libraries; no socket; esbuild alone started"
    );
    assert!(opened > 20);
}
