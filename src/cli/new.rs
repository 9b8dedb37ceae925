//! `sitegen new`: a project to start from, and new files for a project.

mod part;

use super::{BUILT, FAILED, USAGE};
use crate::diagnostics::{Diagnostic, Problem, print};
use clap::{Args, Subcommand, ValueEnum};
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// A file of a starter: its path and its bytes.
type File = (&'static str, &'static [u8]);

/// The starters by name. The build script writes the list from `examples/starters/`.
const STARTERS: &[(&str, &[File])] = include!(concat!(env!("OUT_DIR"), "/starters.rs"));

/// The values in the starters that a new project replaces.
const URL: &str = "https://www.example.com";
const LANGUAGE: &str = "en";
const NAME: &str = "Example";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
#[command(after_help = "A folder with the name of one of these commands is written with a path: sitegen new ./page")]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// The folder of the new project. It is created, or has to be empty
    #[arg(required = true)]
    folder: Option<PathBuf>,
    /// What the project starts with
    #[arg(long, value_enum)]
    starter: Option<Starter>,
    /// The name of the site
    #[arg(long)]
    name: Option<String>,
    /// The address of the site, like `https://www.example.com`
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    /// The language of the site, like `en` or `de-AT`
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Starter {
    /// One page, one template and one stylesheet
    Minimal,
    /// Home, about, news with a feed, and a contact form that is an island
    Company,
    /// Pages with a navigation, for documentation
    Docs,
}

#[derive(Subcommand)]
enum Part {
    /// Write a new page as a draft, with the keys that its template needs
    Page(part::Page),
    /// Write a new entry of a collection as a draft, with the keys that its schema requires
    Entry(part::Entry),
    /// Write a new island
    Island(part::Island),
    /// Write a new component of templates
    Component(part::Component),
}

/// What a new project is about.
struct Answers {
    starter: Starter,
    name: String,
    url: String,
    language: String,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    match &arguments.part {
        Some(Part::Page(arguments)) => return part::page(arguments),
        Some(Part::Entry(arguments)) => return part::entry(arguments),
        Some(Part::Island(arguments)) => return part::island(arguments),
        Some(Part::Component(arguments)) => return part::component(arguments),
        None => {}
    }
    let folder = arguments.folder.as_deref().unwrap_or(Path::new("."));
    match is_free(folder) {
        Ok(true) => {}
        Ok(false) => {
            complain!("{} is not empty, and nothing in it is overwritten", folder.display());
            complain!("  = help: name a new folder");
            return USAGE;
        }
        Err(error) => return failed("read", folder, &error),
    }
    let answers = match answers(arguments, folder) {
        Ok(answers) => answers,
        Err(mistake) => {
            complain!("{mistake}");
            return USAGE;
        }
    };
    let starter = answers.starter.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let files = STARTERS.iter().find(|(name, _)| *name == starter).map_or(&[][..], |(_, files)| files);
    for (name, bytes) in files {
        let bytes = if *name == "content/site.yaml" { site_file(bytes, &answers) } else { bytes.to_vec() };
        let path = folder.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_new(&path, &bytes));
        if let Err(error) = written {
            return failed("write", &path, &error);
        }
    }
    say!("wrote {} files to {}\n", files.len(), folder.display());
    if folder != Path::new(".") {
        say!("  cd {}", in_quotes(&folder.display().to_string()));
    }
    say!("  sitegen serve    shows the site and follows every save");
    say!("  sitegen build    writes it to dist/");
    if files.iter().any(|(name, _)| *name == "package.json") {
        say!("\nThe first of them installs the packages of the islands with npm.");
    }
    // Screen readers would read them in the wrong language.
    if answers.language.split('-').next() != Some(LANGUAGE) {
        say!("\nThe texts of the starter are in English: those in content/ and templates/ are yours to translate.");
    }
    BUILT
}

/// Whether a folder does not exist or has nothing in it. What git keeps of a new repository does not count.
fn is_free(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == ".git"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::File::create_new(path)?.write_all(bytes)
}

/// Returns what the arguments say, and asks for the rest where somebody can answer.
fn answers(arguments: &Arguments, folder: &Path) -> Result<Answers, String> {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = folder.file_name().map_or(NAME.into(), |name| name.to_string_lossy().into_owned());
    let is_asked = io::stdin().is_terminal() && io::stdout().is_terminal();
    let ask = |given: &Option<String>, question: &str, default: &str| match given {
        Some(given) => given.clone(),
        None if is_asked => asked(question, default),
        None => default.to_owned(),
    };
    let starter = match arguments.starter {
        Some(starter) => starter,
        None => {
            let written = ask(&None, "Starter: minimal, company or docs", "minimal");
            Starter::from_str(&written, true).map_err(|_| format!("there is no starter `{written}`"))?
        }
    };
    let name = ask(&arguments.name, "Name of the site", &name);
    let url = ask(&arguments.url, "Address of the site", URL);
    let language = ask(&arguments.language, "Language of the site", LANGUAGE);
    let host = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme)).unwrap_or_default();
    if host.is_empty() || host.contains(char::is_whitespace) {
        return Err(format!("`{url}` is no address of a site; write it like `{URL}`"));
    }
    let is_part = |part: &str| !part.is_empty() && part.len() <= 8 && part.chars().all(|c| c.is_ascii_alphanumeric());
    if !language.split('-').all(is_part) || language.split('-').next().is_none_or(|first| first.len() > 3) {
        return Err(format!("`{language}` is no language tag; write it like `en` or `de-AT`"));
    }
    Ok(Answers { starter, name, url, language })
}

/// Asks a question. Nothing, or the end of the input, is the default.
fn asked(question: &str, default: &str) -> String {
    let mut answer = String::new();
    let _ = write!(io::stdout(), "{question} [{default}]: ").and_then(|()| io::stdout().flush());
    let _ = io::stdin().read_line(&mut answer);
    match answer.trim() {
        "" => default.to_owned(),
        answer => answer.to_owned(),
    }
}

/// Returns the `site.yaml` of a starter with the answers in it. JSON's quoted texts are YAML (YAML 1.2.2, 1.2).
fn site_file(bytes: &[u8], answers: &Answers) -> Vec<u8> {
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for (key, old, new) in
        [("url", URL, &answers.url), ("language", LANGUAGE, &answers.language), ("name", NAME, &answers.name)]
    {
        if new != old {
            text = text.replacen(&format!("{key}: {old}\n"), &format!("{key}: {}\n", quoted(new)), 1);
        }
    }
    text.into_bytes()
}

/// Returns a path as a shell reads it.
fn in_quotes(path: &str) -> String {
    let is_plain = path.chars().all(|letter| letter.is_alphanumeric() || "._-/".contains(letter));
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

fn failed(action: &'static str, path: &Path, error: &io::Error) -> u8 {
    let problem = Problem::Io { action, path: path.display().to_string(), detail: error.to_string() };
    complain!("{}", print(&Diagnostic::failure(problem), io::stderr().is_terminal(), &|_| None));
    FAILED
}
