//! Checks the code against the table of docs/architecture/modules.md: which module may use which, and which may use the outside
//! world.
//!
//! A module that is not in the table fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the modules that each module may use from the table of docs/architecture/modules.md: the first column names the module, the
/// third those that it may use, `nothing` or `everything`.
fn table() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture/modules.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.contains("| May use |")).skip(2);
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let table: BTreeMap<String, Vec<String>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let [name, _, uses] = cells[..] else { panic!("not three cells: {line}") };
            let uses = match uses.trim() {
                "nothing" => Vec::new(),
                "everything" => vec!["*".to_owned()],
                uses => names(uses),
            };
            (names(name).remove(0), uses)
        })
        .collect();
    assert!(table.len() > 10, "the table of docs/architecture/modules.md was not found");
    table
}

/// Names of the outside world, and the modules at the edge that may use them.
const WORLD: &[(&str, &[&str])] = &[
    ("std::fs", &["shelf", "sources", "tools", "publish", "storage", "deploy", "watch", "disk", "cli"]),
    ("fs::", &["shelf", "sources", "tools", "publish", "storage", "deploy", "watch", "disk", "cli"]),
    ("process::Command", &["tools", "deploy", "cli"]),
    ("Command::new", &["tools", "deploy", "cli"]),
    ("std::net", &["serve", "cli"]),
    ("std::env::var", &["cli"]),
    ("SystemTime", &["cli"]),
    ("Instant", &["watch", "serve", "lsp", "storage", "deploy", "cli"]),
    ("HashMap", &["content", "cache", "tools", "artifacts", "storage"]),
];

/// The crates whose modules each have a row in the table. Every other crate is one module.
const CRATES_OF_MODULES: [&str; 1] = ["core"];

/// Returns the code of the engine without its tests, each file by the path that it would have were all crates one: the module
/// `content` is `content.rs` and the folder `content`, and its code names others as `crate::module`.
fn sources() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = files_of(&root.join("src"));
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let has_modules = CRATES_OF_MODULES.contains(&name);
        for (path, code) in files_of(&folder.join("src")) {
            let is_root = path == Path::new("lib.rs");
            if has_modules && is_root {
                continue;
            }
            let path = match (has_modules, is_root) {
                (true, _) => path,
                (false, true) => PathBuf::from(format!("{name}.rs")),
                (false, false) => Path::new(name).join(path),
            };
            let code = if has_modules { code } else { code.replace("crate::", &format!("crate::{name}::")) };
            files.insert(path, code);
        }
    }
    let crates =
        fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let crates: Vec<String> = crates.collect();
    let others = |code: String| {
        crates.iter().fold(code, |code, name| {
            let has_modules = CRATES_OF_MODULES.contains(&name.as_str());
            let module = if has_modules { "crate".to_owned() } else { format!("crate::{name}") };
            code.replace(&format!("sitegen_{name}::"), &format!("{module}::"))
                .replace(&format!("use sitegen_{name} as"), &format!("use {module} as"))
        })
    };
    files.into_iter().map(|(path, code)| (path, others(code))).collect()
}

/// Returns the code of the files of a folder, without its tests, by their paths in it.
fn files_of(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            // The build script is not part of the engine.
            } else if path.extension().is_some_and(|extension| extension == "rs") && path != root.join("build.rs") {
                let text = fs::read_to_string(&path).unwrap();
                // Tests may use files; comments may name what code may not.
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                let code =
                    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
                files.insert(path.strip_prefix(root).unwrap().to_path_buf(), code);
            }
        }
    }
    files
}

fn module_of(path: &Path) -> String {
    let first = path.iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// Returns the modules that a file names as `crate::module`.
fn uses(code: &str) -> Vec<String> {
    let names =
        |text: &str| text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect::<String>();
    code.match_indices("crate::")
        .map(|(at, found)| names(&code[at + found.len()..]))
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn modules_use_only_what_the_table_allows() {
    let table = table();
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let module = module_of(&path);
        if module == "main" || module == "lib" {
            continue;
        }
        let Some(allowed) = table.get(&module) else {
            wrong.push(format!("{}: the module `{module}` is not in the table", path.display()));
            continue;
        };
        if code.contains("crate::{") {
            wrong.push(format!(
                "{}: `use crate::{{…}}` hides which modules are used; write a line each",
                path.display()
            ));
        }
        for other in uses(&code) {
            let is_allowed = other == module || allowed.contains(&other) || allowed.contains(&"*".to_owned());
            if table.contains_key(&other) && !is_allowed {
                wrong.push(format!("{}: `{module}` may not use `{other}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the paths of a `use` without its braces: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn flat(paths: &str) -> Vec<String> {
    let Some((before, list)) = paths.split_once('{') else { return vec![paths.trim().to_owned()] };
    let list = list.trim_end().trim_end_matches('}');
    let mut depth = 0;
    let items = list.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    let items = items.filter(|item| !item.trim().is_empty());
    items.flat_map(flat).map(|path| format!("{}{path}", before.trim_start())).collect()
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the files of a folder by the names under which their items are known in the module of the folder: those of the
/// files, and those that it brings into scope with `use file::Name;`.
fn names_of_files<'s>(module: &str, files: &[&'s str]) -> BTreeMap<String, &'s str> {
    let mut names: BTreeMap<String, &str> = files.iter().map(|file| ((*file).to_owned(), *file)).collect();
    for uses in between(module, "use ", ";") {
        for path in flat(uses) {
            let (file, name) = path.split_once("::").unwrap_or((&path, ""));
            let name = name.rsplit([':', ' ']).next().unwrap_or_default();
            if let Some(file) = files.iter().find(|each| **each == file) {
                assert_ne!(name, "*", "`use {path}` hides which names are used");
                names.insert(name.to_owned(), file);
            }
        }
    }
    names
}

/// Returns which files of its folder a file uses, by `super::name` or `crate::folder::name`, also in lists.
fn files_used<'s>(code: &str, folder: &str, names: &BTreeMap<String, &'s str>) -> BTreeSet<&'s str> {
    let path = format!("crate::{}::", folder.replace('/', "::"));
    let mut used = BTreeSet::new();
    for prefix in ["super::", &path] {
        let named = code.match_indices(prefix).filter(|(at, _)| !code[..*at].ends_with("::"));
        for (at, _) in named {
            let rest = &code[at + prefix.len()..];
            let end = if rest.starts_with('{') { rest.find(';') } else { rest.find(|letter| !is_of_a_name(letter)) };
            for path in flat(&rest[..end.unwrap_or(rest.len())]) {
                used.extend(names.get(path.split(|letter| !is_of_a_name(letter)).next().unwrap_or_default()));
            }
        }
    }
    used
}

#[test]
fn files_of_a_folder_do_not_use_each_other_in_circles() {
    let sources = sources();
    // A file has the code of its parts too, which are in the folder of its name.
    let mut folders: BTreeMap<String, BTreeMap<&str, String>> = BTreeMap::new();
    for (path, code) in &sources {
        let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
        for depth in 1..parts.len() {
            let (folder, below) = (parts[..depth].join("/"), parts.len() - depth - 1);
            let code = code.replace(&"super::".repeat(below + 1), "its_parent::").replace("super::", "");
            let name = parts[depth].trim_end_matches(".rs");
            let unit = folders.entry(folder).or_default().entry(name).or_default();
            *unit += &code.replace("its_parent::", "super::");
        }
    }
    let mut wrong = Vec::new();
    for (folder, files) in &folders {
        let module = &sources[&PathBuf::from(format!("{folder}.rs"))];
        let names = names_of_files(module, &files.keys().copied().collect::<Vec<_>>());
        let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, code) in files {
            let mut used = files_used(code, folder, &names);
            used.remove(name);
            uses.insert(*name, used);
        }
        // Whoever uses nothing is in no circle, and then nobody who uses only those.
        while let Some(free) = uses.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| *name) {
            uses.remove(free);
            uses.values_mut().for_each(|used| used.retain(|name| *name != free));
        }
        if !uses.is_empty() {
            wrong.push(format!("{folder}: {uses:?}"));
        }
    }
    assert!(wrong.is_empty(), "these files use each other in circles:\n{}", wrong.join("\n"));
}

#[test]
fn a_use_of_a_file_is_found_under_each_of_its_names() {
    let files = ["arguments", "lexer", "trace", "uses", "values"];
    let names = names_of_files("pub use uses::{Uses, Read as Seen};\nuse values::{self, of::Value};\n", &files);
    let used = |code| files_used(code, "pages", &names).into_iter().collect::<Vec<_>>();
    let code = "use super::{Inputs, arguments, trace::{mark, uses}};\nfn a() { super::lexer::codes() }";
    assert_eq!(used(code), ["arguments", "lexer", "trace"]);
    assert_eq!(used("use super::Uses;"), ["uses"]);
    assert_eq!(used("use super::{Inputs, Seen};"), ["uses"]);
    assert_eq!(used("fn a(value: crate::pages::Value) {}"), ["values"]);
    assert_eq!(used("use super::super::trace; use crate::content::values;"), Vec::<&str>::new());
}

#[test]
fn the_table_names_only_modules_that_exist() {
    let table = table();
    let sources = sources();
    let modules: BTreeSet<String> = sources.keys().map(|path| module_of(path)).collect();
    for (module, uses) in &table {
        assert!(modules.contains(module), "there is no module `{module}`");
        for other in uses.iter().filter(|other| *other != "*") {
            assert!(table.contains_key(other), "`{module}` uses `{other}`, which is not in the table");
        }
    }
}

#[test]
fn only_modules_at_the_edge_touch_the_outside_world() {
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let module = module_of(&path);
        for (world, allowed) in WORLD {
            if code.contains(world) && !allowed.contains(&module.as_str()) && module != "main" {
                wrong.push(format!("{}: `{module}` may not use `{world}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text between two others, after each occurrence of the first.
fn between<'s>(code: &'s str, begin: &str, end: &str) -> Vec<&'s str> {
    code.split(begin).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

/// Returns the kinds of all queries.
pub fn kinds_of_queries() -> Vec<String> {
    let kinds = |code: &String| {
        between(code, "const KIND: &'static str = \"", "\"").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    sources().values().flat_map(kinds).collect()
}

/// `cache::a_warm_build_equals_a_clean_one` proves the same of inputs that are in it by some of their parts.
#[test]
fn every_input_of_a_query_is_in_its_key() {
    let mut kinds: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut queries = 0;
    for (path, code) in sources() {
        // Sources, and pages of the search, have digests of everything that they are, and hash as these. Values of YAML hash
        // without the places where they were written, and paths as their texts; which part of one names a language is in the
        // digests of files.
        let by_hand = ["cache/query.rs", "paths.rs", "sources.rs", "search/page.rs", "content/yaml.rs"];
        let is_own = by_hand.iter().any(|own| path == Path::new(own));
        assert!(
            is_own || !code.contains("Hash for "),
            "{}: derive `Hash`, so that no field is left out",
            path.display()
        );
        for query in between(&code, "impl Query for ", " {") {
            let name = query.split('<').next().unwrap();
            let before = code.split(&format!("\nstruct {name}")).next().unwrap();
            let derived = before.rsplit("#[derive(").next().unwrap().split(")]").next().unwrap();
            assert!(derived.split(", ").any(|each| each == "Hash"), "{}: {name} derives no `Hash`", path.display());
            queries += 1;
        }
        let kind = between(&code, "const KIND: &'static str = \"", "\"");
        for kind in kind.into_iter().chain(between(&code, "digest_of(&(\"", "\"")) {
            let other = kinds.insert(kind.to_owned(), path.clone());
            assert_eq!(other, None, "two kinds of results are called {kind}, in {} too", path.display());
        }
    }
    assert!(queries >= 15, "only {queries} queries were found");
}

#[test]
fn the_engine_knows_no_word_of_its_first_site() {
    let site = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("content/site.yaml")).unwrap();
    let name = site.lines().find_map(|line| line.strip_prefix("name: ")).unwrap().trim_matches('"').to_lowercase();
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let code = code.to_lowercase();
        for word in [name.as_str(), "careers page", "platform", "job opening", "privacy"] {
            // `platform` is also what Node calls an operating system, and an option of esbuild.
            let is_option = word == "platform"
                && (path.ends_with("tools.rs") || path.ends_with("tools/known.rs") || path == Path::new("islands.rs"));
            if code.contains(word) && !is_option {
                wrong.push(format!("{}: speaks of `{word}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
