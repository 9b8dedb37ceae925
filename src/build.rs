//! Runs before the engine is compiled: computes a name for the engine's own code, and lists the files of the starters.
//!
//! Cached results are valid for one engine only. A version number does not change with every edit of the engine; the
//! digest of its sources and of its dependencies' versions does.

use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut files = vec![PathBuf::from("Cargo.toml"), PathBuf::from("Cargo.lock")];
    collect(Path::new("src"), &mut files)?;
    collect(Path::new("crates"), &mut files)?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        hasher.write(file.to_string_lossy().as_bytes());
        hasher.write(&std::fs::read(&file).unwrap_or_default());
    }
    // A program with the encoder takes settings that one without refuses.
    hasher.write_u8(u8::from(std::env::var_os("CARGO_FEATURE_AVIF").is_some()));
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=crates");
    println!("cargo:rustc-env=SITEGEN_ENGINE={:016x}", hasher.finish());
    write_starters()
}

/// Writes the files of `examples/starters/` as the expression that `src/cli/new.rs` includes.
fn write_starters() -> std::io::Result<()> {
    let folder = std::env::current_dir()?.join("examples/starters");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut starters: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    starters.retain(|path| path.is_dir());
    starters.sort();
    let mut list = String::from("&[");
    for starter in starters {
        let mut files = Vec::new();
        collect(&starter, &mut files)?;
        files.sort();
        let name = |path: &Path, below: &Path| path.strip_prefix(below).unwrap_or(path).display().to_string();
        // What is made in a starter that was tried.
        files.retain(|path| {
            let name = name(path, &starter);
            !["dist/", ".sitegen/", "node_modules/"].iter().any(|made| name.starts_with(made))
        });
        list.push_str(&format!("({:?}, &[", name(&starter, &folder)));
        for path in files {
            println!("cargo:rerun-if-changed={}", path.display());
            list.push_str(&format!("({:?}, include_bytes!({:?}) as &[u8]),", name(&path, &starter), path));
        }
        list.push_str("]),");
    }
    list.push(']');
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    std::fs::write(out.join("starters.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
