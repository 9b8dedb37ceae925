//! `sitegen schema`: the JSON Schemas that are part of the program, and one inferred from the entries of a collection.

use super::{BUILT, MISTAKES, USAGE};
use crate::content::inferred;
use crate::content::schema::{ENTRY, PAGE, SITE};
use crate::diagnostics::{JSON_SCHEMA, Severity, nearest, print};
use crate::sources::{self, Sources};
use clap::{Args, ValueEnum};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The schema to print
    #[arg(value_enum, default_value = "site")]
    of: Of,
    /// Print a schema inferred from the entries of a collection, like `beers`; review it before you use it
    #[arg(long, value_name = "COLLECTION", conflicts_with = "of")]
    from: Option<String>,
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".", requires = "from")]
    root: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// content/site.yaml
    Site,
    /// The front matter of a page
    Page,
    /// The keys of a collection entry
    Entry,
    /// One line of `--format json` output
    Diagnostic,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    if let Some(collection) = &arguments.from {
        return write_inferred(collection, &arguments.root);
    }
    let schema = match arguments.of {
        Of::Site => SITE,
        Of::Page => PAGE,
        Of::Entry => ENTRY,
        Of::Diagnostic => JSON_SCHEMA,
    };
    print_line!("{}", schema.trim_end());
    BUILT
}

/// Prints the schema of a collection, and the doubtful keys of its entries.
fn write_inferred(name: &str, root: &Path) -> u8 {
    // Accepts the folder as a shell completes it, and the name that templates use.
    let name = name.trim_end_matches('/');
    let name =
        ["content/", "collections/", "collections."].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
    let read = sources::read(root);
    let sources = read.value.unwrap_or_default();
    let collections = inferred::collections(&sources);
    let report = |diagnostics: &[crate::diagnostics::Diagnostic], sources: &Sources| {
        let text_of = |path: &crate::paths::SourcePath| sources.text(path);
        for each in diagnostics {
            print_error!("{}", print(each, std::io::stderr().is_terminal(), &text_of));
        }
    };
    if !read.diagnostics.is_empty() {
        report(&read.diagnostics, &sources);
    }
    if !collections.contains(name) {
        print_error!("there is no collection `{name}` with entries in {}", root.join("content").display());
        match nearest(name, collections.iter().map(String::as_str)) {
            Some(nearest) => print_error!("  = help: did you mean `{nearest}`?"),
            None => print_error!("  = help: a collection is a folder of `content/` with `.yaml` or `.md` files"),
        }
        return USAGE;
    }
    let inferred = inferred::schema(&sources, name);
    report(&inferred.diagnostics, &sources);
    if inferred.diagnostics.iter().any(|each| each.severity != Severity::Warning) {
        return MISTAKES;
    }
    let Some(schema) = inferred.value else { return MISTAKES };
    print_line!("{}", serde_json::to_string_pretty(&schema).unwrap_or_default());
    print_error!("read it, describe the keys, and save it as content/schemas/{name}.schema.json");
    BUILT
}
