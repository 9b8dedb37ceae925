//! Holds the code against the architecture: which room may look at which, and who may touch the world.
//!
//! The table is the one of ARCHITECTURE.md. A room that is not in it fails the test, so that it cannot be forgotten.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms and the rooms they may look at. `diagnostics`, `paths`, `profile` and `sources` are values everyone passes on.
const ROOMS: &[(&str, &[&str])] = &[
    ("paths", &[]),
    ("profile", &[]),
    ("html", &[]),
    ("diagnostics", &["paths"]),
    ("sources", &["paths", "diagnostics"]),
    ("memory", &["sources"]),
    ("observe", &[]),
    ("tools", &["diagnostics", "sources", "memory", "observe"]),
    ("bundle", &["paths", "diagnostics", "sources", "tools"]),
    ("content", &["paths", "profile", "html", "diagnostics", "sources", "observe", "tools", "memory"]),
    ("styles", &["paths", "profile", "diagnostics", "sources", "observe", "tools", "bundle", "content"]),
    ("islands", &["paths", "profile", "diagnostics", "sources", "observe", "tools", "bundle", "content"]),
    (
        "pages",
        &[
            "paths",
            "profile",
            "diagnostics",
            "sources",
            "memory",
            "observe",
            "tools",
            "bundle",
            "content",
            "styles",
            "islands",
            "html",
        ],
    ),
    (
        "artifacts",
        &[
            "html",
            "paths",
            "profile",
            "diagnostics",
            "sources",
            "memory",
            "observe",
            "tools",
            "content",
            "styles",
            "islands",
            "pages",
        ],
    ),
    (
        "known",
        &[
            "paths",
            "profile",
            "diagnostics",
            "sources",
            "memory",
            "observe",
            "tools",
            "content",
            "styles",
            "islands",
            "pages",
            "artifacts",
        ],
    ),
    ("publish", &["paths", "diagnostics", "sources", "artifacts"]),
    ("watch", &["diagnostics", "sources"]),
    ("serve", &["paths", "html", "sources", "artifacts"]),
    ("cli", &["*"]),
];

/// The world, and the rooms at the edge that may touch it.
const WORLD: &[(&str, &[&str])] = &[
    ("std::fs", &["sources", "tools", "publish", "watch", "cli"]),
    ("fs::", &["sources", "tools", "publish", "watch", "cli"]),
    ("process::Command", &["tools", "cli"]),
    ("Command::new", &["tools", "cli"]),
    ("std::net", &["serve", "cli"]),
    ("std::env::var", &["cli"]),
    ("SystemTime", &["cli"]),
    ("Instant", &["watch", "serve", "cli"]),
    ("HashMap", &["content", "memory", "tools", "artifacts"]),
];

fn sources() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            // The build script is no part of the engine.
            } else if path.extension().is_some_and(|extension| extension == "rs") && path != root.join("build.rs") {
                let text = fs::read_to_string(&path).unwrap();
                // Tests may touch files; comments may name what code may not.
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                let code =
                    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
                files.insert(path.strip_prefix(&root).unwrap().to_path_buf(), code);
            }
        }
    }
    files
}

fn room_of(path: &Path) -> String {
    let first = path.iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// The rooms that a file names as `crate::room`.
fn looks_at(code: &str) -> Vec<String> {
    let names =
        |text: &str| text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect::<String>();
    code.match_indices("crate::")
        .map(|(at, found)| names(&code[at + found.len()..]))
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn rooms_look_only_where_they_may() {
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let room = room_of(&path);
        if room == "main" || room == "lib" {
            continue;
        }
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{}: the room `{room}` is not in the table", path.display()));
            continue;
        };
        if code.contains("crate::{") {
            wrong.push(format!(
                "{}: `use crate::{{…}}` hides which rooms are looked at; write a line for each",
                path.display()
            ));
        }
        for other in looks_at(&code) {
            let is_room = ROOMS.iter().any(|(name, _)| *name == other);
            if is_room && other != room && !allowed.contains(&other.as_str()) && *allowed != ["*"] {
                wrong.push(format!("{}: `{room}` may not look at `{other}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_world_is_touched_at_the_edges_only() {
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let room = room_of(&path);
        for (world, allowed) in WORLD {
            if code.contains(world) && !allowed.contains(&room.as_str()) && room != "main" {
                wrong.push(format!("{}: `{room}` may not use `{world}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_engine_knows_no_word_of_its_first_site() {
    let site = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("content/site.yaml")).unwrap();
    let name = site.lines().find_map(|line| line.strip_prefix("name: ")).unwrap().trim_matches('"').to_lowercase();
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let code = code.to_lowercase();
        for word in [name.as_str(), "careers page", "platform", "job opening", "privacy"] {
            // `platform` is also what esbuild calls an operating system.
            if code.contains(word) && !(word == "platform" && path.ends_with("tools.rs")) {
                wrong.push(format!("{}: speaks of `{word}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
