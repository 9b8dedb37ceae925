//! `sitegen translations`: what each language has of the texts of a site, and files for translators.

mod cells;
mod confirm;
mod export;
mod import;
pub mod po;
mod table;

use super::{BUILT, FAILED, MISTAKES, USAGE, note_failure};
use crate::cache::Cache;
use crate::content::SITE_FILE;
use crate::content::languages::{Language, Languages};
use crate::content::schema::Schemas;
use crate::content::texts::{Rules, TermKeys};
use crate::content::translated::{self, Translation};
use crate::diagnostics::{Diagnostic, Severity, ToolProblem, nearest, print};
use crate::paths::SourcePath;
use crate::sources::{self, Sources};
use clap::{Args, Subcommand, ValueEnum};
use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// The arguments of the command.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    of: Of,
    /// How to print the table
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 1 if there is such a text; may be given more than once
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Vec<Deny>,
}

/// Which texts a command is about.
#[derive(Args)]
pub struct Of {
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Only this language, like `de`
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table of files and languages, with what each translation lacks
    Table,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// A text that a language shows in the language of the site
    Untranslated,
    /// A translation of an earlier version of its original
    Stale,
    /// A translation with other links, pictures, headings or placeholders than its original
    Differs,
}

#[derive(Subcommand)]
enum Action {
    /// Write into translations that they translate the present version of their originals
    Confirm(confirm::Arguments),
    /// Print the texts that a language lacks as a PO file of gettext
    Export(export::Arguments),
    /// Write the translations of a PO file into the content, once the whole site is checked with them
    Import(import::Arguments),
}

impl Arguments {
    /// Whether standard error has JSON lines and nothing else.
    pub fn is_json(&self) -> bool {
        matches!(&self.action, Some(Action::Import(arguments)) if arguments.project.is_json())
    }
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    match &arguments.action {
        Some(Action::Confirm(arguments)) => confirm::run(arguments),
        Some(Action::Export(arguments)) => export::run(arguments),
        Some(Action::Import(arguments)) => import::run(arguments),
        None => list(arguments),
    }
}

fn list(arguments: &Arguments) -> u8 {
    let site = match Site::open(&arguments.of) {
        Ok(site) => site,
        Err(code) => return code,
    };
    site.with_translations(|translations| {
        let all: Vec<table::Row> = translations.iter().map(table::Row::of).collect();
        match arguments.format {
            Format::Table => table::print(&site.languages, &all),
            Format::Json => print_bytes(&table::json(&site.chosen(), &all)),
        }
        let denied = arguments.deny.iter().map(|deny| (*deny, all.iter().filter(|row| deny.is_in(row)).count()));
        let mut code = BUILT;
        for (deny, count) in denied.filter(|(_, count)| *count > 0) {
            let what = match deny {
                Deny::Untranslated => "without a complete translation",
                Deny::Stale => "with a translation of an earlier version",
                Deny::Differs => "with a translation of another structure",
            };
            let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
            print_error!("error: {files} {what}");
            code = MISTAKES;
        }
        code
    })
}

impl Deny {
    fn is_in(self, row: &table::Row) -> bool {
        match self {
            Deny::Untranslated => row.lacks_texts(),
            Deny::Stale => row.is_stale(),
            Deny::Differs => !row.differs.is_empty(),
        }
    }
}

/// The sources of a project, and its languages.
struct Site {
    sources: Sources,
    joined: Sources,
    languages: Languages,
    /// The number of the only language that a command is about.
    only: Option<usize>,
    /// The only translations that it is about.
    files: Option<BTreeSet<SourcePath>>,
}

impl Site {
    /// Reads a project. Returns the exit code if it has no other language, or not this one.
    fn open(of: &Of) -> Result<Self, u8> {
        let read = sources::read(&of.root);
        let report = |diagnostics: &[Diagnostic]| {
            for each in diagnostics {
                print_error!("{}", print(each, std::io::stderr().is_terminal(), &|_| None));
            }
        };
        if !of.root.join(SITE_FILE).is_file() {
            let folder = of.root.display().to_string();
            report(&[Diagnostic::failure(ToolProblem::NoProject { folder })]);
            return Err(FAILED);
        }
        report(&read.diagnostics);
        let is_wrong = read.diagnostics.iter().any(|each| each.severity != Severity::Warning);
        let Some(sources) = read.value.filter(|_| !is_wrong) else { return Err(MISTAKES) };
        Site::of(sources, of.language.as_deref())
    }

    /// Takes the sources of a project.
    fn of(sources: Sources, language: Option<&str>) -> Result<Self, u8> {
        let languages = Languages::of(&sources, &Cache::default());
        if !languages.are_several() {
            print_error!("the site has one language; `languages` in {SITE_FILE} declares others");
            return Err(USAGE);
        }
        let joined = languages.joined(&sources);
        let mut site = Site { sources, joined, languages, only: None, files: None };
        if let Some(tag) = language {
            site.only = Some(site.number_of(tag)?);
        }
        Ok(site)
    }

    /// Returns the number of a language, or says that there is none.
    fn number_of(&self, tag: &str) -> Result<usize, u8> {
        let others = || self.languages.all().iter().enumerate().skip(1);
        let found = others().find(|(_, language)| language.tag.eq_ignore_ascii_case(tag));
        found.map(|(number, _)| number).ok_or_else(|| {
            print_error!("the site is not translated into `{tag}`");
            let tags: Vec<&str> = others().map(|(_, language)| language.tag.as_str()).collect();
            match nearest(tag, tags.iter().copied()) {
                Some(nearest) => print_error!("  = help: did you mean `{nearest}`?"),
                None => print_error!("  = help: it is translated into {}", tags.join(", ")),
            }
            USAGE
        })
    }

    /// Returns the languages that a command is about.
    fn chosen(&self) -> Vec<&Language> {
        let is_chosen = |number: usize| self.only.is_none_or(|only| only == number);
        let others = self.languages.all().iter().enumerate().skip(1);
        others.filter(|(number, _)| is_chosen(*number)).map(|(_, language)| language).collect()
    }

    /// Calls a function with all texts, each with its translations. Files that cannot be read are reported first: without them
    /// the answer would be wrong.
    fn with_translations(&self, then: impl FnOnce(&[Translation]) -> u8) -> u8 {
        self.with_rules(|translations, _| then(translations))
    }

    /// As [`Site::with_translations`], with the rules that say what a text is.
    fn with_rules(&self, then: impl FnOnce(&[Translation], Rules) -> u8) -> u8 {
        let cache = Cache::default();
        let schemas = Schemas::of(&self.sources, &cache, &mut Vec::new());
        let terms = TermKeys::of(&self.joined, &cache);
        let rules = Rules { schemas: &schemas, terms: &terms, cache: &cache };
        let mut all = translated::all(&self.joined, &self.languages, rules);
        let chosen: Vec<&str> = self.chosen().iter().map(|language| language.tag.as_str()).collect();
        all.retain(|each| chosen.contains(&each.language.tag.as_str()));
        if let Some(files) = &self.files {
            all.retain(|each| files.contains(&each.path));
        }
        let mut unreadable: Vec<String> =
            all.iter().flat_map(Translation::unreadable).map(ToString::to_string).collect();
        unreadable.dedup();
        if unreadable.is_empty() {
            return then(&all, rules);
        }
        for path in unreadable {
            print_error!("error: {path} cannot be read; `sitegen check` says why");
        }
        MISTAKES
    }
}

/// Prints a text as it is: what controls the direction of a text is a part of translations.
fn print_bytes(text: &str) {
    note_failure(std::io::stdout().write_all(text.as_bytes()));
}

/// Returns the path of a file in a project as the engine names it.
fn path_in(root: &Path, file: &Path) -> Option<crate::paths::SourcePath> {
    let absolute = |path: &Path| path.canonicalize().ok();
    let inside = absolute(file).or_else(|| absolute(&root.join(file)))?;
    let inside = inside.strip_prefix(absolute(root)?).ok()?;
    let parts: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
    Some(crate::paths::SourcePath::new(parts?.join("/")))
}

/// Reports a failure of reading or writing, and returns the exit code.
fn failed(action: &'static str, path: &str, detail: String) -> u8 {
    let failure = Diagnostic::failure(ToolProblem::Io { action, path: path.to_owned(), detail });
    print_error!("{}", print(&failure, std::io::stderr().is_terminal(), &|_| None));
    FAILED
}
