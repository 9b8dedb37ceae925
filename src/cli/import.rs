//! `sitegen import`: a project from the sources of another generator's site.
//!
//! Nothing of the old site is run, and no link out of it is followed. The new project is written beside its place and moved
//! there once it is complete.

use super::{BUILT, FAILED, MISTAKES, USAGE, project};
use crate::diagnostics::{Diagnostic, Severity, ToolProblem, print, short};
use crate::profile::Profile;
use crate::sources::{self, Sources};
use crate::tools::DiskTools;
use clap::{Args, ValueEnum};
use sitegen_import::{Generator, Imported, Judgement, NewFile, Old, OldFile, counted, import};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The generator of the old site
    #[arg(long, value_enum)]
    from: From,
    /// The folder with the sources of the old site
    old: PathBuf,
    /// The folder to create the project in; an existing folder must be empty
    new: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum From {
    /// Hugo
    Hugo,
    /// Jekyll
    Jekyll,
    /// Zola
    Zola,
    /// Starlight, of Astro
    Starlight,
    /// Docusaurus
    Docusaurus,
    /// mdBook
    Mdbook,
}

impl From {
    fn generator(self) -> Generator {
        match self {
            From::Hugo => Generator::Hugo,
            From::Jekyll => Generator::Jekyll,
            From::Zola => Generator::Zola,
            From::Starlight => Generator::Starlight,
            From::Docusaurus => Generator::Docusaurus,
            From::Mdbook => Generator::MdBook,
        }
    }
}

/// The largest text that is read.
const LARGEST_TEXT: u64 = 4 << 20;
/// The most files of an old site, and the most bytes of its texts.
const MOST_FILES: usize = 200_000;
const MOST_BYTES: u64 = 1 << 30;
/// The deepest folder.
const DEEPEST: usize = 64;

/// Folders in which nobody writes: histories, packages, caches and results.
const SKIPPED: [&str; 9] = [
    ".git",
    "node_modules",
    ".docusaurus",
    ".astro",
    ".sass-cache",
    ".jekyll-cache",
    "_site",
    "resources/_gen",
    ".hugo_build.lock",
];

/// What binary files end with: they are copied, and not read.
const BINARY: [&str; 26] = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "ico", "pdf", "zip", "gz", "xz", "mp3", "mp4", "webm", "ogg", "mov",
    "woff", "woff2", "ttf", "otf", "eot", "wasm", "psd", "jar", "exe", "bin",
];

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    match imported(arguments) {
        Ok(code) | Err(code) => code,
    }
}

fn imported(arguments: &Arguments) -> Result<u8, u8> {
    let root = fs::canonicalize(&arguments.old).map_err(|error| failed("read", &arguments.old, &error))?;
    if !root.is_dir() {
        return Err(refused(&format!("{} is no folder", arguments.old.display()), "name the folder of the old site"));
    }
    let place = place_of(&arguments.new).map_err(|error| failed("read", &arguments.new, &error))?;
    if place.starts_with(&root) {
        let help = "choose a folder outside of the old site";
        return Err(refused(&format!("{} is in the old site", arguments.new.display()), help));
    }
    match is_free(&place) {
        Ok(true) => {}
        Ok(false) => {
            let reason = format!("{} is not empty, and nothing in it is overwritten", arguments.new.display());
            return Err(refused(&reason, "choose a new folder"));
        }
        Err(error) => return Err(failed("read", &arguments.new, &error)),
    }
    let Read { old, left } = read(&root)?;
    let mut made = import(arguments.from.generator(), &old, project::today()).map_err(|reason| {
        refused(&format!("this is no site of that generator: {reason}"), "choose another `--from`, or folder")
    })?;
    let staging = Staging::beside(&place).map_err(|error| failed("write", &place, &error))?;
    let count = made.files.len();
    write(&made, &root, &staging.folder)?;
    let (judgements, errors) = check(&staging.folder, &mut made);
    let mut report = made.report.markdown(&judgements);
    if !left.is_empty() {
        report.push_str("\n## Files that were not read\n\n");
        left.iter().for_each(|line| report.push_str(&format!("- {line}\n")));
    }
    let path = staging.folder.join("IMPORT.md");
    fs::write(&path, report).map_err(|error| failed("write", &path, &error))?;
    staging.move_to(&place).map_err(|error| failed("write", &place, &error))?;
    let report = &made.report;
    let texts = counted(report.texts, "text", "texts");
    print_line!("wrote {} to {}: {texts}", counted(count + 1, "file", "files"), arguments.new.display());
    print_line!(
        "IMPORT.md lists {} of the old site, and {} not translated",
        counted(report.faults(), "fault", "faults"),
        counted(report.left(), "thing that was", "things that were")
    );
    if errors > 0 {
        let errors = counted(errors, "error", "errors");
        print_line!("the project has {errors} that IMPORT.md lists too: `sitegen check` shows them");
        return Ok(MISTAKES);
    }
    print_line!("  sitegen serve --root {}    shows the site", arguments.new.display());
    Ok(BUILT)
}

fn refused(reason: &str, help: &str) -> u8 {
    print_error!("{reason}");
    print_error!("  = help: {help}");
    USAGE
}

fn failed(action: &'static str, path: &Path, error: &io::Error) -> u8 {
    let problem = ToolProblem::Io { action, path: path.display().to_string(), detail: error.to_string() };
    print_error!("{}", print(&Diagnostic::failure(problem), io::stderr().is_terminal(), &|_| None));
    FAILED
}

/// Returns where a folder is or will be.
fn place_of(folder: &Path) -> io::Result<PathBuf> {
    if let Ok(place) = fs::canonicalize(folder) {
        return Ok(place);
    }
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(above)?;
    let name = folder.file_name().ok_or_else(|| io::Error::other("this is no name of a folder"))?;
    Ok(fs::canonicalize(above)?.join(name))
}

fn is_free(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(error),
    }
}

/// The old site, and what of it was not read.
struct Read {
    old: Old,
    left: Vec<String>,
}

fn read(root: &Path) -> Result<Read, u8> {
    let (mut files, mut left, mut bytes) = (BTreeMap::new(), Vec::new(), 0_u64);
    let is_skipped = |entry: &walkdir::DirEntry| {
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        entry.depth() > 0 && SKIPPED.iter().any(|name| below.ends_with(name))
    };
    let walk = walkdir::WalkDir::new(root).follow_links(false).sort_by_file_name().max_depth(DEEPEST);
    for entry in walk.into_iter().filter_entry(|entry| !is_skipped(entry)) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                left.push(error.to_string());
                continue;
            }
        };
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        if entry.file_type().is_dir() {
            if entry.depth() == DEEPEST {
                left.push(format!("`{}`: the folder is too deep", below.display()));
            }
            continue;
        }
        let Some(path) = below.to_str().filter(|path| !path.chars().any(char::is_control)) else {
            left.push(format!(
                "`{}`: its name is not UTF-8, or has control characters",
                below.to_string_lossy().escape_debug()
            ));
            continue;
        };
        // A link to a file of the site is that file. Any other could lead to secrets.
        let real = fs::canonicalize(entry.path()).ok().filter(|real| real.starts_with(root) && real.is_file());
        let Some(real) = real else {
            left.push(format!("`{path}`: a link that leads out of the old site, or to no file"));
            continue;
        };
        if files.len() >= MOST_FILES {
            return Err(refused(
                &format!("the old site has more than {MOST_FILES} files"),
                "name the folder with its sources",
            ));
        }
        let length = real.metadata().map_or(0, |metadata| metadata.len());
        let extension = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let is_binary = BINARY.contains(&extension.as_str()) || length > LARGEST_TEXT;
        bytes += if is_binary { 0 } else { length };
        if bytes > MOST_BYTES {
            return Err(refused("the texts of the old site have more than 1 GB", "name the folder with its sources"));
        }
        let text = if is_binary { None } else { fs::read(&real).ok().and_then(|bytes| String::from_utf8(bytes).ok()) };
        let text = text.filter(|text| !text.contains('\0'));
        files.insert(path.replace('\\', "/"), text.map_or(OldFile::Binary, OldFile::Text));
    }
    Ok(Read { old: Old::new(files), left })
}

/// A folder beside the new project, which is gone unless it becomes the project.
struct Staging {
    folder: PathBuf,
}

impl Staging {
    fn beside(place: &Path) -> io::Result<Self> {
        let name = place.file_name().map_or_else(|| "site".into(), |name| name.to_string_lossy().into_owned());
        let above = place.parent().unwrap_or(Path::new("."));
        let folder = above.join(format!(".{name}.import-{}", std::process::id()));
        fs::create_dir(&folder)?;
        Ok(Self { folder })
    }

    fn move_to(&self, place: &Path) -> io::Result<()> {
        match fs::remove_dir(place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(&self.folder, place)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn write(made: &Imported, root: &Path, folder: &Path) -> Result<(), u8> {
    for (path, file) in &made.files {
        let to = folder.join(path);
        let written = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| match file {
            NewFile::Text(text) => fs::write(&to, text),
            NewFile::Copy(from) => {
                let real = fs::canonicalize(root.join(from))?;
                if !real.starts_with(root) {
                    return Err(io::Error::other("it is a link that leads out of the old site"));
                }
                fs::copy(&real, &to).map(|_| ())
            }
        });
        written.map_err(|error| failed("write", &to, &error))?;
    }
    Ok(())
}

/// Checks the new project as `sitegen check` does, and compares what it publishes with the old site. Returns what it says, and the
/// number of errors.
fn check(folder: &Path, made: &mut Imported) -> (Vec<Judgement>, usize) {
    let sources: Sources = match sources::read(folder) {
        read if read.value.is_some() => read.value.unwrap_or_default(),
        read => return judged(&read.diagnostics, &Sources::default()),
    };
    let tools = DiskTools::of(folder);
    let profile = Profile { today: project::today(), ..Profile::default() };
    let built = crate::build(&sources, &profile, &tools);
    let judged = judged(&built.diagnostics, &sources);
    if let Some(artifacts) = &built.value {
        made.report.compare(|path| artifacts.has(path));
    }
    drop(tools);
    let _ = fs::remove_dir_all(folder.join(".sitegen"));
    judged
}

fn judged(diagnostics: &[Diagnostic], sources: &Sources) -> (Vec<Judgement>, usize) {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by(|a, b| a.place.cmp(&b.place));
    let errors = sorted.iter().filter(|each| each.severity != Severity::Warning).count();
    let judgements = sorted.into_iter().map(|each| {
        let line = short(each, &|path| sources.text(path));
        let (place, message) = match line.split_once(": ") {
            Some((place, message)) if each.place.is_some() => (place.to_owned(), message.to_owned()),
            _ => ("the project".to_owned(), line),
        };
        Judgement { is_error: each.severity != Severity::Warning, place, message }
    });
    (judgements.collect(), errors)
}
