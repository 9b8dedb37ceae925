//! `sitegen new`: a project to start from, and new files for a project.

mod languages;
mod part;

use super::{BUILT, FAILED, USAGE, project};
use crate::content::settings::split_base_url;
use crate::content::{SITE_FILE, check_site};
use crate::diagnostics::{Diagnostic, ToolProblem, label, message, print, printable};
use crate::profile::Profile;
use crate::sources::Sources;
use clap::{Args, Subcommand, ValueEnum};
use std::fs;
use std::io::{self, BufRead, IsTerminal as _, Write as _};
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
#[command(after_help = "To create a folder with the name of one of these commands, write a path: sitegen new ./page")]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// The folder to create the project in; an existing folder must be empty
    #[arg(required = true)]
    folder: Option<PathBuf>,
    /// The starter to copy (asked for in a terminal, otherwise `minimal`)
    #[arg(long, value_enum)]
    starter: Option<Starter>,
    /// The name of the site (asked for in a terminal, otherwise that of the folder)
    #[arg(long)]
    name: Option<String>,
    /// The URL of the site (asked for in a terminal, otherwise `https://www.example.com`)
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The language of the site, like `de-AT` (asked for in a terminal, otherwise `en`)
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Several languages, like `en,de,ar`: the first is that of the original texts
    #[arg(long, value_name = "TAGS", value_delimiter = ',', conflicts_with = "language")]
    languages: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Starter {
    /// One page, one template and one stylesheet
    Minimal,
    /// Home and about pages, news with a feed, and a contact form built as an island
    Company,
    /// Posts with tags, covers, link previews and a feed
    Blog,
    /// Photographs in series, each series with a page
    Portfolio,
    /// Documentation pages with navigation
    Docs,
}

impl Starter {
    fn files(self) -> &'static [File] {
        let name = self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        STARTERS.iter().find(|(other, _)| *other == name).map_or(&[][..], |(_, files)| files)
    }
}

#[derive(Subcommand)]
enum Part {
    /// Create a draft page with the keys that its template needs
    Page(part::Page),
    /// Create a draft entry in a collection with the keys that its schema requires
    Entry(part::Entry),
    /// Create an island
    Island(part::Island),
    /// Create a template component
    Component(part::Component),
}

/// What a new project is about.
struct Answers {
    starter: Starter,
    name: String,
    url: String,
    language: String,
    /// The other languages.
    others: Vec<String>,
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
            print_error!("{} is not empty, and nothing in it is overwritten", folder.display());
            print_error!("  = help: choose a new folder");
            return USAGE;
        }
        Err(error) => return failed("read", folder, &error),
    }
    let answers = match answers(arguments, folder) {
        Ok(answers) => answers,
        Err(mistake) => {
            print_error!("{mistake}");
            return USAGE;
        }
    };
    let files = answers.starter.files();
    let added = languages::added(&answers);
    let added_files = added.iter().map(|(name, text)| (name.as_str(), text.as_bytes()));
    for (name, bytes) in files.iter().copied().chain(added_files) {
        let bytes = adapted(name, bytes, &answers);
        let path = folder.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_new(&path, &bytes));
        if let Err(error) = written {
            return failed("write", &path, &error);
        }
    }
    print_line!("wrote {} files to {}\n", files.len() + added.len(), folder.display());
    if folder != Path::new(".") {
        print_line!("  cd {}", in_quotes(&folder.display().to_string()));
    }
    print_line!("  sitegen serve    shows the site and updates it on every save");
    print_line!("  sitegen build    writes it to dist/");
    if files.iter().any(|(name, _)| *name == "package.json") {
        print_line!("\nThe first of them installs the packages of the islands with npm.");
    }
    if let Some(tag) = answers.others.first() {
        print_line!("\nA translation lies beside its original: content/pages/index.{tag}.md beside index.md.");
    }
    // Screen readers would read them in the wrong language.
    if answers.language.split('-').next() != Some(LANGUAGE) {
        print_line!("\nThe starter is in English: translate the texts in content/ and templates/.");
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
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let (mut input, mut output) = (io::stdin().lock(), io::stdout());
        let dialogue = Dialogue { input: &mut input, output: &mut output };
        return complete(arguments, &name, Some(dialogue));
    }
    complete(arguments, &name, None)
}

/// Returns what the arguments say, and the rest from a dialogue, or the defaults without one. `name` is that of the
/// folder.
fn complete(arguments: &Arguments, name: &str, mut dialogue: Option<Dialogue>) -> Result<Answers, String> {
    let starter = match (arguments.starter, &mut dialogue) {
        (Some(starter), _) => starter,
        (None, None) => Starter::Minimal,
        (None, Some(dialogue)) => {
            dialogue.ask("Starter: minimal, company, blog, portfolio or docs", "minimal", |written| {
                Starter::from_str(written, true).map_err(|_| format!("there is no starter `{written}`"))
            })?
        }
    };
    let name = if mistake(starter, "name", name).is_none() { name } else { NAME };
    let mut value = |key: &'static str, given: &Option<String>, question: &str, default: &str| {
        let checked = |value: &str| mistake(starter, key, value).map_or(Ok(value.to_owned()), Err);
        match (given, &mut dialogue) {
            (Some(given), _) => checked(given.trim()).map_err(|mistake| format!("--{key}: {mistake}")),
            (None, Some(dialogue)) => dialogue.ask(question, default, checked),
            (None, None) => Ok(default.to_owned()),
        }
    };
    let name = value("name", &arguments.name, "Name of the site", name)?;
    let url = value("url", &arguments.url, "Address of the site", URL)?;
    let [language, others @ ..] = &arguments.languages[..] else {
        let language = value("language", &arguments.language, "Language of the site", LANGUAGE)?;
        return Ok(Answers { starter, name, url, language, others: Vec::new() });
    };
    let mut tag = |tag: &String| value("languages", &Some(tag.clone()), "", LANGUAGE);
    let (language, others) = (tag(language)?, others.iter().map(tag).collect::<Result<_, _>>()?);
    Ok(Answers { starter, name, url, language, others })
}

/// Returns why `check` would refuse the `site.yaml` of a starter with this value of a key.
fn mistake(starter: Starter, key: &str, value: &str) -> Option<String> {
    let (name, url, language) = (NAME.into(), URL.into(), LANGUAGE.into());
    let mut answers = Answers { starter, name, url, language, others: Vec::new() };
    match key {
        "name" => value.clone_into(&mut answers.name),
        "url" => value.clone_into(&mut answers.url),
        _ => value.clone_into(&mut answers.language),
    }
    let written = starter.files().iter().map(|(name, bytes)| match *name {
        SITE_FILE => (*name, site_file(bytes, &answers)),
        _ => (*name, bytes.to_vec()),
    });
    let profile = Profile { today: project::today(), ..Profile::default() };
    let diagnostics = check_site(&Sources::from_files(written), &profile);
    let first = diagnostics.into_iter().next()?;
    // A name in another script than Latin has a form for addresses.
    let plain = split_base_url(value).filter(|_| key == "url").map(|(origin, path)| origin + &path);
    let plain = plain.filter(|plain| plain != value && mistake(starter, key, plain).is_none());
    let fix = match (plain, key) {
        (Some(plain), _) => Some(format!("write `{plain}`")),
        (None, "url") => Some(format!("write it like `{URL}`")),
        (None, "language" | "languages") => Some("write it like `en` or `de-AT`".to_owned()),
        (None, _) => label(&first.problem),
    };
    let message = message(&first.problem);
    Some(fix.map_or(message.clone(), |fix| format!("{message}; {fix}")))
}

/// Asks questions and reads the answers.
struct Dialogue<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn io::Write,
}

impl Dialogue<'_> {
    /// Asks until `read` takes the answer. An empty line, or the end of the input, is the default.
    fn ask<T>(&mut self, question: &str, default: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<T, String> {
        loop {
            let mut answer = String::new();
            let _ = write!(self.output, "{question} [{default}]: ").and_then(|()| self.output.flush());
            let length = self.input.read_line(&mut answer).unwrap_or(0);
            let answer = Some(answer.trim()).filter(|answer| !answer.is_empty()).unwrap_or(default);
            match read(answer) {
                Err(mistake) if length > 0 => {
                    let _ = writeln!(self.output, "{}", printable(&mistake));
                }
                result => return result,
            }
        }
    }
}

/// Returns a file of a starter with the answers in it.
fn adapted(path: &str, bytes: &[u8], answers: &Answers) -> Vec<u8> {
    let bytes = if path == SITE_FILE { site_file(bytes, answers) } else { bytes.to_vec() };
    match String::from_utf8(bytes) {
        Ok(text) => languages::adapted(path, &text, answers).into_bytes(),
        Err(error) => error.into_bytes(),
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
    let problem = ToolProblem::Io { action, path: path.display().to_string(), detail: error.to_string() };
    print_error!("{}", print(&Diagnostic::failure(problem), io::stderr().is_terminal(), &|_| None));
    FAILED
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers the questions of a dialogue, and returns what it wrote and the site that it makes.
    fn asked(answers: &str) -> (String, Answers) {
        let arguments = Arguments {
            part: None,
            folder: None,
            starter: None,
            name: None,
            url: None,
            language: None,
            languages: Vec::new(),
        };
        let mut output = Vec::new();
        let dialogue = Dialogue { input: &mut answers.as_bytes(), output: &mut output };
        let made = complete(&arguments, "bakery", Some(dialogue)).unwrap();
        (String::from_utf8(output).unwrap(), made)
    }

    #[test]
    fn a_wrong_answer_is_asked_for_again_with_the_reason() {
        let answers = "dosc\nDocs\n{{ site.x }}\nBakery\nbakery.test\nhttps://bakery.test?x=1\n\
                       https://bäcker.test\nx\nde\n";
        let (said, made) = asked(answers);
        assert_eq!(
            (made.name.as_str(), made.url.as_str(), made.language.as_str()),
            ("Bakery", "https://bäcker.test", "de")
        );
        assert!(matches!(made.starter, Starter::Docs));
        for reason in [
            "there is no starter `dosc`\nStarter",
            "which does not exist",
            "write it like `https://www.example.com`\nAddress",
            "write it like `en` or `de-AT`\nLanguage",
        ] {
            assert!(said.contains(reason), "{reason}: {said}");
        }
    }

    #[test]
    fn the_end_of_the_input_is_the_default() {
        let (said, made) = asked("");
        assert_eq!((made.name.as_str(), made.url.as_str(), made.language.as_str()), ("bakery", URL, LANGUAGE));
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
