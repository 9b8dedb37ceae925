//! A folder in which a program sees the files of a project exactly as they were digested.
//!
//! Somebody may save a file after it was read and undo that before the build ends. A program that reads the project's own
//! folder may see the text in between, which no digest names. So it runs in a folder that belongs to this one run,
//! `.sitegen/run-…`, with copies of what was read. Another process never writes there.
//!
//! The copies of `package.json` have no `type`. With `"type": "module"`, esbuild gives the project's own files the default
//! import that Node gives (the module object of a CommonJS package), and not the one of TypeScript's types and of Babel,
//! which is its `default` (esbuild.github.io/content-types/#default-interop).
//!
//! Packages are too large to copy. They are found above the folder, as Node finds them, and their files are
//! [checked](Workspace::has_changed) once the program has ended.

use super::resolution::PACKAGE;
use crate::sources::without_mark;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use walkdir::WalkDir;

/// From the folder of a run to the project's root.
const TO_ROOT: &str = "../../";

/// What files of the project a script can import. Others are not copied from the rest of the project.
const IMPORTED: [&str; 10] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "css"];

/// Seconds and nanoseconds of the file system's clock.
type Moment = (i64, i64);

/// See the module. The folder is removed with this value.
pub struct Workspace {
    folder: PathBuf,
    begun: Moment,
    copies: BTreeSet<String>,
}

impl Workspace {
    /// Makes the folder below `scratch`, with copies of `files`: paths from the project's root, and bytes.
    ///
    /// Scripts may also import what lies elsewhere in the project, such as `../lib/units`. The folders and files at the
    /// root that the texts name in this way are copied from the disk.
    pub fn create<'a>(
        root: &Path,
        scratch: &Path,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> io::Result<Self> {
        let folder = new_folder(scratch)?;
        let begun = changed_at(&fs::metadata(&folder)?);
        let mut workspace = Workspace { folder, begun, copies: BTreeSet::new() };
        let mut named = BTreeSet::new();
        for (path, bytes) in files {
            workspace.write(path, bytes)?;
            add_named(bytes, if path == PACKAGE { "\"./" } else { "../" }, &mut named);
        }
        workspace.copy_named(root, named)?;
        // Without one, that of a folder above the project would say what its files are.
        if !workspace.copies.contains(PACKAGE) {
            workspace.write(PACKAGE, b"{}")?;
        }
        Ok(workspace)
    }

    /// Returns the folder of the run, which has copies of the sources.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path from the project's root of a path that the program reports.
    pub fn project_path<'a>(&self, path: &'a str) -> &'a str {
        path.strip_prefix(TO_ROOT).unwrap_or(path)
    }

    /// Whether a path that the program reports is that of a copy, or of a file that was made in the folder.
    pub fn contains(&self, path: &str) -> bool {
        !path.starts_with("../") && !Path::new(path).is_absolute()
    }

    /// Whether what lies at a path on the disk, if anything does, has changed since the folder was made.
    ///
    /// The system notes each change of a file by its own clock, and no program can set that time back. The clock ticks
    /// every few milliseconds, so a change in the tick in which the folder was made counts as later.
    pub fn has_changed(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| changed_at(&metadata) >= self.begun)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let file = self.folder.join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        match without_type(path, bytes) {
            Some(manifest) => fs::write(file, manifest)?,
            None => fs::write(file, bytes)?,
        }
        self.copies.insert(path.to_owned());
        Ok(())
    }

    /// Copies what lies at the root of the project under these names, with or without an extension, and then what the
    /// copies name.
    fn copy_named(&mut self, root: &Path, mut named: BTreeSet<String>) -> io::Result<()> {
        let copied: BTreeSet<&str> = self.copies.iter().filter_map(|path| path.split('/').next()).collect();
        let mut done: BTreeSet<String> = copied.into_iter().map(str::to_owned).collect();
        named.retain(|name| !done.contains(name));
        // Most projects have nothing elsewhere, and their root is not looked at.
        while !named.is_empty() {
            let mut next = BTreeSet::new();
            for entry in fs::read_dir(root)? {
                let Ok(name) = entry?.file_name().into_string() else { continue };
                let stem = name.split('.').next().unwrap_or_default();
                if (named.contains(&name) || named.contains(stem))
                    && name != "node_modules"
                    && done.insert(name.clone())
                {
                    self.copy(root, &name, &mut next)?;
                }
            }
            next.retain(|name| !done.contains(name));
            // A name that nothing has is not looked for again.
            done.append(&mut named);
            named = next;
        }
        Ok(())
    }

    fn copy(&mut self, root: &Path, name: &str, named: &mut BTreeSet<String>) -> io::Result<()> {
        let is_wanted = |name: &str| !name.starts_with('.') && name != "node_modules";
        let walk = WalkDir::new(root.join(name)).follow_links(true).into_iter();
        for entry in walk.filter_entry(|entry| is_wanted(&entry.file_name().to_string_lossy())).flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if !entry.file_type().is_file() || !IMPORTED.contains(&extension) {
                continue;
            }
            let (Ok(relative), Ok(bytes)) = (path.strip_prefix(root), fs::read(path)) else { continue };
            let relative: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            add_named(&bytes, "../", named);
            self.write(&relative.join("/"), &bytes)?;
        }
        Ok(())
    }
}

impl Drop for Workspace {
    /// What is left over here is cleared by a later build; nothing depends on it.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Makes the folder of a run: a new one below `scratch`, which no other process uses.
pub fn new_folder(scratch: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(scratch)?;
    static RUNS: AtomicU32 = AtomicU32::new(0);
    loop {
        let folder = scratch.join(format!("run-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed)));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            // In another container a process may have the same number.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns the text of a `package.json` without `type`, if a file is one that has it.
fn without_type(path: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    path.rsplit('/').next().filter(|name| *name == PACKAGE)?;
    let mut manifest: serde_json::Value = serde_json::from_slice(without_mark(bytes)).ok()?;
    manifest.as_object_mut()?.remove("type")?;
    serde_json::to_vec(&manifest).ok()
}

/// The names that follow on a `prefix` in a text: `lib` of `"../lib/units"`.
fn add_named(text: &[u8], prefix: &str, named: &mut BTreeSet<String>) {
    for at in memchr::memmem::find_iter(text, prefix) {
        let rest = &text[at + prefix.len()..];
        let end = rest.iter().position(|byte| b"/\"'`()<>*?\\ \t\r\n".contains(byte)).unwrap_or(rest.len());
        let name = std::str::from_utf8(&rest[..end]).unwrap_or_default();
        if !name.is_empty() && !name.starts_with('.') {
            named.insert(name.to_owned());
        }
    }
}

#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> Moment {
    use std::os::unix::fs::MetadataExt;
    (metadata.ctime(), metadata.ctime_nsec())
}

/// Elsewhere the time of the last writing stands for that of the last change.
#[cfg(not(unix))]
fn changed_at(metadata: &Metadata) -> Moment {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or((i64::MAX, 0), |since| (since.as_secs() as i64, i64::from(since.subsec_nanos())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let all = WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
        let files = all.filter(|entry| entry.file_type().is_file());
        files.map(|entry| entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_workspace_holds_what_was_read_and_what_that_names() {
        let project = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = project.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("islands/A.tsx", "saved since it was read");
        write("lib/units.ts", "import x from '../shared/x';");
        write("lib/photo.jpg", "x");
        write("lib/node_modules/p/index.js", "x");
        write("shared/x.ts", "import '../lib/units'");
        write("words.ts", "x");
        write("other/y.ts", "x");
        let read = [("islands/A.tsx", &b"import u from \"../lib/units\"; import w from '../words';"[..])];
        let workspace = Workspace::create(project.path(), &project.path().join(".sitegen"), read).unwrap();
        assert_eq!(
            files(workspace.folder()),
            ["islands/A.tsx", "lib/units.ts", "package.json", "shared/x.ts", "words.ts"]
        );
        assert_eq!(fs::read(workspace.folder().join("islands/A.tsx")).unwrap(), read[0].1);
        let folder = workspace.folder().to_path_buf();
        let other = Workspace::create(project.path(), &project.path().join(".sitegen"), []).unwrap();
        assert_ne!(folder, other.folder());
        drop((workspace, other));
        assert!(!folder.exists() && files(&project.path().join(".sitegen")).is_empty());
    }

    #[test]
    fn manifests_lose_their_type_and_nothing_else() {
        let manifest = |path: &str, text: &str| {
            without_type(path, text.as_bytes()).map(|manifest| String::from_utf8(manifest).unwrap())
        };
        let text = r##"{"type":"module","name":"a","imports":{"#x":"./x.ts"}}"##;
        for path in ["package.json", "lib/package.json"] {
            assert_eq!(manifest(path, text).unwrap(), r##"{"imports":{"#x":"./x.ts"},"name":"a"}"##);
        }
        for (path, text) in [("lib/my-package.json", text), ("package.json", r#"{"name":"a"}"#), ("package.json", "{")]
        {
            assert_eq!(manifest(path, text), None);
        }
    }

    #[test]
    fn a_change_is_seen_even_if_it_is_undone() {
        let project = tempfile::tempdir().unwrap();
        let package = project.path().join("package.js");
        fs::write(&package, "a").unwrap();
        let time = fs::metadata(&package).unwrap().modified().unwrap();
        // Longer than the clock of any file system takes to tick.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let workspace = Workspace::create(project.path(), project.path(), []).unwrap();
        assert!(!workspace.has_changed(&package) && !workspace.has_changed(&project.path().join("nothing")));
        for text in ["b", "a"] {
            fs::write(&package, text).unwrap();
            fs::File::options().write(true).open(&package).unwrap().set_modified(time).unwrap();
        }
        assert!(workspace.has_changed(&package));
    }
}
