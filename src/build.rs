//! Runs before the engine is compiled, and computes a name for the engine's own code.
//!
//! Cached results are valid for one engine only. A version number does not change with every edit of the engine; the
//! digest of its sources and of its dependencies' versions does.

use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut files = vec![PathBuf::from("Cargo.toml"), PathBuf::from("Cargo.lock")];
    collect(Path::new("src"), &mut files)?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        hasher.write(file.to_string_lossy().as_bytes());
        hasher.write(&std::fs::read(&file).unwrap_or_default());
    }
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rustc-env=SITEGEN_ENGINE={:016x}", hasher.finish());
    Ok(())
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
