//! The runtime of islands: the scripts that hydrate them in browsers and render them at build.
//!
//! It is part of the program. A project replaces a file of it by one of its own at the same path.

use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;

/// The files of the runtime, with their paths in a project.
const FILES: &[(&str, &str)] = &[
    ("islands/runtime/Boundary.tsx", include_str!("runtime/Boundary.tsx")),
    ("islands/runtime/adopt.ts", include_str!("runtime/adopt.ts")),
    ("islands/runtime/deliver.module.css", include_str!("runtime/deliver.module.css")),
    ("islands/runtime/deliver.ts", include_str!("runtime/deliver.ts")),
    ("islands/runtime/enhance.ts", include_str!("runtime/enhance.ts")),
    ("islands/runtime/entered.ts", include_str!("runtime/entered.ts")),
    ("islands/runtime/loader.ts", include_str!("runtime/loader.ts")),
    ("islands/runtime/mount.tsx", include_str!("runtime/mount.tsx")),
    ("islands/runtime/only.tsx", include_str!("runtime/only.tsx")),
    ("islands/runtime/prerender.tsx", include_str!("runtime/prerender.tsx")),
    ("islands/runtime/slot.tsx", include_str!("runtime/slot.tsx")),
    ("islands/runtime/styles.ts", include_str!("runtime/styles.ts")),
];

/// What islands import by name, with the paths in a folder of types, and what they import beside scripts.
pub const TYPES: &[(&str, &str)] = &[
    ("files.d.ts", include_str!("runtime/files.d.ts")),
    ("islands/runtime/deliver.ts", include_str!("runtime/deliver.ts")),
    ("islands/runtime/slot.tsx", include_str!("runtime/slot.tsx")),
];

/// Returns the files of the runtime that a project does not replace.
pub fn files(sources: &Sources) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_own = |path: &str| sources.get(&SourcePath::new(path)).is_some();
    FILES.iter().copied().filter(move |(path, _)| !is_own(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_runtime_is_in_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/runtime");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| format!("islands/runtime/{}", name.to_string_lossy()));
        let mut expected: Vec<String> = names.filter(|name| !name.ends_with(".d.ts")).collect();
        expected.sort();
        assert_eq!(FILES.iter().map(|(path, _)| *path).collect::<Vec<_>>(), expected);
    }
}
