//! `sitegen schema`: the JSON Schemas that are part of the program, one inferred from the entries of a collection, and the
//! configuration of a content manager.

mod decap;
mod front_matter;
mod pages_cms;
mod yaml;

use super::{BUILT, MISTAKES, USAGE};
use crate::cache::Cache;
use crate::content::schema::{ENTRY, PAGE, SITE};
use crate::content::{editable, inferred};
use crate::diagnostics::{Diagnostic, JSON_SCHEMA, Severity, nearest, print};
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
    #[arg(long, value_name = "COLLECTION", conflicts_with = "of", group = "project")]
    from: Option<String>,
    /// Print the configuration of a content manager that edits this project
    #[arg(long = "for", value_enum, value_name = "MANAGER", conflicts_with = "of", group = "project")]
    manager: Option<Manager>,
    /// The repository on GitHub that Decap CMS and Sveltia CMS write to, like `bakery/website`
    #[arg(long, value_name = "OWNER/NAME", default_value = "OWNER/NAME", requires = "manager")]
    repository: String,
    /// The branch that they write to
    #[arg(long, value_name = "NAME", default_value = "main", requires = "manager")]
    branch: String,
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".", requires = "project")]
    root: PathBuf,
}

/// Where a content manager writes to.
struct Backend<'a> {
    repository: &'a str,
    branch: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Manager {
    /// Pages CMS: .pages.yml
    PagesCms,
    /// Decap CMS, formerly Netlify CMS: config.yml
    Decap,
    /// Sveltia CMS: config.yml
    Sveltia,
    /// Front Matter CMS, an extension of Visual Studio Code: frontmatter.json
    FrontMatterCms,
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
    if let Some(manager) = arguments.manager {
        let backend = Backend { repository: &arguments.repository, branch: &arguments.branch };
        return write_configuration(manager, &backend, &arguments.root);
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

/// Prints the configuration of a content manager, and what of the project it cannot edit.
fn write_configuration(manager: Manager, backend: &Backend, root: &Path) -> u8 {
    let read = sources::read(root);
    let sources = read.value.unwrap_or_default();
    report(&read.diagnostics, &sources);
    let found = editable::of(&sources, &Cache::default());
    report(&found.diagnostics, &sources);
    let is_error = |each: &Diagnostic| each.severity != Severity::Warning;
    if read.diagnostics.iter().chain(&found.diagnostics).any(is_error) {
        return MISTAKES;
    }
    let Some(editable) = found.value else { return MISTAKES };
    if editable.groups.is_empty() {
        print_error!("there is nothing to edit in {}", root.join("content").display());
        return USAGE;
    }
    let mut left_out: Vec<String> = editable.left_out.iter().cloned().collect();
    let slugs = &editable.slugs;
    let (config, file) = match manager {
        Manager::PagesCms => (pages_cms::configuration(&editable, slugs, &mut left_out), ".pages.yml"),
        Manager::FrontMatterCms => (front_matter::configuration(&editable, slugs, &mut left_out), "frontmatter.json"),
        Manager::Decap => {
            let config = decap::configuration(&editable, decap::Program::Decap, backend, &mut left_out);
            (config, "content/public/admin/config.yml")
        }
        Manager::Sveltia => {
            let config = decap::configuration(&editable, decap::Program::Sveltia, backend, &mut left_out);
            (config, "content/public/admin/config.yml")
        }
    };
    match manager {
        Manager::FrontMatterCms => print_line!("{}", serde_json::to_string_pretty(&config).unwrap_or_default()),
        _ => print_line!(
            "# Written from the schemas of the site by `sitegen schema --for`.\n{}",
            yaml::print(&config).trim_end()
        ),
    }
    for each in left_out {
        print_error!("left out: {each}");
    }
    print_error!("read it, and save it as {file}");
    BUILT
}

fn report(diagnostics: &[Diagnostic], sources: &Sources) {
    let text_of = |path: &crate::paths::SourcePath| sources.text(path);
    for each in diagnostics {
        print_error!("{}", print(each, std::io::stderr().is_terminal(), &text_of));
    }
}
